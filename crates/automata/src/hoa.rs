//! Automata as text, in the Hanoi format (HOA, version 1; T. Babiak et al., CAV 2015), so that
//! other translators can be used, and ours by others.
//!
//! `ltl_text` is what such a translator reads, `read_hoa` reads what it answers:
//!
//! | we read | we refuse, and say so |
//! | --- | --- |
//! | Büchi, generalised Büchi, any `&` and `\|` of `Inf` | `Fin`, `Inf` of a complement |
//! | acceptance on edges and on states | alternation |
//! | labels on edges, on states, or implicit; aliases | header fields with another meaning |

mod expression;
mod ltl_text;
mod named;
mod read;
mod tokens;
mod write;

pub use ltl_text::{ltl_text, proposition_name};
pub use named::NamedAutomaton;
pub use read::read_hoa;
pub use write::write_hoa;
