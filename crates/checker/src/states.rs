//! The reachable state space: its exact size and a few figures about it.

use crate::ask::{ask, strategy_of};
use crate::colours::MarkingDiagrams;
use crate::folded;
use crate::hierarchies::check_choices;
use crate::hierarchy_plan::{hierarchy_report, hierarchy_summary};
use crate::loaded::{Language, Loaded};
use crate::options::{Diagram, EdgesChoice, Options, StrategyChoice};
use crate::policy;
use crate::policy::states::MOST_LEVELS_FOR_EDGES;
use crate::report::{Amount, FoundBy, NodesMade, Outcome, StateCount, StatesReport, VtreeReport};
use crate::stop::Stop;
use num_bigint::BigUint;
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::{
    Capability, DiagramKind, Explored, Question, RelationSize, StateSets, Strategy, VtreePlan, layer_sizes,
    order,
};
use symbolon_explicit as explicit;
use symbolon_symmetry::{Quotient, SpelledFigures};

/// Explores the model and reports on all reachable states.
pub(crate) fn states(loaded: &Loaded, options: &Options, budget: &Budget) -> Result<StatesReport, Stop> {
    check_choices(loaded, options)?;
    if let Some(infinite) = infinite(loaded) {
        return Ok(infinite);
    }
    if let Some(quotient) = loaded.quotient() {
        return Ok(of_quotient(quotient));
    }
    if let Some(found) = loaded.marking_diagrams() {
        return Ok(of_marking_diagrams(found));
    }
    if options.diagram == Diagram::Explicit {
        return Ok(by_explicit(loaded, budget, false)?);
    }
    ask(loaded, options, budget, StatesQuestion { loaded, options, by_layers: false })
}

/// The report on all reachable states, with the sizes of their layers if these are asked for.
pub(crate) struct StatesQuestion<'a> {
    pub(crate) loaded: &'a Loaded,
    pub(crate) options: &'a Options,
    pub(crate) by_layers: bool,
}

impl Question for StatesQuestion<'_> {
    type Answer = StatesReport;

    fn needs(&self) -> Vec<Capability> {
        match self.loaded.counters().is_some() {
            true => vec![Capability::WeightedCount],
            false => Vec::new(),
        }
    }

    fn answer<S: StateSets>(self, mut explored: Explored<S>) -> Result<StatesReport, Interrupted> {
        let sizes = match (self.by_layers, self.loaded.counters()) {
            (false, _) => None,
            (true, None) => Some(layer_sizes(&mut explored.sets)?),
            (true, Some(counters)) => Some(folded::layer_sizes(&mut explored.sets, counters)?),
        };
        let report = report(self.loaded, self.options, &mut explored)?;
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
pub(crate) fn report<S: StateSets>(
    loaded: &Loaded,
    options: &Options,
    explored: &mut Explored<S>,
) -> Result<StatesReport, Interrupted> {
    let Explored { sets, reached, plan, hierarchy, vtree, depth } = explored;
    let statistics = sets.statistics();
    let (figures, symbolic_states) = match loaded.counters() {
        None => (sets.figures(reached)?, None),
        Some(counters) => {
            let (figures, symbolic) = folded::figures(sets, reached, counters)?;
            (figures, Some(symbolic))
        }
    };
    let count_edges = |sets: &mut S| match loaded.counters() {
        None => sets.count_edges(reached),
        Some(counters) => folded::count_edges(sets, reached, counters).map(Some),
    };
    let edges = match options.edges {
        EdgesChoice::No => None,
        // The number of states is known: running out now does not take it back.
        EdgesChoice::Yes => count_edges(sets).ok().flatten(),
        EdgesChoice::Auto if sets.level_count() > MOST_LEVELS_FOR_EDGES => None,
        EdgesChoice::Auto => {
            sets.meter().grant_steps(Some(policy::EDGES.after(statistics.steps)));
            let edges = count_edges(sets);
            sets.meter().grant_steps(None);
            edges.ok().flatten()
        }
    };
    let is_net = loaded.language() == Language::Net;
    Ok(StatesReport {
        is_synchronous: loaded.model.is_synchronous(),
        states: StateCount::Finite(figures.states),
        symbolic_states,
        symmetry: loaded.counters().map(|_| "counters"),
        spelled: None,
        edges: edges.map(Amount::Finite),
        max_tokens_in_place: is_net.then(|| Amount::Finite(figures.largest_value.into())),
        max_tokens_per_marking: is_net.then_some(Amount::Finite(figures.largest_sum)),
        depth: *depth,
        distances: None,
        found_by: FoundBy::Diagrams {
            diagram: sets.kind().map_or("", DiagramKind::name),
            strategy: strategy_name(strategy_of(loaded, options)),
        },
        strategy_reason: strategy_reason(loaded, options, sets),
        variable_order: Some(plan.name.clone()),
        order_reason: plan.why.clone(),
        order_text: options.texts.then(|| order::save(&loaded.model, &plan.blocks, &plan.order)),
        hierarchy: hierarchy.as_ref().map(|hierarchy| {
            if options.texts {
                hierarchy_report(loaded, plan, hierarchy)
            } else {
                hierarchy_summary(hierarchy)
            }
        }),
        vtree: vtree.clone().map(|VtreePlan { name, why, text, size }| VtreeReport {
            name,
            reason: why,
            text,
            size,
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

/// Nodes made by this command, by kernel, those of races and tries included.
fn nodes_made<S: StateSets>(sets: &mut S) -> NodesMade {
    let own = sets.statistics().created_nodes;
    let kernel = sets.kind().map(DiagramKind::kernel);
    let progress = sets.meter().budget().progress();
    NodesMade::by_kernel(|name| progress.made(name) + if kernel == Some(name) { own } else { 0 })
}

fn strategy_name(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Bfs => "bfs",
        Strategy::Chaining => "chaining",
        Strategy::Saturation => "saturation",
    }
}

fn strategy_reason<S: StateSets>(loaded: &Loaded, options: &Options, sets: &S) -> String {
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
    let exploration = explicit::explore(&loaded.model, &explicit::Options::default(), budget)?;
    let count = exploration.state_count();
    let is_net = loaded.language() == Language::Net;
    Ok(StatesReport {
        is_synchronous: loaded.model.is_synchronous(),
        states: StateCount::Finite(count.into()),
        symbolic_states: None,
        symmetry: None,
        spelled: None,
        edges: exploration.edges().map(|count| Amount::Finite(count.into())),
        max_tokens_in_place: is_net.then(|| Amount::Finite(exploration.max_in_variable().into())),
        max_tokens_per_marking: is_net.then(|| Amount::Finite(exploration.max_sum().into())),
        depth: Some(exploration.depth() as u64),
        distances: by_layers.then(|| exploration.layer_sizes().map(BigUint::from).collect()),
        found_by: FoundBy::PlainStates,
        strategy_reason: "explicit states are found one by one, the nearest first".into(),
        variable_order: None,
        order_reason: "explicit states have no levels".into(),
        order_text: None,
        hierarchy: None,
        vtree: None,
        levels: 0,
        nodes_final: count as u64,
        nodes_peak: count as u64,
        node_bytes_peak: 0,
        set_nodes: 0,
        steps: exploration.edge_count(),
        nodes_made: NodesMade::default(),
    })
}

/// The report of symbolic markings that were counted in diagrams.
fn of_marking_diagrams(found: &MarkingDiagrams) -> StatesReport {
    let SpelledFigures { nodes, share, average_length } = &found.spelled;
    StatesReport {
        is_synchronous: false,
        states: StateCount::Finite(found.markings.clone()),
        symbolic_states: Some(found.symbolic.clone()),
        symmetry: Some("markings"),
        spelled: Some(found.spelled),
        edges: None,
        max_tokens_in_place: None,
        max_tokens_per_marking: None,
        depth: Some(found.rounds.saturating_sub(1)),
        distances: None,
        found_by: FoundBy::Diagrams { diagram: DiagramKind::Ddd.name(), strategy: "bfs" },
        strategy_reason: format!(
            "symbolic markings, the nearest first; with motifs spelled out {nodes} nodes, {:.1} % shared, \
             sequences of {average_length:.1} nodes on average",
            100.0 * share
        ),
        variable_order: None,
        order_reason: "one level per free class and place".into(),
        order_text: None,
        hierarchy: None,
        vtree: None,
        levels: found.levels as u64,
        nodes_final: found.nodes as u64,
        nodes_peak: found.nodes as u64,
        node_bytes_peak: 0,
        set_nodes: 0,
        steps: found.rounds,
        nodes_made: NodesMade::default(),
    }
}

/// The report of symbolic markings, which were explored when the model was loaded.
pub(crate) fn of_quotient(quotient: &Quotient) -> StatesReport {
    let figures = quotient.figures();
    let count = quotient.symbolic_count();
    StatesReport {
        is_synchronous: false,
        states: StateCount::Finite(figures.markings.clone()),
        symbolic_states: Some(count.into()),
        symmetry: Some("markings"),
        spelled: None,
        edges: Some(Amount::Finite(figures.edges.clone())),
        max_tokens_in_place: Some(Amount::Finite(figures.largest_count.into())),
        max_tokens_per_marking: Some(Amount::Finite(figures.largest_sum.into())),
        depth: None,
        distances: None,
        found_by: FoundBy::PlainStates,
        strategy_reason: "symbolic markings are found one by one, the nearest first".into(),
        variable_order: None,
        order_reason: "symbolic markings have no levels".into(),
        order_text: None,
        hierarchy: None,
        vtree: None,
        levels: 0,
        nodes_final: count as u64,
        nodes_peak: count as u64,
        node_bytes_peak: 0,
        set_nodes: 0,
        steps: quotient.step_count() as u64,
        nodes_made: NodesMade::default(),
    }
}

/// What is said of a model that is proved unbounded.
pub(crate) fn infinite(loaded: &Loaded) -> Option<StatesReport> {
    let why = loaded.unboundedness()?;
    let tokens = (loaded.language() == Language::Net).then_some(Amount::Infinite);
    let round = loaded.growing_round().unwrap_or_default();
    let order_reason = match (loaded.language(), round.len()) {
        (Language::Net, _) => format!("{why}: a repeatable run adds to it"),
        (_, 0 | LONG_ROUND..) => format!("{why}: a run that can be repeated adds to it"),
        _ => format!("{why}: each round of {} adds to it", round.join(", ")),
    };
    Some(StatesReport {
        is_synchronous: false,
        states: StateCount::Infinite { why },
        symbolic_states: None,
        symmetry: None,
        spelled: None,
        edges: Some(Amount::Infinite),
        max_tokens_in_place: tokens.clone(),
        max_tokens_per_marking: tokens,
        depth: None,
        distances: None,
        found_by: FoundBy::Structure,
        strategy_reason: "there are infinitely many states".into(),
        variable_order: None,
        order_reason,
        order_text: None,
        hierarchy: None,
        vtree: None,
        levels: 0,
        nodes_final: 0,
        nodes_peak: 0,
        node_bytes_peak: 0,
        set_nodes: 0,
        steps: 0,
        nodes_made: NodesMade::default(),
    })
}

/// Longer rounds are not shown.
const LONG_ROUND: usize = 6;
