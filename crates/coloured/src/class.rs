//! Classes: the finite sets that colours are made of, and their partitions.

use crate::ids::{ClassId, PartitionId};
use std::borrow::Cow;

/// The most members that a class may have.
///
/// A class of a thousand million members is a mistake in the declaration, and tables with one entry
/// per member must stay small.
pub const LARGEST_CLASS_SIZE: u64 = 1_000_000;

/// A finite set of members, which are numbered from 0 on in the order of the declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The identifier.
    pub id: String,
    /// The name, where it differs from the id.
    pub label: Option<Box<str>>,
    /// The members.
    pub members: Members,
}

/// The members of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Members {
    /// The one member of the class of black tokens.
    Dot,
    /// Listed constants in a circle: the successor of the last one is the first one.
    Cyclic(Vec<Constant>),
    /// Listed constants without successors.
    Listed(Vec<Constant>),
    /// The integers from `first` to `last`; the successor of the last one is the first one.
    Range {
        /// The first integer.
        first: i64,
        /// The last integer.
        last: i64,
    },
}

/// A member of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// The identifier. PNML refers to constants by it alone.
    pub id: String,
    /// The name, where it differs from the id. Names may repeat, even within a class.
    pub label: Option<Box<str>>,
}

/// A class cut into disjoint parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The identifier.
    pub id: String,
    /// The name, where it differs from the id.
    pub label: Option<Box<str>>,
    /// The class that is cut.
    pub class: ClassId,
    /// The parts; every member of the class lies in exactly one (COL-3).
    pub parts: Vec<Part>,
}

/// One part of a partition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The identifier.
    pub id: String,
    /// The name, where it differs from the id.
    pub label: Option<Box<str>>,
    /// The members, ascending.
    pub members: Vec<u32>,
}

/// A part of one of the partitions of a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PartId {
    /// The partition.
    pub partition: PartitionId,
    /// The number of the part in it.
    pub part: u32,
}

impl Class {
    /// The class of black tokens.
    pub fn dot() -> Class {
        Class { id: "dot".into(), label: None, members: Members::Dot }
    }

    /// Constants in a circle, whose names are their ids.
    pub fn cyclic<S: Into<String>>(id: impl Into<String>, names: impl IntoIterator<Item = S>) -> Class {
        let constants = names.into_iter().map(Constant::new).collect();
        Class { id: id.into(), label: None, members: Members::Cyclic(constants) }
    }

    /// Constants without successors, whose names are their ids.
    pub fn listed<S: Into<String>>(id: impl Into<String>, names: impl IntoIterator<Item = S>) -> Class {
        let constants = names.into_iter().map(Constant::new).collect();
        Class { id: id.into(), label: None, members: Members::Listed(constants) }
    }

    /// The integers from `first` to `last`.
    pub fn range(id: impl Into<String>, first: i64, last: i64) -> Class {
        Class { id: id.into(), label: None, members: Members::Range { first, last } }
    }

    /// The name by which users know the class.
    pub fn name(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.id)
    }

    /// The number of members. Ranges that break COL-2 may have more than any class may.
    pub fn size(&self) -> u64 {
        match &self.members {
            Members::Dot => 1,
            Members::Cyclic(constants) | Members::Listed(constants) => constants.len() as u64,
            Members::Range { first, last } if first > last => 0,
            Members::Range { first, last } => last.abs_diff(*first).saturating_add(1),
        }
    }

    /// Whether this is the class of black tokens.
    pub fn is_dot(&self) -> bool {
        matches!(self.members, Members::Dot)
    }

    /// Whether members have a successor and a predecessor.
    pub fn is_cyclic(&self) -> bool {
        match self.members {
            Members::Cyclic(_) | Members::Range { .. } => true,
            Members::Dot | Members::Listed(_) => false,
        }
    }

    /// The constants, if the class is an enumeration.
    pub fn constants(&self) -> &[Constant] {
        match &self.members {
            Members::Cyclic(constants) | Members::Listed(constants) => constants,
            Members::Dot | Members::Range { .. } => &[],
        }
    }

    /// The name of a member as its declaration gives it. See [`MemberNames`](crate::MemberNames) for
    /// the text that tells the members of a class apart.
    pub fn member_name(&self, member: u32) -> Cow<'_, str> {
        match &self.members {
            Members::Dot => Cow::Borrowed("dot"),
            Members::Cyclic(constants) | Members::Listed(constants) => {
                Cow::Borrowed(constants[member as usize].name())
            }
            Members::Range { first, .. } => Cow::Owned((first + i64::from(member)).to_string()),
        }
    }

    /// The member that lies `shift` steps behind `member`, in a circle.
    pub fn shifted(&self, member: u32, shift: i32) -> u32 {
        shifted(self.size(), member, shift)
    }
}

/// The member `shift` steps behind `member` in a circle of `size` members.
pub(crate) fn shifted(size: u64, member: u32, shift: i32) -> u32 {
    // COL-2: sizes fit, so neither the sum nor the remainder leaves its type.
    (i64::from(member) + i64::from(shift)).rem_euclid(size as i64) as u32
}

impl Constant {
    /// A constant whose name is its id.
    pub fn new(id: impl Into<String>) -> Constant {
        Constant { id: id.into(), label: None }
    }

    /// The name by which users know the constant.
    pub fn name(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.id)
    }
}

impl Partition {
    /// The part that `member` lies in.
    pub fn part_of(&self, member: u32) -> Option<u32> {
        let position = self.parts.iter().position(|part| part.members.binary_search(&member).is_ok());
        position.map(|position| position as u32)
    }
}

impl Part {
    /// The name by which users know the part.
    pub fn name(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.id)
    }
}
