//! `help`: the long help of the program or of a command, and topics that concern many commands.
//!
//! Options that may stand anywhere are described at length in one place, `symbolon help options`.
//! The pages of commands list the most usual ones, in a line each.

use super::TextAnswer;
use super::man::declaration;
use crate::answer::Answer;
use crate::arguments::{Arguments, FORMULA_HELP, GlobalOptions, MORE_OPTIONS, PageArguments};
use crate::failure::Failure;
use clap::{Args, CommandFactory};
use std::ffi::OsString;
use symbolon_checker::{did_you_mean, near_names};

/// A page that is no command's.
struct Topic {
    name: &'static str,
    text: fn() -> String,
}

const TOPICS: [Topic; 2] =
    [Topic { name: "options", text: options_text }, Topic { name: "formulas", text: formulas_text }];

/// The options that may stand anywhere, by what they are for.
const HEADINGS: [(&str, &[&str]); 5] = [
    ("Answers", &["json", "quiet", "verbose", "color", "progress"]),
    ("Limits", &["timeout", "cpu_timeout", "memory", "threads", "grace"]),
    (
        "How states are stored and explored",
        &[
            "diagram",
            "strategy",
            "variable_order",
            "save_order",
            "hierarchy",
            "save_hierarchy",
            "vtree",
            "save_vtree",
            "reorder",
            "symmetry",
        ],
    ),
    ("What is meant", &["paths", "edges", "parameters", "format", "seed"]),
    ("For comparison and doubt", &["no_shortcuts"]),
];
const OTHERS: &str = "Others";

/// The page of a command, of a topic, or of the program.
pub(crate) fn help(arguments: &PageArguments) -> Result<Box<dyn Answer>, Failure> {
    let name = arguments.command.as_deref();
    let topic = TOPICS.iter().find(|topic| Some(topic.name) == name);
    let text = match topic {
        Some(topic) => (topic.text)(),
        None => page(arguments).map_err(|failure| with_topics(failure, name.unwrap_or_default()))?,
    };
    Ok(Box::new(TextAnswer(text)))
}

/// What `--help` prints: the same page; none if no command line with it is understood.
pub(crate) fn long_help(words: &[OsString]) -> Option<String> {
    let words: Vec<&str> = words.iter().skip(1).filter_map(|word| word.to_str()).collect();
    let is_long = words.iter().take_while(|word| **word != "--").any(|word| *word == "--help");
    let declared = Arguments::command();
    let command = words.iter().find(|word| declared.find_subcommand(word).is_some());
    is_long.then(|| page(&PageArguments { command: command.map(ToString::to_string) }).ok()).flatten()
}

/// The page of a command, or of the program.
fn page(arguments: &PageArguments) -> Result<String, Failure> {
    let mut command = brief(declaration(arguments)?);
    Ok(command.render_long_help().ansi().to_string())
}

/// A command whose page lists the usual ones of the options that may stand anywhere, and says where
/// all of them are described.
fn brief(command: clap::Command) -> clap::Command {
    let global = global_ids();
    let after =
        command.get_after_long_help().or(command.get_after_help()).map(|text| text.ansi().to_string());
    let after = match after {
        Some(text) if text.contains("symbolon help options") => text,
        Some(text) => format!("{text}\n\n{MORE_OPTIONS}"),
        None => MORE_OPTIONS.to_string(),
    };
    command.after_long_help(after).mut_args(|argument| {
        if !global.contains(&argument.get_id().to_string()) {
            return argument;
        }
        let is_rare = argument.is_hide_set() || argument.is_hide_short_help_set();
        argument.long_help(None::<&str>).hide(is_rare).hide_possible_values(true)
    })
}

fn global_ids() -> Vec<String> {
    let declared = GlobalOptions::augment_args(clap::Command::new("symbolon"));
    declared.get_arguments().map(|argument| argument.get_id().to_string()).collect()
}

/// All options that may stand anywhere, at length.
fn options_text() -> String {
    let declared = GlobalOptions::augment_args(clap::Command::new("symbolon"));
    let heading_of =
        |id: &str| HEADINGS.iter().find(|(_, ids)| ids.contains(&id)).map_or(OTHERS, |(heading, _)| *heading);
    // Headings stand in the order in which their first option does.
    let place = |id: &str| HEADINGS.iter().position(|(_, ids)| ids.contains(&id)).unwrap_or(HEADINGS.len());
    let mut arguments: Vec<clap::Arg> = declared.get_arguments().cloned().collect();
    arguments.sort_by_key(|argument| place(argument.get_id().as_str()));
    let mut page =
        clap::Command::new("symbolon").disable_help_flag(true).help_template("{about}\n\n{all-args}");
    page = page.about("Options of every command; they may stand anywhere on the command line");
    for (order, argument) in arguments.into_iter().enumerate() {
        let heading = heading_of(argument.get_id().as_str());
        page = page.arg(argument.global(false).display_order(order).help_heading(heading));
    }
    page.render_long_help().ansi().to_string()
}

fn formulas_text() -> String {
    format!(
        "How formulas are written, for `check`, files of formulas and `property` in programs\n\n{FORMULA_HELP}\n"
    )
}

/// A word that is neither a command nor a topic.
fn with_topics(failure: Failure, word: &str) -> Failure {
    let declared = Arguments::command();
    let commands = declared.get_subcommands().map(|command| command.get_name());
    let names = commands.chain(TOPICS.iter().map(|topic| topic.name));
    match did_you_mean(&near_names(word, names)) {
        Some(hint) => Failure::with_hint(format!("there is no command and no topic '{word}'"), Some(hint)),
        None => {
            let mut failure = failure;
            if let Some(error) = failure.0.first_mut() {
                error.hint = Some(
                    "'symbolon --help' lists the commands; the topics are options and formulas".to_string(),
                );
            }
            failure
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn every_option_has_one_heading() {
        let declared = GlobalOptions::augment_args(clap::Command::new("symbolon"));
        let shown = declared.get_arguments().filter(|argument| !argument.is_hide_set());
        let ids: Vec<String> = shown.map(|argument| argument.get_id().to_string()).collect();
        for id in &ids {
            let count = HEADINGS.iter().filter(|(_, ids)| ids.contains(&id.as_str())).count();
            assert_eq!(count, 1, "{id} has one heading");
        }
        for id in HEADINGS.iter().flat_map(|(_, ids)| *ids) {
            assert!(ids.iter().any(|known| known == id), "{id} is an option");
        }
        let text = plain(&options_text());
        for (heading, _) in HEADINGS {
            assert!(text.contains(&format!("{heading}:\n")), "{heading} in\n{text}");
        }
        assert!(!text.contains(&format!("{OTHERS}:\n")), "{text}");
    }

    #[test]
    fn pages_of_commands_are_about_the_command() {
        let page =
            |name: &str| plain(&page(&PageArguments { command: Some(name.to_string()) }).expect("a command"));
        let completions = page("completions");
        for option in ["--diagram", "--paths", "--vtree"] {
            assert!(!completions.contains(option), "{option} in\n{completions}");
        }
        assert!(
            completions.contains("--json") && completions.contains("symbolon help options"),
            "{completions}"
        );
        assert!(page("deadlock").contains("edd-exact"), "its own options are described at length");
    }
}
