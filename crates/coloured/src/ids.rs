//! The numbers by which the parts of a coloured net refer to each other.

/// Defines a number of one kind of part.
macro_rules! number {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// The number as an index into tables with one entry per part of this kind.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

number!(
    /// The number of a class in its net.
    ClassId
);
number!(
    /// The number of a partition in its net.
    PartitionId
);
number!(
    /// The number of a variable in its net.
    VariableId
);
number!(
    /// The number of a place of a coloured net.
    PlaceId
);
number!(
    /// The number of a transition of a coloured net.
    TransitionId
);
number!(
    /// The number of a page in its net.
    PageId
);
