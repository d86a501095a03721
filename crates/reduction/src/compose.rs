//! One reduction after another.

use crate::Reduction;
use crate::lift::{Lift, LiftedRun, NoLift};
use crate::preserves::{Atoms, Claim, Preserves, Scope};
use crate::read_formula::read_atom;
use crate::weigh::Weigh;
use num_bigint::BigUint;
use std::sync::Arc;
use symbolon_model::{Atom, EventId, Linear, State, Trace, VariableId};

impl<T> Reduction<T> {
    /// `next`, a reduction of this result, as a reduction of the original.
    ///
    /// A claim is made for the atoms for which both make it. Counts are exact only if the weight of
    /// an intermediate state is the same for all that a state of the last result stands for, which
    /// is sure if one of the two is one to one; otherwise they are not claimed.
    pub fn then<U>(&self, next: Reduction<U>) -> Reduction<U> {
        let weigh = Composed {
            first: Arc::clone(&self.weigh),
            second: Arc::clone(&next.weigh),
            lift: Arc::clone(&next.lift),
        };
        let mut preserves = Preserves::nothing();
        for (claim, atoms) in self.preserves.iter() {
            let exact = match claim {
                Claim::StateCount => weigh.first.is_one_to_one() || weigh.second.is_one_to_one(),
                Claim::EdgeCount => weigh.second.is_one_to_one() || weigh.first.counts_events(),
                _ => true,
            };
            if exact && let Some((_, later)) = next.preserves.iter().find(|(other, _)| *other == claim) {
                preserves = preserves.and(claim, pulled_back(&*weigh.first, atoms, later));
            }
        }
        let lift = Chained { first: Arc::clone(&self.lift), second: next.lift };
        Reduction { result: next.result, preserves, lift: Arc::new(lift), weigh: Arc::new(weigh) }
    }
}

/// The atoms of `atoms` that read, in the intermediate result, as atoms of `later`.
fn pulled_back(first: &dyn Weigh, atoms: &Atoms, later: &Atoms) -> Atoms {
    let variable_reads = |variable: VariableId| {
        let read = first.sum(&Linear::variable(variable));
        read.is_some_and(|sum| sum.terms.iter().all(|&(variable, _)| later.variables.contains(variable)))
    };
    let event_reads = |event: EventId| match first.fireable(event) {
        Some(Atom::Fireable(events)) => events.iter().all(|&event| later.events.contains(event)),
        Some(Atom::Holds(condition)) => {
            let mut variables = Vec::new();
            condition.collect_variables(&mut variables);
            variables.iter().all(|&variable| later.variables.contains(variable))
        }
        None => false,
    };
    let is_free = later.variables == Scope::All && later.events == Scope::All;
    let variables = (0..first.variable_count() as u32).map(VariableId);
    let events = (0..first.event_count() as u32).map(EventId);
    Atoms {
        variables: match is_free {
            true => atoms.variables.clone(),
            false => {
                Scope::Only(variables.filter(|&v| atoms.variables.contains(v) && variable_reads(v)).collect())
            }
        },
        events: match is_free {
            true => atoms.events.clone(),
            false => Scope::Only(events.filter(|&e| atoms.events.contains(e) && event_reads(e)).collect()),
        },
        deadlock: atoms.deadlock && later.deadlock,
    }
}

#[derive(Debug)]
struct Chained {
    first: Arc<dyn Lift>,
    second: Arc<dyn Lift>,
}

impl Lift for Chained {
    fn state(&self, state: &[u64]) -> State {
        self.first.state(&self.second.state(state))
    }

    fn run(&self, run: &Trace) -> Result<LiftedRun, NoLift> {
        let middle = self.second.run(run)?;
        let LiftedRun { run, positions } = self.first.run(&middle.run)?;
        let positions = middle.positions.iter().map(|&position| positions[position]).collect();
        Ok(LiftedRun { run, positions })
    }

    fn lasso(&self, run: &Trace, loop_start: usize) -> Result<(Trace, usize), NoLift> {
        let (middle, loop_start) = self.second.lasso(run, loop_start)?;
        self.first.lasso(&middle, loop_start)
    }
}

#[derive(Debug)]
struct Composed {
    first: Arc<dyn Weigh>,
    second: Arc<dyn Weigh>,
    /// From the last result to the intermediate one.
    lift: Arc<dyn Lift>,
}

impl Composed {
    /// Whether an event of the intermediate result is enabled where `state` of the last one stands.
    fn is_enabled(&self, event: EventId, state: &[u64], is_enabled: &dyn Fn(EventId) -> bool) -> bool {
        match self.second.fireable(event) {
            Some(Atom::Fireable(events)) => events.iter().any(|&event| is_enabled(event)),
            Some(Atom::Holds(condition)) => condition.holds(state) == Some(true),
            None => false,
        }
    }
}

impl Weigh for Composed {
    fn variable_count(&self) -> usize {
        self.first.variable_count()
    }

    fn event_count(&self) -> usize {
        self.first.event_count()
    }

    fn is_one_to_one(&self) -> bool {
        self.first.is_one_to_one() && self.second.is_one_to_one()
    }

    fn states(&self, state: &[u64]) -> BigUint {
        self.second.states(state) * self.first.states(&self.lift.state(state))
    }

    fn edges(&self, state: &[u64], is_enabled: &dyn Fn(EventId) -> bool) -> BigUint {
        if self.first.counts_events() {
            return self.second.edges(state, is_enabled);
        }
        let is_enabled_before = |event: EventId| self.is_enabled(event, state, is_enabled);
        self.second.states(state) * self.first.edges(&self.lift.state(state), &is_enabled_before)
    }

    fn counts_events(&self) -> bool {
        self.first.counts_events() && self.second.counts_events()
    }

    fn sum(&self, sum: &Linear) -> Option<Linear> {
        self.second.sum(&self.first.sum(sum)?)
    }

    fn fireable(&self, event: EventId) -> Option<Atom> {
        read_atom(&*self.second, &self.first.fireable(event)?)
    }
}

#[cfg(test)]
mod tests;
