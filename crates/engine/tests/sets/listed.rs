//! What the tests of all kinds of state sets have in common: the states of a set, and tables that are too small.

use std::collections::BTreeSet;
use symbolon_dd_core::Limits;
use symbolon_engine::{BddSets, HierarchySets, MddSets, Saturation};
use symbolon_model::State;

/// Tables so small that collections run all the time.
pub(crate) const TINY: Limits =
    Limits { cache_bits: 4, largest_cache_bits: 6, collection_words: 64, collection_growth: 0 };

/// State sets that can list what they hold.
pub(crate) trait Listed: Saturation {
    fn list(&self, set: &Self::Set) -> BTreeSet<State>;
}

impl Listed for MddSets {
    fn list(&self, set: &Self::Set) -> BTreeSet<State> {
        self.mdd().vectors(set.node()).map(|vector| self.encoding().decode(&vector)).collect()
    }
}

impl Listed for BddSets {
    fn list(&self, set: &Self::Set) -> BTreeSet<State> {
        self.states_of(set).collect()
    }
}

impl Listed for HierarchySets {
    fn list(&self, set: &Self::Set) -> BTreeSet<State> {
        self.states_of(set).collect()
    }
}
