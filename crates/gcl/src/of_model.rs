//! From models to programs: any model that moves event by event, a net for instance.
//!
//! A variable becomes a variable of the same name, an event a command of the same name, a component
//! a component. What is read back is the same model, part by part, if all parts are local (GCL-Y4),
//! and one with the same states and steps otherwise.

use crate::tree::{
    Added, Command, Component, Domain, Expr, ExprKind, Factor, Initial, Item, Name, Program, Reference,
    Update, Variables,
};
use symbolon_model::{Change, Comparison, Event, Expr as Term, Model, Part, Predicate, Values, VariableId};

/// Why a model has no program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotCommands {
    /// It moves in synchronous steps of agents.
    Synchronous,
}

impl std::fmt::Display for NotCommands {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotCommands::Synchronous => {
                f.write_str("the agents of the model move together, which guarded commands cannot express")
            }
        }
    }
}

impl std::error::Error for NotCommands {}

/// A model as a program.
pub fn of_model(model: &Model) -> Result<Program, NotCommands> {
    if model.is_synchronous() {
        return Err(NotCommands::Synchronous);
    }
    let writer = Writer { model, as_numbers: used_as_numbers(model) };
    let mut items = Vec::with_capacity(model.variables.len() + model.events.len());
    items.extend(model.variable_ids().map(|id| Item::Variables(writer.variable(id))));
    items.extend(writer.initially());
    items.extend(model.events.iter().map(|event| Item::Command(writer.command(event))));
    items.extend(writer.components());
    Ok(Program { name: Some(name(&model.name)), items })
}

/// A condition over the variables of a model as programs write it, with the model's own names.
pub fn condition_text(model: &Model, condition: &Predicate) -> String {
    let writer = Writer { model, as_numbers: vec![false; model.variables.len()] };
    writer.condition(condition).to_string()
}

fn name(text: &str) -> Name {
    Name::from(text)
}

struct Writer<'m> {
    model: &'m Model,
    /// Variables with names for their values that are computed with: they become ranges.
    as_numbers: Vec<bool>,
}

/// What a variable is in the program.
enum Shape<'m> {
    Number { least: i64 },
    Truth,
    Named(&'m [String]),
}

impl<'m> Writer<'m> {
    fn shape(&self, id: VariableId) -> Shape<'m> {
        match self.model.values_of(id) {
            Values::Natural => Shape::Number { least: 0 },
            Values::Range { least, .. } => Shape::Number { least: *least },
            Values::Boolean => Shape::Truth,
            Values::Named(_) if self.as_numbers[id.index()] => Shape::Number { least: 0 },
            Values::Named(names) => Shape::Named(names),
        }
    }

    fn named(&self, id: VariableId) -> Name {
        name(&self.model.variables[id.index()].name)
    }

    /// The number `value` of a state as the program writes it.
    fn literal(&self, id: VariableId, value: i128) -> Expr {
        match self.shape(id) {
            Shape::Number { least } => number(value.saturating_add(i128::from(least))),
            Shape::Truth => ExprKind::Truth(value != 0).into(),
            Shape::Named(names) => match usize::try_from(value).ok().and_then(|value| names.get(value)) {
                Some(text) => Expr::name(name(text)),
                None => number(value),
            },
        }
    }

    fn variable(&self, id: VariableId) -> Variables {
        let domain = match (self.model.values_of(id), self.shape(id)) {
            (Values::Natural, _) => Domain::Natural,
            (Values::Range { least, largest }, _) => {
                Domain::Range(Expr::number(*least), Expr::number(*largest))
            }
            (Values::Boolean, _) => Domain::Boolean,
            (Values::Named(names), Shape::Named(_)) => {
                Domain::Values(names.iter().map(|text| name(text)).collect())
            }
            (Values::Named(names), _) => {
                Domain::Range(Expr::number(0), Expr::number(names.len().saturating_sub(1) as i64))
            }
        };
        let mut values: Vec<u64> = self.model.initial.iter().map(|state| state[id.index()]).collect();
        values.sort_unstable();
        values.dedup();
        let mut literals: Vec<Expr> =
            values.iter().map(|&value| self.literal(id, i128::from(value))).collect();
        let initial = match literals.len() {
            0 => Initial::Any,
            1 => Initial::Value(literals.remove(0)),
            _ => Initial::OneOf(literals),
        };
        Variables { names: vec![(self.named(id), None)], domain, initial: Some(initial) }
    }

    /// What the initial states have to do with each other: the predicate, or, of several states,
    /// the list of them.
    fn initially(&self) -> Option<Item> {
        if let Some(predicate) = &self.model.initially {
            return Some(Item::Initially(self.condition(predicate)));
        }
        let varying: Vec<VariableId> = self
            .model
            .variable_ids()
            .filter(|id| {
                self.model.initial.iter().any(|state| state[id.index()] != self.model.initial[0][id.index()])
            })
            .collect();
        if self.model.initial.len() < 2 || varying.len() < 2 {
            return None;
        }
        let state = |state: &symbolon_model::State| {
            all(varying.iter().map(|&id| self.is(id, i128::from(state[id.index()]))).collect())
        };
        let states: Vec<Expr> = self.model.initial.iter().map(state).collect();
        Some(Item::Initially(ExprKind::Or(states).into()))
    }

    fn is(&self, id: VariableId, value: i128) -> Expr {
        match (self.shape(id), value) {
            (Shape::Truth, 0) => ExprKind::Not(Box::new(Expr::name(self.named(id)))).into(),
            (Shape::Truth, _) => Expr::name(self.named(id)),
            _ => Expr::compare(Expr::name(self.named(id)), Comparison::Equal, self.literal(id, value)),
        }
    }

    fn command(&self, event: &Event) -> Command {
        let mut guard = Vec::new();
        let mut updates = Vec::new();
        for part in &event.parts {
            match part {
                Part::Local { variable, at_least, at_most, change } => {
                    self.local(*variable, *at_least, *at_most, *change, &mut guard, &mut updates);
                }
                Part::General { guard: predicate, updates: assignments } => {
                    match &**predicate {
                        Predicate::True => {}
                        Predicate::And(all) => guard.extend(all.iter().map(|one| self.condition(one))),
                        other => guard.push(self.condition(other)),
                    }
                    for (variable, term) in assignments {
                        updates.push(self.update(*variable, self.assigned(*variable, term)));
                    }
                }
                // There are none: the model would be synchronous.
                Part::Choice(_) | Part::Reaction(_) => {}
            }
        }
        Command { name: name(&event.name), guard: all(guard), updates }
    }

    fn local(
        &self,
        id: VariableId,
        at_least: u64,
        at_most: u64,
        change: Change,
        guard: &mut Vec<Expr>,
        updates: &mut Vec<Update>,
    ) {
        let largest = self.model.values_of(id).count().map_or(u64::MAX, |count| count - 1);
        let plain = || Expr::name(self.named(id));
        let bound =
            |comparison, value: u64| Expr::compare(plain(), comparison, self.literal(id, i128::from(value)));
        let at_most = at_most.min(largest);
        if at_least > at_most {
            guard.push(ExprKind::Truth(false).into());
        } else if at_least == at_most {
            guard.push(self.is(id, i128::from(at_least)));
        } else if let Shape::Named(names) = self.shape(id) {
            // Names have no order: all that are left out are said.
            let out = (0..names.len() as u64).filter(|value| !(at_least..=at_most).contains(value));
            guard.extend(out.map(|value| bound(Comparison::NotEqual, value)));
        } else {
            if at_least > 0 {
                guard.push(bound(Comparison::GreaterOrEqual, at_least));
            }
            if at_most < largest {
                guard.push(bound(Comparison::LessOrEqual, at_most));
            }
        }
        match change {
            Change::Add(0) => {}
            Change::Set(value) => updates.push(self.update(id, self.literal(id, i128::from(value)))),
            Change::Add(added) => {
                let value = match self.shape(id) {
                    Shape::Number { .. } => {
                        let sign = if added < 0 { Added::Minus } else { Added::Plus };
                        let term = number(i128::from(added.unsigned_abs()));
                        ExprKind::Sum(Box::new(plain()), vec![(sign, term)]).into()
                    }
                    // Enabled for one value only, where the part keeps to its domain.
                    Shape::Truth | Shape::Named(_) => {
                        self.literal(id, i128::from(at_least).saturating_add(i128::from(added)))
                    }
                };
                updates.push(self.update(id, value));
            }
        }
    }

    fn update(&self, id: VariableId, value: Expr) -> Update {
        Update { target: Reference::plain(self.named(id)), value }
    }

    /// What an assignment makes of a variable, given as a number of a state.
    fn assigned(&self, id: VariableId, term: &Term) -> Expr {
        match self.shape(id) {
            Shape::Number { least: 0 } => self.term(term),
            Shape::Number { least } => plus(self.term(term), least),
            Shape::Truth => match term {
                Term::Constant(value) => self.literal(id, i128::from(*value)),
                term => self.truth(term),
            },
            Shape::Named(_) => match term {
                Term::Constant(value) => self.literal(id, i128::from(*value)),
                Term::Variable(other) => Expr::name(self.named(*other)),
                // Not met: such variables are used as numbers.
                other => self.term(other),
            },
        }
    }

    fn condition(&self, predicate: &Predicate) -> Expr {
        match predicate {
            Predicate::True => ExprKind::Truth(true).into(),
            Predicate::False => ExprKind::Truth(false).into(),
            Predicate::Not(inner) => ExprKind::Not(Box::new(self.condition(inner))).into(),
            Predicate::And(list) => all(list.iter().map(|one| self.condition(one)).collect()),
            Predicate::Or(list) => any(list.iter().map(|one| self.condition(one)).collect()),
            Predicate::Compare(a, comparison, b) => self.comparison(a, *comparison, b),
        }
    }

    fn comparison(&self, a: &Term, comparison: Comparison, b: &Term) -> Expr {
        let is_equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        match (a, b) {
            (Term::Variable(id), Term::Constant(value)) => match self.shape(*id) {
                Shape::Number { .. } => {
                    let value = self.literal(*id, i128::from(*value));
                    return Expr::compare(Expr::name(self.named(*id)), comparison, value);
                }
                Shape::Truth if is_equality && (0..=1).contains(value) => {
                    return self.is(*id, i128::from((*value == 1) == (comparison == Comparison::Equal)));
                }
                Shape::Named(_) => {
                    let value = self.literal(*id, i128::from(*value));
                    return Expr::compare(Expr::name(self.named(*id)), comparison, value);
                }
                Shape::Truth => {}
            },
            (Term::Variable(x), Term::Variable(y)) => {
                if let (Shape::Named(_), Shape::Named(_)) = (self.shape(*x), self.shape(*y)) {
                    return Expr::compare(Expr::name(self.named(*x)), comparison, Expr::name(self.named(*y)));
                }
            }
            _ => {}
        }
        Expr::compare(self.term(a), comparison, self.term(b))
    }

    /// A term as a number.
    fn term(&self, term: &Term) -> Expr {
        match term {
            Term::Constant(value) => Expr::number(*value),
            Term::Variable(id) => match self.shape(*id) {
                Shape::Number { least } => plus(Expr::name(self.named(*id)), least.saturating_neg()),
                Shape::Truth | Shape::Named(_) => one_or_zero(Expr::name(self.named(*id))),
            },
            Term::Sum(terms) => {
                let mut terms = terms.iter();
                let Some(first) = terms.next() else { return Expr::number(0) };
                let rest: Vec<(Added, Expr)> = terms.map(|term| self.added(term)).collect();
                match rest.len() {
                    0 => self.term(first),
                    _ => ExprKind::Sum(Box::new(self.term(first)), rest).into(),
                }
            }
            Term::Product(a, b) => match (&**a, &**b) {
                (Term::Constant(-1), b) => ExprKind::Negative(Box::new(self.term(b))).into(),
                (a, b) => {
                    ExprKind::Product(Box::new(self.term(a)), vec![(Factor::Times, self.term(b))]).into()
                }
            },
            Term::Quotient(a, b) => {
                ExprKind::Product(Box::new(self.term(a)), vec![(Factor::Over, self.term(b))]).into()
            }
            Term::And(_) | Term::Or(_) | Term::Xor(_) | Term::Not(_) => one_or_zero(self.truth(term)),
        }
    }

    /// A term of a sum, behind its first.
    fn added(&self, term: &Term) -> (Added, Expr) {
        match term {
            Term::Constant(value) if *value < 0 => (Added::Minus, number(i128::from(value.unsigned_abs()))),
            Term::Product(a, b) => match **a {
                Term::Constant(-1) => (Added::Minus, self.term(b)),
                Term::Constant(factor) if factor < 0 && factor > i64::MIN => {
                    (Added::Minus, self.term(&Term::Product(Box::new(Term::Constant(-factor)), b.clone())))
                }
                _ => (Added::Plus, self.term(term)),
            },
            term => (Added::Plus, self.term(term)),
        }
    }

    /// Where a term is not 0.
    fn truth(&self, term: &Term) -> Expr {
        let of = |terms: &[Term]| -> Vec<Expr> { terms.iter().map(|term| self.truth(term)).collect() };
        match term {
            Term::Variable(id) if matches!(self.shape(*id), Shape::Truth) => Expr::name(self.named(*id)),
            Term::And(terms) => all(of(terms)),
            Term::Or(terms) => any(of(terms)),
            Term::Not(term) => ExprKind::Not(Box::new(self.truth(term))).into(),
            Term::Xor(terms) => {
                let mut sides = of(terms);
                sides.push(ExprKind::Truth(false).into());
                // An odd number of sides holds: as many differences as there are sides, read as
                // equivalences.
                let flips = sides.len() % 2 == 0;
                let chain: Expr = ExprKind::Equivalent(sides).into();
                if flips { ExprKind::Not(Box::new(chain)).into() } else { chain }
            }
            other => Expr::compare(self.term(other), Comparison::NotEqual, Expr::number(0)),
        }
    }

    fn components(&self) -> impl Iterator<Item = Item> + use<'_, 'm> {
        self.model.components.iter().map(|component| {
            let parent = component.parent.map(|parent| name(&self.model.components[parent.0 as usize].name));
            let variables = component.variables.iter().map(|&id| Reference::plain(self.named(id))).collect();
            Item::Component(Component { name: name(&component.name), parent, variables })
        })
    }
}

fn number(value: i128) -> Expr {
    Expr::number(i64::try_from(value).unwrap_or(i64::MAX))
}

fn plus(expr: Expr, added: i64) -> Expr {
    let (sign, term) =
        if added < 0 { (Added::Minus, added.unsigned_abs()) } else { (Added::Plus, added as u64) };
    match (term, expr) {
        (0, expr) => expr,
        (term, Expr { kind: ExprKind::Sum(first, mut rest), at }) => {
            rest.push((sign, number(i128::from(term))));
            Expr { kind: ExprKind::Sum(first, rest), at }
        }
        (term, expr) => ExprKind::Sum(Box::new(expr), vec![(sign, number(i128::from(term)))]).into(),
    }
}

fn one_or_zero(condition: Expr) -> Expr {
    ExprKind::If(Box::new(condition), Box::new(Expr::number(1)), Box::new(Expr::number(0))).into()
}

fn all(mut list: Vec<Expr>) -> Expr {
    match list.len() {
        0 => ExprKind::Truth(true).into(),
        1 => list.remove(0),
        _ => ExprKind::And(list).into(),
    }
}

fn any(mut list: Vec<Expr>) -> Expr {
    match list.len() {
        0 => ExprKind::Truth(false).into(),
        1 => list.remove(0),
        _ => ExprKind::Or(list).into(),
    }
}

/// Of each variable with names for its values, whether something computes with it or compares it by
/// order.
fn used_as_numbers(model: &Model) -> Vec<bool> {
    let mut found = vec![false; model.variables.len()];
    let listing = |id: VariableId| match model.values_of(id) {
        Values::Named(names) => Some(names),
        _ => None,
    };
    let fits = |id: VariableId, value: i64| {
        listing(id).is_some_and(|names| usize::try_from(value).is_ok_and(|value| value < names.len()))
    };
    let mut note = |term: &Term| {
        let mut variables = Vec::new();
        term.collect_variables(&mut variables);
        variables.iter().for_each(|id| found[id.index()] = true);
    };
    let mut predicates: Vec<&Predicate> = model.initially.iter().map(|predicate| &**predicate).collect();
    for part in model.events.iter().flat_map(|event| &event.parts) {
        match part {
            Part::Local { variable, change: Change::Add(added), at_least, at_most } if *added != 0 => {
                let one = at_least == at_most || listing(*variable).is_none();
                if !one {
                    note(&Term::Variable(*variable));
                }
            }
            Part::General { guard, updates } => {
                predicates.push(guard);
                for (variable, term) in updates {
                    match term {
                        Term::Constant(value) if fits(*variable, *value) => {}
                        Term::Variable(other) if listing(*variable) == listing(*other) => {}
                        other => {
                            note(other);
                            note(&Term::Variable(*variable));
                        }
                    }
                }
            }
            _ => {}
        }
    }
    while let Some(predicate) = predicates.pop() {
        match predicate {
            Predicate::True | Predicate::False => {}
            Predicate::Not(inner) => predicates.push(inner),
            Predicate::And(list) | Predicate::Or(list) => predicates.extend(list),
            Predicate::Compare(a, comparison, b) => {
                let is_equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
                match (a, b) {
                    (Term::Variable(id), Term::Constant(value)) if is_equality && fits(*id, *value) => {}
                    (Term::Variable(x), Term::Variable(y))
                        if is_equality && listing(*x).is_some() && listing(*x) == listing(*y) => {}
                    (a, b) => {
                        note(a);
                        note(b);
                    }
                }
            }
        }
    }
    found
}
