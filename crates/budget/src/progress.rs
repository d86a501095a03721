//! How far a computation is, for an observer on another thread.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Counters that a running computation writes and a front end reads, without ever waiting.
#[derive(Debug, Default)]
pub struct Progress {
    nodes: AtomicU64,
    steps: AtomicU64,
    /// Nodes made by managers that are gone, by kind of diagram.
    made: Mutex<Vec<(&'static str, u64)>>,
}

impl Progress {
    /// Reports the number of live nodes (or stored states) and of steps done.
    pub fn report(&self, nodes: u64, steps: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
        self.steps.store(steps, Ordering::Relaxed);
    }

    /// Adds the nodes created by a manager that is dropped.
    pub fn count_made(&self, kind: &'static str, nodes: u64) {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        match made.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += nodes,
            None => made.push((kind, nodes)),
        }
    }

    /// The number of nodes of a kind that were counted.
    pub fn made(&self, kind: &str) -> u64 {
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.iter().find(|(known, _)| *known == kind).map_or(0, |(_, count)| *count)
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
