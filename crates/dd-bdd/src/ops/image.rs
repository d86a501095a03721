//! Conjunction, quantification and renaming in one recursion: a step of a relation forwards and
//! backwards.
//!
//! A relation speaks of current variables and of their primed twins. Forwards, current variables
//! are quantified and what is left is renamed from primed to current while it is built. Backwards,
//! the set of targets is *read* as if its current variables were primed ones. Both are one
//! recursion without an intermediate answer when every twin stands next to its variable, because
//! then the renaming keeps the order. Should sifting have parted them, answers stay right: forwards
//! a node that would stand too low is joined by if-then-else, backwards the targets are renamed
//! first.

use crate::bdd::{Answer, Bdd, Made};
use crate::node::Edge;
use crate::variables::{Projection, Renaming, VariableSet};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, Root};

impl Bdd {
    /// `a` with other variables, all replaced at once. Variables that come to stand between others
    /// are allowed.
    pub fn rename(&mut self, a: &Root, renaming: Renaming) -> Result<Root, Interrupted> {
        let f = Edge::of(a);
        self.run(&[a], |bdd| bdd.rename_edge(f, renaming))
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
        let (f, g) = (Edge::of(from), Edge::of(relation));
        let projection = self.register.projection(set, renaming);
        self.run(&[from, relation], |bdd| bdd.image_edges(f, g, projection))
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
        let (f, g) = (Edge::of(target), Edge::of(relation));
        let projection = self.register.projection(set, renaming);
        self.run(&[target, relation], |bdd| {
            if bdd.register.renaming_by_level(renaming).keeps_order {
                return bdd.preimage_edges(f, g, projection);
            }
            let renamed = bdd.rename_edge(f, renaming)?;
            bdd.push(renamed);
            bdd.and_exists_edges(renamed, g, set)
        })
    }

    fn rename_edge(&mut self, f: Edge, renaming: Renaming) -> Made {
        let nothing = self.register.set(Vec::new(), &self.order);
        let projection = self.register.projection(nothing, renaming);
        // Signs pass through, as long as nothing is quantified.
        Ok(self.image_edges(f.unsigned(), Edge::TRUE, projection)?.signed(f.sign()))
    }

    fn image_edges(&mut self, a: Edge, b: Edge, projection: Projection) -> Made {
        // Terminal cases.
        if a == Edge::FALSE || b == Edge::FALSE || a == !b {
            return Ok(Edge::FALSE);
        }
        let (set, renaming) = self.register.parts(projection);
        let level = self.level(a).max(self.level(b));
        let lowest_set = self.register.set_by_level(set).lowest;
        if level < lowest_set && level < self.register.renaming_by_level(renaming).lowest {
            return self.and_edges(a, b);
        }

        // Normalise: conjunction commutes.
        let (a, b) = (a.min(b), a.max(b));

        // Recall.
        let key = Key::new(self.operations.image, projection.0, a.word(), b.word());
        if let Some(known) = self.recall(key) {
            return Ok(known);
        }
        self.step()?;

        // Split and recurse.
        let (a0, a1) = self.cofactors(a, level);
        let (b0, b1) = self.cofactors(b, level);
        let is_quantified = self.register.set_by_level(set).has(level);
        let target = self.register.renaming_by_level(renaming).target(level);
        let answer = self.combine(
            is_quantified,
            |bdd| bdd.image_edges(a0, b0, projection).map(Answer::old),
            |bdd| bdd.image_edges(a1, b1, projection).map(Answer::old),
            |bdd, low, high| bdd.join(target, low.edge, high.edge).map(Answer::old),
        )?;

        // Remember.
        self.remember(key, answer.edge);
        Ok(answer.edge)
    }

    /// `a` is read through the renaming, `b` as it is.
    fn preimage_edges(&mut self, a: Edge, b: Edge, projection: Projection) -> Made {
        // Terminal cases.
        if a == Edge::FALSE || b == Edge::FALSE {
            return Ok(Edge::FALSE);
        }
        let (set, renaming) = self.register.parts(projection);
        if a == Edge::TRUE {
            return self.exists_edge(b, set);
        }
        let (a_level, b_level) = (self.level(a), self.level(b));
        let lowest_set = self.register.set_by_level(set).lowest;
        let lowest_moved = self.register.renaming_by_level(renaming).lowest;
        if a_level < lowest_moved && a_level < lowest_set && b_level < lowest_set {
            return self.and_edges(a, b);
        }

        // Recall.
        let key = Key::new(self.operations.preimage, projection.0, a.word(), b.word());
        if let Some(known) = self.recall(key) {
            return Ok(known);
        }
        self.step()?;

        // Split and recurse.
        let a_read = self.register.renaming_by_level(renaming).target(a_level);
        let level = a_read.max(b_level);
        let (a0, a1) = if a_read == level { self.cofactors(a, a_level) } else { (a, a) };
        let (b0, b1) = self.cofactors(b, level);
        let is_quantified = self.register.set_by_level(set).has(level);
        let answer = self.combine(
            is_quantified,
            |bdd| bdd.preimage_edges(a0, b0, projection).map(Answer::old),
            |bdd| bdd.preimage_edges(a1, b1, projection).map(Answer::old),
            |bdd, low, high| bdd.mk_above(level, low, high),
        )?;

        // Remember.
        self.remember(key, answer.edge);
        Ok(answer.edge)
    }
}
