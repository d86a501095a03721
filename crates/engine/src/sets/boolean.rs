//! Models written on bits, over any kernel of Boolean functions.
//!
//! ```text
//! variable of the model ──bits.rs──▶ bits, some with primed twins
//! predicates, expressions ──arithmetic.rs──▶ functions of bits
//! initial states ──initial.rs──▶ functions of bits
//! synchronous steps ──synchronous.rs──▶ clusters of a relation, actions quantified
//! ```
//!
//! Binary and sentential diagrams share all of it ([`symbolon_dd_core::Functions`]); how they fire
//! asynchronous events differs.

pub(crate) mod arithmetic;
pub(crate) mod bits;
pub(crate) mod events;
pub(crate) mod initial;
pub(crate) mod synchronous;
