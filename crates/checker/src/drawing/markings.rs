//! A diagram of symbolic markings as a graph: one row of cells per node, one cell per motif, one layer
//! per class or place, whose names stand at the side.

use super::diagram::{cell_arcs, cell_legend, node};
use symbolon_picture::{Arc, ArcKind, Flow, Graph, Sample, Shape};
use symbolon_symmetry::MarkingOutline;

/// The graph of an outline.
pub(super) fn marking_graph(outline: &MarkingOutline) -> Graph {
    let mut graph = Graph { flow: Flow::Down, ..Graph::default() };
    // Names of levels come first, to stand at the left; invisible lines keep them in one column.
    for (level, name) in outline.levels.iter().enumerate() {
        graph.nodes.push(node(format!("level:{level}"), Shape::Text { label: name.clone() }, level as u32));
        if level > 0 {
            graph.arcs.push(Arc {
                from: level - 1,
                cell: None,
                to: level,
                label: None,
                kind: ArcKind::Hidden,
            });
        }
    }
    let first_node = graph.nodes.len();
    for (number, outlined) in outline.nodes.iter().enumerate() {
        let cells = outlined.edges.iter().map(|(motif, _)| motif.clone()).collect();
        graph.nodes.push(node(format!("node:{number}"), Shape::Cells { cells }, outlined.level as u32));
    }
    let terminal = graph.nodes.len();
    let last = outline.levels.len() as u32;
    graph.nodes.push(node("terminal".into(), Shape::Terminal { label: "1".into() }, last));
    let children = outline.nodes.iter().map(|outlined| outlined.edges.iter().map(|(_, child)| *child));
    graph.arcs.extend(cell_arcs(children, first_node, terminal));
    graph.legend = cell_legend("motif");
    graph.legend.extend([
        (
            Sample::Text("2,1".into()),
            "of a class: the sizes of the blocks that its members are cut into".into(),
        ),
        (
            Sample::Text("C1".into()),
            "in a place: a token of each member of the first block of class C".into(),
        ),
    ]);
    graph
}
