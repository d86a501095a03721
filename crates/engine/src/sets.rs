//! Sets of states of one model: what every kind of diagram offers, and the kinds.
//!
//! From bottom to top: [`linear`] and [`encoding`] bring a model into the form that diagrams take,
//! [`core`] has the trait that every kind implements and the algorithms that are its default
//! methods, [`residual`] and [`synchronous`] are shared by the kinds that push tests down level by
//! level, [`boolean`] by those that stand on Boolean functions, and [`mdd`], [`bdd`],
//! [`sentential`] and [`hierarchical`] are the kinds. Nothing here knows how a model is explored.

pub(crate) mod bdd;
pub(crate) mod boolean;
pub(crate) mod core;
pub(crate) mod distances;
pub(crate) mod encoding;
pub(crate) mod found_trace;
pub(crate) mod hierarchical;
pub(crate) mod kind;
pub(crate) mod linear;
pub(crate) mod mdd;
pub(crate) mod outline;
pub(crate) mod residual;
pub(crate) mod sentential;
pub(crate) mod setup;
pub(crate) mod synchronous;
