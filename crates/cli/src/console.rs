//! Standard output and standard error, shared by the command, the watcher and the Ctrl-C handler.
//!
//! One lock keeps their lines apart, erases the progress line before anything else is written, and
//! lets exactly one of them print the answer (F1).

use crate::answer::ExitStatus;
use crate::arguments::ColorWhen;
use crate::terminal_mode::KeptMode;
use anstream::{AutoStream, ColorChoice};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The two streams.
pub(crate) struct Console {
    color: ColorChoice,
    mode: KeptMode,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The one answer was printed.
    is_answered: bool,
    /// A progress line stands on the terminal.
    has_progress: bool,
    /// No progress line is drawn any more.
    is_progress_over: bool,
}

/// What became of an answer.
#[derive(Debug)]
pub(crate) enum Printed {
    /// It was printed, or the reader had closed the pipe.
    Yes,
    /// Another thread had already answered.
    TooLate,
    /// It could not be written.
    Failed(io::Error),
}

impl Console {
    /// The console with colours as asked for.
    pub(crate) fn new(color: ColorWhen) -> Console {
        let color = match color {
            ColorWhen::Auto => ColorChoice::Auto,
            ColorWhen::Always => ColorChoice::Always,
            ColorWhen::Never => ColorChoice::Never,
        };
        Console { color, mode: KeptMode::default(), state: Mutex::default() }
    }

    /// Prints the one answer of this process.
    pub(crate) fn answer(&self, text: &str, status: ExitStatus) -> Printed {
        self.answer_locked(self.lock(), text, status)
    }

    /// The same, unless another thread is printing right now.
    pub(crate) fn answer_if_free(&self, text: &str, status: ExitStatus) -> Printed {
        match self.state.try_lock() {
            Ok(state) => self.answer_locked(state, text, status),
            Err(_) => Printed::TooLate,
        }
    }

    fn answer_locked(&self, mut state: MutexGuard<'_, State>, text: &str, status: ExitStatus) -> Printed {
        // The handler of failed allocations may answer, too.
        if state.is_answered || !symbolon_process::begin_answer(status as u8) {
            return Printed::TooLate;
        }
        state.is_answered = true;
        self.mode.put_back();
        self.erase_progress(&mut state);
        match self.write_out(text) {
            Ok(_) => Printed::Yes,
            Err(error) => Printed::Failed(error),
        }
    }

    /// Prints a piece of an answer that comes piece by piece. False once the answer is closed, or
    /// once the reader has closed the pipe.
    pub(crate) fn answer_piece(&self, text: &str) -> io::Result<bool> {
        let mut state = self.lock();
        if state.is_answered {
            return Ok(false);
        }
        self.erase_progress(&mut state);
        self.write_out(text)
    }

    /// Says something on standard error.
    pub(crate) fn note(&self, text: &str) {
        let mut state = self.lock();
        self.erase_progress(&mut state);
        // There is nowhere left to complain if standard error is closed.
        let mut stream = AutoStream::new(io::stderr(), self.color);
        let _ = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
    }

    /// Replaces the progress line, if standard error is a terminal.
    pub(crate) fn draw_progress(&self, text: &str) {
        let mut state = self.lock();
        if !state.is_answered && !state.is_progress_over {
            state.has_progress = true;
            let _ = write!(io::stderr(), "\r\x1b[K{text}");
        }
    }

    /// Erases the progress line for good: from now on the user is asked for input.
    pub(crate) fn end_progress(&self) {
        let mut state = self.lock();
        self.erase_progress(&mut state);
        state.is_progress_over = true;
    }

    /// A line editor is going to change the mode of the terminal: it is put back before the answer.
    pub(crate) fn keep_mode(&self) {
        self.mode.keep();
    }

    /// Puts the mode back that was kept, if any was.
    pub(crate) fn put_mode_back(&self) {
        self.mode.put_back();
    }

    /// Whether standard output shows colours.
    pub(crate) fn is_coloured(&self) -> bool {
        AutoStream::new(io::stdout(), self.color).current_choice() != ColorChoice::Never
    }

    /// Whether a progress line can be drawn.
    pub(crate) fn can_show_progress() -> bool {
        io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|kind| kind != "dumb")
    }

    fn erase_progress(&self, state: &mut State) {
        if state.has_progress {
            state.has_progress = false;
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }

    /// Writes to standard output; a closed pipe is not an error (F2), but gives false.
    fn write_out(&self, text: &str) -> io::Result<bool> {
        // Nothing to write is written, also where an earlier piece is stuck in the buffer of a full
        // disk.
        if text.is_empty() {
            return Ok(true);
        }
        let mut stream = AutoStream::new(io::stdout(), self.color);
        match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
            written => written.map(|()| true),
        }
    }

    /// The lock; a thread that panicked while it printed left nothing worse than half a line.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The width of the terminal that shows the answers, if one does: what COLUMNS says, or what the
/// terminal reports.
pub(crate) fn columns() -> Option<usize> {
    columns_of(&io::stdout())
}

/// The width of the terminal that shows messages, if one does.
pub(crate) fn message_columns() -> Option<usize> {
    columns_of(&io::stderr())
}

#[cfg(unix)]
trait Stream: IsTerminal + std::os::fd::AsFd {}
#[cfg(unix)]
impl<S: IsTerminal + std::os::fd::AsFd> Stream for S {}
#[cfg(windows)]
trait Stream: IsTerminal + std::os::windows::io::AsHandle {}
#[cfg(windows)]
impl<S: IsTerminal + std::os::windows::io::AsHandle> Stream for S {}

fn columns_of(stream: &impl Stream) -> Option<usize> {
    if !stream.is_terminal() {
        return None;
    }
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let reported = || terminal_size::terminal_size_of(stream).map(|(width, _)| usize::from(width.0));
    said.or_else(reported).filter(|columns| *columns > 0)
}
