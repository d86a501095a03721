//! The way from a question to the kind of diagram that answers it.
//!
//! A [`Question`] is asked of all reachable states, whatever stores them. [`ask`] chooses the kind
//! of diagram, and the engine's table of kinds does the rest: it explores, on a stack that is deep
//! enough, and hands the explored sets to the question. That is a callback, because the type of the
//! sets differs from kind to kind.

use crate::error::Error;
use crate::hierarchies::hierarchy_choice;
use crate::loaded::Loaded;
use crate::options::{Diagram, Options, ReorderChoice, StrategyChoice};
use crate::orders::order_choice;
use crate::phase::Phase;
use crate::report::{Outcome, PartialReport, Unknown};
use crate::stop::Stop;
use crate::vtrees::vtree_choice;
use std::sync::Arc;
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::order::{Blocks, Order};
use symbolon_engine::{
    self as engine, DiagramKind, ExploreOptions, Explored, Failure, PartialAnswer, Plan, Question,
    Reordering, Strategy, deep_stack, stack_levels, supports,
};
use symbolon_symmetry::{Quotient, QuotientSets};

/// Explores with the kind of diagram that was asked for, and puts a question to the result.
pub(crate) fn ask<Q>(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
    question: Q,
) -> Result<Q::Answer, Stop>
where
    Q: Question<Answer: Send> + Send,
{
    if let Some(quotient) = loaded.quotient() {
        return ask_quotient(loaded, quotient, budget, question);
    }
    let kind = kind_for(loaded, options);
    let wish = explore_options(loaded, options)?;
    budget.progress().enter(Phase::Exploring.name());
    let question = Announced { question, budget };
    let work = || Ok(engine::ask(kind, &loaded.model, &wish, budget, question));
    let answer = deep_stack::run(stack_levels(kind, &loaded.model), budget, work);
    let unknown = match answer {
        Ok(Ok(Ok(answer))) => return Ok(answer),
        Ok(Err(failure)) => unexplored(failure),
        Ok(Ok(Err(why))) | Err(why) => Unknown::interrupted(why, progress_so_far(budget)),
    };
    Err(unknown.into())
}

/// Puts a question to symbolic markings, which were explored when the model was loaded.
fn ask_quotient<Q: Question>(
    loaded: &Loaded,
    quotient: &Arc<Quotient>,
    budget: &Budget,
    question: Q,
) -> Result<Q::Answer, Stop> {
    let answer = || {
        let sets = QuotientSets::new(Arc::clone(quotient), budget)?;
        let blocks = Blocks::single(&loaded.model);
        let order = Order::as_given(blocks.len());
        let why = "symbolic markings have no levels".to_string();
        let plan = Plan { blocks, order, name: "as-given".into(), why };
        let explored =
            Explored { reached: sets.all(), sets, plan, hierarchy: None, vtree: None, depth: None };
        Announced { question, budget }.answer(explored)
    };
    answer().map_err(|why| Unknown::interrupted(why, progress_so_far(budget)).into())
}

/// A question that announces the phase in which it is answered.
struct Announced<'a, Q> {
    question: Q,
    budget: &'a Budget,
}

impl<Q: Question> Question for Announced<'_, Q> {
    type Answer = Q::Answer;

    fn needs(&self) -> Vec<engine::Capability> {
        self.question.needs()
    }

    fn answer<S: engine::StateSets>(self, explored: engine::Explored<S>) -> Result<Q::Answer, Interrupted> {
        self.budget.progress().enter(Phase::Answering.name());
        self.question.answer(explored)
    }
}

/// The kind of diagram that answers. A choice left open falls on binary diagrams for synchronous
/// steps, and on multi-valued ones otherwise. A question that comes here although a plain table of
/// states was asked for needs a diagram all the same: a picture of one, for instance.
pub(crate) fn kind_for(loaded: &Loaded, options: &Options) -> DiagramKind {
    match options.diagram {
        Diagram::Kind(kind) => kind,
        Diagram::Auto if loaded.model.is_synchronous() => DiagramKind::Bdd,
        Diagram::Auto | Diagram::Explicit => DiagramKind::Mdd,
    }
}

/// Whether a method that only multi-valued diagrams offer may answer.
pub(crate) fn is_mdd_or_open(diagram: Diagram) -> bool {
    matches!(diagram, Diagram::Auto | Diagram::Kind(DiagramKind::Mdd))
}

pub(crate) fn explore_options(loaded: &Loaded, options: &Options) -> Result<ExploreOptions, Error> {
    Ok(ExploreOptions {
        order: order_choice(loaded, &options.variable_order)?,
        strategy: strategy_of(loaded, options),
        hierarchy: hierarchy_choice(loaded, &options.hierarchy)?,
        vtree: vtree_choice(&options.vtree)?,
        quantification: options.quantification,
        reordering: match options.reorder {
            ReorderChoice::Off => Reordering::Off,
            ReorderChoice::Result => Reordering::Result,
            ReorderChoice::Dynamic => Reordering::Dynamic,
        },
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

/// The same, on a stack for this many levels.
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
pub(crate) fn strategy_of(loaded: &Loaded, options: &Options) -> Strategy {
    match options.strategy {
        StrategyChoice::Auto => {
            let best = Strategy::for_model(&loaded.model);
            let kind = kind_for(loaded, options);
            let has_all = best.needs().iter().all(|&need| supports(kind, &loaded.model, need));
            if has_all { best } else { Strategy::Chaining }
        }
        StrategyChoice::Saturation => Strategy::Saturation,
        StrategyChoice::Bfs => Strategy::Bfs,
        StrategyChoice::Chaining => Strategy::Chaining,
    }
}
