//! A path towards one state, step by step: best-first search by distance.
//!
//! Layers and chaining work on sets, and sets of all states on the way to a target can be far
//! larger than the target. Often a path lies at hand: from where one stands, events that make the
//! state more like a state of the target lead there. So one state of the target is chosen, and
//! plain states are visited in the order of how much their values differ from its values. The
//! search gives up early; it costs little and finds long paths in models with many parts that move
//! on their own.

use crate::policy::traces::VISITS;
use crate::sets::core::StateSets;
use crate::sets::found_trace::FoundTrace;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use symbolon_budget::Interrupted;
use symbolon_model::{EventId, Model, State};

/// A path from one of the states `starts` into `target` through states of `within`, if one is found
/// quickly.
pub(super) fn approach<S: StateSets>(
    sets: &mut S,
    model: &Model,
    starts: &[State],
    within: &S::Set,
    target: &S::Set,
) -> Result<Option<FoundTrace>, Interrupted> {
    let Some(goal) = sets.choose(target) else { return Ok(None) };
    let mut visited: Vec<(State, Option<(usize, EventId)>)> = Vec::new();
    let mut seen: FxHashSet<State> = FxHashSet::default();
    // Distance, then the latest first, then how the state is made: from a visited one by an event.
    let mut waiting: BinaryHeap<(Reverse<u64>, u64, usize, EventId)> = BinaryHeap::new();
    let mut last = None;
    for start in starts.iter().filter(|start| sets.contains(within, start) || sets.contains(target, start)) {
        visited.push((start.clone(), None));
        seen.insert(start.clone());
    }
    let mut closest = visited.iter().map(|(state, _)| distance(state, &goal)).min().unwrap_or(0);
    let mut detours = 0;
    let mut turn = 0;
    let mut next = 0;
    'search: loop {
        // Visit what is new.
        while next < visited.len() {
            sets.meter().step()?;
            let state = visited[next].0.clone();
            if sets.contains(target, &state) {
                last = Some(next);
                break 'search;
            }
            let here = distance(&state, &goal);
            if here < closest {
                closest = here;
            } else {
                detours += 1;
            }
            for event in model.event_ids().filter(|&event| model.event(event).is_enabled(&state)) {
                let mut after = here;
                let written = model.event(event).each_write(&state, |variable, value| {
                    let (old, wanted) = (state[variable.index()], goal[variable.index()]);
                    after = after.wrapping_sub(old.abs_diff(wanted)).wrapping_add(value.abs_diff(wanted));
                });
                if written.is_ok() {
                    turn += 1;
                    waiting.push((Reverse(after), turn, next, event));
                }
            }
            next += 1;
        }
        if detours > VISITS {
            break;
        }
        let Some((_, _, from, event)) = waiting.pop() else { break };
        let Ok(Some(state)) = model.event(event).fire(&visited[from].0) else { continue };
        if seen.contains(&state) || !sets.contains(within, &state) && !sets.contains(target, &state) {
            continue;
        }
        seen.insert(state.clone());
        visited.push((state, Some((from, event))));
    }
    let Some(mut place) = last else { return Ok(None) };
    let mut events = Vec::new();
    while let Some((from, event)) = visited[place].1 {
        events.push(event);
        place = from;
    }
    events.reverse();
    // Paths of no event or of one are as short as can be: the start was not in the target.
    let is_shortest = events.len() <= 1;
    let states = Vec::new();
    Ok(Some(FoundTrace { initial: visited[place].0.clone(), events, is_shortest, states }))
}

/// How much two states differ; only differences of this matter, so that wrapping does no harm.
fn distance(a: &State, b: &State) -> u64 {
    a.iter().zip(b).fold(0, |sum, (&a, &b)| sum.wrapping_add(a.abs_diff(b)))
}
