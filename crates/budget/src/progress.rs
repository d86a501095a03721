//! How far a computation is, for an observer on another thread.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Counters that a running computation writes and a front end reads, without ever waiting.
#[derive(Default)]
pub struct Progress {
    nodes: AtomicU64,
    steps: AtomicU64,
    phase: Mutex<Phase>,
    /// Nodes made by managers that are gone, by kind of diagram.
    made: Mutex<Vec<(&'static str, u64)>>,
}

/// Called whenever another phase is entered.
type OnChange = Arc<dyn Fn(&Progress) + Send + Sync>;

/// What is being done, and the callback for changes.
#[derive(Default)]
struct Phase {
    name: &'static str,
    on_change: Option<OnChange>,
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress")
            .field("phase", &self.phase())
            .field("nodes", &self.nodes())
            .field("steps", &self.steps())
            .finish_non_exhaustive()
    }
}

impl Progress {
    /// Enters a phase of the computation, such as `exploring`.
    pub fn enter(&self, phase: &'static str) {
        let mut current = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut current.name, phase) == phase {
            return;
        }
        let on_change = current.on_change.clone();
        // The callback may ask for the phase.
        drop(current);
        if let Some(on_change) = on_change {
            on_change(self);
        }
    }

    /// The phase that was entered last; empty before the first one.
    pub fn phase(&self) -> &'static str {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner).name
    }

    /// Calls `on_change` from now on whenever another phase is entered, in the thread that enters
    /// it.
    pub fn on_phase_change(&self, on_change: impl Fn(&Progress) + Send + Sync + 'static) {
        let mut current = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        current.on_change = Some(Arc::new(on_change));
    }

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
