//! Coloured nets: every command answers in the words of their source.

use crate::json::validated;
use crate::program::{Run, folder_with, line, line_in, line_with_input, symbolon, symbolon_in};
use serde_json::{Value, json};
use std::fs;

/// Two clients choose one of two servers; the last place is never marked.
const CLIENTS: &str = "\
class Client = {c1, c2}
class Server = {s1, s2, s3}
var c: Client
var s: Server
place idle: Client = all
place asked: Client x Server
place log = 0
transition ask [s != s3]: take idle(c) put asked(c, s), log
transition answer: take asked(c, s), log put idle(c)
transition strange: take asked(c, s3) put idle(c)
";

fn checked(formulas: &[&str]) -> Value {
    let folder = folder_with("clients.cnet", CLIENTS);
    let words = [&["check", "clients.cnet", "--json"], formulas].concat();
    validated(&symbolon_in(folder.path(), &words))
}

#[test]
fn a_coloured_net_has_the_states_of_its_plain_twin() {
    for (coloured, plain) in
        [("philosophers-coloured:4", "philosophers:4"), ("client-server:2,2", "client-server:2,2")]
    {
        for options in ["", " --diagram bdd", " --diagram set", " --diagram explicit"] {
            let states = |model: &str| validated(&line(&format!("states {model} --json{options}")));
            let (one, other) = (states(coloured), states(plain));
            assert_eq!((&one["states"], &one["edges"]), (&other["states"], &other["edges"]), "{options}");
        }
    }
}

#[test]
fn formulas_name_places_colours_and_bindings() {
    let report = checked(&[
        "AG idle <= 2",
        "EF idle = 0",
        "EF asked[c1,s2]",
        "EF asked[c1, s3] > 0",
        "EF fireable(ask(c=c1))",
        "EF (fireable(answer(c=c2,s=s1)) & asked = 1)",
        "EF fireable(strange)",
        "AG (asked[c1,s1] + asked[c1,s2] = 1 | idle[c1] = 1)",
        "AG log = asked",
    ]);
    let verdicts: Vec<&Value> =
        report["properties"].as_array().expect("a list").iter().map(|one| &one["verdict"]).collect();
    let expected = ["holds", "holds", "holds", "fails", "holds", "holds", "fails", "holds", "holds"];
    assert_eq!(verdicts, expected.map(Value::from).iter().collect::<Vec<_>>(), "{report:#}");
    let step = &report["properties"][2]["witness"]["steps"][0];
    assert_eq!(step["event"], "ask(c=c1,s=s2)");
    assert_eq!(step["changes"]["asked[c1,s2]"], json!([0, 1]));
    assert_eq!(report["properties"][2]["formula"], "EF asked[c1,s2]");
}

#[test]
fn wrong_colours_and_bindings_are_explained() {
    for (formula, message, hint) in [
        ("EF asked[c1]", "has 2 components, Client x Server, but 1 was given", ""),
        ("EF asked[c9,s1]", "class 'Client' has no member 'c9'", "its members are c1, c2"),
        ("EF idel[c1]", "the net has no place \"idel[c1]\"", "did you mean \"idle[c1]\"?"),
        ("EF log[c1]", "the tokens of 'log' have no colour", "write log"),
        ("EF fireable(ask(d=c1))", "transition 'ask' has no variable 'd'", "its variables are c, s"),
        ("EF fireable(ask(c=s1))", "class 'Client' has no member 's1'", ""),
        ("EF fireable(idle)", "the net has no transition \"idle\"", "\"idle\" is a place: write idle >= 1"),
        ("EF ask", "the net has no place \"ask\"", "\"ask\" is a transition: write fireable(ask)"),
    ] {
        let folder = folder_with("clients.cnet", CLIENTS);
        let run = symbolon_in(folder.path(), &["check", "clients.cnet", formula]);
        assert_eq!(run.status, Some(2), "{formula}: {run:?}");
        assert!(run.err.contains(message) && run.err.contains(hint), "{formula}: {}", run.err);
    }
}

#[test]
fn bounds_of_places_and_of_colours() {
    let folder = folder_with("clients.cnet", CLIENTS);
    let bounds = |words: &str| line_in(folder.path(), &format!("bounds clients.cnet {words}")).out;
    assert_eq!(bounds("idle asked log -q"), "idle 2\nasked 2\nlog 2\n");
    assert_eq!(bounds("asked[c1,s2] -q"), "1\n");
    assert_eq!(bounds("asked[c1,s3] -q"), "0\n");
    assert_eq!(bounds("--sum 2*idle,asked[c1,s1],asked[c1,s2] -q"), "4\n");
    let all = bounds("--per-colour -q");
    assert!(all.contains("asked[c2,s1] 1\n") && !all.contains("s3"), "{all}");
    let wrong = line_in(folder.path(), "bounds clients.cnet asked[c1,s4]");
    assert_eq!(wrong.status, Some(2), "{wrong:?}");
    assert!(wrong.err.contains("class 'Server' has no member 's4'"), "{wrong:?}");
}

#[test]
fn converted_nets_mean_the_same() {
    let folder = folder_with("clients.cnet", CLIENTS);
    let states = |file: &str| validated(&line_in(folder.path(), &format!("states {file} --json")));
    let original = states("clients.cnet");
    for (target, file) in
        [("pnml", "a.pnml"), ("cnet", "b.cnet"), ("unfolded-pnml", "c.pnml"), ("gcl", "d.gcl")]
    {
        let run = line_in(folder.path(), &format!("convert clients.cnet --to {target} -o {file}"));
        assert_eq!(run.status, Some(0), "{run:?}");
        let other = states(file);
        assert_eq!(
            (&other["states"], &other["edges"]),
            (&original["states"], &original["edges"]),
            "{target}"
        );
    }
    let text = fs::read_to_string(folder.path().join("a.pnml")).expect("written");
    assert!(text.contains("symmetricnet") && text.contains("finiteenumeration"), "{text}");
    let run = line("convert kanban:2 --to cnet");
    assert_eq!(run.status, Some(2), "{run:?}");
    assert!(run.err.contains("'kanban:2' is not a coloured net"), "{run:?}");
}

#[test]
fn info_describes_colours() {
    let folder = folder_with("clients.cnet", CLIENTS);
    let report = validated(&line_in(folder.path(), "info clients.cnet --json"));
    let colours = &report["colours"];
    assert_eq!(colours["classes"][1]["name"], "Server", "{colours:#}");
    assert_eq!(colours["classes"][1]["size"], 3, "{colours:#}");
    assert_eq!(colours["places"][1]["domain"], "Client x Server", "{colours:#}");
    assert_eq!(
        (&colours["places"][1]["colours"], &colours["places"][1]["instances"]),
        (&json!(6), &json!(4))
    );
    assert_eq!(colours["never_marked"], "2", "{colours:#}");
    let text = line_in(folder.path(), "info clients.cnet -v").out;
    assert!(text.contains("Client (enumeration, 2), Server (enumeration, 3)"), "{text}");
    assert!(text.contains("  asked: Client x Server, 4 of 6 colours can be marked\n"), "{text}");
    assert!(text.contains("  strange(c): 0 bindings\n"), "{text}");
}

#[test]
fn pictures_show_inscriptions() {
    let folder = folder_with("clients.cnet", CLIENTS);
    let dot = line_in(folder.path(), "draw clients.cnet --to dot").out;
    for text in ["idle: Client = all", "asked: Client x Server", "ask [s != s3]", "(c, s)", "(c, s3)"] {
        assert!(dot.contains(text), "{text}: {dot}");
    }
    let svg = line_in(folder.path(), "draw clients.cnet --to svg").out;
    assert!(svg.contains("ask [s != s3]"), "{svg}");
}

#[test]
fn examinations_ask_about_places_and_transitions_as_written() {
    let folder = folder_with("clients.cnet", CLIENTS);
    assert_eq!(line_in(folder.path(), "convert clients.cnet -o model.pnml").status, Some(0));
    let answer = |examination: &str| line_in(folder.path(), &format!("mcc {examination} .")).out;
    let says = |examination: &str, answer: &str, out: String| {
        assert!(out.starts_with(&format!("FORMULA {examination} {answer} TECHNIQUES")), "{out}");
    };
    says("OneSafe", "FALSE", answer("OneSafe"));
    says("StableMarking", "FALSE", answer("StableMarking"));
    says("QuasiLiveness", "FALSE", answer("QuasiLiveness"));
    says("Liveness", "FALSE", answer("Liveness"));
    says("ReachabilityDeadlock", "FALSE", answer("ReachabilityDeadlock"));
    fs::write(folder.path().join("ring.cnet"), "class N = cyclic 1..3\nvar x: N\nplace p: N = 1\nplace all_of: N = all\ntransition t: take p(x) read all_of(x) put p(x++)\n").expect("written");
    assert_eq!(line_in(folder.path(), "convert ring.cnet -o model.pnml").status, Some(0));
    says("OneSafe", "FALSE", answer("OneSafe"));
    says("StableMarking", "TRUE", answer("StableMarking"));
    says("QuasiLiveness", "TRUE", answer("QuasiLiveness"));
    says("Liveness", "TRUE", answer("Liveness"));
}

#[test]
fn an_unfolding_that_is_too_large_is_an_answer() {
    let text = "class N = cyclic 1..1000\nvar a, b, c, d, e: N\nplace p: N = all\nplace q: N\n\
                transition t: take p(a + b + c + d + e) put q(a)\n";
    let folder = folder_with("large.cnet", text);
    let run: Run = line_in(folder.path(), "states large.cnet --symmetry off --json");
    assert_eq!(run.status, Some(3), "{run:?}");
    let report = validated(&run);
    assert_eq!(report["reason"], "memory", "{report:#}");
    assert!(
        report["detail"].as_str().is_some_and(|why| why.contains("transitions, too many to list")),
        "{report:#}"
    );
    let wrong = folder_with("wrong.cnet", "class N = range 1..1000000000\nplace p: N\n");
    let run = line_in(wrong.path(), "states wrong.cnet");
    assert_eq!(run.status, Some(2), "{run:?}");
    assert!(run.err.contains("wrong.cnet:1:") && run.err.contains("1000000"), "{run:?}");
}

#[test]
fn symmetry_is_used_where_it_pays_and_announced() {
    let states = |options: &str| validated(&line(&format!("states cs-wave:5 --json{options}")));
    let (folded, whole) = (states(""), states(" --symmetry off"));
    for key in ["states", "edges", "max_tokens_in_place", "max_tokens_per_marking"] {
        assert_eq!(folded[key], whole[key], "{key}");
    }
    assert_eq!((&folded["tier"], &folded["symbolic_states"]), (&json!("counters"), &json!("90")));
    assert_eq!((&whole["tier"], &whole["symbolic_states"]), (&Value::Null, &Value::Null));
    let markings = states(" --symmetry markings");
    assert_eq!((&markings["tier"], &markings["symbolic_states"]), (&json!("markings"), &json!("90")));
    assert_eq!(markings["states"], whole["states"]);
    // Clients belong to servers, and both are counted; whole orbits are counted in either way.
    for (options, tier) in
        [("", "counters"), (" --symmetry on", "counters"), (" --symmetry markings", "markings")]
    {
        let servers = validated(&line(&format!("states client-server:5,2 --json{options}")));
        assert_eq!((&servers["tier"], &servers["symbolic_states"]), (&json!(tier), &json!("82")));
        assert_eq!((&servers["states"], &servers["edges"]), (&json!("4864"), &json!("24640")));
    }
    let diagrams = states(" --symmetry on --diagram ddd");
    assert_eq!((&diagrams["tier"], &diagrams["diagram"]), (&json!("markings"), &json!("ddd")));
    assert_eq!((&diagrams["states"], &diagrams["symbolic_states"]), (&whole["states"], &json!("90")));
    assert_eq!(diagrams["nodes_made"]["mdd"], 0, "{diagrams:#}");
    // No node is made where markings are stored one by one.
    assert!(markings["nodes_made"].as_object().expect("an object").values().all(|made| *made == 0));
}

/// Figure 2 of Thierry-Mieg, Ilié and Poitrenaud (2004).
#[test]
fn a_diagram_of_symbolic_markings_is_drawn() {
    let draw = |words: &str| line(&format!("draw client-server:2,2 --symmetry {words}"));
    let picture = draw("on --diagram ddd --what diagram --to svg");
    assert_eq!(picture.status, Some(0), "{picture:?}");
    assert!(picture.out.contains("12 symbolic markings as a diagram (ddd)"), "{}", picture.out);
    for word in ["Client", "Server", "Server1", "1,1"] {
        assert!(picture.out.contains(&format!(">{word}<")), "{word}: {}", picture.out);
    }
    for (words, says) in [
        ("markings --what diagram", "there is no diagram of them"),
        ("on --diagram ddd --what net", "requires '--what diagram'"),
    ] {
        let refused = draw(words);
        assert_eq!(refused.status, Some(2), "{words}: {refused:?}");
        assert!(refused.err.contains(says), "{words}: {}", refused.err);
    }
    let large = line("draw client-server:9,9 --what diagram --symmetry on --diagram ddd --to svg");
    assert!(large.err.contains("1143 nodes, too many"), "{large:?}");
}

#[test]
fn a_member_that_a_question_is_about_is_told_apart() {
    for options in ["", "--symmetry counters", "--symmetry markings", "--symmetry on --diagram set"] {
        let check = |formula: &str| {
            let mut words = vec!["check", "cs-wave:6", formula, "-v"];
            words.extend(options.split_whitespace());
            symbolon(&words)
        };
        let run = check("EF fireable(pass(p=p2))");
        assert_eq!(run.status, Some(0), "{options}: {run:?}");
        assert!(run.err.contains("told apart for the question: p2"), "{options}: {}", run.err);
        assert!(run.out.contains("pass(p=p2)") || run.out.contains("(p=p2)"), "{options}: {}", run.out);
        assert_eq!(check("AG (wave[p2] -> AF idle[p2])").status, Some(1), "{options}");
        assert_eq!(check("AG !(wave[p2] & idle[p2])").status, Some(0), "{options}");
    }
    // The formula comes once, although it is read twice.
    let formula = "AG (wave[p2] <= 1)\n";
    let piped = line_with_input("check cs-wave:6 --formulas - -q", formula.as_bytes());
    assert_eq!(piped.out, "holds\n", "{piped:?}");
    let bound = symbolon(&["bounds", "cs-wave:6", "wave[p2]", "-q", "--symmetry", "on"]);
    assert_eq!((bound.status, bound.out.as_str()), (Some(0), "1\n"), "{bound:?}");
    let wrong = symbolon(&["check", "cs-wave:6", "EF wave[p9]", "--symmetry", "on"]);
    assert!(wrong.status == Some(2) && wrong.err.contains("has no member 'p9'"), "{wrong:?}");
}

#[test]
fn runs_of_folded_nets_name_members() {
    for symmetry in ["counters", "markings"] {
        let words =
            ["check", "cs-wave:4", "EF wave = 2", "A (G F fireable(pass))", "--symmetry", symmetry, "--json"];
        let report = validated(&symbolon(&words));
        let witness = &report["properties"][0]["witness"];
        assert_eq!(witness["steps"].as_array().map(Vec::len), Some(4), "{witness:#}");
        let names: Vec<&str> = witness["steps"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|step| step["event"].as_str())
            .collect();
        assert!(names.iter().all(|name| name.contains("(p=p")), "{names:?}");
        let lasso = &report["properties"][1]["witness"];
        assert_eq!(lasso["shape"], "lasso", "{lasso:#}");
        let techniques = report["properties"][1]["techniques"].as_array().expect("a list");
        assert!(techniques.contains(&json!("SYMMETRIES")), "{techniques:?}");
    }
}
