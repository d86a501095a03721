//! Saved traces: plain text, one step per line, so that people can read, write and compare them. A
//! step is the name of a transition, or what agents do together; a first line `start …` says where
//! a run of agents begins.
//!
//! ```text
//! # symbolon trace
//! # model: philosophers:3
//! FF1a_1
//! "a name with # in it"
//! ```
//!
//! Empty lines and what follows a `#` (at the beginning of a line, or behind a space) are comments.
//! A name is quoted where it would not come back as it was. What is read may also be the JSON of
//! `symbolon deadlock --json`, of `symbolon simulate --json` or of `symbolon check --json`: the
//! events of its witness, in the last case of the first property that has one with steps.

use crate::answer::Detail;
use crate::failure::Failure;
use crate::numbers::counted;
use crate::output_file::write_file;
use crate::quotes::{quoted, unquoted};
use crate::session::Session;
use crate::table::printable;
use serde_json::Value;
use std::path::Path;
use symbolon_checker::InputError;

/// How the line with the model's name begins.
const MODEL_LINE: &str = "# model: ";

/// A trace that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SavedTrace {
    /// The model that it was saved from, if the file names one.
    pub(crate) model: Option<String>,
    /// The transitions.
    pub(crate) events: Vec<String>,
    /// The line of each transition, where lines mean something.
    pub(crate) lines: Vec<u32>,
}

/// Writes a trace of the session's model to a file, and says so.
pub(crate) fn save<'a>(
    session: &Session,
    path: &Path,
    lines: impl Iterator<Item = &'a str>,
    length: usize,
) -> Result<(), Failure> {
    let text = to_text(session.model.as_deref().unwrap_or_default(), lines);
    write_file(path, &text)?;
    if !session.json && session.detail != Detail::Quiet {
        let (steps, path) = (counted(length as u64, "step"), path.display().to_string());
        session.console.note(&format!("saved {steps} to '{}'\n", printable(&path)));
    }
    Ok(())
}

/// A trace as text.
fn to_text<'a>(model: &str, events: impl Iterator<Item = &'a str>) -> String {
    // The name of a model may contain anything that a path may.
    let model = model.replace(char::is_control, " ");
    let mut text = format!("# symbolon trace\n{MODEL_LINE}{model}\n");
    for event in events {
        if needs_quotes(event) {
            text.push_str(&quoted(event));
        } else {
            text.push_str(event);
        }
        text.push('\n');
    }
    text
}

fn needs_quotes(name: &str) -> bool {
    name.is_empty()
        || name.trim() != name
        || name.starts_with(['"', '{', '\u{feff}'])
        || name.contains(|character: char| {
            character == '#' || character.is_control() || "\u{2028}\u{2029}".contains(character)
        })
}

/// Reads a trace, or says what is wrong.
pub(crate) fn read(bytes: &[u8], file: &str) -> Result<SavedTrace, InputError> {
    let in_file = |message: String, line: Option<u32>| {
        let mut error = InputError::plain(message);
        error.file = Some(file.to_string());
        error.line = line;
        error
    };
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(in_file("this is not a saved trace (not UTF-8)".to_string(), None));
    };
    if text.trim_start().starts_with('{') {
        return from_json(text).map_err(|message| {
            in_file(message, None).with_hint("'symbolon deadlock MODEL --json' prints what can be replayed")
        });
    }
    // A joint action begins with a bracket, too: `<toss; wait>`.
    if ["<?", "<!", "<pnml"].iter().any(|start| text.trim_start().starts_with(start)) {
        return Err(in_file("this looks like a model, expected a saved trace".to_string(), None)
            .with_hint("a trace has one transition per line"));
    }
    let mut trace = SavedTrace { model: None, events: Vec::new(), lines: Vec::new() };
    for (line, number) in text.lines().zip(1..) {
        if let Some(model) = line.strip_prefix(MODEL_LINE) {
            trace.model.get_or_insert(model.trim().to_string());
        }
        let event = event_of(line.trim())
            .map_err(|message| in_file(message, Some(number)).with_hint("one transition per line"))?;
        if let Some(event) = event {
            trace.events.push(event);
            trace.lines.push(number);
        }
    }
    Ok(trace)
}

/// The name on a line, if there is one.
fn event_of(line: &str) -> Result<Option<String>, String> {
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    if line.starts_with('"') {
        let Some((name, rest)) = unquoted(line) else {
            return Err("the quoted name does not end, or has an unknown escape".to_string());
        };
        return match rest.trim_start() {
            "" => Ok(Some(name)),
            rest if rest.starts_with('#') => Ok(Some(name)),
            rest => Err(format!("found '{rest}' behind the closing quote")),
        };
    }
    let comment = line.match_indices('#').find(|(index, _)| line[..*index].ends_with(char::is_whitespace));
    Ok(Some(line[..comment.map_or(line.len(), |(index, _)| index)].trim_end().to_string()))
}

/// The events of a report's witness.
fn from_json(text: &str) -> Result<SavedTrace, String> {
    let report: Value = serde_json::from_str(text)
        .map_err(|error| format!("this is neither a saved trace nor a report as JSON: {error}"))?;
    let Some((witness, steps)) = run_in_report(&report) else {
        return Err("this report has no trace: it has no witness".to_string());
    };
    // Agents act all at once, and the initial state may be given, too.
    let is_joint = steps.iter().any(|step| step["event"].is_object());
    let start = is_joint.then(|| start_of(&witness["initial"])).flatten();
    let events = start.into_iter().map(Some).chain(steps.iter().map(|step| event_in_json(&step["event"])));
    let events: Option<Vec<String>> = events.collect();
    Ok(SavedTrace {
        model: report["model"].as_str().map(String::from),
        events: events.ok_or("the steps of this witness are not named")?,
        lines: Vec::new(),
    })
}

/// The witness of a report, or of its first property that has one with steps; one without steps if
/// there is no other.
fn run_in_report(report: &Value) -> Option<(&Value, &Vec<Value>)> {
    let properties = report["properties"].as_array().map_or(&[][..], Vec::as_slice);
    let witnesses = || {
        let of_properties = properties.iter().map(|property| &property["witness"]);
        let all = std::iter::once(&report["witness"]).chain(of_properties);
        all.filter_map(|witness| Some((witness, witness["steps"].as_array()?)))
    };
    witnesses().find(|(_, steps)| !steps.is_empty()).or_else(|| witnesses().next())
}

/// An event by its name, or what each agent does: `Agent.action Other.action`.
fn event_in_json(event: &Value) -> Option<String> {
    match event {
        Value::String(name) => Some(name.clone()),
        Value::Object(actions) => {
            let words = actions.iter().map(|(agent, action)| Some(format!("{agent}.{}", action.as_str()?)));
            Some(words.collect::<Option<Vec<_>>>()?.join(" "))
        }
        _ => None,
    }
}

/// Where a run begins, as `start Agent.variable=value …`.
fn start_of(initial: &Value) -> Option<String> {
    let values = initial.as_object()?.iter().map(|(name, value)| match value {
        Value::String(word) => format!("{name}={word}"),
        other => format!("{name}={other}"),
    });
    Some(format!("start {}", values.collect::<Vec<_>>().join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_saved_comes_back() {
        let names = [
            "t1",
            "a b",
            " a ",
            "",
            "#1",
            "a#b",
            "a #b",
            "\"",
            "\\",
            "{",
            "x\ny\r",
            "é→",
            "\u{feff}t",
            "\u{2028}",
            "\u{a0}t",
        ];
        let text = to_text("a\nmodel", names.iter().copied());
        assert_eq!(text.lines().count(), names.len() + 2, "{text}");
        for text in [text.clone(), text.replace('\n', "\r\n"), format!("\u{feff}{text}")] {
            let trace = read(text.as_bytes(), "f").expect("a trace");
            assert_eq!(trace.events, names);
            assert_eq!(trace.lines[0], 3);
            assert_eq!(trace.model.as_deref(), Some("a model"));
        }
    }

    #[test]
    fn people_may_write_traces_too() {
        let check = |text: &str, expected: Result<&[&str], &str>| match (read(text.as_bytes(), "f"), expected)
        {
            (Ok(trace), Ok(events)) => assert_eq!(trace.events, events, "{text}"),
            (Err(error), Err(says)) => assert!(error.message.contains(says), "{text}: {}", error.message),
            (other, _) => panic!("{text}: {other:?}"),
        };
        check("", Ok(&[]));
        check("\n  t1  \n\n# remark\nt2 # another\na#b", Ok(&["t1", "t2", "a#b"]));
        check("\"t 1\"#x\n\"u\" # y", Ok(&["t 1", "u"]));
        check("\"t", Err("does not end"));
        check("\"t\" u", Err("found 'u'"));
        check("<pnml/>", Err("looks like a model"));
        check("<?xml version=\"1.0\"?>\n<pnml/>", Err("looks like a model"));
        check("<toss; wait> /2\n<none; wait>", Ok(&["<toss; wait> /2", "<none; wait>"]));
        check("{", Err("neither a saved trace nor"));
        check("{\"witness\":null}", Err("no witness"));
        check("{\"witness\":{\"steps\":[{\"event\":{\"a\":1}}]}}", Err("are not named"));
        check(
            "{\"witness\":{\"initial\":{\"a.x\":true},\"steps\":[{\"event\":{\"a\":\"b\",\"c\":\"d\"}}]}}",
            Ok(&["start a.x=true", "a.b c.d"]),
        );
        check("{\"witness\":{\"steps\":[{\"event\":\"t\"}]}}", Ok(&["t"]));
        check(
            "{\"properties\":[{\"witness\":null},{\"witness\":{\"steps\":[]}},{\"witness\":{\"steps\":[{\"event\":\"t\"}]}}]}",
            Ok(&["t"]),
        );
        check("{\"properties\":[{\"witness\":{\"steps\":[]}}]}", Ok(&[]));
        check("{\"properties\":[{\"witness\":null}]}", Err("no witness"));
        assert!(read(b"\xff\xfe", "f").is_err());
    }
}
