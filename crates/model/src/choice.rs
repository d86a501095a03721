//! Synchronous steps: every agent picks an action, and then all react at once.
//!
//! A step is one event whose parts are the agents' shares of it. A [`Choice`] picks an action from those on offer in the
//! state before; a [`Reaction`] reads that state and the actions of all, and takes one of its lines that is enabled.
//! Actions are variables of their own ([`ActionVariable`]) that live only during the step: their ids follow those of
//! the model's variables, so that guards compare them like any other variable, and state sets quantify them away.

use crate::{ComponentId, Event, Expr, Model, Part, Predicate, State, VariableId};

/// What an agent does in a step. Its value is an index into `names`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionVariable {
    /// The component whose action this is.
    pub agent: ComponentId,
    /// What the actions are called.
    pub names: Vec<String>,
}

/// One agent picks an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The action variable that is given a value.
    pub action: VariableId,
    /// Conditions on the state before, and what each offers where it holds. All offers that hold are joined.
    pub offers: Vec<(Predicate, Vec<u64>)>,
    /// What is on offer where no condition holds. Nothing: then the whole step cannot be taken.
    pub otherwise: Vec<u64>,
}

/// One of the enabled lines is taken; where none is enabled, nothing changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// The alternatives.
    pub lines: Vec<Line>,
}

/// A guarded assignment. A line that is enabled and assigns a value outside the domain of its variable counts as
/// enabled but cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Enabled only where this holds, of the state before and the actions of all.
    pub guard: Predicate,
    /// Assignments; each right-hand side reads the state before and the actions.
    pub updates: Vec<(VariableId, Expr)>,
}

impl Choice {
    /// The actions on offer, ascending and each once. `state` may be followed by values of actions.
    pub fn offered(&self, state: &[u64]) -> Vec<u64> {
        let held = self.offers.iter().filter(|(condition, _)| condition.holds(state) == Some(true));
        let mut offered: Vec<u64> = Vec::new();
        let mut any = false;
        for (_, actions) in held {
            any = true;
            offered.extend_from_slice(actions);
        }
        if !any {
            offered.extend_from_slice(&self.otherwise);
        }
        offered.sort_unstable();
        offered.dedup();
        offered
    }

    /// The variables that the choice reads or writes, ascending and each once; its action among them.
    pub fn variables(&self) -> Vec<VariableId> {
        let mut found = vec![self.action];
        self.offers.iter().for_each(|(condition, _)| condition.collect_variables(&mut found));
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl Reaction {
    /// The variables that some line writes, ascending and each once.
    pub fn written(&self) -> Vec<VariableId> {
        let mut written: Vec<_> =
            self.lines.iter().flat_map(|line| line.updates.iter().map(|(variable, _)| *variable)).collect();
        written.sort_unstable();
        written.dedup();
        written
    }

    /// The variables and actions that some line reads or writes, ascending and each once.
    pub fn variables(&self) -> Vec<VariableId> {
        let mut found = self.written();
        for line in &self.lines {
            line.guard.collect_variables(&mut found);
            line.updates.iter().for_each(|(_, expr)| expr.collect_variables(&mut found));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
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

    /// Calls `found` with each joint action that can be taken in `state` and a state that it leads to. The joint action
    /// has a value for each action variable. Pairs may repeat; `found` ends the listing by returning `false`.
    pub fn for_each(&self, state: &[u64], mut found: impl FnMut(&[u64], &State) -> bool) {
        let width = self.model.variables.len();
        self.each_action(state, |before| self.react(before, &before[width..], &mut found));
    }

    /// Calls `found` with `state` followed by each joint action on offer in it, until it returns `false`.
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

    /// Calls `found` with each joint action on offer in `state` and each line, by the number of its reaction and its
    /// own, that is enabled then and assigns a value outside the domain of its variable. `found` ends the listing by
    /// returning `false`.
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

/// Counts `picked` up like a number whose digits have so many values each; `false` once all were had.
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
    use crate::{Comparison, Values, Variable};

    fn is(variable: u32, value: i64) -> Predicate {
        let (a, b) = (Expr::Variable(VariableId(variable)), Expr::Constant(value));
        Predicate::Compare(a, Comparison::Equal, b)
    }

    /// One counter from 0 to 2 and one agent that waits or counts; at 2 it may only wait, and at 1 it may count twice.
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
    fn offers_that_hold_shut_out_the_others() {
        check(2, &[(0, 2)]);
    }
}
