//! Coloured nets that were folded by their symmetry: figures, and runs, in the words of the net.
//!
//! The sets that are explored hold counts, or symbolic markings. What is said about them is said of
//! the markings that they stand for: each counts as often as there are markings, and each event as
//! often as there are bindings (COUNT-3, SYM-4). Runs become runs of the coloured net, which are
//! replayed there (C2).

use crate::colours::Colours;
use crate::loaded::Loaded;
use crate::replay_failure::ReplayFailure;
use crate::report::{Shape, Witness, WitnessBranch, WitnessLink, WitnessStep};
use crate::value_names::ShownValue;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use symbolon_budget::{Budget, Interrupted};
use symbolon_coloured::{ColourNames, Marking, PlaceId};
use symbolon_counters::{ColouredStep, Counters};
use symbolon_engine::{self as engine, Figures, FoundTrace, GroupTerm, Numbers, StateSets};
use symbolon_model::{EventId, State, VariableId};
use symbolon_symmetry::{LiftedStep, QuotientStep, quotient_steps};

/// The number of markings that a set stands for, `∏ |cell|! / ∏ count!` per state; or that of ways to
/// take these members in them (COUNT-3, COUNT-4).
fn count<S: StateSets>(
    sets: &mut S,
    set: &S::Set,
    counters: &Counters,
    taken: &[(VariableId, u64)],
) -> Result<BigUint, Interrupted> {
    let cells = counters.cells();
    let groups: Vec<Vec<GroupTerm>> = cells.iter().map(|cell| cell.terms.clone()).collect();
    let Some(counting) = sets.weighted_counts() else {
        unreachable!("the question needs weighted counts, and a kind without them refuses it")
    };
    let mut count = counting.multinomial_count(set, &groups, taken)?;
    // Of a cell with n members, k of which are taken: n! / (n - k)! ways to take them, and the others
    // are shared out.
    for cell in &cells {
        let is_here = |(variable, _): &&(VariableId, u64)| {
            cell.terms.iter().any(|term| term.variable == *variable && term.numbers == Numbers::Value)
        };
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
    let mut by_repeats: BTreeMap<u64, BigUint> = BTreeMap::new();
    for event in (0..sets.event_count() as u32).map(EventId) {
        let enabled = sets.enabled(event, set)?;
        if !sets.is_empty(&enabled) {
            let bindings = counters.bindings(event);
            let counted = count(sets, &enabled, counters, &bindings.taken)? * bindings.ways;
            *by_repeats.entry(bindings.repeats).or_default() += counted;
        }
        sets.collect_if_due();
    }
    Ok(by_repeats.into_iter().map(|(repeats, sum)| sum / repeats).sum())
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

/// A witness in the words of the coloured net, replayed there. A witness of anything else than
/// counters is left as it is.
pub(crate) fn unfolded_witness(loaded: &Loaded, witness: Witness) -> Result<Witness, ReplayFailure> {
    let Some(colours) = loaded.colours.as_deref() else { return Ok(witness) };
    if colours.counters().is_none() {
        return Ok(witness);
    }
    let numbers = loaded.model.event_ids().map(|id| (loaded.model.event(id).name.as_str(), id));
    let numbers: FxHashMap<&str, EventId> = numbers.collect();
    let Some(run) = FoldedRun::of_report(witness, &numbers) else {
        return Err(ReplayFailure::of_events(&loaded.model, &[], "a step is no event of the counters"));
    };
    Unfolding { loaded, colours, names: ColourNames::of(&colours.net) }.witness(run, &[])
}

/// A witness that symbolic markings have given, in the words of the coloured net, replayed there.
/// `None` if the model is of another kind.
pub(crate) fn witness_of_quotient(
    loaded: &Loaded,
    found: &engine::Witness,
) -> Option<Result<Witness, ReplayFailure>> {
    let colours = loaded.colours.as_deref()?;
    colours.quotient()?;
    let unfolding = Unfolding { loaded, colours, names: ColourNames::of(&colours.net) };
    Some(unfolding.witness(FoldedRun::of_quotient(found), &[]))
}

/// The same of a trace.
pub(crate) fn trace_of_quotient(
    loaded: &Loaded,
    found: &FoundTrace,
) -> Option<Result<Witness, ReplayFailure>> {
    let colours = loaded.colours.as_deref()?;
    colours.quotient()?;
    let run = FoldedRun {
        steps: steps_of_quotient(&found.events, &found.states),
        loop_start: None,
        branches: Vec::new(),
        described: Witness { shortest: found.is_shortest || found.events.is_empty(), ..Witness::default() },
    };
    Some(Unfolding { loaded, colours, names: ColourNames::of(&colours.net) }.witness(run, &[]))
}

/// A step of what is explored.
#[derive(Clone, Copy, Debug)]
enum FoldedStep {
    /// An event of counters.
    Counted(EventId),
    /// A step between symbolic markings.
    Symbolic(QuotientStep),
}

/// A run of what is explored, with the runs that begin at its states.
struct FoldedRun {
    steps: Vec<FoldedStep>,
    loop_start: Option<usize>,
    branches: Vec<(usize, WitnessLink, FoldedRun)>,
    /// Its shape, and whether it is shortest; the rest is left open.
    described: Witness,
}

fn steps_of_quotient(events: &[EventId], states: &[State]) -> Vec<FoldedStep> {
    quotient_steps(events, states).into_iter().map(FoldedStep::Symbolic).collect()
}

impl FoldedRun {
    /// A witness in the words of counters.
    fn of_report(mut witness: Witness, numbers: &FxHashMap<&str, EventId>) -> Option<FoldedRun> {
        let step = |step: &WitnessStep| numbers.get(step.event.as_str()).copied().map(FoldedStep::Counted);
        let mut branches = Vec::with_capacity(witness.branches.len());
        for branch in std::mem::take(&mut witness.branches) {
            branches.push((branch.position, branch.link, FoldedRun::of_report(branch.witness, numbers)?));
        }
        Some(FoldedRun {
            steps: witness.steps.iter().map(step).collect::<Option<_>>()?,
            loop_start: witness.loop_start,
            branches,
            described: witness,
        })
    }

    /// A witness that symbolic markings have given. Nets fold only for questions without knowledge,
    /// so all branches are paths.
    fn of_quotient(found: &engine::Witness) -> FoldedRun {
        let branch = |branch: &engine::Branch| {
            (branch.position, WitnessLink::Path, FoldedRun::of_quotient(&branch.witness))
        };
        let branches: Vec<_> = found.branches.iter().map(branch).collect();
        let loop_start = match found.ending {
            engine::Ending::Loop(start) => Some(start),
            engine::Ending::Open | engine::Ending::Dead => None,
        };
        let shape = match (branches.is_empty(), loop_start) {
            (false, _) => Shape::Tree,
            (true, Some(_)) => Shape::Lasso,
            (true, None) => Shape::Trace,
        };
        let shortest = found.is_shortest || found.events.is_empty();
        FoldedRun {
            steps: steps_of_quotient(&found.events, &found.states[1..]),
            loop_start,
            branches,
            described: Witness { shape, shortest, ..Witness::default() },
        }
    }
}

/// The most times that a loop is repeated until its marking recurs.
const MOST_ROUNDS: usize = 10_000;

struct Unfolding<'l> {
    loaded: &'l Loaded,
    colours: &'l Colours,
    names: ColourNames,
}

/// A marking, and the step that led to it.
type Stop = (Marking, Option<ColouredStep>);

impl Unfolding<'_> {
    fn failed(&self, steps: &[FoldedStep], why: &str) -> ReplayFailure {
        let events: Vec<EventId> = steps
            .iter()
            .map(|step| match step {
                FoldedStep::Counted(event) => *event,
                FoldedStep::Symbolic(step) => EventId(step.transition.0),
            })
            .collect();
        ReplayFailure::of_events(&self.loaded.model, &events, why)
    }

    /// A witness for a run that begins where the steps `before` have led to.
    fn witness(&self, run: FoldedRun, before: &[FoldedStep]) -> Result<Witness, ReplayFailure> {
        let mut steps = [before, &run.steps].concat();
        let mut markings = self.markings(&steps)?;
        if let Some(start) = run.loop_start {
            // The loop closes up to an exchange of members: going round often enough brings every
            // member back.
            let round = &run.steps[start..];
            let mut rounds = 1;
            while markings[before.len() + start].0 != markings[markings.len() - 1].0 {
                if round.is_empty() || rounds == MOST_ROUNDS {
                    return Err(self.failed(&steps, "a loop does not come back to its marking"));
                }
                rounds += 1;
                steps.extend(round);
                markings = self.markings(&steps)?;
            }
        }
        let shown = &markings[before.len()..];
        let shown_steps = shown.windows(2).map(|pair| self.step(&pair[0].0, &pair[1])).collect();
        let mut branches = Vec::with_capacity(run.branches.len());
        for (position, link, branch) in run.branches {
            let until = (before.len() + position).min(steps.len());
            let witness = self.witness(branch, &steps[..until])?;
            branches.push(WitnessBranch { position, link, witness, seen: Vec::new(), differing: Vec::new() });
        }
        Ok(Witness {
            initial: self.state(&shown[0].0),
            last: self.state(&shown[shown.len() - 1].0),
            steps: shown_steps,
            loop_start: run.loop_start,
            branches,
            ..run.described
        })
    }

    /// The steps of the coloured net that these stand for.
    fn lifted(&self, steps: &[FoldedStep]) -> Option<Vec<ColouredStep>> {
        if let Some(counters) = self.colours.counters() {
            let event = |step: &FoldedStep| match step {
                FoldedStep::Counted(event) => Some(*event),
                FoldedStep::Symbolic(_) => None,
            };
            return counters.lift(&self.colours.net, &steps.iter().map(event).collect::<Option<Vec<_>>>()?);
        }
        let step = |step: &FoldedStep| match step {
            FoldedStep::Counted(_) => None,
            FoldedStep::Symbolic(step) => Some(*step),
        };
        let path: Vec<QuotientStep> = steps.iter().map(step).collect::<Option<_>>()?;
        let lifted = self.colours.quotient()?.lift(&path, &Budget::unlimited()).ok()?;
        let step = |step: LiftedStep| ColouredStep { transition: step.transition, binding: step.binding };
        Some(lifted.into_iter().map(step).collect())
    }

    /// The markings along a run, each with the step that led to it. Replays the run (C2).
    fn markings(&self, steps: &[FoldedStep]) -> Result<Vec<Stop>, ReplayFailure> {
        let net = &self.colours.net;
        let lifted =
            self.lifted(steps).ok_or_else(|| self.failed(steps, "it is no run of the folded net"))?;
        let initial = Marking::initial(net).ok_or_else(|| self.failed(steps, "there are too many tokens"))?;
        let mut markings = vec![(initial, None)];
        for step in lifted {
            let before = &markings[markings.len() - 1].0;
            let after = before.fire(net, step.transition, &step.binding);
            let after = after.map_err(|why| self.failed(steps, &why.to_string()))?;
            markings.push((after, Some(step)));
        }
        Ok(markings)
    }

    fn step(&self, before: &Marking, (after, step): &Stop) -> WitnessStep {
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
        self.names.place_instance(&self.colours.net, place, code)
    }

    /// A transition with its binding, as the unfolding names it.
    fn event(&self, step: &ColouredStep) -> String {
        self.names.transition_instance(&self.colours.net, step.transition, &step.binding)
    }
}
