//! What stands below a quantifier, taken apart.
//!
//! A path formula is looked at together with its sign, so that no negation stands above a temporal
//! operator. Then these laws hold for any path formulas `f`, `g` and any state formula `p`, because
//! a path counts if and only if all of its suffixes do:
//!
//! ```text
//! E (f | g) = E f | E g      E (p & f) = p & E f      E p = p, where a path begins that counts
//! E X f = EX E f             E F f = EF E f           E (p U f) = E (p U E f)
//! E (p W f) = E (p U (E f | EG p))                    E (f R p) = E (p U (p & E f | EG p))
//! ```

use super::{Question, Signed};
use crate::sets::core::StateSets;
use symbolon_budget::Interrupted;
use symbolon_logic::{Operator, Paths};

/// A path formula with its sign pushed inwards by one operator.
#[derive(Clone, Copy, Debug)]
pub(super) enum View {
    /// It speaks about the first state alone.
    State,
    And(Signed, Signed),
    Or(Signed, Signed),
    /// Both or neither.
    Equivalent(Signed, Signed),
    Next(Signed),
    Finally(Signed),
    Globally(Signed),
    Until(Signed, Signed),
    WeakUntil(Signed, Signed),
    Release(Signed, Signed),
    /// The second until both hold: what `W` becomes when it is negated.
    UntilBoth(Signed, Signed),
}

impl Signed {
    pub(super) fn not(self) -> Signed {
        Signed { negated: !self.negated, ..self }
    }
}

impl<S: StateSets> Question<'_, '_, S> {
    /// What a signed subformula is made of.
    pub(super) fn view(&self, path: Signed) -> View {
        let Signed { mut id, mut negated } = path;
        loop {
            if !self.sorts.is_path(id) {
                return View::State;
            }
            let same = |id| Signed { id, negated };
            return match *self.formula.operator(id) {
                Operator::Not(f) => {
                    (id, negated) = (f, !negated);
                    continue;
                }
                Operator::And(f, g) if negated => View::Or(same(f), same(g)),
                Operator::And(f, g) => View::And(same(f), same(g)),
                Operator::Or(f, g) if negated => View::And(same(f), same(g)),
                Operator::Or(f, g) => View::Or(same(f), same(g)),
                Operator::Implies(f, g) if negated => View::And(same(f).not(), same(g)),
                Operator::Implies(f, g) => View::Or(same(f).not(), same(g)),
                Operator::Equivalent(f, g) => View::Equivalent(Signed { id: f, negated: false }, same(g)),
                Operator::Next(f) => View::Next(same(f)),
                Operator::Finally(f) if negated => View::Globally(same(f)),
                Operator::Finally(f) => View::Finally(same(f)),
                Operator::Globally(f) if negated => View::Finally(same(f)),
                Operator::Globally(f) => View::Globally(same(f)),
                Operator::Until(f, g) if negated => View::Release(same(f), same(g)),
                Operator::Until(f, g) => View::Until(same(f), same(g)),
                Operator::Release(f, g) if negated => View::Until(same(f), same(g)),
                Operator::Release(f, g) => View::Release(same(f), same(g)),
                Operator::WeakUntil(f, g) if negated => View::UntilBoth(same(f), same(g)),
                Operator::WeakUntil(f, g) => View::WeakUntil(same(f), same(g)),
                _ => View::State,
            };
        }
    }

    /// Whether it speaks about the first state alone.
    pub(super) fn is_state(&self, f: Signed) -> bool {
        !self.sorts.is_path(f.id)
    }

    /// The reachable states from which some path satisfies a signed subformula.
    pub(super) fn exists(&mut self, path: Signed) -> Result<S::Set, Interrupted> {
        if let Some(known) = self.known_paths.get(&path) {
            return Ok(known.clone());
        }
        let answer = match self.view(path) {
            View::State => {
                let set = self.signed_state(path)?;
                self.checker.fair_part(set, self.paths)?
            }
            View::Or(f, g) => {
                let (f, g) = (self.exists(f)?, self.exists(g)?);
                self.checker.sets.union(&f, &g)?
            }
            View::And(p, f) | View::And(f, p) if self.is_state(p) => {
                let (p, f) = (self.signed_state(p)?, self.exists(f)?);
                self.checker.sets.intersection(&p, &f)?
            }
            View::Equivalent(p, f) | View::Equivalent(f, p) if self.is_state(p) => {
                let (holds, refuted) = (self.exists(f)?, self.exists(f.not())?);
                let p = self.signed_state(p)?;
                let first = self.checker.sets.intersection(&p, &holds)?;
                let second = self.checker.sets.difference(&refuted, &p)?;
                self.checker.sets.union(&first, &second)?
            }
            View::Next(f) => {
                let (target, all) = (self.exists(f)?, self.checker.reached.clone());
                self.checker.before(&target, &all, self.stays_next())?
            }
            View::Finally(f) => {
                let (target, all) = (self.exists(f)?, self.checker.reached.clone());
                self.reaching(&target, &all)?
            }
            View::Globally(p) if self.is_state(p) => {
                let p = self.signed_state(p)?;
                self.checker.cycles(&p, &[], self.paths)?
            }
            View::Globally(f) if self.recurring(f).is_some() => {
                let recurring = self.recurring(f).unwrap_or(f);
                let (p, all) = (self.signed_state(recurring)?, self.checker.reached.clone());
                self.checker.cycles(&all, &[p], self.paths)?
            }
            View::Until(p, f) if self.is_state(p) => {
                let (p, target) = (self.signed_state(p)?, self.exists(f)?);
                self.reaching(&target, &p)?
            }
            View::WeakUntil(p, f) if self.is_state(p) => {
                let (p, target) = (self.signed_state(p)?, self.exists(f)?);
                self.reaching_or_staying(&target, &p)?
            }
            View::Release(f, p) if self.is_state(p) => {
                let (p, target) = (self.signed_state(p)?, self.exists(f)?);
                let target = self.checker.sets.intersection(&target, &p)?;
                self.reaching_or_staying(&target, &p)?
            }
            View::UntilBoth(f, p) if self.is_state(p) => {
                let (p, target) = (self.signed_state(p)?, self.exists(f)?);
                let target = self.checker.sets.intersection(&target, &p)?;
                self.reaching(&target, &p)?
            }
            View::And(f, g) => match (self.view(f), self.view(g)) {
                (View::Globally(p), View::Globally(q)) if self.is_state(p) && self.is_state(q) => {
                    let (p, q) = (self.signed_state(p)?, self.signed_state(q)?);
                    let both = self.checker.sets.intersection(&p, &q)?;
                    self.checker.cycles(&both, &[], self.paths)?
                }
                _ => self.exists_by_automaton(path)?,
            },
            View::Equivalent(..)
            | View::Globally(_)
            | View::Until(..)
            | View::WeakUntil(..)
            | View::Release(..)
            | View::UntilBoth(..) => self.exists_by_automaton(path)?,
        };
        self.checker.sets.collect_if_due();
        self.known_paths.insert(path, answer.clone());
        Ok(answer)
    }

    /// The state formula that holds again and again where `G f` holds, if that is all that `f`
    /// says.
    fn recurring(&self, f: Signed) -> Option<Signed> {
        match self.view(f) {
            View::Finally(p) if self.is_state(p) => Some(p),
            _ => None,
        }
    }

    /// Whether a dead state is its own next state.
    pub(super) fn stays_next(&self) -> bool {
        self.paths == Paths::Stutter
    }

    /// `target`, and the states from which it is reached through states of `within`.
    pub(super) fn reaching(&mut self, target: &S::Set, within: &S::Set) -> Result<S::Set, Interrupted> {
        if self.checker.sets.is_empty(target) {
            return Ok(target.clone());
        }
        self.checker.sets.backward_closure(target, within)
    }

    /// The states from which `target` is reached through states of `within`, or some path stays in
    /// `within` for ever.
    fn reaching_or_staying(&mut self, target: &S::Set, within: &S::Set) -> Result<S::Set, Interrupted> {
        let reaching = self.reaching(target, within)?;
        // What reaches the target need not be looked at: a path that meets none of these stays
        // outside.
        let open = self.checker.sets.difference(within, &reaching)?;
        let staying = self.checker.cycles(&open, &[], self.paths)?;
        self.checker.sets.union(&reaching, &staying)
    }
}
