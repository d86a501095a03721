//! A coloured net, as read: the typed source that is unfolded, printed and drawn.

use crate::arc::Arc;
use crate::class::{Class, Partition};
use crate::domain::Domain;
use crate::guard::Guard;
use crate::ids::{ClassId, PageId, PlaceId, TransitionId, VariableId};
use crate::term::MultisetTerm;

/// A coloured net. Its invariants, COL-1 to COL-6, are stated at the crate; [`Net::check`] checks
/// them, and every reader establishes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Net {
    /// The name of the net, or its id where it has no name.
    pub name: String,
    /// The classes.
    pub classes: Vec<Class>,
    /// The partitions of classes.
    pub partitions: Vec<Partition>,
    /// Names that the source gives to products of classes. Nothing but printers needs them.
    pub products: Vec<Product>,
    /// The variables, which transitions share; each binds its own.
    pub variables: Vec<Variable>,
    /// Pages, parents before children; empty if the net has at most one.
    pub pages: Vec<Page>,
    /// The places.
    pub places: Vec<Place>,
    /// The transitions with their arcs.
    pub transitions: Vec<Transition>,
}

/// A named product of classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// The identifier.
    pub id: String,
    /// The name, where it differs from the id.
    pub label: Option<Box<str>>,
    /// The factors.
    pub domain: Domain,
}

/// A variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The identifier.
    pub id: String,
    /// The name, where it differs from the id.
    pub label: Option<Box<str>>,
    /// The class that it ranges over.
    pub class: ClassId,
}

/// A page of the source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The identifier.
    pub id: String,
    /// The page around it.
    pub parent: Option<PageId>,
}

/// A place with its domain and its initial marking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The identifier, by which users and formulas name the place.
    pub id: String,
    /// The label shown in pictures, where it differs from the id.
    pub label: Option<Box<str>>,
    /// The colours that tokens in this place have.
    pub domain: Domain,
    /// The initial tokens: a term without variables.
    pub initial: MultisetTerm,
    /// The page that it lies on.
    pub page: Option<PageId>,
    /// Where the source draws it.
    pub position: Option<Position>,
}

/// A transition with its guard and its arcs.
///
/// A binding gives each variable that occurs in the guard or on an arc a member of its class. Each
/// binding under which the guard holds is one way to fire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The identifier.
    pub id: String,
    /// The label shown in pictures, where it differs from the id.
    pub label: Option<Box<str>>,
    /// The condition on bindings; [`Guard::Constant`] of true where there is none.
    pub guard: Guard,
    /// The arcs of all kinds, in the order of COL-6.
    pub arcs: Vec<Arc>,
    /// The page that it lies on.
    pub page: Option<PageId>,
    /// Where the source draws it.
    pub position: Option<Position>,
}

/// Where a node is drawn, in tenths of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// From the left.
    pub x: i32,
    /// From the top.
    pub y: i32,
}

impl Net {
    /// All class ids, in order.
    pub fn class_ids(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.classes.len() as u32).map(ClassId)
    }

    /// All place ids, in order.
    pub fn place_ids(&self) -> impl Iterator<Item = PlaceId> + use<> {
        (0..self.places.len() as u32).map(PlaceId)
    }

    /// All transition ids, in order.
    pub fn transition_ids(&self) -> impl Iterator<Item = TransitionId> + use<> {
        (0..self.transitions.len() as u32).map(TransitionId)
    }

    /// The class of a variable.
    pub fn class_of(&self, variable: VariableId) -> &Class {
        &self.classes[self.variables[variable.index()].class.index()]
    }

    /// Whether tokens of this domain have no colour: its only factor is the class of black tokens.
    pub fn is_dot(&self, domain: &Domain) -> bool {
        matches!(domain.0[..], [class] if self.classes[class.index()].is_dot())
    }

    /// Adds a class, and returns its number.
    pub fn add_class(&mut self, class: Class) -> ClassId {
        self.classes.push(class);
        ClassId(self.classes.len() as u32 - 1)
    }

    /// Adds a variable whose name is its id, and returns its number.
    pub fn add_variable(&mut self, id: impl Into<String>, class: ClassId) -> VariableId {
        self.variables.push(Variable { id: id.into(), label: None, class });
        VariableId(self.variables.len() as u32 - 1)
    }

    /// Adds a place without label, and returns its number.
    pub fn add_place(&mut self, id: impl Into<String>, domain: Domain, initial: MultisetTerm) -> PlaceId {
        self.places.push(Place { id: id.into(), label: None, domain, initial, page: None, position: None });
        PlaceId(self.places.len() as u32 - 1)
    }

    /// Adds a transition, and returns its number.
    pub fn add_transition(&mut self, transition: Transition) -> TransitionId {
        self.transitions.push(transition);
        TransitionId(self.transitions.len() as u32 - 1)
    }
}

impl Transition {
    /// A transition without label. The arcs may come in any order.
    pub fn new(id: impl Into<String>, guard: Guard, mut arcs: Vec<Arc>) -> Transition {
        arcs.sort_by_key(Arc::position);
        Transition { id: id.into(), label: None, guard, arcs, page: None, position: None }
    }

    /// The variables of a binding: those that occur in the guard or on an arc, in the order of
    /// their declaration.
    pub fn variables(&self) -> Vec<VariableId> {
        let mut found = Vec::new();
        self.guard.visit_variables(&mut |variable| found.push(variable));
        for arc in &self.arcs {
            arc.tokens().visit_variables(&mut |variable| found.push(variable));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl Variable {
    /// The name by which users know the variable.
    pub fn name(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.id)
    }
}
