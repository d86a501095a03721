//! Makes a failing trace short: leaves out calls, then events, then actions, as long as it still
//! fails.

use crate::format::{Call, Trace};
use crate::run::{Disagreement, run};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a trace fails, if it does; a panic is a failure too.
pub(crate) fn failure(trace: &Trace) -> Option<String> {
    match catch_unwind(AssertUnwindSafe(|| run(trace))) {
        Ok(Ok(_)) => None,
        Ok(Err(Disagreement { call, message })) => Some(format!("call {call}, {message}")),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Some(format!("it panicked: {}", text.unwrap_or("without a message")))
        }
    }
}

/// A shorter trace of which `fails` holds as well.
pub(crate) fn shrink(trace: Trace, fails: impl Fn(&Trace) -> bool) -> Trace {
    let mut best = trace;
    loop {
        let size = size_of(&best);
        best = without_calls(best, &fails);
        best = without_actions(best, &fails);
        if size_of(&best) == size {
            return best;
        }
    }
}

fn size_of(trace: &Trace) -> usize {
    trace.to_string().len()
}

/// Leaves out runs of calls, long runs first.
fn without_calls(mut best: Trace, fails: &impl Fn(&Trace) -> bool) -> Trace {
    let mut length = best.calls.len().next_power_of_two();
    while length > 0 {
        let mut start = 0;
        while start < best.calls.len() {
            let mut shorter = best.clone();
            shorter.calls.drain(start..(start + length).min(best.calls.len()));
            if fails(&shorter) {
                best = shorter;
            } else {
                start += length;
            }
        }
        length /= 2;
    }
    best
}

/// Leaves out events (their numbers shift, which may well end the failure) and actions.
fn without_actions(mut best: Trace, fails: &impl Fn(&Trace) -> bool) -> Trace {
    let mut changes: Vec<Trace> = Vec::new();
    loop {
        changes.clear();
        for (number, call) in best.calls.iter().enumerate() {
            let Call::Events(events) = call else { continue };
            for event in 0..events.len() {
                let mut fewer = events.clone();
                fewer.remove(event);
                changes.push(with_call(&best, number, Call::Events(fewer)));
                for action in 0..events[event].len() {
                    let mut smaller = events.clone();
                    smaller[event].remove(action);
                    changes.push(with_call(&best, number, Call::Events(smaller)));
                }
            }
        }
        match changes.drain(..).find(|change| fails(change)) {
            Some(smaller) => best = smaller,
            None => return best,
        }
    }
}

fn with_call(trace: &Trace, number: usize, call: Call) -> Trace {
    let mut changed = trace.clone();
    changed.calls[number] = call;
    changed
}
