//! Operations on random functions, against plain maps from vectors to numbers.

use std::collections::BTreeMap;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_dd_core::Limits;
use symbolon_dd_mdd::{Action, Domain, Mdd, NodeId, Root};
use symbolon_dd_weighted::{Add, AddKind, Arithmetic, Edd, EddKind, Edge, Function, Relation};
use symbolon_testkit::{RandomNumbers, seeds};

/// How many levels there are, and how many values each of them has.
#[derive(Clone, Copy)]
struct Shape {
    levels: u32,
    values: u64,
}

/// Few levels of some values, and one level for each bit of the same numbers.
const SHAPES: [Shape; 2] = [Shape { levels: 3, values: 4 }, Shape { levels: 6, values: 2 }];

/// A function where it has a value.
type Map<N> = BTreeMap<Vec<u64>, N>;

fn manager(shape: Shape) -> Mdd {
    let limits = Limits { cache_bits: 4, largest_cache_bits: 6, collection_words: 200, collection_growth: 1 };
    let domains = vec![Domain::Direct; shape.levels as usize];
    Mdd::new(domains, Meter::new(Budget::unlimited()), limits).expect("no limit")
}

/// Vectors with numbers below `end`, about a third of all vectors.
fn random_map(shape: Shape, numbers: &mut RandomNumbers, end: u64) -> Map<u64> {
    let Shape { levels, values } = shape;
    let mut map = Map::new();
    for number in 0..values.pow(levels) {
        if numbers.percent(35) {
            let vector = (0..levels).map(|level| number / values.pow(level) % values).collect();
            map.insert(vector, numbers.below(end));
        }
    }
    map
}

fn set_of(mdd: &mut Mdd, vectors: impl IntoIterator<Item = Vec<u64>>) -> Root {
    let mut set = mdd.root(NodeId::EMPTY);
    for vector in vectors {
        let one = mdd.singleton(&vector).expect("no limit");
        let all = mdd.union(set.node(), one).expect("no limit");
        set = mdd.root(all);
    }
    set
}

fn edd_of(edd: &mut Edd<'_>, map: &Map<u64>) -> Function {
    let mut all = edd.function(Edge::NOTHING);
    for (vector, &value) in map {
        let one = set_of(edd.mdd, [vector.clone()]);
        let one = edd.of_set(one.node()).and_then(|edge| edge.plus(value)).expect("no limit");
        let sum = edd.minimum(all.edge(), one).expect("no limit");
        all = edd.function(sum);
    }
    all
}

fn add_of(add: &mut Add<'_>, map: &Map<i64>) -> Root {
    let mut all = add.root(NodeId::EMPTY);
    for (vector, &value) in map {
        let one = set_of(add.mdd, [vector.clone()]);
        let one = add.of_set(one.node(), value).expect("no limit");
        let sum = add.apply(Arithmetic::Minimum, all.node(), one).expect("no limit");
        all = add.root(sum);
    }
    all
}

/// Numbers below 10, numbers around 2^32, and numbers around 2^40: narrow and wide nodes (W3).
const ENDS: [u64; 3] = [10, (1 << 32) + 3, 1 << 40];

#[test]
fn functions_are_canonical_and_agree_with_maps() {
    for seed in seeds(300) {
        let mut numbers = RandomNumbers::new(seed);
        let end = ENDS[(seed % 3) as usize];
        let shape = SHAPES[(seed % 2) as usize];
        let mut mdd = manager(shape);
        let mut kind = EddKind::new(&mut mdd);
        let mut edd = Edd::new(&mut mdd, &mut kind);
        let (map_a, map_b) = (random_map(shape, &mut numbers, end), random_map(shape, &mut numbers, end));
        let (a, b) = (edd_of(&mut edd, &map_a), edd_of(&mut edd, &map_b));

        // The minimum, from either side.
        let mut least = map_a.clone();
        for (vector, &value) in &map_b {
            least.entry(vector.clone()).and_modify(|known| *known = value.min(*known)).or_insert(value);
        }
        let wanted = edd_of(&mut edd, &least);
        assert_eq!(edd.minimum(a.edge(), b.edge()), Ok(wanted.edge()));
        assert_eq!(edd.minimum(b.edge(), a.edge()), Ok(wanted.edge()));

        // Single values, the largest, the smallest, the nearest vector, the counts.
        for (vector, &value) in &map_a {
            assert_eq!(edd.value(a.edge(), vector), Some(value));
        }
        assert_eq!(edd.largest(a.edge()), map_a.values().max().copied());
        assert_eq!(edd.smallest(a.edge()), map_a.values().min().copied());
        let nearest = edd.nearest(a.edge());
        assert_eq!(nearest.and_then(|vector| map_a.get(&vector).copied()), map_a.values().min().copied());
        assert_eq!(edd.count(a.edge()), Ok(map_a.len().into()));
        if end < 100 {
            let count = |value| map_a.values().filter(|&&known| known == value).count().into();
            let wanted: Vec<_> = (0..=map_a.values().max().copied().unwrap_or(0)).map(count).collect();
            let wanted = if map_a.is_empty() { Vec::new() } else { wanted };
            assert_eq!(edd.histogram(a.edge()), Ok(wanted));
        }

        // Cuts and thresholds.
        let most = numbers.below(end);
        let near: Map<u64> =
            map_a.iter().filter(|(_, value)| **value <= most).map(|(v, &n)| (v.clone(), n)).collect();
        let wanted = edd_of(&mut edd, &near);
        assert_eq!(edd.truncate(a.edge(), most), Ok(wanted.edge()));
        let wanted = set_of(edd.mdd, near.keys().cloned());
        assert_eq!(edd.at_most(a.edge(), most), Ok(wanted.node()));

        // Restriction to a set, here the support of the other.
        let other = set_of(edd.mdd, map_b.keys().cloned());
        assert_eq!(edd.support(b.edge()), Ok(other.node()));
        let both = map_a.iter().filter(|(vector, _)| map_b.contains_key(*vector));
        let wanted = edd_of(&mut edd, &both.map(|(vector, &value)| (vector.clone(), value)).collect());
        assert_eq!(edd.restrict(a.edge(), other.node()), Ok(wanted.edge()));

        // A constant more.
        let more: Map<u64> = map_a.iter().map(|(vector, value)| (vector.clone(), value + 7)).collect();
        assert_eq!(a.edge().plus(7), Ok(edd_of(&mut edd, &more).edge()));
        edd.validate().expect("all invariants hold");
    }
}

#[test]
fn arithmetic_and_comparisons_agree_with_maps() {
    for seed in seeds(300) {
        let mut numbers = RandomNumbers::new(seed);
        let shape = SHAPES[(seed % 2) as usize];
        let mut mdd = manager(shape);
        let mut kind = AddKind::new(&mut mdd);
        let mut add = Add::new(&mut mdd, &mut kind);
        let mut signed = |end: u64| -> Map<i64> {
            let map = random_map(shape, &mut numbers, end);
            map.into_iter().map(|(vector, value)| (vector, value as i64 - 4)).collect()
        };
        let (map_a, map_b) = (signed(10), signed(10));
        let (a, b) = (add_of(&mut add, &map_a), add_of(&mut add, &map_b));
        let constant = add.number(3).expect("no limit");
        let constant = add.root(constant);
        let both = |combine: &dyn Fn(i64, i64) -> i64| -> Map<i64> {
            let pairs = map_a.iter().filter_map(|(vector, &x)| Some((vector, x, *map_b.get(vector)?)));
            pairs.map(|(vector, x, y)| (vector.clone(), combine(x, y))).collect()
        };
        let mut least = both(&i64::min);
        for (vector, &value) in map_a.iter().chain(&map_b) {
            least.entry(vector.clone()).or_insert(value);
        }
        let cases = [
            (Arithmetic::Plus, both(&|x, y| x + y)),
            (Arithmetic::Minus, both(&|x, y| x - y)),
            (Arithmetic::Times, both(&|x, y| x * y)),
            (Arithmetic::Maximum, both(&i64::max)),
            (Arithmetic::Minimum, least),
        ];
        for (arithmetic, wanted) in cases {
            let wanted = add_of(&mut add, &wanted);
            let found = add.apply(arithmetic, a.node(), b.node());
            assert_eq!(found, Ok(wanted.node()), "{arithmetic:?}");
        }
        type Holds = fn(i64, i64) -> bool;
        let relations: [(Relation, Holds); 4] = [
            (Relation::Equal, |x, y| x == y),
            (Relation::NotEqual, |x, y| x != y),
            (Relation::Less, |x, y| x < y),
            (Relation::AtMost, |x, y| x <= y),
        ];
        for (relation, holds) in relations {
            let compared =
                map_a.iter().filter(|(vector, x)| map_b.get(*vector).is_some_and(|y| holds(**x, *y)));
            let wanted = set_of(add.mdd, compared.map(|(vector, _)| vector.clone()));
            assert_eq!(add.compare(relation, a.node(), b.node()), Ok(wanted.node()), "{relation:?}");
            let below = map_a.iter().filter(|(_, x)| holds(**x, 3));
            let wanted = set_of(add.mdd, below.map(|(vector, _)| vector.clone()));
            assert_eq!(add.compare(relation, a.node(), constant.node()), Ok(wanted.node()), "{relation:?} 3");
        }
        let support = set_of(add.mdd, map_a.keys().cloned());
        assert_eq!(add.support(a.node()), Ok(support.node()));
        let other = set_of(add.mdd, map_b.keys().cloned());
        let least = both(&|x, _| x).into_values().min();
        assert_eq!(add.smallest_on(a.node(), other.node()), Ok(least));
        let tripled: Map<i64> = map_a.iter().map(|(vector, value)| (vector.clone(), value * 3)).collect();
        let tripled = add_of(&mut add, &tripled);
        assert_eq!(add.apply(Arithmetic::Times, constant.node(), a.node()), Ok(tripled.node()));
        for (vector, &value) in &map_a {
            assert_eq!(add.value(a.node(), vector), Some(value));
        }
        add.validate().expect("all invariants hold");
    }
}

#[test]
fn numbers_that_do_not_fit_are_overflows() {
    let mut mdd = manager(SHAPES[0]);
    let mut kind = AddKind::new(&mut mdd);
    let mut edd_kind = EddKind::new(&mut mdd);
    let set = set_of(&mut mdd, [vec![0, 1, 2]]);
    let other = set_of(&mut mdd, [vec![0, 1, 3]]);
    let mut add = Add::new(&mut mdd, &mut kind);
    let large = add.of_set(set.node(), i64::MAX).expect("it fits");
    let large = add.root(large);
    let one = add.number(1).expect("no limit");
    assert_eq!(add.apply(Arithmetic::Plus, large.node(), one), Err(Interrupted::Overflow));
    let mut edd = Edd::new(&mut mdd, &mut edd_kind);
    let large = edd.of_set(set.node()).and_then(|edge| edge.plus(u64::MAX - 1)).expect("it fits");
    assert_eq!(large.plus(1), Err(Interrupted::Overflow));
    // Below the root the difference of two values is what must fit, and it does.
    let small = edd.of_set(other.node()).expect("no limit");
    let both = edd.minimum(large, small).expect("it fits");
    assert_eq!(edd.largest(both), Some(u64::MAX - 1));
    assert_eq!(both.plus(1).map(|edge| edge.weight), Ok(1), "the dangling weight alone says little");
    assert_eq!(
        edd.largest(both.plus(1).expect("it fits")),
        Some(u64::MAX),
        "and the largest value saturates"
    );
}

#[test]
fn a_counter_is_drawn() {
    let mut mdd =
        Mdd::new(vec![Domain::Direct], Meter::new(Budget::unlimited()), Limits::default()).expect("no limit");
    let count = Action::Shift { at_least: 0, at_most: 1, delta: 1 };
    mdd.set_events([vec![(1, count)]]).expect("no limit");
    let mut kind = EddKind::new(&mut mdd);
    let zero = set_of(&mut mdd, [vec![0]]);
    let mut edd = Edd::new(&mut mdd, &mut kind);
    let start = edd.of_set(zero.node()).expect("no limit");
    let distances = edd.saturate(start).expect("no limit");
    let dot = edd.dot(distances, |_, code| format!("\"{code}\""));
    let lines: Vec<&str> = dot.lines().map(str::trim).filter(|line| line.contains("->")).collect();
    assert_eq!(
        lines,
        [
            "start -> n1 [label=\"0\"];",
            "n1 -> n0 [label=\"\\\"0\\\" +0\"];",
            "n1 -> n0 [label=\"\\\"1\\\" +1\"];",
            "n1 -> n0 [label=\"\\\"2\\\" +2\"];",
        ]
    );
}
