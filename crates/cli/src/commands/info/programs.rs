//! `info` of a program of guarded commands: its variables, its commands, and what its structure proves.

use super::agents::listed;
use super::{not_computed, rows, semiflows};
use crate::answer::{Answer, Detail};
use crate::numbers::{self, counted, readable};
use crate::records::Records;
use crate::session::Session;
use crate::table::{BOLD, FAINT, Table, WARNING, printable};
use std::fmt::Write as _;
use std::time::Duration;
use symbolon_checker::{Limited, ProgramInfo, VariableInfo, weighted_sum};
use symbolon_report as json;
use symbolon_report::Status;

/// The largest number of variables and formulas shown without -v.
const MOST_SHOWN: usize = 12;
/// Longer texts are shortened without -v.
const LONGEST_TEXT: usize = 60;

/// The answer for a program.
pub(super) struct ProgramAnswer {
    model: String,
    report: ProgramInfo,
    time: Duration,
}

impl ProgramAnswer {
    pub(super) fn boxed(session: &Session, report: ProgramInfo) -> Box<dyn Answer> {
        let model = session.model.clone().unwrap_or_default();
        Box::new(ProgramAnswer { model, report, time: session.elapsed() })
    }

    fn screen(&self, everything: bool) -> Table {
        let report = &self.report;
        let mut table = Table::default();
        table.row("model", format!("{BOLD}{}{BOLD:#}", printable(&self.model)));
        rows(&mut table, "kind", &kind(report), ", ");
        rows(&mut table, "size", &size(report), ", ");
        let most = if everything { usize::MAX } else { MOST_SHOWN };
        let parameters = report.parameters.iter();
        let parameters = parameters.map(|(name, value)| format!("{} = {value}", printable(name)));
        rows(&mut table, "parameters", &parameters.collect::<Vec<_>>(), ", ");
        listed(&mut table, "variables", variables(&report.variables, everything), most, "variable");
        table.row("states", states(report, everything));
        if let Some(growth) = &report.growth {
            let names: Vec<String> =
                growth.variables.iter().map(|name| printable(name).into_owned()).collect();
            let round: Vec<String> = growth.round.iter().map(|name| printable(name).into_owned()).collect();
            let grow = if names.len() == 1 { "grows" } else { "grow" };
            let parts = vec![
                format!("{WARNING}{} {grow} without bound{WARNING:#}", names.join(", ")),
                format!("each round of {} adds to it", round.join(", ")),
            ];
            rows(&mut table, "bounds", &parts, "; ");
        }
        if let Some(structure) = &report.structure {
            rows(&mut table, "invariants", &semiflows(&structure.place_semiflows, "variable"), "; ");
            rows(&mut table, "cycles", &semiflows(&structure.transition_semiflows, "command"), "; ");
            if !structure.exclusive_sets.is_empty() {
                let sets = counted(structure.exclusive_sets.len() as u64, "set");
                table.row("exclusive", format!("{sets} of variables of which at most one is not 0"));
            }
            table.row(
                "dead parts",
                match structure.dead_transitions.len() as u64 {
                    0 => "none found".to_string(),
                    count => format!("{} can never happen, by proof", counted(count, "command")),
                },
            );
        }
        let asked = report.properties.iter();
        let asked = asked.map(|(name, formula)| {
            format!("{}: {}", printable(name), shortened(&printable(formula), everything))
        });
        listed(&mut table, "properties", asked.collect(), most, "formula");
        let order = match &report.order {
            Limited::Known(order) => vec![
                format!("{} ({})", printable(&order.name), counted(order.levels as u64, "level")),
                order.reason.clone(),
            ],
            Limited::TookTooLong => vec![not_computed()],
        };
        rows(&mut table, "order", &order, ": ");
        if report.warnings > 0 {
            let warnings = counted(report.warnings as u64, "warning");
            table.row("warnings", format!("{WARNING}{warnings}{WARNING:#}, see above"));
        }
        table.row("time", numbers::seconds(self.time));
        table
    }

    /// The lists of `-v`.
    fn lists(&self) -> String {
        let mut text = String::new();
        let Some(structure) = &self.report.structure else { return text };
        if !structure.place_semiflows.flows.is_empty() {
            let _ = writeln!(text, "\n{BOLD}invariants{BOLD:#}");
            for flow in &structure.place_semiflows.flows {
                let value = flow.value.map_or(String::new(), |value| format!(" = {value}"));
                let _ = writeln!(text, "  {}{value}", printable(&weighted_sum(&flow.terms)));
            }
        }
        if !structure.dead_transitions.is_empty() {
            let _ = writeln!(text, "\n{BOLD}commands that can never happen{BOLD:#}");
            for name in &structure.dead_transitions {
                let _ = writeln!(text, "  {}", printable(name));
            }
        }
        text
    }
}

impl Answer for ProgramAnswer {
    fn text(&self, detail: Detail) -> String {
        match detail {
            Detail::Quiet => format!("{}\n", kind(&self.report).join(", ")),
            Detail::Verbose => self.screen(true).to_text() + &self.lists(),
            _ => self.screen(false).to_text(),
        }
    }

    fn body(&self) -> json::Body {
        json::Body::CommandsInfo(Box::new(json::CommandsInfo::new(&self.report)))
    }

    fn status(&self) -> Status<'_> {
        Status::Ok
    }

    fn records(&self) -> Option<Records> {
        Some(Records::of_table(&self.screen(true)))
    }
}

fn kind(report: &ProgramInfo) -> Vec<String> {
    let structure = match (&report.structure, report.initial_states) {
        (Some(_), _) => "each tests and changes its variables one by one, as a Petri net does".to_string(),
        (None, Some(1)) => {
            let verb = if report.computing == 1 { "computes" } else { "compute" };
            format!("{} of which {verb} with variables", report.computing)
        }
        (None, _) => "several initial states".to_string(),
    };
    vec!["guarded commands".to_string(), structure]
}

fn size(report: &ProgramInfo) -> Vec<String> {
    let mut parts =
        vec![counted(report.variables.len() as u64, "variable"), counted(report.commands as u64, "command")];
    if !report.components.is_empty() {
        parts.push(counted(report.components.len() as u64, "component"));
    }
    parts.push(match report.initial_states {
        Some(count) => counted(count as u64, "initial state"),
        None => "initial states described by a condition".to_string(),
    });
    match report.properties.len() {
        0 => {}
        1 => parts.push("1 property".to_string()),
        count => parts.push(format!("{count} properties")),
    }
    parts
}

fn states(report: &ProgramInfo, everything: bool) -> String {
    match &report.combinations {
        Some(count) => {
            format!("at most {}, all combinations of values", readable(count.to_string(), everything))
        }
        None => "no limit by declaration: a variable is a nat".to_string(),
    }
}

/// A line for each variable: name, values, initial value, and the bound that is proved.
fn variables(variables: &[VariableInfo], everything: bool) -> Vec<String> {
    let width = variables.iter().map(|variable| printable(&variable.name).chars().count()).max().unwrap_or(0);
    let line = |variable: &VariableInfo| {
        let initial = match variable.initial.as_slice() {
            [] => String::new(),
            [one] => format!(" = {}", printable(one)),
            several => format!(" = {{{}}}", printable(&several.join(", "))),
        };
        let bound = match &variable.at_most {
            Some(bound) if variable.values == "nat" => format!("{FAINT}, at most {bound}{FAINT:#}"),
            _ => String::new(),
        };
        let values = format!("{}{initial}", printable(&variable.values));
        format!("{:width$}  {}{bound}", printable(&variable.name), shortened(&values, everything))
    };
    variables.iter().map(line).collect()
}

fn shortened(text: &str, everything: bool) -> String {
    match text.chars().count() > LONGEST_TEXT && !everything {
        true => text.chars().take(LONGEST_TEXT).chain(['…']).collect(),
        false => text.to_string(),
    }
}
