//! An initial state that is only the choice between others goes: they become initial in its place.

use crate::automaton::{Automaton, Edge};

/// The same language without initial states that no edge enters and that can do what some others
/// can do together.
///
/// Marks on edges that are taken once do not matter, so edges are compared without them.
pub(crate) fn split_initial(automaton: &Automaton) -> Automaton {
    let mut is_entered = vec![false; automaton.state_count()];
    automaton.edges().iter().for_each(|edge| is_entered[edge.to] = true);
    let within = |edge: &Edge, edges: &[Edge]| {
        edges.iter().any(|other| edge.to == other.to && edge.label.implies(&other.label))
    };

    let mut initial = Vec::new();
    let mut is_gone = vec![false; automaton.state_count()];
    for &state in automaton.initial() {
        let edges = automaton.edges_from(state);
        let mut choices: Vec<usize> = (0..automaton.state_count())
            .filter(|&other| is_entered[other])
            .filter(|&other| automaton.edges_from(other).iter().all(|edge| within(edge, edges)))
            .collect();
        let tells_all = |choices: &[usize]| {
            edges.iter().all(|edge| choices.iter().any(|&other| within(edge, automaton.edges_from(other))))
        };
        if is_entered[state] || !tells_all(&choices) {
            initial.push(state);
            continue;
        }
        // As few as can be: those with few edges are tried to be left out first.
        choices.sort_by_key(|&other| automaton.edges_from(other).len());
        let mut place = 0;
        while place < choices.len() {
            let left_out = choices.remove(place);
            if !tells_all(&choices) {
                choices.insert(place, left_out);
                place += 1;
            }
        }
        initial.extend(choices);
        is_gone[state] = true;
    }
    let edges = automaton.edges().iter().filter(|edge| !is_gone[edge.from]).cloned().collect();
    // Gone states keep their numbers until the automaton is trimmed; no run begins in them.
    super::trim::trim(&automaton.with_parts(automaton.state_count(), automaton.mark_count(), initial, edges))
}
