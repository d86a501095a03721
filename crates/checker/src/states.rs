//! The reachable state space: its exact size and a few figures about it.

use crate::error::Error;
use crate::hierarchies::{check_choices, hierarchy_choice};
use crate::load::{Language, Loaded, unknown};
use crate::options::{Diagram, EdgesChoice, Options, ReorderChoice, StrategyChoice};
use crate::orders::order_choice;
use crate::report::{
    Amount, HierarchyReport, NodesMade, Outcome, PartialReport, Reason, StateCount, StatesReport, Unknown,
};
use num_bigint::BigUint;
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::{
    BddSets, DiagramKind, ExploreOptions, Explored, Failure, HierarchyPlan, HierarchySets, MddSets, Plan,
    RelationSize, Reordering, Saturation, Strategy, binary_level_count, deep_stack, explore, explore_binary,
    explore_flat, explore_hierarchy, hierarchy, layer_sizes, order,
};
use symbolon_explicit as explicit;
use symbolon_model::Model;

/// Under `auto`, edges of diagrams with more levels are not counted: their counts have so many digits
/// that this takes several times as long as exploring.
const MOST_LEVELS_FOR_EDGES: usize = 2_000;
/// Steps that counting edges may take under `auto`: so many a step of exploring, and so many more.
const EDGE_STEPS_PER_STEP: u64 = 20;
const EDGE_STEPS: u64 = 4_000_000;

/// Explores the model and reports on all reachable states.
pub fn states(loaded: &Loaded, options: &Options, budget: &Budget) -> Result<Outcome<StatesReport>, Error> {
    check_choices(loaded, options)?;
    if let Some(place) = loaded.unbounded_place() {
        return Ok(Outcome::Done(infinite(place)));
    }
    if options.diagram == Diagram::Explicit {
        return Ok(by_explicit(loaded, budget, false));
    }
    ask(loaded, options, budget, StatesQuestion { loaded, options, by_layers: false })
}

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
) -> Result<Outcome<Q::Answer>, Error> {
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
) -> Result<Outcome<T>, Error> {
    let wish = explore_options(loaded, options)?;
    let reordering = match options.reorder {
        ReorderChoice::Off => Reordering::Off,
        ReorderChoice::Dynamic => Reordering::Dynamic,
    };
    let explored = || explore_binary(&loaded.model, &wish, reordering, budget);
    let levels = binary_level_count(&loaded.model);
    Ok(on_stack_for(levels, budget, explored, |mut explored| then(&mut explored)))
}

/// Explores with multi-valued diagrams, on a stack that is deep enough, and hands the result to `then`.
pub(crate) fn with_explored<T: Send>(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
    then: impl FnOnce(&mut Explored<MddSets>) -> Result<T, Interrupted> + Send,
) -> Result<Outcome<T>, Error> {
    let wish = explore_options(loaded, options)?;
    let explored = || explore(&loaded.model, &wish, budget);
    Ok(on_deep_stack(loaded, budget, explored, |mut explored| then(&mut explored)))
}

/// Explores with data decision diagrams or with set diagrams, likewise.
pub(crate) fn with_explored_hierarchy<T: Send>(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
    then: impl FnOnce(&mut Explored<HierarchySets>) -> Result<T, Interrupted> + Send,
) -> Result<Outcome<T>, Error> {
    let wish = explore_options(loaded, options)?;
    if options.diagram == Diagram::Ddd {
        let explored = || explore_flat(&loaded.model, &wish, budget);
        return Ok(on_deep_stack(loaded, budget, explored, |mut explored| then(&mut explored)));
    }
    let choice = hierarchy_choice(loaded, &options.hierarchy)?;
    let explored = || explore_hierarchy(&loaded.model, &wish, &choice, budget);
    Ok(on_deep_stack(loaded, budget, explored, |mut explored| then(&mut explored)))
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
    let mut failure = None;
    let answer = deep_stack::run(levels, budget, || match explored() {
        Ok(explored) => then(explored).map(Some),
        Err(why) => {
            failure = Some(why);
            Ok(None)
        }
    });
    match (answer, failure) {
        (Ok(Some(answer)), _) => Outcome::Done(answer),
        (_, Some(Failure::Interrupted(why, partial))) => Outcome::Unknown(unknown(
            why,
            PartialReport {
                states_at_least: partial.states_at_least,
                nodes: partial.nodes,
                steps: partial.steps,
            },
        )),
        (_, Some(Failure::Unsupported(what))) => Outcome::Unknown(Unknown {
            reason: Reason::Unsupported,
            detail: what.to_string(),
            partial: PartialReport::default(),
        }),
        (Err(why), None) => Outcome::Unknown(unknown(why, progress_so_far(budget))),
        (Ok(None), None) => unreachable!("no answer without a failure"),
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

/// The report on all reachable states, with the sizes of their layers if these are asked for.
pub(crate) struct StatesQuestion<'a> {
    pub(crate) loaded: &'a Loaded,
    pub(crate) options: &'a Options,
    pub(crate) by_layers: bool,
}

impl Question for StatesQuestion<'_> {
    type Answer = StatesReport;

    fn answer<S: Saturation>(self, explored: &mut Explored<S>) -> Result<StatesReport, Interrupted> {
        let sizes = if self.by_layers { Some(layer_sizes(&mut explored.sets)?) } else { None };
        let report = report(self.loaded, self.options, explored)?;
        Ok(match sizes {
            None => report,
            Some(sizes) => {
                let strategy_reason = "distances are counted layer by layer".into();
                StatesReport { distances: Some(sizes), strategy_reason, ..report }
            }
        })
    }
}

/// The report on all reachable states.
pub(crate) fn report<S: Saturation>(
    loaded: &Loaded,
    options: &Options,
    explored: &mut Explored<S>,
) -> Result<StatesReport, Interrupted> {
    let Explored { sets, reached, plan, hierarchy, depth } = explored;
    let statistics = sets.statistics();
    let figures = sets.figures(reached)?;
    let edges = match options.edges {
        EdgesChoice::No => None,
        // The number of states is known: running out now does not take it back.
        EdgesChoice::Yes => sets.count_edges(reached).ok().flatten(),
        EdgesChoice::Auto if sets.level_count() > MOST_LEVELS_FOR_EDGES => None,
        EdgesChoice::Auto => {
            let steps = statistics.steps.saturating_mul(EDGE_STEPS_PER_STEP).saturating_add(EDGE_STEPS);
            sets.meter().grant_steps(Some(steps));
            let edges = sets.count_edges(reached);
            sets.meter().grant_steps(None);
            edges.ok().flatten()
        }
    };
    let is_net = loaded.language == Language::Net;
    Ok(StatesReport {
        is_synchronous: loaded.model.is_synchronous(),
        states: StateCount::Finite(figures.states),
        edges: edges.map(Amount::Finite),
        max_tokens_in_place: is_net.then(|| Amount::Finite(figures.largest_value.into())),
        max_tokens_per_marking: is_net.then_some(Amount::Finite(figures.largest_sum)),
        depth: *depth,
        distances: None,
        diagram: sets.kind().map_or("", DiagramKind::name),
        strategy: strategy_name(strategy_of(options.strategy, &loaded.model)),
        strategy_reason: strategy_reason(loaded, options, sets),
        variable_order: plan.name.clone(),
        order_reason: plan.why.clone(),
        order_text: if options.texts {
            order::save(&loaded.model, &plan.blocks, &plan.order)
        } else {
            String::new()
        },
        hierarchy: hierarchy.as_ref().map(|hierarchy| {
            if options.texts {
                hierarchy_report(loaded, plan, hierarchy)
            } else {
                hierarchy_summary(hierarchy)
            }
        }),
        levels: sets.level_count() as u64,
        nodes_final: figures.nodes as u64,
        nodes_peak: statistics.peak_nodes as u64,
        node_bytes_peak: statistics.peak_node_bytes,
        set_nodes: sets.set_node_count(reached) as u64,
        steps: statistics.steps,
        nodes_made: nodes_made(sets),
    })
}

/// Nodes made by this command, by kind of diagram, those of races and tries included.
fn nodes_made<S: Saturation>(sets: &mut S) -> NodesMade {
    let own = sets.statistics().created_nodes;
    let kind = sets.kind();
    let progress = sets.meter().budget().progress();
    NodesMade {
        mdd: progress.made(MddSets::KERNEL) + if kind == Some(DiagramKind::Mdd) { own } else { 0 },
        bdd: progress.made(BddSets::KERNEL) + if kind == Some(DiagramKind::Bdd) { own } else { 0 },
        hierarchical: progress.made(HierarchySets::KERNEL)
            + if matches!(kind, Some(DiagramKind::Ddd | DiagramKind::Set)) { own } else { 0 },
    }
}

pub(crate) fn hierarchy_report(loaded: &Loaded, plan: &Plan, chosen: &HierarchyPlan) -> HierarchyReport {
    let text = hierarchy::save(&loaded.model, &plan.blocks, &chosen.tree);
    HierarchyReport { text, ..hierarchy_summary(chosen) }
}

/// What is told of a hierarchy that nobody wants to save.
fn hierarchy_summary(chosen: &HierarchyPlan) -> HierarchyReport {
    let (components, depth) = chosen.tree.size();
    HierarchyReport {
        name: chosen.name.clone(),
        reason: chosen.why.clone(),
        text: String::new(),
        components: components as u64,
        depth: depth as u64,
    }
}

fn strategy_name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Bfs => "bfs",
        Strategy::Chaining => "chaining",
        Strategy::Saturation => "saturation",
    }
}

fn strategy_reason<S: Saturation>(loaded: &Loaded, options: &Options, sets: &S) -> String {
    let mut reason = match (options.strategy, loaded.model.is_synchronous()) {
        (StrategyChoice::Auto, true) => {
            "all components step at once, which leaves nothing to saturate: search from the newest states alone"
        }
        (StrategyChoice::Auto, false) => "events are fired where they act",
        _ => "as asked",
    }
    .to_string();
    let relations = sets.relation_statistics().and_then(|relations| relations.relation_size());
    if let Some(RelationSize { conjuncts, clusters }) = relations {
        reason += &format!("; the conjuncts of the step are clustered, from {conjuncts} to {clusters}");
    }
    reason
}

/// The report of a table of all states, with the sizes of their layers if these are asked for.
pub(crate) fn by_explicit(loaded: &Loaded, budget: &Budget, by_layers: bool) -> Outcome<StatesReport> {
    match explicit::explore(&loaded.model, &explicit::Options::default(), budget) {
        Ok(exploration) => {
            let count = exploration.state_count();
            let is_net = loaded.language == Language::Net;
            Outcome::Done(StatesReport {
                is_synchronous: loaded.model.is_synchronous(),
                states: StateCount::Finite(count.into()),
                edges: exploration.edges().map(|count| Amount::Finite(count.into())),
                max_tokens_in_place: is_net.then(|| Amount::Finite(exploration.max_in_variable().into())),
                max_tokens_per_marking: is_net.then(|| Amount::Finite(exploration.max_sum().into())),
                depth: Some(exploration.depth() as u64),
                distances: by_layers.then(|| exploration.layer_sizes().map(BigUint::from).collect()),
                diagram: "explicit",
                strategy: "bfs",
                strategy_reason: "explicit states are found one by one, the nearest first".into(),
                variable_order: "as-given".into(),
                order_reason: "explicit states have no levels".into(),
                order_text: String::new(),
                hierarchy: None,
                levels: 0,
                nodes_final: count as u64,
                nodes_peak: count as u64,
                node_bytes_peak: 0,
                set_nodes: 0,
                steps: exploration.edge_count(),
                nodes_made: NodesMade::default(),
            })
        }
        Err(stopped) => Outcome::Unknown(explicit_unknown(stopped)),
    }
}

/// The report of an explicit exploration that did not end.
pub(crate) fn explicit_unknown(stopped: explicit::Stopped) -> Unknown {
    let partial = PartialReport {
        states_at_least: Some(stopped.states.into()),
        nodes: stopped.states as u64,
        steps: stopped.states as u64,
    };
    match stopped.reason {
        explicit::Reason::Interrupted(why) => unknown(why, partial),
        explicit::Reason::Overflow { .. } => unknown(Interrupted::Overflow, partial),
        explicit::Reason::StateLimit => unknown(Interrupted::Steps, partial),
        // What is wrong with the formula, and not with what was left of the limits.
        explicit::Reason::FormulaTooLarge
        | explicit::Reason::AtomWithoutValue
        | explicit::Reason::UnknownAgent
        | explicit::Reason::Unsupported => {
            Unknown { reason: Reason::Unsupported, detail: stopped.reason.to_string(), partial }
        }
    }
}

/// What is said of a model with a place that is proved unbounded.
pub(crate) fn infinite(place: &str) -> StatesReport {
    StatesReport {
        is_synchronous: false,
        states: StateCount::Infinite { place: place.to_string() },
        edges: Some(Amount::Infinite),
        max_tokens_in_place: Some(Amount::Infinite),
        max_tokens_per_marking: Some(Amount::Infinite),
        depth: None,
        distances: None,
        diagram: "none",
        strategy: "structural",
        strategy_reason: "there is no end to explore to".into(),
        variable_order: "none".into(),
        order_reason: format!("place '{place}' is unbounded: a repeatable run adds to it"),
        order_text: String::new(),
        hierarchy: None,
        levels: 0,
        nodes_final: 0,
        nodes_peak: 0,
        node_bytes_peak: 0,
        set_nodes: 0,
        steps: 0,
        nodes_made: NodesMade::default(),
    }
}
