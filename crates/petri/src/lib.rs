//! Petri nets: the typed source, its readers, its analysis, the built-in families, and the lowering
//! to the event model.

pub mod net;
mod rare;

pub use net::{Net, Place, PlaceId, Transition, TransitionId, Unit, UnitClaim};
pub use rare::Rare;

pub mod lower;
pub use lower::{lower, lower_away, lower_with};
mod of_model;
pub use of_model::{NotANet, net_of};
pub mod analysis;
pub mod check;
pub mod incidence;
pub mod read;
pub mod transform;
pub mod write;
pub use read::Reading;
pub use symbolon_source::{Diagnostic, ReadError, ReadFailure, Severity};

pub mod families;
