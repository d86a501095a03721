//! What the PNML reader says about wrong input, and what it makes of right input.

use insta::assert_snapshot;
use std::fmt::Write;
use symbolon_budget::{Budget, Interrupted};
use symbolon_coloured::read::{Reading, is_coloured_pnml, read_pnml};
use symbolon_coloured::{Arc, Guard, MemberTerm, Members, MultisetTerm, Net, PartTerm, Relation, VariableId};
use symbolon_petri::{Diagnostic, ReadFailure, Severity};

/// A document around declarations and the content of a page.
fn document(declarations: &str, page: &str) -> String {
    format!(
        r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
<net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
<page id="g">
{page}
</page>
<declaration><structure><declarations>
{declarations}
</declarations></structure></declaration>
</net></pnml>"#
    )
}

/// Two enumerations, a range, a product, a partition, and variables.
const DECLARATIONS: &str = r#"<variabledecl id="x" name="x"><usersort declaration="A"/></variabledecl>
<variabledecl id="y" name="y"><usersort declaration="B"/></variabledecl>
<variabledecl id="i" name="i"><usersort declaration="R"/></variabledecl>
<variabledecl id="pair" name="pair"><usersort declaration="AB"/></variabledecl>
<namedsort id="AB" name="A times B"><productsort><usersort declaration="A"/><usersort declaration="B"/></productsort></namedsort>
<namedsort id="A" name="A"><cyclicenumeration><feconstant id="a1" name="1"/><feconstant id="a2" name="2"/><feconstant id="a3" name="3"/></cyclicenumeration></namedsort>
<namedsort id="B" name="B"><finiteenumeration><feconstant id="b1" name="1"/><feconstant id="b2" name="2"/></finiteenumeration></namedsort>
<namedsort id="R" name="R"><finiteintrange start="-1" end="2"/></namedsort>
<partition id="halves" name="halves"><usersort declaration="A"/><partitionelement id="low" name="low"><useroperator declaration="a1"/><useroperator declaration="a2"/></partitionelement><partitionelement id="high" name="high"><useroperator declaration="a3"/></partitionelement></partition>"#;

/// A place with a type and perhaps a marking.
fn place(id: &str, sort: &str, marking: &str) -> String {
    let marking = match marking {
        "" => String::new(),
        term => {
            format!("<hlinitialMarking><text>anything</text><structure>{term}</structure></hlinitialMarking>")
        }
    };
    format!("<place id=\"{id}\"><type><structure>{sort}</structure></type>{marking}</place>")
}

fn sort(id: &str) -> String {
    format!("<usersort declaration=\"{id}\"/>")
}

fn arc(source: &str, target: &str, term: &str) -> String {
    format!(
        "<arc id=\"{source}-{target}\" source=\"{source}\" target=\"{target}\"><hlinscription><structure>{term}</structure></hlinscription></arc>"
    )
}

fn transition(condition: &str) -> String {
    format!("<transition id=\"t\"><condition><structure>{condition}</structure></condition></transition>")
}

/// An operator with operands.
fn term(operator: &str, operands: &[&str]) -> String {
    let operands: String = operands.iter().map(|operand| format!("<subterm>{operand}</subterm>")).collect();
    format!("<{operator}>{operands}</{operator}>")
}

fn user(id: &str) -> String {
    format!("<useroperator declaration=\"{id}\"/>")
}

fn variable(id: &str) -> String {
    format!("<variable refvariable=\"{id}\"/>")
}

/// All diagnostics, one a line.
fn lines(diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let severity = if diagnostic.severity == Severity::Warning { "warning" } else { "error" };
        let position = match (diagnostic.line, diagnostic.column) {
            (Some(line), Some(column)) => format!(" {line}:{column}"),
            _ => String::new(),
        };
        writeln!(out, "{severity}{position}: {}", diagnostic.message).expect("a string");
        if let Some(hint) = &diagnostic.hint {
            writeln!(out, "  hint: {hint}").expect("a string");
        }
        assert!(!diagnostic.message.ends_with('.'), "{}", diagnostic.message);
    }
    out
}

/// What the reader says about input that is wrong.
fn refuse(text: &str) -> String {
    match read_pnml(text.as_bytes(), &Budget::unlimited()) {
        Ok(reading) => panic!("it was read: {:?}", reading.net),
        Err(ReadFailure::Invalid(error)) => lines(&error.diagnostics),
        Err(ReadFailure::Interrupted(reason)) => panic!("unlimited, yet {reason}"),
    }
}

fn read(text: &str) -> Net {
    match read_pnml(text.as_bytes(), &Budget::unlimited()) {
        Ok(Reading { net, warnings }) => {
            assert_eq!(warnings, []);
            assert_eq!(net.check(), Ok(()));
            net
        }
        Err(ReadFailure::Invalid(error)) => panic!("{}", lines(&error.diagnostics)),
        Err(ReadFailure::Interrupted(reason)) => panic!("unlimited, yet {reason}"),
    }
}

#[test]
fn declarations_come_in_any_order_and_products_are_flat() {
    let nested = format!(
        "{DECLARATIONS}\n<namedsort id=\"N\" name=\"N\"><productsort><usersort declaration=\"AB\"/><usersort declaration=\"R\"/></productsort></namedsort>"
    );
    let marking = term(
        "tuple",
        &[
            &term(
                "tuple",
                &[&term("add", &[&user("low"), &user("a3")]), "<all><usersort declaration=\"B\"/></all>"],
            ),
            "<finiteintrangeconstant value=\"-1\"><finiteintrange start=\"-1\" end=\"2\"/></finiteintrangeconstant>",
        ],
    );
    let net = read(&document(&nested, &place("p", &sort("N"), &marking)));
    assert_eq!(net.places[0].domain.0.len(), 3);
    let MultisetTerm::Tuple(components) = &net.places[0].initial else {
        panic!("{:?}", net.places[0].initial)
    };
    assert_eq!(components.len(), 3);
    assert!(matches!(net.classes[0].members, Members::Cyclic(_)));
    assert_eq!(net.classes[0].constants()[1].name(), "2");
    let products: Vec<&str> = net.products.iter().map(|product| &*product.id).collect();
    assert_eq!(products, ["AB", "N"]);
    // A variable of a product is one per factor.
    let variables: Vec<&str> = net.variables.iter().map(|variable| &*variable.id).collect();
    assert_eq!(variables, ["x", "y", "i", "pair.1", "pair.2"]);
}

#[test]
fn arcs_of_all_kinds_and_guards_are_read() {
    let guard = term(
        "and",
        &[
            &term("equality", &[&variable("x"), &user("high")]),
            &term(
                "imply",
                &[
                    &term(
                        "lessthan",
                        &[
                            "<finiteintrangeconstant value=\"0\"><finiteintrange start=\"-1\" end=\"2\"/></finiteintrangeconstant>",
                            &variable("i"),
                        ],
                    ),
                    &term(
                        "not",
                        &[&term("inequality", &[&term("successor", &[&variable("x")]), &user("a1")])],
                    ),
                ],
            ),
            &term("equality", &[&variable("pair"), &term("tuple", &[&variable("x"), &user("b2")])]),
        ],
    );
    let typed = |kind: &str| {
        format!(
            "<arc id=\"{kind}\" source=\"p\" target=\"t\"><type value=\"{kind}\"/><hlinscription><structure>{}</structure></hlinscription></arc>",
            variable("x")
        )
    };
    let page = [
        place("p", &sort("A"), ""),
        place("black", "<dot/>", "<dotconstant/>"),
        transition(&guard),
        arc(
            "p",
            "t",
            &term(
                "subtract",
                &[
                    &term(
                        "numberof",
                        &[
                            "<numberconstant value=\"2\"><positive/></numberconstant>",
                            "<all><usersort declaration=\"halves\"/></all>",
                        ],
                    ),
                    &term("predecessor", &[&variable("x")]),
                ],
            ),
        ),
        "<arc id=\"plain\" source=\"t\" target=\"black\"/>".to_string(),
        "<arc id=\"empties\" source=\"black\" target=\"t\"><type value=\"reset\"/></arc>".to_string(),
        typed("inhibitor"),
        typed("test"),
    ]
    .concat();
    let net = read(&document(DECLARATIONS, &page));
    let kinds: Vec<u8> = net.transitions[0].arcs.iter().map(|arc| arc.position().1).collect();
    assert_eq!(kinds, [0, 1, 2, 3, 4]);
    assert!(matches!(&net.transitions[0].arcs[3], Arc::Reset { tokens: MultisetTerm::All(_), .. }));
    let Guard::And(guards) = &net.transitions[0].guard else { panic!("{:?}", net.transitions[0].guard) };
    assert!(matches!(
        guards[0],
        Guard::CompareParts {
            left: PartTerm::Of(_),
            relation: Relation::Equal,
            right: PartTerm::Part(1),
            ..
        }
    ));
    assert!(matches!(&guards[2], Guard::And(both) if both.len() == 2));
}

#[test]
fn unknown_and_misplaced_colours_are_named() {
    let page = [
        place("p", &sort("AB"), &term("tuple", &[&user("a7"), &user("b1")])),
        "\n".to_string(),
        place("q", &sort("A"), &user("b1")),
        "\n".to_string(),
        place("r", &sort("AB"), &user("a1")),
        "\n".to_string(),
        place("s", &sort("AB"), &term("tuple", &[&user("a1"), &user("b1"), &user("b2")])),
        "\n".to_string(),
        place("u", &sort("R"), "<finiteintrangeconstant value=\"3\"><finiteintrange start=\"-1\" end=\"2\"/></finiteintrangeconstant>"),
        "\n".to_string(),
        place("v", &sort("A"), &variable("x")),
    ]
    .concat();
    assert_snapshot!(refuse(&document(DECLARATIONS, &page)), @r#"
    error 4:145: unknown colour "a7"
      hint: declare it by <feconstant>
    error 5:128: found a colour of B, expected one of A
    error 6:129: found a colour of A, expected one of A x B
    error 7:129: the tuple has 3 components, expected 2: A x B
    error 8:128: unknown colour 3: the range goes from -1 to 2
    error 9:128: variable "x" in the initial marking of "v"
      hint: markings are made of constants
    "#);
}

#[test]
fn near_misses_get_a_hint() {
    let marking = |colour: &str| refuse(&document(DECLARATIONS, &place("p", &sort("A"), &user(colour))));
    assert_snapshot!(marking("3"), @r#"
    error 4:128: unknown colour "3"
      hint: that is a name; the id of this constant is "a3"
    "#);
    assert_snapshot!(marking("hihg"), @r#"
    error 4:128: unknown colour "hihg"
      hint: did you mean "high"?
    "#);
    let page = [
        place("p", &sort("A"), ""),
        "<transition id=\"t\"/>\n".to_string(),
        "<arc source=\"p\" target=\"t\"/>".to_string(),
    ];
    assert_snapshot!(refuse(&document(DECLARATIONS, &page.concat())), @r#"
    error 5:1: the arc at place "p" has no <hlinscription>
      hint: expected colours of A
    "#);
}

#[test]
fn wrong_guards_are_explained() {
    let page = [
        transition(&term("equality", &[&variable("z"), &user("a1")])),
        "\n".to_string(),
        transition(&term("equality", &[&variable("x"), &variable("y")])).replace("\"t\"", "\"t2\""),
        "\n".to_string(),
        transition(&term("lessthan", &[&variable("pair"), &variable("pair")])).replace("\"t\"", "\"t3\""),
        "\n".to_string(),
        transition(&term("xor", &[&variable("x"), &variable("y")])).replace("\"t\"", "\"t4\""),
        "\n".to_string(),
        transition(&term("equality", &[&term("successor", &[&variable("y")]), &user("b1")]))
            .replace("\"t\"", "\"t5\""),
        "\n".to_string(),
        transition(&term("equality", &[&variable("y"), &user("low")])).replace("\"t\"", "\"t6\""),
    ]
    .concat();
    assert_snapshot!(refuse(&document(DECLARATIONS, &page)), @r#"
    error 4:61: variable "z" is not declared
      hint: declare it by <variabledecl>
    error 5:43: a colour of A is compared with one of B
    error 6:43: <lessthan> is not supported for tuples
      hint: tuples can be compared by <equality> and <inequality>
    error 7:43: <xor> is not supported in a guard
      hint: did you mean <or>?
    error 8:62: <successor> of class "B"
      hint: only members of cyclic enumerations and ranges have one
    error 9:43: a part of partition "halves" is compared with something else
      hint: expected another part of it, or a member of its class
    "#);
}

#[test]
fn a_class_that_is_too_large_gets_one_message() {
    let declarations =
        "<namedsort id=\"Huge\" name=\"Huge\"><finiteintrange start=\"1\" end=\"1000000000\"/></namedsort>
<variabledecl id=\"x\" name=\"x\"><usersort declaration=\"Huge\"/></variabledecl>";
    let page = [
        place("p", &sort("Huge"), "<all><usersort declaration=\"Huge\"/></all>"),
        "<transition id=\"t\"/>".to_string(),
        arc("p", "t", &variable("x")),
    ]
    .concat();
    assert_snapshot!(refuse(&document(declarations, &page)), @r#"
    error 7:34: class "Huge" has 1000000000 members, at most 1000000 are supported
      hint: choose a smaller range: each member may become a place
    "#);
}

#[test]
fn declarations_in_circles_are_named() {
    let declarations = r#"<namedsort id="A" name="A"><productsort><usersort declaration="B"/><usersort declaration="C"/></productsort></namedsort>
<namedsort id="B" name="B"><usersort declaration="A"/></namedsort>
<namedsort id="C" name="C"><dot/></namedsort>
<namedsort id="D" name="D"><usersort declaration="D"/></namedsort>
<namedsort id="E" name="E"><usersort declaration="A"/></namedsort>"#;
    let page = place("p", &sort("E"), "");
    assert_snapshot!(refuse(&document(declarations, &page)), @r#"
    error 7:1: the declarations of "A", "B" refer to each other in a circle
      hint: a sort must be made of sorts that do not contain it
    error 10:1: the declaration of "D" refers to itself
      hint: a sort must be made of sorts that do not contain it
    "#);
}

#[test]
fn what_is_not_supported_is_refused_by_name() {
    let declarations = r#"<namedsort id="N" name="N"><natural/></namedsort>
<namedsort id="L" name="L"><list/></namedsort>
<namedoperator id="f" name="f"/>
<arbitrarysort id="U" name="U"/>
<namedsort id="A" name="A"><cyclicenumeration><feconstant id="a" name="a"/></cyclicenumeration></namedsort>
<namedsort id="Odd" name="Odd"><cyclicenumeratoin/></namedsort>"#;
    let page = [
        place("p", &sort("A"), "<cardinality/>"),
        "\n<place id=\"q\"><initialMarking><text>1</text></initialMarking></place>".to_string(),
        "\n<transition id=\"t\"><delay/></transition>".to_string(),
        "\n<arc id=\"e\" source=\"p\" target=\"t\"><hlinscription><text>x</text></hlinscription></arc>"
            .to_string(),
        "\n<arc id=\"f\" source=\"p\" target=\"t\"><type value=\"transport\"/></arc>".to_string(),
    ]
    .concat();
    assert_snapshot!(refuse(&document(declarations, &page)), @r#"
    error 4:128: <cardinality> is not supported in a term
      hint: supported are <numberof>, <scalarproduct>, <add>, <subtract>, <all>, <empty>, <tuple>, <variable>, <useroperator>, <dotconstant>, <finiteintrangeconstant>, <successor>, <predecessor>
    error 5:1: place "q" has no <type>
      hint: expected <type><structure><usersort declaration="…"/></structure></type>
    error 5:15: found <initialMarking> in a coloured net
      hint: expected <hlinitialMarking>
    error 6:20: <delay> is not supported
      hint: timed nets are not supported
    error 7:35: <hlinscription> has a <text>, but nothing in a <structure>
      hint: only the <structure> of an inscription is read
    error 8:1: arc of type "transport" is not supported
      hint: known types of arcs are normal, inhibitor, test, read and reset
    error 11:28: <natural> is not supported as a sort
      hint: supported are <cyclicenumeration>, <finiteenumeration>, <finiteintrange>, <dot>, <productsort>, <usersort>
    error 12:28: <list> is not supported as a sort
      hint: supported are <cyclicenumeration>, <finiteenumeration>, <finiteintrange>, <dot>, <productsort>, <usersort>
    error 13:1: <namedoperator> is not supported in declarations
      hint: supported are <namedsort>, <partition>, <variabledecl>
    error 14:1: <arbitrarysort> is not supported in declarations
      hint: supported are <namedsort>, <partition>, <variabledecl>
    error 16:32: <cyclicenumeratoin> is not supported as a sort
      hint: did you mean <cyclicenumeration>?
    "#);
}

#[test]
fn wrong_partitions_are_explained() {
    let enumeration = r#"<namedsort id="A" name="A"><cyclicenumeration><feconstant id="a1" name="1"/><feconstant id="a2" name="2"/></cyclicenumeration></namedsort>
"#;
    let partition = |content: &str| {
        let text = format!(
            "{enumeration}<partition id=\"P\" name=\"P\"><usersort declaration=\"A\"/>{content}</partition>"
        );
        refuse(&document(&text, ""))
    };
    let part = |id: &str, member: &str| {
        format!("<partitionelement id=\"{id}\" name=\"{id}\">{}</partitionelement>", user(member))
    };
    assert_snapshot!(partition(&part("one", "a1")), @r#"
    error 8:1: "2" is in no part of partition "P"
      hint: every member of the class must be in one part
    "#);
    assert_snapshot!(partition(&[part("one", "a1"), part("two", "a1"), part("three", "a2")].concat()), @r#"error 8:182: "1" is already in a part of this partition"#);
    assert_snapshot!(partition(&part("a1", "a1")), @r#"
    error 8:1: "2" is in no part of partition "P"
      hint: every member of the class must be in one part
    error 8:55: the id "a1" of this <partitionelement> is already taken
      hint: ids of declarations must be distinct
    "#);
}

#[test]
fn other_documents_are_refused() {
    assert_snapshot!(refuse(""), @r#"
    error: the file is empty
      hint: expected a PNML document
    "#);
    assert_snapshot!(refuse("<pnml/>"), @r#"
    error: the document contains no <net>
      hint: expected type="http://www.pnml.org/version-2009/grammar/symmetricnet"
    "#);
    assert_snapshot!(refuse("<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"/></pnml>"), @r#"
    error 1:7: net type "http://www.pnml.org/version-2009/grammar/ptnet" is not that of a coloured net
      hint: expected type="http://www.pnml.org/version-2009/grammar/symmetricnet"
    "#);
    let budget = Budget::unlimited();
    assert!(!is_coloured_pnml(b"<pnml><net id=\"n\" type=\"ptnet\"/></pnml>", &budget));
    assert!(!is_coloured_pnml(b"net", &budget));
    assert!(is_coloured_pnml(document("", "").as_bytes(), &budget));
}

#[test]
fn long_chains_and_wide_products_are_no_danger() {
    // Each sort refers to the next one, and the last one is declared last.
    let mut chain = String::new();
    for number in 0..50_000 {
        let next = number + 1;
        write!(
            chain,
            "<namedsort id=\"s{number}\" name=\"s\"><usersort declaration=\"s{next}\"/></namedsort>"
        )
        .expect("a string");
    }
    chain.push_str("<namedsort id=\"s50000\" name=\"s\"><dot/></namedsort>");
    let net = read(&document(&chain, &place("p", &sort("s0"), "")));
    assert_eq!(net.places[0].domain.0.len(), 1);
    // Products that double in width.
    let mut products = "<namedsort id=\"s0\" name=\"s\"><dot/></namedsort>".to_string();
    for number in 0..60 {
        let next = number + 1;
        let one = sort(&format!("s{number}"));
        write!(
            products,
            "<namedsort id=\"s{next}\" name=\"s\"><productsort>{one}{one}</productsort></namedsort>"
        )
        .expect("a string");
    }
    let said = refuse(&document(&products, ""));
    assert!(said.contains("more than 64 factors"), "{said}");
    // A cancelled budget stops the reader.
    let budget = Budget::unlimited();
    budget.cancel();
    let stopped = read_pnml(document(&chain, "").as_bytes(), &budget);
    assert!(matches!(stopped, Err(ReadFailure::Interrupted(Interrupted::Cancelled))));
}

#[test]
fn references_and_pages_are_resolved() {
    let page = [
        place("p", &sort("A"), &user("a1")),
        "<page id=\"inner\"><referencePlace id=\"rp\" ref=\"p\"/><referenceTransition id=\"rt\" ref=\"t\"/>".to_string(),
        place("q", &sort("A"), ""),
        arc("rp", "rt", &variable("x")),
        arc("t", "q", &variable("x")),
        "</page><transition id=\"t\"><name><text>move on</text></name><graphics><position x=\"10.5\" y=\"-3\"/></graphics><toolspecific tool=\"other\" version=\"1\"><place/></toolspecific></transition>".to_string(),
    ]
    .concat();
    let net = read(&document(DECLARATIONS, &page));
    let pages: Vec<&str> = net.pages.iter().map(|page| &*page.id).collect();
    assert_eq!(pages, ["g", "inner"]);
    assert_eq!(net.places[1].page.map(|page| page.0), Some(1));
    assert_eq!(net.transitions[0].arcs.len(), 2);
    assert_eq!(net.transitions[0].label.as_deref(), Some("move on"));
    assert_eq!(net.transitions[0].position.map(|position| (position.x, position.y)), Some((105, -30)));
    let lost = page.replace("ref=\"p\"", "ref=\"pp\"");
    assert_snapshot!(refuse(&document(DECLARATIONS, &lost)), @r#"
    error 4:216: reference "rp" refers to place "pp", which does not exist
      hint: did you mean "p"?
    "#);
    let nowhere = arc("p", "nowhere", &variable("x"));
    assert_snapshot!(refuse(&document(DECLARATIONS, &format!("{}{nowhere}", place("p", &sort("A"), "")))), @r#"error 4:86: arc target "nowhere" refers to a transition that does not exist"#);
}

#[test]
fn deep_terms_are_read() {
    let wrap = |inner: String, operator: &str| {
        let depth = 450;
        let (open, close) = (format!("<{operator}><subterm>"), format!("</subterm></{operator}>"));
        format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
    };
    let page = [
        place("p", &sort("A"), &wrap(user("a1"), "add")),
        transition(&wrap(term("equality", &[&variable("x"), &user("a1")]), "not")),
        arc("p", "t", &wrap(variable("x"), "successor")),
    ]
    .concat();
    let net = read(&document(DECLARATIONS, &page));
    assert!(matches!(net.places[0].initial, MultisetTerm::Member(_)));
    // 450 steps in a circle of three.
    assert_eq!(
        net.transitions[0].arcs[0].tokens(),
        &MultisetTerm::Member(MemberTerm::variable(VariableId(0)))
    );
    let deeper = wrap(wrap(user("a1"), "add"), "add");
    assert_snapshot!(refuse(&document(DECLARATIONS, &place("p", &sort("A"), &deeper))), @"error 4:7086: elements are nested deeper than 1000");
}
