//! What operations are given about variables: sets to quantify, and renamings.
//!
//! Both speak of variables, and are asked about vtree nodes: which of the variables below it belong
//! to a set, and whether a renaming leaves everything on its side of a node. A model has thousands
//! of small ones, one for each event, so they are stored as the places of their leaves in ascending
//! order, not as tables over the vtree; large sets have a table of sums besides.

use crate::vtree::Vtree;
use rustc_hash::{FxHashMap, FxHashSet};
use symbolon_dd_core::Variable;

/// A set of variables known to a manager, such as those that an image quantifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VariableSet(pub(crate) u32);

/// A simultaneous replacement of variables by variables, known to a manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Renaming(pub(crate) u32);

/// How many of the variables below a vtree node belong to a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Share {
    None,
    Some,
    All,
}

/// Places of leaves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    ascending: Vec<u32>,
    /// By place: how many stand before it. Only if there are many.
    before: Vec<u32>,
}

/// Below this number, binary search is as good as a table.
const FEW: usize = 32;

impl Places {
    fn of(places: impl Iterator<Item = u32>, vtree: &Vtree) -> Places {
        let mut ascending: Vec<u32> = places.collect();
        ascending.sort_unstable();
        let mut before = Vec::new();
        if ascending.len() >= FEW && ascending.len() * 16 >= vtree.variable_count() {
            let mut waiting = ascending.iter().peekable();
            let mut count = 0;
            for place in 0..=vtree.variable_count() as u32 {
                before.push(count);
                count += u32::from(waiting.next_if(|&&next| next == place).is_some());
            }
        }
        Places { ascending, before }
    }

    /// All of them, ascending.
    pub(crate) fn places(&self) -> impl Iterator<Item = u32> + '_ {
        self.ascending.iter().copied()
    }

    /// How many lie before a place.
    #[inline]
    fn rank(&self, place: u32) -> u32 {
        match self.before.get(place as usize) {
            Some(&count) => count,
            None => self.ascending.partition_point(|&other| other < place) as u32,
        }
    }

    /// How many lie below a vtree node.
    #[inline]
    pub(crate) fn below(&self, vtree: &Vtree, node: u32) -> u32 {
        let node = vtree.node(node);
        self.rank(node.to) - self.rank(node.from)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) places: Places,
}

impl Set {
    #[inline]
    pub(crate) fn share(&self, vtree: &Vtree, node: u32) -> Share {
        let count = self.places.below(vtree, node);
        let place = vtree.node(node);
        match count {
            0 => Share::None,
            _ if count == place.to - place.from => Share::All,
            _ => Share::Some,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct RenamingInTree {
    pairs: Vec<(Variable, Variable)>,
    targets: FxHashMap<Variable, Variable>,
    pub(crate) places: Places,
    /// Vtree nodes below which some variable is replaced by one that lies elsewhere, or in the
    /// other child.
    crossed: FxHashSet<u32>,
}

impl RenamingInTree {
    #[inline]
    pub(crate) fn target(&self, variable: Variable) -> Variable {
        self.targets.get(&variable).copied().unwrap_or(variable)
    }

    /// Whether every variable below a node is replaced by one in the same child of it.
    #[inline]
    pub(crate) fn keeps_sides(&self, node: u32) -> bool {
        !self.crossed.contains(&node)
    }
}

/// All sets and renamings of a manager; equal ones have equal numbers, so that remembered answers
/// serve both.
#[derive(Clone, Debug, Default)]
pub(crate) struct Register {
    sets: Vec<Set>,
    renamings: Vec<RenamingInTree>,
    known_sets: FxHashMap<Vec<Variable>, u32>,
    known_renamings: FxHashMap<Vec<(Variable, Variable)>, u32>,
}

impl Register {
    pub(crate) fn set_of(&mut self, mut variables: Vec<Variable>, vtree: &Vtree) -> VariableSet {
        variables.sort_unstable();
        variables.dedup();
        if let Some(&known) = self.known_sets.get(&variables) {
            return VariableSet(known);
        }
        let number = self.sets.len() as u32;
        let places = places_of(variables.iter().copied(), vtree);
        self.known_sets.insert(variables, number);
        self.sets.push(Set { places });
        VariableSet(number)
    }

    pub(crate) fn renaming_of(&mut self, mut pairs: Vec<(Variable, Variable)>, vtree: &Vtree) -> Renaming {
        pairs.retain(|(from, to)| from != to);
        pairs.sort_unstable();
        pairs.dedup();
        let is_function = pairs.windows(2).all(|two| two[0].0 != two[1].0);
        assert!(is_function, "a renaming replaces a variable by one other");
        if let Some(&known) = self.known_renamings.get(&pairs) {
            return Renaming(known);
        }
        let number = self.renamings.len() as u32;
        self.known_renamings.insert(pairs.clone(), number);
        let mut renaming = RenamingInTree {
            targets: pairs.iter().copied().collect(),
            pairs,
            places: Places::default(),
            crossed: FxHashSet::default(),
        };
        renaming.place(vtree);
        self.renamings.push(renaming);
        Renaming(number)
    }

    /// After leaves have changed their places.
    pub(crate) fn place(&mut self, vtree: &Vtree) {
        for (variables, &number) in &self.known_sets {
            self.sets[number as usize].places = places_of(variables.iter().copied(), vtree);
        }
        self.renamings.iter_mut().for_each(|renaming| renaming.place(vtree));
    }

    #[inline]
    pub(crate) fn set(&self, set: VariableSet) -> &Set {
        &self.sets[set.0 as usize]
    }

    #[inline]
    pub(crate) fn renaming(&self, renaming: Renaming) -> &RenamingInTree {
        &self.renamings[renaming.0 as usize]
    }
}

fn places_of(variables: impl Iterator<Item = Variable>, vtree: &Vtree) -> Places {
    Places::of(variables.map(|variable| vtree.node(variable.0).from), vtree)
}

impl RenamingInTree {
    fn place(&mut self, vtree: &Vtree) {
        self.places = places_of(self.pairs.iter().map(|&(from, _)| from), vtree);
        self.crossed.clear();
        for &(from, to) in &self.pairs {
            let top = vtree.lowest_common(from.0, to.0);
            let mut node = from.0;
            while node != top {
                self.crossed.insert(node);
                node = vtree.node(node).parent;
            }
            self.crossed.insert(top);
        }
    }
}
