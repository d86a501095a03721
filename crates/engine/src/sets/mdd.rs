//! State sets on multi-valued decision diagrams.
//!
//! Events that change single variables are lists of actions. The others are given to the kernel by
//! their residuals ([`crate::sets::residual`]), and are fired, saturated and counted like the rest;
//! only synchronous steps, which go through several relations, are taken apart from them
//! ([`crate::sets::synchronous`]).

mod distances;
mod outline;
mod special;

use crate::order::{Blocks, Order, order_with_actions};
use crate::sets::core::capabilities::{
    Capability, Forcing, GroupTerm, Numbers, Observation, Outlines, Saturation, ShortestTraces, WeightedCount,
};
use crate::sets::core::{Analysed, Figures, StateSets, closure, select};
use crate::sets::encoding::Encoding;
use crate::sets::kind::DiagramKind;
use crate::sets::linear::LinearTest;
use crate::sets::outline::DiagramOutline;
use crate::sets::residual::SharedResiduals;
use crate::sets::setup::{DiagramSetup, SetupError};
use crate::sets::synchronous::{self, SynchronousStep, Waypoints};
use num_bigint::BigUint;
use symbolon_budget::{Interrupted, Meter};
use symbolon_dd_mdd::{LevelWeight, Limits, Mdd, NodeId, Root, Statistics};
use symbolon_dd_weighted::{Add, AddKind, Edd, EddKind};
use symbolon_model::{EventId, Model, Predicate, State, VariableId};

/// Sets of states of one model, as MDDs under one encoding.
pub struct MddSets {
    mdd: Mdd,
    encoding: Encoding,
    initial: Vec<Vec<u64>>,
    /// What the diagram knows of functions with weights on edges, once they were asked for.
    weighted: Option<EddKind>,
    /// The same for numbers at terminals.
    algebraic: Option<AddKind>,
    /// Relations that are more than lists of actions; made when first needed.
    residuals: Option<SharedResiduals>,
    /// The relation that makes all initial states of any state, if they are described.
    initially: Option<u32>,
    steps: Vec<SynchronousStep>,
    /// Whether there are events that are no synchronous steps.
    has_other_events: bool,
    waypoints: Option<Waypoints<Root>>,
    /// What an interrupted saturation by synchronous steps had found.
    partial: Option<Root>,
}

impl Drop for MddSets {
    fn drop(&mut self) {
        let made = self.mdd.statistics().created_nodes;
        self.mdd.meter().budget().progress().count_made(DiagramKind::Mdd.kernel(), made);
    }
}

impl MddSets {
    /// State sets of `model` with these blocks in this order.
    pub fn new(
        model: &Model,
        blocks: &Blocks,
        order: &Order,
        meter: Meter,
        limits: Limits,
    ) -> Result<MddSets, SetupError> {
        let encoding = match order_with_actions(model, blocks, order) {
            Some((blocks, order)) => Encoding::new(model, &blocks, &order),
            None => Encoding::new(model, blocks, order),
        };
        let mut mdd = Mdd::new(encoding.domains(model), meter, limits)?;
        let mut events = model.events.iter();
        let mut merged = Vec::new();
        mdd.describe_events(model.events.len(), |actions| {
            let Some(event) = events.next() else { return Ok(false) };
            if special::is_special(event) {
                return Ok(true);
            }
            encoding.append_actions(event, &mut merged, actions).map_err(SetupError::Unsupported)?;
            Ok::<bool, SetupError>(true)
        })?;
        let initial = model
            .initial
            .iter()
            .map(|state| encoding.encode(state).expect("facts hold in initial states (M3)"))
            .collect();
        let mut sets = MddSets {
            mdd,
            encoding,
            initial,
            weighted: None,
            algebraic: None,
            residuals: None,
            initially: None,
            steps: Vec::new(),
            has_other_events: model.events.iter().any(|event| !event.is_synchronous()),
            waypoints: None,
            partial: None,
        };
        sets.set_up_relations(model)?;
        Ok(sets)
    }

    /// How states are encoded.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// The diagram behind the sets.
    pub fn mdd(&self) -> &Mdd {
        &self.mdd
    }

    /// Functions with weights on edges, in the same diagram.
    pub fn edd(&mut self) -> Edd<'_> {
        let kind = self.weighted.get_or_insert_with(|| EddKind::new(&mut self.mdd));
        Edd::new(&mut self.mdd, kind)
    }

    /// Functions with numbers at terminals, in the same diagram.
    pub fn add(&mut self) -> Add<'_> {
        let kind = self.algebraic.get_or_insert_with(|| AddKind::new(&mut self.mdd));
        Add::new(&mut self.mdd, kind)
    }

    /// The smallest and the largest value of each variable in a non-empty set.
    fn value_ranges(&self, set: &Root) -> Analysed {
        let variable_count = self.encoding.variable_count();
        let mut analysed =
            Analysed { largest: vec![0; variable_count], smallest: vec![u64::MAX; variable_count] };
        for (level, summary) in self.mdd.summary(set.node()).iter().enumerate().skip(1) {
            let level = level as u32;
            let domain = self.mdd.domain(level);
            match self.encoding.variables(level) {
                [variable] => {
                    for &code in &summary.codes {
                        let value = domain.value(code);
                        let index = variable.index();
                        analysed.largest[index] = analysed.largest[index].max(value);
                        analysed.smallest[index] = analysed.smallest[index].min(value);
                    }
                }
                several => {
                    for (place, variable) in several.iter().enumerate() {
                        let code = place as u32 + 1;
                        let occurs = summary.codes.binary_search(&code).is_ok();
                        let others = summary.codes.len() > usize::from(occurs);
                        analysed.largest[variable.index()] = u64::from(occurs);
                        analysed.smallest[variable.index()] = u64::from(!others);
                    }
                }
            }
        }
        analysed.largest.truncate(self.encoding.state_width());
        analysed.smallest.truncate(self.encoding.state_width());
        analysed
    }

    /// What the codes of each level weigh; index 0 is unused.
    fn weights(
        &self,
        terms: impl Iterator<Item = (VariableId, i128)>,
    ) -> Result<Vec<LevelWeight>, Interrupted> {
        let mut weights = vec![LevelWeight::Nothing; self.encoding.level_count() + 1];
        for (variable, weight) in terms {
            let level = self.encoding.level_of(variable);
            let block = self.encoding.variables(level).len();
            let slot = &mut weights[level as usize];
            if *slot == LevelWeight::Nothing {
                *slot = match block {
                    1 => LevelWeight::Factor(0),
                    _ => LevelWeight::ByCode(vec![0; block + 1].into()),
                };
            }
            let sum = match slot {
                LevelWeight::Nothing => continue,
                LevelWeight::Factor(factor) => factor,
                LevelWeight::ByCode(codes) => &mut codes[self.encoding.code_of(variable) as usize],
            };
            *sum = sum.checked_add(weight).ok_or(Interrupted::Overflow)?;
        }
        Ok(weights)
    }

    fn rooted(&mut self, node: Result<NodeId, Interrupted>) -> Result<Root, Interrupted> {
        node.map(|node| self.mdd.root(node))
    }
}

impl StateSets for MddSets {
    type Set = Root;

    fn kind(&self) -> Option<DiagramKind> {
        Some(DiagramKind::Mdd)
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

    fn shortest_traces(&mut self) -> Option<&mut dyn ShortestTraces<Set = Root>> {
        Some(self)
    }

    fn weighted_counts(&mut self) -> Option<&mut dyn WeightedCount<Set = Root>> {
        Some(self)
    }

    fn none(&mut self) -> Root {
        self.mdd.root(NodeId::EMPTY)
    }

    fn initial(&mut self) -> Result<Root, Interrupted> {
        let mut set = NodeId::EMPTY;
        for vector in &self.initial {
            let one = self.mdd.singleton(vector)?;
            set = self.mdd.union(set, one)?;
        }
        let Some(relation) = self.initially else { return Ok(self.mdd.root(set)) };
        let start = self.mdd.singleton(&vec![0; self.encoding.level_count()]);
        let start = self.rooted(start)?;
        synchronous::Related::follow(self, relation, &start)
    }

    fn singleton(&mut self, state: &[u64]) -> Result<Root, Interrupted> {
        match self.encoding.encode(state) {
            Some(vector) => {
                let node = self.mdd.singleton(&vector);
                self.rooted(node)
            }
            None => Ok(self.none()),
        }
    }

    fn image(&mut self, event: EventId, from: &Root) -> Result<Root, Interrupted> {
        match self.step_of(event) {
            Some(step) => synchronous::image(self, &step, from),
            None => self.growing(|mdd| mdd.image(event.index(), from.node())),
        }
    }

    fn preimage(&mut self, event: EventId, target: &Root, within: &Root) -> Result<Root, Interrupted> {
        match self.step_of(event) {
            Some(step) => synchronous::preimage(self, &step, Some(target), within),
            None => self.growing(|mdd| mdd.preimage(event.index(), target.node(), within.node())),
        }
    }

    fn image_of_any(&mut self, from: &Root) -> Result<Root, Interrupted> {
        let mut all = self.growing(|mdd| mdd.image_of_any(from.node()))?;
        for step in self.steps.clone() {
            let one = synchronous::image(self, &step, from)?;
            all = self.union(&all, &one)?;
        }
        Ok(all)
    }

    fn preimage_of_any(&mut self, target: &Root, within: &Root) -> Result<Root, Interrupted> {
        let mut all = self.growing(|mdd| mdd.preimage_of_any(target.node(), within.node()))?;
        for step in self.steps.clone() {
            let one = synchronous::preimage(self, &step, Some(target), within)?;
            all = self.union(&all, &one)?;
        }
        Ok(all)
    }

    fn forward_closure(&mut self, from: &Root, within: &Root) -> Result<Root, Interrupted> {
        if self.steps.is_empty() {
            return self.growing(|mdd| mdd.forward_closure(from.node(), within.node()));
        }
        closure::forward_by_layers(self, from, within)
    }

    fn backward_closure(&mut self, target: &Root, within: &Root) -> Result<Root, Interrupted> {
        if self.steps.is_empty() {
            return self.growing(|mdd| mdd.backward_closure(target.node(), within.node()));
        }
        closure::backward_by_layers(self, target, within)
    }

    fn hull(&mut self, set: &Root) -> Result<Root, Interrupted> {
        let node = self.mdd.hull(set.node());
        self.rooted(node)
    }

    fn select_sum(&mut self, set: &Root, test: &LinearTest) -> Result<Root, Interrupted> {
        let weights = self.weights(test.terms.iter().copied())?;
        let node = self.mdd.select(set.node(), &weights, test.test, test.bound);
        self.rooted(node)
    }

    fn select(&mut self, set: &Root, predicate: &Predicate) -> Result<Root, Interrupted> {
        if select::is_linear(predicate) {
            return select::select(self, set, predicate);
        }
        let relation = synchronous::Related::with_residuals(self, |residuals| residuals.select(predicate))?;
        synchronous::Related::follow(self, relation, set)
    }

    fn union(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        let node = self.mdd.union(a.node(), b.node());
        self.rooted(node)
    }

    fn intersection(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        let node = self.mdd.intersection(a.node(), b.node());
        self.rooted(node)
    }

    fn difference(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        let node = self.mdd.difference(a.node(), b.node());
        self.rooted(node)
    }

    fn enabled(&mut self, event: EventId, set: &Root) -> Result<Root, Interrupted> {
        if let Some(step) = self.step_of(event) {
            return synchronous::preimage(self, &step, None, set);
        }
        let node = self.mdd.enabled(event.index(), set.node());
        self.rooted(node)
    }

    fn dead(&mut self, set: &Root) -> Result<Root, Interrupted> {
        let node = self.mdd.dead(set.node());
        let mut dead = self.rooted(node)?;
        for step in self.steps.clone() {
            let alive = synchronous::preimage(self, &step, None, &dead)?;
            dead = self.difference(&dead, &alive)?;
        }
        Ok(dead)
    }

    fn is_empty(&self, set: &Root) -> bool {
        set.node().is_empty()
    }

    fn contains(&mut self, set: &Root, state: &[u64]) -> bool {
        self.encoding.encode(state).is_some_and(|vector| self.mdd.contains(set.node(), &vector))
    }

    fn count(&mut self, set: &Root) -> Result<BigUint, Interrupted> {
        self.mdd.count(set.node())
    }

    fn count_if_quick(&mut self, set: &Root) -> Option<BigUint> {
        self.mdd.count_small(&[set.node()], self.mdd.level_count())
    }

    fn choose(&mut self, set: &Root) -> Option<State> {
        self.mdd.choose(set.node()).map(|vector| self.encoding.decode(&vector))
    }

    fn largest(&mut self, set: &Root, weights: &[(VariableId, i64)]) -> Result<Option<i128>, Interrupted> {
        let weights =
            self.weights(weights.iter().map(|&(variable, weight)| (variable, i128::from(weight))))?;
        self.mdd.largest(set.node(), |level, code| weights[level as usize].of(code, self.mdd.domain(level)))
    }

    fn count_edges(&mut self, set: &Root) -> Result<Option<BigUint>, Interrupted> {
        if self.steps.is_empty() { self.mdd.count_edges(set.node()).map(Some) } else { Ok(None) }
    }

    fn analyse(&mut self, set: &Root) -> Result<Analysed, Interrupted> {
        Ok(self.value_ranges(set))
    }

    fn figures(&mut self, set: &Root) -> Result<Figures, Interrupted> {
        // Of the variables that share a level one holds a token at the most.
        let figures = self.mdd.figures(set.node(), |level, code| match self.encoding.variables(level) {
            [_] => self.mdd.domain(level).value(code),
            _ => u64::from(code > 0),
        })?;
        Ok(Figures {
            states: figures.vectors,
            nodes: figures.nodes,
            largest_value: figures.largest_value,
            largest_sum: figures.largest_sum.into(),
        })
    }

    fn ever_enabled(&mut self, set: &Root) -> Result<Vec<bool>, Interrupted> {
        let mut ever = self.mdd.ever_enabled(set.node())?;
        for step in self.steps.clone() {
            let found = synchronous::preimage(self, &step, None, set)?;
            ever[step.event.index()] = !self.is_empty(&found);
        }
        Ok(ever)
    }

    fn level_count(&self) -> usize {
        self.encoding.level_count()
    }

    fn node_count(&self, set: &Root) -> usize {
        self.mdd.node_count(set.node())
    }

    fn statistics(&self) -> Statistics {
        self.mdd.statistics()
    }

    fn event_count(&self) -> usize {
        self.mdd.event_count()
    }

    fn events_for_chaining(&self) -> Vec<EventId> {
        let mut events: Vec<EventId> = (0..self.event_count() as u32).map(EventId).collect();
        let is_step = |event: &EventId| self.steps.iter().any(|step| step.event == *event);
        events.sort_by_key(|event| (is_step(event), self.mdd.event_top(event.index())));
        events
    }

    fn collect_if_due(&mut self) {
        self.mdd.collect_if_due();
    }

    fn meter(&mut self) -> &mut Meter {
        self.mdd.meter_mut()
    }
}

impl Saturation for MddSets {
    fn saturate(&mut self, from: &Root) -> Result<Root, Interrupted> {
        if self.steps.is_empty() {
            return self.growing(|mdd| mdd.saturate(from.node()));
        }
        let (steps, has_others) = (self.steps.clone(), self.has_other_events);
        let mut reached = from.clone();
        let run = synchronous::saturate(self, &steps, &mut reached, |sets, set| {
            if has_others { sets.growing(|mdd| mdd.saturate(set.node())) } else { Ok(set.clone()) }
        });
        if run.is_err() {
            self.partial = Some(reached.clone());
        }
        run.map(|()| reached)
    }

    fn found_until_interrupted(&mut self) -> Option<BigUint> {
        if let Some(reached) = self.partial.take() {
            return self.count_if_quick(&reached);
        }
        let partial = self.mdd.take_partial()?;
        let nodes: Vec<NodeId> = partial.sets.iter().map(Root::node).collect();
        self.mdd.count_small(&nodes, partial.level)
    }
}

impl Observation for MddSets {
    fn same_observation(
        &mut self,
        set: &Root,
        variables: &[VariableId],
        within: &Root,
    ) -> Result<Root, Interrupted> {
        let count = self.encoding.state_width();
        synchronous::same_observation(self, set, variables, within, count)
    }
}

impl Forcing for MddSets {
    fn can_force(&mut self, group: &[VariableId], target: &Root, within: &Root) -> Result<Root, Interrupted> {
        let steps = self.steps.clone();
        synchronous::can_force(self, &steps, group, target, within)
    }
}

impl WeightedCount for MddSets {
    fn multinomial_count(
        &mut self,
        set: &Root,
        groups: &[Vec<GroupTerm>],
        taken: &[(VariableId, u64)],
    ) -> Result<BigUint, Interrupted> {
        // For each variable, what is taken of it, and the groups that it gives numbers to.
        let mut of_variable: Vec<(u64, Vec<(usize, &Numbers)>)> =
            vec![(0, Vec::new()); self.encoding.variable_count()];
        for (number, group) in groups.iter().enumerate() {
            for term in group {
                of_variable[term.variable.index()].1.push((number, &term.numbers));
            }
        }
        for &(variable, count) in taken {
            of_variable[variable.index()].0 = count;
        }
        self.mdd.multinomial_count(set.node(), groups.len(), |level, code, give| {
            let block = self.encoding.variables(level);
            let mut is_enough = true;
            for (variable, place) in block.iter().zip(1_u32..) {
                let (taken, terms) = &of_variable[variable.index()];
                if terms.is_empty() {
                    continue;
                }
                let value = match block.len() {
                    1 => self.mdd.domain(level).value(code),
                    _ => u64::from(code == place),
                };
                for &(group, numbers) in terms {
                    match (numbers, value.checked_sub(*taken)) {
                        (Numbers::Value, Some(rest)) => give(group, rest),
                        (Numbers::Value, None) => is_enough = false,
                        (Numbers::PerUnit(numbers), _) => {
                            (0..value).for_each(|_| numbers.iter().for_each(|&number| give(group, number)));
                        }
                    }
                }
            }
            is_enough
        })
    }
}

impl Outlines for MddSets {
    fn outline_size(&self, set: &Root) -> usize {
        self.mdd.node_count(set.node())
    }

    fn outline_of(&self, set: &Root) -> DiagramOutline {
        DiagramOutline::Levels(self.outline(set))
    }
}

/// Sets up multi-valued decision diagrams.
pub struct MddSetup;

impl DiagramSetup for MddSetup {
    type Sets = MddSets;
    const RACES_UNMERGED: bool = true;

    fn supports(&self, model: &Model, capability: Capability) -> bool {
        match capability {
            Capability::Saturation
            | Capability::Observation
            | Capability::Forcing
            | Capability::Outlines
            | Capability::WeightedCount => true,
            // A synchronous step is several relations, and distances would count each of them.
            Capability::Distances => !model.is_synchronous(),
        }
    }

    fn set_up(
        &self,
        model: &Model,
        blocks: &Blocks,
        order: &Order,
        meter: Meter,
        limits: Limits,
    ) -> Result<MddSets, SetupError> {
        MddSets::new(model, blocks, order, meter, limits)
    }
}
