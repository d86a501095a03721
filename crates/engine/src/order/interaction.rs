//! What heuristics see of a model: which blocks each event touches.

use super::Blocks;
use super::hypergraph::{Hypergraph, HypergraphBuilder};
use symbolon_model::{Event, Model, Part};

/// The hypergraph of a model's events over blocks, and the tree of its components.
///
/// Events that touch the same blocks are one *support* here, with their number as its weight;
/// events that touch nothing are left out.
#[derive(Clone, Debug)]
pub struct Interaction<'m> {
    pub(super) model: &'m Model,
    pub(super) blocks: &'m Blocks,
    /// Blocks are its vertices, supports of events its edges.
    pub(super) hypergraph: Hypergraph,
    /// The tree of components over blocks.
    pub(super) tree: Tree,
}

/// A tree whose nodes own blocks; parents come before children, node 0 is the root.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// The parent of each node; the root is its own parent.
    pub(super) parents: Vec<u32>,
    /// For each block the node that owns it directly.
    pub(super) owner: Vec<u32>,
}

impl Tree {
    /// A root that owns everything.
    pub(super) fn flat(block_count: usize) -> Self {
        Tree { parents: vec![0], owner: vec![0; block_count] }
    }

    /// A root with one child for each group; blocks in no group belong to the root.
    pub(super) fn of_groups(block_count: usize, groups: &[Vec<u32>]) -> Self {
        let mut tree = Tree::flat(block_count);
        for group in groups {
            let node = tree.parents.len() as u32;
            tree.parents.push(0);
            group.iter().for_each(|&block| tree.owner[block as usize] = node);
        }
        tree
    }

    /// Whether the tree groups nothing.
    pub(super) fn is_flat(&self) -> bool {
        self.parents.len() <= 1
    }

    /// The components of a model. A merged block belongs where its first variable does.
    fn of_model(model: &Model, blocks: &Blocks, block_of: &[u32]) -> Self {
        let mut tree = Tree::flat(blocks.len());
        // Node 0 is a root of our own: several roots, or none, are then no special cases.
        for component in &model.components {
            tree.parents.push(component.parent.map_or(0, |parent| parent.0 + 1));
        }
        for (component, node) in model.components.iter().zip(1_u32..) {
            for variable in &component.variables {
                let block = block_of[variable.index()] as usize;
                if blocks.blocks[block].first() == Some(variable) {
                    tree.owner[block] = node;
                }
            }
        }
        tree
    }
}

impl<'m> Interaction<'m> {
    /// The interaction of all events of `model` over `blocks`.
    pub fn new(model: &'m Model, blocks: &'m Blocks) -> Self {
        let block_of = blocks.block_of_variables(model.variables.len());
        let mut builder = HypergraphBuilder::new(blocks.len(), model.events.len());
        let mut support = Vec::new();
        for event in &model.events {
            if event.is_synchronous() {
                // A step touches everything; each agent's share of it says more.
                for part in &event.parts {
                    collect_share(model, part, &block_of, &mut support);
                    builder.add(&support, 1);
                }
                continue;
            }
            collect_support(event, &block_of, &mut support);
            builder.add(&support, 1);
        }
        let tree = Tree::of_model(model, blocks, &block_of);
        Interaction { model, blocks, hypergraph: builder.build(), tree }
    }

    /// The number of blocks, hence of levels.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// The number of distinct supports.
    pub fn support_count(&self) -> usize {
        self.hypergraph.supports.len()
    }

    /// Distinct supports (blocks ascending) and the number of events that have each.
    pub fn supports(&self) -> impl Iterator<Item = (&[u32], u32)> + Clone {
        self.hypergraph.weighted_supports()
    }

    /// The model whose events these are.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The blocks that the events are looked at through.
    pub fn blocks(&self) -> &'m Blocks {
        self.blocks
    }
}

/// The blocks that a share of a synchronous step touches, ascending, each once. An action counts as the first variable of
/// the agent whose action it is.
fn collect_share(model: &Model, part: &Part, block_of: &[u32], support: &mut Vec<u32>) {
    support.clear();
    for variable in part.variables() {
        let owner = model.action(variable).and_then(|action| model.components.get(action.agent.0 as usize));
        let variable = owner.map_or(Some(variable), |owner| owner.variables.first().copied());
        support.extend(variable.and_then(|variable| block_of.get(variable.index())));
    }
    support.sort_unstable();
    support.dedup();
}

/// The blocks that `event` touches, ascending, each once.
fn collect_support(event: &Event, block_of: &[u32], support: &mut Vec<u32>) {
    support.clear();
    for part in &event.parts {
        match part {
            Part::Local { variable, .. } => support.push(block_of[variable.index()]),
            // Actions stand on no level of a state.
            Part::General { .. } | Part::Choice(_) | Part::Reaction(_) => {
                support.extend(part.variables().iter().filter_map(|variable| block_of.get(variable.index())));
            }
        }
    }
    support.sort_unstable();
    support.dedup();
}
