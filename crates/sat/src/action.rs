//! Events as the encodings see them: what each tests, what each writes, and which may change
//! places.
//!
//! The normal forms rest on two relations between events, computed once from the variables that two
//! events share.
//!
//! - *first* and *then* **can swap** if, whenever *first* happens and then *then*, they can also
//!   happen the other way round, with the same result. It is not symmetric: who only puts tokens
//!   can go before who takes some, not the reverse. Of all runs of one length from one state to
//!   another the lexicographically least has no neighbours that can swap and stand in the wrong
//!   order, so demanding that loses no state at any distance.
//! - an event **waits for** another if it could not join the step in which the other happens, were
//!   it alone there.

use crate::error::Error;
use symbolon_model::{Change, EventId, ExclusiveSet, Expr, Model, Part, Predicate, VariableId};

/// What is not yet known to be impossible, of every event.
#[derive(Debug)]
pub(crate) struct Actions<'m> {
    /// One for each event that changes something; the others never help to reach a state.
    pub(crate) list: Vec<Action<'m>>,
    /// When each event is enabled, in the order of the model.
    pub(crate) conditions: Vec<Condition<'m>>,
    /// For each variable a value that is never exceeded, where one is proved.
    pub(crate) proved: Vec<Option<u64>>,
    /// For each variable the largest of its values, where they are finitely many.
    pub(crate) domain: Vec<Option<u64>>,
    /// For each variable the actions that touch it, and how.
    pub(crate) touching: Vec<Vec<(u32, Access)>>,
    /// For each variable the actions that write it, each with the index in its list of writes.
    pub(crate) writers: Vec<Vec<(u32, u32)>>,
    /// For each exclusive set the actions that add to a variable of it or take from it.
    pub(crate) movers: Vec<Vec<u32>>,
    /// The actions whose results may leave the range of a variable.
    pub(crate) risky: Vec<u32>,
}

/// When an event is enabled.
#[derive(Debug)]
pub(crate) struct Condition<'m> {
    /// Intervals in which variables must lie.
    pub(crate) tests: Vec<(VariableId, u64, u64)>,
    /// What must hold besides.
    pub(crate) guards: Vec<&'m Predicate>,
}

/// An event that changes something.
#[derive(Debug)]
pub(crate) struct Action<'m> {
    pub(crate) event: EventId,
    /// What is written.
    pub(crate) writes: Vec<(VariableId, Effect<'m>)>,
    /// Every variable that is read or written, ascending.
    accesses: Vec<(VariableId, Access)>,
}

/// What becomes of a variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Effect<'m> {
    Change(Change),
    Assign(&'m Expr),
}

/// How an event touches a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    at_least: u64,
    at_most: u64,
    change: Change,
    /// Whether more happens to it than the three fields say.
    is_general: bool,
    pub(crate) is_written: bool,
}

/// How an event touches a variable, as far as steps of several events care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// It is looked at.
    Read,
    /// So much is taken, if it is there, and so much is put.
    Flow { take: u64, put: u64 },
    /// Anything else.
    Other,
}

impl Access {
    pub(crate) fn manner(self) -> Manner {
        match self.change {
            _ if !self.is_written => Manner::Read,
            Change::Add(delta) if !self.is_general && self.at_most == u64::MAX => {
                Manner::Flow { take: self.at_least, put: self.at_least.saturating_add_signed(delta) }
            }
            _ => Manner::Other,
        }
    }

    /// Whether `self` and then `then` can swap, as far as this variable is concerned; it never
    /// exceeds `top`.
    fn can_swap(self, then: Access, top: u64) -> bool {
        if !self.is_written && !then.is_written {
            return true;
        }
        if self.is_general || then.is_general {
            return false;
        }
        let interval = |access: Access| (i128::from(access.at_least), i128::from(access.at_most));
        let top = i128::from(top);
        let ((la, ua), (lb, ub)) = (interval(self), interval(then));
        let ua = ua.min(top);
        let within = |value: u64, (low, high): (i128, i128)| (low..=high).contains(&i128::from(value));
        match (self.change, then.change) {
            (Change::Add(a), Change::Add(b)) => {
                let (a, b) = (i128::from(a), i128::from(b));
                // The values from which one can happen after the other.
                let low = la.max(lb - a);
                let high = ua.min(ub - a).min(top - a).min(top - a - b);
                let happens_before = low >= lb && high <= ub;
                let happens_after = low + b >= la && high + b <= i128::from(self.at_most);
                low > high || happens_before && happens_after
            }
            (Change::Set(c), Change::Add(b)) => !within(c, (lb, ub)) || b == 0 && la >= lb && ua <= ub,
            (Change::Add(a), Change::Set(c)) => a == 0 && within(c, interval(self)),
            (Change::Set(c), Change::Set(d)) => {
                !within(c, (lb, ub)) || c == d && la >= lb && ua <= ub && within(d, interval(self))
            }
        }
    }

    /// Whether an event that touches a variable like this could not join a step with one that
    /// touches it like `earlier`.
    fn waits_for(self, earlier: Access) -> bool {
        match (self.manner(), earlier.manner()) {
            (Manner::Read, Manner::Read) => false,
            // What the other only takes was there for both. What it puts may be what this one
            // takes.
            (Manner::Flow { take, .. }, Manner::Flow { put, .. }) => take > 0 && put > 0,
            _ => true,
        }
    }
}

impl<'m> Actions<'m> {
    /// The actions of a model. A synchronous step is the only event of its model, and no action.
    pub(crate) fn new(model: &'m Model) -> Result<Self, Error> {
        let count = model.variables.len();
        let mut proved: Vec<Option<u64>> =
            (0..count).map(|v| model.facts.upper_bounds.get(v).copied().flatten()).collect();
        for variable in model.facts.exclusive.iter().flat_map(|set| &set.variables) {
            let known = &mut proved[variable.index()];
            *known = Some(known.map_or(1, |bound| bound.min(1)));
        }
        let domain = model.variable_ids().map(|id| Some(model.values_of(id).count()? - 1)).collect();
        let mut actions = Actions {
            list: Vec::new(),
            conditions: Vec::with_capacity(model.events.len()),
            proved,
            domain,
            touching: vec![Vec::new(); count],
            writers: vec![Vec::new(); count],
            movers: Vec::new(),
            risky: Vec::new(),
        };
        if let [step] = model.events.as_slice()
            && step.is_synchronous()
        {
            return Ok(actions);
        }
        for event in model.event_ids() {
            actions.add(model, event)?;
        }
        for (index, action) in actions.list.iter().enumerate() {
            for (position, (variable, _)) in action.writes.iter().enumerate() {
                actions.writers[variable.index()].push((index as u32, position as u32));
            }
            let is_risky = |(variable, effect): &(VariableId, Effect)| {
                let index = variable.index();
                let rises = matches!(effect, Effect::Change(Change::Add(1..)));
                matches!(effect, Effect::Assign(_))
                    || actions.proved[index].is_none() && (rises || actions.domain[index].is_some())
            };
            if action.writes.iter().any(is_risky) {
                actions.risky.push(index as u32);
            }
        }
        actions.movers = model.facts.exclusive.iter().map(|set| actions.movers_of(set)).collect();
        Ok(actions)
    }

    fn add(&mut self, model: &'m Model, event: EventId) -> Result<(), Error> {
        let definition = model.event(event);
        let mut condition = Condition { tests: Vec::new(), guards: Vec::new() };
        let mut writes = Vec::new();
        let mut accesses: Vec<(VariableId, Access)> = Vec::new();
        let mut touch = |variable: VariableId, access: Access| match accesses
            .iter_mut()
            .find(|(known, _)| *known == variable)
        {
            Some((_, known)) => *known = known.together(access),
            None => accesses.push((variable, access)),
        };
        for part in &definition.parts {
            match part {
                Part::Local { variable, at_least, at_most, change } => {
                    // Where a part would go below 0 it is not enabled; the lowering promises it,
                    // and the test costs nothing.
                    let least =
                        if let Change::Add(delta) = change { delta.min(&0).unsigned_abs() } else { 0 };
                    let at_least = *at_least.max(&least);
                    if at_least > 0 || *at_most < u64::MAX {
                        condition.tests.push((*variable, at_least, *at_most));
                    }
                    let is_written = *change != Change::Add(0);
                    if is_written {
                        writes.push((*variable, Effect::Change(*change)));
                    }
                    let mut at_most = *at_most;
                    if let (Change::Add(delta @ 1..), Some(room)) = (*change, self.unproved_limit(*variable))
                    {
                        // It does not happen where it would leave the domain, which is one more
                        // test.
                        at_most = at_most.min(room.saturating_sub(delta.unsigned_abs()));
                    }
                    touch(
                        *variable,
                        Access { at_least, at_most, change: *change, is_general: false, is_written },
                    );
                }
                Part::General { guard, updates } => {
                    if **guard != Predicate::True {
                        condition.guards.push(&**guard);
                    }
                    for variable in part.variables() {
                        let is_written = updates.iter().any(|(written, _)| *written == variable);
                        touch(variable, Access::general(is_written));
                    }
                    writes.extend(updates.iter().map(|(variable, expr)| (*variable, Effect::Assign(expr))));
                }
                Part::Choice(_) | Part::Reaction(_) => {
                    return Err(Error::Unsupported {
                        event: definition.name.clone(),
                        why: "all agents step at once in it, and there are other events",
                    });
                }
            }
        }
        self.conditions.push(condition);
        if !writes.is_empty() {
            accesses.sort_unstable_by_key(|(variable, _)| *variable);
            let index = self.list.len() as u32;
            for &(variable, access) in &accesses {
                self.touching[variable.index()].push((index, access));
            }
            self.list.push(Action { event, writes, accesses });
        }
        Ok(())
    }

    /// The largest value of a variable with finitely many, where no proof says that it stays below.
    fn unproved_limit(&self, variable: VariableId) -> Option<u64> {
        let index = variable.index();
        if self.proved[index].is_none() { self.domain[index] } else { None }
    }

    /// What the variable never exceeds: by proof, or because what would exceed it does not happen.
    pub(crate) fn range(&self, variable: VariableId) -> Option<u64> {
        self.proved[variable.index()].into_iter().chain(self.domain[variable.index()]).min()
    }

    fn movers_of(&self, set: &ExclusiveSet) -> Vec<u32> {
        let writers = set.variables.iter().flat_map(|variable| &self.writers[variable.index()]);
        let adds = writers.filter(|(action, position)| {
            let (_, effect) = self.list[*action as usize].writes[*position as usize];
            matches!(effect, Effect::Change(Change::Add(_)))
        });
        let mut movers: Vec<u32> = adds.map(|(action, _)| *action).collect();
        movers.sort_unstable();
        movers.dedup();
        movers
    }

    /// What the variable provably does not exceed.
    pub(crate) fn limit(&self, variable: VariableId) -> Option<u64> {
        self.proved[variable.index()]
    }

    /// For each action those that it cannot be swapped with when they stand before it, itself among
    /// them, ascending.
    pub(crate) fn obstacles(&self) -> Vec<Vec<u32>> {
        self.related(|first, then, top| !first.can_swap(then, top))
    }

    /// For each action those that it waits for, itself among them, ascending.
    pub(crate) fn waited_for(&self) -> Vec<Vec<u32>> {
        self.related(|earlier, later, _| later.waits_for(earlier))
    }

    fn related(&self, is_related: impl Fn(Access, Access, u64) -> bool) -> Vec<Vec<u32>> {
        let rows = self.list.iter().enumerate().map(|(index, action)| {
            let mut row = vec![index as u32];
            for &(variable, access) in &action.accesses {
                let top = self.limit(variable).unwrap_or(u64::MAX);
                let others = self.touching[variable.index()].iter();
                row.extend(
                    others.filter(|(_, other)| is_related(*other, access, top)).map(|(other, _)| *other),
                );
            }
            row.sort_unstable();
            row.dedup();
            row
        });
        rows.collect()
    }
}

impl Access {
    fn general(is_written: bool) -> Access {
        Access { at_least: 0, at_most: u64::MAX, change: Change::Add(0), is_general: true, is_written }
    }

    /// Two parts of one event that touch the same variable.
    fn together(self, other: Access) -> Access {
        let is_written = self.is_written || other.is_written;
        if self.is_general || other.is_general {
            return Access::general(is_written);
        }
        Access {
            at_least: self.at_least.max(other.at_least),
            at_most: self.at_most.min(other.at_most),
            change: if self.is_written { self.change } else { other.change },
            is_general: false,
            is_written,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access(at_least: u64, at_most: u64, change: Change) -> Access {
        Access { at_least, at_most, change, is_general: false, is_written: change != Change::Add(0) }
    }

    /// Every pair of small accesses, against all values one by one.
    #[test]
    fn what_can_swap_can_be_seen_value_by_value() {
        let top = 4;
        let mut all = Vec::new();
        for at_least in 0..=2 {
            for at_most in [0, 1, 2, u64::MAX] {
                all.extend(
                    (-2..=2_i64)
                        .filter(|d| -d <= at_least as i64)
                        .map(|d| access(at_least, at_most, Change::Add(d))),
                );
                all.extend((0..=2).map(|c| access(at_least, at_most, Change::Set(c))));
            }
        }
        let happen = |access: Access, value: u64| {
            let is_enabled = (access.at_least..=access.at_most).contains(&value);
            is_enabled.then(|| access.change.apply(value)).flatten()
        };
        let mut answers = [0; 2];
        for &first in &all {
            for &then in &all {
                // Values above the proved bound are not reached, neither on the way.
                let expected = (0..=top).all(|value| {
                    let there = happen(first, value).filter(|&v| v <= top);
                    let Some(end) = there.and_then(|v| happen(then, v)).filter(|&v| v <= top) else {
                        return true;
                    };
                    // Where the other way would exceed the bound, the bound was none: nothing is
                    // claimed.
                    match happen(then, value) {
                        Some(middle) if middle > top => true,
                        middle => middle.and_then(|v| happen(first, v)) == Some(end),
                    }
                });
                let found = first.can_swap(then, top);
                assert!(!found || expected, "{first:?} {then:?}");
                answers[usize::from(found)] += 1;
            }
        }
        assert!(answers.iter().all(|&count| count > 200), "{answers:?}");
    }
}
