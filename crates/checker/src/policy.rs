//! The tuning constants of this crate: how much effort goes into what, and in which order.
//!
//! None of them changes a verdict; they decide how soon it is known and how short a run is.

/// Steps that a part of the work may take, measured by the work that came before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    /// Steps per step that was taken before.
    per_step: u64,
    /// Steps in any case.
    plus: u64,
}

impl Allowance {
    /// The steps that are allowed after `steps` were taken.
    pub(crate) fn after(self, steps: u64) -> u64 {
        steps.saturating_mul(self.per_step).saturating_add(self.plus)
    }
}

/// Counting edges under `auto`, after exploring.
pub(crate) const EDGES: Allowance = Allowance { per_step: 20, plus: 4_000_000 };
/// Layers of a shortest trace to a deadlock or to an overflow, after exploring.
pub(crate) const SHORTEST_TRACE: Allowance = Allowance { per_step: 20, plus: 5_000_000 };
/// A shortest run that shows the verdict about a formula, after all that was done before.
pub(crate) const SHORTEST_RUN: Allowance = Allowance { per_step: 4, plus: 2_000_000 };

/// Counting states.
pub(crate) mod states {
    /// Under `auto`, edges of diagrams with more levels are not counted: their counts have so
    /// many digits that this takes several times as long as exploring.
    pub(crate) const MOST_LEVELS_FOR_EDGES: usize = 2_000;
}

/// Looking for deadlocks.
pub(crate) mod deadlock {
    /// Steps of all walks that are tried before exploring.
    pub(crate) const WALK_STEPS: u64 = 100_000;
    /// Steps of one of these walks.
    pub(crate) const STEPS_PER_WALK: u64 = 20_000;
    /// States of an unbounded net that are searched for a deadlock.
    pub(crate) const MOST_STATES_IF_UNBOUNDED: usize = 1_000_000;
}

/// Checking properties: what comes when.
pub(crate) mod check {
    use std::time::Duration;

    /// Diagrams have this share of the time (one part in four) before walks begin, where runs are
    /// wanted; at most the grace.
    pub(crate) const QUICK_SHARE: u32 = 4;
    /// The time of walks for runs that diagrams did not find, and of diagrams for runs that show
    /// what other methods decided.
    pub(crate) const WITNESS_TIME: Duration = Duration::from_secs(1);
    /// Where several formulas have runs that may be too long, shorter ones are looked for during this
    /// many times the grace at most.
    pub(crate) const MOST_GRACES: u32 = 4;
    /// How long a walk is shortened, at most the grace.
    pub(crate) const SHORTENING_TIME: Duration = Duration::from_millis(300);
    /// The time for counting the states that satisfy subformulas, once all verdicts are known and
    /// if no limit was given.
    pub(crate) const COUNTING_TIME: Duration = Duration::from_secs(10);
}

/// Formulas on diagrams.
pub(crate) mod formulas {
    use std::time::Duration;

    /// The least time that a formula has before the others get their turn, if time is limited.
    pub(crate) const LEAST_TURN: Duration = Duration::from_millis(200);
}

/// What is cheaper than exploring.
pub(crate) mod shortcuts {
    use std::time::Duration;

    /// The walks that come first have this share of the time (one part in forty).
    pub(crate) const QUICK_SHARE: u32 = 40;
    /// They take at most this long.
    pub(crate) const QUICK_TIME: Duration = Duration::from_millis(300);
    /// They make this many rounds.
    pub(crate) const QUICK_ROUNDS: u32 = 2;
    /// Steps of local search for one part of a formula, before diagrams.
    pub(crate) const QUICK_LOCAL_STEPS: u64 = 20_000;
    /// The same afterwards, at first; four times as many in each turn.
    pub(crate) const FIRST_LOCAL_STEPS: u64 = 200_000;
    /// The first turn of linear programs, and then of walks; each turn is twice as long as the one
    /// before.
    pub(crate) const FIRST_TURN: Duration = Duration::from_millis(500);
    /// The longest turn.
    pub(crate) const LONGEST_TURN: Duration = Duration::from_secs(30);
    /// Without a time limit, walks that find nothing would never end: they end after this time.
    pub(crate) const LONGEST: Duration = Duration::from_secs(30);
    /// The same where diagrams cannot help, so that the user does not wait long to learn that.
    pub(crate) const LONGEST_IF_UNBOUNDED: Duration = Duration::from_secs(1);
}

/// Walks that look for evidence.
pub(crate) mod walks {
    /// Walks without a guide per round.
    pub(crate) const CHANCE_WALKS: u32 = 6;
    /// Steps of such a walk.
    pub(crate) const CHANCE_STEPS: u64 = 4_000;
    /// Steps of a guided walk at first.
    pub(crate) const GUIDED_STEPS: u64 = 2_000;
    /// Steps of a guided walk at last.
    pub(crate) const LONGEST_WALK: u64 = 500_000;
    /// Guided walks of one kind in a row.
    pub(crate) const GUIDED_WALKS: u32 = 3;
    /// How many enabled events a guided walk compares: from nearly chance to nearly greedy.
    pub(crate) const COMPARED: [u32; 5] = [2, 4, 16, 64, 1];
    /// What a walk looks for is looked at in each step only if it is no larger.
    pub(crate) const LARGEST_TARGET: usize = 200;
    /// Events whose guards a walk may look for together.
    pub(crate) const MOST_GUARDS: usize = 20;
}

/// Loops that walks run into.
pub(crate) mod lassos {
    /// Positions of a walk that are remembered.
    pub(crate) const MOST_POSITIONS: usize = 2_000;
    /// Paths that are looked at in one walk.
    pub(crate) const MOST_PATHS: u32 = 4;
}

/// Skeletons of coloured nets.
pub(crate) mod stripped {
    use std::time::Duration;

    /// Proofs on skeletons have this share of the time (one part in forty).
    pub(crate) const SHARE: u32 = 40;
    /// They take at most this long.
    pub(crate) const TIME: Duration = Duration::from_secs(1);
    /// The longest of their linear programs.
    pub(crate) const LONGEST_PROGRAM: Duration = Duration::from_millis(50);
}

/// Linear programs, and programs of guarded commands.
pub(crate) mod programs {
    use symbolon_engine::GrowthLimits;

    /// The search for a variable that grows without end, when a program is loaded.
    pub(crate) const GROWTH: GrowthLimits = GrowthLimits { steps: 300_000, walk_length: 300, seed: 1 };
    /// Steps at random that show whether a variable may grow without bound, where nothing is proved.
    pub(crate) const SUSPICION_STEPS: u64 = 4_000;
    /// A variable that comes to be so much larger in these steps is warned of.
    pub(crate) const SUSPICIOUS_GROWTH: u64 = 1_000;
    /// Parts of formulas that stayed open are tried again with this many times the time.
    pub(crate) const PATIENCE: u32 = 8;
}

/// Several questions of bounded search.
pub(crate) mod bounded_search {
    use std::time::Duration;

    /// How long each of several questions is searched at first; each turn is twice as long as the
    /// one before.
    pub(crate) const FIRST_TURN: Duration = Duration::from_secs(2);
}

/// Examinations of the contest.
pub(crate) mod examinations {
    use std::time::Duration;

    /// Walks take at most this share of the time that is left (one part in eight).
    pub(crate) const WALK_SHARE: u32 = 8;
    /// Walks take at most this long.
    pub(crate) const LONGEST_WALK: Duration = Duration::from_secs(5);
    /// Steps of all walks.
    pub(crate) const WALK_STEPS: u64 = 3_000_000;
    /// Steps of one walk.
    pub(crate) const STEPS_PER_WALK: u64 = 50_000;
    /// A table of at most this many states is tried before long walks: it decides small nets at
    /// once, where a walk that cannot decide them goes on until its time is over.
    pub(crate) const FEW_STATES: usize = 2_000;
    /// States times transitions of that table, so that it takes milliseconds.
    pub(crate) const MOST_TESTS: usize = 2_000_000;
}

/// Pictures.
pub(crate) mod pictures {
    /// A diagram with more nodes is refused: its picture could not be read.
    pub(crate) const MOST_DIAGRAM_NODES: usize = 250;
}

/// Symmetry of coloured nets, where it is not demanded.
pub(crate) mod symmetry {
    use std::time::Duration;

    /// How long a net is folded at most before it is unfolded instead.
    pub(crate) const FOLDING_TIME: Duration = Duration::from_secs(10);
    /// How long symbolic markings are listed at most before a small net is unfolded instead.
    pub(crate) const MARKINGS_TIME: Duration = Duration::from_secs(2);
    /// Each of them takes at most this share of the time that is left (one part in four).
    pub(crate) const SHARE: u32 = 4;
    /// A net that unfolds to more transitions than this has little hope there: symbolic markings are
    /// listed for longer, at most half of the time that is left.
    pub(crate) const LARGE_UNFOLDING: u128 = 20_000;
    /// The same where no time limit is given, before something else that may well answer is tried.
    pub(crate) const LONG_MARKINGS_TIME: Duration = Duration::from_secs(30);
    /// Where fewer members may be exchanged, there is little to gain.
    pub(crate) const SMALLEST_CELL: u64 = 3;
}

/// Walks for bounds of places.
pub(crate) mod bounds {
    /// Walks without a guide.
    pub(crate) const CHANCE_WALKS: u32 = 8;
    /// Steps of such a walk.
    pub(crate) const CHANCE_STEPS: u64 = 10_000;
    /// Steps of a guided walk at first.
    pub(crate) const GUIDED_STEPS: u64 = 4_000;
    /// Guided walks of one kind in a row.
    pub(crate) const GUIDED_WALKS: u32 = 4;
    /// How many enabled events a guided walk compares: from nearly chance to nearly greedy.
    pub(crate) const COMPARED: [u32; 5] = [2, 4, 16, 64, 1];
}
