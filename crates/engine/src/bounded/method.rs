//! The methods, and what they are called.

use std::fmt;
use std::str::FromStr;

/// A way to search within a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// Sets, by rounds of chaining.
    Chain,
    /// Sets, by saturation that counts rounds at every node.
    Local,
    /// Sets, by saturation that counts rounds along every path.
    Global,
    /// Distances on edges, cut roughly.
    EddApprox,
    /// Distances on edges, cut exactly.
    EddExact,
    /// Distances on edges of binary diagrams, cut roughly.
    EvbddApprox,
    /// Distances at the terminals.
    AddExact,
    /// Whatever ends first.
    #[default]
    Auto,
}

impl Method {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Method; 8] = [
        Method::Chain,
        Method::Local,
        Method::Global,
        Method::EddApprox,
        Method::EddExact,
        Method::AddExact,
        Method::EvbddApprox,
        Method::Auto,
    ];

    /// What `--method` calls it.
    pub fn name(self) -> &'static str {
        match self {
            Method::Chain => "mdd-chain",
            Method::Local => "mdd-local",
            Method::Global => "mdd-global",
            Method::EddApprox => "edd-approx",
            Method::EddExact => "edd-exact",
            Method::AddExact => "add-exact",
            Method::EvbddApprox => "evbdd-approx",
            Method::Auto => "auto",
        }
    }

    /// Whether it finds exactly the states within the bound, with their distances.
    pub fn is_exact(self) -> bool {
        matches!(self, Method::EddExact | Method::AddExact | Method::Auto)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongMethod;

impl FromStr for Method {
    type Err = WrongMethod;

    fn from_str(text: &str) -> Result<Method, WrongMethod> {
        Method::ALL.into_iter().find(|method| method.name() == text).ok_or(WrongMethod)
    }
}
