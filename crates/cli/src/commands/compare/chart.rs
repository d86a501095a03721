//! A comparison as a picture: time and memory, grouped by model.
//!
//! The cells of a single model would all stand in one group, too many to distinguish. They are
//! grouped by their last choice instead, such as the variable order.

use super::cells::Cell;
use super::comparison::Comparison;
use super::measure::{Ending, Measured};
use super::tables::CellLimits;
use crate::numbers;
use symbolon_checker::{Plot, PlotMark, PlotPanel, PlotUnit, plot};

/// The picture, as SVG.
pub(super) fn chart(comparison: &Comparison, limits: CellLimits) -> String {
    let models = comparison.models();
    let differing = comparison.differing_axes();
    let (split, subject) = match (models.as_slice(), differing.as_slice()) {
        ([(model, _)], [_, .., last]) => (Some(*last), format!(" {model}")),
        _ => (None, String::new()),
    };
    let group_of = |cell: &Cell| match split {
        None => cell.model_name(),
        Some(axis) => cell.choice_names()[axis].clone().unwrap_or_else(|| "any".to_string()),
    };
    let series_of = |cell: &Cell| {
        let mut choices = cell.choice_names();
        split.into_iter().for_each(|axis| choices[axis] = None);
        choices
    };
    let (mut groups, mut series) = (Vec::new(), Vec::new());
    for (cell, _) in &comparison.rows {
        let (group, choices) = (group_of(cell), series_of(cell));
        if !groups.contains(&group) {
            groups.push(group);
        }
        if !series.contains(&choices) {
            series.push(choices);
        }
    }
    let marks = |value: &dyn Fn(&Measured) -> Option<f64>| {
        let mut marks = vec![vec![PlotMark::None; series.len()]; groups.len()];
        for (cell, measured) in &comparison.rows {
            let group = groups.iter().position(|group| *group == group_of(cell));
            let place = series.iter().position(|choices| *choices == series_of(cell));
            let (Some(group), Some(place)) = (group, place) else { continue };
            marks[group][place] = match (&measured.ending, value(measured)) {
                (Ending::Answered(_), Some(value)) => PlotMark::At(value),
                (Ending::Answered(_), None) => PlotMark::None,
                _ => PlotMark::Beyond(measured.outcome().to_string()),
            };
        }
        marks
    };
    let time = marks(&|measured| Some(measured.cpu_seconds));
    let memory = marks(&|measured| measured.peak_bytes.map(|bytes| bytes as f64));
    plot(&Plot {
        title: format!(
            "symbolon {}{subject}: time and memory of every cell (limits: {} s{})",
            comparison.question.command(),
            limits.seconds,
            limits.bytes.map(|bytes| format!(", {}", numbers::bytes(bytes))).unwrap_or_default()
        ),
        beyond: "no answer".to_string(),
        groups,
        series: series.iter().map(|choices| comparison.label(choices)).collect(),
        panels: vec![
            PlotPanel { title: "CPU time".to_string(), unit: PlotUnit::Seconds, marks: time },
            PlotPanel { title: "Peak memory".to_string(), unit: PlotUnit::Bytes, marks: memory },
        ],
    })
}
