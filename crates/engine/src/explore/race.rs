//! Races: several ways to compute one thing, each run under a limit of steps, until one has ended.
//!
//! No measure predicts the work of a computation on diagrams well enough to choose a way
//! beforehand, and runs that are cut off early tell the good ways from the bad ones. So every
//! entrant runs with few steps, then those that are left run with more, and so on. Steps are
//! counted and equal for equal input, so a race always ends in the same way, whatever the machine.
//!
//! [`race`] is the one scheduler. Orders race on it (`choose_order.rs`), orders of which one is
//! known to be good (`choose_order/in_turns.rs`), trees of components (`choose_hierarchy.rs`), and
//! ways to compute distances (`bounded/auto.rs`). What differs is their [`RacePolicy`].

use num_bigint::BigUint;

/// How one run of an entrant ended.
pub(crate) enum Run<T> {
    /// It computed everything, with this number of steps.
    Finished(T, u64),
    /// The steps (or the memory) were used up; it had found this number of states.
    Stopped(BigUint),
}

/// How a race ended.
pub(crate) enum Ended<E, T> {
    /// This entrant finished first, or with the fewest steps of its round.
    Won {
        /// The winner.
        entrant: E,
        /// The steps of its last run.
        steps: u64,
        /// What it computed.
        finished: T,
    },
    /// No entrant finished, and this one had found most.
    Leads(E),
}

/// The rules of a race between entrants of type `E`. Rounds are numbered from 0.
pub(crate) trait RacePolicy<E> {
    /// The steps of a round; `None` if there is no such round.
    fn steps(&self, round: usize) -> Option<u64>;

    /// The steps that the entrant with this number may take in a round of `steps`, where `least` is
    /// the number of steps of the best run so far that finished in this round.
    fn allowed(&self, round: usize, number: usize, steps: u64, least: Option<u64>) -> u64;

    /// Whether a round ends at once when a run has finished with `used` steps.
    fn is_decided(&self, round: usize, used: u64) -> bool;

    /// The entrants of the next round, out of those of `round`, ranked: most states found first.
    fn next(&self, round: usize, ranked: Vec<(BigUint, E)>) -> Vec<E>;

    /// Whether an entrant runs in this round although no other is left.
    fn runs_alone(&self, _round: usize) -> bool {
        false
    }
}

/// Runs a race of at least one entrant. `run` is given the entrant, the round and the steps that
/// the run may take. Raises `states_found` to the most states that a run has found.
pub(crate) fn race<E, T, X>(
    policy: &impl RacePolicy<E>,
    mut entrants: Vec<E>,
    states_found: &mut BigUint,
    mut run: impl FnMut(&E, usize, u64) -> Result<Run<T>, X>,
) -> Result<Ended<E, T>, X> {
    for round in 0.. {
        let Some(steps) = policy.steps(round) else { break };
        if entrants.len() == 1 && !policy.runs_alone(round) {
            break;
        }
        let mut best: Option<(usize, u64, T)> = None;
        let mut found: Vec<BigUint> = Vec::with_capacity(entrants.len());
        for (number, entrant) in entrants.iter().enumerate() {
            let least = best.as_ref().map(|(_, least, _)| *least);
            match run(entrant, round, policy.allowed(round, number, steps, least))? {
                Run::Finished(finished, used) => best = Some((number, used, finished)),
                Run::Stopped(states) => found.push(states),
            }
            if best.as_ref().is_some_and(|(_, used, _)| policy.is_decided(round, *used)) {
                break;
            }
        }
        if let Some((number, steps, finished)) = best {
            return Ok(Ended::Won { entrant: entrants.swap_remove(number), steps, finished });
        }
        let mut ranked: Vec<(BigUint, E)> = found.into_iter().zip(entrants).collect();
        ranked.sort_by(|a, b| b.0.cmp(&a.0));
        if let Some((most, _)) = ranked.first()
            && most > states_found
        {
            states_found.clone_from(most);
        }
        entrants = policy.next(round, ranked);
    }
    Ok(Ended::Leads(entrants.swap_remove(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds of 10, 100 and 1000 steps; the better half goes on; a run is cut off by the best one
    /// before it.
    struct Halves {
        decides: bool,
    }

    impl RacePolicy<(char, u64)> for Halves {
        fn steps(&self, round: usize) -> Option<u64> {
            [10, 100, 1_000].get(round).copied()
        }

        fn allowed(&self, _: usize, _: usize, steps: u64, least: Option<u64>) -> u64 {
            least.map_or(steps, |least| least - 1)
        }

        fn is_decided(&self, _: usize, _: u64) -> bool {
            self.decides
        }

        fn next(&self, _: usize, ranked: Vec<(BigUint, (char, u64))>) -> Vec<(char, u64)> {
            let half = ranked.len().div_ceil(2);
            ranked.into_iter().take(half).map(|(_, entrant)| entrant).collect()
        }
    }

    /// Entrants need their own number of steps, and find a state per hundredth of it.
    fn ended(decides: bool, entrants: &[(char, u64)]) -> (String, u64, BigUint) {
        let mut runs = String::new();
        let mut found = BigUint::ZERO;
        let ended =
            race(&Halves { decides }, entrants.to_vec(), &mut found, |&(name, needed), round, steps| {
                runs.push_str(&format!("{name}{round} "));
                Ok::<_, ()>(if needed <= steps {
                    Run::Finished(name, needed)
                } else {
                    Run::Stopped(BigUint::from(steps * 100 / needed))
                })
            });
        let (last, steps) = match ended.expect("nothing fails") {
            Ended::Won { entrant, steps, finished } => {
                assert_eq!(entrant.0, finished);
                (finished, steps)
            }
            Ended::Leads((name, _)) => (name.to_ascii_uppercase(), 0),
        };
        (format!("{runs}{last}"), steps, found)
    }

    #[test]
    fn the_better_half_goes_on_until_one_finishes() {
        let all = [('a', 400), ('b', 90), ('c', 80), ('d', 500)];
        assert_eq!(ended(false, &all), ("a0 b0 c0 d0 c1 b1 c".into(), 80, BigUint::from(12_u32)));
        assert_eq!(ended(true, &all[..2]), ("a0 b0 B".into(), 0, BigUint::from(11_u32)));
        let quick = [('a', 9), ('b', 8)];
        assert_eq!(ended(true, &quick), ("a0 a".into(), 9, BigUint::ZERO));
        assert_eq!(ended(false, &quick), ("a0 b0 b".into(), 8, BigUint::ZERO));
    }

    #[test]
    fn a_single_entrant_leads_without_a_run() {
        assert_eq!(ended(false, &[('a', 5)]), ("A".into(), 0, BigUint::ZERO));
    }

    #[test]
    fn rounds_run_out() {
        let slow = [('a', 200_000), ('b', 100_000), ('c', 300_000)];
        let (runs, _, _) = ended(false, &slow);
        assert_eq!(runs, "a0 b0 c0 a1 b1 A");
    }
}
