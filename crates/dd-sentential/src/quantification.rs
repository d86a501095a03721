//! How steps quantify.

/// How a step of a relation quantifies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quantification {
    /// Conjunction and quantification in one recursion.
    #[default]
    OnePass,
    /// One variable after the other.
    OneByOne,
    /// By expansion.
    Recursive,
}
