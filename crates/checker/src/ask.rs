//! The way from a question to the kind of diagram that answers it.
//!
//! A [`Question`] is asked of all reachable states, whatever stores them. [`ask`] explores with the kind
//! of diagram that the options name, on a stack that is deep enough, and hands the explored sets to the
//! question: a callback, because the type of the sets differs from kind to kind.

use crate::error::Error;
use crate::hierarchies::hierarchy_choice;
use crate::loaded::Loaded;
use crate::options::{Diagram, Options, ReorderChoice, StrategyChoice};
use crate::orders::order_choice;
use crate::phase::Phase;
use crate::report::{Outcome, PartialReport, Unknown};
use crate::stop::Stop;
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::{
    BddSets, ExploreOptions, Explored, Failure, HierarchySets, MddSets, PartialAnswer, Reordering,
    Saturation, Strategy, binary_level_count, deep_stack, explore, explore_binary, explore_flat,
    explore_hierarchy,
};
use symbolon_model::Model;

/// A question about all reachable states that every kind of state sets can answer.
pub(crate) trait Question: Send {
    type Answer: Send;

    /// The answer.
    fn answer<S: Saturation>(self, explored: &mut Explored<S>) -> Result<Self::Answer, Interrupted>;
}

/// Explores with the kind of diagram that was asked for, and puts a question to the result.
pub(crate) fn ask<Q: Question>(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
    question: Q,
) -> Result<Q::Answer, Stop> {
    match diagram_for(loaded, options) {
        Diagram::Bdd => with_explored_binary(loaded, options, budget, |explored| question.answer(explored)),
        Diagram::Ddd | Diagram::Set => {
            with_explored_hierarchy(loaded, options, budget, |explored| question.answer(explored))
        }
        Diagram::Auto | Diagram::Explicit | Diagram::Mdd => {
            with_explored(loaded, options, budget, |explored| question.answer(explored))
        }
    }
}

/// The kind of diagram that answers: a choice left open falls on binary diagrams for synchronous steps.
pub(crate) fn diagram_for(loaded: &Loaded, options: &Options) -> Diagram {
    match options.diagram {
        Diagram::Auto if loaded.model.is_synchronous() => Diagram::Bdd,
        diagram => diagram,
    }
}

/// Explores with binary diagrams, on a stack that is deep enough, and hands the result to `then`.
pub(crate) fn with_explored_binary<T: Send>(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
    then: impl FnOnce(&mut Explored<BddSets>) -> Result<T, Interrupted> + Send,
) -> Result<T, Stop> {
    let wish = explore_options(loaded, options)?;
    let explored = || explore_binary(&loaded.model, &wish, reordering_of(options), budget);
    let levels = binary_level_count(&loaded.model);
    Ok(on_stack_for(levels, budget, explored, |mut explored| then(&mut explored))?)
}

/// Explores with multi-valued diagrams, on a stack that is deep enough, and hands the result to `then`.
pub(crate) fn with_explored<T: Send>(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
    then: impl FnOnce(&mut Explored<MddSets>) -> Result<T, Interrupted> + Send,
) -> Result<T, Stop> {
    let wish = explore_options(loaded, options)?;
    let explored = || explore(&loaded.model, &wish, budget);
    Ok(on_deep_stack(loaded, budget, explored, |mut explored| then(&mut explored))?)
}

/// Explores with data decision diagrams or with set diagrams, likewise.
pub(crate) fn with_explored_hierarchy<T: Send>(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
    then: impl FnOnce(&mut Explored<HierarchySets>) -> Result<T, Interrupted> + Send,
) -> Result<T, Stop> {
    let wish = explore_options(loaded, options)?;
    if options.diagram == Diagram::Ddd {
        let explored = || explore_flat(&loaded.model, &wish, budget);
        return Ok(on_deep_stack(loaded, budget, explored, |mut explored| then(&mut explored))?);
    }
    let choice = hierarchy_choice(loaded, &options.hierarchy)?;
    let explored = || explore_hierarchy(&loaded.model, &wish, &choice, budget);
    Ok(on_deep_stack(loaded, budget, explored, |mut explored| then(&mut explored))?)
}

/// Whether variables of binary diagrams are moved.
pub(crate) fn reordering_of(options: &Options) -> Reordering {
    match options.reorder {
        ReorderChoice::Off => Reordering::Off,
        ReorderChoice::Dynamic => Reordering::Dynamic,
    }
}

pub(crate) fn explore_options(loaded: &Loaded, options: &Options) -> Result<ExploreOptions, Error> {
    Ok(ExploreOptions {
        order: order_choice(loaded, &options.variable_order)?,
        strategy: strategy_of(options.strategy, &loaded.model),
        ..ExploreOptions::default()
    })
}

/// Explores on a stack that is deep enough for the model, and hands the result to `then`.
pub(crate) fn on_deep_stack<E, T: Send>(
    loaded: &Loaded,
    budget: &Budget,
    explored: impl FnOnce() -> Result<E, Failure> + Send,
    then: impl FnOnce(E) -> Result<T, Interrupted> + Send,
) -> Outcome<T> {
    on_stack_for(loaded.model.variables.len() + loaded.model.actions.len(), budget, explored, then)
}

/// The same, on a stack for so many levels.
pub(crate) fn on_stack_for<E, T: Send>(
    levels: usize,
    budget: &Budget,
    explored: impl FnOnce() -> Result<E, Failure> + Send,
    then: impl FnOnce(E) -> Result<T, Interrupted> + Send,
) -> Outcome<T> {
    budget.progress().enter(Phase::Exploring.name());
    let mut failure = None;
    let answer = deep_stack::run(levels, budget, || match explored() {
        Ok(explored) => {
            budget.progress().enter(Phase::Answering.name());
            then(explored).map(Some)
        }
        Err(why) => {
            failure = Some(why);
            Ok(None)
        }
    });
    match (answer, failure) {
        (Ok(Some(answer)), _) => Ok(answer),
        (_, Some(failure)) => Err(unexplored(failure)),
        (Err(why), None) => Err(Unknown::interrupted(why, progress_so_far(budget))),
        (Ok(None), None) => unreachable!("no answer without a failure"),
    }
}

/// The report of an exploration that did not end.
fn unexplored(failure: Failure) -> Unknown {
    match failure {
        Failure::Interrupted(why, partial) => {
            let PartialAnswer { states_at_least, nodes, steps } = partial;
            Unknown::interrupted(why, PartialReport { states_at_least, nodes, steps })
        }
        Failure::Unsupported(what) => Unknown::unsupported(what.to_string()),
    }
}

fn progress_so_far(budget: &Budget) -> PartialReport {
    let progress = budget.progress();
    PartialReport { states_at_least: None, nodes: progress.nodes(), steps: progress.steps() }
}

/// The strategy that explores.
pub(crate) fn strategy_of(choice: StrategyChoice, model: &Model) -> Strategy {
    match choice {
        StrategyChoice::Auto => Strategy::for_model(model),
        StrategyChoice::Saturation => Strategy::Saturation,
        StrategyChoice::Bfs => Strategy::Bfs,
        StrategyChoice::Chaining => Strategy::Chaining,
    }
}
