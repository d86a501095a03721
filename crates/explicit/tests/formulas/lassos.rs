//! What formulas say about single paths: against the definition, read aloud, and against the states
//! they start in.

use super::{formula, graph};
use symbolon_budget::Budget;
use symbolon_explicit::{
    CheckOptions, Checker, Ending, Lasso, LassoError, ReplayError, Run, Trace, Tree, Truth, holds_on_lasso,
    replay_lasso, shown_by_tree, truth_on_lasso,
};
use symbolon_logic::{Formula, FormulaId, Operator, Paths, Sorts};
use symbolon_model::{Atom, EventId, Model, State};
use symbolon_testkit::{Logic, RandomNumbers, random_formula, random_model, seeds};

/// A run of a [`graph`]: its initial state, and the numbers of events.
fn lasso(events: &[u32], loop_start: Option<usize>) -> Lasso {
    let events = events.iter().map(|&event| EventId(event)).collect();
    Lasso { trace: Trace { initial: [0].into(), events }, loop_start }
}

#[test]
fn lassos_are_replayed() {
    // 0 and 1 go round for ever, or 1 goes to 2, which is dead.
    let model = graph(&[(0, 1), (1, 0), (1, 2)]);
    let check = |events: &[u32], loop_start, expected: Result<&[u64], ReplayError>| {
        let states = replay_lasso(&model, &lasso(events, loop_start));
        let states = states.map(|states| states.iter().map(|state| state[0]).collect::<Vec<_>>());
        assert_eq!(states, expected.map(<[u64]>::to_vec), "{events:?} {loop_start:?}");
    };
    check(&[0, 1], Some(0), Ok(&[0, 1, 0]));
    check(&[0, 1, 0], Some(1), Ok(&[0, 1, 0, 1]));
    check(&[0, 2], None, Ok(&[0, 1, 2]));
    check(&[0, 1], Some(1), Err(ReplayError::LoopOpen { start: 1 }));
    check(&[0, 1], Some(2), Err(ReplayError::LoopOpen { start: 2 }));
    check(&[0, 1], Some(7), Err(ReplayError::LoopOpen { start: 7 }));
    check(&[0, 1], None, Err(ReplayError::NotDead));
    check(&[0, 0], Some(0), Err(ReplayError::NotEnabled { step: 1, event: EventId(0) }));
    check(&[9], None, Err(ReplayError::UnknownEvent { step: 0 }));
    let elsewhere = Lasso { trace: Trace { initial: [1].into(), events: vec![] }, loop_start: None };
    assert_eq!(replay_lasso(&model, &elsewhere), Err(ReplayError::NotInitial));
}

#[test]
fn formulas_hold_on_lassos() {
    let model = graph(&[(0, 1), (1, 0), (1, 2)]);
    let check = |events: &[u32], loop_start, text: &str, expected: [Result<bool, LassoError>; 3]| {
        let found =
            Paths::ALL.map(|paths| holds_on_lasso(&model, &formula(text), &lasso(events, loop_start), paths));
        assert_eq!(found, expected, "{text} on {events:?} {loop_start:?}");
    };
    let everywhere = |holds: bool| [Ok(holds); 3];
    let round = (&[0, 1][..], Some(0));
    check(round.0, round.1, "G F 0", everywhere(true));
    check(round.0, round.1, "F G 0", everywhere(false));
    check(round.0, round.1, "G > 0 X 1", everywhere(true));
    check(round.0, round.1, "U 0 1", everywhere(true));
    check(round.0, round.1, "W | 0 1 2", everywhere(true));
    check(round.0, round.1, "R 2 | 0 1", everywhere(true));
    check(round.0, round.1, "U | 0 1 2", everywhere(false));
    check(round.0, round.1, "X X X 1", everywhere(true));
    // A path that ends holds nothing where infinite ones are meant.
    let ending = |maximal, stutter| [Ok(maximal), Ok(stutter), Err(LassoError::Ends)];
    let end = (&[0, 2][..], None);
    check(end.0, end.1, "F G 2", ending(true, true));
    check(end.0, end.1, "X X X 2", ending(false, true));
    check(end.0, end.1, "X X ! X 2", ending(false, false));
    check(end.0, end.1, "G X t", ending(false, true));
    check(end.0, end.1, "G > X t ! d", ending(false, false));
    check(end.0, end.1, "F d", ending(true, true));
    check(end.0, end.1, "U ! d 2", ending(true, true));
    check(
        end.0,
        end.1,
        "E X t",
        [Err(LassoError::Quantifier), Err(LassoError::Quantifier), Err(LassoError::Ends)],
    );
    check(&[0], None, "t", [Err(LassoError::Replay(ReplayError::NotDead)); 3]);
}

/// What the definition says, position by position; `next` is the position behind each.
struct Definition<'a> {
    model: &'a Model,
    formula: &'a Formula<Atom>,
    states: &'a [State],
    next: Vec<Option<usize>>,
}

impl Definition<'_> {
    /// The positions from `at` on, each once.
    fn from(&self, at: usize) -> Vec<usize> {
        let mut positions = vec![at];
        while let Some(next) = self.next[*positions.last().expect("one")] {
            if positions.contains(&next) {
                break;
            }
            positions.push(next);
        }
        positions
    }

    /// Whether `id`, or its negation, holds at `at`.
    fn says(&self, id: FormulaId, is_negated: bool, at: usize) -> bool {
        let says = |id, at| self.says(id, is_negated, at);
        let some = |holds: &dyn Fn(usize) -> bool| self.from(at).into_iter().any(holds);
        let all = |holds: &dyn Fn(usize) -> bool| self.from(at).into_iter().all(holds);
        // Some position satisfies `last`, and all before it `before`.
        let until = |before: &dyn Fn(usize) -> bool, last: &dyn Fn(usize) -> bool| {
            let positions = self.from(at);
            (0..positions.len()).any(|n| last(positions[n]) && positions[..n].iter().all(|&at| before(at)))
        };
        match (self.formula.operator(id).clone(), is_negated) {
            (Operator::Not(f), _) => self.says(f, !is_negated, at),
            (Operator::And(f, g), false) | (Operator::Or(f, g), true) => says(f, at) && says(g, at),
            (Operator::Or(f, g), false) | (Operator::And(f, g), true) => says(f, at) || says(g, at),
            (Operator::Implies(f, g), false) => self.says(f, true, at) || self.says(g, false, at),
            (Operator::Implies(f, g), true) => self.says(f, false, at) && self.says(g, true, at),
            (Operator::Equivalent(f, g), _) => {
                let pair = |f_negated, g_negated| self.says(f, f_negated, at) && self.says(g, g_negated, at);
                pair(false, is_negated) || pair(true, !is_negated)
            }
            (Operator::Next(f), _) => self.next[at].is_some_and(|next| says(f, next)),
            (Operator::Finally(f), false) | (Operator::Globally(f), true) => some(&|at| says(f, at)),
            (Operator::Globally(f), false) | (Operator::Finally(f), true) => all(&|at| says(f, at)),
            (Operator::Until(f, g), false) | (Operator::Release(f, g), true) => {
                until(&|at| says(f, at), &|at| says(g, at))
            }
            (Operator::Release(f, g), false) | (Operator::Until(f, g), true) => {
                all(&|at| says(g, at)) || until(&|at| says(g, at), &|at| says(f, at) && says(g, at))
            }
            (Operator::WeakUntil(f, g), false) => {
                all(&|at| says(f, at)) || until(&|at| says(f, at), &|at| says(g, at))
            }
            (Operator::WeakUntil(f, g), true) => until(&|at| says(g, at), &|at| says(f, at) && says(g, at)),
            (ref about_a_state, _) => is_negated != self.is_true(about_a_state, at),
        }
    }

    fn is_true(&self, operator: &Operator<Atom>, at: usize) -> bool {
        let state = &self.states[at];
        match operator {
            Operator::True => true,
            Operator::False => false,
            Operator::Deadlock => self.model.events.iter().all(|event| !event.is_enabled(state)),
            Operator::Atom(atom) => atom.holds(self.model, state).expect("small numbers"),
            other => panic!("{other:?} is no operator of LTL"),
        }
    }
}

/// A walk by chance that ends when it meets a state again, or a dead one, or when it is long.
fn random_lasso(model: &Model, numbers: &mut RandomNumbers) -> Option<Lasso> {
    let mut states = vec![numbers.one_of(&model.initial).clone()];
    let mut events = Vec::new();
    // Sometimes a loop is let go by, so that not all loops are simple.
    let patience = numbers.below(4);
    let mut met_again = 0;
    for _ in 0..60 {
        let state = states.last().expect("one").clone();
        let trace = |events| Trace { initial: states[0].clone(), events };
        let enabled: Vec<_> =
            model.event_ids().filter(|&event| model.event(event).is_enabled(&state)).collect();
        if enabled.is_empty() {
            return Some(Lasso { trace: trace(events), loop_start: None });
        }
        let before: Vec<usize> = (0..states.len() - 1).filter(|&at| states[at] == state).collect();
        met_again += u64::from(!before.is_empty());
        if !before.is_empty() && met_again > patience {
            return Some(Lasso { trace: trace(events), loop_start: Some(*numbers.one_of(&before)) });
        }
        let event = *numbers.one_of(&enabled);
        states.push(model.event(event).fire(&state).expect("small numbers").expect("it is enabled"));
        events.push(event);
    }
    None
}

#[test]
fn lassos_agree_with_the_definition_and_with_the_states_they_start_in() {
    let (mut compared, mut ended, mut shown_early) = (0, 0, 0);
    for seed in seeds(400) {
        let model = random_model(seed);
        let options = CheckOptions::default();
        let mut checker = Checker::new(&model, &options, &Budget::unlimited()).expect("unlimited");
        let asked = random_formula(&model, Logic::Ltl, 9, seed);
        let mut numbers = RandomNumbers::new(seed);
        let quantifier = asked.operator(asked.root()).clone();
        let (Operator::Exists(path) | Operator::ForAll(path)) = quantifier else { continue };
        let checked = Paths::ALL.map(|paths| checker.check(&asked, paths, &[]).expect("unlimited"));
        for _ in 0..5 {
            let Some(lasso) = random_lasso(&model, &mut numbers) else { continue };
            let states = replay_lasso(&model, &lasso).expect("it was walked");
            let start = checker.exploration().position(&states[0]).expect("initial");
            for (paths, checked) in Paths::ALL.into_iter().zip(&checked) {
                let truth = truth_on_lasso(&model, &asked, path, &lasso, paths, |_, _| None);
                let last = states.len() - 1;
                let next = match (lasso.loop_start, paths) {
                    (None, Paths::Infinite) => {
                        assert_eq!(truth, Err(LassoError::Ends));
                        continue;
                    }
                    (None, Paths::Maximal) => None,
                    (None, Paths::Stutter) => Some(last),
                    (Some(start), _) => Some(start + 1),
                };
                let next = (1..=last).map(Some).chain([next]).collect();
                let definition = Definition { model: &model, formula: &asked, states: &states, next };
                let expected =
                    Truth { holds: definition.says(path, false, 0), fails: definition.says(path, true, 0) };
                assert_eq!(truth, Ok(expected), "{paths}: {asked:?} on {states:?} {lasso:?}");
                match quantifier {
                    Operator::Exists(_) => assert!(!expected.holds || checked.answer()[start], "{asked:?}"),
                    _ => assert!(!expected.fails || !checked.answer()[start], "{asked:?}"),
                }
                // What a beginning of the path shows, the path shows, too.
                let mut trace = lasso.trace.clone();
                trace.events.truncate(numbers.below(trace.events.len() as u64 + 1) as usize);
                let run = Run::Events(trace);
                let beginning = Tree { run, ending: Ending::Open, strategy: None, branches: Vec::new() };
                let shown = shown_by_tree(&model, &asked, paths, &beginning, |_, _| None);
                let shown = shown.expect("without quantifiers inside, nothing is out of reach");
                assert!(!shown.holds || expected.holds, "{paths}: {asked:?} {beginning:?} of {lasso:?}");
                assert!(!shown.fails || expected.fails, "{paths}: {asked:?} {beginning:?} of {lasso:?}");
                shown_early += usize::from(shown != Truth::default());
                compared += 1;
                ended += usize::from(lasso.loop_start.is_none());
            }
        }
    }
    // One chosen seed need not show everything.
    let is_plenty = compared > 1000 && ended > 100 && shown_early > 100;
    assert!(std::env::var("SYMBOLON_SEED").is_ok() || is_plenty, "{compared} {ended} {shown_early}");
}

/// All walks of at most `length` events from the initial state of a small graph that close a loop
/// or end.
fn all_lassos(model: &Model, length: usize) -> Vec<Lasso> {
    let mut found = Vec::new();
    let mut open: Vec<(Vec<State>, Vec<EventId>)> = vec![(vec![model.initial[0].clone()], Vec::new())];
    while let Some((states, events)) = open.pop() {
        let last = states.len() - 1;
        let trace = Trace { initial: states[0].clone(), events: events.clone() };
        let starts = (0..last).filter(|&start| states[start] == states[last]);
        found.extend(starts.map(|start| Lasso { trace: trace.clone(), loop_start: Some(start) }));
        let mut is_dead = true;
        for event in model.event_ids() {
            if let Ok(Some(next)) = model.event(event).fire(&states[last]) {
                is_dead = false;
                if events.len() < length {
                    let longer = |list: &[EventId]| [list, &[event]].concat();
                    open.push((states.iter().cloned().chain([next]).collect(), longer(&events)));
                }
            }
        }
        if is_dead {
            found.push(Lasso { trace, loop_start: None });
        }
    }
    found
}

/// On small graphs, `E f` holds if and only if one of all short lassos says so.
#[test]
fn the_tableau_finds_exactly_what_some_lasso_shows() {
    let graphs: [&[(u64, u64)]; 5] = [
        &[(0, 1), (1, 0), (1, 2)],
        &[(0, 1), (1, 1)],
        &[(0, 0), (0, 1), (1, 2)],
        &[(0, 1), (1, 2), (2, 0), (0, 2)],
        &[(0, 0), (0, 1), (1, 0), (1, 3), (3, 3)],
    ];
    for (number, edges) in graphs.into_iter().enumerate() {
        let model = graph(edges);
        let lassos = all_lassos(&model, 8);
        let mut checker =
            Checker::new(&model, &CheckOptions::default(), &Budget::unlimited()).expect("unlimited");
        for seed in seeds(120) {
            let asked = random_formula(&model, Logic::Ltl, 8, seed + 1000 * number as u64);
            let (Operator::Exists(path) | Operator::ForAll(path)) = *asked.operator(asked.root()) else {
                continue;
            };
            if !Sorts::of(&asked).is_path(path) {
                continue;
            }
            for paths in Paths::ALL {
                let truths = lassos
                    .iter()
                    .filter_map(|lasso| truth_on_lasso(&model, &asked, path, lasso, paths, |_, _| None).ok());
                let (mut some_holds, mut some_fails) = (false, false);
                for truth in truths {
                    some_holds |= truth.holds;
                    some_fails |= truth.fails;
                }
                let holds = checker.check(&asked, paths, &[]).expect("unlimited").holds();
                let expected = match asked.operator(asked.root()) {
                    Operator::Exists(_) => some_holds,
                    _ => !some_fails,
                };
                assert_eq!(holds, expected, "{paths}: {asked:?} on {edges:?}");
            }
        }
    }
}
