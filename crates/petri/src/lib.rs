//! Petri nets: the typed source, its readers, its analysis, the built-in families, and the lowering
//! to the event model.

mod access;
pub mod analysis;
mod arc;
pub mod check;
pub mod families;
mod ids;
pub mod incidence;
pub mod lower;
pub mod net;
mod of_model;
pub mod read;
pub mod transform;
pub mod write;

pub use access::{Access, TokenChange};
pub use arc::{Arc, tidy_arcs};
pub use lower::{into_model, lower, lower_with};
pub use net::{Net, Place, PlaceId, Transition, TransitionId, Unit, UnitClaim};
pub use of_model::{NotANet, net_of};
pub use read::Reading;
pub use symbolon_source::{Diagnostic, ReadError, ReadFailure, Severity};
