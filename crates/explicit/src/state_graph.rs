//! The state graph of an explored model: its edges, found by firing every event once more in every
//! state.

use crate::digraph::Digraph;
use crate::explore::{Charge, each_successor};
use crate::{Exploration, Reason};
use symbolon_budget::Meter;
use symbolon_model::{EventId, Model};

/// The edges between reachable states.
#[derive(Debug)]
pub(crate) struct StateGraph {
    /// Nodes are the numbers of states.
    pub(crate) edges: Digraph,
    /// What happens along each edge.
    pub(crate) events: Vec<EventId>,
    _charge: Charge,
}

impl Exploration {
    /// The state graph of `model`, whose exploration this is.
    pub(crate) fn state_graph(&self, model: &Model, meter: &mut Meter) -> Result<StateGraph, Reason> {
        let mut charge = Charge { bytes: 0, budget: meter.budget().clone() };
        let edge_count = self.edge_count() as usize;
        // The edges, what happens along them, and what the search for components needs per state.
        charge.add(
            Digraph::bytes(self.state_count(), edge_count)
                + (edge_count * size_of::<EventId>() + self.state_count() * 40) as u64,
        )?;
        let mut edges = Digraph::with_capacity(self.state_count(), edge_count);
        let mut events = Vec::with_capacity(edge_count);
        let mut state = vec![0; self.length];
        let mut targets = Vec::new();
        for number in 0..self.state_count() {
            self.states.read(number, &mut state);
            for event in model.event_ids() {
                meter.step()?;
                targets.clear();
                each_successor(model, event, self.is_synchronous, &state, |next| {
                    if self.is_synchronous {
                        meter.step()?;
                    }
                    targets.push(self.position(next).expect("X2: every successor was explored"));
                    Ok(true)
                })?;
                // A synchronous step may lead to one state in many ways.
                targets.sort_unstable();
                targets.dedup();
                for &target in &targets {
                    edges.push_edge(target);
                    events.push(event);
                }
            }
            edges.push_node();
        }
        Ok(StateGraph { edges, events, _charge: charge })
    }
}
