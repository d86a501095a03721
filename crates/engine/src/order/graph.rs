//! The graph behind bandwidth heuristics: blocks that share an event are neighbours.

use super::hypergraph::Hypergraph;
use super::lists::Lists;
use crate::policy::heuristics::MOST_PAIRS;

/// An undirected graph; the first vertices are the blocks.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// For each vertex its neighbours, ascending, each once.
    pub(super) neighbours: Lists,
}

impl Graph {
    /// Blocks that share an event are neighbours. `None` if that would be too many pairs.
    pub(super) fn of_blocks(hypergraph: &Hypergraph) -> Option<Self> {
        let pairs = hypergraph.supports.iter().map(|support| support.len().saturating_mul(support.len()));
        if pairs.fold(0_usize, usize::saturating_add) > MOST_PAIRS {
            return None;
        }
        let mut neighbours = Lists::new();
        let mut found: Vec<u32> = Vec::new();
        for block in 0..hypergraph.vertex_count as u32 {
            found.clear();
            for &support in hypergraph.supports_of.get(block) {
                found.extend(hypergraph.supports.get(support).iter().filter(|&&other| other != block));
            }
            found.sort_unstable();
            found.dedup();
            neighbours.push(&found);
        }
        Some(Graph { neighbours })
    }

    /// Blocks and supports are vertices, the supports behind the blocks; a support is the neighbour
    /// of the blocks it touches. Never larger than the model.
    pub(super) fn bipartite(hypergraph: &Hypergraph) -> Self {
        let block_count = hypergraph.vertex_count as u32;
        let mut neighbours = Lists::new();
        let mut found: Vec<u32> = Vec::new();
        for block in 0..block_count {
            found.clear();
            found.extend(hypergraph.supports_of.get(block).iter().map(|support| support + block_count));
            neighbours.push(&found);
        }
        for support in hypergraph.supports.iter() {
            neighbours.push(support);
        }
        Graph { neighbours }
    }

    /// The number of vertices.
    pub(super) fn len(&self) -> usize {
        self.neighbours.len()
    }

    /// The number of neighbours of a vertex.
    pub(super) fn degree(&self, vertex: u32) -> usize {
        self.neighbours.get(vertex).len()
    }

    /// Distances from `start` (`u32::MAX` where there is no way) into `distances`, which must hold
    /// `u32::MAX` for the whole component; returns the vertices met, in breadth-first order.
    pub(super) fn distances_from(&self, start: u32, distances: &mut [u32]) -> Vec<u32> {
        let mut met = vec![start];
        distances[start as usize] = 0;
        let mut next = 0;
        while next < met.len() {
            let vertex = met[next];
            next += 1;
            for &other in self.neighbours.get(vertex) {
                if distances[other as usize] == u32::MAX {
                    distances[other as usize] = distances[vertex as usize] + 1;
                    met.push(other);
                }
            }
        }
        met
    }

    /// Two vertices far apart in the component of `start` (George and Liu): from the far end of one
    /// breadth-first search start the next, while the distance grows.
    pub(super) fn far_ends(&self, start: u32, distances: &mut [u32]) -> (u32, u32) {
        let (mut near, mut far, mut eccentricity) = (start, start, 0);
        // Each repetition must find a longer distance; a few suffice on all but odd graphs.
        for _ in 0..12 {
            let met = self.distances_from(near, distances);
            let last = met.last().map_or(0, |&vertex| distances[vertex as usize]);
            let of_last = met.iter().filter(|&&vertex| distances[vertex as usize] == last);
            let end = of_last.min_by_key(|&&vertex| (self.degree(vertex), vertex)).copied().unwrap_or(near);
            met.iter().for_each(|&vertex| distances[vertex as usize] = u32::MAX);
            if last <= eccentricity && far != near {
                break;
            }
            (near, far, eccentricity) = (end, near, last);
        }
        (near, far)
    }

    /// A vertex of least degree in each component, by component.
    pub(super) fn component_starts(&self) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.len()];
        let mut starts = Vec::new();
        for vertex in 0..self.len() as u32 {
            if distances[vertex as usize] == u32::MAX {
                let met = self.distances_from(vertex, &mut distances);
                starts.extend(met.into_iter().min_by_key(|&v| (self.degree(v), v)));
            }
        }
        starts
    }
}
