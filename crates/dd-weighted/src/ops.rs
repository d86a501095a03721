//! The operations on edge-valued diagrams, one a file. Each recursion has the same paragraphs in
//! the same order as those on sets: terminal cases, normalise, recall, split and recurse, build and
//! remember.

mod chain;
mod count;
mod histogram;
mod image;
mod minimum;
mod restrict;
mod saturate;
mod support;
pub(crate) mod trace;
mod truncate;
mod values;
