//! Call traces: random sequences of calls on a manager whose tables are so small that collections
//! and collisions happen all the time, each answer compared with plain sets.
//!
//! A failing trace is shrunk and written to this folder as `failed-<seed>.trace`; every trace in
//! the folder is replayed by a test, so it stays one.

mod format;
mod generate;
mod run;
mod shrink;

use format::{Trace, parse};
use generate::random_trace;
use run::{Outcome, run};
use shrink::{failure, shrink};
use std::fs;
use std::path::{Path, PathBuf};
use symbolon_testkit::{RandomNumbers, seeds};

/// The folder of traces that are kept.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces")
}

/// Demands that a trace runs without disagreement; otherwise shrinks and keeps it.
fn check(name: &str, trace: Trace) -> Outcome {
    let Some(message) = failure(&trace) else {
        return run(&trace).expect("it did not fail a moment ago");
    };
    // Shrinking tries many failing runs, some of which panic: one message is enough.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let small = shrink(trace, |trace| failure(trace).is_some());
    std::panic::set_hook(hook);
    let why = failure(&small).unwrap_or(message);
    let path = folder().join(format!("{name}.trace"));
    let text = format!("# {}\n{small}", why.replace('\n', " "));
    match fs::write(&path, &text) {
        Ok(()) => panic!("{why}\nshrunk and kept as {}:\n{text}", path.display()),
        Err(error) => panic!("{why}\nnot kept ({}: {error}):\n{text}", path.display()),
    }
}

#[test]
fn random_traces_agree_with_plain_sets() {
    let (mut traces, mut all) = (0_u64, Outcome::default());
    for seed in seeds(4000) {
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
            let trace = parse(&text)
                .unwrap_or_else(|error| panic!("{}:{}: {}", path.display(), error.line, error.message));
            if let Some(why) = failure(&trace) {
                panic!("{}: {why}", path.display());
            }
            count += 1;
        }
    }
    assert!(count >= 5, "only {count} traces in {}", folder().display());
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
    let check = |text: &str, line: usize, message: &str| {
        let error = parse(text).expect_err(text);
        assert_eq!((error.line, error.message.as_str()), (line, message), "{text}");
    };
    check("", 1, "expected 'levels', found nothing");
    check("# only this\n\n", 1, "expected 'levels', found nothing");
    check("collect", 1, "expected 'levels' first, found 'collect'");
    check("levels direct small", 1, "expected 'direct' or 'table', found 'small'");
    check("levels direct\n\na = singleton 1 2", 3, "expected 1 values, found 2");
    check("levels direct\na = singleton 5000", 2, "values here are at most 4096, found 5000");
    check("levels direct\na = singleton -1", 2, "expected a number, found '-1'");
    check("levels direct\na = join b c", 2, "expected an operation on sets, found 'join b c'");
    check("levels direct\na = dead b within x", 2, "expected a number, found 'x'");
    check("levels direct\nfoo", 2, "expected a call, found 'foo'");
    check("levels direct\nevents 2 keep", 2, "there is no level 2");
    check("levels direct\nevents 0 keep", 2, "there is no level 0");
    check("levels direct\nevents 1 keep, 1 keep", 2, "level 1 stands twice in one event");
    check("levels direct\nevents 1 shift 0..* -1", 2, "0 and -1 may leave the range of values");
    check("levels direct\nevents 1 shift 0 1", 2, "expected 1..2 or 1..*, found '0'");
    check("levels table\nevents 1 map 0>1", 2, "a map needs a direct level");
    check("levels direct\nevents 1 map 1>1 0>0", 2, "the steps of a map must ascend");
    check("levels direct\nevents always /", 2, "expected a level and an action, found ''");
}

#[test]
fn spoilt_texts_are_never_a_panic() {
    for seed in seeds(300) {
        let mut numbers = RandomNumbers::new(seed);
        let mut characters: Vec<char> = random_trace(seed).to_string().chars().collect();
        for _ in 0..numbers.between(1, 5) {
            let at = numbers.below(characters.len() as u64) as usize;
            match numbers.below(3) {
                0 => {
                    characters[at] =
                        *numbers.one_of(&['0', '9', ' ', '\n', 'ä', '/', ',', '.', '-', '*', '>'])
                }
                1 => drop(characters.drain(at..)),
                _ => characters.insert(at, *numbers.one_of(&['7', ' ', '=', '\n', 'a'])),
            }
            if characters.is_empty() {
                break;
            }
        }
        let text: String = characters.into_iter().collect();
        if let Ok(trace) = parse(&text) {
            assert_eq!(parse(&trace.to_string()).as_ref(), Ok(&trace), "{text}");
            run(&trace).unwrap_or_else(|found| panic!("call {}, {}\n{text}", found.call, found.message));
        }
    }
}

#[test]
fn shrinking_leaves_what_makes_a_trace_fail() {
    let text = "levels direct\nevents always / 1 shift 0..3 +1\na = singleton 1\nb = saturate a\ncount b\ncollect\n\
                interrupted 1\ndrop a\n";
    let trace = parse(text).expect("a trace");
    let why = failure(&trace).expect("nothing is interrupted");
    assert!(why.contains("only 0 calls were interrupted"), "{why}");
    let small = shrink(trace, |trace| failure(trace).is_some());
    assert_eq!(small.to_string(), "levels direct\ninterrupted 1\n");
}
