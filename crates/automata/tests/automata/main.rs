//! Automata against what they are to mean: formulas evaluated directly on words that repeat
//! themselves.

mod agreement;
mod formulas;
mod hoa;
mod limits;
mod satisfiability;
mod sizes;
mod words;
