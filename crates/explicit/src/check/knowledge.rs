//! Knowledge: what holds in all states that an observer cannot tell from this one.
//!
//! The states fall into classes, in each of which the observed variables have the same values. Who
//! sees a class knows what holds in all of it. Common knowledge is what everyone knows, and
//! everyone knows that everyone knows it, and so on: a greatest fixpoint, computed round by round.

use super::Checker;
use super::structure::Structure;
use crate::Reason;
use rustc_hash::FxHashMap;
use symbolon_logic::Knowledge;
use symbolon_model::{ObserverId, VariableId};

/// For each state the number of its class.
type Classes = Vec<usize>;

impl Checker<'_> {
    /// The states in which `who`, an agent or a group, knows that the states of `label` are the
    /// case.
    pub(super) fn knows(
        &mut self,
        structure: &Structure,
        knowledge: Knowledge,
        who: &str,
        label: &[bool],
    ) -> Result<Vec<bool>, Reason> {
        let observers = &self.model.observers;
        let universe = structure.universe();
        match knowledge {
            Knowledge::Agent => {
                let agent = observers.named(who).ok_or(Reason::UnknownAgent)?;
                let classes = self.classes(&observers.observer(agent).variables)?;
                Ok(holds_in_class(&classes, label, &universe))
            }
            Knowledge::Correct => {
                // In all states that are green for the agent, whatever the present one is.
                let agent = observers.named(who).ok_or(Reason::UnknownAgent)?;
                let red = self.atom(&symbolon_model::Atom::Holds(observers.observer(agent).red.clone()))?;
                let states = 0..label.len();
                let is_correct = states.into_iter().all(|s| !universe[s] || red[s] || label[s]);
                Ok(vec![is_correct; label.len()])
            }
            Knowledge::Distributed => {
                let members = observers.members(who).ok_or(Reason::UnknownAgent)?;
                let all = members.iter().flat_map(|&id| observers.observer(id).variables.iter().copied());
                let mut together: Vec<VariableId> = all.collect();
                together.sort_unstable();
                together.dedup();
                let classes = self.classes(&together)?;
                Ok(holds_in_class(&classes, label, &universe))
            }
            Knowledge::Everyone => {
                let classes = self.classes_of_all(who)?;
                Ok(everyone_knows(&classes, label, &universe))
            }
            Knowledge::Common => {
                let classes = self.classes_of_all(who)?;
                let mut known = vec![true; label.len()];
                loop {
                    let wanted: Vec<bool> = label.iter().zip(&known).map(|(&f, &known)| f && known).collect();
                    let next = everyone_knows(&classes, &wanted, &universe);
                    if next == known {
                        return Ok(known);
                    }
                    known = next;
                }
            }
        }
    }

    fn classes_of_all(&mut self, group: &str) -> Result<Vec<Classes>, Reason> {
        let observers = &self.model.observers;
        let members: Vec<ObserverId> = observers.members(group).ok_or(Reason::UnknownAgent)?;
        members.iter().map(|&id| self.classes(&observers.observer(id).variables)).collect()
    }

    /// The classes of states that agree on these variables.
    pub(super) fn classes(&mut self, variables: &[VariableId]) -> Result<Classes, Reason> {
        let mut numbers: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
        let mut classes = Vec::with_capacity(self.exploration.state_count());
        for state in self.exploration.states() {
            self.meter.step()?;
            let seen: Vec<u64> = variables.iter().map(|variable| state[variable.index()]).collect();
            let next = numbers.len();
            classes.push(*numbers.entry(seen).or_insert(next));
        }
        Ok(classes)
    }
}

/// The states in whose class all states of the universe carry the label.
fn holds_in_class(classes: &Classes, label: &[bool], universe: &[bool]) -> Vec<bool> {
    let class_count = classes.iter().max().map_or(0, |last| last + 1);
    let mut holds = vec![true; class_count];
    for (state, &class) in classes.iter().enumerate() {
        holds[class] &= label[state] || !universe[state];
    }
    classes.iter().map(|&class| holds[class]).collect()
}

/// The states in which each of these observers knows.
fn everyone_knows(all: &[Classes], label: &[bool], universe: &[bool]) -> Vec<bool> {
    let mut known = vec![true; label.len()];
    for classes in all {
        let one = holds_in_class(classes, label, universe);
        known.iter_mut().zip(one).for_each(|(known, one)| *known &= one);
    }
    known
}
