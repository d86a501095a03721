//! What the reader says about wrong texts, what it accepts that others refuse, and that nothing
//! makes it panic.

use symbolon_budget::Budget;
use symbolon_ispl::{Loaded, load, parse};
use symbolon_source::ReadFailure;
use symbolon_testkit::{RandomNumbers, corpus_folder, seeds};

/// A small system with a place for everything.
const SYSTEM: &str = "\
Semantics = MultiAssignment;
Agent Environment
  Obsvars:
    light : { red, green };
  end Obsvars
  Vars:
    count : -1 .. 3;
    secret : boolean;
  end Vars
  Actions = { wait, switch };
  Protocol:
    light = red or count < 2 : { wait, switch };
    Other : { wait };
  end Protocol
  Evolution:
    light = green and count = count + 1 if Action = switch and light = red and count < 3;
    (light = red) if Walker.Action = go and light = green;
  end Evolution
end Agent
Agent Walker
  Lobsvars = { secret };
  Vars:
    place : { home, road };
    tired : boolean;
  end Vars
  RedStates:
    place = road and Environment.light = red;
  end RedStates
  Actions = { go, stay };
  Protocol:
    place = home and Environment.light = green : { go };
    Other : { stay };
  end Protocol
  Evolution:
    place = road and tired = tired ^ Environment.secret if Action = go;
    place = home if place = road and !(Environment.Action = wait);
  end Evolution
end Agent
Evaluation
  out if Walker.place = road;
  odd if Environment.count * 2 - 1 >= 1;
end Evaluation
InitStates
  Environment.light = red and Environment.count = 0 and Walker.place = home and Walker.tired = Environment.secret;
end InitStates
Groups
  all = { Walker, Environment };
end Groups
Fairness
  !out;
end Fairness
Formulae
  AG (out -> K(Walker, out));
  <all> (!out U odd);
  LTL G F !out;
  CTL* E (G F out and F odd);
  O(Walker, Walker.GreenStates);
end Formulae
";

fn read(text: &str) -> Result<Loaded, ReadFailure> {
    load(text.as_bytes(), "test", &Budget::unlimited())
}

/// Every finding of a text, one a line.
fn findings(text: &str) -> String {
    match read(text) {
        Ok(loaded) => loaded.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        Err(failure) => failure.to_string(),
    }
}

/// Replaces `old` in the small system by `new` and compares what is said.
#[track_caller]
fn check(old: &str, new: &str, expected: &[&str]) {
    assert!(SYSTEM.contains(old), "{old}");
    let found = findings(&SYSTEM.replacen(old, new, 1));
    assert_eq!(found.lines().collect::<Vec<_>>(), expected, "{new}");
}

#[test]
fn the_small_system_is_right() {
    check("wait", "wait", &[]);
    let loaded = read(SYSTEM).expect("right");
    let printed = loaded.tree.to_string();
    assert_eq!(parse(printed.as_bytes(), &Budget::unlimited()).expect("printed"), loaded.tree);
    let model = &loaded.model;
    let names: Vec<&str> = model.variables.iter().map(|variable| &*variable.name).collect();
    let expected =
        ["Environment.light", "Environment.count", "Environment.secret", "Walker.place", "Walker.tired"];
    assert_eq!(names, expected);
    let seen: Vec<Vec<u32>> =
        model.observers.list.iter().map(|seen| seen.variables.iter().map(|id| id.0).collect()).collect();
    assert_eq!(seen, [vec![0, 1, 2], vec![0, 2, 3, 4]]);
    assert_eq!(model.events[0].parts.len(), 4);
    assert_eq!(loaded.formulae[2].text, "LTL G F !out");
    assert_eq!(loaded.formulae[1].reference_text, "<all>((! out) U odd)");
}

#[test]
fn a_protocol_keeps_values_in_their_ranges() {
    let unguarded = SYSTEM.replacen(" and count < 3;", ";", 1);
    assert!(findings(&unguarded).contains("outside its range"), "{}", findings(&unguarded));
    let guarded = unguarded.replacen("light = red or count < 2 :", "light = red and count < 3 :", 1);
    assert_eq!(findings(&guarded), "");
}

#[test]
fn names_that_mean_nothing_get_a_suggestion() {
    check(
        "place = home if place",
        "plase = home if place",
        &["36:5: agent Walker has no variable plase (did you mean place?)"],
    );
    check("Action = go;", "Action = goo;", &["35:69: agent Walker has no action goo (did you mean go?)"]);
    check("Walker.Action", "Walkr.Action", &["17:22: there is no agent Walkr (did you mean Walker?)"]);
    check("K(Walker", "K(Walkr", &["53:16: there is no agent Walkr (did you mean Walker?)"]);
    check("<all>", "<al>", &["54:4: there is no group al (did you mean all?)"]);
    check("F odd)", "F ood)", &["56:25: there is no atom ood (did you mean odd?)"]);
    check("F odd)", "F even)", &["56:25: there is no atom even (atoms of Evaluation are out, odd)"]);
    check(
        "Walker.place = road;",
        "place = road;",
        &["40:10: there is no variable place (write Walker.place)"],
    );
    check(
        "Walker.place = road;",
        "Walker.place = raod;",
        &["40:25: Walker.place has no value raod (did you mean road?)"],
    );
    check(
        "{ secret }",
        "{ secrte }",
        &[
            "21:16: the Environment has no variable secrte (did you mean secret?)",
            "35:38: agent Walker does not see Environment.secret (add it to Lobsvars = { secret } of the agent, or to Obsvars of the Environment)",
        ],
    );
    check("{ Walker, E", "{ Wolker, E", &["47:11: there is no agent Wolker (did you mean Walker?)"]);
}

#[test]
fn kinds_of_values_are_kept_apart() {
    check(
        "count < 2",
        "light < 2",
        &[
            "12:20: found a named value in a comparison of size, expected numbers (other values are compared by = and <>)",
        ],
    );
    check(
        "count < 2",
        "secret = 1",
        &["12:20: a boolean is compared with a number (a boolean is compared with true or false)"],
    );
    check(
        "count < 2",
        "secret",
        &[
            "12:20: found a value, expected a condition (a boolean variable is not a condition; write b = true)",
        ],
    );
    check("tired ^", "place ^", &["35:30: found a named value beside `^`, expected a boolean"]);
    check("count + 1", "light + 1", &["16:31: found a named value beside `+`, expected a number"]);
    check("count + 1", "true", &["16:31: count is assigned something else than a number"]);
}

#[test]
fn what_an_agent_does_not_see_is_refused() {
    check(
        "place = home and Env",
        "Environment.count = 0 and Env",
        &[
            "31:5: agent Walker does not see Environment.count (add it to Lobsvars = { count } of the agent, or to Obsvars of the Environment)",
        ],
    );
    check(
        "light = red or count",
        "Walker.place = road or count",
        &[
            "12:5: agent Environment does not see Walker.place (the Environment sees its own variables only, and the actions of others)",
        ],
    );
    check(
        "count < 2 :",
        "Action = wait :",
        &[
            "12:29: found an action, expected a condition on variables (actions may occur only in the guards of evolution lines)",
        ],
    );
}

#[test]
fn what_stands_twice_is_refused() {
    check(
        "secret : boolean",
        "count : boolean",
        &[
            "8:5: agent Environment has another variable count",
            "21:16: the Environment has no variable secret (known are count, light)",
            "35:50: agent Environment has no variable secret (known are count, light)",
            "44:108: agent Environment has no variable secret (known are count, light)",
        ],
    );
    check("{ go, stay }", "{ go, stay, go }", &["29:25: agent Walker has another action go"]);
    check("{ home, road }", "{ home, road, home }", &["23:27: the value home is named twice"]);
    check(
        "odd if",
        "out if",
        &[
            "41:3: there is another atom out before this one",
            "54:17: there is no atom odd (atoms of Evaluation are out, out)",
            "56:25: there is no atom odd (atoms of Evaluation are out, out)",
        ],
    );
    check(
        "place = road and tired",
        "place = road and place",
        &[
            "35:22: place is assigned twice in this line",
            "35:30: place is assigned something else than one of its values",
        ],
    );
}

#[test]
fn several_mistakes_are_found_in_one_run() {
    let text = SYSTEM
        .replace("boolean;", "bool;")
        .replace("Actions = { go", "Actions { go")
        .replace("if Walker", "Walker");
    assert_eq!(
        findings(&text).lines().collect::<Vec<_>>(),
        [
            "8:14: found `bool`, expected the values of a variable (write boolean)",
            "17:19: found `Walker`, expected `if`",
            "24:13: found `bool`, expected the values of a variable (write boolean)",
            "29:11: found `{`, expected `=`",
            "40:7: found `Walker`, expected `if`",
        ]
    );
}

#[test]
fn sections_stand_in_their_order() {
    let groups = "Groups\n  all = { Walker, Environment };\nend Groups\n";
    let moved = format!("{}{}", SYSTEM.replace(groups, ""), groups);
    assert_eq!(
        findings(&moved),
        "56:1: Groups comes after Fairness (move it up: the order is Semantics, Agent, Evaluation, InitStates, Groups, Fairness, Formulae)"
    );
    check(
        "end Vars\n  RedStates",
        "end Var\n  RedStates",
        &["25:3: found `end` and then `Var`, expected `end Vars`"],
    );
    check(
        "InitStates\n  E",
        "InitState\n  E",
        &[
            "43:1: found `InitState`, expected one of Agent, Evaluation, InitStates, Groups, Fairness, Formulae (did you mean InitStates?)",
            "59:1: the file has no section InitStates (write InitStates ... end InitStates)",
        ],
    );
    assert_eq!(findings(""), "the file is empty (expected agents and formulae)");
    assert!(findings("PNML").starts_with("1:1: found `PNML`, expected one of"));
}

#[test]
fn letters_of_operators_are_names_where_no_operand_follows() {
    let text = SYSTEM
        .replace("Walker", "A")
        .replace("home", "X")
        .replace("road", "U")
        .replace("go", "F")
        .replace("stay", "G")
        .replace("out", "E")
        .replace("odd", "K");
    let loaded = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(loaded.formulae[0].reference_text, "(AG (E -> K(A, E)))");
    assert_eq!(loaded.formulae[1].reference_text, "<all>((! E) U K)");
    assert_eq!(loaded.formulae[3].reference_text, "(E ((G (F E)) && (F K)))");
    let printed = loaded.tree.to_string();
    assert_eq!(parse(printed.as_bytes(), &Budget::unlimited()).expect("printed"), loaded.tree);
}

#[test]
fn signs_of_other_languages_are_explained() {
    check("light = red or count", "light == red or count", &["12:11: `==` means nothing in ISPL (write =)"]);
    check(
        "tired ^",
        "tired && tired ^",
        &["35:36: `&&` means nothing in ISPL (write and)", "35:45: found `^`, expected `=`"],
    );
    check("G F !out", "AG !out", &["55:7: `AG` is not an operator of LTL (write G)"]);
    check(
        "AG (out",
        "G (out",
        &["53:3: `G` is not an operator of CTL (write AG or EG, or LTL before the formula)"],
    );
    check(
        "E (G F out and F odd)",
        "G F out",
        &[
            "56:8: found a formula about a path, expected one about a state (put A or E before it, and brackets around what it is about: A (p U q))",
        ],
    );
}

#[test]
fn odd_things_get_warnings() {
    check(
        "    Other : { wait };\n",
        "",
        &[
            "2:7: warning: the protocol of agent Environment offers nothing, for instance where Environment.light = green and Environment.count = 2 (add a last line Other : { ... }; where an agent has no action, the whole system stops)",
        ],
    );
    check(
        " and count < 3;",
        ";",
        &[
            "16:23: warning: this line can give Environment.count a value outside its range, for instance where Environment.light = red and Environment.count = 3 (where such a state is reached, the step cannot be taken: guard the line, or widen the range)",
        ],
    );
    check(
        "LTL G F !out",
        "LTL !out U odd",
        &["55:7: warning: `! p U q` is read as `! (p U q)` (write the brackets that you mean)"],
    );
}

#[test]
fn formulas_bind_as_in_the_reference() {
    let check = |written: &str, expected: &str| {
        let loaded = read(&SYSTEM.replacen("AG (out -> K(Walker, out))", written, 1));
        let loaded = loaded.unwrap_or_else(|error| panic!("{written}: {error}"));
        assert_eq!(loaded.formulae[0].reference_text, expected, "{written}");
    };
    check("AG out -> odd", "((AG out) -> odd)");
    check("AG out and odd", "((AG out) && odd)");
    check("out -> odd -> out", "(out -> (odd -> out))");
    check("out or odd and out", "(out || (odd && out))");
    check("A(!out and odd U out or odd)", "A(((! out) && odd) U (out || odd))");
    check("! AG ! EX out", "(! (AG (! (EX out))))");
    check("LTL X out U odd", "(A ((X out) U odd))");
    check("LTL ! out U odd", "(A (! (out U odd)))");
    check("LTL out U ! odd U out", "(A (out U (! (odd U out))))");
    check("LTL K(Walker, F out) -> G odd", "(A (K(Walker, (A (F out))) -> (G odd)))");
    check("CTL* A G F E F G out", "(A (G (F (E (F (G out))))))");
    check("<all> X <all> F out", "(<all>X (<all>F out))");
}

#[test]
fn depth_is_refused_and_length_is_not() {
    let deep = format!("{}out{}", "(".repeat(5000), ")".repeat(5000));
    let found = findings(&SYSTEM.replacen("AG (out -> K(Walker, out))", &deep, 1));
    assert!(found.starts_with("53:203: more than 200 brackets are open here"), "{found}");
    let long = vec!["out"; 50_000].join(" -> ");
    let negations = format!("{} out and {} out and {long}", "! ".repeat(50_000), "AG ".repeat(50_000));
    let loaded = read(&SYSTEM.replacen("AG (out -> K(Walker, out))", &negations, 1)).expect("long");
    let printed = loaded.tree.to_string();
    assert_eq!(parse(printed.as_bytes(), &Budget::unlimited()).expect("printed"), loaded.tree);
    let condition = vec!["Walker.place = road"; 50_000].join(" and ");
    read(&SYSTEM.replacen("Walker.place = road;", &format!("{condition};"), 1)).expect("long");
}

/// Texts that are cut, joined and scrambled are read without a panic, and what is still right
/// survives printing.
#[test]
fn no_bytes_make_the_reader_panic() {
    let mut texts: Vec<Vec<u8>> = vec![SYSTEM.as_bytes().to_vec()];
    if let Some(folder) = corpus_folder("ISPL mutations of public models") {
        for name in ["muddy_children", "card_games", "bit_transmission_protocol", "strongly_connected"] {
            let path = folder.join(format!("ispl/original/mcmas-1.3.0/{name}.ispl"));
            texts.extend(std::fs::read(path));
        }
    }
    let words: Vec<&[u8]> = SYSTEM.split_inclusive(' ').map(str::as_bytes).collect();
    let mut accepted = 0;
    for seed in seeds(2000) {
        let mut random = RandomNumbers::new(seed);
        let mut text = texts[random.below(texts.len() as u64) as usize].clone();
        for _ in 0..=random.below(4) {
            let at = random.below(text.len() as u64 + 1) as usize;
            let end = (at + random.below(12) as usize).min(text.len());
            match random.below(4) {
                0 => drop(text.splice(at..end, std::iter::empty())),
                1 => text.insert(at, random.below(256) as u8),
                2 => {
                    let word = words[random.below(words.len() as u64) as usize];
                    drop(text.splice(at..at, word.iter().copied()));
                }
                _ => drop(
                    text.splice(at..end, words[random.below(words.len() as u64) as usize].iter().copied()),
                ),
            }
        }
        let budget = Budget::unlimited();
        match load(&text, "mutant", &budget) {
            Ok(loaded) => {
                accepted += 1;
                let again = parse(loaded.tree.to_string().as_bytes(), &budget).expect("printed");
                assert_eq!(again, loaded.tree);
            }
            Err(ReadFailure::Invalid(error)) => assert!(error.first().is_some()),
            Err(ReadFailure::Interrupted(reason)) => panic!("unlimited, yet {reason}"),
        }
    }
    println!("{accepted} of 2000 mutants are still right");
}
