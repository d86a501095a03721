//! Shorter runs for verdicts that are proved: what chance has found is long.
//!
//! A walk that decides a formula is shortened before it is shown. When every verdict is known, exact
//! distances are tried for the grace time where a formula asks for a state.

use super::glance::PlainView;
use super::prefix_target::PrefixTarget;
use super::walks::share;
use super::work::Work;
use crate::bounded::{goal_of, shortest_run};
use crate::policy::check::{MOST_GRACES, QUICK_SHARE, SHORTENING_TIME};
use symbolon_budget::Budget;
use symbolon_engine::{Look, RunTarget, shorten};
use symbolon_explicit::Trace;
use symbolon_model::Model;

/// A walk that shows what `prefix` wants, without what can be left out of it.
pub(super) fn shortened(work: Work<'_, '_>, trace: Trace, prefix: PrefixTarget, budget: &Budget) -> Trace {
    if !work.wanted.witnesses {
        return trace;
    }
    let model = &work.loaded.model;
    let mut target = PrefixOnStates { model, prefix };
    let time = budget.slice(SHORTENING_TIME.min(work.options.grace));
    let events = shorten(model, &trace.initial, &trace.events, &mut target, &time);
    Trace { initial: trace.initial, events }
}

struct PrefixOnStates<'a> {
    model: &'a Model,
    prefix: PrefixTarget,
}

impl RunTarget for PrefixOnStates<'_> {
    fn restart(&mut self) {
        self.prefix.restart();
    }

    fn look(&mut self, state: &[u64], steps: usize) -> Look {
        match self.prefix.follow(&PlainView { model: self.model, state }, steps) {
            Some(_) => Look::Shown,
            None if self.prefix.is_alive() => Look::Open,
            None => Look::Hopeless,
        }
    }
}

/// Looks for shortest runs to states, where the runs that are known may be longer. Each has the grace
/// time, as long as the whole does not take a multiple of it. Short runs come first: they need little
/// time, and what they leave is for the long ones.
pub(super) fn shortest_runs(work: Work<'_, '_>, budget: &Budget) {
    if work.loaded.model.is_synchronous() || work.loaded.is_folded() {
        return;
    }
    let cases = work.board().shown_by_longer_runs();
    let graces = (cases.len() as u32).min(MOST_GRACES);
    let budget = &share(budget, QUICK_SHARE, work.options.grace.saturating_mul(graces));
    for (position, &case) in cases.iter().enumerate() {
        let Some(goal) = goal_of(work.loaded, &work.properties[case]) else { continue };
        let slice = match budget.time_left() {
            Some(left) => budget.slice(left / (cases.len() - position) as u32),
            None => budget.clone(),
        };
        match shortest_run(work.loaded, work.options, &goal, &slice) {
            Ok(Some(witness)) => work.board().note_witness(case, witness),
            Ok(None) => {}
            Err(failure) => work.board().note_broken(case, failure),
        }
    }
}
