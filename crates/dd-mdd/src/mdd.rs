//! The diagram manager: levels, events, and how operations reach nodes.

use crate::action::Action;
use crate::domain::Domain;
use crate::lazy::{Lazy, LazyEvent, LazySteps};
use crate::relation::{GroupId, Relation, Row};
use symbolon_budget::{Interrupted, Meter};
use symbolon_dd_core::{
    Key, Kind, Limits, Manager, NodeId, NodeShape, Operation, OperationShape, Root, Statistics, View,
};

/// Sets of vectors over a fixed number of levels, and the events that act on them.
pub struct Mdd {
    pub(crate) manager: Manager,
    pub(crate) kind: Kind,
    pub(crate) operations: Operations,
    pub(crate) level_count: u32,
    /// What codes mean, by level; index 0 is unused.
    pub(crate) domains: Vec<Domain>,
    /// What events do.
    pub(crate) events: Relation,
    /// What residuals in either relation stand for.
    pub(crate) lazy: Lazy,
    /// Where events are enabled: the same events with tests only, counted with multiplicity.
    /// Built when first asked for; see [`Mdd::prepare_guards`].
    pub(crate) guards: Relation,
    has_guards: bool,
    /// Flags of the frames being saturated: which children have changed since they were fired.
    pub(crate) dirty: Vec<bool>,
    pub(crate) partial: Option<Partial>,
}

/// Which of its two relations an operation follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// What events do.
    Events,
    /// Where they are enabled.
    Guards,
}

/// One event: what it does at which level. Levels are distinct; levels without action are left out.
pub type EventActions = Vec<(u32, Action)>;

/// What an interrupted saturation had found: disjoint sets of vectors of the levels up to `level`,
/// each reachable together with some value of the level above and the initial values further up.
#[derive(Clone, Debug)]
pub struct Partial {
    /// The sets.
    pub sets: Vec<Root>,
    /// The level of their nodes.
    pub level: u32,
}

/// The cached operations.
pub(crate) struct Operations {
    pub(crate) union: Operation,
    pub(crate) intersection: Operation,
    pub(crate) difference: Operation,
    pub(crate) image: Operation,
    pub(crate) preimage: Operation,
    pub(crate) fire: Operation,
    pub(crate) saturate: Operation,
    pub(crate) restrict: Operation,
    pub(crate) exclude: Operation,
    pub(crate) dead: Operation,
    pub(crate) image_of_any: Operation,
    pub(crate) preimage_of_any: Operation,
    /// Closing and firing inside a set, by direction.
    pub(crate) close_within: [Operation; 2],
    pub(crate) fire_within: [Operation; 2],
    /// With a budget of rounds, by what bounds it.
    pub(crate) saturate_bounded: Operation,
    pub(crate) fire_bounded: [Operation; 2],
}

/// Sets seldom need fewer nodes than this a level; tables start out with room for that many, up to
/// a number from which growing step by step costs no time worth saving.
const NODES_PER_LEVEL: usize = 6;
const MOST_NODES_EXPECTED: usize = 1 << 16;

impl Mdd {
    /// A manager for sets over the levels 1 to `domains.len()`; the first domain is that of level
    /// 1.
    pub fn new(domains: Vec<Domain>, meter: Meter, limits: Limits) -> Result<Mdd, Interrupted> {
        let mut manager = Manager::new(meter, limits)?;
        let kind = manager.register_kind(NodeShape { skip: 0, stride: 1, child_mask: 1 });
        let mut binary = || manager.register_operation(OperationShape::NODES);
        let operations = Operations {
            union: binary(),
            intersection: binary(),
            difference: binary(),
            preimage: binary(),
            preimage_of_any: binary(),
            close_within: [binary(), binary()],
            fire_within: [binary(), binary()],
            saturate_bounded: manager.register_operation(OperationShape::UNARY),
            fire_bounded: [
                manager.register_operation(OperationShape::UNARY),
                manager.register_operation(OperationShape::UNARY),
            ],
            image: manager.register_operation(OperationShape::UNARY),
            fire: manager.register_operation(OperationShape::UNARY),
            saturate: manager.register_operation(OperationShape::UNARY),
            restrict: manager.register_operation(OperationShape::UNARY),
            exclude: manager.register_operation(OperationShape::UNARY),
            dead: manager.register_operation(OperationShape::UNARY),
            image_of_any: manager.register_operation(OperationShape::UNARY),
        };
        let level_count = domains.len() as u32;
        manager.expect_nodes((level_count as usize * NODES_PER_LEVEL).min(MOST_NODES_EXPECTED))?;
        let mut with_ground = Vec::with_capacity(domains.len() + 1);
        with_ground.push(Domain::Direct);
        with_ground.extend(domains);
        Ok(Mdd {
            manager,
            kind,
            operations,
            level_count,
            domains: with_ground,
            events: Relation::new(level_count),
            lazy: None,
            guards: Relation::new(level_count),
            has_guards: false,
            dirty: Vec::new(),
            partial: None,
        })
    }

    /// Sets the events. Their numbers are their positions.
    pub fn set_events(&mut self, events: impl IntoIterator<Item = EventActions>) -> Result<(), Interrupted> {
        let mut events = events.into_iter();
        self.describe_events(events.size_hint().0, |actions| {
            let next = events.next();
            let is_one = next.is_some();
            actions.extend(next.into_iter().flatten());
            Ok(is_one)
        })
    }

    /// Sets the events, about `expected` of them, one after the other: `describe` appends what the
    /// next event does to an empty list, which is the same each time, or returns `false` if there
    /// is none.
    pub fn describe_events<E: From<Interrupted>>(
        &mut self,
        expected: usize,
        mut describe: impl FnMut(&mut EventActions) -> Result<bool, E>,
    ) -> Result<(), E> {
        self.events = Relation::new(self.level_count);
        self.events.reserve(expected);
        self.has_guards = false;
        self.manager.forget_answers();
        self.manager.clear_notes();
        let mut actions = EventActions::new();
        while describe(&mut actions)? {
            actions.retain(|(_, action)| *action != Action::Keep);
            actions.sort_unstable_by_key(|(level, _)| std::cmp::Reverse(*level));
            self.events.add_event(actions.iter().map(|(level, action)| (*level, action)))?;
            self.manager.step()?;
            actions.clear();
        }
        Ok(self.events.group_by_top(false)?)
    }

    /// Says what residuals stand for. Those that were met before must keep their meaning.
    pub fn set_lazy_steps(&mut self, lazy: Box<dyn LazySteps>) {
        self.lazy = Some(lazy);
    }

    /// Lets some of the events, which were described as doing nothing, be given by residuals.
    pub fn set_lazy_events(&mut self, events: Vec<LazyEvent>) -> Result<(), Interrupted> {
        self.has_guards = false;
        self.forget_rows();
        if let Some(lazy) = &self.lazy {
            self.events.set_lazy_events(events, &**lazy)?;
        }
        self.events.group_by_top(false)
    }

    /// Forgets all that was remembered of events: some residuals lead elsewhere from now on.
    pub fn forget_rows(&mut self) {
        self.events.forget_rows();
        self.guards.forget_rows();
        self.manager.forget_answers();
        self.manager.clear_notes();
    }

    /// The highest level on which an event acts; 0 if it acts nowhere.
    pub fn event_top(&self, event: usize) -> u32 {
        self.events.event_top(event)
    }

    /// The number of events.
    pub fn event_count(&self) -> usize {
        self.events.event_count()
    }

    /// Makes [`Mdd::guards`] ready: exploring alone does not need them.
    pub(crate) fn prepare_guards(&mut self) -> Result<(), Interrupted> {
        if !self.has_guards {
            self.guards = self.events.guards(&self.lazy)?;
            self.guards.group_by_top(true)?;
            self.has_guards = true;
        }
        Ok(())
    }

    /// The relation of a side.
    #[inline]
    pub fn relation(&self, side: Side) -> &Relation {
        match side {
            Side::Events => &self.events,
            Side::Guards => &self.guards,
        }
    }

    /// The steps of a group of one side, at its level, from `code`.
    #[inline]
    pub fn row(&mut self, side: Side, group: GroupId, code: u32) -> Result<Row, Interrupted> {
        match side {
            Side::Events => self.events.row(group, code, &mut self.domains, &mut self.lazy),
            Side::Guards => self.guards.row(group, code, &mut self.domains, &mut self.lazy),
        }
    }

    /// Where the nodes lie, for diagrams of other kinds that share it and its events.
    #[inline]
    pub fn manager(&self) -> &Manager {
        &self.manager
    }

    /// Where the nodes lie, for diagrams of other kinds that share it and its events.
    #[inline]
    pub fn manager_mut(&mut self) -> &mut Manager {
        &mut self.manager
    }

    /// The kind of the nodes of sets: windows of children, their tags the first codes (MDD-K2).
    #[inline]
    pub fn set_kind(&self) -> Kind {
        self.kind
    }

    /// The group of one event alone.
    pub fn event_group(&mut self, event: usize) -> Result<GroupId, Interrupted> {
        self.events.event_group(event)
    }

    /// The step of `group` with this number among those that lead to `code` from codes below `end`:
    /// where it comes from, and what remains to be done below. Numbers begin with 0; `None` from
    /// the first on that no step has.
    pub fn back_step(
        &mut self,
        group: GroupId,
        code: u32,
        number: usize,
        end: u32,
    ) -> Result<Option<(u32, GroupId)>, Interrupted> {
        self.events.learn_back(group, end, &mut self.domains, &mut self.lazy)?;
        Ok(self.events.back_step(group, code, number))
    }

    /// The code of a value at a level.
    pub fn code(&mut self, level: u32, value: u64) -> Result<u32, Interrupted> {
        self.domains[level as usize].code(value)
    }

    /// The number of levels.
    pub fn level_count(&self) -> u32 {
        self.level_count
    }

    /// The domain of a level.
    pub fn domain(&self, level: u32) -> &Domain {
        &self.domains[level as usize]
    }

    /// What was done so far.
    pub fn statistics(&self) -> Statistics {
        self.manager.statistics()
    }

    /// Keeps a node alive until the returned value and its clones are dropped.
    pub fn root(&mut self, node: NodeId) -> Root {
        self.manager.root(node)
    }

    /// The meter, to grant it more or fewer steps.
    pub fn meter_mut(&mut self) -> &mut Meter {
        self.manager.meter_mut()
    }

    /// The meter that counts the steps.
    pub fn meter(&self) -> &Meter {
        self.manager.meter()
    }

    /// Collects garbage now. Call it between operations only: unrooted nodes vanish.
    pub fn collect(&mut self) {
        self.manager.collect();
    }

    /// Collects garbage if enough has gathered. Call it between operations only: unrooted nodes
    /// vanish.
    pub fn collect_if_due(&mut self) {
        self.manager.collect_if_due();
    }

    /// The set of one vector, given by values from level 1 upwards.
    pub fn singleton(&mut self, values: &[u64]) -> Result<NodeId, Interrupted> {
        assert_eq!(values.len(), self.level_count as usize, "one value a level");
        let mut node = NodeId::ONE;
        for (below, &value) in values.iter().enumerate() {
            let code = self.domains[below + 1].code(value)?;
            let mark = self.manager.scratch.height();
            self.manager.scratch.push(node.word());
            let made = self.manager.make_node(self.kind, code, mark..mark + 1);
            self.manager.scratch.truncate(mark);
            node = made?;
        }
        Ok(node)
    }

    /// Whether the vector, given by values from level 1 upwards, lies in the set.
    pub fn contains(&mut self, set: NodeId, values: &[u64]) -> bool {
        let mut node = set;
        for level in (1..=self.level_count).rev() {
            if node.is_empty() {
                return false;
            }
            match self.domains[level as usize].code(values[level as usize - 1]) {
                Ok(code) => node = self.child(&self.view(node), code),
                Err(_) => return false,
            }
        }
        node == NodeId::ONE
    }

    /// The window of a node: first code, place and number of children.
    #[inline]
    pub(crate) fn view(&self, node: NodeId) -> View {
        self.manager.view(node)
    }

    /// The child for a code; EMPTY outside the window.
    #[inline]
    pub(crate) fn child(&self, view: &View, code: u32) -> NodeId {
        let offset = code.wrapping_sub(view.tag) as usize;
        if offset < view.length { self.nth_child(view, offset) } else { NodeId::EMPTY }
    }

    /// The child at an offset of the window.
    #[inline]
    pub(crate) fn nth_child(&self, view: &View, offset: usize) -> NodeId {
        NodeId::from_word(self.manager.word_at(view.start + offset))
    }

    /// Runs an operation from outside. If it is interrupted, whatever it left on the stacks goes.
    pub(crate) fn outermost<T>(
        &mut self,
        operands: &[NodeId],
        operation: impl FnOnce(&mut Mdd) -> Result<T, Interrupted>,
    ) -> Result<T, Interrupted> {
        let height = self.manager.scratch.height();
        operands.iter().for_each(|operand| self.manager.scratch.push(operand.word()));
        let answer = operation(self);
        self.manager.scratch.truncate(height);
        if answer.is_err() && height == 0 {
            self.dirty.clear();
        }
        answer
    }

    /// The key of an operation on one node under a group.
    #[inline]
    pub(crate) fn group_key(operation: Operation, group: GroupId, node: NodeId) -> Key {
        Key::new(operation, group.0, node.word(), 0)
    }
}
