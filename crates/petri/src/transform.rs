//! Nets made from nets. Each transformation is a [`Reduction`](symbolon_reduction::Reduction): it
//! says what it preserves, and maps states and runs back to the net that it started from.
//!
//! A transition with copies, or without any, keeps its meaning through the reduction: "this
//! transition is enabled" reads as "one of its copies is".

mod bit_patterns;
mod drop_dead_parts;
mod drop_redundant_parts;
mod keep_parts;
mod to_safe_net;

pub use drop_dead_parts::drop_dead_parts;
pub use drop_redundant_parts::drop_redundant_parts;
pub use to_safe_net::{MOST_TRANSITIONS, SafeFailure, to_safe_net};
