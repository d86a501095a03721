//! What a reader has to say about its input, as plain data that front ends draw.
//!
//! A message says what was found and what was expected and ends without a full stop; a hint says
//! what to write instead, where we know. Lines and columns count from 1, columns in characters.

use crate::excerpt::Excerpt;
use std::fmt;
use symbolon_budget::Interrupted;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Something was skipped or repaired; the answer is still what the author meant.
    Warning,
    /// The text says nothing that can be used.
    Error,
    /// The text is right, but of a kind that is not supported yet.
    Unsupported,
}

/// One finding of a reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What was found and what was expected.
    pub message: String,
    /// The line, from 1, where there is one.
    pub line: Option<u32>,
    /// The column in characters, from 1, where there is one.
    pub column: Option<u32>,
    /// What to write or do instead, where we know.
    pub hint: Option<String>,
    /// The piece of text that is meant, where there is one and its line is of a size to be shown.
    pub excerpt: Option<Box<Excerpt>>,
    /// How bad it is.
    pub severity: Severity,
}

/// Why an input cannot be used: at least one error, and the warnings found on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// All findings, in the order of the input.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why a reader returned nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadFailure {
    /// The input is wrong.
    #[error("{0}")]
    Invalid(ReadError),
    /// The budget ran out.
    #[error("{0}")]
    Interrupted(#[from] Interrupted),
}

impl ReadError {
    /// The first error, which is the one to show where there is room for one.
    pub fn first(&self) -> Option<&Diagnostic> {
        self.diagnostics.iter().find(|diagnostic| diagnostic.severity != Severity::Warning)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, "{line}:{column}: ")?;
        }
        if self.severity == Severity::Warning {
            f.write_str("warning: ")?;
        }
        f.write_str(&self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, " ({hint})")?;
        }
        Ok(())
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, diagnostic) in self.diagnostics.iter().enumerate() {
            if number > 0 {
                f.write_str("\n")?;
            }
            diagnostic.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for ReadError {}
