//! The property XML of the Model Checking Contest: reachability, CTL and LTL, about cardinality and
//! about fireability.
//!
//! ```text
//! state, path  <all-paths> <exists-path> <globally> <finally> <next> <until><before>…</before><reach>…</reach></until>
//!              <invariant> <impossibility> <possibility>
//! logic        <negation> <conjunction> <disjunction> <exclusive-disjunction> <implication> <equivalence> <true> <false>
//! atoms        <is-fireable><transition>…</transition></is-fireable>  <deadlock>
//!              <integer-le> <integer-lt> <integer-ge> <integer-gt> <integer-eq> <integer-ne>, each of two numbers
//! numbers      <integer-constant> <tokens-count><place>…</place></tokens-count>
//!              <integer-sum> <integer-difference> <integer-product>
//! ```
//!
//! Elements nest, and so do the functions here; [`Xml`] allows no more than a thousand levels. What
//! UpperBounds asks, `<place-bound>`, is not a statement and is read in `petri`.

use crate::formula::{Builder, FormulaId, Operator};
use crate::name::{Name, Span};
use crate::named_atom::NamedAtom;
use crate::parse::Parsed;
use crate::parse::sum::Sum;
use crate::properties::Properties;
use symbolon_budget::Budget;
use symbolon_model::Comparison;
use symbolon_source::{
    Findings, ReadFailure, Step, Stop, Tag, Xml, decode_xml, likely, read_property_set, shown,
};

/// Reads a property file of the contest, of any examination but UpperBounds.
pub fn read_contest_properties(bytes: &[u8], budget: &Budget) -> Result<Properties, ReadFailure> {
    let mut findings = Findings::default();
    if bytes.is_empty() {
        let stop = findings.fatal_with_hint(None, "the file is empty", "expected <property-set>");
        return Err(findings.into_failure(stop, ""));
    }
    let text = match decode_xml(bytes, &mut findings) {
        Ok(text) => text,
        Err(stop) => return Err(findings.into_failure(stop, "")),
    };
    let mut xml = Xml::new(&text, |_| true, budget, findings);
    let outcome = read_property_set(&mut xml, "<all-paths>…</all-paths>", FormulaReader::read);
    match outcome {
        Ok(properties) if !xml.findings.has_errors() => {
            let warnings = xml.findings.into_diagnostics(&text);
            Ok(Properties { properties, text: text.into_owned(), warnings, is_contest: true })
        }
        Ok(_) => Err(xml.findings.into_failure(Stop::Invalid, &text)),
        Err(stop) => Err(xml.findings.into_failure(stop, &text)),
    }
}

/// A formula in the making.
#[derive(Default)]
struct FormulaReader {
    builder: Builder<NamedAtom>,
    spans: Vec<Span>,
}

/// The elements that are formulas.
const FORMULAS: &[&str] = &[
    "all-paths",
    "exists-path",
    "globally",
    "finally",
    "next",
    "until",
    "invariant",
    "impossibility",
    "possibility",
    "negation",
    "conjunction",
    "disjunction",
    "exclusive-disjunction",
    "implication",
    "equivalence",
    "true",
    "false",
    "is-fireable",
    "deadlock",
    "integer-le",
    "integer-lt",
    "integer-ge",
    "integer-gt",
    "integer-eq",
    "integer-ne",
];

/// The elements that are numbers.
const NUMBERS: &[&str] =
    &["integer-constant", "tokens-count", "integer-sum", "integer-difference", "integer-product"];

/// `None` where something was wrong, and was said.
type Read<T> = Step<Option<T>>;

impl FormulaReader {
    fn read<'a>(xml: &mut Xml<'a>, tag: &Tag<'a>) -> Read<Parsed> {
        let mut reader = FormulaReader::default();
        let Some(root) = reader.only_operand(xml, tag)? else { return Ok(None) };
        let (formula, numbers) = reader.builder.finish_with_numbers(root);
        let mut spans = vec![Span::default(); formula.size()];
        for (span, number) in reader.spans.iter().zip(numbers) {
            if let Some(number) = number {
                spans[number.index()] = *span;
            }
        }
        Ok(Some(Parsed::new(formula, spans)))
    }

    fn add(&mut self, operator: Operator<NamedAtom>, tag: &Tag<'_>) -> FormulaId {
        let id = self.builder.add(operator);
        if id.index() == self.spans.len() {
            self.spans.push(Span::new(tag.offset, tag.offset + tag.name.len() + 2));
        }
        id
    }

    /// The formula that an element is; its start tag was read, its end tag will be.
    fn formula<'a>(&mut self, xml: &mut Xml<'a>, tag: &Tag<'a>) -> Read<FormulaId> {
        match tag.name {
            "all-paths" => self.unary(xml, tag, |_, f| Operator::ForAll(f)),
            "exists-path" => self.unary(xml, tag, |_, f| Operator::Exists(f)),
            "globally" => self.unary(xml, tag, |_, f| Operator::Globally(f)),
            "finally" => self.unary(xml, tag, |_, f| Operator::Finally(f)),
            "next" => self.unary(xml, tag, |_, f| Operator::Next(f)),
            "negation" => self.unary(xml, tag, |_, f| Operator::Not(f)),
            "invariant" => self.unary(xml, tag, |add, f| Operator::ForAll(add(Operator::Globally(f)))),
            "possibility" => self.unary(xml, tag, |add, f| Operator::Exists(add(Operator::Finally(f)))),
            "impossibility" => self.unary(xml, tag, |add, f| {
                let possible = add(Operator::Finally(f));
                Operator::Not(add(Operator::Exists(possible)))
            }),
            "until" => self.until(xml, tag),
            "conjunction" => self.list(xml, tag, usize::MAX, Operator::And),
            "disjunction" => self.list(xml, tag, usize::MAX, Operator::Or),
            "implication" => self.list(xml, tag, 2, Operator::Implies),
            "equivalence" => self.list(xml, tag, 2, Operator::Equivalent),
            "exclusive-disjunction" => {
                let same = self.list(xml, tag, 2, Operator::Equivalent)?;
                Ok(same.map(|same| self.add(Operator::Not(same), tag)))
            }
            "true" | "false" | "deadlock" => {
                xml.skip()?;
                let operator = match tag.name {
                    "true" => Operator::True,
                    "false" => Operator::False,
                    _ => Operator::Deadlock,
                };
                Ok(Some(self.add(operator, tag)))
            }
            "is-fireable" => {
                let transitions = names(xml, tag, "transition")?;
                Ok(transitions
                    .map(|transitions| self.add(Operator::Atom(NamedAtom::Fireable(transitions)), tag)))
            }
            "integer-le" => self.comparison(xml, tag, Comparison::LessOrEqual),
            "integer-lt" => self.comparison(xml, tag, Comparison::Less),
            "integer-ge" => self.comparison(xml, tag, Comparison::GreaterOrEqual),
            "integer-gt" => self.comparison(xml, tag, Comparison::Greater),
            "integer-eq" => self.comparison(xml, tag, Comparison::Equal),
            "integer-ne" => self.comparison(xml, tag, Comparison::NotEqual),
            "place-bound" => {
                let hint = "this file asks for bounds: it belongs to the examination UpperBounds";
                xml.findings.error_with_hint(
                    tag.offset,
                    "found <place-bound>, expected a statement",
                    hint,
                )?;
                xml.skip()?;
                Ok(None)
            }
            name if NUMBERS.contains(&name) => {
                let hint = "compare it: <integer-le>…</integer-le>";
                let message = format!("found the number <{name}>, expected a statement");
                xml.findings.error_with_hint(tag.offset, message, hint)?;
                xml.skip()?;
                Ok(None)
            }
            _ => {
                unknown(xml, tag, "a formula", FORMULAS)?;
                xml.skip()?;
                Ok(None)
            }
        }
    }

    /// The one formula inside an element.
    fn only_operand<'a>(&mut self, xml: &mut Xml<'a>, tag: &Tag<'a>) -> Read<FormulaId> {
        Ok(self.operands(xml, tag, 1)?.and_then(|operands| operands.first().copied()))
    }

    /// The formulas inside an element: at least one, and exactly `count` of them if that is small.
    fn operands<'a>(&mut self, xml: &mut Xml<'a>, tag: &Tag<'a>, count: usize) -> Read<Vec<FormulaId>> {
        let mut operands = Vec::new();
        let mut found = 0;
        while let Some(child) = xml.child()? {
            found += 1;
            operands.extend(self.formula(xml, &child)?);
        }
        check_count(xml, tag, "formula", found, count)?;
        Ok((operands.len() == found && found > 0).then_some(operands))
    }

    fn unary<'a>(
        &mut self,
        xml: &mut Xml<'a>,
        tag: &Tag<'a>,
        operator: impl FnOnce(&mut dyn FnMut(Operator<NamedAtom>) -> FormulaId, FormulaId) -> Operator<NamedAtom>,
    ) -> Read<FormulaId> {
        let Some(operand) = self.only_operand(xml, tag)? else { return Ok(None) };
        let operator = operator(&mut |inner| self.add(inner, tag), operand);
        Ok(Some(self.add(operator, tag)))
    }

    fn list<'a>(
        &mut self,
        xml: &mut Xml<'a>,
        tag: &Tag<'a>,
        count: usize,
        operator: fn(FormulaId, FormulaId) -> Operator<NamedAtom>,
    ) -> Read<FormulaId> {
        let Some(operands) = self.operands(xml, tag, count)? else { return Ok(None) };
        Ok(operands.into_iter().reduce(|left, right| self.add(operator(left, right), tag)))
    }

    fn until<'a>(&mut self, xml: &mut Xml<'a>, tag: &Tag<'a>) -> Read<FormulaId> {
        let (mut before, mut reach) = (None, None);
        let mut is_right = true;
        while let Some(child) = xml.child()? {
            let side = match child.name {
                "before" if before.is_none() => &mut before,
                "reach" if reach.is_none() => &mut reach,
                _ => {
                    is_right = false;
                    let message =
                        format!("found <{}> in <until>, expected <before> and <reach>", child.shown());
                    xml.findings.error(child.offset, message)?;
                    xml.skip()?;
                    continue;
                }
            };
            *side = Some(self.only_operand(xml, &child)?);
        }
        match (before, reach) {
            (Some(Some(f)), Some(Some(g))) if is_right => Ok(Some(self.add(Operator::Until(f, g), tag))),
            (Some(_), Some(_)) => Ok(None),
            _ if !is_right => Ok(None),
            _ => {
                let message = "<until> lacks one of its sides, expected <before> and <reach>";
                xml.findings.error(tag.offset, message)?;
                Ok(None)
            }
        }
    }

    fn comparison<'a>(
        &mut self,
        xml: &mut Xml<'a>,
        tag: &Tag<'a>,
        comparison: Comparison,
    ) -> Read<FormulaId> {
        let Some(sides) = numbers(xml, tag, 2)? else { return Ok(None) };
        let mut sides = sides.into_iter();
        let (Some(left), Some(right)) = (sides.next(), sides.next()) else { return Ok(None) };
        let atom = NamedAtom::Compare(left.into_linear(), comparison, right.into_linear());
        Ok(Some(self.add(Operator::Atom(atom), tag)))
    }
}

/// The number that an element is.
fn number<'a>(xml: &mut Xml<'a>, tag: &Tag<'a>) -> Read<Sum> {
    let combined = match tag.name {
        "integer-constant" => {
            let (text, offset) = xml.text()?;
            return match text.trim().parse::<i64>() {
                Ok(constant) if constant != i64::MIN => Ok(Some(Sum::constant(constant))),
                _ => {
                    let message = format!("\"{}\" is not a number, or too large", shown(text.trim()));
                    xml.findings.error(offset, message)?;
                    Ok(None)
                }
            };
        }
        "tokens-count" => {
            let Some(places) = names(xml, tag, "place")? else { return Ok(None) };
            places.into_iter().map(Sum::variable).try_fold(Sum::constant(0), Sum::plus)
        }
        "integer-sum" | "integer-product" | "integer-difference" => {
            let count = if tag.name == "integer-difference" { 2 } else { usize::MAX };
            let Some(parts) = numbers(xml, tag, count)? else { return Ok(None) };
            let mut parts = parts.into_iter();
            let Some(first) = parts.next() else { return Ok(None) };
            parts.try_fold(first, |left, right| match tag.name {
                "integer-sum" => left.plus(right),
                "integer-product" => left.times(right),
                _ => left.plus(right.negated()),
            })
        }
        name if FORMULAS.contains(&name) => {
            let message = format!("found the statement <{name}>, expected a number");
            xml.findings.error(tag.offset, message)?;
            xml.skip()?;
            return Ok(None);
        }
        _ => {
            unknown(xml, tag, "a number", NUMBERS)?;
            xml.skip()?;
            return Ok(None);
        }
    };
    match combined {
        Ok(sum) => Ok(Some(sum)),
        Err(why) => {
            xml.findings.error(tag.offset, format!("<{}>: {why}", tag.name))?;
            Ok(None)
        }
    }
}

/// The numbers inside an element.
fn numbers<'a>(xml: &mut Xml<'a>, tag: &Tag<'a>, count: usize) -> Read<Vec<Sum>> {
    let mut sums = Vec::new();
    let mut found = 0;
    while let Some(child) = xml.child()? {
        found += 1;
        sums.extend(number(xml, &child)?);
    }
    check_count(xml, tag, "number", found, count)?;
    Ok((sums.len() == found && found > 0).then_some(sums))
}

/// The names inside an element, each in an element of its own.
fn names<'a>(xml: &mut Xml<'a>, tag: &Tag<'a>, expected: &'static str) -> Read<Vec<Name>> {
    let mut names = Vec::new();
    let mut is_right = true;
    while let Some(child) = xml.child()? {
        if child.name != expected {
            is_right = false;
            unknown(xml, &child, &format!("<{expected}>"), &[expected])?;
            xml.skip()?;
            continue;
        }
        let (text, offset) = xml.text()?;
        let name = text.trim();
        names.push(Name::new(name, Span::new(offset, offset + name.len())));
    }
    if names.is_empty() && is_right {
        is_right = false;
        xml.findings.error(tag.offset, format!("<{}> names no {expected}", tag.name))?;
    }
    Ok(is_right.then_some(names))
}

fn check_count(xml: &mut Xml<'_>, tag: &Tag<'_>, what: &str, found: usize, count: usize) -> Step<()> {
    if found == 0 {
        return xml.findings.error(tag.offset, format!("<{}> is empty, expected a {what} in it", tag.name));
    }
    if count != usize::MAX && found != count {
        let plural = if count == 1 { "" } else { "s" };
        let message = format!("<{}> has {found} {what}s in it, expected {count} {what}{plural}", tag.name);
        return xml.findings.error(tag.offset, message);
    }
    Ok(())
}

fn unknown(xml: &mut Xml<'_>, tag: &Tag<'_>, expected: &str, known: &[&str]) -> Step<()> {
    let message = format!("found <{}>, expected {expected}", tag.shown());
    match likely(tag.name, known.iter().copied()) {
        Some(meant) => xml.findings.error_with_hint(tag.offset, message, format!("did you mean <{meant}>?")),
        None => xml.findings.error(tag.offset, message),
    }
}
