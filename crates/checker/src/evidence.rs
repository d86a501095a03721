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
use rustc_hash::FxHashMap;
use strategy_table::{counter_table, table};
use symbolon_engine as engine;
use symbolon_explicit::{
    Branch, CounterStrategy, Ending, FairCounterStrategy, FairPlay, Goal, Link, Memory, Run, Strategy,
    StrategyError, Trace, Tree, begins_fair_path, follow_counter_strategy, follow_fair_counter_strategy,
    follow_fair_strategy, follow_strategy, joint_trace_along, replay_tree,
};
use symbolon_logic::{Formula, FormulaId, Operator, Paths};
use symbolon_model::{Atom, Model, ObserverId, State, VariableId};

/// More states of a strategy under fairness constraints are not followed.
const MOST_FAIR_STATES: usize = 20_000;

/// What evidence is about.
#[derive(Clone, Copy)]
pub(crate) struct Claim<'c> {
    pub(crate) model: &'c Model,
    pub(crate) formula: &'c Formula<Atom>,
    pub(crate) paths: Paths,
    /// What fair paths meet again and again.
    pub(crate) fairness: &'c [Formula<Atom>],
}

/// Replays what was found about a formula (C2), and describes it. `None` if that takes too long: to find out
/// what the agents did between two of its states, or to follow a strategy.
pub(crate) fn tree_witness(
    claim: Claim<'_>,
    found: &engine::Witness,
) -> Result<Option<Witness>, ReplayFailure> {
    let model = claim.model;
    let Some(tree) = tree(model, found) else { return Ok(None) };
    replay_tree(model, &tree).map_err(|why| failure(model, found, why))?;
    let step_count = match &tree.run {
        Run::Events(trace) => trace.events.len(),
        Run::Joint(trace) => trace.steps.len(),
    };
    if step_count + 1 != found.states.len() {
        return Err(failure(model, found, "its steps do not lead through all of its states"));
    }
    described(claim, found, &tree)
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
    // A counter-strategy is followed where it is described, and so is one under fairness constraints.
    let strategy = found
        .strategy
        .as_ref()
        .filter(|strategy| strategy.against.is_empty() && strategy.fair.is_none())
        .map(|strategy| Strategy { actions: strategy.actions.clone(), choices: strategy.choices.clone() });
    Some(Tree { run, ending, strategy, branches })
}

/// A tree that was replayed, with the evidence that it was made from.
fn described(
    claim: Claim<'_>,
    found: &engine::Witness,
    tree: &Tree,
) -> Result<Option<Witness>, ReplayFailure> {
    let Claim { model, formula, .. } = claim;
    let loop_start = match found.ending {
        engine::Ending::Loop(start) => Some(start),
        engine::Ending::Open | engine::Ending::Dead => None,
    };
    let strategy = match &found.strategy {
        Some(strategy) => match described_strategy(claim, found, strategy)? {
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
        let Some(witness) = described(claim, &branch.witness, &replayed.tree)? else {
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

/// What the path formula of a strategy asks for.
struct Aim {
    goal: Goal,
    first: Option<FormulaId>,
    second: Option<FormulaId>,
}

/// A strategy as a table, after all its outcomes were followed; `None` if there are too many.
fn described_strategy(
    claim: Claim<'_>,
    found: &engine::Witness,
    strategy: &engine::GroupStrategy,
) -> Result<Option<StrategyTable>, ReplayFailure> {
    let Claim { model, formula, .. } = claim;
    let Operator::CanForce(_, path) = formula.operator(found.formula) else { return Ok(None) };
    let (goal, first, second) = match *formula.operator(*path) {
        Operator::Next(f) => (Goal::Next, None, Some(f)),
        Operator::Finally(g) => (Goal::Until, None, Some(g)),
        Operator::Until(f, g) => (Goal::Until, Some(f), Some(g)),
        Operator::Globally(f) => (Goal::Globally, Some(f), None),
        _ => return Ok(None),
    };
    let aim = Aim { goal, first, second };
    let followed = match (&strategy.fair, strategy.against.is_empty()) {
        (None, true) => follow(claim, found, strategy, &aim),
        (None, false) => follow_counter(claim, found, strategy, &aim),
        (Some(fair), true) => follow_fair(claim, found, (strategy, fair), &aim),
        (Some(fair), false) => follow_fair_counter(claim, found, (strategy, fair), &aim),
    };
    match followed {
        Ok(()) if strategy.against.is_empty() => Ok(Some(table(model, strategy))),
        Ok(()) => Ok(Some(counter_table(model, strategy))),
        Err(StrategyError::TooLarge) => Ok(None),
        Err(why) => Err(failure(model, found, why)),
    }
}

impl Claim<'_> {
    /// What an operand says by itself is looked up in the state; what it says about other states, diagrams
    /// have found.
    fn says(&self, id: Option<FormulaId>, state: &State, found: bool) -> bool {
        id.and_then(|id| plain_truth(self.model, self.formula, id, state)).unwrap_or(found)
    }
}

fn follow(
    claim: Claim<'_>,
    found: &engine::Witness,
    strategy: &engine::GroupStrategy,
    aim: &Aim,
) -> Result<(), StrategyError> {
    let plain = Strategy { actions: strategy.actions.clone(), choices: strategy.choices.clone() };
    follow_strategy(claim.model, &plain, &found.states[0], aim.goal, |state| {
        let is_end = strategy.ends.contains(state);
        (claim.says(aim.first, state, true), claim.says(aim.second, state, is_end))
    })
}

fn follow_counter(
    claim: Claim<'_>,
    found: &engine::Witness,
    strategy: &engine::GroupStrategy,
    aim: &Aim,
) -> Result<(), StrategyError> {
    let (width, group) = (claim.model.variables.len(), strategy.against.clone());
    let own = |longer: &State| group.iter().map(|variable| longer[variable.index()]).collect();
    let answers = strategy.choices.iter();
    let answers = answers.map(|(longer, answer)| (longer[..width].into(), own(longer), answer.clone()));
    let plain = CounterStrategy {
        answers: answers.collect(),
        others: strategy.actions.clone(),
        group: group.clone(),
    };
    follow_counter_strategy(claim.model, &plain, &found.states[0], aim.goal, |state| {
        let is_end = strategy.ends.contains(state);
        (aim.first.is_none() || claim.says(aim.first, state, !is_end), claim.says(aim.second, state, false))
    })
}

/// Which fairness constraints states meet: what a constraint says by itself is looked up in the state, and
/// the rest as diagrams have found it.
fn meets<'f>(
    claim: Claim<'f>,
    fair: &'f engine::FairOutcomes,
) -> impl FnMut(&State) -> Option<Vec<bool>> + use<'f> {
    let found: FxHashMap<&State, &[bool]> = fair.meets.iter().map(|(state, met)| (state, &**met)).collect();
    move |state| {
        let each = claim.fairness.iter().enumerate().map(|(number, constraint)| {
            let plain = plain_truth(claim.model, constraint, constraint.root(), state);
            plain.or_else(|| found.get(state).and_then(|met| met.get(number)).copied())
        });
        match each.collect::<Option<Vec<bool>>>() {
            Some(meets) => Some(meets),
            None if fair.unfair.contains(state) => None,
            // As if all were met: of what is not known, nothing is concluded.
            None => Some(vec![true; claim.fairness.len()]),
        }
    }
}

fn follow_fair(
    claim: Claim<'_>,
    found: &engine::Witness,
    (strategy, fair): (&engine::GroupStrategy, &engine::FairOutcomes),
    aim: &Aim,
) -> Result<(), StrategyError> {
    let plain = Strategy { actions: strategy.actions.clone(), choices: strategy.choices.clone() };
    let mut play = FairPlay {
        paths: claim.paths,
        constraint_count: claim.fairness.len(),
        meets: &mut meets(claim, fair),
        most_states: MOST_FAIR_STATES,
    };
    let holds = |state: &State| {
        let (is_end, is_violated) = (strategy.ends.contains(state), fair.violated.contains(state));
        let first = aim.first.is_none() || claim.says(aim.first, state, !is_violated);
        (first, claim.says(aim.second, state, is_end))
    };
    follow_fair_strategy(claim.model, &plain, &found.states[0], aim.goal, holds, &mut play)
}

fn follow_fair_counter(
    claim: Claim<'_>,
    found: &engine::Witness,
    (strategy, fair): (&engine::GroupStrategy, &engine::FairOutcomes),
    aim: &Aim,
) -> Result<(), StrategyError> {
    let mut play = FairPlay {
        paths: claim.paths,
        constraint_count: claim.fairness.len(),
        meets: &mut meets(claim, fair),
        most_states: MOST_FAIR_STATES,
    };
    if aim.goal == Goal::Globally {
        // Where it fails, a fair path begins: otherwise the state would not count.
        for end in &strategy.ends {
            if !begins_fair_path(claim.model, end, &mut play)? {
                return Err(StrategyError::FairPathFails);
            }
        }
        return follow_counter(claim, found, strategy, aim);
    }
    let width = claim.model.variables.len();
    let own = |longer: &State| strategy.against.iter().map(|variable| longer[variable.index()]).collect();
    let answers = strategy.choices.iter().map(|(longer, answer)| {
        let [.., turn, is_violated] = longer[..] else { unreachable!("what is remembered stands last") };
        let memory = Memory { turn: turn as usize, is_violated: is_violated == 1 };
        ((longer[..width].into(), memory, own(longer)), answer.clone())
    });
    let plain = FairCounterStrategy {
        group: strategy.against.clone(),
        others: strategy.actions.clone(),
        answers: answers.collect(),
    };
    let holds = |state: &State| {
        let first = aim.first.is_none() || claim.says(aim.first, state, !fair.violated.contains(state));
        (first, claim.says(aim.second, state, false))
    };
    follow_fair_counter_strategy(claim.model, &plain, &found.states[0], aim.goal, holds, &mut play)
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
