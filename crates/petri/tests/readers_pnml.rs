//! What the PNML reader says about wrong input, and what it makes of the dialects of common tools.

use insta::assert_snapshot;
use std::fmt::Write;
use std::time::{Duration, Instant};
use symbolon_budget::{Budget, Interrupted, Limits};
use symbolon_petri::read::{Format, guess_format, read_pnml};
use symbolon_petri::{Arc, Diagnostic, Net, ReadFailure, Severity};

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
fn refuse(bytes: impl AsRef<[u8]>) -> String {
    match read_pnml(bytes.as_ref(), &Budget::unlimited()) {
        Err(ReadFailure::Invalid(error)) => lines(&error.diagnostics),
        other => panic!("expected a refusal, found {other:?}"),
    }
}

/// The net and the warnings, in short notation.
fn accept(bytes: impl AsRef<[u8]>) -> String {
    let reading =
        read_pnml(bytes.as_ref(), &Budget::unlimited()).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(reading.net.check(), Ok(()));
    short(&reading.net) + &lines(&reading.warnings)
}

/// An arc in words, and when it comes.
fn described(net: &Net, arc: Arc) -> (u8, String) {
    let place = &net.places[arc.place().index()].id;
    match arc {
        Arc::Input { weight, .. } => (0, format!(" in {place}*{weight}")),
        Arc::Output { weight, .. } => (1, format!(" out {place}*{weight}")),
        Arc::Inhibitor { weight, .. } => (2, format!(" inhibitor {place}*{weight}")),
        Arc::Read { weight, .. } => (3, format!(" read {place}*{weight}")),
        Arc::Reset { .. } => (4, format!(" reset {place}")),
    }
}

fn short(net: &Net) -> String {
    let mut out = format!("net {:?}\n", net.name);
    for place in &net.places {
        let label = place.label.as_deref().map(|label| format!(" {label:?}")).unwrap_or_default();
        writeln!(out, "place {:?}{label} {}", place.id, place.initial).expect("a string");
    }
    for transition in &net.transitions {
        let label = transition.label.as_deref().map(|label| format!(" {label:?}")).unwrap_or_default();
        write!(out, "transition {:?}{label}", transition.id).expect("a string");
        let mut arcs: Vec<(u8, String)> = transition.arcs.iter().map(|arc| described(net, *arc)).collect();
        arcs.sort_by_key(|(rank, _)| *rank);
        arcs.iter().for_each(|(_, arc)| out.push_str(arc));
        out.push('\n');
    }
    for unit in &net.units {
        write!(out, "unit {:?} in {:?}:", unit.id, unit.parent).expect("a string");
        for place in &unit.places {
            write!(out, " {}", net.places[place.index()].id).expect("a string");
        }
        out.push('\n');
    }
    if !net.units.is_empty() {
        writeln!(out, "claim {:?}", net.unit_claim).expect("a string");
    }
    out
}

/// A document with `inside` as its net, which begins in line 4.
fn net(inside: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n\
         <net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n{inside}\n</net></pnml>\n"
    )
}

/// A net with places `p` and `q`, a transition `t`, and `arcs`, which begin in line 5.
fn net_with_arcs(arcs: &str) -> String {
    net(&format!("<page id=\"g\"><place id=\"p\"/><place id=\"q\"/><transition id=\"t\"/>\n{arcs}\n</page>"))
}

#[test]
fn files_that_are_no_pnml() {
    assert_snapshot!(refuse(""), @r#"
    error: the file is empty
      hint: expected a PNML document
    "#);
    assert_snapshot!(refuse(" \n\n"), @r#"
    error: the file contains no element
      hint: expected a PNML document
    "#);
    assert_snapshot!(refuse(b"\x1F\x8B\x08\x00\x00\x00"), @r#"
    error: the file is a gzip archive, expected text
      hint: unpack it first: gunzip FILE, or tar xzf FILE
    "#);
    assert_snapshot!(refuse(b"PK\x03\x04\x14\x00"), @r#"
    error: the file is a ZIP archive, expected text
      hint: unpack it first: unzip FILE
    "#);
    assert_snapshot!(refuse(b"\x7FELF\x02\x01\x01\x00"), @r#"
    error: the file is a program, expected text
      hint: expected a text, such as PNML
    "#);
    assert_snapshot!(refuse(b"abc\x00\x01\x02"), @r#"
    error: the file is binary: byte 4 is zero
      hint: expected a text, such as PNML
    "#);
    assert_snapshot!(refuse("just some text\nand more"), @r#"
    error 1:1: found "just some text", expected <pnml>
      hint: this is not an XML file
    "#);
    assert_snapshot!(refuse("PEP\nPTNet\nFORMAT_N\nPL\n"), @r#"
    error 1:1: found "PEP", expected <pnml>
      hint: it looks like an .ll_net file
    "#);
    assert_snapshot!(refuse("Agent Environment\n  Vars:\n    x : 0..3;\n"), @r#"
    error 1:1: found "Agent Environment", expected <pnml>
      hint: it looks like an ISPL file, which is not a net
    "#);
    assert_snapshot!(refuse("<!DOCTYPE html>\n<html><body>Not found</body></html>"), @r#"
    error 2:1: the root element is <html>, expected <pnml>
      hint: it looks like a web page
    "#);
    assert_snapshot!(refuse("<?xml version=\"1.0\"?>\n<svg/>"), @r#"
    error 2:1: the root element is <svg>, expected <pnml>
      hint: is this a PNML file?
    "#);
    assert_snapshot!(refuse("<?xml version=\"1.0\"?>\n<!-- nothing -->\n"), @r#"
    error: the file contains no element
      hint: expected a PNML document
    "#);
}

#[test]
fn text_that_is_no_xml() {
    assert_snapshot!(refuse("<pnml>\n <net id=\"n\" type=\"ptnet\">\n  <place id=\"p\">\n"), @r#"
    error 4:1: the file ends inside <place>
      hint: the element was opened in line 3; the file seems to be cut off
    "#);
    assert_snapshot!(refuse("<pnml>\n <net id=\"n\" type=\"ptnet\">\n  <place id=\"p"), @r#"
    error 3:3: the file ends inside an attribute value
      hint: a quote is missing, or the file is cut off
    "#);
    assert_snapshot!(refuse("<pnml>\n <net id=\"n\" type=\"ptnet\">\n  <pla"), @r#"
    error 3:3: the file ends inside a tag
      hint: the file seems to be cut off
    "#);
    assert_snapshot!(refuse("<pnml>\n <!-- never ends"), @r#"
    error 2:2: the file ends inside a comment
      hint: the file seems to be cut off
    "#);
    assert_snapshot!(refuse(net("<place id=\"p\"></transition>")), @r#"
    error 4:15: found </transition>, expected </place>
      hint: each element must be closed inside the element that opened it
    "#);
    assert_snapshot!(refuse("<pnml></pnml></net>"), @r#"
    error: the document contains no <net>
      hint: expected <net id="…" type="http://www.pnml.org/version-2009/grammar/ptnet">
    "#);
    assert_snapshot!(refuse(net("<place id=p/>")), @r#"
    error 4:11: found an attribute value without quotes in <place>
      hint: expected name="value", each name once
    "#);
    assert_snapshot!(refuse(net("<place id=\"p\" id=\"q\"/>")), @r#"
    error 4:15: found an attribute for the second time in <place>
      hint: expected name="value", each name once
    "#);
    assert_snapshot!(refuse(net("<place id=\"p\"><name><text>a & b</text></name></place>")), @r#"
    error 4:29: found "&" without a ";" after it
      hint: write "&" as &amp;
    "#);
    assert_snapshot!(refuse(net("<place id=\"p\"><name><text>&bomb;</text></name></place>")), @r#"
    error 4:27: unknown reference "&bomb;"
      hint: expected &amp; &lt; &gt; &quot; &apos; or &#NUMBER;
    "#);
    assert_snapshot!(refuse(b"<?xml version=\"1.0\" encoding=\"EBCDIC\"?><pnml>\xE9</pnml>"), @r#"
    error 1:1: encoding "ebcdic" is not supported
      hint: save the file as UTF-8
    "#);
}

#[test]
fn documents_without_a_net_we_can_read() {
    assert_snapshot!(refuse("<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"/>"), @r#"
    error: the document contains no <net>
      hint: expected <net id="…" type="http://www.pnml.org/version-2009/grammar/ptnet">
    "#);
    assert_snapshot!(refuse("<pnml xmlns=\"http://example.org/nets\">\n<net id=\"n\"/></pnml>"), @r#"
    error 1:1: <pnml> is in namespace "http://example.org/nets"
      hint: expected <pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
    "#);
    assert_snapshot!(refuse("<x:pnml>\n<net id=\"n\"/></x:pnml>"), @r#"
    error 1:1: the prefix of <x:pnml> is not declared
      hint: expected <pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
    "#);
    assert_snapshot!(refuse("<pnml>\n<net id=\"n\" type=\"http://example.org/blocks\"/></pnml>"), @r#"
    error 2:1: unknown net type "http://example.org/blocks"
      hint: expected "http://www.pnml.org/version-2009/grammar/ptnet"
    "#);
    assert_snapshot!(refuse("<pnml>\n<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\"/></pnml>"), @r#"
    error 2:1: a place/transition net has no colours: found net type "http://www.pnml.org/version-2009/grammar/symmetricnet"
      hint: unfold the net to a P/T net first
    "#);
    assert_snapshot!(refuse("<pnml>\n<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/highlevelnet\"/></pnml>"), @r#"
    error 2:1: a place/transition net has no colours: found net type "http://www.pnml.org/version-2009/grammar/highlevelnet"
      hint: unfold the net to a P/T net first
    "#);
    assert_snapshot!(refuse("<pnml xmlns:s=\"http://example.org/s\"><net id=\"n\" type=\"ptnet\">\n<s:place id=\"p\"/></net></pnml>"), @r#"
    error 2:1: <s:place> is in a namespace that is not PNML's
      hint: expected namespace "http://www.pnml.org/version-2009/grammar/pnml"
    "#);
}

#[test]
fn constructs_that_would_change_the_behaviour() {
    assert_snapshot!(refuse(net("<declaration/>")), @r#"
    error 4:1: a place/transition net has no colours: found <declaration>
      hint: unfold the net to a P/T net first
    "#);
    assert_snapshot!(refuse(net("<place id=\"p\">\n <type><structure/></type></place>")), @r#"
    error 5:2: a place/transition net has no colours: found <type>
      hint: unfold the net to a P/T net first
    "#);
    assert_snapshot!(refuse(net("<place id=\"p\">\n <hlinitialMarking/></place>")), @r#"
    error 5:2: a place/transition net has no colours: found <hlinitialMarking>
      hint: unfold the net to a P/T net first
    "#);
    assert_snapshot!(refuse(net("<transition id=\"t\">\n <condition/></transition>")), @r#"
    error 5:2: a place/transition net has no colours: found <condition>
      hint: unfold the net to a P/T net first
    "#);
    assert_snapshot!(refuse(net_with_arcs("<arc id=\"a\" source=\"p\" target=\"t\"><hlinscription/></arc>")), @r#"
    error 5:35: a place/transition net has no colours: found <hlinscription>
      hint: unfold the net to a P/T net first
    "#);
    assert_snapshot!(refuse(net_with_arcs("<arc id=\"a\" source=\"p\" target=\"t\" type=\"timed\" inscription=\"[0,inf)\" weight=\"1\"/>")), @r#"
    error 5:1: arc of type "timed" is not supported
      hint: known types of arcs are normal, inhibitor, test, read and reset
    "#);
    assert_snapshot!(refuse(net_with_arcs("<arc id=\"a\" source=\"p\" target=\"t\" type=\"transport\" inscription=\"[0,3]:1\" weight=\"1\"/>")), @r#"
    error 5:1: arc of type "transport" is not supported
      hint: known types of arcs are normal, inhibitor, test, read and reset
    "#);
    assert_snapshot!(refuse(net_with_arcs("<arc id=\"a\" source=\"p\" target=\"t\"><type value=\"stopwatch\"/></arc>")), @r#"
    error 5:35: arc of type "stopwatch" is not supported
      hint: known types of arcs are normal, inhibitor, test, read and reset
    "#);
    assert_snapshot!(refuse(net_with_arcs("<arc id=\"a\" source=\"p\" target=\"t\"><arctype><text>flush</text></arctype></arc>")), @r#"
    error 5:35: arc of type "flush" is not supported
      hint: known types of arcs are normal, inhibitor, test, read and reset
    "#);
    assert_snapshot!(refuse(net_with_arcs("<arc id=\"a\" source=\"p\" target=\"t\" type=\"inhibitor\"><type value=\"test\"/></arc>")), @r#"error 5:52: the arc has two different types"#);
    assert_snapshot!(refuse(net_with_arcs("<transportArc source=\"p\" transition=\"t\" target=\"q\"/>")), @r#"
    error 5:1: <transportArc> is not supported
      hint: known types of arcs are normal, inhibitor, test, read and reset
    "#);
    assert_snapshot!(refuse(net("<place id=\"p\" invariant=\"&lt;= 5\"/>")), @r#"error 4:1: place invariant "<= 5": timed nets are not supported"#);
    assert_snapshot!(refuse(net("<transition id=\"t\" urgent=\"true\"/>")), @r#"error 4:1: urgent transition: timed nets are not supported"#);
    assert_snapshot!(refuse(net("<transition id=\"t\"><delay><interval xmlns=\"http://www.w3.org/1998/Math/MathML\" closure=\"closed\"><cn>0</cn><cn>4</cn></interval></delay></transition>")), @r#"error 4:20: delay [0, 4]: timed nets are not supported"#);
    assert_snapshot!(refuse(net("<place id=\"p\"><capacity><value>3</value></capacity></place>")), @r#"
    error 4:15: place capacities are not supported
      hint: a place that holds the free slots does the same
    "#);
}

#[test]
fn numbers_that_are_no_tokens() {
    let weight = |text: &str| {
        refuse(net_with_arcs(&format!(
            "<arc id=\"a\" source=\"p\" target=\"t\"><inscription><text>{text}</text></inscription></arc>"
        )))
    };
    let marking = |text: &str| {
        refuse(net(&format!(
            "<place id=\"p\"><initialMarking>\n<text>{text}</text></initialMarking></place>"
        )))
    };
    assert_snapshot!(weight("-2"), @r#"error 5:54: negative arc weight "-2", expected a whole number of tokens"#);
    assert_snapshot!(weight("1.5"), @r#"error 5:54: fractional arc weight "1.5", expected a whole number of tokens"#);
    assert_snapshot!(weight("two"), @r#"error 5:54: arc weight "two", expected a whole number of tokens"#);
    assert_snapshot!(weight("9223372036854775808"), @r#"
    error 5:54: arc weight 9223372036854775808 is too large
      hint: the largest number of tokens is 9223372036854775807 (2^63 - 1)
    "#);
    assert_snapshot!(marking(" \n -1"), @r#"error 6:2: negative initial marking "-1", expected a whole number of tokens"#);
    assert_snapshot!(marking("0.5"), @r#"error 5:7: fractional initial marking "0.5", expected a whole number of tokens"#);
    assert_snapshot!(marking("1'dot"), @r#"error 5:7: initial marking "1'dot", expected a whole number of tokens"#);
    assert_snapshot!(marking("99999999999999999999999999999999"), @r#"
    error 5:7: initial marking 99999999999999999999999999999999 is too large
      hint: the largest number of tokens is 9223372036854775807 (2^63 - 1)
    "#);
    assert_snapshot!(refuse(net_with_arcs("<arc source=\"p\" target=\"t\"><inscription><text>9223372036854775807</text></inscription></arc><arc source=\"p\" target=\"t\"/>")), @r#"error 5:93: the arcs between transition "t" and place "p" add up to more than 9223372036854775807"#);
    assert_snapshot!(refuse(net_with_arcs("<arc source=\"p\" target=\"t\"><type value=\"inhibitor\"/><inscription><text>0</text></inscription></arc>")), @r#"error 5:1: inhibitor arc of weight 0: its transition could never fire"#);
}

#[test]
fn names_that_lead_nowhere_or_twice() {
    assert_snapshot!(refuse(net_with_arcs("<arc id=\"a\" source=\"place\" target=\"t\"/>")), @r#"error 5:1: arc source "place" refers to a place that does not exist"#);
    assert_snapshot!(refuse(net("<place id=\"buffer_1\"/><place id=\"buffer_2\"/><transition id=\"consume\"/>\n <arc id=\"a\" source=\"bufer_2\" target=\"consumer\"/>")), @r#"
    error 5:2: arc source "bufer_2" refers to a place or transition that does not exist
      hint: did you mean "buffer_2"?
    error 5:2: arc target "consumer" refers to a place or transition that does not exist
      hint: did you mean "consume"?
    "#);
    assert_snapshot!(refuse(net_with_arcs("<arc id=\"a\" source=\"p\"/><arc id=\"b\" target=\"p\"/>")), @r#"
    error 5:1: arc "a" has no target
    error 5:25: arc "b" has no source
    "#);
    assert_snapshot!(refuse(net_with_arcs("<arc id=\"a\" source=\"p\" target=\"q\"/><arc id=\"b\" source=\"t\" target=\"t\"/>")), @r#"
    error 5:1: arc from place "p" to place "q"
      hint: arcs join a place and a transition
    error 5:36: arc from transition "t" to transition "t"
      hint: arcs join a place and a transition
    "#);
    assert_snapshot!(refuse(net_with_arcs("<arc id=\"a\" source=\"t\" target=\"p\"><type value=\"inhibitor\"/></arc>")), @r#"
    error 5:1: inhibitor arc from transition "t" to place "p"
      hint: inhibitor arcs lead from a place to a transition
    "#);
    assert_snapshot!(refuse(net("<place id=\"p\"/>\n<place id=\"p\"/><transition id=\"p\"/>")), @r#"
    error 5:1: the id "p" of this <place> is already taken
      hint: ids of nodes must be distinct
    error 5:16: the id "p" of this <transition> is already taken
      hint: ids of nodes must be distinct
    "#);
    assert_snapshot!(refuse(net("<place id=\"p\"><place id=\"q\"/></place>")), @r#"
    error 4:15: found <place> in a place, where it is not allowed
      hint: is an end tag missing before it?
    "#);
    assert_snapshot!(refuse(net("<place/><transition id=\" \"/>")), @r#"
    error 4:1: <place> has no id
    error 4:9: <transition> has no id
    "#);
    assert_snapshot!(refuse(net("<place id=\"p\"/><referencePlace id=\"a\" ref=\"b\"/><referencePlace id=\"b\" ref=\"a\"/>")), @r#"error 4:16: references from "a" run in a circle"#);
    assert_snapshot!(refuse(net("<place id=\"place\"/><referencePlace id=\"a\" ref=\"plaice\"/>")), @r#"
    error 4:20: reference "a" refers to place "plaice", which does not exist
      hint: did you mean "place"?
    "#);
    assert_snapshot!(refuse(net("<transition id=\"t\"/><referencePlace id=\"a\" ref=\"t\"/><referencePlace id=\"b\"/>")), @r#"
    error 4:21: reference place "a" leads to a transition
    error 4:53: <referencePlace> "b" has no ref
    "#);
}

#[test]
fn all_errors_are_shown_at_once_but_not_too_many() {
    let two = net_with_arcs(
        "<arc source=\"x\" target=\"t\"/>\n<arc source=\"p\" target=\"y\"/>\n<place id=\"p\"/>",
    );
    assert_eq!(refuse(two).lines().filter(|line| line.starts_with("error")).count(), 3);
    let many = net_with_arcs(&"<arc source=\"nobody\" target=\"t\"/>\n".repeat(1000));
    assert_eq!(refuse(many).lines().filter(|line| line.starts_with("error")).count(), 20);
}

#[test]
fn what_is_skipped_or_repaired_is_said() {
    assert_snapshot!(accept(net_with_arcs("<arc id=\"a\" source=\"p\" target=\"t\"><inscription><text>0</text></inscription></arc>")), @r#"
    net "n"
    place "p" 0
    place "q" 0
    transition "t"
    warning 5:1: arc "a" of weight 0 is dropped
    "#);
    assert_snapshot!(accept(net_with_arcs("<arc id=\"a\" source=\"p\" target=\"t\"/><arc id=\"a\" source=\"p\" target=\"t\"/>")), @r#"
    net "n"
    place "p" 0
    place "q" 0
    transition "t" in p*2
    warning 5:36: a second arc has the id "a"
    "#);
    assert_snapshot!(accept("<pnml><net id=\"c\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\"><declaration/></net>\n<net id=\"n\" type=\"ptnet\"><place id=\"p\"/></net>\n<net id=\"m\" type=\"ptnet\"><place id=\"q\"/></net></pnml>\nend"), @r#"
    net "n"
    place "p" 0
    warning 1:7: this net is ignored: a place/transition net has no colours: found net type "http://www.pnml.org/version-2009/grammar/symmetricnet"
    warning 3:1: a further net is ignored; the first one is read
    warning 3:54: everything after </pnml> is ignored
    "#);
    assert_snapshot!(accept("<pnml><net id=\"n\"><gizmo/><gizmo/>text<place id=\"p\"><gadget/></place></net></pnml>"), @r#"
    net "n"
    place "p" 0
    warning 1:7: <net> has no type; it is read as a P/T net
    warning 1:19: <gizmo> is ignored
    warning 1:35: text between elements is ignored
    warning 1:53: <gadget> in a place is ignored
    "#);
    assert_snapshot!(accept(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<pnml><net id=\"n\" type=\"ptnet\"><place id=\"caf\xE9\"/></net></pnml>"), @r#"
    net "n"
    place "café" 0
    warning 2:46: byte 0xE9 is not valid UTF-8; the file is read as ISO-8859-1
      hint: declare encoding="ISO-8859-1" or save the file as UTF-8
    "#);
}

#[test]
fn encodings_and_spacing() {
    let text = "<pnml><net id=\"n\" type=\"ptnet\"><place id=\"é\"/></net></pnml>";
    let expected = "net \"n\"\nplace \"é\" 0\n";
    let latin1: Vec<u8> =
        format!("<?xml version='1.0' encoding='ISO-8859-1'?>\r\n{text}").chars().map(|c| c as u8).collect();
    let mut marked = vec![0xEF, 0xBB, 0xBF];
    marked.extend(text.bytes());
    let little: Vec<u8> =
        [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for (what, bytes) in [
        ("UTF-8", text.as_bytes().to_vec()),
        ("UTF-8 with a mark", marked),
        ("Latin-1", latin1),
        ("UTF-16 with a mark", little),
        ("UTF-16 without a mark", big),
    ] {
        assert_eq!(accept(&bytes), expected, "{what}");
        assert_eq!(guess_format(&bytes, None), Some(Format::Pnml), "{what}");
    }
    let odd = net(
        "\r\n<page\n id = 'g' >\r\n<!-- <place id='no'/> --><place id=\" p&#x31; \"><name><graphics/><text>\n  a \t &lt;b&gt;\n\
         <![CDATA[<c & d>]]> </text></name><initialMarking><text>\n\t 0007 \r\n</text></initialMarking></place >\
         <?process this?><transition id='t'></transition><arc source='p1\n' target='t'><inscription>\n<text/></inscription></arc></page>",
    );
    assert_snapshot!(accept(odd), @r#"
    net "n"
    place "p1" "a <b> <c & d>" 7
    transition "t" in p1*1
    "#);
    assert!(accept("<pnml><net id=\" a\n  b \" type=\"ptnet\"/></pnml>").starts_with("net \"a b\"\n"));
    assert_snapshot!(accept("<x:pnml xmlns:x=\"http://www.pnml.org/version-2009/grammar/pnml\" xmlns:svg=\"http://www.w3.org/2000/svg\"><x:net id=\"n\" type=\"ptnet\"><svg:g/><x:place id=\"p\"><x:initialMarking><x:text>2</x:text></x:initialMarking></x:place></x:net></x:pnml>"), @r#"
    net "n"
    place "p" 2
    "#);
}

#[test]
fn largest_numbers_are_kept() {
    assert_snapshot!(accept(net("<place id=\"p\"><initialMarking><text>9223372036854775807</text></initialMarking></place><transition id=\"t\"/><arc source=\"t\" target=\"p\"><inscription><text>9223372036854775806</text></inscription></arc><arc source=\"t\" target=\"p\"/>")), @r#"
    net "n"
    place "p" 9223372036854775807
    transition "t" out p*9223372036854775807
    "#);
}

#[test]
fn arcs_of_all_kinds_and_dialects() {
    // TINA; several arcs: ordinary ones add up, of conditions the strictest holds.
    assert_snapshot!(accept(net_with_arcs(
        "<arc source=\"p\" target=\"t\"><type value=\"inhibitor\"/><inscription><text>3</text></inscription></arc>
         <arc source=\"p\" target=\"t\"><inscription><text>2</text></inscription><type value=\"inhibitor\"/></arc>
         <arc source=\"q\" target=\"t\"><type value=\"test\"/><inscription><text>3</text></inscription></arc>
         <arc source=\"q\" target=\"t\"><type value=\"test\"/></arc>
         <arc source=\"p\" target=\"t\"/><arc source=\"p\" target=\"t\"><type value=\"normal\"/><inscription><text>4</text></inscription></arc>")), @r#"
    net "n"
    place "p" 0
    place "q" 0
    transition "t" in p*5 inhibitor p*2 read q*3
    "#);
    // TAPAAL.
    assert_snapshot!(accept(
        "<pnml xmlns=\"http://www.informatik.hu-berlin.de/top/pnml/ptNetb\"><net active=\"true\" id=\"TAPN1\" type=\"P/T net\">
         <place id=\"P0\" initialMarking=\"2\" invariant=\"&lt; inf\" name=\"P0\" positionX=\"100\"/>
         <place id=\"P1\" initialMarking=\"0\" invariant=\"&lt; inf\" name=\"done\"/>
         <transition angle=\"0\" id=\"T0\" infiniteServer=\"false\" name=\"T0\" priority=\"0\" urgent=\"false\"/>
         <arc id=\"A\" inscription=\"1\" source=\"T0\" target=\"P0\" type=\"normal\" weight=\"5\"><arcpath arcPointType=\"false\" id=\"0\"/></arc>
         <arc id=\"I\" inscription=\"[0,inf)\" source=\"P1\" target=\"T0\" type=\"tapnInhibitor\" weight=\"2\"/>
         </net></pnml>"), @r#"
    net "TAPN1"
    place "P0" 2
    place "P1" "done" 0
    transition "T0" out P0*5 inhibitor P1*2
    "#);
    assert_snapshot!(accept(net_with_arcs(
        "<inputArc source=\"p\" target=\"t\"><inscription><value>2</value></inscription></inputArc>
         <inhibitorArc source=\"q\" target=\"t\"/><outputArc source=\"t\" target=\"q\"/>")), @r#"
    net "n"
    place "p" 0
    place "q" 0
    transition "t" in p*2 out q*1 inhibitor q*1
    "#);
    // ProM.
    assert_snapshot!(accept(net_with_arcs(
        "<arc id=\"1\" source=\"p\" target=\"t\"><name><text>1</text></name><arctype><text>reset</text></arctype></arc>
         <arc id=\"2\" source=\"q\" target=\"t\"><arctype><text> inhibitor </text></arctype></arc>
         <arc id=\"3\" source=\"t\" target=\"q\"><arctype><text>normal</text></arctype></arc>")), @r#"
    net "n"
    place "p" 0
    place "q" 0
    transition "t" out q*1 inhibitor q*1 reset p
    "#);
    // PIPE.
    assert_snapshot!(accept(
        "<pnml><net id=\"Net-One\" type=\"P/T net\"><token id=\"Default\" red=\"0\"/>
         <place id=\"P0\"><name><value>P0</value></name><initialMarking><value>Default,3</value></initialMarking><capacity><value>0</value></capacity></place>
         <transition id=\"T0\"><orientation><value>0</value></orientation><rate><value>1.0</value></rate></transition>
         <arc id=\"P0 to T0\" source=\"P0\" target=\"T0\"><inscription><value>Default,2</value></inscription><tagged/><type value=\"normal\"/></arc>
         </net></pnml>"), @r#"
    net "Net-One"
    place "P0" 3
    transition "T0" in P0*2
    "#);
    // A TINA delay that means nothing.
    assert_snapshot!(accept(net("<transition id=\"t\"><delay><interval xmlns=\"http://www.w3.org/1998/Math/MathML\" closure=\"closed-open\"><cn>0</cn><ci>infty</ci></interval></delay></transition>")), @r#"
    net "n"
    transition "t"
    "#);
}

#[test]
fn pages_and_references() {
    assert_snapshot!(accept(net(
        "<arc source=\"r2\" target=\"u\"/>
         <page id=\"outer\"><name><text>not the net's</text></name><place id=\"p\"/>
           <page id=\"inner\"><place id=\"q\"/><referencePlace id=\"r2\" ref=\"r1\"/><referenceTransition id=\"u\" ref=\"t\"/></page>
           <referencePlace id=\"r1\" ref=\"p\"/></page>
         <page><transition id=\"t\"/><place id=\"s\"/></page>
         <arc source=\"t\" target=\"r1\"/>")), @r#"
    net "n"
    place "p" 0
    place "q" 0
    place "s" 0
    transition "t" in p*1 out p*1
    unit "outer" in None: p
    unit "inner" in Some(0): q
    unit "page 3" in None: s
    claim Nothing
    "#);
}

#[test]
fn nested_units() {
    let nupn = |section: &str| {
        accept(net(&format!(
            "<page id=\"g\"><place id=\"p\"/><place id=\"q\"/><place id=\"r\"/>\n<toolspecific tool=\"nupn\" version=\"1.1\"><size places=\"3\" transitions=\"0\" arcs=\"0\"/>{section}</toolspecific></page>"
        )))
    };
    assert_snapshot!(nupn("<structure units=\"3\" root=\"u0\" safe=\"true\"><unit id=\"u0\"><places/><subunits>u1 u2</subunits></unit><unit id=\"u1\"><places>\n p\n r</places><subunits/></unit><unit id=\"u2\"><places>q</places><subunits></subunits></unit></structure>"), @r#"
    net "n"
    place "p" 0
    place "q" 0
    place "r" 0
    unit "u0" in None:
    unit "u1" in Some(0): p r
    unit "u2" in Some(0): q
    claim UnitSafe
    "#);
    // Children first: the order is mended.
    assert_snapshot!(nupn("<structure units=\"3\" root=\"u0\" safe=\"false\"><unit id=\"u2\"><places>q</places></unit><unit id=\"u1\"><places>p r</places><subunits>u2</subunits></unit><unit id=\"u0\"><places/><subunits>u1</subunits></unit></structure>"), @r#"
    net "n"
    place "p" 0
    place "q" 0
    place "r" 0
    unit "u0" in None:
    unit "u1" in Some(0): p r
    unit "u2" in Some(1): q
    claim NestedUnits
    "#);
    // Nonsense is ignored, with a word.
    assert_snapshot!(nupn("<structure units=\"2\" root=\"u0\" safe=\"true\"><unit id=\"u0\"><places>p x</places></unit></structure>"), @r#"
    net "n"
    place "p" 0
    place "q" 0
    place "r" 0
    warning 5:1: 2 units are declared, but there are 1
    warning 5:1: the section of units is ignored: there is no place "x" of unit "u0"
    "#);
    assert_snapshot!(nupn("<structure units=\"2\" root=\"u0\" safe=\"true\"><unit id=\"u0\"><places>p</places><subunits>u1</subunits></unit><unit id=\"u1\"><places>p</places></unit></structure>"), @r#"
    net "n"
    place "p" 0
    place "q" 0
    place "r" 0
    warning 5:1: the section of units is ignored: place "p" lies in two units
    "#);
    assert_snapshot!(nupn("<structure units=\"2\" root=\"u0\" safe=\"true\"><unit id=\"u0\"><places/><subunits>u1</subunits></unit><unit id=\"u1\"><places/><subunits>u0</subunits></unit></structure>"), @r#"
    net "n"
    place "p" 0
    place "q" 0
    place "r" 0
    warning 5:1: the section of units is ignored: unit "u0" is not below the root unit
    "#);
    assert_snapshot!(nupn("<structure units=\"2\" root=\"u0\" safe=\"true\"><unit id=\"u0\"><places/></unit><unit id=\"u1\"><places/></unit></structure>"), @r#"
    net "n"
    place "p" 0
    place "q" 0
    place "r" 0
    warning 5:1: the section of units is ignored: unit "u1" is not below the root unit
    "#);
    assert_snapshot!(nupn("<structure units=\"1\" root=\"u0\" safe=\"true\"><unit id=\"u0\"><places/><subunits>u7</subunits></unit></structure>"), @r#"
    net "n"
    place "p" 0
    place "q" 0
    place "r" 0
    warning 5:1: the section of units is ignored: there is no unit "u7", a subunit of "u0"
    "#);
}

/// Inputs made to hurt end quickly, one way or the other.
#[test]
fn hostile_files_do_not_hurt() {
    let begin = Instant::now();
    let deep = net(&"<page>".repeat(1_000_000));
    assert_snapshot!(refuse(&deep), @r#"error 4:5989: elements are nested deeper than 1000"#);
    let many_attributes: String = (0..100_000).map(|n| format!(" a{n}=\"\"")).collect();
    assert_snapshot!(refuse(net(&format!("<place{many_attributes}/>"))), @r#"error 4:1: <place> has more than 100 attributes"#);
    let bomb = "<!DOCTYPE pnml [<!ENTITY a \"&b;&b;&b;&b;\"><!ENTITY b \"&a;&a;&a;&a;\">]>".to_string()
        + "<pnml><net id=\"n\" type=\"ptnet\"><place id=\"p\"><name><text>&a;</text></name></place></net></pnml>";
    assert_snapshot!(refuse(bomb), @r#"
    error 1:128: unknown reference "&a;"
      hint: expected &amp; &lt; &gt; &quot; &apos; or &#NUMBER;
    "#);
    let prefixes: String = (0..90).map(|n| format!("<page xmlns:a{n}=\"x\">")).collect();
    refuse(net(&(prefixes + &"<z:y/>".repeat(100_000))));
    let chain: String =
        (0..200_000).map(|n| format!("<referencePlace id=\"r{n}\" ref=\"r{}\"/>", n + 1)).collect();
    accept(net(&format!("{chain}<place id=\"r200000\"/>")));
    let references =
        net(&format!("<place id=\"p\"><name><text>{}</text></name></place>", "&lt;".repeat(1_000_000)));
    accept(references);
    let arcs = net_with_arcs(&"<arc source=\"p\" target=\"t\"/>".repeat(300_000));
    assert!(accept(arcs).contains("in p*300000"));
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
}

#[test]
fn reading_can_be_interrupted() {
    let text = net(&(0..100_000).map(|n| format!("<place id=\"p{n}\"/>")).collect::<String>());
    let budget = Budget::new(Limits { time: Some(Duration::ZERO), memory: None });
    assert_eq!(read_pnml(text.as_bytes(), &budget), Err(ReadFailure::Interrupted(Interrupted::Timeout)));
}
