//! Ctrl-C during a simulation: it ends a running walk, and at the prompt the session.
//!
//! The budget of the session cannot be cancelled and used again, so each walk at a terminal has a
//! budget of its own.

use crate::session::Session;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use symbolon_checker::{Budget, Limits};

/// What the handler of Ctrl-C and the player share.
#[derive(Default)]
pub(super) struct Interrupts {
    /// The prompt is shown; before that Ctrl-C means what it means for every command.
    is_playing: AtomicBool,
    /// The end was asked for.
    is_over: AtomicBool,
    walk: Mutex<Option<Budget>>,
}

impl Interrupts {
    /// From now on Ctrl-C is taken.
    pub(super) fn begin(&self) {
        self.is_playing.store(true, Ordering::Relaxed);
    }

    /// Handles a Ctrl-C, unless no simulation runs or the first one had no effect.
    pub(super) fn take(&self) -> bool {
        if !self.is_playing.load(Ordering::Relaxed) {
            return false;
        }
        if let Some(budget) = &*self.walk.lock().unwrap_or_else(PoisonError::into_inner) {
            budget.cancel();
            return true;
        }
        !self.is_over.swap(true, Ordering::Relaxed)
    }

    /// Whether Ctrl-C asked for the end.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Does something that Ctrl-C ends, within what is left of the session's limits.
    pub(super) fn during<T>(&self, session: &Session, work: impl FnOnce(&Budget) -> T) -> T {
        let time = session.limits.time.map(|limit| limit.saturating_sub(session.elapsed()));
        let budget = Budget::within(Limits { time, ..session.limits }, session.process_limits);
        *self.walk.lock().unwrap_or_else(PoisonError::into_inner) = Some(budget.clone());
        let done = work(&budget);
        *self.walk.lock().unwrap_or_else(PoisonError::into_inner) = None;
        done
    }
}
