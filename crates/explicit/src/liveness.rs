//! Which events are live: from every reachable state some state that enables the event can still
//! be reached.
//!
//! Every state reaches some *bottom* component: a strongly connected component of the state graph
//! that no edge leaves. Inside one, all states reach each other, and nothing else. So an event is
//! live if and only if every bottom component contains a state that enables it. The components are
//! found with Tarjan's algorithm (SIAM Journal on Computing, 1972), written with its own stack.

use crate::explore::Charge;
use crate::{Exploration, Reason};
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_model::{EventId, Model, OutOfRange};

/// The edges of the state graph: the successors of state `n` lie from `starts[n]` to `starts[n + 1]`.
struct Graph {
    starts: Vec<usize>,
    edges: Vec<(EventId, u32)>,
    _charge: Charge,
}

impl Exploration {
    /// The events that are live in `model`, whose exploration this is.
    pub fn live_events(&self, model: &Model, budget: &Budget) -> Result<Vec<EventId>, Reason> {
        let mut meter = Meter::new(budget.clone());
        let graph = self.graph(model, &mut meter)?;
        let components = components(&graph, &mut meter)?;
        let component_count = components.iter().max().map_or(0, |&last| last as usize + 1);

        // Components that an edge leaves.
        let mut is_bottom = vec![true; component_count];
        for (number, successors) in graph.all() {
            let leaves = |&(_, to): &(EventId, u32)| components[to as usize] != components[number];
            if successors.iter().any(leaves) {
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
            for &(event, _) in members.iter().flat_map(|&number| graph.successors(number)) {
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

    /// All edges, found by firing every event once more in every state.
    fn graph(&self, model: &Model, meter: &mut Meter) -> Result<Graph, Reason> {
        let mut charge = Charge { bytes: 0, budget: meter.budget().clone() };
        let edge_count = self.edge_count() as usize;
        // The edges, their starts, and what the search for components needs per state.
        charge.add((edge_count * size_of::<(EventId, u32)>() + self.state_count() * 48) as u64)?;
        let mut starts = vec![0];
        let mut edges = Vec::with_capacity(edge_count);
        let mut state = vec![0; self.length];
        for number in 0..self.state_count() {
            self.states.read(number, &mut state);
            for event in model.event_ids() {
                meter.step()?;
                match model.event(event).fire(&state) {
                    Ok(None) => {}
                    Ok(Some(next)) => {
                        let to = self.position(&next).expect("X2: every successor was explored");
                        edges.push((event, to as u32));
                    }
                    Err(OutOfRange(variable)) => return Err(Reason::Overflow { event, variable }),
                }
            }
            starts.push(edges.len());
        }
        Ok(Graph { starts, edges, _charge: charge })
    }
}

impl Graph {
    fn state_count(&self) -> usize {
        self.starts.len() - 1
    }

    fn successors(&self, number: usize) -> &[(EventId, u32)] {
        &self.edges[self.starts[number]..self.starts[number + 1]]
    }

    fn all(&self) -> impl Iterator<Item = (usize, &[(EventId, u32)])> {
        (0..self.state_count()).map(|number| (number, self.successors(number)))
    }
}

/// The number of the strongly connected component of each state.
fn components(graph: &Graph, meter: &mut Meter) -> Result<Vec<u32>, Interrupted> {
    const UNSEEN: u32 = u32::MAX;
    let mut component = vec![UNSEEN; graph.state_count()];
    let mut component_count = 0;
    // Tarjan's numbers: when a state was first seen, and the earliest state on the stack it reaches.
    let mut seen_at = vec![UNSEEN; graph.state_count()];
    let mut reaches = vec![UNSEEN; graph.state_count()];
    let mut clock = 0;
    let mut open = Vec::new();
    // Calls under way: a state, and which of its edges comes next.
    let mut calls: Vec<(usize, usize)> = Vec::new();

    for root in 0..graph.state_count() {
        if seen_at[root] == UNSEEN {
            calls.push((root, graph.starts[root]));
        }
        while let Some((number, edge)) = calls.pop() {
            meter.step()?;
            if seen_at[number] == UNSEEN {
                seen_at[number] = clock;
                reaches[number] = clock;
                clock += 1;
                open.push(number);
            }
            if edge < graph.starts[number + 1] {
                let to = graph.edges[edge].1 as usize;
                if seen_at[to] == UNSEEN {
                    // Look at this edge again when `to` is finished.
                    calls.push((number, edge));
                    calls.push((to, graph.starts[to]));
                } else {
                    if component[to] == UNSEEN {
                        reaches[number] = reaches[number].min(reaches[to]);
                    }
                    calls.push((number, edge + 1));
                }
            } else if reaches[number] == seen_at[number] {
                while let Some(member) = open.pop() {
                    component[member] = component_count;
                    if member == number {
                        break;
                    }
                }
                component_count += 1;
            }
        }
    }
    Ok(component)
}
