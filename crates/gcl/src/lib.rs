//! The guarded command language: reader, printer, meaning, examples.
//!
//! A program declares variables and commands. A command may happen in a state where its guard
//! holds, and then all its assignments are made at once, each computed in the state before:
//!
//! ```text
//! param N = 2
//! var pool: nat = N
//! var waiting, inside: nat = 0
//!
//! arrive: pool >= 1    -> pool' = pool - 1 || waiting' = waiting + 1
//! open:   waiting >= 1 -> waiting' = 0 || inside' = inside + waiting
//! serve:  inside >= 1  -> inside' = inside - 1 || pool' = pool + 1
//!
//! property nobody_is_lost: AG (pool + waiting + inside = N)
//! ```
//!
//! ```text
//! bytes ──parse──▶ Program (tree, as written) ──lower──▶ Loaded: Model, properties, warnings
//!                      ▲   └──print──▶ text, normalised
//!                      └── of_model ── any model that moves event by event, a net for instance
//! ```
//!
//! The language is that of Yu, Ciardo and Lüttgen, "Decision-diagram-based techniques for bounded
//! reachability checking of asynchronous systems" (figure 1), with declarations around it. There a
//! command is a relation between states, so a pair whose second half is not a state does not belong
//! to it. Hence the one rule foreverything that has no value: *a command cannot happen where an
//! assignment would leave the range of its variable, an index would leave its array, or something
//! would be divided by zero*. [`load`] warns where a range may be left.
//!
//! Invariants:
//! - **GCL-Y1** a tree that is printed and read again is equal to itself.
//! - **GCL-Y2** no bytes make the reader panic, and it needs no more stack than a fixed depth of
//!   brackets takes.
//! - **GCL-Y3** parts of one event have no variable in common, and every event keeps variables
//!   inside their values.
//! - **GCL-Y4** commands that touch each variable by itself, with constants alone, become local
//!   parts: a net that is printed and read again is the same model.

mod examples;
pub mod families;
mod lower;
mod mistakes;
mod of_model;
mod parse;
mod print;
mod token;
pub mod tree;

pub use examples::{Example, examples};
pub use lower::{Loaded, Override, Vocabulary, load, load_tree};
pub use of_model::{NotCommands, condition_text, of_model};
pub use parse::parse;
pub use tree::Program;
