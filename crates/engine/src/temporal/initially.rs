//! Where only some states are asked about: searches that start from them.
//!
//! Evaluating a formula everywhere goes backwards from its targets through the whole reachable set.
//! For the initial states less is enough: `EF p` holds in a single initial state if some reachable
//! state satisfies `p` at all; `E (p U q)` and `EG p` need to know only what is reached inside `p`.
//! The answers here are exact for the states asked about, however many there are; where a way works
//! for a single state alone, it is taken for a single state alone.
//!
//! A search forwards inside `p` never meets a state that is not reachable, so it need not know
//! which ones are. If `p` has no quantifier, it is given all combinations of values with `p`
//! instead ([`StateSets::hull`]), which is a far smaller diagram to carry along than the reachable
//! states with `p`. And it is not allowed to take long: then the search goes backwards after all.

use super::quantifier::View;
use super::{Question, Signed, TemporalChecker};
use crate::policy::temporal::FORWARD_STEPS;
use crate::sets::core::StateSets;
use crate::trace::can_meet;
use symbolon_budget::Interrupted;
use symbolon_logic::{FormulaId, Operator};

impl<S: StateSets> Question<'_, '_, S> {
    /// The states of `here` that satisfy a state subformula.
    pub(super) fn state_at(&mut self, id: FormulaId, here: &S::Set) -> Result<S::Set, Interrupted> {
        if self.checker.sets.is_empty(here) {
            return Ok(here.clone());
        }
        match *self.formula.operator(id) {
            Operator::True => Ok(here.clone()),
            Operator::False => Ok(self.checker.sets.none()),
            Operator::Deadlock => self.checker.sets.dead(here),
            Operator::Atom(ref atom) => self.checker.atom(atom, here),
            Operator::Not(f) => {
                let f = self.state_at(f, here)?;
                self.checker.sets.difference(here, &f)
            }
            Operator::And(f, g) => {
                let f = self.state_at(f, here)?;
                self.state_at(g, &f)
            }
            Operator::Or(f, g) => {
                let f = self.state_at(f, here)?;
                let rest = self.checker.sets.difference(here, &f)?;
                let g = self.state_at(g, &rest)?;
                self.checker.sets.union(&f, &g)
            }
            Operator::Implies(f, g) => {
                let f = self.state_at(f, here)?;
                let g = self.state_at(g, &f)?;
                let refuted = self.checker.sets.difference(&f, &g)?;
                self.checker.sets.difference(here, &refuted)
            }
            Operator::Equivalent(f, g) => {
                let (f, g) = (self.state_at(f, here)?, self.state_at(g, here)?);
                let (first, second) =
                    (self.checker.sets.difference(&f, &g)?, self.checker.sets.difference(&g, &f)?);
                let refuted = self.checker.sets.union(&first, &second)?;
                self.checker.sets.difference(here, &refuted)
            }
            Operator::Exists(f) => self.exists_at(Signed { id: f, negated: false }, here),
            Operator::ForAll(f) => {
                let refuted = self.exists_at(Signed { id: f, negated: true }, here)?;
                self.checker.sets.difference(here, &refuted)
            }
            _ => {
                let everywhere = self.state(id)?;
                self.checker.sets.intersection(here, &everywhere)
            }
        }
    }

    /// The states of `here` from which some path satisfies a signed subformula.
    pub(super) fn exists_at(&mut self, path: Signed, here: &S::Set) -> Result<S::Set, Interrupted> {
        if self.checker.sets.is_empty(here) {
            return Ok(here.clone());
        }
        match self.view(path) {
            View::State => {
                let holds = self.state_at(path.id, here)?;
                let holds = if path.negated { self.checker.sets.difference(here, &holds)? } else { holds };
                self.checker.fair_part(holds, self.paths)
            }
            View::Or(f, g) => {
                let f = self.exists_at(f, here)?;
                let rest = self.checker.sets.difference(here, &f)?;
                let g = self.exists_at(g, &rest)?;
                self.checker.sets.union(&f, &g)
            }
            View::And(p, f) | View::And(f, p) if self.is_state(p) => {
                let holds = self.signed_state_at(p, here)?;
                self.exists_at(f, &holds)
            }
            View::Next(f) if self.is_single(here)? => {
                let mut next = self.checker.sets.image_of_any(here)?;
                if self.stays_next() {
                    let dead = self.checker.sets.dead(here)?;
                    next = self.checker.sets.union(&next, &dead)?;
                }
                let found = self.exists_at(f, &next)?;
                self.all_or_none(here, !self.checker.sets.is_empty(&found))
            }
            View::Finally(f) => {
                let target = self.exists(f)?;
                self.reaching_at(&target, None, here)
            }
            View::Until(p, f) if self.is_state(p) => {
                let target = self.exists(f)?;
                self.reaching_at(&target, Some(p), here)
            }
            View::UntilBoth(f, p) if self.is_state(p) => {
                let (p_holds, target) = (self.signed_state(p)?, self.exists(f)?);
                let target = self.checker.sets.intersection(&target, &p_holds)?;
                self.reaching_at(&target, Some(p), here)
            }
            View::Globally(p) if self.is_state(p) => self.staying_at(p, here),
            View::WeakUntil(p, f) if self.is_state(p) => {
                let target = self.exists(f)?;
                let reaching = self.reaching_at(&target, Some(p), here)?;
                let rest = self.checker.sets.difference(here, &reaching)?;
                let staying = self.staying_at(p, &rest)?;
                self.checker.sets.union(&reaching, &staying)
            }
            View::Release(f, p) if self.is_state(p) => {
                let (p_holds, target) = (self.signed_state(p)?, self.exists(f)?);
                let target = self.checker.sets.intersection(&target, &p_holds)?;
                let reaching = self.reaching_at(&target, Some(p), here)?;
                let rest = self.checker.sets.difference(here, &reaching)?;
                let staying = self.staying_at(p, &rest)?;
                self.checker.sets.union(&reaching, &staying)
            }
            _ => {
                let everywhere = self.exists(path)?;
                self.checker.sets.intersection(here, &everywhere)
            }
        }
    }

    fn signed_state_at(&mut self, p: Signed, here: &S::Set) -> Result<S::Set, Interrupted> {
        let holds = self.state_at(p.id, here)?;
        if p.negated { self.checker.sets.difference(here, &holds) } else { Ok(holds) }
    }

    /// The states of `here` from which `target` is reached, through states that satisfy `p` if that
    /// is given.
    fn reaching_at(
        &mut self,
        target: &S::Set,
        p: Option<Signed>,
        here: &S::Set,
    ) -> Result<S::Set, Interrupted> {
        let mut found = self.checker.sets.intersection(here, target)?;
        let mut open = self.checker.sets.difference(here, &found)?;
        if let Some(p) = p {
            open = self.signed_state_at(p, &open)?;
        }
        if self.checker.sets.is_empty(target) || self.checker.sets.is_empty(&open) {
            return Ok(found);
        }
        let is_single = self.is_single(&open)?;
        if is_single && self.checker.model.is_synchronous() {
            // Layers may stop where the target is met, and are kept for a later search for a run.
            if let Some(is_met) = self.meets(&open, p, target)? {
                return if is_met { self.checker.sets.union(&found, &open) } else { Ok(found) };
            }
        }
        let reached = if is_single { self.reached_from(&open, p)? } else { None };
        let Some(reached) = reached else {
            let within = match p {
                Some(p) => self.signed_state(p)?,
                None => self.checker.reached.clone(),
            };
            let everywhere = self.reaching(target, &within)?;
            let reaching = self.checker.sets.intersection(&open, &everywhere)?;
            found = self.checker.sets.union(&found, &reaching)?;
            return Ok(found);
        };
        let mut met = self.checker.sets.intersection(&reached, target)?;
        if self.checker.sets.is_empty(&met) && p.is_some() {
            let next = self.checker.sets.image_of_any(&reached)?;
            met = self.checker.sets.intersection(&next, target)?;
        }
        if self.checker.sets.is_empty(&met) { Ok(found) } else { self.checker.sets.union(&found, &open) }
    }

    /// The states of `here` from which a path stays where `p` holds.
    fn staying_at(&mut self, p: Signed, here: &S::Set) -> Result<S::Set, Interrupted> {
        let start = self.signed_state_at(p, here)?;
        if self.checker.sets.is_empty(&start) {
            return Ok(start);
        }
        let within = match self.reached_from(&start, Some(p))? {
            Some(reached) => reached,
            None => self.signed_state(p)?,
        };
        let staying = self.checker.cycles(&within, &[], self.paths)?;
        self.checker.sets.intersection(&start, &staying)
    }

    /// Whether the target is reached from `start` through states that satisfy `p`, as those of
    /// `start` do; `None` if that takes long.
    fn meets(
        &mut self,
        start: &S::Set,
        p: Option<Signed>,
        target: &S::Set,
    ) -> Result<Option<bool>, Interrupted> {
        let within = self.searched(p)?;
        if within == self.checker.reached && *start == self.checker.initial {
            return Ok(Some(!self.checker.sets.is_empty(target)));
        }
        self.unless_long(|checker| {
            let TemporalChecker { sets, layers, .. } = checker;
            can_meet(*sets, start, &within, target, layers)
        })
    }

    /// Where a search forwards stays that may visit states which satisfy `p`.
    pub(super) fn searched(&mut self, p: Option<Signed>) -> Result<S::Set, Interrupted> {
        match p {
            None => Ok(self.checker.reached.clone()),
            Some(p) if self.has_quantifier(p.id) => self.signed_state(p),
            Some(p) => {
                let hull = self.checker.hull()?;
                self.signed_state_at(p, &hull)
            }
        }
    }

    /// What is reached from `start` through states that satisfy `p`, as those of `start` do; `None`
    /// if that takes long.
    fn reached_from(&mut self, start: &S::Set, p: Option<Signed>) -> Result<Option<S::Set>, Interrupted> {
        let within = self.searched(p)?;
        if within == self.checker.reached && *start == self.checker.initial {
            return Ok(Some(within));
        }
        self.unless_long(|checker| checker.sets.forward_closure(start, &within))
    }

    /// What a search finds; `None` if it takes long.
    fn unless_long<T>(
        &mut self,
        search: impl FnOnce(&mut TemporalChecker<'_, S>) -> Result<T, Interrupted>,
    ) -> Result<Option<T>, Interrupted> {
        let steps = self.checker.sets.statistics().steps.max(FORWARD_STEPS);
        let limit = self.checker.sets.meter().grant_at_most(steps);
        let found = search(self.checker);
        self.checker.sets.meter().restore(limit);
        self.checker.sets.collect_if_due();
        match found {
            // Unless the steps that were granted outside ran out, too.
            Err(Interrupted::Steps) => self.checker.sets.meter().step().map(|()| None),
            found => found.map(Some),
        }
    }

    fn all_or_none(&mut self, here: &S::Set, all: bool) -> Result<S::Set, Interrupted> {
        Ok(if all { here.clone() } else { self.checker.sets.none() })
    }

    /// Whether the set has exactly one state.
    fn is_single(&mut self, set: &S::Set) -> Result<bool, Interrupted> {
        match self.checker.sets.choose(set) {
            Some(state) => Ok(self.checker.sets.singleton(&state)? == *set),
            None => Ok(false),
        }
    }
}
