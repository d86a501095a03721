//! Files of formulas: the contest's XML and text, right and wrong.

use symbolon_budget::Budget;
use symbolon_logic::{Fragment, Properties, read_properties};
use symbolon_source::ReadFailure;
use symbolon_testkit::corpus_folder;

fn read(text: &str) -> Result<Properties, String> {
    read_properties(text.as_bytes(), &Budget::unlimited()).map_err(|failure| failure.to_string())
}

/// Checks the properties of a file, each as `name: formula`, and that names point at themselves.
fn check(text: &str, expected: &[&str]) {
    let properties = read(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    let found: Vec<_> =
        properties.properties.iter().map(|p| format!("{}: {}", p.id, p.formula.formula)).collect();
    assert_eq!(found, expected, "{text}");
    for property in &properties.properties {
        for name in property.formula.formula.atoms().flat_map(|atom| atom.names()) {
            let pointed_at = &properties.text[name.span.start..name.span.end];
            assert_eq!(pointed_at.trim_matches('"'), &*name.text, "{text}");
        }
    }
}

/// Checks what is said about a file.
fn check_errors(text: &str, expected: &str) {
    match read(text) {
        Ok(properties) => panic!("{text} was read: {properties:?}"),
        Err(error) => assert_eq!(error, expected, "{text}"),
    }
}

#[test]
fn one_formula_a_line() {
    check("AG p\n\nEF q", &["1: AG p", "2: EF q"]);
    check("# nothing\n safe: AG p # always\n\r\nlive : AG EF q\r\n", &["safe: AG p", "live: AG EF q"]);
    check("mutual exclusion: AG p\n", &["mutual exclusion: AG p"]);
    check("\u{FEFF}\"a: b\": \"x#y\" = 1 & \"u:v\"", &["a: b: \"x#y\" = 1 & \"u:v\""]);
    check("a: G größe = 1\nb: p & größe = 1", &["a: AG größe = 1", "b: p & größe = 1"]);
    check("<g> F p", &["1: <g> F p"]);
}

#[test]
fn mistakes_in_lines() {
    check_errors("", "the file has no formula in it (expected lines such as `safe: AG !deadlock`)");
    check_errors(
        "# only this\n",
        "the file has no formula in it (expected lines such as `safe: AG !deadlock`)",
    );
    check_errors(
        "a: AG (p\nb: q\na: p +\n",
        "1:7: this `(` is never closed (a `)` is missing after it)\n\
         3:1: a second formula has the name \"a\" (the first one is in line 1)\n\
         3:7: found the end of the formula, expected a formula (`+` needs an operand after it)",
    );
    check_errors(
        "é: p é q",
        "1:6: found `é`, expected an operator such as `&` before it (a name with spaces goes in quotes)",
    );
    check_errors("x:\n", "1:3: the formula is empty");
    let binary = read_properties(b"AG p\0", &Budget::unlimited());
    assert!(matches!(binary, Err(ReadFailure::Invalid(_))));
}

/// One property of the contest around a formula.
fn contest(formula: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<property-set xmlns=\"http://mcc.lip6.fr/\">\n<property>\n<id>N-1</id>\n\
         <description>said</description>\n<formula>\n{formula}\n</formula>\n</property>\n</property-set>\n"
    )
}

#[test]
fn elements_of_the_contest() {
    let check = |xml: &str, expected: &str| check(&contest(xml), &[&format!("N-1: {expected}")]);
    let (p, q) = (
        "<is-fireable><transition>t</transition></is-fireable>",
        "<is-fireable><transition>t 1</transition><transition>t.2</transition></is-fireable>",
    );
    check(&format!("<all-paths><globally>{p}</globally></all-paths>"), "AG fireable(t)");
    check(&format!("<exists-path><finally>{q}</finally></exists-path>"), "EF fireable(\"t 1\", t.2)");
    check(&format!("<all-paths><next><next>{p}</next></next></all-paths>"), "A (X X fireable(t))");
    check(
        &format!("<exists-path><until><reach>{q}</reach><before>{p}</before></until></exists-path>"),
        "E[fireable(t) U fireable(\"t 1\", t.2)]",
    );
    check(
        &format!("<conjunction>{p}{p}<negation>{p}</negation></conjunction>"),
        "fireable(t) & fireable(t) & !fireable(t)",
    );
    check(&format!("<disjunction>{p}<deadlock/></disjunction>"), "fireable(t) | deadlock");
    check("<implication><true/><false/></implication>", "true -> false");
    check("<exclusive-disjunction><true/><false/></exclusive-disjunction>", "!(true <-> false)");
    check("<invariant><true/></invariant>", "AG true");
    check("<impossibility><true/></impossibility>", "!EF true");
    check(
        "<integer-le><tokens-count><place>a</place><place>b</place></tokens-count><integer-constant>-3</integer-constant></integer-le>",
        "a + b <= -3",
    );
    check(
        "<integer-gt><integer-difference><tokens-count><place>a</place></tokens-count><integer-product><integer-constant>2\
         </integer-constant><tokens-count><place>b</place></tokens-count></integer-product></integer-difference>\
         <integer-constant>1</integer-constant></integer-gt>",
        "a - 2*b > 1",
    );
    let properties = read(&contest("<true/>")).expect("right");
    assert_eq!(properties.properties[0].description.as_deref(), Some("said"));
}

#[test]
fn mistakes_in_the_contest() {
    let check = |xml: &str, expected: &str| check_errors(&contest(xml), expected);
    check("", "6:1: <formula> is empty, expected a formula in it");
    check("<all-path/>", "7:1: found <all-path>, expected a formula (did you mean <all-paths>?)");
    check("<true/><true/>", "6:1: <formula> has 2 formulas in it, expected 1 formula");
    check(
        "<integer-le><true/><integer-constant>x</integer-constant></integer-le>",
        "7:13: found the statement <true>, expected a number\n7:38: \"x\" is not a number, or too large",
    );
    check(
        "<until><before><true/></before></until>",
        "7:1: <until> lacks one of its sides, expected <before> and <reach>",
    );
    check("<is-fireable/>", "7:1: <is-fireable> names no transition");
    check(
        "<place-bound><place>p</place></place-bound>",
        "7:1: found <place-bound>, expected a statement (this file asks for bounds: it belongs to the examination UpperBounds)",
    );
    let deep = format!("{}<true/>{}", "<negation>".repeat(999), "</negation>".repeat(999));
    check(&deep, "7:9971: elements are nested deeper than 1000");
    let deep = format!("{}<true/>{}", "<negation>".repeat(990), "</negation>".repeat(990));
    assert!(read(&contest(&deep)).is_ok());
    check_errors(
        "<html>\n",
        "1:1: the root element is <html>, expected <property-set> (is this a formula file of the Model Checking Contest?)",
    );
}

/// Every formula file of the contest is read, and belongs to the logic of its examination.
#[test]
fn the_corpus_is_read() {
    let Some(folder) = corpus_folder("formula files of the contest") else { return };
    let mut formula_count = 0;
    let mut instances: Vec<_> = std::fs::read_dir(folder.join("mcc")).expect("a folder").flatten().collect();
    instances.sort_by_key(|entry| entry.path());
    // Every seventh instance, so that the test takes a moment only; all of them if asked.
    let step = if std::env::var_os("SYMBOLON_WHOLE_CORPUS").is_some() { 1 } else { 7 };
    for instance in instances.iter().step_by(step).map(|entry| entry.path()) {
        let examinations = [
            ("ReachabilityCardinality", Fragment::Ctl),
            ("ReachabilityFireability", Fragment::Ctl),
            ("CTLCardinality", Fragment::Ctl),
            ("CTLFireability", Fragment::Ctl),
            ("LTLCardinality", Fragment::Ltl),
            ("LTLFireability", Fragment::Ltl),
        ];
        for (examination, fragment) in examinations {
            let path = instance.join(format!("{examination}.xml"));
            let Ok(bytes) = std::fs::read(&path) else { continue };
            let properties = read_properties(&bytes, &Budget::unlimited())
                .unwrap_or_else(|failure| panic!("{}: {failure}", path.display()));
            assert!(properties.warnings.is_empty(), "{}: {:?}", path.display(), properties.warnings);
            assert_eq!(properties.properties.len(), 16, "{}", path.display());
            for property in properties.properties {
                let formula = &property.formula.formula;
                formula_count += 1;
                assert!(formula.fragment() <= fragment, "{}: {formula}", property.id);
                let again = symbolon_logic::parse_formula(&formula.to_string());
                assert_eq!(again.map(|again| again.formula).as_ref(), Ok(formula), "{}", property.id);
            }
        }
    }
    assert!(formula_count >= 16 * 6 * 10, "{formula_count}");
}
