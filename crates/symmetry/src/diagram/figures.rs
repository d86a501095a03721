//! The figures of the paper's table: the diagram with motifs spelled out, one node per number.

use super::motifs::{Level, Motifs, Work, arcs};
use crate::quotient::marking::{block_of, component, label_of};
use crate::quotient::successors::Problem;
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_dd_hierarchy::{Hierarchy, NodeId};

/// A diagram in which each size of a block and each entry of a tensor is a node of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpelledFigures {
    /// Its nodes.
    pub nodes: usize,
    /// How much smaller it is than the tree of its sequences: 0.8 means a fifth of the nodes.
    pub share: f64,
    /// The average length of a sequence.
    pub average_length: f64,
}

/// Spells the sequences of a set out, and measures the result.
pub(super) fn spelled(work: &mut Work<'_>, set: NodeId) -> Result<SpelledFigures, Interrupted> {
    let mut speller = Speller { known: FxHashMap::default() };
    let blocks = vec![0; work.problem.net.classes.len()];
    let spelled = speller.spell(work, 0, set, blocks)?;
    let nodes = work.sets.node_count(spelled).nodes();
    let mut sizes = FxHashMap::default();
    let size = tree(work.sets, spelled, &mut sizes);
    Ok(SpelledFigures {
        nodes,
        share: 1.0 - nodes as f64 / size.nodes.max(1.0),
        average_length: size.length / size.paths.max(1.0),
    })
}

struct Speller {
    /// By level, node, and the number of blocks of each class above.
    known: FxHashMap<(u32, NodeId, Vec<u32>), NodeId>,
}

impl Speller {
    fn spell(
        &mut self,
        work: &mut Work<'_>,
        level: u32,
        node: NodeId,
        blocks: Vec<u32>,
    ) -> Result<NodeId, Interrupted> {
        if level as usize == work.motifs.levels.len() {
            return Ok(node);
        }
        let key = (level, node, blocks.clone());
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        work.meter.step()?;
        let mut all = Vec::new();
        for (value, child) in arcs(work.sets, node) {
            let mut inner = blocks.clone();
            let digits = match work.motifs.levels[level as usize] {
                Level::Class(class) => {
                    let described = work.motifs.blocks(value);
                    inner[class.index()] = described.len() as u32;
                    // Sizes are not 0, which ends the list of a static subclass.
                    let statics = work.problem.shape.statics.iter().zip(0..);
                    let mut digits = Vec::new();
                    for (_, of) in statics.filter(|(one, _)| one.class == class) {
                        let own = described.iter().filter(|block| block.of == of);
                        digits.extend(own.map(|block| u64::from(block.size)));
                        digits.push(0);
                    }
                    digits
                }
                Level::Place(place) => entries(work.problem, work.motifs, place, value, &blocks),
            };
            let mut rest = self.spell(work, level + 1, child, inner)?;
            for digit in digits.into_iter().rev() {
                rest = work.sets.prepend_value(digit, rest)?;
            }
            all.push(rest);
        }
        // In pairs, so that no set is united with many small ones.
        while all.len() > 1 {
            let mut half = Vec::with_capacity(all.len().div_ceil(2));
            for pair in all.chunks(2) {
                half.push(match *pair {
                    [a, b] => work.sets.union(a, b)?,
                    _ => pair[0],
                });
            }
            all = half;
        }
        let answer = all.pop().unwrap_or(NodeId::EMPTY);
        self.known.insert(key, answer);
        Ok(answer)
    }
}

/// The tensor of a place, entry by entry.
fn entries(problem: &Problem, motifs: &Motifs, place: u32, value: u32, blocks: &[u32]) -> Vec<u64> {
    let shapes = problem.shape.components(place);
    let mut indices: Vec<Vec<u32>> = vec![Vec::new()];
    for (position, shape) in shapes.iter().enumerate() {
        let mut next = Vec::new();
        for index in indices {
            if !shape.is_free {
                let members = 0..problem.shape.classes[shape.class.index()].size;
                next.extend(members.map(|member| [&index[..], &[member]].concat()));
                continue;
            }
            for block in 0..blocks[shape.class.index()] {
                let same = (0..position).filter(|&earlier| {
                    shapes[earlier].class == shape.class && block_of(index[earlier]) == block
                });
                let labels = same.map(|earlier| label_of(index[earlier]) + 1).max().unwrap_or(0);
                next.extend((0..=labels).map(|label| [&index[..], &[component(block, label)]].concat()));
            }
        }
        indices = next;
    }
    let tuples: FxHashMap<Vec<u32>, u64> = motifs.tuples(problem, place, value).into_iter().collect();
    indices.iter().map(|index| tuples.get(index).copied().unwrap_or(0)).collect()
}

/// The tree of the sequences of a set.
#[derive(Clone, Copy, Default)]
struct Tree {
    nodes: f64,
    paths: f64,
    /// The sum of the lengths of all paths.
    length: f64,
}

fn tree(sets: &Hierarchy, node: NodeId, known: &mut FxHashMap<NodeId, Tree>) -> Tree {
    if node == NodeId::ONE {
        return Tree { nodes: 0.0, paths: 1.0, length: 0.0 };
    }
    if let Some(size) = known.get(&node) {
        return *size;
    }
    let mut size = Tree { nodes: 1.0, ..Tree::default() };
    for (_, child) in sets.arcs(node) {
        let below = tree(sets, child, known);
        size.nodes += below.nodes;
        size.paths += below.paths;
        size.length += below.length + below.paths;
    }
    known.insert(node, size);
    size
}
