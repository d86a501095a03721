//! Limits hold, and what was found until then is reported.
//!
//! Other work on the machine can delay a run; so a run that ends late is tried again before the
//! test believes it.

use crate::json::validated;
use crate::program::{Run, collect, command, line};
use serde_json::json;
use std::process::Command;
use std::time::{Duration, Instant};

/// A run that takes far longer than any limit here.
const LONG: &str = "states slotted-ring:300 --strategy bfs --variable-order as-given --json";

fn is_in_time(run: &Run, limit: Duration) -> bool {
    run.time <= limit.mul_f64(1.1) + Duration::from_millis(50)
}

/// Runs until it is in time, at most a few times.
fn in_time(words: &str, limit: Duration) -> Run {
    let mut run = line(words);
    for _ in 0..4 {
        if is_in_time(&run, limit) {
            break;
        }
        println!("{words}: took {:?}, trying again", run.time);
        run = line(words);
    }
    assert!(is_in_time(&run, limit), "{words}: took {:?}", run.time);
    run
}

#[test]
fn a_time_limit_holds() {
    for (words, seconds) in
        [(LONG, 2.0), (LONG, 0.5), ("deadlock slotted-ring:300 --strategy bfs --json", 1.0)]
    {
        let run = in_time(&format!("{words} --timeout {seconds}"), Duration::from_secs_f64(seconds));
        let report = validated(&run);
        assert_eq!(run.status, Some(3), "{run:?}");
        assert_eq!(report["status"], "unknown");
        assert_eq!(report["reason"], "timeout");
        assert!(report["partial"]["steps"].as_u64() > Some(0), "{report:#}");
        assert!(report["partial"]["nodes"].as_u64() > Some(0), "{report:#}");
    }
}

#[test]
fn a_time_limit_holds_while_waiting_for_input() {
    let start = Instant::now();
    let mut command = command(&["states", "-", "--timeout", "0.5"]);
    let mut child = command.stdin(std::process::Stdio::piped()).spawn().expect("starts");
    // Held open, with nothing in it.
    let input = child.stdin.take();
    let run = collect(child, start);
    drop(input);
    assert_eq!(run.status, Some(3), "{run:?}");
    assert!(run.out.contains("unknown: the time limit was reached"), "{run:?}");
}

#[test]
fn a_memory_limit_holds() {
    for (words, megabytes) in [
        ("states kanban:1000", 200),
        ("states slotted-ring:100 --diagram explicit", 200),
        ("deadlock kanban:1000", 100),
    ] {
        let run = line(&format!("{words} --memory {megabytes}M --timeout 100 --json"));
        let report = validated(&run);
        assert_eq!(run.status, Some(3), "{run:?}");
        assert_eq!(report["reason"], "memory", "{words}: {report:#}");
        let peak = report["peak_bytes"].as_u64().expect("Linux tells");
        let limit: u64 = megabytes << 20;
        assert!(peak <= limit / 10 * 11, "{words}: {peak} bytes of {limit}");
        assert!(report["partial"]["nodes"].as_u64() > Some(0), "{report:#}");
    }
}

/// Three ways to limit CPU time: the option, the shell, and the signal.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_cpu_time_holds() {
    let is_out_of_time = |run: &Run, context: &str| {
        let report = validated(run);
        assert_eq!(run.status, Some(3), "{context}: {run:?}");
        assert_eq!(report["reason"], "timeout", "{context}");
        assert!(report["partial"]["steps"].as_u64() > Some(0), "{context}: {report:#}");
    };
    let used = |script: String| {
        let start = Instant::now();
        let mut shell = Command::new("sh");
        // The second line of `times` is about the children of the shell: user and system.
        shell.arg("-c").arg(format!("{script}; status=$?; times >&2; exit $status"));
        shell.stdin(std::process::Stdio::null());
        shell.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let mut run = collect(shell.spawn().expect("a shell"), start);
        let times = std::mem::take(&mut run.err);
        let children = times.lines().last().expect("two lines").to_string();
        let seconds = |text: &str| {
            let (minutes, seconds) = text.trim_end_matches('s').split_once('m').expect("minutes");
            60.0 * minutes.parse::<f64>().expect("a number") + seconds.parse::<f64>().expect("a number")
        };
        (children.split_whitespace().map(seconds).sum::<f64>(), run)
    };
    let program = env!("CARGO_BIN_EXE_symbolon");
    for (script, limit) in [
        (format!("{program} {LONG} --cpu-timeout 0.7"), 0.7),
        (
            format!(
                "{program} deadlock slotted-ring:300 --strategy bfs --json --threads 2 --cpu-timeout 0.5"
            ),
            0.5,
        ),
        (format!("(ulimit -t 2; {program} {LONG})"), 2.0),
    ] {
        let (seconds, run) = used(script.clone());
        is_out_of_time(&run, &script);
        assert!(seconds < 1.1 * limit + 0.3, "{script}: {seconds} s");
    }
    let start = Instant::now();
    let child = command(&LONG.split(' ').collect::<Vec<_>>()).spawn().expect("starts");
    std::thread::sleep(Duration::from_millis(700));
    let sent = Command::new("kill").args(["-XCPU", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let run = collect(child, start);
    is_out_of_time(&run, "-XCPU");
    assert!(run.time < Duration::from_secs(10), "{:?}", run.time);
}

#[test]
fn a_limit_as_text() {
    let run = line("states slotted-ring:300 --strategy bfs --timeout 0.3");
    assert_eq!(run.status, Some(3));
    assert!(run.out.contains("states  unknown: the time limit was reached\n"), "{}", run.out);
    assert_eq!(run.err, "", "no progress where there is no terminal");
    let run = line("states slotted-ring:300 --strategy bfs --timeout 0.3 -q");
    assert_eq!((run.status, run.out.as_str()), (Some(3), "unknown\n"));
    let run = line("deadlock slotted-ring:300 --strategy bfs --timeout 0.3 -q");
    assert_eq!((run.status, run.out.as_str()), (Some(3), "unknown\n"));
}

#[test]
fn the_contest_gets_its_line_at_a_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("model.pnml"), independent_counters(60)).expect("written");
    let folder = folder.path().display().to_string();
    let run = line(&format!("mcc StateSpace {folder} --diagram explicit --timeout 0.5"));
    assert_eq!((run.status, run.out.as_str()), (Some(0), "CANNOT_COMPUTE\n"), "{run:?}");
    let run = line(&format!("mcc StateSpace {folder} --diagram explicit --timeout 0.5 --json"));
    let report = validated(&run);
    assert_eq!(run.status, Some(0));
    assert_eq!((&report["reason"], &report["lines"]), (&json!("timeout"), &json!(["CANNOT_COMPUTE"])));
}

/// A net with `count` pairs of places between which a token goes back and forth: 2^count states.
fn independent_counters(count: u32) -> String {
    let mut body = String::new();
    for index in 0..count {
        body.push_str(&format!(
            "<place id='a{index}'><initialMarking><text>1</text></initialMarking></place><place id='b{index}'/>\
             <transition id='t{index}'/><transition id='u{index}'/>\
             <arc id='w{index}' source='a{index}' target='t{index}'/><arc id='x{index}' source='t{index}' target='b{index}'/>\
             <arc id='y{index}' source='b{index}' target='u{index}'/><arc id='z{index}' source='u{index}' target='a{index}'/>"
        ));
    }
    format!(
        "<pnml xmlns='http://www.pnml.org/version-2009/grammar/pnml'>\
         <net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='g'>{body}</page></net></pnml>"
    )
}

#[cfg(unix)]
#[test]
fn signals_yield_what_was_found() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let start = Instant::now();
        let words: Vec<&str> = LONG.split(' ').collect();
        let child = command(&words).spawn().expect("starts");
        std::thread::sleep(Duration::from_millis(700));
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success());
        let run = collect(child, start);
        assert_eq!(run.status, Some(3), "{signal}: {run:?}");
        let report = validated(&run);
        assert_eq!(report["reason"], "interrupted", "{signal}");
        assert!(report["partial"]["steps"].as_u64() > Some(0), "{report:#}");
        assert!(run.time < Duration::from_secs(10), "{signal}: {:?}", run.time);
    }
}

/// A deadlock that is known stays known when the search for a trace is given up.
#[cfg(unix)]
#[test]
fn a_verdict_without_a_trace_is_one() {
    for (option, says) in [("--json", ""), ("--quiet", "deadlock\n"), ("--seed=0", "no trace: interrupted\n")]
    {
        // How long exploring takes depends on the machine: the trace takes much longer, on diagrams
        // without distances.
        let run = [1, 2, 4, 8, 16].iter().map(|&seconds| {
            let start = Instant::now();
            let child =
                command(&["deadlock", "philosophers:2000", "--no-shortcuts", "--diagram=ddd", option])
                    .spawn()
                    .expect("starts");
            std::thread::sleep(Duration::from_secs(seconds));
            let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
            collect(child, start)
        });
        let run = run.into_iter().find(|run| run.status != Some(3)).expect("a verdict");
        assert_eq!(run.status, Some(1), "{run:?}");
        assert!(run.out.contains(says), "{run:?}");
        if option == "--json" {
            let report = validated(&run);
            assert_eq!((&report["status"], &report["deadlock"]), (&json!("ok"), &json!(true)));
            assert_eq!((&report["detail"], &report["witness"]), (&json!("interrupted"), &json!(null)));
        }
    }
}

#[cfg(unix)]
#[test]
fn a_second_signal_ends_at_once() {
    let start = Instant::now();
    let mut command = command(&["states", "-", "--json"]);
    let mut child = command.stdin(std::process::Stdio::piped()).spawn().expect("starts");
    let input = child.stdin.take();
    std::thread::sleep(Duration::from_millis(500));
    for _ in 0..2 {
        let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        std::thread::sleep(Duration::from_millis(200));
    }
    let run = collect(child, start);
    drop(input);
    assert_eq!(run.status, Some(3), "{run:?}");
    assert_eq!(validated(&run)["reason"], "interrupted");
}
