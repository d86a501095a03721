//! Strongly connected components of a small graph.

/// The components of the graph with edges (from, to) between the vertices below `count`: the
/// vertices of each, ascending. A component comes after all those that it leads to.
pub(crate) fn components(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    for &(from, to) in edges {
        next[from].push(to);
    }
    // Tarjan (SIAM J. Computing, 1972), with a stack of its own.
    const UNSEEN: usize = usize::MAX;
    let (mut number, mut lowest) = (vec![UNSEEN; count], vec![UNSEEN; count]);
    let mut is_open = vec![false; count];
    let mut seen_count = 0;
    let (mut open, mut path): (Vec<usize>, Vec<(usize, usize)>) = (Vec::new(), Vec::new());
    let mut found = Vec::new();
    for root in 0..count {
        if number[root] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some((vertex, position)) = path.last_mut() {
            let vertex = *vertex;
            if *position == 0 {
                (number[vertex], lowest[vertex]) = (seen_count, seen_count);
                seen_count += 1;
                open.push(vertex);
                is_open[vertex] = true;
            }
            if let Some(&to) = next[vertex].get(*position) {
                *position += 1;
                if number[to] == UNSEEN {
                    path.push((to, 0));
                } else if is_open[to] {
                    lowest[vertex] = lowest[vertex].min(number[to]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                lowest[parent] = lowest[parent].min(lowest[vertex]);
            }
            if lowest[vertex] == number[vertex] {
                let start = open.iter().rposition(|&other| other == vertex).unwrap_or(0);
                let mut component = open.split_off(start);
                component.iter().for_each(|&member| is_open[member] = false);
                component.sort_unstable();
                found.push(component);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_after_what_they_lead_to() {
        let edges = [(0, 1), (1, 2), (2, 1), (2, 3), (4, 4), (4, 0)];
        assert_eq!(components(5, &edges), [vec![3], vec![1, 2], vec![0], vec![4]]);
        assert_eq!(components(0, &[]), Vec::<Vec<usize>>::new());
    }
}
