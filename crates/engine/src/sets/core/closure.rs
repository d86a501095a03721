//! What is reached without leaving a set, for kinds of state sets that have nothing better:
//! chaining, and layer by layer where one event does everything.

use crate::sets::core::StateSets;
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
            sets.collect_if_due();
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
            sets.collect_if_due();
        }
        if reached == before {
            return Ok(reached);
        }
    }
}

/// The same as [`forward`], always from the newest states.
pub(crate) fn forward_by_layers<S: StateSets + ?Sized>(
    sets: &mut S,
    from: &S::Set,
    within: &S::Set,
) -> Result<S::Set, Interrupted> {
    let mut reached = from.clone();
    let mut newest = from.clone();
    while !sets.is_empty(&newest) {
        let image = sets.image_of_any(&newest)?;
        let inside = sets.intersection(&image, within)?;
        newest = sets.difference(&inside, &reached)?;
        reached = sets.union(&reached, &newest)?;
        sets.collect_if_due();
    }
    Ok(reached)
}

/// The same as [`backward`], always from the newest states. All steps are taken inside the same
/// set, which pays where what is known of it is kept.
pub(crate) fn backward_by_layers<S: StateSets + ?Sized>(
    sets: &mut S,
    target: &S::Set,
    within: &S::Set,
) -> Result<S::Set, Interrupted> {
    let mut reached = target.clone();
    let mut newest = target.clone();
    while !sets.is_empty(&newest) {
        let found = sets.preimage_of_any(&newest, within)?;
        newest = sets.difference(&found, &reached)?;
        reached = sets.union(&reached, &newest)?;
        sets.collect_if_due();
    }
    Ok(reached)
}
