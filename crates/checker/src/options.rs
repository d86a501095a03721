//! The choices of a user: diagram, variable order, hierarchy, strategy, threads, seed.
//!
//! Every choice has a default under which all questions can be answered. [`Options::check`] rejects
//! options that contradict each other, and options that would be ignored.

use crate::error::{Error, InputError};
use std::time::Duration;
use symbolon_engine::{DiagramKind, Quantification};

/// The kind of state sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Diagram {
    /// The best known choice.
    #[default]
    Auto,
    /// A plain table of states.
    Explicit,
    /// A kind of diagram.
    Kind(DiagramKind),
}

impl Diagram {
    /// Every choice, in the order in which front ends list them.
    pub const ALL: &[Diagram] = &{
        let mut all = [Diagram::Auto; DiagramKind::ALL.len() + 2];
        all[1] = Diagram::Explicit;
        let mut index = 0;
        while index < DiagramKind::ALL.len() {
            all[index + 2] = Diagram::Kind(DiagramKind::ALL[index]);
            index += 1;
        }
        all
    };

    /// The name of the choice, as the option `diagram` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Diagram::Auto => "auto",
            Diagram::Explicit => "explicit",
            Diagram::Kind(kind) => kind.name(),
        }
    }

    /// What the choice is, in a few words for lists of choices.
    pub fn description(self) -> &'static str {
        match self {
            Diagram::Auto => "The best known choice",
            Diagram::Explicit => "A plain table of states",
            Diagram::Kind(kind) => kind.description(),
        }
    }
}

/// Whether members of colour classes that may be exchanged are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SymmetryChoice {
    /// They are not where that pays and the question does not ask for it.
    #[default]
    Auto,
    /// They are: coloured nets are unfolded.
    Off,
    /// They are not, by the best way there is; it is a mistake if the net has no symmetry.
    On,
    /// They are counted by what they hold.
    Counters,
    /// Markings are stored up to exchange.
    Markings,
}

/// How the reachable set is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StrategyChoice {
    /// The best known choice: saturation, but breadth-first search for synchronous steps on binary
    /// diagrams.
    #[default]
    Auto,
    /// Breadth-first search.
    Bfs,
    /// Chaining.
    Chaining,
    /// Saturation.
    Saturation,
}

/// Whether edges are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EdgesChoice {
    /// If it costs about as much as counting states.
    #[default]
    Auto,
    /// Always.
    Yes,
    /// Never.
    No,
}

/// The variable order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum VariableOrder {
    /// Candidates race; see the engine.
    #[default]
    Auto,
    /// By name: a heuristic, `merged:` in front of one, or `invariants`.
    Named(String),
    /// The text of a saved order.
    File {
        /// The name of the file, for messages.
        file: String,
        /// Its text.
        text: String,
    },
}

/// How variables are grouped into components, for hierarchical diagrams.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Hierarchy {
    /// Some are tried; see the engine.
    #[default]
    Auto,
    /// By name.
    Named(String),
    /// The text of a saved hierarchy.
    File {
        /// The name of the file, for messages.
        file: String,
        /// Its text.
        text: String,
    },
}

/// Which tree of bits sentential diagrams have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Vtree {
    /// Some race; see the engine.
    #[default]
    Auto,
    /// By name.
    Named(String),
    /// The text of a saved vtree.
    File {
        /// The name of the file, for messages.
        file: String,
        /// Its text.
        text: String,
    },
}

/// Whether variables of binary and sentential diagrams are moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReorderChoice {
    /// Never: they stay where the variable order has put them.
    #[default]
    Off,
    /// Once, for the set of all reachable states.
    Result,
    /// Whenever diagrams have grown enough, and once more at the end.
    Dynamic,
}

/// What agents go by whose strategies are asked about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StrategiesChoice {
    /// The whole state.
    #[default]
    Perfect,
    /// What they see: in states that look the same to it, an agent does the same.
    Uniform,
    /// The same, for the members of this group alone.
    UniformOf(String),
}

/// The choices for one command.
#[derive(Clone, Debug)]
pub struct Options {
    /// The kind of state sets.
    pub diagram: Diagram,
    /// How the reachable set is computed.
    pub strategy: StrategyChoice,
    /// The variable order.
    pub variable_order: VariableOrder,
    /// How variables are grouped, for hierarchical diagrams.
    pub hierarchy: Hierarchy,
    /// The tree of bits, for sentential diagrams.
    pub vtree: Vtree,
    /// Whether variables of binary and sentential diagrams are moved.
    pub reorder: ReorderChoice,
    /// How steps of sentential diagrams quantify, for measurements.
    pub quantification: Quantification,
    /// Whether members of colour classes are told apart.
    pub symmetry: SymmetryChoice,
    /// Whether edges are counted.
    pub edges: EdgesChoice,
    /// What agents go by whose strategies are asked about.
    pub strategies: StrategiesChoice,
    /// Seed of everything random.
    pub seed: u64,
    /// Threads that may work at once; at least 1.
    pub threads: usize,
    /// Diagrams alone: no proof, no walk, no local search.
    pub no_shortcuts: bool,
    /// How long a shorter run is looked for, once a run is known or can be found by walks.
    pub grace: Duration,
    /// Whether reports have the order and the hierarchy as text, to be saved: of a large model that
    /// is much text.
    pub texts: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            diagram: Diagram::Auto,
            strategy: StrategyChoice::Auto,
            variable_order: VariableOrder::Auto,
            hierarchy: Hierarchy::Auto,
            vtree: Vtree::Auto,
            reorder: ReorderChoice::Off,
            quantification: Quantification::default(),
            symmetry: SymmetryChoice::Auto,
            edges: EdgesChoice::Auto,
            strategies: StrategiesChoice::Perfect,
            seed: 0,
            threads: 1,
            no_shortcuts: false,
            grace: Duration::from_secs(3),
            texts: false,
        }
    }
}

impl Options {
    /// Rejects contradictory options, and options that would be ignored.
    pub fn check(&self) -> Result<(), Error> {
        let refused = |message: &str, hint: &str| Err(InputError::plain(message).with_hint(hint).into());
        if self.diagram != Diagram::Kind(DiagramKind::Set) && self.hierarchy != Hierarchy::Auto {
            return refused(
                "a hierarchy requires option ‹diagram set›",
                "other diagrams have no components: leave it out, or ask for option ‹diagram set›",
            );
        }
        if self.diagram != Diagram::Kind(DiagramKind::Sentential) && self.vtree != Vtree::Auto {
            return refused(
                "a vtree requires option ‹diagram sentential›",
                "other diagrams have none: leave it out, or ask for option ‹diagram sentential›",
            );
        }
        if self.reorder != ReorderChoice::Off
            && !matches!(
                self.diagram,
                Diagram::Kind(DiagramKind::Bdd | DiagramKind::Sentential) | Diagram::Auto
            )
        {
            return refused(
                "option ‹reorder› requires option ‹diagram bdd› or option ‹diagram sentential›",
                "other diagrams keep their order: leave it out, or ask for one of these diagrams",
            );
        }
        let is_demanded = !matches!(self.symmetry, SymmetryChoice::Auto | SymmetryChoice::Off);
        if is_demanded && self.diagram == Diagram::Explicit {
            return refused(
                "symmetry requires a diagram",
                "plain states tell all members apart: leave out option ‹diagram explicit›",
            );
        }
        if self.diagram != Diagram::Explicit {
            return Ok(());
        }
        if self.variable_order != VariableOrder::Auto {
            return refused(
                "a variable order cannot be combined with option ‹diagram explicit›",
                "a plain table of states has no levels: leave it out, or ask for another option ‹diagram›",
            );
        }
        if matches!(self.strategy, StrategyChoice::Chaining | StrategyChoice::Saturation) {
            return refused(
                "this strategy cannot be combined with option ‹diagram explicit›",
                "a plain table of states is filled breadth-first: leave it out, or ask for another option ‹diagram›",
            );
        }
        Ok(())
    }
}
