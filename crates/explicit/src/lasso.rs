//! Paths as people are shown them: a run that comes back to where it was, or that ends where nothing can happen; and
//! what a formula says about one, position by position.

use crate::path_formula::{Member, PathFormula, Temporal};
use crate::state_formula::{NoTruth, StateFormulas, is_dead};
use crate::{ReplayError, Trace, Truth, replay};
use symbolon_logic::{Formula, FormulaId, Paths, Sorts};
use symbolon_model::{Atom, Model, State};

/// A path of a model, written down as a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The run.
    pub trace: Trace,
    /// How many events come before the loop: the state after them is the last state, too, and what happens in between
    /// happens for ever. `None`: the last state is dead.
    pub loop_start: Option<usize>,
}

/// Why a lasso says nothing about a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LassoError {
    /// The lasso is no path of the model.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The path ends, and the formula speaks about infinite paths.
    #[error("the path ends, but only infinite paths are meant")]
    Ends,
    /// The truth of a quantified subformula in a state on the path is not known.
    #[error("the formula has a quantifier inside, and one path cannot tell whether it holds")]
    Quantifier,
    /// A number in an atom left the range.
    #[error("a number in the formula is out of range")]
    AtomOutOfRange,
}

impl From<NoTruth> for LassoError {
    fn from(why: NoTruth) -> LassoError {
        match why {
            NoTruth::Quantifier => LassoError::Quantifier,
            NoTruth::OutOfRange => LassoError::AtomOutOfRange,
        }
    }
}

/// Walks along `lasso`: every step must be possible, the loop must close, and a path without loop must end in a dead
/// state. The answer holds every state on the way: one more than there are events.
pub fn replay_lasso(model: &Model, lasso: &Lasso) -> Result<Vec<State>, ReplayError> {
    let states = replay(model, &lasso.trace)?;
    let last = states.len() - 1;
    match lasso.loop_start {
        None if is_dead(model, &states[last]) => Ok(states),
        None => Err(ReplayError::NotDead),
        Some(start) if start < last && states[start] == states[last] => Ok(states),
        Some(start) => Err(ReplayError::LoopOpen { start }),
    }
}

/// Whether the path formula `formula` holds on `lasso`, which is replayed first. The formula has no quantifiers.
pub fn holds_on_lasso(
    model: &Model,
    formula: &Formula<Atom>,
    lasso: &Lasso,
    paths: Paths,
) -> Result<bool, LassoError> {
    let truth = truth_on_lasso(model, formula, formula.root(), lasso, paths, |_, _| None)?;
    Ok(truth.holds)
}

/// What `lasso`, which is replayed first, says about the subformula `id` of `formula`. Where a quantifier stands
/// inside it, `quantified` is asked whether the quantified formula holds in a state.
pub fn truth_on_lasso(
    model: &Model,
    formula: &Formula<Atom>,
    id: FormulaId,
    lasso: &Lasso,
    paths: Paths,
    quantified: impl FnMut(FormulaId, &[u64]) -> Option<bool>,
) -> Result<Truth, LassoError> {
    let states = replay_lasso(model, lasso)?;
    let path = Path { model, states: &states, loop_start: lasso.loop_start };
    path.truth(formula, id, paths, quantified)
}

/// A path that was walked: its states, the first of the loop once more at the end.
pub(crate) struct Path<'a> {
    pub(crate) model: &'a Model,
    pub(crate) states: &'a [State],
    pub(crate) loop_start: Option<usize>,
}

impl Path<'_> {
    /// What the path says about the subformula `id` of `formula`.
    pub(crate) fn truth(
        &self,
        formula: &Formula<Atom>,
        id: FormulaId,
        paths: Paths,
        mut quantified: impl FnMut(FormulaId, &[u64]) -> Option<bool>,
    ) -> Result<Truth, LassoError> {
        let last = self.states.len() - 1;
        // The positions are those of the states, without the one that stands there twice. Behind the last position
        // comes the first of the loop, or nothing.
        let positions = match (self.loop_start, paths) {
            (Some(start), _) => Positions { count: last, after_last: Some(start) },
            (None, Paths::Stutter) => Positions { count: last + 1, after_last: Some(last) },
            (None, Paths::Maximal) => Positions { count: last + 1, after_last: None },
            (None, Paths::Infinite) => return Err(LassoError::Ends),
        };
        let path_formula = PathFormula::new(formula, &Sorts::of(formula), id);
        let ids: Vec<FormulaId> = path_formula.state_formulas().collect();
        let state_formulas = StateFormulas::new(self.model, formula, ids.clone());
        let mut labels: Vec<Vec<bool>> = Vec::with_capacity(positions.count);
        for state in &self.states[..positions.count] {
            labels.push(state_formulas.truths(state, &mut quantified)?);
        }
        let holds_at = |position: usize, id: FormulaId| {
            labels[position][ids.binary_search(&id).expect("state formulas are ascending")]
        };
        Ok(positions.truth(&path_formula, holds_at))
    }
}

/// The positions of a path: those before `count`, and behind the last of them one that was there before, or none.
#[derive(Clone, Copy, Debug)]
struct Positions {
    count: usize,
    after_last: Option<usize>,
}

impl Positions {
    /// What is said at the first position. Every member is told at all positions before the next member: temporal
    /// operators are questions of what leads where along the path, not laws from one position to the next.
    fn truth(self, formula: &PathFormula, holds_at: impl Fn(usize, FormulaId) -> bool) -> Truth {
        let mut told: Vec<Vec<Truth>> = Vec::with_capacity(formula.members().len());
        for member in formula.members() {
            let each = |what: &dyn Fn(usize) -> Truth| (0..self.count).map(what).collect();
            let new: Vec<Truth> = match *member {
                Member::State(id) => each(&|at| Truth::of(holds_at(at, id))),
                Member::Not(f) => each(&|at| told[f][at].not()),
                Member::And(f, g) => each(&|at| told[f][at].and(told[g][at])),
                Member::Or(f, g) => each(&|at| told[f][at].or(told[g][at])),
                Member::Implies(f, g) => each(&|at| told[f][at].implies(told[g][at])),
                Member::Equivalent(f, g) => each(&|at| {
                    let (f, g) = (told[f][at], told[g][at]);
                    f.implies(g).and(g.implies(f))
                }),
                Member::Temporal(temporal) => self.temporal(temporal, &told),
            };
            told.push(new);
        }
        told[formula.members().len() - 1][0]
    }

    /// What is said of a temporal operator at all positions.
    fn temporal(self, operator: Temporal, told: &[Vec<Truth>]) -> Vec<Truth> {
        let always = |_: usize| true;
        let holds = |f: usize| move |at: usize| told[f][at].holds;
        let fails = |f: usize| move |at: usize| told[f][at].fails;
        let not_holds = |f: usize| move |at: usize| !told[f][at].holds;
        let not_fails = |f: usize| move |at: usize| !told[f][at].fails;
        let (holds, fails) = match operator {
            Temporal::Next(f) => {
                let next = |at| self.next(at).map_or(Truth::default(), |next| told[f][next]);
                return (0..self.count).map(next).collect();
            }
            Temporal::Finally(f) => (self.comes(always, holds(f)), not(self.comes(always, not_fails(f)))),
            Temporal::Globally(f) => (not(self.comes(always, not_holds(f))), self.comes(always, fails(f))),
            Temporal::Until(f, g) => {
                (self.comes(holds(f), holds(g)), not(self.comes(not_fails(f), not_fails(g))))
            }
            Temporal::Release(f, g) => {
                (not(self.comes(not_holds(f), not_holds(g))), self.comes(fails(f), fails(g)))
            }
            Temporal::WeakUntil(f, g) => {
                let neither_holds = |at: usize| !told[f][at].holds && !told[g][at].holds;
                let both_fail = |at: usize| told[f][at].fails && told[g][at].fails;
                (not(self.comes(not_holds(g), neither_holds)), self.comes(fails(g), both_fail))
            }
        };
        holds.into_iter().zip(fails).map(|(holds, fails)| Truth { holds, fails }).collect()
    }

    fn next(self, at: usize) -> Option<usize> {
        if at + 1 < self.count { Some(at + 1) } else { self.after_last }
    }

    /// The positions from which the path comes to a target, through positions in `through`.
    fn comes(self, through: impl Fn(usize) -> bool, target: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut comes = vec![false; self.count];
        // The second round tells the loop what lies behind its last position.
        for _ in 0..2 {
            for at in (0..self.count).rev() {
                comes[at] = target(at) || through(at) && self.next(at).is_some_and(|next| comes[next]);
            }
        }
        comes
    }
}

fn not(label: Vec<bool>) -> Vec<bool> {
    label.into_iter().map(|holds| !holds).collect()
}
