//! Options and commands in messages of the libraries, as they are typed on the command line.
//!
//! Libraries do not know who calls them: they write `option 'diagram set'` and `verb 'models'`. Here
//! these become `'--diagram set'` and `'symbolon models'`; `verb 'convert' with option 'to gcl'` becomes
//! `'symbolon convert --to gcl'`.

use symbolon_checker::{Error, InputError, Outcome, PropertyReport, Stop, Unknown, Verdict};

/// A message with the names of options and commands as they are typed.
pub(crate) fn typed(message: &str) -> String {
    message.replace("' with option '", " --").replace("option '", "'--").replace("verb '", "'symbolon ")
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

/// Separates an answer that is unknown from wrong input, as [`symbolon_checker::settle`] does. Wrong input is
/// typed when it becomes a failure.
pub(crate) fn settle<T>(answer: Result<T, Stop>) -> Result<Outcome<T>, Error> {
    symbolon_checker::settle(answer).map(|outcome| outcome.map_err(typed_unknown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_commands_are_typed() {
        let message = "a hierarchy requires option 'diagram set'; verb 'models' lists 'option'";
        let expected = "a hierarchy requires '--diagram set'; 'symbolon models' lists 'option'";
        assert_eq!(typed(message), expected);
        assert_eq!(typed("verb 'convert' with option 'to gcl' writes"), "'symbolon convert --to gcl' writes");
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
                let speaks = line.contains("'--") || line.contains(" --") || line.contains("'symbolon ");
                if !is_comment && line.contains('"') && speaks {
                    found.push(format!("{}:{}: {line}", path.display(), number + 1));
                }
            }
        }
    }
}
