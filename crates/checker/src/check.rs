//! Temporal properties: a verdict for each, and a witness where one can show it.
//!
//! Cheap methods come first: facts proved about the net decide atoms, the initial state decides
//! formulas, walks find evidence, linear programs refute. Then two methods work side by side, each
//! on its own core if there are two:
//!
//! ```text
//! properties ──simpler──▶ board ◀── diagrams: all reachable states, then formula by formula
//!                           ▲
//!                           └────── shortcuts: more walks, more programs
//! ```
//!
//! The board knows what is decided. Each method writes its decisions there, and they are reported
//! at once. With the option `no-shortcuts` diagrams work alone.

mod board;
mod cubes;
mod diagrams;
mod glance;
mod lasso_target;
mod local;
mod prefix_target;
mod proved;
mod refuted;
mod shortcuts;
mod shorter;
mod stripped;
mod walks;
mod work;

use crate::error::{Error, InputError};
use crate::hierarchies::check_choices;
use crate::loaded::Loaded;
use crate::options::{Options, StrategiesChoice};
use crate::policy::check::{COUNTING_TIME, QUICK_SHARE, WITNESS_TIME};
use crate::property::Property;
use crate::report::{ShownState, Unknown};
use crate::technique::Technique;
use crate::verdict::{PropertyReport, Verdict};
use board::{Board, Evidence};
use diagrams::by_diagrams;
use num_bigint::BigUint;
use proved::Proved;
use shortcuts::{missing_witnesses, more_shortcuts, quick_shortcuts};
use shorter::shortest_runs;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use stripped::by_skeleton;
use symbolon_budget::{Budget, Interrupted};
use symbolon_logic::{Formula, Paths, simplify};
use symbolon_model::{Atom, ObserverId};
use walks::{share, share_of_time};
use work::Work;

/// What is wanted besides verdicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckOptions {
    /// Runs that show the verdicts.
    pub witnesses: bool,
    /// In how many states each subformula holds.
    pub counts: bool,
    /// How large the state space is.
    pub space: bool,
    /// With the state space, a state in which nothing can happen.
    pub dead_state: bool,
}

/// The state space on which properties were checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    /// The exact number of reachable states.
    pub states: BigUint,
    /// The largest distance of a state from the initial ones, where breadth-first search finds it.
    pub depth: Option<u64>,
    /// The most bytes that nodes took at once.
    pub node_bytes: u64,
    /// Whether some path satisfies the fairness constraints of the source.
    pub has_fair_path: bool,
    /// A reachable state in which nothing can happen, if that was asked for and there is one.
    pub dead_state: Option<ShownState>,
}

/// Checks properties; `on_verdict` is called with each verdict as soon as it is known.
pub(crate) fn check(
    loaded: &Loaded,
    properties: &[Property],
    wanted: CheckOptions,
    options: &Options,
    budget: &Budget,
    on_verdict: &mut (dyn FnMut(usize, &PropertyReport) + Send),
) -> Result<Vec<PropertyReport>, Error> {
    check_and_measure(loaded, properties, wanted, options, budget, on_verdict).map(|(reports, _)| reports)
}

/// The same, with the state space if that is wanted and was explored.
pub(crate) fn check_and_measure(
    loaded: &Loaded,
    properties: &[Property],
    wanted: CheckOptions,
    options: &Options,
    budget: &Budget,
    on_verdict: &mut (dyn FnMut(usize, &PropertyReport) + Send),
) -> Result<(Vec<PropertyReport>, Option<Space>), Error> {
    check_choices(loaded, options)?;
    uniform_agents(loaded, options)?;
    let has_structure = loaded.structure().is_some();
    let proves = (has_structure || loaded.program().is_some()) && !options.no_shortcuts;
    let proved = proves.then(|| Proved::new(loaded));
    let asked = properties.iter().map(|property| (&property.formula, property.paths));
    let stripped = match &proved {
        Some(_) => by_skeleton(loaded, asked, budget),
        None => properties.iter().map(|_| None).collect(),
    };
    let put_in = |formula: &Formula<Atom>, paths: Paths| {
        let formula = match &proved {
            Some(proved) => proved.apply(formula),
            None => formula.clone(),
        };
        simplify(&formula, paths)
    };
    let formulas = properties.iter().map(|property| put_in(&property.formula, property.paths));
    let shared_board = Mutex::new(Board::new(loaded, wanted, properties, formulas.collect(), on_verdict));
    let work = Work { loaded, properties, wanted, options, shared_board: &shared_board };
    let mut obstacle = None;
    if !options.no_shortcuts && !loaded.model.is_synchronous() && !has_structure {
        // A formula about the initial state needs no others, of which there may be too many.
        work.board().look(|| Evidence::of(Technique::Explicit));
    }
    let is_parallel = work.may_use_shortcuts() && options.threads > 1;
    let mut is_explored = false;
    if work.may_use_shortcuts() {
        // What the skeleton decides comes first, and then what is proved of the unfolding.
        for (case, (property, simpler)) in properties.iter().zip(stripped).enumerate() {
            let Some(simpler) = simpler else { continue };
            let without_proved = simpler.clone();
            work.board().replace_formula(case, simpler, Evidence::of(Technique::ColourStripping));
            let put_in = put_in(&without_proved, property.paths);
            if put_in != without_proved {
                let evidence = Evidence::of(Technique::StructuralAnalysis);
                work.board().replace_formula(case, put_in, evidence);
            }
        }
        work.board().look(|| Evidence::of(Technique::StructuralAnalysis));
        // Walks find long runs; where all states are soon known, there are shorter ones.
        let wants_short_runs = wanted.witnesses && !work.board().is_done();
        if wants_short_runs && is_parallel {
            let head_start = share_of_time(budget, QUICK_SHARE, options.grace);
            obstacle = side_by_side(work, budget, head_start)?;
            is_explored = true;
        } else {
            if wants_short_runs {
                by_diagrams(work, &share(budget, QUICK_SHARE, options.grace))?;
            }
            obstacle = obstacle_of(quick_shortcuts(work, budget));
        }
    }
    let is_open = wanted.space || !work.board().is_done();
    if obstacle.is_none() && is_open && !is_explored {
        obstacle = match is_parallel {
            true => side_by_side(work, budget, Duration::ZERO)?,
            false => one_after_the_other(work, budget)?,
        };
        is_explored = is_parallel;
    }
    // The verdicts stand, whatever comes of the rest. Where diagrams worked beside the shortcuts,
    // they had their time to show them.
    if !is_explored && !work.board().unshown().is_empty() {
        by_diagrams(work, &share(budget, QUICK_SHARE, WITNESS_TIME))?;
    }
    if work.may_walk_for_witnesses() {
        let _ = missing_witnesses(work, &share(budget, QUICK_SHARE, WITNESS_TIME));
    }
    work.board().show_constants();
    if wanted.witnesses {
        shortest_runs(work, budget);
    }
    if budget.check().is_err() {
        work.board().note_cut_off();
    }
    if !work.board().uncounted().is_empty() {
        let time = budget.time_left().unwrap_or(COUNTING_TIME);
        by_diagrams(work, &budget.slice(time))?;
    }
    let mut board = shared_board.into_inner().unwrap_or_else(PoisonError::into_inner);
    let space = board.take_space();
    Ok((board.into_reports(obstacle), space))
}

/// The agents whose strategies have to be uniform, if some have to.
fn uniform_agents(loaded: &Loaded, options: &Options) -> Result<Option<Vec<ObserverId>>, Error> {
    let observers = &loaded.model.observers;
    match &options.strategies {
        StrategiesChoice::Perfect => Ok(None),
        StrategiesChoice::Uniform => Ok(Some(observers.ids().collect())),
        StrategiesChoice::UniformOf(group) => match observers.members(group) {
            Some(members) => Ok(Some(members)),
            None => {
                let names = observers.groups.iter().map(|group| group.name.as_str());
                let names: Vec<&str> =
                    names.chain(observers.list.iter().map(|one| one.name.as_str())).collect();
                let hint = format!("there are {}", names.join(", "));
                let message = format!("there is no group and no agent '{group}'");
                Err(InputError::plain(message).with_hint(hint).into())
            }
        },
    }
}

fn obstacle_of(outcome: Result<(), Interrupted>) -> Option<Unknown> {
    outcome.err().map(Unknown::from)
}

/// Diagrams and shortcuts at once; the one that decides the last property stops the other.
///
/// Diagrams have a head start, and are not stopped after it: what they explored is not lost when
/// the shortcuts begin. Where shortcuts decide everything, diagrams may go on for a while to show
/// what was decided.
fn side_by_side(work: Work<'_, '_>, budget: &Budget, head_start: Duration) -> Result<Option<Unknown>, Error> {
    let (for_diagrams, for_shortcuts) = (budget.part(), budget.part());
    let diagrams_ended = Signal::default();
    let stop_when_done = |other: &Budget| {
        if work.board().is_done() {
            other.cancel();
        }
    };
    thread::scope(|scope| {
        let shortcuts = scope.spawn(|| {
            diagrams_ended.wait(head_start);
            let outcome = match head_start.is_zero() {
                true => Ok(()),
                false => quick_shortcuts(work, &for_shortcuts),
            };
            let outcome = outcome.and_then(|()| more_shortcuts(work, &for_shortcuts));
            if work.board().is_done() && !work.board().unshown().is_empty() {
                diagrams_ended.wait(share_of_time(budget, QUICK_SHARE, WITNESS_TIME));
            }
            stop_when_done(&for_diagrams);
            outcome
        });
        let diagrams = by_diagrams(work, &for_diagrams);
        diagrams_ended.give();
        // All states are known and nothing was decided by them within the limits, or all is
        // decided: either way the other may go on only as long as something is open.
        stop_when_done(&for_shortcuts);
        let walked = shortcuts.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok(diagrams?.or(obstacle_of(walked)))
    })
}

/// Something that one thread waits for and another one says has happened.
#[derive(Default)]
struct Signal {
    is_given: Mutex<bool>,
    changed: Condvar,
}

impl Signal {
    fn give(&self) {
        *self.is_given.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.changed.notify_all();
    }

    /// Waits until the signal is given, at most this long.
    fn wait(&self, longest: Duration) {
        let is_given = self.is_given.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.changed.wait_timeout_while(is_given, longest, |is_given| !*is_given);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}

/// Diagrams, and then shortcuts for what they left open.
fn one_after_the_other(work: Work<'_, '_>, budget: &Budget) -> Result<Option<Unknown>, Error> {
    let most = match budget.time_left() {
        Some(left) if work.may_use_shortcuts() => budget.slice(left.mul_f64(0.7)),
        _ => budget.clone(),
    };
    let outcome = by_diagrams(work, &most)?;
    if work.may_use_shortcuts() && !work.board().is_done() {
        return Ok(outcome.or(obstacle_of(more_shortcuts(work, budget))));
    }
    Ok(outcome)
}
