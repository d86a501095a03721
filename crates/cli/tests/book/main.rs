//! Every command in the book and in the README is run, and must print what the page says.
//!
//! ```text
//! book/src/*.md, README.md ──page──▶ files and commands ──sh──▶ output ──▶ the page, or a complaint
//! ```
//!
//! A page is run from top to bottom in an empty folder of its own. `SYMBOLON_UPDATE=1 cargo test -p
//! symbolon-cli --test book` writes what the program prints into the pages instead; read the change
//! before you keep it.

mod compare;
mod page;

use page::{Block, Page};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where pictures that pages show lie, beside the pages.
const PICTURES: &str = "pictures";

#[test]
fn every_page_tells_the_truth() {
    let update = std::env::var_os("SYMBOLON_UPDATE").is_some();
    let mut complaints = Vec::new();
    let mut commands = 0;
    let pages = pages();
    for file in &pages {
        let text = fs::read_to_string(file).expect("a page is readable text");
        let page = Page::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let folder = tempfile::tempdir().expect("a temporary folder");
        let outputs = run(&page, folder.path());
        commands += outputs.len();
        if update {
            fs::write(file, page.with_outputs(&outputs)).expect("the page is writable");
        } else {
            complaints.extend(disagreements(file, &page, &outputs));
        }
        complaints.extend(pictures(file, folder.path(), update));
    }
    println!("book: {} pages, {commands} commands", pages.len());
    assert!(commands >= 20, "only {commands} commands were found: is the book still there?");
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

#[test]
fn the_summary_names_every_page() {
    let folder = root().join("book/src");
    let summary = fs::read_to_string(folder.join("SUMMARY.md")).expect("the book has a summary");
    for file in pages().iter().filter(|file| file.starts_with(&folder)) {
        let name = file.strip_prefix(&folder).expect("inside the book").display().to_string();
        assert!(summary.contains(&format!("({name})")), "SUMMARY.md does not mention {name}");
    }
    let links = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    for link in links.filter(|link| !link.is_empty()) {
        assert!(folder.join(link).is_file(), "SUMMARY.md mentions {link}, which does not exist");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The README and the pages of the book, in order.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![root().join("README.md")];
    collect(&root().join("book/src"), &mut pages);
    pages.retain(|page| page.file_name().is_some_and(|name| name != "SUMMARY.md"));
    pages
}

fn collect(folder: &Path, pages: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("the book's folder is readable");
    let mut entries: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            collect(&entry, pages);
        } else if entry.extension().is_some_and(|extension| extension == "md") {
            pages.push(entry);
        }
    }
}

/// Runs a page in an empty folder; returns what each command printed.
fn run(page: &Page, folder: &Path) -> Vec<String> {
    let mut outputs = Vec::new();
    for block in &page.blocks {
        match block {
            Block::File { name, text } => {
                let path = folder.join(name);
                fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
                fs::write(path, text).expect("a file of a page");
            }
            Block::Command { line, .. } => outputs.push(shell(line, folder)),
        }
    }
    outputs
}

/// Whether a program is installed that some commands need; says so if not.
fn is_installed(program: &str) -> bool {
    let search = format!("command -v {program}");
    let found = Command::new("sh").args(["-c", &search]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let is_there = found.is_ok_and(|status| status.success());
    if !is_there {
        println!("SKIPPED: commands that need {program}, which is not installed");
    }
    is_there
}

/// What a command prints, on standard output and standard error alike.
fn shell(line: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_symbolon"));
    let bin = program.parent().expect("the program lies in a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([bin.to_path_buf()].into_iter().chain(std::env::split_paths(&path)));
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{line}")])
        .current_dir(folder)
        .env("PATH", path.expect("a path that can be joined"))
        .env("NO_COLOR", "1")
        .env("COLUMNS", "80")
        .env_remove("SYMBOLON_UPDATE")
        .stdin(Stdio::null())
        .output()
        .expect("sh runs");
    String::from_utf8(output.stdout).expect("output is text")
}

fn disagreements(file: &Path, page: &Page, outputs: &[String]) -> Vec<String> {
    let commands = page.blocks.iter().filter_map(|block| match block {
        Block::Command { line, output, number } => Some((line, output, number)),
        Block::File { .. } => None,
    });
    let differs = |expected: &String, found: &String| !compare::matches(expected, found);
    commands
        .zip(outputs)
        .filter(|((_, expected, _), found)| differs(expected, found))
        .map(|((line, expected, number), found)| {
            let file = file.display();
            format!("{file}:{number}: $ {line}\n--- the page says\n{expected}--- the program says\n{found}")
        })
        .collect()
}

/// A picture that a page draws is shown in the book under the same name, and must be that picture.
fn pictures(file: &Path, folder: &Path, update: bool) -> Vec<String> {
    let mut complaints = Vec::new();
    let shown = root().join("book/src").join(PICTURES);
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.path().extension().is_some_and(|end| end == "svg")) {
        let (drawn, kept) = (entry.path(), shown.join(entry.file_name()));
        if update {
            fs::create_dir_all(&shown).and_then(|()| fs::copy(&drawn, &kept)).expect("a picture is kept");
        } else if fs::read(&drawn).ok() != fs::read(&kept).ok() {
            complaints.push(format!("{}: draws another {}", file.display(), kept.display()));
        }
    }
    complaints
}
