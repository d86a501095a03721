//! Whether an automaton accepts anything, and what.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_logic::Formula;

use crate::automaton::{Automaton, Edge};
use crate::components::Components;
use crate::label::Label;
use crate::translate::construct;

/// Words that an automaton accepts: any letters that satisfy the labels of the stem, one after the
/// other, and then those of the cycle, again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptedWord {
    /// What is read once.
    pub stem: Vec<Label>,
    /// What is read forever; never empty.
    pub cycle: Vec<Label>,
}

/// Words that the automaton accepts; none if it accepts nothing.
///
/// The stem is as short as one to an accepting component can be; the cycle goes from mark to
/// nearest mark.
pub fn accepted_word(automaton: &Automaton) -> Option<AcceptedWord> {
    let components = Components::of(automaton);
    let accepts = |state: usize| components.is_accepting[components.of_state[state]];
    let start = automaton.initial().iter().copied().find(|&state| accepts(state));
    let (stem, start) = match start {
        Some(start) => (Vec::new(), start),
        None => {
            let stem = path(automaton, automaton.initial(), |_| true, |edge| accepts(edge.to))?;
            let start = stem.last()?.to;
            (stem, start)
        }
    };

    let home = components.of_state[start];
    let stays = |edge: &Edge| components.of_state[edge.to] == home;
    let mut cycle: Vec<&Edge> = Vec::new();
    let mut here = start;
    let mut missing: FxHashSet<u32> = (0..automaton.mark_count()).collect();
    while !missing.is_empty() {
        let more =
            path(automaton, &[here], stays, |edge| edge.marks.iter().any(|mark| missing.contains(&mark)))
                .expect("an accepting component has all marks");
        for edge in &more {
            edge.marks.iter().for_each(|mark| _ = missing.remove(&mark));
            here = edge.to;
        }
        cycle.extend(more);
    }
    if here != start || cycle.is_empty() {
        let back = path(automaton, &[here], stays, |edge| edge.to == start);
        cycle.extend(back.expect("a component is strongly connected"));
    }
    let labels = |edges: Vec<&Edge>| edges.into_iter().map(|edge| edge.label.clone()).collect();
    Some(AcceptedWord { stem: labels(stem), cycle: labels(cycle) })
}

/// Whether some infinite word satisfies the path formula.
///
/// # Panics
/// As [`crate::translate`].
pub fn is_satisfiable(formula: &Formula<u32>, budget: &Budget) -> Result<bool, Interrupted> {
    let automaton = construct(formula, &mut Meter::new(budget.clone()))?;
    // All states are reached: they are made from the initial one.
    Ok(Components::of(&automaton).is_accepting.contains(&true))
}

/// A shortest path of at least one edge from one of these states, along edges that may be used, to
/// one that ends it.
fn path<'a>(
    automaton: &'a Automaton,
    from: &[usize],
    may_use: impl Fn(&Edge) -> bool,
    ends: impl Fn(&Edge) -> bool,
) -> Option<Vec<&'a Edge>> {
    let mut came_by: FxHashMap<usize, Option<&Edge>> = from.iter().map(|&state| (state, None)).collect();
    let mut waiting: VecDeque<usize> = from.iter().copied().collect();
    while let Some(state) = waiting.pop_front() {
        for edge in automaton.edges_from(state).iter().filter(|edge| may_use(edge)) {
            if ends(edge) {
                let mut edges = vec![edge];
                let mut place = state;
                while let Some(edge) = came_by[&place] {
                    edges.push(edge);
                    place = edge.from;
                }
                edges.reverse();
                return Some(edges);
            }
            came_by.entry(edge.to).or_insert_with(|| {
                waiting.push_back(edge.to);
                Some(edge)
            });
        }
    }
    None
}
