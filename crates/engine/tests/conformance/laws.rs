//! Laws of sets and of steps, on random sets of states of random models.

use crate::kinds::{Kind, SetsOf, TINY, UNLIMITED, is_exactly};
use std::collections::BTreeSet;
use symbolon_dd_core::Limits;
use symbolon_engine::{ExploreOptions, Explored, StateSets, Strategy};
use symbolon_model::{Model, State, VariableId};
use symbolon_testkit::{
    RandomNumbers, random_general_model, random_model, random_predicate, random_synchronous_model, seeds,
};

type SetOf<K> = <SetsOf<K> as StateSets>::Set;

/// Puts random subsets of the reachable states of random models to a test.
fn on_random_sets<K: Kind>(count: u64, test: impl Fn(&mut SetsOf<K>, &Model, [&SetOf<K>; 3])) {
    for seed in seeds(count) {
        let make: fn(u64) -> Model =
            [random_model, random_general_model, random_synchronous_model][seed as usize % 3];
        let model = make(seed);
        let limits = if seed.is_multiple_of(2) { Limits::default() } else { TINY };
        let options = ExploreOptions { strategy: Strategy::Chaining, limits, ..ExploreOptions::default() };
        let Explored { mut sets, reached, .. } =
            K::explore(&model, &options, seed % K::VARIANTS).expect(UNLIMITED);
        let numbers = &mut RandomNumbers::new(seed);
        let variables: Vec<VariableId> = model.variable_ids().collect();
        for _ in 0..4 {
            let mut drawn = || {
                let predicate = random_predicate(numbers, &variables, 2);
                sets.select(&reached, &predicate).expect(UNLIMITED)
            };
            let (a, b, c) = (drawn(), drawn(), drawn());
            test(&mut sets, &model, [&a, &b, &c]);
            sets.collect_if_due();
        }
    }
}

/// Set operations: equal sets are `==` however they were made.
pub(crate) fn of_sets<K: Kind>() {
    on_random_sets::<K>(60, |sets, _, [a, b, c]| {
        let union = sets.union(a, b).expect(UNLIMITED);
        let meet = sets.intersection(a, b).expect(UNLIMITED);
        let minus = sets.difference(a, b).expect(UNLIMITED);
        let none = sets.none();
        assert!(sets.union(b, a).expect(UNLIMITED) == union, "union commutes");
        assert!(sets.intersection(b, a).expect(UNLIMITED) == meet, "intersection commutes");
        assert!(
            sets.union(&minus, &meet).expect(UNLIMITED) == *a,
            "a difference and an intersection are all"
        );
        assert!(sets.difference(&minus, a).expect(UNLIMITED) == none, "a difference is a part");
        assert!(sets.intersection(&minus, b).expect(UNLIMITED) == none, "a difference leaves out");
        let inner = sets.union(b, c).expect(UNLIMITED);
        let outer = sets.union(&union, c).expect(UNLIMITED);
        assert!(sets.union(a, &inner).expect(UNLIMITED) == outer, "union is associative");
        let left = sets.intersection(a, &inner).expect(UNLIMITED);
        let with_c = sets.intersection(a, c).expect(UNLIMITED);
        assert!(sets.union(&meet, &with_c).expect(UNLIMITED) == left, "intersection distributes");
        let of = |sets: &mut SetsOf<K>, set: &SetOf<K>| sets.count(set).expect(UNLIMITED);
        assert_eq!(of(sets, &union) + of(sets, &meet), of(sets, a) + of(sets, b), "counts add up");
        assert_eq!(sets.is_empty(a), of(sets, a) == 0_u32.into(), "empty sets have no states");
        assert!(sets.count_if_quick(a).is_none_or(|quick| quick == of(sets, a)), "a quick count is exact");
        let hull = sets.hull(a).expect(UNLIMITED);
        assert!(sets.difference(a, &hull).expect(UNLIMITED) == none, "a hull holds all");

        assert_eq!(sets.choose(a).is_none(), sets.is_empty(a), "every other set has a state to choose");
        if let Some(state) = sets.choose(a) {
            assert_eq!(sets.choose(a), Some(state.clone()), "the choice is always the same");
            let one = sets.singleton(&state).expect(UNLIMITED);
            assert!(is_exactly(sets, &one, &BTreeSet::from([state.clone()])), "one state");
            assert!(sets.contains(a, &state), "the chosen state is inside");
            let others = sets.difference(a, &one).expect(UNLIMITED);
            assert!(!sets.contains(&others, &state) && sets.union(&others, &one).expect(UNLIMITED) == *a);
            values::<K>(sets, a, &state);
        }
    });
}

/// The figures of a non-empty set agree with each other.
fn values<K: Kind>(sets: &mut SetsOf<K>, set: &SetOf<K>, state: &State) {
    let analysed = sets.analyse(set).expect(UNLIMITED);
    let figures = sets.figures(set).expect(UNLIMITED);
    assert_eq!(figures.states, sets.count(set).expect(UNLIMITED));
    assert_eq!(Some(&figures.largest_value), analysed.largest.iter().max(), "the largest value");
    let all: Vec<(VariableId, i64)> = (0..state.len() as u32).map(|number| (VariableId(number), 1)).collect();
    let sum = sets.largest(set, &all).expect(UNLIMITED).expect("a state");
    assert_eq!(figures.largest_sum, u64::try_from(sum).expect("small").into(), "the largest sum");
    for (number, &value) in state.iter().enumerate() {
        assert!((analysed.smallest[number]..=analysed.largest[number]).contains(&value));
        let weight = [(VariableId(number as u32), 3), (VariableId(number as u32), -1)];
        let largest = sets.largest(set, &weight).expect(UNLIMITED);
        assert_eq!(largest, Some(2 * i128::from(analysed.largest[number])), "weights of a variable add up");
    }
    let none = sets.none();
    assert_eq!(sets.largest(&none, &all), Ok(None), "an empty set has no largest sum");
}

/// Steps: images, preimages, enabled and dead states, closures.
pub(crate) fn of_steps<K: Kind>() {
    on_random_sets::<K>(60, |sets, model, [a, b, c]| {
        let none = sets.none();
        let either = sets.union(a, b).expect(UNLIMITED);
        let (mut all, mut back, mut alive) = (none.clone(), none.clone(), none.clone());
        for event in model.event_ids() {
            let image = sets.image(event, a).expect(UNLIMITED);
            let image_b = sets.image(event, b).expect(UNLIMITED);
            let both = sets.image(event, &either).expect(UNLIMITED);
            assert!(sets.union(&image, &image_b).expect(UNLIMITED) == both, "images distribute");
            let meets = sets.intersection(&image, c).expect(UNLIMITED);
            let before = sets.preimage(event, c, a).expect(UNLIMITED);
            assert_eq!(sets.is_empty(&meets), sets.is_empty(&before), "a step leads in if one leads back");
            assert!(sets.difference(&before, a).expect(UNLIMITED) == none, "preimages stay inside");
            let enabled = sets.enabled(event, a).expect(UNLIMITED);
            assert!(sets.preimage(event, &image, a).expect(UNLIMITED) == enabled, "enabled: a step leads on");
            all = sets.union(&all, &image).expect(UNLIMITED);
            back = sets.union(&back, &before).expect(UNLIMITED);
            alive = sets.union(&alive, &enabled).expect(UNLIMITED);
        }
        assert!(sets.image_of_any(a).expect(UNLIMITED) == all, "the image of any event");
        assert!(sets.preimage_of_any(c, a).expect(UNLIMITED) == back, "the preimage of any event");
        assert!(
            sets.difference(a, &alive).expect(UNLIMITED) == sets.dead(a).expect(UNLIMITED),
            "dead states"
        );
        let forward = sets.forward_closure(c, a).expect(UNLIMITED);
        let again = sets.forward_closure(&forward, a).expect(UNLIMITED);
        assert!(forward == again, "a closure is closed");
        let mut chained = sets.events_for_chaining();
        chained.sort_unstable();
        assert!(chained.into_iter().eq(model.event_ids()), "chaining fires every event once");
    });
}
