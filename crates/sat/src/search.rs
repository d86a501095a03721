//! Bounded search: can a state be reached within a number of steps?
//!
//! The bounds are tried one after the other, from 0 on, with one solver that keeps what it has
//! learnt. "The last state is looked for" stands under a literal of its own for each bound: assumed
//! for one question, made false for good once the answer was no. So the first bound with an answer
//! is the least, without a further question.

use crate::error::{Error, Stopped};
use crate::goal::Goal;
use crate::run::Run;
use crate::solver::{Answer, Batsat, Effort, Minimisation, Solver, SolverName};
use crate::unrolling::{NormalForms, Semantics, Unrolling};
use crate::{ClauseList, Literal};
use symbolon_budget::{Budget, Interrupted};
use symbolon_explicit::{replay_each, replay_joint};
use symbolon_model::Model;

/// How a search is done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// What a step is.
    pub semantics: Semantics,
    /// The largest number of steps that is tried; `None` goes on forever.
    pub bound: Option<usize>,
    /// Whether runs are brought into a normal form.
    pub normal_forms: NormalForms,
    /// Which solver is asked.
    pub solver: SolverName,
    /// How the solver shortens what it learns.
    pub minimisation: Minimisation,
}

/// What a search found, and what it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What was found.
    pub outcome: Outcome,
    /// The work of the solver.
    pub effort: Effort,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Such a state can be reached.
    Found(Found),
    /// Not within this many steps.
    NoneWithin(usize),
    /// Not at all.
    Unreachable(Proof),
}

/// A run to a state that was looked for. It was replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The run.
    pub run: Run,
    /// The number of steps, in the semantics that was asked for: the least one.
    pub steps: usize,
    /// Whether no run with fewer events leads to such a state.
    pub is_shortest: bool,
}

/// Why a state cannot be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// No run has this many steps, and all shorter ones were examined.
    RunsEnd {
        /// The number of steps.
        steps: usize,
    },
    /// By induction: no run of this many steps that avoids such states leads to one.
    Induction {
        /// The number of steps.
        depth: usize,
    },
}

/// Looks for a state within a bound, with a solver that is built in.
pub fn search(model: &Model, goal: &Goal, options: &Options, budget: &Budget) -> Result<Report, Stopped> {
    match options.solver {
        SolverName::Batsat => {
            search_with(model, goal, options, Batsat::new(options.minimisation, budget), budget)
        }
        #[cfg(feature = "cadical")]
        SolverName::Cadical => search_with(model, goal, options, crate::Cadical::new(budget), budget),
        #[cfg(not(feature = "cadical"))]
        SolverName::Cadical => Err(Stopped { error: Error::NotBuiltIn(options.solver), clear: 0 }),
    }
}

/// Looks for a state within a bound, with any solver; it must have no variables yet.
pub fn search_with<S: Solver>(
    model: &Model,
    goal: &Goal,
    options: &Options,
    solver: S,
    budget: &Budget,
) -> Result<Report, Stopped> {
    let mut search =
        Search::new(model, goal, options, solver, budget).map_err(|error| Stopped { error, clear: 0 })?;
    loop {
        let clear = search.run.length();
        let stopped = |error| Stopped { error, clear };
        if let Some(outcome) = search.look().map_err(stopped)? {
            return Ok(Report { outcome, effort: search.effort() });
        }
        if options.bound.is_some_and(|bound| clear >= bound) {
            return Ok(Report { outcome: Outcome::NoneWithin(clear), effort: search.effort() });
        }
        let clear = clear + 1;
        search.run.add_step().map_err(|error| Stopped { error, clear })?;
    }
}

/// A search that grows by one step at a time.
pub(crate) struct Search<'m, S> {
    model: &'m Model,
    goal: &'m Goal,
    semantics: Semantics,
    pub(crate) run: Unrolling<'m, S>,
    budget: Budget,
}

impl<'m, S: Solver> Search<'m, S> {
    pub(crate) fn new(
        model: &'m Model,
        goal: &'m Goal,
        options: &Options,
        solver: S,
        budget: &Budget,
    ) -> Result<Self, Error> {
        let run = Unrolling::from_initial(model, options.semantics, options.normal_forms, solver, budget)?;
        Ok(Search { model, goal, semantics: options.semantics, run, budget: budget.clone() })
    }

    pub(crate) fn effort(&self) -> Effort {
        self.run.circuit.clauses.effort()
    }

    /// Looks at the runs of the length that was reached; all shorter ones were looked at before.
    pub(crate) fn look(&mut self) -> Result<Option<Outcome>, Error> {
        let steps = self.run.length();
        self.budget.progress().report(steps as u64, self.effort().conflicts);
        let is_looked_for = self.run.circuit.fresh();
        self.goal.demand(&mut self.run, is_looked_for)?;
        match self.run.circuit.clauses.solve(&[is_looked_for])? {
            Answer::Solution => return self.replayed().map(Some),
            Answer::None => return Ok(Some(Outcome::Unreachable(Proof::RunsEnd { steps }))),
            Answer::NoneAssumed => self.run.circuit.clause(&[!is_looked_for]),
        }
        let overflow = self.run.overflow()?;
        if overflow != Literal::FALSE {
            if self.run.circuit.clauses.solve(&[overflow])? == Answer::Solution {
                return Err(Interrupted::Overflow.into());
            }
            self.run.circuit.clause(&[!overflow]);
        }
        Ok(None)
    }

    /// The run that the solver found, walked by the explicit simulator.
    fn replayed(&self) -> Result<Outcome, Error> {
        let run = self.run.found();
        let last = match &run {
            Run::Events(trace) => replay_each(self.model, trace, |_, _, _| {}).map_err(Error::NoReplay)?,
            Run::Joint(trace) => {
                replay_joint(self.model, trace).map_err(Error::NoReplay)?;
                trace.last().clone()
            }
        };
        if !self.goal.contains(self.model, &last) {
            return Err(Error::WrongEnd);
        }
        let steps = self.run.length();
        let is_shortest = self.semantics == Semantics::Interleaving
            || self.model.is_synchronous()
            || run.event_count() <= 1;
        Ok(Outcome::Found(Found { run, steps, is_shortest }))
    }
}

/// The question for exactly this many steps as a formula, for a solver outside this program. If no
/// such state is reached in fewer steps, the formula has a solution if and only if one is reached
/// in this many.
pub fn formula(
    model: &Model,
    goal: &Goal,
    options: &Options,
    steps: usize,
    budget: &Budget,
) -> Result<ClauseList, Error> {
    let clauses = ClauseList::default();
    let mut run = Unrolling::from_initial(model, options.semantics, options.normal_forms, clauses, budget)?;
    for _ in 0..steps {
        run.add_step()?;
    }
    goal.demand(&mut run, Literal::TRUE)?;
    Ok(run.circuit.clauses)
}
