//! States and runs of a result as states and runs of the original.

use std::fmt;
use symbolon_model::{State, Trace};

/// The way back from a result to the original.
pub trait Lift: fmt::Debug + Send + Sync {
    /// An original state that `state` of the result stands for.
    fn state(&self, state: &[u64]) -> State;

    /// A run of the original that corresponds to `run` of the result, step by step.
    fn run(&self, run: &Trace) -> Result<LiftedRun, NoLift>;

    /// A lasso of the original that corresponds to a lasso of the result: a run whose steps from
    /// `loop_start` on can be repeated for ever. Returns the run and where its loop starts.
    ///
    /// The default lifts the run once. A lift whose loop need not close after one round, such as
    /// that of a quotient, goes round until it closes.
    fn lasso(&self, run: &Trace, loop_start: usize) -> Result<(Trace, usize), NoLift> {
        let lifted = self.run(run)?;
        let start = lifted.positions[loop_start];
        Ok((lifted.run, start))
    }
}

/// A run of the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiftedRun {
    /// The run.
    pub run: Trace,
    /// For each number of steps of the run of the result, from none to all, the number of original
    /// steps that they became.
    pub positions: Vec<usize>,
}

/// Why a run of the result has no run of the original that could be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the run cannot be mapped back: {why}")]
pub struct NoLift {
    /// The reason, for users.
    pub why: String,
}
