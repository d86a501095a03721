//! State sets on sentential decision diagrams.
//!
//! ```text
//! variables, predicates, synchronous steps ──boolean.rs──▶ bits, functions and relations of bits
//! events of nets and their like ──events.rs──▶ relations over few bits: fired, saturated
//! order of variables, shape ──tree.rs──▶ the vtree of the bits (shape.rs has the names)
//! ```
//!
//! A code that stands for no value is never reached, so it is in no set and is never counted (E1).

mod events;
mod outline;
pub(crate) mod shape;
pub(crate) mod size;
mod tree;

use crate::order::{ActionPlace, Blocks, Heuristic, Order};
use crate::policy::sentential::{
    LARGEST_CACHE_BITS, LEAST_CACHE_BITS, LEVELS_PER_BIT, QUICKLY_COUNTED, QUICKLY_MEASURED, WORDS_PER_NODE,
};
use crate::sets::bdd::Reordering;
use crate::sets::boolean::arithmetic::{Formulas, weights};
use crate::sets::boolean::bits::{self, BitPlan, Bits, first_widths, widened};
use crate::sets::boolean::events::NEVER_FITS;
use crate::sets::boolean::initial::Initial;
use crate::sets::boolean::synchronous::Step;
use crate::sets::core::capabilities::{
    Capability, Forcing, Observation, Outlines, RelationSize, RelationStatistics, Saturation,
};
use crate::sets::core::{Analysed, Figures, StateSets, closure};
use crate::sets::kind::DiagramKind;
use crate::sets::linear::LinearTest;
use crate::sets::setup::{DiagramSetup, SetupError, Unsupported};
use num_bigint::BigUint;
use rustc_hash::FxHashSet;
use std::cell::{Cell, RefCell};
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_dd_core::{Limits, Root, Statistics, Variable};
use symbolon_dd_sentential::{Limits as SddLimits, Minimisation, Quantification, Sdd, Vtree};
use symbolon_model::{EventId, Model, Predicate, State, VariableId};

use shape::{VtreeChoice, VtreeShape};
use size::DiagramSize;
use tree::Ground;
pub(crate) use tree::has_cells;

/// Sets of states of one model, as sentential diagrams over the bits of its variables.
pub struct SententialSets {
    sdd: Sdd,
    bits: Bits,
    /// The asynchronous events, in the order in which they were given to the diagram.
    moves: Vec<EventId>,
    /// By event: its number among the asynchronous ones.
    move_of: Vec<Option<usize>>,
    steps: Vec<Step<Sdd>>,
    initial: Initial,
    state_bits: Vec<Variable>,
    actions: Vec<VariableId>,
}

impl Drop for SententialSets {
    fn drop(&mut self) {
        let made = self.sdd.statistics().created_nodes;
        self.sdd.meter().budget().progress().count_made(DiagramKind::Sentential.kernel(), made);
    }
}

impl SententialSets {
    /// State sets of `model` with bits as planned.
    pub(crate) fn new(
        model: &Model,
        plan: &BitPlan,
        vtree: &VtreeChoice,
        reordering: Reordering,
        meter: Meter,
        limits: Limits,
    ) -> Result<SententialSets, SetupError> {
        let (bits, vtree) = bits_and_tree(model, plan, vtree, meter.budget())?;
        let usual = SddLimits::default();
        let limits = SddLimits {
            cache_bits: limits.cache_bits.clamp(LEAST_CACHE_BITS, usual.cache_bits),
            largest_cache_bits: limits.largest_cache_bits.clamp(LEAST_CACHE_BITS, LARGEST_CACHE_BITS),
            collection_nodes: (limits.collection_words / WORDS_PER_NODE).clamp(1, usual.collection_nodes),
            collection_percent: if limits.collection_growth == 0 { 0 } else { usual.collection_percent },
            minimising_nodes: (limits.collection_words / WORDS_PER_NODE).clamp(1, usual.minimising_nodes),
        };
        let mut sdd = Sdd::new(vtree, meter, limits)?;
        let state_bits: Vec<Variable> = bits.of_state().collect();
        let mut steps = Vec::new();
        let (mut moves, mut described) = (Vec::new(), Vec::new());
        let mut move_of = vec![None; model.events.len()];
        for id in model.event_ids() {
            sdd.meter_mut().step()?;
            if model.event(id).is_synchronous() {
                steps.push(Step::new(&mut sdd, &bits, model, id, model.event(id))?);
            } else {
                move_of[id.index()] = Some(moves.len());
                moves.push(id);
                described.push(events::move_of(&mut sdd, &bits, model.event(id))?);
            }
        }
        sdd.set_moves(described)?;
        sdd.set_blocks(bits.twins(), components_of(model, &bits));
        if reordering == Reordering::Dynamic {
            sdd.minimise_automatically(Some(Minimisation::default()));
        }
        let initial = Initial::new(model, &bits);
        let actions = model.action_ids().collect();
        Ok(SententialSets { sdd, bits, moves, move_of, steps, initial, state_bits, actions })
    }

    /// The diagram behind the sets.
    pub fn sdd(&self) -> &Sdd {
        &self.sdd
    }

    /// Looks for a better vtree for a set, for as long as the budget lets it.
    fn minimise_for(&mut self, set: &Root) {
        // Where it stopped, sets are as valid as before, and the next operation reports it.
        let _ = self.sdd.minimise_for(&[set], Minimisation::THOROUGH);
    }

    /// The vtree as text, with a comment for each bit that says what it is: bit 0 is the one of least
    /// weight, and a prime marks the value after a step. Actions have their number.
    pub fn vtree_text(&self, model: &Model) -> String {
        let mut lines: Vec<(Variable, String)> = Vec::new();
        for id in model.variable_ids().chain(model.action_ids()) {
            let name = match model.action(id) {
                Some(_) => format!("action {}", id.index() - model.variables.len() + 1),
                None => model.variables[id.index()].name.to_string(),
            };
            for (bits, prime) in [(self.bits.of(id), ""), (self.bits.primed(id), "'")] {
                let named = |(place, &bit): (usize, &Variable)| (bit, format!("{name}{prime} bit {place}"));
                lines.extend(bits.iter().enumerate().map(named));
            }
        }
        lines.sort_unstable();
        let comments = lines.iter().map(|(bit, name)| format!("c {} {name}\n", bit.0 + 1));
        comments.collect::<String>() + &self.sdd.vtree().to_text()
    }

    /// How large the diagram of a set is, unless it is so large that counting takes long.
    pub(crate) fn size_of(&self, set: &Root) -> Option<DiagramSize> {
        let nodes = self.sdd.node_count([set]);
        (nodes <= QUICKLY_MEASURED).then(|| {
            let (unsigned_nodes, unsigned_elements) = self.sdd.signed_size([set]);
            DiagramSize { nodes, elements: self.sdd.element_count([set]), unsigned_nodes, unsigned_elements }
        })
    }

    /// The states of a set, one after another.
    pub fn states_of(&self, set: &Root) -> impl Iterator<Item = State> + '_ {
        self.sdd.assignments(set, &self.state_bits).map(|values| self.bits.decode(values.into_iter()))
    }

    /// The variable whose bits were too few, if that is why the last operation was interrupted.
    fn too_narrow(&self) -> Option<VariableId> {
        self.sdd.out_of_range().filter(|&number| number != NEVER_FITS).map(VariableId)
    }

    /// The largest value of a variable in a set that is not empty, or with -1 the smallest.
    fn extreme(&self, set: &Root, variable: VariableId, sign: i128) -> Result<u64, Interrupted> {
        self.sdd.meter().budget().check()?;
        let weights = weights(&self.bits, std::iter::once((variable, sign)))?;
        let sum = self.sdd.largest_sum(set, &weights)?.unwrap_or(0);
        u64::try_from(sum * sign).map_err(|_| Interrupted::Overflow)
    }

    fn step_of(&self, event: EventId) -> Option<usize> {
        self.steps.iter().position(|step| step.event == event)
    }

    fn formulas(&mut self) -> Formulas<'_, Sdd> {
        Formulas { kernel: &mut self.sdd, bits: &self.bits }
    }

    /// The states from which an asynchronous event leads to `target`.
    fn fire_back(&mut self, target: &Root) -> Result<Root, Interrupted> {
        let mut all = self.sdd.constant(false);
        for number in 0..self.moves.len() {
            let one = self.sdd.fire_back(number, target)?;
            all = self.sdd.or(&all, &one)?;
        }
        Ok(all)
    }

    /// All that is reached from `reached` by steps, closed under the other events; from the newest
    /// states.
    fn close_by_steps(&mut self, reached: &mut Root) -> Result<(), Interrupted> {
        let mut newest = reached.clone();
        while !self.is_empty(&newest) {
            let mut next = self.none();
            for step in &self.steps {
                let image = step.image(&mut self.sdd, &newest)?;
                next = self.sdd.or(&next, &image)?;
            }
            let mut grown = self.sdd.or(reached, &next)?;
            if !self.moves.is_empty() && grown != *reached {
                grown = self.sdd.saturate(&grown)?;
            }
            newest = self.sdd.minus(&grown, reached)?;
            *reached = grown;
        }
        Ok(())
    }
}

/// The bits of a model, numbered as its variables are, whatever the order, so that a vtree in a file
/// fits; and the tree of them. A model without variables has a bit all the same.
fn bits_and_tree(
    model: &Model,
    plan: &BitPlan,
    choice: &VtreeChoice,
    budget: &Budget,
) -> Result<(Bits, Vtree), SetupError> {
    let blocks = Blocks::single(model);
    let order = Order::as_given(blocks.len());
    let bits = Bits::new(
        model,
        &BitPlan { blocks: &blocks, order: &order, actions: ActionPlace::AtBottom, ..*plan },
    );
    let shape = match choice {
        VtreeChoice::Auto => VtreeShape::RightLinear,
        VtreeChoice::Named(shape) => *shape,
        VtreeChoice::Given(vtree) => {
            let wanted = bits.bit_count().max(1) as usize;
            if vtree.variable_count() != wanted {
                let leaves = vtree.variable_count();
                return Err(SetupError::Unsupported(Unsupported::Vtree { leaves, bits: wanted }));
            }
            return Ok((bits, Vtree::clone(vtree)));
        }
    };
    let sequence = plan.sequence(model);
    let tree = Ground { model, bits: &bits, sequence: &sequence }.tree(shape, budget)?;
    Ok((bits, tree))
}

/// The bits of each component, with their twins.
fn components_of(model: &Model, bits: &Bits) -> Vec<Vec<Variable>> {
    let of = |variable: &VariableId| [bits.of(*variable), bits.primed(*variable)].concat();
    let components = model.components.iter().map(|component| {
        let variables = component.variables.iter().flat_map(of);
        variables.collect::<Vec<Variable>>()
    });
    components.filter(|variables| variables.len() > 1).collect()
}

impl StateSets for SententialSets {
    type Set = Root;

    fn kind(&self) -> Option<DiagramKind> {
        Some(DiagramKind::Sentential)
    }

    fn saturation(&mut self) -> Option<&mut dyn Saturation<Set = Root>> {
        Some(self)
    }

    fn observation(&mut self) -> Option<&mut dyn Observation<Set = Root>> {
        Some(self)
    }

    fn forcing(&mut self) -> Option<&mut dyn Forcing<Set = Root>> {
        Some(self)
    }

    fn relation_statistics(&self) -> Option<&dyn RelationStatistics<Set = Root>> {
        Some(self)
    }

    fn outlines(&self) -> Option<&dyn Outlines<Set = Root>> {
        Some(self)
    }

    fn none(&mut self) -> Root {
        self.sdd.constant(false)
    }

    fn initial(&mut self) -> Result<Root, Interrupted> {
        self.initial.set(&mut self.sdd, &self.bits)
    }

    fn singleton(&mut self, state: &[u64]) -> Result<Root, Interrupted> {
        match self.bits.encode(state) {
            Some(literals) => self.sdd.cube(&literals),
            None => Ok(self.none()),
        }
    }

    fn image(&mut self, event: EventId, from: &Root) -> Result<Root, Interrupted> {
        match (self.step_of(event), self.move_of[event.index()]) {
            (Some(step), _) => self.steps[step].image(&mut self.sdd, from),
            (None, Some(number)) => self.sdd.fire(number, from),
            (None, None) => Ok(self.none()),
        }
    }

    fn preimage(&mut self, event: EventId, target: &Root, within: &Root) -> Result<Root, Interrupted> {
        match (self.step_of(event), self.move_of[event.index()]) {
            (Some(step), _) => self.steps[step].preimage(&mut self.sdd, target, within),
            (None, Some(number)) => {
                let before = self.sdd.fire_back(number, target)?;
                self.sdd.and(&before, within)
            }
            (None, None) => Ok(self.none()),
        }
    }

    fn preimage_of_state(
        &mut self,
        event: EventId,
        state: &[u64],
        within: &Root,
    ) -> Result<Root, Interrupted> {
        let Some(step) = self.step_of(event) else {
            let target = self.singleton(state)?;
            return self.preimage(event, &target, within);
        };
        let Some(after) = self.bits.encode_primed(state) else { return Ok(self.none()) };
        self.steps[step].preimage_of_state(&mut self.sdd, &after, within)
    }

    fn image_of_any(&mut self, from: &Root) -> Result<Root, Interrupted> {
        let mut all = self.sdd.constant(false);
        for number in 0..self.moves.len() {
            let one = self.sdd.fire(number, from)?;
            all = self.sdd.or(&all, &one)?;
        }
        for step in &self.steps {
            let one = step.image(&mut self.sdd, from)?;
            all = self.sdd.or(&all, &one)?;
        }
        Ok(all)
    }

    fn preimage_of_any(&mut self, target: &Root, within: &Root) -> Result<Root, Interrupted> {
        let all = self.fire_back(target)?;
        let mut all = self.sdd.and(&all, within)?;
        for step in &mut self.steps {
            let one = step.preimage(&mut self.sdd, target, within)?;
            all = self.sdd.or(&all, &one)?;
        }
        Ok(all)
    }

    fn forward_closure(&mut self, from: &Root, within: &Root) -> Result<Root, Interrupted> {
        match self.steps.is_empty() {
            true => closure::forward(self, from, within),
            false => closure::forward_by_layers(self, from, within),
        }
    }

    fn backward_closure(&mut self, target: &Root, within: &Root) -> Result<Root, Interrupted> {
        match self.steps.is_empty() {
            true => closure::backward(self, target, within),
            false => closure::backward_by_layers(self, target, within),
        }
    }

    fn restrict_to(&mut self, universe: &Root) {
        self.steps.iter_mut().for_each(|step| step.restrict_to(universe));
    }

    fn select_sum(&mut self, set: &Root, test: &LinearTest) -> Result<Root, Interrupted> {
        let passing = self.formulas().sum(test)?;
        self.sdd.and(set, &passing)
    }

    fn select(&mut self, set: &Root, predicate: &Predicate) -> Result<Root, Interrupted> {
        let holding = self.formulas().holds(predicate)?;
        self.sdd.and(set, &holding)
    }

    fn union(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        self.sdd.or(a, b)
    }

    fn intersection(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        self.sdd.and(a, b)
    }

    fn difference(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        self.sdd.minus(a, b)
    }

    fn enabled(&mut self, event: EventId, set: &Root) -> Result<Root, Interrupted> {
        match (self.step_of(event), self.move_of[event.index()]) {
            (Some(step), _) => self.steps[step].enabled(&mut self.sdd, set),
            (None, Some(number)) => self.sdd.can_fire(number, set),
            (None, None) => Ok(self.none()),
        }
    }

    fn dead(&mut self, set: &Root) -> Result<Root, Interrupted> {
        let mut dead = set.clone();
        for number in 0..self.moves.len() {
            let alive = self.sdd.can_fire(number, &dead)?;
            dead = self.sdd.minus(&dead, &alive)?;
        }
        for step in &mut self.steps {
            let alive = step.enabled(&mut self.sdd, set)?;
            dead = self.sdd.minus(&dead, &alive)?;
        }
        Ok(dead)
    }

    fn is_empty(&self, set: &Root) -> bool {
        set.node().is_empty()
    }

    fn contains(&mut self, set: &Root, state: &[u64]) -> bool {
        let Some(literals) = self.bits.encode(state) else { return false };
        let mut values = vec![false; self.sdd.variable_count()];
        for (bit, value) in literals {
            values[bit.index()] = value;
        }
        self.sdd.contains(set, &values)
    }

    fn count(&mut self, set: &Root) -> Result<BigUint, Interrupted> {
        self.sdd.meter().budget().check()?;
        Ok(self.sdd.count(set, &self.state_bits))
    }

    fn count_if_quick(&mut self, set: &Root) -> Option<BigUint> {
        let is_small = self.sdd.element_count([set]) <= QUICKLY_COUNTED;
        is_small.then(|| self.sdd.count(set, &self.state_bits))
    }

    fn choose(&mut self, set: &Root) -> Option<State> {
        self.sdd.choose(set, &self.state_bits).map(|values| self.bits.decode(values.into_iter()))
    }

    fn largest(&mut self, set: &Root, terms: &[(VariableId, i64)]) -> Result<Option<i128>, Interrupted> {
        let weights =
            weights(&self.bits, terms.iter().map(|&(variable, weight)| (variable, i128::from(weight))))?;
        self.sdd.largest_sum(set, &weights)
    }

    fn count_edges(&mut self, set: &Root) -> Result<Option<BigUint>, Interrupted> {
        if !self.steps.is_empty() {
            return Ok(None);
        }
        // Each set of states in which an event can happen has most nodes in common with all others.
        let mut counter = self.sdd.counter(&self.state_bits);
        let changes = self.sdd.minimising_count();
        let mut edges = BigUint::ZERO;
        for event in (0..self.event_count() as u32).map(EventId) {
            let enabled = self.enabled(event, set)?;
            if self.sdd.minimising_count() != changes {
                counter = self.sdd.counter(&self.state_bits);
            }
            let before = counter.counted_nodes();
            edges += self.sdd.count_with(&enabled, &mut counter);
            // Counting is work that a limit on the steps is to end.
            for _ in before..counter.counted_nodes() {
                self.sdd.meter_mut().step()?;
            }
        }
        Ok(Some(edges))
    }

    fn analyse(&mut self, set: &Root) -> Result<Analysed, Interrupted> {
        let possible = self.sdd.possible_values(set);
        let mut analysed = Analysed::default();
        for variable in self.bits.variables() {
            let (largest, smallest) = match self.bits.of(variable) {
                [bit] => {
                    let [can_be_0, can_be_1] = possible[bit.index()];
                    (u64::from(can_be_1), u64::from(!can_be_0))
                }
                _ => (self.extreme(set, variable, 1)?, self.extreme(set, variable, -1)?),
            };
            analysed.largest.push(largest);
            analysed.smallest.push(smallest);
        }
        Ok(analysed)
    }

    fn figures(&mut self, set: &Root) -> Result<Figures, Interrupted> {
        // No variable is larger than its bits can be: those that cannot be the largest are not looked
        // at.
        let possible = self.sdd.possible_values(set);
        let at_most = |variable: VariableId| {
            let bits = self.bits.of(variable).iter().enumerate();
            bits.map(|(place, bit)| u64::from(possible[bit.index()][1]) << place).sum::<u64>()
        };
        let mut variables: Vec<(u64, VariableId)> =
            self.bits.variables().map(|variable| (at_most(variable), variable)).collect();
        variables.sort_by_key(|&(most, _)| std::cmp::Reverse(most));
        let mut largest_value = 0;
        for (most, variable) in variables {
            if most <= largest_value {
                break;
            }
            largest_value = largest_value.max(self.extreme(set, variable, 1)?);
        }
        let weights: Vec<_> = self.bits.variables().map(|variable| (variable, 1)).collect();
        let sum = self.largest(set, &weights)?.unwrap_or(0);
        Ok(Figures {
            states: self.count(set)?,
            nodes: self.node_count(set),
            largest_value,
            largest_sum: BigUint::try_from(sum).unwrap_or_default(),
        })
    }

    fn level_count(&self) -> usize {
        self.state_bits.len()
    }

    fn node_count(&self, set: &Root) -> usize {
        self.sdd.node_count([set])
    }

    fn statistics(&self) -> Statistics {
        self.sdd.statistics()
    }

    fn event_count(&self) -> usize {
        self.move_of.len()
    }

    fn meter(&mut self) -> &mut Meter {
        self.sdd.meter_mut()
    }
}

impl Saturation for SententialSets {
    fn saturate(&mut self, from: &Root) -> Result<Root, Interrupted> {
        let mut reached = self.sdd.saturate(from)?;
        if !self.steps.is_empty() {
            self.close_by_steps(&mut reached)?;
        }
        Ok(reached)
    }

    fn found_until_interrupted(&mut self) -> Option<BigUint> {
        let state: FxHashSet<Variable> = self.state_bits.iter().copied().collect();
        let found = self.sdd.take_partial().into_iter();
        let counts = found.filter(|(set, _)| self.sdd.element_count([set]) <= QUICKLY_COUNTED);
        counts
            .map(|(set, mut variables)| {
                variables.retain(|variable| state.contains(variable));
                self.sdd.count(&set, &variables)
            })
            .max()
    }
}

impl Observation for SententialSets {
    fn same_observation(
        &mut self,
        set: &Root,
        variables: &[VariableId],
        within: &Root,
    ) -> Result<Root, Interrupted> {
        let observed: FxHashSet<VariableId> = variables.iter().copied().collect();
        let hidden = self.bits.variables().filter(|variable| !observed.contains(variable));
        let hidden: Vec<Variable> =
            hidden.flat_map(|variable| self.bits.of(variable).iter().copied()).collect();
        let hidden = self.sdd.variable_set(hidden);
        let seen = self.sdd.exists(set, hidden)?;
        self.sdd.and(&seen, within)
    }
}

impl Forcing for SententialSets {
    fn can_force(&mut self, group: &[VariableId], target: &Root, within: &Root) -> Result<Root, Interrupted> {
        let forcing = match self.steps.first_mut() {
            Some(step) => step.can_force(&mut self.sdd, &self.bits, group, target, within)?,
            None => {
                let dead = self.dead(within)?;
                self.sdd.minus(within, &dead)?
            }
        };
        let mut forcing = self.sdd.and(&forcing, within)?;
        // No agent chooses what other events do.
        let elsewhere = self.sdd.not(target);
        for step in self.steps.iter_mut().skip(1) {
            let may_miss = step.preimage(&mut self.sdd, &elsewhere, within)?;
            forcing = self.sdd.minus(&forcing, &may_miss)?;
        }
        let may_miss = self.fire_back(&elsewhere)?;
        self.sdd.minus(&forcing, &may_miss)
    }
}

impl RelationStatistics for SententialSets {
    fn relation_size(&self) -> Option<RelationSize> {
        let sizes = self.steps.iter().map(Step::relation_size);
        sizes.reduce(|all, one| RelationSize {
            conjuncts: all.conjuncts + one.conjuncts,
            clusters: all.clusters + one.clusters,
        })
    }
}

/// Sets up sentential diagrams.
pub struct SententialSetup {
    actions: ActionPlace,
    /// Left open, it is right-linear.
    vtree: RefCell<VtreeChoice>,
    reordering: Reordering,
    quantification: Quantification,
    /// Whether every vtree stays as it is for now.
    is_fixed: Cell<bool>,
    /// How many bits each variable has, actions behind the others.
    widths: RefCell<Vec<u32>>,
}

impl SententialSetup {
    /// Ready for `model`. An order by name may say where actions stand.
    pub fn new(
        model: &Model,
        order: Option<Heuristic>,
        vtree: VtreeChoice,
        reordering: Reordering,
    ) -> SententialSetup {
        let actions = order.map_or(ActionPlace::default(), ActionPlace::of);
        SententialSetup {
            actions,
            vtree: RefCell::new(vtree),
            reordering,
            quantification: Quantification::default(),
            is_fixed: Cell::new(false),
            widths: RefCell::new(first_widths(model)),
        }
    }

    /// The same with another way to quantify, for measurements.
    pub(crate) fn quantifying(self, quantification: Quantification) -> SententialSetup {
        SententialSetup { quantification, ..self }
    }

    /// Whether vtrees stay as they are from now on, as they do in a race.
    pub(crate) fn fix_vtrees(&self, is_fixed: bool) {
        self.is_fixed.set(is_fixed);
    }

    /// The vtree that state sets get.
    pub(crate) fn vtree(&self) -> VtreeChoice {
        self.vtree.borrow().clone()
    }

    /// Decides on a vtree.
    pub(crate) fn use_vtree(&self, vtree: VtreeShape) {
        *self.vtree.borrow_mut() = VtreeChoice::Named(vtree);
    }
}

impl DiagramSetup for SententialSetup {
    type Sets = SententialSets;
    const RACES_UNMERGED: bool = true;

    fn supports(&self, _model: &Model, capability: Capability) -> bool {
        match capability {
            Capability::Saturation | Capability::Observation | Capability::Forcing | Capability::Outlines => {
                true
            }
            Capability::Distances | Capability::WeightedCount => false,
        }
    }

    fn set_up(
        &self,
        model: &Model,
        blocks: &Blocks,
        order: &Order,
        meter: Meter,
        limits: Limits,
    ) -> Result<SententialSets, SetupError> {
        let widths = self.widths.borrow();
        let has_twin = events::with_twins(model, &widths);
        let plan = BitPlan { blocks, order, actions: self.actions, widths: &widths, has_twin: &has_twin };
        let reordering = if self.is_fixed.get() { Reordering::Off } else { self.reordering };
        let mut sets = SententialSets::new(model, &plan, &self.vtree.borrow(), reordering, meter, limits)?;
        sets.sdd.quantify_by(self.quantification);
        Ok(sets)
    }

    fn most_levels(&self, model: &Model) -> usize {
        LEVELS_PER_BIT * bits::most_levels(model, &events::with_twins(model, &self.widths.borrow()))
    }

    fn widen(&self, model: &Model, sets: &SententialSets) -> bool {
        let mut widths = self.widths.borrow_mut();
        let wider = sets.too_narrow().and_then(|variable| widened(model, &widths, variable));
        let is_wider = wider.is_some();
        if let Some(wider) = wider {
            *widths = wider;
        }
        is_wider
    }

    fn proven_orders(&self, model: &Model) -> &'static [Heuristic] {
        // As for binary diagrams: agents that share much are best arranged by what they share.
        if model.is_synchronous() { &[Heuristic::Hub, Heuristic::Agents4] } else { &[] }
    }

    fn finish(&self, sets: &mut SententialSets, reached: &Root) {
        if self.reordering != Reordering::Off {
            sets.minimise_for(reached);
        }
    }
}
