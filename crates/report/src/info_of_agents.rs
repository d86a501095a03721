//! The keys of `info` for a multi-agent system.

use crate::values::Pairs;
use serde::Serialize;

/// The keys of `info` for a multi-agent system.
#[derive(Serialize)]
pub struct AgentsInfo {
    semantics: &'static str,
    agents: Vec<Agent>,
    combinations: String,
    atoms: Pairs<String>,
    groups: Pairs<Vec<String>>,
    fairness: Vec<String>,
    formulas: Vec<Asked>,
}

#[derive(Serialize)]
struct Agent {
    name: String,
    variables: Pairs<String>,
    sees: Vec<String>,
    actions: Vec<String>,
    protocol_lines: usize,
    evolution_lines: usize,
    red_states: Option<String>,
}

#[derive(Serialize)]
struct Asked {
    name: String,
    logic: &'static str,
    formula: String,
}

impl AgentsInfo {
    /// The keys of a report.
    pub fn new(report: &symbolon_checker::AgentsInfo) -> AgentsInfo {
        let agents = report.agents.iter().map(|agent| Agent {
            name: agent.name.clone(),
            variables: Pairs(agent.variables.clone()),
            sees: agent.sees.clone(),
            actions: agent.actions.clone(),
            protocol_lines: agent.protocol_lines,
            evolution_lines: agent.evolution_lines,
            red_states: agent.red_states.clone(),
        });
        let formulas = report.formulas.iter().map(|asked| Asked {
            name: asked.name.clone(),
            logic: asked.logic,
            formula: asked.formula.clone(),
        });
        AgentsInfo {
            semantics: report.semantics,
            agents: agents.collect(),
            combinations: report.combinations.to_string(),
            atoms: Pairs(report.atoms.clone()),
            groups: Pairs(report.groups.clone()),
            fairness: report.fairness.clone(),
            formulas: formulas.collect(),
        }
    }
}
