//! Depth-first search for a cycle that carries all marks, in a graph that is made on the way
//! (Couvreur, FM 1999).
//!
//! The pairs on the way are grouped into what is known of strongly connected components so far. A
//! step back to an earlier pair melts all groups since then into one, and its marks with theirs. As
//! soon as a group has all marks, a cycle through all of it satisfies the formula. A group that is
//! left without that can be forgotten: nothing in it lies on such a cycle.

use super::product::{Cursor, Pair, Product};
use crate::explore::Charge;
use crate::{Lasso, Reason, Trace};
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};
use symbolon_budget::Meter;
use symbolon_model::EventId;

/// A pair on the way, with what is left to do there.
struct Call {
    pair: Pair,
    cursor: Cursor,
    /// What led here from the call before.
    event: Option<EventId>,
}

/// What is known of a strongly connected component: all pairs seen since `first` that are not
/// forgotten.
struct Group {
    /// When its first pair was seen.
    first: usize,
    /// The marks of steps inside.
    marks: BTreeSet<u32>,
    /// The marks of the step that led here from the group before.
    marks_before: BTreeSet<u32>,
}

/// A pair that lies on no cycle with all marks.
const FORGOTTEN: usize = usize::MAX;

/// A path of the model that some run of the automaton accepts, if there is one, and the number of
/// pairs seen.
pub(super) fn find_lasso(
    product: &mut Product<'_>,
    meter: &mut Meter,
) -> Result<(Option<Lasso>, usize), Reason> {
    // When each pair was seen first.
    let mut seen: FxHashMap<Pair, usize> = FxHashMap::default();
    let mut charge = Charge { bytes: 0, budget: meter.budget().clone() };
    // The pairs that are not forgotten, in the order in which they were seen.
    let mut open: Vec<Pair> = Vec::new();
    let mut groups: Vec<Group> = Vec::new();
    let mut calls: Vec<Call> = Vec::new();
    let mut clock = 0;

    for root in product.initial()? {
        if seen.contains_key(&root) {
            continue;
        }
        // A step from nowhere leads to the root; after that each turn takes one step of the last
        // call.
        let mut arriving = Some((root, None, BTreeSet::new()));
        loop {
            if let Some((pair, event, marks_before)) = arriving.take() {
                if seen.len().is_multiple_of(1024) {
                    meter.budget().progress().report(product.state_count() as u64, meter.steps());
                }
                // The table, the lists of open pairs and calls, and a group.
                charge.add(128)?;
                seen.insert(pair, clock);
                groups.push(Group { first: clock, marks: BTreeSet::new(), marks_before });
                clock += 1;
                open.push(pair);
                calls.push(Call { pair, cursor: (0, 0), event });
            }
            let Some(call) = calls.last_mut() else { break };
            let pair = call.pair;
            match product.next_step(pair, &mut call.cursor, meter)? {
                Some(step) => match seen.get(&step.to) {
                    None => arriving = Some((step.to, step.event, step.edge.marks.iter().collect())),
                    Some(&FORGOTTEN) => {}
                    Some(&earlier) => {
                        let last = groups.last_mut().expect("a pair on the way is in a group");
                        last.marks.extend(step.edge.marks.iter());
                        melt(&mut groups, earlier);
                        let group = groups.last().expect("a group is left");
                        if group.marks.len() == product.mark_count() as usize {
                            let count =
                                open.iter().rev().take_while(|pair| seen[pair] >= group.first).count();
                            let members = open[open.len() - count..].to_vec();
                            let lasso = lasso(product, &calls, &members, meter)?;
                            return Ok((Some(lasso), seen.len()));
                        }
                    }
                },
                None => {
                    if groups.last().is_some_and(|group| group.first == seen[&pair]) {
                        groups.pop();
                        while let Some(member) = open.pop() {
                            seen.insert(member, FORGOTTEN);
                            if member == pair {
                                break;
                            }
                        }
                    }
                    calls.pop();
                }
            }
        }
    }
    Ok((None, seen.len()))
}

/// Melts the groups since the one in which the pair seen at `earlier` lies.
fn melt(groups: &mut Vec<Group>, earlier: usize) {
    while let [.., before, last] = groups.as_mut_slice() {
        if last.first <= earlier {
            break;
        }
        before.marks.append(&mut last.marks);
        before.marks.append(&mut last.marks_before);
        groups.pop();
    }
}

/// A lasso along the calls to the first of `members`, and from there through steps with all marks
/// and back.
fn lasso(
    product: &mut Product<'_>,
    calls: &[Call],
    members: &[Pair],
    meter: &mut Meter,
) -> Result<Lasso, Reason> {
    let first = members[0];
    let members: BTreeSet<Pair> = members.iter().copied().collect();
    let initial = product.state(calls[0].pair.0);
    let way = calls.iter().take_while(|call| call.pair != first);
    let mut events: Vec<Option<EventId>> =
        way.chain(calls.iter().find(|call| call.pair == first)).skip(1).map(|call| call.event).collect();
    let loop_start = events.len();

    let mut missing: BTreeSet<u32> = (0..product.mark_count()).collect();
    let mut at = first;
    while !missing.is_empty() {
        at = go_on(product, &members, at, &mut events, &mut missing, None, meter)?;
    }
    if at != first || events.len() == loop_start {
        go_on(product, &members, at, &mut events, &mut missing, Some(first), meter)?;
    }

    // A path that stays in a dead state ends there.
    let happening: Vec<EventId> = events.iter().map_while(|&event| event).collect();
    let loop_start = (happening.len() == events.len()).then_some(loop_start);
    Ok(Lasso { trace: Trace { initial, events: happening }, loop_start })
}

/// Walks from `from` inside `members`, as few steps as possible, to a step with a missing mark, or
/// to `target`. The events are added, the marks met taken from those missing; the answer is where
/// the walk ends.
fn go_on(
    product: &mut Product<'_>,
    members: &BTreeSet<Pair>,
    from: Pair,
    events: &mut Vec<Option<EventId>>,
    missing: &mut BTreeSet<u32>,
    target: Option<Pair>,
    meter: &mut Meter,
) -> Result<Pair, Reason> {
    // For each pair met, the pair before it, and the event and the marks in between.
    let mut before: FxHashMap<Pair, (Pair, Option<EventId>, Vec<u32>)> = FxHashMap::default();
    let mut queue = VecDeque::from([from]);
    while let Some(pair) = queue.pop_front() {
        let mut cursor = (0, 0);
        while let Some(step) = product.next_step(pair, &mut cursor, meter)? {
            if !members.contains(&step.to) {
                continue;
            }
            let marks: Vec<u32> = step.edge.marks.iter().collect();
            let is_last = match target {
                Some(target) => step.to == target,
                None => marks.iter().any(|mark| missing.contains(mark)),
            };
            if is_last {
                let mut walked = vec![step.event];
                marks.iter().for_each(|mark| _ = missing.remove(mark));
                let mut at = pair;
                while at != from {
                    let (earlier, event, marks) = &before[&at];
                    walked.push(*event);
                    marks.iter().for_each(|mark| _ = missing.remove(mark));
                    at = *earlier;
                }
                events.extend(walked.into_iter().rev());
                return Ok(step.to);
            }
            if step.to != from && !before.contains_key(&step.to) {
                before.insert(step.to, (pair, step.event, marks));
                queue.push_back(step.to);
            }
        }
    }
    unreachable!("in a strongly connected component every step can be reached")
}
