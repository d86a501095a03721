//! Diagrams as plain data: nodes, edges, and what the edges say about the variables.
//!
//! Pictures are made from these types alone, without knowing how nodes are stored.

use symbolon_model::VariableId;

/// The outline of a diagram, by its shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiagramOutline {
    /// A node tests the variables of one level.
    Levels(Outline),
    /// A node tests one bit.
    Binary(BinaryOutline),
    /// A node stands in the box of its component.
    Hierarchical(HierarchyOutline),
    /// Nodes that split by what holds of one part of the variables.
    Sentential(SententialOutline),
}

/// The nodes of a set, the root first, each before the nodes below it; empty for the empty set.
///
/// Within a level nodes stand in the order in which edges from above first lead to them, so that
/// the order does not depend on when nodes were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The variables of each level, level 1 first.
    pub levels: Vec<Vec<VariableId>>,
    /// The nodes; the terminal is not among them.
    pub nodes: Vec<OutlineNode>,
}

/// A node of a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineNode {
    /// Its level.
    pub level: u32,
    /// Its edges, ascending by code.
    pub edges: Vec<OutlineEdge>,
}

/// An edge of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutlineEdge {
    /// What is so in the states on this edge.
    pub meaning: Meaning,
    /// The node it leads to, by index in [`Outline::nodes`]; `None` is the terminal.
    pub child: Option<usize>,
}

/// What an edge says of the variables of its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The only variable of the level has this value.
    Value(u64),
    /// This variable of the level is 1, the others are 0.
    One(VariableId),
    /// All variables of the level are 0.
    AllZero,
}

/// The nodes of a set, the root first, each before the nodes below it; none if the set is all or
/// nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BinaryOutline {
    /// The nodes; terminals are not among them.
    pub nodes: Vec<BinaryNode>,
    /// Where the set begins.
    pub root: BinaryChild,
}

/// A node of a binary diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinaryNode {
    /// The variable that it tests a bit of.
    pub variable: VariableId,
    /// Which bit: 0 is the one of least weight.
    pub bit: usize,
    /// The number of bits that this variable has.
    pub bit_count: usize,
    /// How many levels lie above.
    pub depth: usize,
    /// An earlier node that stands for the negation of this one, if there is one: both are stored as
    /// one node, and everything below this one is negated likewise.
    pub negates: Option<usize>,
    /// Where to go if the bit is 0.
    pub low: BinaryChild,
    /// Where to go if the bit is 1.
    pub high: BinaryChild,
}

/// Where an edge of a binary diagram leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BinaryChild {
    /// The states on this way are not in the set.
    #[default]
    No,
    /// They are.
    Yes,
    /// To the node of this number.
    Node(usize),
}

/// The boxes of a set: the whole first, each before those inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchyOutline {
    /// The boxes.
    pub boxes: Vec<OutlineBox>,
}

/// The diagrams of all components of one shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineBox {
    /// What stands where in a sequence of this shape.
    pub slots: Vec<OutlineSlot>,
    /// How many components have this shape.
    pub components: usize,
    /// The nodes where labels begin, by index in `nodes`, each once; of the whole, the root. None
    /// if the set is empty.
    pub entries: Vec<usize>,
    /// The nodes, slot by slot, in the order in which arcs and entries first lead to them.
    pub nodes: Vec<BoxNode>,
}

/// A slot of a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutlineSlot {
    /// A value: the variables that share it, for each component of the box.
    Value(Vec<Vec<VariableId>>),
    /// A component, whose shape has this box; and for each component of the outer box a variable
    /// that lies in it.
    Component(usize, Vec<VariableId>),
}

/// A node in a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxNode {
    /// Its slot.
    pub slot: usize,
    /// Its arcs.
    pub arcs: Vec<BoxArc>,
}

/// An arc in a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoxArc {
    /// What stands on it.
    pub label: BoxLabel,
    /// The node of the same box that it leads to; `None` is the end of the sequence.
    pub child: Option<usize>,
}

/// What stands on an arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxLabel {
    /// The value of a single variable. Of several that share it: 0 if all are 0, else the number of
    /// the one that is 1.
    Value(u64),
    /// A diagram: an entry of the box of this slot.
    Entry(usize),
}

/// A sentential diagram and the vtree that it follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SententialOutline {
    /// The nodes of the vtree, each before the nodes below it.
    pub vtree: Vec<OutlineVtreeNode>,
    /// The decision nodes of the set, each before the nodes below it.
    pub nodes: Vec<SententialNode>,
    /// The set.
    pub root: SententialEdge,
}

/// A node of a vtree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineVtreeNode {
    /// Its number in a saved vtree: its place in the in-order walk.
    pub number: usize,
    /// How many nodes lie above.
    pub depth: usize,
    /// What it is.
    pub kind: OutlineVtreeKind,
}

/// What a node of a vtree is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutlineVtreeKind {
    /// A leaf, with its bit; a model without variables has a leaf without one.
    Leaf(Option<OutlineBit>),
    /// A node with two children, left and right, by index in [`SententialOutline::vtree`].
    Inner(usize, usize),
}

/// A bit of a variable or of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutlineBit {
    /// The variable or action.
    pub variable: VariableId,
    /// Which bit: 0 is the one of least weight.
    pub bit: usize,
    /// The number of bits that it has.
    pub bit_count: usize,
    /// Whether the value after a step is meant.
    pub is_primed: bool,
    /// Whether it belongs to an action.
    pub is_of_action: bool,
}

/// A decision node of a sentential diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SententialNode {
    /// Its vtree node, by index in [`SententialOutline::vtree`].
    pub vtree: usize,
    /// Its elements: what must hold on the left, and what on the right then.
    pub elements: Vec<(SententialEdge, SententialEdge)>,
}

/// A function in a sentential diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SententialEdge {
    /// This value everywhere.
    Constant(bool),
    /// True where the bit has this value.
    Literal(OutlineBit, bool),
    /// A node, by index in [`SententialOutline::nodes`], or its negation.
    Node {
        /// The index.
        index: usize,
        /// Whether the negation is meant.
        is_negated: bool,
    },
}
