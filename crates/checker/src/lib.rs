//! The facade: text and options in, names resolved, a plain-data report out.
//!
//! Front ends (command line, Python, web) call this crate and nothing below it. It opens no file,
//! prints nothing and serializes nothing: a [`Source`] carries bytes, a report carries numbers and
//! names.
//!
//! ```text
//! Source ──load──▶ Loaded (net, analysis, model) ──states, deadlock, examine──▶ report
//!                                                   └─▶ Simulation: the model played step by step
//! ```
//!
//! Invariants:
//! - **C1** `Holds` and `Fails` are proofs; anything less is [`Unknown`] with a reason.
//! - **C2** every witness was replayed step by step by the explicit simulator before it is
//!   returned; one that does not replay makes its verdict [`Unknown`], with the reason *internal*.
//! - **C3** the net of a [`Loaded`] is asked for by questions about nets alone.

mod advice;
mod ask;
mod automaton_property;
mod bounded;
mod bounds;
mod check;
mod check_automata;
mod colours;
mod compile;
mod convert;
mod deadlock;
mod distances;
mod drawing;
mod error;
mod evidence;
mod examination;
mod examination_name;
mod folded;
mod hierarchies;
mod hierarchy_plan;
mod info;
mod info_of_agents;
mod info_of_colours;
mod info_of_commands;
mod job;
mod labels;
mod load;
mod loaded;
mod models;
mod names_in_formulas;
mod options;
mod orders;
mod overflow;
mod phase;
mod policy;
mod property;
mod replay_failure;
mod report;
mod resolve;
mod saved_run;
mod seeded_fault;
mod shown;
mod simulation;
mod state_list;
mod state_space;
mod states;
mod stop;
mod technique;
mod units_as_agents;
mod value_names;
mod verdict;
mod vtrees;
mod witness;

pub use advice::{Advice, AskedFor, Attempt, ModelFacts, advice};
pub use automaton_property::AutomatonProperty;
pub use bounded::asks_for_states;
pub use bounded::{BoundedMethod, SatMethod, Within, WrongMethod};
pub use bounds::{
    BoundMethod, BoundReport, BoundTarget, BoundsReport, Proof, bound_of_variable, every_place,
    every_place_instance, weighted_sum,
};
pub use check::{CheckOptions, Space};
pub use compile::CompileReport;
pub use convert::{Conversion, ConvertReport, ConvertedSize, ConvertedText, Target};
pub use deadlock::DeadlockOptions;
pub use drawing::{DrawOptions, Drawing, NamedRun, NamedStep, PictureFormat, Subject};
pub use error::{Error, InputError};
pub use examination::{Answer, ExaminationLine};
pub use examination_name::Examination;
pub use hierarchies::known_hierarchies;
pub use info::{
    BoundednessReport, Ends, ExclusiveReport, FlowCoverage, FlowReport, InfoReport, Limited, OrderReport,
    SemiflowReport, Size, TIME_FOR_ONE, Units,
};
pub use info_of_agents::{AgentInfo, AgentsInfo, AskedInfo, info_of_agents};
pub use info_of_colours::{
    ClassInfo, ClassSymmetryInfo, ColouredPlaceInfo, ColouredTransitionInfo, ColoursInfo,
};
pub use info_of_commands::{GrowthInfo, ProgramInfo, VariableInfo};
pub use job::{Event, Job, Known, Progress};
pub use load::{Needs, NetUse};
pub use loaded::{Format, Language, Loaded, NetPlace, Override, Source};
pub use models::{FamilySize, example_size, sizes};
pub use names_in_formulas::names_in_formulas;
pub use options::{
    Diagram, EdgesChoice, Hierarchy, Options, ReorderChoice, StrategiesChoice, StrategyChoice,
    SymmetryChoice, VariableOrder, Vtree,
};
pub use orders::known_orders;
pub use overflow::{Overflow, OverflowReport};
pub use phase::Phase;
pub use property::{FormulaFile, Property, PropertyFile};
pub use report::{
    Amount, DeadlockReport, FoundBy, HierarchyReport, NodesMade, Outcome, PartialReport, Reason, Shape,
    ShownState, StateCount, StatesReport, StrategyOutcome, StrategyRow, StrategyTable, Unknown, VtreeReport,
    Witness, WitnessBranch, WitnessLink, WitnessStep,
};
pub use resolve::properties_of_texts;
pub use saved_run::replayable;
#[doc(hidden)]
pub use seeded_fault::seed_replay_fault;
pub use simulation::{Condition, NotOneEvent, Obstacle, Refusal, ReplayStop, Simulation, Walk, WalkEnd};
pub use state_list::StateList;
pub use state_space::{StateSet, StateSpace};
pub use stop::{Stop, settle};
pub use symbolon_budget::{
    Budget, Interrupted, Limits, MemoryAccount, ProcessLimits, cpu_time, parse_size, resident_bytes,
};
pub use symbolon_coloured::families::{Family as ColouredFamily, families as coloured_families};
pub use symbolon_engine::bounded::Method as DiagramMethod;
pub use symbolon_engine::{DiagramKind, DiagramSize, Quantification};
pub use symbolon_gcl::families::{Family as CommandFamily, families as command_families};
pub use symbolon_gcl::{Example as CommandExample, examples as command_examples};
pub use symbolon_ispl::families::{Family as AgentFamily, families as agent_families};
pub use symbolon_logic::Paths;
pub use symbolon_model::EventId;
pub use symbolon_petri::PlaceId;
pub use symbolon_petri::analysis::NetClass;
pub use symbolon_petri::families::{Family, families};
pub use symbolon_picture::{
    Histogram, PLOT_LOOKS, Plot, PlotMark, PlotPanel, PlotSeries, PlotUnit, histogram, plot,
};
pub use symbolon_sat::SolverName;
pub use symbolon_source::{Excerpt, MarkedLine, did_you_mean, near_names};
pub use symbolon_symmetry::SpelledFigures;
pub use technique::{Technique, exploring_by};
pub use value_names::ShownValue;
#[doc(hidden)]
pub use value_names::shown_state;
pub use verdict::{PropertyReport, SearchReport, Verdict};
pub use vtrees::known_vtrees;
