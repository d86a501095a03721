//! The result of a comparison in a sentence, and notes on published figures that differ.
//!
//! Combinations are ranked by the geometric mean of their CPU times over all models, where what has
//! no answer counts as twice the limit. To each time a start-up time is added, so that a few
//! milliseconds, which are the noise of starting a process, make no winner; what is within a quarter
//! of the best is level with it.

use super::comparison::Comparison;
use super::measure::{Ending, Measured};
use super::paper;
use super::tables::CellLimits;
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
        let factor = if factor < 10.0 { format!("{factor:.1}") } else { format!("{factor:.0}") };
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
    let mut notes = Vec::new();
    let mut add = |note: String| {
        if !notes.contains(&note) {
            notes.push(note);
        }
    };
    let (mut has_seconds, mut has_approximate) = (false, false);
    for (cell, measured) in &comparison.rows {
        let model = cell.model_name();
        if comparison.is_thesis
            && let Some(note) = paper::thesis_note(&model)
        {
            add(format!("{model}: {note}"));
        }
        let Some(published) = comparison.published(cell) else { continue };
        has_seconds |= published.seconds.is_some();
        let (Some(ours), Some(theirs), true) = (measured.bound, published.bound, published.seconds.is_some())
        else {
            continue;
        };
        if ours == theirs || !matches!(measured.ending, Ending::Answered(_)) {
            continue;
        }
        if is_exact(cell.choice_names().first()) {
            let why = paper::difference(&model).unwrap_or("the net may be another variant than the paper's");
            add(format!(
                "{}: the shortest way has {ours} steps, in the paper {theirs}: {why}",
                comparison.short(&model)
            ));
        } else {
            has_approximate = true;
        }
    }
    if has_approximate {
        notes.push(
            "approximate methods: with which bound they find something depends on the variable order and \
             on how events are split, so bounds differ from the paper's"
                .to_string(),
        );
    }
    if has_seconds {
        notes.push(
            "the paper's seconds and memory are those of a Pentium of 3 GHz, published in 2009".to_string(),
        );
    }
    notes
}

/// Whether a method finds the exact distance, which no order and no machine changes.
fn is_exact(method: Option<&Option<String>>) -> bool {
    let method = method.and_then(|name| name.as_deref()?.parse::<BoundedMethod>().ok());
    method.is_some_and(|method| matches!(method.name(), "edd-exact" | "add-exact" | "sat-interleaving"))
}
