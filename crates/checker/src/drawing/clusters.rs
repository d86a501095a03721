//! A large net as a graph of its units: each unit is one box that says how much is in it, and lines between
//! boxes say how many arcs they stand for.
//!
//! A transition is counted in the unit that has most of its arcs, the first of several. Every arc of the net
//! then lies inside one box or is counted on one line.

use super::net::net_arcs;
use super::units::Units;
use super::words::{counted, weight_label};
use std::collections::BTreeMap;
use symbolon_petri::{Net, Transition};
use symbolon_picture::{Arc, ArcKind, Emphasis, Flow, Graph, Node, Shape};

/// What belongs to no unit.
const OUTSIDE: usize = usize::MAX;

/// The units of the net as boxes, as deep as `most_boxes` allow. `None` if that leaves nothing to see.
pub(super) fn clustered(net: &Net, most_boxes: usize) -> Option<Graph> {
    let units = Units::new(net);
    (0..=units.deepest())
        .rev()
        .map(|depth| Clusters::new(net, &units, depth))
        .find(|clusters| clusters.boxes.len() <= most_boxes)
        .filter(|clusters| clusters.boxes.len() > 1)
        .map(|clusters| clusters.graph(net))
}

#[derive(Default)]
struct Cluster {
    places: usize,
    transitions: usize,
    tokens: u64,
}

struct Clusters {
    /// By unit.
    boxes: BTreeMap<usize, Cluster>,
    of_place: Vec<usize>,
    of_transition: Vec<usize>,
}

impl Clusters {
    /// The clusters if no unit below this depth is shown.
    fn new(net: &Net, units: &Units, depth: usize) -> Clusters {
        let of_place: Vec<usize> = net
            .place_ids()
            .map(|place| units.of_place(place).map_or(OUTSIDE, |unit| units.at_most_deep(unit, depth)))
            .collect();
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

    fn graph(&self, net: &Net) -> Graph {
        let index: BTreeMap<usize, usize> =
            self.boxes.keys().enumerate().map(|(index, unit)| (*unit, index)).collect();
        let nodes = self.boxes.iter().map(|(&unit, cluster)| {
            let id = net.units.get(unit).map(|unit| unit.id.as_str());
            let mut lines = vec![id.unwrap_or("in no unit").to_string()];
            lines.push(counted(cluster.places, "place"));
            lines.push(counted(cluster.transitions, "transition"));
            if cluster.tokens > 0 {
                lines.push(counted(usize::try_from(cluster.tokens).unwrap_or(usize::MAX), "token"));
            }
            Node {
                name: id.map_or("outside".to_string(), |id| format!("unit:{id}")),
                shape: Shape::State { lines },
                group: None,
                layer: None,
                emphasis: Emphasis::None,
            }
        });
        Graph {
            title: net.name.clone(),
            flow: Flow::Down,
            nodes: nodes.collect(),
            arcs: self.lines(net, &index),
            groups: Vec::new(),
        }
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

/// The unit that has most of a transition's arcs.
fn home(transition: &Transition, of_place: &[usize]) -> usize {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for place in super::net::places_of(transition) {
        *counts.entry(of_place[place.index()]).or_default() += 1;
    }
    let most = counts.values().copied().max().unwrap_or(0);
    counts.into_iter().find(|(_, count)| *count == most).map_or(OUTSIDE, |(unit, _)| unit)
}
