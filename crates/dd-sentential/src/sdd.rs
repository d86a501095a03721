//! The manager: owner of vtree, nodes and cache, and the only door to a new node.

use crate::edge::{Edge, Element};
use crate::moves::Moves;
use crate::quantification::Quantification;
use crate::register::{Register, Renaming, VariableSet};
use crate::search::Minimising;
use crate::store::{Content, Store};
use crate::vtree::Vtree;
use symbolon_budget::{Interrupted, Meter};
use symbolon_dd_core::{
    Cache, Key, NodeId, Operation, OperationShape, Root, RootTable, Statistics, Variable,
};

/// Sizes that tests and benches set; the default suits all other uses.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The computed cache starts with 2^this entries.
    pub cache_bits: u32,
    /// The computed cache never exceeds 2^this entries. The same primes meet again and again, and
    /// what is missed is soon computed again: a cache that fits into the processor's was the
    /// fastest in the trial before this kernel.
    pub largest_cache_bits: u32,
    /// A collection is due once this many nodes were added since the last one, at least.
    pub collection_nodes: usize,
    /// … and once their number has grown by this percentage of what survived the last one.
    pub collection_percent: usize,
    /// Stored nodes at which a better vtree is looked for, if that is asked for; twice as many the
    /// next time.
    pub minimising_nodes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            cache_bits: 14,
            largest_cache_bits: 20,
            collection_nodes: 200_000,
            collection_percent: 300,
            minimising_nodes: 1000,
        }
    }
}

/// Boolean functions over the variables of a vtree.
///
/// Functions are handed out as [`Root`]s, which keep them alive; two are equal exactly if their
/// nodes are ([`Root::node`]; *false* is [`NodeId::EMPTY`], *true* is [`NodeId::ONE`]).
pub struct Sdd {
    pub(crate) vtree: Vtree,
    /// By vtree node: whether its left child is a leaf, so that its nodes hold two subs.
    pub(crate) has_two: Vec<bool>,
    pub(crate) store: Store,
    pub(crate) cache: Cache,
    pub(crate) roots: RootTable,
    /// Elements of running operations.
    pub(crate) stack: Vec<Element>,
    pub(crate) operations: Operations,
    pub(crate) register: Register,
    /// Asynchronous events; see [`Moves`].
    pub(crate) moves: Moves,
    pub(crate) limits: Limits,
    pub(crate) meter: Meter,
    pub(crate) quantification: Quantification,
    /// When and how the vtree is changed; see [`crate::minimise`].
    pub(crate) minimising: Minimising,
    /// Stored nodes at which a collection is due.
    pub(crate) attention: usize,
    /// Nodes ever made at which the running operation gives up.
    pub(crate) created_limit: u64,
    pub(crate) created_nodes: u64,
    pub(crate) collections: u64,
    peak_nodes: usize,
    pub(crate) charged: u64,
    peak_bytes: u64,
}

/// The cached operations.
#[derive(Clone, Copy)]
pub(crate) struct Operations {
    pub(crate) and: Operation,
    pub(crate) apart: Operation,
    pub(crate) condition: Operation,
    pub(crate) exists: Operation,
    pub(crate) and_exists: Operation,
    pub(crate) rename: Operation,
    pub(crate) simplify: Operation,
}

/// Why a recursion was left before its end. Only [`Sdd::attempt`] sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The budget is used up.
    Interrupted(Interrupted),
    /// More nodes were made than this operation was granted.
    TooLarge,
    /// So many nodes were made that another vtree is to be looked for first (SDD-K7).
    Minimise,
}

impl Operations {
    /// A cache of 2^`bits` entries or more that knows the operations; their names are always the same.
    pub(crate) fn with_cache(bits: u32, largest_bits: u32) -> (Cache, Operations) {
        let mut cache = Cache::new(bits, largest_bits);
        let operations = Operations {
            and: cache.register(OperationShape::NODES),
            condition: cache.register(OperationShape::UNARY),
            exists: cache.register(OperationShape::UNARY),
            and_exists: cache.register(OperationShape::NODES),
            rename: cache.register(OperationShape::UNARY),
            simplify: cache.register(OperationShape::NODES),
            apart: cache.register(OperationShape::NODES),
        };
        (cache, operations)
    }
}

impl From<Interrupted> for Stop {
    fn from(reason: Interrupted) -> Stop {
        Stop::Interrupted(reason)
    }
}

/// What a recursion gives.
pub(crate) type Made = Result<Edge, Stop>;

impl Sdd {
    /// A manager for functions of the variables of a vtree.
    pub fn new(vtree: Vtree, meter: Meter, limits: Limits) -> Result<Sdd, Interrupted> {
        let (cache, operations) = Operations::with_cache(limits.cache_bits, limits.largest_cache_bits);
        let store = Store::new(vtree.variable_count());
        let charged = cache.bytes() + store.bytes();
        meter.budget().memory().charge(charged)?;
        Ok(Sdd {
            has_two: (0..vtree.nodes.len() as u32).map(|number| vtree.has_left_leaf(number)).collect(),
            store,
            cache,
            roots: RootTable::default(),
            stack: Vec::new(),
            operations,
            register: Register::default(),
            moves: Moves::default(),
            limits,
            meter,
            quantification: Quantification::default(),
            minimising: Minimising::default(),
            attention: limits.collection_nodes.max(1),
            created_limit: u64::MAX,
            created_nodes: 0,
            collections: 0,
            peak_nodes: 0,
            charged,
            peak_bytes: charged,
            vtree,
        })
    }

    /// The tree of the variables.
    pub fn vtree(&self) -> &Vtree {
        &self.vtree
    }

    /// The number of variables.
    pub fn variable_count(&self) -> usize {
        self.vtree.variable_count()
    }

    /// Makes a set of variables known, to quantify.
    pub fn variable_set(&mut self, variables: impl IntoIterator<Item = Variable>) -> VariableSet {
        self.register.set_of(variables.into_iter().collect(), &self.vtree)
    }

    /// Makes a renaming known: pairs of a variable and what replaces it.
    pub fn renaming(&mut self, pairs: impl IntoIterator<Item = (Variable, Variable)>) -> Renaming {
        self.register.renaming_of(pairs.into_iter().collect(), &self.vtree)
    }

    /// The function of a variable, or of its negation.
    #[inline]
    pub(crate) fn literal(&self, variable: Variable, value: bool) -> Edge {
        Edge::to(variable.0 + 1).flipped(!value)
    }

    /// The vtree node of a function that is not constant.
    #[inline]
    pub(crate) fn place(&self, edge: Edge) -> u32 {
        self.store.node(edge.index()).vtree
    }

    /// `if the left leaf of v then high else low`; both lie in the right subtree of `v`.
    #[inline]
    pub(crate) fn make_two(&mut self, v: u32, high: Edge, low: Edge) -> Made {
        if high == low {
            return Ok(high);
        }
        // SDD-K5: where all variables are true, the function is its high sub.
        let negated = !high.is_regular();
        let (high, low) = (high.flipped(negated), low.flipped(negated));
        if high == Edge::TRUE && low == Edge::FALSE {
            return Ok(self.literal(Variable(self.vtree.node(v).left), !negated));
        }
        let index = match self.store.find_two(v, high, low) {
            Ok(index) => index,
            Err(place) => {
                let place = if self.admit(0)? { place } else { self.place_of_two(v, high, low) };
                let index = self.store.insert_two(v, (high, low), place);
                self.minimising.note_birth(index);
                index
            }
        };
        Ok(Edge::to(index).flipped(negated))
    }

    /// The node at `v` of the elements on the stack from `mark` on, which are taken away. They are
    /// compressed (SDD-K3).
    pub(crate) fn make(&mut self, v: u32, mark: usize) -> Made {
        let elements = &mut self.stack[mark..];
        // SDD-K4.
        match *elements {
            [only] => {
                debug_assert_eq!(only.prime, Edge::TRUE, "SDD-K2");
                self.stack.truncate(mark);
                return Ok(only.sub);
            }
            [a, b] if a.sub.is_constant() && b.sub.is_constant() => {
                self.stack.truncate(mark);
                return Ok(if a.sub == Edge::TRUE { a.prime } else { b.prime });
            }
            _ => {}
        }
        if self.has_two[v as usize] {
            let [a, b] = *elements else { unreachable!("SDD-K2: the primes are a literal and its negation") };
            self.stack.truncate(mark);
            let (high, low) = if a.prime.is_regular() { (a.sub, b.sub) } else { (b.sub, a.sub) };
            return self.make_two(v, high, low);
        }
        // SDD-K5: the one prime that is true where all variables are says what the node is there.
        elements.sort_unstable();
        let regular = elements.iter().find(|element| element.prime.is_regular());
        let negated = !regular.expect("SDD-K2: some prime is true where all variables are").sub.is_regular();
        if negated {
            elements.iter_mut().for_each(|element| element.sub = !element.sub);
        }
        let index = match self.store.find_many(v, &self.stack[mark..]) {
            Ok(index) => index,
            Err(place) => {
                let count = self.stack.len() - mark;
                let place = match self.admit(count)? {
                    true => place,
                    false => {
                        let found = self.store.find_many(v, &self.stack[mark..]);
                        found.expect_err("SDD-K6: it was not there before the table grew")
                    }
                };
                let index = self.store.insert_many(v, &self.stack[mark..], place);
                self.minimising.note_birth(index);
                index
            }
        };
        self.stack.truncate(mark);
        Ok(Edge::to(index).flipped(negated))
    }

    /// Admits one more node with this many elements; false if the table was built anew for it.
    #[inline]
    fn admit(&mut self, elements: usize) -> Result<bool, Stop> {
        if self.created_nodes >= self.created_limit.min(self.minimising.due_at) {
            let is_too_large = self.created_nodes >= self.created_limit;
            return Err(if is_too_large { Stop::TooLarge } else { Stop::Minimise });
        }
        self.created_nodes += 1;
        self.peak_nodes = self.peak_nodes.max(self.store.live() + 1);
        match self.store.growth_for(elements) {
            0 => Ok(true),
            bytes => {
                self.grow_store(bytes, elements)?;
                Ok(false)
            }
        }
    }

    #[cold]
    pub(crate) fn grow_store(&mut self, bytes: u64, elements: usize) -> Result<(), Interrupted> {
        let is_too_large = self.store.slot_count() + 1 >= Edge::INDEX_END
            || self.store.elements.len() + elements >= u32::MAX as usize;
        if is_too_large {
            return Err(Interrupted::Memory);
        }
        self.meter.budget().memory().charge(bytes)?;
        self.charged += bytes;
        self.peak_bytes = self.peak_bytes.max(self.charged);
        self.store.grow_for(elements);
        Ok(())
    }

    #[cold]
    fn place_of_two(&self, v: u32, high: Edge, low: Edge) -> (u32, usize) {
        self.store.find_two(v, high, low).expect_err("SDD-K6: it was not there before the table grew")
    }

    /// After the store has become smaller: takes back what it was charged for.
    pub(crate) fn settle_charges(&mut self) {
        let now = self.cache.bytes() + self.store.bytes();
        if now < self.charged {
            self.release(self.charged - now);
        }
    }

    pub(crate) fn release(&mut self, bytes: u64) {
        self.meter.budget().memory().release(bytes);
        self.charged -= bytes;
    }

    /// What a function is where the left leaf of `v` is true, and where it is false. It lies at or
    /// below `v`.
    #[inline]
    pub(crate) fn cofactors(&self, edge: Edge, v: u32) -> (Edge, Edge) {
        let node = self.store.node(edge.index());
        if node.vtree == v {
            let (high, low) = node.subs();
            let negate = !edge.is_regular();
            (high.flipped(negate), low.flipped(negate))
        } else if node.vtree == self.vtree.node(v).left {
            (Edge::constant(edge.is_regular()), Edge::constant(!edge.is_regular()))
        } else {
            (edge, edge)
        }
    }

    /// Puts the elements of a function as seen from `v` on the stack. It lies at or below `v`, whose
    /// left child is no leaf.
    pub(crate) fn push_elements(&mut self, edge: Edge, v: u32) {
        let node = self.store.node(edge.index());
        if edge.is_constant() {
            self.stack.push(Element::new(Edge::TRUE, edge));
        } else if node.vtree == v {
            let negate = !edge.is_regular();
            let elements = self.store.elements[node.range()].iter();
            self.stack
                .extend(elements.map(|element| Element::new(element.prime, element.sub.flipped(negate))));
        } else if self.vtree.contains(self.vtree.node(v).left, node.vtree) {
            self.stack.push(Element::new(edge, Edge::TRUE));
            self.stack.push(Element::new(!edge, Edge::FALSE));
        } else {
            self.stack.push(Element::new(Edge::TRUE, edge));
        }
    }

    /// Joins the primes of equal subs, from `mark` on (SDD-K3).
    pub(crate) fn compress(&mut self, mark: usize) -> Result<(), Stop> {
        let end = self.stack.len();
        if end - mark < 2 {
            return Ok(());
        }
        self.stack[mark..].sort_unstable_by_key(|element| (element.sub, element.prime));
        let (mut written, mut read) = (mark, mark);
        while read < end {
            let sub = self.stack[read].sub;
            let mut behind = read + 1;
            while behind < end && self.stack[behind].sub == sub {
                behind += 1;
            }
            let prime = self.any_prime(read, behind)?;
            self.stack[written] = Element::new(prime, sub);
            written += 1;
            read = behind;
        }
        self.stack.truncate(written);
        Ok(())
    }

    /// The disjunction of the primes from one place of the stack to before another, in pairs, so
    /// that large ones meet late.
    pub(crate) fn any_prime(&mut self, from: usize, to: usize) -> Made {
        if to - from == 1 {
            return Ok(self.stack[from].prime);
        }
        let middle = from + (to - from) / 2;
        let left = self.any_prime(from, middle)?;
        let right = self.any_prime(middle, to)?;
        self.or_edges(left, right)
    }

    /// What a decision node consists of.
    pub(crate) fn content(&self, index: usize) -> Content<'_> {
        let vtree = self.store.node(index).vtree;
        self.store.content(index, self.has_two[vtree as usize])
    }

    #[inline]
    pub(crate) fn recall(&mut self, key: Key) -> Option<Edge> {
        self.cache.get(key).map(Edge::from_word)
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

    /// Counts one step of work: a call that the cache could not answer, or a pair of elements.
    #[inline]
    pub(crate) fn step(&mut self) -> Result<(), Interrupted> {
        self.meter.step()?;
        if self.meter.steps().is_multiple_of(1 << 14) {
            self.meter.budget().progress().report(self.store.live() as u64, self.meter.steps());
        }
        Ok(())
    }

    /// Runs an operation from outside (SDD-K7) once. It is left when another vtree is to be looked
    /// for first, and may be started again then.
    pub(crate) fn attempt_once(&mut self, operation: impl FnOnce(&mut Sdd) -> Made) -> Result<Root, Stop> {
        debug_assert!(self.stack.is_empty(), "operations are not nested");
        if self.store.live() >= self.attention {
            self.collect();
        }
        self.plan_minimising();
        let answer = operation(self).map(|answer| self.roots.add(answer.id()));
        self.minimising.due_at = u64::MAX;
        self.stack.clear();
        answer
    }

    /// Runs an operation from outside. Nothing, if it was granted too few nodes.
    pub(crate) fn attempt(
        &mut self,
        mut operation: impl FnMut(&mut Sdd) -> Made,
    ) -> Result<Option<Root>, Interrupted> {
        self.minimising.restarts = 0;
        loop {
            match self.attempt_once(&mut operation) {
                Ok(answer) => return Ok(Some(answer)),
                Err(Stop::TooLarge) => return Ok(None),
                Err(Stop::Interrupted(reason)) => return Err(reason),
                Err(Stop::Minimise) => self.minimise_by_growth()?,
            }
        }
    }

    /// Runs an operation from outside that may make as many nodes as it needs.
    pub(crate) fn run(&mut self, operation: impl FnMut(&mut Sdd) -> Made) -> Result<Root, Interrupted> {
        let answer = self.attempt(operation)?;
        Ok(answer.expect("only a bounded operation can be too large"))
    }

    /// Runs an operation from outside that may make a number of nodes.
    pub(crate) fn within(
        &mut self,
        most_nodes: usize,
        operation: impl FnMut(&mut Sdd) -> Made,
    ) -> Result<Option<Root>, Interrupted> {
        self.created_limit = self.created_nodes.saturating_add(most_nodes as u64);
        let answer = self.attempt(operation);
        self.created_limit = u64::MAX;
        answer
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
            peak_node_bytes: (self.peak_nodes * size_of::<crate::store::Node>()) as u64,
            peak_bytes: self.peak_bytes,
        }
    }
}

impl Drop for Sdd {
    fn drop(&mut self) {
        self.meter.budget().memory().release(self.charged);
    }
}
