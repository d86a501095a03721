//! Graphs as Graphviz text, for pictures larger than ours and for other programs.

use crate::graph::{ArcKind, Emphasis, Flow, Graph, Node, Shape};
use std::fmt::Write;

/// The graph in the language of Graphviz. Nodes are called `n0`, `n1` …; names are attributes.
pub fn to_dot(graph: &Graph) -> String {
    let mut out = String::from("digraph G {\n");
    if !graph.title.is_empty() {
        let _ = writeln!(out, "  label={};\n  labelloc=t;", quoted(&graph.title));
    }
    let direction = if graph.flow == Flow::Down { "TB" } else { "LR" };
    let _ = writeln!(out, "  rankdir={direction};");
    out.push_str("  node [fontname=\"Helvetica\", fontsize=11];\n");
    out.push_str("  edge [fontname=\"Helvetica\", fontsize=10];\n");
    write_members(&mut out, graph, None, 1);
    write_layers(&mut out, graph);
    for arc in &graph.arcs {
        let port = arc.cell.map_or(String::new(), |cell| format!(":c{cell}"));
        let mut attributes = Vec::new();
        if let Some(label) = &arc.label {
            attributes.push(format!("label={}", quoted(label)));
        }
        match arc.kind {
            ArcKind::Plain => {}
            ArcKind::Both => attributes.push("dir=both".to_owned()),
            ArcKind::Inhibitor => attributes.push("arrowhead=odot".to_owned()),
            ArcKind::Read => attributes.push("arrowhead=none, style=dashed".to_owned()),
            ArcKind::Dashed => attributes.push("style=dashed".to_owned()),
            ArcKind::Negated => attributes.push("dir=both, arrowtail=odot".to_owned()),
            ArcKind::DashedNegated => {
                attributes.push("dir=both, arrowtail=odot, style=dashed".to_owned());
            }
            ArcKind::Reset => attributes.push("arrowhead=normalnormal".to_owned()),
            ArcKind::Hidden => attributes.push("style=invis".to_owned()),
        }
        let attributes =
            if attributes.is_empty() { String::new() } else { format!(" [{}]", attributes.join(", ")) };
        let _ = writeln!(out, "  n{}{port} -> n{}{attributes};", arc.from, arc.to);
    }
    out.push_str("}\n");
    out
}

/// The nodes directly in a group, and the groups in it.
fn write_members(out: &mut String, graph: &Graph, group: Option<usize>, depth: usize) {
    let indent = "  ".repeat(depth);
    for (index, node) in graph.nodes.iter().enumerate().filter(|(_, node)| node.group == group) {
        let _ = writeln!(out, "{indent}n{index} [{}];", attributes(node));
    }
    for (index, inner) in graph.groups.iter().enumerate().filter(|(_, inner)| inner.parent == group) {
        let _ = writeln!(out, "{indent}subgraph cluster_{index} {{");
        let _ = writeln!(out, "{indent}  label={};\n{indent}  style=rounded;", quoted(&inner.label));
        write_members(out, graph, Some(index), depth + 1);
        let _ = writeln!(out, "{indent}}}");
    }
}

/// Nodes of one given layer stand side by side. Nodes in groups are left out: Graphviz would take
/// them out of their clusters.
fn write_layers(out: &mut String, graph: &Graph) {
    let mut layers = std::collections::BTreeMap::<u32, Vec<String>>::new();
    for (index, node) in graph.nodes.iter().enumerate() {
        if let (Some(layer), None) = (node.layer, node.group) {
            layers.entry(layer).or_default().push(format!("n{index};"));
        }
    }
    for nodes in layers.values() {
        let _ = writeln!(out, "  {{ rank=same; {} }}", nodes.join(" "));
    }
    // An invisible chain keeps the layers in order where no arc does.
    let heads: Vec<&String> = layers.values().filter_map(|nodes| nodes.first()).collect();
    for pair in heads.windows(2) {
        let _ = writeln!(
            out,
            "  {} -> {} [style=invis];",
            pair[0].trim_end_matches(';'),
            pair[1].trim_end_matches(';')
        );
    }
}

fn attributes(node: &Node) -> String {
    let mut attributes = match &node.shape {
        Shape::Place { label, tokens } => {
            let dots = if (1..=5).contains(tokens) {
                "•".repeat(*tokens as usize)
            } else if *tokens == 0 {
                String::new()
            } else {
                tokens.to_string()
            };
            format!(
                "shape=circle, fixedsize=true, width=0.45, label={}, xlabel={}",
                quoted(&dots),
                quoted(label)
            )
        }
        Shape::Transition { label } => format!(
            "shape=box, fixedsize=true, width=0.42, height=0.14, style=filled, fillcolor=black, label=\"\", xlabel={}",
            quoted(label)
        ),
        Shape::State { lines } => format!("shape=box, style=rounded, label={}", quoted(&lines.join("\n"))),
        Shape::Cells { cells } => {
            let fields: Vec<String> = cells
                .iter()
                .enumerate()
                .map(|(index, cell)| format!("<c{index}> {}", record_field(cell)))
                .collect();
            format!("shape=record, label=\"{}\"", fields.join("|"))
        }
        Shape::Terminal { label } => format!("shape=box, label={}", quoted(label)),
        Shape::Text { label } => format!("shape=plaintext, label={}", quoted(label)),
    };
    let filled = matches!(node.shape, Shape::Transition { .. });
    let color = match node.emphasis {
        Emphasis::None => None,
        Emphasis::Initial => Some("#0072b2"),
        Emphasis::Active => Some("#d55e00"),
        Emphasis::Dead => Some("#a3457a"),
    };
    if let Some(color) = color {
        let fill = if filled { format!(", fillcolor=\"{color}\"") } else { String::new() };
        let _ = write!(attributes, ", color=\"{color}\", penwidth=2.5{fill}");
    }
    if !node.name.is_empty() {
        let _ = write!(attributes, ", tooltip={}", quoted(&node.name));
    }
    attributes
}

/// A quoted string: line breaks and backslashes mean themselves.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    push_quoted(&mut out, text, "");
    out.push('"');
    out
}

/// A field of a record, inside a quoted string; braces, bars and blanks mean themselves.
fn record_field(text: &str) -> String {
    let mut out = String::new();
    push_quoted(&mut out, text, "{}|<> ");
    out
}

fn push_quoted(out: &mut String, text: &str, special: &str) {
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            // Graphviz reads entities in all strings.
            '&' => out.push_str("&amp;"),
            _ if special.contains(character) => {
                out.push('\\');
                out.push(character);
            }
            _ if character.is_control() => out.push(' '),
            _ => out.push(character),
        }
    }
}
