//! Knowledge and strategies.
//!
//! An agent *knows* what holds in all states of the universe that look to it like the present one.
//! So it does not know `f` in the states that look like one outside `f`: one [`crate::Observation`]
//! for each agent. Knowledge that is common to a group fails wherever a chain of such looks leads
//! outside; knowledge distributed in it is that of an observer who sees what any member sees.
//!
//! A group of agents *can force* a set in one step ([`crate::Forcing`]) if its members have
//! actions after which every next state lies there, and there is one. Strategies are fixpoints of
//! that, with everyone seeing the whole state.
//!
//! Under fairness constraints the meaning is that of the equations at `Operator::CanForce` in
//! `symbolon-logic`. A strategy for `X`, `F` or `U` has to win on the fair paths only; the question
//! is then turned round (Busard, Pecheur, Qu and Raimondi, Information and Computation 2015):
//! where, whatever the group does, does some fair path violate the formula? A strategy for `G` has
//! to keep its operand in every state of the universe that its paths come to.

use super::needs::{can_force, same_observation};
use super::{Question, TemporalChecker, Unanswered};
use crate::sets::core::StateSets;
use symbolon_budget::Interrupted;
use symbolon_logic::{Formula, FormulaId, Knowledge, Operator};
use symbolon_model::{Atom, Model, ObserverId, VariableId};

/// What refuses a formula whose agent is not in the model.
const NOBODY: &str = "an agent or group that the model does not have";
/// What refuses a strategy for anything but one temporal operator.
const NESTED: &str = "a strategy for more than one temporal operator";

/// Whether all agents and groups of a formula are known, and all strategies are for paths that
/// fixpoints describe.
pub(super) fn refuse_unknown(model: &Model, formula: &Formula<Atom>) -> Result<(), Unanswered> {
    let observers = &model.observers;
    let sorts = symbolon_logic::Sorts::of(formula);
    for (_, operator) in formula.subformulas() {
        match operator {
            Operator::Knows(Knowledge::Agent | Knowledge::Correct, who, _) => {
                observers.named(who).ok_or(Unanswered::Unsupported(NOBODY))?;
            }
            Operator::Knows(_, who, _) => {
                observers.members(who).ok_or(Unanswered::Unsupported(NOBODY))?;
            }
            Operator::CanForce(who, path) => {
                observers.members(who).ok_or(Unanswered::Unsupported(NOBODY))?;
                let path = formula.operator(*path);
                let is_simple = matches!(
                    path,
                    Operator::Next(_) | Operator::Finally(_) | Operator::Globally(_) | Operator::Until(..)
                );
                if !is_simple || path.operands().any(|operand| sorts.is_path(operand)) {
                    return Err(Unanswered::Unsupported(NESTED));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

impl<S: StateSets> TemporalChecker<'_, S> {
    /// Where an agent or a group knows that the state lies in `fact`.
    pub(super) fn knows(
        &mut self,
        knowledge: Knowledge,
        who: &str,
        fact: &S::Set,
    ) -> Result<S::Set, Interrupted> {
        let observers = &self.model.observers;
        let seen = |id: &ObserverId| observers.observer(*id).variables.clone();
        let members = observers.members(who).unwrap_or_default();
        let views: Vec<Vec<VariableId>> = match knowledge {
            Knowledge::Agent => observers.named(who).iter().map(seen).collect(),
            Knowledge::Everyone | Knowledge::Common => members.iter().map(seen).collect(),
            Knowledge::Distributed => {
                let mut together: Vec<VariableId> = members.iter().flat_map(seen).collect();
                together.sort_unstable();
                together.dedup();
                vec![together]
            }
            Knowledge::Correct => return self.holds_if_correct(who, fact),
        };
        let mut doubted = self.sets.difference(&self.reached, fact)?;
        let mut frontier = doubted.clone();
        loop {
            let mut alike = frontier.clone();
            for view in &views {
                let one = same_observation(self.sets, &frontier, view, &self.reached)?;
                alike = self.sets.union(&alike, &one)?;
                self.sets.collect_if_due();
            }
            frontier = self.sets.difference(&alike, &doubted)?;
            doubted = self.sets.union(&doubted, &alike)?;
            if knowledge != Knowledge::Common || self.sets.is_empty(&frontier) {
                return self.sets.difference(&self.reached, &doubted);
            }
        }
    }

    /// Everywhere, if the states outside `fact` are all red for the agent, and otherwise nowhere.
    fn holds_if_correct(&mut self, who: &str, fact: &S::Set) -> Result<S::Set, Interrupted> {
        let observers = &self.model.observers;
        let refuted = self.sets.difference(&self.reached, fact)?;
        let red = match observers.named(who) {
            Some(id) => self.sets.select(&refuted, &observers.observer(id).red)?,
            None => self.sets.none(),
        };
        Ok(if red == refuted { self.reached.clone() } else { self.sets.none() })
    }
}

impl<S: StateSets> Question<'_, '_, S> {
    /// Where a group has a strategy for a path formula whose operands are known.
    pub(super) fn has_strategy(&mut self, group: &str, path: FormulaId) -> Result<S::Set, Interrupted> {
        if self.checker.uniform.is_some() {
            return self.has_uniform_strategy(group, path);
        }
        let observers = &self.checker.model.observers;
        let members = observers.members(group).unwrap_or_default();
        let actions = members.iter().filter_map(|&id| observers.observer(id).action).collect();
        self.won_with_full_sight(actions, path)
    }

    /// Where the owners of these actions have a strategy if they see the whole state.
    pub(super) fn won_with_full_sight(
        &mut self,
        actions: Vec<VariableId>,
        path: FormulaId,
    ) -> Result<S::Set, Interrupted> {
        let operator = self.formula.operator(path).clone();
        let everywhere = self.checker.reached.clone();
        match operator {
            Operator::Next(f) => {
                let f = self.state(f)?;
                self.game(actions).next(&f)
            }
            Operator::Finally(g) => {
                let g = self.state(g)?;
                self.game(actions).until(&everywhere, &g)
            }
            Operator::Until(f, g) => {
                let (f, g) = (self.state(f)?, self.state(g)?);
                self.game(actions).until(&f, &g)
            }
            Operator::Globally(f) => {
                let f = self.state(f)?;
                self.game(actions).globally(&f)
            }
            _ => unreachable!("refused when the question was asked"),
        }
    }

    pub(super) fn game(&mut self, actions: Vec<VariableId>) -> Game<'_, S> {
        let constraints = self.checker.fairness.clone();
        let unfair = self.checker.forgotten.clone();
        Game {
            all: self.checker.reached.clone(),
            unfair,
            constraints,
            actions,
            sets: &mut *self.checker.sets,
        }
    }
}

/// A group against all others.
pub(super) struct Game<'g, S: StateSets> {
    pub(super) sets: &'g mut S,
    /// The universe.
    pub(super) all: S::Set,
    /// States outside it: to lead there is as good as to win, because no path from there counts.
    pub(super) unfair: Option<S::Set>,
    /// What the paths meet again and again that the group has to care for.
    pub(super) constraints: Vec<S::Set>,
    /// What the group decides.
    actions: Vec<VariableId>,
}

/// One round of the fixpoint that finds where the others hold out.
pub(super) struct HoldingOut<T> {
    /// Where they do as far as the rounds before can say.
    pub(super) kept: T,
    /// For each constraint, where they can bring about, whatever the group does, that it is met in `kept`,
    /// now or later, or that the target is come to.
    pub(super) near: Vec<T>,
}

impl<S: StateSets> Game<'_, S> {
    fn next(&mut self, f: &S::Set) -> Result<S::Set, Interrupted> {
        if self.constraints.is_empty() {
            return can_force(self.sets, &self.actions, f, &self.all);
        }
        let fair = self.unavoidably_fair()?;
        let failed = self.sets.difference(&fair, f)?;
        let lost = self.unavoidable(&failed)?;
        self.sets.difference(&self.all, &lost)
    }

    fn until(&mut self, f: &S::Set, g: &S::Set) -> Result<S::Set, Interrupted> {
        if !self.constraints.is_empty() {
            // The others hold out: g never comes, or not before f fails.
            let not_g = self.sets.difference(&self.all, g)?;
            let fair = self.unavoidably_fair()?;
            let failed = self.sets.difference(&not_g, f)?;
            let failed = self.sets.intersection(&failed, &fair)?;
            let lost = self.others_hold_out(&not_g, &failed, None)?;
            return self.sets.difference(&self.all, &lost);
        }
        let mut won = g.clone();
        loop {
            let open = self.sets.difference(f, &won)?;
            let more = can_force(self.sets, &self.actions, &won, &open)?;
            if self.sets.is_empty(&more) {
                return Ok(won);
            }
            won = self.sets.union(&won, &more)?;
            self.sets.collect_if_due();
        }
    }

    fn globally(&mut self, f: &S::Set) -> Result<S::Set, Interrupted> {
        if !self.constraints.is_empty() {
            // The others bring about that f fails, whether the path is fair in the end or not.
            let mut lost = self.sets.difference(&self.all, f)?;
            loop {
                let more = self.unavoidable(&lost)?;
                let next = self.sets.union(&lost, &more)?;
                if next == lost {
                    return self.sets.difference(&self.all, &lost);
                }
                lost = next;
            }
        }
        let mut kept = f.clone();
        loop {
            let next = can_force(self.sets, &self.actions, &kept, &kept)?;
            if next == kept {
                return Ok(kept);
            }
            kept = next;
            self.sets.collect_if_due();
        }
    }

    /// Where the group can act so that there is a next state, and every one that counts lies in the target.
    pub(super) fn forced(&mut self, target: &S::Set, within: &S::Set) -> Result<S::Set, Interrupted> {
        let mut target = target.clone();
        if let Some(unfair) = &self.unfair {
            target = self.sets.union(&target, unfair)?;
        }
        let forced = can_force(self.sets, &self.actions, &target, within)?;
        self.sets.collect_if_due();
        Ok(forced)
    }

    /// Where, however the group acts, some next state lies in the target. In states without a next
    /// state, nothing can be avoided.
    pub(super) fn unavoidable(&mut self, target: &S::Set) -> Result<S::Set, Interrupted> {
        let all = self.all.clone();
        let outside = self.sets.difference(&all, target)?;
        let avoided = self.forced(&outside, &all)?;
        self.sets.difference(&all, &avoided)
    }

    /// Where, whatever the group does, some path is fair.
    pub(super) fn unavoidably_fair(&mut self) -> Result<S::Set, Interrupted> {
        let (all, none) = (self.all.clone(), self.sets.none());
        self.others_hold_out(&all, &none, None)
    }

    /// Where, whatever the group does, some path stays in `within` and is fair, or does so until it
    /// comes to `target`. The rounds are added to `rounds`; nothing changes in the last one.
    pub(super) fn others_hold_out(
        &mut self,
        within: &S::Set,
        target: &S::Set,
        mut rounds: Option<&mut Vec<HoldingOut<S::Set>>>,
    ) -> Result<S::Set, Interrupted> {
        let mut kept = self.all.clone();
        loop {
            let mut left = within.clone();
            let mut near = Vec::new();
            for index in 0..self.constraints.len() {
                let layers = self.layers_to(index, within, target, &kept)?;
                let on_the_way = &layers[layers.len() - 1];
                let one = self.unavoidable(on_the_way)?;
                left = self.sets.intersection(&left, &one)?;
                if rounds.is_some() {
                    near.push(on_the_way.clone());
                }
            }
            let next = self.sets.union(target, &left)?;
            let is_last = next == kept;
            if let Some(rounds) = &mut rounds {
                rounds.push(HoldingOut { kept: kept.clone(), near });
            }
            if is_last {
                return Ok(kept);
            }
            kept = next;
            self.sets.collect_if_due();
        }
    }

    /// From where the others can bring about within 0, 1, 2, … steps inside `within`, whatever the group
    /// does, that a constraint is met in `kept`, or that `target` is come to.
    pub(super) fn layers_to(
        &mut self,
        constraint: usize,
        within: &S::Set,
        target: &S::Set,
        kept: &S::Set,
    ) -> Result<Vec<S::Set>, Interrupted> {
        let met = self.sets.intersection(&self.constraints[constraint], within)?;
        let met = self.sets.intersection(&met, kept)?;
        let mut layers = vec![self.sets.union(target, &met)?];
        loop {
            let on_the_way = &layers[layers.len() - 1];
            let before = self.unavoidable(on_the_way)?;
            let before = self.sets.intersection(&before, within)?;
            let next = self.sets.union(on_the_way, &before)?;
            if next == *on_the_way {
                return Ok(layers);
            }
            layers.push(next);
        }
    }
}
