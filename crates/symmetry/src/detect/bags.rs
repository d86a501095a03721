//! Terms as bags of points: the initial marking of a place, or what stands on an arc, as a sum of
//! tuples whose components are constants or symbols.
//!
//! A symbol stands for something that no permutation changes: a variable (its value moves with the
//! permutation), `all`, a table of multiplicities whose different values have been split into
//! different cells, or a term that has bags of its own. If a permutation maps every bag of a term to
//! itself, it does not change the meaning of the term.

use super::Findings;
use crate::reason::Reason;
use rustc_hash::FxHashMap;
use symbolon_budget::{Interrupted, Meter};
use symbolon_coloured::{ClassId, Domain, MemberTerm, MultisetTerm, Net, PlaceId, TransitionId};

/// All bags of a net.
#[derive(Default)]
pub(super) struct Bags {
    pub(super) list: Vec<Bag>,
}

/// Tuples with their multiplicities.
pub(super) struct Bag {
    pub(super) origin: Origin,
    /// By tuple.
    pub(super) points: FxHashMap<Vec<Component>, u64>,
}

/// Where a bag comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Initial(PlaceId),
    /// The arc with this number of a transition.
    Arc(TransitionId, usize),
}

/// A component of a tuple.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Component {
    Constant(ClassId, u32),
    /// The same number for equal terms.
    Symbol(u32),
}

/// The bags of a net that have constants in them. Tables over one class go to `findings` at once, and
/// so do successors.
pub(super) fn collect(net: &Net, findings: &mut Findings, meter: &mut Meter) -> Result<Bags, Interrupted> {
    let mut reader = Reader { net, findings, meter, bags: Bags::default(), symbols: FxHashMap::default() };
    for (place, described) in net.place_ids().zip(&net.places) {
        reader.read(Origin::Initial(place), &described.initial)?;
    }
    for (transition, described) in net.transition_ids().zip(&net.transitions) {
        for (number, arc) in described.arcs.iter().enumerate() {
            reader.read(Origin::Arc(transition, number), arc.tokens())?;
        }
    }
    Ok(reader.bags)
}

struct Reader<'r> {
    net: &'r Net,
    findings: &'r mut Findings,
    meter: &'r mut Meter,
    bags: Bags,
    symbols: FxHashMap<MultisetTerm, u32>,
}

impl Reader<'_> {
    /// Makes a bag of a term.
    fn read(&mut self, origin: Origin, term: &MultisetTerm) -> Result<(), Interrupted> {
        let mut bag = Bag { origin, points: FxHashMap::default() };
        self.add(&mut bag, term, 1)?;
        bag.points.retain(|point, _| point.iter().any(|part| matches!(part, Component::Constant(..))));
        if !bag.points.is_empty() {
            self.bags.list.push(bag);
        }
        Ok(())
    }

    /// Adds a term `count` times to a bag.
    fn add(&mut self, bag: &mut Bag, term: &MultisetTerm, count: u64) -> Result<(), Interrupted> {
        self.meter.step()?;
        match term {
            MultisetTerm::Empty(_) | MultisetTerm::Scaled { count: 0, .. } => Ok(()),
            MultisetTerm::Scaled { count: times, term } => self.add(bag, term, count.saturating_mul(*times)),
            MultisetTerm::Sum(terms) => terms.iter().try_for_each(|term| self.add(bag, term, count)),
            MultisetTerm::Tuple(factors) => {
                let mut point = Vec::with_capacity(factors.len());
                for factor in factors {
                    point.push(self.component(bag.origin, factor)?);
                }
                insert(bag, point, count);
                Ok(())
            }
            MultisetTerm::All(_)
            | MultisetTerm::Member(_)
            | MultisetTerm::Part(_)
            | MultisetTerm::Difference(_) => {
                let component = self.component(bag.origin, term)?;
                insert(bag, vec![component], count);
                Ok(())
            }
        }
    }

    /// A term as a component of a tuple.
    fn component(&mut self, origin: Origin, term: &MultisetTerm) -> Result<Component, Interrupted> {
        match term {
            MultisetTerm::Member(MemberTerm::Constant { class, member }) => {
                return Ok(Component::Constant(*class, *member));
            }
            MultisetTerm::Member(MemberTerm::Variable { variable, shift }) => {
                let class = self.net.variables[variable.index()].class;
                if let (true, Origin::Arc(transition, arc)) = (*shift != 0, origin) {
                    let arc = &self.net.transitions[transition.index()].arcs[arc];
                    self.findings.order(class, || Reason::SuccessorOnArc {
                        transition,
                        place: arc.place(),
                        tokens: arc.tokens().clone(),
                    });
                }
            }
            MultisetTerm::All(_) | MultisetTerm::Empty(_) => {}
            _ => match closed_class(self.net, term) {
                Some(class) => {
                    let table = table(self.net, class, term);
                    self.meter.words(table.len())?;
                    self.findings.split(class, &table, || super::bag_reason(self.net, origin));
                }
                None => match term {
                    MultisetTerm::Difference(both) => {
                        both.iter().try_for_each(|term| self.read(origin, term))?
                    }
                    _ => self.read(origin, term)?,
                },
            },
        }
        let next = self.symbols.len() as u32;
        Ok(Component::Symbol(*self.symbols.entry(term.clone()).or_insert(next)))
    }
}

fn insert(bag: &mut Bag, point: Vec<Component>, count: u64) {
    let sum = bag.points.entry(point).or_default();
    *sum = sum.saturating_add(count);
}

/// The class over which a term is a multiset, if there is only one, and the term has no variables.
fn closed_class(net: &Net, term: &MultisetTerm) -> Option<ClassId> {
    let one = |domain: &Domain| (domain.0.len() == 1).then(|| domain.0[0]);
    match term {
        MultisetTerm::Empty(domain) | MultisetTerm::All(domain) => one(domain),
        MultisetTerm::Member(MemberTerm::Constant { class, .. }) => Some(*class),
        MultisetTerm::Member(MemberTerm::Variable { .. }) | MultisetTerm::Tuple(_) => None,
        MultisetTerm::Part(part) => Some(net.partitions[part.partition.index()].class),
        MultisetTerm::Sum(terms) => {
            let class = closed_class(net, terms.first()?)?;
            terms.iter().all(|term| closed_class(net, term) == Some(class)).then_some(class)
        }
        MultisetTerm::Difference(both) => {
            let class = closed_class(net, &both[0])?;
            (closed_class(net, &both[1]) == Some(class)).then_some(class)
        }
        MultisetTerm::Scaled { term, .. } => closed_class(net, term),
    }
}

/// The multiplicities of the members of a class in a term without variables over that class.
fn table(net: &Net, class: ClassId, term: &MultisetTerm) -> Vec<u64> {
    let mut table = vec![0; net.classes[class.index()].size() as usize];
    add_to_table(net, term, 1, &mut table);
    table
}

fn add_to_table(net: &Net, term: &MultisetTerm, count: u64, out: &mut [u64]) {
    let add = |entry: &mut u64| *entry = entry.saturating_add(count);
    match term {
        MultisetTerm::All(_) => out.iter_mut().for_each(add),
        MultisetTerm::Member(MemberTerm::Constant { member, .. }) => add(&mut out[*member as usize]),
        MultisetTerm::Part(part) => {
            let members = &net.partitions[part.partition.index()].parts[part.part as usize].members;
            members.iter().for_each(|&member| add(&mut out[member as usize]));
        }
        MultisetTerm::Sum(terms) => {
            terms.iter().for_each(|term| add_to_table(net, term, count, out));
        }
        MultisetTerm::Difference(both) => {
            let (mut first, mut second) = (vec![0; out.len()], vec![0; out.len()]);
            add_to_table(net, &both[0], 1, &mut first);
            add_to_table(net, &both[1], 1, &mut second);
            for (out, (first, second)) in out.iter_mut().zip(first.iter().zip(second)) {
                let rest: u64 = first.saturating_sub(second);
                *out = out.saturating_add(rest.saturating_mul(count));
            }
        }
        MultisetTerm::Scaled { count: times, term } => {
            add_to_table(net, term, count.saturating_mul(*times), out);
        }
        // The class is known, so there are neither tuples nor variables.
        MultisetTerm::Empty(_) | MultisetTerm::Tuple(_) | MultisetTerm::Member(_) => {}
    }
}
