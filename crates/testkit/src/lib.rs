//! What the tests of several crates share: random nets and models by seed, the seeds themselves,
//! and the way to the corpus of real models.
//!
//! A random net is a function of its seed alone, small enough to be explored state by state, and
//! drawn from a fixed [`Distribution`], so that a test over a thousand seeds meets every kind of
//! arc, nets that are not safe, dead markings, and several initial states.
//!
//! ```
//! use symbolon_testkit::{random_model, seeds};
//!
//! for seed in seeds(3) {
//!     let model = random_model(seed);
//!     assert!(!model.initial.is_empty());
//! }
//! ```

mod corpus;
mod distribution;
mod random_nets;
mod random_numbers;
mod seeds;

pub use corpus::{contest_instance, corpus_folder};
pub use distribution::Distribution;
pub use random_nets::{STATE_LIMIT, random_model, random_net};
pub use random_numbers::RandomNumbers;
pub use seeds::{Seeds, seeds};
