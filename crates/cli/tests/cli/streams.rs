//! Standard output and standard error: closed pipes, full disks, colours, progress.

use crate::program::{command, line};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};

/// Reads one line and closes the pipe; the program must not mind.
#[test]
fn a_closed_pipe_is_no_error() {
    for words in [
        "models",
        "completions zsh",
        "man",
        "--help",
        "states philosophers:20000 -q --timeout 100",
        "deadlock philosophers:200",
        "models --json",
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let mut child = command(&words).spawn().expect("starts");
        let mut first = String::new();
        // A small buffer, so that most of the answer is still to come when the pipe closes.
        let mut reader = BufReader::with_capacity(16, child.stdout.take().expect("piped"));
        if words[0] == "models" {
            reader.read_line(&mut first).expect("a line");
        }
        drop(reader);
        let mut err = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut err).expect("text");
        let status = child.wait().expect("ends").code();
        let expected = if words[0] == "deadlock" { 1 } else { 0 };
        assert_eq!((status, err.as_str()), (Some(expected), ""), "{words:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for words in [&["models"][..], &["states", "kanban:2"], &["states", "kanban:2", "--json"]] {
        let full = File::options().write(true).open("/dev/full").expect("Linux has it");
        let output = command(words).stdout(full).output().expect("starts");
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(err.starts_with("error: cannot write to standard output"), "{words:?}: {err}");
    }
}

#[test]
fn colours_are_for_terminals_or_on_demand() {
    for (words, no_color, expected) in [
        ("states kanban:2", false, false),
        ("states kanban:2 --color always", false, true),
        ("states kanban:2 --color never", false, false),
        ("states kanban:2 --color auto", true, false),
        ("--color=always --help", false, true),
        ("states nothing-there --color always", false, true),
        ("states nothing-there", false, false),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let mut command = command(&words);
        if no_color {
            command.env("NO_COLOR", "1");
        }
        let output = command.output().expect("starts");
        let is_coloured = [output.stdout, output.stderr].concat().contains(&0x1b);
        assert_eq!(is_coloured, expected, "{words:?}");
    }
}

/// `script` gives the program a terminal.
#[cfg(target_os = "linux")]
#[test]
fn progress_is_shown_on_a_terminal_and_erased() {
    if std::process::Command::new("script").arg("--version").output().is_err() {
        println!("SKIPPED: there is no `script` to make a terminal with");
        return;
    }
    let shown = |options: &str| {
        let words = format!(
            "{} states slotted-ring:300 --strategy bfs --timeout 1.5 {options}",
            env!("CARGO_BIN_EXE_symbolon")
        );
        let output = std::process::Command::new("script")
            .args(["-qec", &words, "/dev/null"])
            .env("TERM", "xterm")
            .stdin(std::process::Stdio::null())
            .output()
            .expect("script runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let text = shown("");
    assert!(text.contains(" nodes, ") && text.contains(" steps"), "{text:?}");
    let erased = text.rfind("\r\x1b[K").expect("the line is erased");
    assert!(erased < text.find("model").expect("the answer"), "{text:?}");
    for options in ["-q", "--json"] {
        assert!(!shown(options).contains(" nodes, "), "{options}");
    }
}

#[test]
fn options_that_do_nothing_yet_are_taken() {
    for words in ["states kanban:2 -q --threads 8", "states kanban:2 -q --seed 7"] {
        let run = line(words);
        assert_eq!((run.status, run.out.as_str()), (Some(0), "4600\n"), "{words}");
    }
}
