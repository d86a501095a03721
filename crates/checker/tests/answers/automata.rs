//! Automata as properties: the verdict on an LTL formula and on its automaton as HOA text agree.

use crate::nets::{loaded, net};
use symbolon_budget::Budget;
use symbolon_checker::{
    CheckOptions, Diagram, DiagramKind, FormulaFile, Job, Loaded, Options, Paths, PropertyReport, Source,
    Stop, Verdict, properties_of_texts,
};
use symbolon_testkit::{RandomNumbers, random_net, seeds};

/// An LTL formula as text, over these atoms.
fn random_ltl(numbers: &mut RandomNumbers, atoms: &[String], size: u64) -> String {
    if size <= 1 {
        return numbers.one_of(atoms).clone();
    }
    if numbers.percent(55) {
        let operator = *numbers.one_of(&["!", "X", "F", "G", "G F", "F G"]);
        return format!("{operator} ({})", random_ltl(numbers, atoms, size - 1));
    }
    let left = numbers.between(1, size - 1);
    let operator = *numbers.one_of(&["&", "|", "->", "U", "W", "R"]);
    let first = random_ltl(numbers, atoms, left);
    format!("({first}) {operator} ({})", random_ltl(numbers, atoms, size - left))
}

/// Comparisons of places and whether transitions may fire.
fn atoms_of(loaded: &Loaded, numbers: &mut RandomNumbers) -> Vec<String> {
    let model = loaded.model();
    let mut atoms = vec!["deadlock".to_string()];
    for variable in &model.variables {
        atoms.push(format!("\"{}\" > {}", variable.name, numbers.below(3)));
    }
    atoms.extend(model.events.iter().map(|event| format!("fireable(\"{}\")", event.name)));
    numbers.shuffle(&mut atoms);
    atoms.truncate(3);
    atoms
}

fn hoa_file(text: &str) -> FormulaFile {
    FormulaFile { name: "never.hoa".to_string(), bytes: text.as_bytes().to_vec() }
}

/// What is reported on an automaton, given as text.
fn check_automaton(
    loaded: &Loaded,
    text: &str,
    paths: Paths,
    options: &Options,
) -> Result<PropertyReport, Stop> {
    let job = Job::new(Budget::unlimited());
    let automaton = job.automaton_of_file(loaded, &hoa_file(text), Some(paths))?;
    let wanted = CheckOptions { witnesses: true, ..CheckOptions::default() };
    Ok(job.check_automata(loaded, &[automaton], 0, wanted, options)?.remove(0))
}

#[test]
fn formulas_and_their_automata_have_the_same_verdicts() {
    let mut counts = [0_u32; 2];
    for seed in seeds(150) {
        let loaded = loaded(random_net(seed));
        if loaded.unbounded_place().is_some() {
            continue;
        }
        let mut numbers = RandomNumbers::new(seed);
        for _ in 0..4 {
            let atoms = atoms_of(&loaded, &mut numbers);
            let size = numbers.between(2, 7);
            let formula = random_ltl(&mut numbers, &atoms, size);
            // A quantifier, so that a formula without temporal operators is about paths, too.
            let formula = format!("A ({formula})");
            let paths = *numbers.one_of(&[Paths::Stutter, Paths::Infinite]);
            let properties =
                properties_of_texts(&loaded, std::slice::from_ref(&formula), Some(paths)).expect("right");
            let job = Job::new(Budget::unlimited());
            let direct = job
                .check(&loaded, &properties.properties, CheckOptions::default(), &Options::default())
                .expect("checked")[0]
                .verdict
                .clone();
            let text = job.violating_runs(&properties.properties[0]).expect("an automaton");
            let kinds = DiagramKind::ALL.iter().map(|&kind| Diagram::Kind(kind));
            for diagram in kinds.chain([Diagram::Auto, Diagram::Explicit]) {
                let options = Options { diagram, ..Options::default() };
                let report = check_automaton(&loaded, &text, paths, &options).expect("right");
                assert_eq!(report.verdict, direct, "{formula} on {paths} by {diagram:?}\n{text}");
                let is_refuted = report.verdict == Verdict::Fails;
                assert_eq!(report.witness.is_some(), is_refuted, "{formula}: a run shows it\n{text}");
            }
            counts[usize::from(direct == Verdict::Holds)] += 1;
        }
    }
    let all: u32 = counts.iter().sum();
    assert!(all < 100 || counts.iter().all(|&count| count > all / 5), "one verdict is rare: {counts:?}");
}

#[test]
fn automata_beyond_ltl() {
    // The place is marked after every even number of steps: not a property of LTL.
    let even = |label: &str| {
        format!(
            "HOA: v1 States: 3 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY--
            State: 0 [{label}] 1 [!({label})] 2 State: 1 [t] 0 State: 2 [t] 2 {{0}} --END--"
        )
    };
    let loaded = loaded(net("a=1 b\nt: a -> b\nu: b -> a"));
    let verdict = |label: &str| {
        check_automaton(&loaded, &even(label), Paths::Stutter, &Options::default()).expect("right").verdict
    };
    assert_eq!(verdict("0"), Verdict::Holds);
    assert_eq!(verdict("!0"), Verdict::Fails);
}

#[test]
fn automata_of_agents() {
    let source = Source::Family("bit-transmission".to_string());
    let job = Job::new(Budget::unlimited());
    let loaded = job.load(source).expect("a family");
    let texts = ["A (G F acknowledged)".to_string(), "A (G (received -> X received))".to_string()];
    let properties = properties_of_texts(&loaded, &texts, Some(Paths::Infinite)).expect("right").properties;
    let wanted = CheckOptions { witnesses: true, ..CheckOptions::default() };
    let direct = job.check(&loaded, &properties, wanted, &Options::default()).expect("checked");
    for (property, direct) in properties.iter().zip(direct) {
        let text = job.violating_runs(property).expect("an automaton");
        let report = check_automaton(&loaded, &text, Paths::Infinite, &Options::default()).expect("right");
        assert_eq!(report.verdict, direct.verdict, "{}", property.text());
        assert_eq!(report.witness.is_some(), report.verdict == Verdict::Fails, "{}", property.text());
    }
}

#[test]
fn what_is_refused() {
    let loaded = loaded(net("a=1 b\nt: a -> b\nu: b -> a"));
    let check = |text: &str, expected: &[&str]| {
        let Err(Stop::Input(symbolon_checker::Error::Input(errors))) =
            check_automaton(&loaded, text, Paths::Stutter, &Options::default())
        else {
            panic!("{text} is accepted")
        };
        let shown = |error: &symbolon_checker::InputError| {
            let place = (error.line.unwrap_or(0), error.column.unwrap_or(0));
            format!("{}:{}: {}", place.0, place.1, error.message)
        };
        assert_eq!(errors.iter().map(shown).collect::<Vec<_>>(), expected, "{text}");
    };
    let with = |names: &str, rest: &str| {
        format!("HOA: v1 States: 1 Start: 0 AP: {names}\n{rest} --BODY-- State: 0 [t] 0 --END--")
    };
    let all = "Acceptance: 0 t";
    check(&with("1 \"c\"", all), &["1:35: the net has no place \"c\""]);
    check(
        &with("2 \"c\" \"a & d > 1\"", all),
        &["1:35: the net has no place \"c\"", "1:43: the net has no place \"d\""],
    );
    check(
        &with("1 \"F a\"", all),
        &["1:35: proposition \"F a\" is about a path, expected a formula about one state"],
    );
    check(
        &with("1 \"a\"", "acc-name: co-Buchi Acceptance: 1 Fin(0)"),
        &["2:34: the acceptance condition 'co-Buchi', with 'Fin', is not supported"],
    );
    check(
        &with("1 \"a\"", "acc-name: Rabin 1 Acceptance: 2 Fin(0) & Inf(1)"),
        &["2:33: the acceptance condition 'Rabin 1', with 'Fin', is not supported"],
    );
    check("no automaton", &["1:1: the text does not begin with 'HOA: v1'"]);
    let Err(Stop::Input(_)) = check_automaton(&loaded, &with("0", all), Paths::Maximal, &Options::default())
    else {
        panic!("maximal paths may end")
    };
}

#[test]
fn formulas_without_an_automaton() {
    let loaded = loaded(net("a=1 b\nt: a -> b\nu: b -> a"));
    let job = Job::new(Budget::unlimited());
    let check = |formula: &str, paths: Option<Paths>, is_right: bool| {
        let properties = properties_of_texts(&loaded, &[formula.to_string()], paths).expect("right");
        assert_eq!(job.violating_runs(&properties.properties[0]).is_ok(), is_right, "{formula}");
    };
    check("G F a", None, true);
    check("AG a", None, true);
    check("AX a", None, false);
    check("X a", None, true);
    check("X a", Some(Paths::Maximal), false);
    check("EF a", None, false);
    check("AG EF a", None, false);
    check("a", None, false);
}
