//! `models`: the built-in families, all of them or one at length.

use super::text_answer::TextAnswer;
use crate::answer::{Answer, Detail};
use crate::arguments::ModelsArguments;
use crate::console;
use crate::failure::Failure;
use crate::model_source::{command_example, family_names};
use crate::numbers::counted;
use crate::table::{BOLD, FAINT, Table};
use std::fmt::Write as _;
use symbolon_checker::{
    Budget, CommandExample, Family, FamilySize, agent_families, coloured_families, command_examples,
    command_families, did_you_mean, example_size, families, near_names, sizes,
};
use symbolon_report as json;
use symbolon_report::Status;

/// Lists the families, or shows one.
pub(crate) fn models(arguments: &ModelsArguments) -> Result<Box<dyn Answer>, Failure> {
    let Some(wanted) = &arguments.show else {
        return Ok(Box::new(ModelsAnswer { families: families().iter().collect(), at_length: false }));
    };
    // `--show kanban:5` means the family too.
    let name = wanted.split(':').next().unwrap_or(wanted).trim();
    if let Some(family) = other_families().find(|family| family.name == name) {
        return Ok(Box::new(TextAnswer(family.page())));
    }
    if let Some(example) = command_example(name) {
        return Ok(Box::new(TextAnswer(command_page(example))));
    }
    match families().iter().find(|family| family.name == name) {
        Some(family) => Ok(Box::new(ModelsAnswer { families: vec![family], at_length: true })),
        None => {
            let hint = did_you_mean(&near_names(name, family_names()))
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
        for family in &self.families {
            let _ = match detail {
                Detail::Quiet => writeln!(text, "{}", family.name),
                _ => write!(text, "{}", entry(family)),
            };
        }
        if !self.at_length {
            other_families().for_each(|family| text.push_str(&family.entry(detail)));
            text.push_str(&commands(detail));
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
        let models = self.families.iter().map(|family| json::Model::new(family, &example_size_of(family)));
        json::Body::Models { models: models.collect() }
    }

    fn status(&self) -> Status<'_> {
        Status::Ok
    }
}

/// A family whose members have other sizes than those of plain nets.
struct OtherFamily {
    name: &'static str,
    summary: &'static str,
    description: &'static str,
    origin: &'static str,
    /// What its members are.
    kind: &'static str,
    example: String,
    /// Names, ranges and meanings of the parameters.
    parameters: Vec<(&'static str, String)>,
    /// Names and meanings of the variants.
    variants: Vec<(&'static str, &'static str)>,
    /// The first command to try.
    verb: &'static str,
}

/// The families of coloured nets, of multi-agent systems and of programs.
fn other_families() -> impl Iterator<Item = OtherFamily> {
    let meaning = |meaning: &str, smallest: u64, largest: u64| format!("{meaning} ({smallest} to {largest})");
    let coloured = coloured_families().iter().map(move |family| OtherFamily {
        name: family.name,
        summary: family.summary,
        description: family.description,
        origin: family.origin,
        kind: "a coloured net",
        example: family.example(),
        parameters: family
            .parameters
            .iter()
            .map(|p| (p.name, meaning(p.meaning, p.smallest, p.largest)))
            .collect(),
        variants: family.variants.iter().map(|variant| (variant.name, variant.meaning)).collect(),
        verb: "info",
    });
    let agents = agent_families().iter().map(move |family| OtherFamily {
        name: family.name,
        summary: family.summary,
        description: family.description,
        origin: family.origin,
        kind: "agents",
        example: family.example(),
        parameters: family
            .parameters
            .iter()
            .map(|p| (p.name, meaning(p.meaning, p.smallest, p.largest)))
            .collect(),
        variants: family.variants.iter().map(|variant| (variant.name, variant.meaning)).collect(),
        verb: "check",
    });
    let programs = command_families().iter().map(move |family| OtherFamily {
        name: family.name,
        summary: family.summary,
        description: family.description,
        origin: family.origin,
        kind: "guarded commands",
        example: family.example(),
        parameters: family
            .parameters
            .iter()
            .map(|p| (p.name, meaning(p.meaning, p.smallest, p.largest)))
            .collect(),
        variants: Vec::new(),
        verb: "states",
    });
    coloured.chain(agents).chain(programs)
}

impl OtherFamily {
    /// One family in a list.
    fn entry(&self, detail: Detail) -> String {
        if detail == Detail::Quiet {
            return format!("{}\n", self.name);
        }
        let mut text = format!("{BOLD}{}{BOLD:#}\n", self.name);
        for line in wrapped(self.summary, page_width() - 2) {
            let _ = writeln!(text, "  {line}");
        }
        for line in wrapped(&format!("{}: {}; {}", self.example, self.kind, self.origin), page_width() - 2) {
            let _ = writeln!(text, "  {FAINT}{line}{FAINT:#}");
        }
        text
    }

    /// One family at length.
    fn page(&self) -> String {
        let text = page_head(self.name, self.summary, self.description);
        let mut table = Table::default();
        for (name, meaning) in &self.parameters {
            table.row(name, meaning.clone());
        }
        let labels = self.variants.iter().map(|(name, _)| *name).chain(["origin"]);
        let room = page_width() - 3 - labels.map(str::len).max().unwrap_or(0);
        for (name, meaning) in self.variants.iter().copied().chain([("origin", self.origin)]) {
            for (index, line) in wrapped(meaning, room).into_iter().enumerate() {
                table.row(if index == 0 { name } else { "" }, line);
            }
        }
        table.row("try", format!("symbolon {} {}", self.verb, self.example));
        table.row("", format!("symbolon states {}", self.example));
        text + &table.to_text()
    }
}

/// The built-in programs of guarded commands.
fn commands(detail: Detail) -> String {
    let mut text = String::new();
    for example in command_examples() {
        if detail == Detail::Quiet {
            let _ = writeln!(text, "{}", example.name);
            continue;
        }
        let _ = writeln!(text, "{BOLD}{}{BOLD:#}", command_call(example));
        for line in wrapped(&in_a_list(example.summary), page_width() - 2) {
            let _ = writeln!(text, "  {line}");
        }
        let _ = writeln!(text, "  {FAINT}{}: guarded commands{FAINT:#}", example.name);
    }
    text
}

/// A summary as the others begin, with a small letter, unless its first word is a name.
fn in_a_list(summary: &str) -> String {
    let is_name = summary.split_whitespace().next().is_some_and(|word| word.ends_with("'s"));
    let mut letters = summary.chars();
    match letters.next() {
        Some(first) if !is_name => first.to_lowercase().chain(letters).collect(),
        _ => summary.to_string(),
    }
}

/// How a program is called: `gated-queue:N`.
fn command_call(example: &CommandExample) -> String {
    match example.parameters {
        [] => example.name.to_string(),
        names => format!("{}:{}", example.name, names.join(",")),
    }
}

/// One program of guarded commands at length: its text says it all.
fn command_page(example: &CommandExample) -> String {
    let name = example.name;
    let text = page_head(&command_call(example), example.summary, "");
    format!(
        "{text}{}\ntry  symbolon check {name}\n     symbolon states {name}\n     symbolon simulate {name}\n",
        example.text
    )
}

/// What a page begins with.
fn page_head(call: &str, summary: &str, description: &str) -> String {
    let mut text = format!("{BOLD}{call}{BOLD:#}\n");
    for paragraph in [summary, description].into_iter().filter(|paragraph| !paragraph.is_empty()) {
        for line in wrapped(paragraph, page_width()) {
            let _ = writeln!(text, "{line}");
        }
        text.push('\n');
    }
    text
}

/// How a family is called: `kanban:N`.
fn call(family: &Family) -> String {
    let names: Vec<&str> = family.parameters.iter().map(|parameter| parameter.name).collect();
    format!("{}:{}", family.name, names.join(","))
}

/// The size of the example; examples are small, so nothing limits this.
fn example_size_of(family: &Family) -> FamilySize {
    example_size(family, &Budget::unlimited()).expect("no limit, no interruption")
}

/// One family in a list: what it is, how large its example is, where it comes from.
fn entry(family: &Family) -> String {
    let call = call(family);
    let mut text = format!("{BOLD}{call}{BOLD:#}\n");
    for line in wrapped(family.summary, page_width() - 2) {
        let _ = writeln!(text, "  {line}");
    }
    let size = example_size_of(family);
    let sizes = format!(
        "{}: {}, {}; {}",
        size.call,
        counted(size.places, "place"),
        counted(size.transitions, "transition"),
        family.origin
    );
    for line in wrapped(&sizes, page_width() - 2) {
        let _ = writeln!(text, "  {FAINT}{line}{FAINT:#}");
    }
    text
}

/// One family at length.
fn page(family: &Family) -> String {
    let text = page_head(&call(family), family.summary, family.description);
    let mut table = Table::default();
    for parameter in family.parameters {
        let range = format!("{} to {}", parameter.smallest, parameter.largest);
        table.row(parameter.name, format!("{} ({range})", parameter.meaning));
    }
    let sizes = sizes(family, &Budget::unlimited()).expect("no limit, no interruption");
    let width = sizes.iter().map(|size| size.call.len()).max().unwrap_or(0);
    for (index, size) in sizes.iter().enumerate() {
        let parts = format!(
            "{:width$}  {}, {}, {}",
            size.call,
            counted(size.places, "place"),
            counted(size.transitions, "transition"),
            counted(size.arcs, "arc")
        );
        table.row(if index == 0 { "sizes" } else { "" }, parts);
    }
    for (index, line) in wrapped(family.origin, page_width() - 9).into_iter().enumerate() {
        table.row(if index == 0 { "origin" } else { "" }, line);
    }
    for (index, command) in to_try(family, &sizes).into_iter().enumerate() {
        table.row(if index == 0 { "try" } else { "" }, command);
    }
    text + &table.to_text()
}

/// Commands to begin with: questions about the example, and the smallest member to look at.
fn to_try(family: &Family, sizes: &[FamilySize]) -> Vec<String> {
    let example = family.example();
    let smallest = sizes.first().map_or(&example, |size| &size.call);
    vec![
        format!("symbolon states {example}"),
        format!("symbolon deadlock {example}"),
        format!("symbolon simulate {smallest}"),
        format!("symbolon draw {smallest} -o net.svg"),
        format!("symbolon convert {smallest} -o net.pnml"),
    ]
}

/// How wide lists and pages are: as the terminal, if that is narrow.
fn page_width() -> usize {
    const USUAL: usize = 78;
    const NARROWEST: usize = 30;
    console::columns().map_or(USUAL, |columns| columns.clamp(NARROWEST, USUAL))
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
    use crate::arguments::Arguments;
    use clap::Parser;

    #[test]
    fn lists_and_pages_fit_80_columns() {
        let all = ModelsAnswer { families: families().iter().collect(), at_length: false };
        for detail in [Detail::Quiet, Detail::Normal, Detail::Verbose] {
            for line in anstream::adapter::strip_str(&all.text(detail)).to_string().lines() {
                assert!(line.chars().count() <= 80, "too long: {line}");
            }
        }
    }

    #[test]
    fn every_command_to_try_parses() {
        for family in families() {
            let sizes = sizes(family, &Budget::unlimited()).expect("no limit");
            for command in to_try(family, &sizes) {
                assert!(Arguments::try_parse_from(command.split(' ')).is_ok(), "{command}");
            }
        }
    }

    #[test]
    fn summaries_begin_alike() {
        assert_eq!(in_a_list("Customers wait"), "customers wait");
        assert_eq!(in_a_list("Peterson's algorithm"), "Peterson's algorithm");
    }

    #[test]
    fn texts_are_broken_at_spaces() {
        assert_eq!(wrapped("one two  three", 7), ["one two", "three"]);
        assert_eq!(wrapped("incomprehensible", 7), ["incomprehensible"]);
        assert!(wrapped("", 7).is_empty());
    }
}
