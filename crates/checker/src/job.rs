//! Jobs: one handle through which a front end asks any question.
//!
//! A [`Job`] has a [`Budget`], which limits it, and an observer, to which it reports [`Event`]s
//! while it runs: the phase, nodes and steps a few times a second, and each verdict as soon as it
//! is decided. Any thread may cancel it. Every question ends in a report or in a [`Stop`], also
//! where this crate panics: that becomes `unknown` with the reason *internal*.
//!
//! Several jobs may run at once in one process, each with a budget of its own
//! ([`Budget::for_job`]). What is *not* separate: the size of the process (a limit on it, as the
//! command line sets one with [`Budget::within`], counts the memory of all jobs), memory that no
//! table charges (texts that are read, nets, formulas), and an overflow of the stack, which ends
//! the process.

use crate::automaton_property::{AutomatonProperty, violating_runs};
use crate::bounded::{self, SatMethod, Within};
use crate::bounds::{self, BoundReport, BoundTarget, BoundsReport};
use crate::check::{self, CheckOptions, Space};
use crate::check_automata;
use crate::compile::{self, CompileReport};
use crate::convert::{self, Conversion, ConvertReport};
use crate::deadlock::{self, DeadlockOptions};
use crate::distances;
use crate::drawing::{self, DrawOptions, Drawing, PictureFormat};
use crate::examination::{self, ExaminationLine};
use crate::examination_name::Examination;
use crate::hierarchy_plan;
use crate::info::{self, InfoReport};
use crate::info_of_commands::{ProgramInfo, info_of_commands};
use crate::load::{self, Needs};
use crate::loaded::{Loaded, Source};
use crate::options::Options;
use crate::overflow::{self, OverflowReport};
use crate::phase::Phase;
use crate::property::{FormulaFile, Property, PropertyFile};
use crate::report::{DeadlockReport, HierarchyReport, PartialReport, Reason, StatesReport, Unknown, Witness};
use crate::resolve;
use crate::simulation::Simulation;
use crate::state_list::{self, StateList};
use crate::state_space::{StateSpace, explored_space};
use crate::states;
use crate::stop::Stop;
use crate::verdict::{PropertyReport, Verdict};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use symbolon_budget::{self as budget, Budget};
use symbolon_logic::Paths;

/// How often progress is reported while nothing else happens.
const INTERVAL: Duration = Duration::from_millis(250);

/// A question on its way to an answer. Clones are the same job.
#[derive(Clone)]
pub struct Job {
    budget: Budget,
    shared: Arc<Shared>,
}

struct Shared {
    start: Instant,
    observer: Option<Box<Observer>>,
    /// How often progress is reported while nothing else happens, if at all.
    interval: Option<Duration>,
    known: Mutex<Known>,
}

/// The callback of a job.
type Observer = dyn Fn(Event<'_>) + Send + Sync;

/// Something that happened to a job.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// How far it is: at each new phase, a few times a second, and after each of the other events.
    Progress(Progress),
    /// A property was decided, or a witness was found for one that was.
    Verdict {
        /// The number of the property.
        number: usize,
        /// What is known of it now.
        report: &'a PropertyReport,
    },
    /// There is a deadlock; a run to it, or a shorter one, may follow.
    Deadlock(&'a DeadlockReport),
    /// A bound is known.
    Bound {
        /// The number of the target.
        number: usize,
        /// The bound.
        report: &'a BoundReport,
    },
    /// A line of the contest's protocol.
    Line(&'a ExaminationLine),
}

/// How far a job is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The time since the job was created.
    pub time: Duration,
    /// What is being done, in one word.
    pub phase: &'static str,
    /// Nodes, or stored states, last counted.
    pub nodes: u64,
    /// Steps taken.
    pub steps: u64,
    /// What is known so far.
    pub known: Known,
}

/// What is known before a job ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Known {
    /// Nothing that could be reported.
    #[default]
    Nothing,
    /// Verdicts of `check`.
    Verdicts {
        /// Properties that hold.
        holds: usize,
        /// Properties that fail.
        fails: usize,
        /// Properties without a verdict yet.
        open: usize,
    },
    /// There is a deadlock; the length of the run to it, where one is known.
    Deadlock {
        /// The length of the run.
        distance: Option<usize>,
    },
    /// Bounds of places.
    Bounds {
        /// How many are known.
        known: usize,
        /// How many are asked for.
        asked: usize,
    },
    /// Lines of the contest's protocol that were given.
    Lines(usize),
}

impl Job {
    /// A job that reports to no observer.
    pub fn new(budget: Budget) -> Job {
        Job::with(budget, None, None)
    }

    /// A job that reports to `observer`, a few times a second also how far it is. The observer is
    /// called in the threads that work on the job, sometimes by two of them at once, and should
    /// return soon.
    pub fn observed(budget: Budget, observer: impl Fn(Event<'_>) + Send + Sync + 'static) -> Job {
        Job::with(budget, Some(Box::new(observer)), Some(INTERVAL)).with_phases()
    }

    /// Like [`Job::observed`], but progress is reported only when the phase changes and with other
    /// events: no thread is needed for it.
    pub fn observed_at_changes(budget: Budget, observer: impl Fn(Event<'_>) + Send + Sync + 'static) -> Job {
        Job::with(budget, Some(Box::new(observer)), None).with_phases()
    }

    fn with_phases(self) -> Job {
        let shared = Arc::downgrade(&self.shared);
        self.budget.progress().on_phase_change(move |progress| {
            if let Some(shared) = shared.upgrade() {
                shared.report_progress(progress);
            }
        });
        self
    }

    fn with(budget: Budget, observer: Option<Box<Observer>>, interval: Option<Duration>) -> Job {
        let shared = Shared { start: Instant::now(), observer, interval, known: Mutex::default() };
        Job { budget, shared: Arc::new(shared) }
    }

    /// Stops whatever the job does, from any thread: its question ends as `unknown: interrupted`.
    pub fn cancel(&self) {
        self.budget.cancel();
    }

    /// The budget of the job.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The time since the job was created.
    pub fn elapsed(&self) -> Duration {
        self.shared.start.elapsed()
    }

    /// How far the job is.
    pub fn progress(&self) -> Progress {
        self.shared.progress(self.budget.progress())
    }

    /// Reads or generates a model, analyses and lowers it.
    pub fn load(&self, source: Source) -> Result<Loaded, Stop> {
        self.run(Phase::Reading, |budget| load::load(source, budget))
    }

    /// Like [`Job::load`], for questions whose answers do not depend on which members of a colour class
    /// do what: a coloured net may be folded by its symmetry, as `options` say.
    /// Single colours and bindings that the question needs are told apart.
    pub fn load_folded(
        &self,
        source: Source,
        options: &Options,
        needs: impl Into<Needs>,
    ) -> Result<Loaded, Stop> {
        let symmetry = load::Symmetry::of(options, needs.into());
        self.run(Phase::Reading, |budget| load::load_folded(source, symmetry, budget))
    }

    /// Like [`Job::load`], for questions that look at the model alone (states, distances,
    /// overflows, deadlocks): a net is given up while its model is made, which halves the memory of
    /// a large one.
    pub fn load_model(&self, source: Source) -> Result<Loaded, Stop> {
        self.run(Phase::Reading, |budget| load::load_model(source, budget))
    }

    /// Like [`Job::load`], for [`Job::info`] alone: no model is made of a net, which halves the memory
    /// of a large one.
    pub fn load_structure(&self, source: Source) -> Result<Loaded, Stop> {
        self.run(Phase::Reading, |budget| load::load_structure(source, budget))
    }

    /// Reads the formulas of a file; `paths` overrides which paths they are about.
    pub fn properties_of_file(
        &self,
        loaded: &Loaded,
        file: &FormulaFile,
        paths: Option<Paths>,
    ) -> Result<PropertyFile, Stop> {
        self.run(Phase::Reading, |budget| resolve::properties_of_file(loaded, file, paths, budget))
    }

    /// Reads an automaton in HOA format; `paths` overrides which runs it reads.
    pub fn automaton_of_file(
        &self,
        loaded: &Loaded,
        file: &FormulaFile,
        paths: Option<Paths>,
    ) -> Result<AutomatonProperty, Stop> {
        self.run(Phase::Reading, |budget| resolve::automaton_of_file(loaded, file, paths, budget))
    }

    /// The automaton that accepts the runs which violate an LTL formula, in HOA format. Given to
    /// [`Job::automaton_of_file`], it is a property with the same verdict.
    pub fn violating_runs(&self, property: &Property) -> Result<String, Stop> {
        self.run(Phase::Reading, |budget| violating_runs(property, budget))
    }

    /// Explores the model and reports on all reachable states.
    pub fn states(&self, loaded: &Loaded, options: &Options) -> Result<StatesReport, Stop> {
        self.run(Phase::Exploring, |budget| states::states(loaded, options, budget))
    }

    /// The same, with the number of states at each distance from the initial ones.
    pub fn states_with_distances(&self, loaded: &Loaded, options: &Options) -> Result<StatesReport, Stop> {
        self.run(Phase::Exploring, |budget| distances::states_with_distances(loaded, options, budget))
    }

    /// Explores the model and keeps all reachable states, to compute with sets of them.
    pub fn explore(&self, loaded: &Loaded, options: &Options) -> Result<StateSpace, Stop> {
        self.run(Phase::Exploring, |budget| explored_space(loaded, options, budget))
    }

    /// Lists all reachable states, if there are no more than `state_limit`.
    pub fn list_states(&self, loaded: &Loaded, state_limit: usize) -> Result<StateList, Stop> {
        self.run(Phase::Exploring, |budget| state_list::list_states(loaded, state_limit, budget))
    }

    /// Looks for a deadlock and for runs to it, shortest where breadth-first layers are affordable.
    pub fn deadlock(
        &self,
        loaded: &Loaded,
        wanted: DeadlockOptions,
        options: &Options,
    ) -> Result<DeadlockReport, Stop> {
        self.run(Phase::Walking, |budget| {
            deadlock::deadlock_reporting(loaded, wanted, options, budget, |report| {
                self.found_deadlock(report)
            })
        })
    }

    /// Looks for a deadlock within a number of steps.
    pub fn deadlock_within(
        &self,
        loaded: &Loaded,
        within: Within,
        options: &Options,
    ) -> Result<DeadlockReport, Stop> {
        self.run(Phase::Searching, |budget| bounded::deadlock_within(loaded, options, within, budget))
    }

    /// Checks properties.
    pub fn check(
        &self,
        loaded: &Loaded,
        properties: &[Property],
        wanted: CheckOptions,
        options: &Options,
    ) -> Result<Vec<PropertyReport>, Stop> {
        self.check_and_measure(loaded, properties, wanted, options).map(|(reports, _)| reports)
    }

    /// The same, with the state space if that is wanted and was explored.
    pub fn check_and_measure(
        &self,
        loaded: &Loaded,
        properties: &[Property],
        wanted: CheckOptions,
        options: &Options,
    ) -> Result<(Vec<PropertyReport>, Option<Space>), Stop> {
        let verdicts = Verdicts::new(self, properties.len());
        self.run(Phase::Proving, |budget| {
            let mut on_verdict = |number: usize, report: &PropertyReport| verdicts.add(number, report);
            Ok(check::check_and_measure(loaded, properties, wanted, options, budget, &mut on_verdict)?)
        })
    }

    /// Checks properties of the forms `EF p` and `AG p` by bounded search.
    pub fn check_within(
        &self,
        loaded: &Loaded,
        properties: &[Property],
        within: Within,
        options: &Options,
    ) -> Result<Vec<PropertyReport>, Stop> {
        let verdicts = Verdicts::new(self, properties.len());
        self.run(Phase::Searching, |budget| {
            let mut on_verdict = |number: usize, report: &PropertyReport| verdicts.add(number, report);
            Ok(bounded::check_within(loaded, properties, within, options, budget, &mut on_verdict)?)
        })
    }

    /// Checks that no run is accepted by each of the automata. Their verdicts are events with
    /// numbers from `first_number` on, so they can follow those of formulas.
    pub fn check_automata(
        &self,
        loaded: &Loaded,
        automata: &[AutomatonProperty],
        first_number: usize,
        wanted: CheckOptions,
        options: &Options,
    ) -> Result<Vec<PropertyReport>, Stop> {
        self.run(Phase::Exploring, |budget| {
            let mut on_verdict = |number: usize, report: &PropertyReport| {
                self.emit(Event::Verdict { number: first_number + number, report });
            };
            Ok(check_automata::check_automata(loaded, automata, wanted, options, budget, &mut on_verdict)?)
        })
    }

    /// Finds the least upper bounds of places and of sums of places.
    pub fn bounds(
        &self,
        loaded: &Loaded,
        targets: Vec<BoundTarget>,
        options: &Options,
    ) -> Result<BoundsReport, Stop> {
        let asked = targets.len();
        self.know(Known::Bounds { known: 0, asked });
        self.run(Phase::Proving, |budget| {
            let mut on_bound = |number: usize, report: &BoundReport| {
                if let Known::Bounds { known, .. } = &mut *self.shared.lock_known() {
                    *known += 1;
                }
                self.emit(Event::Bound { number, report });
            };
            Ok(bounds::bounds(loaded, targets, options, budget, &mut on_bound)?)
        })
    }

    /// Describes a net without exploring it.
    pub fn info(&self, loaded: &Loaded, options: &Options) -> Result<InfoReport, Stop> {
        self.run(Phase::Proving, |budget| info::info(loaded, options, budget))
    }

    /// Describes a program of guarded commands without exploring it.
    pub fn info_of_commands(&self, loaded: &Loaded, options: &Options) -> Result<ProgramInfo, Stop> {
        self.run(Phase::Proving, |budget| info_of_commands(loaded, options, budget))
    }

    /// The hierarchy that set diagrams would have, looked for no longer than `time`.
    pub fn hierarchy_plan(
        &self,
        loaded: &Loaded,
        options: &Options,
        time: Duration,
    ) -> Result<HierarchyReport, Stop> {
        self.run(Phase::Exploring, |budget| {
            hierarchy_plan::hierarchy_plan(loaded, options, &budget.slice(time))
        })
    }

    /// Looks for assignments of agents that leave the range of a variable in a reachable state.
    pub fn overflows(&self, loaded: &Loaded, options: &Options) -> Result<OverflowReport, Stop> {
        self.run(Phase::Exploring, |budget| overflow::overflows(loaded, options, budget))
    }

    /// Writes the model in another format.
    pub fn convert(
        &self,
        loaded: &Loaded,
        conversion: &Conversion,
        options: &Options,
    ) -> Result<ConvertReport, Stop> {
        self.run(Phase::Writing, |budget| convert::convert(loaded, conversion, options, budget))
    }

    /// Writes the question whether a deadlock, or what a property asks for, is reached in `bound`
    /// steps as a propositional formula.
    pub fn dimacs(
        &self,
        loaded: &Loaded,
        property: Option<&Property>,
        method: SatMethod,
        bound: u64,
    ) -> Result<ConvertReport, Stop> {
        self.run(Phase::Writing, |budget| bounded::dimacs(loaded, property, method, bound, budget))
    }

    /// Compiles the formula of a DIMACS text, which messages call `name`.
    pub fn compile(&self, name: &str, bytes: &[u8], options: &Options) -> Result<CompileReport, Stop> {
        self.run(Phase::Exploring, |budget| compile::compile(name, bytes, options, budget))
    }

    /// Draws a model.
    pub fn draw(&self, loaded: &Loaded, options: &Options, wanted: &DrawOptions) -> Result<Drawing, Stop> {
        self.run(Phase::Drawing, |budget| drawing::draw(loaded, options, wanted, budget))
    }

    /// Draws a witness of a formula.
    pub fn draw_witness(
        &self,
        formula: &str,
        witness: &Witness,
        format: PictureFormat,
    ) -> Result<Drawing, Stop> {
        self.run(Phase::Drawing, |budget| drawing::draw_witness(formula, witness, format, budget))
    }

    /// Starts to play a model step by step.
    pub fn simulate(&self, loaded: Loaded, seed: u64) -> Result<Simulation, Stop> {
        self.run(Phase::Exploring, |budget| Simulation::new(loaded, seed, budget))
    }

    /// Answers an examination of the contest: its lines are events. Where a line says
    /// `CANNOT_COMPUTE`, the reason is returned.
    pub fn examine(
        &self,
        loaded: &Loaded,
        examination: Examination,
        file: Option<&FormulaFile>,
        options: &Options,
    ) -> Result<Option<Unknown>, Stop> {
        self.know(Known::Lines(0));
        self.run(Phase::Proving, |budget| {
            let mut emit = |line: ExaminationLine| {
                if let Known::Lines(count) = &mut *self.shared.lock_known() {
                    *count += 1;
                }
                self.emit(Event::Line(&line));
            };
            Ok(examination::examine(loaded, examination, file, options, budget, &mut emit)?)
        })
    }

    fn found_deadlock(&self, report: &DeadlockReport) {
        let distance = report.witness.as_ref().map(|witness| witness.steps.len());
        self.know(Known::Deadlock { distance });
        self.emit(Event::Deadlock(report));
    }

    fn know(&self, known: Known) {
        *self.shared.lock_known() = known;
    }

    /// Reports an event, and the progress with it.
    fn emit(&self, event: Event<'_>) {
        if let Some(observer) = &self.shared.observer {
            observer(event);
            observer(Event::Progress(self.progress()));
        }
    }

    /// Asks a question in this thread, while another one reports progress.
    fn run<T>(&self, phase: Phase, question: impl FnOnce(&Budget) -> Result<T, Stop>) -> Result<T, Stop> {
        self.budget.progress().enter(phase.name());
        let answer = || {
            catch_unwind(AssertUnwindSafe(|| question(&self.budget)))
                .unwrap_or_else(|panic| Err(Stop::Unknown(self.broken(&*panic))))
        };
        let Some(interval) = self.shared.interval else { return answer() };
        let (is_done, wake) = (Mutex::new(false), Condvar::new());
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut done = is_done.lock().unwrap_or_else(PoisonError::into_inner);
                while !*done {
                    let (guard, waited) =
                        wake.wait_timeout(done, interval).unwrap_or_else(PoisonError::into_inner);
                    done = guard;
                    if waited.timed_out() && !*done {
                        self.shared.report_progress(self.budget.progress());
                    }
                }
            });
            let answer = answer();
            *is_done.lock().unwrap_or_else(PoisonError::into_inner) = true;
            wake.notify_one();
            answer
        })
    }

    /// The report of a panic.
    fn broken(&self, panic: &(dyn Any + Send)) -> Unknown {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let progress = self.budget.progress();
        let partial =
            PartialReport { states_at_least: None, nodes: progress.nodes(), steps: progress.steps() };
        let detail = format!("this is a bug in symbolon: {}", text.unwrap_or("no message"));
        Unknown { partial, ..Unknown::because(Reason::Internal, detail) }
    }
}

/// Verdicts that are reported as they are decided.
struct Verdicts<'a> {
    job: &'a Job,
    /// Whether each property holds, once that is known.
    decided: Mutex<Vec<Option<bool>>>,
}

impl<'a> Verdicts<'a> {
    fn new(job: &'a Job, count: usize) -> Verdicts<'a> {
        job.know(Known::Verdicts { holds: 0, fails: 0, open: count });
        Verdicts { job, decided: Mutex::new(vec![None; count]) }
    }

    fn add(&self, number: usize, report: &PropertyReport) {
        {
            let mut decided = self.decided.lock().unwrap_or_else(PoisonError::into_inner);
            decided[number] = match report.verdict {
                Verdict::Holds => Some(true),
                Verdict::Fails => Some(false),
                Verdict::Unknown(_) => None,
            };
            let count = |value| decided.iter().filter(|one| **one == value).count();
            let (holds, fails, open) = (count(Some(true)), count(Some(false)), count(None));
            self.job.know(Known::Verdicts { holds, fails, open });
        }
        self.job.emit(Event::Verdict { number, report });
    }
}

impl Shared {
    fn report_progress(&self, counters: &budget::Progress) {
        if let Some(observer) = &self.observer {
            observer(Event::Progress(self.progress(counters)));
        }
    }

    fn progress(&self, counters: &budget::Progress) -> Progress {
        Progress {
            time: self.start.elapsed(),
            phase: counters.phase(),
            nodes: counters.nodes(),
            steps: counters.steps(),
            known: self.lock_known().clone(),
        }
    }

    fn lock_known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
