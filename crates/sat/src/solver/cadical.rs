//! CaDiCaL, a solver written in C++, where the program was built with the feature `cadical`.
//!
//! It is asked through the crate of the same name, which offers what a search needs: clauses,
//! assumptions, and a callback that is asked now and then whether to stop, through which time,
//! memory and cancellation reach it. Which literals are decided for good it does not tell, and
//! encoding lives from that (`Clauses::known`). So the clauses also go to a solver of the other
//! kind that never searches and only draws conclusions from single literals; those that CaDiCaL
//! learns are handed to it after every question.
//!
//! A wrong call ends the process, in C++. The one that could happen is to ask for a solution after
//! more clauses were added, so a solution is copied as soon as it is found.

use super::{Answer, Clauses, Effort, Solver};
use crate::Literal;
use batsat::{BasicSolver, Lit, SolverInterface};
use cadical::Callbacks;
use symbolon_budget::{Budget, Interrupted};

/// The solver that the feature `cadical` adds.
pub struct Cadical {
    solver: cadical::Solver<Watch>,
    /// Concludes from single literals, and never searches.
    concluding: BasicSolver,
    clause: Vec<Lit>,
    /// The solution that was found last, by variables.
    solution: Vec<bool>,
    budget: Budget,
    /// Literals in all clauses together.
    literals: u64,
    effort: Effort,
    /// Bytes charged to the budget.
    charged: u64,
}

impl std::fmt::Debug for Cadical {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cadical").field("effort", &self.effort).finish_non_exhaustive()
    }
}

impl Cadical {
    /// A solver without clauses.
    pub fn new(budget: &Budget) -> Self {
        let mut solver = cadical::Solver::new();
        solver.set_callbacks(Some(Watch::new(budget.clone())));
        Cadical {
            solver,
            concluding: BasicSolver::default(),
            clause: Vec::new(),
            solution: Vec::new(),
            budget: budget.clone(),
            literals: 0,
            effort: Effort::default(),
            charged: 0,
        }
    }

    /// Charges what the formula has grown by.
    fn charge(&mut self) -> Result<(), Interrupted> {
        let bytes = self.bytes();
        self.budget.memory().charge(bytes.saturating_sub(self.charged))?;
        self.charged = self.charged.max(bytes);
        Ok(())
    }

    /// Takes over what was learnt while the last question was answered, and says why it was
    /// stopped, if it was.
    fn take_over(&mut self) -> Option<Interrupted> {
        let watch = self.solver.get_callbacks()?;
        self.effort.conflicts += std::mem::take(&mut watch.conflicts);
        for number in watch.decided.drain(..) {
            let variable = Literal::positive(number.unsigned_abs() - 1);
            let literal = if number < 0 { !variable } else { variable };
            self.concluding.add_clause_reuse(&mut vec![super::batsat::lit(literal)]);
        }
        watch.stopped.take()
    }
}

impl Drop for Cadical {
    fn drop(&mut self) {
        self.budget.memory().release(self.charged);
    }
}

impl Clauses for Cadical {
    fn new_variable(&mut self) -> Literal {
        self.effort.variables += 1;
        Literal::positive(self.concluding.new_var_default().idx())
    }

    fn add_clause(&mut self, literals: &[Literal]) {
        self.effort.clauses += 1;
        self.literals += literals.len() as u64;
        self.solver.add_clause(literals.iter().map(|&literal| dimacs(literal)));
        self.clause.clear();
        self.clause.extend(literals.iter().map(|&literal| super::batsat::lit(literal)));
        self.concluding.add_clause_reuse(&mut self.clause);
    }

    fn propagate(&mut self) {
        self.concluding.simplify();
    }

    fn known(&self, literal: Literal) -> Option<bool> {
        super::batsat::truth(self.concluding.value_lvl_0(super::batsat::lit(literal)))
    }

    fn bytes(&self) -> u64 {
        // Both copies, heads and watches, and the tables with an entry per variable.
        12 * self.literals + 80 * self.effort.clauses + 300 * self.effort.variables
    }
}

impl Solver for Cadical {
    fn solve(&mut self, assumptions: &[Literal]) -> Result<Answer, Interrupted> {
        self.charge()?;
        self.budget.check()?;
        let assumed = || assumptions.iter().map(|&literal| dimacs(literal));
        let answer = self.solver.solve_with(assumed());
        let stopped = self.take_over();
        match answer {
            Some(true) => {
                let variables = 1..=self.effort.variables as i32;
                self.solution.clear();
                self.solution.extend(variables.map(|number| self.solver.value(number) == Some(true)));
                Ok(Answer::Solution)
            }
            Some(false) if assumed().any(|literal| self.solver.failed(literal)) => Ok(Answer::NoneAssumed),
            Some(false) => Ok(Answer::None),
            None => Err(stopped.unwrap_or(Interrupted::Overflow)),
        }
    }

    fn is_true(&self, literal: Literal) -> bool {
        let value = self.solution.get(literal.variable() as usize).copied().unwrap_or(false);
        value != literal.is_negative()
    }

    fn effort(&self) -> Effort {
        self.effort
    }
}

/// The literal as the solver counts. Memory ends long before variables do.
fn dimacs(literal: Literal) -> i32 {
    literal.to_dimacs() as i32
}

/// What the solver is asked and tells while it searches.
struct Watch {
    budget: Budget,
    conflicts: u64,
    /// Literals that are true in every solution.
    decided: Vec<i32>,
    stopped: Option<Interrupted>,
}

impl Watch {
    fn new(budget: Budget) -> Self {
        Watch { budget, conflicts: 0, decided: Vec::new(), stopped: None }
    }
}

impl Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        if self.stopped.is_none() {
            self.stopped = self.budget.check().err();
        }
        self.stopped.is_some()
    }

    fn max_length(&self) -> i32 {
        // All learnt clauses are counted, however long.
        i32::MAX
    }

    fn learn(&mut self, clause: &[i32]) {
        self.conflicts += 1;
        if let &[literal] = clause {
            self.decided.push(literal);
        }
    }
}
