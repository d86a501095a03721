//! The checker's answers on small nets, against a simulator of nets that shares nothing with it.

mod convert;
mod examinations;
mod limits;
mod nets;
mod orders;
mod reports;
mod simulation;
mod truth;
