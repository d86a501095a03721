//! Canonical sequences.
//!
//! **Where no place mentions free classes twice**, each block has a *line* in each place of its
//! class, and two blocks can be joined if and only if all their lines are equal. A first pass down
//! the places of a class separates the sequences by which blocks have equal lines (`split`); a second
//! one joins these and sorts (`rewrite`). Blocks are sorted by static subclass, size, and lines. Sizes
//! are known at the class; blocks that tie there are equal in everything above, so it does no harm
//! to decide about them further down, where their lines differ first. Both passes are maps on
//! diagrams with few states, and exact: sorted lists of lines are the same for all orders.
//!
//! **In other nets** a sort of lines is not canonical. Sequences that were not met before are listed,
//! and take the canonical form of the explicit quotient.

use super::motifs::{Level, Motifs, Work, arcs, for_each_path, set_of};
use crate::quotient::marking::{Block, block_of, component, label_of};
use crate::quotient::successors::{Problem, StepWork};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use symbolon_budget::Interrupted;
use symbolon_coloured::ClassId;
use symbolon_dd_hierarchy::{NodeId, Root};

pub(super) struct Canonising {
    is_unary: bool,
    /// The classes, with their levels.
    classes: Vec<(u32, ClassId)>,
    /// Partitions of the blocks of a class, and orders of their groups.
    partitions: Interned,
    orders: Interned,
    /// By class level, level and node above it.
    above: FxHashMap<(u32, u32, NodeId), NodeId>,
    /// By partition, level and node: the parts of the set, by final partition.
    parts: FxHashMap<(u32, u32, NodeId), Vec<(u32, NodeId)>>,
    /// By order, level and node.
    rewritten: FxHashMap<(u32, u32, NodeId), NodeId>,
    /// Sequences that were made canonical already, where they are listed.
    met: Option<Root>,
    step: StepWork,
}

/// Lists of numbers, numbered.
#[derive(Default)]
struct Interned {
    lists: Vec<Vec<u32>>,
    numbers: FxHashMap<Vec<u32>, u32>,
}

impl Interned {
    fn number(&mut self, list: Vec<u32>) -> u32 {
        if let Some(&known) = self.numbers.get(&list) {
            return known;
        }
        let number = self.lists.len() as u32;
        self.lists.push(list.clone());
        self.numbers.insert(list, number);
        number
    }
}

impl Canonising {
    pub(super) fn new(problem: &Problem, motifs: &Motifs) -> Canonising {
        let classes = (0..).zip(&motifs.levels).filter_map(|(number, level)| match level {
            Level::Class(class) => Some((number, *class)),
            Level::Place(_) => None,
        });
        Canonising {
            is_unary: problem.shape.is_unary(),
            classes: classes.collect(),
            partitions: Interned::default(),
            orders: Interned::default(),
            above: FxHashMap::default(),
            parts: FxHashMap::default(),
            rewritten: FxHashMap::default(),
            met: None,
            step: StepWork::default(),
        }
    }

    pub(super) fn answer_count(&self) -> usize {
        self.above.len() + self.parts.len() + self.rewritten.len()
    }

    /// Forgets what mentions nodes.
    pub(super) fn forget(&mut self) {
        self.above.clear();
        self.parts.clear();
        self.rewritten.clear();
    }

    /// The canonical sequences of the markings of a set.
    pub(super) fn canonical(&mut self, work: &mut Work<'_>, set: NodeId) -> Result<NodeId, Interrupted> {
        if !self.is_unary {
            return self.listed(work, set);
        }
        let mut set = set;
        for (level, class) in self.classes.clone() {
            set = self.descend(work, (level, class), 0, set)?;
        }
        Ok(set)
    }

    /// Makes the sequences that were not met before canonical, one by one.
    fn listed(&mut self, work: &mut Work<'_>, set: NodeId) -> Result<NodeId, Interrupted> {
        let met = self.met.as_ref().map_or(NodeId::EMPTY, Root::node);
        let fresh = work.sets.difference(set, met)?;
        let all = work.sets.union(set, met)?;
        self.met = Some(work.sets.root(all));
        let mut raw: Vec<Vec<u32>> = Vec::new();
        for_each_path(work.sets, fresh, work.meter, &mut |path, _| {
            raw.push(path.to_vec());
            Ok(())
        })?;
        let mut paths = Vec::with_capacity(raw.len());
        for path in raw {
            self.step.firing.next = work.motifs.marking(work.problem, &path);
            self.step.canonise(&work.problem.shape, work.meter)?;
            paths.push(path_of(work.problem, work.motifs, &self.step));
        }
        set_of(work.sets, paths)
    }

    /// Goes down to the level of a class.
    fn descend(
        &mut self,
        work: &mut Work<'_>,
        class: (u32, ClassId),
        level: u32,
        node: NodeId,
    ) -> Result<NodeId, Interrupted> {
        let key = (class.0, level, node);
        if let Some(&known) = self.above.get(&key) {
            return Ok(known);
        }
        work.meter.step()?;
        let mut mapped = Vec::new();
        for (value, child) in arcs(work.sets, node) {
            if level < class.0 {
                mapped.push((u64::from(value), self.descend(work, class, level + 1, child)?));
                continue;
            }
            let blocks = work.motifs.blocks(value);
            // Only blocks of one static subclass can be joined.
            let first = |of: u32| blocks.iter().position(|block| block.of == of).unwrap_or(0) as u32;
            let partition = blocks.iter().map(|block| first(block.of)).collect();
            let partition = self.partitions.number(partition);
            for (partition, part) in self.split(work, partition, level + 1, child)? {
                let (value, order) = self.joined(work.motifs, &blocks, partition);
                mapped.push((u64::from(value), self.rewrite(work, order, level + 1, part)?));
            }
        }
        let answer = work.sets.from_any_values(&mapped)?;
        self.above.insert(key, answer);
        Ok(answer)
    }

    /// The parts of a set by which blocks have equal lines in all places of the class. Blocks with
    /// equal entries in the partition have equal lines above.
    fn split(
        &mut self,
        work: &mut Work<'_>,
        partition: u32,
        level: u32,
        node: NodeId,
    ) -> Result<Vec<(u32, NodeId)>, Interrupted> {
        let Some(place) = self.place_at(work, level) else { return Ok(vec![(partition, node)]) };
        let key = (partition, level, node);
        if let Some(known) = self.parts.get(&key) {
            return Ok(known.clone());
        }
        work.meter.step()?;
        let mut arcs_of: Vec<(u32, Vec<(u64, NodeId)>)> = Vec::new();
        for (value, child) in arcs(work.sets, node) {
            let before = self.partitions.lists[partition as usize].clone();
            let lines = lines(work, place, value, before.len());
            let refined = (0..before.len()).map(|block| {
                let is_same =
                    |other: &usize| before[*other] == before[block] && lines[*other] == lines[block];
                (0..block).find(is_same).unwrap_or(block) as u32
            });
            let refined = self.partitions.number(refined.collect());
            for (partition, part) in self.split(work, refined, level + 1, child)? {
                match arcs_of.iter_mut().find(|(known, _)| *known == partition) {
                    Some((_, arcs)) => arcs.push((u64::from(value), part)),
                    None => arcs_of.push((partition, vec![(u64::from(value), part)])),
                }
            }
        }
        let mut parts = Vec::with_capacity(arcs_of.len());
        for (partition, arcs) in arcs_of {
            parts.push((partition, work.sets.from_any_values(&arcs)?));
        }
        self.parts.insert(key, parts.clone());
        Ok(parts)
    }

    /// The motif of a class whose equal blocks are joined, and the order of the groups so far: pairs
    /// of a block of each group and the first position at which the group may stand.
    fn joined(&mut self, motifs: &mut Motifs, blocks: &[Block], partition: u32) -> (u32, u32) {
        let partition = &self.partitions.lists[partition as usize];
        let mut groups: Vec<(Block, u32)> = Vec::new();
        for (number, (block, &first)) in blocks.iter().zip(partition).enumerate() {
            match groups.iter_mut().find(|(_, of)| *of == first) {
                Some((group, _)) => group.size += block.size,
                None => groups.push((*block, number as u32)),
            }
        }
        groups.sort_by_key(|(block, _)| (block.of, Reverse(block.size)));
        let mut order = Vec::with_capacity(2 * groups.len());
        for (position, (block, number)) in groups.iter().enumerate() {
            let first = groups.iter().position(|(other, _)| other == block).unwrap_or(position);
            order.extend([*number, first as u32]);
        }
        let order = self.orders.number(order);
        (motifs.class_motif(groups.into_iter().map(|(block, _)| block)), order)
    }

    /// Joins and sorts lines.
    fn rewrite(
        &mut self,
        work: &mut Work<'_>,
        order: u32,
        level: u32,
        node: NodeId,
    ) -> Result<NodeId, Interrupted> {
        let Some(place) = self.place_at(work, level) else { return Ok(node) };
        let key = (order, level, node);
        if let Some(&known) = self.rewritten.get(&key) {
            return Ok(known);
        }
        work.meter.step()?;
        let mut mapped = Vec::new();
        for (value, child) in arcs(work.sets, node) {
            let before = self.orders.lists[order as usize].clone();
            let highest = before.chunks_exact(2).map(|group| group[0] as usize + 1).max().unwrap_or(0);
            let lines = lines(work, place, value, highest);
            let mut groups: Vec<(u32, u32)> =
                before.chunks_exact(2).map(|group| (group[1], group[0])).collect();
            // Ties are broken by lines, larger ones first.
            groups.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| lines[b.1 as usize].cmp(&lines[a.1 as usize])));
            let mut after: Vec<u32> = Vec::with_capacity(before.len());
            let mut tuples = Vec::new();
            for (position, &(first, block)) in groups.iter().enumerate() {
                let is_tied =
                    |other: &(u32, u32)| other.0 == first && lines[other.1 as usize] == lines[block as usize];
                let tied = groups.iter().position(is_tied).unwrap_or(position);
                after.extend([block, tied as u32]);
                for (others, at, count) in &lines[block as usize] {
                    let mut tuple = others.clone();
                    tuple.insert(*at, component(position as u32, 0));
                    tuples.push((tuple, *count));
                }
            }
            let value = work.motifs.place_motif(tuples);
            let order = self.orders.number(after);
            mapped.push((u64::from(value), self.rewrite(work, order, level + 1, child)?));
        }
        let answer = work.sets.from_any_values(&mapped)?;
        self.rewritten.insert(key, answer);
        Ok(answer)
    }

    /// The place at a level, if it belongs to the class above.
    fn place_at(&self, work: &Work<'_>, level: u32) -> Option<u32> {
        match work.motifs.levels.get(level as usize)? {
            Level::Place(place) if work.problem.shape.components(*place).iter().any(|one| one.is_free) => {
                Some(*place)
            }
            _ => None,
        }
    }
}

/// The tuples of a block, without it: the other components, where it stood, and the multiplicity.
type Line = Vec<(Vec<u32>, usize, u64)>;

/// The lines of the first blocks in a place that mentions one free class once.
fn lines(work: &Work<'_>, place: u32, value: u32, count: usize) -> Vec<Line> {
    let shapes = work.problem.shape.components(place);
    let mut lines: Vec<Line> = vec![Vec::new(); count];
    let Some(at) = shapes.iter().position(|one| one.is_free) else { return lines };
    for (mut tuple, multiplicity) in work.motifs.tuples(work.problem, place, value) {
        let block = block_of(tuple.remove(at)) as usize;
        if let Some(line) = lines.get_mut(block) {
            line.push((tuple, at, multiplicity));
        }
    }
    lines.iter_mut().for_each(|line| line.sort_unstable());
    lines
}

/// The sequence of a marking that was grouped and has its canonical form.
///
/// Blocks are sorted by size and then by their lines, class by class and several times, because lines
/// mention blocks of other classes. The sort starts from the order of the canonical form, so it does
/// not matter that it is not canonical by itself; it lets sequences share more.
pub(super) fn path_of(problem: &Problem, motifs: &mut Motifs, step: &StepWork) -> Vec<u32> {
    let (shape, marking) = (&problem.shape, &step.firing.next);
    let of_class = |block: u32| shape.statics[marking.blocks[block as usize].of as usize].class;
    let mut orders: Vec<(ClassId, Vec<u32>)> = Vec::new();
    let mut local = vec![0; marking.blocks.len()];
    for level in &motifs.levels {
        let Level::Class(class) = *level else { continue };
        let mut order: Vec<u32> =
            (0..marking.blocks.len() as u32).filter(|&block| of_class(block) == class).collect();
        order.sort_by_key(|&block| {
            let described = marking.blocks[block as usize];
            (described.of, Reverse(described.size), step.canonical.rank[block as usize])
        });
        order.iter().zip(0..).for_each(|(&block, number)| local[block as usize] = number);
        orders.push((class, order));
    }
    for _ in 0..SORTING_ROUNDS {
        for (class, order) in &mut orders {
            // By block: place, the tuple without the block, and the multiplicity.
            let mut lines: FxHashMap<u32, Vec<(u32, Vec<u32>, u64)>> = FxHashMap::default();
            for (number, level) in (0_u32..).zip(&motifs.levels) {
                let Level::Place(place) = *level else { continue };
                let shapes = shape.components(place);
                for &head in marking.tokens.of_place(place) {
                    let tuple = marking.tokens.tuple(shape, head);
                    for (position, &own) in tuple.iter().enumerate() {
                        if !shapes[position].is_free || shapes[position].class != *class {
                            continue;
                        }
                        let rest = (0..tuple.len()).map(|other| match tuple[other] {
                            entry if !shapes[other].is_free => entry,
                            entry if entry == own => u32::MAX,
                            entry => component(local[block_of(entry) as usize], label_of(entry)),
                        });
                        let line = (number, rest.collect(), head.count);
                        lines.entry(block_of(own)).or_default().push(line);
                    }
                }
            }
            lines.values_mut().for_each(|line| line.sort_unstable());
            order.sort_by_key(|block| {
                let described = marking.blocks[*block as usize];
                (described.of, Reverse(described.size), lines.get(block))
            });
            order.iter().zip(0..).for_each(|(&block, number)| local[block as usize] = number);
        }
    }
    let ordered: Vec<u32> = orders.into_iter().flat_map(|(_, order)| order).collect();
    motifs.path(problem, marking, &ordered, &local)
}

/// Each class is sorted this many times.
const SORTING_ROUNDS: usize = 3;
