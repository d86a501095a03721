//! Blocks: which variables share a level.

use super::lists::Lists;
use symbolon_model::{ExclusiveSet, Model, VariableId};

/// The variables of each level-to-be; every variable of the model lies in exactly one block.
///
/// As made here, the variables of a block ascend, and blocks ascend by their first variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks(Lists<VariableId>);

impl Blocks {
    /// Every variable for itself.
    pub fn single(model: &Model) -> Self {
        let count = model.variables.len();
        Blocks(Lists::from_pairs(count, (0..count as u32).map(|number| (number, VariableId(number)))))
    }

    /// Exclusive sets of the model's facts merged, larger ones first where they overlap. What is
    /// left of an overlapping set is still exclusive and is merged in its turn.
    pub fn merged(model: &Model) -> Self {
        const NONE: u32 = u32::MAX;
        let mut sets: Vec<&ExclusiveSet> = model.facts.exclusive.iter().collect();
        sets.sort_by(|a, b| {
            b.variables.len().cmp(&a.variables.len()).then_with(|| a.variables.cmp(&b.variables))
        });
        // First the sets that are free of others, then the remains of the rest.
        let mut set_of = vec![NONE; model.variables.len()];
        for whole in [true, false] {
            for (number, set) in sets.iter().enumerate() {
                let free = |variable: &&VariableId| set_of[variable.index()] == NONE;
                let free_count = set.variables.iter().filter(free).count();
                if free_count < 2 || (whole && free_count < set.variables.len()) {
                    continue;
                }
                for variable in &set.variables {
                    let set_of = &mut set_of[variable.index()];
                    if *set_of == NONE {
                        *set_of = number as u32;
                    }
                }
            }
        }
        // Blocks get their numbers from their first variables.
        let mut block_of_set = vec![NONE; sets.len()];
        let mut count = 0;
        let mut new_block = || {
            count += 1;
            count - 1
        };
        let block_of: Vec<u32> = set_of
            .into_iter()
            .map(|set| match block_of_set.get_mut(set as usize) {
                None => new_block(),
                Some(block) if *block == NONE => {
                    *block = new_block();
                    *block
                }
                Some(block) => *block,
            })
            .collect();
        Blocks(Lists::from_pairs(count as usize, block_of.into_iter().zip((0..).map(VariableId))))
    }

    /// These blocks, as they are.
    pub fn from_lists<L: AsRef<[VariableId]>>(lists: impl IntoIterator<Item = L>) -> Self {
        let mut blocks = Lists::new();
        lists.into_iter().for_each(|list| blocks.push(list.as_ref()));
        Blocks(blocks)
    }

    /// Appends a block.
    pub(crate) fn push(&mut self, block: &[VariableId]) {
        self.0.push(block);
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no block, hence no variable.
    pub fn is_empty(&self) -> bool {
        self.0.len() == 0
    }

    /// The variables of one block.
    pub fn block(&self, block: u32) -> &[VariableId] {
        self.0.get(block)
    }

    /// The variables of one block, to be put into another order.
    pub(crate) fn block_mut(&mut self, block: u32) -> &mut [VariableId] {
        self.0.get_mut(block)
    }

    /// All blocks.
    pub fn iter(&self) -> impl Iterator<Item = &[VariableId]> {
        self.0.iter()
    }

    /// For each variable the number of its block.
    pub fn block_of_variables(&self, variable_count: usize) -> Vec<u32> {
        let mut block_of = vec![u32::MAX; variable_count];
        for (block, variables) in (0..).zip(self.iter()) {
            for variable in variables {
                block_of[variable.index()] = block;
            }
        }
        block_of
    }
}
