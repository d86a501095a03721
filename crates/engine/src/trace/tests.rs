//! Chaining backwards, called directly: on small nets the methods before it always find a trace.

use super::{Starts, by_chaining, by_layers};
use crate::{ExploreOptions, Explored, StateSets, explore};
use std::collections::BTreeSet;
use symbolon_budget::Budget;
use symbolon_explicit::{self as explicit, Trace};
use symbolon_model::State;
use symbolon_testkit::{random_model, seeds};

/// Every trace by chaining is a run into the target that ends where it first meets it, and one that
/// is called shortest is as short as one by layers.
#[test]
fn traces_by_chaining_are_runs_into_the_target() {
    let (mut traces, mut longer) = (0, 0);
    for seed in seeds(150) {
        let model = random_model(seed);
        let explored = explore(&model, &ExploreOptions::default(), &Budget::unlimited());
        let Ok(Explored { mut sets, reached, .. }) = explored else {
            panic!("seed {seed}: nothing stops it")
        };
        let starts = Starts::Listed(&model.initial);
        for event in model.event_ids() {
            let enabled = sets.enabled(event, &reached).expect("nothing stops it");
            let target = sets.image(event, &enabled).expect("nothing stops it");
            let shortest =
                by_layers(&mut sets, &model, &starts, &reached, &target).expect("nothing stops it");
            let found = by_chaining(&mut sets, &model, &starts, &reached, &target).expect("nothing stops it");
            assert_eq!(found.is_some(), shortest.is_some(), "seed {seed}, event {event:?}");
            let (Some(found), Some(shortest)) = (found, shortest) else { continue };
            let length = found.events.len();
            let is_shortest = length == shortest.events.len();
            assert!(is_shortest || !found.is_shortest, "seed {seed}, event {event:?}: not shortest");
            let trace = Trace { initial: found.initial, events: found.events };
            let visited: Vec<State> = explicit::replay(&model, &trace).expect("the trace is a run");
            let in_target: BTreeSet<usize> =
                (0..visited.len()).filter(|&place| sets.contains(&target, &visited[place])).collect();
            assert_eq!(in_target, BTreeSet::from([length]), "seed {seed}, event {event:?}");
            traces += 1;
            longer += usize::from(!is_shortest);
        }
    }
    assert!(traces > 300 && longer > 5, "{traces} traces, {longer} of them not shortest");
}
