//! Binary operators: the lecture's `Apply`, with its cache `G`.
//!
//! Two recursions serve all of them, and differ in how they begin. Negation is free, so *or* and
//! *implies* are conjunctions with signs, and *iff* is the negation of *xor*, which lets all signs
//! through to its answer.
//!
//! A call asks the cache about both halves before it computes one: most of the time goes into
//! waiting for lines of the cache and of the unique tables, and the processor waits for two lines
//! at once as long as for one.

use crate::bdd::{Answer, Answered, Bdd, Made};
use crate::node::Edge;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, Operation, Root};

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

/// How the recursion over two functions begins.
trait Begin {
    /// Terminal cases, normalisation, cache.
    fn begin(bdd: &mut Bdd, a: Edge, b: Edge) -> Begun;
}

enum Begun {
    Known(Edge),
    Open(Question),
}

/// What the cache could not answer. The terminal, or one function with itself, is never asked for.
struct Question {
    a: Edge,
    b: Edge,
    key: Key,
    /// 1 if the answer is to be negated.
    sign: u32,
}

struct And;
struct Xor;

impl Begin for And {
    #[inline(always)]
    fn begin(bdd: &mut Bdd, a: Edge, b: Edge) -> Begun {
        // Terminal cases.
        if a == b || b == Edge::TRUE {
            return Begun::Known(a);
        }
        if a == Edge::TRUE {
            return Begun::Known(b);
        }
        if a == Edge::FALSE || b == Edge::FALSE || a == !b {
            return Begun::Known(Edge::FALSE);
        }

        // Normalise: conjunction commutes.
        let (a, b) = (a.min(b), a.max(b));
        bdd.look_up(bdd.operations.and, a, b, 0)
    }
}

impl Begin for Xor {
    #[inline(always)]
    fn begin(bdd: &mut Bdd, a: Edge, b: Edge) -> Begun {
        // Normalise: it commutes, and signs pass through.
        let sign = a.sign() ^ b.sign();
        let (a, b) = (a.unsigned(), b.unsigned());
        let (a, b) = (a.min(b), a.max(b));

        // Terminal cases; without signs, the terminal is FALSE and the smallest of all.
        if a == b {
            return Begun::Known(Edge::FALSE.signed(sign));
        }
        if a == Edge::FALSE {
            return Begun::Known(b.signed(sign));
        }
        bdd.look_up(bdd.operations.xor, a, b, sign)
    }
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

    /// True where both are, or nothing if that takes more than `most_nodes` nodes. Stops early when
    /// it becomes large.
    pub fn and_within(&mut self, a: &Root, b: &Root, most_nodes: usize) -> Result<Option<Root>, Interrupted> {
        let (f, g) = (Edge::of(a), Edge::of(b));
        self.within(&[a, b], most_nodes, |bdd| bdd.and_edges(f, g))
    }

    /// The answer of an operation, if it has at most `most_nodes` nodes. Intermediate answers may
    /// have a few times as many.
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
        Ok(self.and_answer(a, b)?.edge)
    }

    #[inline]
    pub(crate) fn and_answer(&mut self, a: Edge, b: Edge) -> Answered {
        self.pairwise::<And>(a, b)
    }

    #[inline]
    pub(crate) fn or_edges(&mut self, a: Edge, b: Edge) -> Made {
        Ok(!self.and_edges(!a, !b)?)
    }

    pub(crate) fn xor_edges(&mut self, a: Edge, b: Edge) -> Made {
        Ok(self.pairwise::<Xor>(a, b)?.edge)
    }

    #[inline]
    fn pairwise<B: Begin>(&mut self, a: Edge, b: Edge) -> Answered {
        match B::begin(self, a, b) {
            Begun::Known(answer) => Ok(Answer::old(answer)),
            Begun::Open(question) => self.compute::<B>(question),
        }
    }

    #[inline(always)]
    fn look_up(&mut self, operation: Operation, a: Edge, b: Edge, sign: u32) -> Begun {
        let key = Key::new(operation, 0, a.word(), b.word());
        match self.recall(key) {
            Some(known) => Begun::Known(known.signed(sign)),
            None => Begun::Open(Question { a, b, key, sign }),
        }
    }

    fn compute<B: Begin>(&mut self, Question { a, b, key, sign }: Question) -> Answered {
        self.step()?;

        // Split.
        let level = self.level(a).max(self.level(b));
        let (a0, a1) = self.cofactors(a, level);
        let (b0, b1) = self.cofactors(b, level);
        let (low, high) = (B::begin(self, a0, b0), B::begin(self, a1, b1));

        // Recurse. What the cache knew may be rooted nowhere else (BDD-K6).
        let height = self.scratch.height();
        if let Begun::Known(high) = high {
            self.push(high);
        }
        let low = match low {
            Begun::Known(low) => Answer::old(low),
            Begun::Open(question) => self.compute::<B>(question)?,
        };
        self.push(low.edge);
        let high = match high {
            Begun::Known(high) => Answer::old(high),
            // The low half may have come across it.
            Begun::Open(question) => match self.recall_again(question.key) {
                Some(known) => Answer::old(known.signed(question.sign)),
                None => self.compute::<B>(question)?,
            },
        };
        self.scratch.truncate(height);

        // Build and remember.
        let answer = self.mk_above(level, low, high)?;
        self.remember(key, answer.edge);
        Ok(Answer { edge: answer.edge.signed(sign), ..answer })
    }
}
