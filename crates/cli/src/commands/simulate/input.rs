//! The lines of standard input, read by a thread of their own, so that waiting for the next one
//! still notices limits and Ctrl-C. At a terminal that thread is the [line editor](super::editor).

use super::editor::{KnownNames, edit_lines};
use super::interrupts::Interrupts;
use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;
use symbolon_checker::{Budget, Interrupted};

/// The number of lines that are read ahead.
const READ_AHEAD: usize = 64;
/// How often the limits are checked while waiting.
const LOOK: Duration = Duration::from_millis(20);

/// The lines still to come.
pub(super) struct Input {
    lines: Receiver<String>,
    /// Asks the line editor for a line, with this prompt.
    prompts: Option<SyncSender<String>>,
}

/// What comes next.
pub(super) enum Next {
    /// A line, without its end.
    Line(String),
    /// Nothing: the input is over, or Ctrl-C was pressed.
    End,
    /// A limit was reached while waiting.
    Interrupted(Interrupted),
}

impl Input {
    /// Begins to read.
    pub(super) fn open() -> Input {
        let (sender, lines) = sync_channel(READ_AHEAD);
        // Without the thread the channel closes, which looks like an empty input.
        let _ = thread::Builder::new().name("input".into()).spawn(move || read_lines(&sender));
        Input { lines, prompts: None }
    }

    /// The same with a line editor, which completes these names.
    pub(super) fn edited(names: KnownNames, is_coloured: bool) -> Input {
        let (sender, lines) = sync_channel(1);
        let (prompts, asked) = sync_channel(1);
        let names = Arc::new(names);
        let edit = move || edit_lines(&asked, &sender, names, is_coloured);
        let _ = thread::Builder::new().name("input".into()).spawn(edit);
        Input { lines, prompts: Some(prompts) }
    }

    /// Whether a line editor shows the prompts.
    pub(super) fn is_edited(&self) -> bool {
        self.prompts.is_some()
    }

    /// Waits for the next line; a line editor asks for it with this prompt.
    pub(super) fn next(&self, prompt: &str, budget: &Budget, interrupts: &Interrupts) -> Next {
        // An editor that is gone gives no line either, which is found out below.
        if let Some(prompts) = &self.prompts {
            let _ = prompts.send(prompt.to_string());
        }
        loop {
            if interrupts.is_over() {
                return Next::End;
            }
            if let Err(why) = budget.check() {
                return Next::Interrupted(why);
            }
            match self.lines.recv_timeout(LOOK) {
                Ok(line) => return Next::Line(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Next::End,
            }
        }
    }
}

fn read_lines(sender: &SyncSender<String>) {
    let mut input = io::stdin().lock();
    let mut bytes = Vec::new();
    let mut is_first = true;
    // A terminal that was closed gives an error, which is an end too.
    while matches!(input.read_until(b'\n', &mut bytes), Ok(count) if count > 0) {
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_end_matches(['\n', '\r']);
        let text = if is_first { text.trim_start_matches('\u{feff}') } else { text };
        if sender.send(text.to_string()).is_err() {
            return;
        }
        is_first = false;
        bytes.clear();
    }
}
