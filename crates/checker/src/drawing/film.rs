//! A run as pictures: the net once per state with its marking, the transition that fired and the
//! places it changed standing out; or, where the net is too large to repeat, a chain of boxes with
//! the markings.

use super::legend;
use super::run::ShownMarking;
use super::words::{lines, marked};
use crate::loaded::Loaded;
use crate::witness::is_dead;
use symbolon_model::Model;
use symbolon_petri::Net;
use symbolon_picture::{Arc, ArcKind, Emphasis, Flow, Frame, Graph, Node, Shape};

/// Markings with more words than this are described by what changed.
const MOST_WORDS: usize = 16;

/// What differs between the pictures of the net: one per stop.
pub(super) fn frames(loaded: &Loaded, stops: &[ShownMarking]) -> Vec<Frame> {
    let mut frames: Vec<Frame> = stops.iter().map(|stop| frame(loaded.net(), &loaded.model, stop)).collect();
    if let (Some(back), Some(last)) = (loop_start(stops), frames.last_mut()) {
        last.caption.push_str(&format!(" (as {})", stops[back].number));
    }
    frames
}

/// The net of a film: what stands out in its pictures is explained.
pub(super) fn film_graph(net: &Net) -> Graph {
    let mut graph = super::net::net_graph(net);
    graph.legend.push((Emphasis::Active.into(), "fired, and the places that it changed".to_string()));
    graph
}

/// The stop whose state is that of the last one, if the run comes back to one that is shown.
fn loop_start(stops: &[ShownMarking]) -> Option<usize> {
    let (last, others) = stops.split_last()?;
    others.iter().position(|stop| stop.state == last.state)
}

fn frame(net: &Net, model: &Model, stop: &ShownMarking) -> Frame {
    let place_count = net.places.len();
    let changed = (0..place_count).filter(|&place| stop.state[place] != stop.before[place]);
    let fired = stop.event.map(|event| place_count + event.index());
    let mut caption = stop.event.map_or("start".to_string(), |event| model.event(event).name.clone());
    if is_dead(model, &stop.state) {
        caption.push_str(" (deadlock)");
    }
    let mut tokens = stop.state.to_vec();
    tokens.resize(place_count + net.transitions.len(), 0);
    Frame {
        number: stop.number,
        left_out: stop.left_out,
        caption,
        tokens,
        active: changed.chain(fired).collect(),
    }
}

/// The states as a chain of boxes; an arc leads back where the run does.
pub(super) fn chain_graph(model: &Model, stops: &[ShownMarking]) -> Graph {
    let mut graph = Graph { flow: Flow::Down, ..Graph::default() };
    let back = loop_start(stops);
    let mut nodes = Vec::with_capacity(stops.len());
    for (index, stop) in stops.iter().enumerate() {
        if stop.left_out > 0 {
            let from = graph.nodes.len() - 1;
            let label = format!("… {} left out …", stop.left_out);
            graph.nodes.push(Node {
                name: "left out".to_string(),
                shape: Shape::Text { label },
                group: None,
                layer: Some(graph.nodes.len() as u32),
                emphasis: Emphasis::None,
            });
            graph.arcs.push(Arc { from, cell: None, to: from + 1, label: None, kind: ArcKind::Plain });
        }
        let label = stop.event.map(|event| model.event(event).name.clone());
        if let (Some(back), true) = (back, index + 1 == stops.len()) {
            let from = graph.nodes.len() - 1;
            graph.arcs.push(Arc { from, cell: None, to: nodes[back], label, kind: ArcKind::Plain });
            break;
        }
        nodes.push(graph.nodes.len());
        graph.nodes.push(Node {
            name: format!("state:{}", stop.number),
            shape: Shape::State { lines: marking_lines(model, stop) },
            group: None,
            layer: Some(graph.nodes.len() as u32),
            emphasis: match stop.event {
                _ if is_dead(model, &stop.state) => Emphasis::Dead,
                None => Emphasis::Initial,
                Some(_) => Emphasis::None,
            },
        });
        if label.is_some() {
            let to = graph.nodes.len() - 1;
            graph.arcs.push(Arc { from: to - 1, cell: None, to, label, kind: ArcKind::Plain });
        }
    }
    graph.legend = legend::of_nodes(
        &graph,
        &[(Emphasis::Initial, "where it begins"), (Emphasis::Dead, "deadlock: nothing is enabled")],
    );
    graph
}

/// A marking in full if it is short, else what the last step changed.
fn marking_lines(model: &Model, stop: &ShownMarking) -> Vec<String> {
    let words = marked(model, &stop.state);
    if words.len() <= MOST_WORDS || stop.event.is_none() {
        return lines(&words);
    }
    let changes = model.variable_ids().filter_map(|variable| {
        let (old, new) = (stop.before[variable.index()], stop.state[variable.index()]);
        let name = &model.variables[variable.index()].name;
        (old != new).then(|| format!("{name}: {old} → {new}"))
    });
    let changes: Vec<String> = changes.collect();
    if changes.is_empty() { vec!["nothing changes".to_string()] } else { changes }
}
