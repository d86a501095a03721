//! The kinds of diagrams, by name.

use std::fmt;
use std::str::FromStr;

/// A kind of diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiagramKind {
    /// Multi-valued decision diagrams.
    Mdd,
    /// Binary decision diagrams.
    Bdd,
    /// Data decision diagrams.
    Ddd,
    /// Hierarchical set diagrams.
    Set,
    /// Plain ordered sets of states: the reference of the conformance suite. No front end offers it.
    Reference,
}

impl DiagramKind {
    /// The kinds that front ends offer.
    pub const ALL: [DiagramKind; 4] =
        [DiagramKind::Mdd, DiagramKind::Bdd, DiagramKind::Ddd, DiagramKind::Set];

    /// The name of the kind, as the option `diagram` takes it.
    pub fn name(self) -> &'static str {
        match self {
            DiagramKind::Mdd => "mdd",
            DiagramKind::Bdd => "bdd",
            DiagramKind::Ddd => "ddd",
            DiagramKind::Set => "set",
            DiagramKind::Reference => "reference",
        }
    }
}

impl fmt::Display for DiagramKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no kind of diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownDiagram;

impl FromStr for DiagramKind {
    type Err = UnknownDiagram;

    fn from_str(text: &str) -> Result<DiagramKind, UnknownDiagram> {
        DiagramKind::ALL.into_iter().find(|kind| kind.name() == text).ok_or(UnknownDiagram)
    }
}
