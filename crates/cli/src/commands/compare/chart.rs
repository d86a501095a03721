//! A comparison as a picture: time and memory, grouped by model.

use super::cells::Cell;
use super::comparison::Comparison;
use super::measure::{Ending, Measured};
use super::tables::CellLimits;
use crate::numbers;
use symbolon_checker::{Plot, PlotMark, PlotPanel, PlotUnit, plot};

/// The picture, as SVG.
pub(super) fn chart(comparison: &Comparison, limits: CellLimits) -> String {
    let combinations = comparison.combinations();
    let models = comparison.models();
    let marks = |mark: &dyn Fn(&Measured) -> PlotMark| -> Vec<Vec<PlotMark>> {
        let of_model = |rows: &Vec<&(Cell, Measured)>| {
            combinations
                .iter()
                .map(|combination| {
                    let row = rows
                        .iter()
                        .find(|(cell, _): &&&(super::cells::Cell, _)| cell.choice_names() == *combination);
                    row.map_or(PlotMark::None, |row| mark(&row.1))
                })
                .collect()
        };
        models.iter().map(|(_, rows)| of_model(rows)).collect()
    };
    let answered = |measured: &Measured, value: Option<f64>| match (&measured.ending, value) {
        (Ending::Answered(_), Some(value)) => PlotMark::At(value),
        (Ending::Answered(_), None) => PlotMark::None,
        _ => PlotMark::Beyond(measured.outcome().to_string()),
    };
    let time = marks(&|measured| answered(measured, Some(measured.cpu_seconds)));
    let memory = marks(&|measured| answered(measured, measured.peak_bytes.map(|bytes| bytes as f64)));
    plot(&Plot {
        title: format!(
            "symbolon {}: time and memory of every cell (limits: {} s{})",
            comparison.question.command(),
            limits.seconds,
            limits.bytes.map(|bytes| format!(", {}", numbers::bytes(bytes))).unwrap_or_default()
        ),
        beyond: "no answer".to_string(),
        groups: models.iter().map(|(model, _)| model.clone()).collect(),
        series: combinations.iter().map(|combination| comparison.label(combination)).collect(),
        panels: vec![
            PlotPanel { title: "CPU time".to_string(), unit: PlotUnit::Seconds, marks: time },
            PlotPanel { title: "Peak memory".to_string(), unit: PlotUnit::Bytes, marks: memory },
        ],
    })
}
