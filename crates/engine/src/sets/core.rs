//! The trait that every kind of state set implements.

pub(crate) mod closure;
pub(crate) mod select;

use crate::sets::found_trace::FoundTrace;
use crate::sets::linear::LinearTest;
use num_bigint::BigUint;
use symbolon_budget::{Interrupted, Meter};
use symbolon_dd_core::Statistics;
use symbolon_model::{EventId, Predicate, State, VariableId};

/// Why state sets could not be set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetupError {
    /// The budget ran out.
    Interrupted(Interrupted),
    /// The model has a construct that this kind of diagram does not express.
    Unsupported(Unsupported),
}

impl From<Interrupted> for SetupError {
    fn from(why: Interrupted) -> Self {
        SetupError::Interrupted(why)
    }
}

/// A construct of the model that this kind of diagram cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The event in which it occurs.
    pub event: String,
    /// What it is.
    pub construct: &'static str,
}

/// What a set of states says about single variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysed {
    /// For each variable, its largest value in the set.
    pub largest: Vec<u64>,
    /// For each variable, its smallest value in the set.
    pub smallest: Vec<u64>,
}

/// How large the relations of synchronous steps are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelationSize {
    /// What must hold of a step, one for each choice and each reaction.
    pub conjuncts: usize,
    /// Conjunctions of them that images take in one after the other.
    pub clusters: usize,
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

/// Sets of states of one model, in some kind of diagram.
///
/// Every operation that can take long can be interrupted by the budget; the sets that exist stay
/// valid then.
pub trait StateSets {
    /// A set. Equal sets are `==`, which costs nothing.
    type Set: Clone + PartialEq;

    /// The empty set.
    fn none(&mut self) -> Self::Set;
    /// The initial states.
    fn initial(&mut self) -> Result<Self::Set, Interrupted>;
    /// The set of one state.
    fn singleton(&mut self, state: &[u64]) -> Result<Self::Set, Interrupted>;

    /// All successors of `from` under one event.
    fn image(&mut self, event: EventId, from: &Self::Set) -> Result<Self::Set, Interrupted>;
    /// The states of `within` from which one event leads into `target`.
    fn preimage(
        &mut self,
        event: EventId,
        target: &Self::Set,
        within: &Self::Set,
    ) -> Result<Self::Set, Interrupted>;

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
            self.breathe();
        }
        Ok(all)
    }
    /// The states of `within` from which some event leads into `target`.
    fn preimage_of_any(&mut self, target: &Self::Set, within: &Self::Set) -> Result<Self::Set, Interrupted> {
        let mut all = self.none();
        for event in self.events_for_chaining() {
            let one = self.preimage(event, target, within)?;
            all = self.union(&all, &one)?;
            self.breathe();
        }
        Ok(all)
    }
    /// `from`, and all states of `within` that are reached from it by steps that end in `within`. By chaining, unless
    /// the diagram can do better.
    fn forward_closure(&mut self, from: &Self::Set, within: &Self::Set) -> Result<Self::Set, Interrupted> {
        closure::forward(self, from, within)
    }
    /// `target`, and all states of `within` from which it is reached by steps that start in `within`. By chaining,
    /// unless the diagram can do better.
    fn backward_closure(&mut self, target: &Self::Set, within: &Self::Set) -> Result<Self::Set, Interrupted> {
        closure::backward(self, target, within)
    }

    /// Tells that no event leads from a state of `universe` to any other, and that steps backwards will be asked about inside
    /// it. Some diagrams can make use of that; answers stay the same.
    fn settle(&mut self, _universe: &Self::Set) {}

    /// A set that holds `set` and has a small diagram: at best, all combinations of values that occur in it.
    fn hull(&mut self, set: &Self::Set) -> Result<Self::Set, Interrupted> {
        Ok(set.clone())
    }

    /// The states of `set` that pass a test of a weighted sum of variables.
    fn select_sum(&mut self, set: &Self::Set, test: &LinearTest) -> Result<Self::Set, Interrupted>;
    /// The states of `set` that satisfy a predicate.
    fn select(&mut self, set: &Self::Set, predicate: &Predicate) -> Result<Self::Set, Interrupted> {
        select::select(self, set, predicate)
    }

    /// The states in `a` or in `b`.
    fn union(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Interrupted>;
    /// The states in `a` and in `b`.
    fn intersection(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Interrupted>;
    /// The states in `a` but not in `b`.
    fn difference(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Interrupted>;

    /// The states of `within` that agree with some state of `set` on `variables`.
    fn same_observation(
        &mut self,
        set: &Self::Set,
        variables: &[VariableId],
        within: &Self::Set,
    ) -> Result<Self::Set, Interrupted>;
    /// The states of `within` in which the agents who own the action variables `group` can choose actions that are on
    /// offer such that, whatever the other agents choose and however all react, every successor lies in `target`; and
    /// there is a successor at all. Events that are no synchronous steps are nobody's choice.
    fn can_force(
        &mut self,
        group: &[VariableId],
        target: &Self::Set,
        within: &Self::Set,
    ) -> Result<Self::Set, Interrupted>;

    /// The states of `set` in which `event` is enabled: of a synchronous step, those from which it leads somewhere.
    fn enabled(&mut self, event: EventId, set: &Self::Set) -> Result<Self::Set, Interrupted>;
    /// The states of `set` in which no event is enabled.
    fn dead(&mut self, set: &Self::Set) -> Result<Self::Set, Interrupted>;

    /// A shortest trace from an initial state into `target`, which is reachable, read off the distances of all states; `None`
    /// where this kind of diagram has none to offer.
    fn trace_read_off(&mut self, _target: &Self::Set) -> Result<Option<FoundTrace>, Interrupted> {
        Ok(None)
    }

    /// Whether the set has no state.
    fn is_empty(&self, set: &Self::Set) -> bool;
    /// Whether the state lies in the set.
    fn contains(&mut self, set: &Self::Set, state: &[u64]) -> bool;
    /// The exact number of states.
    fn count(&mut self, set: &Self::Set) -> Result<BigUint, Interrupted>;
    /// The exact number of states, without asking the budget; `None` if that would take long.
    fn count_if_quick(&mut self, set: &Self::Set) -> Option<BigUint>;
    /// Some state of the set, always the same one.
    fn choose(&mut self, set: &Self::Set) -> Option<State>;
    /// The largest value of a weighted sum of variables over the set; `None` for the empty set.
    fn largest(
        &mut self,
        set: &Self::Set,
        weights: &[(VariableId, i64)],
    ) -> Result<Option<i128>, Interrupted>;

    /// The number of pairs (state, enabled event); `None` for models with synchronous steps, whose edges are not that.
    fn count_edges(&mut self, set: &Self::Set) -> Result<Option<BigUint>, Interrupted>;
    /// The smallest and the largest value of each variable in a non-empty set.
    fn analyse(&mut self, set: &Self::Set) -> Result<Analysed, Interrupted>;
    /// All figures of a report at once, for diagrams in which that takes less than one after the other.
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
    /// For each event, whether it is enabled somewhere in the set.
    fn ever_enabled(&mut self, set: &Self::Set) -> Result<Vec<bool>, Interrupted> {
        let mut ever = Vec::with_capacity(self.event_count());
        for event in (0..self.event_count() as u32).map(EventId) {
            let enabled = self.enabled(event, set)?;
            ever.push(!self.is_empty(&enabled));
            self.breathe();
        }
        Ok(ever)
    }

    /// The kind of diagram, as `--diagram` names it.
    fn diagram(&self) -> &'static str;
    /// The number of levels: values that a state is made of.
    fn level_count(&self) -> usize;
    /// The number of nodes of a set.
    fn node_count(&self, set: &Self::Set) -> usize;
    /// The number of those nodes whose edges carry sets: none, unless diagrams are hierarchical.
    fn set_node_count(&self, _set: &Self::Set) -> usize {
        0
    }
    /// How large the relations of synchronous steps are, where diagrams have such relations.
    fn relation_size(&self) -> Option<RelationSize> {
        None
    }
    /// What was done so far.
    fn statistics(&self) -> Statistics;

    /// The number of events of the model.
    fn event_count(&self) -> usize;
    /// The order in which chaining fires events.
    fn events_for_chaining(&self) -> Vec<EventId>;
    /// Called between operations, where garbage may go.
    fn breathe(&mut self);
    /// The meter that all operations charge.
    fn meter(&mut self) -> &mut Meter;
}

/// State sets that can saturate.
pub trait Saturation: StateSets {
    /// All states reachable from `from`, by saturation.
    fn saturate(&mut self, from: &Self::Set) -> Result<Self::Set, Interrupted>;
    /// After an interrupted saturation: how many states it had found at least.
    fn found_until_interrupted(&mut self) -> Option<BigUint>;
}
