//! The same model in another format: PNML as we understood it, a safe net, `.ll_net`, a graph.

use crate::ask::ask;
use crate::drawing::{DrawOptions, PictureFormat, Subject, draw};
use crate::error::{Error, InputError};
use crate::loaded::{AgentSource, Language, Loaded};
use crate::options::Options;
use crate::stop::Stop;
use std::fmt;
use std::sync::Arc;
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::{Explored, Question, StateSets};
use symbolon_gcl::of_model;
use symbolon_petri::analysis::{AnalysisOptions, analyse, redundant_parts};
use symbolon_petri::incidence::Incidence;
use symbolon_petri::transform::{
    MOST_TRANSITIONS, SafeFailure, drop_dead_parts, drop_redundant_parts, to_safe_net,
};
use symbolon_petri::write::{write_ll_net, write_pnml_to};
use symbolon_petri::{Net, UnitClaim, lower, lower_with, net_of};

/// A format that nets can be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// PNML, with what was read and nothing else; a coloured net keeps its colours.
    Pnml,
    /// PNML of the place/transition net that a coloured net unfolds to.
    UnfoldedPnml,
    /// A coloured net as text.
    Cnet,
    /// PNML of a safe net with as many states: places that hold several tokens become binary
    /// numbers.
    SafePnml,
    /// The low-level net format of PEP.
    LlNet,
    /// The net as a graph, for Graphviz.
    Dot,
    /// Guarded commands.
    Gcl,
    /// Multi-agent systems, one section after the other, brackets only where they are needed.
    Ispl,
}

impl Target {
    /// How users call it.
    pub fn name(self) -> &'static str {
        match self {
            Target::Pnml => "pnml",
            Target::UnfoldedPnml => "unfolded-pnml",
            Target::Cnet => "cnet",
            Target::SafePnml => "safe-pnml",
            Target::LlNet => "ll_net",
            Target::Dot => "dot",
            Target::Gcl => "gcl",
            Target::Ispl => "ispl",
        }
    }
}

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// The format.
    pub target: Target,
    /// Leave out what was proved never to do anything.
    pub drop_dead: bool,
    /// Leave out what adds nothing: equal transitions, constant places, places that another one
    /// implies.
    pub drop_redundant: bool,
}

/// The answer of `convert`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertReport {
    /// The model in the new format.
    pub text: ConvertedText,
    /// What it is made of.
    pub size: ConvertedSize,
    /// What was done, in sentences.
    pub notes: Vec<String>,
    /// What the new format lacks.
    pub warnings: Vec<InputError>,
}

/// The text of a converted model. It is displayed piece by piece, since that of a large net takes more
/// memory than the net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConvertedText {
    /// The text.
    Ready(String),
    /// That of a net in PNML.
    Pnml(Arc<Net>),
}

impl fmt::Display for ConvertedText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConvertedText::Ready(text) => out.write_str(text),
            ConvertedText::Pnml(net) => write_pnml_to(net, out),
        }
    }
}

impl From<String> for ConvertedText {
    fn from(text: String) -> ConvertedText {
        ConvertedText::Ready(text)
    }
}

/// What a converted model is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConvertedSize {
    /// A net, or what is as simple as one: variables and commands with their parts.
    Net {
        /// Its places.
        places: u64,
        /// Its transitions.
        transitions: u64,
        /// Its arcs.
        arcs: u64,
    },
    /// A multi-agent system.
    Agents {
        /// Its agents, the environment among them.
        agents: u64,
        /// Their variables.
        variables: u64,
        /// What it asks.
        formulas: u64,
    },
    /// A question as a propositional formula.
    Formula {
        /// Its variables.
        variables: u64,
        /// Its clauses.
        clauses: u64,
    },
}

/// Writes the model in another format.
pub(crate) fn convert(
    loaded: &Loaded,
    conversion: &Conversion,
    options: &Options,
    budget: &Budget,
) -> Result<ConvertReport, Stop> {
    match (loaded.agents(), conversion.target) {
        (Some(source), Target::Ispl) => {
            return Ok(agents(loaded, source, conversion));
        }
        (Some(_), target) => {
            let message = format!(
                "'{}' is a multi-agent system, which {} does not express",
                loaded.name,
                target.name()
            );
            let hint = "command ‹convert› with option ‹to ispl› reformats the file; command ‹draw› with option ‹what states› draws its states";
            return Err(InputError::plain(message).with_hint(hint).into());
        }
        (None, Target::Ispl) => {
            let message = format!(
                "'{}' is {}, and ISPL describes multi-agent systems",
                loaded.name,
                loaded.language().noun()
            );
            let hint = "command ‹convert› with option ‹to gcl› writes every model whose events are one after the other";
            return Err(InputError::plain(message).with_hint(hint).into());
        }
        (None, _) => {}
    }
    match (loaded.colours.as_deref(), conversion.target) {
        (Some(colours), Target::Pnml | Target::Cnet) => return Ok(coloured(&colours.net, conversion)),
        (None, Target::Cnet) => {
            let message = format!("'{}' is not a coloured net", loaded.name);
            let hint = "option ‹to pnml› writes a net without colours";
            return Err(InputError::plain(message).with_hint(hint).into());
        }
        _ => {}
    }
    let mut notes = Vec::new();
    // Commands that are as simple as transitions are a net, too.
    let as_net = match (loaded.language(), conversion.target) {
        (Language::Net, _) | (_, Target::Gcl) => None,
        (Language::Agents | Language::Commands, _) => {
            let net = net_of(&loaded.model);
            let net = net
                .map_err(|why| Error::Input(vec![InputError::plain(format!("this is not a net: {why}"))]))?;
            Some(analysed_anew(loaded, net, budget)?)
        }
    };
    let loaded = as_net.as_ref().unwrap_or(loaded);
    if loaded.language() != Language::Net {
        // Only nets are analysed for such parts.
        if conversion.drop_dead {
            notes.push("nothing was proved dead, so nothing is dropped".to_string());
        }
        if conversion.drop_redundant {
            notes.push("redundant parts are looked for in nets only".to_string());
        }
        return Ok(commands(loaded, None, notes)?);
    }
    let smaller = without_needless_parts(loaded, conversion, &mut notes);
    let net = smaller.as_ref().unwrap_or(loaded.net());
    match conversion.target {
        Target::Pnml | Target::UnfoldedPnml => {
            let net = smaller.map_or_else(|| loaded.shared_net(), Arc::new);
            return Ok(pnml(net, notes));
        }
        Target::LlNet => return Ok(ll_net(net, notes)?),
        Target::Gcl => return Ok(commands(loaded, smaller.as_ref(), notes)?),
        Target::SafePnml | Target::Dot | Target::Ispl | Target::Cnet => {}
    }
    let smaller = smaller.map(|net| analysed_anew(loaded, net, budget)).transpose()?;
    let loaded = smaller.as_ref().unwrap_or(loaded);
    if conversion.target == Target::Dot {
        return dot(loaded, notes, options, budget);
    }
    safe_pnml(loaded, notes, options, budget)
}

/// The model as guarded commands, or that of a smaller net.
fn commands(loaded: &Loaded, smaller: Option<&Net>, notes: Vec<String>) -> Result<ConvertReport, Error> {
    let lowered = smaller.map(lower);
    let model = lowered.as_ref().unwrap_or(&loaded.model);
    let program = of_model(model).map_err(|why| Error::Input(vec![InputError::plain(why.to_string())]))?;
    let part_count = model.events.iter().map(|event| event.parts.len() as u64).sum();
    Ok(ConvertReport {
        text: program.to_string().into(),
        size: ConvertedSize::Net {
            places: model.variables.len() as u64,
            transitions: model.events.len() as u64,
            arcs: part_count,
        },
        notes,
        warnings: Vec::new(),
    })
}

/// A coloured net with its colours.
fn coloured(net: &symbolon_coloured::Net, conversion: &Conversion) -> ConvertReport {
    let mut warnings = Vec::new();
    for (is_asked, option) in
        [(conversion.drop_dead, "drop-dead"), (conversion.drop_redundant, "drop-redundant")]
    {
        if is_asked {
            let message = format!("option ‹{option}› has no effect on a net that keeps its colours");
            warnings.push(InputError { is_warning: true, ..InputError::plain(message) });
        }
    }
    ConvertReport {
        text: match conversion.target {
            Target::Cnet => symbolon_coloured::text::print_text(net).into(),
            _ => symbolon_coloured::write::write_pnml(net).into(),
        },
        size: ConvertedSize::Net {
            places: net.places.len() as u64,
            transitions: net.transitions.len() as u64,
            arcs: net.transitions.iter().map(|transition| transition.arcs.len() as u64).sum(),
        },
        notes: Vec::new(),
        warnings,
    }
}

/// The agents as the printer writes them.
fn agents(loaded: &Loaded, source: &AgentSource, conversion: &Conversion) -> ConvertReport {
    let mut warnings = Vec::new();
    if conversion.drop_dead {
        warnings.push(warning("option ‹drop-dead› has no effect on agents"));
    }
    if conversion.drop_redundant {
        warnings.push(warning("option ‹drop-redundant› has no effect on agents"));
    }
    ConvertReport {
        text: source.tree.to_string().into(),
        size: ConvertedSize::Agents {
            agents: source.tree.all_agents().count() as u64,
            variables: loaded.model.variables.len() as u64,
            formulas: source.tree.formulae.len() as u64,
        },
        notes: vec!["comments are left out".to_string()],
        warnings,
    }
}

/// The net without the parts that the conversion leaves out, if it has any.
fn without_needless_parts(loaded: &Loaded, conversion: &Conversion, notes: &mut Vec<String>) -> Option<Net> {
    let alive = conversion.drop_dead.then(|| without_dead(loaded, notes)).flatten();
    let distinct = conversion
        .drop_redundant
        .then(|| without_redundant(alive.as_ref().unwrap_or(loaded.net()), notes))
        .flatten();
    distinct.or(alive)
}

/// The net without its redundant parts, if it has any.
fn without_redundant(net: &Net, notes: &mut Vec<String>) -> Option<Net> {
    let smaller = drop_redundant_parts(net, &redundant_parts(net, &Incidence::new(net))).result;
    let places = net.places.len() - smaller.places.len();
    let transitions = net.transitions.len() - smaller.transitions.len();
    if places == 0 && transitions == 0 {
        notes.push("nothing is redundant, so nothing is dropped".to_string());
        return None;
    }
    notes.push(format!("dropped as redundant: places {places}, transitions {transitions}"));
    Some(smaller)
}

/// The net without its dead parts, if it has any.
fn without_dead(loaded: &Loaded, notes: &mut Vec<String>) -> Option<Net> {
    let dead = &loaded.analysis.dead;
    if dead.places.is_empty() && dead.transitions.is_empty() {
        notes.push("nothing was proved dead, so nothing is dropped".to_string());
        return None;
    }
    let net = drop_dead_parts(loaded.net(), dead).result;
    notes.push(format!(
        "dropped as dead: places {}, transitions {}",
        loaded.net().places.len() - net.places.len(),
        loaded.net().transitions.len() - net.transitions.len()
    ));
    Some(net)
}

/// Another net in the place of the one that was read.
fn analysed_anew(loaded: &Loaded, net: Net, budget: &Budget) -> Result<Loaded, Interrupted> {
    let analysis = analyse(&net, &AnalysisOptions::default(), budget)?;
    let model = lower_with(&net, &analysis);
    Ok(Loaded::of_net(loaded.name.clone(), net, analysis, model))
}

fn report(
    net: &Net,
    text: impl Into<ConvertedText>,
    notes: Vec<String>,
    warnings: Vec<InputError>,
) -> ConvertReport {
    ConvertReport {
        text: text.into(),
        size: ConvertedSize::Net {
            places: net.places.len() as u64,
            transitions: net.transitions.len() as u64,
            arcs: net.arc_count() as u64,
        },
        notes,
        warnings,
    }
}

fn pnml(net: Arc<Net>, notes: Vec<String>) -> ConvertReport {
    report(&Arc::clone(&net), ConvertedText::Pnml(net), notes, Vec::new())
}

fn safe_pnml(
    loaded: &Loaded,
    mut notes: Vec<String>,
    options: &Options,
    budget: &Budget,
) -> Result<ConvertReport, Stop> {
    if let Some(unbounded) = loaded.unboundedness() {
        let message = format!("{unbounded}, so there is no safe net with as many states");
        return Err(InputError::plain(message).into());
    }
    let proved: Option<Vec<u64>> = loaded.analysis.upper_bounds.iter().copied().collect();
    let bounds = match proved.filter(|bounds| bounds.len() == loaded.net().places.len()) {
        Some(bounds) => {
            notes.push("bounds of places: proved from the structure".to_string());
            bounds
        }
        None => {
            let bounds = exact_bounds(loaded, options, budget)?;
            notes.push("bounds of places: exact, from all reachable states".to_string());
            bounds
        }
    };
    let numbers = bounds.iter().filter(|bound| **bound > 1).count();
    notes.push(format!("{numbers} of {} places became binary numbers", bounds.len()));
    match to_safe_net(loaded.net(), &bounds, MOST_TRANSITIONS, budget) {
        Ok(reduction) => {
            let safe = reduction.result;
            let mut warnings = Vec::new();
            if loaded.net().unit_claim == UnitClaim::UnitSafe && safe.unit_claim != UnitClaim::UnitSafe {
                warnings.push(warning(
                    "the bits of a place are marked together: units no longer claim to be safe",
                ));
            }
            let text = ConvertedText::Pnml(Arc::new(safe.clone()));
            Ok(report(&safe, text, notes, warnings))
        }
        Err(SafeFailure::Interrupted(why)) => Err(why.into()),
        Err(too_many) => {
            let largest = bounds.iter().max().copied().unwrap_or(0);
            let hint = format!(
                "the largest bound of a place is {largest}; a smaller marking takes fewer transitions"
            );
            Err(InputError::plain(too_many.to_string()).with_hint(hint).into())
        }
    }
}

/// The most tokens of each place in any reachable state.
fn exact_bounds(loaded: &Loaded, options: &Options, budget: &Budget) -> Result<Vec<u64>, Stop> {
    ask(loaded, options, budget, LargestValues)
}

/// The largest value of each variable.
struct LargestValues;

impl Question for LargestValues {
    type Answer = Vec<u64>;

    fn answer<S: StateSets>(self, mut explored: Explored<S>) -> Result<Vec<u64>, Interrupted> {
        Ok(explored.sets.analyse(&explored.reached)?.largest)
    }
}

fn ll_net(net: &Net, notes: Vec<String>) -> Result<ConvertReport, Error> {
    let written = write_ll_net(net).map_err(|problems| {
        let hint = "command ‹convert› with option ‹to safe-pnml› replaces such arcs, if the net is bounded; convert its result";
        let problems = problems.iter().map(|problem| InputError::plain(problem.to_string()));
        let mut problems: Vec<InputError> = problems.collect();
        if let Some(first) = problems.first_mut().filter(|_| !net.is_ordinary()) {
            first.hint = Some(hint.to_string());
        }
        Error::Input(problems)
    })?;
    let mut warnings = Vec::new();
    if written.renamed > 0 {
        let count = written.renamed;
        warnings.push(warning(&format!("{count} names are not plain ASCII and were changed")));
    }
    if !net.units.is_empty() {
        warnings.push(warning("units are left out: .ll_net has none"));
    }
    Ok(report(net, written.text, notes, warnings))
}

/// The net as `draw --to dot` draws it.
fn dot(
    loaded: &Loaded,
    mut notes: Vec<String>,
    options: &Options,
    budget: &Budget,
) -> Result<ConvertReport, Stop> {
    let wish = DrawOptions { what: Subject::Net, format: PictureFormat::Dot, ..DrawOptions::default() };
    let drawing = draw(loaded, options, &wish, budget)?;
    notes.extend(drawing.remarks);
    Ok(report(loaded.net(), drawing.text, notes, Vec::new()))
}

fn warning(message: &str) -> InputError {
    let mut warning = InputError::plain(message);
    warning.is_warning = true;
    warning
}
