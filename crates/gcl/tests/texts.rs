//! Programs as text: what is printed is read as the same tree, nets survive the way there and back,
//! and no bytes make the reader panic or talkative.

use std::time::Instant;
use symbolon_budget::Budget;
use symbolon_explicit::{Options, explore};
use symbolon_gcl::tree::{
    Added, At, Binder, Command, Component, Constant, Domain, Enumeration, Expr, ExprKind, Factor,
    FormulaWord, Initial, Item, Loop, Name, Process, Property, Quantifier, Reference, ReferencePart, Update,
    Variables,
};
use symbolon_gcl::{Program, examples, load, load_tree, of_model, parse};
use symbolon_model::{Change, Comparison, Model, Part, Predicate};
use symbolon_petri::{lower, net_of};
use symbolon_source::ReadFailure;
use symbolon_testkit::{RandomNumbers, random_model, random_net, seeds};

#[track_caller]
fn survives(program: &Program) {
    let text = program.to_string();
    let again = parse(text.as_bytes(), &Budget::unlimited());
    assert_eq!(again.as_ref(), Ok(program), "{text}");
    assert_eq!(again.expect("just compared").to_string(), text);
}

#[test]
fn examples_survive_printing() {
    for example in examples() {
        survives(&parse(example.text.as_bytes(), &Budget::unlimited()).expect("a program"));
    }
}

#[test]
fn random_trees_survive_printing() {
    for seed in seeds(500) {
        let mut random = RandomNumbers::new(seed);
        survives(&random_program(&mut random));
    }
}

#[test]
fn nets_survive_the_way_there_and_back() {
    for seed in seeds(200) {
        let net = random_net(seed);
        let model = lower(&net);
        let text = of_model(&model).expect("nets have no agents").to_string();
        let loaded = load(text.as_bytes(), &[], &Budget::unlimited())
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        same_model(&loaded.model, &model, &text);
        assert!(loaded.warnings.iter().all(|warning| warning.message.contains("never happens")), "{text}");
        // The net of the model may have other arcs, but means the same.
        same_model(&lower(&net_of(&loaded.model).expect("all parts are local")), &model, &text);
    }
}

#[track_caller]
fn same_model(found: &Model, wanted: &Model, text: &str) {
    assert_eq!(found.name, wanted.name);
    assert_eq!(found.variables, wanted.variables, "{text}");
    assert_eq!(found.initial, wanted.initial, "{text}");
    assert_eq!(found.events.len(), wanted.events.len(), "{text}");
    for (found, wanted) in found.events.iter().zip(&wanted.events) {
        assert_eq!(found.name, wanted.name);
        // A place that is neither tested nor changed makes a part of its own in a net, and none in
        // a program.
        let acts = |part: &&Part| {
            !matches!(part, Part::Local { at_least: 0, at_most: u64::MAX, change: Change::Add(0), .. })
        };
        let never = |part: &Part| match part {
            Part::Local { at_least, at_most, .. } => at_least > at_most,
            Part::General { guard, .. } => **guard == Predicate::False,
            _ => false,
        };
        if wanted.parts.iter().any(never) {
            assert!(found.parts.iter().any(never), "{text}");
            continue;
        }
        let wanted: Vec<_> = wanted.parts.iter().filter(acts).collect();
        assert_eq!(found.parts.iter().collect::<Vec<_>>(), wanted, "{text}");
    }
    assert_eq!(found.components, wanted.components, "{text}");
}

/// How many states and edges there are, and whether it is all.
fn figures(model: &Model) -> (usize, u64, usize) {
    let options = Options { state_limit: Some(20_000) };
    let found = explore(model, &options, &Budget::unlimited()).expect("few states");
    (found.state_count(), found.edge_count(), found.dead_states().len())
}

#[test]
fn models_with_several_initial_states_keep_their_states() {
    for seed in seeds(60) {
        let model = random_model(seed);
        let program = of_model(&model).expect("no agents");
        let loaded = load_tree(&program, &[], &Budget::unlimited()).expect("a program");
        assert_eq!(figures(&loaded.model), figures(&model), "{program}");
    }
}

#[test]
fn general_models_keep_their_states() {
    for example in examples() {
        let model = load(example.text.as_bytes(), &[], &Budget::unlimited()).expect("an example").model;
        let text = of_model(&model).expect("no agents").to_string();
        let again = load(text.as_bytes(), &[], &Budget::unlimited())
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(figures(&again.model), figures(&model), "{text}");
    }
}

/// Reads bytes of any kind: no panic, few messages, and if there is a tree, it survives printing.
fn try_bytes(bytes: &[u8]) {
    match load(bytes, &[], &Budget::unlimited()) {
        Ok(loaded) => assert!(!loaded.model.initial.is_empty() || loaded.model.initially.is_some()),
        Err(ReadFailure::Invalid(error)) => {
            assert!(error.first().is_some());
            let errors = error.diagnostics.iter().filter(|d| d.severity == symbolon_source::Severity::Error);
            assert!(errors.count() <= 6, "{error}");
        }
        Err(ReadFailure::Interrupted(why)) => panic!("unlimited, yet {why}"),
    }
    if let Ok(program) = parse(bytes, &Budget::unlimited()) {
        survives(&program);
    }
}

#[test]
fn mutated_programs_make_no_panic() {
    let pieces: Vec<&str> =
        examples().iter().flat_map(|example| example.text.split_inclusive([' ', '\n'])).collect();
    for seed in seeds(1500) {
        let mut random = RandomNumbers::new(seed);
        let mut bytes = random.one_of(examples()).text.as_bytes().to_vec();
        for _ in 0..random.between(1, 6) {
            let at = random.below(bytes.len() as u64 + 1) as usize;
            let end = (at + random.below(12) as usize).min(bytes.len());
            match random.below(5) {
                0 => drop(bytes.drain(at..end)),
                1 => {
                    let piece = random.one_of(&pieces).as_bytes().to_vec();
                    bytes.splice(at..end, piece);
                }
                2 => bytes.insert(at, random.below(256) as u8),
                3 => {
                    let copy = bytes[at..end].to_vec();
                    bytes.splice(at..at, copy);
                }
                _ => {
                    let number = [0, 1, 2, 17, i64::MAX as u64][random.below(5) as usize].to_string();
                    bytes.splice(at..end, number.into_bytes());
                }
            }
        }
        // Large numbers make large models: they are cut short, not computed.
        try_bytes(&bytes);
    }
}

#[test]
fn a_megabyte_of_garbage_is_refused_at_once() {
    const LENGTH: usize = 1 << 17;
    let mut random = RandomNumbers::new(7);
    let noise: Vec<u8> = (0..1 << 20).map(|_| random.between(1, 255) as u8).collect();
    let repeated = |text: &str| text.repeat(LENGTH / text.len()).into_bytes();
    let long_sum = format!("const N = {}1", "1 + ".repeat(LENGTH / 4));
    let deep = format!("const N = {}1{}", "(".repeat(LENGTH / 2), ")".repeat(LENGTH / 2));
    let texts = [
        noise,
        repeated("("),
        repeated("!"),
        repeated("for i in 0..9 { "),
        repeated("x "),
        repeated("a: b -> c' = d\n"),
        repeated("\""),
        repeated("\"x\n"),
        repeated("property p: AG ("),
        repeated("@"),
        repeated("§ "),
        repeated("/*"),
        repeated("var x"),
        repeated("if "),
        repeated("-"),
        repeated("}\n"),
        long_sum.into_bytes(),
        deep.into_bytes(),
        b"var x: nat = 0 a: forall i in 0..9999999999 (x > i) -> skip".to_vec(),
        b"var x[99999999]: nat = 0".to_vec(),
        b"process p[i in 0..9223372036854775807] { var x: nat = 0 }".to_vec(),
        b"for i in 0..9999, j in 0..9999, k in 0..9999 { a: true -> skip } var x: nat = 0".to_vec(),
        b"var x: 0..9 = 0 property p: forall i in 0..9999 (forall j in 0..9999 (AG x = i + j))".to_vec(),
    ];
    for bytes in texts {
        let begin = Instant::now();
        let head = String::from_utf8_lossy(&bytes[..bytes.len().min(40)]).into_owned();
        try_bytes(&bytes);
        // Generous: the machine may be busy. What is slow here takes minutes.
        assert!(begin.elapsed().as_secs() < 60, "{head}");
    }
}

fn random_name(random: &mut RandomNumbers) -> Name {
    const NAMES: &[&str] =
        &["x", "y", "state", "größe", "a b", "for", "A", "3x", "", "a\"\\\n", "p.1", "_", "N"];
    Name::from(*random.one_of(NAMES))
}

fn random_reference(random: &mut RandomNumbers, depth: u32) -> Reference {
    let parts = (0..random.between(1, 2)).map(|_| ReferencePart {
        name: random_name(random),
        index: random.percent(30).then(|| Box::new(random_expr(random, depth.saturating_sub(1)))),
    });
    Reference { parts: parts.collect() }
}

fn random_binder(random: &mut RandomNumbers, depth: u32) -> Binder {
    let name = random_name(random);
    Binder { name, from: random_expr(random, depth), to: random_expr(random, depth) }
}

fn random_expr(random: &mut RandomNumbers, depth: u32) -> Expr {
    if depth == 0 {
        return match random.below(3) {
            0 => ExprKind::Number(random.below(100) as i64).into(),
            1 => ExprKind::Truth(random.percent(50)).into(),
            _ => ExprKind::Reference(random_reference(random, 0)).into(),
        };
    }
    let inner = |random: &mut RandomNumbers| Box::new(random_expr(random, depth - 1));
    let several = |random: &mut RandomNumbers| {
        (0..random.between(2, 3)).map(|_| random_expr(random, depth - 1)).collect()
    };
    let kind = match random.below(13) {
        0 => ExprKind::Negative(inner(random)),
        1 => ExprKind::Not(inner(random)),
        2 => {
            let first = inner(random);
            let rest = (0..random.between(1, 2))
                .map(|_| (*random.one_of(&[Added::Plus, Added::Minus]), random_expr(random, depth - 1)));
            ExprKind::Sum(first, rest.collect())
        }
        3 => {
            let first = inner(random);
            let factors = [Factor::Times, Factor::Over, Factor::Remainder];
            let rest =
                (0..random.between(1, 2)).map(|_| (*random.one_of(&factors), random_expr(random, depth - 1)));
            ExprKind::Product(first, rest.collect())
        }
        4 => {
            use Comparison::*;
            let comparison = *random.one_of(&[Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual]);
            ExprKind::Compare(inner(random), comparison, inner(random))
        }
        5 => ExprKind::And(several(random)),
        6 => ExprKind::Or(several(random)),
        7 => ExprKind::Implies(several(random)),
        8 => ExprKind::Equivalent(several(random)),
        9 => ExprKind::If(inner(random), inner(random), inner(random)),
        10 => {
            let quantifier = *random.one_of(&[Quantifier::Forall, Quantifier::Exists, Quantifier::Sum]);
            ExprKind::Quantified(quantifier, Box::new(random_binder(random, depth - 1)), inner(random))
        }
        _ => ExprKind::Reference(random_reference(random, depth)),
    };
    kind.into()
}

fn random_item(random: &mut RandomNumbers, depth: u32) -> Item {
    let names = |random: &mut RandomNumbers| (0..random.between(1, 3)).map(|_| random_name(random)).collect();
    let items = |random: &mut RandomNumbers, kinds: &[u64]| -> Vec<Item> {
        let mut items = Vec::new();
        for _ in 0..random.below(3) {
            let kind = *random.one_of(kinds);
            items.push(random_item_of(random, kind, depth.saturating_sub(1)));
        }
        items
    };
    match random.below(9) {
        5 if depth > 0 => {
            let binders = (0..random.between(1, 2)).map(|_| random_binder(random, 1)).collect();
            Item::Loop(Loop { binders, items: items(random, &[4]) })
        }
        6 if depth > 0 => {
            let (name, binder) = (random_name(random), random.percent(50).then(|| random_binder(random, 1)));
            Item::Process(Process { name, binder, items: items(random, &[2, 4]) })
        }
        1 => Item::Enumeration(Enumeration { name: random_name(random), values: names(random) }),
        kind => random_item_of(random, kind, depth),
    }
}

fn random_item_of(random: &mut RandomNumbers, kind: u64, depth: u32) -> Item {
    let exprs = |random: &mut RandomNumbers| {
        (0..random.between(1, 3)).map(|_| random_expr(random, 2)).collect::<Vec<_>>()
    };
    match kind {
        0 => Item::Constant(Constant {
            is_parameter: random.percent(50),
            name: random_name(random),
            value: random_expr(random, depth + 2),
        }),
        2 => {
            let domain = match random.below(5) {
                0 => Domain::Natural,
                1 => Domain::Boolean,
                2 => Domain::Range(random_expr(random, 2), random_expr(random, 2)),
                3 => Domain::Values(vec![random_name(random), random_name(random)]),
                _ => Domain::Named(random_name(random)),
            };
            let initial = match random.below(6) {
                0 => None,
                1 => Some(Initial::Any),
                2 => Some(Initial::OneOf(exprs(random))),
                3 => Some(Initial::Each(exprs(random))),
                4 => Some(Initial::Range(random_expr(random, 2), random_expr(random, 2))),
                _ => Some(Initial::Value(random_expr(random, 2))),
            };
            let names = (0..random.between(1, 2))
                .map(|_| (random_name(random), random.percent(30).then(|| random_expr(random, 2))));
            Item::Variables(Variables { names: names.collect(), domain, initial })
        }
        3 => Item::Initially(random_expr(random, 3)),
        7 => Item::Component(Component {
            name: random_name(random),
            parent: random.percent(50).then(|| random_name(random)),
            variables: (0..random.below(3)).map(|_| random_reference(random, 1)).collect(),
        }),
        8 => {
            let word = |text: &str, is_glued| FormulaWord { text: text.into(), is_glued, at: At::default() };
            let words = vec![word("AG", false), word("(", false), word("x", true), word(")", true)];
            Item::Property(Property { name: random_name(random), words })
        }
        _ => Item::Command(Command {
            name: random_name(random),
            guard: random_expr(random, 4),
            updates: (0..random.below(4))
                .map(|_| Update { target: random_reference(random, 1), value: random_expr(random, 3) })
                .collect(),
        }),
    }
}

fn random_program(random: &mut RandomNumbers) -> Program {
    let name = random.percent(50).then(|| random_name(random));
    let items = (0..random.between(1, 6)).map(|_| random_item(random, 2)).collect();
    Program { name, items }
}
