//! Binary operators: the lecture's `Apply`, with its cache `G`.
//!
//! Two recursions serve all of them. Negation is free, so *or* and *implies* are conjunctions with signs, and *iff* is the
//! negation of *xor*, which lets all signs through to its answer.

use crate::bdd::{Bdd, Made};
use crate::node::Edge;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, Root};

/// A binary operator on functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// Both.
    And,
    /// At least one.
    Or,
    /// Exactly one.
    Xor,
    /// Both or none.
    Iff,
    /// The second, wherever the first.
    Implies,
    /// The first without the second.
    Minus,
}

impl Bdd {
    /// *False* or *true*.
    pub fn constant(&mut self, value: bool) -> Root {
        self.hand_out(if value { Edge::TRUE } else { Edge::FALSE })
    }

    /// The function that is what the variable is.
    pub fn variable(&mut self, variable: crate::Variable) -> Result<Root, Interrupted> {
        self.run(&[], |bdd| bdd.variable_at(bdd.order.level(variable)))
    }

    /// The negation: no node is made or looked at.
    pub fn not(&mut self, a: &Root) -> Root {
        self.hand_out(!Edge::of(a))
    }

    /// The function `a operator b`.
    pub fn apply(&mut self, operator: Operator, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        let (f, g) = (Edge::of(a), Edge::of(b));
        self.run(&[a, b], |bdd| match operator {
            Operator::And => bdd.and_edges(f, g),
            Operator::Or => bdd.or_edges(f, g),
            Operator::Xor => bdd.xor_edges(f, g),
            Operator::Iff => bdd.xor_edges(!f, g),
            Operator::Implies => bdd.or_edges(!f, g),
            Operator::Minus => bdd.and_edges(f, !g),
        })
    }

    /// True where both are.
    pub fn and(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        self.apply(Operator::And, a, b)
    }

    /// True where at least one is.
    pub fn or(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        self.apply(Operator::Or, a, b)
    }

    /// True where exactly one is.
    pub fn xor(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        self.apply(Operator::Xor, a, b)
    }

    /// True where they agree.
    pub fn iff(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        self.apply(Operator::Iff, a, b)
    }

    /// True where `b` is or `a` is not.
    pub fn implies(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        self.apply(Operator::Implies, a, b)
    }

    /// True where `a` is and `b` is not: the difference of sets.
    pub fn minus(&mut self, a: &Root, b: &Root) -> Result<Root, Interrupted> {
        self.apply(Operator::Minus, a, b)
    }

    /// True where both are, or nothing if that takes more than `most_nodes` nodes. Stops early when it becomes large.
    pub fn and_within(&mut self, a: &Root, b: &Root, most_nodes: usize) -> Result<Option<Root>, Interrupted> {
        let (f, g) = (Edge::of(a), Edge::of(b));
        self.within(&[a, b], most_nodes, |bdd| bdd.and_edges(f, g))
    }

    /// The answer of an operation, if it has at most `most_nodes` nodes. Intermediate answers may have a few times as many.
    pub(crate) fn within(
        &mut self,
        operands: &[&Root],
        most_nodes: usize,
        operation: impl Fn(&mut Bdd) -> Made,
    ) -> Result<Option<Root>, Interrupted> {
        self.created_limit = self.created_nodes.saturating_add((most_nodes as u64).saturating_mul(4));
        let answer = self.attempt(operands, operation);
        self.created_limit = u64::MAX;
        Ok(answer?.filter(|root| !self.has_more_nodes(root, most_nodes)))
    }

    pub(crate) fn and_edges(&mut self, a: Edge, b: Edge) -> Made {
        // Terminal cases.
        if a == b || b == Edge::TRUE {
            return Ok(a);
        }
        if a == Edge::TRUE {
            return Ok(b);
        }
        if a == Edge::FALSE || b == Edge::FALSE || a == !b {
            return Ok(Edge::FALSE);
        }

        // Normalise: conjunction commutes.
        let (a, b) = (a.min(b), a.max(b));

        // Recall.
        let key = Key::new(self.operations.and, 0, a.word(), b.word());
        if let Some(known) = self.recall(key) {
            return Ok(known);
        }
        self.step()?;

        // Split and recurse.
        let level = self.level(a).max(self.level(b));
        let (a0, a1) = self.cofactors(a, level);
        let (b0, b1) = self.cofactors(b, level);
        let low = self.and_edges(a0, b0)?;
        self.push(low);
        let high = self.and_edges(a1, b1)?;
        self.pop(1);

        // Build and remember.
        let answer = self.mk(level, low, high)?;
        self.remember(key, answer);
        Ok(answer)
    }

    #[inline]
    pub(crate) fn or_edges(&mut self, a: Edge, b: Edge) -> Made {
        Ok(!self.and_edges(!a, !b)?)
    }

    pub(crate) fn xor_edges(&mut self, a: Edge, b: Edge) -> Made {
        // Normalise: it commutes, and signs pass through.
        let sign = a.sign() ^ b.sign();
        let (a, b) = (a.unsigned(), b.unsigned());
        let (a, b) = (a.min(b), a.max(b));

        // Terminal cases; without signs, the terminal is FALSE and the smallest of all.
        if a == b {
            return Ok(Edge::FALSE.signed(sign));
        }
        if a == Edge::FALSE {
            return Ok(b.signed(sign));
        }

        // Recall.
        let key = Key::new(self.operations.xor, 0, a.word(), b.word());
        if let Some(known) = self.recall(key) {
            return Ok(known.signed(sign));
        }
        self.step()?;

        // Split and recurse.
        let level = self.level(a).max(self.level(b));
        let (a0, a1) = self.cofactors(a, level);
        let (b0, b1) = self.cofactors(b, level);
        let low = self.xor_edges(a0, b0)?;
        self.push(low);
        let high = self.xor_edges(a1, b1)?;
        self.pop(1);

        // Build and remember.
        let answer = self.mk(level, low, high)?;
        self.remember(key, answer);
        Ok(answer.signed(sign))
    }
}
