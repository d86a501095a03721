//! Frames: nodes under construction, on top of the scratch stack.
//!
//! A frame is a window of children that grows at either end while it is the topmost thing on the
//! stack. What lies in it is rooted (K4).

use crate::mdd::Mdd;
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

/// A growing window of children: codes `lo .. lo + length`, at `base` of the scratch stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(crate) base: usize,
    pub(crate) lo: u32,
    pub(crate) length: u32,
}

impl Frame {
    /// Where the child for `code` lies, if the window covers it.
    #[inline]
    pub(crate) fn position(&self, code: u32) -> Option<usize> {
        let offset = code.wrapping_sub(self.lo);
        (offset < self.length).then(|| self.base + offset as usize)
    }
}

/// A sweep over those children of a frame that have changed since events were last fired from them,
/// upwards and around, until there are none. The frame may grow meanwhile.
#[derive(Debug)]
pub(crate) struct Sweep {
    /// Where the flags of the children begin: whether each has changed.
    pub(crate) flags: usize,
    /// How many have changed.
    dirty_count: usize,
    /// The code from which the next is looked for.
    next: u32,
}

impl Mdd {
    /// A sweep for which all children count as changed.
    #[inline]
    pub(crate) fn sweep_all(&mut self, frame: &Frame) -> Sweep {
        let (flags, all) = (self.dirty.len(), frame.length as usize);
        self.dirty.resize(flags + all, true);
        Sweep { flags, dirty_count: all, next: frame.lo }
    }

    /// The code of the next child that has changed and is not EMPTY; it counts as unchanged from
    /// now on. When there is none, the sweep is over.
    #[inline]
    pub(crate) fn next_changed(&mut self, sweep: &mut Sweep, frame: &Frame) -> Option<u32> {
        let mut offset = (sweep.next - frame.lo) as usize;
        while sweep.dirty_count > 0 {
            if offset >= frame.length as usize {
                offset = 0;
            }
            if std::mem::take(&mut self.dirty[sweep.flags + offset]) {
                sweep.dirty_count -= 1;
                if self.manager.scratch.get(frame.base + offset) != 0 {
                    let code = frame.lo + offset as u32;
                    sweep.next = code + 1;
                    return Some(code);
                }
            }
            offset += 1;
        }
        self.dirty.truncate(sweep.flags);
        None
    }

    /// Unites `node`, which is not EMPTY, with the child for `code` of the frame of a sweep.
    #[inline]
    pub(crate) fn add_in_sweep(
        &mut self,
        sweep: &mut Sweep,
        frame: &mut Frame,
        code: u32,
        node: NodeId,
    ) -> Result<(), Interrupted> {
        let place = self.place_for(frame, code, Some(sweep.flags))?;
        let old = NodeId::from_word(self.manager.scratch.get(place));
        let new = self.unite(old, node)?;
        if new != old {
            self.manager.scratch.set(place, new.word());
            let was_dirty =
                std::mem::replace(&mut self.dirty[sweep.flags + (code - frame.lo) as usize], true);
            sweep.dirty_count += usize::from(!was_dirty);
        }
        Ok(())
    }

    /// An empty frame on top of the stack.
    #[inline]
    pub(crate) fn open_frame(&mut self) -> Frame {
        Frame { base: self.manager.scratch.height(), lo: 0, length: 0 }
    }

    /// Where the child for `code` lies, after widening the window if need be.
    ///
    /// Widening at the low end moves the children; `dirty_base` names the flags that move along.
    #[inline]
    pub(crate) fn place_for(
        &mut self,
        frame: &mut Frame,
        code: u32,
        dirty_base: Option<usize>,
    ) -> Result<usize, Interrupted> {
        match frame.position(code) {
            Some(position) => Ok(position),
            None if frame.length == 0 || code == frame.lo + frame.length => {
                Ok(self.append_to_frame(frame, code, dirty_base))
            }
            None => self.widen(frame, code, dirty_base),
        }
    }

    /// The next code after the window, or the first one of an empty window: what nearly all
    /// widening is.
    #[inline]
    fn append_to_frame(&mut self, frame: &mut Frame, code: u32, dirty_base: Option<usize>) -> usize {
        let place = self.manager.scratch.height();
        debug_assert_eq!(place, frame.base + frame.length as usize);
        frame.lo = code - frame.length;
        frame.length += 1;
        self.manager.scratch.push(NodeId::EMPTY.word());
        if dirty_base.is_some() {
            self.dirty.push(false);
        }
        place
    }

    /// Where the child for `code` lies, outside the window that is not empty, after widening it.
    fn widen(
        &mut self,
        frame: &mut Frame,
        code: u32,
        dirty_base: Option<usize>,
    ) -> Result<usize, Interrupted> {
        debug_assert_eq!(self.manager.scratch.height(), frame.base + frame.length as usize);
        let below = frame.lo.saturating_sub(code) as usize;
        let above = (code - frame.lo.min(code)).saturating_sub(frame.length - 1) as usize;
        if below + above > 1 << 16
            && !self.manager.meter().budget().memory().has_room_for((below + above) as u64 * 8)
        {
            return Err(Interrupted::Memory);
        }
        if below > 0 {
            self.manager.scratch.insert_empty(frame.base, below);
            if let Some(dirty_base) = dirty_base {
                let height = self.dirty.len();
                self.dirty.resize(height + below, false);
                self.dirty.copy_within(dirty_base..height, dirty_base + below);
                self.dirty[dirty_base..dirty_base + below].fill(false);
            }
            frame.lo = code;
            frame.length += below as u32;
        } else {
            self.manager.scratch.push_empty(above);
            if dirty_base.is_some() {
                self.dirty.resize(self.dirty.len() + above, false);
            }
            frame.length += above as u32;
        }
        Ok(frame.base + (code - frame.lo) as usize)
    }

    /// The window without empty children at its ends: scratch range and first code.
    #[inline]
    fn trimmed(&self, frame: &Frame) -> (std::ops::Range<usize>, u32) {
        let words = &self.manager.scratch.all()[frame.base..frame.base + frame.length as usize];
        let Some(first) = words.iter().position(|&word| word != 0) else {
            return (frame.base..frame.base, 0);
        };
        let last = words.iter().rposition(|&word| word != 0).unwrap_or(first);
        (frame.base + first..frame.base + last + 1, frame.lo + first as u32)
    }

    /// The node of this frame if it exists already; EMPTY for an empty frame. The frame stays.
    #[inline]
    pub(crate) fn find_frame(&self, frame: &Frame) -> Option<NodeId> {
        let (range, lo) = self.trimmed(frame);
        if range.is_empty() { Some(NodeId::EMPTY) } else { self.manager.find_node(self.kind, lo, range) }
    }

    /// The node of this frame, which leaves the stack.
    #[inline]
    pub(crate) fn close_frame(&mut self, frame: Frame) -> Result<NodeId, Interrupted> {
        let (range, lo) = self.trimmed(&frame);
        let node =
            if range.is_empty() { NodeId::EMPTY } else { self.manager.make_node(self.kind, lo, range)? };
        self.manager.scratch.truncate(frame.base);
        Ok(node)
    }
}
