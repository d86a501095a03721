//! The techniques by which an answer was found, in the words of the Model Checking Contest.

use crate::ask::{kind_for, strategy_of};
use crate::loaded::Loaded;
use crate::options::{Diagram, Options};
use std::fmt;
use symbolon_engine::{DiagramKind, Strategy};

/// What gave an answer; the names are the contest's, or ours where it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// Decision diagrams.
    DecisionDiagrams,
    /// States found layer by layer.
    BreadthFirst,
    /// States found by one event after the other.
    Chaining,
    /// States found by events that are fired where they act.
    Saturation,
    /// A synchronous step is a conjunction of clusters.
    PartitionedRelation,
    /// A proof from the structure of the net.
    StructuralAnalysis,
    /// A proof about the coloured net without its colours.
    ColourStripping,
    /// A proof from the state equation of the net, by linear programming.
    StateEquation,
    /// A random walk, or a guided one.
    RandomWalk,
    /// A search through the states that a formula asks for.
    LocalSearch,
    /// Karp and Miller's tree.
    Coverability,
    /// A plain table of states.
    Explicit,
    /// A solver of propositional formulas.
    Satisfiability,
    /// Members of colour classes that can be exchanged are not told apart.
    Symmetries,
}

impl Technique {
    /// What finds all reachable states, with these choices.
    pub(crate) fn of_exploring(loaded: &Loaded, options: &Options) -> Vec<Technique> {
        if options.diagram == Diagram::Explicit || loaded.quotient().is_some() {
            return vec![Technique::Explicit];
        }
        let strategy = match strategy_of(loaded, options) {
            Strategy::Bfs => Technique::BreadthFirst,
            Strategy::Chaining => Technique::Chaining,
            Strategy::Saturation => Technique::Saturation,
        };
        let mut techniques = vec![Technique::DecisionDiagrams, strategy];
        if loaded.model.is_synchronous() && kind_for(loaded, options) == DiagramKind::Bdd {
            techniques.push(Technique::PartitionedRelation);
        }
        techniques
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Technique::DecisionDiagrams => "DECISION_DIAGRAMS",
            Technique::BreadthFirst => "BREADTH_FIRST",
            Technique::Chaining => "CHAINING",
            Technique::Saturation => "SATURATION",
            Technique::PartitionedRelation => "PARTITIONED_RELATION",
            Technique::StructuralAnalysis => "STRUCTURAL_ANALYSIS",
            Technique::ColourStripping => "COLOUR_STRIPPING",
            Technique::StateEquation => "STATE_EQUATION",
            Technique::RandomWalk => "RANDOM_WALK",
            Technique::LocalSearch => "LOCAL_SEARCH",
            Technique::Coverability => "COVERABILITY",
            Technique::Explicit => "EXPLICIT",
            Technique::Satisfiability => "SAT_SMT",
            Technique::Symmetries => "SYMMETRIES",
        })
    }
}
