//! The conformance suite: what every kind of state sets must do, one line per kind.
//!
//! A kind of diagram is right if it agrees with plain enumeration: every operation, by every
//! strategy, under several orders, with full tables and with tables so small that collections run
//! all the time, on random models of every form. [`conformance!`] puts a kind to all of it. A kind
//! that lacks a capability has to say so before it starts, and is then excused from the tests that
//! need it.
//!
//! `reference.rs` is a kind on plain ordered sets of states. It shows all that a new kind must
//! provide.

mod agent_logic;
mod agreement;
mod capabilities;
mod kinds;
mod laws;
mod reference;
mod relations;
mod select;
mod temporal;

/// All tests for one kind.
macro_rules! conformance {
    ($name:ident, $kind:ty) => {
        mod $name {
            type Kind = $kind;

            #[test]
            fn laws_of_sets() {
                crate::laws::of_sets::<Kind>();
            }

            #[test]
            fn laws_of_steps() {
                crate::laws::of_steps::<Kind>();
            }

            #[test]
            fn capabilities_are_as_announced() {
                crate::capabilities::are_as_announced::<Kind>();
            }

            #[test]
            fn agreement_on_nets_with_their_facts() {
                crate::agreement::on_nets_with_their_facts::<Kind>();
            }

            #[test]
            fn agreement_on_models_with_several_initial_states() {
                crate::agreement::on_models_with_several_initial_states::<Kind>();
            }

            #[test]
            fn select_on_nets_with_merged_variables() {
                crate::select::on_nets_with_merged_variables::<Kind>();
            }

            #[test]
            fn select_on_random_models() {
                crate::select::on_random_models::<Kind>();
            }

            #[test]
            fn select_values_beyond_32_bits() {
                crate::select::values_beyond_32_bits::<Kind>();
            }

            #[test]
            fn relations_of_general_models() {
                crate::relations::of_general_models::<Kind>();
            }

            #[test]
            fn relations_of_synchronous_models() {
                crate::relations::of_synchronous_models::<Kind>();
            }

            #[test]
            fn relations_with_domains_that_grow() {
                crate::relations::with_domains_that_grow::<Kind>();
            }

            #[test]
            fn relations_that_overflow() {
                crate::relations::that_overflow::<Kind>();
            }

            #[test]
            fn relations_of_merged_variables() {
                crate::relations::of_merged_variables::<Kind>();
            }

            #[test]
            fn temporal_logic_of_nets() {
                crate::temporal::of_nets::<Kind>();
            }

            #[test]
            fn temporal_logic_of_models_with_several_initial_states() {
                crate::temporal::of_models_with_several_initial_states::<Kind>();
            }

            #[test]
            fn temporal_logic_of_general_models() {
                crate::temporal::of_general_models::<Kind>();
            }

            #[test]
            fn temporal_logic_of_synchronous_models() {
                crate::temporal::of_synchronous_models::<Kind>();
            }

            #[test]
            fn agent_logic_under_fairness() {
                crate::agent_logic::strategies_under_fairness::<Kind>();
            }

            #[test]
            fn agent_logic_of_random_agents() {
                crate::agent_logic::formulas_about_agents::<Kind>();
            }
        }
    };
}

conformance!(mdd, crate::kinds::Mdd);
conformance!(bdd, crate::kinds::Bdd);
conformance!(sentential, crate::kinds::Sentential);
conformance!(ddd, crate::kinds::Ddd);
conformance!(set, crate::kinds::Set);
conformance!(reference_kind, crate::reference::Reference);
