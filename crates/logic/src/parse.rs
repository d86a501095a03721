//! Formula text read: the language of the command line and of formula files.
//!
//! ```text
//! AG !(critical_1 = 1 & critical_2 = 1)      A[waiting U critical]      A (G (request -> F answer))
//! ```
//!
//! From weak to strong: `<->`, `->` (to the right), `|`, `&`, then `U W R` (to the right), then
//! everything that stands before its operand (`! X F G A E AG …`), comparisons, `+ -`, `*`. So
//! `AG p -> q` is `(AG p) -> q`. In the square brackets of `A[…]` and `E[…]` the operators `U W R`
//! are the weakest, as in `A[p & q U r]`; elsewhere people disagree, so `p & q U r` is refused, and
//! needs brackets.
//!
//! A word that is an operator before its operand (`X`, `AG`, …) is a name where no operand follows;
//! in quotes, everything is a name. A formula that speaks about paths is read with `A` before it;
//! without any quantifier in its text it is LTL, also where the same with `A` would be CTL, as
//! `X p` is.
//!
//! The reader keeps its own stack, so depth costs nothing but memory, and it goes on after a
//! mistake: what is missing counts as something of which nothing more is said.

mod meant_words;
mod operators;
mod reader;
pub(crate) mod sum;
mod tokens;

use crate::formula::{Formula, FormulaId, Operator};
use crate::fragment::Fragment;
use crate::name::Span;
use crate::named_atom::NamedAtom;
pub use meant_words::meant_by_name;
use std::fmt;

/// The number of errors after which a reader gives up.
pub(crate) const LARGEST_ERROR_COUNT: usize = 20;

/// A formula that was read, and where its parts stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The formula.
    pub formula: Formula<NamedAtom>,
    /// Of each subformula, where it stands first; brackets around it are not counted.
    pub spans: Vec<Span>,
    /// Whether the text has no path quantifier at all, so that the formula is LTL and the `A` at
    /// its head was added by the reader.
    pub is_linear: bool,
    /// Parts that people may read in another way than the reader does.
    pub warnings: Vec<FormulaError>,
}

impl Parsed {
    /// A formula with nothing else to say about its text.
    pub fn new(formula: Formula<NamedAtom>, spans: Vec<Span>) -> Parsed {
        Parsed { formula, spans, is_linear: false, warnings: Vec::new() }
    }

    /// How many quantifiers over paths the formula has, those of strategies included.
    pub fn quantifier_count(&self) -> usize {
        let quantifies = |operator: &_| {
            matches!(operator, Operator::Exists(_) | Operator::ForAll(_) | Operator::CanForce(..))
        };
        self.formula.subformulas().filter(|(_, operator)| quantifies(operator)).count()
    }

    /// The formula as text. LTL is written without the quantifier that the reader added.
    pub fn text(&self) -> String {
        match *self.formula.operator(self.formula.root()) {
            Operator::ForAll(path) if self.is_linear && self.formula.fragment() == Fragment::Ctl => {
                self.formula.shown(path).to_string()
            }
            _ => self.formula.to_string(),
        }
    }

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

/// Reads one formula. What is wrong with it comes in the order of the text, at least one error and
/// not too many.
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
