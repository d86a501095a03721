//! Automata as HOA text: written and read again, and texts that others might write.

use symbolon_automata::{NamedAutomaton, ltl_text, proposition_name, read_hoa, translate, write_hoa};
use symbolon_budget::Budget;
use symbolon_logic::{Builder, Formula, Operator};
use symbolon_testkit::{RandomNumbers, seeds};

use crate::formulas::{polish, random_formula};
use crate::words::Word;

#[test]
fn written_and_read_again() {
    for seed in seeds(300) {
        let mut numbers = RandomNumbers::new(seed);
        let formula = random_formula(&mut numbers, 10, 3);
        let automaton = translate(&formula, &Budget::unlimited()).unwrap();
        let names: Vec<String> = (0..automaton.proposition_count()).map(proposition_name).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let text = write_hoa(&automaton, &names);
        assert_eq!(read_hoa(&text, &names, &Budget::unlimited()), Ok(automaton), "{text}");
    }
}

#[test]
fn names_travel_with_the_automaton() {
    let budget = Budget::unlimited();
    let mut builder = Builder::default();
    let (busy, done) = (builder.atom("busy"), builder.atom("done"));
    let both = builder.add(Operator::And(busy, done));
    let finally = builder.add(Operator::Finally(both));
    let always = builder.add(Operator::Globally(finally));
    let root = builder.add(Operator::ForAll(always));
    let name = |formula: &Formula<&str>| formula.atoms().copied().collect::<Vec<_>>().join(" & ");
    let named = NamedAutomaton::of_formula(&builder.finish(root), name, &budget).unwrap();
    assert_eq!(named.propositions, ["busy & done"]);
    assert_eq!(NamedAutomaton::from_hoa(&named.to_hoa(), &budget), Ok(named));
    let without = "HOA: v1 States: 1 Start: 0 acc-name: all Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--";
    assert_eq!(NamedAutomaton::from_hoa(without, &budget).unwrap().propositions, [""; 0]);
    let error = NamedAutomaton::from_hoa("HOA: v1 AP: 2 \"a\" States: 1", &budget).unwrap_err();
    assert!(error.to_string().contains("expected the name of a proposition"), "{error}");
}

#[test]
fn a_written_text() {
    let automaton = translate(&polish("U p0 p1"), &Budget::unlimited()).unwrap();
    let expected = "\
HOA: v1
States: 2
Start: 0
AP: 2 \"a \\\"b\\\"\" \"c\\\\d\"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels trans-acc
--BODY--
State: 0
[0] 0
[1] 1
State: 1
[t] 1 {0}
--END--
";
    let names = ["a \"b\"", "c\\d"];
    let text = write_hoa(&automaton, &names);
    assert_eq!(text, expected);
    assert_eq!(read_hoa(&text, &names, &Budget::unlimited()), Ok(automaton));
}

/// The automaton in the text accepts what satisfies the formula.
fn check(text: &str, formula: &str) {
    let automaton = read_hoa(text, &["p", "q"], &Budget::unlimited()).unwrap();
    let formula = polish(formula);
    for seed in seeds(200) {
        let word = Word::random(&mut RandomNumbers::new(seed), 2);
        assert_eq!(word.is_accepted(&automaton), word.satisfies(&formula), "{word:?}\n{text}");
    }
}

#[test]
fn texts_of_others() {
    // State-based acceptance, propositions in another order, labels that are no conjunctions,
    // comments, a name.
    check(
        r#"HOA: v1 name: "G (p -> F q)" /* a /* nested */ comment */
        States: 2 Start: 0 AP: 2 "q" "p" acc-name: Buchi Acceptance: 1 Inf(0)
        properties: state-acc deterministic
        --BODY--
        State: 0 "idle" {0} [0 | !1] 0 [!(0 | !1)] 1
        State: 1 [0] 0 [!0] 1
        --END-- HOA: v1 what follows is another one"#,
        "G > p0 F p1",
    );
    // Labels on states, no number of states, an alias of an alias.
    check(
        r#"HOA: v1 Start: 0 Start: 1 AP: 2 "p" "q" Alias: @both 0&1 Alias: @not !@both Acceptance: 0 t
        --BODY-- State: [@both] 0 0 1 State: [!(!@not)] 1 1 0 --END--"#,
        "t",
    );
    // Implicit labels: the letters in order, the first proposition changing from edge to edge.
    check(
        r#"HOA: v1 States: 2 Start: 0 AP: 2 "p" "q" Acceptance: 1 Inf(0)
        --BODY-- State: 0 {0} 1 1 0 0 State: 1 1 1 0 0 --END--"#,
        "G F p1",
    );
    // `&` binds more than `|`, and `!` more than both.
    check(
        r#"HOA: v1 States: 2 Start: 0 AP: 2 "p" "q" Acceptance: 0 t
        --BODY-- State: 0 [0 | !1 & !0 | f] 1 State: 1 [t] 1 --END--"#,
        "| p0 & ! p1 ! p0",
    );
    // Any combination of Inf.
    check(
        r#"HOA: v1 States: 1 Start: 0 AP: 2 "p" "q" Acceptance: 3 (Inf(0) | Inf(1)) & Inf(2)
        --BODY-- State: 0 [0&!1] 0 {0} [1&!0] 0 {1} [!0&!1] 0 {2} [0&1] 0 --END--"#,
        "& G F ! = p0 p1 G F & ! p0 ! p1",
    );
    check(r#"HOA: v1 States: 1 Start: 0 AP: 0 Acceptance: 0 f --BODY-- State: 0 [t] 0 --END--"#, "f");
    check(r#"HOA: v1 States: 1 AP: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0 --END--"#, "f");
}

#[test]
fn wrong_texts() {
    let check = |text: &str, expected: &str| {
        let failure = read_hoa(text, &["request", "grant"], &Budget::unlimited()).unwrap_err();
        assert_eq!(failure.to_string(), expected, "{text}");
    };
    let body = |body: &str| {
        format!("HOA: v1\nStates: 2 Start: 0 AP: 1 \"grant\"\nAcceptance: 1 Inf(0)\n--BODY--\n{body}")
    };
    check("", "1:1: the text does not begin with 'HOA: v1'");
    check("HOA: v2", "1:1: another version of HOA than v1 is not supported");
    check("HOA: v1 States: x", "1:17: found 'x', expected a number of states");
    check("HOA: v1 States: 99999999999", "1:17: the number is too large");
    check("HOA: v1 States: 999999999", "1:17: found '999999999', expected a number of states below 4194304");
    check("HOA: v1 AP: 1 \"grand\"", "1:15: there is no proposition \"grand\" (did you mean \"grant\"?)");
    check(
        "HOA: v1 AP: 2 \"grant\" --BODY--",
        "1:23: found '--BODY--', expected the name of a proposition in quotation marks",
    );
    check("HOA: v1 --BODY-- --END--", "1:18: the header has no field 'Acceptance:'");
    let refused = |text: &str, expected: &str| {
        let hint =
            "write a Büchi or generalised Büchi automaton, as 'ltl2tgba' or 'autfilt --gba' of Spot do";
        check(text, &format!("{expected} is not supported ({hint})"));
    };
    refused("HOA: v1 Acceptance: 1 Fin(0)", "1:23: an acceptance condition with 'Fin'");
    refused("HOA: v1 Acceptance: 1 Inf(!0)", "1:23: an acceptance condition with the complement of a set");
    refused(
        "HOA: v1 Acceptance: 2 Fin(0) & Inf(1) acc-name: Rabin 1",
        "1:23: the acceptance condition 'Rabin 1', with 'Fin',",
    );
    check("HOA: v1 Acceptance: 1 Inf(1)", "1:27: found '1', expected an acceptance set below 1");
    check("HOA: v1 Acceptance: 1 (Inf(0)", "1:30: found the end of the text, expected ')'");
    check("HOA: v1 Start: 0&1", "1:17: an alternating automaton, with '&' between states, is not supported");
    check("HOA: v1 Fairness: 0", "1:9: the header field 'Fairness:' is not supported");
    check("HOA: v1 Alias: @a @b", "1:19: there is no alias '@b'");
    check("HOA: v1 name: \"x", "1:15: the quotation mark is not closed");
    check("HOA: v1 /* /* */", "1:9: the comment is not closed");
    check("HOA: v1 ü", "1:9: unexpected character 'ü'");
    check(&body("State: 2"), "5:8: found '2', expected a state below 2");
    check(&body("State: 0 [0] 2"), "5:14: found '2', expected a state below 2");
    check(&body("State: 0 [1] 1"), "5:11: found '1', expected a proposition below 1");
    check(&body("State: 0 [0 &] 1"), "5:14: found ']', expected a proposition, '!', '(', '@', 't' or 'f'");
    check(&body("State: 0 [(0] 1"), "5:13: found ']', expected ')'");
    check(&body("State: 0 [0)] 1"), "5:12: found ')', expected ']'");
    check(
        &body("State: 0 [t] 1&0"),
        "5:15: an alternating automaton, with '&' between states, is not supported",
    );
    check(&body("State: 0 [t] 1 {1}"), "5:17: found '1', expected an acceptance set below 1");
    check(
        &body("State: 0 1 1 1"),
        "5:14: found '1', expected a label in brackets, or one edge for each letter",
    );
    check(
        &body("State: 0 [t] 1"),
        "5:15: found the end of the text, expected 'State:', an edge or '--END--'",
    );
    check(&body("--ABORT--"), "5:1: the automaton is marked as incomplete (--ABORT--)");
}

#[test]
fn deep_labels_are_only_long() {
    let label = format!("{}0{}", "!(".repeat(100_000), ")".repeat(100_000));
    let text = format!(
        "HOA: v1 States: 1 Start: 0 AP: 1 \"p\" Acceptance: 0 t --BODY-- State: 0 [{label}] 0 --END--"
    );
    let automaton = read_hoa(&text, &["p"], &Budget::unlimited()).unwrap();
    assert_eq!(automaton.edges().len(), 1);
}

#[test]
fn formulas_for_other_translators() {
    let text = |formula: &str| ltl_text(&polish(formula), &Budget::unlimited()).unwrap();
    assert_eq!(text("G > p0 F p1"), "G((p0) -> (F(p1)))");
    assert_eq!(text("U ! p0 W X t R f p10"), "(!(p0)) U ((X(1)) W ((0) R (p10)))");
}
