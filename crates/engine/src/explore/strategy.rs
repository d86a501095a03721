//! How the reachable set is computed: breadth-first, chaining, saturation.

use crate::sets::core::StateSets;
use crate::sets::core::capabilities::Capability;
use crate::sets::setup::DiagramSetup;
use num_bigint::BigUint;
use symbolon_budget::Interrupted;
use symbolon_model::Model;

/// A way to explore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// All events from the newest states, layer by layer.
    Bfs,
    /// One event after another from everything found so far.
    Chaining,
    /// Events fired where they act, from the bottom of the diagram up.
    Saturation,
}

impl Strategy {
    /// The strategy that suits a model: a synchronous step touches everything at once, which leaves
    /// nothing to saturate.
    pub fn for_model(model: &Model) -> Strategy {
        if model.is_synchronous() { Strategy::Bfs } else { Strategy::Saturation }
    }

    /// The strategy that suits a model among those that a kind of diagram offers.
    pub fn for_kind<K: DiagramSetup>(kind: &K, model: &Model) -> Strategy {
        let best = Strategy::for_model(model);
        if kind.check(model, best.needs()).is_ok() { best } else { Strategy::Chaining }
    }

    /// What a kind of diagram must offer for this strategy.
    pub fn needs(self) -> &'static [Capability] {
        match self {
            Strategy::Bfs | Strategy::Chaining => &[],
            Strategy::Saturation => &[Capability::Saturation],
        }
    }
}

/// A finished exploration.
#[derive(Clone, Debug)]
pub struct StrategyRun<S> {
    /// The reachable states.
    pub reached: S,
    /// For breadth-first search, the largest distance of a state from the initial ones.
    pub depth: Option<u64>,
}

/// An exploration that was interrupted, and how many states it had found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyStopped {
    /// What ran out.
    pub why: Interrupted,
    /// The number of states found at least.
    pub states_at_least: Option<BigUint>,
}

/// All states reachable from the initial ones. Where the state sets cannot saturate, saturation is
/// replaced by chaining.
pub fn reach<S: StateSets>(sets: &mut S, strategy: Strategy) -> Result<StrategyRun<S::Set>, StrategyStopped> {
    let initial = sets.initial().map_err(|why| StrategyStopped { why, states_at_least: None })?;
    let mut reached = initial.clone();
    let run = match strategy {
        Strategy::Bfs => breadth_first(sets, &mut reached, |_, _| Ok(())).map(Some),
        Strategy::Chaining => chaining(sets, &mut reached).map(|()| None),
        Strategy::Saturation => match sets.saturation() {
            Some(sets) => sets.saturate(&initial).map(|set| {
                reached = set;
                None
            }),
            None => chaining(sets, &mut reached).map(|()| None),
        },
    };
    run.map(|depth| StrategyRun { reached: reached.clone(), depth }).map_err(|why| StrategyStopped {
        why,
        states_at_least: match strategy {
            Strategy::Saturation => match sets.saturation() {
                Some(sets) => sets.found_until_interrupted(),
                None => sets.count_if_quick(&reached),
            },
            Strategy::Bfs | Strategy::Chaining => sets.count_if_quick(&reached),
        },
    })
}

/// The number of states at each distance from the initial ones.
pub fn layer_sizes<S: StateSets>(sets: &mut S) -> Result<Vec<BigUint>, Interrupted> {
    let mut reached = sets.initial()?;
    let mut sizes = vec![sets.count(&reached)?];
    breadth_first(sets, &mut reached, |sets, layer| {
        sizes.push(sets.count(layer)?);
        Ok(())
    })?;
    Ok(sizes)
}

/// Layer by layer, each of which is `met`; returns the number of layers beyond the first. On
/// interruption `reached` holds what was found.
fn breadth_first<S: StateSets>(
    sets: &mut S,
    reached: &mut S::Set,
    mut met: impl FnMut(&mut S, &S::Set) -> Result<(), Interrupted>,
) -> Result<u64, Interrupted> {
    let events = sets.events_for_chaining();
    let mut frontier = reached.clone();
    let mut depth = 0;
    loop {
        let mut next = sets.none();
        for &event in &events {
            let image = sets.image(event, &frontier)?;
            next = sets.union(&next, &image)?;
            sets.collect_if_due();
        }
        frontier = sets.difference(&next, reached)?;
        if sets.is_empty(&frontier) {
            return Ok(depth);
        }
        *reached = sets.union(reached, &frontier)?;
        met(sets, &frontier)?;
        depth += 1;
        sets.collect_if_due();
    }
}

/// Event by event, each from everything found so far, until a round finds nothing. On interruption
/// `reached` holds what was found.
fn chaining<S: StateSets>(sets: &mut S, reached: &mut S::Set) -> Result<(), Interrupted> {
    let events = sets.events_for_chaining();
    loop {
        let before = reached.clone();
        for &event in &events {
            let image = sets.image(event, reached)?;
            *reached = sets.union(reached, &image)?;
            sets.collect_if_due();
        }
        if *reached == before {
            return Ok(());
        }
    }
}
