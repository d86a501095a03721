//! Coloured nets that were folded into counters: figures, and runs, in the words of the net.
//!
//! The sets that are explored hold counts. What is said about them is said of the markings that they
//! stand for: each counts as often as there are markings, and each event as often as there are
//! bindings (COUNT-3). Runs become runs of the coloured net, which are replayed there (C2).

use crate::loaded::Loaded;
use crate::replay_failure::ReplayFailure;
use crate::report::{Witness, WitnessStep};
use crate::value_names::ShownValue;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_coloured::{ColourNames, Marking, Net, PlaceId};
use symbolon_counters::{ColouredStep, Counters};
use symbolon_engine::{Figures, StateSets};
use symbolon_model::{EventId, VariableId};

/// The number of markings that a set stands for, `∏ |cell|! / ∏ count!` per state; or that of
/// bindings under which an event that takes these members is enabled in them (COUNT-3).
fn count<S: StateSets>(
    sets: &mut S,
    set: &S::Set,
    counters: &Counters,
    taken: &[(VariableId, u64)],
) -> Result<BigUint, Interrupted> {
    let cells = counters.cells();
    let groups: Vec<Vec<VariableId>> = cells.iter().map(|cell| cell.variables.clone()).collect();
    let Some(counting) = sets.weighted_counts() else {
        unreachable!("the question needs weighted counts, and a kind without them refuses it")
    };
    let mut count = counting.multinomial_count(set, &groups, taken)?;
    // Of a cell with n members, k of which are taken: n! / (n - k)! ways to take them, and the others
    // are shared out.
    for cell in &cells {
        let is_here = |(variable, _): &&(VariableId, u64)| cell.variables.contains(variable);
        let taken: u64 = taken.iter().filter(is_here).map(|(_, count)| count).sum();
        count *= (cell.size.saturating_sub(taken) + 1..=cell.size).map(BigUint::from).product::<BigUint>();
    }
    Ok(count)
}

/// The figures of the markings that a set stands for, and the number of its own states.
pub(crate) fn figures<S: StateSets>(
    sets: &mut S,
    set: &S::Set,
    counters: &Counters,
) -> Result<(Figures, BigUint), Interrupted> {
    let symbolic = sets.count(set)?;
    let states = count(sets, set, counters, &[])?;
    let largest = sets.analyse(set)?.largest;
    let weights: Vec<(VariableId, i64)> = counters
        .all_tokens()
        .into_iter()
        .map(|(variable, weight)| Ok((variable, i64::try_from(weight).map_err(|_| Interrupted::Overflow)?)))
        .collect::<Result<_, Interrupted>>()?;
    let sum = sets.largest(set, &weights)?.unwrap_or(0);
    let figures = Figures {
        states,
        nodes: sets.node_count(set),
        largest_value: counters.largest_of_one_colour(&largest),
        largest_sum: BigUint::try_from(sum).unwrap_or_default(),
    };
    Ok((figures, symbolic))
}

/// The number of pairs of a marking that a set stands for and a binding that is enabled in it.
pub(crate) fn count_edges<S: StateSets>(
    sets: &mut S,
    set: &S::Set,
    counters: &Counters,
) -> Result<BigUint, Interrupted> {
    let mut edges = BigUint::ZERO;
    for event in (0..sets.event_count() as u32).map(EventId) {
        let enabled = sets.enabled(event, set)?;
        if !sets.is_empty(&enabled) {
            edges += count(sets, &enabled, counters, &counters.members_taken(event))?;
        }
        sets.collect_if_due();
    }
    Ok(edges)
}

/// The number of markings at each distance from the initial one.
pub(crate) fn layer_sizes<S: StateSets>(
    sets: &mut S,
    counters: &Counters,
) -> Result<Vec<BigUint>, Interrupted> {
    let mut reached = sets.initial()?;
    let mut layer = reached.clone();
    let mut sizes = Vec::new();
    while !sets.is_empty(&layer) {
        sizes.push(count(sets, &layer, counters, &[])?);
        let next = sets.image_of_any(&layer)?;
        layer = sets.difference(&next, &reached)?;
        reached = sets.union(&reached, &layer)?;
        sets.collect_if_due();
    }
    Ok(sizes)
}

/// The number of markings of dead states, and the like: that of a set.
pub(crate) fn count_markings<S: StateSets>(
    sets: &mut S,
    set: &S::Set,
    loaded: &Loaded,
) -> Result<Option<BigUint>, Interrupted> {
    match loaded.counters() {
        None => sets.count(set).map(Some),
        Some(counters) if sets.weighted_counts().is_some() => count(sets, set, counters, &[]).map(Some),
        Some(_) => Ok(None),
    }
}

/// A witness in the words of the coloured net, replayed there. A witness of anything else is left as
/// it is.
pub(crate) fn unfolded_witness(loaded: &Loaded, witness: Witness) -> Result<Witness, ReplayFailure> {
    let Some(colours) = loaded.colours.as_deref() else { return Ok(witness) };
    let Some(counters) = colours.counters() else { return Ok(witness) };
    let numbers = loaded.model.event_ids().map(|id| (loaded.model.event(id).name.as_str(), id));
    let unfolding = Unfolding {
        loaded,
        net: &colours.net,
        names: ColourNames::of(&colours.net),
        counters,
        numbers: numbers.collect(),
    };
    unfolding.witness(witness, &[])
}

/// The most times that a loop is repeated until its marking recurs.
const MOST_ROUNDS: usize = 10_000;

struct Unfolding<'l> {
    loaded: &'l Loaded,
    net: &'l Net,
    names: ColourNames,
    counters: &'l Counters,
    numbers: FxHashMap<&'l str, EventId>,
}

impl Unfolding<'_> {
    /// A witness that begins where the events `before` have led to.
    fn witness(&self, witness: Witness, before: &[EventId]) -> Result<Witness, ReplayFailure> {
        let failed = |why: &str| ReplayFailure::of_events(&self.loaded.model, before, why);
        let own: Option<Vec<EventId>> =
            witness.steps.iter().map(|step| self.numbers.get(step.event.as_str()).copied()).collect();
        let Some(own) = own else { return Err(failed("a step is no event of the counters")) };
        let mut events = [before, &own].concat();
        let mut loop_start = witness.loop_start;
        let mut markings = self.markings(&events)?;
        if let Some(start) = loop_start {
            // The loop closes up to an exchange of members: going round often enough brings every
            // member back.
            let round = own[start..].to_vec();
            let mut rounds = 1;
            while markings[before.len() + start].0 != markings[markings.len() - 1].0 {
                if round.is_empty() || rounds == MOST_ROUNDS {
                    return Err(failed("a loop does not come back to its marking"));
                }
                rounds += 1;
                events.extend(&round);
                markings = self.markings(&events)?;
            }
            loop_start = Some(start);
        }
        let shown = &markings[before.len()..];
        let steps = shown.windows(2).map(|pair| self.step(&pair[0].0, &pair[1])).collect();
        let mut branches = Vec::with_capacity(witness.branches.len());
        for mut branch in witness.branches {
            let until = (before.len() + branch.position).min(events.len());
            branch.witness = self.witness(branch.witness, &events[..until])?;
            branches.push(branch);
        }
        Ok(Witness {
            initial: self.state(&shown[0].0),
            last: self.state(&shown[shown.len() - 1].0),
            steps,
            loop_start,
            branches,
            ..witness
        })
    }

    /// The markings along a run, each with the step that led to it. Replays the run (C2).
    fn markings(&self, events: &[EventId]) -> Result<Vec<(Marking, Option<ColouredStep>)>, ReplayFailure> {
        let failed = |why: String| ReplayFailure::of_events(&self.loaded.model, events, &why);
        let steps = self.counters.lift(self.net, events);
        let steps = steps.ok_or_else(|| failed("it is no run of the counters".into()))?;
        let initial = Marking::initial(self.net);
        let mut markings = vec![(initial.ok_or_else(|| failed("there are too many tokens".into()))?, None)];
        for step in steps {
            let before = &markings[markings.len() - 1].0;
            let after = before.fire(self.net, step.transition, &step.binding);
            let after = after.map_err(|why| failed(why.to_string()))?;
            markings.push((after, Some(step)));
        }
        Ok(markings)
    }

    fn step(&self, before: &Marking, (after, step): &(Marking, Option<ColouredStep>)) -> WitnessStep {
        let mut changes = Vec::new();
        let mut seen = |place: PlaceId, code: u64| {
            let (old, new) = (before.tokens(place, code), after.tokens(place, code));
            if old != new {
                changes.push(((place, code), old, new));
            }
        };
        before.all_tokens().for_each(|(place, code, _)| seen(place, code));
        let is_new = |&(place, code, _): &(PlaceId, u64, u64)| before.tokens(place, code) == 0;
        after.all_tokens().filter(is_new).for_each(|(place, code, _)| seen(place, code));
        changes.sort_unstable();
        let shown = |((place, code), old, new): ((PlaceId, u64), u64, u64)| {
            (self.colour(place, code), old.into(), new.into())
        };
        WitnessStep {
            event: step.as_ref().map_or_else(String::new, |step| self.event(step)),
            actions: Vec::new(),
            changes: changes.into_iter().map(shown).collect(),
        }
    }

    fn state(&self, marking: &Marking) -> Vec<(String, ShownValue)> {
        marking.all_tokens().map(|(place, code, count)| (self.colour(place, code), count.into())).collect()
    }

    /// A colour of a place, as the unfolding names it.
    fn colour(&self, place: PlaceId, code: u64) -> String {
        self.names.place_instance(self.net, place, code)
    }

    /// A transition with its binding, as the unfolding names it.
    fn event(&self, step: &ColouredStep) -> String {
        self.names.transition_instance(self.net, step.transition, &step.binding)
    }
}
