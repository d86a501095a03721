//! Which formulas ask for a state: `EF p` and `AG p`, and what means the same.
//!
//! `AG p` fails where a state without `p` can be reached, so one search answers both. Paths must
//! not matter: a state that can be reached lies on a path that is maximal, or that stutters, but
//! not always on an infinite one.

use crate::loaded::Loaded;
use crate::property::Property;
use symbolon_logic::{Formula, FormulaId, Operator, Paths, simplify};
use symbolon_model::{Atom, Comparison, EventId, Expr, Model, Part, Predicate};

/// Which states are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// States in which nothing can happen.
    Dead,
    /// States in which this holds.
    Holds(Predicate),
}

impl Goal {
    /// Whether a state is looked for.
    pub(crate) fn contains(&self, model: &Model, state: &[u64]) -> bool {
        match self {
            Goal::Dead => !model.event_ids().any(|event| model.can_happen(event, state)),
            Goal::Holds(predicate) => predicate.holds(state) == Some(true),
        }
    }
}

/// What a formula says about the states that can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Such a state can be reached.
    Some(Goal),
    /// No such state can be reached.
    None(Goal),
    /// Nothing: it is true or false whatever the model does.
    Constant(bool),
}

/// Why a property cannot be searched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    /// The reason.
    pub(crate) why: String,
    /// Whether the formula is of another form, which the user can see; else it is a matter of the
    /// model.
    pub(crate) is_form: bool,
}

impl Refused {
    fn form(why: impl Into<String>) -> Refused {
        Refused { why: why.into(), is_form: true }
    }
}

const OTHER_FORM: &str = "only EF p and AG p, with p about one state, can be searched for";

/// The states that a property asks for, or why it is not about reachable states.
pub(crate) fn asked(loaded: &Loaded, property: &Property) -> Result<Asked, Refused> {
    let model = &loaded.model;
    if !loaded.questions.fairness.is_empty() {
        return Err(Refused::form("the system has fairness constraints, which only whole runs satisfy"));
    }
    if property.paths == Paths::Infinite {
        let why = "reachability is not enough on infinite paths; use option ‹paths maximal›";
        return Err(Refused::form(why));
    }
    let formula = simplify(&property.formula, property.paths);
    let root = formula.root();
    let (id, is_negated) = match *formula.operator(root) {
        Operator::True => return Ok(Asked::Constant(true)),
        Operator::False => return Ok(Asked::Constant(false)),
        Operator::Not(inner) => (inner, true),
        _ => (root, false),
    };
    let (target, is_good) = reached(&formula, id).ok_or_else(|| Refused::form(OTHER_FORM))?;
    // `AG p` looks for a state without `p`.
    let goal = match (is_good, formula.operator(target)) {
        (true, Operator::Deadlock) => Goal::Dead,
        (false, &Operator::Not(inner)) if *formula.operator(inner) == Operator::Deadlock => Goal::Dead,
        _ => {
            let predicate = predicate(model, &formula, target)?;
            Goal::Holds(if is_good { predicate } else { predicate.negated() })
        }
    };
    Ok(if is_good != is_negated { Asked::Some(goal) } else { Asked::None(goal) })
}

/// The operand of `EF`, or that of `AG`, and whether it is the former.
fn reached(formula: &Formula<Atom>, id: FormulaId) -> Option<(FormulaId, bool)> {
    match *formula.operator(id) {
        Operator::Exists(path) => match *formula.operator(path) {
            Operator::Finally(target) => Some((target, true)),
            Operator::Until(hold, target) if *formula.operator(hold) == Operator::True => {
                Some((target, true))
            }
            _ => None,
        },
        Operator::ForAll(path) => match *formula.operator(path) {
            Operator::Globally(target) => Some((target, false)),
            Operator::Release(free, target) | Operator::WeakUntil(target, free)
                if *formula.operator(free) == Operator::False =>
            {
                Some((target, false))
            }
            _ => None,
        },
        _ => None,
    }
}

/// A property about one state as a predicate.
pub(crate) fn state_predicate(loaded: &Loaded, property: &Property) -> Result<Predicate, String> {
    let formula = &property.formula;
    // A formula without a quantifier is read as one about all paths from the state.
    let root = match *formula.operator(formula.root()) {
        Operator::ForAll(inner) if property.is_linear => inner,
        _ => formula.root(),
    };
    predicate(&loaded.model, formula, root).map_err(|refused| refused.why)
}

/// A formula about one state as a predicate.
fn predicate(model: &Model, formula: &Formula<Atom>, id: FormulaId) -> Result<Predicate, Refused> {
    let of = |id: FormulaId| predicate(model, formula, id);
    Ok(match formula.operator(id) {
        Operator::True => Predicate::True,
        Operator::False => Predicate::False,
        Operator::Deadlock => some_enabled(model, model.event_ids())?.negated(),
        Operator::Atom(Atom::Holds(predicate)) => total(predicate.clone())?,
        Operator::Atom(Atom::Fireable(events)) => some_enabled(model, events.iter().copied())?,
        &Operator::Not(f) => of(f)?.negated(),
        &Operator::And(f, g) => Predicate::all([of(f)?, of(g)?]),
        &Operator::Or(f, g) => Predicate::any([of(f)?, of(g)?]),
        &Operator::Implies(f, g) => Predicate::any([of(f)?.negated(), of(g)?]),
        &Operator::Equivalent(f, g) => {
            let (f, g) = (of(f)?, of(g)?);
            let neither = Predicate::all([f.clone().negated(), g.clone().negated()]);
            Predicate::any([Predicate::all([f, g]), neither])
        }
        _ => return Err(Refused::form(OTHER_FORM)),
    })
}

/// Where some of these events can happen.
fn some_enabled(model: &Model, events: impl Iterator<Item = EventId>) -> Result<Predicate, Refused> {
    Ok(Predicate::any(events.map(|event| enabled(model, event)).collect::<Result<Vec<_>, _>>()?))
}

/// Where an event can happen.
fn enabled(model: &Model, event: EventId) -> Result<Predicate, Refused> {
    let event = model.event(event);
    let mut tests = Vec::with_capacity(event.parts.len());
    for part in &event.parts {
        match part {
            Part::Local { variable, at_least, at_most, .. } => {
                let value = || Expr::Variable(*variable);
                let limit = |number: u64| i64::try_from(number).ok().map(Expr::Constant);
                if *at_least > 0
                    && let Some(least) = limit(*at_least)
                {
                    tests.push(Predicate::Compare(value(), Comparison::GreaterOrEqual, least));
                }
                // No value is above what cannot be written.
                if let Some(most) = limit(*at_most) {
                    tests.push(Predicate::Compare(value(), Comparison::LessOrEqual, most));
                }
            }
            Part::General { guard, .. } => tests.push(total((**guard).clone())?),
            Part::Choice(_) | Part::Reaction(_) => {
                return Err(Refused::form(format!("'{}' is a step of all agents at once", event.name)));
            }
        }
    }
    Ok(Predicate::all(tests))
}

/// A predicate that has a value in every state, so that its negation holds where it does not.
fn total(predicate: Predicate) -> Result<Predicate, Refused> {
    let mut undefined = Vec::new();
    predicate.collect_undefined(&mut undefined);
    // Divided by a number, something has no value only if the number is 0.
    let never = |one: &Predicate| matches!(one, Predicate::Compare(Expr::Constant(1.. | ..=-1), _, _));
    if undefined.iter().all(never) {
        Ok(predicate)
    } else {
        Err(Refused { why: "it divides by something that may be 0".to_string(), is_form: false })
    }
}
