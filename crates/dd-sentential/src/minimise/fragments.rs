//! Fragments: three neighbouring subtrees take all their twelve shapes, at every node.
//!
//! A *fragment* is a node, one of its children and the three subtrees below both. Two shapes and six
//! orders make twelve fragments of the same subtrees, and rotations and swaps lead from each to three
//! others. This is the search of the SDD package of UCLA, written anew: it sees no farther than
//! twelve shapes, so it is fast.

use super::Region;
use super::turn::{Moving, inverse};
use crate::sdd::Sdd;
use crate::search::Turn;
use crate::vtree::VtreeNode;
use rustc_hash::FxHashSet;
use symbolon_budget::Interrupted;

/// A fragment on its way through its shapes.
struct Tour {
    met: FxHashSet<Shape>,
    growth_percent: usize,
    path: Vec<Turn>,
    best_size: usize,
    best_path: Vec<Turn>,
}

/// Whether the inner child is the left one, and the subtrees from left to right.
type Shape = (bool, [u32; 3]);

impl Sdd {
    /// One pass from the bottom up.
    pub(super) fn search_fragments(
        &mut self,
        moving: &mut Moving,
        region: Region,
        growth_percent: usize,
    ) -> Result<(), Interrupted> {
        // Rotations exchange nodes, but every number keeps its turn: what stands where it stood is
        // visited then.
        for number in self.vtree.upwards(self.vtree.root) {
            let place = Region::of(&self.vtree, number);
            if place.from < region.from || place.to > region.to || moving.is_atom(number) {
                continue;
            }
            for is_left in [true, false] {
                let node = self.vtree.node(number);
                let inner = if is_left { node.left } else { node.right };
                if !moving.is_atom(inner) {
                    self.tour(moving, growth_percent, number, inner)?;
                }
            }
        }
        Ok(())
    }

    fn tour(
        &mut self,
        moving: &mut Moving,
        growth_percent: usize,
        top: u32,
        inner: u32,
    ) -> Result<(), Interrupted> {
        let nodes = [top, inner];
        let mut tour = Tour {
            met: FxHashSet::default(),
            growth_percent,
            path: Vec::new(),
            best_size: self.store.size(),
            best_path: Vec::new(),
        };
        tour.met.insert(self.shape_of(nodes).1);
        self.tour_on(moving, nodes, &mut tour)?;
        for turn in tour.best_path {
            self.try_turn(moving, turn, None)?;
        }
        Ok(())
    }

    /// Which of the two nodes is the upper one, and the shape.
    fn shape_of(&self, nodes: [u32; 2]) -> (u32, Shape) {
        let [top, inner] =
            if self.vtree.node(nodes[1]).parent == nodes[0] { nodes } else { [nodes[1], nodes[0]] };
        let (above, below) = (self.vtree.node(top), self.vtree.node(inner));
        let shape = match above.left == inner {
            true => (true, [below.left, below.right, above.right]),
            false => (false, [above.left, below.left, below.right]),
        };
        (top, shape)
    }

    /// Visits all shapes that lead on from here and were not met, and comes back.
    fn tour_on(&mut self, moving: &mut Moving, nodes: [u32; 2], tour: &mut Tour) -> Result<(), Interrupted> {
        let (top, (is_left, [a, b, c])) = self.shape_of(nodes);
        let inner = if nodes[0] == top { nodes[1] } else { nodes[0] };
        let (above, below) = (VtreeNode(top), VtreeNode(inner));
        let next: [(Turn, Shape); 3] = match is_left {
            true => [
                (Turn::Right(above), (false, [a, b, c])),
                (Turn::Swap(above), (false, [c, a, b])),
                (Turn::Swap(below), (true, [b, a, c])),
            ],
            false => [
                (Turn::Left(above), (true, [a, b, c])),
                (Turn::Swap(above), (true, [b, c, a])),
                (Turn::Swap(below), (false, [a, c, b])),
            ],
        };
        for (turn, shape) in next {
            if tour.met.contains(&shape) {
                continue;
            }
            let limit = tour.best_size.saturating_mul(tour.growth_percent) / 100;
            let partner = self.partner(turn);
            if !self.try_turn(moving, turn, Some(limit))? {
                continue;
            }
            let size = self.store.size();
            if size <= limit {
                tour.met.insert(shape);
                tour.path.push(turn);
                if size < tour.best_size {
                    tour.best_size = size;
                    tour.best_path.clone_from(&tour.path);
                }
                self.tour_on(moving, nodes, tour)?;
                tour.path.pop();
            }
            self.try_turn(moving, inverse(turn, partner), None)?;
        }
        Ok(())
    }
}
