//! Sets of symbolic markings as data decision diagrams, after Thierry-Mieg, Ilié and Poitrenaud
//! (FORTE 2004).
//!
//! A symbolic marking is a sequence of *motifs*: for each class the sizes of its blocks, followed
//! by the tokens of the places that need no further class. Each motif is one value, a number in a
//! table, so a diagram has one level per class and place:
//!
//! ```text
//! Client: sizes ─ ready ─ waiting ─ answered ─ Server: sizes ─ free ─ requested ─ treated ─ ONE
//! ```
//!
//! Firing is an inductive map on these diagrams (`fire.rs`): at a class it binds variables and cuts
//! blocks, at a place it does what the explicit quotient does with the tokens of this place alone.
//! Then the sequences are made canonical (`canonise.rs`): where no place mentions free classes
//! twice, by grouping and sorting lines inside the diagram, in one pass down, which is exact there;
//! in all other nets one by one, with the canonical form of the explicit quotient, because no sort
//! of lines is exact. New sequences are found breadth first.

mod canonise;
mod figures;
mod fire;
mod motifs;
mod outline;

pub use figures::SpelledFigures;
pub use outline::{MarkingNode, MarkingOutline};

use crate::quotient::canonical::Canonizer;
use crate::quotient::orbits::OrbitSums;
use crate::quotient::successors::{Problem, Workspace};
use crate::symmetry::Symmetry;
use num_bigint::BigUint;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_coloured::Net;
use symbolon_dd_hierarchy::{Hierarchy, Limits, NodeId, Root};

use canonise::Canonising;
use fire::FiringMap;
use motifs::{Motifs, Work};

/// The reachable symbolic markings of a net as a diagram.
pub struct DiagramQuotient {
    problem: Problem,
    motifs: Motifs,
    sets: Hierarchy,
    reached: Root,
    rounds: u64,
    meter: Meter,
}

/// Tables of answers are forgotten, and garbage is collected, when they have this many entries.
const MOST_ANSWERS: usize = 2_000_000;

/// Explores a net up to its symmetry, with sets of symbolic markings as data decision diagrams.
/// Classes that rotate count as fixed.
pub fn explore_in_diagrams(
    net: &Net,
    symmetry: &Symmetry,
    budget: &Budget,
) -> Result<DiagramQuotient, Interrupted> {
    budget.progress().enter("folding");
    let problem = Problem::new(net, &symmetry.clone().without_rotations());
    let mut meter = Meter::new(budget.clone());
    let mut sets = Hierarchy::new(Meter::new(budget.clone()), Limits::default())?;
    let mut motifs = Motifs::new(&problem);
    let mut initial = Workspace::default();
    problem.initial(&mut initial, &mut meter)?;
    let mut canonising = Canonising::new(&problem, &motifs);
    let mut firing = FiringMap::new(&problem, &mut meter)?;
    let mut work = Work { problem: &problem, motifs: &mut motifs, sets: &mut sets, meter: &mut meter };
    let path = canonise::path_of(&problem, work.motifs, &initial.steps);
    let first = motifs::set_of(work.sets, vec![path])?;
    let first = canonising.canonical(&mut work, first)?;
    let mut reached = work.sets.root(first);
    let mut frontier = work.sets.root(first);
    let mut rounds = 0;
    while !frontier.node().is_empty() {
        rounds += 1;
        let mut next = NodeId::EMPTY;
        for instance in 0..firing.instance_count() {
            let raw = firing.fire(&mut work, instance, frontier.node())?;
            let canonical = canonising.canonical(&mut work, raw)?;
            next = work.sets.union(next, canonical)?;
        }
        let found = work.sets.difference(next, reached.node())?;
        let all = work.sets.union(reached.node(), found)?;
        frontier = work.sets.root(found);
        reached = work.sets.root(all);
        if firing.answer_count() + canonising.answer_count() > MOST_ANSWERS {
            firing.forget();
            canonising.forget();
            work.sets.collect();
        }
    }
    Ok(DiagramQuotient { problem, motifs, sets, reached, rounds, meter })
}

impl DiagramQuotient {
    /// The number of symbolic markings.
    pub fn symbolic_count(&mut self) -> Result<BigUint, Interrupted> {
        // Sequences of motifs are well defined, so there is a count.
        Ok(self.sets.count(self.reached.node())?.unwrap_or_default())
    }

    /// The number of markings.
    pub fn marking_count(&mut self) -> Result<BigUint, Interrupted> {
        let mut sums = OrbitSums::default();
        let mut canonizer = Canonizer::default();
        let mut canonical = Default::default();
        let DiagramQuotient { problem, motifs, sets, reached, meter, .. } = self;
        let is_rigid = problem.shape.is_unary();
        motifs::for_each_path(sets, reached.node(), meter, &mut |path, meter| {
            let marking = motifs.marking(problem, path);
            let automorphisms = match is_rigid {
                // Blocks with equal lines would have been joined.
                true => 1,
                false => {
                    canonizer.canonise(&problem.shape, &marking, meter, &mut canonical)?;
                    canonical.automorphisms
                }
            };
            sums.add(&problem.shape, &marking.blocks, automorphisms, 0)
        })?;
        Ok(sums.totals(&problem.shape, meter)?.markings)
    }

    /// The number of nodes, with one value per motif.
    pub fn node_count(&self) -> usize {
        self.sets.node_count(self.reached.node()).nodes()
    }

    /// The number of arcs, with one value per motif.
    pub fn arc_count(&self) -> usize {
        self.sets.node_count(self.reached.node()).arcs
    }

    /// The number of levels: one per class that is free and per place.
    pub fn level_count(&self) -> usize {
        self.motifs.levels.len()
    }

    /// The number of breadth-first rounds.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The diagram as plain data.
    pub fn outline(&self) -> MarkingOutline {
        outline::outline(&self.problem, &self.motifs, &self.sets, self.reached.node())
    }

    /// The figures of the diagram with motifs spelled out, one node per number.
    pub fn spelled(&mut self) -> Result<SpelledFigures, Interrupted> {
        let DiagramQuotient { problem, motifs, sets, reached, meter, .. } = self;
        figures::spelled(&mut Work { problem, motifs, sets, meter }, reached.node())
    }
}
