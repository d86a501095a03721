//! What is found symmetric is symmetric, on real nets as expected, and on random ones as the
//! unfolded net says.

mod corpus;
mod unfolded;

use symbolon_budget::Budget;
use symbolon_coloured::families::generate;
use symbolon_coloured::text::read_text;
use symbolon_coloured::{ClassId, Net};
use symbolon_symmetry::{Kind, Symmetry, find_symmetry};

fn symmetry(net: &Net) -> Symmetry {
    find_symmetry(net, &[], &Budget::unlimited()).expect("unlimited")
}

/// The symmetry in short: per class its name and `rotating`, `fixed`, or the sizes of its
/// subclasses; classes with one member are left out.
fn short(net: &Net, symmetry: &Symmetry) -> String {
    let mut words = Vec::new();
    for (class, found) in net.classes.iter().zip(&symmetry.classes) {
        let kind = match &found.kind {
            _ if class.size() == 1 => continue,
            Kind::Rotating => "rotating".to_string(),
            Kind::Fixed => "fixed".to_string(),
            Kind::Free(subclasses) => {
                let mut sizes: Vec<u64> = subclasses.iter().map(|subclass| subclass.size()).collect();
                sizes.sort_unstable_by(|a, b| b.cmp(a));
                let mut runs: Vec<String> = Vec::new();
                for run in sizes.chunk_by(|a, b| a == b) {
                    runs.push(match run.len() {
                        1 => run[0].to_string(),
                        count => format!("{count}x{}", run[0]),
                    });
                }
                runs.join("+")
            }
        };
        words.push(format!("{} {kind}", class.name()));
    }
    words.join(", ")
}

fn net(text: &str) -> Net {
    read_text(text.as_bytes(), &Budget::unlimited()).unwrap_or_else(|error| panic!("{error:?}")).net
}

/// Checks what is found, and the reasons.
fn check(text: &str, expected: &str, reasons: &[&str]) {
    let net = net(text);
    let symmetry = symmetry(&net);
    assert_eq!(short(&net, &symmetry), expected, "{text}");
    let found: Vec<String> =
        symmetry.classes.iter().flat_map(|class| &class.reasons).map(|reason| reason.text(&net)).collect();
    assert_eq!(found, reasons, "{text}");
}

#[test]
fn constructs_split_classes_and_are_named() {
    let class = "class C = cyclic 1..6\nvar x, y: C\nplace p: C = all\nplace q: C x C\n";
    let case = |rest: &str, expected: &str, reasons: &[&str]| {
        check(&format!("{class}{rest}"), expected, reasons);
    };
    case("transition t [x != y]: take p(x) put p(y)", "C 6", &[]);
    case(
        "transition t [x = 1 | x = 3]: take p(x)",
        "C 4+2",
        &["the guard of transition 't' tests 'x = 1 | x = 3'"],
    );
    case("transition t [x <= 2]: take p(x)", "C 4+2", &["the guard of transition 't' tests 'x <= 2'"]);
    case("transition t [x++ = x--]: take p(x)", "C 6", &[]);
    case("transition t [x++ <= 2]: take p(x)", "C 4+2", &["the guard of transition 't' tests 'x++ <= 2'"]);
    case(
        "transition t [x < y]: take p(x + y)",
        "C fixed",
        &["the guard of transition 't' compares by order: 'x < y'"],
    );
    case("transition t [x++ = y++]: take p(x + y)", "C 6", &[]);
    case(
        "transition t [x++ = y]: take p(x + y)",
        "C rotating",
        &["the guard of transition 't' uses successors: 'x++ = y'"],
    );
    case(
        "transition t: take p(x + x++)",
        "C rotating",
        &["an arc between transition 't' and place 'p' uses successors: 'x + x++'"],
    );
    case(
        "transition t: take p(x) put p(x++)\ntransition u: take p(1)",
        "C fixed",
        &[
            "an arc between transition 't' and place 'p' uses successors: 'x++'",
            "an arc between transition 'u' and place 'p' names members: '1'",
        ],
    );
    // Sums over (nearly) whole classes are `all`, and a sum of two is a set of two.
    case("transition t: take p(1 + 2 + 3 + 4 + 5 + 6)", "C 6", &[]);
    case(
        "transition t: take p(2 + 3 + 4 + 5 + 6)",
        "C 5+1",
        &["an arc between transition 't' and place 'p' names members: 'all - 1'"],
    );
    case(
        "transition t: take p(1 + 2)",
        "C 4+2",
        &["an arc between transition 't' and place 'p' names members: '1 + 2'"],
    );
    case(
        "transition t: put q(x, 1 + 2)",
        "C 4+2",
        &["an arc between transition 't' and place 'q' names members: '(x, 1 + 2)'"],
    );
    // One transition for each of two members tells them apart.
    case(
        "transition t: take p(1)\ntransition u: take p(2)",
        "C 4+2x1",
        &[
            "an arc between transition 't' and place 'p' names members: '1'",
            "an arc between transition 'u' and place 'p' names members: '2'",
        ],
    );
}

#[test]
fn initial_tokens_split_classes() {
    let class = "class C = {a, b, c, d}\nclass S = {s, t, u}\nvar x: C\n";
    let case = |rest: &str, expected: &str, reasons: &[&str]| {
        check(&format!("{class}{rest}"), expected, reasons);
    };
    case("place p: C = a + b", "C 2x2, S 3", &["the initial tokens of place 'p' differ"]);
    case("place p: C x C = all - ((a,a) + (b,b) + (c,c) + (d,d))", "C 4, S 3", &[]);
    // Swapping a and b fixes the place, swapping a and c does not: the cells do not show it.
    case(
        "place p: C x C = (a,b) + (b,a) + (c,d) + (d,c)",
        "C 2x2, S 3",
        &["the initial tokens of place 'p' differ"],
    );
    case(
        "place p: C x C = (a,b) + (b,c) + (c,d) + (d,a)",
        "C rotating, S 3",
        &["the initial tokens of place 'p' differ"],
    );
    // A bijection: neither class can be permuted alone.
    case(
        "place p: C x S = (a,s) + (b,t) + (c,u)",
        "C fixed, S fixed",
        &["the initial tokens of place 'p' differ", "the initial tokens of place 'p' differ"],
    );
    // Swapping a and b maps pairs to pairs, but not with the same multiplicities.
    case(
        "place p: C x S = (a,s) + 2*(a,t) + 2*(b,s) + (b,t)",
        "C 2+2x1, S fixed",
        &["the initial tokens of place 'p' differ", "the initial tokens of place 'p' differ"],
    );
    case(
        "place p: C x S = (a,s) + (b,s) + 2*(c,t)",
        "C 2+2x1, S fixed",
        &["the initial tokens of place 'p' differ", "the initial tokens of place 'p' differ"],
    );
}

#[test]
fn members_in_a_question_stand_alone() {
    let net = generate("client-server:4,3", &Budget::unlimited()).expect("a family");
    assert_eq!(short(&net, &symmetry(&net)), "Client 4, Server 3");
    let apart = [(ClassId(0), 2), (ClassId(0), 2), (ClassId(1), 0)];
    let found = find_symmetry(&net, &apart, &Budget::unlimited()).expect("unlimited");
    assert_eq!(short(&net, &found), "Client 3+1, Server 2+1");
    let reasons: Vec<String> = found.classes[0].reasons.iter().map(|reason| reason.text(&net)).collect();
    assert_eq!(reasons, ["the question speaks of 'c3'"]);
    assert_eq!(found.of(ClassId(0)).subclass_of_members(4), [0, 0, 1, 0]);
    assert!(found.is_useful() && found.has_free_class());
}

#[test]
fn large_families_cost_nothing() {
    for (name, expected) in [
        ("client-server:100000,100000", "Client 100000, Server 100000"),
        ("distributed-db:2000,pairs", "Site 2000"),
        ("distributed-db:100000", "Site 100000"),
        ("cs-wave:100000", "Process 99999+1"),
        ("peterson-coloured:1000", "Process 1000, Level fixed"),
    ] {
        let net = generate(name, &Budget::unlimited()).expect("a family");
        assert_eq!(short(&net, &symmetry(&net)), expected, "{name}");
    }
}
