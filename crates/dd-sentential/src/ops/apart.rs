//! Whether two functions exclude one another, without building their conjunction.
//!
//! A search for one assignment that makes both true: it ends at the first one, mostly after a path
//! down the diagrams, and makes no node.

use crate::edge::{Edge, Element};
use crate::sdd::{Sdd, Stop};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, Root};

impl Sdd {
    /// Whether nothing makes both functions true.
    pub fn are_apart(&mut self, a: &Root, b: &Root) -> Result<bool, Interrupted> {
        let (a, b) = (Edge::of(a), Edge::of(b));
        let answer = self.run(|sdd| Ok(Edge::constant(sdd.are_apart_edges(a, b)?)))?;
        Ok(Edge::of(&answer) == Edge::TRUE)
    }

    pub(crate) fn are_apart_edges(&mut self, a: Edge, b: Edge) -> Result<bool, Stop> {
        // Terminal cases.
        if a == Edge::FALSE || b == Edge::FALSE || a == !b {
            return Ok(true);
        }
        // SDD-K5: regular ones are both true where all variables are.
        if a == b || a == Edge::TRUE || b == Edge::TRUE || a.is_regular() && b.is_regular() {
            return Ok(false);
        }
        let (place_a, place_b) = (self.place(a), self.place(b));
        let (v, above, below) = if self.vtree.contains(place_a, place_b) {
            (place_a, a, b)
        } else if self.vtree.contains(place_b, place_a) {
            (place_b, b, a)
        } else {
            return Ok(false);
        };

        // Normalise: the relation is symmetric. Recall.
        let key = Key::new(self.operations.apart, 0, a.min(b).word(), a.max(b).word());
        if let Some(known) = self.recall(key) {
            return Ok(known == Edge::TRUE);
        }
        self.step()?;

        // Split and recurse.
        let answer = if self.has_two[v as usize] {
            let ((a1, a0), (b1, b0)) = (self.cofactors(a, v), self.cofactors(b, v));
            self.are_apart_edges(a1, b1)? && self.are_apart_edges(a0, b0)?
        } else {
            let mark = self.stack.len();
            self.push_elements(above, v);
            let second = self.stack.len();
            self.push_elements(below, v);
            let answer = self.are_elements_apart(mark, second)?;
            self.stack.truncate(mark);
            answer
        };

        // Remember.
        self.remember(key, Edge::constant(answer));
        Ok(answer)
    }

    /// The same of functions whose elements are on the stack, those of the second one up to its end.
    fn are_elements_apart(&mut self, first: usize, second: usize) -> Result<bool, Stop> {
        let end = self.stack.len();
        for i in first..second {
            let Element { prime: p, sub: s } = self.stack[i];
            if s == Edge::FALSE {
                continue;
            }
            for j in second..end {
                let Element { prime: q, sub: t } = self.stack[j];
                self.step()?;
                if t != Edge::FALSE && !self.are_apart_edges(p, q)? && !self.are_apart_edges(s, t)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
