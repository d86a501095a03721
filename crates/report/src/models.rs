//! The keys of `models`.

use crate::values::Integer;
use serde::Serialize;
use symbolon_checker::{Family, FamilySize};

/// A built-in family.
#[derive(Serialize)]
pub struct Model {
    name: &'static str,
    summary: &'static str,
    description: &'static str,
    origin: &'static str,
    example: String,
    places: Integer,
    transitions: Integer,
    parameters: Vec<Parameter>,
}

#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    meaning: &'static str,
    smallest: Integer,
    largest: Integer,
    example: Integer,
}

impl Model {
    /// The keys of a family, whose example has this size.
    pub fn new(family: &Family, size: &FamilySize) -> Model {
        let parameters = family.parameters.iter().map(|parameter| Parameter {
            name: parameter.name,
            meaning: parameter.meaning,
            smallest: Integer(parameter.smallest),
            largest: Integer(parameter.largest),
            example: Integer(parameter.example),
        });
        Model {
            name: family.name,
            summary: family.summary,
            description: family.description,
            origin: family.origin,
            example: family.example(),
            places: Integer(size.places),
            transitions: Integer(size.transitions),
            parameters: parameters.collect(),
        }
    }
}
