//! Benchmarks of the kernel's operations, on inputs made from the built-in families.
//!
//! Two kinds measure the same work, [`Operation::run`]:
//!
//! | what | how | compare |
//! | --- | --- | --- |
//! | seconds | `cargo bench -p symbolon-bench --bench operations -- union` (a part of a name, or nothing for all) | `--save-baseline before`, change the code, `--baseline before` |
//! | instructions | `cargo bench -p symbolon-bench --bench instructions` | prints the change against `instructions.txt`; `-- --save` writes it anew, `-- union` counts one operation |
//!
//! Seconds depend on the machine and on what else it does; instructions (counted by valgrind's
//! callgrind, skipped loudly where that is missing) hardly depend on anything but the code and the
//! compiler, so that one per cent is visible. Neither is a test: what must not get worse unnoticed
//! is held by the steps of `crates/engine/tests/steps.rs`. Whole commands against other tools are
//! `cargo xtask speed`.
//!
//! `cargo bench -p symbolon-bench --bench bdd` is another matter: binary diagrams beside those of
//! the registry.
//!
//! Every measurement starts from a fresh manager, because a warm cache would answer everything at
//! once.

mod safe_net;

pub use safe_net::{Literals, SafeNet};

use symbolon_budget::{Budget, Meter};
use symbolon_dd_mdd::{Limits, Root};
use symbolon_engine::order::{self, Blocks, Effort, Heuristic, Interaction, Order};
use symbolon_engine::{MddSets, Saturation, StateSets};
use symbolon_model::{EventId, Model};
use symbolon_petri::analysis::{AnalysisOptions, analyse};
use symbolon_petri::{families, lower_with};

/// The families that inputs are made of: wide nodes, a long diagram, one with much sharing.
pub const MODELS: [&str; 3] = ["kanban:30", "philosophers:50", "slotted-ring:15"];

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Unions of neighbouring sets.
    Union,
    /// Intersections of neighbouring sets.
    Intersection,
    /// Differences of neighbouring sets.
    Difference,
    /// The image of all states under each event.
    Image,
    /// The preimage of each set under each event, among all states.
    Preimage,
    /// Saturation of the initial state.
    Saturate,
    /// The numbers of states and of edges.
    Count,
}

impl Operation {
    /// All of them.
    pub const ALL: [Operation; 7] = [
        Operation::Union,
        Operation::Intersection,
        Operation::Difference,
        Operation::Image,
        Operation::Preimage,
        Operation::Saturate,
        Operation::Count,
    ];

    /// The name of its bench.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Union => "union",
            Operation::Intersection => "intersection",
            Operation::Difference => "difference",
            Operation::Image => "image",
            Operation::Preimage => "preimage",
            Operation::Saturate => "saturate",
            Operation::Count => "count",
        }
    }

    /// The measured work. Returns something that depends on all of it.
    pub fn run(self, ready: &mut Ready) -> usize {
        let Ready { sets, reached, parts, events } = ready;
        let mut nodes = 0;
        let mut note = |set: Root| nodes ^= set.node().word() as usize;
        match self {
            Operation::Union => {
                parts.windows(2).for_each(|pair| note(sets.union(&pair[0], &pair[1]).expect(UNLIMITED)));
            }
            Operation::Intersection => {
                parts
                    .windows(2)
                    .for_each(|pair| note(sets.intersection(&pair[0], &pair[1]).expect(UNLIMITED)));
            }
            Operation::Difference => {
                parts.windows(2).for_each(|pair| note(sets.difference(&pair[0], &pair[1]).expect(UNLIMITED)));
            }
            Operation::Image => {
                events.iter().for_each(|&event| note(sets.image(event, reached).expect(UNLIMITED)));
            }
            Operation::Preimage => {
                for (&event, part) in events.iter().zip(parts) {
                    note(sets.preimage(event, part, reached).expect(UNLIMITED));
                }
            }
            Operation::Saturate => {
                let initial = sets.initial().expect(UNLIMITED);
                note(sets.saturate(&initial).expect(UNLIMITED));
            }
            Operation::Count => {
                let states = sets.count(reached).expect(UNLIMITED);
                let edges = sets.count_edges(reached).expect(UNLIMITED);
                nodes = (states.bits() + edges.map_or(0, |edges| edges.bits())) as usize;
            }
        }
        nodes
    }
}

const UNLIMITED: &str = "the budget is unlimited";

/// A model and the order it is measured under.
pub struct Input {
    model: Model,
    blocks: Blocks,
    order: Order,
}

/// A fresh manager with the sets that an operation works on.
pub struct Ready {
    sets: MddSets,
    /// All states; for [`Operation::Saturate`] only the initial ones.
    reached: Root,
    /// For each event, states in which it is not enabled.
    parts: Vec<Root>,
    events: Vec<EventId>,
}

impl Input {
    /// The model of a family, such as `kanban:30`, under the order `force` on merged blocks.
    pub fn new(call: &str) -> Input {
        let budget = Budget::unlimited();
        let (family, parameters) = families::parse(call).expect("a built-in family");
        let net = family.generate(&parameters, &budget).expect("parameters in range");
        let analysis = analyse(&net, &AnalysisOptions::default(), &budget).expect(UNLIMITED);
        let model = lower_with(&net, &analysis);
        let blocks = Blocks::merged(&model);
        let interaction = Interaction::new(&model, &blocks);
        let order = order::compute(&interaction, Heuristic::Force.into(), Effort::Normal, &budget);
        let order = order.expect(UNLIMITED).expect("this heuristic declines no model");
        drop(interaction);
        Input { model, blocks, order }
    }

    /// A fresh manager with what `operation` needs.
    pub fn ready(&self, operation: Operation) -> Ready {
        let meter = Meter::new(Budget::unlimited());
        let limits = Limits::default();
        let sets = MddSets::new(&self.model, &self.blocks, &self.order, meter, limits);
        let mut sets = sets.expect("nets are supported, and the budget is unlimited");
        let initial = sets.initial().expect(UNLIMITED);
        let events: Vec<EventId> = self.model.event_ids().collect();
        if operation == Operation::Saturate {
            return Ready { sets, reached: initial, parts: Vec::new(), events };
        }
        let reached = sets.saturate(&initial).expect(UNLIMITED);
        let mut parts = Vec::with_capacity(events.len());
        if operation != Operation::Count {
            for &event in &events {
                let enabled = sets.enabled(event, &reached).expect(UNLIMITED);
                parts.push(sets.difference(&reached, &enabled).expect(UNLIMITED));
            }
        }
        Ready { sets, reached, parts, events }
    }
}
