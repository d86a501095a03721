//! Sifting: each block walks through all places of the vtree and stays at the best.
//!
//! A place is *beside a subtree*: the block and the subtree are the children of one node, in one
//! order or the other. What is left of the vtree without the block is a tree that never changes, and
//! two moves lead from beside one of its nodes to beside a child or the parent of it; so the walk is
//! a walk over that tree, and every step of it can be taken back:
//!
//! ```text
//!   (B (l r))  ── Left ──▶  ((B l) r)        ((l r) B)  ── Right ──▶  (l (r B))
//! ```
//!
//! It does not go on where the diagrams have grown too much.

use super::Region;
use super::turn::{Moving, inverse};
use crate::sdd::Sdd;
use crate::search::Turn;
use crate::vtree::VtreeNode;
use symbolon_budget::Interrupted;
use symbolon_dd_core::Variable;

/// A block on its way.
struct Walk {
    /// The vtree node of the block.
    block: u32,
    /// What it may not leave.
    region: Region,
    growth_percent: usize,
    /// The moves that led here.
    path: Vec<Turn>,
    best_size: usize,
    best_path: Vec<Turn>,
}

/// Where a block comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Start,
    /// From beside the parent.
    Above,
    /// From beside this child.
    Below(u32),
}

impl Sdd {
    /// One pass over the blocks inside a region, those with most elements first.
    pub(super) fn sift_all(
        &mut self,
        moving: &mut Moving,
        region: Region,
        growth_percent: usize,
    ) -> Result<(), Interrupted> {
        let groups = self.minimising.groups.clone();
        let mut is_in_atom = vec![false; self.variable_count()];
        let mut atoms = self.minimising.atoms.clone();
        atoms.iter().flatten().for_each(|variable| is_in_atom[variable.index()] = true);
        let single = (0..self.variable_count() as u32).map(Variable);
        atoms.extend(single.filter(|variable| !is_in_atom[variable.index()]).map(|variable| vec![variable]));
        for blocks in [groups, atoms] {
            let mut waiting: Vec<(usize, Vec<Variable>)> = Vec::new();
            for block in blocks {
                let Some(node) = self.subtree_of(&block) else { continue };
                let weight = self.weight(moving, node);
                if weight > 0 && self.is_inside(region, node) {
                    waiting.push((weight, block));
                }
            }
            // Stable, so that equal runs move equal blocks.
            waiting.sort_by_key(|&(weight, _)| std::cmp::Reverse(weight));
            for (_, block) in waiting {
                // An earlier block may have settled inside of it.
                if let Some(node) = self.subtree_of(&block)
                    && self.is_inside(region, node)
                {
                    self.sift_one(moving, region, growth_percent, node)?;
                }
            }
        }
        Ok(())
    }

    /// The vtree node whose leaves are exactly these variables.
    fn subtree_of(&self, variables: &[Variable]) -> Option<u32> {
        let (first, others) = variables.split_first()?;
        let top = others.iter().fold(first.0, |top, other| self.vtree.lowest_common(top, other.0));
        let node = self.vtree.node(top);
        ((node.to - node.from) as usize == variables.len()).then_some(top)
    }

    /// Whether a node lies below the top of a region.
    fn is_inside(&self, region: Region, node: u32) -> bool {
        let found = Region::of(&self.vtree, node);
        found != region && region.from <= found.from && found.to <= region.to
    }

    /// Elements that have to do with a block: at the node above it, where it is a prime or a sub,
    /// and below.
    fn weight(&self, moving: &Moving, node: u32) -> usize {
        let parent = self.vtree.node(node).parent;
        let nodes = self.vtree.upwards(node).into_iter().chain(std::iter::once(parent));
        let known = nodes.filter(|&node| (node as usize) < self.vtree.nodes.len());
        known.flat_map(|node| moving.nodes_at(node)).map(|&index| self.length(index)).sum()
    }

    /// By vtree node: whether it is a leaf, or lies in a block that is never split.
    pub(super) fn atoms_of_vtree(&self) -> Vec<bool> {
        let mut is_atom: Vec<bool> =
            (0..self.vtree.nodes.len() as u32).map(|v| self.vtree.is_leaf(v)).collect();
        for node in self.minimising.atoms.iter().filter_map(|atom| self.subtree_of(atom)) {
            self.vtree.upwards(node).into_iter().for_each(|below| is_atom[below as usize] = true);
        }
        is_atom
    }

    fn sift_one(
        &mut self,
        moving: &mut Moving,
        region: Region,
        growth_percent: usize,
        block: u32,
    ) -> Result<(), Interrupted> {
        let size = self.store.size();
        let mut walk =
            Walk { block, region, growth_percent, path: Vec::new(), best_size: size, best_path: Vec::new() };
        self.walk(moving, &mut walk, Origin::Start)?;
        for turn in walk.best_path {
            self.try_turn(moving, turn, None)?;
        }
        debug_assert_eq!(self.store.size(), walk.best_size, "moves are taken back exactly");
        Ok(())
    }

    /// Visits all places that lead on from here, and comes back.
    fn walk(&mut self, moving: &mut Moving, walk: &mut Walk, origin: Origin) -> Result<(), Interrupted> {
        let parent = self.vtree.node(walk.block).parent;
        for is_other_way in [false, true] {
            if is_other_way && !self.step_to(moving, walk, Turn::Swap(VtreeNode(parent)))? {
                return Ok(());
            }
            let node = self.vtree.node(parent);
            let is_left = node.left == walk.block;
            let beside = if is_left { node.right } else { node.left };
            // Downwards.
            if !moving.is_atom(beside) {
                let inner = self.vtree.node(beside);
                let (child, turn) = match is_left {
                    true => (inner.left, Turn::Left(VtreeNode(parent))),
                    false => (inner.right, Turn::Right(VtreeNode(parent))),
                };
                if origin != Origin::Below(child) {
                    self.visit(moving, walk, turn, Origin::Above)?;
                }
            }
            // Upwards.
            if origin != Origin::Above && Region::of(&self.vtree, parent) != walk.region {
                let above = self.vtree.node(parent).parent;
                let is_left_child = self.vtree.node(above).left == parent;
                if is_left_child == is_left {
                    let turn = match is_left_child {
                        true => Turn::Right(VtreeNode(above)),
                        false => Turn::Left(VtreeNode(above)),
                    };
                    self.visit(moving, walk, turn, Origin::Below(beside))?;
                }
            }
        }
        self.step_back(moving, walk)
    }

    /// Goes to another place, on from there unless the diagrams are too large, and back.
    fn visit(
        &mut self,
        moving: &mut Moving,
        walk: &mut Walk,
        turn: Turn,
        origin: Origin,
    ) -> Result<(), Interrupted> {
        if !self.step_to(moving, walk, turn)? {
            return Ok(());
        }
        self.walk(moving, walk, origin)?;
        self.step_back(moving, walk)
    }

    /// Makes a move, unless the diagrams become too large by it.
    fn step_to(&mut self, moving: &mut Moving, walk: &mut Walk, turn: Turn) -> Result<bool, Interrupted> {
        let limit = walk.best_size.saturating_mul(walk.growth_percent) / 100;
        let w = self.partner(turn);
        if !self.try_turn(moving, turn, Some(limit))? {
            return Ok(false);
        }
        let size = self.store.size();
        if size > limit {
            self.try_turn(moving, inverse(turn, w), None)?;
            return Ok(false);
        }
        walk.path.push(turn);
        if size < walk.best_size {
            walk.best_size = size;
            walk.best_path.clone_from(&walk.path);
        }
        Ok(true)
    }

    /// Takes the last move back.
    fn step_back(&mut self, moving: &mut Moving, walk: &mut Walk) -> Result<(), Interrupted> {
        let Some(turn) = walk.path.pop() else { return Ok(()) };
        // A rotation has exchanged the two nodes: the lower one is the node that it was given.
        let w = match turn {
            Turn::Right(node) | Turn::Left(node) => self.vtree.node(node.0).parent,
            Turn::Swap(node) => node.0,
        };
        self.try_turn(moving, inverse(turn, w), None)?;
        Ok(())
    }

    /// The other node of a rotation that is to be made.
    pub(super) fn partner(&self, turn: Turn) -> u32 {
        match turn {
            Turn::Right(node) => self.vtree.node(node.0).left,
            Turn::Left(node) => self.vtree.node(node.0).right,
            Turn::Swap(node) => node.0,
        }
    }
}
