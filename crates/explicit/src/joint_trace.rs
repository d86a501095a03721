//! Runs of models that move in synchronous steps: what every agent does, and the state that
//! follows.
//!
//! A step may lead to several states, so a run names both. Like all witnesses, a run is walked here
//! before anybody sees it.

use crate::{Exploration, Options, ReplayError, Stopped, explore};
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_model::{EventId, Model, State, Step};

/// A run: an initial state, and steps one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointTrace {
    /// Where the run starts.
    pub initial: State,
    /// What happens, in order.
    pub steps: Vec<JointStep>,
}

/// What all agents do, and where that leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointStep {
    /// The event that the step is.
    pub event: EventId,
    /// A value for each action variable of the model.
    pub action: Box<[u64]>,
    /// The state that follows.
    pub state: State,
}

/// A line of a reaction that is enabled in a reachable state and would leave the range of a
/// variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overflow {
    /// A shortest run to the state.
    pub trace: JointTrace,
    /// What the agents do there.
    pub action: Box<[u64]>,
    /// The number of the reaction among those of its event.
    pub reaction: usize,
    /// The number of the line in its reaction.
    pub line: usize,
}

impl JointTrace {
    /// The state in which the run ends.
    pub fn last(&self) -> &State {
        self.steps.last().map_or(&self.initial, |step| &step.state)
    }
}

/// Walks along `trace`: it starts in an initial state, and each step is one that the agents can
/// take.
pub fn replay_joint(model: &Model, trace: &JointTrace) -> Result<(), ReplayError> {
    if !is_initial(model, &trace.initial) {
        return Err(ReplayError::NotInitial);
    }
    walk_joint(model, trace)
}

/// Whether a state is listed as an initial one, or fits their description.
pub(crate) fn is_initial(model: &Model, state: &State) -> bool {
    let is_described = || model.initially.as_ref().is_some_and(|set| set.holds(state) == Some(true));
    let fits = state.len() == model.variables.len()
        && model
            .variable_ids()
            .all(|id| model.values_of(id).count().is_none_or(|count| state[id.index()] < count));
    model.initial.contains(state) || (fits && is_described())
}

/// Walks along `trace`, wherever it starts.
pub(crate) fn walk_joint(model: &Model, trace: &JointTrace) -> Result<(), ReplayError> {
    let mut before = &trace.initial;
    for (number, step) in trace.steps.iter().enumerate() {
        let Some(event) = model.events.get(step.event.index()) else {
            return Err(ReplayError::UnknownEvent { step: number });
        };
        if !Step::new(model, event).leads(before, &step.action, &step.state) {
            return Err(ReplayError::NotEnabled { step: number, event: step.event });
        }
        before = &step.state;
    }
    Ok(())
}

/// The run through these states, with a joint action for each step; `None` where no action leads
/// from one to the next.
pub fn joint_trace_along(
    model: &Model,
    initial: State,
    states: impl IntoIterator<Item = (EventId, State)>,
) -> Option<JointTrace> {
    let mut trace = JointTrace { initial, steps: Vec::new() };
    for (event, state) in states {
        let step = Step::new(model, model.event(event));
        let action = step.action_between(trace.last(), &state)?;
        trace.steps.push(JointStep { event, action, state });
    }
    Some(trace)
}

/// Every line that can leave the range of a variable in a reachable state, each with a shortest run
/// to such a state.
pub fn find_overflows(model: &Model, options: &Options, budget: &Budget) -> Result<Vec<Overflow>, Stopped> {
    let exploration = explore(model, options, budget)?;
    let mut found: Vec<Overflow> = Vec::new();
    let mut meter = Meter::new(budget.clone());
    for (number, state) in exploration.states().enumerate() {
        let stopped = |why: Interrupted| Stopped { reason: why.into(), states: exploration.state_count() };
        meter.step().map_err(stopped)?;
        for event in model.events.iter().filter(|event| event.is_synchronous()) {
            Step::new(model, event).for_each_overflow(&state, |action, reaction, line| {
                let is_known = found.iter().any(|known| (known.reaction, known.line) == (reaction, line));
                if !is_known {
                    let trace = exploration.joint_trace_to(model, number);
                    found.push(Overflow { trace, action: action.into(), reaction, line });
                }
                true
            });
        }
    }
    found.sort_by_key(|overflow| (overflow.reaction, overflow.line));
    Ok(found)
}

impl Exploration {
    /// A shortest run to the state with this number, of a model that moves in synchronous steps.
    pub fn joint_trace_to(&self, model: &Model, number: usize) -> JointTrace {
        let way = self.way_to(number);
        let mut states = way.iter().map(|&(number, _)| self.state(number));
        let initial = states.next().expect("a way has a first state");
        let steps: Vec<(EventId, State)> = way[1..].iter().map(|&(_, event)| event).zip(states).collect();
        joint_trace_along(model, initial, steps).expect("the steps that were taken can be taken again")
    }
}
