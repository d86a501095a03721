//! What asynchronous events do: tests and changes of single variables, or predicates and
//! assignments of any form.

use super::bits::Bits;
use symbolon_model::{Change, Comparison, Event, Expr, Part, Predicate, VariableId};

/// The number of a leave that no wider code can prevent: a value below 0, or none at all.
pub(crate) const NEVER_FITS: u32 = u32::MAX;

/// What an event does to each variable that it touches, if it is tests and changes of single
/// variables.
pub(crate) fn locals_of(event: &Event) -> Option<Vec<Local>> {
    let mut locals: Vec<Local> = Vec::with_capacity(event.parts.len());
    for part in &event.parts {
        let Part::Local { variable, at_least, at_most, change } = part else { return None };
        let local = Local { variable: *variable, at_least: *at_least, at_most: *at_most, change: *change };
        match locals.iter_mut().find(|known| known.variable == *variable) {
            Some(known) => known.join(local),
            None => locals.push(local),
        }
    }
    Some(locals)
}

/// What an event does to one variable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    pub(crate) variable: VariableId,
    pub(crate) at_least: u64,
    pub(crate) at_most: u64,
    pub(crate) change: Change,
}

impl Local {
    /// Both at once; only one of them changes anything (M1).
    fn join(&mut self, other: Local) {
        self.at_least = self.at_least.max(other.at_least);
        self.at_most = self.at_most.min(other.at_most);
        if self.change == Change::Add(0) {
            self.change = other.change;
        }
    }

    /// The test alone.
    pub(crate) fn tested(self) -> Local {
        Local { change: Change::Add(0), ..self }
    }

    /// Where the new value does not fit, though nothing was proved against it.
    pub(crate) fn leaving(self, bits: &Bits) -> Option<Local> {
        let largest = bits.largest(self.variable);
        match self.change {
            Change::Add(delta @ 1..) if !bits.is_proved(self.variable) => {
                let least = (largest + 1).saturating_sub(delta.unsigned_abs());
                let tested = self.tested();
                let leaving = Local { at_least: self.at_least.max(least), ..tested };
                (leaving.at_least <= leaving.at_most.min(largest)).then_some(leaving)
            }
            _ => None,
        }
    }

    /// The values from which it can happen so that the new value fits a code up to `largest`; none
    /// if there is no such value.
    pub(crate) fn possible(self, largest: u64) -> Option<(u64, u64)> {
        let (mut at_least, mut at_most) = (self.at_least, self.at_most.min(largest));
        match self.change {
            Change::Add(delta) if delta >= 0 => {
                at_most = at_most.min(largest.checked_sub(delta.unsigned_abs())?);
            }
            Change::Add(delta) => at_least = at_least.max(delta.unsigned_abs()),
            Change::Set(to) if to > largest => return None,
            Change::Set(_) => {}
        }
        (at_least <= at_most).then_some((at_least, at_most))
    }
}

/// All tests of an event, and all that it assigns.
pub(crate) fn tests_and_updates(event: &Event) -> (Vec<Predicate>, Vec<(VariableId, Expr)>) {
    let (mut tests, mut updates) = (Vec::new(), Vec::new());
    for part in &event.parts {
        match part {
            Part::Local { variable, at_least, at_most, change } => {
                let value = Expr::Variable(*variable);
                // A bound beyond all values tests nothing, or nothing passes it.
                match i64::try_from(*at_least) {
                    Ok(bound) => tests.push(compare(&value, Comparison::GreaterOrEqual, bound)),
                    Err(_) => tests.push(Predicate::False),
                }
                if let Ok(bound) = i64::try_from(*at_most) {
                    tests.push(compare(&value, Comparison::LessOrEqual, bound));
                }
                match change {
                    Change::Add(0) => {}
                    Change::Add(delta) => {
                        updates.push((*variable, Expr::Sum(vec![value, Expr::Constant(*delta)])));
                    }
                    Change::Set(to) => {
                        updates.push((*variable, Expr::Constant(i64::try_from(*to).unwrap_or(i64::MAX))));
                    }
                }
            }
            Part::General { guard, updates: assigned } => {
                tests.push((**guard).clone());
                updates.extend(assigned.iter().cloned());
            }
            Part::Choice(_) | Part::Reaction(_) => {}
        }
    }
    (tests, updates)
}

fn compare(value: &Expr, comparison: Comparison, bound: i64) -> Predicate {
    Predicate::Compare(value.clone(), comparison, Expr::Constant(bound))
}
