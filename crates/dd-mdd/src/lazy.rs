//! Relations whose steps are computed when they are first asked for.
//!
//! An event that compares and combines several values is no list of actions, one a level. It is
//! given by its *residuals*: what remains to be tested and changed once the values of the levels
//! above are known. A residual has a number, a highest level on which it acts, and for each code of
//! that level the codes it leads to, with the residual for what lies below. The caller that gives
//! events this way knows what the numbers stand for; here they are suffixes like those of other
//! events ([`crate::Relation`]), so that every operation fires them.

use crate::domain::Domain;
use symbolon_budget::Interrupted;

/// The residual that tests and changes nothing more.
pub const DONE: u32 = 0;

/// The code of a step that leads nowhere: a value that cannot be held. Such a step is followed,
/// because what lies below decides whether it is taken at all, in which case [`LazySteps::steps`]
/// fails.
pub const NOWHERE: u32 = u32::MAX;

/// What numbers of residuals stand for.
pub trait LazySteps: Send {
    /// The highest level on which a residual other than [`DONE`] acts.
    fn level(&self, residual: u32) -> u32;

    /// Appends to `found` where a residual leads from `code` at its level: codes, and the residuals
    /// of what lies below.
    fn steps(
        &mut self,
        residual: u32,
        code: u32,
        domain: &mut Domain,
        found: &mut Vec<(u32, u32)>,
    ) -> Result<(), Interrupted>;
}

/// An event that is given by residuals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LazyEvent {
    /// The number of the event.
    pub event: usize,
    /// What it does.
    pub steps: u32,
    /// Where it is enabled: a residual that changes nothing and leads from each code to at most
    /// one.
    pub guard: u32,
}

/// The source of residuals, if there is any.
pub(crate) type Lazy = Option<Box<dyn LazySteps>>;
