//! A set as a picture, in the DOT language.

use crate::mdd::Mdd;
use std::fmt::Write;
use symbolon_dd_core::NodeId;

/// How to label a picture.
pub struct DotOptions<'a> {
    /// The name shown for each level.
    pub level_name: &'a dyn Fn(u32) -> String,
    /// The text shown for a code at a level.
    pub code_name: &'a dyn Fn(u32, u32) -> String,
}

impl Mdd {
    /// The diagram of a set in the DOT language: a record a node, a cell a value.
    pub fn to_dot(&self, set: NodeId, options: &DotOptions<'_>) -> String {
        let mut text = String::from("digraph mdd {\n  node [shape=record, height=0.2];\n");
        let levels = self.nodes_by_level(set);
        for (level, nodes) in levels.upwards().rev() {
            let name = escape(&(options.level_name)(level));
            let _ = writeln!(text, "  {{ rank=same; level{level} [shape=plaintext, label=\"{name}\"];");
            for &node in nodes {
                let view = self.view(node);
                let cells: Vec<String> = (0..view.length)
                    .filter(|&offset| !self.nth_child(&view, offset).is_empty())
                    .map(|offset| {
                        let code = view.tag + offset as u32;
                        format!("<c{code}> {}", escape(&(options.code_name)(level, code)))
                    })
                    .collect();
                let _ = writeln!(text, "    n{} [label=\"{}\"];", node.word(), cells.join("|"));
            }
            text.push_str("  }\n");
        }
        text.push_str("  n1 [shape=box, label=\"1\"];\n");
        for (_, nodes) in levels.upwards().rev() {
            for &node in nodes {
                let view = self.view(node);
                for offset in 0..view.length {
                    let child = self.nth_child(&view, offset);
                    if !child.is_empty() {
                        let code = view.tag + offset as u32;
                        let _ = writeln!(text, "  n{}:c{code} -> n{};", node.word(), child.word());
                    }
                }
            }
        }
        for level in (2..=self.level_count).rev() {
            let _ = writeln!(text, "  level{level} -> level{} [style=invis];", level - 1);
        }
        text.push_str("}\n");
        text
    }
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '"' | '\\' | '{' | '}' | '|' | '<' | '>') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
