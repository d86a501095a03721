//! What a coloured net is made of, and what its unfolding left of it.

use crate::colours::Colours;
use std::time::Duration;
use symbolon_budget::Budget;
use symbolon_coloured::{Class, Members, Partition};
use symbolon_symmetry::{Kind, find_symmetry};

/// How long the symmetry of a net is looked for.
const SYMMETRY_TIME: Duration = Duration::from_secs(5);

/// The colours of a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColoursInfo {
    /// The classes, in the order of their declaration.
    pub classes: Vec<ClassInfo>,
    /// The places as they were written.
    pub places: Vec<ColouredPlaceInfo>,
    /// The transitions as they were written.
    pub transitions: Vec<ColouredTransitionInfo>,
    /// The number of colours of all places together, whether they can be marked or not.
    pub colour_count: u128,
    /// How many of them can never be marked, and have no place in the unfolding.
    pub unmarkable_count: u128,
    /// What unfolding took.
    pub time: Duration,
}

/// A class of colours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassInfo {
    /// Its name.
    pub name: String,
    /// `dot`, `cyclic`, `enumeration` or `range`.
    pub kind: &'static str,
    /// How many members it has.
    pub size: u64,
    /// The names of the partitions of the class.
    pub partitions: Vec<String>,
    /// How its members can be exchanged; `None` if there was no time to find out.
    pub symmetry: Option<ClassSymmetryInfo>,
}

/// How the members of a class can be exchanged for one another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassSymmetryInfo {
    /// `free`, `rotating` or `fixed`.
    pub kind: &'static str,
    /// The sizes of the sets within which members of a free class can be exchanged.
    pub subclasses: Vec<u64>,
    /// What tells members apart, in words.
    pub reasons: Vec<String>,
}

/// A place of a coloured net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColouredPlaceInfo {
    /// Its id.
    pub id: String,
    /// The classes of its colours, as in `Process x Page`.
    pub domain: String,
    /// How many colours its tokens may have; `None` if that exceeds 2^63 − 1.
    pub colours: Option<u64>,
    /// How many of them can be marked, and are places of the unfolding.
    pub instances: u64,
    /// Whether every transition gives back to it what it takes.
    pub is_constant: bool,
}

/// A transition of a coloured net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColouredTransitionInfo {
    /// Its id.
    pub id: String,
    /// The names of its variables.
    pub variables: Vec<String>,
    /// How many bindings can be enabled, and are transitions of the unfolding.
    pub instances: u64,
}

/// Describes the colours of a net.
pub(crate) fn info_of_colours(colours: &Colours, budget: &Budget) -> Option<ColoursInfo> {
    let net = &colours.net;
    let symmetry = find_symmetry(net, &[], &budget.slice(SYMMETRY_TIME)).ok();
    let class = |(number, class): (usize, &Class)| {
        let is_of_class = |partition: &&Partition| partition.class.index() == number;
        ClassInfo {
            name: class.name().to_string(),
            kind: match class.members {
                Members::Dot => "dot",
                Members::Cyclic(_) => "cyclic",
                Members::Listed(_) => "enumeration",
                Members::Range { .. } => "range",
            },
            size: class.size(),
            partitions: net.partitions.iter().filter(is_of_class).map(|one| one.id.clone()).collect(),
            symmetry: symmetry.as_ref().map(|symmetry| {
                let class = &symmetry.classes[number];
                ClassSymmetryInfo {
                    kind: match class.kind {
                        Kind::Free(_) => "free",
                        Kind::Rotating => "rotating",
                        Kind::Fixed => "fixed",
                    },
                    subclasses: class.subclasses().iter().map(|subclass| subclass.size()).collect(),
                    reasons: class.reasons.iter().map(|reason| reason.text(net)).collect(),
                }
            }),
        }
    };
    let unfolded = colours.unfolded()?;
    Some(ColoursInfo {
        classes: net.classes.iter().enumerate().map(class).collect(),
        places: net
            .place_ids()
            .map(|place| ColouredPlaceInfo {
                id: net.places[place.index()].id.clone(),
                domain: net.domain_text(&net.places[place.index()].domain),
                colours: net.places[place.index()].domain.size(net),
                instances: unfolded.places_of(place).len() as u64,
                is_constant: unfolded.is_constant(place),
            })
            .collect(),
        transitions: net
            .transition_ids()
            .map(|transition| ColouredTransitionInfo {
                id: net.transitions[transition.index()].id.clone(),
                variables: unfolded
                    .variables_of(transition)
                    .iter()
                    .map(|variable| net.variables[variable.index()].name().to_string())
                    .collect(),
                instances: unfolded.transitions_of(transition).len() as u64,
            })
            .collect(),
        colour_count: unfolded.colour_count(),
        unmarkable_count: unfolded.unmarkable_count(),
        time: colours.time,
    })
}
