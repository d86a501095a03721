//! Coloured nets with something taken away.

use super::{Guard, RandomColouredNet, Term};

impl RandomColouredNet {
    /// Smaller nets, the largest pieces first.
    pub(crate) fn smaller(&self) -> Vec<RandomColouredNet> {
        let mut found = Vec::new();
        let mut change = |change: &dyn Fn(&mut RandomColouredNet)| {
            let mut net = self.clone();
            change(&mut net);
            found.push(net);
        };
        for number in 0..self.transitions.len() {
            change(&|net| {
                net.transitions.remove(number);
            });
        }
        for number in 0..self.places.len() {
            change(&|net| {
                net.places.remove(number);
                for transition in &mut net.transitions {
                    transition.arcs.retain(|(_, place, _)| *place != number);
                    transition.arcs.iter_mut().filter(|arc| arc.1 > number).for_each(|arc| arc.1 -= 1);
                }
            });
        }
        for (number, transition) in self.transitions.iter().enumerate() {
            for arc in 0..transition.arcs.len() {
                change(&|net| {
                    net.transitions[number].arcs.remove(arc);
                });
            }
            if let Some(guard) = &transition.guard {
                change(&|net| net.transitions[number].guard = None);
                for less in smaller_guards(guard) {
                    change(&|net| net.transitions[number].guard = Some(less.clone()));
                }
            }
        }
        for (number, place) in self.places.iter().enumerate() {
            if let Some(marking) = &place.marking {
                change(&|net| net.places[number].marking = None);
                for less in smaller_terms(marking) {
                    change(&|net| net.places[number].marking = Some(less.clone()));
                }
            }
        }
        for (number, transition) in self.transitions.iter().enumerate() {
            for (arc, (.., term)) in transition.arcs.iter().enumerate() {
                for less in smaller_terms(term) {
                    change(&|net| net.transitions[number].arcs[arc].2 = less.clone());
                }
            }
        }
        for (number, class) in self.classes.iter().enumerate() {
            let last = class.members.len() - 1;
            // Parts and constants may name the last member.
            if last > 0 && class.parts.is_empty() && !self.names(number, last) {
                change(&|net| {
                    net.classes[number].members.pop();
                });
            }
        }
        if !self.is_terse || self.is_reversed {
            change(&|net| (net.is_terse, net.is_reversed) = (true, false));
        }
        found
    }

    /// Whether a member of a class is named somewhere.
    fn names(&self, class: usize, member: usize) -> bool {
        let is_it = |term: &Term| matches!(term, Term::Constant(of, one) if (*of, *one) == (class, member));
        let in_guard = |guard: &Guard| {
            let mut terms = Vec::new();
            terms_of(guard, &mut terms);
            terms.into_iter().any(is_it)
        };
        let markings = self.places.iter().filter_map(|place| place.marking.as_ref());
        let arcs =
            self.transitions.iter().flat_map(|transition| transition.arcs.iter().map(|(.., term)| term));
        markings.chain(arcs).any(|term| contains(term, &is_it))
            || self.transitions.iter().filter_map(|transition| transition.guard.as_ref()).any(in_guard)
    }
}

fn contains(term: &Term, test: &dyn Fn(&Term) -> bool) -> bool {
    test(term)
        || match term {
            Term::Add(terms) | Term::Tuple(terms) => terms.iter().any(|term| contains(term, test)),
            Term::Subtract(left, right) => contains(left, test) || contains(right, test),
            Term::Times(_, term) => contains(term, test),
            _ => false,
        }
}

/// The values that a guard compares.
fn terms_of<'a>(guard: &'a Guard, found: &mut Vec<&'a Term>) {
    match guard {
        Guard::Constant(_) | Guard::CompareParts(..) => (),
        Guard::Compare(_, left, right) => found.extend([left, right]),
        Guard::Not(inner) => terms_of(inner, found),
        Guard::Join(_, parts) => parts.iter().for_each(|part| terms_of(part, found)),
    }
}

/// Terms of the same domain with something taken away.
fn smaller_terms(term: &Term) -> Vec<Term> {
    match term {
        Term::Add(terms) => {
            let mut found = terms.clone();
            found.extend(with_one_smaller(terms).into_iter().map(Term::Add));
            found
        }
        Term::Subtract(left, right) => {
            let mut found = vec![(**left).clone(), (**right).clone()];
            let pair = [(**left).clone(), (**right).clone()];
            for terms in with_one_smaller(&pair) {
                if let Ok([left, right]) = <[Term; 2]>::try_from(terms) {
                    found.push(Term::Subtract(Box::new(left), Box::new(right)));
                }
            }
            found
        }
        Term::Times(times, term) => {
            let mut found = vec![(**term).clone()];
            found.extend(smaller_terms(term).into_iter().map(|term| Term::Times(*times, Box::new(term))));
            found
        }
        Term::Tuple(terms) => with_one_smaller(terms).into_iter().map(Term::Tuple).collect(),
        Term::Shift(_, variable) => vec![Term::Variable(*variable)],
        _ => Vec::new(),
    }
}

/// The list with one term replaced by a smaller one.
fn with_one_smaller(terms: &[Term]) -> Vec<Vec<Term>> {
    let mut found = Vec::new();
    for (number, term) in terms.iter().enumerate() {
        for less in smaller_terms(term) {
            let mut terms = terms.to_vec();
            terms[number] = less;
            found.push(terms);
        }
    }
    found
}

fn smaller_guards(guard: &Guard) -> Vec<Guard> {
    match guard {
        Guard::Not(inner) => {
            let mut found = vec![(**inner).clone()];
            found.extend(smaller_guards(inner).into_iter().map(|inner| Guard::Not(Box::new(inner))));
            found
        }
        Guard::Join(sign, parts) => {
            let mut found = parts.clone();
            for (number, part) in parts.iter().enumerate() {
                for less in smaller_guards(part) {
                    let mut parts = parts.clone();
                    parts[number] = less;
                    found.push(Guard::Join(sign, parts));
                }
            }
            found
        }
        Guard::Compare(sign, left, right) => {
            let pair = [left.clone(), right.clone()];
            let pairs =
                with_one_smaller(&pair).into_iter().filter_map(|terms| <[Term; 2]>::try_from(terms).ok());
            pairs.map(|[left, right]| Guard::Compare(sign, left, right)).collect()
        }
        Guard::Constant(_) | Guard::CompareParts(..) => Vec::new(),
    }
}
