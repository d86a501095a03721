//! The incidence matrix of a net: what one firing of each transition adds to each place.
//!
//! Rows are places, columns are transitions; only entries that are not 0 are stored, both ways.
//! Inhibitor and read arcs move nothing and do not appear. A **reset** arc removes a number of
//! tokens that depends on the marking, which no matrix can say. Its entry here is
//! `out − max(in, read)`: the change if the place held exactly what the transition needs. The place
//! may hold more and then loses more, so
//!
//! - **PETRI-I1** forevery firing `m → m'` of `t` and every place `p`, `m'(p) ≤ m(p) + C(p, t)`;
//! - **PETRI-I2** with equality unless `t` resets `p`.
//!
//! For weights `y ≥ 0` with `yᵀC ≤ 0`, PETRI-I1 gives `yᵀm' ≤ yᵀm`: upper bounds need no care about
//! resets. Equations (`yᵀC = 0`) need PETRI-I2: their weights must be 0 at places that some
//! transition resets.

use crate::access::{Access, TokenChange};
use crate::net::{Net, PlaceId, TransitionId};
use rustc_hash::FxBuildHasher;
use std::borrow::Cow;
use std::hash::BuildHasher;
use std::ops::Range;

/// A sparse integer matrix, kept by rows and by columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Incidence {
    rows: Lines,
    columns: Lines,
    is_reset: Vec<bool>,
}

/// The lines (all rows, or all columns) of a sparse matrix, one after the other in one array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lines {
    starts: Vec<usize>,
    entries: Vec<(u32, i64)>,
}

impl Lines {
    pub(crate) fn with_capacity(lines: usize, entries: usize) -> Self {
        let mut starts = Vec::with_capacity(lines + 1);
        starts.push(0);
        Lines { starts, entries: Vec::with_capacity(entries) }
    }

    /// Appends one line.
    pub(crate) fn push(&mut self, line: impl IntoIterator<Item = (u32, i64)>) {
        self.entries.extend(line);
        self.starts.push(self.entries.len());
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    pub(crate) fn entry_count(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn line(&self, index: usize) -> &[(u32, i64)] {
        &self.entries[self.range(index)]
    }

    fn range(&self, index: usize) -> Range<usize> {
        self.starts[index]..self.starts[index + 1]
    }

    /// The lines that have entries and are not equal to an earlier one.
    fn distinct(&self) -> Vec<u32> {
        const FREE: u32 = u32::MAX;
        // Numbers of lines by the hash of what they hold, or in the next free slot; at most half of
        // the slots are taken.
        let mut slots = vec![FREE; (2 * self.len()).next_power_of_two()];
        let mut distinct = Vec::with_capacity(self.len());
        for index in 0..self.len() {
            let line = self.line(index);
            if line.is_empty() {
                continue;
            }
            let mut slot = FxBuildHasher.hash_one(line) as usize & (slots.len() - 1);
            while slots[slot] != FREE && self.line(slots[slot] as usize) != line {
                slot = (slot + 1) & (slots.len() - 1);
            }
            if slots[slot] == FREE {
                slots[slot] = index as u32;
                distinct.push(index as u32);
            }
        }
        distinct
    }

    /// These lines alone.
    fn only(&self, kept: &[u32]) -> Lines {
        let mut lines = Lines::with_capacity(kept.len(), self.entries.len());
        kept.iter().for_each(|&index| lines.push(self.line(index as usize).iter().copied()));
        lines
    }

    /// All lines with the entries across these lines alone.
    fn filtered(&self, is_kept: impl Fn(u32) -> bool) -> Lines {
        let mut lines = Lines::with_capacity(self.len(), self.entries.len());
        (0..self.len()).for_each(|index| {
            lines.push(self.line(index).iter().copied().filter(|&(across, _)| is_kept(across)))
        });
        lines
    }

    /// The same matrix with rows and columns exchanged; `width` is the number of lines it then has.
    pub(crate) fn transposed(&self, width: usize) -> Lines {
        let mut starts = vec![0_usize; width + 1];
        for &(across, _) in &self.entries {
            starts[across as usize + 1] += 1;
        }
        for index in 0..width {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut entries = vec![(0, 0); self.entries.len()];
        for index in 0..self.len() {
            for &(across, value) in self.line(index) {
                let slot = &mut next[across as usize];
                entries[*slot] = (index as u32, value);
                *slot += 1;
            }
        }
        Lines { starts, entries }
    }
}

impl Incidence {
    /// The incidence matrix of `net`.
    pub fn new(net: &Net) -> Self {
        Incidence::without(net, &[])
    }

    /// The incidence matrix of `net` where transitions in `is_dead` (one entry each, or empty),
    /// which never fire, change nothing.
    pub fn without(net: &Net, is_dead: &[bool]) -> Self {
        let arcs = net.arc_count();
        let mut columns = Lines::with_capacity(net.transitions.len(), arcs);
        let mut is_reset = vec![false; net.places.len()];
        let mut column = Vec::new();
        for (index, transition) in net.transitions.iter().enumerate() {
            if is_dead.get(index).copied().unwrap_or(false) {
                columns.push([]);
                continue;
            }
            column.clear();
            for access in transition.accesses() {
                // What a transition only tests or forbids (`at_most`) moves nothing.
                let Access { place, at_least, at_most: _, change } = access;
                let added = match change {
                    TokenChange::Move { taken, put } => put as i64 - taken as i64,
                    TokenChange::Refill { put } => {
                        is_reset[place.index()] = true;
                        put as i64 - at_least as i64
                    }
                };
                if added != 0 {
                    column.push((place.0, added));
                }
            }
            columns.push(column.drain(..));
        }
        let rows = columns.transposed(net.places.len());
        Incidence { rows, columns, is_reset }
    }

    /// The number of rows.
    pub fn place_count(&self) -> usize {
        self.is_reset.len()
    }

    /// The number of columns.
    pub fn transition_count(&self) -> usize {
        self.columns.len()
    }

    /// The number of entries that are not 0.
    pub fn entry_count(&self) -> usize {
        self.columns.entry_count()
    }

    /// The transitions that change `place`, ascending, with what they add.
    pub fn row(&self, place: PlaceId) -> &[(u32, i64)] {
        self.rows.line(place.index())
    }

    /// The places that `transition` changes, ascending, with what it adds.
    pub fn column(&self, transition: TransitionId) -> &[(u32, i64)] {
        self.columns.line(transition.index())
    }

    /// Whether some transition resets `place`, so that its row is only an upper bound (PETRI-I1).
    pub fn is_reset(&self, place: PlaceId) -> bool {
        self.is_reset[place.index()]
    }

    /// All rows.
    pub(crate) fn rows(&self) -> &Lines {
        &self.rows
    }

    /// The different columns that change something, each once, in order of first appearance. Places
    /// that some transition resets are left out if `exact`.
    pub(crate) fn distinct_columns(&self, exact: bool) -> Cow<'_, Lines> {
        let columns = if exact && self.is_reset.contains(&true) {
            Cow::Owned(self.columns.filtered(|place| !self.is_reset[place as usize]))
        } else {
            Cow::Borrowed(&self.columns)
        };
        let distinct = columns.distinct();
        if distinct.len() == columns.len() { columns } else { Cow::Owned(columns.only(&distinct)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arc::Arc;
    use crate::net::{Place, Transition};

    #[test]
    fn entries_are_what_a_firing_adds() {
        let net = Net {
            places: vec![Place::default(); 4],
            transitions: vec![
                Transition::new(
                    "t",
                    vec![
                        Arc::Input { place: PlaceId(0), weight: 2 },
                        Arc::Input { place: PlaceId(1), weight: 1 },
                        Arc::Output { place: PlaceId(1), weight: 1 },
                        Arc::Output { place: PlaceId(2), weight: 3 },
                        Arc::Read { place: PlaceId(3), weight: 1 },
                        Arc::Inhibitor { place: PlaceId(2), weight: 9 },
                    ],
                ),
                Transition::new(
                    "u",
                    vec![
                        Arc::Output { place: PlaceId(0), weight: 1 },
                        Arc::Read { place: PlaceId(3), weight: 4 },
                        Arc::Reset { place: PlaceId(0) },
                        Arc::Reset { place: PlaceId(3) },
                    ],
                ),
            ],
            ..Net::default()
        };
        let incidence = Incidence::new(&net);
        assert_eq!(incidence.column(TransitionId(0)), [(0, -2), (2, 3)]);
        assert_eq!(incidence.column(TransitionId(1)), [(0, 1), (3, -4)]);
        assert_eq!(incidence.row(PlaceId(0)), [(0, -2), (1, 1)]);
        assert_eq!(incidence.row(PlaceId(1)), []);
        assert!(incidence.is_reset(PlaceId(3)) && !incidence.is_reset(PlaceId(2)));
        let exact = incidence.distinct_columns(true);
        assert_eq!((exact.len(), exact.line(0)), (1, &[(2, 3)][..]));
    }
}
