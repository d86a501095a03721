//! What the tests of several crates share: random nets, models and formulas by seed, the seeds
//! themselves, nets written in short, and the way to the corpus of real models.
//!
//! A random net is a function of its seed alone, small enough to be explored state by state, and
//! drawn from a fixed [`Distribution`], so that a test over a thousand seeds meets every kind of
//! arc, nets that are not safe, dead markings, and several initial states.
//!
//! A random coloured net has every construct of coloured nets, and with few exceptions few markings.
//!
//! A random formula speaks about a given model, in CTL, LTL or CTL*, or about what agents know and
//! can bring about. A case that fails is made smaller by [`shrink`] before it is shown.
//!
//! ```
//! use symbolon_testkit::{Logic, random_formula, random_model, seeds};
//!
//! for seed in seeds(3) {
//!     let model = random_model(seed);
//!     assert!(!model.initial.is_empty());
//!     let formula = random_formula(&model, Logic::Ctl, 8, seed);
//!     assert!(Logic::Ctl.contains(&formula));
//! }
//! ```

mod corpus;
mod distribution;
mod random_agents;
mod random_coloured;
mod random_events;
mod random_formulas;
mod random_nets;
mod random_numbers;
mod seeds;
mod short_nets;
mod shrink;

pub use corpus::{contest_instance, corpus_folder};
pub use distribution::Distribution;
pub use random_agents::{random_agent_formula, random_agents, random_strategy_formula};
pub use random_coloured::random_coloured_net;
pub use random_events::{random_expr, random_general_model, random_predicate, random_synchronous_model};
pub use random_formulas::{Logic, random_atom, random_formula};
pub use random_nets::{STATE_LIMIT, random_growing_model, random_model, random_net};
pub use random_numbers::RandomNumbers;
pub use seeds::{Seeds, seeds};
pub use short_nets::net_in_short;
pub use shrink::{shrink, shrink_model, smaller_formulas};
