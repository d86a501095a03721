//! All reachable states, with the number of them at each distance from the initial ones.
//!
//! Multi-valued diagrams saturate weights on their edges, which gives all distances at once. The
//! other diagrams, and steps that all components take together, go layer by layer; a table of
//! states is filled that way.

use crate::ask::{ask, is_mdd_or_open, on_stack_for};
use crate::error::InputError;
use crate::hierarchies::check_choices;
use crate::loaded::Loaded;
use crate::options::{Diagram, Options, StrategyChoice};
use crate::orders::order_choice;
use crate::report::StatesReport;
use crate::states::{StatesQuestion, by_explicit, infinite, of_quotient, report};
use crate::stop::Stop;
use num_bigint::BigUint;
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::bounded::distances;
use symbolon_engine::{Capability, DiagramKind, Explored, Question, StateSets, layer_sizes, supports};

/// Functions with weights recurse with larger frames than sets do.
pub(crate) const STACKS: usize = 2;

/// Reports on all reachable states, with the number of states at each distance.
pub(crate) fn states_with_distances(
    loaded: &Loaded,
    options: &Options,
    budget: &Budget,
) -> Result<StatesReport, Stop> {
    check_choices(loaded, options)?;
    let has_weights =
        is_mdd_or_open(options.diagram) && supports(DiagramKind::Mdd, &loaded.model, Capability::Distances);
    let (is_served, hint) = match options.strategy {
        StrategyChoice::Auto | StrategyChoice::Bfs => (true, ""),
        StrategyChoice::Chaining => (false, "leave option ‹strategy› out"),
        StrategyChoice::Saturation => (has_weights, "leave option ‹strategy› out: these go layer by layer"),
    };
    if !is_served {
        let message = "this strategy cannot be combined with option ‹distances›";
        return Err(InputError::plain(message).with_hint(hint).into());
    }
    if let Some(infinite) = infinite(loaded) {
        return Ok(infinite);
    }
    if loaded.marking_diagrams().is_some() {
        let message = "distances are not counted in diagrams of symbolic markings";
        return Err(InputError::plain(message).with_hint("leave option ‹diagram ddd› out").into());
    }
    if let Some(quotient) = loaded.quotient() {
        let sizes = ask(loaded, options, budget, LayersQuestion)?;
        let depth = Some(sizes.len() as u64 - 1);
        return Ok(StatesReport { depth, distances: Some(sizes), ..of_quotient(quotient) });
    }
    if options.diagram == Diagram::Explicit {
        return Ok(by_explicit(loaded, budget, true)?);
    }
    if has_weights && !loaded.is_folded() && options.strategy != StrategyChoice::Bfs {
        return by_weights(loaded, options, budget);
    }
    let options = &Options { strategy: StrategyChoice::Bfs, ..options.clone() };
    ask(loaded, options, budget, StatesQuestion { loaded, options, by_layers: true })
}

/// How many markings there are at each distance.
struct LayersQuestion;

impl Question for LayersQuestion {
    type Answer = Vec<BigUint>;

    fn answer<S: StateSets>(self, mut explored: Explored<S>) -> Result<Vec<BigUint>, Interrupted> {
        layer_sizes(&mut explored.sets)
    }
}

fn by_weights(loaded: &Loaded, options: &Options, budget: &Budget) -> Result<StatesReport, Stop> {
    let order = order_choice(loaded, &options.variable_order)?;
    Ok(on_stack_for(
        STACKS * loaded.model.variables.len(),
        budget,
        || distances(&loaded.model, &order, budget),
        |mut found| {
            let (depth, histogram) = (found.depth(), found.histogram()?);
            let states = found.states()?;
            found.sets.collect_if_due();
            let mut explored = Explored {
                sets: found.sets,
                reached: states,
                plan: found.plan,
                hierarchy: None,
                vtree: None,
                depth,
            };
            let report = report(loaded, options, &mut explored)?;
            Ok(StatesReport { distances: Some(histogram), ..report })
        },
    )?)
}
