//! A trace from an initial state to a target set, inside the reachable set.
//!
//! First read off the distances of all states, where the diagram can compute these, then by
//! breadth-first layers, backwards from the target or, of synchronous steps, forwards: the trace is
//! shortest then. If both cost too much, by going straight for one state of the target
//! (`trace/approach.rs`); and if that fails, by chaining backwards, whose snapshots lead to the
//! target as well, in few rounds but not by the shortest way.

mod approach;
#[cfg(test)]
mod tests;

use crate::policy::traces::DISTANCES_PART;
use crate::sets::core::StateSets;
use crate::sets::found_trace::FoundTrace;
use symbolon_budget::Interrupted;
use symbolon_model::{EventId, Model, State};

/// Where paths may start.
pub(crate) enum Starts<'a, T> {
    /// In one of these states.
    Listed(&'a [State]),
    /// In a state of this set.
    Within(T),
}

/// A state of `set` to which an event leads from `state`. A synchronous step may lead to many: one
/// is chosen from all of them at once.
pub(crate) fn successor_in<S: StateSets>(
    sets: &mut S,
    model: &Model,
    event: EventId,
    state: &State,
    set: &S::Set,
) -> Result<Option<State>, Interrupted> {
    if !model.event(event).is_synchronous() {
        let next = model.event(event).fire(state).ok().flatten();
        return Ok(next.filter(|next| sets.contains(set, next)));
    }
    let here = sets.singleton(state)?;
    let next = sets.image(event, &here)?;
    let inside = sets.intersection(&next, set)?;
    Ok(sets.choose(&inside))
}

/// A trace from an initial state of `model` into `target`, a non-empty subset of `reached`, which
/// is closed under events. Layers may take `layer_steps` steps, distances a part of that.
pub fn trace_to<S: StateSets>(
    sets: &mut S,
    model: &Model,
    reached: &S::Set,
    target: &S::Set,
    layer_steps: u64,
) -> Result<Option<FoundTrace>, Interrupted> {
    let limit = sets.meter().grant_at_most(layer_steps / DISTANCES_PART);
    let read_off = match sets.shortest_traces() {
        Some(sets) => sets.shortest_trace(target),
        None => Ok(None),
    };
    sets.meter().restore(limit);
    match read_off {
        Ok(None) | Err(Interrupted::Steps) => {}
        found => return found,
    }
    trace_by_search(sets, model, reached, target, layer_steps)
}

/// The same without distances.
pub(crate) fn trace_by_search<S: StateSets>(
    sets: &mut S,
    model: &Model,
    reached: &S::Set,
    target: &S::Set,
    layer_steps: u64,
) -> Result<Option<FoundTrace>, Interrupted> {
    let starts = if model.initially.is_some() {
        Starts::Within(sets.initial()?)
    } else {
        Starts::Listed(&model.initial)
    };
    path_to(sets, model, &starts, reached, target, layer_steps, &mut None)
}

/// A path from one of the states `starts` into `target`, through states of `within`; `None` if
/// there is none. Layers may take `layer_steps` steps. Those forwards are kept in `known` where
/// they may serve again.
pub(crate) fn path_to<S: StateSets>(
    sets: &mut S,
    model: &Model,
    starts: &Starts<'_, S::Set>,
    within: &S::Set,
    target: &S::Set,
    layer_steps: u64,
    known: &mut Option<Layers<S::Set>>,
) -> Result<Option<FoundTrace>, Interrupted> {
    let forwards_first = model.is_synchronous();
    for is_forwards in [true, false].into_iter().filter(|&is_forwards| forwards_first || !is_forwards) {
        let limit = sets.meter().grant_at_most(layer_steps);
        let found = match is_forwards {
            true => by_layers_forwards(sets, model, starts, within, target, known),
            false => by_layers(sets, model, starts, within, target),
        };
        sets.meter().restore(limit);
        match found {
            Err(Interrupted::Steps) => {}
            other => return other,
        }
    }
    if let (Starts::Listed(starts), false) = (starts, model.is_synchronous())
        && let Some(found) = approach::approach(sets, model, starts, within, target)?
    {
        return Ok(Some(found));
    }
    by_chaining(sets, model, starts, within, target)
}

/// A state to start from that lies in the set.
fn start_in<S: StateSets>(
    sets: &mut S,
    starts: &Starts<'_, S::Set>,
    set: &S::Set,
) -> Result<Option<State>, Interrupted> {
    match starts {
        Starts::Listed(states) => Ok(states.iter().find(|state| sets.contains(set, state)).cloned()),
        Starts::Within(starts) => {
            let both = sets.intersection(starts, set)?;
            Ok(sets.choose(&both))
        }
    }
}

/// The first event that gives something, and what it gives.
pub(crate) fn first_event<T>(
    model: &Model,
    mut given: impl FnMut(EventId) -> Result<Option<T>, Interrupted>,
) -> Result<Option<(EventId, T)>, Interrupted> {
    for event in model.event_ids() {
        if let Some(found) = given(event)? {
            return Ok(Some((event, found)));
        }
    }
    Ok(None)
}

fn by_layers<S: StateSets>(
    sets: &mut S,
    model: &Model,
    starts: &Starts<'_, S::Set>,
    within: &S::Set,
    target: &S::Set,
) -> Result<Option<FoundTrace>, Interrupted> {
    // Layer d holds the states at distance d from the target.
    let mut layers = vec![target.clone()];
    let mut unseen = sets.difference(within, target)?;
    let initial = loop {
        let newest = layers[layers.len() - 1].clone();
        if let Some(state) = start_in(sets, starts, &newest)? {
            break state;
        }
        let next = sets.preimage_of_any(&newest, &unseen)?;
        sets.collect_if_due();
        if sets.is_empty(&next) {
            return Ok(None);
        }
        unseen = sets.difference(&unseen, &next)?;
        layers.push(next);
    };
    let mut events = Vec::with_capacity(layers.len() - 1);
    let mut states = Vec::new();
    let mut state = initial.clone();
    for layer in layers[..layers.len() - 1].iter().rev() {
        let step = first_event(model, |event| successor_in(sets, model, event, &state, layer))?;
        // Every state of a layer has a successor in the next one.
        let Some((event, next)) = step else { return Ok(None) };
        events.push(event);
        if model.is_synchronous() {
            states.push(next.clone());
        }
        state = next;
    }
    Ok(Some(FoundTrace { initial, events, is_shortest: true, states }))
}

/// Layers from the starts on. Synchronous steps were taken forwards when all states were found, so
/// that most images are remembered; backwards, all that is asked is what came before a single
/// state.
fn by_layers_forwards<S: StateSets>(
    sets: &mut S,
    model: &Model,
    starts: &Starts<'_, S::Set>,
    within: &S::Set,
    target: &S::Set,
    known: &mut Option<Layers<S::Set>>,
) -> Result<Option<FoundTrace>, Interrupted> {
    let begins = match starts {
        Starts::Within(set) => set.clone(),
        Starts::Listed(states) => {
            let mut all = sets.none();
            for state in *states {
                let one = sets.singleton(state)?;
                all = sets.union(&all, &one)?;
            }
            all
        }
    };
    let layers = layers_from(sets, &begins, within, target, known)?;
    let Some((distance, mut state)) = layers.meet(sets, target)? else { return Ok(None) };
    let (mut events, mut states) = (Vec::with_capacity(distance), Vec::with_capacity(distance));
    for layer in layers.list[..distance].iter().rev() {
        let step = first_event(model, |event| {
            let before = sets.preimage_of_state(event, &state, layer)?;
            Ok(sets.choose(&before))
        })?;
        // Every state of a layer comes from one of the layer before.
        let Some((event, before)) = step else { return Ok(None) };
        events.push(event);
        states.push(std::mem::replace(&mut state, before));
    }
    events.reverse();
    states.reverse();
    Ok(Some(FoundTrace { initial: state, events, is_shortest: true, states }))
}

/// Whether a path leads from a state of `begins` through `within` into `target`.
pub(crate) fn can_meet<S: StateSets>(
    sets: &mut S,
    begins: &S::Set,
    within: &S::Set,
    target: &S::Set,
    known: &mut Option<Layers<S::Set>>,
) -> Result<bool, Interrupted> {
    let layers = layers_from(sets, begins, within, target, known)?;
    Ok(layers.meet(sets, target)?.is_some())
}

/// The layers of paths through `within` into `target`, which may be known already. Layers that were
/// made for another target serve as well, if they run through the same states: before they meet
/// this target, all of them lie in `within`.
fn layers_from<'k, S: StateSets>(
    sets: &mut S,
    begins: &S::Set,
    within: &S::Set,
    target: &S::Set,
    known: &'k mut Option<Layers<S::Set>>,
) -> Result<&'k mut Layers<S::Set>, Interrupted> {
    let allowed = sets.union(within, target)?;
    let fits = |layers: &Layers<S::Set>| layers.begins == *begins && layers.within == allowed;
    match known.take().filter(fits) {
        Some(layers) => Ok(known.insert(layers)),
        None => Ok(known.insert(Layers::new(sets, begins.clone(), allowed)?)),
    }
}

/// Breadth-first layers from some states on, through others: as many as were needed so far.
pub(crate) struct Layers<T> {
    begins: T,
    within: T,
    /// Layer d holds the states at distance d.
    list: Vec<T>,
    seen: T,
}

impl<T: Clone> Layers<T> {
    fn new<S: StateSets<Set = T>>(sets: &mut S, begins: T, within: T) -> Result<Layers<T>, Interrupted> {
        let first = sets.intersection(&begins, &within)?;
        Ok(Layers { begins, within, list: vec![first.clone()], seen: first })
    }

    /// The first layer that meets the target, and a state of both; `None` if no layer does.
    fn meet<S: StateSets<Set = T>>(
        &mut self,
        sets: &mut S,
        target: &T,
    ) -> Result<Option<(usize, State)>, Interrupted> {
        let mut distance = 0;
        loop {
            let met = sets.intersection(&self.list[distance], target)?;
            if let Some(state) = sets.choose(&met) {
                return Ok(Some((distance, state)));
            }
            distance += 1;
            if distance == self.list.len() {
                let image = sets.image_of_any(&self.list[distance - 1])?;
                let inside = sets.intersection(&image, &self.within)?;
                let next = sets.difference(&inside, &self.seen)?;
                sets.collect_if_due();
                if sets.is_empty(&next) {
                    return Ok(None);
                }
                self.seen = sets.union(&self.seen, &next)?;
                self.list.push(next);
            }
        }
    }
}

fn by_chaining<S: StateSets>(
    sets: &mut S,
    model: &Model,
    starts: &Starts<'_, S::Set>,
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
            if let Some(state) = start_in(sets, starts, &known)? {
                break 'search state;
            }
            let added = sets.preimage(event, &known, within)?;
            let all = sets.union(&known, &added)?;
            sets.collect_if_due();
            if all != known {
                snapshots.push((Some(event), all));
            }
        }
        if snapshots.len() == before {
            return Ok(start_in(sets, starts, target)?.map(|initial| FoundTrace {
                initial,
                events: Vec::new(),
                is_shortest: true,
                states: Vec::new(),
            }));
        }
    };
    let mut trace = Vec::new();
    let mut states = Vec::new();
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
            snapshots.pop();
            let Some((_, before)) = snapshots.last() else { return Ok(None) };
            let Some(next) = successor_in(sets, model, event, &state, before)? else { return Ok(None) };
            state = next;
            trace.push(event);
            if model.is_synchronous() {
                states.push(state.clone());
            }
        }
    }
    Ok(Some(FoundTrace { initial, events: trace, is_shortest: false, states }))
}
