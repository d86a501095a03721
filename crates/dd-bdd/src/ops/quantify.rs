//! Quantifiers, alone and together with a conjunction.

use crate::bdd::{Answer, Answered, Bdd, Made};
use crate::node::Edge;
use crate::variables::VariableSet;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Key, Root};

impl Bdd {
    /// True where some values of the variables of `set` make `a` true.
    pub fn exists(&mut self, a: &Root, set: VariableSet) -> Result<Root, Interrupted> {
        let f = Edge::of(a);
        self.run(&[a], |bdd| bdd.exists_edge(f, set))
    }

    /// True where all values of the variables of `set` make `a` true.
    pub fn forall(&mut self, a: &Root, set: VariableSet) -> Result<Root, Interrupted> {
        let f = Edge::of(a);
        self.run(&[a], |bdd| Ok(!bdd.exists_edge(!f, set)?))
    }

    /// `exists(and(a, b), set)`, without building the conjunction.
    pub fn and_exists(&mut self, a: &Root, b: &Root, set: VariableSet) -> Result<Root, Interrupted> {
        let (f, g) = (Edge::of(a), Edge::of(b));
        self.run(&[a, b], |bdd| bdd.and_exists_edges(f, g, set))
    }

    /// [`Bdd::and_exists`], or nothing if that takes more than `most_nodes` nodes. Stops early when
    /// it becomes large.
    pub fn and_exists_within(
        &mut self,
        a: &Root,
        b: &Root,
        set: VariableSet,
        most_nodes: usize,
    ) -> Result<Option<Root>, Interrupted> {
        let (f, g) = (Edge::of(a), Edge::of(b));
        self.within(&[a, b], most_nodes, |bdd| bdd.and_exists_edges(f, g, set))
    }

    /// The answers below a node as one answer: `low` or `high` where its variable is quantified,
    /// what `build` makes of the two where it is not. All recursions that quantify end so; if *low*
    /// is true everywhere, `high` is not asked.
    #[inline(always)]
    pub(crate) fn combine(
        &mut self,
        is_quantified: bool,
        low: impl FnOnce(&mut Bdd) -> Answered,
        high: impl FnOnce(&mut Bdd) -> Answered,
        build: impl FnOnce(&mut Bdd, Answer, Answer) -> Answered,
    ) -> Answered {
        let low = low(self)?;
        if is_quantified && low.edge == Edge::TRUE {
            return Ok(low);
        }
        self.push(low.edge);
        let high = high(self)?;
        self.push(high.edge);
        let answer = if is_quantified {
            let neither = self.and_answer(!low.edge, !high.edge)?;
            Answer { edge: !neither.edge, ..neither }
        } else {
            build(self, low, high)?
        };
        self.pop(2);
        Ok(answer)
    }

    pub(crate) fn exists_edge(&mut self, f: Edge, set: VariableSet) -> Made {
        Ok(self.exists_answer(f, set)?.edge)
    }

    fn exists_answer(&mut self, f: Edge, set: VariableSet) -> Answered {
        // Terminal cases: nothing of the set is left.
        let level = self.level(f);
        if level < self.register.set_by_level(set).lowest {
            return Ok(Answer::old(f));
        }

        // Recall.
        let key = Key::new(self.operations.exists, set.0, f.word(), 0);
        if let Some(known) = self.recall(key) {
            return Ok(Answer::old(known));
        }
        self.step()?;

        // Split and recurse.
        let (f0, f1) = self.cofactors(f, level);
        let is_quantified = self.register.set_by_level(set).has(level);
        let answer = self.combine(
            is_quantified,
            |bdd| bdd.exists_answer(f0, set),
            |bdd| bdd.exists_answer(f1, set),
            |bdd, low, high| bdd.mk_above(level, low, high),
        )?;

        // Remember.
        self.remember(key, answer.edge);
        Ok(answer)
    }

    #[inline]
    pub(crate) fn and_exists_edges(&mut self, a: Edge, b: Edge, set: VariableSet) -> Made {
        let begun = self.and_exists_begin(a, b, set);
        Ok(self.and_exists_go_on(begun, set)?.edge)
    }

    #[inline]
    fn and_exists_go_on(&mut self, begun: Begun, set: VariableSet) -> Answered {
        match begun {
            Begun::Known(answer) => Ok(Answer::old(answer)),
            Begun::Exists(f) => self.exists_answer(f, set),
            Begun::And(a, b) => self.and_answer(a, b),
            Begun::Open(question) => self.and_exists_compute(question, set),
        }
    }

    #[inline(always)]
    fn and_exists_begin(&mut self, mut a: Edge, mut b: Edge, set: VariableSet) -> Begun {
        loop {
            // Terminal cases.
            if a == Edge::FALSE || b == Edge::FALSE || a == !b {
                return Begun::Known(Edge::FALSE);
            }
            if a == Edge::TRUE || a == b {
                return Begun::Exists(b);
            }
            if b == Edge::TRUE {
                return Begun::Exists(a);
            }
            let level = self.level(a).max(self.level(b));
            if level < self.register.set_by_level(set).lowest {
                return Begun::And(a, b);
            }

            // Split. Where one half of a quantified variable is false, the answer is that of the
            // other half, and to go there costs less than to ask the cache first: events of nets
            // have such a variable on most of their levels.
            let (a0, a1) = self.cofactors(a, level);
            let (b0, b1) = self.cofactors(b, level);
            let is_quantified = self.register.set_by_level(set).has(level);
            if is_quantified && (a1 == Edge::FALSE || b1 == Edge::FALSE) {
                (a, b) = (a0, b0);
                continue;
            }
            if is_quantified && (a0 == Edge::FALSE || b0 == Edge::FALSE) {
                (a, b) = (a1, b1);
                continue;
            }

            // Normalise: conjunction commutes. Recall.
            let key = Key::new(self.operations.and_exists, set.0, a.min(b).word(), a.max(b).word());
            return match self.recall(key) {
                Some(known) => Begun::Known(known),
                None => Begun::Open(Question { low: (a0, b0), high: (a1, b1), level, is_quantified, key }),
            };
        }
    }

    fn and_exists_compute(&mut self, question: Question, set: VariableSet) -> Answered {
        let Question { low: (a0, b0), high: (a1, b1), level, is_quantified, key } = question;
        self.step()?;

        // Recurse; both halves are begun first, as in `apply.rs`. What the cache knew may be rooted
        // nowhere else (BDD-K6).
        let (low, high) = (self.and_exists_begin(a0, b0, set), self.and_exists_begin(a1, b1, set));
        let height = self.scratch.height();
        if let Begun::Known(high) = high {
            self.push(high);
        }
        let answer = self.combine(
            is_quantified,
            |bdd| bdd.and_exists_go_on(low, set),
            // The low half may have come across it.
            |bdd| match high {
                Begun::Open(question) => match bdd.recall_again(question.key) {
                    Some(known) => Ok(Answer::old(known)),
                    None => bdd.and_exists_compute(question, set),
                },
                _ => bdd.and_exists_go_on(high, set),
            },
            |bdd, low, high| bdd.mk_above(level, low, high),
        )?;
        self.scratch.truncate(height);

        // Remember.
        self.remember(key, answer.edge);
        Ok(answer)
    }
}

/// How [`Bdd::and_exists`] goes on after terminal cases and cache.
enum Begun {
    Known(Edge),
    /// As a quantification: one of the functions is true, or both are the same.
    Exists(Edge),
    /// As a conjunction: nothing is left to quantify.
    And(Edge, Edge),
    Open(Question),
}

/// What the cache could not answer.
struct Question {
    low: (Edge, Edge),
    high: (Edge, Edge),
    level: u32,
    is_quantified: bool,
    key: Key,
}
