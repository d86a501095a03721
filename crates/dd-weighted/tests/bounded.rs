//! Every method of bounded search against explicit distances, on random nets.
//!
//! S(B) is what at most B events reach. On nets with finitely many states every method must find S(B) and nothing beyond its own
//! superset, exact methods S(B) itself with the true distances, and unbounded saturation and chaining all distances. Where
//! states are infinitely many, every method must end, find S(B), and find reachable states only: some of those that it finds are
//! walked to. A net that fails is made smaller before it is shown.
//!
//! `SYMBOLON_RANDOM_NETS=4000 cargo test --release -p symbolon-dd-weighted --test bounded` tries as many nets of each kind.

#[path = "random/encoded.rs"]
mod encoded;

use encoded::Encoded;
use symbolon_budget::Budget;
use symbolon_dd_mdd::{ChainFrom, NodeId, Root, Rounds};
use symbolon_dd_weighted::{Edge, Relation};
use symbolon_explicit::{Options, Trace, explore, replay};
use symbolon_model::{EventId, Model, State};
use symbolon_testkit::{STATE_LIMIT, random_growing_model, random_model, seeds, shrink_model};

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

/// How many nets are tried: a few that take seconds, or as many as the environment says.
fn how_many(few: u64) -> u64 {
    let wanted = std::env::var("SYMBOLON_RANDOM_NETS").ok();
    wanted.map_or(few, |wanted| wanted.parse().expect("SYMBOLON_RANDOM_NETS is a number"))
}

/// Demands that a model passes an examination; if it does not, a smaller one that does not either is shown.
fn check(model: &Model, examine: impl Fn(&Model) -> Result<(), String>) {
    if let Err(first) = examine(model) {
        let smaller = shrink_model(model, |smaller| examine(smaller).is_err());
        let why = examine(&smaller).err().unwrap_or_default();
        panic!("{why} (first seen as: {first})\n{smaller:#?}");
    }
}

fn demand(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// The largest bound that is tried.
const MOST_STEPS: u64 = 20;

/// Every method at every bound, on a model with finitely many states.
fn examine_methods(model: &Model, seed: u64) -> Result<(), String> {
    let mut encoded = Encoded::new(model, seed);
    let layers: Vec<Root> = layers(model, None).iter().map(|layer| encoded.set(layer)).collect();
    let depth = layers.len() as u64 - 1;
    // What lies within each distance.
    let mut within: Vec<Root> = Vec::new();
    for layer in &layers {
        let before = within.last().map_or(NodeId::EMPTY, Root::node);
        let all = encoded.mdd.union(before, layer.node()).expect("no limit");
        within.push(encoded.mdd.root(all));
    }
    let ball = |distance: u64| within[distance.min(depth) as usize].node();
    let initial = layers[0].clone();

    let distances = encoded.layered(&layers);
    let start = encoded.edd().of_set(initial.node()).expect("no limit");
    let saturated = encoded.edd().saturate(start).expect("no limit");
    demand(saturated == distances.edge(), || "saturation finds other distances".into())?;
    let start = encoded.edd().of_set(initial.node()).expect("no limit");
    let chained = encoded.edd().chain(start).expect("no limit");
    demand(chained == distances.edge(), || "chaining finds other distances".into())?;
    demand(encoded.edd().largest(chained) == Some(depth), || format!("the depth is {depth}"))?;

    // Bounds far above the depth are all alike.
    for bound in (0..=MOST_STEPS).filter(|&bound| bound <= depth + 2 || bound == MOST_STEPS) {
        for method in METHODS {
            let found = method.run(&mut encoded, &initial, bound);
            let (least, most) = (ball(bound), ball(method.superset(model, bound)));
            let what = |says: &str| format!("{method:?} {says} at bound {bound}");
            demand(encoded.is_subset(least, found.node()), || what("misses states"))?;
            demand(encoded.is_subset(found.node(), most), || what("finds too much"))?;
            demand(!method.is_exact() || found.node() == least, || what("is not exact"))?;
        }
        // With the true values.
        let near = &layers[..layers.len().min(bound as usize + 1)];
        let near_add = encoded.layered_add(near);
        let by_add = add_exact(&mut encoded, &initial, bound);
        demand(by_add == near_add, || format!("values of add-exact at bound {bound}"))?;
        let near = encoded.layered(near);
        let approx = edd_approx(&mut encoded, &initial, bound).expect("no limit");
        let exact = encoded.edd().truncate(approx, bound).expect("no limit");
        demand(exact == near.edge(), || format!("values of edd-exact at bound {bound}"))?;
    }
    encoded.edd().validate().map_err(|broken| format!("{broken:?}"))?;
    encoded.add().validate().map_err(|broken| format!("{broken:?}"))
}

#[test]
fn methods_agree_with_explicit_distances() {
    for seed in seeds(how_many(200)) {
        check(&random_model(seed), |model| examine_methods(model, seed));
    }
}

/// Whether a run to a state, which must be there, was found and replayed. Distances within larger and larger bounds
/// lead to it, unless it is too far away.
fn is_walked_to(
    model: &Model,
    encoded: &mut Encoded,
    initial: &Root,
    vector: &[u64],
) -> Result<bool, String> {
    let state = encoded.state(vector);
    for bound in [4, 8, 16, 32] {
        let values = edd_approx(encoded, initial, bound).expect("no limit");
        let mut edd = encoded.edd();
        let values = edd.function(values);
        if edd.value(values.edge(), vector).is_none_or(|distance| distance > bound) {
            continue;
        }
        let trace = edd.trace_to(values.edge(), vector).expect("no limit");
        let trace = trace.ok_or_else(|| format!("no trace to {state:?}"))?;
        let events = trace.events.iter().map(|&event| EventId(event as u32)).collect();
        let start: State = encoded.state(&trace.initial).into();
        let states =
            replay(model, &Trace { initial: start, events }).map_err(|wrong| format!("{wrong:?}"))?;
        return demand(states[states.len() - 1][..] == state[..], || {
            format!("a trace to {state:?} ends elsewhere")
        })
        .map(|()| true);
    }
    let limits = Options { state_limit: Some(20_000) };
    match symbolon_explicit::find(model, &limits, &Budget::unlimited(), |met| met == state) {
        Ok(None) => Err(format!("{state:?} is not reachable")),
        found => Ok(found.is_ok()),
    }
}

/// Every method at small bounds, on a model with infinitely many states. The answer counts the states that were walked to
/// and those for which that was too far.
fn examine_growing(model: &Model, seed: u64) -> Result<[u64; 2], String> {
    let mut encoded = Encoded::new(model, seed);
    let mut walks = [0, 0];
    for bound in 0..=3 {
        let near: Vec<State> = layers(model, Some(bound)).concat();
        let ball = encoded.set(&near);
        let initial = encoded.set(&model.initial);
        for method in METHODS {
            if matches!(method, Method::Saturate(_)) && bound > 2 {
                continue;
            }
            let found = method.run(&mut encoded, &initial, bound);
            let what = |says: &str| format!("{method:?} {says} at bound {bound}");
            demand(encoded.is_subset(ball.node(), found.node()), || what("misses states"))?;
            demand(!method.is_exact() || found == ball, || what("is not exact"))?;
            let others = encoded.mdd.difference(found.node(), ball.node()).expect("no limit");
            let others = encoded.mdd.root(others);
            let sampled: Vec<Vec<u64>> = encoded.mdd.vectors(others.node()).take(2).collect();
            let last = encoded.mdd.choose(others.node());
            for vector in sampled.iter().chain(&last) {
                let is_walked_to = is_walked_to(model, &mut encoded, &initial, vector);
                let is_walked_to = is_walked_to.map_err(|why| what(&format!("invents: {why}")))?;
                walks[usize::from(!is_walked_to)] += 1;
            }
        }
    }
    Ok(walks)
}

#[test]
fn methods_end_on_nets_that_grow() {
    let (mut walked, mut too_far) = (0, 0);
    for seed in seeds(how_many(150)) {
        let model = random_growing_model(seed);
        match examine_growing(&model, seed) {
            Ok([near, far]) => {
                walked += near;
                too_far += far;
            }
            Err(_) => check(&model, |model| examine_growing(model, seed).map(|_| ())),
        }
    }
    println!("states that were walked to: {walked}, too far away: {too_far}");
    assert!(too_far * 20 <= walked, "nearly all can be walked to");
}

#[test]
fn traces_are_shortest_and_replay() {
    for seed in seeds(how_many(150)) {
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
