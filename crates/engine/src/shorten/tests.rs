//! Shorter runs against replays and shortest distances.

use super::{Look, RunTarget, shorten};
use symbolon_budget::Budget;
use symbolon_explicit::{self as explicit, Trace};
use symbolon_model::{EventId, Model, State};
use symbolon_random::Random;
use symbolon_testkit::{random_model, seeds};

/// A run that comes to one state, through states that a second test allows.
struct ComesTo<'a, F> {
    wanted: &'a State,
    allowed: F,
}

impl<F: Fn(&[u64]) -> bool> RunTarget for ComesTo<'_, F> {
    fn restart(&mut self) {}

    fn look(&mut self, state: &[u64], _: usize) -> Look {
        match () {
            () if *state == self.wanted[..] => Look::Shown,
            () if (self.allowed)(state) => Look::Open,
            () => Look::Hopeless,
        }
    }
}

/// A random run of at most `length` steps from the first initial state.
fn random_run(model: &Model, length: usize, random: &mut Random) -> (Vec<EventId>, Vec<State>) {
    let mut states = vec![model.initial[0].clone()];
    let mut events = Vec::new();
    for _ in 0..length {
        let last = &states[states.len() - 1];
        let enabled: Vec<(EventId, State)> = model
            .event_ids()
            .filter_map(|event| Some((event, model.event(event).fire(last).ok().flatten()?)))
            .collect();
        if enabled.is_empty() {
            break;
        }
        let (event, next) = enabled[random.below(enabled.len())].clone();
        events.push(event);
        states.push(next);
    }
    (events, states)
}

#[test]
fn shorter_runs_show_the_same() {
    let (mut runs, mut steps_before, mut steps_after, mut steps_least) = (0, 0, 0, 0);
    for seed in seeds(200) {
        let model = random_model(seed);
        let mut random = Random::new(seed);
        let (events, states) = random_run(&model, 80, &mut random);
        let wanted = states[states.len() - 1].clone();
        let end = states.iter().position(|state| *state == wanted).expect("the last one at least");
        // Every second time the run must stay where the walk was, which is no hindrance to cut loops.
        let stays = seed % 2 == 1;
        let allowed = |state: &[u64]| !stays || states.iter().any(|met| met[..] == *state);
        let mut target = ComesTo { wanted: &wanted, allowed };
        let shorter = shorten(&model, &model.initial[0], &events[..end], &mut target, &Budget::unlimited());
        let trace = Trace { initial: model.initial[0].clone(), events: shorter };
        let visited = explicit::replay(&model, &trace).expect("the run is one of the model");
        assert_eq!(visited.last(), Some(&wanted), "seed {seed}");
        assert!(visited.iter().all(|state| allowed(state)), "seed {seed}");
        let found = explicit::find(&model, &explicit::Options::default(), &Budget::unlimited(), |state| {
            *state == wanted[..]
        });
        let least = found.expect("nothing stops it").expect("the run leads there").events.len();
        assert!((least..=end).contains(&trace.events.len()), "seed {seed}");
        if end > 0 && !stays {
            runs += 1;
            steps_before += end;
            steps_after += trace.events.len();
            steps_least += least;
        }
    }
    println!("{runs} runs: {steps_before} steps before, {steps_after} after, {steps_least} at least");
    assert!(runs > 60, "{runs} runs");
    assert!(steps_after * 10 <= steps_least * 11, "{steps_after} steps where {steps_least} are enough");
    assert!(steps_after * 2 < steps_before, "{steps_after} steps of {steps_before} are left");
}

/// Within no time nothing becomes shorter, and nothing is lost.
#[test]
fn a_budget_that_is_used_up_leaves_the_run() {
    let model = random_model(3);
    let (events, states) = random_run(&model, 40, &mut Random::new(1));
    let mut target = ComesTo { wanted: &states[events.len()], allowed: |_: &[u64]| true };
    let budget = Budget::unlimited();
    budget.cancel();
    assert!(shorten(&model, &states[0], &events, &mut target, &budget).len() <= events.len());
}
