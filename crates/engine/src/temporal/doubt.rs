//! Why an agent does not know something: a state that looks the same to them and in which it is not
//! so, and a run that leads there.
//!
//! Where a group does not have common knowledge, the state may only look the same to one who is
//! looked at by another, and so on: then the witness is a chain of such states, each with a run
//! that leads to it. Where the fact itself fails, no agent knows it, and nothing else is looked
//! for.

use super::needs::same_observation;
use super::witness::{Explanation, Link, Reason, Witness};
use super::{Signed, TemporalChecker};
use crate::sets::core::StateSets;
use crate::trace::{Starts, path_to};
use symbolon_budget::Interrupted;
use symbolon_logic::{FormulaId, Knowledge};
use symbolon_model::{ObserverId, State, VariableId};

/// A view: which agents see it, and what is seen.
type View = (Vec<ObserverId>, Vec<VariableId>);

impl<S: StateSets> Explanation<'_, '_, S> {
    /// Why `id`, that an agent knows `f`, fails in a state; `None` if the search was too long.
    pub(super) fn doubt(
        &mut self,
        (id, f): (FormulaId, FormulaId),
        knowledge: Knowledge,
        who: &str,
        state: &State,
    ) -> Result<Option<Reason>, Interrupted> {
        let observers = &self.question.checker.model.observers;
        let mut doubted = self.question.signed_state(Signed { id: f, negated: true })?;
        let agent = observers.named(who);
        let checker = &mut *self.question.checker;
        if let (Knowledge::Correct, Some(agent)) = (knowledge, agent) {
            let red = checker.sets.select(&doubted, &observers.observer(agent).red)?;
            doubted = checker.sets.difference(&doubted, &red)?;
        }
        if checker.sets.contains(&doubted, state) {
            let mut witness = Witness::of(id, state.clone());
            self.branch(&mut witness, Signed { id: f, negated: true }, 0..1)?;
            return Ok(Some(Reason::path(witness)));
        }
        if let (Knowledge::Correct, Some(agent)) = (knowledge, agent) {
            let witness = self.run_to(&doubted, id, f)?;
            return Ok(witness.map(|witness| Reason { link: Link::Correct(agent), witness }));
        }
        let views = self.views(knowledge, who);
        if knowledge == Knowledge::Common {
            return self.chain((id, f), &views, &doubted, state);
        }
        let checker = &mut *self.question.checker;
        let here = checker.sets.singleton(state)?;
        for (seeing, view) in views {
            let alike = same_observation(checker.sets, &here, &view, &doubted)?;
            if !checker.sets.is_empty(&alike) {
                let witness = self.run_to(&alike, id, f)?;
                return Ok(witness.map(|witness| Reason { link: Link::Alike(seeing), witness }));
            }
        }
        Ok(None)
    }

    /// What those who should know see, one by one or together.
    fn views(&self, knowledge: Knowledge, who: &str) -> Vec<View> {
        let observers = &self.question.checker.model.observers;
        let seen = |id: ObserverId| observers.observer(id).variables.clone();
        let members = match knowledge {
            Knowledge::Agent => observers.named(who).into_iter().collect(),
            _ => observers.members(who).unwrap_or_default(),
        };
        if knowledge == Knowledge::Distributed {
            let mut together: Vec<VariableId> = members.iter().flat_map(|&id| seen(id)).collect();
            together.sort_unstable();
            together.dedup();
            return vec![(members, together)];
        }
        members.into_iter().map(|id| (vec![id], seen(id))).collect()
    }

    /// A shortest run to a state of `target`, and why `f` fails there.
    fn run_to(
        &mut self,
        target: &S::Set,
        id: FormulaId,
        f: FormulaId,
    ) -> Result<Option<Witness>, Interrupted> {
        let Some(mut witness) = self.run_into(target, id)? else { return Ok(None) };
        let last = witness.events.len();
        self.branch(&mut witness, Signed { id: f, negated: true }, last..last + 1)?;
        Ok(Some(witness))
    }

    /// A shortest run to a state of `target`.
    fn run_into(&mut self, target: &S::Set, id: FormulaId) -> Result<Option<Witness>, Interrupted> {
        let checker = &mut *self.question.checker;
        let starts = Starts::Within(checker.initial.clone());
        let within = checker.reached.clone();
        let TemporalChecker { sets, model, layers, .. } = checker;
        let found = path_to(*sets, model, &starts, &within, target, self.layer_steps, layers)?;
        let Some(found) = found else { return Ok(None) };
        let mut witness =
            Witness { is_shortest: found.is_shortest, ..Witness::of(id, found.initial.clone()) };
        for (number, &event) in found.events.iter().enumerate() {
            let Some(next) = found.state_after(checker.model, number, witness.last()) else {
                return Ok(None);
            };
            witness.events.push(event);
            witness.states.push(next);
        }
        Ok(Some(witness))
    }

    /// A chain of looks from `state` into `doubted`, as short as possible.
    fn chain(
        &mut self,
        (id, f): (FormulaId, FormulaId),
        views: &[View],
        doubted: &S::Set,
        state: &State,
    ) -> Result<Option<Reason>, Interrupted> {
        let checker = &mut *self.question.checker;
        // Layer d: the states from which the doubted ones are d looks away.
        let mut layers = vec![doubted.clone()];
        let mut unseen = checker.sets.difference(&checker.reached, doubted)?;
        while !checker.sets.contains(&layers[layers.len() - 1], state) {
            let newest = layers[layers.len() - 1].clone();
            let mut next = checker.sets.none();
            for (_, view) in views {
                let alike = same_observation(checker.sets, &newest, view, &unseen)?;
                next = checker.sets.union(&next, &alike)?;
                checker.sets.collect_if_due();
            }
            if checker.sets.is_empty(&next) {
                return Ok(None);
            }
            unseen = checker.sets.difference(&unseen, &next)?;
            layers.push(next);
        }
        layers.pop();
        // From the state to the doubted ones: each layer has a state that looks alike to an agent.
        let mut looks: Vec<(Vec<ObserverId>, State)> = Vec::new();
        let mut here = state.clone();
        for layer in layers.iter().rev() {
            let from = checker.sets.singleton(&here)?;
            let mut found = None;
            for (seeing, view) in views {
                let alike = same_observation(checker.sets, &from, view, layer)?;
                found = checker.sets.choose(&alike).map(|state| (seeing.clone(), state));
                if found.is_some() {
                    break;
                }
            }
            let Some(look) = found else { return Ok(None) };
            here = look.1.clone();
            looks.push(look);
        }
        let mut last: Option<Reason> = None;
        while let Some((seeing, state)) = looks.pop() {
            let target = self.question.checker.sets.singleton(&state)?;
            // Only where the chain ends the fact fails.
            let witness = match last.take() {
                None => self.run_to(&target, id, f)?,
                Some(rest) => self.run_into(&target, id)?.map(|mut witness| {
                    witness.branches.push(rest.at(witness.events.len()));
                    witness
                }),
            };
            let Some(witness) = witness else { return Ok(None) };
            last = Some(Reason { link: Link::Alike(seeing), witness });
        }
        Ok(last)
    }
}
