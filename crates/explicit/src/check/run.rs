//! A run that shows why a quantified formula holds or fails, read off the labels of its operands.
//!
//! Labelling knows one temporal operator directly below a quantifier, so a run has one of three
//! forms: a step, a way to a target, or a stay. A way to a target is found breadth-first from all
//! initial states that could show it, and no shorter one exists. A stay goes from constraint to
//! constraint inside the states from which some fair path stays, until it is back at a state where
//! it began a round, or ends in a dead state. Every other path formula is searched for by
//! [`find_path`](crate::find_path), as far as that knows the model.

use super::labelling::CtlPath;
use super::structure::Structure;
use super::{Charge, Checked, Checker, complement};
use crate::{Ending, Options, Reason, find_path, replay};
use std::collections::VecDeque;
use symbolon_budget::Interrupted;
use symbolon_logic::{Formula, FormulaId, Operator, Paths};
use symbolon_model::{Atom, EventId, Model, State, Step};

/// A run through states, and how it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundRun {
    /// The states: one more than events.
    pub states: Vec<State>,
    /// What happens between them.
    pub events: Vec<EventId>,
    /// What comes after the last state.
    pub ending: Ending,
    /// Whether no run from an initial state that shows the same has fewer steps.
    pub is_shortest: bool,
}

/// What a run does, with the states in which it may.
enum Wanted {
    /// A step into these.
    Step(Vec<bool>),
    /// Through the first to one of the second, or else, if that is allowed, a stay in the first.
    Reach { within: Vec<bool>, target: Vec<bool>, or_stay: bool },
    /// For ever, or to the end, in these.
    Stay(Vec<bool>),
}

/// Numbers of states, how the run goes on, and whether it is shortest.
type Way = (Vec<usize>, Ending, bool);

impl Checker<'_> {
    /// A run that shows why the quantified subformula `id` of a formula that was checked holds
    /// (`E …`) or fails (`A …`) in an initial state. `None` if it does neither in the right way, or
    /// if no run of the forms that are known shows it.
    pub fn run(
        &mut self,
        formula: &Formula<Atom>,
        paths: Paths,
        fairness: &[Formula<Atom>],
        checked: &Checked,
        id: FormulaId,
    ) -> Result<Option<FoundRun>, Reason> {
        let (path, is_negated) = match *formula.operator(id) {
            Operator::Exists(path) => (path, false),
            Operator::ForAll(path) => (path, true),
            _ => return Ok(None),
        };
        let Some(label) = checked.label(id) else { return Ok(None) };
        let begins: Vec<usize> =
            checked.initial.iter().copied().filter(|&state| label[state] != is_negated).collect();
        if begins.is_empty() {
            return Ok(None);
        }
        let Some(ctl) = CtlPath::of(formula, &checked.labels, path) else {
            return match fairness.is_empty() {
                true => self.searched_run(formula, paths, path, is_negated),
                false => Ok(None),
            };
        };
        let mut charge = Charge { bytes: 0, budget: self.meter.budget().clone() };
        let structure = self.structure(paths, fairness, &mut charge)?;
        let way = self.way(&structure, wanted(ctl, is_negated), &begins)?;
        Ok(way.and_then(|way| self.run_along(way)))
    }

    /// A run with these states.
    fn run_along(&self, (numbers, ending, is_shortest): Way) -> Option<FoundRun> {
        let states: Vec<State> = numbers.iter().map(|&number| self.exploration.state(number)).collect();
        let events = states.windows(2).map(|pair| event_between(self.model, &pair[0], &pair[1]));
        Some(FoundRun { events: events.collect::<Option<_>>()?, states, ending, is_shortest })
    }

    fn way(
        &mut self,
        structure: &Structure,
        wanted: Wanted,
        begins: &[usize],
    ) -> Result<Option<Way>, Interrupted> {
        match wanted {
            Wanted::Step(target) => {
                let fits = |&to: &usize| target[to] && structure.has_path()[to];
                let step = begins
                    .iter()
                    .find_map(|&state| structure.successors(state).find(fits).map(|to| (state, to)));
                Ok(step.map(|(state, to)| match structure.dead()[state] {
                    true => (vec![state], Ending::Dead, true),
                    // Another initial state may be dead, and its own next state.
                    false => (vec![state, to], Ending::Open, begins.len() == 1),
                }))
            }
            Wanted::Reach { within, target, or_stay } => {
                let is_target = |state: usize| target[state] && structure.has_path()[state];
                let is_within = |state: usize| within[state];
                let way = way_to(structure, begins, is_within, is_target);
                if way.is_none() && or_stay {
                    return self.way(structure, Wanted::Stay(within), begins);
                }
                // A stay that ends may be shorter.
                Ok(way.map(|way| {
                    let is_shortest = way.len() == 1 || !or_stay;
                    (way, Ending::Open, is_shortest)
                }))
            }
            Wanted::Stay(within) => {
                let good = structure.globally(&within, &mut self.meter)?;
                let begin = begins.iter().copied().find(|&state| good[state]);
                Ok(begin.and_then(|begin| stay(structure, &good, begin)))
            }
        }
    }

    /// A run that is found by search for a path formula of any form.
    fn searched_run(
        &self,
        formula: &Formula<Atom>,
        paths: Paths,
        path: FormulaId,
        is_negated: bool,
    ) -> Result<Option<FoundRun>, Reason> {
        let path = formula.subformula(path);
        let wanted = if is_negated { negated(&path) } else { path };
        let options = Options { state_limit: None };
        let found = match find_path(self.model, &wanted, paths, &options, self.meter.budget()) {
            Ok(found) => found.lasso,
            Err(stopped) if stopped.reason == Reason::Unsupported => None,
            Err(stopped) => return Err(stopped.reason),
        };
        Ok(found.and_then(|lasso| {
            let states = replay(self.model, &lasso.trace).ok()?;
            let ending = lasso.loop_start.map_or(Ending::Dead, Ending::Loop);
            Some(FoundRun { states, events: lasso.trace.events, ending, is_shortest: false })
        }))
    }
}

/// What a run has to do so that it is like this, or is not.
fn wanted(path: CtlPath<'_>, is_negated: bool) -> Wanted {
    let all = |label: &[bool]| vec![true; label.len()];
    let not = complement;
    let both = |f: &[bool], g: &[bool]| f.iter().zip(g).map(|(&f, &g)| f && g).collect::<Vec<bool>>();
    let reach = |within, target| Wanted::Reach { within, target, or_stay: false };
    let reach_or_stay = |within, target| Wanted::Reach { within, target, or_stay: true };
    match (path, is_negated) {
        (CtlPath::First(f), false) => reach(not(&all(f)), f.to_vec()),
        (CtlPath::First(f), true) => reach(not(&all(f)), not(f)),
        (CtlPath::Next(f), false) => Wanted::Step(f.to_vec()),
        (CtlPath::Next(f), true) => Wanted::Step(not(f)),
        (CtlPath::Finally(f), false) => reach(all(f), f.to_vec()),
        (CtlPath::Finally(f), true) => Wanted::Stay(not(f)),
        (CtlPath::Globally(f), false) => Wanted::Stay(f.to_vec()),
        (CtlPath::Globally(f), true) => reach(all(f), not(f)),
        (CtlPath::Until(f, g), false) => reach(f.to_vec(), g.to_vec()),
        (CtlPath::Until(f, g), true) => reach_or_stay(not(g), both(&not(f), &not(g))),
        (CtlPath::WeakUntil(f, g), false) => reach_or_stay(f.to_vec(), g.to_vec()),
        (CtlPath::WeakUntil(f, g), true) => reach(not(g), both(&not(f), &not(g))),
        (CtlPath::Release(f, g), false) => reach_or_stay(g.to_vec(), both(f, g)),
        (CtlPath::Release(f, g), true) => reach(not(f), not(g)),
    }
}

/// The negation of a formula.
fn negated(formula: &Formula<Atom>) -> Formula<Atom> {
    formula.rewrite(|builder, id, operator| {
        let same = builder.add(operator);
        if id == formula.root() { builder.add(Operator::Not(same)) } else { same }
    })
}

/// A shortest way from one of `begins` to a target, through states of `within`.
fn way_to(
    structure: &Structure,
    begins: &[usize],
    within: impl Fn(usize) -> bool,
    is_target: impl Fn(usize) -> bool,
) -> Option<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let mut parents = vec![UNSEEN; structure.state_count()];
    let mut open: VecDeque<usize> = VecDeque::new();
    for &state in begins {
        if parents[state] == UNSEEN {
            parents[state] = state;
            open.push_back(state);
        }
    }
    while let Some(state) = open.pop_front() {
        if is_target(state) {
            let mut way = vec![state];
            let mut last = state;
            while parents[last] != last {
                last = parents[last];
                way.push(last);
            }
            way.reverse();
            return Some(way);
        }
        if !within(state) {
            continue;
        }
        for next in structure.successors(state) {
            if parents[next] == UNSEEN {
                parents[next] = state;
                open.push_back(next);
            }
        }
    }
    None
}

/// A run from `begin` that stays in `good`, the states from which a fair path stays there: it meets
/// every constraint in turn until a round begins where an earlier one began, or it comes to a dead
/// state.
fn stay(structure: &Structure, good: &[bool], begin: usize) -> Option<Way> {
    let mut way = vec![begin];
    // Where rounds began: the position of each state on the way.
    let mut rounds = vec![None; structure.state_count()];
    loop {
        let here = way[way.len() - 1];
        if structure.dead()[here] {
            return Some((way, Ending::Dead, false));
        }
        if let Some(start) = rounds[here] {
            return Some((way, Ending::Loop(start), false));
        }
        rounds[here] = Some(way.len() - 1);
        way.push(structure.successors(here).find(|&next| good[next])?);
        for constraint in structure.constraints() {
            let here = way[way.len() - 1];
            let more =
                way_to(structure, &[here], |state| good[state], |state| good[state] && constraint[state])?;
            way.extend(&more[1..]);
        }
    }
}

/// An event that leads from a state to another.
fn event_between(model: &Model, before: &State, after: &State) -> Option<EventId> {
    model.event_ids().find(|&id| {
        let event = model.event(id);
        if !event.is_synchronous() {
            return event.fire(before).is_ok_and(|next| next.as_ref() == Some(after));
        }
        let mut leads = false;
        Step::new(model, event).for_each(before, |_, next| {
            leads = next == after;
            !leads
        });
        leads
    })
}
