//! Runs as text: one line for the initial marking, one line per step with what it changed, and the
//! marking at the end. Lines that are too long for the terminal, or for 80 columns where there is
//! none, go on below themselves.

use crate::console;
use crate::numbers::counted;
use crate::table::{FAINT, printable};
use symbolon_checker::{ShownValue, Witness, WitnessStep};

/// Of longer traces the beginning and the end are shown.
const FIRST_STEPS: usize = 100;
const LAST_STEPS: usize = 20;
/// Of larger markings the beginning is shown.
const MOST_PLACES: usize = 24;
/// The entry for the initial state in the column of transitions.
const INITIALLY: &str = "initially";
/// The entry where a run goes on from a state of another one.
const GOING_ON: &str = "as above";
/// Longer names do not widen their column.
const WIDEST_NAME: usize = 24;
/// How wide lines may be where there is no terminal.
const USUAL_WIDTH: usize = 80;
/// What happened has at least so much room, however narrow the terminal is.
const LEAST_ROOM: usize = 24;

/// The columns of a trace: a number, a name, and what happened.
#[derive(Clone, Copy)]
pub(super) struct TraceColumns {
    number_width: usize,
    name_width: usize,
    /// What the last column has room for.
    room: usize,
}

impl TraceColumns {
    /// Columns for this number of steps and for events with these names, `indent` characters from
    /// the left.
    pub(super) fn new<'a>(
        step_count: usize,
        names: impl Iterator<Item = &'a str>,
        indent: usize,
    ) -> TraceColumns {
        let longest = names.map(|name| name.chars().count()).max().unwrap_or(0);
        let number_width = step_count.to_string().len().max(2);
        let name_width = longest.clamp(INITIALLY.len(), WIDEST_NAME);
        let width = console::columns().unwrap_or(USUAL_WIDTH);
        let room = width.saturating_sub(indent + number_width + name_width + 4).max(LEAST_ROOM);
        TraceColumns { number_width, name_width, room }
    }

    /// A line, or several if the items of the last column are too many for one.
    pub(super) fn line(&self, number: &str, name: &str, items: &[String]) -> String {
        let TraceColumns { number_width, name_width, room } = *self;
        let name = printable(name);
        let mut lines = wrapped(items, room).into_iter();
        // Behind a name that fills its column, what happened begins below.
        let is_long = name.chars().count() > name_width;
        let first = if is_long { String::new() } else { lines.next().unwrap_or_default() };
        let mut text = format!("{FAINT}{number:>number_width$}{FAINT:#}  {name:name_width$}  {first}");
        text.truncate(text.trim_end().len());
        text.push('\n');
        for line in lines {
            let indent = number_width + name_width + 4;
            text.push_str(&format!("{:indent$}{line}\n", ""));
        }
        text
    }

    /// The line of a step, counted from 1.
    pub(super) fn step(&self, number: usize, step: &WitnessStep) -> String {
        let changes: Vec<String> = step
            .changes
            .iter()
            .map(|(place, old, new)| format!("{} {old}->{new}", printable(place)))
            .collect();
        match changes.is_empty() {
            true => self.line(&number.to_string(), &step.event, &["nothing changes".to_string()]),
            false => self.line(&number.to_string(), &step.event, &changes),
        }
    }
}

/// Items in lines of at most `width` characters, unless an item alone has more.
pub(super) fn wrapped(items: &[String], room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut used = 0;
    for (index, item) in items.iter().enumerate() {
        let comma = if index + 1 < items.len() { "," } else { "" };
        let width = item.chars().count() + comma.len();
        match lines.last_mut() {
            Some(line) if used + 1 + width <= room => {
                *line = format!("{line} {item}{comma}");
                used += 1 + width;
            }
            _ => {
                lines.push(format!("{item}{comma}"));
                used = width;
            }
        }
    }
    lines
}

/// A run to be printed; of a long one only the steps that are shown are asked for.
pub(super) struct Run<'a> {
    /// The initial marking, places that hold tokens only.
    pub(super) initial: Vec<(String, ShownValue)>,
    /// The marking at the end, likewise.
    pub(super) last: Vec<(String, ShownValue)>,
    /// The number of steps.
    pub(super) length: usize,
    /// A step, counted from 1.
    pub(super) step: &'a dyn Fn(usize) -> WitnessStep,
    /// The number of the first state; of a run that goes on from another, not 0.
    pub(super) begin: usize,
}

/// A witness as text; see [`run_text`].
pub(super) fn trace_text(witness: &Witness, ending: &str, everything: bool, indent: usize) -> String {
    numbered_trace_text(witness, ending, everything, indent, 0)
}

/// The same with states that are numbered from `begin` on.
pub(super) fn numbered_trace_text(
    witness: &Witness,
    ending: &str,
    everything: bool,
    indent: usize,
    begin: usize,
) -> String {
    let run = Run {
        initial: witness.initial.clone(),
        last: witness.last.clone(),
        length: witness.steps.len(),
        step: &|number| witness.steps[number - 1].clone(),
        begin,
    };
    run_text(&run, ending, everything, indent)
}

/// The initial marking, then for each step the transition and what it changed, then the marking at
/// the end behind the word `ending`. The caller puts `indent` spaces before each line.
pub(super) fn run_text(run: &Run<'_>, ending: &str, everything: bool, indent: usize) -> String {
    let length = run.length;
    let hidden = if everything || length <= FIRST_STEPS + LAST_STEPS {
        length..length
    } else {
        FIRST_STEPS..length - LAST_STEPS
    };
    let shown: Vec<(usize, WitnessStep)> = (0..length)
        .filter(|index| !hidden.contains(index))
        .map(|index| (index + 1, (run.step)(index + 1)))
        .collect();
    let columns =
        TraceColumns::new(run.begin + length, shown.iter().map(|(_, step)| step.event.as_str()), indent);
    let beginning = if run.begin == 0 { INITIALLY } else { GOING_ON };
    let mut text = columns.line(&run.begin.to_string(), beginning, &marking(&run.initial, everything));
    for (number, step) in &shown {
        if *number == hidden.end + 1 && !hidden.is_empty() {
            let not_shown = format!("{} not shown; -v shows all", counted(hidden.len() as u64, "step"));
            text.push_str(&columns.line("…", "", &[not_shown]));
        }
        text.push_str(&columns.step(run.begin + *number, step));
    }
    if length > 0 {
        text.push_str(&columns.line("", ending, &marking(&run.last, everything)));
    }
    text
}

fn marking(tokens: &[(String, ShownValue)], everything: bool) -> Vec<String> {
    if tokens.is_empty() {
        return vec!["no token anywhere".to_string()];
    }
    let most = if everything { tokens.len() } else { MOST_PLACES };
    let mut shown: Vec<String> =
        tokens.iter().take(most).map(|(place, value)| format!("{}={value}", printable(place))).collect();
    if tokens.len() > most {
        shown.push(format!("… {} more; -v shows all", counted((tokens.len() - most) as u64, "place")));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn witness(length: usize) -> Witness {
        let steps = (0..length as u64).map(|step| WitnessStep {
            event: format!("t{step}"),
            actions: Vec::new(),
            changes: vec![("p".to_string(), step.into(), (step + 1).into())],
        });
        Witness {
            shortest: true,
            initial: vec![("q".to_string(), 2.into())],
            steps: steps.collect(),
            last: vec![("q".to_string(), 2.into()), ("p".to_string(), (length as u64).into())],
            ..Witness::default()
        }
    }

    fn check(length: usize, everything: bool, expected_lines: usize, last: &str) {
        let text =
            anstream::adapter::strip_str(&trace_text(&witness(length), "dead", everything, 0)).to_string();
        assert_eq!(text.lines().count(), expected_lines, "{text}");
        assert_eq!(text.lines().last(), Some(last));
    }

    #[test]
    fn traces_show_what_changed_and_leave_out_the_middle() {
        check(0, false, 1, " 0  initially  q=2");
        check(2, false, 4, "    dead       q=2, p=2");
        check(120, false, 122, "     dead       q=2, p=120");
        check(121, false, 123, "     dead       q=2, p=121");
        check(500, true, 502, "     dead       q=2, p=500");
        check(500, false, 123, "     dead       q=2, p=500");
    }

    #[test]
    fn long_lines_go_on_below_themselves() {
        let items: Vec<String> = (0..9).map(|number| format!("place_{number}=1")).collect();
        let lines = wrapped(&items, 30);
        assert_eq!(lines[0], "place_0=1, place_1=1,");
        assert!(lines.iter().all(|line| line.chars().count() <= 30), "{lines:?}");
        assert_eq!(lines.join(" "), items.join(", "));
        assert_eq!(wrapped(&items[..1], 3), ["place_0=1"]);
        let columns = TraceColumns { number_width: 2, name_width: 9, room: 30 };
        let text = anstream::adapter::strip_str(&columns.line("1", "t", &items)).to_string();
        assert_eq!(text.lines().nth(1), Some("               place_2=1, place_3=1,"), "{text}");
    }
}
