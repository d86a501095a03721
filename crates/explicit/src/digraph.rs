//! Plain directed graphs with numbered nodes: what is reachable, and what lies on cycles.
//!
//! The state graph of a model is one, and so is the tableau of a formula over it. Everything is a
//! loop with its own stack, and everything long takes a meter.

use symbolon_budget::{Interrupted, Meter};

/// A directed graph: the edges of node `n` lie from `starts[n]` to `starts[n + 1]`, each as the
/// node it leads to.
#[derive(Debug)]
pub(crate) struct Digraph {
    starts: Vec<usize>,
    targets: Vec<u32>,
}

impl Digraph {
    /// A graph without nodes, with room for some.
    pub(crate) fn with_capacity(node_count: usize, edge_count: usize) -> Digraph {
        let mut starts = Vec::with_capacity(node_count + 1);
        starts.push(0);
        Digraph { starts, targets: Vec::with_capacity(edge_count) }
    }

    /// The bytes that a graph of this size takes.
    pub(crate) fn bytes(node_count: usize, edge_count: usize) -> u64 {
        (node_count as u64 + 1) * size_of::<usize>() as u64 + edge_count as u64 * size_of::<u32>() as u64
    }

    /// Adds an edge from the node that is added next.
    pub(crate) fn push_edge(&mut self, to: usize) {
        self.targets.push(to as u32);
    }

    /// Adds a node, with the edges pushed since the last one.
    pub(crate) fn push_node(&mut self) {
        self.starts.push(self.targets.len());
    }

    /// The number of nodes.
    pub(crate) fn node_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of edges.
    pub(crate) fn edge_count(&self) -> usize {
        self.targets.len()
    }

    /// The numbers of the edges of a node.
    pub(crate) fn edges_of(&self, node: usize) -> std::ops::Range<usize> {
        self.starts[node]..self.starts[node + 1]
    }

    /// Where the edges of a node lead to.
    pub(crate) fn successors(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.targets[self.edges_of(node)].iter().map(|&to| to as usize)
    }

    /// The graph with every edge turned round.
    pub(crate) fn reversed(&self) -> Digraph {
        let mut starts = vec![0; self.node_count() + 1];
        for &to in &self.targets {
            starts[to as usize + 1] += 1;
        }
        for node in 0..self.node_count() {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; self.targets.len()];
        for node in 0..self.node_count() {
            for to in self.successors(node) {
                targets[next[to]] = node as u32;
                next[to] += 1;
            }
        }
        Digraph { starts, targets }
    }

    /// The graph with the same nodes and only the edges between nodes that are kept.
    pub(crate) fn restricted_to(&self, kept: &[bool]) -> Digraph {
        let mut restricted = Digraph::with_capacity(self.node_count(), 0);
        for node in 0..self.node_count() {
            if kept[node] {
                self.successors(node).filter(|&to| kept[to]).for_each(|to| restricted.push_edge(to));
            }
            restricted.push_node();
        }
        restricted
    }

    /// The nodes of `from`, and those that a path from there leads to whose later nodes all satisfy
    /// `through`.
    pub(crate) fn reachable(
        &self,
        mut from: Vec<bool>,
        through: impl Fn(usize) -> bool,
        meter: &mut Meter,
    ) -> Result<Vec<bool>, Interrupted> {
        let mut open: Vec<usize> = (0..self.node_count()).filter(|&node| from[node]).collect();
        while let Some(node) = open.pop() {
            for to in self.successors(node) {
                meter.step()?;
                if !from[to] && through(to) {
                    from[to] = true;
                    open.push(to);
                }
            }
        }
        Ok(from)
    }

    /// The nodes from which a cycle can be walked that meets each of `sets`: those of the strongly
    /// connected components with an edge inside that meet each of them.
    pub(crate) fn on_cycles_through(
        &self,
        sets: &[Vec<bool>],
        meter: &mut Meter,
    ) -> Result<Vec<bool>, Interrupted> {
        let component = self.components(meter)?;
        let component_count = component.iter().max().map_or(0, |&last| last as usize + 1);
        let mut is_good = vec![false; component_count];
        for node in 0..self.node_count() {
            if self.successors(node).any(|to| component[to] == component[node]) {
                is_good[component[node] as usize] = true;
            }
        }
        for set in sets {
            let mut meets = vec![false; component_count];
            for node in (0..self.node_count()).filter(|&node| set[node]) {
                meets[component[node] as usize] = true;
            }
            is_good.iter_mut().zip(meets).for_each(|(good, meets)| *good &= meets);
        }
        Ok(component.iter().map(|&component| is_good[component as usize]).collect())
    }

    /// The number of the strongly connected component of each node, by Tarjan's algorithm (SIAM
    /// Journal on Computing, 1972), written with its own stack.
    pub(crate) fn components(&self, meter: &mut Meter) -> Result<Vec<u32>, Interrupted> {
        const UNSEEN: u32 = u32::MAX;
        let mut component = vec![UNSEEN; self.node_count()];
        let mut component_count = 0;
        // Tarjan's numbers: when a node was first seen, and the earliest node on the stack it
        // reaches.
        let mut seen_at = vec![UNSEEN; self.node_count()];
        let mut reaches = vec![UNSEEN; self.node_count()];
        let mut clock = 0;
        let mut open = Vec::new();
        // Calls under way: a node, and which of its edges comes next.
        let mut calls: Vec<(usize, usize)> = Vec::new();

        for root in 0..self.node_count() {
            if seen_at[root] == UNSEEN {
                calls.push((root, self.starts[root]));
            }
            while let Some((node, edge)) = calls.pop() {
                meter.step()?;
                if seen_at[node] == UNSEEN {
                    seen_at[node] = clock;
                    reaches[node] = clock;
                    clock += 1;
                    open.push(node);
                }
                if edge < self.starts[node + 1] {
                    let to = self.targets[edge] as usize;
                    if seen_at[to] == UNSEEN {
                        // Look at this edge again when `to` is finished.
                        calls.push((node, edge));
                        calls.push((to, self.starts[to]));
                    } else {
                        if component[to] == UNSEEN {
                            reaches[node] = reaches[node].min(reaches[to]);
                        }
                        calls.push((node, edge + 1));
                    }
                } else if reaches[node] == seen_at[node] {
                    while let Some(member) = open.pop() {
                        component[member] = component_count;
                        if member == node {
                            break;
                        }
                    }
                    component_count += 1;
                }
            }
        }
        Ok(component)
    }
}
