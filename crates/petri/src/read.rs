//! Reading nets from text: PNML with the extensions of the tools that write it, and `.ll_net`; and
//! the contest's questions about their places.
//!
//! Readers take bytes, because the encoding is part of the format, and a budget, because files can
//! be large. They collect what is wrong and go on where that makes sense, so that one run shows it
//! all. A construct that would change the behaviour of the net and is not understood is an error,
//! never a guess.

mod guess;
mod ll_net;
mod place_bounds;
pub mod pnml;

pub use guess::{Format, guess_format};
pub use ll_net::read_ll_net;
pub use place_bounds::{PlaceBound, PlaceBounds, read_place_bounds};
pub use pnml::read_pnml;

use crate::Net;
use symbolon_budget::Budget;
use symbolon_source::{Diagnostic, ReadFailure};

/// A net, and the warnings of its reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The net; it obeys PETRI-P1 to PETRI-P3.
    pub net: Net,
    /// Things that were skipped or repaired.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a net in a format that is known.
pub fn read_net(bytes: &[u8], format: Format, budget: &Budget) -> Result<Reading, ReadFailure> {
    match format {
        Format::Pnml => read_pnml(bytes, budget),
        Format::LlNet => read_ll_net(bytes, budget),
    }
}
