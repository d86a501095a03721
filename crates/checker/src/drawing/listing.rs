//! A graph as a list, for graphs that are too large to be drawn with letters: one line per node,
//! with what it holds and where its arcs lead.
//!
//! ```text
//! Think_1 (1) → FF1a_1, FF1b_1
//! state:0 [Think_1, Fork_1] → state:1 by FF1a_1
//! ```

use std::fmt::Write as _;
use symbolon_picture::{Arc, ArcKind, Graph, Node, Shape};

/// The list.
pub(super) fn listing(graph: &Graph) -> String {
    let mut leaving: Vec<Vec<&Arc>> = vec![Vec::new(); graph.nodes.len()];
    for arc in graph.arcs.iter().filter(|arc| arc.kind != ArcKind::Hidden) {
        leaving[arc.from].push(arc);
    }
    let mut text = String::new();
    for (node, arcs) in graph.nodes.iter().zip(&leaving) {
        if matches!(node.shape, Shape::Text { .. }) {
            continue;
        }
        text.push_str(called(node));
        match &node.shape {
            Shape::Place { tokens, .. } if *tokens > 0 => {
                let _ = write!(text, " ({tokens})");
            }
            Shape::State { lines } => {
                let _ = write!(text, " [{}]", lines.join(" "));
            }
            _ => {}
        }
        for (index, arc) in arcs.iter().enumerate() {
            text.push_str(if index == 0 { " " } else { ", " });
            let _ = write!(text, "{} {}", arrow(arc.kind), called(&graph.nodes[arc.to]));
            if let (Some(cell), Shape::Cells { cells }) = (arc.cell, &node.shape) {
                let _ = write!(text, " for {}", cells[cell]);
            }
            if let Some(label) = &arc.label {
                let _ = write!(text, " by {label}");
            }
        }
        text.push('\n');
    }
    text
}

/// Short names stand for themselves; what has a longer text is called by its name.
fn called(node: &Node) -> &str {
    match &node.shape {
        Shape::Place { label, .. }
        | Shape::Transition { label }
        | Shape::Terminal { label }
        | Shape::Text { label } => label,
        Shape::State { .. } | Shape::Cells { .. } => &node.name,
    }
}

fn arrow(kind: ArcKind) -> &'static str {
    match kind {
        ArcKind::Plain | ArcKind::Hidden => "→",
        ArcKind::Both => "↔",
        ArcKind::Inhibitor => "⊸",
        ArcKind::Read | ArcKind::Dashed => "⇢",
        ArcKind::Negated => "∘→",
        ArcKind::DashedNegated => "∘⇢",
        ArcKind::Reset => "↠",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_picture::Emphasis;

    #[test]
    fn every_node_has_a_line() {
        let node = |name: &str, shape| Node {
            name: name.into(),
            shape,
            group: None,
            layer: None,
            emphasis: Emphasis::None,
        };
        let arc = |from, to, label: Option<&str>, cell, kind| Arc {
            from,
            cell,
            to,
            label: label.map(String::from),
            kind,
        };
        let graph = Graph {
            nodes: vec![
                node("place:p", Shape::Place { label: "p".into(), tokens: 2 }),
                node("transition:t", Shape::Transition { label: "t".into() }),
                node("state:0", Shape::State { lines: vec!["a,".into(), "b".into()] }),
                node("node:0", Shape::Cells { cells: vec!["0".into(), "7".into()] }),
                node("level:1", Shape::Text { label: "x".into() }),
                node("terminal", Shape::Terminal { label: "1".into() }),
            ],
            arcs: vec![
                arc(0, 1, Some("3"), None, ArcKind::Plain),
                arc(0, 1, None, None, ArcKind::Inhibitor),
                arc(2, 2, Some("t"), None, ArcKind::Plain),
                arc(3, 5, None, Some(1), ArcKind::Plain),
                arc(4, 5, None, None, ArcKind::Hidden),
            ],
            ..Graph::default()
        };
        let expected = "p (2) → t by 3, ⊸ t\nt\nstate:0 [a, b] → state:0 by t\nnode:0 → 1 for 7\n1\n";
        assert_eq!(listing(&graph), expected);
    }
}
