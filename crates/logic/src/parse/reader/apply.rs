//! What operators make of their operands, and which operands they refuse.

use super::{Kind, Operand, Reader, Shape};
use crate::formula::{FormulaId, Knowledge, Operator};
use crate::name::Span;
use crate::named_atom::NamedAtom;
use crate::parse::FormulaError;
use crate::parse::operators::{Infix, Prefix};
use crate::parse::sum::{NoSum, Sum};
use symbolon_source::shown;

impl Reader<'_> {
    pub(super) fn apply_prefix(&mut self, prefix: Prefix, span: Span, operand: &Operand) -> Operand {
        let span = span.to(operand.span);
        let is_bare = matches!(prefix, Prefix::Quantifier(_)) && operand.shape != Shape::Bracketed;
        let scope = match prefix {
            Prefix::Temporal(..) if operand.shape != Shape::Bracketed => {
                operand.scope.or(Some(operand.span.start))
            }
            _ => operand.scope,
        };
        let kind = match self.statement(operand) {
            None => Kind::Broken,
            Some(f) => Kind::Formula(match prefix {
                Prefix::Not => self.add(Operator::Not(f), span),
                Prefix::Quantifier(quantifier) => self.add(quantifier.applied(f), span),
                Prefix::CanForce(group) => self.add(Operator::CanForce(group, f), span),
                Prefix::Temporal(quantifier, temporal) => {
                    let path = self.add(temporal.applied(f), span);
                    quantifier.map_or(path, |quantifier| self.add(quantifier.applied(path), span))
                }
            }),
        };
        Operand { span, kind, shape: if is_bare { Shape::Quantified } else { Shape::Plain }, scope }
    }

    pub(super) fn apply_minus(&mut self, span: Span, operand: Operand) -> Operand {
        let span = span.to(operand.span);
        let kind = match self.sum(operand) {
            Some(sum) => Kind::Sum(sum.negated()),
            None => Kind::Broken,
        };
        Operand { span, kind, shape: Shape::Plain, scope: None }
    }

    pub(super) fn apply_infix(&mut self, infix: Infix, sign: Span, left: Operand, right: Operand) -> Operand {
        let span = left.span.to(right.span);
        let scope = right.scope;
        let kind = match infix {
            Infix::Missing => Kind::Broken,
            Infix::Compare(comparison) => match (self.sum(left), self.sum(right)) {
                (Some(left), Some(right)) => {
                    let atom = NamedAtom::Compare(left.into_linear(), comparison, right.into_linear());
                    Kind::Formula(self.add(Operator::Atom(atom), span))
                }
                _ => Kind::Broken,
            },
            Infix::Plus | Infix::Minus | Infix::Times => match (self.sum(left), self.sum(right)) {
                (Some(left), Some(right)) => {
                    let sum = match infix {
                        Infix::Plus => left.plus(right),
                        Infix::Minus => left.plus(right.negated()),
                        _ => left.times(right),
                    };
                    match sum {
                        Ok(sum) => Kind::Sum(sum),
                        Err(why) => self.no_sum(why, sign),
                    }
                }
                _ => Kind::Broken,
            },
            _ => {
                self.check_brackets(infix, sign, &left, &right);
                match (self.statement(&left), self.statement(&right)) {
                    (Some(f), Some(g)) => match infix.applied(f, g) {
                        Some(operator) => {
                            self.check_scope(infix, sign, &left, (g, right.span));
                            Kind::Formula(self.add(operator, span))
                        }
                        None => Kind::Broken,
                    },
                    _ => Kind::Broken,
                }
            }
        };
        let shape = match infix {
            Infix::Compare(_) => Shape::Comparison,
            infix if infix.is_until() => Shape::Until,
            _ => Shape::Plain,
        };
        Operand { span, kind, shape, scope }
    }

    /// Warns of `AG p | q` at the head of a formula: it means `(AG p) | q`, and who writes it may
    /// well mean `AG (p | q)`.
    fn check_scope(&mut self, infix: Infix, sign: Span, left: &Operand, (g, right): (FormulaId, Span)) {
        let Some(scope) = left.scope else { return };
        if infix.is_until() || !self.brackets.is_empty() || !self.is_plain[g.index()] {
            return;
        }
        let text = |from: usize, to: usize| shown(&self.text[from..to]);
        let (before, inner) = (text(left.span.start, left.span.end), text(scope, left.span.end));
        let (sign, after) = (text(sign.start, sign.end), text(right.start, right.end));
        let operator = text(left.span.start, scope);
        let message = format!("this is read as ({before}) {sign} {after}");
        let hint =
            format!("write {operator}({inner} {sign} {after}) if that is meant; brackets end this warning");
        let span = left.span.to(right);
        self.warnings.push(FormulaError::new(span, message).with_hint(hint));
    }

    fn no_sum(&mut self, why: NoSum, sign: Span) -> Kind {
        self.error(sign, why.to_string());
        if why == NoSum::NotLinear {
            self.hint("formulas compare sums of variables, each times a number");
        }
        Kind::Broken
    }

    /// Refuses what people read in two ways.
    fn check_brackets(&mut self, infix: Infix, sign: Span, left: &Operand, right: &Operand) {
        if !infix.is_until() && (left.shape == Shape::Until || right.shape == Shape::Until) {
            let word = &self.text[sign.start..sign.end];
            self.error(sign, format!("`{word}` beside `U`, `W` or `R` can be read in two ways"));
            self.hint(format!("write (p {word} q) U r, or p {word} (q U r)"));
        }
        if infix.is_until() && left.shape == Shape::Quantified {
            let word = &self.text[sign.start..sign.end];
            let quantifier = &self.text[left.span.start..left.span.start + 1];
            self.error(left.span, format!("`{quantifier} p {word} q` can be read in two ways"));
            self.hint(format!("write {quantifier} (p {word} q), or ({quantifier} p) {word} q"));
        }
    }

    /// The operand as a formula; a name that stands alone is one.
    pub(super) fn statement(&mut self, operand: &Operand) -> Option<FormulaId> {
        match &operand.kind {
            Kind::Formula(id) => Some(*id),
            Kind::Broken => None,
            Kind::Sum(sum) => match sum.as_name().cloned() {
                Some(name) => {
                    let span = name.span;
                    Some(self.add(Operator::Atom(NamedAtom::Named(name)), span))
                }
                None => {
                    let written = self.written(operand.span);
                    self.error(operand.span, format!("`{written}` is a number, expected a statement"));
                    self.hint(match written.as_str() {
                        "0" => "write false".to_string(),
                        "1" => "write true".to_string(),
                        written => format!("compare it with something: {written} >= 1"),
                    });
                    None
                }
            },
        }
    }

    /// The operand as a sum.
    fn sum(&mut self, operand: Operand) -> Option<Sum> {
        match operand.kind {
            Kind::Sum(sum) => Some(sum),
            Kind::Broken => None,
            Kind::Formula(_) => {
                let written = self.written(operand.span);
                self.error(operand.span, format!("`{written}` is a statement, expected a number"));
                if operand.shape == Shape::Comparison {
                    self.hint("comparisons do not chain; write a < b & b < c");
                }
                None
            }
        }
    }

    fn written(&self, span: Span) -> String {
        shown(&self.text[span.start..span.end])
    }

    pub(super) fn add(&mut self, operator: Operator<NamedAtom>, span: Span) -> FormulaId {
        let is_path = match &operator {
            Operator::Exists(_) | Operator::ForAll(_) | Operator::CanForce(..) | Operator::Knows(..) => false,
            operator => operator.is_temporal() || operator.operands().any(|f| self.is_path[f.index()]),
        };
        let is_plain = operator.is_about_one_state() && operator.operands().all(|f| self.is_plain[f.index()]);
        let id = self.builder.add(operator);
        if id.index() == self.spans.len() {
            self.spans.push(span);
            self.is_path.push(is_path);
            self.is_plain.push(is_plain);
        }
        id
    }

    pub(super) fn known(&mut self, knowledge: Knowledge, group: Box<str>, operand: &Operand) -> Kind {
        let Some(f) = self.statement(operand) else { return Kind::Broken };
        if self.is_path[f.index()] {
            self.error(self.spans[f.index()], "this speaks about a path, but knowledge is about a state");
            self.hint("put A or E before it");
            return Kind::Broken;
        }
        Kind::Formula(self.add(Operator::Knows(knowledge, group, f), operand.span))
    }
}
