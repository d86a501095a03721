//! What the suite knows about a kind: how it is set up, and how its sets are compared with plain
//! ones.

use std::collections::BTreeSet;
use symbolon_budget::Budget;
use symbolon_dd_core::Limits;
use symbolon_engine::hierarchy::{Item, Tree};
use symbolon_engine::order::Blocks;
use symbolon_engine::{
    BddSetup, Capability, DddSetup, DiagramSetup, ExploreOptions, Explored, Failure, HierarchyChoice,
    MddSetup, Reordering, SententialSetup, StateSets, Strategy, VtreeChoice, explore_hierarchy, explore_with,
};
use symbolon_model::{Model, State};
use symbolon_testkit::RandomNumbers;

/// Tables so small that collections run all the time.
pub(crate) const TINY: Limits =
    Limits { cache_bits: 4, largest_cache_bits: 6, collection_words: 64, collection_growth: 0 };

/// Why nothing is interrupted.
pub(crate) const UNLIMITED: &str = "nothing stops it";

/// The state sets of a kind.
pub(crate) type SetsOf<K> = <<K as Kind>::Setup as DiagramSetup>::Sets;

/// A kind of state sets that the suite can explore with.
pub(crate) trait Kind {
    /// How it is set up.
    type Setup: DiagramSetup;

    /// The number of ways to set it up that differ in options of the kind.
    const VARIANTS: u64 = 1;

    /// Whether products of large numbers are affordable: on bits, they are exponential.
    const MULTIPLIES_LARGE_NUMBERS: bool = true;

    /// The set-up for a model in one of the variants.
    fn setup(model: &Model, options: &ExploreOptions, variant: u64) -> Self::Setup;

    /// Explores in one of the variants.
    fn explore(
        model: &Model,
        options: &ExploreOptions,
        variant: u64,
    ) -> Result<Explored<SetsOf<Self>>, Failure> {
        explore_with(&Self::setup(model, options, variant), model, options, &Budget::unlimited())
    }

    /// Whether the kind has a capability for a model.
    fn supports(model: &Model, capability: Capability) -> bool {
        Self::setup(model, &ExploreOptions::default(), 0).supports(model, capability)
    }

    /// The strategies that the kind has for a model.
    fn strategies(model: &Model) -> Vec<Strategy> {
        let all = [Strategy::Bfs, Strategy::Chaining, Strategy::Saturation];
        let has = |strategy: &Strategy| strategy.needs().iter().all(|&need| Self::supports(model, need));
        all.into_iter().filter(has).collect()
    }

    /// The variants to try in a cell: all of them in three cells that follow each other.
    fn variants(cell: usize) -> impl Iterator<Item = u64> {
        let cell = cell as u64;
        let (first, step) =
            if Self::VARIANTS < 3 { (cell % Self::VARIANTS, Self::VARIANTS) } else { (cell % 3, 3) };
        (first..Self::VARIANTS).step_by(step as usize)
    }
}

/// Multi-valued decision diagrams.
pub(crate) struct Mdd;

impl Kind for Mdd {
    type Setup = MddSetup;

    fn setup(_: &Model, _: &ExploreOptions, _: u64) -> MddSetup {
        MddSetup
    }
}

/// Binary decision diagrams, with and without reordering.
pub(crate) struct Bdd;

impl Kind for Bdd {
    type Setup = BddSetup;
    const VARIANTS: u64 = 2;
    const MULTIPLIES_LARGE_NUMBERS: bool = false;

    fn setup(model: &Model, options: &ExploreOptions, variant: u64) -> BddSetup {
        let reordering = if variant == 0 { Reordering::Off } else { Reordering::Dynamic };
        BddSetup::new(model, options.order.heuristic(), reordering)
    }
}

/// Sentential decision diagrams, under vtrees of several shapes, some of which are changed. Those with large left sides, on which
/// operations are exponential, are tested on small functions by the kernel.
pub(crate) struct Sentential;

impl Kind for Sentential {
    type Setup = SententialSetup;
    const VARIANTS: u64 = 8;
    const MULTIPLIES_LARGE_NUMBERS: bool = false;

    fn setup(model: &Model, options: &ExploreOptions, variant: u64) -> SententialSetup {
        let (shape, reordering) = [
            ("right-linear", Reordering::Off),
            ("minfill", Reordering::Off),
            ("components", Reordering::Off),
            ("bounded-sqrt-3", Reordering::Result),
            ("agent-right-linear", Reordering::Off),
            ("minfill-hubs", Reordering::Off),
            ("right-linear", Reordering::Dynamic),
            ("minfill", Reordering::Dynamic),
        ][variant as usize];
        let shape = VtreeChoice::Named(shape.parse().expect("a shape"));
        SententialSetup::new(model, options.order.heuristic(), shape, reordering)
    }
}

/// Data decision diagrams.
pub(crate) struct Ddd;

impl Kind for Ddd {
    type Setup = DddSetup;

    fn setup(_: &Model, _: &ExploreOptions, _: u64) -> DddSetup {
        DddSetup
    }
}

/// Hierarchical set diagrams, under several trees of components.
pub(crate) struct Set;

impl Kind for Set {
    type Setup = DddSetup;
    const VARIANTS: u64 = 9;

    fn setup(_: &Model, _: &ExploreOptions, _: u64) -> DddSetup {
        DddSetup
    }

    fn explore(
        model: &Model,
        options: &ExploreOptions,
        variant: u64,
    ) -> Result<Explored<SetsOf<Set>>, Failure> {
        let named = ["recursive:1", "flat", "nupn", "groups:2", "indexed"];
        let hierarchy = match named.get(variant as usize) {
            Some(name) => HierarchyChoice::Named(name.parse().expect("a hierarchy")),
            None if variant == 5 => HierarchyChoice::Auto,
            None => random_tree(model, variant),
        };
        explore_hierarchy(model, options, &hierarchy, &Budget::unlimited())
    }
}

/// A tree over the variables, each a block of its own: shuffled, and grouped at random.
fn random_tree(model: &Model, seed: u64) -> HierarchyChoice {
    fn grouped(numbers: &mut RandomNumbers, blocks: &[u32]) -> Vec<Item> {
        let mut items = Vec::new();
        let mut rest = blocks;
        while !rest.is_empty() {
            let (first, others) = rest.split_at(numbers.between(1, rest.len() as u64) as usize);
            match first {
                [block] => items.push(Item::Block(*block)),
                // All blocks in one group once more would go on for ever.
                several if several.len() == blocks.len() => {
                    items.extend(several.iter().map(|&block| Item::Block(block)));
                }
                several => items.push(Item::Group(grouped(numbers, several))),
            }
            rest = others;
        }
        items
    }
    let numbers = &mut RandomNumbers::new(seed + 31 * model.events.len() as u64);
    let mut order: Vec<u32> = (0..model.variables.len() as u32).collect();
    numbers.shuffle(&mut order);
    let blocks = Blocks::single(model);
    HierarchyChoice::Given { blocks, tree: Tree::new(grouped(numbers, &order)) }
}

/// Whether a set has exactly these states: as many, and each of them.
pub(crate) fn is_exactly<S: StateSets>(sets: &mut S, set: &S::Set, states: &BTreeSet<State>) -> bool {
    sets.count(set).expect(UNLIMITED) == states.len().into()
        && states.iter().all(|state| sets.contains(set, state))
}

/// Fails unless a set has exactly these states.
#[track_caller]
pub(crate) fn assert_states<S: StateSets>(
    sets: &mut S,
    set: &S::Set,
    states: &BTreeSet<State>,
    context: impl FnOnce() -> String,
) {
    if !is_exactly(sets, set, states) {
        panic!("{}: found {:?} instead of {states:?}", context(), list(sets, set));
    }
}

/// The states of a set, one after another, by the core alone.
pub(crate) fn list<S: StateSets>(sets: &mut S, set: &S::Set) -> BTreeSet<State> {
    let mut states = BTreeSet::new();
    let mut rest = set.clone();
    while let Some(state) = sets.choose(&rest) {
        let one = sets.singleton(&state).expect(UNLIMITED);
        rest = sets.difference(&rest, &one).expect(UNLIMITED);
        states.insert(state);
    }
    states
}
