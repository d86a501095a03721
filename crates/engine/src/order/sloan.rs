//! `sloan`: small wavefronts, from one far end of the graph to the other.
//!
//! Sloan: A FORTRAN program for profile and wavefront reduction, Int. J. Numerical Methods in
//! Engineering 1989. Meijer and van de Pol (Bandwidth and wavefront reduction for static variable
//! ordering in symbolic reachability analysis, NFM 2016) found it the best of its kind for nets,
//! also on the bipartite graph of variables and events (`sloan-bipartite`), which never blows up.

use super::Order;
use super::graph::Graph;
use super::hypergraph::Hypergraph;
use crate::policy::heuristics::{DISTANCE_WEIGHT, FRONT_WEIGHT};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use symbolon_budget::{Interrupted, Meter};

/// The order by the graph of blocks, or `None` where that is too large.
pub(super) fn sloan(hypergraph: &Hypergraph, meter: &mut Meter) -> Result<Option<Order>, Interrupted> {
    let Some(graph) = Graph::of_blocks(hypergraph) else { return Ok(None) };
    Ok(Some(Order::from_bottom(arrange(&graph, meter)?)))
}

/// The order by the bipartite graph of blocks and supports.
pub(super) fn sloan_bipartite(hypergraph: &Hypergraph, meter: &mut Meter) -> Result<Order, Interrupted> {
    let mut vertices = arrange(&Graph::bipartite(hypergraph), meter)?;
    vertices.retain(|&vertex| (vertex as usize) < hypergraph.vertex_count);
    Ok(Order::from_bottom(vertices))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Inactive,
    /// Next to the front.
    Waiting,
    /// In the front.
    Active,
    Done,
}

/// All vertices, component by component.
fn arrange(graph: &Graph, meter: &mut Meter) -> Result<Vec<u32>, Interrupted> {
    let mut distances = vec![u32::MAX; graph.len()];
    let mut status = vec![Status::Inactive; graph.len()];
    let mut priority = vec![0_i64; graph.len()];
    let mut arranged = Vec::with_capacity(graph.len());
    for inner in graph.component_starts() {
        let (start, end) = graph.far_ends(inner, &mut distances);
        for vertex in graph.distances_from(end, &mut distances) {
            priority[vertex as usize] = DISTANCE_WEIGHT * i64::from(distances[vertex as usize])
                - FRONT_WEIGHT * (graph.degree(vertex) as i64 + 1);
        }
        let mut heap = BinaryHeap::from([(priority[start as usize], Reverse(start))]);
        status[start as usize] = Status::Waiting;
        while let Some((key, Reverse(vertex))) = heap.pop() {
            meter.step()?;
            if status[vertex as usize] == Status::Done || key != priority[vertex as usize] {
                continue;
            }
            let mut raise = |vertex: u32, status: &[Status]| {
                if status[vertex as usize] != Status::Done {
                    priority[vertex as usize] += FRONT_WEIGHT;
                    heap.push((priority[vertex as usize], Reverse(vertex)));
                }
            };
            // What becomes active costs its neighbours no further growth of the front.
            if status[vertex as usize] == Status::Waiting {
                for &other in graph.neighbours.get(vertex) {
                    if status[other as usize] == Status::Inactive {
                        status[other as usize] = Status::Waiting;
                    }
                    raise(other, &status);
                }
            }
            status[vertex as usize] = Status::Done;
            arranged.push(vertex);
            for &other in graph.neighbours.get(vertex) {
                if status[other as usize] == Status::Waiting {
                    status[other as usize] = Status::Active;
                    raise(other, &status);
                    for &further in graph.neighbours.get(other) {
                        if status[further as usize] == Status::Inactive {
                            status[further as usize] = Status::Waiting;
                        }
                        raise(further, &status);
                    }
                }
            }
        }
    }
    Ok(arranged)
}
