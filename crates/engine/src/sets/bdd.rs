//! State sets on binary decision diagrams.
//!
//! ```text
//! variables, predicates, synchronous steps ──boolean.rs──▶ bits, functions and relations of bits
//! events of nets and their like ──asynchronous.rs──▶ groups of arcs: fired, saturated
//! ```
//!
//! A code that stands for no value is never reached, so it is in no set and is never counted (E1).

mod asynchronous;
mod outline;

use crate::order::{ActionPlace, Blocks, Heuristic, Order};
use crate::policy::bdd::{BUNCH, FIRST_COLLECTION_NODES, QUICKLY_COUNTED, WORDS_PER_NODE};
use crate::sets::boolean::arithmetic::{Formulas, weights};
use crate::sets::boolean::bits::{self, BitPlan, Bits, first_widths, widened};
use crate::sets::boolean::events::NEVER_FITS;
use crate::sets::boolean::initial::Initial;
use crate::sets::boolean::synchronous::Step;
use crate::sets::core::capabilities::{
    Capability, Forcing, Observation, Outlines, RelationSize, RelationStatistics, Saturation,
};
use crate::sets::core::{Analysed, StateSets, closure};
use crate::sets::kind::DiagramKind;
use crate::sets::linear::LinearTest;
use crate::sets::outline::DiagramOutline;
use crate::sets::setup::{DiagramSetup, SetupError};
use num_bigint::BigUint;
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use symbolon_budget::{Interrupted, Meter};
use symbolon_dd_bdd::{Bdd, Group, Limits as BddLimits, Method, Root, Statistics, Variable, VariableSet};
use symbolon_dd_core::Limits;
use symbolon_model::{Event, EventId, Model, Part, Predicate, State, VariableId};

/// Whether bits are moved while sets grow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reordering {
    /// Bits stay where the variable order has put them.
    #[default]
    Off,
    /// An order for the reachable set is looked for, once it is known.
    Result,
    /// Variables are sifted whenever the diagrams have grown enough, also in the midst of an image,
    /// and at the end once more for the reachable set.
    Dynamic,
}

/// The number of levels that binary diagrams of a model may have in the end.
pub fn binary_level_count(model: &Model) -> usize {
    bits::most_levels(model, &bits::with_twins(model))
}

/// Sets of states of one model, as BDDs over the bits of its variables.
pub struct BddSets {
    bdd: Bdd,
    bits: Bits,
    /// By event; nothing for synchronous steps.
    groups: Vec<Group>,
    /// All asynchronous events, in bunches that are fired as one.
    bunches: Vec<Group>,
    steps: Vec<Step<Bdd>>,
    initial: Initial,
    state_bits: Vec<Variable>,
    state_set: VariableSet,
    chaining: Vec<EventId>,
    /// The model, if groups may have to be made again, and the number of reorderings they were made
    /// after.
    model: Option<Box<Model>>,
    made_after: u64,
    /// How bits are moved while sets grow, if they are.
    automatic: Option<Method>,
}

/// How bits are moved.
const SIFTING: Method = Method::Sifting { repeat: true };

impl Drop for BddSets {
    fn drop(&mut self) {
        let made = self.bdd.statistics().created_nodes;
        self.bdd.meter().budget().progress().count_made(DiagramKind::Bdd.kernel(), made);
    }
}

impl BddSets {
    /// State sets of `model` with bits as planned.
    pub(crate) fn new(
        model: &Model,
        plan: &BitPlan,
        reordering: Reordering,
        meter: Meter,
        limits: Limits,
    ) -> Result<BddSets, SetupError> {
        let bits = Bits::new(model, plan);
        let usual = BddLimits::default();
        let limits = BddLimits {
            cache_bits: limits.cache_bits,
            largest_cache_bits: limits.largest_cache_bits,
            first_collection_nodes: FIRST_COLLECTION_NODES,
            collection_nodes: (limits.collection_words / WORDS_PER_NODE).max(1),
            collection_percent: if limits.collection_growth == 0 { 0 } else { usual.collection_percent },
            ..usual
        };
        let mut bdd = Bdd::new(bits.bit_count(), meter, limits)?;
        let has_moves = model.events.iter().any(|event| !event.is_synchronous());
        bdd.set_groups(if has_moves { bits.groups() } else { bits.twins() });
        let state_bits: Vec<Variable> = bits.of_state().collect();
        let state_set = bdd.variable_set(state_bits.iter().copied());
        let mut steps = Vec::new();
        for id in model.event_ids().filter(|&id| model.event(id).is_synchronous()) {
            steps.push(Step::new(&mut bdd, &bits, model, id, model.event(id))?);
        }
        let initial = Initial::new(model, &bits);
        let mut sets = BddSets {
            bdd,
            bits,
            groups: Vec::new(),
            bunches: Vec::new(),
            steps,
            initial,
            state_bits,
            state_set,
            chaining: Vec::new(),
            model: (reordering != Reordering::Off && has_moves).then(|| Box::new(model.clone())),
            made_after: 0,
            automatic: (reordering == Reordering::Dynamic).then_some(SIFTING),
        };
        sets.chaining = sets.arranged(model);
        sets.make_groups(model)?;
        sets.bdd.reorder_automatically(sets.automatic);
        Ok(sets)
    }

    /// The diagram behind the sets.
    pub fn bdd(&self) -> &Bdd {
        &self.bdd
    }

    /// Looks for a better order of bits for a set, for as long as the budget lets it.
    pub(crate) fn reorder_for(&mut self, set: &Root) {
        // Where it stopped, sets are as valid as before, and the next operation reports it.
        let _ = self.bdd.reorder_for(&[set], SIFTING);
    }

    /// The states of a set, one after another.
    pub fn states_of(&self, set: &Root) -> impl Iterator<Item = State> + '_ {
        self.bdd.assignments(set, &self.state_bits).map(|values| self.bits.decode(values.into_iter()))
    }

    /// The variable whose bits were too few, if that is why the last operation was interrupted.
    pub(crate) fn too_narrow(&self) -> Option<VariableId> {
        self.bdd.out_of_range().filter(|&number| number != NEVER_FITS).map(VariableId)
    }

    fn make_groups(&mut self, model: &Model) -> Result<(), Interrupted> {
        self.groups.clear();
        for event in &model.events {
            self.bdd.meter_mut().step()?;
            let is_step = event.is_synchronous();
            let group = if is_step {
                Group::NOTHING
            } else {
                asynchronous::group_of(&mut self.bdd, &self.bits, event)?
            };
            self.groups.push(group);
        }
        let in_turn = self.chaining.iter().map(|event| self.groups[event.index()]);
        let moving: Vec<Group> = in_turn.filter(|&group| group != Group::NOTHING).collect();
        self.bunches = moving.chunks(BUNCH).map(|bunch| self.bdd.either(bunch)).collect();
        self.bdd.set_events(&self.groups);
        self.made_after = self.bdd.reordering_count();
        Ok(())
    }

    /// Groups know levels: after a reordering they are made again.
    fn renew_groups(&mut self) -> Result<(), Interrupted> {
        while self.made_after != self.bdd.reordering_count()
            && let Some(model) = self.model.take()
        {
            // Nothing moves while arcs are made.
            self.bdd.reorder_automatically(None);
            self.bdd.forget_moves();
            let made = self.make_groups(&model);
            self.bdd.reorder_automatically(self.automatic);
            self.model = Some(model);
            made?;
        }
        Ok(())
    }

    /// Events from the lowest to the highest, by what they touch.
    fn arranged(&self, model: &Model) -> Vec<EventId> {
        let top = |event: &Event| {
            let bit_levels =
                |variable: VariableId| self.bits.of(variable).last().map(|&bit| self.bdd.level_of(bit));
            event
                .parts
                .iter()
                .filter_map(|part| match part {
                    Part::Local { variable, .. } => bit_levels(*variable),
                    _ => part.variables().into_iter().filter_map(bit_levels).max(),
                })
                .max()
        };
        let mut events: Vec<EventId> = model.event_ids().collect();
        events.sort_by_cached_key(|&event| top(model.event(event)));
        events
    }

    /// One of the bunches, as the order is now.
    fn bunch(&mut self, number: usize) -> Result<Group, Interrupted> {
        self.renew_groups()?;
        Ok(self.bunches[number])
    }

    /// The states from which an asynchronous event leads to `target`.
    fn fire_back(&mut self, target: &Root) -> Result<Root, Interrupted> {
        let mut all = self.bdd.constant(false);
        for number in 0..self.bunches.len() {
            let bunch = self.bunch(number)?;
            let one = self.bdd.fire_back(bunch, target)?;
            all = self.bdd.or(&all, &one)?;
        }
        Ok(all)
    }

    fn step_of(&self, event: EventId) -> Option<usize> {
        self.steps.iter().position(|step| step.event == event)
    }

    fn formulas(&mut self) -> Formulas<'_, Bdd> {
        Formulas { kernel: &mut self.bdd, bits: &self.bits }
    }

    /// All that is reached from `reached` by steps, closed under the other events; from the newest
    /// states.
    fn close_by_steps(&mut self, reached: &mut Root) -> Result<(), Interrupted> {
        let has_moves = !self.bunches.is_empty();
        let mut newest = reached.clone();
        while !self.is_empty(&newest) {
            let mut next = self.none();
            for step in &self.steps {
                let image = step.image(&mut self.bdd, &newest)?;
                next = self.bdd.or(&next, &image)?;
            }
            let mut grown = self.bdd.or(reached, &next)?;
            if has_moves && grown != *reached {
                self.renew_groups()?;
                grown = self.bdd.saturate(&grown)?;
            }
            newest = self.bdd.minus(&grown, reached)?;
            *reached = grown;
        }
        Ok(())
    }
}

impl StateSets for BddSets {
    type Set = Root;

    fn kind(&self) -> Option<DiagramKind> {
        Some(DiagramKind::Bdd)
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

    fn outlines(&self) -> Option<&dyn Outlines<Set = Root>> {
        Some(self)
    }

    fn relation_statistics(&self) -> Option<&dyn RelationStatistics<Set = Root>> {
        Some(self)
    }

    fn none(&mut self) -> Root {
        self.bdd.constant(false)
    }

    fn initial(&mut self) -> Result<Root, Interrupted> {
        self.initial.set(&mut self.bdd, &self.bits)
    }

    fn singleton(&mut self, state: &[u64]) -> Result<Root, Interrupted> {
        match self.bits.encode(state) {
            Some(literals) => self.bdd.cube(&literals),
            None => Ok(self.none()),
        }
    }

    fn image(&mut self, event: EventId, from: &Root) -> Result<Root, Interrupted> {
        if let Some(step) = self.step_of(event) {
            return self.steps[step].image(&mut self.bdd, from);
        }
        self.renew_groups()?;
        self.bdd.fire(self.groups[event.index()], from)
    }

    fn preimage(&mut self, event: EventId, target: &Root, within: &Root) -> Result<Root, Interrupted> {
        if let Some(step) = self.step_of(event) {
            return self.steps[step].preimage(&mut self.bdd, target, within);
        }
        self.renew_groups()?;
        let before = self.bdd.fire_back(self.groups[event.index()], target)?;
        self.bdd.and(&before, within)
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
        self.steps[step].preimage_of_state(&mut self.bdd, &after, within)
    }

    fn image_of_any(&mut self, from: &Root) -> Result<Root, Interrupted> {
        let mut all = self.bdd.constant(false);
        for number in 0..self.bunches.len() {
            let bunch = self.bunch(number)?;
            let one = self.bdd.fire(bunch, from)?;
            all = self.bdd.or(&all, &one)?;
        }
        for step in &self.steps {
            let one = step.image(&mut self.bdd, from)?;
            all = self.bdd.or(&all, &one)?;
        }
        Ok(all)
    }

    fn preimage_of_any(&mut self, target: &Root, within: &Root) -> Result<Root, Interrupted> {
        let all = self.fire_back(target)?;
        let mut all = self.bdd.and(&all, within)?;
        for step in &mut self.steps {
            let one = step.preimage(&mut self.bdd, target, within)?;
            all = self.bdd.or(&all, &one)?;
        }
        Ok(all)
    }

    fn forward_closure(&mut self, from: &Root, within: &Root) -> Result<Root, Interrupted> {
        if self.steps.is_empty() {
            closure::forward(self, from, within)
        } else {
            closure::forward_by_layers(self, from, within)
        }
    }

    fn backward_closure(&mut self, target: &Root, within: &Root) -> Result<Root, Interrupted> {
        if self.steps.is_empty() {
            closure::backward(self, target, within)
        } else {
            closure::backward_by_layers(self, target, within)
        }
    }

    fn restrict_to(&mut self, universe: &Root) {
        self.steps.iter_mut().for_each(|step| step.restrict_to(universe));
    }

    fn select_sum(&mut self, set: &Root, test: &LinearTest) -> Result<Root, Interrupted> {
        let passing = self.formulas().sum(test)?;
        self.bdd.and(set, &passing)
    }

    fn select(&mut self, set: &Root, predicate: &Predicate) -> Result<Root, Interrupted> {
        let holding = self.formulas().holds(predicate)?;
        self.bdd.and(set, &holding)
    }

    fn union(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        self.bdd.or(a, b)
    }

    fn intersection(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        self.bdd.and(a, b)
    }

    fn difference(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        self.bdd.minus(a, b)
    }

    fn enabled(&mut self, event: EventId, set: &Root) -> Result<Root, Interrupted> {
        if let Some(step) = self.step_of(event) {
            return self.steps[step].enabled(&mut self.bdd, set);
        }
        self.renew_groups()?;
        self.bdd.can_fire(self.groups[event.index()], set)
    }

    fn dead(&mut self, set: &Root) -> Result<Root, Interrupted> {
        let mut dead = set.clone();
        for number in 0..self.bunches.len() {
            let bunch = self.bunch(number)?;
            let alive = self.bdd.can_fire(bunch, &dead)?;
            dead = self.bdd.minus(&dead, &alive)?;
        }
        for step in &mut self.steps {
            let alive = step.enabled(&mut self.bdd, set)?;
            dead = self.bdd.minus(&dead, &alive)?;
        }
        Ok(dead)
    }

    fn is_empty(&self, set: &Root) -> bool {
        set.node().is_empty()
    }

    fn contains(&mut self, set: &Root, state: &[u64]) -> bool {
        let Some(literals) = self.bits.encode(state) else { return false };
        let mut values = vec![false; self.bits.bit_count() as usize];
        for (bit, value) in literals {
            values[bit.index()] = value;
        }
        self.bdd.contains(set, &values)
    }

    fn count(&mut self, set: &Root) -> Result<BigUint, Interrupted> {
        self.bdd.meter().budget().check()?;
        Ok(self.bdd.count(set, self.state_set))
    }

    fn count_if_quick(&mut self, set: &Root) -> Option<BigUint> {
        let is_small = self.bdd.node_count([set]) <= QUICKLY_COUNTED;
        is_small.then(|| self.bdd.count(set, self.state_set))
    }

    fn choose(&mut self, set: &Root) -> Option<State> {
        self.bdd.choose(set, &self.state_bits).map(|values| self.bits.decode(values.into_iter()))
    }

    fn largest(&mut self, set: &Root, terms: &[(VariableId, i64)]) -> Result<Option<i128>, Interrupted> {
        let weights =
            weights(&self.bits, terms.iter().map(|&(variable, weight)| (variable, i128::from(weight))))?;
        self.bdd.largest_sum(set, &weights)
    }

    fn count_edges(&mut self, set: &Root) -> Result<Option<BigUint>, Interrupted> {
        if !self.steps.is_empty() {
            return Ok(None);
        }
        let mut edges = BigUint::ZERO;
        for event in (0..self.event_count() as u32).map(EventId) {
            let enabled = self.enabled(event, set)?;
            if !self.is_empty(&enabled) {
                edges += self.count(&enabled)?;
            }
        }
        Ok(Some(edges))
    }

    fn analyse(&mut self, set: &Root) -> Result<Analysed, Interrupted> {
        let possible = self.bdd.possible_values(set);
        let mut analysed = Analysed::default();
        for variable in self.bits.variables() {
            let (largest, smallest) = match self.bits.of(variable) {
                [bit] => {
                    let [can_be_0, can_be_1] = possible[bit.index()];
                    (u64::from(can_be_1), u64::from(!can_be_0))
                }
                _ => {
                    let extreme = |sets: &BddSets, sign: i128| -> Result<u64, Interrupted> {
                        let weights = weights(&sets.bits, std::iter::once((variable, sign)))?;
                        let sum = sets.bdd.largest_sum(set, &weights)?.unwrap_or(0);
                        u64::try_from(sum * sign).map_err(|_| Interrupted::Overflow)
                    };
                    (extreme(self, 1)?, extreme(self, -1)?)
                }
            };
            analysed.largest.push(largest);
            analysed.smallest.push(smallest);
        }
        Ok(analysed)
    }

    fn level_count(&self) -> usize {
        self.state_bits.len()
    }

    fn node_count(&self, set: &Root) -> usize {
        self.bdd.node_count([set])
    }

    fn statistics(&self) -> Statistics {
        self.bdd.statistics()
    }

    fn event_count(&self) -> usize {
        self.groups.len()
    }

    fn events_for_chaining(&self) -> Vec<EventId> {
        self.chaining.clone()
    }

    fn meter(&mut self) -> &mut Meter {
        self.bdd.meter_mut()
    }
}

impl Saturation for BddSets {
    fn saturate(&mut self, from: &Root) -> Result<Root, Interrupted> {
        self.renew_groups()?;
        let mut reached = self.bdd.saturate(from)?;
        if !self.steps.is_empty() {
            self.close_by_steps(&mut reached)?;
        }
        Ok(reached)
    }

    fn found_until_interrupted(&mut self) -> Option<BigUint> {
        let (set, variables) = self.bdd.take_partial()?;
        if self.bdd.node_count([&set]) > QUICKLY_COUNTED {
            return None;
        }
        let state: FxHashSet<Variable> = self.state_bits.iter().copied().collect();
        let below = self.bdd.variable_set(variables.into_iter().filter(|variable| state.contains(variable)));
        Some(self.bdd.count(&set, below))
    }
}

impl Observation for BddSets {
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
        let hidden = self.bdd.variable_set(hidden);
        let seen = self.bdd.exists(set, hidden)?;
        self.bdd.and(&seen, within)
    }
}

impl Forcing for BddSets {
    fn can_force(&mut self, group: &[VariableId], target: &Root, within: &Root) -> Result<Root, Interrupted> {
        let forcing = match self.steps.first_mut() {
            Some(step) => step.can_force(&mut self.bdd, &self.bits, group, target, within)?,
            None => {
                let dead = self.dead(within)?;
                self.bdd.minus(within, &dead)?
            }
        };
        let mut forcing = self.bdd.and(&forcing, within)?;
        // No agent chooses what other events do.
        let elsewhere = self.bdd.not(target);
        for step in self.steps.iter_mut().skip(1) {
            let may_miss = step.preimage(&mut self.bdd, &elsewhere, within)?;
            forcing = self.bdd.minus(&forcing, &may_miss)?;
        }
        let may_miss = self.fire_back(&elsewhere)?;
        self.bdd.minus(&forcing, &may_miss)
    }
}

impl RelationStatistics for BddSets {
    fn relation_size(&self) -> Option<RelationSize> {
        let sizes = self.steps.iter().map(Step::relation_size);
        sizes.reduce(|all, one| RelationSize {
            conjuncts: all.conjuncts + one.conjuncts,
            clusters: all.clusters + one.clusters,
        })
    }
}

impl Outlines for BddSets {
    fn outline_size(&self, set: &Root) -> usize {
        self.bdd.plain_node_count([set])
    }

    fn outline_of(&self, set: &Root) -> DiagramOutline {
        DiagramOutline::Binary(self.outline(set))
    }
}

/// Sets up binary decision diagrams.
pub struct BddSetup {
    reordering: Reordering,
    actions: ActionPlace,
    /// How many bits each variable has, actions behind the others.
    widths: RefCell<Vec<u32>>,
}

impl BddSetup {
    /// Ready for `model`. An order by name may say where actions stand.
    pub fn new(model: &Model, order: Option<Heuristic>, reordering: Reordering) -> BddSetup {
        let actions = order.map_or(ActionPlace::default(), ActionPlace::of);
        BddSetup { reordering, actions, widths: RefCell::new(first_widths(model)) }
    }
}

impl DiagramSetup for BddSetup {
    type Sets = BddSets;
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
    ) -> Result<BddSets, SetupError> {
        let widths = self.widths.borrow();
        let has_twin = bits::with_twins(model);
        let plan = BitPlan { blocks, order, actions: self.actions, widths: &widths, has_twin: &has_twin };
        BddSets::new(model, &plan, self.reordering, meter, limits)
    }

    fn most_levels(&self, model: &Model) -> usize {
        binary_level_count(model)
    }

    fn widen(&self, model: &Model, sets: &BddSets) -> bool {
        let mut widths = self.widths.borrow_mut();
        let wider = sets.too_narrow().and_then(|variable| widened(model, &widths, variable));
        let is_wider = wider.is_some();
        if let Some(wider) = wider {
            *widths = wider;
        }
        is_wider
    }

    fn proven_orders(&self, model: &Model) -> &'static [Heuristic] {
        // Agents that share much are best arranged by what they share, and others one after
        // another.
        if model.is_synchronous() { &[Heuristic::Hub, Heuristic::Agents4] } else { &[] }
    }

    fn finish(&self, sets: &mut BddSets, reached: &Root) {
        if self.reordering != Reordering::Off {
            sets.reorder_for(reached);
        }
    }
}
