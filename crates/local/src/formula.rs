//! Formulas of CTL in the few operators that are searched.
//!
//! ```text
//! EF g = E[true U g]   AG f = !EF !f   E[f W g] = !A[!g U (!f & !g)]   E[f R g] = !A[!f U !g]
//! AF g = A[true U g]   EG f = !AF !f   A[f W g] = !E[!g U (!f & !g)]   A[f R g] = !E[!f U !g]
//! AX f = !EX !f
//! ```
//!
//! These hold on infinite paths and on paths that end in dead states.

use rustc_hash::FxHashMap;
use symbolon_logic::{Formula, FormulaId, Operator};
use symbolon_model::Atom;

/// The number of a subformula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(u32);

/// The number of a search: of a subformula whose values in states are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SearchId(pub(crate) u32);

/// A subformula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    Constant(bool),
    Deadlock,
    /// The atom with this number.
    Atom(u32),
    Not(NodeId),
    And(NodeId, NodeId),
    ExistsNext(NodeId),
    ExistsUntil(NodeId, NodeId),
    ForAllUntil(NodeId, NodeId),
}

/// A formula about one state.
#[derive(Debug, Default)]
pub(crate) struct StateFormula<'f> {
    nodes: Vec<Entry>,
    numbers: FxHashMap<Node, NodeId>,
    pub(crate) atoms: Vec<&'f Atom>,
    pub(crate) root: NodeId,
    search_count: u32,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    node: Node,
    search: Option<SearchId>,
    /// How deep searches are nested in it.
    depth: u32,
    /// How many operators lie above each other in it.
    height: u32,
}

impl<'f> StateFormula<'f> {
    /// The formula; `None` if it is not one of CTL, or speaks of agents.
    pub(crate) fn of(formula: &'f Formula<Atom>) -> Option<StateFormula<'f>> {
        let mut made = StateFormula::default();
        // Operands come first, so what they became is known. Formulas about paths become nothing.
        let mut became: Vec<Option<NodeId>> = Vec::with_capacity(formula.size());
        for (_, operator) in formula.subformulas() {
            let of = |id: FormulaId| became[id.index()];
            let node = match operator {
                &Operator::Exists(path) => Some(made.quantified(formula, path, of, Quantifier::Exists)?),
                &Operator::ForAll(path) => Some(made.quantified(formula, path, of, Quantifier::ForAll)?),
                Operator::Knows(..) | Operator::CanForce(..) => return None,
                operator if operator.is_temporal() => None,
                operator => made.propositional(operator, of),
            };
            became.push(node);
        }
        made.root = became[formula.root().index()]?;
        Some(made)
    }

    pub(crate) fn node(&self, id: NodeId) -> (Node, Option<SearchId>) {
        let Entry { node, search, .. } = self.nodes[id.0 as usize];
        (node, search)
    }

    pub(crate) fn search_count(&self) -> usize {
        self.search_count as usize
    }

    /// How deep searches are nested in a subformula.
    pub(crate) fn depth(&self, id: NodeId) -> u32 {
        self.nodes[id.0 as usize].depth
    }

    fn propositional(
        &mut self,
        operator: &'f Operator<Atom>,
        of: impl Fn(FormulaId) -> Option<NodeId>,
    ) -> Option<NodeId> {
        Some(match operator {
            Operator::True => self.add(Node::Constant(true)),
            Operator::False => self.add(Node::Constant(false)),
            Operator::Deadlock => self.add(Node::Deadlock),
            Operator::Atom(atom) => {
                self.atoms.push(atom);
                self.add(Node::Atom(self.atoms.len() as u32 - 1))
            }
            &Operator::Not(f) => self.not(of(f)?),
            &Operator::And(f, g) => self.and(of(f)?, of(g)?),
            &Operator::Or(f, g) => self.or(of(f)?, of(g)?),
            &Operator::Implies(f, g) => {
                let not_f = self.not(of(f)?);
                self.or(not_f, of(g)?)
            }
            &Operator::Equivalent(f, g) => {
                let (f, g) = (of(f)?, of(g)?);
                let (both, not_f, not_g) = (self.and(f, g), self.not(f), self.not(g));
                let neither = self.and(not_f, not_g);
                self.or(both, neither)
            }
            _ => return None,
        })
    }

    /// What a quantified formula about paths becomes; `None` if it is not one operator about states.
    fn quantified(
        &mut self,
        formula: &Formula<Atom>,
        path: FormulaId,
        of: impl Fn(FormulaId) -> Option<NodeId>,
        quantifier: Quantifier,
    ) -> Option<NodeId> {
        let always = self.add(Node::Constant(true));
        Some(match *formula.operator(path) {
            Operator::Next(f) => match quantifier {
                Quantifier::Exists => self.add(Node::ExistsNext(of(f)?)),
                Quantifier::ForAll => {
                    let not_f = self.not(of(f)?);
                    let next = self.add(Node::ExistsNext(not_f));
                    self.not(next)
                }
            },
            Operator::Finally(g) => self.add(quantifier.until(always, of(g)?)),
            Operator::Until(f, g) => self.add(quantifier.until(of(f)?, of(g)?)),
            Operator::Globally(f) => {
                let not_f = self.not(of(f)?);
                self.not_until(quantifier, always, not_f)
            }
            Operator::WeakUntil(f, g) => {
                let (not_f, not_g) = (self.not(of(f)?), self.not(of(g)?));
                let neither = self.and(not_f, not_g);
                self.not_until(quantifier, not_g, neither)
            }
            Operator::Release(f, g) => {
                let (not_f, not_g) = (self.not(of(f)?), self.not(of(g)?));
                self.not_until(quantifier, not_f, not_g)
            }
            // Every state has a path.
            _ => of(path)?,
        })
    }

    /// What the other quantifier says of `f U g`, negated.
    fn not_until(&mut self, quantifier: Quantifier, f: NodeId, g: NodeId) -> NodeId {
        let until = self.add(quantifier.other().until(f, g));
        self.not(until)
    }

    fn not(&mut self, f: NodeId) -> NodeId {
        match self.node(f).0 {
            Node::Constant(value) => self.add(Node::Constant(!value)),
            Node::Not(g) => g,
            _ => self.add(Node::Not(f)),
        }
    }

    /// Operands that one state decides come first, and then those that are not long conjunctions
    /// themselves.
    fn and(&mut self, f: NodeId, g: NodeId) -> NodeId {
        let effort = |id: NodeId| (self.depth(id), self.nodes[id.0 as usize].height);
        match effort(f) <= effort(g) {
            true => self.add(Node::And(f, g)),
            false => self.add(Node::And(g, f)),
        }
    }

    fn or(&mut self, f: NodeId, g: NodeId) -> NodeId {
        let (not_f, not_g) = (self.not(f), self.not(g));
        let neither = self.and(not_f, not_g);
        self.not(neither)
    }

    /// The number of a subformula; equal ones are one.
    fn add(&mut self, node: Node) -> NodeId {
        if let Some(&known) = self.numbers.get(&node) {
            return known;
        }
        let is_search = matches!(node, Node::ExistsNext(_) | Node::ExistsUntil(..) | Node::ForAllUntil(..));
        let search = is_search.then(|| {
            self.search_count += 1;
            SearchId(self.search_count - 1)
        });
        let depth = match node {
            Node::Constant(_) | Node::Deadlock | Node::Atom(_) => 0,
            Node::Not(f) => self.depth(f),
            Node::And(f, g) => self.depth(f).max(self.depth(g)),
            Node::ExistsNext(f) => 1 + self.depth(f),
            Node::ExistsUntil(f, g) | Node::ForAllUntil(f, g) => 1 + self.depth(f).max(self.depth(g)),
        };
        let above = |id: NodeId| self.nodes[id.0 as usize].height + 1;
        let height = match node {
            Node::Constant(_) | Node::Deadlock | Node::Atom(_) => 0,
            Node::Not(f) | Node::ExistsNext(f) => above(f),
            Node::And(f, g) | Node::ExistsUntil(f, g) | Node::ForAllUntil(f, g) => above(f).max(above(g)),
        };
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Entry { node, search, depth, height });
        self.numbers.insert(node, id);
        id
    }
}

#[derive(Clone, Copy)]
enum Quantifier {
    Exists,
    ForAll,
}

impl Quantifier {
    fn other(self) -> Quantifier {
        match self {
            Quantifier::Exists => Quantifier::ForAll,
            Quantifier::ForAll => Quantifier::Exists,
        }
    }

    fn until(self, f: NodeId, g: NodeId) -> Node {
        match self {
            Quantifier::Exists => Node::ExistsUntil(f, g),
            Quantifier::ForAll => Node::ForAllUntil(f, g),
        }
    }
}
