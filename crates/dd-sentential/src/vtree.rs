//! Vtrees: full binary trees with the variables of a manager at their leaves.
//!
//! The leaf of variable `v` is node `v`; the inner nodes follow. Besides its neighbours a node knows
//! which places its leaves take from left to right, so whether one node lies below another is a
//! comparison of two intervals.

mod text;

use std::fmt;
use symbolon_dd_core::Variable;

/// No node: above the root, and below leaves.
pub(crate) const NONE: u32 = u32::MAX;

/// A node of a vtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VtreeNode(pub(crate) u32);

impl VtreeNode {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) parent: u32,
    pub(crate) left: u32,
    pub(crate) right: u32,
    /// The places of its leaves: from this one …
    pub(crate) from: u32,
    /// … to the one before this.
    pub(crate) to: u32,
}

/// A tree of variables 0 to n − 1, each at one leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vtree {
    pub(crate) nodes: Vec<Node>,
    pub(crate) root: u32,
}

/// What is wrong with a description of a vtree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VtreeError {
    /// A variable has several leaves.
    Twice(Variable),
    /// Of this many leaves, none has the variable.
    Missing(Variable, usize),
    /// There is no leaf.
    Empty,
    /// A part hangs nowhere, or in two places.
    NotATree,
    /// A line of a text: its number, and what is wrong with it.
    Text(usize, String),
}

impl fmt::Display for VtreeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VtreeError::Twice(variable) => write!(f, "variable {} has two leaves", variable.0 + 1),
            VtreeError::Missing(variable, leaves) => {
                write!(f, "the vtree has {leaves} leaves, but none for variable {}", variable.0 + 1)
            }
            VtreeError::Empty => f.write_str("a vtree needs a variable"),
            VtreeError::NotATree => f.write_str("the nodes do not form one tree"),
            VtreeError::Text(line, what) => write!(f, "line {line}: {what}"),
        }
    }
}

impl std::error::Error for VtreeError {}

/// A tree in the making, of a [`VtreeBuilder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part(u32);

/// Builds a vtree from its leaves up.
#[derive(Clone, Debug, Default)]
pub struct VtreeBuilder {
    /// Leaves have their variable; inner nodes their children.
    parts: Vec<Made>,
}

#[derive(Clone, Copy, Debug)]
enum Made {
    Leaf(Variable),
    Pair(u32, u32),
}

impl VtreeBuilder {
    /// Nothing yet.
    pub fn new() -> VtreeBuilder {
        VtreeBuilder::default()
    }

    /// The leaf of a variable.
    pub fn leaf(&mut self, variable: Variable) -> Part {
        self.parts.push(Made::Leaf(variable));
        Part(self.parts.len() as u32 - 1)
    }

    /// The leaves of some variables.
    pub fn leaves(&mut self, variables: &[Variable]) -> Vec<Part> {
        variables.iter().map(|&variable| self.leaf(variable)).collect()
    }

    /// A node with two children.
    pub fn join(&mut self, left: Part, right: Part) -> Part {
        self.parts.push(Made::Pair(left.0, right.0));
        Part(self.parts.len() as u32 - 1)
    }

    /// Each part on the left of all that follow. There is a part.
    pub fn right_linear(&mut self, parts: &[Part]) -> Part {
        let (&last, others) = parts.split_last().expect("a part");
        others.iter().rev().fold(last, |right, &left| self.join(left, right))
    }

    /// Each part on the right of all before it. There is a part.
    pub fn left_linear(&mut self, parts: &[Part]) -> Part {
        let (&first, others) = parts.split_first().expect("a part");
        others.iter().fold(first, |left, &right| self.join(left, right))
    }

    /// As many parts on the left as on the right, one more on the right if their number is odd.
    /// There is a part.
    pub fn balanced(&mut self, parts: &[Part]) -> Part {
        match parts {
            [one] => *one,
            _ => {
                let (left, right) = parts.split_at(parts.len() / 2);
                let (left, right) = (self.balanced(left), self.balanced(right));
                self.join(left, right)
            }
        }
    }

    /// From the root down, the first part on the left, the last of the others on the right, and so
    /// on in turns. There is a part.
    pub fn vertical(&mut self, parts: &[Part]) -> Part {
        let mut rest = parts;
        let mut sides = Vec::with_capacity(parts.len());
        let mut is_left = true;
        while rest.len() > 1 {
            let (part, others) = if is_left {
                let (&first, others) = rest.split_first().expect("two parts at least");
                (first, others)
            } else {
                let (&last, others) = rest.split_last().expect("two parts at least");
                (last, others)
            };
            sides.push((part, is_left));
            rest = others;
            is_left = !is_left;
        }
        let inner = *rest.first().expect("a part");
        sides.into_iter().rev().fold(inner, |inner, (part, is_left)| {
            if is_left { self.join(part, inner) } else { self.join(inner, part) }
        })
    }

    /// The tree with this root. Its leaves are those of variables 0 to n − 1, each once.
    pub fn finish(&self, root: Part) -> Result<Vtree, VtreeError> {
        let leaf_count = self.parts.iter().filter(|part| matches!(part, Made::Leaf(_))).count();
        if leaf_count == 0 {
            return Err(VtreeError::Empty);
        }
        if self.parts.len() != 2 * leaf_count - 1 {
            return Err(VtreeError::NotATree);
        }
        let nothing = Node { parent: NONE, left: NONE, right: NONE, from: 0, to: 0 };
        let mut tree = Vtree { nodes: vec![nothing; self.parts.len()], root: 0 };
        let mut is_met = vec![false; leaf_count];
        let mut next_inner = leaf_count as u32;
        // By part: its node.
        let mut numbers = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            numbers.push(match part {
                Made::Leaf(variable) => {
                    match is_met.get_mut(variable.index()) {
                        Some(met) if !*met => *met = true,
                        Some(_) => return Err(VtreeError::Twice(*variable)),
                        // Some smaller variable has no leaf then.
                        None => return Err(self.missing(leaf_count)),
                    }
                    variable.0
                }
                Made::Pair(..) => {
                    next_inner += 1;
                    next_inner - 1
                }
            });
        }
        for (part, &number) in self.parts.iter().zip(&numbers) {
            if let Made::Pair(left, right) = *part {
                let (left, right) = (numbers[left as usize], numbers[right as usize]);
                if left == right
                    || [left, right].iter().any(|&child| tree.nodes[child as usize].parent != NONE)
                {
                    return Err(VtreeError::NotATree);
                }
                tree.nodes[left as usize].parent = number;
                tree.nodes[right as usize].parent = number;
                tree.nodes[number as usize].left = left;
                tree.nodes[number as usize].right = right;
            }
        }
        tree.root = numbers[root.0 as usize];
        if tree.nodes[tree.root as usize].parent != NONE {
            return Err(VtreeError::NotATree);
        }
        tree.place(tree.root, 0);
        Ok(tree)
    }

    /// Of so few leaves that some variable has none: which one.
    fn missing(&self, leaf_count: usize) -> VtreeError {
        let mut has_leaf = vec![false; leaf_count];
        for part in &self.parts {
            if let Made::Leaf(variable) = part
                && let Some(met) = has_leaf.get_mut(variable.index())
            {
                *met = true;
            }
        }
        let missing = has_leaf.iter().position(|&met| !met).unwrap_or(leaf_count);
        VtreeError::Missing(Variable(missing as u32), leaf_count)
    }
}

impl Vtree {
    /// Each variable on the left of all that follow: sentential diagrams are binary ones.
    pub fn right_linear(variables: &[Variable]) -> Vtree {
        Vtree::of_leaves(variables, VtreeBuilder::right_linear)
    }

    /// Each variable on the right of all before it.
    pub fn left_linear(variables: &[Variable]) -> Vtree {
        Vtree::of_leaves(variables, VtreeBuilder::left_linear)
    }

    /// As many variables on the left as on the right, at every node.
    pub fn balanced(variables: &[Variable]) -> Vtree {
        Vtree::of_leaves(variables, VtreeBuilder::balanced)
    }

    /// Single variables on the left and on the right in turns.
    pub fn vertical(variables: &[Variable]) -> Vtree {
        Vtree::of_leaves(variables, VtreeBuilder::vertical)
    }

    fn of_leaves(variables: &[Variable], shape: impl Fn(&mut VtreeBuilder, &[Part]) -> Part) -> Vtree {
        let mut builder = VtreeBuilder::new();
        let leaves = builder.leaves(variables);
        let root = shape(&mut builder, &leaves);
        builder.finish(root).expect("variables 0 to n - 1, each once")
    }

    /// The number of variables, which is the number of leaves.
    pub fn variable_count(&self) -> usize {
        self.nodes.len() / 2 + 1
    }

    /// The variables from left to right.
    pub fn variables(&self) -> Vec<Variable> {
        let mut variables = vec![Variable(0); self.variable_count()];
        for (variable, node) in (0..).zip(&self.nodes[..self.variable_count()]) {
            variables[node.from as usize] = Variable(variable);
        }
        variables
    }

    /// The root.
    pub fn root(&self) -> VtreeNode {
        VtreeNode(self.root)
    }

    /// The leaf of a variable.
    pub fn leaf(&self, variable: Variable) -> VtreeNode {
        VtreeNode(variable.0)
    }

    /// The children of an inner node, left and right.
    pub fn children(&self, node: VtreeNode) -> Option<(VtreeNode, VtreeNode)> {
        let Node { left, right, .. } = self.nodes[node.index()];
        (left != NONE).then_some((VtreeNode(left), VtreeNode(right)))
    }

    /// The variable of a leaf.
    pub fn variable(&self, node: VtreeNode) -> Option<Variable> {
        (node.index() < self.variable_count()).then_some(Variable(node.0))
    }

    /// The number of a node in the text of the tree: its place in the in-order walk.
    pub fn number(&self, node: VtreeNode) -> usize {
        // Each leaf but the first has an inner node right before it.
        let node = self.node(node.0);
        match node.left {
            NONE => 2 * node.from as usize,
            left => 2 * self.node(left).to as usize - 1,
        }
    }

    /// The node above, if there is one.
    pub fn parent(&self, node: VtreeNode) -> Option<VtreeNode> {
        let parent = self.nodes[node.index()].parent;
        (parent != NONE).then_some(VtreeNode(parent))
    }

    /// The most nodes on a way from the root to a leaf.
    pub fn height(&self) -> usize {
        let mut highest = 0;
        let mut open = vec![(self.root, 1)];
        while let Some((node, depth)) = open.pop() {
            highest = highest.max(depth);
            let Node { left, right, .. } = self.nodes[node as usize];
            if left != NONE {
                open.extend([(left, depth + 1), (right, depth + 1)]);
            }
        }
        highest
    }

    #[inline]
    pub(crate) fn node(&self, number: u32) -> Node {
        self.nodes[number as usize]
    }

    #[inline]
    pub(crate) fn is_leaf(&self, number: u32) -> bool {
        (number as usize) < self.variable_count()
    }

    /// Whether a node is an inner one with a leaf on the left.
    pub(crate) fn has_left_leaf(&self, number: u32) -> bool {
        !self.is_leaf(number) && self.is_leaf(self.node(number).left)
    }

    /// Whether `inner` is `outer` or lies below it.
    #[inline]
    pub(crate) fn contains(&self, outer: u32, inner: u32) -> bool {
        let (outer, inner) = (self.node(outer), self.node(inner));
        outer.from <= inner.from && inner.to <= outer.to
    }

    /// Whether `a` lies on the left of `b`; neither contains the other.
    #[inline]
    pub(crate) fn is_left_of(&self, a: u32, b: u32) -> bool {
        self.node(a).from < self.node(b).from
    }

    /// The lowest node that contains both.
    pub(crate) fn lowest_common(&self, a: u32, b: u32) -> u32 {
        let mut node = a;
        while !self.contains(node, b) {
            node = self.node(node).parent;
        }
        node
    }

    /// Numbers the leaves below a node from left to right, from `first` on.
    pub(crate) fn place(&mut self, node: u32, first: u32) {
        let mut next = first;
        // Nodes to enter, and, with the mark, to leave.
        let mut open = vec![(node, false)];
        while let Some((number, is_left_behind)) = open.pop() {
            let Node { left, right, .. } = self.node(number);
            if is_left_behind {
                self.nodes[number as usize].to = next;
                continue;
            }
            self.nodes[number as usize].from = next;
            if left == NONE {
                next += 1;
                self.nodes[number as usize].to = next;
            } else {
                open.extend([(number, true), (right, false), (left, false)]);
            }
        }
    }

    /// `((a b) c)` becomes `(a (b c))`: its left child takes the place of the node.
    pub(crate) fn rotate_right(&mut self, x: u32) {
        let w = self.node(x).left;
        let Node { left: a, right: b, .. } = self.node(w);
        let c = self.node(x).right;
        self.replace(x, w);
        self.set_children(x, b, c);
        self.set_children(w, a, x);
    }

    /// `(a (b c))` becomes `((a b) c)`: its right child takes the place of the node.
    pub(crate) fn rotate_left(&mut self, x: u32) {
        let w = self.node(x).right;
        let Node { left: b, right: c, .. } = self.node(w);
        let a = self.node(x).left;
        self.replace(x, w);
        self.set_children(x, a, b);
        self.set_children(w, x, c);
    }

    /// `(a b)` becomes `(b a)`.
    pub(crate) fn swap(&mut self, x: u32) {
        let node = &mut self.nodes[x as usize];
        (node.left, node.right) = (node.right, node.left);
        let first = node.from;
        self.place(x, first);
    }

    /// Hangs another node where one hangs.
    fn replace(&mut self, old: u32, new: u32) {
        let parent = self.node(old).parent;
        self.nodes[new as usize].parent = parent;
        match self.nodes.get_mut(parent as usize) {
            None => self.root = new,
            Some(above) if above.left == old => above.left = new,
            Some(above) => above.right = new,
        }
    }

    /// The children of a node, whose leaves stand next to each other.
    fn set_children(&mut self, node: u32, left: u32, right: u32) {
        self.nodes[left as usize].parent = node;
        self.nodes[right as usize].parent = node;
        let (from, to) = (self.node(left).from, self.node(right).to);
        let node = &mut self.nodes[node as usize];
        (node.left, node.right, node.from, node.to) = (left, right, from, to);
    }

    /// All nodes below and at a node, children before their parents, left before right.
    pub(crate) fn upwards(&self, node: u32) -> Vec<u32> {
        let mut order = Vec::new();
        let mut open = vec![node];
        while let Some(number) = open.pop() {
            order.push(number);
            let Node { left, right, .. } = self.node(number);
            if left != NONE {
                open.extend([left, right]);
            }
        }
        order.reverse();
        order
    }
}
