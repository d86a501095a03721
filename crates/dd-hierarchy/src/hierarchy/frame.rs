//! Frames: leaf nodes under construction.
//!
//! The children of a frame lie on top of the scratch stack, where a collection finds them (K4),
//! behind one word that is kept free for the first code of a run. Their codes lie on a stack of
//! their own, because every word of the scratch stack must be a node. A frame grows anywhere while
//! it is the topmost one.

use crate::hierarchy::Hierarchy;
use std::ops::Range;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Kind, NodeId};

/// What a frame knows of one child: its code, and whether it changed since events were last fired
/// on it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) code: u32,
    pub(crate) dirty: bool,
}

/// Where a frame begins on both stacks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    base: usize,
    cells: usize,
}

impl Hierarchy {
    /// An empty frame on top of the stacks.
    #[inline]
    pub(crate) fn open_frame(&mut self) -> Frame {
        let frame = Frame { base: self.manager.scratch.height(), cells: self.cells.len() };
        self.manager.scratch.push(NodeId::EMPTY.word());
        frame
    }

    /// Adds a child to the topmost frame, whose codes are all smaller.
    #[inline]
    pub(crate) fn append(&mut self, code: u32, child: NodeId) {
        if !child.is_empty() {
            self.cells.push(Cell { code, dirty: false });
            self.manager.scratch.push(child.word());
        }
    }

    /// The number of children.
    #[inline]
    pub(crate) fn frame_length(&self, frame: &Frame) -> usize {
        self.cells.len() - frame.cells
    }

    /// Code and child at a position.
    #[inline]
    pub(crate) fn frame_arc(&self, frame: &Frame, position: usize) -> (u32, NodeId) {
        let child = self.manager.scratch.get(frame.base + 1 + position);
        (self.cells[frame.cells + position].code, NodeId::from_word(child))
    }

    /// The flag of a position.
    #[inline]
    pub(crate) fn dirty_flag(&mut self, frame: &Frame, position: usize) -> &mut bool {
        &mut self.cells[frame.cells + position].dirty
    }

    /// The position of a code, if it has a child.
    #[inline]
    pub(crate) fn frame_position(&self, frame: &Frame, code: u32) -> Result<usize, usize> {
        let cells = &self.cells[frame.cells..];
        // Most frames have no gaps: guess before searching.
        if let Some(first) = cells.first() {
            let guess = code.wrapping_sub(first.code) as usize;
            if cells.get(guess).is_some_and(|cell| cell.code == code) {
                return Ok(guess);
            }
        }
        cells.binary_search_by_key(&code, |cell| cell.code)
    }

    /// Unites `node` with the child for `code`. Says where, if that changed anything.
    pub(crate) fn add_to_frame(
        &mut self,
        frame: &Frame,
        code: u32,
        node: NodeId,
    ) -> Result<Option<usize>, Interrupted> {
        if node.is_empty() {
            return Ok(None);
        }
        match self.frame_position(frame, code) {
            Ok(position) => {
                let at = frame.base + 1 + position;
                let old = NodeId::from_word(self.manager.scratch.get(at));
                let new = self.unite(old, node)?;
                self.manager.scratch.set(at, new.word());
                Ok((new != old).then_some(position))
            }
            Err(position) => {
                self.manager.scratch.insert_empty(frame.base + 1 + position, 1);
                self.manager.scratch.set(frame.base + 1 + position, node.word());
                self.cells.insert(frame.cells + position, Cell { code, dirty: false });
                Ok(Some(position))
            }
        }
    }

    /// The node of a frame, which is gone then: EMPTY without children (HIER-K2).
    pub(crate) fn close_frame(&mut self, frame: Frame, variable: u32) -> Result<NodeId, Interrupted> {
        let length = self.frame_length(&frame);
        let answer = if length == 0 {
            NodeId::EMPTY
        } else if self.has_no_gaps(&frame) {
            let (kind, tag, range) = self.run_words(&frame, variable);
            self.manager.make_node(kind, tag, range)?
        } else {
            let range = self.pair_words(&frame);
            self.manager.make_node(self.kinds.pairs, variable, range)?
        };
        self.drop_frame(frame);
        if length > 0 {
            self.inherit_undefined(answer);
        }
        Ok(answer)
    }

    /// Gives a frame up.
    pub(crate) fn drop_frame(&mut self, frame: Frame) {
        self.manager.scratch.truncate(frame.base);
        self.cells.truncate(frame.cells);
    }

    /// The node of a frame, if it is stored already. The frame stays.
    pub(crate) fn find_frame(&mut self, frame: &Frame, variable: u32) -> Option<NodeId> {
        if self.frame_length(frame) == 0 {
            return Some(NodeId::EMPTY);
        }
        let found;
        if self.has_no_gaps(frame) {
            let (kind, tag, range) = self.run_words(frame, variable);
            found = self.manager.find_node(kind, tag, range);
            self.manager.scratch.set(frame.base, NodeId::EMPTY.word());
        } else {
            let range = self.pair_words(frame);
            let height = range.start;
            found = self.manager.find_node(self.kinds.pairs, variable, range);
            self.manager.scratch.truncate(height);
        }
        found
    }

    fn has_no_gaps(&self, frame: &Frame) -> bool {
        let cells = &self.cells[frame.cells..];
        let span = cells[cells.len() - 1].code - cells[0].code;
        span as usize == cells.len() - 1
    }

    /// A run: kind, tag and words. The first code is the tag, or stands in front of the children.
    fn run_words(&mut self, frame: &Frame, variable: u32) -> (Kind, u32, Range<usize>) {
        let (first, end) = (self.cells[frame.cells].code, self.manager.scratch.height());
        if variable == 0 {
            (self.kinds.run, first, frame.base + 1..end)
        } else {
            self.manager.scratch.set(frame.base, first);
            (self.kinds.named_run, variable, frame.base..end)
        }
    }

    /// Puts pairs (code, child) on top. No node is collected while codes lie there.
    fn pair_words(&mut self, frame: &Frame) -> Range<usize> {
        let start = self.manager.scratch.height();
        for position in 0..self.frame_length(frame) {
            let (code, child) = self.frame_arc(frame, position);
            self.manager.scratch.push(code);
            self.manager.scratch.push(child.word());
        }
        start..self.manager.scratch.height()
    }
}
