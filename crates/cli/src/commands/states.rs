//! `states`: the exact size of the reachable state space.

use super::overflow::WithOverflow;
use super::prepare;
use crate::answer::{Answer, Detail};
use crate::arguments::{GlobalOptions, StatesArguments};
use crate::dashes::settle;
use crate::failure::Failure;
use crate::numbers::{self, counted, readable};
use crate::output_file::write_file;
use crate::session::Session;
use crate::table::{BOLD, Table, WARNING, printable};
use crate::watch::watch;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use symbolon_checker::{
    Amount, HierarchyReport, Histogram, InputError, NetUse, Outcome, StateCount, StatesReport, Unknown,
    histogram,
};
use symbolon_report as json;
use symbolon_report::Status;

/// Counts the reachable states.
pub(crate) fn states(
    session: &Arc<Session>,
    global: &GlobalOptions,
    arguments: &StatesArguments,
) -> Result<Box<dyn Answer>, Failure> {
    let shared = Arc::clone(session);
    watch(session, move |unknown| StatesAnswer::boxed(&shared, Err(unknown)));
    if arguments.distances && arguments.overflow {
        return Err(Failure::plain("'--overflow' and '--distances' cannot be combined"));
    }
    let mut overflow = None;
    let answered = if arguments.distances {
        prepare::ask_folded(session, global, &arguments.model, NetUse::Unused, |loaded, options, job| {
            job.states_with_distances(loaded, options)
        })
    } else {
        prepare::ask_folded(session, global, &arguments.model, NetUse::Unused, |loaded, options, job| {
            if arguments.overflow {
                overflow = Some(settle(job.overflows(loaded, options))?);
            }
            job.states(loaded, options)
        })
    };
    let outcome = settle(answered)?;
    if let Ok(report) = &outcome {
        session.explain(&format!("strategy: {}: {}", report.found_by.strategy(), report.strategy_reason));
        session.explain(&format!("order: {}: {}", report.order_name(), report.order_reason));
        if let Some(file) = &global.save_order {
            session.warn_of(save(
                session,
                file,
                "variable order",
                report.order_text.as_deref().unwrap_or_default(),
            ));
        }
        if let Some(hierarchy) = &report.hierarchy {
            session.explain(&format!("hierarchy: {}: {}", hierarchy.name, hierarchy.reason));
        }
        if let Some(vtree) = &report.vtree {
            session.explain(&format!("vtree: {}: {}", vtree.name, vtree.reason));
        }
        let made: Vec<String> =
            report.nodes_made.kernels.iter().map(|(kernel, nodes)| format!("{nodes} {kernel}")).collect();
        session.explain(&format!("nodes made: {}", made.join(", ")));
        if let Some(file) = &global.save_hierarchy {
            let text = report.hierarchy.as_ref().map_or("", |hierarchy| &hierarchy.text);
            session.warn_of(save(session, file, "hierarchy", text));
        }
        if let Some(file) = &global.save_vtree {
            let text = report.vtree.as_ref().map_or("", |vtree| &vtree.text);
            session.warn_of(save(session, file, "vtree", text));
        }
    }
    if let Some(file) = &arguments.plot {
        session.warn_of(plot_distances(session, file, &outcome));
    }
    let answer = StatesAnswer::boxed(session, outcome);
    Ok(match overflow {
        Some(overflow) => Box::new(WithOverflow { answer, overflow }),
        None => answer,
    })
}

/// Draws the histogram of distances, or says why there is none.
fn plot_distances(session: &Session, file: &Path, outcome: &Outcome<StatesReport>) -> Result<(), Failure> {
    let counts = match outcome {
        Ok(StatesReport { distances: Some(counts), .. }) => counts,
        Ok(_) | Err(_) => {
            let message = format!("there are no distances to draw: '{}' was not written", file.display());
            session.warn(&[InputError { is_warning: true, ..InputError::plain(message) }]);
            return Ok(());
        }
    };
    let model = session.model.clone().unwrap_or_default();
    write_file(file, &histogram(&distances_histogram(&model, counts)))
}

/// The counts as a picture wants them: multiples of a power of ten.
fn distances_histogram(model: &str, counts: &[impl ToString]) -> Histogram {
    /// The number of digits that are exact in a picture.
    const DIGITS: usize = 15;
    let digits: Vec<String> = counts.iter().map(ToString::to_string).collect();
    let longest = digits.iter().map(String::len).max().unwrap_or(0);
    let exponent = longest.saturating_sub(DIGITS);
    let scaled = |digits: &String| {
        // The digits that are left out are below what can be seen.
        let kept = digits.len().saturating_sub(exponent);
        digits[..kept].parse::<f64>().unwrap_or(0.0)
    };
    let depth = counted(counts.len().saturating_sub(1) as u64, "step");
    let farthest = digits.last().map_or("0", String::as_str);
    Histogram {
        title: format!("{}: states at each distance", printable(model)),
        remark: format!("the largest distance is {depth}: {} states", readable(farthest.to_string(), false)),
        axis: "distance".to_string(),
        counted: "states".to_string(),
        counts: digits.iter().map(scaled).collect(),
        exponent,
        told: digits.iter().map(|digits| readable(digits.clone(), false)).collect(),
    }
}

fn save(session: &Session, file: &Path, what: &str, text: &str) -> Result<(), Failure> {
    if text.is_empty() {
        let mut warning = InputError::plain(format!("no {what} was used, so none was saved"));
        warning.is_warning = true;
        session.warn(&[warning]);
        return Ok(());
    }
    write_file(file, &text)
}

struct StatesAnswer {
    model: String,
    outcome: Outcome<StatesReport>,
    time: Duration,
}

impl StatesAnswer {
    fn boxed(session: &Session, outcome: Outcome<StatesReport>) -> Box<dyn Answer> {
        let model = session.model.clone().unwrap_or_default();
        Box::new(StatesAnswer { model, outcome, time: session.elapsed() })
    }
}

impl Answer for StatesAnswer {
    fn text(&self, detail: Detail) -> String {
        match (&self.outcome, detail) {
            // Where the number is the whole answer, it has all digits.
            (Ok(report), Detail::Quiet) => format!("{}\n", report.states),
            (Ok(report), _) => self.report_text(report, detail == Detail::Verbose),
            (Err(_), Detail::Quiet) => "unknown\n".to_string(),
            (Err(unknown), _) => {
                unknown_text(&self.model, "states", unknown, self.time, detail == Detail::Verbose)
            }
        }
    }

    fn body(&self) -> json::Body {
        match &self.outcome {
            Ok(report) => json::Body::States(Box::new(json::States::new(report))),
            Err(_) => json::Body::Nothing {},
        }
    }

    fn status(&self) -> Status<'_> {
        Status::of(&self.outcome)
    }
}

impl StatesAnswer {
    fn report_text(&self, report: &StatesReport, all_digits: bool) -> String {
        let amount = |amount: &Amount| readable(amount.to_string(), all_digits);
        let mut table = Table::default();
        table.row("model", printable(&self.model));
        let count = readable(report.states.to_string(), all_digits);
        table.row("states", format!("{BOLD}{count}{BOLD:#}"));
        if let (Some(symbolic), Some(symmetry)) = (&report.symbolic_states, report.symmetry) {
            let count = readable(symbolic.to_string(), all_digits);
            table.row("symbolic", format!("{count} up to exchange of members ({symmetry})"));
        }
        if let StateCount::Infinite { why } = &report.states {
            table.row("", printable(why).to_string());
        }
        let no_edges = match report.is_synchronous {
            true => "not counted: all agents step at once, so there are no single events",
            false => "not counted (--edges yes)",
        };
        table.row("edges", report.edges.as_ref().map_or(no_edges.to_string(), amount));
        if let (Some(place), Some(marking)) = (&report.max_tokens_in_place, &report.max_tokens_per_marking) {
            table
                .row("max tokens", format!("{} in a place, {} in a marking", amount(place), amount(marking)));
        }
        if let Some(depth) = report.depth {
            // How far the farthest state is, seen from the initial ones: that is what eccentricity
            // means.
            let note = if report.distances.is_some() { " (eccentricity of the initial states)" } else { "" };
            table.row("depth", format!("{depth}{note}"));
        }
        if matches!(report.states, StateCount::Finite(_)) {
            let things = if report.levels == 0 { "stored states" } else { "nodes" };
            let mut nodes = format!("{} final, {} peak", report.nodes_final, report.nodes_peak);
            if report.hierarchy.is_some() {
                let leaves = report.nodes_final - report.set_nodes;
                nodes = format!(
                    "{} final ({leaves} leaf, {} set), {} peak",
                    report.nodes_final, report.set_nodes, report.nodes_peak
                );
            }
            table.row(things, nodes);
            let mut engine = format!("{}, {}", report.found_by.diagram(), report.found_by.strategy());
            if report.levels > 0 {
                engine.push_str(&format!(
                    ", order {} ({})",
                    printable(report.order_name()),
                    counted(report.levels, "level")
                ));
            }
            table.row("engine", engine);
            if let Some(hierarchy) = &report.hierarchy {
                table.row("hierarchy", format!("{} ({})", printable(&hierarchy.name), components(hierarchy)));
            }
            if let Some(vtree) = &report.vtree {
                let size = vtree.size.map_or(String::new(), |size| {
                    format!(
                        "; {}, {} and {} without signs",
                        counted(size.elements as u64, "element"),
                        size.unsigned_elements,
                        counted(size.unsigned_nodes as u64, "node")
                    )
                });
                table.row("vtree", format!("{}{size}", printable(&vtree.name)));
            }
        }
        table.row("time", numbers::seconds(self.time));
        let mut text = table.to_text();
        if let Some(counts) = &report.distances {
            text.push('\n');
            text.push_str(&distances_text(counts, all_digits));
        }
        text
    }
}

/// How many components a hierarchy has, in words.
pub(super) fn components(hierarchy: &HierarchyReport) -> String {
    match hierarchy.components {
        0 => "one component".to_string(),
        count => format!("{}, {} deep", counted(count, "component"), hierarchy.depth),
    }
}

/// How an answer that is unknown looks: why, and how far it got.
pub(super) fn unknown_text(
    model: &str,
    question: &'static str,
    unknown: &Unknown,
    time: Duration,
    all_digits: bool,
) -> String {
    let mut table = Table::default();
    table.row("model", printable(model));
    table.row(question, format!("{WARNING}unknown{WARNING:#}: {}", printable(&unknown.detail)));
    if let Some(states) = &unknown.partial.states_at_least {
        let states = states.to_string();
        let noun = if states == "1" { "state" } else { "states" };
        table.row("so far", format!("at least {} {noun}", readable(states, all_digits)));
    }
    table.row("nodes", unknown.partial.nodes.to_string());
    table.row("steps", unknown.partial.steps.to_string());
    table.row("time", numbers::seconds(time));
    table.to_text()
}

/// A line for each distance; of many, unless all are wanted, the first and the last.
fn distances_text(counts: &[impl ToString], everything: bool) -> String {
    const FIRST: usize = 20;
    const LAST: usize = 10;
    let mut text = String::from("distance  states\n");
    for (distance, count) in counts.iter().enumerate() {
        if everything || distance < FIRST || distance + LAST >= counts.len() {
            text.push_str(&format!("{distance:>8}  {}\n", readable(count.to_string(), everything)));
        } else if distance == FIRST {
            text.push_str(&format!("       …  {} more; -v shows all\n", counts.len() - FIRST - LAST));
        }
    }
    text
}
