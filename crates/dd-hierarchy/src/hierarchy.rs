//! The diagram manager: kinds of nodes, how they are made, and how operations reach them.

pub(crate) mod frame;
pub(crate) mod homomorphism;
pub(crate) mod relation;
pub(crate) mod shape;
pub(crate) mod signature;
mod validate;

use crate::values::Values;
use frame::Cell;
use homomorphism::Homomorphisms;
use relation::Relations;
use shape::Shapes;
use signature::Signatures;
use symbolon_budget::{Interrupted, Meter};
use symbolon_dd_core::{
    Kind, Limits, Manager, NodeId, NodeShape, Operation, OperationShape, Root, Statistics, View, Violation,
};

/// Sets of sequences of values and of components, and the relations and homomorphisms on them.
pub struct Hierarchy {
    pub(crate) manager: Manager,
    pub(crate) kinds: Kinds,
    pub(crate) operations: Operations,
    undefined: Root,
    /// Whether anything undefined was ever met: until then no node has to be asked.
    pub(crate) met_undefined: bool,
    /// How many `fire` are running: what lies inside one need not be reachable.
    pub(crate) firing: usize,
    /// The step from which on a closure looks for values that cannot be held again.
    pub(crate) next_look_for_beyond: u64,
    /// What an interrupted closure had found; see [`Hierarchy::take_partial`].
    pub(crate) partial: Vec<Root>,
    /// Collections at safe points so far.
    pub(crate) collections: u64,
    pub(crate) values: Values,
    /// Codes of the leaf nodes under construction; see [`crate::hierarchy::frame`].
    pub(crate) cells: Vec<Cell>,
    pub(crate) signatures: Signatures,
    pub(crate) relations: Relations,
    pub(crate) shapes: Shapes,
    pub(crate) homomorphisms: Homomorphisms,
}

/// What ⊤ takes: a header and a word.
const UNDEFINED_BYTES: u64 = 8;

/// The kinds of nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kinds {
    /// Leaf nodes with gaps between their codes: pairs (code, child).
    pub(crate) pairs: Kind,
    /// Leaf nodes of variable 0 without gaps: children; the tag is the first code.
    pub(crate) run: Kind,
    /// Leaf nodes of other variables without gaps: the first code, then children.
    pub(crate) named_run: Kind,
    /// Set nodes: pairs (label, child).
    pub(crate) set: Kind,
    /// The one node ⊤.
    pub(crate) undefined: Kind,
}

/// The cached operations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operations {
    pub(crate) union: Operation,
    pub(crate) intersection: Operation,
    pub(crate) difference: Operation,
    pub(crate) concatenate: Operation,
    pub(crate) fire: Operation,
    pub(crate) saturate: Operation,
    pub(crate) preimage: Operation,
    pub(crate) apply: Operation,
    pub(crate) exclude: Operation,
}

/// The arcs of a leaf node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LeafView {
    pub(crate) variable: u32,
    pub(crate) length: usize,
    start: usize,
    first: u32,
    is_run: bool,
}

/// The arcs of a set node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SetView {
    pub(crate) length: usize,
    start: usize,
}

/// What a node is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    Empty,
    One,
    Undefined,
    Leaf(LeafView),
    Set(SetView),
}

impl Hierarchy {
    /// An empty manager that works within the budget of `meter`.
    pub fn new(meter: Meter, limits: Limits) -> Result<Hierarchy, Interrupted> {
        let budget = meter.budget().clone();
        let mut manager = Manager::new(meter, limits)?;
        let kinds = Kinds {
            pairs: manager.register_kind(NodeShape { skip: 0, stride: 2, child_mask: 0b10 }),
            run: manager.register_kind(NodeShape { skip: 0, stride: 1, child_mask: 1 }),
            named_run: manager.register_kind(NodeShape { skip: 1, stride: 1, child_mask: 1 }),
            set: manager.register_kind(NodeShape { skip: 0, stride: 2, child_mask: 0b11 }),
            undefined: manager.register_kind(NodeShape { skip: 1, stride: 1, child_mask: 0 }),
        };
        let mut binary = || manager.register_operation(OperationShape::NODES);
        let operations = Operations {
            union: binary(),
            intersection: binary(),
            difference: binary(),
            concatenate: binary(),
            preimage: binary(),
            fire: manager.register_operation(OperationShape::UNARY),
            saturate: manager.register_operation(OperationShape::UNARY),
            apply: manager.register_operation(OperationShape::UNARY),
            exclude: manager.register_operation(OperationShape::UNARY),
        };
        manager.scratch.push_empty(1);
        let undefined = manager.make_node(kinds.undefined, 0, 0..1)?;
        manager.scratch.truncate(0);
        manager.note(undefined);
        let undefined = manager.root(undefined);
        Ok(Hierarchy {
            manager,
            kinds,
            operations,
            undefined,
            met_undefined: false,
            firing: 0,
            next_look_for_beyond: 0,
            partial: Vec::new(),
            collections: 0,
            values: Values::default(),
            cells: Vec::new(),
            signatures: Signatures::default(),
            relations: Relations::new(budget),
            shapes: Shapes::new(),
            homomorphisms: Homomorphisms::new(),
        })
    }

    /// ⊤: the result of an operation that has none, such as the union of sequences that begin with
    /// different variables. It stands for "any set", and whatever contains it is not well defined.
    pub fn undefined(&mut self) -> NodeId {
        self.met_undefined = true;
        self.undefined.node()
    }

    /// Whether ⊤ occurs nowhere in a set. Ask it of results whose operands may not fit together.
    pub fn is_well_defined(&self, set: NodeId) -> bool {
        set.is_terminal() || !self.manager.is_noted(set)
    }

    /// The sequences `value`, then one of `rest`. The variable is 0.
    pub fn prepend_value(&mut self, value: u64, rest: NodeId) -> Result<NodeId, Interrupted> {
        self.prepend_assignment(0, value, rest)
    }

    /// The sequences `variable := value`, then one of `rest`.
    pub fn prepend_assignment(
        &mut self,
        variable: u32,
        value: u64,
        rest: NodeId,
    ) -> Result<NodeId, Interrupted> {
        let code = self.values.code(value)?;
        self.outermost(&[rest], |hierarchy| {
            let frame = hierarchy.open_frame();
            hierarchy.append(code, rest);
            hierarchy.close_frame(frame, variable)
        })
    }

    /// The sequences of a component that lies in `label`, then one of `rest`.
    pub fn prepend_component(&mut self, label: NodeId, rest: NodeId) -> Result<NodeId, Interrupted> {
        self.outermost(&[label, rest], |hierarchy| {
            let mark = hierarchy.manager.scratch.height();
            hierarchy.push_arc(label, rest);
            hierarchy.canonical_set(mark)
        })
    }

    /// What was done so far. ⊤ takes no bytes of nodes: it is a constant, and part of no set of
    /// states.
    pub fn statistics(&self) -> Statistics {
        let statistics = self.manager.statistics();
        let peak_node_bytes = statistics.peak_node_bytes.saturating_sub(UNDEFINED_BYTES);
        Statistics { peak_node_bytes, ..statistics }
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
        self.forget_signatures_of_the_dead();
    }

    /// Collects garbage if enough has gathered. Call it between operations only: unrooted nodes
    /// vanish.
    pub fn collect_if_due(&mut self) {
        self.safe_point();
    }

    /// Forgets all remembered answers, for measurements that must not profit from earlier ones.
    pub fn forget_answers(&mut self) {
        self.manager.forget_answers();
    }

    /// A safe point (K6) of a running operation.
    #[inline]
    pub(crate) fn safe_point(&mut self) {
        if self.manager.collect_if_due() {
            self.collections += 1;
            self.forget_signatures_of_the_dead();
        }
    }

    /// What a node is, and where its arcs lie.
    #[inline]
    pub(crate) fn form(&self, node: NodeId) -> Form {
        if node.is_empty() {
            return Form::Empty;
        }
        if node == NodeId::ONE {
            return Form::One;
        }
        let kind = self.manager.kind(node);
        let View { tag, start, length } = self.manager.view(node);
        if kind == self.kinds.set {
            Form::Set(SetView { start, length: length / 2 })
        } else if kind == self.kinds.run {
            Form::Leaf(LeafView { variable: 0, start, length, first: tag, is_run: true })
        } else if kind == self.kinds.named_run {
            let first = self.manager.word_at(start);
            Form::Leaf(LeafView { variable: tag, start: start + 1, length: length - 1, first, is_run: true })
        } else if kind == self.kinds.pairs {
            Form::Leaf(LeafView { variable: tag, start, length: length / 2, first: 0, is_run: false })
        } else {
            Form::Undefined
        }
    }

    /// Code and child of an arc of a leaf node.
    #[inline]
    pub(crate) fn leaf_arc(&self, view: &LeafView, position: usize) -> (u32, NodeId) {
        if view.is_run {
            let child = self.manager.word_at(view.start + position);
            (view.first + position as u32, NodeId::from_word(child))
        } else {
            let at = view.start + 2 * position;
            (self.manager.word_at(at), NodeId::from_word(self.manager.word_at(at + 1)))
        }
    }

    /// The child of a leaf node for a code; EMPTY if it has none.
    pub(crate) fn leaf_child(&self, view: &LeafView, code: u32) -> NodeId {
        if view.is_run {
            let position = code.wrapping_sub(view.first) as usize;
            return if position < view.length { self.leaf_arc(view, position).1 } else { NodeId::EMPTY };
        }
        let (mut low, mut high) = (0, view.length);
        while low < high {
            let middle = (low + high) / 2;
            let (at, child) = self.leaf_arc(view, middle);
            match at.cmp(&code) {
                std::cmp::Ordering::Equal => return child,
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        NodeId::EMPTY
    }

    /// Label and child of an arc of a set node.
    #[inline]
    pub(crate) fn set_arc(&self, view: &SetView, position: usize) -> (NodeId, NodeId) {
        let at = view.start + 2 * position;
        (NodeId::from_word(self.manager.word_at(at)), NodeId::from_word(self.manager.word_at(at + 1)))
    }

    /// Notes that a new node is not well defined, if one of the nodes it mentions is not.
    #[inline]
    pub(crate) fn inherit_undefined(&mut self, node: NodeId) {
        if self.met_undefined {
            let children = self.manager.children_of(node);
            if children.into_iter().any(|child| !self.is_well_defined(child)) {
                self.manager.note(node);
            }
        }
    }

    /// Runs an operation from outside. If it is interrupted, whatever it left on the stacks goes.
    pub(crate) fn outermost<T>(
        &mut self,
        operands: &[NodeId],
        operation: impl FnOnce(&mut Hierarchy) -> Result<T, Interrupted>,
    ) -> Result<T, Interrupted> {
        let (height, cells, firing) = (self.manager.scratch.height(), self.cells.len(), self.firing);
        operands.iter().for_each(|operand| self.manager.scratch.push(operand.word()));
        let answer = operation(self);
        self.manager.scratch.truncate(height);
        self.cells.truncate(cells);
        self.firing = firing;
        answer
    }

    /// Checks all invariants of the manager and of every diagram in it.
    pub fn validate(&mut self) -> Result<(), Violation> {
        self.manager.validate()?;
        validate::validate_nodes(self)
    }
}
