//! `draw`: files and standard output, formats, what is refused, and the JSON.

use crate::json::validated;
use crate::nets::{ONE_STEP, unbounded};
use crate::program::{Run, command, line, line_in};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::io::{BufReader, Read};
use std::path::Path;

fn check(run: &Run, status: i32, out: &str, err: &str) {
    assert_eq!(run.status, Some(status), "{run:?}");
    for (text, expected) in [(&run.out, out), (&run.err, err)] {
        assert!(text.contains(expected), "no '{expected}' in {run:?}");
        assert!(!expected.is_empty() || text.is_empty(), "unexpected text: {run:?}");
    }
}

/// A net of two rings of places, each a unit if `with_units`, that is too large for one picture.
fn large_net(places: usize, with_units: bool) -> String {
    let half = places / 2;
    let mut body = String::new();
    for place in 0..places {
        let tokens = if place % half == 0 { "<initialMarking><text>1</text></initialMarking>" } else { "" };
        let next = if place + 1 == half {
            0
        } else if place + 1 == places {
            half
        } else {
            place + 1
        };
        let _ = write!(
            body,
            "<place id=\"p{place}\">{tokens}</place><transition id=\"t{place}\"/>\
             <arc id=\"a{place}\" source=\"p{place}\" target=\"t{place}\"/>\
             <arc id=\"b{place}\" source=\"t{place}\" target=\"p{next}\"/>"
        );
    }
    let names =
        |range: std::ops::Range<usize>| range.map(|place| format!("p{place}")).collect::<Vec<_>>().join(" ");
    let units = format!(
        "<toolspecific tool=\"nupn\" version=\"1.1\"><size places=\"{places}\" transitions=\"{places}\" \
         arcs=\"{}\"/><structure units=\"3\" root=\"all\" safe=\"true\">\
         <unit id=\"all\"><places/><subunits>left right</subunits></unit>\
         <unit id=\"left\"><places>{}</places><subunits/></unit>\
         <unit id=\"right\"><places>{}</places><subunits/></unit></structure></toolspecific>",
        2 * places,
        names(0..half),
        names(half..places)
    );
    let start = ONE_STEP.find("<place").expect("a place");
    let end = ONE_STEP.find("</page>").expect("a page");
    format!("{}{}{body}{}", &ONE_STEP[..start], if with_units { &units } else { "" }, &ONE_STEP[end..])
}

#[test]
fn pictures_go_to_files_or_to_standard_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
    for (words, file, begins) in [
        ("draw philosophers:3 -o net.svg", "net.svg", "<"),
        ("draw philosophers:3 -o net.dot", "net.dot", "digraph"),
        ("draw --what states philosophers:2 -o states.svg", "states.svg", "<"),
        ("draw --what diagram kanban:1 -o diagram.svg", "diagram.svg", "<"),
        ("draw --what diagram kanban:1 -o diagram.gv", "diagram.gv", "digraph"),
        ("draw --what trace philosophers:3 -o trace.svg", "trace.svg", "<"),
        ("draw --what trace philosophers:3 -o trace.dot", "trace.dot", "digraph"),
        ("draw --what hierarchy philosophers:3 -o tree.svg", "tree.svg", "<"),
        ("draw kanban:2 --to dot -o odd.name", "odd.name", "digraph"),
    ] {
        check(&line_in(folder.path(), words), 0, file, "");
        let picture = read(file);
        assert!(picture.starts_with(begins), "{words}: {picture}");
        assert_eq!(picture.contains("</svg>"), begins == "<", "{words}: {picture}");
    }
    let names = fs::read_dir(folder.path()).expect("readable").count();
    assert_eq!(names, 9, "no other file is left");
    check(&line_in(folder.path(), "draw kanban:1 -q -o quiet.svg"), 0, "", "");
    // What goes to standard output is what goes to the file.
    assert_eq!(line("draw philosophers:3").out, read("net.svg"));
    assert_eq!(line("draw philosophers:3 --to dot -o -").out, read("net.dot"));
    check(&line("draw --to text philosophers:2"), 0, "Fork_1", "");
}

#[test]
fn every_place_and_transition_is_in_the_picture() {
    let svg = line("draw philosophers:3").out;
    for name in ["Think", "Fork", "Catch1", "Eat"] {
        for number in 1..=3 {
            assert!(svg.contains(&format!("{name}_{number}")), "no {name}_{number} in {svg}");
        }
    }
}

#[test]
fn wrong_words() {
    check(&line("draw --what nett kanban:1"), 2, "", "'net'");
    check(&line("draw --to sgv kanban:1"), 2, "", "svg, dot, text");
    check(&line("draw kanban:1 -o picture.jpg"), 2, "", "there is no picture format for '.jpg'");
    check(&line("draw kanban:1 -o picture.png"), 2, "", "'.png' is not written directly");
    check(&line("draw kanban:1 --trace run.txt --what net"), 2, "", "'--trace' requires '--what trace'");
    check(&line("draw kanban:1 --frames 3"), 2, "", "'--frames' requires '--what trace'");
    check(&line("draw kanban:1 --what trace --frames 1"), 2, "", "1");
    check(&line("draw kanbam:1"), 2, "", "did you mean 'kanban:1'?");
    check(&line("draw kanban:1 -o no/such/folder/net.svg"), 2, "", "no such folder");
    check(&line("draw kanban:1 -o /"), 2, "", "this is a folder");
}

#[test]
fn runs_come_from_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let draw = |run: &str, more: &str| {
        fs::write(folder.path().join("run"), run).expect("written");
        line_in(folder.path(), &format!("draw philosophers:3 --trace run {more}"))
    };
    check(&draw("# two steps\nFF1a_1\nFF1a_2\n", "--to dot"), 0, "FF1a_2", "");
    check(&draw(&line("deadlock philosophers:3 --json").out, "--to dot"), 0, "FF1a_3", "");
    check(&draw("", "--to dot"), 0, "digraph", "");
    check(&draw("FF1a_1\nFF1a_1\n", ""), 2, "", "run:2: error: step 2: transition 'FF1a_1' is not enabled");
    check(&draw("FF1a_1\nFF1a_22\n", ""), 2, "", "did you mean 'FF1a_2'?");
    check(&draw(&line("deadlock kanban:1 --json").out, ""), 2, "", "no trace");
    check(&line("draw philosophers:3 --trace no-such-run"), 2, "", "no such file");
    check(&line("draw kanban:1 --what trace"), 2, "", "no deadlock can be reached");
}

#[test]
fn what_is_too_large_is_clustered_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let draw = |net: &str, more: &str| {
        fs::write(folder.path().join("net.pnml"), net).expect("written");
        line_in(folder.path(), &format!("draw net.pnml {more}"))
    };
    let large = large_net(600, true);
    let run = draw(&large, "");
    check(&run, 0, "left", "warning: the net has 600 places, 600 transitions and 1200 arcs");
    assert!(run.out.contains("300 places") && run.out.contains("right"), "{}", run.out);
    let run = draw(&large_net(600, false), "");
    check(&run, 2, "", "600 transitions and 1200 arcs, too many to be read (400 nodes");
    assert!(run.err.contains("sfdp") && run.err.contains("info"), "{}", run.err);
    check(&draw(&large_net(600, false), "--to dot"), 0, "p599", "");
    check(&draw(&large_net(600, true), "--what hierarchy"), 0, "right", "");
    check(&line("draw --what states kanban:3"), 2, "", "more than 100 states");
    check(&line("draw --what diagram kanban:20"), 2, "", "too many for a picture");
    check(&draw(&unbounded(), "--what states"), 2, "", "more than 100 states");
    check(&draw(&unbounded(), "--what states --to dot"), 2, "", "infinitely many states");
    check(&draw(&unbounded(), "--what diagram"), 2, "", "'q' is unbounded");
    check(&draw(&unbounded(), "--what hierarchy"), 2, "", "found no components");
}

#[test]
fn diagrams_of_every_kind() {
    let set = "draw --what diagram --diagram set --hierarchy indexed philosophers:3";
    let text = line(&format!("{set} --to text"));
    check(&text, 0, "all states\n\n", "");
    assert!(text.out.contains("│A│B│C│D│") && text.out.contains("A … D: 3 components alike"), "{}", text.out);
    assert!(text.out.lines().all(|line| line.chars().count() <= 80), "{}", text.out);
    check(&line(&format!("{set} --to dot")), 0, "label=\"A … D: 3 components alike\";", "");
    let svg = line(set);
    check(&svg, 0, "3 components alike", "");
    assert!(svg.out.contains("Think_*") && svg.out.contains("class=\"group\""), "{}", svg.out);
    // One component has no letters.
    for words in ["--diagram ddd", "--diagram set --hierarchy flat"] {
        let run = line(&format!("draw --what diagram {words} philosophers:3"));
        check(&run, 0, "Think_1", "");
        assert!(!run.out.contains("class=\"group\""), "{words}");
    }
    // A hundred philosophers are as small as three, and few boxes.
    let run = line("draw --what diagram --diagram set --hierarchy indexed-recursive philosophers:128");
    check(&run, 0, "128 components alike", "");
    // What is too large says so; Graphviz gets all of it.
    let large = "draw --what diagram --diagram ddd fms:3 --variable-order as-given";
    check(&line(large), 2, "", "too many for a picture that can be read (250)");
    check(&line(&format!("{large} --to dot")), 0, "digraph", "");
    check(&line("draw --what diagram --diagram mdd --hierarchy nupn kanban:1"), 2, "", "'--diagram set'");
}

#[test]
fn names_beyond_ascii_and_markup_survive() {
    let folder = tempfile::tempdir().expect("a folder");
    let net = ONE_STEP.replace("\"p\"", "\"größe\"").replace("\"q\"", "\"a&lt;b&amp;c\"");
    fs::write(folder.path().join("nét one.pnml"), net).expect("written");
    let run = |format: &str| {
        let output = command(&["draw", "nét one.pnml", "--to", format])
            .current_dir(folder.path())
            .output()
            .expect("starts");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let svg = run("svg");
    assert!(svg.contains("größe") && svg.contains("a&lt;b&amp;c") && !svg.contains("a<b"), "{svg}");
    assert!(run("dot").contains("größe"));
}

#[test]
fn the_json_is_as_the_schema_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |folder: &Path, words: &str, status: i32, expected: &[(&str, Value)]| {
        let run = line_in(folder, words);
        let report = validated(&run);
        assert_eq!(run.status, Some(status), "{words}: {report:#}");
        for (pointer, value) in expected {
            assert_eq!(report.pointer(pointer), Some(value), "{words}: {pointer} of {report:#}");
        }
        report
    };
    let here = folder.path();
    let expected = [("/what", json!("net")), ("/format", json!("svg")), ("/file", json!(null))];
    let report = check(here, "draw philosophers:3 --json", 0, &expected);
    assert!(report["picture"].as_str().is_some_and(|picture| picture.contains("</svg>")), "{report:#}");
    let states = [("/nodes", json!(9)), ("/file", json!("s.svg")), ("/frames", json!(null))];
    check(here, "draw philosophers:2 --what states -o s.svg --json", 0, &states);
    let film = [("/frames", json!(4)), ("/what", json!("trace"))];
    check(here, "draw philosophers:3 --what trace --json", 0, &film);
    check(here, "draw kanban:1 --what diagram --to dot --json", 0, &[("/format", json!("dot"))]);
    check(here, "draw philosophers:3 --what hierarchy --to text --json", 0, &[("/format", json!("text"))]);
    check(here, "draw kanban:3 --what states --json", 2, &[("/status", json!("error"))]);
    let unknown = [("/status", json!("unknown")), ("/reason", json!("timeout"))];
    check(here, "draw slotted-ring:200 --what diagram --strategy bfs --timeout 0.3 --json", 3, &unknown);
    check(here, "draw kanban:9 --what states --to dot --timeout 0.3 --json", 3, &unknown);
    check(here, "draw -h --json", 0, &[("/status", json!("ok"))]);
}

#[test]
fn a_closed_pipe_is_no_error() {
    for words in ["draw kanban:3", "draw philosophers:500 --to dot"] {
        let words: Vec<&str> = words.split(' ').collect();
        let mut child = command(&words).spawn().expect("starts");
        drop(BufReader::with_capacity(16, child.stdout.take().expect("piped")));
        let mut err = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut err).expect("text");
        assert_eq!((child.wait().expect("ends").code(), err.as_str()), (Some(0), ""), "{words:?}");
    }
}

/// `script` gives the program a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_not_flooded() {
    if std::process::Command::new("script").arg("--version").output().is_err() {
        println!("SKIPPED: there is no `script` to make a terminal with");
        return;
    }
    let shown = |words: &str| {
        let words = format!("{} {words}", env!("CARGO_BIN_EXE_symbolon"));
        let output = std::process::Command::new("script")
            .args(["-qec", &words, "/dev/null"])
            .stdin(std::process::Stdio::null())
            .output()
            .expect("script runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let text = shown("draw kanban:1");
    assert!(text.contains("-o net.svg") && !text.contains("</svg>"), "{text}");
    assert!(shown("draw kanban:1 --to dot").contains("digraph"));
}

#[test]
fn binary_diagrams_are_drawn_as_the_textbooks_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let pairs = "var a: bool = any\nvar b: bool = any\nvar c: bool = any\nvar d: bool = any\n\
                 initially (a <=> b) & (c <=> d)\n";
    fs::write(folder.path().join("pairs.gcl"), pairs).expect("written");
    fs::write(folder.path().join("wide.gcl"), "var x: 0..5 = 4\nup: x < 5 -> x' = x + 1\n").expect("written");
    let draw = |words: &str| line_in(folder.path(), &format!("draw --what diagram --diagram bdd {words}"));
    // As in the lecture six inner nodes, or nine where the first two bits have to be remembered; but
    // a function and its negation are one: both of the nodes for d.
    for (order, nodes) in [("as-given", 5), ("@far.order", 8)] {
        fs::write(folder.path().join("far.order"), "a\nc\nb\nd\n").expect("written");
        let run = draw(&format!("pairs.gcl --variable-order {order} --to dot"));
        assert_eq!(run.out.matches("style=rounded").count(), nodes, "{order}: {run:?}");
        assert!(run.out.contains("arrowtail=odot"), "{order}: {run:?}");
        assert!(!run.out.contains("label=\"0\""), "nothing leads to the empty set: {run:?}");
    }
    // Bits have names. The only states are 4 and 5.
    let run = draw("wide.gcl --to dot");
    for (bit, is_there) in [("x.2", true), ("x.1", true), ("x.0", false)] {
        assert_eq!(run.out.contains(&format!("label=\"{bit}\"")), is_there, "{run:?}");
    }
    let run = draw("wide.gcl --to text");
    assert!(run.out.contains("x.2") && run.out.contains('1'), "{run:?}");
    let run = draw("wide.gcl -o wide.svg");
    check(&run, 0, "diagram: 3 nodes, 2 arcs", "");
    // What is too large is said, with how large it may be.
    let run = draw("philosophers:60");
    check(&run, 2, "", "too many for a picture that can be read (250)");
    let run = draw("philosophers:60 --to dot");
    assert_eq!(run.status, Some(0), "{}", run.err);
}
