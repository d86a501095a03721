//! The semantics of coloured nets, straight from the definitions: every binding over whole classes,
//! multisets as maps, markings one by one. It shares nothing with the unfolding.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use symbolon_coloured::{
    Arc, ClassId, Domain, Guard, MemberTerm, MultisetTerm, Net, PartTerm, PartitionId, Relation, VariableId,
};

/// A multiset of colours.
type Multiset = BTreeMap<Vec<u32>, u64>;

/// How many tokens of which colour lie in which place; no entry is 0.
pub(crate) type Marking = BTreeMap<(u32, Vec<u32>), u64>;

/// A transition and the members of its variables, in the order of their declaration.
pub(crate) type Firing = (u32, Vec<u32>);

/// What was found.
pub(crate) struct Direct {
    /// The reachable markings, each with what is enabled in it.
    pub(crate) markings: BTreeMap<Marking, BTreeSet<Firing>>,
}

/// One binding of one transition, with its arcs as multisets.
struct Instance {
    firing: Firing,
    inputs: Vec<(u32, Multiset)>,
    reads: Vec<(u32, Multiset)>,
    inhibitors: Vec<(u32, Multiset)>,
    resets: Vec<(u32, Multiset)>,
    outputs: Vec<(u32, Multiset)>,
}

/// Explores a net; `None` if it has more than `limit` markings.
pub(crate) fn explore(net: &Net, limit: usize) -> Option<Direct> {
    let instances = instances(net);
    let mut first = Marking::new();
    for (number, place) in net.places.iter().enumerate() {
        for (colour, count) in multiset(net, &place.initial, &BTreeMap::new()) {
            first.insert((number as u32, colour), count);
        }
    }
    let mut markings = BTreeMap::from([(first.clone(), BTreeSet::new())]);
    let mut queue = VecDeque::from([first]);
    while let Some(marking) = queue.pop_front() {
        let mut enabled = BTreeSet::new();
        for instance in &instances {
            if let Some(next) = fire(&marking, instance) {
                enabled.insert(instance.firing.clone());
                if !markings.contains_key(&next) {
                    if markings.len() == limit || next.values().sum::<u64>() > 200 {
                        return None;
                    }
                    markings.insert(next.clone(), BTreeSet::new());
                    queue.push_back(next);
                }
            }
        }
        markings.insert(marking, enabled);
    }
    Some(Direct { markings })
}

/// Every binding of every transition under which the guard holds.
fn instances(net: &Net) -> Vec<Instance> {
    let mut found = Vec::new();
    for (number, transition) in net.transitions.iter().enumerate() {
        let mut variables = BTreeSet::new();
        transition.guard.visit_variables(&mut |variable| {
            variables.insert(variable);
        });
        for arc in &transition.arcs {
            arc.tokens().visit_variables(&mut |variable| {
                variables.insert(variable);
            });
        }
        let mut bindings: Vec<BTreeMap<VariableId, u32>> = vec![BTreeMap::new()];
        for variable in variables {
            let size = net.class_of(variable).size() as u32;
            let extended = bindings.iter().flat_map(|binding| {
                (0..size).map(move |member| {
                    let mut longer = binding.clone();
                    longer.insert(variable, member);
                    longer
                })
            });
            bindings = extended.collect();
        }
        for binding in bindings {
            if !holds(net, &transition.guard, &binding) {
                continue;
            }
            let mut instance = Instance {
                firing: (number as u32, binding.values().copied().collect()),
                inputs: Vec::new(),
                reads: Vec::new(),
                inhibitors: Vec::new(),
                resets: Vec::new(),
                outputs: Vec::new(),
            };
            for arc in &transition.arcs {
                let list = match arc {
                    Arc::Input { .. } => &mut instance.inputs,
                    Arc::Read { .. } => &mut instance.reads,
                    Arc::Inhibitor { .. } => &mut instance.inhibitors,
                    Arc::Reset { .. } => &mut instance.resets,
                    Arc::Output { .. } => &mut instance.outputs,
                };
                list.push((arc.place().0, multiset(net, arc.tokens(), &binding)));
            }
            found.push(instance);
        }
    }
    found
}

/// The marking after a firing, if it is enabled.
fn fire(marking: &Marking, instance: &Instance) -> Option<Marking> {
    let count = |place: u32, colour: &Vec<u32>| marking.get(&(place, colour.clone())).copied().unwrap_or(0);
    for (place, tokens) in &instance.reads {
        if tokens.iter().any(|(colour, needed)| count(*place, colour) < *needed) {
            return None;
        }
    }
    for (place, tokens) in &instance.inhibitors {
        if tokens.iter().any(|(colour, least)| count(*place, colour) >= *least) {
            return None;
        }
    }
    let mut next = marking.clone();
    for (place, tokens) in &instance.inputs {
        for (colour, needed) in tokens {
            let slot = next.entry((*place, colour.clone())).or_default();
            *slot = slot.checked_sub(*needed)?;
        }
    }
    for (place, tokens) in &instance.resets {
        for colour in tokens.keys() {
            next.insert((*place, colour.clone()), 0);
        }
    }
    for (place, tokens) in &instance.outputs {
        for (colour, put) in tokens {
            *next.entry((*place, colour.clone())).or_default() += put;
        }
    }
    next.retain(|_, count| *count > 0);
    Some(next)
}

fn member(net: &Net, term: MemberTerm, binding: &BTreeMap<VariableId, u32>) -> u32 {
    match term {
        MemberTerm::Constant { member, .. } => member,
        MemberTerm::Variable { variable, shift } => {
            let size = net.class_of(variable).size() as i64;
            let mut value = i64::from(binding[&variable]) + i64::from(shift);
            while value < 0 {
                value += size;
            }
            while value >= size {
                value -= size;
            }
            value as u32
        }
    }
}

/// The multiset that a term denotes; no multiplicity is 0.
fn multiset(net: &Net, term: &MultisetTerm, binding: &BTreeMap<VariableId, u32>) -> Multiset {
    let mut found = match term {
        MultisetTerm::Empty(_) => Multiset::new(),
        MultisetTerm::All(domain) => all(net, domain).into_iter().map(|colour| (colour, 1)).collect(),
        MultisetTerm::Member(term) => Multiset::from([(vec![member(net, *term, binding)], 1)]),
        MultisetTerm::Part(id) => {
            let part = &net.partitions[id.partition.index()].parts[id.part as usize];
            part.members.iter().map(|&member| (vec![member], 1)).collect()
        }
        MultisetTerm::Tuple(terms) => {
            let mut product = Multiset::from([(Vec::new(), 1)]);
            for term in terms {
                let factor = multiset(net, term, binding);
                let mut longer = Multiset::new();
                for (left, times) in &product {
                    for (right, count) in &factor {
                        let colour = left.iter().chain(right).copied().collect();
                        *longer.entry(colour).or_default() += times * count;
                    }
                }
                product = longer;
            }
            product
        }
        MultisetTerm::Sum(terms) => {
            let mut sum = Multiset::new();
            for term in terms {
                for (colour, count) in multiset(net, term, binding) {
                    *sum.entry(colour).or_default() += count;
                }
            }
            sum
        }
        MultisetTerm::Difference(terms) => {
            let mut rest = multiset(net, &terms[0], binding);
            for (colour, count) in multiset(net, &terms[1], binding) {
                if let Some(slot) = rest.get_mut(&colour) {
                    *slot = slot.saturating_sub(count);
                }
            }
            rest
        }
        MultisetTerm::Scaled { count, term } => {
            let scaled = multiset(net, term, binding).into_iter();
            scaled.map(|(colour, times)| (colour, times * count)).collect()
        }
    };
    found.retain(|_, count| *count > 0);
    found
}

fn all(net: &Net, domain: &Domain) -> Vec<Vec<u32>> {
    let mut colours = vec![Vec::new()];
    for class in &domain.0 {
        let size = size(net, *class);
        let longer = colours.iter().flat_map(|colour: &Vec<u32>| {
            (0..size).map(move |member| colour.iter().copied().chain([member]).collect())
        });
        colours = longer.collect();
    }
    colours
}

fn size(net: &Net, class: ClassId) -> u32 {
    net.classes[class.index()].size() as u32
}

fn holds(net: &Net, guard: &Guard, binding: &BTreeMap<VariableId, u32>) -> bool {
    match guard {
        Guard::Constant(truth) => *truth,
        Guard::Compare { left, relation, right } => {
            related(member(net, *left, binding), *relation, member(net, *right, binding))
        }
        Guard::CompareParts { partition, left, relation, right } => {
            related(part(net, *partition, left, binding), *relation, part(net, *partition, right, binding))
        }
        Guard::Not(inner) => !holds(net, inner, binding),
        Guard::And(guards) => guards.iter().all(|guard| holds(net, guard, binding)),
        Guard::Or(guards) => guards.iter().any(|guard| holds(net, guard, binding)),
        Guard::Implies(both) => holds(net, &both[1], binding) || !holds(net, &both[0], binding),
    }
}

fn part(net: &Net, partition: PartitionId, term: &PartTerm, binding: &BTreeMap<VariableId, u32>) -> u32 {
    match term {
        PartTerm::Part(part) => *part,
        PartTerm::Of(term) => {
            let member = member(net, *term, binding);
            let parts = &net.partitions[partition.index()].parts;
            let found = parts.iter().position(|part| part.members.contains(&member));
            found.expect("every member lies in a part") as u32
        }
    }
}

fn related(left: u32, relation: Relation, right: u32) -> bool {
    let order = left.cmp(&right);
    match relation {
        Relation::Equal => order.is_eq(),
        Relation::Unequal => order.is_ne(),
        Relation::Less => order.is_lt(),
        Relation::LessOrEqual => order.is_le(),
        Relation::Greater => order.is_gt(),
        Relation::GreaterOrEqual => order.is_ge(),
    }
}
