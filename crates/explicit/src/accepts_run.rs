//! Whether an automaton accepts a run, checked without the model's other states.
//!
//! The automaton reads a lasso, so its accepting runs are cycles in a finite graph: one node for
//! each position of the lasso and each edge of the automaton whose label holds there.

use crate::digraph::Digraph;
use crate::state_formula::{AtomWithoutValue, StateFormulas, has_quantifier};
use crate::{Ending, Reason};
use symbolon_automata::PathAutomaton;
use symbolon_budget::{Budget, Meter};
use symbolon_model::{Atom, Model, State};

/// Whether the automaton accepts the run through `states`. A run that ends in a dead state stays
/// there.
///
/// The run itself is not replayed. `None` if the states alone do not show which propositions hold,
/// or if the run is open at its end.
pub fn accepts_run(
    model: &Model,
    automaton: &PathAutomaton<Atom>,
    states: &[State],
    ending: Ending,
    budget: &Budget,
) -> Result<Option<bool>, Reason> {
    // The last state of a loop is its first one once more.
    let (states, after_last) = match ending {
        Ending::Open => return Ok(None),
        Ending::Dead => (states, states.len() - 1),
        Ending::Loop(start) => (&states[..states.len() - 1], start),
    };
    if has_quantifier(automaton.formula()) {
        return Ok(None);
    }
    let mut meter = Meter::new(budget.clone());
    let propositions = StateFormulas::new(model, automaton.formula(), automaton.propositions().to_vec());
    let automaton = automaton.automaton();

    // The nodes: positions with the edges that can be taken there.
    let mut nodes = Vec::new();
    let mut first_at = Vec::with_capacity(states.len() + 1);
    for (position, state) in states.iter().enumerate() {
        first_at.push(nodes.len());
        let truths = propositions.truths(state, |_| crate::Truth::default());
        let truths = truths.map_err(|AtomWithoutValue| Reason::AtomWithoutValue)?;
        for edge in automaton.edges() {
            meter.step()?;
            if edge.label.is_satisfied(|proposition| truths[proposition as usize].holds) {
                nodes.push((position, edge));
            }
        }
    }
    first_at.push(nodes.len());

    let mut graph = Digraph::with_capacity(nodes.len(), nodes.len());
    for &(position, edge) in &nodes {
        let next = if position + 1 == states.len() { after_last } else { position + 1 };
        let (first, end) = (first_at[next], first_at[next + 1]);
        for (node, &(_, later)) in (first..end).zip(&nodes[first..end]) {
            meter.step()?;
            if later.from == edge.to {
                graph.push_edge(node);
            }
        }
        graph.push_node();
    }
    let with_mark = |mark| nodes.iter().map(|(_, edge)| edge.marks.contains(mark)).collect();
    let marks: Vec<Vec<bool>> = (0..automaton.mark_count()).map(with_mark).collect();
    let on_cycles = graph.on_cycles_through(&marks, &mut meter)?;
    let begins =
        nodes.iter().map(|&(position, edge)| position == 0 && automaton.initial().contains(&edge.from));
    let reached = graph.reachable(begins.collect(), |_| true, &mut meter)?;
    Ok(Some(reached.iter().zip(&on_cycles).any(|(&is_reached, &is_on_cycle)| is_reached && is_on_cycle)))
}
