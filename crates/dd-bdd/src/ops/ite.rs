//! If-then-else.

use crate::bdd::{Bdd, Made};
use crate::node::Edge;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, Root};

impl Bdd {
    /// The function that is `then` where `condition` is true, and `otherwise` elsewhere.
    pub fn ite(&mut self, condition: &Root, then: &Root, otherwise: &Root) -> Result<Root, Interrupted> {
        let (f, g, h) = (Edge::of(condition), Edge::of(then), Edge::of(otherwise));
        self.run(&[condition, then, otherwise], |bdd| bdd.ite_edges(f, g, h))
    }

    pub(crate) fn ite_edges(&mut self, f: Edge, g: Edge, h: Edge) -> Made {
        // Terminal cases, and those that are binary operators.
        if f == Edge::TRUE || g == h {
            return Ok(g);
        }
        if f == Edge::FALSE {
            return Ok(h);
        }
        if g == !h {
            return self.xor_edges(f, h);
        }
        if g == Edge::TRUE || g == f {
            return self.or_edges(f, h);
        }
        if g == Edge::FALSE || g == !f {
            return self.and_edges(!f, h);
        }
        if h == Edge::TRUE || h == !f {
            return self.or_edges(!f, g);
        }
        if h == Edge::FALSE || h == f {
            return self.and_edges(f, g);
        }

        // Normalise: a signed condition exchanges the branches, a signed first branch goes to the
        // answer.
        let (f, g, h) = if f.sign() == 1 { (!f, h, g) } else { (f, g, h) };
        let sign = g.sign();
        let (g, h) = (g.signed(sign), h.signed(sign));

        // A key has room for two edges and a smaller one. The rare third operand beyond takes the
        // long way round.
        if h.word() > Key::LARGEST_SMALL {
            let then = self.and_edges(f, g)?;
            self.push(then);
            let otherwise = self.and_edges(!f, h)?;
            self.push(otherwise);
            let answer = self.or_edges(then, otherwise)?;
            self.pop(2);
            return Ok(answer.signed(sign));
        }

        // Recall.
        let key = Key::new(self.operations.ite, h.word(), f.word(), g.word());
        if let Some(known) = self.recall(key) {
            return Ok(known.signed(sign));
        }
        self.step()?;

        // Split and recurse.
        let level = self.level(f).max(self.level(g)).max(self.level(h));
        let (f0, f1) = self.cofactors(f, level);
        let (g0, g1) = self.cofactors(g, level);
        let (h0, h1) = self.cofactors(h, level);
        let low = self.ite_edges(f0, g0, h0)?;
        self.push(low);
        let high = self.ite_edges(f1, g1, h1)?;
        self.pop(1);

        // Build and remember.
        let answer = self.mk(level, low, high)?;
        self.remember(key, answer);
        Ok(answer.signed(sign))
    }
}
