//! Formulas that the beginning of a path may decide.
//!
//! A walk is the beginning of a path, and for some formulas a beginning is enough: `EF f` holds
//! once `f` was met, `A (f U g)` fails once neither was met before `g`. A [`PrefixTarget`] follows
//! one quantified formula along walks. [`glance`] gives the values of `f` and `g` in a state, as
//! far as the state alone decides them.

use super::glance::{View, glance};
use symbolon_logic::{Formula, FormulaId, Operator, Paths};
use symbolon_model::Atom;

/// A quantified formula that walks may decide.
pub(super) struct PrefixTarget {
    formula: Formula<Atom>,
    paths: Paths,
    pattern: Pattern,
    is_alive: bool,
    values: Vec<Option<bool>>,
}

/// What a walk must show, so that the formula has the value `value`.
#[derive(Clone, Copy)]
struct Pattern {
    value: bool,
    /// What must hold in all states before.
    before: Option<Wanted>,
    goal: Goal,
}

/// A subformula and the value it must have.
#[derive(Clone, Copy)]
struct Wanted(FormulaId, bool);

#[derive(Clone, Copy)]
enum Goal {
    /// A state with this.
    State(Wanted),
    /// A state with both.
    Both(Wanted, Wanted),
    /// The state after the first step, with this.
    Second(Wanted),
    /// A state with this, where the path ends.
    End(Wanted),
}

impl PrefixTarget {
    /// A target for a formula of the form `E …` or `A …`; `None` if no walk can decide it.
    pub(super) fn new(formula: Formula<Atom>, paths: Paths) -> Option<PrefixTarget> {
        // Under `Infinite` a walk is the beginning of a path only if it goes on for ever.
        if paths == Paths::Infinite {
            return None;
        }
        let pattern = pattern(&formula)?;
        Some(PrefixTarget { formula, paths, pattern, is_alive: true, values: Vec::new() })
    }

    /// A walk starts again.
    pub(super) fn restart(&mut self) {
        self.is_alive = true;
    }

    /// Whether this walk may still decide the formula.
    pub(super) fn is_alive(&self) -> bool {
        self.is_alive
    }

    /// Looks at the next state of the walk, `steps` from its start: the value of the formula, if it
    /// is decided now.
    pub(super) fn follow(&mut self, view: &impl View, steps: usize) -> Option<bool> {
        let Pattern { value, before, goal } = self.pattern;
        if !self.is_alive || matches!(goal, Goal::Second(_)) && steps != 1 {
            return None;
        }
        glance(&self.formula, self.paths, view, |_| None, &mut self.values);
        let has = |Wanted(id, value): Wanted| self.values[id.index()] == Some(value);
        let is_met = match goal {
            Goal::State(wanted) | Goal::Second(wanted) => has(wanted),
            Goal::Both(a, b) => has(a) && has(b),
            Goal::End(wanted) => view.is_dead() && has(wanted),
        };
        if is_met {
            return Some(value);
        }
        self.is_alive = before.is_none_or(has);
        None
    }

    /// The subformula that a walk should look for, and the value it should have.
    pub(super) fn wanted(&self) -> (&Formula<Atom>, FormulaId, bool) {
        let Wanted(id, value) = match self.pattern.goal {
            Goal::State(wanted) | Goal::Second(wanted) | Goal::End(wanted) | Goal::Both(wanted, _) => wanted,
        };
        (&self.formula, id, value)
    }
}

fn pattern(formula: &Formula<Atom>) -> Option<Pattern> {
    // Some path satisfies a formula, or some path violates it: in both cases a walk may be that
    // path.
    let (path, value) = match *formula.operator(formula.root()) {
        Operator::Exists(path) => (path, true),
        Operator::ForAll(path) => (path, false),
        _ => return None,
    };
    let state = |id, has| Goal::State(Wanted(id, has));
    let (before, goal) = match *formula.operator(path) {
        Operator::Next(f) => (None, Goal::Second(Wanted(f, value))),
        Operator::Finally(f) if value => (None, state(f, true)),
        Operator::Globally(f) if !value => (None, state(f, false)),
        Operator::Finally(f) | Operator::Globally(f) => (Some(Wanted(f, value)), Goal::End(Wanted(f, value))),
        Operator::Until(f, g) if value => (Some(Wanted(f, true)), state(g, true)),
        Operator::WeakUntil(f, g) if value => (Some(Wanted(f, true)), state(g, true)),
        Operator::Release(f, g) if value => {
            (Some(Wanted(g, true)), Goal::Both(Wanted(f, true), Wanted(g, true)))
        }
        Operator::Until(f, g) | Operator::WeakUntil(f, g) => {
            (Some(Wanted(g, false)), Goal::Both(Wanted(f, false), Wanted(g, false)))
        }
        Operator::Release(f, g) => (Some(Wanted(f, false)), state(g, false)),
        _ => return None,
    };
    Some(Pattern { value, before, goal })
}
