//! Saturation: events are fired where they act, from the lowest level up (G. Ciardo, G. Lüttgen and
//! R. Siminiescu, TACAS 2001).
//!
//! - **BDD-S1** what [`Bdd::saturate`] makes of a function at a level is closed under all events
//!   that begin at that level or below. So is what firing makes of it on the way down, and the
//!   union of sets that are closed.
//!
//! A level that a diagram skips means "both values", and events may begin there all the same. So
//! levels are passed one by one here, and a remembered answer knows the level that it is closed at.

use crate::bdd::{Bdd, Made, Stop};
use crate::moves::{Group, Split};
use crate::node::Edge;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, Root};

impl Bdd {
    /// All that is reached from states of `from` by the events of [`Bdd::set_events`].
    pub fn saturate(&mut self, from: &Root) -> Result<Root, Interrupted> {
        self.moves.partial = None;
        let (f, level) = (Edge::of(from), self.variable_count());
        self.run_in_place(&[from], |bdd| {
            // An event that tests nothing and leaves stands at no level.
            let nowhere = bdd.moves.tops.first().copied().unwrap_or(Group::NOTHING);
            match bdd.moves.ends(nowhere) {
                (_, Some(number)) if f != Edge::FALSE => Err(bdd.leave_by(number)),
                _ => bdd.saturate_edge(f, level),
            }
        })
    }

    fn saturate_edge(&mut self, f: Edge, level: u32) -> Made {
        // Terminal cases: no event begins so low; levels where nothing happens are passed.
        let mut level = level;
        while level > self.level(f) && level >= self.moves.lowest_top && self.begins_nothing(level) {
            level -= 1;
        }
        if f == Edge::FALSE || level < self.moves.lowest_top {
            return Ok(f);
        }

        // Recall.
        let key = Key::new(self.operations.saturate, 0, f.word(), level);
        if let Some(known) = self.recall(key) {
            return Ok(known);
        }
        self.step()?;

        // Split and recurse.
        let (f0, f1) = self.cofactors(f, level);
        let low = self.saturate_edge(f0, level - 1)?;
        self.push(low);
        let high = self.saturate_edge(f1, level - 1)?;
        self.pop(1);

        // Close, build and remember.
        let answer = self.close(level, low, high)?;
        self.remember(key, answer);
        Ok(answer)
    }

    #[inline]
    fn begins_nothing(&self, level: u32) -> bool {
        self.moves.tops[level as usize] == Group::NOTHING
    }

    /// The node of these children, closed under the events that begin at its level; the children
    /// are closed below (BDD-S1).
    fn close(&mut self, level: u32, low: Edge, high: Edge) -> Made {
        if self.begins_nothing(level) {
            return self.mk(level, low, high);
        }
        let split = self.moves.split(self.moves.tops[level as usize]);
        // Both children lie on the scratch stack while they grow.
        let height = self.scratch.height();
        self.push(low);
        self.push(high);
        let closed = self.close_children(level, split, height);
        let child = |bdd: &Bdd, value: usize| Edge::from_word(bdd.scratch.get(height + value));
        let (low, high) = (child(self, 0), child(self, 1));
        if let Err(stop) = closed {
            // What was found so far; a frame further up knows more, and says so later.
            if matches!(stop, Stop::Interrupted(_))
                && let Ok(found) = self.mk(level, low, high)
            {
                self.moves.partial = Some((self.roots.add(found.id()), level));
            }
            return Err(stop);
        }
        self.scratch.truncate(height);
        self.mk(level, low, high)
    }

    fn close_children(&mut self, level: u32, split: Split, height: usize) -> Result<(), Stop> {
        let mut is_new = [true; 2];
        while let Some(from) = is_new.iter().position(|&is_new| is_new) {
            is_new[from] = false;
            for (to, group) in split[from].into_iter().enumerate() {
                let source = Edge::from_word(self.scratch.get(height + from));
                let fired = self.fire_saturated(group, source, level - 1)?;
                let before = Edge::from_word(self.scratch.get(height + to));
                if fired == Edge::FALSE || fired == before {
                    continue;
                }
                self.push(fired);
                let after = self.or_edges(before, fired)?;
                self.pop(1);
                if after != before {
                    self.scratch.set(height + to, after.word());
                    is_new[to] = true;
                }
            }
        }
        Ok(())
    }

    /// What comes of a group, closed at `level` and below. So is `f` (BDD-S1).
    fn fire_saturated(&mut self, group: Group, f: Edge, level: u32) -> Made {
        // Terminal cases; levels where nothing happens are passed.
        if f == Edge::FALSE || group == Group::DONE {
            return Ok(f);
        }
        if group == Group::NOTHING {
            return Ok(Edge::FALSE);
        }
        let top = self.moves.top(group);
        let mut level = level;
        while level > top && level > self.level(f) && self.begins_nothing(level) {
            level -= 1;
        }
        if level == 0 {
            let (is_done, leave) = self.moves.ends(group);
            return match leave {
                Some(number) => Err(self.leave_by(number)),
                None => Ok(if is_done { f } else { Edge::FALSE }),
            };
        }

        // Recall.
        let key = Key::new(self.operations.fire_saturated, self.group_number(group)?, f.word(), level);
        if let Some(known) = self.recall(key) {
            return Ok(known);
        }
        self.step()?;

        // Split and recurse.
        let (f0, f1) = self.cofactors(f, level);
        let [[keeps_low, sets], [unsets, keeps_high]] = if level > top {
            [[group, Group::NOTHING], [Group::NOTHING, group]]
        } else {
            self.moves.split(group)
        };
        let low = self.fire_both_saturated([(keeps_low, f0), (unsets, f1)], level - 1)?;
        self.push(low);
        let high = self.fire_both_saturated([(sets, f0), (keeps_high, f1)], level - 1)?;
        self.pop(1);

        // Close, build and remember.
        let answer =
            if low == Edge::FALSE && high == Edge::FALSE { low } else { self.close(level, low, high)? };
        self.remember(key, answer);
        Ok(answer)
    }

    /// What comes of two groups, each from its own set.
    fn fire_both_saturated(&mut self, sources: [(Group, Edge); 2], level: u32) -> Made {
        let [(group, f), (other_group, other)] = sources;
        let one = self.fire_saturated(group, f, level)?;
        self.push(one);
        let two = self.fire_saturated(other_group, other, level)?;
        self.push(two);
        let both = self.or_edges(one, two)?;
        self.pop(2);
        Ok(both)
    }
}
