//! A comparison as a table: for people, for spreadsheets, for documents; one row per cell or per
//! model.

use super::cells::{HIERARCHY, VARIABLE_ORDER};
use super::comparison::{CellLimits, Comparison};
use super::measure::{Ending, Measured};
use super::paper::Figures;
use super::question::Question;
use super::summary::{difference, notes, summary};
use crate::arguments::{CompareFormat, CompareRows};
use crate::fold::folded;
use crate::numbers;
use crate::records::Records;
use crate::table::{BOLD, ERROR, FAINT, GOOD, LABEL, WARNING, printable};
use anstyle::Style;
use std::borrow::Cow;
use std::fmt::Write as _;
use symbolon_checker::Reason;

/// Sentences below a table are not longer.
const WIDTH: usize = 80;
/// The mark of an empty cell.
const NOTHING: &str = "-";

/// The room that a table for people has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Room {
    /// Numbers in full, and what `auto` came to.
    pub(super) all_digits: bool,
    /// The columns of the terminal, if one shows the table.
    pub(super) columns: Option<usize>,
}

/// The table.
pub(super) fn table(
    comparison: &Comparison,
    format: CompareFormat,
    rows: CompareRows,
    limits: CellLimits,
    room: Room,
) -> String {
    let document = || match rows {
        CompareRows::Cells => Document::of_cells(cells_records(comparison, short), comparison),
        CompareRows::Models => Document::of_models(models_grid(comparison, limits).records()),
    };
    match (format, rows) {
        (CompareFormat::Text, CompareRows::Cells) => cells_text(comparison, room.all_digits),
        (CompareFormat::Text, CompareRows::Models) => {
            models_grid(comparison, limits).in_blocks(room.columns.unwrap_or(usize::MAX))
        }
        (CompareFormat::Csv, CompareRows::Cells) => csv(cells_records(comparison, exact)),
        (CompareFormat::Csv, CompareRows::Models) => csv(models_records(comparison)),
        (CompareFormat::Markdown | CompareFormat::Latex, _) => document().written(format),
    }
}

/// A figure, before it is known how exactly it is wanted.
enum Figure<'a> {
    Count(u64),
    Answer(&'a str),
    Seconds(f64),
    Bytes(u64),
}

/// For programs: everything.
fn exact(figure: &Figure<'_>) -> String {
    match figure {
        Figure::Count(number) | Figure::Bytes(number) => number.to_string(),
        Figure::Answer(text) => (*text).to_string(),
        Figure::Seconds(seconds) => format!("{seconds:.6}"),
    }
}

/// For people.
fn short(figure: &Figure<'_>) -> String {
    match figure {
        Figure::Count(number) => number.to_string(),
        Figure::Answer(text) => short_answer(text),
        Figure::Seconds(seconds) => short_seconds(*seconds),
        Figure::Bytes(bytes) => numbers::bytes(*bytes),
    }
}

fn short_seconds(seconds: f64) -> String {
    let digits = if seconds < 10.0 { 3 } else { 1 };
    format!("{seconds:.digits$}")
}

/// Numbers beyond twelve digits are rounded to four of them.
fn short_answer(text: &str) -> String {
    const MOST_DIGITS: usize = 12;
    let is_long_number = text.len() > MOST_DIGITS && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.get(..5).and_then(|digits| digits.parse::<u32>().ok()) {
        Some(digits) if is_long_number => {
            let rounded = (digits + 5) / 10;
            // 9999.5 becomes 1000 and one digit more.
            let (rounded, exponent) =
                if rounded > 9999 { (rounded / 10, text.len()) } else { (rounded, text.len() - 1) };
            format!("{}.{:03}e{exponent}", rounded / 1000, rounded % 1000)
        }
        _ => text.to_string(),
    }
}

/// The seconds of a published table, in its words.
fn paper_seconds(paper: Figures) -> String {
    paper.seconds.map_or(">600".to_string(), |seconds| seconds.to_string())
}

/// All answers of a cell: usually one.
fn answers_text(measured: &Measured) -> Option<String> {
    let texts: Vec<&str> = measured.answers().iter().map(|answer| answer.text.as_str()).collect();
    (!texts.is_empty()).then(|| texts.join(" / "))
}

/// Header and rows of a table with one row per cell.
fn cells_records(comparison: &Comparison, write: impl Fn(&Figure<'_>) -> String) -> Vec<Vec<String>> {
    let mut header = vec!["model".to_string()];
    header.extend(comparison.axes.iter().map(|axis| axis.key.to_string()));
    let figures = ["outcome", "answer", "cpu_seconds", "seconds", "peak_bytes", "final_nodes", "peak_nodes"];
    header.extend(figures.map(str::to_string));
    header.extend(["steps", "variable_order_used", "hierarchy_used", "runs"].map(str::to_string));
    if comparison.has_methods() {
        header
            .extend(["bound", "paper_bound", "paper_seconds", "paper_megabytes", "note"].map(str::to_string));
    }
    let mut records = vec![header];
    for (cell, measured) in &comparison.rows {
        let figure = |figure: Option<Figure<'_>>| figure.as_ref().map(&write).unwrap_or_default();
        let mut record = vec![cell.model_name()];
        record.extend(cell.choice_names().into_iter().map(Option::unwrap_or_default));
        record.push(measured.outcome().to_string());
        record.push(figure(answers_text(measured).as_deref().map(Figure::Answer)));
        record.push(figure(Some(Figure::Seconds(measured.cpu_seconds))));
        record.push(figure(Some(Figure::Seconds(measured.seconds))));
        record.push(figure(measured.peak_bytes.map(Figure::Bytes)));
        record.push(figure(measured.nodes.map(|nodes| Figure::Count(nodes.0))));
        record.push(figure(measured.nodes.map(|nodes| Figure::Count(nodes.1))));
        record.push(figure(measured.steps.map(Figure::Count)));
        record.push(measured.order_used.clone().unwrap_or_default());
        record.push(measured.hierarchy_used.clone().unwrap_or_default());
        record.push(measured.runs.to_string());
        if comparison.has_methods() {
            let paper = comparison.published(cell);
            let number = |number: Option<f64>| number.map(|number| number.to_string());
            record.push(figure(measured.bound.map(Figure::Count)));
            record.push(figure(paper.and_then(|paper| paper.bound).map(Figure::Count)));
            record.push(paper.map(paper_seconds).unwrap_or_default());
            record.push(paper.and_then(|paper| number(paper.megabytes)).unwrap_or_default());
            record.push(difference(comparison, cell, measured).unwrap_or_default());
        }
        records.push(record);
    }
    records
}

/// Header and rows of a table with one row per model, for programs: three columns per combination.
fn models_records(comparison: &Comparison) -> Vec<Vec<String>> {
    let combinations = comparison.combinations();
    let mut header = vec!["model".to_string(), comparison.question.command().to_string()];
    for combination in &combinations {
        let label = comparison.label(combination);
        header.extend([
            format!("{label} outcome"),
            format!("{label} cpu_seconds"),
            format!("{label} peak_bytes"),
        ]);
    }
    let mut records = vec![header];
    for (model, rows) in comparison.models() {
        let answer = rows.iter().find_map(|row| answers_text(&row.1));
        let mut record = vec![model, answer.unwrap_or_default()];
        for combination in &combinations {
            let found = rows.iter().find(|(cell, _)| cell.choice_names() == *combination);
            record.extend(match found {
                Some((_, measured)) => [
                    measured.outcome().to_string(),
                    exact(&Figure::Seconds(measured.cpu_seconds)),
                    measured.peak_bytes.map(|bytes| bytes.to_string()).unwrap_or_default(),
                ],
                None => Default::default(),
            });
        }
        records.push(record);
    }
    records
}

/// A table with one row per model, for people: time and memory of a combination in one column.
fn models_grid(comparison: &Comparison, limits: CellLimits) -> Grid {
    let combinations = comparison.combinations();
    let mut grid = Grid::default();
    grid.column("model", Side::Left);
    grid.column(comparison.question.command(), Side::Right);
    for combination in &combinations {
        grid.column(&comparison.label(combination), Side::Right);
    }
    let contradicted = comparison.disagreements();
    for (model, rows) in comparison.models() {
        let answer = rows.iter().find_map(|row| answers_text(&row.1));
        let is_contradicted = contradicted.iter().any(|found| found.model == model);
        let mut line = vec![Entry::plain(printable(&comparison.short(&model)))];
        line.push(match answer {
            _ if is_contradicted => Entry::styled("disagreement", ERROR),
            Some(answer) => Entry::plain(short_answer(&answer)),
            None => Entry::styled("?", WARNING),
        });
        for combination in &combinations {
            let found = rows.iter().find(|(cell, _)| cell.choice_names() == *combination);
            line.push(found.map_or(Entry::plain(NOTHING), |(_, measured)| time_and_memory(measured, limits)));
        }
        grid.rows.push(line);
    }
    grid
}

fn time_and_memory(measured: &Measured, limits: CellLimits) -> Entry {
    match &measured.ending {
        Ending::Answered(_) => {
            let memory = measured.peak_bytes.map(numbers::bytes);
            let time = short_seconds(measured.cpu_seconds);
            let bound = measured.bound.map(|bound| format!("B {bound} ")).unwrap_or_default();
            Entry::plain(format!("{bound}{time} s {:>5}", memory.as_deref().unwrap_or(NOTHING)))
        }
        Ending::Unknown(Reason::Timeout) => Entry::styled(format!("> {} s", limits.seconds), WARNING),
        Ending::Unknown(Reason::Memory) => Entry::styled(
            limits.bytes.map_or("memory".to_string(), |bytes| format!("> {}", numbers::bytes(bytes))),
            WARNING,
        ),
        Ending::Unknown(reason) => Entry::styled(reason.word(), WARNING),
        Ending::Wrong(_) => Entry::styled("error", ERROR),
    }
}

/// A table with one row per cell, for people: the cells of a model below its answer.
fn cells_text(comparison: &Comparison, all_digits: bool) -> String {
    let mut grid = Grid::default();
    // A choice that makes no difference to any cell needs no column.
    let shown: Vec<usize> = (0..comparison.axes.len())
        .filter(|&axis| comparison.rows.iter().any(|(cell, _)| cell.choices[axis].is_some()))
        .collect();
    for &axis in &shown {
        grid.column(&comparison.axes[axis].key.replace("variable_", ""), Side::Left);
    }
    let has_paper = comparison.rows.iter().any(|(cell, _)| comparison.published(cell).is_some());
    let headings: &[&str] = match (comparison.has_methods(), has_paper) {
        (true, true) => &["bound", "paper", "cpu s", "paper", "memory", "paper"],
        (true, false) => &["bound", "cpu s", "memory"],
        (false, _) => &["cpu s", "memory", "nodes", "peak", "steps"],
    };
    headings.iter().for_each(|heading| grid.column(heading, Side::Right));
    let contradicted = comparison.disagreements();
    let mut headings = Vec::new();
    for (model, rows) in comparison.models() {
        let name = if all_digits { model.clone() } else { comparison.short(&model) };
        let name = printable(&name).into_owned();
        let answer = rows.iter().find_map(|row| answers_text(&row.1));
        let is_contradicted = contradicted.iter().any(|found| found.model == model);
        let result = match (&answer, comparison.question) {
            _ if is_contradicted => format!("{ERROR}THE CELLS DISAGREE{ERROR:#}"),
            (None, _) => format!("{WARNING}unknown{WARNING:#}"),
            (Some(answer), Question::States) => {
                let noun = if answer == "1" { "state" } else { "states" };
                format!("{GOOD}{}{GOOD:#} {noun}", numbers::readable(answer.clone(), all_digits))
            }
            (Some(answer), Question::Deadlock) => format!("{GOOD}{answer}{GOOD:#}"),
        };
        headings.push((grid.rows.len(), format!("{BOLD}{name}{BOLD:#}: {result}\n")));
        for (cell, measured) in rows {
            let names = cell.choice_names();
            let mut line: Vec<Entry> = shown
                .iter()
                .map(|&axis| {
                    let used = match comparison.axes[axis].key {
                        VARIABLE_ORDER => measured.order_used.as_deref(),
                        HIERARCHY => measured.hierarchy_used.as_deref(),
                        _ => None,
                    };
                    let choice = names[axis].as_deref();
                    let mut text = printable(choice.unwrap_or(NOTHING)).into_owned();
                    if let (true, Some(used), Some(choice)) = (all_digits, used, choice)
                        && used != choice
                    {
                        text.push_str(&format!(" ({})", printable(used)));
                    }
                    Entry::plain(text)
                })
                .collect();
            let count = |number: Option<u64>| {
                Entry::plain(number.map_or(NOTHING.to_string(), |number| number.to_string()))
            };
            let time = match &measured.ending {
                Ending::Answered(_) => Entry::plain(short_seconds(measured.cpu_seconds)),
                Ending::Unknown(reason) => Entry::styled(reason.word(), WARNING),
                Ending::Wrong(_) => Entry::styled("error", ERROR),
            };
            let memory = Entry::plain(measured.peak_bytes.map_or(NOTHING.to_string(), numbers::bytes));
            let paper = comparison.published(cell);
            let nothing = || NOTHING.to_string();
            let mut beside = |figure: Entry, published: String| {
                line.push(figure);
                if has_paper {
                    line.push(Entry::plain(published));
                }
            };
            if comparison.has_methods() {
                let bound = paper.and_then(|paper| paper.bound);
                let megabytes = paper.and_then(|paper| paper.megabytes);
                beside(count(measured.bound), bound.map_or_else(nothing, |bound| bound.to_string()));
                beside(time, paper.map_or_else(nothing, paper_seconds));
                beside(memory, megabytes.map_or_else(nothing, |megabytes| format!("{megabytes}M")));
            } else {
                line.push(time);
                line.push(memory);
                line.push(count(measured.nodes.map(|nodes| nodes.0)));
                line.push(count(measured.nodes.map(|nodes| nodes.1)));
                line.push(count(measured.steps));
            }
            grid.rows.push(line);
            if is_contradicted && let Some(answer) = answers_text(measured) {
                let answer = numbers::readable(answer, all_digits);
                headings.push((grid.rows.len(), format!("    answers {ERROR}{answer}{ERROR:#}\n")));
            }
        }
    }
    grid.to_text_with("  ", &headings)
}

#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

#[derive(Clone)]
struct Entry {
    text: String,
    style: Style,
}

impl Entry {
    fn plain<'a>(text: impl Into<Cow<'a, str>>) -> Entry {
        Entry { text: text.into().into_owned(), style: Style::new() }
    }

    fn styled<'a>(text: impl Into<Cow<'a, str>>, style: Style) -> Entry {
        Entry { text: text.into().into_owned(), style }
    }
}

/// Columns of text.
#[derive(Default)]
struct Grid {
    columns: Vec<(String, Side)>,
    rows: Vec<Vec<Entry>>,
}

impl Grid {
    fn column(&mut self, heading: &str, side: Side) {
        self.columns.push((heading.to_string(), side));
    }

    fn records(&self) -> Vec<Vec<String>> {
        let header = self.columns.iter().map(|column| column.0.clone()).collect();
        let rows = self.rows.iter().map(|row| row.iter().map(|entry| entry.text.clone()).collect());
        std::iter::once(header).chain(rows).collect()
    }

    /// The table as blocks of columns one below the other, as far as they must be to fit; the first
    /// two columns stand in each.
    fn in_blocks(mut self, most: usize) -> String {
        const KEPT: usize = 2;
        let widths = self.widths();
        let kept: usize = widths.iter().take(KEPT).map(|width| width + 2).sum();
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        let mut used = kept;
        for (column, width) in widths.iter().enumerate().skip(KEPT) {
            if blocks.is_empty() || used + width + 2 > most {
                blocks.push((0..KEPT.min(self.columns.len())).collect());
                used = kept;
            }
            used += width + 2;
            if let Some(block) = blocks.last_mut() {
                block.push(column);
            }
        }
        if blocks.len() < 2 {
            return self.to_text_with("", &[]);
        }
        let rows = std::mem::take(&mut self.rows);
        let text = |block: &Vec<usize>| {
            let columns = block.iter().map(|&column| self.columns[column].clone()).collect();
            let rows = rows.iter().map(|row| block.iter().map(|&column| row[column].clone()).collect());
            Grid { columns, rows: rows.collect() }.to_text_with("", &[])
        };
        blocks.iter().map(text).collect::<Vec<_>>().join("\n")
    }

    /// The width of each column.
    fn widths(&self) -> Vec<usize> {
        let count = |text: &str| text.chars().count();
        let width = |index: usize| {
            let entries = self.rows.iter().filter_map(|row| row.get(index)).map(|entry| count(&entry.text));
            entries.chain([count(&self.columns[index].0)]).max().unwrap_or(0)
        };
        (0..self.columns.len()).map(width).collect()
    }

    /// Aligned lines; each of `between` stands before the row of its number.
    fn to_text_with(&self, indent: &str, between: &[(usize, String)]) -> String {
        let count = |text: &str| text.chars().count();
        let widths = self.widths();
        let line = |entries: &mut dyn Iterator<Item = (&str, Style)>| {
            let mut text = String::new();
            for (index, (entry, style)) in entries.enumerate() {
                let gap = " ".repeat(widths[index] - count(entry));
                let between = if index == 0 { indent } else { "  " };
                let _ = match self.columns[index].1 {
                    Side::Left => write!(text, "{between}{style}{entry}{style:#}{gap}"),
                    Side::Right => write!(text, "{between}{gap}{style}{entry}{style:#}"),
                };
            }
            text.truncate(text.trim_end_matches(' ').len());
            text + "\n"
        };
        let mut text = line(&mut self.columns.iter().map(|column| (column.0.as_str(), LABEL)));
        let headings_before = |text: &mut String, index: usize| {
            between
                .iter()
                .filter(|(before, _)| *before == index)
                .for_each(|(_, heading)| text.push_str(heading));
        };
        for (index, row) in self.rows.iter().enumerate() {
            headings_before(&mut text, index);
            text.push_str(&line(&mut row.iter().map(|entry| (entry.text.as_str(), entry.style))));
        }
        headings_before(&mut text, self.rows.len());
        text
    }
}

/// Comma-separated values with all columns.
fn csv(records: Vec<Vec<String>>) -> String {
    let columns = records.first().map_or(0, Vec::len);
    Document { records, sides: vec![Side::Left; columns] }.written(CompareFormat::Csv)
}

/// A table of finished records in a format; the first columns, as many as `names`, are no numbers.
pub(super) fn record_table(records: Vec<Vec<String>>, format: CompareFormat, names: usize) -> String {
    let columns = records.first().map_or(0, Vec::len);
    if format != CompareFormat::Text {
        let side = |column: usize| if column < names { Side::Left } else { Side::Right };
        return Document { records, sides: (0..columns).map(side).collect() }.written(format);
    }
    let width_of =
        |column: usize| records.iter().map(|record| record[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width_of).collect();
    let line = |record: &Vec<String>| {
        let cells = record.iter().zip(&widths).enumerate().map(|(column, (text, &width))| {
            let text = printable(text);
            if column < names { format!("{text:<width$}") } else { format!("{text:>width$}") }
        });
        cells.collect::<Vec<String>>().join("  ").trim_end().to_string() + "\n"
    };
    records.iter().map(line).collect()
}

/// A table for a document: what says nothing is left out, and headings are words.
struct Document {
    records: Vec<Vec<String>>,
    sides: Vec<Side>,
}

impl Document {
    /// Columns in which nothing stands are left out, and single runs.
    fn of_cells(records: Vec<Vec<String>>, comparison: &Comparison) -> Document {
        const TEXTS: [&str; 5] = ["outcome", "answer", "variable_order_used", "hierarchy_used", "note"];
        let Some((header, rows)) = records.split_first() else {
            return Document { records, sides: Vec::new() };
        };
        let is_shown = |column: &usize| match header[*column].as_str() {
            "outcome" | "answer" => true,
            "runs" => rows.iter().any(|row| row[*column] != "1"),
            _ => rows.iter().any(|row| !row[*column].is_empty()),
        };
        let shown: Vec<usize> = (0..header.len()).filter(is_shown).collect();
        let names = comparison.axes.len() + 1;
        let side = |column: &usize| match header[*column].as_str() {
            "answer" if comparison.question == Question::States => Side::Right,
            heading if *column < names || TEXTS.contains(&heading) => Side::Left,
            _ => Side::Right,
        };
        let sides = shown.iter().map(side).collect();
        let record = |(number, record): (usize, &Vec<String>)| -> Vec<String> {
            let field = |&column: &usize| match (number, column) {
                (0, _) => record[column].replace('_', " "),
                (_, 0) => comparison.short(&record[0]),
                _ => record[column].clone(),
            };
            shown.iter().map(field).collect()
        };
        Document { records: records.iter().enumerate().map(record).collect(), sides }
    }

    /// The columns after the first one are numbers.
    fn of_models(records: Vec<Vec<String>>) -> Document {
        let columns = records.first().map_or(0, Vec::len);
        let side = |column: usize| if column == 0 { Side::Left } else { Side::Right };
        Document { records, sides: (0..columns).map(side).collect() }
    }

    fn written(self, format: CompareFormat) -> String {
        let are_numbers = self.sides.iter().map(|side| matches!(side, Side::Right)).collect();
        let mut records = self.records.into_iter();
        let headings = records.next().unwrap_or_default();
        Records::of(headings, are_numbers, records.collect()).written(format).unwrap_or_default()
    }
}

/// What is said below a table for people: the result in a sentence, notes, and whether all agree.
pub(super) fn footer(comparison: &Comparison, limits: CellLimits, columns: Option<usize>) -> String {
    let columns = columns.unwrap_or(WIDTH).min(WIDTH);
    let mut text = String::new();
    for line in summary(comparison, limits).into_iter().chain(notes(comparison)) {
        text.push_str(&folded(&line, columns));
        text.push('\n');
    }
    let (answered, planned) = (comparison.answered(), comparison.planned);
    let agreement = match comparison.disagreements().len() {
        0 if answered > 1 => "; all answers agree",
        0 => "",
        _ => "; THE ANSWERS DISAGREE",
    };
    let cells = numbers::counted(planned as u64, "cell");
    text + &format!("{FAINT}{answered} of {cells} answered{agreement}{FAINT:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_have_names_on_the_left_and_numbers_on_the_right() {
        let table =
            || Document::of_models(vec![vec!["a".into(), "b".into()], vec!["x|y_1".into(), "1".into()]]);
        let markdown = table().written(CompareFormat::Markdown);
        assert_eq!(markdown, "| a | b |\n| --- | ---: |\n| x\\|y\\_1 | 1 |\n");
        let latex = "% \\usepackage{booktabs}\n\\begin{tabular}{lr}\n\\toprule\na & b \\\\\n\\midrule\n\
                     x\\textbar{}y\\_1 & 1 \\\\\n\\bottomrule\n\\end{tabular}\n";
        assert_eq!(table().written(CompareFormat::Latex), latex);
    }

    #[test]
    fn long_numbers_are_shortened() {
        for (text, expected) in [
            ("123456789012", "123456789012"),
            ("1234567890123", "1.235e12"),
            ("1000499999999", "1.000e12"),
            ("9999499999999", "9.999e12"),
            ("9999500000000", "1.000e13"),
            ("no deadlock at all", "no deadlock at all"),
        ] {
            assert_eq!(short_answer(text), expected);
        }
    }
}
