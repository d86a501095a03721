//! The `.ll_net` reader: a net with all it can say, and what it says about wrong input.

use insta::assert_snapshot;
use symbolon_budget::Budget;
use symbolon_petri::read::{Format, guess_format, read_ll_net, read_pnml};
use symbolon_petri::write::write_pnml;
use symbolon_petri::{Arc, Net, PlaceId, ReadFailure, Transition};

fn read(text: &str) -> (Net, Vec<String>) {
    let latin1: Vec<u8> = text.chars().map(|c| u8::try_from(c).expect("Latin-1")).collect();
    assert_eq!(guess_format(&latin1, None), Some(Format::LlNet));
    let reading = read_ll_net(&latin1, &Budget::unlimited()).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(reading.net.check(), Ok(()));
    (reading.net, reading.warnings.iter().map(ToString::to_string).collect())
}

fn refuse(text: &str) -> String {
    match read_ll_net(text.as_bytes(), &Budget::unlimited()) {
        Err(ReadFailure::Invalid(error)) => error.to_string(),
        other => panic!("expected a refusal, found {other:?}"),
    }
}

/// What is wrong with a net that has one place, one transition, and `rest`, which begins in line 9.
fn refuse_after_nodes(rest: &str) -> String {
    refuse(&format!("PEP\nPTNet\nFORMAT_N\nPL\n1\"p\"M1\nTR\n1\"t\"\n\n{rest}"))
}

#[test]
fn a_net_with_everything() {
    let (net, warnings) = read(
        "PEP\r\nPTNet\r\nFORMAT_N2\r\nDPL20@20n4\r\nDTR-3@5\r\nPL\r\n\
         1\"café\"9@9n1@1M2m1b\"a label with M7 and PL\r\nin it\"\r\n\
         5\"q\"-80.5@40\r\n\
         \"q\"M1\r\n\
         TR\r\n2\"t\"9@9b\"fires\"\r\n\"u\"\r\n\
         TP\r\n2<5w3v4\r\n2<1\r\n2<1\r\n3<1\r\n\
         XY\r\nwhatever\r\n\
         PT\r\n 1 > 2 w2J9@9\r\n6>2\r\n\
         RA\r\n5>3w4\r\n\
         TX\r\nPL\r\nfree text\r\n",
    );
    assert_eq!(warnings, ["19:1: warning: section \"XY\" is skipped"]);
    let places: Vec<_> = net.places.iter().map(|p| (p.id.as_str(), p.label.as_deref(), p.initial)).collect();
    assert_eq!(
        places,
        [("café", Some("a label with M7 and PL in it"), 2), ("5", Some("q"), 0), ("6", Some("q"), 1)]
    );
    let [t, u] = &net.transitions[..] else { panic!("two transitions") };
    assert_eq!((t.id.as_str(), t.label.as_deref(), u.id.as_str()), ("t", Some("fires"), "u"));
    let moving =
        Transition::moving("t", [(PlaceId(0), 2), (PlaceId(2), 1)], [(PlaceId(0), 1), (PlaceId(1), 3)]);
    assert_eq!(t.arcs, moving.arcs);
    assert_eq!(
        u.arcs,
        [Arc::Output { place: PlaceId(0), weight: 1 }, Arc::Read { place: PlaceId(1), weight: 4 }]
    );
    let again = read_pnml(write_pnml(&net).as_bytes(), &Budget::unlimited()).expect("PNML");
    assert_eq!(again.net, net);
}

#[test]
fn repeated_and_missing_names_become_numbers() {
    let (net, _) = read("PEP\nPetriBox\nFORMAT_N\nPL\n\"a\"\n\"a\"\n\"2\"\n4\nTR\n\"a\"\n");
    let ids: Vec<&str> = net.places.iter().map(|place| place.id.as_str()).collect();
    assert_eq!(ids, ["1", "#2", "2", "4"]);
    // A place and a transition may be called alike; PNML cannot say so, and the transition is
    // renamed.
    let (net, _) = read("PEP\nPTNet\nFORMAT_N\nPL\n\"a\"\n\"a_t\"\nTR\n\"a\"\n");
    assert_eq!(net.transitions[0].id, "a");
    let again = read_pnml(write_pnml(&net).as_bytes(), &Budget::unlimited()).expect("PNML").net;
    assert_eq!(
        (again.transitions[0].id.as_str(), again.transitions[0].label.as_deref()),
        ("a_t_", Some("a"))
    );
}

#[test]
fn wrong_input() {
    assert_snapshot!(refuse(""), @r#"the file is empty (expected a line "PEP")"#);
    assert_snapshot!(refuse("\n\n"), @r#"3:1: the file ends, expected a line "PEP""#);
    assert_snapshot!(refuse("<pnml/>"), @r#"1:1: found "<pnml/>", expected a line "PEP" (it looks like a PNML file)"#);
    assert_snapshot!(refuse("PEP\nHLNet\nFORMAT_N\n"), @r#"2:1: found "HLNet", expected a line "PTNet" or "PetriBox" (high-level nets are not supported; give the low-level net)"#);
    assert_snapshot!(refuse("PEP\nPTNet\nFORMAT_X\n"), @r#"3:1: found "FORMAT_X", expected a line "FORMAT_N" or "FORMAT_N2""#);
    assert_snapshot!(refuse("PEP\nPTNet\n"), @r#"3:1: the file ends, expected a line "FORMAT_N" or "FORMAT_N2""#);
    assert_snapshot!(refuse("PEP\nPTNet\nFORMAT_N\n"), @r#"the file has neither places nor transitions (expected sections "PL" and "TR")"#);
    assert_snapshot!(refuse("PEP\nPTNet\nFORMAT_N\nPL\n1\"never ends\n2\"p\"\n"), @r#"5:2: a text in quotes does not end"#);
    assert_snapshot!(refuse("PEP\nPTNet\nFORMAT_N\nPL\np1\n1\"p\"\n1\"q\"Mx\n2\"r\"M-1\n3\"s\"M1.5\n4\"t\"M9223372036854775808\n"), @r#"
    5:1: found "p1", expected a number and a name in quotes
    7:1: a second place has the number 1 (numbers must be distinct, or absent)
    7:5: "M" without a whole number of tokens
    8:5: "M" without a whole number of tokens
    9:5: "M" without a whole number of tokens
    10:6: the number 9223372036854775808 is too large (the largest number is 9223372036854775807 (2^63 - 1))
    "#);
    // The last place is refused; arcs at its number must not look for it.
    assert_snapshot!(refuse("PEP\nPTNet\nFORMAT_N\nPL\n1\"p\"\n1\"q\"\nTR\n1\"t\"\nPT\n1>1\n"), @r#"6:1: a second place has the number 1 (numbers must be distinct, or absent)"#);
    assert_snapshot!(refuse_after_nodes("TP\n1<2\n2<1\nPT\n7>1\n"), @r#"
    10:1: arc refers to place 2, which does not exist
    11:1: arc refers to transition 2, which does not exist
    13:1: arc refers to place 7, which does not exist
    "#);
    assert_snapshot!(refuse_after_nodes("TP\n1>1\n1<\nPT\n1<1\np>t\n"), @r#"
    10:1: found an arc place>transition in section "TP"
    11:1: found "1<", expected transition<place as numbers
    13:1: found an arc transition<place in section "PT"
    14:1: found "p>t", expected place>transition as numbers
    "#);
    assert_snapshot!(refuse_after_nodes("PT\n1>1w-2\n1>1w0.5\n1>1w\n"), @r#"
    10:4: "w" without a whole number as weight
    11:4: "w" without a whole number as weight
    12:4: "w" without a whole number as weight
    "#);
    assert_snapshot!(refuse_after_nodes("PT\n1>1w2\n1>1w3\n"), @r#"11:1: the arc is listed twice, with weights 2 and 3"#);
}
