//! The operations, one file each. The recursions have the same paragraphs in the same order:
//! terminal cases, normalise, recall, split and recurse, build, remember.
//!
//! All of them split two ways. Where the left child of a vtree node is a leaf, a function has two
//! cofactors there, as in a binary diagram. Anywhere else it has elements, which the recursion puts
//! on the manager's stack and takes away again.

mod and_exists;
mod apart;
mod apply;
mod build;
mod condition;
mod count;
mod exists;
mod quantification;
mod rename;
mod saturate;
mod simplify;
mod sums;
mod support;

pub use count::Counter;
