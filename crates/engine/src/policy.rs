//! The tuning constants of this crate, in one place: what `auto` does, and when computations give
//! up.
//!
//! All limits are counted (steps, states, nodes), never timed, so equal calls behave alike on every
//! machine. The values were found by measuring: the files in `bench/` have the figures. What is not
//! here are numbers that follow from a representation, such as the largest value of a word.
//!
//! | module | decides |
//! | --- | --- |
//! | [`order_race`] | how orders race, and when one is good enough |
//! | [`proven_orders`] | how long a few proven orders take turns |
//! | [`tree_race`], [`tree_guesses`] | how trees of components race, and what is guessed first |
//! | [`repeated_parts`] | when a model counts as a repetition of one part |
//! | [`heuristics`] | how much work single heuristics for orders may do |
//! | [`bounded`], [`distance_race`] | effort of bounded search, and of its `auto` |
//! | [`traces`], [`temporal`] | effort for traces, runs, strategies and witnesses |
//! | [`encoding`], [`bdd`], [`hierarchical`] | how the kinds of diagrams represent a model |
//! | [`stack`] | stack sizes of deep recursions |
//! | [`walks`] | how walks look at the budget and at their goals |

/// A number of steps that grows with something: the size of a model, or the steps taken before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Steps in any case.
    pub base: u64,
    /// Steps for each unit of what it grows with.
    pub per_unit: u64,
}

impl Allowance {
    /// The steps for this number of units.
    pub fn of(self, units: u64) -> u64 {
        self.base.saturating_add(self.per_unit.saturating_mul(units))
    }
}

/// Races of orders (`explore/choose_order.rs`).
pub(crate) mod order_race {
    use super::Allowance;

    /// Steps of each candidate in the first round, by parts of the model.
    pub(crate) const FIRST_STEPS: Allowance = Allowance { base: 10_000, per_unit: 6 };
    /// A candidate that finishes within these steps, by parts of the model, wins at once.
    pub(crate) const GOOD_STEPS: Allowance = Allowance { base: 2_000, per_unit: 6 };
    /// For each round after the first: how many candidates stay, and how many times the steps they
    /// get.
    pub(crate) const LATER_ROUNDS: [(usize, u64); 5] = [(4, 5), (2, 10), (2, 10), (2, 10), (1, 1)];
    /// The number of later rounds in which an order on unmerged variables runs in any case.
    pub(crate) const LATER_ROUNDS_UNMERGED: usize = 2;
    /// An order on unmerged variables gets one part in this many of the steps of a later round.
    pub(crate) const UNMERGED_PART: u64 = 2;
    /// Models with more parts do not race: setting up costs too much.
    pub(crate) const MOST_PARTS_TO_RACE: u64 = 150_000;
    /// Initial values of the small scaled-down copy.
    pub(crate) const SMALL: u64 = 4;
    /// Initial values of the larger scaled-down copy.
    pub(crate) const MEDIUM: u64 = 12;
    /// The number of candidates that go on from the small copy to the larger one.
    pub(crate) const FINALISTS: usize = 5;
    /// Scaled-down models with at most this many levels search on from the winner.
    pub(crate) const MOST_LEVELS_TO_SEARCH: usize = 48;
    /// Steps that this search may take in all.
    pub(crate) const SEARCH_STEPS: u64 = 150_000;
    /// Orders that this search may try.
    pub(crate) const MOST_REARRANGEMENTS: u64 = 150;
    /// The cache of a race starts with 2^this entries: most runs end soon.
    pub(crate) const RACE_CACHE_BITS: u32 = 12;
}

/// Races of a few orders of which one is known to be good (`explore/choose_order/in_turns.rs`).
pub(crate) mod proven_orders {
    /// Steps in the first turn.
    pub(crate) const TURN_STEPS: u64 = 200_000;
    /// How many times the steps each later turn has.
    pub(crate) const TURN_FACTOR: u64 = 4;
    /// The number of turns.
    pub(crate) const TURNS: usize = 5;
    /// An order that found fewer states than the best by more than this factor is dropped.
    pub(crate) const TURN_LAG: u32 = 16;
}

/// Races of trees of components (`explore/choose_hierarchy.rs`).
pub(crate) mod tree_race {
    use super::Allowance;

    /// A tree may take this many steps in any case where one component has explored the model.
    pub(crate) const FEW_STEPS: u64 = 5_000;
    /// Otherwise a tree may take one step for this many steps of one component.
    pub(crate) const SHARE: u64 = 16;
    /// Steps of the first round if one component did not end, by parts of the model.
    pub(crate) const FIRST_STEPS: Allowance = Allowance { base: 100_000, per_unit: 10 };
    /// How many times the steps each later round has.
    pub(crate) const FACTOR: u64 = 5;
    /// Set nodes with more arcs are wide: a border separates what belongs together.
    pub(crate) const WIDE: usize = 64;
    /// Initial values of the smaller scaled-down copy.
    pub(crate) const SMALL: u64 = 6;
    /// Initial values of the larger scaled-down copy.
    pub(crate) const MEDIUM: u64 = 12;
    /// The most steps of a try on a copy.
    pub(crate) const COPY_STEPS: u64 = 400_000;
    /// A tree that takes more than this many times the steps of the best on the smaller copy has
    /// lost.
    pub(crate) const LOSING: u64 = 4;
    /// The cache of a try starts with 2^this entries: most runs end soon.
    pub(crate) const TRY_CACHE_BITS: u32 = 12;
}

/// First guesses of trees and orders (`explore/choose_hierarchy/guesses.rs`).
pub(crate) mod tree_guesses {
    use super::Allowance;

    /// Steps of the rounds, by parts of the model.
    pub(crate) const ROUNDS: [Allowance; 2] =
        [Allowance { base: 2_000, per_unit: 2 }, Allowance { base: 20_000, per_unit: 32 }];
    /// A larger model counts as one with this many parts.
    pub(crate) const MOST_PARTS: u64 = 20_000;
    /// Models with more parts are not tried as one component: setting it up costs too much.
    pub(crate) const MOST_PARTS_FOR_ORDERS: u64 = 150_000;
    /// The most steps that a guess may promise to take on the model itself.
    pub(crate) const PROMISED_STEPS: u64 = 40_000;
    /// How many times the promised steps a guess may take.
    pub(crate) const TOLERANCE: f64 = 4.0;
    /// Events that are looked at to see whether numbers in names say anything.
    pub(crate) const SAMPLE: usize = 1_000;
    /// Two parts are near if their numbers differ by at most one in this many of all.
    pub(crate) const NEAR: usize = 16;
}

/// Models that repeat one part (`hierarchy/repeated.rs`).
pub(crate) mod repeated_parts {
    /// The longest sequence that is looked for.
    pub(crate) const LONGEST: usize = 64;
    /// The regular stretch has at least this many parts: with few, sharing saves little, and wide
    /// set nodes cost much (a token ring of 20).
    pub(crate) const FEWEST_PARTS: usize = 32;
    /// The regular stretch has at least one in this many of all blocks.
    pub(crate) const SHARE: usize = 2;
    /// Wider events are not followed.
    pub(crate) const WIDEST: usize = 16;
    /// Blocks with more neighbours are not followed.
    pub(crate) const MOST_NEIGHBOURS: usize = 64;
    /// The number of blocks that the hierarchy `recursive` leaves together by default.
    pub(crate) const SMALLEST_HALF: u32 = 4;
}

/// Single heuristics for orders (`order/`).
pub(crate) mod heuristics {
    /// From this many arcs on, only the fastest heuristics run.
    pub(crate) const LARGE: usize = 300_000;
    /// Up to this many blocks, annealing is worth its time.
    pub(crate) const MOST_BLOCKS_TO_SEARCH: usize = 48;
    /// Annealing: the share by which a worse order may be accepted at the start; it falls to
    /// nothing.
    pub(crate) const HEAT: f64 = 0.12;
    /// `force`: rounds without a smaller span after which it stops.
    pub(crate) const PATIENCE: u32 = 6;
    /// `greedy`: the most score updates; wider events than this allows are not followed.
    pub(crate) const MOST_UPDATES: usize = 24_000_000;
    /// The most pairs of a graph of blocks; heuristics on graphs decline larger models.
    pub(crate) const MOST_PAIRS: usize = 16_000_000;
    /// `hub`: a block with fewer events, or an event with fewer blocks, is never a hub.
    pub(crate) const LEAST_HUB: usize = 5;
    /// `nupn`: the most visits of tree nodes; a deeper tree over more events is declined.
    pub(crate) const MOST_VISITS: u64 = 60_000_000;
    /// `nupn`: rounds of the final pulling.
    pub(crate) const FORCE_ROUNDS: u32 = 30;
    /// `sum-of-tops`: how far a block is sifted from where it stands, where there are many blocks.
    pub(crate) const FARTHEST: usize = 400;
    /// `sloan`: how much the growth of the front counts …
    pub(crate) const FRONT_WEIGHT: i64 = 2;
    /// … against the distance to the far end.
    pub(crate) const DISTANCE_WEIGHT: i64 = 1;
}

/// Bounded search (`bounded.rs`).
pub(crate) mod bounded {
    use super::Allowance;

    /// Steps of a trace for a method that gives none itself, by steps of the search.
    pub(crate) const TRACE_STEPS: Allowance = Allowance { base: 1_000_000, per_unit: 20 };
    /// Where states may be infinitely many, orders race for what lies within the bound, or within
    /// this if it is smaller.
    pub(crate) const RACE_BOUND: u64 = 6;
    /// Steps of a computation under an order that was chosen with little care, by events of the
    /// model. If it takes more, it starts again under an order that is chosen with full care.
    pub(crate) const CARELESS_STEPS: Allowance = Allowance { base: 50_000, per_unit: 200 };
    /// EVBDDs: an event may become at most this many events on bits.
    pub(crate) const MOST_PATTERNS: usize = 100_000;
}

/// `auto` of bounded search (`bounded/auto.rs`).
pub(crate) mod distance_race {
    use super::Allowance;

    /// Steps of saturation in the first turn, by events of the model.
    pub(crate) const FIRST_STEPS: Allowance = Allowance { base: 300_000, per_unit: 40 };
    /// Chaining gets one part in this many of the steps of a turn: it is needed seldom.
    pub(crate) const CHAINING_PART: u64 = 8;
    /// Bounded saturation gets one part in this many of the steps of a turn: it is needed seldom.
    pub(crate) const BOUNDED_PART: u64 = 4;
    /// How many times the steps each later turn has …
    pub(crate) const MORE_STEPS: u64 = 4;
    /// … and how many times the bound.
    pub(crate) const MORE_BOUND: u64 = 2;
    /// The bound of bounded saturation in the first turn.
    pub(crate) const FIRST_BOUND: u64 = 16;
}

/// Traces (`trace.rs`).
pub(crate) mod traces {
    /// Distances may take one part in this many of the steps of layers. They mostly take far fewer:
    /// about as many as finding all states took.
    pub(crate) const DISTANCES_PART: u64 = 4;
    /// States that a search for one state visits at most, beyond those on a way without detours.
    pub(crate) const VISITS: usize = 2000;
}

/// Temporal logic and its witnesses (`temporal/`).
pub(crate) mod temporal {
    /// Steps of one search forwards from initial states, at least: it may take as many as were
    /// taken so far, finding all states included.
    pub(crate) const FORWARD_STEPS: u64 = 1_000_000;
    /// Steps that are walked before a state is tried for a cycle.
    pub(crate) const WALK_STEPS: usize = 100;
    /// A search for a lasso begins again in a later component at most this often.
    pub(crate) const ATTEMPTS: usize = 500;
    /// Steps for the layers of one way of a lasso.
    pub(crate) const LAYER_STEPS: u64 = 500_000;
    /// The most branches that leave a path of a witness, in the order of their positions.
    pub(crate) const BRANCHES: usize = 32;
    /// The most states of a strategy that is written down.
    pub(crate) const MOST_STRATEGY_STATES: usize = 2_000;
    /// The most moves that are looked at for a strategy.
    pub(crate) const MOST_MOVES: usize = 100_000;
    /// The most states that a search for uniform strategies lists.
    pub(crate) const MOST_UNIFORM_STATES: usize = 10_000;
}

/// How states become codes (`sets/encoding.rs`, `sets/residual.rs`).
pub(crate) mod encoding {
    /// Larger initial values and weights get a table of values instead of direct codes.
    pub(crate) const LARGEST_DIRECT: u64 = 1 << 20;
    /// Values that all come in multiples of at least this get a table.
    pub(crate) const SMALLEST_COMMON_STEP: u64 = 4;
    /// Values of an open domain that are tried at first.
    pub(crate) const FIRST_GUESSES: u64 = 8;
    /// Values of an open domain that are tried at most.
    pub(crate) const MOST_GUESSES: u64 = 1 << 20;
}

/// Binary diagrams (`sets/bdd.rs`).
pub(crate) mod bdd {
    /// The words of a node. Collecting more often costs more than it saves: layers of a search have
    /// most of their steps in common, and what a collection drops is computed again. With an eighth
    /// of the nodes, prisoners:24 took four times the steps.
    pub(crate) const WORDS_PER_NODE: usize = 3;
    /// Nodes at the first collection: small searches have one or two early ones, which drop half of
    /// their memory.
    pub(crate) const FIRST_COLLECTION_NODES: usize = 1 << 18;
    /// The most events that are fired as one: more would make groups as long as the model at each
    /// level.
    pub(crate) const BUNCH: usize = 256;
    /// Sets with at most this many nodes are counted where time is short.
    pub(crate) const QUICKLY_COUNTED: usize = 1 << 16;
}

/// Models written on bits (`sets/boolean.rs`).
pub(crate) mod boolean {
    /// The most nodes of a cluster of relations.
    pub(crate) const CLUSTER_NODES: usize = 2000;
    /// The same where only reachable states matter: with 5000, the formulae of software_development
    /// took three times as long.
    pub(crate) const INNER_CLUSTER_NODES: usize = 20_000;
}

/// Sentential decision diagrams (`sets/sentential.rs`).
pub(crate) mod sentential {
    use super::Allowance;

    /// The words of a node with its elements, about.
    pub(crate) const WORDS_PER_NODE: usize = 8;
    /// Primes are computed again and again: with a few hundred entries, answers are pushed out before
    /// they are asked for, and the work is exponential on vtrees with large left sides.
    pub(crate) const LEAST_CACHE_BITS: u32 = 13;
    /// A larger cache lies in no cache of the processor, and misses are soon computed again.
    pub(crate) const LARGEST_CACHE_BITS: u32 = 20;
    /// Sets with at most this many elements are counted where time is short.
    pub(crate) const QUICKLY_COUNTED: usize = 1 << 16;
    /// Elements of a diagram with at most this many nodes are counted for reports.
    pub(crate) const QUICKLY_MEASURED: usize = 1 << 18;
    /// Levels of stack that a bit may take: a quantification, the disjunction that it ends in, and
    /// the frames for elements between them.
    pub(crate) const LEVELS_PER_BIT: usize = 6;
    /// Events that touch more variables than this tie none of them together in elimination trees.
    pub(crate) const MOST_NEIGHBOURS: usize = 64;
    /// A hub has this many times the neighbours of the median.
    pub(crate) const HUB_FACTOR: usize = 4;
    /// Steps of the first round of a race of vtrees.
    pub(crate) const RACE_STEPS: Allowance = Allowance { base: 4_000, per_unit: 60 };
    /// Agents are tried under the right-linear vtree alone before, with this many times the steps.
    pub(crate) const FIRST_TRY_FACTOR: u64 = 64;
    /// Numbers whose sum never changes are tried in cells before, with this many steps: a fraction
    /// of a second.
    pub(crate) const CELLS_TRY_STEPS: u64 = 2_000_000;
    /// Rounds of such a race: how many times the steps of the first, and how many vtrees take part.
    pub(crate) const RACE_ROUNDS: [(u64, usize); 5] =
        [(1, usize::MAX), (4, usize::MAX), (16, 4), (64, 3), (256, 2)];
}

/// Data decision diagrams and set diagrams (`sets/hierarchical.rs`).
pub(crate) mod hierarchical {
    use super::Allowance;

    /// Steps of saturation with events turned round, by steps taken before.
    pub(crate) const BACKWARD_STEPS: Allowance = Allowance { base: 100_000, per_unit: 4 };
}

/// Stacks of deep recursions (`deep_stack.rs`).
pub(crate) mod stack {
    /// Stack for everything that does not depend on levels …
    pub(crate) const BASE_BYTES: usize = 64 << 20;
    /// … but at most one part in this many of the address space that is left …
    pub(crate) const BASE_PARTS: u64 = 4;
    /// … and at least this.
    pub(crate) const LEAST_BASE_BYTES: usize = 8 << 20;
    /// Stack per level: the deepest recursion has one `saturate` or `fire` with its fixpoint, and
    /// one union, per level. A generous guess, not a measured frame: a million philosophers (two
    /// million levels) saturate within it in release builds, twenty thousand in the tests.
    pub(crate) const BYTES_PER_LEVEL: usize = if cfg!(debug_assertions) { 6 << 10 } else { 1 << 10 };
}

/// Walks (`climb.rs`).
pub(crate) mod walks {
    /// The budget is looked at once in this many steps.
    pub(crate) const STEPS_PER_LOOK: u64 = 128;
    /// What is left of the potential of a variable one event further away from the goal.
    pub(crate) const DECAY: f64 = 0.9;
    /// A walk towards a predicate makes one step in this many without looking where it leads.
    pub(crate) const ONE_STEP_AT_RANDOM_IN: usize = 8;
}

/// Shorter runs (`shorten.rs`).
pub(crate) mod shorten {
    /// The most states that are visited in search of one detour.
    pub(crate) const DETOUR_STATES: usize = 2_000;
    /// The most events that are tried for it.
    pub(crate) const DETOUR_TESTS: usize = 400_000;
    /// The most values of variables in the states of a run for which detours are looked for.
    pub(crate) const DETOUR_VALUES: usize = 4_000_000;
}
