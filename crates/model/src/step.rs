//! The synchronous step of a model, taken one state at a time.

use crate::choice::{Choice, Line, Reaction};
use crate::event::{Event, EventId, Part};
use crate::expr::Expr;
use crate::model::Model;
use crate::variable::{State, VariableId};

impl Model {
    /// Whether an event can happen in `state`: a synchronous step, whether it leads anywhere.
    pub fn can_happen(&self, event: EventId, state: &[u64]) -> bool {
        let event = self.event(event);
        if !event.is_synchronous() {
            return event.is_enabled(state);
        }
        let mut leads_somewhere = false;
        Step::new(self, event).for_each(state, |_, _| {
            leads_somewhere = true;
            false
        });
        leads_somewhere
    }
}

/// A reaction, and the action variables that are picked for it.
struct Stage<'m> {
    reaction: &'m Reaction,
    picks: Vec<usize>,
    /// How many are picked then, with those for the reactions before it.
    after: usize,
}

/// The synchronous step of a model, taken one state at a time.
pub struct Step<'m> {
    model: &'m Model,
    choices: Vec<&'m Choice>,
    reactions: Vec<&'m Reaction>,
}

impl<'m> Step<'m> {
    /// The step that `event` of `model` is.
    pub fn new(model: &'m Model, event: &'m Event) -> Step<'m> {
        let mut step = Step { model, choices: Vec::new(), reactions: Vec::new() };
        for part in &event.parts {
            match part {
                Part::Choice(choice) => step.choices.push(choice),
                Part::Reaction(reaction) => step.reactions.push(reaction),
                Part::Local { .. } | Part::General { .. } => {}
            }
        }
        step
    }

    /// Calls `found` with each joint action that can be taken in `state` and a state that it leads
    /// to. The joint action has a value for each action variable. Pairs may repeat; `found` ends
    /// the listing by returning `false`.
    pub fn for_each(&self, state: &[u64], mut found: impl FnMut(&[u64], &State) -> bool) {
        let width = self.model.variables.len();
        self.each_action(state, |before| self.react(before, &before[width..], &mut found));
    }

    /// Calls `found` with `state` followed by each joint action on offer in it, until it returns
    /// `false`.
    fn each_action(&self, state: &[u64], mut found: impl FnMut(&[u64]) -> bool) {
        let width = self.model.variables.len();
        let offered: Vec<Vec<u64>> = self.choices.iter().map(|choice| choice.offered(state)).collect();
        if offered.iter().any(Vec::is_empty) {
            return;
        }
        let mut before: Vec<u64> = state.to_vec();
        before.resize(width + self.model.actions.len(), 0);
        let mut picked = vec![0; offered.len()];
        loop {
            for ((choice, actions), &number) in self.choices.iter().zip(&offered).zip(&picked) {
                before[choice.action.index()] = actions[number];
            }
            if !found(&before) || !advance(&mut picked, |position| offered[position].len()) {
                return;
            }
        }
    }

    /// For each action variable, the actions on offer in `state`, ascending.
    pub fn offered(&self, state: &[u64]) -> Vec<Vec<u64>> {
        let mut offered = vec![Vec::new(); self.model.actions.len()];
        for choice in &self.choices {
            offered[choice.action.index() - self.model.variables.len()] = choice.offered(state);
        }
        offered
    }

    /// Calls `found` with each state that a joint action on offer in `state` leads to, until it
    /// returns `false`. States may repeat.
    pub fn for_each_outcome(&self, state: &[u64], action: &[u64], mut found: impl FnMut(&State) -> bool) {
        let before = [state, action].concat();
        self.react(&before, action, &mut |_, next| found(next));
    }

    /// Whether the agents can take a joint action in `before` that leads to `after`, without
    /// listing others.
    pub fn leads(&self, before: &[u64], action: &[u64], after: &[u64]) -> bool {
        let width = self.model.variables.len();
        if before.len() != width || after.len() != width || action.len() != self.model.actions.len() {
            return false;
        }
        let both = [before, action].concat();
        let is_offered = |choice: &&Choice| choice.offered(before).contains(&both[choice.action.index()]);
        self.keeps_the_rest(before, after)
            && self.choices.iter().all(is_offered)
            && self.reactions.iter().all(|reaction| self.can_react(reaction, &both, after))
    }

    /// A joint action that can lead from `before` to `after`; `None` where none does. Actions are
    /// picked for one reaction after the other, so that many agents take no longer than few, unless
    /// all of them watch each other.
    pub fn action_between(&self, before: &[u64], after: &[u64]) -> Option<Box<[u64]>> {
        let width = self.model.variables.len();
        if !self.keeps_the_rest(before, after) {
            return None;
        }
        let offered = self.offered(before);
        if self.choices.iter().any(|choice| offered[choice.action.index() - width].is_empty()) {
            return None;
        }
        let plan = self.plan();
        let mut both = before.to_vec();
        both.extend(offered.iter().map(|actions| actions.first().copied().unwrap_or(0)));
        // The number of the action that each variable of the plan has, as far as these are picked.
        let mut picked: Vec<usize> = Vec::new();
        let settles = |both: &[u64], count: usize| {
            plan.iter()
                .filter(|stage| stage.after == count)
                .all(|stage| self.can_react(stage.reaction, both, after))
        };
        let order: Vec<usize> = plan.iter().flat_map(|stage| stage.picks.iter().copied()).collect();
        let mut is_settled = settles(&both, 0);
        loop {
            if is_settled && picked.len() == order.len() {
                return Some(both[width..].into());
            }
            if is_settled {
                picked.push(0);
            } else {
                // Back to the last variable that has another action.
                loop {
                    let number = picked.pop()? + 1;
                    if number < offered[order[picked.len()]].len() {
                        picked.push(number);
                        break;
                    }
                }
            }
            let last = picked.len() - 1;
            both[width + order[last]] = offered[order[last]][picked[last]];
            is_settled = settles(&both, picked.len());
        }
    }

    /// The reactions in an order in which each needs few actions that those before it do not read.
    fn plan(&self) -> Vec<Stage<'m>> {
        let width = self.model.variables.len();
        let mut open: Vec<(&Reaction, Vec<usize>)> = self
            .reactions
            .iter()
            .map(|reaction| {
                let read = reaction.variables().into_iter().filter_map(|id| id.index().checked_sub(width));
                (*reaction, read.collect())
            })
            .collect();
        let mut is_picked = vec![false; self.model.actions.len()];
        let mut after = 0;
        let mut plan = Vec::with_capacity(open.len());
        let needs = |read: &[usize], is_picked: &[bool]| read.iter().filter(|&&one| !is_picked[one]).count();
        while let Some(next) = (0..open.len()).min_by_key(|&index| needs(&open[index].1, &is_picked)) {
            let (reaction, read) = open.remove(next);
            let mut picks: Vec<usize> = read.into_iter().filter(|&one| !is_picked[one]).collect();
            picks.dedup();
            picks.iter().for_each(|&one| is_picked[one] = true);
            after += picks.len();
            plan.push(Stage { reaction, picks, after });
        }
        plan
    }

    /// Whether a reaction to `both`, a state and a joint action, can make of its variables what
    /// they are in `after`.
    fn can_react(&self, reaction: &Reaction, both: &[u64], after: &[u64]) -> bool {
        let written = reaction.written();
        let makes = |writes: &[(VariableId, u64)]| {
            written.iter().all(|id| {
                let new = writes.iter().find(|(variable, _)| variable == id).map(|(_, value)| *value);
                after[id.index()] == new.unwrap_or(both[id.index()])
            })
        };
        let mut enabled =
            reaction.lines.iter().filter(|line| line.guard.holds(both) == Some(true)).peekable();
        match enabled.peek() {
            None => makes(&[]),
            Some(_) => enabled.filter_map(|line| self.writes(line, both)).any(|writes| makes(&writes)),
        }
    }

    /// Whether what no reaction writes is the same in both states.
    fn keeps_the_rest(&self, before: &[u64], after: &[u64]) -> bool {
        let mut is_written = vec![false; before.len()];
        for id in self.reactions.iter().flat_map(|reaction| reaction.written()) {
            is_written[id.index()] = true;
        }
        before.iter().zip(after).zip(&is_written).all(|((old, new), is_written)| *is_written || old == new)
    }

    /// Calls `found` with each joint action on offer in `state` and each line, by the number of its
    /// reaction and its own, that is enabled then and assigns a value outside the domain of its
    /// variable. `found` ends the listing by returning `false`.
    pub fn for_each_overflow(&self, state: &[u64], mut found: impl FnMut(&[u64], usize, usize) -> bool) {
        let width = self.model.variables.len();
        self.each_action(state, |before| {
            for (number, reaction) in self.reactions.iter().enumerate() {
                for (line_number, line) in reaction.lines.iter().enumerate() {
                    let leaves =
                        line.guard.holds(before) == Some(true) && self.writes(line, before).is_none();
                    if leaves && !found(&before[width..], number, line_number) {
                        return false;
                    }
                }
            }
            true
        });
    }

    /// All states that the agents' reactions in `before`, a state with a joint action, can lead to.
    fn react(&self, before: &[u64], action: &[u64], found: &mut impl FnMut(&[u64], &State) -> bool) -> bool {
        // What each reaction may write; one that is enabled nowhere writes nothing.
        let mut outcomes: Vec<Vec<Vec<(VariableId, u64)>>> = Vec::with_capacity(self.reactions.len());
        for reaction in &self.reactions {
            let mut enabled =
                reaction.lines.iter().filter(|line| line.guard.holds(before) == Some(true)).peekable();
            let written = match enabled.peek() {
                None => vec![Vec::new()],
                Some(_) => enabled.filter_map(|line| self.writes(line, before)).collect(),
            };
            if written.is_empty() {
                return true;
            }
            outcomes.push(written);
        }
        let width = self.model.variables.len();
        let mut picked = vec![0; outcomes.len()];
        loop {
            let mut next: State = before[..width].into();
            for (written, &number) in outcomes.iter().zip(&picked) {
                for &(variable, value) in &written[number] {
                    next[variable.index()] = value;
                }
            }
            if !found(action, &next) {
                return false;
            }
            if !advance(&mut picked, |position| outcomes[position].len()) {
                return true;
            }
        }
    }

    /// What an enabled line writes; `None` where a value leaves the domain of its variable.
    fn writes(&self, line: &Line, before: &[u64]) -> Option<Vec<(VariableId, u64)>> {
        let write = |(variable, expr): &(VariableId, Expr)| {
            let value = u64::try_from(expr.evaluate(before)?).ok()?;
            let count = self.model.values_of(*variable).count();
            count.is_none_or(|count| value < count).then_some((*variable, value))
        };
        line.updates.iter().map(write).collect()
    }
}

/// Counts `picked` up like a number whose digits have this many values each; `false` after the last
/// combination.
fn advance(picked: &mut [usize], count: impl Fn(usize) -> usize) -> bool {
    for (position, number) in picked.iter_mut().enumerate() {
        *number += 1;
        if *number < count(position) {
            return true;
        }
        *number = 0;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ActionVariable, Comparison, ComponentId, Predicate, Values, Variable};

    fn is(variable: u32, value: i64) -> Predicate {
        let (a, b) = (Expr::Variable(VariableId(variable)), Expr::Constant(value));
        Predicate::Compare(a, Comparison::Equal, b)
    }

    /// One counter from 0 to 2 and one agent that waits or counts; at 2 it may only wait, and at 1
    /// it may count twice.
    fn counter() -> Model {
        let count_up = |by: i64, guard: Predicate| Line {
            guard,
            updates: vec![(
                VariableId(0),
                Expr::Sum(vec![Expr::Variable(VariableId(0)), Expr::Constant(by)]),
            )],
        };
        let choice =
            Choice { action: VariableId(1), offers: vec![(is(0, 2), vec![0])], otherwise: vec![0, 1] };
        let twice = Predicate::And(vec![is(0, 1), is(1, 1)]);
        let reaction = Reaction { lines: vec![count_up(1, is(1, 1)), count_up(2, twice)] };
        Model {
            variables: vec![Variable { name: "count".into() }],
            values: vec![Values::Range { least: 0, largest: 2 }],
            actions: vec![ActionVariable {
                agent: ComponentId(0),
                names: vec!["wait".into(), "count".into()],
            }],
            initial: vec![[0].into()],
            events: vec![Event {
                name: "step".into(),
                parts: vec![Part::Choice(Box::new(choice)), Part::Reaction(Box::new(reaction))],
            }],
            ..Model::default()
        }
    }

    #[track_caller]
    fn check(state: u64, wanted: &[(u64, u64)]) {
        let model = counter();
        let mut found = Vec::new();
        Step::new(&model, &model.events[0]).for_each(&[state], |action, next| {
            found.push((action[0], next[0]));
            true
        });
        assert_eq!(found, wanted);
    }

    #[test]
    fn agents_choose_and_react() {
        check(0, &[(0, 0), (1, 1)]);
    }

    #[test]
    fn a_line_that_leaves_the_range_cannot_be_taken() {
        check(1, &[(0, 1), (1, 2)]);
    }

    #[test]
    fn lines_that_leave_the_range_are_listed() {
        let model = counter();
        let mut found = Vec::new();
        Step::new(&model, &model.events[0]).for_each_overflow(&[1], |action, reaction, line| {
            found.push((action[0], reaction, line));
            true
        });
        assert_eq!(found, [(1, 0, 1)]);
    }

    #[test]
    fn joint_actions_are_found_between_states() {
        let model = counter();
        let step = Step::new(&model, &model.events[0]);
        for before in 0..3 {
            let mut found = Vec::new();
            step.for_each(&[before], |action, next| {
                found.push((action[0], next[0]));
                true
            });
            for after in 0..3 {
                let expected = found.iter().find(|(_, next)| *next == after).map(|(action, _)| *action);
                let action = step.action_between(&[before], &[after]);
                assert_eq!(action.map(|action| action[0]), expected, "{before} to {after}");
                for action in 0..2 {
                    let can = found.contains(&(action, after));
                    assert_eq!(step.leads(&[before], &[action], &[after]), can, "{before} {action} {after}");
                }
            }
        }
    }

    #[test]
    fn offers_that_hold_shut_out_the_others() {
        check(2, &[(0, 2)]);
    }
}
