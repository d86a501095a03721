//! Moves: asynchronous events without primed variables.
//!
//! An event reads and writes few variables and leaves all others as they are. It is written as a
//! chain of *arcs*, one a variable from the highest level down: which values the variable may have,
//! what it becomes, and which arcs follow. What no arc speaks of keeps its value, so that the
//! identity, which a relation with primed variables spells out at every level, costs nothing here:
//!
//! ```text
//! arc of level 7:   0 → 0: nothing    0 → 1: arc of level 3     an event that sets the variable of level 7 where it is not
//!                   1 → 0: nothing    1 → 1: nothing            set, and then does whatever the arc of level 3 says
//! ```
//!
//! A [`Group`] is a set of arcs, any of which may be taken. Events are fired in groups: at each
//! level a group is split into four, by what it makes of the variable there, and arcs of lower
//! levels go on with either value. Arcs and groups are unique, so equal rests of different events
//! are one, and remembered answers serve them all. Firing one event at a time was a thousand times
//! slower on one of the nets of a trial before this kernel; grouping is no refinement but what
//! makes it work.
//!
//! An arc may also lead out of range: no state comes of that, and the manager remembers that
//! something left the range of what the variables can express ([`Bdd::out_of_range`]).

use rustc_hash::FxHashMap;
use symbolon_dd_core::Root;

/// A set of arcs known to a manager. Groups do not survive a reordering (`forget_moves`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Group(pub(crate) u32);

impl Group {
    /// Nothing can be done.
    pub const NOTHING: Group = Group(0);
    /// Nothing is left to be done.
    pub const DONE: Group = Group(1);
}

/// What a group makes of one variable: by its value before, then by its value after.
pub type Split = [[Group; 2]; 2];

/// Chains of arcs, and the groups that they form.
#[derive(Clone, Debug)]
pub(crate) struct Moves {
    /// Number 0 is the end of a chain.
    pub(crate) arcs: Vec<Arc>,
    known_arcs: FxHashMap<Arc, u32>,
    pub(crate) groups: Vec<Members>,
    known_groups: FxHashMap<Box<[u32]>, Group>,
    /// By level: the arcs that stand there and belong to events, for saturation.
    pub(crate) tops: Vec<Group>,
    /// No event begins below this level.
    pub(crate) lowest_top: u32,
    /// The number of the arc by which the last firing left the range, if it did.
    pub(crate) out_of_range: Option<u32>,
    /// What a saturation that was interrupted had found.
    pub(crate) partial: Option<(Root, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Arc {
    /// The end of a chain.
    Done,
    /// Something leaves the range.
    OutOfRange(u32),
    /// At a level.
    Step { level: u32, split: Split },
}

impl Arc {
    pub(crate) fn level(self) -> u32 {
        match self {
            Arc::Done | Arc::OutOfRange(_) => 0,
            Arc::Step { level, .. } => level,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Members {
    /// Numbers of arcs, those of higher levels first, then ascending.
    pub(crate) arcs: Box<[u32]>,
    /// The highest level of an arc.
    pub(crate) top: u32,
    /// What becomes of the variable at the top; computed when first asked for.
    split: Option<Split>,
}

impl Default for Moves {
    fn default() -> Moves {
        let mut moves = Moves {
            arcs: vec![Arc::Done],
            known_arcs: FxHashMap::default(),
            groups: Vec::new(),
            known_groups: FxHashMap::default(),
            tops: Vec::new(),
            lowest_top: u32::MAX,
            out_of_range: None,
            partial: None,
        };
        moves.known_arcs.insert(Arc::Done, 0);
        let (nothing, done) = (moves.group_of(Vec::new()), moves.group_of(vec![0]));
        debug_assert!(nothing == Group::NOTHING && done == Group::DONE);
        moves
    }
}

impl Moves {
    pub(crate) fn arc(&mut self, arc: Arc) -> u32 {
        let next = self.arcs.len() as u32;
        let number = *self.known_arcs.entry(arc).or_insert(next);
        if number == next {
            self.arcs.push(arc);
        }
        number
    }

    pub(crate) fn group_of(&mut self, mut arcs: Vec<u32>) -> Group {
        arcs.sort_unstable_by_key(|&arc| (std::cmp::Reverse(self.arcs[arc as usize].level()), arc));
        arcs.dedup();
        let arcs: Box<[u32]> = arcs.into();
        if let Some(&known) = self.known_groups.get(&arcs) {
            return known;
        }
        let group = Group(self.groups.len() as u32);
        let top = arcs.first().map_or(0, |&arc| self.arcs[arc as usize].level());
        self.known_groups.insert(arcs.clone(), group);
        self.groups.push(Members { arcs, top, split: None });
        group
    }

    /// The highest level that the group speaks of.
    #[inline]
    pub(crate) fn top(&self, group: Group) -> u32 {
        self.groups[group.0 as usize].top
    }

    pub(crate) fn either(&mut self, groups: &[Group]) -> Group {
        if let [one] = groups {
            return *one;
        }
        let arcs =
            groups.iter().flat_map(|group| self.groups[group.0 as usize].arcs.iter().copied()).collect();
        self.group_of(arcs)
    }

    /// What the group makes of the variable at its top.
    #[inline]
    pub(crate) fn split(&mut self, group: Group) -> Split {
        match self.groups[group.0 as usize].split {
            Some(split) => split,
            None => self.compute_split(group),
        }
    }

    #[cold]
    fn compute_split(&mut self, group: Group) -> Split {
        let Members { arcs, top, .. } = self.groups[group.0 as usize].clone();
        let mut cells: [[Vec<u32>; 2]; 2] = Default::default();
        for &arc in &arcs {
            match self.arcs[arc as usize] {
                Arc::Step { level, split } if level == top => {
                    for (row, targets) in cells.iter_mut().zip(split) {
                        for (cell, target) in row.iter_mut().zip(targets) {
                            cell.extend_from_slice(&self.groups[target.0 as usize].arcs);
                        }
                    }
                }
                // Lower arcs keep the value, whatever it is.
                _ => (0..2).for_each(|value: usize| cells[value][value].push(arc)),
            }
        }
        let split = cells.map(|row| row.map(|cell| self.group_of(cell)));
        self.groups[group.0 as usize].split = Some(split);
        split
    }

    /// Of a group without levels: whether it is done, and what it leaves by.
    pub(crate) fn ends(&self, group: Group) -> (bool, Option<u32>) {
        let arcs = self.groups[group.0 as usize].arcs.iter().map(|&arc| self.arcs[arc as usize]);
        let leave = arcs.clone().find_map(|arc| match arc {
            Arc::OutOfRange(number) => Some(number),
            _ => None,
        });
        (arcs.into_iter().any(|arc| arc == Arc::Done), leave)
    }
}
