//! Every graph shows what it should, once: checked by counting against the net and against explicit
//! states.

use super::clusters::overview;
use super::film::{chain_graph, frames};
use super::hierarchy::unit_graph;
use super::net::{net_arcs, net_graph};
use super::run::{NamedRun, NamedStep, deadlock_run, stops};
use super::state_space::state_graph;
use super::*;
use crate::load::load;
use crate::loaded::Source;
use crate::states::states;
use std::collections::{HashMap, HashSet};
use symbolon_petri::{Arc as PetriArc, Net, Place, PlaceId, Transition, Unit, UnitClaim};
use symbolon_picture::{ArcKind, Emphasis, Sample, Shape};

fn family(call: &str) -> Loaded {
    match load(Source::Family(call.into()), &Budget::unlimited()) {
        Ok(loaded) => loaded,
        other => panic!("{call}: {other:?}"),
    }
}

/// A net as if it had been read from a file, so that it is checked and analysed.
fn from_net(net: &Net) -> Loaded {
    let bytes = symbolon_petri::write::write_pnml(net).into_bytes();
    match load(
        Source::Bytes { name: "net.pnml".into(), bytes, format: None, parameters: Vec::new() },
        &Budget::unlimited(),
    ) {
        Ok(loaded) => loaded,
        other => panic!("{other:?}"),
    }
}

/// G1 and G2, and layers that all nodes have or none.
fn check_graph(graph: &Graph, context: &str) {
    let names: HashSet<&str> = graph.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names.len(), graph.nodes.len(), "{context}: names are distinct");
    for arc in &graph.arcs {
        assert!(arc.from < graph.nodes.len() && arc.to < graph.nodes.len(), "{context}: {arc:?}");
        let cells = match &graph.nodes[arc.from].shape {
            Shape::Cells { cells } => cells.len(),
            _ => 0,
        };
        assert!(arc.cell.is_none_or(|cell| cell < cells), "{context}: {arc:?}");
    }
    for node in &graph.nodes {
        assert!(node.group.is_none_or(|group| group < graph.groups.len()), "{context}: {node:?}");
        assert_eq!(node.layer.is_some(), graph.nodes[0].layer.is_some(), "{context}: {node:?}");
    }
    for (index, group) in graph.groups.iter().enumerate() {
        assert!(group.parent.is_none_or(|parent| parent < index), "{context}: {group:?}");
    }
}

/// Two units of two places in a third, one place beside them, and every kind of arc.
fn net_with_units() -> Net {
    let place = |id: &str, initial| Place { id: id.into(), label: None, initial };
    let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(PlaceId);
    let unit = |id: &str, parent, places: &[PlaceId]| Unit { id: id.into(), parent, places: places.into() };
    Net {
        name: "units".into(),
        places: vec![place("a", 1), place("b", 0), place("c", 3), place("d", 0), place("e", 2)],
        transitions: vec![
            Transition::moving("t", [(a, 1)], [(b, 1)]),
            Transition::moving("u", [(b, 1), (c, 2), (e, 2)], [(a, 1), (d, 1), (e, 2)]),
            Transition::new(
                "v",
                vec![
                    PetriArc::Read { place: a, weight: 1 },
                    PetriArc::Inhibitor { place: b, weight: 3 },
                    PetriArc::Output { place: c, weight: 2 },
                    PetriArc::Input { place: d, weight: 1 },
                    PetriArc::Output { place: d, weight: 2 },
                    PetriArc::Reset { place: e },
                ],
            ),
        ],
        units: vec![
            unit("root", None, &[e]),
            unit("left", Some(0), &[a, b]),
            unit("right", Some(0), &[]),
            unit("inner", Some(2), &[c]),
            unit("outer", Some(2), &[d]),
        ],
        unit_claim: UnitClaim::NestedUnits,
    }
}

#[test]
fn a_net_shows_every_place_transition_and_arc_once() {
    let from_families =
        ["philosophers:5", "kanban:3", "token-ring:4", "dekker:3"].map(|call| family(call).net().clone());
    for net in from_families.iter().chain([&net_with_units()]) {
        let graph = net_graph(net);
        check_graph(&graph, &net.name);
        let places = graph.nodes.iter().filter(|node| matches!(node.shape, Shape::Place { .. })).count();
        assert_eq!(places, net.places.len(), "{}", net.name);
        assert_eq!(graph.nodes.len(), net.places.len() + net.transitions.len(), "{}", net.name);
        let both = graph.arcs.iter().filter(|arc| arc.kind == ArcKind::Both).count();
        assert_eq!(graph.arcs.len() + both, net.arc_count(), "{}", net.name);
    }
}

#[test]
fn arcs_and_boxes_of_a_net() {
    let net = net_with_units();
    let graph = net_graph(&net);
    let name = |index: usize| graph.nodes[index].name.split_once(':').expect("a kind").1;
    let arc = |arc: &symbolon_picture::Arc| {
        let label = arc.label.as_deref().unwrap_or("");
        format!("{} {:?}{label} {}", name(arc.from), arc.kind, name(arc.to))
    };
    let arcs: Vec<String> = graph.arcs.iter().map(arc).collect();
    let expected = [
        "a Plain t",
        "t Plain b",
        "b Plain u",
        "c Plain2 u",
        "e Both2 u",
        "u Plain a",
        "u Plain d",
        "d Plain v",
        "a Read v",
        "b Inhibitor3 v",
        "e Reset v",
        "v Plain2 c",
        "v Plain2 d",
    ];
    assert_eq!(arcs, expected);
    // The root holds everything and units of one place are no boxes; `t` lies in the unit of its
    // places, and `v` changes places of two units.
    let boxes: Vec<&str> = graph.groups.iter().map(|group| group.label.as_str()).collect();
    assert_eq!(boxes, ["left", "right"]);
    let groups: Vec<Option<usize>> = graph.nodes.iter().map(|node| node.group).collect();
    assert_eq!(groups, [Some(0), Some(0), Some(1), Some(1), None, Some(0), None, None]);
}

#[test]
fn parts_that_only_look_at_each_other_are_boxes() {
    let groups = |call: &str| {
        let net = family(call).net().clone();
        let graph = net_graph(&net);
        check_graph(&graph, call);
        for arc in net_arcs(&net).filter(|arc| arc.kind == ArcKind::Plain) {
            let transition = &graph.nodes[net.places.len() + arc.transition];
            assert_eq!(graph.nodes[arc.place.index()].group, transition.group, "{call}: {arc:?}");
        }
        graph.groups.len()
    };
    // Processes with flags that the others read; one connected net.
    assert_eq!(groups("dekker:4"), 4);
    assert_eq!(groups("philosophers:3"), 0);
    assert_eq!(groups("kanban:1"), 0);
}

#[test]
fn clusters_count_everything_once() {
    let net = net_with_units();
    for (most, expected) in [(5, Some(4)), (4, Some(4)), (3, Some(3)), (2, None), (0, None)] {
        let graph = overview(&net, most).map(|overview| overview.graph);
        assert_eq!(graph.as_ref().map(|graph| graph.nodes.len()), expected, "at most {most}");
        let Some(graph) = graph else { continue };
        check_graph(&graph, "clusters");
        let number = |line: &String| line.split(' ').next().and_then(|word| word.parse::<usize>().ok());
        let mut counts = [0, 0];
        for node in &graph.nodes {
            let Shape::State { lines } = &node.shape else { panic!("{node:?}") };
            counts[0] += lines.iter().find(|line| line.contains("place")).and_then(number).expect("places");
            counts[1] += lines.iter().find(|line| line.contains("transition")).and_then(number).unwrap_or(0);
        }
        assert_eq!(counts, [net.places.len(), net.transitions.len()]);
        let ends: HashSet<[usize; 2]> =
            graph.arcs.iter().map(|arc| [arc.from.min(arc.to), arc.from.max(arc.to)]).collect();
        assert_eq!(ends.len(), graph.arcs.len(), "one line between two boxes: {:?}", graph.arcs);
    }
    assert!(overview(family("kanban:1").net(), 100).is_none(), "there are no units, and all is one part");
    let dekker = overview(family("dekker:10").net(), 100).expect("processes that watch each other");
    assert_eq!((dekker.noun, dekker.graph.nodes.len(), dekker.graph.arcs.len()), ("part", 10, 45));
}

#[test]
fn a_state_graph_is_the_explicit_one() {
    for call in ["philosophers:2", "kanban:1", "token-ring:3"] {
        let loaded = family(call);
        let budget = Budget::unlimited();
        let graph = state_graph(&loaded.model, None, &budget).expect("small");
        check_graph(&graph, call);
        let explored =
            symbolon_explicit::explore(&loaded.model, &Default::default(), &budget).expect("small");
        assert_eq!(graph.nodes.len(), explored.state_count(), "{call}");
        let labels = graph.arcs.iter().map(|arc| arc.label.as_deref().unwrap_or("").split(", ").count());
        assert_eq!(labels.sum::<usize>() as u64, explored.edge_count(), "{call}");
        let dead = graph.nodes.iter().filter(|node| node.emphasis == Emphasis::Dead).count();
        assert_eq!(dead, explored.dead_states().len(), "{call}");
        assert_eq!(graph.nodes[0].emphasis, Emphasis::Initial, "{call}");
        let explained: Vec<Sample> = graph.legend.iter().map(|(sample, _)| sample.clone()).collect();
        let expected = [Some(Emphasis::Initial), (dead > 0).then_some(Emphasis::Dead)];
        let expected: Vec<Sample> = expected.into_iter().flatten().map(Sample::from).collect();
        assert_eq!(explained, expected, "{call}");
        let limited = state_graph(&loaded.model, Some(graph.nodes.len() - 1), &budget);
        assert_eq!(limited.expect_err("too many").reason, Reason::StateLimit, "{call}");
    }
}

#[test]
fn a_diagram_has_its_nodes_and_a_path_a_state() {
    for (call, order) in [
        ("philosophers:2", "as-given"),
        ("philosophers:3", "merged:force"),
        ("kanban:1", "as-given"),
        ("kanban:2", "force"),
        ("fms:1", "merged:sloan"),
    ] {
        let loaded = family(call);
        let options =
            Options { variable_order: crate::VariableOrder::Named(order.into()), ..Options::default() };
        let budget = Budget::unlimited();
        let Ok(report) = states(&loaded, &options, &budget) else { panic!("{call}") };
        let Ok(Scene::Still(graph)) = draw_diagram(&loaded, &options, PictureFormat::Dot, &budget) else {
            panic!("{call}")
        };
        check_graph(&graph, call);
        let count =
            |wanted: fn(&Shape) -> bool| graph.nodes.iter().filter(|node| wanted(&node.shape)).count();
        assert_eq!(count(|shape| matches!(shape, Shape::Cells { .. })) as u64, report.nodes_final, "{call}");
        assert_eq!(count(|shape| matches!(shape, Shape::Text { .. })) as u64, report.levels, "{call}");
        assert_eq!(crate::StateCount::Finite(paths(&graph).into()), report.states, "{call}");
        for arc in graph.arcs.iter().filter(|arc| arc.kind == ArcKind::Plain) {
            let [from, to] = [arc.from, arc.to].map(|node| graph.nodes[node].layer.expect("a layer"));
            assert_eq!(from + 1, to, "{call}: no level is skipped");
        }
    }
}

/// The graph of a set diagram under a hierarchy, with the report on its states.
fn set_diagram(call: &str, diagram: Diagram, hierarchy: &str) -> (Graph, crate::StatesReport) {
    let loaded = family(call);
    let hierarchy = match hierarchy {
        "auto" => crate::Hierarchy::Auto,
        name => crate::Hierarchy::Named(name.into()),
    };
    let options = Options { diagram, hierarchy, ..Options::default() };
    let budget = Budget::unlimited();
    let Ok(report) = states(&loaded, &options, &budget) else { panic!("{call}") };
    let Ok(Scene::Still(graph)) = draw_diagram(&loaded, &options, PictureFormat::Dot, &budget) else {
        panic!("{call}")
    };
    check_graph(&graph, call);
    (graph, report)
}

/// The number of sequences of each letter, and of `states`: labels are looked up by their letters,
/// as readers do.
fn sequences_by_letter(graph: &Graph) -> HashMap<String, u64> {
    let mut known: HashMap<String, u64> = HashMap::new();
    // Boxes of labels come after those that use them.
    for group in (0..graph.groups.len()).rev() {
        let mut ways = vec![0; graph.nodes.len()];
        for (index, node) in graph.nodes.iter().enumerate().rev() {
            if node.group != Some(group) {
                continue;
            }
            match &node.shape {
                Shape::Terminal { label } => ways[index] = u64::from(label == "1"),
                Shape::Cells { cells } => {
                    let arcs = graph.arcs.iter().filter(|arc| arc.from == index);
                    ways[index] = arcs
                        .map(|arc| {
                            let cell = &cells[arc.cell.expect("arcs leave from cells")];
                            known.get(cell).copied().unwrap_or(1) * ways[arc.to]
                        })
                        .sum();
                }
                _ => {}
            }
        }
        for arc in graph.arcs.iter().filter(|arc| arc.cell.is_none() && arc.kind == ArcKind::Plain) {
            if let (Shape::Text { label }, true) =
                (&graph.nodes[arc.from].shape, graph.nodes[arc.from].group == Some(group))
            {
                assert!(known.insert(label.clone(), ways[arc.to]).is_none(), "{label} is drawn once");
            }
        }
    }
    known
}

#[test]
fn a_set_diagram_has_a_box_a_shape_and_its_letters_count_the_states() {
    for (call, hierarchy, boxes) in [
        ("philosophers:3", "indexed", 2),
        ("philosophers:8", "indexed-recursive", 4),
        ("philosophers:40", "indexed", 2),
        ("kanban:2", "groups:2", 2),
        ("fms:1", "recursive:1", 3),
        ("dekker:4", "indexed", 2),
    ] {
        let (graph, report) = set_diagram(call, Diagram::Kind(DiagramKind::Set), hierarchy);
        assert_eq!(graph.groups.len(), boxes, "{call} {hierarchy}");
        let cells = graph.nodes.iter().filter(|node| matches!(node.shape, Shape::Cells { .. })).count();
        assert!(cells as u64 >= report.nodes_final, "{call} {hierarchy}: every node is there");
        assert!(graph.boxes_apart().is_some(), "{call} {hierarchy}: letters, not arcs, lead to labels");
        if call != "philosophers:40" {
            let counted = sequences_by_letter(&graph)["states"];
            assert_eq!(crate::StateCount::Finite(counted.into()), report.states, "{call} {hierarchy}");
        }
    }
}

#[test]
fn a_diagram_of_one_component_looks_like_a_multi_valued_one() {
    for (call, diagram, hierarchy) in [
        ("philosophers:3", Diagram::Kind(DiagramKind::Ddd), "auto"),
        ("kanban:2", Diagram::Kind(DiagramKind::Ddd), "auto"),
        ("kanban:2", Diagram::Kind(DiagramKind::Set), "flat"),
    ] {
        let (graph, report) = set_diagram(call, diagram, hierarchy);
        assert!(graph.groups.is_empty(), "{call}");
        let cells = graph.nodes.iter().filter(|node| matches!(node.shape, Shape::Cells { .. })).count();
        assert_eq!(cells as u64, report.nodes_final, "{call}");
        assert_eq!(crate::StateCount::Finite(paths(&graph).into()), report.states, "{call}");
    }
}

#[test]
fn components_that_are_alike_name_their_values_alike() {
    let (graph, _) = set_diagram("philosophers:3", Diagram::Kind(DiagramKind::Set), "indexed");
    let texts: HashSet<&str> = graph
        .nodes
        .iter()
        .flat_map(|node| match &node.shape {
            Shape::Cells { cells } => cells.iter().map(String::as_str).collect(),
            Shape::Text { label } => vec![label.as_str()],
            _ => Vec::new(),
        })
        .collect();
    for expected in ["Fork_*", "Think_*", "Eat_*", "Catch1_*", "Catch2_*", "A", "D", "states", "Fork_1 …"] {
        assert!(texts.contains(expected), "no {expected} in {texts:?}");
    }
    assert_eq!(graph.groups[1].label, "A … D: 3 components alike");
}

/// The number of ways from the first node made of cells to the terminal.
fn paths(graph: &Graph) -> u64 {
    let terminal = graph.nodes.len() - 1;
    let mut ways = vec![0; graph.nodes.len()];
    ways[terminal] = 1;
    for node in (0..terminal).rev() {
        let out = graph.arcs.iter().filter(|arc| arc.from == node && arc.cell.is_some());
        ways[node] = out.map(|arc| ways[arc.to]).sum();
    }
    let root = graph.nodes.iter().position(|node| matches!(node.shape, Shape::Cells { .. }));
    ways[root.expect("a root")]
}

#[test]
fn a_film_shows_the_markings_of_a_run() {
    let loaded = family("philosophers:3");
    let Ok(run) = deadlock_run(&loaded, &Options::default(), &Budget::unlimited()) else {
        panic!("a deadlock")
    };
    let stops = stops(&loaded, &run, 12).expect("it was replayed");
    assert_eq!(stops.len(), 4);
    let film = frames(&loaded, &stops);
    let place_count = loaded.net().places.len();
    for (frame, stop) in film.iter().zip(&stops) {
        assert_eq!(frame.tokens[..place_count], *stop.state, "{frame:?}");
        assert_eq!(frame.tokens.len(), net_graph(loaded.net()).nodes.len(), "{frame:?}");
        // What fired, and what that changed.
        let fired = frame.active.iter().filter(|node| **node >= place_count).count();
        assert_eq!(fired, usize::from(stop.event.is_some()), "{frame:?}");
        assert_eq!(frame.active.len() > fired, stop.event.is_some(), "{frame:?}");
    }
    assert_eq!(film[0].caption, "start");
    assert!(film[3].caption.ends_with("(deadlock)"), "{film:?}");
    let chain = chain_graph(&loaded.model, &stops);
    check_graph(&chain, "chain");
    assert_eq!((chain.nodes.len(), chain.arcs.len()), (4, 3));
    assert_eq!(chain.nodes[3].emphasis, Emphasis::Dead);
}

#[test]
fn a_run_that_comes_back_is_closed() {
    let loaded = family("philosophers:3");
    let run = |names: &[&str]| NamedRun {
        steps: names.iter().map(|name| NamedStep { name: name.to_string(), line: None }).collect(),
        ..NamedRun::default()
    };
    let stops = stops(&loaded, &run(&["FF1a_1", "FF2a_1", "End_1"]), 12).expect("a run");
    assert_eq!(frames(&loaded, &stops)[3].caption, "End_1 (as 0)");
    let chain = chain_graph(&loaded.model, &stops);
    check_graph(&chain, "chain");
    let ends: Vec<(usize, usize)> = chain.arcs.iter().map(|arc| (arc.from, arc.to)).collect();
    assert_eq!((chain.nodes.len(), ends), (3, vec![(0, 1), (1, 2), (2, 0)]));
}

#[test]
fn long_runs_keep_their_ends() {
    let loaded = family("token-ring:3");
    let mut state = loaded.model.initial[0].clone();
    let mut run = NamedRun::default();
    for _ in 0..20 {
        let event = loaded.model.events.iter().find(|event| event.is_enabled(&state)).expect("it goes on");
        state = event.fire(&state).expect("in range").expect("enabled");
        run.steps.push(NamedStep { name: event.name.clone(), line: None });
    }
    for (most, expected) in [
        (21, (0..=20).collect::<Vec<_>>()),
        (99, (0..=20).collect()),
        (5, vec![0, 1, 2, 19, 20]),
        (4, vec![0, 1, 19, 20]),
        (0, vec![0, 20]),
    ] {
        let stops = stops(&loaded, &run, most).expect("a run");
        assert_eq!(stops.iter().map(|stop| stop.number).collect::<Vec<_>>(), expected, "at most {most}");
        let left_out: usize = stops.iter().map(|stop| stop.left_out).sum();
        assert_eq!(left_out + stops.len(), 21, "at most {most}");
        check_graph(&chain_graph(&loaded.model, &stops), "chain");
    }
}

#[test]
fn runs_that_cannot_be_say_why() {
    let loaded = family("philosophers:2");
    let check = |names: &[&str], message: &str, hint: &str| {
        let steps =
            names.iter().zip(1..).map(|(name, line)| NamedStep { name: (*name).into(), line: Some(line) });
        let run = NamedRun { file: Some("run.txt".into()), steps: steps.collect() };
        let Err(crate::error::Error::Input(mistakes)) = stops(&loaded, &run, 9) else {
            panic!("{names:?} is not a run")
        };
        assert!(mistakes[0].message.contains(message), "{mistakes:?}");
        assert!(mistakes[0].hint.as_deref().unwrap_or("").contains(hint), "{mistakes:?}");
        (mistakes.len(), mistakes[0].line)
    };
    assert_eq!(
        check(&["FF1a_1", "FF1a_l", "what is this"], "'FF1a_l'", "did you mean 'FF1a_1'"),
        (2, Some(2))
    );
    assert_eq!(check(&["FF1a_1", "FF1a_1"], "step 2", "enabled there: "), (1, Some(2)));
}

#[test]
fn a_hierarchy_is_the_tree_of_units() {
    let loaded = from_net(&net_with_units());
    for (most, expected) in [(9, Some((5, 0))), (5, Some((5, 0))), (4, Some((3, 2))), (2, None)] {
        let found = unit_graph(&loaded, most);
        let sizes = found.as_ref().map(|(graph, left_out)| (graph.nodes.len(), *left_out));
        assert_eq!(sizes, expected, "at most {most}");
        let Some((graph, _)) = found else { continue };
        check_graph(&graph, "hierarchy");
        assert_eq!(graph.arcs.len() + 1, graph.nodes.len(), "a tree");
    }
    // A net without units is described by the sets of places that share one token.
    let (graph, _) = unit_graph(&family("philosophers:3"), 100).expect("components");
    assert!(graph.nodes.len() > 3, "{graph:?}");
}
