//! The operations, one file each. The recursions have the same paragraphs in the same order: terminal cases,
//! normalise, recall, split and recurse, build, remember.

mod apply;
mod build;
mod compose;
mod count;
mod image;
mod ite;
mod quantify;
mod restrict;
mod simplify;
mod support;

pub use apply::Operator;
