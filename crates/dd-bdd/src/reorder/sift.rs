//! Sifting: each group goes through all places and stays at the best.

use super::Block;
use super::swap::Moving;
use crate::Variable;
use crate::bdd::Bdd;
use symbolon_budget::Interrupted;

/// A group turns round when there are more nodes than this percentage of the fewest that it has
/// seen.
const GROWTH_PERCENT: usize = 120;

impl Bdd {
    /// One pass, groups with most nodes first.
    pub(super) fn sift_all(&mut self, moving: &mut Moving) -> Result<(), Interrupted> {
        let mut blocks = self.blocks();
        let mut level = 1;
        let mut waiting: Vec<(usize, Variable)> = Vec::with_capacity(blocks.len());
        for block in &blocks {
            let variables = &self.order.variable_at[level..level + block.height as usize];
            let nodes = variables.iter().map(|variable| self.tables[variable.index() + 1].len()).sum();
            waiting.push((nodes, block.name));
            level += block.height as usize;
        }
        waiting.retain(|&(nodes, _)| nodes > 0);
        // Stable, so that equal runs move equal groups.
        waiting.sort_by_key(|&(nodes, _)| std::cmp::Reverse(nodes));
        waiting.into_iter().try_for_each(|(_, name)| self.sift_one(moving, &mut blocks, name))
    }

    fn sift_one(
        &mut self,
        moving: &mut Moving,
        blocks: &mut [Block],
        name: Variable,
    ) -> Result<(), Interrupted> {
        let start = blocks.iter().position(|block| block.name == name).expect("a block keeps its name");
        let mut at = start;
        let mut best = (self.store.live(), start);
        // The nearer end first: the way back is shorter.
        let down_first = start < blocks.len() - start;
        for down in [down_first, !down_first] {
            while if down { at > 0 } else { at + 1 < blocks.len() } {
                self.swap_blocks(moving, blocks, if down { at - 1 } else { at })?;
                at = if down { at - 1 } else { at + 1 };
                let size = self.store.live();
                if size < best.0 {
                    best = (size, at);
                } else if size * 100 > best.0 * GROWTH_PERCENT {
                    break;
                }
            }
        }
        while at != best.1 {
            let down = at > best.1;
            self.swap_blocks(moving, blocks, if down { at - 1 } else { at })?;
            at = if down { at - 1 } else { at + 1 };
        }
        Ok(())
    }
}
