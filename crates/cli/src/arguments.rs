//! The command line as it is declared: each flag once. Help, completions and the manual page all
//! come from here: the commands, in `of_commands.rs` what each of them takes, in `global.rs` what
//! may stand anywhere.

mod global;
mod mcmas_words;
mod of_commands;

pub(crate) use global::{ColorWhen, DiagramKind, GlobalOptions, ModelFormat, PathKind, Strategy};
pub(crate) use mcmas_words::split_mcmas;
pub(crate) use of_commands::{
    BoundsArguments, CheckArguments, CompareArguments, CompareFormat, CompareQuestion, CompareRows,
    CompileArguments, CompletionsArguments, ConvertArguments, ConvertTarget, DeadlockArguments,
    DrawArguments, DrawFormat, DrawSubject, InfoArguments, MccArguments, McmasArguments, ModelArguments,
    ModelsArguments, PageArguments, Preset, SimulateArguments, StatesArguments, StrategyKind,
};

use clap::{Args, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;

/// The text below the short help.
const SHORT_EXAMPLE: &str = "Try: symbolon states kanban:5    All options: symbolon help options";

/// The text below the long help.
const LONG_EXAMPLES: &str = "\
Models:
  MODEL is a file (PNML, .ll_net, ISPL or GCL, compressed with gzip or not),
  - for standard input, or a built-in family with its size, such as kanban:5.
  A file of that name wins over a family.
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

More:
  symbolon help COMMAND                what a command does, and its options
  symbolon help options                the options that every command takes
  symbolon help formulas               how formulas are written

Exit status:
  0  done; for `deadlock`: there is none; for `check`: all formulas hold
  1  `deadlock` found one; a formula of `check` fails; `compare` found answers
     that contradict each other
  2  wrong usage or wrong input
  3  unknown: a limit was reached, or Ctrl-C";

/// The page `symbolon help formulas`.
pub(crate) const FORMULA_HELP: &str = "\
Formulas:
  atoms      place (is marked), a + 2*b <= 3, fireable(t), deadlock, true, false
             names that are no plain words in quotes: \"place 1\"
  logic      ! & | -> <->, or: not, and, or
  CTL        AG f, EF f, AX f, EX f, AF f, EG f, A[f U g], E[f U g]
  LTL        A (G F f), A (f U g); operators X F G U W R; a formula without
             A or E at its head is read as A (...)
  CTL*       E (F p & G q), A (F E (G p)) and so on
  agents     K(agent, f) knows, GK(group, f) everyone knows, GCK common, DK
             distributed knowledge, O(agent, f); <group> F f, <group> G f,
             <group> X f, <group> (f U g): the group can bring it about
  precedence AG p -> q is (AG p) -> q
";

/// The text below the long help of `check`.
const CHECK_EXAMPLES: &str = "\
Examples:
  symbolon check philosophers:3 \"AG !deadlock\"
  symbolon check peterson:2 \"AG !(CS_0 & CS_1)\" --formulas more.txt

How formulas are written: symbolon help formulas
Options that every command takes: symbolon help options";

/// The text below the long help of every other command.
pub(crate) const MORE_OPTIONS: &str = "Options that every command takes: symbolon help options";

/// The text below the help of `compare`, whose limits differ from those of other commands.
const COMPARE_LIMITS: &str = "--timeout (here 60 if none is given), --cpu-timeout and --memory are limits of\nevery single cell, not of the whole command.";

/// A symbolic model checker: reads a model, stores its state space as decision diagrams, and
/// answers questions about it.
#[derive(Debug, Parser)]
#[command(
    name = "symbolon",
    version,
    about = "A symbolic model checker for Petri nets, agents and guarded commands",
    after_help = SHORT_EXAMPLE,
    after_long_help = LONG_EXAMPLES,
    disable_help_subcommand = true,
    subcommand_value_name = "COMMAND"
)]
pub(crate) struct Arguments {
    /// The options that may stand anywhere.
    #[command(flatten)]
    pub(crate) global: GlobalOptions,
    /// What to do; nothing means the tour.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

impl Arguments {
    /// What a command line says.
    ///
    /// Our options may stand after any command, and to declare all of them for all commands takes
    /// longer than to explore a small model. So first the command that a word names is declared
    /// alone. If that can be read, it is what all commands together would read: any other word in
    /// the place of the command would have been a mistake. Mistakes and calls for help are read
    /// again with everything declared, so that all commands are listed.
    pub(crate) fn read(words: &[OsString]) -> Result<Arguments, clap::Error> {
        match Arguments::read_one_command(words) {
            Some(arguments) => Ok(arguments),
            None => Arguments::try_parse_from(words),
        }
    }

    fn read_one_command(words: &[OsString]) -> Option<Arguments> {
        let commands = Command::augment_subcommands(clap::Command::new("symbolon"));
        let called = words.iter().skip(1).find_map(|word| commands.find_subcommand(word))?;
        let declared =
            GlobalOptions::augment_args(clap::Command::new("symbolon")).disable_help_subcommand(true);
        let matches = declared.subcommand(called.clone()).try_get_matches_from(words).ok()?;
        Arguments::from_arg_matches(&matches).ok()
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// What kind of net, its size, what its structure proves
    ///
    /// Reads the net and describes it without exploring: its class, arcs and tokens, units or
    /// pages, semiflows and the bounds that they prove, exclusive sets, parts that can never
    /// happen, and the variable order that would be tried first. Each analysis has one second and
    /// says so if that was not enough. With -v the lists: every semiflow, every safe place, every
    /// dead transition, and the components that set diagrams would have (without -v, if --hierarchy
    /// or --diagram set asks for them).
    Info(InfoArguments),
    /// Count the reachable states, exactly
    ///
    /// Explores the whole state space and prints the exact number of states and of edges (pairs of
    /// a state and a transition enabled there), the most tokens in a place and in a marking, and
    /// the size of the diagram. `inf` means that a place was proved unbounded.
    States(StatesArguments),
    /// Is a deadlock reachable? Shows a way to it
    ///
    /// Exit status 1 if a deadlock is reachable, 0 if there provably is none, 3 if that is unknown.
    /// The trace was replayed step by step before it is shown; it says whether a shorter one may
    /// exist. --save keeps it for `simulate --replay` and `draw --trace`.
    Deadlock(DeadlockArguments),
    /// Check formulas: CTL, LTL, CTL*, knowledge, strategies
    ///
    /// A verdict for each formula, and a run that shows it where one can: a way to a state, a loop,
    /// or a tree of both. Every run was replayed step by step before it is shown.
    /// `symbolon help formulas` explains how formulas are written.
    ///
    /// Exit status 0 if all hold, 1 if some formula fails, 3 if none fails but some verdict is
    /// unknown.
    #[command(after_long_help = CHECK_EXAMPLES)]
    Check(CheckArguments),
    /// The most tokens that places ever hold
    ///
    /// The least upper bound of each place, or of a weighted sum of places: exact, from the
    /// structure of the net where a proof meets a marking that was reached, else from all reachable
    /// states. `inf` means that there provably is no bound. Exit status 3 if some bound is unknown.
    Bounds(BoundsArguments),
    /// Compile a propositional formula to a sentential diagram
    ///
    /// Reads a formula in DIMACS format (.cnf), counts its models, and prints how large its diagram
    /// is. --vtree says how variables are arranged: auto and minfill follow which of them occur
    /// together; right-linear, left-linear, balanced and vertical go by their numbers; @FILE loads a
    /// vtree. --reorder result and --reorder dynamic look for a better one. -o writes the diagram and
    /// --save-vtree the vtree, in the format of UCLA's SDD package. Elements are counted twice: with
    /// signs on edges, as here, and without them, as other packages do.
    Compile(CompileArguments),
    /// Write the model in another format
    ///
    /// `pnml` is what was read and nothing else, tidied; `safe-pnml` is a net with as many states
    /// in which no place holds two tokens: places become binary numbers, and a transition one for
    /// each pattern of their bits; `ll_net` is the format of PEP; `dot` is a graph for Graphviz.
    /// `dimacs` is the question whether a deadlock, or what --formula asks for, is reached in
    /// --bound steps, for any SAT solver. Without -o the text goes to standard output.
    Convert(ConvertArguments),
    /// Play a model step by step, by hand or at random
    ///
    /// At a terminal: shows the marking and the enabled transitions by number, and takes commands
    /// (`?` lists them): fire, undo, redo, random walks, why a transition is not enabled, save and
    /// load a trace. From a pipe the same commands are read, one per line; the first that cannot be
    /// carried out ends the run with status 2. With --random nothing is read: the walk is printed.
    /// The seed of chance is --seed.
    Simulate(SimulateArguments),
    /// Draw the net, its states, a diagram or a run
    ///
    /// The picture goes to the file after -o, as SVG or DOT by its name, or to standard output.
    /// Large nets are drawn by their units; a picture too large to read is refused, with a hint.
    /// DOT is never refused: Graphviz lays it out.
    Draw(DrawArguments),
    /// A tour of two minutes
    ///
    /// Shows what Symbolon does on small built-in models: a net, its states, a deadlock and the way
    /// to it. At a terminal it waits for Enter between its stations.
    Demo,
    /// Put one question to many diagrams and strategies
    ///
    /// Asks the same question (how many states, or is there a deadlock) of every model by every
    /// combination of the diagrams, strategies, variable orders and hierarchies that are given,
    /// each in a process of its own, and shows what each of these cells cost. Options such as
    /// --edges and --seed go to all cells; `deadlock` is asked with --no-shortcuts.
    ///
    /// All cells of a model must agree: if they do not, that is said and the exit status is 1. It
    /// is 3 if some cell has no answer, or after Ctrl-C, which shows what there is.
    #[command(after_help = COMPARE_LIMITS)]
    Compare(CompareArguments),
    /// List the built-in families of models
    Models(ModelsArguments),
    /// Answer an examination of the Model Checking Contest
    ///
    /// Prints the contest's own lines, each as soon as it is known: FORMULA and STATE_SPACE lines,
    /// CANNOT_COMPUTE where a limit was reached, DO_NOT_COMPETE for what is not supported.
    Mcc(MccArguments),
    /// Check an ISPL file with the options and lines of MCMAS
    ///
    /// Takes what MCMAS takes, one dash each and the file last, and answers with its lines and its
    /// exit status, so that wrappers work unchanged. `symbolon mcmas -h` lists these options; -q,
    /// -v and -h are among them. The long options of symbolon, which follow here, may stand between
    /// them.
    Mcmas(McmasArguments),
    /// Print a completion script for a shell
    ///
    /// Tab then completes commands, options, families of models, files, and the names of variable
    /// orders, hierarchies, vtrees and methods. What the script prints belongs in a file that the
    /// shell reads:
    ///
    /// bash: symbolon completions bash > ~/.local/share/bash-completion/completions/symbolon
    ///
    /// zsh: symbolon completions zsh > DIR/_symbolon, where DIR is one of $fpath, before compinit
    ///
    /// fish: symbolon completions fish > ~/.config/fish/completions/symbolon.fish
    ///
    /// PowerShell: symbolon completions powershell >> $PROFILE
    Completions(CompletionsArguments),
    /// Print the manual page (roff)
    ///
    /// `symbolon man > ~/.local/share/man/man1/symbolon.1` installs it for `man symbolon`, and
    /// `symbolon man states > ~/.local/share/man/man1/symbolon-states.1` that of a command.
    Man(PageArguments),
    /// Print the long help of symbolon, of a command or of a topic
    Help(PageArguments),
}

impl Command {
    /// The name as the user writes it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Command::States(_) => "states",
            Command::Deadlock(_) => "deadlock",
            Command::Check(_) => "check",
            Command::Compare(_) => "compare",
            Command::Compile(_) => "compile",
            Command::Convert(_) => "convert",
            Command::Simulate(_) => "simulate",
            Command::Draw(_) => "draw",
            Command::Info(_) => "info",
            Command::Bounds(_) => "bounds",
            Command::Demo => "demo",
            Command::Models(_) => "models",
            Command::Mcc(_) => "mcc",
            Command::Mcmas(_) => "mcmas",
            Command::Completions(_) => "completions",
            Command::Man(_) => "man",
            Command::Help(_) => "help",
        }
    }
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
    fn one_command_is_read_as_among_all() {
        for line in [
            "symbolon states kanban:5 --json",
            "symbolon -v check kanban:5 --timeout 3 --formulas states",
            "symbolon info states",
            "symbolon --save-order states info kanban:5",
            "symbolon --save-order states states kanban:5",
            "symbolon help states",
            "symbolon mcmas",
            "symbolon states",
            "symbolon states --help",
            "symbolon kanban:5 states",
            "symbolon states info kanban:5",
            "symbolon",
        ] {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let shown = |read: Result<Arguments, clap::Error>| match read {
                Ok(arguments) => format!("{arguments:?}"),
                Err(error) => error.to_string(),
            };
            assert_eq!(shown(Arguments::read(&words)), shown(Arguments::try_parse_from(&words)), "{line}");
        }
        let words = ["symbolon", "states", "kanban:5"].map(OsString::from);
        assert!(Arguments::read_one_command(&words).is_some(), "the usual case takes the short way");
    }

    #[test]
    fn the_short_help_fits_a_screen() {
        let help = Arguments::command().term_width(80).render_help().to_string();
        assert!(help.lines().count() <= 34, "{} lines:\n{help}", help.lines().count());
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "too long: {line}");
        }
    }
}
