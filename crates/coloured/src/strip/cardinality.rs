//! How many tokens a term denotes, whatever the binding.

use crate::guard::{Guard, Relation};
use crate::net::{Net, Transition};
use crate::term::{MemberTerm, MultisetTerm};
use symbolon_petri::net::LARGEST_COUNT;

/// From how many to how many tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low: u64,
    /// At most 2^63 − 1.
    pub(super) high: u64,
}

impl Interval {
    pub(super) const ZERO: Interval = Interval { low: 0, high: 0 };

    pub(super) fn exactly(count: u64) -> Interval {
        Interval { low: count, high: count }
    }

    fn bounded(self) -> Option<Interval> {
        (self.high <= LARGEST_COUNT).then_some(self)
    }

    pub(super) fn plus(self, other: Interval) -> Option<Interval> {
        let high = self.high.checked_add(other.high)?;
        Interval { low: self.low.checked_add(other.low)?, high }.bounded()
    }

    pub(super) fn times(self, other: Interval) -> Option<Interval> {
        let high = self.high.checked_mul(other.high)?;
        Interval { low: self.low.checked_mul(other.low)?, high }.bounded()
    }
}

/// Cardinalities of terms over the variables of one transition.
pub(super) struct Cardinalities<'n> {
    net: &'n Net,
    /// Members that are unequal wherever the guard holds.
    unequal: Vec<(MemberTerm, MemberTerm)>,
}

impl<'n> Cardinalities<'n> {
    pub(super) fn of(net: &'n Net, transition: &Transition) -> Cardinalities<'n> {
        let mut unequal = Vec::new();
        collect_unequal(&transition.guard, &mut unequal);
        Cardinalities { net, unequal }
    }

    /// Where nothing is known of the variables.
    pub(super) fn without_guard(net: &'n Net) -> Cardinalities<'n> {
        Cardinalities { net, unequal: Vec::new() }
    }

    /// How many tokens `term` denotes, under any binding for which the guard holds. `None` if they
    /// may be more than 2^63 − 1.
    pub(super) fn interval(&self, term: &MultisetTerm) -> Option<Interval> {
        match term {
            MultisetTerm::Empty(_) => Some(Interval::ZERO),
            MultisetTerm::All(domain) => Interval::exactly(domain.size(self.net)?).bounded(),
            MultisetTerm::Member(_) => Some(Interval::exactly(1)),
            MultisetTerm::Part(part) => {
                let members = &self.net.partitions[part.partition.index()].parts[part.part as usize].members;
                Some(Interval::exactly(members.len() as u64))
            }
            MultisetTerm::Tuple(terms) => terms
                .iter()
                .try_fold(Interval::exactly(1), |product, term| product.times(self.interval(term)?)),
            MultisetTerm::Sum(terms) => {
                terms.iter().try_fold(Interval::ZERO, |sum, term| sum.plus(self.interval(term)?))
            }
            MultisetTerm::Difference(both) => {
                let (from, less) = (self.interval(&both[0])?, self.interval(&both[1])?);
                let low = from.low.saturating_sub(less.high);
                // Where nothing is missing that is subtracted, all of it goes.
                let high = match self.is_within(&both[1], &both[0]) {
                    true => from.high.saturating_sub(less.low),
                    false => from.high,
                };
                Some(Interval { low, high })
            }
            MultisetTerm::Scaled { count, term } => {
                self.interval(term)?.times(Interval::exactly(*count).bounded()?)
            }
        }
    }

    /// Whether surely each colour occurs in `part` at most as often as in `whole`, over the same domain.
    fn is_within(&self, part: &MultisetTerm, whole: &MultisetTerm) -> bool {
        if part == whole || self.most_anywhere(part).is_some_and(|most| most <= self.least_everywhere(whole))
        {
            return true;
        }
        match (part, whole) {
            (_, MultisetTerm::Sum(terms)) => terms.iter().any(|term| self.is_within(part, term)),
            (MultisetTerm::Tuple(parts), MultisetTerm::Tuple(wholes)) => {
                let pairs = || parts.iter().zip(wholes);
                parts.len() == wholes.len()
                    && pairs().all(|(part, whole)| factor_count(part) == factor_count(whole))
                    && pairs().all(|(part, whole)| self.is_within(part, whole))
            }
            _ => false,
        }
    }

    /// A number of tokens that each colour of the domain surely has in what `term` denotes.
    pub(super) fn least_everywhere(&self, term: &MultisetTerm) -> u64 {
        match term {
            MultisetTerm::Empty(_) => 0,
            MultisetTerm::All(_) => 1,
            MultisetTerm::Member(member) => {
                let class = &self.net.classes[member.class(self.net).index()];
                u64::from(class.size() == 1)
            }
            MultisetTerm::Part(part) => {
                let partition = &self.net.partitions[part.partition.index()];
                let members = &partition.parts[part.part as usize].members;
                u64::from(members.len() as u64 == self.net.classes[partition.class.index()].size())
            }
            MultisetTerm::Tuple(terms) => terms
                .iter()
                .map(|term| self.least_everywhere(term))
                .fold(1, |product: u64, least| product.saturating_mul(least)),
            MultisetTerm::Sum(terms) => terms
                .iter()
                .map(|term| self.least_everywhere(term))
                .fold(0, |sum: u64, least| sum.saturating_add(least)),
            MultisetTerm::Difference(both) => {
                let most = self.most_anywhere(&both[1]).unwrap_or(u64::MAX);
                self.least_everywhere(&both[0]).saturating_sub(most)
            }
            MultisetTerm::Scaled { count, term } => self.least_everywhere(term).saturating_mul(*count),
        }
    }

    /// A number of tokens that no colour exceeds in what `term` denotes.
    fn most_anywhere(&self, term: &MultisetTerm) -> Option<u64> {
        match term {
            MultisetTerm::Empty(_) => Some(0),
            MultisetTerm::All(_) | MultisetTerm::Member(_) | MultisetTerm::Part(_) => Some(1),
            MultisetTerm::Tuple(terms) => {
                terms.iter().try_fold(1, |product: u64, term| product.checked_mul(self.most_anywhere(term)?))
            }
            MultisetTerm::Sum(terms) if self.are_distinct(terms) => Some(1),
            MultisetTerm::Sum(terms) => {
                terms.iter().try_fold(0, |sum: u64, term| sum.checked_add(self.most_anywhere(term)?))
            }
            MultisetTerm::Difference(both) => self.most_anywhere(&both[0]),
            MultisetTerm::Scaled { count, term } => self.most_anywhere(term)?.checked_mul(*count),
        }
    }

    /// Whether these terms are single colours, no two of which are ever equal.
    fn are_distinct(&self, terms: &[MultisetTerm]) -> bool {
        // A long sum of constants needs no look at every pair.
        const MOST_COMPARED: usize = 400;
        terms.len() <= MOST_COMPARED
            && (0..terms.len())
                .all(|later| (0..later).all(|earlier| self.differ(&terms[earlier], &terms[later])))
    }

    /// Whether two terms denote one colour each, and never the same.
    fn differ(&self, left: &MultisetTerm, right: &MultisetTerm) -> bool {
        match (left, right) {
            (MultisetTerm::Member(left), MultisetTerm::Member(right)) => self.members_differ(*left, *right),
            (MultisetTerm::Tuple(left), MultisetTerm::Tuple(right)) => {
                let is_colour =
                    |terms: &[MultisetTerm]| terms.iter().all(|term| matches!(term, MultisetTerm::Member(_)));
                is_colour(left)
                    && is_colour(right)
                    && left.iter().zip(right).any(|(left, right)| self.differ(left, right))
            }
            _ => false,
        }
    }

    fn members_differ(&self, left: MemberTerm, right: MemberTerm) -> bool {
        let is_listed = self.unequal.iter().any(|&pair| pair == (left, right) || pair == (right, left));
        is_listed
            || match (left, right) {
                (MemberTerm::Constant { member: a, .. }, MemberTerm::Constant { member: b, .. }) => a != b,
                (
                    MemberTerm::Variable { variable: x, shift: a },
                    MemberTerm::Variable { variable: y, shift: b },
                ) => {
                    let size = self.net.class_of(x).size() as i64;
                    x == y && (i64::from(a) - i64::from(b)).rem_euclid(size) != 0
                }
                _ => false,
            }
    }
}

/// The number of factors of the domain of a term.
fn factor_count(term: &MultisetTerm) -> usize {
    match term {
        MultisetTerm::Empty(domain) | MultisetTerm::All(domain) => domain.0.len(),
        MultisetTerm::Member(_) | MultisetTerm::Part(_) => 1,
        MultisetTerm::Tuple(terms) => terms.iter().map(factor_count).sum(),
        // All operands have the same domain (COL-4).
        MultisetTerm::Sum(terms) => terms.first().map_or(0, factor_count),
        MultisetTerm::Difference(both) => factor_count(&both[0]),
        MultisetTerm::Scaled { term, .. } => factor_count(term),
    }
}

/// Adds the pairs of members that `guard` demands to be unequal.
fn collect_unequal(guard: &Guard, found: &mut Vec<(MemberTerm, MemberTerm)>) {
    match guard {
        Guard::And(all) => all.iter().for_each(|guard| collect_unequal(guard, found)),
        Guard::Compare { left, relation: Relation::Unequal | Relation::Less | Relation::Greater, right } => {
            found.push((*left, *right));
        }
        Guard::Not(inner) => {
            if let Guard::Compare { left, relation: Relation::Equal, right } = **inner {
                found.push((left, right));
            }
        }
        _ => {}
    }
}
