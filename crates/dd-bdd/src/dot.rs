//! Diagrams as DOT text, for Graphviz.
//!
//! Low edges are dashed. Nodes are numbered as they are met, so equal functions give equal text
//! whatever was computed before them.

use crate::Variable;
use crate::bdd::Bdd;
use crate::node::Edge;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write;
use symbolon_dd_core::Root;

/// Whether a picture shows what is stored or what the textbooks draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// A function and its negation are two nodes; there are two terminals.
    Plain,
    /// As stored: a ring at the end of an edge negates; the terminal is *false*.
    Signed,
}

impl Bdd {
    /// A picture of some functions, each with a name.
    pub fn to_dot(
        &self,
        functions: &[(&str, &Root)],
        name: impl Fn(Variable) -> String,
        drawing: Drawing,
    ) -> String {
        let vertex = |edge: Edge| if drawing == Drawing::Plain { edge } else { edge.unsigned() };
        let edges: Vec<Edge> = functions.iter().map(|(_, root)| vertex(Edge::of(root))).collect();
        let inner = match drawing {
            Drawing::Plain => self.functions_below(&edges),
            Drawing::Signed => self.nodes_below(&edges).into_iter().map(Edge::to).collect(),
        };
        let mut names: FxHashMap<Edge, String> =
            inner.iter().enumerate().map(|(number, &edge)| (edge, format!("n{number}"))).collect();
        names.insert(Edge::FALSE, "false".into());
        names.insert(Edge::TRUE, "true".into());

        // Writing into a string cannot fail.
        let mut text = String::from("digraph bdd {\n  node [shape=circle];\n");
        let mut line = |content: String| {
            let _ = writeln!(text, "  {content}");
        };
        let arrow = |from: &str, to: Edge, style: &str| {
            let ring = if vertex(to) == to { "" } else { ", arrowhead=odot" };
            format!("{from} -> {} [style={style}{ring}];", names[&vertex(to)])
        };
        for (number, (label, root)) in functions.iter().enumerate() {
            line(format!("f{number} [shape=plaintext, label=\"{}\"];", escaped(label)));
            line(arrow(&format!("f{number}"), Edge::of(root), "solid"));
        }
        let mut by_level: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
        let mut terminals = vec![];
        for &edge in &inner {
            let level = self.level(edge);
            let label = escaped(&name(self.order.variable_at[level as usize]));
            line(format!("{} [label=\"{label}\"];", names[&edge]));
            by_level.entry(level).or_default().push(&names[&edge]);
            let (low, high) = self.cofactors(edge, level);
            line(arrow(&names[&edge], low, "dashed"));
            line(arrow(&names[&edge], high, "solid"));
            terminals.extend([low, high].map(vertex).into_iter().filter(|child| child.is_terminal()));
        }
        terminals.extend(edges.iter().copied().filter(|edge| edge.is_terminal()));
        terminals.sort_unstable();
        terminals.dedup();
        for terminal in terminals {
            line(format!("{} [shape=box, label=\"{}\"];", names[&terminal], terminal.word()));
        }
        for same in by_level.values().rev() {
            line(format!("{{ rank=same; {}; }}", same.join("; ")));
        }
        text.push_str("}\n");
        text
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
