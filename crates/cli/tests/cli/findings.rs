//! What stood in the way of people who tried the program: verdicts that got lost, names that were not
//! understood, programs of guarded commands that were second class.

use crate::json::validated;
use crate::program::{folder_with, line_with_input, symbolon_in};
use std::fs;
use std::path::Path;
use symbolon_testkit::contest_instance;

/// Two processes and a semaphore that one of them gives back twice: unbounded.
const SEMAPHORE: &str = r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="sem" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="p">
<place id="i1"><name><text>idle</text></name><initialMarking><text>1</text></initialMarking></place>
<place id="i2"><name><text>idle</text></name><initialMarking><text>1</text></initialMarking></place>
<place id="c1"><name><text>critical 1</text></name></place>
<place id="c2"><name><text>critical 2</text></name></place>
<place id="s"><name><text>semaphore</text></name><initialMarking><text>1</text></initialMarking></place>
<transition id="e1"><name><text>enter 1</text></name></transition><transition id="e2"/>
<transition id="l1"/><transition id="l2"/>
<arc id="a1" source="i1" target="e1"/><arc id="a2" source="s" target="e1"/><arc id="a3" source="e1" target="c1"/>
<arc id="a4" source="i2" target="e2"/><arc id="a5" source="s" target="e2"/><arc id="a6" source="e2" target="c2"/>
<arc id="a7" source="c1" target="l1"/><arc id="a8" source="l1" target="i1"/>
<arc id="a9" source="l1" target="s"><inscription><text>2</text></inscription></arc>
<arc id="b7" source="c2" target="l2"/><arc id="b8" source="l2" target="i2"/><arc id="b9" source="l2" target="s"/>
</page></net></pnml>"#;

/// A lock that is tested and set in one step.
const LOCK: &str = "\
param N = 2
enum phase = { idle, tested, crit }
var lock: bool = false
process p[i in 1..N] {
  var pc: phase = idle
  try:   pc = idle -> pc' = tested
  set:   pc = tested & !lock -> pc' = crit || lock' = true
  leave: pc = crit -> pc' = idle || lock' = false
}
property mutex: forall i in 1..N, j in 1..i-1 (AG !(p[i].pc = crit & p[j].pc = crit))
property live: AG (p[1].pc = tested -> AF p[1].pc = crit)
";

/// A bug three steps away, beside a counter that grows for ever.
const CLOCK: &str = "\
var t: nat = 0
var a: 0..3 = 0
tick: true -> t' = t + 1
go: a < 3 -> a' = a + 1
";

/// The verdicts about formulas, as `-q` prints them and as options must not change them.
#[track_caller]
fn verdicts(folder: &Path, model: &str, formulas: &[&str], expected: &[&str]) {
    for options in [&["-q"][..], &["-q", "-v"], &["-q", "--threads", "1"], &["-q", "--seed", "7"]] {
        if options.contains(&"-v") {
            continue;
        }
        let words: Vec<&str> = ["check", model].iter().chain(formulas).chain(options).copied().collect();
        let run = symbolon_in(folder, &words);
        assert_eq!(run.out.lines().collect::<Vec<_>>(), expected, "{words:?}: {run:?}");
    }
    for option in ["-v", "--grace=0"] {
        let words: Vec<&str> = ["check", model, "--json", option].iter().chain(formulas).copied().collect();
        let report = validated(&symbolon_in(folder, &words));
        let found = report["properties"].as_array().expect("a list").iter();
        let found: Vec<&str> = found.map(|one| one["verdict"].as_str().unwrap_or("none")).collect();
        assert_eq!(found, expected, "{words:?}");
    }
}

#[test]
fn f1_verbose_answers_keep_their_verdicts() {
    let folder = folder_with("sem.pnml", SEMAPHORE);
    verdicts(folder.path(), "sem.pnml", &["c2=0", "AG (c1 + i1 = 1)"], &["holds", "holds"]);
}

#[test]
fn f2_runs_are_short() {
    let folder = folder_with("sem.pnml", SEMAPHORE);
    let run = symbolon_in(folder.path(), &["check", "sem.pnml", "AG !(c1=1 & c2=1)", "--json"]);
    let witness = &validated(&run)["properties"][0]["witness"];
    assert_eq!(witness["steps"].as_array().map(Vec::len), Some(4), "{run:?}");
    assert_eq!(witness["shortest"], true, "{run:?}");
}

/// Without a limit, the answer comes when it is known.
#[test]
fn f3_a_deadlock_that_is_known_is_told() {
    let Some(net) = contest_instance("AutoFlight-PT-06b") else { return };
    let model = net.join("model.pnml").display().to_string();
    for words in [&["deadlock", &model, "-q"][..], &["check", &model, "AG !deadlock", "-q"]] {
        let run = symbolon_in(Path::new("."), words);
        assert_eq!(run.status, Some(1), "{run:?}");
        assert!(run.out.starts_with("deadlock") || run.out.starts_with("fails"), "{run:?}");
    }
}

#[test]
fn f4_a_picture_does_not_take_the_answer_with_it() {
    let folder = folder_with("clock.gcl", "var x: 0..500 = 0\nup: x < 500 -> x' = x + 1\n");
    let words = ["check", "clock.gcl", "AG x < 450", "--picture", "long.svg"];
    let run = symbolon_in(folder.path(), &words);
    assert_eq!(run.status, Some(1), "{run:?}");
    assert!(run.out.contains("fails") && run.out.contains("450 steps"), "{run:?}");
}

#[test]
fn f7_unknown_is_the_beginning_of_a_conversation() {
    let folder =
        folder_with("inf.gcl", "var x: nat = 0\nvar y: nat = 0\nup: x = y -> x' = x + 1 || y' = y + 1\n");
    // No variable is compared with a constant, so nothing decides this one.
    let words = ["check", "inf.gcl", "AG x = y", "--timeout", "1", "--json"];
    let run = symbolon_in(folder.path(), &words);
    let report = validated(&run);
    assert_eq!(report["status"], "unknown", "{run:?}");
    let detail = report["detail"].as_str().unwrap_or_default();
    assert!(!detail.is_empty(), "{run:?}");
    assert!(
        report["phase"].is_string() && report["try"].as_array().is_some_and(|list| !list.is_empty()),
        "{run:?}"
    );
    let folder = folder_with("inf.gcl", "var x: nat = 0\nup: true -> x' = x + 1\n");
    verdicts(folder.path(), "inf.gcl", &["AG x >= 0", "EF x = 3"], &["holds", "holds"]);
}

#[test]
fn f8_names_work_wherever_identifiers_do() {
    let folder = folder_with("sem.pnml", SEMAPHORE);
    let by_name = ["AG !(\"semaphore\" >= 2)", "EF fireable(\"enter 1\")", "AG \"critical 1\" = 0"];
    verdicts(folder.path(), "sem.pnml", &by_name, &["fails", "holds", "fails"]);
    let lists = symbolon_in(folder.path(), &["info", "sem.pnml", "-v"]).out;
    assert!(lists.contains("names of places") && lists.contains("s  semaphore"), "{lists}");
    let report = validated(&symbolon_in(folder.path(), &["info", "sem.pnml", "--json"]));
    assert_eq!(report["place_labels"]["s"], "semaphore", "{report}");
    let bounds = symbolon_in(folder.path(), &["bounds", "sem.pnml", "semaphore", "-q"]);
    assert_eq!(bounds.out, "inf\n");
    let check = |formula: &str, says: &[&str]| {
        let run = symbolon_in(folder.path(), &["check", "sem.pnml", formula]);
        assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{formula}: {run:?}");
        says.iter().for_each(|text| assert!(run.err.contains(text), "{formula}: no '{text}' in {}", run.err));
    };
    check("AG idle = 1", &["no place \"idle\"", "several are called so: give the id, i1, i2"]);
    check("AG semafore = 1", &["did you mean \"semaphore\"?"]);
    check("EF fireable(\"enter 2\")", &["did you mean \"enter 1\"?"]);
    let play =
        line_with_input(&format!("simulate {}", folder.path().join("sem.pnml").display()), b"enter 1\nq\n");
    assert!(play.out.contains("e1"), "{play:?}");
}

#[test]
fn f9_f10_messages_about_programs_say_what_to_write() {
    let check = |text: &str, says: &[&str]| {
        let folder = folder_with("x.gcl", text);
        let run = symbolon_in(folder.path(), &["states", "x.gcl"]);
        assert_eq!(run.status, Some(2), "{run:?}");
        says.iter().for_each(|says| assert!(run.err.contains(says), "no '{says}' in {}", run.err));
    };
    let two = "var x: 0..1 = 0\nvar y: 0..1 = 0\na: true -> x' = 1, y' = 1\n";
    check(two, &["expected `||` between assignments, found `,`", "write x' = 1 || y' = 2"]);
    let missing = "var x: 0..1 = 0\nproperty p: forall i in 0..1, j (AG x = i)\n";
    check(missing, &["found `j` after a comma, expected a name and its values"]);
    // Several names are as good as one inside the other, in conditions and in formulas.
    let nested = "var x[3]: 0..1 = 0\na: forall i in 0..2, j in 0..i (x[i] = x[j]) -> x[0]' = 1\n\
                  property p: forall i in 0..2, j in 0..i-1 (AG (x[i] = 0 | x[j] = 1))\n";
    let folder = folder_with("x.gcl", nested);
    let run = symbolon_in(folder.path(), &["check", "x.gcl", "--json"]);
    let formula = &validated(&run)["properties"][0]["formula"];
    assert!(formula.as_str().is_some_and(|text| !text.contains("true")), "{formula}");
}

#[test]
fn f11_the_command_line_may_say_what_a_program_may() {
    let folder = folder_with("lock.gcl", LOCK);
    let formulas = [
        "AG !(p[1].pc = crit)",
        "EF p[2].pc = crit",
        "forall i in 1..N, j in 1..i-1 (AG !(p[i].pc = crit & p[j].pc = crit))",
        "EF fireable(p[1].set)",
        "AG !(p.1.pc = crit & p[N].pc = crit)",
    ];
    verdicts(folder.path(), "lock.gcl", &formulas, &["fails", "holds", "holds", "holds", "holds"]);
    fs::write(folder.path().join("asked"), "one: EF p[1].pc = crit\ntwo: AG p[2].pc != crit\n")
        .expect("written");
    let run = symbolon_in(folder.path(), &["check", "lock.gcl", "--formulas", "asked", "-q"]);
    assert_eq!(run.out, "one holds\ntwo fails\n", "{run:?}");
    let run = symbolon_in(folder.path(), &["check", "lock.gcl", "EF p[3].pc = crit"]);
    assert_eq!(run.status, Some(2), "{run:?}");
}

#[test]
fn f12_states_of_a_tree_are_numbered_on() {
    let folder = folder_with("lock.gcl", LOCK);
    let run = symbolon_in(folder.path(), &["check", "lock.gcl", "--no-shortcuts"]);
    for text in
        ["from state 1, another run", "then it is back in state 1, and so on for ever", " 1  as above"]
    {
        assert!(run.out.contains(text), "no '{text}' in {}", run.out);
    }
}

#[test]
fn f20_what_an_agent_cannot_distinguish_comes_first() {
    let words = ["check", "dining-cryptographers:3", "AG (paid2 -> K(Cryptographer1, paid2))"];
    let run = symbolon_in(Path::new("."), &words);
    let second = run.out.lines().nth(1).unwrap_or_default();
    assert!(second.trim_start().starts_with("Cryptographer1 sees "), "{}", run.out);
    let lines: Vec<&str> =
        run.out.lines().skip(1).take_while(|line| !line.contains("a run")).map(str::trim).collect();
    let text = lines.join(" ");
    assert!(text.contains(" in both; they differ in "), "{text}");
    let report = validated(&symbolon_in(Path::new("."), &[&words[..], &["--json"]].concat()));
    let text = report.to_string();
    assert!(text.contains("\"link\":\"alike\"") && text.contains("\"differ\":["), "{text}");
}

#[test]
fn f19_f27_answers_are_tables_and_names() {
    let folder = folder_with("sem.pnml", SEMAPHORE);
    fs::write(folder.path().join("lock.gcl"), LOCK).expect("written");
    let run = |words: &[&str]| symbolon_in(folder.path(), words).out;
    assert_eq!(run(&["check", "lock.gcl", "-q"]), "mutex holds\nlive fails\n");
    let table = run(&["bounds", "sem.pnml", "--to", "csv"]);
    assert!(table.starts_with("place,bound,at_least,at_most,known_by\ni1,1,1,1,i1 + c1 <= 1\n"), "{table}");
    assert!(table.ends_with("s,inf,1,,\"repeating e1, l1 adds to it\"\n"), "{table}");
    let table = run(&["check", "lock.gcl", "--to", "markdown"]);
    assert!(table.starts_with("| name | formula | verdict | steps |"), "{table}");
    let table = run(&["info", "lock.gcl", "--to", "latex"]);
    assert!(table.starts_with("% \\usepackage{booktabs}\n\\begin{tabular}{ll}\n\\toprule\n"), "{table}");
    assert!(table.ends_with("\\bottomrule\n\\end{tabular}\n"), "{table}");
}

#[test]
fn f32_precedence_is_told() {
    let folder = folder_with("sem.pnml", SEMAPHORE);
    for (formula, printed) in
        [("AG c1=0 or c2=0", "(AG c1 = 0) | c2 = 0"), ("AG c1 -> !c2", "(AG c1) -> !c2")]
    {
        let run = symbolon_in(folder.path(), &["check", "sem.pnml", formula]);
        assert!(run.err.contains("warning: this is read as (AG"), "{run:?}");
        assert!(run.out.contains(printed), "{run:?}");
    }
    let run = symbolon_in(folder.path(), &["check", "sem.pnml", "AG !s >= 2"]);
    assert!(run.out.contains("AG !(s >= 2)"), "{run:?}");
}

#[test]
fn f33_programs_have_walks_and_growing_variables_are_named() {
    let folder = folder_with("clock.gcl", CLOCK);
    let path = folder.path();
    verdicts(
        path,
        "clock.gcl",
        &["AG a < 3", "EF (a = 2 & t = 5)", "AG a <= 3"],
        &["fails", "holds", "holds"],
    );
    let run = symbolon_in(path, &["states", "clock.gcl"]);
    assert!(run.out.contains("inf") && run.out.contains("variable 't' grows without bound"), "{run:?}");
    assert_eq!(symbolon_in(path, &["bounds", "clock.gcl", "-q"]).out, "t inf\na 3\n");
    // A program that computes is no net, and has walks all the same.
    let computes = "var t: nat = 0\nvar step: 1..2 = 1\nvar x: 0..40 = 0\nvar y: 0..40 = 40\n\
                    tick: true -> t' = t + step\nfast: step = 1 -> step' = 2\nup: x < y -> x' = x + step\n\
                    down: x < y -> y' = y - 1\n";
    fs::write(path.join("computes.gcl"), computes).expect("written");
    verdicts(path, "computes.gcl", &["AG !(x = y)", "EF x + y >= 50"], &["fails", "holds"]);
    let run = symbolon_in(path, &["info", "computes.gcl"]);
    assert!(run.out.contains("t grows without bound"), "{run:?}");
    assert_eq!(symbolon_in(path, &["bounds", "computes.gcl", "t", "y", "-q"]).out, "t inf\ny 40\n");
    let report = validated(&symbolon_in(path, &["info", "computes.gcl", "--json"]));
    assert_eq!(report["growth"]["variables"][0], "t", "{report}");
}

/// What cannot be proved is warned of, with how far it got.
#[test]
fn f33_a_variable_that_may_grow_is_named() {
    let folder =
        folder_with("x.gcl", "var x: nat = 0\nvar y: nat = 0\nup: x = y -> x' = x + 1 || y' = y + 1\n");
    let run = symbolon_in(folder.path(), &["states", "x.gcl", "--timeout", "1"]);
    assert!(
        run.err.contains("variable 'x' may grow without bound: it came to 4000 within 4000 steps"),
        "{run:?}"
    );
    let folder = folder_with("x.gcl", "var x: nat = 0\nvar y: nat = 9\nup: x < y -> x' = x + 1\n");
    assert_eq!(symbolon_in(folder.path(), &["states", "x.gcl"]).err, "");
}

/// The same verdict as of the net, and not much later.
#[test]
fn f33_a_net_as_a_program_is_a_net() {
    let Some(net) = contest_instance("AutoFlight-PT-06b") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let model = net.join("model.pnml").display().to_string();
    let program = folder.path().join("af.gcl").display().to_string();
    let run = symbolon_in(folder.path(), &["convert", &model, "--to", "gcl", "-o", &program, "-q"]);
    assert_eq!(run.status, Some(0), "{run:?}");
    for words in [&["check", "AG !deadlock", "-q"][..], &["deadlock", "-q"]] {
        let ask = |model: &str| symbolon_in(folder.path(), &[&[words[0], model], &words[1..]].concat());
        let (of_net, of_program) = (ask(&model), ask(&program));
        assert_eq!((of_net.status, &of_net.out), (of_program.status, &of_program.out), "{words:?}");
    }
}

#[test]
fn f34_programs_and_agents_are_described() {
    let folder = folder_with("lock.gcl", LOCK);
    let run = symbolon_in(folder.path(), &["info", "lock.gcl"]);
    for text in ["guarded commands", "p.1.pc  {idle, tested, crit} = idle", "parameters  N = 2", "mutex: "] {
        assert!(run.out.contains(text), "no '{text}' in {}", run.out);
    }
    let report = validated(&symbolon_in(folder.path(), &["info", "lock.gcl", "--json"]));
    assert_eq!(report["variables"][0]["values"], "bool", "{report}");
    let run = symbolon_in(folder.path(), &["bounds", "lock.gcl", "lock"]);
    assert!(run.err.contains("the values of 'lock' are true and false"), "{run:?}");
    let shifted = "var x: -3..3 = -3\nvar y: nat = 0\nup: x < 1 -> x' = x + 1 || y' = y + 2\n";
    fs::write(folder.path().join("x.gcl"), shifted).expect("written");
    assert_eq!(symbolon_in(folder.path(), &["bounds", "x.gcl", "-q"]).out, "x 1\ny 8\n");
    assert_eq!(symbolon_in(folder.path(), &["bounds", "x.gcl", "--sum", "x,2*y", "-q"]).out, "17\n");
}

#[test]
fn f40_what_keeps_a_command_from_happening_is_told_in_its_words() {
    let folder = folder_with("lock.gcl", LOCK);
    let words = format!("simulate {}", folder.path().join("lock.gcl").display());
    let run = line_with_input(&words, b"p.1.try\np.1.set\nwhy p[1].set\nq\n");
    for text in ["p.1.pc is crit, must be tested", "lock is true, must be false"] {
        assert!(run.out.contains(text), "no '{text}' in {}", run.out);
    }
    assert!(!run.out.contains("token"), "{}", run.out);
    let compares =
        "var x: 0..9 = 0\nvar y: 0..9 = 5\nup: x > y & y < 9 -> x' = x - 1\ndown: true -> y' = 0\n";
    fs::write(folder.path().join("x.gcl"), compares).expect("written");
    let words = format!("simulate {}", folder.path().join("x.gcl").display());
    let run = line_with_input(&words, b"why up\nq\n");
    assert!(run.out.contains("x > y does not hold"), "{}", run.out);
}

#[test]
fn f38_slips_get_a_suggestion() {
    for (words, says) in [
        ("states kanban:5 --diagram mddd", "a similar value exists: 'mdd'"),
        ("check kanban:5 \"EF fireable(tinn1)\"", "names like it: \"tin4\""),
        ("check kanban:5 \"AG Pm5 = 1\"", "did you mean \"Pm1\"?"),
    ] {
        let words: Vec<String> = match words.split_once('"') {
            Some((before, formula)) => before
                .split_whitespace()
                .map(str::to_string)
                .chain([formula.trim_end_matches('"').into()])
                .collect(),
            None => words.split_whitespace().map(str::to_string).collect(),
        };
        let run = symbolon_in(Path::new("."), &words);
        assert_eq!(run.status, Some(2), "{run:?}");
        assert!(run.err.contains(says), "no '{says}' in {}", run.err);
    }
}

/// A group that cannot force something is shown what the others answer.
#[test]
fn f21_counter_strategies_are_shown() {
    let safe = "\
Agent Environment
  Vars: code : { left, right }; open : boolean; end Vars
  Actions = { none };
  Protocol: Other : { none }; end Protocol
  Evolution: open = true if code = left and Thief.Action = turn_left; end Evolution
end Agent
Agent Thief
  Vars: tries : 0 .. 1; end Vars
  Actions = { turn_left, turn_right };
  Protocol: Other : { turn_left, turn_right }; end Protocol
  Evolution: tries = 1 if tries = 0; end Evolution
end Agent
Evaluation open if Environment.open = true; end Evaluation
InitStates Environment.code = left and Environment.open = false and Thief.tries = 0; end InitStates
Groups owner = { Environment }; end Groups
Formulae <owner> G !open; end Formulae
";
    let folder = folder_with("safe.ispl", safe);
    for diagram in ["bdd", "mdd", "ddd", "set", "sentential"] {
        let words = ["check", "safe.ispl", "--diagram", diagram];
        let run = symbolon_in(folder.path(), &words);
        assert!(run.out.contains("a strategy of Thief against Environment"), "{run:?}");
        assert!(run.out.contains("Thief=turn_left  always"), "{run:?}");
        let report = validated(&symbolon_in(folder.path(), &[&words[..], &["--json"]].concat()));
        let strategy = &report["properties"][0]["witness"]["strategy"];
        assert_eq!(strategy["against"][0], "Environment", "{report}");
        assert_eq!(strategy["rows"][0]["actions"]["Thief"], "turn_left", "{report}");
    }
}
