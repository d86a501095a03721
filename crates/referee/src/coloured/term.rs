//! Terms, which are multisets of colours under a binding, and guards, which are true or false.

use super::Binding;
use std::collections::BTreeMap;

/// A tuple of positions in classes. A value of a class is a tuple of one.
pub(super) type Colour = Vec<usize>;

/// A multiset of colours; none of the numbers is 0.
pub(super) type Bag = BTreeMap<Colour, i128>;

/// A multiset that depends on a binding.
#[derive(Clone, Debug)]
pub(super) enum Term {
    /// The value of a variable, once.
    Variable(usize),
    /// These colours, once each: a constant, the members of a partition element, a whole domain.
    Colours(Vec<Colour>),
    /// The sum.
    Add(Vec<Term>),
    /// The first without the others; no number falls below 0.
    Subtract(Vec<Term>),
    /// A multiple.
    Times(i128, Box<Term>),
    /// Every way to take one colour of each part, with the product of the numbers.
    Tuple(Vec<Term>),
    /// Every value replaced by the one that stands `step` places behind it in its class of `size`
    /// members, and behind the last comes the first.
    Shift { term: Box<Term>, step: usize, size: usize },
    /// Every value replaced by the number of its part of a partition; in guards alone.
    Part(Box<Term>, Vec<usize>),
}

impl Term {
    /// The multiset under a binding.
    pub(super) fn bag(&self, binding: &Binding) -> Bag {
        let mut bag = Bag::new();
        match self {
            Term::Variable(variable) => add(&mut bag, vec![binding[*variable]], 1),
            Term::Colours(colours) => colours.iter().for_each(|colour| add(&mut bag, colour.clone(), 1)),
            Term::Add(terms) => {
                for (colour, number) in terms.iter().flat_map(|term| term.bag(binding)) {
                    add(&mut bag, colour, number);
                }
            }
            Term::Subtract(terms) => {
                let mut parts = terms.iter().map(|term| term.bag(binding));
                bag = parts.next().unwrap_or_default();
                for (colour, number) in parts.flatten() {
                    let left = bag.get(&colour).copied().unwrap_or(0) - number;
                    bag.insert(colour, left.max(0));
                }
            }
            Term::Times(times, term) => {
                term.bag(binding)
                    .into_iter()
                    .for_each(|(colour, number)| add(&mut bag, colour, times * number));
            }
            Term::Tuple(terms) => {
                bag.insert(Vec::new(), 1);
                for term in terms {
                    let mut longer = Bag::new();
                    for (end, times) in term.bag(binding) {
                        for (start, number) in &bag {
                            add(&mut longer, [start.as_slice(), &end].concat(), number * times);
                        }
                    }
                    bag = longer;
                }
            }
            Term::Shift { term, step, size } => {
                for (colour, number) in term.bag(binding) {
                    let colour = colour.iter().map(|value| (value + step) % size).collect();
                    add(&mut bag, colour, number);
                }
            }
            Term::Part(term, parts) => {
                for (colour, number) in term.bag(binding) {
                    add(&mut bag, colour.iter().map(|&value| parts[value]).collect(), number);
                }
            }
        }
        bag.retain(|_, number| *number != 0);
        bag
    }

    /// The variables that occur in it.
    pub(super) fn variables(&self, found: &mut Vec<usize>) {
        match self {
            Term::Variable(variable) => found.push(*variable),
            Term::Colours(_) => (),
            Term::Add(terms) | Term::Subtract(terms) | Term::Tuple(terms) => {
                terms.iter().for_each(|term| term.variables(found));
            }
            Term::Times(_, term) | Term::Shift { term, .. } | Term::Part(term, _) => term.variables(found),
        }
    }
}

fn add(bag: &mut Bag, colour: Colour, number: i128) {
    *bag.entry(colour).or_default() += number;
}

/// A comparison of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// A condition on a binding.
#[derive(Clone, Debug)]
pub(super) enum Guard {
    Constant(bool),
    And(Vec<Guard>),
    Or(Vec<Guard>),
    Not(Box<Guard>),
    /// The first implies the second.
    Imply(Box<Guard>, Box<Guard>),
    /// Both sides are the same.
    Equal(Term, Term),
    /// The values stand in this order in their class.
    Ordered(Term, Order, Term),
}

impl Guard {
    pub(super) fn is_true(&self, binding: &Binding) -> bool {
        match self {
            Guard::Constant(truth) => *truth,
            Guard::And(parts) => parts.iter().all(|part| part.is_true(binding)),
            Guard::Or(parts) => parts.iter().any(|part| part.is_true(binding)),
            Guard::Not(part) => !part.is_true(binding),
            Guard::Imply(first, second) => !first.is_true(binding) || second.is_true(binding),
            Guard::Equal(left, right) => left.bag(binding) == right.bag(binding),
            Guard::Ordered(left, order, right) => {
                // The reader lets single values through, and a bag of one value has one key.
                let (left, right) = (left.bag(binding), right.bag(binding));
                let (left, right) = (left.keys().next(), right.keys().next());
                match order {
                    Order::Less => left < right,
                    Order::AtMost => left <= right,
                    Order::Greater => left > right,
                    Order::AtLeast => left >= right,
                }
            }
        }
    }

    /// The variables that occur in it.
    pub(super) fn variables(&self, found: &mut Vec<usize>) {
        match self {
            Guard::Constant(_) => (),
            Guard::And(parts) | Guard::Or(parts) => parts.iter().for_each(|part| part.variables(found)),
            Guard::Not(part) => part.variables(found),
            Guard::Imply(first, second) => [first, second].iter().for_each(|part| part.variables(found)),
            Guard::Equal(left, right) | Guard::Ordered(left, _, right) => {
                [left, right].iter().for_each(|term| term.variables(found));
            }
        }
    }
}
