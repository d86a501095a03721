//! What is said about nets without exploring them.

use crate::ask::info;
use crate::nets::{family, loaded, net};
use std::time::Duration;
use symbolon_budget::Budget;
use symbolon_checker::{
    BoundednessReport, FlowCoverage, InfoReport, Limited, Loaded, Options, Stop, VariableOrder, weighted_sum,
};
use symbolon_explicit::explore;
use symbolon_testkit::{random_net, seeds};

fn describe(loaded: &Loaded) -> InfoReport {
    match info(loaded, &Options::default(), &Budget::unlimited()) {
        Ok(report) => report,
        other => panic!("{}: {other:?}", loaded.name()),
    }
}

/// Everything that is claimed of random nets holds in all their markings.
#[test]
fn claims_hold_in_every_marking() {
    let (mut flows, mut safe) = (0, 0);
    for seed in seeds(80) {
        let loaded = loaded(random_net(seed));
        let report = describe(&loaded);
        let all = explore(loaded.model(), &Default::default(), &Budget::unlimited()).expect("a small net");
        let place_count = loaded.net().places.len();
        assert_eq!(report.upper_bounds.len(), place_count);
        for (most, (place, bound)) in all.variable_maxima().iter().zip(&report.upper_bounds) {
            assert!(bound.is_none_or(|bound| bound >= *most), "{place} <= {bound:?}, reaches {most}");
            safe += usize::from(*bound == Some(1));
        }
        let index =
            |name: &String| loaded.net().places.iter().position(|place| place.id == *name).expect("a place");
        for flow in &report.place_semiflows.flows {
            flows += 1;
            let terms: Vec<(usize, u64)> =
                flow.terms.iter().map(|(name, weight)| (index(name), *weight)).collect();
            for state in all.states() {
                let sum: u64 = terms.iter().map(|&(place, weight)| weight * state[place]).sum();
                assert_eq!(Some(sum), flow.value, "{} of net {seed}", weighted_sum(&flow.terms));
            }
        }
        assert!(!matches!(report.boundedness, BoundednessReport::Unbounded { .. }), "net {seed}");
        let fires = all.quasi_live_events();
        for event in fires {
            let name = &loaded.net().transitions[event.index()].id;
            assert!(!report.dead_transitions.contains(name), "{name} of net {seed} fires");
        }
        for place in &report.unmarked_places {
            assert_eq!(all.variable_maxima()[index(place)], 0, "{place} of net {seed}");
        }
    }
    assert!(std::env::var("SYMBOLON_SEED").is_ok() || (flows > 100 && safe > 100), "{flows} {safe}");
}

#[test]
fn an_unbounded_net_shows_its_cycle() {
    let report = describe(&loaded(net("a=1 b c\nt: a -> b\nu: b -> a c")));
    let BoundednessReport::Unbounded { place, cycle, .. } = &report.boundedness else { panic!("{report:?}") };
    assert_eq!(place, "c");
    assert_eq!(cycle.len() % 2, 0, "{cycle:?}");
    assert_eq!(report.upper_bounds[2], ("c".to_string(), None));
    assert_eq!(report.place_semiflows.covers_all, Some(false));
    assert_eq!(report.place_semiflows.coverage, FlowCoverage::Complete);
}

#[test]
fn orders_as_asked_for() {
    let loaded = family("philosophers:3");
    let order = |wanted: &str| {
        let options = Options { variable_order: VariableOrder::Named(wanted.into()), ..Options::default() };
        match info(&loaded, &options, &Budget::unlimited()).map(|report| report.order) {
            Ok(Limited::Known(order)) => Ok((order.name, order.levels)),
            Ok(Limited::TookTooLong) => panic!("a small net"),
            Err(error) => Err(error),
        }
    };
    assert_eq!(order("as-given"), Ok(("as-given".to_string(), 15)));
    assert_eq!(order("merged:force"), Ok(("merged:force".to_string(), 6)));
    assert_eq!(order("unmerged").map(|(_, levels)| levels), Ok(15));
    assert_eq!(order("auto").map(|(_, levels)| levels), Ok(6));
    assert!(order("forse").is_err());
}

#[test]
fn a_limit_ends_it() {
    let budget = Budget::unlimited();
    let stopped = info(&family("kanban:2"), &Options::default(), &budget.slice(Duration::ZERO));
    assert!(matches!(stopped, Err(Stop::Unknown(_))), "{stopped:?}");
}
