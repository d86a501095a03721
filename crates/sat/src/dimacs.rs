//! Formulas as text, for solvers outside this program.

use crate::{Clauses, Literal};
use std::fmt::Write;

/// A formula that is only written down.
#[derive(Clone, Debug, Default)]
pub struct ClauseList {
    variables: u32,
    literals: Vec<Literal>,
    /// Where each clause ends in `literals`.
    ends: Vec<usize>,
}

impl ClauseList {
    /// The number of variables.
    pub fn variable_count(&self) -> u32 {
        self.variables
    }

    /// All clauses.
    pub fn clauses(&self) -> impl Iterator<Item = &[Literal]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.literals[start..end])
    }

    /// The formula in the DIMACS format, with these lines of comment before it.
    pub fn to_dimacs(&self, comments: &[String]) -> String {
        let mut text = String::with_capacity(8 * self.literals.len() + 64);
        for comment in comments {
            // A line break would end the comment.
            let _ = writeln!(text, "c {}", comment.replace(['\n', '\r'], " "));
        }
        let _ = writeln!(text, "p cnf {} {}", self.variables, self.ends.len());
        for clause in self.clauses() {
            for literal in clause {
                let _ = write!(text, "{} ", literal.to_dimacs());
            }
            text.push_str("0\n");
        }
        text
    }
}

impl Clauses for ClauseList {
    fn new_variable(&mut self) -> Literal {
        self.variables += 1;
        Literal::positive(self.variables - 1)
    }

    fn add_clause(&mut self, literals: &[Literal]) {
        self.literals.extend_from_slice(literals);
        self.ends.push(self.literals.len());
    }

    fn bytes(&self) -> u64 {
        4 * self.literals.len() as u64 + 8 * self.ends.len() as u64
    }
}
