//! The kinds of diagrams: one table, with one line per kind.

use std::fmt;
use std::str::FromStr;

/// Calls a macro with the table of kinds. A line has the kind, its name, the name of the kernel
/// that stores its nodes, how it is set up for a model and options, the function that explores with
/// that set-up, and what the kind is. This module makes the names of it, `explore/kinds.rs` the way
/// from a name to state sets; front ends list the kinds from here.
macro_rules! with_diagram_kinds {
    ($expand:ident) => {
        $expand! {
            Mdd "mdd" "mdd" (|_: &Model, _: &ExploreOptions| MddSetup) explore_with, "Multi-valued decision diagrams";
            Bdd "bdd" "bdd" (|model: &Model, options: &ExploreOptions| BddSetup::new(model, options.order.heuristic(), options.reordering))
                explore_with, "Binary decision diagrams";
            Sentential "sentential" "sentential" (|model: &Model, options: &ExploreOptions| SententialSetup::new(model, options.order.heuristic(), options.vtree.clone(), options.reordering).quantifying(options.quantification))
                explore_under_vtree, "Sentential decision diagrams";
            Ddd "ddd" "hierarchical" (|_: &Model, _: &ExploreOptions| DddSetup) explore_with, "Data decision diagrams";
            Set "set" "hierarchical" (|_: &Model, _: &ExploreOptions| DddSetup) explore_in_tree, "Hierarchical set decision diagrams";
        }
    };
}

pub(crate) use with_diagram_kinds;

macro_rules! declare_kinds {
    ($($kind:ident $name:literal $kernel:literal ($setup:expr) $explore:ident, $doc:literal;)*) => {
        /// A kind of diagram.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum DiagramKind {
            $(#[doc = concat!($doc, ".")] $kind,)*
        }

        impl DiagramKind {
            /// All kinds.
            pub const ALL: &[DiagramKind] = &[$(DiagramKind::$kind,)*];

            /// The name of the kind, as the option `diagram` takes it.
            pub fn name(self) -> &'static str {
                match self {
                    $(DiagramKind::$kind => $name,)*
                }
            }

            /// The name of the kernel that stores the nodes of the kind; several kinds may share
            /// one.
            pub fn kernel(self) -> &'static str {
                match self {
                    $(DiagramKind::$kind => $kernel,)*
                }
            }

            /// What the kind is, in a few words for lists of choices.
            pub fn description(self) -> &'static str {
                match self {
                    $(DiagramKind::$kind => $doc,)*
                }
            }
        }
    };
}

with_diagram_kinds!(declare_kinds);

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
        DiagramKind::ALL.iter().copied().find(|kind| kind.name() == text).ok_or(UnknownDiagram)
    }
}
