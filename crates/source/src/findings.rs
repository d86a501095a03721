//! Findings on their way to becoming diagnostics: places in the text are byte offsets until the
//! end, when one sweep over the text turns them all into lines and columns.

use crate::diagnostic::{Diagnostic, ReadError, ReadFailure, Severity};
use crate::excerpt::Excerpt;
use symbolon_budget::Interrupted;

/// The number of errors after which a reader gives up.
const LARGEST_ERROR_COUNT: usize = 20;
/// Later warnings are counted, not kept.
const LARGEST_WARNING_COUNT: usize = 50;
/// The longest line that is shown as an excerpt: a longer one may be the whole file.
const LARGEST_TEXT_WITH_EXCERPTS: usize = 1 << 22;

/// Why a reader stops early.
#[derive(Debug)]
pub enum Stop {
    /// The errors are already among the findings.
    Invalid,
    /// The budget ran out.
    Interrupted(Interrupted),
}

impl From<Interrupted> for Stop {
    fn from(reason: Interrupted) -> Self {
        Stop::Interrupted(reason)
    }
}

/// What a step of a reader returns.
pub type Step<T> = Result<T, Stop>;

/// The findings so far.
#[derive(Debug, Default)]
pub struct Findings {
    list: Vec<Finding>,
    error_count: usize,
    warning_count: usize,
}

#[derive(Debug)]
struct Finding {
    offset: Option<usize>,
    /// The number of bytes that are meant; 0 if unknown.
    length: usize,
    severity: Severity,
    message: String,
    hint: Option<String>,
}

impl Findings {
    /// Notes an error at a byte offset; fails once there are too many to go on.
    pub fn error(&mut self, offset: impl Into<Option<usize>>, message: impl Into<String>) -> Step<()> {
        self.push(offset.into(), Severity::Error, message.into(), None);
        self.error_count += 1;
        if self.error_count < LARGEST_ERROR_COUNT { Ok(()) } else { Err(Stop::Invalid) }
    }

    /// Notes an error after which the reader stops.
    pub fn fatal(&mut self, offset: impl Into<Option<usize>>, message: impl Into<String>) -> Stop {
        let _enough = self.error(offset, message);
        Stop::Invalid
    }

    /// Notes a warning at a byte offset.
    pub fn warning(&mut self, offset: impl Into<Option<usize>>, message: impl Into<String>) {
        self.warning_count += 1;
        if self.warning_count <= LARGEST_WARNING_COUNT {
            self.push(offset.into(), Severity::Warning, message.into(), None);
        }
    }

    /// Gives the finding noted last a hint.
    pub fn hint(&mut self, hint: impl Into<String>) {
        if let Some(last) = self.list.last_mut() {
            last.hint = Some(hint.into());
        }
    }

    /// Says how many bytes the finding noted last is about.
    pub fn length(&mut self, bytes: usize) {
        if let Some(last) = self.list.last_mut() {
            last.length = bytes;
        }
    }

    /// Says of the error noted last that the input is right, but not supported yet.
    pub fn not_yet(&mut self) {
        if let Some(last) = self.list.last_mut() {
            last.severity = Severity::Unsupported;
        }
    }

    /// Notes an error with a hint.
    pub fn error_with_hint(
        &mut self,
        offset: impl Into<Option<usize>>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Step<()> {
        let step = self.error(offset, message);
        self.hint(hint);
        step
    }

    /// Notes an error with a hint, after which the reader stops.
    pub fn fatal_with_hint(
        &mut self,
        offset: impl Into<Option<usize>>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Stop {
        let stop = self.fatal(offset, message);
        self.hint(hint);
        stop
    }

    /// Whether an error was noted.
    pub fn has_errors(&self) -> bool {
        self.error_count > 0
    }

    /// The findings as diagnostics about `text`, in the order of the text.
    pub fn into_diagnostics(mut self, text: &str) -> Vec<Diagnostic> {
        if self.warning_count > LARGEST_WARNING_COUNT {
            let more = self.warning_count - LARGEST_WARNING_COUNT;
            self.push(None, Severity::Warning, format!("{more} more warnings are not shown"), None);
        }
        self.list.sort_by_key(|finding| finding.offset.unwrap_or(usize::MAX));
        let mut position = Position { text, offset: 0, line: 1, column: 1 };
        let mut diagnostics = Vec::with_capacity(self.list.len());
        for finding in self.list {
            let place = finding.offset.map(|offset| position.advance(offset));
            let excerpt = finding.offset.filter(|_| text.len() <= LARGEST_TEXT_WITH_EXCERPTS);
            let excerpt = excerpt.map(|offset| Box::new(Excerpt::of(text, offset..offset + finding.length)));
            diagnostics.push(Diagnostic {
                message: finding.message,
                line: place.map(|(line, _)| line),
                column: place.map(|(_, column)| column),
                hint: finding.hint,
                excerpt,
                severity: finding.severity,
            });
        }
        diagnostics
    }

    /// The failure that the findings and the reason for stopping amount to.
    pub fn into_failure(self, stop: Stop, text: &str) -> ReadFailure {
        match stop {
            Stop::Interrupted(reason) => ReadFailure::Interrupted(reason),
            Stop::Invalid => ReadFailure::Invalid(ReadError { diagnostics: self.into_diagnostics(text) }),
        }
    }

    fn push(&mut self, offset: Option<usize>, severity: Severity, message: String, hint: Option<String>) {
        self.list.push(Finding { offset, length: 0, severity, message, hint });
    }
}

/// A cursor that only moves forward, so that all findings together cost one sweep.
struct Position<'a> {
    text: &'a str,
    offset: usize,
    line: u32,
    column: u32,
}

impl Position<'_> {
    fn advance(&mut self, offset: usize) -> (u32, u32) {
        let end = offset.min(self.text.len());
        let bytes = self.text.as_bytes();
        while self.offset < end {
            let byte = bytes[self.offset];
            self.offset += 1;
            let carriage_return_alone = byte == b'\r' && bytes.get(self.offset) != Some(&b'\n');
            if byte == b'\n' || carriage_return_alone {
                self.line = self.line.saturating_add(1);
                self.column = 1;
            } else if byte & 0xC0 != 0x80 && byte != b'\r' {
                self.column = self.column.saturating_add(1);
            }
        }
        (self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_any_newline() {
        let text = "aé\r\nb\rc\nd";
        let offset_and_position =
            [(0, (1, 1)), (1, (1, 2)), (3, (1, 3)), (5, (2, 1)), (7, (3, 1)), (9, (4, 1)), (99, (4, 2))];
        let mut position = Position { text, offset: 0, line: 1, column: 1 };
        for (offset, expected) in offset_and_position {
            assert_eq!(position.advance(offset), expected, "offset {offset}");
        }
    }
}
