//! Which events are enabled in a state.
//!
//! Most events need a token somewhere. Each is listed at one variable that it needs above 0, at the one
//! with the fewest events so far, so only the lists of variables that are not 0 are looked at.

use symbolon_model::{EventId, Model, Part, VariableId};

/// Events by the variables that they need.
#[derive(Debug)]
pub(crate) struct Successors<'m> {
    model: &'m Model,
    /// By variable, the events that are looked at where it is not 0.
    needing: Vec<Vec<EventId>>,
    /// Events that are looked at everywhere.
    others: Vec<EventId>,
}

/// Where the enabled events of a state go on. The order in which they come may begin anywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// The number of lists that are done.
    lists: u32,
    /// The number of events of the present list that are done.
    position: u32,
    /// Where lists, and each list, begin.
    begin: u32,
}

impl Cursor {
    /// An order that depends on a number; 0 is that of the variables.
    pub(crate) fn beginning(begin: u32) -> Cursor {
        Cursor { lists: 0, position: 0, begin }
    }
}

impl<'m> Successors<'m> {
    pub(crate) fn new(model: &'m Model) -> Successors<'m> {
        let mut needing: Vec<Vec<EventId>> = vec![Vec::new(); model.variables.len()];
        let mut others = Vec::new();
        for id in model.event_ids() {
            let needed = model.event(id).parts.iter().filter_map(|part| match part {
                Part::Local { variable, at_least, .. } if *at_least > 0 => Some(*variable),
                _ => None,
            });
            match needed.min_by_key(|variable: &VariableId| needing[variable.index()].len()) {
                Some(variable) => needing[variable.index()].push(id),
                None => others.push(id),
            }
        }
        Successors { model, needing, others }
    }

    /// The next enabled event of a state.
    pub(crate) fn next(&self, state: &[u64], cursor: &mut Cursor) -> Option<EventId> {
        let list_count = state.len() + 1;
        while (cursor.lists as usize) < list_count {
            let variable = (cursor.lists as usize + cursor.begin as usize) % list_count;
            let list = match state.get(variable) {
                Some(0) => &[][..],
                Some(_) => &self.needing[variable],
                None => &self.others,
            };
            while (cursor.position as usize) < list.len() {
                let event = list[(cursor.position as usize + cursor.begin as usize) % list.len()];
                cursor.position += 1;
                if self.model.event(event).is_enabled(state) {
                    return Some(event);
                }
            }
            (cursor.lists, cursor.position) = (cursor.lists + 1, 0);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_budget::Budget;
    use symbolon_explicit::{Options, explore};
    use symbolon_testkit::{random_general_model, random_model, seeds};

    #[test]
    fn all_enabled_events_are_found_once() {
        for seed in seeds(60) {
            for model in [random_model(seed), random_general_model(seed)] {
                let options = Options { state_limit: Some(500) };
                let Ok(all) = explore(&model, &options, &Budget::unlimited()) else { continue };
                let successors = Successors::new(&model);
                for number in 0..all.state_count() {
                    let state = all.state(number);
                    let mut cursor = Cursor::beginning(number as u32 * (seed as u32 % 5));
                    let mut found: Vec<EventId> =
                        std::iter::from_fn(|| successors.next(&state, &mut cursor)).collect();
                    found.sort_unstable();
                    let expected: Vec<EventId> =
                        model.event_ids().filter(|id| model.event(*id).is_enabled(&state)).collect();
                    assert_eq!(found, expected, "seed {seed}, {state:?}");
                    assert_eq!(successors.next(&state, &mut cursor), None);
                }
            }
        }
    }
}
