//! Time, memory and cancellation, as one small value that everything long takes.
//!
//! A [`Budget`] is cheap to clone and shared between threads: all clones see the same deadline, the
//! same memory account and the same cancellation. Running out is a value, [`Interrupted`], never a
//! panic; the value that returns it stays valid, and at the top it becomes the verdict *unknown*.
//!
//! Inner loops do not look at the clock. They hold a [`Meter`], which counts steps (a deterministic
//! measure of work) and consults the budget once every [`STEPS_PER_LOOK`] steps.
//!
//! Memory is watched twice. Large tables *charge* their bytes before they grow, so that a limit is
//! met before it is crossed; and the size of the process, where the system reports it, is looked at
//! a few times a second, which covers everything that is not charged. Code that takes much at once,
//! as a reader of files does, asks for room instead of waiting for the next look
//! ([`Budget::check_room_for`]). Two sizes count: the resident size, for [`Limits::memory`], and
//! what is mapped, for the limits that the system set on the process ([`ProcessLimits`]).
//!
//! Time is limited twice, too: by the clock, for each budget, and by the CPU time that all threads of
//! the process use together, for what is measured on a busy machine.

mod cpu_time;
mod memory;
mod meter;
mod progress;

pub use cpu_time::cpu_time;
pub use memory::{MemoryAccount, ProcessLimits, ProcessSize, parse_size, resident_bytes};
pub use meter::{Meter, STEPS_PER_LOOK, StepLimit, WORDS_PER_STEP};
pub use progress::Progress;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Why a long computation stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Interrupted {
    /// The time limit passed.
    #[error("the time limit was reached")]
    Timeout,
    /// The memory limit would have been, or was, exceeded.
    #[error("the memory limit was reached")]
    Memory,
    /// The user asked to stop, for instance with Ctrl-C.
    #[error("interrupted")]
    Cancelled,
    /// The number of steps granted to this computation was used up.
    #[error("the step limit was reached")]
    Steps,
    /// A number left the range that this computation can represent.
    #[error("a number exceeds the range that can be represented")]
    Overflow,
}

/// What a [`Budget`] grants. The default grants everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Wall-clock time from the creation of the budget.
    pub time: Option<Duration>,
    /// Bytes of memory: of the whole process, or of one job ([`Budget::for_job`]).
    pub memory: Option<u64>,
}

/// A shared allowance of time and memory that can be cancelled.
#[derive(Clone, Debug)]
pub struct Budget {
    deadline: Option<Instant>,
    /// Cancels this part of the budget alone.
    part: Option<Arc<Part>>,
    shared: Arc<Shared>,
}

/// A part of a budget that can be cancelled alone.
#[derive(Debug)]
struct Part {
    cancelled: AtomicBool,
    /// What this is a part of, if not of the whole.
    outer: Option<Arc<Part>>,
}

#[derive(Debug)]
struct Shared {
    start: Instant,
    cancelled: AtomicBool,
    /// The system refused memory to some thread.
    is_exhausted: AtomicBool,
    /// The system says that the time is up.
    is_expired: AtomicBool,
    memory: MemoryAccount,
    /// Bytes that may be resident.
    resident_limit: Option<u64>,
    process_limits: ProcessLimits,
    /// Milliseconds since `start` at which the size and the CPU time of the process were last looked
    /// at.
    last_look: AtomicU64,
    progress: Progress,
}

impl Shared {
    /// Whether the process as a whole matters, and not only what is charged.
    fn looks_at_the_process(&self) -> bool {
        self.resident_limit.is_some()
            || self.process_limits.is_memory_limited()
            || self.process_limits.cpu_time.is_some()
    }

    /// The CPU time that is left, if it is limited and the system reports it.
    fn cpu_time_left(&self) -> Option<Duration> {
        let limit = self.process_limits.cpu_time?;
        cpu_time().map(|used| limit.saturating_sub(used))
    }
}

/// How long a reading of the size and the CPU time of the process is trusted.
const LOOK_MILLISECONDS: u64 = 20;

impl Budget {
    /// A budget that starts now and grants `limits`.
    pub fn new(limits: Limits) -> Self {
        Budget::within(limits, ProcessLimits::default())
    }

    /// A budget that starts now and grants `limits`, as far as the limits of the process allow it.
    pub fn within(limits: Limits, process_limits: ProcessLimits) -> Self {
        let start = Instant::now();
        let room = match process_limits.is_memory_limited() {
            true => ProcessSize::now().and_then(|size| process_limits.room(size)),
            false => None,
        };
        let chargeable = limits.memory.into_iter().chain(room).min();
        Budget {
            deadline: limits.time.and_then(|time| start.checked_add(time)),
            part: None,
            shared: Arc::new(Shared {
                start,
                cancelled: AtomicBool::new(false),
                is_exhausted: AtomicBool::new(false),
                is_expired: AtomicBool::new(false),
                memory: MemoryAccount::new(chargeable),
                resident_limit: limits.memory,
                process_limits,
                last_look: AtomicU64::new(0),
                progress: Progress::default(),
            }),
        }
    }

    /// A budget for one of several computations in this process. Its memory limit is on what the
    /// computation itself charges (tables and stored states), not on the size of the process, which
    /// all of them share: one computation that grows does not interrupt the others.
    pub fn for_job(limits: Limits) -> Self {
        let mut budget = Budget::new(limits);
        if let Some(shared) = Arc::get_mut(&mut budget.shared) {
            shared.resident_limit = None;
        }
        budget
    }

    /// A budget without limits, which can still be cancelled.
    pub fn unlimited() -> Self {
        Budget::new(Limits::default())
    }

    /// A part of this budget: the same memory and cancellation, but at most `time` from now.
    pub fn slice(&self, time: Duration) -> Self {
        let end = Instant::now().checked_add(time);
        let deadline = match (self.deadline, end) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Budget { deadline, part: self.part.clone(), shared: Arc::clone(&self.shared) }
    }

    /// A part of this budget that can be cancelled without the rest: [`Budget::cancel`] of it, or
    /// of its clones and slices, stops these alone.
    pub fn part(&self) -> Self {
        let part = Part { cancelled: AtomicBool::new(false), outer: self.part.clone() };
        Budget { deadline: self.deadline, part: Some(Arc::new(part)), shared: Arc::clone(&self.shared) }
    }

    /// Looks at the clock, at cancellation and, a few times a second, at the size and the CPU time of
    /// the process.
    pub fn check(&self) -> Result<(), Interrupted> {
        let shared = &*self.shared;
        if shared.cancelled.load(Ordering::Relaxed) || self.part_is_cancelled() {
            // Memory that ran out, and time that the system ended, cancel as well: then this is the one
            // flag that is looked at each time.
            return Err(match () {
                () if shared.is_exhausted.load(Ordering::Relaxed) => Interrupted::Memory,
                () if shared.is_expired.load(Ordering::Relaxed) => Interrupted::Timeout,
                () => Interrupted::Cancelled,
            });
        }
        if self.deadline.is_none() && !shared.looks_at_the_process() {
            return Ok(());
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(Interrupted::Timeout);
        }
        if shared.looks_at_the_process() {
            let millisecond = now.duration_since(shared.start).as_millis() as u64;
            let last = shared.last_look.load(Ordering::Relaxed);
            if millisecond >= last + LOOK_MILLISECONDS {
                shared.last_look.store(millisecond, Ordering::Relaxed);
                if shared.cpu_time_left().is_some_and(|left| left.is_zero()) {
                    // No later look finds more of it.
                    self.expire();
                    return Err(Interrupted::Timeout);
                }
                return self.check_size(0);
            }
        }
        Ok(())
    }

    /// [`Budget::check`], and a look at the size of the process that never waits: whether `bytes`
    /// more would fit. For code that reads or writes so fast that the limit would be crossed
    /// between two looks.
    pub fn check_room_for(&self, bytes: u64) -> Result<(), Interrupted> {
        self.check()?;
        if self.shared.memory.limit().is_none() {
            return Ok(());
        }
        if !self.shared.memory.has_room_for(bytes) {
            return Err(Interrupted::Memory);
        }
        if self.shared.looks_at_the_process() { self.check_size(bytes) } else { Ok(()) }
    }

    /// Whether the process, with `bytes` more, is within its limits.
    fn check_size(&self, bytes: u64) -> Result<(), Interrupted> {
        let Some(size) = ProcessSize::now() else { return Ok(()) };
        let is_resident_left =
            self.shared.resident_limit.is_none_or(|limit| size.resident.saturating_add(bytes) <= limit);
        // Room of zero bytes means that the limit is reached or passed.
        let is_room_left = self.shared.process_limits.room(size).is_none_or(|room| room > 0 && room >= bytes);
        if is_resident_left && is_room_left { Ok(()) } else { Err(Interrupted::Memory) }
    }

    /// The bytes that the process may still map; `None` if the system sets no limit.
    pub fn mapping_room(&self) -> Option<u64> {
        let limits = self.shared.process_limits;
        if !limits.is_memory_limited() {
            return None;
        }
        ProcessSize::now().and_then(|size| limits.room(size))
    }

    /// Makes every later [`Budget::check`] of every clone fail with [`Interrupted::Cancelled`].
    pub fn cancel(&self) {
        let cancelled = self.part.as_ref().map_or(&self.shared.cancelled, |part| &part.cancelled);
        cancelled.store(true, Ordering::Relaxed);
    }

    /// Makes every later [`Budget::check`], of the whole budget and all its parts, fail with
    /// [`Interrupted::Memory`]: the system has refused memory to some thread, and others should not
    /// go on asking for it.
    pub fn exhaust(&self) {
        self.shared.is_exhausted.store(true, Ordering::Relaxed);
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// Makes every later [`Budget::check`], of the whole budget and all its parts, fail with
    /// [`Interrupted::Timeout`]: the system has said that the time is up.
    pub fn expire(&self) {
        self.shared.is_expired.store(true, Ordering::Relaxed);
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    fn part_is_cancelled(&self) -> bool {
        let mut part = self.part.as_deref();
        while let Some(inner) = part {
            if inner.cancelled.load(Ordering::Relaxed) {
                return true;
            }
            part = inner.outer.as_deref();
        }
        false
    }

    /// The account that large tables charge before they grow.
    pub fn memory(&self) -> &MemoryAccount {
        &self.shared.memory
    }

    /// Where running operations report how far they are.
    pub fn progress(&self) -> &Progress {
        &self.shared.progress
    }

    /// The time since the budget was created.
    pub fn elapsed(&self) -> Duration {
        self.shared.start.elapsed()
    }

    /// The time that is left, if time is limited: by the clock, or of the CPU if that is less.
    pub fn time_left(&self) -> Option<Duration> {
        let by_the_clock = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        by_the_clock.into_iter().chain(self.shared.cpu_time_left()).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancelled_budget_interrupts_all_clones() {
        let budget = Budget::unlimited();
        let clone = budget.clone();
        assert_eq!(clone.check(), Ok(()));
        budget.cancel();
        assert_eq!(clone.check(), Err(Interrupted::Cancelled));
    }

    #[test]
    fn a_part_is_cancelled_alone_and_with_the_whole() {
        let budget = Budget::unlimited();
        let part = budget.part();
        let inner = part.part();
        let slice = part.slice(Duration::from_secs(5));
        inner.cancel();
        assert_eq!((inner.check(), slice.check()), (Err(Interrupted::Cancelled), Ok(())));
        part.cancel();
        assert_eq!((slice.check(), budget.check()), (Err(Interrupted::Cancelled), Ok(())));
        let other = budget.part();
        budget.cancel();
        assert_eq!(other.check(), Err(Interrupted::Cancelled));
    }

    #[test]
    fn an_exhausted_budget_is_out_of_memory() {
        let budget = Budget::unlimited();
        let part = budget.part();
        part.exhaust();
        assert_eq!((budget.check(), part.check()), (Err(Interrupted::Memory), Err(Interrupted::Memory)));
    }

    #[test]
    fn long_work_is_charged_by_its_length() {
        let budget = Budget::unlimited();
        let mut meter = Meter::new(budget.clone());
        assert_eq!((meter.words(WORDS_PER_STEP - 1), meter.steps()), (Ok(()), 0));
        assert_eq!((meter.words(3 * WORDS_PER_STEP), meter.steps()), (Ok(()), 3));
        budget.cancel();
        let long = WORDS_PER_STEP * STEPS_PER_LOOK as usize;
        assert_eq!(meter.words(long), Err(Interrupted::Cancelled));
    }

    #[test]
    fn time_runs_out() {
        let budget = Budget::new(Limits { time: Some(Duration::ZERO), memory: None });
        assert_eq!(budget.check(), Err(Interrupted::Timeout));
    }

    #[test]
    fn room_is_what_the_account_and_the_process_leave() {
        let limited = |memory| Budget::new(Limits { memory: Some(memory), ..Limits::default() });
        assert_eq!(Budget::unlimited().check_room_for(u64::MAX), Ok(()));
        let budget = limited(1 << 40);
        assert_eq!(budget.check_room_for(1 << 39), Ok(()));
        assert_eq!(
            budget.check_room_for(1 << 40),
            Err(Interrupted::Memory),
            "the process itself is not empty"
        );
        assert_eq!(budget.check_room_for(u64::MAX), Err(Interrupted::Memory));
        budget.memory().charge(1 << 39).expect("half of it is free");
        assert_eq!(budget.check_room_for((1 << 39) + 1), Err(Interrupted::Memory), "charged twice over");
        // A budget that has just looked at the resident size looks again.
        let Some(resident) = resident_bytes() else { return };
        let budget = limited(resident + (64 << 20));
        budget.check().expect("64 MB are left");
        let taken = vec![1_u8; 128 << 20];
        assert_eq!(budget.check_room_for(1), Err(Interrupted::Memory));
        assert_eq!(std::hint::black_box(taken).len(), 128 << 20);
        budget.cancel();
        assert_eq!(budget.check_room_for(1), Err(Interrupted::Cancelled));
    }

    #[test]
    fn the_limit_of_a_job_is_on_what_it_charges() {
        let resident = resident_bytes().unwrap_or(0);
        let job = Budget::for_job(Limits { memory: Some(1 << 16), ..Limits::default() });
        assert!(resident == 0 || resident > 1 << 16, "a process takes more than this");
        std::thread::sleep(Duration::from_millis(LOOK_MILLISECONDS + 1));
        assert_eq!((job.check(), job.check_room_for(1 << 15)), (Ok(()), Ok(())));
        let other = Budget::for_job(Limits::default());
        other.memory().charge(1 << 40).expect("no limit");
        assert_eq!(job.memory().charge(1 << 16), Ok(()));
        assert_eq!(job.memory().charge(1), Err(Interrupted::Memory));
    }

    #[test]
    fn phases_are_reported_when_they_change() {
        let budget = Budget::unlimited();
        let seen = Arc::new(std::sync::Mutex::new(Vec::new()));
        let noted = Arc::clone(&seen);
        budget.progress().on_phase_change(move |progress| {
            noted.lock().expect("no panic").push(progress.phase());
        });
        budget.slice(Duration::from_secs(1)).progress().enter("reading");
        budget.progress().enter("reading");
        budget.part().progress().enter("exploring");
        assert_eq!(*seen.lock().expect("no panic"), ["reading", "exploring"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn limits_of_the_process_are_kept() {
        let size = ProcessSize::now().expect("Linux reports it");
        let within = |address_space, data| {
            Budget::within(Limits::default(), ProcessLimits { address_space, data, cpu_time: None })
        };
        assert_eq!(Budget::unlimited().mapping_room(), None);
        // Other tests of this process map and unmap memory meanwhile, hence terabytes.
        let wide = 16 << 40;
        for budget in [within(Some(wide), None), within(None, Some(wide))] {
            assert_eq!(budget.check_room_for(14 << 40), Ok(()));
            assert_eq!(budget.check_room_for(15 << 40), Err(Interrupted::Memory));
            assert_eq!(budget.memory().charge(15 << 40), Err(Interrupted::Memory));
            assert!(budget.mapping_room().is_some_and(|room| room > 14 << 40 && room < 15 << 40));
        }
        for budget in [within(Some(size.address_space / 2), None), within(None, Some(size.data / 2))] {
            std::thread::sleep(Duration::from_millis(LOOK_MILLISECONDS + 1));
            assert_eq!(budget.check(), Err(Interrupted::Memory));
            assert_eq!(budget.mapping_room(), Some(0));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn cpu_time_is_that_of_all_threads() {
        let used = cpu_time().expect("Linux reports it");
        let limit = |more| ProcessLimits { cpu_time: Some(used + more), ..ProcessLimits::default() };
        let budget = Budget::within(Limits::default(), limit(Duration::from_millis(150)));
        let clock = std::time::Instant::now();
        let work = || {
            while budget.check().is_ok() {
                assert!(clock.elapsed() < Duration::from_secs(60), "the limit is not kept");
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(work);
            scope.spawn(work);
        });
        assert_eq!(budget.check(), Err(Interrupted::Timeout));
        assert!(cpu_time().expect("as before") >= used + Duration::from_millis(150));
        assert_eq!(budget.time_left(), Some(Duration::ZERO));
        let later = Budget::within(Limits::default(), limit(Duration::from_secs(3600)));
        std::thread::sleep(Duration::from_millis(LOOK_MILLISECONDS + 1));
        assert_eq!(later.check(), Ok(()));
        assert!(later.time_left().is_some_and(|left| left <= Duration::from_secs(3600)));
        let both = later.slice(Duration::from_secs(5));
        assert!(both.time_left() <= Some(Duration::from_secs(5)));
    }

    #[test]
    fn an_expired_budget_is_out_of_time() {
        let budget = Budget::unlimited();
        let part = budget.part();
        part.expire();
        assert_eq!((budget.check(), part.check()), (Err(Interrupted::Timeout), Err(Interrupted::Timeout)));
    }

    #[test]
    fn a_slice_ends_no_later_than_the_whole() {
        let budget = Budget::new(Limits { time: Some(Duration::from_secs(5)), memory: None });
        let slice = budget.slice(Duration::from_secs(100));
        assert!(slice.time_left() <= Some(Duration::from_secs(5)));
        let slice = budget.slice(Duration::ZERO);
        assert_eq!(slice.check(), Err(Interrupted::Timeout));
        assert_eq!(budget.check(), Ok(()));
    }

    #[test]
    fn a_meter_counts_and_stops_at_its_step_limit() {
        let mut meter = Meter::with_step_limit(Budget::unlimited(), 10);
        for _ in 0..10 {
            assert_eq!(meter.step(), Ok(()));
        }
        assert_eq!(meter.step(), Err(Interrupted::Steps));
        assert_eq!(meter.steps(), 11);
    }

    #[test]
    fn a_meter_notices_cancellation() {
        let budget = Budget::unlimited();
        let mut meter = Meter::new(budget.clone());
        budget.cancel();
        let stopped_at = (0..2 * STEPS_PER_LOOK).position(|_| meter.step().is_err());
        assert_eq!(stopped_at, Some(STEPS_PER_LOOK as usize - 1));
    }
}
