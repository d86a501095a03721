//! A net as a graph: places as circles with their tokens, transitions as bars, units as boxes
//! around both.
//!
//! Nodes stand in the order of the net, places before transitions, so that node `p` is place `p`
//! and node `place_count + t` is transition `t`; films rely on that to show other markings of the
//! same picture.

use super::legend;
use super::parts::{Parts, changed_places, places_of};
use super::units::Units;
use super::words::weight_label;
use symbolon_petri::{Arc as PetriArc, Net, PlaceId, Transition};
use symbolon_picture::{Arc, ArcKind, Emphasis, Flow, Graph, Node, Sample, Shape};

/// Units are boxes only if at least one transition in this many lies inside one of them. Otherwise
/// nearly every arc leaves its box, and boxes would only keep apart what belongs together.
const LEAST_PART_INSIDE: usize = 4;

/// The whole net with its initial marking.
pub(super) fn net_graph(net: &Net) -> Graph {
    let units = unit_boxes(net);
    let is_by_units = units.is_some();
    let boxes = units.unwrap_or_else(|| Parts::new(net));
    let places = net.places.iter().zip(&boxes.of_place).map(|(place, group)| Node {
        name: format!("place:{}", place.id),
        shape: Shape::Place { label: label(&place.label, &place.id), tokens: place.initial },
        group: *group,
        layer: None,
        emphasis: Emphasis::None,
    });
    let transitions = net.transitions.iter().zip(&boxes.of_transition).map(|(transition, group)| Node {
        name: format!("transition:{}", transition.id),
        shape: Shape::Transition { label: label(&transition.label, &transition.id) },
        group: *group,
        layer: None,
        emphasis: Emphasis::None,
    });
    let mut graph = Graph {
        title: net.name.clone(),
        flow: Flow::Down,
        nodes: places.chain(transitions).collect(),
        arcs: net_arcs(net).map(|arc| arc.drawn(net)).collect(),
        groups: boxes.groups,
        legend: Vec::new(),
    };
    graph.legend = legend::of_arcs(&graph, &legend::ARCS_OF_NETS);
    graph
        .legend
        .extend(legend::of_numbers(&graph, "tokens that an arc takes or puts; 1 if there is no number"));
    if !graph.groups.is_empty() {
        let meaning = if is_by_units {
            "unit or page of the file"
        } else {
            "part: what its transitions change together"
        };
        graph.legend.push((Sample::Group, meaning.to_string()));
    }
    graph
}

/// The units as boxes, if they say something. A transition belongs to the innermost unit around the
/// places that it changes; what it only tests may lie elsewhere.
fn unit_boxes(net: &Net) -> Option<Parts> {
    let units = Units::new(net);
    let boxes = units.boxes(net);
    if boxes.groups.is_empty() {
        return None;
    }
    let home =
        |transition| units.around(changed_places(transition)).or_else(|| units.around(places_of(transition)));
    let of_transition: Vec<Option<usize>> = net
        .transitions
        .iter()
        .map(|transition| home(transition).and_then(|unit| boxes.group_of(unit)))
        .collect();
    let inside = of_transition.iter().flatten().count();
    let group_of = |place| units.of_place(place).and_then(|unit| boxes.group_of(unit));
    let of_place = net.place_ids().map(group_of).collect();
    (inside * LEAST_PART_INSIDE >= net.transitions.len()).then_some(Parts {
        groups: boxes.groups,
        of_place,
        of_transition,
    })
}

/// The label beside a place or a transition.
fn label(label: &Option<Box<str>>, id: &str) -> String {
    label.as_deref().unwrap_or(id).to_string()
}

/// An arc of a net as it is drawn; a transition that takes and puts back equally many tokens has
/// one.
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
    let has = |arc: PetriArc| {
        let found = transition.arcs.binary_search_by_key(&arc.position(), |other| other.position());
        found.is_ok_and(|index| transition.arcs[index] == arc)
    };
    let drawn = transition.arcs.iter().filter_map(|&arc| {
        let (rank, is_output, kind) = match arc {
            PetriArc::Input { place, weight } if has(PetriArc::Output { place, weight }) => {
                (0, false, ArcKind::Both)
            }
            PetriArc::Input { .. } => (0, false, ArcKind::Plain),
            PetriArc::Read { .. } => (1, false, ArcKind::Read),
            PetriArc::Inhibitor { .. } => (2, false, ArcKind::Inhibitor),
            PetriArc::Reset { .. } => (3, false, ArcKind::Reset),
            PetriArc::Output { place, weight } if has(PetriArc::Input { place, weight }) => return None,
            PetriArc::Output { .. } => (4, true, ArcKind::Plain),
        };
        let weight = arc.weight().unwrap_or(1);
        Some((rank, NetArc { place: arc.place(), transition: index, is_output, weight, kind }))
    });
    let mut drawn: Vec<(u8, NetArc)> = drawn.collect();
    drawn.sort_by_key(|(rank, _)| *rank);
    drawn.into_iter().map(|(_, arc)| arc).collect()
}
