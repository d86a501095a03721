//! Motifs, and sequences of them.

use crate::quotient::marking::{Block, Marking, Tokens, block_of, component, label_of};
use crate::quotient::successors::Problem;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use symbolon_budget::{Interrupted, Meter};
use symbolon_coloured::ClassId;
use symbolon_dd_hierarchy::{Hierarchy, Label, NodeId};

/// What a level of the diagrams is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Class(ClassId),
    Place(u32),
}

/// What every map on diagrams needs.
pub(super) struct Work<'w> {
    pub(super) problem: &'w Problem,
    pub(super) motifs: &'w mut Motifs,
    pub(super) sets: &'w mut Hierarchy,
    pub(super) meter: &'w mut Meter,
}

/// The levels, and the table of motifs.
///
/// The motif of a class lists the static subclass and size of each block. The motif of a place lists
/// tuples, in which the blocks of each class count from 0, with their multiplicities.
pub(super) struct Motifs {
    pub(super) levels: Vec<Level>,
    table: Vec<Rc<[u32]>>,
    numbers: FxHashMap<Rc<[u32]>, u32>,
}

impl Motifs {
    /// Levels for a net: the class whose places are most complete with it comes first, and places
    /// without free classes come last.
    pub(super) fn new(problem: &Problem) -> Motifs {
        let shape = &problem.shape;
        let mut classes: Vec<ClassId> = shape.statics.iter().map(|of| of.class).collect();
        classes.dedup();
        let needs = |place: u32| -> Vec<ClassId> {
            shape.components(place).iter().filter(|one| one.is_free).map(|one| one.class).collect()
        };
        let (mut levels, mut done): (Vec<Level>, Vec<ClassId>) = (Vec::new(), Vec::new());
        let (mut waiting, last): (Vec<u32>, Vec<u32>) =
            (0..shape.places.len() as u32).partition(|&place| !needs(place).is_empty());
        while !classes.is_empty() {
            let completes = |class: ClassId| {
                let is_done = |need: &ClassId| *need == class || done.contains(need);
                waiting.iter().filter(|&&place| needs(place).iter().all(is_done)).count()
            };
            // The first of the best.
            let best = (0..classes.len()).rev().max_by_key(|&position| completes(classes[position]));
            let class = classes.remove(best.unwrap_or(0));
            done.push(class);
            levels.push(Level::Class(class));
            let (complete, rest): (Vec<u32>, Vec<u32>) =
                waiting.iter().partition(|&&place| needs(place).iter().all(|need| done.contains(need)));
            levels.extend(complete.into_iter().map(Level::Place));
            waiting = rest;
        }
        levels.extend(last.into_iter().map(Level::Place));
        Motifs { levels, table: Vec::new(), numbers: FxHashMap::default() }
    }

    pub(super) fn number(&mut self, words: &[u32]) -> u32 {
        if let Some(&known) = self.numbers.get(words) {
            return known;
        }
        let number = self.table.len() as u32;
        let words: Rc<[u32]> = words.into();
        self.table.push(Rc::clone(&words));
        self.numbers.insert(words, number);
        number
    }

    pub(super) fn words(&self, number: u32) -> &[u32] {
        &self.table[number as usize]
    }

    /// The blocks of a class motif.
    pub(super) fn blocks(&self, number: u32) -> Vec<Block> {
        let words = &self.table[number as usize];
        words.chunks_exact(2).map(|pair| Block { of: pair[0], size: pair[1] }).collect()
    }

    pub(super) fn class_motif(&mut self, blocks: impl IntoIterator<Item = Block>) -> u32 {
        let words: Vec<u32> = blocks.into_iter().flat_map(|block| [block.of, block.size]).collect();
        self.number(&words)
    }

    /// The tuples of a place motif, with multiplicities; blocks count from 0 in each class.
    pub(super) fn tuples(&self, problem: &Problem, place: u32, number: u32) -> Vec<(Vec<u32>, u64)> {
        let width = problem.shape.width(place);
        let words = &self.table[number as usize];
        let one = |words: &[u32]| {
            let count = u64::from(words[width]) | u64::from(words[width + 1]) << 32;
            (words[..width].to_vec(), count)
        };
        words.chunks_exact(width + 2).map(one).collect()
    }

    /// The motif of tuples in any order.
    pub(super) fn place_motif(&mut self, mut tuples: Vec<(Vec<u32>, u64)>) -> u32 {
        tuples.sort_unstable();
        let mut words: Vec<u32> = Vec::new();
        for (tuple, count) in tuples {
            words.extend_from_slice(&tuple);
            words.extend([count as u32, (count >> 32) as u32]);
        }
        self.number(&words)
    }

    /// The marking that a sequence stands for, with sorted tokens. Blocks are in the order of
    /// classes, and of the motif in each class: in canonical sequences, of static subclasses.
    pub(super) fn marking(&self, problem: &Problem, path: &[u32]) -> Marking {
        let shape = &problem.shape;
        let mut of_classes: Vec<(ClassId, u32)> = Vec::new();
        for (level, &value) in self.levels.iter().zip(path) {
            if let Level::Class(class) = *level {
                of_classes.push((class, value));
            }
        }
        of_classes.sort_unstable();
        let blocks: Vec<Block> = of_classes.iter().flat_map(|(_, value)| self.blocks(*value)).collect();
        let first_of = |class: ClassId| {
            let is_of = |block: &Block| shape.statics[block.of as usize].class == class;
            blocks.iter().position(is_of).unwrap_or(0) as u32
        };
        let mut tokens = Tokens::default();
        for (level, &value) in self.levels.iter().zip(path) {
            let Level::Place(place) = *level else { continue };
            for (mut tuple, count) in self.tuples(problem, place, value) {
                for (entry, of) in tuple.iter_mut().zip(shape.components(place)) {
                    if of.is_free {
                        *entry = component(block_of(*entry) + first_of(of.class), label_of(*entry));
                    }
                }
                tokens.push(place, &tuple, count);
            }
        }
        tokens.sort(shape);
        Marking { blocks, tokens }
    }

    /// The sequence of a marking whose blocks are renumbered: `local` gives each block its number in
    /// its class, and `ordered` are the blocks in that order.
    pub(super) fn path(
        &mut self,
        problem: &Problem,
        marking: &Marking,
        ordered: &[u32],
        local: &[u32],
    ) -> Vec<u32> {
        let shape = &problem.shape;
        let mut path = Vec::with_capacity(self.levels.len());
        for level in self.levels.clone() {
            path.push(match level {
                Level::Class(class) => {
                    let blocks = ordered.iter().map(|&block| marking.blocks[block as usize]);
                    let of_class: Vec<Block> =
                        blocks.filter(|block| shape.statics[block.of as usize].class == class).collect();
                    self.class_motif(of_class)
                }
                Level::Place(place) => {
                    let mut tuples = Vec::new();
                    for &head in marking.tokens.of_place(place) {
                        let mut tuple = marking.tokens.tuple(shape, head).to_vec();
                        for (entry, of) in tuple.iter_mut().zip(shape.components(place)) {
                            if of.is_free {
                                *entry = component(local[block_of(*entry) as usize], label_of(*entry));
                            }
                        }
                        tuples.push((tuple, head.count));
                    }
                    self.place_motif(tuples)
                }
            });
        }
        path
    }
}

/// The set of some sequences of equal length.
pub(super) fn set_of(sets: &mut Hierarchy, mut paths: Vec<Vec<u32>>) -> Result<NodeId, Interrupted> {
    paths.sort_unstable();
    paths.dedup();
    let refs: Vec<&[u32]> = paths.iter().map(|path| &path[..]).collect();
    build(sets, &refs, 0)
}

fn build(sets: &mut Hierarchy, paths: &[&[u32]], depth: usize) -> Result<NodeId, Interrupted> {
    match paths {
        [] => Ok(NodeId::EMPTY),
        [first, ..] if first.len() == depth => Ok(NodeId::ONE),
        _ => {
            let mut arcs = Vec::new();
            for group in paths.chunk_by(|a, b| a[depth] == b[depth]) {
                arcs.push((u64::from(group[0][depth]), build(sets, group, depth + 1)?));
            }
            sets.from_any_values(&arcs)
        }
    }
}

/// The arcs of a node: motifs and children.
pub(super) fn arcs(sets: &Hierarchy, node: NodeId) -> Vec<(u32, NodeId)> {
    let arcs = sets.arcs(node).into_iter();
    arcs.filter_map(|(label, child)| match label {
        Label::Value(value) => Some((value as u32, child)),
        // There are no components in these diagrams.
        Label::Node(_) => None,
    })
    .collect()
}

/// Calls `visit` with every sequence of a set.
pub(super) fn for_each_path(
    sets: &Hierarchy,
    set: NodeId,
    meter: &mut Meter,
    visit: &mut impl FnMut(&[u32], &mut Meter) -> Result<(), Interrupted>,
) -> Result<(), Interrupted> {
    fn go(
        sets: &Hierarchy,
        node: NodeId,
        path: &mut Vec<u32>,
        meter: &mut Meter,
        visit: &mut impl FnMut(&[u32], &mut Meter) -> Result<(), Interrupted>,
    ) -> Result<(), Interrupted> {
        meter.step()?;
        if node == NodeId::ONE {
            return visit(path, meter);
        }
        for (value, child) in arcs(sets, node) {
            path.push(value);
            go(sets, child, path, meter, visit)?;
            path.pop();
        }
        Ok(())
    }
    go(sets, set, &mut Vec::new(), meter, visit)
}
