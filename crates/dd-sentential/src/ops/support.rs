//! What a function depends on, and how large its diagram is.

use crate::edge::Edge;
use crate::sdd::Sdd;
use crate::store::Content;
use rustc_hash::FxHashSet;
use symbolon_dd_core::{Root, Variable};

impl Sdd {
    /// The variables that a function depends on, ascending.
    pub fn support(&self, a: &Root) -> Vec<Variable> {
        let mut found: Vec<Variable> = self
            .indices_below(&[Edge::of(a)])
            .into_iter()
            .flat_map(|index| {
                let v = self.store.node(index as usize).vtree;
                if self.vtree.is_leaf(v) {
                    vec![Variable(v)]
                } else if self.has_two[v as usize] {
                    vec![Variable(self.vtree.node(v).left)]
                } else {
                    Vec::new()
                }
            })
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The decision nodes of some functions together. A function and its negation share all.
    pub fn node_count<'a>(&self, functions: impl IntoIterator<Item = &'a Root>) -> usize {
        self.decisions(functions).count()
    }

    /// Their elements together: the size of a sentential diagram.
    pub fn element_count<'a>(&self, functions: impl IntoIterator<Item = &'a Root>) -> usize {
        self.decisions(functions).map(|index| self.length(index)).sum()
    }

    /// Decision nodes and elements as they are counted where edges have no signs: a function and
    /// its negation are two nodes. This is what other packages and papers report.
    pub fn signed_size<'a>(&self, functions: impl IntoIterator<Item = &'a Root>) -> (usize, usize) {
        let edges: Vec<Edge> = functions.into_iter().map(Edge::of).collect();
        let signed = self.edges_below(&edges);
        let lengths = signed.iter().map(|edge| self.length(edge.index() as u32));
        (signed.len(), lengths.sum())
    }

    fn decisions<'a>(&self, functions: impl IntoIterator<Item = &'a Root>) -> impl Iterator<Item = u32> {
        let edges: Vec<Edge> = functions.into_iter().map(Edge::of).collect();
        let first = self.variable_count() as u32 + 1;
        self.indices_below(&edges).into_iter().filter(move |&index| index >= first)
    }

    /// The number of elements of a decision node.
    pub(crate) fn length(&self, index: u32) -> usize {
        match self.content(index as usize) {
            Content::Two(..) => 2,
            Content::Many(elements) => elements.len(),
        }
    }

    pub(crate) fn is_decision(&self, edge: Edge) -> bool {
        edge.index() > self.variable_count()
    }

    /// The elements of a decision node, with the sign of the edge.
    pub(crate) fn elements_of(&self, edge: Edge) -> Vec<(Edge, Edge)> {
        let negate = !edge.is_regular();
        match self.content(edge.index()) {
            Content::Two(high, low) => {
                let v = self.store.node(edge.index()).vtree;
                let left = self.literal(Variable(self.vtree.node(v).left), true);
                vec![(left, high.flipped(negate)), (!left, low.flipped(negate))]
            }
            Content::Many(elements) => {
                elements.iter().map(|element| (element.prime, element.sub.flipped(negate))).collect()
            }
        }
    }

    /// The decision nodes of a function that are not known, and not below one that is.
    pub(crate) fn decisions_below(&self, edge: Edge, is_known: impl Fn(u32) -> bool) -> Vec<u32> {
        let first = self.variable_count() as u32 + 1;
        let mut met = FxHashSet::default();
        let mut found = Vec::new();
        let mut open = vec![edge.index() as u32];
        while let Some(index) = open.pop() {
            if index < first || is_known(index) || !met.insert(index) {
                continue;
            }
            found.push(index);
            match self.content(index as usize) {
                Content::Two(high, low) => open.extend([low.index() as u32, high.index() as u32]),
                Content::Many(elements) => {
                    let children = elements.iter().flat_map(|element| [element.prime, element.sub]);
                    open.extend(children.map(|child| child.index() as u32));
                }
            }
        }
        found
    }

    /// By variable: whether it can be false, and whether it can be true, where the function is true.
    pub fn possible_values(&self, a: &Root) -> Vec<[bool; 2]> {
        let mut possible = vec![[false; 2]; self.variable_count()];
        // By place of a leaf: how many more ranges of free variables begin here than end.
        let mut free = vec![0_i64; self.variable_count() + 1];
        let mut met = FxHashSet::default();
        // What must hold of the variables below a vtree node.
        let mut open = vec![(Edge::of(a), self.vtree.root)];
        while let Some((edge, v)) = open.pop() {
            if edge == Edge::FALSE {
                continue;
            }
            let whole = self.vtree.node(v);
            let mut is_free = |from: u32, to: u32| {
                free[from as usize] += 1;
                free[to as usize] -= 1;
            };
            if edge == Edge::TRUE {
                is_free(whole.from, whole.to);
                continue;
            }
            let place = self.place(edge);
            let part = self.vtree.node(place);
            is_free(whole.from, part.from);
            is_free(part.to, whole.to);
            if self.vtree.is_leaf(place) {
                possible[place as usize][usize::from(edge.is_regular())] = true;
            } else if met.insert(edge) {
                for (prime, sub) in self.elements_of(edge) {
                    if sub != Edge::FALSE {
                        open.extend([(prime, part.left), (sub, part.right)]);
                    }
                }
            }
        }
        let mut depth = 0;
        for (place, variable) in self.vtree.variables().into_iter().enumerate() {
            depth += free[place];
            if depth > 0 {
                possible[variable.index()] = [true; 2];
            }
        }
        possible
    }

    /// Literals and decision nodes of some functions, each once.
    pub(crate) fn indices_below(&self, edges: &[Edge]) -> Vec<u32> {
        let mut met = FxHashSet::default();
        let mut found = Vec::new();
        let mut open: Vec<u32> = edges.iter().map(|edge| edge.index() as u32).collect();
        open.reverse();
        while let Some(index) = open.pop() {
            if index == 0 || !met.insert(index) {
                continue;
            }
            found.push(index);
            if index as usize <= self.variable_count() {
                continue;
            }
            match self.content(index as usize) {
                Content::Two(high, low) => open.extend([low.index() as u32, high.index() as u32]),
                Content::Many(elements) => {
                    for element in elements.iter().rev() {
                        open.extend([element.sub.index() as u32, element.prime.index() as u32]);
                    }
                }
            }
        }
        found
    }

    /// Decision nodes with the signs under which they are reached, children before their parents.
    pub(crate) fn edges_below(&self, edges: &[Edge]) -> Vec<Edge> {
        let mut met = FxHashSet::default();
        let mut found = Vec::new();
        let mut open: Vec<Edge> = edges.to_vec();
        open.reverse();
        while let Some(edge) = open.pop() {
            if !self.is_decision(edge) || !met.insert(edge) {
                continue;
            }
            found.push(edge);
            open.extend(self.elements_of(edge).into_iter().rev().flat_map(|(prime, sub)| [sub, prime]));
        }
        // Children lie at lower vtree nodes, which have fewer leaves.
        found.sort_by_key(|edge| {
            let node = self.vtree.node(self.place(*edge));
            node.to - node.from
        });
        found
    }
}
