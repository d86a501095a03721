//! Evidence as a graph: states of runs with what happens between them, dashed lines between states
//! that an agent cannot distinguish, and strategies as the states they may lead to.
//!
//! The first state of a run is shown in full, the others by what changed. Of the states of a
//! strategy, only what differs between them is shown; if there are too many, the rows of its table
//! stand for the states that fit them.

use super::legend;
use super::render::render;
use super::words::lines;
use super::{DrawOptions, Drawing, PictureFormat, Scene};
use crate::report::{StrategyTable, Witness, WitnessLink};
use crate::stop::Stop;
use std::collections::BTreeMap;
use symbolon_budget::Budget;
use symbolon_picture::{Arc, ArcKind, Emphasis, Flow, Graph, Node, Shape};

/// A strategy with more states is drawn by the rows of its table.
const MOST_OUTCOMES: usize = 40;

/// Draws a witness.
pub(crate) fn draw_witness(
    title: &str,
    witness: &Witness,
    format: PictureFormat,
    budget: &Budget,
) -> Result<Drawing, Stop> {
    let wish = DrawOptions { format, ..DrawOptions::default() };
    render(&Scene::Still(witness_graph(title, witness)), &wish, Vec::new(), budget)
}

/// A witness as a graph.
pub(super) fn witness_graph(title: &str, witness: &Witness) -> Graph {
    let mut picture = Picture { graph: Graph { title: title.into(), flow: Flow::Down, ..Graph::default() } };
    picture.witness(witness, None);
    let mut graph = picture.graph;
    let active = match &witness.strategy {
        Some(strategy) if strategy.against.is_empty() => "the goal is reached",
        Some(_) => "where nothing has to be answered",
        None => "where another run ends",
    };
    let marks = [
        (Emphasis::Initial, "where it begins"),
        (Emphasis::Active, active),
        (Emphasis::Dead, "no fair path goes on"),
    ];
    graph.legend = legend::of_nodes(&graph, &marks);
    graph
}

struct Picture {
    graph: Graph,
}

impl Picture {
    fn node(&mut self, words: &[String], emphasis: Emphasis) -> usize {
        let name = format!("state:{}", self.graph.nodes.len());
        let shape = Shape::State { lines: lines(words) };
        self.graph.nodes.push(Node { name, shape, group: None, layer: None, emphasis });
        self.graph.nodes.len() - 1
    }

    fn arc(&mut self, from: usize, to: usize, label: String, kind: ArcKind) {
        self.graph.arcs.push(Arc { from, cell: None, to, label: Some(label), kind });
    }

    /// A witness that begins at a node that is there, or at a new one. Returns the node where it
    /// ends.
    fn witness(&mut self, witness: &Witness, start: Option<usize>) -> usize {
        let shown = |(name, value): &(String, crate::value_names::ShownValue)| format!("{name}={value}");
        let first = start.unwrap_or_else(|| {
            let words: Vec<String> = witness.initial.iter().map(shown).collect();
            self.node(&words, Emphasis::Initial)
        });
        if let Some(strategy) = &witness.strategy {
            self.strategy(strategy, start);
            return first;
        }
        let mut nodes = vec![first];
        for (number, step) in witness.steps.iter().enumerate() {
            let closes = witness.loop_start.filter(|_| number + 1 == witness.steps.len());
            let to = match closes {
                Some(start) => nodes[start],
                None => {
                    let changes: Vec<String> =
                        step.changes.iter().map(|(name, _, new)| format!("{name}={new}")).collect();
                    let words = if changes.is_empty() { vec!["nothing changes".into()] } else { changes };
                    self.node(&words, Emphasis::None)
                }
            };
            self.arc(nodes[number], to, step.event.clone(), ArcKind::Plain);
            nodes.push(to);
        }
        for branch in &witness.branches {
            let here = nodes[branch.position];
            match &branch.link {
                WitnessLink::Path => {
                    self.witness(&branch.witness, Some(here));
                }
                WitnessLink::Alike(agents) => {
                    let there = self.witness(&branch.witness, None);
                    self.graph.nodes[there].emphasis = Emphasis::Active;
                    self.arc(here, there, format!("same to {}", agents.join(", ")), ArcKind::Read);
                }
                WitnessLink::Correct(agent) => {
                    let there = self.witness(&branch.witness, None);
                    self.graph.nodes[there].emphasis = Emphasis::Active;
                    self.arc(here, there, format!("{agent} as it should"), ArcKind::Read);
                }
            }
        }
        nodes[nodes.len() - 1]
    }

    /// The states that a strategy may lead to, with what the group does in them; the first may be
    /// there already.
    fn strategy(&mut self, strategy: &StrategyTable, start: Option<usize>) {
        let outcomes = &strategy.outcomes;
        let action = |row: Option<usize>| {
            let actions = row.map_or(&[][..], |row| &strategy.rows[row].actions);
            let shown = actions.iter().map(|(agent, action)| format!("{agent}: {action}"));
            shown.collect::<Vec<_>>().join(", ")
        };
        let is_counter = !strategy.against.is_empty();
        // What others answer depends on more than the state, so their states have no rows.
        let by_rows = outcomes.len() > MOST_OUTCOMES && !is_counter;
        // Which node stands for each outcome; behind the rows are the goal, and where no fair path goes on.
        let part = |number: usize| match by_rows {
            true => {
                let end = strategy.rows.len() + usize::from(outcomes[number].is_unfair);
                outcomes[number].row.unwrap_or(end)
            }
            false => number,
        };
        let mut nodes: BTreeMap<usize, usize> = BTreeMap::new();
        for (number, outcome) in outcomes.iter().enumerate() {
            if nodes.contains_key(&part(number)) {
                continue;
            }
            let emphasis = match (number, outcome.row) {
                (0, _) => Emphasis::Initial,
                (_, None) if outcome.is_unfair => Emphasis::Dead,
                (_, None) if is_counter && !outcome.next.is_empty() => Emphasis::None,
                (_, None) => Emphasis::Active,
                _ => Emphasis::None,
            };
            let words: Vec<String> = match (by_rows, outcome.row) {
                (true, Some(row)) => {
                    let row = &strategy.rows[row];
                    let when = row.when.iter().map(|(name, values)| {
                        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                        format!("{name}={}", values.join("|"))
                    });
                    when.chain([format!("{} states", row.states)]).collect()
                }
                (true, None) if outcome.is_unfair => vec!["no fair path".into()],
                (true, None) => vec!["the goal".into()],
                (false, _) => varying(strategy, number),
            };
            let node = match (start, number) {
                (Some(start), 0) => start,
                // The first state is there in full, alone.
                (None, 0) => {
                    self.graph.nodes[0].shape = Shape::State { lines: lines(&words) };
                    0
                }
                _ => self.node(&words, emphasis),
            };
            nodes.insert(part(number), node);
        }
        let mut arcs: Vec<(usize, usize, String)> = Vec::new();
        for (number, outcome) in outcomes.iter().enumerate() {
            for &next in &outcome.next {
                let arc = (nodes[&part(number)], nodes[&part(next)], action(outcome.row));
                if !arcs.contains(&arc) {
                    arcs.push(arc);
                }
            }
        }
        arcs.into_iter().for_each(|(from, to, label)| self.arc(from, to, label, ArcKind::Plain));
    }
}

/// What is not the same in all outcomes, in one of them.
fn varying(strategy: &StrategyTable, number: usize) -> Vec<String> {
    let outcomes = &strategy.outcomes;
    let state = &outcomes[number].state;
    let varies = |place: usize| outcomes.iter().any(|other| other.state.get(place) != state.get(place));
    let words: Vec<String> = state
        .iter()
        .enumerate()
        .filter(|(place, _)| varies(*place))
        .map(|(_, (name, value))| format!("{name}={value}"))
        .collect();
    if words.is_empty() { vec!["the only state".into()] } else { words }
}
