//! The JSON contract, as types of its own, so that no change elsewhere changes it by accident.
//! `schema/symbolon.schema.json` describes the same, and tests hold the two together.

mod bounds;
mod check;
mod compare;
mod convert;
mod draw;
mod info;
mod info_of_agents;
mod mcmas;
mod overflow;
mod simulate;

pub(crate) use bounds::Bounds;
pub(crate) use check::{Check, verdict_word};
pub(crate) use compare::{Compare, CompareCell, CompareFigures, PaperFigures};
pub(crate) use convert::Convert;
pub(crate) use draw::Draw;
pub(crate) use info::Info;
pub(crate) use info_of_agents::AgentsInfo;
pub(crate) use mcmas::Mcmas;
pub(crate) use overflow::WithOverflow;
pub(crate) use simulate::Simulate;

use crate::answer::Status;
use crate::numbers::{amount_digits, states_digits};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use symbolon_checker::{
    DeadlockReport, Family, FamilySize, InputError, PartialReport, Shape, ShownValue, StatesReport,
    WitnessLink,
};

/// The version of the contract.
const SCHEMA: u32 = 1;

/// What every command prints.
#[derive(Serialize)]
pub(crate) struct Report {
    schema: u32,
    command: Option<String>,
    model: Option<String>,
    status: &'static str,
    reason: Option<&'static str>,
    detail: Option<String>,
    seconds: f64,
    peak_bytes: Option<Integer>,
    warnings: Vec<Problem>,
    #[serde(flatten)]
    body: Body,
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<Partial>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Problem>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<Problem>,
}

/// The keys around an answer.
pub(crate) struct Envelope {
    /// The command, if one was recognised.
    pub(crate) command: Option<String>,
    /// The model as the user wrote it.
    pub(crate) model: Option<String>,
    /// Seconds since the start of the process.
    pub(crate) seconds: f64,
    /// The most memory that was resident.
    pub(crate) peak_bytes: Option<u64>,
    /// What the reader of the model had to say.
    pub(crate) warnings: Vec<InputError>,
}

impl Report {
    /// An answer in its envelope.
    pub(crate) fn new(envelope: Envelope, body: Body, status: Status<'_>) -> Report {
        let mut report = Report {
            schema: SCHEMA,
            command: envelope.command,
            model: envelope.model,
            status: "ok",
            reason: None,
            detail: None,
            seconds: envelope.seconds,
            peak_bytes: envelope.peak_bytes.map(Integer),
            warnings: envelope.warnings.iter().map(Problem::new).collect(),
            body,
            partial: None,
            error: None,
            errors: Vec::new(),
        };
        match status {
            Status::Ok => {}
            Status::Incomplete(why) => report.detail = Some(why.to_string()),
            Status::Unknown(unknown) => {
                report.status = "unknown";
                report.reason = Some(unknown.reason.word());
                report.detail = Some(unknown.detail.clone());
                report.partial = Some(Partial::new(&unknown.partial));
            }
            Status::Error(errors) => {
                report.status = "error";
                report.error = errors.iter().find(|error| !error.is_warning).map(Problem::new);
                report.errors = errors.iter().filter(|error| !error.is_warning).map(Problem::new).collect();
                report.warnings.extend(errors.iter().filter(|error| error.is_warning).map(Problem::new));
            }
        }
        report
    }

    /// The object as text, on one line.
    pub(crate) fn to_line(&self) -> String {
        // These types contain nothing that JSON cannot express: text keys, finite numbers.
        let mut line = serde_json::to_string(self).expect("a report is plain data");
        line.push('\n');
        line
    }
}

/// The keys that only one command has.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Body {
    /// No keys of its own.
    Nothing {},
    /// Of `states`.
    States(Box<States>),
    /// Of `deadlock`.
    Deadlock(Deadlock),
    /// Of `check`.
    Check(Check),
    /// Of `compare`.
    Compare(Compare),
    /// Of `convert`.
    Convert(Convert),
    /// Of `simulate`.
    Simulate(Simulate),
    /// Of `draw`.
    Draw(Draw),
    /// Of `info`.
    Info(Box<Info>),
    /// Of `info` for a multi-agent system.
    AgentsInfo(Box<AgentsInfo>),
    /// Of `bounds`.
    Bounds(Bounds),
    /// Of a command with `--overflow`.
    WithOverflow(WithOverflow),
    /// Of `models`.
    Models {
        /// The families.
        models: Vec<Model>,
    },
    /// Of `mcc`.
    Mcc {
        /// The examination.
        examination: String,
        /// The contest's lines.
        lines: Vec<String>,
    },
    /// Of `mcmas`.
    Mcmas(Mcmas),
    /// Of commands that print a text.
    Text {
        /// The text.
        text: String,
    },
}

/// The keys of `states`.
#[derive(Serialize)]
pub(crate) struct States {
    states: String,
    edges: Option<String>,
    max_tokens_in_place: Option<String>,
    max_tokens_per_marking: Option<String>,
    depth: Option<Integer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distances: Option<Vec<String>>,
    diagram: &'static str,
    strategy: &'static str,
    strategy_reason: String,
    variable_order: String,
    variable_order_reason: String,
    hierarchy: Option<String>,
    hierarchy_reason: Option<String>,
    levels: Integer,
    nodes: Nodes,
    peak_node_bytes: Integer,
    steps: Integer,
    symbolic_states: Option<String>,
    set_nodes: Integer,
    nodes_made: NodesMade,
}

#[derive(Serialize)]
struct NodesMade {
    mdd: Integer,
    bdd: Integer,
    hierarchical: Integer,
}

#[derive(Serialize)]
struct Nodes {
    r#final: Integer,
    peak: Integer,
}

impl States {
    /// The keys of a report.
    pub(crate) fn new(report: &StatesReport) -> States {
        States {
            states: states_digits(&report.states),
            edges: report.edges.as_ref().map(amount_digits),
            max_tokens_in_place: report.max_tokens_in_place.as_ref().map(amount_digits),
            max_tokens_per_marking: report.max_tokens_per_marking.as_ref().map(amount_digits),
            depth: report.depth.map(Integer),
            distances: report
                .distances
                .as_ref()
                .map(|counts| counts.iter().map(ToString::to_string).collect()),
            diagram: report.diagram,
            strategy: report.strategy,
            strategy_reason: report.strategy_reason.clone(),
            variable_order: report.variable_order.clone(),
            variable_order_reason: report.order_reason.clone(),
            hierarchy: report.hierarchy.as_ref().map(|hierarchy| hierarchy.name.clone()),
            hierarchy_reason: report.hierarchy.as_ref().map(|hierarchy| hierarchy.reason.clone()),
            levels: Integer(report.levels),
            nodes: Nodes { r#final: Integer(report.nodes_final), peak: Integer(report.nodes_peak) },
            peak_node_bytes: Integer(report.node_bytes_peak),
            steps: Integer(report.steps),
            symbolic_states: None,
            set_nodes: Integer(report.set_nodes),
            nodes_made: NodesMade {
                mdd: Integer(report.nodes_made.mdd),
                bdd: Integer(report.nodes_made.bdd),
                hierarchical: Integer(report.nodes_made.hierarchical),
            },
        }
    }
}

/// The keys of `deadlock`, which are there also when the answer is unknown.
#[derive(Default, Serialize)]
pub(crate) struct Deadlock {
    deadlock: Option<bool>,
    method: Option<String>,
    bound: Option<Integer>,
    distance: Option<Integer>,
    dead_states: Option<String>,
    witness: Option<Witness>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    more_witnesses: Vec<Witness>,
}

impl Deadlock {
    /// The keys of a report.
    pub(crate) fn new(report: &DeadlockReport) -> Deadlock {
        Deadlock {
            deadlock: Some(report.deadlock),
            method: Some(report.method.clone()),
            bound: report.bound.map(Integer),
            distance: report.distance.map(Integer),
            dead_states: report.dead_states.as_ref().map(ToString::to_string),
            witness: report.witness.as_ref().map(Witness::new),
            more_witnesses: report.more_witnesses.iter().map(Witness::new).collect(),
        }
    }
}

/// Evidence.
#[derive(Serialize)]
struct Witness {
    shape: &'static str,
    shortest: bool,
    initial: Pairs<Shown>,
    steps: Vec<Step>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loop_start: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<Strategy>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    branches: Vec<Branch>,
}

/// Evidence that tells more about a state of other evidence.
#[derive(Serialize)]
struct Branch {
    position: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    agents: Vec<String>,
    witness: Witness,
}

impl Branch {
    fn new(branch: &symbolon_checker::WitnessBranch) -> Branch {
        let (link, agents) = match &branch.link {
            WitnessLink::Path => (None, Vec::new()),
            WitnessLink::Alike(agents) => (Some("alike"), agents.clone()),
            WitnessLink::Correct(agent) => (Some("correct"), vec![agent.clone()]),
        };
        Branch { position: branch.position, link, agents, witness: Witness::new(&branch.witness) }
    }
}

/// What a group does.
#[derive(Serialize)]
struct Strategy {
    agents: Vec<String>,
    rows: Vec<StrategyRow>,
    outcomes: Integer,
}

#[derive(Serialize)]
struct StrategyRow {
    when: Pairs<Vec<Shown>>,
    actions: Pairs<String>,
    states: Integer,
}

impl Strategy {
    fn new(strategy: &symbolon_checker::StrategyTable) -> Strategy {
        let rows = strategy.rows.iter().map(|row| {
            let shown = |(name, values): &(String, Vec<ShownValue>)| {
                (name.clone(), values.iter().cloned().map(Shown).collect())
            };
            StrategyRow {
                when: Pairs(row.when.iter().map(shown).collect()),
                actions: Pairs(row.actions.clone()),
                states: Integer(row.states as u64),
            }
        });
        Strategy {
            agents: strategy.members.clone(),
            rows: rows.collect(),
            outcomes: Integer(strategy.state_count as u64),
        }
    }
}

#[derive(Serialize)]
struct Step {
    event: Happening,
    changes: Pairs<[Shown; 2]>,
}

/// What happened in a step: an event, or what each agent did.
#[derive(Serialize)]
#[serde(untagged)]
enum Happening {
    Event(String),
    Actions(Pairs<String>),
}

impl Happening {
    fn new(step: &symbolon_checker::WitnessStep) -> Happening {
        match step.actions.is_empty() {
            true => Happening::Event(step.event.clone()),
            false => Happening::Actions(Pairs(step.actions.clone())),
        }
    }
}

impl Witness {
    fn new(witness: &symbolon_checker::Witness) -> Witness {
        let initial = witness.initial.iter().map(|(name, value)| (name.clone(), Shown(value.clone())));
        let steps = witness.steps.iter().map(|step| Step {
            event: Happening::new(step),
            changes: Pairs(
                step.changes
                    .iter()
                    .map(|(name, old, new)| (name.clone(), [Shown(old.clone()), Shown(new.clone())]))
                    .collect(),
            ),
        });
        Witness {
            shape: match witness.shape {
                Shape::Trace => "trace",
                Shape::Lasso => "lasso",
                Shape::Tree => "tree",
                Shape::Epistemic => "epistemic",
                Shape::Strategy => "strategy",
            },
            shortest: witness.shortest,
            initial: Pairs(initial.collect()),
            steps: steps.collect(),
            loop_start: witness.loop_start,
            strategy: witness.strategy.as_ref().map(Strategy::new),
            branches: witness.branches.iter().map(Branch::new).collect(),
        }
    }
}

/// A built-in family.
#[derive(Serialize)]
pub(crate) struct Model {
    name: &'static str,
    summary: &'static str,
    description: &'static str,
    origin: &'static str,
    example: String,
    places: Integer,
    transitions: Integer,
    parameters: Vec<Parameter>,
}

#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    meaning: &'static str,
    smallest: Integer,
    largest: Integer,
    example: Integer,
}

impl Model {
    /// The keys of a family, whose example has this size.
    pub(crate) fn new(family: &Family, size: &FamilySize) -> Model {
        let parameters = family.parameters.iter().map(|parameter| Parameter {
            name: parameter.name,
            meaning: parameter.meaning,
            smallest: Integer(parameter.smallest),
            largest: Integer(parameter.largest),
            example: Integer(parameter.example),
        });
        Model {
            name: family.name,
            summary: family.summary,
            description: family.description,
            origin: family.origin,
            example: family.example(),
            places: Integer(size.places),
            transitions: Integer(size.transitions),
            parameters: parameters.collect(),
        }
    }
}

/// A mistake or a warning.
#[derive(Serialize)]
struct Problem {
    message: String,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    hint: Option<String>,
}

impl Problem {
    fn new(error: &InputError) -> Problem {
        Problem {
            message: error.message.clone(),
            file: error.file.clone(),
            line: error.line,
            column: error.column,
            hint: error.hint.clone(),
        }
    }
}

/// How far an unfinished command got.
#[derive(Serialize)]
struct Partial {
    states_at_least: Option<String>,
    nodes: Integer,
    steps: Integer,
}

impl Partial {
    fn new(partial: &PartialReport) -> Partial {
        Partial {
            states_at_least: partial.states_at_least.as_ref().map(ToString::to_string),
            nodes: Integer(partial.nodes),
            steps: Integer(partial.steps),
        }
    }
}

/// An integer that becomes a string above 2^53, where other readers of JSON would round it.
#[derive(Clone, Copy)]
pub(crate) struct Integer(pub(crate) u64);

impl Serialize for Integer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 <= 1 << 53 {
            serializer.serialize_u64(self.0)
        } else {
            serializer.serialize_str(&self.0.to_string())
        }
    }
}

/// A value of a variable: a number, a truth, or the word for it.
struct Shown(ShownValue);

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            ShownValue::Number(number) => match i64::try_from(*number) {
                Ok(small) if small.unsigned_abs() <= 1 << 53 => serializer.serialize_i64(small),
                _ => serializer.serialize_str(&number.to_string()),
            },
            ShownValue::Truth(truth) => serializer.serialize_bool(*truth),
            ShownValue::Word(word) => serializer.serialize_str(word),
        }
    }
}

/// An object whose keys keep their order.
struct Pairs<V>(Vec<(String, V)>);

impl<V: Serialize> Serialize for Pairs<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_above_2_to_the_53_are_strings() {
        for (number, text) in [
            (0, "0"),
            (9_007_199_254_740_992, "9007199254740992"),
            (9_007_199_254_740_993, "\"9007199254740993\""),
            (u64::MAX, "\"18446744073709551615\""),
        ] {
            assert_eq!(serde_json::to_string(&Integer(number)).ok().as_deref(), Some(text));
        }
    }
}
