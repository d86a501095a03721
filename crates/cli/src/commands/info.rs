//! `info`: what can be said about a net, or about a multi-agent system, without exploring it, on
//! one screen; with `-v`, the lists.

mod agents;
mod programs;

use super::prepare;
use super::states::{components, unknown_text};
use crate::answer::{Answer, Detail};
use crate::arguments::{GlobalOptions, ModelArguments};
use crate::dashes::settle;
use crate::failure::Failure;
use crate::numbers::{self, counted};
use crate::records::Records;
use crate::session::Session;
use crate::table::{BOLD, GOOD, Table, WARNING, printable};
use crate::watch::watch;
use agents::AgentsAnswer;
use programs::ProgramAnswer;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;
use symbolon_checker::{
    AgentsInfo, BoundednessReport, ClassInfo, ColoursInfo, Diagram, DiagramKind, FlowCoverage, FlowReport,
    Hierarchy, HierarchyReport, InfoReport, Language, Limited, Outcome, ProgramInfo, SemiflowReport,
    TIME_FOR_ONE, weighted_sum,
};
use symbolon_report as json;
use symbolon_report::Status;

/// Texts beside a label are broken at this width.
const WIDTH: usize = 64;
/// The longest cycle that is shown without -v, in transitions.
const SHORT_CYCLE: usize = 4;

/// Describes a model.
pub(crate) fn info(
    session: &Arc<Session>,
    global: &GlobalOptions,
    arguments: &ModelArguments,
) -> Result<Box<dyn Answer>, Failure> {
    let shared = Arc::clone(session);
    watch(session, move |unknown| Box::new(InfoAnswer::new(&shared, Err(unknown))));
    let mut hierarchy = None;
    let described = prepare::ask_structure(session, global, arguments, |loaded, options, job| {
        if loaded.language() == Language::Agents {
            return Ok(Described::Agents(symbolon_checker::info_of_agents(loaded)?));
        }
        if loaded.language() == Language::Commands {
            return Ok(Described::Program(Box::new(job.info_of_commands(loaded, options)?)));
        }
        let is_asked_for =
            options.diagram == Diagram::Kind(DiagramKind::Set) || options.hierarchy != Hierarchy::Auto;
        if (global.verbose || is_asked_for) && loaded.unbounded_place().is_none() {
            // Finding a hierarchy out means to try some: that has its time, too.
            hierarchy = Some(match settle(job.hierarchy_plan(loaded, options, TIME_FOR_ONE))? {
                Ok(report) => Limited::Known(report),
                Err(_) => Limited::TookTooLong,
            });
        }
        Ok(Described::Net(Box::new(job.info(loaded, options)?)))
    });
    let outcome = match settle(described)? {
        Ok(Described::Net(report)) => Ok(*report),
        Ok(Described::Agents(report)) => return Ok(AgentsAnswer::boxed(session, report)),
        Ok(Described::Program(report)) => return Ok(ProgramAnswer::boxed(session, *report)),
        Err(why) => Err(why),
    };
    Ok(Box::new(InfoAnswer { hierarchy, ..InfoAnswer::new(session, outcome) }))
}

/// What was described.
enum Described {
    Net(Box<InfoReport>),
    Agents(AgentsInfo),
    Program(Box<ProgramInfo>),
}

struct InfoAnswer {
    model: String,
    outcome: Outcome<InfoReport>,
    /// The hierarchy of set diagrams, if it was asked for.
    hierarchy: Option<Limited<HierarchyReport>>,
    time: Duration,
}

impl InfoAnswer {
    fn new(session: &Session, outcome: Outcome<InfoReport>) -> InfoAnswer {
        let model = session.model.clone().unwrap_or_default();
        InfoAnswer { model, outcome, hierarchy: None, time: session.elapsed() }
    }
}

impl Answer for InfoAnswer {
    fn text(&self, detail: Detail) -> String {
        match (&self.outcome, detail) {
            (Ok(report), Detail::Quiet) => {
                let noun = if report.colours.is_some() { "coloured Petri net" } else { "Petri net" };
                format!("{noun}, {}\n", kind(report).join(", "))
            }
            (Ok(report), _) => {
                let coloured = report.colours.as_ref().map_or(String::new(), coloured_lists);
                let lists = || coloured + &lists(report) + &self.hierarchy_list();
                let lists = if detail == Detail::Verbose { lists() } else { String::new() };
                self.screen(report).to_text() + &lists
            }
            (Err(_), Detail::Quiet) => "unknown\n".to_string(),
            (Err(unknown), _) => {
                unknown_text(&self.model, "info", unknown, self.time, detail == Detail::Verbose)
            }
        }
    }

    fn body(&self) -> json::Body {
        match &self.outcome {
            Ok(report) => {
                let hierarchy = match &self.hierarchy {
                    Some(Limited::Known(hierarchy)) => Some(hierarchy),
                    Some(Limited::TookTooLong) | None => None,
                };
                json::Body::Info(Box::new(json::Info::new(report, hierarchy)))
            }
            Err(_) => json::Body::Nothing {},
        }
    }

    fn status(&self) -> Status<'_> {
        Status::of(&self.outcome)
    }

    fn records(&self) -> Option<Records> {
        self.outcome.as_ref().ok().map(|report| Records::of_table(&self.screen(report)))
    }
}

impl InfoAnswer {
    fn screen(&self, report: &InfoReport) -> Table {
        let mut table = Table::default();
        table.row("model", format!("{BOLD}{}{BOLD:#}", printable(&self.model)));
        rows(&mut table, "kind", &kind(report), ", ");
        if let Some(colours) = &report.colours {
            rows(&mut table, "classes", &classes(colours), ", ");
            rows(&mut table, "symmetry", &symmetries(colours), "; ");
            rows(&mut table, "coloured", &coloured_size(colours), ", ");
        }
        rows(&mut table, if report.colours.is_some() { "unfolded" } else { "size" }, &size(report), ", ");
        rows(&mut table, "graph", &graph(report), ", ");
        table.row("units", units(report));
        rows(&mut table, "P-semiflows", &semiflows(&report.place_semiflows, "place"), "; ");
        rows(&mut table, "T-semiflows", &semiflows(&report.transition_semiflows, "transition"), "; ");
        rows(&mut table, "bounds", &bounds(report), "; ");
        rows(&mut table, "safe", &[safe(report)], "; ");
        rows(&mut table, "exclusive", &[exclusive(report)], "; ");
        rows(&mut table, "dead parts", &[dead(report)], "; ");
        let order = match &report.order {
            Limited::Known(order) => vec![
                format!("{} ({})", printable(&order.name), counted(order.levels as u64, "level")),
                order.reason.clone(),
            ],
            Limited::TookTooLong => vec![not_computed()],
        };
        rows(&mut table, "order", &order, ": ");
        match &self.hierarchy {
            Some(Limited::Known(hierarchy)) => {
                let name = format!("{} ({})", printable(&hierarchy.name), components(hierarchy));
                rows(&mut table, "hierarchy", &[name, hierarchy.reason.clone()], ": ");
            }
            Some(Limited::TookTooLong) => table.row("hierarchy", not_computed()),
            None => {}
        }
        table.row("time", numbers::seconds(self.time));
        table
    }
}

impl InfoAnswer {
    /// The tree of components, as `--save-hierarchy` writes it; a single component is not a tree.
    fn hierarchy_list(&self) -> String {
        let Some(Limited::Known(hierarchy)) = &self.hierarchy else { return String::new() };
        if hierarchy.components == 0 {
            return String::new();
        }
        let mut text =
            format!("\n{BOLD}hierarchy{BOLD:#} ({})\n", counted(hierarchy.components, "component"));
        for line in hierarchy.text.lines() {
            let _ = writeln!(text, "  {}", printable(line));
        }
        text
    }
}

/// A row whose parts continue below where they do not fit beside each other.
fn rows(table: &mut Table, label: &'static str, parts: &[String], separator: &str) {
    let mut label = label;
    let mut line = String::new();
    for (number, part) in parts.iter().enumerate() {
        if !line.is_empty() && line.chars().count() + part.chars().count() > WIDTH {
            table.row(label, line.trim_end().to_string());
            label = "";
            line.clear();
        }
        line.push_str(part);
        if number + 1 < parts.len() {
            line.push_str(separator);
        }
    }
    if !line.is_empty() {
        table.row(label, line);
    }
}

fn not_computed() -> String {
    format!("{WARNING}not computed{WARNING:#} within {} s", TIME_FOR_ONE.as_secs())
}

/// The classes of a coloured net: `Process (cyclic, 5)`.
fn classes(colours: &ColoursInfo) -> Vec<String> {
    let class = |class: &ClassInfo| match class.kind {
        "dot" => printable(&class.name).to_string(),
        kind => format!("{} ({kind}, {})", printable(&class.name), class.size),
    };
    colours.classes.iter().map(class).collect()
}

/// How the members of each class can be exchanged, and what tells them apart.
fn symmetries(colours: &ColoursInfo) -> Vec<String> {
    let class = |class: &ClassInfo| {
        let symmetry = class.symmetry.as_ref().filter(|_| class.kind != "dot")?;
        let name = printable(&class.name);
        let how = match (symmetry.kind, &symmetry.subclasses[..]) {
            ("free", [_]) => format!("{name}: all members can be exchanged"),
            ("free", sizes) => {
                let several: Vec<String> =
                    sizes.iter().filter(|size| **size > 1).take(SIZES_SHOWN).map(u64::to_string).collect();
                let more = sizes.iter().filter(|size| **size > 1).count().saturating_sub(SIZES_SHOWN);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!("{name}: {}{more} of {} members can be exchanged", several.join(" + "), class.size)
            }
            ("rotating", _) => format!("{name}: rotating"),
            _ => format!("{name}: fixed"),
        };
        let why =
            symmetry.reasons.first().map_or(String::new(), |why| format!(", because {}", printable(why)));
        Some(how + &why)
    };
    let all: Vec<String> = colours.classes.iter().filter_map(class).collect();
    if all.is_empty() { vec!["none".to_string()] } else { all }
}

/// How many sizes of sets of members a line shows.
const SIZES_SHOWN: usize = 4;

/// The size of a coloured net, and how many colours matter.
fn coloured_size(colours: &ColoursInfo) -> Vec<String> {
    let never = match colours.unmarkable_count {
        0 => "all of which can be marked".to_string(),
        count => format!("{count} of which can never be marked"),
    };
    vec![
        counted(colours.places.len() as u64, "place"),
        counted(colours.transitions.len() as u64, "transition"),
        format!("{} colours", colours.colour_count),
        never,
        format!("unfolded in {}", numbers::seconds(colours.time)),
    ]
}

/// The places and transitions of a coloured net, with their domains, variables and instances.
fn coloured_lists(colours: &ColoursInfo) -> String {
    let mut text = format!("\n{BOLD}coloured places{BOLD:#}\n");
    for place in &colours.places {
        let constant = if place.is_constant { ", constant" } else { "" };
        let of = place.colours.map_or(String::new(), |count| format!(" of {count}"));
        let _ = writeln!(
            text,
            "  {}: {}, {}{of} colours can be marked{constant}",
            printable(&place.id),
            printable(&place.domain),
            place.instances
        );
    }
    let _ = writeln!(text, "\n{BOLD}coloured transitions{BOLD:#}");
    for transition in &colours.transitions {
        let variables = match &transition.variables[..] {
            [] => String::new(),
            names => format!("({})", names.join(", ")),
        };
        let _ = writeln!(
            text,
            "  {}{}: {}",
            printable(&transition.id),
            printable(&variables),
            counted(transition.instances, "binding")
        );
    }
    text
}

/// What kind of net, in a few words.
fn kind(report: &InfoReport) -> Vec<String> {
    let class = &report.class;
    let mut words = Vec::new();
    words.push(match report.size.largest_weight {
        _ if class.is_ordinary => "ordinary".to_string(),
        0 | 1 => "weights 1".to_string(),
        weight => format!("weights up to {weight}"),
    });
    let arcs = [
        (report.size.inhibitor_arcs, "inhibitor arcs"),
        (report.size.read_arcs, "read arcs"),
        (report.size.reset_arcs, "reset arcs"),
    ];
    words.extend(arcs.iter().filter(|(count, _)| *count > 0).map(|(_, name)| name.to_string()));
    let classes = [
        (class.is_state_machine, "state machine"),
        (class.is_marked_graph, "marked graph"),
        (class.is_free_choice, "free choice"),
        (class.is_extended_free_choice && !class.is_free_choice, "extended free choice"),
        (class.is_conservative, "conservative"),
        (class.is_subconservative && !class.is_conservative, "subconservative"),
    ];
    words.extend(classes.iter().filter(|(is_so, _)| *is_so).map(|(_, name)| name.to_string()));
    words
}

fn size(report: &InfoReport) -> Vec<String> {
    let size = &report.size;
    let mut words = vec![
        counted(size.places as u64, "place"),
        counted(size.transitions as u64, "transition"),
        counted(size.arcs as u64, "arc"),
    ];
    let kinds = [(size.inhibitor_arcs, "inhibitor"), (size.read_arcs, "read"), (size.reset_arcs, "reset")];
    for (count, kind) in kinds.into_iter().filter(|(count, _)| *count > 0) {
        words.push(format!("{} among them", counted(count as u64, &format!("{kind} arc"))));
    }
    words.push(match size.tokens {
        1 => "1 token".to_string(),
        tokens => format!("{tokens} tokens in {}", counted(size.marked_places as u64, "place")),
    });
    words
}

fn graph(report: &InfoReport) -> Vec<String> {
    let class = &report.class;
    let connection = match (class.is_connected, class.is_strongly_connected) {
        (_, true) => "strongly connected",
        (true, _) => "connected",
        _ => "not connected",
    };
    let mut words = vec![connection.to_string()];
    if class.is_loop_free {
        words.push("no self-loops".to_string());
    }
    words.extend(
        ends(report)
            .into_iter()
            .filter(|(nodes, _)| !nodes.is_empty())
            .map(|(nodes, noun)| counted(nodes.len() as u64, noun)),
    );
    words
}

/// Sources, sinks and what is not connected, with what one of them is called.
fn ends(report: &InfoReport) -> [(&Vec<String>, &'static str); 6] {
    let ends = &report.ends;
    [
        (&ends.source_places, "source place"),
        (&ends.sink_places, "sink place"),
        (&ends.isolated_places, "isolated place"),
        (&ends.source_transitions, "source transition"),
        (&ends.sink_transitions, "sink transition"),
        (&ends.isolated_transitions, "isolated transition"),
    ]
}

fn units(report: &InfoReport) -> String {
    let units = &report.units;
    let nested = if units.depth > 1 { format!(", {} deep", units.depth) } else { String::new() };
    match units.kind {
        "none" => "none".to_string(),
        "pages" => format!("{}{nested}", counted(units.count as u64, "page")),
        _ if units.claims_safety => {
            format!("{}{nested}, said to be unit safe", counted(units.count as u64, "unit"))
        }
        _ => format!("{}{nested}", counted(units.count as u64, "unit")),
    }
}

fn semiflows(report: &SemiflowReport, noun: &str) -> Vec<String> {
    let count = report.flows.len();
    let mut words = vec![match report.coverage {
        FlowCoverage::Complete => format!("{count} (complete)"),
        FlowCoverage::Some => format!("{count} found, there may be more (limits reached)"),
        FlowCoverage::TookTooLong => return vec![not_computed()],
    }];
    match report.covers_all {
        Some(true) if count > 0 => words.push(format!("every {noun} is in one")),
        Some(false) if count > 0 => words.push(format!("not every {noun} is in one")),
        _ => {}
    }
    words
}

fn bounds(report: &InfoReport) -> Vec<String> {
    let known = report.upper_bounds.iter().filter_map(|(_, bound)| *bound);
    let count = known.clone().count();
    let some =
        format!("{count} of {} have a proven bound", counted(report.upper_bounds.len() as u64, "place"));
    match &report.boundedness {
        BoundednessReport::Bounded => {
            let largest = known.max().unwrap_or(0);
            vec![
                format!("{GOOD}bounded{GOOD:#}, every place by proof"),
                format!("no place holds more than {largest}"),
            ]
        }
        BoundednessReport::Unbounded { place, cycle, .. } => {
            let how = if cycle.len() <= SHORT_CYCLE {
                let names: Vec<_> = cycle.iter().map(|name| printable(name)).collect();
                format!("each round of {} adds to it", names.join(", "))
            } else {
                format!("a cycle of {} adds to it (-v)", counted(cycle.len() as u64, "step"))
            };
            vec![format!("{WARNING}unbounded{WARNING:#}: place '{}'", printable(place)), how, some]
        }
        BoundednessReport::Unknown => vec!["neither proved nor refuted".to_string(), some],
    }
}

fn safe(report: &InfoReport) -> String {
    let count = safe_places(report).count();
    match report.upper_bounds.len() {
        places if places == count => "every place, by proof".to_string(),
        places => format!("{count} of {} by proof", counted(places as u64, "place")),
    }
}

fn safe_places(report: &InfoReport) -> impl Iterator<Item = &str> {
    let is_safe = |bound: &Option<u64>| bound.is_some_and(|bound| bound <= 1);
    report.upper_bounds.iter().filter(move |(_, bound)| is_safe(bound)).map(|(place, _)| place.as_str())
}

fn exclusive(report: &InfoReport) -> String {
    if report.exclusive_sets.is_empty() {
        return "none found".to_string();
    }
    let mut covered: Vec<&String> = report.exclusive_sets.iter().flat_map(|set| &set.places).collect();
    covered.sort_unstable();
    covered.dedup();
    let sets = counted(report.exclusive_sets.len() as u64, "set");
    format!("{sets} over {}: one token each at most", counted(covered.len() as u64, "place"))
}

fn dead(report: &InfoReport) -> String {
    match (report.dead_transitions.len() as u64, report.unmarked_places.len() as u64) {
        (0, 0) => "none found".to_string(),
        (transitions, 0) => format!("{}, by proof", counted(transitions, "transition")),
        (0, places) => format!("{} never marked, by proof", counted(places, "place")),
        (transitions, places) => format!(
            "{} never fire, {} never marked, by proof",
            counted(transitions, "transition"),
            counted(places, "place")
        ),
    }
}

/// The lists of `-v`.
fn lists(report: &InfoReport) -> String {
    let mut text = String::new();
    let mut list = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            let _ = writeln!(text, "\n{BOLD}{title}{BOLD:#} ({})", lines.len());
            for line in lines {
                let _ = writeln!(text, "  {}", printable(&line));
            }
        }
    };
    let flow = |flow: &FlowReport| match flow.value {
        Some(value) => format!("{} = {value}", weighted_sum(&flow.terms)),
        None => weighted_sum(&flow.terms),
    };
    let labelled = |labels: &[(String, String)]| -> Vec<String> {
        labels.iter().map(|(id, label)| format!("{id}  {label}")).collect()
    };
    list("names of places", labelled(&report.place_labels));
    list("names of transitions", labelled(&report.transition_labels));
    for (nodes, noun) in ends(report) {
        list(&format!("{noun}s"), nodes.clone());
    }
    list("P-semiflows", report.place_semiflows.flows.iter().map(flow).collect());
    list("T-semiflows", report.transition_semiflows.flows.iter().map(flow).collect());
    if let BoundednessReport::Unbounded { prefix, cycle, .. } = &report.boundedness {
        list("way to the cycle", prefix.clone());
        list("cycle", cycle.clone());
    }
    let sets = report.exclusive_sets.iter().map(|set| {
        let relation = if set.exactly_one { "=" } else { "<=" };
        format!("{} {relation} 1", set.places.join(" + "))
    });
    list("exclusive sets", sets.collect());
    list("safe places", safe_places(report).map(str::to_string).collect());
    let others = report.upper_bounds.iter().filter_map(|(place, bound)| {
        bound.filter(|&bound| bound > 1).map(|bound| format!("{place} <= {bound}"))
    });
    list("other proven bounds", others.collect());
    list("dead transitions", report.dead_transitions.clone());
    list("places never marked", report.unmarked_places.clone());
    text
}
