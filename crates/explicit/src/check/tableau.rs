//! The tableau: every path formula, by guessing what it says and keeping the guesses that come true
//! (Lichtenstein and Pnueli, POPL 1985).
//!
//! A node of the tableau is a state together with a guess: one bit for each temporal member of the
//! formula, whether it holds on the path from here. An edge leads from one node to another if their
//! states are one step apart and the first guess follows from the second, by the expansion laws of
//! `path_formula.rs`. Since it follows, each node has exactly one node before it for each step into
//! its state: the tableau is built backwards. Along an infinite walk all guesses are right if none
//! puts off forever what it promises, and such walks end in a strongly connected component in
//! which each temporal member is settled somewhere. A path that ends needs no guessing: what holds
//! on it is computed from its end, backwards.
//!
//! We deviate from the paper in guessing temporal members instead of maximal consistent sets.
//! Guesses that contradict themselves follow from nothing, hence lie on no cycle and reach none.

use super::structure::Structure;
use super::{Labels, label};
use crate::digraph::Digraph;
use crate::explore::Charge;
use crate::path_formula::PathFormula;
use crate::{Reason, Truth};
use std::collections::BTreeSet;
use symbolon_budget::Meter;
use symbolon_logic::FormulaId;

/// The states from which some fair path has `wanted` said about `formula`.
pub(super) fn some_path(
    structure: &Structure,
    labels: &Labels,
    formula: &PathFormula,
    wanted: impl Fn(Truth) -> bool,
    meter: &mut Meter,
) -> Result<Vec<bool>, Reason> {
    let mut found = some_infinite_path(structure, labels, formula, &wanted, meter)?;
    add_paths_that_end(structure, labels, formula, &wanted, &mut found, meter)?;
    Ok(found)
}

/// The states from which some infinite fair path has `wanted` said about `formula`.
fn some_infinite_path(
    structure: &Structure,
    labels: &Labels,
    formula: &PathFormula,
    wanted: &impl Fn(Truth) -> bool,
    meter: &mut Meter,
) -> Result<Vec<bool>, Reason> {
    // The numbers of nodes are 32 bits wide.
    let bit_count = formula.temporal_count();
    let guesses = u32::try_from(bit_count).ok().and_then(|count| 1_usize.checked_shl(count));
    let node_count = guesses.and_then(|guesses| guesses.checked_mul(structure.state_count()));
    let Some((guesses, node_count)) = guesses.zip(node_count).filter(|&(_, nodes)| nodes < u32::MAX as usize)
    else {
        return Err(Reason::FormulaTooLarge);
    };
    let edge_count = guesses * structure.edge_count();
    let mut charge = Charge { bytes: 0, budget: meter.budget().clone() };
    charge.add(Digraph::bytes(node_count, edge_count))?;
    // What the search for components needs, one set for each temporal member and constraint, and a
    // few more.
    charge.add((node_count * (40 + bit_count + structure.constraints().len())) as u64)?;

    // Built backwards: the edges of a node lead to the nodes before it.
    let mut before = Digraph::with_capacity(node_count, edge_count);
    let mut is_wanted = Vec::with_capacity(node_count);
    let mut met: Vec<Vec<bool>> = vec![Vec::with_capacity(node_count); bit_count];
    let (mut here, mut earlier) = (Vec::new(), Vec::new());
    for state in 0..structure.state_count() {
        for guess in 0..guesses {
            formula.guessed(holds_in(labels, state), guess as u64, &mut here);
            for from in structure.predecessors(state) {
                meter.step()?;
                formula.before(holds_in(labels, from), Some(&here), &mut earlier);
                before.push_edge(from * guesses + formula.bits(&earlier) as usize);
            }
            before.push_node();
            is_wanted.push(here.last().is_some_and(|&truth| wanted(truth)));
            met.iter_mut().zip(formula.is_settled(&here)).for_each(|(met, settled)| met.push(settled));
        }
    }
    for constraint in structure.constraints() {
        met.push((0..node_count).map(|node| constraint[node / guesses]).collect());
    }

    let on_good_cycles = before.on_cycles_through(&met, meter)?;
    let comes_true = before.reachable(on_good_cycles, |_| true, meter)?;
    let is_found = |state: usize| {
        (state * guesses..(state + 1) * guesses).any(|node| comes_true[node] && is_wanted[node])
    };
    Ok((0..structure.state_count()).map(is_found).collect())
}

/// Adds to `found` the states from which some path that ends has `wanted` said about `formula`.
fn add_paths_that_end(
    structure: &Structure,
    labels: &Labels,
    formula: &PathFormula,
    wanted: &impl Fn(Truth) -> bool,
    found: &mut [bool],
    meter: &mut Meter,
) -> Result<(), Reason> {
    // What is said at a state, by some path from there that ends; each once.
    let mut seen: BTreeSet<(usize, Vec<(bool, bool)>)> = BTreeSet::new();
    let mut charge = Charge { bytes: 0, budget: meter.budget().clone() };
    let mut open: Vec<(usize, Vec<Truth>)> = Vec::new();
    let mut add = |state: usize, here: &[Truth], open: &mut Vec<(usize, Vec<Truth>)>| -> Result<(), Reason> {
        let key = here.iter().map(|truth| (truth.holds, truth.fails)).collect();
        if seen.insert((state, key)) {
            charge.add(64 + 4 * formula.members().len() as u64)?;
            open.push((state, here.to_vec()));
        }
        Ok(())
    };
    let mut earlier = Vec::new();
    for state in (0..structure.state_count()).filter(|&state| structure.may_end(state)) {
        formula.before(holds_in(labels, state), None, &mut earlier);
        add(state, &earlier, &mut open)?;
    }
    while let Some((state, here)) = open.pop() {
        found[state] |= here.last().is_some_and(|&truth| wanted(truth));
        for from in structure.predecessors(state) {
            meter.step()?;
            formula.before(holds_in(labels, from), Some(&here), &mut earlier);
            add(from, &earlier, &mut open)?;
        }
    }
    Ok(())
}

/// The state formulas that hold in a state.
fn holds_in(labels: &Labels, state: usize) -> impl Fn(FormulaId) -> bool + '_ {
    move |id| label(labels, id)[state]
}
