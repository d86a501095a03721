//! Proofs without a bound, by induction over the length of runs.
//!
//! A state that is looked for and can be reached has a shortest run to it. If that run has at least
//! k steps, its last k steps form a run of k events through states that are not looked for, that
//! are all distinct, and that satisfy the facts of the model. Where the solver shows that there is
//! no such run from *any* state, and none of fewer steps from an initial state, no such state can
//! be reached (M. Sheeran, S. Singh, G. Stålmarck, FMCAD 2000). The commuting order may be demanded
//! here too: of all shortest runs to the state the least is in it, and so is every end of it.
//!
//! That states are distinct is demanded only of pairs that some solution made equal (N. Eén, N.
//! Sörensson, BMC 2003).

use crate::Literal;
use crate::error::{Error, Stopped};
use crate::goal::Goal;
use crate::number::Number;
use crate::search::{Options, Outcome, Proof, Report, Search};
use crate::solver::{Answer, Batsat, Solver, SolverName};
use crate::unrolling::{Semantics, Unrolling};
use symbolon_budget::Budget;
use symbolon_model::Model;

/// Shows that no state that is looked for can be reached, or finds a shortest run to one, with a
/// solver that is built in. Of `options` the semantics is not looked at: one event makes a step
/// here.
pub fn prove(model: &Model, goal: &Goal, options: &Options, budget: &Budget) -> Result<Report, Stopped> {
    match options.solver {
        SolverName::Batsat => {
            let solver = || Batsat::new(options.minimisation, budget);
            prove_with(model, goal, options, solver(), solver(), budget)
        }
        #[cfg(feature = "cadical")]
        SolverName::Cadical => {
            let solver = || crate::Cadical::new(budget);
            prove_with(model, goal, options, solver(), solver(), budget)
        }
        #[cfg(not(feature = "cadical"))]
        SolverName::Cadical => Err(Stopped { error: Error::NotBuiltIn(options.solver), clear: 0 }),
    }
}

/// The same with any solver; the two must have no variables yet.
pub fn prove_with<S: Solver>(
    model: &Model,
    goal: &Goal,
    options: &Options,
    forward: S,
    anywhere: S,
    budget: &Budget,
) -> Result<Report, Stopped> {
    let options = Options { semantics: Semantics::Interleaving, ..*options };
    let at_start = |error| Stopped { error, clear: 0 };
    let mut search = Search::new(model, goal, &options, forward, budget).map_err(at_start)?;
    let mut induction = Induction::new(model, goal, anywhere, budget).map_err(at_start)?;
    loop {
        let clear = search.run.length();
        let report = |outcome, search: &Search<'_, S>, induction: &Induction<'_, S>| {
            let (mut effort, other) = (search.effort(), induction.run.circuit.clauses.effort());
            effort.variables += other.variables;
            effort.clauses += other.clauses;
            effort.conflicts += other.conflicts;
            effort.fresh_starts += other.fresh_starts;
            Report { outcome, effort }
        };
        if let Some(outcome) = search.look().map_err(|error| Stopped { error, clear })? {
            return Ok(report(outcome, &search, &induction));
        }
        let stopped = |error| Stopped { error, clear: clear + 1 };
        if induction.holds().map_err(stopped)? {
            let outcome = Outcome::Unreachable(Proof::Induction { depth: clear });
            return Ok(report(outcome, &search, &induction));
        }
        if options.bound.is_some_and(|bound| clear >= bound) {
            return Ok(report(Outcome::NoneWithin(clear), &search, &induction));
        }
        search.run.add_step().map_err(stopped)?;
        induction.add_step().map_err(stopped)?;
    }
}

/// Runs from anywhere through states that are not looked for.
struct Induction<'m, S> {
    goal: &'m Goal,
    run: Unrolling<'m, S>,
    states: Vec<Vec<Number>>,
    /// Whether an event leaves the range of values in the last state.
    overflow: Literal,
}

impl<'m, S: Solver> Induction<'m, S> {
    fn new(model: &'m Model, goal: &'m Goal, solver: S, budget: &Budget) -> Result<Self, Error> {
        let run = Unrolling::from_anywhere(model, solver, budget)?;
        Ok(Induction { goal, states: vec![run.state.clone()], run, overflow: Literal::FALSE })
    }

    /// Whether no run ends in a state that is looked for, or that overflows: what was shown of
    /// initial runs is both.
    fn holds(&mut self) -> Result<bool, Error> {
        let ends = self.run.circuit.fresh();
        self.goal.demand(&mut self.run, ends)?;
        self.overflow = self.run.overflow()?;
        let holds =
            self.has_no_run(ends)? && (self.overflow == Literal::FALSE || self.has_no_run(self.overflow)?);
        self.run.circuit.clause(&[!ends]);
        Ok(holds)
    }

    /// Whether no run through distinct states has `assumption`.
    fn has_no_run(&mut self, assumption: Literal) -> Result<bool, Error> {
        while self.run.circuit.clauses.solve(&[assumption])? == Answer::Solution {
            let values: Vec<Vec<u64>> = self.states.iter().map(|state| self.run.values(state)).collect();
            let mut has_equal = false;
            for (index, later) in values.iter().enumerate() {
                for earlier in (0..index).filter(|&earlier| values[earlier] == *later) {
                    has_equal = true;
                    self.demand_distinct(earlier, index);
                }
            }
            if !has_equal {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn demand_distinct(&mut self, earlier: usize, later: usize) {
        let pairs = self.states[earlier].iter().zip(&self.states[later]);
        let circuit = &mut self.run.circuit;
        let differences: Vec<Literal> = pairs.map(|(a, b)| !circuit.same_number(a, b)).collect();
        circuit.clause(&differences);
    }

    /// Goes on from states that are not looked for and do not overflow.
    fn add_step(&mut self) -> Result<(), Error> {
        self.goal.forbid(&mut self.run)?;
        self.run.circuit.clause(&[!self.overflow]);
        self.run.add_step()?;
        self.states.push(self.run.state.clone());
        Ok(())
    }
}
