//! How events are described to a manager, as arcs and groups ([`crate::moves`]).

use crate::Variable;
use crate::bdd::Bdd;
use crate::moves::{Arc, Group, Moves, Split};
use crate::node::Edge;
use rustc_hash::FxHashMap;
use symbolon_dd_core::Root;

impl Bdd {
    /// One variable is changed, then what follows happens: `split` says which group follows, by the
    /// value before and the value after. Everything in these groups stands at lower levels.
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

    /// A chain that ends in no state: firing it leaves the range of states, and
    /// [`Bdd::out_of_range`] returns this number then.
    pub fn leave_range(&mut self, number: u32) -> Group {
        let arc = self.moves.arc(Arc::OutOfRange(number));
        self.moves.group_of(vec![arc])
    }

    /// What a relation does, followed by `end`, which speaks of lower levels only, if of any. The
    /// relation depends on the given variables alone: each is given with its primed twin, which
    /// stands right below it, or without one, if the relation keeps it as it is.
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

    /// The number by which the last operation with groups left the range of states, if it did; it
    /// was interrupted by an overflow then.
    pub fn out_of_range(&self) -> Option<u32> {
        self.moves.out_of_range
    }

    /// What an interrupted saturation had found at least: a set over the variables at and below a
    /// level. Each of its members is a part of some state that can be reached.
    pub fn take_partial(&mut self) -> Option<(Root, Vec<Variable>)> {
        let (set, level) = self.moves.partial.take()?;
        Some((set, self.order.variable_at[1..=level as usize].to_vec()))
    }
}
