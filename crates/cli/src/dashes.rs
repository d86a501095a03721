//! Options and commands in messages of the libraries, as they are typed on the command line.
//!
//! Libraries do not know the front end: they mark names of options and commands,
//! `option ‹diagram set›` and `command ‹models›`. Here these become `'--diagram set'` and
//! `'symbolon models'`; `command ‹convert› with option ‹to gcl›` becomes
//! `'symbolon convert --to gcl'`. Nothing else in a message is changed, so the user's own words
//! stay as they are.

use symbolon_checker::{Error, InputError, Outcome, PropertyReport, Stop, Unknown, Verdict};

/// A message with the names of options and commands as they are typed.
pub(crate) fn typed(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(begin) = rest.find('‹') {
        let (before, marked) = (&rest[..begin], &rest[begin + '‹'.len_utf8()..]);
        let name = marked.find('›').map(|end| (&marked[..end], &marked[end + '›'.len_utf8()..]));
        // Where a command comes before its option, the quotation goes on.
        let is_continued = text.ends_with('\'') && before == " with option ";
        match name {
            Some((name, after)) if is_continued && is_name(name) => {
                text.truncate(text.len() - 1);
                text += &format!(" --{name}'");
                rest = after;
            }
            Some((name, after)) if before.ends_with("option ") && is_name(name) => {
                text += &format!("{}'--{name}'", &before[..before.len() - "option ".len()]);
                rest = after;
            }
            Some((name, after)) if before.ends_with("command ") && is_name(name) => {
                text += &format!("{}'symbolon {name}'", &before[..before.len() - "command ".len()]);
                rest = after;
            }
            _ => {
                text += &rest[..begin + '‹'.len_utf8()];
                rest = marked;
            }
        }
    }
    text + rest
}

/// Whether this begins as names of options and commands do.
fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
}

/// A mistake or a warning, likewise.
pub(crate) fn typed_error(error: InputError) -> InputError {
    InputError { message: typed(&error.message), hint: error.hint.as_deref().map(typed), ..error }
}

/// A reason, likewise.
pub(crate) fn typed_unknown(unknown: Unknown) -> Unknown {
    Unknown { detail: typed(&unknown.detail), ..unknown }
}

/// Reports on properties, likewise.
pub(crate) fn typed_reports(reports: &mut [PropertyReport]) {
    for report in reports {
        report.no_witness = report.no_witness.as_deref().map(typed);
        if let Verdict::Unknown(why) = &mut report.verdict {
            why.detail = typed(&why.detail);
        }
    }
}

/// Separates an answer that is unknown from wrong input, as [`symbolon_checker::settle`] does.
/// Wrong input is typed when it becomes a failure.
pub(crate) fn settle<T>(answer: Result<T, Stop>) -> Result<Outcome<T>, Error> {
    symbolon_checker::settle(answer).map(|outcome| outcome.map_err(typed_unknown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_commands_are_typed() {
        let check = |message: &str, expected: &str| assert_eq!(typed(message), expected);
        check(
            "a hierarchy requires option ‹diagram set›; command ‹models› lists 'option'",
            "a hierarchy requires '--diagram set'; 'symbolon models' lists 'option'",
        );
        check("command ‹convert› with option ‹to gcl› writes", "'symbolon convert --to gcl' writes");
        check("option ‹bound› and option ‹method›", "'--bound' and '--method'");
        check("nothing is marked", "nothing is marked");
    }

    #[test]
    fn words_of_the_user_are_not_changed() {
        for message in [
            "the net has no place \"option 'diagram set'\"",
            "the net has no place \"verb 'models'\"",
            "there is no file 'x' with option 'y'",
            "found '‹' and '›', expected an option ‹",
            "a place called ‹a›",
        ] {
            assert_eq!(typed(message), message);
        }
    }

    /// Strings of the libraries name neither dashes nor the program.
    #[test]
    fn libraries_do_not_speak_of_the_command_line() {
        let crates = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
        let mut found = Vec::new();
        for name in ["checker", "report"] {
            look_at(&std::path::Path::new(crates).join(name).join("src"), &mut found);
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    fn look_at(folder: &std::path::Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                look_at(&path, found);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("text");
            for (number, line) in text.lines().enumerate() {
                let is_comment = line.trim_start().starts_with("//");
                let speaks = line.contains("'--")
                    || line.contains(" --")
                    || line.contains("'symbolon ")
                    || line.contains("option '");
                if !is_comment && line.contains('"') && speaks {
                    found.push(format!("{}:{}: {line}", path.display(), number + 1));
                }
            }
        }
    }
}
