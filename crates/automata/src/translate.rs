//! From a path formula to an automaton.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_logic::Formula;

use crate::automaton::{Automaton, Edge};
use crate::cover::{Covers, Move};
use crate::label::Marks;
use crate::normalise::normalise;
use crate::reduce::reduce_metered;
use crate::terms::{TermId, Terms};

/// An automaton that accepts exactly the infinite words that satisfy the path formula: a word gives
/// each proposition a truth value at each moment, and time goes on forever.
///
/// # Panics
/// If there is a quantifier, a knowledge or strategy operator, or `deadlock` in the formula;
/// `path_formula` makes propositions of them.
pub fn translate(formula: &Formula<u32>, budget: &Budget) -> Result<Automaton, Interrupted> {
    let mut meter = Meter::new(budget.clone());
    let automaton = construct(formula, &mut meter)?;
    reduce_metered(&automaton, &mut meter)
}

/// The automaton before it is made smaller.
pub(crate) fn construct(formula: &Formula<u32>, meter: &mut Meter) -> Result<Automaton, Interrupted> {
    let mut terms = Terms::new();
    let term = normalise(&mut terms, formula, meter)?;
    let proposition_count = formula.atoms().map(|&proposition| proposition + 1).max().unwrap_or(0);

    let mut states = States::default();
    let initial = states.state_of(&terms, &terms.conjuncts(term), meter)?;
    let mut edges = Vec::new();
    let mut promises: FxHashMap<TermId, u32> = FxHashMap::default();
    let mut state = 0;
    while state < states.covers.len() {
        for m in Rc::clone(&states.covers[state]).iter() {
            meter.step()?;
            for &promise in &m.promises {
                let number = promises.len() as u32;
                promises.entry(promise).or_insert(number);
            }
            if let Some(to) = states.state_of(&terms, &m.next, meter)? {
                edges.push((state, to, m.clone()));
            }
        }
        state += 1;
    }
    let mark_count = promises.len() as u32;
    let edges = edges.into_iter().map(|(from, to, m)| {
        let put_off: Vec<u32> = m.promises.iter().map(|promise| promises[promise]).collect();
        let marks: Marks = (0..mark_count).filter(|mark| !put_off.contains(mark)).collect();
        Edge { from, to, label: m.label, marks }
    });
    let initial = initial.into_iter().collect();
    Ok(Automaton::new(states.covers.len(), proposition_count, mark_count, initial, edges.collect()))
}

/// The states met so far. A state is a set of moves: sets of obligations with the same moves are
/// the same state.
#[derive(Debug, Default)]
struct States {
    moves_of: Covers,
    covers: Vec<Rc<[Move]>>,
    by_cover: FxHashMap<Rc<[Move]>, usize>,
    by_obligations: FxHashMap<Box<[TermId]>, Option<usize>>,
}

impl States {
    /// The state in which all of these are to be satisfied; none if that is impossible.
    fn state_of(
        &mut self,
        terms: &Terms,
        obligations: &[TermId],
        meter: &mut Meter,
    ) -> Result<Option<usize>, Interrupted> {
        if let Some(&known) = self.by_obligations.get(obligations) {
            return Ok(known);
        }
        let cover = self.moves_of.of_all(terms, obligations, meter)?;
        let state = if cover.is_empty() {
            None
        } else {
            let count = self.covers.len();
            let state = *self.by_cover.entry(Rc::clone(&cover)).or_insert(count);
            if state == count {
                self.covers.push(cover);
            }
            Some(state)
        };
        self.by_obligations.insert(obligations.into(), state);
        Ok(state)
    }
}
