//! What a simulation shows: the marked places and the enabled transitions, in columns that fit a
//! terminal or, for scripts, one per line.

use crate::commands::trace_text::{Run, run_text};
use crate::numbers::counted;
use crate::table::{BOLD, ERROR, FAINT, LABEL, WARNING, printable};
use std::fmt::Write as _;
use symbolon_checker::{Language, Simulation};

/// Lines are broken at this column.
const WIDTH: usize = 78;
/// The labels and the space behind them.
const LABEL_WIDTH: usize = 9;

/// What users of a language call what a simulation shows.
#[derive(Clone, Copy)]
pub(super) struct Words {
    /// What has a value.
    pub(super) variable: &'static str,
    /// What happens.
    pub(super) event: &'static str,
    /// What can happen is this.
    pub(super) enabled: &'static str,
    /// The label before values.
    marked: &'static str,
    /// What is said where there are no values to show.
    nothing: &'static str,
}

impl Words {
    /// The words for what is played.
    pub(super) fn of(simulation: &Simulation) -> Words {
        match simulation.language() {
            Language::Net => Words {
                variable: "place",
                event: "transition",
                enabled: "enabled",
                marked: "marked",
                nothing: "no marked place has that in its name",
            },
            Language::Agents => Words {
                variable: "variable",
                event: "joint action",
                enabled: "possible",
                marked: "state",
                nothing: "no variable has that in its name",
            },
            Language::Commands => Words {
                variable: "variable",
                event: "command",
                enabled: "enabled",
                marked: "state",
                nothing: "no variable has that in its name",
            },
        }
    }
}

/// How much of a list is shown, and how.
#[derive(Clone, Copy)]
pub(super) enum Layout {
    /// Side by side, at most this many.
    Columns(usize),
    /// One per line, all of them.
    Lines,
}

/// The marked places whose names contain a text. What the last step changed stands out.
pub(super) fn marking_text(simulation: &Simulation, layout: Layout, wanted: &str) -> String {
    let changed = match simulation.position() {
        0 => Vec::new(),
        position => simulation.step(position).changes,
    };
    let places = simulation.values().into_iter().filter(|(name, _)| name.contains(wanted));
    let items = places.map(|(name, value)| {
        let is_changed = changed.iter().any(|(place, ..)| *place == name);
        Item { text: format!("{}={value}", printable(&name)), stands_out: is_changed }
    });
    let words = Words::of(simulation);
    let nothing = match (wanted.is_empty(), simulation.language()) {
        (true, Language::Net) => "no token anywhere",
        (true, _) => "all are 0",
        (false, _) => words.nothing,
    };
    layout.text(words.marked, items, "m", nothing)
}

/// The enabled transitions whose names contain a text, with their numbers.
pub(super) fn enabled_text(simulation: &Simulation, layout: Layout, wanted: &str) -> String {
    if simulation.is_dead() {
        return dead_text(simulation);
    }
    let words = Words::of(simulation);
    let numbered =
        simulation.enabled().zip(1..).map(|(event, number)| (number, simulation.event_name(event)));
    let items = numbered
        .filter(|(_, name)| name.contains(wanted))
        .map(|(number, name)| Item { text: format!("{number} {}", printable(name)), stands_out: false });
    let nothing = format!("no {} {} has that in its name", words.enabled, words.event);
    let mut text = layout.text(words.enabled, items, "e", &nothing);
    if simulation.has_more() && wanted.is_empty() && !matches!(layout, Layout::Lines) {
        text.push_str(&format!(
            "{:LABEL_WIDTH$}{FAINT}there are more: name what agents do, as in Agent.action{FAINT:#}\n",
            ""
        ));
    }
    text
}

/// Where runs may begin, with what distinguishes these states.
pub(super) fn starts_text(simulation: &Simulation) -> String {
    const MOST: usize = 40;
    let (starts, has_more) = simulation.starts();
    let mut text = String::new();
    for (number, values) in starts.iter().zip(1..).map(|(values, number)| (number, values)).take(MOST) {
        let here = if number == simulation.start() { BOLD } else { anstyle::Style::new() };
        let values: Vec<String> = values.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let values = if values.is_empty() { "the only initial state".to_string() } else { values.join(" ") };
        let _ = writeln!(text, "{here}{number:>4}{here:#}  {}", printable(&values));
    }
    if starts.len() > MOST || has_more {
        let dots = if has_more { "more than " } else { "" };
        let _ = writeln!(
            text,
            "{FAINT}   …  {dots}{} initial states; 'start Agent.variable=value' finds one{FAINT:#}",
            starts.len()
        );
    }
    text
}

/// The run from the start to here.
pub(super) fn simulated_text(simulation: &Simulation, ending: &str, everything: bool) -> String {
    let run = Run {
        initial: simulation.initial_values(),
        last: simulation.values(),
        length: simulation.position(),
        step: &|number| simulation.step(number),
        begin: 0,
    };
    run_text(&run, if simulation.is_dead() { "dead" } else { ending }, everything, 0)
}

/// What is said where nothing is enabled.
pub(super) fn dead_text(simulation: &Simulation) -> String {
    let Words { event, enabled, .. } = Words::of(simulation);
    format!("{ERROR}deadlock{ERROR:#}: no {event} is {enabled}\n")
}

/// One thing of a list.
struct Item {
    text: String,
    stands_out: bool,
}

impl Item {
    fn styled(&self) -> String {
        if self.stands_out { format!("{WARNING}{}{WARNING:#}", self.text) } else { self.text.clone() }
    }
}

impl Layout {
    fn text(self, label: &str, items: impl Iterator<Item = Item>, command: &str, nothing: &str) -> String {
        match self {
            Layout::Lines => items.map(|item| format!("{}\n", item.styled())).collect(),
            Layout::Columns(most) => columns(label, items, most, command, nothing),
        }
    }
}

/// Items side by side behind a label, and how many are not shown.
fn columns(
    label: &str,
    mut items: impl Iterator<Item = Item>,
    most: usize,
    command: &str,
    nothing: &str,
) -> String {
    let shown: Vec<Item> = items.by_ref().take(most).collect();
    let more = items.count();
    let mut text = format!("{LABEL}{label:LABEL_WIDTH$}{LABEL:#}");
    if shown.is_empty() {
        let _ = writeln!(text, "{FAINT}{nothing}{FAINT:#}");
        return text;
    }
    let mut column = LABEL_WIDTH;
    for (index, item) in shown.iter().enumerate() {
        let width = item.text.chars().count();
        if index > 0 && column + 2 + width > WIDTH {
            let _ = write!(text, "\n{:LABEL_WIDTH$}", "");
            column = LABEL_WIDTH;
        } else if index > 0 {
            text.push_str("  ");
            column += 2;
        }
        text.push_str(&item.styled());
        column += width;
    }
    text.push('\n');
    if more > 0 {
        let _ = writeln!(
            text,
            "{:LABEL_WIDTH$}{FAINT}… {more} more; '{command}' shows more of them, '{command} TEXT' those with TEXT{FAINT:#}",
            ""
        );
    }
    text
}

/// The first line of a session.
pub(super) fn greeting(model: &str, simulation: &Simulation) -> String {
    let Words { variable, event, .. } = Words::of(simulation);
    let acts = match simulation.is_joint() {
        true => format!("agents with {}", counted(simulation.action_names().count() as u64, "action")),
        false => counted(simulation.event_count() as u64, event),
    };
    let starts = match simulation.starts() {
        (starts, false) if starts.len() == 1 => String::new(),
        (starts, has_more) => {
            let more = if has_more { "more than " } else { "" };
            format!(", {more}{} initial states ('start' lists them)", starts.len())
        }
    };
    format!(
        "{BOLD}{}{BOLD:#}: {}, {acts}{starts}; ? lists the commands\n",
        printable(model),
        counted(simulation.variable_count() as u64, variable),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(count: usize, most: usize, expected: &str) {
        let items =
            (1..=count).map(|number| Item { text: format!("{number} transition"), stands_out: false });
        let text = columns("enabled", items, most, "e", "nothing");
        let text = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(text, expected);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }

    #[test]
    fn lists_are_broken_and_shortened() {
        check(0, 5, "enabled  nothing\n");
        check(2, 5, "enabled  1 transition  2 transition\n");
        check(
            100,
            6,
            "enabled  1 transition  2 transition  3 transition  4 transition  5 transition\n         \
             6 transition\n         … 94 more; 'e' shows more of them, 'e TEXT' those with TEXT\n",
        );
    }
}
