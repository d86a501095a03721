//! Mistakes in the input, and warnings.

use serde::Serialize;
use symbolon_checker::InputError;

/// A mistake or a warning.
#[derive(Serialize)]
pub struct Problem {
    message: String,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    hint: Option<String>,
}

impl Problem {
    /// The keys of a mistake.
    pub fn new(error: &InputError) -> Problem {
        Problem {
            message: error.message.clone(),
            file: error.file.clone(),
            line: error.line,
            column: error.column,
            hint: error.hint.clone(),
        }
    }
}
