//! Comparisons with injected results: agreement, exit statuses, tables.

use super::*;
use crate::arguments::Arguments;
use cells::Cell;
use clap::Parser;
use measure::Measured;
use question::Answered;
use symbolon_checker::Reason;

/// What became of a cell, with plausible figures.
fn measured(ending: Ending) -> Measured {
    Measured {
        ending,
        seconds: 0.25,
        cpu_seconds: 0.125,
        peak_bytes: Some(3 << 20),
        nodes: Some((10, 20)),
        steps: Some(300),
        bound: None,
        symbolic: None,
        spelled: None,
        order_used: Some("force".to_string()),
        hierarchy_used: None,
        warnings: Vec::new(),
        runs: 1,
    }
}

fn states(count: &str) -> Ending {
    let facts = vec![("states", count.to_string())];
    Ending::Answered(vec![Answered { text: count.to_string(), facts }])
}

fn deadlock(is_there: bool, dead_states: Option<&str>) -> Ending {
    let mut facts = vec![("deadlock", is_there.to_string())];
    facts.extend(dead_states.map(|count| ("dead_states", count.to_string())));
    Ending::Answered(vec![Answered { text: "whatever".to_string(), facts }])
}

fn answer(rows: Vec<(&str, &str, Ending)>) -> CompareAnswer {
    let session = Session::new(&[], &Arguments::parse_from(["symbolon"]).global, Some("compare"), None);
    let axis = |key, option| Axis { key, option, values: Vec::new() };
    let row = |(model, strategy, ending): (&str, &str, Ending)| {
        let choices = vec![Some("mdd".into()), Some(strategy.into()), Some("auto".into()), None];
        (Cell { model: model.into(), choices }, measured(ending))
    };
    let comparison = Comparison {
        question: Question::States,
        axes: vec![
            axis("diagram", "--diagram"),
            axis("strategy", "--strategy"),
            axis("variable_order", "--variable-order"),
            axis("hierarchy", "--hierarchy"),
        ],
        planned: rows.len(),
        names: ShortNames::of(rows.iter().map(|row| row.0.to_string())),
        is_thesis: false,
        rows: rows.into_iter().map(row).collect(),
    };
    let limits = CellLimits { seconds: 60.0, bytes: Some(4 << 30) };
    let look = Look { format: CompareFormat::Text, rows: CompareRows::Cells, limits, published: None };
    CompareAnswer::new(&session, comparison, look, None)
}

#[test]
fn cells_that_contradict_each_other_are_reported() {
    let check = |rows: Vec<(&str, &str, Ending)>, status: ExitStatus, disagreements: &[&str]| {
        let answer = answer(rows);
        let found: Vec<&str> = answer.disagreements.iter().map(|found| found.text.as_str()).collect();
        assert_eq!(found, disagreements);
        assert_eq!(answer.exit_status(), status);
        answer
    };
    check(vec![("a", "bfs", states("1")), ("b", "bfs", states("2"))], ExitStatus::Success, &[]);
    let wrong = vec![
        ("a", "bfs", states("6")),
        ("a", "chaining", states("6")),
        ("a", "saturation", states("7")),
        ("b", "bfs", states("7")),
    ];
    let text =
        "a: the cells disagree on states: 6 (mdd bfs auto, mdd chaining auto) or 7 (mdd saturation auto)";
    let loud = check(wrong, ExitStatus::Fails, &[text]);
    let table = anstream::adapter::strip_str(&loud.text(Detail::Normal)).to_string();
    assert!(table.contains("a: THE CELLS DISAGREE\n") && table.contains("answers 7"), "{table}");
    assert!(table.contains("b: 7 states\n") && table.contains("THE ANSWERS DISAGREE"), "{table}");
    // What only some cells know is compared among them; a limit elsewhere does not hide a
    // contradiction.
    let partly = vec![
        ("a", "x", deadlock(true, None)),
        ("a", "y", deadlock(true, Some("3"))),
        ("a", "z", deadlock(true, Some("4"))),
        ("a", "w", Ending::Unknown(Reason::Timeout)),
    ];
    let text = "a: the cells disagree on dead_states: 3 (mdd y auto) or 4 (mdd z auto)";
    check(partly, ExitStatus::Fails, &[text]);
    // One cell may contradict itself.
    let Ending::Answered(mut twice) = states("5") else { unreachable!("made above") };
    let Ending::Answered(other) = states("6") else { unreachable!("made above") };
    twice.extend(other);
    let text = "a: the cells disagree on states: 5 (mdd bfs auto) or 6 (mdd bfs auto)";
    check(vec![("a", "bfs", Ending::Answered(twice))], ExitStatus::Fails, &[text]);
}

#[test]
fn what_has_no_answer_is_reported() {
    let short = answer(vec![
        ("a", "bfs", Ending::Unknown(Reason::Timeout)),
        ("a", "chaining", Ending::Unknown(Reason::Memory)),
        ("a", "saturation", states("3")),
    ]);
    assert_eq!(short.exit_status(), ExitStatus::Unknown);
    assert_eq!(short.unknown.as_ref().map(|unknown| unknown.reason), Some(Reason::Timeout));
    let table = anstream::adapter::strip_str(&short.text(Detail::Normal)).to_string();
    for part in ["timeout", "memory", "a: 3 states", "1 of 3 cells answered"] {
        assert!(table.contains(part), "no {part} in {table}");
    }
    let mut wide = short;
    wide.look.rows = CompareRows::Models;
    let table = anstream::adapter::strip_str(&wide.text(Detail::Quiet)).to_string();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[1], ["a", "3", ">", "60", "s", ">", "4.0G", "0.125", "s", "3.0M"]);
    let wrong = answer(vec![
        ("a", "bfs", Ending::Wrong(vec![InputError::plain("no")])),
        ("a", "chaining", Ending::Unknown(Reason::Timeout)),
    ]);
    assert_eq!(wrong.exit_status(), ExitStatus::Wrong);
}

#[test]
fn every_format_has_every_cell() {
    let mut answer = answer(vec![
        ("net, \"one\".pnml", "bfs", states("123456789012345678")),
        ("a|b_c.pnml", "bfs", Ending::Unknown(Reason::Timeout)),
    ]);
    let mut check = |format, rows, expected: &str| {
        answer.look = Look { format, rows, ..answer.look };
        assert_eq!(anstream::adapter::strip_str(&answer.text(Detail::Quiet)).to_string(), expected);
    };
    check(
        CompareFormat::Csv,
        CompareRows::Cells,
        "model,diagram,strategy,variable_order,hierarchy,outcome,answer,cpu_seconds,seconds,peak_bytes,final_nodes,\
         peak_nodes,steps,variable_order_used,hierarchy_used,runs\n\
         \"net, \"\"one\"\".pnml\",mdd,bfs,auto,,ok,123456789012345678,0.125000,0.250000,3145728,10,20,300,force,,1\n\
         a|b_c.pnml,mdd,bfs,auto,,timeout,,0.125000,0.250000,3145728,10,20,300,force,,1\n",
    );
    check(
        CompareFormat::Csv,
        CompareRows::Models,
        "model,states,mdd_bfs_outcome,mdd_bfs_cpu_seconds,mdd_bfs_peak_bytes\n\
         \"net, \"\"one\"\".pnml\",123456789012345678,ok,0.125000,3145728\n\
         a|b_c.pnml,,timeout,0.125000,3145728\n",
    );
    check(
        CompareFormat::Markdown,
        CompareRows::Models,
        "| model | states | mdd bfs |\n| --- | ---: | ---: |\n\
         | net, \"one\" | 1.235e17 | 0.125 s  3.0M |\n| a\\|b\\_c | ? | > 60 s |\n",
    );
    check(
        CompareFormat::Text,
        CompareRows::Cells,
        "  diagram  strategy  order    cpu s  memory  nodes  peak  steps\n\
         net, \"one\": 123456789012345678 states\n\
         \x20 mdd      bfs       auto     0.125    3.0M     10    20    300\n\
         a|b_c: unknown\n\
         \x20 mdd      bfs       auto   timeout    3.0M     10    20    300\n",
    );
    let svg = chart::chart(&answer.comparison, answer.look.limits);
    assert!(
        svg.contains("mdd bfs: timeout") && svg.contains("(limits: 60 s, 4.0G)") && svg.ends_with("</svg>\n"),
        "{svg}"
    );
}

#[test]
fn a_single_model_is_drawn_by_its_last_choice() {
    let mut answer = answer(vec![
        ("a", "bfs", states("3")),
        ("a", "saturation", states("3")),
        ("a", "bfs", states("3")),
        ("a", "saturation", Ending::Unknown(Reason::Memory)),
    ]);
    for (cell, _) in &mut answer.comparison.rows[2..] {
        cell.choices[2] = Some("force".into());
    }
    let svg = chart::chart(&answer.comparison, answer.look.limits);
    for title in ["<title>auto, mdd bfs: 0.125 s</title>", "<title>force, mdd saturation: memory</title>"] {
        assert!(svg.contains(title), "no {title} in {svg}");
    }
    assert!(svg.contains("states a: time and memory"), "{svg}");
    assert_eq!(svg.matches("class=\"mark").count(), 2 + 2 * 4, "the legend and all cells: {svg}");
}

#[test]
fn axes_come_from_lists_or_single_choices() {
    let check = |words: &str, expected: Result<&[&[&str]], &str>| {
        let words = ["symbolon", "compare", "kanban:1"].into_iter().chain(words.split_whitespace());
        let parsed = Arguments::try_parse_from(words).expect("well-formed");
        let Some(crate::arguments::Command::Compare(arguments)) = parsed.command else {
            panic!("another command")
        };
        let found = axes(&parsed.global, &arguments, None);
        match (found, expected) {
            (Ok(axes), Ok(expected)) => {
                let values: Vec<&[OsString]> = axes.iter().map(|axis| axis.values.as_slice()).collect();
                assert_eq!(values, expected);
            }
            (Err(failure), Err(says)) => assert!(failure.0[0].message.contains(says), "{failure:?}"),
            (found, _) => panic!("{found:?}"),
        }
    };
    let usual: &[&str] = &["bfs", "chaining", "saturation"];
    check("--diagrams mdd", Ok(&[&["mdd"], usual, &["auto"], &["auto"]]));
    check(
        "--diagrams set,mdd --hierarchies flat,@tree",
        Ok(&[&["set", "mdd"], usual, &["auto"], &["flat", "@tree"]]),
    );
    check("--diagram set --hierarchy nupn", Ok(&[&["set"], usual, &["auto"], &["nupn"]]));
    check(
        "--diagrams mdd,explicit --strategies bfs,auto --variable-orders force,@file",
        Ok(&[&["mdd", "explicit"], &["bfs", "auto"], &["force", "@file"], &["auto"]]),
    );
    check(
        "--diagram mdd --strategy chaining --variable-order sloan",
        Ok(&[&["mdd"], &["chaining"], &["sloan"], &["auto"]]),
    );
    check("--diagrams mdd --diagram mdd", Err("'--diagrams' is a list"));
    check("--strategies bfs --strategy bfs", Err("'--strategies' is a list"));
    check("--variable-orders force --variable-order sloan", Err("'--variable-orders' is a list"));
    check("--diagrams set --hierarchies flat --hierarchy nupn", Err("'--hierarchies' is a list"));
    check("--diagrams mdd,ddd --hierarchies flat", Err("hierarchies require set diagrams"));
}

#[test]
fn what_a_preset_compares_is_what_there_is() {
    let parsed =
        Arguments::try_parse_from(["symbolon", "compare", "--preset", "thesis"]).expect("well-formed");
    let Some(crate::arguments::Command::Compare(arguments)) = parsed.command else {
        panic!("another command")
    };
    let wishes = preset::wishes(arguments.preset.expect("given"));
    let axes = axes(&parsed.global, &arguments, Some(&wishes)).expect("sound");
    let offered = |name: &str| {
        DiagramKind::value_variants().iter().any(|kind| is_offered(*kind) && value_name(kind) == name)
    };
    for name in ["set", "mdd"] {
        assert_eq!(axes[0].values.contains(&name.into()), offered(name), "{name}");
    }
    assert_eq!(enumerate(&wishes.models, &axes).len(), 21 * 3 * axes[0].values.len());
}
