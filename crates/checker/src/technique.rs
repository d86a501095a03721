//! The techniques by which an answer was found, in the words of the Model Checking Contest.

use crate::ask::{kind_for, strategy_of};
use crate::loaded::Loaded;
use crate::options::{Diagram, Hierarchy, Options, VariableOrder, Vtree};
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

/// How reachable states are explored, with these choices: names of options and their values, `auto` where
/// candidates are compared.
pub fn exploring_by(loaded: &Loaded, options: &Options) -> Vec<(&'static str, String)> {
    if loaded.quotient().is_some() || options.diagram == Diagram::Explicit {
        return vec![("diagram", "explicit".into())];
    }
    let kind = kind_for(loaded, options);
    let strategy = match strategy_of(loaded, options) {
        Strategy::Bfs => "bfs",
        Strategy::Chaining => "chaining",
        Strategy::Saturation => "saturation",
    };
    let mut found = vec![("diagram", kind.name().to_string()), ("strategy", strategy.to_string())];
    let auto = || "auto".to_string();
    found.push(match kind {
        DiagramKind::Set => match &options.hierarchy {
            Hierarchy::Auto => ("hierarchy", auto()),
            Hierarchy::Named(name) => ("hierarchy", name.clone()),
            Hierarchy::File { file, .. } => ("hierarchy", file.clone()),
        },
        DiagramKind::Sentential => match &options.vtree {
            Vtree::Auto => ("vtree", auto()),
            Vtree::Named(name) => ("vtree", name.clone()),
            Vtree::File { file, .. } => ("vtree", file.clone()),
        },
        _ => match &options.variable_order {
            VariableOrder::Auto => ("variable_order", auto()),
            VariableOrder::Named(name) => ("variable_order", name.clone()),
            VariableOrder::File { file, .. } => ("variable_order", file.clone()),
        },
    });
    found
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
