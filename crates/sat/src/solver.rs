//! What a formula is written to, and what decides it.
//!
//! [`Clauses`] is the half that encoding needs: new variables and clauses. A [`Solver`] decides
//! what was written so far, again and again while more is written, under assumptions that hold for
//! one call only. Another solver is added by implementing the two; a solver outside this program
//! reads what [`ClauseList`](crate::ClauseList) writes.

mod batsat;
#[cfg(feature = "cadical")]
mod cadical;

pub use batsat::Batsat;
#[cfg(feature = "cadical")]
pub use cadical::Cadical;

use crate::Literal;
use std::fmt;
use std::str::FromStr;
use symbolon_budget::Interrupted;

/// A formula in conjunctive normal form that grows.
pub trait Clauses {
    /// A new variable, as a literal. The first one is [`Literal::TRUE`], and the caller adds the
    /// clause that makes it so.
    fn new_variable(&mut self) -> Literal;

    /// Demands that one of these literals is true. No literal at all: the formula has no solution.
    fn add_clause(&mut self, literals: &[Literal]);

    /// Works out what follows from single literals, so that [`Clauses::known`] knows more.
    fn propagate(&mut self) {}

    /// The value that the literal has in every solution, where that is already known.
    fn known(&self, literal: Literal) -> Option<bool> {
        literal.constant()
    }

    /// About how many bytes the formula takes.
    fn bytes(&self) -> u64;
}

/// Something that decides whether a formula has a solution.
pub trait Solver: Clauses {
    /// Looks for a solution in which all `assumptions` are true.
    fn solve(&mut self, assumptions: &[Literal]) -> Result<Answer, Interrupted>;

    /// The value of a literal in the solution that was found last.
    fn is_true(&self, literal: Literal) -> bool;

    /// How much work it was so far.
    fn effort(&self) -> Effort;
}

/// The solvers that this program may have, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SolverName {
    /// `batsat`, always there.
    #[default]
    Batsat,
    /// CaDiCaL, there with the feature `cadical`.
    Cadical,
}

impl SolverName {
    /// All of them, in the order in which they are listed.
    pub const ALL: [SolverName; 2] = [SolverName::Batsat, SolverName::Cadical];

    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            SolverName::Batsat => "batsat",
            SolverName::Cadical => "cadical",
        }
    }

    /// Whether this program was built with it.
    pub fn is_built_in(self) -> bool {
        match self {
            SolverName::Batsat => true,
            SolverName::Cadical => cfg!(feature = "cadical"),
        }
    }
}

impl fmt::Display for SolverName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongSolver;

impl FromStr for SolverName {
    type Err = WrongSolver;

    fn from_str(text: &str) -> Result<SolverName, WrongSolver> {
        SolverName::ALL.into_iter().find(|solver| solver.name() == text).ok_or(WrongSolver)
    }
}

/// What a solver says of a formula under assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a solution; [`Solver::is_true`] tells it.
    Solution,
    /// There is none under these assumptions.
    NoneAssumed,
    /// There is none, whatever is assumed.
    None,
}

/// The work that a solver has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Variables of the formula.
    pub variables: u64,
    /// Clauses that were added.
    pub clauses: u64,
    /// Dead ends met, each of which taught a clause.
    pub conflicts: u64,
    /// How often the solver was begun anew in another mode.
    pub fresh_starts: u64,
}

/// How `batsat` shortens what it learns from a dead end. CaDiCaL has its own way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Minimisation {
    /// Not at all.
    Off,
    /// By direct implications.
    Basic,
    /// By chains of implications. Best for most formulas, but on some nearly all time is spent
    /// here.
    Deep,
    /// `Deep`, and where the dead ends met per second collapse, a fresh start with `Off`.
    #[default]
    Auto,
}
