//! The model itself: a table of variables and a table of events.

use crate::choice::ActionVariable;
use crate::component::Component;
use crate::event::{Event, EventId};
use crate::expr::Predicate;
use crate::facts::Facts;
use crate::observer::Observers;
use crate::origin::Origins;
use crate::variable::{State, Values, Variable, VariableId};

/// A system to be explored.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// What the system is called.
    pub name: String,
    /// The components of a state.
    pub variables: Vec<Variable>,
    /// Where the variables come from in the source.
    pub origins: Origins,
    /// Which numbers each variable may be. Empty, as for nets, which have millions of variables:
    /// any.
    pub values: Vec<Values>,
    /// The initial states, one by one; at least one, unless `initially` describes them.
    pub initial: Vec<State>,
    /// The initial states, described (M4): all that satisfy this. Then `initial` is empty.
    pub initially: Option<Box<Predicate>>,
    /// What agents do in a synchronous step; their ids follow those of the variables.
    pub actions: Vec<ActionVariable>,
    /// What may happen.
    pub events: Vec<Event>,
    /// The tree of components, parents before children; the first, if any, is the root.
    pub components: Vec<Component>,
    /// Who observes what, for questions of knowledge and strategy.
    pub observers: Observers,
    /// What is known of every reachable state before exploring.
    pub facts: Facts,
}

impl Model {
    /// All variable ids, in order.
    pub fn variable_ids(&self) -> impl Iterator<Item = VariableId> + use<> {
        (0..self.variables.len() as u32).map(VariableId)
    }

    /// All event ids, in order.
    pub fn event_ids(&self) -> impl Iterator<Item = EventId> + use<> {
        (0..self.events.len() as u32).map(EventId)
    }

    /// The event with this id.
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// Which numbers the variable with this id may be, and what they are called.
    pub fn values_of(&self, id: VariableId) -> &Values {
        self.values.get(id.index()).unwrap_or(&Values::Natural)
    }

    /// All ids of action variables, in order.
    pub fn action_ids(&self) -> impl Iterator<Item = VariableId> + use<> {
        let first = self.variables.len() as u32;
        (first..first + self.actions.len() as u32).map(VariableId)
    }

    /// What the action variable with this id is; `None` for a variable of the state.
    pub fn action(&self, id: VariableId) -> Option<&ActionVariable> {
        id.index().checked_sub(self.variables.len()).and_then(|index| self.actions.get(index))
    }

    /// Whether the model moves in synchronous steps.
    pub fn is_synchronous(&self) -> bool {
        self.events.iter().any(Event::is_synchronous)
    }

    /// The variable of this name.
    pub fn variable_named(&self, name: &str) -> Option<VariableId> {
        self.variable_ids().find(|id| self.variables[id.index()].name == name)
    }
}
