//! What a person or a script may ask of a simulation, one request per line.

use crate::quotes::unquoted;
use crate::table::BOLD;
use std::fmt::Write as _;
use std::path::PathBuf;
use symbolon_checker::InputError;

/// What stands behind a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Argument {
    /// The name of something that happens.
    Event,
    /// The name of a place or a variable, or a formula with such names.
    Variable,
    /// A file.
    File,
    /// Nothing that can be completed.
    Other,
}

/// What a line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// Fire a transition.
    Fire(Choice),
    /// Go back this many steps.
    Undo(usize),
    /// Go forth again.
    Redo(usize),
    /// Go to a step of the trace.
    GoTo(usize),
    /// Go back to the initial marking.
    Reset,
    /// Begin in another initial state, or show them.
    Start(Option<String>),
    /// Take random steps.
    Random(u64),
    /// Take random steps until this formula is true.
    Until(String),
    /// Show the marked places whose names contain this.
    Marking(String),
    /// Show the enabled transitions whose names contain this.
    Enabled(String),
    /// Show the trace.
    Trace,
    /// Explain why a transition is not enabled.
    Why(Choice),
    /// Save the trace.
    Save(PathBuf),
    /// Replay a saved trace.
    Load(PathBuf),
    /// List the commands.
    Help,
    /// End.
    Quit,
}

/// Which transition is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// The enabled one of this number, counted from 1.
    Number(usize),
    /// The one of exactly this name.
    Named(String),
    /// The one of this name, or whose name begins so.
    Meant(String),
}

/// A command.
struct Command {
    words: &'static [&'static str],
    argument: &'static str,
    what: &'static str,
}

const COMMANDS: [Command; 16] = [
    command(&["fire", "f"], "NAME", "fire one that is called like a command"),
    command(&["undo", "u"], "[N]", "go back one step, or N"),
    command(&["redo"], "[N]", "go forth again"),
    command(&["goto"], "K", "go to step K of the trace; 0 is the start"),
    command(&["reset"], "", "go back to the start"),
    command(&["start"], "[N]", "list the initial states, or begin in one of them"),
    command(&["random", "r"], "[N]", "take a random step, or N; Ctrl-C stops"),
    command(&["until"], "FORMULA", "take random steps until it is true: until p + q >= 2"),
    command(&["marking", "m"], "[TEXT]", "show the marked places, or those with TEXT"),
    command(&["enabled", "e"], "[TEXT]", "show the enabled transitions, or those with TEXT"),
    command(&["trace", "t"], "", "show the trace from the start to here"),
    command(&["why", "w"], "NAME", "explain why one is not enabled, or since when a place is so"),
    command(&["save"], "FILE", "save the trace"),
    command(&["load"], "FILE", "start again and replay a saved trace"),
    command(&["help", "h", "?"], "", "this list"),
    command(&["quit", "q", "exit"], "", "end; Ctrl-D does too"),
];

const fn command(words: &'static [&'static str], argument: &'static str, what: &'static str) -> Command {
    Command { words, argument, what }
}

/// Every word that is a command, short forms included.
pub(super) fn command_words() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().flat_map(|command| command.words.iter().copied())
}

/// What stands behind a command, for the line editor; none if the word is no command.
pub(super) fn completes_with(word: &str) -> Option<Argument> {
    let command = COMMANDS.iter().find(|command| command.words.contains(&word))?;
    Some(match command.argument {
        "NAME" => Argument::Event,
        "FILE" => Argument::File,
        "FORMULA" => Argument::Variable,
        "[TEXT]" if command.words[0] == "enabled" => Argument::Event,
        "[TEXT]" => Argument::Variable,
        _ => Argument::Other,
    })
}

/// The list of commands.
pub(super) fn help_text() -> String {
    let mut text = String::new();
    let mut line = |call: &str, what: &str| {
        let _ = writeln!(text, "  {BOLD}{call:18}{BOLD:#}{what}");
    };
    line("NUMBER", "fire the enabled transition of this number");
    line("NAME", "fire a transition; the beginning of its name will do");
    for command in &COMMANDS {
        let call = format!("{} {}", command.words.join(", "), command.argument);
        line(call.trim_end(), command.what);
    }
    text.push_str("Names in double quotes are taken as they stand: \"a name\"\n");
    text
}

/// The request of a line; none for an empty line or a comment.
pub(super) fn parse(line: &str) -> Result<Option<Request>, InputError> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let Some(command) = COMMANDS.iter().find(|command| command.words.contains(&word)) else {
        return Ok(Some(Request::Fire(choice(line)?)));
    };
    let name = command.words[0];
    if rest.is_empty() && matches!(command.argument, "NAME" | "FILE" | "K" | "FORMULA") {
        let message = format!("'{name}' needs something behind it: {name} {}", command.argument);
        return Err(InputError::plain(message));
    }
    if !rest.is_empty() && command.argument.is_empty() {
        let hint = format!("a transition of that name: fire {line}");
        return Err(InputError::plain(format!("'{name}' takes no argument, found '{rest}'")).with_hint(hint));
    }
    let number = |default: u64| match rest {
        "" => Ok(default),
        digits => digits.parse::<u64>().map_err(|_| {
            InputError::plain(format!("'{name}' takes a number, found '{digits}'"))
                .with_hint(format!("such as: {name} 3"))
        }),
    };
    // A number of steps beyond what fits is beyond every trace too.
    let steps = |default| number(default).map(|number| usize::try_from(number).unwrap_or(usize::MAX));
    Ok(Some(match name {
        "fire" => Request::Fire(choice(rest)?),
        "undo" => Request::Undo(steps(1)?),
        "redo" => Request::Redo(steps(1)?),
        "goto" => Request::GoTo(steps(0)?),
        "reset" => Request::Reset,
        "start" => Request::Start((!rest.is_empty()).then(|| rest.to_string())),
        "random" => Request::Random(number(1)?),
        "until" => Request::Until(rest.to_string()),
        "marking" => Request::Marking(text(rest)?),
        "enabled" => Request::Enabled(text(rest)?),
        "trace" => Request::Trace,
        "why" => Request::Why(choice(rest)?),
        "save" => Request::Save(text(rest)?.into()),
        "load" => Request::Load(text(rest)?.into()),
        "help" => Request::Help,
        _ => Request::Quit,
    }))
}

/// A text, in quotes or not.
fn text(written: &str) -> Result<String, InputError> {
    if written.starts_with('"') { whole(written) } else { Ok(written.to_string()) }
}

fn choice(written: &str) -> Result<Choice, InputError> {
    if written.starts_with('"') {
        return Ok(Choice::Named(whole(written)?));
    }
    Ok(match written.parse() {
        Ok(number) => Choice::Number(number),
        Err(_) => Choice::Meant(written.to_string()),
    })
}

/// A text in quotes with nothing behind it.
fn whole(written: &str) -> Result<String, InputError> {
    match unquoted(written) {
        Some((text, "")) => Ok(text),
        Some((_, rest)) => {
            Err(InputError::plain(format!("found '{}' behind the closing quote", rest.trim())))
        }
        None => Err(InputError::plain("the quoted text does not end, or has an unknown escape")
            .with_hint(r#"write " as \" and \ as \\ inside quotes"#)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        let meant = |name: &str| Choice::Meant(name.into());
        let named = |name: &str| Choice::Named(name.into());
        for (line, expected) in [
            ("", None),
            ("  # a remark", None),
            ("3", Some(Request::Fire(Choice::Number(3)))),
            (" FF1a_1 ", Some(Request::Fire(meant("FF1a_1")))),
            ("two words", Some(Request::Fire(meant("two words")))),
            ("\"3\"", Some(Request::Fire(named("3")))),
            ("fire t", Some(Request::Fire(meant("t")))),
            ("f \"undo\"", Some(Request::Fire(named("undo")))),
            ("u", Some(Request::Undo(1))),
            ("undo 12", Some(Request::Undo(12))),
            ("redo\t2", Some(Request::Redo(2))),
            ("goto 0", Some(Request::GoTo(0))),
            ("start", Some(Request::Start(None))),
            ("start A.x=2", Some(Request::Start(Some("A.x=2".into())))),
            ("r 1000", Some(Request::Random(1000))),
            ("m", Some(Request::Marking(String::new()))),
            ("e FF", Some(Request::Enabled("FF".into()))),
            ("t", Some(Request::Trace)),
            ("why End_1", Some(Request::Why(meant("End_1")))),
            ("save a file.txt", Some(Request::Save("a file.txt".into()))),
            ("load \"a file.txt\"", Some(Request::Load("a file.txt".into()))),
            ("?", Some(Request::Help)),
            ("exit", Some(Request::Quit)),
        ] {
            assert_eq!(parse(line), Ok(expected), "{line}");
        }
        for (line, says) in [
            ("undo two", "takes a number"),
            ("undo -1", "takes a number"),
            ("random 1e9", "takes a number"),
            ("goto", "goto K"),
            ("save", "save FILE"),
            ("why", "why NAME"),
            ("reset all", "takes no argument"),
            ("\"open", "does not end"),
            ("\"a\" b", "behind the closing quote"),
        ] {
            let error = parse(line).expect_err(line);
            assert!(error.message.contains(says), "{line}: {}", error.message);
        }
    }

    #[test]
    fn help_fits_the_screen() {
        for line in anstream::adapter::strip_str(&help_text()).to_string().lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
