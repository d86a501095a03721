//! Frames: nodes under construction, on top of two stacks.
//!
//! A frame is a window of edges that grows at either end while it is the topmost thing on the
//! stacks. Children lie on the manager's scratch stack, where they are rooted (K4), and where
//! therefore nothing but nodes may lie while a collection can start; their weights, and whether
//! they have changed, lie on a stack of our own, in step with them.

use crate::edd::Edd;
use crate::edge::Edge;
use crate::slot::Slot;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Kind, NodeId};
use symbolon_dd_mdd::Mdd;

/// A growing window: codes `lo .. lo + length`, children at `base` of the scratch stack, slots at
/// `slots` of the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) base: usize,
    pub(crate) slots: usize,
    pub(crate) lo: u32,
    pub(crate) length: u32,
}

impl Frame {
    /// An empty frame on top of both stacks.
    #[inline]
    pub(crate) fn open(mdd: &Mdd, slots: &[Slot]) -> Frame {
        Frame { base: mdd.manager().scratch.height(), slots: slots.len(), lo: 0, length: 0 }
    }

    /// The offset of `code`, after widening the window if need be.
    #[inline]
    pub(crate) fn place(
        &mut self,
        code: u32,
        mdd: &mut Mdd,
        slots: &mut Vec<Slot>,
    ) -> Result<usize, Interrupted> {
        let offset = code.wrapping_sub(self.lo);
        if offset < self.length { Ok(offset as usize) } else { self.widen(code, mdd, slots) }
    }

    fn widen(&mut self, code: u32, mdd: &mut Mdd, slots: &mut Vec<Slot>) -> Result<usize, Interrupted> {
        /// Wider jumps ask for memory first: a word for the child and a slot each.
        const WIDE_JUMP: usize = 1 << 16;
        if self.length == 0 {
            self.lo = code;
        }
        let below = self.lo.saturating_sub(code) as usize;
        let above = (code.saturating_sub(self.lo) as usize + 1).saturating_sub(self.length as usize);
        let memory = mdd.manager().meter().budget().memory();
        if below + above > WIDE_JUMP && !memory.has_room_for((below + above) as u64 * 24) {
            return Err(Interrupted::Memory);
        }
        if code < self.lo {
            mdd.manager_mut().scratch.insert_empty(self.base, below);
            let height = slots.len();
            slots.resize(height + below, Slot::default());
            slots.copy_within(self.slots..height, self.slots + below);
            slots[self.slots..self.slots + below].fill(Slot::default());
            self.lo = code;
            self.length += below as u32;
        } else {
            mdd.manager_mut().scratch.push_empty(above);
            slots.resize(slots.len() + above, Slot::default());
            self.length += above as u32;
        }
        Ok((code - self.lo) as usize)
    }

    /// The child at an offset.
    #[inline]
    pub(crate) fn child(&self, offset: usize, mdd: &Mdd) -> NodeId {
        NodeId::from_word(mdd.manager().scratch.get(self.base + offset))
    }

    /// The window without empty children at its ends: the offsets of its first and behind its last
    /// child.
    #[inline]
    pub(crate) fn trimmed(&self, mdd: &Mdd) -> Option<(usize, usize)> {
        let words = &mdd.manager().scratch.all()[self.base..self.base + self.length as usize];
        let first = words.iter().position(|&word| word != 0)?;
        let last = words.iter().rposition(|&word| word != 0).unwrap_or(first);
        Some((first, last + 1))
    }

    /// Takes the frame off both stacks.
    #[inline]
    pub(crate) fn discard(&self, mdd: &mut Mdd, slots: &mut Vec<Slot>) {
        mdd.manager_mut().scratch.truncate(self.base);
        slots.truncate(self.slots);
    }
}

/// A sweep over those children of a frame that have changed since events were last fired from them,
/// upwards and around, until there are none. The frame may grow meanwhile.
#[derive(Debug)]
pub(crate) struct Sweep {
    /// How many have changed.
    dirty_count: usize,
    /// The code from which the next is looked for.
    next: u32,
}

impl Sweep {
    /// All children count as changed.
    #[inline]
    pub(crate) fn of_all(frame: &Frame, slots: &mut [Slot]) -> Sweep {
        slots[frame.slots..].iter_mut().for_each(|slot| slot.is_dirty = true);
        Sweep { dirty_count: frame.length as usize, next: frame.lo }
    }

    /// The code of the next child that has changed and is not EMPTY; it counts as unchanged from
    /// now on.
    #[inline]
    pub(crate) fn next(&mut self, frame: &Frame, mdd: &Mdd, slots: &mut [Slot]) -> Option<u32> {
        let mut offset = (self.next - frame.lo) as usize;
        while self.dirty_count > 0 {
            if offset >= frame.length as usize {
                offset = 0;
            }
            let slot = &mut slots[frame.slots + offset];
            if slot.is_dirty {
                slot.is_dirty = false;
                self.dirty_count -= 1;
                if !frame.child(offset, mdd).is_empty() {
                    let code = frame.lo + offset as u32;
                    self.next = code + 1;
                    return Some(code);
                }
            }
            offset += 1;
        }
        None
    }

    /// The child at an offset of the frame has changed.
    #[inline]
    pub(crate) fn has_changed(&mut self, frame: &Frame, offset: usize, slots: &mut [Slot]) {
        let slot = &mut slots[frame.slots + offset];
        self.dirty_count += usize::from(!slot.is_dirty);
        slot.is_dirty = true;
    }
}

impl Edd<'_> {
    /// An empty frame on top of the stacks.
    #[inline]
    pub(crate) fn open_frame(&self) -> Frame {
        Frame::open(self.mdd, &self.kind.slots)
    }

    /// The edge at an offset of a frame.
    #[inline]
    pub(crate) fn frame_edge(&self, frame: &Frame, offset: usize) -> Edge {
        let node = frame.child(offset, self.mdd);
        if node.is_empty() {
            Edge::NOTHING
        } else {
            Edge { weight: self.kind.slots[frame.slots + offset].weight, node }
        }
    }

    /// Puts an edge at an offset of a frame.
    #[inline]
    pub(crate) fn set_frame_edge(&mut self, frame: &Frame, offset: usize, edge: Edge) {
        self.mdd.manager_mut().scratch.set(frame.base + offset, edge.node.word());
        self.kind.slots[frame.slots + offset].weight = edge.weight;
    }

    /// Puts an edge on top of the stacks, as the next one of a frame whose window is known.
    #[inline]
    pub(crate) fn push_edge(&mut self, edge: Edge) {
        self.mdd.manager_mut().scratch.push(edge.node.word());
        self.kind.slots.push(Slot { weight: edge.weight, is_dirty: false });
    }

    /// Where `code` lies in a frame, which is widened if need be.
    #[inline]
    pub(crate) fn place_for(&mut self, frame: &mut Frame, code: u32) -> Result<usize, Interrupted> {
        frame.place(code, self.mdd, &mut self.kind.slots)
    }

    /// Takes the minimum of an edge and the one for `code` of a frame. Heavier edges than the bound
    /// are left out.
    #[inline]
    pub(crate) fn add_to_frame(
        &mut self,
        frame: &mut Frame,
        code: u32,
        edge: Edge,
    ) -> Result<(), Interrupted> {
        if !edge.is_nothing() && edge.weight <= self.bound() {
            let offset = self.place_for(frame, code)?;
            let old = self.frame_edge(frame, offset);
            let new = self.minimum_of_edges(old, edge)?;
            self.set_frame_edge(frame, offset, new);
        }
        Ok(())
    }

    /// Takes the least weight off all edges of a frame and returns it; ∞ for an empty one.
    pub(crate) fn normalise_frame(&mut self, frame: &Frame) -> u64 {
        let children = &self.mdd.manager().scratch.all()[frame.base..frame.base + frame.length as usize];
        let slots = &mut self.kind.slots[frame.slots..frame.slots + frame.length as usize];
        let occupied = children.iter().zip(slots.iter()).filter(|(word, _)| **word != 0);
        let least = occupied.map(|(_, slot)| slot.weight).min().unwrap_or(u64::MAX);
        if least > 0 {
            let occupied = slots.iter_mut().zip(children).filter(|(_, word)| **word != 0);
            occupied.for_each(|(slot, _)| slot.weight -= least);
        }
        least
    }

    /// Writes the node of a normalised, non-empty frame on top of the scratch stack, as make_node
    /// takes it: its kind and its tag.
    fn write_frame(
        &mut self,
        frame: &Frame,
        (first, end): (usize, usize),
    ) -> Result<(Kind, u32), Interrupted> {
        let mut largest = 0;
        for offset in first..end {
            let Edge { weight, node } = self.frame_edge(frame, offset);
            if !node.is_empty() {
                let value = weight.checked_add(self.largest_in(node)).filter(|&value| value < u64::MAX);
                largest = largest.max(value.ok_or(Interrupted::Overflow)?);
            }
        }
        let is_wide = largest > u64::from(u32::MAX);
        let push_number = |edd: &mut Self, number: u64| {
            edd.mdd.manager_mut().scratch.push(number as u32);
            if is_wide {
                edd.mdd.manager_mut().scratch.push((number >> 32) as u32);
            }
        };
        push_number(self, largest);
        for offset in first..end {
            let Edge { weight, node } = self.frame_edge(frame, offset);
            push_number(self, if node.is_empty() { 0 } else { weight });
            self.mdd.manager_mut().scratch.push(node.word());
        }
        let kind = if is_wide { self.kind.wide } else { self.kind.narrow };
        Ok((kind, frame.lo + first as u32))
    }

    /// The node of a normalised frame, if it exists already; EMPTY for an empty frame. The frame
    /// stays.
    pub(crate) fn find_frame(&mut self, frame: &Frame) -> Result<Option<NodeId>, Interrupted> {
        let Some(trimmed) = frame.trimmed(self.mdd) else { return Ok(Some(NodeId::EMPTY)) };
        let top = self.mdd.manager().scratch.height();
        let (kind, tag) = self.write_frame(frame, trimmed)?;
        let end = self.mdd.manager().scratch.height();
        let found = self.mdd.manager().find_node(kind, tag, top..end);
        self.mdd.manager_mut().scratch.truncate(top);
        Ok(found)
    }

    /// The node of a normalised frame, which leaves the stacks; EMPTY for an empty frame.
    pub(crate) fn close_normal_frame(&mut self, frame: Frame) -> Result<NodeId, Interrupted> {
        let node = match frame.trimmed(self.mdd) {
            None => NodeId::EMPTY,
            Some(trimmed) => {
                let top = self.mdd.manager().scratch.height();
                let (kind, tag) = self.write_frame(&frame, trimmed)?;
                let end = self.mdd.manager().scratch.height();
                self.mdd.manager_mut().make_node(kind, tag, top..end)?
            }
        };
        frame.discard(self.mdd, &mut self.kind.slots);
        Ok(node)
    }

    /// The edge of a frame, which leaves the stacks.
    pub(crate) fn close_frame(&mut self, frame: Frame) -> Result<Edge, Interrupted> {
        let weight = self.normalise_frame(&frame);
        let node = self.close_normal_frame(frame)?;
        Ok(Edge { weight, node })
    }
}
