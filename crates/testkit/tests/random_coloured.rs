//! Random coloured nets keep their promises.

use symbolon_budget::Budget;
use symbolon_coloured::{Arc, Guard, MultisetTerm, Net, UnfoldLimits, unfold};
use symbolon_explicit::{Options, explore};
use symbolon_petri::lower;
use symbolon_testkit::{random_coloured_net, seeds};

#[test]
fn nets_are_well_formed_and_repeatable() {
    for seed in seeds(1000) {
        let net = random_coloured_net(seed);
        assert_eq!(net.check(), Ok(()));
        assert_eq!(net, random_coloured_net(seed));
    }
}

/// Whether some arc of the wanted kind has a term of the wanted shape.
fn has_arc(net: &Net, wanted: impl Fn(&Arc) -> bool) -> bool {
    net.transitions.iter().flat_map(|transition| &transition.arcs).any(wanted)
}

#[test]
fn the_distribution_has_all_of_it() {
    let names = [
        "ten markings or more",
        "a dead marking",
        "a partition",
        "an inhibitor arc",
        "a read arc",
        "a reset arc",
        "a difference on an input arc",
        "all on an input arc",
        "a guard",
        "a constant place with tokens",
        "a variable in no input arc",
        "a colour that is never marked",
    ];
    let mut counts = [0_usize; 12];
    for seed in 0..1000 {
        let net = random_coloured_net(seed);
        let unfolded = unfold(&net, UnfoldLimits::default(), &Budget::unlimited()).expect("it is small");
        let options = Options { state_limit: Some(400) };
        let found = explore(&lower(&unfolded.net), &options, &Budget::unlimited()).ok();
        let no_input = net.transitions.iter().any(|transition| {
            let mut bound = Vec::new();
            for arc in &transition.arcs {
                if let Arc::Input { tokens, .. } = arc {
                    tokens.visit_variables(&mut |variable| bound.push(variable));
                }
            }
            transition.variables().iter().any(|variable| !bound.contains(variable))
        });
        let input = |wanted: fn(&MultisetTerm) -> bool| {
            has_arc(&net, |arc| matches!(arc, Arc::Input { tokens, .. } if wanted(tokens)))
        };
        let has = [
            found.as_ref().is_some_and(|found| found.state_count() >= 10),
            found.as_ref().is_some_and(|found| !found.dead_states().is_empty()),
            !net.partitions.is_empty(),
            has_arc(&net, |arc| matches!(arc, Arc::Inhibitor { .. })),
            has_arc(&net, |arc| matches!(arc, Arc::Read { .. })),
            has_arc(&net, |arc| matches!(arc, Arc::Reset { .. })),
            input(|term| matches!(term, MultisetTerm::Difference(_))),
            input(|term| matches!(term, MultisetTerm::All(_))),
            net.transitions.iter().any(|transition| transition.guard != Guard::Constant(true)),
            unfolded.constant_place_count() > 0,
            no_input,
            unfolded.unmarkable_count() > 0,
        ];
        counts.iter_mut().zip(has).for_each(|(count, has)| *count += usize::from(has));
    }
    for (name, count) in names.iter().zip(counts) {
        println!("{name}: {count} of 1000");
        assert!(count >= 80, "{name}: {count} of 1000");
    }
}
