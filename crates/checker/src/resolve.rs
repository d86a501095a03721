//! Formulas as text become properties.
//!
//! A parsed formula speaks about names. [`Names`] finds the variable, event, atom, agent or group of each,
//! or reports every name that does not exist, with its place in the text and the most similar name. It also
//! chooses which paths a formula speaks about, where its source does not say.

mod names;
mod text;

pub(crate) use names::without_brackets;

use crate::automaton_property::AutomatonProperty;
use crate::error::{Error, InputError};
use crate::examination_name::Examination;
use crate::loaded::{Loaded, input_error};
use crate::property::{FormulaFile, PropertyFile};
use crate::stop::Stop;
use names::{Agents, Names};
use symbolon_automata::{NamedAutomaton, PathAutomaton};
use symbolon_budget::Budget;
use symbolon_logic::{FormulaError, Parsed, Paths, Span, read_properties};
use symbolon_petri::read::guess_format;
use symbolon_source::{Diagnostic, ReadFailure};
use text::Text;

/// The properties that stand in a program, whose text this is.
pub(crate) fn properties_of_program(
    loaded: &Loaded,
    properties: Vec<symbolon_logic::Property<Parsed>>,
    text: &str,
) -> Result<PropertyFile, Error> {
    let names = Names::new(loaded);
    let text = Text { file: Some(&loaded.name), text };
    let mut found = Vec::with_capacity(properties.len());
    let mut mistakes = Vec::new();
    let mut warnings = Vec::new();
    for one in properties {
        warnings.extend(text.warnings(&one.formula));
        match names.property(one.id, &one.formula, None, &text) {
            Ok(property) => found.push(property),
            Err(errors) => mistakes.extend(errors),
        }
    }
    if mistakes.is_empty() {
        Ok(PropertyFile { properties: found, warnings })
    } else {
        Err(Error::Input(mistakes))
    }
}

/// Formulas of the command line; `paths` overrides which paths they are about.
pub fn properties_of_texts(
    loaded: &Loaded,
    texts: &[String],
    paths: Option<Paths>,
) -> Result<PropertyFile, Error> {
    let names = Names::new(loaded);
    let mut properties = Vec::with_capacity(texts.len());
    let mut mistakes = Vec::new();
    let mut warnings = Vec::new();
    for words in texts {
        let text = Text { file: None, text: words };
        let property = match names.read(words) {
            Ok(parsed) => {
                warnings.extend(text.warnings(&parsed));
                names.property(String::new(), &parsed, paths, &text)
            }
            Err(errors) => Err(errors.iter().map(|error| text.mistake(error)).collect()),
        };
        match property {
            Ok(property) => properties.push(property),
            Err(errors) => mistakes.extend(errors),
        }
    }
    if !mistakes.is_empty() {
        return Err(Error::Input(mistakes));
    }
    Ok(PropertyFile { properties, warnings })
}

/// The automaton of a HOA file, whose propositions are formulas about states of the model; `paths`
/// overrides which runs it reads.
pub(crate) fn automaton_of_file(
    loaded: &Loaded,
    file: &FormulaFile,
    paths: Option<Paths>,
    budget: &Budget,
) -> Result<AutomatonProperty, Stop> {
    let plain = |message: &str| InputError { file: Some(file.name.clone()), ..InputError::plain(message) };
    let names = Names::new(loaded);
    let paths = match paths {
        Some(Paths::Maximal) => {
            let error = plain("an automaton reads infinite runs, and not those of option ‹paths maximal›");
            let hint =
                "use option ‹paths stutter›, where runs stay in dead states, or option ‹paths infinite›";
            return Err(error.with_hint(hint).into());
        }
        Some(paths) => paths,
        None if names.agents == Agents::Written => Paths::Infinite,
        None => Paths::Stutter,
    };
    let Ok(content) = std::str::from_utf8(&file.bytes) else {
        return Err(plain("found bytes that are not UTF-8, expected an automaton in HOA format").into());
    };
    let (read, offsets) = match NamedAutomaton::from_hoa_with_offsets(content, budget) {
        Ok(read) => read,
        Err(ReadFailure::Interrupted(why)) => return Err(why.into()),
        Err(ReadFailure::Invalid(error)) => {
            let finding = |finding| with_excerpt(&file.name, finding);
            return Err(Error::Input(error.diagnostics.iter().map(finding).collect()).into());
        }
    };
    let text = Text { file: Some(&file.name), text: content };
    let mut formulas = Vec::with_capacity(read.propositions.len());
    let mut mistakes = Vec::new();
    for (name, offset) in read.propositions.iter().zip(offsets) {
        match names.proposition(name) {
            Ok(formula) => formulas.push(formula),
            Err(errors) => mistakes
                .extend(errors.iter().map(|error| text.mistake(&inside(error, content, name, offset)))),
        }
    }
    if !mistakes.is_empty() {
        return Err(Error::Input(mistakes).into());
    }
    let automaton = PathAutomaton::new(read.automaton, &formulas);
    Ok(AutomatonProperty { file: file.name.clone(), automaton, paths })
}

/// A mistake in the name of a proposition, as one in the HOA text around it.
fn inside(error: &FormulaError, content: &str, name: &str, offset: usize) -> FormulaError {
    let begin = offset + 1;
    // With escaped characters, the name as a whole is what can be pointed to.
    let is_verbatim = content.get(begin..).is_some_and(|rest| rest.starts_with(name));
    let span = match is_verbatim {
        true => Span { start: begin + error.span.start, end: begin + error.span.end },
        false => Span { start: offset, end: begin },
    };
    FormulaError { span, ..error.clone() }
}

/// The formulas of a file; `paths` overrides what they would speak about.
pub(crate) fn properties_of_file(
    loaded: &Loaded,
    file: &FormulaFile,
    paths: Option<Paths>,
    budget: &Budget,
) -> Result<PropertyFile, Stop> {
    accepted_properties(loaded, file, paths, &|_| None, budget)
}

/// The same, where `refuse` may say what is wrong with a formula.
pub(crate) fn accepted_properties(
    loaded: &Loaded,
    file: &FormulaFile,
    paths: Option<Paths>,
    refuse: &dyn Fn(&Parsed) -> Option<FormulaError>,
    budget: &Budget,
) -> Result<PropertyFile, Stop> {
    if is_net(&file.bytes) {
        let hint = "give the model itself as MODEL, and a file with formulas as option ‹formulas›";
        let error = InputError::plain("this is a net, expected formulas").with_hint(hint);
        return Err(InputError { file: Some(file.name.clone()), ..error }.into());
    }
    let finding = |finding| with_excerpt(&file.name, finding);
    let read = match read_properties(&file.bytes, budget) {
        Ok(read) => read,
        Err(ReadFailure::Interrupted(why)) => {
            return Err(why.into());
        }
        Err(ReadFailure::Invalid(error)) => {
            return Err(Error::Input(error.diagnostics.iter().map(finding).collect()).into());
        }
    };
    let names = Names::new(loaded);
    let text = Text { file: Some(&file.name), text: &read.text };
    let mut properties = Vec::with_capacity(read.properties.len());
    let mut mistakes = Vec::new();
    let mut warnings: Vec<InputError> = read.warnings.iter().map(finding).collect();
    for mut one in read.properties {
        mistakes.extend(refuse(&one.formula).map(|error| text.mistake(&error)));
        warnings.extend(text.warnings(&one.formula));
        let usual = if read.is_contest { contest_paths(&one.id, &file.name) } else { None };
        // The quantifier of contest LTL is a matter of form, as one that the reader adds.
        one.formula.is_linear |= usual == Some(Paths::Stutter) && one.formula.quantifier_count() == 1;
        let paths = paths.or(usual);
        match names.property(one.id, &one.formula, paths, &text) {
            Ok(property) => properties.push(property),
            Err(errors) => mistakes.extend(errors),
        }
    }
    if !mistakes.is_empty() {
        return Err(Error::Input(mistakes).into());
    }
    Ok(PropertyFile { properties, warnings })
}

/// What paths a formula of the contest is about, by the examination that its id or its file is
/// named after: `AX p` of a CTL file and of an LTL file look the same and differ at dead states.
fn contest_paths(id: &str, file: &str) -> Option<Paths> {
    let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let named = |text: &str| Examination::all().find(|examination| text.contains(examination.name()));
    named(id).or_else(|| named(file)).and_then(Examination::paths)
}

/// A finding with the piece of text that it means.
fn with_excerpt(file: &str, finding: &Diagnostic) -> InputError {
    InputError { excerpt: finding.excerpt.clone(), ..input_error(file, finding) }
}

/// Whether the file is a net and not a file of formulas.
fn is_net(bytes: &[u8]) -> bool {
    const MARK: &[u8] = b"<property-set";
    let head = &bytes[..bytes.len().min(2000)];
    guess_format(bytes, None).is_some() && !head.windows(MARK.len()).any(|part| part == MARK)
}
