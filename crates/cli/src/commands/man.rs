//! `man`: the manual pages, made from the declaration of the arguments.

use super::TextAnswer;
use crate::answer::Answer;
use crate::arguments::{Arguments, ManArguments};
use crate::failure::Failure;
use crate::near_names::{did_you_mean, near_names};
use clap::CommandFactory;

/// The page of the program or of one command.
pub(crate) fn man(arguments: &ManArguments) -> Result<Box<dyn Answer>, Failure> {
    let mut program = Arguments::command();
    program.build();
    let page = match &arguments.command {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone().display_name(format!("symbolon-{name}")),
            None => {
                let names = program.get_subcommands().map(|command| command.get_name().to_string());
                let hint = did_you_mean(&near_names(name, names))
                    .unwrap_or_else(|| "'symbolon --help' lists the commands".to_string());
                return Err(Failure::with_hint(format!("there is no command '{name}'"), Some(hint)));
            }
        },
    };
    let mut roff = Vec::new();
    clap_mangen::Man::new(page)
        .source(concat!("symbolon ", env!("CARGO_PKG_VERSION")))
        .manual("Symbolon")
        .render(&mut roff)
        .map_err(|error| Failure::plain(format!("cannot write the manual page: {error}")))?;
    Ok(Box::new(TextAnswer(String::from_utf8_lossy(&roff).into_owned())))
}
