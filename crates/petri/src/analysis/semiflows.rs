//! Semiflows: weights that are never negative, under which nothing is gained or lost.
//!
//! A **P-semiflow** `y ≥ 0` with `yᵀC = 0` is a weighted sum of tokens that no firing changes; a
//! **T-semiflow** `x ≥ 0` with `Cx = 0` counts firings that together change nothing. All semiflows
//! are non-negative combinations of those with *minimal support*, which are finitely many up to
//! scaling.
//!
//! They are found by elimination (Farkas; Colom and Silva, *Convex geometry and semiflows in P/T
//! nets*, APN 1990): each line starts as a row of its own, and for each column every row with a
//! positive residual is combined with every row with a negative one. After each column the rows are
//! the extreme rays of a cone, and a ray is extreme just if no other has its support inside; what
//! is not is dropped at once. The column that creates fewest rows goes first. A ray with nothing
//! left is a semiflow already.
//!
//! Their number may be exponential. Beyond a stated cap on rows or steps, the semiflows found so
//! far are returned with a basis of all (signed) flows, and [`Completeness`] says so.
//!
//! Resets: a place that some transition resets has no part in a P-semiflow, and a transition that
//! resets none in a T-semiflow (see [`Incidence`], PETRI-I2).

use super::combination::Row;
use super::flow_basis::{Flow, FlowBasis, flow_basis};
use crate::incidence::{Incidence, Lines};
use crate::net::{PlaceId, TransitionId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use symbolon_budget::{Budget, Interrupted, Meter};

/// Whether a set of semiflows is all there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// All semiflows of minimal support.
    Complete,
    /// The elimination needed more rows or steps than were granted; these are some of them.
    Capped,
    /// The number of rows that were given up because a number left 64 bits; these are some of them.
    Overflowed {
        /// The number of rows given up.
        rows: usize,
    },
}

/// How much an elimination may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemiflowLimits {
    /// Rows held at any time, besides one for each line of the matrix.
    pub rows: usize,
    /// Steps (eight entries combined or compared, or two supports compared by their masks).
    pub steps: u64,
}

impl Default for SemiflowLimits {
    fn default() -> Self {
        SemiflowLimits { rows: 20_000, steps: 200_000_000 }
    }
}

/// Semiflows of minimal support, and a basis of all flows where these are not all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Semiflows {
    /// Semiflows of minimal support, ascending.
    pub minimal: Vec<Flow>,
    /// Whether they are all.
    pub completeness: Completeness,
    /// If not complete (and asked for): independent integer flows, with weights of either sign,
    /// that span all flows.
    pub basis: Option<FlowBasis>,
}

/// The P-semiflows of the net with this `incidence`.
pub fn place_semiflows(
    incidence: &Incidence,
    limits: SemiflowLimits,
    budget: &Budget,
) -> Result<Semiflows, Interrupted> {
    Problem::of_places(incidence).solve(limits, budget)
}

/// The T-semiflows of the net with this `incidence`. Transitions in `resetting` (ascending) take no
/// part.
pub fn transition_semiflows(
    incidence: &Incidence,
    resetting: &[TransitionId],
    limits: SemiflowLimits,
    budget: &Budget,
) -> Result<Semiflows, Interrupted> {
    Problem::of_transitions(incidence, resetting).solve(limits, budget)
}

/// As [`place_semiflows`], without a basis where they are not complete.
pub fn some_place_semiflows(
    incidence: &Incidence,
    limits: SemiflowLimits,
    budget: &Budget,
) -> Result<Semiflows, Interrupted> {
    Problem::of_places(incidence).eliminate(limits, budget)
}

/// As [`transition_semiflows`], without a basis where they are not complete.
pub fn some_transition_semiflows(
    incidence: &Incidence,
    resetting: &[TransitionId],
    limits: SemiflowLimits,
    budget: &Budget,
) -> Result<Semiflows, Interrupted> {
    Problem::of_transitions(incidence, resetting).eliminate(limits, budget)
}

/// A basis takes polynomially many steps; it gets at least this many.
const BASIS_STEPS: u64 = 20_000_000;

/// Wanted are `y` with `yᵀM = 0`, for a matrix `M` given by its lines.
struct Problem {
    lines: Lines,
    /// Lines whose weight may differ from 0.
    usable: Vec<u32>,
}

impl Problem {
    fn of_places(incidence: &Incidence) -> Self {
        let lines = incidence.distinct_columns(true).transposed(incidence.place_count());
        let usable = (0..lines.len() as u32).filter(|&place| !incidence.is_reset(PlaceId(place))).collect();
        Problem { lines, usable }
    }

    fn of_transitions(incidence: &Incidence, resetting: &[TransitionId]) -> Self {
        let mut lines = Lines::with_capacity(incidence.transition_count(), incidence.entry_count());
        let ids = (0..incidence.transition_count() as u32).map(TransitionId);
        ids.clone().for_each(|id| lines.push(incidence.column(id).iter().copied()));
        let usable = ids.filter(|id| resetting.binary_search(id).is_err()).map(|id| id.0).collect();
        Problem { lines, usable }
    }

    /// The rows that an elimination starts with.
    fn rows(&self) -> impl Iterator<Item = Row> {
        self.usable.iter().map(|&line| Row::unit(line, self.lines.line(line as usize).to_vec()))
    }

    fn solve(&self, limits: SemiflowLimits, budget: &Budget) -> Result<Semiflows, Interrupted> {
        let mut semiflows = Self::run(self.elimination(), limits, budget)?;
        if semiflows.completeness != Completeness::Complete {
            let mut meter = Meter::with_step_limit(budget.clone(), limits.steps.max(BASIS_STEPS));
            semiflows.basis = Some(flow_basis(self.rows().collect(), &mut meter)?);
        }
        Ok(semiflows)
    }

    /// Without a basis. The matrix is given up first: its rows take as much again.
    fn eliminate(self, limits: SemiflowLimits, budget: &Budget) -> Result<Semiflows, Interrupted> {
        let elimination = self.elimination();
        drop(self);
        Self::run(elimination, limits, budget)
    }

    fn elimination(&self) -> Elimination {
        let across = self.usable.iter().flat_map(|&line| self.lines.line(line as usize));
        let width = across.map(|&(column, _)| column as usize + 1).max().unwrap_or(0);
        let mut elimination = Elimination::new(self.usable.len(), width, self.lines.len());
        self.rows().for_each(|row| elimination.insert(row));
        elimination
    }

    fn run(
        mut elimination: Elimination,
        limits: SemiflowLimits,
        budget: &Budget,
    ) -> Result<Semiflows, Interrupted> {
        let mut meter = Meter::with_step_limit(budget.clone(), limits.steps);
        let completeness = match elimination.run(limits.rows, &mut meter) {
            Ok(completeness) => completeness,
            Err(Interrupted::Steps) => Completeness::Capped,
            Err(interrupted) => return Err(interrupted),
        };
        let mut minimal = elimination.finished();
        minimal.sort_unstable();
        Ok(Semiflows { minimal, completeness, basis: None })
    }
}

/// The rows of a running elimination. A row never changes; it is only replaced.
struct Elimination {
    rows: Vec<Option<Entry>>,
    live: usize,
    columns: Vec<Column>,
    /// Columns by cost, the cheapest on top. A column that became cheaper is pushed again at once;
    /// one whose cost grew is detected when it is taken.
    queue: BinaryHeap<Reverse<(i64, u32)>>,
    /// For each line, the rows whose support starts with it; may name dead rows.
    by_first: Vec<Vec<u32>>,
    given_up: usize,
}

struct Entry {
    row: Row,
    /// One bit for each line of the support, modulo 64: a quick test for inclusion.
    mask: u64,
}

#[derive(Clone, Default)]
struct Column {
    positive: i64,
    negative: i64,
    /// Rows that have this column; may name dead rows.
    rows: Vec<u32>,
    /// The least cost at which the column waits in the queue.
    queued: Option<i64>,
}

impl Column {
    /// By how many rows the elimination of this column grows the table, at most.
    fn cost(&self) -> i64 {
        self.positive.saturating_mul(self.negative) - self.positive - self.negative
    }
}

impl Elimination {
    /// An elimination without rows, with room for this many.
    fn new(row_count: usize, width: usize, line_count: usize) -> Self {
        Elimination {
            rows: Vec::with_capacity(row_count),
            live: 0,
            columns: vec![Column::default(); width],
            queue: BinaryHeap::new(),
            by_first: vec![Vec::new(); line_count],
            given_up: 0,
        }
    }

    fn run(&mut self, rows: usize, meter: &mut Meter) -> Result<Completeness, Interrupted> {
        let row_cap = rows.saturating_add(self.live);
        while let Some(Reverse((queued, column))) = self.queue.pop() {
            let counts = &mut self.columns[column as usize];
            if counts.queued != Some(queued) {
                continue;
            }
            counts.queued = None;
            if counts.positive + counts.negative == 0 {
                continue;
            }
            let cost = counts.cost();
            if cost > queued {
                self.enqueue(column);
                continue;
            }
            // This many new rows would hardly all be dropped again.
            if cost > 16_i64.saturating_mul(row_cap as i64) {
                return Ok(Completeness::Capped);
            }
            self.eliminate(column, meter)?;
            if self.live > row_cap {
                return Ok(Completeness::Capped);
            }
        }
        Ok(match self.given_up {
            0 => Completeness::Complete,
            rows => Completeness::Overflowed { rows },
        })
    }

    /// Replaces the rows that have `column` by their combinations that do not.
    fn eliminate(&mut self, column: u32, meter: &mut Meter) -> Result<(), Interrupted> {
        let mut affected = std::mem::take(&mut self.columns[column as usize].rows);
        affected.retain(|&row| self.rows[row as usize].is_some());
        let taken: Vec<Row> = affected.iter().filter_map(|&row| self.remove(row)).collect();
        let (positive, negative): (Vec<&Row>, Vec<&Row>) = taken.iter().partition(|row| row.at(column) > 0);

        // Not with room for all pairs: most of them may be given up, and there can be billions.
        let mut candidates = Vec::new();
        for &a in &positive {
            for &b in &negative {
                for _ in 0..=(a.size() + b.size()) / 8 {
                    meter.step()?;
                }
                match a.eliminate(b, column) {
                    Some(row) => candidates.push(row),
                    None => self.given_up += 1,
                }
            }
        }
        // Small supports first, so that one scan against accepted rows finds every smaller support.
        candidates.sort_by_key(|row| row.weights.len());
        for candidate in candidates {
            if self.is_minimal(&candidate, meter)? {
                self.insert(candidate);
            }
        }
        Ok(())
    }

    /// Whether no row has its support inside that of `candidate`.
    fn is_minimal(&self, candidate: &Row, meter: &mut Meter) -> Result<bool, Interrupted> {
        let mask = mask_of(candidate);
        for &(line, _) in &candidate.weights {
            for &row in &self.by_first[line as usize] {
                meter.step()?;
                let Some(entry) = &self.rows[row as usize] else { continue };
                let smaller = &entry.row.weights;
                if entry.mask & !mask != 0 || smaller.len() > candidate.weights.len() {
                    continue;
                }
                for _ in 0..candidate.weights.len() / 8 {
                    meter.step()?;
                }
                if is_support_inside(smaller, &candidate.weights) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn insert(&mut self, row: Row) {
        let Some(&(first, _)) = row.weights.first() else { return };
        let index = self.rows.len() as u32;
        self.by_first[first as usize].push(index);
        for &(column, value) in &row.residual {
            self.count(column, value, 1);
            self.columns[column as usize].rows.push(index);
        }
        self.live += 1;
        let mask = mask_of(&row);
        self.rows.push(Some(Entry { row, mask }));
    }

    fn remove(&mut self, index: u32) -> Option<Row> {
        let entry = self.rows[index as usize].take()?;
        for &(column, value) in &entry.row.residual {
            self.count(column, value, -1);
        }
        let first = entry.row.weights.first().map(|&(first, _)| first);
        if let Some(first) = first {
            self.by_first[first as usize].retain(|&row| row != index);
        }
        self.live -= 1;
        Some(entry.row)
    }

    /// Notes that one row more, or one less, has this `value` at `column`.
    fn count(&mut self, column: u32, value: i64, change: i64) {
        let counts = &mut self.columns[column as usize];
        *(if value > 0 { &mut counts.positive } else { &mut counts.negative }) += change;
        self.enqueue(column);
    }

    /// Puts `column` into the queue unless it waits there at no higher cost.
    fn enqueue(&mut self, column: u32) {
        let counts = &mut self.columns[column as usize];
        let cost = counts.cost();
        if counts.positive + counts.negative > 0 && counts.queued.is_none_or(|queued| cost < queued) {
            counts.queued = Some(cost);
            self.queue.push(Reverse((cost, column)));
        }
    }

    /// The rows with nothing left: extreme in every later cone as well, so semiflows for good.
    fn finished(self) -> Vec<Flow> {
        let rows = self.rows.into_iter().flatten().map(|entry| entry.row);
        rows.filter(|row| row.residual.is_empty()).map(|row| Flow { weights: row.weights }).collect()
    }
}

fn mask_of(row: &Row) -> u64 {
    row.weights.iter().fold(0, |mask, &(line, _)| mask | 1 << (line % 64))
}

/// Whether every index of `small` occurs in `large`; both are ascending.
fn is_support_inside(small: &[(u32, i64)], large: &[(u32, i64)]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|&(index, _)| rest.any(|&(other, _)| other == index))
}
