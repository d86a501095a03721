//! Terms: what stands on arcs and in initial markings.
//!
//! A term over a domain denotes, under a binding of its variables, a multiset of colours of that
//! domain. Terms are kept as written, except that products are flat: a tuple in a tuple is one long
//! tuple, and a variable of a product has become one variable per factor.

use crate::class::PartId;
use crate::domain::Domain;
use crate::ids::{ClassId, VariableId};

/// A term that denotes one member of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemberTerm {
    /// A constant.
    Constant {
        /// Its class.
        class: ClassId,
        /// The number of the member.
        member: u32,
    },
    /// A variable, or a member some steps behind it: `x`, `x++`, `x--`.
    Variable {
        /// The variable.
        variable: VariableId,
        /// How many times the successor is taken; negative for predecessors.
        shift: i32,
    },
}

/// A term that denotes a multiset of colours.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MultisetTerm {
    /// No colour of this domain.
    Empty(Domain),
    /// Every colour of this domain, once.
    All(Domain),
    /// One member of a class, once.
    Member(MemberTerm),
    /// Every member of a part of a partition, once.
    Part(PartId),
    /// The product of multisets: colours are joined, and their multiplicities multiplied.
    Tuple(Vec<MultisetTerm>),
    /// The sum of multisets over one domain.
    Sum(Vec<MultisetTerm>),
    /// The first multiset without the second: multiplicities are subtracted, and never fall below 0.
    Difference(Box<[MultisetTerm; 2]>),
    /// A multiset, `count` times.
    Scaled {
        /// How many times.
        count: u64,
        /// The multiset.
        term: Box<MultisetTerm>,
    },
}

impl MemberTerm {
    /// A variable.
    pub fn variable(variable: VariableId) -> MemberTerm {
        MemberTerm::Variable { variable, shift: 0 }
    }

    /// The term `steps` steps further, in a class of `size` members. Shifts of constants are worked
    /// out, and shifts of variables stay below the size (COL-5).
    pub fn shifted(self, size: u64, steps: i32) -> MemberTerm {
        match self {
            MemberTerm::Constant { class, member } => {
                MemberTerm::Constant { class, member: crate::class::shifted(size, member, steps) }
            }
            MemberTerm::Variable { variable, shift } => {
                let sum = (i64::from(shift) + i64::from(steps)) % (size.max(1) as i64);
                MemberTerm::Variable { variable, shift: sum as i32 }
            }
        }
    }
}

impl MultisetTerm {
    /// One colour: a tuple of members, or the member itself if there is only one.
    pub fn colour(members: impl IntoIterator<Item = MemberTerm>) -> MultisetTerm {
        let mut components: Vec<MultisetTerm> = members.into_iter().map(MultisetTerm::Member).collect();
        match components.len() {
            1 => components.remove(0),
            _ => MultisetTerm::Tuple(components),
        }
    }

    /// This multiset `count` times; once is the multiset itself.
    pub fn times(self, count: u64) -> MultisetTerm {
        match count {
            1 => self,
            _ => MultisetTerm::Scaled { count, term: Box::new(self) },
        }
    }

    /// The sum of this multiset and another one over the same domain; sums in it are flat.
    pub fn plus(self, other: MultisetTerm) -> MultisetTerm {
        let mut terms = match self {
            MultisetTerm::Sum(terms) => terms,
            term => vec![term],
        };
        match other {
            MultisetTerm::Sum(more) => terms.extend(more),
            term => terms.push(term),
        }
        MultisetTerm::Sum(terms)
    }

    /// This multiset without another one over the same domain.
    pub fn minus(self, other: MultisetTerm) -> MultisetTerm {
        MultisetTerm::Difference(Box::new([self, other]))
    }

    /// Calls `visit` with every term for a member of a class, from left to right.
    pub fn visit_members(&self, visit: &mut impl FnMut(MemberTerm)) {
        match self {
            MultisetTerm::Empty(_) | MultisetTerm::All(_) | MultisetTerm::Part(_) => {}
            MultisetTerm::Member(member) => visit(*member),
            MultisetTerm::Tuple(terms) | MultisetTerm::Sum(terms) => {
                terms.iter().for_each(|term| term.visit_members(visit));
            }
            MultisetTerm::Difference(terms) => terms.iter().for_each(|term| term.visit_members(visit)),
            MultisetTerm::Scaled { term, .. } => term.visit_members(visit),
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
