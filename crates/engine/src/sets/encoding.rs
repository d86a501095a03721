//! How states become vectors of codes: one level a block, one code an assignment of its variables.
//!
//! A block of one variable uses the value itself as its code (or a table, where values are huge or
//! come in large steps). A block of several exclusive variables uses 0 for "all are 0" and i + 1
//! for "variable i of the block is 1, the others are 0"; that no other assignment is reachable is a
//! fact of the model (M3), so steps into others are left out.

use crate::order::{Blocks, Order};
use crate::policy::encoding::{LARGEST_DIRECT, SMALLEST_COMMON_STEP};
use crate::sets::setup::Unsupported;
use rustc_hash::FxHashSet;
use symbolon_dd_mdd::{Action, Domain, EventActions};
use symbolon_model::{Change, Event, Expr, Linear, Model, Part, State, VariableId};

/// Which variables each level holds.
#[derive(Clone, Debug)]
pub struct Encoding {
    /// The variables of all levels, those of level 1, the lowest, first.
    variables: Vec<VariableId>,
    /// Where the variables of each level begin, and one more: where those of the highest end.
    starts: Vec<u32>,
    /// For each variable: its level and its place in the block. Actions follow the variables of the
    /// state.
    places: Vec<(u32, u32)>,
    /// The number of variables of a state.
    state_width: usize,
}

impl Encoding {
    /// The encoding with these blocks in this order.
    pub fn new(model: &Model, blocks: &Blocks, order: &Order) -> Encoding {
        let count = model.variables.len() + model.actions.len();
        let mut variables = Vec::with_capacity(count);
        let mut starts = Vec::with_capacity(blocks.len() + 1);
        let mut places = vec![(0, 0); count];
        for (&block, level) in order.blocks.iter().rev().zip(1_u32..) {
            starts.push(variables.len() as u32);
            let block = blocks.block(block);
            variables.extend_from_slice(block);
            for (variable, place) in block.iter().zip(0_u32..) {
                places[variable.index()] = (level, place);
            }
        }
        starts.push(variables.len() as u32);
        Encoding { variables, starts, places, state_width: model.variables.len() }
    }

    /// The number of variables, actions included.
    pub fn variable_count(&self) -> usize {
        self.places.len()
    }

    /// The number of variables of a state.
    pub fn state_width(&self) -> usize {
        self.state_width
    }

    /// For each variable: its level, and in a merged block the code that says that it is 1,
    /// otherwise 0.
    pub(crate) fn variable_places(&self) -> impl Iterator<Item = (u32, u32)> {
        self.places.iter().map(|&(level, place)| {
            let is_merged = level > 0 && self.variables(level).len() > 1;
            (level, if is_merged { place + 1 } else { 0 })
        })
    }

    /// The number of levels.
    pub fn level_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The variables of each level, from level 1 upwards.
    fn levels(&self) -> impl Iterator<Item = &[VariableId]> {
        self.starts.windows(2).map(|ends| &self.variables[ends[0] as usize..ends[1] as usize])
    }

    /// The variables of a level.
    pub fn variables(&self, level: u32) -> &[VariableId] {
        &self.variables[self.starts[level as usize - 1] as usize..self.starts[level as usize] as usize]
    }

    /// The level of a variable.
    pub fn level_of(&self, variable: VariableId) -> u32 {
        self.places[variable.index()].0
    }

    /// In a merged block: the code that says that this variable is 1.
    pub fn code_of(&self, variable: VariableId) -> u32 {
        self.places[variable.index()].1 + 1
    }

    /// The state of a vector of level values, from level 1 upwards.
    pub fn decode(&self, vector: &[u64]) -> State {
        let mut state = vec![0; self.places.len()];
        for (block, &value) in self.levels().zip(vector) {
            match block {
                [variable] => state[variable.index()] = value,
                several if value > 0 => state[several[value as usize - 1].index()] = 1,
                _ => {}
            }
        }
        state.truncate(self.state_width);
        state.into()
    }

    /// The vector of a state; `None` if a merged block holds more than one token.
    pub fn encode(&self, state: &[u64]) -> Option<Vec<u64>> {
        self.levels()
            .map(|block| match block {
                // Outside of steps, actions are 0.
                [variable] => Some(state.get(variable.index()).copied().unwrap_or(0)),
                several => {
                    let mut marked =
                        several.iter().enumerate().filter(|(_, variable)| state[variable.index()] > 0);
                    match (marked.next(), marked.next()) {
                        (None, _) => Some(0),
                        (Some((place, variable)), None) if state[variable.index()] == 1 => {
                            Some(place as u64 + 1)
                        }
                        _ => None,
                    }
                }
            })
            .collect()
    }

    /// What the codes of each level mean, from level 1 upwards.
    pub fn domains(&self, model: &Model) -> Vec<Domain> {
        let mut steps: Vec<(u64, u64)> = vec![(0, 0); self.places.len()];
        let mut see = |variable: VariableId, amount: u64| {
            let (largest, common) = &mut steps[variable.index()];
            *largest = (*largest).max(amount);
            *common = greatest_common_divisor(*common, amount);
        };
        for state in &model.initial {
            model.variable_ids().zip(state.iter()).for_each(|(variable, &value)| see(variable, value));
        }
        for part in model.events.iter().flat_map(|event| &event.parts) {
            if let Part::Local { variable, change, .. } = part {
                match change {
                    Change::Add(delta) => see(*variable, delta.unsigned_abs()),
                    Change::Set(value) => see(*variable, *value),
                }
            }
        }
        let scattered = scattered_variables(model);
        self.levels()
            .map(|block| match block {
                [variable] if scattered.contains(variable) => Domain::table(),
                [variable] => {
                    let (largest, common) = steps[variable.index()];
                    let is_coarse = largest >= SMALLEST_COMMON_STEP && common >= SMALLEST_COMMON_STEP;
                    if largest > LARGEST_DIRECT || is_coarse { Domain::table() } else { Domain::Direct }
                }
                _ => Domain::Direct,
            })
            .collect()
    }

    /// What an event does, level by level.
    pub fn actions(&self, event: &Event) -> Result<EventActions, Unsupported> {
        let mut actions = EventActions::with_capacity(event.parts.len());
        self.append_actions(event, &mut Vec::new(), &mut actions)?;
        Ok(actions)
    }

    /// Appends to the empty list `actions` what an event does, level by level. `merged` is room
    /// that may be used again for the next event.
    pub fn append_actions<'m>(
        &self,
        event: &'m Event,
        merged: &mut Vec<(u32, &'m Part)>,
        actions: &mut EventActions,
    ) -> Result<(), Unsupported> {
        merged.clear();
        for part in &event.parts {
            let Part::Local { variable, at_least, at_most, change } = part else {
                return Err(Unsupported::Construct {
                    event: event.name.clone(),
                    construct: "a test or update over several variables",
                });
            };
            let (level, _) = self.places[variable.index()];
            let (at_least, at_most) = (*at_least, *at_most);
            if self.variables(level).len() > 1 {
                merged.push((level, part));
                continue;
            }
            actions.push((
                level,
                match *change {
                    Change::Add(0) if at_least == 0 && at_most == u64::MAX => Action::Keep,
                    Change::Add(delta) => Action::Shift { at_least, at_most, delta },
                    Change::Set(to) => Action::Assign { at_least, at_most, to },
                },
            ));
        }
        merged.sort_by_key(|(level, _)| *level);
        let blocks = merged.chunk_by(|a, b| a.0 == b.0);
        actions.extend(blocks.map(|parts| (parts[0].0, self.merged_action(parts[0].0, parts))));
        actions.sort_unstable_by_key(|(level, _)| std::cmp::Reverse(*level));
        Ok(())
    }

    /// The steps between the codes of a block of exclusive variables.
    fn merged_action(&self, level: u32, parts: &[(u32, &Part)]) -> Action {
        let block = self.variables(level);
        // If a part needs a token, only one code can enable the event.
        let needed = parts.iter().find_map(|(_, part)| match part {
            Part::Local { variable, at_least: 1.., .. } => Some(self.code_of(*variable)),
            _ => None,
        });
        if let Some(from) = needed {
            return match self.merged_step(from, parts) {
                Some(to) => Action::Map(Box::new([(from, to)])),
                None => Action::Map(Box::new([])),
            };
        }
        let from_codes = 0..block.len() as u32 + 1;
        let steps: Vec<(u32, u32)> =
            from_codes.filter_map(|from| Some((from, self.merged_step(from, parts)?))).collect();
        let keeps_all = steps.len() == block.len() + 1 && steps.iter().all(|(from, to)| from == to);
        if keeps_all { Action::Keep } else { Action::Map(steps.into()) }
    }

    /// Where the parts of an event lead from a code of a merged block.
    fn merged_step(&self, from: u32, parts: &[(u32, &Part)]) -> Option<u32> {
        let mut moved_away = false;
        let mut arrived: Option<u32> = None;
        for (_, part) in parts {
            let Part::Local { variable, at_least, at_most, change } = part else { return None };
            let code = self.code_of(*variable);
            let value = u64::from(from == code);
            if !(*at_least..=*at_most).contains(&value) {
                return None;
            }
            match change.apply(value)? {
                0 => moved_away |= from == code,
                1 if from == code => {}
                1 if arrived.is_none() => arrived = Some(code),
                _ => return None,
            }
        }
        match (from, moved_away, arrived) {
            (0, _, to) => Some(to.unwrap_or(0)),
            (_, true, to) => Some(to.unwrap_or(0)),
            (from, false, None) => Some(from),
            (_, false, Some(_)) => None,
        }
    }
}

/// The variables with open domains to which an event may assign values far from those that were met
/// before: whatever is more than a small step from one variable or a small number.
fn scattered_variables(model: &Model) -> FxHashSet<VariableId> {
    let parts = || model.events.iter().flat_map(|event| &event.parts);
    let updates = || {
        parts().filter_map(|part| if let Part::General { updates, .. } = part { Some(updates) } else { None })
    };
    let is_near = |expr: &Expr| match Linear::of(expr) {
        Some(sum) => {
            sum.constant.unsigned_abs() <= LARGEST_DIRECT
                && sum.terms.len() <= 1
                && sum.terms.iter().all(|&(_, factor)| factor == 1)
        }
        None => false,
    };
    if updates().flatten().all(|(_, expr)| is_near(expr)) {
        return FxHashSet::default();
    }
    // What is assigned to one may be copied to another.
    let written = updates().flatten().map(|&(variable, _)| variable);
    written.filter(|&variable| model.values_of(variable).count().is_none()).collect()
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    // The common case, without a division.
    if a == 1 || b == 1 {
        return 1;
    }
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_model::Variable;

    fn model(initial: &[u64]) -> Model {
        Model {
            variables: (0..initial.len()).map(|i| Variable { name: format!("v{i}") }).collect(),
            initial: vec![initial.into()],
            ..Model::default()
        }
    }

    fn local(variable: u32, at_least: u64, change: Change) -> Part {
        Part::Local { variable: VariableId(variable), at_least, at_most: u64::MAX, change }
    }

    #[test]
    fn merged_blocks_encode_and_decode() {
        let model = model(&[0, 1, 0, 5]);
        let ids: Vec<VariableId> = model.variable_ids().collect();
        let blocks = Blocks::from_lists([&ids[..3], &ids[3..]]);
        let encoding = Encoding::new(&model, &blocks, &Order::as_given(2));
        assert_eq!(encoding.encode(&[0, 1, 0, 5]), Some(vec![5, 2]));
        assert_eq!(&*encoding.decode(&[5, 2]), [0, 1, 0, 5]);
        assert_eq!(encoding.encode(&[0, 0, 0, 5]), Some(vec![5, 0]));
        assert_eq!(encoding.encode(&[1, 1, 0, 5]), None);
        assert_eq!(encoding.encode(&[0, 2, 0, 5]), None);
        assert_eq!(encoding.code_of(ids[1]), 2);
    }

    #[test]
    fn events_on_merged_blocks_become_maps() {
        let model = model(&[1, 0, 0]);
        let blocks = Blocks::from_lists([model.variable_ids().collect::<Vec<_>>()]);
        let encoding = Encoding::new(&model, &blocks, &Order::as_given(1));
        let check = |parts: Vec<Part>, expected: &[(u32, u32)]| {
            let event = Event { name: "e".into(), parts };
            let actions = encoding.actions(&event).expect("local parts");
            assert_eq!(actions, [(1, Action::Map(expected.into()))]);
        };
        // A token moves; a token is read; a place is reset; a token is put where none may be yet.
        check(vec![local(0, 1, Change::Add(-1)), local(2, 0, Change::Add(1))], &[(1, 3)]);
        check(vec![local(1, 1, Change::Add(0))], &[(2, 2)]);
        check(vec![local(1, 0, Change::Set(0))], &[(0, 0), (1, 1), (2, 0), (3, 3)]);
        check(vec![local(0, 0, Change::Add(1))], &[(0, 1)]);
        check(vec![local(0, 2, Change::Add(-2))], &[]);
    }

    #[test]
    fn large_or_coarse_values_get_tables() {
        let check = |initial: u64, delta: i64, is_table: bool| {
            let mut model = model(&[initial]);
            model.events.push(Event { name: "e".into(), parts: vec![local(0, 0, Change::Add(delta))] });
            let encoding = Encoding::new(&model, &Blocks::single(&model), &Order::as_given(1));
            assert_eq!(
                matches!(encoding.domains(&model)[0], Domain::Table(_)),
                is_table,
                "{initial} {delta}"
            );
        };
        check(5, 1, false);
        check(50_000, 1, false);
        check(1 << 40, 1, true);
        check(1000, 100, true);
        check(0, 1 << 62, true);
        check(2, 2, false);
    }
}
