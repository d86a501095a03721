//! States that lie on no accepting run go.

use crate::automaton::{Automaton, Edge};
use crate::components::Components;

/// The states that are reached and that reach a component in which a run can accept.
pub(crate) fn trim(automaton: &Automaton) -> Automaton {
    let components = Components::of(automaton);
    // A component has a larger number than those it leads to: what comes after a state is settled
    // before it.
    let mut leads_on = components.is_accepting.clone();
    let mut edges: Vec<&Edge> = automaton.edges().iter().collect();
    edges.sort_by_key(|edge| components.of_state[edge.from]);
    for edge in edges {
        if leads_on[components.of_state[edge.to]] {
            leads_on[components.of_state[edge.from]] = true;
        }
    }
    let is_useful = |state: usize| leads_on[components.of_state[state]];

    let mut number: Vec<Option<usize>> = vec![None; automaton.state_count()];
    let mut found: Vec<usize> = Vec::new();
    let mut reach = |state: usize, found: &mut Vec<usize>| -> Option<usize> {
        if is_useful(state) && number[state].is_none() {
            number[state] = Some(found.len());
            found.push(state);
        }
        number[state]
    };
    let initial = automaton.initial().iter().filter_map(|&state| reach(state, &mut found)).collect();
    let mut kept = Vec::new();
    let mut place = 0;
    while place < found.len() {
        for edge in automaton.edges_from(found[place]) {
            if let Some(to) = reach(edge.to, &mut found) {
                kept.push(Edge { from: place, to, ..edge.clone() });
            }
        }
        place += 1;
    }
    automaton.with_parts(found.len(), automaton.mark_count(), initial, kept)
}
