//! Integer terms and tests of them, in normal forms, each stored once.
//!
//! What is left of a predicate after some variables have got values must be recognised when it is
//! met again, or a diagram would be walked as often as there are ways to get there. So sums are
//! sorted, with like terms joined; comparisons have 0 on one side, no common factor, and one sign;
//! negations are pushed down to comparisons; and whatever the ranges of its variables decide is
//! `TRUE` or `FALSE`. Different texts for one set of states may still stay apart: that costs time,
//! never a wrong answer.

use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;

/// The number of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TermId(u32);

/// The number of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct TestId(u32);

impl TestId {
    pub(super) const TRUE: TestId = TestId(0);
    pub(super) const FALSE: TestId = TestId(1);

    fn of(holds: bool) -> TestId {
        if holds { TestId::TRUE } else { TestId::FALSE }
    }
}

/// The number of an unknown: a variable before or after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Unknown(pub(super) u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Term {
    Number(i128),
    Unknown(Unknown),
    /// Terms that are neither numbers nor sums, ascending, with factors other than 0; and a number.
    Sum(Box<[(TermId, i128)]>, i128),
    /// Neither is a number.
    Product(TermId, TermId),
    /// Rounded towards 0. Where the second is 0 this is 0: callers that care test for it.
    Quotient(TermId, TermId),
    /// 1 where the test holds, otherwise 0.
    Truth(TestId),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Test {
    True,
    False,
    Zero(TermId),
    NotZero(TermId),
    /// The term is 0 or less.
    AtMostZero(TermId),
    All(Box<[TestId]>),
    Any(Box<[TestId]>),
    /// Whether the number of tests that hold is odd is this.
    Odd(Box<[TestId]>, bool),
}

/// What is known of a term: the highest level of an unknown in it (0: none), and the range of its
/// values.
#[derive(Clone, Copy, Debug)]
struct TermFacts {
    top: u32,
    least: i128,
    most: i128,
}

/// Terms and tests.
pub(super) struct Formulas {
    terms: Vec<(Term, TermFacts)>,
    term_ids: FxHashMap<Term, TermId>,
    /// Tests, and the highest level of an unknown in each.
    tests: Vec<(Test, u32)>,
    test_ids: FxHashMap<Test, TestId>,
    negations: FxHashMap<TestId, TestId>,
    /// Answers of the substitution at hand.
    replaced_terms: FxHashMap<TermId, TermId>,
    replaced_tests: FxHashMap<TestId, TestId>,
}

type Made<T> = Result<T, Interrupted>;

impl Formulas {
    pub(super) fn new() -> Formulas {
        let mut formulas = Formulas {
            terms: Vec::new(),
            term_ids: FxHashMap::default(),
            tests: Vec::new(),
            test_ids: FxHashMap::default(),
            negations: FxHashMap::default(),
            replaced_terms: FxHashMap::default(),
            replaced_tests: FxHashMap::default(),
        };
        formulas.store_test(Test::True, 0);
        formulas.store_test(Test::False, 0);
        formulas
    }

    /// The highest level of an unknown in a test; 0 if it is decided.
    pub(super) fn top(&self, test: TestId) -> u32 {
        self.tests[test.0 as usize].1
    }

    fn facts(&self, term: TermId) -> TermFacts {
        self.terms[term.0 as usize].1
    }

    fn store_term(&mut self, term: Term, facts: TermFacts) -> TermId {
        if let Some(&known) = self.term_ids.get(&term) {
            return known;
        }
        let id = TermId(self.terms.len() as u32);
        self.terms.push((term.clone(), facts));
        self.term_ids.insert(term, id);
        id
    }

    fn store_test(&mut self, test: Test, top: u32) -> TestId {
        if let Some(&known) = self.test_ids.get(&test) {
            return known;
        }
        let id = TestId(self.tests.len() as u32);
        self.tests.push((test.clone(), top));
        self.test_ids.insert(test, id);
        id
    }

    /// A number.
    pub(super) fn number(&mut self, number: i128) -> TermId {
        self.store_term(Term::Number(number), TermFacts { top: 0, least: number, most: number })
    }

    /// An unknown at a level, with its smallest and largest value.
    pub(super) fn unknown(&mut self, unknown: Unknown, level: u32, range: (i128, i128)) -> TermId {
        self.store_term(Term::Unknown(unknown), TermFacts { top: level, least: range.0, most: range.1 })
    }

    /// The sum of these terms times their factors, and a number.
    pub(super) fn sum(&mut self, operands: &[(TermId, i128)], number: i128) -> Made<TermId> {
        let mut constant = number;
        let mut parts: Vec<(TermId, i128)> = Vec::with_capacity(operands.len());
        for &(operand, factor) in operands {
            match &self.terms[operand.0 as usize].0 {
                Term::Number(number) => constant = plus(constant, times(*number, factor)?)?,
                Term::Sum(inner, number) => {
                    constant = plus(constant, times(*number, factor)?)?;
                    for &(term, inner_factor) in inner {
                        parts.push((term, times(inner_factor, factor)?));
                    }
                }
                _ => parts.push((operand, factor)),
            }
        }
        parts.sort_unstable();
        let mut joined: Vec<(TermId, i128)> = Vec::with_capacity(parts.len());
        for (term, factor) in parts {
            match joined.last_mut() {
                Some(last) if last.0 == term => last.1 = plus(last.1, factor)?,
                _ => joined.push((term, factor)),
            }
        }
        joined.retain(|&(_, factor)| factor != 0);
        match joined[..] {
            [] => return Ok(self.number(constant)),
            [(term, 1)] if constant == 0 => return Ok(term),
            _ => {}
        }
        let mut facts = TermFacts { top: 0, least: constant, most: constant };
        for &(term, factor) in &joined {
            let of = self.facts(term);
            let ends = (of.least.saturating_mul(factor), of.most.saturating_mul(factor));
            facts.top = facts.top.max(of.top);
            facts.least = facts.least.saturating_add(ends.0.min(ends.1));
            facts.most = facts.most.saturating_add(ends.0.max(ends.1));
        }
        Ok(self.store_term(Term::Sum(joined.into(), constant), facts))
    }

    /// The product of two terms.
    pub(super) fn product(&mut self, a: TermId, b: TermId) -> Made<TermId> {
        match (&self.terms[a.0 as usize].0, &self.terms[b.0 as usize].0) {
            (Term::Number(number), _) => self.sum(&[(b, *number)], 0),
            (_, Term::Number(number)) => self.sum(&[(a, *number)], 0),
            _ => {
                let (x, y) = (self.facts(a), self.facts(b));
                let corners = [
                    x.least.saturating_mul(y.least),
                    x.least.saturating_mul(y.most),
                    x.most.saturating_mul(y.least),
                    x.most.saturating_mul(y.most),
                ];
                let least = corners.into_iter().min().unwrap_or(i128::MIN);
                let most = corners.into_iter().max().unwrap_or(i128::MAX);
                let facts = TermFacts { top: x.top.max(y.top), least, most };
                Ok(self.store_term(Term::Product(a.min(b), a.max(b)), facts))
            }
        }
    }

    /// The quotient of two terms, rounded towards 0; 0 where the second is 0.
    pub(super) fn quotient(&mut self, a: TermId, b: TermId) -> TermId {
        match (&self.terms[a.0 as usize].0, &self.terms[b.0 as usize].0) {
            (_, Term::Number(1)) => a,
            (Term::Number(a), Term::Number(b)) => {
                let value = a.checked_div(*b).unwrap_or(0);
                self.number(value)
            }
            _ => {
                let (x, y) = (self.facts(a), self.facts(b));
                let widest = x.least.saturating_abs().max(x.most.saturating_abs());
                let facts = TermFacts { top: x.top.max(y.top), least: -widest, most: widest };
                self.store_term(Term::Quotient(a, b), facts)
            }
        }
    }

    /// 1 where a test holds, otherwise 0.
    pub(super) fn truth(&mut self, test: TestId) -> TermId {
        match test {
            TestId::TRUE => self.number(1),
            TestId::FALSE => self.number(0),
            _ => {
                let top = self.top(test);
                self.store_term(Term::Truth(test), TermFacts { top, least: 0, most: 1 })
            }
        }
    }

    /// A term as a sum: its parts and its number.
    fn as_sum(&self, term: TermId) -> (Vec<(TermId, i128)>, i128) {
        match &self.terms[term.0 as usize].0 {
            Term::Number(number) => (Vec::new(), *number),
            Term::Sum(parts, number) => (parts.to_vec(), *number),
            _ => (vec![(term, 1)], 0),
        }
    }

    /// If a term is `factor · truth + number`: the test, and whether `holds` is so of the term's
    /// two values.
    fn two_values(&self, term: TermId, holds: impl Fn(i128) -> bool) -> Option<(TestId, bool, bool)> {
        let (parts, number) = self.as_sum(term);
        let [(only, factor)] = parts[..] else { return None };
        let Term::Truth(test) = self.terms[only.0 as usize].0 else { return None };
        Some((test, holds(number), holds(number.saturating_add(factor))))
    }

    fn by_two_values(&mut self, (test, at_0, at_1): (TestId, bool, bool)) -> Made<TestId> {
        match (at_0, at_1) {
            (false, true) => Ok(test),
            (true, false) => self.not(test),
            (holds, _) => Ok(TestId::of(holds)),
        }
    }

    /// Where a term is 0.
    pub(super) fn zero(&mut self, term: TermId) -> Made<TestId> {
        if let Some(values) = self.two_values(term, |value| value == 0) {
            return self.by_two_values(values);
        }
        let (mut parts, mut number) = self.as_sum(term);
        let Some(&(_, first)) = parts.first() else { return Ok(TestId::of(number == 0)) };
        let common = parts.iter().fold(0, |common, &(_, factor)| common_divisor(common, factor));
        if number % common != 0 {
            return Ok(TestId::FALSE);
        }
        let divisor = if first < 0 { -common } else { common };
        parts.iter_mut().for_each(|part| part.1 /= divisor);
        number /= divisor;
        let term = self.sum(&parts, number)?;
        let facts = self.facts(term);
        if facts.least > 0 || facts.most < 0 {
            return Ok(TestId::FALSE);
        }
        if (facts.least, facts.most) == (-1, 0) {
            // One of two values: the other one is not had.
            let other = self.sum(&[(term, 1)], 1)?;
            return Ok(self.store_test(Test::NotZero(other), facts.top));
        }
        Ok(self.store_test(Test::Zero(term), facts.top))
    }

    /// Where a term is 0 or less.
    pub(super) fn at_most_zero(&mut self, term: TermId) -> Made<TestId> {
        if let Some(values) = self.two_values(term, |value| value <= 0) {
            return self.by_two_values(values);
        }
        let (mut parts, number) = self.as_sum(term);
        if parts.is_empty() {
            return Ok(TestId::of(number <= 0));
        }
        // Σ factors · terms ≤ −number, where the left side is a multiple of the common divisor.
        let common = parts.iter().fold(0, |common, &(_, factor)| common_divisor(common, factor));
        parts.iter_mut().for_each(|part| part.1 /= common);
        let bound = number.checked_neg().ok_or(Interrupted::Overflow)?.div_euclid(common);
        let term = self.sum(&parts, -bound)?;
        let facts = self.facts(term);
        if facts.most <= 0 || facts.least > 0 {
            return Ok(TestId::of(facts.most <= 0));
        }
        if facts.least == 0 {
            return self.zero(term);
        }
        if facts.most == 1 {
            let excess = self.sum(&[(term, 1)], -1)?;
            let at_most = self.zero(excess)?;
            return self.not(at_most);
        }
        Ok(self.store_test(Test::AtMostZero(term), facts.top))
    }

    /// Where a test does not hold.
    pub(super) fn not(&mut self, test: TestId) -> Made<TestId> {
        if let Some(&known) = self.negations.get(&test) {
            return Ok(known);
        }
        let top = self.top(test);
        let answer = match self.tests[test.0 as usize].0.clone() {
            Test::True => TestId::FALSE,
            Test::False => TestId::TRUE,
            Test::Zero(term) => self.store_test(Test::NotZero(term), top),
            Test::NotZero(term) => self.store_test(Test::Zero(term), top),
            Test::AtMostZero(term) => {
                let flipped = self.sum(&[(term, -1)], 1)?;
                self.at_most_zero(flipped)?
            }
            Test::All(parts) => {
                let parts = parts.iter().map(|&part| self.not(part)).collect::<Made<Vec<_>>>()?;
                self.any(parts)
            }
            Test::Any(parts) => {
                let parts = parts.iter().map(|&part| self.not(part)).collect::<Made<Vec<_>>>()?;
                self.all(parts)
            }
            Test::Odd(parts, odd) => self.store_test(Test::Odd(parts, !odd), top),
        };
        self.negations.insert(test, answer);
        self.negations.insert(answer, test);
        Ok(answer)
    }

    /// Where all of these hold.
    pub(super) fn all(&mut self, tests: Vec<TestId>) -> TestId {
        self.joined(tests, TestId::TRUE, TestId::FALSE)
    }

    /// Where one of these holds.
    pub(super) fn any(&mut self, tests: Vec<TestId>) -> TestId {
        self.joined(tests, TestId::FALSE, TestId::TRUE)
    }

    /// The conjunction or disjunction of tests, by what does nothing in it and what decides it.
    fn joined(&mut self, tests: Vec<TestId>, neutral: TestId, decisive: TestId) -> TestId {
        let is_all = neutral == TestId::TRUE;
        let mut parts = Vec::with_capacity(tests.len());
        for test in tests {
            match &self.tests[test.0 as usize].0 {
                Test::All(inner) if is_all => parts.extend_from_slice(inner),
                Test::Any(inner) if !is_all => parts.extend_from_slice(inner),
                _ => parts.push(test),
            }
        }
        parts.retain(|&part| part != neutral);
        parts.sort_unstable();
        parts.dedup();
        if parts.contains(&decisive) || self.contradict(&parts, is_all) {
            return decisive;
        }
        match parts[..] {
            [] => neutral,
            [only] => only,
            _ => {
                let top = parts.iter().map(|&part| self.top(part)).max().unwrap_or(0);
                let parts = parts.into();
                self.store_test(if is_all { Test::All(parts) } else { Test::Any(parts) }, top)
            }
        }
    }

    /// Whether two of these tests, which ascend, are each other's negations, or are an unknown's
    /// equality with two numbers (of a disjunction: inequality).
    fn contradict(&self, parts: &[TestId], is_all: bool) -> bool {
        let mut fixed: Vec<TermId> = Vec::new();
        for part in parts {
            let (term, negation) = match &self.tests[part.0 as usize].0 {
                Test::Zero(term) => (*term, Test::NotZero(*term)),
                Test::NotZero(term) => (*term, Test::Zero(*term)),
                _ => continue,
            };
            if self.test_ids.get(&negation).is_some_and(|id| parts.binary_search(id).is_ok()) {
                return true;
            }
            if matches!(negation, Test::NotZero(_)) == is_all {
                let unknown = match &self.terms[term.0 as usize].0 {
                    Term::Unknown(_) => term,
                    Term::Sum(operands, _) if operands.len() == 1 => operands[0].0,
                    _ => continue,
                };
                if fixed.contains(&unknown) {
                    return true;
                }
                fixed.push(unknown);
            }
        }
        false
    }

    /// Where the number of tests that hold is odd, or even.
    pub(super) fn odd(&mut self, tests: Vec<TestId>, odd: bool) -> Made<TestId> {
        let mut odd = odd;
        let mut parts = Vec::with_capacity(tests.len());
        for test in tests {
            match self.tests[test.0 as usize].0.clone() {
                Test::True => odd = !odd,
                Test::False => {}
                Test::Zero(_) => {
                    odd = !odd;
                    parts.push(self.not(test)?);
                }
                Test::Odd(inner, inner_odd) => {
                    odd ^= !inner_odd;
                    parts.extend_from_slice(&inner);
                }
                _ => parts.push(test),
            }
        }
        parts.sort_unstable();
        // What stands there twice is even.
        let mut left: Vec<TestId> = Vec::with_capacity(parts.len());
        for part in parts {
            if left.last() == Some(&part) {
                left.pop();
            } else {
                left.push(part);
            }
        }
        match left[..] {
            [] => Ok(TestId::of(!odd)),
            [only] if odd => Ok(only),
            [only] => self.not(only),
            _ => {
                let top = left.iter().map(|&part| self.top(part)).max().unwrap_or(0);
                Ok(self.store_test(Test::Odd(left.into(), odd), top))
            }
        }
    }

    /// The test with values in the place of unknowns of its highest level, `level`; those without a
    /// value stay.
    pub(super) fn substitute(
        &mut self,
        test: TestId,
        level: u32,
        value: &dyn Fn(Unknown) -> Option<i128>,
    ) -> Made<TestId> {
        self.replaced_terms.clear();
        self.replaced_tests.clear();
        self.replace_in_test(test, level, value)
    }

    fn replace_in_test(
        &mut self,
        test: TestId,
        level: u32,
        value: &dyn Fn(Unknown) -> Option<i128>,
    ) -> Made<TestId> {
        if self.top(test) < level {
            return Ok(test);
        }
        if let Some(&known) = self.replaced_tests.get(&test) {
            return Ok(known);
        }
        let answer = match self.tests[test.0 as usize].0.clone() {
            Test::True | Test::False => test,
            Test::Zero(term) => {
                let term = self.replace_in_term(term, level, value)?;
                self.zero(term)?
            }
            Test::NotZero(term) => {
                let term = self.replace_in_term(term, level, value)?;
                let zero = self.zero(term)?;
                self.not(zero)?
            }
            Test::AtMostZero(term) => {
                let term = self.replace_in_term(term, level, value)?;
                self.at_most_zero(term)?
            }
            Test::All(parts) => {
                let mut left = Vec::with_capacity(parts.len());
                for &part in &parts {
                    match self.replace_in_test(part, level, value)? {
                        TestId::FALSE => {
                            left = vec![TestId::FALSE];
                            break;
                        }
                        part => left.push(part),
                    }
                }
                self.all(left)
            }
            Test::Any(parts) => {
                let mut left = Vec::with_capacity(parts.len());
                for &part in &parts {
                    match self.replace_in_test(part, level, value)? {
                        TestId::TRUE => {
                            left = vec![TestId::TRUE];
                            break;
                        }
                        part => left.push(part),
                    }
                }
                self.any(left)
            }
            Test::Odd(parts, odd) => {
                let parts = parts.iter().map(|&part| self.replace_in_test(part, level, value));
                let parts = parts.collect::<Made<Vec<_>>>()?;
                self.odd(parts, odd)?
            }
        };
        self.replaced_tests.insert(test, answer);
        Ok(answer)
    }

    fn replace_in_term(
        &mut self,
        term: TermId,
        level: u32,
        value: &dyn Fn(Unknown) -> Option<i128>,
    ) -> Made<TermId> {
        if self.facts(term).top < level {
            return Ok(term);
        }
        if let Some(&known) = self.replaced_terms.get(&term) {
            return Ok(known);
        }
        let answer = match self.terms[term.0 as usize].0.clone() {
            Term::Number(_) => term,
            Term::Unknown(unknown) => match value(unknown) {
                Some(number) if self.facts(term).top == level => self.number(number),
                _ => term,
            },
            Term::Sum(parts, number) => {
                let mut replaced = Vec::with_capacity(parts.len());
                for &(part, factor) in &parts {
                    replaced.push((self.replace_in_term(part, level, value)?, factor));
                }
                self.sum(&replaced, number)?
            }
            Term::Product(a, b) => {
                let (a, b) = (self.replace_in_term(a, level, value)?, self.replace_in_term(b, level, value)?);
                self.product(a, b)?
            }
            Term::Quotient(a, b) => {
                let (a, b) = (self.replace_in_term(a, level, value)?, self.replace_in_term(b, level, value)?);
                self.quotient(a, b)
            }
            Term::Truth(test) => {
                let test = self.replace_in_test(test, level, value)?;
                self.truth(test)
            }
        };
        self.replaced_terms.insert(term, answer);
        Ok(answer)
    }

    /// All values of an unknown with which a test may hold, ascending; `None` if that is not plain
    /// to see.
    pub(super) fn candidates(&self, test: TestId, unknown: Unknown) -> Option<Vec<i128>> {
        match &self.tests[test.0 as usize].0 {
            Test::False => Some(Vec::new()),
            Test::Zero(term) => {
                let (parts, number) = self.as_sum(*term);
                let [(only, factor)] = parts[..] else { return None };
                let is_it = self.terms[only.0 as usize].0 == Term::Unknown(unknown);
                is_it.then(|| if number % factor == 0 { vec![-number / factor] } else { Vec::new() })
            }
            Test::NotZero(term) => {
                // Of two values that there are, the other one.
                let facts = self.facts(*term);
                let is_it = self.terms[term.0 as usize].0 == Term::Unknown(unknown);
                (is_it && (facts.least, facts.most) == (0, 1)).then(|| vec![1])
            }
            Test::All(parts) => {
                parts.iter().filter_map(|&part| self.candidates(part, unknown)).min_by_key(Vec::len)
            }
            Test::Any(parts) => {
                let mut all = Vec::new();
                for &part in parts {
                    all.extend(self.candidates(part, unknown)?);
                }
                all.sort_unstable();
                all.dedup();
                Some(all)
            }
            Test::True | Test::AtMostZero(_) | Test::Odd(..) => None,
        }
    }

    /// The tests that a conjunction is of.
    pub(super) fn conjuncts(&self, test: TestId) -> Vec<TestId> {
        match &self.tests[test.0 as usize].0 {
            Test::All(parts) => parts.to_vec(),
            _ => vec![test],
        }
    }

    /// If a test says that an unknown equals a term: that term.
    pub(super) fn equated(&mut self, test: TestId, unknown: Unknown) -> Made<Option<TermId>> {
        let Test::Zero(term) = self.tests[test.0 as usize].0 else { return Ok(None) };
        let (parts, number) = self.as_sum(term);
        let is_it = |&(part, factor): &(TermId, i128)| {
            self.terms[part.0 as usize].0 == Term::Unknown(unknown) && factor.abs() == 1
        };
        let Some(place) = parts.iter().position(is_it) else { return Ok(None) };
        let mut rest = parts;
        let (_, factor) = rest.remove(place);
        rest.iter_mut().for_each(|part| part.1 *= -factor);
        self.sum(&rest, number * -factor).map(Some)
    }

    /// Whether a test speaks of an unknown of which `is_one` is so.
    pub(super) fn mentions(&self, test: TestId, is_one: &dyn Fn(Unknown) -> bool) -> bool {
        match &self.tests[test.0 as usize].0 {
            Test::True | Test::False => false,
            Test::Zero(term) | Test::NotZero(term) | Test::AtMostZero(term) => {
                self.term_mentions(*term, is_one)
            }
            Test::All(parts) | Test::Any(parts) | Test::Odd(parts, _) => {
                parts.iter().any(|&part| self.mentions(part, is_one))
            }
        }
    }

    fn term_mentions(&self, term: TermId, is_one: &dyn Fn(Unknown) -> bool) -> bool {
        match &self.terms[term.0 as usize].0 {
            Term::Number(_) => false,
            Term::Unknown(unknown) => is_one(*unknown),
            Term::Sum(parts, _) => parts.iter().any(|&(part, _)| self.term_mentions(part, is_one)),
            Term::Product(a, b) | Term::Quotient(a, b) => {
                self.term_mentions(*a, is_one) || self.term_mentions(*b, is_one)
            }
            Term::Truth(test) => self.mentions(*test, is_one),
        }
    }
}

fn plus(a: i128, b: i128) -> Made<i128> {
    a.checked_add(b).ok_or(Interrupted::Overflow)
}

fn times(a: i128, b: i128) -> Made<i128> {
    a.checked_mul(b).ok_or(Interrupted::Overflow)
}

fn common_divisor(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.saturating_abs()
}
