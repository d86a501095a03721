//! Guards over slots, with the parts of partitions looked up in tables.

use super::slot_term::MemberSlot;
use crate::guard::{Guard, PartTerm, Relation};
use crate::ids::VariableId;
use crate::net::Net;
use std::rc::Rc;

/// A guard whose variables are slots of a binding.
#[derive(Clone, Debug)]
pub(super) enum SlotGuard {
    Constant(bool),
    Compare(SlotValue, Relation, SlotValue),
    Not(Box<SlotGuard>),
    And(Vec<SlotGuard>),
    Or(Vec<SlotGuard>),
    Implies(Box<[SlotGuard; 2]>),
}

/// A number that is compared.
#[derive(Clone, Debug)]
pub(super) enum SlotValue {
    Member(MemberSlot),
    /// The part of a partition, by member, in which a member lies.
    PartOf(Rc<[u32]>, MemberSlot),
}

impl SlotGuard {
    pub(super) fn new(net: &Net, guard: &Guard, slots: &[VariableId]) -> SlotGuard {
        let inner = |guard: &Guard| SlotGuard::new(net, guard, slots);
        match guard {
            Guard::Constant(truth) => SlotGuard::Constant(*truth),
            Guard::Compare { left, relation, right } => {
                let side = |member| SlotValue::Member(MemberSlot::new(net, member, slots));
                SlotGuard::Compare(side(*left), *relation, side(*right))
            }
            Guard::CompareParts { partition, left, relation, right } => {
                let partition = &net.partitions[partition.index()];
                let size = net.classes[partition.class.index()].size() as usize;
                let mut part_of = vec![0; size];
                for (number, part) in partition.parts.iter().enumerate() {
                    part.members.iter().for_each(|&member| part_of[member as usize] = number as u32);
                }
                let part_of: Rc<[u32]> = part_of.into();
                let side = |part: &PartTerm| match part {
                    PartTerm::Part(part) => SlotValue::Member(MemberSlot::Constant(*part)),
                    PartTerm::Of(member) => {
                        SlotValue::PartOf(Rc::clone(&part_of), MemberSlot::new(net, *member, slots))
                    }
                };
                SlotGuard::Compare(side(left), *relation, side(right))
            }
            Guard::Not(guard) => SlotGuard::Not(Box::new(inner(guard))),
            Guard::And(guards) => SlotGuard::And(guards.iter().map(inner).collect()),
            Guard::Or(guards) => SlotGuard::Or(guards.iter().map(inner).collect()),
            Guard::Implies(both) => SlotGuard::Implies(Box::new([inner(&both[0]), inner(&both[1])])),
        }
    }

    pub(super) fn holds(&self, binding: &[u32]) -> bool {
        match self {
            SlotGuard::Constant(truth) => *truth,
            SlotGuard::Compare(left, relation, right) => {
                relation.holds(left.value(binding), right.value(binding))
            }
            SlotGuard::Not(guard) => !guard.holds(binding),
            SlotGuard::And(guards) => guards.iter().all(|guard| guard.holds(binding)),
            SlotGuard::Or(guards) => guards.iter().any(|guard| guard.holds(binding)),
            SlotGuard::Implies(both) => !both[0].holds(binding) || both[1].holds(binding),
        }
    }
}

impl SlotValue {
    fn value(&self, binding: &[u32]) -> u32 {
        match self {
            SlotValue::Member(member) => member.value(binding),
            SlotValue::PartOf(part_of, member) => part_of[member.value(binding) as usize],
        }
    }
}
