//! State sets as owned handles, against explicit states.

use crate::nets::{family, loaded};
use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use symbolon_budget::Budget;
use symbolon_checker::{Diagram, DiagramKind, Job, Loaded, Options, StateSpace, Stop};
use symbolon_testkit::{random_net, seeds};

fn space(loaded: &Loaded, diagram: Diagram) -> StateSpace {
    let options = Options { diagram, ..Options::default() };
    Job::new(Budget::unlimited()).explore(loaded, &options).expect("a small model")
}

const KINDS: [Diagram; 5] = [
    Diagram::Auto,
    Diagram::Kind(DiagramKind::Mdd),
    Diagram::Kind(DiagramKind::Bdd),
    Diagram::Kind(DiagramKind::Ddd),
    Diagram::Kind(DiagramKind::Set),
];

#[test]
fn laws_of_sets() {
    for diagram in KINDS {
        let space = space(&family("philosophers:3"), diagram);
        let all = space.reachable();
        assert_eq!(all.count(), Ok(27_u32.into()), "{diagram:?}");
        let marked = all.select("Fork_1").expect("a condition");
        let others = all.difference(&marked).expect("a set");
        assert!(marked.union(&others).expect("a set") == all);
        assert!(marked.intersection(&others).expect("a set").is_empty());
        assert!(marked.count().expect("a number") + others.count().expect("a number") == 27_u32.into());
        let dead = all.dead().expect("a set");
        assert_eq!(
            (dead.count(), all.select("deadlock").expect("a condition") == dead),
            (Ok(2_u32.into()), true)
        );
        assert!(dead.image().expect("a set").is_empty() && !dead.preimage().expect("a set").is_empty());
        let initial = space.initial().expect("a set");
        assert_eq!(initial.count(), Ok(1_u32.into()));
        let next = initial.image().expect("a set");
        assert_eq!(next.count(), Ok(6_u32.into()), "each of three takes one of two forks");
        assert!(initial.intersection(&next.preimage().expect("a set")).expect("a set") == initial);
    }
}

#[test]
fn images_agree_with_distances() {
    let mut is_any_large = false;
    for seed in seeds(20) {
        let loaded = loaded(random_net(seed));
        if loaded.unbounded_place().is_some() {
            continue;
        }
        let job = Job::new(Budget::unlimited());
        let report = job.states_with_distances(&loaded, &Options::default()).expect("a small net");
        let distances = report.distances.expect("asked for");
        is_any_large |= distances.len() > 3;
        for diagram in KINDS {
            let space = space(&loaded, diagram);
            let mut layer = space.initial().expect("a set");
            let mut seen = space.initial().expect("a set");
            for count in &distances {
                assert_eq!(layer.count().as_ref(), Ok(count), "seed {seed}, {diagram:?}");
                let image = layer.image().expect("a set");
                layer = image.difference(&seen).expect("a set");
                seen = seen.union(&layer).expect("a set");
            }
            assert!(layer.is_empty() && seen == space.reachable(), "seed {seed}, {diagram:?}");
        }
    }
    assert!(is_any_large, "the nets have some depth");
}

#[test]
fn samples_reach_every_state_evenly() {
    for diagram in KINDS {
        let space = space(&family("philosophers:2"), diagram);
        let all = space.reachable();
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for seed in 0..900 {
            let state = all.sample(seed).expect("a state").expect("not empty");
            *counts.entry(format!("{state:?}")).or_default() += 1;
        }
        assert_eq!(counts.len(), 9, "{diagram:?}");
        assert!(counts.values().all(|count| (60..=140).contains(count)), "{diagram:?}: {counts:?}");
        assert_eq!(all.sample(5), all.sample(5));
        let nothing = all.select("false").expect("a condition");
        assert_eq!(nothing.sample(1), Ok(None));
    }
}

#[test]
fn sets_outlive_their_space_and_move_between_threads() {
    let all = space(&family("kanban:2"), Diagram::Auto).reachable();
    let names: BTreeSet<String> = thread::spawn(move || {
        let some = all.select("P1 + P2 >= 1").expect("a condition");
        drop(all);
        some.sample(3).expect("a state").expect("not empty").into_iter().map(|(name, _)| name).collect()
    })
    .join()
    .expect("no panic");
    assert!(names.iter().any(|name| name == "P1" || name == "P2"), "{names:?}");
}

#[test]
fn wrong_conditions_and_foreign_sets_are_refused() {
    let space = space(&family("philosophers:2"), Diagram::Auto);
    let all = space.reachable();
    for condition in ["AG Fork_1", "Frok_1", "Fork_1 <"] {
        assert!(matches!(all.select(condition), Err(Stop::Input(_))), "{condition}");
    }
    let other = self::space(&family("philosophers:2"), Diagram::Auto).reachable();
    assert!(matches!(all.union(&other), Err(Stop::Input(_))));
    assert!(all != other);
}
