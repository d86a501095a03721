//! Lines of agents that would leave the range of a variable, found by exploring.

use crate::explore::{Options, Stopped, explore};
use crate::joint_trace::JointTrace;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_model::{Model, Step};

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
