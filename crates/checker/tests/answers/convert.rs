//! Converted nets against the truth about the net they come from.

use crate::ask::convert;
use crate::nets::{HAND_MADE, TINY_NETS, UNBOUNDED, loaded, net, tiny_net};
use crate::truth::truth;
use symbolon_budget::Budget;
use symbolon_checker::{Conversion, ConvertedSize, Error, Options, Stop, Target};
use symbolon_petri::read::{Format, read_net};
use symbolon_petri::{Arc, Net};

/// The net as it is after writing and reading.
fn converted(net: &Net, target: Target, drop_dead: bool) -> Net {
    let conversion = Conversion { target, drop_dead, drop_redundant: false };
    let report = match convert(&loaded(net.clone()), &conversion, &Options::default(), &Budget::unlimited()) {
        Ok(report) => report,
        other => panic!("{}: {other:?}", net.name),
    };
    let format = if target == Target::LlNet { Format::LlNet } else { Format::Pnml };
    let reading =
        read_net(report.text.to_string().as_bytes(), format, &Budget::unlimited()).expect("well formed");
    assert_eq!(reading.warnings, [], "{}", report.text);
    let again = reading.net;
    let counts = (again.places.len(), again.transitions.len(), again.arc_count());
    let ConvertedSize::Net { places, transitions, arcs } = report.size else { panic!("a net is a net") };
    let shown = (places, transitions, arcs);
    assert_eq!((counts.0 as u64, counts.1 as u64, counts.2 as u64), shown, "{}", net.name);
    again
}

/// States, edges and deadlocks of a conversion are those of the net.
fn check(net: &Net, target: Target, drop_dead: bool) -> Option<()> {
    let expected = truth(net, 200)?;
    let found = truth(&converted(net, target, drop_dead), 200)?;
    assert_eq!(found.distances.len(), expected.distances.len(), "{}: states", net.name);
    let figures = |truth: &crate::truth::Truth| (truth.edges, truth.dead, truth.nearest_dead);
    assert_eq!(figures(&found), figures(&expected), "{}: edges, deadlocks", net.name);
    assert!(target != Target::SafePnml || found.most_in_place <= 1, "{}: not safe", net.name);
    Some(())
}

#[test]
fn converted_nets_behave_as_before() {
    let mut checked = 0;
    let tiny = (0..TINY_NETS).step_by(211).map(tiny_net);
    let hand_made = HAND_MADE.map(|(name, text)| Net { name: name.into(), ..net(text) });
    for net in hand_made.into_iter().chain(tiny) {
        for target in [Target::Pnml, Target::SafePnml] {
            for drop_dead in [false, true] {
                checked += usize::from(check(&net, target, drop_dead).is_some());
            }
        }
        assert_eq!(converted(&net, Target::Pnml, false), net);
        if !net
            .transitions
            .iter()
            .flat_map(|t| &t.arcs)
            .any(|arc| matches!(arc, Arc::Inhibitor { .. } | Arc::Reset { .. }))
        {
            let named = Net { name: net.name.clone(), ..converted(&net, Target::LlNet, false) };
            assert_eq!(named, net);
        }
    }
    assert!(checked > 300, "{checked}");
}

#[test]
fn unbounded_nets_cannot_become_safe() {
    for (name, text) in UNBOUNDED {
        let conversion = Conversion { target: Target::SafePnml, drop_dead: false, drop_redundant: false };
        let answer = convert(&loaded(net(text)), &conversion, &Options::default(), &Budget::unlimited());
        let Err(Stop::Input(Error::Input(errors))) = answer else { panic!("{name}: {answer:?}") };
        assert!(errors[0].message.contains("unbounded"), "{name}: {errors:?}");
    }
}
