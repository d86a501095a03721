//! What programs mean: the built-in examples by explicit search, and small programs case by case.

use symbolon_budget::Budget;
use symbolon_explicit::{Exploration, Options, explore, find};
use symbolon_gcl::{Loaded, Override, examples, load};
use symbolon_model::{Change, Model, Origin, Part, VariableId};
use symbolon_source::{ReadFailure, Severity};

fn loaded(text: &str) -> Loaded {
    loaded_with(text, &[])
}

#[track_caller]
fn loaded_with(text: &str, overrides: &[(&str, i64)]) -> Loaded {
    let overrides: Vec<Override> =
        overrides.iter().map(|&(name, value)| Override { name: name.into(), value }).collect();
    match load(text.as_bytes(), &overrides, &Budget::unlimited()) {
        Ok(loaded) => loaded,
        Err(failure) => panic!("{failure}\n{text}"),
    }
}

fn example(name: &str) -> &'static str {
    examples().iter().find(|example| example.name == name).expect("an example").text
}

fn explored(model: &Model) -> Exploration {
    explore(model, &Options::default(), &Budget::unlimited()).expect("few states")
}

fn state_count(text: &str, overrides: &[(&str, i64)]) -> usize {
    explored(&loaded_with(text, overrides).model).state_count()
}

/// Steps to the nearest state in which all these variables are called so.
fn distance(model: &Model, wanted: &[(&str, &str)]) -> Option<usize> {
    let wanted: Vec<(VariableId, &str)> = wanted
        .iter()
        .map(|(name, value)| (model.variable_named(name).expect("a variable"), *value))
        .collect();
    let is_wanted = |state: &[u64]| {
        wanted.iter().all(|(id, value)| model.values_of(*id).text(state[id.index()]) == *value)
    };
    let trace = find(model, &Options::default(), &Budget::unlimited(), is_wanted).expect("few states");
    trace.map(|trace| trace.events.len())
}

#[test]
fn the_running_example_has_six_states() {
    let model = loaded(example("gated-queue")).model;
    let found = explored(&model);
    let mut states: Vec<Vec<u64>> = (0..found.state_count()).map(|n| found.state(n).to_vec()).collect();
    states.sort();
    // The six states of section 2.3, as (p, w, i).
    assert_eq!(states, [[0, 0, 2], [0, 1, 1], [0, 2, 0], [1, 0, 1], [1, 1, 0], [2, 0, 0]].map(Vec::from));
    // N customers in three places.
    for (n, states) in [(1, 3), (3, 10), (10, 66)] {
        assert_eq!(state_count(example("gated-queue"), &[("N", n)]), states, "N = {n}");
    }
}

#[test]
fn distances_of_the_running_example() {
    // Figure 5 stops at bound 1: the initial state at distance 0 and (1, 1, 0) at distance 1; the
    // approximate method also keeps (1, 0, 1) and (0, 2, 0), which are two steps away.
    let model = loaded(example("gated-queue")).model;
    let check = |p: &str, w: &str, i: &str, steps: usize| {
        assert_eq!(distance(&model, &[("p", p), ("w", w), ("i", i)]), Some(steps), "({p}, {w}, {i})");
    };
    check("2", "0", "0", 0);
    check("1", "1", "0", 1);
    check("0", "2", "0", 2);
    check("1", "0", "1", 2);
    check("0", "0", "2", 3);
    check("0", "1", "1", 3);
}

#[test]
fn the_gate_is_local_where_it_can_be() {
    let model = loaded(example("gated-queue")).model;
    let local = |variable, at_least, change| Part::Local {
        variable: VariableId(variable),
        at_least,
        at_most: u64::MAX,
        change,
    };
    assert_eq!(model.events[0].parts, [local(0, 1, Change::Add(-1)), local(1, 0, Change::Add(1))]);
    assert_eq!(model.events[1].parts, [local(0, 0, Change::Add(1)), local(2, 1, Change::Add(-1))]);
    assert!(
        matches!(model.events[2].parts.as_slice(), [Part::General { updates, .. }] if updates.len() == 2)
    );
}

#[test]
fn peterson_excludes_and_the_broken_one_does_not() {
    let both = [("side.0.at", "critical"), ("side.1.at", "critical")];
    assert_eq!(distance(&loaded(example("peterson-correct")).model, &both), None);
    // yield 0, yield 1, ask 1, enter 1, ask 0, enter 0: turn is 0, so 0 may enter beside 1.
    assert_eq!(distance(&loaded(example("peterson-broken")).model, &both), Some(6));
}

#[test]
fn processes_are_components() {
    let model = loaded(example("peterson-correct")).model;
    let names: Vec<&str> = model.components.iter().map(|component| component.name.as_str()).collect();
    assert_eq!(names, ["peterson", "side.0", "side.1"]);
    assert_eq!(model.components[1].variables.len(), 2);
    assert_eq!(model.components[0].variables, [model.variable_named("turn").expect("turn")]);
}

#[test]
fn philosophers_wait_in_one_state() {
    for n in 2..=5 {
        let loaded = loaded_with(example("dining-philosophers"), &[("N", n)]);
        let found = explored(&loaded.model);
        assert_eq!(found.dead_states().len(), 1, "N = {n}");
        let wanted: Vec<(String, &str)> =
            (0..n).map(|i| (format!("philosopher.{i}.state"), "has_left")).collect();
        let wanted: Vec<(&str, &str)> = wanted.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        assert_eq!(distance(&loaded.model, &wanted), Some(n as usize), "N = {n}");
        assert!(loaded.model.events.iter().all(|e| e.parts.iter().all(|p| matches!(p, Part::Local { .. }))));
    }
}

#[test]
fn the_buffer_never_loses_anything() {
    let loaded = loaded(example("bounded-buffer"));
    let found = explored(&loaded.model);
    let model = &loaded.model;
    let value = |state: &[u64], name: &str| state[model.variable_named(name).expect("a variable").index()];
    for number in 0..found.state_count() {
        let state = found.state(number);
        let full = (0..3).filter(|cell| value(&state, &format!("cell.{cell}")) > 0).count() as u64;
        assert_eq!(full, value(&state, "used"));
    }
}

#[test]
fn examples_give_no_warnings_and_have_properties() {
    for example in examples() {
        let loaded = loaded(example.text);
        assert_eq!(loaded.warnings, [], "{}", example.name);
        assert!(!loaded.properties.is_empty(), "{}", example.name);
    }
}

/// A program of one variable `x`, and the values it reaches.
#[track_caller]
fn reaches(text: &str, expected: &[&str]) {
    let model = loaded(text).model;
    let found = explored(&model);
    let x = model.variable_named("x").expect("x");
    let mut values: Vec<u64> = (0..found.state_count()).map(|n| found.state(n)[x.index()]).collect();
    values.sort_unstable();
    values.dedup();
    let values: Vec<String> = values.into_iter().map(|value| model.values_of(x).text(value)).collect();
    assert_eq!(values, expected, "{text}");
}

#[test]
fn ranges_are_never_left() {
    reaches("var x: 0..3 = 0  up: true -> x' = x + 1", &["0", "1", "2", "3"]);
    reaches("var x: -2..1 = 0  down: true -> x' = x - 1", &["-2", "-1", "0"]);
    reaches("var x: -2..1 = 1  two: true -> x' = x - 2", &["-1", "1"]);
    reaches("var x: nat = 3  down: true -> x' = x - 2", &["1", "3"]);
    reaches("var x: 1..9 = 1  double: true -> x' = 2 * x", &["1", "2", "4", "8"]);
    reaches("var x: 0..3 = 0 var y: 0..9 = 0 a: true -> y' = y + 1 || x' = y", &["0", "1", "2", "3"]);
}

#[test]
fn what_has_no_value_does_not_happen() {
    reaches("var x: 0..9 = 9 var d: 0..3 = 3 a: true -> x' = 9 / d || d' = d - 1", &["3", "4", "9"]);
    // A condition that fails for another reason fails, whatever else it says.
    reaches(
        "var x: 0..3 = 0 a: x > 0 & 6 / x > 1 -> x' = 3  b: x = 0 | 6 / x > 2 -> x' = x + 1",
        &["0", "1", "2", "3"],
    );
    reaches("var x: 0..9 = 5 var d: 0..2 = 0 a: !(4 / d = 2) -> x' = 0  b: true -> d' = d + 1", &["0", "5"]);
    reaches("var t[2]: 0..5 = 4 var x: 0..5 = 0 var k: 0..3 = 2 a: true -> x' = t[k]", &["0"]);
    reaches("var t[3]: 0..5 = 4 var x: 0..5 = 0 var k: 0..3 = 2 a: true -> x' = t[k]", &["0", "4"]);
}

#[test]
fn expressions_mean_what_they_say() {
    reaches(
        "var x: 0..5 = 5 a: true -> x' = (x + 1) % 6 || skip_me' = true var skip_me: bool = false",
        &["0", "1", "2", "3", "4", "5"],
    );
    reaches("const A = 7 const B = A / 2 - -1 var x: 0..B = B", &["4"]);
    reaches("var x: 0..9 = 0 a: true -> x' = sum i in 1..3 (i * i - 2 * i + 1)", &["0", "5"]);
    reaches(
        "var x: 0..9 = 3 a: x >= 2 -> x' = if x = 3 then 9 else if x = 9 then 1 else 5",
        &["1", "3", "9"],
    );
    reaches(
        "var x: {red, green, blue} = red a: x = red -> x' = green  b: x != red -> x' = blue",
        &["red", "green", "blue"],
    );
    reaches("enum c = {u, v} var x: c = u var y: c = v a: x != y -> x' = y", &["u", "v"]);
    reaches("var x: bool = false var y: 0..3 = 0 a: true -> y' = y + 1 || x' = (y >= 2)", &["false", "true"]);
    reaches("var x: bool = false var y: bool = true a: true -> x' = x | y & !x", &["false", "true"]);
    reaches("var x: 0..9 = 0 a: forall i in 1..3 (i < 4) & !exists i in 1..3 (i = 4) -> x' = 1", &["0", "1"]);
    reaches("var x: 0..9 = 0 var b: bool = true a: (b -> x = 0) & (b <-> !(x = 1)) -> x' = 2", &["0", "2"]);
    reaches("var x: 0..9 = {2, 4} a: x = 4 -> x' = 5", &["2", "4", "5"]);
    reaches("var x: 0..9 = any initially x > 6", &["7", "8", "9"]);
    reaches(
        "var x: nat  var y: nat  initially x = 2 & y <= 1 & x > y a: y = 1 -> x' = x + 1 || y' = 0",
        &["2", "3"],
    );
    reaches("var x: 0..9 = 3..5", &["3", "4", "5"]);
    reaches(
        "var t[3]: 0..9 = [4, 5, 6] var x: 0..9 = 0 var k: 0..2 = 0 a: true -> x' = t[k] || k' = k + 1",
        &["0", "4", "5"],
    );
    reaches(
        "var t[2]: 0..9 = 0 var x: 0..1 = 0 a: t[x] < 2 -> t[x]' = t[x] + 1  b: t[x] = 2 -> x' = 1 - x",
        &["0", "1"],
    );
}

#[test]
fn a_computed_index_splits_the_command() {
    let loaded =
        loaded("var t[3]: 0..9 = 0 var k: 0..2 = 0 a: true -> t[k]' = t[k] + 1 property p: EF fireable(a)");
    let names: Vec<&str> = loaded.model.events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["a.case1", "a.case2", "a.case3"]);
    assert_eq!(loaded.properties[0].formula.formula.to_string(), "EF fireable(a.case1, a.case2, a.case3)");
    // Each case touches the index and one element.
    assert!(loaded.model.events.iter().all(|event| event.variables().len() == 2));
}

#[test]
fn properties_are_about_the_model() {
    let check = |formula: &str, expected: &str| {
        let text = format!(
            "const N = 2 var t[3]: 0..9 = 0 process p[i in 1..2] {{ var x: {{a, b}} = a  go: x = a -> x' = b }}\n\
             for k in 0..1 {{ put: t[k] < 9 -> t[k]' = t[k] + 1 }}\nproperty q: {formula}"
        );
        let loaded = loaded(&text);
        assert_eq!(loaded.properties[0].formula.formula.to_string(), expected);
    };
    check("AG (t[N] <= N + 1)", "AG t.2 <= 3");
    check("AG t[N - 1] = 0", "AG t.1 = 0");
    check("EF p[2].x = b", "EF p.2.x = b");
    check("AG sum i in 0..N (t[i]) <= 27", "AG t.0 + t.1 + t.2 <= 27");
    check("forall i in 1..N (EF p[i].x = b)", "EF p.1.x = b & EF p.2.x = b");
    check("EF exists i in 0..1 (t[i] = i + 1)", "EF (t.0 = 1 | t.1 = 2)");
    check("AG (fireable(put) | fireable(p[1].go))", "AG (fireable(put.0, put.1) | fireable(p.1.go))");
    check("E[t[0] = 0 U\n  t[1] = 1]", "E[t.0 = 0 U t.1 = 1]");
    check("AG t[0] = 0\n  & AG t[1] = 1", "AG t.0 = 0 & AG t.1 = 1");
}

/// What is wrong with a program: line, column and a piece of the message of each error.
#[track_caller]
fn refused(text: &str, expected: &[(u32, u32, &str)]) {
    let found = match load(text.as_bytes(), &[], &Budget::unlimited()) {
        Ok(_) => panic!("accepted: {text}"),
        Err(ReadFailure::Interrupted(why)) => panic!("{why}"),
        Err(ReadFailure::Invalid(error)) => error.diagnostics,
    };
    let found: Vec<_> = found.iter().filter(|finding| finding.severity == Severity::Error).collect();
    let shown: Vec<String> = found.iter().map(|finding| finding.to_string()).collect();
    assert_eq!(found.len(), expected.len(), "{text}\n{shown:#?}");
    for (finding, (line, column, message)) in found.iter().zip(expected) {
        assert!(finding.to_string().contains(message), "{finding}\nexpected {message}");
        if *line > 0 {
            assert_eq!((finding.line, finding.column), (Some(*line), Some(*column)), "{finding}");
        }
    }
}

#[test]
fn mistakes_are_reported() {
    refused("", &[(0, 0, "no declaration")]);
    refused("; ", &[(0, 0, "no declaration")]);
    refused("var x: nat = 0\nproperty p: AG (x >= 0;", &[(2, 16, "never closed")]);
    refused("var x: nat", &[(1, 5, "has no initial value")]);
    refused("var x: int = 0", &[(1, 8, "without limits")]);
    refused("var x: nat = 0\na: x >= 1 -> x = 2", &[(2, 16, "expected `'`")]);
    refused("var x: nat := 0", &[(1, 12, "follows `=`")]);
    refused("const n := 3 var x: 0..n = 0", &[(1, 9, "follows `=`")]);
    refused("var x: nat = 0\na: x >= 1 -> x' := 2", &[(2, 17, "follows `=`")]);
    refused("var x: nat = 0\na: x >= 1 -> x' = 2 & y' = 3", &[(2, 24, "by `||`")]);
    refused("var x: nat = 0\na: x >= 1 || x = 0 -> x' = 2", &[(2, 11, "expected `->`")]);
    refused("var count: nat = 0\na: cuont >= 1 -> count' = 2", &[(2, 4, "did you mean 'count'?")]);
    refused("proces x { }", &[(1, 1, "did you mean `process`?")]);
    refused("var x: nat = 0 a: x -> x' = 1", &[(1, 19, "expected a condition, found a number")]);
    refused("var x: bool = 0", &[(1, 15, "expected a truth value, found a number")]);
    refused("var x: {a, b} = c", &[(1, 17, "unknown name 'c'")]);
    refused(
        "var x: {one, two} = one var y: {three} = three a: x = y -> skip",
        &[(1, 51, "is compared with")],
    );
    refused("var x: {one, two} = one a: x = on -> skip", &[(1, 32, "did you mean 'one'?")]);
    refused("var x: {one, two} = one a: x < two -> skip", &[(1, 28, "only be compared by = and !=")]);
    refused("var x: 3..1 = 2", &[(1, 8, "is empty")]);
    refused("var x: 0..3 = 4", &[(1, 15, "4 is outside 0..3")]);
    refused("var x[2]: nat = 0 a: x[2] = 0 -> skip", &[(1, 24, "2 is not an index of 'x'")]);
    refused("var x[2]: nat = 0 a: x = 0 -> skip", &[(1, 22, "is an array")]);
    refused("var x: nat = 0 a: x[0] = 0 -> skip", &[(1, 21, "is not an array")]);
    refused("var x: nat = 0 a: true -> x' = 1 || x' = 2", &[(1, 37, "assigned twice")]);
    refused("var x: nat = 0 var x: nat = 0", &[(1, 20, "declared twice")]);
    refused("var x: nat = 0 a: true -> skip a: true -> skip", &[(1, 32, "another command")]);
    refused("const N = 1 / 0", &[(1, 15, "division by zero")]);
    refused("const N = 9223372036854775807 + 1", &[(1, 11, "too large")]);
    refused("const N = x var x: nat = 0", &[(1, 11, "unknown name 'x'")]);
    refused("var x: nat = 0 const N = x", &[(1, 26, "must be a constant")]);
    refused("var x: nat = 99999999999999999999", &[(1, 14, "too large")]);
    refused("var x: nat = 0 initially x = 1", &[(0, 0, "no initial state")]);
    refused("var x: nat = 0 property p: AG (x <= 1", &[(1, 31, "never closed")]);
    refused("var x: nat = 0\nproperty p: AG x <= \n  * 3", &[(3, 3, "")]);
    refused("var x: nat = any", &[(0, 0, "'x' has no limits")]);
    refused(
        "process p[i in 0..1] { var x: nat = 0 } a: p[2].x = 0 -> skip",
        &[(1, 46, "2 is not an index of 'p'")],
    );
    refused("process p { var x: nat = 0 } a: p.y = 0 -> skip", &[(1, 35, "has no variable 'y'")]);
    refused("process p { const N = 3 }", &[(1, 13, "not allowed in a process")]);
    // Several in one run.
    refused(
        "var x: nat = 0\na: y = 0 -> x' = 1\nb: x = 0 -> z' = 1\nc: x -> skip\n",
        &[(2, 4, "'y'"), (3, 13, "'z'"), (4, 4, "a condition")],
    );
    refused(
        "var x nat = 0\nvar y: = 0\nenum = {a}\n",
        &[(1, 7, "`:`"), (2, 8, "an expression"), (3, 6, "a name")],
    );
}

#[test]
fn overrides_must_fit() {
    let text = "param N = 3 var x: 0..N = 0";
    assert_eq!(loaded_with(text, &[("N", 5)]).parameters, [("N".to_string(), 5)]);
    let wrong = load(text.as_bytes(), &[Override { name: "M".into(), value: 1 }], &Budget::unlimited());
    assert!(wrong.expect_err("no such parameter").to_string().contains("no parameter 'M'"));
}

#[test]
fn leaving_a_range_is_warned_about_once() {
    let warnings = |text: &str| -> Vec<String> {
        loaded(text).warnings.iter().map(|warning| warning.message.clone()).collect()
    };
    assert_eq!(warnings("var x: 0..3 = 0 a: x < 3 -> x' = x + 1"), [""; 0]);
    assert_eq!(warnings("var x: 0..3 = 0 a: x != 3 -> x' = x + 1"), [""; 0]);
    assert_eq!(warnings("var x: nat = 0 a: true -> x' = x + 1"), [""; 0]);
    assert_eq!(warnings("var x: 0..3 = 0 a: true -> x' = x + 1"), ["this may leave the range of 'x', 0..3"]);
    assert_eq!(
        warnings("var x: nat = 0 a: true -> x' = x - 1"),
        ["this may leave the range of 'x', the natural numbers"]
    );
    assert_eq!(warnings("var x: 0..3 = 0 a: true -> x' = x + 4").len(), 2);
    assert_eq!(warnings("var x: 0..3 = 0 for i in 1..3 { a: true -> x' = x + i }").len(), 1);
    assert_eq!(warnings("var x: 0..3 = 0 a: x > 5 -> x' = 1"), ["'a' never happens"]);
}

#[test]
fn elements_of_arrays_know_their_array() {
    let model = loaded("var n: 0..1 = 0 var x[3]: 0..1 = 0 a: n = 0 -> n' = 1").model;
    let origin = |name: &str| model.origins.of(model.variable_named(name).expect("a variable"));
    assert_eq!(origin("n"), Origin::Variable);
    assert_eq!(origin("x.2"), Origin::Element { array: "x", index: 2 });
    assert_eq!(model.origins.instances_of("x").count(), 3);
}
