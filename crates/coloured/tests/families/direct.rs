//! A direct interpreter of the typed source: every binding of every transition, one after the other.

use std::collections::{BTreeMap, HashSet, VecDeque};
use symbolon_coloured::{Arc, MemberTerm, MultisetTerm, Net, PlaceId, VariableId};

type Bag = BTreeMap<Vec<u32>, u64>;
type Marking = Vec<Bag>;

/// The number of reachable markings, and of pairs of a marking and a binding that is enabled in it.
pub(crate) fn counts(net: &Net) -> (usize, usize) {
    let initial: Marking = net.places.iter().map(|place| bag(net, &place.initial, &|_| 0)).collect();
    let mut known = HashSet::from([initial.clone()]);
    let mut waiting = VecDeque::from([initial]);
    let mut edge_count = 0;
    while let Some(marking) = waiting.pop_front() {
        for transition in &net.transitions {
            let variables = transition.variables();
            let mut values = vec![0; variables.len()];
            loop {
                let binding = |variable: VariableId| {
                    values[variables.iter().position(|known| *known == variable).expect("a variable of it")]
                };
                if transition.guard.holds(net, &binding)
                    && let Some(next) = fire(net, &transition.arcs, &marking, &binding)
                {
                    edge_count += 1;
                    if known.insert(next.clone()) {
                        waiting.push_back(next);
                    }
                }
                if !advance(net, &variables, &mut values) {
                    break;
                }
            }
        }
    }
    (known.len(), edge_count)
}

/// The next binding, the last variable fastest; false behind the last one.
fn advance(net: &Net, variables: &[VariableId], values: &mut [u32]) -> bool {
    for (value, variable) in values.iter_mut().zip(variables).rev() {
        *value += 1;
        if u64::from(*value) < net.class_of(*variable).size() {
            return true;
        }
        *value = 0;
    }
    false
}

fn fire(net: &Net, arcs: &[Arc], marking: &Marking, binding: &impl Fn(VariableId) -> u32) -> Option<Marking> {
    let tokens = |marking: &Marking, place: PlaceId, colour: &Vec<u32>| {
        marking[place.index()].get(colour).copied().unwrap_or(0)
    };
    let mut next = marking.clone();
    for arc in arcs {
        let place = arc.place();
        for (colour, count) in bag(net, arc.tokens(), binding) {
            let here = tokens(marking, place, &colour);
            let left = tokens(&next, place, &colour);
            match arc {
                Arc::Input { .. } => drop(next[place.index()].insert(colour, left.checked_sub(count)?)),
                Arc::Read { .. } if here < count => return None,
                Arc::Inhibitor { .. } if here >= count => return None,
                Arc::Reset { .. } => drop(next[place.index()].insert(colour, 0)),
                Arc::Output { .. } => drop(next[place.index()].insert(colour, left + count)),
                Arc::Read { .. } | Arc::Inhibitor { .. } => {}
            }
        }
    }
    next.iter_mut().for_each(|bag| bag.retain(|_, count| *count > 0));
    Some(next)
}

fn bag(net: &Net, term: &MultisetTerm, binding: &impl Fn(VariableId) -> u32) -> Bag {
    let mut found = Bag::new();
    match term {
        MultisetTerm::Empty(_) => {}
        MultisetTerm::All(domain) => {
            let size = domain.size(net).expect("a small domain");
            found.extend((0..size).map(|code| (domain.colour(net, code), 1)));
        }
        MultisetTerm::Member(member) => drop(found.insert(vec![value(net, *member, binding)], 1)),
        MultisetTerm::Part(part) => {
            let members = &net.partitions[part.partition.index()].parts[part.part as usize].members;
            found.extend(members.iter().map(|member| (vec![*member], 1)));
        }
        MultisetTerm::Tuple(terms) => {
            found.insert(Vec::new(), 1);
            for term in terms {
                let part = bag(net, term, binding);
                let longer = |(start, count): (&Vec<u32>, &u64)| {
                    part.iter()
                        .map(|(end, times)| ([start.as_slice(), end].concat(), count * times))
                        .collect::<Vec<_>>()
                };
                found = found.iter().flat_map(longer).collect();
            }
        }
        MultisetTerm::Sum(terms) => {
            for (colour, count) in terms.iter().flat_map(|term| bag(net, term, binding)) {
                *found.entry(colour).or_default() += count;
            }
        }
        MultisetTerm::Difference(terms) => {
            found = bag(net, &terms[0], binding);
            for (colour, count) in bag(net, &terms[1], binding) {
                found.entry(colour).and_modify(|here| *here = here.saturating_sub(count));
            }
        }
        MultisetTerm::Scaled { count, term } => {
            found.extend(bag(net, term, binding).into_iter().map(|(colour, times)| (colour, count * times)));
        }
    }
    found.retain(|_, count| *count > 0);
    found
}

fn value(net: &Net, member: MemberTerm, binding: &impl Fn(VariableId) -> u32) -> u32 {
    member.value(net, binding)
}
