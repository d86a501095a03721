//! Small graphs as text with box-drawing characters, for a terminal.
//!
//! Layers, orders and columns are those of the drawn pictures, with a character as unit. Between
//! two layers each line goes down from its node, along a row of its own, and down to the next
//! layer. Groups are not shown.

use super::acyclic::Start;
use super::items::{Kind, Part};
use super::piece::PartNodes;
use super::{indented, layered, pack};
use crate::graph::{Arc, ArcKind, Flow, Graph, Shape};
use crate::measure::{MOST_DOTS, Size};
use symbolon_budget::{Budget, Meter};

/// The width of a character in the units of the layout.
const CHARACTER: f64 = 8.0;
/// Graphs with more nodes are no longer small.
const MOST_NODES: usize = 80;

/// The graph drawn with characters, lines ending in line breaks; nothing if it needs more than
/// `width` columns.
pub fn to_text(graph: &Graph, width: usize) -> Option<String> {
    if graph.flow == Flow::Indented {
        return indented::as_text(graph, width);
    }
    if graph.nodes.len() > MOST_NODES {
        return None;
    }
    graph.check();
    let mut plain = graph.clone();
    plain.groups.clear();
    for node in &mut plain.nodes {
        node.group = None;
    }
    let mut texts = Vec::new();
    let mut parts = pack::parts(&plain);
    if plain.nodes.iter().all(|node| node.layer.is_some()) {
        // Given layers go through all parts, as the names of levels go with theirs.
        parts = pack::joined(parts).into_iter().collect();
    }
    for part in parts {
        let tries = [Start::Walk, Start::Greedy].map(|start| part_as_text(&plain, &part, start));
        let fitting =
            tries.into_iter().flatten().filter(|rows| rows.iter().all(|row| row.chars().count() <= width));
        texts.push(fitting.min_by_key(Vec::len)?);
    }
    let mut out = String::new();
    for (index, rows) in texts.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        for row in rows {
            out.push_str(row);
            out.push('\n');
        }
    }
    Some(out)
}

/// The text itself, or its beginning and end if it is long.
fn short(text: &str) -> String {
    const MOST: usize = 30;
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= MOST {
        return text.to_owned();
    }
    let (begin, end) = characters.split_at(MOST * 2 / 3);
    begin.iter().chain(&['…']).chain(&end[end.len() - MOST / 3..]).collect()
}

/// Lines in one: a comma between them, unless there is one.
fn joined(lines: &[String]) -> String {
    let mut whole = String::new();
    for line in lines {
        if !whole.is_empty() {
            whole.push_str(if whole.ends_with(',') { " " } else { ", " });
        }
        whole.push_str(line);
    }
    whole
}

/// What stands for a node.
fn node_text(graph: &Graph, node: usize) -> String {
    let text = match &graph.nodes[node].shape {
        Shape::Place { label, tokens } => {
            let inside = match *tokens {
                0 => " ".to_owned(),
                few @ 1..=MOST_DOTS => "●".repeat(few as usize),
                many => many.to_string(),
            };
            format!("({inside}) {}", short(label))
        }
        Shape::Transition { label } => format!("[{}]", short(label)),
        Shape::State { lines } => format!("❨{}❩", short(&joined(lines))),
        Shape::Cells { cells } => {
            format!("│{}│", cells.iter().map(|cell| short(cell)).collect::<Vec<_>>().join("│"))
        }
        Shape::Terminal { label } => format!("▐{}▌", short(label)),
        Shape::Text { label } => short(label),
    };
    let has_loop =
        graph.arcs.iter().any(|arc| arc.from == node && arc.to == node && arc.kind != ArcKind::Hidden);
    let text = if has_loop { format!("{text} ↻") } else { text };
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

/// A line between two layers.
struct Line {
    from: usize,
    to: usize,
    track: usize,
    /// What stands at its upper and at its lower end.
    upper: char,
    lower: char,
    label: Option<String>,
}

fn part_as_text(graph: &Graph, part: &PartNodes, start: Start) -> Option<Vec<String>> {
    let texts: Vec<String> = (0..graph.nodes.len()).map(|node| node_text(graph, node)).collect();
    let width = |text: &String| text.chars().count() as f64 * CHARACTER;
    let sizes: Vec<Size> =
        texts.iter().map(|text| Size { width: width(text), height: 1.0, label: None }).collect();
    let given: Option<Vec<u32>> = graph.nodes.iter().map(|node| node.layer).collect();
    let given: Option<Vec<usize>> = given.map(|given| given.iter().map(|&layer| layer as usize).collect());
    let no_labels = vec![None; graph.arcs.len()];
    let no_loops = vec![false; graph.nodes.len()];
    let layout_part = Part {
        graph,
        sizes: &sizes,
        nodes: &part.nodes,
        arcs: &part.arcs,
        arc_labels: &no_labels,
        port: &|_, _| 0.0,
        given: given.as_deref(),
        looped: &no_loops,
    };
    // The graph is small: no budget is needed.
    let mut meter = Meter::new(Budget::unlimited());
    let arranged = layered::arrange(&layout_part, start, false, &mut meter).ok()?;
    if !arranged.layered.flat.is_empty() {
        return None;
    }
    let (left, right) = arranged.span();
    let column = |x: f64| ((x - left) / CHARACTER + 1e-6).floor().max(0.0) as usize;
    let columns = column(right) + 3;
    let items = &arranged.layered.items;
    let begin = |item: usize| match items[item].kind {
        Kind::Node(_) => column(arranged.columns.x[item] - items[item].left),
        _ => column(arranged.columns.x[item]),
    };
    let length = |item: usize| match items[item].kind {
        Kind::Node(node) => texts[node].chars().count(),
        _ => 1,
    };

    // Where lines touch items: spread over the text of a node, in the order of the other ends.
    let segments = &arranged.layered.segments;
    let mut ports = vec![(0, 0); segments.len()];
    for item in 0..items.len() {
        for down in [true, false] {
            let mut own: Vec<usize> = (0..segments.len())
                .filter(|&s| if down { segments[s].upper == item } else { segments[s].lower == item })
                .collect();
            own.sort_by(|&a, &b| {
                let far =
                    |s: usize| arranged.columns.x[if down { segments[s].lower } else { segments[s].upper }];
                far(a).total_cmp(&far(b)).then(a.cmp(&b))
            });
            for (place, &segment) in own.iter().enumerate() {
                let at = begin(item) + (2 * place + 1) * length(item) / (2 * own.len());
                let at = at.min(begin(item) + length(item) - 1);
                if down { ports[segment].0 = at } else { ports[segment].1 = at }
            }
        }
    }
    // A line that is alone at both ends goes straight down if it can.
    for (index, segment) in segments.iter().enumerate() {
        let alone = segments.iter().filter(|other| other.upper == segment.upper).count() == 1
            && segments.iter().filter(|other| other.lower == segment.lower).count() == 1;
        let low = begin(segment.upper).max(begin(segment.lower));
        let high =
            (begin(segment.upper) + length(segment.upper)).min(begin(segment.lower) + length(segment.lower));
        if alone && low < high {
            let wish = if length(segment.upper) == 1 { ports[index].0 } else { ports[index].1 };
            let at = wish.clamp(low, high - 1);
            ports[index] = (at, at);
        }
    }
    let mut ends = vec![(' ', ' ', None); segments.len()];
    let mut next = 0;
    for chain in &arranged.layered.chains {
        let arc = &graph.arcs[chain.arc];
        let (first, last) = (next, next + chain.items.len() - 2);
        next = last + 1;
        let (at_start, at_end) = heads(arc, chain.turned);
        for end in &mut ends[first..=last] {
            *end = if arc.kind == ArcKind::Hidden { ('\0', '\0', None) } else { ('│', '│', None) };
        }
        if arc.kind != ArcKind::Hidden {
            let (upper, lower) = if chain.turned { (at_end, at_start) } else { (at_start, at_end) };
            ends[first].0 = upper;
            ends[last].1 = lower;
            // A label stands beside the head.
            let label_at = if chain.turned { first } else { last };
            ends[label_at].2.clone_from(&arc.label);
        }
    }

    let mut canvas = Canvas { columns, rows: Vec::new() };
    for (layer, row) in arranged.layered.layers.iter().enumerate() {
        let at = canvas.add_row();
        for &item in row {
            match items[item].kind {
                Kind::Node(node) => canvas.write(at, begin(item), &texts[node]),
                Kind::Bend | Kind::Label => canvas.join(at, begin(item), NORTH | SOUTH),
                Kind::Filler => {}
            }
        }
        let lines = segments
            .iter()
            .zip(&ports)
            .zip(&ends)
            .filter(|((segment, _), end)| items[segment.upper].layer == layer && end.0 != '\0');
        let mut lines: Vec<Line> = lines
            .map(|((_, &(from, to)), &(upper, lower, ref label))| Line {
                from,
                to,
                track: 0,
                upper,
                lower,
                label: label.clone(),
            })
            .collect();
        // Hidden bends leave no mark.
        for (segment, end) in segments.iter().zip(&ends) {
            if items[segment.upper].layer == layer
                && end.0 == '\0'
                && !matches!(items[segment.upper].kind, Kind::Node(_))
            {
                canvas.clear(at, begin(segment.upper));
            }
        }
        if layer + 1 < arranged.layered.layers.len() {
            canvas.draw_lines(&mut lines);
        }
    }
    Some(canvas.finished())
}

/// What stands at the start and at the end of an arc; arrows point down unless it is turned.
fn heads(arc: &Arc, turned: bool) -> (char, char) {
    let (back, forth) = if turned { ('▼', '▲') } else { ('▲', '▼') };
    match arc.kind {
        ArcKind::Plain | ArcKind::Reset | ArcKind::Dashed => ('│', forth),
        ArcKind::Negated | ArcKind::DashedNegated => ('○', forth),
        ArcKind::Both => (back, forth),
        ArcKind::Inhibitor => ('│', '○'),
        ArcKind::Read => ('│', '┆'),
        ArcKind::Hidden => ('\0', '\0'),
    }
}

const NORTH: u8 = 1;
const EAST: u8 = 2;
const SOUTH: u8 = 4;
const WEST: u8 = 8;

#[derive(Clone, Copy)]
enum Cell {
    /// Lines to these sides.
    Lines(u8),
    Text(char),
}

struct Canvas {
    columns: usize,
    rows: Vec<Vec<Cell>>,
}

impl Canvas {
    fn add_row(&mut self) -> usize {
        self.rows.push(vec![Cell::Lines(0); self.columns]);
        self.rows.len() - 1
    }

    fn write(&mut self, row: usize, column: usize, text: &str) {
        for (offset, character) in text.chars().enumerate() {
            if let Some(cell) = self.rows[row].get_mut(column + offset) {
                *cell = Cell::Text(character);
            }
        }
    }

    fn clear(&mut self, row: usize, column: usize) {
        if let Some(cell) = self.rows[row].get_mut(column) {
            *cell = Cell::Lines(0);
        }
    }

    fn join(&mut self, row: usize, column: usize, sides: u8) {
        if let Some(Cell::Lines(known)) = self.rows[row].get_mut(column) {
            *known |= sides;
        }
    }

    /// Draws the lines from the layer just written to the next one.
    fn draw_lines(&mut self, lines: &mut [Line]) {
        let tracks = give_tracks(lines);
        let top = self.add_row();
        for _ in 0..tracks {
            self.add_row();
        }
        let bottom = self.add_row();
        for line in lines.iter() {
            let row = top + 1 + line.track;
            let straight = line.from == line.to;
            for at in top + 1..bottom {
                if straight || at < row {
                    self.join(at, line.from, NORTH | SOUTH);
                } else if at > row {
                    self.join(at, line.to, NORTH | SOUTH);
                }
            }
            if !straight {
                let (low, high) = (line.from.min(line.to), line.from.max(line.to));
                let (inward, outward) = if line.from < line.to { (EAST, WEST) } else { (WEST, EAST) };
                self.join(row, line.from, NORTH | inward);
                self.join(row, line.to, SOUTH | outward);
                for column in low + 1..high {
                    self.join(row, column, EAST | WEST);
                }
            }
            self.end(top, line.from, line.upper);
            self.end(bottom, line.to, line.lower);
        }
        for line in lines.iter() {
            let Some(label) = &line.label else { continue };
            let (row, column) = if line.upper == '▲' { (top, line.from) } else { (bottom, line.to) };
            let free = (1..=label.chars().count() + 1)
                .all(|offset| matches!(self.rows[row].get(column + offset), Some(Cell::Lines(0))));
            if free {
                self.write(row, column + 1, label);
            }
        }
    }

    fn end(&mut self, row: usize, column: usize, head: char) {
        if head == '│' {
            self.join(row, column, NORTH | SOUTH);
        } else if let Some(cell) = self.rows[row].get_mut(column) {
            *cell = Cell::Text(head);
        }
    }

    fn finished(self) -> Vec<String> {
        const CHARACTERS: [char; 16] =
            [' ', '╵', '╶', '╰', '╷', '│', '╭', '├', '╴', '╯', '─', '┴', '╮', '┤', '┬', '┼'];
        let rows = self.rows.iter().map(|row| {
            let row: String = row
                .iter()
                .map(|cell| match cell {
                    Cell::Lines(sides) => CHARACTERS[usize::from(*sides)],
                    Cell::Text(character) => *character,
                })
                .collect();
            row.trim_end().to_owned()
        });
        rows.collect()
    }
}

/// Gives each slanted line a row so that no two lie on each other; says how many rows there are.
fn give_tracks(lines: &mut [Line]) -> usize {
    let mut open: Vec<usize> = (0..lines.len()).filter(|&line| lines[line].from != lines[line].to).collect();
    let mut done: Vec<usize> = Vec::new();
    let mut tracks: Vec<Vec<(usize, usize)>> = Vec::new();
    while !open.is_empty() {
        // A line that comes down where another one starts must have a lower row than that one.
        // Circular wishes cannot all be met; the first line goes first then.
        let free =
            |&line: &usize| !open.iter().any(|&other| other != line && lines[other].from == lines[line].to);
        let chosen = open.iter().copied().find(free).unwrap_or(open[0]);
        open.retain(|&line| line != chosen);
        let (from, to) = (lines[chosen].from, lines[chosen].to);
        let span = (from.min(to), from.max(to));
        let above =
            done.iter().filter(|&&other| lines[other].from == to).map(|&other| lines[other].track + 1);
        let least = above.max().unwrap_or(0);
        let fits =
            |track: &Vec<(usize, usize)>| track.iter().all(|&(low, high)| span.1 < low || high < span.0);
        let track = (least..tracks.len()).find(|&track| fits(&tracks[track])).unwrap_or(tracks.len());
        if track == tracks.len() {
            tracks.push(Vec::new());
        }
        tracks[track].push(span);
        lines[chosen].track = track;
        done.push(chosen);
    }
    tracks.len()
}
