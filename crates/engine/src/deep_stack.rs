//! A thread whose stack is deep enough for the recursions over a diagram.
//!
//! Operations recurse once a level, and a net may have millions of levels. Explicit stacks would
//! hide every algorithm behind a state machine; a thread with a stack sized from the number of
//! levels keeps them readable. Its pages cost nothing until they are touched, and what is touched
//! is resident memory, which the budget watches.

use symbolon_budget::{Budget, Interrupted};

/// Stack for everything that does not depend on levels.
const BASE_BYTES: usize = 64 << 20;

/// Stack a level: the deepest recursion has one `saturate` or `fire` with its fixpoint, and one
/// union, per level. A generous guess, not a measured frame: a million philosophers (two million
/// levels) saturate within it in release builds, twenty thousand in the tests.
const BYTES_PER_LEVEL: usize = if cfg!(debug_assertions) { 6 << 10 } else { 1 << 10 };

/// Runs `work` on a stack that suffices for recursions over `level_count` levels.
pub fn run<T: Send>(
    level_count: usize,
    budget: &Budget,
    work: impl FnOnce() -> Result<T, Interrupted> + Send,
) -> Result<T, Interrupted> {
    let bytes = BYTES_PER_LEVEL.saturating_mul(level_count).saturating_add(BASE_BYTES);
    budget.check()?;
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().name("diagrams".into()).stack_size(bytes);
        match worker.spawn_scoped(scope, work) {
            Ok(handle) => handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => Err(Interrupted::Memory),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth_of(levels: usize) -> usize {
        if levels == 0 { 0 } else { 1 + std::hint::black_box(depth_of(levels - 1)) }
    }

    #[test]
    fn deep_recursions_fit() {
        let answer = run(1_000_000, &Budget::unlimited(), || Ok(depth_of(1_000_000)));
        assert_eq!(answer, Ok(1_000_000));
    }

    #[test]
    fn interruptions_come_through() {
        let answer: Result<(), _> = run(1, &Budget::unlimited(), || Err(Interrupted::Steps));
        assert_eq!(answer, Err(Interrupted::Steps));
    }
}
