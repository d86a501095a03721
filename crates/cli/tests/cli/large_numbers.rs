//! Numbers of the input as large as they may be: they are neither sizes of anything nor too large
//! for a diagram.

use crate::bounded::METHODS;
use crate::json::validated;
use crate::program::{folder_with, line, line_in};

/// Places with numbers of tokens, or weights of arcs.
type Counts<'a> = &'a [(&'a str, u64)];

/// A net with these places (name, tokens), and transitions (name, taken, given).
fn net(places: Counts<'_>, transitions: &[(&str, Counts<'_>, Counts<'_>)]) -> String {
    let mut body = String::new();
    for (place, tokens) in places {
        body.push_str(&format!(
            "<place id='{place}'><initialMarking><text>{tokens}</text></initialMarking></place>"
        ));
    }
    for (name, taken, given) in transitions {
        body.push_str(&format!("<transition id='{name}'/>"));
        let arcs = taken.iter().map(|(place, weight)| (place, name, weight));
        for (number, (source, target, weight)) in
            arcs.chain(given.iter().map(|(place, weight)| (name, place, weight))).enumerate()
        {
            body.push_str(&format!(
                "<arc id='{name}{number}' source='{source}' target='{target}'>\
                 <inscription><text>{weight}</text></inscription></arc>"
            ));
        }
    }
    format!(
        "<pnml xmlns='http://www.pnml.org/version-2009/grammar/pnml'>\
         <net id='n' type='http://www.pnml.org/version-2009/grammar/ptnet'><page id='g'>{body}</page></net></pnml>"
    )
}

const LARGEST: u64 = i64::MAX as u64;

const DIAGRAMS: [&str; 10] = [
    "explicit",
    "bdd",
    "bdd --strategy bfs",
    "mdd",
    "mdd --strategy bfs",
    "mdd --strategy chaining",
    "ddd",
    "ddd --strategy bfs",
    "set",
    "set --strategy bfs",
];

#[test]
fn weights_and_markings_up_to_the_largest_fit_every_diagram() {
    for weight in [1 << 62, LARGEST] {
        let there_and_back = net(
            &[("p", weight), ("q", 0)],
            &[("t", &[("p", weight)], &[("q", weight)]), ("u", &[("q", weight)], &[("p", weight)])],
        );
        let once = net(&[("p", 1), ("q", 0)], &[("t", &[("p", 1)], &[("q", weight)])]);
        for (text, edges, dead) in [(once, "1", true), (there_and_back, "2", false)] {
            let folder = folder_with("net.pnml", &text);
            for diagram in DIAGRAMS {
                let run = line_in(folder.path(), &format!("states net.pnml --diagram {diagram} --json"));
                let report = validated(&run);
                assert_eq!((&report["states"], &report["edges"]), (&"2".into(), &edges.into()), "{diagram}");
                assert_eq!(report["max_tokens_in_place"], weight.to_string(), "{diagram}");
                assert_eq!(report["max_tokens_per_marking"], weight.to_string(), "{diagram}");
                let words = format!(
                    "check net.pnml --diagram {diagram} --no-shortcuts -q EF(q={weight}) AG(p=0->q={weight}) EF(deadlock)"
                );
                let verdicts = format!("holds\nholds\n{}\n", if dead { "holds" } else { "fails" });
                let run = line_in(folder.path(), &words);
                assert_eq!((run.out, run.err), (verdicts, String::new()), "{words}");
                let run = line_in(folder.path(), &format!("deadlock net.pnml --diagram {diagram} -q"));
                assert_eq!(run.out, if dead { "deadlock\n" } else { "no deadlock\n" }, "{diagram}");
            }
            let run = line_in(folder.path(), "states net.pnml --distances --json");
            assert_eq!(validated(&run)["distances"], serde_json::json!(["1", "1"]));
            let run = line_in(folder.path(), "bounds net.pnml q --json");
            assert_eq!(validated(&run)["bounds"][0]["bound"], weight.to_string());
            for method in METHODS.into_iter().chain(["k-induction"]) {
                let words = format!("deadlock net.pnml --method {method} --bound 4 -q");
                let run = line_in(folder.path(), &words);
                assert_eq!(run.out == "deadlock\n", dead, "{words}: {run:?}");
                assert_eq!(
                    run.status,
                    if dead { Some(1) } else { run.status.filter(|s| [0, 3].contains(s)) }
                );
            }
        }
    }
}

/// A step that leads beyond is an overflow if it is taken, on every diagram: nothing is left out of
/// the count.
#[test]
fn what_does_not_fit_is_said() {
    let twice = net(&[("p", 2), ("q", 0)], &[("t", &[("p", 1)], &[("q", 1 << 62)])]);
    // The bound that an invariant gives for r is larger than what fits, and proves nothing about
    // fitting.
    let nearly_full = net(&[("p", 1 << 40), ("r", LARGEST)], &[("t", &[("p", 1)], &[("r", 2)])]);
    for text in [twice, nearly_full] {
        let folder = folder_with("net.pnml", &text);
        for diagram in DIAGRAMS {
            let run = line_in(folder.path(), &format!("states net.pnml --diagram {diagram} --json"));
            assert_eq!(validated(&run)["reason"], "overflow", "{diagram}: {run:?}");
            assert_eq!(run.status, Some(3), "{diagram}");
        }
    }
}

/// The weight of an arc must not become the size of a vector. `t1` can never fire, so `p5` is
/// bounded by 0 and counted in unary, where the weight once did.
#[test]
fn weights_are_no_sizes() {
    let weight = (1 << 53) + 1;
    let text = net(
        &[("p3", 1), ("p5", 0), ("p6", 0)],
        &[("t1", &[("p3", 2)], &[("p6", 1), ("p5", weight)]), ("t5", &[], &[("p6", 1)])],
    );
    let folder = folder_with("net.pnml", &text);
    for method in METHODS.into_iter().chain(["k-induction"]) {
        for bound in ["3", "99999999999"] {
            let words = format!(
                "deadlock net.pnml --method {method} --bound {bound} --timeout 2 --memory 200M --json"
            );
            let run = line_in(folder.path(), &words);
            let report = validated(&run);
            assert!([Some(0), Some(3)].contains(&run.status), "{words}: {run:?}");
            assert_eq!(run.err, "", "{words}");
            assert!(bound != "3" || report["reason"] != "memory", "{words}: {report:#}");
            assert!(report["peak_bytes"].as_u64().is_none_or(|peak| peak < 250 << 20), "{words}: {report:#}");
        }
    }
}

#[test]
fn numbers_of_families_and_programs_are_no_sizes() {
    let folder = folder_with("wide.gcl", "var x: 0..4611686018427387904 = 0\nup: x < 5 -> x' = x + 1\n");
    std::fs::write(
        folder.path().join("full.gcl"),
        "var x: 0..9223372036854775807 = 0\nup: x < 5 -> x' = x + 1\n",
    )
    .expect("written");
    std::fs::write(
        folder.path().join("array.gcl"),
        "var x[99999999999]: 0..1 = 0\nup: x[0] = 0 -> x[0]' = 1\n",
    )
    .expect("written");
    std::fs::write(
        folder.path().join("many.gcl"),
        "var x: 0..1 = 0\nfor i in 0..99999999999 { up: x = 0 -> x' = 1 }\n",
    )
    .expect("written");
    for (words, status, says) in [
        ("states wide.gcl -q", 0, ""),
        ("states wide.gcl -q --diagram explicit", 0, ""),
        ("states wide.gcl -q --diagram bdd", 0, ""),
        ("states wide.gcl -q --diagram set", 0, ""),
        ("states full.gcl", 2, "this range is too large"),
        ("states array.gcl", 2, "error"),
        ("states many.gcl", 2, "error"),
        ("states philosophers:99999999999", 2, "must lie between"),
        (
            "states philosophers:99999999999999999999",
            2,
            "must lie between 2 and 5000000, found 99999999999999999999",
        ),
        ("states kanban:2 -q --threads 4294967295", 0, ""),
        ("check kanban:2 -q --threads 4294967295 EF(deadlock)", 1, ""),
    ] {
        let run = line_in(folder.path(), &format!("{words} --timeout 20 --memory 300M"));
        assert_eq!(run.status, Some(status), "{words}: {run:?}");
        assert!(run.err.contains(says), "{words}: {run:?}");
        assert!(!run.out.contains("bug") && !run.err.contains("bug"), "{words}: {run:?}");
    }
    assert_eq!(line("states kanban:2 -q --memory 1T").out, "4600\n");
}
