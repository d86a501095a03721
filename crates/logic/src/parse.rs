//! Formula text read: the language of the command line and of formula files.
//!
//! ```text
//! AG !(critical_1 = 1 & critical_2 = 1)      A[waiting U critical]      A (G (request -> F answer))
//! ```
//!
//! From weak to strong: `<->`, `->` (to the right), `|`, `&`, then `U W R` (to the right), then everything that stands
//! before its operand (`! X F G A E AG …`), comparisons, `+ -`, `*`. So `AG p -> q` is `(AG p) -> q`. In the square
//! brackets of `A[…]` and `E[…]` the operators `U W R` are the weakest, as in `A[p & q U r]`; elsewhere people
//! disagree, so `p & q U r` is refused, and needs brackets.
//!
//! A word that is an operator before its operand (`X`, `AG`, …) is a name where no operand follows; in quotes,
//! everything is a name. A formula that speaks about paths alone is read with `A` before it.
//!
//! The reader keeps its own stack, so depth costs nothing but memory, and it goes on after a mistake: what is
//! missing counts as something of which nothing more is said.

mod meant_words;
mod operators;
mod reader;
pub(crate) mod sum;
mod tokens;

use crate::formula::{Formula, FormulaId};
use crate::name::Span;
use crate::named_atom::NamedAtom;
pub use meant_words::meant_by_name;
use std::fmt;

/// A reader gives up after so many errors.
pub(crate) const LARGEST_ERROR_COUNT: usize = 20;

/// A formula that was read, and where its parts stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The formula.
    pub formula: Formula<NamedAtom>,
    /// Of each subformula, where it stands first; brackets around it are not counted.
    pub spans: Vec<Span>,
}

impl Parsed {
    /// Where a subformula stands first.
    pub fn span(&self, id: FormulaId) -> Span {
        self.spans[id.index()]
    }
}

/// One thing that is wrong with a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaError {
    /// Where, in bytes of the text.
    pub span: Span,
    /// What was found and what was expected.
    pub message: String,
    /// What to write instead, where we know.
    pub hint: Option<String>,
}

impl FormulaError {
    /// An error without a hint.
    pub fn new(span: Span, message: impl Into<String>) -> FormulaError {
        FormulaError { span, message: message.into(), hint: None }
    }

    /// The same with a hint.
    pub fn with_hint(self, hint: impl Into<String>) -> FormulaError {
        FormulaError { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for FormulaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(f, " ({hint})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for FormulaError {}

/// Reads one formula. What is wrong with it comes in the order of the text, at least one error and not too many.
pub fn parse_formula(text: &str) -> Result<Parsed, Vec<FormulaError>> {
    let mut errors = Vec::new();
    let tokens = tokens::tokens(text, &mut errors);
    let (parsed, mut errors) = reader::Reader::new(text, tokens, errors).read();
    match parsed {
        Some(parsed) if errors.is_empty() => Ok(parsed),
        _ => {
            errors.sort_by_key(|error| error.span);
            errors.truncate(LARGEST_ERROR_COUNT);
            Err(errors)
        }
    }
}

#[cfg(test)]
mod tests;
