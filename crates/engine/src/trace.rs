//! A trace from an initial state to a target set, inside the reachable set.
//!
//! First by breadth-first layers backwards from the target: the trace is shortest then. If the
//! layers cost too much, by going straight for one state of the target (`trace/approach.rs`); and if that fails, by
//! chaining backwards, whose snapshots lead to the target as well, in few rounds but not by the shortest way.

mod approach;

use crate::state_sets::StateSets;
use symbolon_budget::Interrupted;
use symbolon_model::{EventId, Model, State};

/// A trace, and whether no shorter one exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundTrace {
    /// The initial state.
    pub initial: State,
    /// The events, in order.
    pub events: Vec<EventId>,
    /// Whether no trace to the target is shorter.
    pub is_shortest: bool,
}

/// A trace from an initial state of `model` into `target`, a non-empty subset of `reached`, which is
/// closed under events. Layers may take `layer_steps` steps.
pub fn trace_to<S: StateSets>(
    sets: &mut S,
    model: &Model,
    reached: &S::Set,
    target: &S::Set,
    layer_steps: u64,
) -> Result<Option<FoundTrace>, Interrupted> {
    path_to(sets, model, &model.initial, reached, target, layer_steps)
}

/// A path from one of the states `starts` into `target`, through states of `within`; `None` if there is none. Layers may
/// take `layer_steps` steps.
pub(crate) fn path_to<S: StateSets>(
    sets: &mut S,
    model: &Model,
    starts: &[State],
    within: &S::Set,
    target: &S::Set,
    layer_steps: u64,
) -> Result<Option<FoundTrace>, Interrupted> {
    let limit = sets.meter().grant_at_most(layer_steps);
    let layers = by_layers(sets, model, starts, within, target);
    sets.meter().restore(limit);
    match layers {
        Err(Interrupted::Steps) => {}
        other => return other,
    }
    match approach::approach(sets, model, starts, within, target)? {
        Some(found) => Ok(Some(found)),
        None => by_chaining(sets, model, starts, within, target),
    }
}

/// A state to start from that lies in the set.
fn start_in<S: StateSets>(sets: &mut S, starts: &[State], set: &S::Set) -> Option<State> {
    starts.iter().find(|state| sets.contains(set, state)).cloned()
}

fn by_layers<S: StateSets>(
    sets: &mut S,
    model: &Model,
    starts: &[State],
    within: &S::Set,
    target: &S::Set,
) -> Result<Option<FoundTrace>, Interrupted> {
    // Layer d holds the states at distance d from the target.
    let mut layers = vec![target.clone()];
    let mut unseen = sets.difference(within, target)?;
    let initial = loop {
        let newest = layers[layers.len() - 1].clone();
        if let Some(state) = start_in(sets, starts, &newest) {
            break state;
        }
        let next = sets.preimage_of_any(&newest, &unseen)?;
        sets.breathe();
        if sets.is_empty(&next) {
            return Ok(None);
        }
        unseen = sets.difference(&unseen, &next)?;
        layers.push(next);
    };
    let mut events = Vec::with_capacity(layers.len() - 1);
    let mut state = initial.clone();
    for layer in layers[..layers.len() - 1].iter().rev() {
        let step = model.event_ids().find_map(|event| {
            let next = model.event(event).fire(&state).ok()??;
            sets.contains(layer, &next).then_some((event, next))
        });
        // Every state of a layer has a successor in the next one.
        let Some((event, next)) = step else { return Ok(None) };
        events.push(event);
        state = next;
    }
    Ok(Some(FoundTrace { initial, events, is_shortest: true }))
}

fn by_chaining<S: StateSets>(
    sets: &mut S,
    model: &Model,
    starts: &[State],
    within: &S::Set,
    target: &S::Set,
) -> Result<Option<FoundTrace>, Interrupted> {
    // Snapshot n = snapshot n − 1 with the preimage of its event added.
    let mut snapshots: Vec<(Option<EventId>, S::Set)> = vec![(None, target.clone())];
    let mut events = sets.events_for_chaining();
    events.reverse();
    let initial = 'search: loop {
        let before = snapshots.len();
        for &event in &events {
            let (_, known) = &snapshots[snapshots.len() - 1];
            let known = known.clone();
            if let Some(state) = start_in(sets, starts, &known) {
                break 'search state;
            }
            let added = sets.preimage(event, &known, within)?;
            let all = sets.union(&known, &added)?;
            sets.breathe();
            if all != known {
                snapshots.push((Some(event), all));
            }
        }
        if snapshots.len() == before {
            return Ok(start_in(sets, starts, target).map(|initial| FoundTrace {
                initial,
                events: Vec::new(),
                is_shortest: true,
            }));
        }
    };
    let mut trace = Vec::new();
    let mut state = initial.clone();
    while snapshots.len() > 1 {
        // The earliest snapshot that holds the state; later ones are of no more use.
        let mut last = snapshots.len() - 1;
        while last > 0 && sets.contains(&snapshots[last - 1].1, &state) {
            last -= 1;
        }
        snapshots.truncate(last + 1);
        if let Some((Some(event), _)) = snapshots.last() {
            let event = *event;
            match model.event(event).fire(&state) {
                Ok(Some(next)) => state = next,
                _ => return Ok(None),
            }
            trace.push(event);
            snapshots.pop();
        }
    }
    Ok(Some(FoundTrace { initial, events: trace, is_shortest: false }))
}
