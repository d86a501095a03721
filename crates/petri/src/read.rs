//! Reading nets from text: PNML with the extensions of the tools that write it, and `.ll_net`.
//!
//! Readers take bytes, because the encoding is part of the format, and a budget, because files can be
//! large. They collect what is wrong and go on where that makes sense, so that one run shows it all. A
//! construct that would change the behaviour of the net and is not understood is an error, never a
//! guess.

mod encoding;
mod findings;
mod guess;
mod pnml;
mod xml;

pub use guess::{Format, guess_format};
pub use pnml::read_pnml;
