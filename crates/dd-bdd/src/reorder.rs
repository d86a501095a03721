//! Reordering variables: by request, or by growth.
//!
//! All methods are made of one move, the swap of neighbouring levels ([`swap`]), which leaves every
//! edge valid: functions keep their roots, whatever happens to the order. Variables in one group
//! move together.

mod for_some;
mod sift;
mod swap;
mod window;

use crate::Variable;
use crate::bdd::Bdd;
use crate::variables::Method;
use swap::Moving;
use symbolon_budget::Interrupted;

/// A pass that gains less than one node in this many is the last one.
const WORTHWHILE: usize = 20;

impl Bdd {
    /// Says which variables move as one, such as a variable and its twin, or all variables of an
    /// agent. Variables of a group move as one as long as they stand next to each other; others are
    /// a group each.
    pub fn set_groups(&mut self, groups: Vec<Vec<Variable>>) {
        self.groups = groups;
    }

    /// Reorders by `method` whenever the live nodes have grown enough, also in the midst of an
    /// operation; or never.
    pub fn reorder_automatically(&mut self, method: Option<Method>) {
        self.automatic = method;
    }

    /// Looks for an order with fewer nodes, now. Remembered answers are forgotten. When
    /// interrupted, functions are as valid as before and the order is the one reached.
    pub fn reorder(&mut self, method: Method) -> Result<(), Interrupted> {
        self.moving(|bdd, moving| {
            let mut before = bdd.store.live();
            loop {
                let repeat = match method {
                    Method::Sifting { repeat } => {
                        bdd.sift_all(moving)?;
                        repeat
                    }
                    Method::Window { width, repeat } => {
                        bdd.permute_windows(moving, width)?;
                        repeat
                    }
                };
                let after = bdd.store.live();
                if !repeat || before - after <= before / WORTHWHILE {
                    return Ok(());
                }
                before = after;
            }
        })
    }

    /// Puts the variables in this order, from the highest level down; all of them are given.
    pub fn set_order(&mut self, variables: &[Variable]) -> Result<(), Interrupted> {
        let mut sorted = variables.to_vec();
        sorted.sort_unstable();
        let all = (0..self.variable_count()).map(Variable);
        assert!(sorted.into_iter().eq(all), "an order has every variable once");
        self.moving(|bdd, moving| {
            for (above, &variable) in variables.iter().enumerate() {
                let target = bdd.variable_count() - above as u32;
                for lower in bdd.order.level(variable)..target {
                    bdd.swap(moving, lower)?;
                }
            }
            Ok(())
        })
    }

    /// What the outermost call does when its operation asks for it (BDD-K6).
    pub(crate) fn reorder_by_growth(&mut self) -> Result<(), Interrupted> {
        let done = match self.automatic {
            Some(method) => self.reorder(method),
            None => Ok(()),
        };
        self.reordering_threshold = self.reordering_threshold.saturating_mul(2);
        self.schedule();
        done
    }

    /// The groups from the lowest level up, as numbers of levels.
    fn blocks(&self) -> Vec<Block> {
        let mut group_of = vec![None; self.variable_count() as usize];
        for (number, group) in self.groups.iter().enumerate() {
            for variable in group {
                group_of[variable.index()] = Some(number);
            }
        }
        let mut blocks: Vec<Block> = Vec::new();
        let mut last = None;
        for variable in &self.order.variable_at[1..] {
            let group = group_of[variable.index()];
            match blocks.last_mut() {
                Some(block) if group.is_some() && group == last => block.height += 1,
                _ => blocks.push(Block { height: 1, name: *variable }),
            }
            last = group;
        }
        blocks
    }

    /// Exchanges a block with the one above it. Interrupted between swaps only.
    fn swap_blocks(
        &mut self,
        moving: &mut Moving,
        blocks: &mut [Block],
        lower: usize,
    ) -> Result<(), Interrupted> {
        self.meter.step()?;
        if moving.is_time_to_look() {
            self.meter.budget().check()?;
        }
        let base = 1 + blocks[..lower].iter().map(|block| block.height).sum::<u32>();
        let (below, above) = (blocks[lower].height, blocks[lower + 1].height);
        for risen in 0..above {
            for level in (base + risen..base + risen + below).rev() {
                self.swap(moving, level)?;
            }
        }
        blocks.swap(lower, lower + 1);
        Ok(())
    }
}

/// Neighbouring variables that move as one.
#[derive(Clone, Copy, Debug)]
struct Block {
    /// How many they are.
    height: u32,
    /// The one that was lowest when the block was formed, by which it is found again.
    name: Variable,
}
