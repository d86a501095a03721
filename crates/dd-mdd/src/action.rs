//! What an event does at one level.

/// A test and an update of the value at one level. Where a level's numbers are *codes* (of a
/// merged group of variables, or of values too large to count through), see [`crate::Domain`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Keeps every value: the event does not act here.
    Keep,
    /// From values `at_least..=at_most`, adds `delta`.
    Shift {
        /// Smallest value from which the event can happen.
        at_least: u64,
        /// Largest value from which the event can happen.
        at_most: u64,
        /// What is added.
        delta: i64,
    },
    /// From values `at_least..=at_most`, goes to `to`.
    Assign {
        /// Smallest value from which the event can happen.
        at_least: u64,
        /// Largest value from which the event can happen.
        at_most: u64,
        /// The new value.
        to: u64,
    },
    /// Exactly these steps between codes, ascending by the first.
    Map(Box<[(u32, u32)]>),
}

impl Action {
    /// Whether the action changes no value (it may still test).
    pub fn is_test(&self) -> bool {
        match self {
            Action::Keep => true,
            Action::Shift { delta, .. } => *delta == 0,
            Action::Assign { .. } => false,
            Action::Map(steps) => steps.iter().all(|(from, to)| from == to),
        }
    }

    /// The test alone, without the change.
    pub fn guard(&self) -> Action {
        match self {
            Action::Keep
            | Action::Shift { at_least: 0, at_most: u64::MAX, .. }
            | Action::Assign { at_least: 0, at_most: u64::MAX, .. } => Action::Keep,
            Action::Shift { at_least, at_most, .. } | Action::Assign { at_least, at_most, .. } => {
                Action::Shift { at_least: *at_least, at_most: *at_most, delta: 0 }
            }
            Action::Map(steps) => {
                let mut loops: Vec<(u32, u32)> = steps.iter().map(|&(from, _)| (from, from)).collect();
                loops.dedup();
                Action::Map(loops.into())
            }
        }
    }
}
