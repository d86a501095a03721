//! Domains: the products of classes that colours are taken from.

use crate::ids::ClassId;

/// The most factors that a domain may have.
pub const LARGEST_FACTOR_COUNT: usize = 64;

/// A product of classes; products in it are flat. It has at least one factor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Domain(pub Vec<ClassId>);

impl Domain {
    /// The domain that is one class.
    pub fn of(class: ClassId) -> Domain {
        Domain(vec![class])
    }
}
