//! Asynchronous events as groups of arcs.
//!
//! What a net does to one place, a test against an interval and a sum with a constant, is a small
//! automaton over the bits of that place: from the top down it knows whether the bits so far are
//! those of a bound of the interval, and which carry it has promised to the bits above. Events of
//! any other form are built as relations between bits and their primed twins, and then taken apart.
//!
//! Where nothing is proved about a variable, an event may lead to a value that does not fit. For
//! that a second chain stands beside the event, enabled exactly then, and it leads out of range:
//! firing it reports the variable.

use super::arithmetic::Formulas;
use super::bits::Bits;
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_dd_bdd::{Bdd, Group, Root, Variable};
use symbolon_model::{Change, Comparison, Event, Expr, Part, Predicate, VariableId};

/// The number of a leave that no wider code can prevent: a value below 0, or none at all.
pub(crate) const NEVER_FITS: u32 = u32::MAX;

/// What an asynchronous event does.
pub(crate) fn group_of(bdd: &mut Bdd, bits: &Bits, event: &Event) -> Result<Group, Interrupted> {
    let mut locals: Vec<Local> = Vec::with_capacity(event.parts.len());
    for part in &event.parts {
        match part {
            Part::Local { variable, at_least, at_most, change } => {
                let local =
                    Local { variable: *variable, at_least: *at_least, at_most: *at_most, change: *change };
                match locals.iter_mut().find(|known| known.variable == *variable) {
                    Some(known) => known.join(local),
                    None => locals.push(local),
                }
            }
            _ => return general(bdd, bits, event),
        }
    }
    // From the lowest level up: arcs lead down.
    locals.sort_unstable_by_key(|local| bits.of(local.variable).last().map(|&bit| bdd.level_of(bit)));
    let chain = |bdd: &mut Bdd, locals: &[Local], end: Group| {
        locals.iter().fold(end, |below, local| local.group(bdd, bits, below))
    };
    let mut groups = vec![chain(bdd, &locals, Group::DONE)];
    for (place, local) in locals.iter().enumerate() {
        if let Some(leaving) = local.leaving(bits) {
            let mut tests: Vec<Local> = locals.iter().map(|&local| local.tested()).collect();
            tests[place] = leaving;
            let leave = bdd.leave_range(local.variable.0);
            groups.push(chain(bdd, &tests, leave));
        }
    }
    Ok(bdd.either(&groups))
}

/// What an event does to one variable.
#[derive(Clone, Copy, Debug)]
struct Local {
    variable: VariableId,
    at_least: u64,
    at_most: u64,
    change: Change,
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

    fn tested(self) -> Local {
        Local { change: Change::Add(0), ..self }
    }

    /// Where the new value does not fit, though nothing was proved against it.
    fn leaving(self, bits: &Bits) -> Option<Local> {
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

    /// The arcs of the variable, followed by `below`.
    fn group(self, bdd: &mut Bdd, bits: &Bits, below: Group) -> Group {
        let largest = bits.largest(self.variable);
        let (mut at_least, mut at_most) = (self.at_least, self.at_most.min(largest));
        let (addend, carry) = match self.change {
            Change::Add(0) if at_least == 0 && at_most == largest => return below,
            Change::Add(delta) if delta >= 0 => {
                let Some(room) = largest.checked_sub(delta.unsigned_abs()) else { return Group::NOTHING };
                at_most = at_most.min(room);
                (delta as u64, false)
            }
            Change::Add(delta) => {
                at_least = at_least.max(delta.unsigned_abs());
                // The sum with the complement carries out of the top bit exactly if it is not below
                // 0.
                ((delta as u64) & largest, true)
            }
            Change::Set(to) if to > largest => return Group::NOTHING,
            Change::Set(to) => (to, false),
        };
        if at_least > at_most {
            return Group::NOTHING;
        }
        let is_assigned = matches!(self.change, Change::Set(_));
        let automaton =
            Automaton { bits: bits.of(self.variable), at_least, at_most, addend, is_assigned, below };
        let state = Progress { at_lower_bound: true, at_upper_bound: true, carry };
        automaton.group(bdd, bits.of(self.variable).len(), state, &mut FxHashMap::default())
    }
}

/// A test and a change of one variable, bit by bit from the top.
struct Automaton<'a> {
    bits: &'a [Variable],
    at_least: u64,
    at_most: u64,
    /// What is added, or what is assigned.
    addend: u64,
    is_assigned: bool,
    below: Group,
}

/// What the bits above have left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Progress {
    /// They are those of the lower bound.
    at_lower_bound: bool,
    at_upper_bound: bool,
    /// They counted on a carry from below.
    carry: bool,
}

impl Automaton<'_> {
    /// The arcs of the lowest `length` bits.
    fn group(
        &self,
        bdd: &mut Bdd,
        length: usize,
        above: Progress,
        known: &mut FxHashMap<(usize, Progress), Group>,
    ) -> Group {
        let Some(place) = length.checked_sub(1) else {
            return if above.carry { Group::NOTHING } else { self.below };
        };
        if let Some(&group) = known.get(&(length, above)) {
            return group;
        }
        let bit_of = |number: u64| number >> place & 1;
        let mut split = [[Group::NOTHING; 2]; 2];
        for value in 0..2 {
            if above.at_lower_bound && value < bit_of(self.at_least)
                || above.at_upper_bound && value > bit_of(self.at_most)
            {
                continue;
            }
            let progress = Progress {
                at_lower_bound: above.at_lower_bound && value == bit_of(self.at_least),
                at_upper_bound: above.at_upper_bound && value == bit_of(self.at_most),
                carry: false,
            };
            if self.is_assigned {
                split[value as usize][bit_of(self.addend) as usize] = self.group(bdd, place, progress, known);
                continue;
            }
            for carry in [false, true] {
                let sum = value + bit_of(self.addend) + u64::from(carry);
                if (sum > 1) == above.carry {
                    let progress = Progress { carry, ..progress };
                    split[value as usize][(sum & 1) as usize] = self.group(bdd, place, progress, known);
                }
            }
        }
        let group = bdd.arc(self.bits[place], split);
        known.insert((length, above), group);
        group
    }
}

/// An event of any form, by its relation.
fn general(bdd: &mut Bdd, bits: &Bits, event: &Event) -> Result<Group, Interrupted> {
    let (guards, updates) = tests_and_updates(event);
    let mut formulas = Formulas { bdd, bits };
    let mut conditions = Vec::with_capacity(guards.len());
    for guard in &guards {
        conditions.push(formulas.holds(guard)?);
    }
    let guard = formulas.all(conditions)?;
    let mut relation = vec![guard.clone()];
    let mut leaves: Vec<(Root, u32)> = Vec::new();
    for (variable, expr) in &updates {
        let number = formulas.number(expr)?;
        relation.push(formulas.is_held(&number, bits.primed(*variable))?);
        relation.push(number.defined.clone());
        let negative = formulas.is_negative(&number);
        let undefined = formulas.bdd.not(&number.defined);
        let impossible = formulas.bdd.or(&negative, &undefined)?;
        leaves.push((impossible.clone(), NEVER_FITS));
        if !bits.is_proved(*variable) {
            let exceeds = formulas.exceeds(&number, bits.largest(*variable))?;
            leaves.push((formulas.bdd.minus(&exceeds, &impossible)?, variable.0));
        }
    }
    let relation = formulas.all(relation)?;

    let mut twins: FxHashMap<Variable, Variable> = FxHashMap::default();
    for (variable, _) in &updates {
        twins.extend(bits.pairs(*variable));
    }
    let mut touched: Vec<VariableId> = event.variables();
    touched.retain(|variable| !bits.of(*variable).is_empty());
    let own = touched.iter().flat_map(|&variable| bits.of(variable).iter().copied());
    let read: Vec<(Variable, Option<Variable>)> = own.clone().map(|bit| (bit, None)).collect();
    let moved: Vec<(Variable, Option<Variable>)> = own.map(|bit| (bit, twins.get(&bit).copied())).collect();
    let mut groups = vec![bdd.moves_of_relation(&relation, &moved, Group::DONE)];
    for (leaving, number) in leaves {
        let leaving = bdd.and(&leaving, &guard)?;
        let leave = bdd.leave_range(number);
        groups.push(bdd.moves_of_relation(&leaving, &read, leave));
    }
    Ok(bdd.either(&groups))
}

/// All tests of an event, and all that it assigns.
fn tests_and_updates(event: &Event) -> (Vec<Predicate>, Vec<(VariableId, Expr)>) {
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
