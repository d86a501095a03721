//! The methods of bounded search by their names: those of diagrams, and those of satisfiability.

use std::fmt;
use std::str::FromStr;
use symbolon_engine::bounded::Method as DiagramMethod;

/// A way to search for a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundedMethod {
    /// By decision diagrams.
    Diagrams(DiagramMethod),
    /// By satisfiability.
    Sat(SatMethod),
}

/// A way to search by satisfiability, from 0 steps on. None of them needs a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SatMethod {
    /// A step is a set of events that may happen in every order.
    Step,
    /// A step is one event: the first state found is a nearest one.
    Interleaving,
    /// A step is some events in a fixed order, each seeing what those before it did.
    Chain,
    /// A step is one event, and each round tries a proof by induction that there is nothing to
    /// find.
    Induction,
}

impl SatMethod {
    /// All of them, in the order in which they are listed.
    pub const ALL: [SatMethod; 4] =
        [SatMethod::Step, SatMethod::Interleaving, SatMethod::Chain, SatMethod::Induction];

    /// What `--method` calls it.
    pub fn name(self) -> &'static str {
        match self {
            SatMethod::Step => "sat-step",
            SatMethod::Interleaving => "sat-interleaving",
            SatMethod::Chain => "sat-chain",
            SatMethod::Induction => "k-induction",
        }
    }
}

impl BoundedMethod {
    /// All of them, in the order in which they are listed.
    pub fn all() -> impl Iterator<Item = BoundedMethod> {
        let diagrams = DiagramMethod::ALL.into_iter().map(BoundedMethod::Diagrams);
        diagrams.chain(SatMethod::ALL.into_iter().map(BoundedMethod::Sat))
    }

    /// What `--method` calls it.
    pub fn name(self) -> &'static str {
        match self {
            BoundedMethod::Diagrams(method) => method.name(),
            BoundedMethod::Sat(method) => method.name(),
        }
    }

    /// Whether it cannot do without a bound.
    pub fn needs_bound(self) -> bool {
        matches!(self, BoundedMethod::Diagrams(method) if method != DiagramMethod::Auto)
    }
}

impl Default for BoundedMethod {
    fn default() -> BoundedMethod {
        BoundedMethod::Diagrams(DiagramMethod::Auto)
    }
}

impl fmt::Display for BoundedMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongMethod;

impl FromStr for BoundedMethod {
    type Err = WrongMethod;

    fn from_str(text: &str) -> Result<BoundedMethod, WrongMethod> {
        BoundedMethod::all().find(|method| method.name() == text).ok_or(WrongMethod)
    }
}
