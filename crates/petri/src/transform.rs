//! From a net to another net: without the parts that can never do anything, or with at most one token a
//! place. Each transformation says what it preserves.

mod bit_patterns;
mod drop_dead;
mod safe;

pub use drop_dead::drop_dead;
pub use safe::{MOST_TRANSITIONS, SafeFailure, to_safe_net};
