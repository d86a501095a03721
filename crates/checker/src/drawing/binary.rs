//! The binary diagram of the reachable states as a graph, as the textbooks draw it: a node names
//! the bit that it tests, a dashed line is taken if the bit is 0, an arrow if it is 1. Drawn with
//! letters, lines say so themselves.

use super::PictureFormat;
use symbolon_engine::{BinaryChild, BinaryNode, BinaryOutline};
use symbolon_model::Model;
use symbolon_picture::{Arc, ArcKind, Emphasis, Flow, Graph, Node, Shape};

/// The diagram that an outline describes.
pub(super) fn binary_graph(model: &Model, outline: &BinaryOutline, format: PictureFormat) -> Graph {
    let title = format!("{}: dashed where a bit is 0", model.name);
    let mut graph = Graph { title, flow: Flow::Down, ..Graph::default() };
    let mut add = |name: String, shape: Shape, layer: usize| {
        graph.nodes.push(Node {
            name,
            shape,
            group: None,
            layer: Some(layer as u32),
            emphasis: Emphasis::None,
        });
        graph.nodes.len() - 1
    };
    // Levels at which nothing is tested take no room.
    let mut depths: Vec<usize> = outline.nodes.iter().map(|node| node.depth).collect();
    depths.dedup();
    let layer = |depth: usize| depths.partition_point(|&other| other < depth);
    for (number, node) in outline.nodes.iter().enumerate() {
        let shape = Shape::State { lines: vec![bit_name(model, node)] };
        add(format!("node:{number}"), shape, layer(node.depth));
    }
    let children = || outline.nodes.iter().flat_map(|node| [node.low, node.high]).chain([outline.root]);
    let mut terminal = |child: BinaryChild, label: &str| {
        let is_there = children().any(|other| other == child);
        is_there
            .then(|| add(format!("terminal:{label}"), Shape::Terminal { label: label.into() }, depths.len()))
    };
    let (no, yes) = (terminal(BinaryChild::No, "0"), terminal(BinaryChild::Yes, "1"));
    for (from, node) in outline.nodes.iter().enumerate() {
        for (child, kind, bit) in [(node.low, ArcKind::Read, "0"), (node.high, ArcKind::Plain, "1")] {
            let label = (format == PictureFormat::Text).then(|| bit.to_string());
            let to = match child {
                BinaryChild::No => no,
                BinaryChild::Yes => yes,
                BinaryChild::Node(number) => Some(number),
            };
            graph.arcs.extend(to.map(|to| Arc { from, cell: None, to, label, kind }));
        }
    }
    graph
}

/// A variable of one bit is called like it, the others by the weight of the bit: `x.0` is the
/// lowest of `x`.
fn bit_name(model: &Model, node: &BinaryNode) -> String {
    let name = &model.variables[node.variable.index()].name;
    if node.bit_count == 1 { name.clone() } else { format!("{name}.{}", node.bit) }
}
