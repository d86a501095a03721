//! `models`: the built-in families, all of them or one at length.

use crate::answer::{Answer, Detail, ExitStatus, Status};
use crate::arguments::ModelsArguments;
use crate::failure::Failure;
use crate::json;
use crate::near_names::{did_you_mean, near_names};
use crate::table::{BOLD, FAINT, Table};
use std::fmt::Write as _;
use symbolon_checker::{Family, families};

/// Texts are broken at this column.
const WIDTH: usize = 78;

/// Lists the families, or shows one.
pub(crate) fn models(arguments: &ModelsArguments) -> Result<Box<dyn Answer>, Failure> {
    let Some(wanted) = &arguments.show else {
        return Ok(Box::new(ModelsAnswer { families: families().iter().collect(), at_length: false }));
    };
    // `--show kanban:5` means the family too.
    let name = wanted.split(':').next().unwrap_or(wanted).trim();
    match families().iter().find(|family| family.name == name) {
        Some(family) => Ok(Box::new(ModelsAnswer { families: vec![family], at_length: true })),
        None => {
            let names = families().iter().map(|family| family.name.to_string());
            let hint = did_you_mean(&near_names(name, names))
                .unwrap_or_else(|| "'symbolon models' lists the built-in families".to_string());
            Err(Failure::with_hint(format!("there is no built-in family '{name}'"), Some(hint)))
        }
    }
}

struct ModelsAnswer {
    families: Vec<&'static Family>,
    at_length: bool,
}

impl Answer for ModelsAnswer {
    fn text(&self, detail: Detail) -> String {
        if self.at_length || detail == Detail::Verbose {
            let pages: Vec<String> = self.families.iter().map(|family| page(family)).collect();
            return pages.join("\n");
        }
        let mut text = String::new();
        let width = self.families.iter().map(|family| call(family).len()).max().unwrap_or(0);
        for family in &self.families {
            match detail {
                Detail::Quiet => {
                    let _ = writeln!(text, "{}", family.name);
                }
                _ => {
                    let mut call = call(family);
                    for line in wrapped(family.summary, WIDTH.saturating_sub(width + 2)) {
                        let _ = writeln!(text, "{BOLD}{call:width$}{BOLD:#}  {line}");
                        call.clear();
                    }
                }
            }
        }
        if detail == Detail::Normal {
            let _ = writeln!(
                text,
                "\n{FAINT}One of them at length: symbolon models --show kanban\nTry one: symbolon states kanban:5{FAINT:#}"
            );
        }
        text
    }

    fn body(&self) -> json::Body {
        json::Body::Models { models: self.families.iter().map(|family| json::Model::new(family)).collect() }
    }

    fn status(&self) -> Status<'_> {
        Status::Ok
    }

    fn exit_status(&self) -> ExitStatus {
        ExitStatus::Success
    }
}

/// How a family is called: `kanban:N`.
fn call(family: &Family) -> String {
    let names: Vec<&str> = family.parameters.iter().map(|parameter| parameter.name).collect();
    format!("{}:{}", family.name, names.join(","))
}

/// One family at length.
fn page(family: &Family) -> String {
    let mut text = format!("{BOLD}{}{BOLD:#}  {}\n\n", call(family), family.summary);
    for line in wrapped(family.description, WIDTH) {
        let _ = writeln!(text, "{line}");
    }
    text.push('\n');
    let mut table = Table::default();
    for parameter in family.parameters {
        let range = format!("{} to {}", parameter.smallest, parameter.largest);
        table.row(parameter.name, format!("{} ({range})", parameter.meaning));
    }
    table.row("example", format!("symbolon states {}", family.example()));
    for (index, line) in wrapped(family.origin, WIDTH - 9).into_iter().enumerate() {
        table.row(if index == 0 { "origin" } else { "" }, line);
    }
    text + &table.to_text()
}

/// A text broken into lines at spaces.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_broken_at_spaces() {
        assert_eq!(wrapped("one two  three", 7), ["one two", "three"]);
        assert_eq!(wrapped("incomprehensible", 7), ["incomprehensible"]);
        assert!(wrapped("", 7).is_empty());
    }
}
