//! Vtrees and sentential diagrams as graphs. A decision node is a box with the number of its vtree
//! node; below it hang its elements, each a pair of cells: what must hold of the bits on the left,
//! and what of those on the right then. A constant or a literal stands in its cell; from any other
//! cell an arrow leads to its node, and `¬` before the dot says that the negation of the node is
//! meant.
//!
//! ```text
//!            ┌───┐
//!            │ 3 │
//!            └───┘
//!         ╱    │    ╲
//!   ┌────┬──┐ ┌────┬──┐ ┌──┬──┐
//!   │ •  │ ⊤│ │ •  │ c│ │¬a│ d│
//!   └────┴──┘ └────┴──┘ └──┴──┘
//! ```

use super::PictureFormat;
use symbolon_engine::{OutlineBit, OutlineVtreeKind, SententialEdge, SententialOutline};
use symbolon_model::Model;
use symbolon_picture::{Arc, ArcKind, Emphasis, Flow, Graph, Node, Shape};

/// The diagram of the reachable states.
///
/// Letters have no cells: there an element is a box with both words, and its lines are labelled.
pub(super) fn sentential_graph(model: &Model, outline: &SententialOutline, format: PictureFormat) -> Graph {
    let is_text = format == PictureFormat::Text;
    let title = format!("{}: pairs of prime and sub", model.name);
    let mut graph = Graph { title, flow: Flow::Down, ..Graph::default() };
    let mut add = |name: String, shape: Shape, layer: usize| {
        graph.nodes.push(node(name, shape, layer));
        graph.nodes.len() - 1
    };
    // Levels of the vtree without nodes take no room.
    let depth_of = |index: usize| outline.vtree[outline.nodes[index].vtree].depth;
    let mut depths: Vec<usize> = (0..outline.nodes.len()).map(depth_of).collect();
    depths.sort_unstable();
    depths.dedup();
    let layer = |depth: usize| 1 + 2 * depths.partition_point(|&other| other < depth);

    let label = |edge: SententialEdge| match edge {
        SententialEdge::Constant(true) => "⊤".to_string(),
        SententialEdge::Constant(false) => "⊥".to_string(),
        SententialEdge::Literal(bit, true) => bit_name(model, bit),
        SententialEdge::Literal(bit, false) => format!("¬{}", bit_name(model, bit)),
        SententialEdge::Node { is_negated: false, .. } => "•".to_string(),
        SententialEdge::Node { is_negated: true, .. } => "¬•".to_string(),
    };
    let root = add("root".into(), Shape::Cells { cells: vec![label(outline.root)] }, 0);
    let mut decisions = Vec::new();
    let mut elements = Vec::new();
    for (number, decision) in outline.nodes.iter().enumerate() {
        let layer = layer(depth_of(number));
        let shape = Shape::State { lines: vec![outline.vtree[decision.vtree].number.to_string()] };
        decisions.push(add(format!("node:{number}"), shape, layer));
        for (place, &(prime, sub)) in decision.elements.iter().enumerate() {
            let shape = match is_text {
                true => Shape::State { lines: vec![format!("{} | {}", label(prime), label(sub))] },
                false => Shape::Cells { cells: vec![label(prime), label(sub)] },
            };
            elements.push((number, add(format!("element:{number}:{place}"), shape, layer + 1), [prime, sub]));
        }
    }
    let line = |from: usize, cell: Option<usize>, to: usize, kind: ArcKind| Arc {
        from,
        cell,
        to,
        label: None,
        kind,
    };
    if let SententialEdge::Node { index, .. } = outline.root {
        graph.arcs.push(line(root, Some(0), decisions[index], ArcKind::Plain));
    }
    for (owner, element, children) in elements {
        graph.arcs.push(line(decisions[owner], None, element, ArcKind::Read));
        for (cell, child) in children.into_iter().enumerate() {
            if let SententialEdge::Node { index, .. } = child {
                let arc = line(element, (!is_text).then_some(cell), decisions[index], ArcKind::Plain);
                let label = is_text.then(|| ["prime", "sub"][cell].to_string());
                graph.arcs.push(Arc { label, ..arc });
            }
        }
    }
    graph
}

/// The vtree alone.
pub(super) fn vtree_graph(model: &Model, outline: &SententialOutline) -> Graph {
    let mut graph = Graph { title: format!("{}: vtree", model.name), flow: Flow::Down, ..Graph::default() };
    for (index, place) in outline.vtree.iter().enumerate() {
        let shape = match &place.kind {
            OutlineVtreeKind::Inner(..) => Shape::State { lines: vec![place.number.to_string()] },
            OutlineVtreeKind::Leaf(Some(bit)) => Shape::Terminal { label: bit_name(model, *bit) },
            OutlineVtreeKind::Leaf(None) => Shape::Terminal { label: "no variable".to_string() },
        };
        graph.nodes.push(node(format!("vtree:{index}"), shape, place.depth));
        if let OutlineVtreeKind::Inner(left, right) = place.kind {
            let arc = |to: usize| Arc { from: index, cell: None, to, label: None, kind: ArcKind::Plain };
            graph.arcs.extend([arc(left), arc(right)]);
        }
    }
    graph
}

fn node(name: String, shape: Shape, layer: usize) -> Node {
    Node { name, shape, group: None, layer: Some(layer as u32), emphasis: Emphasis::None }
}

/// A variable of one bit is called like it, the others by the weight of the bit: `x.0` is the lowest
/// of `x`. A prime marks the value after a step.
fn bit_name(model: &Model, bit: OutlineBit) -> String {
    let name = match model.action(bit.variable) {
        Some(_) => format!("action {}", bit.variable.index() - model.variables.len() + 1),
        None => model.variables[bit.variable.index()].name.clone(),
    };
    let prime = if bit.is_primed { "'" } else { "" };
    if bit.bit_count == 1 { format!("{name}{prime}") } else { format!("{name}{prime}.{}", bit.bit) }
}
