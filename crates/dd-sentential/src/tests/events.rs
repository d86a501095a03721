//! Asynchronous events against relations that are written out.

use super::*;
use crate::Move;
use symbolon_budget::Interrupted;
use symbolon_testkit::seeds;

/// Bits of a state; the twin of bit `b` is variable `b + BITS`.
const BITS: u32 = 4;
const STATES: usize = 1 << BITS;

/// What an event does: by state, the states it leads to.
type Relation = Vec<u64>;

/// A vtree in which each bit and its twin are siblings, or any.
fn vtree(numbers: &mut RandomNumbers) -> Vtree {
    if numbers.below(3) == 0 {
        return random_vtree(2 * BITS, numbers);
    }
    let mut builder = VtreeBuilder::new();
    let mut parts: Vec<Part> = (0..BITS)
        .map(|bit| {
            let (current, primed) = (builder.leaf(Variable(bit)), builder.leaf(Variable(bit + BITS)));
            builder.join(current, primed)
        })
        .collect();
    numbers.shuffle(&mut parts);
    while parts.len() > 1 {
        let place = numbers.below(parts.len() as u64 - 1) as usize;
        let right = parts.remove(place + 1);
        parts[place] = builder.join(parts[place], right);
    }
    builder.finish(parts[0]).expect("a tree")
}

/// A random event over few bits, as it is and written out.
fn event(sdd: &mut Sdd, numbers: &mut RandomNumbers) -> (Move, Relation) {
    let mut bits: Vec<u32> = (0..BITS).collect();
    numbers.shuffle(&mut bits);
    let read = &bits[..1 + numbers.below(2) as usize];
    let written: Vec<u32> = bits[numbers.below(2) as usize..][..1 + numbers.below(2) as usize].to_vec();
    let table = numbers.any();
    let part = |state: usize, bits: &[u32]| {
        bits.iter().enumerate().fold(0, |part, (place, &bit)| part | (state >> bit & 1) << place)
    };
    let same_elsewhere = |before: usize, after: usize| {
        (0..BITS).filter(|bit| !written.contains(bit)).all(|bit| before >> bit & 1 == after >> bit & 1)
    };
    let read_variables: Vec<Variable> = read.iter().copied().map(Variable).collect();
    if numbers.below(2) == 0 {
        let values: Vec<(Variable, bool)> =
            written.iter().map(|&bit| (Variable(bit), numbers.below(2) == 1)).collect();
        let relation = sdd.build(&read_variables, |bits| value(table, number(bits))).expect("no limit");
        let leads = |before: usize, after: usize| {
            value(table, part(before, read))
                && same_elsewhere(before, after)
                && values.iter().all(|&(bit, value)| (after >> bit.0 & 1 == 1) == value)
        };
        let listed = (0..STATES).map(|s| plain(BITS, |t| leads(s, t))).collect();
        (Move { relation, values, twins: Vec::new(), leaves: Vec::new() }, listed)
    } else {
        let mut all: Vec<u32> = read.iter().chain(&written).copied().collect();
        all.sort_unstable();
        all.dedup();
        let mut variables: Vec<Variable> = all.iter().copied().map(Variable).collect();
        variables.extend(written.iter().map(|bit| Variable(bit + BITS)));
        let relation = sdd.build(&variables, |bits| value(table, number(bits) % 64)).expect("no limit");
        let pairs = written.iter().map(|&bit| (Variable(bit), Variable(bit + BITS))).collect();
        let leads = |before: usize, after: usize| {
            let row = part(before, &all) | part(after, &written) << all.len();
            value(table, row % 64) && same_elsewhere(before, after)
        };
        let listed = (0..STATES).map(|s| plain(BITS, |t| leads(s, t))).collect();
        (Move { relation, values: Vec::new(), twins: pairs, leaves: Vec::new() }, listed)
    }
}

fn states(sdd: &mut Sdd, table: u64) -> Root {
    sdd.build(&variables(BITS), |bits| value(table, number(bits))).expect("no limit")
}

fn listed(sdd: &Sdd, set: &Root) -> u64 {
    sdd.assignments(set, &variables(BITS)).fold(0, |found, bits| found | 1 << number(&bits))
}

fn image(relation: &Relation, from: u64) -> u64 {
    (0..STATES).filter(|&s| value(from, s)).fold(0, |all, s| all | relation[s])
}

fn check(limits: Limits) {
    for seed in seeds(150) {
        let mut numbers = RandomNumbers::new(seed);
        let mut sdd = sdd(vtree(&mut numbers), limits);
        let (moves, relations): (Vec<Move>, Vec<Relation>) =
            (0..1 + numbers.below(5)).map(|_| event(&mut sdd, &mut numbers)).unzip();
        sdd.set_moves(moves).expect("no limit");
        let table = numbers.any() & numbers.any() & 0xffff;
        let from = states(&mut sdd, table);
        for (event, relation) in relations.iter().enumerate() {
            let forwards = sdd.fire(event, &from).expect("no limit");
            assert_eq!(listed(&sdd, &forwards), image(relation, table), "seed {seed}");
            let backwards = sdd.fire_back(event, &from).expect("no limit");
            let before = plain(BITS, |s| relation[s] & table != 0);
            assert_eq!(listed(&sdd, &backwards), before, "seed {seed}");
            let enabled = sdd.can_fire(event, &from).expect("no limit");
            assert_eq!(listed(&sdd, &enabled), plain(BITS, |s| value(table, s) && relation[s] != 0));
        }
        let mut closed = table;
        loop {
            let next = relations.iter().fold(closed, |all, relation| all | image(relation, closed));
            if next == closed {
                break;
            }
            closed = next;
        }
        let saturated = sdd.saturate(&from).expect("no limit");
        assert_eq!(listed(&sdd, &saturated), closed, "seed {seed}");
        sdd.validate().unwrap_or_else(|violation| panic!("seed {seed}: {violation:?}"));
    }
}

#[test]
fn events_lead_where_their_relations_say() {
    check(Limits::default());
}

#[test]
fn events_on_tiny_tables() {
    check(TINY);
}

#[test]
fn leaving_the_range_is_an_overflow_and_keeps_what_was_found() {
    // A counter of three bits that can always go on.
    let mut builder = VtreeBuilder::new();
    let pairs: Vec<Part> = (0..3)
        .map(|bit| {
            let (current, primed) = (builder.leaf(Variable(bit)), builder.leaf(Variable(bit + 3)));
            builder.join(current, primed)
        })
        .collect();
    let root = builder.balanced(&pairs);
    let mut sdd = sdd(builder.finish(root).expect("a tree"), Limits::default());
    let relation =
        sdd.build(&variables(6), |bits| number(&bits[..3]) + 1 == number(&bits[3..])).expect("no limit");
    let full = sdd.cube(&[(Variable(0), true), (Variable(1), true), (Variable(2), true)]).expect("no limit");
    let pairs = (0..3).map(|bit| (Variable(bit), Variable(bit + 3))).collect();
    let count = Move { relation, values: Vec::new(), twins: pairs, leaves: vec![(full.clone(), 42)] };
    sdd.set_moves(vec![count]).expect("no limit");
    let zero =
        sdd.cube(&[(Variable(0), false), (Variable(1), false), (Variable(2), false)]).expect("no limit");
    assert_eq!(sdd.fire(0, &zero).map(|_| sdd.out_of_range()), Ok(None));
    assert_eq!(sdd.saturate(&zero), Err(Interrupted::Overflow));
    assert_eq!(sdd.out_of_range(), Some(42));
    let partial = sdd.take_partial();
    let counted = partial.iter().map(|(set, variables)| sdd.count(set, variables)).max();
    // Twins are free in it.
    assert_eq!(counted, Some((8_u32 * 8).into()));
    assert_eq!(sdd.fire(0, &full), Err(Interrupted::Overflow));
}
