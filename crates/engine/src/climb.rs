//! Walks that climb: runs that try to make a weighted sum of variables as large as they can.
//!
//! A walk proves that what it meets can be reached, so the largest value met is a lower bound of
//! the largest value there is. Plain random walks rarely fill a variable that many events must fill
//! together. These walks are pulled by a **guide**:
//!
//! - *potential*: each variable has a potential, highest where the goal counts it and falling with
//!   the number of events between it and the goal; of a few enabled events the one that gains most
//!   potential happens;
//! - *counts*: a number of times that each event should happen (from a linear program); events
//!   whose number is not used up go first.
//!
//! All goals are watched on every walk, whichever of them pulls, and a [`Watcher`] may look at
//! every state that is met. Choices come from a seed: equal seeds and equal numbers of steps give
//! equal walks.

use crate::nearness::distance;
use crate::policy::walks::{DECAY, ONE_STEP_AT_RANDOM_IN, STEPS_PER_LOOK};
use std::collections::BinaryHeap;
use symbolon_budget::{Budget, Interrupted};
use symbolon_model::{Change, EventId, Expr, Model, Part, Predicate, VariableId};
use symbolon_random::Random;

/// A sum that should become large.
#[derive(Clone, Debug)]
pub struct Goal {
    /// Variables and their positive weights, each variable once.
    pub weights: Vec<(VariableId, u64)>,
    /// The largest value met so far.
    pub best: u128,
    /// Nothing larger is possible: a goal that is met pulls no longer.
    pub enough: Option<u128>,
}

impl Goal {
    /// Whether nothing larger is possible.
    pub fn is_met(&self) -> bool {
        self.enough.is_some_and(|enough| self.best >= enough)
    }
}

/// What pulls a walk.
#[derive(Clone, Copy, Debug)]
pub enum Guide<'a> {
    /// Nothing: every enabled event is equally likely.
    Chance,
    /// The potential of one goal: the best of this many enabled events, drawn at random, happens.
    Potential {
        /// The goal that pulls.
        goal: usize,
        /// Events that are compared.
        compared: u32,
    },
    /// How often each event should happen, and the potential of one goal where none of these is
    /// enabled.
    Counts {
        /// The goal that pulls.
        goal: usize,
        /// Events and their numbers.
        counts: &'a [(EventId, f64)],
    },
    /// How far the next state is from satisfying a predicate: the best of this many enabled events,
    /// drawn at random, happens. Now and then any event does, to leave a state that has no better
    /// neighbour.
    Towards {
        /// What the walk looks for.
        target: &'a Predicate,
        /// Events that are compared.
        compared: u32,
    },
}

/// A model prepared for climbing.
pub struct Climber<'a> {
    model: &'a Model,
    events: Vec<Firing<'a>>,
    /// For each variable, the events that its change may enable or disable.
    readers: Vec<Vec<u32>>,
    /// For each variable, the events that may make it larger.
    producers: Vec<Vec<u32>>,
    /// For each variable, the goals that count it, with weights.
    counted: Vec<Vec<(u32, u64)>>,
    /// The goals.
    pub goals: Vec<Goal>,
    random: Random,
}

/// An event as walks need it.
struct Firing<'a> {
    /// Variable, least and largest value.
    tests: Vec<(u32, u64, u64)>,
    changes: Vec<(u32, Change)>,
    /// Conditions over several variables.
    guards: Vec<&'a Predicate>,
    /// Assignments that compute.
    updates: Vec<(u32, &'a Expr)>,
}

/// A state that a walk met.
pub struct Met<'a> {
    /// The values of the variables.
    pub state: &'a [u64],
    /// The number of the initial state from which the walk started.
    pub initial: usize,
    /// What happened since.
    pub events: &'a [EventId],
    /// How many events are enabled.
    pub enabled_count: usize,
    position: &'a [u32],
}

impl Met<'_> {
    /// Whether an event is enabled here.
    pub fn is_enabled(&self, event: EventId) -> bool {
        self.position[event.index()] != ABSENT
    }
}

/// An observer of every state that walks meet.
pub trait Watcher {
    /// Looks at a state.
    fn look(&mut self, met: &Met<'_>);
    /// Whether walks may end, because nothing more is wanted.
    fn has_enough(&self) -> bool;
}

/// Looks at nothing; the goals alone say when it is enough.
struct NoObserver;

impl Watcher for NoObserver {
    fn look(&mut self, _: &Met<'_>) {}

    fn has_enough(&self) -> bool {
        false
    }
}

impl<'a> Climber<'a> {
    /// Prepares a model; `None` if it moves in synchronous steps, or its initial states are not listed.
    pub fn new(model: &'a Model, goals: Vec<Goal>, seed: u64) -> Option<Climber<'a>> {
        if model.initial.is_empty() {
            return None;
        }
        let mut events = Vec::with_capacity(model.events.len());
        let mut readers = vec![Vec::new(); model.variables.len()];
        let mut producers = vec![Vec::new(); model.variables.len()];
        for (index, event) in model.events.iter().enumerate() {
            let mut firing =
                Firing { tests: Vec::new(), changes: Vec::new(), guards: Vec::new(), updates: Vec::new() };
            for part in &event.parts {
                match part {
                    Part::Local { variable, at_least, at_most, change } => {
                        if *at_least > 0 || *at_most < u64::MAX {
                            firing.tests.push((variable.0, *at_least, *at_most));
                            readers[variable.index()].push(index as u32);
                        }
                        if *change != Change::Add(0) {
                            firing.changes.push((variable.0, *change));
                        }
                        if matches!(change, Change::Add(1..) | Change::Set(1..)) {
                            producers[variable.index()].push(index as u32);
                        }
                    }
                    Part::General { guard, updates } => {
                        let mut read = Vec::new();
                        guard.collect_variables(&mut read);
                        read.sort_unstable();
                        read.dedup();
                        read.iter().for_each(|variable| readers[variable.index()].push(index as u32));
                        firing.guards.push(guard);
                        for (variable, value) in updates {
                            producers[variable.index()].push(index as u32);
                            firing.updates.push((variable.0, value));
                        }
                    }
                    Part::Choice(_) | Part::Reaction(_) => return None,
                }
            }
            events.push(firing);
        }
        let mut counted = vec![Vec::new(); model.variables.len()];
        for (index, goal) in goals.iter().enumerate() {
            for &(variable, weight) in &goal.weights {
                counted[variable.index()].push((index as u32, weight));
            }
        }
        Some(Climber { model, events, readers, producers, counted, goals, random: Random::new(seed) })
    }

    /// Several walks under one guide, each from an initial state, for `steps` steps or until
    /// nothing is enabled; all end when what the guide wants is met. The time of the budget being
    /// over is no error: returns whether it is.
    pub fn walks(
        &mut self,
        guide: Guide,
        count: u32,
        steps: u64,
        budget: &Budget,
    ) -> Result<bool, Interrupted> {
        self.watched_walks(guide, count, steps, budget, &mut NoObserver)
    }

    /// The same with an observer of every state; a guide that wants nothing more goes on at random.
    pub fn watched_walks(
        &mut self,
        guide: Guide,
        count: u32,
        steps: u64,
        budget: &Budget,
        watcher: &mut impl Watcher,
    ) -> Result<bool, Interrupted> {
        let scores = match guide {
            Guide::Chance | Guide::Towards { .. } => Vec::new(),
            Guide::Potential { goal, .. } | Guide::Counts { goal, .. } => self.scores(goal),
        };
        for _ in 0..count {
            match self.walk_by(guide, &scores, steps, budget, watcher) {
                Ok(()) => {}
                Err(Interrupted::Timeout) => return Ok(true),
                Err(why) => return Err(why),
            }
            if self.is_over(guide) || watcher.has_enough() {
                break;
            }
        }
        Ok(false)
    }

    fn is_over(&self, guide: Guide) -> bool {
        match guide {
            Guide::Chance | Guide::Towards { .. } => {
                !self.goals.is_empty() && self.goals.iter().all(Goal::is_met)
            }
            Guide::Potential { goal, .. } | Guide::Counts { goal, .. } => self.goals[goal].is_met(),
        }
    }

    fn walk_by(
        &mut self,
        guide: Guide,
        scores: &[f32],
        steps: u64,
        budget: &Budget,
        watcher: &mut impl Watcher,
    ) -> Result<(), Interrupted> {
        let initial = self.random.below(self.model.initial.len());
        let mut walk = Walk::start(self, initial);
        let mut events = Vec::new();
        watcher.look(&walk.met(initial, &events));
        let mut left = match guide {
            Guide::Counts { counts, .. } => CountsLeft::new(self.events.len(), counts),
            _ => CountsLeft::default(),
        };
        for step in 0..steps {
            if step.is_multiple_of(STEPS_PER_LOOK) {
                budget.check()?;
                if self.is_over(guide) || watcher.has_enough() {
                    return Ok(());
                }
            }
            if walk.enabled.is_empty() {
                return Ok(());
            }
            let event = match guide {
                Guide::Chance => walk.any(&mut self.random),
                Guide::Potential { compared, .. } => walk.best_of(compared, scores, &mut self.random),
                Guide::Towards { target, compared } => {
                    walk.nearest_of(compared, target, &self.events, &mut self.random)
                }
                Guide::Counts { .. } => match left.take(&walk, &mut self.random) {
                    Some(event) => event,
                    None => walk.best_of(4, scores, &mut self.random),
                },
            };
            if !walk.fire(self, event) {
                return Ok(());
            }
            events.push(EventId(event));
            watcher.look(&walk.met(initial, &events));
        }
        Ok(())
    }

    /// What each event gains for a goal, by the potentials of the variables that it changes.
    fn scores(&self, goal: usize) -> Vec<f32> {
        let potentials = self.potentials(goal);
        let gain = |firing: &Firing| {
            let change = |&(variable, change): &(u32, Change)| match change {
                Change::Add(delta) => delta as f64 * potentials[variable as usize],
                Change::Set(_) => -potentials[variable as usize],
            };
            firing.changes.iter().map(change).sum::<f64>() as f32
        };
        self.events.iter().map(gain).collect()
    }

    /// The potential of each variable: its weight where the goal counts it; elsewhere, of the
    /// events that need it and lead to something of potential, the best share. Found from the goal
    /// backwards, best first.
    fn potentials(&self, goal: usize) -> Vec<f64> {
        let mut potentials = vec![0.0_f64; self.counted.len()];
        let mut queue = BinaryHeap::new();
        for &(variable, weight) in &self.goals[goal].weights {
            potentials[variable.index()] = weight as f64;
            queue.push(Ranked(weight as f64, variable.0));
        }
        let mut is_done = vec![false; self.counted.len()];
        while let Some(Ranked(potential, variable)) = queue.pop() {
            if std::mem::replace(&mut is_done[variable as usize], true) {
                continue;
            }
            for &event in &self.producers[variable as usize] {
                let tests = &self.events[event as usize].tests;
                let needed: u64 = tests.iter().map(|&(_, least, _)| least).fold(0, u64::saturating_add);
                let share = DECAY * potential / needed.max(1) as f64;
                for &(input, least, _) in tests {
                    if least > 0 && !is_done[input as usize] && share > potentials[input as usize] {
                        potentials[input as usize] = share;
                        queue.push(Ranked(share, input));
                    }
                }
            }
        }
        potentials
    }
}

/// A variable by its potential.
struct Ranked(f64, u32);

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then(other.1.cmp(&self.1))
    }
}

/// Numbers of events that are not used up.
#[derive(Default)]
struct CountsLeft {
    /// For each event, how often it should still happen.
    left: Vec<f64>,
    /// The events with a number left.
    open: Vec<u32>,
}

impl CountsLeft {
    fn new(event_count: usize, counts: &[(EventId, f64)]) -> CountsLeft {
        let mut left = vec![0.0; event_count];
        counts.iter().for_each(|&(event, count)| left[event.index()] = count);
        CountsLeft { left, open: counts.iter().map(|(event, _)| event.0).collect() }
    }

    /// An enabled event with a number left, of which one is then used.
    fn take(&mut self, walk: &Walk, random: &mut Random) -> Option<u32> {
        if self.open.is_empty() {
            return None;
        }
        let start = random.below(self.open.len());
        let position = (0..self.open.len())
            .map(|offset| (start + offset) % self.open.len())
            .find(|&position| walk.position[self.open[position] as usize] != ABSENT)?;
        let event = self.open[position];
        let left = &mut self.left[event as usize];
        *left -= 1.0;
        if *left <= 1e-6 {
            self.open.swap_remove(position);
        }
        Some(event)
    }
}

/// One walk: the state, what is enabled in it, and the value of each goal.
struct Walk {
    state: Vec<u64>,
    enabled: Vec<u32>,
    /// Where each event stands in `enabled`.
    position: Vec<u32>,
    values: Vec<u128>,
    /// What the last event wrote.
    written: Vec<(u32, u64)>,
}

/// The position of an event that is not enabled.
const ABSENT: u32 = u32::MAX;

impl Walk {
    fn start(climber: &mut Climber, initial: usize) -> Walk {
        let state = climber.model.initial[initial].to_vec();
        let mut walk = Walk {
            state,
            enabled: Vec::new(),
            position: vec![ABSENT; climber.events.len()],
            values: Vec::with_capacity(climber.goals.len()),
            written: Vec::new(),
        };
        for event in 0..climber.events.len() as u32 {
            walk.refresh(&climber.events, event);
        }
        for goal in &mut climber.goals {
            let term = |&(variable, weight): &(VariableId, u64)| {
                u128::from(weight) * u128::from(walk.state[variable.index()])
            };
            let value = goal.weights.iter().map(term).sum();
            goal.best = goal.best.max(value);
            walk.values.push(value);
        }
        walk
    }

    fn met<'a>(&'a self, initial: usize, events: &'a [EventId]) -> Met<'a> {
        let enabled_count = self.enabled.len();
        Met { state: &self.state, initial, events, enabled_count, position: &self.position }
    }

    fn any(&self, random: &mut Random) -> u32 {
        self.enabled[random.below(self.enabled.len())]
    }

    fn best_of(&self, compared: u32, scores: &[f32], random: &mut Random) -> u32 {
        let mut best = self.any(random);
        for _ in 1..compared {
            let other = self.any(random);
            if scores[other as usize] > scores[best as usize] {
                best = other;
            }
        }
        best
    }

    /// Of some enabled events, the one whose next state is nearest to the target.
    fn nearest_of(
        &mut self,
        compared: u32,
        target: &Predicate,
        events: &[Firing],
        random: &mut Random,
    ) -> u32 {
        let mut best = self.any(random);
        if random.below(ONE_STEP_AT_RANDOM_IN) == 0 {
            return best;
        }
        let mut nearest = self.distance_after(best, target, events);
        for _ in 1..compared {
            let other = self.any(random);
            let distance = self.distance_after(other, target, events);
            if distance < nearest {
                (best, nearest) = (other, distance);
            }
        }
        best
    }

    /// How far the state after an event is from the target.
    fn distance_after(&mut self, event: u32, target: &Predicate, events: &[Firing]) -> f64 {
        if !self.write_down(&events[event as usize]) {
            return f64::INFINITY;
        }
        self.swap_written();
        let distance = distance(target, true, &self.state);
        self.swap_written();
        distance
    }

    /// Finds out what an event writes; `false` if a value would leave its range.
    fn write_down(&mut self, firing: &Firing) -> bool {
        self.written.clear();
        for &(variable, change) in &firing.changes {
            let Some(new) = change.apply(self.state[variable as usize]) else { return false };
            self.written.push((variable, new));
        }
        for &(variable, value) in &firing.updates {
            let new = value.evaluate(&self.state).and_then(|new| u64::try_from(new).ok());
            let Some(new) = new.filter(|&new| new <= i64::MAX as u64) else { return false };
            self.written.push((variable, new));
        }
        true
    }

    /// Exchanges what is written down with what the state has.
    fn swap_written(&mut self) {
        for (variable, value) in &mut self.written {
            std::mem::swap(&mut self.state[*variable as usize], value);
        }
    }

    /// Lets an enabled event happen; `false` if a value would leave its range.
    fn fire(&mut self, climber: &mut Climber, event: u32) -> bool {
        let Climber { events, readers, counted, goals, .. } = climber;
        // All new values come from the state before the event.
        if !self.write_down(&events[event as usize]) {
            return false;
        }
        for &(variable, new) in &self.written {
            let index = variable as usize;
            let old = std::mem::replace(&mut self.state[index], new);
            for &(goal, weight) in &counted[index] {
                let value = &mut self.values[goal as usize];
                if new > old {
                    *value += u128::from(weight) * u128::from(new - old);
                } else {
                    *value -= u128::from(weight) * u128::from(old - new);
                }
            }
        }
        // Only after all changes is the state one that was reached.
        let written = std::mem::take(&mut self.written);
        for &(variable, _) in &written {
            for &(goal, _) in &counted[variable as usize] {
                let goal_reached = &mut goals[goal as usize];
                goal_reached.best = goal_reached.best.max(self.values[goal as usize]);
            }
            for &reader in &readers[variable as usize] {
                self.refresh(events, reader);
            }
        }
        self.written = written;
        true
    }

    fn refresh(&mut self, events: &[Firing], event: u32) {
        let Firing { tests, guards, .. } = &events[event as usize];
        let is_enabled = tests
            .iter()
            .all(|&(variable, least, most)| (least..=most).contains(&self.state[variable as usize]))
            && guards.iter().all(|guard| guard.holds(&self.state) == Some(true));
        let position = self.position[event as usize];
        if is_enabled && position == ABSENT {
            self.position[event as usize] = self.enabled.len() as u32;
            self.enabled.push(event);
        } else if !is_enabled && position != ABSENT {
            self.enabled.swap_remove(position as usize);
            if let Some(&moved) = self.enabled.get(position as usize) {
                self.position[moved as usize] = position;
            }
            self.position[event as usize] = ABSENT;
        }
    }
}
