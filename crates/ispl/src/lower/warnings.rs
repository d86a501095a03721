//! What is allowed, and often a mistake: a protocol that may offer nothing, and an assignment that
//! may leave a range.
//!
//! Both are found by trying all values of the few variables that matter, reachable or not. Where
//! these are too many, nothing is said of a protocol; of an evolution line, the agent's protocol is
//! left out, and then its guard is evaluated only as far as the variables of the assigned
//! expression decide it.

use super::scope::Names;
use symbolon_model::{Choice, Line, Predicate, VariableId};

/// The most combinations of values that are tried.
const LARGEST_TRIAL: u64 = 4096;
/// The most variables that are shown of a state.
const LARGEST_SHOWN: usize = 3;

/// A state in which a protocol offers nothing, if one was found, in words.
pub(super) fn nothing_offered(names: &Names<'_>, choice: &Choice) -> Option<String> {
    if !choice.otherwise.is_empty() && choice.offers.iter().all(|(_, actions)| !actions.is_empty()) {
        return None;
    }
    let mut variables = Vec::new();
    choice.offers.iter().for_each(|(condition, _)| condition.collect_variables(&mut variables));
    let found = first(names, &mut variables, |state, _| choice.offered(state).is_empty())?;
    Some(in_words(names, &variables, &found))
}

/// A state in which a line assigns a value outside the range of a variable, if one was found, in
/// words. Actions that the agent's own protocol does not offer there are none of its actions.
pub(super) fn leaves_range(
    names: &Names<'_>,
    line: &Line,
    variable: VariableId,
    choice: Option<&Choice>,
) -> Option<String> {
    let (_, value) = line.updates.iter().find(|(assigned, _)| *assigned == variable)?;
    let count = names.values(variable).count()?;
    let is_outside = |state: &[u64]| {
        let value = value.evaluate(state).and_then(|value| u64::try_from(value).ok());
        value.is_none_or(|value| value >= count)
    };
    let mut read = Vec::new();
    value.collect_variables(&mut read);
    if read.is_empty() {
        return is_outside(&[]).then(String::new);
    }
    let mut all = read.clone();
    line.guard.collect_variables(&mut all);
    // What the protocol offers matters where the line asks what the agent does.
    let choice = choice.filter(|choice| all.contains(&choice.action));
    let mut with_protocol = all.clone();
    with_protocol.extend(choice.iter().flat_map(|choice| choice.variables()));
    let (tried, choice) = if choice.is_some() && trial_size(names, &mut with_protocol).is_some() {
        (&mut with_protocol, choice)
    } else if trial_size(names, &mut all).is_some() {
        (&mut all, None)
    } else {
        (&mut read, None)
    };
    let found = first(names, tried, |state, tried| {
        is_outside(state)
            && may_hold(&line.guard, state, tried) != Some(false)
            && choice.is_none_or(|choice| choice.offered(state).contains(&state[choice.action.index()]))
    })?;
    Some(in_words(names, tried, &found))
}

/// How many values these variables have together, each of them once; `None` where these are too
/// many.
fn trial_size(names: &Names<'_>, variables: &mut Vec<VariableId>) -> Option<u64> {
    variables.sort_unstable();
    variables.dedup();
    let size = variables.iter().try_fold(1_u64, |size, &id| size.checked_mul(names.value_count(id)));
    size.filter(|size| *size <= LARGEST_TRIAL)
}

/// The first combination of values of these variables that is wanted; all other variables are 0.
fn first(
    names: &Names<'_>,
    variables: &mut Vec<VariableId>,
    wanted: impl Fn(&[u64], &[VariableId]) -> bool,
) -> Option<Vec<u64>> {
    let size = trial_size(names, variables)?;
    let mut state = vec![0; names.variables.len() + names.agents.len()];
    for _ in 0..size {
        if wanted(&state, variables) {
            return Some(state);
        }
        for &id in variables.iter() {
            let value = &mut state[id.index()];
            *value += 1;
            if *value < names.value_count(id) {
                break;
            }
            *value = 0;
        }
    }
    None
}

/// Whether a predicate holds, as far as these variables alone decide it.
fn may_hold(predicate: &Predicate, state: &[u64], known: &[VariableId]) -> Option<bool> {
    match predicate {
        Predicate::True => Some(true),
        Predicate::False => Some(false),
        Predicate::Compare(..) => {
            let mut read = Vec::new();
            predicate.collect_variables(&mut read);
            let is_decided = read.iter().all(|id| known.binary_search(id).is_ok());
            if is_decided { predicate.holds(state) } else { None }
        }
        Predicate::Not(inner) => may_hold(inner, state, known).map(|holds| !holds),
        Predicate::And(all) => {
            let mut answer = Some(true);
            for one in all {
                match may_hold(one, state, known) {
                    Some(false) => return Some(false),
                    Some(true) => {}
                    None => answer = None,
                }
            }
            answer
        }
        Predicate::Or(any) => {
            let mut answer = Some(false);
            for one in any {
                match may_hold(one, state, known) {
                    Some(true) => return Some(true),
                    Some(false) => {}
                    None => answer = None,
                }
            }
            answer
        }
    }
}

/// `, for instance where x = 1 and y = 2`
fn in_words(names: &Names<'_>, variables: &[VariableId], state: &[u64]) -> String {
    let of_state = variables.iter().filter(|id| id.index() < names.variables.len());
    let mut words: Vec<String> = of_state
        .map(|id| {
            let known = &names.variables[id.index()];
            format!("{} = {}", known.name, known.values.text(state[id.index()]))
        })
        .collect();
    if words.len() > LARGEST_SHOWN {
        words.truncate(LARGEST_SHOWN);
        words.push("…".to_string());
    }
    if words.is_empty() { String::new() } else { format!(", for instance where {}", words.join(" and ")) }
}
