//! A thread whose stack is deep enough for the recursions over a diagram.
//!
//! Operations recurse once a level, and a net may have millions of levels. Explicit stacks would
//! hide every algorithm behind a state machine; a thread with a stack sized from the number of
//! levels keeps them readable. Its pages cost nothing until they are touched, and what is touched
//! is resident memory, which the budget watches. A limit of the address space counts all of it, so
//! the part that does not depend on levels is smaller there.

use crate::policy::stack::{BASE_BYTES, BASE_PARTS, BYTES_PER_LEVEL, LEAST_BASE_BYTES};
use symbolon_budget::{Budget, Interrupted};

/// Runs `work` on a stack that suffices for recursions over `level_count` levels.
pub fn run<T: Send>(
    level_count: usize,
    budget: &Budget,
    work: impl FnOnce() -> Result<T, Interrupted> + Send,
) -> Result<T, Interrupted> {
    let bytes = BYTES_PER_LEVEL.saturating_mul(level_count).saturating_add(base_bytes(budget));
    budget.check()?;
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().name("diagrams".into()).stack_size(bytes);
        match worker.spawn_scoped(scope, work) {
            Ok(handle) => handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => Err(Interrupted::Memory),
        }
    })
}

fn base_bytes(budget: &Budget) -> usize {
    let part = budget.mapping_room().and_then(|room| usize::try_from(room / BASE_PARTS).ok());
    part.map_or(BASE_BYTES, |part| part.clamp(LEAST_BASE_BYTES, BASE_BYTES))
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_budget::{Limits, ProcessLimits};

    #[test]
    fn a_limit_of_the_address_space_makes_stacks_smaller() {
        let within = |bytes| {
            let limits = ProcessLimits { address_space: Some(bytes), ..ProcessLimits::default() };
            base_bytes(&Budget::within(Limits::default(), limits))
        };
        assert_eq!(base_bytes(&Budget::unlimited()), BASE_BYTES);
        assert_eq!(within(1 << 50), BASE_BYTES);
        assert_eq!(within(1 << 20), LEAST_BASE_BYTES, "the process is larger");
    }

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
