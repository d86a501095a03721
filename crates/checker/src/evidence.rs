//! What diagrams found as evidence: replayed, then described in the words of the source.
//!
//! Evidence is a tree: a run, and at its states further runs, runs to states that an agent cannot
//! distinguish from them, and strategies. All of it is replayed by the explicit simulator before
//! anything is reported (C2): runs step by step, strategies outcome by outcome.

mod strategy_table;

use crate::replay_failure::ReplayFailure;
use crate::report::{Shape, StrategyTable, Witness, WitnessBranch, WitnessLink, WitnessStep};
use crate::seeded_fault::steps_to_replay;
use crate::value_names::{
    ShownValue, joint_action_label, shown_actions, shown_changes, shown_state, shown_value,
};
use strategy_table::{counter_table, table};
use symbolon_engine as engine;
use symbolon_explicit::{
    Branch, CounterStrategy, Ending, Goal, Link, Run, Strategy, Trace, Tree, follow_counter_strategy,
    follow_strategy, joint_trace_along, replay_tree,
};
use symbolon_logic::{Formula, FormulaId, Operator};
use symbolon_model::{Atom, Model, ObserverId, State, VariableId};

/// Replays what was found about a formula (C2), and describes it. `None` if it takes too long to
/// find out what the agents did between two of its states.
pub(crate) fn tree_witness(
    model: &Model,
    formula: &Formula<Atom>,
    found: &engine::Witness,
) -> Result<Option<Witness>, ReplayFailure> {
    let Some(tree) = tree(model, found) else { return Ok(None) };
    replay_tree(model, &tree).map_err(|why| failure(model, found, why))?;
    let step_count = match &tree.run {
        Run::Events(trace) => trace.events.len(),
        Run::Joint(trace) => trace.steps.len(),
    };
    if step_count + 1 != found.states.len() {
        return Err(failure(model, found, "its steps do not lead through all of its states"));
    }
    described(model, formula, found, &tree)
}

/// What is kept of evidence that does not replay.
fn failure(model: &Model, found: &engine::Witness, why: impl ToString) -> ReplayFailure {
    let events = found.events.iter().map(|event| model.event(*event).name.clone());
    let steps = events.zip(&found.states[1..]).map(|(event, state)| format!("{event} -> {state:?}"));
    ReplayFailure::new(model, &found.states[0], steps, why)
}

fn tree(model: &Model, found: &engine::Witness) -> Option<Tree> {
    let mut branches = Vec::with_capacity(found.branches.len());
    for branch in &found.branches {
        branches.push(Branch {
            position: branch.position,
            link: match &branch.link {
                engine::Link::Path => Link::Path,
                engine::Link::Alike(seeing) => Link::Alike(seeing.clone()),
                engine::Link::Correct(agent) => Link::Correct(*agent),
            },
            formula: branch.witness.formula,
            tree: tree(model, &branch.witness)?,
        });
    }
    let initial = found.states[0].clone();
    let run = if model.is_synchronous() {
        let steps = steps_to_replay(&found.events).iter().copied().zip(found.states[1..].iter().cloned());
        Run::Joint(joint_trace_along(model, initial, steps)?)
    } else {
        Run::Events(Trace { initial, events: steps_to_replay(&found.events).to_vec() })
    };
    let ending = match found.ending {
        engine::Ending::Open => Ending::Open,
        engine::Ending::Dead => Ending::Dead,
        engine::Ending::Loop(start) => Ending::Loop(start),
    };
    // A counter-strategy is followed where it is described.
    let strategy = found
        .strategy
        .as_ref()
        .filter(|strategy| strategy.against.is_empty())
        .map(|strategy| Strategy { actions: strategy.actions.clone(), choices: strategy.choices.clone() });
    Some(Tree { run, ending, strategy, branches })
}

/// A tree that was replayed, with the evidence that it was made from.
fn described(
    model: &Model,
    formula: &Formula<Atom>,
    found: &engine::Witness,
    tree: &Tree,
) -> Result<Option<Witness>, ReplayFailure> {
    let loop_start = match found.ending {
        engine::Ending::Loop(start) => Some(start),
        engine::Ending::Open | engine::Ending::Dead => None,
    };
    let strategy = match &found.strategy {
        Some(strategy) => match described_strategy(model, formula, found, strategy)? {
            Some(table) => Some(table),
            None => return Ok(None),
        },
        None => None,
    };
    let name = |id: &ObserverId| model.observers.observer(*id).name.clone();
    let mut branches = Vec::with_capacity(found.branches.len());
    for (branch, replayed) in found.branches.iter().zip(&tree.branches) {
        let more = &branch.witness;
        let is_knowledge = matches!(formula.operator(more.formula), Operator::Knows(..));
        if is_knowledge && branch.link == engine::Link::Path && more.branches.is_empty() {
            // What is false is not known by any agent: the state itself shows it.
            continue;
        }
        let Some(witness) = described(model, formula, &branch.witness, &replayed.tree)? else {
            return Ok(None);
        };
        let (seen, differing) = match &branch.link {
            engine::Link::Alike(seeing) => compared(model, seeing, &found.states[branch.position], more),
            engine::Link::Path | engine::Link::Correct(_) => (Vec::new(), Vec::new()),
        };
        branches.push(WitnessBranch {
            seen,
            differing,
            position: branch.position,
            link: match &branch.link {
                engine::Link::Path => WitnessLink::Path,
                engine::Link::Alike(seeing) => WitnessLink::Alike(seeing.iter().map(name).collect()),
                engine::Link::Correct(agent) => WitnessLink::Correct(name(agent)),
            },
            witness,
        });
    }
    Ok(Some(Witness {
        shape: shape(&strategy, &branches, loop_start),
        shortest: found.is_shortest || found.events.is_empty(),
        initial: shown_state(model, &found.states[0]),
        last: shown_state(model, &found.states[found.states.len() - 1]),
        steps: steps(model, found, &tree.run),
        loop_start,
        strategy,
        branches,
    }))
}

/// What agents see in a state, which they see at the end of another run as well, and in which
/// variables the two differ.
fn compared(
    model: &Model,
    seeing: &[ObserverId],
    state: &State,
    other: &engine::Witness,
) -> (Vec<(String, ShownValue)>, Vec<String>) {
    let mut seen: Vec<VariableId> =
        seeing.iter().flat_map(|&id| model.observers.observer(id).variables.clone()).collect();
    seen.sort_unstable();
    seen.dedup();
    let end = &other.states[other.states.len() - 1];
    let name = |id: VariableId| model.variables[id.index()].name.clone();
    let value = |id: VariableId| (name(id), shown_value(model, id, state[id.index()]));
    let differing = model.variable_ids().filter(|id| state[id.index()] != end[id.index()]);
    (seen.into_iter().map(value).collect(), differing.map(name).collect())
}

fn shape(strategy: &Option<StrategyTable>, branches: &[WitnessBranch], loop_start: Option<usize>) -> Shape {
    let is_epistemic =
        |branch: &WitnessBranch| branch.link != WitnessLink::Path || branch.witness.shape == Shape::Epistemic;
    if strategy.is_some() {
        Shape::Strategy
    } else if branches.iter().any(is_epistemic) {
        Shape::Epistemic
    } else {
        match (branches.is_empty(), loop_start) {
            (false, _) => Shape::Tree,
            (true, Some(_)) => Shape::Lasso,
            (true, None) => Shape::Trace,
        }
    }
}

fn steps(model: &Model, found: &engine::Witness, run: &Run) -> Vec<WitnessStep> {
    let pairs = found.states.windows(2);
    match run {
        Run::Joint(trace) => {
            let step = |(step, pair): (&symbolon_explicit::JointStep, &[State])| WitnessStep {
                event: joint_action_label(model, &step.action),
                actions: shown_actions(model, &step.action),
                changes: shown_changes(model, model.variable_ids(), &pair[0], &pair[1]),
            };
            trace.steps.iter().zip(pairs).map(step).collect()
        }
        Run::Events(trace) => {
            let step = |(&event, pair): (&symbolon_model::EventId, &[State])| WitnessStep {
                event: model.event(event).name.clone(),
                actions: Vec::new(),
                changes: shown_changes(model, model.event(event).variables(), &pair[0], &pair[1]),
            };
            trace.events.iter().zip(pairs).map(step).collect()
        }
    }
}

/// A strategy as a table, after all its outcomes were followed.
fn described_strategy(
    model: &Model,
    formula: &Formula<Atom>,
    found: &engine::Witness,
    strategy: &engine::GroupStrategy,
) -> Result<Option<StrategyTable>, ReplayFailure> {
    let Operator::CanForce(_, path) = formula.operator(found.formula) else { return Ok(None) };
    let (goal, first, second) = match *formula.operator(*path) {
        Operator::Next(f) => (Goal::Next, None, Some(f)),
        Operator::Finally(g) => (Goal::Until, None, Some(g)),
        Operator::Until(f, g) => (Goal::Until, Some(f), Some(g)),
        Operator::Globally(f) => (Goal::Globally, Some(f), None),
        _ => return Ok(None),
    };
    // What operands say by themselves is looked up in the state; what they say about other states,
    // diagrams have found.
    let says = |id: Option<FormulaId>, state: &State, found: bool| {
        id.and_then(|id| plain_truth(model, formula, id, state)).unwrap_or(found)
    };
    let start = &found.states[0];
    if !strategy.against.is_empty() {
        let (width, group) = (model.variables.len(), strategy.against.clone());
        let own = |longer: &State| group.iter().map(|variable| longer[variable.index()]).collect();
        let answers = strategy.choices.iter();
        let answers = answers.map(|(longer, answer)| (longer[..width].into(), own(longer), answer.clone()));
        let plain = CounterStrategy {
            answers: answers.collect(),
            others: strategy.actions.clone(),
            group: group.clone(),
        };
        let followed = follow_counter_strategy(model, &plain, start, goal, |state| {
            let is_end = strategy.ends.contains(state);
            (first.is_none() || says(first, state, !is_end), says(second, state, false))
        });
        followed.map_err(|why| failure(model, found, why))?;
        return Ok(Some(counter_table(model, strategy)));
    }
    let plain = Strategy { actions: strategy.actions.clone(), choices: strategy.choices.clone() };
    let followed = follow_strategy(model, &plain, start, goal, |state| {
        let is_end = strategy.ends.contains(state);
        (says(first, state, true), says(second, state, is_end))
    });
    followed.map_err(|why| failure(model, found, why))?;
    Ok(Some(table(model, strategy)))
}

/// Whether a formula holds in a state, if the state alone decides it.
fn plain_truth(model: &Model, formula: &Formula<Atom>, id: FormulaId, state: &State) -> Option<bool> {
    let of = |id: FormulaId| plain_truth(model, formula, id, state);
    match *formula.operator(id) {
        Operator::True => Some(true),
        Operator::False => Some(false),
        Operator::Atom(ref atom) => atom.holds(model, state),
        Operator::Not(f) => of(f).map(|holds| !holds),
        Operator::And(f, g) => Some(of(f)? && of(g)?),
        Operator::Or(f, g) => Some(of(f)? || of(g)?),
        Operator::Implies(f, g) => Some(!of(f)? || of(g)?),
        Operator::Equivalent(f, g) => Some(of(f)? == of(g)?),
        _ => None,
    }
}
