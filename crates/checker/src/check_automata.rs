//! Properties given by automata, checked: whether any run of the model is accepted.
//!
//! Diagrams compute the product of the reachable states with the automaton
//! (`symbolon_engine::TemporalChecker::accepted_paths`); a plain table of states searches it on the
//! fly. An accepted run refutes the property, and is replayed before it is reported (C2).

use crate::ask::ask;
use crate::automaton_property::{AutomatonProperty, NO_RUN_IS_ACCEPTED};
use crate::check::CheckOptions;
use crate::error::Error;
use crate::evidence::{Claim, tree_witness};
use crate::folded::{unfolded_witness, witness_of_quotient};
use crate::hierarchies::check_choices;
use crate::loaded::Loaded;
use crate::options::{Diagram, Options};
use crate::policy;
use crate::replay_failure::ReplayFailure;
use crate::report::{Reason, Unknown, Witness};
use crate::stop::settle;
use crate::technique::Technique;
use crate::verdict::{PropertyReport, Verdict};
use crate::witness::run_witness;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::{self as engine, Explored, Question, StateSets, TemporalChecker, Unanswered};
use symbolon_explicit as explicit;
use symbolon_logic::Paths;
use symbolon_model::{Model, State};

impl AutomatonProperty {
    /// The report on an automaton about which nothing is known, for this reason.
    pub fn unknown(&self, why: Unknown) -> PropertyReport {
        let name = self.file.clone();
        let report = PropertyReport::open(name, NO_RUN_IS_ACCEPTED.to_string(), self.paths, why);
        PropertyReport { automaton: Some(self.file.clone()), ..report }
    }
}

/// Checks that no run is accepted by each of the automata; `on_verdict` is called with each
/// verdict, and again when a run that shows it was found.
pub(crate) fn check_automata(
    loaded: &Loaded,
    automata: &[AutomatonProperty],
    wanted: CheckOptions,
    options: &Options,
    budget: &Budget,
    on_verdict: &mut (dyn FnMut(usize, &PropertyReport) + Send),
) -> Result<Vec<PropertyReport>, Error> {
    check_choices(loaded, options)?;
    let unknown = Unknown::unsupported("no method decided it");
    let reports = automata.iter().map(|automaton| automaton.unknown(unknown.clone())).collect();
    let results = Mutex::new(Results { reports, start: Instant::now(), on_verdict });
    let work = Work { loaded, automata, wanted, options, budget, results: &results };
    let obstacle = if let Some(unbounded) = loaded.unboundedness() {
        let detail = format!("{unbounded}, so there are infinitely many states");
        Some(Unknown::because(Reason::Unbounded, detail))
    } else if options.diagram == Diagram::Explicit {
        by_plain_states(work);
        None
    } else {
        settle(ask(loaded, options, budget, work))?.err()
    };
    let mut reports = results.into_inner().unwrap_or_else(PoisonError::into_inner).reports;
    if let Some(obstacle) = obstacle {
        for report in reports.iter_mut().filter(|report| report.verdict == Verdict::Unknown(unknown.clone()))
        {
            report.verdict = Verdict::Unknown(obstacle.clone());
        }
    }
    Ok(reports)
}

/// The question, and where its answers go.
#[derive(Clone, Copy)]
struct Work<'a, 'b> {
    loaded: &'a Loaded,
    automata: &'a [AutomatonProperty],
    wanted: CheckOptions,
    options: &'a Options,
    budget: &'a Budget,
    results: &'a Mutex<Results<'b>>,
}

/// The reports so far.
struct Results<'b> {
    reports: Vec<PropertyReport>,
    start: Instant,
    on_verdict: &'b mut (dyn FnMut(usize, &PropertyReport) + Send),
}

impl Work<'_, '_> {
    /// Changes a report, and passes it on.
    fn report(self, number: usize, change: impl FnOnce(&mut PropertyReport)) {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let Results { reports, start, on_verdict } = &mut *results;
        change(&mut reports[number]);
        reports[number].time = start.elapsed();
        on_verdict(number, &reports[number]);
    }

    fn report_verdict(self, number: usize, is_accepted: bool) {
        let techniques = Technique::of_exploring(self.loaded, self.options);
        self.report(number, |report| {
            report.verdict = Verdict::of(!is_accepted);
            report.techniques = techniques;
        });
    }

    fn report_unknown(self, number: usize, why: Unknown) {
        self.report(number, |report| report.verdict = Verdict::Unknown(why));
    }

    /// Reports an accepted run, or takes the verdict back if it is none.
    fn report_run(self, number: usize, run: Result<Option<Witness>, ReplayFailure>) {
        match run {
            Ok(Some(witness)) => self.report(number, |report| report.witness = Some(witness)),
            Ok(None) => self.report(number, |report| report.no_witness = Some(NO_RUN.to_string())),
            Err(failure) => self.report_unknown(number, failure.into()),
        }
    }

    /// Fails unless the automaton accepts a run that was found.
    fn check_acceptance(
        self,
        number: usize,
        states: &[State],
        ending: explicit::Ending,
        events: impl Iterator<Item = String>,
    ) -> Result<(), ReplayFailure> {
        let (model, automaton) = (&self.loaded.model, &self.automata[number].automaton);
        match explicit::accepts_run(model, automaton, states, ending, self.budget) {
            Ok(Some(false)) => {
                let why = "the automaton does not accept it";
                Err(ReplayFailure::new(model, &states[0], events, why))
            }
            // Running out of time, or a proposition that one state does not show, is not a failure.
            Ok(Some(true) | None) | Err(_) => Ok(()),
        }
    }
}

/// Why a refuted property has no run.
const NO_RUN: &str = "an accepted run exists, but the search for it was cut off";

fn event_names(model: &Model, events: &[symbolon_model::EventId]) -> Vec<String> {
    events.iter().map(|event| model.event(*event).name.clone()).collect()
}

impl Question for Work<'_, '_> {
    type Answer = ();

    fn answer<S: StateSets>(self, mut explored: Explored<S>) -> Result<(), Interrupted> {
        let Explored { sets, reached, .. } = &mut explored;
        let model = &self.loaded.model;
        let mut checker = TemporalChecker::new(sets, model, reached)?;
        let fairness = &self.loaded.questions.fairness;
        if !fairness.is_empty() {
            let paths = self.automata.first().map_or(Paths::Infinite, |automaton| automaton.paths);
            match checker.set_fairness(fairness) {
                Ok(()) => checker.forget_unfair_states(paths)?,
                Err(Unanswered::Interrupted(why)) => return Err(why),
                Err(Unanswered::Unsupported(what)) => {
                    let why = Unknown::unsupported(format!("a fairness constraint has {what}"));
                    (0..self.automata.len()).for_each(|number| self.report_unknown(number, why.clone()));
                    return Ok(());
                }
            }
        }
        if !fairness.is_empty() && !checker.has_fair_state() {
            let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
            results.reports.iter_mut().for_each(|report| report.has_no_fair_path = true);
        }
        for (number, AutomatonProperty { automaton, paths, .. }) in self.automata.iter().enumerate() {
            let accepted = match checker.accepted_paths(automaton, *paths) {
                Ok(accepted) => accepted,
                Err(Unanswered::Interrupted(why)) => return Err(why),
                Err(Unanswered::Unsupported(what)) => {
                    let why =
                        Unknown::unsupported(format!("the automaton has {what}, which is not supported"));
                    self.report_unknown(number, why);
                    continue;
                }
            };
            let is_accepted = checker.is_any_accepted(&accepted);
            self.report_verdict(number, is_accepted);
            if is_accepted && self.wanted.witnesses {
                let steps = policy::SHORTEST_RUN.after(checker.sets().statistics().steps);
                // Running out while looking for a run does not take back the verdict.
                let found = checker.accepted_path(automaton, &accepted, steps).ok().flatten();
                self.report_run(number, self.checked_run(number, found));
            }
            checker.sets().collect_if_due();
        }
        Ok(())
    }
}

impl Work<'_, '_> {
    /// Replays a run that diagrams found.
    fn checked_run(
        self,
        number: usize,
        found: Option<engine::Witness>,
    ) -> Result<Option<Witness>, ReplayFailure> {
        let model = &self.loaded.model;
        let Some(found) = found else { return Ok(None) };
        if let Some(witness) = witness_of_quotient(self.loaded, &found) {
            return witness.map(Some);
        }
        let ending = match found.ending {
            engine::Ending::Open => explicit::Ending::Open,
            engine::Ending::Dead => explicit::Ending::Dead,
            engine::Ending::Loop(start) => explicit::Ending::Loop(start),
        };
        let events = event_names(model, &found.events).into_iter();
        self.check_acceptance(number, &found.states, ending, events)?;
        let formula = self.automata[number].automaton.formula();
        let claim =
            Claim { model, formula, paths: Paths::Infinite, fairness: &self.loaded.questions.fairness };
        let witness = tree_witness(claim, &found)?;
        witness.map(|witness| unfolded_witness(self.loaded, witness)).transpose()
    }
}

/// By a search of the product with plain states, on the fly.
fn by_plain_states(work: Work<'_, '_>) {
    let model = &work.loaded.model;
    for (number, AutomatonProperty { automaton, paths, .. }) in work.automata.iter().enumerate() {
        if !work.loaded.questions.fairness.is_empty() {
            let why = "automata with fairness constraints are not supported by plain states; use a diagram";
            work.report_unknown(number, Unknown::unsupported(why));
            continue;
        }
        let options = explicit::Options::default();
        let found = match explicit::find_accepted_path(model, automaton, *paths, &options, work.budget) {
            Ok(found) => found,
            Err(stopped) => {
                work.report_unknown(number, stopped.into());
                continue;
            }
        };
        work.report_verdict(number, found.lasso.is_some());
        if let Some(lasso) = found.lasso.filter(|_| work.wanted.witnesses) {
            work.report_run(number, checked_lasso(work, number, &lasso));
        }
    }
}

/// Replays a lasso that the search of plain states found.
fn checked_lasso(
    work: Work<'_, '_>,
    number: usize,
    lasso: &explicit::Lasso,
) -> Result<Option<Witness>, ReplayFailure> {
    let model = &work.loaded.model;
    let failed = |why| ReplayFailure::of_trace(model, &lasso.trace, why);
    let states = explicit::replay_lasso(model, lasso).map_err(failed)?;
    let ending = lasso.loop_start.map_or(explicit::Ending::Dead, explicit::Ending::Loop);
    let events = event_names(model, &lasso.trace.events).into_iter();
    work.check_acceptance(number, &states, ending, events)?;
    let witness = run_witness(model, &lasso.trace, lasso.loop_start)?;
    unfolded_witness(work.loaded, witness).map(Some)
}
