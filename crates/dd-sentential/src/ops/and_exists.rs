//! Conjunction and quantification in one recursion: a step of a relation.
//!
//! Where variables on both sides of a vtree node are quantified, **primes come first**: a pair of
//! primes that has nothing in common is the rule, and a sub is a whole diagram. That was worth up
//! to a factor of fourteen in the trial before this kernel.

use crate::edge::{Edge, Element};
use crate::register::{Share, VariableSet};
use crate::sdd::{Made, Sdd};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, Root};

impl Sdd {
    /// `exists(and(a, b), set)`, without building the conjunction.
    pub fn and_exists(&mut self, a: &Root, b: &Root, set: VariableSet) -> Result<Root, Interrupted> {
        let (a, b) = (Edge::of(a), Edge::of(b));
        self.run(|sdd| sdd.step_edges(a, b, set))
    }

    /// [`Sdd::and_exists`], or nothing if that takes more than `most_nodes` new nodes. Stops early
    /// then.
    pub fn and_exists_within(
        &mut self,
        a: &Root,
        b: &Root,
        set: VariableSet,
        most_nodes: usize,
    ) -> Result<Option<Root>, Interrupted> {
        let (a, b) = (Edge::of(a), Edge::of(b));
        self.within(most_nodes, |sdd| sdd.step_edges(a, b, set))
    }

    pub(crate) fn and_exists_edges(&mut self, a: Edge, b: Edge, set: VariableSet) -> Made {
        // Terminal cases.
        if a == b || b == Edge::TRUE {
            return self.exists_edge(a, set);
        }
        if a == Edge::TRUE {
            return self.exists_edge(b, set);
        }
        if a == !b || a == Edge::FALSE || b == Edge::FALSE {
            return Ok(Edge::FALSE);
        }
        let (place_a, place_b) = (self.place(a), self.place(b));
        let v = if self.vtree.contains(place_a, place_b) {
            place_a
        } else if self.vtree.contains(place_b, place_a) {
            place_b
        } else {
            // They have no variable in common.
            let a = self.exists_edge(a, set)?;
            let b = self.exists_edge(b, set)?;
            return self.and_edges(a, b);
        };
        if self.share(set, v) == Share::None {
            return self.and_edges(a, b);
        }

        // Normalise: conjunction commutes. Recall.
        let key = Key::new(self.operations.and_exists, set.0, a.min(b).word(), a.max(b).word());
        if let Some(known) = self.recall(key) {
            return Ok(known);
        }
        self.step()?;

        // Split, recurse, build.
        let left = self.share(set, self.vtree.node(v).left);
        let answer = if self.has_two[v as usize] {
            let ((a1, a0), (b1, b0)) = (self.cofactors(a, v), self.cofactors(b, v));
            let high = self.and_exists_edges(a1, b1, set)?;
            if left == Share::None {
                let low = self.and_exists_edges(a0, b0, set)?;
                self.make_two(v, high, low)?
            } else if high == Edge::TRUE {
                high
            } else {
                let low = self.and_exists_edges(a0, b0, set)?;
                self.or_edges(high, low)?
            }
        } else {
            self.and_exists_of_elements(v, a, b, set, left)?
        };

        // Remember.
        self.remember(key, answer);
        Ok(answer)
    }

    fn and_exists_of_elements(&mut self, v: u32, a: Edge, b: Edge, set: VariableSet, left: Share) -> Made {
        let mark = self.stack.len();
        let split = self.push_operands(v, a, b)?;
        let end = self.stack.len();
        let (first, second) = (mark..split.second, split.second..end);
        let answer = match left {
            Share::None => {
                if split.outside != Edge::FALSE {
                    self.stack.push(Element::new(split.outside, Edge::FALSE));
                }
                self.multiply(first, second, |sdd, both, s, t| {
                    let sub = sdd.and_exists_edges(s, t, set)?;
                    sdd.stack.push(Element::new(both, sub));
                    Ok(true)
                })?;
                self.compress(end)?;
                self.make(v, end)?
            }
            Share::All => {
                let mut some = Edge::FALSE;
                self.multiply(first, second, |sdd, _, s, t| {
                    let sub = sdd.and_exists_edges(s, t, set)?;
                    some = sdd.or_edges(some, sub)?;
                    Ok(some != Edge::TRUE)
                })?;
                some
            }
            Share::Some => {
                for i in first {
                    let Element { prime: p, sub: s } = self.stack[i];
                    for j in second.clone() {
                        let Element { prime: q, sub: t } = self.stack[j];
                        self.step()?;
                        let prime = self.and_exists_edges(p, q, set)?;
                        if prime == Edge::FALSE {
                            continue;
                        }
                        let sub = self.and_exists_edges(s, t, set)?;
                        if sub != Edge::FALSE {
                            self.stack.push(Element::new(prime, sub));
                        }
                    }
                }
                // The primes may overlap, but those of one sub can be joined all the same.
                self.compress(end)?;
                self.any_product(end)?
            }
        };
        self.stack.truncate(mark);
        Ok(answer)
    }
}
