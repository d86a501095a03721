//! What lies beside each child of a frame.

/// What belongs to one child of a frame under construction (`frame.rs`).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slot {
    /// The weight of its edge; of no meaning while the child is EMPTY.
    pub(crate) weight: u64,
    /// Whether the child has changed since events were last fired from it.
    pub(crate) is_dirty: bool,
}
