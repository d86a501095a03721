//! Why a command has no answer of its own kind: its input or its usage is wrong.

use crate::answer::{Answer, Detail};
use crate::console::message_columns;
use crate::dashes::typed_error;
use crate::fold::folded;
use crate::table::{BOLD, ERROR, WARNING, printable};
use std::fmt::Write as _;
use symbolon_checker::{Error, Excerpt, InputError, MarkedLine, Stop};
use symbolon_report::Body;
use symbolon_report::Status;

/// Mistakes, all that were found; warnings may be among them.
#[derive(Clone, Debug)]
pub(crate) struct Failure(pub(crate) Vec<InputError>);

impl Failure {
    /// One mistake without a place in a file.
    pub(crate) fn plain(message: impl Into<String>) -> Failure {
        Failure(vec![InputError::plain(message)])
    }

    /// The same with something to do about it.
    pub(crate) fn with_hint(message: impl Into<String>, hint: Option<String>) -> Failure {
        let mut error = InputError::plain(message);
        error.hint = hint;
        Failure(vec![error])
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Input(errors) => Failure(errors.into_iter().map(typed_error).collect()),
        }
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Input(Error::Input(failure.0))
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Failure {
        Failure(vec![error])
    }
}

impl Answer for Failure {
    /// Mistakes are no answers: standard output stays empty, see [`describe`].
    fn text(&self, _: Detail) -> String {
        String::new()
    }

    fn body(&self) -> Body {
        Body::Nothing {}
    }

    fn status(&self) -> Status<'_> {
        Status::Error(&self.0)
    }
}

/// Mistakes beyond this many are counted, not shown.
const MOST_SHOWN: usize = 20;
/// This many of them are shown with their line, so that all of it fits a screen.
const MOST_EXCERPTS: usize = 6;

/// Mistakes and warnings for people: `file:line:column: error: message`, then the hint.
pub(crate) fn describe(problems: &[InputError]) -> String {
    let mut text = String::new();
    for (number, problem) in problems.iter().take(MOST_SHOWN).enumerate() {
        let place = problem.file.as_ref().map_or(String::new(), |file| {
            let place = match (problem.line, problem.column) {
                (Some(line), Some(column)) => format!("{file}:{line}:{column}:"),
                (Some(line), None) => format!("{file}:{line}:"),
                _ => format!("{file}:"),
            };
            format!("{BOLD}{}{BOLD:#} ", printable(&place))
        });
        let (style, word) = if problem.is_warning { (WARNING, "warning") } else { (ERROR, "error") };
        let message = format!("{place}{style}{word}:{style:#} {}\n", printable(&problem.message));
        text.push_str(&fold(&message));
        let is_near = number < MOST_EXCERPTS;
        let excerpt = problem.excerpt.as_ref().filter(|excerpt| is_near && !excerpt.line.trim().is_empty());
        if let Some(excerpt) = excerpt {
            text.push_str(&excerpt_text(excerpt));
        }
        if let Some(hint) = problem.hint.as_ref().filter(|_| is_near) {
            text.push_str(&fold(&format!("  hint: {}\n", printable(hint))));
        }
    }
    if problems.len() > MOST_SHOWN {
        let _ = writeln!(text, "… and {} more", problems.len() - MOST_SHOWN);
    }
    text
}

/// Lines as long as the terminal that shows messages is wide.
fn fold(text: &str) -> String {
    message_columns().map_or_else(|| text.to_string(), |columns| folded(text, columns))
}

/// Columns of a line that are shown before what is meant, and in all.
const BEFORE: usize = 40;
const WIDEST: usize = 76;

/// A line, or what lies around the piece that is meant, with carets under it.
fn excerpt_text(excerpt: &Excerpt) -> String {
    let MarkedLine { text, indent, carets } = excerpt.marked(BEFORE, WIDEST);
    format!("  {text}\n  {}{ERROR}{}{ERROR:#}\n", " ".repeat(indent), "^".repeat(carets))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_show_where_they_are() {
        let mut error = InputError::plain("found a\u{1b}[31m b").with_hint("write c");
        error.file = Some("net.pnml".into());
        error.line = Some(3);
        error.column = Some(7);
        let text = anstream::adapter::strip_str(&describe(&[error])).to_string();
        assert_eq!(text, "net.pnml:3:7: error: found a\\u{1b}[31m b\n  hint: write c\n");
        let text = anstream::adapter::strip_str(&describe(&[InputError::plain("no")])).to_string();
        assert_eq!(text, "error: no\n");
    }

    #[test]
    fn many_mistakes_fit_a_screen() {
        let mut error = InputError::plain("wrong").with_hint("write c");
        error.excerpt = Some(Box::new(Excerpt::of("a b c", 2..3)));
        let text = describe(&vec![error; 100]);
        assert_eq!(text.lines().count(), 4 * MOST_EXCERPTS + (MOST_SHOWN - MOST_EXCERPTS) + 1);
        assert!(text.ends_with("… and 80 more\n"), "{text}");
    }
}
