//! Answers as tables for spreadsheets, documents and papers: what `--to` asks for.

use crate::arguments::CompareFormat;
use crate::table::{Table, printable};
use std::fmt::Write as _;

/// A table: headings, and one record per row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Records {
    headings: Vec<String>,
    /// Whether a column holds numbers, which stand on the right.
    are_numbers: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl Records {
    /// A table without rows. A heading that begins with `#` is that of a column of numbers.
    pub(crate) fn new(headings: &[&'static str]) -> Records {
        let plain = |heading: &&'static str| heading.strip_prefix('#').unwrap_or(heading).to_string();
        let are_numbers = headings.iter().map(|heading| heading.starts_with('#')).collect();
        Records::of(headings.iter().map(plain).collect(), are_numbers, Vec::new())
    }

    /// A table; of each column it is said whether it holds numbers.
    pub(crate) fn of(headings: Vec<String>, are_numbers: Vec<bool>, rows: Vec<Vec<String>>) -> Records {
        Records { headings, are_numbers, rows }
    }

    /// A table of labels and values.
    pub(crate) fn of_table(table: &Table) -> Records {
        let mut records = Records::new(&["what", "value"]);
        table.plain().into_iter().for_each(|(label, value)| records.add(vec![label.to_string(), value]));
        records
    }

    /// Adds a row.
    pub(crate) fn add(&mut self, row: Vec<String>) {
        debug_assert_eq!(row.len(), self.headings.len());
        self.rows.push(row);
    }

    /// The table in a format; `None` for text, which answers write themselves.
    pub(crate) fn written(&self, format: CompareFormat) -> Option<String> {
        match format {
            CompareFormat::Text => None,
            CompareFormat::Csv => Some(self.csv()),
            CompareFormat::Markdown => Some(self.markdown()),
            CompareFormat::Latex => Some(self.latex()),
        }
    }

    /// Comma-separated values, quoted where they must be (RFC 4180; lines end with a line feed).
    fn csv(&self) -> String {
        let field = |text: &str| match text.contains([',', '"', '\n', '\r']) || text.trim() != text {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.to_string(),
        };
        let heading = self.headings.iter().map(|heading| field(&heading.replace(' ', "_")));
        let mut text = heading.collect::<Vec<_>>().join(",") + "\n";
        for row in &self.rows {
            text.push_str(&row.iter().map(|text| field(text)).collect::<Vec<_>>().join(","));
            text.push('\n');
        }
        text
    }

    fn markdown(&self) -> String {
        let line = |fields: Vec<String>| format!("| {} |\n", fields.join(" | "));
        let mut text = line(self.headings.iter().map(|heading| markdown_field(heading)).collect());
        let rule = |is_number: &bool| if *is_number { "---:" } else { "---" }.to_string();
        text.push_str(&line(self.are_numbers.iter().map(rule).collect()));
        for row in &self.rows {
            text.push_str(&line(row.iter().map(|field| markdown_field(field)).collect()));
        }
        text
    }

    /// For papers; needs the package `booktabs`.
    fn latex(&self) -> String {
        let sides: String =
            self.are_numbers.iter().map(|is_number| if *is_number { 'r' } else { 'l' }).collect();
        let line = |fields: &[String]| {
            let fields: Vec<String> = fields.iter().map(|field| latex_field(field)).collect();
            format!("{} \\\\\n", fields.join(" & "))
        };
        let mut text = format!("% \\usepackage{{booktabs}}\n\\begin{{tabular}}{{{sides}}}\n\\toprule\n");
        text.push_str(&line(&self.headings));
        text.push_str("\\midrule\n");
        self.rows.iter().for_each(|row| text.push_str(&line(row)));
        text.push_str("\\bottomrule\n\\end{tabular}\n");
        text
    }
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

/// Text that LaTeX shows as it is.
fn latex_field(text: &str) -> String {
    let mut field = String::with_capacity(text.len());
    for character in printable(text).chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                let _ = write!(field, "\\{character}");
            }
            '\\' => field.push_str("\\textbackslash{}"),
            '~' => field.push_str("\\textasciitilde{}"),
            '^' => field.push_str("\\textasciicircum{}"),
            '<' => field.push_str("\\textless{}"),
            '>' => field.push_str("\\textgreater{}"),
            '|' => field.push_str("\\textbar{}"),
            '"' => field.push_str("\\textquotedbl{}"),
            '…' => field.push_str("\\ldots{}"),
            '∞' => field.push_str("$\\infty$"),
            other => field.push(other),
        }
    }
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records() -> Records {
        let mut records = Records::new(&["place", "#bound", "known by"]);
        records.add(["a_1".into(), "3".into(), "a + b <= 1".into()].into());
        records.add(["say \"x, y\"".into(), "inf".into(), String::new()].into());
        records
    }

    #[track_caller]
    fn check(format: CompareFormat, wanted: &str) {
        assert_eq!(records().written(format).as_deref(), Some(wanted));
    }

    #[test]
    fn tables_are_what_each_format_wants() {
        check(CompareFormat::Csv, "place,bound,known_by\na_1,3,a + b <= 1\n\"say \"\"x, y\"\"\",inf,\n");
        check(
            CompareFormat::Markdown,
            "| place | bound | known by |\n| --- | ---: | --- |\n| a\\_1 | 3 | a + b \\<= 1 |\n| say \"x, y\" | inf |  |\n",
        );
        let latex = "% \\usepackage{booktabs}\n\\begin{tabular}{lrl}\n\\toprule\nplace & bound & known by \\\\\n\
                     \\midrule\na\\_1 & 3 & a + b \\textless{}= 1 \\\\\n\
                     say \\textquotedbl{}x, y\\textquotedbl{} & inf &  \\\\\n\\bottomrule\n\\end{tabular}\n";
        check(CompareFormat::Latex, latex);
        assert_eq!(records().written(CompareFormat::Text), None);
    }
}
