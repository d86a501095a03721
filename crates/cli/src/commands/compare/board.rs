//! The board: which cells there are, which are done, and which one runs next.

use super::cells::{Axis, Cell};
use super::comparison::Comparison;
use super::least_bound::measure_cell;
use super::measure::{Manner, Measured};
use super::short_names::ShortNames;
use super::so_far::SoFar;
use super::time_left::{Finished, time_left};
use crate::session::Session;
use crate::table::printable;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

/// All cells of a comparison, shared by the threads that run them and the watcher.
pub(super) struct Board {
    manner: Manner,
    axes: Vec<Axis>,
    cells: Vec<Cell>,
    names: ShortNames,
    is_thesis: bool,
    state: Mutex<State>,
}

struct State {
    /// The cell that is run next.
    next: usize,
    /// What became of every cell.
    done: Vec<Option<Measured>>,
    /// The cells that are being run.
    running: Vec<usize>,
    /// How long the cells took that are done, by the clock.
    took: Vec<(usize, f64)>,
}

impl Board {
    /// A board on which nothing was run yet.
    pub(super) fn new(manner: Manner, axes: Vec<Axis>, cells: Vec<Cell>, is_thesis: bool) -> Board {
        let done = vec![None; cells.len()];
        let names = ShortNames::of(cells.iter().map(Cell::model_name));
        let state = State { next: 0, done, running: Vec::new(), took: Vec::new() };
        Board { manner, axes, cells, names, is_thesis, state: Mutex::new(state) }
    }

    /// Runs all cells, `jobs` at once, until there are no more or the session is cancelled; after
    /// each, what there is so far is written.
    pub(super) fn run(&self, session: &Session, jobs: usize, so_far: Option<&SoFar>) {
        thread::scope(|scope| {
            for _ in 1..jobs.min(self.cells.len()) {
                scope.spawn(|| self.work(session, jobs, so_far));
            }
            self.work(session, jobs, so_far);
        });
    }

    fn work(&self, session: &Session, jobs: usize, so_far: Option<&SoFar>) {
        while let Some(index) = self.take(session, jobs) {
            let start = Instant::now();
            let measured = measure_cell(&self.manner, &self.axes, &self.cells[index], &session.budget);
            let mut state = self.lock();
            state.running.retain(|running| *running != index);
            state.done[index] = Some(measured);
            state.took.push((index, start.elapsed().as_secs_f64()));
            drop(state);
            if let Some(so_far) = so_far {
                so_far.write(|| self.comparison());
            }
        }
    }

    fn take(&self, session: &Session, jobs: usize) -> Option<usize> {
        let mut state = self.lock();
        if session.budget.check().is_err() || state.next == self.cells.len() {
            return None;
        }
        let index = state.next;
        state.next += 1;
        state.running.push(index);
        session.show_activity(self.activity(&state, jobs));
        Some(index)
    }

    /// What is being done, in a line that fits a terminal.
    fn activity(&self, state: &State, jobs: usize) -> String {
        const MOST_LETTERS: usize = 36;
        let name = |index: &usize| {
            let cell = &self.cells[*index];
            let choices = cell.choice_names().into_iter().flatten();
            std::iter::once(self.names.get(&cell.model_name())).chain(choices).collect::<Vec<_>>().join(" ")
        };
        let names: Vec<String> = state.running.iter().map(name).collect();
        let names = names.join(", ");
        let mut shown: String = printable(&names).chars().take(MOST_LETTERS).collect();
        if shown.chars().count() == MOST_LETTERS {
            shown.push('…');
        }
        let finished: Vec<Finished<'_>> = state
            .took
            .iter()
            .map(|&(index, seconds)| Finished { choices: &self.cells[index].choices, seconds })
            .collect();
        let left = self.cells.iter().enumerate().filter(|(index, _)| state.done[*index].is_none());
        let left = time_left(&finished, left.map(|(_, cell)| &*cell.choices), jobs);
        let left = left.map(|left| format!(", {left}")).unwrap_or_default();
        format!("cell {} of {}{left}: {shown}", state.next, self.cells.len())
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
            names: self.names.clone(),
            is_thesis: self.is_thesis,
        }
    }

    /// The lock; a thread that panicked while holding it had already finished its changes.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
