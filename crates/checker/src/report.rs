//! Reports: plain data that front ends show.

use crate::value_names::ShownValue;
use num_bigint::BigUint;
use std::fmt;
use symbolon_budget::Interrupted;
use symbolon_engine::{DiagramKind, DiagramSize};
use symbolon_explicit as explicit;
use symbolon_symmetry::SpelledFigures;

/// An answer, or why there is none.
pub type Outcome<T> = Result<T, Unknown>;

/// Why something is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The reason, in one word.
    pub reason: Reason,
    /// The reason, in a sentence.
    pub detail: String,
    /// How far it got.
    pub partial: PartialReport,
    /// The run that did not replay, as text, where that is the reason.
    pub failed_run: Option<String>,
}

impl Unknown {
    /// The report of a computation that was interrupted after it got this far.
    pub fn interrupted(why: Interrupted, partial: PartialReport) -> Unknown {
        Unknown { partial, ..Unknown::because(why.into(), why.to_string()) }
    }

    /// The report that something is not supported.
    pub fn unsupported(detail: impl Into<String>) -> Unknown {
        Unknown::because(Reason::Unsupported, detail)
    }

    /// A reason, without figures about the computation.
    pub fn because(reason: Reason, detail: impl Into<String>) -> Unknown {
        Unknown { reason, detail: detail.into(), partial: PartialReport::default(), failed_run: None }
    }
}

impl From<Interrupted> for Unknown {
    fn from(why: Interrupted) -> Unknown {
        Unknown::interrupted(why, PartialReport::default())
    }
}

/// The report of an explicit exploration that did not end.
impl From<explicit::Stopped> for Unknown {
    fn from(stopped: explicit::Stopped) -> Unknown {
        let partial = PartialReport {
            states_at_least: Some(stopped.states.into()),
            nodes: stopped.states as u64,
            steps: stopped.states as u64,
        };
        match stopped.reason {
            explicit::Reason::Interrupted(why) => Unknown::interrupted(why, partial),
            explicit::Reason::Overflow { .. } => Unknown::interrupted(Interrupted::Overflow, partial),
            explicit::Reason::StateLimit => Unknown::interrupted(Interrupted::Steps, partial),
            // The formula is the obstacle, not the limits.
            explicit::Reason::FormulaTooLarge
            | explicit::Reason::AtomWithoutValue
            | explicit::Reason::UnknownAgent
            | explicit::Reason::Unsupported => {
                Unknown { partial, ..Unknown::unsupported(stopped.reason.to_string()) }
            }
        }
    }
}

/// One word for why something is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The time limit.
    Timeout,
    /// The memory limit.
    Memory,
    /// Ctrl-C.
    Interrupted,
    /// The bound of a bounded search.
    Bound,
    /// A number beyond what can be represented.
    Overflow,
    /// A construct that the chosen method does not express.
    Unsupported,
    /// Infinitely many states.
    Unbounded,
    /// A mistake of this program: a witness that did not replay, or a panic.
    Internal,
}

impl From<Interrupted> for Reason {
    fn from(why: Interrupted) -> Reason {
        match why {
            Interrupted::Timeout | Interrupted::Steps => Reason::Timeout,
            Interrupted::Memory => Reason::Memory,
            Interrupted::Cancelled => Reason::Interrupted,
            Interrupted::Overflow => Reason::Overflow,
        }
    }
}

impl Reason {
    /// The word of the JSON contract.
    pub fn word(self) -> &'static str {
        match self {
            Reason::Timeout => "timeout",
            Reason::Memory => "memory",
            Reason::Interrupted => "interrupted",
            Reason::Bound => "bound",
            Reason::Overflow => "overflow",
            Reason::Unsupported => "unsupported",
            Reason::Unbounded => "unbounded",
            Reason::Internal => "internal",
        }
    }
}

/// How far an unfinished computation got.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartialReport {
    /// A lower bound on the number of states.
    pub states_at_least: Option<BigUint>,
    /// Nodes (or stored states) at the end.
    pub nodes: u64,
    /// Steps taken.
    pub steps: u64,
}

/// A number of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateCount {
    /// Exactly this many.
    Finite(BigUint),
    /// Infinitely many, which was proved.
    Infinite {
        /// Which place, or which variable, is unbounded, as a statement.
        why: String,
    },
}

/// A number of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Exactly this many.
    Finite(BigUint),
    /// No bound.
    Infinite,
}

/// All digits, or `inf`.
impl fmt::Display for StateCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StateCount::Finite(number) => write!(f, "{number}"),
            StateCount::Infinite { .. } => f.write_str("inf"),
        }
    }
}

/// All digits, or `inf`.
impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Amount::Finite(number) => write!(f, "{number}"),
            Amount::Infinite => f.write_str("inf"),
        }
    }
}

/// The answer of `states`.
#[derive(Clone, Debug, PartialEq)]
pub struct StatesReport {
    /// Whether all components step at once, so that edges mean nothing.
    pub is_synchronous: bool,
    /// The number of states.
    pub states: StateCount,
    /// The number of states up to the exchange of members, where symmetry is used.
    pub symbolic_states: Option<BigUint>,
    /// How symmetry is used, in one word, if it is.
    pub symmetry: Option<&'static str>,
    /// The size of symbolic markings in diagrams, with motifs spelled out.
    pub spelled: Option<SpelledFigures>,
    /// The number of pairs (state, enabled event), if it was counted.
    pub edges: Option<Amount>,
    /// The most tokens in one place.
    pub max_tokens_in_place: Option<Amount>,
    /// The most tokens in one marking.
    pub max_tokens_per_marking: Option<Amount>,
    /// The largest distance of a state from the initial ones, if the strategy finds it.
    pub depth: Option<u64>,
    /// The number of states at each distance from the initial ones, if that was asked for.
    pub distances: Option<Vec<BigUint>>,
    /// What found the states.
    pub found_by: FoundBy,
    /// Why this strategy, and how it takes steps.
    pub strategy_reason: String,
    /// The variable order used; diagrams alone have one.
    pub variable_order: Option<String>,
    /// Why this order, or why there is none.
    pub order_reason: String,
    /// The order itself as text that can be saved and loaded, if there is one and it was asked for.
    pub order_text: Option<String>,
    /// The hierarchy of components, of hierarchical diagrams.
    pub hierarchy: Option<HierarchyReport>,
    /// The tree of bits, of sentential diagrams.
    pub vtree: Option<VtreeReport>,
    /// Levels of the diagram.
    pub levels: u64,
    /// Nodes of the reachable set.
    pub nodes_final: u64,
    /// The most nodes at once.
    pub nodes_peak: u64,
    /// The most bytes that nodes took at once.
    pub node_bytes_peak: u64,
    /// Those nodes of the reachable set whose edges carry sets.
    pub set_nodes: u64,
    /// Steps taken.
    pub steps: u64,
    /// Nodes ever made.
    pub nodes_made: NodesMade,
}

/// What found the states of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundBy {
    /// The structure of the net: a place is unbounded, and nothing was explored.
    Structure,
    /// A table of plain states, the nearest first.
    PlainStates,
    /// State sets.
    Diagrams {
        /// The kind of diagram, by its name.
        diagram: &'static str,
        /// The strategy, by its name.
        strategy: &'static str,
    },
}

impl FoundBy {
    /// The kind of state sets, as reports name it.
    pub fn diagram(self) -> &'static str {
        match self {
            FoundBy::Structure => "none",
            FoundBy::PlainStates => "explicit",
            FoundBy::Diagrams { diagram, .. } => diagram,
        }
    }

    /// The strategy, as reports name it.
    pub fn strategy(self) -> &'static str {
        match self {
            FoundBy::Structure => "structural",
            FoundBy::PlainStates => "bfs",
            FoundBy::Diagrams { strategy, .. } => strategy,
        }
    }
}

impl StatesReport {
    /// The variable order, as reports name it.
    pub fn order_name(&self) -> &str {
        match (&self.variable_order, self.found_by) {
            (Some(name), _) => name,
            (None, FoundBy::Structure) => "none",
            (None, FoundBy::PlainStates | FoundBy::Diagrams { .. }) => "as-given",
        }
    }
}

/// Nodes that a command made, races between orders and tries of hierarchies included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodesMade {
    /// Each kernel that stores nodes, and how many it made.
    pub kernels: Vec<(&'static str, u64)>,
}

impl NodesMade {
    /// The number of nodes of each kernel, in the order of the table of kinds.
    pub(crate) fn by_kernel(made: impl Fn(&'static str) -> u64) -> NodesMade {
        let mut kernels: Vec<(&'static str, u64)> = Vec::new();
        for kernel in DiagramKind::ALL.iter().map(|kind| kind.kernel()) {
            if !kernels.iter().any(|&(known, _)| known == kernel) {
                kernels.push((kernel, made(kernel)));
            }
        }
        NodesMade { kernels }
    }
}

impl Default for NodesMade {
    fn default() -> NodesMade {
        NodesMade::by_kernel(|_| 0)
    }
}

/// The hierarchy of components that was used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchyReport {
    /// Its name.
    pub name: String,
    /// Why this one.
    pub reason: String,
    /// The hierarchy itself as text that can be saved and loaded.
    pub text: String,
    /// The number of components inside the whole.
    pub components: u64,
    /// How deep they lie in one another.
    pub depth: u64,
}

/// The vtree that was used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VtreeReport {
    /// Its name.
    pub name: String,
    /// Why this one.
    pub reason: String,
    /// The tree itself as text that can be saved and loaded.
    pub text: String,
    /// How large the diagram is; nothing for very large ones.
    pub size: Option<DiagramSize>,
}

/// The answer of `deadlock`.
#[derive(Default, Clone, Debug, PartialEq, Eq)]
pub struct DeadlockReport {
    /// Whether a state without successors is reachable.
    pub deadlock: bool,
    /// How it was found out.
    pub method: String,
    /// The bound within which was searched, if there was one.
    pub bound: Option<u64>,
    /// The length of a shortest trace, where the method is exact.
    pub distance: Option<u64>,
    /// A trace to a deadlock.
    pub witness: Option<Witness>,
    /// Traces to other deadlocks, if several were asked for; each ends in a state of its own.
    pub more_witnesses: Vec<Witness>,
    /// Why there is no trace although there is a deadlock.
    pub no_witness: Option<String>,
    /// The number of deadlocks, where all states are known.
    pub dead_states: Option<BigUint>,
}

/// The shape of a witness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// A finite run.
    #[default]
    Trace,
    /// A run that ends in a loop.
    Lasso,
    /// A run from whose states others branch off.
    Tree,
    /// A run, possibly without steps, and others to states that an agent cannot distinguish from
    /// some of its own.
    Epistemic,
    /// What a group does, wherever it may come.
    Strategy,
}

/// Evidence that a person can replay. It was replayed before it was put here (C2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Witness {
    /// What it looks like.
    pub shape: Shape,
    /// Whether no shorter one exists.
    pub shortest: bool,
    /// The initial state: every variable, but no place without tokens.
    pub initial: Vec<(String, ShownValue)>,
    /// The steps.
    pub steps: Vec<WitnessStep>,
    /// The state after the last step, in the form of the initial one.
    pub last: Vec<(String, ShownValue)>,
    /// Where there is a loop: after how many steps it begins. The last step leads back to that
    /// state.
    pub loop_start: Option<usize>,
    /// What a group does from the initial state on, where that is the evidence.
    pub strategy: Option<StrategyTable>,
    /// Runs that branch off.
    pub branches: Vec<WitnessBranch>,
}

/// A run that explains a state of another run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessBranch {
    /// The number of steps of the other run before it.
    pub position: usize,
    /// How it is tied to that state.
    pub link: WitnessLink,
    /// The run; its initial state is where it begins.
    pub witness: Witness,
    /// With [`WitnessLink::Alike`]: what the agents see, which is the same in both states.
    pub seen: Vec<(String, ShownValue)>,
    /// With [`WitnessLink::Alike`]: the variables that differ between both states.
    pub differing: Vec<String>,
}

/// How a run is tied to the state that it explains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WitnessLink {
    /// It begins there.
    Path,
    /// It begins in an initial state, and none of these agents can distinguish its last state from
    /// that state.
    Alike(Vec<String>),
    /// It begins in an initial state, and where it ends this agent behaves as it should.
    Correct(String),
}

/// A strategy: what the members of a group do, and where that leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyTable {
    /// The members of the group; of a counter-strategy, the others.
    pub members: Vec<String>,
    /// Of a counter-strategy, the members of the group that cannot force the formula: where a row says
    /// what they do, the others answer that.
    pub against: Vec<String>,
    /// What they do; each state to which the strategy leads and in which something is left to do
    /// fits exactly one row.
    pub rows: Vec<StrategyRow>,
    /// The states to which the strategy leads; the first is where it begins.
    pub outcomes: Vec<StrategyOutcome>,
    /// How many different states these are: one that is left and comes again as the last one stands
    /// twice among them.
    pub state_count: usize,
    /// Whether it wins on all fair paths, since there are fairness constraints; a counter-strategy leads to
    /// fair paths.
    pub is_fair: bool,
}

/// A row of a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyRow {
    /// Where: variables, and the values of which each has one; of a counter-strategy, also what members of
    /// the group do, and what the others remember (`next fairness`, `violated`).
    pub when: Vec<(String, Vec<ShownValue>)>,
    /// The action of each member.
    pub actions: Vec<(String, String)>,
    /// How many states to which the strategy leads fit this row.
    pub states: usize,
}

/// A state to which a strategy leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategyOutcome {
    /// The state: every variable.
    pub state: Vec<(String, ShownValue)>,
    /// The row that says what to do; `None` if nothing is left to do.
    pub row: Option<usize>,
    /// Which states may come next, by their numbers among the outcomes.
    pub next: Vec<usize>,
    /// Whether no fair path goes on from there.
    pub is_unfair: bool,
}

/// One step of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessStep {
    /// The event that happened; of a synchronous step, its joint action in one word.
    pub event: String,
    /// Of a synchronous step, what each agent does: agent and action. Otherwise nothing.
    pub actions: Vec<(String, String)>,
    /// What it changed: variable, old value, new value.
    pub changes: Vec<(String, ShownValue, ShownValue)>,
}

/// A state as people read it: for each component that has variables, their names and values.
pub type ShownState = Vec<(String, Vec<(String, String)>)>;
