//! A table of measurements as an SVG: reads lines of three columns with tabs between them (group,
//! series, number) and writes the picture.
//!
//! ```text
//! cargo run -p symbolon-picture --example measurements -- "nodes of the final diagram" < table.tsv > plot.svg
//! ```

use std::io::Read;
use symbolon_picture::{Plot, PlotMark, PlotPanel, PlotSeries, PlotUnit, plot};

fn main() -> std::io::Result<()> {
    let title = std::env::args().nth(1).unwrap_or_default();
    let mut table = String::new();
    std::io::stdin().read_to_string(&mut table)?;
    let (mut groups, mut series): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut marks: Vec<Vec<PlotMark>> = Vec::new();
    for line in table.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let &[group, name, number] = columns.as_slice() else { continue };
        let Ok(number) = number.parse() else { continue };
        let row = place_of(group, &mut groups);
        let column = place_of(name, &mut series);
        marks.resize(groups.len(), Vec::new());
        if marks[row].len() <= column {
            marks[row].resize(column + 1, PlotMark::None);
        }
        marks[row][column] = PlotMark::At(number);
    }
    let panels = vec![PlotPanel { title: "number".into(), unit: PlotUnit::Count, marks }];
    let named = |(index, name)| PlotSeries { name, colour: index, shape: index };
    let series = series.into_iter().enumerate().map(named).collect();
    print!("{}", plot(&Plot { title, groups, series, panels, ..Plot::default() }));
    Ok(())
}

/// The place of a name among those known; a new one comes last.
fn place_of(name: &str, known: &mut Vec<String>) -> usize {
    known.iter().position(|other| other == name).unwrap_or_else(|| {
        known.push(name.to_string());
        known.len() - 1
    })
}
