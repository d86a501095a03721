//! Call traces: random sequences of calls on a manager whose tables are so small that collections
//! and collisions happen all the time, each answer compared with plain sets.
//!
//! A failing trace is shrunk and written to this folder as `failed-<seed>.trace`; every trace in
//! the folder is replayed by a test, so it stays one.

mod format;
mod run;

use format::{Call, OPERATIONS, Trace, Tree, parse};
use run::{Outcome, run};
use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use symbolon_dd_hierarchy::Action;
use symbolon_testkit::{RandomNumbers, seeds};

/// The folder of traces that are kept.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces")
}

/// How a trace fails, if it does; a panic is a failure too.
fn failure(trace: &Trace) -> Option<String> {
    match catch_unwind(AssertUnwindSafe(|| run(trace))) {
        Ok(Ok(_)) => None,
        Ok(Err(why)) => Some(why),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Some(format!("it panicked: {}", text.unwrap_or("without a message")))
        }
    }
}

/// Leaves out calls, long runs first, and events, as long as the trace still fails.
fn shrink(mut best: Trace) -> Trace {
    let mut length = best.calls.len().next_power_of_two();
    while length > 0 {
        let mut start = 0;
        while start < best.calls.len() {
            let mut shorter = best.clone();
            shorter.calls.drain(start..(start + length).min(best.calls.len()));
            if failure(&shorter).is_some() {
                best = shorter;
            } else {
                start += length;
            }
        }
        length /= 2;
    }
    for number in 0..best.calls.len() {
        let mut event = 0;
        while let Call::Events(events) = &best.calls[number]
            && event < events.len()
        {
            let mut fewer = events.clone();
            fewer.remove(event);
            let mut smaller = best.clone();
            smaller.calls[number] = Call::Events(fewer);
            if failure(&smaller).is_some() {
                best = smaller;
            } else {
                event += 1;
            }
        }
    }
    best
}

/// Demands that a trace runs without disagreement; otherwise shrinks and keeps it.
fn check(name: &str, trace: Trace) -> Outcome {
    let Some(message) = failure(&trace) else {
        return run(&trace).expect("it did not fail a moment ago");
    };
    // Shrinking tries many failing runs, some of which panic: one message is enough.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let small = shrink(trace);
    std::panic::set_hook(hook);
    let why = failure(&small).unwrap_or(message);
    let path = folder().join(format!("{name}.trace"));
    let text = format!("# {}\n{small}", why.replace('\n', " "));
    match fs::write(&path, &text) {
        Ok(()) => panic!("{why}\nshrunk and kept as {}:\n{text}", path.display()),
        Err(error) => panic!("{why}\nnot kept ({}: {error}):\n{text}", path.display()),
    }
}

/// A trace that depends on its seed alone.
fn random_trace(seed: u64) -> Trace {
    let mut random = RandomNumbers::new(seed);
    let mut places = 0;
    let shape = random_shape(&mut random, 3, &mut places);
    let values = random.between(2, 4);
    // Now and then values that need the table of large ones.
    let base = if random.percent(15) { 1 << 40 } else { 0 };
    let names = ["a", "b", "c", "d", "e"];
    let singleton = |random: &mut RandomNumbers, name: &str| Call::Set {
        name: name.into(),
        operation: "singleton".into(),
        numbers: (0..places).map(|_| base + random.below(values)).collect(),
        sets: Vec::new(),
        within: None,
    };
    let mut calls = vec![random_events(&mut random, places, values, base)];
    calls.extend(names.iter().map(|name| singleton(&mut random, name)));
    for _ in 0..random.between(8, 30) {
        let mut name = || (*random.one_of(&names)).to_string();
        let (set, first, second) = (name(), name(), name());
        let call = match random.below(20) {
            0 => random_events(&mut random, places, values, base),
            1 => Call::Collect,
            2 => Call::Drop(set),
            3 | 4 => Call::Count(set),
            5..=7 => singleton(&mut random, &set),
            kind => {
                let some = *random.one_of(&OPERATIONS[1..]);
                let (operation, arity) = match kind {
                    8..=10 => ("closure", 1),
                    11..=14 => ("union", 2),
                    _ => some,
                };
                let takes_event = matches!(operation, "image" | "preimage" | "enabled");
                Call::Set {
                    name: set,
                    operation: operation.into(),
                    numbers: if takes_event { vec![random.below(4)] } else { Vec::new() },
                    sets: [first, second].into_iter().take(arity).collect(),
                    within: random.percent(25).then(|| random.below(20)),
                }
            }
        };
        calls.push(call);
    }
    Trace { shape, calls }
}

fn random_shape(random: &mut RandomNumbers, depth: u64, places: &mut u64) -> Vec<Tree> {
    let slots = random.between(1, 3);
    (0..slots)
        .map(|_| {
            if depth > 0 && *places < 5 && random.percent(50) {
                Tree::Component(random_shape(random, depth - 1, places))
            } else {
                *places += 1;
                Tree::Value
            }
        })
        .collect()
}

fn random_events(random: &mut RandomNumbers, places: u64, values: u64, base: u64) -> Call {
    let count = random.between(1, 6);
    let mut events = Vec::new();
    for _ in 0..count {
        let mut event = Vec::new();
        for place in 0..places as u32 {
            let (low, high) = (base + random.below(values), base + values - 1);
            let action = match random.below(7) {
                0 => Action::Shift { at_least: low, at_most: high, delta: 0 },
                1 => Action::Assign { at_least: low, at_most: u64::MAX, to: base + random.below(values) },
                2 => {
                    let steps: BTreeSet<(u64, u64)> = (0..random.below(5))
                        .map(|_| (base + random.below(values), base + random.below(values)))
                        .collect();
                    Action::Map(steps.into_iter().collect())
                }
                3 => Action::Shift { at_least: base + 1, at_most: high, delta: -1 },
                4 => Action::Shift { at_least: base, at_most: high - 1, delta: 1 },
                _ => continue,
            };
            event.push((place, action));
        }
        if !event.is_empty() {
            events.push(event);
        }
    }
    Call::Events(events)
}

#[test]
fn random_traces_agree_with_plain_sets() {
    let (mut traces, mut all) = (0_u64, Outcome::default());
    for seed in seeds(1500) {
        let done = check(&format!("failed-{seed}"), random_trace(seed));
        traces += 1;
        all.calls += done.calls;
        all.interruptions += done.interruptions;
        all.collections += done.collections;
    }
    println!("{traces} traces: {all:?}");
    if traces > 1 {
        // Traces that meet none of the dangers would test nothing.
        assert!(all.interruptions * 2 > traces && all.collections > traces, "{all:?}");
    }
}

#[test]
fn kept_traces_agree_with_plain_sets() {
    let mut count = 0;
    for entry in fs::read_dir(folder()).expect("the folder of this file exists") {
        let path = entry.expect("the folder can be read").path();
        if path.extension().is_some_and(|extension| extension == "trace") {
            let text = fs::read_to_string(&path).expect("a trace is text");
            let trace = parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            if let Some(why) = failure(&trace) {
                panic!("{}: {why}", path.display());
            }
            count += 1;
        }
    }
    assert!(count >= 3, "only {count} traces in {}", folder().display());
}

#[test]
fn printing_then_parsing_is_the_identity() {
    for seed in seeds(300) {
        let trace = random_trace(seed);
        assert_eq!(parse(&trace.to_string()).as_ref(), Ok(&trace), "{trace}");
    }
}

#[test]
fn wrong_texts_are_refused_with_their_line() {
    let check = |text: &str, message: &str| assert_eq!(parse(text), Err(message.into()), "{text}");
    check("", "expected 'shape' first");
    check("shape (v", "a bracket is not closed");
    check("shape vx", "expected a slot, found 'x'");
    check("shape v\n\nfoo", "line 3: expected a call, found 'foo'");
    check("shape v\na = join b c", "line 2: expected an operation on sets, found 'a = join b c'");
    check("shape v\na = union b", "line 2: expected an operation on sets, found 'a = union b'");
    check("shape v\nevents 0 keep", "line 2: expected a place and an action, found '0 keep'");
    check("shape v\nevents 0 shift 3 +1", "line 2: expected 1..2 or 1..*, found '3'");
}
