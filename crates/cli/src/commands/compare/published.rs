//! Comparisons that put a published table beside our figures: the cells are those of the table, and
//! so are the rows.

use super::cells::{Axis, Cell};
use super::comparison::Comparison;
use super::{sentential, symbolic};
use crate::arguments::Preset;

/// A table that was published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Published {
    /// The thesis on sentential diagrams in MCMAS.
    Sentential,
    /// The paper on symbolic markings in diagrams.
    Symbolic,
}

impl Published {
    /// The table that a preset repeats row by row.
    pub(super) fn of(preset: Preset) -> Option<Published> {
        match preset {
            Preset::Sentential => Some(Published::Sentential),
            Preset::SymbolicSymbolic => Some(Published::Symbolic),
            Preset::Thesis | Preset::Bounded => None,
        }
    }

    /// What the cells differ in.
    pub(super) fn axes(self) -> Vec<Axis> {
        match self {
            Published::Sentential => sentential::axes(),
            Published::Symbolic => symbolic::axes(),
        }
    }

    /// The cells.
    pub(super) fn cells(self) -> Vec<Cell> {
        match self {
            Published::Sentential => sentential::cells(),
            Published::Symbolic => symbolic::cells(),
        }
    }

    /// Header and rows, and how many columns at the left are names.
    pub(super) fn records(self, comparison: &Comparison) -> (Vec<Vec<String>>, usize) {
        match self {
            Published::Sentential => (sentential::records(comparison), sentential::NAMES),
            Published::Symbolic => (symbolic::records(comparison), symbolic::NAMES),
        }
    }

    /// What is said below the table.
    pub(super) fn remarks(self, comparison: &Comparison) -> String {
        match self {
            Published::Sentential => sentential::remarks(comparison),
            Published::Symbolic => symbolic::remarks(),
        }
    }
}
