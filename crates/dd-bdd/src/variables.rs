//! Variables, where they stand, and what operations are given about them: sets to quantify and
//! renamings.
//!
//! A variable keeps its number for ever; its *level* changes when variables are reordered. Sets and
//! renamings speak of variables and carry a table by level for the recursions, computed anew after
//! every reordering.

use rustc_hash::FxHashMap;
use symbolon_dd_core::Variable;

/// A set of variables known to a manager, such as those that an image quantifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VariableSet(pub(crate) u32);

/// A simultaneous replacement of variables by variables, known to a manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Renaming(pub(crate) u32);

/// Quantifying a set and renaming, in one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Projection(pub(crate) u32);

/// Which variable stands at which level.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// By variable.
    pub(crate) level_of: Vec<u32>,
    /// By level; level 0 belongs to the terminal and has a number that is none.
    pub(crate) variable_at: Vec<Variable>,
}

impl Order {
    /// Variable 0 at the highest level.
    pub(crate) fn descending(count: u32) -> Order {
        let mut variable_at = vec![Variable(u32::MAX)];
        variable_at.extend((0..count).rev().map(Variable));
        Order { level_of: (0..count).map(|index| count - index).collect(), variable_at }
    }

    #[inline]
    pub(crate) fn level(&self, variable: Variable) -> u32 {
        self.level_of[variable.index()]
    }

    /// Exchanges what stands at `lower` and at the level above.
    pub(crate) fn swap(&mut self, lower: u32) {
        let lower = lower as usize;
        self.variable_at.swap(lower, lower + 1);
        self.level_of[self.variable_at[lower].index()] = lower as u32;
        self.level_of[self.variable_at[lower + 1].index()] = lower as u32 + 1;
    }
}

#[derive(Clone, Debug)]
pub(crate) struct SetByLevel {
    variables: Vec<Variable>,
    has: Vec<bool>,
    /// No variable of the set stands below this level.
    pub(crate) lowest: u32,
}

impl SetByLevel {
    #[inline]
    pub(crate) fn has(&self, level: u32) -> bool {
        self.has[level as usize]
    }

    pub(crate) fn variables(&self) -> &[Variable] {
        &self.variables
    }
}

#[derive(Clone, Debug)]
pub(crate) struct RenamingByLevel {
    pairs: Vec<(Variable, Variable)>,
    target: Vec<u32>,
    /// No variable that is replaced stands below this level.
    pub(crate) lowest: u32,
    /// Each variable and its replacement are neighbours, all are distinct: then the order of
    /// variables is kept.
    pub(crate) keeps_order: bool,
}

impl RenamingByLevel {
    /// Where a variable that stands at `level` is moved.
    #[inline]
    pub(crate) fn target(&self, level: u32) -> u32 {
        self.target[level as usize]
    }
}

/// All sets and renamings of a manager; equal ones have equal numbers, so that remembered answers
/// serve both.
#[derive(Clone, Debug, Default)]
pub(crate) struct Register {
    sets: Vec<SetByLevel>,
    renamings: Vec<RenamingByLevel>,
    projections: Vec<(VariableSet, Renaming)>,
    known_sets: FxHashMap<Vec<Variable>, u32>,
    known_renamings: FxHashMap<Vec<(Variable, Variable)>, u32>,
    known_projections: FxHashMap<(VariableSet, Renaming), u32>,
}

impl Register {
    pub(crate) fn set(&mut self, mut variables: Vec<Variable>, order: &Order) -> VariableSet {
        variables.sort_unstable();
        variables.dedup();
        if let Some(&known) = self.known_sets.get(&variables) {
            return VariableSet(known);
        }
        let number = self.sets.len() as u32;
        self.known_sets.insert(variables.clone(), number);
        let mut set = SetByLevel { variables, has: Vec::new(), lowest: 0 };
        set.place(order);
        self.sets.push(set);
        VariableSet(number)
    }

    pub(crate) fn renaming(&mut self, mut pairs: Vec<(Variable, Variable)>, order: &Order) -> Renaming {
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
        let mut renaming = RenamingByLevel { pairs, target: Vec::new(), lowest: 0, keeps_order: false };
        renaming.place(order);
        self.renamings.push(renaming);
        Renaming(number)
    }

    pub(crate) fn projection(&mut self, set: VariableSet, renaming: Renaming) -> Projection {
        let next = self.projections.len() as u32;
        let number = *self.known_projections.entry((set, renaming)).or_insert(next);
        if number == next {
            self.projections.push((set, renaming));
        }
        Projection(number)
    }

    #[inline]
    pub(crate) fn set_by_level(&self, set: VariableSet) -> &SetByLevel {
        &self.sets[set.0 as usize]
    }

    #[inline]
    pub(crate) fn renaming_by_level(&self, renaming: Renaming) -> &RenamingByLevel {
        &self.renamings[renaming.0 as usize]
    }

    #[inline]
    pub(crate) fn parts(&self, projection: Projection) -> (VariableSet, Renaming) {
        self.projections[projection.0 as usize]
    }

    /// After a reordering.
    pub(crate) fn place(&mut self, order: &Order) {
        self.sets.iter_mut().for_each(|set| set.place(order));
        self.renamings.iter_mut().for_each(|renaming| renaming.place(order));
    }
}

impl SetByLevel {
    fn place(&mut self, order: &Order) {
        self.has = vec![false; order.variable_at.len()];
        self.lowest = u32::MAX;
        for &variable in &self.variables {
            let level = order.level(variable);
            self.has[level as usize] = true;
            self.lowest = self.lowest.min(level);
        }
    }
}

impl RenamingByLevel {
    fn place(&mut self, order: &Order) {
        self.target = (0..order.variable_at.len() as u32).collect();
        self.lowest = u32::MAX;
        self.keeps_order = true;
        let mut is_met = vec![false; self.target.len()];
        for &(from, to) in &self.pairs {
            let (from, to) = (order.level(from), order.level(to));
            self.target[from as usize] = to;
            self.lowest = self.lowest.min(from);
            let are_new = !std::mem::replace(&mut is_met[from as usize], true)
                && !std::mem::replace(&mut is_met[to as usize], true);
            self.keeps_order &= from.abs_diff(to) == 1 && are_new;
        }
    }
}

/// How to look for a better order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Each group in turn tries all places and takes the best (R. Rudell, ICCAD 1993; groups: S.
    /// Panda and F. Somenzi, ICCAD 1995).
    Sifting {
        /// Again, until a pass gains little.
        repeat: bool,
    },
    /// All permutations of `width` neighbouring groups, 2 or 3 (M. Fujita, Y. Matsunaga and T.
    /// Kakuda, EDAC 1991).
    Window {
        /// The number of groups.
        width: usize,
        /// Again, until a pass gains little.
        repeat: bool,
    },
}
