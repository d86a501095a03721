//! Nets under random and chosen hierarchies: random ones against the explicit search, built-in
//! families against known numbers of states.

use num_bigint::BigUint;
use symbolon_budget::{Budget, Meter};
use symbolon_dd_hierarchy::{
    Action, Events, Hierarchy, Limits, NodeId, RelationId, ShapeId, Slot, Statistics,
};
use symbolon_explicit::{Options, explore};
use symbolon_model::{Change, Model, Part};
use symbolon_petri::{families, lower};
use symbolon_testkit::{RandomNumbers, random_model, seeds};

const TINY: Limits =
    Limits { cache_bits: 3, largest_cache_bits: 6, collection_words: 10, collection_growth: 0 };

/// A model whose variables stand in this order, under this shape.
struct Encoded {
    sets: Hierarchy,
    shape: ShapeId,
    order: Vec<usize>,
    events: Events,
    steps: RelationId,
}

/// Components over a number of places, cut at random.
fn random_shape(sets: &mut Hierarchy, random: &mut RandomNumbers, places: usize, depth: u64) -> ShapeId {
    let mut slots = Vec::new();
    let mut left = places;
    while left > 0 {
        let size = random.between(1, left as u64) as usize;
        let is_component = depth > 0 && size < places && random.percent(70);
        if is_component {
            slots.push(Slot::Component(random_shape(sets, random, size, depth - 1)));
        } else {
            slots.extend(std::iter::repeat_n(Slot::Value, size));
        }
        left -= size;
    }
    sets.shape(&slots).expect("few shapes")
}

impl Encoded {
    /// `None` if the model has events that this kind of diagram does not know.
    fn new(model: &Model, mut sets: Hierarchy, shape: ShapeId, order: Vec<usize>) -> Option<Encoded> {
        let mut place_of = vec![0; order.len()];
        (0..).zip(&order).for_each(|(place, &variable)| place_of[variable] = place);
        let mut events = Events::default();
        for event in &model.events {
            let mut parts = Vec::new();
            for part in &event.parts {
                let Part::Local { variable, at_least, at_most, change } = part else { return None };
                let (at_least, at_most) = (*at_least, *at_most);
                let action = match *change {
                    Change::Add(delta) => Action::Shift { at_least, at_most, delta },
                    Change::Set(to) => Action::Assign { at_least, at_most, to },
                };
                parts.push((place_of[variable.index()], sets.action(action).expect("few actions")));
            }
            events.push(parts);
        }
        let steps = sets.relation_of_events(shape, &events).expect("no limit");
        Some(Encoded { sets, shape, order, events, steps })
    }

    fn encode(&self, state: &[u64]) -> Vec<u64> {
        self.order.iter().map(|&variable| state[variable]).collect()
    }

    fn initial(&mut self, model: &Model) -> NodeId {
        model.initial.iter().fold(NodeId::EMPTY, |so_far, state| {
            let values = self.encode(state);
            let one = self.sets.singleton(self.shape, &values).expect("no limit");
            self.sets.union(so_far, one).expect("no limit")
        })
    }
}

fn manager(limits: Limits) -> Hierarchy {
    Hierarchy::new(Meter::new(Budget::unlimited()), limits).expect("no limit")
}

#[test]
fn random_nets_agree_with_the_explicit_search() {
    let mut checked = 0;
    for seed in seeds(60) {
        let mut random = RandomNumbers::new(seed ^ 0x5eed);
        let model = random_model(seed);
        let options = Options::default();
        let explicit =
            explore(&model, &options, &Budget::unlimited()).unwrap_or_else(|_| panic!("it is small"));
        for limits in [Limits::default(), TINY] {
            let mut sets = manager(limits);
            let mut order: Vec<usize> = (0..model.variables.len()).collect();
            random.shuffle(&mut order);
            let shape = random_shape(&mut sets, &mut random, order.len(), 3);
            let Some(mut net) = Encoded::new(&model, sets, shape, order) else { continue };
            let initial = net.initial(&model);
            let initial = net.sets.root(initial);
            let reached = net.sets.closure(net.steps, initial.node()).expect("no limit");
            let reached = net.sets.root(reached);
            let count = net.sets.count(reached.node()).expect("no limit");
            assert_eq!(count, Some(explicit.state_count().into()), "states");
            for state in explicit.states() {
                assert!(net.sets.contains(reached.node(), &net.encode(&state)), "{state:?}");
            }
            let edges = net.sets.count_edges(net.steps, reached.node()).expect("no limit");
            assert_eq!(edges, Some(explicit.edge_count().into()), "edges");
            let dead = net.sets.dead(net.steps, reached.node()).expect("no limit");
            let dead = net.sets.count(dead).expect("no limit");
            assert_eq!(dead, Some(explicit.dead_states().len().into()), "dead states");
            let weights: Vec<(u32, i64)> = (0..net.order.len() as u32).map(|place| (place, 1)).collect();
            let weights = net.sets.weights(net.shape, &weights).expect("no limit");
            let largest = net.sets.largest(weights, reached.node());
            assert_eq!(largest, Ok(Some(explicit.max_sum() as i128)), "the largest sum");

            // Breadth-first search and chaining, by single events, reach the same node.
            let singles: Vec<RelationId> = (0..net.events.len())
                .map(|event| net.sets.relation_of_event(shape, net.events.parts(event)).expect("no limit"))
                .collect();
            for chains in [false, true] {
                let mut current = net.sets.root(initial.node());
                loop {
                    let mut next = net.sets.root(current.node());
                    for &single in &singles {
                        let from = if chains { next.node() } else { current.node() };
                        let image = net.sets.image(single, from).expect("no limit");
                        let image = net.sets.root(image);
                        let union = net.sets.union(next.node(), image.node()).expect("no limit");
                        next = net.sets.root(union);
                    }
                    if next == current {
                        break;
                    }
                    current = next;
                }
                assert_eq!(current.node(), reached.node(), "K3: chaining {chains}");
            }
            net.sets.validate().unwrap_or_else(|violation| panic!("{violation:?}"));
            checked += 1;
        }
    }
    assert!(checked > 0);
}

/// The block of a place, by its name.
type Key = fn(&str) -> u64;

/// Explores a family with places in blocks.
fn family(text: &str, key: Key, halves: bool) -> (BigUint, usize, Statistics) {
    let (family, parameters) = families::parse(text).expect("a family");
    let model = lower(&family.generate(&parameters, &Budget::unlimited()).expect("no limit"));
    let mut order: Vec<usize> = (0..model.variables.len()).collect();
    let number = |variable: &usize| key(&model.variables[*variable].name);
    order.sort_by_key(number);
    let blocks: Vec<usize> = order.chunk_by(|a, b| number(a) == number(b)).map(<[usize]>::len).collect();
    let mut sets = manager(Limits::default());
    let mut slots: Vec<Slot> = blocks
        .iter()
        .map(|&size| Slot::Component(sets.shape(&vec![Slot::Value; size]).expect("few shapes")))
        .collect();
    while halves && slots.len() > 2 {
        // From the ends of halves upwards: equal sizes stay equal.
        let pairs: Vec<Slot> = slots
            .chunks(2)
            .map(
                |pair| {
                    if pair.len() == 2 { Slot::Component(sets.shape(pair).expect("few")) } else { pair[0] }
                },
            )
            .collect();
        slots = pairs;
    }
    let shape = sets.shape(&slots).expect("few shapes");
    let mut net = Encoded::new(&model, sets, shape, order).expect("arcs of a net");
    let initial = net.initial(&model);
    let reached = net.sets.closure(net.steps, initial).expect("no limit");
    let states = net.sets.count(reached).expect("no limit").expect("well defined");
    (states, net.sets.node_count(reached).nodes(), net.sets.statistics())
}

/// The last number in a name.
fn last(name: &str) -> u64 {
    numbers(name).last().copied().unwrap_or(0)
}

/// The first number in a name.
fn first(name: &str) -> u64 {
    numbers(name).first().copied().unwrap_or(0)
}

fn numbers(name: &str) -> Vec<u64> {
    name.split(|character: char| !character.is_ascii_digit()).filter_map(|text| text.parse().ok()).collect()
}

#[test]
fn families_have_their_numbers_of_states() {
    let three = |power: u32| BigUint::from(3_u32).pow(power);
    let rows: [(&str, Key, bool, BigUint, u64); 9] = [
        // family, block of a place, halved, states, steps at most
        ("kanban:5", last, false, 2_546_432_u32.into(), 1_000),
        ("kanban:50", last, false, 10_425_941_194_901_336_u64.into(), 100_000),
        ("dekker:20", last, true, 11_534_336_u32.into(), 10_000),
        ("token-ring:10", first, true, 58_905_u32.into(), 40_000),
        ("philosophers:100", last, true, three(100), 10_000),
        ("philosophers:1024", last, true, three(1024), 20_000),
        ("slotted-ring:10", last, false, 8_291_791_872_u64.into(), 40_000),
        ("peterson:2", first, true, 20_754_u32.into(), 200_000),
        ("fms:5", last, false, 2_895_018_u32.into(), 40_000),
    ];
    for (text, key, halves, states, most_steps) in rows {
        let (found, nodes, statistics) = family(text, key, halves);
        println!("{text}: {nodes} nodes, {} made, {} steps", statistics.created_nodes, statistics.steps);
        assert_eq!(found, states, "{text}");
        assert!(statistics.steps <= most_steps, "{text}: {} steps, at most {most_steps}", statistics.steps);
    }
}
