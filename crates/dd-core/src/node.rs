//! Node ids, and how a node lies in the arena.
//!
//! ```text
//! header   31 mark │ 30..28 kind │ 27 note │ 26..20 tag │ 19..0 length
//! ```
//!
//! Mark and note are no part of a node's identity: the mark belongs to the collection, the note is
//! a bit that the kind may set on a node (multi-valued diagrams note "is saturated").
//!
//! `length` counts the words behind the header. Two escapes lift the limits of the small fields: a
//! length of [`LONG`] says that the true length stands in the next word, and a tag of
//! [`ESCAPED_TAG`] says that the true tag is the first of the words. Short nodes, nearly all of
//! them, pay one word of overhead. A fixed head of three words would be simpler, and two words
//! longer on every node; nodes of safe nets have two or three words in all.

/// The number of a node; the offset of its header in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The terminal for "nothing": the empty set, the function that is nowhere defined.
    pub const EMPTY: NodeId = NodeId(0);
    /// The terminal for "the empty sequence": the end of every accepting path.
    pub const ONE: NodeId = NodeId(1);
    /// The first id that is not a terminal.
    pub(crate) const FIRST: u32 = 2;

    /// Whether this is [`NodeId::EMPTY`].
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether this is a terminal rather than a stored node.
    #[inline]
    pub fn is_terminal(self) -> bool {
        self.0 < NodeId::FIRST
    }

    /// The id as a word of another node, of the scratch stack or of a cache key.
    #[inline]
    pub fn word(self) -> u32 {
        self.0
    }

    /// The id that was stored as a word.
    #[inline]
    pub fn from_word(word: u32) -> NodeId {
        NodeId(word)
    }

    #[inline]
    pub(crate) fn offset(self) -> usize {
        self.0 as usize
    }
}

/// A kind of node known to a manager: 1 to 7, in order of registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kind(pub(crate) u32);

/// Which words of a node are children, so that marking needs no call back into the kind's crate.
///
/// After `skip` leading words (and one more if the tag is escaped) the words come in groups of
/// `stride`; bit `i` of `child_mask` says that word `i` of each group is a [`NodeId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeShape {
    /// Words in front of the groups.
    pub skip: u8,
    /// Words in a group.
    pub stride: u8,
    /// Which words of a group are children.
    pub child_mask: u32,
}

/// A length field with this value: the true length stands in the next word.
pub(crate) const LONG: u32 = (1 << 20) - 1;
/// A tag field with this value: the true tag is the first of the words.
pub(crate) const ESCAPED_TAG: u32 = 0x7f;
/// The kind of a slot that holds no node.
pub(crate) const FREE: u32 = 0;

const MARK: u32 = 1 << 31;
const NOTE: u32 = 1 << 27;

/// The header of a node or of a free slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header(pub(crate) u32);

impl Header {
    /// A header; `tag` and `length` are already cut to their fields.
    #[inline]
    pub(crate) fn new(kind: u32, tag: u32, length: u32) -> Header {
        debug_assert!(kind < 8 && tag <= ESCAPED_TAG && length <= LONG);
        Header(kind << 28 | tag << 20 | length)
    }

    #[inline]
    pub(crate) fn kind(self) -> u32 {
        self.0 >> 28 & 7
    }

    #[inline]
    pub(crate) fn tag(self) -> u32 {
        self.0 >> 20 & ESCAPED_TAG
    }

    #[inline]
    pub(crate) fn length(self) -> u32 {
        self.0 & LONG
    }

    /// Kind, tag and length alone: what two equal nodes share.
    #[inline]
    pub(crate) fn identity(self) -> Header {
        Header(self.0 & !(MARK | NOTE))
    }

    #[inline]
    pub(crate) fn is_noted(self) -> bool {
        self.0 & NOTE != 0
    }

    #[inline]
    pub(crate) fn noted(self) -> Header {
        Header(self.0 | NOTE)
    }

    #[inline]
    pub(crate) fn without_note(self) -> Header {
        Header(self.0 & !NOTE)
    }

    #[inline]
    pub(crate) fn is_marked(self) -> bool {
        self.0 & MARK != 0
    }

    #[inline]
    pub(crate) fn marked(self) -> Header {
        Header(self.0 | MARK)
    }

    #[inline]
    pub(crate) fn unmarked(self) -> Header {
        Header(self.0 & !MARK)
    }
}

const _: () = assert!(size_of::<Header>() == 4 && size_of::<NodeId>() == 4);
