//! What does not change during an exploration: which components of tokens are symmetric, static
//! subclasses, places.

use crate::symmetry::{Kind, Symmetry};
use symbolon_coloured::{ClassId, Net, PlaceId};

/// The classes and places of a net, seen through its symmetry.
pub(crate) struct Shape {
    pub(crate) classes: Vec<ClassShape>,
    /// All static subclasses of all free classes.
    pub(crate) statics: Vec<Static>,
    pub(crate) places: Vec<PlaceShape>,
    /// The rotating classes.
    pub(crate) rotating: Vec<ClassId>,
}

/// A class.
pub(crate) struct ClassShape {
    pub(crate) size: u32,
    /// By member, its static subclass; empty unless the class is free.
    pub(crate) static_of: Vec<u32>,
}

/// A static subclass.
pub(crate) struct Static {
    pub(crate) class: ClassId,
    pub(crate) members: Vec<u32>,
}

/// The tuples of a place.
pub(crate) struct PlaceShape {
    /// The components of a stored tuple: the factors of the domain that have more than one member.
    pub(crate) components: Vec<ComponentShape>,
    /// The number of factors of the domain.
    pub(crate) factor_count: usize,
}

/// A component of the tuples of a place.
#[derive(Clone, Copy)]
pub(crate) struct ComponentShape {
    /// The number of the factor in the domain.
    pub(crate) factor: usize,
    pub(crate) class: ClassId,
    /// Whether its class is free, so that a block and a label stand here; else it is a member.
    pub(crate) is_free: bool,
    /// How many components of the tuple are of this class.
    pub(crate) alike: u32,
}

impl Shape {
    pub(crate) fn new(net: &Net, symmetry: &Symmetry) -> Shape {
        let mut statics = Vec::new();
        let mut classes = Vec::new();
        let mut rotating = Vec::new();
        for (class, (described, found)) in net.class_ids().zip(net.classes.iter().zip(&symmetry.classes)) {
            let mut static_of = Vec::new();
            if found.kind == Kind::Rotating {
                rotating.push(class);
            }
            if let Kind::Free(subclasses) = &found.kind {
                static_of = vec![0; described.size() as usize];
                for subclass in subclasses {
                    for &member in &subclass.members {
                        static_of[member as usize] = statics.len() as u32;
                    }
                    statics.push(Static { class, members: subclass.members.clone() });
                }
            }
            classes.push(ClassShape { size: described.size() as u32, static_of });
        }
        let place = |place: &symbolon_coloured::Place| {
            let is_stored = |class: &ClassId| classes[class.index()].size > 1;
            let stored = place.domain.0.iter().enumerate().filter(|(_, class)| is_stored(class));
            let components = stored.map(|(factor, &class)| ComponentShape {
                factor,
                class,
                is_free: !classes[class.index()].static_of.is_empty(),
                alike: place.domain.0.iter().filter(|other| **other == class).count() as u32,
            });
            PlaceShape { components: components.collect(), factor_count: place.domain.0.len() }
        };
        let places = net.places.iter().map(place).collect();
        Shape { classes, statics, places, rotating }
    }

    pub(crate) fn components(&self, place: u32) -> &[ComponentShape] {
        &self.places[place as usize].components
    }

    /// Whether no place mentions free classes twice, and no class rotates. Then two blocks can be
    /// joined if and only if they have the same tuples, and no marking has automorphisms.
    pub(crate) fn is_unary(&self) -> bool {
        let free = |place: &PlaceShape| place.components.iter().filter(|one| one.is_free).count();
        self.rotating.is_empty() && self.places.iter().all(|place| free(place) <= 1)
    }

    pub(crate) fn width(&self, place: u32) -> usize {
        self.places[place as usize].components.len()
    }

    pub(crate) fn place_ids(&self) -> impl Iterator<Item = PlaceId> + use<> {
        (0..self.places.len() as u32).map(PlaceId)
    }
}
