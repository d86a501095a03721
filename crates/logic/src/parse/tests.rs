//! What formula text means, and what is said about text that means nothing.

use super::*;

/// Checks how a formula reads, by how it is printed.
fn check(text: &str, expected: &str) {
    match parse_formula(text) {
        Ok(parsed) => {
            assert_eq!(parsed.formula.to_string(), expected, "{text}");
            let again = parse_formula(expected).map(|again| again.formula);
            assert_eq!(again.as_ref(), Ok(&parsed.formula), "{text} was printed as {expected}");
            for (id, _) in parsed.formula.subformulas() {
                let span = parsed.span(id);
                assert!(
                    span.start < span.end && text.get(span.start..span.end).is_some(),
                    "{text}: {span:?}"
                );
            }
        }
        Err(errors) => panic!("{text}: {errors:?}"),
    }
}

/// Checks errors: the text that each points at, and how its message begins.
fn check_errors(text: &str, expected: &[(&str, &str)]) {
    let errors = parse_formula(text).expect_err(text);
    let found: Vec<_> = errors
        .iter()
        .map(|error| (&text[error.span.start..error.span.end], error.message.as_str()))
        .collect();
    let matches = found.len() == expected.len()
        && found
            .iter()
            .zip(expected)
            .all(|(found, expected)| found.0 == expected.0 && found.1.starts_with(expected.1));
    assert!(matches, "{text}: found {found:#?}, expected {expected:#?}");
}

#[test]
fn operators_and_their_strength() {
    check("AG p -> q", "(AG p) -> q");
    check("AG (p -> q)", "AG (p -> q)");
    check("(AG p) -> q", "(AG p) -> q");
    check("AG p -> EF q", "AG p -> EF q");
    check("!AG p | q", "(!AG p) | q");
    check("r & AG p | q", "(r & AG p) | q");
    check("AG (p & r) | q", "AG (p & r) | q");
    check("q | AG p", "q | AG p");
    check("p -> q -> r", "p -> q -> r");
    check("(p -> q) -> r", "(p -> q) -> r");
    check("p <-> q -> r | s & !t", "p <-> q -> r | s & !t");
    check("p & (q | r)", "p & (q | r)");
    check("p & q & r", "p & q & r");
    check("p & (q & r)", "p & (q & r)");
    check("not p and q or r", "!p & q | r");
    check("p && q || r => s <=> t", "p & q | r -> s <-> t");
    check("¬p ∧ q ∨ r → s ↔ t", "!p & q | r -> s <-> t");
    check("!!p", "!!p");
    check("true & false | deadlock", "true & false | deadlock");
    check("AG EF EX AX AF EG p", "AG EF EX AX AF EG p");
}

#[test]
fn paths() {
    check("A[p U q]", "A[p U q]");
    check("E (p U q)", "E[p U q]");
    check("A[p & q U r | s]", "A[p & q U r | s]");
    check("A ((p & q) U (r | s))", "A[p & q U r | s]");
    check("A[p U q U r]", "A[p U q U r]");
    check("A[(p U q) U r]", "A[(p U q) U r]");
    check("A[p U q & r U s]", "A[p U q & r U s]");
    check("E[p W q] & A[p R q]", "E[p W q] & A[p R q]");
    check("A (G F p)", "A (G F p)");
    check("A G F p", "A (G F p)");
    check("E (p & X q)", "E (p & X q)");
    check("E(F p & G !q)", "E (F p & G !q)");
    check("A (X p U q)", "A[X p U q]");
    check("A (G (p -> (q U r)))", "A (G (p -> (q U r)))");
    check("A[(E p) U q]", "A[(E p) U q]");
    check("E (p) U q", "A[(E p) U q]");
    check("A[p]", "A p");
    check("A[A[p U q] U r]", "A[A[p U q] U r]");
    check("A A[p U q]", "A A[p U q]");
}

#[test]
fn paths_alone_are_read_with_a_quantifier() {
    check("G F p", "A (G F p)");
    check("p U q", "A[p U q]");
    check("F p -> G q", "A (F p -> G q)");
    check("X X p", "A (X X p)");
    check("p & EF q", "p & EF q");
}

#[test]
fn comparisons() {
    check("critical_1 + 2*critical_2 - 1 <= 1", "critical_1 + 2*critical_2 - 1 <= 1");
    check("AG critical_1 + critical_2 <= 1", "AG critical_1 + critical_2 <= 1");
    check("a==1 & b<>2 & c!=3 & d>=4 & e>5 & f<6", "a = 1 & b != 2 & c != 3 & d >= 4 & e > 5 & f < 6");
    check("a ≤ b ∧ c ≥ d ∧ e ≠ f", "a <= b & c >= d & e != f");
    check("(a + b) * 2 = c*3", "2*a + 2*b = 3*c");
    check("a - (b - (c - 1)) < -3", "a - b + c - 1 < -3");
    check("-a = - - 3", "-a = 3");
    check("1 + 1 = a + 2 - 2", "2 = a");
    check("!a = 1", "!(a = 1)");
    check("AG !a >= 2", "AG !(a >= 2)");
    check("!!a = 1", "!!(a = 1)");
    check("a =< 2", "a <= 2");
    check("X (-a = 1)", "AX (-a = 1)");
    check("(a) = (((1)))", "a = 1");
    check("3 <= 4", "3 <= 4");
    check("agent.state = agent.other", "agent.state = agent.other");
}

#[test]
fn names() {
    check("\"place 1\" = 1 & \"a\\\"b\"", "\"place 1\" = 1 & \"a\\\"b\"");
    check("\"AG\" & \"true\" & \"plain\"", "\"AG\" & \"true\" & plain");
    check("X = 1 & F", "\"X\" = 1 & \"F\"");
    check("X X", "AX \"X\"");
    check("X U X", "A[\"X\" U \"X\"]");
    check("F U", "AF \"U\"");
    check("A <= E", "\"A\" <= \"E\"");
    check("A + E - G <= K*2", "\"A\" + \"E\" - \"G\" <= 2*\"K\"");
    check("K & O & W & R", "\"K\" & \"O\" & \"W\" & \"R\"");
    check("U U U", "A[\"U\" U \"U\"]");
    check("AG AG", "AG \"AG\"");
    check("EF deadlock & fireable", "(EF deadlock) & \"fireable\"");
    check("fireable(t) | fireable(U, \"t 2\", AG)", "fireable(t) | fireable(\"U\", \"t 2\", \"AG\")");
    check("fireable(t(x=1, y = c2), u)", "fireable(t(x=1,y=c2), u)");
    check("fireable(\"t(x=1,y=c2)\")", "fireable(t(x=1,y=c2))");
    check("größe.1 = 1", "größe.1 = 1");
}

/// A place and a colour are one name, whose index follows at once.
#[test]
fn names_with_an_index() {
    check("EF p[c1, s2] > 1", "EF p[c1,s2] > 1");
    check("p[1] + 2*p[2] <= \"q\"[-3]", "p[1] + 2*p[2] <= q[-3]");
    check("A[p[1] U q[2]]", "A[p[1] U q[2]]");
    check("E[ p[1] U q ] & p[a]", "E[p[1] U q] & p[a]");
    check("\"A\"[1]", "\"A[1]\"");
    check("\"p[1]\" & \"a b\"[x]", "p[1] & \"a b[x]\"");
    check_errors(
        "p [1]",
        &[("[", "found `[`, expected an operator"), ("[", "found `[`, expected a formula")],
    );
    check_errors("fireable(t(x))", &[("(x)", "found `(x)` behind a name, expected a binding")]);
}

#[test]
fn knowledge_and_strategies() {
    check("K(agent, p & q)", "K(agent, p & q)");
    check("GK(g, p) & GCK(g, p) & DK(g, p) & O(a, p)", "GK(g, p) & GCK(g, p) & DK(g, p) & O(a, p)");
    check("AG K(\"agent 1\", EF p)", "AG K(\"agent 1\", EF p)");
    check("<g> X p", "<g> X p");
    check("<g> F p & <h> G q", "<g> F p & <h> G q");
    check("<g> (p U q)", "<g> (p U q)");
    check("<g>[p & r U q]", "<g> ((p & r) U q)");
    check("AG <g> F p", "AG <g> F p");
    check("F <g> F p", "AF <g> F p");
    check("F < g", "\"F\" < g");
    check("K(a, K(b, p))", "K(a, K(b, p))");
}

#[test]
fn operators_of_other_tools_mean_what_they_mean_there() {
    check("E<> c = 1 && d = 1", "EF (c = 1 & d = 1)");
    check("A[] c =< 1", "AG c <= 1");
    check("A[] (p -> q)", "AG (p -> q)");
    check("E<>(p)", "EF p");
    check("E[] p | q", "EG (p | q)");
    check("A<> p", "AF p");
    check("r & E<> p -> q", "r & EF (p -> q)");
    check("(E<> p) -> q", "(EF p) -> q");
    check("!E<> p", "!EF p");
    check("A[p U q]", "A[p U q]");
    // A place that is called E can still be compared.
    check("E <> p", "\"E\" != p");
    check("E<>1", "\"E\" != 1");
    check("E<>x", "\"E\" != x");
    check("<<g>> F p", "<g> F p");
    check("AG <<g>> F p", "AG <g> F p");
    check("AG (p -> << \"a b\" >> G q)", "AG (p -> <\"a b\"> G q)");
    check_errors("<<a, b>> F p", &[(",", "found `,`, expected `>` after the group")]);
    check_errors("<<g> F p", &[("F", "found `F`, expected a second `>`")]);
}

#[test]
fn parts_of_copies_are_names() {
    check("p[1].pc = crit", "\"p[1].pc\" = crit");
    check("AG !(p[1].at = c & p[ 2 ].at = c)", "AG !(\"p[1].at\" = c & \"p[2].at\" = c)");
    check("x[0][1] + y[2].z[3] > 0", "\"x[0][1]\" + \"y[2].z[3]\" > 0");
    check("EF fireable(p[1].go)", "EF fireable(\"p[1].go\")");
}

#[test]
fn mistakes_are_pointed_at() {
    check_errors("", &[("", "the formula is empty")]);
    check_errors("  ", &[("", "the formula is empty")]);
    check_errors("AG (p & q", &[("(", "this `(` is never closed")]);
    check_errors("A[p U (q]", &[("[", "this `[` is never closed"), ("]", "found `]`")]);
    check_errors("p & q)", &[(")", "this `)` closes nothing")]);
    check_errors("p &", &[("", "found the end of the formula, expected a formula")]);
    check_errors("& p", &[("&", "found `&`, expected a formula")]);
    check_errors("()", &[(")", "found `)`, expected a formula")]);
    check_errors("p q r", &[("q", "found `q`, expected an operator")]);
    check_errors("p AND q", &[("AND", "found `AND`, expected an operator")]);
    check_errors("p + 1 & q", &[("p + 1", "`p + 1` is a number, expected a statement")]);
    check_errors("AG (p + 1)", &[("(p + 1)", "`(p + 1)` is a number, expected a statement")]);
    check_errors("p = (q & r)", &[("(q & r)", "`(q & r)` is a statement, expected a number")]);
    check_errors("0 < p < 3", &[("0 < p", "`0 < p` is a statement, expected a number")]);
    check_errors("p * q = 1", &[("*", "one side of a product must be a number")]);
    check_errors("p = 99999999999999999999", &[("99999999999999999999", "the number 9999")]);
    check_errors("p = 9223372036854775807 * 2", &[("*", "the number that this makes is too large")]);
    check_errors("1p = 2", &[("1p", "`1p` is neither a number nor a plain name")]);
    check_errors("\"p", &[("\"", "this quote is never closed")]);
    check_errors("p # q", &[("#", "`#` means nothing in a formula"), ("q", "found `q`")]);
    check_errors("p & q U r", &[("&", "`&` beside `U`")]);
    check_errors("E p U q", &[("E p", "`E p U q` can be read in two ways")]);
    check_errors("K(p)", &[("K", "`K` speaks about two things")]);
    check_errors("K(a, F p)", &[("F p", "this speaks about a path")]);
    check_errors("fireable()", &[(")", "found `)` in fireable(…), expected a name")]);
    check_errors("fireable(t", &[("", "found the end of the formula in fireable(…)")]);
    check_errors("[p]", &[("[", "found `[`, expected a formula")]);
    check_errors("<3> F p", &[("<", "found `<` and then `3`")]);
    check_errors("p, q", &[(",", "found `,`, expected an operator")]);
    check_errors("A[p U q)", &[(")", "found `)`, which does not close the `[` before it")]);
}

#[test]
fn words_of_other_languages_get_a_hint() {
    let check = |text: &str, says: &str| {
        let errors = parse_formula(text).expect_err(text);
        let hints: Vec<_> = errors.iter().filter_map(|error| error.hint.as_deref()).collect();
        assert!(errors.len() == 1 && hints.iter().any(|hint| hint.contains(says)), "{text}: {errors:?}");
    };
    check("always p", "write AG p");
    check("Globally (p & q)", "write AG p");
    check("eventually p", "write AF p if it is so on every path, EF p");
    check("never (p)", "write AG !p");
    check("p & always q", "write AG p");
    check("ag p", "in capitals: AG");
    check("NOT p", "write ! or not");
    check("p AND q", "did you mean `&`?");
    check("p until q", "did you mean `U`?");
    check("p implies q", "did you mean `->`?");
    check("[] p", "write AG p");
    check("<> p", "write AF p");
    check("p -> <> q", "write AF p");
    check("my place = 1", "in quotes");
    assert_eq!(meant_by_name("TRUE").as_deref(), Some("did you mean true?"));
    assert_eq!(meant_by_name("True").as_deref(), Some("did you mean true?"));
    assert!(meant_by_name("AG").is_some_and(|hint| hint.contains("AG p")));
    assert_eq!(meant_by_name("critical_1"), None);
}

#[test]
fn one_run_shows_several_mistakes() {
    check_errors(
        "(p + 1) & (q &) | AG (r",
        &[
            ("(p + 1)", "`(p + 1)` is a number"),
            (")", "found `)`, expected a formula"),
            ("(", "this `(` is never closed"),
        ],
    );
    let errors = parse_formula(&"& ".repeat(1000)).expect_err("nothing between the signs");
    assert_eq!(errors.len(), LARGEST_ERROR_COUNT);
    let errors = parse_formula(&"# ".repeat(1000)).expect_err("no token at all");
    assert_eq!(errors.len(), LARGEST_ERROR_COUNT);
    let errors = parse_formula(&"(".repeat(1_000_000)).expect_err("nothing is closed");
    assert_eq!(errors.len(), 2);
}

#[test]
fn spans_point_at_parts() {
    let text = "AG (critical_1 = 1 -> F p)";
    let parsed = parse_formula(text).expect("right");
    let parts: Vec<_> = parsed.spans.iter().map(|span| &text[span.start..span.end]).collect();
    let whole = "AG (critical_1 = 1 -> F p)";
    assert_eq!(parts, ["critical_1 = 1", "p", "F p", "critical_1 = 1 -> F p", whole, whole]);
    let names: Vec<_> = parsed.formula.atoms().flat_map(|atom| atom.names()).map(|name| name.span).collect();
    assert_eq!(names, [Span::new(4, 14), Span::new(24, 25)]);
}

/// Depth and length cost neither stack nor more than they should.
#[test]
fn enormous_formulas() {
    let check = |text: String| {
        let parsed = parse_formula(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let printed = parsed.formula.to_string();
        let again = parse_formula(&printed).unwrap_or_else(|errors| panic!("{errors:?}"));
        assert_eq!(again.formula, parsed.formula);
    };
    check(format!("{}p{}", "(".repeat(1_000_000), ")".repeat(1_000_000)));
    let n = 10_000;
    check(format!("{}p", "!".repeat(n)));
    check(format!("{}p", "AX ".repeat(n)));
    check(format!("{}p", "p -> ".repeat(n)));
    check(format!("A[{}p]", "p U ".repeat(n)));
    check(format!("{}p", "p U ".repeat(n)));
    check(format!("p{}", " & p".repeat(n)));
    check(format!("{}p{}", "(p & ".repeat(n), ")".repeat(n)));
    check(format!("{}p{}", "E[p U ".repeat(n), "]".repeat(n)));
    check(format!("{}p{}", "K(a, ".repeat(n), ")".repeat(n)));
    check(format!("p{} = 1", " + p".repeat(n)));
    check(format!("{}p{} = 1", "p - (".repeat(n), ")".repeat(n)));
    check(format!("{}p = 1", "-".repeat(n)));
    check(format!("fireable(t{})", ", t".repeat(n)));
}

#[test]
fn formulas_without_a_quantifier_are_linear() {
    let check = |text: &str, is_linear: bool, printed: &str| {
        let parsed = parse_formula(text).expect(text);
        assert_eq!(parsed.is_linear, is_linear, "{text}");
        assert_eq!(parsed.text(), printed);
        let again = parse_formula(printed).expect(printed);
        assert_eq!(again.formula, parsed.formula, "{text} was printed as {printed}");
    };
    check("X p", true, "X p");
    check("G p", true, "G p");
    check("p U q", true, "p U q");
    check("X X p", true, "A (X X p)");
    check("AX p", false, "AX p");
    check("A (X p)", false, "AX p");
    check("EF p", false, "EF p");
    check("p & q", false, "p & q");
    check("X p | EF q", false, "A (X p | EF q)");
}

#[test]
fn operators_that_seem_to_reach_further_are_warned_of() {
    let check = |text: &str, expected: Option<(&str, &str)>| {
        let parsed = parse_formula(text).expect(text);
        let found: Vec<_> =
            parsed.warnings.iter().map(|one| (one.message.as_str(), one.hint.as_deref())).collect();
        match expected {
            None => assert_eq!(found, [], "{text}"),
            Some((read, meant)) => {
                let message = format!("this is read as {read}");
                let hint = format!("write {meant} if that is meant; brackets end this warning");
                assert_eq!(found, [(message.as_str(), Some(hint.as_str()))], "{text}");
            }
        }
    };
    check("AG a=0 or b=0", Some(("(AG a=0) or b=0", "AG (a=0 or b=0)")));
    check("AG a -> !b", Some(("(AG a) -> !b", "AG (a -> !b)")));
    check("G a -> !b", Some(("(G a) -> !b", "G (a -> !b)")));
    check("G F a | b", Some(("(G F a) | b", "G F (a | b)")));
    check("!EF a & b", Some(("(!EF a) & b", "!EF (a & b)")));
    check("(AG a) | b", None);
    check("AG (a) | b", None);
    check("AG a | AG b", None);
    check("b | AG a", None);
    check("AG (AF a -> b)", None);
    check("a & b | c", None);
}
