//! Formulas in a text file: one per line, each with or without a name.
//!
//! ```text
//! # Comments begin with this sign and go to the end of the line.
//! mutual exclusion: AG !(critical_1 = 1 & critical_2 = 1)
//! EF deadlock
//! ```
//!
//! A formula without a name is called by its number among the formulas of the file: the second one
//! is `2`.

use crate::parse::{FormulaError, Parsed, parse_formula};
use crate::properties::Properties;
use rustc_hash::FxHashMap;
use symbolon_budget::{Budget, Meter};
use symbolon_source::{Findings, Property, ReadFailure, Step, Stop, decode_latin1, refuse_binary_for, shown};

/// Reads a file with one formula per line.
pub fn read_formula_file(bytes: &[u8], budget: &Budget) -> Result<Properties, ReadFailure> {
    let mut findings = Findings::default();
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if let Err(stop) =
        refuse_binary_for(bytes, "expected formulas, one `name: formula` a line", &mut findings)
    {
        return Err(findings.into_failure(stop, ""));
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        Err(_) => {
            findings.warning(None, "the file is not valid UTF-8; it is read as ISO-8859-1");
            decode_latin1(bytes).into_owned()
        }
    };
    match read_lines(&text, budget, &mut findings) {
        Ok(properties) if !findings.has_errors() => {
            let warnings = findings.into_diagnostics(&text);
            Ok(Properties { properties, text, warnings, is_contest: false })
        }
        Ok(_) => Err(findings.into_failure(Stop::Invalid, &text)),
        Err(stop) => Err(findings.into_failure(stop, &text)),
    }
}

fn read_lines(text: &str, budget: &Budget, findings: &mut Findings) -> Step<Vec<Property<Parsed>>> {
    let mut meter = Meter::new(budget.clone());
    let mut properties: Vec<Property<Parsed>> = Vec::new();
    let mut lines_by_name: FxHashMap<String, usize> = FxHashMap::default();
    let mut count = 0;
    let mut offset = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        // A formula may be long: looking at the budget costs little beside it.
        meter.step()?;
        let begin = offset;
        offset += line.len();
        let line = without_comment(line).trim_end();
        if line.is_empty() {
            continue;
        }
        count += 1;
        let (name, formula) = match name_length(line) {
            Some(length) => (line[..length].trim(), &line[length + 1..]),
            None => ("", line),
        };
        let id = if name.is_empty() { count.to_string() } else { unquoted(name) };
        if let Some(earlier) = lines_by_name.insert(id.clone(), number + 1) {
            let message = format!("a second formula has the name \"{}\"", shown(&id));
            findings.error_with_hint(begin, message, format!("the first one is in line {earlier}"))?;
        }
        let formula_begin = begin + line.len() - formula.len();
        match parse_formula(formula) {
            Ok(parsed) => {
                let formula = shifted(parsed, formula_begin);
                properties.push(Property { id, description: None, formula });
            }
            Err(errors) => {
                for error in errors {
                    note(findings, error, formula_begin)?;
                }
            }
        }
    }
    if count == 0 {
        let hint = "expected lines such as `safe: AG !deadlock`";
        findings.error_with_hint(None, "the file has no formula in it", hint)?;
    }
    Ok(properties)
}

fn note(findings: &mut Findings, error: FormulaError, offset: usize) -> Step<()> {
    let at = offset + error.span.start;
    let step = match error.hint {
        Some(hint) => findings.error_with_hint(at, error.message, hint),
        None => findings.error(at, error.message),
    };
    findings.length(error.span.end.saturating_sub(error.span.start));
    step
}

/// The line up to `#`, unless that stands in quotes.
fn without_comment(line: &str) -> &str {
    let end = outside_quotes(line).find(|&(_, c)| c == '#').map_or(line.len(), |(offset, _)| offset);
    &line[..end]
}

/// The length of the name before `:`, which cannot stand in a formula.
fn name_length(line: &str) -> Option<usize> {
    outside_quotes(line).find(|&(_, c)| c == ':').map(|(offset, _)| offset)
}

/// The characters that do not stand in quotes, nor are quotes, and where. A quote that is never
/// closed does not count.
fn outside_quotes(line: &str) -> impl Iterator<Item = (usize, char)> {
    let mut is_quoted = false;
    let mut is_escaped = false;
    line.char_indices().filter(move |&(offset, c)| {
        if is_quoted {
            match c {
                _ if is_escaped => is_escaped = false,
                '\\' => is_escaped = true,
                '"' => is_quoted = false,
                _ => {}
            }
            return false;
        }
        is_quoted = c == '"' && line[offset + 1..].contains('"');
        !is_quoted
    })
}

/// A name as people mean it when they put it in quotes.
fn unquoted(name: &str) -> String {
    let inner = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
    inner.filter(|inner| !inner.is_empty()).unwrap_or(name).to_string()
}

/// The same with spans that count from `offset` bytes earlier.
fn shifted(parsed: Parsed, offset: usize) -> Parsed {
    let spans = parsed.spans.iter().map(|span| span.shifted(offset)).collect();
    let formula = parsed.formula.map_atoms(|_, atom| {
        let mut atom = atom.clone();
        atom.names_mut().for_each(|name| name.span = name.span.shifted(offset));
        Ok::<_, std::convert::Infallible>(atom)
    });
    let Ok(formula) = formula;
    let warnings = parsed.warnings.into_iter();
    let warnings = warnings.map(|one| FormulaError { span: one.span.shifted(offset), ..one }).collect();
    Parsed { formula, spans, is_linear: parsed.is_linear, warnings }
}
