//! Simplifying a function that only matters in places.

use crate::edge::{Edge, Element};
use crate::sdd::{Made, Sdd};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, Root};

impl Sdd {
    /// Some function that is `a` where `care` holds: often one with a smaller diagram. It depends on
    /// no other variables.
    pub fn simplify(&mut self, a: &Root, care: &Root) -> Result<Root, Interrupted> {
        let (f, c) = (Edge::of(a), Edge::of(care));
        let simpler = self.run(|sdd| sdd.simplify_edge(f, c))?;
        Ok(if self.node_count([&simpler]) <= self.node_count([a]) { simpler } else { a.clone() })
    }

    /// Something that is `f` where `care` holds.
    fn simplify_edge(&mut self, f: Edge, care: Edge) -> Made {
        // Terminal cases.
        if f.is_constant() || care.is_constant() {
            return Ok(f);
        }
        if self.are_apart_edges(f, care)? {
            return Ok(Edge::FALSE);
        }
        if self.are_apart_edges(!f, care)? {
            return Ok(Edge::TRUE);
        }
        let (v, place) = (self.place(f), self.place(care));
        if self.vtree.is_leaf(v) || !self.vtree.contains(v, place) && !self.vtree.contains(place, v) {
            return Ok(f);
        }

        // Recall.
        let key = Key::new(self.operations.simplify, 0, f.word(), care.word());
        if let Some(known) = self.recall(key) {
            return Ok(known);
        }
        self.step()?;

        // What lies above the function, and what lies on the other side of a node, is quantified
        // away: the answer depends on the variables of the function alone.
        let answer = if v != place && self.vtree.contains(place, v) {
            let care = self.cares_below(care, v)?;
            self.simplify_edge(f, care)?
        } else if self.has_two[v as usize] {
            let ((f1, f0), (c1, c0)) = (self.cofactors(f, v), self.cofactors(care, v));
            if c1 == Edge::FALSE {
                self.simplify_edge(f0, c0)?
            } else if c0 == Edge::FALSE {
                self.simplify_edge(f1, c1)?
            } else {
                let high = self.simplify_edge(f1, c1)?;
                let low = self.simplify_edge(f0, c0)?;
                self.make_two(v, high, low)?
            }
        } else {
            self.simplify_elements(v, f, care)?
        };

        // Remember.
        self.remember(key, answer);
        Ok(answer)
    }

    fn simplify_elements(&mut self, v: u32, f: Edge, care: Edge) -> Made {
        let mark = self.stack.len();
        self.push_elements(f, v);
        let second = self.stack.len();
        self.push_elements(care, v);
        let end = self.stack.len();
        // Primes that nothing cares for go with any other sub.
        let mut open = Edge::FALSE;
        for i in mark..second {
            let Element { prime: p, sub: s } = self.stack[i];
            let mut care = Edge::FALSE;
            for j in second..end {
                let Element { prime: q, sub: t } = self.stack[j];
                self.step()?;
                if t != Edge::FALSE && !self.are_apart_edges(p, q)? {
                    care = self.or_edges(care, t)?;
                }
            }
            if care == Edge::FALSE {
                open = self.or_edges(open, p)?;
            } else {
                let sub = self.simplify_edge(s, care)?;
                self.stack.push(Element::new(p, sub));
            }
        }
        if open != Edge::FALSE {
            // Something is cared for, or a terminal case had the answer.
            let sub = self.stack[self.stack.len() - 1].sub;
            self.stack.push(Element::new(open, sub));
        }
        self.compress(end)?;
        let answer = self.make(v, end)?;
        self.stack.truncate(mark);
        Ok(answer)
    }

    /// What a function of variables around `v` cares for, of those below `v` alone.
    fn cares_below(&mut self, mut care: Edge, v: u32) -> Made {
        while !care.is_constant() && self.place(care) != v {
            let place = self.place(care);
            if !self.vtree.contains(place, v) {
                return if self.vtree.contains(v, place) { Ok(care) } else { Ok(Edge::TRUE) };
            }
            if self.has_two[place as usize] {
                let (high, low) = self.cofactors(care, place);
                care = self.or_edges(high, low)?;
                continue;
            }
            let is_left = self.vtree.contains(self.vtree.node(place).left, v);
            let mark = self.stack.len();
            self.push_elements(care, place);
            let mut some = Edge::FALSE;
            for place in mark..self.stack.len() {
                let Element { prime, sub } = self.stack[place];
                self.step()?;
                if sub != Edge::FALSE {
                    some = self.or_edges(some, if is_left { prime } else { sub })?;
                }
            }
            self.stack.truncate(mark);
            care = some;
        }
        Ok(care)
    }
}
