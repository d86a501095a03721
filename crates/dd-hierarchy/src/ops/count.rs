//! Exact counting: sequences, and pairs (sequence, enabled event).
//!
//! Both ask the same *question*: how many pairs (sequence of a node, event of a test) are there?
//! Its answer is a sum of products of answers about children and labels. Questions are numbered and
//! their sums written down first; then numbers are computed, children before parents, without
//! recursion, and each is given up as soon as the last of those who need it has taken it: a number
//! of 500 000 digits a node would not fit otherwise.

use crate::hierarchy::relation::RelationId;
use crate::hierarchy::{Form, Hierarchy};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

/// What is counted at a node: pairs (sequence, event of the relation). For the identity that is the
/// number of sequences.
type Question = (RelationId, NodeId);

/// One summand of an answer: a factor, and one or two answers, by number, that are multiplied with
/// it.
#[derive(Clone, Copy)]
struct Summand {
    factor: u32,
    first: u32,
    rest: u32,
}

/// No answer: the factor 1.
const NOTHING: u32 = u32::MAX;
/// Counting looks at the budget once in this many questions.
const QUESTIONS_PER_LOOK: usize = 256;

impl Hierarchy {
    /// The number of sequences in a set; of a set that is not well defined, `None`.
    pub fn count(&mut self, set: NodeId) -> Result<Option<BigUint>, Interrupted> {
        if !self.is_well_defined(set) {
            return Ok(None);
        }
        let budget = self.manager.meter().budget().clone();
        self.count_pairs(RelationId::IDENTITY, set, || budget.check()).map(Some)
    }

    /// The number of sequences in a set, without asking the budget: for telling how far an
    /// interrupted operation got. `None` if that would take long, or if the set is not well
    /// defined.
    pub fn count_if_small(&mut self, set: NodeId) -> Option<BigUint> {
        const MOST_LOOKS: u32 = 200;
        let looks = std::cell::Cell::new(0);
        let look = || {
            looks.set(looks.get() + 1);
            if looks.get() > MOST_LOOKS { Err(Interrupted::Steps) } else { Ok(()) }
        };
        self.is_well_defined(set).then(|| self.count_pairs(RelationId::IDENTITY, set, look).ok())?
    }

    /// The number of pairs (sequence of `set`, event of `relation` enabled in it); equal events
    /// count separately (R2).
    pub fn count_edges(&mut self, relation: RelationId, set: NodeId) -> Result<Option<BigUint>, Interrupted> {
        if !self.is_well_defined(set) {
            return Ok(None);
        }
        let guard = self.guard(relation)?;
        let budget = self.manager.meter().budget().clone();
        self.count_pairs(guard, set, || budget.check()).map(Some)
    }

    /// The answer to a question about a test. Looks up now and then, whether to go on.
    fn count_pairs(
        &mut self,
        test: RelationId,
        set: NodeId,
        look: impl Fn() -> Result<(), Interrupted>,
    ) -> Result<BigUint, Interrupted> {
        let mut sums = Sums::default();
        sums.number((test, set))?;
        let mut next = 0;
        while next < sums.questions.len() {
            if next.is_multiple_of(QUESTIONS_PER_LOOK) {
                look()?;
            }
            sums.starts.push(sums.summands.len());
            self.write_sum(next, &mut sums)?;
            next += 1;
        }
        sums.starts.push(sums.summands.len());

        let mut needed = vec![0_u32; sums.questions.len()];
        for summand in &sums.summands {
            needed[summand.rest as usize] += 1;
            if summand.first != NOTHING {
                needed[summand.first as usize] += 1;
            }
        }
        let mut answers = vec![Natural::Small(0); sums.questions.len()];
        for (done, question) in sums.children_first().into_iter().enumerate() {
            if done.is_multiple_of(QUESTIONS_PER_LOOK) {
                look()?;
            }
            let (relation, node) = sums.questions[question as usize];
            let mut sum = Natural::Small(0);
            if node == NodeId::ONE {
                // A test with pairs does not come here in a set that it fits.
                sum = Natural::Small(self.relations.identity(relation).into());
            }
            for summand in sums.of(question) {
                let first = (summand.first != NOTHING).then(|| &answers[summand.first as usize]);
                sum.add_product(summand.factor, first, &answers[summand.rest as usize]);
                for part in [summand.first, summand.rest].into_iter().filter(|&part| part != NOTHING) {
                    needed[part as usize] -= 1;
                    if needed[part as usize] == 0 {
                        answers[part as usize] = Natural::Small(0);
                    }
                }
            }
            answers[question as usize] = sum;
        }
        Ok(std::mem::replace(&mut answers[0], Natural::Small(0)).into_big())
    }

    /// Writes down what the answer to a question is the sum of.
    fn write_sum(&mut self, question: usize, sums: &mut Sums) -> Result<(), Interrupted> {
        let (test, node) = sums.questions[question];
        let identity = self.relations.identity(test);
        let pairs = self.relations.pair_count(test);
        // The identity more than once, or beside pairs, asks for sequences more than once.
        let is_plain = test == RelationId::IDENTITY;
        if !is_plain && identity > 0 && !node.is_terminal() {
            sums.add(identity, None, (RelationId::IDENTITY, node))?;
        }
        match self.form(node) {
            Form::Leaf(view) => {
                for position in 0..view.length {
                    let (code, child) = self.leaf_arc(&view, position);
                    if is_plain {
                        sums.add(1, None, (test, child))?;
                    }
                    if pairs > 0 {
                        // A test that is passed is one step; the identity, which was counted above,
                        // is the first.
                        let row = self.row(test, code)?;
                        for step in row.first + u32::from(identity > 0)..row.end {
                            let (_, rest) = self.relations.step_at(step);
                            sums.add(1, None, (rest, child))?;
                        }
                    }
                }
            }
            Form::Set(view) => {
                for position in 0..view.length {
                    let (label, child) = self.set_arc(&view, position);
                    if is_plain {
                        sums.add(1, Some((RelationId::IDENTITY, label)), (test, child))?;
                    }
                    for pair in 0..pairs {
                        let (first, rest) = self.relations.pair(test, pair);
                        sums.add(1, Some((RelationId(first), label)), (rest, child))?;
                    }
                }
            }
            Form::Empty | Form::One | Form::Undefined => {}
        }
        Ok(())
    }
}

/// Questions by number, and what each answer is the sum of.
#[derive(Default)]
struct Sums {
    questions: Vec<Question>,
    numbers: FxHashMap<Question, u32>,
    summands: Vec<Summand>,
    /// Where the summands of each question begin.
    starts: Vec<usize>,
}

impl Sums {
    fn number(&mut self, question: Question) -> Result<u32, Interrupted> {
        if let Some(&known) = self.numbers.get(&question) {
            return Ok(known);
        }
        let number = u32::try_from(self.questions.len()).map_err(|_| Interrupted::Overflow)?;
        if number == NOTHING {
            return Err(Interrupted::Overflow);
        }
        self.questions.push(question);
        self.numbers.insert(question, number);
        Ok(number)
    }

    fn add(&mut self, factor: u32, first: Option<Question>, rest: Question) -> Result<(), Interrupted> {
        let first = first.map_or(Ok(NOTHING), |first| self.number(first))?;
        let rest = self.number(rest)?;
        self.summands.push(Summand { factor, first, rest });
        Ok(())
    }

    fn of(&self, question: u32) -> &[Summand] {
        &self.summands[self.starts[question as usize]..self.starts[question as usize + 1]]
    }

    /// All questions, each behind those that its answer needs: depth first, so that answers are
    /// needed soon.
    fn children_first(&self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.questions.len());
        let mut seen = vec![false; self.questions.len()];
        let mut waiting = vec![(0, false)];
        while let Some((question, is_open)) = waiting.pop() {
            if is_open {
                order.push(question);
            } else if !std::mem::replace(&mut seen[question as usize], true) {
                waiting.push((question, true));
                for summand in self.of(question) {
                    let parts = [summand.first, summand.rest].into_iter().filter(|&part| part != NOTHING);
                    waiting.extend(parts.filter(|&part| !seen[part as usize]).map(|part| (part, false)));
                }
            }
        }
        order
    }
}

/// A natural number that is a machine word pair as long as it fits.
#[derive(Clone, Debug)]
enum Natural {
    Small(u128),
    Large(BigUint),
}

impl Natural {
    /// Adds factor · first · rest.
    fn add_product(&mut self, factor: u32, first: Option<&Natural>, rest: &Natural) {
        let first = first.unwrap_or(&Natural::Small(1));
        if let (Natural::Small(sum), Natural::Small(a), Natural::Small(b)) = (&*self, first, rest)
            && let Some(product) = a.checked_mul(*b).and_then(|product| product.checked_mul(factor.into()))
            && let Some(sum) = sum.checked_add(product)
        {
            *self = Natural::Small(sum);
            return;
        }
        let mut product = match (first, rest) {
            (Natural::Small(1), number) | (number, Natural::Small(1)) => number.to_big(),
            (Natural::Large(a), Natural::Large(b)) => a * b,
            (Natural::Large(a), Natural::Small(b)) | (Natural::Small(b), Natural::Large(a)) => a * *b,
            (Natural::Small(a), Natural::Small(b)) => BigUint::from(*a) * *b,
        };
        if factor != 1 {
            product *= factor;
        }
        match self {
            Natural::Small(sum) => *self = Natural::Large(product + *sum),
            Natural::Large(sum) => *sum += product,
        }
    }

    fn to_big(&self) -> BigUint {
        match self {
            Natural::Small(number) => BigUint::from(*number),
            Natural::Large(number) => number.clone(),
        }
    }

    fn into_big(self) -> BigUint {
        match self {
            Natural::Small(number) => BigUint::from(number),
            Natural::Large(number) => number,
        }
    }
}
