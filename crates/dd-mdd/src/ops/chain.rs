//! Chaining for a number of rounds: a superset of what that number of events reaches.
//!
//! Figure 3 of Yu, Ciardo, Lüttgen (STTT; see `saturate_bounded.rs`), after Solé and Pastor (FMCAD
//! 2002): in a round, events fire one after the other, each from everything found before it, so
//! that a round may find what lies many events away, but at most as many as fire one after the
//! other. Events with one top fire together here, so these are at most as many as there are levels,
//! and never more than there are events.

use crate::mdd::{Mdd, Side};
use crate::relation::GroupId;
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

/// Where a round of chaining starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainFrom {
    /// Everything found so far.
    Everything,
    /// What the round before found first. Better where values grow for ever, worse on others as
    /// often as not.
    Frontier,
}

impl Mdd {
    /// `set`, all vectors reachable from it by at most `rounds` events, and perhaps more reachable
    /// ones.
    pub fn chain(&mut self, from: ChainFrom, rounds: u64, set: NodeId) -> Result<NodeId, Interrupted> {
        let mark = self.manager.scratch.height();
        // What is reached, and where the next round starts from, lie on the stack as long as this
        // runs.
        self.manager.scratch.push(set.word());
        self.manager.scratch.push(set.word());
        let answer = self.chain_rounds(from, rounds, mark);
        let reached = NodeId::from_word(self.manager.scratch.get(mark));
        self.manager.scratch.truncate(mark);
        answer.map(|()| reached)
    }

    fn chain_rounds(&mut self, from: ChainFrom, rounds: u64, mark: usize) -> Result<(), Interrupted> {
        let level_count = self.level_count;
        for _ in 0..rounds {
            let reached = NodeId::from_word(self.manager.scratch.get(mark));
            let mut found = NodeId::from_word(self.manager.scratch.get(mark + 1));
            if found.is_empty() {
                break;
            }
            for level in 1..=level_count {
                let group = self.events.top_group(level);
                if group == GroupId::NONE {
                    continue;
                }
                let image = self.step_forward(Side::Events, group, found, level_count)?;
                found = self.unite(found, image)?;
                self.manager.scratch.set(mark + 1, found.word());
                // A safe point (K6).
                self.manager.collect_if_due();
            }
            let all = self.unite(reached, found)?;
            let next = match from {
                ChainFrom::Everything if all == reached => NodeId::EMPTY,
                ChainFrom::Everything => all,
                ChainFrom::Frontier => self.subtract(found, reached)?,
            };
            self.manager.scratch.set(mark, all.word());
            self.manager.scratch.set(mark + 1, next.word());
        }
        Ok(())
    }
}
