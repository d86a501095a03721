//! Files of formulas: what is in them, whichever way it is written.

use crate::parse::Parsed;
use symbolon_source::{Diagnostic, Property};

/// The properties of a file, and the warnings of its reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Properties {
    /// The properties, in the order of the file. Spans count from the beginning of `text`.
    pub properties: Vec<Property<Parsed>>,
    /// The text of the file: what spans point into, and what findings about names need to become
    /// diagnostics.
    pub text: String,
    /// Things that are odd.
    pub warnings: Vec<Diagnostic>,
    /// Whether the file is property XML of the contest.
    pub is_contest: bool,
}
