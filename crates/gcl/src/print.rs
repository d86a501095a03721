//! Programs as text, in normal form: one declaration per line, brackets only where they are needed
//! (GCL-Y1).

use crate::parse::KEYWORDS;
use crate::tree::{
    Added, Binder, Command, Domain, Expr, ExprKind, Factor, Initial, Item, Name, Program, Property,
    Quantifier, Reference, Update, Variables,
};
use std::fmt::{self, Display as _};
use symbolon_source::{Quoted, begins_name, continues_name};

/// A command that would be longer is written over several lines.
const WIDEST: usize = 100;

/// How tightly an expression holds together: brackets stand around one that is looser than its
/// place asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    Anything,
    Equivalence,
    Implication,
    Guard,
    Conjunction,
    Negation,
    Comparison,
    Sum,
    Product,
    Signed,
    Primary,
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            writeln!(f, "model {name}")?;
        }
        let mut before = None;
        for item in &self.items {
            let kind = std::mem::discriminant(item);
            let is_block = matches!(item, Item::Loop(_) | Item::Process(_));
            if before.is_some_and(|before| before != kind || is_block)
                || before.is_none() && self.name.is_some()
            {
                f.write_str("\n")?;
            }
            before = Some(kind);
            write_item(item, 0, f)?;
        }
        Ok(())
    }
}

fn write_item(item: &Item, depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let indent = "    ".repeat(depth);
    f.write_str(&indent)?;
    match item {
        Item::Constant(constant) => {
            let word = if constant.is_parameter { "param" } else { "const" };
            writeln!(f, "{word} {} = {}", constant.name, constant.value)
        }
        Item::Enumeration(enumeration) => {
            write!(f, "enum {} = {{", enumeration.name)?;
            write_list(&enumeration.values, f)?;
            f.write_str("}\n")
        }
        Item::Variables(variables) => writeln!(f, "{variables}"),
        Item::Initially(predicate) => writeln!(f, "initially {predicate}"),
        Item::Command(command) => write_command(command, &indent, f),
        Item::Loop(repeated) => {
            f.write_str("for ")?;
            write_list(&repeated.binders, f)?;
            write_block(&repeated.items, depth, f)
        }
        Item::Process(process) => {
            write!(f, "process {}", process.name)?;
            if let Some(binder) = &process.binder {
                write!(f, "[{binder}]")?;
            }
            write_block(&process.items, depth, f)
        }
        Item::Component(component) => {
            write!(f, "component {}", component.name)?;
            if let Some(parent) = &component.parent {
                write!(f, " in {parent}")?;
            }
            f.write_str(":")?;
            if !component.variables.is_empty() {
                f.write_str(" ")?;
                write_list(&component.variables, f)?;
            }
            f.write_str("\n")
        }
        Item::Property(property) => writeln!(f, "{property}"),
    }
}

fn write_block(items: &[Item], depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(" {\n")?;
    for item in items {
        write_item(item, depth + 1, f)?;
    }
    writeln!(f, "{}}}", "    ".repeat(depth))
}

fn write_command(command: &Command, indent: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let guard = At { expr: &command.guard, wanted: Tightness::Guard };
    let head = format!("{}: {guard} ->", command.name);
    if command.updates.is_empty() {
        return writeln!(f, "{head} skip");
    }
    let updates: Vec<String> = command.updates.iter().map(Update::to_string).collect();
    let length = indent.len() + head.len() + updates.iter().map(|update| update.len() + 4).sum::<usize>();
    if length <= WIDEST {
        return writeln!(f, "{head} {}", updates.join(" || "));
    }
    writeln!(f, "{head}\n{indent}       {}", updates.join(&format!("\n{indent}    || ")))
}

fn write_list<T: fmt::Display>(list: &[T], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (number, one) in list.iter().enumerate() {
        f.write_str(if number == 0 { "" } else { ", " })?;
        one.fmt(f)?;
    }
    Ok(())
}

impl fmt::Display for Variables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("var ")?;
        for (number, (name, length)) in self.names.iter().enumerate() {
            f.write_str(if number == 0 { "" } else { ", " })?;
            name.fmt(f)?;
            if let Some(length) = length {
                write!(f, "[{length}]")?;
            }
        }
        write!(f, ": {}", self.domain)?;
        match &self.initial {
            Some(initial) => write!(f, " = {initial}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Domain::Natural => f.write_str("nat"),
            Domain::Boolean => f.write_str("bool"),
            Domain::Range(from, to) => write_range(from, to, Tightness::Sum, f),
            Domain::Values(values) => {
                f.write_str("{")?;
                write_list(values, f)?;
                f.write_str("}")
            }
            Domain::Named(name) => name.fmt(f),
        }
    }
}

impl fmt::Display for Initial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Initial::Value(value) => value.fmt(f),
            Initial::Range(from, to) => write_range(from, to, Tightness::Equivalence, f),
            Initial::OneOf(values) => {
                f.write_str("{")?;
                write_list(values, f)?;
                f.write_str("}")
            }
            Initial::Each(values) => {
                f.write_str("[")?;
                write_list(values, f)?;
                f.write_str("]")
            }
            Initial::Any => f.write_str("any"),
        }
    }
}

fn write_range(from: &Expr, to: &Expr, wanted: Tightness, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{}..{}", At { expr: from, wanted }, At { expr: to, wanted })
}

impl fmt::Display for Binder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in ", self.name)?;
        write_range(&self.from, &self.to, Tightness::Sum, f)
    }
}

impl fmt::Display for Update {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}' = {}", self.target, self.value)
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "property {}:", self.name)?;
        for word in &self.words {
            f.write_str(if word.is_glued { "" } else { " " })?;
            f.write_str(&word.text)?;
        }
        Ok(())
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, part) in self.parts.iter().enumerate() {
            f.write_str(if number == 0 { "" } else { "." })?;
            part.name.fmt(f)?;
            if let Some(index) = &part.index {
                write!(f, "[{index}]")?;
            }
        }
        Ok(())
    }
}

/// In quotes where it would not be read as this name otherwise.
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_plain = self.text.chars().next().is_some_and(begins_name)
            && self.text.chars().all(continues_name)
            && !KEYWORDS.contains(&self.text.as_str());
        if is_plain {
            return f.write_str(&self.text);
        }
        Quoted(&self.text).fmt(f)
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        At { expr: self, wanted: Tightness::Anything }.fmt(f)
    }
}

/// An expression in a place that asks for some tightness.
struct At<'e> {
    expr: &'e Expr,
    wanted: Tightness,
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_loose = tightness(&self.expr.kind) < self.wanted;
        if is_loose {
            f.write_str("(")?;
        }
        write_kind(&self.expr.kind, f)?;
        if is_loose {
            f.write_str(")")?;
        }
        Ok(())
    }
}

fn tightness(kind: &ExprKind) -> Tightness {
    match kind {
        // What comes after `else` goes on as far as it can.
        ExprKind::If(..) => Tightness::Anything,
        ExprKind::Equivalent(_) => Tightness::Equivalence,
        ExprKind::Implies(_) => Tightness::Implication,
        ExprKind::Or(_) => Tightness::Guard,
        ExprKind::And(_) => Tightness::Conjunction,
        ExprKind::Not(_) => Tightness::Negation,
        ExprKind::Compare(..) => Tightness::Comparison,
        ExprKind::Sum(..) => Tightness::Sum,
        ExprKind::Product(..) => Tightness::Product,
        ExprKind::Negative(_) => Tightness::Signed,
        ExprKind::Number(_) | ExprKind::Truth(_) | ExprKind::Reference(_) | ExprKind::Quantified(..) => {
            Tightness::Primary
        }
    }
}

fn write_kind(kind: &ExprKind, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match kind {
        ExprKind::Number(number) => number.fmt(f),
        ExprKind::Truth(truth) => truth.fmt(f),
        ExprKind::Reference(reference) => reference.fmt(f),
        ExprKind::Negative(inner) => write!(f, "-{}", At { expr: inner, wanted: Tightness::Signed }),
        ExprKind::Not(inner) => write!(f, "!{}", At { expr: inner, wanted: Tightness::Negation }),
        ExprKind::Sum(first, rest) => {
            At { expr: first, wanted: Tightness::Product }.fmt(f)?;
            rest.iter().try_for_each(|(added, operand)| {
                let sign = if *added == Added::Plus { " + " } else { " - " };
                write!(f, "{sign}{}", At { expr: operand, wanted: Tightness::Product })
            })
        }
        ExprKind::Product(first, rest) => {
            At { expr: first, wanted: Tightness::Signed }.fmt(f)?;
            rest.iter().try_for_each(|(factor, operand)| {
                let sign = match factor {
                    Factor::Times => " * ",
                    Factor::Over => " / ",
                    Factor::Remainder => " % ",
                };
                write!(f, "{sign}{}", At { expr: operand, wanted: Tightness::Signed })
            })
        }
        ExprKind::Compare(left, comparison, right) => {
            let wanted = Tightness::Sum;
            let sign = comparison.sign();
            write!(f, "{} {sign} {}", At { expr: left, wanted }, At { expr: right, wanted })
        }
        ExprKind::And(all) => write_chain(all, " & ", Tightness::Negation, f),
        ExprKind::Or(all) => write_chain(all, " | ", Tightness::Conjunction, f),
        ExprKind::Implies(all) => write_chain(all, " -> ", Tightness::Guard, f),
        ExprKind::Equivalent(all) => write_chain(all, " <-> ", Tightness::Implication, f),
        ExprKind::If(condition, yes, no) => write!(f, "if {condition} then {yes} else {no}"),
        ExprKind::Quantified(quantifier, binder, body) => {
            let word = match quantifier {
                Quantifier::Forall => "forall",
                Quantifier::Exists => "exists",
                Quantifier::Sum => "sum",
            };
            write!(f, "{word} {binder} ({body})")
        }
    }
}

fn write_chain(all: &[Expr], sign: &str, wanted: Tightness, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (number, expr) in all.iter().enumerate() {
        f.write_str(if number == 0 { "" } else { sign })?;
        At { expr, wanted }.fmt(f)?;
    }
    Ok(())
}
