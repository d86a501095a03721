//! The paths that quantifiers range over: a graph, the states in which paths may end, and what
//! makes a path fair.

use crate::digraph::Digraph;
use crate::explore::Charge;
use symbolon_budget::{Interrupted, Meter};
use symbolon_logic::Paths;

/// A graph whose paths are those of one path semantics.
#[derive(Debug)]
pub(super) struct Structure {
    /// Edges, and the loops at dead states where paths stay there.
    successors: Digraph,
    predecessors: Digraph,
    /// The states in which nothing can happen.
    dead: Vec<bool>,
    /// The states in which a path may end.
    ends: Vec<bool>,
    /// Sets of states, each of which a fair path meets again and again, or ends in.
    constraints: Vec<Vec<bool>>,
    /// The states from which there is a fair path.
    has_path: Vec<bool>,
}

impl Structure {
    /// The structure of a state graph, all of whose paths are fair.
    pub(super) fn new(
        edges: &Digraph,
        paths: Paths,
        charge: &mut Charge,
        meter: &mut Meter,
    ) -> Result<Structure, Interrupted> {
        let state_count = edges.node_count();
        // Both directions, a loop in each state at most, and a few labels.
        charge.add(2 * Digraph::bytes(state_count, edges.edge_count() + state_count))?;
        charge.add(8 * state_count as u64)?;
        let dead: Vec<bool> = (0..state_count).map(|state| edges.edges_of(state).is_empty()).collect();
        let mut successors = Digraph::with_capacity(state_count, edges.edge_count());
        for (state, &is_dead) in dead.iter().enumerate() {
            edges.successors(state).for_each(|to| successors.push_edge(to));
            if is_dead && paths == Paths::Stutter {
                successors.push_edge(state);
            }
            successors.push_node();
        }
        let ends = dead.iter().map(|&dead| dead && paths == Paths::Maximal).collect();
        let predecessors = successors.reversed();
        let mut structure =
            Structure { successors, predecessors, dead, ends, constraints: Vec::new(), has_path: Vec::new() };
        structure.demand(Vec::new(), meter)?;
        Ok(structure)
    }

    /// Makes only those paths fair that meet each of these sets again and again.
    pub(super) fn demand(
        &mut self,
        constraints: Vec<Vec<bool>>,
        meter: &mut Meter,
    ) -> Result<(), Interrupted> {
        self.constraints = constraints;
        self.has_path = self.globally(&vec![true; self.state_count()], meter)?;
        Ok(())
    }

    /// The number of states.
    pub(super) fn state_count(&self) -> usize {
        self.dead.len()
    }

    /// The successors of a state.
    pub(super) fn successors(&self, state: usize) -> impl Iterator<Item = usize> + '_ {
        self.successors.successors(state)
    }

    /// The predecessors of a state.
    pub(super) fn predecessors(&self, state: usize) -> impl Iterator<Item = usize> + '_ {
        self.predecessors.successors(state)
    }

    /// The number of steps between states.
    pub(super) fn edge_count(&self) -> usize {
        self.successors.edge_count()
    }

    /// The states in which nothing can happen.
    pub(super) fn dead(&self) -> &[bool] {
        &self.dead
    }

    /// The states from which there is a fair path.
    pub(super) fn has_path(&self) -> &[bool] {
        &self.has_path
    }

    /// The states that knowledge and strategies range over: all, or under fairness those with a
    /// fair path.
    pub(super) fn universe(&self) -> Vec<bool> {
        if self.constraints.is_empty() { vec![true; self.state_count()] } else { self.has_path.clone() }
    }

    /// What a fair path meets again and again.
    pub(super) fn constraints(&self) -> &[Vec<bool>] {
        &self.constraints
    }

    /// Whether a fair path may end in this state.
    pub(super) fn may_end(&self, state: usize) -> bool {
        self.ends[state] && self.constraints.iter().all(|constraint| constraint[state])
    }

    /// The states from which a walk through states of `within` leads to a state of `target`; the
    /// last state need not lie in `within`.
    pub(super) fn backward(
        &self,
        target: Vec<bool>,
        within: &[bool],
        meter: &mut Meter,
    ) -> Result<Vec<bool>, Interrupted> {
        self.predecessors.reachable(target, |state| within[state], meter)
    }

    /// The states from which a fair path stays in `within`: forever on a cycle that meets every
    /// constraint, or until it ends.
    pub(super) fn globally(&self, within: &[bool], meter: &mut Meter) -> Result<Vec<bool>, Interrupted> {
        let inside = self.successors.restricted_to(within);
        let mut last = inside.on_cycles_through(&self.constraints, meter)?;
        for (state, last) in last.iter_mut().enumerate() {
            *last |= within[state] && self.may_end(state);
        }
        self.backward(last, within, meter)
    }
}
