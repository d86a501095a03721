//! The operations, one a file. Each recursion has the same paragraphs in the same order: terminal
//! cases, normalise, recall, split and recurse, build and remember.

mod any_event;
pub(crate) mod chain;
mod closure_within;
pub(crate) mod count;
mod difference;
mod enabled;
pub(crate) mod figures;
mod hull;
mod image;
mod intersection;
mod largest;
mod multinomial_count;
mod saturate;
pub(crate) mod saturate_bounded;
pub(crate) mod select;
pub(crate) mod summary;
mod union;
