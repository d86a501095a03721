//! `nupn`: depth-first through the tree of components, so that each component stays together.
//!
//! The children of a component are arranged by [`super::greedy`] over the quotient, in which each
//! child is one vertex; then [`super::force`] lets siblings change places while the span falls. The
//! same routine serves groups that were computed: [`super::cells`].

use super::force::{Item, force_in_tree, walk};
use super::greedy::{Ties, greedy};
use super::hypergraph::{Hypergraph, HypergraphBuilder};
use super::interaction::Tree;
use super::{Interaction, Order};
use crate::policy::heuristics::{FORCE_ROUNDS, MOST_VISITS};
use symbolon_budget::{Interrupted, Meter};

/// The order by the model's components, or `None` if it has none, or too deep a tree.
pub(super) fn nupn(interaction: &Interaction, meter: &mut Meter) -> Result<Option<Order>, Interrupted> {
    if interaction.tree.is_flat() {
        return Ok(None);
    }
    arrange_tree(&interaction.hypergraph, &interaction.tree, meter)
}

/// An order in which the blocks below each node of `tree` are consecutive; `None` if the tree is
/// too deep for the number of events.
pub(super) fn arrange_tree(
    hypergraph: &Hypergraph,
    tree: &Tree,
    meter: &mut Meter,
) -> Result<Option<Order>, Interrupted> {
    let node_count = tree.parents.len();
    let children = Children::of(tree);
    let mut quotients: Vec<HypergraphBuilder> =
        children.lists.iter().map(|list| HypergraphBuilder::new(list.len(), 0)).collect();
    if !fill_quotients(hypergraph, tree, &children, &mut quotients, meter)? {
        return Ok(None);
    }
    let mut arranged = Vec::with_capacity(hypergraph.vertex_count + node_count);
    for (node, quotient) in quotients.into_iter().enumerate() {
        let list = &children.lists[node];
        let order = greedy(&quotient.build(), Ties::Newest, meter)?;
        arranged.extend(order.blocks.iter().map(|&child| (node as u32, list[child as usize])));
    }
    let start = walk(node_count, &arranged);
    Ok(Some(force_in_tree(hypergraph, tree, &start, FORCE_ROUNDS, meter)?))
}

/// The children of each node, and where each child stands among its siblings.
struct Children {
    lists: Vec<Vec<Item>>,
    rank_of_block: Vec<u32>,
    rank_of_node: Vec<u32>,
    depths: Vec<u32>,
}

impl Children {
    fn of(tree: &Tree) -> Self {
        let node_count = tree.parents.len();
        let mut lists: Vec<Vec<Item>> = vec![Vec::new(); node_count];
        let mut put = |parent: u32, item: Item| {
            let list = &mut lists[parent as usize];
            list.push(item);
            list.len() as u32 - 1
        };
        let mut rank_of_node = vec![0; node_count];
        let mut depths = vec![0; node_count];
        for node in 1..node_count {
            rank_of_node[node] = put(tree.parents[node], Item::Node(node as u32));
            depths[node] = depths[tree.parents[node] as usize] + 1;
        }
        let ranks = tree.owner.iter().zip(0_u32..).map(|(&owner, block)| put(owner, Item::Block(block)));
        let rank_of_block = ranks.collect();
        Children { lists, rank_of_block, rank_of_node, depths }
    }
}

/// Adds each support to the quotient of every node in which it touches two children or more;
/// `false` if that costs too much.
fn fill_quotients(
    hypergraph: &Hypergraph,
    tree: &Tree,
    children: &Children,
    quotients: &mut [HypergraphBuilder],
    meter: &mut Meter,
) -> Result<bool, Interrupted> {
    let mut visits = 0_u64;
    // Where the support is at work: (depth, node, child), the deepest last.
    let mut open: Vec<(u32, u32, u32)> = Vec::new();
    let mut touched: Vec<u32> = Vec::new();
    for (support, weight) in hypergraph.weighted_supports() {
        open.clear();
        open.extend(support.iter().map(|&block| {
            let node = tree.owner[block as usize];
            (children.depths[node as usize], node, children.rank_of_block[block as usize])
        }));
        open.sort_unstable();
        while open.len() > 1 {
            meter.step()?;
            let Some(&(depth, node, _)) = open.last() else { break };
            let same = open.iter().rev().take_while(|entry| entry.1 == node).count();
            visits += same as u64;
            let rest = open.len() - same;
            touched.clear();
            touched.extend(open[rest..].iter().map(|entry| entry.2));
            touched.dedup();
            if touched.len() > 1 {
                quotients[node as usize].add(&touched, weight);
            }
            open.truncate(rest);
            if node == 0 {
                break;
            }
            // The support goes on one node higher, as one child there.
            let higher = (depth - 1, tree.parents[node as usize], children.rank_of_node[node as usize]);
            let place = open.partition_point(|entry| *entry < higher);
            if open.get(place) != Some(&higher) {
                open.insert(place, higher);
            }
        }
        if visits > MOST_VISITS {
            return Ok(false);
        }
    }
    Ok(true)
}
