//! The manager: owner of nodes, tables and cache, and the only door to a new node.

use crate::lines::Lines;
use crate::moves::Moves;
use crate::node::{Edge, Node};
use crate::store::Store;
use crate::unique::{Probe, Table, hash};
use crate::variables::{Method, Order, Register, Renaming, VariableSet};
use crate::waiting::{Entry, Waiting};
use symbolon_budget::{Interrupted, Meter};
use symbolon_dd_core::{
    Cache, Key, NodeId, Operation, OperationShape, Root, RootTable, Scratch, Statistics, Variable,
};

/// Sizes that tests and benches set; the default suits all other uses.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The computed cache starts with 2^this entries.
    pub cache_bits: u32,
    /// The computed cache never exceeds 2^this entries.
    pub largest_cache_bits: u32,
    /// The first collection is due after this many nodes, or [`Limits::collection_nodes`] if those
    /// are fewer; the next ones after twice as many each, up to there.
    pub first_collection_nodes: usize,
    /// A later collection is due once this many nodes were added since the last one, at least.
    pub collection_nodes: usize,
    /// … and once their number has grown by this percentage of what survived the last one.
    pub collection_percent: usize,
    /// Variables are first reordered at this many live nodes, if reordering is automatic.
    pub reordering_nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            cache_bits: 16,
            largest_cache_bits: 28,
            first_collection_nodes: 1 << 20,
            collection_nodes: 1 << 20,
            collection_percent: 80,
            reordering_nodes: 4000,
        }
    }
}

/// Boolean functions over a fixed number of variables.
///
/// Functions are handed out as [`Root`]s, which keep them alive; two are equal exactly if their
/// nodes are ([`Root::node`]; *false* is [`NodeId::EMPTY`], *true* is [`NodeId::ONE`]), also across
/// reorderings.
pub struct Bdd {
    pub(crate) store: Store,
    /// By level; the table of level 0 stays empty.
    pub(crate) tables: Vec<Table>,
    /// What is not in them yet.
    pub(crate) waiting: Waiting,
    /// What the tables consist of.
    pub(crate) lines: Lines,
    pub(crate) cache: Cache,
    pub(crate) roots: RootTable,
    /// What running operations hold (BDD-K6).
    pub(crate) scratch: Scratch,
    pub(crate) operations: Operations,
    pub(crate) order: Order,
    pub(crate) register: Register,
    /// Asynchronous events; see [`crate::moves`].
    pub(crate) moves: Moves,
    /// Blocks of neighbours that are moved as one; see [`Bdd::set_groups`].
    pub(crate) groups: Vec<Vec<Variable>>,
    pub(crate) limits: Limits,
    pub(crate) meter: Meter,
    /// Stored nodes at which a collection, and perhaps a reordering, is due.
    pub(crate) attention: usize,
    /// A collection is due after this many nodes at least.
    pub(crate) least_growth: usize,
    /// Nodes that survived the last collection.
    pub(crate) survivors: usize,
    /// How variables are reordered by growth, if they are.
    pub(crate) automatic: Option<Method>,
    /// Live nodes at which the next automatic reordering is due.
    pub(crate) reordering_threshold: usize,
    /// Whether the running operation may ask for a reordering.
    pub(crate) may_reorder: bool,
    /// Nodes ever made at which the running operation gives up.
    pub(crate) created_limit: u64,
    pub(crate) created_nodes: u64,
    pub(crate) collections: u64,
    pub(crate) reorderings: u64,
    pub(crate) peak_nodes: usize,
    pub(crate) charged: u64,
    pub(crate) peak_bytes: u64,
}

/// The cached operations.
pub(crate) struct Operations {
    pub(crate) and: Operation,
    pub(crate) xor: Operation,
    pub(crate) ite: Operation,
    pub(crate) restrict: Operation,
    pub(crate) simplify: Operation,
    pub(crate) compose: Operation,
    pub(crate) exists: Operation,
    pub(crate) and_exists: Operation,
    pub(crate) image: Operation,
    pub(crate) preimage: Operation,
    pub(crate) fire: Operation,
    pub(crate) fire_back: Operation,
    pub(crate) can_fire: Operation,
    pub(crate) fire_saturated: Operation,
    pub(crate) saturate: Operation,
}

/// Why a recursion was left before its end. Only [`Bdd::attempt`] sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The budget is used up.
    Interrupted(Interrupted),
    /// Variables are to be reordered, then the operation begins again.
    Reorder,
    /// More nodes were made than this operation was granted.
    TooLarge,
}

impl From<Interrupted> for Stop {
    fn from(reason: Interrupted) -> Stop {
        Stop::Interrupted(reason)
    }
}

/// What a recursion gives.
pub(crate) type Made = Result<Edge, Stop>;

/// What a call of a recursion gives, and whether its node is known to have been made in the course
/// of the call.
///
/// The caller makes nodes of its own level, and the call made none there. So nothing of that level
/// can stand above a node that is new, and what is to stand there needs no search; its entry in the
/// unique table can wait ([`Waiting`]).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub(crate) edge: Edge,
    pub(crate) is_new: bool,
}

impl Answer {
    /// A node that was there before, or may have been.
    #[inline]
    pub(crate) fn old(edge: Edge) -> Answer {
        Answer { edge, is_new: false }
    }
}

/// What a call gives to one that makes use of what is new.
pub(crate) type Answered = Result<Answer, Stop>;

/// One operation is restarted so often at the most; then it runs to its end without reordering.
const RESTARTS: u32 = 2;

impl Bdd {
    /// A manager for functions of `variable_count` variables; the first stands at the highest
    /// level.
    pub fn new(variable_count: u32, meter: Meter, limits: Limits) -> Result<Bdd, Interrupted> {
        assert!(variable_count < u32::MAX, "levels are counted from 1");
        let mut cache = Cache::new(limits.cache_bits, limits.largest_cache_bits);
        let nodes = OperationShape::NODES;
        let operations = Operations {
            and: cache.register(nodes),
            xor: cache.register(nodes),
            ite: cache.register(OperationShape { small_is_node: true, ..nodes }),
            restrict: cache.register(nodes),
            simplify: cache.register(nodes),
            compose: cache.register(nodes),
            exists: cache.register(OperationShape::UNARY),
            and_exists: cache.register(nodes),
            image: cache.register(nodes),
            preimage: cache.register(nodes),
            fire: cache.register(OperationShape::UNARY),
            fire_back: cache.register(OperationShape::UNARY),
            can_fire: cache.register(OperationShape::UNARY),
            fire_saturated: cache.register(OperationShape::UNARY),
            saturate: cache.register(OperationShape::UNARY),
        };
        let store = Store::new();
        let charged = cache.bytes() + store.bytes();
        meter.budget().memory().charge(charged)?;
        Ok(Bdd {
            store,
            tables: vec![Table::default(); variable_count as usize + 1],
            waiting: Waiting::default(),
            lines: Lines::default(),
            cache,
            roots: RootTable::default(),
            scratch: Scratch::default(),
            operations,
            order: Order::descending(variable_count),
            register: Register::default(),
            moves: Moves::default(),
            groups: Vec::new(),
            limits,
            meter,
            attention: limits.first_collection_nodes.min(limits.collection_nodes),
            least_growth: limits.first_collection_nodes.min(limits.collection_nodes),
            survivors: 0,
            automatic: None,
            reordering_threshold: limits.reordering_nodes,
            may_reorder: false,
            created_limit: u64::MAX,
            created_nodes: 0,
            collections: 0,
            reorderings: 0,
            peak_nodes: 0,
            charged,
            peak_bytes: charged,
        })
    }

    /// The number of variables, which is the number of levels.
    pub fn variable_count(&self) -> u32 {
        self.order.level_of.len() as u32
    }

    /// The variables from the highest level down.
    pub fn order(&self) -> Vec<Variable> {
        self.order.variable_at[1..].iter().rev().copied().collect()
    }

    /// The level at which a variable stands now.
    pub fn level_of(&self, variable: Variable) -> u32 {
        self.order.level(variable)
    }

    /// Makes a set of variables known, to quantify or to count over.
    pub fn variable_set(&mut self, variables: impl IntoIterator<Item = Variable>) -> VariableSet {
        self.register.set(variables.into_iter().collect(), &self.order)
    }

    /// Makes a renaming known: pairs of a variable and what replaces it.
    pub fn renaming(&mut self, pairs: impl IntoIterator<Item = (Variable, Variable)>) -> Renaming {
        self.register.renaming(pairs.into_iter().collect(), &self.order)
    }

    /// The node of this level with these children: found, or made now. The lecture's `Mk`.
    ///
    /// What it makes is on no stack yet; a caller that starts another recursion puts it there first
    /// (BDD-K6).
    #[inline]
    pub(crate) fn mk(&mut self, level: u32, low: Edge, high: Edge) -> Made {
        Ok(self.mk_above(level, Answer::old(low), Answer::old(high))?.edge)
    }

    /// [`Bdd::mk`] of the answers of two calls. This is the only door to a new node.
    #[inline]
    pub(crate) fn mk_above(&mut self, level: u32, low: Answer, high: Answer) -> Answered {
        let is_above_new = low.is_new || high.is_new;
        let (low, high) = (low.edge, high.edge);
        debug_assert!(level > self.store.node(low).level && level > self.store.node(high).level, "BDD-K1");
        if low == high {
            return Ok(Answer { edge: low, is_new: is_above_new });
        }
        // BDD-K2: the high edge carries no sign; the node of the negation is stored instead.
        let sign = high.sign();
        let (low, high) = (low.signed(sign), high.signed(sign));
        let hash = hash(low, high);
        if self.tables[level as usize].is_full() {
            self.grow_table(level)?;
        }
        let place = if is_above_new {
            debug_assert!(self.find(level, hash, low, high).is_err(), "BDD-K3");
            None
        } else {
            match self.find(level, hash, low, high) {
                Ok(index) => return Ok(Answer::old(Edge::to(index).signed(sign))),
                Err(line) => Some(line),
            }
        };
        if self.created_nodes >= self.created_limit {
            return Err(Stop::TooLarge);
        }
        if self.store.is_full() {
            self.grow_store()?;
        }
        let index = self.store.insert(Node { level, low, high });
        let table = &mut self.tables[level as usize];
        match place {
            Some(line) => table.fill(&mut self.lines, line, hash, index),
            None => {
                table.announce();
                self.waiting.add(Entry { level, hash, index });
                if self.waiting.is_full() {
                    self.settle();
                }
            }
        }
        self.created_nodes += 1;
        self.peak_nodes = self.peak_nodes.max(self.store.live());
        Ok(Answer { edge: Edge::to(index).signed(sign), is_new: true })
    }

    /// The node of this level with these children, or the line where it would belong.
    #[inline]
    fn find(&self, level: u32, hash: u32, low: Edge, high: Edge) -> Result<u32, u32> {
        if let Some(index) = self.waiting.find(&self.store, level, hash, low, high) {
            return Ok(index);
        }
        match self.tables[level as usize].probe(&self.lines, &self.store, hash, low, high) {
            Probe::Found(index) => Ok(index),
            Probe::Vacant(line) => Err(line),
        }
    }

    /// Enters what waits into the tables.
    pub(crate) fn settle(&mut self) {
        let Bdd { waiting, tables, lines, .. } = self;
        // First only a look at each line, so that many of them are fetched at once.
        let mut places = [0; Waiting::MOST];
        for (place, entry) in places.iter_mut().zip(waiting.entries()) {
            *place = tables[entry.level as usize].vacant(lines, entry.hash);
        }
        for (place, entry) in places.into_iter().zip(waiting.entries()) {
            tables[entry.level as usize].enter(lines, place, entry.hash, entry.index);
        }
        waiting.clear();
    }

    #[cold]
    pub(crate) fn grow_table(&mut self, level: u32) -> Result<(), Interrupted> {
        self.settle();
        let table = &mut self.tables[level as usize];
        let wanted = table.grown();
        while !self.lines.has_room(wanted.count, wanted.order) {
            let more = self.lines.growth_bytes();
            self.meter.budget().memory().charge(more)?;
            self.charged += more;
            self.peak_bytes = self.peak_bytes.max(self.charged);
            self.lines.grow();
        }
        table.grow(&mut self.lines);
        Ok(())
    }

    #[cold]
    pub(crate) fn grow_store(&mut self) -> Result<(), Interrupted> {
        if self.store.slot_count() >= Edge::INDEX_END / 5 * 4 {
            return Err(Interrupted::Memory);
        }
        let more = self.store.growth_bytes();
        self.meter.budget().memory().charge(more)?;
        self.charged += more;
        self.peak_bytes = self.peak_bytes.max(self.charged);
        self.store.grow();
        Ok(())
    }

    pub(crate) fn release(&mut self, bytes: u64) {
        self.meter.budget().memory().release(bytes);
        self.charged -= bytes;
    }

    /// The level of what an edge leads to; 0 for the terminal.
    #[inline]
    pub(crate) fn level(&self, edge: Edge) -> u32 {
        self.store.node(edge).level
    }

    /// What the function is where the variable of `level` is false, and where it is true. The
    /// function depends on no higher level.
    #[inline]
    pub(crate) fn cofactors(&self, edge: Edge, level: u32) -> (Edge, Edge) {
        let node = self.store.node(edge);
        if node.level == level {
            (node.low.signed(edge.sign()), node.high.signed(edge.sign()))
        } else {
            (edge, edge)
        }
    }

    /// The function of the variable at `level`.
    pub(crate) fn variable_at(&mut self, level: u32) -> Made {
        self.mk(level, Edge::FALSE, Edge::TRUE)
    }

    /// `if variable at level then high else low`, wherever the two stand.
    pub(crate) fn join(&mut self, level: u32, low: Edge, high: Edge) -> Made {
        if level > self.level(low) && level > self.level(high) {
            return self.mk(level, low, high);
        }
        let height = self.scratch.height();
        let variable = self.variable_at(level)?;
        self.push(variable);
        self.push(low);
        self.push(high);
        let answer = self.ite_edges(variable, high, low)?;
        self.scratch.truncate(height);
        Ok(answer)
    }

    /// Keeps an intermediate answer alive (BDD-K6).
    #[inline]
    pub(crate) fn push(&mut self, edge: Edge) {
        self.scratch.push(edge.word());
    }

    /// Takes the last `count` intermediate answers away.
    #[inline]
    pub(crate) fn pop(&mut self, count: usize) {
        self.scratch.truncate(self.scratch.height() - count);
    }

    #[inline]
    pub(crate) fn recall(&mut self, key: Key) -> Option<Edge> {
        self.cache.get(key).map(Edge::from_word)
    }

    /// [`Bdd::recall`] for a question that was asked before.
    #[inline]
    pub(crate) fn recall_again(&mut self, key: Key) -> Option<Edge> {
        self.cache.get_again(key).map(Edge::from_word)
    }

    #[inline]
    pub(crate) fn remember(&mut self, key: Key, answer: Edge) {
        self.cache.put(key, answer.word());
        if self.cache.wants_to_grow() {
            self.grow_cache();
        }
    }

    #[cold]
    fn grow_cache(&mut self) {
        let before = self.cache.bytes();
        self.cache.grow(self.meter.budget().memory());
        self.charged += self.cache.bytes() - before;
        self.peak_bytes = self.peak_bytes.max(self.charged);
    }

    /// Counts one step of work, and is a safe point (BDD-K6). Every recursion begins so when the
    /// cache could not answer.
    #[inline]
    pub(crate) fn step(&mut self) -> Result<(), Stop> {
        self.meter.step()?;
        if self.meter.steps().is_multiple_of(1 << 14) {
            self.meter.budget().progress().report(self.store.live() as u64, self.meter.steps());
        }
        if self.store.live() >= self.attention { self.attend() } else { Ok(()) }
    }

    #[cold]
    fn attend(&mut self) -> Result<(), Stop> {
        self.collect_and_schedule();
        if self.may_reorder && self.store.live() >= self.reordering_threshold {
            return Err(Stop::Reorder);
        }
        Ok(())
    }

    /// Runs an operation from outside: the outermost call of BDD-K6. Nothing, if it was granted too
    /// few nodes.
    pub(crate) fn attempt(
        &mut self,
        operands: &[&Root],
        operation: impl Fn(&mut Bdd) -> Made,
    ) -> Result<Option<Root>, Interrupted> {
        debug_assert_eq!(self.scratch.height(), 0, "operations are not nested");
        for operand in operands {
            self.push(Edge::of(operand));
        }
        let mut restarts = 0;
        let answer = loop {
            self.may_reorder = self.automatic.is_some() && restarts < RESTARTS;
            if self.may_reorder {
                self.attention = self.attention.min(self.attention_to_reorder());
            }
            match operation(self) {
                Ok(answer) => break Ok(Some(self.roots.add(answer.id()))),
                Err(Stop::TooLarge) => break Ok(None),
                Err(Stop::Interrupted(reason)) => break Err(reason),
                Err(Stop::Reorder) => {
                    self.scratch.truncate(operands.len());
                    restarts += 1;
                    if let Err(reason) = self.reorder_by_growth() {
                        break Err(reason);
                    }
                }
            }
        };
        self.settle();
        self.may_reorder = false;
        self.scratch.truncate(0);
        answer
    }

    /// Runs an operation from outside that may make as many nodes as it needs.
    pub(crate) fn run(
        &mut self,
        operands: &[&Root],
        operation: impl Fn(&mut Bdd) -> Made,
    ) -> Result<Root, Interrupted> {
        let answer = self.attempt(operands, operation)?;
        Ok(answer.expect("only a bounded operation can be too large"))
    }

    /// A function that is there already.
    pub(crate) fn hand_out(&mut self, edge: Edge) -> Root {
        self.roots.add(edge.id())
    }

    /// Keeps a node alive until what comes back and its clones are dropped. The node must be alive
    /// now.
    pub fn root(&mut self, node: NodeId) -> Root {
        self.roots.add(node)
    }

    /// The meter that counts the steps.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// The meter, to grant it more or fewer steps.
    pub fn meter_mut(&mut self) -> &mut Meter {
        &mut self.meter
    }

    /// Forgets all remembered answers, for measurements that must not profit from earlier ones.
    pub fn forget_answers(&mut self) {
        self.cache.clear();
    }

    /// What was done so far.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            nodes: self.store.live(),
            peak_nodes: self.peak_nodes,
            created_nodes: self.created_nodes,
            cache_hits: self.cache.hits(),
            cache_misses: self.cache.misses(),
            cache_entries: self.cache.bytes() / 16,
            collections: self.collections,
            steps: self.meter.steps(),
            peak_node_bytes: (self.peak_nodes * size_of::<Node>()) as u64,
            peak_bytes: self.peak_bytes,
        }
    }

    /// How often variables were reordered.
    pub fn reordering_count(&self) -> u64 {
        self.reorderings
    }
}

impl Drop for Bdd {
    fn drop(&mut self) {
        self.meter.budget().memory().release(self.charged);
    }
}
