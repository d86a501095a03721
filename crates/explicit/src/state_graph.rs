//! The state graph of an explored model: its edges, found by firing every event once more in every state.

use crate::digraph::Digraph;
use crate::explore::Charge;
use crate::{Exploration, Reason};
use symbolon_budget::Meter;
use symbolon_model::{EventId, Model, OutOfRange};

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
        for number in 0..self.state_count() {
            self.states.read(number, &mut state);
            for event in model.event_ids() {
                meter.step()?;
                match model.event(event).fire(&state) {
                    Ok(None) => {}
                    Ok(Some(next)) => {
                        edges.push_edge(self.position(&next).expect("X2: every successor was explored"));
                        events.push(event);
                    }
                    Err(OutOfRange(variable)) => return Err(Reason::Overflow { event, variable }),
                }
            }
            edges.push_node();
        }
        Ok(StateGraph { edges, events, _charge: charge })
    }
}
