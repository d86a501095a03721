//! `help`: the long help of the program or of a command.

use super::TextAnswer;
use super::man::declaration;
use crate::answer::Answer;
use crate::arguments::PageArguments;
use crate::failure::Failure;

/// The same as `symbolon COMMAND --help`.
pub(crate) fn help(arguments: &PageArguments) -> Result<Box<dyn Answer>, Failure> {
    let mut command = declaration(arguments)?;
    Ok(Box::new(TextAnswer(command.render_long_help().ansi().to_string())))
}
