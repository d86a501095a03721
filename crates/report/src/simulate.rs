//! The keys of `simulate`.

use crate::witness::Witness;
use serde::Serialize;
use symbolon_checker::Simulation;

/// The run, and what is possible at its end.
#[derive(Serialize)]
pub struct Simulate {
    witness: Witness,
    enabled: Vec<String>,
    dead: bool,
}

impl Simulate {
    /// The keys of a simulation as it stands.
    pub fn new(simulation: &Simulation) -> Simulate {
        Simulate {
            witness: Witness::new(&simulation.witness()),
            enabled: simulation.enabled().map(|event| simulation.event_name(event).to_string()).collect(),
            dead: simulation.is_dead(),
        }
    }
}
