//! Quantifying a set of variables in one pass over the diagram.

use crate::edge::{Edge, Element};
use crate::register::{Share, VariableSet};
use crate::sdd::{Made, Sdd};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, Root};

impl Sdd {
    /// True where some values of the variables of `set` make `a` true.
    pub fn exists(&mut self, a: &Root, set: VariableSet) -> Result<Root, Interrupted> {
        let a = Edge::of(a);
        self.run(|sdd| sdd.exists_edge(a, set))
    }

    /// True where all values of the variables of `set` make `a` true.
    pub fn forall(&mut self, a: &Root, set: VariableSet) -> Result<Root, Interrupted> {
        let a = Edge::of(a);
        self.run(|sdd| Ok(!sdd.exists_edge(!a, set)?))
    }

    #[inline]
    pub(crate) fn share(&self, set: VariableSet, v: u32) -> Share {
        self.register.set(set).share(&self.vtree, v)
    }

    pub(crate) fn exists_edge(&mut self, f: Edge, set: VariableSet) -> Made {
        // Terminal cases.
        if f.is_constant() {
            return Ok(f);
        }
        let v = self.place(f);
        match self.share(set, v) {
            Share::None => return Ok(f),
            Share::All => return Ok(Edge::TRUE),
            Share::Some => {}
        }

        // Recall.
        let key = Key::new(self.operations.exists, set.0, f.word(), 0);
        if let Some(known) = self.recall(key) {
            return Ok(known);
        }
        self.step()?;

        // Split, recurse, build.
        let left = self.share(set, self.vtree.node(v).left);
        let answer = if self.has_two[v as usize] {
            let (high, low) = self.cofactors(f, v);
            let high = self.exists_edge(high, set)?;
            if left == Share::None {
                let low = self.exists_edge(low, set)?;
                self.make_two(v, high, low)?
            } else if high == Edge::TRUE {
                high
            } else {
                let low = self.exists_edge(low, set)?;
                self.or_edges(high, low)?
            }
        } else {
            let mark = self.stack.len();
            self.push_elements(f, v);
            let answer = match left {
                Share::None => {
                    for place in mark..self.stack.len() {
                        self.stack[place].sub = self.exists_edge(self.stack[place].sub, set)?;
                    }
                    self.compress(mark)?;
                    self.make(v, mark)?
                }
                Share::All => {
                    let mut some = Edge::FALSE;
                    for place in mark..self.stack.len() {
                        let sub = self.exists_edge(self.stack[place].sub, set)?;
                        some = self.or_edges(some, sub)?;
                        if some == Edge::TRUE {
                            break;
                        }
                    }
                    some
                }
                Share::Some => {
                    for place in mark..self.stack.len() {
                        self.stack[place].sub = self.exists_edge(self.stack[place].sub, set)?;
                    }
                    // Fewer and larger primes: joined before they are quantified.
                    self.compress(mark)?;
                    for place in mark..self.stack.len() {
                        if self.stack[place].sub != Edge::FALSE {
                            self.stack[place].prime = self.exists_edge(self.stack[place].prime, set)?;
                        }
                    }
                    self.any_product(mark)?
                }
            };
            self.stack.truncate(mark);
            answer
        };

        // Remember.
        self.remember(key, answer);
        Ok(answer)
    }

    /// The disjunction of `prime ∧ sub` of what lies on the stack from `mark` on, whose primes may
    /// overlap. In pairs, so that large functions meet late.
    pub(crate) fn any_product(&mut self, mark: usize) -> Made {
        let end = self.stack.len();
        self.any_product_between(mark, end)
    }

    fn any_product_between(&mut self, from: usize, to: usize) -> Made {
        match to - from {
            0 => Ok(Edge::FALSE),
            1 => {
                let Element { prime, sub } = self.stack[from];
                self.and_edges(prime, sub)
            }
            count => {
                let middle = from + count / 2;
                let left = self.any_product_between(from, middle)?;
                let right = self.any_product_between(middle, to)?;
                self.or_edges(left, right)
            }
        }
    }
}
