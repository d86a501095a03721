//! The keys of `info` for a program of guarded commands.

use crate::info::Info;
use serde::Serialize;
use symbolon_checker::{Limited, ProgramInfo};

/// The keys of `info` for a program.
#[derive(Serialize)]
pub struct CommandsInfo {
    program: String,
    parameters: Vec<Parameter>,
    variables: Vec<Variable>,
    commands: usize,
    computing_commands: usize,
    components: Vec<Component>,
    initial_states: Option<usize>,
    combinations: String,
    properties: Vec<Asked>,
    growth: Option<Growth>,
    structure: Option<Box<Info>>,
    variable_order: Option<String>,
}

#[derive(Serialize)]
struct Parameter {
    name: String,
    value: String,
}

#[derive(Serialize)]
struct Variable {
    name: String,
    values: String,
    initial: Vec<String>,
    at_most: Option<String>,
}

#[derive(Serialize)]
struct Component {
    name: String,
    variables: usize,
}

#[derive(Serialize)]
struct Asked {
    name: String,
    formula: String,
}

#[derive(Serialize)]
struct Growth {
    variables: Vec<String>,
    round: Vec<String>,
}

impl CommandsInfo {
    /// The keys of a report.
    pub fn new(report: &ProgramInfo) -> CommandsInfo {
        let parameters = report.parameters.iter();
        let parameters =
            parameters.map(|(name, value)| Parameter { name: name.clone(), value: value.to_string() });
        let variables = report.variables.iter().map(|variable| Variable {
            name: variable.name.clone(),
            values: variable.values.clone(),
            initial: variable.initial.clone(),
            at_most: variable.at_most.clone(),
        });
        let components = report.components.iter();
        let components =
            components.map(|(name, variables)| Component { name: name.clone(), variables: *variables });
        let properties = report.properties.iter();
        let properties =
            properties.map(|(name, formula)| Asked { name: name.clone(), formula: formula.clone() });
        let growth = report.growth.as_ref();
        CommandsInfo {
            program: report.program.clone(),
            parameters: parameters.collect(),
            variables: variables.collect(),
            commands: report.commands,
            computing_commands: report.computing,
            components: components.collect(),
            initial_states: report.initial_states,
            combinations: report.combinations.as_ref().map_or("inf".to_string(), ToString::to_string),
            properties: properties.collect(),
            growth: growth
                .map(|growth| Growth { variables: growth.variables.clone(), round: growth.round.clone() }),
            structure: report.structure.as_ref().map(|structure| Box::new(Info::new(structure, None))),
            variable_order: match &report.order {
                Limited::Known(order) => Some(order.name.clone()),
                Limited::TookTooLong => None,
            },
        }
    }
}
