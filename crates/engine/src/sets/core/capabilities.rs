//! What some kinds of diagrams offer beyond the core, each as a small trait.
//!
//! State sets hand out what they have as trait objects ([`StateSets::saturation`] and its
//! siblings). Whether a kind has a capability for a model can be asked before anything is set up:
//! [`crate::DiagramSetup::supports`] says the same. Functions from states to numbers have types of
//! their own, so distances are a bound on the type of the sets instead ([`crate::Distances`]).

use super::StateSets;
use crate::sets::found_trace::FoundTrace;
use crate::sets::outline::DiagramOutline;
use num_bigint::BigUint;
use std::fmt;
use symbolon_budget::Interrupted;
use symbolon_model::VariableId;

/// Something that a question may need beyond the core of [`StateSets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// [`Saturation`].
    Saturation,
    /// [`Observation`].
    Observation,
    /// [`Forcing`].
    Forcing,
    /// [`ShortestTraces`] and [`crate::Distances`].
    Distances,
    /// [`Outlines`].
    Outlines,
    /// [`WeightedCount`].
    WeightedCount,
}

impl Capability {
    /// All of them.
    pub const ALL: [Capability; 6] = [
        Capability::Saturation,
        Capability::Observation,
        Capability::Forcing,
        Capability::Distances,
        Capability::Outlines,
        Capability::WeightedCount,
    ];
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Capability::Saturation => "saturation",
            Capability::Observation => "knowledge of agents",
            Capability::Forcing => "strategies of agents",
            Capability::Distances => "distances of states",
            Capability::Outlines => "pictures of its diagrams",
            Capability::WeightedCount => "numbers of markings that counters stand for",
        })
    }
}

/// State sets that can saturate.
pub trait Saturation: StateSets {
    /// All states reachable from `from`, by saturation.
    fn saturate(&mut self, from: &Self::Set) -> Result<Self::Set, Interrupted>;
    /// After an interrupted saturation: a number of states that it had found at least.
    fn found_until_interrupted(&mut self) -> Option<BigUint>;
}

/// State sets that know which states look alike to an observer.
pub trait Observation: StateSets {
    /// The states of `within` that agree with some state of `set` on `variables`.
    fn same_observation(
        &mut self,
        set: &Self::Set,
        variables: &[VariableId],
        within: &Self::Set,
    ) -> Result<Self::Set, Interrupted>;
}

/// State sets that know what agents can force.
pub trait Forcing: StateSets {
    /// The states of `within` in which the agents who own the action variables `group` can choose
    /// offered actions such that, whatever the other agents choose and however all react, every
    /// successor lies in `target`; and there is a successor at all. Events that are not synchronous
    /// steps are not chosen by any agent.
    fn can_force(
        &mut self,
        group: &[VariableId],
        target: &Self::Set,
        within: &Self::Set,
    ) -> Result<Self::Set, Interrupted>;
}

/// State sets that find shortest traces without a search.
pub trait ShortestTraces: StateSets {
    /// A shortest trace from an initial state into `target`; `None` if it is not reachable, or if
    /// the model has steps that the kind does not count.
    fn shortest_trace(&mut self, target: &Self::Set) -> Result<Option<FoundTrace>, Interrupted>;
}

/// State sets whose diagrams can be drawn.
pub trait Outlines: StateSets {
    /// The number of nodes of the outline of a set.
    fn outline_size(&self, set: &Self::Set) -> usize;
    /// The diagram of a set as plain data.
    fn outline_of(&self, set: &Self::Set) -> DiagramOutline;
}

/// How large the relations of synchronous steps are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelationSize {
    /// Conditions on a step, one for each choice and each reaction.
    pub conjuncts: usize,
    /// Conjunctions of them that images take in one after the other.
    pub clusters: usize,
}

/// State sets that store the relations of synchronous steps.
pub trait RelationStatistics: StateSets {
    /// The size of all relations together; `None` if the model has no synchronous step.
    fn relation_size(&self) -> Option<RelationSize>;
}

/// Numbers that a variable gives to a group, whose multinomial coefficient they are a part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupTerm {
    /// The variable.
    pub variable: VariableId,
    /// What it gives.
    pub numbers: Numbers,
}

/// What the value of a variable gives to a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// One number: the value.
    Value,
    /// These numbers, as many times as the value says.
    PerUnit(Vec<u64>),
}

/// State sets that count states with weights.
pub trait WeightedCount: StateSets {
    /// The sum, over the states of a set, of a product of multinomial coefficients: one for each of
    /// the `groups`, `(v₁ + … + vₙ)! / (v₁! … vₙ!)`, where `v` are the numbers of the group. From a
    /// value that is a number of a group itself, what is `taken` of the variable is subtracted
    /// before; states in which less than that is there do not count. A variable gives its value to
    /// one group at most. In all other states of the set the numbers of a group must have the same
    /// sum.
    fn multinomial_count(
        &mut self,
        set: &Self::Set,
        groups: &[Vec<GroupTerm>],
        taken: &[(VariableId, u64)],
    ) -> Result<BigUint, Interrupted>;
}
