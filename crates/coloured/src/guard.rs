//! Guards: the conditions on bindings.

use crate::ids::{PartitionId, VariableId};
use crate::term::MemberTerm;

/// A condition on the variables of a transition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Guard {
    /// Always true, or never.
    Constant(bool),
    /// A comparison of two members of one class, by their numbers.
    Compare {
        /// The left member.
        left: MemberTerm,
        /// What is asked.
        relation: Relation,
        /// The right member.
        right: MemberTerm,
    },
    /// A comparison of two parts of one partition, by their numbers.
    CompareParts {
        /// The partition.
        partition: PartitionId,
        /// The left part.
        left: PartTerm,
        /// What is asked.
        relation: Relation,
        /// The right part.
        right: PartTerm,
    },
    /// The condition is false.
    Not(Box<Guard>),
    /// All of these are true.
    And(Vec<Guard>),
    /// One of these is true, or several.
    Or(Vec<Guard>),
    /// If the first is true, so is the second.
    Implies(Box<[Guard; 2]>),
}

/// A term that denotes a part of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartTerm {
    /// The part with this number.
    Part(u32),
    /// The part in which a member lies.
    Of(MemberTerm),
}

/// How two members, or two parts, are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `=`
    Equal,
    /// `≠`
    Unequal,
    /// `<`
    Less,
    /// `≤`
    LessOrEqual,
    /// `>`
    Greater,
    /// `≥`
    GreaterOrEqual,
}

impl Relation {
    /// Whether `left` and `right` are so related.
    pub fn holds(self, left: u32, right: u32) -> bool {
        match self {
            Relation::Equal => left == right,
            Relation::Unequal => left != right,
            Relation::Less => left < right,
            Relation::LessOrEqual => left <= right,
            Relation::Greater => left > right,
            Relation::GreaterOrEqual => left >= right,
        }
    }

    /// The relation that holds exactly where this one does not.
    pub fn negated(self) -> Relation {
        match self {
            Relation::Equal => Relation::Unequal,
            Relation::Unequal => Relation::Equal,
            Relation::Less => Relation::GreaterOrEqual,
            Relation::LessOrEqual => Relation::Greater,
            Relation::Greater => Relation::LessOrEqual,
            Relation::GreaterOrEqual => Relation::Less,
        }
    }
}

impl Guard {
    /// Calls `visit` with every term for a member of a class, from left to right.
    pub fn visit_members(&self, visit: &mut impl FnMut(MemberTerm)) {
        match self {
            Guard::Constant(_) => {}
            Guard::Compare { left, right, .. } => {
                visit(*left);
                visit(*right);
            }
            Guard::CompareParts { left, right, .. } => {
                for part in [left, right] {
                    if let PartTerm::Of(member) = part {
                        visit(*member);
                    }
                }
            }
            Guard::Not(inner) => inner.visit_members(visit),
            Guard::And(guards) | Guard::Or(guards) => {
                guards.iter().for_each(|guard| guard.visit_members(visit));
            }
            Guard::Implies(both) => both.iter().for_each(|guard| guard.visit_members(visit)),
        }
    }

    /// Calls `visit` with every variable, from left to right; one that occurs twice comes twice.
    pub fn visit_variables(&self, visit: &mut impl FnMut(VariableId)) {
        self.visit_members(&mut |member| {
            if let MemberTerm::Variable { variable, .. } = member {
                visit(variable);
            }
        });
    }
}
