//! `convert`: what is written can be read again, and what cannot be written is explained.

use crate::json::validated;
use crate::nets::{ONE_STEP, one_step_with, unbounded};
use crate::program::{line_in, line_with_input, symbolon};
use serde_json::json;
use std::fs;
use std::path::Path;

/// The number of states that `states` finds.
fn states(folder: &Path, model: &str) -> String {
    let run = line_in(folder, &format!("states {model} -q"));
    assert_eq!(run.status, Some(0), "{run:?}");
    run.out.trim().to_string()
}

#[test]
fn safe_nets_have_as_many_states() {
    let folder = tempfile::tempdir().expect("a folder");
    for (model, count) in [("kanban:3", "58400"), ("fms:2", "3444"), ("producer-consumer:2,2,3", "36")] {
        fs::create_dir(folder.path().join("mcc")).expect("created");
        let run = line_in(folder.path(), &format!("convert {model} --to safe-pnml -o mcc/model.pnml"));
        assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{run:?}");
        assert!(run.out.starts_with("wrote mcc/model.pnml (safe-pnml): "), "{}", run.out);
        assert_eq!(states(folder.path(), model), count, "{model}");
        assert_eq!(states(folder.path(), "mcc/model.pnml"), count, "{model}");
        let run = line_in(folder.path(), "mcc OneSafe mcc");
        assert!(run.out.starts_with("FORMULA OneSafe TRUE "), "{}", run.out);
        fs::remove_dir_all(folder.path().join("mcc")).expect("removed");
    }
}

#[test]
fn bounds_that_the_structure_does_not_tell_are_found_by_exploring() {
    // Two tokens may flow from p to q; only an inhibitor arc keeps the third away.
    let net = one_step_with(
        r#"<arc id="a" source="p" target="t"/>"#,
        r#"<arc id="a" source="q" target="t"><inscription><text>2</text></inscription><type value="inhibitor"/></arc>"#,
    );
    let run = line_with_input("convert - --to safe-pnml -v", net.as_bytes());
    assert_eq!(run.status, Some(0), "{run:?}");
    assert!(run.err.contains("exact, from all reachable states"), "{}", run.err);
    assert!(run.out.contains("q_bit1_not"), "{}", run.out);
    let run = line_with_input("states - -q", run.out.as_bytes());
    assert_eq!(run.out, "3\n");
}

#[test]
fn formats_follow_the_name_of_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("net.pnml"), ONE_STEP).expect("written");
    for (words, begins) in [
        ("convert net.pnml -o out.ll_net", "PEP\n"),
        ("convert net.pnml -o out.PNML", "<?xml"),
        ("convert net.pnml -o out.xml", "<?xml"),
        ("convert net.pnml --to ll_net -o out.pnml", "PEP\n"),
        ("convert net.pnml --to ll_net -o any", "PEP\n"),
    ] {
        let run = line_in(folder.path(), words);
        assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{words}: {run:?}");
        assert!(run.out.ends_with("2 places, 1 transition, 2 arcs\n"), "{words}: {}", run.out);
        let name = words.rsplit(' ').next().expect("a word");
        let text = fs::read_to_string(folder.path().join(name)).expect("written");
        assert!(text.starts_with(begins), "{words}: {text}");
        assert_eq!(states(folder.path(), name), "2", "{words}");
    }
    // A file may be tidied where it is, and then stays as it is.
    let tidy = || {
        assert_eq!(line_in(folder.path(), "convert net.pnml -o net.pnml -q").out, "");
        fs::read_to_string(folder.path().join("net.pnml")).expect("written")
    };
    assert_eq!(tidy(), tidy());
    assert_eq!(line_in(folder.path(), "convert net.pnml").out, tidy());
    assert_eq!(line_in(folder.path(), "convert net.pnml -o -").out, tidy());
}

#[test]
fn dot_is_what_draw_draws() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = line_in(folder.path(), "convert pedestrian-light:1 -o net.gv");
    assert!(run.out.ends_with("(dot): 9 places, 6 transitions, 20 arcs\n"), "{run:?}");
    let text = fs::read_to_string(folder.path().join("net.gv")).expect("written");
    assert_eq!(text, line_in(folder.path(), "draw pedestrian-light:1 --to dot").out);
    assert_eq!(text, line_in(folder.path(), "convert pedestrian-light:1 --to dot").out);
    assert!(text.contains("digraph") && text.contains("people_green_1"), "{text}");
}

#[test]
fn names_with_spaces_and_other_letters() {
    let folder = tempfile::tempdir().expect("a folder");
    let net = one_step_with(
        r#"<place id="q"/>"#,
        "<place id=\"q\"><name><text>größer &amp; 空</text></name></place>",
    );
    let (from, to) = (folder.path().join("mein Netz é.pnml"), folder.path().join("sein Netz é.ll_net"));
    fs::write(&from, &net).expect("written");
    let run = symbolon(&["convert".as_ref(), from.as_os_str(), "-o".as_ref(), to.as_os_str()]);
    assert_eq!(run.status, Some(0), "{run:?}");
    assert!(fs::read_to_string(&to).expect("written").contains("b\"gr__er & _\""), "{run:?}");
    let run = symbolon(&["convert".as_ref(), from.as_os_str()]);
    assert!(run.out.contains("größer &amp; 空"), "{}", run.out);
}

#[test]
fn dead_parts_are_dropped() {
    let net = one_step_with(r#"<text>1</text>"#, "<text>0</text>");
    let run = line_with_input("convert - --drop-dead --json", net.as_bytes());
    let report = validated(&run);
    assert_eq!((&report["places"], &report["transitions"]), (&json!(0), &json!(0)), "{report:#}");
    let run = line_with_input("convert - --json", net.as_bytes());
    assert_eq!(validated(&run)["places"], json!(2));
}

#[test]
fn redundant_parts_are_dropped() {
    let net = r#"<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
        <place id="p"><initialMarking><text>1</text></initialMarking></place>
        <place id="constant"><initialMarking><text>2</text></initialMarking></place>
        <transition id="t"/><transition id="same"/>
        <arc id="a" source="p" target="t"/><arc id="b" source="p" target="same"/>
        </page></net></pnml>"#;
    let run = line_with_input("convert - --drop-redundant --json", net.as_bytes());
    let report = validated(&run);
    assert_eq!((&report["places"], &report["transitions"]), (&json!(1), &json!(1)), "{report:#}");
    let run = line_with_input("convert - --drop-redundant -v", net.as_bytes());
    assert!(run.err.contains("dropped as redundant: places 1, transitions 1"), "{run:?}");
    let run = line_with_input("convert - --drop-dead --json", net.as_bytes());
    assert_eq!(validated(&run)["places"], json!(2));
}

#[test]
fn what_cannot_be_written_is_explained() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("net.pnml"), unbounded()).expect("written");
    let inhibited = one_step_with(r#"target="t"/>"#, r#"target="t"><type value="inhibitor"/></arc>"#);
    fs::write(folder.path().join("inhibited.pnml"), inhibited).expect("written");
    fs::write(folder.path().join("empty.pnml"), "").expect("written");
    let check = |words: &str, says: &[&str]| {
        let run = line_in(folder.path(), words);
        assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{words}: {run:?}");
        says.iter().for_each(|says| assert!(run.err.contains(says), "{words}: no '{says}' in {}", run.err));
        let run = line_in(folder.path(), &format!("{words} --json"));
        assert_eq!(validated(&run)["status"], json!("error"), "{words}");
    };
    check("convert net.pnml --to safe-pnml", &["place 'q' is unbounded"]);
    check("convert inhibited.pnml --to ll_net", &["inhibitor arc from 'p'", "--to safe-pnml"]);
    check(
        "convert net.pnml -o out.txt",
        &["'out.txt' does not determine the format", "pnml, unfolded-pnml, safe-pnml, ll_net, dot"],
    );
    check("convert net.pnml -o out", &["does not determine the format"]);
    check("convert net.pnml --to ispl", &["is a Petri net", "--to gcl"]);
    check("convert net.pnml -o net.ispl", &["ISPL describes multi-agent systems"]);
    check("convert prisoners:3 --to pnml", &["is a multi-agent system", "--to ispl"]);
    check("convert net.pnml --to cnet", &["'net.pnml' is not a coloured net", "--to pnml"]);
    check("convert net.pnml --to pnlm", &["pnml"]);
    check("convert net.pnml -o .", &["does not determine the format"]);
    check("convert net.pnml --to pnml -o .", &["this is a folder"]);
    check("convert net.pnml -o no/such.pnml", &["there is no such folder"]);
    check("convert empty.pnml", &["empty.pnml", "empty"]);
    check("convert nett.pnml", &["did you mean 'net.pnml'?"]);
    check(
        "convert kanban:100000 --to safe-pnml",
        &["transitions, more than 200000", "largest bound of a place is 100000"],
    );
    // Nothing was written by any of these.
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 3);
}

#[test]
fn json_has_the_text_or_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let report = validated(&line_in(folder.path(), "convert kanban:2 --to safe-pnml -o safe.pnml --json"));
    assert_eq!(report["format"], json!("safe-pnml"));
    assert_eq!(report["file"], json!("safe.pnml"));
    assert!(report.get("text").is_none());
    let report = validated(&line_in(folder.path(), "convert kanban:2 --json"));
    assert_eq!((&report["format"], &report["file"]), (&json!("pnml"), &json!(null)));
    assert_eq!(
        (&report["places"], &report["transitions"], &report["arcs"]),
        (&json!(16), &json!(16), &json!(40))
    );
    assert!(report["text"].as_str().is_some_and(|text| text.starts_with("<?xml")));
    let report =
        validated(&line_in(folder.path(), "convert kanban:50 --to safe-pnml --timeout 0.001 --json"));
    assert_eq!(report["status"], json!("unknown"), "{report:#}");
}
