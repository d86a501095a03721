//! Distances on multi-valued diagrams: numbers on the edges, or at the terminals, in the same
//! store.

use super::MddSets;
use crate::sets::core::StateSets;
use crate::sets::core::capabilities::ShortestTraces;
use crate::sets::distances::{BoundedRounds, DistanceSearch, Distances, Nearest};
use crate::sets::found_trace::FoundTrace;
use num_bigint::BigUint;
use symbolon_budget::Interrupted;
use symbolon_dd_mdd::{ChainFrom, Root, Rounds};
use symbolon_dd_weighted::{Edge, Function};
use symbolon_model::EventId;

impl MddSets {
    /// Runs a computation; again, if it fails because too few values of an open domain are tried.
    fn retrying<T>(
        &mut self,
        compute: impl Fn(&mut MddSets) -> Result<T, Interrupted>,
    ) -> Result<T, Interrupted> {
        loop {
            match compute(self) {
                Err(Interrupted::Overflow) if self.tries_more_values() => {}
                answer => return answer,
            }
        }
    }

    /// The distances of all states within a bound, and values above it for some others.
    fn distances_within(&mut self, from: &Root, bound: u64) -> Result<Edge, Interrupted> {
        self.retrying(|sets| {
            let mut edd = sets.edd();
            edd.set_bound(Some(bound));
            let start = edd.of_set(from.node())?;
            let found = edd.saturate(start);
            edd.set_bound(None);
            found
        })
    }

    /// The distances of all states.
    fn all_distances(&mut self, from: &Root, by_chaining: bool) -> Result<Function, Interrupted> {
        self.retrying(|sets| {
            let mut edd = sets.edd();
            let start = edd.of_set(from.node())?;
            let all = if by_chaining { edd.chain(start)? } else { edd.saturate(start)? };
            Ok(edd.function(all))
        })
    }
}

impl Distances for MddSets {
    type Function = Function;
    type TerminalFunction = Root;

    fn states_within(&mut self, from: &Root, rounds: BoundedRounds, bound: u64) -> Result<Root, Interrupted> {
        self.growing(|mdd| match rounds {
            BoundedRounds::Chaining => mdd.chain(ChainFrom::Everything, bound, from.node()),
            BoundedRounds::Local => mdd.saturate_bounded(Rounds::Local, bound, from.node()),
            BoundedRounds::Global => mdd.saturate_bounded(Rounds::Global, bound, from.node()),
        })
    }

    fn distances(&mut self, from: &Root, search: DistanceSearch) -> Result<Function, Interrupted> {
        match search {
            DistanceSearch::Saturation => self.all_distances(from, false),
            DistanceSearch::Chaining => self.all_distances(from, true),
            DistanceSearch::Within(bound) => {
                let found = self.distances_within(from, bound)?;
                Ok(self.edd().function(found))
            }
            DistanceSearch::ExactlyWithin(bound) => {
                let found = self.distances_within(from, bound)?;
                let mut edd = self.edd();
                let cut = edd.truncate(found, bound)?;
                Ok(edd.function(cut))
            }
        }
    }

    fn support(&mut self, values: &Function) -> Result<Root, Interrupted> {
        let support = self.edd().support(values.edge())?;
        Ok(self.mdd.root(support))
    }

    fn nearest(
        &mut self,
        values: &Function,
        goal: &Root,
        bound: u64,
    ) -> Result<Option<Nearest>, Interrupted> {
        let mut edd = self.edd();
        let near = edd.restrict(values.edge(), goal.node())?;
        let Some(distance) = edd.smallest(near).filter(|&distance| distance <= bound) else {
            return Ok(None);
        };
        let vector = edd.nearest(near);
        let trace = match vector.map(|vector| edd.trace_to(values.edge(), &vector)) {
            Some(Ok(Some(trace))) => {
                let events = trace.events.iter().map(|&event| EventId(event as u32)).collect();
                let initial = self.encoding().decode(&trace.initial);
                Ok(FoundTrace { initial, events, is_shortest: true, states: Vec::new() })
            }
            Some(Err(why)) => Err(why),
            // Cannot happen as long as values are distances.
            Some(Ok(None)) | None => Err(Interrupted::Steps),
        };
        Ok(Some(Nearest { distance, trace }))
    }

    fn distances_at_terminals(&mut self, from: &Root, bound: u64) -> Result<Root, Interrupted> {
        self.retrying(|sets| {
            let mut add = sets.add();
            add.set_bound(Some(bound));
            let start = add.of_set(from.node(), 0)?;
            let found = add.saturate(start);
            add.set_bound(None);
            Ok(add.root(found?))
        })
    }

    fn terminal_support(&mut self, values: &Root) -> Result<Root, Interrupted> {
        let support = self.add().support(values.node())?;
        Ok(self.mdd.root(support))
    }

    fn smallest_on(&mut self, values: &Root, goal: &Root) -> Result<Option<u64>, Interrupted> {
        let smallest = self.add().smallest_on(values.node(), goal.node())?;
        Ok(smallest.and_then(|smallest| u64::try_from(smallest).ok()))
    }

    fn largest_distance(&mut self, values: &Function) -> Option<u64> {
        self.edd().largest(values.edge())
    }

    fn histogram(&mut self, values: &Function) -> Result<Vec<BigUint>, Interrupted> {
        self.edd().histogram(values.edge())
    }

    fn function_node_count(&mut self, values: &Function) -> usize {
        self.edd().node_count(values.edge())
    }
}

impl ShortestTraces for MddSets {
    fn shortest_trace(&mut self, target: &Root) -> Result<Option<FoundTrace>, Interrupted> {
        // A synchronous step is several relations, so distances would count something else.
        if !self.steps.is_empty() {
            return Ok(None);
        }
        let initial = self.initial()?;
        let values = self.distances(&initial, DistanceSearch::Within(u64::MAX))?;
        let nearest = self.nearest(&values, target, u64::MAX)?;
        nearest.map(|nearest| nearest.trace).transpose()
    }
}
