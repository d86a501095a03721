//! What a manager has done so far.

/// Counters of one manager. All are deterministic: equal runs give equal numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Nodes stored now, garbage included.
    pub nodes: usize,
    /// The most nodes that were stored at once, garbage included.
    pub peak_nodes: usize,
    /// Nodes ever made.
    pub created_nodes: u64,
    /// Look-ups that the computed cache answered.
    pub cache_hits: u64,
    /// Look-ups that it could not answer.
    pub cache_misses: u64,
    /// Entries of the computed cache.
    pub cache_entries: u64,
    /// Collections run.
    pub collections: u64,
    /// Steps charged to the budget.
    pub steps: u64,
    /// The most bytes that nodes, without free slots and tables, took at once, garbage included.
    pub peak_node_bytes: u64,
    /// The most bytes that arena, unique table and cache took at once.
    pub peak_bytes: u64,
}
