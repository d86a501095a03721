//! Can an assignment of a multi-agent system leave the range of its variable in a reachable state?
//!
//! Such a line removes the step silently, which is rarely what its writer meant. Whether it can
//! happen is a question about reachable states: some where the line is enabled, under actions that
//! are on offer, and its value lies outside. Actions are not part of a state, so the ones that a
//! line reads are put in one combination after the other; what is left is a predicate that every
//! kind of diagram can select.

use crate::ask::ask;
use crate::deadlock::layer_steps;
use crate::error::InputError;
use crate::loaded::Loaded;
use crate::options::{Diagram, Options};
use crate::replay_failure::ReplayFailure;
use crate::report::Witness;
use crate::stop::Stop;
use crate::value_names::shown_actions;
use crate::witness::joint_witness;
use num_bigint::BigUint;
use symbolon_budget::Budget;
use symbolon_budget::Interrupted;
use symbolon_engine::{Explored, Question, StateSets, trace_to};
use symbolon_explicit::{self as explicit, joint_trace_along};
use symbolon_model::{
    Choice, Comparison, Event, Expr, Line, Model, Part, Predicate, Reaction, State, VariableId,
};

/// The answer of `--overflow`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverflowReport {
    /// How many evolution lines compute a value that no range contains for certain.
    pub lines: usize,
    /// Those that can leave a range.
    pub overflows: Vec<Overflow>,
    /// The reachable states without successors.
    pub dead_states: BigUint,
}

/// An evolution line that can leave a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overflow {
    /// Whose evolution.
    pub agent: String,
    /// The number of the line in that evolution, from 1.
    pub item: usize,
    /// The line, as the printer writes it.
    pub text: String,
    /// In how many reachable states it can happen, where all were looked at.
    pub states: Option<BigUint>,
    /// What the agents do then.
    pub actions: Vec<(String, String)>,
    /// A run to such a state.
    pub witness: Option<Witness>,
}

/// Looks for lines that leave a range in a reachable state.
pub(crate) fn overflows(loaded: &Loaded, options: &Options, budget: &Budget) -> Result<OverflowReport, Stop> {
    let Some(event) = loaded.model.events.iter().find(|event| event.is_synchronous()) else {
        let message = format!(
            "option ‹overflow› is for agents, whose variables have ranges; '{}' is {}",
            loaded.name,
            loaded.language().noun()
        );
        let hint = "command ‹bounds› shows how large values become";
        return Err(InputError::plain(message).with_hint(hint).into());
    };
    let suspects = suspects(&loaded.model, event);
    if options.diagram == Diagram::Explicit {
        return by_explicit(loaded, suspects.len(), budget);
    }
    Ok(ask(loaded, options, budget, OverflowQuestion { loaded, event, suspects })??)
}

/// A line that may leave a range, judging by its text.
struct Suspect<'a> {
    /// The number of its reaction.
    reaction: usize,
    /// Its own number there.
    number: usize,
    line: &'a Line,
}

/// Every line that assigns anything but a constant inside the range.
fn suspects<'a>(model: &Model, event: &'a Event) -> Vec<Suspect<'a>> {
    let is_safe = |(variable, value): &(VariableId, Expr)| match (model.values_of(*variable).count(), value) {
        (None, _) => true,
        (Some(count), Expr::Constant(number)) => u64::try_from(*number).is_ok_and(|number| number < count),
        (Some(count), Expr::Variable(id)) => model.values_of(*id).count().is_some_and(|other| other <= count),
        _ => false,
    };
    let lines = reactions(event).enumerate().flat_map(|(reaction, part)| {
        part.lines.iter().enumerate().map(move |(number, line)| Suspect { reaction, number, line })
    });
    lines.filter(|suspect| !suspect.line.updates.iter().all(is_safe)).collect()
}

fn reactions(event: &Event) -> impl Iterator<Item = &Reaction> {
    event.parts.iter().filter_map(|part| if let Part::Reaction(part) = part { Some(&**part) } else { None })
}

fn choices(event: &Event) -> impl Iterator<Item = &Choice> {
    event.parts.iter().filter_map(|part| if let Part::Choice(part) = part { Some(&**part) } else { None })
}

struct OverflowQuestion<'a> {
    loaded: &'a Loaded,
    event: &'a Event,
    suspects: Vec<Suspect<'a>>,
}

impl Question for OverflowQuestion<'_> {
    type Answer = Result<OverflowReport, ReplayFailure>;

    fn answer<S: StateSets>(self, mut explored: Explored<S>) -> Result<Self::Answer, Interrupted> {
        let Explored { sets, reached, .. } = &mut explored;
        let mut found = Vec::new();
        for suspect in &self.suspects {
            let cases = cases(&self.loaded.model, self.event, suspect.line, sets)?;
            let mut where_it_leaves = sets.none();
            for (_, predicate) in &cases {
                let here = sets.select(reached, predicate)?;
                where_it_leaves = sets.union(&where_it_leaves, &here)?;
                sets.collect_if_due();
            }
            if sets.is_empty(&where_it_leaves) {
                continue;
            }
            let steps = layer_steps(sets);
            let states = sets.count(&where_it_leaves)?;
            let trace = trace_to(sets, &self.loaded.model, reached, &where_it_leaves, steps)?;
            let trace = trace.and_then(|trace| {
                let shortest = trace.is_shortest;
                let states = trace.events.into_iter().zip(trace.states);
                Some((joint_trace_along(&self.loaded.model, trace.initial, states)?, shortest))
            });
            let mut overflow = self.overflow(suspect, Some(states));
            if let Some((trace, shortest)) = trace {
                if let Some(action) = self.action_in(trace.last(), &cases) {
                    overflow.actions = shown_actions(&self.loaded.model, &action);
                }
                match joint_witness(&self.loaded.model, &trace, shortest, |_| true) {
                    Ok(witness) => overflow.witness = Some(witness),
                    Err(failure) => return Ok(Err(failure)),
                }
            }
            found.push(overflow);
        }
        let dead = sets.dead(reached)?;
        let dead_states = sets.count(&dead)?;
        Ok(Ok(OverflowReport { lines: self.suspects.len(), overflows: found, dead_states }))
    }
}

impl OverflowQuestion<'_> {
    fn overflow(&self, suspect: &Suspect<'_>, states: Option<BigUint>) -> Overflow {
        overflow_report(self.loaded, suspect.reaction, suspect.number, states)
    }

    /// What the agents may do in a state so that a line leaves a range.
    fn action_in(&self, state: &State, cases: &[Case]) -> Option<Vec<u64>> {
        let (known, _) = cases.iter().find(|(_, predicate)| predicate.holds(state) == Some(true))?;
        let width = self.loaded.model.variables.len();
        let mut action = vec![0; self.loaded.model.actions.len()];
        for choice in choices(self.event) {
            action[choice.action.index() - width] = choice.offered(state).first().copied()?;
        }
        known.iter().for_each(|(id, value)| action[id.index() - width] = *value);
        Some(action)
    }
}

/// Actions that a line reads, and where it leaves a range if these are done.
type Case = (Vec<(VariableId, u64)>, Predicate);

/// All combinations of the actions that a line reads, each with the states in which the line then
/// leaves a range.
fn cases<S: StateSets>(
    model: &Model,
    event: &Event,
    line: &Line,
    sets: &mut S,
) -> Result<Vec<Case>, Interrupted> {
    let outside = outside(model, line);
    let mut read = Vec::new();
    line.guard.collect_variables(&mut read);
    outside.iter().for_each(|one| one.collect_variables(&mut read));
    read.sort_unstable();
    read.dedup();
    let read: Vec<&Choice> = choices(event).filter(|choice| read.contains(&choice.action)).collect();
    let others = choices(event).filter(|choice| !read.iter().any(|known| known.action == choice.action));
    let others = Predicate::all(others.map(|choice| offers(choice, |actions| !actions.is_empty())));
    let leaves = |outside| Predicate::all([line.guard.clone(), others.clone(), outside]);
    let mut cases: Vec<Case> = outside.into_iter().map(|one| (Vec::new(), leaves(one))).collect();
    for choice in read {
        let mut next = Vec::new();
        for (known, predicate) in &cases {
            let count = model.action(choice.action).map_or(0, |action| action.names.len() as u64);
            for value in 0..count {
                sets.meter().step()?;
                let assumed = predicate.assume(choice.action, value);
                if assumed == Predicate::False {
                    continue;
                }
                let is_offered = offers(choice, |actions| actions.contains(&value));
                let mut known = known.clone();
                known.push((choice.action, value));
                next.push((known, Predicate::all([is_offered, assumed])));
            }
        }
        cases = next;
    }
    Ok(cases)
}

/// Where a line would assign a value outside the range of a variable, or none: one predicate for
/// each way, because where something has no value, nothing that is said of it besides holds.
fn outside(model: &Model, line: &Line) -> Vec<Predicate> {
    let mut ways = Vec::new();
    for (variable, value) in &line.updates {
        let count = model.values_of(*variable).count().and_then(|count| i64::try_from(count).ok());
        let Some(count) = count else { continue };
        let compare =
            |comparison, bound| Predicate::Compare(value.clone(), comparison, Expr::Constant(bound));
        value.collect_undefined(&mut ways);
        ways.push(Predicate::any([compare(Comparison::Less, 0), compare(Comparison::GreaterOrEqual, count)]));
    }
    ways
}

/// Where a protocol offers actions of which this holds: for one line of them, or for all that is
/// left.
fn offers(choice: &Choice, wanted: impl Fn(&[u64]) -> bool) -> Predicate {
    if choice.offers.iter().all(|(_, actions)| wanted(actions)) && wanted(&choice.otherwise) {
        return Predicate::True;
    }
    let lines = choice.offers.iter().filter(|(_, actions)| wanted(actions));
    let mut anywhere: Vec<Predicate> = lines.map(|(condition, _)| condition.clone()).collect();
    if wanted(&choice.otherwise) {
        let no_line = choice.offers.iter().map(|(condition, _)| condition.clone().negated());
        anywhere.push(Predicate::all(no_line));
    }
    Predicate::any(anywhere)
}

fn by_explicit(loaded: &Loaded, lines: usize, budget: &Budget) -> Result<OverflowReport, Stop> {
    let model = &loaded.model;
    let options = explicit::Options::default();
    let found = explicit::find_overflows(model, &options, budget)?;
    let mut overflows = Vec::with_capacity(found.len());
    for found in &found {
        overflows.push(Overflow {
            actions: shown_actions(model, &found.action),
            witness: Some(joint_witness(model, &found.trace, true, |_| true)?),
            ..overflow_report(loaded, found.reaction, found.line, None)
        });
    }
    let dead_states = explicit::explore(model, &options, budget)?.dead_states().len();
    Ok(OverflowReport { lines, overflows, dead_states: BigUint::from(dead_states) })
}

/// A line in the words of the source.
fn overflow_report(loaded: &Loaded, reaction: usize, number: usize, states: Option<BigUint>) -> Overflow {
    let source = loaded.agents().and_then(|agents| agents.lines.get(reaction)?.get(number));
    let agent = source.map(|source| loaded.model.observers.observer(source.agent).name.clone());
    let agent = agent.unwrap_or_default();
    let written = loaded.agents().zip(source).and_then(|(agents, source)| {
        let tree = agents.tree.all_agents().find(|tree| *tree.name.text == *agent)?;
        Some(tree.evolution.get(source.item)?.to_string())
    });
    Overflow {
        agent,
        item: source.map_or(number, |source| source.item) + 1,
        text: written.unwrap_or_default(),
        states,
        actions: Vec::new(),
        witness: None,
    }
}
