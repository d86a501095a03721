//! A model that is ready for questions, and the sources that models come from.

use crate::colours::{Colours, MarkingDiagrams, PlaceTokens};
use crate::error::{Error, InputError};
use crate::property::Property;
use std::sync::Arc;
use symbolon_counters::Counters;
use symbolon_engine::Growth;
pub use symbolon_gcl::Override;
use symbolon_gcl::Vocabulary;
use symbolon_logic::Formula;
use symbolon_model::{Atom, Model, Predicate, VariableId};
use symbolon_petri::analysis::{Analysis, Boundedness};
use symbolon_petri::{Diagnostic, Net, PlaceId, Severity};
use symbolon_symmetry::Quotient;

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
    /// Coloured nets as text.
    Cnet,
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

    /// What happens in it, one at a time.
    pub fn event(self) -> &'static str {
        match self {
            Language::Net => "transition",
            Language::Agents => "joint action",
            Language::Commands => "command",
        }
    }
}

/// A model that is ready for questions.
///
/// What it is made of is known to this crate alone: front ends put questions to it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// How the user calls it.
    pub(crate) name: String,
    /// What it was written as.
    pub(crate) source: Written,
    /// The coloured net of which a net is the unfolding.
    pub(crate) colours: Option<Box<Colours>>,
    /// Its event model.
    pub(crate) model: Model,
    /// What was proved of the model; of one that is not a net, the bounds of its variables.
    pub(crate) analysis: Analysis,
    /// What the source itself names and asks.
    pub(crate) questions: Questions,
    /// What the reader warns of.
    pub(crate) warnings: Vec<InputError>,
    /// What became of the symmetry of a coloured net, in words, if it was looked for.
    pub(crate) symmetry: Option<String>,
}

/// A model as it was written.
#[derive(Clone, Debug)]
pub(crate) enum Written {
    /// A Petri net.
    Net(Arc<Net>),
    /// A Petri net that was given up while its model was made, or a coloured net whose counters are
    /// no net.
    NetAsModel,
    /// A multi-agent system.
    Agents(Box<AgentSource>),
    /// Guarded commands.
    Commands(Box<ProgramSource>),
}

/// What is known of a program besides its model, in which all commands are.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProgramSource {
    /// The program as a net, variable by variable and command by command, if each command tests and
    /// changes its variables one by one.
    pub(crate) net: Option<Net>,
    /// A run that proves that a variable grows without end, of a program that is not a net.
    pub(crate) growth: Option<Growth>,
    /// Its parameters and their values.
    pub(crate) parameters: Vec<(String, i64)>,
    /// What its names mean.
    pub(crate) vocabulary: Vocabulary,
}

/// A multi-agent system as it was written.
#[derive(Clone, Debug)]
pub(crate) struct AgentSource {
    /// Its text, as a tree.
    pub(crate) tree: symbolon_ispl::System,
    /// For each reaction of the model's step, in order, and each of its lines, the evolution line
    /// that it comes from.
    pub(crate) lines: Vec<Vec<symbolon_ispl::LineSource>>,
}

/// What a source names and asks besides describing a model. Nets do neither.
#[derive(Clone, Debug, Default)]
pub(crate) struct Questions {
    /// Statements about one state that formulas may use by name.
    pub(crate) atoms: Vec<(String, Predicate)>,
    /// What holds again and again on every path that counts.
    pub(crate) fairness: Vec<Formula<Atom>>,
    /// What is asked, in the order of the source.
    pub(crate) properties: Vec<Property>,
    /// The same as MCMAS prints it, for the front end that speaks its protocol.
    pub(crate) reference_texts: Vec<String>,
}

impl Loaded {
    /// A net with what was proved of it: for tests, which know these types.
    #[doc(hidden)]
    pub fn of_net(name: String, net: Net, analysis: Analysis, model: Model) -> Loaded {
        let source = Written::Net(Arc::new(net));
        let (questions, warnings) = (Questions::default(), Vec::new());
        Loaded { name, source, colours: None, model, analysis, questions, warnings, symmetry: None }
    }

    /// A model that was not written as a net.
    pub(crate) fn of_model(name: String, source: Written, model: Model, questions: Questions) -> Loaded {
        let largest = |id| model.values_of(id).count().map(|count| count.saturating_sub(1));
        let upper_bounds: Vec<Option<u64>> = model.variable_ids().map(largest).collect();
        let is_bounded = upper_bounds.iter().all(Option::is_some);
        let boundedness = if is_bounded { Boundedness::Bounded } else { Boundedness::Unknown };
        let analysis = Analysis { upper_bounds, boundedness, ..Analysis::default() };
        let warnings = Vec::new();
        Loaded { name, source, colours: None, model, analysis, questions, warnings, symmetry: None }
    }

    /// How the user calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it was written as.
    pub fn language(&self) -> Language {
        match self.source {
            Written::Net(_) | Written::NetAsModel => Language::Net,
            Written::Agents(_) => Language::Agents,
            Written::Commands(_) => Language::Commands,
        }
    }

    /// What the reader warns of.
    pub fn warnings(&self) -> &[InputError] {
        &self.warnings
    }

    /// The properties that the source itself asks about.
    pub fn properties(&self) -> &[Property] {
        &self.questions.properties
    }

    /// The same as the established checker of the language prints them, for its protocol.
    pub fn reference_texts(&self) -> &[String] {
        &self.questions.reference_texts
    }

    /// What became of the symmetry of a coloured net, in words, if it was looked for.
    pub fn symmetry(&self) -> Option<&str> {
        self.symmetry.as_deref()
    }

    /// Whether members of classes that may be exchanged are not told apart.
    pub fn is_folded(&self) -> bool {
        self.colours.as_deref().is_some_and(|colours| colours.unfolded().is_none())
    }

    /// What was counted in diagrams of symbolic markings, if that was asked for.
    pub(crate) fn marking_diagrams(&self) -> Option<&MarkingDiagrams> {
        self.colours.as_deref().and_then(Colours::marking_diagrams)
    }

    /// The symbolic markings that a coloured net was folded into.
    pub(crate) fn quotient(&self) -> Option<&Arc<Quotient>> {
        self.colours.as_deref().and_then(Colours::quotient)
    }

    /// The counters that a coloured net was folded into.
    pub(crate) fn counters(&self) -> Option<&Counters> {
        self.colours.as_deref().and_then(Colours::counters)
    }

    /// Whether there is a model: [`crate::Job::load_structure`] makes none of a net.
    pub(crate) fn has_model(&self) -> bool {
        !(self.model.variables.is_empty()
            && matches!(&self.source, Written::Net(net) if !net.places.is_empty()))
    }

    /// The number of variables; of a net, of places.
    pub fn variable_count(&self) -> usize {
        self.model.variables.len()
    }

    /// The number of events; of a net, of transitions.
    pub fn event_count(&self) -> usize {
        self.model.events.len()
    }

    /// Whether all components step at once, as agents do.
    pub fn is_synchronous(&self) -> bool {
        self.model.is_synchronous()
    }

    /// The places of a net as they were written, in their order; nothing for other models.
    pub fn places(&self) -> impl Iterator<Item = NetPlace<'_>> {
        let coloured = self.colours.as_deref().into_iter().flat_map(Colours::places);
        let coloured =
            coloured.map(|(place, tokens)| NetPlace { id: &place.id, label: place.label.as_deref(), tokens });
        coloured.chain(self.place_instances().filter(|_| self.colours.is_none()))
    }

    /// The places of the net that is explored: of a coloured net, one per colour that can be marked.
    pub fn place_instances(&self) -> impl Iterator<Item = NetPlace<'_>> {
        let net = match &self.source {
            Written::Net(net) => Some(net),
            Written::NetAsModel | Written::Agents(_) | Written::Commands(_) => None,
        };
        net.into_iter().flat_map(|net| net.place_ids().zip(&net.places)).map(|(place, named)| NetPlace {
            id: &named.id,
            label: named.label.as_deref(),
            tokens: PlaceTokens::Instances(place.0..place.0 + 1),
        })
    }

    /// The tokens of one colour of a place of a coloured net, named as in `p[c1]`: variables of the model,
    /// each with a weight; `None` if the net has no colours or no such place.
    pub fn tokens_of_colour(&self, name: &str) -> Option<Result<Vec<(PlaceId, u64)>, InputError>> {
        let found = self.colours.as_deref()?.place_tokens(name)?.map_err(InputError::from);
        Some(found.map(|tokens| NetPlace { id: name, label: None, tokens }.terms()))
    }

    /// The event model: for tests, which know its type.
    #[doc(hidden)]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The net. Only questions that demanded one, or saw that the language is [`Language::Net`],
    /// may ask for it (C3).
    #[doc(hidden)]
    pub fn net(&self) -> &Net {
        match &self.source {
            Written::Net(net) => net,
            other => unreachable!("C3: a question about nets was put to {other:?}"),
        }
    }

    /// The net that the model is, under its own names: as it was written, or a program of which each
    /// command tests and changes its variables one by one. Places and variables, transitions and
    /// events have the same numbers.
    pub(crate) fn structure(&self) -> Option<&Net> {
        match &self.source {
            Written::Net(net) => Some(net),
            Written::Commands(program) => program.net.as_ref(),
            Written::NetAsModel | Written::Agents(_) => None,
        }
    }

    /// What is known of a program besides its model.
    pub(crate) fn program(&self) -> Option<&ProgramSource> {
        match &self.source {
            Written::Commands(program) => Some(program),
            Written::Net(_) | Written::NetAsModel | Written::Agents(_) => None,
        }
    }

    /// The net, for answers that outlive the model; the same holds as for [`Loaded::net`].
    pub(crate) fn shared_net(&self) -> Arc<Net> {
        match &self.source {
            Written::Net(net) => Arc::clone(net),
            other => unreachable!("C3: a question about nets was put to {other:?}"),
        }
    }

    /// Whether the model is a net that can be asked for by [`Loaded::net`].
    pub(crate) fn has_net(&self) -> bool {
        matches!(self.source, Written::Net(_))
    }

    /// The agents as they were written, of a multi-agent system.
    pub(crate) fn agents(&self) -> Option<&AgentSource> {
        match &self.source {
            Written::Agents(agents) => Some(agents),
            Written::Net(_) | Written::NetAsModel | Written::Commands(_) => None,
        }
    }

    /// Refuses a question that only nets can answer, such as "bounds of places".
    pub(crate) fn demand_net(&self, question: &str) -> Result<(), Error> {
        if self.language() == Language::Net {
            return Ok(());
        }
        let message =
            format!("{question}: requires a Petri net; '{}' is {}", self.name, self.language().noun());
        Err(InputError::plain(message).into())
    }

    /// The name of a place, or of a variable, that is proved to be unbounded.
    pub fn unbounded_place(&self) -> Option<&str> {
        if let Written::Commands(program) = &self.source
            && let Some(growth) = &program.growth
        {
            let first = growth.growing.first();
            return first.map(|variable| &*self.model.variables[variable.index()].name);
        }
        match &self.analysis.boundedness {
            Boundedness::Unbounded(pump) => Some(match &self.source {
                Written::Net(net) => &net.places[pump.place.index()].id,
                _ => &self.model.variables[pump.place.index()].name,
            }),
            Boundedness::Bounded | Boundedness::Unknown => None,
        }
    }

    /// The same as a statement, `place 'p' is unbounded`, in the words of the source.
    pub fn unboundedness(&self) -> Option<String> {
        let name = self.unbounded_place()?;
        Some(match self.language() {
            Language::Net => format!("place '{name}' is unbounded"),
            Language::Agents | Language::Commands => format!("variable '{name}' grows without bound"),
        })
    }

    /// The variables that are proved to grow without end together.
    pub(crate) fn growing_variables(&self) -> Vec<VariableId> {
        if let Some(growth) = self.program().and_then(|program| program.growth.as_ref()) {
            return growth.growing.clone();
        }
        match (&self.analysis.boundedness, self.structure()) {
            (Boundedness::Unbounded(pump), Some(net)) => {
                pump.growing_places(net).into_iter().map(|place| VariableId(place.0)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// One round of a run that makes a variable grow, if one is proved to be unbounded.
    pub fn growing_round(&self) -> Option<Vec<String>> {
        let name = |index: usize| self.model.events[index].name.clone();
        if let Written::Commands(program) = &self.source
            && let Some(growth) = &program.growth
        {
            return Some(growth.round.iter().map(|event| name(event.index())).collect());
        }
        match &self.analysis.boundedness {
            Boundedness::Unbounded(pump) if self.structure().is_some() => {
                let net = self.structure()?;
                Some(pump.cycle.iter().map(|one| net.transitions[one.index()].id.clone()).collect())
            }
            _ => None,
        }
    }
}

/// A place of a net, by what users call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetPlace<'a> {
    /// Its identifier.
    pub id: &'a str,
    /// Its label, if it has one.
    pub label: Option<&'a str>,
    /// Its tokens in the net that is explored.
    tokens: PlaceTokens,
}

impl NetPlace<'_> {
    /// Its tokens as a sum.
    pub fn terms(&self) -> Vec<(PlaceId, u64)> {
        self.tokens.terms().map(|(variable, weight)| (PlaceId(variable.0), weight)).collect()
    }
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
