//! The calls of the C library.
#![allow(unsafe_code)]

use crate::AbortCause;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU8, AtomicUsize, Ordering};
use std::time::Duration;

/// An answer that is ready to be written. Never freed: a handler may be reading it at any time.
struct Prepared {
    bytes: Box<[u8]>,
}

/// The answer that the handler writes if no thread can answer; null if there is none, or no longer.
static PREPARED: AtomicPtr<Prepared> = AtomicPtr::new(std::ptr::null_mut());
/// What the process ends with if the handler ends it.
static EXIT_STATUS: AtomicI32 = AtomicI32::new(3);
/// Whether the answer is being written, or was.
static IS_ANSWERED: AtomicBool = AtomicBool::new(false);
/// 0, or a cause: 1 for memory, 2 for a stack.
static CAUSE: AtomicU8 = AtomicU8::new(0);
/// Whether SIGXCPU came.
static IS_TIME_UP: AtomicBool = AtomicBool::new(false);
/// The answering thread, as `pthread_self` names it; 0 if there is none.
static ANSWERING_THREAD: AtomicUsize = AtomicUsize::new(0);

/// How often the handler looks whether the answering thread has ended the process, and for how
/// long.
const PAUSE_MILLISECONDS: libc::c_int = 20;
const PAUSES: u32 = 200;

/// The limit of the address space (`ulimit -v`), in bytes, if there is one.
pub fn address_space_limit() -> Option<u64> {
    soft_limit(libc::RLIMIT_AS as libc::c_int)
}

/// The limit of writable private memory (`ulimit -d`), in bytes, if there is one.
pub fn data_limit() -> Option<u64> {
    soft_limit(libc::RLIMIT_DATA as libc::c_int)
}

/// The limit of CPU time of all threads together (`ulimit -t`), if there is one.
pub fn cpu_time_limit() -> Option<Duration> {
    soft_limit(libc::RLIMIT_CPU as libc::c_int).map(Duration::from_secs)
}

fn soft_limit(resource: libc::c_int) -> Option<u64> {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: `limit` is a valid place for the answer for the whole call.
    let status = unsafe { libc::getrlimit(resource as _, &mut limit) };
    // The type of a limit differs between systems.
    #[allow(clippy::unnecessary_cast)]
    (status == 0 && limit.rlim_cur != libc::RLIM_INFINITY).then_some(limit.rlim_cur as u64)
}

/// Makes all threads allocate from one heap. The allocator of glibc otherwise reserves 64 MB of
/// address space for each thread, which is nothing without a limit of the address space and most of
/// it with one.
pub fn use_one_arena() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: `mallopt` takes two numbers and may be called at any time.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

/// From now on `abort` leads to an answer. Call it once, at the start.
pub fn install_abort_handler() {
    // SAFETY: a `sigaction` of zeros is a valid value; `on_abort` has the type that SA_SIGINFO asks
    // for and keeps to what a handler may do (PROC-2). The old action is not wanted.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_abort as *const () as libc::sighandler_t;
        // Without SA_ONSTACK: the alternative stack is then in use if, and only if, a stack
        // overflowed.
        action.sa_flags = libc::SA_SIGINFO;
        libc::sigaction(libc::SIGABRT, &action, std::ptr::null_mut());
    }
}

/// From now on SIGXCPU, with which the system announces the end of the CPU time, sets [`is_time_up`]
/// instead of ending the process. Call it once, at the start.
pub fn install_time_handler() {
    // SAFETY: as for `install_abort_handler`; `on_time_up` only sets a flag (PROC-2). Interrupted
    // system calls are started again.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_time_up as *const () as libc::sighandler_t;
        action.sa_flags = libc::SA_RESTART;
        libc::sigaction(libc::SIGXCPU, &action, std::ptr::null_mut());
    }
}

/// Whether the system has announced the end of the CPU time.
pub fn is_time_up() -> bool {
    IS_TIME_UP.load(Ordering::Relaxed)
}

/// The handler of SIGXCPU.
extern "C" fn on_time_up(_: libc::c_int) {
    IS_TIME_UP.store(true, Ordering::Relaxed);
}

/// Sets what is written to standard output, and the exit status, if no thread is able to answer. An
/// earlier one is replaced.
pub fn prepare_answer(bytes: &[u8], exit_status: u8) {
    let prepared = Box::into_raw(Box::new(Prepared { bytes: bytes.into() }));
    EXIT_STATUS.store(i32::from(exit_status), Ordering::SeqCst);
    PREPARED.store(prepared, Ordering::SeqCst);
}

/// Says that the caller writes the answer now, after which the process ends with `exit_status`
/// whatever happens. False if the handler was faster: then the caller must not write.
pub fn begin_answer(exit_status: u8) -> bool {
    let is_first = !IS_ANSWERED.swap(true, Ordering::SeqCst);
    if is_first {
        EXIT_STATUS.store(i32::from(exit_status), Ordering::SeqCst);
    }
    is_first
}

/// Makes the calling thread the answering thread.
pub fn answer_for_others() {
    ANSWERING_THREAD.store(this_thread(), Ordering::SeqCst);
}

/// Why the process must end, if some thread cannot go on.
pub fn abort_cause() -> Option<AbortCause> {
    match CAUSE.load(Ordering::SeqCst) {
        0 => None,
        1 => Some(AbortCause::Memory),
        _ => Some(AbortCause::Stack),
    }
}

fn this_thread() -> usize {
    // SAFETY: `pthread_self` has no preconditions.
    unsafe { libc::pthread_self() as usize }
}

/// The handler of SIGABRT.
extern "C" fn on_abort(signal: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the system passes a valid `info`.
    let is_from_outside = unsafe { !info.is_null() && (*info).si_code == libc::SI_USER };
    if is_from_outside {
        // `kill -ABRT`: the user wants the process dead, or its memory image. The signal is blocked
        // until the handler returns, and then has its default effect. SAFETY: both functions take
        // plain numbers and are allowed in handlers.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
        return;
    }
    let cause = if is_on_alternative_stack() { 2 } else { 1 };
    CAUSE.store(cause, Ordering::SeqCst);
    let answering_thread = ANSWERING_THREAD.load(Ordering::SeqCst);
    if answering_thread != 0 && answering_thread != this_thread() {
        for _ in 0..PAUSES {
            pause();
        }
    }
    answer_and_exit()
}

/// Whether a stack overflowed: the standard library handles that on a stack of its own, and calls
/// `abort` there.
fn is_on_alternative_stack() -> bool {
    // SAFETY: a `stack_t` of zeros is valid, and is only written to; null means that nothing is to
    // be changed.
    unsafe {
        let mut stack: libc::stack_t = std::mem::zeroed();
        libc::sigaltstack(std::ptr::null(), &mut stack) == 0 && stack.ss_flags & libc::SS_ONSTACK != 0
    }
}

fn pause() {
    // SAFETY: no descriptors are passed, so the pointer is not followed; the call only waits.
    unsafe { libc::poll(std::ptr::null_mut(), 0, PAUSE_MILLISECONDS) };
}

/// Writes the prepared answer, unless an answer was begun, and ends the process.
fn answer_and_exit() -> ! {
    if !IS_ANSWERED.swap(true, Ordering::SeqCst) {
        let prepared = PREPARED.load(Ordering::SeqCst);
        // SAFETY: not null means that `prepare_answer` made it with `Box::into_raw`, and nothing
        // frees it.
        if let Some(prepared) = unsafe { prepared.as_ref() } {
            write_out(&prepared.bytes);
        }
    } else if ANSWERING_THREAD.load(Ordering::SeqCst) != this_thread() {
        // Another thread is writing the answer, and it needs some time for that.
        pause();
    }
    // SAFETY: `_exit` takes a number and does not return.
    unsafe { libc::_exit(EXIT_STATUS.load(Ordering::SeqCst)) }
}

/// Writes to standard output as far as that is possible.
fn write_out(mut bytes: &[u8]) {
    while !bytes.is_empty() {
        // SAFETY: the pointer and the length are those of `bytes`.
        let written =
            unsafe { libc::write(libc::STDOUT_FILENO, bytes.as_ptr().cast::<libc::c_void>(), bytes.len()) };
        match usize::try_from(written) {
            Ok(count) if count > 0 => bytes = &bytes[count.min(bytes.len())..],
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_answer_is_begun() {
        assert!(begin_answer(0));
        assert!(!begin_answer(3));
        assert_eq!(EXIT_STATUS.load(Ordering::SeqCst), 0);
        assert_eq!(abort_cause(), None);
    }

    #[test]
    fn the_signal_of_the_time_limit_sets_a_flag() {
        install_time_handler();
        assert!(!is_time_up());
        // SAFETY: `raise` takes a number; the handler is installed.
        assert_eq!(unsafe { libc::raise(libc::SIGXCPU) }, 0);
        assert!(is_time_up());
    }

    /// `ulimit` of the shell agrees, whatever it is.
    #[test]
    fn limits_are_those_of_the_shell() {
        let seconds = cpu_time_limit().map(|time| time.as_secs());
        let output = std::process::Command::new("sh").args(["-c", "ulimit -t"]).output();
        let text = String::from_utf8(output.expect("a shell").stdout).expect("text");
        assert_eq!(seconds, text.trim().parse().ok(), "-t: {text}");
        for (option, limit) in [("-v", address_space_limit()), ("-d", data_limit())] {
            let output = std::process::Command::new("sh").args(["-c", &format!("ulimit {option}")]).output();
            let text = String::from_utf8(output.expect("a shell").stdout).expect("text");
            let expected = text.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024);
            assert_eq!(limit, expected, "{option}: {text}");
        }
    }
}
