//! Which arcs are drawn against the flow, so that all the others lead one way.

use crate::graph::{Emphasis, Graph, Shape};

/// A way to choose the arcs against the flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// Walk along arcs from where things begin; what leads back is turned.
    Walk,
    /// The greedy heuristic of Eades, Lin and Smyth (Information Processing Letters 1993).
    Greedy,
    /// Each group on its own, from where it begins, so that groups go down side by side.
    Together,
}

/// For each arc (as pairs of local numbers) whether it is drawn against the flow. No cycle is left
/// then.
pub(super) fn turned_arcs(
    graph: &Graph,
    nodes: &[usize],
    arcs: &[(usize, usize)],
    start: Start,
) -> Vec<bool> {
    let place = match start {
        Start::Walk => walk_order(graph, nodes, arcs),
        Start::Greedy => greedy_order(nodes.len(), arcs),
        Start::Together => together_order(graph, nodes, arcs),
    };
    arcs.iter().map(|&(from, to)| place[from] > place[to]).collect()
}

/// How eager a node is to stand first.
fn eagerness(graph: &Graph, node: usize, incoming: usize) -> u8 {
    let node = &graph.nodes[node];
    match node.shape {
        _ if node.emphasis == Emphasis::Initial => 3,
        _ if incoming == 0 => 2,
        Shape::Place { tokens: 1.., .. } => 1,
        _ => 0,
    }
}

/// Reverse finishing times of a depth-first walk: only arcs back to a node under way are turned.
fn walk_order(graph: &Graph, nodes: &[usize], arcs: &[(usize, usize)]) -> Vec<usize> {
    let count = nodes.len();
    let mut outgoing = vec![Vec::new(); count];
    let mut incoming = vec![0; count];
    for &(from, to) in arcs {
        outgoing[from].push(to);
        incoming[to] += 1;
    }
    let mut starts: Vec<usize> = (0..count).collect();
    starts.sort_by_key(|&node| (3 - eagerness(graph, nodes[node], incoming[node]), node));
    let mut place = vec![usize::MAX; count];
    let mut seen = vec![false; count];
    let mut free = count;
    for start in starts {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut path = vec![(start, 0)];
        while let Some((node, next)) = path.last_mut() {
            if let Some(&to) = outgoing[*node].get(*next) {
                *next += 1;
                if !seen[to] {
                    seen[to] = true;
                    path.push((to, 0));
                }
            } else {
                free -= 1;
                place[*node] = free;
                path.pop();
            }
        }
    }
    place
}

fn greedy_order(count: usize, arcs: &[(usize, usize)]) -> Vec<usize> {
    let mut outgoing = vec![Vec::new(); count];
    let mut incoming = vec![Vec::new(); count];
    for &(from, to) in arcs {
        outgoing[from].push(to);
        incoming[to].push(from);
    }
    let mut out_degree: Vec<usize> = outgoing.iter().map(Vec::len).collect();
    let mut in_degree: Vec<usize> = incoming.iter().map(Vec::len).collect();
    let mut place = vec![usize::MAX; count];
    let (mut first, mut last) = (0, count);
    while first < last {
        let left = |node: &usize| place[*node] == usize::MAX;
        let sink = (0..count).filter(left).find(|&node| out_degree[node] == 0);
        let source = (0..count).filter(left).find(|&node| in_degree[node] == 0);
        let chosen = sink.or(source).or_else(|| {
            (0..count).filter(left).max_by_key(|&node| {
                (out_degree[node] as isize - in_degree[node] as isize, std::cmp::Reverse(node))
            })
        });
        let Some(node) = chosen else { break };
        if sink.is_some() {
            last -= 1;
            place[node] = last;
        } else {
            place[node] = first;
            first += 1;
        }
        for &from in &incoming[node] {
            out_degree[from] = out_degree[from].saturating_sub(1);
        }
        for &to in &outgoing[node] {
            in_degree[to] = in_degree[to].saturating_sub(1);
        }
    }
    place
}

/// Breadth-first distances inside each group. A node outside may lead from a group back into it; it
/// then stands between.
fn together_order(graph: &Graph, nodes: &[usize], arcs: &[(usize, usize)]) -> Vec<usize> {
    let count = nodes.len();
    let group = |node: usize| graph.nodes[nodes[node]].group;
    let mut outgoing = vec![Vec::new(); count];
    let mut incoming = vec![Vec::new(); count];
    for &(from, to) in arcs {
        outgoing[from].push(to);
        incoming[to].push(from);
    }
    let mut starts: Vec<usize> = (0..count).filter(|&node| group(node).is_some()).collect();
    starts.sort_by_key(|&node| (3 - eagerness(graph, nodes[node], incoming[node].len()), node));
    let mut depth = vec![usize::MAX; count];
    // Only the first, most eager node of a group is at its top; others follow if nothing leads to
    // them.
    for start in starts {
        if depth[start] != usize::MAX {
            continue;
        }
        depth[start] = 0;
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            let direct = outgoing[node].iter().map(|&to| (to, 1));
            let around = outgoing[node].iter().filter(|&&over| group(over) != group(node));
            let around = around.flat_map(|&over| outgoing[over].iter().map(|&to| (to, 2)));
            let next: Vec<(usize, usize)> = direct
                .chain(around)
                .filter(|&(to, _)| group(to) == group(start) && depth[to] == usize::MAX)
                .collect();
            for (to, far) in next {
                if depth[to] == usize::MAX {
                    depth[to] = depth[node] + far;
                    queue.push_back(to);
                }
            }
        }
    }
    let known = depth.clone();
    for node in 0..count {
        if known[node] == usize::MAX {
            let above: Vec<usize> =
                incoming[node].iter().map(|&from| known[from]).filter(|&depth| depth != usize::MAX).collect();
            let sum: usize = above.iter().sum();
            depth[node] = if above.is_empty() { 0 } else { sum / above.len() + 1 };
        }
    }
    let mut sorted: Vec<usize> = (0..count).collect();
    sorted.sort_by_key(|&node| (depth[node], node));
    let mut place = vec![0; count];
    for (position, node) in sorted.into_iter().enumerate() {
        place[node] = position;
    }
    place
}
