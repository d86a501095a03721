//! A tree as text, the same for trees that say the same: sections in their order, one line each,
//! brackets only where they are needed. What is printed reads as the same tree.

mod formulas;

use crate::tree::{
    Agent, Condition, Declaration, Dialect, Domain, EvolutionLine, FormulaLine, Operator, Reference,
    Semantics, System, Value,
};
use std::fmt::{self, Display, Write};
use symbolon_logic::Name;
use symbolon_model::Comparison;

impl Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(semantics) = self.semantics {
            let word = match semantics {
                Semantics::MultiAssignment => "MultiAssignment",
                Semantics::SingleAssignment => "SingleAssignment",
            };
            writeln!(f, "Semantics = {word};\n")?;
        }
        for agent in self.all_agents() {
            writeln!(f, "{agent}")?;
        }
        writeln!(f, "Evaluation")?;
        for definition in &self.evaluation {
            writeln!(f, "  {} if {};", definition.name.text, definition.condition)?;
        }
        writeln!(f, "end Evaluation\n")?;
        writeln!(f, "InitStates\n  {};\nend InitStates\n", self.initial)?;
        if !self.groups.is_empty() {
            writeln!(f, "Groups")?;
            for group in &self.groups {
                writeln!(f, "  {} = {};", group.name.text, Braced(&group.members))?;
            }
            writeln!(f, "end Groups\n")?;
        }
        if !self.fairness.is_empty() {
            writeln!(f, "Fairness")?;
            self.fairness.iter().try_for_each(|line| writeln!(f, "  {line};"))?;
            writeln!(f, "end Fairness\n")?;
        }
        writeln!(f, "Formulae")?;
        self.formulae.iter().try_for_each(|line| writeln!(f, "  {line};"))?;
        writeln!(f, "end Formulae")
    }
}

impl Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Agent {}", self.name.text)?;
        if let Some(names) = &self.local_observed {
            writeln!(f, "  Lobsvars = {};", Braced(names))?;
        }
        for (section, list) in [("Obsvars", &self.observed), ("Vars", &self.variables)] {
            if !list.is_empty() {
                writeln!(f, "  {section}:")?;
                list.iter().try_for_each(|line| writeln!(f, "    {line};"))?;
                writeln!(f, "  end {section}")?;
            }
        }
        if let Some(red) = &self.red {
            writeln!(f, "  RedStates:")?;
            red.condition.iter().try_for_each(|condition| writeln!(f, "    {condition};"))?;
            writeln!(f, "  end RedStates")?;
        }
        writeln!(f, "  Actions = {};", Braced(&self.actions))?;
        writeln!(f, "  Protocol:")?;
        for line in &self.protocol {
            writeln!(f, "    {} : {};", line.condition, Braced(&line.actions))?;
        }
        if let Some(actions) = &self.otherwise {
            writeln!(f, "    Other : {};", Braced(actions))?;
        }
        writeln!(f, "  end Protocol\n  Evolution:")?;
        self.evolution.iter().try_for_each(|line| writeln!(f, "    {line};"))?;
        writeln!(f, "  end Evolution\nend Agent")
    }
}

impl Display for EvolutionLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, assignment) in self.assignments.iter().enumerate() {
            let and = if number == 0 { "" } else { " and " };
            write!(f, "{and}{} = {}", assignment.target.text, assignment.value)?;
        }
        write!(f, " if {}", self.guard)
    }
}

impl Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} : {}", self.name.text, self.domain)
    }
}

impl Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Domain::Boolean => f.write_str("boolean"),
            Domain::Range { least, largest } => write!(f, "{least} .. {largest}"),
            Domain::Names(names) => Braced(names).fmt(f),
        }
    }
}

impl Display for FormulaLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.dialect {
            Dialect::Ctlk => "",
            Dialect::Ltl => "LTL ",
            Dialect::CtlStar => "CTL* ",
        })?;
        formulas::write_formula(&self.formula.formula, self.dialect, f)
    }
}

impl FormulaLine {
    /// The formula as the established checker of this language prints it: all brackets, and `&&`,
    /// `||`.
    pub fn reference_text(&self) -> String {
        let mut text = String::new();
        // Writing to a string never fails.
        let _ = formulas::write_reference(&self.formula.formula, self.dialect, &mut text);
        text
    }
}

/// How strongly conditions bind: `or`, `and`, `!`, comparisons.
fn strength(condition: &Condition) -> u8 {
    match condition {
        Condition::Or(_) => 0,
        Condition::And(_) => 1,
        Condition::Not(_) => 2,
        Condition::Compare(..) | Condition::Acts { .. } => 3,
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Compare(left, comparison, right) => {
                write!(f, "{left} {} {right}", comparison_sign(*comparison))
            }
            Condition::Acts { agent, action } => {
                if let Some(agent) = agent {
                    write!(f, "{}.", agent.text)?;
                }
                write!(f, "Action = {}", action.text)
            }
            Condition::Not(inner) => {
                f.write_char('!')?;
                bracketed(f, inner, strength(inner) != 2)
            }
            Condition::And(all) => joined(f, all, " and ", "true = true"),
            Condition::Or(any) => joined(f, any, " or ", "true = false"),
        }
    }
}

/// Operands that bind no more strongly than the operator between them stand in brackets.
fn joined(f: &mut fmt::Formatter<'_>, operands: &[Condition], word: &str, none: &str) -> fmt::Result {
    if operands.is_empty() {
        return f.write_str(none);
    }
    let least = if word == " or " { 0 } else { 1 };
    for (number, operand) in operands.iter().enumerate() {
        f.write_str(if number == 0 { "" } else { word })?;
        bracketed(f, operand, strength(operand) <= least)?;
    }
    Ok(())
}

fn bracketed(f: &mut fmt::Formatter<'_>, inner: &dyn Display, needs_brackets: bool) -> fmt::Result {
    if needs_brackets { write!(f, "({inner})") } else { inner.fmt(f) }
}

impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number, _) => number.fmt(f),
            Value::Truth(truth, _) => truth.fmt(f),
            Value::Name(reference) => reference.fmt(f),
            Value::Not(operand, _) => {
                f.write_char('~')?;
                bracketed(f, operand, matches!(**operand, Value::Chain(..)))
            }
            Value::Chain(first, rest) => {
                let strength = rest.first().map_or(0, |(operator, _)| operator.strength());
                let needs_brackets = |operand: &Value| match operand {
                    Value::Chain(_, inner) => {
                        inner.first().is_none_or(|(operator, _)| operator.strength() <= strength)
                    }
                    // `~` is weaker than arithmetic.
                    Value::Not(..) => strength >= Operator::Plus.strength(),
                    _ => false,
                };
                bracketed(f, first, needs_brackets(first))?;
                for (operator, operand) in rest {
                    write!(f, " {} ", operator.sign())?;
                    bracketed(f, operand, needs_brackets(operand))?;
                }
                Ok(())
            }
        }
    }
}

impl Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(agent) = &self.agent {
            write!(f, "{}.", agent.text)?;
        }
        f.write_str(&self.name.text)
    }
}

fn comparison_sign(comparison: Comparison) -> &'static str {
    if comparison == Comparison::NotEqual { "<>" } else { comparison.sign() }
}

/// Names in braces.
struct Braced<'a>(&'a [Name]);

impl Display for Braced<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("{}");
        }
        for (number, name) in self.0.iter().enumerate() {
            write!(f, "{}{}", if number == 0 { "{ " } else { ", " }, name.text)?;
        }
        f.write_str(" }")
    }
}
