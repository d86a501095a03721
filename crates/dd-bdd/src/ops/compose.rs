//! Putting a function in the place of a variable.

use crate::Variable;
use crate::bdd::{Bdd, Made};
use crate::node::Edge;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, Root};

impl Bdd {
    /// `a`, where `variable` has the value of `b`.
    pub fn compose(&mut self, a: &Root, variable: Variable, b: &Root) -> Result<Root, Interrupted> {
        let (f, g) = (Edge::of(a), Edge::of(b));
        assert!(variable.0 <= Key::LARGEST_SMALL, "the variable fits into a key");
        self.run(&[a, b], |bdd| bdd.compose_edges(f, variable, g))
    }

    fn compose_edges(&mut self, f: Edge, variable: Variable, g: Edge) -> Made {
        // Terminal cases.
        let (level, place) = (self.level(f), self.order.level(variable));
        if level < place {
            return Ok(f);
        }
        if level == place {
            let (low, high) = self.cofactors(f, level);
            return self.ite_edges(g, high, low);
        }

        // Normalise: signs pass through.
        let sign = f.sign();
        let f = f.unsigned();

        // Recall.
        let key = Key::new(self.operations.compose, variable.0, f.word(), g.word());
        if let Some(known) = self.recall(key) {
            return Ok(known.signed(sign));
        }
        self.step()?;

        // Split and recurse.
        let (f0, f1) = self.cofactors(f, level);
        let low = self.compose_edges(f0, variable, g)?;
        self.push(low);
        let high = self.compose_edges(f1, variable, g)?;
        self.pop(1);

        // Build and remember.
        let answer = self.join(level, low, high)?;
        self.remember(key, answer);
        Ok(answer.signed(sign))
    }
}
