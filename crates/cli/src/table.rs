//! Text for people: labels and values in two columns, colours, and names that cannot harm a
//! terminal.

use anstyle::{AnsiColor, Style};
use std::borrow::Cow;
use std::fmt::Write as _;

/// The style of what is emphasised.
pub(crate) const BOLD: Style = Style::new().bold();
/// Labels.
pub(crate) const LABEL: Style = AnsiColor::Cyan.on_default();
/// Good news.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Mistakes and bad news.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Warnings and what is unknown.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// What matters less.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// Two aligned columns.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<(&'static str, String)>,
}

impl Table {
    /// Adds a row; an empty label continues the row above.
    pub(crate) fn row(&mut self, label: &'static str, value: impl Into<String>) {
        self.rows.push((label, value.into()));
    }

    /// Labels and values without colours, those of several lines as one.
    pub(crate) fn plain(&self) -> Vec<(&'static str, String)> {
        let mut joined: Vec<(&str, String)> = Vec::new();
        for (label, value) in &self.rows {
            let value = anstream::adapter::strip_str(value).to_string();
            match joined.last_mut() {
                Some((_, before)) if label.is_empty() => {
                    before.push(' ');
                    before.push_str(value.trim());
                }
                _ => joined.push((label, value)),
            }
        }
        joined
    }

    /// The table, one line per row.
    pub(crate) fn to_text(&self) -> String {
        let width = self.rows.iter().map(|(label, _)| label.len()).max().unwrap_or(0);
        let mut text = String::new();
        for (label, value) in &self.rows {
            let _ = writeln!(text, "{LABEL}{label:width$}{LABEL:#}  {value}");
        }
        text
    }
}

/// A name from a file, with control characters spelled out so that they cannot drive the terminal.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_unsafe(character) {
            safe.extend(character.escape_default());
        } else {
            safe.push(character);
        }
    }
    Cow::Owned(safe)
}

fn is_unsafe(character: char) -> bool {
    character.is_control()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::default();
        table.row("a", "1");
        table.row("long", "2");
        let text = anstream::adapter::strip_str(&table.to_text()).to_string();
        assert_eq!(text, "a     1\nlong  2\n");
    }

    #[test]
    fn control_characters_are_spelled_out() {
        for (name, shown) in
            [("place 1", "place 1"), ("é→", "é→"), ("a\nb", "a\\nb"), ("\u{1b}[2J", "\\u{1b}[2J")]
        {
            assert_eq!(printable(name), shown);
        }
    }
}
