//! What an event does to one value.

/// A test and an update of one value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Keeps every value: the event does not act here.
    Keep,
    /// From values `at_least..=at_most`, adds `delta`; not from values from which that would be
    /// negative.
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
    /// Exactly these steps between values, ascending and without repetition; a value may have
    /// several.
    Map(Box<[(u64, u64)]>),
}

impl Action {
    /// The test alone, without the change.
    pub fn guard(&self) -> Action {
        match self {
            Action::Keep => Action::Keep,
            Action::Shift { at_least, at_most, delta } => {
                // A negative shift tests, too.
                let at_least = (*at_least).max(if *delta < 0 { delta.unsigned_abs() } else { 0 });
                Action::test(at_least, *at_most)
            }
            Action::Assign { at_least, at_most, .. } => Action::test(*at_least, *at_most),
            Action::Map(steps) => {
                let mut loops: Vec<(u64, u64)> = steps.iter().map(|&(from, _)| (from, from)).collect();
                loops.dedup();
                Action::Map(loops.into())
            }
        }
    }

    /// Keeps the values `at_least..=at_most` and no others.
    pub fn test(at_least: u64, at_most: u64) -> Action {
        if at_least == 0 && at_most == u64::MAX {
            Action::Keep
        } else {
            Action::Shift { at_least, at_most, delta: 0 }
        }
    }

    /// The number of values that `value` becomes: the bound of what [`Action::target`] is asked
    /// for.
    #[inline]
    pub(crate) fn targets(&self, value: u64) -> Targets {
        match self {
            Action::Keep => Targets { first: 0, end: 1 },
            Action::Shift { at_least, at_most, delta } => {
                let happens =
                    *at_least <= value && value <= *at_most && (*delta >= 0 || value >= delta.unsigned_abs());
                Targets { first: 0, end: usize::from(happens) }
            }
            Action::Assign { at_least, at_most, .. } => {
                Targets { first: 0, end: usize::from(*at_least <= value && value <= *at_most) }
            }
            Action::Map(steps) => {
                let first = steps.partition_point(|&(from, _)| from < value);
                let several = steps[first..].iter().take_while(|&&(from, _)| from == value).count();
                Targets { first, end: first + several }
            }
        }
    }

    /// What `value` becomes, for a position within its [`Targets`]; `None` if that is more than 64
    /// bits.
    #[inline]
    pub(crate) fn target(&self, value: u64, position: usize) -> Option<u64> {
        match self {
            Action::Keep => Some(value),
            Action::Shift { delta, .. } => value.checked_add_signed(*delta),
            Action::Assign { to, .. } => Some(*to),
            Action::Map(steps) => Some(steps[position].1),
        }
    }
}

/// Positions of the values that one value becomes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Targets {
    pub(crate) first: usize,
    pub(crate) end: usize,
}
