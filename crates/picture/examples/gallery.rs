//! Draws the pictures that were looked at while the layout was made, into the folder given as
//! argument.
//!
//!     cargo run -p symbolon-picture --example gallery -- /tmp/gallery

use std::path::Path;
use symbolon_budget::Budget;
use symbolon_petri::read::read_pnml;
use symbolon_petri::{Arc as PetriArc, Net, families};
use symbolon_picture::{
    Arc, ArcKind, Emphasis, Flow, Frame, Graph, Group, Node, Shape, film_strip, layout, svg, to_dot, to_text,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: gallery FOLDER [FAMILY:SIZE …]")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let families: Vec<String> = std::env::args().skip(2).collect();
    let chosen = if families.is_empty() {
        ["philosophers:3", "philosophers:5", "kanban:3", "token-ring:3", "fms:2", "peterson:2", "dekker:3"]
            .map(String::from)
            .to_vec()
    } else {
        families
    };
    for name in &chosen {
        let graph = net_graph(&net(name)?);
        let file = name.trim_end_matches("/model.pnml").rsplit('/').next().unwrap_or(name).replace(':', "-");
        save(folder, &file, &graph)?;
        save(folder, &format!("{file}-right"), &Graph { flow: Flow::Right, ..graph })?;
    }
    save(folder, "ring", &ring(8))?;
    save(folder, "kinds", &kinds())?;
    save(folder, "units", &units(4))?;
    save(folder, "units-right", &Graph { flow: Flow::Right, ..units(3) })?;
    save(folder, "diagram", &diagram())?;
    save(folder, "choices", &choices(3, 3))?;
    save(folder, "choices-right", &Graph { flow: Flow::Right, ..choices(2, 4) })?;
    save(folder, "states", &states())?;
    save(folder, "states-right", &Graph { flow: Flow::Right, ..states() })?;
    let graph = net_graph(&net("philosophers:3")?);
    let frames: Vec<Frame> = (0..7)
        .map(|step| Frame {
            number: step as usize,
            left_out: 0,
            caption: if step == 0 { "initial marking".into() } else { format!("fire transition {step}") },
            tokens: (0..graph.nodes.len() as u64).map(|node| (node * 7 + step) % 9 / 6).collect(),
            active: vec![step as usize % graph.nodes.len()],
        })
        .collect();
    let strip = film_strip(&graph, &layout(&graph, &Budget::unlimited())?, &frames);
    std::fs::write(folder.join("film.svg"), strip)?;
    Ok(())
}

/// A built-in net, or one from a file.
fn net(name: &str) -> Result<Net, Box<dyn std::error::Error>> {
    if Path::new(name).exists() {
        let reading = read_pnml(&std::fs::read(name)?, &Budget::unlimited());
        return Ok(reading.map_err(|failure| format!("{name}: {failure:?}"))?.net);
    }
    let (family, parameters) = families::parse(name)?;
    Ok(family.generate(&parameters, &Budget::unlimited())?)
}

fn save(folder: &Path, name: &str, graph: &Graph) -> Result<(), Box<dyn std::error::Error>> {
    let start = std::time::Instant::now();
    let layout = layout(graph, &Budget::unlimited())?;
    println!(
        "{name}: {} nodes, {} arcs, {} × {}, {} crossings, {:.0} ms",
        graph.nodes.len(),
        graph.arcs.len(),
        layout.width,
        layout.height,
        layout.crossings(),
        start.elapsed().as_secs_f64() * 1000.0
    );
    std::fs::write(folder.join(format!("{name}.svg")), svg(graph, &layout))?;
    std::fs::write(folder.join(format!("{name}.dot")), to_dot(graph))?;
    if let Some(text) = to_text(graph, 78) {
        std::fs::write(folder.join(format!("{name}.txt")), text)?;
    }
    Ok(())
}

fn node(name: impl Into<String>, shape: Shape) -> Node {
    Node { name: name.into(), shape, group: None, layer: None, emphasis: Emphasis::None }
}

fn arc(from: usize, to: usize) -> Arc {
    Arc { from, cell: None, to, label: None, kind: ArcKind::Plain }
}

fn weight(weight: u64) -> Option<String> {
    (weight > 1).then(|| weight.to_string())
}

fn net_graph(net: &Net) -> Graph {
    let mut graph = Graph { title: net.name.clone(), ..Graph::default() };
    for place in &net.places {
        let shape = Shape::Place { label: place.id.clone(), tokens: place.initial };
        graph.nodes.push(node(format!("p {}", place.id), shape));
    }
    for transition in &net.transitions {
        let shape = Shape::Transition { label: transition.id.clone() };
        let at = graph.nodes.len();
        graph.nodes.push(node(format!("t {}", transition.id), shape));
        for &one in &transition.arcs {
            let place = one.place();
            let label = one.weight().and_then(weight);
            let from_place = |kind| Arc { kind, label: label.clone(), ..arc(place.index(), at) };
            match one {
                PetriArc::Input { weight, .. } => {
                    let is_both = transition.arcs.contains(&PetriArc::Output { place, weight });
                    graph.arcs.push(from_place(if is_both { ArcKind::Both } else { ArcKind::Plain }));
                }
                PetriArc::Output { weight, .. } => {
                    if !transition.arcs.contains(&PetriArc::Input { place, weight }) {
                        graph.arcs.push(Arc { label, ..arc(at, place.index()) });
                    }
                }
                PetriArc::Read { .. } => graph.arcs.push(from_place(ArcKind::Read)),
                PetriArc::Inhibitor { .. } => graph.arcs.push(from_place(ArcKind::Inhibitor)),
                PetriArc::Reset { .. } => graph.arcs.push(from_place(ArcKind::Reset)),
            }
        }
    }
    for unit in &net.units {
        let parent = unit.parent.map(|parent| parent as usize);
        graph.groups.push(Group { label: unit.id.clone(), parent });
    }
    for (index, unit) in net.units.iter().enumerate() {
        for place in &unit.places {
            graph.nodes[place.index()].group = Some(index);
        }
    }
    // A transition belongs where all its places are.
    for (index, transition) in net.transitions.iter().enumerate() {
        let places = transition.arc_places().map(|place| place.index());
        let paths: Vec<Vec<usize>> = places
            .map(|place| {
                let around = |&group: &usize| graph.groups[group].parent;
                let mut path: Vec<usize> = std::iter::successors(graph.nodes[place].group, around).collect();
                path.reverse();
                path
            })
            .collect();
        let common = paths
            .iter()
            .cloned()
            .reduce(|a, b| a.into_iter().zip(b).take_while(|(a, b)| a == b).map(|(a, _)| a).collect());
        graph.nodes[net.places.len() + index].group = common.and_then(|path| path.last().copied());
    }
    graph
}

fn place(name: &str, tokens: u64) -> Node {
    node(name, Shape::Place { label: name.into(), tokens })
}

fn bar(name: &str) -> Node {
    node(name, Shape::Transition { label: name.into() })
}

fn ring(count: usize) -> Graph {
    let mut graph = Graph { title: format!("ring of {count}"), ..Graph::default() };
    for index in 0..count {
        graph.nodes.push(place(&format!("place {index}"), u64::from(index == 0)));
        graph.nodes.push(bar(&format!("go {index}")));
    }
    graph.arcs = (0..2 * count).map(|index| arc(index, (index + 1) % (2 * count))).collect();
    graph
}

fn kinds() -> Graph {
    let mut graph = Graph { title: "every kind of arc, and numbers of tokens".into(), ..Graph::default() };
    graph.nodes.push(bar("transition"));
    for (index, tokens) in [0, 1, 2, 3, 4, 5, 6, 1234, 1_234_567, u64::MAX].into_iter().enumerate() {
        graph.nodes.push(place(&format!("p{index}"), tokens));
    }
    let kinds = [ArcKind::Plain, ArcKind::Both, ArcKind::Inhibitor, ArcKind::Read, ArcKind::Reset];
    for (index, kind) in kinds.into_iter().enumerate() {
        graph.arcs.push(Arc { kind, label: Some((index + 2).to_string()), ..arc(index + 1, 0) });
        graph.arcs.push(Arc { kind, ..arc(0, index + 6) });
    }
    graph.arcs.push(arc(1, 0));
    graph.arcs.push(arc(0, 1));
    graph.arcs.push(arc(2, 2));
    graph.nodes[1].emphasis = Emphasis::Initial;
    graph.nodes[2].emphasis = Emphasis::Active;
    graph.nodes[3].emphasis = Emphasis::Dead;
    graph.nodes[0].emphasis = Emphasis::Active;
    let long = "a place whose name is much too long to be shown beside it, as people do <write> & \"quote\"";
    graph.nodes.push(place(long, 1));
    graph
}

/// Processes that ask a server, each a unit, two of them in a unit of their own.
fn units(count: usize) -> Graph {
    let mut graph = Graph { title: "units".into(), ..Graph::default() };
    graph.groups.push(Group { label: "clients".into(), parent: None });
    graph.groups.push(Group { label: "server".into(), parent: None });
    graph.nodes.push(Node { group: Some(1), ..place("free", 1) });
    graph.nodes.push(Node { group: Some(1), ..place("busy", 0) });
    graph.nodes.push(Node { group: Some(1), ..bar("work") });
    graph.arcs.extend([arc(1, 2), arc(2, 1)]);
    for client in 0..count {
        let group = graph.groups.len();
        graph.groups.push(Group { label: format!("client {client}"), parent: Some(0) });
        let at = graph.nodes.len();
        for (name, tokens) in [("idle", 1), ("waiting", 0), ("served", 0)] {
            graph.nodes.push(Node { group: Some(group), ..place(&format!("{name}_{client}"), tokens) });
        }
        for name in ["ask", "rest"] {
            graph.nodes.push(Node { group: Some(group), ..bar(&format!("{name}_{client}")) });
        }
        for name in ["grant", "release"] {
            graph.nodes.push(bar(&format!("{name}_{client}")));
        }
        let (idle, waiting, served, ask, rest, grant, release) =
            (at, at + 1, at + 2, at + 3, at + 4, at + 5, at + 6);
        graph.arcs.extend([arc(idle, ask), arc(ask, waiting), arc(waiting, grant), arc(grant, served)]);
        graph.arcs.extend([arc(served, release), arc(release, idle), arc(waiting, rest), arc(rest, idle)]);
        graph.arcs.extend([arc(0, grant), arc(grant, 1), arc(1, release), arc(release, 0)]);
    }
    graph
}

/// A diagram over three levels with shared nodes.
fn diagram() -> Graph {
    let mut graph = Graph { title: "a diagram".into(), ..Graph::default() };
    let levels = ["critical_1", "turn", "waiting_1", "terminal"];
    for (level, name) in levels.iter().enumerate() {
        let mut text = node(format!("level {level}"), Shape::Text { label: (*name).into() });
        text.layer = Some(level as u32);
        graph.nodes.push(text);
        if level > 0 {
            graph.arcs.push(Arc { kind: ArcKind::Hidden, ..arc(level - 1, level) });
        }
    }
    let rows: [&[usize]; 3] = [&[2], &[3, 2, 2], &[2, 1, 3, 2]];
    let mut ids = Vec::new();
    for (level, row) in rows.iter().enumerate() {
        let mut of_level = Vec::new();
        for (index, &cells) in row.iter().enumerate() {
            let cells = (0..cells).map(|cell| cell.to_string()).collect();
            let mut record = node(format!("node {level} {index}"), Shape::Cells { cells });
            record.layer = Some(level as u32);
            of_level.push(graph.nodes.len());
            graph.nodes.push(record);
        }
        ids.push(of_level);
    }
    let mut one = node("one", Shape::Terminal { label: "1".into() });
    one.layer = Some(3);
    ids.push(vec![graph.nodes.len()]);
    graph.nodes.push(one);
    let links =
        [(0, 0, 0, 0), (0, 0, 1, 2), (1, 0, 0, 0), (1, 0, 1, 1), (1, 0, 2, 3), (1, 1, 0, 1), (1, 1, 1, 2)];
    for (level, row, cell, to) in links.into_iter().chain([(1, 2, 0, 2), (1, 2, 1, 3)]) {
        graph.arcs.push(Arc { cell: Some(cell), ..arc(ids[level][row], ids[level + 1][to]) });
    }
    for &record in &ids[2] {
        if let Shape::Cells { cells } = &graph.nodes[record].shape {
            for cell in 0..cells.len() {
                graph.arcs.push(Arc { cell: Some(cell), ..arc(record, ids[3][0]) });
            }
        }
    }
    graph.arcs.push(Arc { cell: Some(0), ..arc(ids[0][0], ids[2][0]) });
    graph
}

/// Two counters that go up in any order: a state space without cycles.
fn choices(rows: usize, columns: usize) -> Graph {
    let mut graph = Graph { title: "two counters".into(), ..Graph::default() };
    for row in 0..=rows {
        for column in 0..=columns {
            let lines = vec![format!("first = {row}"), format!("second = {column}")];
            let mut state = node(format!("{row} {column}"), Shape::State { lines });
            if row + column == 0 {
                state.emphasis = Emphasis::Initial;
            }
            let at = graph.nodes.len();
            if row == rows && column == columns {
                state.emphasis = Emphasis::Dead;
            }
            graph.nodes.push(state);
            if row < rows {
                graph.arcs.push(Arc { label: Some("first".into()), ..arc(at, at + columns + 1) });
            }
            if column < columns {
                graph.arcs.push(Arc { label: Some("second".into()), ..arc(at, at + 1) });
            }
        }
    }
    graph
}

/// A small state space with labelled arcs.
fn states() -> Graph {
    let mut graph = Graph { title: "states".into(), ..Graph::default() };
    let names =
        [("idle, idle", 1), ("wait, idle", 0), ("idle, wait", 0), ("wait, wait", 0), ("critical, idle", 0)];
    for (name, initial) in
        names.into_iter().chain([("idle, critical", 0), ("critical, wait", 0), ("wait, critical", 0)])
    {
        let mut state = node(name, Shape::State { lines: name.split(", ").map(String::from).collect() });
        if initial == 1 {
            state.emphasis = Emphasis::Initial;
        }
        graph.nodes.push(state);
    }
    graph.nodes[3].emphasis = Emphasis::Dead;
    let arcs = [
        (0, 1, "ask_1"),
        (0, 2, "ask_2"),
        (1, 3, "ask_2"),
        (2, 3, "ask_1"),
        (1, 4, "enter_1"),
        (2, 5, "enter_2"),
        (4, 0, "leave_1"),
        (5, 0, "leave_2"),
        (4, 6, "ask_2"),
        (5, 7, "ask_1"),
        (6, 2, "leave_1"),
        (7, 1, "leave_2"),
        (3, 3, "spin"),
    ];
    for (from, to, label) in arcs {
        graph.arcs.push(Arc { label: Some(label.into()), ..arc(from, to) });
    }
    graph
}
