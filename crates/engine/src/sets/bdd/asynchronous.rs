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

use crate::sets::boolean::arithmetic::Formulas;
use crate::sets::boolean::bits::Bits;
use crate::sets::boolean::events::{Local, NEVER_FITS, locals_of, tests_and_updates};
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_dd_bdd::{Bdd, Group, Root, Variable};
use symbolon_model::{Change, Event, VariableId};

/// What an asynchronous event does.
pub(crate) fn group_of(bdd: &mut Bdd, bits: &Bits, event: &Event) -> Result<Group, Interrupted> {
    let Some(mut locals) = locals_of(event) else {
        return general(bdd, bits, event);
    };
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

impl Local {
    /// The arcs of the variable, followed by `below`.
    fn group(self, bdd: &mut Bdd, bits: &Bits, below: Group) -> Group {
        let largest = bits.largest(self.variable);
        let Some((at_least, at_most)) = self.possible(largest) else { return Group::NOTHING };
        let (addend, carry) = match self.change {
            Change::Add(0) if at_least == 0 && at_most == largest => return below,
            Change::Add(delta) if delta >= 0 => (delta as u64, false),
            // The sum with the complement carries out of the top bit exactly if it is not below 0.
            Change::Add(delta) => ((delta as u64) & largest, true),
            Change::Set(to) => (to, false),
        };
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
    let mut formulas = Formulas { kernel: bdd, bits };
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
        let undefined = formulas.kernel.not(&number.defined);
        let impossible = formulas.kernel.or(&negative, &undefined)?;
        leaves.push((impossible.clone(), NEVER_FITS));
        if !bits.is_proved(*variable) {
            let exceeds = formulas.exceeds(&number, bits.largest(*variable))?;
            leaves.push((formulas.kernel.minus(&exceeds, &impossible)?, variable.0));
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
