//! Formulas decided on the set of all reachable states, by diagrams or by a plain table.
//!
//! The states are explored once for all formulas. The formulas then take turns under a share of the
//! time each, so that one long evaluation does not block the others. A verdict goes to the board
//! before its witness is searched for; running out of time later does not take it back.

use super::board::Evidence;
use super::work::Work;
use super::{Space, uniform_agents};
use crate::ask::ask;
use crate::error::Error;
use crate::evidence::{Claim, tree_witness};
use crate::folded::{count_markings, unfolded_witness, witness_of_quotient};
use crate::loaded::Loaded;
use crate::options::Diagram;
use crate::phase::Phase;
use crate::policy;
use crate::policy::formulas::LEAST_TURN;
use crate::property::Property;
use crate::replay_failure::ReplayFailure;
use crate::report::{Reason, Unknown, Witness};
use crate::shown::{decided_by, shown_by_run};
use crate::stop::settle;
use crate::technique::Technique;
use crate::witness::state_by_components;
use num_bigint::BigUint;
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::{self as engine, Ending, Explored, Question, StateSets, TemporalChecker, Unanswered};
use symbolon_explicit as explicit;
use symbolon_logic::{Builder, Formula, FormulaId, Operator, Paths};
use symbolon_model::{Atom, Model};

/// Decides what is open; what cannot be decided is left open, with the reason.
pub(super) fn by_diagrams(work: Work<'_, '_>, budget: &Budget) -> Result<Option<Unknown>, Error> {
    if let Some(unbounded) = work.loaded.unboundedness() {
        let detail =
            format!("{unbounded}, so there are infinitely many states; neither a proof nor a run decided it");
        return Ok(Some(Unknown::because(Reason::Unbounded, detail)));
    }
    if work.options.diagram == Diagram::Explicit && work.loaded.quotient().is_none() {
        return Ok(by_explicit(work, budget));
    }
    let explored = ask(work.loaded, work.options, budget, FormulaQuestion { work, budget });
    Ok(settle(explored)?.err())
}

/// The paths that are fair or not: those that all formulas are about, since a source with fairness
/// constraints, or the user, sets them for all of its formulas.
fn fair_paths(properties: &[Property]) -> Paths {
    properties.first().map_or(Paths::Infinite, |property| property.paths)
}

struct FormulaQuestion<'a, 'b> {
    work: Work<'a, 'b>,
    budget: &'a Budget,
}

impl Question for FormulaQuestion<'_, '_> {
    type Answer = ();

    fn answer<S: StateSets>(self, mut explored: Explored<S>) -> Result<(), Interrupted> {
        let Explored { sets, reached, depth, .. } = &mut explored;
        let states = match self.work.wanted.space {
            true => count_markings(sets, reached, self.work.loaded)?,
            false => None,
        };
        let node_bytes = sets.statistics().peak_node_bytes;
        let mut dead_state = None;
        if self.work.wanted.dead_state {
            let dead = sets.dead(reached)?;
            dead_state = sets.choose(&dead).map(|state| state_by_components(&self.work.loaded.model, &state));
        }
        let mut checker = TemporalChecker::new(sets, &self.work.loaded.model, reached)?;
        let fairness = &self.work.loaded.questions.fairness;
        if !fairness.is_empty() {
            // Of a multi-agent system, only states with a fair path count.
            let paths = fair_paths(self.work.properties);
            match checker.set_fairness(fairness) {
                Ok(()) => checker.forget_unfair_states(paths)?,
                Err(Unanswered::Interrupted(why)) => return Err(why),
                Err(Unanswered::Unsupported(what)) => {
                    let why = Unknown::unsupported(format!("a fairness constraint has {what}"));
                    let mut board = self.work.board();
                    for case in board.open() {
                        board.note_obstacle(case, why.clone());
                    }
                    return Ok(());
                }
            }
        }
        if let Ok(Some(agents)) = uniform_agents(self.work.loaded, self.work.options) {
            checker.demand_uniform(agents);
        }
        let has_fair_path = fairness.is_empty() || checker.has_fair_state();
        if !has_fair_path {
            self.work.board().note_no_fair_path();
        }
        if let Some(states) = states {
            self.work.board().note_space(Space {
                states,
                depth: *depth,
                node_bytes,
                has_fair_path,
                dead_state,
            });
        }
        // Formulas take turns, so that one that takes long does not keep the others from their
        // answers.
        for turn in 0_u32.. {
            let open = self.work.board().open();
            let mut is_any_left = false;
            for (number, &case) in open.iter().enumerate() {
                if !self.work.board().is_open(case) {
                    continue;
                }
                let slice = match self.budget.time_left() {
                    None => self.budget.clone(),
                    Some(left) => {
                        let share = left / (open.len() - number) as u32 / if turn == 0 { 2 } else { 1 };
                        self.budget.slice(share.max(LEAST_TURN))
                    }
                };
                let whole = checker.sets().meter().replace_budget(slice);
                let answer = self.decide(&mut checker, case);
                checker.sets().meter().replace_budget(whole);
                match answer {
                    Ok(()) => {}
                    Err(Unanswered::Interrupted(why)) => {
                        self.budget.check()?;
                        self.work.board().note_obstacle(case, Unknown::from(why));
                        // Running out of time is worth another turn; numbers too large are not.
                        is_any_left |= matches!(why, Interrupted::Timeout | Interrupted::Memory);
                    }
                    Err(Unanswered::Unsupported(what)) => {
                        let detail = format!("the formula has {what}, which is not supported");
                        self.work.board().note_obstacle(case, Unknown::unsupported(detail));
                    }
                }
                checker.sets().collect_if_due();
            }
            if !is_any_left {
                break;
            }
        }
        // What others decided, or what was decided without a run before, may be shown by these
        // sets.
        let unshown = self.work.board().unshown();
        for case in unshown {
            self.show(&mut checker, case)?;
        }
        let uncounted = self.work.board().uncounted();
        for case in uncounted {
            // A formula that cannot be counted keeps its verdict.
            match satisfied(&mut checker, self.work.loaded, &self.work.properties[case]) {
                Ok(satisfied) => self.work.board().note_satisfied(case, satisfied),
                Err(Unanswered::Interrupted(why)) => return Err(why),
                Err(Unanswered::Unsupported(_)) => {}
            }
            checker.sets().collect_if_due();
        }
        Ok(())
    }
}

impl FormulaQuestion<'_, '_> {
    fn decide<S: StateSets>(
        &self,
        checker: &mut TemporalChecker<'_, S>,
        case: usize,
    ) -> Result<(), Unanswered> {
        let (formula, paths) = self.work.board().formula(case);
        let techniques = Technique::of_exploring(self.work.loaded, self.work.options);
        let holds = checker.holds(&formula, paths)?;
        // The verdict is known from here on, whatever becomes of its witness.
        self.work.board().note(case, holds, Evidence { techniques, witness: None });
        self.explain(checker, case, &formula, paths);
        Ok(())
    }

    /// Looks for evidence of a verdict that is known, in the formula as it was asked.
    fn show<S: StateSets>(
        &self,
        checker: &mut TemporalChecker<'_, S>,
        case: usize,
    ) -> Result<(), Interrupted> {
        let (formula, paths) = self.work.board().asked(case);
        self.explain(checker, case, &formula, paths);
        checker.sets().collect_if_due();
        self.budget.check()
    }

    fn explain<S: StateSets>(
        &self,
        checker: &mut TemporalChecker<'_, S>,
        case: usize,
        formula: &Formula<Atom>,
        paths: Paths,
    ) {
        if !self.work.wanted.witnesses || self.work.board().has_witness(case) {
            return;
        }
        let steps = policy::SHORTEST_RUN.after(checker.sets().statistics().steps);
        self.budget.progress().enter(Phase::Witnessing.name());
        let explained = checker.explain(formula, paths, steps);
        self.budget.progress().enter(Phase::Answering.name());
        // Running out while looking for a run does not take back the verdict.
        let Ok(explained) = explained else { return };
        if let Some(why) = explained.left_out {
            self.work.board().note_no_witness(case, why.to_string());
        }
        let Some(found) = explained.witness else { return };
        let witness = match witness_of_quotient(self.work.loaded, &found) {
            Some(witness) => witness.map(Some),
            None => {
                let (model, fairness) = (&self.work.loaded.model, &self.work.loaded.questions.fairness[..]);
                tree_witness(Claim { model, formula, paths, fairness }, &found)
            }
        };
        let told_apart = |witness: Option<Witness>| {
            witness.map(|witness| unfolded_witness(self.work.loaded, witness)).transpose()
        };
        match witness.and_then(told_apart) {
            Ok(Some(witness)) => self.work.board().note_witness(case, witness),
            Ok(None) => {}
            Err(failure) => self.work.board().note_broken(case, failure),
        }
    }
}

/// In how many states each subformula about states holds, constants excepted; the formula itself
/// comes last.
fn satisfied<S: StateSets>(
    checker: &mut TemporalChecker<'_, S>,
    loaded: &Loaded,
    property: &Property,
) -> Result<Vec<(String, BigUint)>, Unanswered> {
    let sets = checker.satisfying_each(&property.formula, property.paths)?;
    let mut counts = Vec::new();
    for ((id, operator), set) in property.formula.subformulas().zip(sets) {
        let Some(set) = set.filter(|_| !matches!(operator, Operator::True | Operator::False)) else {
            continue;
        };
        let Some(count) = count_markings(checker.sets(), &set, loaded)? else { continue };
        counts.push((property.subformula_text(id), count));
    }
    Ok(counts)
}

/// The message where plain states have no run to show.
const NO_PLAIN_RUN: &str =
    "plain states show no run for this formula; leave out option ‹diagram explicit› to see more";

/// A run that shows the verdict about a formula, if a single one can.
fn plain_run(
    model: &Model,
    checker: &mut explicit::Checker<'_>,
    (formula, paths): (&Formula<Atom>, Paths),
    fairness: &[Formula<Atom>],
    checked: &explicit::Checked,
) -> Result<Option<Witness>, ReplayFailure> {
    let holds = checked.holds();
    let root = shown_by_run(formula, holds);
    let shown = root.or_else(|| {
        // One part of a formula may decide it in an initial state.
        let mut initial = checked.initial().iter().filter(|&&state| checked.answer()[state] == holds);
        initial.find_map(|&state| {
            let value = |(id, _): (FormulaId, _)| checked.label(id).map(|label| label[state]);
            decided_by(formula, holds, &formula.subformulas().map(value).collect::<Vec<_>>())
        })
    });
    let Some(id) = shown else { return Ok(None) };
    let Ok(Some(mut found)) = checker.run(formula, paths, fairness, checked, id) else { return Ok(None) };
    // Another part may be shown by a shorter run.
    found.is_shortest &= root.is_some() || found.events.is_empty();
    let ending = match found.ending {
        explicit::Ending::Open => Ending::Open,
        explicit::Ending::Dead => Ending::Dead,
        explicit::Ending::Loop(start) => Ending::Loop(start),
    };
    let explicit::FoundRun { states, events, is_shortest, .. } = found;
    let (strategy, branches) = (None, Vec::new());
    let found = engine::Witness { formula: id, states, events, ending, is_shortest, strategy, branches };
    tree_witness(Claim { model, formula, paths, fairness }, &found)
}

/// By a plain table of states.
fn by_explicit(work: Work<'_, '_>, budget: &Budget) -> Option<Unknown> {
    let mut checker =
        match explicit::Checker::new(&work.loaded.model, &explicit::CheckOptions::default(), budget) {
            Ok(checker) => checker,
            Err(stopped) => return Some(Unknown::from(stopped)),
        };
    let fairness = &work.loaded.questions.fairness;
    if let Ok(Some(agents)) = uniform_agents(work.loaded, work.options) {
        checker.demand_uniform(agents);
    }
    let has_fair_path = match has_fair_path(&mut checker, fairness, fair_paths(work.properties)) {
        Ok(has_fair_path) => has_fair_path,
        Err(stopped) => return Some(Unknown::from(stopped)),
    };
    if !has_fair_path {
        work.board().note_no_fair_path();
    }
    if work.wanted.space {
        let explored = checker.exploration();
        let (states, depth) = (BigUint::from(explored.state_count()), Some(explored.depth() as u64));
        let mut dead_state = None;
        if work.wanted.dead_state {
            let dead = explored.dead_states().first().map(|&number| explored.state(number));
            dead_state = dead.map(|state| state_by_components(&work.loaded.model, &state));
        }
        work.board().note_space(Space { states, depth, node_bytes: 0, has_fair_path, dead_state });
    }
    let open = work.board().open();
    for case in open {
        let (formula, paths) = work.board().formula(case);
        match checker.check(&formula, paths, fairness) {
            Ok(checked) => work.board().note(case, checked.holds(), Evidence::of(Technique::Explicit)),
            Err(stopped) => {
                let concerns_all = matches!(stopped.reason, explicit::Reason::Interrupted(_));
                let unknown = Unknown::from(stopped);
                if concerns_all {
                    return Some(unknown);
                }
                work.board().note_obstacle(case, unknown);
            }
        }
    }
    let unshown = work.board().unshown();
    for case in unshown {
        let (formula, paths) = work.board().asked(case);
        let Ok(checked) = checker.check(&formula, paths, fairness) else { continue };
        let asked = (&formula, paths);
        match plain_run(&work.loaded.model, &mut checker, asked, fairness, &checked) {
            Ok(Some(witness)) => work.board().note_witness(case, witness),
            Ok(None) => work.board().note_no_run(case, checked.holds(), NO_PLAIN_RUN),
            Err(failure) => work.board().note_broken(case, failure),
        }
    }
    let uncounted = work.board().uncounted();
    for case in uncounted {
        let property = &work.properties[case];
        if let Ok(checked) = checker.check(&property.formula, property.paths, fairness) {
            work.board().note_satisfied(case, satisfied_states(property, &checked));
        }
    }
    None
}

/// In how many states each subformula about states holds, by labels.
fn satisfied_states(property: &Property, checked: &explicit::Checked) -> Vec<(String, BigUint)> {
    let count = |(id, operator): (FormulaId, &Operator<Atom>)| {
        let states =
            checked.satisfying(id).filter(|_| !matches!(operator, Operator::True | Operator::False))?;
        Some((property.subformula_text(id), BigUint::from(states)))
    };
    property.formula.subformulas().filter_map(count).collect()
}

/// Whether some path satisfies the fairness constraints.
fn has_fair_path(
    checker: &mut explicit::Checker<'_>,
    fairness: &[Formula<Atom>],
    paths: Paths,
) -> Result<bool, explicit::Stopped> {
    if fairness.is_empty() {
        return Ok(true);
    }
    // Without a fair path everything holds, also what is false.
    let mut builder = Builder::default();
    let never = builder.add(Operator::False);
    let never = builder.finish(never);
    Ok(!checker.check(&never, paths, fairness)?.holds())
}
