//! Assignments that leave their ranges, on every kind of diagram against plain states.

use crate::ask::{load, overflows};
use symbolon_budget::Budget;
use symbolon_checker::{Diagram, DiagramKind, Format, Loaded, Options, OverflowReport, Source};
use symbolon_testkit::{RandomNumbers, seeds};

/// Two agents who count, under guards that often let them leave their ranges.
fn random_system(random: &mut RandomNumbers) -> String {
    let mut agents = String::new();
    for (name, other) in [("A1", "A2."), ("A2", "A1.")] {
        let largest = 1 + random.below(3);
        let mut lines = String::new();
        for _ in 0..1 + random.below(3) {
            let value = match random.below(5) {
                0 => format!("x + {}", 1 + random.below(2)),
                1 => "x - 1".to_string(),
                2 => "2 * x".to_string(),
                3 => "x / Environment.e".to_string(),
                _ => random.below(largest + 1).to_string(),
            };
            let action = ["a", "b"][random.below(2) as usize];
            let whose = ["", other, "Environment."][random.below(3) as usize];
            lines.push_str(&format!(
                "    x = {value} if {whose}Action = {action} and x <> {};\n",
                random.below(4)
            ));
        }
        let offered = ["a", "b", "a, b"][random.below(3) as usize];
        agents.push_str(&format!(
            "Agent {name}\n  Vars: x : 0 .. {largest}; end Vars\n  Actions = {{ a, b }};\n  Protocol:\n    \
             x < {} : {{ {offered} }};\n    Other : {{ b }};\n  end Protocol\n  Evolution:\n{lines}  end Evolution\nend Agent\n",
            random.below(3)
        ));
    }
    format!(
        "Agent Environment\n  Obsvars: e : 0 .. 1; end Obsvars\n  Actions = {{ a, b }};\n  Protocol: end Protocol\n  \
         Evolution: e = 1 if Action = a; e = 0 if Action = b; end Evolution\nend Agent\n{agents}\
         Evaluation p if A1.x = 0; end Evaluation\nInitStates A1.x = 0 and A2.x = 1; end InitStates\nFormulae EF p; end Formulae\n"
    )
}

fn found(loaded: &Loaded, diagram: Diagram) -> OverflowReport {
    let options = Options { diagram, ..Options::default() };
    match overflows(loaded, &options, &Budget::unlimited()) {
        Ok(report) => report,
        other => panic!("{diagram:?}: {other:?}"),
    }
}

#[test]
fn diagrams_find_what_plain_states_show() {
    let mut some = 0;
    for seed in seeds(40) {
        let text = random_system(&mut RandomNumbers::new(seed));
        let source = Source::Bytes {
            name: "random.ispl".to_string(),
            bytes: text.clone().into_bytes(),
            format: Some(Format::Ispl),
            parameters: Vec::new(),
        };
        let Ok(loaded) = load(source, &Budget::unlimited()) else { panic!("seed {seed}:\n{text}") };
        let shown = |report: &OverflowReport| {
            let lines = report.overflows.iter().map(|one| {
                let length = one.witness.as_ref().map(|witness| witness.steps.len());
                assert!(!one.actions.is_empty(), "seed {seed}");
                (one.agent.clone(), one.item, length)
            });
            (lines.collect::<Vec<_>>(), report.dead_states.clone())
        };
        let expected = shown(&found(&loaded, Diagram::Explicit));
        some += expected.0.len();
        for diagram in [Diagram::Kind(DiagramKind::Bdd), Diagram::Kind(DiagramKind::Mdd)] {
            assert_eq!(shown(&found(&loaded, diagram)), expected, "seed {seed}, {diagram:?}:\n{text}");
        }
    }
    assert!(some > 0, "no system leaves a range");
}
