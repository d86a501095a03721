//! A fault that tests seed on purpose, to see that a run that does not replay is reported. Release
//! builds do not have it.

use std::sync::atomic::{AtomicUsize, Ordering};

/// How many runs are replayed as they are before the fault begins; `NEVER` without the fault.
static RUNS_BEFORE: AtomicUsize = AtomicUsize::new(NEVER);
const NEVER: usize = usize::MAX;

/// After the next `runs_before` runs every run loses its last step before it is replayed, in this
/// process and in builds with debug assertions.
#[doc(hidden)]
pub fn seed_replay_fault(runs_before: usize) {
    RUNS_BEFORE.store(runs_before, Ordering::Relaxed);
}

/// The steps of a run: all of them, unless the fault is seeded.
pub(crate) fn steps_to_replay<T>(steps: &[T]) -> &[T] {
    if !cfg!(debug_assertions) {
        return steps;
    }
    let one_less = |left: usize| (left != NEVER && left > 0).then(|| left - 1);
    match RUNS_BEFORE.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less) {
        Err(0) => &steps[..steps.len().saturating_sub(1)],
        _ => steps,
    }
}
