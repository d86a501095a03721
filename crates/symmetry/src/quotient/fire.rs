//! Firing: what a binding makes of a symbolic marking.
//!
//! Each element leaves its block and becomes a block of its own; the rest of the block stays. A
//! tuple that mentions a block that is cut stands for several tuples afterwards, one for each way to
//! put its members into the rest or the new blocks. Then arcs take and put tuples as in any net.

use super::bind::Binding;
use super::marking::{Block, Marking, Tokens, block_of, component, normalise_labels};
use super::plan::{ArcKind, Plan};
use super::shape::Shape;
use super::term::Standing;
use symbolon_budget::{Interrupted, Meter};
use symbolon_coloured::{LARGEST_FACTOR_COUNT, Net};

/// The largest number of tokens of one colour, as in unfolded nets.
const MOST_TOKENS: u64 = symbolon_petri::net::LARGEST_COUNT;

/// Buffers of firings.
#[derive(Default)]
pub(crate) struct Firing {
    /// The marking after the firing. Blocks that were used up have size 0; the block of element `i`
    /// is in `single_of`.
    pub(crate) next: Marking,
    /// By element, its block in `next`.
    pub(crate) single_of: Vec<u32>,
    /// By variable, its block in `next`.
    singles: Vec<u32>,
    stand_ins: Vec<Vec<u32>>,
    taken: Tokens,
    tested: Tokens,
    put: Tokens,
}

impl Firing {
    /// Fires a transition; whether it is enabled. The tokens of the next marking are sorted.
    pub(crate) fn fire(
        &mut self,
        net: &Net,
        shape: &Shape,
        plan: &Plan,
        marking: &Marking,
        binding: &Binding,
        meter: &mut Meter,
    ) -> Result<bool, Interrupted> {
        self.split(shape, marking, binding, meter)?;
        self.singles.clear();
        for variable in 0..net.variables.len() {
            let element = binding.element_of[variable] as usize;
            self.singles.push(self.single_of.get(element).copied().unwrap_or(0));
        }
        self.place_stand_ins(shape, binding);
        let standing = Standing {
            net,
            shape,
            blocks: &self.next.blocks,
            stand_ins: &self.stand_ins,
            members: &binding.members,
            singles: &self.singles,
        };
        self.taken.clear();
        self.put.clear();
        for arc in &plan.arcs {
            match arc.kind {
                ArcKind::Input => arc.term.add_to(&standing, arc.place, meter, &mut self.taken)?,
                ArcKind::Output => arc.term.add_to(&standing, arc.place, meter, &mut self.put)?,
                ArcKind::Read | ArcKind::Inhibitor => {
                    self.tested.clear();
                    arc.term.add_to(&standing, arc.place, meter, &mut self.tested)?;
                    self.tested.sort_and_sum(shape)?;
                    for &head in &self.tested.heads {
                        let tuple = self.tested.tuple(shape, head);
                        let marked = self.next.tokens.count(shape, head.place, tuple);
                        if (marked >= head.count) == (arc.kind == ArcKind::Inhibitor) {
                            return Ok(false);
                        }
                    }
                }
                ArcKind::Reset => {}
            }
        }
        self.taken.sort_and_sum(shape)?;
        let tokens = &mut self.next.tokens;
        for &head in &self.taken.heads {
            let tuple = self.taken.tuple(shape, head);
            if tokens.count(shape, head.place, tuple) < head.count {
                return Ok(false);
            }
        }
        for &head in &self.taken.heads {
            if let Some(position) = tokens.find(shape, head.place, self.taken.tuple(shape, head)) {
                tokens.heads[position].count -= head.count;
            }
        }
        for arc in plan.arcs.iter().filter(|arc| arc.kind == ArcKind::Reset) {
            self.tested.clear();
            arc.term.add_to(&standing, arc.place, meter, &mut self.tested)?;
            for &head in &self.tested.heads {
                if let Some(position) = tokens.find(shape, head.place, self.tested.tuple(shape, head)) {
                    tokens.heads[position].count = 0;
                }
            }
        }
        tokens.heads.retain(|head| head.count > 0);
        for &head in &self.put.heads {
            tokens.push(head.place, self.put.tuple(shape, head), head.count);
        }
        tokens.sort_and_sum(shape)?;
        match tokens.heads.iter().any(|head| head.count > MOST_TOKENS) {
            true => Err(Interrupted::Overflow),
            false => Ok(true),
        }
    }

    /// Makes each element a block of its own.
    fn split(
        &mut self,
        shape: &Shape,
        marking: &Marking,
        binding: &Binding,
        meter: &mut Meter,
    ) -> Result<(), Interrupted> {
        let next = &mut self.next;
        next.blocks.clear();
        next.blocks.extend_from_slice(&marking.blocks);
        next.tokens.clear();
        self.single_of.clear();
        for element in &binding.elements {
            let block = marking.blocks[element.block as usize];
            if block.size == 1 {
                self.single_of.push(element.block);
            } else {
                self.single_of.push(next.blocks.len() as u32);
                next.blocks[element.block as usize].size -= 1;
                next.blocks.push(Block { of: block.of, size: 1 });
            }
        }
        if next.blocks.len() == marking.blocks.len() {
            next.tokens.clone_from(&marking.tokens);
            return Ok(());
        }
        for &head in &marking.tokens.heads {
            let shapes = shape.components(head.place);
            let tuple = marking.tokens.tuple(shape, head);
            let is_cut = |(shape, entry): (&super::shape::ComponentShape, &u32)| {
                let block = block_of(*entry) as usize;
                shape.is_free && next.blocks[block].size < marking.blocks[block].size
            };
            if shapes.iter().zip(tuple).any(is_cut) {
                let mut spread =
                    Spread { shape, marking, single_of: &self.single_of, binding, next, head, meter };
                let mut out = [0; LARGEST_FACTOR_COUNT];
                spread.spread(tuple, 0, &mut out)?;
            } else {
                next.tokens.push(head.place, tuple, head.count);
            }
        }
        next.tokens.sort(shape);
        Ok(())
    }

    /// Gives each block members that stand for it: the elements their own, the others what is left.
    fn place_stand_ins(&mut self, shape: &Shape, binding: &Binding) {
        let mut used: Vec<usize> = vec![0; shape.statics.len()];
        self.stand_ins.clear();
        self.stand_ins.resize(self.next.blocks.len(), Vec::new());
        for (element, &single) in binding.elements.iter().zip(&self.single_of) {
            self.stand_ins[single as usize].push(element.member);
            used[self.next.blocks[single as usize].of as usize] += 1;
        }
        for (block, members) in self.next.blocks.iter().zip(&mut self.stand_ins) {
            if members.is_empty() && block.size > 0 {
                // Elements stand for themselves with the first members of their static subclass. A
                // tuple needs no more members of a block than it has components.
                let begin = used[block.of as usize];
                let end = begin + (block.size as usize).min(LARGEST_FACTOR_COUNT);
                members.extend_from_slice(&shape.statics[block.of as usize].members[begin..end]);
                used[block.of as usize] = begin + block.size as usize;
            }
        }
    }
}

/// The ways to put the members of one tuple into the blocks after a cut.
struct Spread<'s> {
    shape: &'s Shape,
    marking: &'s Marking,
    single_of: &'s [u32],
    binding: &'s Binding,
    next: &'s mut Marking,
    head: super::marking::Head,
    meter: &'s mut Meter,
}

impl Spread<'_> {
    /// Chooses blocks from a position on; what is chosen before lies in `out`.
    fn spread(
        &mut self,
        tuple: &[u32],
        position: usize,
        out: &mut [u32; LARGEST_FACTOR_COUNT],
    ) -> Result<(), Interrupted> {
        let shapes = self.shape.components(self.head.place);
        let Some(&entry) = tuple.get(position) else {
            self.meter.step()?;
            let mut normal = *out;
            let normal = &mut normal[..tuple.len()];
            normalise_labels(shapes, normal);
            self.next.tokens.push(self.head.place, normal, self.head.count);
            return Ok(());
        };
        let old = block_of(entry);
        let is_cut = shapes[position].is_free
            && self.next.blocks[old as usize].size < self.marking.blocks[old as usize].size;
        let same = |earlier: &usize| shapes[*earlier].is_free && tuple[*earlier] == entry;
        if !is_cut {
            out[position] = entry;
            return self.spread(tuple, position + 1, out);
        }
        if let Some(earlier) = (0..position).find(same) {
            out[position] = out[earlier];
            return self.spread(tuple, position + 1, out);
        }
        // Into the rest, as long as it has members that the tuple does not mention yet.
        let mentioned = |out: &[u32], block: u32| {
            let is_new = |earlier: usize| {
                !(0..earlier).any(|first| shapes[first].is_free && tuple[first] == tuple[earlier])
            };
            (0..position)
                .filter(|&earlier| {
                    shapes[earlier].is_free && block_of(out[earlier]) == block && is_new(earlier)
                })
                .count() as u32
        };
        if mentioned(out, old) < self.next.blocks[old as usize].size {
            out[position] = entry;
            self.spread(tuple, position + 1, out)?;
        }
        for number in 0..self.binding.elements.len() {
            let single = self.single_of[number];
            if self.binding.elements[number].block == old && mentioned(out, single) == 0 {
                out[position] = component(single, 0);
                self.spread(tuple, position + 1, out)?;
            }
        }
        Ok(())
    }
}
