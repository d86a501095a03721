//! Sums over (nearly) whole classes as `all`.
//!
//! Some files write `all` as the sum of every constant of a class, and "all but one" as the sum of
//! the others. That hides that the constants are treated alike, and makes terms long.

use crate::domain::Domain;
use crate::ids::ClassId;
use crate::net::Net;
use crate::term::{MemberTerm, MultisetTerm};
use rustc_hash::{FxHashMap, FxHashSet};

/// The same net, in which sums over a whole class are `all`, and sums over more than half of a class
/// are `all` without the rest.
pub fn fold_sums(net: &Net) -> Net {
    fold(net, true)
}

/// The same net, in which sums over a whole class are `all`.
pub(super) fn fold_whole_sums(net: &Net) -> Net {
    fold(net, false)
}

fn fold(net: &Net, may_leave_out: bool) -> Net {
    let mut folded = net.clone();
    for place in &mut folded.places {
        place.initial = fold_term(net, &place.initial, may_leave_out);
    }
    for transition in &mut folded.transitions {
        for arc in &mut transition.arcs {
            *arc = arc.with_tokens(fold_term(net, arc.tokens(), may_leave_out));
        }
    }
    folded
}

fn fold_term(net: &Net, term: &MultisetTerm, may_leave_out: bool) -> MultisetTerm {
    let inner = |term: &MultisetTerm| fold_term(net, term, may_leave_out);
    match term {
        MultisetTerm::Empty(_) | MultisetTerm::All(_) | MultisetTerm::Member(_) | MultisetTerm::Part(_) => {
            term.clone()
        }
        MultisetTerm::Tuple(terms) => {
            // A sum of tuples may become a tuple: COL-5 wants one flat tuple.
            let flat = terms.iter().map(inner).flat_map(|term| match term {
                MultisetTerm::Tuple(inner) => inner,
                term => vec![term],
            });
            MultisetTerm::Tuple(flat.collect())
        }
        MultisetTerm::Sum(terms) => {
            let mut terms: Vec<MultisetTerm> = terms.iter().map(inner).collect();
            let width = terms.iter().map(factor_count).max().unwrap_or(0);
            for position in 0..width {
                terms = fold_position(net, terms, position, may_leave_out);
            }
            match terms.len() {
                1 => terms.remove(0),
                _ => MultisetTerm::Sum(terms),
            }
        }
        MultisetTerm::Difference(terms) => {
            MultisetTerm::Difference(Box::new([inner(&terms[0]), inner(&terms[1])]))
        }
        MultisetTerm::Scaled { count, term } => inner(term).times(*count),
    }
}

/// The terms of a sum, after those that differ in nothing but the constant at `position` have become
/// one term, if there are enough of them.
fn fold_position(
    net: &Net,
    terms: Vec<MultisetTerm>,
    position: usize,
    may_leave_out: bool,
) -> Vec<MultisetTerm> {
    let mut groups: Vec<(MultisetTerm, ClassId, Vec<u32>)> = Vec::new();
    let mut seen: FxHashSet<(usize, u32)> = FxHashSet::default();
    let mut group_of: FxHashMap<MultisetTerm, usize> = FxHashMap::default();
    // Terms stay where they are; a group stands where its first term does.
    let mut places: Vec<Result<usize, MultisetTerm>> = Vec::new();
    for term in terms {
        let Some((class, member)) = constant_at(&term, position) else {
            places.push(Err(term));
            continue;
        };
        let whole = replace(&term, position, MultisetTerm::All(Domain::of(class)));
        match group_of.get(&whole) {
            // A constant that comes twice counts twice, which `all` cannot say.
            Some(&group) if !seen.insert((group, member)) => places.push(Err(term)),
            Some(&group) => groups[group].2.push(member),
            None => {
                group_of.insert(whole.clone(), groups.len());
                places.push(Ok(groups.len()));
                seen.insert((groups.len(), member));
                groups.push((whole, class, vec![member]));
            }
        }
    }
    let mut folded = Vec::new();
    for place in places {
        match place {
            Err(term) => folded.push(term),
            Ok(group) => {
                let (whole, class, members) = &groups[group];
                let one = |member: u32| {
                    let constant = MemberTerm::Constant { class: *class, member };
                    replace(whole, position, MultisetTerm::Member(constant))
                };
                let size = net.classes[class.index()].size() as usize;
                let missing = size - members.len();
                if members.len() > 1 && missing == 0 {
                    folded.push(whole.clone());
                } else if members.len() > 1 && may_leave_out && missing < members.len() {
                    let mut rest: Vec<MultisetTerm> = (0..size as u32)
                        .filter(|member| !seen.contains(&(group, *member)))
                        .map(one)
                        .collect();
                    let rest = if rest.len() == 1 { rest.remove(0) } else { MultisetTerm::Sum(rest) };
                    folded.push(MultisetTerm::Difference(Box::new([whole.clone(), rest])));
                } else {
                    folded.extend(members.iter().copied().map(one));
                }
            }
        }
    }
    folded
}

fn factor_count(term: &MultisetTerm) -> usize {
    match term {
        MultisetTerm::Member(_) => 1,
        MultisetTerm::Tuple(terms) => terms.len(),
        MultisetTerm::Scaled { term, .. } => factor_count(term),
        _ => 0,
    }
}

/// The constant at a position of a tuple, or of a tuple that is taken several times.
fn constant_at(term: &MultisetTerm, position: usize) -> Option<(ClassId, u32)> {
    match term {
        MultisetTerm::Member(MemberTerm::Constant { class, member }) if position == 0 => {
            Some((*class, *member))
        }
        MultisetTerm::Tuple(terms) => match terms.get(position)? {
            MultisetTerm::Member(MemberTerm::Constant { class, member }) => Some((*class, *member)),
            _ => None,
        },
        MultisetTerm::Scaled { term, .. } => constant_at(term, position),
        _ => None,
    }
}

/// The term with another one at a position.
fn replace(term: &MultisetTerm, position: usize, by: MultisetTerm) -> MultisetTerm {
    match term {
        MultisetTerm::Tuple(terms) => {
            let mut terms = terms.clone();
            terms[position] = by;
            MultisetTerm::Tuple(terms)
        }
        MultisetTerm::Scaled { count, term } => {
            MultisetTerm::Scaled { count: *count, term: Box::new(replace(term, position, by)) }
        }
        _ => by,
    }
}
