//! The computed cache: recalls answers of operations that were asked before.
//!
//! Lossy and growing. Entries of 16 bytes (operation and a small operand, two operands, answer) lie
//! four to a cache line; a new entry enters its line in front and pushes the last one out. In the
//! trial before this kernel, one-way tables of the same size had up to six times the misses in
//! saturation, which asks again and again; the price was 7–28 % where nearly everything hits.
//!
//! The table doubles when both hold since the last change of size: more entries were pushed out
//! than it has room for, and at least a fifth of the look-ups were answered. The first alone would
//! grow it to the limit for operations that never ask twice. It suffices while the table is small:
//! there, answers may be pushed out before they are asked for again, and a table that stays small
//! because it is too small can cost a hundred times the steps.
//!
//! A *pair operation* has one operand and an answer of two words; the first of them lies where
//! other entries have their second operand, so that entries stay as small as they are.

use crate::node::NodeId;
use allocator_api2::vec::Vec as VecIn;
use hugealloc::HugeAlloc;
use symbolon_budget::MemoryAccount;

/// An operation registered with a manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation(pub(crate) u32);

/// Which words of an entry are nodes; entries with dead nodes are dropped by a collection (K5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperationShape {
    /// The small number is a node.
    pub small_is_node: bool,
    /// The first operand is a node.
    pub a_is_node: bool,
    /// The second operand is a node.
    pub b_is_node: bool,
    /// The answer is a node.
    pub answer_is_node: bool,
}

impl OperationShape {
    /// Both operands and the answer are nodes.
    pub const NODES: OperationShape =
        OperationShape { small_is_node: false, a_is_node: true, b_is_node: true, answer_is_node: true };
    /// The first operand and the answer are nodes.
    pub const UNARY: OperationShape =
        OperationShape { small_is_node: false, a_is_node: true, b_is_node: false, answer_is_node: true };
}

/// A question: an operation, a small number (below 2^27), and two operands.
///
/// Both operands lie in one word. As two halves they were sometimes stored one by one and loaded
/// together, which processors wait for: saturation of kanban:500 took half as long again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    head: u32,
    /// The first operand in the upper half, the second in the lower.
    operands: u64,
}

impl Key {
    /// The largest small number that a key can carry.
    pub const LARGEST_SMALL: u32 = (1 << 27) - 1;

    /// The key for `operation` with a small number (an event, say) and two operands.
    #[inline]
    pub fn new(operation: Operation, small: u32, a: u32, b: u32) -> Key {
        debug_assert!(small <= Key::LARGEST_SMALL);
        Key { head: operation.0 << 27 | small, operands: u64::from(a) << 32 | u64::from(b) }
    }

    /// From what an entry has.
    fn of_words([head, a, b]: [u32; 3]) -> Key {
        Key { head, operands: u64::from(a) << 32 | u64::from(b) }
    }

    /// As an entry has it.
    #[inline]
    fn words(self) -> [u32; 3] {
        [self.head, (self.operands >> 32) as u32, self.operands as u32]
    }

    #[inline]
    fn hash(self) -> u64 {
        let head = u64::from(self.head).wrapping_mul(0xa076_1d64_78bd_642f);
        let product = u128::from(self.operands ^ head) * 0x9e37_79b9_7f4a_7c15_u128;
        product as u64 ^ (product >> 64) as u64
    }
}

const WAYS: usize = 4;

#[derive(Clone, Copy)]
#[repr(C)]
struct Entry {
    key: [u32; 3],
    answer: u32,
}

const VACANT: Entry = Entry { key: [0; 3], answer: 0 };

/// One cache line. A head of 0 marks a free entry: operation 0 is never registered.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([Entry; WAYS]);

const _: () = assert!(size_of::<Line>() == 64);

/// Questions and their answers. A [`crate::Manager`] owns one; kinds with nodes of their own use it
/// directly.
pub struct Cache {
    lines: Lines,
    shift: u32,
    largest_bits: u32,
    shapes: Vec<OperationShape>,
    /// A bit for each pair operation.
    pair_operations: u32,
    hits: u64,
    misses: u64,
    hits_at_resize: u64,
    misses_at_resize: u64,
    evictions_since_resize: u64,
}

/// At least one answer per this many look-ups justifies a larger table.
const LOOKUPS_PER_HIT: u64 = 5;
/// Large tables lie in pages of 2 MB: a look-up goes to a line that is in no cache, and with small
/// pages to the table of page addresses as well.
type Lines = VecIn<Line, HugeAlloc>;

fn empty_lines(bits: u32) -> Lines {
    let mut lines = VecIn::with_capacity_in(1 << bits, HugeAlloc);
    lines.resize(1 << bits, Line([VACANT; WAYS]));
    lines
}

/// A table with fewer lines, 1 MB, is small.
const SMALL_LINES: usize = 1 << 14;

impl Cache {
    /// A cache of 2^`bits` entries that grows to at most 2^`largest_bits`.
    pub fn new(bits: u32, largest_bits: u32) -> Cache {
        let line_bits = bits.max(3) - 2;
        Cache {
            lines: empty_lines(line_bits),
            shift: 64 - line_bits,
            largest_bits: largest_bits.max(3) - 2,
            shapes: Vec::new(),
            pair_operations: 0,
            hits: 0,
            misses: 0,
            hits_at_resize: 0,
            misses_at_resize: 0,
            evictions_since_resize: 0,
        }
    }

    /// Introduces an operation.
    pub fn register(&mut self, shape: OperationShape) -> Operation {
        assert!(self.shapes.len() < 31, "a manager knows at most 31 operations");
        self.shapes.push(shape);
        Operation(self.shapes.len() as u32)
    }

    /// A pair operation: its operand and the second word of its answer are nodes.
    pub(crate) fn register_pair(&mut self) -> Operation {
        let operation = self.register(OperationShape::UNARY);
        self.pair_operations |= 1 << operation.0;
        operation
    }

    /// Which line an entry lies in.
    #[inline]
    fn line_of(&self, key: Key) -> usize {
        (key.hash() >> self.shift) as usize
    }

    /// The answer, if it is remembered.
    #[inline]
    pub fn get(&mut self, key: Key) -> Option<u32> {
        let answer = self.get_again(key);
        self.misses += u64::from(answer.is_none());
        answer
    }

    /// [`Cache::get`] for a question that was counted as not answered before.
    #[inline]
    pub fn get_again(&mut self, key: Key) -> Option<u32> {
        let words = key.words();
        let line = &self.lines[self.line_of(key)].0;
        let found = line.iter().find(|entry| entry.key == words)?;
        self.hits += 1;
        Some(found.answer)
    }

    /// The two words of the answer to a pair operation, whose key has no second operand.
    #[inline]
    pub(crate) fn get_pair(&mut self, key: Key) -> Option<(u32, u32)> {
        let [head, a, _] = key.words();
        let line = &self.lines[self.line_of(key)].0;
        for entry in line {
            if entry.key[0] == head && entry.key[1] == a {
                self.hits += 1;
                return Some((entry.key[2], entry.answer));
            }
        }
        self.misses += 1;
        None
    }

    /// Remembers an answer. The same key may be put twice; the newer entry is found first.
    #[inline]
    pub fn put(&mut self, key: Key, answer: u32) {
        let line = self.line_of(key);
        self.insert(line, Entry { key: key.words(), answer });
    }

    /// Remembers the answer of a pair operation.
    #[inline]
    pub(crate) fn put_pair(&mut self, key: Key, (first, second): (u32, u32)) {
        let line = self.line_of(key);
        let [head, a, _] = key.words();
        self.insert(line, Entry { key: [head, a, first], answer: second });
    }

    #[inline]
    fn insert(&mut self, line: usize, entry: Entry) {
        let line = &mut self.lines[line].0;
        self.evictions_since_resize += u64::from(line[WAYS - 1].key[0] != 0);
        line.copy_within(0..WAYS - 1, 1);
        line[0] = entry;
    }

    /// Whether a larger table is worth its memory; see the module comment.
    #[inline]
    pub fn wants_to_grow(&self) -> bool {
        self.evictions_since_resize > (self.lines.len() * WAYS) as u64
            && 64 - self.shift < self.largest_bits
            && (self.lines.len() < SMALL_LINES || self.answers_pay())
    }

    /// Whether enough look-ups were answered since the last change of size.
    fn answers_pay(&self) -> bool {
        let (hits, misses) = (self.hits - self.hits_at_resize, self.misses - self.misses_at_resize);
        hits * LOOKUPS_PER_HIT >= hits + misses
    }

    /// Doubles the table if old and new together fit into the account. Charges the difference.
    pub fn grow(&mut self, memory: &MemoryAccount) {
        let old_bytes = self.bytes();
        self.hits_at_resize = self.hits;
        self.misses_at_resize = self.misses;
        self.evictions_since_resize = 0;
        // A quarter of the memory at the most: nodes need the rest.
        let allowed = memory.limit().is_none_or(|limit| old_bytes * 2 <= limit / 4);
        if !allowed || memory.charge(old_bytes * 2).is_err() {
            return;
        }
        let bits = 64 - self.shift + 1;
        let larger = empty_lines(bits);
        let smaller = std::mem::replace(&mut self.lines, larger);
        self.shift = 64 - bits;
        for line in &smaller {
            for entry in line.0.iter().rev().filter(|entry| entry.key[0] != 0) {
                // The first word of a pair is no part of the question.
                let [head, a, b] = entry.key;
                let is_pair = self.pair_operations >> (head >> 27) & 1 == 1;
                let line = self.line_of(Key::of_words([head, a, if is_pair { 0 } else { b }]));
                self.insert(line, *entry);
            }
        }
        drop(smaller);
        memory.release(old_bytes);
        self.evictions_since_resize = 0;
    }

    /// Drops the entries that mention a node that is not live (K5).
    pub fn retain(&mut self, is_live: impl Fn(NodeId) -> bool) {
        let shapes = &self.shapes;
        for line in &mut self.lines {
            let mut kept = [VACANT; WAYS];
            let mut count = 0;
            for entry in line.0.iter().filter(|entry| entry.key[0] != 0) {
                let shape = shapes[(entry.key[0] >> 27) as usize - 1];
                let lives = |is_node: bool, word: u32| !is_node || is_live(NodeId::from_word(word));
                if lives(shape.small_is_node, entry.key[0] & Key::LARGEST_SMALL)
                    && lives(shape.a_is_node, entry.key[1])
                    && lives(shape.b_is_node, entry.key[2])
                    && lives(shape.answer_is_node, entry.answer)
                {
                    kept[count] = *entry;
                    count += 1;
                }
            }
            line.0 = kept;
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.lines.fill(Line([VACANT; WAYS]));
    }

    /// Every node that some entry mentions.
    pub fn mentioned_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.lines.iter().flat_map(|line| line.0).filter(|entry| entry.key[0] != 0).flat_map(|entry| {
            let shape = self.shapes[(entry.key[0] >> 27) as usize - 1];
            [
                shape.small_is_node.then_some(entry.key[0] & Key::LARGEST_SMALL),
                shape.a_is_node.then_some(entry.key[1]),
                shape.b_is_node.then_some(entry.key[2]),
                shape.answer_is_node.then_some(entry.answer),
            ]
            .into_iter()
            .flatten()
            .map(NodeId::from_word)
        })
    }

    /// The bytes of the table.
    pub fn bytes(&self) -> u64 {
        (self.lines.len() * size_of::<Line>()) as u64
    }

    /// The look-ups that were answered.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// The look-ups that were not.
    pub fn misses(&self) -> u64 {
        self.misses
    }
}
