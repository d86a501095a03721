//! The reader of the contest's UpperBounds formulas: what it reads, and what it says of mistakes.

use symbolon_budget::Budget;
use symbolon_petri::read::read_place_bounds;
use symbolon_petri::{ReadFailure, Severity};

/// The ids of the places.
const PLACES: &[&str] = &["idle", "critical_1", "ä b"];

/// A file with this in its only formula.
fn file(formula: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<property-set xmlns=\"http://mcc.lip6.fr/\">\n<property><id>N-00</id>\n\
         <description>any</description>\n{formula}\n</property>\n</property-set>\n"
    )
}

#[test]
fn formulas_are_read() {
    for (formula, terms) in [
        ("<formula><place-bound><place>idle</place></place-bound></formula>", vec![(0, 1)]),
        (
            "<formula>\n<place-bound>\n<place>ä b</place>\n<place>idle</place></place-bound></formula>",
            vec![(0, 1), (2, 1)],
        ),
        (
            "<formula><place-bound><place>idle</place><place>idle</place></place-bound></formula>",
            vec![(0, 2)],
        ),
    ] {
        let text = file(formula);
        let read = read_place_bounds(text.as_bytes(), PLACES, &Budget::unlimited()).expect(formula);
        assert_eq!(read.formulas.len(), 1);
        assert_eq!((read.formulas[0].id.as_str(), &read.formulas[0].terms), ("N-00", &terms));
        assert_eq!(read.warnings.is_empty(), terms.iter().all(|(_, times)| *times == 1), "{formula}");
    }
}

fn check(text: &str, place: Option<(u32, u32)>, message: &str) {
    match read_place_bounds(text.as_bytes(), PLACES, &Budget::unlimited()) {
        Err(ReadFailure::Invalid(error)) => {
            let first = error.first().expect("an error");
            assert_eq!(first.line.zip(first.column), place, "{text}: {first}");
            assert!(first.to_string().contains(message), "no '{message}' in '{first}'");
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn mistakes_show_where_they_are() {
    let bound = |inside: &str| file(&format!("<formula><place-bound>{inside}</place-bound></formula>"));
    check("", None, "the file is empty");
    check("FORMULA f", Some((1, 1)), "expected <property-set>");
    check("<pnml/>", Some((1, 1)), "the root element is <pnml>");
    check(&bound("<place>idel</place>"), Some((5, 30)), "did you mean \"idle\"?");
    check(&bound("<place>elephant</place>"), Some((5, 30)), "the net has no place \"elephant\"");
    check(&bound("<place></place>"), Some((5, 30)), "no place \"\"");
    check(&bound(""), Some((5, 10)), "names no place");
    check(&bound("<tokens-count/>"), Some((5, 23)), "found <tokens-count>, expected <place>");
    check(&file("<formula><exists-path/></formula>"), Some((5, 10)), "expected one <place-bound>");
    check(&file("<formula/>"), Some((5, 1)), "the formula is empty");
    check(&file(""), Some((3, 1)), "has no formula");
    check(&file("").replace("<id>N-00</id>", ""), Some((3, 1)), "a property without id");
    check(&file("").replace("N-00", "N 00"), Some((3, 15)), "has a space in it");
    check(&bound("<place>idle</plac>"), Some((5, 34)), "expected </place>");
    check(&bound("<place>idle</place>")[..150], Some((5, 31)), "the file ends inside");
    let one = bound("<place>idle</place>");
    let property =
        &one[one.find("<property>").expect("a property")..one.find("</property-set>").expect("an end")];
    let twice = one.replace("</property-set>", &format!("{property}</property-set>"));
    check(&twice, Some((7, 15)), "a second property");
}

#[test]
fn several_mistakes_come_together() {
    let text = file("<formula><place-bound><place>a1</place><place>a2</place></place-bound></formula>");
    let Err(ReadFailure::Invalid(error)) = read_place_bounds(text.as_bytes(), PLACES, &Budget::unlimited())
    else {
        panic!("two places are wrong");
    };
    let errors = error.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    assert_eq!(errors.count(), 2, "{error}");
}

#[test]
fn a_cancelled_budget_stops_the_reader() {
    let budget = Budget::unlimited();
    budget.cancel();
    let place = "<place>idle</place>".repeat(5_000);
    let text = file(&format!("<formula><place-bound>{place}</place-bound></formula>"));
    let stopped = read_place_bounds(text.as_bytes(), PLACES, &budget);
    assert!(matches!(stopped, Err(ReadFailure::Interrupted(_))), "{stopped:?}");
}
