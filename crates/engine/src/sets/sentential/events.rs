//! Asynchronous events as relations over the few bits that they speak of.
//!
//! What an event writes is mostly a fixed value: a place of a safe net becomes empty, a program
//! sets a variable. Then no primed bits are needed. Only where the new value depends on the old
//! ones does the relation speak of primed twins, and [`with_twins`] says for which variables that
//! happens at all.

use crate::sets::boolean::arithmetic::Formulas;
use crate::sets::boolean::bits::Bits;
use crate::sets::boolean::events::{Local, NEVER_FITS, locals_of, tests_and_updates};
use crate::sets::linear::LinearTest;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Functions, Root, Variable};
use symbolon_dd_mdd::SumTest;
use symbolon_dd_sentential::{Move, Sdd};
use symbolon_model::{Change, Event, Expr, Model, VariableId};

/// Which variables need primed twins: all, for a synchronous step, or those whose new value some
/// event computes from old ones, with variables of these widths.
pub(crate) fn with_twins(model: &Model, widths: &[u32]) -> Vec<bool> {
    let mut has_twin = vec![model.is_synchronous(); model.variables.len()];
    for event in &model.events {
        match locals_of(event) {
            Some(locals) => {
                for local in locals {
                    let largest = (1 << widths[local.variable.index()]) - 1;
                    has_twin[local.variable.index()] |=
                        matches!(written(local, largest), Some(Written::Sum(_)));
                }
            }
            None => {
                for (variable, expr) in tests_and_updates(event).1 {
                    has_twin[variable.index()] |= !matches!(expr, Expr::Constant(_));
                }
            }
        }
    }
    has_twin
}

/// The new value of a variable.
enum Written {
    Value(u64),
    /// The old value and this number.
    Sum(i64),
}

/// What is written if the event happens with a code up to `largest`; nothing if the variable keeps
/// its value.
fn written(local: Local, largest: u64) -> Option<Written> {
    match local.change {
        Change::Add(0) => None,
        Change::Set(to) => Some(Written::Value(to)),
        Change::Add(delta) => match local.possible(largest) {
            Some((from, to)) if from == to => from.checked_add_signed(delta).map(Written::Value),
            Some(_) => Some(Written::Sum(delta)),
            None => None,
        },
    }
}

/// What an event of the model is.
pub(crate) fn move_of(sdd: &mut Sdd, bits: &Bits, event: &Event) -> Result<Move, Interrupted> {
    match locals_of(event) {
        Some(locals) => local_move(sdd, bits, &locals),
        None => general_move(sdd, bits, event),
    }
}

fn local_move(sdd: &mut Sdd, bits: &Bits, locals: &[Local]) -> Result<Move, Interrupted> {
    let mut formulas = Formulas { kernel: sdd, bits };
    let (mut conditions, mut values, mut twins) = (Vec::new(), Vec::new(), Vec::new());
    for &local in locals {
        let largest = bits.largest(local.variable);
        match local.possible(largest) {
            Some(range) => conditions.push(formulas.lies_in(local.variable, range)?),
            None => conditions.push(formulas.constant(false)),
        }
        match written(local, largest) {
            None => {}
            Some(Written::Value(value)) => values.extend(literals(bits, local.variable, value)),
            Some(Written::Sum(delta)) => {
                let sum = Expr::Sum(vec![Expr::Variable(local.variable), Expr::Constant(delta)]);
                let number = formulas.number(&sum)?;
                conditions.push(formulas.is_held(&number, bits.primed(local.variable))?);
                twins.extend(bits.pairs(local.variable));
            }
        }
    }
    let relation = formulas.all(conditions)?;
    let mut leaves = Vec::new();
    for (place, local) in locals.iter().enumerate() {
        if let Some(leaving) = local.leaving(bits) {
            let mut tests = Vec::with_capacity(locals.len());
            for (other_place, other) in locals.iter().enumerate() {
                let test = if other_place == place { leaving } else { other.tested() };
                tests.push(match test.possible(bits.largest(test.variable)) {
                    Some(range) => formulas.lies_in(test.variable, range)?,
                    None => formulas.constant(false),
                });
            }
            leaves.push((formulas.all(tests)?, local.variable.0));
        }
    }
    Ok(Move { relation, values, twins, leaves })
}

fn general_move(sdd: &mut Sdd, bits: &Bits, event: &Event) -> Result<Move, Interrupted> {
    let (guards, updates) = tests_and_updates(event);
    let mut formulas = Formulas { kernel: sdd, bits };
    let mut tests = Vec::with_capacity(guards.len());
    for guard in &guards {
        tests.push(formulas.holds(guard)?);
    }
    let guard = formulas.all(tests)?;
    let mut conditions = vec![guard.clone()];
    let (mut values, mut twins) = (Vec::new(), Vec::new());
    let mut leaves: Vec<(Root, u32)> = Vec::new();
    for (variable, expr) in &updates {
        if let Expr::Constant(value) = expr {
            match u64::try_from(*value) {
                Ok(value) if value <= bits.largest(*variable) => {
                    values.extend(literals(bits, *variable, value));
                }
                too_large_or_negative => {
                    conditions.push(formulas.constant(false));
                    if too_large_or_negative.is_err() {
                        leaves.push((guard.clone(), NEVER_FITS));
                    } else if !bits.is_proved(*variable) {
                        leaves.push((guard.clone(), variable.0));
                    }
                }
            }
            continue;
        }
        let number = formulas.number(expr)?;
        conditions.push(formulas.is_held(&number, bits.primed(*variable))?);
        conditions.push(number.defined.clone());
        twins.extend(bits.pairs(*variable));
        let negative = formulas.is_negative(&number);
        let undefined = formulas.kernel.not(&number.defined);
        let impossible = formulas.kernel.or(&negative, &undefined)?;
        leaves.push((formulas.kernel.and(&impossible, &guard)?, NEVER_FITS));
        if !bits.is_proved(*variable) {
            let exceeds = formulas.exceeds(&number, bits.largest(*variable))?;
            let exceeds = Functions::minus(formulas.kernel, &exceeds, &impossible)?;
            leaves.push((formulas.kernel.and(&exceeds, &guard)?, variable.0));
        }
    }
    leaves.retain(|(leaving, _)| !leaving.node().is_empty());
    Ok(Move { relation: formulas.all(conditions)?, values, twins, leaves })
}

/// What the bits of a variable are where it has a value.
fn literals(bits: &Bits, variable: VariableId, value: u64) -> impl Iterator<Item = (Variable, bool)> + '_ {
    bits.of(variable).iter().enumerate().map(move |(place, &bit)| (bit, value >> place & 1 == 1))
}

impl Formulas<'_, Sdd> {
    /// Where a variable has a value between these, both included.
    fn lies_in(&mut self, variable: VariableId, (least, most): (u64, u64)) -> Result<Root, Interrupted> {
        if least == most {
            let literals: Vec<(Variable, bool)> = literals(self.bits, variable, least).collect();
            return self.kernel.cube(&literals);
        }
        let at_most = |sign: i128, bound: i128| LinearTest {
            terms: vec![(variable, sign)],
            test: SumTest::AtMost,
            bound,
        };
        let not_above = self.sum(&at_most(1, i128::from(most)))?;
        let not_below = self.sum(&at_most(-1, -i128::from(least)))?;
        self.kernel.and(&not_above, &not_below)
    }
}
