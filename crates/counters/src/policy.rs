//! The tuning constants of this crate.

/// The most profiles that become counters. Diagrams with more levels than that gain little over
/// those of the unfolding.
pub(crate) const MOST_PROFILES: usize = 20_000;

/// The most events.
pub(crate) const MOST_EVENTS: usize = 500_000;

/// The most free variables of one class in a transition: they are equal or not in 877 ways.
pub(crate) const MOST_FREE_VARIABLES: usize = 7;

/// The most states that the search for profiles lists.
pub(crate) const LISTED_STATES: usize = 1_000;

/// The most steps of the random walks that search for profiles after that.
pub(crate) const WALK_STEPS: u64 = 40_000;

/// The steps of one walk.
pub(crate) const STEPS_PER_WALK: u64 = 2_000;

/// Walks end after this many steps without a profile that is new.
pub(crate) const WALK_PATIENCE: u64 = 4_000;
