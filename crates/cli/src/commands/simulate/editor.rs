//! The line editor of a person at a terminal: arrows, history, Tab.
//!
//! The editor runs on a thread of its own, so that waiting for a line still notices limits and
//! Ctrl-C. It reads a line when it is asked for one and at no other time; while it reads, the
//! terminal is in another mode, which the console puts back before the process prints its answer.

use super::request::{Argument, command_words, completes_with};
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::config::Configurer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender};

/// The names that can be completed.
#[derive(Debug, Default)]
pub(super) struct KnownNames {
    /// Of what can happen.
    pub(super) events: Vec<String>,
    /// Of places or variables.
    pub(super) variables: Vec<String>,
}

/// More candidates are not listed.
const MOST_CANDIDATES: usize = 200;

/// Reads a line whenever a prompt comes, until there are no more of either.
pub(super) fn edit_lines(
    prompts: &Receiver<String>,
    lines: &SyncSender<String>,
    names: Arc<KnownNames>,
    is_coloured: bool,
) {
    let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true).build();
    let Ok(mut editor) = Editor::<Assistant, MemHistory>::with_history(config, MemHistory::new()) else {
        return;
    };
    // Pasted lines are lines; the mode would have to be ended when the process ends.
    editor.enable_bracketed_paste(false);
    editor.set_helper(Some(Assistant { names, files: FilenameCompleter::new(), is_coloured }));
    while let Ok(prompt) = prompts.recv() {
        let line = loop {
            match editor.readline(&prompt) {
                Ok(line) => break line,
                // The window has another size: asked again.
                Err(ReadlineError::Signal(_)) => {}
                // Ctrl-C, Ctrl-D, or a terminal that is gone.
                Err(_) => return,
            }
        };
        if lines.send(line).is_err() {
            return;
        }
    }
}

struct Assistant {
    names: Arc<KnownNames>,
    files: FilenameCompleter,
    is_coloured: bool,
}

/// The candidates for the end of a line, and where in the line they begin.
fn candidates(line: &str, names: &KnownNames) -> (usize, Vec<String>) {
    let trimmed = line.trim_start();
    let indent = line.len() - trimmed.len();
    let Some((word, rest)) = trimmed.split_once(char::is_whitespace) else {
        // Commands first; a transition may be named without one.
        let commands = command_words().filter(|word| word.len() > 1).map(str::to_string);
        let events = names.events.iter().map(|name| as_typed(name));
        return (indent, beginning_with(trimmed, commands.chain(events)));
    };
    match completes_with(word) {
        Some(Argument::Event) => {
            let rest = rest.trim_start();
            let start = line.len() - rest.len();
            (start, beginning_with(rest, names.events.iter().map(|name| as_typed(name))))
        }
        Some(Argument::Variable) => {
            // The last name of a formula.
            let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '"');
            let start = line
                .rfind(|c| !is_part(c))
                .map_or(0, |at| at + line[at..].chars().next().map_or(1, char::len_utf8));
            (start, beginning_with(&line[start..], names.variables.iter().map(|name| as_typed(name))))
        }
        Some(Argument::File | Argument::Other) => (line.len(), Vec::new()),
        // No command: a transition whose name has blanks in it.
        None => (indent, beginning_with(trimmed, names.events.iter().map(|name| as_typed(name)))),
    }
}

fn beginning_with(beginning: &str, names: impl Iterator<Item = String>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for name in names.filter(|name| name.starts_with(beginning)) {
        if found.len() == MOST_CANDIDATES {
            break;
        }
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// A name as it is typed: in quotes if it would not be read as it stands.
fn as_typed(name: &str) -> String {
    let is_plain = !name.is_empty()
        && !name.starts_with(['"', '#'])
        && !name.chars().any(|c| c.is_whitespace() || c.is_control())
        && name.parse::<u64>().is_err();
    if is_plain { name.to_string() } else { crate::quotes::quoted(name) }
}

impl Completer for Assistant {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = &line[..at];
        let word = before.split_whitespace().next().unwrap_or_default();
        let is_behind = before.trim_start().contains(char::is_whitespace);
        if is_behind && completes_with(word) == Some(Argument::File) {
            return self.files.complete(line, at, context);
        }
        let (start, found) = candidates(before, &self.names);
        Ok((start, found.into_iter().map(|name| Pair { display: name.clone(), replacement: name }).collect()))
    }
}

impl Highlighter for Assistant {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        use crate::table::BOLD;
        if self.is_coloured { Cow::Owned(format!("{BOLD}{prompt}{BOLD:#}")) } else { Cow::Borrowed(prompt) }
    }
}

impl Hinter for Assistant {
    type Hint = String;
}

impl Validator for Assistant {}

impl Helper for Assistant {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_line_is_completed() {
        let names = KnownNames {
            events: ["take_1", "take_2", "un do", "7"].map(String::from).into(),
            variables: ["fork_1", "fork_2", "a.b", "größe"].map(String::from).into(),
        };
        let check = |line: &str, start: usize, expected: &[&str]| {
            assert_eq!(
                candidates(line, &names),
                (start, expected.iter().map(ToString::to_string).collect()),
                "{line}"
            );
        };
        check("un", 0, &["undo", "until"]);
        check("  ta", 2, &["take_1", "take_2"]);
        check("fire ta", 5, &["take_1", "take_2"]);
        check("why  \"un", 5, &["\"un do\""]);
        check("f \"7", 2, &["\"7\""]);
        check("until fork_1 >= 1 & fo", 20, &["fork_1", "fork_2"]);
        check("until !a", 7, &["a.b"]);
        check("m gr", 2, &["größe"]);
        check("until größe & gr", 16, &["größe"]);
        check("undo 1", 6, &[]);
        check("take_1 ", 0, &[]);
        check("nothing like it", 0, &[]);
    }

    #[test]
    fn many_names_are_not_all_listed() {
        let events = (0..1000).map(|number| format!("t{number}")).collect();
        let names = KnownNames { events, variables: Vec::new() };
        assert_eq!(candidates("fire t", &names).1.len(), MOST_CANDIDATES);
    }
}
