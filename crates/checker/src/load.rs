//! From a source to a model: read or generate, analyse, lower.

mod agents;
mod commands;

use crate::error::{Error, InputError};
use crate::property::Property;
use crate::stop::Stop;
use symbolon_budget::Budget;
pub use symbolon_gcl::Override;
use symbolon_logic::Formula;
use symbolon_model::{Atom, Model, Predicate};
use symbolon_petri::analysis::{Analysis, AnalysisOptions, Boundedness, analyse};
use symbolon_petri::families::{self, FamilyError};
use symbolon_petri::read::{self, guess_format, read_net};
use symbolon_petri::{Diagnostic, Net, ReadFailure, Severity, lower_away, lower_with};

/// So many names stand in a warning; the others are counted.
const MOST_NAMES: usize = 3;

/// Where a model comes from.
#[derive(Clone, Debug)]
pub enum Source {
    /// A built-in family with parameters, such as `kanban:5`.
    Family(String),
    /// A file.
    Bytes {
        /// Its name, for messages and to guess the format.
        name: String,
        /// Its content.
        bytes: Vec<u8>,
        /// Its format, if the user said so.
        format: Option<Format>,
        /// Other values for its parameters, where it has some.
        parameters: Vec<Override>,
    },
}

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Petri nets in the Petri Net Markup Language.
    Pnml,
    /// Petri nets in the low-level format of PEP.
    LlNet,
    /// Multi-agent systems in the Interpreted Systems Programming Language.
    Ispl,
    /// Guarded commands.
    Gcl,
}

/// The format of a file, by its name or else by its content.
fn format_of(name: &str, bytes: &[u8]) -> Format {
    const HEAD: usize = 4000;
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]);
    let is_agents = || {
        // Comments and `Semantics` may come before the first agent.
        let mut lines = head.lines().map(str::trim_start).filter(|line| !line.starts_with("--"));
        lines
            .find(|line| !line.is_empty())
            .is_some_and(|line| line.starts_with("Agent ") || line.starts_with("Semantics"))
    };
    match guess_format(bytes, Some(name)) {
        Some(read::Format::Pnml) => Format::Pnml,
        Some(read::Format::LlNet) => Format::LlNet,
        None if name.to_ascii_lowercase().ends_with(".ispl") || is_agents() => Format::Ispl,
        None if name.to_ascii_lowercase().ends_with(".gcl") => Format::Gcl,
        // What is no known format is read as PNML, whose reader knows what to say about it.
        None => Format::Pnml,
    }
}

/// What a model was written as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// A Petri net.
    #[default]
    Net,
    /// Agents with protocols and evolutions.
    Agents,
    /// Guarded commands.
    Commands,
}

impl Language {
    /// What something written in this language is.
    pub fn noun(self) -> &'static str {
        match self {
            Language::Net => "a Petri net",
            Language::Agents => "a multi-agent system",
            Language::Commands => "a system of guarded commands",
        }
    }
}

/// A model that is ready for questions.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// How the user calls it.
    pub name: String,
    /// What it was written as.
    pub language: Language,
    /// The net; without places where the model was written as something else.
    pub net: Net,
    /// What was proved of the net.
    pub analysis: Analysis,
    /// Its event model.
    pub model: Model,
    /// What the source itself names and asks.
    pub questions: Questions,
    /// The agents as they were written, where these are a multi-agent system.
    pub agents: Option<Box<AgentSource>>,
    /// What the reader wants to say.
    pub warnings: Vec<InputError>,
}

/// A multi-agent system as it was written.
#[derive(Clone, Debug)]
pub struct AgentSource {
    /// Its text, as a tree.
    pub tree: symbolon_ispl::System,
    /// For each reaction of the model's step, in order, and each of its lines, the evolution line that it comes from.
    pub lines: Vec<Vec<symbolon_ispl::LineSource>>,
}

/// What a source names and asks besides describing a model. Nets do neither.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// Statements about one state that formulas may use by name.
    pub atoms: Vec<(String, Predicate)>,
    /// What holds again and again on every path that counts.
    pub fairness: Vec<Formula<Atom>>,
    /// What is asked, in the order of the source.
    pub properties: Vec<Property>,
    /// The same as the established checker of the language prints it, for those who speak its protocol.
    pub reference_texts: Vec<String>,
}

impl Loaded {
    /// A net with what was proved of it.
    pub fn of_net(name: String, net: Net, analysis: Analysis, model: Model) -> Loaded {
        let (language, questions) = (Language::Net, Questions::default());
        Loaded { name, language, net, analysis, model, questions, agents: None, warnings: Vec::new() }
    }

    /// A model that never was a net.
    pub fn of_model(name: String, language: Language, model: Model, questions: Questions) -> Loaded {
        let net = Net { name: model.name.clone(), ..Net::default() };
        let largest = |id| model.values_of(id).count().map(|count| count.saturating_sub(1));
        let upper_bounds: Vec<Option<u64>> = model.variable_ids().map(largest).collect();
        let is_bounded = upper_bounds.iter().all(Option::is_some);
        let boundedness = if is_bounded { Boundedness::Bounded } else { Boundedness::Unknown };
        let analysis = Analysis { upper_bounds, boundedness, ..Analysis::default() };
        Loaded { name, language, net, analysis, model, questions, agents: None, warnings: Vec::new() }
    }

    /// Refuses a question that only nets can answer, such as "bounds of places".
    pub fn demand_net(&self, question: &str) -> Result<(), Error> {
        if self.language == Language::Net {
            return Ok(());
        }
        let message = format!("{question}: only of Petri nets; '{}' is {}", self.name, self.language.noun());
        Err(InputError::plain(message).into())
    }

    /// The name of a place that is proved to be unbounded.
    pub fn unbounded_place(&self) -> Option<&str> {
        match &self.analysis.boundedness {
            Boundedness::Unbounded(pump) => Some(&self.model.variables[pump.place.index()].name),
            Boundedness::Bounded | Boundedness::Unknown => None,
        }
    }
}

/// Reads or generates a model, analyses and lowers it.
pub fn load(source: Source, budget: &Budget) -> Result<Loaded, Stop> {
    load_with(source, budget, |net, analysis| {
        let model = lower_with(&net, analysis);
        (net, model)
    })
}

/// Like [`load`], for questions that look at the model alone: the net is given up while the model is made, which halves
/// what a large one takes, and has neither places nor transitions afterwards.
pub fn load_model(source: Source, budget: &Budget) -> Result<Loaded, Stop> {
    load_with(source, budget, |net, analysis| {
        let bones = Net { name: net.name.clone(), ..Net::default() };
        (bones, lower_away(net, analysis))
    })
}

fn load_with(
    source: Source,
    budget: &Budget,
    lowered: impl FnOnce(Net, &Analysis) -> (Net, Model),
) -> Result<Loaded, Stop> {
    let (name, read) = match source {
        Source::Family(text) if agents::is_family(&text) => return agents::load_family(&text, budget),
        Source::Family(text) => {
            let net =
                families::parse(&text).and_then(|(family, parameters)| family.generate(&parameters, budget));
            let net = match net {
                Ok(net) => (net, Vec::new()),
                Err(FamilyError::Interrupted(why)) => return Err(why.into()),
                Err(error) => {
                    let hint = "'symbolon models' lists the built-in families";
                    return Err(InputError::plain(error.to_string()).with_hint(hint).into());
                }
            };
            (text, net)
        }
        Source::Bytes { name, bytes, format, parameters } => {
            let format = match format.unwrap_or_else(|| format_of(&name, &bytes)) {
                Format::Pnml => read::Format::Pnml,
                Format::LlNet => read::Format::LlNet,
                Format::Ispl => return agents::load_agents(name, &bytes, budget),
                Format::Gcl => return commands::load_commands(name, &bytes, &parameters, budget),
            };
            let read = match read_net(&bytes, format, budget) {
                Ok(reading) => {
                    let found = reading.warnings.iter().map(|finding| input_error(&name, finding));
                    let warnings = found.chain(unconnected(&name, &reading.net)).collect();
                    (reading.net, warnings)
                }
                Err(ReadFailure::Interrupted(why)) => return Err(why.into()),
                Err(ReadFailure::Invalid(error)) => {
                    let findings = error.diagnostics.iter().map(|finding| input_error(&name, finding));
                    return Err(Error::Input(findings.collect()).into());
                }
            };
            (name, read)
        }
    };
    let (net, warnings) = read;
    let analysis = analyse(&net, &AnalysisOptions::default(), budget)?;
    let (net, model) = lowered(net, &analysis);
    Ok(Loaded { warnings, ..Loaded::of_net(name, net, analysis, model) })
}

/// A warning about transitions without arcs, which somebody probably forgot to connect. A net with one has no
/// deadlock, whatever its other parts do.
fn unconnected(file: &str, net: &Net) -> Option<InputError> {
    let isolated = net.transitions.iter().filter(|transition| transition.is_isolated());
    let names: Vec<String> = isolated.map(|transition| format!("'{}'", transition.id)).collect();
    let (first, rest) = names.split_at(names.len().min(MOST_NAMES));
    let message = match (first, rest.len()) {
        ([], _) => return None,
        ([one], _) => {
            format!("transition {one} has no arcs: it can always fire, so that nothing is ever a deadlock")
        }
        (several, more) => {
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let several = several.join(", ");
            format!(
                "transitions {several}{more} have no arcs: they can always fire, so that nothing is ever a deadlock"
            )
        }
    };
    Some(InputError { file: Some(file.to_string()), is_warning: true, ..InputError::plain(message) })
}

/// A finding of a reader about `file`.
pub(crate) fn input_error(file: &str, finding: &Diagnostic) -> InputError {
    InputError {
        message: finding.message.clone(),
        file: Some(file.to_string()),
        line: finding.line,
        column: finding.column,
        hint: finding.hint.clone(),
        excerpt: finding.excerpt.clone(),
        is_warning: finding.severity == Severity::Warning,
        is_unsupported: finding.severity == Severity::Unsupported,
        is_syntax: false,
    }
}
