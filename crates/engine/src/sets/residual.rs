//! Events of any form, pushed down a diagram level by level.
//!
//! A step relation is a test over the values that variables have *before* and *after* the step, and
//! a list of the variables that are written; all others keep their values. A guard with updates is
//! `guard ∧ x' = e ∧ …`; a choice of actions, the lines of a reaction and the predicate that
//! describes initial states are such tests, too ([`relations`]).
//!
//! At each level the values met there take the place of unknowns, and what remains, simplified
//! ([`formulas`]), is the **residual** for the levels below: from `x + y ≤ 5` and x = 2 remains
//! `y ≤ 3`. A written variable tries the values that the test still allows; where the test cannot
//! say, because what is assigned lies further down, every value of the variable is tried, and the
//! residual `e = value` decides later. Equal residuals are one, so that diagrams walk with keys
//! (node, residual): a chain of exclusive ors has two residuals a level, a sum one for each partial
//! sum.
//!
//! Two kinds of relations differ in what a value outside the domain means:
//!
//! - *events* fail ([`Interrupted::Overflow`]) where they are enabled and a value is negative or
//!   above 2^63 − 1. Domains of their variables may be open: then values up to a bound are tried,
//!   and a state that needs a larger one asks for more ([`Residuals::grow`]). Both are found by
//!   following the step although it leads nowhere.
//! - *steps* of agents, and initial states, have finite domains, and simply cannot take a line that
//!   leaves them.

mod formulas;
mod relations;

use crate::policy::encoding::{FIRST_GUESSES, MOST_GUESSES};
use crate::sets::encoding::Encoding;
use formulas::{Formulas, TestId, Unknown};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use symbolon_budget::Interrupted;
use symbolon_dd_mdd::{DONE, Domain, LazySteps, NOWHERE};
use symbolon_model::{Model, Part, VariableId};

/// The residual that no state passes.
const NEVER: u32 = 1;

/// The value of a step that leads nowhere; see [`NOWHERE`].
pub(crate) const NO_VALUE: u64 = u64::MAX;

/// The largest value that a state can hold.
const LARGEST: i128 = i64::MAX as i128;

/// What becomes of values outside the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mode {
    /// They cannot be taken.
    Bounded,
    /// They are failures.
    Open,
    /// One was met: if the rest of the test holds, the step fails.
    Failing,
    /// A value of this variable was met that is larger than those that were tried.
    Growing(VariableId),
}

/// What remains of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Residual {
    test: TestId,
    writes: u32,
    mode: Mode,
}

/// The variables that are still to be written: those of the highest level, and the rest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Writes {
    level: u32,
    variables: Box<[VariableId]>,
    rest: u32,
}

/// No more writes.
const NO_WRITES: u32 = 0;

/// Where a variable stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    level: u32,
    /// In a merged block: the code that says that this variable is 1. Otherwise 0.
    code: u32,
}

impl Place {
    /// The value of the variable where its level has this value.
    fn at(self, value: u64) -> i128 {
        match self.code {
            0 => i128::from(value),
            code => i128::from(u64::from(code) == value),
        }
    }
}

/// All residuals of one model under one encoding.
pub(crate) struct Residuals {
    formulas: Formulas,
    places: Vec<Place>,
    /// For each variable, the number of its values if no event can leave them.
    counts: Vec<Option<u64>>,
    /// For each variable, the largest value that is tried where it may be any.
    guesses: Vec<u64>,
    writes: Vec<Writes>,
    write_ids: FxHashMap<Writes, u32>,
    residuals: Vec<Residual>,
    residual_ids: FxHashMap<Residual, u32>,
    /// The variable whose domain was too small for the last step that failed.
    too_small: Option<VariableId>,
}

/// When an unknown has its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Before,
    /// After a step that stays inside domains.
    After,
    /// After an event whose values may be anything, until they are seen.
    AfterEvent,
}

fn unknown(variable: VariableId, when: When) -> Unknown {
    Unknown(variable.0 * 3 + when as u32)
}

fn variable_of(unknown: Unknown) -> VariableId {
    VariableId(unknown.0 / 3)
}

fn is_before(unknown: Unknown) -> bool {
    unknown.0.is_multiple_of(3)
}

impl Residuals {
    /// No relation yet.
    pub(crate) fn new(model: &Model, encoding: &Encoding) -> Residuals {
        let mut residuals = Residuals::of_encoding(encoding);
        let ids = model.variable_ids().chain(model.action_ids());
        residuals.counts = ids
            .map(|id| match model.action(id) {
                Some(action) => Some(action.names.len() as u64),
                None => model.values_of(id).count(),
            })
            .collect();
        for part in model.events.iter().flat_map(|event| &event.parts) {
            match part {
                Part::Local { variable, .. } => residuals.open(*variable),
                Part::General { updates, .. } => {
                    updates.iter().for_each(|(variable, _)| residuals.open(*variable));
                }
                Part::Choice(_) | Part::Reaction(_) => {}
            }
        }
        for state in &model.initial {
            for (guess, &value) in residuals.guesses.iter_mut().zip(state) {
                *guess = (*guess).max(value.saturating_mul(2)).min(MOST_GUESSES);
            }
        }
        residuals
    }

    /// No relation yet, and nothing known of domains.
    pub(crate) fn of_encoding(encoding: &Encoding) -> Residuals {
        let count = encoding.variable_count();
        let mut residuals = Residuals {
            formulas: Formulas::new(),
            places: encoding.variable_places().map(|(level, code)| Place { level, code }).collect(),
            counts: vec![None; count],
            guesses: vec![FIRST_GUESSES; count],
            writes: vec![Writes { level: 0, variables: [].into(), rest: NO_WRITES }],
            write_ids: FxHashMap::default(),
            residuals: Vec::new(),
            residual_ids: FxHashMap::default(),
            too_small: None,
        };
        for (test, number) in [(TestId::TRUE, DONE), (TestId::FALSE, NEVER)] {
            let made = residuals.residual(test, NO_WRITES, Mode::Bounded);
            debug_assert_eq!(made, number);
        }
        residuals
    }

    /// Lets events write a variable: its domain bounds what is tried first, but not its values.
    fn open(&mut self, variable: VariableId) {
        if let Some(count) = self.counts[variable.index()].take() {
            self.guesses[variable.index()] = (count.max(1) - 1).min(MOST_GUESSES);
        }
    }

    /// After a step has failed: tries more values from now on, if too few were tried. What was
    /// found by then is still right, but rows must be computed anew.
    pub(crate) fn grow(&mut self) -> bool {
        let Some(variable) = self.too_small.take() else { return false };
        let guess = &mut self.guesses[variable.index()];
        if *guess >= MOST_GUESSES {
            return false;
        }
        *guess = (*guess * 2 + 1).min(MOST_GUESSES);
        true
    }

    /// The range of values that a variable may have.
    fn range(&self, variable: VariableId) -> (i128, i128) {
        match (self.places[variable.index()].code, self.counts[variable.index()]) {
            (1.., _) => (0, 1),
            (_, Some(count)) => (0, i128::from(count) - 1),
            (_, None) => (0, LARGEST),
        }
    }

    fn residual(&mut self, test: TestId, writes: u32, mode: Mode) -> u32 {
        let (writes, mode) = match test {
            TestId::FALSE => (NO_WRITES, Mode::Bounded),
            _ if writes == NO_WRITES && mode == Mode::Open => (writes, Mode::Bounded),
            _ => (writes, mode),
        };
        let residual = Residual { test, writes, mode };
        let next = self.residuals.len() as u32;
        let id = *self.residual_ids.entry(residual).or_insert(next);
        if id == next {
            self.residuals.push(residual);
        }
        id
    }

    /// The list of these variables, highest level first.
    fn list_writes(&mut self, variables: &[VariableId]) -> u32 {
        let mut sorted = variables.to_vec();
        sorted.sort_unstable_by_key(|&variable| (self.places[variable.index()].level, variable));
        sorted.dedup();
        let mut rest = NO_WRITES;
        for same in sorted.chunk_by(|a, b| self.places[a.index()].level == self.places[b.index()].level) {
            let level = self.places[same[0].index()].level;
            let writes = Writes { level, variables: same.into(), rest };
            let next = self.writes.len() as u32;
            rest = *self.write_ids.entry(writes.clone()).or_insert(next);
            if rest == next {
                self.writes.push(writes);
            }
        }
        rest
    }

    /// The highest level on which a residual acts; 0 for [`DONE`].
    pub(crate) fn level(&self, residual: u32) -> u32 {
        let Residual { test, writes, .. } = self.residuals[residual as usize];
        match residual {
            NEVER => 1,
            _ => self.formulas.top(test).max(self.writes[writes as usize].level),
        }
    }

    /// Appends to `found` where a residual leads from a value of its level: values, and the
    /// residuals of what lies below.
    pub(crate) fn steps_from(
        &mut self,
        residual: u32,
        value: u64,
        found: &mut Vec<(u64, u32)>,
    ) -> Result<(), Interrupted> {
        let level = self.level(residual);
        let Residual { test, writes, mode } = self.residuals[residual as usize];
        // What is known now: the values before the step.
        let places = &self.places;
        let before = |met: Unknown| is_before(met).then(|| places[variable_of(met).index()].at(value));
        let test = self.formulas.substitute(test, level, &before)?;
        if test == TestId::FALSE {
            return Ok(());
        }
        if self.writes[writes as usize].level < level {
            return self.add(found, value, test, writes, mode);
        }
        let Writes { variables, rest, .. } = self.writes[writes as usize].clone();
        match variables[..] {
            [variable] if self.places[variable.index()].code == 0 => {
                self.steps_of_one(test, variable, rest, mode, found)
            }
            _ => self.steps_of_block(test, &variables, value, rest, mode, found),
        }
    }

    /// Adds a step, unless it is none. A step that fails, and is taken, is an error.
    fn add(
        &mut self,
        found: &mut Vec<(u64, u32)>,
        to: u64,
        test: TestId,
        writes: u32,
        mode: Mode,
    ) -> Result<(), Interrupted> {
        match (test, mode) {
            (TestId::FALSE, _) => return Ok(()),
            (TestId::TRUE, Mode::Failing) => return Err(Interrupted::Overflow),
            (TestId::TRUE, Mode::Growing(variable)) => {
                self.too_small = Some(variable);
                return Err(Interrupted::Overflow);
            }
            _ => {}
        }
        let below = self.residual(test, writes, mode);
        found.push((to, below));
        Ok(())
    }

    /// The steps where one variable, alone at its level, is written.
    fn steps_of_one(
        &mut self,
        test: TestId,
        variable: VariableId,
        writes: u32,
        mode: Mode,
        found: &mut Vec<(u64, u32)>,
    ) -> Result<(), Interrupted> {
        let level = self.places[variable.index()].level;
        let when = if mode == Mode::Bounded { When::After } else { When::AfterEvent };
        let after = unknown(variable, when);
        let candidates = self.formulas.candidates(test, after);
        let last = match self.counts[variable.index()] {
            Some(count) => i128::from(count) - 1,
            None => i128::from(self.guesses[variable.index()]),
        };
        let is_certain = candidates.is_some();
        // A million values at a level are more than a diagram should be asked to hold.
        if !is_certain && last > i128::from(MOST_GUESSES) {
            return Err(Interrupted::Overflow);
        }
        for value in candidates.unwrap_or_else(|| (0..=last).collect()) {
            let with = |met: Unknown| (met == after).then_some(value);
            let rest = self.formulas.substitute(test, level, &with)?;
            if rest == TestId::FALSE {
                continue;
            }
            if mode == Mode::Bounded && value > last {
                continue;
            }
            match u64::try_from(value) {
                Ok(to) if value <= LARGEST => self.add(found, to, rest, writes, mode)?,
                _ if mode == Mode::Bounded => {}
                _ => self.fail(rest, Mode::Failing, found)?,
            }
        }
        if is_certain || mode == Mode::Bounded {
            return Ok(());
        }
        // Values that were not tried: too large, or none at all.
        let conjuncts = self.formulas.conjuncts(test);
        for (number, &conjunct) in conjuncts.iter().enumerate() {
            let Some(assigned) = self.formulas.equated(conjunct, after)? else { continue };
            let mut others = conjuncts.clone();
            others.swap_remove(number);
            let negative = self.formulas.sum(&[(assigned, 1)], 1)?;
            let large = self.formulas.sum(&[(assigned, -1)], last + 1)?;
            for (excess, mode) in [(negative, Mode::Failing), (large, Mode::Growing(variable))] {
                let mut all = others.clone();
                all.push(self.formulas.at_most_zero(excess)?);
                let test = self.formulas.all(all);
                self.fail(test, mode, found)?;
            }
            return Ok(());
        }
        Ok(())
    }

    /// Adds a step that leads nowhere. What else would be written does not matter any more.
    fn fail(&mut self, test: TestId, mode: Mode, found: &mut Vec<(u64, u32)>) -> Result<(), Interrupted> {
        let conjuncts = self.formulas.conjuncts(test);
        let tests = conjuncts.into_iter();
        let tests = tests.filter(|&one| !self.formulas.mentions(one, &|met| !is_before(met))).collect();
        let test = self.formulas.all(tests);
        self.add(found, NO_VALUE, test, NO_WRITES, mode)
    }

    /// The steps where variables of a merged block are written. That no other values than those of
    /// codes are reachable is a fact of the model (M3), so steps to others are left out.
    fn steps_of_block(
        &mut self,
        test: TestId,
        variables: &[VariableId],
        value: u64,
        writes: u32,
        mode: Mode,
        found: &mut Vec<(u64, u32)>,
    ) -> Result<(), Interrupted> {
        let level = self.places[variables[0].index()].level;
        let written: Vec<u64> =
            variables.iter().map(|variable| u64::from(self.places[variable.index()].code)).collect();
        // A variable that is 1 and not written stays 1, and the others stay 0.
        let stays = value != 0 && !written.contains(&value);
        let mut targets = if stays { vec![value] } else { written };
        if !stays {
            targets.push(0);
        }
        for to in targets {
            let places = &self.places;
            let after = |met: Unknown| (!is_before(met)).then(|| places[variable_of(met).index()].at(to));
            let rest = self.formulas.substitute(test, level, &after)?;
            self.add(found, to, rest, writes, mode)?;
        }
        Ok(())
    }
}

/// Residuals that a diagram and the state sets on it share.
#[derive(Clone)]
pub(crate) struct SharedResiduals(Arc<Mutex<Residuals>>);

impl SharedResiduals {
    pub(crate) fn new(residuals: Residuals) -> SharedResiduals {
        SharedResiduals(Arc::new(Mutex::new(residuals)))
    }

    /// The residuals. A borrow lasts for one question only.
    pub(crate) fn get(&self) -> MutexGuard<'_, Residuals> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl LazySteps for SharedResiduals {
    fn level(&self, residual: u32) -> u32 {
        self.get().level(residual)
    }

    fn steps(
        &mut self,
        residual: u32,
        code: u32,
        domain: &mut Domain,
        found: &mut Vec<(u32, u32)>,
    ) -> Result<(), Interrupted> {
        let mut by_value = Vec::new();
        self.get().steps_from(residual, domain.value(code), &mut by_value)?;
        for (to, below) in by_value {
            found.push((if to == NO_VALUE { NOWHERE } else { domain.code(to)? }, below));
        }
        Ok(())
    }
}
