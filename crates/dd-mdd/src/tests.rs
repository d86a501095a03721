//! Diagrams against plain sets: exhaustively on tiny domains, randomly on larger ones, and with
//! tables so small that collections and collisions happen all the time.

use crate::{Action, Domain, EventActions, Limits, Mdd, NodeId};
use std::collections::BTreeSet;
use symbolon_budget::{Budget, Interrupted, Meter};

type Plain = BTreeSet<Vec<u64>>;

const TINY: Limits =
    Limits { cache_bits: 3, largest_cache_bits: 6, collection_words: 10, collection_growth: 0 };

fn mdd(levels: usize, limits: Limits) -> Mdd {
    Mdd::new(vec![Domain::Direct; levels], Meter::new(Budget::unlimited()), limits).expect("no limit")
}

fn build(mdd: &mut Mdd, set: &Plain) -> NodeId {
    set.iter().fold(NodeId::EMPTY, |so_far, vector| {
        let one = mdd.singleton(vector).expect("no limit");
        mdd.union(so_far, one).expect("no limit")
    })
}

fn read(mdd: &Mdd, set: NodeId) -> Plain {
    mdd.vectors(set).collect()
}

/// A small generator of pseudo-random numbers (splitmix).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) % bound
    }

    fn set(&mut self, levels: usize, values: u64, size: u64) -> Plain {
        let count = self.below(size + 1);
        (0..count).map(|_| (0..levels).map(|_| self.below(values)).collect()).collect()
    }

    fn events(&mut self, levels: u32, values: u64) -> Vec<EventActions> {
        let count = self.below(5);
        (0..count)
            .map(|_| {
                (1..=levels)
                    .filter_map(|level| {
                        let at_least = self.below(values);
                        let at_most = if self.below(4) == 0 { self.below(values) } else { values - 1 };
                        let action = match self.below(6) {
                            0 | 1 => return None,
                            2 => Action::Shift { at_least, at_most, delta: 0 },
                            3 => Action::Assign { at_least, at_most, to: self.below(values) },
                            4 => {
                                let steps: BTreeSet<u32> =
                                    (0..values as u32).filter(|_| self.below(2) == 0).collect();
                                Action::Map(
                                    steps.into_iter().map(|i| (i, self.below(values) as u32)).collect(),
                                )
                            }
                            _ => {
                                let delta = self.below(3) as i64 - 1;
                                let least = at_least.max(u64::from(delta < 0));
                                Action::Shift { at_least: least, at_most: at_most.min(values - 2), delta }
                            }
                        };
                        Some((level, action))
                    })
                    .collect()
            })
            .collect()
    }
}

/// The independent reading of an event: on plain vectors.
fn fire(event: &EventActions, vector: &[u64]) -> Option<Vec<u64>> {
    let mut next = vector.to_vec();
    for (level, action) in event {
        let value = vector[*level as usize - 1];
        let new = match action {
            Action::Keep => Some(value),
            Action::Shift { at_least, at_most, delta } => (*at_least <= value && value <= *at_most)
                .then(|| value.checked_add_signed(*delta).expect("in range")),
            Action::Assign { at_least, at_most, to } => {
                (*at_least <= value && value <= *at_most).then_some(*to)
            }
            Action::Map(steps) => {
                steps.iter().find(|(from, _)| u64::from(*from) == value).map(|(_, to)| u64::from(*to))
            }
        };
        next[*level as usize - 1] = new?;
    }
    Some(next)
}

fn closure(events: &[EventActions], initial: &Plain) -> Plain {
    let mut reached = initial.clone();
    let mut waiting: Vec<Vec<u64>> = initial.iter().cloned().collect();
    while let Some(vector) = waiting.pop() {
        for next in events.iter().filter_map(|event| fire(event, &vector)) {
            if reached.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    reached
}

#[test]
fn all_pairs_of_sets_over_a_tiny_domain() {
    let universe: Vec<Vec<u64>> = (0..2).flat_map(|a| (0..3).map(move |b| vec![a, b])).collect();
    let set_of = |mask: usize| -> Plain {
        universe.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, v)| v.clone()).collect()
    };
    let mut m = mdd(2, Limits::default());
    let nodes: Vec<_> = (0..64)
        .map(|mask| {
            let node = build(&mut m, &set_of(mask));
            m.root(node)
        })
        .collect();
    for a in 0..64 {
        assert_eq!(read(&m, nodes[a].node()), set_of(a));
        assert_eq!(m.count(nodes[a].node()), Ok(set_of(a).len().into()));
        for b in 0..64 {
            let (x, y) = (nodes[a].node(), nodes[b].node());
            assert_eq!(m.union(x, y), Ok(nodes[a | b].node()), "{a} | {b}");
            assert_eq!(m.intersection(x, y), Ok(nodes[a & b].node()), "{a} & {b}");
            assert_eq!(m.difference(x, y), Ok(nodes[a & !b].node()), "{a} \\ {b}");
        }
    }
    m.validate().expect("valid");
}

fn check_events(seed: u64, limits: Limits) {
    let mut random = Random(seed);
    let levels = 1 + random.below(5) as usize;
    let values = 2 + random.below(3);
    let initial = random.set(levels, values, 3);
    let events = random.events(levels as u32, values);
    let context = format!("seed {seed}: {events:?} from {initial:?}");

    let mut m = mdd(levels, limits);
    m.set_events(events.clone()).expect("no limit");
    let from = build(&mut m, &initial);
    let from = m.root(from);
    let reached = closure(&events, &initial);

    let saturated = m.saturate(from.node()).expect("no limit");
    let saturated = m.root(saturated);
    assert_eq!(read(&m, saturated.node()), reached, "saturate, {context}");
    m.collect();
    m.validate().unwrap_or_else(|violation| panic!("{violation:?}, {context}"));
    let again = m.saturate(saturated.node()).expect("no limit");
    assert_eq!(again, saturated.node(), "a closed set is its own closure, {context}");

    let target: Plain = reached.iter().filter(|_| random.below(2) == 0).cloned().collect();
    let within: Plain = reached.iter().filter(|_| random.below(3) != 0).cloned().collect();
    let target_node = build(&mut m, &target);
    let target_node = m.root(target_node);
    let within_node = build(&mut m, &within);
    let within_node = m.root(within_node);
    let mut edges = 0_u64;
    let ever = m.ever_enabled(saturated.node()).expect("no limit");
    for (number, event) in events.iter().enumerate() {
        let image: Plain = target.iter().filter_map(|vector| fire(event, vector)).collect();
        let node = m.image(number, target_node.node()).expect("no limit");
        assert_eq!(read(&m, node), image, "image of {number}, {context}");
        let preimage: Plain = within
            .iter()
            .filter(|v| fire(event, v).is_some_and(|next| target.contains(&next)))
            .cloned()
            .collect();
        let node = m.preimage(number, target_node.node(), within_node.node()).expect("no limit");
        assert_eq!(read(&m, node), preimage, "preimage of {number}, {context}");
        let enabled: Plain = reached.iter().filter(|vector| fire(event, vector).is_some()).cloned().collect();
        edges += enabled.len() as u64;
        assert_eq!(ever[number], !enabled.is_empty(), "ever enabled {number}, {context}");
        let node = m.enabled(number, saturated.node()).expect("no limit");
        assert_eq!(read(&m, node), enabled, "enabled {number}, {context}");
    }
    assert_eq!(m.count_edges(saturated.node()), Ok(edges.into()), "edges, {context}");
    let dead: Plain =
        reached.iter().filter(|v| events.iter().all(|event| fire(event, v).is_none())).cloned().collect();
    let node = m.dead(saturated.node()).expect("no limit");
    assert_eq!(read(&m, node), dead, "dead, {context}");

    let weight = |level: u32, code: u32| i128::from(level) * i128::from(code) - i128::from(code * code);
    let largest = reached.iter().map(|vector| {
        vector.iter().enumerate().map(|(below, &value)| weight(below as u32 + 1, value as u32)).sum::<i128>()
    });
    let largest_found = m.largest(saturated.node(), |level, code| Ok(weight(level, code)));
    assert_eq!(largest_found, Ok(largest.max()), "largest, {context}");
    // Vectors whose codes have one sum, as the only group; the others do not count.
    let top = reached.iter().map(|vector| vector.iter().sum::<u64>()).max().unwrap_or(0);
    let mut of_top = NodeId::EMPTY;
    for vector in reached.iter().filter(|vector| vector.iter().sum::<u64>() == top) {
        let one = m.singleton(vector).expect("no limit");
        of_top = m.union(of_top, one).expect("no limit");
    }
    let of_top = m.root(of_top);
    let factorial =
        |number: u64| (1..=number).map(num_bigint::BigUint::from).product::<num_bigint::BigUint>();
    // Level 1 counts for less: a vector without this code there does not count at all.
    let expected = read(&m, of_top.node()).into_iter().filter(|vector| vector[0] > 0).map(|vector| {
        let lower: num_bigint::BigUint = factorial(vector[0] - 1);
        factorial(top - 1)
            / vector[1..].iter().map(|&value| factorial(value)).product::<num_bigint::BigUint>()
            / lower
    });
    let counted = m.multinomial_count(of_top.node(), 1, |level, code, give| {
        let number = u64::from(code).checked_sub(u64::from(level == 1));
        number.map(|number| give(0, number)).is_some()
    });
    assert_eq!(counted, Ok(expected.sum()), "multinomial count, {context}");
    // Codes stand for other values here, so that nobody confuses the two.
    let figures = m.figures(saturated.node(), |level, code| u64::from(10 * level + code)).expect("no limit");
    let values =
        |vector: &[u64]| -> Vec<u64> { (10_u64..).step_by(10).zip(vector).map(|(a, b)| a + b).collect() };
    let largest_value = reached.iter().filter_map(|vector| values(vector).into_iter().max()).max();
    let largest_sum = reached.iter().map(|vector| values(vector).iter().sum::<u64>()).max();
    assert_eq!(figures.vectors, reached.len().into(), "figures, {context}");
    assert_eq!(figures.nodes, m.node_count(saturated.node()), "figures, {context}");
    assert_eq!(figures.largest_value, largest_value.unwrap_or(0), "figures, {context}");
    assert_eq!(figures.largest_sum, u128::from(largest_sum.unwrap_or(0)), "figures, {context}");
    for (below, summary) in m.summary(saturated.node()).iter().skip(1).enumerate() {
        let codes: BTreeSet<u32> = reached.iter().map(|vector| vector[below] as u32).collect();
        assert_eq!(summary.codes, codes.into_iter().collect::<Vec<_>>(), "codes, {context}");
    }
    m.validate().unwrap_or_else(|violation| panic!("{violation:?}, {context}"));
}

fn seeds(count: u64) -> Vec<u64> {
    match std::env::var("SYMBOLON_SEED").ok().and_then(|text| text.parse().ok()) {
        Some(seed) => vec![seed],
        None => (0..count).collect(),
    }
}

#[test]
fn random_events_agree_with_plain_sets() {
    for seed in seeds(3000) {
        check_events(seed, Limits { cache_bits: 8, ..Limits::default() });
    }
}

#[test]
fn random_events_agree_on_tiny_tables() {
    for seed in seeds(3000) {
        check_events(seed, TINY);
    }
}

#[test]
fn collections_happen_inside_saturation() {
    // Tokens move along a chain; many intermediate nodes become garbage.
    let levels = 9;
    let events: Vec<EventActions> = (1..levels)
        .map(|level| {
            vec![
                (level, Action::Shift { at_least: 1, at_most: u64::MAX, delta: -1 }),
                (level + 1, Action::Shift { at_least: 0, at_most: u64::MAX, delta: 1 }),
            ]
        })
        .collect();
    let mut m = mdd(levels as usize, TINY);
    m.set_events(events).expect("no limit");
    let mut start = vec![0; levels as usize];
    start[0] = 6;
    let initial = m.singleton(&start).expect("no limit");
    let reached = m.saturate(initial).expect("no limit");
    // Ways to put 6 equal tokens on 9 places: 14 over 6.
    assert_eq!(m.count(reached), Ok(3003_u32.into()));
    assert!(m.statistics().collections > 3, "{:?}", m.statistics());
    m.validate().expect("valid");
}

#[test]
fn an_unbounded_counter_is_interrupted_with_a_partial_answer() {
    let mut m = Mdd::new(
        vec![Domain::Direct; 2],
        Meter::with_step_limit(Budget::unlimited(), 500),
        Limits::default(),
    )
    .expect("no limit");
    m.set_events([vec![(1, Action::Shift { at_least: 0, at_most: u64::MAX, delta: 1 })]]).expect("few steps");
    let initial = m.singleton(&[0, 7]).expect("few steps");
    let initial = m.root(initial);
    assert_eq!(m.saturate(initial.node()), Err(Interrupted::Steps));
    let partial = m.take_partial().expect("something was found");
    let nodes: Vec<NodeId> = partial.sets.iter().map(|set| set.node()).collect();
    let found = m.count_small(&nodes, partial.level).expect("small");
    assert!(found > 100_u32.into() && found < 501_u32.into(), "{found}");
    m.collect();
    m.validate().expect("an interrupted manager stays valid");
    assert_eq!(read(&m, initial.node()), Plain::from([vec![0, 7]]));
}

/// A step to a value that cannot be held is a failure where it is taken, and nothing where another
/// level forbids it.
#[test]
fn only_steps_that_are_taken_overflow() {
    let weight = i64::MAX;
    for bottom in [1_u64, 0] {
        let domains = vec![Domain::Direct, Domain::Direct, Domain::table()];
        let mut m = Mdd::new(domains, Meter::new(Budget::unlimited()), Limits::default()).expect("no limit");
        let taken = Action::Shift { at_least: 1, at_most: u64::MAX, delta: -1 };
        let tested = Action::Shift { at_least: bottom, at_most: u64::MAX, delta: 0 };
        m.set_events([vec![
            (3, Action::Shift { at_least: 0, at_most: u64::MAX, delta: weight }),
            (2, taken),
            (1, tested),
        ]])
        .expect("no limit");
        // One token below: the event is taken once. Two tokens: a second time, which leads too far.
        for tokens in [1, 2] {
            let initial = m.singleton(&[bottom, tokens, 0]).expect("no limit");
            let step = m.image(0, initial).expect("the first step fits");
            let reached = m.saturate(initial);
            if tokens == 2 {
                assert_eq!(
                    (m.image(0, step), reached),
                    (Err(Interrupted::Overflow), Err(Interrupted::Overflow))
                );
                continue;
            }
            let states = Plain::from([vec![bottom, 1, 0], vec![bottom, 0, weight as u64]]);
            assert_eq!(read(&m, reached.expect("one step")), states);
            assert_eq!(m.image(0, step), Ok(NodeId::EMPTY));
        }
    }
}

#[test]
fn huge_values_are_coded() {
    let big = 1_u64 << 62;
    let mut m = Mdd::new(vec![Domain::table()], Meter::new(Budget::unlimited()), Limits::default())
        .expect("no limit");
    let third = big as i64 / 4;
    m.set_events([vec![(1, Action::Shift { at_least: third as u64, at_most: u64::MAX, delta: -third })]])
        .expect("no limit");
    let initial = m.singleton(&[big]).expect("no limit");
    let reached = m.saturate(initial).expect("no limit");
    let values: Plain =
        [0, big / 4, big / 2, big / 4 * 3, big].into_iter().map(|value| vec![value]).collect();
    assert_eq!(read(&m, reached), values);

    m.set_events([vec![(1, Action::Shift { at_least: 0, at_most: u64::MAX, delta: i64::MAX / 2 })]])
        .expect("no limit");
    let initial = m.singleton(&[big]).expect("no limit");
    assert_eq!(m.saturate(initial), Err(Interrupted::Overflow));
}

#[test]
fn equal_events_count_as_separate_edges() {
    let test = || vec![(1, Action::Shift { at_least: 1, at_most: u64::MAX, delta: 0 })];
    let mut m = mdd(2, Limits::default());
    m.set_events([test(), test(), test(), vec![], vec![(2, Action::Map([(0, 1)].into()))]])
        .expect("no limit");
    let initial = m.singleton(&[1, 0]).expect("no limit");
    let reached = m.saturate(initial).expect("no limit");
    assert_eq!(m.count(reached), Ok(2_u32.into()));
    assert_eq!(m.count_edges(reached), Ok(9_u32.into()));
    assert_eq!(m.dead(reached), Ok(NodeId::EMPTY));
}

#[test]
fn edges_are_the_codes_that_lead_somewhere() {
    let mut m = mdd(2, Limits::default());
    let set = build(&mut m, &Plain::from([vec![0, 1], vec![1, 1], vec![0, 3]]));
    let codes: Vec<u32> = m.edges(set).map(|(code, _)| code).collect();
    assert_eq!(codes, [1, 3]);
    for (code, child) in m.edges(set) {
        let below: Vec<_> = m.edges(child).collect();
        let expected =
            if code == 1 { vec![(0, NodeId::ONE), (1, NodeId::ONE)] } else { vec![(0, NodeId::ONE)] };
        assert_eq!(below, expected, "under {code}");
    }
}
