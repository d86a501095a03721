//! A race of few orders of which one is known to be good, though not which.
//!
//! Everyone explores the model itself, with more and more steps from turn to turn, and whoever finishes first wins. So the
//! race takes a few times the steps of the best order, however bad the others are, and only one run if the first is good.

use super::{Entrant, Kind, Race, Run, Winner};
use crate::order::{self, Effort, Heuristic, Interaction, OrderName};
use crate::sets::core::SetupError;
use num_bigint::BigUint;

/// Steps in the first turn, how many times as many in the next, how many turns there are, and by what factor an order may
/// lag behind.
const TURN_STEPS: u64 = 200_000;
const TURN_FACTOR: u64 = 4;
const TURNS: usize = 5;
const TURN_LAG: u32 = 16;

impl<K: Kind> Race<'_, K> {
    /// Rounds on the model itself with more and more steps for everyone: whoever finishes first wins.
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
        let mut steps = TURN_STEPS;
        let candidate_count = field.len();
        for _ in 0..TURNS {
            let mut ranked = Vec::with_capacity(field.len());
            for entrant in field {
                match self.run(self.model, self.blocks, &entrant.order, steps)? {
                    Run::Finished(finished, used) => {
                        let why = format!("the first of {candidate_count} to finish, with {used} steps");
                        return Ok(win(entrant, why, Some(finished)));
                    }
                    Run::Stopped(found) => ranked.push((found, entrant)),
                }
            }
            // Whoever found far fewer states in equal steps has lost, unless setting up took all of them.
            ranked.sort_by(|a, b| b.0.cmp(&a.0));
            let most = ranked.first().map(|(found, _)| found.clone()).unwrap_or_default();
            ranked.retain(|(found, _)| *found == BigUint::ZERO || found * TURN_LAG >= most);
            *states_found = most.max(states_found.clone());
            field = ranked.into_iter().map(|(_, entrant)| entrant).collect();
            if field.len() == 1 {
                break;
            }
            steps *= TURN_FACTOR;
        }
        Ok(win(field.swap_remove(0), format!("found most states in a race of {candidate_count}"), None))
    }
}
