//! What one state decides about a formula, whatever comes after it.
//!
//! Many formulas are decided by the state in which they are asked: `A (p U q)` holds where `q`
//! does, `AG p` fails where `p` does not. Values are *true*, *false* or *not known* (Kleene's
//! logic); for a subformula about paths a value means that **every** path from the state has it. At
//! a dead state there is one path at most, so nearly all is known.

use symbolon_engine::Met;
use symbolon_logic::{Formula, FormulaId, Operator, Paths};
use symbolon_model::{Atom, EventId, Model};

/// A state, and what is enabled in it.
pub(super) trait View {
    /// The values of the variables.
    fn state(&self) -> &[u64];
    /// Whether an event is enabled.
    fn is_enabled(&self, event: EventId) -> bool;
    /// Whether none is.
    fn is_dead(&self) -> bool;
}

impl View for Met<'_> {
    fn state(&self) -> &[u64] {
        self.state
    }

    fn is_enabled(&self, event: EventId) -> bool {
        Met::is_enabled(self, event)
    }

    fn is_dead(&self) -> bool {
        self.enabled_count == 0
    }
}

/// A state of a model, with nothing computed before.
pub(super) struct PlainView<'a> {
    pub(super) model: &'a Model,
    pub(super) state: &'a [u64],
}

impl View for PlainView<'_> {
    fn state(&self) -> &[u64] {
        self.state
    }

    fn is_enabled(&self, event: EventId) -> bool {
        self.model.event(event).is_enabled(self.state)
    }

    fn is_dead(&self) -> bool {
        !self.model.events.iter().any(|event| event.is_enabled(self.state))
    }
}

/// The values of all subformulas of `formula` in a state, as far as the state alone decides them;
/// `known` says what was found out otherwise of subformulas about this state.
pub(super) fn glance(
    formula: &Formula<Atom>,
    paths: Paths,
    view: &impl View,
    known: impl Fn(FormulaId) -> Option<bool>,
    values: &mut Vec<Option<bool>>,
) -> Option<bool> {
    values.clear();
    for (id, operator) in formula.subformulas() {
        let found = known(id).or_else(|| value(operator, paths, view, |operand| values[operand.index()]));
        values.push(found);
    }
    values[formula.root().index()]
}

fn value(
    operator: &Operator<Atom>,
    paths: Paths,
    view: &impl View,
    of: impl Fn(FormulaId) -> Option<bool>,
) -> Option<bool> {
    if operator.is_temporal() && view.is_dead() {
        return at_the_end(operator, paths, of);
    }
    match *operator {
        Operator::True => Some(true),
        Operator::False => Some(false),
        Operator::Deadlock => Some(view.is_dead()),
        Operator::Atom(Atom::Holds(ref predicate)) => predicate.holds(view.state()),
        Operator::Atom(Atom::Fireable(ref events)) => {
            Some(events.iter().any(|&event| view.is_enabled(event)))
        }
        Operator::Not(f) => of(f).map(|value| !value),
        Operator::And(f, g) => both(of(f), of(g)),
        Operator::Or(f, g) => either(of(f), of(g)),
        Operator::Implies(f, g) => either(of(f).map(|value| !value), of(g)),
        Operator::Equivalent(f, g) => Some(of(f)? == of(g)?),

        Operator::Next(_) => None,
        Operator::Finally(f) => of(f).filter(|&value| value),
        Operator::Globally(f) => of(f).filter(|&value| !value),
        Operator::Until(f, g) | Operator::WeakUntil(f, g) => match (of(f), of(g)) {
            (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            _ => None,
        },
        Operator::Release(f, g) => match (of(f), of(g)) {
            (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        },

        // A state without infinite path satisfies every `A` and no `E`. A glance recognises dead
        // states only.
        Operator::Exists(_) if paths == Paths::Infinite && view.is_dead() => Some(false),
        Operator::ForAll(_) if paths == Paths::Infinite && view.is_dead() => Some(true),
        Operator::Exists(f) if paths == Paths::Infinite => of(f).filter(|&value| !value),
        Operator::ForAll(f) if paths == Paths::Infinite => of(f).filter(|&value| value),
        Operator::Exists(f) | Operator::ForAll(f) => of(f),
        Operator::Knows(..) | Operator::CanForce(..) => None,
    }
}

/// The value of a temporal operator at a state where every path ends, or stays.
fn at_the_end(
    operator: &Operator<Atom>,
    paths: Paths,
    of: impl Fn(FormulaId) -> Option<bool>,
) -> Option<bool> {
    match *operator {
        Operator::Next(f) if paths == Paths::Stutter => of(f),
        Operator::Finally(f) | Operator::Globally(f) => of(f),
        Operator::Until(_, g) | Operator::Release(_, g) => of(g),
        Operator::WeakUntil(f, g) => either(of(f), of(g)),
        _ => None,
    }
}

fn both(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn either(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    both(a.map(|value| !value), b.map(|value| !value)).map(|value| !value)
}
