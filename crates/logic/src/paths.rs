//! What a path is, and what happens where it ends.

use std::fmt;
use std::str::FromStr;

/// Which paths a formula speaks about. It belongs to a property, not to a checker: each source of
/// formulas sets it.
///
/// A state is *dead* if nothing can happen in it. Where no state is dead, all three say the same.
///
/// | at a dead state | `EX f` | `AX f` | `EG f`, `AF f` |
/// | --- | --- | --- | --- |
/// | `Maximal` | false | true | `f` |
/// | `Stutter` | `f` | `f` | `f` |
/// | `Infinite` | false | true | `EG`: false, `AF`: true |
///
/// In general, `E f` is read with `f` in negation normal form, and `A f` is `! E ! f`. Both others
/// are then expressed by `Stutter`: under `Maximal` every `X f` below `E` means `!deadlock & X f`,
/// and under `Infinite` `E f` means `E (f & G !deadlock)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Paths {
    /// Paths are infinite, or end in a dead state; there, nothing is next. CTL of the contest.
    #[default]
    Maximal,
    /// A path that comes to a dead state stays there forever. LTL of the contest.
    Stutter,
    /// Paths are infinite; a dead state has none. ISPL.
    Infinite,
}

impl Paths {
    /// All of them.
    pub const ALL: [Paths; 3] = [Paths::Maximal, Paths::Stutter, Paths::Infinite];

    /// The word of the command line.
    pub fn name(self) -> &'static str {
        match self {
            Paths::Maximal => "maximal",
            Paths::Stutter => "stutter",
            Paths::Infinite => "infinite",
        }
    }
}

impl fmt::Display for Paths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No path semantics has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown path semantics '{0}', expected maximal, stutter or infinite")]
pub struct UnknownPaths(pub String);

impl FromStr for Paths {
    type Err = UnknownPaths;

    fn from_str(text: &str) -> Result<Paths, UnknownPaths> {
        Paths::ALL
            .into_iter()
            .find(|paths| paths.name() == text)
            .ok_or_else(|| UnknownPaths(text.to_string()))
    }
}
