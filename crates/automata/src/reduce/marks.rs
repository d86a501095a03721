//! Marks that say nothing go, and each component numbers its own from 0.
//!
//! A run ends up in one component, so marks matter inside accepting components alone, and marks of
//! different components may share a number. Inside a component, a mark is needless if who avoids it
//! cannot collect the others.

use symbolon_budget::{Interrupted, Meter};

use crate::automaton::{Automaton, Edge};
use crate::components::Components;
use crate::label::Marks;

/// The same automaton with fewer marks, and with marks where they matter alone.
pub(crate) fn remove_needless_marks(
    automaton: &Automaton,
    meter: &mut Meter,
) -> Result<Automaton, Interrupted> {
    let components = Components::of(automaton);
    let mut inside: Vec<Vec<Edge>> = vec![Vec::new(); components.is_accepting.len()];
    for edge in automaton.edges() {
        if components.of_state[edge.from] == components.of_state[edge.to] {
            inside[components.of_state[edge.from]].push(edge.clone());
        }
    }
    let mut needed: Vec<Vec<u32>> = Vec::with_capacity(inside.len());
    for (edges, &is_accepting) in inside.iter().zip(&components.is_accepting) {
        needed.push(if is_accepting { needed_marks(automaton, edges, meter)? } else { Vec::new() });
    }
    // Without any mark every run would accept, also one that stays where none may.
    let must_tell =
        inside.iter().zip(&components.is_accepting).any(|(edges, &accepts)| !accepts && !edges.is_empty());
    let most = needed.iter().map(Vec::len).max().unwrap_or(0).max(usize::from(must_tell)) as u32;

    let edges = automaton.edges().iter().map(|edge| {
        let component = components.of_state[edge.from];
        let stays = component == components.of_state[edge.to];
        let marks: Marks = if stays && components.is_accepting[component] {
            let needed = &needed[component];
            let own =
                (0..).zip(needed).filter(|&(_, &mark)| edge.marks.contains(mark)).map(|(number, _)| number);
            // Numbers that this component does not need are carried everywhere in it.
            own.chain(needed.len() as u32..most).collect()
        } else {
            Marks::default()
        };
        Edge { marks, ..edge.clone() }
    });
    let edges = edges.collect();
    Ok(automaton.with_parts(automaton.state_count(), most, automaton.initial().to_vec(), edges))
}

/// The marks of a component that are not needless; `edges` are those inside it.
fn needed_marks(automaton: &Automaton, edges: &[Edge], meter: &mut Meter) -> Result<Vec<u32>, Interrupted> {
    let mut needed: Vec<u32> = (0..automaton.mark_count()).collect();
    for mark in 0..automaton.mark_count() {
        let others: Vec<u32> = needed.iter().copied().filter(|&other| other != mark).collect();
        let mut without = Vec::new();
        for edge in edges {
            meter.step()?;
            if !edge.marks.contains(mark) {
                let marks = (0..).zip(&others).filter(|&(_, &other)| edge.marks.contains(other));
                without.push(Edge { marks: marks.map(|(number, _)| number).collect(), ..edge.clone() });
            }
        }
        let avoiding =
            automaton.with_parts(automaton.state_count(), others.len() as u32, Vec::new(), without);
        if !Components::of(&avoiding).is_accepting.contains(&true) {
            needed = others;
        }
    }
    Ok(needed)
}
