//! Renaming, and steps of a relation forwards and backwards.
//!
//! Where every variable stays in its child of a vtree node, the node keeps its form: primes and subs
//! are renamed, and no operation is needed. Anything else is built anew. So a variable and its
//! primed twin are best siblings in the vtree.

use crate::edge::{Edge, Element};
use crate::register::{Renaming, VariableSet};
use crate::sdd::{Made, Sdd};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, Root, Variable};

impl Sdd {
    /// `a` with other variables, all replaced at once.
    pub fn rename(&mut self, a: &Root, renaming: Renaming) -> Result<Root, Interrupted> {
        let a = Edge::of(a);
        self.run(|sdd| sdd.rename_edge(a, renaming))
    }

    /// One step forwards: the conjunction of `from` and `relation`, without the variables of `set`,
    /// renamed.
    pub fn image(
        &mut self,
        from: &Root,
        relation: &Root,
        set: VariableSet,
        renaming: Renaming,
    ) -> Result<Root, Interrupted> {
        let (from, relation) = (Edge::of(from), Edge::of(relation));
        self.run(|sdd| {
            let after = sdd.step_edges(from, relation, set)?;
            sdd.rename_edge(after, renaming)
        })
    }

    /// One step backwards: the conjunction of `target`, renamed, and `relation`, without the
    /// variables of `set`. The target depends on no variable that the renaming leads to.
    pub fn preimage(
        &mut self,
        target: &Root,
        relation: &Root,
        set: VariableSet,
        renaming: Renaming,
    ) -> Result<Root, Interrupted> {
        let (target, relation) = (Edge::of(target), Edge::of(relation));
        self.run(|sdd| {
            let after = sdd.rename_edge(target, renaming)?;
            sdd.step_edges(after, relation, set)
        })
    }

    pub(crate) fn rename_edge(&mut self, f: Edge, renaming: Renaming) -> Made {
        // Terminal cases.
        if f.is_constant() {
            return Ok(f);
        }
        let v = self.place(f);
        let known = self.register.renaming(renaming);
        if known.places.below(&self.vtree, v) == 0 {
            return Ok(f);
        }
        if self.vtree.is_leaf(v) {
            return Ok(self.literal(known.target(Variable(v)), f.is_regular()));
        }
        let keeps_sides = known.keeps_sides(v);

        // Normalise: the negation has the negated answer. Recall.
        let negated = !f.is_regular();
        let f = f.regular();
        let key = Key::new(self.operations.rename, renaming.0, f.word(), 0);
        if let Some(known) = self.recall(key) {
            return Ok(known.flipped(negated));
        }
        self.step()?;

        // Split, recurse, build.
        let answer = if self.has_two[v as usize] {
            let (high, low) = self.cofactors(f, v);
            let high = self.rename_edge(high, renaming)?;
            let low = self.rename_edge(low, renaming)?;
            if keeps_sides {
                self.make_two(v, high, low)?
            } else {
                let left = self.literal(Variable(self.vtree.node(v).left), true);
                let left = self.rename_edge(left, renaming)?;
                self.ite_edges(left, high, low)?
            }
        } else {
            let mark = self.stack.len();
            self.push_elements(f, v);
            let end = self.stack.len();
            for place in mark..end {
                let Element { prime, sub } = self.stack[place];
                // Where two variables become one, a prime may become false, and subs equal.
                let prime = self.rename_edge(prime, renaming)?;
                if prime != Edge::FALSE {
                    let sub = self.rename_edge(sub, renaming)?;
                    self.stack.push(Element::new(prime, sub));
                }
            }
            let answer = if keeps_sides {
                self.compress(end)?;
                self.make(v, end)?
            } else {
                self.any_product(end)?
            };
            self.stack.truncate(mark);
            answer
        };

        // Remember.
        self.remember(key, answer);
        Ok(answer.flipped(negated))
    }
}
