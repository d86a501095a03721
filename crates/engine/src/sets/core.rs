//! The trait that every kind of diagram implements, and what is common to all kinds.
//!
//! [`StateSets`] has few required methods: set operations, one step forwards and backwards, a test
//! of a weighted sum, and counting. Everything else has a default that is written over these, in
//! [`closure`] and [`select`] where it is long. A kind overrides a default where it can do better,
//! and offers what only some kinds have through the capability traits of [`capabilities`].

pub(crate) mod capabilities;
pub(crate) mod closure;
pub(crate) mod select;

use crate::sets::kind::DiagramKind;
use crate::sets::linear::LinearTest;
use capabilities::{
    Forcing, Observation, Outlines, RelationStatistics, Saturation, ShortestTraces, WeightedCount,
};
use num_bigint::BigUint;
use symbolon_budget::{Interrupted, Meter};
use symbolon_dd_core::Statistics;
use symbolon_model::{EventId, Predicate, State, VariableId};

/// What a set of states says about single variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysed {
    /// For each variable, its largest value in the set.
    pub largest: Vec<u64>,
    /// For each variable, its smallest value in the set.
    pub smallest: Vec<u64>,
}

/// The figures of a report on a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// The exact number of states.
    pub states: BigUint,
    /// The number of nodes.
    pub nodes: usize,
    /// The largest value of a variable.
    pub largest_value: u64,
    /// The largest sum of the values of all variables in one state.
    pub largest_sum: BigUint,
}

/// Sets of states of one model, in one kind of diagram.
///
/// Every operation that can take long can be interrupted by the budget; the sets that exist stay
/// valid then. State sets move between threads as a whole, together with every set they handed out.
/// The laws that tie the methods together are tested by one suite for every kind
/// (`tests/conformance/reference.rs`), where a kind on plain ordered sets shows the least that is needed.
pub trait StateSets: Send + 'static {
    /// A set. Equal sets are `==`, which costs nothing.
    type Set: Clone + PartialEq + Send;

    // The core: what every kind has to provide.

    /// The number of events of the model.
    fn event_count(&self) -> usize;
    /// The meter that all operations charge.
    fn meter(&mut self) -> &mut Meter;
    /// What was done so far.
    fn statistics(&self) -> Statistics;

    /// The empty set.
    fn none(&mut self) -> Self::Set;
    /// The initial states.
    fn initial(&mut self) -> Result<Self::Set, Interrupted>;
    /// The set of one state; the empty set if the model has no such state.
    fn singleton(&mut self, state: &[u64]) -> Result<Self::Set, Interrupted>;

    /// The states in `a` or in `b`.
    fn union(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Interrupted>;
    /// The states in `a` but not in `b`.
    fn difference(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Interrupted>;
    /// The states of `set` that pass a test of a weighted sum of variables.
    fn select_sum(&mut self, set: &Self::Set, test: &LinearTest) -> Result<Self::Set, Interrupted>;

    /// All successors of `from` under one event.
    fn image(&mut self, event: EventId, from: &Self::Set) -> Result<Self::Set, Interrupted>;
    /// The states of `within` from which one event leads into `target`.
    fn preimage(
        &mut self,
        event: EventId,
        target: &Self::Set,
        within: &Self::Set,
    ) -> Result<Self::Set, Interrupted>;

    /// Whether the set has no state.
    fn is_empty(&self, set: &Self::Set) -> bool;
    /// Whether the state lies in the set.
    fn contains(&mut self, set: &Self::Set, state: &[u64]) -> bool;
    /// The exact number of states.
    fn count(&mut self, set: &Self::Set) -> Result<BigUint, Interrupted>;
    /// Some state of the set, always the same one.
    fn choose(&mut self, set: &Self::Set) -> Option<State>;
    /// The number of nodes of a set.
    fn node_count(&self, set: &Self::Set) -> usize;

    // Capabilities: `None` unless the kind has them.

    /// Saturation, if the kind has it.
    fn saturation(&mut self) -> Option<&mut dyn Saturation<Set = Self::Set>> {
        None
    }
    /// Sets of states that look alike to an observer, if the kind can compute them.
    fn observation(&mut self) -> Option<&mut dyn Observation<Set = Self::Set>> {
        None
    }
    /// What groups of agents can force, if the kind can compute it.
    fn forcing(&mut self) -> Option<&mut dyn Forcing<Set = Self::Set>> {
        None
    }
    /// Shortest traces without a search, if the kind has them.
    fn shortest_traces(&mut self) -> Option<&mut dyn ShortestTraces<Set = Self::Set>> {
        None
    }
    /// Diagrams as plain data for pictures, if the kind has them.
    fn outlines(&self) -> Option<&dyn Outlines<Set = Self::Set>> {
        None
    }
    /// Counting with weights, if the kind has it.
    fn weighted_counts(&mut self) -> Option<&mut dyn WeightedCount<Set = Self::Set>> {
        None
    }
    /// How large the relations of synchronous steps are, if the kind stores such relations.
    fn relation_statistics(&self) -> Option<&dyn RelationStatistics<Set = Self::Set>> {
        None
    }

    /// The kind of diagram. One in the table of kinds must return itself, because reports print it;
    /// `None` is for kinds that only tests have.
    fn kind(&self) -> Option<DiagramKind> {
        None
    }

    // Operations with a default over the core.

    /// The states in `a` and in `b`.
    fn intersection(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Interrupted> {
        let outside = self.difference(a, b)?;
        self.difference(a, &outside)
    }
    /// The states of `set` that satisfy a predicate.
    fn select(&mut self, set: &Self::Set, predicate: &Predicate) -> Result<Self::Set, Interrupted> {
        select::select(self, set, predicate)
    }

    /// The states of `within` from which one event leads to `state`.
    fn preimage_of_state(
        &mut self,
        event: EventId,
        state: &[u64],
        within: &Self::Set,
    ) -> Result<Self::Set, Interrupted> {
        let target = self.singleton(state)?;
        self.preimage(event, &target, within)
    }
    /// All successors of `from`.
    fn image_of_any(&mut self, from: &Self::Set) -> Result<Self::Set, Interrupted> {
        let mut all = self.none();
        for event in self.events_for_chaining() {
            let one = self.image(event, from)?;
            all = self.union(&all, &one)?;
            self.collect_if_due();
        }
        Ok(all)
    }
    /// The states of `within` from which some event leads into `target`.
    fn preimage_of_any(&mut self, target: &Self::Set, within: &Self::Set) -> Result<Self::Set, Interrupted> {
        let mut all = self.none();
        for event in self.events_for_chaining() {
            let one = self.preimage(event, target, within)?;
            all = self.union(&all, &one)?;
            self.collect_if_due();
        }
        Ok(all)
    }
    /// `from`, and all states of `within` that are reached from it by steps that end in `within`.
    fn forward_closure(&mut self, from: &Self::Set, within: &Self::Set) -> Result<Self::Set, Interrupted> {
        closure::forward(self, from, within)
    }
    /// `target`, and all states of `within` from which it is reached by steps that start in
    /// `within`.
    fn backward_closure(&mut self, target: &Self::Set, within: &Self::Set) -> Result<Self::Set, Interrupted> {
        closure::backward(self, target, within)
    }
    /// The states of `set` in which `event` is enabled; for a synchronous step, those from which it
    /// leads somewhere.
    fn enabled(&mut self, event: EventId, set: &Self::Set) -> Result<Self::Set, Interrupted> {
        let successors = self.image(event, set)?;
        self.preimage(event, &successors, set)
    }
    /// The states of `set` in which no event is enabled.
    fn dead(&mut self, set: &Self::Set) -> Result<Self::Set, Interrupted> {
        let mut dead = set.clone();
        for event in self.events_for_chaining() {
            let enabled = self.enabled(event, &dead)?;
            dead = self.difference(&dead, &enabled)?;
            self.collect_if_due();
        }
        Ok(dead)
    }
    /// For each event, whether it is enabled somewhere in the set.
    fn ever_enabled(&mut self, set: &Self::Set) -> Result<Vec<bool>, Interrupted> {
        let mut ever = Vec::with_capacity(self.event_count());
        for event in (0..self.event_count() as u32).map(EventId) {
            let enabled = self.enabled(event, set)?;
            ever.push(!self.is_empty(&enabled));
            self.collect_if_due();
        }
        Ok(ever)
    }

    /// The exact number of states, without asking the budget; `None` if that would take long.
    fn count_if_quick(&mut self, _set: &Self::Set) -> Option<BigUint> {
        None
    }
    /// The number of pairs (state, enabled event). A kind that takes synchronous steps returns
    /// `None` for models with such steps: their edges are more than these pairs.
    fn count_edges(&mut self, set: &Self::Set) -> Result<Option<BigUint>, Interrupted> {
        let mut edges = BigUint::ZERO;
        for event in (0..self.event_count() as u32).map(EventId) {
            let enabled = self.enabled(event, set)?;
            if !self.is_empty(&enabled) {
                edges += self.count(&enabled)?;
            }
        }
        Ok(Some(edges))
    }
    /// The largest value of a weighted sum of variables over the set; `None` for the empty set.
    fn largest(
        &mut self,
        set: &Self::Set,
        weights: &[(VariableId, i64)],
    ) -> Result<Option<i128>, Interrupted> {
        select::largest(self, set, weights)
    }
    /// The smallest and the largest value of each variable in a non-empty set.
    fn analyse(&mut self, set: &Self::Set) -> Result<Analysed, Interrupted> {
        select::analyse(self, set)
    }
    /// All figures of a report at once, for diagrams in which that takes less than one after the
    /// other.
    fn figures(&mut self, set: &Self::Set) -> Result<Figures, Interrupted> {
        let largest = self.analyse(set)?.largest;
        let weights: Vec<_> = (0..largest.len() as u32).map(|variable| (VariableId(variable), 1)).collect();
        let sum = self.largest(set, &weights)?.unwrap_or(0);
        Ok(Figures {
            states: self.count(set)?,
            nodes: self.node_count(set),
            largest_value: largest.into_iter().max().unwrap_or(0),
            largest_sum: BigUint::try_from(sum).unwrap_or_default(),
        })
    }

    /// The number of levels of a diagram; 0 where a kind has no levels.
    fn level_count(&self) -> usize {
        0
    }
    /// The number of nodes of a set whose edges carry sets; 0 unless diagrams are hierarchical.
    fn set_node_count(&self, _set: &Self::Set) -> usize {
        0
    }

    // Hints: answers are the same whether a kind uses them or not.

    /// The order in which chaining fires events.
    fn events_for_chaining(&self) -> Vec<EventId> {
        (0..self.event_count() as u32).map(EventId).collect()
    }
    /// Promises that no event leads from a state of `universe` to any other, and that steps
    /// backwards stay inside it from now on.
    fn restrict_to(&mut self, _universe: &Self::Set) {}
    /// A set that contains `set` and has a small diagram: at best, all combinations of values that
    /// occur in it.
    fn hull(&mut self, set: &Self::Set) -> Result<Self::Set, Interrupted> {
        Ok(set.clone())
    }
    /// A safe point for garbage collection, between two operations.
    fn collect_if_due(&mut self) {}
}
