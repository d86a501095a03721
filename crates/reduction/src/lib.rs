//! Transformations that map back.
//!
//! A [`Reduction`] is what became of a net, a model or a quotient, together with all that is needed
//! to answer questions about the *original* on the result:
//!
//! ```text
//!                  transform
//!      original ───────────────▶ result
//!         ▲                        │ explore, search, count
//!         │   preserves: which answers are those of the original
//!         │   lift:      states and runs of the result as states and runs of the original
//!         │   weigh:     how many original states and edges a state of the result stands for,
//!         │              and how sums of variables and enabled events read in the result
//!         └────────────────────────┘
//! ```
//!
//! Reductions compose ([`Reduction::then`]): the preserved claims intersect, the lifts chain, and
//! the weights multiply. A lifted run is replayed on the original before anything is reported.
//!
//! Variables and events are those of models. A net lowers to a model whose variables and events
//! have the numbers of its places and transitions, so a `Reduction<Net>` speaks about both.
//!
//! Invariants, which the tests of every transformation check by explicit search:
//! - **RED-1** a claim in `preserves` is true of the result and the original, with every atom read
//!   through [`Weigh`].
//! - **RED-2** a lifted run is a run of the original, and a lifted state is a reachable state of
//!   the original if the state of the result is reachable.
//! - **RED-3** a sum that reads in the result has there, in every reachable state, the value that
//!   it has in every original state which that state stands for.

mod compose;
mod lift;
mod one_to_one;
mod preserves;
mod read_formula;
mod weigh;

pub use lift::{Lift, LiftedRun, NoLift};
pub use one_to_one::OneToOne;
pub use preserves::{Atoms, Claim, FormulaClass, Preserves, Scope};
pub use weigh::Weigh;

use std::sync::Arc;

/// The result of a transformation, and the way back.
#[derive(Clone, Debug)]
pub struct Reduction<T> {
    /// What the original became.
    pub result: T,
    /// Which answers about the result are answers about the original.
    pub preserves: Preserves,
    /// How states and runs of the result become those of the original.
    pub lift: Arc<dyn Lift>,
    /// What a state of the result stands for.
    pub weigh: Arc<dyn Weigh>,
}

impl<T> Reduction<T> {
    /// The same reduction with its result in another form, whose variables and events have the same
    /// numbers: a net that is lowered to a model, for instance.
    pub fn map<U>(self, form: impl FnOnce(T) -> U) -> Reduction<U> {
        let Reduction { result, preserves, lift, weigh } = self;
        Reduction { result: form(result), preserves, lift, weigh }
    }
}
