//! `mcmas`: options, lines and exit status that wrappers know.

use crate::json::validated;
use crate::program::{folder_with, line_in, symbolon};
use std::fs;

/// A lamp that one agent switches, and a second agent that only sees it.
const LAMP: &str = "\
Agent Environment
  Obsvars: lit : boolean; end Obsvars
  Actions = { none };
  Protocol: Other : { none }; end Protocol
  Evolution:
    lit = true if lit = false and Switcher.Action = press;
    lit = false if lit = true and Switcher.Action = press;
  end Evolution
end Agent
Agent Switcher
  Vars: mood : { calm, wild }; end Vars
  Actions = { press, wait };
  Protocol: mood = wild : { press }; Other : { press, wait }; end Protocol
  Evolution: mood = wild if Action = wait; mood = calm if Action = press; end Evolution
end Agent
Agent Watcher
  Vars: seen : boolean; end Vars
  Actions = { look };
  Protocol: Other : { look }; end Protocol
  Evolution: seen = true if Environment.lit = true; end Evolution
end Agent
Evaluation
  lit if Environment.lit = true;
  wild if Switcher.mood = wild;
end Evaluation
InitStates Environment.lit = false and Switcher.mood = calm and Watcher.seen = false; end InitStates
Groups both = { Switcher, Watcher }; end Groups
Formulae
  AG (lit -> K(Watcher, lit));
  AG (wild -> K(Watcher, wild));
  EF (lit and wild);
  <both> F lit;
end Formulae
";

fn folder() -> tempfile::TempDir {
    folder_with("lamp.ispl", LAMP)
}

#[test]
fn lines_are_those_that_wrappers_parse() {
    let folder = folder();
    for words in
        ["mcmas lamp.ispl", "mcmas -v 2 -e 2 -o 2 -d 3 lamp.ispl", "mcmas lamp.ispl --diagram explicit"]
    {
        let run = line_in(folder.path(), words);
        assert_eq!(run.status, Some(0), "{words}: {run:?}");
        let lines: Vec<&str> = run.out.lines().collect();
        assert_eq!(lines[0], "lamp.ispl has been parsed successfully.", "{words}");
        for wanted in [
            "  Formula number 1: (AG (lit -> K(Watcher, lit))), is TRUE in the model",
            "  Formula number 2: (AG (wild -> K(Watcher, wild))), is FALSE in the model",
            "  Formula number 3: (EF (lit && wild)), is TRUE in the model",
            "  Formula number 4: (<both>F lit), is TRUE in the model",
            "done, 4 formulae successfully read and checked",
            "number of reachable states = 7",
        ] {
            assert!(lines.contains(&wanted), "{words}: no '{wanted}' in\n{}", run.out);
        }
        assert!(lines.iter().any(|line| line.starts_with("execution time = ")), "{words}");
        assert!(lines.iter().any(|line| line.starts_with("BDD memory in use = ")), "{words}");
    }
    let run = line_in(folder.path(), "mcmas -q lamp.ispl");
    assert_eq!(run.out.lines().count(), 4, "{}", run.out);
}

#[test]
fn deadlocks_and_depth_are_reported() {
    let folder = folder();
    let run = line_in(folder.path(), "mcmas -k -v 1 lamp.ispl");
    assert!(run.out.contains("There is no deadlock state in the model!\n"), "{}", run.out);
    let depth = run.out.lines().filter(|line| line.starts_with("Computing depth ")).count();
    assert_eq!(depth, 4, "{}", run.out);
    // Where the switcher has nothing to do, no agent steps.
    let stuck =
        LAMP.replace("mood = wild : { press }; Other : { press, wait };", "mood = calm : { press, wait };");
    fs::write(folder.path().join("stuck.ispl"), stuck).expect("written");
    for diagram in ["bdd", "mdd", "explicit"] {
        let run = line_in(folder.path(), &format!("mcmas -k stuck.ispl --diagram {diagram}"));
        assert!(run.out.contains("Attention: there are deadlock states in the model!\n"), "{}", run.out);
        assert!(run.out.contains("Agent Switcher\n  mood = wild\n"), "{}", run.out);
    }
}

#[test]
fn what_is_not_done_is_said() {
    let folder = folder();
    let run = line_in(folder.path(), "--verbose mcmas -u -e 1 -uc 3 lamp.ispl");
    assert_eq!(run.status, Some(0));
    for option in ["-u", "-e 1", "-uc 3"] {
        assert!(run.err.contains(&format!("'{option}' has no effect here")), "{}", run.err);
    }
    let run = line_in(folder.path(), "mcmas -ufgroup nobody lamp.ispl");
    assert_eq!(run.status, Some(2));
    assert!(run.err.contains("there is no group and no agent 'nobody'"), "{}", run.err);
}

#[test]
fn lines_that_leave_a_range_are_named() {
    let folder = folder();
    let counting = LAMP
        .replace("Vars: seen : boolean; end Vars", "Vars: seen : 0 .. 1; end Vars")
        .replace("seen = true if Environment.lit = true;", "seen = seen + 1 if Environment.lit = true;")
        .replace("Watcher.seen = false", "Watcher.seen = 0");
    fs::write(folder.path().join("counting.ispl"), counting).expect("written");
    let run = line_in(folder.path(), "mcmas -a counting.ispl");
    let wanted = "Evolution item 1 in Agent Watcher can cause overflow in the following state:\n------------- State: 0 ";
    assert!(run.out.contains(wanted), "{}", run.out);
    assert!(!run.out.contains("   < 0"), "{}", run.out);
    let run = line_in(folder.path(), "mcmas -a -c 1 counting.ispl");
    assert!(run.out.contains("   < 0 1 "), "{}", run.out);
    let run = line_in(folder.path(), "mcmas -a lamp.ispl");
    assert!(!run.out.contains("overflow"), "{}", run.out);
}

#[test]
fn uniform_strategies_are_asked_for_as_there() {
    let folder = folder();
    // Pressing or waiting is the same to an agent that sees the lamp, so nothing changes here.
    for options in ["-atlk 2", "-uniform", "-ufgroup both"] {
        let run = line_in(folder.path(), &format!("mcmas -q {options} lamp.ispl"));
        assert_eq!(run.status, Some(0), "{options}: {}", run.err);
        assert!(run.out.contains("(<both>F lit), is TRUE"), "{options}: {}", run.out);
    }
}

#[test]
fn witnesses_and_counterexamples_are_printed_and_written() {
    let folder = folder();
    let run = line_in(folder.path(), "mcmas -q -c 1 lamp.ispl");
    for wanted in [
        "  The following is a counterexample for the formula:\n",
        "  The following is a witness for the formula:\n",
        "  States description:\n------------- State: 0 -----------------\nAgent Environment\n  lit = false\n",
        " -Watcher- ",
        "   strategy of { Switcher, Watcher } from 0:\n",
        "is TRUE in the model\n  -- Sorry it is not possible to compute witnesses for this formula\n",
    ] {
        assert!(run.out.contains(wanted), "no '{wanted}' in\n{}", run.out);
    }
    assert!(!folder.path().join("formula2.dot").exists());
    fs::create_dir(folder.path().join("out")).expect("a folder");
    let run = line_in(folder.path(), "mcmas -q -c 2 -p out -exportmodel lamp.ispl");
    assert_eq!(run.out.lines().count(), 4, "{}", run.out);
    let read = |name: &str| fs::read_to_string(folder.path().join("out").join(name)).expect(name);
    assert!(read("formula3.dot").contains("[label=\"<none;"), "{}", read("formula3.dot"));
    assert!(read("formula3.info").contains("  mood = wild\n"), "{}", read("formula3.info"));
    assert_eq!(read("model.info").matches("- State: ").count(), 7);
    assert!(read("model.dot").starts_with("digraph G {\n"));
    assert!(!folder.path().join("out/formula1.dot").exists());
}

#[test]
fn mistakes_end_as_they_do_there() {
    let folder = folder();
    fs::write(folder.path().join("cut.ispl"), &LAMP[..LAMP.len() / 2]).expect("written");
    let run = line_in(folder.path(), "mcmas cut.ispl");
    assert_eq!(run.status, Some(255), "{run:?}");
    assert!(run.out.contains("cut.ispl:"), "{}", run.out);
    assert!(run.out.ends_with("cut.ispl has syntax error(s).\n"), "{}", run.out);
    let check = |from: &str, to: &str, says: &str| {
        fs::write(folder.path().join("wrong.ispl"), LAMP.replacen(from, to, 1)).expect("written");
        let run = line_in(folder.path(), "mcmas wrong.ispl");
        assert_eq!(run.status, Some(255), "{run:?}");
        assert_eq!(run.out, says, "{to}");
    };
    check(
        "Vars: mood : { calm, wild };",
        "Vars: mood { calm, wild };",
        "wrong.ispl:11.14: syntax error, unexpected LCB, expecting COLON\n\
         wrong.ispl has syntax error(s).\n",
    );
    check(
        "<both> F lit;",
        "<both> often lit;",
        "wrong.ispl:32.10-14: syntax error, unexpected identifier, expecting X, F, G or LB\n\
         wrong.ispl has syntax error(s).\n",
    );
    // What is written by the rules and means nothing is another kind of error there, too.
    check(
        "<both> F lit;",
        "<both> F dark;",
        "wrong.ispl:32.12: there is no atom dark\nwrong.ispl has error(s).\n",
    );
    let run = line_in(folder.path(), "mcmas -h");
    assert_eq!(run.status, Some(0));
    assert!(run.out.contains("-exportmodel"), "{}", run.out);
}

#[test]
fn names_in_formulas_are_suggested() {
    let folder = folder();
    let check = |formula: &str, says: &[&str]| {
        let file = folder.path().join("lamp.ispl").display().to_string();
        let run = symbolon(&["check", &file, formula]);
        assert_eq!(run.status, Some(2), "{formula}: {run:?}");
        says.iter().for_each(|says| assert!(run.err.contains(says), "{formula}: no '{says}' in {}", run.err));
    };
    check("AG litt", &["the system has no atom or variable \"litt\"", "did you mean \"lit\"?"]);
    check("K(Watchr, lit)", &["there is no agent \"Watchr\"", "did you mean \"Watcher\"?", "^"]);
    check("<bot> F lit", &["there is no group \"bot\"", "did you mean \"both\"?"]);
}

#[test]
fn json_has_verdicts_and_the_number_of_states() {
    let folder = folder();
    let run = line_in(folder.path(), "mcmas -k lamp.ispl --json");
    let report = validated(&run);
    assert_eq!(report["states"], "7");
    let verdicts: Vec<&str> = report["properties"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|p| p["verdict"].as_str().expect("a word"))
        .collect();
    assert_eq!(verdicts, ["holds", "fails", "holds", "holds"]);
    // `check` asks the same questions, and its exit status tells.
    let run = line_in(folder.path(), "check lamp.ispl --json");
    assert_eq!(run.status, Some(1));
    assert_eq!(validated(&run)["properties"].as_array().map(Vec::len), Some(4));
}
