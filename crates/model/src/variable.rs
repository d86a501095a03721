//! Variables, their values, and states.

/// One assignment: the value of each variable, in the order of
/// [`Model::variables`](crate::Model::variables).
pub type State = Box<[u64]>;

/// The number of a variable in its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

impl VariableId {
    /// The number as an index into tables with one entry per variable.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A component of the state: a natural number below 2^63.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variable {
    /// Its name, unique in the model.
    pub name: String,
}

/// Which values a variable may have. States hold them as natural numbers from 0 on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Values {
    /// Any natural number below 2^63, called by itself.
    #[default]
    Natural,
    /// The integers from `least` to `largest`; a state holds the distance from `least`.
    Range {
        /// The smallest.
        least: i64,
        /// The largest; not smaller.
        largest: i64,
    },
    /// `false` (0) and `true` (1).
    Boolean,
    /// One name each, at least one.
    Named(Vec<String>),
}

impl Values {
    /// How many values there are; `None` where any natural number is one.
    pub fn count(&self) -> Option<u64> {
        match self {
            Values::Natural => None,
            Values::Range { least, largest } => Some(largest.abs_diff(*least).saturating_add(1)),
            Values::Boolean => Some(2),
            Values::Named(names) => Some(names.len() as u64),
        }
    }

    /// What the number `value` of a state stands for, as users write it.
    pub fn text(&self, value: u64) -> String {
        match self {
            Values::Natural => value.to_string(),
            Values::Range { least, .. } => (i128::from(*least) + i128::from(value)).to_string(),
            Values::Boolean => (value != 0).to_string(),
            Values::Named(names) => {
                names.get(value as usize).map_or_else(|| value.to_string(), String::clone)
            }
        }
    }
}
