//! A comparison as a picture: time and memory, grouped by model. The colour says the diagram, the
//! shape of the mark the strategy and what else differs; or, if one thing alone differs, both say
//! that.
//!
//! The cells of a single model would all stand in one group, too many to distinguish. They are
//! grouped by their last choice instead, such as the variable order.

use super::cells::Cell;
use super::comparison::CellLimits;
use super::comparison::Comparison;
use super::measure::{Ending, Measured};
use crate::numbers;
use symbolon_checker::{PLOT_LOOKS, Plot, PlotMark, PlotPanel, PlotSeries, PlotUnit, plot};

/// The picture, as SVG.
pub(super) fn chart(comparison: &Comparison, limits: CellLimits) -> String {
    let models = comparison.models();
    let differing = comparison.differing_axes();
    let (split, subject) = match (models.as_slice(), differing.as_slice()) {
        ([(model, _)], [_, .., last]) => (Some(*last), format!(" {}", comparison.short(model))),
        _ => (None, String::new()),
    };
    let group_of = |cell: &Cell| match split {
        None => comparison.short(&cell.model_name()),
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
    let looks = Looks::new(comparison, &series, split);
    plot(&Plot {
        title: format!(
            "symbolon {}{subject}: time and memory of every cell (limits: {} s{})",
            comparison.question.command(),
            limits.seconds,
            limits.bytes.map(|bytes| format!(", {}", numbers::bytes(bytes))).unwrap_or_default()
        ),
        beyond: "no answer".to_string(),
        groups,
        series: looks.series,
        colours: looks.colours,
        shapes: looks.shapes,
        panels: vec![
            PlotPanel { title: "CPU time".to_string(), unit: PlotUnit::Seconds, marks: time },
            PlotPanel { title: "Peak memory".to_string(), unit: PlotUnit::Bytes, marks: memory },
        ],
    })
}

/// How series look.
struct Looks {
    series: Vec<PlotSeries>,
    /// What colours and shapes mean, if they mean two things.
    colours: Vec<String>,
    shapes: Vec<String>,
}

impl Looks {
    /// The first choice that differs is the colour, the others together are the shape. `split` is
    /// the choice that groups stand for.
    fn new(comparison: &Comparison, series: &[Vec<Option<String>>], split: Option<usize>) -> Looks {
        const NOTHING: &str = "no strategy";
        let mut differing = comparison.differing_axes();
        differing.retain(|axis| Some(*axis) != split);
        let name = |choices: &Vec<Option<String>>| comparison.label(choices);
        let (mut colours, mut shapes) = (Vec::new(), Vec::new());
        let mut looks = Vec::new();
        if let [first, rest @ ..] = differing.as_slice()
            && !rest.is_empty()
        {
            for choices in series {
                let colour = choices[*first].clone().unwrap_or_default();
                let words: Vec<&str> = rest.iter().filter_map(|axis| choices[*axis].as_deref()).collect();
                let shape = if words.is_empty() { NOTHING.to_string() } else { words.join(" ") };
                looks.push((place_of(colour, &mut colours), place_of(shape, &mut shapes)));
            }
        }
        let are_distinct = colours.len() <= PLOT_LOOKS.0 && shapes.len() <= PLOT_LOOKS.1;
        if looks.is_empty() || !are_distinct {
            // One after the other: the numbers of colours and shapes have no common factor.
            (colours, shapes) = (Vec::new(), Vec::new());
            looks = (0..series.len()).map(|index| (index, index)).collect();
        }
        let series = series.iter().zip(looks);
        let series =
            series.map(|(choices, (colour, shape))| PlotSeries { name: name(choices), colour, shape });
        Looks { series: series.collect(), colours, shapes }
    }
}

/// The place of a name among those known; a new one comes last.
fn place_of(name: String, known: &mut Vec<String>) -> usize {
    known.iter().position(|other| *other == name).unwrap_or_else(|| {
        known.push(name);
        known.len() - 1
    })
}
