//! Laws of homomorphisms, on random terms: each means what its parts mean, is linear, composes, and
//! its fixpoint is its iterated image. The meaning of a term is computed on plain sets, case by
//! case as its definition reads.

use super::*;
use crate::{HomomorphismId, Root};
use symbolon_testkit::seeds;

/// A homomorphism as it is written down.
#[derive(Clone, Debug)]
enum Term {
    Identity,
    Event(usize),
    KeepOnly(Plain),
    LeaveOut(Plain),
    Constant(Plain),
    Sum(Vec<Term>),
    /// The second one first.
    Compose(Box<Term>, Box<Term>),
    /// The first one on what lies in the set, the second one on the rest.
    Conditional(Plain, Box<Term>, Box<Term>),
    Fixpoint(Box<Term>),
}

const PLACES: usize = 5;
const VALUES: u64 = 3;

fn random_term(random: &mut RandomNumbers, event_count: usize, depth: u32) -> Term {
    let set = |random: &mut RandomNumbers| random_set(random, PLACES, VALUES, 40);
    let inner = |random: &mut RandomNumbers| Box::new(random_term(random, event_count, depth - 1));
    match random.below(if depth == 0 { 6 } else { 10 }) {
        0 => Term::Identity,
        1 | 2 if event_count > 0 => Term::Event(random.below(event_count as u64) as usize),
        1 | 2 => Term::Identity,
        3 => Term::KeepOnly(set(random)),
        4 => Term::LeaveOut(set(random)),
        5 => Term::Constant(random_set(random, PLACES, VALUES, 3)),
        6 => Term::Sum((0..random.between(1, 3)).map(|_| *inner(random)).collect()),
        7 => Term::Compose(inner(random), inner(random)),
        8 => Term::Conditional(set(random), inner(random), inner(random)),
        _ => Term::Fixpoint(inner(random)),
    }
}

/// What a term makes of a plain set.
fn meaning(term: &Term, events: &[PlainEvent], from: &Plain) -> Plain {
    match term {
        Term::Identity => from.clone(),
        Term::Event(event) => plain_image(&events[*event..=*event], from),
        Term::KeepOnly(set) => from & set,
        Term::LeaveOut(set) => from - set,
        Term::Constant(_) if from.is_empty() => Plain::new(),
        Term::Constant(set) => set.clone(),
        Term::Sum(terms) => terms.iter().flat_map(|term| meaning(term, events, from)).collect(),
        Term::Compose(second, first) => meaning(second, events, &meaning(first, events, from)),
        Term::Conditional(set, then, otherwise) => {
            &meaning(then, events, &(from & set)) | &meaning(otherwise, events, &(from - set))
        }
        Term::Fixpoint(term) => {
            let mut reached = from.clone();
            loop {
                let more = meaning(term, events, &reached);
                if more.is_subset(&reached) {
                    return reached;
                }
                reached.extend(more);
            }
        }
    }
}

fn homomorphism(sets: &mut Hierarchy, shape: ShapeId, list: &Events, term: &Term) -> HomomorphismId {
    let built = match term {
        Term::Identity => return HomomorphismId::IDENTITY,
        Term::Event(event) => {
            let relation = sets.relation_of_event(shape, list.parts(*event)).expect("few");
            sets.by_relation(relation)
        }
        Term::KeepOnly(set) => {
            let set = build(sets, shape, set);
            sets.keep_only(set)
        }
        Term::LeaveOut(set) => {
            let set = build(sets, shape, set);
            sets.leave_out(set)
        }
        Term::Constant(set) => {
            let set = build(sets, shape, set);
            sets.constant(set)
        }
        Term::Sum(terms) => {
            let parts: Vec<HomomorphismId> =
                terms.iter().map(|term| homomorphism(sets, shape, list, term)).collect();
            sets.sum_of(&parts)
        }
        Term::Compose(second, first) => {
            let second = homomorphism(sets, shape, list, second);
            let first = homomorphism(sets, shape, list, first);
            sets.compose(second, first)
        }
        Term::Conditional(set, then, otherwise) => {
            let set = build(sets, shape, set);
            let keep = sets.keep_only(set).expect("few");
            let then = homomorphism(sets, shape, list, then);
            let otherwise = homomorphism(sets, shape, list, otherwise);
            sets.conditional(keep, then, otherwise)
        }
        Term::Fixpoint(term) => {
            let body = homomorphism(sets, shape, list, term);
            sets.fixpoint(body)
        }
    };
    built.expect("few")
}

/// The image of a set, rooted.
fn image(sets: &mut Hierarchy, homomorphism: HomomorphismId, set: &Root) -> Root {
    let node = sets.apply(homomorphism, set.node()).expect("no limit");
    sets.root(node)
}

fn union(sets: &mut Hierarchy, a: &Root, b: &Root) -> Root {
    let node = sets.union(a.node(), b.node()).expect("no limit");
    sets.root(node)
}

#[test]
fn random_terms_mean_what_their_parts_mean() {
    for seed in seeds(40) {
        let random = &mut RandomNumbers::new(seed);
        let events = random_events(random, PLACES, VALUES);
        let [f, g, h] = [2, 1, 1].map(|depth| random_term(random, events.len(), depth));
        let (a, b) = (random_set(random, PLACES, VALUES, 10), random_set(random, PLACES, VALUES, 10));
        for limits in [Limits::default(), TINY] {
            let sets = &mut manager(limits);
            for shape in shapes(sets) {
                let list = events_of(sets, &events);
                let [one, two, three] = [&f, &g, &h].map(|term| homomorphism(sets, shape, &list, term));
                let [node_a, node_b] = [&a, &b].map(|plain| {
                    let node = build(sets, shape, plain);
                    sets.root(node)
                });
                let whole = union(sets, &node_a, &node_b);

                for (built, term) in [(one, &f), (two, &g), (three, &h)] {
                    let found = image(sets, built, &node_a);
                    assert_eq!(read(sets, found.node()), meaning(term, &events, &a), "{term:?}");
                    // Linear.
                    let other = image(sets, built, &node_b);
                    let both = union(sets, &found, &other);
                    assert_eq!(image(sets, built, &whole).node(), both.node(), "linear: {term:?}");
                    // A fixpoint is its iterated image, and nothing is added by doing it twice.
                    let fixpoint = sets.fixpoint(built).expect("few");
                    let reached = image(sets, fixpoint, &node_a);
                    let mut slow = node_a.clone();
                    loop {
                        let next = image(sets, built, &slow);
                        let next = union(sets, &slow, &next);
                        if next.node() == slow.node() {
                            break;
                        }
                        slow = next;
                    }
                    assert_eq!(reached.node(), slow.node(), "fixpoint: {term:?}");
                    assert_eq!(image(sets, fixpoint, &reached).node(), reached.node(), "twice: {term:?}");
                }

                // Composition is associative and distributes over sums, from both sides.
                let mut compose = |second, first| sets.compose(second, first).expect("few");
                let (left, right) = (compose(one, two), compose(two, three));
                let mut pairs = vec![(compose(left, three), compose(one, right))];
                let sum = sets.sum_of(&[two, three]).expect("few");
                let parts = [(one, two), (one, three)]
                    .map(|(second, first)| sets.compose(second, first).expect("few"));
                pairs.push((sets.compose(one, sum).expect("few"), sets.sum_of(&parts).expect("few")));
                let parts = [(two, one), (three, one)]
                    .map(|(second, first)| sets.compose(second, first).expect("few"));
                pairs.push((sets.compose(sum, one).expect("few"), sets.sum_of(&parts).expect("few")));
                for (left, right) in pairs {
                    let (left, right) = (image(sets, left, &whole), image(sets, right, &whole));
                    assert_eq!(left.node(), right.node(), "{f:?}, {g:?}, {h:?}");
                }
                valid(sets);
            }
        }
    }
}
