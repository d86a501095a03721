//! Usage: help, the welcome, manual pages, completions, and what is said of wrong words.

use crate::json::validated;
use crate::program::line;

fn check(words: &str, status: i32, out: &str, err: &str) {
    let run = line(words);
    assert_eq!(run.status, Some(status), "{words}: {run:?}");
    for (text, expected) in [(&run.out, out), (&run.err, err)] {
        assert!(text.contains(expected), "{words}: no '{expected}' in\n{text}");
        assert!(!expected.is_empty() || text.is_empty(), "{words}: unexpected\n{text}");
    }
}

#[test]
fn help_and_tour() {
    check("", 0, "1 of 5  $ symbolon draw producer-consumer:1,1,2 --to text", "");
    check("", 0, "Where to go next:", "");
    check("-h", 0, "Usage: symbolon", "");
    check("--help", 0, "Exit status:", "");
    check("--version", 0, concat!("symbolon ", env!("CARGO_PKG_VERSION")), "");
    check("states --help", 0, "--variable-order", "");
    check("help deadlock", 0, "symbolon deadlock", "");
    let long = line("--help").out;
    let options = line("help options").out;
    for default in ["80 % of", "[default: auto]", "[default: none]"] {
        assert!(long.contains(default), "no '{default}' in\n{long}");
        assert!(options.contains(default), "no '{default}' in\n{options}");
    }
    for option in ["[default: 0]", "--diagram", "--save-vtree", "ulimit -t", "Limits:"] {
        assert!(options.contains(option), "no '{option}' in\n{options}");
        assert!(!long.contains("--save-vtree"), "described once");
    }
    check("help formulas", 0, "precedence", "");
    check("help option", 2, "", "did you mean 'options'?");
    check("states --help", 0, "symbolon help options", "");
}

#[test]
fn wrong_words() {
    check("stats kanban:5", 2, "", "error: there is no command 'stats'\n  hint: did you mean 'states'?\n");
    check("deadlok kanban:5", 2, "", "hint: did you mean 'deadlock'?\n");
    check("elephant", 2, "", "'symbolon --help' lists the commands");
    check("kanban:5", 2, "", "did you mean 'symbolon info kanban:5'?");
    check("Cargo.toml", 2, "", "did you mean 'symbolon info Cargo.toml'?");
    check("check kanban:5", 2, "", "there is no formula to check");
    check("mcmas -z kanban:5", 2, "", "no option '-z'");
    check("states kanban:5 --symmetry=x", 2, "", "counters");
    check("states kanban:5 --symmetry=on", 2, "", "cannot be used for 'kanban:5': ");
    check("states client-server:1,1 --symmetry=on", 2, "", "no class has members that may be exchanged");
    check("info cs-wave:4 --symmetry=on", 2, "", "is supported by the commands states, deadlock");
    check("states cs-wave:4 --symmetry on --diagram explicit", 2, "", "symmetry requires a diagram");
    check("states kanban:5 --vtree=balanced", 2, "", "requires '--diagram sentential'");
    check("deadlock kanban:5 --save-vtree x", 2, "", "is supported by the command");
    check("states kanban:5 --hierarchy=flat", 2, "", "requires '--diagram set'");
    check("states kanban:5 --diagram set --hierarchy=flatt", 2, "", "did you mean 'flat'?");
    check("states kanban:5 --diagram set --hierarchy=groups:0", 2, "", "there is no hierarchy 'groups:0'");
    check("deadlock kanban:5 --save-hierarchy x", 2, "", "is supported by the command 'states' only");
    check("states kanban:5 --jsno", 2, "", "'--json'");
    check("states", 2, "", "<MODEL>");
    check("states a b", 2, "", "unexpected argument 'b'");
    check("states kanban:5 --strategy dfs", 2, "", "saturation");
    check("states kanban:5 --timeout -1", 2, "", "positive number of seconds");
    check("states kanban:5 --timeout soon", 2, "", "positive number of seconds");
    check("states kanban:5 --memory 7Q", 2, "", "200M");
    check("states kanban:5 --memory 0", 2, "", "200M");
    check("states kanban:5 --threads 0", 2, "", "0");
    check("states kanban:5 -q -v", 2, "", "cannot be used with");
    check("mcc Statespac .", 2, "", "StateSpace");
    check("mcc StateSpace nowhere", 2, "", "model.pnml");
    check("help sates", 2, "", "did you mean 'states'?");
    check("man sates", 2, "", "did you mean 'states'?");
    check("completions csh", 2, "", "bash");
}

#[test]
fn wrong_words_as_json() {
    for (words, command, says) in [
        ("--json stats", None, "stats"),
        ("states --json", Some("states"), "<MODEL>"),
        ("states kanban:5 --strategy dfs --json", Some("states"), "saturation"),
        ("mcmas -z x --json", Some("mcmas"), "no option '-z'"),
        ("--json --nonsense", None, "--nonsense"),
        ("mcc Nonsense . --json", Some("mcc"), "Nonsense"),
    ] {
        let run = line(words);
        let report = validated(&run);
        assert_eq!(run.status, Some(2), "{words}");
        assert_eq!(run.err, "", "{words}");
        assert_eq!(report["status"], "error", "{words}");
        assert_eq!(report["command"].as_str(), command, "{words}");
        let message = report["error"]["message"].as_str().expect("a message");
        assert!(message.contains(says), "{words}: {message}");
    }
    // After `--` nothing is an option.
    assert!(!line("states a b -- --json").out.starts_with('{'));
}

#[test]
fn manual_pages_and_completions() {
    check("man", 0, ".TH symbolon 1", "");
    check("man states", 0, ".TH symbolon-states 1", "");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        check(&format!("completions {shell}"), 0, "SYMBOLON_COMPLETE", "");
    }
}
