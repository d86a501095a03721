//! The options that may stand anywhere, and the values they take.

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use symbolon_checker as checker;

/// The options that may stand anywhere. In the help of a command they follow its own.
#[derive(Clone, Debug, Args)]
#[command(next_display_order = 100)]
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

    /// Report progress on standard error, one JSON object per line
    ///
    /// An object for each new phase and each verdict, and a few times a second: seconds, phase,
    /// nodes, steps and what is known so far.
    #[arg(long, global = true, value_name = "FORMAT", hide_short_help = true)]
    pub(crate) progress: Option<ProgressFormat>,

    /// Time limit of the whole command [default: none]
    ///
    /// In seconds, such as 60 or 0.5. When it is reached the answer is `unknown`, with what was
    /// found so far, and the exit status 3.
    #[arg(long, global = true, value_name = "SECONDS")]
    #[arg(value_parser = parse_seconds, allow_hyphen_values = true)]
    pub(crate) timeout: Option<Duration>,
    /// Limit of CPU time, of all threads together [default: none]
    ///
    /// In seconds. Unlike --timeout it does not count what other programs do meanwhile, so that
    /// results on a busy machine can be compared. When it is reached the answer is `unknown`, as
    /// with --timeout. The limit that `ulimit -t` sets, and the signal SIGXCPU, are treated alike.
    #[arg(long, global = true, value_name = "SECONDS", hide_short_help = true)]
    #[arg(value_parser = parse_seconds, allow_hyphen_values = true)]
    pub(crate) cpu_timeout: Option<Duration>,
    /// Memory limit, as in 8G [default: 80 % of RAM]
    ///
    /// K, M, G and T are powers of 1024; 16M is the least. Without a limit 80 % of the physical
    /// memory is granted. When the limit is reached the answer is `unknown`, with what was found so
    /// far, and the exit status 3. The limits that `ulimit -v` and `ulimit -d` set are kept as
    /// well.
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_memory)]
    #[arg(allow_hyphen_values = true)]
    pub(crate) memory: Option<u64>,
    /// Threads that may be used [default: as many as there are cores]
    ///
    /// `check` and `mcc` use two: one for diagrams, one for walks and proofs. Others use one. With
    /// one thread all steps are the same in every run; with two, verdicts are.
    #[arg(long, global = true, value_name = "N")]
    #[arg(hide_short_help = true, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) threads: Option<u32>,

    /// How sets of states are stored
    ///
    /// `auto` is the best known choice, today mdd, and bdd for multi-agent systems; `set` has
    /// components (see --hierarchy).
    #[arg(long, global = true, value_name = "KIND", default_value = "auto", hide_short_help = true)]
    pub(crate) diagram: DiagramKind,
    /// One of bfs, chaining, saturation
    ///
    /// How the state space is explored: `bfs` breadth-first, layer by layer; `chaining` transition
    /// by transition, each from all that is known; `saturation` from the lowest level of the
    /// diagram upwards; `auto` is the best known choice, today saturation, and bfs for multi-agent
    /// systems.
    #[arg(long, global = true, value_name = "NAME", default_value = "auto")]
    #[arg(hide_possible_values = true, hide_short_help = true)]
    pub(crate) strategy: Strategy,
    /// Variable order: NAME, or @FILE
    ///
    /// Names are as-given, force, sloan, cuthill-mckee, greedy, sum-of-tops, nupn, hub, invariants
    /// and others (a wrong name lists them all); `auto` tries several and takes the best, and -v
    /// says which and why. `@FILE` loads what --save-order saved.
    #[arg(long, global = true, value_name = "ORDER", default_value = "auto")]
    pub(crate) variable_order: OsString,
    /// Save the variable order that `states` used
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) save_order: Option<PathBuf>,
    /// Components of `--diagram set`: NAME, or @FILE
    ///
    /// How variables are grouped: `flat` (one component), `nupn` or `pages` (what came with the
    /// net), `groups:N` (N neighbours in the variable order), `recursive` (halves of halves),
    /// `indexed` and `indexed-recursive` (by the numbers in names), `repeated` (parts that look
    /// alike); `auto` tries some and takes the one with the fewest steps, and -v says which and
    /// why. `@FILE` loads what --save-hierarchy saved.
    #[arg(long, global = true, value_name = "NAME", default_value = "auto")]
    #[arg(hide_short_help = true)]
    pub(crate) hierarchy: OsString,
    /// Save the hierarchy that `states` used
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) save_hierarchy: Option<PathBuf>,
    /// Tree of bits of `--diagram sentential`: NAME, or @FILE
    ///
    /// Shapes over the variable order: `right-linear` (a binary diagram), `left-linear`, `balanced`,
    /// `vertical`; shapes by what belongs together: `minfill` and `minfill-hubs` (what events tie
    /// together), `components`, `cells` (numbers whose sum never changes, place by place), and by
    /// agents `agent-given`, `bounded-sqrt-1`, `per-bit` and others (a wrong name lists them all);
    /// `auto` lets some race, and -v says which won. `@FILE` loads what --save-vtree saved, in the
    /// format of UCLA's SDD package.
    #[arg(long, global = true, value_name = "NAME", default_value = "auto")]
    #[arg(hide_short_help = true)]
    pub(crate) vtree: OsString,
    /// Save the vtree that `states` used
    #[arg(long, global = true, value_name = "FILE", hide_short_help = true)]
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) save_vtree: Option<PathBuf>,
    /// Another value for a parameter of a GCL model
    ///
    /// A model of guarded commands may have parameters, such as `param N = 3`; `--param N=5` gives
    /// one another value. May be given several times.
    #[arg(long = "param", global = true, value_name = "NAME=NUMBER", value_parser = parse_parameter)]
    #[arg(hide_short_help = true)]
    pub(crate) parameters: Vec<checker::Override>,
    /// Move variables of `--diagram bdd` and `sentential`: off, result, dynamic
    ///
    /// `off` leaves them where the variable order or the vtree has put them. `result` looks once for
    /// a better order, or a better vtree, when all reachable states are known. `dynamic` does so
    /// whenever the diagrams have grown enough, also in the midst of an operation.
    #[arg(long, global = true, value_name = "WHEN", default_value = "off")]
    #[arg(hide_short_help = true)]
    pub(crate) reorder: Reorder,
    /// How steps of `--diagram sentential` quantify; for measurements
    #[arg(long, global = true, value_name = "WAY", default_value = "one-pass", hide = true)]
    pub(crate) quantification: QuantificationWay,
    /// Exchange equal members of colour classes: auto, off, on, …
    ///
    /// Of a coloured net whose members can be exchanged for one another only one of all markings is
    /// stored that differ by such an exchange. `counters` counts members by what they hold; `on`
    /// takes the best way there is, and ends with status 2 where the net has no symmetry; `auto`
    /// does the same where it pays, and -v says what was done and why; `off` tells all members
    /// apart. A member that a formula names is told apart from the others. Numbers of states and
    /// runs are always those of the net.
    #[arg(long, global = true, value_name = "HOW", default_value = "auto")]
    #[arg(hide_possible_values = true, hide_short_help = true)]
    pub(crate) symmetry: Symmetry,
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
    /// Whether runs that come to a dead state end there (`maximal`), stay there for ever
    /// (`stutter`), or do not count (`infinite`). `auto` is as in the Model Checking Contest:
    /// stutter for LTL, maximal for everything else.
    #[arg(long, global = true, value_name = "KIND", default_value = "auto")]
    #[arg(hide_possible_values = true, hide_short_help = true)]
    pub(crate) paths: PathKind,
    /// Use diagrams alone: no proof, no walk, no local search
    #[arg(long, global = true, hide_short_help = true)]
    pub(crate) no_shortcuts: bool,
    /// How long to look for a shorter run [default: 1]
    ///
    /// Once a verdict is proved and a run is known, or walks can find one, a shorter run is looked
    /// for this many seconds; for several formulas, up to four times as long. At a terminal the
    /// default is 3; the progress line shows what is known, and Ctrl-C ends the search with it. With
    /// -q nothing is looked for.
    #[arg(long, global = true, value_name = "SECONDS", hide_short_help = true)]
    #[arg(value_parser = parse_grace, allow_hyphen_values = true)]
    pub(crate) grace: Option<Duration>,
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

/// The format of progress reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressFormat {
    /// One JSON object per line.
    Json,
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

/// A choice of the checker with the words and the help of the command line.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident($choice:ident) { $($variant:ident: $word:literal, $help:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) struct $name(pub(crate) checker::$choice);

        impl ValueEnum for $name {
            fn value_variants<'a>() -> &'a [Self] {
                &[$($name(checker::$choice::$variant)),*]
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                Some(match self.0 {
                    $(checker::$choice::$variant => PossibleValue::new($word).help($help),)*
                })
            }
        }
    };
}

choice! {
    /// How the state space is explored.
    Strategy(StrategyChoice) {
        Auto: "auto", "The best known choice";
        Bfs: "bfs", "Breadth-first search";
        Chaining: "chaining", "Events one after the other, each from all that is known";
        Saturation: "saturation", "From the lowest level upwards";
    }
}

choice! {
    /// Whether variables are moved.
    Reorder(ReorderChoice) {
        Off: "off", "Never";
        Result: "result", "Once, when all reachable states are known";
        Dynamic: "dynamic", "Whenever diagrams have grown enough";
    }
}

choice! {
    /// How steps quantify.
    QuantificationWay(Quantification) {
        OnePass: "one-pass", "Conjunction and quantification in one recursion";
        OneByOne: "one-by-one", "One variable after the other";
        Recursive: "recursive", "By expansion";
    }
}

choice! {
    /// Whether members of colour classes are told apart.
    Symmetry(SymmetryChoice) {
        Auto: "auto", "Where it pays";
        Off: "off", "All members are told apart";
        On: "on", "The best way there is";
        Counters: "counters", "Members are counted by what they hold";
        Markings: "markings", "Markings are stored up to exchange";
    }
}

choice! {
    /// Whether to count edges.
    Edges(EdgesChoice) {
        Auto: "auto", "Where it is cheap";
        Yes: "yes", "Always";
        No: "no", "Never";
    }
}

/// How sets of states are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DiagramKind(pub(crate) checker::Diagram);

impl ValueEnum for DiagramKind {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: &[DiagramKind] = &{
            let mut all = [DiagramKind(checker::Diagram::Auto); checker::Diagram::ALL.len()];
            let mut index = 0;
            while index < checker::Diagram::ALL.len() {
                all[index] = DiagramKind(checker::Diagram::ALL[index]);
                index += 1;
            }
            all
        };
        ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.description()))
    }
}

/// The format of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ModelFormat(pub(crate) checker::Format);

impl ValueEnum for ModelFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            ModelFormat(checker::Format::Pnml),
            ModelFormat(checker::Format::LlNet),
            ModelFormat(checker::Format::Ispl),
            ModelFormat(checker::Format::Gcl),
            ModelFormat(checker::Format::Cnet),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            ModelFormat(checker::Format::Pnml) => {
                PossibleValue::new("pnml").help("Petri Net Markup Language")
            }
            ModelFormat(checker::Format::LlNet) => {
                PossibleValue::new("ll_net").help("The low-level net format of PEP")
            }
            ModelFormat(checker::Format::Ispl) => {
                PossibleValue::new("ispl").help("Multi-agent systems, as MCMAS reads them")
            }
            ModelFormat(checker::Format::Gcl) => PossibleValue::new("gcl").help("Guarded commands"),
            ModelFormat(checker::Format::Cnet) => PossibleValue::new("cnet").help("Coloured nets as text"),
        })
    }
}

/// Reads `N=5`; truth values are 1 and 0.
fn parse_parameter(text: &str) -> Result<checker::Override, String> {
    let wanted = "expected a name and a number, such as N=5";
    let (name, value) = text.split_once('=').ok_or(wanted)?;
    let value = match value.trim() {
        "true" => 1,
        "false" => 0,
        number => number.parse().map_err(|_| wanted)?,
    };
    match name.trim() {
        "" => Err(wanted.to_string()),
        name => Ok(checker::Override { name: name.to_string(), value }),
    }
}

/// Reads a positive number of seconds.
fn parse_seconds(text: &str) -> Result<Duration, String> {
    let wanted = "expected a positive number of seconds, such as 60 or 0.5";
    let seconds: f64 = text.trim().parse().map_err(|_| wanted.to_string())?;
    if !(seconds > 0.0 && seconds.is_finite()) {
        return Err(wanted.to_string());
    }
    // A limit beyond what a clock can hold is as good as none; a thousand years will do.
    Ok(Duration::from_secs_f64(seconds.min(3.2e10)))
}

/// Reads a number of seconds, 0 included.
fn parse_grace(text: &str) -> Result<Duration, String> {
    match text.trim().parse() {
        Ok(0.0) => Ok(Duration::ZERO),
        _ => parse_seconds(text)
            .map_err(|wanted| wanted.replace("a positive number", "0 or a positive number")),
    }
}

/// The least memory limit: the program and its empty tables take about half of it.
const LEAST_MEMORY: u64 = 16 << 20;

/// Reads a size of memory.
fn parse_memory(text: &str) -> Result<u64, String> {
    match checker::parse_size(text) {
        Some(bytes) if bytes >= LEAST_MEMORY => Ok(bytes),
        Some(1..) => Err("the program itself needs more; give at least 16M".to_string()),
        _ => Err("expected a size such as 200M or 8G (K, M, G, T are powers of 1024)".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
