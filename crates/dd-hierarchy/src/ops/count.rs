//! Exact counting: sequences, and pairs (sequence, enabled event).
//!
//! Both walk the diagram once, children before parents, without recursion, and give a number up as soon as
//! the last of those who need it has taken it: a number of 500 000 digits a node would not fit otherwise.

use crate::hierarchy::{Form, Hierarchy};
use crate::relation::{On, RelationId};
use num_bigint::BigUint;
use num_traits::One;
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

/// What is counted at a node: pairs (sequence, event of the relation). For the identity that is the number
/// of sequences.
type Question = (RelationId, NodeId);

/// One summand of an answer: a factor, and one or two questions whose answers are multiplied.
struct Summand {
    factor: u32,
    first: Option<Question>,
    rest: Question,
}

impl Hierarchy {
    /// The number of sequences in a set; of a set that is not well defined, `None`.
    pub fn count(&self, set: NodeId) -> Result<Option<BigUint>, Interrupted> {
        if !self.is_well_defined(set) {
            return Ok(None);
        }
        let budget = self.manager.meter().budget();
        self.count_pairs(RelationId::IDENTITY, set, || budget.check()).map(Some)
    }

    /// The number of sequences in a set, without asking the budget: for telling how far an interrupted operation
    /// got. `None` if that would take long, or if the set is not well defined.
    pub fn count_if_small(&self, set: NodeId) -> Option<BigUint> {
        const MOST_LOOKS: u32 = 20_000;
        let looks = std::cell::Cell::new(0);
        let look = || {
            looks.set(looks.get() + 1);
            if looks.get() > MOST_LOOKS { Err(Interrupted::Steps) } else { Ok(()) }
        };
        self.is_well_defined(set).then(|| self.count_pairs(RelationId::IDENTITY, set, look).ok())?
    }

    /// The number of pairs (sequence of `set`, event of `relation` enabled in it); equal events count separately (R2).
    pub fn count_edges(&mut self, relation: RelationId, set: NodeId) -> Result<Option<BigUint>, Interrupted> {
        if !self.is_well_defined(set) {
            return Ok(None);
        }
        let guard = self.guard(relation)?;
        let budget = self.manager.meter().budget();
        self.count_pairs(guard, set, || budget.check()).map(Some)
    }

    /// The answer to a question about a test. Looks up now and then, whether to go on.
    fn count_pairs(
        &self,
        test: RelationId,
        set: NodeId,
        look: impl Fn() -> Result<(), Interrupted>,
    ) -> Result<BigUint, Interrupted> {
        // Children before parents, and how often each answer is needed.
        let mut order: Vec<Question> = Vec::new();
        let mut needed: FxHashMap<Question, usize> = FxHashMap::default();
        let mut waiting = vec![((test, set), false)];
        while let Some((question, is_open)) = waiting.pop() {
            if is_open {
                order.push(question);
                continue;
            }
            let times = needed.entry(question).or_insert(0);
            *times += 1;
            if *times > 1 || question.1.is_terminal() {
                continue;
            }
            look()?;
            waiting.push((question, true));
            for summand in self.summands(question) {
                waiting.extend(summand.first.map(|first| (first, false)));
                waiting.push((summand.rest, false));
            }
        }

        let mut answers: FxHashMap<Question, BigUint> = FxHashMap::default();
        let mut take = |question: Question, answers: &mut FxHashMap<Question, BigUint>| -> BigUint {
            if question.1.is_terminal() {
                // The empty sequence; a test with pairs does not reach it in a set that fits.
                let times = if question.1.is_empty() { 0 } else { self.relations.identity(question.0) };
                return BigUint::from(times);
            }
            let left = needed.get_mut(&question).expect("every answer that is taken was counted");
            *left -= 1;
            if *left == 0 { answers.remove(&question) } else { answers.get(&question).cloned() }
                .expect("children are answered before parents")
        };
        for &question in &order {
            look()?;
            let mut sum = BigUint::ZERO;
            for summand in self.summands(question) {
                let mut product = take(summand.rest, &mut answers);
                if let Some(first) = summand.first {
                    let first = take(first, &mut answers);
                    product = if first.is_one() { product } else { product * first };
                }
                sum += if summand.factor == 1 { product } else { product * summand.factor };
            }
            answers.insert(question, sum);
        }
        Ok(take((test, set), &mut answers))
    }

    /// What an answer is the sum of.
    fn summands(&self, (test, node): Question) -> Vec<Summand> {
        let mut summands = Vec::new();
        let factor = self.relations.identity(test);
        // The identity more than once, or beside pairs, asks for sequences so many times.
        let (identity, split) = match (test, factor) {
            (RelationId::IDENTITY, _) => (1, false),
            _ => (factor, true),
        };
        if split && identity > 0 {
            summands.push(Summand { factor: identity, first: None, rest: (RelationId::IDENTITY, node) });
        }
        let pairs = self.relations.pair_count(test);
        match self.form(node) {
            Form::Leaf(view) => {
                for position in 0..view.length {
                    let (code, child) = self.leaf_arc(&view, position);
                    if !split {
                        summands.push(Summand { factor: 1, first: None, rest: (test, child) });
                    }
                    let value = self.values.value(code);
                    for pair in 0..pairs {
                        let (first, rest) = self.relations.pair(test, pair);
                        let targets = self.relations.action(first).targets(value);
                        if targets.first < targets.end {
                            summands.push(Summand { factor: 1, first: None, rest: (rest, child) });
                        }
                    }
                }
            }
            Form::Set(view) => {
                debug_assert!(self.relations.on(test) != On::Value || pairs == 0);
                for position in 0..view.length {
                    let (label, child) = self.set_arc(&view, position);
                    if !split {
                        let first = Some((RelationId::IDENTITY, label));
                        summands.push(Summand { factor: 1, first, rest: (test, child) });
                    }
                    for pair in 0..pairs {
                        let (first, rest) = self.relations.pair(test, pair);
                        let first = Some((RelationId(first), label));
                        summands.push(Summand { factor: 1, first, rest: (rest, child) });
                    }
                }
            }
            Form::Empty | Form::One | Form::Undefined => {}
        }
        summands
    }
}
