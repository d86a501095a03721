//! A small state space as a graph: one box per state with its marked places, an arc from each state
//! to each of its successors with the transitions that lead there.

use super::legend;
use super::words::{lines, marked};
use crate::value_names::joint_action_label;
use std::collections::BTreeMap;
use symbolon_budget::{Budget, Meter};
use symbolon_explicit::{self as explicit, Exploration, Reason, Stopped};
use symbolon_model::{Model, State, Step};
use symbolon_picture::{Arc, ArcKind, Emphasis, Flow, Graph, Node, Shape};

/// About the room that a state takes, with the arcs to the next layer: across and along the layers,
/// if these are rows and if they are columns. A slide is what pictures should fit.
const ROOM_IN_ROWS: (f64, f64) = (230.0, 110.0);
const ROOM_IN_COLUMNS: (f64, f64) = (75.0, 320.0);
const SLIDE: (f64, f64) = (1600.0, 900.0);
/// Parallel arcs are drawn as one with at most this many names; further ones are counted.
const MOST_NAMES: usize = 4;

/// All reachable states. Stops where there are more than `state_limit`.
pub(super) fn state_graph(
    model: &Model,
    state_limit: Option<usize>,
    budget: &Budget,
) -> Result<Graph, Stopped> {
    let explored = explicit::explore(model, &explicit::Options { state_limit }, budget)?;
    let stopped = |reason: Reason| Stopped { reason, states: explored.state_count() };
    let mut meter = Meter::new(budget.clone());
    let mut graph = Graph { title: model.name.clone(), flow: Flow::Down, ..Graph::default() };
    for (number, state) in explored.states().enumerate() {
        graph.nodes.push(Node {
            name: format!("state:{number}"),
            shape: Shape::State { lines: lines(&marked(model, &state)) },
            group: None,
            layer: Some(explored.distance(number) as u32),
            emphasis: emphasis(&explored, number),
        });
        // Where each successor is reached, in the order of the events that reach it first.
        let mut arrivals: Vec<(usize, Vec<String>)> = Vec::new();
        let mut known: BTreeMap<usize, usize> = BTreeMap::new();
        let mut arrive = |next: &State, name: String| {
            let to = explored.position(next).expect("successors of reachable states are reachable");
            let arrival = *known.entry(to).or_insert_with(|| {
                arrivals.push((to, Vec::new()));
                arrivals.len() - 1
            });
            if !arrivals[arrival].1.contains(&name) {
                arrivals[arrival].1.push(name);
            }
        };
        for event in &model.events {
            meter.step().map_err(|why| stopped(why.into()))?;
            if event.is_synchronous() {
                Step::new(model, event).for_each(&state, |action, next| {
                    arrive(next, joint_action_label(model, action));
                    true
                });
            } else if let Ok(Some(next)) = event.fire(&state) {
                arrive(&next, event.name.clone());
            }
        }
        graph.arcs.extend(arrivals.into_iter().map(|(to, names)| Arc {
            from: number,
            cell: None,
            to,
            label: Some(joined(&names)),
            kind: ArcKind::Plain,
        }));
    }
    graph.flow = better_flow(&graph);
    graph.legend = legend::of_nodes(
        &graph,
        &[(Emphasis::Initial, "initial state"), (Emphasis::Dead, "deadlock: no transition is enabled")],
    );
    // Arcs inside a layer run into the boxes beside them: then layers are better found than given.
    let is_inside =
        |arc: &Arc| arc.from != arc.to && graph.nodes[arc.from].layer == graph.nodes[arc.to].layer;
    if graph.arcs.iter().any(is_inside) {
        graph.nodes.iter_mut().for_each(|node| node.layer = None);
    }
    Ok(graph)
}

/// The direction in which layers fit a slide with less shrinking.
fn better_flow(graph: &Graph) -> Flow {
    let mut counts: BTreeMap<Option<u32>, usize> = BTreeMap::new();
    graph.nodes.iter().for_each(|node| *counts.entry(node.layer).or_default() += 1);
    let widest = counts.values().copied().max().unwrap_or(0) as f64;
    let layers = counts.len() as f64;
    let in_rows = (widest * ROOM_IN_ROWS.0 / SLIDE.0).max(layers * ROOM_IN_ROWS.1 / SLIDE.1);
    let in_columns = (layers * ROOM_IN_COLUMNS.1 / SLIDE.0).max(widest * ROOM_IN_COLUMNS.0 / SLIDE.1);
    if in_columns < in_rows { Flow::Right } else { Flow::Down }
}

fn emphasis(explored: &Exploration, number: usize) -> Emphasis {
    if explored.dead_states().binary_search(&number).is_ok() {
        Emphasis::Dead
    } else if number < explored.initial_count() {
        Emphasis::Initial
    } else {
        Emphasis::None
    }
}

/// The names of parallel arcs.
fn joined(names: &[String]) -> String {
    match names.len().saturating_sub(MOST_NAMES) {
        0 => names.join(", "),
        rest => format!("{}, +{rest}", names[..MOST_NAMES].join(", ")),
    }
}
