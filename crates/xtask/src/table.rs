//! Tables for people, as aligned text or as Markdown.

use clap::ValueEnum;

/// How a table is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum To {
    /// Columns aligned with blanks
    #[default]
    Text,
    /// Markdown
    Markdown,
}

/// Rows of cells under a header. The first `left` columns are words, the others numbers.
pub(crate) struct Table {
    left: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table with these column titles.
    pub(crate) fn new(left: usize, titles: &[&str]) -> Table {
        Table { left, rows: vec![titles.iter().map(|title| title.to_string()).collect()] }
    }

    /// Adds a row; it has as many cells as there are titles.
    pub(crate) fn push(&mut self, cells: Vec<String>) {
        assert_eq!(cells.len(), self.rows[0].len(), "a row has one cell per title");
        self.rows.push(cells);
    }

    /// The table as text, with a line break at its end.
    pub(crate) fn render(&self, to: To) -> String {
        let columns = self.rows[0].len();
        let width =
            |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            let cells: Vec<String> =
                row.iter().enumerate().map(|(at, cell)| self.pad(at, cell, widths[at])).collect();
            match to {
                To::Text => text.push_str(cells.join("  ").trim_end()),
                To::Markdown => text.push_str(&format!("| {} |", cells.join(" | "))),
            }
            text.push('\n');
            if index == 0 && to == To::Markdown {
                let rule = |at| if at < self.left { "---" } else { "---:" };
                let rules: Vec<&str> = (0..columns).map(rule).collect();
                text.push_str(&format!("| {} |\n", rules.join(" | ")));
            }
        }
        text
    }

    fn pad(&self, column: usize, cell: &str, width: usize) -> String {
        if column < self.left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms() {
        let mut table = Table::new(1, &["name", "n"]);
        table.push(vec!["é".into(), "100".into()]);
        assert_eq!(table.render(To::Text), "name    n\né     100\n");
        assert_eq!(table.render(To::Markdown), "| name |   n |\n| --- | ---: |\n| é    | 100 |\n");
    }
}
