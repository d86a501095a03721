//! Sets of symbolic markings, for everything that the engine computes with sets of states.
//!
//! A state is a vector of numbers: for each place the number of its tokens, of all colours
//! together, then those of each single colour that questions are about, and last the number of the
//! symbolic marking. So atoms about places compare variables, as in any model. A set is a bit per
//! symbolic marking, and steps are looked up in the graph.

use crate::quotient::{Quotient, QuotientStep};
use num_bigint::BigUint;
use std::sync::Arc;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_coloured::{ColourNames, PartialBinding, PlaceColour, PlaceId, TransitionId};
use symbolon_dd_core::Statistics;
use symbolon_engine::{LinearTest, StateSets, SumTest};
use symbolon_model::{Event, EventId, Model, Origins, Part, Reaction, Source, State, Variable, VariableId};

/// The quotient as a model, for those parts of the engine that ask for one.
///
/// Variable `i` is the number of tokens in place `i`; those of single colours that questions are about
/// follow, and one more is the number of the symbolic marking. Event `i` is transition `i`; partial
/// bindings that questions are about follow, which can be tested and not fired. Events are marked as
/// steps that may lead to several states, since a transition leads to one symbolic marking per kind of
/// binding; where they lead, only [`QuotientSets`] know, so the model cannot be fired or explored by
/// itself.
pub fn quotient_model(quotient: &Quotient) -> Result<Model, Interrupted> {
    let net = quotient.net();
    let mut variables: Vec<Variable> =
        net.places.iter().map(|place| Variable { name: place.id.clone() }).collect();
    let names = ColourNames::of(net);
    let singles = quotient.singles();
    variables.extend(singles.colours.iter().map(|one| {
        let code = net.places[one.place.index()].domain.code(net, &one.colour);
        Variable { name: names.place_instance(net, one.place, code) }
    }));
    let mut name = "symbolic marking".to_string();
    while variables.iter().any(|variable| variable.name == name) {
        name.push('\'');
    }
    variables.push(Variable { name });
    let mut origins = Origins::default();
    origins.add(VariableId(0), net.places.len() as u32, Source::Places);
    let event =
        |name: String| Event { name, parts: vec![Part::Reaction(Box::new(Reaction { lines: Vec::new() }))] };
    let binding = |one: &PartialBinding| {
        let member = |&(variable, member): &(symbolon_coloured::VariableId, u32)| {
            let class = net.variables[variable.index()].class;
            format!("{}={}", names.variable(net, variable), names.member(net, class, member))
        };
        let members: Vec<String> = one.members.iter().map(member).collect();
        format!("{}({})", net.transitions[one.transition.index()].id, members.join(","))
    };
    let events = net.transitions.iter().map(|transition| transition.id.clone());
    let events = events.chain(singles.bindings.iter().map(binding)).map(event).collect();
    let mut initial = values(quotient, 0)?;
    initial.push(0);
    Ok(Model {
        name: net.name.clone(),
        variables,
        origins,
        initial: vec![initial.into()],
        events,
        ..Model::default()
    })
}

/// The values of all variables but the last one.
fn values(quotient: &Quotient, number: u32) -> Result<Vec<u64>, Interrupted> {
    let mut values = quotient.totals(number).ok_or(Interrupted::Overflow)?;
    values.extend(quotient.singles().colours.iter().map(|one| quotient.tokens_of(number, one)));
    Ok(values)
}

/// The variable of [`quotient_model`] that is the number of tokens of one colour; `None` if the
/// quotient is not [about](Quotient::about) it.
pub fn colour_variable(quotient: &Quotient, of: &PlaceColour) -> Option<VariableId> {
    let position = quotient.singles().colours.iter().position(|one| one == of)?;
    Some(VariableId((quotient.net().places.len() + position) as u32))
}

/// The event of [`quotient_model`] that is a transition under some of its bindings; `None` if the
/// quotient is not [about](Quotient::about) them.
pub fn binding_event(quotient: &Quotient, of: &PartialBinding) -> Option<EventId> {
    let position = quotient.singles().bindings.iter().position(|one| one == of)?;
    Some(EventId((quotient.net().transitions.len() + position) as u32))
}

/// The variable of [`quotient_model`] that is the number of tokens in a place.
pub fn place_variable(place: PlaceId) -> VariableId {
    VariableId(place.0)
}

/// The event of [`quotient_model`] that is a transition under any binding.
pub fn transition_event(transition: TransitionId) -> EventId {
    EventId(transition.0)
}

/// The steps of the quotient behind events and the states after them, as witnesses have them.
pub fn quotient_steps<'s>(
    events: &'s [EventId],
    states: impl IntoIterator<Item = &'s State>,
) -> Vec<QuotientStep> {
    let step = |(event, state): (&EventId, &State)| QuotientStep {
        transition: TransitionId(event.0),
        target: state.last().map_or(0, |number| *number as u32),
    };
    events.iter().zip(states).map(step).collect()
}

/// The number of variables but the last one.
fn width(quotient: &Quotient) -> usize {
    quotient.net().places.len() + quotient.singles().colours.len()
}

/// Sets of symbolic markings of one quotient.
pub struct QuotientSets {
    quotient: Arc<Quotient>,
    /// By symbolic marking, the tokens of each place and of each colour that questions are about.
    values: Vec<u64>,
    /// By symbolic marking, where the steps into it begin; one more at the end.
    first_incoming: Vec<usize>,
    /// A transition, and the symbolic marking from which it leads here.
    incoming: Vec<(TransitionId, u32)>,
    meter: Meter,
    charged: u64,
}

/// A set: bit `i` stands for symbolic marking `i`.
#[derive(Clone, PartialEq, Debug)]
pub struct QuotientSet(Arc<[u64]>);

impl QuotientSet {
    /// The members, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.0.iter().zip(0_u32..).flat_map(|(&word, index)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    index * 64 + bit
                })
            })
        })
    }

    fn has(&self, number: u32) -> bool {
        self.0[number as usize / 64] >> (number % 64) & 1 == 1
    }
}

fn insert(bits: &mut [u64], number: u32) {
    bits[number as usize / 64] |= 1 << (number % 64);
}

impl QuotientSets {
    /// Sets over all symbolic markings of a quotient.
    pub fn new(quotient: Arc<Quotient>, budget: &Budget) -> Result<QuotientSets, Interrupted> {
        let (count, width) = (quotient.symbolic_count(), width(&quotient));
        let bytes =
            count * (width + 1) * size_of::<u64>() + quotient.step_count() * size_of::<(TransitionId, u32)>();
        budget.memory().charge(bytes as u64)?;
        let mut sets = QuotientSets {
            values: Vec::with_capacity(count * width),
            first_incoming: vec![0; count + 1],
            incoming: vec![(TransitionId(0), 0); quotient.step_count()],
            meter: Meter::new(budget.clone()),
            charged: bytes as u64,
            quotient,
        };
        for number in 0..count as u32 {
            sets.meter.step()?;
            sets.values.extend(values(&sets.quotient, number)?);
            for step in sets.quotient.steps_from(number) {
                sets.first_incoming[step.target as usize + 1] += 1;
            }
        }
        for number in 0..count {
            sets.first_incoming[number + 1] += sets.first_incoming[number];
        }
        let mut next = sets.first_incoming.clone();
        for number in 0..count as u32 {
            sets.meter.step()?;
            for step in sets.quotient.steps_from(number) {
                let next = &mut next[step.target as usize];
                sets.incoming[*next] = (step.transition, number);
                *next += 1;
            }
        }
        Ok(sets)
    }

    /// The quotient.
    pub fn quotient(&self) -> &Quotient {
        &self.quotient
    }

    /// All symbolic markings: the universe of every question.
    pub fn all(&self) -> QuotientSet {
        let mut bits = self.empty();
        (0..self.quotient.symbolic_count() as u32).for_each(|number| insert(&mut bits, number));
        QuotientSet(bits.into())
    }

    fn empty(&self) -> Vec<u64> {
        vec![0; self.quotient.symbolic_count().div_ceil(64)]
    }

    fn width(&self) -> usize {
        width(&self.quotient)
    }

    /// The value of a variable of [`quotient_model`] in a symbolic marking.
    fn value(&self, number: u32, variable: VariableId) -> u64 {
        match variable.index() {
            index if index < self.width() => self.values[number as usize * self.width() + index],
            _ => u64::from(number),
        }
    }

    fn state(&self, number: u32) -> State {
        let begin = number as usize * self.width();
        let mut state = self.values[begin..begin + self.width()].to_vec();
        state.push(u64::from(number));
        state.into()
    }

    /// The symbolic marking that a state is; `None` if there is no such state.
    fn number_of(&self, state: &[u64]) -> Option<u32> {
        let number = u32::try_from(*state.last()?).ok()?;
        let is_there = (number as usize) < self.quotient.symbolic_count();
        (is_there && *self.state(number) == *state).then_some(number)
    }

    fn incoming(&self, number: u32) -> &[(TransitionId, u32)] {
        let number = number as usize;
        &self.incoming[self.first_incoming[number]..self.first_incoming[number + 1]]
    }

    /// Where steps lead from a set, by one transition or by any.
    fn targets(&mut self, from: &QuotientSet, by: Option<TransitionId>) -> Result<QuotientSet, Interrupted> {
        let mut bits = self.empty();
        for number in from.numbers() {
            self.meter.step()?;
            let steps = self.quotient.steps_from(number).iter();
            let fits = |step: &&QuotientStep| by.is_none_or(|by| step.transition == by);
            steps.filter(fits).for_each(|step| insert(&mut bits, step.target));
        }
        Ok(QuotientSet(bits.into()))
    }

    /// From where steps lead into a set, by one transition or by any.
    fn sources(
        &mut self,
        target: &QuotientSet,
        within: &QuotientSet,
        by: Option<TransitionId>,
    ) -> Result<QuotientSet, Interrupted> {
        let mut bits = self.empty();
        for number in target.numbers() {
            self.meter.step()?;
            for &(transition, source) in self.incoming(number) {
                if within.has(source) && by.is_none_or(|by| transition == by) {
                    insert(&mut bits, source);
                }
            }
        }
        Ok(QuotientSet(bits.into()))
    }

    /// What is reached from a set without leaving another one, along edges in one direction.
    fn closure(
        &mut self,
        from: &QuotientSet,
        within: &QuotientSet,
        is_forwards: bool,
    ) -> Result<QuotientSet, Interrupted> {
        let mut bits = from.0.to_vec();
        let mut open: Vec<u32> = from.numbers().collect();
        while let Some(number) = open.pop() {
            self.meter.step()?;
            let mut visit = |next: u32| {
                if within.has(next) && bits[next as usize / 64] >> (next % 64) & 1 == 0 {
                    insert(&mut bits, next);
                    open.push(next);
                }
            };
            match is_forwards {
                true => self.quotient.steps_from(number).iter().for_each(|step| visit(step.target)),
                false => self.incoming(number).iter().for_each(|(_, source)| visit(*source)),
            }
        }
        Ok(QuotientSet(bits.into()))
    }

    /// The members of a set that satisfy a condition.
    fn filter(
        &mut self,
        set: &QuotientSet,
        mut holds: impl FnMut(&mut QuotientSets, u32) -> Result<bool, Interrupted>,
    ) -> Result<QuotientSet, Interrupted> {
        let mut bits = self.empty();
        for number in set.numbers() {
            self.meter.step()?;
            if holds(self, number)? {
                insert(&mut bits, number);
            }
        }
        Ok(QuotientSet(bits.into()))
    }

    /// Two sets, word by word.
    fn combine(a: &QuotientSet, b: &QuotientSet, combine: impl Fn(u64, u64) -> u64) -> QuotientSet {
        QuotientSet(a.0.iter().zip(&*b.0).map(|(a, b)| combine(*a, *b)).collect())
    }
}

impl Drop for QuotientSets {
    fn drop(&mut self) {
        self.meter.budget().memory().release(self.charged);
    }
}

impl StateSets for QuotientSets {
    type Set = QuotientSet;

    fn event_count(&self) -> usize {
        self.quotient.net().transitions.len()
    }

    fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }

    fn statistics(&self) -> Statistics {
        Statistics { steps: self.meter.steps(), ..Statistics::default() }
    }

    fn none(&mut self) -> QuotientSet {
        QuotientSet(self.empty().into())
    }

    fn initial(&mut self) -> Result<QuotientSet, Interrupted> {
        let mut bits = self.empty();
        insert(&mut bits, 0);
        Ok(QuotientSet(bits.into()))
    }

    fn singleton(&mut self, state: &[u64]) -> Result<QuotientSet, Interrupted> {
        let mut bits = self.empty();
        if let Some(number) = self.number_of(state) {
            insert(&mut bits, number);
        }
        Ok(QuotientSet(bits.into()))
    }

    fn union(&mut self, a: &QuotientSet, b: &QuotientSet) -> Result<QuotientSet, Interrupted> {
        Ok(QuotientSets::combine(a, b, |a, b| a | b))
    }

    fn difference(&mut self, a: &QuotientSet, b: &QuotientSet) -> Result<QuotientSet, Interrupted> {
        Ok(QuotientSets::combine(a, b, |a, b| a & !b))
    }

    fn intersection(&mut self, a: &QuotientSet, b: &QuotientSet) -> Result<QuotientSet, Interrupted> {
        Ok(QuotientSets::combine(a, b, |a, b| a & b))
    }

    fn select_sum(&mut self, set: &QuotientSet, test: &LinearTest) -> Result<QuotientSet, Interrupted> {
        self.filter(set, |sets, number| {
            let mut sum: i128 = 0;
            for &(variable, weight) in &test.terms {
                let term = weight.checked_mul(i128::from(sets.value(number, variable)));
                sum = term.and_then(|term| sum.checked_add(term)).ok_or(Interrupted::Overflow)?;
            }
            Ok(match test.test {
                SumTest::AtMost => sum <= test.bound,
                SumTest::Exactly => sum == test.bound,
                SumTest::OtherThan => sum != test.bound,
            })
        })
    }

    fn image(&mut self, event: EventId, from: &QuotientSet) -> Result<QuotientSet, Interrupted> {
        self.targets(from, Some(TransitionId(event.0)))
    }

    fn image_of_any(&mut self, from: &QuotientSet) -> Result<QuotientSet, Interrupted> {
        self.targets(from, None)
    }

    fn preimage(
        &mut self,
        event: EventId,
        target: &QuotientSet,
        within: &QuotientSet,
    ) -> Result<QuotientSet, Interrupted> {
        self.sources(target, within, Some(TransitionId(event.0)))
    }

    fn preimage_of_any(
        &mut self,
        target: &QuotientSet,
        within: &QuotientSet,
    ) -> Result<QuotientSet, Interrupted> {
        self.sources(target, within, None)
    }

    fn forward_closure(
        &mut self,
        from: &QuotientSet,
        within: &QuotientSet,
    ) -> Result<QuotientSet, Interrupted> {
        self.closure(from, within, true)
    }

    fn backward_closure(
        &mut self,
        target: &QuotientSet,
        within: &QuotientSet,
    ) -> Result<QuotientSet, Interrupted> {
        self.closure(target, within, false)
    }

    fn enabled(&mut self, event: EventId, set: &QuotientSet) -> Result<QuotientSet, Interrupted> {
        let transition_count = self.event_count();
        if let Some(position) = event.index().checked_sub(transition_count) {
            return self.filter(set, |sets, number| {
                let binding = &sets.quotient.singles().bindings[position];
                sets.quotient.is_enabled_under(number, binding, &mut sets.meter)
            });
        }
        let transition = TransitionId(event.0);
        self.filter(set, |sets, number| Ok(sets.quotient.is_enabled(number, transition)))
    }

    fn dead(&mut self, set: &QuotientSet) -> Result<QuotientSet, Interrupted> {
        self.filter(set, |sets, number| Ok(sets.quotient.steps_from(number).is_empty()))
    }

    fn is_empty(&self, set: &QuotientSet) -> bool {
        set.0.iter().all(|word| *word == 0)
    }

    fn contains(&mut self, set: &QuotientSet, state: &[u64]) -> bool {
        self.number_of(state).is_some_and(|number| set.has(number))
    }

    /// The number of markings that the members stand for.
    fn count(&mut self, set: &QuotientSet) -> Result<BigUint, Interrupted> {
        self.quotient.markings_of(set.numbers(), &mut self.meter)
    }

    fn choose(&mut self, set: &QuotientSet) -> Option<State> {
        let number = set.numbers().next()?;
        Some(self.state(number))
    }

    /// The number of symbolic markings.
    fn node_count(&self, set: &QuotientSet) -> usize {
        set.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn count_edges(&mut self, _set: &QuotientSet) -> Result<Option<BigUint>, Interrupted> {
        // Of all markings, `Quotient::figures` has them.
        Ok(None)
    }
}
