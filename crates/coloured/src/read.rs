//! Reading coloured nets from text.
//!
//! Readers take bytes, because the encoding is part of the format, and a budget, because files can
//! be large. They collect what is wrong and go on where that makes sense, so that one run shows it
//! all. A construct that would change the behaviour of the net and is not understood is an error,
//! never a guess.

mod pnml;

pub use pnml::{is_coloured_pnml, read_pnml};

use crate::Net;
use symbolon_source::Diagnostic;

/// A coloured net, and the warnings of its reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The net; it obeys COL-1 to COL-6.
    pub net: Net,
    /// Things that were skipped or repaired.
    pub warnings: Vec<Diagnostic>,
}
