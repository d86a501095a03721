//! Terms of arcs and initial markings.
//!
//! A term is read against the domain that it must have. A tuple is a product of multisets: sums,
//! parts and `all` may stand in it, and nested tuples are flat.

use super::declarations::{Declared, Operator};
use super::element::Element;
use crate::class::Members;
use crate::domain::Domain;
use crate::ids::ClassId;
use crate::term::{MemberTerm, MultisetTerm};
use symbolon_petri::net::LARGEST_COUNT;
use symbolon_source::{Step, shown};

/// The operators that can stand in a term.
const OPERATORS: &[&str] = &[
    "numberof",
    "scalarproduct",
    "add",
    "subtract",
    "all",
    "empty",
    "tuple",
    "variable",
    "useroperator",
    "dotconstant",
    "finiteintrangeconstant",
    "successor",
    "predecessor",
];

impl Declared<'_> {
    /// A multiset of colours of `domain`; `None` after an error.
    pub(super) fn multiset(
        &mut self,
        element: &Element<'_>,
        domain: &[ClassId],
    ) -> Step<Option<MultisetTerm>> {
        match element.name {
            "numberof" | "scalarproduct" => self.scaled(element, domain),
            "add" => {
                let mut terms = Vec::new();
                let mut is_right = true;
                for operand in element.operands() {
                    match self.multiset(operand, domain)? {
                        Some(MultisetTerm::Sum(inner)) => terms.extend(inner),
                        Some(term) => terms.push(term),
                        None => is_right = false,
                    }
                }
                match terms.len() {
                    _ if !is_right => Ok(None),
                    0 => self.operand_count(element, "at least 1", 0).map(|()| None),
                    1 => Ok(terms.pop()),
                    _ => Ok(Some(MultisetTerm::Sum(terms))),
                }
            }
            "subtract" => {
                let operands = element.operands();
                if operands.len() < 2 {
                    return self.operand_count(element, "at least 2", operands.len()).map(|()| None);
                }
                let mut whole: Option<MultisetTerm> = None;
                let mut is_right = true;
                for operand in operands {
                    let Some(term) = self.multiset(operand, domain)? else {
                        is_right = false;
                        continue;
                    };
                    whole = Some(match whole {
                        Some(first) => MultisetTerm::Difference(Box::new([first, term])),
                        None => term,
                    });
                }
                Ok(whole.filter(|_| is_right))
            }
            "all" | "empty" => {
                let Some(sort) = element.children.first() else {
                    self.findings.error(element.offset, format!("<{}> has no sort", element.shown()))?;
                    return Ok(None);
                };
                let Some(found) = self.sort(sort)? else { return Ok(None) };
                if found.0 != domain {
                    return self.wrong_domain(element, &found, domain).map(|()| None);
                }
                let is_all = element.name == "all";
                Ok(Some(if is_all { MultisetTerm::All(found) } else { MultisetTerm::Empty(found) }))
            }
            "tuple" => self.tuple(element, domain),
            "variable" => {
                let Some(variables) = self.variables(element)? else { return Ok(None) };
                let classes = variables.iter().map(|variable| self.net.variables[variable.index()].class);
                let found = Domain(classes.collect());
                if found.0 != domain {
                    return self.wrong_domain(element, &found, domain).map(|()| None);
                }
                Ok(Some(MultisetTerm::colour(variables.into_iter().map(MemberTerm::variable))))
            }
            "useroperator" => {
                let (class, term) = match self.operator(element)? {
                    Some(Operator::Constant(class, member)) => {
                        (class, MultisetTerm::Member(MemberTerm::Constant { class, member }))
                    }
                    Some(Operator::Part(part)) => {
                        (self.net.partitions[part.partition.index()].class, MultisetTerm::Part(part))
                    }
                    None => return Ok(None),
                };
                if domain != [class] {
                    return self.wrong_domain(element, &Domain::of(class), domain).map(|()| None);
                }
                Ok(Some(term))
            }
            "dotconstant" | "finiteintrangeconstant" | "successor" | "predecessor" => {
                let &[class] = domain else {
                    let message = format!(
                        "<{}> stands where a tuple of {} is expected",
                        element.shown(),
                        shown(&self.net.domain_text(&Domain(domain.to_vec())))
                    );
                    return self.findings.error(element.offset, message).map(|()| None);
                };
                let member = self.member(element, Some(class))?;
                let Some((found, member)) = member else { return Ok(None) };
                if found != class {
                    return self.wrong_domain(element, &Domain::of(found), domain).map(|()| None);
                }
                Ok(Some(MultisetTerm::Member(member)))
            }
            _ => self.unsupported(element, "in a term", OPERATORS).map(|()| None),
        }
    }

    /// A term for one member of a class, with its class; `None` after an error. A constant of a range
    /// belongs to the class `expected`, or else to the first class that has its range.
    pub(super) fn member(
        &mut self,
        element: &Element<'_>,
        expected: Option<ClassId>,
    ) -> Step<Option<(ClassId, MemberTerm)>> {
        match element.name {
            "variable" => {
                let Some(variables) = self.variables(element)? else { return Ok(None) };
                let &[variable] = &variables[..] else {
                    let message = "a variable of a product stands where a member of a class is expected";
                    return self.findings.error(element.offset, message).map(|()| None);
                };
                let class = self.net.variables[variable.index()].class;
                Ok(Some((class, MemberTerm::variable(variable))))
            }
            "useroperator" => match self.operator(element)? {
                Some(Operator::Constant(class, member)) => {
                    Ok(Some((class, MemberTerm::Constant { class, member })))
                }
                Some(Operator::Part(_)) => {
                    let id = shown(element.attribute("declaration").unwrap_or_default());
                    let message =
                        format!("\"{id}\" is a part of a partition, expected one member of a class");
                    self.findings.error(element.offset, message).map(|()| None)
                }
                None => Ok(None),
            },
            "dotconstant" => {
                let class = self.dot();
                Ok(Some((class, MemberTerm::Constant { class, member: 0 })))
            }
            "finiteintrangeconstant" => self.member_of_written_range(element, expected),
            "successor" | "predecessor" => {
                let operands = element.operands();
                let [operand] = operands[..] else {
                    return self.operand_count(element, "1", operands.len()).map(|()| None);
                };
                let Some((class, member)) = self.member(operand, expected)? else { return Ok(None) };
                let known = &self.net.classes[class.index()];
                if !known.is_cyclic() {
                    let message = format!("<{}> of class \"{}\"", element.shown(), shown(known.name()));
                    let hint = "only members of cyclic enumerations and ranges have one";
                    return self.findings.error_with_hint(element.offset, message, hint).map(|()| None);
                }
                let step = if element.name == "successor" { 1 } else { -1 };
                Ok(Some((class, member.shifted(known.size(), step))))
            }
            _ => {
                let known = [
                    "variable",
                    "useroperator",
                    "dotconstant",
                    "finiteintrangeconstant",
                    "successor",
                    "predecessor",
                ];
                self.unsupported(element, "as a member of a class", &known).map(|()| None)
            }
        }
    }

    fn member_of_written_range(
        &mut self,
        element: &Element<'_>,
        expected: Option<ClassId>,
    ) -> Step<Option<(ClassId, MemberTerm)>> {
        let Some((value, first, last)) = self.range_constant(element)? else { return Ok(None) };
        let written = Members::Range { first, last };
        let has_it = |class: &ClassId| self.net.classes[class.index()].members == written;
        let class = expected.filter(has_it).or_else(|| self.net.class_ids().find(has_it));
        let Some(class) = class else {
            let message = format!("no class is the range from {first} to {last}");
            return self.findings.error(element.offset, message).map(|()| None);
        };
        match self.member_of_range(class, value) {
            Some(member) => Ok(Some((class, MemberTerm::Constant { class, member }))),
            None => {
                let message = format!("unknown colour {value}: the range goes from {first} to {last}");
                self.findings.error(element.offset, message).map(|()| None)
            }
        }
    }

    fn scaled(&mut self, element: &Element<'_>, domain: &[ClassId]) -> Step<Option<MultisetTerm>> {
        let operands = element.operands();
        let [number, operand] = operands[..] else {
            return self.operand_count(element, "2", operands.len()).map(|()| None);
        };
        if number.name != "numberconstant" {
            let message = format!("<{}> is not supported as a number of tokens", number.shown());
            self.findings.error_with_hint(number.offset, message, "expected <numberconstant>")?;
            return Ok(None);
        }
        let text = number.attribute("value").unwrap_or_default();
        let count = text.parse::<u64>().ok().filter(|count| *count <= LARGEST_COUNT);
        if count.is_none() {
            let message = format!("\"{}\" is not a number of tokens", shown(text));
            let hint = format!("expected a whole number from 0 to {LARGEST_COUNT}");
            self.findings.error_with_hint(number.offset, message, hint)?;
        }
        let term = self.multiset(operand, domain)?;
        Ok(count.zip(term).map(|(count, term)| term.times(count)))
    }

    fn tuple(&mut self, element: &Element<'_>, domain: &[ClassId]) -> Step<Option<MultisetTerm>> {
        let operands = element.operands();
        let widths: Vec<usize> = operands.iter().map(|operand| self.width(operand)).collect();
        if widths.iter().sum::<usize>() != domain.len() {
            let message = format!(
                "the tuple has {} components, expected {}: {}",
                widths.iter().sum::<usize>(),
                domain.len(),
                shown(&self.net.domain_text(&Domain(domain.to_vec())))
            );
            return self.findings.error(element.offset, message).map(|()| None);
        }
        let mut components = Vec::new();
        let (mut is_right, mut begin) = (true, 0);
        for (operand, width) in operands.into_iter().zip(widths) {
            let factors = &domain[begin..begin + width];
            begin += width;
            match self.multiset(operand, factors)? {
                Some(MultisetTerm::Tuple(inner)) => components.extend(inner),
                Some(term) => components.push(term),
                None => is_right = false,
            }
        }
        Ok(match components.len() {
            _ if !is_right => None,
            1 => components.pop(),
            _ => Some(MultisetTerm::Tuple(components)),
        })
    }

    /// The number of factors that a component of a tuple covers. Whether they are the right ones is
    /// found out when it is read.
    fn width(&self, element: &Element<'_>) -> usize {
        let operand =
            |position: usize| element.operands().get(position).map_or(1, |operand| self.width(operand));
        match element.name {
            "tuple" => element.operands().iter().map(|operand| self.width(operand)).sum(),
            "add" | "subtract" => operand(0),
            "numberof" | "scalarproduct" => operand(1),
            "all" | "empty" => element.children.first().map_or(1, |sort| self.sort_width(sort)),
            "variable" => self.variable_width(element),
            _ => 1,
        }
    }

    fn wrong_domain(&mut self, element: &Element<'_>, found: &Domain, expected: &[ClassId]) -> Step<()> {
        let message = format!(
            "found a colour of {}, expected one of {}",
            shown(&self.net.domain_text(found)),
            shown(&self.net.domain_text(&Domain(expected.to_vec())))
        );
        self.findings.error(element.offset, message)
    }

    pub(super) fn operand_count(&mut self, element: &Element<'_>, expected: &str, found: usize) -> Step<()> {
        let message = format!("<{}> takes {expected} operands, but {found} were given", element.shown());
        self.findings.error_with_hint(element.offset, message, "each operand stands in its own <subterm>")
    }
}
