//! A direct search for one-token state machines: sets of places that pass a single token among
//! them.
//!
//! Wanted are 0/1 weights `x` with `xᵀC = 0` (or `≤ 0`) that contain one marked place, holding one
//! token. General elimination finds all of them but is exponential; here each search starts at one
//! place and grows only as far as it must. A column of `C` whose sum over the chosen places is not
//! 0 is *open*: one of its undecided places of the other sign must join. If there is just one, it
//! joins; if there are several, one is tried, and what fails is set aside for the rest of that
//! branch. A search thus costs about what its state machine is big, so that hundreds of thousands
//! of small ones take a second.
//!
//! Limits (of conflicts per start, of steps in all) make the search incomplete; nothing that it
//! returns is believed before [`super::exclusive_proof`] has proved it.

use crate::incidence::{Incidence, Lines};
use crate::net::{Net, PlaceId};
use std::borrow::Cow;
use symbolon_budget::{Interrupted, Meter};

/// What the number of tokens in the set must do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Balance {
    /// Stay the same: a P-semiflow with weights 0 and 1.
    Kept,
    /// Never grow; the set is then made as large as can be done step by step.
    NeverGrows,
}

impl Balance {
    /// Whether a column with this sum over the set breaks the balance.
    fn is_upset_by(self, sum: i64) -> bool {
        sum > 0 || (sum < 0 && self == Balance::Kept)
    }
}

/// What is known of a place during a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Open,
    Inside,
    Outside,
    /// Never inside: it starts with two tokens, or a live transition moves two at once.
    Unfit,
}

/// Searches for state machines of one net, one start after the other.
pub(crate) struct StateMachines<'a> {
    net: &'a Net,
    columns: Cow<'a, Lines>,
    /// For each place, the columns in which it occurs.
    rows: Cow<'a, Lines>,
    choice: Vec<Choice>,
    /// The sum of each column over the places inside.
    sums: Vec<i64>,
    /// Decided places, oldest first.
    trail: Vec<PlaceId>,
    /// Columns that were open when they were pushed, oldest first; they may have been closed since.
    open: Vec<u32>,
    /// The place inside that is marked initially.
    marked: Option<PlaceId>,
    /// The starts from which nothing else can be found.
    is_settled: Vec<bool>,
    /// The unit of each place, to prefer neighbours among equals; empty without units.
    unit_of: Vec<u32>,
}

/// A point to return to: the state before `place` was tried.
struct Branch {
    trail_length: usize,
    open_length: usize,
    cursor: usize,
    marked: Option<PlaceId>,
    place: PlaceId,
}

struct Conflict;

/// What a search does next.
enum Next {
    /// Every column is balanced.
    Done,
    /// Some column can no longer be balanced.
    Conflict,
    Try(PlaceId),
}

/// How many open columns are compared before one is chosen for branching.
const COLUMNS_COMPARED: usize = 24;

impl<'a> StateMachines<'a> {
    /// A searcher for machines whose token count has this `balance`.
    pub(crate) fn new(net: &'a Net, incidence: &'a Incidence, balance: Balance) -> Self {
        let exact = balance == Balance::Kept;
        let columns = incidence.distinct_columns(exact);
        let rows = match &columns {
            Cow::Borrowed(_) => Cow::Borrowed(incidence.rows()),
            Cow::Owned(distinct) => Cow::Owned(distinct.transposed(net.places.len())),
        };
        let fit = |index: usize| {
            let place = PlaceId(index as u32);
            net.places[index].initial <= 1
                && !(exact && incidence.is_reset(place))
                && rows.line(index).iter().all(|&(_, change)| change.abs() == 1)
        };
        let choice = (0..net.places.len())
            .map(|index| if fit(index) { Choice::Open } else { Choice::Unfit })
            .collect();
        let mut unit_of = Vec::new();
        if !net.units.is_empty() {
            unit_of = vec![u32::MAX; net.places.len()];
            for (index, unit) in net.units.iter().enumerate() {
                unit.places.iter().for_each(|place| unit_of[place.index()] = index as u32);
            }
        }
        StateMachines {
            net,
            sums: vec![0; columns.len()],
            columns,
            rows,
            choice,
            trail: Vec::new(),
            open: Vec::new(),
            marked: None,
            is_settled: vec![false; net.places.len()],
            unit_of,
        }
    }

    /// Whether a search may start at `place` at all.
    pub(crate) fn is_fit(&self, place: PlaceId) -> bool {
        self.choice[place.index()] != Choice::Unfit
    }

    /// Whether no search from `start` can find anything else than the last one did: that one had
    /// nothing to choose.
    pub(crate) fn is_settled(&self, start: PlaceId) -> bool {
        self.is_settled[start.index()]
    }

    /// A machine around `start`, preferring places that are not yet `covered`; `None` if there is
    /// none or if the search met more than `conflict_limit` dead ends.
    pub(crate) fn find(
        &mut self,
        start: PlaceId,
        balance: Balance,
        covered: &[bool],
        conflict_limit: usize,
        meter: &mut Meter,
    ) -> Result<Option<Vec<PlaceId>>, Interrupted> {
        if !self.is_fit(start) {
            return Ok(None);
        }
        let mut found = self.search(start, balance, covered, conflict_limit, meter);
        if found == Ok(true) && balance == Balance::NeverGrows {
            found = self.extend(covered, meter).map(|()| true);
        }
        let inside = self.trail.iter().filter(|place| self.choice[place.index()] == Choice::Inside);
        let mut machine: Vec<PlaceId> = inside.copied().collect();
        machine.sort_unstable();
        self.undo(0, 0, None);
        found.map(|found| found.then_some(machine))
    }

    fn search(
        &mut self,
        start: PlaceId,
        balance: Balance,
        covered: &[bool],
        conflict_limit: usize,
        meter: &mut Meter,
    ) -> Result<bool, Interrupted> {
        let mut branches: Vec<Branch> = Vec::new();
        let mut conflicts = 0;
        // Columns from `news` on have not been looked at; those before `cursor` are closed.
        let (mut cursor, mut news) = (0, 0);
        let mut outcome = self.include(start, balance);
        loop {
            if outcome.is_ok() {
                outcome = self.propagate(news, balance, meter)?;
                news = self.open.len();
            }
            let mut next = Next::Conflict;
            if outcome.is_ok() {
                next = self.pick(&mut cursor, balance, start, covered, meter)?;
            }
            let place = match next {
                Next::Done => {
                    // What never grows is extended afterwards, by what is covered then.
                    let had_no_choice = branches.is_empty() && conflicts == 0;
                    self.is_settled[start.index()] = had_no_choice && balance == Balance::Kept;
                    return Ok(true);
                }
                Next::Try(place) => place,
                Next::Conflict => {
                    // Go back to the last choice and rule it out.
                    conflicts += 1;
                    let Some(branch) = branches.pop() else {
                        self.is_settled[start.index()] = true;
                        return Ok(false);
                    };
                    if conflicts > conflict_limit {
                        return Ok(false);
                    }
                    self.undo(branch.trail_length, branch.open_length, branch.marked);
                    (cursor, news) = (branch.cursor, branch.open_length);
                    self.exclude(branch.place, balance);
                    outcome = Ok(());
                    continue;
                }
            };
            branches.push(Branch {
                trail_length: self.trail.len(),
                open_length: self.open.len(),
                cursor,
                marked: self.marked,
                place,
            });
            outcome = self.include(place, balance);
        }
    }

    fn is_open(&self, column: u32, balance: Balance) -> bool {
        balance.is_upset_by(self.sums[column as usize])
    }

    /// Puts `place` into the set.
    fn include(&mut self, place: PlaceId, balance: Balance) -> Result<(), Conflict> {
        self.choice[place.index()] = Choice::Inside;
        self.trail.push(place);
        for &(column, change) in self.rows.line(place.index()) {
            let sum = &mut self.sums[column as usize];
            *sum += change;
            if balance.is_upset_by(*sum) {
                self.open.push(column);
            }
        }
        if self.net.places[place.index()].initial > 0 && self.marked.replace(place).is_some() {
            return Err(Conflict);
        }
        Ok(())
    }

    /// Keeps `place` out of the set; columns that counted on it are looked at again.
    fn exclude(&mut self, place: PlaceId, balance: Balance) {
        self.choice[place.index()] = Choice::Outside;
        self.trail.push(place);
        for &(column, _) in self.rows.line(place.index()) {
            if balance.is_upset_by(self.sums[column as usize]) {
                self.open.push(column);
            }
        }
    }

    fn undo(&mut self, trail_length: usize, open_length: usize, marked: Option<PlaceId>) {
        for place in self.trail.drain(trail_length..).rev() {
            if self.choice[place.index()] == Choice::Inside {
                for &(column, change) in self.rows.line(place.index()) {
                    self.sums[column as usize] -= change;
                }
            }
            self.choice[place.index()] = Choice::Open;
        }
        self.open.truncate(open_length);
        self.marked = marked;
    }

    /// Whether `place` could still join to balance a column with this `sum`.
    fn can_join(&self, (place, change): (u32, i64), sum: i64) -> bool {
        change.signum() == -sum.signum()
            && self.choice[place as usize] == Choice::Open
            && (self.marked.is_none() || self.net.places[place as usize].initial == 0)
    }

    /// Lets all places join that must, by the columns pushed since `news`, until nothing is forced.
    fn propagate(
        &mut self,
        news: usize,
        balance: Balance,
        meter: &mut Meter,
    ) -> Result<Result<(), Conflict>, Interrupted> {
        let mut next = news;
        while next < self.open.len() {
            let column = self.open[next];
            next += 1;
            if !self.is_open(column, balance) {
                continue;
            }
            let sum = self.sums[column as usize];
            let wanted = sum.unsigned_abs() as usize;
            let mut candidates = 0;
            for &entry in self.columns.line(column as usize) {
                meter.step()?;
                candidates += usize::from(self.can_join(entry, sum));
            }
            if candidates < wanted {
                return Ok(Err(Conflict));
            }
            if candidates == wanted {
                for position in 0..self.columns.line(column as usize).len() {
                    let entry = self.columns.line(column as usize)[position];
                    if self.can_join(entry, sum) && self.include(PlaceId(entry.0), balance).is_err() {
                        return Ok(Err(Conflict));
                    }
                }
                if self.is_open(column, balance) {
                    // Two marked places were counted as candidates, but only one could join.
                    return Ok(Err(Conflict));
                }
            }
        }
        Ok(Ok(()))
    }

    /// The place to try next: from an open column with few candidates, an uncovered one if
    /// possible, then one of the unit of `start`, then one with few columns.
    fn pick(
        &mut self,
        cursor: &mut usize,
        balance: Balance,
        start: PlaceId,
        covered: &[bool],
        meter: &mut Meter,
    ) -> Result<Next, Interrupted> {
        // Who opens a column again pushes it anew, so that closed ones at the front are done with.
        while *cursor < self.open.len() && !self.is_open(self.open[*cursor], balance) {
            *cursor += 1;
        }
        let mut best: Option<(usize, u32)> = None;
        let mut compared = 0;
        for &column in &self.open[*cursor..] {
            meter.step()?;
            if !self.is_open(column, balance) {
                continue;
            }
            let sum = self.sums[column as usize];
            let entries = self.columns.line(column as usize);
            let candidates = entries.iter().filter(|&&entry| self.can_join(entry, sum)).count();
            if best.is_none_or(|(fewest, _)| candidates < fewest) {
                best = Some((candidates, column));
            }
            compared += 1;
            if candidates <= 2 || compared == COLUMNS_COMPARED {
                break;
            }
        }
        let Some((_, column)) = best else { return Ok(Next::Done) };
        let sum = self.sums[column as usize];
        let unit = |place: u32| self.unit_of.get(place as usize).copied();
        let entries = self.columns.line(column as usize).iter();
        let preferred = entries.filter(|&&entry| self.can_join(entry, sum)).min_by_key(|&&(place, _)| {
            let is_foreign = unit(place) != unit(start.0);
            (covered[place as usize], is_foreign, self.rows.line(place as usize).len(), place)
        });
        Ok(preferred.map_or(Next::Conflict, |&(place, _)| Next::Try(PlaceId(place))))
    }

    /// Adds what can be added to a set that never grows, one place and what it forces at a time:
    /// where a transition takes a token out of the set, the place that it goes to may join.
    fn extend(&mut self, covered: &[bool], meter: &mut Meter) -> Result<(), Interrupted> {
        let balance = Balance::NeverGrows;
        let mut position = 0;
        while position < self.trail.len() {
            let place = self.trail[position];
            position += 1;
            if self.choice[place.index()] != Choice::Inside {
                continue;
            }
            for row_position in 0..self.rows.line(place.index()).len() {
                let (column, _) = self.rows.line(place.index())[row_position];
                for column_position in 0..self.columns.line(column as usize).len() {
                    meter.step()?;
                    let sum = self.sums[column as usize];
                    let entry = self.columns.line(column as usize)[column_position];
                    if sum >= 0 || !self.can_join(entry, sum) || covered[entry.0 as usize] {
                        continue;
                    }
                    let (trail_length, open_length, marked) =
                        (self.trail.len(), self.open.len(), self.marked);
                    let joined = self.include(PlaceId(entry.0), balance);
                    let settled = match joined {
                        Ok(()) => self.propagate(open_length, balance, meter)?,
                        conflict => conflict,
                    };
                    let is_settled = settled.is_ok()
                        && self.open[open_length..].iter().all(|&c| !self.is_open(c, balance));
                    if !is_settled {
                        self.undo(trail_length, open_length, marked);
                    }
                }
            }
        }
        Ok(())
    }
}
