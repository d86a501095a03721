//! Initial states that are described by a predicate, found one by one.
//!
//! Variables get their values one after the other, those that the predicate reads first, and the
//! predicate shrinks as far as the values decide it. Where it is false, nothing below is looked at;
//! so the search takes about as long as there are initial states, for predicates that say most
//! things by fixing variables.

use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_model::{Model, Predicate, State, VariableId};

/// The first initial states of a model, at most `most`, and whether there are more.
pub fn initial_states(
    model: &Model,
    most: usize,
    budget: &Budget,
) -> Result<(Vec<State>, bool), Interrupted> {
    /// Why the listing ended.
    enum End {
        Enough,
        Interrupted(Interrupted),
    }
    impl From<Interrupted> for End {
        fn from(why: Interrupted) -> End {
            End::Interrupted(why)
        }
    }
    let Some(initially) = &model.initially else {
        let first = model.initial.iter().take(most).cloned().collect();
        return Ok((first, model.initial.len() > most));
    };
    let mut states: Vec<State> = Vec::new();
    let mut meter = Meter::new(budget.clone());
    let listed = each_initial_state(model, initially, &mut meter, &mut |state| {
        if states.len() == most {
            return Err(End::Enough);
        }
        states.push(state.into());
        Ok(())
    });
    match listed {
        Ok(()) => Ok((states, false)),
        Err(End::Enough) => Ok((states, true)),
        Err(End::Interrupted(why)) => Err(why),
    }
}

/// Calls `found` with each state that satisfies `initially`, until it fails. Every variable must
/// have finitely many values (M4); one that has not makes the search endless, which the meter ends.
pub(crate) fn each_initial_state<E: From<Interrupted>>(
    model: &Model,
    initially: &Predicate,
    meter: &mut Meter,
    found: &mut dyn FnMut(&[u64]) -> Result<(), E>,
) -> Result<(), E> {
    let mut order = Vec::new();
    initially.collect_variables(&mut order);
    order.extend(model.variable_ids());
    let mut seen = vec![false; model.variables.len()];
    order.retain(|id| id.index() < seen.len() && !std::mem::replace(&mut seen[id.index()], true));

    // One frame per variable that has a value: what is left of the predicate with it.
    let mut state = vec![0; model.variables.len()];
    let mut is_known = vec![false; model.variables.len()];
    let mut frames = vec![decided(initially, &state, &is_known)];
    loop {
        meter.step()?;
        let depth = frames.len() - 1;
        let is_false = matches!(frames[depth], Predicate::False);
        if !is_false && depth < order.len() {
            // Down: the next variable gets its first value.
            let id = order[depth].index();
            state[id] = 0;
            is_known[id] = true;
            frames.push(decided(&frames[depth], &state, &is_known));
            continue;
        }
        // Where something divided by 0 is left out, or negated, more seems to be true than is.
        if !is_false && initially.holds(&state) == Some(true) {
            found(&state)?;
        }
        // Up to the last variable that has another value, and on with that.
        loop {
            frames.pop();
            let Some(above) = frames.last() else { return Ok(()) };
            let id = order[frames.len() - 1];
            let value = state[id.index()] + 1;
            if model.values_of(id).count().is_none_or(|count| value < count) {
                state[id.index()] = value;
                let rest = decided(above, &state, &is_known);
                frames.push(rest);
                break;
            }
            is_known[id.index()] = false;
        }
    }
}

/// What is left of a predicate where some variables have values.
fn decided(predicate: &Predicate, state: &[u64], is_known: &[bool]) -> Predicate {
    match predicate {
        Predicate::True | Predicate::False => predicate.clone(),
        Predicate::Compare(..) => {
            let mut read: Vec<VariableId> = Vec::new();
            predicate.collect_variables(&mut read);
            if !read.iter().all(|id| is_known[id.index()]) {
                return predicate.clone();
            }
            // What is divided by 0 makes no state initial.
            match predicate.holds(state) {
                Some(true) => Predicate::True,
                Some(false) | None => Predicate::False,
            }
        }
        Predicate::Not(inner) => match decided(inner, state, is_known) {
            Predicate::True => Predicate::False,
            Predicate::False => Predicate::True,
            rest => Predicate::Not(Box::new(rest)),
        },
        Predicate::And(all) => {
            let mut rest = Vec::new();
            for one in all {
                match decided(one, state, is_known) {
                    Predicate::True => {}
                    Predicate::False => return Predicate::False,
                    other => rest.push(other),
                }
            }
            if rest.is_empty() { Predicate::True } else { Predicate::And(rest) }
        }
        Predicate::Or(any) => {
            let mut rest = Vec::new();
            for one in any {
                match decided(one, state, is_known) {
                    Predicate::False => {}
                    Predicate::True => return Predicate::True,
                    other => rest.push(other),
                }
            }
            if rest.is_empty() { Predicate::False } else { Predicate::Or(rest) }
        }
    }
}

/// Whether a state is listed as an initial one, or fits their description.
pub(crate) fn is_initial(model: &Model, state: &State) -> bool {
    let is_described = || model.initially.as_ref().is_some_and(|set| set.holds(state) == Some(true));
    let fits = state.len() == model.variables.len()
        && model
            .variable_ids()
            .all(|id| model.values_of(id).count().is_none_or(|count| state[id.index()] < count));
    model.initial.contains(state) || (fits && is_described())
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_budget::Budget;
    use symbolon_model::{Comparison, Expr, Values, Variable};

    fn model(counts: &[i64]) -> Model {
        Model {
            variables: (0..counts.len()).map(|number| Variable { name: format!("v{number}") }).collect(),
            values: counts.iter().map(|count| Values::Range { least: 0, largest: count - 1 }).collect(),
            ..Model::default()
        }
    }

    fn compare(a: u32, comparison: Comparison, b: Expr) -> Predicate {
        Predicate::Compare(Expr::Variable(VariableId(a)), comparison, b)
    }

    #[track_caller]
    fn check(counts: &[i64], initially: Predicate, mut wanted: Vec<Vec<u64>>) {
        let mut states = Vec::new();
        let mut meter = Meter::new(Budget::unlimited());
        let mut found = |state: &[u64]| -> Result<(), Interrupted> {
            states.push(state.to_vec());
            Ok(())
        };
        each_initial_state(&model(counts), &initially, &mut meter, &mut found).expect("unlimited");
        states.sort();
        wanted.sort();
        assert_eq!(states, wanted);
    }

    #[test]
    fn free_variables_have_every_value() {
        check(&[2, 2], Predicate::True, vec![vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]]);
        check(&[2, 3], compare(1, Comparison::Equal, Expr::Constant(2)), vec![vec![0, 2], vec![1, 2]]);
    }

    #[test]
    fn variables_are_compared_with_each_other() {
        let same = compare(0, Comparison::Equal, Expr::Variable(VariableId(2)));
        let other = compare(1, Comparison::Less, Expr::Variable(VariableId(0)));
        let either = Predicate::Or(vec![Predicate::Not(Box::new(same.clone())), other.clone()]);
        check(&[2, 2, 2], Predicate::And(vec![same, other]), vec![vec![1, 0, 1]]);
        check(&[2, 1, 2], either, vec![vec![0, 0, 1], vec![1, 0, 0], vec![1, 0, 1]]);
    }

    /// What has no value holds nowhere, and neither does what it is a part of: as
    /// [`Predicate::holds`] has it.
    #[test]
    fn nothing_is_divided_by_zero() {
        let divided = || {
            let quotient =
                Expr::Quotient(Box::new(Expr::Constant(1)), Box::new(Expr::Variable(VariableId(0))));
            Predicate::Compare(quotient, Comparison::Equal, Expr::Constant(1))
        };
        let one = || compare(1, Comparison::Equal, Expr::Constant(1));
        check(&[3, 2], divided(), vec![vec![1, 0], vec![1, 1]]);
        check(&[3, 2], Predicate::Not(Box::new(divided())), vec![vec![2, 0], vec![2, 1]]);
        check(&[3, 2], Predicate::Or(vec![divided(), one()]), vec![vec![1, 0], vec![1, 1], vec![2, 1]]);
    }

    #[test]
    fn nothing_is_found_where_nothing_is() {
        check(&[3], Predicate::False, vec![]);
        check(&[], Predicate::True, vec![vec![]]);
    }
}
