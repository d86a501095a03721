//! `completions`: what a shell needs to complete commands, options and their values.
//!
//! The script that is printed calls this program whenever Tab is pressed, with `SYMBOLON_COMPLETE` in
//! the environment, so that what is completed is always what this version knows: families of
//! models, variable orders, hierarchies, vtrees and examinations besides what is declared.

use super::TextAnswer;
use crate::arguments::{Arguments, CompletionsArguments, GlobalOptions};
use crate::failure::Failure;
use clap::builder::StyledStr;
use clap::{Args, Command, CommandFactory};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use clap_complete::env::{CompleteEnv, Shells};
use std::ffi::OsStr;
use symbolon_checker::{
    Examination, agent_families, coloured_families, command_examples, families, known_hierarchies,
    known_orders, known_vtrees,
};

/// The variable that says that a shell asks for completions, and which shell it is.
const VARIABLE: &str = "SYMBOLON_COMPLETE";
const PROGRAM: &str = "symbolon";

/// The completion script of a shell.
pub(crate) fn completions(arguments: &CompletionsArguments) -> Result<TextAnswer, Failure> {
    let shells = Shells::builtins();
    let name = arguments.shell.to_string();
    let completer = shells
        .completer(&name)
        .ok_or_else(|| Failure::plain(format!("there are no completions for the shell '{name}'")))?;
    let mut script = Vec::new();
    completer
        .write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, &mut script)
        .map_err(|error| Failure::plain(format!("cannot write the script: {error}")))?;
    Ok(TextAnswer(String::from_utf8_lossy(&script).into_owned()))
}

/// Answers a shell that asks for completions, and ends; otherwise does nothing.
pub(crate) fn complete_if_asked() {
    if std::env::var_os(VARIABLE).is_some_and(|shell| !shell.is_empty()) {
        CompleteEnv::with_factory(completable).var(VARIABLE).bin(PROGRAM).completer(PROGRAM).complete();
    }
}

/// The declaration, with completers where values are names that only the program knows.
fn completable() -> Command {
    let globals = GlobalOptions::augment_args(Command::new(PROGRAM));
    let mut command = Arguments::command();
    for argument in globals.get_arguments() {
        let id = argument.get_id().to_string();
        if let Some(completer) = completer(&id) {
            command = command.mut_arg(id, |argument| argument.add(completer));
        }
    }
    let names: Vec<String> = command.get_subcommands().map(|one| one.get_name().to_string()).collect();
    for name in &names {
        let pages = names.clone();
        command = command.mut_subcommand(name, |one| {
            let is_page = matches!(one.get_name(), "help" | "man");
            one.mut_args(|argument| {
                let id = argument.get_id().to_string();
                match completer(&id) {
                    _ if is_page && id == "command" => {
                        argument.add(ArgValueCompleter::new(Names(pages.clone())))
                    }
                    Some(completer) => argument.add(completer),
                    None => argument,
                }
            })
        });
    }
    command
}

/// What completes the values of an argument, by the name of its field.
fn completer(id: &str) -> Option<ArgValueCompleter> {
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_string).collect::<Vec<String>>();
    Some(match id {
        "model" | "models" => ArgValueCompleter::new(ModelCompleter),
        "variable_order" | "variable_orders" => ArgValueCompleter::new(NamesOrFile(owned(known_orders()))),
        "hierarchy" | "hierarchies" => ArgValueCompleter::new(NamesOrFile(owned(known_hierarchies()))),
        "vtree" => ArgValueCompleter::new(NamesOrFile(owned(known_vtrees()))),
        "show" => ArgValueCompleter::new(Names(family_names().into_iter().map(|(name, _)| name).collect())),
        "examination" => {
            ArgValueCompleter::new(Names(Examination::all().map(|one| one.name().to_string()).collect()))
        }
        _ => return None,
    })
}

/// The built-in models, and what each is.
fn family_names() -> Vec<(String, String)> {
    let mut names: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, what: &str| names.push((name.to_string(), what.to_string()));
    families().iter().for_each(|family| add(family.name, family.summary));
    agent_families().iter().for_each(|family| add(family.name, family.summary));
    coloured_families().iter().for_each(|family| add(family.name, family.summary));
    command_examples().iter().for_each(|example| add(example.name, example.summary));
    names.sort();
    names
}

fn beginning(current: &OsStr) -> String {
    current.to_string_lossy().into_owned()
}

/// Files, and built-in families.
struct ModelCompleter;

impl ValueCompleter for ModelCompleter {
    fn complete(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let written = beginning(current);
        let mut found = PathCompleter::file().complete(current);
        for (name, what) in family_names().into_iter().filter(|(name, _)| name.starts_with(&written)) {
            // The colon of the size keeps shells from adding a blank.
            let candidate = CompletionCandidate::new(format!("{name}:"));
            found.push(candidate.help(Some(StyledStr::from(what))));
        }
        found
    }
}

/// Names.
struct Names(Vec<String>);

impl ValueCompleter for Names {
    fn complete(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let written = beginning(current);
        let names = self.0.iter().filter(|name| name.starts_with(&written));
        names.map(CompletionCandidate::new).collect()
    }
}

/// Names, or a file behind `@`.
struct NamesOrFile(Vec<String>);

impl ValueCompleter for NamesOrFile {
    fn complete(&self, current: &OsStr) -> Vec<CompletionCandidate> {
        let written = beginning(current);
        if let Some(file) = written.strip_prefix('@') {
            let files = PathCompleter::file().complete(OsStr::new(file));
            return files.into_iter().map(|file| file.add_prefix("@")).collect();
        }
        let names = self.0.iter().filter(|name| name.starts_with(&written));
        names.map(CompletionCandidate::new).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_completed() {
        let check = |words: &str, expected: &[&str]| {
            let words: Vec<std::ffi::OsString> = words.split(' ').map(Into::into).collect();
            let last = words.len() - 1;
            let found = clap_complete::engine::complete(&mut completable(), words.clone(), last, None);
            let found: Vec<String> = found
                .expect("completes")
                .iter()
                .map(|candidate| candidate.get_value().to_string_lossy().into_owned())
                .collect();
            for name in expected {
                assert!(found.iter().any(|one| one == name), "{words:?}: no {name} in {found:?}");
            }
        };
        check("symbolon sta", &["states"]);
        check("symbolon states kanb", &["kanban:"]);
        check("symbolon states phil", &["philosophers:", "philosophers-left-right:"]);
        check("symbolon check dini", &["dining-cryptographers:"]);
        check("symbolon compare --variable-orders fo", &["force"]);
        check("symbolon states --variable-order slo", &["sloan", "sloan-bipartite"]);
        check("symbolon states --hierarchy rec", &["recursive"]);
        check("symbolon states --vtree bal", &["balanced"]);
        check("symbolon deadlock --method edd", &["edd-exact", "edd-approx"]);
        check("symbolon compare --diagrams md", &["mdd"]);
        check("symbolon mcc Stat", &["StateSpace"]);
        check("symbolon help dead", &["deadlock"]);
        check("symbolon models --show kan", &["kanban"]);
    }
}
