//! The watcher: a thread that shows progress and holds the limits when a computation does not.
//!
//! Every computation takes the budget and stops by itself; the watcher is there for the one that is
//! late. If a limit is passed by more than its grace the watcher prints the answer *unknown*, with
//! what is known of the progress, and ends the process. Ctrl-C goes the same way: the first one
//! cancels the budget, and a second one, or a second without an answer, ends the process.
//!
//! The watcher also answers when an allocation failed somewhere, or a stack overflowed: the thread
//! to which that happened waits, and the watcher has a reserve of memory for the answer.

use crate::answer::Answer;
use crate::answer::Detail;
use crate::console::{Console, Printed};
use crate::numbers;
use crate::session::{OUT_OF_MEMORY, Session};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use symbolon_checker::{Reason, Unknown, cpu_time, resident_bytes};
use symbolon_process::AbortCause;

/// How often the watcher looks, and how often once most of the memory is used: it can grow fast.
const LOOK: Duration = Duration::from_millis(20);
const CLOSE_LOOK: Duration = Duration::from_millis(4);
/// How often progress is drawn, and from when on.
const DRAW: Duration = Duration::from_millis(200);
/// The grace of a time limit: a part of it, but at least so much.
const TIME_GRACE_PARTS: u32 = 13;
const LEAST_TIME_GRACE: Duration = Duration::from_millis(150);
/// The grace of a memory limit, likewise.
const MEMORY_GRACE_PARTS: u64 = 16;
const LEAST_MEMORY_GRACE: u64 = 4 << 20;
/// The grace after Ctrl-C.
const INTERRUPT_GRACE: Duration = Duration::from_secs(1);

/// The reserve for the answer when there is no memory left: a part of the limit, but at least, and
/// at most, so much. Its pages are not touched, so it is not resident.
const RESERVE_PARTS: u64 = 10;
const LEAST_RESERVE: u64 = 4 << 20;
const LARGEST_RESERVE: u64 = 32 << 20;

/// Makes the answer *unknown* of the command that is watched.
pub(crate) type CutOff = dyn Fn(Unknown) -> Box<dyn Answer> + Send + Sync;

/// Takes a Ctrl-C for a command that has its own use for it; false leaves it to the watcher.
pub(crate) type TakeInterrupt = dyn Fn() -> bool + Send + Sync;

/// What the watcher and the Ctrl-C handler share.
struct Watched {
    session: Arc<Session>,
    cut_off: Box<CutOff>,
    take_interrupt: Box<TakeInterrupt>,
    /// Milliseconds from the start to the first Ctrl-C; 0 means none.
    interrupted_at: AtomicU64,
    /// Milliseconds from the start to SIGXCPU; 0 means none.
    expired_at: AtomicU64,
}

/// Watches the command of this session from now on.
pub(crate) fn watch(
    session: &Arc<Session>,
    cut_off: impl Fn(Unknown) -> Box<dyn Answer> + Send + Sync + 'static,
) {
    watch_with(session, cut_off, || false);
}

/// The same for a command that may take a Ctrl-C for itself.
pub(crate) fn watch_with(
    session: &Arc<Session>,
    cut_off: impl Fn(Unknown) -> Box<dyn Answer> + Send + Sync + 'static,
    take_interrupt: impl Fn() -> bool + Send + Sync + 'static,
) {
    session.prepare_answer(&cut_off);
    let watched = Arc::new(Watched {
        session: Arc::clone(session),
        cut_off: Box::new(cut_off),
        take_interrupt: Box::new(take_interrupt),
        interrupted_at: AtomicU64::new(0),
        expired_at: AtomicU64::new(0),
    });
    let for_signals = Arc::clone(&watched);
    // Without a handler Ctrl-C still ends the process, the hard way.
    let _ = ctrlc::set_handler(move || for_signals.interrupt());
    let _ = thread::Builder::new().name("watcher".into()).spawn(move || watched.run());
}

impl Watched {
    fn run(&self) {
        let shows_progress =
            self.session.detail != Detail::Quiet && !self.session.json && Console::can_show_progress();
        let mut last_drawn = Instant::now();
        let mut pause = LOOK;
        // Without a reserve there is still the answer that was prepared.
        let mut reserve: Vec<u8> = Vec::new();
        let _ = reserve.try_reserve_exact(self.reserve_bytes());
        symbolon_process::answer_for_others();
        loop {
            thread::sleep(pause);
            if let Some(cause) = symbolon_process::abort_cause() {
                self.session.budget.exhaust();
                drop(std::mem::take(&mut reserve));
                let detail = match cause {
                    AbortCause::Memory => OUT_OF_MEMORY,
                    AbortCause::Stack => "a stack overflowed",
                };
                let answer = (self.cut_off)(self.session.cut_off(Reason::Memory, detail));
                end(&*answer, self.session.print(&*answer));
                return;
            }
            if symbolon_process::is_time_up() {
                self.expire();
            }
            let resident = resident_bytes().unwrap_or(0);
            let is_close = self.session.limits.memory.is_some_and(|limit| resident > limit / 4 * 3);
            pause = if is_close { CLOSE_LOOK } else { LOOK };
            if let Some((reason, detail)) = self.passed_limit() {
                let answer = (self.cut_off)(self.session.cut_off(reason, detail));
                end(&*answer, self.session.print(&*answer));
                return;
            }
            if shows_progress && last_drawn.elapsed() >= DRAW {
                last_drawn = Instant::now();
                self.session.console.draw_progress(&self.progress());
            }
        }
    }

    fn reserve_bytes(&self) -> usize {
        let limits = self.session.process_limits;
        let limit = limits.address_space.into_iter().chain(limits.data).min();
        limit.map_or(LEAST_RESERVE, |limit| (limit / RESERVE_PARTS).clamp(LEAST_RESERVE, LARGEST_RESERVE))
            as usize
    }

    /// The limit that was passed, grace included.
    fn passed_limit(&self) -> Option<(Reason, &'static str)> {
        let session = &self.session;
        let elapsed = session.elapsed();
        if let Some(limit) = session.limits.time
            && elapsed > limit.saturating_add((limit / TIME_GRACE_PARTS).max(LEAST_TIME_GRACE))
        {
            return Some((Reason::Timeout, "the time limit was reached"));
        }
        if let Some(limit) = session.process_limits.cpu_time
            && let Some(used) = cpu_time()
            && used > limit.saturating_add((limit / TIME_GRACE_PARTS).max(LEAST_TIME_GRACE))
        {
            return Some((Reason::Timeout, "the limit of CPU time was reached"));
        }
        if let Some(limit) = session.limits.memory
            && let Some(resident) = resident_bytes()
            && resident > limit.saturating_add((limit / MEMORY_GRACE_PARTS).max(LEAST_MEMORY_GRACE))
        {
            return Some((Reason::Memory, "the memory limit was reached"));
        }
        let is_past = |moment: &AtomicU64| {
            let moment = moment.load(Ordering::Relaxed);
            moment > 0 && elapsed > Duration::from_millis(moment) + INTERRUPT_GRACE
        };
        if is_past(&self.expired_at) {
            return Some((Reason::Timeout, "the limit of CPU time was reached"));
        }
        if is_past(&self.interrupted_at) {
            return Some((Reason::Interrupted, "interrupted"));
        }
        None
    }

    /// The progress line.
    fn progress(&self) -> String {
        if let Some(activity) = self.session.activity() {
            return format!("{:.1} s, {activity}", self.session.elapsed().as_secs_f64());
        }
        let progress = self.session.budget.progress();
        let memory = resident_bytes().map(|bytes| format!(", {}", numbers::bytes(bytes)));
        format!(
            "{:.1} s, {} nodes, {} steps{}",
            self.session.elapsed().as_secs_f64(),
            progress.nodes(),
            progress.steps(),
            memory.unwrap_or_default()
        )
    }

    /// The system says that the CPU time is up: computations end, as with Ctrl-C.
    fn expire(&self) {
        let now = (self.session.elapsed().as_millis() as u64).max(1);
        if self.expired_at.compare_exchange(0, now, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            self.session.budget.expire();
        }
    }

    /// The user pressed Ctrl-C, or the system asks the process to end.
    fn interrupt(&self) {
        if (self.take_interrupt)() {
            return;
        }
        let now = (self.session.elapsed().as_millis() as u64).max(1);
        let is_first =
            self.interrupted_at.compare_exchange(0, now, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        if is_first {
            self.session.budget.cancel();
        } else {
            let answer = (self.cut_off)(self.session.cut_off(Reason::Interrupted, "interrupted"));
            let _ = self.session.print_if_free(&*answer);
            std::process::exit(answer.exit_status() as i32);
        }
    }
}

/// Ends the process, unless the command answered first: then it ends by itself.
fn end(answer: &dyn Answer, printed: Printed) {
    if !matches!(printed, Printed::TooLate) {
        std::process::exit(answer.exit_status() as i32);
    }
}
