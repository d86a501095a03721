//! Runs as text: a line for the initial marking, a line a step with what it changed, and the marking at the end.

use crate::numbers::counted;
use crate::table::{FAINT, printable};
use symbolon_checker::{Witness, WitnessStep};

/// Of longer traces the beginning and the end are shown.
const FIRST_STEPS: usize = 100;
const LAST_STEPS: usize = 20;
/// Of larger markings the beginning is shown.
const MOST_PLACES: usize = 24;
/// What stands where the others have the name of a transition.
const INITIALLY: &str = "initially";
/// Longer names do not widen their column.
const WIDEST_NAME: usize = 24;

/// The columns of a trace: a number, a name, and what happened.
#[derive(Clone, Copy)]
pub(super) struct TraceColumns {
    number_width: usize,
    name_width: usize,
}

impl TraceColumns {
    /// Columns for so many steps and for events with these names.
    pub(super) fn new<'a>(step_count: usize, names: impl Iterator<Item = &'a str>) -> TraceColumns {
        let longest = names.map(|name| name.chars().count()).max().unwrap_or(0);
        TraceColumns {
            number_width: step_count.to_string().len().max(2),
            name_width: longest.clamp(INITIALLY.len(), WIDEST_NAME),
        }
    }

    /// A line.
    pub(super) fn line(&self, number: &str, name: &str, what: &str) -> String {
        let TraceColumns { number_width, name_width } = *self;
        let name = printable(name);
        format!("{FAINT}{number:>number_width$}{FAINT:#}  {name:name_width$}  {what}\n")
    }

    /// The line of a step, counted from 1.
    pub(super) fn step(&self, number: usize, step: &WitnessStep) -> String {
        let changes: Vec<String> = step
            .changes
            .iter()
            .map(|(place, old, new)| format!("{} {old}->{new}", printable(place)))
            .collect();
        let what = if changes.is_empty() { "nothing changes".to_string() } else { changes.join(", ") };
        self.line(&number.to_string(), &step.event, &what)
    }
}

/// A run to be told; of a long one only the steps that are shown are asked for.
pub(super) struct Run<'a> {
    /// The initial marking, places that hold tokens only.
    pub(super) initial: Vec<(String, u64)>,
    /// The marking at the end, likewise.
    pub(super) last: Vec<(String, u64)>,
    /// The number of steps.
    pub(super) length: usize,
    /// A step, counted from 1.
    pub(super) step: &'a dyn Fn(usize) -> WitnessStep,
}

/// A witness told; see [`run_text`].
pub(super) fn trace_text(witness: &Witness, ending: &str, everything: bool) -> String {
    let run = Run {
        initial: witness.initial.clone(),
        last: witness.last.clone(),
        length: witness.steps.len(),
        step: &|number| witness.steps[number - 1].clone(),
    };
    run_text(&run, ending, everything)
}

/// The initial marking, then for each step the transition and what it changed, then the marking at
/// the end behind the word `ending`.
pub(super) fn run_text(run: &Run<'_>, ending: &str, everything: bool) -> String {
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
    let columns = TraceColumns::new(length, shown.iter().map(|(_, step)| step.event.as_str()));
    let mut text = columns.line("0", INITIALLY, &marking(&run.initial, everything));
    for (number, step) in &shown {
        if *number == hidden.end + 1 && !hidden.is_empty() {
            let not_shown = format!("{} not shown; -v shows all", counted(hidden.len() as u64, "step"));
            text.push_str(&columns.line("…", "", &not_shown));
        }
        text.push_str(&columns.step(*number, step));
    }
    if length > 0 {
        text.push_str(&columns.line("", ending, &marking(&run.last, everything)));
    }
    text
}

fn marking(tokens: &[(String, u64)], everything: bool) -> String {
    if tokens.is_empty() {
        return "no token anywhere".to_string();
    }
    let most = if everything { tokens.len() } else { MOST_PLACES };
    let mut shown: Vec<String> =
        tokens.iter().take(most).map(|(place, value)| format!("{}={value}", printable(place))).collect();
    if tokens.len() > most {
        shown.push(format!("… {} more; -v shows all", counted((tokens.len() - most) as u64, "place")));
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_checker::Shape;

    fn witness(length: usize) -> Witness {
        let steps = (0..length as u64).map(|step| WitnessStep {
            event: format!("t{step}"),
            changes: vec![("p".to_string(), step, step + 1)],
        });
        Witness {
            shape: Shape::Trace,
            shortest: true,
            initial: vec![("q".to_string(), 2)],
            steps: steps.collect(),
            last: vec![("q".to_string(), 2), ("p".to_string(), length as u64)],
            loop_start: None,
            branches: Vec::new(),
        }
    }

    fn check(length: usize, everything: bool, expected_lines: usize, last: &str) {
        let text =
            anstream::adapter::strip_str(&trace_text(&witness(length), "dead", everything)).to_string();
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
}
