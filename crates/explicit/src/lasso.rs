//! Paths as people are shown them: a run that comes back to where it was, or that ends where
//! nothing can happen; and what a formula says about one, position by position.

use crate::path_formula::{Member, PathFormula, Temporal};
use crate::state_formula::{AtomWithoutValue, StateFormulas, is_dead};
use crate::{ReplayError, Trace, Truth, replay};
use symbolon_logic::{Formula, FormulaId, Paths, Sorts};
use symbolon_model::{Atom, Model, State};

/// A path of a model, written down as a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The run.
    pub trace: Trace,
    /// How many events come before the loop: the state after them is the last state, too, and what
    /// happens in between happens forever. `None`: the last state is dead.
    pub loop_start: Option<usize>,
}

/// Why a lasso says nothing about a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LassoError {
    /// The lasso is not a path of the model.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The path ends, and the formula speaks about infinite paths.
    #[error("the path ends, but only infinite paths are meant")]
    Ends,
    /// The truth of a quantified subformula in a state on the path is not known.
    #[error("the formula has a quantifier inside, and one path cannot tell whether it holds")]
    Quantifier,
    /// Something in an atom is divided by 0.
    #[error("something in the formula is divided by 0")]
    AtomWithoutValue,
}

impl From<AtomWithoutValue> for LassoError {
    fn from(AtomWithoutValue: AtomWithoutValue) -> LassoError {
        LassoError::AtomWithoutValue
    }
}

/// How a path goes on after the last state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Anyhow: what the path shows, it has shown by then.
    Open,
    /// Not at all: nothing can happen in the last state.
    Dead,
    /// From the state after this many events, which is the last state, too: what happened from
    /// there on repeats forever.
    Loop(usize),
}

impl Ending {
    /// Whether a run through `states` can end like this.
    pub(crate) fn fits(self, model: &Model, states: &[State]) -> Result<(), ReplayError> {
        let last = states.len() - 1;
        match self {
            Ending::Dead if !is_dead(model, &states[last]) => Err(ReplayError::NotDead),
            Ending::Loop(start) if start >= last || states[start] != states[last] => {
                Err(ReplayError::LoopOpen { start })
            }
            _ => Ok(()),
        }
    }
}

impl Lasso {
    fn ending(&self) -> Ending {
        self.loop_start.map_or(Ending::Dead, Ending::Loop)
    }
}

/// Walks along `lasso`: every step must be possible, the loop must close, and a path without loop
/// must end in a dead state. The answer holds every state on the way: one more than there are
/// events.
pub fn replay_lasso(model: &Model, lasso: &Lasso) -> Result<Vec<State>, ReplayError> {
    let states = replay(model, &lasso.trace)?;
    lasso.ending().fits(model, &states)?;
    Ok(states)
}

/// Whether the path formula `formula` holds on `lasso`, which is replayed first. The formula has no
/// quantifiers.
pub fn holds_on_lasso(
    model: &Model,
    formula: &Formula<Atom>,
    lasso: &Lasso,
    paths: Paths,
) -> Result<bool, LassoError> {
    let truth = truth_on_lasso(model, formula, formula.root(), lasso, paths, |_, _| None)?;
    Ok(truth.holds)
}

/// What `lasso`, which is replayed first, says about the subformula `id` of `formula`. Where a
/// quantifier stands inside it, `quantified` is asked whether the quantified formula holds in a
/// state.
pub fn truth_on_lasso(
    model: &Model,
    formula: &Formula<Atom>,
    id: FormulaId,
    lasso: &Lasso,
    paths: Paths,
    mut quantified: impl FnMut(FormulaId, &[u64]) -> Option<bool>,
) -> Result<Truth, LassoError> {
    let states = replay_lasso(model, lasso)?;
    let path = Path { model, states: &states, ending: lasso.ending() };
    let mut is_unknown = false;
    let truth = path.truth(formula, id, paths, |id, position| {
        let answer = quantified(id, &states[position]);
        is_unknown |= answer.is_none();
        answer.map_or(Truth::default(), Truth::of)
    })?;
    if is_unknown { Err(LassoError::Quantifier) } else { Ok(truth) }
}

/// A path that was walked: its states, the first of the loop once more at the end.
pub(crate) struct Path<'a> {
    pub(crate) model: &'a Model,
    pub(crate) states: &'a [State],
    pub(crate) ending: Ending,
}

impl Path<'_> {
    /// What the path says about the subformula `id` of `formula`. Where one stands in the way,
    /// `quantified` is asked about a quantified subformula at a position.
    pub(crate) fn truth(
        &self,
        formula: &Formula<Atom>,
        id: FormulaId,
        paths: Paths,
        mut quantified: impl FnMut(FormulaId, usize) -> Truth,
    ) -> Result<Truth, LassoError> {
        let last = self.states.len() - 1;
        let (count, behind) = match (self.ending, paths) {
            (Ending::Loop(start), _) => (last, Behind::Position(start)),
            (Ending::Open, _) => (last + 1, Behind::Anything),
            (Ending::Dead, Paths::Stutter) => (last + 1, Behind::Position(last)),
            (Ending::Dead, Paths::Maximal) => (last + 1, Behind::Nothing),
            (Ending::Dead, Paths::Infinite) => return Err(LassoError::Ends),
        };
        let positions = Positions { count, behind };
        let path_formula = PathFormula::new(formula, &Sorts::of(formula), id);
        let ids: Vec<FormulaId> = path_formula.state_formulas().collect();
        let state_formulas = StateFormulas::new(self.model, formula, ids.clone());
        let mut labels: Vec<Vec<Truth>> = Vec::with_capacity(count);
        for (position, state) in self.states[..count].iter().enumerate() {
            labels.push(state_formulas.truths(state, |id| quantified(id, position))?);
        }
        let truth_at = |position: usize, id: FormulaId| {
            labels[position][ids.binary_search(&id).expect("state formulas are ascending")]
        };
        Ok(positions.truth(&path_formula, truth_at))
    }
}

/// The positions of a path: those before `count`.
#[derive(Clone, Copy, Debug)]
struct Positions {
    count: usize,
    behind: Behind,
}

/// What comes behind the last position of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behind {
    /// A position that was there before, or the last one again.
    Position(usize),
    /// Nothing: the path ends.
    Nothing,
    /// Something that is not known.
    Anything,
}

impl Positions {
    /// What is said at the first position. Every member is evaluated at all positions before the
    /// next member: temporal operators are questions of what leads where along the path, not laws
    /// from one position to the next.
    fn truth(self, formula: &PathFormula, truth_at: impl Fn(usize, FormulaId) -> Truth) -> Truth {
        let mut truth: Vec<Vec<Truth>> = Vec::with_capacity(formula.members().len());
        for member in formula.members() {
            let each = |what: &dyn Fn(usize) -> Truth| (0..self.count).map(what).collect();
            let new: Vec<Truth> = match *member {
                Member::State(id) => each(&|at| truth_at(at, id)),
                Member::Not(f) => each(&|at| truth[f][at].not()),
                Member::And(f, g) => each(&|at| truth[f][at].and(truth[g][at])),
                Member::Or(f, g) => each(&|at| truth[f][at].or(truth[g][at])),
                Member::Implies(f, g) => each(&|at| truth[f][at].implies(truth[g][at])),
                Member::Equivalent(f, g) => each(&|at| {
                    let (f, g) = (truth[f][at], truth[g][at]);
                    f.implies(g).and(g.implies(f))
                }),
                Member::Temporal(temporal) => self.temporal(temporal, &truth),
            };
            truth.push(new);
        }
        truth[formula.members().len() - 1][0]
    }

    /// What is said of a temporal operator at all positions. Something is *sure* to come if it does
    /// on what is known of the path, and *may* come if that is not refuted: what holds is what is
    /// sure, or what nothing against may come.
    fn temporal(self, operator: Temporal, truth: &[Vec<Truth>]) -> Vec<Truth> {
        let always = |_: usize| true;
        let holds = |f: usize| move |at: usize| truth[f][at].holds;
        let fails = |f: usize| move |at: usize| truth[f][at].fails;
        let not_holds = |f: usize| move |at: usize| !truth[f][at].holds;
        let not_fails = |f: usize| move |at: usize| !truth[f][at].fails;
        let (holds, fails) = match operator {
            Temporal::Next(f) => {
                let next = |at| self.next(at).map_or(Truth::default(), |next| truth[f][next]);
                return (0..self.count).map(next).collect();
            }
            Temporal::Finally(f) => {
                (self.surely_comes(always, holds(f)), not(self.may_come(always, not_fails(f))))
            }
            Temporal::Globally(f) => {
                (not(self.may_come(always, not_holds(f))), self.surely_comes(always, fails(f)))
            }
            Temporal::Until(f, g) => {
                (self.surely_comes(holds(f), holds(g)), not(self.may_come(not_fails(f), not_fails(g))))
            }
            Temporal::Release(f, g) => {
                (not(self.may_come(not_holds(f), not_holds(g))), self.surely_comes(fails(f), fails(g)))
            }
            Temporal::WeakUntil(f, g) => {
                let neither_holds = |at: usize| !truth[f][at].holds && !truth[g][at].holds;
                let both_fail = |at: usize| truth[f][at].fails && truth[g][at].fails;
                (not(self.may_come(not_holds(g), neither_holds)), self.surely_comes(fails(g), both_fail))
            }
        };
        holds.into_iter().zip(fails).map(|(holds, fails)| Truth { holds, fails }).collect()
    }

    fn next(self, at: usize) -> Option<usize> {
        match self.behind {
            _ if at + 1 < self.count => Some(at + 1),
            Behind::Position(position) => Some(position),
            Behind::Nothing | Behind::Anything => None,
        }
    }

    /// The positions from which the path comes to a target, through positions in `through`.
    fn surely_comes(self, through: impl Fn(usize) -> bool, target: impl Fn(usize) -> bool) -> Vec<bool> {
        self.comes(through, target, false)
    }

    /// The same, if the path may also come to a target behind what is known of it.
    fn may_come(self, through: impl Fn(usize) -> bool, target: impl Fn(usize) -> bool) -> Vec<bool> {
        self.comes(through, target, self.behind == Behind::Anything)
    }

    fn comes(
        self,
        through: impl Fn(usize) -> bool,
        target: impl Fn(usize) -> bool,
        comes_behind: bool,
    ) -> Vec<bool> {
        let mut comes = vec![false; self.count];
        // The second round tells the loop what lies behind its last position.
        for _ in 0..2 {
            for at in (0..self.count).rev() {
                let comes_later = || self.next(at).map_or(comes_behind, |next| comes[next]);
                comes[at] = target(at) || through(at) && comes_later();
            }
        }
        comes
    }
}

fn not(label: Vec<bool>) -> Vec<bool> {
    label.into_iter().map(|holds| !holds).collect()
}
