//! Bounded search and distances, as users ask for them.

use crate::json::validated;
use crate::nets::unbounded;
use crate::program::{Run, folder_with, line_in, symbolon};
use serde_json::Value;
use std::fs;
use symbolon_testkit::corpus_folder;

/// Runs a command line in which double quotes keep words together.
fn line(words: &str) -> Run {
    let pieces = words.split('"').enumerate();
    let all: Vec<&str> = pieces
        .flat_map(|(number, piece)| match number % 2 {
            0 => piece.split_whitespace().collect(),
            _ => vec![piece],
        })
        .collect();
    symbolon(&all)
}

/// All methods of bounded search; `k-induction` is one of proof.
pub(crate) const METHODS: [&str; 11] = [
    "mdd-chain",
    "mdd-local",
    "mdd-global",
    "edd-approx",
    "edd-exact",
    "add-exact",
    "evbdd-approx",
    "auto",
    "sat-step",
    "sat-interleaving",
    "sat-chain",
];

fn json(words: &str, status: i32) -> Value {
    let run = line(words);
    assert_eq!(run.status, Some(status), "{words}: {run:?}");
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{words}: {error}"))
}

#[test]
fn deadlocks_are_found_within_bounds() {
    let check = |method: &str, bound: u64, status: i32, distance: Option<u64>| {
        let words = format!("deadlock philosophers:6 --method {method} --bound {bound} --json");
        let answer = json(&words, status);
        assert_eq!(answer["distance"].as_u64(), distance, "{words}");
        if status == 1 {
            assert_eq!(answer["bound"].as_u64(), Some(bound), "{words}");
            assert_eq!(answer["method"], method, "{words}");
            assert!(answer["witness"]["steps"].as_array().is_some_and(|steps| steps.len() >= 6), "{words}");
        } else {
            assert_eq!(answer["reason"], "bound", "{words}");
        }
    };
    for method in ["edd-exact", "add-exact", "auto"] {
        check(method, 6, 1, Some(6));
        check(method, 5, 3, None);
    }
    for method in ["edd-approx", "evbdd-approx", "mdd-chain", "mdd-local", "mdd-global"] {
        check(method, 6, 1, None);
        check(method, 0, 3, None);
    }
    assert_eq!(json("deadlock philosophers:50 --method auto --json", 1)["distance"], 50);
    // All states were met: there is none.
    json("deadlock kanban:1 --method edd-exact --bound 100 --json", 0);
}

#[test]
fn wrong_choices_are_reported() {
    let check = |words: &str, expected: &str| {
        let run = line(words);
        assert_eq!(run.status, Some(2), "{words}: {run:?}");
        assert!(run.err.contains(expected), "{words}: {run:?}");
    };
    check("deadlock kanban:1 --method edd-exact", "needs a bound");
    check("deadlock kanban:1 --method edd-exakt --bound 3", "edd-exact");
    check("deadlock kanban:1 --method auto --diagram ddd", "--diagram mdd");
    check("deadlock kanban:1 --method sat-step --diagram bdd", "leave '--diagram' out");
    check("deadlock kanban:1 --method sat-step --variable-order force", "leave '--variable-order' out");
    check("deadlock kanban:1 --method k-inducton", "k-induction");
    check("deadlock kanban:1 --solver batsat", "method 'auto' asks no solver");
    check("deadlock kanban:1 --method sat-step --solver cadicl", "cadical");
    check("check kanban:1 --method auto \"AF P1\"", "only EF p and AG p");
    check("check kanban:1 --bound 3 \"EF P1 & EF P2\"", "leave out '--bound' and '--method'");
    check("check kanban:1 --bound 3 \"EF Pa\"", "Pa");
    check("convert kanban:1 --to dimacs", "--bound 10");
    check("convert kanban:1 --to dimacs --bound 3 --method edd-exact", "sat-interleaving");
    check("convert kanban:1 --bound 3", "--to dimacs");
    check("states kanban:1 --plot x.svg", "--distances");
    check("compare kanban:1 --methods edd-exact --diagrams mdd", "cannot be used with");
    check("compare kanban:1 --methods edd-exact --question states", "look for deadlocks");
    check("compare --preset bounded", "--nets DIR");
    check("compare --nets /nowhere", "cannot read the folder");
    check("states kanban:1 --distances --strategy chaining", "leave '--strategy' out");
    check("states kanban:1 --distances --strategy saturation --diagram bdd", "layer by layer");
}

#[test]
fn distances_are_counted() {
    let answer = json("states philosophers:3 --distances --json", 0);
    assert_eq!(answer["depth"], 3);
    assert_eq!(answer["distances"], serde_json::json!(["1", "6", "12", "8"]));
    let run = line("states philosophers:40 --distances");
    assert!(run.out.contains("depth       40"), "{run:?}");
    assert!(run.out.contains("11 more; -v shows all"), "{run:?}");
}

/// By weights on edges, by layers of every kind of diagram, and by a table of states; agents take
/// their steps together.
#[test]
fn distances_are_the_same_everywhere() {
    let nets = ["philosophers:3", "kanban:2", "gated-queue:3", "peterson-correct"];
    let agents = ["dining-cryptographers:3", "prisoners:4", "muddy-children:3"];
    for model in nets.into_iter().chain(agents) {
        let ask = |options: &str| json(&format!("states {model} --distances --json {options}"), 0);
        let usual = ask("");
        let strategy = if agents.contains(&model) { "bfs" } else { "saturation" };
        assert_eq!(usual["strategy"], strategy, "{model}");
        let counts = usual["distances"].as_array().expect("a list");
        let total: u64 =
            counts.iter().map(|count| count.as_str().expect("digits").parse::<u64>().expect("small")).sum();
        assert_eq!(usual["states"], total.to_string(), "{model}");
        assert_eq!(usual["depth"], counts.len() - 1, "{model}");
        for options in [
            "--strategy bfs",
            "--diagram bdd",
            "--diagram ddd",
            "--diagram set",
            "--diagram mdd",
            "--diagram explicit",
        ] {
            let found = ask(options);
            assert_eq!(found["distances"], usual["distances"], "{model} {options}");
            assert_eq!(found["depth"], usual["depth"], "{model} {options}");
        }
    }
}

/// By a solver, where all agents step at once; as by diagrams.
#[test]
fn agents_are_searched() {
    let ask = |model: &str, formula: &str, options: &str, status: i32| {
        let run = line(&format!("check {model} \"{formula}\" --json {options}"));
        let answer = validated(&run);
        assert_eq!(run.status, Some(status), "{model} {formula} {options}: {answer:#}");
        answer["properties"][0].clone()
    };
    for method in ["sat-interleaving", "sat-step", "sat-chain", "k-induction"] {
        let method = format!("--method {method} --bound 9");
        let found = ask("dining-cryptographers:3", "AG !odd", &method, 1);
        let expected = ask("dining-cryptographers:3", "AG !odd", "", 1);
        let steps = |answer: &Value| answer["witness"]["steps"].as_array().expect("a run").clone();
        assert_eq!(steps(&found).len(), steps(&expected).len(), "{method}");
        assert_eq!(found["witness"]["shortest"], true);
        assert_eq!(steps(&found)[0]["event"]["Environment"], "wait", "{found:#}");
        assert_eq!(found["search"]["distance"], 3);
    }
    assert_eq!(ask("prisoners:3", "EF released", "--method sat-step --bound 20", 0)["verdict"], "holds");
    assert_eq!(ask("muddy-children:3", "AG (over | !over)", "--method k-induction", 0)["verdict"], "holds");
    let open = ask("muddy-children:3", "EF over", "--method edd-exact --bound 9", 3);
    assert!(open["detail"].as_str().is_some_and(|text| text.contains("sat-interleaving")), "{open:#}");
    // Whether agents can step depends on all that they could do.
    let run = line("deadlock muddy-children:3 --method sat-step --bound 3");
    assert!(run.status == Some(3) && run.out.contains("leave out '--bound'"), "{run:?}");
    let fair = folder_with("fair.ispl", FAIR);
    let run = line_in(fair.path(), "check fair.ispl --method sat-step --bound 3");
    assert!(run.status == Some(2) && run.err.contains("fairness constraints"), "{run:?}");
    assert_eq!(line_in(fair.path(), "check fair.ispl").status, Some(0));
}

/// On fair runs the light goes on; on others, it need not.
const FAIR: &str = "\
Agent Lamp
  Vars: on : boolean; end Vars
  Actions = { wait, switch };
  Protocol: Other : { wait, switch }; end Protocol
  Evolution: on = true if Action = switch; end Evolution
end Agent
Evaluation lit if Lamp.on = true; end Evaluation
InitStates Lamp.on = false; end InitStates
Fairness lit; end Fairness
Formulae EF lit; AG EF lit; end Formulae
";

#[test]
fn growing_nets_have_bounds_too() {
    let file = tempfile::Builder::new().suffix(".pnml").tempfile().expect("a file");
    fs::write(file.path(), unbounded()).expect("it is written");
    let words = format!("deadlock {} --method edd-exact --bound 100 --json", file.path().display());
    assert_eq!(json(&words, 3)["reason"], "bound");
}

#[test]
fn solvers_are_chosen() {
    let words = |solver: &str, method: &str| {
        format!("deadlock philosophers:6 --method {method} --solver {solver} --json")
    };
    for (method, bound) in [("sat-interleaving", 6), ("sat-step", 1), ("sat-chain", 1), ("k-induction", 6)] {
        assert_eq!(json(&words("batsat", method), 1)["bound"], bound);
        if cfg!(feature = "cadical") {
            assert_eq!(json(&words("cadical", method), 1)["bound"], bound);
        } else {
            let error = &json(&words("cadical", method), 2)["error"];
            assert_eq!(error["message"], "this program was built without the solver 'cadical'");
            let hint = error["hint"].as_str().unwrap_or_default();
            assert!(hint.contains("feature 'cadical'"), "{error}");
        }
    }
    let formula = "check peterson-correct --method k-induction --solver cadical";
    assert_eq!(line(formula).status, Some(if cfg!(feature = "cadical") { 3 } else { 2 }));
}

#[test]
fn limits_stop_a_solver() {
    // Nothing to find, and lengths without end to refute.
    for solver in if cfg!(feature = "cadical") { &["batsat", "cadical"][..] } else { &["batsat"] } {
        let words =
            format!("deadlock kanban:5 --method sat-interleaving --solver {solver} --timeout 1 --json");
        let answer = json(&words, 3);
        assert_eq!(answer["reason"], "timeout", "{words}");
        assert!(answer["detail"].as_str().is_some_and(|shown| shown.contains("nothing within")), "{answer}");
    }
}

#[test]
fn solvers_begin_at_zero() {
    // Each method: the steps that it needs, and the distance if it knows one.
    let check = |model: &str, method: &str, bound: u64, distance: Option<u64>| {
        let words = format!("deadlock {model} --method {method} --json");
        let answer = json(&words, 1);
        assert_eq!(answer["bound"].as_u64(), Some(bound), "{words}");
        assert_eq!(answer["distance"].as_u64(), distance, "{words}");
        let steps = answer["witness"]["steps"].as_array().map_or(0, Vec::len) as u64;
        assert!(distance.is_none_or(|distance| distance == steps) && steps > 0, "{words}: {steps} steps");
        assert_eq!(answer["witness"]["shortest"].as_bool(), Some(distance.is_some()), "{words}");
        if bound > 0 {
            let words = format!("deadlock {model} --method {method} --bound {} --json", bound - 1);
            assert_eq!(json(&words, 3)["reason"], "bound", "{words}");
        }
    };
    check("philosophers:6", "sat-interleaving", 6, Some(6));
    check("philosophers:6", "k-induction", 6, Some(6));
    check("philosophers:6", "sat-step", 1, None);
    check("philosophers:6", "sat-chain", 1, None);
    check("dining-philosophers:4", "sat-interleaving", 4, Some(4));
    // A run that ends ends every search.
    let file = tempfile::Builder::new().suffix(".gcl").tempfile().expect("a file");
    fs::write(file.path(), "var x: 0..3 = 0\nup: x < 3 -> x' = x + 1\nproperty top: AG x <= 3\n")
        .expect("it is written");
    let model = file.path().display();
    check(&model.to_string(), "sat-interleaving", 3, Some(3));
    let words = format!("check {model} --method sat-interleaving \"EF x > 3\" --json");
    assert_eq!(json(&words, 1)["properties"][0]["verdict"], "fails");
}

#[test]
fn formulas_are_searched_for_by_every_method() {
    let check = |formula: &str, bound: u64, verdict: &str, status: i32| {
        for method in METHODS {
            // Where all states are known anyway, `auto` says more than was asked.
            if method == "auto" && verdict == "unknown" {
                continue;
            }
            let words =
                format!("check philosophers:3 \"{formula}\" --bound {bound} --method {method} --json");
            let answer = json(&words, status);
            let property = &answer["properties"][0];
            assert_eq!(property["verdict"], verdict, "{words}");
            assert_eq!(property["search"]["method"], method, "{words}");
            let is_shown = property["witness"].is_object();
            assert_eq!(is_shown, verdict != "unknown", "{words}: a run shows it");
        }
    };
    check("EF deadlock", 3, "holds", 0);
    check("AG !deadlock", 3, "fails", 1);
    check("!(EF deadlock)", 3, "fails", 1);
    check("E (true U (Catch1_1 & Catch1_2))", 4, "holds", 0);
    check("AG (fireable(FF1a_1) -> Fork_3)", 0, "unknown", 3);
    check("EF Eat_1 > 1", 0, "unknown", 3);
    // All states are near enough.
    let words =
        "check philosophers:3 \"AG (fireable(FF1a_1) -> Fork_3)\" --bound 50 --method edd-exact --json";
    assert_eq!(json(words, 0)["properties"][0]["verdict"], "holds");
    let run = line("check philosophers:3 \"EF deadlock\" --method sat-interleaving -v");
    assert!(run.out.contains("by sat-smt (sat-interleaving, bound 3)"), "{run:?}");
    let run = line("check philosophers:3 \"EF deadlock\" --method sat-interleaving --no-witness");
    assert!(!run.out.contains("a run"), "{run:?}");
}

#[test]
fn mutual_exclusion_is_proved_and_its_absence_shown() {
    // Of its own properties two can be searched for; the third is said not to be.
    let answer = json("check peterson-correct --method k-induction --json", 3);
    let verdict = |name: &str| {
        let properties = answer["properties"].as_array().into_iter().flatten();
        let found = properties.clone().find(|property| property["name"] == name).expect("it is there");
        (found["verdict"].clone(), found["reason"].clone())
    };
    assert_eq!(verdict("exclusive"), ("holds".into(), Value::Null));
    assert_eq!(verdict("no_deadlock"), ("holds".into(), Value::Null));
    assert_eq!(verdict("each_may_enter").1, "unsupported");

    // Six steps, as explicit search says in the tests of the language.
    for method in ["sat-interleaving", "k-induction", "edd-exact --bound 10", "auto"] {
        let words = format!("check peterson-broken --method {method} --json");
        let answer = json(&words, 1);
        let property = &answer["properties"][0];
        assert_eq!(property["verdict"], "fails", "{words}");
        assert_eq!(property["search"]["distance"], 6, "{words}");
        assert_eq!(property["witness"]["steps"].as_array().map(Vec::len), Some(6), "{words}");
        assert_eq!(property["witness"]["shortest"], true, "{words}");
    }
}

#[test]
fn questions_are_written_for_other_solvers() {
    let run = line("convert philosophers:3 --to dimacs --bound 3");
    assert_eq!(run.status, Some(0), "{run:?}");
    let mut lines = run.out.lines().skip_while(|line| line.starts_with("c "));
    let head: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
    assert_eq!(head[..2], ["p", "cnf"], "{run:?}");
    assert_eq!(head[3].parse(), Ok(lines.clone().count()), "a line a clause");
    assert!(lines.all(|line| line.ends_with(" 0")), "{run:?}");

    let folder = tempfile::tempdir().expect("a folder");
    let words = "convert philosophers:3 -o out.cnf --bound 2 --method sat-step --formula EF(Catch1_1)";
    let run = line_in(folder.path(), words);
    assert_eq!(run.status, Some(0), "{run:?}");
    assert!(run.out.starts_with("wrote out.cnf (dimacs): ") && run.out.contains("clauses"), "{run:?}");
    let text = fs::read_to_string(folder.path().join("out.cnf")).expect("it was written");
    assert!(text.contains("a state that shows 'EF Catch1_1' reached in 2 steps? (sat-step)"), "{text}");
}

#[test]
fn agents_are_distinguished() {
    let check = |words: &str| assert_eq!(json(words, 3)["reason"], "unsupported", "{words}");
    check("deadlock bit-transmission --method sat-step --json");
    check("deadlock bit-transmission --method edd-exact --bound 3 --json");
}

#[test]
fn distances_are_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = line_in(folder.path(), "states philosophers:12 --distances --plot far.svg");
    assert_eq!(run.status, Some(0), "{run:?}");
    assert!(run.out.contains("(eccentricity of the initial states)"), "{run:?}");
    let picture = fs::read_to_string(folder.path().join("far.svg")).expect("it was written");
    assert_eq!(picture.matches("class=\"c0\"").count(), 13, "a bar a distance");
    assert!(picture.contains("<title>distance 12: "), "{picture}");
}

#[test]
fn methods_are_compared_by_the_bounds_they_need() {
    let words = "compare philosophers:6 --methods edd-exact,mdd-chain,sat-step,sat-interleaving,auto --json";
    let answer = json(words, 0);
    let bounds: Vec<_> =
        answer["cells"].as_array().into_iter().flatten().map(|cell| cell["bound"].as_u64()).collect();
    assert_eq!(bounds.len(), 5, "{answer}");
    assert_eq!(
        (bounds[0], bounds[2], bounds[3], bounds[4]),
        (Some(6), Some(1), Some(6), Some(6)),
        "{answer}"
    );
    assert!(bounds[1] <= Some(6), "{answer}");
    let run = line("compare philosophers:3 --methods edd-exact");
    assert!(run.out.contains("bound  cpu s  memory"), "{run:?}");
}

/// A producer fills a buffer that has no limit, a consumer empties it, and either may break down.
fn unlimited_buffer() -> String {
    let place = |id: &str, tokens: u32| {
        format!(r#"<place id="{id}"><initialMarking><text>{tokens}</text></initialMarking></place>"#)
    };
    let mut arcs = 0;
    let mut transition = |id: &str, before: &[&str], after: &[&str]| {
        let mut text = format!(r#"<transition id="{id}"/>"#);
        for (source, target) in
            before.iter().map(|place| (*place, id)).chain(after.iter().map(|place| (id, *place)))
        {
            arcs += 1;
            text.push_str(&format!(r#"<arc id="a{arcs}" source="{source}" target="{target}"/>"#));
        }
        text
    };
    let parts = [
        place("making", 1),
        place("made", 0),
        place("buffer", 0),
        place("waiting", 1),
        place("using", 0),
        transition("make", &["making"], &["made"]),
        transition("put", &["made"], &["making", "buffer"]),
        transition("get", &["waiting", "buffer"], &["using"]),
        transition("use", &["using"], &["waiting"]),
    ];
    let parts = parts.concat();
    format!(
        r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">{parts}</page></net></pnml>"#
    )
}

#[test]
fn a_buffer_without_limit_is_searched_far_and_soon() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("buffer.pnml"), unlimited_buffer()).expect("it is written");
    let check = |method: &str, bound: u64| {
        let words = format!("deadlock buffer.pnml --method {method} --bound {bound} --timeout 100 --json");
        let run = line_in(folder.path(), &words);
        let answer: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{words}: {error}"));
        // Whatever the machine does besides: far from the limit, and nothing wrong is said.
        assert_eq!((run.status, &answer["reason"]), (Some(3), &"bound".into()), "{words}: {run:?}");
    };
    for method in ["mdd-chain", "edd-approx", "edd-exact", "add-exact", "evbdd-approx", "auto"] {
        check(method, 1000);
    }
    for method in ["mdd-local", "mdd-global"] {
        check(method, 50);
    }
}

#[test]
fn what_doubles_overflows_and_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("double.gcl"), "var x: nat = 1\ndouble: x > 0 -> x' = x + x\n")
        .expect("it is written");
    for method in METHODS {
        let words = format!("deadlock double.gcl --method {method} --bound 100 --json");
        let run = line_in(folder.path(), &words);
        let answer: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{words}: {error}"));
        assert_eq!((run.status, &answer["reason"]), (Some(3), &"overflow".into()), "{words}: {run:?}");
    }
}

#[test]
fn built_in_programs_are_called_by_their_names() {
    let run = line("models");
    for name in ["gated-queue:N", "peterson-correct", "peterson-broken", "bounded-buffer:CELLS,KINDS"] {
        assert!(run.out.contains(name), "{run:?}");
    }
    let states = |words: &str| line(words).out.trim().to_string();
    assert_eq!(states("states gated-queue -q"), "6");
    assert_eq!(states("states gated-queue:3 -q"), "10");
    assert_eq!(states("states gated-queue --param N=3 -q"), "10");
    let run = line("models --show gated-queue");
    assert!(run.out.contains("property"), "{run:?}");
    let check = |words: &str, expected: &str| {
        let run = line(words);
        assert_eq!(run.status, Some(2), "{words}: {run:?}");
        assert!(run.err.contains(expected), "{words}: {run:?}");
    };
    check("states gated-queue:3,4", "gated-queue:N");
    check("states gated-queue:three", "expected a number for N");
    check("states gated-qeue", "gated-queue");
}

#[test]
fn nets_of_the_paper_have_their_distances() {
    let Some(folder) = corpus_folder("deadlock distances of the paper's nets") else { return };
    let text = fs::read_to_string(folder.join("nets/expected.json")).expect("the list is there");
    let expected: serde_json::Map<String, Value> = serde_json::from_str(&text).expect("it is an object");
    let nets = expected.iter().filter_map(|(name, net)| Some((name, net["deadlock_distance"].as_u64()?)));
    let mut count = 0;
    for (name, distance) in nets {
        let file = folder.join("nets").join(format!("{name}.pnml"));
        for method in ["edd-exact", "auto"] {
            let words = format!("deadlock {} --method {method} --bound {distance} --json", file.display());
            let answer = json(&words, 1);
            assert_eq!(answer["distance"].as_u64(), Some(distance), "{words}");
            assert_eq!(
                answer["witness"]["steps"].as_array().map(Vec::len),
                Some(distance as usize),
                "{words}"
            );
        }
        let words = format!("deadlock {} --method edd-exact --bound {} --json", file.display(), distance - 1);
        assert_eq!(json(&words, 3)["reason"], "bound", "{words}");
        count += 1;
    }
    assert!(count >= 10, "{count} nets");
}

#[test]
fn every_method_finds_the_deadlocks_of_the_paper() {
    let Some(folder) = corpus_folder("deadlocks of the paper's nets by every method") else { return };
    let text = fs::read_to_string(folder.join("nets/expected.json")).expect("the list is there");
    let expected: Value = serde_json::from_str(&text).expect("it is an object");
    let check = |name: &str, methods: &[&str]| {
        let distance = expected[name]["deadlock_distance"].as_u64().expect("a distance");
        let file = folder.join("nets").join(format!("{name}.pnml"));
        for method in methods {
            let words = format!("deadlock {} --method {method} --bound {distance} --json", file.display());
            let answer = json(&words, 1);
            assert!(answer["bound"].as_u64() <= Some(distance), "{words}");
            let steps = answer["witness"]["steps"].as_array().map_or(0, Vec::len) as u64;
            assert!(steps >= distance, "{words}: {steps} steps");
            if ["add-exact", "sat-interleaving"].contains(method) {
                assert_eq!((answer["distance"].as_u64(), steps), (Some(distance), distance), "{words}");
                assert_eq!(answer["witness"]["shortest"], true, "{words}");
            }
        }
    };
    let diagrams = ["add-exact", "mdd-chain", "mdd-local", "mdd-global", "edd-approx", "evbdd-approx"];
    for name in
        ["dp_12", "hs_75", "sentest_75", "dac_15", "fms_dl_1", "fms_dl_3", "kanban_dl_1", "kanban_dl_3"]
    {
        check(name, &diagrams);
    }
    let solvers = ["sat-interleaving", "sat-step", "sat-chain"];
    for name in ["dp_12", "hs_75", "sentest_75", "dac_15", "kanban_dl_1"] {
        check(name, &solvers);
    }
}
