//! The tree of units or pages as a graph. A net without units is described by what its analysis
//! found: sets of places of which at most one holds a token. The tree of components of a set
//! diagram is drawn likewise.

use super::legend;
use super::units::Units;
use super::words::{counted, lines};
use crate::loaded::Loaded;
use symbolon_engine::HierarchyPlan;
use symbolon_engine::hierarchy::Item;
use symbolon_engine::order::Blocks;
use symbolon_model::{ExclusiveSet, VariableId};
use symbolon_petri::{Net, PlaceId};
use symbolon_picture::{Arc, ArcKind, Emphasis, Flow, Graph, Node, Shape};

/// Units with at most this many places name them; others count them.
const MOST_NAMED: usize = 6;
/// A deeper tree, or one with more units of one depth, is an indented list.
const MOST_LAYERS: usize = 5;
const MOST_SIDE_BY_SIDE: usize = 24;

/// The tree of units down to the depth at which it still has at most `most_nodes` nodes, and the
/// number of units left out. `None` if there is no tree.
pub(super) fn unit_graph(loaded: &Loaded, most_nodes: usize) -> Option<(Graph, usize)> {
    let tree = if loaded.net().units.is_empty() { by_analysis(loaded) } else { by_units(loaded.net()) };
    if tree.len() < 2 {
        return None;
    }
    cut(loaded.net(), &tree, most_nodes).filter(|(graph, _)| graph.nodes.len() > 1)
}

/// The tree of components of a set diagram, likewise. One component is a tree, too.
pub(super) fn component_graph(
    loaded: &Loaded,
    blocks: &Blocks,
    hierarchy: &HierarchyPlan,
    most_nodes: usize,
) -> Option<(Graph, usize)> {
    let head = format!("hierarchy {}", hierarchy.name);
    let mut tree = Vec::new();
    by_components(loaded.net(), blocks, &hierarchy.tree.items, None, &mut tree);
    tree[0].lines.insert(0, head);
    tree[0].lines.insert(0, loaded.net().name.clone());
    cut(loaded.net(), &tree, most_nodes)
}

/// The graph of a tree as far down as it has room, and how many branches have none.
fn cut(net: &Net, tree: &[Branch], most_nodes: usize) -> Option<(Graph, usize)> {
    let deepest = tree.iter().map(|branch| branch.depth).max().unwrap_or(0);
    let shown_at = |depth: usize| tree.iter().filter(|branch| branch.depth <= depth).count();
    let depth = (0..=deepest).rev().find(|&depth| shown_at(depth) <= most_nodes)?;
    Some((graph(net, tree, depth), tree.len() - shown_at(depth)))
}

struct Branch {
    name: String,
    parent: Option<usize>,
    depth: usize,
    lines: Vec<String>,
}

fn by_units(net: &Net) -> Vec<Branch> {
    let units = Units::new(net);
    let all_places = units.place_counts(net);
    let branch = |index: usize| {
        let unit = &net.units[index];
        let mut lines = vec![unit.id.clone()];
        lines.extend(contents(net, &unit.places));
        if all_places[index] > unit.places.len() {
            lines.push(format!("{} in all", counted(all_places[index], "place")));
        }
        Branch {
            name: format!("unit:{}", unit.id),
            parent: units.parent(index),
            depth: units.depth(index),
            lines,
        }
    };
    (0..net.units.len()).map(branch).collect()
}

fn by_analysis(loaded: &Loaded) -> Vec<Branch> {
    let net = loaded.net();
    let root = Branch {
        name: "net".to_string(),
        parent: None,
        depth: 0,
        lines: vec![net.name.clone(), counted(net.places.len(), "place")],
    };
    let set = |(index, set): (usize, &ExclusiveSet)| {
        let places: Vec<PlaceId> = set.variables.iter().map(|variable| PlaceId(variable.0)).collect();
        let what = if set.exactly_one { "one token in" } else { "at most one token in" };
        let mut lines = vec![what.to_string()];
        lines.extend(contents(net, &places));
        Branch { name: format!("set:{index}"), parent: Some(0), depth: 1, lines }
    };
    let sets = loaded.analysis.merged.iter().filter(|set| set.variables.len() > 1).enumerate().map(set);
    std::iter::once(root).chain(sets).collect()
}

/// Appends a component and those inside it, from left to right.
fn by_components(net: &Net, blocks: &Blocks, items: &[Item], parent: Option<usize>, tree: &mut Vec<Branch>) {
    let index = tree.len();
    let direct = items.iter().filter_map(|item| match item {
        Item::Block(block) => Some(blocks.block(*block)),
        Item::Group(_) => None,
    });
    // Variables of one value are joined: at most one of them holds a token.
    let name = |variable: &VariableId| net.places[variable.index()].id.as_str();
    let values: Vec<String> =
        direct.map(|block| block.iter().map(name).collect::<Vec<_>>().join("|")).collect();
    let inner = items.iter().filter(|item| matches!(item, Item::Group(_))).count();
    let mut lines = match values.len() {
        0 => Vec::new(),
        1..=MOST_NAMED => lines(&values),
        many => vec![counted(many, "value")],
    };
    if inner > 0 {
        lines.push(counted(inner, "component"));
    }
    tree.push(Branch {
        name: format!("component:{index}"),
        parent,
        depth: parent.map_or(0, |parent| tree[parent].depth + 1),
        lines,
    });
    for item in items {
        if let Item::Group(items) = item {
            by_components(net, blocks, items, Some(index), tree);
        }
    }
}

/// The lines of a box in one: its name, a colon, and what is in it.
fn in_one_line(lines: &[String]) -> String {
    let Some((name, contents)) = lines.split_first() else { return String::new() };
    let mut line = name.clone();
    for (index, part) in contents.iter().enumerate() {
        line.push_str(match line.ends_with(',') {
            true => " ",
            false if index == 0 => ": ",
            false => "; ",
        });
        line.push_str(part);
    }
    line
}

/// The numbers of a tree, each before those below it, and these before the next.
fn depth_first(tree: &[Branch]) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); tree.len()];
    let mut waiting: Vec<usize> = Vec::new();
    for (number, branch) in tree.iter().enumerate().rev() {
        match branch.parent {
            Some(parent) => children[parent].push(number),
            None => waiting.push(number),
        }
    }
    let mut order = Vec::with_capacity(tree.len());
    while let Some(number) = waiting.pop() {
        order.push(number);
        waiting.append(&mut children[number]);
    }
    order
}

/// What lies directly in a unit.
fn contents(net: &Net, places: &[PlaceId]) -> Vec<String> {
    match places.len() {
        0 => Vec::new(),
        1..=MOST_NAMED => {
            let names: Vec<String> =
                places.iter().map(|place| net.places[place.index()].id.clone()).collect();
            lines(&names)
        }
        many => vec![counted(many, "place")],
    }
}

fn graph(net: &Net, tree: &[Branch], depth: usize) -> Graph {
    // Units left out have a number too, so that the index of a parent stays what it was.
    let mut index = vec![0; tree.len()];
    let widest = (0..=depth).map(|depth| tree.iter().filter(|branch| branch.depth == depth).count()).max();
    let is_list = depth > MOST_LAYERS || widest.unwrap_or(0) > MOST_SIDE_BY_SIDE;
    let flow = if is_list { Flow::Indented } else { Flow::Right };
    let mut drawn = Graph { title: net.name.clone(), flow, ..Graph::default() };
    // A list has each unit before what is in it; trees have parents before children, no more.
    let order = if is_list { depth_first(tree) } else { (0..tree.len()).collect() };
    for (number, branch) in
        order.into_iter().map(|number| (number, &tree[number])).filter(|(_, branch)| branch.depth <= depth)
    {
        index[number] = drawn.nodes.len();
        let lines = if is_list { vec![in_one_line(&branch.lines)] } else { branch.lines.clone() };
        drawn.nodes.push(Node {
            name: branch.name.clone(),
            shape: Shape::State { lines },
            group: None,
            layer: Some(branch.depth as u32),
            emphasis: if branch.parent.is_none() { Emphasis::Initial } else { Emphasis::None },
        });
        if let Some(parent) = branch.parent {
            let (from, to) = (index[parent], index[number]);
            drawn.arcs.push(Arc { from, cell: None, to, label: None, kind: ArcKind::Plain });
        }
    }
    let root =
        if is_list { "the whole; what stands farther in lies inside what is above it" } else { "the whole" };
    drawn.legend = legend::of_nodes(&drawn, &[(Emphasis::Initial, root)]);
    drawn
}
