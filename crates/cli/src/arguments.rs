//! The command line as it is declared: each flag once. Help, completions and the manual page all
//! come from here.

use clap::builder::PossibleValue;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use symbolon_checker as checker;

/// What stands under the short help.
const SHORT_EXAMPLE: &str = "Try: symbolon states kanban:5       All options: symbolon --help";

/// What stands under the long help.
const LONG_EXAMPLES: &str = "\
Models:
  MODEL is a file (PNML or .ll_net, packed by gzip or not), - for standard
  input, or a built-in family with its size, such as kanban:5. A file of that
  name wins over a family.
  `symbolon models` lists the families.

Examples:
  symbolon info net.pnml               what kind of net, what is proved of it
  symbolon states kanban:5             count the reachable states
  symbolon deadlock philosophers:3     find a deadlock and a way to it
  symbolon bounds kanban:5 P1 P2       the most tokens that places ever hold
  symbolon simulate philosophers:3     play it, step by step
  symbolon draw net.pnml -o net.svg    draw the net
  symbolon states net.pnml --json      one JSON object for programs
  symbolon compare kanban:20           breadth-first, chaining, saturation
  symbolon states net.pnml --timeout 60 --memory 4G

Exit status:
  0  done; for `deadlock`: there is none; for `check`: all formulas hold
  1  `deadlock` found one; a formula of `check` fails; `compare` found answers
     that contradict each other
  2  wrong usage or wrong input
  3  unknown: a limit was reached, or Ctrl-C";

/// What stands under the long help of `check`.
const FORMULA_HELP: &str = "\
Formulas:
  atoms      place (is marked), a + 2*b <= 3, fireable(t), deadlock, true, false
             names that are no plain words in quotes: \"place 1\"
  logic      ! & | -> <->, or: not, and, or
  CTL        AG f, EF f, AX f, EX f, AF f, EG f, A[f U g], E[f U g]
  LTL        A (G F f), A (f U g); operators X F G U W R; a formula without
             A or E at its head is read as A (...)
  CTL*       E (F p & G q), A (F E (G p)) and so on
  precedence AG p -> q is (AG p) -> q

Examples:
  symbolon check philosophers:3 \"AG !deadlock\"
  symbolon check peterson:2 \"AG !(CS_0 & CS_1)\" --formulas more.txt";

/// What stands under the help of `compare`, whose limits differ from those of other commands.
const COMPARE_LIMITS: &str = "--timeout (here 60 if none is given) and --memory are limits of every single\ncell, not of the whole command.";

/// A symbolic model checker: reads a model, stores its state space as decision diagrams, and answers
/// questions about it.
#[derive(Debug, Parser)]
#[command(
    name = "symbolon",
    version,
    about = "A symbolic model checker for Petri nets",
    after_help = SHORT_EXAMPLE,
    after_long_help = LONG_EXAMPLES,
    disable_help_subcommand = true,
    subcommand_value_name = "COMMAND"
)]
pub(crate) struct Arguments {
    /// The options that may stand anywhere.
    #[command(flatten)]
    pub(crate) global: GlobalOptions,
    /// What to do; nothing means the welcome.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// What kind of net, its size, what its structure proves
    ///
    /// Reads the net and describes it without exploring: its class, arcs and tokens, units or pages,
    /// semiflows and the bounds that they prove, exclusive sets, parts that can never happen, and the variable
    /// order that would be tried first. Each analysis has one second and says so if that was not enough. With
    /// -v the lists: every semiflow, every safe place, every dead transition, and the components that set
    /// diagrams would have (without -v, if --hierarchy or --diagram set asks for them).
    Info(ModelArguments),
    /// Count the reachable states, exactly
    ///
    /// Explores the whole state space and prints the exact number of states and of edges (pairs of a
    /// state and a transition enabled there), the most tokens in a place and in a marking, and the size
    /// of the diagram. `inf` means that a place was proved unbounded.
    States(ModelArguments),
    /// Is a deadlock reachable? Shows a way to it
    ///
    /// Exit status 1 if a deadlock is reachable, 0 if there provably is none, 3 if that is unknown. The
    /// trace was replayed step by step before it is shown; it says whether a shorter one may exist. --save keeps it
    /// for `simulate --replay` and `draw --trace`.
    Deadlock(DeadlockArguments),
    /// Check temporal formulas: CTL, LTL, CTL*
    ///
    /// A verdict for each formula, and a run that shows it where one can: a way to a state, a loop, or a tree of both. Every
    /// run was replayed step by step before it is shown. `symbolon help check` tells how formulas are written.
    ///
    /// Exit status 0 if all hold, 1 if some formula fails, 3 if none fails but some verdict is unknown.
    #[command(after_long_help = FORMULA_HELP)]
    Check(CheckArguments),
    /// The most tokens that places ever hold
    ///
    /// The least upper bound of each place, or of a weighted sum of places: exact, from the structure of the
    /// net where a proof meets a marking that was reached, else from all reachable states. `inf` means
    /// that there provably is no bound. Exit status 3 if some bound is unknown.
    Bounds(BoundsArguments),
    /// Write the model in another format
    ///
    /// `pnml` is what was read and nothing else, tidied; `safe-pnml` is a net with as many states in which no
    /// place holds two tokens: places become binary numbers, and a transition one for each pattern of their
    /// bits; `ll_net` is the format of PEP; `dot` is a graph for Graphviz. Without -o the text goes to standard output.
    Convert(ConvertArguments),
    /// Play a model step by step, by hand or at random
    ///
    /// At a terminal: shows the marking and the enabled transitions by number, and takes commands (`?` lists
    /// them): fire, undo, redo, random walks, why a transition is not enabled, save and load a trace. From a
    /// pipe the same commands are read, one a line; the first that cannot be carried out ends the run with
    /// status 2. With --random nothing is read: the walk is printed. The seed of chance is --seed.
    Simulate(SimulateArguments),
    /// Draw the net, its states, a diagram or a run
    ///
    /// The picture goes to the file after -o, as SVG or DOT by its name, or to standard output. Large nets
    /// are drawn by their units; what nobody could read is refused, with what to do instead. DOT is never
    /// refused: Graphviz lays it out.
    Draw(DrawArguments),
    /// A tour of two minutes
    ///
    /// Shows what Symbolon does on small built-in models: a net, its states, a deadlock and the way to it. At
    /// a terminal it waits for Enter between its stations.
    Demo,
    /// Put one question to many diagrams and strategies
    ///
    /// Asks the same question (how many states, or is there a deadlock) of every model by every combination of
    /// the diagrams, strategies, variable orders and hierarchies that are given, each in a process of its own, and
    /// shows what each of these cells cost. Options such as --edges and --seed go to all cells; `deadlock` is asked with
    /// --no-shortcuts.
    ///
    /// All cells of a model must agree: if they do not, that is said and the exit status is 1. It is 3 if some
    /// cell has no answer, or after Ctrl-C, which shows what there is.
    #[command(after_help = COMPARE_LIMITS)]
    Compare(CompareArguments),
    /// List the built-in families of models
    Models(ModelsArguments),
    /// Answer an examination of the Model Checking Contest
    ///
    /// Prints the contest's own lines, each as soon as it is known: FORMULA and STATE_SPACE lines,
    /// CANNOT_COMPUTE where a limit was reached, DO_NOT_COMPETE for what is not supported.
    Mcc(MccArguments),
    /// Print a completion script for a shell
    Completions(CompletionsArguments),
    /// Print the manual page (roff)
    Man(PageArguments),
    /// Print the long help of symbolon or of a command
    Help(PageArguments),
}

/// A model and nothing else.
#[derive(Debug, Args)]
pub(crate) struct ModelArguments {
    /// A file, - for standard input, or a family such as kanban:5
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub(crate) model: OsString,
}

/// What `deadlock` takes.
#[derive(Debug, Args)]
pub(crate) struct DeadlockArguments {
    /// The model.
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// Save the trace, for `simulate --replay` and `draw --trace`
    ///
    /// Plain text, one transition a line, as `simulate --save` writes it. Nothing is written where there is no trace.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) save: Option<PathBuf>,
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
    /// Read formulas from a file; may be repeated
    ///
    /// One `name: formula` a line (# begins a comment), or the XML of the Model Checking Contest.
    #[arg(long = "formulas", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// Save the run of the first formula that has one
    ///
    /// Plain text, one transition a line, for `simulate --replay` and `draw --trace`.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) save: Option<PathBuf>,
    /// Verdicts alone: look for no run that shows them
    #[arg(long)]
    pub(crate) no_witness: bool,
}

/// What `convert` takes.
#[derive(Debug, Args)]
pub(crate) struct ConvertArguments {
    /// The model.
    #[command(flatten)]
    pub(crate) model: ModelArguments,
    /// One of pnml, safe-pnml, ll_net, dot [default: by FILE]
    ///
    /// Without this the name of FILE tells the format: .pnml and .xml are PNML, .ll_net, .dot and .gv are
    /// what they say; without FILE it is PNML.
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) to: Option<ConvertTarget>,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Leave out places and transitions that were proved dead
    #[arg(long)]
    pub(crate) drop_dead: bool,
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
    /// Places are separated by commas, and a place counts as often as the number before it says. A name with
    /// a comma in it is put in double quotes.
    #[arg(long, value_name = "PLACES", allow_hyphen_values = true)]
    pub(crate) sum: Vec<String>,
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
    /// A saved trace is plain text: one transition a line, in double quotes where its name needs them; `#`
    /// begins a comment.
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
    /// One transition a line, as `simulate` and `deadlock` save them (# begins a comment), or what `deadlock --json` prints.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) trace: Option<PathBuf>,
    /// The most states of a run that are shown [default: 12]
    ///
    /// Of a longer run the first and the last ones are shown.
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
    /// A run, as a film strip of markings
    Trace,
    /// The tree of units; with --hierarchy or --diagram set, of components
    Hierarchy,
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
}

/// What `compare` takes.
#[derive(Debug, Args)]
pub(crate) struct CompareArguments {
    /// Files, or families such as kanban:5
    #[arg(value_name = "MODEL", value_hint = ValueHint::FilePath)]
    #[arg(required_unless_present = "preset", conflicts_with = "preset")]
    pub(crate) models: Vec<OsString>,
    /// What is asked
    #[arg(long, value_name = "WHAT", default_value = "states")]
    pub(crate) question: CompareQuestion,
    /// Kinds of diagrams, as in mdd,explicit [default: all diagrams]
    #[arg(long, value_name = "LIST", value_delimiter = ',', hide_possible_values = true)]
    pub(crate) diagrams: Vec<DiagramKind>,
    /// Strategies [default: bfs,chaining,saturation]
    #[arg(long, value_name = "LIST", value_delimiter = ',', hide_possible_values = true)]
    pub(crate) strategies: Vec<Strategy>,
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
}

/// What the rows of a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompareRows {
    /// A row a cell
    Cells,
    /// A row a model, a column a cell
    Models,
}

/// What `models` takes.
#[derive(Debug, Args)]
pub(crate) struct ModelsArguments {
    /// Tell what one family models, and its parameters
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
    /// The command whose page is wanted; none means symbolon itself
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
}

/// The options that may stand anywhere.
#[derive(Debug, Args)]
pub(crate) struct GlobalOptions {
    /// Print one JSON object, also for errors
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print the answer alone
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Explain choices, show all digits and traces
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// When to use colour; auto respects NO_COLOR
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    #[arg(hide_short_help = true)]
    pub(crate) color: ColorWhen,

    /// Time limit of the whole command [default: none]
    ///
    /// In seconds, such as 60 or 0.5. When it is reached the answer is `unknown`, with what was found so
    /// far, and the exit status 3.
    #[arg(long, global = true, value_name = "SECONDS")]
    #[arg(value_parser = parse_seconds, allow_hyphen_values = true)]
    pub(crate) timeout: Option<Duration>,
    /// Memory limit, as in 8G [default: 80 % of RAM]
    ///
    /// K, M, G and T are powers of 1024. Without a limit 80 % of the physical memory is granted. When
    /// the limit is reached the answer is `unknown`, with what was found so far, and the exit status 3.
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_memory)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) memory: Option<u64>,
    /// Threads that may be used [default: as many as there are cores]
    ///
    /// `check` and `mcc` use two: one for diagrams, one for walks and proofs. Others use one. With one thread all steps
    /// are the same in every run; with two, verdicts are.
    #[arg(long, global = true, value_name = "N")]
    #[arg(hide_short_help = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) threads: Option<u32>,

    /// State sets: explicit, mdd, ddd, set
    ///
    /// How sets of states are stored: `explicit` is a plain table of states, `mdd` means multi-valued
    /// decision diagrams, `ddd` data decision diagrams, `set` hierarchical set decision diagrams (see
    /// --hierarchy), `auto` is the best known choice, today mdd.
    #[arg(long, global = true, value_name = "KIND", default_value = "auto")]
    #[arg(hide_possible_values = true, hide_short_help = true)]
    pub(crate) diagram: DiagramKind,
    /// One of bfs, chaining, saturation
    ///
    /// How the state space is explored: `bfs` breadth-first, layer by layer; `chaining` transition by
    /// transition, each from all that is known; `saturation` from the lowest level of the diagram
    /// upwards; `auto` is the best known choice, today saturation.
    #[arg(long, global = true, value_name = "NAME", default_value = "auto")]
    #[arg(hide_possible_values = true, hide_short_help = true)]
    pub(crate) strategy: Strategy,
    /// Variable order: NAME, or @FILE
    ///
    /// Names are as-given, force, sloan, cuthill-mckee, greedy, sum-of-tops, nupn, hub, invariants and
    /// others (a wrong name lists them all); `auto` tries several and takes the best, and -v says which
    /// and why. `@FILE` loads what --save-order saved.
    #[arg(long, global = true, value_name = "ORDER", default_value = "auto")]
    pub(crate) variable_order: OsString,
    /// Save the variable order that `states` used
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) save_order: Option<PathBuf>,
    /// Components of `--diagram set`: NAME, or @FILE
    ///
    /// How variables are grouped: `flat` (one component), `nupn` or `pages` (what came with the net),
    /// `groups:N` (N neighbours in the variable order), `recursive` (halves of halves), `indexed` and
    /// `indexed-recursive` (by the numbers in names), `repeated` (parts that look alike); `auto` tries some
    /// and takes the one with the fewest steps, and -v says which and why. `@FILE` loads what
    /// --save-hierarchy saved.
    #[arg(long, global = true, value_name = "NAME", default_value = "auto")]
    #[arg(hide_short_help = true)]
    pub(crate) hierarchy: OsString,
    /// Save the hierarchy that `states` used
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) save_hierarchy: Option<PathBuf>,
    /// Count edges: auto does so where it is cheap
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    #[arg(hide_short_help = true)]
    pub(crate) edges: Edges,
    /// Seed of everything random
    #[arg(long, global = true, value_name = "N", default_value = "0")]
    #[arg(hide_short_help = true)]
    pub(crate) seed: u64,
    /// What a path is: maximal, stutter, infinite
    ///
    /// Whether runs that come to a dead state end there (`maximal`), stay there for ever (`stutter`), or do not count
    /// (`infinite`). `auto` is as in the Model Checking Contest: stutter for LTL, maximal for everything else.
    #[arg(long, global = true, value_name = "KIND", default_value = "auto")]
    #[arg(hide_possible_values = true, hide_short_help = true)]
    pub(crate) paths: PathKind,
    /// Use diagrams alone: no structural proof, no random walk
    #[arg(long, global = true, hide_short_help = true)]
    pub(crate) no_shortcuts: bool,
    /// The format of the model [default: by content, then by name]
    #[arg(long, global = true, value_name = "FORMAT", hide_short_help = true)]
    pub(crate) format: Option<ModelFormat>,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How the state space is explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Strategy {
    /// The best known choice.
    Auto,
    /// Breadth-first search.
    Bfs,
    /// Events one after the other, each from all that is known.
    Chaining,
    /// From the lowest level upwards.
    Saturation,
}

/// What a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PathKind {
    /// As the formula wants it.
    Auto,
    /// Infinite, or up to a dead state.
    Maximal,
    /// Dead states repeat for ever.
    Stutter,
    /// Infinite ones only.
    Infinite,
}

/// Whether to count edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Edges {
    /// Where it is cheap.
    Auto,
    /// Always.
    Yes,
    /// Never.
    No,
}

/// How sets of states are stored. Kinds that the contract names but that do not exist yet are
/// recognised, so that the answer can say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DiagramKind {
    /// A kind that exists.
    Ready(checker::Diagram),
    /// A kind that is planned.
    Planned(&'static str),
}

impl ValueEnum for DiagramKind {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            DiagramKind::Ready(checker::Diagram::Auto),
            DiagramKind::Ready(checker::Diagram::Explicit),
            DiagramKind::Ready(checker::Diagram::Mdd),
            DiagramKind::Ready(checker::Diagram::Ddd),
            DiagramKind::Ready(checker::Diagram::Set),
            DiagramKind::Planned("bdd"),
            DiagramKind::Planned("sentential"),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            DiagramKind::Ready(checker::Diagram::Auto) => {
                PossibleValue::new("auto").help("The best known choice")
            }
            DiagramKind::Ready(checker::Diagram::Explicit) => {
                PossibleValue::new("explicit").help("A plain table of states")
            }
            DiagramKind::Ready(checker::Diagram::Mdd) => {
                PossibleValue::new("mdd").help("Multi-valued decision diagrams")
            }
            DiagramKind::Ready(checker::Diagram::Ddd) => {
                PossibleValue::new("ddd").help("Data decision diagrams")
            }
            DiagramKind::Ready(checker::Diagram::Set) => {
                PossibleValue::new("set").help("Hierarchical set decision diagrams")
            }
            DiagramKind::Planned(name) => PossibleValue::new(*name).hide(true),
        })
    }
}

/// The format of a model; as for diagrams, planned ones are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModelFormat {
    /// A format that can be read.
    Ready(checker::Format),
    /// A format that is planned.
    Planned(&'static str),
}

impl ValueEnum for ModelFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            ModelFormat::Ready(checker::Format::Pnml),
            ModelFormat::Ready(checker::Format::LlNet),
            ModelFormat::Planned("ispl"),
            ModelFormat::Planned("gcl"),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            ModelFormat::Ready(checker::Format::Pnml) => {
                PossibleValue::new("pnml").help("Petri Net Markup Language")
            }
            ModelFormat::Ready(checker::Format::LlNet) => {
                PossibleValue::new("ll_net").help("The low-level net format of PEP")
            }
            ModelFormat::Planned(name) => PossibleValue::new(*name).hide(true),
        })
    }
}

/// A format that can be written; as for diagrams, planned ones are recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConvertTarget {
    /// A format that can be written.
    Ready(checker::Target),
    /// A format that is planned.
    Planned(&'static str),
}

impl ConvertTarget {
    /// All of them.
    pub(crate) const ALL: [ConvertTarget; 7] = [
        ConvertTarget::Ready(checker::Target::Pnml),
        ConvertTarget::Ready(checker::Target::SafePnml),
        ConvertTarget::Ready(checker::Target::LlNet),
        ConvertTarget::Ready(checker::Target::Dot),
        ConvertTarget::Planned("gcl"),
        ConvertTarget::Planned("ispl"),
        ConvertTarget::Planned("unfolded-pnml"),
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
                checker::Target::SafePnml => "PNML of a safe net with as many states",
                checker::Target::LlNet => "The low-level net format of PEP",
                checker::Target::Dot => "The net as a graph, for Graphviz",
            }),
            ConvertTarget::Planned(name) => PossibleValue::new(*name).hide(true),
        })
    }
}

impl Command {
    /// The name as the user writes it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Command::States(_) => "states",
            Command::Deadlock(_) => "deadlock",
            Command::Check(_) => "check",
            Command::Compare(_) => "compare",
            Command::Convert(_) => "convert",
            Command::Simulate(_) => "simulate",
            Command::Draw(_) => "draw",
            Command::Info(_) => "info",
            Command::Bounds(_) => "bounds",
            Command::Demo => "demo",
            Command::Models(_) => "models",
            Command::Mcc(_) => "mcc",
            Command::Completions(_) => "completions",
            Command::Man(_) => "man",
            Command::Help(_) => "help",
        }
    }
}

/// Reads a positive number of seconds.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    let wanted = "expected a positive number of seconds, such as 60 or 0.5";
    let seconds: f64 = text.trim().parse().map_err(|_| wanted.to_string())?;
    if !(seconds > 0.0 && seconds.is_finite()) {
        return Err(wanted.to_string());
    }
    // Beyond what a clock can hold, a limit is no limit; a thousand years will do.
    Ok(Duration::from_secs_f64(seconds.min(3.2e10)))
}

/// Reads a size of memory.
fn parse_memory(text: &str) -> Result<u64, String> {
    symbolon_budget::parse_size(text)
        .filter(|bytes| *bytes > 0)
        .ok_or_else(|| "expected a size such as 200M or 8G (K, M, G, T are powers of 1024)".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_declaration_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn seconds_may_be_fractions_but_not_nonsense() {
        for (text, milliseconds) in [
            ("2", Some(2000)),
            ("0.25", Some(250)),
            (" 1 ", Some(1000)),
            ("0", None),
            ("-1", None),
            ("NaN", None),
            ("inf", None),
            ("1s", None),
            ("", None),
        ] {
            assert_eq!(parse_seconds(text).ok().map(|time| time.as_millis()), milliseconds, "{text:?}");
        }
        assert!(parse_seconds("1e300").is_ok());
    }

    #[test]
    fn global_options_stand_anywhere() {
        for line in [
            "symbolon --json states kanban:5",
            "symbolon states --json kanban:5",
            "symbolon states kanban:5 --json",
        ] {
            let arguments = Arguments::try_parse_from(line.split(' ')).expect(line);
            assert!(arguments.global.json, "{line}");
        }
    }

    #[test]
    fn the_short_help_fits_a_screen() {
        let help = Arguments::command().term_width(80).render_help().to_string();
        assert!(help.lines().count() <= 32, "{} lines:\n{help}", help.lines().count());
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "too long: {line}");
        }
    }
}
