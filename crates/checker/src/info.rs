//! What can be said about a net without exploring it: its kind, its size, what its structure
//! proves.
//!
//! Everything here is bounded: each analysis has a limit of steps and of time, and what it did not
//! finish is reported as such, never left out silently.

use crate::info_of_colours::{ColoursInfo, info_of_colours};
use crate::loaded::Loaded;
use crate::options::Options;
use crate::orders::order_choice;
use crate::stop::Stop;
use std::time::Duration;
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::OrderChoice;
use symbolon_engine::order::{self, Blocks, Effort, Interaction};
use symbolon_model::{ExclusiveSet, Model};
use symbolon_petri::analysis::{
    Boundedness, Completeness, NetClass, SemiflowLimits, Semiflows, invariant_of, some_place_semiflows,
    some_transition_semiflows,
};
use symbolon_petri::incidence::Incidence;
use symbolon_petri::{Arc, Net, PlaceId, TransitionId, UnitClaim, lower_with};

/// The time that each kind of semiflow, and the choice of an order, may take.
pub const TIME_FOR_ONE: Duration = Duration::from_secs(1);
/// How much an elimination for semiflows may do.
const SEMIFLOWS: SemiflowLimits = SemiflowLimits { rows: 5_000, steps: 20_000_000 };

/// The answer of `info`.
#[derive(Clone, Debug)]
pub struct InfoReport {
    /// The name of the net in its file.
    pub net_name: String,
    /// What kind of net it is.
    pub class: NetClass,
    /// Where the net begins, where it ends, and what is not connected.
    pub ends: Ends,
    /// Identifiers of places with the labels that pictures show, which may be used as names, too.
    pub place_labels: Vec<(String, String)>,
    /// The same of transitions.
    pub transition_labels: Vec<(String, String)>,
    /// The colours of a coloured net; everything else is about its unfolding.
    pub colours: Option<ColoursInfo>,
    /// How large it is.
    pub size: Size,
    /// Its units or pages.
    pub units: Units,
    /// P-semiflows: weighted sums of tokens that never change.
    pub place_semiflows: SemiflowReport,
    /// T-semiflows: firings that together change nothing.
    pub transition_semiflows: SemiflowReport,
    /// Whether the number of tokens is bounded, and why not.
    pub boundedness: BoundednessReport,
    /// For each place, a number of tokens that it provably never exceeds, where one is known.
    pub upper_bounds: Vec<(String, Option<u64>)>,
    /// Sets of places of which at most one holds a token, and that one holds one.
    pub exclusive_sets: Vec<ExclusiveReport>,
    /// Transitions that can never fire.
    pub dead_transitions: Vec<String>,
    /// Places that are never marked.
    pub unmarked_places: Vec<String>,
    /// The variable order that would be tried first.
    pub order: Limited<OrderReport>,
}

/// Names of the nodes to which or from which no arc leads. No node is in two of these lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// Places that transitions take from, and none puts to.
    pub source_places: Vec<String>,
    /// Places that transitions put to, and none takes from.
    pub sink_places: Vec<String>,
    /// Places without arcs.
    pub isolated_places: Vec<String>,
    /// Transitions that put tokens and take none.
    pub source_transitions: Vec<String>,
    /// Transitions that take tokens and put none.
    pub sink_transitions: Vec<String>,
    /// Transitions without arcs.
    pub isolated_transitions: Vec<String>,
}

/// Numbers of things.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Places.
    pub places: usize,
    /// Transitions.
    pub transitions: usize,
    /// Arcs of all kinds.
    pub arcs: usize,
    /// Inhibitor arcs among them.
    pub inhibitor_arcs: usize,
    /// Read arcs among them.
    pub read_arcs: usize,
    /// Reset arcs among them.
    pub reset_arcs: usize,
    /// The largest weight of an arc.
    pub largest_weight: u64,
    /// Tokens in the initial marking.
    pub tokens: u128,
    /// Places with a token in the initial marking.
    pub marked_places: usize,
}

/// Units or pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Units {
    /// What they are: `none`, `pages` or `nested units`.
    pub kind: &'static str,
    /// How many there are.
    pub count: usize,
    /// How deep they are nested.
    pub depth: usize,
    /// Whether the source claims that the net is unit safe.
    pub claims_safety: bool,
}

/// A figure that has a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limited<T> {
    /// It was computed.
    Known(T),
    /// Its time was over.
    TookTooLong,
}

/// Semiflows of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SemiflowReport {
    /// The semiflows of minimal support.
    pub flows: Vec<FlowReport>,
    /// Whether these are all.
    pub coverage: FlowCoverage,
    /// Whether every place (or every transition) occurs in one; `None` if that is not known.
    pub covers_all: Option<bool>,
}

/// Whether the semiflows found are all of minimal support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowCoverage {
    /// They are.
    Complete,
    /// There are more: the limit of steps or rows, or of 64-bit numbers, was reached.
    Some,
    /// The time was over before any was found.
    TookTooLong,
}

/// One semiflow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowReport {
    /// Places (or transitions) and weights.
    pub terms: Vec<(String, u64)>,
    /// For places, the constant value of the sum, unless it leaves 64 bits.
    pub value: Option<u64>,
}

/// Whether all places are bounded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoundednessReport {
    /// They are, which the structure proves.
    Bounded,
    /// One is not.
    Unbounded {
        /// The place.
        place: String,
        /// Transitions from the initial marking to where the rounds start.
        prefix: Vec<String>,
        /// One round, which can be repeated for ever and adds to the place.
        cycle: Vec<String>,
    },
    /// The structure proves neither.
    Unknown,
}

/// An exclusive set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExclusiveReport {
    /// The places.
    pub places: Vec<String>,
    /// Whether one of them always holds the token.
    pub exactly_one: bool,
}

/// A variable order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderReport {
    /// Its name, as `--variable-order` takes it.
    pub name: String,
    /// How many levels a diagram has under it.
    pub levels: usize,
    /// Why this one.
    pub reason: String,
}

/// Describes a net.
pub(crate) fn info(loaded: &Loaded, options: &Options, budget: &Budget) -> Result<InfoReport, Stop> {
    loaded.demand_net("what a net is made of")?;
    let choice = order_choice(loaded, &options.variable_order)?;
    Ok(describe(loaded, &choice, budget)?)
}

/// The same of a model that has a structure, with its order chosen.
pub(crate) fn describe(
    loaded: &Loaded,
    choice: &OrderChoice,
    budget: &Budget,
) -> Result<InfoReport, Interrupted> {
    budget.check()?;
    let (net, analysis) = (loaded.structure().unwrap_or_else(|| loaded.net()), &loaded.analysis);
    let is_dead = analysis.dead.transition_flags(net);
    let incidence = Incidence::without(net, &is_dead);

    let mut upper_bounds = analysis.upper_bounds.clone();
    upper_bounds.resize(net.places.len(), None);
    let place_flows = limited(budget, |slice| some_place_semiflows(&incidence, SEMIFLOWS, slice))?;
    if let Limited::Known(flows) = &place_flows {
        sharpen(net, flows, &mut upper_bounds);
    }
    // A transition that never fires belongs to no repeatable run; T-semiflows cannot express
    // resets.
    let takes_no_part = |t: &TransitionId| {
        is_dead[t.index()] || net.transitions[t.index()].accesses().any(|access| access.is_reset())
    };
    let apart: Vec<TransitionId> = net.transition_ids().filter(takes_no_part).collect();
    let transition_flows =
        limited(budget, |slice| some_transition_semiflows(&incidence, &apart, SEMIFLOWS, slice))?;
    // Of a large net, the matrix, the model and the names of this report each take much: one after
    // the other.
    drop(incidence);
    let lowered = (!loaded.has_model()).then(|| lower_with(net, analysis));
    let model = lowered.as_ref().unwrap_or(&loaded.model);
    let order = limited(budget, |slice| first_order(model, choice, slice))?;
    drop(lowered);
    let transition_name = |index: u32| net.transitions[index as usize].id.clone();
    let transition_semiflows =
        semiflow_report(transition_flows, net.transitions.len(), transition_name, |_| None);
    let place_name = |index: u32| net.places[index as usize].id.clone();
    let place_semiflows = semiflow_report(place_flows, net.places.len(), place_name, |terms| {
        let value = |sum: u64, &(index, weight): &(u32, u64)| {
            sum.checked_add(weight.checked_mul(net.places[index as usize].initial)?)
        };
        terms.iter().try_fold(0, value)
    });

    let names = |places: &[PlaceId]| places.iter().map(|place| place_name(place.0)).collect();
    let transition_names =
        |list: &[TransitionId]| list.iter().map(|transition| transition_name(transition.0)).collect();
    let class = NetClass::of(net);
    let ends = Ends {
        source_places: names(&class.source_places),
        sink_places: names(&class.sink_places),
        isolated_places: names(&class.isolated_places),
        source_transitions: transition_names(&class.source_transitions),
        sink_transitions: transition_names(&class.sink_transitions),
        isolated_transitions: transition_names(&class.isolated_transitions),
    };
    let is_all_bounded = upper_bounds.iter().all(Option::is_some);
    Ok(InfoReport {
        net_name: net.name.clone(),
        class,
        ends,
        place_labels: labels(net.places.iter().map(|place| (&place.id, &place.label))),
        transition_labels: labels(net.transitions.iter().map(|one| (&one.id, &one.label))),
        colours: loaded.colours.as_deref().and_then(|colours| info_of_colours(colours, budget)),
        size: size_of(net),
        units: units_of(net),
        place_semiflows,
        transition_semiflows,
        boundedness: match &analysis.boundedness {
            Boundedness::Unbounded(pump) => BoundednessReport::Unbounded {
                place: place_name(pump.place.0),
                prefix: transition_names(&pump.prefix),
                cycle: transition_names(&pump.cycle),
            },
            Boundedness::Bounded => BoundednessReport::Bounded,
            Boundedness::Unknown if is_all_bounded => BoundednessReport::Bounded,
            Boundedness::Unknown => BoundednessReport::Unknown,
        },
        upper_bounds: net
            .place_ids()
            .map(|place| (place_name(place.0), upper_bounds[place.index()]))
            .collect(),
        exclusive_sets: analysis.exclusive.iter().map(|set| exclusive_report(net, set)).collect(),
        dead_transitions: transition_names(&analysis.dead.transitions),
        unmarked_places: names(&analysis.dead.places),
        order,
    })
}

/// The order that would be tried first for a model without structure.
pub(crate) fn first_order_of(
    model: &Model,
    choice: &OrderChoice,
    budget: &Budget,
) -> Result<Limited<OrderReport>, Interrupted> {
    limited(budget, |slice| first_order(model, choice, slice))
}

fn labels<'a>(all: impl Iterator<Item = (&'a String, &'a Option<Box<str>>)>) -> Vec<(String, String)> {
    all.filter_map(|(id, label)| Some((id.clone(), label.as_deref()?.to_string()))).collect()
}

/// Runs an analysis for at most [`TIME_FOR_ONE`].
fn limited<T>(
    budget: &Budget,
    analysis: impl FnOnce(&Budget) -> Result<T, Interrupted>,
) -> Result<Limited<T>, Interrupted> {
    match analysis(&budget.slice(TIME_FOR_ONE)) {
        Ok(known) => Ok(Limited::Known(known)),
        Err(Interrupted::Timeout | Interrupted::Steps) => budget.check().map(|()| Limited::TookTooLong),
        Err(why) => Err(why),
    }
}

/// Lowers bounds to what the semiflows prove.
fn sharpen(net: &Net, flows: &Semiflows, upper_bounds: &mut [Option<u64>]) {
    for invariant in flows.minimal.iter().filter_map(|flow| invariant_of(net, flow)) {
        for &(variable, weight) in &invariant.terms {
            let bound = invariant.value / weight;
            let known = &mut upper_bounds[variable.index()];
            *known = Some(known.map_or(bound, |known| known.min(bound)));
        }
    }
}

fn semiflow_report(
    flows: Limited<Semiflows>,
    line_count: usize,
    name: impl Fn(u32) -> String,
    value: impl Fn(&[(u32, u64)]) -> Option<u64>,
) -> SemiflowReport {
    let Limited::Known(flows) = flows else {
        return SemiflowReport { flows: Vec::new(), coverage: FlowCoverage::TookTooLong, covers_all: None };
    };
    let mut is_covered = vec![false; line_count];
    let mut reports = Vec::with_capacity(flows.minimal.len());
    for flow in &flows.minimal {
        // Semiflows have no negative weights.
        let terms: Vec<(u32, u64)> =
            flow.weights.iter().map(|&(index, weight)| (index, weight.unsigned_abs())).collect();
        terms.iter().for_each(|&(index, _)| is_covered[index as usize] = true);
        reports.push(FlowReport {
            value: value(&terms),
            terms: terms.iter().map(|&(index, weight)| (name(index), weight)).collect(),
        });
    }
    let covers = is_covered.iter().all(|&covered| covered);
    let is_complete = flows.completeness == Completeness::Complete;
    SemiflowReport {
        flows: reports,
        coverage: if is_complete { FlowCoverage::Complete } else { FlowCoverage::Some },
        covers_all: (covers || is_complete).then_some(covers),
    }
}

fn exclusive_report(net: &Net, set: &ExclusiveSet) -> ExclusiveReport {
    ExclusiveReport {
        places: set.variables.iter().map(|variable| net.places[variable.index()].id.clone()).collect(),
        exactly_one: set.exactly_one,
    }
}

fn size_of(net: &Net) -> Size {
    let (mut inhibitor_arcs, mut read_arcs, mut reset_arcs, mut largest_weight) = (0, 0, 0, 0);
    for arc in net.transitions.iter().flat_map(|transition| &transition.arcs) {
        match *arc {
            Arc::Input { weight, .. } | Arc::Output { weight, .. } => {
                largest_weight = weight.max(largest_weight);
            }
            Arc::Inhibitor { .. } => inhibitor_arcs += 1,
            Arc::Read { .. } => read_arcs += 1,
            Arc::Reset { .. } => reset_arcs += 1,
        }
    }
    Size {
        places: net.places.len(),
        transitions: net.transitions.len(),
        arcs: net.arc_count(),
        inhibitor_arcs,
        read_arcs,
        reset_arcs,
        largest_weight,
        tokens: net.places.iter().map(|place| u128::from(place.initial)).sum(),
        marked_places: net.places.iter().filter(|place| place.initial > 0).count(),
    }
}

fn units_of(net: &Net) -> Units {
    let mut depths = vec![1_usize; net.units.len()];
    for (index, unit) in net.units.iter().enumerate() {
        // Parents stand before their children; what a source got wrong counts as a root.
        if let Some(parent) = unit.parent.filter(|&parent| (parent as usize) < index) {
            depths[index] = depths[parent as usize] + 1;
        }
    }
    Units {
        kind: match net.unit_claim {
            _ if net.units.is_empty() => "none",
            UnitClaim::Nothing => "pages",
            UnitClaim::UnitSafe | UnitClaim::NestedUnits => "nested units",
        },
        count: net.units.len(),
        depth: depths.into_iter().max().unwrap_or(0),
        claims_safety: net.unit_claim == UnitClaim::UnitSafe,
    }
}

/// The order that `states` would try first. It lets several race by really exploring, which would
/// take as long as exploring; so this is only the one that the metrics rank highest.
fn first_order(model: &Model, choice: &OrderChoice, budget: &Budget) -> Result<OrderReport, Interrupted> {
    let (blocks, named) = match choice {
        OrderChoice::Named(name) => (Blocks::single(model), Some(*name)),
        OrderChoice::Merged(name) => (Blocks::merged(model), Some(*name)),
        OrderChoice::AutoWith { merge: false } => (Blocks::single(model), None),
        OrderChoice::Auto | OrderChoice::AutoWith { merge: true } => (Blocks::merged(model), None),
        OrderChoice::Given { blocks, .. } => {
            let reason = "as asked for".to_string();
            return Ok(OrderReport { name: "given".into(), levels: blocks.len(), reason });
        }
    };
    let prefix = if blocks.len() < model.variables.len() { "merged:" } else { "" };
    let levels = blocks.len();
    if let Some(name) = named {
        return Ok(OrderReport { name: format!("{prefix}{name}"), levels, reason: "as asked for".into() });
    }
    let field = order::candidates(&Interaction::new(model, &blocks), Effort::Quick, budget)?;
    let name = field.first().map_or_else(String::new, |best| format!("{prefix}{}", best.name));
    let reason = format!("best by its metrics of {} candidates; exploring lets them race", field.len());
    Ok(OrderReport { name, levels, reason })
}
