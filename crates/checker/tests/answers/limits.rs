//! Running out of time or memory, and being interrupted: an answer that says how far it got.

use crate::ask::{deadlock, examine, load, states};
use crate::nets::family;
use std::thread;
use std::time::{Duration, Instant};
use symbolon_budget::{Budget, Limits};
use symbolon_checker::{
    Diagram, DiagramKind, Examination, ExaminationLine, Options, Reason, Source, Stop, StrategyChoice,
    Unknown, VariableOrder, settle,
};

/// More work than fits into the time of a test, in every cell.
const LONG: &str = "kanban:2000";

fn options(diagram: Diagram, strategy: StrategyChoice) -> Options {
    // A named order: no race first, whose runs are short. Explicit states have none.
    let variable_order = match diagram {
        Diagram::Explicit => VariableOrder::Auto,
        _ => VariableOrder::Named("force".into()),
    };
    Options { diagram, strategy, variable_order, no_shortcuts: true, ..Options::default() }
}

fn cells() -> [Options; 4] {
    [
        options(Diagram::Kind(DiagramKind::Mdd), StrategyChoice::Saturation),
        options(Diagram::Kind(DiagramKind::Mdd), StrategyChoice::Chaining),
        options(Diagram::Kind(DiagramKind::Mdd), StrategyChoice::Bfs),
        options(Diagram::Explicit, StrategyChoice::Auto),
    ]
}

/// Demands that a run that was cut off says how many states it had found. Saturation may have found
/// none but the initial one that it can show: most of its work hides in firings that have not come
/// back.
fn check_partial(options: &Options, found: &Unknown) {
    assert!(found.partial.nodes > 0, "{options:?}: {found:?}");
    let is_hidden =
        options.diagram == Diagram::Kind(DiagramKind::Mdd) && options.strategy == StrategyChoice::Saturation;
    let least = if is_hidden { 1_u32 } else { 2 };
    assert!(found.partial.states_at_least >= Some(least.into()), "{options:?}: {found:?}");
}

fn unknown<T: std::fmt::Debug>(answer: Result<T, Stop>) -> Unknown {
    match answer {
        Err(Stop::Unknown(unknown)) => unknown,
        other => panic!("{other:?}"),
    }
}

#[test]
fn time_runs_out_with_a_partial_answer() {
    let loaded = family(LONG);
    for options in cells() {
        let start = Instant::now();
        let budget = Budget::new(Limits { time: Some(Duration::from_millis(400)), memory: None });
        let found = unknown(states(&loaded, &options, &budget));
        assert_eq!(found.reason, Reason::Timeout, "{options:?}: {found:?}");
        check_partial(&options, &found);
        assert!(found.partial.steps > 0, "{options:?}: {found:?}");
        assert!(start.elapsed() < Duration::from_secs(10), "{options:?}: {:?}", start.elapsed());
    }
}

#[test]
fn what_is_claimed_is_never_more_than_there_is() {
    // kanban:10 has 1 005 927 208 states; a run that is cut off must not claim more.
    let loaded = family("kanban:10");
    for milliseconds in [1, 3, 10, 30, 100] {
        for options in cells() {
            let budget =
                Budget::new(Limits { time: Some(Duration::from_millis(milliseconds)), memory: None });
            if let Err(found) = settle(states(&loaded, &options, &budget)).expect("right input") {
                let claimed = found.partial.states_at_least.unwrap_or_default();
                assert!(claimed <= 1_005_927_208_u32.into(), "{options:?}: {claimed}");
            }
        }
    }
}

#[test]
fn an_interruption_reaches_every_cell() {
    let loaded = family(LONG);
    for options in cells() {
        let budget = Budget::unlimited();
        let other = budget.clone();
        let waiting = thread::spawn(move || {
            thread::sleep(Duration::from_millis(300));
            other.cancel();
        });
        let found = unknown(states(&loaded, &options, &budget));
        waiting.join().expect("it only waits");
        assert_eq!(found.reason, Reason::Interrupted, "{options:?}: {found:?}");
        assert_eq!(found.reason.word(), "interrupted");
        check_partial(&options, &found);
    }
}

#[test]
fn nothing_starts_on_a_cancelled_budget() {
    let loaded = family("kanban:5");
    let budget = Budget::unlimited();
    budget.cancel();
    for options in cells() {
        assert_eq!(unknown(states(&loaded, &options, &budget)).reason, Reason::Interrupted);
        assert_eq!(unknown(deadlock(&loaded, &options, &budget)).reason, Reason::Interrupted);
    }
    let mut lines = Vec::new();
    for examination in [Examination::StateSpace, Examination::ReachabilityDeadlock] {
        examine(&loaded, examination, None, &cells()[0], &budget, &mut |line| lines.push(line))
            .expect("right input");
    }
    assert_eq!(lines, [ExaminationLine::CannotCompute, ExaminationLine::CannotCompute]);
    let stopped = load(Source::Family("philosophers:50000".into()), &budget);
    assert_eq!(unknown(stopped).reason, Reason::Interrupted);
}

#[test]
fn memory_runs_out() {
    let loaded = family("kanban:5");
    for options in cells() {
        let budget = Budget::new(Limits { time: None, memory: Some(1 << 16) });
        let found = unknown(states(&loaded, &options, &budget));
        assert_eq!(found.reason, Reason::Memory, "{options:?}: {found:?}");
        assert_eq!(budget.memory().charged(), 0, "everything was given back");
    }
}
