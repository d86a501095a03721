//! What a user can try next where a question stayed open, as commands.

use crate::table::printable;
use std::ffi::OsString;
use symbolon_checker::{Advice, AskedFor, Attempt, ModelFacts, Options, Reason, Unknown, advice};

/// What is known of the question that the command asks.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownQuestion {
    /// The model, once it was read.
    pub(crate) facts: Option<ModelFacts>,
    /// The options of the checker.
    pub(crate) options: Options,
    /// How states are explored: names of options and their values.
    pub(crate) exploring_by: Vec<(&'static str, String)>,
    /// Whether formulas ask for states that can be reached.
    pub(crate) asks_for_states: bool,
}

/// An attempt to answer a question.
pub(crate) struct Tried<'a> {
    /// The words of the command line.
    pub(crate) words: &'a [OsString],
    /// The command among them.
    pub(crate) command: Option<&'a str>,
    /// The model, as the user wrote it.
    pub(crate) model: Option<&'a str>,
    /// The phase that was reached.
    pub(crate) phase: &'static str,
    /// The limit of time.
    pub(crate) seconds: Option<f64>,
    /// The limit of memory.
    pub(crate) bytes: Option<u64>,
}

/// The phase in which a question stayed open, and what to try next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Next {
    /// The phase by its name, if there was any.
    pub(crate) phase: Option<String>,
    /// How states were explored, if that was under way: names of options and their values.
    pub(crate) exploring_by: Vec<(&'static str, String)>,
    /// Commands, the most likely one to help first.
    pub(crate) commands: Vec<String>,
}

impl Next {
    /// What to try after an attempt.
    pub(crate) fn after(tried: &Tried<'_>, question: KnownQuestion, unknown: &Unknown) -> Next {
        let asked = match tried.command {
            Some("states") => AskedFor::States,
            Some("deadlock") => AskedFor::Deadlock,
            Some("check") if question.asks_for_states => AskedFor::ReachableStates,
            Some("check" | "mcc") => AskedFor::Formulas,
            Some("bounds") => AskedFor::Bounds,
            // Others do not explore.
            _ => return Next::default(),
        };
        let is_given = |name: &str| tried.words.iter().any(|word| is_option(word, name));
        let attempt = Attempt {
            asked,
            options: &question.options,
            is_bounded: is_given("bound") || is_given("method"),
            seconds: tried.seconds,
            bytes: tried.bytes,
            phase: tried.phase,
        };
        let found = advice(question.facts, &attempt, unknown);
        // An attempt that was repeated with a method of its own is not repeated with it once more.
        let found = found.into_iter().filter(|one| {
            unknown.reason == Reason::Timeout || one.options.iter().all(|(name, _)| !is_given(name))
        });
        let command = |one: Advice| command_line(tried, &one);
        let phase = (!tried.phase.is_empty()).then(|| tried.phase.to_string());
        let is_exploring = matches!(tried.phase, "exploring" | "answering") && !attempt.is_bounded;
        let commands = found.map(command).collect();
        let exploring_by = if is_exploring { question.exploring_by } else { Vec::new() };
        Next { phase, exploring_by, commands }
    }

    /// Lines below an answer.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        if let Some(phase) = &self.phase {
            let by =
                self.exploring_by.iter().map(|(name, value)| format!("{} {value}", name.replace('_', " ")));
            let by: Vec<String> = by.collect();
            let by = if by.is_empty() { String::new() } else { format!(", {}", by.join(", ")) };
            text.push_str(&format!("\nphase  {phase}{}\n", printable(&by)));
        } else if !self.commands.is_empty() {
            text.push('\n');
        }
        for (index, command) in self.commands.iter().enumerate() {
            let label = if index == 0 { "try" } else { "" };
            text.push_str(&format!("{label:<7}{}\n", printable(command)));
        }
        text
    }
}

fn is_option(word: &OsString, name: &str) -> bool {
    let word = word.to_string_lossy();
    let option = word.strip_prefix("--").map(|rest| rest.split_once('=').map_or(rest, |(option, _)| option));
    option == Some(name)
}

/// The command line that the user wrote, with the options of an advice added or replaced, and without
/// those that say how the answer is written; or another command about the same model.
fn command_line(tried: &Tried<'_>, advice: &Advice) -> String {
    let Tried { words, model, .. } = *tried;
    if let (Some(other), Some(model)) = (advice.command, model) {
        return format!("symbolon {other} {}", in_shell_quotes(model));
    }
    let has_cpu_timeout = words.iter().any(|word| is_option(word, "cpu-timeout"));
    let replaced = |name: &'static str| match name {
        "timeout" if has_cpu_timeout => "cpu-timeout",
        name => name,
    };
    let options: Vec<(&str, &String)> =
        advice.options.iter().map(|(name, value)| (replaced(name), value)).collect();
    let mut line = vec!["symbolon".to_string()];
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest.next() {
        let text = word.to_string_lossy();
        let is_named = |name: &str| is_option(word, name);
        if is_named("json") || ["-q", "--quiet", "-v", "--verbose"].contains(&text.as_ref()) {
            continue;
        }
        if is_named("progress") || options.iter().any(|(name, _)| is_named(name)) {
            if !text.contains('=') {
                rest.next();
            }
            continue;
        }
        line.push(in_shell_quotes(&text));
    }
    for (name, value) in options {
        line.push(format!("--{name}"));
        if !value.is_empty() {
            line.push(in_shell_quotes(value));
        }
    }
    line.join(" ")
}

/// A word as a shell reads it.
pub(crate) fn in_shell_quotes(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "_@%+=:,./-".contains(character);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_of_the_user_is_changed_as_little_as_can_be() {
        let check =
            |words: &[&str], command: Option<&'static str>, option: (&'static str, &str), expected: &str| {
                let words: Vec<OsString> = words.iter().map(OsString::from).collect();
                let options = vec![(option.0, option.1.to_string())];
                let (phase, seconds, bytes) = ("", None, None);
                let (command_word, model) = (Some("check"), Some("a net.pnml"));
                let tried = Tried { words: &words, command: command_word, model, phase, seconds, bytes };
                assert_eq!(command_line(&tried, &Advice { command, options }), expected);
            };
        let formula = "AG (a <= 30)";
        check(
            &["./symbolon", "check", "a net.pnml", formula, "--timeout", "5", "--json"],
            None,
            ("timeout", "50"),
            "symbolon check 'a net.pnml' 'AG (a <= 30)' --timeout 50",
        );
        check(
            &["s", "-q", "--cpu-timeout=5", "check", "check", "it's"],
            None,
            ("timeout", "50"),
            "symbolon check check 'it'\\''s' --cpu-timeout 50",
        );
        check(
            &["s", "check", "n", "--diagram=mdd", "--progress", "json"],
            None,
            ("diagram", "bdd"),
            "symbolon check n --diagram bdd",
        );
        // Formulas and their options do not belong to another command.
        let words = ["s", "check", "a net.pnml", formula, "--grace", "1"];
        check(&words, Some("bounds"), ("", ""), "symbolon bounds 'a net.pnml'");
        check(&["s", "check", "n"], None, ("no-shortcuts", ""), "symbolon check n --no-shortcuts");
    }
}
