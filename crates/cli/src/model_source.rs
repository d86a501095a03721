//! From the word MODEL to a source: a file, standard input, or a built-in family.

use crate::failure::Failure;
use crate::numbers::counted;
use crate::packed::unpack;
use crate::session::Session;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, IsTerminal, Read};
use std::path::Path;
use symbolon_checker::{
    CommandExample, CommandFamily, Format, FormulaFile, InputError, Override, Source, Stop, agent_families,
    coloured_families, command_examples, command_families, did_you_mean, families, near_names,
};

/// How standard input is called in messages.
pub(crate) const STANDARD_INPUT: &str = "<stdin>";

/// Finds out what MODEL means, and reads it if it is a file. A file wins over a family.
pub(crate) fn find_source(session: &Session, model: &OsStr, format: Option<Format>) -> Result<Source, Stop> {
    if model == "-" {
        let bytes = read_standard_input(session, "a model")?;
        return as_source(session, bytes, STANDARD_INPUT.to_string(), format);
    }
    let path = Path::new(model);
    match fs::metadata(path) {
        Ok(_) => read_file(session, path, format),
        Err(error) => match model.to_str().filter(|text| names_a_family(text)) {
            Some(text) => Ok(match command_example(text) {
                Some(example) => example_source(session, example, text)?,
                None => match command_family(text) {
                    Some(family) => program_source(session, family, text)?,
                    None => Source::Family(text.to_string()),
                },
            }),
            None if error.kind() == ErrorKind::NotFound => Err(not_found(path).into()),
            None => Err(unreadable(path, &error).into()),
        },
    }
}

/// Whether a word means a model: there is such a file, or such a family.
pub(crate) fn is_model(word: &str) -> bool {
    Path::new(word).is_file() || names_a_family(word)
}

/// Reads a file as a source.
pub(crate) fn read_file(session: &Session, path: &Path, format: Option<Format>) -> Result<Source, Stop> {
    let name = path.display().to_string();
    let bytes = read_bytes(session, path)?;
    as_source(session, bytes, name, format)
}

/// Reads the bytes of a file.
pub(crate) fn read_bytes(session: &Session, path: &Path) -> Result<Vec<u8>, Stop> {
    if path.is_dir() {
        let inside = path.join("model.pnml");
        let hint = if inside.is_file() {
            format!("did you mean '{}'?", inside.display())
        } else {
            "give a file in it".to_string()
        };
        return Err(in_file(path, "this is a folder, expected a file").with_hint(hint).into());
    }
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    read_all(session, file, &path.display().to_string())
}

/// Reads standard input to its end; at a terminal, a prompt says that `what` is expected.
fn read_standard_input(session: &Session, what: &str) -> Result<Vec<u8>, Stop> {
    if io::stdin().is_terminal() {
        session.console.note(&format!("reading {what} from the keyboard; Ctrl-D ends it\n"));
    }
    read_all(session, io::stdin().lock(), STANDARD_INPUT)
}

/// Reads a file of formulas, or standard input if it is called `-`; either may be packed.
pub(crate) fn read_formulas(session: &Session, path: &Path) -> Result<FormulaFile, Stop> {
    let (name, bytes) = match path.as_os_str() == "-" {
        true => (STANDARD_INPUT.to_string(), read_standard_input(session, "formulas")?),
        false => (path.display().to_string(), read_bytes(session, path)?),
    };
    let bytes = unpack(session, bytes, &name)?;
    Ok(FormulaFile { name, bytes })
}

/// Reads to the end, within the limits.
fn read_all(session: &Session, mut reader: impl Read, name: &str) -> Result<Vec<u8>, Stop> {
    const PIECE: u64 = 1 << 20;
    let mut bytes = Vec::new();
    loop {
        if let Err(why) = session.budget.check_room_for(PIECE) {
            return Err(session.interrupted(why).into());
        }
        match reader.by_ref().take(PIECE).read_to_end(&mut bytes) {
            Ok(0) => return Ok(bytes),
            Ok(_) => {}
            Err(error) => return Err(unreadable(Path::new(name), &error).into()),
        }
    }
}

fn as_source(
    session: &Session,
    bytes: Vec<u8>,
    name: String,
    format: Option<Format>,
) -> Result<Source, Stop> {
    let bytes = unpack(session, bytes, &name)?;
    Ok(Source::Bytes { name, bytes, format, parameters: session.parameters.clone() })
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let why = match error.kind() {
        ErrorKind::PermissionDenied => "permission denied".to_string(),
        ErrorKind::NotFound => "no such file".to_string(),
        _ => error.to_string(),
    };
    let mut problem = in_file(path, &format!("cannot read this file: {why}"));
    if error.kind() == ErrorKind::NotFound {
        problem.hint = did_you_mean(&near_files(path));
    }
    Failure(vec![problem])
}

fn in_file(path: &Path, message: &str) -> InputError {
    let mut error = InputError::plain(message);
    error.file = Some(path.display().to_string());
    error
}

/// The part of `kanban:5` before the colon.
fn family_part(text: &str) -> &str {
    text.split_once(':').map_or(text, |(name, _)| name).trim()
}

/// The names of all families, of nets, of coloured nets, of agents and of guarded commands.
pub(crate) fn family_names() -> impl Iterator<Item = &'static str> {
    let nets = families().iter().map(|family| family.name);
    let agents = agent_families().iter().map(|family| family.name);
    let coloured = coloured_families().iter().map(|family| family.name);
    let programs = command_families().iter().map(|family| family.name);
    let examples = command_examples().iter().map(|example| example.name);
    nets.chain(coloured).chain(agents).chain(programs).chain(examples)
}

/// The built-in program of guarded commands that a word such as `gated-queue:5` calls.
pub(crate) fn command_example(text: &str) -> Option<&'static CommandExample> {
    command_examples().iter().find(|example| example.name == family_part(text))
}

/// The family of programs that a word such as `tree-channels:8,4` calls.
fn command_family(text: &str) -> Option<&'static CommandFamily> {
    command_families().iter().find(|family| family.name == family_part(text))
}

/// A program that is written for the numbers behind its name.
fn program_source(session: &Session, family: &CommandFamily, text: &str) -> Result<Source, Failure> {
    let numbers = text.split_once(':').map_or("", |(_, numbers)| numbers);
    let program = family.generate(numbers).map_err(|error| {
        let names: Vec<&str> = family.parameters.iter().map(|parameter| parameter.name).collect();
        let call = format!("{}:{}", family.name, names.join(","));
        Failure::with_hint(error.to_string(), Some(format!("it is called as '{call}'")))
    })?;
    let (name, bytes) = (text.to_string(), program.into_bytes());
    Ok(Source::Bytes { name, bytes, format: Some(Format::Gcl), parameters: session.parameters.clone() })
}

/// A built-in program, with the values behind its name for its parameters; those of `--param` come
/// later and win.
fn example_source(session: &Session, example: &CommandExample, text: &str) -> Result<Source, Failure> {
    let values = text.split_once(':').map_or("", |(_, values)| values.trim());
    let values: Vec<&str> = values.split(',').map(str::trim).filter(|value| !value.is_empty()).collect();
    let wrong = |message: String| {
        let names = example.parameters.join(",");
        let call =
            if names.is_empty() { example.name.to_string() } else { format!("{}:{names}", example.name) };
        Failure::with_hint(message, Some(format!("it is called as '{call}'")))
    };
    if values.len() > example.parameters.len() {
        return Err(wrong(format!(
            "'{}' takes {}, but {} were given",
            example.name,
            counted(example.parameters.len() as u64, "parameter"),
            values.len()
        )));
    }
    let mut parameters = Vec::new();
    for (name, value) in example.parameters.iter().zip(values) {
        let is_whole = value.bytes().all(|byte| byte.is_ascii_digit());
        let value = value.parse().map_err(|_| match is_whole {
            true => wrong(format!("{value} is too large for {name}; the largest number is {}", i64::MAX)),
            false => wrong(format!("found '{value}', expected a number for {name}")),
        })?;
        parameters.push(Override { name: (*name).to_string(), value });
    }
    let given = |name: &str| session.parameters.iter().any(|later| later.name == name);
    parameters.retain(|earlier| !given(&earlier.name));
    parameters.extend(session.parameters.iter().cloned());
    let (name, bytes) = (text.to_string(), example.text.as_bytes().to_vec());
    Ok(Source::Bytes { name, bytes, format: Some(Format::Gcl), parameters })
}

fn names_a_family(text: &str) -> bool {
    family_names().any(|name| name == family_part(text))
}

/// Whether a word was probably meant as a path.
fn looks_like_path(path: &Path) -> bool {
    path.extension().is_some() || path.components().count() > 1 || path.has_root()
}

fn not_found(path: &Path) -> Failure {
    let text = path.to_string_lossy();
    let mut near = Vec::new();
    if !looks_like_path(path) {
        let parameters = &text[text.find(':').unwrap_or(text.len())..];
        let names = near_names(family_part(&text), family_names());
        near = names.into_iter().map(|name| format!("{name}{parameters}")).collect();
    }
    near.extend(near_files(path));
    let message = if looks_like_path(path) {
        format!("there is no file '{text}'")
    } else {
        format!("'{text}' is neither a file nor a built-in family")
    };
    let hint = did_you_mean(&near).or_else(|| {
        (!looks_like_path(path)).then(|| "'symbolon models' lists the built-in families".to_string())
    });
    Failure::with_hint(message, hint)
}

/// Files beside a path that does not exist, with nearly its name.
fn near_files(path: &Path) -> Vec<String> {
    const MOST_FILES: usize = 10_000;
    let Some(name) = path.file_name() else { return Vec::new() };
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let Ok(entries) = fs::read_dir(folder.unwrap_or(Path::new("."))) else { return Vec::new() };
    let names: Vec<String> = entries
        .take(MOST_FILES)
        .filter_map(|entry| entry.ok().filter(|entry| entry.path().is_file())?.file_name().into_string().ok())
        .collect();
    let near = near_names(&name.to_string_lossy(), names.iter().map(String::as_str));
    let beside =
        |name: &str| folder.map_or(name.to_string(), |folder| folder.join(name).display().to_string());
    near.into_iter().map(beside).collect()
}
