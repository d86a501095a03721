//! `cuthill-mckee`: breadth-first from a far end of the block graph, low degrees first.
//!
//! Cuthill, McKee: Reducing the bandwidth of sparse symmetric matrices, ACM National Conference
//! 1969. The far end lands at the bottom; `reverse:cuthill-mckee` is the reverse order of the
//! literature.

use super::Order;
use super::graph::Graph;
use super::hypergraph::Hypergraph;
use symbolon_budget::{Interrupted, Meter};

/// The order, or `None` where the graph of blocks is too large.
pub(super) fn cuthill_mckee(
    hypergraph: &Hypergraph,
    meter: &mut Meter,
) -> Result<Option<Order>, Interrupted> {
    let Some(graph) = Graph::of_blocks(hypergraph) else { return Ok(None) };
    let mut distances = vec![u32::MAX; graph.len()];
    let mut met = vec![false; graph.len()];
    let mut bottom_up: Vec<u32> = Vec::with_capacity(graph.len());
    for start in graph.component_starts() {
        let (end, _) = graph.far_ends(start, &mut distances);
        let mut next = bottom_up.len();
        bottom_up.push(end);
        met[end as usize] = true;
        while next < bottom_up.len() {
            meter.step()?;
            let vertex = bottom_up[next];
            next += 1;
            let from = bottom_up.len();
            for &other in graph.neighbours.get(vertex) {
                if !std::mem::replace(&mut met[other as usize], true) {
                    bottom_up.push(other);
                }
            }
            bottom_up[from..].sort_by_key(|&other| graph.degree(other));
        }
    }
    Ok(Some(Order::from_bottom(bottom_up)))
}
