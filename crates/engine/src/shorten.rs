//! Shorter runs: what can be left out of a run that chance has found.
//!
//! A walk that ends where it should proves something, but most of its steps have nothing to do with
//! that. Three ways to leave them out take turns; each keeps a candidate only after it was replayed and
//! shows the same:
//!
//! - *loops*: between two visits to one state nothing has happened;
//! - *pieces*: a piece of the run is left out, and of what follows the steps that are not possible any
//!   more. Pieces are halves at first and single steps at last (delta debugging: Zeller and Hildebrandt,
//!   *Simplifying and isolating failure-inducing input*, TSE 2002);
//! - *detours*: breadth-first search from a state of the run, through a limited number of states, for
//!   a later state of the run.
//!
//! The result is a run of the same model that shows the same. It is shorter, not shortest.

use crate::policy::shorten::{DETOUR_STATES, DETOUR_TESTS, DETOUR_VALUES};
use rustc_hash::{FxHashMap, FxHasher};
use std::collections::VecDeque;
use std::hash::Hasher;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_model::{EventId, Model, State};

/// What a run is to show.
pub trait RunTarget {
    /// Another run is looked at, or the same one from another state on.
    fn restart(&mut self);
    /// Looks at the next state of the run, `steps` from its start.
    fn look(&mut self, state: &[u64], steps: usize) -> Look;
}

/// What a target says about a run that has come to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// The run shows what it is to show.
    Shown,
    /// It does not yet.
    Open,
    /// It does not, however it goes on.
    Hopeless,
}

/// The events of a run from `initial` that shows what these do, and is as short as could be found
/// within the budget. If it runs out, or the run does not show anything, the best run so far.
pub fn shorten(
    model: &Model,
    initial: &[u64],
    events: &[EventId],
    target: &mut impl RunTarget,
    budget: &Budget,
) -> Vec<EventId> {
    let best = events.to_vec();
    let mut shortener = Shortener { model, initial, target, meter: Meter::new(budget.clone()), best };
    // Interrupted or not, what was found until then is kept.
    let _ = shortener.run();
    shortener.best
}

struct Shortener<'a, T> {
    model: &'a Model,
    initial: &'a [u64],
    target: &'a mut T,
    meter: Meter,
    best: Vec<EventId>,
}

impl<T: RunTarget> Shortener<'_, T> {
    fn run(&mut self) -> Result<(), Interrupted> {
        loop {
            let length = self.best.len();
            self.leave_loops_out()?;
            self.leave_pieces_out()?;
            self.leave_detours_out()?;
            if self.best.len() == length {
                return Ok(());
            }
        }
    }

    /// Replays what is possible of `rest` from a state of the best run, `start` steps from its
    /// beginning. If that shows the same in fewer steps, it is the best run.
    fn attempt(
        &mut self,
        start: usize,
        state: &[u64],
        rest: impl Iterator<Item = EventId>,
    ) -> Result<bool, Interrupted> {
        let mut walker = Walker::at(self.model, state);
        let mut kept = Vec::new();
        self.target.restart();
        let mut look = self.target.look(&walker.state, start);
        for event in rest {
            if look != Look::Open || start + kept.len() + 1 >= self.best.len() {
                break;
            }
            self.meter.step()?;
            if walker.fire(event) {
                kept.push(event);
                look = self.target.look(&walker.state, start + kept.len());
            }
        }
        let is_better = look == Look::Shown && start + kept.len() < self.best.len();
        if is_better {
            self.best.truncate(start);
            self.best.append(&mut kept);
        }
        Ok(is_better)
    }

    fn leave_loops_out(&mut self) -> Result<(), Interrupted> {
        // Equal hashes are taken for equal states: a mistake does not survive the replay.
        let mut hashes = Vec::with_capacity(self.best.len() + 1);
        self.each_state(|state| hashes.push(hash(state)))?;
        let last: FxHashMap<u64, usize> =
            hashes.iter().enumerate().map(|(index, hash)| (*hash, index)).collect();
        let mut kept = Vec::new();
        let mut index = last[&hashes[0]];
        while index < self.best.len() {
            kept.push(self.best[index]);
            index = last[&hashes[index + 1]];
        }
        if kept.len() < self.best.len() {
            let initial = self.initial;
            self.attempt(0, initial, kept.into_iter())?;
        }
        Ok(())
    }

    fn leave_pieces_out(&mut self) -> Result<(), Interrupted> {
        let mut size = self.best.len().div_ceil(2);
        while size > 0 && !self.best.is_empty() {
            let length = self.best.len();
            let mut walker = Walker::at(self.model, self.initial);
            let mut start = 0;
            while start < self.best.len() {
                let end = (start + size).min(self.best.len());
                let rest = self.best[end..].to_vec();
                if !self.attempt(start, &walker.state, rest.into_iter())? {
                    for &event in &self.best[start..end] {
                        walker.fire(event);
                    }
                    start = end;
                }
            }
            // What was not possible to leave out before may be so now; larger pieces rarely are.
            if self.best.len() == length {
                size /= 2;
            }
            size = size.min(self.best.len());
        }
        Ok(())
    }

    fn leave_detours_out(&mut self) -> Result<(), Interrupted> {
        if (self.best.len() + 1).saturating_mul(self.initial.len()) > DETOUR_VALUES {
            return Ok(());
        }
        let mut start = 0;
        while start + 1 < self.best.len() {
            let mut states: Vec<State> = Vec::with_capacity(self.best.len() + 1);
            self.each_state(|state| states.push(state.into()))?;
            let positions: FxHashMap<&[u64], usize> =
                states.iter().enumerate().map(|(index, state)| (&state[..], index)).collect();
            let mut is_shorter = false;
            while start + 1 < self.best.len() && !is_shorter {
                if let Some((events, end)) = self.shortcut(&states[start], start, &positions)? {
                    let rest: Vec<EventId> =
                        events.into_iter().chain(self.best[end..].iter().copied()).collect();
                    is_shorter = self.attempt(start, &states[start], rest.into_iter())?;
                }
                start += 1;
            }
        }
        Ok(())
    }

    /// Fewer steps from a state of the run to a later one, and where that is: the one that saves most.
    fn shortcut(
        &mut self,
        from: &State,
        start: usize,
        positions: &FxHashMap<&[u64], usize>,
    ) -> Result<Option<(Vec<EventId>, usize)>, Interrupted> {
        let most_states = (DETOUR_TESTS / self.model.events.len().max(1)).clamp(2, DETOUR_STATES);
        let mut found: Vec<(State, usize, EventId, usize)> = Vec::new();
        let mut known = FxHashMap::default();
        known.insert(from.clone(), usize::MAX);
        let mut queue = VecDeque::from([(from.clone(), usize::MAX, 0)]);
        let mut best: Option<(usize, usize)> = None;
        while let Some((state, parent, depth)) = queue.pop_front() {
            for event in self.model.event_ids() {
                self.meter.step()?;
                let Ok(Some(next)) = self.model.event(event).fire(&state) else { continue };
                if known.len() >= most_states {
                    queue.clear();
                    break;
                }
                if known.contains_key(&next) {
                    continue;
                }
                known.insert(next.clone(), found.len());
                found.push((next.clone(), parent, event, depth + 1));
                if let Some(&end) = positions.get(&next[..])
                    && end > start + depth + 1
                {
                    let saved = end - start - depth - 1;
                    if best.is_none_or(|(most, _)| saved > most) {
                        best = Some((saved, found.len() - 1));
                    }
                }
                queue.push_back((next, found.len() - 1, depth + 1));
            }
        }
        Ok(best.map(|(_, last)| {
            let end = positions[&found[last].0[..]];
            let mut events = Vec::new();
            let mut index = last;
            while let Some(&(_, parent, event, _)) = found.get(index) {
                events.push(event);
                index = parent;
            }
            events.reverse();
            (events, end)
        }))
    }

    /// Looks at the states of the best run, the initial one first.
    fn each_state(&mut self, mut look: impl FnMut(&[u64])) -> Result<(), Interrupted> {
        let mut walker = Walker::at(self.model, self.initial);
        look(&walker.state);
        for &event in &self.best {
            self.meter.step()?;
            walker.fire(event);
            look(&walker.state);
        }
        Ok(())
    }
}

/// A state that changes in place.
struct Walker<'a> {
    model: &'a Model,
    state: Vec<u64>,
    writes: Vec<(usize, u64)>,
}

impl<'a> Walker<'a> {
    fn at(model: &'a Model, state: &[u64]) -> Walker<'a> {
        Walker { model, state: state.to_vec(), writes: Vec::new() }
    }

    /// Lets an event happen if that is possible.
    fn fire(&mut self, event: EventId) -> bool {
        let event = self.model.event(event);
        self.writes.clear();
        let writes = &mut self.writes;
        if !event.is_enabled(&self.state)
            || event
                .each_write(&self.state, |variable, value| writes.push((variable.index(), value)))
                .is_err()
        {
            return false;
        }
        for &(index, value) in &self.writes {
            self.state[index] = value;
        }
        true
    }
}

fn hash(state: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    state.iter().for_each(|&value| hasher.write_u64(value));
    hasher.finish()
}

#[cfg(test)]
mod tests;
