//! What a formula is written to, and what decides it.
//!
//! [`Clauses`] is the half that encoding needs: new variables and clauses. A [`Solver`] decides what was written so
//! far, again and again while more is written, under assumptions that hold for one call only. Another solver is added
//! by implementing the two; a solver outside this program reads what [`ClauseList`](crate::ClauseList) writes.

mod batsat;

pub use batsat::Batsat;

use crate::Literal;
use symbolon_budget::Interrupted;

/// A formula in conjunctive normal form that grows.
pub trait Clauses {
    /// A new variable, as a literal. The first one is [`Literal::TRUE`], and the caller adds the clause that makes it so.
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

/// How a solver shortens what it learns from a dead end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Minimisation {
    /// Not at all.
    Off,
    /// By direct implications.
    Basic,
    /// By chains of implications. Best for most formulas, but on some nearly all time is spent here.
    Deep,
    /// `Deep`, and where the dead ends met per second collapse, a fresh start with `Off`.
    #[default]
    Auto,
}
