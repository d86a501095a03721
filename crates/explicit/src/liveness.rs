//! Which events are live: from every reachable state some state that enables the event can still
//! be reached.
//!
//! Every state reaches some *bottom* component: a strongly connected component of the state graph
//! that no edge leaves. Inside one, all states reach each other, and nothing else. So an event is
//! live if and only if every bottom component contains a state that enables it.

use crate::{Exploration, Reason};
use symbolon_budget::{Budget, Meter};
use symbolon_model::{EventId, Model};

impl Exploration {
    /// The events that are live in `model`, whose exploration this is.
    pub fn live_events(&self, model: &Model, budget: &Budget) -> Result<Vec<EventId>, Reason> {
        let mut meter = Meter::new(budget.clone());
        let graph = self.state_graph(model, &mut meter)?;
        let components = graph.edges.components(&mut meter)?;
        let component_count = components.iter().max().map_or(0, |&last| last as usize + 1);

        // Components that an edge leaves.
        let mut is_bottom = vec![true; component_count];
        for number in 0..self.state_count() {
            if graph.edges.successors(number).any(|to| components[to] != components[number]) {
                is_bottom[components[number] as usize] = false;
            }
        }

        // In how many bottom components each event is enabled somewhere.
        let mut by_component: Vec<Vec<usize>> = vec![Vec::new(); component_count];
        for (number, &component) in components.iter().enumerate() {
            if is_bottom[component as usize] {
                by_component[component as usize].push(number);
            }
        }
        let mut bottoms_with = vec![0_usize; model.events.len()];
        let mut last_seen_in = vec![usize::MAX; model.events.len()];
        for (component, members) in by_component.iter().enumerate() {
            for &event in members.iter().flat_map(|&number| &graph.events[graph.edges.edges_of(number)]) {
                meter.step()?;
                if last_seen_in[event.index()] != component {
                    last_seen_in[event.index()] = component;
                    bottoms_with[event.index()] += 1;
                }
            }
        }
        let bottom_count = is_bottom.iter().filter(|&&bottom| bottom).count();
        Ok(model.event_ids().filter(|event| bottoms_with[event.index()] == bottom_count).collect())
    }
}
