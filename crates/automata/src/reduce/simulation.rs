//! States that can do the same become one, and edges that can do less than others go.
//!
//! A state `q` is *below* `r` if every edge of `q` is matched by edges of `r`: for each letter one
//! that carries at least the same marks and leads to a state above. Then `r` accepts whatever `q`
//! accepts, step by step with the marks. States that are below each other become one, which keeps
//! the edges of one of them; an edge goes if another one with a weaker label, more marks and a
//! target above leaves the same state; likewise initial states (D. Bustan, O. Grumberg, ToCL 2003).
//!
//! Backward, all is said of the edges that enter a state, and an initial state has only initial
//! ones above it. Every prefix of a run is then matched by one that ends in the state above, and by
//! König's lemma so is the run.

use symbolon_budget::{Interrupted, Meter};

use super::labels::is_covered;
use crate::automaton::{Automaton, Edge};
use crate::components::Components;
use crate::label::Label;

/// Which edges of a state are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Those that leave it.
    Forward,
    /// Those that enter it.
    Backward,
}

/// An automaton whose edges would have to be compared more often than this stays as it is.
const COMPARISON_LIMIT: u64 = 5_000_000;

/// The number of propositions by which several edges that match one edge are distinguished.
const SPLITS: usize = 4;

/// The same language with fewer states and edges.
pub(crate) fn merge_similar(
    automaton: &Automaton,
    direction: Direction,
    meter: &mut Meter,
) -> Result<Automaton, Interrupted> {
    let merged = match direction {
        Direction::Forward => merge(automaton, direction, meter)?,
        Direction::Backward => merge(&reversed(automaton), direction, meter)?.as_ref().map(reversed),
    };
    Ok(merged.unwrap_or_else(|| automaton.clone()))
}

fn reversed(automaton: &Automaton) -> Automaton {
    let edges = automaton.edges().iter().map(|edge| Edge { from: edge.to, to: edge.from, ..edge.clone() });
    let edges = edges.collect();
    automaton.with_parts(automaton.state_count(), automaton.mark_count(), automaton.initial().to_vec(), edges)
}

/// As [`merge_similar`], on edges that leave their states in the direction asked for; none if that
/// takes too long.
fn merge(
    automaton: &Automaton,
    direction: Direction,
    meter: &mut Meter,
) -> Result<Option<Automaton>, Interrupted> {
    let Some(below) = Below::of(automaton, direction, meter)? else { return Ok(None) };

    // Of states that are below each other, the one with the fewest edges stands for all.
    let count = automaton.state_count();
    let stands_for: Vec<usize> = (0..count)
        .map(|state| {
            let equals = (0..count).filter(|&other| below.is(state, other) && below.is(other, state));
            equals.min_by_key(|&other| (automaton.edges_from(other).len(), other)).unwrap_or(state)
        })
        .collect();

    let mut kept = Vec::new();
    for state in (0..count).filter(|&state| stands_for[state] == state) {
        let mut edges: Vec<Edge> = automaton
            .edges_from(state)
            .iter()
            .map(|edge| Edge { to: stands_for[edge.to], ..edge.clone() })
            .collect();
        edges.sort_unstable();
        edges.dedup();
        for edge in &edges {
            let mut is_needless = false;
            for other in &edges {
                meter.step()?;
                is_needless |= other != edge
                    && edge.label.implies(&other.label)
                    && edge.marks.is_subset(&other.marks)
                    && below.is(edge.to, other.to);
            }
            if !is_needless {
                kept.push(edge.clone());
            }
        }
    }

    let mut initial: Vec<usize> = automaton.initial().iter().map(|&state| stands_for[state]).collect();
    initial.sort_unstable();
    initial.dedup();
    if direction == Direction::Forward {
        let all = initial.clone();
        initial.retain(|&state| !all.iter().any(|&other| other != state && below.is(state, other)));
    }
    Ok(Some(automaton.with_parts(count, automaton.mark_count(), initial, kept)))
}

/// The largest relation of which the module's text speaks.
struct Below {
    count: usize,
    pairs: Vec<bool>,
}

impl Below {
    fn is(&self, state: usize, other: usize) -> bool {
        self.pairs[state * self.count + other]
    }

    /// All pairs that nothing speaks against, found by taking away pairs until no edge is
    /// unmatched; none if that takes too long.
    fn of(
        automaton: &Automaton,
        direction: Direction,
        meter: &mut Meter,
    ) -> Result<Option<Below>, Interrupted> {
        let count = automaton.state_count();
        if (count as u64).saturating_pow(2) > COMPARISON_LIMIT {
            return Ok(None);
        }
        // Whatever a state leads to comes before it, so that most pairs are settled at first sight.
        let components = Components::of(automaton);
        let mut states: Vec<usize> = (0..count).collect();
        states.sort_by_key(|&state| components.of_state[state]);
        let last_step = meter.steps() + COMPARISON_LIMIT;
        let mut below = Below { count, pairs: vec![true; count * count] };
        if direction == Direction::Backward {
            for state in automaton.initial() {
                for other in (0..count).filter(|other| !automaton.initial().contains(other)) {
                    below.pairs[state * count + other] = false;
                }
            }
        }
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for &state in &states {
                for &other in &states {
                    if state == other || !below.is(state, other) {
                        continue;
                    }
                    if meter.steps() > last_step {
                        return Ok(None);
                    }
                    if !below.matches(automaton, state, other, meter)? {
                        below.pairs[state * count + other] = false;
                        has_changed = true;
                    }
                }
            }
        }
        Ok(Some(below))
    }

    /// Whether each edge of `state` is matched by edges of `other`.
    fn matches(
        &self,
        automaton: &Automaton,
        state: usize,
        other: usize,
        meter: &mut Meter,
    ) -> Result<bool, Interrupted> {
        for edge in automaton.edges_from(state) {
            let mut labels: Vec<&Label> = Vec::new();
            for candidate in automaton.edges_from(other) {
                meter.step()?;
                if self.is(edge.to, candidate.to) && edge.marks.is_subset(&candidate.marks) {
                    labels.push(&candidate.label);
                }
            }
            if !is_covered(&edge.label, &labels, SPLITS) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
