//! The result of a comparison in a sentence, and notes on published figures that differ.
//!
//! Combinations are ranked by the geometric mean of their CPU times over all models, where what has
//! no answer counts as twice the limit. To each time a start-up time is added, so that a few
//! milliseconds, which are the noise of starting a process, make no winner; what is within a quarter
//! of the best is level with it.

use super::cells::Cell;
use super::comparison::{CellLimits, Comparison};
use super::measure::{Ending, Measured};
use super::paper;
use crate::numbers::counted;
use symbolon_checker::BoundedMethod;

/// Seconds that are added to every time before two are compared.
const START_UP: f64 = 0.01;
/// Times within this factor of each other are level.
const LEVEL: f64 = 1.25;
/// The most combinations that are named as level with the quickest.
const MOST_LEVEL: usize = 3;

/// How a combination did on all models.
struct Standing {
    label: String,
    /// The logarithm of the mean of what its times count as.
    log_mean: f64,
    /// The logarithm of what each model counts as.
    logs: Vec<f64>,
    /// The geometric mean of the CPU times that it answered in.
    seconds: f64,
    unanswered: usize,
}

/// Which combination was quickest, and by how much; none where less than two were compared or
/// nothing was answered.
pub(super) fn summary(comparison: &Comparison, limits: CellLimits) -> Option<String> {
    let models = comparison.models();
    let mut standings: Vec<Standing> = Vec::new();
    for combination in comparison.combinations() {
        let mut logs = Vec::new();
        let (mut answered, mut log_seconds, mut unanswered) = (0_u32, 0.0, 0);
        for (_, rows) in &models {
            let Some((_, measured)) = rows.iter().find(|(cell, _)| cell.choice_names() == combination) else {
                continue;
            };
            logs.push((counts_as(measured, limits) + START_UP).ln());
            if matches!(measured.ending, Ending::Answered(_)) {
                answered += 1;
                log_seconds += measured.cpu_seconds.max(0.001).ln();
            } else {
                unanswered += 1;
            }
        }
        // What was not asked of all models yet cannot be ranked.
        if logs.len() == models.len() && !logs.is_empty() {
            standings.push(Standing {
                label: comparison.label(&combination),
                log_mean: logs.iter().sum::<f64>() / logs.len() as f64,
                logs,
                seconds: (log_seconds / f64::from(answered.max(1))).exp(),
                unanswered,
            });
        }
    }
    standings.sort_by(|a, b| a.log_mean.total_cmp(&b.log_mean));
    let (best, others) = standings.split_first().filter(|(_, others)| !others.is_empty())?;
    if best.unanswered == models.len() {
        return None;
    }
    let behind = |other: &Standing| (other.log_mean - best.log_mean).exp();
    let (level, slower): (Vec<&Standing>, Vec<&Standing>) =
        others.iter().partition(|other| behind(other) < LEVEL && other.unanswered == best.unanswered);
    if slower.is_empty() {
        return Some(format!(
            "result: all {} are level: within a quarter of each other, or too quick to tell apart",
            level.len() + 1
        ));
    }
    let mut text = format!("result: quickest is {}", best.label);
    if models.len() > 1 {
        let is_best = |model: &usize| {
            let least = standings.iter().map(|one| one.logs[*model]).fold(f64::INFINITY, f64::min);
            best.logs[*model] - least < LEVEL.ln()
        };
        let first = (0..models.len()).filter(is_best).count();
        text += &format!(
            ", first or level on {first} of {}, {} on average",
            counted(models.len() as u64, "model"),
            shown_seconds(best.seconds)
        );
        text += &lacking(best);
    } else {
        text += &format!(", {}", shown_seconds(best.seconds));
    }
    match level.len() {
        0 => {}
        1..=MOST_LEVEL => {
            let names: Vec<&str> = level.iter().map(|one| one.label.as_str()).collect();
            text += &format!("; level with it: {}", names.join(", "));
        }
        many => text += &format!("; {many} others are level with it"),
    }
    let last = slower[slower.len() - 1];
    if last.unanswered == models.len() {
        text += &format!("; {} answered nothing", last.label);
    } else {
        let factor = behind(last);
        let factor = if factor < 9.95 { format!("{factor:.1}") } else { format!("{factor:.0}") };
        let least = if last.unanswered > 0 { "at least " } else { "" };
        text += &format!("; {} takes {least}{factor} times as long{}", last.label, lacking(last));
    }
    Some(text)
}

fn lacking(standing: &Standing) -> String {
    match standing.unanswered {
        0 => String::new(),
        count => format!(" ({} unanswered)", counted(count as u64, "model")),
    }
}

/// What a cell counts as, in seconds.
fn counts_as(measured: &Measured, limits: CellLimits) -> f64 {
    match measured.ending {
        Ending::Answered(_) => measured.cpu_seconds,
        _ => 2.0 * limits.seconds.max(measured.cpu_seconds),
    }
}

fn shown_seconds(seconds: f64) -> String {
    let digits = if seconds < 1.0 { 3 } else { 1 };
    format!("{seconds:.digits$} s")
}

/// Where measured figures differ from published ones, and why: a line each.
pub(super) fn notes(comparison: &Comparison) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    let (mut has_seconds, mut has_approximate) = (false, false);
    for (cell, measured) in &comparison.rows {
        let model = cell.model_name();
        let misprint = if comparison.is_thesis { paper::thesis_note(&model) } else { None };
        let note = misprint.map(str::to_string).or_else(|| difference(comparison, cell, measured));
        let note = note.map(|note| format!("{}: {note}", comparison.short(&model)));
        notes.extend(note.filter(|note| !notes.contains(note)));
        let published = comparison.published(cell);
        has_seconds |= published.is_some_and(|published| published.seconds.is_some());
        has_approximate |= !is_exact(cell) && differing_bounds(comparison, cell, measured).is_some();
    }
    if has_approximate {
        notes.push(
            "approximate methods: with which bound they find something depends on the variable order and \
             on how events are split, so bounds differ from the paper's"
                .to_string(),
        );
    }
    if has_seconds {
        let machine = "the paper's seconds and memory are those of a Pentium of 3 GHz, published in 2009";
        notes.push(machine.to_string());
    }
    notes
}

/// In what an exact distance differs from the published one, and why.
pub(super) fn difference(comparison: &Comparison, cell: &Cell, measured: &Measured) -> Option<String> {
    let (ours, theirs) = differing_bounds(comparison, cell, measured).filter(|_| is_exact(cell))?;
    let why = paper::difference(&cell.model_name());
    let why = why.unwrap_or("the net may be another variant than the paper's");
    Some(format!("the shortest way has {ours} steps, in the paper {theirs}: {why}"))
}

/// The bound that was sufficient and the published one, if both are known and differ.
fn differing_bounds(comparison: &Comparison, cell: &Cell, measured: &Measured) -> Option<(u64, u64)> {
    // Without seconds the published bound is the one at which time ran out.
    let published = comparison.published(cell).filter(|published| published.seconds.is_some())?;
    let is_answered = matches!(measured.ending, Ending::Answered(_));
    measured.bound.zip(published.bound).filter(|(ours, theirs)| is_answered && ours != theirs)
}

/// Whether the method finds the exact distance, which no order and no machine changes.
fn is_exact(cell: &Cell) -> bool {
    let method = cell.choices.first().and_then(|name| name.as_ref()?.to_str()?.parse::<BoundedMethod>().ok());
    method.is_some_and(|method| matches!(method.name(), "edd-exact" | "add-exact" | "sat-interleaving"))
}

#[cfg(test)]
mod tests {
    use super::super::question::{Answered, Question};
    use super::super::short_names::ShortNames;
    use super::super::{Axis, cells};
    use super::*;
    use symbolon_checker::Reason;

    /// A cell by model and method or strategy, its CPU seconds if it answered, and its bound.
    type Row = (&'static str, &'static str, Option<f64>, Option<u64>);

    fn comparison(key: &'static str, rows: &[Row]) -> Comparison {
        let row = |&(model, choice, seconds, bound): &Row| {
            let answered = Answered { text: "deadlock".to_string(), facts: Vec::new() };
            let ending = match seconds {
                Some(_) => Ending::Answered(vec![answered]),
                None => Ending::Unknown(Reason::Timeout),
            };
            let measured = Measured {
                ending,
                seconds: 0.0,
                cpu_seconds: seconds.unwrap_or(60.0),
                peak_bytes: None,
                nodes: None,
                steps: None,
                bound,
                symbolic: None,
                spelled: None,
                order_used: None,
                hierarchy_used: None,
                warnings: Vec::new(),
                runs: 1,
            };
            (Cell { model: model.into(), choices: vec![Some(choice.into())] }, measured)
        };
        Comparison {
            question: Question::Deadlock,
            axes: vec![Axis { key, option: "--option", values: Vec::new() }],
            rows: rows.iter().map(row).collect(),
            planned: rows.len(),
            names: ShortNames::of(rows.iter().map(|row| row.0.to_string())),
            is_thesis: false,
        }
    }

    #[test]
    fn the_quickest_is_named_and_the_slowest() {
        let limits = CellLimits { seconds: 60.0, bytes: None };
        let check = |rows: &[Row], expected: Option<&str>| {
            assert_eq!(summary(&comparison(cells::DIAGRAM, rows), limits).as_deref(), expected);
        };
        check(&[], None);
        check(&[("a", "mdd", Some(1.0), None)], None);
        check(&[("a", "mdd", None, None), ("a", "set", None, None)], None);
        check(
            &[("a", "mdd", Some(0.001), None), ("a", "set", Some(0.003), None)],
            Some("result: all 2 are level: within a quarter of each other, or too quick to tell apart"),
        );
        check(
            &[("a", "mdd", Some(1.99), None), ("a", "set", Some(0.19), None), ("a", "ddd", Some(0.2), None)],
            Some("result: quickest is set, 0.190 s; level with it: ddd; mdd takes 10 times as long"),
        );
        check(
            &[
                ("a", "mdd", Some(0.99), None),
                ("a", "set", Some(9.99), None),
                ("b", "mdd", Some(3.99), None),
                ("b", "set", None, None),
            ],
            Some(
                "result: quickest is mdd, first or level on 2 of 2 models, 2.0 s on average; \
                 set takes at least 17 times as long (1 model unanswered)",
            ),
        );
        check(
            &[("a", "mdd", Some(2.0), None), ("a", "set", None, None)],
            Some("result: quickest is mdd, 2.0 s; set answered nothing"),
        );
    }

    #[test]
    fn published_figures_that_differ_are_explained() {
        let rows: [Row; 4] = [
            ("nets/dac_15.pnml", "edd-exact", Some(0.1), Some(3)),
            ("nets/dac_15.pnml", "mdd-chain", Some(0.1), Some(2)),
            ("nets/dp_12.pnml", "edd-exact", Some(0.1), Some(12)),
            ("nets/dp_12.pnml", "mdd-chain", None, Some(5)),
        ];
        let found = notes(&comparison(cells::METHOD, &rows));
        let dac =
            "dac_15: the shortest way has 3 steps, in the paper 20: the paper measured a variant of its own";
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0], dac);
        assert!(found[1].contains("Pentium"), "{found:?}");
        let other: [Row; 2] =
            [("dp_12", "mdd-chain", Some(0.1), Some(2)), ("dp_12", "add-exact", Some(0.1), Some(11))];
        let found = notes(&comparison(cells::METHOD, &other));
        assert!(found[0].starts_with("dp_12: the shortest way has 11 steps, in the paper 12: "), "{found:?}");
        assert!(found[1].starts_with("approximate methods"), "{found:?}");
        assert!(notes(&comparison(cells::DIAGRAM, &rows)).is_empty());
    }
}
