//! The arena: one vector of words in which nodes lie one after another.
//!
//! Slots of dead nodes are reused. Neighbouring dead slots are joined by the collection; a joined
//! slot of at least [`REGION_WORDS`] words becomes a *region*, from which new nodes are cut one
//! after another, and a smaller one waits in the free list of its exact size. Invariant: walking
//! the arena from the first id by slot lengths meets every slot, live or free, exactly once.

use crate::node::{ESCAPED_TAG, FREE, Header, LONG, NodeId};

/// A free slot of at least this many words is used as a region.
const REGION_WORDS: usize = 64;

/// Nodes, by offset.
pub(crate) struct Store {
    words: Vec<u32>,
    /// Head of the list of free slots with exactly this number of words, linked through their
    /// second word; 0 ends a list.
    free_by_size: Vec<u32>,
    /// Free regions (offset, words), used from the last.
    regions: Vec<(u32, u32)>,
    live_nodes: usize,
    live_words: usize,
}

/// What an arena of this size can address: ids are 32-bit.
const LARGEST_ARENA: usize = u32::MAX as usize;

impl Store {
    pub(crate) fn new() -> Store {
        Store {
            words: vec![0; NodeId::FIRST as usize],
            free_by_size: vec![0; REGION_WORDS],
            regions: Vec::new(),
            live_nodes: 0,
            live_words: 0,
        }
    }

    /// Makes room for `count` nodes of a few words each.
    pub(crate) fn reserve(&mut self, node_count: usize) {
        const WORDS_PER_NODE: usize = 4;
        self.words.reserve_exact(node_count.saturating_mul(WORDS_PER_NODE).min(LARGEST_ARENA));
    }

    pub(crate) fn live_nodes(&self) -> usize {
        self.live_nodes
    }

    /// The words of live nodes, headers included.
    pub(crate) fn live_words(&self) -> usize {
        self.live_words
    }

    /// The words of the arena, free slots included.
    pub(crate) fn arena_words(&self) -> usize {
        self.words.len()
    }

    #[inline]
    pub(crate) fn header(&self, id: NodeId) -> Header {
        Header(self.words[id.offset()])
    }

    #[inline]
    pub(crate) fn set_header(&mut self, id: NodeId, header: Header) {
        self.words[id.offset()] = header.0;
    }

    /// Where the words of `id` begin, and how many there are.
    #[inline]
    pub(crate) fn span(&self, id: NodeId) -> (usize, usize) {
        let offset = id.offset();
        let length = Header(self.words[offset]).length();
        if length != LONG {
            (offset + 1, length as usize)
        } else {
            (offset + 2, self.words[offset + 1] as usize)
        }
    }

    /// The word at this offset of the arena.
    #[inline]
    pub(crate) fn word_at(&self, offset: usize) -> u32 {
        self.words[offset]
    }

    /// The words of a node; an escaped tag is the first of them.
    #[inline]
    pub(crate) fn words(&self, id: NodeId) -> &[u32] {
        let (start, length) = self.span(id);
        &self.words[start..start + length]
    }

    /// Whether `id` has exactly this header (mark and note aside), tag and words.
    #[inline]
    pub(crate) fn equals(&self, id: NodeId, header: Header, tag: u32, words: &[u32]) -> bool {
        if self.header(id).identity() != header {
            return false;
        }
        let stored = self.words(id);
        if header.tag() != ESCAPED_TAG { stored == words } else { stored[0] == tag && stored[1..] == *words }
    }

    /// Puts a node into a slot. `None` if the arena cannot address it.
    pub(crate) fn insert(&mut self, header: Header, tag: u32, words: &[u32]) -> Option<NodeId> {
        let escaped = header.tag() == ESCAPED_TAG;
        let length = words.len() + usize::from(escaped);
        let long = header.length() == LONG;
        let size = 1 + usize::from(long) + length;

        let offset = self.take_slot(size)?;
        self.words[offset] = header.0;
        let mut at = offset + 1;
        if long {
            self.words[at] = length as u32;
            at += 1;
        }
        if escaped {
            self.words[at] = tag;
            at += 1;
        }
        self.words[at..at + words.len()].copy_from_slice(words);
        self.live_nodes += 1;
        self.live_words += size;
        Some(NodeId::from_word(offset as u32))
    }

    /// A slot of `size` words: one of exactly this size, else a piece of a region, else new.
    fn take_slot(&mut self, size: usize) -> Option<usize> {
        if size < REGION_WORDS {
            let head = self.free_by_size[size] as usize;
            if head != 0 {
                self.free_by_size[size] = self.words[head + 1];
                return Some(head);
            }
        }
        while let Some(&(start, words)) = self.regions.last() {
            let (start, words) = (start as usize, words as usize);
            let rest = words.checked_sub(size);
            match rest {
                // A rest of one word could not hold a node: leave such a region to others.
                Some(0) => {
                    self.regions.pop();
                    return Some(start);
                }
                Some(rest) if rest >= 2 => {
                    self.regions.pop();
                    self.free(start + size, rest);
                    return Some(start);
                }
                _ if words < REGION_WORDS || size < REGION_WORDS => {
                    // Too small for this request, or an awkward rest: keep it for exact requests.
                    self.regions.pop();
                    self.free_small(start, words);
                }
                _ => break,
            }
        }
        let start = self.words.len();
        if start + size > LARGEST_ARENA {
            return None;
        }
        self.words.resize(start + size, 0);
        Some(start)
    }

    /// Marks a run of words as free and remembers it.
    fn free(&mut self, start: usize, words: usize) {
        if words >= REGION_WORDS {
            self.write_free_header(start, words);
            self.regions.push((start as u32, words as u32));
        } else {
            self.free_small(start, words);
        }
    }

    fn free_small(&mut self, start: usize, words: usize) {
        self.write_free_header(start, words);
        if words < REGION_WORDS {
            self.words[start + 1] = self.free_by_size[words];
            self.free_by_size[words] = start as u32;
        }
    }

    fn write_free_header(&mut self, start: usize, words: usize) {
        debug_assert!(words >= 2, "a slot has a header and at least one word");
        let length = words - 1;
        if length < LONG as usize {
            self.words[start] = Header::new(FREE, 0, length as u32).0;
        } else {
            self.words[start] = Header::new(FREE, 0, LONG).0;
            self.words[start + 1] = (length - 1) as u32;
        }
    }

    /// Frees every node without a mark and takes the marks away from the others. Calls `survivor`
    /// for each node that stays.
    pub(crate) fn sweep(&mut self, mut survivor: impl FnMut(NodeId)) {
        self.free_by_size.fill(0);
        self.regions.clear();
        self.live_nodes = 0;
        self.live_words = 0;
        let mut free_run: Option<usize> = None;
        let mut offset = NodeId::FIRST as usize;
        while offset < self.words.len() {
            let header = Header(self.words[offset]);
            let size = self.slot_size(offset);
            if header.is_marked() {
                if let Some(start) = free_run.take() {
                    self.free(start, offset - start);
                }
                self.words[offset] = header.unmarked().0;
                self.live_nodes += 1;
                self.live_words += size;
                survivor(NodeId::from_word(offset as u32));
            } else if free_run.is_none() {
                free_run = Some(offset);
            }
            offset += size;
        }
        // A free run at the end goes back to the arena.
        if let Some(start) = free_run {
            self.words.truncate(start);
        }
    }

    /// Takes the note away from every node.
    pub(crate) fn clear_notes(&mut self) {
        let mut offset = NodeId::FIRST as usize;
        while offset < self.words.len() {
            self.words[offset] = Header(self.words[offset]).without_note().0;
            offset += self.slot_size(offset);
        }
    }

    /// All slots as (offset, header), in the order of the arena.
    pub(crate) fn slots(&self) -> impl Iterator<Item = (usize, Header)> + '_ {
        let mut offset = NodeId::FIRST as usize;
        std::iter::from_fn(move || {
            if offset >= self.words.len() {
                return None;
            }
            let at = offset;
            offset += self.slot_size(at);
            Some((at, Header(self.words[at])))
        })
    }

    fn slot_size(&self, offset: usize) -> usize {
        let length = Header(self.words[offset]).length();
        if length != LONG { 1 + length as usize } else { 2 + self.words[offset + 1] as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn insert(store: &mut Store, words: &[u32]) -> NodeId {
        let header = Header::new(1, 3, words.len() as u32);
        store.insert(header, 3, words).expect("the arena is small")
    }

    #[test]
    fn slots_tile_the_arena_through_frees_and_reuse() {
        let mut store = Store::new();
        let mut kept = Vec::new();
        for round in 0..50_u32 {
            for size in 1..40_u32 {
                let words: Vec<u32> = (0..1 + (size * 7 + round) % 33).collect();
                kept.push((insert(&mut store, &words), words));
            }
            // Keep every third, in a pattern that shifts.
            kept = kept
                .into_iter()
                .enumerate()
                .filter(|(i, _)| (i + round as usize).is_multiple_of(3))
                .map(|(_, k)| k)
                .collect();
            for (id, _) in &kept {
                let header = store.header(*id);
                store.set_header(*id, header.marked());
            }
            let mut survivors = 0;
            store.sweep(|_| survivors += 1);
            assert_eq!(survivors, kept.len());
            assert_eq!(store.slots().filter(|(_, header)| header.kind() != FREE).count(), kept.len());
            for (id, words) in &kept {
                assert_eq!(store.words(*id), words);
            }
        }
        assert!(store.arena_words() < 40_000, "slots are reused: {}", store.arena_words());
    }
}
