//! All examinations that are supported, with and without shortcuts.

use crate::ask::examine;
use crate::nets::{HAND_MADE, TINY_NETS, UNBOUNDED, family, loaded, net, tiny_net};
use crate::truth::{Truth, truth};
use std::time::Duration;
use symbolon_budget::{Budget, Limits};
use symbolon_checker::{
    Amount, Answer, Diagram, DiagramKind, Examination, ExaminationLine, Loaded, Options, StrategyChoice,
    Technique,
};

/// The lines of an examination.
fn lines(
    loaded: &Loaded,
    examination: Examination,
    options: &Options,
    budget: &Budget,
) -> Vec<ExaminationLine> {
    let mut lines = Vec::new();
    examine(loaded, examination, None, options, budget, &mut |line| lines.push(line))
        .expect("no wrong input");
    lines
}

/// With or without shortcuts, by multi-valued diagrams.
fn by_mdd(no_shortcuts: bool) -> Options {
    Options { no_shortcuts, diagram: Diagram::Kind(DiagramKind::Mdd), ..Options::default() }
}

fn by_table() -> Options {
    Options { no_shortcuts: true, diagram: Diagram::Explicit, ..Options::default() }
}

/// The yes-or-no examinations with what is true.
fn expected(truth: &Truth) -> [(Examination, bool); 5] {
    [
        (Examination::ReachabilityDeadlock, truth.nearest_dead.is_some()),
        (Examination::OneSafe, truth.most_in_place <= 1),
        (Examination::StableMarking, truth.stable),
        (Examination::QuasiLiveness, truth.quasi_live),
        (Examination::Liveness, truth.live),
    ]
}

/// Checks the answer to one yes-or-no examination. Returns whether there was one.
fn check_answer(
    loaded: &Loaded,
    examination: Examination,
    expected: bool,
    options: &Options,
    time: Duration,
) -> bool {
    let budget = Budget::new(Limits { time: Some(time), memory: None });
    let found = lines(loaded, examination, options, &budget);
    let (no_shortcuts, diagram) = (options.no_shortcuts, options.diagram);
    let context =
        format!("{} of {}, no shortcuts: {no_shortcuts}, {diagram:?}", examination.name(), loaded.name());
    match found.as_slice() {
        [ExaminationLine::CannotCompute] => false,
        [ExaminationLine::Formula { id, answer, techniques }] => {
            assert_eq!(id, examination.name(), "{context}");
            assert_eq!(*answer == Answer::True, expected, "{context}: {techniques:?}");
            if no_shortcuts {
                let shortcut =
                    |t: &Technique| matches!(t, Technique::StructuralAnalysis | Technique::RandomWalk);
                assert!(!techniques.iter().any(shortcut), "{context}: {techniques:?}");
                let is_table = techniques == &[Technique::Explicit];
                assert_eq!(is_table, diagram == Diagram::Explicit, "{context}: {techniques:?}");
            }
            true
        }
        other => panic!("{context}: {other:?}"),
    }
}

fn check_state_space(loaded: &Loaded, truth: &Truth) {
    let figures = [
        ("STATES", truth.distances.len() as u64),
        ("TRANSITIONS", truth.edges),
        ("MAX_TOKEN_PER_MARKING", truth.most_per_marking),
        ("MAX_TOKEN_IN_PLACE", truth.most_in_place),
    ];
    let techniques = vec![Technique::DecisionDiagrams, Technique::Saturation];
    let expected: Vec<ExaminationLine> = figures
        .into_iter()
        .map(|(figure, value)| {
            let value = Amount::Finite(value.into());
            ExaminationLine::StateSpace { figure, value, techniques: techniques.clone() }
        })
        .collect();
    let found = lines(loaded, Examination::StateSpace, &by_mdd(false), &Budget::unlimited());
    assert_eq!(found, expected, "state space of {}", loaded.name());
}

fn check_all(loaded: &Loaded) {
    let truth = truth(loaded.net(), 100_000).expect("a small net");
    check_state_space(loaded, &truth);
    for (examination, expected) in expected(&truth) {
        for options in [by_mdd(true), by_mdd(false), by_table()] {
            let answered = check_answer(loaded, examination, expected, &options, Duration::from_secs(20));
            assert!(answered, "{} of {}", examination.name(), loaded.name());
        }
    }
}

#[test]
fn hand_made_nets() {
    for (name, text) in HAND_MADE {
        let mut net = net(text);
        net.name = name.into();
        check_all(&loaded(net));
    }
}

#[test]
fn families() {
    for call in [
        "kanban:2",
        "fms:2",
        "philosophers:4",
        "philosophers-left-right:3",
        "slotted-ring:3",
        "round-robin:3",
        "dekker:4",
        "token-ring:4",
        "shared-memory:3",
    ] {
        check_all(&family(call));
    }
}

/// Every so manieth tiny net, by diagrams alone and by a table of states; fewer of them with
/// shortcuts and little time, where no answer is better than a wrong one.
#[test]
fn tiny_nets() {
    let (mut nets, mut unbounded, mut asked, mut answered) = (0, 0, 0, 0);
    for number in (0..TINY_NETS).step_by(41) {
        let loaded = loaded(tiny_net(number));
        let Some(truth) = truth(loaded.net(), 200) else {
            unbounded += 1;
            continue;
        };
        assert_eq!(loaded.unbounded_place(), None, "{}", loaded.name());
        nets += 1;
        check_state_space(&loaded, &truth);
        for (examination, expected) in expected(&truth) {
            for options in [by_mdd(true), by_table()] {
                assert!(check_answer(&loaded, examination, expected, &options, Duration::from_secs(20)));
            }
            if number % 5 == 0 {
                asked += 1;
                let time = Duration::from_millis(80);
                answered += usize::from(check_answer(&loaded, examination, expected, &by_mdd(false), time));
            }
        }
    }
    println!(
        "{nets} tiny nets, {unbounded} more are not bounded; {answered} of {asked} answers with shortcuts"
    );
    assert!(
        nets > 400 && unbounded > 100 && answered * 10 > asked * 9,
        "{nets} {unbounded} {answered}/{asked}"
    );
}

/// More states than a table lists, so that walks are asked: almost every place changes, and the one
/// that does not is touched by a transition which only the parity of tokens keeps from firing.
#[test]
fn one_stable_place_among_many_states() {
    let toggles = 0..12;
    let mut text = "a=4 b s=1".to_string();
    toggles.clone().for_each(|number| text += &format!(" x{number}=1 y{number}"));
    text += "\nthere: a*2 -> b*2\nback: b*2 -> a*2\nnever: a b*3 s -> a b*3";
    for number in toggles {
        text += &format!("\nf{number}: x{number} -> y{number}\ng{number}: y{number} -> x{number}");
    }
    let loaded = loaded(net(&text));
    let stable = Examination::StableMarking;
    for options in [by_mdd(true), by_mdd(false), by_table()] {
        assert!(check_answer(&loaded, stable, true, &options, Duration::from_secs(20)));
    }
    let techniques = match &lines(&loaded, stable, &by_mdd(false), &Budget::unlimited())[..] {
        [ExaminationLine::Formula { techniques, .. }] => techniques.clone(),
        other => panic!("{other:?}"),
    };
    // Neither the structure nor a table answers: what walks say is put to the test.
    assert!(techniques.contains(&Technique::DecisionDiagrams), "{techniques:?}");
}

#[test]
fn unbounded_nets() {
    for (name, text) in UNBOUNDED {
        let mut net = net(text);
        net.name = name.into();
        let loaded = loaded(net);
        assert!(loaded.unbounded_place().is_some(), "{name}");
        let techniques = vec![Technique::StructuralAnalysis];
        let infinite = |figure| ExaminationLine::StateSpace {
            figure,
            value: Amount::Infinite,
            techniques: techniques.clone(),
        };
        assert_eq!(
            lines(&loaded, Examination::StateSpace, &by_mdd(false), &Budget::unlimited()),
            ["STATES", "TRANSITIONS", "MAX_TOKEN_PER_MARKING", "MAX_TOKEN_IN_PLACE"].map(infinite),
            "{name}"
        );
        let time = Duration::from_secs(8);
        assert!(check_answer(&loaded, Examination::OneSafe, false, &by_mdd(false), time), "{name}");
        // Diagrams cannot finish, and must not claim anything.
        assert!(!check_answer(&loaded, Examination::QuasiLiveness, true, &by_mdd(true), time), "{name}");
    }
}

#[test]
fn examinations_without_their_file_are_declined() {
    let loaded = family("philosophers:2");
    for examination in Examination::all() {
        assert_eq!(examination.name().parse(), Ok(examination));
        let declined = lines(&loaded, examination, &by_mdd(false), &Budget::unlimited())
            == [ExaminationLine::DoNotCompete];
        assert_eq!(declined, examination.formula_file().is_some(), "{}", examination.name());
    }
}

#[test]
fn techniques_are_those_that_were_used() {
    use StrategyChoice::{Auto, Bfs, Chaining, Saturation};
    let loaded = family("kanban:1");
    let check = |diagram: Diagram, strategy: StrategyChoice, expected: &[Technique]| {
        let options = Options { no_shortcuts: true, diagram, strategy, ..Options::default() };
        for examination in [Examination::StateSpace, Examination::ReachabilityDeadlock] {
            let found = lines(&loaded, examination, &options, &Budget::unlimited());
            let techniques = match &found[0] {
                ExaminationLine::StateSpace { techniques, .. }
                | ExaminationLine::Formula { techniques, .. } => techniques,
                other => panic!("{diagram:?}, {strategy:?}: {other:?}"),
            };
            assert_eq!(techniques, expected, "{diagram:?}, {strategy:?}");
        }
    };
    for diagram in [
        Diagram::Auto,
        Diagram::Kind(DiagramKind::Mdd),
        Diagram::Kind(DiagramKind::Bdd),
        Diagram::Kind(DiagramKind::Ddd),
        Diagram::Kind(DiagramKind::Set),
    ] {
        check(diagram, Auto, &[Technique::DecisionDiagrams, Technique::Saturation]);
        check(diagram, Saturation, &[Technique::DecisionDiagrams, Technique::Saturation]);
        check(diagram, Bfs, &[Technique::DecisionDiagrams, Technique::BreadthFirst]);
        check(diagram, Chaining, &[Technique::DecisionDiagrams, Technique::Chaining]);
    }
    check(Diagram::Explicit, Auto, &[Technique::Explicit]);
}
