//! Why a question ends without an answer.

use crate::error::{Error, InputError};
use crate::report::{Outcome, Unknown};
use symbolon_budget::Interrupted;
use symbolon_explicit as explicit;

/// A question has no answer: its input is wrong, or the answer is unknown.
///
/// Everything inside this crate returns it with `?`. A front end separates the two cases once, with
/// [`settle`], because only the first one is a mistake of the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// The input is wrong.
    #[error(transparent)]
    Input(#[from] Error),
    /// The answer is unknown, for this reason.
    #[error("{}", .0.detail)]
    Unknown(Unknown),
}

impl From<Unknown> for Stop {
    fn from(why: Unknown) -> Stop {
        Stop::Unknown(why)
    }
}

impl From<Interrupted> for Stop {
    fn from(why: Interrupted) -> Stop {
        Stop::Unknown(why.into())
    }
}

impl From<explicit::Stopped> for Stop {
    fn from(stopped: explicit::Stopped) -> Stop {
        Stop::Unknown(stopped.into())
    }
}

impl From<InputError> for Stop {
    fn from(error: InputError) -> Stop {
        Stop::Input(Error::Input(vec![error]))
    }
}

/// Separates an answer that is unknown, which is a report, from wrong input, which is an error.
pub fn settle<T>(answer: Result<T, Stop>) -> Result<Outcome<T>, Error> {
    match answer {
        Ok(answer) => Ok(Ok(answer)),
        Err(Stop::Unknown(why)) => Ok(Err(why)),
        Err(Stop::Input(error)) => Err(error),
    }
}
