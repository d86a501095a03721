//! Strongly connected components, and which of them let a run accept.

use crate::automaton::Automaton;

/// The strongly connected components of an automaton.
#[derive(Clone, Debug)]
pub(crate) struct Components {
    /// The component of each state. A component has a larger number than those it leads to.
    pub(crate) of_state: Vec<usize>,
    /// Whether a run that stays in the component can accept: it has an edge, and its edges carry
    /// all marks.
    pub(crate) is_accepting: Vec<bool>,
}

impl Components {
    /// Tarjan's algorithm (SIAM J. Computing, 1972), with a stack of its own.
    pub(crate) fn of(automaton: &Automaton) -> Components {
        const UNSEEN: usize = usize::MAX;
        let count = automaton.state_count();
        let mut of_state = vec![UNSEEN; count];
        let mut component_count = 0;
        let (mut number, mut lowest) = (vec![UNSEEN; count], vec![0; count]);
        let mut seen_count = 0;
        let mut open: Vec<usize> = Vec::new();
        let mut path: Vec<(usize, usize)> = Vec::new();
        for root in 0..count {
            if number[root] != UNSEEN {
                continue;
            }
            path.push((root, 0));
            while let Some((state, next_edge)) = path.last_mut() {
                let state = *state;
                if *next_edge == 0 {
                    (number[state], lowest[state]) = (seen_count, seen_count);
                    seen_count += 1;
                    open.push(state);
                }
                if let Some(edge) = automaton.edges_from(state).get(*next_edge) {
                    *next_edge += 1;
                    if number[edge.to] == UNSEEN {
                        path.push((edge.to, 0));
                    } else if of_state[edge.to] == UNSEEN {
                        lowest[state] = lowest[state].min(number[edge.to]);
                    }
                    continue;
                }
                if lowest[state] == number[state] {
                    while let Some(member) = open.pop() {
                        of_state[member] = component_count;
                        if member == state {
                            break;
                        }
                    }
                    component_count += 1;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    lowest[parent] = lowest[parent].min(lowest[state]);
                }
            }
        }
        let is_accepting = accepting(automaton, &of_state, component_count);
        Components { of_state, is_accepting }
    }
}

fn accepting(automaton: &Automaton, of_state: &[usize], component_count: usize) -> Vec<bool> {
    let mark_count = automaton.mark_count() as usize;
    let mut has_edge = vec![false; component_count];
    let mut seen = vec![false; component_count * mark_count];
    let mut seen_count = vec![0; component_count];
    for edge in automaton.edges() {
        let component = of_state[edge.from];
        if component != of_state[edge.to] {
            continue;
        }
        has_edge[component] = true;
        for mark in edge.marks.iter() {
            let seen = &mut seen[component * mark_count + mark as usize];
            seen_count[component] += usize::from(!*seen);
            *seen = true;
        }
    }
    (0..component_count).map(|component| has_edge[component] && seen_count[component] == mark_count).collect()
}
