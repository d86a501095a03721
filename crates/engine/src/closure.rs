//! What is reached without leaving a set, for kinds of state sets that have nothing better: chaining.

use crate::state_sets::StateSets;
use symbolon_budget::Interrupted;

/// `from`, and all states of `within` that are reached from it by steps that end in `within`.
pub(crate) fn forward<S: StateSets + ?Sized>(
    sets: &mut S,
    from: &S::Set,
    within: &S::Set,
) -> Result<S::Set, Interrupted> {
    let events = sets.events_for_chaining();
    let mut reached = from.clone();
    loop {
        let before = reached.clone();
        for &event in &events {
            let image = sets.image(event, &reached)?;
            let inside = sets.intersection(&image, within)?;
            reached = sets.union(&reached, &inside)?;
            sets.breathe();
        }
        if reached == before {
            return Ok(reached);
        }
    }
}

/// `target`, and all states of `within` from which it is reached by steps that start in `within`.
pub(crate) fn backward<S: StateSets + ?Sized>(
    sets: &mut S,
    target: &S::Set,
    within: &S::Set,
) -> Result<S::Set, Interrupted> {
    let mut events = sets.events_for_chaining();
    events.reverse();
    let mut reached = target.clone();
    // What is known needs not be found again.
    let mut open = sets.difference(within, target)?;
    loop {
        let before = reached.clone();
        for &event in &events {
            let found = sets.preimage(event, &reached, &open)?;
            if sets.is_empty(&found) {
                continue;
            }
            reached = sets.union(&reached, &found)?;
            open = sets.difference(&open, &found)?;
            sets.breathe();
        }
        if reached == before {
            return Ok(reached);
        }
    }
}
