//! A race of few orders of which one is known to be good, though not which.
//!
//! Every order explores the model itself, with more and more steps from turn to turn, and the first
//! to finish wins. So the race takes a few times the steps of the best order, however bad the
//! others are, and only one run if the first is good.

use super::{Entrant, OrderRace, RaceTask, Winner};
use crate::explore::race::{Ended, RacePolicy, race};
use crate::order::{self, Effort, Heuristic, Interaction, OrderName};
use crate::policy::proven_orders::{TURN_FACTOR, TURN_LAG, TURN_STEPS, TURNS};
use crate::sets::setup::{DiagramSetup, SetupError};
use num_bigint::BigUint;

/// Rounds with more and more steps for every order that does not lag far behind.
struct Turns;

impl<'b> RacePolicy<Entrant<'b>> for Turns {
    fn steps(&self, round: usize) -> Option<u64> {
        (round < TURNS).then(|| TURN_STEPS * TURN_FACTOR.pow(round as u32))
    }

    fn allowed(&self, _round: usize, _number: usize, steps: u64, _least: Option<u64>) -> u64 {
        steps
    }

    fn is_decided(&self, _round: usize, _used: u64) -> bool {
        true
    }

    fn next(&self, _round: usize, mut ranked: Vec<(BigUint, Entrant<'b>)>) -> Vec<Entrant<'b>> {
        // An order that found far fewer states in equal steps has lost, unless setting up took all
        // of them.
        let most = ranked.first().map(|(found, _)| found.clone()).unwrap_or_default();
        ranked.retain(|(found, _)| *found == BigUint::ZERO || found * TURN_LAG >= most);
        ranked.into_iter().map(|(_, entrant)| entrant).collect()
    }

    fn runs_alone(&self, round: usize) -> bool {
        round == 0
    }
}

impl<K: DiagramSetup, T: RaceTask<K::Sets>> OrderRace<'_, K, T> {
    /// Rounds on the model itself with more and more steps for every order: the first to finish
    /// wins.
    pub(super) fn in_turns(
        &self,
        heuristics: &[Heuristic],
        states_found: &mut BigUint,
    ) -> Result<Winner<K::Sets>, SetupError> {
        let interaction = Interaction::new(self.model, self.blocks);
        let mut field = Vec::with_capacity(heuristics.len());
        for &heuristic in heuristics {
            let name = OrderName::from(heuristic);
            let order = order::compute(&interaction, name, Effort::Normal, self.budget)?;
            field.extend(order.map(|order| Entrant { name, order, blocks: self.blocks }));
        }
        drop(interaction);
        let win = |Entrant { name, order, .. }: Entrant<'_>, why: String, finished| Winner {
            blocks: None,
            name,
            order,
            why,
            finished,
        };
        let candidate_count = field.len();
        let ended = race(&Turns, field, states_found, |entrant, _, steps| {
            self.run(self.model, self.blocks, &entrant.order, steps)
        })?;
        Ok(match ended {
            Ended::Won { entrant, steps, finished } => {
                let why = format!("the first of {candidate_count} to finish, with {steps} steps");
                win(entrant, why, Some(finished))
            }
            Ended::Leads(entrant) => {
                win(entrant, format!("found most states in a race of {candidate_count}"), None)
            }
        })
    }
}
