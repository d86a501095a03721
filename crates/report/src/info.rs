//! The keys of `info`.

use crate::values::{Integer, Pairs};
use serde::Serialize;
use symbolon_checker::{
    BoundednessReport, ColoursInfo, FlowCoverage, HierarchyReport, InfoReport, Limited, NetClass,
    SemiflowReport, weighted_sum,
};

/// The keys of `info`.
#[derive(Serialize)]
pub struct Info {
    net: String,
    class: Class,
    ends: Ends,
    #[serde(skip_serializing_if = "Option::is_none")]
    colours: Option<Colours>,
    #[serde(skip_serializing_if = "is_empty")]
    place_labels: Pairs<String>,
    #[serde(skip_serializing_if = "is_empty")]
    transition_labels: Pairs<String>,
    size: Size,
    units: Units,
    place_semiflows: Semiflows,
    transition_semiflows: Semiflows,
    boundedness: Boundedness,
    upper_bounds: Vec<UpperBound>,
    exclusive_sets: Vec<ExclusiveSet>,
    dead_transitions: Vec<String>,
    unmarked_places: Vec<String>,
    order: Option<Order>,
    hierarchy: Option<Hierarchy>,
}

#[derive(Serialize)]
struct Colours {
    classes: Vec<ColourClass>,
    places: Vec<ColouredPlace>,
    transitions: Vec<ColouredTransition>,
    colours: String,
    never_marked: String,
    unfolding_seconds: f64,
}

#[derive(Serialize)]
struct ColourClass {
    name: String,
    kind: &'static str,
    size: Integer,
    partitions: Vec<String>,
    symmetry: Option<ClassSymmetry>,
}

#[derive(Serialize)]
struct ClassSymmetry {
    kind: &'static str,
    subclasses: Vec<Integer>,
    reasons: Vec<String>,
}

#[derive(Serialize)]
struct ColouredPlace {
    place: String,
    domain: String,
    colours: Option<Integer>,
    instances: Integer,
    constant: bool,
}

#[derive(Serialize)]
struct ColouredTransition {
    transition: String,
    variables: Vec<String>,
    instances: Integer,
}

fn colours(info: &ColoursInfo) -> Colours {
    Colours {
        classes: info
            .classes
            .iter()
            .map(|class| ColourClass {
                name: class.name.clone(),
                kind: class.kind,
                size: Integer(class.size),
                partitions: class.partitions.clone(),
                symmetry: class.symmetry.as_ref().map(|symmetry| ClassSymmetry {
                    kind: symmetry.kind,
                    subclasses: symmetry.subclasses.iter().copied().map(Integer).collect(),
                    reasons: symmetry.reasons.clone(),
                }),
            })
            .collect(),
        places: info
            .places
            .iter()
            .map(|place| ColouredPlace {
                place: place.id.clone(),
                domain: place.domain.clone(),
                colours: place.colours.map(Integer),
                instances: Integer(place.instances),
                constant: place.is_constant,
            })
            .collect(),
        transitions: info
            .transitions
            .iter()
            .map(|transition| ColouredTransition {
                transition: transition.id.clone(),
                variables: transition.variables.clone(),
                instances: Integer(transition.instances),
            })
            .collect(),
        colours: info.colour_count.to_string(),
        never_marked: info.unmarkable_count.to_string(),
        unfolding_seconds: info.time.as_secs_f64(),
    }
}

#[derive(Serialize)]
struct Class {
    ordinary: bool,
    state_machine: bool,
    marked_graph: bool,
    free_choice: bool,
    extended_free_choice: bool,
    loop_free: bool,
    connected: bool,
    strongly_connected: bool,
    conservative: bool,
    subconservative: bool,
    source_places: usize,
    sink_places: usize,
    isolated_places: usize,
    source_transitions: usize,
    sink_transitions: usize,
    isolated_transitions: usize,
}

#[derive(Serialize)]
struct Ends {
    source_places: Vec<String>,
    sink_places: Vec<String>,
    isolated_places: Vec<String>,
    source_transitions: Vec<String>,
    sink_transitions: Vec<String>,
    isolated_transitions: Vec<String>,
}

#[derive(Serialize)]
struct Size {
    places: usize,
    transitions: usize,
    arcs: usize,
    inhibitor_arcs: usize,
    read_arcs: usize,
    reset_arcs: usize,
    largest_weight: Integer,
    tokens: String,
    marked_places: usize,
}

#[derive(Serialize)]
struct Units {
    kind: &'static str,
    count: usize,
    depth: usize,
    claims_safety: bool,
}

#[derive(Serialize)]
struct Semiflows {
    coverage: &'static str,
    covers_all: Option<bool>,
    flows: Vec<Flow>,
}

#[derive(Serialize)]
struct Flow {
    terms: Vec<Term>,
    value: Option<Integer>,
    text: String,
}

#[derive(Serialize)]
struct Term {
    name: String,
    weight: Integer,
}

#[derive(Serialize)]
struct Boundedness {
    bounded: Option<bool>,
    unbounded_place: Option<String>,
    prefix: Option<Vec<String>>,
    cycle: Option<Vec<String>>,
}

#[derive(Serialize)]
struct UpperBound {
    place: String,
    bound: Option<Integer>,
}

#[derive(Serialize)]
struct ExclusiveSet {
    places: Vec<String>,
    exactly_one: bool,
}

#[derive(Serialize)]
struct Order {
    name: String,
    levels: usize,
    reason: String,
}

#[derive(Serialize)]
struct Hierarchy {
    name: String,
    components: Integer,
    depth: Integer,
    reason: String,
    text: String,
}

fn is_empty(pairs: &Pairs<String>) -> bool {
    pairs.0.is_empty()
}

impl Info {
    /// The keys of a report.
    pub fn new(report: &InfoReport, hierarchy: Option<&HierarchyReport>) -> Info {
        let size = &report.size;
        Info {
            net: report.net_name.clone(),
            class: class(&report.class),
            ends: ends(&report.ends),
            colours: report.colours.as_ref().map(colours),
            place_labels: Pairs(report.place_labels.clone()),
            transition_labels: Pairs(report.transition_labels.clone()),
            size: Size {
                places: size.places,
                transitions: size.transitions,
                arcs: size.arcs,
                inhibitor_arcs: size.inhibitor_arcs,
                read_arcs: size.read_arcs,
                reset_arcs: size.reset_arcs,
                largest_weight: Integer(size.largest_weight),
                tokens: size.tokens.to_string(),
                marked_places: size.marked_places,
            },
            units: Units {
                kind: report.units.kind,
                count: report.units.count,
                depth: report.units.depth,
                claims_safety: report.units.claims_safety,
            },
            place_semiflows: semiflows(&report.place_semiflows),
            transition_semiflows: semiflows(&report.transition_semiflows),
            boundedness: boundedness(&report.boundedness),
            upper_bounds: report
                .upper_bounds
                .iter()
                .map(|(place, bound)| UpperBound { place: place.clone(), bound: bound.map(Integer) })
                .collect(),
            exclusive_sets: report
                .exclusive_sets
                .iter()
                .map(|set| ExclusiveSet { places: set.places.clone(), exactly_one: set.exactly_one })
                .collect(),
            dead_transitions: report.dead_transitions.clone(),
            unmarked_places: report.unmarked_places.clone(),
            order: match &report.order {
                Limited::Known(order) => Some(Order {
                    name: order.name.clone(),
                    levels: order.levels,
                    reason: order.reason.clone(),
                }),
                Limited::TookTooLong => None,
            },
            hierarchy: hierarchy.map(|hierarchy| Hierarchy {
                name: hierarchy.name.clone(),
                components: Integer(hierarchy.components),
                depth: Integer(hierarchy.depth),
                reason: hierarchy.reason.clone(),
                text: hierarchy.text.clone(),
            }),
        }
    }
}

fn class(class: &NetClass) -> Class {
    Class {
        ordinary: class.is_ordinary,
        state_machine: class.is_state_machine,
        marked_graph: class.is_marked_graph,
        free_choice: class.is_free_choice,
        extended_free_choice: class.is_extended_free_choice,
        loop_free: class.is_loop_free,
        connected: class.is_connected,
        strongly_connected: class.is_strongly_connected,
        conservative: class.is_conservative,
        subconservative: class.is_subconservative,
        source_places: class.source_places.len(),
        sink_places: class.sink_places.len(),
        isolated_places: class.isolated_places.len(),
        source_transitions: class.source_transitions.len(),
        sink_transitions: class.sink_transitions.len(),
        isolated_transitions: class.isolated_transitions.len(),
    }
}

fn ends(ends: &symbolon_checker::Ends) -> Ends {
    Ends {
        source_places: ends.source_places.clone(),
        sink_places: ends.sink_places.clone(),
        isolated_places: ends.isolated_places.clone(),
        source_transitions: ends.source_transitions.clone(),
        sink_transitions: ends.sink_transitions.clone(),
        isolated_transitions: ends.isolated_transitions.clone(),
    }
}

fn semiflows(report: &SemiflowReport) -> Semiflows {
    let flows = report.flows.iter().map(|flow| {
        let sum = weighted_sum(&flow.terms);
        let terms = flow.terms.iter();
        Flow {
            terms: terms
                .map(|(name, weight)| Term { name: name.clone(), weight: Integer(*weight) })
                .collect(),
            value: flow.value.map(Integer),
            text: flow.value.map_or(sum.clone(), |value| format!("{sum} = {value}")),
        }
    });
    Semiflows {
        coverage: match report.coverage {
            FlowCoverage::Complete => "complete",
            FlowCoverage::Some => "some",
            FlowCoverage::TookTooLong => "not computed",
        },
        covers_all: report.covers_all,
        flows: flows.collect(),
    }
}

fn boundedness(report: &BoundednessReport) -> Boundedness {
    let mut keys = Boundedness { bounded: None, unbounded_place: None, prefix: None, cycle: None };
    match report {
        BoundednessReport::Bounded => keys.bounded = Some(true),
        BoundednessReport::Unbounded { place, prefix, cycle } => {
            keys.bounded = Some(false);
            keys.unbounded_place = Some(place.clone());
            keys.prefix = Some(prefix.clone());
            keys.cycle = Some(cycle.clone());
        }
        BoundednessReport::Unknown => {}
    }
    keys
}
