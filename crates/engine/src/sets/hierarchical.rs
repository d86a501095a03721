//! State sets on data decision diagrams and on hierarchical set diagrams.
//!
//! Both are one kernel. A data decision diagram is one component, whose values are the blocks of
//! the order from the top down; a hierarchical set diagram groups the blocks into a tree of
//! components. Codes of blocks are those of the [`Encoding`], so that merged exclusive variables
//! are one value here, too. The kernel numbers values from the first one on (*places*), the
//! encoding numbers levels from the bottom: place = number of levels − level.

mod closures;
mod outline;
mod select;
mod special;
mod value_sets;
mod walk;
mod weights;

use crate::hierarchy::{Item, Tree, tree_with_actions};
use crate::order::{Blocks, Order};
use crate::sets::core::capabilities::{Capability, Forcing, Observation, Outlines, Saturation};
use crate::sets::core::{Analysed, StateSets};
use crate::sets::core::{closure, select as any_select};
use crate::sets::encoding::Encoding;
use crate::sets::kind::DiagramKind;
use crate::sets::linear::LinearTest;
use crate::sets::outline::DiagramOutline;
use crate::sets::residual::Residuals;
use crate::sets::setup::{DiagramSetup, SetupError};
use crate::sets::synchronous::{self, Related, SynchronousStep, Waypoints};
use closures::ClosedSet;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use special::SpecialEvent;
use symbolon_budget::{Interrupted, Meter};
use symbolon_dd_hierarchy::{
    Action, ActionId, Events, Hierarchy, Limits, NodeCount, NodeId, RelationId, Root, ShapeId, Slot,
    Statistics,
};
use symbolon_dd_mdd as mdd;
use symbolon_model::{EventId, Model, Predicate, State, VariableId};

/// Sets of states of one model, as diagrams over one tree of components.
pub struct HierarchySets {
    kernel: Hierarchy,
    encoding: Encoding,
    kind: DiagramKind,
    shape: ShapeId,
    events: Events,
    /// The relations of those events that were asked for.
    single: FxHashMap<EventId, RelationId>,
    /// The sum of all events that are lists of actions.
    all: RelationId,
    /// The others.
    special: Vec<SpecialEvent>,
    /// Their relations, and others that are more than lists of actions; made when first needed.
    residuals: Option<Box<Residuals>>,
    /// The initial states, place by place.
    initial: Vec<Vec<u64>>,
    /// The relation that makes all initial states of any state, if they are described.
    initially: Option<u32>,
    waypoints: Option<Waypoints<Root>>,
    /// What an interrupted saturation by special events had found.
    partial: Option<Root>,
    /// What saturation found last.
    closed: Option<ClosedSet>,
}

impl Drop for HierarchySets {
    fn drop(&mut self) {
        let made = self.kernel.statistics().created_nodes;
        self.kernel.meter().budget().progress().count_made(self.kind.kernel(), made);
    }
}

impl HierarchySets {
    /// State sets of `model` with these blocks in this tree of components.
    pub fn new(
        model: &Model,
        blocks: &Blocks,
        tree: &Tree,
        meter: Meter,
        limits: Limits,
    ) -> Result<HierarchySets, SetupError> {
        let with_actions = tree_with_actions(model, blocks, tree);
        let (blocks, tree) = with_actions.as_ref().map_or((blocks, tree), |(blocks, tree)| (blocks, tree));
        let encoding = Encoding::new(model, blocks, &tree.order());
        let mut kernel = Hierarchy::new(meter, limits)?;
        let shape = shape_of(&mut kernel, &tree.items)?;
        let mut events = Events::default();
        let has_special = model.events.iter().any(special::is_special);
        // The sum must not have the others in it, which have no actions here.
        let mut summed = Events::default();
        for event in &model.events {
            kernel.meter_mut().step()?;
            if special::is_special(event) {
                events.push([]);
                continue;
            }
            let actions = encoding.actions(event).map_err(SetupError::Unsupported)?;
            let parts: Result<Vec<(u32, ActionId)>, Interrupted> = actions
                .into_iter()
                .map(|(level, action)| {
                    Ok((encoding.level_count() as u32 - level, kernel.action(action_of(action))?))
                })
                .collect();
            let parts = parts?;
            if has_special {
                summed.push(parts.iter().copied());
            }
            events.push(parts);
        }
        events.shrink();
        let all = kernel.relation_of_events(shape, if has_special { &summed } else { &events })?;
        let initial = model
            .initial
            .iter()
            .map(|state| by_place(encoding.encode(state).expect("facts hold in initial states (M3)")))
            .collect();
        let mut sets = HierarchySets {
            kernel,
            encoding,
            kind: DiagramKind::Ddd,
            shape,
            single: FxHashMap::default(),
            events,
            all,
            special: Vec::new(),
            residuals: None,
            initial,
            initially: None,
            waypoints: None,
            partial: None,
            closed: None,
        };
        sets.set_up_relations(model)?;
        Ok(sets)
    }

    /// The same sets, called a set diagram, whatever its tree: `set` may choose one component.
    pub(crate) fn called_set(mut self) -> HierarchySets {
        self.kind = DiagramKind::Set;
        self
    }

    /// How states are encoded.
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// The diagrams behind the sets.
    pub fn kernel(&self) -> &Hierarchy {
        &self.kernel
    }

    /// All states of a set; for sets that are small.
    pub fn states_of(&self, set: &Root) -> impl Iterator<Item = State> {
        self.kernel.states(set.node()).map(|values| self.encoding.decode(&by_place(values)))
    }

    /// How large a set is, by kind of node.
    pub fn node_counts(&self, set: &Root) -> NodeCount {
        self.kernel.node_count(set.node())
    }

    fn relation(&mut self, event: EventId) -> Result<RelationId, Interrupted> {
        if let Some(&known) = self.single.get(&event) {
            return Ok(known);
        }
        let relation = self.kernel.relation_of_event(self.shape, self.events.parts(event.index()))?;
        self.single.insert(event, relation);
        Ok(relation)
    }

    fn rooted(&mut self, node: Result<NodeId, Interrupted>) -> Result<Root, Interrupted> {
        node.map(|node| self.kernel.root(node))
    }

    fn vector(&self, state: &[u64]) -> Option<Vec<u64>> {
        self.encoding.encode(state).map(by_place)
    }
}

/// Why numbers asked of a set exist: all its sequences have the one shape of its tree.
const WELL_DEFINED: &str = "sets of states are well defined";

/// From levels, counted from below, to places, counted from above; and back.
fn by_place(mut levels: Vec<u64>) -> Vec<u64> {
    levels.reverse();
    levels
}

fn shape_of(kernel: &mut Hierarchy, items: &[Item]) -> Result<ShapeId, Interrupted> {
    let slots: Result<Vec<Slot>, Interrupted> = items
        .iter()
        .map(|item| match item {
            Item::Block(_) => Ok(Slot::Value),
            Item::Group(items) => Ok(Slot::Component(shape_of(kernel, items)?)),
        })
        .collect();
    kernel.shape(&slots?)
}

fn action_of(action: mdd::Action) -> Action {
    match action {
        mdd::Action::Keep => Action::Keep,
        mdd::Action::Shift { at_least, at_most, delta } => Action::Shift { at_least, at_most, delta },
        mdd::Action::Assign { at_least, at_most, to } => Action::Assign { at_least, at_most, to },
        // Only merged blocks have maps, and their codes are their values.
        mdd::Action::Map(steps) => {
            Action::Map(steps.iter().map(|&(from, to)| (u64::from(from), u64::from(to))).collect())
        }
    }
}

impl StateSets for HierarchySets {
    type Set = Root;

    fn kind(&self) -> Option<DiagramKind> {
        Some(self.kind)
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

    fn none(&mut self) -> Root {
        self.kernel.root(NodeId::EMPTY)
    }

    fn initial(&mut self) -> Result<Root, Interrupted> {
        let mut set = NodeId::EMPTY;
        for values in &self.initial {
            let one = self.kernel.singleton(self.shape, values)?;
            set = self.kernel.union(set, one)?;
        }
        let Some(relation) = self.initially else { return Ok(self.kernel.root(set)) };
        let start = self.kernel.singleton(self.shape, &vec![0; self.encoding.level_count()]);
        let start = self.rooted(start)?;
        self.follow(relation, &start)
    }

    fn singleton(&mut self, state: &[u64]) -> Result<Root, Interrupted> {
        match self.vector(state) {
            Some(values) => {
                let node = self.kernel.singleton(self.shape, &values);
                self.rooted(node)
            }
            None => Ok(self.none()),
        }
    }

    fn image(&mut self, event: EventId, from: &Root) -> Result<Root, Interrupted> {
        if let Some(special) = self.special(event) {
            return self.special_image(&special, from);
        }
        let relation = self.relation(event)?;
        let node = self.kernel.image(relation, from.node());
        self.rooted(node)
    }

    fn preimage(&mut self, event: EventId, target: &Root, within: &Root) -> Result<Root, Interrupted> {
        if let Some(special) = self.special(event) {
            return self.special_preimage(&special, target, within);
        }
        let relation = self.relation(event)?;
        let node = self.kernel.preimage(relation, target.node(), within.node());
        self.rooted(node)
    }

    fn image_of_any(&mut self, from: &Root) -> Result<Root, Interrupted> {
        let node = self.kernel.image(self.all, from.node());
        let mut all = self.rooted(node)?;
        for special in self.special.clone() {
            let one = self.special_image(&special, from)?;
            all = self.union(&all, &one)?;
        }
        Ok(all)
    }

    fn preimage_of_any(&mut self, target: &Root, within: &Root) -> Result<Root, Interrupted> {
        let node = self.kernel.preimage(self.all, target.node(), within.node());
        let mut all = self.rooted(node)?;
        for special in self.special.clone() {
            let one = self.special_preimage(&special, target, within)?;
            all = self.union(&all, &one)?;
        }
        Ok(all)
    }

    fn forward_closure(&mut self, from: &Root, within: &Root) -> Result<Root, Interrupted> {
        if let Some(reached) = self.reached_by_saturation(from, within) {
            return reached;
        }
        if self.has_steps() {
            closure::forward_by_layers(self, from, within)
        } else {
            closure::forward(self, from, within)
        }
    }

    fn backward_closure(&mut self, target: &Root, within: &Root) -> Result<Root, Interrupted> {
        if let Some(reaching) = self.reaching_by_saturation(target, within)? {
            return Ok(reaching);
        }
        if self.has_steps() {
            closure::backward_by_layers(self, target, within)
        } else {
            closure::backward(self, target, within)
        }
    }

    fn select(&mut self, set: &Root, predicate: &Predicate) -> Result<Root, Interrupted> {
        if any_select::is_linear(predicate) {
            return any_select::select(self, set, predicate);
        }
        let relation = self.with_residuals(|residuals| residuals.select(predicate))?;
        self.follow(relation, set)
    }

    fn select_sum(&mut self, set: &Root, test: &LinearTest) -> Result<Root, Interrupted> {
        let terms = test.terms.iter().copied();
        let (table, whole) = weights::Weights::new(&mut self.kernel, &self.encoding, self.shape, terms)?;
        let node = select::select(&mut self.kernel, &table, whole, set.node(), test.test, test.bound);
        self.rooted(node)
    }

    fn union(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        let node = self.kernel.union(a.node(), b.node());
        self.rooted(node)
    }

    fn intersection(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        let node = self.kernel.intersection(a.node(), b.node());
        self.rooted(node)
    }

    fn difference(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        let node = self.kernel.difference(a.node(), b.node());
        self.rooted(node)
    }

    fn enabled(&mut self, event: EventId, set: &Root) -> Result<Root, Interrupted> {
        if let Some(special) = self.special(event) {
            return self.special_enabled(&special, set);
        }
        let relation = self.relation(event)?;
        let guard = self.kernel.guard(relation)?;
        let node = self.kernel.image(guard, set.node());
        self.rooted(node)
    }

    fn dead(&mut self, set: &Root) -> Result<Root, Interrupted> {
        let node = self.kernel.dead(self.all, set.node());
        let mut dead = self.rooted(node)?;
        for special in self.special.clone() {
            let alive = self.special_enabled(&special, &dead)?;
            dead = self.difference(&dead, &alive)?;
        }
        Ok(dead)
    }

    fn is_empty(&self, set: &Root) -> bool {
        set.node().is_empty()
    }

    fn contains(&mut self, set: &Root, state: &[u64]) -> bool {
        self.vector(state).is_some_and(|values| self.kernel.contains(set.node(), &values))
    }

    fn count(&mut self, set: &Root) -> Result<BigUint, Interrupted> {
        Ok(self.kernel.count(set.node())?.expect(WELL_DEFINED))
    }

    fn count_if_quick(&mut self, set: &Root) -> Option<BigUint> {
        self.kernel.count_if_small(set.node())
    }

    fn choose(&mut self, set: &Root) -> Option<State> {
        self.kernel.choose(set.node()).map(|values| self.encoding.decode(&by_place(values)))
    }

    fn largest(&mut self, set: &Root, weights: &[(VariableId, i64)]) -> Result<Option<i128>, Interrupted> {
        weights::largest(&mut self.kernel, &self.encoding, self.shape, set.node(), weights)
    }

    fn count_edges(&mut self, set: &Root) -> Result<Option<BigUint>, Interrupted> {
        if self.has_steps() {
            return Ok(None);
        }
        let mut edges = self.kernel.count_edges(self.all, set.node())?.expect(WELL_DEFINED);
        for special in self.special.clone() {
            let enabled = self.special_enabled(&special, set)?;
            edges += self.count(&enabled)?;
        }
        Ok(Some(edges))
    }

    fn analyse(&mut self, set: &Root) -> Result<Analysed, Interrupted> {
        value_sets::analyse(&mut self.kernel, &self.encoding, self.shape, set.node())
    }

    fn level_count(&self) -> usize {
        self.encoding.level_count()
    }

    fn node_count(&self, set: &Root) -> usize {
        self.node_counts(set).nodes()
    }

    fn set_node_count(&self, set: &Root) -> usize {
        self.node_counts(set).sets
    }

    fn statistics(&self) -> Statistics {
        self.kernel.statistics()
    }

    fn event_count(&self) -> usize {
        self.events.len()
    }

    fn events_for_chaining(&self) -> Vec<EventId> {
        // Those that begin furthest down come first; what does nothing comes before all.
        let mut order: Vec<EventId> = (0..self.events.len() as u32).map(EventId).collect();
        order.sort_by_key(|event| {
            let place = self.events.parts(event.index()).first().map(|&(place, _)| std::cmp::Reverse(place));
            (self.special.iter().any(|special| special.event() == *event), place)
        });
        order
    }

    fn collect_if_due(&mut self) {
        self.kernel.collect_if_due();
    }

    fn meter(&mut self) -> &mut Meter {
        self.kernel.meter_mut()
    }
}

impl Saturation for HierarchySets {
    fn saturate(&mut self, from: &Root) -> Result<Root, Interrupted> {
        if self.special.is_empty() {
            let node = self.kernel.closure(self.all, from.node());
            let closed = self.rooted(node)?;
            self.closed = Some(ClosedSet::new(closed.clone()));
            return Ok(closed);
        }
        let mut reached = from.clone();
        let run = self.close(&mut reached);
        if run.is_err() {
            self.partial = Some(reached.clone());
        }
        run.map(|()| reached)
    }

    fn found_until_interrupted(&mut self) -> Option<BigUint> {
        if let Some(reached) = self.partial.take() {
            return self.count_if_quick(&reached);
        }
        let parts = self.kernel.take_partial();
        let counts: Option<Vec<BigUint>> =
            parts.iter().map(|part| self.kernel.count_if_small(part.node())).collect();
        counts.filter(|counts| !counts.is_empty()).map(|counts| counts.into_iter().sum())
    }
}

impl Observation for HierarchySets {
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

impl Forcing for HierarchySets {
    fn can_force(&mut self, group: &[VariableId], target: &Root, within: &Root) -> Result<Root, Interrupted> {
        let steps = self.special.iter().filter_map(|special| match special {
            SpecialEvent::Step(step) => Some(step.clone()),
            SpecialEvent::Relation { .. } => None,
        });
        let steps: Vec<SynchronousStep> = steps.collect();
        synchronous::can_force(self, &steps, group, target, within)
    }
}

impl Outlines for HierarchySets {
    fn outline_size(&self, set: &Root) -> usize {
        self.node_counts(set).nodes()
    }

    fn outline_of(&self, set: &Root) -> DiagramOutline {
        DiagramOutline::Hierarchical(self.outline(set))
    }
}

/// Sets up data decision diagrams: one component, in the order that is asked for.
pub struct DddSetup;

impl DiagramSetup for DddSetup {
    type Sets = HierarchySets;

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
    ) -> Result<HierarchySets, SetupError> {
        HierarchySets::new(model, blocks, &Tree::flat(order), meter, limits)
    }
}
