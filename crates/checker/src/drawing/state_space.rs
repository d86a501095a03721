//! A small state space as a graph: a box a state with its marked places, an arc from each state to each of
//! its successors with the transitions that lead there.

use super::words::{lines, marked};
use std::collections::BTreeMap;
use symbolon_budget::{Budget, Meter};
use symbolon_explicit::{self as explicit, Exploration, Reason, Stopped};
use symbolon_model::Model;
use symbolon_picture::{Arc, ArcKind, Emphasis, Flow, Graph, Node, Shape};

/// Boxes are wide: from so many in one layer on they stand better below each other than side by side.
const MANY_IN_LAYER: usize = 5;
/// Parallel arcs are one with so many names; further ones are counted.
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
            emphasis: emphasis(model, &explored, number),
        });
        // Where each successor is reached, in the order of the events that reach it first.
        let mut arrivals: Vec<(usize, Vec<&str>)> = Vec::new();
        let mut known: BTreeMap<usize, usize> = BTreeMap::new();
        for event in &model.events {
            meter.step().map_err(|why| stopped(why.into()))?;
            let Ok(Some(next)) = event.fire(&state) else { continue };
            let to = explored.position(&next).expect("successors of reachable states are reachable");
            let arrival = *known.entry(to).or_insert_with(|| {
                arrivals.push((to, Vec::new()));
                arrivals.len() - 1
            });
            arrivals[arrival].1.push(&event.name);
        }
        graph.arcs.extend(arrivals.into_iter().map(|(to, names)| Arc {
            from: number,
            cell: None,
            to,
            label: Some(joined(&names)),
            kind: ArcKind::Plain,
        }));
    }
    if widest_layer(&graph) >= MANY_IN_LAYER {
        graph.flow = Flow::Right;
    }
    Ok(graph)
}

/// The most nodes in one layer.
fn widest_layer(graph: &Graph) -> usize {
    let mut counts: BTreeMap<Option<u32>, usize> = BTreeMap::new();
    graph.nodes.iter().for_each(|node| *counts.entry(node.layer).or_default() += 1);
    counts.values().copied().max().unwrap_or(0)
}

fn emphasis(model: &Model, explored: &Exploration, number: usize) -> Emphasis {
    if explored.dead_states().binary_search(&number).is_ok() {
        Emphasis::Dead
    } else if number < model.initial.len() {
        Emphasis::Initial
    } else {
        Emphasis::None
    }
}

/// The names of parallel arcs.
fn joined(names: &[&str]) -> String {
    match names.len().saturating_sub(MOST_NAMES) {
        0 => names.join(", "),
        rest => format!("{}, +{rest}", names[..MOST_NAMES].join(", ")),
    }
}
