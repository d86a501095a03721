//! What every method that decides properties is given.

use super::CheckOptions;
use super::board::Board;
use crate::loaded::Loaded;
use crate::options::Options;
use crate::property::Property;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The model, the properties, what is wanted and what is known: handed down unchanged, with a
/// budget beside it.
#[derive(Clone, Copy)]
pub(super) struct Work<'a, 'b> {
    pub(super) loaded: &'a Loaded,
    pub(super) properties: &'a [Property],
    pub(super) wanted: CheckOptions,
    pub(super) options: &'a Options,
    pub(super) shared_board: &'a Mutex<Board<'b>>,
}

impl<'a, 'b> Work<'a, 'b> {
    /// The board, locked for one look or one note.
    pub(super) fn board(&self) -> MutexGuard<'a, Board<'b>> {
        self.shared_board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether something else than diagrams may decide: with several initial states a walk from one
    /// shows nothing about the others, and steps that agents take together are not walked.
    pub(super) fn may_use_shortcuts(&self) -> bool {
        let has_walks = self.loaded.has_net() || self.loaded.program().is_some();
        has_walks && !self.options.no_shortcuts && self.has_one_initial_state()
    }

    /// Whether walks may look for runs that show what is decided.
    pub(super) fn may_walk_for_witnesses(&self) -> bool {
        let is_synchronous = self.loaded.model.is_synchronous();
        self.wanted.witnesses && !is_synchronous && !self.options.no_shortcuts && self.has_one_initial_state()
    }

    fn has_one_initial_state(&self) -> bool {
        self.loaded.model.initial.len() == 1
    }
}
