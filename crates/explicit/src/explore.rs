//! Breadth-first exploration: from the initial states, fire every event in every state found.
//!
//! An event that is a synchronous step leads to as many states as the choices of the agents have
//! outcomes; all of them are found, and how many ways there are is not counted.

use crate::initial_states::each_initial_state;
use crate::joint_trace::{JointTrace, joint_trace_along};
use crate::table::StateTable;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_model::{EventId, Model, OutOfRange, State, Step, Trace, VariableId};

/// How far an exploration may go.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Stop when there are more states than this.
    pub state_limit: Option<usize>,
}

/// All states that a model can reach, and what was seen on the way.
#[derive(Debug)]
pub struct Exploration {
    pub(crate) states: StateTable,
    pub(crate) length: usize,
    /// For each state the state and the event that led to it first; initial states lead to
    /// themselves.
    parents: Vec<(u32, EventId)>,
    /// The number of the first state of each layer of the search.
    layers: Vec<usize>,
    initial_count: usize,
    edge_count: u64,
    pub(crate) is_synchronous: bool,
    dead: Vec<usize>,
    ever_enabled: Vec<bool>,
    largest: Vec<u64>,
    smallest: Vec<u64>,
    largest_sum: u128,
    charge: Charge,
}

/// An exploration that ended before all states were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped after {states} states: {reason}")]
pub struct Stopped {
    /// Why.
    pub reason: Reason,
    /// The number of distinct states found until then.
    pub states: usize,
}

/// Why an exploration stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The budget ran out.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// An enabled event would give a variable a value that no state can hold.
    #[error("an event drives a variable beyond the largest value")]
    Overflow {
        /// The event.
        event: EventId,
        /// The variable.
        variable: VariableId,
    },
    /// There are more states than [`Options::state_limit`].
    #[error("there are more states than the limit")]
    StateLimit,
    /// A path formula has so many temporal operators that its tableau would have 2^32 nodes or
    /// more.
    #[error("a path formula is too large for its tableau")]
    FormulaTooLarge,
    /// Something in an atom is divided by 0.
    #[error("something in the formula is divided by 0")]
    AtomWithoutValue,
    /// Fairness constraints and operands of knowledge operators must speak about states, and a
    /// strategy is for `X`, `F`, `G` or `U`.
    #[error("the formula is of a kind that is not checked explicitly")]
    Unsupported,
    /// The formula speaks of an agent or a group that the model does not have.
    #[error("the formula speaks of an agent or a group that the model does not have")]
    UnknownAgent,
}

/// Visits every state that `model` can reach.
pub fn explore(model: &Model, options: &Options, budget: &Budget) -> Result<Exploration, Stopped> {
    search(model, options, budget, |_| false).map(|(exploration, _)| exploration)
}

/// A shortest trace from an initial state to a state of which `wanted` holds, or `None` if no such
/// state can be reached. The search ends at the first such state.
pub fn find(
    model: &Model,
    options: &Options,
    budget: &Budget,
    wanted: impl FnMut(&[u64]) -> bool,
) -> Result<Option<Trace>, Stopped> {
    let (exploration, found) = search(model, options, budget, wanted)?;
    Ok(found.map(|number| exploration.trace_to(number)))
}

/// The same of a model that moves in synchronous steps, with what every agent does.
pub fn find_joint(
    model: &Model,
    options: &Options,
    budget: &Budget,
    wanted: impl FnMut(&[u64]) -> bool,
) -> Result<Option<JointTrace>, Stopped> {
    let (exploration, found) = search(model, options, budget, wanted)?;
    Ok(found.map(|number| exploration.joint_trace_to(model, number)))
}

/// Explores until a state is wanted; the answer names that state, which is the last one found.
fn search(
    model: &Model,
    options: &Options,
    budget: &Budget,
    mut wanted: impl FnMut(&[u64]) -> bool,
) -> Result<(Exploration, Option<usize>), Stopped> {
    let mut found = Exploration::new(model, budget);
    let mut meter = Meter::new(budget.clone());
    let target = found.run(model, options, &mut meter, &mut wanted);
    match target {
        Ok(target) => Ok((found, target)),
        Err(reason) => Err(Stopped { reason, states: found.state_count() }),
    }
}

impl Exploration {
    fn new(model: &Model, budget: &Budget) -> Self {
        let length = model.variables.len();
        Exploration {
            states: StateTable::new(length, budget),
            length,
            parents: Vec::new(),
            layers: Vec::new(),
            initial_count: 0,
            edge_count: 0,
            is_synchronous: model.is_synchronous(),
            dead: Vec::new(),
            ever_enabled: vec![false; model.events.len()],
            largest: vec![0; length],
            smallest: vec![u64::MAX; length],
            largest_sum: 0,
            charge: Charge { bytes: 0, budget: budget.clone() },
        }
    }

    fn run(
        &mut self,
        model: &Model,
        options: &Options,
        meter: &mut Meter,
        wanted: &mut dyn FnMut(&[u64]) -> bool,
    ) -> Result<Option<usize>, Reason> {
        self.layers.push(0);
        if let Some(target) = self.start(model, options, meter, wanted)? {
            return Ok(Some(target));
        }
        let mut state = vec![0; self.length];
        let mut next_layer = self.state_count();
        let mut number = 0;
        while number < self.state_count() {
            if number == next_layer {
                self.layers.push(number);
                next_layer = self.state_count();
            }
            if number.is_multiple_of(1024) {
                meter.budget().progress().report(self.state_count() as u64, meter.steps());
            }
            self.states.read(number, &mut state);
            let mut is_dead = true;
            let mut target = None;
            for event in model.event_ids() {
                meter.step()?;
                each_successor(model, event, self.is_synchronous, &state, |next| {
                    if self.is_synchronous {
                        meter.step()?;
                    }
                    is_dead = false;
                    self.edge_count += 1;
                    self.ever_enabled[event.index()] = true;
                    if self.add(next, (number as u32, event), options)? && wanted(next) {
                        target = Some(self.state_count() - 1);
                        return Ok(false);
                    }
                    Ok(true)
                })?;
                if target.is_some() {
                    return Ok(target);
                }
            }
            if is_dead {
                self.dead.push(number);
            }
            number += 1;
        }
        Ok(None)
    }

    /// Stores the initial states, up to one that is wanted.
    fn start(
        &mut self,
        model: &Model,
        options: &Options,
        meter: &mut Meter,
        wanted: &mut dyn FnMut(&[u64]) -> bool,
    ) -> Result<Option<usize>, Reason> {
        let mut target = None;
        let mut found = |initial: &[u64]| -> Result<(), Reason> {
            // An initial state is its own parent; its event is never looked at.
            let parent = (self.state_count() as u32, EventId(u32::MAX));
            if target.is_none() && self.add(initial, parent, options)? && wanted(initial) {
                target = Some(self.state_count() - 1);
            }
            Ok(())
        };
        for initial in &model.initial {
            found(initial)?;
        }
        if let Some(initially) = &model.initially {
            each_initial_state(model, initially, meter, &mut found)?;
        }
        self.initial_count = self.state_count();
        Ok(target)
    }

    /// Stores a state with the way that led to it, unless it is known. The answer is whether it is
    /// new.
    fn add(&mut self, state: &[u64], parent: (u32, EventId), options: &Options) -> Result<bool, Reason> {
        let (number, is_new) = self.states.insert(state)?;
        if !is_new {
            return Ok(false);
        }
        if self.parents.len() == self.parents.capacity() {
            let more = self.parents.len().max(1024);
            self.charge.add((more * size_of::<(u32, EventId)>()) as u64)?;
            self.parents.reserve_exact(more);
        }
        self.parents.push(parent);
        let mut sum = 0_u128;
        for (variable, &value) in state.iter().enumerate() {
            self.largest[variable] = self.largest[variable].max(value);
            self.smallest[variable] = self.smallest[variable].min(value);
            sum += u128::from(value);
        }
        self.largest_sum = self.largest_sum.max(sum);
        if options.state_limit.is_some_and(|limit| number >= limit) {
            return Err(Reason::StateLimit);
        }
        Ok(true)
    }

    /// The number of states.
    pub fn state_count(&self) -> usize {
        self.states.count()
    }

    /// The number of pairs of a state and an event enabled in it. A synchronous step counts once
    /// for each way in which it was taken, which says little; [`Exploration::edges`] does not.
    pub fn edge_count(&self) -> u64 {
        self.edge_count
    }

    /// The number of pairs of a state and an event enabled in it; not counted where events are
    /// synchronous steps.
    pub fn edges(&self) -> Option<u64> {
        (!self.is_synchronous).then_some(self.edge_count)
    }

    /// The number of distinct initial states, which have the first numbers.
    pub fn initial_count(&self) -> usize {
        self.initial_count
    }

    /// The state with this number, in breadth-first order (EXPLICIT-X1).
    pub fn state(&self, number: usize) -> State {
        let mut state = vec![0; self.length];
        self.states.read(number, &mut state);
        state.into()
    }

    /// All states, in breadth-first order (EXPLICIT-X1).
    pub fn states(&self) -> impl Iterator<Item = State> + '_ {
        (0..self.state_count()).map(|number| self.state(number))
    }

    /// The number of `state`, if it can be reached.
    pub fn position(&self, state: &[u64]) -> Option<usize> {
        self.states.position(state)
    }

    /// Whether `state` can be reached.
    pub fn contains(&self, state: &[u64]) -> bool {
        self.position(state).is_some()
    }

    /// The greatest distance of a state from the initial states.
    pub fn depth(&self) -> usize {
        self.layers.len() - 1
    }

    /// The number of states at each distance from the initial states.
    pub fn layer_sizes(&self) -> impl Iterator<Item = usize> + '_ {
        let ends = self.layers[1..].iter().copied().chain([self.state_count()]);
        self.layers.iter().zip(ends).map(|(first, end)| end - first)
    }

    /// The least number of events that lead from an initial state to the state with this number.
    pub fn distance(&self, number: usize) -> usize {
        self.layers.partition_point(|&first| first <= number) - 1
    }

    /// The numbers of the states in which no event is enabled, ascending.
    pub fn dead_states(&self) -> &[usize] {
        &self.dead
    }

    /// The largest value of each variable.
    pub fn variable_maxima(&self) -> &[u64] {
        &self.largest
    }

    /// The largest value of any variable in any state.
    pub fn max_in_variable(&self) -> u64 {
        self.largest.iter().copied().max().unwrap_or(0)
    }

    /// The largest sum of all values of one state.
    pub fn max_sum(&self) -> u128 {
        self.largest_sum
    }

    /// The variables that have the same value in all states.
    pub fn constant_variables(&self) -> Vec<VariableId> {
        let is_constant = |&id: &VariableId| self.largest[id.index()] == self.smallest[id.index()];
        (0..self.length as u32).map(VariableId).filter(is_constant).collect()
    }

    /// The events that are enabled in some state.
    pub fn quasi_live_events(&self) -> Vec<EventId> {
        let all = (0..self.ever_enabled.len() as u32).map(EventId);
        all.filter(|event| self.ever_enabled[event.index()]).collect()
    }

    /// A shortest run to the state with this number, of a model that moves in synchronous steps.
    pub fn joint_trace_to(&self, model: &Model, number: usize) -> JointTrace {
        let way = self.way_to(number);
        let mut states = way.iter().map(|&(number, _)| self.state(number));
        let initial = states.next().expect("a way has a first state");
        let steps: Vec<(EventId, State)> = way[1..].iter().map(|&(_, event)| event).zip(states).collect();
        joint_trace_along(model, initial, steps).expect("the steps that were taken can be taken again")
    }

    /// A shortest trace to the state with this number.
    pub fn trace_to(&self, number: usize) -> Trace {
        let way = self.way_to(number);
        Trace { initial: self.state(way[0].0), events: way[1..].iter().map(|&(_, event)| event).collect() }
    }

    /// The states on a shortest way to the state with this number, each with the event that led to
    /// it; the event of the first is never looked at.
    pub(crate) fn way_to(&self, number: usize) -> Vec<(usize, EventId)> {
        let mut way = vec![(number, self.parents[number].1)];
        let mut number = number;
        while self.parents[number].0 as usize != number {
            number = self.parents[number].0 as usize;
            way.push((number, self.parents[number].1));
        }
        way.reverse();
        way
    }

    /// A shortest trace to a state of which `wanted` holds, if one can be reached.
    pub fn shortest_trace(&self, mut wanted: impl FnMut(&[u64]) -> bool) -> Option<Trace> {
        let mut state = vec![0; self.length];
        let mut is_wanted = |&number: &usize| {
            self.states.read(number, &mut state);
            wanted(&state)
        };
        (0..self.state_count()).find(&mut is_wanted).map(|number| self.trace_to(number))
    }
}

/// Calls `found` with each state that `event` leads to, until it fails or says `false`. States may
/// repeat. Whether some event of the model is synchronous is known to the caller: to find out takes
/// as long as to fire an event.
pub(crate) fn each_successor(
    model: &Model,
    event: EventId,
    some_are_synchronous: bool,
    state: &[u64],
    mut found: impl FnMut(&State) -> Result<bool, Reason>,
) -> Result<(), Reason> {
    let definition = model.event(event);
    if some_are_synchronous && definition.is_synchronous() {
        let mut outcome = Ok(());
        Step::new(model, definition).for_each(state, |_, next| match found(next) {
            Ok(goes_on) => goes_on,
            Err(reason) => {
                outcome = Err(reason);
                false
            }
        });
        return outcome;
    }
    match definition.fire(state) {
        Ok(None) => Ok(()),
        Ok(Some(next)) => found(&next).map(|_| ()),
        Err(OutOfRange(variable)) => Err(Reason::Overflow { event, variable }),
    }
}

/// Bytes charged to a budget, given back at the end.
#[derive(Debug)]
pub(crate) struct Charge {
    pub(crate) bytes: u64,
    pub(crate) budget: Budget,
}

impl Charge {
    /// Charges `bytes` more.
    pub(crate) fn add(&mut self, bytes: u64) -> Result<(), Interrupted> {
        self.budget.memory().charge(bytes)?;
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.budget.memory().release(self.bytes);
    }
}
