//! Proofs that a variable has no largest value: a run to a state, and a round from there that can be
//! repeated for ever and adds to the variable each time.
//!
//! Let a round lead from state `s` to state `t`, and let the *growing* variables be those in which
//! `t` and `s` differ. If
//!
//! - every growing variable is larger in `t`,
//! - a part of an event of the round that tests or changes a growing variable by itself asks only for a
//!   least value, and only adds, and
//! - a part that computes reads no growing variable, except that `v' = v + e` may read `v`, and that a
//!   guard may ask for a sum in which growing variables count positively to be at least something,
//!
//! then the round can be repeated for ever: the others pass through the same values in each round, as
//! nothing that they depend on changes, so each growing variable changes by the same amounts, and is
//! larger than before at every step. This is the argument of Karp and Miller (1969) for models that
//! compute. The mathematical number grows for ever; a state holds numbers below 2^63 alone.

use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_model::{
    Change, Comparison, Event, EventId, Expr, Linear, Model, Part, Predicate, State, VariableId,
};
use symbolon_random::Random;

/// A proof that variables grow without end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The number of the initial state.
    pub initial: usize,
    /// Events from there to where the rounds start.
    pub prefix: Vec<EventId>,
    /// One round.
    pub round: Vec<EventId>,
    /// The variables that grow with each round, ascending.
    pub growing: Vec<VariableId>,
}

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub struct GrowthLimits {
    /// Steps: an event tried, or two states compared.
    pub steps: u64,
    /// Events of one walk.
    pub walk_length: usize,
    /// Seed of the walks.
    pub seed: u64,
}

/// Looks for a proof that some variable grows without end, on random walks. `None` says only that none
/// was found.
pub fn find_growth(
    model: &Model,
    limits: GrowthLimits,
    budget: &Budget,
) -> Result<Option<Growth>, Interrupted> {
    let may_grow = |id| model.values_of(id).count().is_none();
    if model.is_synchronous() || model.initial.is_empty() || !model.variable_ids().any(may_grow) {
        return Ok(None);
    }
    let mut meter = Meter::with_step_limit(budget.clone(), limits.steps);
    let mut random = Random::new(limits.seed);
    let mut length = limits.walk_length.min(FIRST_LENGTH);
    loop {
        match walk(model, length, &mut random, &mut meter) {
            Ok(Walked::Found(growth)) => return Ok(Some(growth).filter(|growth| growth.verify(model))),
            Ok(Walked::Stuck) | Err(Interrupted::Steps) => return Ok(None),
            Ok(Walked::Ended) => {}
            Err(why) => return Err(why),
        }
        length = (length + length / 4 + 1).min(limits.walk_length);
    }
}

/// Events of the first walk; the later ones are longer.
const FIRST_LENGTH: usize = 32;

enum Walked {
    Found(Growth),
    /// Nothing could happen in the initial state.
    Stuck,
    Ended,
}

fn walk(model: &Model, length: usize, random: &mut Random, meter: &mut Meter) -> Result<Walked, Interrupted> {
    let initial = random.below(model.initial.len());
    let mut states: Vec<State> = vec![model.initial[initial].clone()];
    let mut events: Vec<EventId> = Vec::new();
    while events.len() < length {
        let state = &states[states.len() - 1];
        let mut next = None;
        let first = random.below(model.events.len().max(1));
        for offset in 0..model.events.len() {
            let index = (first + offset) % model.events.len();
            meter.step()?;
            if let Ok(Some(after)) = model.events[index].fire(state) {
                next = Some((EventId(index as u32), after));
                break;
            }
        }
        let Some((event, after)) = next else {
            return Ok(if events.is_empty() { Walked::Stuck } else { Walked::Ended });
        };
        events.push(event);
        for (start, before) in states.iter().enumerate().rev() {
            meter.step()?;
            if let Some(growing) = growing(model, before, &after, &events[start..]) {
                let (prefix, round) = (events[..start].to_vec(), events[start..].to_vec());
                return Ok(Walked::Found(Growth { initial, prefix, round, growing }));
            }
        }
        states.push(after);
    }
    Ok(Walked::Ended)
}

impl Growth {
    /// Replays the proof: whether it holds for `model`.
    pub fn verify(&self, model: &Model) -> bool {
        let Some(initial) = model.initial.get(self.initial) else { return false };
        let mut state = initial.clone();
        let replay = |events: &[EventId], state: &mut State| {
            events.iter().all(|&event| {
                let next = model.events.get(event.index()).and_then(|event| event.fire(state).ok().flatten());
                next.map(|next| *state = next).is_some()
            })
        };
        if !replay(&self.prefix, &mut state) {
            return false;
        }
        let before = state.clone();
        replay(&self.round, &mut state)
            && growing(model, &before, &state, &self.round).as_deref() == Some(&self.growing)
    }
}

/// The variables that grow for ever if the round that leads from `before` to `after` is repeated;
/// `None` if it cannot be, or none grows.
fn growing(model: &Model, before: &[u64], after: &[u64], round: &[EventId]) -> Option<Vec<VariableId>> {
    let mut growing = Vec::new();
    for (index, (old, new)) in before.iter().zip(after).enumerate() {
        if new < old {
            return None;
        }
        if new > old {
            growing.push(VariableId(index as u32));
        }
    }
    let can_be_repeated =
        || round.iter().all(|&event| keeps_on(model.event(event), |v| growing.binary_search(&v).is_ok()));
    (!growing.is_empty() && can_be_repeated()).then_some(growing)
}

/// Whether an event does the same with larger values of the growing variables.
fn keeps_on(event: &Event, grows: impl Fn(VariableId) -> bool) -> bool {
    event.parts.iter().all(|part| match part {
        Part::Local { variable, at_most, change, .. } => {
            !grows(*variable) || *at_most == u64::MAX && matches!(change, Change::Add(_))
        }
        Part::General { guard, updates } => {
            let mut read = Vec::new();
            updates.iter().for_each(|(variable, value)| match added_to(*variable, value) {
                Some(added) => added.iter().for_each(|term| term.collect_variables(&mut read)),
                // An assignment is as good as a read: it does not add.
                None => {
                    read.push(*variable);
                    value.collect_variables(&mut read);
                }
            });
            !read.into_iter().any(&grows) && keeps_holding(guard, &grows)
        }
        Part::Choice(_) | Part::Reaction(_) => false,
    })
}

/// Whether a predicate that holds goes on to hold where the growing variables are larger.
fn keeps_holding(predicate: &Predicate, grows: &impl Fn(VariableId) -> bool) -> bool {
    let mut read = Vec::new();
    predicate.collect_variables(&mut read);
    if !read.into_iter().any(grows) {
        return true;
    }
    match predicate {
        Predicate::True | Predicate::False => true,
        Predicate::Not(_) => false,
        Predicate::And(parts) | Predicate::Or(parts) => parts.iter().all(|part| keeps_holding(part, grows)),
        Predicate::Compare(left, comparison, right) => {
            let Some((terms, _)) = Linear::of_comparison(left, right) else { return false };
            let mut factors =
                terms.iter().filter(|(variable, _)| grows(*variable)).map(|(_, factor)| *factor);
            match comparison {
                Comparison::Greater | Comparison::GreaterOrEqual => factors.all(|factor| factor >= 0),
                Comparison::Less | Comparison::LessOrEqual => factors.all(|factor| factor <= 0),
                Comparison::Equal | Comparison::NotEqual => false,
            }
        }
    }
}

/// What `v' = v + …` adds to the variable.
fn added_to(variable: VariableId, value: &Expr) -> Option<Vec<&Expr>> {
    let Expr::Sum(terms) = value else { return None };
    let own = terms.iter().position(|term| *term == Expr::Variable(variable))?;
    Some(terms.iter().enumerate().filter(|(index, _)| *index != own).map(|(_, term)| term).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_model::Variable;

    const LIMITS: GrowthLimits = GrowthLimits { steps: 100_000, walk_length: 200, seed: 1 };

    fn model(variables: usize, events: Vec<Vec<Part>>) -> Model {
        let variable = |index: usize| Variable { name: format!("v{index}") };
        let event = |(index, parts)| Event { name: format!("e{index}"), parts };
        Model {
            variables: (0..variables).map(variable).collect(),
            initial: vec![vec![0; variables].into()],
            events: events.into_iter().enumerate().map(event).collect(),
            ..Model::default()
        }
    }

    fn local(variable: u32, at_least: u64, at_most: u64, change: Change) -> Part {
        Part::Local { variable: VariableId(variable), at_least, at_most, change }
    }

    fn assigns(guard: Predicate, variable: u32, value: Expr) -> Part {
        Part::General { guard: Box::new(guard), updates: vec![(VariableId(variable), value)] }
    }

    fn found(model: &Model) -> Option<Vec<u32>> {
        let growth = find_growth(model, LIMITS, &Budget::unlimited()).unwrap();
        growth.map(|growth| {
            assert!(growth.verify(model));
            // Three more rounds are possible, and each adds the same.
            let mut state = model.initial[growth.initial].clone();
            let fire = |state: &mut State, event: &EventId| {
                *state = model.event(*event).fire(state).unwrap().unwrap();
            };
            growth.prefix.iter().for_each(|event| fire(&mut state, event));
            let mut states = vec![state.clone()];
            for _ in 0..4 {
                growth.round.iter().for_each(|event| fire(&mut state, event));
                states.push(state.clone());
            }
            for index in 0..state.len() {
                let first = states[1][index] - states[0][index];
                assert_eq!(first > 0, growth.growing.contains(&VariableId(index as u32)));
                assert!(states.windows(2).all(|pair| pair[1][index] - pair[0][index] == first));
            }
            growth.growing.iter().map(|id| id.0).collect()
        })
    }

    #[test]
    fn a_counter_grows_and_a_bounded_one_does_not() {
        let up = |at_most| vec![local(0, 0, at_most, Change::Add(1))];
        assert_eq!(found(&model(1, vec![up(u64::MAX)])), Some(vec![0]));
        assert_eq!(found(&model(1, vec![up(9)])), None);
        let set = vec![local(0, 0, u64::MAX, Change::Set(7))];
        assert_eq!(found(&model(1, vec![set])), None);
    }

    #[test]
    fn a_sum_with_another_variable_grows_where_that_stays() {
        let sum = |a: Expr, b: Expr| Expr::Sum(vec![a, b]);
        let variable = |index: u32| Expr::Variable(VariableId(index));
        let once = vec![local(1, 0, 0, Change::Set(3))];
        let grows = vec![once.clone(), vec![assigns(Predicate::True, 0, sum(variable(0), variable(1)))]];
        assert_eq!(found(&model(2, grows)), Some(vec![0]));
        // A limit that is compared with keeps it from growing for ever.
        let limit = Predicate::Compare(variable(0), Comparison::Less, variable(1));
        let limited = vec![once, vec![assigns(limit, 0, sum(variable(0), Expr::Constant(1)))]];
        assert_eq!(found(&model(2, limited)), None);
        // A least value that is asked for does not.
        let enough = Predicate::Compare(variable(0), Comparison::GreaterOrEqual, Expr::Constant(0));
        let asks = vec![vec![assigns(enough, 0, sum(variable(0), Expr::Constant(2)))]];
        assert_eq!(found(&model(1, asks)), Some(vec![0]));
        // What another growing variable says is not a constant amount.
        let both =
            vec![vec![local(1, 0, u64::MAX, Change::Add(1)), assigns(Predicate::True, 0, variable(1))]];
        assert_eq!(found(&model(2, both)), None);
    }

    #[test]
    fn what_is_taken_back_does_not_grow() {
        let there = vec![local(0, 0, 0, Change::Add(1)), local(1, 0, u64::MAX, Change::Add(2))];
        let back = vec![local(0, 1, 1, Change::Add(-1)), local(1, 2, u64::MAX, Change::Add(-2))];
        assert_eq!(found(&model(2, vec![there.clone(), back])), None);
        let less = vec![local(0, 1, 1, Change::Add(-1)), local(1, 2, u64::MAX, Change::Add(-1))];
        assert_eq!(found(&model(2, vec![there, less])), Some(vec![1]));
    }
}
