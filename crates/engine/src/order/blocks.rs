//! Blocks: which variables share a level.

use symbolon_model::{ExclusiveSet, Model, VariableId};

/// The variables of each level-to-be; every variable of the model lies in exactly one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// The variables of each block, ascending; blocks ascend by their first variable.
    pub blocks: Vec<Vec<VariableId>>,
}

impl Blocks {
    /// Every variable for itself.
    pub fn single(model: &Model) -> Self {
        Blocks { blocks: model.variable_ids().map(|variable| vec![variable]).collect() }
    }

    /// Exclusive sets of the model's facts merged, larger ones first where they overlap. What is left
    /// of an overlapping set is still exclusive and is merged in its turn.
    pub fn merged(model: &Model) -> Self {
        let mut taken = vec![false; model.variables.len()];
        let mut blocks = Vec::new();
        let mut sets: Vec<&ExclusiveSet> = model.facts.exclusive.iter().collect();
        sets.sort_by(|a, b| {
            b.variables.len().cmp(&a.variables.len()).then_with(|| a.variables.cmp(&b.variables))
        });
        // First the sets that are free of others, then the remains of the rest.
        for whole in [true, false] {
            for set in &sets {
                let free: Vec<_> = set.variables.iter().copied().filter(|v| !taken[v.index()]).collect();
                if free.len() >= 2 && (!whole || free.len() == set.variables.len()) {
                    free.iter().for_each(|v| taken[v.index()] = true);
                    blocks.push(free);
                }
            }
        }
        blocks.extend(model.variable_ids().filter(|v| !taken[v.index()]).map(|v| vec![v]));
        blocks.iter_mut().filter(|block| !block.is_sorted()).for_each(|block| block.sort_unstable());
        // No two blocks share a variable, so that the first one tells them apart.
        blocks.sort_unstable_by_key(|block| block[0]);
        Blocks { blocks }
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether there is no block, hence no variable.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// For each variable the number of its block.
    pub fn block_of_variables(&self, variable_count: usize) -> Vec<u32> {
        let mut block_of = vec![u32::MAX; variable_count];
        for (block, variables) in self.blocks.iter().enumerate() {
            for variable in variables {
                block_of[variable.index()] = block as u32;
            }
        }
        block_of
    }
}
