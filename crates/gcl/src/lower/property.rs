//! Properties: formulas in the words of the program become formulas about the model.
//!
//! `symbolon-logic` reads formulas, and knows variables and events by their names in the model:
//! `fork.0`, not `fork[0]`. So the words of a formula are rewritten before it reads them: constants
//! become numbers, indices become parts of names, the name of a command in `fireable(…)` becomes
//! the names of its events, and `forall`, `exists` and `sum` are written out. For each piece of the
//! new text we remember where it came from, so that messages point into the old one.

use super::scope::{Around, Meaning, Scope};
use super::{Lowering, copy_name};
use crate::mistakes::{Broken, Made, Mistakes, unless_stopped};
use crate::parse::{formula_words, parse_snippet};
use crate::tree::{At, ExprKind, FormulaWord, Item, Program};
use rustc_hash::FxHashMap;
use std::convert::Infallible;
use std::sync::Arc;
use symbolon_budget::Budget;
use symbolon_logic::{FormulaError, LinearExpr, Name, NamedAtom, Parsed, Property, Span, parse_formula};
use symbolon_model::Values;
use symbolon_source::Unquoted;
use symbolon_source::{Diagnostic, Step, Stop, shown};

/// A formula may become so long.
const LONGEST: usize = 2_000_000;

/// The new text, and where its pieces stood.
#[derive(Default)]
struct Rewritten {
    text: String,
    /// Offsets in the new text, ascending, and what stood there: offset and length.
    pieces: Vec<(usize, usize, usize)>,
}

impl Rewritten {
    fn push(&mut self, piece: &str, word: &FormulaWord) {
        self.pieces.push((self.text.len(), word.at.0, word.text.len()));
        self.text.push_str(piece);
    }

    /// Where a piece of the new text stood.
    fn origin(&self, span: Span) -> Span {
        let piece = |offset: usize| {
            let behind = self.pieces.partition_point(|&(begin, _, _)| begin <= offset);
            behind.checked_sub(1).map(|index| self.pieces[index])
        };
        let first = piece(span.start).map_or(0, |(_, at, _)| at);
        let last =
            piece(span.end.saturating_sub(1).max(span.start)).map_or(first, |(_, at, length)| at + length);
        Span::new(first, last.max(first))
    }
}

/// What the names of a program mean, so that formulas from elsewhere can be read as its own
/// properties are.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    pub(super) scope: Scope,
    pub(super) values: Arc<Vec<Values>>,
    pub(super) events_by_command: FxHashMap<String, Vec<String>>,
}

impl Vocabulary {
    /// Reads a formula in the words of the program; `None` if it has signs that programs have not, or
    /// an interruption.
    pub fn formula(&self, text: &str, budget: &Budget) -> Option<Result<Parsed, Vec<FormulaError>>> {
        let words = formula_words(text)?;
        let mut mistakes = Mistakes::default();
        let mut lowering = Lowering::new(&mut mistakes, budget);
        lowering.scope = self.scope.clone();
        lowering.values = Arc::clone(&self.values);
        lowering.events_by_command = self.events_by_command.clone();
        let mut rewritten = Rewritten::default();
        let made = lowering.rewrite(&words, &Around::default(), &mut rewritten);
        match made {
            Err(Broken::Stopped(Stop::Interrupted(_))) => return None,
            Err(_) => return Some(Err(noted(mistakes, text))),
            Ok(()) => {}
        }
        let moved_error = |error: FormulaError| FormulaError { span: rewritten.origin(error.span), ..error };
        Some(match parse_formula(&rewritten.text) {
            Ok(parsed) => Ok(moved(parsed, &rewritten)),
            Err(errors) => Err(errors.into_iter().map(moved_error).collect()),
        })
    }
}

/// The mistakes as those of a formula.
fn noted(mistakes: Mistakes, text: &str) -> Vec<FormulaError> {
    let findings = mistakes.into_findings().into_diagnostics(text);
    let error = |finding: Diagnostic| {
        let start = finding.column.map_or(0, |column| offset_of_column(text, column));
        let error = FormulaError::new(Span::new(start, text.len().min(start + 1)), finding.message);
        match finding.hint {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    };
    findings.into_iter().map(error).collect()
}

/// Where a column of a one-line text begins.
fn offset_of_column(text: &str, column: u32) -> usize {
    text.char_indices().nth(column.saturating_sub(1) as usize).map_or(text.len(), |(offset, _)| offset)
}

impl Lowering<'_> {
    /// All properties of the program.
    pub(super) fn properties(&mut self, program: &Program) -> Step<Vec<Property<Parsed>>> {
        let mut properties: Vec<Property<Parsed>> = Vec::new();
        let mut names = rustc_hash::FxHashSet::default();
        for item in &program.items {
            let Item::Property(property) = item else { continue };
            let name = &property.name;
            if !names.insert(name.text.clone()) {
                let message = format!("there is another property '{}' before this one", shown(&name.text));
                self.mistakes.error(name.at.0, message, None)?;
            }
            let mut rewritten = Rewritten::default();
            let made = self.rewrite(&property.words, &Around::default(), &mut rewritten);
            if unless_stopped(made)?.is_none() {
                continue;
            }
            match parse_formula(&rewritten.text) {
                Ok(parsed) => {
                    let formula = moved(parsed, &rewritten);
                    properties.push(Property { id: name.text.clone(), description: None, formula });
                }
                Err(errors) => {
                    for error in errors {
                        self.mistakes.error(rewritten.origin(error.span).start, error.message, error.hint)?;
                    }
                }
            }
        }
        Ok(properties)
    }

    fn rewrite(&mut self, words: &[FormulaWord], around: &Around, out: &mut Rewritten) -> Made<()> {
        let mut next = 0;
        while let Some(word) = words.get(next) {
            self.charge(1, word.at.0)?;
            if out.text.len() > LONGEST {
                return self.mistakes.broken(word.at.0, "this formula becomes too long", None);
            }
            if !word.is_glued && !out.text.is_empty() {
                out.text.push(' ');
            }
            let text = word.text.as_str();
            let is_operand =
                |offset: usize, sign: &str| words.get(next + offset).is_some_and(|w| w.text == sign);
            next = match text {
                "forall" | "exists" | "sum" if !is_operand(1, "(") => {
                    self.write_out(words, next, around, out)?
                }
                "fireable" if is_operand(1, "(") => self.events(words, next, around, out)?,
                _ if begins_name(text) => self.name_in_formula(words, next, around, out)?,
                _ => {
                    out.push(text, word);
                    next + 1
                }
            };
        }
        Ok(())
    }

    /// `forall i in a..b (body)`, from `start` on; the answer is where it ends.
    fn write_out(
        &mut self,
        words: &[FormulaWord],
        start: usize,
        around: &Around,
        out: &mut Rewritten,
    ) -> Made<usize> {
        let word = &words[start];
        let hint = || Some(format!("write {0} i in 0..3 (…), or {0} i in 0..3, j in 0..i (…)", word.text));
        let Some(open) = (start..words.len()).find(|&index| words[index].text == "(" && index > start + 1)
        else {
            return self.mistakes.broken(word.at.0, format!("expected `(` after `{}`", word.text), hint());
        };
        let Some(close) = closing(words, open) else {
            return self.mistakes.broken(words[open].at.0, "this bracket is never closed", None);
        };
        let mut binders = Vec::new();
        for piece in between_commas(&words[start + 1..open]) {
            let snippet = format!("forall {} (true)", joined(piece));
            let Some(ExprKind::Quantified(_, binder, _)) =
                parse_snippet(&snippet, &self.meter).map(|e| e.kind)
            else {
                let message = match binders.len() {
                    0 => format!("`{}` is not followed by a name and its values", word.text),
                    _ => format!(
                        "found `{}` after a comma, expected a name and its values",
                        shown(&joined(piece))
                    ),
                };
                let at = piece.first().unwrap_or(word).at.0;
                return self.mistakes.broken(at, message, hint());
            };
            binders.push(binder);
        }
        let mut inner = Mistakes::default();
        std::mem::swap(self.mistakes, &mut inner);
        let copies = self.each(&binders, around);
        std::mem::swap(self.mistakes, &mut inner);
        let copies = match copies {
            Ok(copies) => copies,
            Err(Broken::Stopped(stop)) => return Err(stop.into()),
            Err(Broken::Noted) => {
                return self.mistakes.broken(word.at.0, "the ends of this range are not numbers", None);
            }
        };
        let (sign, none) = match word.text.as_str() {
            "forall" => (" & ", "true"),
            "exists" => (" | ", "false"),
            _ => (" + ", "0"),
        };
        out.push("(", word);
        for (number, around) in copies.iter().enumerate() {
            out.push(if number == 0 { "(" } else { sign }, word);
            if number > 0 {
                out.push("(", word);
            }
            self.rewrite(&words[open + 1..close], around, out)?;
            out.push(")", word);
        }
        out.push(if copies.is_empty() { none } else { "" }, word);
        out.push(")", word);
        Ok(close + 1)
    }

    /// `fireable(a, b)`, from `start` on; the answer is where it ends.
    fn events(
        &mut self,
        words: &[FormulaWord],
        start: usize,
        around: &Around,
        out: &mut Rewritten,
    ) -> Made<usize> {
        let Some(close) = closing(words, start + 1) else {
            return self.mistakes.broken(words[start].at.0, "this bracket is never closed", None);
        };
        let mut pieces = Rewritten::default();
        self.rewrite(&words[start + 2..close], around, &mut pieces)?;
        out.push("fireable(", &words[start]);
        let mut offset = 0;
        for (number, piece) in pieces.text.split(',').enumerate() {
            let position = offset + piece.len() - piece.trim_start().len();
            offset += piece.len() + 1;
            let name = piece.trim();
            let plain = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
            let events = self.events_by_command.get(plain);
            let word = words.get(start + 2).unwrap_or(&words[start]);
            let at = At(pieces.origin(Span::new(position, position)).start);
            let word = FormulaWord { at, ..word.clone() };
            out.push(if number == 0 { "" } else { ", " }, &word);
            match events {
                Some(events) if !events.is_empty() => {
                    let quoted: Vec<String> =
                        events.iter().map(|event| Name::from(event.as_str()).to_string()).collect();
                    out.push(&quoted.join(", "), &word);
                }
                Some(_) => {
                    return self.mistakes.broken(
                        word.at.0,
                        format!("'{}' never happens", shown(plain)),
                        None,
                    );
                }
                None => out.push(name, &word),
            }
        }
        out.push(")", &words[close]);
        Ok(close + 1)
    }

    /// A name with indices and parts, or a constant; the answer is where it ends.
    fn name_in_formula(
        &mut self,
        words: &[FormulaWord],
        start: usize,
        around: &Around,
        out: &mut Rewritten,
    ) -> Made<usize> {
        let word = &words[start];
        let plain = unquoted(&word.text);
        if let Some(number) = around.bound(&plain) {
            out.push(&number.to_string(), word);
            return Ok(start + 1);
        }
        let is_indexed = words.get(start + 1).is_some_and(|next| next.text == "[" || next.text == ".");
        let meaning = self.scope.meanings.get(&plain);
        let known_command = self.events_by_command.contains_key(&plain);
        let simple = match meaning {
            Some(Meaning::Number(number)) => Some(number.to_string()),
            Some(Meaning::Truth(truth)) => Some(truth.to_string()),
            Some(Meaning::Process(_)) | Some(Meaning::Variable(_)) => None,
            Some(Meaning::Enumeration(_)) => Some(word.text.clone()),
            None => (!known_command).then(|| word.text.clone()),
        };
        if let Some(simple) = simple {
            out.push(&simple, word);
            return Ok(start + 1);
        }
        if !is_indexed {
            out.push(&Name::from(plain.as_str()).to_string(), word);
            return Ok(start + 1);
        }
        // Each index is a number that is constant; so `x[2]` is `x.2`, and `p[1].x` is
        // `p.1.x`.
        let mut name = plain.clone();
        let mut next = start + 1;
        while let Some(sign) = words.get(next) {
            match sign.text.as_str() {
                "[" => {
                    let Some(close) = closing(words, next) else {
                        return self.mistakes.broken(sign.at.0, "this bracket is never closed", None);
                    };
                    let index = self.index_in_formula(&words[next + 1..close], around, sign)?;
                    name = copy_name(&name, Some(index), 0);
                    next = close + 1;
                }
                "." => {
                    match words.get(next + 1).filter(|part| begins_name(&part.text) || is_number(&part.text))
                    {
                        Some(part) => {
                            name = format!("{name}.{}", unquoted(&part.text));
                            next += 2;
                        }
                        None => break,
                    }
                }
                _ => break,
            }
        }
        out.push(&Name::from(name.as_str()).to_string(), word);
        Ok(next)
    }

    fn index_in_formula(&mut self, words: &[FormulaWord], around: &Around, sign: &FormulaWord) -> Made<i64> {
        let text = joined(words);
        if let Some(tree) = parse_snippet(&text, &self.meter) {
            let mut inner = Mistakes::default();
            std::mem::swap(self.mistakes, &mut inner);
            let found = self.constant(&tree, around);
            std::mem::swap(self.mistakes, &mut inner);
            match found {
                Ok(number) => return Ok(number),
                Err(Broken::Stopped(stop)) => return Err(stop.into()),
                Err(Broken::Noted) => {}
            }
        }
        let hint = Some("in a property an index is made of numbers, constants and bound names".to_string());
        self.mistakes.broken(sign.at.0, format!("`{}` is not a number", shown(&text)), hint)
    }
}

/// The bracket that closes the one at `open`.
fn closing(words: &[FormulaWord], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, word) in words.iter().enumerate().skip(open) {
        match word.text.as_str() {
            "(" | "[" => depth += 1,
            ")" | "]" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index);
                }
            }
            _ => {}
        }
    }
    None
}

/// The pieces between commas that stand in no brackets.
fn between_commas(words: &[FormulaWord]) -> Vec<&[FormulaWord]> {
    let mut depth = 0_i32;
    let separates = |word: &FormulaWord| {
        match word.text.as_str() {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            _ => {}
        }
        depth == 0 && word.text == ","
    };
    words.split(separates).collect()
}

fn joined(words: &[FormulaWord]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn begins_name(text: &str) -> bool {
    text.starts_with('"') || text.chars().next().is_some_and(symbolon_source::begins_name)
}

fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A name without its quotes.
fn unquoted(text: &str) -> String {
    if text.starts_with('"') { Unquoted::read(text, false).name } else { text.to_string() }
}

/// The formula with spans of the program's text.
fn moved(parsed: Parsed, rewritten: &Rewritten) -> Parsed {
    let spans = parsed.spans.iter().map(|span| rewritten.origin(*span)).collect();
    let name = |name: &Name| Name::new(name.text.clone(), rewritten.origin(name.span));
    let sum = |sum: &LinearExpr| LinearExpr {
        terms: sum.terms.iter().map(|(factor, term)| (*factor, name(term))).collect(),
        constant: sum.constant,
    };
    let formula = parsed.formula.map_atoms(|_, atom| {
        Ok::<_, Infallible>(match atom {
            NamedAtom::Named(alone) => NamedAtom::Named(name(alone)),
            NamedAtom::Compare(left, comparison, right) => {
                NamedAtom::Compare(sum(left), *comparison, sum(right))
            }
            NamedAtom::Fireable(events) => NamedAtom::Fireable(events.iter().map(name).collect()),
        })
    });
    let Ok(formula) = formula;
    let warnings = parsed.warnings.into_iter();
    let warnings = warnings.map(|one| FormulaError { span: rewritten.origin(one.span), ..one }).collect();
    Parsed { formula, spans, is_linear: parsed.is_linear, warnings }
}
