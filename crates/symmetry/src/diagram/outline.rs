//! Diagrams of symbolic markings as plain data, for pictures.

use super::motifs::{Level, Motifs, arcs};
use crate::quotient::marking::{block_of, label_of};
use crate::quotient::successors::Problem;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use symbolon_coloured::ColourNames;
use symbolon_dd_hierarchy::{Hierarchy, NodeId};

/// A diagram of symbolic markings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkingOutline {
    /// What each level is about, from top to bottom: a class, whose members are cut into blocks, or a
    /// place.
    pub levels: Vec<String>,
    /// The nodes, the root first, each before the nodes below it.
    pub nodes: Vec<MarkingNode>,
}

/// A node of such a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkingNode {
    /// Its level, counted from the top.
    pub level: usize,
    /// Motifs, and the nodes that they lead to; `None` is the end.
    pub edges: Vec<(String, Option<usize>)>,
}

/// The outline of a set.
pub(super) fn outline(problem: &Problem, motifs: &Motifs, sets: &Hierarchy, set: NodeId) -> MarkingOutline {
    let words = Words { problem, motifs, names: ColourNames::of(&problem.net) };
    let mut numbers = FxHashMap::from_iter([(set, 0)]);
    let mut queue = VecDeque::from([(set, 0)]);
    let mut nodes = Vec::new();
    while let Some((node, level)) = queue.pop_front() {
        let edges = arcs(sets, node).into_iter().map(|(motif, child)| {
            let number = (child != NodeId::ONE).then(|| {
                let next = numbers.len();
                *numbers.entry(child).or_insert_with(|| {
                    queue.push_back((child, level + 1));
                    next
                })
            });
            (words.motif(motifs.levels[level], motif), number)
        });
        nodes.push(MarkingNode { level, edges: edges.collect() });
    }
    MarkingOutline { levels: motifs.levels.iter().map(|level| words.level(*level)).collect(), nodes }
}

/// Levels and motifs in the words of the net.
struct Words<'w> {
    problem: &'w Problem,
    motifs: &'w Motifs,
    names: ColourNames,
}

impl Words<'_> {
    fn level(&self, level: Level) -> String {
        match level {
            Level::Class(class) => self.problem.net.classes[class.index()].name().to_string(),
            Level::Place(place) => self.problem.net.places[place as usize].id.clone(),
        }
    }

    fn motif(&self, level: Level, motif: u32) -> String {
        match level {
            // The sizes of the blocks, those of one static subclass together.
            Level::Class(_) => {
                let blocks = self.motifs.blocks(motif);
                let of_static = blocks.chunk_by(|a, b| a.of == b.of).map(|blocks| {
                    blocks.iter().map(|block| block.size.to_string()).collect::<Vec<_>>().join(",")
                });
                of_static.collect::<Vec<_>>().join(" | ")
            }
            Level::Place(place) => {
                let tuples = self.motifs.tuples(self.problem, place, motif);
                match tuples.is_empty() {
                    true => "empty".to_string(),
                    false => tuples
                        .iter()
                        .map(|(tuple, count)| self.tokens(place, tuple, *count))
                        .collect::<Vec<_>>()
                        .join(" + "),
                }
            }
        }
    }

    /// The tokens of one tuple of blocks: `Z1` is a member of the first block of its class, and primes
    /// tell different members of one block apart.
    fn tokens(&self, place: u32, tuple: &[u32], count: u64) -> String {
        let shapes = self.problem.shape.components(place);
        let components: Vec<String> = shapes
            .iter()
            .zip(tuple)
            .map(|(of, &entry)| match of.is_free {
                false => self.names.member(&self.problem.net, of.class, entry).into_owned(),
                true => {
                    let class = self.problem.net.classes[of.class.index()].name();
                    let primes = "'".repeat(label_of(entry) as usize);
                    format!("{class}{}{primes}", block_of(entry) + 1)
                }
            })
            .collect();
        match (components.len(), count) {
            (0, _) => count.to_string(),
            (1, 1) => components[0].clone(),
            (1, _) => format!("{count}*{}", components[0]),
            (_, 1) => format!("({})", components.join(",")),
            _ => format!("{count}*({})", components.join(",")),
        }
    }
}
