//! An attacker in the house: random models and questions, put to the program as a user would put
//! them, and compared with the referee, which shares no code with it.
//!
//! A *case* belongs to a seed: a model, what is asked, and options that must not change the answer.
//! [`Case::draw`] makes it, [`Case::write`] and [`Case::arguments`] say how to run the program on
//! it, [`compare()`] looks at what came out, and [`shrink()`] makes a case that shows a mistake
//! smaller. Who uses this crate runs the program; nothing here does.
//!
//! | compared | against |
//! | --- | --- |
//! | verdicts, printed formulas, exit status | the truth of the formula in all initial states |
//! | runs, loops, trees, doubts, strategies | every step, and what the whole is said to show |
//! | "shortest", distances | a breadth-first search |
//! | states, edges, tokens, bounds, satisfied parts | the list of all states |
//! | lines of the contest | the same |
//!
//! An unknown answer is never wrong, unless it says that nothing lies within a bound and something
//! does. On a small model it is *lost*, and counted with its reason.

mod case;
mod cells;
mod coloured;
mod compare;
mod formulas;
mod names;
mod nets;
mod programs;
mod random;
mod shrink;
mod systems;
mod tally;
#[cfg(test)]
mod tests;

pub use case::{Case, Kind};
pub use cells::DIAGRAMS;
pub use compare::{Complaint, Ending, Outcome, Output, compare};
pub use shrink::shrink;
pub use tally::Tally;
