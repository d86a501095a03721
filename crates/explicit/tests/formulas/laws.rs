//! Laws that hold of every model, checked on random ones with random operands.

use symbolon_budget::Budget;
use symbolon_explicit::{CheckOptions, Checker, Method};
use symbolon_logic::{Builder, Formula, FormulaId, Operator, Paths, negation_normal_form, reduce_to_stutter};
use symbolon_model::Atom;
use symbolon_testkit::{Logic, random_formula, random_model, seeds};

type Law = fn(&mut Builder<Atom>, FormulaId, FormulaId) -> (FormulaId, FormulaId);

fn exists(b: &mut Builder<Atom>, operator: Operator<Atom>) -> FormulaId {
    let path = b.add(operator);
    b.add(Operator::Exists(path))
}

fn for_all(b: &mut Builder<Atom>, operator: Operator<Atom>) -> FormulaId {
    let path = b.add(operator);
    b.add(Operator::ForAll(path))
}

/// `EX f`, or the path ends here: `e` holds in what may come next, if anything has to.
fn next_or_end(b: &mut Builder<Atom>, f: FormulaId) -> FormulaId {
    let next = exists(b, Operator::Next(f));
    let deadlock = b.add(Operator::Deadlock);
    b.add(Operator::Or(deadlock, next))
}

/// A law, the path semantics it holds under, and its two sides for operands `f` and `g`.
const LAWS: &[(&str, &[Paths], Law)] = &[
    ("E(f U g) = g | f & EX E(f U g)", &[Paths::Maximal, Paths::Stutter], |b, f, g| {
        let until = exists(b, Operator::Until(f, g));
        let next = exists(b, Operator::Next(until));
        let step = b.add(Operator::And(f, next));
        (until, b.add(Operator::Or(g, step)))
    }),
    ("E(f U g) = E g | f & EX E(f U g)", &Paths::ALL, |b, f, g| {
        let until = exists(b, Operator::Until(f, g));
        let next = exists(b, Operator::Next(until));
        let step = b.add(Operator::And(f, next));
        let now = b.add(Operator::Exists(g));
        (until, b.add(Operator::Or(now, step)))
    }),
    ("EG f = f & EX EG f", &[Paths::Stutter, Paths::Infinite], |b, f, _| {
        let globally = exists(b, Operator::Globally(f));
        let next = exists(b, Operator::Next(globally));
        (globally, b.add(Operator::And(f, next)))
    }),
    ("EG f = f & (deadlock | EX EG f)", &[Paths::Maximal], |b, f, _| {
        let globally = exists(b, Operator::Globally(f));
        let next = next_or_end(b, globally);
        (globally, b.add(Operator::And(f, next)))
    }),
    ("A(f U g) = !(E(!g U (!f & !g)) | EG !g)", &Paths::ALL, |b, f, g| {
        let until = for_all(b, Operator::Until(f, g));
        let (not_f, not_g) = (b.add(Operator::Not(f)), b.add(Operator::Not(g)));
        let neither = b.add(Operator::And(not_f, not_g));
        let bad = exists(b, Operator::Until(not_g, neither));
        let never = exists(b, Operator::Globally(not_g));
        let either = b.add(Operator::Or(bad, never));
        (until, b.add(Operator::Not(either)))
    }),
    ("A(f W g) = A(g R (f | g))", &Paths::ALL, |b, f, g| {
        let weak = for_all(b, Operator::WeakUntil(f, g));
        let either = b.add(Operator::Or(f, g));
        (weak, for_all(b, Operator::Release(g, either)))
    }),
    ("E(f R g) = E(g W (f & g))", &Paths::ALL, |b, f, g| {
        let release = exists(b, Operator::Release(f, g));
        let both = b.add(Operator::And(f, g));
        (release, exists(b, Operator::WeakUntil(g, both)))
    }),
    ("AG f = A !F !f", &Paths::ALL, |b, f, _| {
        let globally = for_all(b, Operator::Globally(f));
        let not = b.add(Operator::Not(f));
        let finally = b.add(Operator::Finally(not));
        (globally, for_all(b, Operator::Not(finally)))
    }),
    ("E(F f | G g) = EF f | EG g", &Paths::ALL, |b, f, g| {
        let (finally, globally) = (b.add(Operator::Finally(f)), b.add(Operator::Globally(g)));
        let together = exists(b, Operator::Or(finally, globally));
        let (ef, eg) = (b.add(Operator::Exists(finally)), b.add(Operator::Exists(globally)));
        (together, b.add(Operator::Or(ef, eg)))
    }),
    ("E(X f & X g) = EX (f & g)", &Paths::ALL, |b, f, g| {
        let (next_f, next_g) = (b.add(Operator::Next(f)), b.add(Operator::Next(g)));
        let both = b.add(Operator::And(f, g));
        (exists(b, Operator::And(next_f, next_g)), exists(b, Operator::Next(both)))
    }),
    ("E F G f = EF EG f", &Paths::ALL, |b, f, _| {
        let globally = b.add(Operator::Globally(f));
        let eg = b.add(Operator::Exists(globally));
        (exists(b, Operator::Finally(globally)), exists(b, Operator::Finally(eg)))
    }),
    ("A G F f = AG AF f", &Paths::ALL, |b, f, _| {
        let finally = b.add(Operator::Finally(f));
        let af = b.add(Operator::ForAll(finally));
        (for_all(b, Operator::Globally(finally)), for_all(b, Operator::Globally(af)))
    }),
    ("AX f = !EX !f", &Paths::ALL, |b, f, _| {
        let next = for_all(b, Operator::Next(f));
        let not = b.add(Operator::Not(f));
        let bad = exists(b, Operator::Next(not));
        (next, b.add(Operator::Not(bad)))
    }),
    ("AX f = A !X !f", &Paths::ALL, |b, f, _| {
        let next = for_all(b, Operator::Next(f));
        let not = b.add(Operator::Not(f));
        let next_not = b.add(Operator::Next(not));
        (next, for_all(b, Operator::Not(next_not)))
    }),
];

#[test]
fn laws_hold_on_random_models() {
    for seed in seeds(60) {
        let model = random_model(seed);
        let f = random_formula(&model, Logic::Ctl, 3, seed);
        let g = random_formula(&model, Logic::Ctl, 3, !seed);
        for method in [Method::Labelling, Method::Tableau] {
            let options = CheckOptions { method, ..CheckOptions::default() };
            let mut checker = Checker::new(&model, &options, &Budget::unlimited()).expect("unlimited");
            for (name, semantics, law) in LAWS {
                let mut builder = Builder::default();
                let (f, g) = (builder.add_formula(&f), builder.add_formula(&g));
                let (left, right) = law(&mut builder, f, g);
                let same = builder.add(Operator::Equivalent(left, right));
                for &paths in *semantics {
                    let checked = checker.check(&builder.finish(same), paths, &[]).expect("unlimited");
                    let holds = checked.answer().iter().all(|&holds| holds);
                    assert!(holds, "{name} on {paths} paths by {method:?}: {f:?} {g:?}");
                }
            }
        }
    }
}

/// Rewritings of `logic` that keep the meaning, against the meaning itself.
#[test]
fn rewritings_keep_the_meaning() {
    for seed in seeds(200) {
        let model = random_model(seed);
        let mut checker =
            Checker::new(&model, &CheckOptions::default(), &Budget::unlimited()).expect("unlimited");
        for logic in Logic::ALL {
            let formula = random_formula(&model, logic, 9, seed);
            let mut answer = |formula: &Formula<Atom>, paths| {
                checker.check(formula, paths, &[]).expect("unlimited").answer().to_vec()
            };
            for paths in Paths::ALL {
                let expected = answer(&formula, paths);
                let reduced = reduce_to_stutter(&formula, paths);
                assert_eq!(
                    answer(&reduced, Paths::Stutter),
                    expected,
                    "{paths}: {formula:?}\nas {reduced:?}"
                );
                let normal = negation_normal_form(&formula);
                assert_eq!(answer(&normal, paths), expected, "{paths}: {formula:?}\nas {normal:?}");
            }
        }
    }
}
