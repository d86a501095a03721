//! Wrong input: one clear message with file, line and column where there is one, exit status 2.

use crate::json::validated;
use crate::nets::{ONE_STEP, one_step_with};
use crate::program::line_in;
use std::fs;
use std::path::Path;

/// A mistake and what is said about it.
struct Mistake {
    file: &'static str,
    content: Vec<u8>,
    /// How standard error begins.
    begins: &'static str,
    /// What it contains.
    says: &'static str,
}

fn mistakes() -> Vec<Mistake> {
    let mistake = |file, content: &str, begins, says| Mistake { file, content: content.into(), begins, says };
    let binary: Vec<u8> = (0..4000_u32).map(|number| (number * 7919 % 256) as u8).collect();
    vec![
        mistake("cut.pnml", &ONE_STEP[..400], "cut.pnml:10:", "cut off"),
        mistake(
            "space.pnml",
            &one_step_with("version-2009/grammar/pnml", "version-1999/other"),
            "space.pnml:2:1: error:",
            "namespace",
        ),
        mistake(
            "nowhere.pnml",
            &one_step_with(r#"target="q""#, r#"target="nowhere""#),
            "nowhere.pnml:9:7: error:",
            "\"nowhere\"",
        ),
        mistake(
            "negative.pnml",
            &one_step_with(
                r#"target="q"/>"#,
                r#"target="q"><inscription><text>-2</text></inscription></arc>"#,
            ),
            "negative.pnml:9:",
            "negative",
        ),
        mistake(
            "twice.pnml",
            &one_step_with(r#"place id="q""#, r#"place id="p""#),
            "twice.pnml:6:7: error:",
            "already taken",
        ),
        mistake("empty.pnml", "", "empty.pnml: error:", "empty"),
        Mistake { file: "binary.pnml", content: binary, begins: "binary.pnml:", says: "error:" },
        mistake(
            "coloured.pnml",
            &one_step_with("grammar/ptnet", "grammar/symmetricnet"),
            "coloured.pnml:5:7: error:",
            "place \"p\" has no <type>",
        ),
        mistake("prose.txt", "This is no net.\n", "prose.txt:", "error:"),
        mistake("page.html", "<!DOCTYPE html><html></html>", "page.html:", "error:"),
        mistake("cut.ll_net", "PEP\nPTNet\n", "cut.ll_net:", "error:"),
    ]
}

#[test]
fn wrong_files_get_one_clear_message() {
    let folder = tempfile::tempdir().expect("a folder");
    for mistake in mistakes() {
        fs::write(folder.path().join(mistake.file), &mistake.content).expect("written");
        for command in ["states", "deadlock"] {
            check(folder.path(), &format!("{command} {}", mistake.file), mistake.begins, mistake.says);
        }
    }
}

fn check(folder: &Path, words: &str, begins: &str, says: &str) {
    let run = line_in(folder, words);
    assert_eq!(run.status, Some(2), "{words}: {run:?}");
    assert_eq!(run.out, "", "{words}");
    assert!(run.err.starts_with(begins), "{words}: expected '{begins}' in front of\n{}", run.err);
    assert!(run.err.contains(says), "{words}: no '{says}' in\n{}", run.err);
    assert!(!run.err.contains("panicked") && !run.err.contains("bug"), "{words}: {}", run.err);

    // The same as JSON: the object has the place as numbers, and nothing is on standard error.
    let run = line_in(folder, &format!("{words} --json"));
    let report = validated(&run);
    assert_eq!(run.status, Some(2), "{words}");
    assert_eq!(run.err, "", "{words}");
    assert_eq!(report["status"], "error", "{words}");
    let error = &report["error"];
    let place: Vec<String> =
        ["line", "column"].iter().filter_map(|key| error[*key].as_u64()).map(|n| n.to_string()).collect();
    if let Some(file) = error["file"].as_str() {
        let shown = [&[file.to_string()], &place[..]].concat().join(":");
        assert!(shown.starts_with(begins.trim_end_matches("error:").trim().trim_end_matches(':')), "{shown}");
    }
}

#[test]
fn what_is_no_file_gets_one_clear_message() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("good.pnml"), ONE_STEP).expect("written");
    fs::create_dir_all(folder.path().join("folder")).expect("made");
    fs::create_dir_all(folder.path().join("contest")).expect("made");
    fs::write(folder.path().join("contest/model.pnml"), ONE_STEP).expect("written");
    let check = |words: &str, begins: &str, says: &str| check(folder.path(), words, begins, says);
    check("states folder", "folder: error:", "folder");
    check("states contest", "contest: error:", "did you mean 'contest/model.pnml'?");
    check("states goood.pnml", "error: there is no file 'goood.pnml'", "did you mean 'good.pnml'?");
    check("states folder/x.pnml", "error: there is no file 'folder/x.pnml'", "");
    check("states contest/modle.pnml", "error:", "did you mean 'contest/model.pnml'?");
    check("states kanbam:5", "error: 'kanbam:5' is neither", "did you mean 'kanban:5'?");
    check("states elephant", "error: 'elephant' is neither", "symbolon models");
    check("states kanban", "error:", "kanban:5");
    check("states kanban:x", "error:", "'x' is not a number");
    check("states kanban:0", "error:", "0");
    check("states kanban:1,2", "error:", "found 2");
    check("states good.pnml --variable-order forec", "error:", "did you mean 'force'?");
    check("states good.pnml --diagram sentential --vtree balance", "error:", "did you mean 'balanced'?");
    check("states good.pnml --format ispl", "good.pnml:", "error:");
    check("states good.pnml --format ll_net", "good.pnml:", "error:");
    check("states good.pnml --diagram mdd --reorder dynamic", "error: '--reorder'", "--diagram bdd");
    check("deadlock good.pnml --save-order x", "error: '--save-order'", "states");
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_gets_one_clear_message() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("secret.pnml");
    fs::write(&path, ONE_STEP).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("changed");
    if fs::read(&path).is_ok() {
        println!("SKIPPED: this user reads everything, so nothing is unreadable");
        return;
    }
    check(folder.path(), "states secret.pnml", "secret.pnml: error:", "permission denied");
}
