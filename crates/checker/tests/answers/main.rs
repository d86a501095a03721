//! The checker's answers on small nets, against a simulator of nets that shares nothing with it.

mod ask;
mod automata;
mod bounds;
mod check;
mod convert;
mod examinations;
mod info;
mod jobs;
mod limits;
mod nets;
mod orders;
mod overflow;
mod programs;
mod reports;
mod simulation;
mod state_spaces;
mod strategies;
mod symmetry;
mod truth;
