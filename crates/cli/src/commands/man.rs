//! `man`: the manual pages, made from the declaration of the arguments.

use super::TextAnswer;
use crate::answer::Answer;
use crate::arguments::{Arguments, PageArguments};
use crate::failure::Failure;
use clap::CommandFactory;
use symbolon_checker::{did_you_mean, near_names};

/// The page of the program or of one command.
pub(crate) fn man(arguments: &PageArguments) -> Result<Box<dyn Answer>, Failure> {
    let mut page = declaration(arguments)?;
    if let Some(name) = &arguments.command {
        page = page.display_name(format!("symbolon-{name}"));
    }
    let mut roff = Vec::new();
    clap_mangen::Man::new(page)
        .source(concat!("symbolon ", env!("CARGO_PKG_VERSION")))
        .manual("Symbolon")
        .render(&mut roff)
        .map_err(|error| Failure::plain(format!("cannot write the manual page: {error}")))?;
    Ok(Box::new(TextAnswer(String::from_utf8_lossy(&roff).into_owned())))
}

/// The declaration of the program or of one command.
pub(super) fn declaration(arguments: &PageArguments) -> Result<clap::Command, Failure> {
    let mut program = Arguments::command();
    program.build();
    let Some(name) = &arguments.command else { return Ok(program) };
    program.find_subcommand(name).cloned().ok_or_else(|| {
        let names = program.get_subcommands().map(|command| command.get_name());
        let hint = did_you_mean(&near_names(name, names))
            .unwrap_or_else(|| "'symbolon --help' lists the commands".to_string());
        Failure::with_hint(format!("there is no command '{name}'"), Some(hint))
    })
}
