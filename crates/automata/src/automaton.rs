//! The automaton type.

use std::fmt;

use crate::label::{Label, Marks};

/// A generalised Büchi automaton with marks on edges.
///
/// A run `q0 -l0-> q1 -l1-> …` over the word `s0 s1 …` begins in an initial state and reads each
/// letter at the *source* of an edge: `s_i` satisfies `l_i`. It accepts if forevery mark
/// infinitely many of its edges carry it; without marks, every infinite run accepts.
///
/// Invariants:
/// - **AUTOMATA-A1** edges are sorted, by source first, and no two are equal; initial states are
///   sorted.
/// - **AUTOMATA-A2** states, propositions and marks are below their counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    state_count: usize,
    proposition_count: u32,
    mark_count: u32,
    initial: Vec<usize>,
    edges: Vec<Edge>,
    /// Where the edges of each state begin, and one entry more.
    first_edge: Vec<usize>,
}

/// An edge of an [`Automaton`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// The state it leaves.
    pub from: usize,
    /// The state it enters.
    pub to: usize,
    /// What the letter read must satisfy.
    pub label: Label,
    /// The marks it carries.
    pub marks: Marks,
}

impl Automaton {
    /// The automaton with these parts.
    ///
    /// # Panics
    /// If a state, a proposition or a mark is not below its count (AUTOMATA-A2).
    pub fn new(
        state_count: usize,
        proposition_count: u32,
        mark_count: u32,
        mut initial: Vec<usize>,
        mut edges: Vec<Edge>,
    ) -> Automaton {
        initial.sort_unstable();
        initial.dedup();
        edges.sort_unstable();
        edges.dedup();
        assert!(initial.iter().all(|&state| state < state_count), "AUTOMATA-A2: initial states are states");
        for edge in &edges {
            assert!(edge.from < state_count && edge.to < state_count, "AUTOMATA-A2: edges join states");
            assert!(
                edge.label.last_proposition() < Some(proposition_count),
                "AUTOMATA-A2: labels use propositions"
            );
            assert!(edge.marks.iter().last() < Some(mark_count), "AUTOMATA-A2: edges carry marks");
        }
        let mut first_edge = vec![0; state_count + 1];
        for edge in &edges {
            first_edge[edge.from + 1] += 1;
        }
        for state in 0..state_count {
            first_edge[state + 1] += first_edge[state];
        }
        Automaton { state_count, proposition_count, mark_count, initial, edges, first_edge }
    }

    /// An automaton over the same propositions with other parts.
    pub(crate) fn with_parts(
        &self,
        state_count: usize,
        mark_count: u32,
        initial: Vec<usize>,
        edges: Vec<Edge>,
    ) -> Automaton {
        Automaton::new(state_count, self.proposition_count, mark_count, initial, edges)
    }

    /// The number of states; they are numbered from 0.
    pub fn state_count(&self) -> usize {
        self.state_count
    }

    /// The number of propositions; labels speak about those below it.
    pub fn proposition_count(&self) -> u32 {
        self.proposition_count
    }

    /// The number of marks that an accepting run meets again and again.
    pub fn mark_count(&self) -> u32 {
        self.mark_count
    }

    /// Where runs begin, rising.
    pub fn initial(&self) -> &[usize] {
        &self.initial
    }

    /// All edges, by source.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The edges that leave a state.
    pub fn edges_from(&self, state: usize) -> &[Edge] {
        &self.edges[self.first_edge[state]..self.first_edge[state + 1]]
    }
}

/// One line per state, for people; `write_hoa` is for programs.
impl fmt::Display for Automaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for state in 0..self.state_count {
            write!(f, "{}{state}:", if self.initial.contains(&state) { ">" } else { " " })?;
            for edge in self.edges_from(state) {
                write!(f, "  {} -> {}", edge.label, edge.to)?;
                edge.marks.iter().try_for_each(|mark| write!(f, " *{mark}"))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
