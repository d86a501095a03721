//! What can be said about a multi-agent system without exploring it: its agents, what they see and
//! do, its formulas.

use crate::error::{Error, InputError};
use crate::loaded::Loaded;
use num_bigint::BigUint;
use symbolon_ispl::tree::{Agent, Dialect, Semantics};
use symbolon_model::VariableId;

/// The answer of `info` for a multi-agent system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentsInfo {
    /// How evolution lines are combined, as the source calls it.
    pub semantics: &'static str,
    /// The agents, the environment first where there is one.
    pub agents: Vec<AgentInfo>,
    /// How many combinations of values there are: no more states can be reached.
    pub combinations: BigUint,
    /// The atoms of formulas, with what they mean.
    pub atoms: Vec<(String, String)>,
    /// The groups, with their members.
    pub groups: Vec<(String, Vec<String>)>,
    /// What holds again and again on every path that counts.
    pub fairness: Vec<String>,
    /// What is asked.
    pub formulas: Vec<AskedInfo>,
    /// How many warnings the reader has.
    pub warnings: usize,
}

/// One agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentInfo {
    /// What it is called.
    pub name: String,
    /// Its variables, with their values as the source writes them.
    pub variables: Vec<(String, String)>,
    /// The variables of others that it sees.
    pub sees: Vec<String>,
    /// What it can do.
    pub actions: Vec<String>,
    /// The lines of its protocol.
    pub protocol_lines: usize,
    /// The lines of its evolution.
    pub evolution_lines: usize,
    /// Where it behaves as it should not, if that is said.
    pub red_states: Option<String>,
}

/// A formula of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedInfo {
    /// How reports call it.
    pub name: String,
    /// The logic that it is written in.
    pub logic: &'static str,
    /// The formula.
    pub formula: String,
}

/// Describes a multi-agent system.
pub fn info_of_agents(loaded: &Loaded) -> Result<AgentsInfo, Error> {
    let Some(source) = loaded.agents() else {
        let message = format!("'{}' is {}, and has no agents", loaded.name, loaded.language().noun());
        return Err(InputError::plain(message).into());
    };
    let (tree, model) = (&source.tree, &loaded.model);
    let semantics = match tree.semantics.unwrap_or_default() {
        Semantics::MultiAssignment => "MultiAssignment",
        Semantics::SingleAssignment => "SingleAssignment",
    };
    let sizes = model.variable_ids().filter_map(|id| model.values_of(id).count());
    let names = |members: &[symbolon_logic::Name]| members.iter().map(|name| name.text.to_string()).collect();
    let asked = tree.formulae.iter().zip(&loaded.questions.properties).map(|(line, property)| AskedInfo {
        name: property.name.clone(),
        logic: match line.dialect {
            Dialect::Ctlk => "CTLK",
            Dialect::Ltl => "LTL",
            Dialect::CtlStar => "CTL*",
        },
        formula: line.to_string(),
    });
    Ok(AgentsInfo {
        semantics,
        agents: tree.all_agents().map(|agent| agent_info(loaded, agent)).collect(),
        combinations: sizes.map(BigUint::from).product(),
        atoms: tree
            .evaluation
            .iter()
            .map(|atom| (atom.name.text.to_string(), atom.condition.to_string()))
            .collect(),
        groups: tree
            .groups
            .iter()
            .map(|group| (group.name.text.to_string(), names(&group.members)))
            .collect(),
        fairness: tree.fairness.iter().map(ToString::to_string).collect(),
        formulas: asked.collect(),
        warnings: loaded.warnings.len(),
    })
}

fn agent_info(loaded: &Loaded, agent: &Agent) -> AgentInfo {
    let observers = &loaded.model.observers.list;
    let seen: &[VariableId] =
        observers.iter().find(|known| *known.name == *agent.name.text).map_or(&[], |known| &known.variables);
    let own = format!("{}.", agent.name.text);
    let seen = seen.iter().map(|id| loaded.model.variables[id.index()].name.clone());
    AgentInfo {
        name: agent.name.text.to_string(),
        variables: agent
            .observed
            .iter()
            .chain(&agent.variables)
            .map(|declared| (declared.name.text.to_string(), declared.domain.to_string()))
            .collect(),
        sees: seen.filter(|name| !name.starts_with(&own)).collect(),
        actions: agent.actions.iter().map(|action| action.text.to_string()).collect(),
        protocol_lines: agent.protocol.len() + usize::from(agent.otherwise.is_some()),
        evolution_lines: agent.evolution.len(),
        red_states: agent
            .red
            .as_ref()
            .map(|red| red.condition.as_ref().map_or("nowhere".to_string(), ToString::to_string)),
    }
}
