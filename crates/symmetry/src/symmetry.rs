//! Which permutations of colours a net does not notice.

use crate::reason::Reason;
use symbolon_coloured::ClassId;

/// The symmetry of a net: what may be done to the members of each class without any change to the
/// initial marking, to guards and to arcs (SYM-1). Permutations of different classes combine freely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// By class.
    pub classes: Vec<ClassSymmetry>,
}

/// The symmetry of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassSymmetry {
    /// How members may be permuted.
    pub kind: Kind,
    /// Why they may not be permuted more freely: one reason per construct that tells members apart
    /// which no construct before it did. Empty if all members can be exchanged.
    pub reasons: Vec<Reason>,
}

/// How the members of a class may be permuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The members of each static subclass in any way (SYM-2).
    Free(Vec<StaticSubclass>),
    /// Members may be rotated: each is replaced by the one that lies some steps behind it in the
    /// circle of the class, all by the same number of steps.
    Rotating,
    /// Not at all.
    Fixed,
}

/// Members of a class that may be exchanged for one another. Ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaticSubclass {
    /// The members.
    pub members: Vec<u32>,
}

impl StaticSubclass {
    /// The number of members.
    pub fn size(&self) -> u64 {
        self.members.len() as u64
    }
}

impl Symmetry {
    /// The symmetry of one class.
    pub fn of(&self, class: ClassId) -> &ClassSymmetry {
        &self.classes[class.index()]
    }

    /// Whether some class is free or rotating.
    pub fn is_useful(&self) -> bool {
        self.classes.iter().any(|class| class.kind != Kind::Fixed)
    }

    /// Whether some class is free.
    pub fn has_free_class(&self) -> bool {
        self.classes.iter().any(|class| matches!(class.kind, Kind::Free(_)))
    }

    /// The same symmetry without rotations: rotating classes are fixed. Rotations gain a factor of
    /// the size of a class at most, and cost that many canonical forms.
    pub fn without_rotations(mut self) -> Symmetry {
        for class in &mut self.classes {
            if class.kind == Kind::Rotating {
                class.kind = Kind::Fixed;
            }
        }
        self
    }
}

impl ClassSymmetry {
    /// The static subclasses; empty unless the class is free.
    pub fn subclasses(&self) -> &[StaticSubclass] {
        match &self.kind {
            Kind::Free(subclasses) => subclasses,
            Kind::Rotating | Kind::Fixed => &[],
        }
    }

    /// The number of the static subclass of each member of a class of `size` members. In a class
    /// that is not free every member has one of its own.
    pub fn subclass_of_members(&self, size: u64) -> Vec<u32> {
        let mut numbers: Vec<u32> = (0..size as u32).collect();
        for (number, subclass) in self.subclasses().iter().enumerate() {
            subclass.members.iter().for_each(|&member| numbers[member as usize] = number as u32);
        }
        numbers
    }
}
