//! Small graphs whose pictures are known: crossings, SVG, DOT and text.

use std::io::Write;
use std::process::{Command, Stdio};
use symbolon_budget::Budget;
use symbolon_picture::{
    Arc, ArcKind, Emphasis, Flow, Frame, Graph, Group, Node, Shape, film_strip, layout, svg, to_dot, to_text,
};

fn node(name: &str, shape: Shape) -> Node {
    Node { name: name.into(), shape, group: None, layer: None, emphasis: Emphasis::None }
}

fn place(name: &str, tokens: u64) -> Node {
    node(name, Shape::Place { label: name.into(), tokens })
}

fn bar(name: &str) -> Node {
    node(name, Shape::Transition { label: name.into() })
}

fn arc(from: usize, to: usize) -> Arc {
    Arc { from, cell: None, to, label: None, kind: ArcKind::Plain }
}

fn states(count: usize, arcs: &[(usize, usize)]) -> Graph {
    let state = |index: usize| node(&format!("s{index}"), Shape::State { lines: vec![format!("s{index}")] });
    Graph {
        nodes: (0..count).map(state).collect(),
        arcs: arcs.iter().map(|&(from, to)| arc(from, to)).collect(),
        ..Graph::default()
    }
}

/// A light that goes round, and a button.
fn light() -> Graph {
    let nodes = vec![place("red", 1), bar("go"), place("green", 0), bar("stop"), place("button", 2)];
    let arcs = vec![arc(0, 1), arc(1, 2), arc(2, 3), arc(3, 0), Arc { label: Some("2".into()), ..arc(4, 1) }];
    Graph { title: "light".into(), nodes, arcs, ..Graph::default() }
}

/// Everything at once, with names that every format must escape.
fn nasty() -> Graph {
    let mut graph = Graph { title: "a <title> & \"more\"".into(), flow: Flow::Right, ..Graph::default() };
    graph.groups.push(Group { label: "outer {<group>}".into(), parent: None });
    graph.groups.push(Group { label: "inner \\ \"group\"".into(), parent: Some(0) });
    graph.groups.push(Group { label: "empty".into(), parent: Some(0) });
    graph.nodes.push(Node { group: Some(1), ..place("a \"place\" <&>\\", 12) });
    graph
        .nodes
        .push(Node { group: Some(0), emphasis: Emphasis::Active, ..bar("größer → 中文 \u{1} 🎉") });
    graph
        .nodes
        .push(node("cells", Shape::Cells { cells: vec!["{a|b}".into(), "<c> \\n".into(), "\"".into()] }));
    graph.nodes.push(node(
        "lines",
        Shape::State { lines: vec!["first & last".into(), "x\ny".into(), String::new()] },
    ));
    graph
        .nodes
        .push(Node { emphasis: Emphasis::Dead, ..node("end", Shape::Terminal { label: "</svg>".into() }) });
    graph.nodes.push(node("text", Shape::Text { label: "--> ]]>".repeat(30) }));
    let kinds =
        [ArcKind::Plain, ArcKind::Both, ArcKind::Inhibitor, ArcKind::Read, ArcKind::Reset, ArcKind::Hidden];
    for (index, kind) in kinds.into_iter().enumerate() {
        graph.arcs.push(Arc { kind, label: Some("<\"&\\".into()), ..arc(index, (index + 1) % 6) });
    }
    graph.arcs.push(Arc { cell: Some(1), ..arc(2, 4) });
    graph.arcs.push(arc(3, 3));
    graph
}

#[test]
fn planar_graphs_are_drawn_without_crossings() {
    let check = |name: &str, count: usize, arcs: &[(usize, usize)]| {
        for flow in [Flow::Down, Flow::Right] {
            let graph = Graph { flow, ..states(count, arcs) };
            let placed = layout(&graph, &Budget::unlimited()).expect("no limit");
            assert_eq!(placed.crossings(), 0, "{name}");
        }
    };
    let path: Vec<_> = (0..9).map(|index| (index, index + 1)).collect();
    let ring: Vec<_> = (0..9).map(|index| (index, (index + 1) % 9)).collect();
    let tree: Vec<_> = (1..15).map(|index| ((index - 1) / 2, index)).collect();
    let mut grid = Vec::new();
    for row in 0..3 {
        for column in 0..3 {
            let at = 3 * row + column;
            grid.extend((column < 2).then_some((at, at + 1)));
            grid.extend((row < 2).then_some((at, at + 3)));
        }
    }
    check("path", 10, &path);
    check("ring", 9, &ring);
    check("tree", 15, &tree);
    check("grid", 9, &grid);
    check("ring with a chord", 9, &[ring.as_slice(), &[(0, 4)]].concat());
    check("two triangles", 6, &[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]);
    check("diamond", 4, &[(0, 1), (0, 2), (1, 3), (2, 3), (0, 3)]);
    check("there and back", 2, &[(0, 1), (1, 0)]);
    check("loop", 1, &[(0, 0)]);
    check("nothing", 0, &[]);
}

/// Parses a document; gives its text and the names of its elements.
fn parse(document: &str) -> (String, Vec<String>) {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(document);
    reader.config_mut().check_end_names = true;
    let (mut text, mut names, mut depth) = (String::new(), Vec::new(), 0);
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error} in {document}")) {
            Event::Start(start) => {
                depth += 1;
                names.push(start.name().as_ref().to_owned());
                assert!(start.attributes().all(|attribute| attribute.is_ok()), "{start:?}");
            }
            Event::End(_) => depth -= 1,
            Event::Text(part) => text.push_str(&part),
            Event::GeneralRef(part) => {
                assert!(["amp", "lt", "gt", "quot"].contains(&&*part), "{part:?}");
                text.push('&');
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0, "every element is closed");
    (text, names)
}

#[test]
fn svg_is_well_formed_whatever_the_names() {
    for graph in [nasty(), light(), Graph::default()] {
        let placed = layout(&graph, &Budget::unlimited()).expect("no limit");
        let document = svg(&graph, &placed);
        let (_, names) = parse(&document);
        assert_eq!(names[..4], ["svg", "title", "desc", "style"]);
        assert!(!document.contains("NaN") && !document.contains("inf"), "{document}");
        assert!(!document.contains('\u{1}'));
    }
}

#[test]
fn a_film_says_what_it_leaves_out() {
    let graph = light();
    let placed = layout(&graph, &Budget::unlimited()).expect("no limit");
    let frame = |(number, left_out): &(usize, usize)| Frame {
        number: *number,
        left_out: *left_out,
        caption: format!("fire & step {number}"),
        tokens: vec![*number as u64; 5],
        active: vec![number % 5],
    };
    let check = |shown: &[(usize, usize)], said: &[&str]| {
        let frames: Vec<Frame> = shown.iter().map(frame).collect();
        let document = film_strip(&graph, &placed, &frames);
        let (text, _) = parse(&document);
        assert_eq!(document.matches("class=\"panel\"").count(), shown.len());
        assert_eq!(document.matches("left out</text>").count(), said.len());
        assert!(said.iter().all(|said| text.contains(said)), "{text}");
        for (number, _) in shown {
            assert!(text.contains(&format!("step {number}")), "{number} is shown");
        }
    };
    check(&[], &[]);
    check(&[(0, 0)], &[]);
    check(&[(0, 0), (1, 0), (2, 0)], &[]);
    check(&[(0, 0), (2, 1)], &["1 step left out"]);
    check(&[(0, 0), (1, 0), (20, 18), (31, 10)], &["18 steps left out", "10 steps left out"]);
}

#[test]
fn siblings_keep_their_order() {
    for flow in [Flow::Down, Flow::Right] {
        let mut tree = states(7, &[(0, 1), (0, 2), (0, 3), (0, 4), (2, 5), (2, 6)]);
        tree.flow = flow;
        for (node, layer) in tree.nodes.iter_mut().zip([0, 1, 1, 1, 1, 2, 2]) {
            node.layer = Some(layer);
        }
        let placed = layout(&tree, &Budget::unlimited()).expect("no limit");
        let across = |node: usize| {
            let center = placed.nodes[node].shape.center();
            if flow == Flow::Down { center.x } else { center.y }
        };
        for (first, second) in [(1, 2), (2, 3), (3, 4), (5, 6)] {
            assert!(across(first) < across(second), "{first} before {second}, {flow:?}");
        }
    }
}

#[test]
fn graphviz_reads_what_we_write() {
    let Ok(mut found) = Command::new("dot").arg("-V").stderr(Stdio::null()).spawn() else {
        eprintln!("SKIPPED graphviz_reads_what_we_write: there is no `dot`; install graphviz");
        return;
    };
    found.wait().expect("dot -V ends");
    let mut layered = light();
    for (index, node) in layered.nodes.iter_mut().enumerate() {
        node.layer = Some(index as u32 / 2);
    }
    for (graph, title) in
        [(nasty(), "a &lt;title&gt; &amp; &quot;more&quot;"), (light(), "light"), (layered, "light")]
    {
        let mut child = Command::new("dot")
            .arg("-Tsvg")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("dot starts");
        child.stdin.take().expect("a pipe").write_all(to_dot(&graph).as_bytes()).expect("dot reads");
        let output = child.wait_with_output().expect("dot ends");
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && !messages.contains("rror"), "{messages}\n{}", to_dot(&graph));
        let drawn = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(drawn.contains(title), "{drawn}");
        assert_eq!(drawn.matches("class=\"node\"").count(), graph.nodes.len(), "{drawn}");
    }
}

#[test]
fn dot_of_a_light() {
    insta::assert_snapshot!(to_dot(&light()));
}

#[test]
fn text_of_a_light() {
    insta::assert_snapshot!(to_text(&light(), 78).expect("it fits"));
}

#[test]
fn svg_of_two_nodes() {
    let graph = Graph { nodes: vec![place("p", 3), bar("t")], arcs: vec![arc(0, 1)], ..Graph::default() };
    let placed = layout(&graph, &Budget::unlimited()).expect("no limit");
    let document = svg(&graph, &placed);
    let (head, rest) = document.split_once("<style>").expect("a style sheet");
    let (_, body) = rest.split_once("</style>").expect("its end");
    insta::assert_snapshot!(format!("{head}{body}"));
}

#[test]
fn text_that_does_not_fit_is_not_drawn() {
    assert!(to_text(&light(), 5).is_none());
    assert!(to_text(&states(500, &[]), 78).is_none());
    let text = to_text(&nasty(), 200).expect("it fits");
    assert!(text.contains("größer") && !text.contains('\u{1}'), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 200));
}

/// The legend stands below everything, inside the picture, and makes room for itself.
#[test]
fn a_legend_stands_below_the_picture() {
    let plain = states(2, &[(0, 1)]);
    let meaning = "what it means that <this> stands out".to_string();
    let explained = Graph { legend: vec![(Emphasis::Dead.into(), meaning)], ..plain.clone() };
    let size = |text: &str, key: &str| -> f64 {
        let rest = text.split(&format!(" {key}=\"")).nth(1).expect("a size");
        rest.split('"').next().and_then(|digits| digits.parse().ok()).expect("a number")
    };
    let [plain, explained] =
        [plain, explained].map(|graph| svg(&graph, &layout(&graph, &Budget::unlimited()).expect("laid out")));
    assert!(size(&explained, "height") > size(&plain, "height"));
    assert!(size(&explained, "width") > size(&plain, "width"));
    assert!(explained.contains(">what it means that &lt;this&gt; stands out</text>"), "{explained}");
    assert_eq!(explained.matches("class=\"node dead\"").count(), 1, "{explained}");
    assert_eq!(plain.matches("node dead").count(), 0, "{plain}");
}
