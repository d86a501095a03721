//! What skeletons decide of random coloured nets is so in every marking of the unfolding.

use super::super::glance::{PlainView, glance};
use super::super::{CheckOptions, Verdict, check};
use super::by_skeleton;
use crate::colours::{PlaceTokens, unfold_net};
use crate::loaded::{Loaded, Questions, Written};
use crate::options::Options;
use crate::property::Property;
use crate::technique::Technique;
use std::ops::Range;
use symbolon_budget::Budget;
use symbolon_coloured::{Net, TransitionId};
use symbolon_explicit::{self as explicit, Exploration};
use symbolon_logic::{Builder, Formula, FormulaId, Operator, Paths};
use symbolon_model::{Atom, Comparison, EventId, Expr, Predicate};
use symbolon_petri::analysis::{AnalysisOptions, analyse};
use symbolon_petri::lower_with;
use symbolon_testkit::{RandomNumbers, random_coloured_net, seeds};

/// Nets with more markings are left out.
const MOST_MARKINGS: usize = 400;

fn loaded(net: Net) -> Loaded {
    let budget = Budget::unlimited();
    let Ok((plain, colours)) = unfold_net(net, &budget) else { panic!("it can be unfolded") };
    let analysis = analyse(&plain, &AnalysisOptions::default(), &budget).expect("unlimited");
    let model = lower_with(&plain, &analysis);
    Loaded {
        name: "random".into(),
        source: Written::Net(plain.into()),
        colours: Some(Box::new(colours)),
        model,
        analysis,
        questions: Questions::default(),
        warnings: Vec::new(),
        symmetry: None,
    }
}

fn explored(loaded: &Loaded) -> Option<Exploration> {
    let options = explicit::Options { state_limit: Some(MOST_MARKINGS) };
    explicit::explore(&loaded.model, &options, &Budget::unlimited()).ok()
}

/// Formulas about one marking, drawn at random.
struct Draw<'a> {
    loaded: &'a Loaded,
    numbers: RandomNumbers,
    builder: Builder<Atom>,
}

impl Draw<'_> {
    fn formula(mut self) -> Formula<Atom> {
        let root = self.part(2);
        self.builder.finish(root)
    }

    fn part(&mut self, depth: u32) -> FormulaId {
        let choice = if depth == 0 { 9 } else { self.numbers.below(10) };
        let operator = match choice {
            0 => Operator::Not(self.part(depth - 1)),
            1 => Operator::And(self.part(depth - 1), self.part(depth - 1)),
            2 => Operator::Or(self.part(depth - 1), self.part(depth - 1)),
            3 => Operator::Implies(self.part(depth - 1), self.part(depth - 1)),
            _ => match self.numbers.below(12) {
                0 => Operator::Deadlock,
                1..6 => Operator::Atom(self.fireable()),
                _ => Operator::Atom(self.comparison()),
            },
        };
        self.builder.add(operator)
    }

    /// Some transitions under all bindings, or under one.
    fn fireable(&mut self) -> Atom {
        let colours = self.loaded.colours.as_deref().expect("the net has colours");
        let mut events = Vec::new();
        for _ in 0..self.numbers.between(1, 2) {
            let transition = TransitionId(self.numbers.below(colours.net.transitions.len() as u64) as u32);
            let instances = colours.unfolded().expect("it was unfolded").transitions_of(transition);
            let is_one = !instances.is_empty() && self.numbers.percent(20);
            let first = instances.start + self.numbers.below(instances.len().max(1) as u64) as u32;
            let chosen: Range<u32> = if is_one { first..first + 1 } else { instances };
            events.extend(chosen.map(EventId));
        }
        events.sort_unstable();
        events.dedup();
        Atom::Fireable(events)
    }

    /// Places, or single colours, compared with each other or with a number.
    fn comparison(&mut self) -> Atom {
        let (left, right) = (self.tokens(), self.tokens());
        let right = match self.numbers.percent(60) {
            true => Expr::Constant(self.numbers.below(8) as i64),
            false => right,
        };
        let comparison = *self.numbers.one_of(&[
            Comparison::Less,
            Comparison::LessOrEqual,
            Comparison::Greater,
            Comparison::GreaterOrEqual,
            Comparison::Equal,
            Comparison::NotEqual,
        ]);
        Atom::Holds(Predicate::Compare(left, comparison, right))
    }

    fn tokens(&mut self) -> Expr {
        let colours = self.loaded.colours.as_deref().expect("the net has colours");
        let places: Vec<Range<u32>> = colours
            .net
            .place_ids()
            .map(|place| colours.unfolded().expect("it was unfolded").places_of(place))
            .collect();
        let mut terms = Vec::new();
        for _ in 0..self.numbers.between(1, 3) {
            let instances = self.numbers.one_of(&places).clone();
            let is_one = instances.len() > 1 && self.numbers.percent(10);
            let one = instances.start..instances.start + 1;
            terms.push(PlaceTokens::Instances(if is_one { one } else { instances }).into_expr());
        }
        Expr::Sum(terms)
    }
}

#[test]
fn what_skeletons_decide_is_so_in_every_marking() {
    let (mut all, mut nets, mut decided, mut whole) = (0, 0, 0, 0);
    for seed in seeds(1500) {
        all += 1;
        let loaded = loaded(random_coloured_net(seed));
        let Some(states) = explored(&loaded) else { continue };
        nets += 1;
        let formulas: Vec<Formula<Atom>> = (0..12)
            .map(|number| {
                let numbers = RandomNumbers::new(seed.wrapping_mul(64).wrapping_add(number));
                Draw { loaded: &loaded, numbers, builder: Builder::default() }.formula()
            })
            .collect();
        let asked = formulas.iter().map(|formula| (formula, Paths::Maximal));
        for (formula, simpler) in formulas.iter().zip(by_skeleton(&loaded, asked, &Budget::unlimited())) {
            let Some(simpler) = simpler else { continue };
            decided += 1;
            whole += usize::from(simpler.constant().is_some());
            for state in states.states() {
                let view = PlainView { model: &loaded.model, state: &state };
                let value = |formula| glance(formula, Paths::Maximal, &view, |_| None, &mut Vec::new());
                assert!(value(formula).is_some());
                assert_eq!(value(formula), value(&simpler), "seed {seed}: {formula:?} at {state:?}");
            }
        }
    }
    println!("{nets} of {all} nets, {decided} formulas became simpler, {whole} of them constant");
    assert!(all < 100 || nets * 2 > all && decided > nets && whole * 4 > nets);
}

/// Two places, between which one token of each of three colours goes round.
const ROUND: &str = "net \"round\"\n\nclass C = range 1..3\nvar x: C\n\nplace p: C = all\nplace q: C\n\n\
    transition go:\n  take p(x)\n  put q(x)\n\ntransition back:\n  take q(x)\n  put p(x)\n";

#[test]
fn a_verdict_by_the_skeleton_names_it() {
    let net =
        symbolon_coloured::text::read_text(ROUND.as_bytes(), &Budget::unlimited()).expect("it is read").net;
    let loaded = loaded(net);
    let colours = loaded.colours.as_deref().expect("the net has colours");
    let sum = Expr::Sum(colours.places().map(|(_, tokens)| tokens.into_expr()).collect());
    let always = |comparison, number| {
        let mut builder = Builder::default();
        let atom =
            builder.atom(Atom::Holds(Predicate::Compare(sum.clone(), comparison, Expr::Constant(number))));
        let path = builder.add(Operator::Globally(atom));
        let root = builder.add(Operator::ForAll(path));
        Property::new("", builder.finish(root), Paths::Maximal)
    };
    let properties = [always(Comparison::Equal, 3), always(Comparison::Less, 3)];
    let check = |options: &Options| {
        let wanted = CheckOptions::default();
        check(&loaded, &properties, wanted, options, &Budget::unlimited(), &mut |_, _| ())
            .expect("it is checked")
    };
    let reports = check(&Options::default());
    assert_eq!(reports[0].verdict, Verdict::Holds);
    assert_eq!(reports[1].verdict, Verdict::Fails);
    for report in &reports {
        assert_eq!(report.techniques, [Technique::ColourStripping]);
    }
    let without = check(&Options { no_shortcuts: true, ..Options::default() });
    assert!(without.iter().all(|report| !report.techniques.contains(&Technique::ColourStripping)));
}
