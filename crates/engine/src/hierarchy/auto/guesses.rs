//! First guesses: a few trees and orders that cost little to compute, each tried for a few steps.
//!
//! Where a model repeats itself, components by the numbers in names end after few steps; where it is small, so does
//! one component under a plain order. A race of all orders would cost more than it could save then. Whoever ends within few
//! steps wins at once. Models with large initial values are projected from two scaled-down copies first, and only
//! a guess that promises few steps is tried on the model itself.

use super::{ChosenHierarchy, Copies, Ending, Entrant, Tries, own_order};
use crate::choose_order::{Finished, Plan};
use crate::hierarchy::{HierarchyName, Tree, compute};
use crate::hierarchy_sets::HierarchySets;
use crate::order::{self, Effort, Heuristic, Interaction, Order, OrderName};
use crate::state_sets::SetupError;

/// Trees that have an order of their own, most promising first.
const TREES: [HierarchyName; 2] = [HierarchyName::IndexedRecursive, HierarchyName::Indexed];
/// Orders of one component.
const ORDERS: [Heuristic; 2] = [Heuristic::Greedy, Heuristic::SloanBipartite];
/// Steps of the rounds: so many, and so many a part of the model.
const ROUNDS: [(u64, u64); 2] = [(2_000, 2), (20_000, 32)];
/// Models with more parts are not tried as one component: setting it up costs too much.
const MOST_PARTS_FOR_ORDERS: u64 = 150_000;
/// What a guess may promise to take on the model itself, and how many times that it may then take.
const PROMISED_STEPS: u64 = 40_000;
const TOLERANCE: f64 = 4.0;

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
            let guess = guesses.swap_remove(number);
            return self.try_guess(guess, (projected * TOLERANCE) as u64 + ROUNDS[0].0, prefix);
        }
        for (few, per_part) in ROUNDS {
            let allowed = few + per_part * self.part_count;
            // What the first round did not finish is kept for the second; orders are computed when trees have failed.
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
                    let (entrant, order) = (guess.entrant.clone(), guess.order);
                    if let Some(guessed) = self.try_guess(guess, allowed, prefix)? {
                        return Ok(Some(guessed));
                    }
                    failed.push(Guess { entrant, order });
                }
            }
            guesses = failed;
        }
        Ok(None)
    }

    fn add_trees(&self, guesses: &mut Vec<Guess>) {
        for name in TREES {
            if let Some(tree) = compute(self.model, self.blocks, &Order::as_given(self.blocks.len()), name)
                && guesses.iter().all(|other| other.entrant.tree != tree)
            {
                guesses.push(Guess { entrant: Entrant { name, tree }, order: None });
            }
        }
    }

    fn add_orders(&self, guesses: &mut Vec<Guess>) -> Result<(), SetupError> {
        if self.part_count > MOST_PARTS_FOR_ORDERS {
            return Ok(());
        }
        let interaction = Interaction::new(self.model, self.blocks);
        for name in ORDERS.map(OrderName::from) {
            if let Some(order) = order::compute(&interaction, name, Effort::Quick, self.budget)? {
                let entrant = Entrant { name: HierarchyName::Flat, tree: Tree::flat(&order) };
                guesses.push(Guess { entrant, order: Some(name) });
            }
        }
        Ok(())
    }

    /// The guess on the model itself, if it ends within so many steps.
    fn try_guess(&self, guess: Guess, allowed: u64, prefix: &str) -> Result<Option<Guessed>, SetupError> {
        let Entrant { name, tree } = guess.entrant;
        let Ending::Finished { finished, steps, .. } = self.run(self.model, &tree, allowed)? else {
            return Ok(None);
        };
        Ok(Some(match guess.order {
            Some(order_name) => {
                let why = format!("good enough at the first guess, with {steps} steps");
                let name = format!("{prefix}{order_name}");
                Guessed::Flat(Plan { blocks: self.blocks.clone(), order: tree.order(), name, why }, finished)
            }
            None => {
                let why = format!("equal parts by the numbers in names: done with {steps} steps");
                let plan = own_order(self.blocks.clone(), &tree);
                Guessed::Tree(Box::new(self.chosen(plan, name, tree, why, Some(finished))))
            }
        }))
    }
}
