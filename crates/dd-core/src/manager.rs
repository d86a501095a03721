//! The manager: owner of store, unique table and cache, and the only door to a new node.

use crate::cache::{Cache, Key, Operation, OperationShape};
use crate::node::{ESCAPED_TAG, Header, Kind, LONG, NodeId, NodeShape};
use crate::root::{Root, RootTable};
use crate::scratch::Scratch;
use crate::statistics::Statistics;
use crate::store::Store;
use crate::unique::{Probe, UniqueTable};
use std::ops::Range;
use symbolon_budget::{Interrupted, Meter};

/// Sizes that tests and benches set; the default suits all other uses.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The computed cache starts with 2^this entries.
    pub cache_bits: u32,
    /// The computed cache never exceeds 2^this entries.
    pub largest_cache_bits: u32,
    /// A collection is due once this many words were added since the last one, at least.
    pub collection_words: usize,
    /// … and once the arena has grown by this multiple of what survived the last one.
    pub collection_growth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { cache_bits: 16, largest_cache_bits: 28, collection_words: 8 << 20, collection_growth: 8 }
    }
}

/// Arena words are charged to the budget in pieces of this size.
const CHARGE_WORDS: usize = 1 << 16;

/// Stores nodes, keeps them unique, recalls answers, collects garbage.
pub struct Manager {
    pub(crate) store: Store,
    pub(crate) unique: UniqueTable,
    pub(crate) cache: Cache,
    pub(crate) roots: RootTable,
    /// The scratch stack of running operations, which is also their root stack.
    pub scratch: Scratch,
    pub(crate) shapes: Vec<NodeShape>,
    pub(crate) limits: Limits,
    pub(crate) meter: Meter,
    /// Words of live nodes at which the next collection is due.
    pub(crate) watermark: usize,
    pub(crate) words_after_collection: usize,
    pub(crate) collections: u64,
    pub(crate) peak_nodes: usize,
    pub(crate) peak_node_words: usize,
    created_nodes: u64,
    charged_words: usize,
    charged_tables: u64,
    peak_bytes: u64,
}

impl Manager {
    /// An empty manager that works within the budget of `meter`.
    pub fn new(meter: Meter, limits: Limits) -> Result<Manager, Interrupted> {
        let unique = UniqueTable::new();
        let cache = Cache::new(limits.cache_bits, limits.largest_cache_bits);
        let charged_tables = unique.bytes() + cache.bytes();
        meter.budget().memory().charge(charged_tables)?;
        Ok(Manager {
            store: Store::new(),
            unique,
            cache,
            roots: RootTable::default(),
            scratch: Scratch::default(),
            shapes: Vec::new(),
            limits,
            meter,
            watermark: limits.collection_words,
            words_after_collection: 0,
            collections: 0,
            peak_nodes: 0,
            peak_node_words: 0,
            created_nodes: 0,
            charged_words: 0,
            charged_tables,
            peak_bytes: charged_tables,
        })
    }

    /// Makes room for `count` nodes of a few words each, so that the tables need not grow on the
    /// way there.
    pub fn expect_nodes(&mut self, count: usize) -> Result<(), Interrupted> {
        let more_bytes = self.unique.bytes_for(count).saturating_sub(self.unique.bytes());
        if more_bytes > 0 {
            self.meter.budget().memory().charge(more_bytes)?;
            self.charged_tables += more_bytes;
            self.note_bytes();
            self.unique.grow_for(count);
        }
        self.store.reserve(count);
        Ok(())
    }

    /// Introduces a kind of node. A manager holds at most seven kinds.
    pub fn register_kind(&mut self, shape: NodeShape) -> Kind {
        assert!(self.shapes.len() < 7, "a manager holds at most seven kinds of node");
        self.shapes.push(shape);
        Kind(self.shapes.len() as u32)
    }

    /// Introduces an operation whose answers the cache will hold.
    pub fn register_operation(&mut self, shape: OperationShape) -> Operation {
        self.cache.register(shape)
    }

    /// Introduces an operation with one operand, a node, whose answers are a number and a node; see
    /// [`Manager::recall_pair`].
    pub fn register_pair_operation(&mut self) -> Operation {
        self.cache.register_pair()
    }

    /// The node of this kind and tag whose words are `scratch[range]`: found, or made now.
    ///
    /// This is the only door to a new node. The words stay on the scratch stack.
    pub fn make_node(&mut self, kind: Kind, tag: u32, range: Range<usize>) -> Result<NodeId, Interrupted> {
        self.meter.words(range.len())?;
        let words = &self.scratch.all()[range.clone()];
        let header = header_for(kind, tag, words.len());
        if self.unique.is_full() {
            self.grow_unique()?;
        }
        let words = &self.scratch.all()[range];
        match self.unique.probe(&self.store, header, tag, words) {
            Probe::Found(id) => Ok(id),
            Probe::Vacant(vacancy) => {
                if self.store.arena_words() + words.len() + 3 > self.charged_words {
                    charge_arena(&self.meter, &mut self.charged_words, words.len())?;
                }
                let id = self.store.insert(header, tag, words).ok_or(Interrupted::Memory)?;
                self.unique.fill(vacancy, id);
                self.created_nodes += 1;
                if self.store.live_nodes() > self.peak_nodes {
                    self.peak_nodes = self.store.live_nodes();
                }
                self.peak_node_words = self.peak_node_words.max(self.store.live_words());
                Ok(id)
            }
        }
    }

    /// The node of this kind and tag whose words are `scratch[range]`, if it exists already.
    pub fn find_node(&self, kind: Kind, tag: u32, range: Range<usize>) -> Option<NodeId> {
        let words = &self.scratch.all()[range];
        match self.unique.probe(&self.store, header_for(kind, tag, words.len()), tag, words) {
            Probe::Found(id) => Some(id),
            Probe::Vacant(_) => None,
        }
    }

    #[cold]
    fn grow_unique(&mut self) -> Result<(), Interrupted> {
        let bytes = self.unique.bytes();
        let memory = self.meter.budget().memory();
        memory.charge(2 * bytes)?;
        self.charged_tables += 2 * bytes;
        self.note_bytes();
        self.unique.grow();
        self.meter.budget().memory().release(bytes);
        self.charged_tables -= bytes;
        Ok(())
    }

    /// The tag of a node and the offset and number of its words behind the tag.
    ///
    /// Offsets stay valid as long as the node lives, because nodes never move or change.
    #[inline]
    pub fn view(&self, id: NodeId) -> View {
        let header = self.store.header(id);
        let (start, length) = self.store.span(id);
        let tag = header.tag();
        if tag != ESCAPED_TAG {
            View { tag, start, length }
        } else {
            View { tag: self.store.word_at(start), start: start + 1, length: length - 1 }
        }
    }

    /// The kind of a stored node.
    #[inline]
    pub fn kind(&self, id: NodeId) -> Kind {
        Kind(self.store.header(id).kind())
    }

    /// The word at an offset of the arena, from a [`View`].
    #[inline]
    pub fn word_at(&self, offset: usize) -> u32 {
        self.store.word_at(offset)
    }

    /// The words of a node behind its tag.
    pub fn words(&self, id: NodeId) -> &[u32] {
        let escaped = self.store.header(id).tag() == ESCAPED_TAG;
        &self.store.words(id)[usize::from(escaped)..]
    }

    /// Whether the note of a node is set. Terminals always have it.
    #[inline]
    pub fn is_noted(&self, id: NodeId) -> bool {
        id.is_terminal() || self.store.header(id).is_noted()
    }

    /// Sets the note of a node: one bit that is no part of its identity and stays while it lives.
    #[inline]
    pub fn note(&mut self, id: NodeId) {
        if !id.is_terminal() {
            let header = self.store.header(id);
            self.store.set_header(id, header.noted());
        }
    }

    /// Takes the note away from every node.
    pub fn clear_notes(&mut self) {
        self.store.clear_notes();
    }

    /// The remembered answer to `key`.
    #[inline]
    pub fn recall(&mut self, key: Key) -> Option<u32> {
        self.cache.get(key)
    }

    /// Remembers an answer.
    #[inline]
    pub fn remember(&mut self, key: Key, answer: u32) {
        self.cache.put(key, answer);
        if self.cache.wants_to_grow() {
            self.grow_cache();
        }
    }

    /// The remembered answer to `key`, of a pair operation; its second operand must be 0.
    #[inline]
    pub fn recall_pair(&mut self, key: Key) -> Option<(u32, NodeId)> {
        self.cache.get_pair(key).map(|(number, node)| (number, NodeId::from_word(node)))
    }

    /// Remembers an answer of a pair operation.
    #[inline]
    pub fn remember_pair(&mut self, key: Key, number: u32, node: NodeId) {
        self.cache.put_pair(key, (number, node.word()));
        if self.cache.wants_to_grow() {
            self.grow_cache();
        }
    }

    #[cold]
    fn grow_cache(&mut self) {
        let before = self.cache.bytes();
        self.cache.grow(self.meter.budget().memory());
        let after = self.cache.bytes();
        self.charged_tables += after - before;
        self.note_bytes();
    }

    /// Forgets all remembered answers, for measurements that must not profit from earlier ones.
    pub fn forget_answers(&mut self) {
        self.cache.clear();
    }

    /// Counts one step of work. Every operation does so when the cache could not answer.
    #[inline]
    pub fn step(&mut self) -> Result<(), Interrupted> {
        self.meter.step()?;
        if self.meter.steps().is_multiple_of(1 << 14) {
            self.meter.budget().progress().report(self.store.live_nodes() as u64, self.meter.steps());
        }
        Ok(())
    }

    /// Keeps a node alive until the returned value and its clones are dropped.
    pub fn root(&mut self, node: NodeId) -> Root {
        self.roots.add(node)
    }

    /// The meter that counts the steps of this manager.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// The meter, to grant it more or fewer steps.
    pub fn meter_mut(&mut self) -> &mut Meter {
        &mut self.meter
    }

    /// What was done so far.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            nodes: self.store.live_nodes(),
            peak_nodes: self.peak_nodes,
            created_nodes: self.created_nodes,
            cache_hits: self.cache.hits(),
            cache_misses: self.cache.misses(),
            cache_entries: self.cache.bytes() / 16,
            collections: self.collections,
            steps: self.meter.steps(),
            peak_node_bytes: self.peak_node_words as u64 * 4,
            peak_bytes: self.peak_bytes.max(self.charged_tables + self.charged_words as u64 * 4),
        }
    }

    fn note_bytes(&mut self) {
        self.peak_bytes = self.peak_bytes.max(self.charged_tables + self.charged_words as u64 * 4);
    }

    /// After the arena shrank: gives back what is charged beyond it.
    pub(crate) fn release_arena(&mut self) {
        self.note_bytes();
        let wanted = self.store.arena_words().next_multiple_of(CHARGE_WORDS);
        if wanted < self.charged_words {
            self.meter.budget().memory().release((self.charged_words - wanted) as u64 * 4);
            self.charged_words = wanted;
        }
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        self.meter.budget().memory().release(self.charged_tables + self.charged_words as u64 * 4);
    }
}

/// Where the words of a node lie in the arena.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The tag.
    pub tag: u32,
    /// Offset of the first word behind the tag.
    pub start: usize,
    /// Number of words behind the tag.
    pub length: usize,
}

#[inline]
fn header_for(kind: Kind, tag: u32, length: usize) -> Header {
    let (tag, length) = if tag < ESCAPED_TAG { (tag, length) } else { (ESCAPED_TAG, length + 1) };
    Header::new(kind.0, tag, length.min(LONG as usize) as u32)
}

#[cold]
fn charge_arena(meter: &Meter, charged_words: &mut usize, more: usize) -> Result<(), Interrupted> {
    let piece = (more + 3).next_multiple_of(CHARGE_WORDS);
    meter.budget().memory().charge(piece as u64 * 4)?;
    *charged_words += piece;
    Ok(())
}
