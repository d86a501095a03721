//! What a text says, before its names are looked up. Offsets are kept for messages.

/// A name as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) text: String,
    /// Where it stands.
    pub(super) at: usize,
    /// How many bytes it takes there.
    pub(super) length: usize,
}

/// What is declared: a name, and what may follow it.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) id: Name,
    /// Behind `as`.
    pub(super) label: Option<String>,
    /// Behind `on`: the page.
    pub(super) page: Option<Name>,
    /// Behind `at`: where it is drawn.
    pub(super) position: Option<(i32, i32)>,
}

/// A whole text.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) name: Option<Name>,
    pub(super) pages: Vec<(Name, Option<Name>)>,
    pub(super) classes: Vec<(Declared, Definition)>,
    pub(super) partitions: Vec<Partition>,
    /// Variables, each with its class.
    pub(super) variables: Vec<(Declared, Name)>,
    pub(super) places: Vec<Place>,
    pub(super) transitions: Vec<Transition>,
}

/// What stands behind `class C =`.
#[derive(Debug)]
pub(super) enum Definition {
    Black,
    Cyclic(Vec<Entry>),
    Listed(Vec<Entry>),
    Range { first: i64, last: i64 },
    Product(Vec<Name>),
}

/// An entry of a list of members.
#[derive(Debug)]
pub(super) enum Entry {
    /// One member, with its label.
    One(Name, Option<String>),
    /// From one to the other: numbers, or words that end with numbers.
    Run(Name, Name),
}

#[derive(Debug)]
pub(super) struct Partition {
    pub(super) declared: Declared,
    pub(super) class: Name,
    pub(super) parts: Vec<(Declared, Vec<Entry>)>,
}

#[derive(Debug)]
pub(super) struct Place {
    pub(super) declared: Declared,
    /// The factors of the domain; none for black tokens.
    pub(super) domain: Vec<Name>,
    pub(super) initial: Option<Term>,
}

#[derive(Debug)]
pub(super) struct Transition {
    pub(super) declared: Declared,
    pub(super) guard: Option<Guard>,
    pub(super) arcs: Vec<Arc>,
}

/// What an arc does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArcKind {
    Take,
    Read,
    Inhibit,
    Reset,
    Put,
}

#[derive(Debug)]
pub(super) struct Arc {
    pub(super) kind: ArcKind,
    pub(super) place: Name,
    /// What stands in the brackets, if they are there.
    pub(super) tokens: Option<Term>,
}

/// A name in a term: `a`, or `C.a`, which says what it belongs to.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub(super) owner: Option<Name>,
    pub(super) name: Name,
    /// Whether it is written with digits alone, maybe with a minus.
    pub(super) is_number: bool,
}

/// A term and where it begins.
#[derive(Debug)]
pub(super) struct Term {
    pub(super) at: usize,
    pub(super) kind: TermKind,
}

#[derive(Debug)]
pub(super) enum TermKind {
    /// A variable, a member or a part, some steps further.
    Reference(Reference, i64),
    /// `all`, with its domain if that is written.
    All(Vec<Name>),
    /// `empty`, with its domain if that is written.
    Empty(Vec<Name>),
    Tuple(Vec<Term>),
    Sum(Vec<Term>),
    Difference(Box<[Term; 2]>),
    Scaled(u64, Box<Term>),
}

/// A guard.
#[derive(Debug)]
pub(super) enum Guard {
    Constant(bool),
    Compare(Side, crate::Relation, Side),
    /// `x in part`
    Within(Side, Reference),
    Not(Box<Guard>),
    And(Vec<Guard>),
    Or(Vec<Guard>),
    Implies(Box<[Guard; 2]>),
}

/// One side of a comparison.
#[derive(Debug)]
pub(super) struct Side {
    /// The partition of which the part is meant: `halves(x)`.
    pub(super) part_of: Option<Name>,
    pub(super) reference: Reference,
    pub(super) steps: i64,
}
