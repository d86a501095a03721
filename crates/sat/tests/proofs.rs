//! Proofs by induction, and the bugs that they rule out: mutual exclusion of two processes.

use symbolon_budget::{Budget, Interrupted, Limits};
use symbolon_model::{
    Change, Comparison, Event, Expr, Facts, Model, Part, Predicate, Values, Variable, VariableId,
};
use symbolon_sat::{Error, Goal, Options, Outcome, Proof, Semantics, SolverName, prove, search};

/// The solvers that are built in.
fn solvers() -> impl Iterator<Item = SolverName> {
    SolverName::ALL.into_iter().filter(|solver| solver.is_built_in())
}

fn equals(variable: u32, value: i64) -> Predicate {
    Predicate::Compare(Expr::Variable(VariableId(variable)), Comparison::Equal, Expr::Constant(value))
}

/// Peterson's algorithm: variables are the two program counters (idle, set flag, set turn, wait,
/// critical), two flags and the turn. `waits_wrongly`: the process looks at the turn alone.
fn peterson(waits_wrongly: bool) -> Model {
    let mut events = Vec::new();
    for process in 0..2_u32 {
        let other = 1 - process;
        let (counter, flag, other_flag, turn) = (process, 2 + process, 2 + other, 4);
        let mut add = |name: &str, from: i64, to: i64, guard: Predicate, update: Option<(u32, i64)>| {
            let updates = [(counter, to)].into_iter().chain(update);
            let updates =
                updates.map(|(variable, value)| (VariableId(variable), Expr::Constant(value))).collect();
            let guard = Box::new(Predicate::And(vec![equals(counter, from), guard]));
            events.push(Event {
                name: format!("{name} {process}"),
                parts: vec![Part::General { guard, updates }],
            });
        };
        add("raise flag", 0, 1, Predicate::True, Some((flag, 1)));
        add("give turn", 1, 2, Predicate::True, Some((turn, i64::from(other))));
        let free = if waits_wrongly { Predicate::False } else { equals(other_flag, 0) };
        // The wrong version enters when the turn was given away: both can.
        let mine = if waits_wrongly { i64::from(other) } else { i64::from(process) };
        add("enter", 2, 3, Predicate::Or(vec![free, equals(turn, mine)]), None);
        add("leave", 3, 0, Predicate::True, Some((flag, 0)));
    }
    let names = ["first", "second", "flag of first", "flag of second", "turn"];
    let places = |count: usize| Values::Named((0..count).map(|index| format!("at {index}")).collect());
    Model {
        name: "peterson".into(),
        variables: names.iter().map(|name| Variable { name: (*name).into() }).collect(),
        values: vec![places(4), places(4), Values::Boolean, Values::Boolean, places(2)],
        initial: vec![[0, 0, 0, 0, 0].into()],
        events,
        ..Model::default()
    }
}

fn both_critical() -> Goal {
    Goal::Holds(Predicate::And(vec![equals(0, 3), equals(1, 3)]))
}

#[test]
fn mutual_exclusion_is_proved() {
    for solver in solvers() {
        let options = Options { bound: Some(40), solver, ..Options::default() };
        let report =
            prove(&peterson(false), &both_critical(), &options, &Budget::unlimited()).expect("no limits");
        let is_proved = matches!(report.outcome, Outcome::Unreachable(Proof::Induction { depth: 1.. }));
        assert!(is_proved, "{solver}: {report:?}");
    }
}

#[test]
fn a_seeded_bug_is_found_with_the_shortest_run() {
    let model = peterson(true);
    let wanted = |state: &[u64]| both_critical().contains(&model, state);
    let shortest = symbolon_explicit::find(&model, &Default::default(), &Budget::unlimited(), wanted);
    let shortest = shortest.expect("it is small").expect("the bug is there").events.len();
    for solver in solvers() {
        for semantics in [Semantics::Interleaving, Semantics::Step, Semantics::Chained] {
            let options = Options { semantics, bound: Some(20), solver, ..Options::default() };
            let report = search(&model, &both_critical(), &options, &Budget::unlimited()).expect("no limits");
            let Outcome::Found(found) = report.outcome else { panic!("{solver} {semantics:?}: {report:?}") };
            assert!(found.steps <= shortest, "{solver} {semantics:?}");
            assert_eq!(found.is_shortest, semantics == Semantics::Interleaving);
            if found.is_shortest {
                assert_eq!(found.run.event_count(), shortest);
            }
        }
        let options = Options { solver, ..Options::default() };
        let report = prove(&model, &both_critical(), &options, &Budget::unlimited()).expect("no limits");
        assert!(matches!(report.outcome, Outcome::Found(found) if found.steps == shortest));
    }
}

fn doubling(facts: Facts) -> Model {
    let x = || Expr::Variable(VariableId(0));
    let parts = vec![Part::General {
        guard: Box::new(Predicate::True),
        updates: vec![(VariableId(0), Expr::Sum(vec![x(), x()]))],
    }];
    Model {
        name: "doubling".into(),
        variables: vec![Variable { name: "x".into() }],
        initial: vec![[1].into()],
        events: vec![Event { name: "double".into(), parts }],
        facts,
        ..Model::default()
    }
}

#[test]
fn overflow_is_reported_where_it_happens() {
    let options = Options { bound: Some(100), ..Options::default() };
    let model = doubling(Facts::default());
    let stopped = search(&model, &Goal::Deadlock, &options, &Budget::unlimited()).expect_err("it overflows");
    assert_eq!(stopped.error, Error::Interrupted(Interrupted::Overflow));
    // 2^62 is the last value below 2^63.
    assert_eq!(stopped.clear, 62);
    let at = |value| {
        Goal::Holds(Predicate::Compare(
            Expr::Variable(VariableId(0)),
            Comparison::Equal,
            Expr::Constant(value),
        ))
    };
    let found = search(&model, &at(1 << 62), &options, &Budget::unlimited()).expect("it is reached before");
    assert!(matches!(found.outcome, Outcome::Found(found) if found.steps == 62));
}

#[test]
fn an_overflow_on_some_runs_only_is_reported() {
    // Others begin again, so that no literal is decided before the solver is asked.
    let parts =
        vec![Part::Local { variable: VariableId(0), at_least: 2, at_most: u64::MAX, change: Change::Set(1) }];
    let mut model = doubling(Facts::default());
    model.events.push(Event { name: "begin again".into(), parts });
    let options = Options { bound: Some(64), ..Options::default() };
    let stopped = search(&model, &Goal::Deadlock, &options, &Budget::unlimited()).expect_err("it overflows");
    assert_eq!((stopped.error, stopped.clear), (Error::Interrupted(Interrupted::Overflow), 62));
}

/// Adds nearly the largest value to what is at most `at_most`.
fn leap(at_most: u64) -> Model {
    let parts = vec![Part::Local {
        variable: VariableId(0),
        at_least: 0,
        at_most,
        change: Change::Add(i64::MAX - 5),
    }];
    Model { events: vec![Event { name: "add".into(), parts }], ..doubling(Facts::default()) }
}

#[test]
fn a_local_overflow_is_no_wrap() {
    for semantics in [Semantics::Interleaving, Semantics::Step, Semantics::Chained] {
        let options = Options { semantics, bound: Some(9), ..Options::default() };
        let stopped = search(&leap(u64::MAX), &Goal::Deadlock, &options, &Budget::unlimited())
            .expect_err("it overflows");
        assert_eq!((stopped.error, stopped.clear), (Error::Interrupted(Interrupted::Overflow), 1));
    }
}

#[test]
fn a_sum_that_only_might_be_too_large_is_no_overflow() {
    for semantics in [Semantics::Interleaving, Semantics::Step, Semantics::Chained] {
        let options = Options { semantics, bound: Some(9), ..Options::default() };
        let report = search(&leap(4), &Goal::Deadlock, &options, &Budget::unlimited()).expect("no overflow");
        assert!(matches!(report.outcome, Outcome::Found(found) if found.steps == 1));
        let goal = Goal::Holds(Predicate::Compare(
            Expr::Variable(VariableId(0)),
            Comparison::Equal,
            Expr::Constant(3),
        ));
        let report = search(&leap(4), &goal, &options, &Budget::unlimited()).expect("no overflow");
        assert!(!matches!(report.outcome, Outcome::Found(_)));
    }
}

#[test]
fn limits_reach_the_solver() {
    let options = Options::default();
    let run = |budget: &Budget| {
        search(&peterson(false), &both_critical(), &options, budget).expect_err("no bound, no bug")
    };
    let limits = Limits { time: Some(std::time::Duration::from_millis(300)), memory: None };
    assert_eq!(run(&Budget::new(limits)).error, Error::Interrupted(Interrupted::Timeout));
    let limits = Limits { time: None, memory: Some(40_000) };
    assert_eq!(run(&Budget::new(limits)).error, Error::Interrupted(Interrupted::Memory));
    let budget = Budget::unlimited();
    budget.cancel();
    assert_eq!(run(&budget).error, Error::Interrupted(Interrupted::Cancelled));
}

#[test]
fn what_is_not_encoded_is_named() {
    let x = || Box::new(Expr::Variable(VariableId(0)));
    let square = Box::new(Expr::Product(x(), x()));
    let quartic = Expr::Product(square.clone(), square);
    let parts =
        vec![Part::General { guard: Box::new(Predicate::True), updates: vec![(VariableId(0), quartic)] }];
    let model = Model {
        events: vec![Event { name: "grow".into(), parts }],
        initial: vec![[u64::from(u32::MAX)].into()],
        ..doubling(Facts::default())
    };
    let stopped =
        search(&model, &Goal::Deadlock, &Options::default(), &Budget::unlimited()).expect_err("too wide");
    assert!(matches!(stopped.error, Error::Unsupported { event, .. } if event == "grow"));
}

#[test]
fn described_initial_states_are_searched() {
    // Any state of three bits but the one that is looked for, which two events away can be reached.
    let flip = |variable: u32| Event {
        name: format!("set {variable}"),
        parts: vec![Part::Local {
            variable: VariableId(variable),
            at_least: 0,
            at_most: 0,
            change: Change::Set(1),
        }],
    };
    let at_most_one = Predicate::Compare(
        Expr::Sum((0..3).map(|index| Expr::Variable(VariableId(index))).collect()),
        Comparison::LessOrEqual,
        Expr::Constant(1),
    );
    let model = Model {
        name: "bits".into(),
        variables: (0..3).map(|index| Variable { name: format!("b{index}") }).collect(),
        values: vec![Values::Boolean; 3],
        initially: Some(Box::new(at_most_one)),
        events: (0..3).map(flip).collect(),
        ..Model::default()
    };
    let report =
        search(&model, &Goal::Deadlock, &Options::default(), &Budget::unlimited()).expect("no limits");
    let Outcome::Found(found) = report.outcome else { panic!("{report:?}") };
    assert_eq!((found.steps, found.run.initial().iter().sum::<u64>()), (2, 1));
}
