//! What must hold of every layout, on random graphs: L1 to L4 of `layout.rs`.

use symbolon_budget::Budget;
use symbolon_picture::{
    Arc, ArcKind, Emphasis, Flow, Graph, Group, Layout, LayoutError, MOST_NODES, Node, Point, Rect, Shape,
    layout, svg,
};
use symbolon_testkit::{RandomNumbers, seeds};

#[test]
fn random_nets_keep_the_invariants() {
    for seed in seeds(12) {
        check(&random_graph(&mut RandomNumbers::new(seed), Style::Net));
    }
}

#[test]
fn random_nets_with_groups_keep_the_invariants() {
    for seed in seeds(12) {
        check(&random_graph(&mut RandomNumbers::new(seed), Style::Groups));
    }
}

#[test]
fn random_diagrams_keep_the_invariants() {
    for seed in seeds(40) {
        check(&random_graph(&mut RandomNumbers::new(seed), Style::GivenLayers));
    }
}

#[test]
fn random_boxes_apart_keep_the_invariants() {
    for seed in seeds(40) {
        let random = &mut RandomNumbers::new(seed);
        let mut graph = random_graph(random, Style::GivenLayers);
        let count = random.between(2, 5) as usize;
        graph.groups =
            (0..count).map(|index| Group { label: "box ".repeat(index * index), parent: None }).collect();
        for (index, node) in graph.nodes.iter_mut().enumerate() {
            node.group = Some(index % count);
        }
        graph.arcs.retain(|arc| arc.from % count == arc.to % count);
        let boxes = graph.boxes_apart().expect("nothing connects them");
        assert_eq!(boxes.iter().map(|inside| inside.graph.nodes.len()).sum::<usize>(), graph.nodes.len());
        assert_eq!(boxes.iter().map(|inside| inside.graph.arcs.len()).sum::<usize>(), graph.arcs.len());
        check(&graph);
    }
}

#[test]
fn random_state_spaces_keep_the_invariants() {
    for seed in seeds(12) {
        check(&random_graph(&mut RandomNumbers::new(seed), Style::States));
    }
}

/// A tree as a list: lines in their order, children farther in, arcs within a column.
#[test]
fn random_trees_are_indented_lists() {
    for seed in seeds(40) {
        let random = &mut RandomNumbers::new(seed);
        let mut graph = Graph { flow: Flow::Indented, ..Graph::default() };
        for index in 0..random.between(1, 120) as usize {
            // Each node lies below the one before it, or below one of its ancestors.
            let parent = (index > 0).then(|| {
                let mut parent = index - 1;
                while random.percent(40) {
                    let above = graph.arcs.iter().find(|arc| arc.to == parent);
                    parent = above.map_or(parent, |arc| arc.from);
                }
                parent
            });
            let depth = parent.map_or(0, |parent| graph.nodes[parent].layer.unwrap_or(0) + 1);
            graph.nodes.push(Node {
                name: index.to_string(),
                shape: Shape::State { lines: vec!["n".repeat(random.between(1, 30) as usize)] },
                group: None,
                layer: Some(depth),
                emphasis: Emphasis::None,
            });
            let arc = |from| Arc { from, cell: None, to: index, label: None, kind: ArcKind::Plain };
            graph.arcs.extend(parent.map(arc));
        }
        let placed = layout(&graph, &Budget::unlimited()).expect("no limit");
        let page = Rect { left: 0.0, top: 0.0, right: placed.width, bottom: placed.height };
        check_nodes_apart(&placed, &page);
        for (arc, drawn) in graph.arcs.iter().zip(&placed.arcs) {
            let (parent, child) = (placed.nodes[arc.from].shape, placed.nodes[arc.to].shape);
            let is_same_column = child.top > parent.top && !drawn.curve.points.is_empty();
            if is_same_column {
                assert!(child.left > parent.left, "a child stands farther in");
                let line = drawn.curve.flattened();
                assert!(
                    (line[0].y - parent.bottom).abs() < 0.1
                        && (line[line.len() - 1].x - child.left).abs() < 0.1
                );
            }
        }
        let starts = graph.arcs.iter().zip(&placed.arcs).filter(|(_, drawn)| drawn.curve.points.is_empty());
        assert!(4 * starts.count() <= 3 * graph.arcs.len(), "most arcs are drawn");
        svg(&graph, &placed);
        let text = symbolon_picture::to_text(&graph, 1000).expect("fits");
        assert_eq!(text.lines().count(), graph.nodes.len());
    }
}

/// A net of 36 nodes with more than two arcs for each, in which labels have few places.
fn dense_net(random: &mut RandomNumbers) -> Graph {
    const NODES: usize = 36;
    let node = |index: usize| {
        let label = format!("label_{index}");
        let shape = match index % 2 {
            0 => Shape::Place { label, tokens: 0 },
            _ => Shape::Transition { label },
        };
        Node { name: index.to_string(), shape, group: None, layer: None, emphasis: Emphasis::None }
    };
    let mut graph = Graph { nodes: (0..NODES).map(node).collect(), ..Graph::default() };
    let mut pairs = std::collections::BTreeSet::new();
    for _ in 0..90 {
        let (a, b) = (random.below(NODES as u64 / 2) as usize, random.below(NODES as u64 / 2) as usize);
        let (place, transition) = (2 * a, 2 * b + 1);
        let (from, to) = if random.percent(50) { (place, transition) } else { (transition, place) };
        if pairs.insert((place, transition)) {
            graph.arcs.push(Arc { from, cell: None, to, label: None, kind: ArcKind::Plain });
        }
    }
    graph
}

/// The point five pixels before the end of a line.
fn middle_of_head(line: &[Point]) -> Option<Point> {
    let [.., before, end] = line else { return None };
    let (x, y) = (before.x - end.x, before.y - end.y);
    let length = x.hypot(y).max(5.0);
    Some(Point { x: end.x + 5.0 * x / length, y: end.y + 5.0 * y / length })
}

/// Labels keep off the heads of arcs, wherever there is another place for them.
#[test]
fn labels_rarely_cover_heads() {
    let (mut labels, mut covered) = (0, 0);
    for seed in seeds(10) {
        let graph = dense_net(&mut RandomNumbers::new(seed));
        let placed = layout(&graph, &Budget::unlimited()).expect("no limit");
        let tips: Vec<Point> = graph
            .arcs
            .iter()
            .zip(&placed.arcs)
            .filter(|(arc, _)| arc.kind == ArcKind::Plain)
            .filter_map(|(_, drawn)| middle_of_head(&drawn.curve.flattened()))
            .collect();
        for label in placed.nodes.iter().filter_map(|node| node.label) {
            labels += 1;
            let is_inside = |tip: &&Point| {
                label.left < tip.x && tip.x < label.right && label.top < tip.y && tip.y < label.bottom
            };
            covered += usize::from(tips.iter().any(|tip| is_inside(&tip)));
        }
    }
    println!("{covered} of {labels} labels lie on the head of an arc");
    assert!(labels > 20 && 30 * covered <= labels, "{covered} of {labels} labels lie on the head of an arc");
}

#[derive(Clone, Copy, PartialEq)]
enum Style {
    Net,
    Groups,
    GivenLayers,
    States,
}

fn random_graph(random: &mut RandomNumbers, style: Style) -> Graph {
    let mut graph = Graph { title: "random".into(), ..Graph::default() };
    if random.percent(40) {
        graph.flow = Flow::Right;
    }
    if style == Style::Groups {
        for index in 0..random.between(1, 5) as usize {
            let parent = (index > 0 && random.percent(50)).then(|| random.below(index as u64) as usize);
            graph.groups.push(Group { label: format!("group {index}"), parent });
        }
    }
    let count = random.between(1, 22) as usize;
    for index in 0..count {
        let label = "n".repeat(random.between(0, 14) as usize) + &index.to_string();
        let shape = match style {
            Style::States => Shape::State { lines: vec![label; random.between(1, 3) as usize] },
            Style::GivenLayers => match random.below(4) {
                0 => Shape::Terminal { label },
                1 => Shape::Text { label },
                _ => Shape::Cells { cells: (0..random.between(1, 5)).map(|cell| cell.to_string()).collect() },
            },
            _ if random.percent(50) => Shape::Place { label, tokens: random.below(8) },
            _ => Shape::Transition { label },
        };
        graph.nodes.push(Node {
            name: index.to_string(),
            shape,
            group: (style == Style::Groups && random.percent(80))
                .then(|| random.below(graph.groups.len() as u64) as usize),
            layer: (style == Style::GivenLayers).then(|| 10 * random.below(6) as u32),
            emphasis: Emphasis::None,
        });
    }
    for _ in 0..random.below(2 * count as u64) {
        let from = random.below(count as u64) as usize;
        let cell = match &graph.nodes[from].shape {
            Shape::Cells { cells } => Some(random.below(cells.len() as u64) as usize),
            _ => None,
        };
        let to = random.below(count as u64) as usize;
        let label = random.percent(30).then(|| "label"[..random.between(1, 5) as usize].to_owned());
        let kinds = [
            ArcKind::Plain,
            ArcKind::Both,
            ArcKind::Inhibitor,
            ArcKind::Read,
            ArcKind::Reset,
            ArcKind::Hidden,
        ];
        graph.arcs.push(Arc { from, cell, to, label, kind: *random.one_of(&kinds) });
    }
    graph
}

fn check(graph: &Graph) {
    let placed = layout(graph, &Budget::unlimited()).expect("no limit");
    let page = Rect { left: 0.0, top: 0.0, right: placed.width, bottom: placed.height };
    check_nodes_apart(&placed, &page);
    check_groups(graph, &placed, &page);
    check_arcs(graph, &placed, &page);
    check_layers(graph, &placed);
    svg(graph, &placed);
}

fn shrunk(rect: &Rect) -> Rect {
    Rect {
        left: rect.left + 0.01,
        top: rect.top + 0.01,
        right: rect.right - 0.01,
        bottom: rect.bottom - 0.01,
    }
}

/// L1.
fn check_nodes_apart(placed: &Layout, page: &Rect) {
    let mut rects = Vec::new();
    for (index, node) in placed.nodes.iter().enumerate() {
        rects.push((index, node.shape));
        rects.extend(node.label.map(|label| (index, label)));
    }
    for (place, (node, rect)) in rects.iter().enumerate() {
        assert!(page.encloses(rect), "node {node} is on the page");
        for (other, other_rect) in &rects[place + 1..] {
            // The label of a circle may reach into a corner of the square around it.
            let apart = node == other || !shrunk(rect).overlaps(&shrunk(other_rect));
            assert!(apart, "L1: nodes {node} and {other}: {rect:?} {other_rect:?}");
        }
    }
}

/// L2.
fn check_groups(graph: &Graph, placed: &Layout, page: &Rect) {
    let ancestors = |group: Option<usize>| {
        std::iter::successors(group, |&inner| graph.groups[inner].parent).collect::<Vec<usize>>()
    };
    for (group, rect) in placed.groups.iter().enumerate() {
        let Some(rect) = rect else {
            assert!(
                graph.nodes.iter().all(|node| !ancestors(node.group).contains(&group)),
                "L2: {group} has a box"
            );
            continue;
        };
        assert!(page.encloses(rect), "group {group} is on the page");
        for (node, data) in graph.nodes.iter().enumerate() {
            let shape = &placed.nodes[node].shape;
            if ancestors(data.group).contains(&group) {
                assert!(rect.encloses(&shrunk(shape)), "L2: node {node} is in group {group}");
            } else {
                assert!(!rect.overlaps(&shrunk(shape)), "L2: node {node} is not in group {group}");
            }
        }
        for (other, other_rect) in placed.groups.iter().enumerate() {
            let Some(other_rect) = other_rect.filter(|_| other != group) else { continue };
            if ancestors(Some(other)).contains(&group) {
                assert!(rect.encloses(&shrunk(&other_rect)), "L2: group {other} is in group {group}");
            } else if !ancestors(Some(group)).contains(&other) {
                assert!(!rect.overlaps(&shrunk(&other_rect)), "L2: groups {group} and {other} are apart");
            }
        }
    }
}

/// L3, and arcs stay on the page.
fn check_arcs(graph: &Graph, placed: &Layout, page: &Rect) {
    for (index, (arc, line)) in graph.arcs.iter().zip(&placed.arcs).enumerate() {
        let points = line.curve.flattened();
        if arc.kind == ArcKind::Hidden {
            assert!(points.is_empty());
            continue;
        }
        for point in &points {
            let inside = (0.0..=page.right).contains(&point.x) && (0.0..=page.bottom).contains(&point.y);
            assert!(inside, "arc {index} is on the page: {point:?}");
        }
        let (Some(first), Some(last)) = (points.first(), points.last()) else {
            panic!("arc {index} has a line")
        };
        assert!(
            at_border(&graph.nodes[arc.from], &placed.nodes[arc.from].shape, *first),
            "L3: start of {index}"
        );
        assert!(at_border(&graph.nodes[arc.to], &placed.nodes[arc.to].shape, *last), "L3: end of {index}");
        assert_eq!(line.label.is_some(), arc.label.is_some(), "arc {index} has its label");
    }
}

fn at_border(node: &Node, shape: &Rect, point: Point) -> bool {
    const NEAR: f64 = 0.01;
    let center = shape.center();
    if matches!(node.shape, Shape::Place { .. }) {
        let distance = (point.x - center.x).hypot(point.y - center.y);
        return (distance - shape.width() / 2.0).abs() < NEAR;
    }
    let off_x = (point.x - center.x).abs() - shape.width() / 2.0;
    let off_y = (point.y - center.y).abs() - shape.height() / 2.0;
    off_x.max(off_y).abs() < NEAR
}

/// L4.
fn check_layers(graph: &Graph, placed: &Layout) {
    let range = |node: usize| match graph.flow {
        Flow::Down => (placed.nodes[node].shape.top, placed.nodes[node].shape.bottom),
        Flow::Right | Flow::Indented => (placed.nodes[node].shape.left, placed.nodes[node].shape.right),
    };
    for (a, upper) in graph.nodes.iter().enumerate() {
        for (b, lower) in graph.nodes.iter().enumerate() {
            if upper.group != lower.group {
                continue;
            }
            if let (Some(one), Some(two)) = (upper.layer, lower.layer) {
                let (one_range, two_range) = (range(a), range(b));
                if one < two {
                    assert!(one_range.1 < two_range.0, "L4: {a} before {b}");
                } else if one == two {
                    let middle = |range: (f64, f64)| (range.0 + range.1) / 2.0;
                    assert!((middle(one_range) - middle(two_range)).abs() < 0.01, "L4: {a} beside {b}");
                }
            }
        }
    }
}

#[test]
fn equals_who_all_know_each_other_stand_on_a_circle() {
    for count in 5..=16 {
        let nodes = (0..count).map(|index| Node {
            name: format!("n{index}"),
            shape: Shape::State { lines: vec![format!("one of {count}"), "x".repeat(index)] },
            group: None,
            layer: None,
            emphasis: Emphasis::None,
        });
        let pairs = (0..count).flat_map(|to| (0..to).map(move |from| (from, to)));
        let arcs = pairs.map(|(from, to)| Arc { from, cell: None, to, label: None, kind: ArcKind::Both });
        let graph = Graph { nodes: nodes.collect(), arcs: arcs.collect(), ..Graph::default() };
        check(&graph);
        let placed = layout(&graph, &Budget::unlimited()).expect("small");
        let centers: Vec<Point> = placed.nodes.iter().map(|node| node.shape.center()).collect();
        let middle = |of: fn(&Point) -> f64| centers.iter().map(of).sum::<f64>() / count as f64;
        let (x, y) = (middle(|point| point.x), middle(|point| point.y));
        // Clockwise, one after the other.
        let mut turns = 0;
        for index in 0..count {
            let (a, b) = (centers[index], centers[(index + 1) % count]);
            turns += usize::from((a.x - x) * (b.y - y) - (a.y - y) * (b.x - x) > 0.0);
        }
        assert_eq!(turns, count, "{count} nodes");
    }
}

#[test]
fn equal_graphs_look_equal() {
    for style in [Style::Net, Style::Groups, Style::GivenLayers, Style::States] {
        let graph = random_graph(&mut RandomNumbers::new(3), style);
        let placed = layout(&graph, &Budget::unlimited()).expect("no limit");
        assert_eq!(placed, layout(&graph, &Budget::unlimited()).expect("no limit"));
    }
}

#[test]
fn a_large_graph_is_refused_with_its_size() {
    let state = |index: usize| Node {
        name: index.to_string(),
        shape: Shape::State { lines: vec![index.to_string()] },
        group: None,
        layer: None,
        emphasis: Emphasis::None,
    };
    let graph = Graph { nodes: (0..=MOST_NODES).map(state).collect(), ..Graph::default() };
    match layout(&graph, &Budget::unlimited()) {
        Err(LayoutError::TooLarge { nodes, arcs, .. }) => assert_eq!((nodes, arcs), (MOST_NODES + 1, 0)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_cancelled_budget_stops_the_layout() {
    let graph = random_graph(&mut RandomNumbers::new(5), Style::Net);
    let budget = Budget::unlimited();
    budget.cancel();
    assert!(matches!(layout(&graph, &budget), Err(LayoutError::Interrupted(_))));
}
