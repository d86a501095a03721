//! Small nets whose figures were worked out by hand.

use super::*;
use crate::{Checker, Graph, Semantics, parse};

const CLASSES: &str = "<declaration><structure><declarations>\
    <namedsort id='pair' name='Pair'><productsort><usersort declaration='c'/><usersort declaration='s'/></productsort></namedsort>\
    <namedsort id='c' name='C'><cyclicenumeration><feconstant id='c1' name='1'/><feconstant id='c2' name='2'/>\
    <feconstant id='c3' name='3'/></cyclicenumeration></namedsort>\
    <namedsort id='s' name='S'><finiteenumeration><feconstant id='sa' name='same'/><feconstant id='sb' name='same'/>\
    </finiteenumeration></namedsort>\
    <namedsort id='r' name='R'><finiteintrange start='4' end='6'/></namedsort>\
    <partition id='halves' name='Halves'><usersort declaration='c'/><partitionelement id='low' name='Low'>\
    <useroperator declaration='c1'/><useroperator declaration='c2'/></partitionelement>\
    <partitionelement id='high' name='High'><useroperator declaration='c3'/></partitionelement></partition>\
    <variabledecl id='vy' name='y'><usersort declaration='c'/></variabledecl>\
    <variabledecl id='vx' name='x'><usersort declaration='c'/></variabledecl>\
    <variabledecl id='vz' name='z'><usersort declaration='s'/></variabledecl>\
    <variabledecl id='vr' name='r'><usersort declaration='r'/></variabledecl>\
    </declarations></structure></declaration>";

/// Terms in brackets, as XML: `(add x (all c))`; words before a colon are kinds of leaves.
fn xml(text: &str) -> String {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace();
    let mut open: Vec<String> = Vec::new();
    let mut xml = String::new();
    while let Some(word) = words.next() {
        let mut add = |leaf: String, is_sub: bool| match is_sub && !open.is_empty() {
            true => xml.push_str(&format!("<subterm>{leaf}</subterm>")),
            false => xml.push_str(&leaf),
        };
        match word {
            "(" => {
                let name = words.next().unwrap();
                if name == "part" {
                    let open = "<partitionelementof refpartition='halves'><subterm>";
                    let leaf = format!("<variable refvariable='v{}'/>", words.next().unwrap());
                    add(format!("{open}{leaf}</subterm></partitionelementof>"), true);
                    assert_eq!(words.next(), Some(")"));
                } else if name == "all" {
                    add(format!("<all><usersort declaration='{}'/></all>", words.next().unwrap()), true);
                    assert_eq!(words.next(), Some(")"));
                } else {
                    let start = if open.is_empty() { "" } else { "<subterm>" };
                    xml.push_str(&format!("{start}<{name}>"));
                    open.push(name.to_string());
                }
            }
            ")" => {
                let name = open.pop().unwrap();
                let end = if open.is_empty() { "" } else { "</subterm>" };
                xml.push_str(&format!("</{name}>{end}"));
            }
            "x" | "y" | "z" | "r" => add(format!("<variable refvariable='v{word}'/>"), true),
            "dot" => add("<dotconstant/>".to_string(), true),
            number if number.starts_with('#') => {
                add(format!("<numberconstant value='{}'><positive/></numberconstant>", &number[1..]), true)
            }
            number if number.starts_with('@') => add(
                format!(
                    "<finiteintrangeconstant value='{}'><finiteintrange start='4' end='6'/></finiteintrangeconstant>",
                    &number[1..]
                ),
                true,
            ),
            constant => add(format!("<useroperator declaration='{constant}'/>"), true),
        }
    }
    xml
}

fn structure(tag: &str, text: &str) -> String {
    match text {
        "" => String::new(),
        text => format!("<{tag}><structure>{}</structure></{tag}>", xml(text)),
    }
}

/// Places with sorts and markings; one transition `t` with a guard and arcs: kind, place, term.
fn read(
    places: &[(&str, &str, &str)],
    guard: &str,
    arcs: &[(&str, &str, &str)],
) -> Result<ColouredNet, String> {
    let place = |&(id, sort, marking): &(&str, &str, &str)| {
        format!(
            "<place id='{id}'><type><structure><usersort declaration='{sort}'/></structure></type>{}</place>",
            structure("hlinitialMarking", marking)
        )
    };
    let arc = |&(kind, place, term): &(&str, &str, &str)| {
        let (source, target) = if kind == "put" { ("t", place) } else { (place, "t") };
        let kind = match kind {
            "put" | "take" => String::new(),
            kind => format!("<type value='{kind}'/>"),
        };
        let term = structure("hlinscription", term);
        format!("<arc id='a' source='{source}' target='{target}'>{term}{kind}</arc>")
    };
    let places: String = places.iter().map(place).collect();
    let arcs: String = arcs.iter().map(arc).collect();
    ColouredNet::read(&format!(
        "<pnml><net id='n' type='symmetricnet'><page id='g'>{places}<transition id='t'>{}</transition>{arcs}</page>{CLASSES}</net></pnml>",
        structure("condition", guard)
    ))
}

/// The steps of the initial state: names, and the marked variables afterwards.
fn steps(places: &[(&str, &str, &str)], guard: &str, arcs: &[(&str, &str, &str)]) -> Vec<String> {
    let net = read(places, guard, arcs).unwrap();
    let marked = |state: &State| {
        let tokens = net.variables().iter().zip(state).filter(|(_, tokens)| **tokens != 0);
        tokens.map(|(variable, tokens)| format!("{}*{}", tokens, variable.name)).collect::<Vec<_>>().join(" ")
    };
    net.steps(&net.initial).iter().map(|step| format!("{}: {}", step.label[0], marked(&step.to))).collect()
}

#[test]
fn a_token_moves_round_a_cycle() {
    let p = [("p", "c", "c3")];
    assert_eq!(steps(&p, "", &[("take", "p", "x"), ("put", "p", "(successor x)")]), ["t(x=3): 1*p[1]"]);
    assert_eq!(steps(&p, "", &[("take", "p", "x"), ("put", "p", "(predecessor x)")]), ["t(x=3): 1*p[2]"]);
    // The successor on the input arc is undone on the output arc.
    assert_eq!(steps(&p, "", &[("take", "p", "(successor x)"), ("put", "p", "x")]), ["t(x=2): 1*p[2]"]);
    let range = [("p", "r", "@6")];
    assert_eq!(steps(&range, "", &[("take", "p", "r"), ("put", "p", "(successor r)")]), ["t(r=6): 1*p[4]"]);
}

/// Two constants of class `s` have the same name, so they go by their ids.
#[test]
fn domains_may_be_products_and_names_may_repeat() {
    let p = [("p", "pair", "(tuple (add c1 c2) (all s))"), ("q", "dot", "")];
    assert_eq!(
        steps(&p, "(equality z sb)", &[("take", "p", "(tuple x z)"), ("put", "q", "(numberof #2 dot)")]),
        ["t(x=1,z=sb): 1*p[1,sa] 1*p[2,sa] 1*p[2,sb] 2*q", "t(x=2,z=sb): 1*p[1,sa] 1*p[1,sb] 1*p[2,sa] 2*q"]
    );
    let net = read(&p, "", &[]).unwrap();
    assert_eq!((net.value("p", &net.initial), net.value("p[2,sb]", &net.initial)), (Some(4), Some(1)));
    assert_eq!(net.places().len(), 2);
    assert_eq!(net.variables().len(), 7);
}

#[test]
fn subtraction_ends_at_zero_and_partition_elements_are_sums() {
    // all - x: the other two colours. As an input arc that is a set of tokens.
    let p = [("p", "c", "(add c1 c2)")];
    let others = "(subtract (all c) x)";
    assert_eq!(steps(&p, "", &[("take", "p", others), ("put", "p", "x")]), ["t(x=3): 1*p[3]"]);
    // 2 c1 + c2 - 3 c1 is c2.
    let less = "(subtract (add (numberof #2 c1) c2) (numberof #3 c1))";
    assert_eq!(steps(&p, "", &[("take", "p", less)]), ["t: 1*p[1]"]);
    assert_eq!(steps(&p, "", &[("take", "p", "low"), ("put", "p", "high")]), ["t: 1*p[3]"]);
}

#[test]
fn arcs_do_what_their_names_say() {
    let p = [("p", "c", "(add c1 (numberof #2 c2))")];
    assert_eq!(steps(&p, "", &[("test", "p", "(numberof #2 x)")]), ["t(x=2): 1*p[1] 2*p[2]"]);
    assert_eq!(
        steps(&p, "", &[("inhibitor", "p", "(numberof #2 x)")]),
        ["t(x=1): 1*p[1] 2*p[2]", "t(x=3): 1*p[1] 2*p[2]"]
    );
    // Of every colour in the multiset fewer: colour 2 has too many.
    assert!(steps(&p, "", &[("inhibitor", "p", "(add c3 (numberof #2 c2))")]).is_empty());
    assert_eq!(steps(&p, "", &[("inhibitor", "p", "(add c3 (numberof #3 c2))")]).len(), 1);
    assert_eq!(
        steps(&p, "(equality x c2)", &[("reset", "p", "x"), ("put", "p", "x")]),
        ["t(x=2): 1*p[1] 1*p[2]"]
    );
    assert_eq!(steps(&p, "", &[("reset", "p", ""), ("put", "p", "c3")]), ["t: 1*p[3]"]);
    // Two input arcs add up: three tokens of colour 2 are not there, one of 1 and two of 2 are.
    assert!(steps(&p, "", &[("take", "p", "c2"), ("take", "p", "(numberof #2 c2)")]).is_empty());
    assert_eq!(steps(&p, "", &[("take", "p", "c1"), ("take", "p", "(numberof #2 c2)")]), ["t: "]);
}

/// Variables in the order of the declarations, also those that occur in a guard alone.
#[test]
fn every_binding_is_a_step() {
    let q = [("q", "dot", "dot")];
    assert_eq!(steps(&q, "(lessthan x y)", &[]).len(), 3);
    assert_eq!(steps(&q, "(lessthan x y)", &[])[0], "t(y=2,x=1): 1*q");
    assert_eq!(steps(&q, "(and (inequality x c1) (or (equality y c1) (greaterthan y c2)))", &[]).len(), 4);
    assert_eq!(steps(&q, "(imply (greaterthanorequal r @5) (not (lessthanorequal r @5)))", &[]).len(), 2);
    assert_eq!(steps(&q, "(equality (tuple x y) (tuple y (successor y)))", &[]).len(), 0);
    assert_eq!(steps(&q, "(equality (tuple x y) (tuple y x))", &[]).len(), 3);
    // Low has two members, high has one.
    assert_eq!(steps(&q, "(equality (part x) low)", &[]).len(), 2);
    assert_eq!(steps(&q, "(gtp (part x) (part y))", &[]), ["t(y=1,x=3): 1*q", "t(y=2,x=3): 1*q"]);
    assert_eq!(steps(&q, "(inequality high (part y))", &[]).len(), 2);
    // A variable on an output arc only.
    let net = read(&[("p", "c", ""), q[0]], "", &[("take", "q", "dot"), ("put", "p", "x")]).unwrap();
    let graph = Graph::explore(&net, 100);
    assert_eq!((graph.states.len(), graph.edge_count(), graph.dead().count()), (4, 3, 3));
    let checker = Checker::new(&graph, Semantics::Maximal, false).unwrap();
    for (text, expected) in [
        ("fireable(t)", true),
        ("fireable(t(x=2))", true),
        ("AF p = 1", true),
        ("EF p[3] = 1 & EF p[1] + p[2] = 1", true),
        ("EF p[3] + p[1] = 2", false),
        ("AX !fireable(t(x = 2))", true),
        ("AG (q | p)", true),
    ] {
        assert_eq!(checker.holds(&parse::formula(text).unwrap()), Ok(expected), "{text}");
    }
    assert!(net.is_fireable("t(x=7)", &net.initial).is_err());
    assert!(net.is_fireable("u", &net.initial).is_err());
}

#[test]
fn what_is_not_known_is_refused_by_name() {
    let p = [("p", "c", "")];
    for (guard, term, expected) in [
        ("(contains x y)", "x", "a guard <contains>"),
        ("", "(cardinality x)", "a term <cardinality>"),
        ("(equality x z)", "x", "<equality> of two sorts"),
        ("(lessthan (tuple x y) (tuple y x))", "x", "<lessthan> of tuples"),
        ("", "z", "<variable> is of another domain"),
        ("", "c9", "no constant c9"),
    ] {
        assert_eq!(read(&p, guard, &[("take", "p", term)]).err().as_deref(), Some(expected));
    }
    assert!(read(&[("p", "c", "x")], "", &[]).is_err());
    assert!(read(&[("p", "nosort", "")], "", &[]).is_err());
}
