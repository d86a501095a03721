//! The units or pages of a net as agents, so that formulas can ask what they know.
//!
//! A unit sees the places inside it, those of the units within it among them, and nothing else: it
//! cannot distinguish two markings that agree there. Units do not act, so nothing is said
//! about strategies.

use crate::loaded::{Language, Loaded};
use symbolon_model::{Group, Observer, ObserverId, Observers, Predicate, VariableId};

/// The group of all units that have no unit within them.
const ALL: &str = "all";

impl Loaded {
    /// Makes agents of the units or pages of a net, and a group `all` of the innermost ones, unless
    /// a unit is called so.
    pub fn name_units_as_agents(&mut self) {
        if self.language() != Language::Net || !self.model.observers.list.is_empty() {
            return;
        }
        let components = &self.model.components;
        let mut seen: Vec<Vec<VariableId>> =
            components.iter().map(|component| component.variables.clone()).collect();
        let mut is_innermost = vec![true; components.len()];
        // Parents stand before their children, so that what is inside has been gathered when it is
        // handed up.
        for index in (0..components.len()).rev() {
            if let Some(parent) = components[index].parent {
                let inside = seen[index].clone();
                seen[parent.0 as usize].extend(inside);
                is_innermost[parent.0 as usize] = false;
            }
        }
        let observer = |(component, mut variables): (&symbolon_model::Component, Vec<VariableId>)| {
            variables.sort_unstable();
            Observer { name: component.name.clone(), variables, action: None, red: Predicate::False }
        };
        let list: Vec<Observer> = components.iter().zip(seen).map(observer).collect();
        let ids = (0..list.len() as u32).map(ObserverId);
        let members: Vec<ObserverId> = ids.filter(|id| is_innermost[id.index()]).collect();
        let has_group = !members.is_empty() && list.iter().all(|observer| observer.name != ALL);
        let groups = if has_group { vec![Group { name: ALL.to_string(), members }] } else { Vec::new() };
        self.model.observers = Observers { list, groups };
    }
}
