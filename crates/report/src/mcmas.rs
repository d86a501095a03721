//! The keys of `mcmas`.

use crate::check::Check;
use crate::values::Integer;
use serde::Serialize;
use symbolon_checker::{PropertyReport, Space};

/// The keys of `mcmas`: those of `check`, and the size of the state space once it is known.
#[derive(Serialize)]
pub struct Mcmas {
    #[serde(flatten)]
    check: Check,
    states: Option<String>,
    depth: Option<Integer>,
    fair: Option<bool>,
}

impl Mcmas {
    /// The keys of these reports.
    pub fn new(reports: &[PropertyReport], space: Option<&Space>) -> Mcmas {
        Mcmas {
            check: Check::new(reports),
            states: space.map(|space| space.states.to_string()),
            depth: space.and_then(|space| space.depth).map(Integer),
            fair: space.map(|space| space.has_fair_path),
        }
    }
}
