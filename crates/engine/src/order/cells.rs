//! `cells`: groups that belong together, kept together and arranged like components.
//!
//! Two sources of groups. An **invariant** (a weighted sum that never changes) ties its variables:
//! the last of them is determined by the others, so they should stand side by side; disjoint
//! invariants, small ones first, are the cells of `cells`. **Indices** in names (`idle_3`,
//! `busy_3`) often tell the part of the system that a variable belongs to; they are the cells of
//! `index-cells`.

use super::by_index::index_groups;
use super::interaction::Tree;
use super::nupn::arrange_tree;
use super::{Interaction, Order};
use symbolon_budget::{Interrupted, Meter};

/// The order with cells from invariants, or `None` if the model's facts name none that help.
pub(super) fn invariant_cells(
    interaction: &Interaction,
    meter: &mut Meter,
) -> Result<Option<Order>, Interrupted> {
    arrange(interaction, &invariant_groups(interaction), meter)
}

/// The order with cells from indices in names, or `None` if names have no common indices.
pub(super) fn index_cells(
    interaction: &Interaction,
    meter: &mut Meter,
) -> Result<Option<Order>, Interrupted> {
    arrange(interaction, &index_groups(interaction.model, interaction.blocks), meter)
}

fn arrange(
    interaction: &Interaction,
    groups: &[Vec<u32>],
    meter: &mut Meter,
) -> Result<Option<Order>, Interrupted> {
    if groups.is_empty() {
        return Ok(None);
    }
    let tree = Tree::of_groups(interaction.block_count(), groups);
    arrange_tree(&interaction.hypergraph, &tree, meter)
}

/// Disjoint groups of blocks, each (what is left of) the support of an invariant.
pub(crate) fn invariant_groups(interaction: &Interaction) -> Vec<Vec<u32>> {
    let block_count = interaction.block_count();
    let block_of = interaction.blocks.block_of_variables(interaction.model.variables.len());
    let mut supports: Vec<Vec<u32>> = Vec::new();
    for invariant in &interaction.model.facts.invariants {
        let mut support: Vec<u32> =
            invariant.terms.iter().map(|(variable, _)| block_of[variable.index()]).collect();
        support.sort_unstable();
        support.dedup();
        if support.len() >= 2 && support.len() <= block_count.div_ceil(2) {
            supports.push(support);
        }
    }
    supports.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    supports.dedup();
    let mut taken = vec![false; block_count];
    let mut groups = Vec::new();
    for whole in [true, false] {
        for support in &supports {
            let free: Vec<u32> = support.iter().copied().filter(|&b| !taken[b as usize]).collect();
            if free.len() >= 2 && (!whole || free.len() == support.len()) {
                free.iter().for_each(|&block| taken[block as usize] = true);
                groups.push(free);
            }
        }
    }
    groups
}
