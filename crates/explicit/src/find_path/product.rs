//! The product of a model and an automaton, made as it is walked.

use crate::explore::Charge;
use crate::state_formula::{AtomWithoutValue, StateFormulas};
use crate::table::StateTable;
use crate::{Options, Reason, Truth};
use symbolon_automata::{Automaton, Edge};
use symbolon_budget::{Budget, Meter};
use symbolon_logic::Paths;
use symbolon_model::{EventId, Model, OutOfRange, State};

/// A state of the model by number, and a state of the automaton.
pub(super) type Pair = (u32, u32);

/// A step of the product.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<'a> {
    /// What happens in the model; `None` if it stays in a dead state.
    pub(super) event: Option<EventId>,
    /// Where it leads.
    pub(super) to: Pair,
    /// What the automaton does.
    pub(super) edge: &'a Edge,
}

/// Which step of a pair comes next: a step of its state and an edge of its automaton state.
pub(super) type Cursor = (usize, usize);

/// A product, as far as it was seen.
#[derive(Debug)]
pub(super) struct Product<'a> {
    model: &'a Model,
    automaton: &'a Automaton,
    propositions: StateFormulas<'a>,
    paths: Paths,
    state_limit: Option<usize>,
    states: StateTable,
    /// What is known of each state; `None` until a pair with it is left for the first time.
    known: Vec<Option<Known>>,
    charge: Charge,
}

/// What is known of a state.
#[derive(Debug)]
struct Known {
    /// Which propositions hold.
    truths: Box<[bool]>,
    /// What can happen, and where it leads.
    steps: Box<[(Option<EventId>, u32)]>,
}

impl<'a> Product<'a> {
    /// A product of which nothing was seen.
    pub(super) fn new(
        model: &'a Model,
        automaton: &'a Automaton,
        propositions: StateFormulas<'a>,
        paths: Paths,
        options: &Options,
        budget: &Budget,
    ) -> Product<'a> {
        Product {
            model,
            automaton,
            propositions,
            paths,
            state_limit: options.state_limit,
            states: StateTable::new(model.variables.len(), budget),
            known: Vec::new(),
            charge: Charge { bytes: 0, budget: budget.clone() },
        }
    }

    /// The number of states of the model that were seen.
    pub(super) fn state_count(&self) -> usize {
        self.states.count()
    }

    /// The number of marks that a cycle must carry.
    pub(super) fn mark_count(&self) -> u32 {
        self.automaton.mark_count()
    }

    /// Where runs begin.
    pub(super) fn initial(&mut self) -> Result<Vec<Pair>, Reason> {
        let mut pairs = Vec::new();
        for state in &self.model.initial {
            let number = self.add(state)?;
            pairs.extend(self.automaton.initial().iter().map(|&initial| (number, initial as u32)));
        }
        Ok(pairs)
    }

    /// The state with this number.
    pub(super) fn state(&self, number: u32) -> State {
        let mut state = vec![0; self.model.variables.len()];
        self.states.read(number as usize, &mut state);
        state.into()
    }

    /// The next step of `pair` from `cursor` on, which is moved behind it.
    pub(super) fn next_step(
        &mut self,
        pair: Pair,
        cursor: &mut Cursor,
        meter: &mut Meter,
    ) -> Result<Option<Step<'a>>, Reason> {
        self.look_at(pair.0, meter)?;
        let known = self.known[pair.0 as usize].as_ref().expect("it was just looked at");
        let automaton = self.automaton;
        let edges = automaton.edges_from(pair.1 as usize);
        while let Some(edge) = edges.get(cursor.1) {
            meter.step()?;
            let is_open = edge.label.is_satisfied(|proposition| known.truths[proposition as usize]);
            if let (true, Some(&(event, to))) = (is_open, known.steps.get(cursor.0)) {
                cursor.0 += 1;
                return Ok(Some(Step { event, to: (to, edge.to as u32), edge }));
            }
            *cursor = (0, cursor.1 + 1);
        }
        Ok(None)
    }

    /// Finds out what can happen in a state, and which propositions hold there.
    fn look_at(&mut self, number: u32, meter: &mut Meter) -> Result<(), Reason> {
        if self.known[number as usize].is_some() {
            return Ok(());
        }
        let state = self.state(number);
        // Without quantifiers, nothing is unknown.
        let truths = self.propositions.truths(&state, |_| Truth::default());
        let truths = truths.map_err(|AtomWithoutValue| Reason::AtomWithoutValue)?;
        let truths: Box<[bool]> = truths.iter().map(|truth| truth.holds).collect();
        let mut steps = Vec::new();
        for event in self.model.event_ids() {
            meter.step()?;
            match self.model.event(event).fire(&state) {
                Ok(None) => {}
                Ok(Some(next)) => steps.push((Some(event), self.add(&next)?)),
                Err(OutOfRange(variable)) => return Err(Reason::Overflow { event, variable }),
            }
        }
        if steps.is_empty() && self.paths != Paths::Infinite {
            steps.push((None, number));
        }
        self.charge.add((truths.len() + steps.len() * size_of::<(Option<EventId>, u32)>()) as u64)?;
        self.known[number as usize] = Some(Known { truths, steps: steps.into() });
        Ok(())
    }

    /// The number of a state, which need not have been seen before.
    fn add(&mut self, state: &[u64]) -> Result<u32, Reason> {
        let (number, is_new) = self.states.insert(state)?;
        if is_new {
            if self.state_limit.is_some_and(|limit| number >= limit) {
                return Err(Reason::StateLimit);
            }
            self.charge.add(size_of::<Option<Known>>() as u64)?;
            self.known.push(None);
        }
        Ok(number as u32)
    }
}
