//! A fault that tests seed on purpose, to see that a run that does not replay is reported. Release
//! builds do not have it.

use std::sync::atomic::{AtomicBool, Ordering};

static DROPS_LAST_STEP: AtomicBool = AtomicBool::new(false);

/// From now on every run loses its last step before it is replayed, in this process and in builds
/// with debug assertions.
#[doc(hidden)]
pub fn seed_replay_fault() {
    DROPS_LAST_STEP.store(true, Ordering::Relaxed);
}

/// The steps of a run: all of them, unless the fault is seeded.
pub(crate) fn steps_to_replay<T>(steps: &[T]) -> &[T] {
    if cfg!(debug_assertions) && DROPS_LAST_STEP.load(Ordering::Relaxed) {
        return &steps[..steps.len().saturating_sub(1)];
    }
    steps
}
