//! Blocks: which variables share a level.

use std::ops::Range;
use symbolon_model::{ExclusiveSet, Model, VariableId};

/// The variables of each level-to-be; every variable of the model lies in exactly one block.
///
/// As made here, the variables of a block ascend, and blocks ascend by their first variable. All blocks lie in one array:
/// large models have thousands of them, most with a few variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    variables: Vec<VariableId>,
    /// Where each block ends in `variables`.
    ends: Vec<u32>,
}

impl Blocks {
    /// Every variable for itself.
    pub fn single(model: &Model) -> Self {
        let count = model.variables.len() as u32;
        Blocks { variables: model.variable_ids().collect(), ends: (1..=count).collect() }
    }

    /// Exclusive sets of the model's facts merged, larger ones first where they overlap. What is left
    /// of an overlapping set is still exclusive and is merged in its turn.
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
        let mut sizes: Vec<u32> = Vec::with_capacity(model.variables.len());
        let mut new_block = || {
            sizes.push(0);
            sizes.len() as u32 - 1
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
        block_of.iter().for_each(|&block| sizes[block as usize] += 1);
        Blocks::from_sizes(sizes, &block_of)
    }

    /// The blocks of these sizes, where each variable lies in the block that `block_of` tells.
    fn from_sizes(mut sizes: Vec<u32>, block_of: &[u32]) -> Self {
        let mut end = 0;
        for size in &mut sizes {
            // From here on: where the next variable of the block goes.
            (*size, end) = (end, end + *size);
        }
        let mut next = sizes;
        let mut variables = vec![VariableId(0); block_of.len()];
        for (&block, variable) in block_of.iter().zip(0..) {
            let place = &mut next[block as usize];
            variables[*place as usize] = VariableId(variable);
            *place += 1;
        }
        Blocks { variables, ends: next }
    }

    /// These blocks, as they are.
    pub fn from_lists<L: AsRef<[VariableId]>>(lists: impl IntoIterator<Item = L>) -> Self {
        let mut blocks = Blocks::default();
        lists.into_iter().for_each(|list| blocks.push(list.as_ref()));
        blocks
    }

    /// Appends a block.
    pub(crate) fn push(&mut self, block: &[VariableId]) {
        self.variables.extend_from_slice(block);
        self.ends.push(self.variables.len() as u32);
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no block, hence no variable.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The variables of one block.
    pub fn block(&self, block: u32) -> &[VariableId] {
        &self.variables[self.range(block)]
    }

    /// The variables of one block, to be put into another order.
    pub(crate) fn block_mut(&mut self, block: u32) -> &mut [VariableId] {
        let range = self.range(block);
        &mut self.variables[range]
    }

    fn range(&self, block: u32) -> Range<usize> {
        let start = block.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        start as usize..self.ends[block as usize] as usize
    }

    /// All blocks.
    pub fn iter(&self) -> impl Iterator<Item = &[VariableId]> {
        (0..self.len() as u32).map(|block| self.block(block))
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
