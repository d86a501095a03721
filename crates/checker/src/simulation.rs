//! A model played step by step: what is enabled, what happens, back and forth along the run.
//!
//! A simulation stands at one step of a run. Firing an event adds a step; undoing goes back without forgetting
//! what came after, until something else is fired. Each step keeps what it changed, old value and new, so that
//! going back or forth costs what changed and never the size of the state:
//!
//! ```text
//! initial ──t1──▶ · ──t2──▶ · ──t3──▶ ·
//!                           ▲ position 2: t3 can be redone
//! ```
//!
//! Which events are enabled is kept up to date likewise: only events that test a changed variable are looked at.

mod enabled;
mod names;
mod refusal;

use crate::load::{Loaded, unknown};
use crate::report::{PartialReport, Unknown, Witness, WitnessStep};
use crate::value_names::{ShownValue, shown_state, shown_value};
use crate::witness::trace_witness;
use enabled::EnabledEvents;
use names::NameIndex;
pub use names::NotOneEvent;
pub use refusal::{Obstacle, Refusal};
use std::cell::OnceCell;
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::next_random;
use symbolon_explicit::Trace;
use symbolon_model::{EventId, Model, OutOfRange, Part, State, VariableId};

/// A walk looks at its budget once in so many steps.
const STEPS_PER_LOOK: u64 = 256;

/// A model, a run of it, and a position on that run.
pub struct Simulation {
    model: Model,
    /// The state at `position`.
    state: State,
    /// What is enabled in `state`.
    enabled: EnabledEvents,
    testers: Testers,
    /// The run, beyond `position` what can be redone.
    steps: Vec<Step>,
    /// What the steps changed, one step after the other.
    changes: Vec<Change>,
    position: usize,
    random: u64,
    names: OnceCell<NameIndex>,
}

/// One step of the run.
struct Step {
    event: EventId,
    /// Where its changes begin; they end where those of the next step begin.
    first_change: usize,
}

/// What a step did to a variable.
#[derive(Clone, Copy)]
struct Change {
    variable: VariableId,
    old: u64,
    new: u64,
}

/// How a random walk ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The steps it took.
    pub taken: u64,
    /// Why it took no more.
    pub end: WalkEnd,
}

/// Why a random walk ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkEnd {
    /// All steps were taken.
    Done,
    /// No event is enabled.
    Dead,
    /// The event that chance picked drives a value out of range.
    Refused(Refusal),
    /// The budget ran out.
    Interrupted(Unknown),
}

/// Why a run could not be replayed to its end. The simulation stands where it stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayStop {
    /// This step, counted from 1, is not possible.
    Refused {
        /// The step.
        step: usize,
        /// Why not.
        refusal: Refusal,
    },
    /// The budget ran out.
    Interrupted(Unknown),
}

impl Simulation {
    /// A simulation that stands at the initial state. Its random choices follow from `seed`.
    pub fn new(loaded: Loaded, seed: u64) -> Simulation {
        let model = loaded.model;
        let state = model.initial[0].clone();
        let mut enabled = EnabledEvents::none_of(model.events.len());
        for event in model.event_ids() {
            enabled.set(event, model.event(event).is_enabled(&state));
        }
        let testers = Testers::of(&model);
        Simulation {
            model,
            state,
            enabled,
            testers,
            steps: Vec::new(),
            changes: Vec::new(),
            position: 0,
            random: seed,
            names: OnceCell::new(),
        }
    }

    /// The number of variables of the model.
    pub fn variable_count(&self) -> usize {
        self.model.variables.len()
    }

    /// The number of events of the model.
    pub fn event_count(&self) -> usize {
        self.model.events.len()
    }

    /// The name of an event.
    pub fn event_name(&self, event: EventId) -> &str {
        &self.model.event(event).name
    }

    /// The names of all events.
    pub fn event_names(&self) -> impl Iterator<Item = &str> {
        self.model.events.iter().map(|event| event.name.as_str())
    }

    /// The event of this name.
    pub fn event_named(&self, name: &str) -> Option<EventId> {
        self.names().find(&self.model, name)
    }

    /// The event that a person means: the one of this name, or else the only one whose name begins so, among
    /// the enabled ones if any of them does.
    pub fn event_meant(&self, text: &str) -> Result<EventId, NotOneEvent> {
        self.names().find_meant(&self.model, text, &self.enabled)
    }

    /// The value of each variable, with its name, in the model's order; places without tokens are left out.
    pub fn values(&self) -> Vec<(String, ShownValue)> {
        shown_state(&self.model, &self.state)
    }

    /// The same of the initial state.
    pub fn initial_values(&self) -> Vec<(String, ShownValue)> {
        shown_state(&self.model, &self.model.initial[0])
    }

    /// The number of enabled events.
    pub fn enabled_count(&self) -> usize {
        self.enabled.count()
    }

    /// The enabled events, in the model's order.
    pub fn enabled(&self) -> impl Iterator<Item = EventId> {
        self.enabled.iter()
    }

    /// The enabled event of this number, counted from 0 in the model's order.
    pub fn enabled_at(&self, index: usize) -> Option<EventId> {
        self.enabled.at(index)
    }

    /// Whether no event is enabled.
    pub fn is_dead(&self) -> bool {
        self.enabled.count() == 0
    }

    /// What keeps an event from happening now; nothing if it is enabled.
    pub fn obstacles(&self, event: EventId) -> Vec<Obstacle> {
        refusal::obstacles(&self.model, event, &self.state)
    }

    /// The number of steps from the initial state to here.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The number of steps of the whole run, those that can be redone included.
    pub fn length(&self) -> usize {
        self.steps.len()
    }

    /// A step of the run, counted from 1; there must be one.
    pub fn step(&self, number: usize) -> WitnessStep {
        let changes = self.changes_of(number - 1).iter().map(|change| {
            let value = |value| shown_value(&self.model, change.variable, value);
            let name = self.model.variables[change.variable.index()].name.clone();
            (name, value(change.old), value(change.new))
        });
        WitnessStep {
            event: self.event_name(self.steps[number - 1].event).to_string(),
            actions: Vec::new(),
            changes: changes.collect(),
        }
    }

    /// The names of the events from the initial state to here.
    pub fn trace(&self) -> impl Iterator<Item = &str> {
        self.steps[..self.position].iter().map(|step| self.event_name(step.event))
    }

    /// The run from the initial state to here, replayed by the explicit simulator (C2).
    pub fn witness(&self) -> Witness {
        let trace = Trace {
            initial: self.model.initial[0].clone(),
            events: self.steps[..self.position].iter().map(|step| step.event).collect(),
        };
        trace_witness(&self.model, &trace, false, |last| *last == self.state)
            .expect("C2: a simulated run can be replayed and ends in the same state")
    }

    /// Lets an event happen. What could be redone is forgotten.
    pub fn fire(&mut self, event: EventId) -> Result<(), Refusal> {
        let definition = self.model.event(event);
        if !self.enabled.contains(event) {
            let obstacles = self.obstacles(event);
            return Err(Refusal::NotEnabled { event: definition.name.clone(), obstacles });
        }
        let mut changes = Vec::with_capacity(definition.parts.len());
        let fired = definition.each_write(&self.state, |variable, new| {
            let old = self.state[variable.index()];
            if old != new {
                changes.push(Change { variable, old, new });
            }
        });
        if let Err(OutOfRange(variable)) = fired {
            return Err(Refusal::OutOfRange {
                event: definition.name.clone(),
                variable: self.model.variables[variable.index()].name.clone(),
            });
        }
        if let Some(undone) = self.steps.get(self.position) {
            self.changes.truncate(undone.first_change);
            self.steps.truncate(self.position);
        }
        let first_change = self.changes.len();
        self.changes.append(&mut changes);
        self.steps.push(Step { event, first_change });
        self.redo_one();
        Ok(())
    }

    /// Goes to a step of the run, back or forth: 0 is the initial state. False if the run is shorter.
    pub fn go_to(&mut self, position: usize) -> bool {
        if position > self.steps.len() {
            return false;
        }
        while self.position > position {
            self.undo_one();
        }
        while self.position < position {
            self.redo_one();
        }
        true
    }

    /// Takes up to so many random steps: each time one of the enabled events, all equally likely.
    pub fn walk(&mut self, steps: u64, budget: &Budget) -> Walk {
        for taken in 0..steps {
            if taken.is_multiple_of(STEPS_PER_LOOK)
                && let Err(why) = budget.check()
            {
                return Walk { taken, end: WalkEnd::Interrupted(self.interrupted(why)) };
            }
            if self.is_dead() {
                return Walk { taken, end: WalkEnd::Dead };
            }
            let choice = (next_random(&mut self.random) % self.enabled.count() as u64) as usize;
            let event = self.enabled.at(choice).expect("below the number of enabled events");
            if let Err(refusal) = self.fire(event) {
                return Walk { taken, end: WalkEnd::Refused(refusal) };
            }
        }
        Walk { taken: steps, end: WalkEnd::Done }
    }

    /// Goes back to the initial state, forgets the run, and lets these events happen in turn.
    pub fn replay<'a>(
        &mut self,
        events: impl IntoIterator<Item = &'a str>,
        budget: &Budget,
    ) -> Result<(), ReplayStop> {
        self.go_to(0);
        self.steps.clear();
        self.changes.clear();
        for (index, name) in events.into_iter().enumerate() {
            if (index as u64).is_multiple_of(STEPS_PER_LOOK)
                && let Err(why) = budget.check()
            {
                return Err(ReplayStop::Interrupted(self.interrupted(why)));
            }
            let fired = match self.event_named(name) {
                Some(event) => self.fire(event),
                None => Err(Refusal::NoSuchEvent { name: name.to_string() }),
            };
            fired.map_err(|refusal| ReplayStop::Refused { step: index + 1, refusal })?;
        }
        Ok(())
    }

    fn names(&self) -> &NameIndex {
        self.names.get_or_init(|| NameIndex::of(&self.model))
    }

    fn interrupted(&self, why: Interrupted) -> Unknown {
        unknown(why, PartialReport { steps: self.position as u64, ..PartialReport::default() })
    }

    fn changes_of(&self, index: usize) -> &[Change] {
        let end = self.steps.get(index + 1).map_or(self.changes.len(), |next| next.first_change);
        &self.changes[self.steps[index].first_change..end]
    }

    fn undo_one(&mut self) {
        self.position -= 1;
        self.change(|change| change.old);
    }

    fn redo_one(&mut self) {
        self.change(|change| change.new);
        self.position += 1;
    }

    /// Gives the variables that the step behind `position` changed one of their two values, and looks again at
    /// every event that tests one of them.
    fn change(&mut self, value: impl Fn(&Change) -> u64) {
        let start = self.steps[self.position].first_change;
        let end = start + self.changes_of(self.position).len();
        for change in &self.changes[start..end] {
            self.state[change.variable.index()] = value(change);
        }
        for change in &self.changes[start..end] {
            for &event in self.testers.of_variable(change.variable) {
                self.enabled.set(event, self.model.event(event).is_enabled(&self.state));
            }
        }
    }
}

/// For each variable the events that test it, in one list.
struct Testers {
    /// Where the events of each variable begin, and one more: where the last ones end.
    first: Vec<u32>,
    events: Vec<EventId>,
}

impl Testers {
    fn of(model: &Model) -> Testers {
        let mut pairs: Vec<(VariableId, EventId)> = Vec::new();
        for event in model.event_ids() {
            for part in &model.event(event).parts {
                match part {
                    Part::Local { at_least: 0, at_most: u64::MAX, .. } => {}
                    Part::Local { variable, .. } => pairs.push((*variable, event)),
                    Part::General { guard, .. } => {
                        let mut tested = Vec::new();
                        guard.collect_variables(&mut tested);
                        pairs.extend(tested.into_iter().map(|variable| (variable, event)));
                    }
                    Part::Choice(choice) => {
                        let mut tested = Vec::new();
                        choice
                            .offers
                            .iter()
                            .for_each(|(condition, _)| condition.collect_variables(&mut tested));
                        pairs.extend(tested.into_iter().map(|variable| (variable, event)));
                    }
                    Part::Reaction(_) => {}
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut first = vec![0; model.variables.len() + 1];
        for (variable, _) in &pairs {
            first[variable.index() + 1] += 1;
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        Testers { first, events: pairs.into_iter().map(|(_, event)| event).collect() }
    }

    fn of_variable(&self, variable: VariableId) -> &[EventId] {
        let index = variable.index();
        &self.events[self.first[index] as usize..self.first[index + 1] as usize]
    }
}
