//! The solver that is built in: `batsat`, a port of MiniSat.
//!
//! Time, memory and cancellation reach it through its callback, which is asked between decisions.
//! The callback also watches how many dead ends are met per second: deep minimisation of learnt
//! clauses can take nearly all the time of a search on some formulas (first seen on `sentest_100`,
//! 8 s for 205 dead ends). Then the solver is begun anew without it, from the clauses, which are
//! kept for that, and from the literals that were already decided for good. A fresh start never
//! changes an answer; where there are several solutions it may change which one is found.

use super::{Answer, Clauses, Effort, Minimisation, Solver};
use crate::Literal;
use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, SolverOpts, Var, lbool};
use std::cell::Cell;
use std::time::{Duration, Instant};
use symbolon_budget::{Budget, Interrupted};

/// Decisions between two looks at the budget, unless a dead end comes first.
const DECISIONS_PER_LOOK: u32 = 64;

/// A mode is watched for so much time of its thread before it is judged; each fresh start doubles
/// it.
const PATIENCE: Duration = Duration::from_millis(300);

/// Fewer dead ends per second than this are a collapse.
const FEWEST_PER_SECOND: f64 = 400.0;

/// The number of fresh starts after which the mode stays.
const MOST_FRESH_STARTS: u64 = 3;

/// What a variable that was in the way once still counts after another dead end: less than by
/// default (0.95), so that the solver stays with the steps where it last failed. On the nets of
/// `bench/sat.md` that saves dead ends in nearly all rows, most where steps are many (kanban_dl_10
/// by joint steps: 8391 instead of 23464).
const DECAY: f64 = 0.9;

/// The solver that is built in.
pub struct Batsat {
    solver: batsat::Solver<Watch>,
    /// All clauses, each ended by a literal that cannot occur.
    kept: Vec<Lit>,
    clause: Vec<Lit>,
    budget: Budget,
    minimisation: Minimisation,
    mode: i32,
    effort: Effort,
    /// Bytes charged to the budget.
    charged: u64,
}

impl std::fmt::Debug for Batsat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Batsat")
            .field("mode", &self.mode)
            .field("effort", &self.effort)
            .finish_non_exhaustive()
    }
}

impl Batsat {
    /// A solver without clauses.
    pub fn new(minimisation: Minimisation, budget: &Budget) -> Self {
        let mode = match minimisation {
            Minimisation::Off => 0,
            Minimisation::Basic => 1,
            Minimisation::Deep | Minimisation::Auto => 2,
        };
        Batsat {
            solver: solver(mode, budget),
            kept: Vec::new(),
            clause: Vec::new(),
            budget: budget.clone(),
            minimisation,
            mode,
            effort: Effort::default(),
            charged: 0,
        }
    }

    /// Begins anew in the other mode.
    fn start_afresh(&mut self) {
        self.mode = if self.mode == 0 { 2 } else { 0 };
        let decided = self.solver.proved_at_lvl_0().to_vec();
        let variables = self.solver.num_vars();
        self.solver = solver(self.mode, &self.budget);
        for _ in 0..variables {
            self.solver.new_var_default();
        }
        for literal in decided {
            self.solver.add_clause_reuse(&mut vec![literal]);
        }
        for clause in self.kept.split(|&literal| literal == Lit::UNDEF) {
            // The last piece is what follows the last mark: nothing.
            if !clause.is_empty() {
                self.clause.clear();
                self.clause.extend_from_slice(clause);
                self.solver.add_clause_reuse(&mut self.clause);
            }
        }
        self.effort.fresh_starts += 1;
    }

    /// Charges what the formula has grown by.
    fn charge(&mut self) -> Result<(), Interrupted> {
        let bytes = self.bytes();
        self.budget.memory().charge(bytes.saturating_sub(self.charged))?;
        self.charged = self.charged.max(bytes);
        Ok(())
    }
}

impl Drop for Batsat {
    fn drop(&mut self) {
        self.budget.memory().release(self.charged);
    }
}

impl Clauses for Batsat {
    fn new_variable(&mut self) -> Literal {
        self.effort.variables += 1;
        Literal::positive(self.solver.new_var_default().idx())
    }

    fn add_clause(&mut self, literals: &[Literal]) {
        self.clause.clear();
        self.clause.extend(literals.iter().map(|&literal| lit(literal)));
        if !literals.is_empty() {
            self.kept.extend_from_slice(&self.clause);
            self.kept.push(Lit::UNDEF);
        }
        self.effort.clauses += 1;
        self.solver.add_clause_reuse(&mut self.clause);
    }

    fn propagate(&mut self) {
        self.solver.simplify();
    }

    fn known(&self, literal: Literal) -> Option<bool> {
        truth(self.solver.value_lvl_0(lit(literal)))
    }

    fn bytes(&self) -> u64 {
        // The kept copy and the solver's own, heads and watches, and the tables with an entry per
        // variable.
        10 * self.kept.len() as u64 + 40 * self.effort.clauses + 100 * self.effort.variables
    }
}

impl Solver for Batsat {
    fn solve(&mut self, assumptions: &[Literal]) -> Result<Answer, Interrupted> {
        self.charge()?;
        let assumptions: Vec<Lit> = assumptions.iter().map(|&literal| lit(literal)).collect();
        loop {
            self.budget.check()?;
            let may_restart =
                self.minimisation == Minimisation::Auto && self.effort.fresh_starts < MOST_FRESH_STARTS;
            let patience = may_restart.then(|| PATIENCE * (1 << self.effort.fresh_starts));
            self.solver.cb_mut().begin(patience);
            let before = self.solver.num_conflicts();
            let answer = self.solver.solve_limited(&assumptions);
            self.effort.conflicts += self.solver.num_conflicts() - before;
            match truth(answer) {
                Some(true) => return Ok(Answer::Solution),
                Some(false) if self.solver.unsat_core().is_empty() => return Ok(Answer::None),
                Some(false) => return Ok(Answer::NoneAssumed),
                None => match self.solver.cb().stopped.get() {
                    Some(Stop::Interrupted(why)) => return Err(why),
                    Some(Stop::Collapsed) => self.start_afresh(),
                    None => return Err(Interrupted::Overflow),
                },
            }
        }
    }

    fn is_true(&self, literal: Literal) -> bool {
        self.solver.value_lit(lit(literal)) == lbool::TRUE
    }

    fn effort(&self) -> Effort {
        self.effort
    }
}

fn solver(mode: i32, budget: &Budget) -> batsat::Solver<Watch> {
    let options = SolverOpts { ccmin_mode: mode, var_decay: DECAY, ..SolverOpts::default() };
    batsat::Solver::new(options, Watch::new(budget.clone()))
}

/// The time that this thread has worked, where the system tells it (Linux).
fn thread_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_ascii_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// The literal as `batsat` has it.
pub(super) fn lit(literal: Literal) -> Lit {
    Lit::new(Var::unsafe_from_idx(literal.variable()), !literal.is_negative())
}

/// A value that may be open.
pub(super) fn truth(value: lbool) -> Option<bool> {
    match value {
        value if value == lbool::TRUE => Some(true),
        value if value == lbool::FALSE => Some(false),
        _ => None,
    }
}

/// What the solver is asked between decisions.
struct Watch {
    budget: Budget,
    began: Instant,
    /// The time that the thread had worked until then, where the system tells it.
    worked_before: Option<Duration>,
    /// How long a mode may be slow, if another may be tried.
    patience: Option<Duration>,
    conflicts: u64,
    conflicts_at_look: Cell<u64>,
    decisions: Cell<u32>,
    stopped: Cell<Option<Stop>>,
}

/// Why the solver was stopped.
#[derive(Clone, Copy)]
enum Stop {
    Interrupted(Interrupted),
    Collapsed,
}

impl Watch {
    fn new(budget: Budget) -> Self {
        Watch {
            budget,
            began: Instant::now(),
            worked_before: None,
            patience: None,
            conflicts: 0,
            conflicts_at_look: Cell::new(0),
            decisions: Cell::new(0),
            stopped: Cell::new(None),
        }
    }

    fn begin(&mut self, patience: Option<Duration>) {
        self.began = Instant::now();
        self.patience = patience;
        self.worked_before = patience.and_then(|_| thread_time());
        self.conflicts = 0;
        self.conflicts_at_look.set(0);
        self.stopped.set(None);
    }

    fn look(&self) -> Option<Stop> {
        if let Err(why) = self.budget.check() {
            return Some(Stop::Interrupted(why));
        }
        let patience = self.patience?;
        let is_slow = |time: Duration| {
            time >= patience && (self.conflicts as f64) < FEWEST_PER_SECOND * time.as_secs_f64()
        };
        // On a busy machine hours may pass in which this thread does nothing: the costlier look
        // decides.
        if !is_slow(self.began.elapsed()) {
            return None;
        }
        let worked = thread_time().zip(self.worked_before).map(|(now, before)| now.saturating_sub(before));
        worked.is_none_or(is_slow).then_some(Stop::Collapsed)
    }
}

impl Callbacks for Watch {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.conflicts += 1;
        }
    }

    fn stop(&self) -> bool {
        if self.stopped.get().is_some() {
            return true;
        }
        self.decisions.set(self.decisions.get() + 1);
        let is_time = self.decisions.get() >= DECISIONS_PER_LOOK;
        if is_time || self.conflicts_at_look.get() != self.conflicts {
            self.decisions.set(0);
            self.conflicts_at_look.set(self.conflicts);
            self.stopped.set(self.look());
        }
        self.stopped.get().is_some()
    }
}
