//! `completions`: what a shell needs to complete commands and options.

use super::TextAnswer;
use crate::arguments::{Arguments, CompletionsArguments};
use clap::CommandFactory;

/// The completion script of a shell.
pub(crate) fn completions(arguments: &CompletionsArguments) -> TextAnswer {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "symbolon", &mut script);
    TextAnswer(String::from_utf8_lossy(&script).into_owned())
}
