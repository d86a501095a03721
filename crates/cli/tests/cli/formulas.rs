//! Where formulas come from, and what is said of those that are wrong: files, standard input, the
//! contest's XML.

use crate::json::validated;
use crate::nets::{ONE_STEP, one_step_with, unbounded};
use crate::program::{Run, line_in, line_with_input, symbolon};
use serde_json::json;
use std::fs;
use std::time::Duration;

/// Runs `check` on a net of one step, `p` to `q`, with a file of formulas.
fn check_file(name: &str, formulas: &[u8]) -> Run {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("net.pnml"), ONE_STEP).expect("written");
    fs::write(folder.path().join(name), formulas).expect("written");
    line_in(folder.path(), &format!("check net.pnml --formulas {name} --no-witness"))
}

fn refused(name: &str, formulas: &[u8], says: &[&str]) {
    let run = check_file(name, formulas);
    assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{name}: {run:?}");
    for text in says {
        assert!(run.err.contains(text), "{name}: no '{text}' in\n{}", run.err);
    }
}

/// A property file of the contest with one formula.
fn contest(formula: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<property-set xmlns=\"http://mcc.lip6.fr/\">\n<property>\n<id>one</id>\n\
         <description>said</description>\n<formula>\n{formula}\n</formula>\n</property>\n</property-set>\n"
    )
}

#[test]
fn formulas_come_from_standard_input() {
    let run = line_with_input("check philosophers:3 --formulas - -q", b"EF deadlock\nsafe: AG !deadlock\n");
    assert_eq!((run.out.as_str(), run.status), ("holds\nsafe fails\n", Some(1)), "{run:?}");
    let run = line_with_input("check philosophers:3 --formulas -", b"EF\n");
    assert_eq!(run.status, Some(2), "{run:?}");
    assert!(run.err.starts_with("<stdin>:1:1: error: "), "{}", run.err);
    for words in ["check - --formulas -", "check philosophers:3 --formulas - --formulas -"] {
        let run = line_with_input(words, b"");
        assert_eq!(run.status, Some(2), "{run:?}");
        assert!(run.err.contains("standard input can be read once"), "{}", run.err);
    }
}

#[test]
fn nets_and_other_files_are_no_formulas() {
    let net = "this is a net, expected formulas";
    let hint = "hint: give the model itself as MODEL";
    refused("other.pnml", ONE_STEP.as_bytes(), &[net, hint, "other.pnml: error"]);
    refused("formulas.txt", ONE_STEP.as_bytes(), &[net, hint]);
    refused("net.ll_net", b"PEP\nPTNet\nFORMAT_N\nPL\n", &[net, hint]);
    refused("binary", b"AG p\0\x01\x02", &["the file is binary", "expected formulas"]);
    refused("program", b"\x7FELF\x02\x01", &["the file is a program", "expected formulas"]);
    refused("empty.txt", b"", &["the file has no formula in it"]);
    refused("page.html", b"<html>\n<body>", &["the root element is <html>"]);
    refused("other.xml", b"<property-set><!-- pnml -->", &["<property-set>"]);
}

#[test]
fn mistakes_in_files_are_shown_with_a_caret() {
    let names = "# names\nfirst: AG !(p & pq)\n\nsecond: EF p + 1 & q";
    refused(
        "a.txt",
        names.as_bytes(),
        &["a.txt:4:12: error: `p + 1` is a number", "  second: EF p + 1 & q\n             ^^^^^\n"],
    );
    let names = "# names\nfirst: AG !(p & pq)\n";
    refused(
        "a.txt",
        names.as_bytes(),
        &["a.txt:2:17: error: the net has no place \"pq\"", "  first: AG !(p & pq)\n                  ^^\n"],
    );
    refused("b.txt", b"AG (p & (q", &["b.txt:1:9: error", "  AG (p & (q\n          ^\n"]);
    let xml = contest("<all-path><true/></all-path>");
    refused("c.xml", xml.as_bytes(), &["c.xml:7:1: error", "  <all-path><true/></all-path>\n  ^\n"]);
    let xml = contest("<is-fireable><transition>tt</transition></is-fireable>");
    refused("d.xml", xml.as_bytes(), &["d.xml:7:26: error: the net has no transition \"tt\"", "^^\n"]);
}

#[test]
fn words_of_other_languages() {
    for (formula, says) in [
        ("always p", "hint: for \"always\" write AG p"),
        ("eventually p", "write AF p"),
        ("AG (TRUE)", "hint: did you mean true?"),
        ("AG !False", "hint: did you mean false?"),
        ("EF Deadlock", "hint: did you mean deadlock?"),
        ("[] p", "write AG p"),
        ("<> p", "write AF p"),
        ("AG", "a formula must follow, as in AG p"),
        ("p until q", "did you mean `U`?"),
    ] {
        refused("a.txt", formula.as_bytes(), &[says, "^"]);
    }
    for formula in ["EF (p == 0 && q == 1)", "AG (p = 1 || q = 1)", "AG (p = 1 => !q)", "not EF (p and q)"] {
        let run = check_file("a.txt", formula.as_bytes());
        assert_eq!(run.status, Some(0), "{formula}: {run:?}");
    }
}

#[test]
fn nets_without_units_have_no_agents() {
    for formula in ["K(a, p)", "AG GCK(g, p)", "EF DK(g, p) & q", "<g> F p", "AG <g> (p U q)"] {
        refused("a.txt", formula.as_bytes(), &["and the net has no units or pages", "^", "CTL*"]);
    }
}

#[test]
fn units_of_a_net_know_what_they_see() {
    let units = "<toolspecific tool=\"nupn\" version=\"1.1\"><size places=\"2\" transitions=\"1\" arcs=\"2\"/>\
        <structure units=\"3\" root=\"r\" safe=\"true\">\
        <unit id=\"r\"><places></places><subunits>u v</subunits></unit>\
        <unit id=\"u\"><places>p</places><subunits></subunits></unit>\
        <unit id=\"v\"><places>q</places><subunits></subunits></unit>\
        </structure></toolspecific></page>";
    let folder = tempfile::tempdir().expect("a folder");
    let net = folder.path().join("net.pnml");
    fs::write(&net, one_step_with("</page>", units)).expect("written");
    let net = net.display().to_string();
    // The token is in p or in q, so an agent that sees one of them knows about the other.
    for (formula, verdict) in [
        ("K(u, p)", "holds"),
        ("AG (q -> K(u, q) & K(v, !p))", "holds"),
        ("AG K(v, p)", "fails"),
        ("EF GCK(all, q)", "holds"),
        ("AG (DK(all, p) | K(r, q))", "holds"),
    ] {
        for diagram in ["mdd", "bdd", "explicit"] {
            let run = symbolon(&["check", &net, formula, "-q", "--no-witness", "--diagram", diagram]);
            assert_eq!(run.out, format!("{verdict}\n"), "{formula} {diagram}: {}", run.err);
        }
    }
    for (formula, says) in [
        ("K(w, p)", "there is no unit"),
        ("GK(alll, p)", "did you mean"),
        ("<u> F p", "units of a net do not act"),
    ] {
        let run = symbolon(&["check", &net, formula]);
        assert_eq!(run.status, Some(2), "{run:?}");
        assert!(run.err.contains(says), "{formula}: {}", run.err);
    }
}

#[test]
fn unbounded_nets_are_reported_early() {
    let folder = tempfile::tempdir().expect("a folder");
    let net = folder.path().join("net.pnml");
    fs::write(&net, unbounded()).expect("written");
    let net = net.display().to_string();
    for threads in ["--threads=1", "--threads=2"] {
        let run = symbolon(&["check", &net, "AF q >= 1000000000", threads]);
        assert_eq!(run.status, Some(3), "{run:?}");
        assert!(run.err.contains("'q' is unbounded, so there are infinitely many states"), "{}", run.err);
        assert!(run.out.contains("neither a proof nor a run decided it"), "{}", run.out);
        assert!(run.time < Duration::from_secs(10), "{run:?}");
        // A run is found where there is one, and a proof.
        for (formula, status) in [("EF q >= 100", 0), ("AG q <= 3", 1), ("AG !deadlock", 0)] {
            let run = symbolon(&["check", &net, formula, "--json", threads]);
            assert_eq!(run.status, Some(status), "{formula}, {threads}: {run:?}");
            assert_eq!(validated(&run)["status"], json!("ok"), "{formula}");
        }
    }
}

#[test]
fn runs_fit_eighty_columns() {
    for words in [
        &["check", "philosophers:20", "AG !deadlock"][..],
        &["check", "philosophers:20", "AG !deadlock", "-v", "--no-shortcuts"],
        &["deadlock", "philosophers:20"],
        &["check", "philosophers:6", "A (G F Eat_1)"],
    ] {
        let run = symbolon(words);
        let long: Vec<&str> = run.out.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{words:?}: {long:#?}");
        assert!(run.out.contains("Fork_1"), "{words:?}: {}", run.out);
    }
}

/// Depth and length cost neither stack nor patience, wherever the formula comes from.
#[test]
fn enormous_formulas() {
    let n = 10_000;
    for (formula, verdict) in [
        (format!("{}p{}", "EX (".repeat(n), ")".repeat(n)), "fails"),
        (format!("{}p{}", "!(".repeat(n), ")".repeat(n)), "holds"),
        (vec!["p"; n].join(" & "), "holds"),
        ((0..n).map(|number| format!("p <= {}", number + 1)).collect::<Vec<_>>().join(" & "), "holds"),
        (format!("A ({}p)", "X ".repeat(n)), "fails"),
        (format!("E[{}q]", "p U ".repeat(n)), "holds"),
        (format!("{}q", "p -> ".repeat(n)), "fails"),
        (format!("p{} >= 1", " + p".repeat(n)), "holds"),
    ] {
        let run = check_file("a.txt", formula.as_bytes());
        assert!(run.out.starts_with(verdict), "{}…: {run:?}", &formula[..20]);
    }
    let flat = format!("<conjunction>{}</conjunction>", "<true/>".repeat(n));
    assert_eq!(check_file("a.xml", contest(&flat).as_bytes()).status, Some(0));
    let nested = format!("{}<true/>{}", "<negation>".repeat(n), "</negation>".repeat(n));
    refused("a.xml", contest(&nested).as_bytes(), &["elements are nested deeper than 1000", "^"]);
    refused("a.txt", "(".repeat(n).as_bytes(), &["^", "brackets are open"]);
    refused("a.txt", format!("{}pp", "AX (".repeat(n)).as_bytes(), &["^", "brackets are open"]);
}

/// The examinations are each about one logic.
#[test]
fn formulas_of_the_wrong_logic() {
    let p = "<is-fireable><transition>t</transition></is-fireable>";
    let path = format!("<all-paths><globally><finally>{p}</finally></globally></all-paths>");
    let tree = format!(
        "<all-paths><globally><exists-path><finally>{p}</finally></exists-path></globally></all-paths>"
    );
    for (examination, formula, says) in [
        ("CTLFireability", &path, Some("this formula is not CTL")),
        ("LTLFireability", &path, None),
        ("CTLFireability", &tree, None),
        ("LTLFireability", &tree, Some("this formula is not LTL")),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("model.pnml"), ONE_STEP).expect("written");
        fs::write(folder.path().join(format!("{examination}.xml")), contest(formula)).expect("written");
        let run = line_in(folder.path(), &format!("mcc {examination} ."));
        match says {
            None => assert_eq!((run.status, run.out.starts_with("FORMULA one")), (Some(0), true), "{run:?}"),
            Some(says) => {
                assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{run:?}");
                assert!(run.err.contains(says) && run.err.contains("^"), "{}", run.err);
            }
        }
    }
}
