//! Loading: from a source (bytes of a file, or a built-in family) to a model ready for questions.
//!
//! The format is recognised by content, then by the name of the file. A net is read, analysed and
//! lowered to the event model; agents and guarded commands are lowered by their own crates.
//! Warnings of the readers are kept in the [`Loaded`] for the front end.

mod agents;
mod coloured;
mod commands;
mod folded;
mod members;

use crate::colours::Colours;
use crate::error::{Error, InputError};
use crate::loaded::{Format, Loaded, Questions, Source, Written, input_error};
use crate::stop::Stop;
pub(crate) use folded::Symmetry;
pub use folded::{Needs, NetUse};
use members::by_members;
use std::sync::Arc;
use symbolon_budget::Budget;
use symbolon_coloured::read::{is_coloured_pnml, read_pnml};
use symbolon_coloured::text;
use symbolon_counters::Form;
use symbolon_model::Model;
use symbolon_petri::analysis::{Analysis, AnalysisOptions, analyse};
use symbolon_petri::families::{self, FamilyError};
use symbolon_petri::read::{self, guess_format, read_net};
use symbolon_petri::{Net, ReadFailure, into_model, lower_with};

/// The most names that a warning lists; the others are counted.
const MOST_NAMES: usize = 3;

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
        None if name.to_ascii_lowercase().ends_with(".cnet") || text::guess(&head) => Format::Cnet,
        // An unknown format is read as PNML, because the PNML reader has the best messages.
        None => Format::Pnml,
    }
}

/// Reads or generates a model, analyses and lowers it.
pub(crate) fn load(source: Source, budget: &Budget) -> Result<Loaded, Stop> {
    load_with(source, &Symmetry::told_apart(), budget, keeping_net)
}

/// Like [`load`], but a coloured net may be folded by its symmetry.
pub(crate) fn load_folded(source: Source, symmetry: Symmetry, budget: &Budget) -> Result<Loaded, Stop> {
    let loaded = match symmetry.net() {
        NetUse::Unused => load_with(source, &symmetry, budget, giving_up_net)?,
        NetUse::Welcome | NetUse::Needed => load_with(source, &symmetry, budget, keeping_net)?,
    };
    symmetry.check(&loaded)?;
    Ok(loaded)
}

fn keeping_net(net: Net, analysis: &Analysis) -> (Written, Model) {
    let model = lower_with(&net, analysis);
    (Written::Net(Arc::new(net)), model)
}

/// Like [`load`], for questions that look at the model alone ([`NetUse::Unused`]).
pub(crate) fn load_model(source: Source, budget: &Budget) -> Result<Loaded, Stop> {
    load_with(source, &Symmetry::told_apart(), budget, giving_up_net)
}

fn giving_up_net(net: Net, analysis: &Analysis) -> (Written, Model) {
    (Written::NetAsModel, into_model(net, analysis))
}

/// Like [`load`], for questions that look at the structure of a net alone: no model is made of it,
/// which halves what a large one takes.
pub(crate) fn load_structure(source: Source, budget: &Budget) -> Result<Loaded, Stop> {
    load_with(source, &Symmetry::told_apart(), budget, |net, _| {
        (Written::Net(Arc::new(net)), Model::default())
    })
}

fn load_with(
    source: Source,
    symmetry: &Symmetry,
    budget: &Budget,
    lowered: impl FnOnce(Net, &Analysis) -> (Written, Model),
) -> Result<Loaded, Stop> {
    let (name, read) = match source {
        Source::Family(text) if agents::is_family(&text) => return agents::load_family(&text, budget),
        Source::Family(text) if coloured::is_family(&text) => {
            let net = coloured::generated(&text, symmetry, budget)?;
            (text, net)
        }
        Source::Family(text) => {
            let net =
                families::parse(&text).and_then(|(family, parameters)| family.generate(&parameters, budget));
            let net = match net {
                Ok(net) => ReadNet::plain(net, Vec::new()),
                Err(FamilyError::Interrupted(why)) => return Err(why.into()),
                Err(error) => {
                    let hint = "command ‹models› lists the built-in families";
                    return Err(InputError::plain(error.to_string()).with_hint(hint).into());
                }
            };
            (text, net)
        }
        Source::Bytes { name, bytes, format, parameters } => {
            let read = match format.unwrap_or_else(|| format_of(&name, &bytes)) {
                Format::Pnml if is_coloured_pnml(&bytes, budget) => {
                    let reading = read_pnml(&bytes, budget);
                    drop(bytes);
                    coloured::read(&name, reading, symmetry, budget)?
                }
                Format::Pnml => plain_net(&name, &bytes, read::Format::Pnml, budget)?,
                Format::LlNet => plain_net(&name, &bytes, read::Format::LlNet, budget)?,
                Format::Cnet => coloured::read(&name, text::read_text(&bytes, budget), symmetry, budget)?,
                Format::Ispl => return agents::load_agents(name, &bytes, budget),
                Format::Gcl => return commands::load_commands(name, &bytes, &parameters, budget),
            };
            (name, read)
        }
    };
    let read = match symmetry.is_demanded() {
        true => by_members(read, symmetry, budget)?,
        false => read,
    };
    let ReadNet { form, colours, warnings, symmetry } = read;
    let (source, model, analysis) = match form {
        Form::Net(net) => {
            let analysis = analyse(&net, &AnalysisOptions::default(), budget)?;
            let (source, model) = lowered(*net, &analysis);
            (source, model, analysis)
        }
        Form::Model(model) => {
            let upper_bounds = model.facts.upper_bounds.clone();
            (Written::NetAsModel, *model, Analysis { upper_bounds, ..Analysis::default() })
        }
    };
    let questions = Questions::default();
    Ok(Loaded { name, source, colours, model, analysis, questions, warnings, symmetry })
}

/// Reads a place/transition net.
fn plain_net(name: &str, bytes: &[u8], format: read::Format, budget: &Budget) -> Result<ReadNet, Stop> {
    let reading = read_net(bytes, format, budget).map_err(|failure| unreadable(name, failure))?;
    let found = reading.warnings.iter().map(|finding| input_error(name, finding));
    let warnings = found.chain(unconnected(name, &reading.net)).collect();
    Ok(ReadNet::plain(reading.net, warnings))
}

/// A net that was read or generated.
struct ReadNet {
    form: Form,
    /// The coloured net that it was made of.
    colours: Option<Box<Colours>>,
    warnings: Vec<InputError>,
    /// What became of the symmetry of a coloured net, in words.
    symmetry: Option<String>,
}

impl ReadNet {
    fn plain(net: Net, warnings: Vec<InputError>) -> ReadNet {
        ReadNet { form: Form::Net(Box::new(net)), colours: None, warnings, symmetry: None }
    }
}

/// Why a file was not read.
fn unreadable(name: &str, failure: ReadFailure) -> Stop {
    match failure {
        ReadFailure::Interrupted(why) => why.into(),
        ReadFailure::Invalid(error) => {
            let findings = error.diagnostics.iter().map(|finding| input_error(name, finding));
            Error::Input(findings.collect()).into()
        }
    }
}

/// A warning about transitions without arcs, which are probably mistakes. A net with one has no
/// deadlock, whatever its other parts do.
fn unconnected(file: &str, net: &Net) -> Option<InputError> {
    let isolated = net.transitions.iter().filter(|transition| transition.is_isolated());
    let names: Vec<String> = isolated.map(|transition| format!("'{}'", transition.id)).collect();
    let (first, rest) = names.split_at(names.len().min(MOST_NAMES));
    let message = match (first, rest.len()) {
        ([], _) => return None,
        ([one], _) => {
            format!("transition {one} has no arcs: it can always fire, so the net has no deadlock")
        }
        (several, more) => {
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let several = several.join(", ");
            format!(
                "transitions {several}{more} have no arcs: they can always fire, so the net has no deadlock"
            )
        }
    };
    Some(InputError { file: Some(file.to_string()), is_warning: true, ..InputError::plain(message) })
}
