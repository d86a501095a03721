//! What a picture shows, before anything has a position.

/// Nodes, arcs between them, and boxes around groups of nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// What the picture is called; shown small, and read out by screen readers.
    pub title: String,
    /// Where arcs mostly lead.
    pub flow: Flow,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The arcs.
    pub arcs: Vec<Arc>,
    /// Boxes around nodes, parents before children.
    pub groups: Vec<Group>,
    /// What marks mean; SVG and TikZ show it at the bottom.
    pub legend: Vec<(Sample, String)>,
}

impl Graph {
    /// Panics unless the invariants G1 and G2 hold.
    pub fn check(&self) {
        let names: std::collections::BTreeSet<&str> =
            self.nodes.iter().map(|node| node.name.as_str()).collect();
        assert_eq!(names.len(), self.nodes.len(), "G1: names of nodes are distinct");
        let is_group = |group: Option<usize>, end: usize| group.is_none_or(|group| group < end);
        assert!(self.nodes.iter().all(|node| is_group(node.group, self.groups.len())), "G2: groups of nodes");
        for (index, group) in self.groups.iter().enumerate() {
            assert!(is_group(group.parent, index), "G2: a group's parent comes before it");
        }
        for arc in &self.arcs {
            assert!(arc.from < self.nodes.len() && arc.to < self.nodes.len(), "G2: ends of arcs");
            let cells = match &self.nodes[arc.from].shape {
                Shape::Cells { cells } => cells.len(),
                _ => 0,
            };
            assert!(arc.cell.is_none_or(|cell| cell < cells), "G2: cells of arcs");
        }
    }
}

/// What an entry of a legend shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sample {
    /// A node that stands out.
    Node(Emphasis),
    /// An arc of this kind.
    Arc(ArcKind),
    /// The box of a group.
    Group,
    /// A place with a token.
    Token,
    /// Letters or a number, as they stand beside an arc or in a cell.
    Text(String),
}

impl From<Emphasis> for Sample {
    fn from(emphasis: Emphasis) -> Sample {
        Sample::Node(emphasis)
    }
}

/// Where arcs mostly lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flow {
    /// From top to bottom.
    #[default]
    Down,
    /// From left to right.
    Right,
    /// A tree as an indented list: a node per line, in their order, its depth in the tree being its
    /// layer. For trees that are too deep or too broad to be drawn with arcs.
    Indented,
}

/// Something with a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its name, unlike every other (G1); pictures do not show it.
    pub name: String,
    /// What it looks like.
    pub shape: Shape,
    /// The innermost box around it, by index in [`Graph::groups`] (G2).
    pub group: Option<usize>,
    /// Nodes with the same layer stand side by side, smaller numbers first. All nodes have one or
    /// none has: then layers are found.
    pub layer: Option<u32>,
    /// Whether it stands out.
    pub emphasis: Emphasis,
}

/// What a node looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A circle with tokens, and its label beside it.
    Place {
        /// The label.
        label: String,
        /// Its tokens: a few are dots, more are a number.
        tokens: u64,
    },
    /// A bar, and its label beside it.
    Transition {
        /// The label.
        label: String,
    },
    /// A rounded box with lines of text in it.
    State {
        /// The lines.
        lines: Vec<String>,
    },
    /// A row of cells, from each of which arcs may leave.
    Cells {
        /// What stands in them.
        cells: Vec<String>,
    },
    /// A plain box with a word, such as a terminal of a diagram.
    Terminal {
        /// The word.
        label: String,
    },
    /// Text without a border, such as the name of a level.
    Text {
        /// The text.
        label: String,
    },
}

/// Whether a node stands out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Emphasis {
    /// It does not.
    #[default]
    None,
    /// Where things begin.
    Initial,
    /// What just happened, or changed.
    Active,
    /// Where nothing goes on, such as a deadlock.
    Dead,
}

/// A line from node to node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arc {
    /// Where it leaves.
    pub from: usize,
    /// The cell it leaves from, for a node made of cells.
    pub cell: Option<usize>,
    /// Where it leads.
    pub to: usize,
    /// What stands beside it.
    pub label: Option<String>,
    /// What it looks like.
    pub kind: ArcKind,
}

/// What an arc looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ArcKind {
    /// An arrow.
    #[default]
    Plain,
    /// An arrow at both ends: tokens are taken and put back.
    Both,
    /// A line that ends in a small circle: enabled only while there are few tokens.
    Inhibitor,
    /// A dashed line without head: tokens are looked at.
    Read,
    /// A dashed arrow.
    Dashed,
    /// An arrow with a ring at its start: it leads to the negation.
    Negated,
    /// The same, dashed.
    DashedNegated,
    /// An arrow with two heads: the place is emptied.
    Reset,
    /// No line at all; it only keeps two nodes in order.
    Hidden,
}

/// A box around nodes and other boxes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// What stands at its border.
    pub label: String,
    /// The box around it, by index in [`Graph::groups`] (G2).
    pub parent: Option<usize>,
}
