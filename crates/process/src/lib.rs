//! What the operating system grants this process, and what happens when it grants no more.
//!
//! The standard library ends the process with `abort` when an allocation fails or a stack
//! overflows. Nothing can be caught then, and the user gets no answer. This crate makes an answer
//! of it:
//!
//! ```text
//! allocation fails, stack overflows ─▶ abort ─▶ signal handler: the thread stops here,
//!                                               and [`abort_cause`] is set
//! the answering thread sees it ─▶ prints what is known, exits
//! it is stuck, or there is none ─▶ the handler writes a prepared answer, exits
//! ```
//!
//! The answering thread is any thread that looks at [`abort_cause`] a few times a second
//! ([`answer_for_others`]). It holds a reserve of memory that it gives back before it builds the
//! answer, because other threads have just used up everything else. A second safety net needs no
//! memory and no locks at all: [`prepare_answer`] hands over finished bytes, which the handler
//! writes with one system call.
//!
//! The system also limits CPU time (`ulimit -t`): first it sends SIGXCPU, of which a process dies that
//! does not handle it, and at the hard limit it kills. [`install_time_handler`] makes [`is_time_up`]
//! of the signal.
//!
//! Invariants:
//! - **PROC-1** Unsafe code is in `system.rs` alone: calls of the C library, each with the reason
//!   why it is sound.
//! - **PROC-2** The handler makes plain system calls and touches atomics: it takes no lock and no
//!   memory.
//! - **PROC-3** At most one of the answering thread and the handler writes an answer
//!   ([`begin_answer`]).
//!
//! On systems other than Unix every function does nothing, and limits are unknown.

#[cfg(unix)]
mod system;

#[cfg(unix)]
pub use system::{
    abort_cause, address_space_limit, answer_for_others, begin_answer, cpu_time_limit, data_limit,
    install_abort_handler, install_time_handler, is_time_up, prepare_answer, use_one_arena,
};

/// Why the process is about to end without having finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbortCause {
    /// An allocation failed.
    Memory,
    /// A stack overflowed.
    Stack,
}

#[cfg(not(unix))]
mod elsewhere {
    use crate::AbortCause;

    /// The limit of the address space, in bytes: unknown here.
    pub fn address_space_limit() -> Option<u64> {
        None
    }

    /// The limit of writable private memory, in bytes: unknown here.
    pub fn data_limit() -> Option<u64> {
        None
    }

    /// The limit of CPU time: unknown here.
    pub fn cpu_time_limit() -> Option<std::time::Duration> {
        None
    }

    /// Does nothing here.
    pub fn use_one_arena() {}

    /// Does nothing here.
    pub fn install_time_handler() {}

    /// Always false here.
    pub fn is_time_up() -> bool {
        false
    }

    /// Does nothing here.
    pub fn install_abort_handler() {}

    /// Does nothing here.
    pub fn prepare_answer(_: &[u8], _: u8) {}

    /// Always true here.
    pub fn begin_answer(_: u8) -> bool {
        true
    }

    /// Does nothing here.
    pub fn answer_for_others() {}

    /// Always `None` here.
    pub fn abort_cause() -> Option<AbortCause> {
        None
    }
}

#[cfg(not(unix))]
pub use elsewhere::*;
