//! The binary diagram of the reachable states as a graph, as the textbooks draw it: a node names
//! the bit that it tests, a dashed arrow is taken if the bit is 0, an arrow if it is 1. Drawn with
//! letters, lines say so themselves.
//!
//! As in the other diagrams the terminal 0 is not drawn, nor what leads to it. A function and its
//! negation, which are stored as one node, are one node here, too: an arrow with a ring leads to the
//! negation of what the node stands for, in which states are those that are missing below it.

use super::PictureFormat;
use super::legend;
use symbolon_engine::{BinaryChild, BinaryNode, BinaryOutline};
use symbolon_model::Model;
use symbolon_picture::{Arc, ArcKind, Emphasis, Flow, Graph, Node, Shape};

/// The diagram that an outline describes.
pub(super) fn binary_graph(model: &Model, outline: &BinaryOutline, format: PictureFormat) -> Graph {
    let mut graph = Graph { flow: Flow::Down, ..Graph::default() };
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
    let drawn = |node: &&BinaryNode| node.negates.is_none();
    let mut depths: Vec<usize> = outline.nodes.iter().filter(drawn).map(|node| node.depth).collect();
    depths.dedup();
    let layer = |depth: usize| depths.partition_point(|&other| other < depth);
    // Where each node is drawn; a negation where what it negates is.
    let mut places: Vec<usize> = Vec::with_capacity(outline.nodes.len());
    for (number, node) in outline.nodes.iter().enumerate() {
        places.push(match node.negates {
            Some(other) => places[other],
            None => {
                let shape = Shape::State { lines: vec![bit_name(model, node)] };
                add(format!("node:{number}"), shape, layer(node.depth))
            }
        });
    }
    // The only terminal stands for all states; a set without states is drawn as 0.
    let terminal = match outline.root {
        BinaryChild::No => add("terminal:0".into(), Shape::Terminal { label: "0".into() }, depths.len()),
        _ => add("terminal:1".into(), Shape::Terminal { label: "1".into() }, depths.len()),
    };
    for (number, node) in outline.nodes.iter().enumerate().filter(|(_, node)| drawn(node)) {
        for (child, kinds, bit) in [
            (node.low, (ArcKind::Dashed, ArcKind::DashedNegated), "0"),
            (node.high, (ArcKind::Plain, ArcKind::Negated), "1"),
        ] {
            let (to, is_negated) = match child {
                BinaryChild::No => continue,
                BinaryChild::Yes => (terminal, false),
                BinaryChild::Node(child) => (places[child], outline.nodes[child].negates.is_some()),
            };
            let label = (format == PictureFormat::Text).then(|| bit.to_string());
            let kind = if is_negated { kinds.1 } else { kinds.0 };
            graph.arcs.push(Arc { from: places[number], cell: None, to, label, kind });
        }
    }
    graph.legend = legend::of_arcs(
        &graph,
        &[
            (ArcKind::Plain, "the bit is 1"),
            (ArcKind::Dashed, "the bit is 0"),
            (ArcKind::Negated, "the bit is 1; below it, states that are in and not in change places"),
            (ArcKind::DashedNegated, "the bit is 0; below it, states that are in and not in change places"),
        ],
    );
    graph
}

/// A variable of one bit is called like it, the others by the weight of the bit: `x.0` is the
/// lowest of `x`.
fn bit_name(model: &Model, node: &BinaryNode) -> String {
    let name = &model.variables[node.variable.index()].name;
    if node.bit_count == 1 { name.clone() } else { format!("{name}.{}", node.bit) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_model::VariableId;

    /// A model of this many bits.
    fn bits(count: usize) -> Model {
        let text: String = (0..count).map(|bit| format!("var x{bit}: bool = any\n")).collect();
        let source = crate::loaded::Source::Bytes {
            name: "bits.gcl".into(),
            bytes: text.into_bytes(),
            format: None,
            parameters: Vec::new(),
        };
        match crate::load::load(source, &symbolon_budget::Budget::unlimited()) {
            Ok(loaded) => loaded.model.clone(),
            Err(_) => panic!("well-formed"),
        }
    }

    fn node(depth: usize, low: BinaryChild, high: BinaryChild, negates: Option<usize>) -> BinaryNode {
        BinaryNode { variable: VariableId(depth as u32), bit: 0, bit_count: 1, depth, negates, low, high }
    }

    /// How many assignments the picture says are in the set.
    fn count(graph: &Graph, at: usize, negated: bool, left: usize) -> u64 {
        let Shape::State { .. } = graph.nodes[at].shape else {
            return if negated { 0 } else { 1 << left };
        };
        let mut sum = 0;
        for kinds in [[ArcKind::Plain, ArcKind::Negated], [ArcKind::Dashed, ArcKind::DashedNegated]] {
            sum += match graph.arcs.iter().find(|arc| arc.from == at && kinds.contains(&arc.kind)) {
                Some(arc) => count(graph, arc.to, negated ^ (arc.kind == kinds[1]), left - 1),
                None => u64::from(negated) << (left - 1),
            };
        }
        sum
    }

    #[test]
    fn a_function_and_its_negation_are_one_node() {
        use BinaryChild::{No, Node, Yes};
        // Parity of three bits: two nodes on each lower level, one in the picture.
        let parity = BinaryOutline {
            nodes: vec![
                node(0, Node(1), Node(2), None),
                node(1, Node(3), Node(4), None),
                node(1, Node(4), Node(3), Some(1)),
                node(2, No, Yes, None),
                node(2, Yes, No, Some(3)),
            ],
            root: Node(0),
        };
        let graph = binary_graph(&bits(3), &parity, PictureFormat::Svg);
        assert_eq!((graph.nodes.len(), graph.arcs.len()), (4, 5), "{graph:#?}");
        assert_eq!(count(&graph, 0, false, 3), 4);
        assert_eq!(graph.legend.len(), 3, "every kind of arrow is explained: {:?}", graph.legend);
    }

    #[test]
    fn nothing_leads_to_the_empty_set() {
        let one = BinaryOutline {
            nodes: vec![node(0, BinaryChild::No, BinaryChild::Yes, None)],
            root: BinaryChild::Node(0),
        };
        let graph = binary_graph(&bits(1), &one, PictureFormat::Svg);
        assert_eq!((graph.nodes.len(), graph.arcs.len(), graph.legend.len()), (2, 1, 1));
        for (root, label) in [(BinaryChild::No, "0"), (BinaryChild::Yes, "1")] {
            let graph =
                binary_graph(&bits(1), &BinaryOutline { nodes: Vec::new(), root }, PictureFormat::Svg);
            assert_eq!(graph.nodes.len(), 1);
            assert_eq!(graph.nodes[0].shape, Shape::Terminal { label: label.into() });
        }
    }
}
