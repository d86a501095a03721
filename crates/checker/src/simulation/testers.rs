//! Which events test which variables: after a step, only these are looked at again.

use symbolon_model::{EventId, Model, Part, VariableId};

/// For each variable the events that test it, in one list.
pub(super) struct Testers {
    /// Where the events of each variable begin, and one more: where the last ones end.
    first: Vec<u32>,
    events: Vec<EventId>,
}

impl Testers {
    /// Which events test which variables of a model.
    pub(super) fn of(model: &Model) -> Testers {
        let mut pairs: Vec<(VariableId, EventId)> = Vec::new();
        for event in model.event_ids() {
            for part in &model.event(event).parts {
                match part {
                    Part::Local { at_least: 0, at_most: u64::MAX, .. } => {}
                    Part::Local { variable, .. } => pairs.push((*variable, event)),
                    Part::General { guard, .. } => {
                        let mut tested = Vec::new();
                        guard.collect_variables(&mut tested);
                        pairs.extend(tested.into_iter().map(|variable| (variable, event)));
                    }
                    Part::Choice(choice) => {
                        let mut tested = Vec::new();
                        choice
                            .offers
                            .iter()
                            .for_each(|(condition, _)| condition.collect_variables(&mut tested));
                        pairs.extend(tested.into_iter().map(|variable| (variable, event)));
                    }
                    Part::Reaction(_) => {}
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut first = vec![0; model.variables.len() + 1];
        for (variable, _) in &pairs {
            first[variable.index() + 1] += 1;
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        Testers { first, events: pairs.into_iter().map(|(_, event)| event).collect() }
    }

    /// The events that test a variable.
    pub(super) fn of_variable(&self, variable: VariableId) -> &[EventId] {
        let index = variable.index();
        &self.events[self.first[index] as usize..self.first[index + 1] as usize]
    }
}
