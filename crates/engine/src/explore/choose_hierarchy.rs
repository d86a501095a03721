//! `auto`: which hierarchy, found by trying some and counting steps.
//!
//! What pays is hard to tell from a net, and easy to see from a run that is cut off early. So:
//!
//! 1. A few cheap guesses ([`guesses`]): where a model repeats itself, or is small, one of them
//!    ends after few steps.
//! 2. Otherwise one component under the order that wins a race of orders
//!    ([`crate::explore::choose_order`]), against some trees. A tree wins if it takes fewer steps,
//!    and while its set nodes stay narrow: wide ones say that a border separates what belongs
//!    together, and grow worse with the model.
//! 3. Models with large initial values are tried on two scaled-down copies, and the steps are
//!    projected from there.
//!
//! Everything is counted in steps, never in seconds, so equal calls choose alike.

mod guesses;

use crate::explore::ExploreOptions;
use crate::explore::choose_order::{AllStates, Finished, OrderChoice, Plan, choose_order};
use crate::explore::race::{Ended, RacePolicy, Run, race};
use crate::explore::scaled::scaled_down;
use crate::explore::strategy::{Strategy, reach};
use crate::hierarchy::{HierarchyName, Tree, compute, has_own_order, sorted_blocks};
use crate::order::{Blocks, Heuristic, Order};
use crate::policy::repeated_parts::SMALLEST_HALF;
use crate::policy::tree_race::{
    COPY_STEPS, FACTOR, FEW_STEPS, FIRST_STEPS, LOSING, MEDIUM, SHARE, SMALL, TRY_CACHE_BITS, WIDE,
};
use crate::sets::core::StateSets;
use crate::sets::hierarchical::{DddSetup, HierarchySets};
use crate::sets::setup::SetupError;
use guesses::Guessed;
use num_bigint::BigUint;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_dd_core::Limits;
use symbolon_model::Model;

/// What the user asked for.
#[derive(Clone, Debug, Default)]
pub enum HierarchyChoice {
    /// The best that can be found with moderate effort.
    #[default]
    Auto,
    /// By name.
    Named(HierarchyName),
    /// From a file, with its blocks and its order.
    Given {
        /// Which variables are one value.
        blocks: Blocks,
        /// The tree.
        tree: Tree,
    },
}

/// A choice of a tree, with its reason.
#[derive(Clone, Debug)]
pub struct HierarchyPlan {
    /// The tree.
    pub tree: Tree,
    /// Its name, as `--hierarchy` takes it.
    pub name: String,
    /// Why this one.
    pub why: String,
}

/// What was chosen; a try of the model itself may already have explored it.
pub(crate) struct ChosenHierarchy {
    pub(crate) plan: Plan,
    pub(crate) hierarchy: HierarchyPlan,
    pub(crate) finished: Option<Box<Finished<HierarchySets>>>,
}

/// Trees that are tried against one component.
const TREES: [HierarchyName; 5] = [
    HierarchyName::IndexedRecursive,
    HierarchyName::Indexed,
    HierarchyName::Nupn,
    HierarchyName::Recursive(SMALLEST_HALF),
    HierarchyName::Groups(SMALLEST_HALF),
];

/// Decides on blocks, order and tree. Raises `states_found` to the most states that a try has
/// found.
pub(crate) fn choose_hierarchy(
    model: &Model,
    options: &ExploreOptions,
    choice: &HierarchyChoice,
    budget: &Budget,
    states_found: &mut BigUint,
) -> Result<ChosenHierarchy, SetupError> {
    match choice {
        HierarchyChoice::Given { blocks, tree } => {
            let plan = own_order(blocks.clone(), tree);
            let hierarchy =
                HierarchyPlan { tree: tree.clone(), name: "given".into(), why: "as asked for".into() };
            Ok(ChosenHierarchy { plan, hierarchy, finished: None })
        }
        HierarchyChoice::Named(name) => named(model, options, *name, budget, states_found),
        HierarchyChoice::Auto => {
            let blocks = blocks_of(model, &options.order);
            let limits = Limits { cache_bits: TRY_CACHE_BITS, ..options.limits };
            let part_count = model.events.iter().map(|event| event.parts.len() as u64).sum();
            let tries = Tries { model, blocks: &blocks, limits, budget, part_count };
            tries.choose(options, states_found)
        }
    }
}

fn named(
    model: &Model,
    options: &ExploreOptions,
    name: HierarchyName,
    budget: &Budget,
    states_found: &mut BigUint,
) -> Result<ChosenHierarchy, SetupError> {
    let (mut plan, finished) = if has_own_order(name) {
        let blocks = sorted_blocks(model, blocks_of(model, &options.order), name);
        (own_order(blocks.clone(), &Tree::flat(&Order::as_given(blocks.len()))), None)
    } else {
        let order = match (name, &options.order) {
            // Units that stay together want an order that keeps them together.
            (HierarchyName::Nupn | HierarchyName::Pages, OrderChoice::Auto) => {
                OrderChoice::Merged(Heuristic::Nupn.into())
            }
            (_, order) => order.clone(),
        };
        choose_order(
            &DddSetup,
            &AllStates(Strategy::for_model(model)),
            model,
            &order,
            options.limits,
            budget,
            states_found,
        )?
    };
    let (tree, why) = match compute(model, &plan.blocks, &plan.order, name) {
        Some(tree) => (tree, "as asked for"),
        None => (Tree::flat(&plan.order), "the model has nothing of this kind: one component"),
    };
    if tree.order() != plan.order {
        plan = own_order(plan.blocks, &tree);
    }
    let finished = finished.filter(|_| tree.is_flat());
    let hierarchy = HierarchyPlan { tree, name: name.to_string(), why: why.into() };
    Ok(ChosenHierarchy { plan, hierarchy, finished })
}

fn blocks_of(model: &Model, order: &OrderChoice) -> Blocks {
    match order {
        OrderChoice::Given { blocks, .. } => blocks.clone(),
        OrderChoice::Named(_) | OrderChoice::AutoWith { merge: false } => Blocks::single(model),
        OrderChoice::Auto | OrderChoice::Merged(_) | OrderChoice::AutoWith { merge: true } => {
            Blocks::merged(model)
        }
    }
}

/// The plan of a tree whose order is its own.
fn own_order(blocks: Blocks, tree: &Tree) -> Plan {
    let why = "the tree of components has an order of its own".into();
    Plan { order: tree.order(), blocks, name: "by-hierarchy".into(), why }
}

/// What all tries share.
struct Tries<'a> {
    model: &'a Model,
    blocks: &'a Blocks,
    limits: Limits,
    budget: &'a Budget,
    part_count: u64,
}

/// Scaled-down copies of the model, with initial values of at most [`SMALL`] and [`MEDIUM`].
struct Copies {
    small: Model,
    medium: Model,
    /// How often the values of the larger copy are to be doubled to be those of the model.
    doublings: f64,
}

impl Copies {
    /// Copies of a model with larger initial values.
    fn of(model: &Model) -> Option<Copies> {
        let (small, medium) = scaled_down(model, SMALL).zip(scaled_down(model, MEDIUM))?;
        let largest = model.initial.iter().flatten().max().copied().unwrap_or(1);
        let doublings = (largest as f64 / MEDIUM as f64).log2().max(0.0);
        Some(Copies { small, medium, doublings })
    }
}

/// A tree that is tried.
#[derive(Clone)]
struct Entrant {
    name: HierarchyName,
    tree: Tree,
}

/// A finished try of a tree, and the number of arcs of its widest set node.
struct Tried {
    finished: Box<Finished<HierarchySets>>,
    widest: usize,
}

/// Rounds with more and more steps, for the better half of the trees.
struct TreeRounds {
    first_steps: u64,
}

impl RacePolicy<Entrant> for TreeRounds {
    fn steps(&self, round: usize) -> Option<u64> {
        Some(self.first_steps.saturating_mul(FACTOR.saturating_pow(round as u32)))
    }

    fn allowed(&self, _round: usize, _number: usize, steps: u64, least: Option<u64>) -> u64 {
        least.unwrap_or(steps)
    }

    fn is_decided(&self, _round: usize, _used: u64) -> bool {
        false
    }

    fn next(&self, _round: usize, ranked: Vec<(BigUint, Entrant)>) -> Vec<Entrant> {
        let survivors = ranked.len().div_ceil(2).min(ranked.len() - 1);
        ranked.into_iter().take(survivors).map(|(_, entrant)| entrant).collect()
    }
}

impl Tries<'_> {
    fn choose(
        &self,
        options: &ExploreOptions,
        states_found: &mut BigUint,
    ) -> Result<ChosenHierarchy, SetupError> {
        let is_free = matches!(options.order, OrderChoice::Auto | OrderChoice::AutoWith { .. });
        let copies = Copies::of(self.model);
        let prefix = if self.blocks.len() < self.model.variables.len() { "merged:" } else { "" };
        let (plan, flat) = match if is_free { self.guess(copies.as_ref(), prefix)? } else { None } {
            Some(Guessed::Tree(chosen)) => return Ok(*chosen),
            Some(Guessed::Flat(plan, flat)) => (plan, Some(flat)),
            None => {
                let (order, limits) = (&options.order, options.limits);
                choose_order(
                    &DddSetup,
                    &AllStates(Strategy::for_model(self.model)),
                    self.model,
                    order,
                    limits,
                    self.budget,
                    states_found,
                )?
            }
        };
        let mut entrants: Vec<Entrant> = Vec::new();
        for name in TREES.into_iter().filter(|name| is_free || !has_own_order(*name)) {
            if let Some(tree) = compute(self.model, &plan.blocks, &plan.order, name)
                && !tree.is_flat()
                && entrants.iter().all(|other| other.tree != tree)
            {
                entrants.push(Entrant { name, tree });
            }
        }
        match (flat, copies) {
            (Some(flat), _) => self.against(plan, flat, entrants),
            (None, Some(copies)) => self.on_copies(plan, entrants, &copies),
            (None, None) => self.in_rounds(plan, entrants, states_found),
        }
    }

    /// Trees against one component that has explored the model.
    fn against(
        &self,
        plan: Plan,
        flat: Box<Finished<HierarchySets>>,
        entrants: Vec<Entrant>,
    ) -> Result<ChosenHierarchy, SetupError> {
        let taken = flat.sets.statistics().steps;
        let mut allowed = (taken / SHARE).max(FEW_STEPS).min(taken);
        let tried = entrants.len();
        let mut best: Option<(Entrant, u64, Box<Finished<HierarchySets>>)> = None;
        for entrant in entrants {
            if let Run::Finished(Tried { finished, widest }, steps) =
                self.run(self.model, &entrant.tree, allowed)?
                && widest <= WIDE
                && steps < allowed
            {
                allowed = steps;
                best = Some((entrant, steps, finished));
            }
        }
        Ok(match best {
            Some((Entrant { name, tree }, steps, finished)) => {
                let why = format!("{steps} steps; one component took {taken}");
                let plan = if tree.order() == plan.order { plan } else { own_order(plan.blocks, &tree) };
                self.chosen(plan, name, tree, why, Some(finished))
            }
            None => {
                let tree = Tree::flat(&plan.order);
                let why = format!("one component took {taken} steps; {tried} trees took more, or were wide");
                self.chosen(plan, HierarchyName::Flat, tree, why, Some(flat))
            }
        })
    }

    /// All on the model itself, with more and more steps, fewer and fewer of them.
    fn in_rounds(
        &self,
        plan: Plan,
        mut entrants: Vec<Entrant>,
        states_found: &mut BigUint,
    ) -> Result<ChosenHierarchy, SetupError> {
        entrants.insert(0, Entrant { name: HierarchyName::Flat, tree: Tree::flat(&plan.order) });
        let count = entrants.len();
        let policy = TreeRounds { first_steps: FIRST_STEPS.of(self.part_count) };
        let ended = race(&policy, entrants, states_found, |entrant, _, steps| {
            self.run(self.model, &entrant.tree, steps)
        })?;
        let (Entrant { name, tree }, why, finished) = match ended {
            Ended::Won { entrant, steps, finished } => {
                let why = format!("first of {count} to find all states, with {steps} steps");
                (entrant, why, Some(finished.finished))
            }
            Ended::Leads(entrant) => (entrant, format!("found most states of {count} in equal steps"), None),
        };
        let plan = if tree.order() == plan.order { plan } else { own_order(plan.blocks, &tree) };
        Ok(self.chosen(plan, name, tree, why, finished))
    }

    /// All on two copies: who would take fewest steps on the model.
    fn on_copies(
        &self,
        plan: Plan,
        mut entrants: Vec<Entrant>,
        copies: &Copies,
    ) -> Result<ChosenHierarchy, SetupError> {
        entrants.insert(0, Entrant { name: HierarchyName::Flat, tree: Tree::flat(&plan.order) });
        let count = entrants.len();
        let (why, number) = match self.best_on_copies(copies, entrants.iter(), u64::MAX)? {
            Some((number, projected)) => (
                format!("of {count} the least work on scaled-down copies, projected {projected:.0} steps"),
                number,
            ),
            None => ("nothing ended on scaled-down copies: one component".into(), 0),
        };
        let Entrant { name, tree } = entrants.swap_remove(number);
        let plan = if tree.order() == plan.order { plan } else { own_order(plan.blocks, &tree) };
        Ok(self.chosen(plan, name, tree, why, None))
    }

    /// Who would take fewest steps on the model, and how many, if steps went on growing as they did
    /// from one copy to the other: at most `most`. A try ends when it is clear that it has lost.
    fn best_on_copies<'e>(
        &self,
        copies: &Copies,
        entrants: impl Iterator<Item = &'e Entrant>,
        most: u64,
    ) -> Result<Option<(usize, f64)>, SetupError> {
        let mut best: Option<(usize, f64)> = None;
        let mut least_few = u64::MAX;
        for (number, entrant) in entrants.enumerate() {
            let bound = best.map_or(most as f64, |(_, least)| least);
            let allowed = COPY_STEPS.min(bound as u64).min(least_few.saturating_mul(LOSING));
            let Run::Finished(_, few) = self.run(&copies.small, &entrant.tree, allowed)? else {
                continue;
            };
            least_few = least_few.min(few);
            let few = few.max(1) as f64;
            // more · (more / few)^doublings < bound, solved for more.
            let allowed = (bound * few.powf(copies.doublings)).powf(1.0 / (1.0 + copies.doublings));
            let allowed = COPY_STEPS.min(bound as u64).min(allowed as u64);
            let Run::Finished(Tried { widest, .. }, more) =
                self.run(&copies.medium, &entrant.tree, allowed)?
            else {
                continue;
            };
            let projected = more as f64 * (more as f64 / few).max(1.0).powf(copies.doublings);
            if (entrant.tree.is_flat() || widest <= WIDE) && projected < bound {
                best = Some((number, projected));
            }
        }
        Ok(best)
    }

    fn chosen(
        &self,
        plan: Plan,
        name: HierarchyName,
        tree: Tree,
        why: String,
        finished: Option<Box<Finished<HierarchySets>>>,
    ) -> ChosenHierarchy {
        ChosenHierarchy { plan, hierarchy: HierarchyPlan { tree, name: name.to_string(), why }, finished }
    }

    /// Explores `model` under a step limit, which setting up is not charged to.
    fn run(&self, model: &Model, tree: &Tree, steps: u64) -> Result<Run<Tried>, SetupError> {
        let meter = Meter::new(self.budget.clone());
        let mut sets = HierarchySets::new(model, self.blocks, tree, meter, self.limits)?;
        let before = sets.statistics().steps;
        sets.meter().grant_steps(Some(steps));
        match reach(&mut sets, Strategy::for_model(model)) {
            Ok(run) => {
                let steps = sets.statistics().steps - before;
                let widest = sets.node_counts(&run.reached).widest;
                Ok(Run::Finished(Tried { finished: Box::new(Finished { sets, run }), widest }, steps))
            }
            Err(stopped) if matches!(stopped.why, Interrupted::Steps | Interrupted::Memory) => {
                Ok(Run::Stopped(stopped.states_at_least.unwrap_or_default()))
            }
            Err(stopped) => Err(stopped.why.into()),
        }
    }
}
