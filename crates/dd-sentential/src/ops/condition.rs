//! Fixing a variable.

use crate::edge::Edge;
use crate::sdd::{Made, Sdd};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, Root, Variable};

impl Sdd {
    /// The function where these variables have the given values; it does not depend on them.
    pub fn condition(&mut self, a: &Root, literals: &[(Variable, bool)]) -> Result<Root, Interrupted> {
        let a = Edge::of(a);
        self.run(|sdd| {
            literals.iter().try_fold(a, |f, &(variable, value)| sdd.condition_edge(f, variable, value))
        })
    }

    pub(crate) fn condition_edge(&mut self, f: Edge, variable: Variable, value: bool) -> Made {
        // Terminal cases.
        if f.is_constant() {
            return Ok(f);
        }
        let v = self.place(f);
        if !self.vtree.contains(v, variable.0) {
            return Ok(f);
        }
        if v == variable.0 {
            return Ok(Edge::constant(f.is_regular() == value));
        }

        // Normalise: the negation has the negated answer. Recall.
        let negated = !f.is_regular();
        let f = f.regular();
        let key = Key::new(self.operations.condition, variable.0 << 1 | u32::from(value), f.word(), 0);
        if let Some(known) = self.recall(key) {
            return Ok(known.flipped(negated));
        }
        self.step()?;

        // Split, recurse, build.
        let left = self.vtree.node(v).left;
        let answer = if self.has_two[v as usize] {
            let (high, low) = self.cofactors(f, v);
            if left == variable.0 {
                if value { high } else { low }
            } else {
                let high = self.condition_edge(high, variable, value)?;
                let low = self.condition_edge(low, variable, value)?;
                self.make_two(v, high, low)?
            }
        } else {
            let mark = self.stack.len();
            self.push_elements(f, v);
            let end = self.stack.len();
            let is_left = self.vtree.contains(left, variable.0);
            for place in mark..end {
                let mut element = self.stack[place];
                if is_left {
                    element.prime = self.condition_edge(element.prime, variable, value)?;
                    if element.prime == Edge::FALSE {
                        continue;
                    }
                } else {
                    element.sub = self.condition_edge(element.sub, variable, value)?;
                }
                self.stack.push(element);
            }
            if !is_left {
                self.compress(end)?;
            }
            let answer = self.make(v, end)?;
            self.stack.truncate(mark);
            answer
        };

        // Remember.
        self.remember(key, answer);
        Ok(answer.flipped(negated))
    }
}
