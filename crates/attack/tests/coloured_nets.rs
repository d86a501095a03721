//! The coloured nets that are drawn, read and unfolded by the product and played by the referee,
//! which does not unfold: both find the same markings, with the same names, and as many edges. What
//! the product prints, as PNML and as text, is the same net again.
//!
//! `SYMBOLON_SEED` chooses the first seed, `SYMBOLON_TIMES` tries that many times as many.

use std::collections::{BTreeMap, BTreeSet};
use symbolon_attack::{Case, Kind};
use symbolon_budget::Budget;
use symbolon_coloured::read::read_pnml;
use symbolon_coloured::text::{print_text, read_text};
use symbolon_coloured::write::write_pnml;
use symbolon_coloured::{UnfoldLimits, unfold};
use symbolon_explicit::{Options, explore};
use symbolon_petri::lower;
use symbolon_referee::coloured::ColouredNet;
use symbolon_referee::{Graph, Model};

/// The marked places of a state, by name.
type Marked = BTreeMap<String, i128>;

fn marked<'a>(tokens: impl Iterator<Item = (&'a str, i128)>) -> Marked {
    tokens.filter(|(_, count)| *count > 0).map(|(name, count)| (name.to_string(), count)).collect()
}

/// Markings, edges, dead markings and the names of the steps, as the referee finds them.
fn played(model: &ColouredNet, graph: &Graph<'_>) -> (BTreeSet<Marked>, usize, usize, BTreeSet<String>) {
    let names = || model.variables().iter().map(|variable| variable.name.as_str());
    let states = graph.states.iter().map(|state| marked(names().zip(state.iter().copied()))).collect();
    let labels = graph.steps.iter().flatten().map(|(step, _)| step.label[0].clone()).collect();
    (states, graph.edge_count(), graph.dead().count(), labels)
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn unfolded_nets_do_what_the_referee_plays() {
    let budget = Budget::unlimited();
    let first = number("SYMBOLON_SEED", 1);
    let mut compared = 0;
    for seed in first..first + 400 * number("SYMBOLON_TIMES", 1) {
        let case = Case::draw(seed, &[Kind::Coloured]);
        let (_, pnml) = case.files().swap_remove(0);
        let about = |what: &str| format!("SYMBOLON_SEED={seed}: {what}\n{pnml}");
        let model = ColouredNet::read(&pnml).unwrap_or_else(|why| panic!("{}", about(&why)));
        let net = match read_pnml(pnml.as_bytes(), &budget) {
            Ok(reading) => reading.net,
            Err(why) => panic!("{}", about(&why.to_string())),
        };
        let text = print_text(&net);
        let again =
            read_text(text.as_bytes(), &budget).unwrap_or_else(|why| panic!("{}", about(&why.to_string())));
        assert!(again.net == net, "{}", about(&text));

        let graph = Graph::explore(&model, 2000);
        if !graph.is_complete {
            continue;
        }
        let expected = played(&model, &graph);
        let printed = ColouredNet::read(&write_pnml(&net)).unwrap_or_else(|why| panic!("{}", about(&why)));
        assert!(
            played(&printed, &Graph::explore(&printed, 2000)) == expected,
            "{}",
            about("printed as PNML")
        );

        let unfolded = unfold(&net, UnfoldLimits::default(), &budget).expect("a small net");
        let flat = &unfolded.net;
        let options = Options { state_limit: Some(2000) };
        let Ok(found) = explore(&lower(flat), &options, &budget) else {
            panic!("{}", about("more states than the referee finds"));
        };
        let names = || flat.places.iter().map(|place| place.id.as_str());
        let states: BTreeSet<Marked> = found
            .states()
            .map(|state| marked(names().zip(state.iter().map(|&count| i128::from(count)))))
            .collect();
        let (markings, edge_count, dead_count, labels) = expected;
        assert!(states == markings, "{}", about("markings differ"));
        assert_eq!(found.edge_count(), edge_count as u64, "{}", about("edges"));
        assert_eq!(found.dead_states().len(), dead_count, "{}", about("dead markings"));
        let ids: BTreeSet<&str> = flat.transitions.iter().map(|transition| transition.id.as_str()).collect();
        let missing = labels.iter().find(|label| !ids.contains(label.as_str()));
        assert_eq!(missing, None, "{}", about("a step without a transition"));
        compared += 1;
    }
    assert!(compared >= 300, "{compared}");
}
