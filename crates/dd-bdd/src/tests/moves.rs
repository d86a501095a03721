//! Moves against relations that are written out: random events over four bits, one of them only
//! read.

use super::*;
use crate::Group;
use symbolon_budget::Interrupted;
use symbolon_testkit::{RandomNumbers, seeds};

/// Bits of a state; all but the last have a primed twin right below.
const BITS: u32 = 4;
const STATES: usize = 1 << BITS;
/// Variables: bits and twins, and one that no event and no set speaks of, between them.
const ALL: u32 = 2 * BITS;

fn bits() -> Vec<(Variable, Option<Variable>)> {
    (0..BITS).map(|bit| (Variable(2 * bit), (bit + 1 < BITS).then_some(Variable(2 * bit + 1)))).collect()
}

fn set_of(bdd: &mut Bdd, states: u64) -> Root {
    let current: Vec<Variable> = bits().into_iter().map(|(current, _)| current).collect();
    bdd.build(&current, |values| value(states, number(values))).expect("no limit")
}

fn number(bits: &[bool]) -> usize {
    bits.iter().rev().fold(0, |number, &bit| number << 1 | usize::from(bit))
}

/// A random event: pairs of states that agree on the last bit.
struct Event {
    leads: [u64; STATES],
}

impl Event {
    fn random(numbers: &mut RandomNumbers) -> Event {
        // It speaks of some bits alone; the others stay as they are.
        let touched = numbers.below(STATES as u64) as usize & !(1 << (BITS - 1));
        let read = numbers.below(STATES as u64) as usize | touched;
        let mut rows = [0_u64; STATES];
        for row in rows.iter_mut() {
            *row = if numbers.below(3) > 0 { numbers.any() & numbers.any() } else { 0 };
        }
        let leads = std::array::from_fn(|from| {
            plain(BITS, |to| from & !touched == to & !touched && value(rows[from & read], to & touched))
        });
        Event { leads }
    }

    fn group(&self, bdd: &mut Bdd) -> Group {
        let variables: Vec<Variable> =
            bits().into_iter().flat_map(|(bit, twin)| [Some(bit), twin]).flatten().collect();
        let relation = bdd
            .build(&variables, |values| {
                let from = number(&[values[0], values[2], values[4], values[6]]);
                let to = number(&[values[1], values[3], values[5], values[6]]);
                value(self.leads[from], to)
            })
            .expect("no limit");
        bdd.moves_of_relation(&relation, &bits(), Group::DONE)
    }
}

fn image(events: &[Event], set: u64) -> u64 {
    let one = |event: &Event| (0..STATES).filter(|&s| value(set, s)).fold(0, |all, s| all | event.leads[s]);
    events.iter().fold(0, |all, event| all | one(event))
}

#[test]
fn groups_fire_as_written_out() {
    for seed in seeds(300) {
        let mut numbers = RandomNumbers::new(seed);
        let limits = if numbers.below(2) == 0 { TINY } else { Limits::default() };
        let mut bdd = bdd(ALL, limits);
        let events: Vec<Event> = (0..1 + numbers.below(4)).map(|_| Event::random(&mut numbers)).collect();
        let groups: Vec<Group> = events.iter().map(|event| event.group(&mut bdd)).collect();
        let all = bdd.either(&groups);
        bdd.set_events(&groups);
        for _ in 0..4 {
            let set = numbers.any() & numbers.any() & (u64::MAX >> (64 - STATES));
            let root = set_of(&mut bdd, set);
            let check = |bdd: &mut Bdd, what: &str, found: Result<Root, Interrupted>, expected: u64| {
                let expected = set_of(bdd, expected);
                assert_eq!(found, Ok(expected), "{what}, SYMBOLON_SEED={seed}");
                bdd.validate().expect("valid");
            };
            let found = bdd.fire(all, &root);
            check(&mut bdd, "fire", found, image(&events, set));
            let found = bdd.fire(groups[0], &root);
            check(&mut bdd, "fire one", found, image(&events[..1], set));
            let leads_in = |from: usize| image(&events, 1 << from) & set != 0;
            let found = bdd.fire_back(all, &root);
            check(&mut bdd, "fire back", found, plain(BITS, leads_in));
            let found = bdd.can_fire(all, &root);
            let can = |from: usize| value(set, from) && image(&events, 1 << from) != 0;
            check(&mut bdd, "can fire", found, plain(BITS, can));
            let mut reached = set;
            while image(&events, reached) & !reached != 0 {
                reached |= image(&events, reached);
            }
            let found = bdd.saturate(&root);
            check(&mut bdd, "saturate", found, reached);
        }
    }
}

#[test]
fn who_leaves_is_told_by_which_number() {
    let mut bdd = bdd(2, Limits::default());
    let leave = bdd.leave_range(7);
    // Where the first variable is set, it leaves; otherwise it is set.
    let up = bdd.arc(Variable(0), [[Group::NOTHING, Group::DONE], [Group::NOTHING, leave]]);
    bdd.set_events(&[up]);
    let (unset, set) = (bdd.cube(&[(Variable(0), false)]).unwrap(), bdd.variable(Variable(0)).unwrap());
    assert_eq!(bdd.fire(up, &unset), Ok(set.clone()));
    assert_eq!(bdd.out_of_range(), None);
    assert_eq!(bdd.fire(up, &set), Err(Interrupted::Overflow));
    assert_eq!(bdd.out_of_range(), Some(7));
    assert_eq!(bdd.saturate(&unset), Err(Interrupted::Overflow));
    assert_eq!(bdd.out_of_range(), Some(7));
    assert!(bdd.take_partial().is_some());
    let everything = bdd.constant(true);
    assert_eq!(bdd.can_fire(up, &everything), Ok(everything));
    bdd.set_events(&[leave]);
    assert_eq!(bdd.saturate(&unset), Err(Interrupted::Overflow), "whatever the state is");
}

#[test]
fn sums_are_tested_and_maximised() {
    for seed in seeds(100) {
        let mut numbers = RandomNumbers::new(seed);
        let mut bdd = bdd(6, TINY);
        let weights: Vec<(Variable, i128)> =
            (0..5).map(|variable| (Variable(variable), i128::from(numbers.below(9)) - 4)).collect();
        let sum = |row: usize| -> i128 {
            weights.iter().filter(|(variable, _)| row >> variable.0 & 1 == 1).map(|(_, weight)| weight).sum()
        };
        let bound = i128::from(numbers.below(7)) - 3;
        let at_most = |least: i128, most: i128| match (most <= bound, least > bound) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        let found = bdd.sum_test(&weights, &at_most).expect("no limit");
        assert_eq!(read(&bdd, 6, &found), plain(6, |row| sum(row) <= bound), "SYMBOLON_SEED={seed}");
        let table = numbers.any() & numbers.any() & numbers.any();
        let function = made(&mut bdd, 6, table);
        let rows = || (0..64).filter(|&row| value(table, row));
        assert_eq!(bdd.largest_sum(&function, &weights), Ok(rows().map(sum).max()), "SYMBOLON_SEED={seed}");
        let possible: Vec<[bool; 2]> =
            (0..6).map(|variable| [0, 1].map(|bit| rows().any(|row| row >> variable & 1 == bit))).collect();
        assert_eq!(bdd.possible_values(&function), possible, "SYMBOLON_SEED={seed}");
    }
}
