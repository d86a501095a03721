//! `info` of a multi-agent system: its agents, what they see and do, and which formulas it has.

use super::rows;
use crate::answer::{Answer, Detail};
use crate::numbers::{self, counted, readable};
use crate::records::Records;
use crate::session::Session;
use crate::table::{BOLD, Table, WARNING, printable};
use std::fmt::Write as _;
use std::time::Duration;
use symbolon_checker::{AgentInfo, AgentsInfo};
use symbolon_report as json;
use symbolon_report::Status;

/// The largest number of agents, groups, conditions and formulas shown without -v.
const MOST_SHOWN: usize = 8;
/// Longer formulas are shortened without -v.
const LONGEST_FORMULA: usize = 60;

/// The answer for a multi-agent system.
pub(super) struct AgentsAnswer {
    model: String,
    report: AgentsInfo,
    time: Duration,
}

impl AgentsAnswer {
    pub(super) fn boxed(session: &Session, report: AgentsInfo) -> Box<dyn Answer> {
        let model = session.model.clone().unwrap_or_default();
        Box::new(AgentsAnswer { model, report, time: session.elapsed() })
    }

    fn screen(&self, everything: bool) -> Table {
        let report = &self.report;
        let mut table = Table::default();
        table.row("model", format!("{BOLD}{}{BOLD:#}", printable(&self.model)));
        table.row("kind", kind(report));
        rows(&mut table, "size", &size(report), ", ");
        let combinations = readable(report.combinations.to_string(), everything);
        table.row("states", format!("at most {combinations}, all combinations of values"));
        let most = if everything { usize::MAX } else { MOST_SHOWN };
        let width = report.agents.iter().map(|agent| agent.name.chars().count()).max().unwrap_or(0);
        let agents = report.agents.iter().map(|agent| {
            let parts = agent_size(agent).join(", ");
            format!("{:width$}  {parts}", printable(&agent.name))
        });
        listed(&mut table, "agents", agents.collect(), most, "agent");
        let shortened = |text: &String| {
            let text = printable(text);
            match text.chars().count() > LONGEST_FORMULA && !everything {
                true => text.chars().take(LONGEST_FORMULA).chain(['…']).collect(),
                false => text.into_owned(),
            }
        };
        let groups = report.groups.iter();
        let groups =
            groups.map(|(name, members)| shortened(&format!("{name} = {{ {} }}", members.join(", "))));
        listed(&mut table, "groups", groups.collect(), most, "group");
        listed(&mut table, "fairness", report.fairness.iter().map(shortened).collect(), most, "condition");
        let formulas = report.formulas.iter().map(|asked| shortened(&asked.formula)).zip(1..);
        let formulas = formulas.map(|(formula, number)| format!("{number}  {formula}"));
        listed(&mut table, "formulas", formulas.collect(), most, "formula");
        if report.warnings > 0 {
            let warnings = counted(report.warnings as u64, "warning");
            table.row("warnings", format!("{WARNING}{warnings}{WARNING:#}, see above"));
        }
        table.row("time", numbers::seconds(self.time));
        table
    }
}

impl Answer for AgentsAnswer {
    fn text(&self, detail: Detail) -> String {
        match detail {
            Detail::Quiet => format!("{}\n", kind(&self.report)),
            Detail::Verbose => self.screen(true).to_text() + &lists(&self.report),
            _ => self.screen(false).to_text(),
        }
    }

    fn body(&self) -> json::Body {
        json::Body::AgentsInfo(Box::new(json::AgentsInfo::new(&self.report)))
    }

    fn status(&self) -> Status<'_> {
        Status::Ok
    }

    fn records(&self) -> Option<Records> {
        Some(Records::of_table(&self.screen(true)))
    }
}

fn kind(report: &AgentsInfo) -> String {
    format!("multi-agent system, {}", report.semantics)
}

fn size(report: &AgentsInfo) -> Vec<String> {
    let sum = |count: fn(&AgentInfo) -> usize| report.agents.iter().map(count).sum::<usize>() as u64;
    vec![
        counted(report.agents.len() as u64, "agent"),
        counted(sum(|agent| agent.variables.len()), "variable"),
        counted(sum(|agent| agent.actions.len()), "action"),
        counted(report.atoms.len() as u64, "atom"),
        counted(report.formulas.len() as u64, "formula"),
    ]
}

fn agent_size(agent: &AgentInfo) -> Vec<String> {
    let mut parts = vec![
        counted(agent.variables.len() as u64, "variable"),
        counted(agent.actions.len() as u64, "action"),
    ];
    if !agent.sees.is_empty() {
        parts.push(format!("sees {} of the Environment", agent.sees.len()));
    }
    if agent.red_states.is_some() {
        parts.push("red states".to_string());
    }
    parts
}

/// Lines behind a label; of many, the first, and how many more there are.
pub(super) fn listed(table: &mut Table, label: &'static str, lines: Vec<String>, most: usize, noun: &str) {
    let more = lines.len().saturating_sub(most);
    let shown = lines.into_iter().take(most);
    for (number, line) in shown.enumerate() {
        table.row(if number == 0 { label } else { "" }, line);
    }
    if more > 0 {
        table.row("", format!("… {} more; -v shows all", counted(more as u64, noun)));
    }
}

/// The lists of `-v`.
fn lists(report: &AgentsInfo) -> String {
    let mut text = String::new();
    for agent in &report.agents {
        let _ = writeln!(text, "\n{BOLD}{}{BOLD:#}", printable(&agent.name));
        let mut line = |label: &str, value: &str| {
            let _ = writeln!(text, "  {label:10}{}", printable(value));
        };
        for (number, (name, values)) in agent.variables.iter().enumerate() {
            line(if number == 0 { "variables" } else { "" }, &format!("{name} : {values}"));
        }
        for (label, names) in [("sees", &agent.sees), ("actions", &agent.actions)] {
            if !names.is_empty() {
                line(label, &names.join(", "));
            }
        }
        line("protocol", &counted(agent.protocol_lines as u64, "line"));
        line("evolution", &counted(agent.evolution_lines as u64, "line"));
        if let Some(red) = &agent.red_states {
            line("red", red);
        }
    }
    let _ = writeln!(text, "\n{BOLD}atoms{BOLD:#} ({})", report.atoms.len());
    for (name, meaning) in &report.atoms {
        let _ = writeln!(text, "  {} if {}", printable(name), printable(meaning));
    }
    text
}
