//! What each command takes.

use super::global::{DiagramKind, Strategy};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;
use symbolon_checker as checker;

/// A model and nothing else.
#[derive(Debug, Args)]
pub(crate) struct ModelArguments {
    /// A file, - for standard input, or a family such as kanban:5
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub(crate) model: OsString,
}

/// What `info` takes.
#[derive(Debug, Args)]
pub(crate) struct InfoArguments {
    /// The model.
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// The format of the answer [default: text]
    ///
    /// A table has one row per line of the text: what is described, and what is known of it.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<CompareFormat>,
}

/// What `states` takes.
#[derive(Debug, Args)]
pub(crate) struct StatesArguments {
    /// The model.
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// Count the states at each distance from the initial ones
    ///
    /// The distance of a state is the length of a shortest run to it; the largest one is the depth
    /// of the state space.
    #[arg(long)]
    pub(crate) distances: bool,
    /// For agents: find assignments that leave a range in a reachable state
    ///
    /// Such a line removes the step that it belongs to, silently. Exit status 1 if there is one; a
    /// run shows it. Reachable states without successors are counted, too.
    #[arg(long)]
    pub(crate) overflow: bool,
    /// With --distances: draw the number of states at each distance, as SVG
    #[arg(long, value_name = "FILE", requires = "distances", value_hint = ValueHint::FilePath)]
    pub(crate) plot: Option<PathBuf>,
}

/// What `deadlock` takes.
#[derive(Debug, Args)]
pub(crate) struct DeadlockArguments {
    /// The model.
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// Save the trace, for `simulate --replay` and `draw --trace`
    ///
    /// Plain text, one transition per line, as `simulate --save` writes it. Nothing is written
    /// where there is no trace.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) save: Option<PathBuf>,
    /// Show up to N traces, each to another dead state
    ///
    /// The nearest dead states come first where shortest traces can be found. All states have to be
    /// explored for it, so it is not available for a bounded search.
    #[arg(long, value_name = "N", default_value = "1", conflicts_with_all = ["bound", "method"])]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) traces: u32,
    /// How far and how to search.
    #[command(flatten)]
    pub(crate) within: WithinArguments,
}

/// A search within a bound.
#[derive(Debug, Args)]
pub(crate) struct WithinArguments {
    /// Search at most this many steps
    ///
    /// Exit status 3 if nothing is found so near and there may be something further away.
    #[arg(long, value_name = "STEPS")]
    pub(crate) bound: Option<u64>,
    /// Search within a bound, and how
    ///
    /// By diagrams: edd-exact and add-exact find what lies within the bound, with its distance;
    /// mdd-chain, mdd-local, mdd-global, edd-approx and evbdd-approx may find what lies further
    /// away, too, mostly at less cost. auto needs no bound and finds a shortest run.
    ///
    /// By a SAT solver, from 0 steps on, with or without a bound: sat-interleaving finds a shortest
    /// run; a step of sat-step is a set of events that may happen in any order, and one of
    /// sat-chain some events in a fixed order. k-induction also proves that there is nothing to
    /// find. Multi-agent models: these methods only, and only for formulas.
    #[arg(long, value_name = "METHOD", value_parser = methods(), hide_possible_values = true)]
    pub(crate) method: Option<checker::BoundedMethod>,
    /// The SAT solver: batsat or cadical [default: batsat]
    ///
    /// batsat is always there. cadical (CaDiCaL) is there if the program was built with it:
    /// `cargo build --release --features cadical`, which needs a C++ compiler.
    #[arg(long, value_name = "SOLVER", value_parser = solvers(), hide_possible_values = true)]
    pub(crate) solver: Option<checker::SolverName>,
}

impl WithinArguments {
    /// The search that is asked for, if one is.
    pub(crate) fn asked(&self) -> Option<checker::Within> {
        let WithinArguments { bound, method, solver } = *self;
        let is_asked = bound.is_some() || method.is_some() || solver.is_some();
        is_asked.then(|| checker::Within { method: method.unwrap_or_default(), bound, solver })
    }
}

/// The SAT solvers by their names, also those that are not built in: a missing one is reported when
/// it is asked for.
fn solvers() -> impl TypedValueParser<Value = checker::SolverName> {
    let names = checker::SolverName::ALL.map(checker::SolverName::name);
    // Other names do not pass, so this one is known.
    PossibleValuesParser::new(names).map(|name| name.parse().unwrap_or_default())
}

/// The methods of bounded search by their names.
fn methods() -> impl TypedValueParser<Value = checker::BoundedMethod> {
    let names = checker::BoundedMethod::all().map(checker::BoundedMethod::name);
    // Other names do not pass, so this one is known.
    PossibleValuesParser::new(names).map(|name| name.parse().unwrap_or_default())
}

/// What `check` takes.
#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// A file, - for standard input, or a family such as kanban:5
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub(crate) model: OsString,
    /// Formulas, such as "AG !deadlock"
    #[arg(value_name = "FORMULA")]
    pub(crate) formulas: Vec<String>,
    /// The format of the answer [default: text]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<CompareFormat>,
    /// Read formulas from a file, or - for standard input; may be repeated
    ///
    /// One `name: formula` per line (# begins a comment), or the XML of the Model Checking Contest.
    #[arg(long = "formulas", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// Check that no run is accepted by a Büchi automaton in HOA format; may be repeated
    ///
    /// The automaton describes the runs that must not happen, as the automaton of a negated formula
    /// does: it holds if no run of the model is accepted. Its propositions (AP) are formulas about
    /// states, such as "p > 1". A run that comes to a dead state stays there, as for LTL. Example:
    /// ltl2tgba '!G F "p > 1"' | symbolon check net.pnml --automaton -
    #[arg(long = "automaton", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) automata: Vec<PathBuf>,
    /// Write the automaton of the runs that violate the formula, in HOA format
    ///
    /// For one formula of LTL. --automaton FILE then checks the same property.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) save_automaton: Option<PathBuf>,
    /// Save the run of the first formula that has one
    ///
    /// Plain text, one step per line, for `simulate --replay` and `draw --trace`: transitions, or
    /// what agents do together, after a line that says where they begin.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) save: Option<PathBuf>,
    /// Draw what shows the first verdict that can be shown: FILE.svg, .dot or .txt
    ///
    /// Runs, states that an agent cannot distinguish, and strategies as the states that they may
    /// lead to.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "no_witness")]
    pub(crate) picture: Option<PathBuf>,
    /// Information available to strategies: perfect or uniform
    ///
    /// perfect: every member of the group sees the whole state, as in MCMAS; uniform: in states
    /// that look the same to it, an agent does the same, and the strategy must win from every state
    /// that a member considers possible. Where a system has fairness, strategies need only win on
    /// fair paths.
    #[arg(
        long,
        value_name = "WHICH",
        default_value = "perfect",
        hide_possible_values = true,
        hide_short_help = true
    )]
    pub(crate) strategies: StrategyKind,
    /// Verdicts alone: look for no run that shows them
    #[arg(long)]
    pub(crate) no_witness: bool,
    /// For agents: find assignments that leave a range in a reachable state
    ///
    /// Such a line removes the step that it belongs to, silently. Exit status 1 if there is one; a
    /// run shows it. Reachable states without successors are counted, too.
    #[arg(long)]
    pub(crate) overflow: bool,
    /// How far and how to search, for formulas of the forms EF p and AG p.
    #[command(flatten)]
    pub(crate) within: WithinArguments,
}

/// What strategies may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum StrategyKind {
    /// The whole state.
    Perfect,
    /// What the agent observes.
    Uniform,
}

/// What `compile` takes.
#[derive(Debug, Args)]
pub(crate) struct CompileArguments {
    /// The formula in DIMACS format; - is standard input
    #[arg(value_name = "FORMULA", value_hint = ValueHint::FilePath)]
    pub(crate) formula: PathBuf,
    /// Write the diagram to this file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}

/// What `convert` takes.
#[derive(Debug, Args)]
pub(crate) struct ConvertArguments {
    /// The model.
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// One of pnml, safe-pnml, ll_net, dot, gcl, ispl, dimacs [default: by FILE]
    ///
    /// Without this the name of FILE determines the format: .pnml and .xml are PNML, .ll_net, .gcl,
    /// .ispl, .dot, .gv and .cnf are what they say; without FILE it is PNML. Agents are written as
    /// ISPL and as nothing else.
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) to: Option<ConvertTarget>,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Leave out places and transitions that were proved dead
    #[arg(long)]
    pub(crate) drop_dead: bool,
    /// Leave out equal transitions, constant places and places that another place implies
    ///
    /// The net that is left has the same states and the same deadlocks. An edge that several equal
    /// transitions make is there once.
    #[arg(long)]
    pub(crate) drop_redundant: bool,
    /// For dimacs: the number of steps
    #[arg(long, value_name = "STEPS")]
    pub(crate) bound: Option<u64>,
    /// For dimacs: sat-interleaving, sat-step or sat-chain
    #[arg(long, value_name = "METHOD", value_parser = methods(), hide_possible_values = true)]
    pub(crate) method: Option<checker::BoundedMethod>,
    /// For dimacs: "EF p" or "AG p" [default: a deadlock]
    #[arg(long, value_name = "FORMULA")]
    pub(crate) formula: Option<String>,
}

/// What `bounds` takes.
#[derive(Debug, Args)]
pub(crate) struct BoundsArguments {
    /// A file, - for standard input, or a family such as kanban:5
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub(crate) model: OsString,
    /// Places; none means all of them
    #[arg(value_name = "PLACE")]
    pub(crate) places: Vec<String>,
    /// A sum of places, such as a,b or a,2*b; may be repeated
    ///
    /// Places are separated by commas, and a place counts as often as the number before it says. A
    /// name with a comma in it is put in double quotes.
    #[arg(long, value_name = "PLACES", allow_hyphen_values = true)]
    pub(crate) sum: Vec<String>,
    /// Coloured nets: a bound for each colour of each place, instead of one for each place
    #[arg(long, conflicts_with_all = ["places", "sum"])]
    pub(crate) per_colour: bool,
    /// The format of the answer [default: text]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<CompareFormat>,
}

/// What `simulate` takes.
#[derive(Debug, Args)]
pub(crate) struct SimulateArguments {
    /// A file, - for standard input, or a family such as kanban:5
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub(crate) model: OsString,
    /// Take N random steps and print them, instead of reading commands
    #[arg(long, value_name = "N")]
    pub(crate) random: Option<u64>,
    /// Save the trace at the end
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) save: Option<PathBuf>,
    /// Replay a trace first: a saved one, or the JSON of `deadlock`
    ///
    /// A saved trace is plain text: one transition per line, in double quotes where its name needs
    /// them; `#` begins a comment.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) replay: Option<PathBuf>,
}

/// What `draw` takes.
#[derive(Debug, Args)]
pub(crate) struct DrawArguments {
    /// The model.
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// What to draw [default: net]
    #[arg(long, value_name = "WHAT")]
    pub(crate) what: Option<DrawSubject>,
    /// The format [default: by the name of FILE, else svg]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<DrawFormat>,
    /// Write the picture to this file [default: standard output]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Draw the run in this file [default: a way to a deadlock]
    ///
    /// One step per line, as `simulate`, `deadlock` and `check` save them (# begins a comment), or
    /// what `deadlock --json` prints.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) trace: Option<PathBuf>,
    /// The most markings of a run that are shown [default: 12]
    ///
    /// Of a longer run of a net the first and the last ones are shown; other runs are drawn whole.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub(crate) frames: Option<u32>,
}

/// What can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DrawSubject {
    /// Places, transitions and arcs, units as boxes
    Net,
    /// The reachable states of a small model
    States,
    /// The decision diagram of the reachable states (see --diagram)
    Diagram,
    /// A run: a film strip of markings of a net, or one state after the other
    Trace,
    /// The tree of units; with --hierarchy or --diagram set, of components
    Hierarchy,
    /// The tree of bits of --diagram sentential (see --vtree)
    Vtree,
}

/// The formats of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DrawFormat {
    /// For browsers, slides and print
    Svg,
    /// For Graphviz
    Dot,
    /// Plain text
    Text,
    /// For LaTeX, with the package tikz
    Tikz,
}

/// What `compare` takes.
#[derive(Debug, Args)]
pub(crate) struct CompareArguments {
    /// Files, or families such as kanban:5
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    #[arg(required_unless_present_any = ["preset", "nets"], conflicts_with = "preset")]
    pub(crate) models: Vec<OsString>,
    /// Compare all nets in a folder, too; may be repeated
    ///
    /// Files that end in .pnml or .ll_net. Nets of a published table come first, in its order.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) nets: Vec<PathBuf>,
    /// What is asked [default: states; for methods deadlock]
    #[arg(long, value_name = "WHAT")]
    pub(crate) question: Option<CompareQuestion>,
    /// Kinds of diagrams, as in mdd,explicit [default: all but explicit]
    ///
    /// `explicit`, the plain table of states, is compared if you name it: it holds one state after
    /// the other and reaches the limits of time and memory on most models.
    #[arg(long, value_name = "LIST", value_delimiter = ',', hide_possible_values = true)]
    pub(crate) diagrams: Vec<DiagramKind>,
    /// Strategies [default: bfs,chaining,saturation]
    #[arg(long, value_name = "LIST", value_delimiter = ',', hide_possible_values = true)]
    pub(crate) strategies: Vec<Strategy>,
    /// Methods of bounded search, as in edd-exact,sat-step: how far must each look?
    ///
    /// For each method the smallest bound with which it finds a deadlock, and what the run with
    /// that bound cost. The names are those of `deadlock --method`.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = methods(), hide_possible_values = true)]
    #[arg(conflicts_with_all = ["diagrams", "strategies", "hierarchies"])]
    pub(crate) methods: Vec<checker::BoundedMethod>,
    /// Variable orders: names or @FILE [default: auto]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) variable_orders: Vec<OsString>,
    /// Hierarchies of set diagrams: names or @FILE [default: auto]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) hierarchies: Vec<OsString>,
    /// A comparison by name: its models, diagrams and strategies
    #[arg(long, value_name = "NAME")]
    pub(crate) preset: Option<Preset>,
    /// Run every cell N times, show the median
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) runs: u32,
    /// Run N cells at once
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) jobs: u32,
    /// The format of the table [default: by the name of FILE, else text]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<CompareFormat>,
    /// What a row of the table is [default: cells; for a preset models]
    #[arg(long, value_name = "WHAT")]
    pub(crate) rows: Option<CompareRows>,
    /// Write the table to this file [default: standard output]
    ///
    /// The file has a row for each cell as soon as it is done.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Draw time and memory on logarithmic scales, as SVG
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) plot: Option<PathBuf>,
}

/// What `compare` asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompareQuestion {
    /// How many states are reachable
    States,
    /// Whether a deadlock is reachable
    Deadlock,
}

/// Comparisons with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Preset {
    /// The nets of Soltész' thesis of 2015, Table 6.1: set diagrams and MDDs
    Thesis,
    /// Bounded search of Yu, Ciardo and Lüttgen, 2009, Tables 1 and 2; with --nets
    Bounded,
    /// The thesis on sentential diagrams in MCMAS, Tables 4.1 to 4.19, where the models are public
    Sentential,
    /// Symbolic markings of Thierry-Mieg, Ilié and Poitrenaud, 2004: the table of section 7
    SymbolicSymbolic,
}

/// The formats of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompareFormat {
    /// For people
    Text,
    /// Comma-separated values, all digits
    Csv,
    /// For documents
    Markdown,
    /// For papers, with booktabs
    Latex,
}

/// What the rows of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompareRows {
    /// One row per cell
    Cells,
    /// One row per model, one column per cell
    Models,
}

/// What `models` takes.
#[derive(Debug, Args)]
pub(crate) struct ModelsArguments {
    /// Show what one family models, and its parameters
    #[arg(long, value_name = "NAME")]
    pub(crate) show: Option<String>,
}

/// What `mcc` takes.
#[derive(Debug, Args)]
pub(crate) struct MccArguments {
    /// The examination, such as StateSpace
    #[arg(value_name = "EXAMINATION")]
    pub(crate) examination: String,
    /// The folder with model.pnml
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) folder: PathBuf,
}

/// What `mcmas` takes. The words are taken out of the command line before anybody else reads them
/// ([`crate::arguments::split_mcmas`]), because its options would clash with ours.
#[derive(Debug, Args)]
pub(crate) struct McmasArguments {
    /// Options of MCMAS, and the file
    #[arg(value_name = "WORDS", allow_hyphen_values = true, trailing_var_arg = true)]
    pub(crate) words: Vec<OsString>,
}

/// What `completions` takes.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

/// What `man` and `help` take.
#[derive(Debug, Args)]
pub(crate) struct PageArguments {
    /// A command; for `help` also the topics options and formulas; none means symbolon itself
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
}

/// A format that can be written; as for diagrams, planned ones are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConvertTarget {
    /// A format that can be written.
    Ready(checker::Target),
    /// A question as a propositional formula.
    Dimacs,
}

impl ConvertTarget {
    /// All of them.
    pub(crate) const ALL: [ConvertTarget; 9] = [
        ConvertTarget::Ready(checker::Target::Pnml),
        ConvertTarget::Ready(checker::Target::UnfoldedPnml),
        ConvertTarget::Ready(checker::Target::SafePnml),
        ConvertTarget::Ready(checker::Target::LlNet),
        ConvertTarget::Ready(checker::Target::Dot),
        ConvertTarget::Ready(checker::Target::Gcl),
        ConvertTarget::Ready(checker::Target::Ispl),
        ConvertTarget::Ready(checker::Target::Cnet),
        ConvertTarget::Dimacs,
    ];
}

impl ValueEnum for ConvertTarget {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            ConvertTarget::Ready(target) => PossibleValue::new(target.name()).help(match target {
                checker::Target::Pnml => "Petri Net Markup Language, tidied",
                checker::Target::UnfoldedPnml => "PNML of the net that a coloured net unfolds to",
                checker::Target::Cnet => "Coloured nets as text",
                checker::Target::SafePnml => "PNML of a safe net with as many states",
                checker::Target::LlNet => "The low-level net format of PEP",
                checker::Target::Dot => "The net as a graph, for Graphviz",
                checker::Target::Gcl => "Guarded commands",
                checker::Target::Ispl => "Multi-agent systems, tidied",
            }),
            ConvertTarget::Dimacs => {
                PossibleValue::new("dimacs").help("A question within a bound, for SAT solvers")
            }
        })
    }
}
