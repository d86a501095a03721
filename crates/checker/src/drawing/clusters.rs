//! A large net as a graph of its units, or of its [parts](super::parts) where it has no units that
//! help: each is one box that says how much is in it, and lines between boxes say how many arcs
//! they stand for.
//!
//! A transition is counted in the box that has most of the places it changes, the first of several.
//! Every arc of the net then lies inside one box or is counted on one line.

use super::legend;
use super::net::net_arcs;
use super::parts::Parts;
use super::parts::{changed_places, places_of};
use super::units::Units;
use super::words::{counted, weight_label};
use std::collections::BTreeMap;
use symbolon_petri::{Net, Transition};
use symbolon_picture::{Arc, ArcKind, Emphasis, Flow, Graph, Node, Shape};

/// What belongs to no unit.
const OUTSIDE: usize = usize::MAX;
/// More lines a box are no overview, unless boxes are few: then all may know each other.
const MOST_LINES_PER_BOX: usize = 4;
const FEW_BOXES: usize = 12;

/// A net as boxes.
pub(super) struct Overview {
    /// The picture.
    pub(super) graph: Graph,
    /// What one box is.
    pub(super) noun: &'static str,
}

/// The net as its units, as deep as `most_boxes` allow, or as its parts; `None` if neither is an
/// overview.
pub(super) fn overview(net: &Net, most_boxes: usize) -> Option<Overview> {
    let units = Units::new(net);
    let by_units = (0..=units.deepest()).rev().map(|depth| {
        let unit_of = |place| units.of_place(place).map_or(OUTSIDE, |unit| units.at_most_deep(unit, depth));
        let name_of = |unit: usize| net.units.get(unit).map(|unit| unit.id.clone());
        (Clusters::new(net, net.place_ids().map(unit_of).collect()).graph(net, name_of), "unit")
    });
    let parts = std::iter::once_with(|| {
        let of_place = Parts::new(net).of_place;
        let clusters = Clusters::new(net, of_place.iter().map(|part| part.unwrap_or(OUTSIDE)).collect());
        let name_of = |part: usize| {
            let members = net.places.iter().zip(&of_place).filter(|(_, of)| **of == Some(part));
            let names: Vec<&str> = members.map(|(place, _)| place.id.as_str()).take(2).collect();
            (!names.is_empty()).then(|| format!("{} …", names.join(", ")))
        };
        (clusters.graph(net, name_of), "part")
    });
    let is_overview = |graph: &Graph, least: usize| {
        let (boxes, lines) = (graph.nodes.len(), graph.arcs.len());
        (least..=most_boxes).contains(&boxes) && (boxes <= FEW_BOXES || lines <= MOST_LINES_PER_BOX * boxes)
    };
    // Two halves without names carry no information.
    let by_units = by_units.filter(|(graph, _)| is_overview(graph, 2));
    let by_parts = parts.filter(|(graph, _)| is_overview(graph, 3));
    let (graph, noun) = by_units.chain(by_parts).next()?;
    Some(Overview { graph, noun })
}

#[derive(Default)]
struct Cluster {
    places: usize,
    transitions: usize,
    tokens: u64,
}

struct Clusters {
    /// By unit or part.
    boxes: BTreeMap<usize, Cluster>,
    of_place: Vec<usize>,
    of_transition: Vec<usize>,
}

impl Clusters {
    /// The clusters with these places.
    fn new(net: &Net, of_place: Vec<usize>) -> Clusters {
        let of_transition: Vec<usize> =
            net.transitions.iter().map(|transition| home(transition, &of_place)).collect();
        let mut boxes: BTreeMap<usize, Cluster> = BTreeMap::new();
        for (place, &unit) in net.places.iter().zip(&of_place) {
            let cluster = boxes.entry(unit).or_default();
            cluster.places += 1;
            cluster.tokens = cluster.tokens.saturating_add(place.initial);
        }
        for &unit in &of_transition {
            boxes.entry(unit).or_default().transitions += 1;
        }
        Clusters { boxes, of_place, of_transition }
    }

    fn graph(&self, net: &Net, name_of: impl Fn(usize) -> Option<String>) -> Graph {
        let index: BTreeMap<usize, usize> =
            self.boxes.keys().enumerate().map(|(index, cluster)| (*cluster, index)).collect();
        let nodes = self.boxes.iter().map(|(&number, cluster)| {
            let mut lines = vec![name_of(number).unwrap_or_else(|| "all others".to_string())];
            lines.push(counted(cluster.places, "place"));
            if cluster.transitions > 0 {
                lines.push(counted(cluster.transitions, "transition"));
            }
            if cluster.tokens > 0 {
                lines.push(counted(usize::try_from(cluster.tokens).unwrap_or(usize::MAX), "token"));
            }
            Node {
                name: format!("box:{}", index[&number]),
                shape: Shape::State { lines },
                group: None,
                layer: None,
                emphasis: Emphasis::None,
            }
        });
        let mut graph = Graph {
            title: net.name.clone(),
            flow: Flow::Down,
            nodes: nodes.collect(),
            arcs: self.lines(net, &index),
            groups: Vec::new(),
            legend: Vec::new(),
        };
        graph
            .legend
            .extend(legend::of_numbers(&graph, "arcs of the net between two boxes; 1 if there is no number"));
        graph.legend.extend(legend::of_arcs(&graph, &[(ArcKind::Both, "arcs lead both ways")]));
        graph
    }

    /// The lines between boxes; two that lead both ways are one with two heads.
    fn lines(&self, net: &Net, index: &BTreeMap<usize, usize>) -> Vec<Arc> {
        let mut counts: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for arc in net_arcs(net) {
            let place = index[&self.of_place[arc.place.index()]];
            let transition = index[&self.of_transition[arc.transition]];
            if place != transition {
                let ends = if arc.is_output { (transition, place) } else { (place, transition) };
                *counts.entry(ends).or_default() += 1;
            }
        }
        let mut lines = Vec::new();
        for (&(from, to), &count) in &counts {
            let (count, kind) = match counts.get(&(to, from)) {
                Some(_) if from > to => continue,
                Some(back) => (count + back, ArcKind::Both),
                None => (count, ArcKind::Plain),
            };
            lines.push(Arc { from, cell: None, to, label: weight_label(count), kind });
        }
        lines
    }
}

/// The box that has most of the places that a transition changes, then most of those that it
/// touches.
fn home(transition: &Transition, of_place: &[usize]) -> usize {
    let mut counts: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    changed_places(transition).for_each(|place| counts.entry(of_place[place.index()]).or_default().0 += 1);
    places_of(transition).for_each(|place| counts.entry(of_place[place.index()]).or_default().1 += 1);
    let most = counts.values().copied().max().unwrap_or_default();
    counts.into_iter().find(|(_, count)| *count == most).map_or(OUTSIDE, |(cluster, _)| cluster)
}
