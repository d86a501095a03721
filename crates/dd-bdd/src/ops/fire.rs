//! Firing a group of moves: forwards, backwards, or only asking where it could be fired.

use crate::bdd::{Bdd, Made, Stop};
use crate::moves::Group;
use crate::node::Edge;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, Root};

/// What is asked of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Firing {
    Forwards,
    Backwards,
    Tested,
}

impl Bdd {
    /// All that comes of states of `from` when some move of the group is made.
    pub fn fire(&mut self, group: Group, from: &Root) -> Result<Root, Interrupted> {
        self.fire_as(Firing::Forwards, group, from)
    }

    /// All states from which some move of the group leads to a state of `target`.
    pub fn fire_back(&mut self, group: Group, target: &Root) -> Result<Root, Interrupted> {
        self.fire_as(Firing::Backwards, group, target)
    }

    /// The states of `set` in which some move of the group can be made.
    pub fn can_fire(&mut self, group: Group, set: &Root) -> Result<Root, Interrupted> {
        self.fire_as(Firing::Tested, group, set)
    }

    fn fire_as(&mut self, firing: Firing, group: Group, set: &Root) -> Result<Root, Interrupted> {
        let f = Edge::of(set);
        self.run_in_place(&[set], |bdd| bdd.fire_edge(firing, group, f))
    }

    /// Runs an operation during which variables stay where they are, because groups know levels.
    pub(crate) fn run_in_place(
        &mut self,
        operands: &[&Root],
        operation: impl Fn(&mut Bdd) -> Made,
    ) -> Result<Root, Interrupted> {
        self.moves.out_of_range = None;
        let automatic = self.automatic.take();
        let answer = self.run(operands, operation);
        self.automatic = automatic;
        answer
    }

    pub(crate) fn fire_edge(&mut self, firing: Firing, group: Group, f: Edge) -> Made {
        // Terminal cases.
        if group == Group::DONE || f == Edge::FALSE {
            return Ok(f);
        }
        if group == Group::NOTHING {
            return Ok(Edge::FALSE);
        }
        let top = self.moves.top(group);
        if top == 0 {
            let (is_done, leave) = self.moves.ends(group);
            return match leave {
                Some(number) if firing == Firing::Forwards => Err(self.leave_by(number)),
                Some(_) if firing == Firing::Tested => Ok(f),
                _ => Ok(if is_done { f } else { Edge::FALSE }),
            };
        }

        // Recall.
        let operation = match firing {
            Firing::Forwards => self.operations.fire,
            Firing::Backwards => self.operations.fire_back,
            Firing::Tested => self.operations.can_fire,
        };
        let key = Key::new(operation, self.group_number(group)?, f.word(), 0);
        if let Some(known) = self.recall(key) {
            return Ok(known);
        }
        self.step()?;

        // Split and recurse.
        let level = top.max(self.level(f));
        let (f0, f1) = self.cofactors(f, level);
        let answer = if level > top {
            let low = self.fire_edge(firing, group, f0)?;
            self.push(low);
            let high = self.fire_edge(firing, group, f1)?;
            self.pop(1);
            self.mk(level, low, high)?
        } else {
            let [[keeps_low, sets], [unsets, keeps_high]] = self.moves.split(group);
            let (for_low, for_high) = match firing {
                Firing::Forwards => ([(keeps_low, f0), (unsets, f1)], [(sets, f0), (keeps_high, f1)]),
                Firing::Backwards => ([(keeps_low, f0), (sets, f1)], [(unsets, f0), (keeps_high, f1)]),
                // The value stays as it is, whatever it would become.
                Firing::Tested => ([(keeps_low, f0), (sets, f0)], [(unsets, f1), (keeps_high, f1)]),
            };
            let low = self.fire_both(firing, for_low)?;
            self.push(low);
            let high = self.fire_both(firing, for_high)?;
            self.pop(1);
            self.mk(level, low, high)?
        };

        // Remember.
        self.remember(key, answer);
        Ok(answer)
    }

    /// What comes of two groups, each from its own set.
    fn fire_both(&mut self, firing: Firing, sources: [(Group, Edge); 2]) -> Made {
        let [(group, f), (other_group, other)] = sources;
        let one = self.fire_edge(firing, group, f)?;
        self.push(one);
        let two = self.fire_edge(firing, other_group, other)?;
        self.push(two);
        let both = self.or_edges(one, two)?;
        self.pop(2);
        Ok(both)
    }

    /// The number of a group, for keys of the cache, which have room for many but not for any.
    pub(crate) fn group_number(&self, group: Group) -> Result<u32, Interrupted> {
        if group.0 <= Key::LARGEST_SMALL { Ok(group.0) } else { Err(Interrupted::Memory) }
    }

    #[cold]
    pub(crate) fn leave_by(&mut self, number: u32) -> Stop {
        self.moves.out_of_range = Some(number);
        Stop::Interrupted(Interrupted::Overflow)
    }
}
