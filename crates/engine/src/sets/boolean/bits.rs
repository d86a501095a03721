//! Which bits hold which variable of the model.
//!
//! A variable is held in binary, in as few bits as its values need: from its domain, from what was
//! proved about it, or else from a guess, which is widened and everything started again when an
//! event would leave it. The bits of a variable stand together, the one of most weight on top.
//! Variables that share a level in other diagrams are neighbours here: their bits are a one-hot
//! code of that level. Where a relation needs to speak of the state after a step, every bit has a
//! primed twin right below. Actions of a synchronous step have bits as well, which no state set
//! depends on.

use crate::order::{ActionPlace, Blocks, Order};
use symbolon_dd_core::Variable;
use symbolon_model::{Change, Model, Part, State, VariableId};

/// No value has more bits.
pub(crate) const MOST_BITS: u32 = 63;

/// How bits are laid out.
#[derive(Clone, Copy)]
pub(crate) struct BitPlan<'a> {
    /// Which variables are neighbours.
    pub(crate) blocks: &'a Blocks,
    /// The order of the blocks.
    pub(crate) order: &'a Order,
    /// Where actions stand.
    pub(crate) actions: ActionPlace,
    /// How many bits each variable has, actions behind the others.
    pub(crate) widths: &'a [u32],
    /// Which variables have primed twins.
    pub(crate) has_twin: &'a [bool],
}

impl BitPlan<'_> {
    /// All variables and actions from the top.
    pub(crate) fn sequence(&self, model: &Model) -> Vec<VariableId> {
        let blocks = self.order.blocks.iter().map(|&block| self.blocks.block(block));
        let mut all: Vec<VariableId> = blocks.flatten().copied().collect();
        match self.actions {
            ActionPlace::AtBottom => all.extend(model.action_ids()),
            ActionPlace::OnTop => all = model.action_ids().chain(all).collect(),
            ActionPlace::AboveAgent | ActionPlace::BelowAgent => {
                for id in model.action_ids() {
                    let owner =
                        model.action(id).and_then(|action| model.components.get(action.agent.0 as usize));
                    let own =
                        |variable: &VariableId| owner.is_some_and(|owner| owner.variables.contains(variable));
                    let place = match self.actions {
                        ActionPlace::AboveAgent => all.iter().position(own),
                        _ => all.iter().rposition(own).map(|place| place + 1),
                    };
                    all.insert(place.unwrap_or(all.len()), id);
                }
            }
        }
        all
    }
}

/// Where each variable's bits are.
#[derive(Clone, Debug)]
pub(crate) struct Bits {
    /// By variable, actions behind the others: its bits, the one of least weight first.
    current: Vec<Vec<Variable>>,
    /// Likewise: the primed twins, if it has any.
    primed: Vec<Vec<Variable>>,
    /// By variable: whether no reachable state can have a value that does not fit.
    is_proved: Vec<bool>,
    variable_count: usize,
    bit_count: u32,
}

impl Bits {
    /// Bits as planned.
    pub(crate) fn new(model: &Model, plan: &BitPlan) -> Bits {
        let variable_count = model.variables.len();
        let all = variable_count + model.actions.len();
        let is_proved = (0..variable_count).map(|variable| proved_bound(model, variable).is_some()).collect();
        let mut bits = Bits {
            current: vec![Vec::new(); all],
            primed: vec![Vec::new(); all],
            is_proved,
            variable_count,
            bit_count: 0,
        };
        for variable in plan.sequence(model) {
            for _ in 0..plan.widths[variable.index()] {
                let bit = bits.next();
                bits.current[variable.index()].push(bit);
                if plan.has_twin.get(variable.index()) == Some(&true) {
                    let twin = bits.next();
                    bits.primed[variable.index()].push(twin);
                }
            }
            bits.current[variable.index()].reverse();
            bits.primed[variable.index()].reverse();
        }
        bits
    }

    fn next(&mut self) -> Variable {
        self.bit_count += 1;
        Variable(self.bit_count - 1)
    }

    /// All bits: current, primed, of actions.
    pub(crate) fn bit_count(&self) -> u32 {
        self.bit_count
    }

    /// The bits of a variable or action, the one of least weight first.
    pub(crate) fn of(&self, variable: VariableId) -> &[Variable] {
        &self.current[variable.index()]
    }

    /// Their primed twins, if there are any.
    pub(crate) fn primed(&self, variable: VariableId) -> &[Variable] {
        &self.primed[variable.index()]
    }

    /// The bits of a variable with their twins.
    pub(crate) fn pairs(&self, variable: VariableId) -> impl Iterator<Item = (Variable, Variable)> + '_ {
        self.of(variable).iter().copied().zip(self.primed(variable).iter().copied())
    }

    /// Whether it was proved that every value fits.
    pub(crate) fn is_proved(&self, variable: VariableId) -> bool {
        self.is_proved[variable.index()]
    }

    /// The largest value that fits.
    pub(crate) fn largest(&self, variable: VariableId) -> u64 {
        (1 << self.of(variable).len()) - 1
    }

    /// All bits of the state.
    pub(crate) fn of_state(&self) -> impl Iterator<Item = Variable> + '_ {
        self.current[..self.variable_count].iter().flatten().copied()
    }

    /// All variables of the state.
    pub(crate) fn variables(&self) -> impl Iterator<Item = VariableId> + use<> {
        (0..self.variable_count as u32).map(VariableId)
    }

    /// Bits that stay together when bits are moved: each with its twin.
    pub(crate) fn twins(&self) -> Vec<Vec<Variable>> {
        let pairs = self.variables().flat_map(|variable| self.pairs(variable).collect::<Vec<_>>());
        pairs.map(|(bit, twin)| vec![bit, twin]).collect()
    }

    /// The same for asynchronous events, which pass the bits of a variable from the highest to the
    /// lowest: those of each variable, with their twins.
    pub(crate) fn groups(&self) -> Vec<Vec<Variable>> {
        self.current
            .iter()
            .zip(&self.primed)
            .map(|(current, primed)| [&current[..], primed].concat())
            .collect()
    }

    /// What each bit of a state is; `None` if a value does not fit.
    pub(crate) fn encode(&self, state: &[u64]) -> Option<Vec<(Variable, bool)>> {
        let mut literals = Vec::with_capacity(self.bit_count as usize);
        for (variable, &value) in self.variables().zip(state) {
            if value > self.largest(variable) {
                return None;
            }
            literals.extend(
                self.of(variable).iter().enumerate().map(|(place, &bit)| (bit, value >> place & 1 == 1)),
            );
        }
        Some(literals)
    }

    /// What each primed bit is before a step to this state; `None` if a value does not fit. Every
    /// bit has a twin.
    pub(crate) fn encode_primed(&self, state: &[u64]) -> Option<Vec<(Variable, bool)>> {
        let literals = self.encode(state)?;
        let primed = self.variables().flat_map(|variable| self.primed(variable).iter().copied());
        Some(primed.zip(literals).map(|(twin, (_, value))| (twin, value)).collect())
    }

    /// The state of these bits, which are those of [`Bits::of_state`] in that order.
    pub(crate) fn decode(&self, mut values: impl Iterator<Item = bool>) -> State {
        self.variables()
            .map(|variable| {
                (0..self.of(variable).len())
                    .fold(0, |value, place| value | u64::from(values.next() == Some(true)) << place)
            })
            .collect()
    }
}

/// The number of bits that hold all numbers up to `largest`; at least one, so that every variable
/// has a place.
pub(crate) fn bits_for(largest: u64) -> u32 {
    (u64::BITS - largest.leading_zeros()).max(1)
}

/// How many bits each variable gets to begin with, actions behind the others.
pub(crate) fn first_widths(model: &Model) -> Vec<u32> {
    let mut largest: Vec<u64> = (0..model.variables.len())
        .map(|variable| {
            let id = VariableId(variable as u32);
            proved_bound(model, variable)
                .or(model.values_of(id).count().map(|count| count.saturating_sub(1)))
                .unwrap_or(1)
        })
        .collect();
    for state in &model.initial {
        largest.iter_mut().zip(state.iter()).for_each(|(largest, &value)| *largest = (*largest).max(value));
    }
    for part in model.events.iter().flat_map(|event| &event.parts) {
        if let Part::Local { variable, change: Change::Set(value), .. } = part {
            largest[variable.index()] = largest[variable.index()].max(*value);
        }
    }
    let actions = model.actions.iter().map(|action| (action.names.len() as u64).saturating_sub(1));
    largest.into_iter().chain(actions).map(|largest| bits_for(largest).min(MOST_BITS)).collect()
}

/// The widths after an event has led to a value of `variable` that does not fit; `None` if no wider
/// code exists. Nothing is known of other variables without a proof either, and each restart costs:
/// they are widened likewise.
pub(crate) fn widened(model: &Model, widths: &[u32], variable: VariableId) -> Option<Vec<u32>> {
    let now = widths[variable.index()];
    let wider = (now + (now / 2).max(1)).min(MOST_BITS);
    if wider == now {
        return None;
    }
    let mut widths = widths.to_vec();
    for (variable, width) in widths[..model.variables.len()].iter_mut().enumerate() {
        let is_open = proved_bound(model, variable).is_none();
        let is_natural = model.values_of(VariableId(variable as u32)).count().is_none();
        if is_open && is_natural {
            *width = (*width).max(wider);
        }
    }
    widths[variable.index()] = wider;
    Some(widths)
}

/// The number of levels if every variable that nothing is proved about gets as many bits as there
/// are.
pub(crate) fn most_levels(model: &Model, has_twin: &[bool]) -> usize {
    let widths = first_widths(model);
    let of_variable = |variable: usize| {
        let is_proved = model.is_synchronous() || proved_bound(model, variable).is_some();
        let bits = if is_proved { widths[variable] } else { MOST_BITS } as usize;
        if has_twin[variable] { 2 * bits } else { bits }
    };
    let of_actions = widths[model.variables.len()..].iter().sum::<u32>() as usize;
    (0..model.variables.len()).map(of_variable).sum::<usize>() + of_actions
}

pub(crate) fn proved_bound(model: &Model, variable: usize) -> Option<u64> {
    model.facts.upper_bounds.get(variable).copied().flatten()
}

/// Which variables need primed twins: all, for a synchronous step, or those that events of any form
/// write.
pub(crate) fn with_twins(model: &Model) -> Vec<bool> {
    let mut has_twin = vec![model.is_synchronous(); model.variables.len()];
    for event in &model.events {
        if event.parts.iter().any(|part| matches!(part, Part::General { .. })) {
            for part in &event.parts {
                match part {
                    Part::Local { variable, .. } => has_twin[variable.index()] = true,
                    Part::General { updates, .. } => {
                        updates.iter().for_each(|(variable, _)| has_twin[variable.index()] = true);
                    }
                    Part::Choice(_) | Part::Reaction(_) => {}
                }
            }
        }
    }
    has_twin
}
