//! How often random models show what tests want to meet.

use crate::{STATE_LIMIT, random_model, random_net};
use std::fmt;
use symbolon_budget::Budget;
use symbolon_explicit::{Options, explore};
use symbolon_petri::Arc;

/// How many of a number of random models have each property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Distribution {
    /// The number of models.
    pub models: u64,
    /// Some place holds two tokens in some state.
    pub not_safe: u64,
    /// A dead state can be reached.
    pub dead: u64,
    /// There is an inhibitor arc.
    pub inhibitors: u64,
    /// There is a read arc.
    pub reads: u64,
    /// There is a reset arc.
    pub resets: u64,
    /// Some weight is above 1.
    pub weights: u64,
    /// There are several initial states.
    pub several_initial: u64,
    /// Some event is never enabled.
    pub never_enabled: u64,
    /// Some variable keeps its value.
    pub constant: u64,
    /// There are a hundred states or more.
    pub hundred_states: u64,
    /// The number of states of all models together.
    pub states: u64,
}

impl Distribution {
    /// Counts over the models of these seeds.
    pub fn measure(seeds: impl IntoIterator<Item = u64>) -> Self {
        let mut counts = Distribution::default();
        for seed in seeds {
            counts.add(seed);
        }
        counts
    }

    fn add(&mut self, seed: u64) {
        let net = random_net(seed);
        let model = random_model(seed);
        let options = Options { state_limit: Some(STATE_LIMIT) };
        let found = explore(&model, &options, &Budget::unlimited()).expect("random models are small");
        let has = |kind: fn(&Arc) -> bool| {
            u64::from(net.transitions.iter().flat_map(|transition| &transition.arcs).any(kind))
        };
        self.models += 1;
        self.not_safe += u64::from(found.max_in_variable() > 1);
        self.dead += u64::from(!found.dead_states().is_empty());
        self.inhibitors += has(|arc| matches!(arc, Arc::Inhibitor { .. }));
        self.reads += has(|arc| matches!(arc, Arc::Read { .. }));
        self.resets += has(|arc| matches!(arc, Arc::Reset { .. }));
        self.weights += has(|arc| arc.weight().is_some_and(|weight| weight > 1));
        self.several_initial += u64::from(model.initial.len() > 1);
        self.never_enabled += u64::from(found.quasi_live_events().len() < model.events.len());
        self.constant += u64::from(!found.constant_variables().is_empty());
        self.hundred_states += u64::from(found.state_count() >= 100);
        self.states += found.state_count() as u64;
    }

    /// Each count with its name.
    pub fn shares(&self) -> [(&'static str, u64); 10] {
        [
            ("not safe", self.not_safe),
            ("dead state reachable", self.dead),
            ("inhibitor arcs", self.inhibitors),
            ("read arcs", self.reads),
            ("reset arcs", self.resets),
            ("weights above 1", self.weights),
            ("several initial states", self.several_initial),
            ("an event never enabled", self.never_enabled),
            ("a constant variable", self.constant),
            ("100 states or more", self.hundred_states),
        ]
    }
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.models.max(1);
        writeln!(f, "{} random models, {} states on average", self.models, self.states / whole)?;
        for (name, count) in self.shares() {
            writeln!(f, "{:>5.1} %  {name}", 100.0 * count as f64 / whole as f64)?;
        }
        Ok(())
    }
}
