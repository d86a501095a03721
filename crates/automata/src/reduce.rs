//! Automata made smaller, with the same language.

use symbolon_budget::{Interrupted, Meter};

use crate::automaton::{Automaton, Edge};
use crate::components::Components;

/// An automaton with the same language, smaller where we know how.
pub(crate) fn reduce_metered(automaton: &Automaton, meter: &mut Meter) -> Result<Automaton, Interrupted> {
    meter.step()?;
    Ok(trim(automaton))
}

/// The states that lie on an accepting run, alone.
pub(crate) fn trim(automaton: &Automaton) -> Automaton {
    let components = Components::of(automaton);
    // A component has a larger number than those it leads to: what comes after a state is settled before it.
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
    Automaton::new(found.len(), automaton.proposition_count(), automaton.mark_count(), initial, kept)
}
