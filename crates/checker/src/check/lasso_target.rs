//! Formulas that a whole path decides: a walk that meets a state again, or a dead state, is a
//! lasso.
//!
//! A path decides what beginnings of paths cannot: `A φ` fails if one path violates `φ`, whatever
//! `φ` is.

use super::glance::View;
use crate::policy::lassos::{MOST_PATHS, MOST_POSITIONS};
use rustc_hash::FxHashMap;
use symbolon_engine::Met;
use symbolon_explicit::{Lasso, Trace, truth_on_lasso};
use symbolon_logic::{Formula, Operator, Paths, Sorts};
use symbolon_model::{Atom, Model, State};

/// The states of a walk so far.
#[derive(Default)]
pub(super) struct VisitedStates {
    positions: FxHashMap<State, usize>,
    path_count: u32,
}

impl VisitedStates {
    /// Notes the next state of a walk: the path that the walk has become, if it has.
    pub(super) fn step(&mut self, model: &Model, met: &Met<'_>) -> Option<Lasso> {
        let position = met.events.len();
        if position == 0 {
            *self = VisitedStates::default();
        }
        if self.path_count >= MOST_PATHS || position > MOST_POSITIONS {
            return None;
        }
        let trace = || Trace { initial: model.initial[met.initial].clone(), events: met.events.to_vec() };
        if met.is_dead() {
            self.path_count += 1;
            return Some(Lasso { trace: trace(), loop_start: None });
        }
        match self.positions.insert(met.state.into(), position) {
            Some(before) => {
                self.path_count += 1;
                Some(Lasso { trace: trace(), loop_start: Some(before) })
            }
            None => None,
        }
    }
}

/// A formula `E φ` or `A φ` in which `φ` has no quantifier, so that one path may decide it.
pub(super) struct LassoTarget {
    path: Formula<Atom>,
    paths: Paths,
    /// What a path can show: that `E φ` holds, or that `A φ` fails.
    value: bool,
}

impl LassoTarget {
    /// The whole_path that a formula is, if it is one.
    pub(super) fn new(formula: &Formula<Atom>, paths: Paths) -> Option<LassoTarget> {
        let (path, value) = match *formula.operator(formula.root()) {
            Operator::Exists(path) => (path, true),
            Operator::ForAll(path) => (path, false),
            _ => return None,
        };
        let path = formula.subformula(path);
        let is_plain = path.subformulas().all(|(_, operator)| {
            !matches!(
                operator,
                Operator::Exists(_) | Operator::ForAll(_) | Operator::Knows(..) | Operator::CanForce(..)
            )
        });
        (is_plain && Sorts::of(&path).is_path(path.root())).then_some(LassoTarget { path, paths, value })
    }

    /// The value of the formula, if this path decides it.
    pub(super) fn decided_by(&self, model: &Model, lasso: &Lasso) -> Option<bool> {
        let root = self.path.root();
        let truth = truth_on_lasso(model, &self.path, root, lasso, self.paths, |_, _| None).ok()?;
        let is_shown = if self.value { truth.holds } else { truth.fails };
        is_shown.then_some(self.value)
    }
}
