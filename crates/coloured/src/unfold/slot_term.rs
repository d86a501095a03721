//! Terms in the form in which they are evaluated: the variables of a transition are *slots* of a
//! binding, and colours are codes (see [`Domain`](crate::Domain)).

use crate::domain::Domain;
use crate::ids::VariableId;
use crate::net::Net;
use crate::term::{MemberTerm, MultisetTerm};

/// A term for one member of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemberSlot {
    Constant(u32),
    /// The member `shift` steps behind that in a slot, in a class of `size` members; the shift is
    /// smaller than the size.
    Slot {
        slot: u32,
        shift: u32,
        size: u32,
    },
}

/// A term for a multiset of colours.
#[derive(Clone, Debug)]
pub(crate) enum SlotTerm {
    /// One colour: a member for each factor, and the size of its class.
    Colour(Vec<(MemberSlot, u64)>),
    /// All codes below this number.
    All(u64),
    /// Codes of a term without variables, ascending, with their multiplicities.
    Known(Vec<(u64, u64)>),
    /// A product; beside each factor the number of codes of its domain.
    Tuple(Vec<(SlotTerm, u64)>),
    Sum(Vec<SlotTerm>),
    Difference(Box<[SlotTerm; 2]>),
    Scaled(u64, Box<SlotTerm>),
}

/// A multiset of codes, ascending, each once.
pub(crate) type Codes = Vec<(u64, u64)>;

/// A multiset has more colours than may be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooManyColours(pub(super) u128);

impl MemberSlot {
    pub(crate) fn new(net: &Net, term: MemberTerm, slots: &[VariableId]) -> MemberSlot {
        match term {
            MemberTerm::Constant { member, .. } => MemberSlot::Constant(member),
            MemberTerm::Variable { variable, shift } => {
                let size = net.class_of(variable).size();
                let slot = slots.binary_search(&variable).expect("every variable of a transition has a slot");
                MemberSlot::Slot {
                    slot: slot as u32,
                    shift: crate::class::shifted(size, 0, shift),
                    // COL-2: sizes are small.
                    size: size as u32,
                }
            }
        }
    }

    pub(crate) fn value(self, binding: &[u32]) -> u32 {
        match self {
            MemberSlot::Constant(member) => member,
            MemberSlot::Slot { slot, shift, size } => {
                let sum = binding[slot as usize] + shift;
                if sum >= size { sum - size } else { sum }
            }
        }
    }

    pub(crate) fn slot(self) -> Option<u32> {
        match self {
            MemberSlot::Constant(_) => None,
            MemberSlot::Slot { slot, .. } => Some(slot),
        }
    }
}

/// The member from which `shift` steps lead to `member`.
pub(crate) fn unshifted(member: u32, shift: u32, size: u32) -> u32 {
    if member >= shift { member - shift } else { member + size - shift }
}

impl SlotTerm {
    pub(crate) fn new(net: &Net, term: &MultisetTerm, slots: &[VariableId]) -> SlotTerm {
        match term {
            MultisetTerm::Empty(_) => SlotTerm::Known(Vec::new()),
            MultisetTerm::All(domain) => SlotTerm::All(size_of(net, domain)),
            MultisetTerm::Member(member) => {
                let size = net.classes[member.class(net).index()].size();
                SlotTerm::Colour(vec![(MemberSlot::new(net, *member, slots), size)])
            }
            MultisetTerm::Part(id) => {
                let members = &net.partitions[id.partition.index()].parts[id.part as usize].members;
                SlotTerm::Known(members.iter().map(|&member| (u64::from(member), 1)).collect())
            }
            MultisetTerm::Tuple(terms) => {
                let mut members = Vec::new();
                for term in terms {
                    match term {
                        MultisetTerm::Member(member) => {
                            let size = net.classes[member.class(net).index()].size();
                            members.push((MemberSlot::new(net, *member, slots), size));
                        }
                        _ => {
                            let factor = |term| (SlotTerm::new(net, term, slots), domain_size(net, term));
                            return SlotTerm::Tuple(terms.iter().map(factor).collect());
                        }
                    }
                }
                SlotTerm::Colour(members)
            }
            MultisetTerm::Sum(terms) => {
                SlotTerm::Sum(terms.iter().map(|term| SlotTerm::new(net, term, slots)).collect())
            }
            MultisetTerm::Difference(terms) => {
                let [first, second] = &**terms;
                SlotTerm::Difference(Box::new([
                    SlotTerm::new(net, first, slots),
                    SlotTerm::new(net, second, slots),
                ]))
            }
            MultisetTerm::Scaled { count, term } => {
                SlotTerm::Scaled(*count, Box::new(SlotTerm::new(net, term, slots)))
            }
        }
    }

    /// The colours with their multiplicities, which stay at the largest number where they would
    /// exceed it.
    pub(crate) fn codes(&self, binding: &[u32], limit: u64) -> Result<Codes, TooManyColours> {
        match self {
            SlotTerm::Colour(members) => Ok(vec![(colour_code(members, binding), 1)]),
            SlotTerm::All(size) if *size > limit => Err(TooManyColours(u128::from(*size))),
            SlotTerm::All(size) => Ok((0..*size).map(|code| (code, 1)).collect()),
            SlotTerm::Known(codes) => Ok(codes.clone()),
            SlotTerm::Tuple(factors) => {
                let mut product: Codes = vec![(0, 1)];
                for (factor, size) in factors {
                    let codes = factor.codes(binding, limit)?;
                    let count = product.len() as u128 * codes.len() as u128;
                    if count > u128::from(limit) {
                        return Err(TooManyColours(count));
                    }
                    let mut next = Vec::with_capacity(count as usize);
                    for (left, times) in &product {
                        let join =
                            |(right, count): &(u64, u64)| (left * size + right, times.saturating_mul(*count));
                        next.extend(codes.iter().map(join));
                    }
                    product = next;
                }
                Ok(product)
            }
            SlotTerm::Sum(terms) => {
                let mut all = Codes::new();
                for term in terms {
                    all.extend(term.codes(binding, limit)?);
                    if all.len() as u64 > limit {
                        return Err(TooManyColours(all.len() as u128));
                    }
                }
                merge(&mut all);
                Ok(all)
            }
            SlotTerm::Difference(terms) => {
                let mut first = terms[0].codes(binding, limit)?;
                for (code, count) in &mut first {
                    *count = count.saturating_sub(terms[1].multiplicity(*code, binding));
                }
                first.retain(|(_, count)| *count > 0);
                Ok(first)
            }
            SlotTerm::Scaled(0, _) => Ok(Codes::new()),
            SlotTerm::Scaled(times, term) => {
                let mut codes = term.codes(binding, limit)?;
                codes.iter_mut().for_each(|(_, count)| *count = count.saturating_mul(*times));
                Ok(codes)
            }
        }
    }

    /// How many times a colour lies in the multiset.
    pub(crate) fn multiplicity(&self, code: u64, binding: &[u32]) -> u64 {
        match self {
            SlotTerm::Colour(members) => u64::from(colour_code(members, binding) == code),
            SlotTerm::All(_) => 1,
            SlotTerm::Known(codes) => {
                codes.binary_search_by_key(&code, |(known, _)| *known).map_or(0, |position| codes[position].1)
            }
            SlotTerm::Tuple(factors) => {
                let (mut rest, mut product) = (code, 1_u64);
                for (factor, size) in factors.iter().rev() {
                    product = product.saturating_mul(factor.multiplicity(rest % size, binding));
                    rest /= size;
                }
                product
            }
            SlotTerm::Sum(terms) => {
                terms.iter().fold(0, |sum, term| sum.saturating_add(term.multiplicity(code, binding)))
            }
            SlotTerm::Difference(terms) => {
                terms[0].multiplicity(code, binding).saturating_sub(terms[1].multiplicity(code, binding))
            }
            SlotTerm::Scaled(times, term) => term.multiplicity(code, binding).saturating_mul(*times),
        }
    }

    /// Calls `visit` with every slot that occurs.
    pub(crate) fn visit_slots(&self, visit: &mut impl FnMut(u32)) {
        match self {
            SlotTerm::Colour(members) => {
                members.iter().filter_map(|(member, _)| member.slot()).for_each(visit)
            }
            SlotTerm::All(_) | SlotTerm::Known(_) => {}
            SlotTerm::Tuple(factors) => factors.iter().for_each(|(factor, _)| factor.visit_slots(visit)),
            SlotTerm::Sum(terms) => terms.iter().for_each(|term| term.visit_slots(visit)),
            SlotTerm::Difference(terms) => terms.iter().for_each(|term| term.visit_slots(visit)),
            SlotTerm::Scaled(_, term) => term.visit_slots(visit),
        }
    }

    /// The slots that occur, ascending, each once.
    pub(crate) fn slots(&self) -> Vec<u32> {
        let mut slots = Vec::new();
        self.visit_slots(&mut |slot| slots.push(slot));
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// The terms of which this is the sum, without those that are taken 0 times. Multiplicities are
    /// dropped: this is about which colours occur.
    pub(crate) fn summands(&self) -> Vec<&SlotTerm> {
        match self {
            SlotTerm::Sum(terms) => terms.iter().flat_map(SlotTerm::summands).collect(),
            SlotTerm::Scaled(0, _) => Vec::new(),
            SlotTerm::Scaled(_, term) => term.summands(),
            SlotTerm::Known(codes) if codes.is_empty() => Vec::new(),
            _ => vec![self],
        }
    }

    /// One of the colours, under every binding: what needs all of them needs this one. `None` where
    /// no one is sure to occur.
    pub(crate) fn representative(&self, size: u64) -> Option<Vec<(MemberSlot, u64)>> {
        match self {
            SlotTerm::Colour(members) => Some(members.clone()),
            SlotTerm::All(_) => Some(vec![(MemberSlot::Constant(0), size)]),
            SlotTerm::Known(codes) => {
                // Codes of a class are members; those of a product may be too large for one.
                let (code, _) = codes.first()?;
                Some(vec![(MemberSlot::Constant(u32::try_from(*code).ok()?), size)])
            }
            SlotTerm::Tuple(factors) => {
                let mut members = Vec::new();
                for (factor, size) in factors {
                    members.extend(factor.representative(*size)?);
                }
                Some(members)
            }
            SlotTerm::Sum(terms) => terms.first()?.representative(size),
            SlotTerm::Scaled(0, _) | SlotTerm::Difference(_) => None,
            SlotTerm::Scaled(_, term) => term.representative(size),
        }
    }
}

/// The code of one colour.
pub(crate) fn colour_code(members: &[(MemberSlot, u64)], binding: &[u32]) -> u64 {
    members.iter().fold(0, |code, (member, size)| code * size + u64::from(member.value(binding)))
}

/// Puts codes in order, and adds up those that are equal.
pub(crate) fn merge(codes: &mut Codes) {
    if codes.is_sorted_by(|a, b| a.0 < b.0) {
        return;
    }
    codes.sort_unstable();
    codes.dedup_by(|later, kept| {
        let is_equal = later.0 == kept.0;
        if is_equal {
            kept.1 = kept.1.saturating_add(later.1);
        }
        is_equal
    });
}

fn size_of(net: &Net, domain: &Domain) -> u64 {
    // COL-2 bounds the domains of places, of which those of terms are factors.
    domain.size(net).unwrap_or(u64::MAX)
}

fn domain_size(net: &Net, term: &MultisetTerm) -> u64 {
    match term {
        MultisetTerm::Empty(domain) | MultisetTerm::All(domain) => size_of(net, domain),
        MultisetTerm::Member(member) => net.classes[member.class(net).index()].size(),
        MultisetTerm::Part(id) => net.classes[net.partitions[id.partition.index()].class.index()].size(),
        MultisetTerm::Tuple(terms) => terms.iter().map(|term| domain_size(net, term)).product(),
        MultisetTerm::Sum(terms) => terms.first().map_or(1, |term| domain_size(net, term)),
        MultisetTerm::Difference(terms) => domain_size(net, &terms[0]),
        MultisetTerm::Scaled { term, .. } => domain_size(net, term),
    }
}
