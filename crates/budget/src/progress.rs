//! How far a computation is, for whoever watches it from another thread.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counters that a running computation writes and a front end reads, without ever waiting.
#[derive(Debug, Default)]
pub struct Progress {
    nodes: AtomicU64,
    steps: AtomicU64,
}

impl Progress {
    /// Reports the number of live nodes (or stored states) and of steps done.
    pub fn report(&self, nodes: u64, steps: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
        self.steps.store(steps, Ordering::Relaxed);
    }

    /// The number of nodes last reported.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The number of steps last reported.
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }
}
