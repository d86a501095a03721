//! The quotient counts what the net does, and its runs are runs of the net.

mod canonicity;
mod families;
mod symmetric_nets;
mod unfolded;

use symbolon_budget::{Budget, Interrupted, Limits};
use symbolon_coloured::families::generate;
use symbolon_coloured::text::read_text;
use symbolon_coloured::{Net, TransitionId};
use symbolon_symmetry::{
    ClassSymmetry, Kind, LiftError, Quotient, QuotientStep, StaticSubclass, Subclass, SymbolicMember,
    Symmetry, explore, find_symmetry,
};

fn quotient(net: &Net) -> Quotient {
    let symmetry = find_symmetry(net, &[], &Budget::unlimited()).expect("unlimited");
    explore(net, &symmetry, &Budget::unlimited()).expect("unlimited")
}

#[test]
fn resources_run_out_without_a_panic() {
    let net = generate("cs-wave:300", &Budget::unlimited()).expect("a family");
    let symmetry = find_symmetry(&net, &[], &Budget::unlimited()).expect("unlimited");
    let small = Budget::for_job(Limits { time: None, memory: Some(100_000) });
    assert_eq!(explore(&net, &symmetry, &small).err(), Some(Interrupted::Memory));
    assert_eq!(small.memory().charged(), 0);
    let cancelled = Budget::unlimited();
    cancelled.cancel();
    assert_eq!(explore(&net, &symmetry, &cancelled).err(), Some(Interrupted::Cancelled));
    // Tokens without end.
    let pump = read_text(b"place p = 9223372036854775800\ntransition t: put p", &Budget::unlimited());
    let net = pump.expect("a net").net;
    let symmetry = find_symmetry(&net, &[], &Budget::unlimited()).expect("unlimited");
    assert_eq!(explore(&net, &symmetry, &Budget::unlimited()).err(), Some(Interrupted::Overflow));
}

#[test]
fn symbolic_markings_are_shown_as_data() {
    let text = "class C = {a, b, c}\nvar x: C\nplace p: C x C = all - ((a,a) + (b,b) + (c,c))\n\
                place q: C\ntransition t: put q(x) take p(x, all - x)";
    let net = read_text(text.as_bytes(), &Budget::unlimited()).expect("a net").net;
    let quotient = quotient(&net);
    let initial = quotient.symbolic_marking(0);
    let of = |subclass, label| SymbolicMember::Of { subclass, label };
    assert_eq!(initial.subclasses, [Subclass { class: symbolon_coloured::ClassId(0), of: 0, size: 3 }]);
    assert_eq!(initial.places, [vec![(vec![of(0, 0), of(0, 1)], 1)], vec![]]);
    assert_eq!((quotient.automorphisms(0), quotient.orbit_size(1)), (1, 3_u32.into()));
    assert_eq!(quotient.totals(1), Some(vec![4, 1]));
    let sizes: Vec<u32> = quotient.symbolic_marking(1).subclasses.iter().map(|one| one.size).collect();
    assert_eq!(sizes.iter().sum::<u32>(), 3);
    assert_eq!(sizes.len(), 2);
    assert_eq!(quotient.symbolic_count(), 4);
    assert_eq!(quotient.dead().collect::<Vec<_>>(), [3]);
    assert!(quotient.is_enabled(0, TransitionId(0)) && !quotient.is_enabled(3, TransitionId(0)));
    let wrong = QuotientStep { transition: TransitionId(0), target: 2 };
    assert_eq!(quotient.lift(&[wrong], &Budget::unlimited()), Err(LiftError::NoSuchStep(0)));
    let right = quotient.steps_from(0);
    assert_eq!(quotient.lift_lasso(&[], right, &Budget::unlimited()), Err(LiftError::NoSuchStep(1)));
}

/// Markings of which nothing is exchanged have as many orbits as there are symbolic markings.
#[test]
fn orbits_are_counted_under_other_permutations_than_those_of_the_net() {
    let budget = Budget::unlimited();
    let nothing = |net: &Net| Symmetry {
        classes: net
            .classes
            .iter()
            .map(|_| ClassSymmetry { kind: Kind::Fixed, reasons: Vec::new() })
            .collect(),
    };
    for family in [
        "client-server:3,2",
        "cs-wave:5",
        "distributed-db:4",
        "distributed-db:4,pairs",
        "philosophers-coloured:5",
        "peterson-coloured:3",
    ] {
        let net = generate(family, &budget).expect("a family");
        let found = find_symmetry(&net, &[], &budget).expect("unlimited");
        let whole = explore(&net, &nothing(&net), &budget).expect("unlimited");
        assert_eq!(figures_count(&whole), whole.symbolic_count(), "{family}");
        let orbits = whole.orbits_under(&found, &budget).expect("unlimited");
        assert_eq!(orbits, quotient(&net).symbolic_count(), "{family}");
    }
    // The one process of five that is treated differently costs a factor of 2.5.
    let net = generate("cs-wave:5", &budget).expect("a family");
    let members = vec![StaticSubclass { members: (0..5).collect() }];
    let free = |class: &symbolon_coloured::Class| match class.size() {
        5 => Kind::Free(members.clone()),
        _ => Kind::Fixed,
    };
    let classes =
        net.classes.iter().map(|class| ClassSymmetry { kind: free(class), reasons: Vec::new() }).collect();
    let quotient = quotient(&net);
    let orbits = quotient.orbits_under(&Symmetry { classes }, &budget).expect("unlimited");
    assert_eq!((quotient.symbolic_count(), orbits), (90, 36));
}

fn figures_count(quotient: &Quotient) -> usize {
    quotient.figures().markings.to_string().parse().expect("a small number")
}
