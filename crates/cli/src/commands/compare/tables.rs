//! A comparison as a table: for people, for spreadsheets, for documents; a row a cell or a row a
//! model.

use super::cells::{HIERARCHY, VARIABLE_ORDER};
use super::comparison::Comparison;
use super::measure::{Ending, Measured};
use super::paper::Figures;
use super::question::Question;
use crate::arguments::{CompareFormat, CompareRows};
use crate::numbers;
use crate::table::{BOLD, ERROR, FAINT, GOOD, LABEL, WARNING, printable};
use anstyle::Style;
use std::borrow::Cow;
use std::fmt::Write as _;
use symbolon_checker::Reason;

/// The mark of an empty cell.
const NOTHING: &str = "-";

/// What limits the cells had, for "> 60 s".
#[derive(Clone, Copy, Debug)]
pub(super) struct CellLimits {
    /// Seconds of a run.
    pub(super) seconds: f64,
    /// Bytes of a run, if it was limited.
    pub(super) bytes: Option<u64>,
}

/// The table.
pub(super) fn table(
    comparison: &Comparison,
    format: CompareFormat,
    rows: CompareRows,
    limits: CellLimits,
    all_digits: bool,
) -> String {
    match (format, rows) {
        (CompareFormat::Text, CompareRows::Cells) => cells_text(comparison, all_digits),
        (CompareFormat::Text, CompareRows::Models) => models_grid(comparison, limits).to_text(""),
        (CompareFormat::Csv, CompareRows::Cells) => csv(&cells_records(comparison, exact)),
        (CompareFormat::Csv, CompareRows::Models) => csv(&models_records(comparison)),
        (CompareFormat::Markdown, CompareRows::Cells) => {
            let records = cells_records(comparison, short);
            markdown(&records, comparison.axes.len() + 1)
        }
        (CompareFormat::Markdown, CompareRows::Models) => {
            markdown(&models_grid(comparison, limits).records(), 1)
        }
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

/// Header and rows of a table with a row a cell.
fn cells_records(comparison: &Comparison, write: impl Fn(&Figure<'_>) -> String) -> Vec<Vec<String>> {
    let mut header = vec!["model".to_string()];
    header.extend(comparison.axes.iter().map(|axis| axis.key.to_string()));
    let figures = ["outcome", "answer", "cpu_seconds", "seconds", "peak_bytes", "final_nodes", "peak_nodes"];
    header.extend(figures.map(str::to_string));
    header.extend(["steps", "variable_order_used", "hierarchy_used", "runs"].map(str::to_string));
    if comparison.has_methods() {
        header.extend(["bound", "paper_bound", "paper_seconds", "paper_megabytes"].map(str::to_string));
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
        }
        records.push(record);
    }
    records
}

/// Header and rows of a table with a row a model, for programs: two columns a combination.
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

/// A table with a row a model, for people: time and memory of a combination in one column.
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
        let mut line = vec![Entry::plain(printable(&model))];
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

/// A table with a row a cell, for people: the cells of a model below its answer.
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
        let name = printable(&model).into_owned();
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

    fn to_text(&self, indent: &str) -> String {
        self.to_text_with(indent, &[])
    }

    /// Aligned lines; each of `between` stands before the row of its number.
    fn to_text_with(&self, indent: &str, between: &[(usize, String)]) -> String {
        let count = |text: &str| text.chars().count();
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|index| {
                let entries =
                    self.rows.iter().filter_map(|row| row.get(index)).map(|entry| count(&entry.text));
                entries.chain([count(&self.columns[index].0)]).max().unwrap_or(0)
            })
            .collect();
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

/// Comma-separated values, quoted where they must be (RFC 4180, lines end with a line feed).
/// A table of finished records in a format; the first columns, as many as `names`, are no numbers.
pub(super) fn record_table(records: &[Vec<String>], format: CompareFormat, names: usize) -> String {
    match format {
        CompareFormat::Csv => csv(records),
        CompareFormat::Markdown => markdown(records, names),
        CompareFormat::Text => {
            let columns = records.first().map_or(0, Vec::len);
            let width_of = |column: usize| {
                records.iter().map(|record| record[column].chars().count()).max().unwrap_or(0)
            };
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
    }
}

fn csv(records: &[Vec<String>]) -> String {
    let field = |text: &String| {
        if text.contains([',', '"', '\n', '\r']) || text.starts_with(' ') || text.ends_with(' ') {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.clone()
        }
    };
    let line = |record: &Vec<String>| record.iter().map(field).collect::<Vec<_>>().join(",") + "\n";
    records.iter().map(line).collect()
}

/// A Markdown table; the columns after the first ones, which are names, are numbers.
fn markdown(records: &[Vec<String>], names: usize) -> String {
    let mut text = String::new();
    for (index, record) in records.iter().enumerate() {
        let fields: Vec<String> = record.iter().map(|field| markdown_field(field)).collect();
        let _ = writeln!(text, "| {} |", fields.join(" | "));
        if index == 0 {
            let rules: Vec<&str> =
                (0..record.len()).map(|column| if column < names { "---" } else { "---:" }).collect();
            let _ = writeln!(text, "| {} |", rules.join(" | "));
        }
    }
    text
}

/// Text that Markdown shows as it is.
fn markdown_field(text: &str) -> String {
    let mut field = String::with_capacity(text.len());
    for character in printable(text).chars() {
        if matches!(character, '\\' | '|' | '`' | '*' | '_' | '<' | '[' | ']' | '#' | '~' | '&') {
            field.push('\\');
        }
        field.push(character);
    }
    field
}

/// What is said below a table for people.
pub(super) fn footer(comparison: &Comparison) -> String {
    let (answered, planned) = (comparison.answered(), comparison.planned);
    let agreement = match comparison.disagreements().len() {
        0 if answered > 1 => "; all answers agree",
        0 => "",
        _ => "; THE ANSWERS DISAGREE",
    };
    format!(
        "{FAINT}{answered} of {} answered{agreement}{FAINT:#}\n",
        numbers::counted(planned as u64, "cell")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_quotes_what_it_must() {
        let records = |fields: &[&str]| vec![fields.iter().map(|field| (*field).to_string()).collect()];
        for (fields, expected) in [
            (&["a", "b"][..], "a,b\n"),
            (&["a,b", "say \"x\""], "\"a,b\",\"say \"\"x\"\"\"\n"),
            (&["two\nlines", "", " x"], "\"two\nlines\",,\" x\"\n"),
            (&["größe|_"], "größe|_\n"),
        ] {
            assert_eq!(csv(&records(fields)), expected);
        }
    }

    #[test]
    fn markdown_shows_text_as_it_is() {
        for (text, expected) in [
            ("kanban:5", "kanban:5"),
            ("a|b_c*", "a\\|b\\_c\\*"),
            ("two\nlines", "two\\\\nlines"),
            ("<b>&amp;", "\\<b>\\&amp;"),
        ] {
            assert_eq!(markdown_field(text), expected);
        }
        let table = markdown(&[vec!["a".into(), "b".into()], vec!["x|y".into(), "1".into()]], 1);
        assert_eq!(table, "| a | b |\n| --- | ---: |\n| x\\|y | 1 |\n");
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
