//! Relations: images, preimages, guards, edges, closures.

use super::*;
use crate::RelationId;
use num_bigint::BigUint;
use symbolon_budget::Interrupted;
use symbolon_testkit::seeds;

/// Everything that is known of one system, compared with the explicit answers.
fn check(sets: &mut Hierarchy, shape: ShapeId, events: &[PlainEvent], from: &Plain) {
    let list = events_of(sets, events);
    let relation = sets.relation_of_events(shape, &list).expect("few events");
    let start = build(sets, shape, from);
    let start = sets.root(start);

    let image = sets.image(relation, start.node()).expect("no limit");
    assert_eq!(read(sets, image), plain_image(events, from), "image");
    let closed = plain_closure(events, from);
    let closure = sets.closure(relation, start.node()).expect("no limit");
    let closure = sets.root(closure);
    assert_eq!(read(sets, closure.node()), closed, "closure");
    valid(sets);
    let again = build(sets, shape, &closed);
    assert_eq!(again, closure.node(), "K3: the same set, reached another way");
    assert_eq!(sets.closure(relation, closure.node()), Ok(closure.node()), "closed sets stay");

    let mut edges = 0;
    let mut sum = sets.root(NodeId::EMPTY);
    for (number, event) in events.iter().enumerate() {
        let single = sets.relation_of_event(shape, list.parts(number)).expect("few events");
        let target = sets.image(single, closure.node()).expect("no limit");
        let target = sets.root(target);
        let plain_target = plain_image(std::slice::from_ref(event), &closed);
        assert_eq!(read(sets, target.node()), plain_target, "image of one event");
        let more = sets.union(sum.node(), target.node()).expect("no limit");
        sum = sets.root(more);

        let guard = sets.guard(single).expect("few relations");
        let enabled = sets.image(guard, closure.node()).expect("no limit");
        let plain_enabled: Plain =
            closed.iter().filter(|state| !fire(event, state).is_empty()).cloned().collect();
        assert_eq!(read(sets, enabled), plain_enabled, "where an event is enabled");
        edges += plain_enabled.len();

        // Preimage and image are adjoint: s leads into the target if and only if some successor
        // lies in it.
        let goal: Plain = plain_target.iter().step_by(2).cloned().collect();
        let goal_node = build(sets, shape, &goal);
        let before = sets.preimage(single, goal_node, closure.node()).expect("no limit");
        let plain_before: Plain =
            closed.iter().filter(|state| !fire(event, state).is_disjoint(&goal)).cloned().collect();
        assert_eq!(read(sets, before), plain_before, "preimage");
    }
    let dead = sets.dead(relation, closure.node()).expect("no limit");
    let stuck = |state: &&Vec<u64>| events.iter().all(|event| fire(event, state).is_empty());
    assert_eq!(read(sets, dead), closed.iter().filter(stuck).cloned().collect(), "dead");
    assert_eq!(sets.count_edges(relation, closure.node()), Ok(Some(edges.into())), "edges");
    let all = sets.image(relation, closure.node()).expect("no limit");
    assert_eq!(all, sum.node(), "linear in the relation");
    assert_eq!(all, build(sets, shape, &plain_image(events, &closed)), "K3: one step");
    valid(sets);
}

#[test]
fn random_systems_over_all_shapes() {
    for seed in seeds(60) {
        let mut random = RandomNumbers::new(seed);
        for limits in [Limits::default(), TINY] {
            let mut sets = manager(limits);
            let values = random.between(2, 4);
            let mut events = random_events(&mut random, 5, values);
            if random.percent(30)
                && let Some(first) = events.first().cloned()
            {
                // Equal events count twice.
                events.push(first);
            }
            let from = random_set(&mut random, 5, values, 3);
            for shape in shapes(&mut sets) {
                check(&mut sets, shape, &events, &from);
            }
        }
    }
}

#[test]
fn the_order_of_building_does_not_matter() {
    // The same sum from the list of events and from single events, added one by one.
    for seed in seeds(30) {
        let mut random = RandomNumbers::new(seed);
        let mut sets = manager(Limits::default());
        let events = random_events(&mut random, 5, 3);
        let from = random_set(&mut random, 5, 3, 4);
        for shape in shapes(&mut sets) {
            let list = events_of(&mut sets, &events);
            let whole = sets.relation_of_events(shape, &list).expect("few events");
            let singles: Vec<RelationId> = (0..list.len())
                .map(|event| sets.relation_of_event(shape, list.parts(event)).expect("few events"))
                .collect();
            let folded = singles
                .iter()
                .rev()
                .try_fold(RelationId::NONE, |sum, &single| sets.sum(&[sum, single]))
                .expect("few events");
            let start = build(&mut sets, shape, &from);
            assert_eq!(sets.image(whole, start), sets.image(folded, start));
            assert_eq!(sets.closure(whole, start), sets.closure(folded, start));
            assert_eq!(sets.count_edges(whole, start), sets.count_edges(folded, start));
        }
    }
}

#[test]
fn interruption_leaves_everything_valid() {
    let mut partial = 0;
    for seed in seeds(40) {
        let mut random = RandomNumbers::new(seed);
        let mut sets = manager(TINY);
        let events = random_events(&mut random, 5, 4);
        let from = random_set(&mut random, 5, 4, 3);
        for shape in shapes(&mut sets) {
            let list = events_of(&mut sets, &events);
            let relation = sets.relation_of_events(shape, &list).expect("few events");
            let start = build(&mut sets, shape, &from);
            let start = sets.root(start);
            let reachable = plain_closure(&events, &from);
            let mut granted = 1;
            let closure = loop {
                sets.meter_mut().grant_steps(Some(granted));
                let answer = sets.closure(relation, start.node());
                sets.meter_mut().grant_steps(None);
                valid(&mut sets);
                match answer {
                    Ok(closure) => break closure,
                    Err(why) => {
                        assert_eq!(why, Interrupted::Steps);
                        let found: BigUint = sets
                            .take_partial()
                            .iter()
                            .filter_map(|part| sets.count_if_small(part.node()))
                            .sum();
                        assert!(found <= reachable.len().into(), "no more than there are");
                        partial += u32::from(found > BigUint::ZERO);
                    }
                }
                granted *= 2;
            };
            assert_eq!(read(&sets, closure), reachable);
        }
    }
    assert!(partial > 0, "something was found before an interruption");
}

#[test]
fn an_unbounded_model_stops_at_its_budget() {
    let mut sets = manager(Limits::default());
    let pair = sets.shape(&[Slot::Value; 2]).expect("few shapes");
    let shape = sets.shape(&[Slot::Component(pair), Slot::Value]).expect("few shapes");
    let more = Action::Shift { at_least: 0, at_most: u64::MAX, delta: 1 };
    let events = events_of(&mut sets, &[vec![(1, more.clone())], vec![(1, more.clone()), (2, more)]]);
    let relation = sets.relation_of_events(shape, &events).expect("few events");
    let start = sets.singleton(shape, &[0; 3]).expect("no limit");
    sets.meter_mut().grant_steps(Some(10_000));
    assert_eq!(sets.closure(relation, start), Err(Interrupted::Steps));
    sets.meter_mut().grant_steps(None);
    valid(&mut sets);
}

#[test]
fn a_memory_limit_is_met_and_survived() {
    let limits = symbolon_budget::Limits { time: None, memory: Some(3 << 20) };
    let budget = Budget::new(limits);
    // Either the account or the resident size of the process reaches the limit first.
    let mut sets = Hierarchy::new(Meter::new(budget.clone()), Limits::default()).expect("tables fit");
    let triple = sets.shape(&[Slot::Value; 3]).expect("few shapes");
    let shape = sets.shape(&[Slot::Component(triple), Slot::Component(triple)]).expect("few shapes");
    let start = sets.singleton(shape, &[400, 0, 0, 300, 0, 0]).expect("it fits");
    let take = |at_least| Action::Shift { at_least, at_most: u64::MAX, delta: -(at_least as i64) };
    let give = Action::Shift { at_least: 0, at_most: u64::MAX, delta: 1 };
    let events: Vec<PlainEvent> =
        (0..6).map(|place| vec![(place, take(1)), ((place + 1) % 6, give.clone())]).collect();
    let list = events_of(&mut sets, &events);
    let relation = sets.relation_of_events(shape, &list).expect("few events");
    let start = sets.root(start);
    assert_eq!(sets.closure(relation, start.node()), Err(Interrupted::Memory));
    valid_quickly(&mut sets, start.node());
    drop(start);
    drop(sets);
    assert_eq!(budget.memory().charged(), 0, "everything charged is given back");
}

/// What can be asked within the same limit: the set that was rooted is as it was.
fn valid_quickly(sets: &mut Hierarchy, start: NodeId) {
    sets.collect();
    assert_eq!(read(sets, start), Plain::from([vec![400, 0, 0, 300, 0, 0]]));
    assert_eq!(sets.union(start, start), Ok(start));
}

#[test]
fn values_that_leave_the_range_are_told() {
    let mut sets = manager(Limits::default());
    let shape = sets.shape(&[Slot::Value]).expect("few shapes");
    let jump = Action::Shift { at_least: 0, at_most: u64::MAX, delta: i64::MAX };
    let events = events_of(&mut sets, &[vec![(0, jump)]]);
    let relation = sets.relation_of_events(shape, &events).expect("few events");
    let start = sets.singleton(shape, &[0]).expect("no limit");
    let once = sets.image(relation, start).expect("in range");
    assert_eq!(read(&sets, once), Plain::from([vec![i64::MAX as u64]]));
    assert_eq!(sets.image(relation, once), Err(Interrupted::Overflow));
    assert_eq!(sets.closure(relation, start), Err(Interrupted::Overflow));
}
