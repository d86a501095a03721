//! Diagrams as DOT text, for Graphviz: a node is a circle with the number of its vtree node, its
//! elements are paired boxes below it. A line above a box negates.

use crate::edge::Edge;
use crate::sdd::Sdd;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use symbolon_dd_core::{Root, Variable};

impl Sdd {
    /// A picture of some functions, each with a name. Nodes are numbered as they are met, so equal
    /// functions give equal text whatever was computed before them.
    pub fn to_dot(&self, functions: &[(&str, &Root)], name: impl Fn(Variable) -> String) -> String {
        let edges: Vec<Edge> = functions.iter().map(|(_, root)| Edge::of(root).regular()).collect();
        let inner: Vec<u32> = self
            .indices_below(&edges)
            .into_iter()
            .filter(|&index| self.is_decision(Edge::to(index)))
            .collect();
        let numbers: FxHashMap<u32, usize> =
            inner.iter().enumerate().map(|(number, &index)| (index, number)).collect();
        let places = self.vtree.in_order();
        // What stands in a box.
        let label = |edge: Edge| -> String {
            if edge.is_constant() {
                return if edge == Edge::TRUE { "⊤".into() } else { "⊥".into() };
            }
            let sign = if edge.is_regular() { "" } else { "¬" };
            match self.is_decision(edge) {
                true => format!("{sign}•"),
                false => format!("{sign}{}", escaped(&name(Variable(self.place(edge))))),
            }
        };
        // Writing into a string cannot fail.
        let mut text = String::from("digraph sdd {\n  node [shape=record, height=0.2];\n");
        let mut line = |content: String| {
            let _ = writeln!(text, "  {content}");
        };
        for (number, (title, root)) in functions.iter().enumerate() {
            let edge = Edge::of(root);
            line(format!("f{number} [shape=plaintext, label=\"{}: {}\"];", escaped(title), label(edge)));
            if let Some(target) = numbers.get(&(edge.index() as u32)) {
                line(format!("f{number} -> n{target};"));
            }
        }
        for (number, &index) in inner.iter().enumerate() {
            let edge = Edge::to(index);
            line(format!("n{number} [shape=circle, label=\"{}\"];", places[self.place(edge) as usize]));
            for (element, (prime, sub)) in self.elements_of(edge).into_iter().enumerate() {
                let own = format!("n{number}e{element}");
                line(format!("{own} [label=\"<p> {}|<s> {}\"];", label(prime), label(sub)));
                line(format!("n{number} -> {own} [arrowhead=none];"));
                for (port, child) in [("p", prime), ("s", sub)] {
                    if let Some(target) = numbers.get(&(child.index() as u32)) {
                        line(format!("{own}:{port} -> n{target};"));
                    }
                }
            }
        }
        text.push_str("}\n");
        text
    }
}

/// Inside a label of a record.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '\n' => escaped.push_str("\\n"),
            '\\' | '"' | '|' | '{' | '}' | '<' | '>' => escaped.extend(['\\', character]),
            _ => escaped.push(character),
        }
    }
    escaped
}
