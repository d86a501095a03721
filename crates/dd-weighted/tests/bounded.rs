//! Every method of bounded search against explicit distances, on random nets.
//!
//! S(B) is what at most B events reach. On nets with finitely many states every method must find
//! S(B) and nothing beyond its own superset, exact methods S(B) itself with the true distances, and
//! unbounded saturation and chaining all distances. Where states are infinitely many, every method
//! must end, find S(B), and find reachable states only: some of those that it finds are walked to.
//! A net that fails is made smaller before it is shown.
//!
//! `SYMBOLON_RANDOM_NETS=4000 cargo test --release -p symbolon-dd-weighted --test bounded` tries as
//! many nets of each kind.

#[path = "random/encoded.rs"]
mod encoded;

use encoded::Encoded;
use symbolon_budget::{Budget, Interrupted};
use symbolon_dd_mdd::{ChainFrom, NodeId, Root, Rounds};
use symbolon_dd_weighted::{Edge, Function, Relation};
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
    fn run(self, encoded: &mut Encoded, initial: &Root, bound: u64) -> Result<Root, Interrupted> {
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
                let found = add_exact(encoded, initial, bound)?;
                let mut add = encoded.add();
                let most = add.number(bound as i64)?;
                add.compare(Relation::AtMost, found.node(), most)
            }
        }?;
        Ok(encoded.mdd.root(set))
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

fn edd_approx(encoded: &mut Encoded, initial: &Root, bound: u64) -> Result<Edge, Interrupted> {
    let mut edd = encoded.edd();
    edd.set_bound(Some(bound));
    let start = edd.of_set(initial.node())?;
    let found = edd.saturate(start);
    edd.set_bound(None);
    found
}

fn add_exact(encoded: &mut Encoded, initial: &Root, bound: u64) -> Result<Root, Interrupted> {
    let mut add = encoded.add();
    add.set_bound(Some(bound));
    let found = add.of_set(initial.node(), 0).and_then(|start| add.saturate(start));
    add.set_bound(None);
    found.map(|found| add.root(found))
}

/// The states at each distance: all of them, or as far as there are no more than `limit` in all and
/// no more than [`MOST_STEPS`] steps.
fn layers(model: &Model, limit: Option<usize>) -> Vec<Vec<State>> {
    let mut known: std::collections::HashSet<State> = model.initial.iter().cloned().collect();
    let mut layers = vec![model.initial.clone()];
    while limit.is_none() || layers.len() as u64 <= MOST_STEPS {
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
        if next.is_empty() || limit.is_some_and(|limit| known.len() > limit) {
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

/// Demands that a model passes an examination; if it does not, a smaller one that does not either
/// is shown.
fn check(model: &Model, mut examine: impl FnMut(&Model) -> Result<(), String>) {
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
            let found = method.run(&mut encoded, &initial, bound).expect("no limit");
            let (least, most) = (ball(bound), ball(method.superset(model, bound)));
            let what = |says: &str| format!("{method:?} {says} at bound {bound}");
            demand(encoded.is_subset(least, found.node()), || what("misses states"))?;
            demand(encoded.is_subset(found.node(), most), || what("finds too much"))?;
            demand(!method.is_exact() || found.node() == least, || what("is not exact"))?;
        }
        // With the true values.
        let near = &layers[..layers.len().min(bound as usize + 1)];
        let near_add = encoded.layered_add(near);
        let by_add = add_exact(&mut encoded, &initial, bound).expect("no limit");
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

/// The bounds that are tried where states are infinitely many.
const BOUNDS: [u64; 8] = [0, 1, 2, 3, 5, 8, 13, MOST_STEPS];

/// So many states are looked at one by one, at most: where S(B) has more, B is not tried.
const NEAR_STATES: usize = 1000;

/// Steps that a method may take there: those that count rounds find what is very far away, and that
/// is too much at large bounds.
const METHOD_STEPS: u64 = 50_000;

/// Runs to states, read off distances within larger and larger bounds.
struct Walks {
    /// Each bound with its distances, as far as they were needed; none where they take too many
    /// steps.
    distances: Vec<(u64, Option<Function>)>,
    /// States that were walked to, and states that lie too far away for that.
    walked: u64,
    too_far: u64,
}

impl Walks {
    const BOUNDS: [u64; 5] = [4, 8, 16, 32, 64];

    /// The distances within the bound with this number.
    fn distances(&mut self, encoded: &mut Encoded, initial: &Root, number: usize) -> (u64, Option<Function>) {
        if self.distances.len() <= number {
            let bound = Self::BOUNDS[number];
            let found = within_steps(encoded, |encoded| {
                let values = edd_approx(encoded, initial, bound)?;
                Ok(encoded.edd().function(values))
            });
            self.distances.push((bound, found));
        }
        self.distances[number].clone()
    }

    /// Walks to a state, which must be there, and replays the run; unless it is too far away.
    fn walk(
        &mut self,
        model: &Model,
        encoded: &mut Encoded,
        initial: &Root,
        vector: &[u64],
    ) -> Result<(), String> {
        let state = encoded.state(vector);
        for number in 0..Self::BOUNDS.len() {
            let (bound, Some(values)) = self.distances(encoded, initial, number) else { break };
            let mut edd = encoded.edd();
            if edd.value(values.edge(), vector).is_none_or(|distance| distance > bound) {
                continue;
            }
            let trace = edd.trace_to(values.edge(), vector).expect("no limit");
            let trace = trace.ok_or_else(|| format!("no trace to {state:?}"))?;
            let events = trace.events.iter().map(|&event| EventId(event as u32)).collect();
            let start: State = encoded.state(&trace.initial).into();
            let states =
                replay(model, &Trace { initial: start, events }).map_err(|wrong| format!("{wrong:?}"))?;
            self.walked += 1;
            let is_there = states[states.len() - 1][..] == state[..];
            return demand(is_there, || format!("a trace to {state:?} ends elsewhere"));
        }
        let limits = Options { state_limit: Some(20_000) };
        match symbolon_explicit::find(model, &limits, &Budget::unlimited(), |met| met == state) {
            Ok(Some(_)) => self.walked += 1,
            Ok(None) => return Err(format!("{state:?} is not reachable")),
            Err(_) => self.too_far += 1,
        }
        Ok(())
    }
}

/// The answer of a computation, unless it takes too many steps.
fn within_steps<T>(
    encoded: &mut Encoded,
    compute: impl FnOnce(&mut Encoded) -> Result<T, Interrupted>,
) -> Option<T> {
    let limit = encoded.mdd.meter_mut().grant_at_most(METHOD_STEPS);
    let answer = compute(encoded);
    encoded.mdd.meter_mut().restore(limit);
    match answer {
        Ok(answer) => Some(answer),
        Err(Interrupted::Steps) => None,
        Err(other) => panic!("only steps are limited: {other}"),
    }
}

/// What was seen of models with infinitely many states.
#[derive(Clone, Copy, Debug, Default)]
struct Growing {
    /// Runs of methods, those with a bound above 10, and those that took too many steps.
    runs: u64,
    far: u64,
    given_up: u64,
    walked: u64,
    too_far: u64,
    /// Models with a dead state nearby, and all models.
    dying: u64,
    models: u64,
}

/// Every method at bounds up to 20, on a model with infinitely many states.
fn examine_growing(model: &Model, seed: u64, seen: &mut Growing) -> Result<(), String> {
    let mut encoded = Encoded::new(model, seed);
    let layers = layers(model, Some(NEAR_STATES));
    let is_dead = |state: &State| !model.events.iter().any(|event| event.is_enabled(state));
    seen.dying += u64::from(layers.iter().flatten().any(is_dead));
    seen.models += 1;
    let initial = encoded.set(&model.initial);
    let mut walks = Walks { distances: Vec::new(), walked: 0, too_far: 0 };
    for bound in BOUNDS.into_iter().filter(|&bound| bound < layers.len() as u64) {
        let ball = encoded.set(&layers[..=bound as usize].concat());
        for method in METHODS {
            seen.runs += 1;
            let Some(found) = within_steps(&mut encoded, |encoded| method.run(encoded, &initial, bound))
            else {
                seen.given_up += 1;
                continue;
            };
            seen.far += u64::from(bound > 10);
            let what = |says: &str| format!("{method:?} {says} at bound {bound}");
            demand(encoded.is_subset(ball.node(), found.node()), || what("misses states"))?;
            demand(!method.is_exact() || found == ball, || what("is not exact"))?;
            let others = encoded.mdd.difference(found.node(), ball.node()).expect("no limit");
            let others = encoded.mdd.root(others);
            let sampled: Vec<Vec<u64>> = encoded.mdd.vectors(others.node()).take(2).collect();
            let last = encoded.mdd.choose(others.node());
            for vector in sampled.iter().chain(&last) {
                let walk = walks.walk(model, &mut encoded, &initial, vector);
                walk.map_err(|why| what(&format!("invents: {why}")))?;
            }
        }
    }
    seen.walked += walks.walked;
    seen.too_far += walks.too_far;
    encoded.edd().validate().map_err(|broken| format!("{broken:?}"))
}

#[test]
fn methods_end_on_nets_that_grow() {
    let mut seen = Growing::default();
    for seed in seeds(how_many(60)) {
        check(&random_growing_model(seed), |model| examine_growing(model, seed, &mut seen));
    }
    println!("{seen:?}");
    assert!(seen.too_far * 20 <= seen.walked, "nearly all can be walked to: {seen:?}");
    assert!(seen.given_up * 5 <= seen.runs, "most runs end: {seen:?}");
    if seen.models >= 60 {
        assert!(seen.dying * 5 >= seen.models, "one in five has dead states: {seen:?}");
    }
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
