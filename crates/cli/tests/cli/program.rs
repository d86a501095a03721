//! Runs the program and looks at what it did.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// No run of a test may take longer; it is killed then, and the test fails.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a run did.
#[derive(Debug)]
pub(crate) struct Run {
    /// The exit status; `None` after a signal.
    pub(crate) status: Option<i32>,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
    /// How long it took.
    pub(crate) time: Duration,
}

/// Runs with these words, in the folder of the test.
pub(crate) fn symbolon<S: AsRef<OsStr>>(words: &[S]) -> Run {
    wait(command(words), Instant::now())
}

/// Runs a line of words that contain no spaces.
pub(crate) fn line(words: &str) -> Run {
    symbolon(&words.split_whitespace().collect::<Vec<_>>())
}

/// The same in another folder.
pub(crate) fn line_in(folder: &Path, words: &str) -> Run {
    symbolon_in(folder, &words.split_whitespace().collect::<Vec<_>>())
}

/// Runs with these words in another folder.
pub(crate) fn symbolon_in<S: AsRef<OsStr>>(folder: &Path, words: &[S]) -> Run {
    let mut command = command(words);
    command.current_dir(folder);
    wait(command, Instant::now())
}

/// The same with more variables in the environment.
pub(crate) fn run_with<S: AsRef<OsStr>>(folder: &Path, words: &[S], variables: &[(&str, &str)]) -> Run {
    let mut command = command(words);
    command.current_dir(folder).envs(variables.iter().copied());
    wait(command, Instant::now())
}

/// A folder with one file, gone when the test is over.
pub(crate) fn folder_with(file: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join(file), text).expect("written");
    folder
}

/// The same with something on standard input.
pub(crate) fn line_with_input(words: &str, input: &[u8]) -> Run {
    let start = Instant::now();
    let mut command = command(&words.split_whitespace().collect::<Vec<_>>());
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the program starts");
    child.stdin.take().expect("piped").write_all(input).expect("the program reads");
    collect(child, start)
}

/// A command with captured output and no input.
pub(crate) fn command<S: AsRef<OsStr>>(words: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_symbolon"));
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

fn wait(mut command: Command, start: Instant) -> Run {
    collect(command.spawn().expect("the program starts"), start)
}

/// Waits for the end of a run. A run without end is killed.
pub(crate) fn collect(child: Child, start: Instant) -> Run {
    let id = child.id().to_string();
    let (done, is_done) = std::sync::mpsc::channel::<()>();
    let guard = std::thread::spawn(move || {
        if is_done.recv_timeout(PATIENCE) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            let _ = Command::new("kill").args(["-KILL", &id]).status();
        }
    });
    let output = child.wait_with_output().expect("the program ends");
    let time = start.elapsed();
    drop(done);
    guard.join().expect("the guard ends");
    Run {
        status: output.status.code(),
        out: String::from_utf8(output.stdout).expect("text on standard output"),
        err: String::from_utf8(output.stderr).expect("text on standard error"),
        time,
    }
}
