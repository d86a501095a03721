//! The board: which cells there are, which are done, and which one runs next.

use super::cells::{Axis, Cell};
use super::comparison::Comparison;
use super::least_bound::measure_cell;
use super::measure::{Manner, Measured};
use crate::session::Session;
use crate::table::printable;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

/// All cells of a comparison, shared by the threads that run them and the watcher.
pub(super) struct Board {
    manner: Manner,
    axes: Vec<Axis>,
    cells: Vec<Cell>,
    state: Mutex<State>,
}

struct State {
    /// The cell that is run next.
    next: usize,
    /// What became of every cell.
    done: Vec<Option<Measured>>,
    /// The cells that are being run.
    running: Vec<usize>,
}

impl Board {
    /// A board on which nothing was run yet.
    pub(super) fn new(manner: Manner, axes: Vec<Axis>, cells: Vec<Cell>) -> Board {
        let done = vec![None; cells.len()];
        Board { manner, axes, cells, state: Mutex::new(State { next: 0, done, running: Vec::new() }) }
    }

    /// Runs all cells, `jobs` at once, until there are no more or the session is cancelled.
    pub(super) fn run(&self, session: &Session, jobs: usize) {
        thread::scope(|scope| {
            for _ in 1..jobs.min(self.cells.len()) {
                scope.spawn(|| self.work(session));
            }
            self.work(session);
        });
    }

    fn work(&self, session: &Session) {
        while let Some(index) = self.take(session) {
            let measured = measure_cell(&self.manner, &self.axes, &self.cells[index], &session.budget);
            let mut state = self.lock();
            state.running.retain(|running| *running != index);
            state.done[index] = Some(measured);
        }
    }

    fn take(&self, session: &Session) -> Option<usize> {
        let mut state = self.lock();
        if session.budget.check().is_err() || state.next == self.cells.len() {
            return None;
        }
        let index = state.next;
        state.next += 1;
        state.running.push(index);
        session.show_activity(self.activity(&state));
        Some(index)
    }

    /// What is being done, in a line that fits a terminal.
    fn activity(&self, state: &State) -> String {
        const MOST_LETTERS: usize = 44;
        let names: Vec<String> = state.running.iter().map(|index| self.cells[*index].describe()).collect();
        let names = names.join(", ");
        let mut shown: String = printable(&names).chars().take(MOST_LETTERS).collect();
        if shown.chars().count() == MOST_LETTERS {
            shown.push('…');
        }
        format!("cell {} of {}: {shown}", state.next, self.cells.len())
    }

    /// Everything that is known so far.
    pub(super) fn comparison(&self) -> Comparison {
        let done = self.lock().done.clone();
        let rows = self.cells.iter().cloned().zip(done).filter_map(|(cell, done)| Some((cell, done?)));
        Comparison {
            question: self.manner.question,
            axes: self.axes.clone(),
            rows: rows.collect(),
            planned: self.cells.len(),
        }
    }

    /// The lock; a thread that panicked while holding it had already finished its changes.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
