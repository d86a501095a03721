//! The diagram of the reachable states as a graph: one row of cells per node, one cell per value,
//! one layer per level, and the names of the levels at the side. A node with several arcs to it is
//! shared: it is drawn once.

use symbolon_engine::{Meaning, Outline, OutlineEdge};
use symbolon_model::{Model, VariableId};
use symbolon_picture::{Arc, ArcKind, Emphasis, Flow, Graph, Node, Sample, Shape};

/// The graph of an outline.
pub(super) fn diagram_graph(model: &Model, outline: &Outline) -> Graph {
    let level_count = outline.levels.len() as u32;
    let mut graph = Graph { title: model.name.clone(), flow: Flow::Down, ..Graph::default() };

    // Names of levels come first, to stand at the left; invisible lines keep them in one column.
    for level in (1..=level_count).rev() {
        let label = level_name(model, &outline.levels[level as usize - 1]);
        graph.nodes.push(node(format!("level:{level}"), Shape::Text { label }, level_count - level));
        if level > 1 {
            let from = graph.nodes.len() - 1;
            graph.arcs.push(Arc { from, cell: None, to: from + 1, label: None, kind: ArcKind::Hidden });
        }
    }
    let first_node = graph.nodes.len();
    for (number, outlined) in outline.nodes.iter().enumerate() {
        let cells = outlined.edges.iter().map(|edge| cell(model, edge)).collect();
        graph.nodes.push(node(
            format!("node:{number}"),
            Shape::Cells { cells },
            level_count - outlined.level,
        ));
    }
    let terminal = graph.nodes.len();
    let label = if outline.nodes.is_empty() && level_count > 0 { "0" } else { "1" };
    graph.nodes.push(node("terminal".into(), Shape::Terminal { label: label.into() }, level_count));

    let children = outline.nodes.iter().map(|outlined| outlined.edges.iter().map(|edge| edge.child));
    graph.arcs.extend(cell_arcs(children, first_node, terminal));
    if !outline.nodes.is_empty() {
        graph.legend = cell_legend("value");
        let mut edges = outline.nodes.iter().flat_map(|node| &node.edges);
        let named = edges.find_map(|edge| match edge.meaning {
            Meaning::One(variable) => Some(model.variables[variable.index()].name.clone()),
            _ => None,
        });
        if let Some(name) = named {
            let meaning = "in a cell: this variable of the level is 1, the others are 0";
            graph.legend.push((Sample::Text(name), meaning.to_string()));
        }
    }
    graph
}

/// How rows of cells are read.
pub(super) fn cell_legend(what: &str) -> Vec<(Sample, String)> {
    let meaning = format!("from a {what} to what may follow below; each way to 1 is a state");
    vec![(Sample::Arc(ArcKind::Plain), meaning)]
}

/// The arcs from the cells of nodes, which stand from `first_node` on, to their children; `None` is
/// the terminal.
pub(super) fn cell_arcs(
    children: impl Iterator<Item = impl Iterator<Item = Option<usize>>>,
    first_node: usize,
    terminal: usize,
) -> impl Iterator<Item = Arc> {
    children.enumerate().flat_map(move |(number, children)| {
        children.enumerate().map(move |(cell, child)| Arc {
            from: first_node + number,
            cell: Some(cell),
            to: child.map_or(terminal, |child| first_node + child),
            label: None,
            kind: ArcKind::Plain,
        })
    })
}

/// A node on a layer.
pub(super) fn node(name: String, shape: Shape, layer: u32) -> Node {
    Node { name, shape, group: None, layer: Some(layer), emphasis: Emphasis::None }
}

/// What an edge says, as short as it can be said.
fn cell(model: &Model, edge: &OutlineEdge) -> String {
    match edge.meaning {
        Meaning::Value(value) => value.to_string(),
        Meaning::One(variable) => model.variables[variable.index()].name.clone(),
        Meaning::AllZero => "none".to_string(),
    }
}

/// A level of one variable is called like it; the cells of a merged level name its variables
/// themselves.
fn level_name(model: &Model, variables: &[VariableId]) -> String {
    match variables {
        // Actions of agents have levels, too, which hold 0 in every state.
        [variable] => {
            model.variables.get(variable.index()).map_or("action".into(), |known| known.name.clone())
        }
        several => format!("one of {}", several.len()),
    }
}
