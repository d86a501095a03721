//! Methods that decide formulas without exploring all states: walks and the state equation.
//!
//! A few quick walks run before the diagrams. Afterwards walks and linear programs take turns, on a
//! second thread if there is one, until every property is decided or the time is over.

use super::board::Evidence;
use super::local::{LocalTurn, local_search};
use super::refuted::Refuted;
use super::shorter::shortened;
use super::walks::{WalkDecision, WalkTarget, search_by_walks, share};
use super::work::Work;
use crate::folded::unfolded_witness;
use crate::phase::Phase;
use crate::policy::shortcuts::{
    FIRST_LOCAL_STEPS, FIRST_TURN, LONGEST, LONGEST_IF_UNBOUNDED, LONGEST_TURN, QUICK_LOCAL_STEPS,
    QUICK_ROUNDS, QUICK_SHARE, QUICK_TIME,
};
use crate::replay_failure::ReplayFailure;
use crate::report::Witness;
use crate::technique::Technique;
use crate::witness::run_witness;
use symbolon_budget::{Budget, Interrupted};

/// A few walks.
pub(super) fn quick_shortcuts(work: Work<'_, '_>, budget: &Budget) -> Result<(), Interrupted> {
    let slice = share(budget, QUICK_SHARE, QUICK_TIME);
    walks(work, QUICK_ROUNDS, work.options.seed, &slice)?;
    match local_search(work, QUICK_LOCAL_STEPS, 0, &share(budget, QUICK_SHARE, QUICK_TIME)) {
        Ok(_) | Err(Interrupted::Timeout) => budget.check(),
        Err(why) => Err(why),
    }
}

/// Everything else, as long as there is time and something is open.
pub(super) fn more_shortcuts(work: Work<'_, '_>, budget: &Budget) -> Result<(), Interrupted> {
    let budget = match (budget.time_left(), work.loaded.unbounded_place()) {
        (Some(_), _) => budget.clone(),
        (None, None) => budget.slice(LONGEST),
        (None, Some(_)) => budget.slice(LONGEST_IF_UNBOUNDED),
    };
    let mut refuted = Refuted::default();
    let mut seed = work.options.seed;
    // Short attempts of each kind take turns, and become longer, because it is not known in advance
    // which of them will succeed.
    let mut turn = FIRST_TURN;
    let (mut local_steps, mut local_turn, mut is_searched) = (FIRST_LOCAL_STEPS, 1, true);
    while !work.board().is_done() {
        let is_searching = is_searched && {
            match local_search(work, local_steps, local_turn, &budget.slice(turn)) {
                Ok(LocalTurn::Over) => is_searched = false,
                Ok(LocalTurn::CutOff) | Err(Interrupted::Timeout) => {}
                Err(why) => return Err(why),
            }
            is_searched
        };
        budget.check()?;
        let is_refuting = match refuted.refute(work, turn / 4, &budget.slice(turn)) {
            Err(Interrupted::Timeout) => true,
            other => other?,
        };
        budget.check()?;
        seed = seed.wrapping_add(1);
        let is_walking = walks(work, u32::MAX, seed, &budget.slice(turn))?;
        budget.check()?;
        (local_steps, local_turn) = (local_steps.saturating_mul(4), local_turn + 1);
        if !is_refuting && !is_walking && !is_searching {
            break;
        }
        turn = (turn * 2).min(LONGEST_TURN);
    }
    Ok(())
}

/// Walks for evidence; returns whether there is something that they may decide.
fn walks(work: Work<'_, '_>, rounds: u32, seed: u64, budget: &Budget) -> Result<bool, Interrupted> {
    let leaves = work.board().open_leaves();
    let targets: Vec<WalkTarget> = leaves
        .into_iter()
        .filter_map(|(owner, formula, paths)| WalkTarget::new(owner, formula, paths))
        .collect();
    if targets.is_empty() {
        return Ok(false);
    }
    let mut on_decision = |decision: WalkDecision| {
        let (owner, value) = (decision.owner, decision.value);
        let witness = match witness(work, decision, budget) {
            Ok(witness) => work.wanted.witnesses.then_some(witness),
            Err(failure) => return work.board().note_broken(owner.0, failure),
        };
        let evidence = Evidence { techniques: vec![Technique::RandomWalk], witness };
        work.board().note_leaf(owner, value, evidence);
    };
    search_by_walks(&work.loaded.model, targets, rounds, seed, budget, &mut on_decision, &|owner| {
        work.board().is_settled(owner)
    })?;
    Ok(true)
}

/// The replayed run that shows a decision, shortened where the beginning of a path shows it.
fn witness(work: Work<'_, '_>, decision: WalkDecision, budget: &Budget) -> Result<Witness, ReplayFailure> {
    let WalkDecision { trace, loop_start, prefix, .. } = decision;
    let trace = match prefix {
        Some(prefix) => shortened(work, trace, prefix, budget),
        None => trace,
    };
    let witness = run_witness(&work.loaded.model, &trace, loop_start)?;
    unfolded_witness(work.loaded, witness)
}

/// Walks for runs that show what is decided already.
pub(super) fn missing_witnesses(work: Work<'_, '_>, budget: &Budget) -> Result<(), Interrupted> {
    let wanted = work.board().without_run();
    let targets: Vec<WalkTarget> = wanted
        .into_iter()
        .filter_map(|(owner, formula, paths)| WalkTarget::new(owner, formula, paths))
        .collect();
    if targets.is_empty() {
        return Ok(());
    }
    budget.progress().enter(Phase::Witnessing.name());
    let mut on_decision = |decision: WalkDecision| {
        let (case, _) = decision.owner;
        match witness(work, decision, budget) {
            Ok(witness) => work.board().note_witness(case, witness),
            Err(failure) => work.board().note_broken(case, failure),
        }
    };
    let has_witness = |owner: (usize, usize)| work.board().has_witness(owner.0);
    search_by_walks(
        &work.loaded.model,
        targets,
        u32::MAX,
        work.options.seed,
        budget,
        &mut on_decision,
        &has_witness,
    )
}
