//! Formulas as text: as people write them, and as the established checker prints them. Both keep
//! their own stack, so depth costs nothing but memory.

use crate::tree::Dialect;
use std::fmt::{self, Write};
use symbolon_logic::{Formula, FormulaId, Knowledge, NamedAtom, Operator};

/// What is still to be written.
enum Task<'a> {
    Text(&'static str),
    Name(&'a str),
    Part(FormulaId, Place),
}

/// Where a subformula stands: how strongly it must bind to need no brackets.
type Place = u8;
const ANYWHERE: Place = 0;
const IMPLIES: Place = 1;
const OR: Place = 2;
const AND: Place = 3;
/// `f U g`, which stands in brackets beside every other operator.
const UNTIL: Place = 4;
const PREFIX: Place = 5;
const ALONE: Place = 6;

/// Writes a formula as people write it.
pub(super) fn write_formula(
    formula: &Formula<NamedAtom>,
    dialect: Dialect,
    out: &mut impl Write,
) -> fmt::Result {
    let mut tasks = vec![Task::Part(formula.root(), ANYWHERE)];
    while let Some(task) = tasks.pop() {
        let (id, place) = match task {
            Task::Text(text) => {
                out.write_str(text)?;
                continue;
            }
            Task::Name(name) => {
                out.write_str(name)?;
                continue;
            }
            Task::Part(id, place) => (id, place),
        };
        let from = tasks.len();
        let needs_brackets = strength(formula.operator(id)) < place;
        tasks.extend(needs_brackets.then_some(Task::Text("(")));
        push_parts(formula, id, dialect, &mut tasks);
        tasks.extend(needs_brackets.then_some(Task::Text(")")));
        // What was pushed stands in the order of the text; the stack wants it the other way round.
        tasks[from..].reverse();
    }
    Ok(())
}

fn strength(operator: &Operator<NamedAtom>) -> Place {
    match operator {
        Operator::Implies(..) | Operator::Equivalent(..) => IMPLIES,
        Operator::Or(..) => OR,
        Operator::And(..) => AND,
        Operator::Until(..) | Operator::WeakUntil(..) | Operator::Release(..) => UNTIL,
        Operator::Not(_)
        | Operator::Next(_)
        | Operator::Finally(_)
        | Operator::Globally(_)
        | Operator::Exists(_)
        | Operator::ForAll(_)
        | Operator::CanForce(..) => PREFIX,
        Operator::True | Operator::False | Operator::Deadlock | Operator::Atom(_) | Operator::Knows(..) => {
            ALONE
        }
    }
}

/// The parts of a subformula, in the order of the text.
fn push_parts<'a>(
    formula: &'a Formula<NamedAtom>,
    id: FormulaId,
    dialect: Dialect,
    tasks: &mut Vec<Task<'a>>,
) {
    let part = Task::Part;
    match formula.operator(id) {
        Operator::True => tasks.push(Task::Text("true")),
        Operator::False => tasks.push(Task::Text("false")),
        Operator::Atom(NamedAtom::Named(name)) => tasks.push(Task::Name(&name.text)),
        Operator::Not(f) => tasks.extend([Task::Text("!"), part(*f, PREFIX)]),
        // Beside a connective, `U` is better read in brackets.
        Operator::And(f, g) => {
            tasks.extend([part(*f, beside(formula, *f, AND)), Task::Text(" and "), part(*g, PREFIX)]);
        }
        Operator::Or(f, g) => {
            let (left, right) = (beside(formula, *f, OR), beside(formula, *g, AND));
            tasks.extend([part(*f, left), Task::Text(" or "), part(*g, right)]);
        }
        Operator::Implies(f, g) => {
            let (left, right) = (beside(formula, *f, OR), beside(formula, *g, IMPLIES));
            tasks.extend([part(*f, left), Task::Text(" -> "), part(*g, right)]);
        }
        Operator::Next(f) => tasks.extend([Task::Text("X "), part(*f, PREFIX)]),
        Operator::Finally(f) => tasks.extend([Task::Text("F "), part(*f, PREFIX)]),
        Operator::Globally(f) => tasks.extend([Task::Text("G "), part(*f, PREFIX)]),
        Operator::Until(f, g) => tasks.extend([part(*f, ALONE), Task::Text(" U "), part(*g, ALONE)]),
        Operator::Exists(f) => push_path("E", formula, *f, dialect, tasks),
        Operator::ForAll(f) => push_path("A", formula, *f, dialect, tasks),
        Operator::Knows(knowledge, name, f) => {
            tasks.extend([Task::Text(knowledge_word(*knowledge)), Task::Name(name), Task::Text(", ")]);
            tasks.extend([part(*f, ANYWHERE), Task::Text(")")]);
        }
        Operator::CanForce(group, f) => {
            tasks.extend([Task::Text("<"), Task::Name(group), Task::Text("> ")]);
            push_path("", formula, *f, dialect, tasks);
        }
        // Nothing that this language can say.
        Operator::Deadlock
        | Operator::Atom(_)
        | Operator::Equivalent(..)
        | Operator::WeakUntil(..)
        | Operator::Release(..) => tasks.push(Task::Text("?")),
    }
}

/// How strongly an operand of a connective must bind, if at least so.
fn beside(formula: &Formula<NamedAtom>, operand: FormulaId, least: Place) -> Place {
    if strength(formula.operator(operand)) == UNTIL { PREFIX } else { least }
}

/// `AG f`, `A (f U g)`, or in CTL* `A f`; without a letter, what follows a group.
fn push_path<'a>(
    letter: &'static str,
    formula: &'a Formula<NamedAtom>,
    path: FormulaId,
    dialect: Dialect,
    tasks: &mut Vec<Task<'a>>,
) {
    tasks.push(Task::Text(letter));
    match formula.operator(path) {
        Operator::Until(..) => {
            tasks.push(Task::Text(if letter.is_empty() { "(" } else { " (" }));
            tasks.extend([Task::Part(path, ANYWHERE), Task::Text(")")]);
        }
        Operator::Next(_) | Operator::Finally(_) | Operator::Globally(_) if dialect == Dialect::Ctlk => {
            tasks.push(Task::Part(path, ANYWHERE));
        }
        _ => tasks.extend([Task::Text(" "), Task::Part(path, PREFIX)]),
    }
}

fn knowledge_word(knowledge: Knowledge) -> &'static str {
    match knowledge {
        Knowledge::Agent => "K(",
        Knowledge::Everyone => "GK(",
        Knowledge::Common => "GCK(",
        Knowledge::Distributed => "DK(",
        Knowledge::Correct => "O(",
    }
}

/// Writes a formula as the established checker prints it.
pub(super) fn write_reference(
    formula: &Formula<NamedAtom>,
    dialect: Dialect,
    out: &mut impl Write,
) -> fmt::Result {
    let is_ltl = dialect == Dialect::Ltl;
    let mut tasks = Vec::new();
    push_quantified(is_ltl, formula.root(), &mut tasks);
    tasks.reverse();
    while let Some(task) = tasks.pop() {
        let id = match task {
            Task::Text(text) => {
                out.write_str(text)?;
                continue;
            }
            Task::Name(name) => {
                out.write_str(name)?;
                continue;
            }
            Task::Part(id, _) => id,
        };
        let from = tasks.len();
        push_reference_parts(formula, id, dialect, &mut tasks);
        tasks[from..].reverse();
    }
    Ok(())
}

/// A formula of LTL is printed with the quantifier that it is read with.
fn push_quantified(is_ltl: bool, id: FormulaId, tasks: &mut Vec<Task<'_>>) {
    tasks.extend(is_ltl.then_some(Task::Text("(A ")));
    tasks.push(Task::Part(id, ANYWHERE));
    tasks.extend(is_ltl.then_some(Task::Text(")")));
}

fn push_reference_parts<'a>(
    formula: &'a Formula<NamedAtom>,
    id: FormulaId,
    dialect: Dialect,
    tasks: &mut Vec<Task<'a>>,
) {
    let part = |id: FormulaId| Task::Part(id, ANYWHERE);
    let binary = |f: FormulaId, sign: &'static str, g: FormulaId| {
        [Task::Text("("), part(f), Task::Text(sign), part(g), Task::Text(")")]
    };
    let unary = |word: &'static str, f: FormulaId| [Task::Text(word), part(f), Task::Text(")")];
    match formula.operator(id) {
        Operator::Not(f) => tasks.extend(unary("(! ", *f)),
        Operator::And(f, g) => tasks.extend(binary(*f, " && ", *g)),
        Operator::Or(f, g) => tasks.extend(binary(*f, " || ", *g)),
        Operator::Implies(f, g) => tasks.extend(binary(*f, " -> ", *g)),
        Operator::Next(f) => tasks.extend(unary("(X ", *f)),
        Operator::Finally(f) => tasks.extend(unary("(F ", *f)),
        Operator::Globally(f) => tasks.extend(unary("(G ", *f)),
        Operator::Until(f, g) => tasks.extend(binary(*f, " U ", *g)),
        Operator::Knows(knowledge, name, f) => {
            tasks.extend([Task::Text(knowledge_word(*knowledge)), Task::Name(name), Task::Text(", ")]);
            push_quantified(dialect == Dialect::Ltl, *f, tasks);
            tasks.push(Task::Text(")"));
        }
        operator @ (Operator::Exists(path) | Operator::ForAll(path)) => {
            let letter = if matches!(operator, Operator::Exists(_)) { "E" } else { "A" };
            match *formula.operator(*path) {
                Operator::Until(f, g) if dialect == Dialect::Ctlk => {
                    tasks.push(Task::Text(letter));
                    tasks.extend(binary(f, " U ", g));
                }
                Operator::Next(f) if dialect == Dialect::Ctlk => {
                    tasks.extend([Task::Text("("), Task::Text(letter)]);
                    tasks.extend(unary("X ", f));
                }
                Operator::Finally(f) if dialect == Dialect::Ctlk => {
                    tasks.extend([Task::Text("("), Task::Text(letter)]);
                    tasks.extend(unary("F ", f));
                }
                Operator::Globally(f) if dialect == Dialect::Ctlk => {
                    tasks.extend([Task::Text("("), Task::Text(letter)]);
                    tasks.extend(unary("G ", f));
                }
                _ => tasks.extend([
                    Task::Text("("),
                    Task::Text(letter),
                    Task::Text(" "),
                    part(*path),
                    Task::Text(")"),
                ]),
            }
        }
        Operator::CanForce(group, path) => {
            let strategy = [Task::Text("<"), Task::Name(group), Task::Text(">")];
            let (word, operand) = match *formula.operator(*path) {
                Operator::Next(f) => ("X ", f),
                Operator::Finally(f) => ("F ", f),
                Operator::Globally(f) => ("G ", f),
                _ => {
                    tasks.extend(strategy);
                    tasks.push(part(*path));
                    return;
                }
            };
            tasks.push(Task::Text("("));
            tasks.extend(strategy);
            tasks.extend(unary(word, operand));
        }
        _ => push_parts(formula, id, dialect, tasks),
    }
}
