//! `info`: the whole screen for a few nets.

use crate::json::validated;
use crate::nets::{ONE_STEP, one_step_with, unbounded};
use crate::program::{Run, line, line_in};
use std::fs;

/// The screen without the line that differs each time.
fn screen(run: &Run) -> String {
    assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{run:?}");
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines.len() <= 24, "{}", run.out);
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{}", run.out);
    lines.into_iter().filter(|line| !line.starts_with("time ")).map(|line| format!("{line}\n")).collect()
}

#[test]
fn families() {
    assert_eq!(
        screen(&line("info kanban:2")),
        "\
model        kanban:2
kind         ordinary, free choice, conservative
size         16 places, 16 transitions, 40 arcs, 8 tokens in 4 places
graph        strongly connected, no self-loops
units        none
P-semiflows  6 (complete); every place is in one
T-semiflows  5 (complete); every transition is in one
bounds       bounded, every place by proof;
             no place holds more than 2
safe         0 of 16 places by proof
exclusive    none found
dead parts   none found
order        sloan-bipartite (16 levels):
             best by its metrics of 26 candidates; exploring lets them race
"
    );
    let philosophers = screen(&line("info philosophers:3"));
    for expected in [
        "kind         ordinary\n",
        "size         15 places, 15 transitions, 48 arcs, 6 tokens in 6 places\n",
        "P-semiflows  6 (complete); every place is in one\n",
        "safe         every place, by proof\n",
        "exclusive    6 sets over 15 places: one token each at most\n",
    ] {
        assert!(philosophers.contains(expected), "no '{expected}' in\n{philosophers}");
    }
}

/// Two units below a root, a transition that never fires, a read arc and a weight.
const UNITS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
  <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
    <page id="g">
      <place id="a"><initialMarking><text>1</text></initialMarking></place>
      <place id="b"/>
      <place id="c"><initialMarking><text>1</text></initialMarking></place>
      <place id="d"/>
      <transition id="t"/><transition id="u"/><transition id="v"/><transition id="never"/>
      <arc id="1" source="a" target="t"/><arc id="2" source="t" target="b"/>
      <arc id="3" source="b" target="u"/><arc id="4" source="u" target="a"/>
      <arc id="5" source="c" target="v"/><arc id="6" source="v" target="d"/>
      <arc id="7" source="a" target="never"/><arc id="8" source="b" target="never"/>
      <arc id="9" source="never" target="d"><inscription><text>2</text></inscription></arc>
      <toolspecific tool="nupn" version="1.1">
        <size places="4" transitions="4" arcs="9"/>
        <structure units="3" root="r" safe="true">
          <unit id="r"><places/><subunits>x y</subunits></unit>
          <unit id="x"><places>a b</places><subunits/></unit>
          <unit id="y"><places>c d</places><subunits/></unit>
        </structure>
      </toolspecific>
    </page>
  </net>
</pnml>
"#;

#[test]
fn files() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |net: &str, words: &str| {
        fs::write(folder.path().join("net.pnml"), net).expect("written");
        line_in(folder.path(), words)
    };
    assert_eq!(
        screen(&run(UNITS, "info net.pnml --variable-order as-given")),
        "\
model        net.pnml
kind         weights up to 2, conservative
size         4 places, 4 transitions, 9 arcs, 2 tokens in 2 places
graph        connected, no self-loops, 1 source place, 1 sink place
units        3 units, 2 deep, said to be unit safe
P-semiflows  2 (complete); every place is in one
T-semiflows  1 (complete); not every transition is in one
bounds       bounded, every place by proof;
             no place holds more than 1
safe         every place, by proof
exclusive    2 sets over 4 places: one token each at most
dead parts   1 transition, by proof
order        as-given (4 levels): as asked for
"
    );
    let unbounded = screen(&run(&unbounded(), "info net.pnml"));
    for expected in
        ["bounds       unbounded: place 'q'; each round of t adds to it;\n", "units        none\n"]
    {
        assert!(unbounded.contains(expected), "no '{expected}' in\n{unbounded}");
    }
    let lists = run(UNITS, "info net.pnml -v").out;
    for expected in [
        "\nP-semiflows (2)\n  a + b = 1\n  c + d = 1\n",
        "\nT-semiflows (1)\n  t + u\n",
        "\nsafe places (4)\n  a\n  b\n  c\n  d\n",
        "\ndead transitions (1)\n  never\n",
        "\nexclusive sets (2)\n",
    ] {
        assert!(lists.contains(expected), "no '{expected}' in\n{lists}");
    }
    assert_eq!(
        run(ONE_STEP, "info net.pnml -q").out,
        "Petri net, ordinary, state machine, free choice, conservative\n"
    );
    assert_eq!(run("", "info net.pnml").status, Some(2));
    assert_eq!(run("<pnml", "info net.pnml").status, Some(2));
}

#[test]
fn what_is_not_connected_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |names: &[&str], says: &str| {
        let more: String = names.iter().map(|name| format!("<transition id='{name}'/>")).collect();
        let net = one_step_with("<transition", &format!("<place id='alone'/>{more}<transition"));
        fs::write(folder.path().join("net.pnml"), net).expect("written");
        for command in ["deadlock net.pnml", "info net.pnml"] {
            let run = line_in(folder.path(), command);
            let warning = format!("net.pnml: warning: {says}, so the net has no deadlock\n");
            assert_eq!((run.status, run.err), (Some(0), warning), "{command}: {}", run.out);
        }
    };
    check(
        &["a", "b", "c", "d", "e"],
        "transitions 'a', 'b', 'c' and 2 more have no arcs: they can always fire",
    );
    check(&["a", "b"], "transitions 'a', 'b' have no arcs: they can always fire");
    check(&["refund"], "transition 'refund' has no arcs: it can always fire");

    let run = line_in(folder.path(), "info net.pnml -v");
    for expected in [
        "1 source place, 1 sink place,\n             1 isolated place, 1 isolated transition\n",
        "dead parts   1 place never marked, by proof\n",
        "\nisolated places (1)\n  alone\n",
        "\nisolated transitions (1)\n  refund\n",
        "\nsource places (1)\n  p\n",
    ] {
        assert!(run.out.contains(expected), "no '{expected}' in\n{}", run.out);
    }
    assert!(!run.out.contains("source transition"), "{}", run.out);
    let report = validated(&line_in(folder.path(), "info net.pnml --json"));
    assert_eq!(report["ends"]["isolated_transitions"], serde_json::json!(["refund"]));
    assert_eq!(
        (&report["class"]["isolated_places"], &report["class"]["sink_transitions"]),
        (&1.into(), &0.into())
    );
    assert_eq!(line_in(folder.path(), "deadlock net.pnml -q").err, "");
}

#[test]
fn wrong_words() {
    for (words, err) in [
        ("info", "<MODEL>"),
        ("info kanbam:5", "did you mean 'kanban:5'?"),
        ("info kanban:5 --variable-order forse", "did you mean 'force'?"),
    ] {
        let run = line(words);
        assert_eq!(run.status, Some(2), "{words}: {run:?}");
        assert!(run.err.contains(err), "{words}: {run:?}");
    }
    let run = line("info kanban:5 --timeout 0.000001");
    assert_eq!(run.status, Some(3), "{run:?}");
}
