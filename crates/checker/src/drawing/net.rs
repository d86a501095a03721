//! A net as a graph: places as circles with their tokens, transitions as bars, units as boxes around both.
//!
//! Nodes stand in the order of the net, places before transitions, so that node `p` is place `p` and node
//! `place_count + t` is transition `t`; films rely on that to show other markings of the same picture.

use super::units::{Boxes, Units};
use super::words::weight_label;
use symbolon_petri::{Net, PlaceId, Transition};
use symbolon_picture::{Arc, ArcKind, Emphasis, Flow, Graph, Node, Shape};

/// Units are boxes only if at least this part of the transitions, one in so many, lies in one of them. Otherwise
/// nearly every arc leaves its box, and boxes would only keep apart what belongs together.
const LEAST_PART_INSIDE: usize = 4;

/// The whole net with its initial marking.
pub(super) fn net_graph(net: &Net) -> Graph {
    let units = Units::new(net);
    let homes: Vec<Option<usize>> =
        net.transitions.iter().map(|transition| home(&units, transition)).collect();
    let mut boxes = units.boxes(net);
    let is_inside = |home: &&Option<usize>| home.is_some_and(|unit| boxes.group_of(unit).is_some());
    if homes.iter().filter(is_inside).count() < homes.len() / LEAST_PART_INSIDE {
        boxes = Boxes::default();
    }
    let places = net.place_ids().map(|id| {
        let place = &net.places[id.index()];
        Node {
            name: format!("place:{}", place.id),
            shape: Shape::Place { label: label(&place.label, &place.id), tokens: place.initial },
            group: units.of_place(id).and_then(|unit| boxes.group_of(unit)),
            layer: None,
            emphasis: Emphasis::None,
        }
    });
    let transitions = net.transitions.iter().zip(&homes).map(|(transition, home)| Node {
        name: format!("transition:{}", transition.id),
        shape: Shape::Transition { label: label(&transition.label, &transition.id) },
        group: home.and_then(|unit| boxes.group_of(unit)),
        layer: None,
        emphasis: Emphasis::None,
    });
    Graph {
        title: net.name.clone(),
        flow: Flow::Down,
        nodes: places.chain(transitions).collect(),
        arcs: net_arcs(net).map(|arc| arc.drawn(net)).collect(),
        groups: boxes.groups,
    }
}

/// The unit to which a transition belongs: the innermost one around the places that it changes. What it only
/// tests may lie elsewhere.
fn home(units: &Units, transition: &Transition) -> Option<usize> {
    let is_changed = |place: &PlaceId| {
        let weight = |arcs: &[(PlaceId, u64)]| {
            arcs.binary_search_by_key(place, |(place, _)| *place).map_or(0, |index| arcs[index].1)
        };
        weight(&transition.inputs) != weight(&transition.outputs) || transition.resets.contains(place)
    };
    let changed: Vec<PlaceId> = places_of(transition).filter(is_changed).collect();
    if changed.is_empty() { units.around(places_of(transition)) } else { units.around(changed.into_iter()) }
}

/// What stands beside a place or a transition.
fn label(label: &Option<String>, id: &str) -> String {
    label.as_deref().unwrap_or(id).to_string()
}

/// An arc of a net as it is drawn; a transition that takes and puts back equally many tokens has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NetArc {
    pub(super) place: PlaceId,
    /// The index of the transition.
    pub(super) transition: usize,
    /// Whether it leads to the place.
    pub(super) is_output: bool,
    pub(super) weight: u64,
    pub(super) kind: ArcKind,
}

impl NetArc {
    fn drawn(self, net: &Net) -> Arc {
        let (place, transition) = (self.place.index(), net.places.len() + self.transition);
        let (from, to) = if self.is_output { (transition, place) } else { (place, transition) };
        Arc { from, cell: None, to, label: weight_label(self.weight), kind: self.kind }
    }
}

/// All arcs of a net, transition by transition.
pub(super) fn net_arcs(net: &Net) -> impl Iterator<Item = NetArc> + '_ {
    net.transitions.iter().enumerate().flat_map(|(index, transition)| arcs_of(index, transition))
}

fn arcs_of(index: usize, transition: &Transition) -> Vec<NetArc> {
    let arc = |place, weight, kind| NetArc { place, transition: index, is_output: false, weight, kind };
    let is_put_back = |input: &(PlaceId, u64)| transition.outputs.binary_search(input).is_ok();
    let is_taken = |output: &(PlaceId, u64)| transition.inputs.binary_search(output).is_ok();
    let mut arcs: Vec<NetArc> = Vec::with_capacity(transition.arc_count());
    for input in &transition.inputs {
        let kind = if is_put_back(input) { ArcKind::Both } else { ArcKind::Plain };
        arcs.push(arc(input.0, input.1, kind));
    }
    arcs.extend(transition.reads.iter().map(|&(place, weight)| arc(place, weight, ArcKind::Read)));
    arcs.extend(transition.inhibitors.iter().map(|&(place, weight)| arc(place, weight, ArcKind::Inhibitor)));
    arcs.extend(transition.resets.iter().map(|&place| arc(place, 1, ArcKind::Reset)));
    let outputs = transition.outputs.iter().filter(|output| !is_taken(output));
    arcs.extend(
        outputs.map(|&(place, weight)| NetArc { is_output: true, ..arc(place, weight, ArcKind::Plain) }),
    );
    arcs
}

/// The places that a transition touches.
pub(super) fn places_of(transition: &Transition) -> impl Iterator<Item = PlaceId> + '_ {
    let weighted = [&transition.inputs, &transition.outputs, &transition.reads, &transition.inhibitors];
    let weighted = weighted.into_iter().flatten().map(|(place, _)| *place);
    weighted.chain(transition.resets.iter().copied())
}
