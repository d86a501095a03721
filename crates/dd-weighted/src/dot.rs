//! Drawing a function, as text for Graphviz.

use crate::edd::Edd;
use crate::edge::Edge;
use std::fmt::Write;
use symbolon_dd_core::NodeId;

impl Edd<'_> {
    /// The diagram of a function in the DOT language; `label` says what the codes of a level are
    /// called.
    pub fn dot(&self, of: Edge, label: impl Fn(u32, u32) -> String) -> String {
        let mut text = String::from("digraph edd {\n  node [shape=box];\n  start [shape=point];\n");
        if of.is_nothing() {
            text.push_str("}\n");
            return text;
        }
        let levels = self.nodes_by_level(of);
        let name = |node: NodeId| levels.number(node);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  start -> n{} [label=\"{}\"];", name(of.node), of.weight);
        for &one in levels.level(0) {
            let _ = writeln!(text, "  n{} [label=\"1\"];", name(one));
        }
        for (level, nodes) in levels.upwards().rev() {
            let row: Vec<String> = nodes.iter().map(|&node| format!("n{};", name(node))).collect();
            let _ = writeln!(text, "  {{ rank=same; {} }}", row.join(" "));
            for &node in nodes {
                let _ = writeln!(text, "  n{} [label=\"{level}\"];", name(node));
                for (code, edge) in self.edges(node) {
                    let label = label(level, code).replace('\\', "\\\\").replace('"', "\\\"");
                    let (from, to) = (name(node), name(edge.node));
                    let _ = writeln!(text, "  n{from} -> n{to} [label=\"{label} +{}\"];", edge.weight);
                }
            }
        }
        text.push_str("}\n");
        text
    }
}
