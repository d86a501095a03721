//! Every method of bounded search against explicit distances, on random nets.
//!
//! S(B) is what at most B events reach. On nets with finitely many states every method must find S(B) and nothing beyond its own
//! superset, exact methods S(B) itself with the true distances, and unbounded saturation and chaining all distances. Where
//! states are infinitely many, every method must end, find S(B), and find reachable states only.

#[path = "random/encoded.rs"]
mod encoded;

use encoded::Encoded;
use symbolon_budget::Budget;
use symbolon_dd_mdd::{ChainFrom, NodeId, Root, Rounds};
use symbolon_dd_weighted::{Edge, Relation};
use symbolon_explicit::{Options, Trace, explore, replay};
use symbolon_model::{EventId, Model, State};
use symbolon_testkit::{STATE_LIMIT, random_growing_model, random_model, seeds};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Chain(ChainFrom),
    Saturate(Rounds),
    EddApprox,
    EddExact,
    AddExact,
}

const METHODS: [Method; 7] = [
    Method::Chain(ChainFrom::Everything),
    Method::Chain(ChainFrom::Frontier),
    Method::Saturate(Rounds::Local),
    Method::Saturate(Rounds::Global),
    Method::EddApprox,
    Method::EddExact,
    Method::AddExact,
];

impl Method {
    fn is_exact(self) -> bool {
        matches!(self, Method::EddExact | Method::AddExact)
    }

    /// The largest distance of what the method may find.
    fn superset(self, model: &Model, bound: u64) -> u64 {
        let levels = model.variables.len() as u64;
        match self {
            Method::Chain(_) => model.events.len() as u64 * bound,
            Method::Saturate(Rounds::Local) => (bound + 1).saturating_pow(levels as u32) - 1,
            Method::Saturate(Rounds::Global) => global_superset(levels, bound),
            Method::EddApprox => levels * bound,
            Method::EddExact | Method::AddExact => bound,
        }
    }

    /// What the method finds.
    fn run(self, encoded: &mut Encoded, initial: &Root, bound: u64) -> Root {
        let set = match self {
            Method::Chain(from) => encoded.mdd.chain(from, bound, initial.node()),
            Method::Saturate(rounds) => encoded.mdd.saturate_bounded(rounds, bound, initial.node()),
            Method::EddApprox => {
                edd_approx(encoded, initial, bound).and_then(|found| encoded.edd().support(found))
            }
            Method::EddExact => {
                edd_approx(encoded, initial, bound).and_then(|found| encoded.edd().at_most(found, bound))
            }
            Method::AddExact => {
                let found = add_exact(encoded, initial, bound);
                let mut add = encoded.add();
                let most = add.number(bound as i64).expect("no limit");
                add.compare(Relation::AtMost, found.node(), most)
            }
        };
        let set = set.expect("no limit");
        encoded.mdd.root(set)
    }
}

/// D_K(B) with D_0 = 0 and D_l(b) = b + D_{l−1}(b) + Σ_{j=1..b} D_{l−1}(j).
fn global_superset(levels: u64, bound: u64) -> u64 {
    let mut distances = vec![0_u64; bound as usize + 1];
    for _ in 0..levels {
        let mut sum = 0_u64;
        distances = distances
            .iter()
            .zip(0..)
            .map(|(&below, budget): (&u64, u64)| {
                sum = if budget == 0 { 0 } else { sum.saturating_add(below) };
                budget.saturating_add(below).saturating_add(sum)
            })
            .collect();
    }
    distances[bound as usize]
}

fn edd_approx(
    encoded: &mut Encoded,
    initial: &Root,
    bound: u64,
) -> Result<Edge, symbolon_budget::Interrupted> {
    let mut edd = encoded.edd();
    edd.set_bound(Some(bound));
    let start = edd.of_set(initial.node())?;
    let found = edd.saturate(start);
    edd.set_bound(None);
    found
}

fn add_exact(encoded: &mut Encoded, initial: &Root, bound: u64) -> Root {
    let mut add = encoded.add();
    add.set_bound(Some(bound));
    let start = add.of_set(initial.node(), 0).expect("no limit");
    let found = add.saturate(start).expect("no limit");
    let found = add.root(found);
    add.set_bound(None);
    found
}

/// The states at each distance, up to `most` where that is given.
fn layers(model: &Model, most: Option<u64>) -> Vec<Vec<State>> {
    let mut known: std::collections::HashSet<State> = model.initial.iter().cloned().collect();
    let mut layers = vec![model.initial.clone()];
    while most.is_none_or(|most| (layers.len() as u64) <= most) {
        let mut next = Vec::new();
        for state in &layers[layers.len() - 1] {
            for event in &model.events {
                if let Some(after) = event.fire(state).expect("values are small")
                    && known.insert(after.clone())
                {
                    next.push(after);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        layers.push(next);
    }
    layers
}

/// Bounds that are tried; in turn all from 0 to 20.
fn bounds(seed: u64) -> [u64; 3] {
    [seed % 4, 4 + seed % 6, 10 + seed % 11]
}

#[test]
fn methods_agree_with_explicit_distances() {
    for seed in seeds(600) {
        let model = random_model(seed);
        let mut encoded = Encoded::new(&model, seed);
        let layers: Vec<Root> = layers(&model, None).iter().map(|layer| encoded.set(layer)).collect();
        // What lies within each distance.
        let mut within: Vec<Root> = Vec::new();
        for layer in &layers {
            let before = within.last().map_or(NodeId::EMPTY, Root::node);
            let all = encoded.mdd.union(before, layer.node()).expect("no limit");
            within.push(encoded.mdd.root(all));
        }
        let ball = |distance: u64| within[(distance.min(layers.len() as u64 - 1)) as usize].node();
        let initial = layers[0].clone();

        let distances = encoded.layered(&layers);
        let start = encoded.edd().of_set(initial.node()).expect("no limit");
        let saturated = encoded.edd().saturate(start).expect("no limit");
        assert_eq!(saturated, distances.edge(), "saturation finds the distances");
        let start = encoded.edd().of_set(initial.node()).expect("no limit");
        let chained = encoded.edd().chain(start).expect("no limit");
        assert_eq!(chained, distances.edge(), "chaining finds the distances");
        assert_eq!(encoded.edd().largest(chained), Some(layers.len() as u64 - 1));

        for bound in bounds(seed) {
            for method in METHODS {
                let found = method.run(&mut encoded, &initial, bound);
                let (least, most) = (ball(bound), ball(method.superset(&model, bound)));
                assert!(encoded.is_subset(least, found.node()), "{method:?} misses states at bound {bound}");
                assert!(encoded.is_subset(found.node(), most), "{method:?} finds too much at bound {bound}");
                if method.is_exact() {
                    assert_eq!(found.node(), least, "{method:?} at bound {bound}");
                }
            }
            // With the true values.
            let near = &layers[..layers.len().min(bound as usize + 1)];
            let near_add = encoded.layered_add(near);
            assert_eq!(add_exact(&mut encoded, &initial, bound), near_add, "values of add-exact at {bound}");
            let near = encoded.layered(near);
            let approx = edd_approx(&mut encoded, &initial, bound).expect("no limit");
            let exact = encoded.edd().truncate(approx, bound).expect("no limit");
            assert_eq!(exact, near.edge(), "values of edd-exact at {bound}");
        }
        encoded.edd().validate().expect("all invariants hold");
        encoded.add().validate().expect("all invariants hold");
    }
}

#[test]
fn methods_end_on_nets_that_grow() {
    for seed in seeds(150) {
        let model = random_growing_model(seed);
        let mut encoded = Encoded::new(&model, seed);
        for bound in 0..=3 {
            let near: Vec<State> = layers(&model, Some(bound)).concat();
            let ball = encoded.set(&near);
            let initial = encoded.set(&model.initial);
            for method in METHODS {
                if matches!(method, Method::Saturate(_)) && bound > 2 {
                    continue;
                }
                let found = method.run(&mut encoded, &initial, bound);
                assert!(encoded.is_subset(ball.node(), found.node()), "{method:?} misses states at {bound}");
                if method.is_exact() {
                    assert_eq!(found, ball, "{method:?} at bound {bound}");
                }
                // A few of the others are walked to.
                let others = encoded.mdd.difference(found.node(), ball.node()).expect("no limit");
                let sampled: Vec<Vec<u64>> = encoded.mdd.vectors(others).take(3).collect();
                let last = encoded.mdd.choose(others);
                for vector in sampled.iter().chain(&last) {
                    let state = encoded.state(vector);
                    let way = symbolon_explicit::find(
                        &model,
                        &Options { state_limit: Some(20_000) },
                        &Budget::unlimited(),
                        |met| met == state,
                    );
                    assert!(!matches!(way, Ok(None)), "{method:?} invents {state:?}");
                }
            }
        }
    }
}

#[test]
fn traces_are_shortest_and_replay() {
    for seed in seeds(150) {
        let model = random_model(seed);
        let explored = explore(&model, &Options { state_limit: Some(STATE_LIMIT) }, &Budget::unlimited())
            .expect("random models are small");
        let mut encoded = Encoded::new(&model, seed);
        let initial = encoded.set(&model.initial);
        let start = encoded.edd().of_set(initial.node()).expect("no limit");
        let distances = encoded.edd().saturate(start).expect("no limit");
        let distances = encoded.edd().function(distances);

        // The states of each distance are counted.
        let mut counts = vec![0_u64; explored.depth() + 1];
        (0..explored.state_count()).for_each(|number| counts[explored.distance(number)] += 1);
        let histogram = encoded.edd().histogram(distances.edge()).expect("no limit");
        assert_eq!(histogram, counts.iter().map(|&count| count.into()).collect::<Vec<_>>());
        let all = encoded.edd().count(distances.edge()).expect("no limit");
        assert_eq!(all, (explored.state_count() as u64).into());

        // Dead states are filtered, and the nearest one is walked to; so are some others.
        let states = encoded.edd().support(distances.edge()).expect("no limit");
        let dead = encoded.mdd.dead(states).expect("no limit");
        let near = encoded.edd().restrict(distances.edge(), dead).expect("no limit");
        let nearest = explored.dead_states().first().map(|&number| explored.distance(number) as u64);
        assert_eq!(encoded.edd().smallest(near), nearest, "the nearest deadlock");
        let mut goals: Vec<Vec<u64>> = encoded.edd().nearest(near).into_iter().collect();
        let count = explored.state_count();
        goals.extend((0..5).map(|part| encoded.vector(&explored.state((count - 1) * part / 4))));
        for goal in goals {
            let trace =
                encoded.edd().trace_to(distances.edge(), &goal).expect("no limit").expect("it is reachable");
            let events: Vec<EventId> = trace.events.iter().map(|&event| EventId(event as u32)).collect();
            let initial: State = encoded.state(&trace.initial).into();
            let end = encoded.state(&goal);
            let states = replay(&model, &Trace { initial, events }).expect("the trace replays");
            assert_eq!(states[states.len() - 1][..], end[..], "it ends where it should");
            let number = explored.position(&end).expect("it is reachable");
            assert_eq!(states.len() - 1, explored.distance(number), "and is shortest");
            assert_eq!(encoded.edd().value(distances.edge(), &goal), Some(explored.distance(number) as u64));
        }
    }
}
