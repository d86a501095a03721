//! Cells: variables whose weighted sum never changes, as numbers that are added.
//!
//! What one of them loses another one gains, so the state of a cell is found out place by place, as
//! numbers are added by hand: the bits of equal weight stand side by side. With one number after the
//! other, each would have to be remembered in full.

use super::{Ground, or_nothing};
use crate::order::{Blocks, Interaction, invariant_groups};
use crate::sets::boolean::bits::proved_bound;
use symbolon_dd_sentential::{Part, VtreeBuilder};
use symbolon_model::{Model, VariableId};

/// Whether a cell has several variables of several bits each, so that their bits can be arranged.
pub(crate) fn has_cells(model: &Model) -> bool {
    let is_wide = |variable: &&VariableId| proved_bound(model, variable.index()).is_none_or(|most| most > 1);
    cells_of(model).iter().any(|cell| cell.iter().filter(is_wide).count() > 1)
}

/// Disjoint groups of variables, each (what is left of) the support of an invariant.
fn cells_of(model: &Model) -> Vec<Vec<VariableId>> {
    let blocks = Blocks::single(model);
    let groups = invariant_groups(&Interaction::new(model, &blocks));
    groups.into_iter().map(|group| group.into_iter().map(VariableId).collect()).collect()
}

impl Ground<'_> {
    /// The trees of all cells in the order of variables, each on the left of those that follow.
    pub(super) fn cell_tree(&self, builder: &mut VtreeBuilder) -> Part {
        let mut cell_of = vec![None; self.model.variables.len() + self.model.actions.len()];
        let cells = cells_of(self.model);
        for (number, cell) in cells.iter().enumerate() {
            cell.iter().for_each(|variable| cell_of[variable.index()] = Some(number));
        }
        let mut members: Vec<Vec<VariableId>> = vec![Vec::new(); cells.len()];
        // Numbers of cells; a variable in none is a cell of its own.
        let mut trees: Vec<Result<usize, VariableId>> = Vec::new();
        for &variable in self.sequence {
            match cell_of[variable.index()] {
                Some(cell) => {
                    if members[cell].is_empty() {
                        trees.push(Ok(cell));
                    }
                    members[cell].push(variable);
                }
                None => trees.push(Err(variable)),
            }
        }
        let trees: Vec<Part> = trees
            .into_iter()
            .filter_map(|tree| match tree {
                Ok(cell) => self.place_by_place(&members[cell], builder),
                Err(variable) => self.place_by_place(&[variable], builder),
            })
            .collect();
        let trees = or_nothing(trees, builder);
        builder.right_linear(&trees)
    }

    /// The bits of some variables, those of the highest place on top; nothing if there are none.
    fn place_by_place(&self, variables: &[VariableId], builder: &mut VtreeBuilder) -> Option<Part> {
        let width = variables.iter().map(|&variable| self.bits.of(variable).len()).max()?;
        let places: Vec<Part> = (0..width)
            .rev()
            .map(|place| {
                let items: Vec<Part> =
                    variables.iter().filter_map(|&variable| self.item(variable, place, builder)).collect();
                builder.balanced(&items)
            })
            .collect();
        (!places.is_empty()).then(|| builder.right_linear(&places))
    }
}
