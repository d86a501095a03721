//! Formulas decided by the few states that matter: local search for the parts that are open.
//!
//! Where a formula of CTL asks for few states, they are visited one by one. Each attempt has a number of
//! steps, which grows from turn to turn: whether few states decide a formula is not known in advance.

use super::board::Evidence;
use super::work::Work;
use crate::technique::Technique;
use symbolon_budget::{Budget, Interrupted};
use symbolon_local::{LocalSearch, Stopped};

/// Whether another turn with more steps may decide something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LocalTurn {
    /// Some search was cut off.
    CutOff,
    /// All that can be decided in this way is.
    Over,
}

/// Searches for the value of each open part, with so many steps for each, in the order of this turn.
pub(super) fn local_search(
    work: Work<'_, '_>,
    steps: u64,
    number: u32,
    budget: &Budget,
) -> Result<LocalTurn, Interrupted> {
    let mut turn = LocalTurn::Over;
    if !work.loaded.questions.fairness.is_empty() {
        return Ok(turn);
    }
    let leaves = work.board().open_leaves();
    let mut search = None;
    for (owner, formula, paths) in leaves {
        if work.board().is_settled(owner) {
            continue;
        }
        if search.is_none() {
            // What cannot be searched is left to others.
            let Ok(prepared) = LocalSearch::new(&work.loaded.model, budget) else { return Ok(turn) };
            search = Some(prepared);
        }
        let Some(prepared) = &mut search else { break };
        match prepared.check_in_order(&formula, paths, steps, number) {
            Ok(value) => work.board().note_leaf(owner, value, Evidence::of(Technique::LocalSearch)),
            Err(Stopped::Steps) => turn = LocalTurn::CutOff,
            // The states of the others would not fit either.
            Err(Stopped::Interrupted(Interrupted::Memory)) => return Ok(LocalTurn::Over),
            // Another method says why, or decides it without these states.
            Err(
                Stopped::Interrupted(Interrupted::Overflow)
                | Stopped::Unsupported
                | Stopped::AtomWithoutValue,
            ) => {}
            Err(Stopped::Interrupted(why)) => return Err(why),
        }
    }
    Ok(turn)
}
