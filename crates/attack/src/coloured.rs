//! Random coloured nets, small enough for the referee, with everything that arcs and guards may
//! contain; their PNML is in `print.rs`, and smaller ones in `smaller.rs`.

mod draw;
mod print;
mod smaller;

use crate::formulas::Vocabulary;
use crate::nets::ArcKind;
use symbolon_referee::Model;
use symbolon_referee::coloured::ColouredNet;

/// How the members of a class are declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClassKind {
    /// `cyclicenumeration`
    Cyclic,
    /// `finiteenumeration`: no successors.
    Listed,
    /// `finiteintrange`, from this number on.
    Range(usize),
}

/// A class: its members, and the partition of it, if there is one.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    id: String,
    kind: ClassKind,
    /// The id and the name of each member. Names repeat across classes.
    members: Vec<(String, String)>,
    /// The members of each part; no part is empty.
    parts: Vec<Vec<usize>>,
}

/// The classes whose product it is; an empty list is the domain of plain tokens.
pub(crate) type Domain = Vec<usize>;

/// A multiset of colours.
#[derive(Clone, Debug)]
pub(crate) enum Term {
    /// The plain token.
    Dot,
    Variable(usize),
    /// A member of a class.
    Constant(usize, usize),
    /// The members of a part of a class.
    Part(usize, usize),
    /// Every colour of a domain.
    All(Domain),
    /// The successor, or the predecessor, of a variable.
    Shift(bool, usize),
    Add(Vec<Term>),
    Subtract(Box<Term>, Box<Term>),
    Times(usize, Box<Term>),
    Tuple(Vec<Term>),
}

/// A condition. A comparison is written with the name of its element.
#[derive(Clone, Debug)]
pub(crate) enum Guard {
    Constant(bool),
    Compare(&'static str, Term, Term),
    /// Compares the part in which the value of a variable lies with a part, or with that of another
    /// value.
    CompareParts(&'static str, usize, Term),
    Not(Box<Guard>),
    Join(&'static str, Vec<Guard>),
}

/// A place: its identifier, its domain and what it holds in the beginning.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) id: String,
    domain: Domain,
    marking: Option<Term>,
}

/// A transition: its identifier, its guard and its arcs.
#[derive(Clone, Debug)]
pub(crate) struct Transition {
    pub(crate) id: String,
    guard: Option<Guard>,
    arcs: Vec<(ArcKind, usize, Term)>,
}

/// A coloured net.
#[derive(Clone, Debug)]
pub(crate) struct RandomColouredNet {
    classes: Vec<Class>,
    /// The id, the name and the class of each variable.
    variables: Vec<(String, String, usize)>,
    pub(crate) places: Vec<Place>,
    pub(crate) transitions: Vec<Transition>,
    /// Whether one token is written without `numberof`.
    is_terse: bool,
    /// Whether products are declared before the classes that they are made of.
    is_reversed: bool,
}

impl RandomColouredNet {
    /// What formulas about the net speak of: whole places and single colours, transitions and
    /// single bindings.
    pub(crate) fn vocabulary(&self) -> Result<Vocabulary, String> {
        let model = ColouredNet::read(&self.text())?;
        let places: Vec<String> = self.places.iter().map(|place| place.id.clone()).collect();
        let colours = model.variables().iter().map(|variable| variable.name.clone());
        let colours = colours.filter(|name| !places.contains(name));
        // Whole places come up as often as all their colours together.
        let colours: Vec<String> = colours.collect();
        let copies = colours.len() / places.len().max(1) + 1;
        let truths: Vec<String> = std::iter::repeat_n(places, copies).flatten().chain(colours).collect();
        let initial = &model.initial_states()[0];
        let number = |name: &String| (name.clone(), model.value(name, initial).unwrap_or(0));
        let transitions: Vec<String> = self.transitions.iter().map(|one| one.id.clone()).collect();
        let bindings = model.bindings();
        let copies = bindings.len() / transitions.len().max(1) + 1;
        let events = std::iter::repeat_n(transitions, copies).flatten().chain(bindings).collect();
        let numbers = truths.iter().map(number).collect();
        Ok(Vocabulary { truths, numbers, events, has_weak: true, ..Vocabulary::default() })
    }

    /// What contest formulas speak of: whole places and transitions.
    pub(crate) fn contest_vocabulary(&self) -> Vocabulary {
        Vocabulary {
            truths: self.places.iter().map(|place| place.id.clone()).collect(),
            numbers: self.places.iter().map(|place| (place.id.clone(), 2)).collect(),
            events: self.transitions.iter().map(|transition| transition.id.clone()).collect(),
            ..Vocabulary::default()
        }
    }
}
