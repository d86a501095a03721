//! Patterns and conditions: what a binding of a transition must match and satisfy.

use super::slot_guard::SlotGuard;
use super::slot_term::{MemberSlot, unshifted};
use crate::guard::{Guard, Relation};
use crate::ids::{PlaceId, VariableId};
use crate::net::Net;
use crate::term::MemberTerm;

/// A colour of a place that must be marked, in terms of slots.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) place: PlaceId,
    /// A member for each factor, and the size of its class.
    pub(super) members: Vec<(MemberSlot, u64)>,
}

/// A conjunct of a guard.
#[derive(Debug)]
pub(super) struct Condition {
    pub(super) guard: SlotGuard,
    pub(super) slots: Vec<u32>,
    /// The sides, if it is an equality.
    equal: Option<[MemberSlot; 2]>,
}

impl Pattern {
    pub(super) fn has(&self, slot: u32) -> bool {
        self.members.iter().any(|(member, _)| member.slot() == Some(slot))
    }
}

impl Condition {
    pub(super) fn new(net: &Net, guard: &Guard, variables: &[VariableId]) -> Condition {
        let mut slots = Vec::new();
        guard.visit_members(&mut |member| slots.extend(MemberSlot::new(net, member, variables).slot()));
        slots.sort_unstable();
        slots.dedup();
        let side = |member: MemberTerm| MemberSlot::new(net, member, variables);
        let equal = match guard {
            Guard::Compare { left, relation: Relation::Equal, right } => Some([side(*left), side(*right)]),
            _ => None,
        };
        Condition { guard: SlotGuard::new(net, guard, variables), slots, equal }
    }

    /// The one slot that is not bound and the value that an equality leaves for it, if this is one.
    pub(super) fn assignment(&self, is_bound: impl Fn(u32) -> bool) -> Option<(u32, MemberSlot)> {
        let [left, right] = self.equal?;
        for (one, other) in [(left, right), (right, left)] {
            let MemberSlot::Slot { slot, shift, size } = one else { continue };
            if is_bound(slot) || other.slot().is_some_and(|other| other == slot || !is_bound(other)) {
                continue;
            }
            let value = match other {
                MemberSlot::Constant(member) => MemberSlot::Constant(unshifted(member, shift, size)),
                MemberSlot::Slot { slot, shift: steps, size } => {
                    MemberSlot::Slot { slot, shift: unshifted(steps, shift, size), size }
                }
            };
            return Some((slot, value));
        }
        None
    }
}
