//! The size of a sentential diagram.

/// How large a sentential diagram is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiagramSize {
    /// Decision nodes.
    pub nodes: usize,
    /// Their elements.
    pub elements: usize,
    /// Decision nodes where a function and its negation are two, as other packages count.
    pub unsigned_nodes: usize,
    /// Their elements.
    pub unsigned_elements: usize,
}
