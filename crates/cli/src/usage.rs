//! Wrong usage, help and version: what the parser of arguments says, as text or as JSON.

use crate::answer::Answer;
use crate::arguments::{Arguments, ColorWhen};
use crate::commands::{TextAnswer, long_help};
use crate::failure::{Failure, describe};
use crate::model_source::is_model;
use crate::session::Session;
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser, ValueEnum};
use std::ffi::OsString;
use symbolon_checker::{InputError, did_you_mean, near_names};

/// The session and the answer for words that could not be parsed.
pub(crate) fn explain(words: &[OsString], error: &mut clap::Error) -> (Session, Box<dyn Answer>) {
    let session = session(words);
    suggest_values(error);
    let error = &*error;
    if !error.use_stderr() {
        let is_help = error.kind() == clap::error::ErrorKind::DisplayHelp;
        let long = if is_help { long_help(words) } else { None };
        let text = long.unwrap_or_else(|| error.render().ansi().to_string());
        return (session, Box::new(TextAnswer(text)));
    }
    let (problem, text) = match no_command(error) {
        Some(problem) => (problem.clone(), describe(&[problem])),
        None => (as_problem(error), error.render().ansi().to_string()),
    };
    if !session.json {
        session.console.note(&text);
    }
    (session, Box::new(Failure::from(problem)))
}

/// A session for words that could not be parsed: what matters is found by looking.
fn session(words: &[OsString]) -> Session {
    let mut global = Arguments::parse_from(["symbolon"]).global;
    let words: Vec<&str> =
        words.iter().skip(1).filter_map(|word| word.to_str()).take_while(|word| *word != "--").collect();
    global.json = words.contains(&"--json");
    let color = words.iter().enumerate().find_map(|(index, word)| match word.strip_prefix("--color") {
        Some("") => words.get(index + 1).copied(),
        Some(rest) => rest.strip_prefix('='),
        None => None,
    });
    if let Some(color) = color.and_then(|color| ColorWhen::from_str(color, true).ok()) {
        global.color = color;
    }
    let declared = Arguments::command();
    let command = words.iter().find(|word| declared.find_subcommand(word).is_some());
    Session::new(&[], &global, command.copied(), None)
}

/// Suggests values by the rule of all other suggestions: `mdd` for `mddd`, where the parser has `ddd`.
fn suggest_values(error: &mut clap::Error) {
    let (Some(ContextValue::String(written)), Some(ContextValue::Strings(valid))) =
        (error.get(ContextKind::InvalidValue), error.get(ContextKind::ValidValue))
    else {
        return;
    };
    let near = near_names(written, valid.iter().map(String::as_str));
    // A letter too many at the end is the usual slip.
    let begins = |name: &&&str| written.starts_with(**name) || name.starts_with(written.as_str());
    let Some(nearest) = near.iter().find(begins).or(near.first()) else { return };
    let nearest = nearest.to_string();
    error.insert(ContextKind::SuggestedValue, ContextValue::String(nearest));
}

/// What to say where a command should stand and something else does: a model, or a slip.
fn no_command(error: &clap::Error) -> Option<InputError> {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let problem = InputError::plain(format!("there is no command '{word}'"));
    let declared = Arguments::command();
    let names = declared.get_subcommands().map(|command| command.get_name());
    let near = did_you_mean(&near_names(word, names));
    Some(if is_model(word) {
        problem.with_hint(format!("did you mean 'symbolon info {word}'?"))
    } else {
        problem.with_hint(near.unwrap_or_else(|| "'symbolon --help' lists the commands".to_string()))
    })
}

/// The first paragraph is the message; tips are the hint.
fn as_problem(error: &clap::Error) -> InputError {
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n");
    let message = paragraphs.next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let lines: Vec<&str> = message.lines().map(str::trim).collect();
    let tips: Vec<&str> =
        text.lines().filter_map(|line| line.trim_start().strip_prefix("tip: ")).map(str::trim).collect();
    let mut problem = InputError::plain(lines.join(" "));
    problem.hint = (!tips.is_empty()).then(|| tips.join("; "));
    problem
}
