//! A model played step by step: what is enabled, what happens, back and forth along the run.
//!
//! A simulation stands at one step of a run. Firing an event adds a step; undoing goes back without
//! forgetting what came after, until something else is fired. Each step keeps what it changed, old
//! value and new, so that going back or forth costs what changed and never the size of the state:
//!
//! ```text
//! initial ──t1──▶ · ──t2──▶ · ──t3──▶ ·
//!                           ▲ position 2: t3 can be redone
//! ```
//!
//! Which events are enabled is kept up to date in the same way: only events that test a changed
//! variable are looked at. Where agents step all at once, what can happen is a joint action with a
//! state that it leads to (`joint.rs`), and its number is good for the present state alone.

mod enabled;
mod joint;
mod names;
mod refusal;
mod runs;
mod testers;
mod until;

use crate::error::InputError;
use crate::labels::{Labelled, Labels};
use crate::loaded::{Language, Loaded};
use crate::report::{Witness, WitnessStep};
use crate::resolve::without_brackets;
use crate::stop::Stop;
use crate::value_names::{ShownValue, shown_actions, shown_state, shown_value};
use crate::witness::{joint_witness, trace_witness};
use enabled::EnabledEvents;
pub(crate) use joint::outcome_label;
use joint::{JointMove, JointMoves};
use names::NameIndex;
pub use names::NotOneEvent;
pub use refusal::{Obstacle, Refusal};
pub use runs::{ReplayStop, Walk, WalkEnd};
use std::cell::OnceCell;
use symbolon_budget::Budget;
use symbolon_explicit::{JointStep, JointTrace, Trace, initial_states};
use symbolon_model::{EventId, Model, OutOfRange, State, VariableId};
use symbolon_random::Random;
use testers::Testers;
pub use until::Condition;

/// The largest number of initial states that can be chosen by number.
const MOST_STARTS: usize = 1000;
/// What a step is called that says where a run begins.
pub(crate) const START: &str = "start ";

/// A model, a run of it, and a position on that run.
pub struct Simulation {
    model: Model,
    /// What was read, without the model, for names in conditions.
    loaded: Loaded,
    language: Language,
    /// Whether agents step all at once.
    is_joint: bool,
    /// Where runs may begin, and whether there are more places than these.
    starts: Vec<State>,
    has_more_starts: bool,
    /// The one where this run begins.
    start: usize,
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
    random: Random,
    names: OnceCell<NameIndex>,
    /// Names of transitions beside their identifiers.
    labels: Labels,
    /// What agents can do in `state`, computed on demand; empty in models that move event by event.
    joint: OnceCell<JointMoves>,
}

/// One step of the run.
struct Step {
    event: EventId,
    /// What the agents did, in a synchronous step, and how that is called.
    joint: Option<(Box<[u64]>, String)>,
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

impl Simulation {
    /// A simulation that stands at the first initial state. Its random choices follow from `seed`.
    pub(crate) fn new(loaded: Loaded, seed: u64, budget: &Budget) -> Result<Simulation, Stop> {
        let (starts, has_more_starts) = initial_states(&loaded.model, MOST_STARTS, budget)?;
        if starts.is_empty() {
            let message = format!("'{}' has no initial state, so there is nothing to simulate", loaded.name);
            return Err(InputError::plain(message).into());
        }
        Ok(Simulation::at(loaded, seed, starts, has_more_starts))
    }

    fn at(mut loaded: Loaded, seed: u64, starts: Vec<State>, has_more_starts: bool) -> Simulation {
        let labels = Labels::of(&loaded);
        let (language, model) = (loaded.language(), std::mem::take(&mut loaded.model));
        let state = starts[0].clone();
        let is_joint = model.is_synchronous();
        let mut enabled = EnabledEvents::none_of(if is_joint { 0 } else { model.events.len() });
        for event in model.event_ids().filter(|_| !is_joint) {
            enabled.set(event, model.event(event).is_enabled(&state));
        }
        let testers = Testers::of(&model);
        Simulation {
            model,
            loaded,
            language,
            is_joint,
            starts,
            has_more_starts,
            start: 0,
            state,
            enabled,
            testers,
            steps: Vec::new(),
            changes: Vec::new(),
            position: 0,
            random: Random::new(seed),
            names: OnceCell::new(),
            labels,
            joint: OnceCell::new(),
        }
    }

    /// Whether agents step all at once.
    pub fn is_joint(&self) -> bool {
        self.is_joint
    }

    /// What the model was written as.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The initial states that can be chosen, each described by what distinguishes it, and whether
    /// there are more.
    pub fn starts(&self) -> (Vec<Vec<(String, ShownValue)>>, bool) {
        let differs =
            |id: &VariableId| self.starts.iter().any(|state| state[id.index()] != self.starts[0][id.index()]);
        let ids: Vec<VariableId> = self.model.variable_ids().filter(differs).collect();
        let described = |state: &State| {
            let value = |id: &VariableId| {
                let name = self.model.variables[id.index()].name.clone();
                (name, shown_value(&self.model, *id, state[id.index()]))
            };
            ids.iter().map(value).collect()
        };
        (self.starts.iter().map(described).collect(), self.has_more_starts)
    }

    /// The number of the initial state where the run begins, from 1.
    pub fn start(&self) -> usize {
        self.start + 1
    }

    /// Forgets the run and begins another one, in the initial state that a text names: by its
    /// number, or by values such as `Alice.partner=bob`.
    pub fn begin(&mut self, text: &str) -> Result<(), Refusal> {
        let count = self.starts.len();
        let refused = || Refusal::NoSuchStart { text: text.to_string(), count };
        let index = match text.trim().parse::<usize>() {
            Ok(number) => number.checked_sub(1).filter(|index| *index < self.starts.len()),
            Err(_) => {
                let wanted: Vec<(&str, &str)> =
                    text.split([' ', ',']).filter_map(|word| word.split_once('=')).collect();
                let has = |state: &State, (name, value): &(&str, &str)| {
                    let id = self.model.variable_named(name);
                    id.is_some_and(|id| shown_value(&self.model, id, state[id.index()]).to_string() == *value)
                };
                let fits = |state: &State| !wanted.is_empty() && wanted.iter().all(|one| has(state, one));
                match self.starts.iter().position(fits) {
                    None if self.has_more_starts => self.unlisted_start(&wanted),
                    known => known,
                }
            }
        };
        let index = index.ok_or_else(refused)?;
        self.go_to(0);
        self.steps.clear();
        self.changes.clear();
        self.start = index;
        self.state = self.starts[index].clone();
        self.joint = OnceCell::new();
        if !self.is_joint() {
            for event in self.model.event_ids() {
                self.enabled.set(event, self.model.event(event).is_enabled(&self.state));
            }
        }
        Ok(())
    }

    /// An initial state that is none of the listed ones, if these are the values of all its
    /// variables: now it is listed.
    fn unlisted_start(&mut self, wanted: &[(&str, &str)]) -> Option<usize> {
        let value = |id: VariableId| {
            let name = &self.model.variables[id.index()].name;
            let (_, text) = wanted.iter().find(|(known, _)| known == name)?;
            let count = self.model.values_of(id).count()?;
            (0..count).find(|&value| shown_value(&self.model, id, value).to_string() == *text)
        };
        let state: State = self.model.variable_ids().map(value).collect::<Option<_>>()?;
        let is_initial = self.model.initially.as_ref().and_then(|predicate| predicate.holds(&state));
        if is_initial != Some(true) {
            return None;
        }
        self.starts.push(state);
        Some(self.starts.len() - 1)
    }

    /// Begins in an initial state that chance picks; where there is but one, nothing is left to
    /// chance.
    pub fn begin_by_chance(&mut self) {
        if self.starts.len() > 1 {
            let number = self.random.below(self.starts.len()) as u64 + 1;
            self.begin(&number.to_string()).expect("below the number of initial states");
        }
    }

    /// What the agents can do now.
    fn joint(&self) -> &JointMoves {
        self.joint.get_or_init(|| JointMoves::of(&self.model, &self.state))
    }

    /// Whether more can happen than is listed.
    pub fn has_more(&self) -> bool {
        self.is_joint() && self.joint().is_cut
    }

    /// The number of variables of the model.
    pub fn variable_count(&self) -> usize {
        self.model.variables.len()
    }

    /// The value of the variable of this name where the simulation stands, if there is one.
    pub fn value_of(&self, name: &str) -> Option<ShownValue> {
        let variable = self.model.variable_ids().find(|id| self.model.variables[id.index()].name == name)?;
        Some(shown_value(&self.model, variable, self.state[variable.index()]))
    }

    /// The names of all variables.
    pub fn variable_names(&self) -> impl Iterator<Item = &str> {
        self.model.variables.iter().map(|variable| variable.name.as_str())
    }

    /// The number of events of the model.
    pub fn event_count(&self) -> usize {
        self.model.events.len()
    }

    /// The name of an event; where agents step all at once, of something that they can do now.
    pub fn event_name(&self, event: EventId) -> &str {
        match self.is_joint() {
            true => self.joint().list.get(event.index()).map_or("", |one| one.label.as_str()),
            false => &self.model.event(event).name,
        }
    }

    /// The names of all events; where agents step all at once, of all that they can do now.
    pub fn event_names(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        match self.is_joint() {
            true => Box::new(self.joint().list.iter().map(|one| one.label.as_str())),
            false => Box::new(self.model.events.iter().map(|event| event.name.as_str())),
        }
    }

    /// The names of all actions of agents, as `Agent.action`.
    pub fn action_names(&self) -> impl Iterator<Item = String> {
        self.model.actions.iter().flat_map(|agent| {
            let component = self.model.components.get(agent.agent.0 as usize);
            let of_agent = component.map_or("", |component| component.name.as_str());
            agent.names.iter().map(move |name| format!("{of_agent}.{name}"))
        })
    }

    /// The event of this name.
    pub fn event_named(&mut self, name: &str) -> Option<EventId> {
        match self.is_joint() {
            true => self.event_meant(name).ok(),
            false => self.names().find(&self.model, name).or_else(|| self.event_labelled(name)),
        }
    }

    /// The event that a person means: the one of this name, or else the only one whose name begins
    /// so, among the enabled ones if any of them does. Where agents step all at once: the only
    /// joint action with the actions that are named, each by itself or behind its agent and a dot.
    pub fn event_meant(&mut self, text: &str) -> Result<EventId, NotOneEvent> {
        if !self.is_joint() {
            let labelled =
                self.event_labelled(text).filter(|_| self.names().find(&self.model, text).is_none());
            return match labelled {
                Some(event) => Ok(event),
                None => self.names().find_meant(&self.model, text, &self.enabled),
            };
        }
        self.joint();
        let Some(moves) = self.joint.get_mut() else { return Err(NotOneEvent::None) };
        moves.find_meant(&self.model, &self.state, text).map(|number| EventId(number as u32))
    }

    /// The event of a transition that alone has this label, or of a command whose copies and elements
    /// are written with brackets.
    fn event_labelled(&self, text: &str) -> Option<EventId> {
        let id = match self.labels.transition(text) {
            Labelled::One(id) => id,
            Labelled::Nothing | Labelled::Several(_) => without_brackets(text)?,
        };
        self.names().find(&self.model, &id)
    }

    /// Why agents can do nothing that a text names, in sentences.
    pub fn why_not(&self, text: &str) -> Vec<String> {
        joint::obstacles(&self.model, &self.state, text)
    }

    /// The value of each variable, with its name, in the model's order; places without tokens are
    /// left out.
    pub fn values(&self) -> Vec<(String, ShownValue)> {
        shown_state(&self.model, &self.state)
    }

    /// The same of the initial state.
    pub fn initial_values(&self) -> Vec<(String, ShownValue)> {
        shown_state(&self.model, &self.starts[self.start])
    }

    /// The number of enabled events.
    pub fn enabled_count(&self) -> usize {
        if self.is_joint() { self.joint().list.len() } else { self.enabled.count() }
    }

    /// The enabled events, in the model's order.
    pub fn enabled(&self) -> Box<dyn Iterator<Item = EventId> + '_> {
        match self.is_joint() {
            true => Box::new((0..self.joint().list.len() as u32).map(EventId)),
            false => Box::new(self.enabled.iter()),
        }
    }

    /// The enabled event of this number, counted from 0 in the model's order.
    pub fn enabled_at(&self, index: usize) -> Option<EventId> {
        match self.is_joint() {
            true => (index < self.joint().list.len()).then_some(EventId(index as u32)),
            false => self.enabled.at(index),
        }
    }

    /// Whether no event is enabled.
    pub fn is_dead(&self) -> bool {
        self.enabled_count() == 0 && !self.has_more()
    }

    /// What keeps an event from happening now; nothing if it is enabled.
    pub fn obstacles(&self, event: EventId) -> Vec<Obstacle> {
        if self.is_joint() {
            return Vec::new();
        }
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
        let step = &self.steps[number - 1];
        WitnessStep {
            event: self.step_name(step).to_string(),
            actions: step.joint.as_ref().map_or(Vec::new(), |(action, _)| shown_actions(&self.model, action)),
            changes: changes.collect(),
        }
    }

    /// The names of the events from the initial state to here; before them where the run begins,
    /// unless that is the first initial state.
    pub fn trace(&self) -> impl Iterator<Item = String> {
        let start = (self.start > 0).then(|| format!("{START}{}", self.start()));
        start
            .into_iter()
            .chain(self.steps[..self.position].iter().map(|step| self.step_name(step).to_string()))
    }

    fn step_name<'a>(&'a self, step: &'a Step) -> &'a str {
        match &step.joint {
            Some((_, label)) => label,
            None => &self.model.event(step.event).name,
        }
    }

    /// The run from the initial state to here, replayed by the explicit simulator (C2).
    pub fn witness(&self) -> Witness {
        let initial = self.starts[self.start].clone();
        if self.is_joint() {
            let trace = self.joint_trace(initial);
            return joint_witness(&self.model, &trace, false, |last| *last == self.state)
                .expect("C2: a simulated run can be replayed and ends in the same state");
        }
        let trace =
            Trace { initial, events: self.steps[..self.position].iter().map(|step| step.event).collect() };
        trace_witness(&self.model, &trace, false, |last| *last == self.state)
            .expect("C2: a simulated run can be replayed and ends in the same state")
    }

    fn joint_trace(&self, initial: State) -> JointTrace {
        let mut trace = JointTrace { initial, steps: Vec::new() };
        for (index, step) in self.steps[..self.position].iter().enumerate() {
            let mut state = trace.last().clone();
            for change in self.changes_of(index) {
                state[change.variable.index()] = change.new;
            }
            let action = step.joint.as_ref().map_or(Box::default(), |(action, _)| action.clone());
            trace.steps.push(JointStep { event: step.event, action, state });
        }
        trace
    }

    /// Lets an event happen. What could be redone is forgotten.
    pub fn fire(&mut self, event: EventId) -> Result<(), Refusal> {
        if self.is_joint() {
            let Some(chosen) = self.joint().list.get(event.index()).cloned() else {
                let (name, language) = (format!("{}", event.index() + 1), self.language);
                return Err(Refusal::NoSuchEvent { name, language });
            };
            self.act(chosen);
            return Ok(());
        }
        let definition = self.model.event(event);
        if !self.enabled.contains(event) {
            let obstacles = self.obstacles(event);
            let (event, language) = (definition.name.clone(), self.language);
            return Err(Refusal::NotEnabled { event, obstacles, language });
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
                language: self.language,
                event: definition.name.clone(),
                variable: self.model.variables[variable.index()].name.clone(),
            });
        }
        self.add_step(event, None, changes);
        Ok(())
    }

    /// Lets the agents do something that they can do now.
    fn act(&mut self, chosen: JointMove) {
        let values = self.state.iter().zip(&chosen.next).zip(self.model.variable_ids());
        let changed = values.filter(|((old, new), _)| old != new);
        let changes = changed.map(|((&old, &new), variable)| Change { variable, old, new }).collect();
        self.add_step(EventId(0), Some((chosen.action, chosen.label)), changes);
    }

    fn add_step(&mut self, event: EventId, joint: Option<(Box<[u64]>, String)>, mut changes: Vec<Change>) {
        if let Some(undone) = self.steps.get(self.position) {
            self.changes.truncate(undone.first_change);
            self.steps.truncate(self.position);
        }
        let first_change = self.changes.len();
        self.changes.append(&mut changes);
        self.steps.push(Step { event, joint, first_change });
        self.redo_one();
    }

    /// Goes to a step of the run, back or forth: 0 is the initial state. False if the run is
    /// shorter.
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

    fn names(&self) -> &NameIndex {
        self.names.get_or_init(|| NameIndex::of(&self.model))
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

    /// Gives the variables that the step behind `position` changed one of their two values, and
    /// looks again at every event that tests one of them.
    fn change(&mut self, value: impl Fn(&Change) -> u64) {
        let start = self.steps[self.position].first_change;
        let end = start + self.changes_of(self.position).len();
        for change in &self.changes[start..end] {
            self.state[change.variable.index()] = value(change);
        }
        self.joint = OnceCell::new();
        if self.is_joint() {
            return;
        }
        for change in &self.changes[start..end] {
            for &event in self.testers.of_variable(change.variable) {
                self.enabled.set(event, self.model.event(event).is_enabled(&self.state));
            }
        }
    }
}
