//! First guesses: a few trees and orders that cost little to compute, each tried for a few steps.
//!
//! Where a model repeats itself, components by the numbers in names end after few steps; where it
//! is small, so does one component under a plain order. A race of all orders would cost more than
//! it could save then. A guess that ends within few steps wins at once. Models with large initial
//! values are projected from two scaled-down copies first, and only a guess that promises few steps
//! is tried on the model itself.

use super::{ChosenHierarchy, Copies, Entrant, Tried, Tries, own_order};
use crate::explore::choose_order::{Finished, Plan};
use crate::explore::race::Run;
use crate::hierarchy::repeated::repeated;
use crate::hierarchy::{HierarchyName, Tree, compute};
use crate::order::{self, Blocks, Effort, Heuristic, Interaction, Order, OrderName, index_groups};
use crate::policy::tree_guesses::{
    MOST_PARTS, MOST_PARTS_FOR_ORDERS, NEAR, PROMISED_STEPS, ROUNDS, SAMPLE, TOLERANCE,
};
use crate::sets::hierarchical::HierarchySets;
use crate::sets::setup::SetupError;
use symbolon_model::Model;

/// Trees that have an order of their own, most promising first.
const TREES: [HierarchyName; 2] = [HierarchyName::IndexedRecursive, HierarchyName::Indexed];
/// Orders of one component.
const ORDERS: [Heuristic; 2] = [Heuristic::Greedy, Heuristic::SloanBipartite];

/// A guess that explored the model.
pub(super) enum Guessed {
    /// With this tree.
    Tree(Box<ChosenHierarchy>),
    /// As one component: trees over its order may be better still.
    Flat(Plan, Box<Finished<HierarchySets>>),
}

/// Something to try, and the name of its order if it is one component.
struct Guess {
    entrant: Entrant,
    order: Option<OrderName>,
    /// Blocks of its own, with their variables sorted.
    blocks: Option<Blocks>,
}

impl Tries<'_> {
    /// A cheap tree or order that is good enough. `prefix` stands before the names of orders.
    pub(super) fn guess(&self, copies: Option<&Copies>, prefix: &str) -> Result<Option<Guessed>, SetupError> {
        let mut guesses: Vec<Guess> = Vec::new();
        if let Some(copies) = copies {
            self.add_trees(&mut guesses);
            self.add_orders(&mut guesses)?;
            let Some((number, projected)) =
                self.best_on_copies(copies, guesses.iter().map(|guess| &guess.entrant), PROMISED_STEPS)?
            else {
                return Ok(None);
            };
            return self.try_guess(&guesses[number], (projected * TOLERANCE) as u64 + ROUNDS[0].base, prefix);
        }
        // Setting up a tree of a large model costs more than the steps it needs: one round, with
        // enough of them.
        let is_large = self.part_count > MOST_PARTS_FOR_ORDERS;
        for round in ROUNDS.into_iter().skip(usize::from(is_large)) {
            let own = if is_large { self.part_count / 2 } else { 0 };
            let allowed = round.of(self.part_count.min(MOST_PARTS)).max(own);
            // What the first round did not finish is kept for the second; orders are computed when
            // trees have failed.
            let mut failed: Vec<Guess> = Vec::new();
            let is_first = guesses.is_empty();
            if is_first {
                self.add_trees(&mut guesses);
            }
            for with_orders in [false, true] {
                if with_orders && is_first {
                    self.add_orders(&mut guesses)?;
                }
                for guess in std::mem::take(&mut guesses) {
                    if let Some(guessed) = self.try_guess(&guess, allowed, prefix)? {
                        return Ok(Some(guessed));
                    }
                    failed.push(guess);
                }
            }
            guesses = failed;
        }
        Ok(None)
    }

    fn add_trees(&self, guesses: &mut Vec<Guess>) {
        if self.part_count > MOST_PARTS_FOR_ORDERS && !numbers_say_something(self.model, self.blocks) {
            return;
        }
        for name in TREES {
            if let Some(tree) = compute(self.model, self.blocks, &Order::as_given(self.blocks.len()), name)
                && guesses.iter().all(|other| other.entrant.tree != tree)
            {
                guesses.push(Guess { entrant: Entrant { name, tree }, order: None, blocks: None });
            }
        }
    }

    /// What repeats itself without names that say so, and plain orders.
    fn add_orders(&self, guesses: &mut Vec<Guess>) -> Result<(), SetupError> {
        if let Some((tree, blocks)) = repeated(self.model, self.blocks) {
            let entrant = Entrant { name: HierarchyName::Repeated, tree };
            guesses.push(Guess { entrant, order: None, blocks: Some(blocks) });
        }
        if self.part_count > MOST_PARTS_FOR_ORDERS {
            return Ok(());
        }
        let interaction = Interaction::new(self.model, self.blocks);
        for name in ORDERS.map(OrderName::from) {
            if let Some(order) = order::compute(&interaction, name, Effort::Quick, self.budget)? {
                let entrant = Entrant { name: HierarchyName::Flat, tree: Tree::flat(&order) };
                guesses.push(Guess { entrant, order: Some(name), blocks: None });
            }
        }
        Ok(())
    }

    /// The guess on the model itself, if it ends within `allowed` steps.
    fn try_guess(&self, guess: &Guess, allowed: u64, prefix: &str) -> Result<Option<Guessed>, SetupError> {
        let tries = Tries { blocks: guess.blocks.as_ref().unwrap_or(self.blocks), ..*self };
        let Entrant { name, tree } = guess.entrant.clone();
        let Run::Finished(Tried { finished, .. }, steps) = tries.run(self.model, &tree, allowed)? else {
            return Ok(None);
        };
        let blocks = tries.blocks.clone();
        Ok(Some(match guess.order {
            Some(order_name) => {
                let why = format!("good enough at the first guess, with {steps} steps");
                let name = format!("{prefix}{order_name}");
                Guessed::Flat(Plan { blocks, order: tree.order(), name, why }, finished)
            }
            None => {
                let how =
                    if name == HierarchyName::Repeated { "their looks" } else { "the numbers in names" };
                let why = format!("equal parts by {how}: done with {steps} steps");
                let plan = own_order(blocks, &tree);
                Guessed::Tree(Box::new(self.chosen(plan, name, tree, why, Some(finished))))
            }
        }))
    }
}

/// Whether most events touch parts whose numbers are near: setting up a large tree of parts that
/// have nothing to do with one another would take long.
fn numbers_say_something(model: &Model, blocks: &Blocks) -> bool {
    let groups = index_groups(model, blocks);
    let mut group_of = vec![None; blocks.len()];
    for (number, group) in groups.iter().enumerate() {
        group.iter().for_each(|&block| group_of[block as usize] = Some(number));
    }
    let block_of = blocks.block_of_variables(model.variables.len());
    let stride = (model.events.len() / SAMPLE).max(1);
    let (mut near, mut far) = (0, 0);
    for event in model.events.iter().step_by(stride) {
        let touched = event.variables().into_iter();
        let numbers = touched.filter_map(|variable| group_of[*block_of.get(variable.index())? as usize]);
        if let (Some(least), Some(most)) = (numbers.clone().min(), numbers.max()) {
            if most - least <= groups.len() / NEAR { near += 1 } else { far += 1 }
        }
    }
    near > far
}
