//! What can be wrong with the input.

use symbolon_source::Excerpt;

/// A command could not be carried out because its input is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The model, or another file, has mistakes: all that were found.
    #[error("{}", .0.first().map_or("wrong input", |first| first.message.as_str()))]
    Input(Vec<InputError>),
}

impl From<InputError> for Error {
    fn from(error: InputError) -> Error {
        Error::Input(vec![error])
    }
}

/// One mistake.
///
/// Messages and hints mark names of options and commands, `option ‹diagram set›` and `command
/// ‹models›`, for a front end to show as its users write them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// What was found and what was expected.
    pub message: String,
    /// The file or model.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column in characters, from 1.
    pub column: Option<u32>,
    /// What to do about it.
    pub hint: Option<String>,
    /// The piece of text that is meant.
    pub excerpt: Option<Box<Excerpt>>,
    /// A warning does not stop anything.
    pub is_warning: bool,
    /// The input is right, but not supported yet.
    pub is_unsupported: bool,
    /// The text does not follow the grammar of its language; only reported for ISPL.
    pub is_syntax: bool,
}

impl InputError {
    /// A mistake without a place in a file.
    pub fn plain(message: impl Into<String>) -> InputError {
        InputError {
            message: message.into(),
            file: None,
            line: None,
            column: None,
            hint: None,
            excerpt: None,
            is_warning: false,
            is_unsupported: false,
            is_syntax: false,
        }
    }

    /// The same with a hint.
    pub fn with_hint(mut self, hint: impl Into<String>) -> InputError {
        self.hint = Some(hint.into());
        self
    }
}
