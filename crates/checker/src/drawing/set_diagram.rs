//! Data decision diagrams and hierarchical set diagrams as graphs. A node is a row of cells, with
//! one cell per arc.
//!
//! The arcs of a set node are labelled with diagrams, and many arcs with the same one. So every
//! label has a letter, and is drawn once, in the box of its component; components that look alike
//! have one box, because they share their nodes:
//!
//! ```text
//! ┌ philosophers ──┐   ┌ A, B: 2 components alike ┐
//! │  states        │   │      A       B           │
//! │    ▼           │   │      ▼       ▼           │
//! │  [A|B]         │   │    [0|1]    [1]          │
//! │   ▼ ▼          │   │     ▼ ▼      ▼           │
//! ```
//!
//! What is one box alone, as a data decision diagram is, looks like the picture of a multi-valued
//! diagram.

use super::diagram::{cell_arcs, cell_legend};
use super::pattern::pattern;
use super::words::counted;
use symbolon_engine::{BoxLabel, HierarchyOutline, OutlineBox, OutlineSlot};
use symbolon_model::{Model, VariableId};
use symbolon_picture::{Arc, ArcKind, Emphasis, Flow, Graph, Group, Node, Sample, Shape};

/// Names of slots that list variables are not longer, unless the first one is.
const LONGEST_NAME: usize = 20;

/// The graph of an outline.
pub(super) fn set_diagram_graph(model: &Model, outline: &HierarchyOutline) -> Graph {
    let mut graph = Graph { title: model.name.clone(), flow: Flow::Down, ..Graph::default() };
    // The whole has one entry and no letter; the others are lettered through.
    let mut first_letters = Vec::with_capacity(outline.boxes.len());
    let mut next = 0;
    for (index, inside) in outline.boxes.iter().enumerate() {
        first_letters.push(next);
        next += if index == 0 { 0 } else { inside.entries.len() };
    }
    for (index, inside) in outline.boxes.iter().enumerate() {
        let group = (outline.boxes.len() > 1).then(|| {
            let label =
                if index == 0 { "all states".to_string() } else { box_name(inside, first_letters[index]) };
            graph.groups.push(Group { label, parent: None });
            graph.groups.len() - 1
        });
        let sheet = Sheet { model, inside, index, group, first_letters: &first_letters };
        sheet.draw(&mut graph);
    }
    if outline.boxes.iter().any(|inside| !inside.nodes.is_empty()) {
        graph.legend = cell_legend("value");
    }
    if outline.boxes.len() > 1 {
        let meaning = "letter: the set of states of a component, drawn in the box of that letter";
        graph.legend.push((Sample::Text("A".into()), meaning.to_string()));
    }
    graph
}

/// What a box is called: its letters, and how many components it stands for.
fn box_name(inside: &OutlineBox, first_letter: usize) -> String {
    let count = inside.entries.len();
    let letters = match count {
        0 | 1 => letters(first_letter),
        2 => format!("{}, {}", letters(first_letter), letters(first_letter + 1)),
        _ => format!("{} … {}", letters(first_letter), letters(first_letter + count - 1)),
    };
    match inside.components {
        1 => format!("{letters}: 1 component"),
        many => format!("{letters}: {} alike", counted(many, "component")),
    }
}

/// A, B, …, Z, AA, AB, …
fn letters(number: usize) -> String {
    let mut rest = number + 1;
    let mut name = Vec::new();
    while rest > 0 {
        rest -= 1;
        name.push(b'A' + (rest % 26) as u8);
        rest /= 26;
    }
    name.iter().rev().map(|&letter| char::from(letter)).collect()
}

/// One box on its way into the graph.
struct Sheet<'a> {
    model: &'a Model,
    inside: &'a OutlineBox,
    /// The number of the box.
    index: usize,
    /// Its group in the graph, if there are several boxes.
    group: Option<usize>,
    first_letters: &'a [usize],
}

impl Sheet<'_> {
    fn draw(&self, graph: &mut Graph) {
        let OutlineBox { slots, entries, nodes, .. } = self.inside;
        let is_alone = self.group.is_none();
        // Letters stand above the first slot; a box alone needs none.
        let head = u32::from(!is_alone);
        let hidden =
            |from: usize, to: usize| Arc { from, cell: None, to, label: None, kind: ArcKind::Hidden };

        // Names of slots come first, to stand at the left; invisible lines keep them in one column.
        let first_slot = graph.nodes.len();
        for (position, slot) in slots.iter().enumerate() {
            let label = self.slot_name(slot);
            self.push(graph, &format!("slot:{position}"), Shape::Text { label }, head + position as u32);
            if position > 0 {
                graph.arcs.push(hidden(first_slot + position - 1, first_slot + position));
            }
        }
        let first_node = graph.nodes.len();
        for (number, node) in nodes.iter().enumerate() {
            let slot = &slots[node.slot];
            let cells = node.arcs.iter().map(|arc| self.cell(slot, arc.label)).collect();
            self.push(graph, &format!("node:{number}"), Shape::Cells { cells }, head + node.slot as u32);
        }
        let terminal = graph.nodes.len();
        let label = if entries.is_empty() && !slots.is_empty() { "0" } else { "1" };
        let end = head + slots.len() as u32;
        self.push(graph, "terminal", Shape::Terminal { label: label.into() }, end);
        let children = nodes.iter().map(|node| node.arcs.iter().map(|arc| arc.child));
        graph.arcs.extend(cell_arcs(children, first_node, terminal));
        if is_alone {
            return;
        }
        for (number, &entry) in entries.iter().enumerate() {
            let label = match self.index {
                0 => "states".to_string(),
                index => letters(self.first_letters[index] + number),
            };
            let from = graph.nodes.len();
            self.push(graph, &format!("entry:{number}"), Shape::Text { label }, 0);
            graph.arcs.push(Arc { kind: ArcKind::Plain, ..hidden(from, first_node + entry) });
        }
    }

    fn push(&self, graph: &mut Graph, name: &str, shape: Shape, layer: u32) {
        let name = if self.group.is_none() { name.to_string() } else { format!("box:{}:{name}", self.index) };
        graph.nodes.push(Node {
            name,
            shape,
            group: self.group,
            layer: Some(layer),
            emphasis: Emphasis::None,
        });
    }

    fn name(&self, variable: VariableId) -> &str {
        // Actions of agents have places, too, which hold 0 in every state.
        self.model.variables.get(variable.index()).map_or("action", |known| &known.name)
    }

    /// The common name of a variable of each component, if they have one; else the first few.
    fn common_name(&self, variables: &[VariableId]) -> String {
        let names = || variables.iter().map(|&variable| self.name(variable));
        if let Some(name) = pattern(names()) {
            return name;
        }
        let mut name = String::new();
        for (index, one) in names().enumerate() {
            if index > 0 {
                name.push_str(", ");
                if name.chars().count() + one.chars().count() > LONGEST_NAME {
                    name.push('…');
                    break;
                }
            }
            name.push_str(one);
        }
        name
    }

    /// A slot of one variable is called like it, in whichever component it lies; the cells of a
    /// merged one name its variables themselves.
    fn slot_name(&self, slot: &OutlineSlot) -> String {
        match slot {
            OutlineSlot::Value(blocks) if blocks.iter().all(|block| block.len() == 1) => {
                let variables: Vec<VariableId> = blocks.iter().map(|block| block[0]).collect();
                self.common_name(&variables)
            }
            OutlineSlot::Value(blocks) => match &blocks[..] {
                [first, rest @ ..] if rest.iter().all(|block| block.len() == first.len()) => {
                    format!("one of {}", first.len())
                }
                _ => "one of several".to_string(),
            },
            OutlineSlot::Component(_, first) => format!("{} …", self.common_name(first)),
        }
    }

    /// What an arc says, as short as it can be said.
    fn cell(&self, slot: &OutlineSlot, label: BoxLabel) -> String {
        match (slot, label) {
            (OutlineSlot::Component(inner, _), BoxLabel::Entry(entry)) => {
                letters(self.first_letters[*inner] + entry)
            }
            (OutlineSlot::Value(blocks), BoxLabel::Value(code))
                if blocks.iter().all(|block| block.len() > 1) =>
            {
                if code == 0 {
                    return "none".to_string();
                }
                let names =
                    blocks.iter().map(|block| block.get(code as usize - 1).map(|&one| self.name(one)));
                let names: Option<Vec<&str>> = names.collect();
                names.and_then(pattern).unwrap_or_else(|| format!("#{code}"))
            }
            (_, BoxLabel::Value(value)) => value.to_string(),
            (OutlineSlot::Value(_), BoxLabel::Entry(_)) => unreachable!("values are no diagrams"),
        }
    }
}
