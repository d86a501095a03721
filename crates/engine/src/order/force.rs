//! `force`: blocks are pulled to the centres of the events that touch them, again and again.
//!
//! Aloul, Markov, Sakallah: FORCE, a fast and easy-to-implement variable-ordering heuristic,
//! GLSVLSI
//! 2003. It finds the nearest good order, so the start decides; see [`super::candidates()`].

use super::hypergraph::Hypergraph;
use super::interaction::Tree;
use super::{Order, metric};
use crate::policy::heuristics::PATIENCE;
use symbolon_budget::{Interrupted, Meter};

/// The order of least span met while pulling from `start`, in at most `rounds` rounds.
pub(super) fn force(
    hypergraph: &Hypergraph,
    start: &Order,
    rounds: u32,
    meter: &mut Meter,
) -> Result<Order, Interrupted> {
    let tree = Tree::flat(hypergraph.vertex_count);
    force_in_tree(hypergraph, &tree, start, rounds, meter)
}

/// As [`force`], but only siblings of `tree` change places: what a node owns stays together.
/// `start` must keep them together already.
pub(super) fn force_in_tree(
    hypergraph: &Hypergraph,
    tree: &Tree,
    start: &Order,
    rounds: u32,
    meter: &mut Meter,
) -> Result<Order, Interrupted> {
    let mut order = start.clone();
    let mut best = start.clone();
    let mut best_span = metric::span(hypergraph, start);
    let mut idle = 0;
    for _ in 0..rounds {
        let pulled = pull(hypergraph, &order, meter)?;
        let next = if tree.is_flat() { sort_flat(&order, &pulled) } else { sort_tree(tree, &order, &pulled) };
        if next == order {
            break;
        }
        order = next;
        let span = metric::span(hypergraph, &order);
        if span < best_span {
            (best_span, best, idle) = (span, order.clone(), 0);
        } else {
            idle += 1;
            if idle >= PATIENCE {
                break;
            }
        }
    }
    Ok(best)
}

/// For each block the mean centre of its events, or its own place if it has none.
fn pull(hypergraph: &Hypergraph, order: &Order, meter: &mut Meter) -> Result<Vec<f64>, Interrupted> {
    let places = order.places();
    let mut sums = vec![(0.0, 0.0); places.len()];
    for (support, weight) in hypergraph.weighted_supports() {
        meter.step()?;
        let sum: f64 = support.iter().map(|&block| f64::from(places[block as usize])).sum();
        let weight = f64::from(weight);
        let centre = sum / support.len() as f64 * weight;
        for &block in support {
            let (total, weights) = &mut sums[block as usize];
            *total += centre;
            *weights += weight;
        }
    }
    let pulled = sums.iter().zip(&places);
    Ok(pulled
        .map(|(&(total, weights), &place)| if weights > 0.0 { total / weights } else { f64::from(place) })
        .collect())
}

/// Blocks by where they are pulled; ties keep their order.
fn sort_flat(order: &Order, pulled: &[f64]) -> Order {
    let mut keyed: Vec<(f64, u32)> =
        order.blocks.iter().map(|&block| (pulled[block as usize], block)).collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    Order { blocks: keyed.into_iter().map(|(_, block)| block).collect() }
}

/// Siblings by the mean of where their blocks are pulled; ties keep their order.
fn sort_tree(tree: &Tree, order: &Order, pulled: &[f64]) -> Order {
    let node_count = tree.parents.len();
    let mut totals = vec![(0.0, 0.0); node_count];
    let mut first_place = vec![u32::MAX; node_count];
    for (&block, place) in order.blocks.iter().zip(0_u32..) {
        let node = tree.owner[block as usize] as usize;
        totals[node] = (totals[node].0 + pulled[block as usize], totals[node].1 + 1.0);
        first_place[node] = first_place[node].min(place);
    }
    for node in (1..node_count).rev() {
        let parent = tree.parents[node] as usize;
        totals[parent] = (totals[parent].0 + totals[node].0, totals[parent].1 + totals[node].1);
        first_place[parent] = first_place[parent].min(first_place[node]);
    }
    let mut items = Vec::with_capacity(order.blocks.len() + node_count);
    for (&block, place) in order.blocks.iter().zip(0_u32..) {
        items.push((tree.owner[block as usize], pulled[block as usize], place, Item::Block(block)));
    }
    for node in 1..node_count {
        if totals[node].1 > 0.0 {
            let mean = totals[node].0 / totals[node].1;
            items.push((tree.parents[node], mean, first_place[node], Item::Node(node as u32)));
        }
    }
    items.sort_by(|a, b| (a.0.cmp(&b.0)).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    let arranged: Vec<(u32, Item)> = items.into_iter().map(|(owner, _, _, item)| (owner, item)).collect();
    walk(node_count, &arranged)
}

/// A child in a tree: a block or an inner node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    Block(u32),
    Node(u32),
}

/// Depth-first through a tree whose arranged children are given as `(parent, child)`, grouped by
/// parent.
pub(super) fn walk(node_count: usize, arranged: &[(u32, Item)]) -> Order {
    let mut ranges = vec![(0, 0); node_count];
    for (place, &(owner, _)) in arranged.iter().enumerate() {
        let range = &mut ranges[owner as usize];
        if range.1 == 0 {
            range.0 = place;
        }
        range.1 = place + 1;
    }
    let mut blocks = Vec::new();
    let mut stack = vec![ranges[0]];
    while let Some((next, end)) = stack.pop() {
        if next == end {
            continue;
        }
        stack.push((next + 1, end));
        match arranged[next].1 {
            Item::Block(block) => blocks.push(block),
            Item::Node(node) => stack.push(ranges[node as usize]),
        }
    }
    Order { blocks }
}
