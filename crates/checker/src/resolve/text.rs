//! What formulas stand in, for findings about them.

use crate::error::InputError;
use symbolon_logic::{FormulaError, Parsed};
use symbolon_source::Excerpt;

/// What formulas stand in: a file, or what was typed.
pub(super) struct Text<'a> {
    pub(super) file: Option<&'a str>,
    pub(super) text: &'a str,
}

impl Text<'_> {
    /// A mistake at a place of it.
    pub(super) fn mistake(&self, error: &FormulaError) -> InputError {
        let excerpt = Excerpt::of(self.text, error.span.start..error.span.end);
        let before = &self.text.as_bytes()[..error.span.start.min(self.text.len())];
        InputError {
            message: error.message.clone(),
            file: self.file.map(str::to_string),
            line: Some(before.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1),
            column: Some(excerpt.column),
            hint: error.hint.clone(),
            excerpt: Some(Box::new(excerpt)),
            is_warning: false,
            is_unsupported: false,
            is_syntax: false,
        }
    }

    /// What the reader of a formula warns of.
    pub(super) fn warnings(&self, parsed: &Parsed) -> impl Iterator<Item = InputError> {
        let warning = |error| InputError { is_warning: true, ..self.mistake(error) };
        parsed.warnings.iter().map(warning)
    }
}
