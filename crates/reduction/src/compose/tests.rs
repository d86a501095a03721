//! Three switches that can be turned on, one by one; counting those that are on; and counting those
//! that are off instead. All figures are known.

use super::*;
use crate::OneToOne;
use symbolon_model::{Comparison, Expr, Predicate};

/// The quotient of three switches by their symmetry: one variable counts those that are on.
#[derive(Debug)]
struct CountSwitches;

fn choose(of: u64, count: u64) -> u64 {
    (0..count).fold(1, |product, index| product * (of - index) / (index + 1))
}

impl Lift for CountSwitches {
    fn state(&self, state: &[u64]) -> State {
        (0..3).map(|switch| u64::from(switch < state[0])).collect()
    }

    /// The first switch that is off is turned on. Each step of the quotient becomes one step.
    fn run(&self, run: &Trace) -> Result<LiftedRun, NoLift> {
        let on = run.initial[0] as u32;
        if run.events.len() as u64 > 3 - run.initial[0] {
            return Err(NoLift { why: "there are three switches".into() });
        }
        let events = (0..run.events.len() as u32).map(|step| EventId(on + step)).collect();
        Ok(LiftedRun {
            run: Trace { initial: self.state(&run.initial), events },
            positions: (0..=run.events.len()).collect(),
        })
    }
}

impl Weigh for CountSwitches {
    fn variable_count(&self) -> usize {
        3
    }

    fn event_count(&self) -> usize {
        3
    }

    fn is_one_to_one(&self) -> bool {
        false
    }

    fn states(&self, state: &[u64]) -> BigUint {
        choose(3, state[0]).into()
    }

    fn edges(&self, state: &[u64], _is_enabled: &dyn Fn(EventId) -> bool) -> BigUint {
        (choose(3, state[0]) * (3 - state[0])).into()
    }

    fn counts_events(&self) -> bool {
        false
    }

    /// Only sums in which all switches weigh the same.
    fn sum(&self, sum: &Linear) -> Option<Linear> {
        match sum.terms[..] {
            [] => Some(sum.clone()),
            [(_, a), (_, b), (_, c)] if a == b && b == c => {
                Some(Linear { terms: vec![(VariableId(0), a)], constant: sum.constant })
            }
            _ => None,
        }
    }

    fn fireable(&self, _event: EventId) -> Option<Atom> {
        None
    }
}

fn quotient() -> Reduction<&'static str> {
    let nothing = || Atoms { variables: Scope::nothing(), events: Scope::nothing(), deadlock: true };
    let preserves = Preserves::nothing()
        .and(Claim::StateCount, nothing())
        .and(Claim::EdgeCount, nothing())
        .and(Claim::Deadlock, nothing())
        .and(Claim::Bounds, Atoms { variables: Scope::All, ..nothing() });
    Reduction { result: "on", preserves, lift: Arc::new(CountSwitches), weigh: Arc::new(CountSwitches) }
}

/// The number of those that are off, instead of on.
fn complement() -> Reduction<&'static str> {
    let values = vec![Linear { terms: vec![(VariableId(0), -1)], constant: 3 }];
    let table = Arc::new(OneToOne::new(values, vec![vec![EventId(0)]], 1));
    Reduction { result: "off", preserves: Preserves::everything(), lift: table.clone(), weigh: table }
}

/// All that the reduction says about its states, which are the numbers from 0 to 3.
fn totals(weigh: &dyn Weigh) -> (BigUint, BigUint) {
    let states = (0..=3).map(|value| weigh.states(&[value])).sum();
    let edges = (0..=3).map(|value| weigh.edges(&[value], &|_| true)).sum();
    (states, edges)
}

#[test]
fn weights_multiply_and_sums_read_through_both() {
    let both = quotient().then(complement());
    assert_eq!(both.result, "off");
    assert_eq!(totals(&*both.weigh), (8_u32.into(), 12_u32.into()));
    // One switch is on: three ways, and two switches to turn on in each.
    assert_eq!(both.weigh.states(&[2]), 3_u32.into());
    assert_eq!(both.weigh.edges(&[2], &|_| true), 6_u32.into());
    let all = Linear { terms: (0..3).map(|switch| (VariableId(switch), 2)).collect(), constant: 1 };
    let read = Linear { terms: vec![(VariableId(0), -2)], constant: 7 };
    assert_eq!(both.weigh.sum(&all), Some(read));
    assert_eq!(both.weigh.sum(&Linear::variable(VariableId(1))), None);
    assert!(!both.weigh.is_one_to_one() && !both.weigh.counts_events());
    assert_eq!((both.weigh.variable_count(), both.weigh.event_count()), (3, 3));
}

#[test]
fn lifts_chain() {
    let both = quotient().then(complement());
    assert_eq!(*both.lift.state(&[1]), [1, 1, 0]);
    let run = Trace { initial: [3].into(), events: vec![EventId(0); 2] };
    let lifted = both.lift.run(&run).expect("two of three switches");
    assert_eq!(lifted.run, Trace { initial: [0, 0, 0].into(), events: vec![EventId(0), EventId(1)] });
    assert_eq!(lifted.positions, [0, 1, 2]);
    let too_long = Trace { initial: [3].into(), events: vec![EventId(0); 4] };
    let why = both.lift.run(&too_long).expect_err("four of three switches").to_string();
    assert_eq!(why, "the run cannot be mapped back: there are three switches");
    assert_eq!(both.lift.lasso(&run, 1), Ok((lifted.run, 1)));
}

/// A lift that makes two steps of one.
#[derive(Debug)]
struct Twice;

impl Lift for Twice {
    fn state(&self, state: &[u64]) -> State {
        state.into()
    }

    fn run(&self, run: &Trace) -> Result<LiftedRun, NoLift> {
        let events = run.events.iter().flat_map(|&event| [event, event]).collect();
        let positions = (0..=run.events.len()).map(|step| 2 * step).collect();
        Ok(LiftedRun { run: Trace { initial: run.initial.clone(), events }, positions })
    }
}

#[test]
fn positions_count_the_steps_of_the_original() {
    let twice_twice = Chained { first: Arc::new(Twice), second: Arc::new(Twice) };
    let run = Trace { initial: [0].into(), events: vec![EventId(5), EventId(7)] };
    let lifted = twice_twice.run(&run).expect("it lifts");
    assert_eq!(lifted.positions, [0, 4, 8]);
    assert_eq!(lifted.run.events.len(), 8);
    assert_eq!(twice_twice.lasso(&run, 1), Ok((lifted.run, 4)));
}

#[test]
fn claims_intersect() {
    let both = quotient().then(complement());
    for claim in [Claim::StateCount, Claim::EdgeCount, Claim::Deadlock, Claim::Bounds] {
        assert!(both.preserves.claims(claim), "{claim:?}");
    }
    assert!(!both.preserves.claims(Claim::Reachability));
    // Where neither of two quotients is one to one, the weights need not multiply.
    let twice = quotient().then(quotient());
    assert!(!twice.preserves.claims(Claim::StateCount) && !twice.preserves.claims(Claim::EdgeCount));
    assert!(twice.preserves.claims(Claim::Deadlock));
}

#[test]
fn scopes_are_those_of_the_original() {
    // Variables 0 and 1 become variable 0; variable 2 stays, as variable 1; event 1 is a copy of
    // event 0.
    let x = |number| Linear::variable(VariableId(number));
    let merged = OneToOne::new(
        vec![x(0), Linear { terms: vec![(VariableId(0), 1)], constant: 5 }, x(1)],
        vec![vec![EventId(0)], vec![EventId(0)], vec![EventId(1)]],
        2,
    );
    let first = Reduction {
        result: (),
        preserves: Preserves::everything(),
        lift: Arc::new(merged.clone()),
        weigh: Arc::new(merged),
    };
    let same = OneToOne::new(vec![x(0), x(1)], vec![vec![EventId(0)], vec![EventId(1)]], 2);
    let only = Atoms {
        variables: Scope::Only([VariableId(0)].into()),
        events: Scope::Only([EventId(1)].into()),
        deadlock: true,
    };
    let second = Reduction {
        result: (),
        preserves: Preserves::nothing().and(Claim::Reachability, only).and(Claim::EdgeCount, Atoms::all()),
        lift: Arc::new(same.clone()),
        weigh: Arc::new(same),
    };
    let both = first.then(second);
    let (_, atoms) = both.preserves.iter().find(|(claim, _)| *claim == Claim::Reachability).expect("claimed");
    assert_eq!(atoms.variables, Scope::Only([VariableId(0), VariableId(1)].into()));
    assert_eq!(atoms.events, Scope::Only([EventId(2)].into()));
    // Both copies of event 0 count, and so does event 2.
    assert_eq!(both.weigh.edges(&[0, 0], &|_| true), 3_u32.into());
    assert!(both.preserves.claims(Claim::EdgeCount) && !both.weigh.counts_events());
    let atom = Atom::Holds(Predicate::Compare(
        Expr::Sum(vec![Expr::Variable(VariableId(1)), Expr::Variable(VariableId(2))]),
        Comparison::Equal,
        Expr::Constant(7),
    ));
    let read = both.read_atom(&atom).expect("every variable reads");
    let Atom::Holds(read) = read else { panic!("a predicate stays one") };
    assert_eq!((read.holds(&[1, 1]), read.holds(&[1, 2])), (Some(true), Some(false)));
    assert_eq!(
        both.read_atom(&Atom::Fireable(vec![EventId(1), EventId(2)])),
        Some(Atom::Fireable(vec![EventId(0), EventId(1)]))
    );
}
