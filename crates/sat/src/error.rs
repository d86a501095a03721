//! Why no answer was found.

use crate::SolverName;
use symbolon_budget::Interrupted;
use symbolon_explicit::ReplayError;

/// Why no answer was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The budget ran out, or a value left the range that states can hold.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// The model does something that is not encoded.
    #[error("event '{event}' cannot be encoded: {why}")]
    Unsupported {
        /// The name of the event.
        event: String,
        /// What is not encoded.
        why: &'static str,
    },
    /// The predicate that is asked for, or that describes the initial states, is not encoded.
    #[error("the predicate cannot be encoded: its values need more than 127 bits")]
    UnsupportedPredicate,
    /// The solver that was asked for is not part of this program.
    #[error("the solver '{0}' is not built in")]
    NotBuiltIn(SolverName),
    /// What the solver found is not a run of the model: a bug of this program.
    #[error("a run that was found does not replay ({0}); this is a bug")]
    NoReplay(ReplayError),
    /// The run that was found does not lead where it should: a bug of this program.
    #[error("a run that was found does not lead to the state it was found for; this is a bug")]
    WrongEnd,
}

/// A search that ended without an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}, after {clear} bounds without such a state")]
pub struct Stopped {
    /// Why.
    #[source]
    pub error: Error,
    /// No such state can be reached in fewer steps than this.
    pub clear: usize,
}
