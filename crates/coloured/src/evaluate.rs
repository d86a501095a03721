//! What terms and guards mean in a net, under a binding of its variables.

use crate::guard::{Guard, PartTerm};
use crate::ids::{ClassId, VariableId};
use crate::net::Net;
use crate::term::MemberTerm;

impl MemberTerm {
    /// The class of what the term denotes.
    pub fn class(self, net: &Net) -> ClassId {
        match self {
            MemberTerm::Constant { class, .. } => class,
            MemberTerm::Variable { variable, .. } => net.variables[variable.index()].class,
        }
    }

    /// The member that the term denotes, where `binding` gives the member of each variable.
    pub fn value(self, net: &Net, binding: impl Fn(VariableId) -> u32) -> u32 {
        match self {
            MemberTerm::Constant { member, .. } => member,
            MemberTerm::Variable { variable, shift } => {
                let class = &net.classes[net.variables[variable.index()].class.index()];
                class.shifted(binding(variable), shift)
            }
        }
    }
}

impl Guard {
    /// Whether the guard holds, where `binding` gives the member of each variable.
    pub fn holds(&self, net: &Net, binding: &impl Fn(VariableId) -> u32) -> bool {
        match self {
            Guard::Constant(truth) => *truth,
            Guard::Compare { left, relation, right } => {
                relation.holds(left.value(net, binding), right.value(net, binding))
            }
            Guard::CompareParts { partition, left, relation, right } => {
                let part = |term: &PartTerm| match term {
                    PartTerm::Part(part) => Some(*part),
                    PartTerm::Of(member) => {
                        net.partitions[partition.index()].part_of(member.value(net, binding))
                    }
                };
                // COL-3: every member lies in a part.
                matches!((part(left), part(right)), (Some(left), Some(right)) if relation.holds(left, right))
            }
            Guard::Not(inner) => !inner.holds(net, binding),
            Guard::And(all) => all.iter().all(|guard| guard.holds(net, binding)),
            Guard::Or(any) => any.iter().any(|guard| guard.holds(net, binding)),
            Guard::Implies(both) => !both[0].holds(net, binding) || both[1].holds(net, binding),
        }
    }
}
