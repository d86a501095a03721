//! Initial states: listed one by one while they are few, described by a predicate otherwise.

use super::Lowering;
use super::algebra::{Bounds, conjuncts};
use super::scope::{Around, Declared};
use crate::mistakes::Made;
use crate::tree::Expr as Tree;
use std::sync::Arc;
use symbolon_model::{Comparison, Expr, Predicate, State, Values, VariableId};
use symbolon_source::shown;

/// The most candidates that are tried one by one.
const MOST_LISTED: usize = 50_000;

/// A longer list of alternatives is not taken apart.
const MOST_ALTERNATIVES: usize = 10_000;

/// What a variable may be in the beginning, as numbers of states.
#[derive(Clone, Debug)]
pub(super) enum Start {
    /// Any of its values.
    Any,
    /// From the first to the second.
    Range(u64, u64),
    /// One of these, ascending.
    OneOf(Vec<u64>),
}

impl Lowering<'_> {
    /// An initial value as a number of a state.
    pub(super) fn initial_value(&mut self, tree: &Tree, declared: &Declared, around: &Around) -> Made<u64> {
        let value = self.value(tree, around, declared.listing.as_ref())?;
        if value.kind != declared.kind() {
            let message =
                format!("expected {}, found {}", declared.kind().described(), value.kind.described());
            return self.mistakes.broken(tree.at.0, message, None);
        }
        let number = match value.cases.as_slice() {
            [case] if case.when.is_empty() => match case.value {
                Expr::Constant(number) => number,
                _ => return self.unknown_start(tree),
            },
            _ => return self.unknown_start(tree),
        };
        let coded = i128::from(number) - i128::from(declared.offset());
        let count = declared.values.count().map_or(1 << 63, i128::from);
        match u64::try_from(coded).ok().filter(|_| coded < count) {
            Some(coded) => Ok(coded),
            None => {
                let range = match &*declared.values {
                    Values::Range { least, largest } => format!("{least}..{largest}"),
                    _ => "the natural numbers".to_string(),
                };
                self.mistakes.broken(tree.at.0, format!("{number} is outside {range}"), None)
            }
        }
    }

    fn unknown_start<T>(&mut self, tree: &Tree) -> Made<T> {
        let hint = Some("use `initially` to relate the initial values of variables".to_string());
        self.mistakes.broken(tree.at.0, "an initial value must be a constant", hint)
    }

    /// Gives the model its initial states: what variables may be each, where all conditions hold.
    pub(super) fn initial_states(&mut self, conditions: Vec<Predicate>) -> Made<()> {
        let starts = std::mem::take(&mut self.starts);
        let mut initial: Vec<State> = Vec::new();
        let mut room = MOST_LISTED;
        // A list of alternatives is tried one by one: each says more about the variables than all
        // together.
        for region in regions(&conditions) {
            let Some(choices) = self.choices(&starts, &region)? else { continue };
            let sizes = choices.iter().map(Start::size);
            let count = sizes.fold(1_usize, usize::saturating_mul);
            if count > room {
                return self.describe_start(&starts, conditions);
            }
            room -= count;
            self.list_states(choices, &Predicate::all(region), &mut initial)?;
        }
        if initial.is_empty() {
            let hint = Some("`initially` and the initial values of variables exclude each other".to_string());
            return self.mistakes.broken(None, "there is no initial state", hint);
        }
        initial.sort_unstable();
        initial.dedup();
        self.model.initial = initial;
        Ok(())
    }

    /// What each variable may be under some conditions; `None` if one can be nothing.
    fn choices(&mut self, starts: &[Start], conditions: &[Predicate]) -> Made<Option<Vec<Start>>> {
        let values = Arc::clone(&self.values);
        let bounds = Bounds::under(&values, conditions);
        let mut choices = Vec::with_capacity(starts.len());
        for (index, start) in starts.iter().enumerate() {
            self.meter.step()?;
            let allowed = bounds.of(VariableId(index as u32));
            if allowed.is_empty() || allowed.high < 0 {
                return Ok(None);
            }
            let (least, largest) = (allowed.low.max(0) as u64, allowed.high as u64);
            let choice = match start {
                Start::Any => Start::Range(least, largest),
                Start::Range(from, to) => Start::Range(least.max(*from), largest.min(*to)),
                Start::OneOf(list) => Start::OneOf(
                    list.iter().copied().filter(|value| (least..=largest).contains(value)).collect(),
                ),
            };
            if choice.size() == 0 {
                return Ok(None);
            }
            choices.push(choice);
        }
        Ok(Some(choices))
    }

    /// Adds all states made of these choices in which a condition holds.
    fn list_states(
        &mut self,
        choices: Vec<Start>,
        condition: &Predicate,
        initial: &mut Vec<State>,
    ) -> Made<()> {
        let list = |start: Start| match start {
            Start::OneOf(list) => list,
            Start::Range(from, to) => (from..=to).collect(),
            Start::Any => Vec::new(),
        };
        let lists: Vec<Vec<u64>> = choices.into_iter().map(list).collect();
        let mut picked = vec![0; lists.len()];
        loop {
            self.meter.step()?;
            let state: State = lists.iter().zip(&picked).map(|(list, &number)| list[number]).collect();
            if condition.holds(&state) == Some(true) {
                initial.push(state);
            }
            let goes_on = lists.iter().zip(&mut picked).any(|(list, number)| {
                *number = (*number + 1) % list.len();
                *number > 0
            });
            if !goes_on {
                return Ok(());
            }
        }
    }

    /// Describes the initial states, which are many. Then every variable must have finitely many
    /// values (M4).
    fn describe_start(&mut self, starts: &[Start], conditions: Vec<Predicate>) -> Made<()> {
        if let Some(index) = self.values.iter().position(|values| *values == Values::Natural) {
            let name = shown(&self.model.variables[index].name);
            let message =
                format!("there are more than {MOST_LISTED} initial states, and '{name}' has no limits");
            let hint = Some("give it an initial value, or a range such as 0..10".to_string());
            return self.mistakes.broken(None, message, hint);
        }
        let mut all = conditions;
        for (index, start) in starts.iter().enumerate() {
            let is = |comparison, value: u64| {
                let number = Expr::Constant(i64::try_from(value).unwrap_or(i64::MAX));
                Predicate::Compare(Expr::Variable(VariableId(index as u32)), comparison, number)
            };
            let count = self.values[index].count().unwrap_or(u64::MAX);
            match start {
                Start::Any => {}
                Start::Range(from, to) => {
                    if *from > 0 {
                        all.push(is(Comparison::GreaterOrEqual, *from));
                    }
                    if *to + 1 < count {
                        all.push(is(Comparison::LessOrEqual, *to));
                    }
                }
                Start::OneOf(list) => {
                    all.push(Predicate::any(list.iter().map(|&value| is(Comparison::Equal, value))))
                }
            }
        }
        self.model.initially = Some(Box::new(Predicate::all(all)));
        Ok(())
    }
}

impl Start {
    /// How many values it has; too many count as the largest number.
    fn size(&self) -> usize {
        match self {
            Start::Any => usize::MAX,
            Start::Range(from, to) if from > to => 0,
            Start::Range(from, to) => usize::try_from(to - from).unwrap_or(usize::MAX).saturating_add(1),
            Start::OneOf(list) => list.len(),
        }
    }
}

/// The conditions with the first list of alternatives among them, if it is not too long, taken
/// apart.
fn regions(conditions: &[Predicate]) -> Vec<Vec<Predicate>> {
    let first = conditions.iter().position(|condition| matches!(condition, Predicate::Or(_)));
    let Some((position, Predicate::Or(alternatives))) =
        first.map(|position| (position, &conditions[position]))
    else {
        return vec![conditions.to_vec()];
    };
    if alternatives.len() > MOST_ALTERNATIVES {
        return vec![conditions.to_vec()];
    }
    let with = |alternative: &Predicate| {
        let mut region = conditions.to_vec();
        region.remove(position);
        region.extend(conjuncts(alternative.clone()));
        region
    };
    alternatives.iter().map(with).collect()
}
