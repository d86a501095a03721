//! Formulas of CTL*: against tables made by hand, against laws, and two methods against each other.

mod lassos;
mod laws;
mod on_the_fly;
mod random;
mod runs;
mod tables;
mod trees;

use symbolon_logic::{Builder, Formula, FormulaId, Operator};
use symbolon_model::{Atom, Comparison, Event, Expr, Model, Part, Predicate, Variable, VariableId};

/// A model whose only variable says which state of a graph it is in. The initial state is 0.
fn graph(edges: &[(u64, u64)]) -> Model {
    let event = |(number, &(from, to)): (usize, &(u64, u64))| Event {
        name: format!("e{number}"),
        parts: vec![Part::General {
            guard: Box::new(is(from)),
            updates: vec![(VariableId(0), Expr::Constant(to as i64))],
        }],
    };
    Model {
        name: "graph".into(),
        variables: vec![Variable { name: "at".into() }],
        initial: vec![[0].into()],
        events: edges.iter().enumerate().map(event).collect(),
        ..Model::default()
    }
}

fn is(state: u64) -> Predicate {
    Predicate::Compare(Expr::Variable(VariableId(0)), Comparison::Equal, Expr::Constant(state as i64))
}

/// A formula in Polish notation, one letter an operator: `! & | > =`, `X F G U W R`, `E A`; the
/// atoms are `t`, `f`, `d` for a deadlock, and `0` to `9` for the states of a [`graph`]. Blanks do
/// not matter.
fn formula(text: &str) -> Formula<Atom> {
    let mut builder = Builder::default();
    let mut stack: Vec<FormulaId> = Vec::new();
    for letter in text.chars().rev().filter(|letter| *letter != ' ') {
        let mut pop = || stack.pop().expect("an operand");
        let operator = match letter {
            't' => Operator::True,
            'f' => Operator::False,
            'd' => Operator::Deadlock,
            '0'..='9' => Operator::Atom(Atom::Holds(is(u64::from(letter) - u64::from('0')))),
            '!' => Operator::Not(pop()),
            '&' => Operator::And(pop(), pop()),
            '|' => Operator::Or(pop(), pop()),
            '>' => Operator::Implies(pop(), pop()),
            '=' => Operator::Equivalent(pop(), pop()),
            'X' => Operator::Next(pop()),
            'F' => Operator::Finally(pop()),
            'G' => Operator::Globally(pop()),
            'U' => Operator::Until(pop(), pop()),
            'W' => Operator::WeakUntil(pop(), pop()),
            'R' => Operator::Release(pop(), pop()),
            'E' => Operator::Exists(pop()),
            'A' => Operator::ForAll(pop()),
            _ => panic!("{letter} is no operator"),
        };
        stack.push(builder.add(operator));
    }
    assert_eq!(stack.len(), 1, "{text} is one formula");
    builder.finish(stack[0])
}
