//! All reachable states one by one, and the steps between them, for use by other programs.

use crate::loaded::Loaded;
use crate::stop::Stop;

use crate::value_names::{ShownValue, joint_action_label, shown_state};
use symbolon_budget::{Budget, Meter};
use symbolon_explicit::{self as explicit, Stopped};
use symbolon_model::{State, Step};

/// States and steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateList {
    /// The states, in the order of a breadth-first search.
    pub states: Vec<Vec<(String, ShownValue)>>,
    /// From where to where, by their numbers, and what happens; each once.
    pub steps: Vec<(usize, usize, String)>,
}

/// Lists all reachable states, if there are no more than `state_limit`.
pub(crate) fn list_states(loaded: &Loaded, state_limit: usize, budget: &Budget) -> Result<StateList, Stop> {
    let limits = explicit::Options { state_limit: Some(state_limit) };
    let explored = explicit::explore(&loaded.model, &limits, budget)?;
    let model = &loaded.model;
    let mut meter = Meter::new(budget.clone());
    let mut list = StateList::default();
    for (number, state) in explored.states().enumerate() {
        if let Err(why) = meter.step() {
            let stopped = Stopped { reason: why.into(), states: explored.state_count() };
            return Err(stopped.into());
        }
        let first = list.steps.len();
        let mut add = |next: &State, label: String| {
            if let Some(to) = explored.position(next) {
                list.steps.push((number, to, label));
            }
        };
        for event in &model.events {
            if event.is_synchronous() {
                Step::new(model, event).for_each(&state, |action, next| {
                    add(next, joint_action_label(model, action));
                    true
                });
            } else if let Ok(Some(next)) = event.fire(&state) {
                add(&next, event.name.clone());
            }
        }
        list.steps[first..].sort();
        list.steps.dedup();
        list.states.push(shown_state(model, &state));
    }
    Ok(list)
}
