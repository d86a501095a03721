//! `simulate` from a pipe and from the command line: what scripts get to see, traces that are saved
//! and replayed.

use crate::json::validated;
use crate::nets::{ONE_STEP, unbounded};
use crate::program::{Run, command, line, line_in, line_with_input, symbolon};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

/// A script, what it prints, and how it ends.
fn check(options: &str, script: &str, status: i32, out: &str, err: &str) {
    let run = line_with_input(&format!("simulate {options}"), script.as_bytes());
    assert_eq!(run.status, Some(status), "{options}, {script:?}: {run:?}");
    assert_eq!(run.out, out, "{options}, {script:?}");
    assert_eq!(run.err, err, "{options}, {script:?}");
}

const FIRST: &str = " 1  FF1a_1     Think_1 1->0, Fork_3 1->0, Catch1_1 0->1\n";
const SECOND: &str = " 2  FF1a_2     Think_2 1->0, Fork_1 1->0, Catch1_2 0->1\n";
const THIRD: &str = " 3  FF1a_3     Think_3 1->0, Fork_2 1->0, Catch1_3 0->1\n";
const DEAD: &str = "deadlock: no transition is enabled\n";

#[test]
fn walks_go_on_until_something_is_true() {
    // What is true of the places with tokens that the walk ends with.
    let marked = |formula: &str, seed: u32| -> (Vec<String>, String) {
        let script = format!("until {formula}\nmarking\n");
        let run = line_with_input(&format!("simulate philosophers:4 --seed {seed}"), script.as_bytes());
        assert_eq!(run.status, Some(0), "{formula}: {run:?}");
        let lines = run.out.lines().filter_map(|line| line.strip_suffix("=1")).map(str::to_string);
        (lines.collect(), run.out)
    };
    fn eats(places: &[String], number: u32) -> bool {
        places.contains(&format!("Eat_{number}"))
    }
    for seed in 0..8 {
        for (formula, is_true) in [
            ("Eat_1 | deadlock", (|places| eats(places, 1)) as fn(&[String]) -> bool),
            ("(Eat_1 | Eat_2) | deadlock", |places| eats(places, 1) || eats(places, 2)),
            ("Eat_1 & Eat_3 | deadlock", |places| eats(places, 1) && eats(places, 3)),
            ("!(Think_1 & Think_2) | deadlock", |places| {
                !(places.contains(&"Think_1".into()) && places.contains(&"Think_2".into()))
            }),
            ("(Eat_2 -> false) & Eat_4 | deadlock", |places| !eats(places, 2) && eats(places, 4)),
            ("(Eat_1 <-> Think_2) | deadlock", |places| {
                eats(places, 1) == places.contains(&"Think_2".into())
            }),
        ] {
            let (places, out) = marked(formula, seed);
            let is_dead = out.contains("deadlock: no transition is enabled");
            assert!(is_dead || is_true(&places), "{formula}, seed {seed}: {out}");
            assert!(out.contains("it is true"), "{formula}, seed {seed}: {out}");
        }
    }
    check("philosophers:3", "until Think_1\n", 0, "it is true already\n", "");
    let never = line_with_input("simulate kanban:1", b"until P1 >= 2\n");
    assert!(never.out.ends_with("it was not true in 100000 steps; the same command goes on from here\n"));
    check(
        "philosophers:3",
        "until EF Eat_1\n",
        2,
        "",
        "<stdin>:1: error: 'EF Eat_1' looks at more than one state, expected a formula about a state\n  \
         hint: such as: until p + q >= 2 & !r; 'symbolon check' answers formulas about runs\n",
    );
    let run = line_with_input("simulate philosophers:3", b"until Eat_7\n");
    assert!(run.status == Some(2) && run.err.contains("Eat_7"), "{run:?}");
    let run = line_with_input("simulate philosophers:3", b"until\n");
    assert!(run.status == Some(2) && run.err.contains("'until' needs something behind it"), "{run:?}");
}

#[test]
fn places_say_since_when() {
    let net = "philosophers:3";
    check(net, "why Fork_1\n", 0, "place 'Fork_1' is 1, as at the start\n", "");
    check(
        net,
        "1\nFF1a_2\nwhy Fork_3\nwhy Eat_1\n",
        0,
        &format!(
            "{FIRST}{SECOND}place 'Fork_3' is 0, since step 1, FF1a_1; before it was 1\n\
             place 'Eat_1' is 0, as at the start\n"
        ),
        "",
    );
    let run = line_with_input("simulate philosophers:3", b"why Frok_1\n");
    assert!(run.status == Some(2) && run.err.contains("'Frok_1'"), "{run:?}");
}

#[test]
fn scripts_are_carried_out() {
    let net = "philosophers:3";
    check(net, "", 0, "", "");
    check(net, "# a remark\n\n", 0, "", "");
    check(net, "1\n", 0, FIRST, "");
    check(net, "FF1a_1\nquit\nnonsense\n", 0, FIRST, "");
    check(net, "\u{feff}FF1a_1\r\n\"FF1a_2\"\r\n", 0, &[FIRST, SECOND].concat(), "");
    check(net, "fire 1\nundo\nredo\nFF1a_2", 0, &[FIRST, SECOND].concat(), "");
    check(net, "1\nFF1a_2\nFF1a_3\n", 0, &[FIRST, SECOND, THIRD, DEAD].concat(), "");
    check(
        net,
        "1\nreset\ne\n",
        0,
        &format!("{FIRST}1 FF1a_1\n2 FF1a_2\n3 FF1a_3\n4 FF1b_1\n5 FF1b_2\n6 FF1b_3\n"),
        "",
    );
    check(net, "1\ne b_\n", 0, &format!("{FIRST}3 FF1b_2\n"), "");
    check(net, "1\nm\n", 0, &format!("{FIRST}Think_2=1\nThink_3=1\nFork_1=1\nFork_2=1\nCatch1_1=1\n"), "");
    check(net, "m Fork_1\n", 0, "Fork_1=1\n", "");
    check(
        net,
        "1\nFF1a_2\ngoto 1\nt\n",
        0,
        &format!(
            "{FIRST}{SECOND} 0  initially  Think_1=1, Think_2=1, Think_3=1, Fork_1=1, Fork_2=1, Fork_3=1\n{FIRST}    \
             now        Think_2=1, Think_3=1, Fork_1=1, Fork_2=1, Catch1_1=1\n"
        ),
        "",
    );
    check(
        net,
        "why End_2\nwhy FF1a_1\n",
        0,
        "transition 'End_2' is not enabled:\n  place 'Eat_2' has 0 tokens, needs 1\ntransition 'FF1a_1' is enabled\n",
        "",
    );
    // Only one of those whose names begin so is enabled.
    check(
        net,
        "FF1a_1\nFF2\n",
        0,
        &format!("{FIRST} 2  FF2a_1     Fork_1 1->0, Catch1_1 1->0, Eat_1 0->1\n"),
        "",
    );
    check(&format!("{net} -q"), "1\nFF1a_2\nFF1a_3\n", 0, "FF1a_1\nFF1a_2\nFF1a_3\n", "");
}

#[test]
fn the_first_mistake_ends_a_script() {
    let wrong = |script: &str, out: &str, err: &str| {
        check("philosophers:3", script, 2, out, &format!("<stdin>:{err}\n"));
    };
    wrong(
        "1\nundu\n1\n",
        FIRST,
        "2: error: there is no command and no transition 'undu'\n  hint: did you mean 'undo'?",
    );
    wrong(
        "\nFF1a1\n",
        "",
        "2: error: there is no command and no transition 'FF1a1'\n  hint: did you mean 'FF1a_1'?",
    );
    wrong(
        "rndom 3\n",
        "",
        "1: error: there is no command and no transition 'rndom 3'\n  hint: did you mean 'random 3'?",
    );
    wrong(
        "xyzzy\n",
        "",
        "1: error: there is no command and no transition 'xyzzy'\n  hint: ? lists the commands",
    );
    wrong("End_1\n", "", "1: error: transition 'End_1' is not enabled: place 'Eat_1' has 0 tokens, needs 1");
    wrong("\"end\"\n", "", "1: error: there is no transition 'end'");
    wrong(
        "FF1\n",
        "",
        "1: error: 6 transitions begin with 'FF1'\n  hint: write more of one: FF1a_1, FF1a_2, FF1a_3, …",
    );
    wrong("0\n", "", "1: error: there is no number 0: 1 to 6 are enabled");
    wrong("7\n", "", "1: error: there is no number 7: 1 to 6 are enabled");
    wrong("undo\n", "", "1: error: there is nothing to undo");
    wrong("1\nredo\n", FIRST, "2: error: there is nothing to redo");
    wrong("goto 3\n", "", "1: error: there is no step 3: the trace has 0 steps");
    wrong("undo x\n", "", "1: error: 'undo' takes a number, found 'x'\n  hint: such as: undo 3");
    wrong("save\n", "", "1: error: 'save' needs something behind it: save FILE");
    wrong(
        "1\nFF1a_2\nFF1a_3\nr\n",
        &[FIRST, SECOND, THIRD, DEAD].concat(),
        "4: error: no transition is enabled: this is a deadlock",
    );
    let run = line_with_input("simulate philosophers:3", b"load nowhere\n");
    assert_eq!(
        (run.status, run.err.as_str()),
        (Some(2), "nowhere: error: cannot read this file: no such file\n")
    );
}

#[test]
fn names_that_are_commands_or_odd() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |name: &str, script: &str| {
        let escaped = name.replace('&', "&amp;").replace('"', "&quot;").replace('#', "&#35;");
        let net = ONE_STEP.replace("\"t\"", &format!("\"{escaped}\""));
        let model = folder.path().join("a net é.pnml");
        fs::write(&model, net).expect("written");
        let saved = folder.path().join("ä trace.txt");
        let mut child = command(&["simulate".as_ref(), model.as_os_str(), "-q".as_ref()])
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .spawn()
            .expect("starts");
        let script = format!("{script}\nsave ä trace.txt\n");
        child.stdin.take().expect("piped").write_all(script.as_bytes()).expect("reads");
        let output = child.wait_with_output().expect("ends");
        assert_eq!(output.status.code(), Some(0), "{name}: {output:?}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{name}\n"));
        let words = [
            "simulate".as_ref(),
            model.as_os_str(),
            "--replay".as_ref(),
            saved.as_os_str(),
            "--json".as_ref(),
        ];
        let report = validated(&symbolon(&words));
        assert_eq!(report["witness"]["steps"][0]["event"], name, "{report:#}");
        assert_eq!(report["dead"], true);
    };
    check("t", "fire t");
    check("undo", "\"undo\"");
    check("3", "fire \"3\"");
    check("two words", "two words");
    check("#1 of \"all\"", "\"#1 of \\\"all\\\"\"");
    check("Überführung→", "Über");
}

#[test]
fn walks_are_decided_by_the_seed() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = |words: &str| {
        let run = line_in(folder.path(), words);
        assert_eq!(run.status, Some(0), "{words}: {run:?}");
        run.out
    };
    let walk = trace("simulate kanban:3 --random 50 --seed 7 -q --save one.txt");
    assert_eq!(walk.lines().count(), 50);
    assert_eq!(walk, trace("simulate kanban:3 --random 50 --seed 7 -q"));
    assert_ne!(walk, trace("simulate kanban:3 --random 50 --seed 8 -q"));
    assert_eq!(walk, trace("simulate kanban:3 --replay one.txt -q"));
    let saved = fs::read_to_string(folder.path().join("one.txt")).expect("saved");
    assert_eq!(saved, format!("# symbolon trace\n# model: kanban:3\n{walk}"));
    // On from there, and all of it saved.
    let longer = trace("simulate kanban:3 --replay one.txt --random 20 --save two.txt -q");
    assert!(longer.starts_with(&walk) && longer.lines().count() == 70, "{longer}");

    let text = trace("simulate philosophers:2 --random 1000");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "model  philosophers:2");
    assert_eq!(lines[2], "end    deadlock: no transition is enabled");
    assert!(lines[1].starts_with("steps  ") && lines[1].ends_with(" (seed 0)"), "{text}");
    assert!(lines.last().is_some_and(|line| line.contains("  dead       Catch")), "{text}");
    let text = trace("simulate kanban:3 --random 500");
    assert!(text.contains("  380 steps not shown; -v shows all\n"), "{text}");
    let text = trace("simulate kanban:3 --random 500 -v");
    let is_step =
        |line: &&str| line.split_whitespace().next().is_some_and(|word| word.parse::<u32>().is_ok());
    assert_eq!(text.lines().filter(is_step).count(), 501, "{text}");
}

#[test]
fn a_deadlock_can_be_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = line("deadlock philosophers:3 --json").out;
    fs::write(folder.path().join("deadlock.json"), &report).expect("written");
    let run = line_in(folder.path(), "simulate philosophers:3 --replay deadlock.json");
    assert_eq!((run.status, run.out), (Some(0), [FIRST, SECOND, THIRD, DEAD].concat()));
    let run = line_in(folder.path(), "simulate philosophers:3 --replay deadlock.json --json");
    let simulated = validated(&run);
    let found: Value = serde_json::from_str(&report).expect("JSON");
    for key in ["initial", "steps"] {
        assert_eq!(simulated["witness"][key], found["witness"][key]);
    }
    assert_eq!((&simulated["dead"], &simulated["enabled"]), (&json!(true), &json!([])));
}

#[test]
fn a_deadlock_can_be_saved() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |words: &str, status: i32, out: &str, err: &str| {
        let run = line_in(folder.path(), words);
        assert_eq!((run.status, run.err.as_str()), (Some(status), err), "{words}: {run:?}");
        assert!(run.out.contains(out), "{words}: no '{out}' in\n{}", run.out);
    };
    check("deadlock philosophers:3 --save way.txt", 1, "deadlock", "saved 3 steps to 'way.txt'\n");
    check("deadlock philosophers:3 --save way.txt -q", 1, "deadlock\n", "");
    check("simulate philosophers:3 --replay way.txt", 0, &[FIRST, SECOND, THIRD, DEAD].concat(), "");
    check("draw philosophers:3 --what trace --trace way.txt", 0, "<svg", "");
    check(
        "simulate philosophers:3 --replay wya.txt",
        2,
        "",
        "wya.txt: error: cannot read this file: no such file\n  hint: did you mean 'way.txt'?\n",
    );
    check(
        "deadlock kanban:1 --save none.txt",
        0,
        "no deadlock",
        "warning: there is no deadlock: 'none.txt' was not written\n",
    );
    assert!(!folder.path().join("none.txt").exists());
    check(
        "deadlock philosophers:3 --save no/way.txt",
        1,
        "deadlock",
        "warning: cannot write 'no/way.txt': there is no such folder\n",
    );
}

#[test]
fn traces_that_cannot_be_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |content: &str, says: &str| {
        fs::write(folder.path().join("trace.txt"), content).expect("written");
        for more in ["", " --random 3"] {
            let run = line_in(folder.path(), &format!("simulate philosophers:3 --replay trace.txt{more}"));
            assert_eq!((run.status, run.err.as_str()), (Some(2), says), "{content}");
        }
        let run = line_in(folder.path(), "simulate philosophers:3 --replay trace.txt --json");
        assert_eq!((run.status, &validated(&run)["status"]), (Some(2), &json!("error")));
    };
    check(
        "# model: philosophers:3\nFF1a_1\n\nFF1a_1\n",
        "trace.txt:4: error: step 2: transition 'FF1a_1' is not enabled: place 'Think_1' has 0 tokens, needs 1; \
         place 'Fork_3' has 0 tokens, needs 1\n",
    );
    check(
        "FF1x_1",
        "trace.txt:1: error: step 1: there is no transition 'FF1x_1'\n  hint: did you mean 'FF1a_1' or 'FF1b_1' or 'FF1a_2'?\n",
    );
    check(
        "# model: kanban:3\ntin1\n",
        "trace.txt:2: error: step 1: there is no transition 'tin1'\n  hint: this trace was saved from the model 'kanban:3'\n",
    );
    check(
        ONE_STEP,
        "trace.txt: error: this looks like a model, expected a saved trace\n  hint: a trace has one transition per line\n",
    );
    let run = line("deadlock kanban:2 --json");
    check(
        &run.out,
        "trace.txt: error: this report has no trace: it has no witness\n  hint: 'symbolon deadlock MODEL --json' prints what can be replayed\n",
    );
}

#[test]
fn as_json() {
    let check = |words: &str, script: &str, status: i32, expected: &[(&str, Value)]| {
        let run = line_with_input(words, script.as_bytes());
        let report = validated(&run);
        assert_eq!((run.status, run.err.as_str()), (Some(status), ""), "{words}");
        for (pointer, value) in expected {
            assert_eq!(report.pointer(pointer), Some(value), "{words}: {pointer} of {report:#}");
        }
    };
    check(
        "simulate philosophers:2 --json",
        "FF1a_1\nm\nt\ne\nwhy FF1a_1\n?\n",
        0,
        &[
            ("/command", json!("simulate")),
            ("/witness/shape", json!("trace")),
            ("/witness/initial/Fork_2", json!(1)),
            (
                "/witness/steps",
                json!([{"event": "FF1a_1", "changes": {"Think_1": [1, 0], "Fork_2": [1, 0], "Catch1_1": [0, 1]}}]),
            ),
            ("/enabled", json!(["FF1a_2", "FF2a_1"])),
            ("/dead", json!(false)),
        ],
    );
    check(
        "simulate philosophers:2 --json",
        "1\nnonsense",
        2,
        &[("/error/line", json!(2)), ("/error/file", json!("<stdin>"))],
    );
    check(
        "simulate kanban:3 --random 10 --json",
        "",
        0,
        &[("/dead", json!(false)), ("/status", json!("ok"))],
    );
    check("simulate -h --json", "", 0, &[("/status", json!("ok"))]);
    check("simulate kanbam:3 --json", "", 2, &[("/error/hint", json!("did you mean 'kanban:3'?"))]);
}

#[test]
fn numbers_that_are_too_large() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = unbounded().replace(
        "<place id=\"q\"/>",
        "<place id=\"q\"><initialMarking><text>9223372036854775805</text></initialMarking></place>",
    );
    fs::write(folder.path().join("net.pnml"), source).expect("written");
    let says = "transition 't' cannot fire: place 'q' would hold more than 2^63 - 1 tokens";
    let run = line_in(folder.path(), "simulate net.pnml --random 9");
    assert_eq!(run.status, Some(3));
    assert!(run.out.contains(&format!("steps  2 (seed 0)\nend    unknown: {says}\n")), "{run:?}");
    let report = validated(&line_in(folder.path(), "simulate net.pnml --random 9 --json"));
    assert_eq!((&report["reason"], &report["detail"]), (&json!("overflow"), &json!(says)));
    assert_eq!(report["witness"]["steps"].as_array().map(Vec::len), Some(2));
    let model = folder.path().join("net.pnml");
    let script = |script: &str| line_with_input(&format!("simulate {}", model.display()), script.as_bytes());
    let run = script("1\n1\n1\n");
    assert_eq!((run.status, run.err), (Some(2), format!("<stdin>:3: error: {says}\n")));
    let run = script("r 9\n");
    assert_eq!(run.status, Some(3));
    assert!(run.out.ends_with(&format!("unknown: {says}\n")), "{run:?}");
}

#[test]
fn the_model_on_standard_input() {
    let run = line_with_input("simulate -", ONE_STEP.as_bytes());
    assert_eq!(run.status, Some(2));
    assert!(run.err.contains("hint: add --random N or --replay FILE"), "{run:?}");
    let run = line_with_input("simulate - --random 5 -q", ONE_STEP.as_bytes());
    assert_eq!((run.status, run.out.as_str()), (Some(0), "t\n"));
}

#[test]
fn limits_hold() {
    for words in [
        "simulate kanban:5 --random 1000000000000 --timeout 0.5",
        "simulate kanban:5 --random 1000000000000 --memory 60M",
    ] {
        let run = line(words);
        assert_eq!(run.status, Some(3), "{words}: {run:?}");
        assert!(run.out.contains("limit was reached"), "{words}: {run:?}");
    }
    // While it waits for a command that does not come.
    let mut child =
        command(&["simulate", "kanban:5", "--timeout", "0.3"]).stdin(Stdio::piped()).spawn().expect("starts");
    let input = child.stdin.take();
    let output = child.wait_with_output().expect("ends");
    drop(input);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "unknown: the time limit was reached\n");
}

#[test]
fn a_closed_pipe_ends_a_script() {
    let mut child = command(&["simulate", "kanban:5"]).stdin(Stdio::piped()).spawn().expect("starts");
    let mut input = child.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || while input.write_all(b"random 100\n").is_ok() {});
    let mut line = String::new();
    BufReader::with_capacity(16, child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    let output = child.wait_with_output().expect("ends");
    writer.join().expect("ends");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn traces_that_cannot_be_saved() {
    let run = line("simulate kanban:3 --random 3 --save /nowhere/at/all");
    assert_eq!(run.status, Some(2));
    assert!(run.err.starts_with("error: cannot write '/nowhere/at/all': there is no such folder"), "{run:?}");
    let Run { status, err, .. } = line_with_input("simulate kanban:3", b"\nsave /nowhere/at/all");
    assert_eq!(status, Some(2));
    assert!(err.starts_with("<stdin>:2: error: cannot write"), "{err}");
    assert!(!Path::new("/nowhere").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_once() {
    let full = fs::File::options().write(true).open("/dev/full").expect("Linux has it");
    let mut child =
        command(&["simulate", "kanban:3"]).stdin(Stdio::piped()).stdout(full).spawn().expect("starts");
    child.stdin.take().expect("piped").write_all(b"1\n1\n").expect("reads");
    let output = child.wait_with_output().expect("ends");
    assert_eq!(output.status.code(), Some(2));
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.starts_with("error: cannot write to standard output") && err.lines().count() == 1, "{err}");
}

/// A net with many transitions is answered at once, and only a glance of it is shown.
#[test]
fn large_nets_are_played_quickly() {
    let run = line_with_input("simulate philosophers:20000", b"FF1a_77\nFF2a_77\nEnd_77\nr 200\nwhy End_3\n");
    assert_eq!(run.status, Some(0), "{run:?}");
    assert_eq!(run.out.lines().count(), 205);
    assert!(run.time < std::time::Duration::from_secs(20), "{:?}", run.time);
}
