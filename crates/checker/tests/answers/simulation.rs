//! A simulation, against replay by the explicit simulator and against states computed afresh.

use crate::nets::{HAND_MADE, family, loaded, net};
use symbolon_budget::{Budget, Interrupted};
use symbolon_checker::{
    EventId, Job, Language, Loaded, NotOneEvent, Reason, Refusal, ReplayStop, Simulation, Walk, WalkEnd,
    shown_state,
};
use symbolon_explicit::{Trace, replay};
use symbolon_testkit::{RandomNumbers, random_net, seeds};

/// A simulation at its start.
fn started(loaded: Loaded, seed: u64) -> Simulation {
    match Job::new(Budget::unlimited()).simulate(loaded, seed) {
        Ok(simulation) => simulation,
        _ => panic!("there is an initial state"),
    }
}

/// The simulation must stand in this state of this model.
fn check_state(simulation: &Simulation, model: &Loaded, state: &[u64], what: &str) {
    assert_eq!(simulation.values(), shown_state(model.model(), state), "{what}");
    let enabled: Vec<EventId> =
        model.model().event_ids().filter(|&event| model.model().event(event).is_enabled(state)).collect();
    assert_eq!(simulation.enabled().collect::<Vec<_>>(), enabled, "{what}");
    assert_eq!(simulation.enabled_count(), enabled.len(), "{what}");
    assert_eq!(simulation.is_dead(), enabled.is_empty(), "{what}");
    for event in model.model().event_ids() {
        let is_enabled = simulation.obstacles(event).is_empty();
        assert_eq!(is_enabled, enabled.contains(&event), "{what}: obstacles of {event:?}");
    }
}

/// Walks, looks at every state on the way, goes to and fro, and replays.
fn check_walk(model: &Loaded, seed: u64) {
    let budget = Budget::unlimited();
    let what = model.name();
    let mut simulation = started(model.clone(), seed);
    let walk = simulation.walk(60, &budget);
    let ended_well = match &walk.end {
        WalkEnd::Done => walk.taken == 60,
        WalkEnd::Dead => simulation.is_dead(),
        WalkEnd::Refused(_) | WalkEnd::Interrupted(_) => false,
    };
    assert!(ended_well, "{what}: {walk:?}");
    assert_eq!((simulation.position(), simulation.length()), (walk.taken as usize, walk.taken as usize));

    let names: Vec<String> = simulation.trace().collect();
    let events = names.iter().map(|name| simulation.event_named(name).expect("an event")).collect();
    let trace = Trace { initial: model.model().initial[0].clone(), events };
    let states = replay(model.model(), &trace).expect("a run");
    let mut numbers = RandomNumbers::new(seed);
    for _ in 0..20 {
        let position = numbers.below(states.len() as u64) as usize;
        assert!(simulation.go_to(position));
        assert_eq!(simulation.trace().count(), position);
        check_state(&simulation, model, &states[position], what);
    }
    assert!(!simulation.go_to(states.len()), "{what}: beyond the end");

    simulation.go_to(names.len());
    let witness = simulation.witness();
    assert_eq!(witness.steps.len(), names.len());
    for (index, step) in witness.steps.iter().enumerate() {
        let mut shown = simulation.step(index + 1);
        shown.changes.sort();
        let mut expected = step.clone();
        expected.changes.sort();
        assert_eq!(shown, expected, "{what}: step {}", index + 1);
    }
    let mut again = started(model.clone(), !seed);
    assert_eq!(again.replay(names.iter().map(String::as_str), &budget), Ok(()), "{what}");
    check_state(&again, model, &states[states.len() - 1], what);
    let mut same = started(model.clone(), seed);
    assert_eq!(same.walk(60, &budget), walk);
    assert!(same.trace().eq(names.iter().cloned()), "{what}: the seed decides");
}

#[test]
fn walks_agree_with_explicit_replay() {
    for seed in seeds(150) {
        check_walk(&loaded(random_net(seed)), seed);
    }
    for (name, text) in HAND_MADE {
        let mut net = net(text);
        net.name = name.to_string();
        check_walk(&loaded(net), 7);
    }
}

#[test]
fn a_new_step_forgets_what_was_undone() {
    let mut simulation = started(loaded(net("a=1 b c\nt: a -> b\nu: a -> c\nv: b -> a")), 0);
    let fire = |simulation: &mut Simulation, name| {
        let event = simulation.event_named(name).expect("an event");
        simulation.fire(event)
    };
    for name in ["t", "v", "t"] {
        assert_eq!(fire(&mut simulation, name), Ok(()));
    }
    assert!(simulation.go_to(0));
    // What is refused changes nothing.
    assert!(fire(&mut simulation, "v").is_err());
    assert_eq!(simulation.length(), 3);
    assert_eq!(fire(&mut simulation, "u"), Ok(()));
    assert_eq!((simulation.length(), simulation.is_dead()), (1, true));
    assert_eq!(simulation.values(), [("c".to_string(), 1.into())]);
    assert_eq!(simulation.witness().steps.len(), 1);
}

#[test]
fn refusals_say_why() {
    let check = |text: &str, events: &[&str], expected: &str| {
        let mut simulation = started(loaded(net(text)), 0);
        let stop = simulation.replay(events.iter().copied(), &Budget::unlimited());
        let Err(ReplayStop::Refused { step, refusal }) = stop else { panic!("{text}: {stop:?}") };
        assert_eq!(format!("step {step}: {refusal}"), expected);
        assert_eq!(simulation.position(), step - 1, "it stands where it stopped");
    };
    check(
        "a=1 b\nt: a -> b",
        &["t", "t"],
        "step 2: transition 't' is not enabled: place 'a' has 0 tokens, needs 1",
    );
    check(
        "a=1 b\nt: a*3 ?b*2 -> b",
        &["t"],
        "step 1: transition 't' is not enabled: place 'a' has 1 token, needs 3; place 'b' has 0 tokens, needs 2",
    );
    check(
        "a=1 b\nt: a !a -> b",
        &["t"],
        "step 1: transition 't' is not enabled: place 'a' has 1 token, must have none",
    );
    check(
        "a=5\nt: !a*3 -> a",
        &["t"],
        "step 1: transition 't' is not enabled: place 'a' has 5 tokens, may have at most 2",
    );
    check(
        "a b c d e\nt: a b c d e -> a",
        &["t"],
        "step 1: transition 't' is not enabled: place 'a' has 0 tokens, needs 1; place 'b' has 0 tokens, needs 1; \
         place 'c' has 0 tokens, needs 1; and 2 more reasons",
    );
    check("a=1\nt: a -> a", &["t", "nonsense"], "step 2: there is no transition 'nonsense'");
    check(
        "a=9223372036854775807\nt: -> a",
        &["t"],
        "step 1: transition 't' cannot fire: place 'a' would hold more than 2^63 - 1 tokens",
    );
}

#[test]
fn walks_end_in_order() {
    let model = loaded(net("a=9223372036854775805\nt: -> a"));
    let mut simulation = started(model, 0);
    let walk = simulation.walk(10, &Budget::unlimited());
    let refusal = Refusal::OutOfRange { event: "t".into(), variable: "a".into(), language: Language::Net };
    assert_eq!(walk, Walk { taken: 2, end: WalkEnd::Refused(refusal) });

    let mut simulation = started(loaded(net("a=3 b\nt: a -> b")), 0);
    assert_eq!(simulation.walk(10, &Budget::unlimited()), Walk { taken: 3, end: WalkEnd::Dead });

    let budget = Budget::unlimited();
    budget.cancel();
    let mut simulation = started(family("kanban:5"), 0);
    let walk = simulation.walk(u64::MAX, &budget);
    let WalkEnd::Interrupted(unknown) = walk.end else { panic!("{walk:?}") };
    assert_eq!((walk.taken, unknown.reason), (0, Reason::Interrupted));
    assert_eq!(unknown.detail, Interrupted::Cancelled.to_string());
}

#[test]
fn names_may_be_shortened() {
    let check = |position: usize, text: &str, expected: Result<&str, usize>| {
        let mut simulation = started(family("philosophers:12"), 0);
        let events = ["FF1a_1", "FF2a_1"];
        simulation.replay(events[..position].iter().copied(), &Budget::unlimited()).expect("a run");
        let found = match simulation.event_meant(text) {
            Ok(event) => Ok(simulation.event_name(event).to_string()),
            Err(NotOneEvent::None) => Err(0),
            Err(NotOneEvent::Several { names, count }) => {
                assert!(names.iter().all(|name| name.starts_with(text)) && names.len() <= count);
                Err(count)
            }
        };
        assert_eq!(found, expected.map(String::from), "{text}");
    };
    check(0, "FF1a_1", Ok("FF1a_1"));
    check(0, "FF1a_12", Ok("FF1a_12"));
    check(0, "FF2a_5", Ok("FF2a_5"));
    check(0, "FF1a", Err(12));
    check(0, "End", Err(12));
    check(2, "End", Ok("End_1"));
    check(0, "elephant", Err(0));
}
