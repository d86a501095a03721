//! Simplifying a function where only some arguments matter: the *restrict* of O. Coudert and J.-C.
//! Madre (ICCAD 1990).

use crate::bdd::{Bdd, Made};
use crate::node::Edge;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, Root};

impl Bdd {
    /// A function, often smaller, that agrees with `a` wherever `care` is true; elsewhere it is
    /// what makes it small. It depends on no variable that `a` does not depend on.
    pub fn simplify(&mut self, a: &Root, care: &Root) -> Result<Root, Interrupted> {
        let (f, c) = (Edge::of(a), Edge::of(care));
        if c == Edge::FALSE {
            return Ok(self.constant(false));
        }
        self.run(&[a, care], |bdd| bdd.simplify_edges(f, c))
    }

    /// `care` is not *false*.
    fn simplify_edges(&mut self, f: Edge, care: Edge) -> Made {
        // Terminal cases.
        if f.is_terminal() || care == Edge::TRUE {
            return Ok(f);
        }
        if f == care {
            return Ok(Edge::TRUE);
        }
        if f == !care {
            return Ok(Edge::FALSE);
        }

        // Normalise: signs pass through.
        let sign = f.sign();
        let f = f.unsigned();

        // Recall.
        let key = Key::new(self.operations.simplify, 0, f.word(), care.word());
        if let Some(known) = self.recall(key) {
            return Ok(known.signed(sign));
        }
        self.step()?;

        // Split and recurse. Variables that the function does not depend on leave the care set.
        let (level, care_level) = (self.level(f), self.level(care));
        let answer = if care_level > level {
            let (c0, c1) = self.cofactors(care, care_level);
            let either = self.or_edges(c0, c1)?;
            self.push(either);
            let answer = self.simplify_edges(f, either)?;
            self.pop(1);
            answer
        } else {
            let (f0, f1) = self.cofactors(f, level);
            let (c0, c1) = self.cofactors(care, level);
            if c0 == Edge::FALSE {
                self.simplify_edges(f1, c1)?
            } else if c1 == Edge::FALSE {
                self.simplify_edges(f0, c0)?
            } else {
                let low = self.simplify_edges(f0, c0)?;
                self.push(low);
                let high = self.simplify_edges(f1, c1)?;
                self.pop(1);
                self.mk(level, low, high)?
            }
        };

        // Remember.
        self.remember(key, answer);
        Ok(answer.signed(sign))
    }
}
