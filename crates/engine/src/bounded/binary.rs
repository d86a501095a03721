//! Bounded search on bits: EVBDDs, which are edge-valued diagrams whose levels all have two values.
//!
//! The model is written anew with one variable for each bit. An event becomes one event for each
//! pattern of bits that determines its effect: adding 1 clears the ones at the end of a number and
//! sets the zero above them, so that a number of w bits has w patterns. Patterns of one event
//! exclude each other, and each of the new events is a step of the old one; hence distances are the
//! same, and traces can be read back. Tests and updates of any form speak of the weighted sum of
//! the bits instead.
//!
//! A variable without a proved bound gets some bits. If an event leaves them in a state that was
//! found, there were too few, and everything begins again with more. Only a number without a limit
//! that updates of any form compute, or compute with, stays a number: its bits would have no
//! patterns.

use super::{
    Method, NearStates, SEARCH_SETUP, Search, SearchSets, Searched, Target, answer, careless_steps, prepare,
    race_bound, run_method, states_of,
};
use crate::explore::choose_order::{Care, Plan, care_matters};
use crate::explore::{Failure, PartialAnswer, setup_failure};
use crate::order::{Blocks, Order};
use crate::policy::bounded::MOST_PATTERNS;
use crate::sets::boolean::bits::{first_widths, widened};
use crate::sets::core::StateSets;
use crate::sets::setup::{DiagramSetup, Unsupported};
use num_bigint::BigUint;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_dd_core::Limits;
use symbolon_model::{
    Change, Comparison, Event, EventId, Expr, Facts, Model, Part, Predicate, State, Values, Variable,
    VariableId,
};

/// Searches on bits. The order of the variables is the one that other diagrams would have: chosen
/// with little care at first and, where the search turns out to be long, with all.
pub(super) fn search(model: &Model, search: &Search<'_>, budget: &Budget) -> Result<Searched, Failure> {
    if care_matters(model, &search.order)
        && let Some(searched) = search_with_care(Care::Little, model, search, budget)?
    {
        return Ok(searched);
    }
    let searched = search_with_care(Care::Full, model, search, budget)?;
    // Only little care limits the steps.
    searched.ok_or(Failure::Interrupted(Interrupted::Steps, PartialAnswer::default()))
}

/// The answer under an order that was chosen with so much care; with little, `None` if it takes
/// more than a few steps.
fn search_with_care(
    care: Care,
    model: &Model,
    search: &Search<'_>,
    budget: &Budget,
) -> Result<Option<Searched>, Failure> {
    let task = NearStates { bound: race_bound(search), care };
    let plan = prepare(&task, model, &search.order, budget)?.plan;
    let bound = search.bound.unwrap_or(u64::MAX);
    let mut widths = first_widths(model);
    let mut binary = Binary::new(model, &widths).map_err(Failure::Unsupported)?;
    loop {
        let (blocks, order) = binary.order(&plan);
        let meter = Meter::new(budget.clone());
        let sets = SEARCH_SETUP.set_up(&binary.model, &blocks, &order, meter, Limits::default());
        let mut sets = sets.map_err(|error| setup_failure(error, &BigUint::from(1_u32), budget))?;
        sets.meter().grant_steps((care == Care::Little).then(|| careless_steps(&binary.model)));
        let searched = binary.search(&mut sets, search, bound);
        if sets.meter().is_exhausted() {
            return Ok(None);
        }
        let statistics = sets.statistics();
        let stopped = |why| {
            let (nodes, steps) = (statistics.nodes as u64, statistics.steps);
            Failure::Interrupted(why, PartialAnswer { states_at_least: None, nodes, steps })
        };
        match searched.map_err(stopped)? {
            Answer::TooNarrow(variable) => {
                let all = widened(model, &widths, variable).ok_or_else(|| stopped(Interrupted::Overflow))?;
                let wider = Binary::new(model, &all);
                // Where all of them on more bits would be too many patterns, this one alone may do.
                (widths, binary) = match wider {
                    Ok(wider) => (all, wider),
                    Err(_) => {
                        widths[variable.index()] = all[variable.index()];
                        let wider = Binary::new(model, &widths).map_err(Failure::Unsupported)?;
                        (widths, wider)
                    }
                };
            }
            Answer::Found(mut found, is_complete) => {
                if let Some(Ok(trace)) = found.as_mut().map(|found| &mut found.trace) {
                    trace.initial = binary.state(&trace.initial);
                    trace.events.iter_mut().for_each(|event| *event = binary.origins[event.index()]);
                    trace.states.clear();
                }
                let (method, levels) = (Method::EvbddApprox, sets.level_count());
                let bound = Some(bound);
                return Ok(Some(Searched { found, is_complete, method, bound, plan, levels, statistics }));
            }
        }
    }
}

/// What a search on bits says.
enum Answer {
    /// What was found, and whether all reachable states were met.
    Found(Option<super::Found>, bool),
    /// An event leads to a value of this variable that does not fit.
    TooNarrow(VariableId),
}

/// A model on bits.
struct Binary {
    model: Model,
    /// By event: the one that it is a pattern of.
    origins: Vec<EventId>,
    /// By variable of the old model: its bits, the one of least weight first; of a number that
    /// stays one, the number.
    bits: Vec<Vec<VariableId>>,
    /// By variable of the old model: whether it stays a number.
    is_number: Vec<bool>,
    /// Where an event leads to a value that does not fit.
    too_narrow: Vec<(VariableId, Predicate)>,
}

impl Binary {
    fn new(model: &Model, widths: &[u32]) -> Result<Binary, Unsupported> {
        let is_number = open_numbers(model);
        let (mut variables, mut values, mut upper_bounds) = (Vec::new(), Vec::new(), Vec::new());
        let mut bits = Vec::with_capacity(model.variables.len());
        for ((variable, &width), &is_number) in model.variables.iter().zip(widths).zip(&is_number) {
            let width = if is_number { 1 } else { width };
            let first = variables.len() as u32;
            bits.push((first..first + width).map(VariableId).collect());
            variables.extend((0..width).map(|bit| Variable { name: format!("{}.{bit}", variable.name) }));
            let (of_each, bound) =
                if is_number { (Values::Natural, None) } else { (Values::Boolean, Some(1)) };
            values.resize(variables.len(), of_each);
            upper_bounds.resize(variables.len(), bound);
        }
        let model_of_bits = Model::default();
        let (origins, too_narrow) = (Vec::new(), Vec::new());
        let mut binary = Binary { model: model_of_bits, origins, bits, is_number, too_narrow };
        let mut events = Vec::new();
        for id in model.event_ids() {
            for event in binary.patterns_of(model, id)? {
                events.push(event);
                binary.origins.push(id);
            }
        }
        let initially = model.initially.as_ref().map(|predicate| {
            let fits = model.variable_ids().filter_map(|id| {
                let largest = model.values_of(id).count()?.saturating_sub(1);
                (largest < binary.largest(id)).then(|| binary.at_most(&Expr::Variable(id), largest))
            });
            let parts = fits.chain([binary.predicate(predicate)]).collect();
            Box::new(Predicate::And(parts))
        });
        binary.model = Model {
            name: model.name.clone(),
            values,
            facts: Facts { upper_bounds, ..Facts::default() },
            initial: model.initial.iter().map(|state| binary.encoded(state)).collect(),
            initially,
            variables,
            events,
            ..Model::default()
        };
        Ok(binary)
    }

    /// The largest value of a variable that fits.
    fn largest(&self, variable: VariableId) -> u64 {
        match self.is_number[variable.index()] {
            true => i64::MAX as u64,
            false => (1 << self.bits[variable.index()].len()) - 1,
        }
    }

    /// A state of the old model on bits.
    fn encoded(&self, state: &[u64]) -> State {
        let of = |((bits, &is_number), &value): ((&Vec<VariableId>, &bool), &u64)| -> Vec<u64> {
            match is_number {
                true => vec![value],
                false => (0..bits.len()).map(|place| value >> place & 1).collect(),
            }
        };
        self.bits.iter().zip(&self.is_number).zip(state).flat_map(of).collect()
    }

    /// The state of the old model that these bits are.
    fn state(&self, state: &[u64]) -> State {
        let value = |bits: &Vec<VariableId>| {
            bits.iter().enumerate().map(|(place, bit)| state[bit.index()] << place).sum::<u64>()
        };
        self.bits.iter().map(value).collect()
    }

    /// Every bit for itself, those of a variable together, the one of most weight on top.
    fn order(&self, plan: &Plan) -> (Blocks, Order) {
        let blocks = Blocks::single(&self.model);
        let variables = plan.order.blocks.iter().flat_map(|&block| plan.blocks.block(block));
        let bits = variables.filter_map(|variable| self.bits.get(variable.index()));
        let order = bits.flat_map(|bits| bits.iter().rev().map(|bit| bit.0)).collect();
        (blocks, Order { blocks: order })
    }

    fn search(&self, sets: &mut SearchSets, search: &Search<'_>, bound: u64) -> Result<Answer, Interrupted> {
        let reached = run_method(sets, Method::EddApprox, bound)?;
        let states = states_of(sets, &reached)?;
        for (variable, predicate) in &self.too_narrow {
            let outside = sets.select(&states, predicate)?;
            if !sets.is_empty(&outside) {
                return Ok(Answer::TooNarrow(*variable));
            }
        }
        let predicate;
        let target = match search.target {
            Target::Dead => Target::Dead,
            Target::Holds(wanted) => {
                predicate = self.predicate(wanted);
                Target::Holds(&predicate)
            }
        };
        let question = Search { target, method: Method::EddApprox, ..search.clone() };
        let (found, is_complete) = answer(sets, &self.model, &question, bound, &reached)?;
        Ok(Answer::Found(found, is_complete))
    }

    /// The events that an event becomes.
    fn patterns_of(&mut self, model: &Model, id: EventId) -> Result<Vec<Event>, Unsupported> {
        let event = model.event(id);
        let mut patterns: Vec<Vec<Part>> = vec![Vec::new()];
        for part in &event.parts {
            let ways = match part {
                Part::Local { variable, at_least, at_most, change } if self.is_number[variable.index()] => {
                    let variable = self.bits[variable.index()][0];
                    let (at_least, at_most, change) = (*at_least, *at_most, *change);
                    vec![vec![Part::Local { variable, at_least, at_most, change }]]
                }
                Part::Local { variable, at_least, at_most, change } => {
                    self.watch_local(model, event, *variable, *change);
                    let bits = &self.bits[variable.index()];
                    let cubes = local_cubes(bits.len(), *at_least, *at_most, *change);
                    cubes.iter().map(|cube| cube.parts(bits)).collect()
                }
                Part::General { guard, updates } => {
                    self.watch_general(event, updates);
                    vec![vec![self.general(guard, updates)]]
                }
                Part::Choice(_) | Part::Reaction(_) => Vec::new(),
            };
            if patterns.len().saturating_mul(ways.len()) > MOST_PATTERNS {
                let construct = "an effect on too many bits, for evbdd-approx";
                return Err(Unsupported::Construct { event: event.name.clone(), construct });
            }
            let longer = |so_far: &Vec<Part>| {
                let so_far = so_far.clone();
                ways.iter().map(move |way| [&so_far[..], way].concat()).collect::<Vec<_>>()
            };
            patterns = patterns.iter().flat_map(longer).collect();
        }
        let named = |(number, parts)| Event { name: format!("{}.{number}", event.name), parts };
        Ok(patterns.into_iter().enumerate().map(named).collect())
    }

    /// Remembers where a change leads to a value that does not fit, unless it was proved that there
    /// is none.
    fn watch_local(&mut self, model: &Model, event: &Event, variable: VariableId, change: Change) {
        let Change::Add(delta @ 1..) = change else { return };
        if is_proved(model, variable) {
            return;
        }
        let fits = match self.largest(variable).checked_sub(delta.unsigned_abs()) {
            Some(most) => self.at_most(&Expr::Variable(variable), most),
            None => Predicate::False,
        };
        self.watch(event, variable, fits);
    }

    /// The same for updates of any form.
    fn watch_general(&mut self, event: &Event, updates: &[(VariableId, Expr)]) {
        for (variable, value) in updates {
            if self.is_number[variable.index()] {
                continue;
            }
            let most = self.at_most(value, self.largest(*variable));
            // No code is wide enough for what is below 0, so that this ends as an overflow.
            let least = Predicate::Compare(self.expr(value), Comparison::GreaterOrEqual, Expr::Constant(0));
            self.watch(event, *variable, Predicate::And(vec![least, most]));
        }
    }

    fn watch(&mut self, event: &Event, variable: VariableId, fits: Predicate) {
        let mut parts: Vec<Predicate> = event.parts.iter().flat_map(|part| self.guard(part)).collect();
        parts.push(Predicate::Not(Box::new(fits)));
        self.too_narrow.push((variable, Predicate::And(parts)));
    }

    /// Where a part is enabled, on bits.
    fn guard(&self, part: &Part) -> Vec<Predicate> {
        match part {
            Part::Local { variable, at_least, at_most, .. } => {
                let value = Expr::Variable(*variable);
                let mut tests = Vec::new();
                if let Some(below) = at_least.checked_sub(1) {
                    tests.push(Predicate::Not(Box::new(self.at_most(&value, below))));
                }
                if *at_most < self.largest(*variable) {
                    tests.push(self.at_most(&value, *at_most));
                }
                tests
            }
            Part::General { guard, .. } => vec![self.predicate(guard)],
            Part::Choice(_) | Part::Reaction(_) => Vec::new(),
        }
    }

    /// That a value of the old model is at most this.
    fn at_most(&self, value: &Expr, most: u64) -> Predicate {
        // States hold no larger numbers than this.
        let most = Expr::Constant(i64::try_from(most).unwrap_or(i64::MAX));
        Predicate::Compare(self.expr(value), Comparison::LessOrEqual, most)
    }

    /// A part of any form on bits: it happens only where all new values fit.
    fn general(&self, guard: &Predicate, updates: &[(VariableId, Expr)]) -> Part {
        let mut tests = vec![self.predicate(guard)];
        let mut on_bits = Vec::new();
        for (variable, value) in updates {
            let bits = &self.bits[variable.index()];
            let value = self.expr(value);
            if self.is_number[variable.index()] {
                on_bits.push((bits[0], value));
                continue;
            }
            let compared =
                |comparison, number| Predicate::Compare(value.clone(), comparison, Expr::Constant(number));
            tests.push(compared(Comparison::GreaterOrEqual, 0));
            tests.push(compared(Comparison::LessOrEqual, self.largest(*variable) as i64));
            for (place, &bit) in bits.iter().enumerate() {
                on_bits.push((bit, bit_of(&value, place, bits.len())));
            }
        }
        Part::General { guard: Box::new(Predicate::And(tests)), updates: on_bits }
    }

    /// A predicate of the old model on bits.
    fn predicate(&self, predicate: &Predicate) -> Predicate {
        let all = |parts: &[Predicate]| parts.iter().map(|part| self.predicate(part)).collect();
        match predicate {
            Predicate::True => Predicate::True,
            Predicate::False => Predicate::False,
            Predicate::Compare(a, comparison, b) => {
                Predicate::Compare(self.expr(a), *comparison, self.expr(b))
            }
            Predicate::Not(inner) => Predicate::Not(Box::new(self.predicate(inner))),
            Predicate::And(parts) => Predicate::And(all(parts)),
            Predicate::Or(parts) => Predicate::Or(all(parts)),
        }
    }

    /// An expression of the old model on bits.
    fn expr(&self, expr: &Expr) -> Expr {
        match expr {
            Expr::Variable(variable) => match &self.bits[variable.index()][..] {
                [bit] => Expr::Variable(*bit),
                bits => Expr::Sum(
                    bits.iter()
                        .enumerate()
                        .map(|(place, bit)| weighted(place, Expr::Variable(*bit)))
                        .collect(),
                ),
            },
            other => other.with_operands(|operand| self.expr(operand)),
        }
    }
}

/// Which variables have no limit and take part in something that is more than a test and a change
/// of one variable.
fn open_numbers(model: &Model) -> Vec<bool> {
    let mut found = vec![false; model.variables.len()];
    for part in model.events.iter().flat_map(|event| &event.parts) {
        if matches!(part, Part::General { .. }) {
            for variable in part.variables().into_iter().filter(|&variable| !is_proved(model, variable)) {
                found[variable.index()] = true;
            }
        }
    }
    found
}

/// Whether no reachable state has a value that needs more bits than there are to begin with.
fn is_proved(model: &Model, variable: VariableId) -> bool {
    let bound = model.facts.upper_bounds.get(variable.index()).copied().flatten();
    bound.is_some() || model.values_of(variable).count().is_some()
}

/// A power of two times an expression.
fn weighted(place: usize, expr: Expr) -> Expr {
    match place {
        0 => expr,
        _ => Expr::Product(Box::new(Expr::Constant(1 << place)), Box::new(expr)),
    }
}

/// One bit of a number with a given number of bits.
fn bit_of(value: &Expr, place: usize, width: usize) -> Expr {
    let shifted = |place: usize| match place {
        0 => value.clone(),
        _ => Expr::Quotient(Box::new(value.clone()), Box::new(Expr::Constant(1 << place))),
    };
    if place + 1 == width {
        return shifted(place);
    }
    let above = Expr::Product(Box::new(Expr::Constant(-2)), Box::new(shifted(place + 1)));
    Expr::Sum(vec![shifted(place), above])
}

/// What must be of each bit of a variable, and what becomes of it; the one of least weight first.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cube {
    test: Vec<Option<bool>>,
    after: Vec<Option<bool>>,
}

impl Cube {
    /// Where all bits of both tests are as wanted; `None` if that is nowhere. Effects are those of
    /// `self`.
    fn limited(&self, test: &[Option<bool>]) -> Option<Cube> {
        let both = self.test.iter().zip(test).map(|pair| match pair {
            (Some(a), Some(b)) if a != b => None,
            (a, b) => Some(a.or(*b)),
        });
        Some(Cube { test: both.collect::<Option<_>>()?, after: self.after.clone() })
    }

    fn parts(&self, bits: &[VariableId]) -> Vec<Part> {
        let part = |((&variable, test), after): ((&VariableId, &Option<bool>), &Option<bool>)| {
            let change = match after {
                Some(value) if after != test => Change::Set(u64::from(*value)),
                _ => Change::Add(0),
            };
            let (at_least, at_most) = match test {
                Some(value) => (u64::from(*value), u64::from(*value)),
                None => (0, 1),
            };
            let is_idle = test.is_none() && change == Change::Add(0);
            (!is_idle).then_some(Part::Local { variable, at_least, at_most, change })
        };
        bits.iter().zip(&self.test).zip(&self.after).filter_map(part).collect()
    }
}

/// The patterns of a test and a change of one variable: cubes without a value in common.
fn local_cubes(width: usize, at_least: u64, at_most: u64, change: Change) -> Vec<Cube> {
    let largest = (1 << width) - 1;
    let effects = match change {
        Change::Set(value) => {
            let after = (0..width).map(|place| Some(value >> place & 1 == 1)).collect();
            vec![Cube { test: vec![None; width], after }]
        }
        Change::Add(delta) => additions(width, delta),
    };
    // What a subtraction needs anyway is not tested again.
    let needed = match change {
        Change::Add(delta) if delta < 0 => delta.unsigned_abs(),
        _ => 0,
    };
    let at_least = if at_least <= needed { 0 } else { at_least };
    let intervals = aligned(width, at_least, at_most.min(largest));
    let limited = |effect: &Cube| {
        let effect = effect.clone();
        intervals.iter().filter_map(move |test| effect.limited(test)).collect::<Vec<_>>()
    };
    effects.iter().flat_map(limited).collect()
}

/// The patterns of adding a number: those where the result is negative or does not fit are left
/// out.
fn additions(width: usize, delta: i64) -> Vec<Cube> {
    let amount = delta.unsigned_abs();
    if amount >> width != 0 {
        return Vec::new();
    }
    // A subtraction turns a bit as an addition does, but carries on where the bit was 0.
    let carries_on = delta > 0;
    let mut open = vec![(Cube { test: vec![None; width], after: vec![None; width] }, false)];
    for place in 0..width {
        let mut next = Vec::new();
        for (cube, carry) in open {
            match (amount >> place & 1 == 1, carry) {
                (false, false) => next.push((cube, false)),
                (true, true) => next.push((cube, true)),
                _ => {
                    for bit in [false, true] {
                        let mut cube = cube.clone();
                        (cube.test[place], cube.after[place]) = (Some(bit), Some(!bit));
                        next.push((cube, bit == carries_on));
                    }
                }
            }
        }
        open = next;
    }
    open.into_iter().filter(|(_, carry)| !carry).map(|(cube, _)| cube).collect()
}

/// The numbers from `first` to `last` as tests of bits: aligned blocks, the largest that fit.
fn aligned(width: usize, first: u64, last: u64) -> Vec<Vec<Option<bool>>> {
    let mut tests = Vec::new();
    let mut from = first;
    while from <= last {
        let most = (last - from + 1).ilog2();
        let free = (from.trailing_zeros().min(most) as usize).min(width);
        let test = (0..width).map(|place| (place >= free).then_some(from >> place & 1 == 1));
        tests.push(test.collect());
        from += 1 << free;
    }
    tests
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every value has one pattern if it is enabled and the result fits, none otherwise, and the
    /// pattern leads to the result.
    fn check(width: usize, at_least: u64, at_most: u64, change: Change) {
        let cubes = local_cubes(width, at_least, at_most, change);
        for value in 0..1_u64 << width {
            let bit = |place: usize| value >> place & 1 == 1;
            let fits = |cube: &&Cube| {
                cube.test
                    .iter()
                    .enumerate()
                    .all(|(place, test)| test.is_none_or(|wanted| wanted == bit(place)))
            };
            let led: Vec<u64> = cubes
                .iter()
                .filter(fits)
                .map(|cube| {
                    let after = cube.after.iter().enumerate();
                    after.map(|(place, after)| u64::from(after.unwrap_or(bit(place))) << place).sum()
                })
                .collect();
            let is_enabled = (at_least..=at_most).contains(&value);
            let expected = change.apply(value).filter(|&new| is_enabled && new < 1 << width);
            let expected: Vec<u64> = expected.into_iter().collect();
            assert_eq!(led, expected, "{value} in {at_least}..={at_most}, {change:?}, {width} bits");
        }
    }

    #[test]
    fn patterns_are_the_change() {
        for width in 1..=4 {
            for delta in -9..=9 {
                for at_least in 0..6 {
                    for at_most in [0, 1, 2, 5, 11, u64::MAX] {
                        check(width, at_least, at_most, Change::Add(delta));
                    }
                }
            }
            for value in 0..1 << width {
                check(width, 0, u64::MAX, Change::Set(value));
                check(width, 1, 2, Change::Set(value));
            }
        }
    }

    #[test]
    fn adding_one_has_a_pattern_for_each_bit() {
        assert_eq!(local_cubes(10, 0, u64::MAX, Change::Add(1)).len(), 10);
        assert_eq!(local_cubes(10, 1, u64::MAX, Change::Add(-1)).len(), 10);
    }
}
