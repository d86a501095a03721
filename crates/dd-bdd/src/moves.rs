//! Moves: asynchronous events without primed variables.
//!
//! An event reads and writes few variables and leaves all others as they are. It is written as a chain of *arcs*, one a
//! variable from the highest level down: which values the variable may have, what it becomes, and which arcs follow. What no
//! arc speaks of keeps its value, so that the identity, which a relation with primed variables spells out at every level,
//! costs nothing here:
//!
//! ```text
//! arc of level 7:   0 → 0: nothing    0 → 1: arc of level 3     an event that sets the variable of level 7 where it is not
//!                   1 → 0: nothing    1 → 1: nothing            set, and then does whatever the arc of level 3 says
//! ```
//!
//! A [`Group`] is a set of arcs, any of which may be taken. Events are fired in groups: at each level a group is split into
//! four, by what it makes of the variable there, and arcs of lower levels go on with either value. Arcs and groups are
//! unique, so equal rests of different events are one, and remembered answers serve them all. Firing one event at a time
//! was a thousand times slower on one of the nets of a trial before this kernel; grouping is no refinement but what makes it work.
//!
//! An arc may also lead to a *leave*: no state comes of that, and whoever fires it learns that something left the range of
//! what the variables can express ([`Bdd::left`]).

use crate::bdd::Bdd;
use crate::node::Edge;
use crate::variables::Variable;
use rustc_hash::FxHashMap;
use symbolon_dd_core::Root;

/// A set of arcs known to a manager. Groups do not survive a reordering ([`Bdd::forget_moves`]).
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
    arcs: Vec<Arc>,
    known_arcs: FxHashMap<Arc, u32>,
    groups: Vec<Members>,
    known_groups: FxHashMap<Box<[u32]>, Group>,
    /// By level: the arcs that stand there and belong to events, for saturation.
    pub(crate) tops: Vec<Group>,
    /// No event begins below this level.
    pub(crate) lowest_top: u32,
    /// How the last firing left the range, if it did.
    pub(crate) left: Option<u32>,
    /// What a saturation that was interrupted had found.
    pub(crate) partial: Option<(Root, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Arc {
    /// The end of a chain.
    Done,
    /// Something leaves the range.
    Leave(u32),
    /// At a level.
    Step { level: u32, split: Split },
}

impl Arc {
    fn level(self) -> u32 {
        match self {
            Arc::Done | Arc::Leave(_) => 0,
            Arc::Step { level, .. } => level,
        }
    }
}

#[derive(Clone, Debug)]
struct Members {
    /// Numbers of arcs, those of higher levels first, then ascending.
    arcs: Box<[u32]>,
    /// The highest level of an arc.
    top: u32,
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
            left: None,
            partial: None,
        };
        moves.known_arcs.insert(Arc::Done, 0);
        let (nothing, done) = (moves.group_of(Vec::new()), moves.group_of(vec![0]));
        debug_assert!(nothing == Group::NOTHING && done == Group::DONE);
        moves
    }
}

impl Moves {
    fn arc(&mut self, arc: Arc) -> u32 {
        let next = self.arcs.len() as u32;
        let number = *self.known_arcs.entry(arc).or_insert(next);
        if number == next {
            self.arcs.push(arc);
        }
        number
    }

    fn group_of(&mut self, mut arcs: Vec<u32>) -> Group {
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

    fn either(&mut self, groups: &[Group]) -> Group {
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
            Arc::Leave(number) => Some(number),
            _ => None,
        });
        (arcs.into_iter().any(|arc| arc == Arc::Done), leave)
    }
}

impl Bdd {
    /// One variable is changed, then what follows happens: `split` says which group follows, by the value before and
    /// the value after. Everything in these groups stands at lower levels.
    pub fn arc(&mut self, variable: Variable, split: Split) -> Group {
        let level = self.order.level(variable);
        let moves = &mut self.moves;
        let follows = |group: &Group| moves.groups[group.0 as usize].top < level;
        assert!(split.iter().flatten().all(follows), "arcs lead down");
        // What keeps both values alike does not speak of this variable.
        let [[low, set], [unset, high]] = split;
        let (kept, split) = if low == high {
            (low, [[Group::NOTHING, set], [unset, Group::NOTHING]])
        } else {
            (Group::NOTHING, split)
        };
        if split == [[Group::NOTHING; 2]; 2] {
            return kept;
        }
        let arc = moves.arc(Arc::Step { level, split });
        let group = moves.group_of(vec![arc]);
        moves.either(&[kept, group])
    }

    /// What any of the groups does.
    pub fn either(&mut self, groups: &[Group]) -> Group {
        self.moves.either(groups)
    }

    /// A chain that ends in no state: whoever fires it leaves the range of states, and is told this number.
    pub fn leave(&mut self, number: u32) -> Group {
        let arc = self.moves.arc(Arc::Leave(number));
        self.moves.group_of(vec![arc])
    }

    /// What a relation does, followed by `end`, which speaks of lower levels only, if of any. The relation depends on the
    /// given variables alone: each is given with its primed twin, which stands right below it, or without one, if the
    /// relation keeps it as it is.
    pub fn moves_of_relation(
        &mut self,
        relation: &Root,
        variables: &[(Variable, Option<Variable>)],
        end: Group,
    ) -> Group {
        let mut levels: Vec<(Variable, Option<Variable>)> = variables.to_vec();
        levels.sort_unstable_by_key(|&(variable, _)| std::cmp::Reverse(self.order.level(variable)));
        let mut known = FxHashMap::default();
        self.moves_of_edge(Edge::of(relation), &levels, end, &mut known)
    }

    fn moves_of_edge(
        &mut self,
        relation: Edge,
        variables: &[(Variable, Option<Variable>)],
        end: Group,
        known: &mut FxHashMap<(Edge, usize), Group>,
    ) -> Group {
        if relation == Edge::FALSE {
            return Group::NOTHING;
        }
        let Some((&(variable, twin), rest)) = variables.split_first() else {
            assert!(relation == Edge::TRUE, "the relation depends on the given variables alone");
            return end;
        };
        if let Some(&group) = known.get(&(relation, rest.len())) {
            return group;
        }
        let (low, high) = self.cofactors(relation, self.order.level(variable));
        let split = match twin {
            Some(twin) => {
                let level = self.order.level(twin);
                let ((a, b), (c, d)) = (self.cofactors(low, level), self.cofactors(high, level));
                [[a, b], [c, d]]
            }
            None => [[low, Edge::FALSE], [Edge::FALSE, high]],
        };
        let split = split.map(|row| row.map(|edge| self.moves_of_edge(edge, rest, end, known)));
        let group = self.arc(variable, split);
        known.insert((relation, rest.len()), group);
        group
    }

    /// Says which groups are the events that [`Bdd::saturate`] fires.
    pub fn set_events(&mut self, events: &[Group]) {
        let moves = &mut self.moves;
        let mut by_level: Vec<Vec<u32>> = vec![Vec::new(); self.order.variable_at.len()];
        for event in events {
            for &arc in &moves.groups[event.0 as usize].arcs {
                by_level[moves.arcs[arc as usize].level() as usize].push(arc);
            }
        }
        moves.tops = by_level.into_iter().map(|arcs| moves.group_of(arcs)).collect();
        let first = moves.tops.iter().skip(1).position(|&group| group != Group::NOTHING);
        moves.lowest_top = first.map_or(u32::MAX, |place| place as u32 + 1);
    }

    /// Forgets all arcs and groups, because variables were reordered or the events are others now.
    pub fn forget_moves(&mut self) {
        self.moves = Moves::default();
        self.cache.clear();
    }

    /// By which number the last operation with groups left the range of states, if it did; it was interrupted by an
    /// overflow then.
    pub fn left(&self) -> Option<u32> {
        self.moves.left
    }

    /// What an interrupted saturation had found at least: a set over the variables at and below a level. Each of
    /// its members is a part of some state that can be reached.
    pub fn take_partial(&mut self) -> Option<(Root, Vec<Variable>)> {
        let (set, level) = self.moves.partial.take()?;
        Some((set, self.order.variable_at[1..=level as usize].to_vec()))
    }
}
