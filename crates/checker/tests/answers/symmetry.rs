//! Symmetry never changes an answer: coloured nets folded into counters, folded into symbolic
//! markings, and unfolded agree on figures, deadlocks and verdicts. Every run is replayed in the
//! coloured net before it is returned, so a witness that comes back is one.

use num_bigint::BigUint;
use symbolon_budget::Budget;
use symbolon_checker::{
    CheckOptions, DeadlockOptions, EdgesChoice, Job, Loaded, Needs, NetUse, Options, PropertyReport, Source,
    StateCount, StatesReport, Stop, SymmetryChoice, Verdict, names_in_formulas, properties_of_texts,
};
use symbolon_coloured::families::generate;
use symbolon_coloured::text::print_text;
use symbolon_coloured::{ClassId, ColourNames, Net, UnfoldLimits, unfold};
use symbolon_petri::write::write_pnml;
use symbolon_testkit::{RandomNumbers, random_coloured_net, seeds};

fn options(symmetry: SymmetryChoice) -> Options {
    Options { symmetry, edges: EdgesChoice::Yes, ..Options::default() }
}

/// The net, folded as demanded; `None` if it has no symmetry of that kind.
fn folded(net: &Net, symmetry: SymmetryChoice) -> Option<Loaded> {
    folded_for(net, symmetry, &[])
}

/// The same for these formulas, which may be about single members.
fn folded_for(net: &Net, symmetry: SymmetryChoice, formulas: &[String]) -> Option<Loaded> {
    let source = Source::Bytes {
        name: "net.cnet".into(),
        bytes: print_text(net).into_bytes(),
        format: None,
        parameters: Vec::new(),
    };
    let job = Job::new(Budget::unlimited());
    let needs = Needs { net: NetUse::Welcome, names: names_in_formulas(formulas, &[], &[]) };
    match job.load_folded(source, &options(symmetry), needs) {
        Ok(loaded) => Some(loaded),
        Err(Stop::Input(why)) => {
            assert!(why.to_string().contains("cannot be used"), "{why}");
            None
        }
        Err(Stop::Unknown(why)) => panic!("nothing limits it: {why:?}"),
    }
}

/// Formulas about whole places and transitions, of every kind that a net is asked.
fn formulas(net: &Net, seed: u64) -> Vec<String> {
    let mut numbers = RandomNumbers::new(seed);
    formulas_of(|| {
        let place = &numbers.one_of(&net.places).id.clone();
        let other = &numbers.one_of(&net.places).id.clone();
        let transition = &numbers.one_of(&net.transitions).id.clone();
        let bound = numbers.below(4);
        match numbers.below(4) {
            0 => format!("\"{place}\" >= {bound}"),
            1 => format!("\"{place}\" + \"{other}\" <= {bound}"),
            2 => format!("fireable(\"{transition}\")"),
            _ => format!("2 * \"{place}\" > \"{other}\""),
        }
    })
}

/// Formulas about one member of one class, besides whole places and transitions.
fn formulas_about_a_member(net: &Net, seed: u64) -> Vec<String> {
    let mut numbers = RandomNumbers::new(seed);
    let names = ColourNames::of(net);
    let chosen = ClassId(numbers.below(net.classes.len() as u64) as u32);
    let member = numbers.below(net.classes[chosen.index()].size()) as u32;
    // Domains of classes that are not free may have members of their own in the name.
    let one_of = |class: ClassId, numbers: &mut RandomNumbers| match class == chosen {
        true => member,
        false => numbers.below(net.classes[class.index()].size()) as u32,
    };
    formulas_of(|| {
        let place = numbers.one_of(&net.places);
        let transition = numbers.one_of(&net.transitions);
        let bound = numbers.below(3);
        let variables = transition.variables();
        match (numbers.below(4), net.is_dot(&place.domain), variables.first()) {
            (0 | 1, false, _) => {
                let colour: Vec<u32> =
                    place.domain.0.iter().map(|class| one_of(*class, &mut numbers)).collect();
                let id =
                    net.place_ids().find(|id| net.places[id.index()].id == place.id).expect("it is there");
                let name = names.place_instance(net, id, place.domain.code(net, &colour));
                format!("\"{name}\" > {bound}")
            }
            (2, _, Some(&variable)) => {
                let class = net.variables[variable.index()].class;
                let bound = names.member(net, class, one_of(class, &mut numbers)).into_owned();
                format!("fireable(\"{}({}={bound})\")", transition.id, names.variable(net, variable))
            }
            _ => format!("\"{}\" > {bound}", place.id),
        }
    })
}

/// Formulas of these atoms.
fn formulas_of(mut atom: impl FnMut() -> String) -> Vec<String> {
    let shapes: [fn(&str, &str) -> String; 10] = [
        |p, q| format!("EF ({p} & {q})"),
        |p, q| format!("AG ({p} | {q})"),
        |p, q| format!("E[{p} U {q}]"),
        |p, q| format!("AG ({p} -> AF {q})"),
        |p, q| format!("EG ({p} | EX {q})"),
        |p, q| format!("AX EX ({p} & !{q})"),
        |p, q| format!("A (G F ({p}) | F G ({q}))"),
        |p, q| format!("E (({p}) U X ({q}))"),
        |p, _| format!("AG (deadlock -> {p})"),
        |p, _| format!("A (F (deadlock | {p}))"),
    ];
    shapes.into_iter().map(|shape| shape(&format!("({})", atom()), &format!("({})", atom()))).collect()
}

fn verdicts(loaded: &Loaded, formulas: &[String]) -> Vec<PropertyReport> {
    let properties = properties_of_texts(loaded, formulas, None).expect("names of the net").properties;
    let wanted = CheckOptions { witnesses: true, counts: true, ..CheckOptions::default() };
    Job::new(Budget::unlimited()).check(loaded, &properties, wanted, &Options::default()).expect("no limits")
}

/// What of a report does not depend on how the states were found.
fn figures(report: &StatesReport) -> String {
    format!(
        "{} states, {:?} edges, {:?} and {:?} tokens, {:?}",
        report.states,
        report.edges,
        report.max_tokens_in_place,
        report.max_tokens_per_marking,
        report.distances
    )
}

/// In how many markings parts of a formula hold, of those parts that the other report counts, too:
/// what is proved beforehand is left out of either.
fn shared_counts(one: &PropertyReport, other: &PropertyReport) -> Vec<(String, BigUint)> {
    let counted = |report: &PropertyReport| report.satisfied.clone().unwrap_or_default();
    let is_shared = |(text, _): &(String, BigUint)| {
        !text.starts_with("subformula") && counted(other).iter().any(|(known, _)| known == text)
    };
    counted(one).into_iter().filter(is_shared).collect()
}

/// Compares all answers. Returns how many kinds of symmetry the net has, and how many runs were
/// shown.
fn check(net: &Net, seed: u64) -> (usize, usize) {
    let whole = folded(net, SymmetryChoice::Off).expect("it can be unfolded");
    let formulas = formulas(net, seed);
    let job = Job::new(Budget::unlimited());
    let expected = verdicts(&whole, &formulas);
    let states = job.states_with_distances(&whole, &Options::default()).expect("no limits");
    let all = job.states(&whole, &options(SymmetryChoice::Off)).expect("no limits");
    let dead = job.deadlock(&whole, DeadlockOptions::default(), &Options::default()).expect("no limits");
    let (mut kinds, mut runs) = (0, 0);
    for symmetry in [SymmetryChoice::Counters, SymmetryChoice::Markings] {
        let Some(loaded) = folded(net, symmetry) else { continue };
        kinds += 1;
        let context = format!("{}, {symmetry:?}", net.name);
        let found = job.states(&loaded, &options(symmetry)).expect("no limits");
        assert_eq!(figures(&found), figures(&all), "{context}");
        let distances = job.states_with_distances(&loaded, &options(symmetry)).expect("no limits");
        assert_eq!(distances.distances, states.distances, "{context}");
        let answer =
            job.deadlock(&loaded, DeadlockOptions::default(), &Options::default()).expect("no limits");
        assert_eq!((answer.deadlock, &answer.distance), (dead.deadlock, &dead.distance), "{context}");
        runs += usize::from(answer.witness.is_some());
        for (one, other) in verdicts(&loaded, &formulas).iter().zip(&expected) {
            assert_eq!(one.verdict, other.verdict, "{context}: {}", one.formula);
            assert_ne!(one.verdict.is_known(), matches!(one.verdict, Verdict::Unknown(_)));
            assert_eq!(shared_counts(one, other), shared_counts(other, one), "{context}: {}", one.formula);
            runs += usize::from(one.witness.is_some());
        }
    }
    (kinds, runs)
}

#[test]
fn answers_about_families_are_the_same() {
    for (family, kinds) in [
        ("client-server:3,2", 2),
        ("cs-wave:4", 2),
        ("peterson-coloured:3", 2),
        ("distributed-db:3", 2),
        ("distributed-db:3,pairs", 1),
        ("philosophers-coloured:4", 1),
    ] {
        let net = generate(family, &Budget::unlimited()).expect("a family");
        let (found, runs) = check(&net, 7);
        assert_eq!(found, kinds, "{family}");
        assert!(runs > 0, "{family}");
    }
}

#[test]
fn answers_about_random_nets_are_the_same() {
    let (mut nets, mut kinds, mut runs) = (0, 0, 0);
    for seed in seeds(120) {
        let net = random_coloured_net(seed);
        let unfolded = folded(&net, SymmetryChoice::Off).expect("it can be unfolded");
        // Nets that grow without bound are for other tests.
        if unfolded.unbounded_place().is_some()
            || Job::new(Budget::unlimited()).list_states(&unfolded, 500).is_err()
        {
            continue;
        }
        let (found, shown) = check(&net, seed);
        nets += usize::from(found > 0);
        kinds += found;
        runs += shown;
    }
    println!("{nets} nets with symmetry, folded in {kinds} ways, {runs} runs");
    if std::env::var_os("SYMBOLON_SEED").is_none() {
        assert!(nets > 5 && runs > 20, "{nets} nets, {runs} runs");
    }
}

/// What is asked about one member is answered where that member is told apart from the others.
#[test]
fn answers_about_single_members_are_the_same() {
    let mut nets: Vec<(Net, u64)> = [
        "client-server:4,3",
        "cs-wave:4",
        "peterson-coloured:3",
        "distributed-db:4",
        "distributed-db:4,pairs",
    ]
    .iter()
    .flat_map(|family| {
        let net = generate(family, &Budget::unlimited()).expect("a family");
        (0..8).map(move |seed| (net.clone(), seed))
    })
    .collect();
    for seed in seeds(120) {
        let net = random_coloured_net(seed);
        let unfolded = folded(&net, SymmetryChoice::Off).expect("it can be unfolded");
        if unfolded.unbounded_place().is_none()
            && Job::new(Budget::unlimited()).list_states(&unfolded, 500).is_ok()
        {
            nets.push((net, seed));
        }
    }
    let (mut kinds, mut singles) = ([0, 0], 0);
    for (net, seed) in nets {
        let formulas = formulas_about_a_member(&net, seed);
        let whole = folded(&net, SymmetryChoice::Off).expect("it can be unfolded");
        let expected = verdicts(&whole, &formulas);
        for (kind, symmetry) in [SymmetryChoice::Counters, SymmetryChoice::Markings].into_iter().enumerate() {
            let Some(loaded) = folded_for(&net, symmetry, &formulas) else { continue };
            let context = format!("{}, seed {seed}, {symmetry:?}", net.name);
            kinds[kind] += 1;
            singles += names_in_formulas(&formulas, &[], &[]).len();
            for (one, other) in verdicts(&loaded, &formulas).iter().zip(&expected) {
                assert_eq!(one.verdict, other.verdict, "{context}: {}", one.formula);
                assert_eq!(
                    shared_counts(one, other),
                    shared_counts(other, one),
                    "{context}: {}",
                    one.formula
                );
            }
        }
    }
    println!("folded {kinds:?} times for {singles} names of single members");
    if std::env::var_os("SYMBOLON_SEED").is_none() {
        assert!(kinds[0] > 20 && kinds[1] > 20 && singles > 100, "{kinds:?}, {singles} names");
    }
}

/// Place/transition nets say nowhere which processes are alike: those are found.
#[test]
fn members_of_place_transition_nets_are_found() {
    for family in ["client-server:6,4", "cs-wave:6"] {
        let net = generate(family, &Budget::unlimited()).expect("a family");
        let unfolded = unfold(&net, UnfoldLimits::default(), &Budget::unlimited()).expect("it is small");
        let source = || Source::Bytes {
            name: "net.pnml".into(),
            bytes: write_pnml(&unfolded.net).into_bytes(),
            format: None,
            parameters: Vec::new(),
        };
        let job = Job::new(Budget::unlimited());
        let states = |symmetry| {
            let options = options(symmetry);
            let loaded = job.load_folded(source(), &options, NetUse::Unused).expect("it has symmetry");
            job.states(&loaded, &options).expect("no limits")
        };
        let plain = states(SymmetryChoice::Auto);
        assert_eq!(plain.symbolic_states, None, "{family}");
        for symmetry in [SymmetryChoice::Counters, SymmetryChoice::Markings, SymmetryChoice::On] {
            let found = states(symmetry);
            assert_eq!(figures(&found), figures(&plain), "{family}, {symmetry:?}");
            let symbolic = found.symbolic_states.expect("it is folded");
            assert!(symbolic * 10_u32 < figures_count(&plain), "{family}, {symmetry:?}");
        }
        // Its formulas name single places.
        let wanted = options(SymmetryChoice::On);
        let refused = job.load_folded(source(), &wanted, NetUse::Welcome).expect_err("it is refused");
        assert!(matches!(&refused, Stop::Input(why) if why.to_string().contains("‹states›")), "{refused:?}");
    }
}

/// Each process of one class owns one resource of another: they can be exchanged only together.
#[test]
fn classes_that_the_initial_marking_links_are_exchanged_together() {
    let owns: Vec<String> = (1..=6).map(|i| format!("(p{i}, r{i})")).collect();
    let text = format!(
        "class P = {{p1, p2, p3, p4, p5, p6}}\nclass R = {{r1, r2, r3, r4, r5, r6}}\nvar x: P\nvar y: R\n\
         place idle: P = all\nplace busy: P\nplace owns: P x R = {}\nplace free: R = all\n\
         transition start: take idle(x), free(y), owns(x, y) put busy(x), owns(x, y)\n\
         transition stop: take busy(x), owns(x, y) put idle(x), free(y), owns(x, y)\n",
        owns.join(" + "),
    );
    let job = Job::new(Budget::unlimited());
    let states = |symmetry| {
        let source = Source::Bytes {
            name: "net.cnet".into(),
            bytes: text.clone().into_bytes(),
            format: None,
            parameters: Vec::new(),
        };
        let options = options(symmetry);
        let loaded = job.load_folded(source, &options, NetUse::Unused).expect("it is a good net");
        job.states(&loaded, &options).expect("no limits")
    };
    let (whole, folded) = (states(SymmetryChoice::Off), states(SymmetryChoice::On));
    assert_eq!(figures(&folded), figures(&whole));
    assert_eq!((figures_count(&whole), folded.symbolic_states), (64_u32.into(), Some(7_u32.into())));
}

fn figures_count(report: &StatesReport) -> BigUint {
    match &report.states {
        StateCount::Finite(count) => count.clone(),
        other => panic!("it is finite: {other:?}"),
    }
}
