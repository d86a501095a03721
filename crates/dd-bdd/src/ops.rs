//! The operations, one file each. The recursions have the same paragraphs in the same order:
//! terminal cases, normalise, recall, split and recurse, build, remember.

mod apply;
mod build;
mod compose;
mod count;
mod fire;
mod image;
mod ite;
mod moves;
mod quantify;
mod restrict;
mod saturate;
mod simplify;
mod sums;
mod support;

pub use apply::Operator;
pub use support::PlainNode;
