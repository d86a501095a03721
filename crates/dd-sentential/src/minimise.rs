//! Looking for a better vtree: by request, or by growth.
//!
//! All searches are made of two moves, rotations and swaps ([`Turn`]), which leave every edge valid:
//! a node keeps its number and its function and gets other elements. Two searches are made of
//! them. **Sifting** walks a block – a variable, a variable with its primed twin, or all variables
//! of an agent – through the places of the vtree and leaves it at the best; it walks past places
//! that are as bad as where it comes from, and found the smaller diagrams in the trial before this
//! kernel. **Fragments** tries the twelve shapes of three neighbouring subtrees at every node, as
//! the SDD package of UCLA does; it is faster, and stops at the first hill.
//!
//! While the vtree moves, nodes have counts of their references, so that those that are needed no
//! longer go at once and the size is the true one.

mod for_some;
mod fragments;
mod sift;
mod turn;

use crate::sdd::Sdd;
use crate::search::{Minimisation, Minimising, Search};
use crate::vtree::{Vtree, VtreeNode};
use symbolon_budget::Interrupted;
use symbolon_dd_core::Variable;

/// A pass that gains less than one element in this many is the last one.
const WORTHWHILE: usize = 50;
/// An operation is left this often; then it may grow as it has to.
const RESTARTS: u32 = 3;

impl Sdd {
    /// Says what moves as one: `atoms` are never split, such as a variable and its primed twin;
    /// `groups`, such as all variables of an agent, are moved as wholes as well, as long as they
    /// are subtrees.
    pub fn set_blocks(&mut self, atoms: Vec<Vec<Variable>>, groups: Vec<Vec<Variable>>) {
        self.minimising.atoms = atoms;
        self.minimising.groups = groups;
    }

    /// Looks for a better vtree whenever the diagrams have grown enough, also in the midst of an
    /// operation; or never.
    pub fn minimise_automatically(&mut self, how: Option<Minimisation>) {
        self.minimising.automatic = how;
        self.minimising.threshold = self.limits.minimising_nodes;
    }

    /// Looks for a vtree under which all functions together have fewer elements, and takes it on,
    /// move by move. When interrupted, functions are as valid as before and the vtree is the one
    /// reached.
    pub fn minimise(&mut self, how: Minimisation) -> Result<(), Interrupted> {
        let root = self.vtree.root();
        self.minimise_within(&[root], how)
    }

    /// The same inside some subtrees, each by itself: what lies outside of one stays where it is.
    /// None of them contains another.
    pub fn minimise_within(&mut self, subtrees: &[VtreeNode], how: Minimisation) -> Result<(), Interrupted> {
        let regions: Vec<Region> = subtrees.iter().map(|node| Region::of(&self.vtree, node.0)).collect();
        self.moving(|sdd, moving| {
            let mut before = sdd.store.size();
            loop {
                for &region in &regions {
                    match how.search {
                        Search::Sifting => sdd.sift_all(moving, region, how.growth_percent)?,
                        Search::Fragments => sdd.search_fragments(moving, region, how.growth_percent)?,
                    }
                }
                let after = sdd.store.size();
                if !how.repeat || before - after <= before / WORTHWHILE {
                    return Ok(());
                }
                before = after;
            }
        })
    }

    /// How often the vtree was changed.
    pub fn minimising_count(&self) -> u64 {
        self.minimising.count
    }

    /// What an outermost call does when it was left for another vtree.
    pub(crate) fn minimise_by_growth(&mut self) -> Result<(), Interrupted> {
        let made = self.created_nodes;
        let done = match self.minimising.automatic {
            Some(how) => self.minimise(how),
            None => Ok(()),
        };
        // What the moves have made is no part of what the operation was granted.
        self.created_limit = self.created_limit.saturating_add(self.created_nodes - made);
        let doubled = self.minimising.threshold.saturating_mul(2);
        self.minimising.threshold = doubled.max(self.store.live().saturating_mul(2));
        self.minimising.restarts += 1;
        done
    }

    /// Says after how many more nodes the operation that begins now is left for another vtree.
    pub(crate) fn plan_minimising(&mut self) {
        let Minimising { automatic, threshold, restarts, .. } = self.minimising;
        if automatic.is_none() || restarts >= RESTARTS {
            return;
        }
        if self.store.live() >= threshold {
            self.collect();
        }
        let room = threshold.saturating_sub(self.store.live()) as u64;
        self.minimising.due_at = self.created_nodes.saturating_add(room);
    }

    /// Everything that knows places of leaves learns the new ones.
    fn place_all(&mut self) {
        self.register.place(&self.vtree);
        self.place_moves();
    }
}

impl Vtree {
    /// The *l-subtrees*: from the root down to the right, the left
    /// children of all nodes whose right child is not a leaf, and the first node whose right child
    /// is one. They are where the leaves of a vtree that is otherwise right-linear are gathered.
    pub fn left_subtrees(&self) -> Vec<VtreeNode> {
        let mut found = Vec::new();
        let mut node = self.root();
        while let Some((left, right)) = self.children(node) {
            if self.children(right).is_none() {
                break;
            }
            found.push(left);
            node = right;
        }
        found.push(node);
        found
    }
}

/// A subtree, by the places of its leaves: moves inside it exchange its nodes, but not those.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    from: u32,
    to: u32,
}

impl Region {
    pub(crate) fn of(vtree: &Vtree, node: u32) -> Region {
        let node = vtree.node(node);
        Region { from: node.from, to: node.to }
    }
}
