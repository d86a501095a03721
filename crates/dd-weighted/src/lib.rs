//! Diagrams with numbers: functions from vectors to natural numbers, or to ∞ where nothing is said.
//!
//! Two kinds stand beside the sets of [`symbolon_dd_mdd::Mdd`], in the same store, over the same
//! levels and events:
//!
//! - An **edge-valued diagram** (EDD, also EV+MDD; Ciardo and Siminiceanu, FMCAD 2002) has a
//!   *weight* on every edge. The value of a vector is the sum of the weights on its path, the
//!   *dangling* weight above the root included:
//!
//!   ```text
//!   ⟦(w, node)⟧(v_k, …, v_1) = w + ⟦edge of node for v_k⟧(v_{k−1}, …, v_1),    ⟦(w, ONE)⟧() = w,    ⟦nothing⟧ = ∞
//!   ```
//!
//! - An **algebraic diagram** (ADD; Bahar and others, FMSD 1997) has the numbers at its terminals
//!   ([`Add`]).
//!
//! The function that matters most is the *distance*: the least number of events that lead to a
//! state. [`Edd::saturate`] computes it for all reachable states at once, at about the price of the
//! states alone, because the events that lead to one part of a state and to another just add up
//! along the path, which is what weights on edges say.
//!
//! ```text
//!     │ 2                     the dangling weight: the least value of all
//!   ┌─▼──────────┐
//!   │ 0 ─0─▶ p   │            edges of one node: value, weight, child; some edge has weight 0 (W1)
//!   │ 1 ─3─▶ q   │            the node remembers the largest value below it (W2)
//!   └────────────┘
//! ```
//!
//! The words of an EDD node are the largest value in it and then weight and child for each value of
//! a *window* of consecutive values, as in sets (`dd-mdd`), whose first value is the tag. The
//! design page says triples of value, weight and child; windows were measured smaller for sets
//! there, and the operations look values up in one step.
//!
//! - **EDD-K1 ordered** – a child of a node at level k is EMPTY or stands at level k − 1.
//! - **EDD-K2 reduced** – the first and the last child of a window are not EMPTY; an EMPTY child
//!   has weight 0.
//! - **W1 normal** – some edge of every EDD node has weight 0: so the value of a function at its
//!   nearest vector is the dangling weight of its root, and equal functions are equal edges.
//! - **W2 largest** – the first number of an EDD node is the largest (finite) value of the node's
//!   function. It says at once whether a bound cuts anything, and at the root it is the
//!   eccentricity of the initial states.
//! - **W3 width** – weights and the largest value are 64-bit and checked
//!   ([`symbolon_budget::Interrupted::Overflow`]). Nodes whose largest value fits 32 bits, nearly
//!   all, hold them in one word each, and are of another kind than the others.
//! - **W4 saturated** – a node that carries the kernel's note is closed under the events of its
//!   level and below, at the bound that is set: see `ops/saturate.rs`.

mod add;
mod dot;
mod edd;
mod edge;
mod frame;
mod ops;
mod slot;
mod validate;

pub use add::{Add, AddKind, Arithmetic, Relation};
pub use edd::{Edd, EddKind};
pub use edge::{Edge, Function};
pub use ops::trace::TraceBack;
