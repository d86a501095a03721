//! Any path formula below `E`: the product of the reachable states with an automaton.
//!
//! The product is one state set for each state of the automaton, never a diagram of its own. Its
//! components are those of the automaton, dealt with from the last ones up: where an accepting run
//! can begin is what leads to where one was found further down, and what can stay in the component
//! and meet all marks again and again. That second part is easy for most components:
//!
//! ```text
//! terminal   a loop for every state, with all marks    every path that counts
//! one state  loops with and without marks              `E G` of the loops, fair to those with each mark (`cycles.rs`)
//! several    edges with and without marks              Emerson and Lei (LICS 1986) on the product
//! ```
//!
//! Searches in the product saturate along the loops of a state of the automaton, and take single
//! steps along other edges.

use super::{Question, Signed, TemporalChecker, stutters};
use crate::components::components;
use crate::sets::core::StateSets;
use symbolon_automata::{Automaton, path_formula, translate};
use symbolon_budget::Interrupted;
use symbolon_logic::{Builder, Formula, FormulaId, Operator, Paths, negation_normal_form};

/// An edge of the automaton, with the states that satisfy its label.
pub(super) struct Edge<T> {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) guard: T,
    pub(super) marks: Vec<u32>,
    /// The label: propositions, and whether they hold.
    pub(super) literals: Vec<(u32, bool)>,
}

/// A product in which runs that accept are known to begin.
pub(super) struct Graph<T> {
    pub(super) edges: Vec<Edge<T>>,
    /// For each state of the automaton: where some run that accepts begins.
    pub(super) good: Vec<T>,
    /// For each state of the automaton: where some run that accepts begins and stays in its
    /// component.
    pub(super) core: Vec<T>,
    /// The component of each state of the automaton.
    pub(super) component: Vec<usize>,
    /// What a run meets again and again: an edge with the mark, if one is given, from one of the
    /// states.
    pub(super) goals: Vec<(Option<u32>, T)>,
    pub(super) paths: Paths,
}

impl<T: Clone> Graph<T> {
    /// The product with an automaton of one state that allows every step inside `within`.
    pub(super) fn of_one_state(within: T, good: T, again: Vec<T>, paths: Paths) -> Graph<T> {
        let edge = Edge { from: 0, to: 0, guard: within, marks: Vec::new(), literals: Vec::new() };
        Graph {
            edges: vec![edge],
            good: vec![good.clone()],
            core: vec![good],
            component: vec![0],
            goals: again.into_iter().map(|set| (None, set)).collect(),
            paths,
        }
    }
}

/// The part of a product in one component of the automaton.
pub(super) struct Part<'p, T> {
    states: &'p [usize],
    /// Edges inside the component.
    edges: Vec<&'p Edge<T>>,
    mark_count: u32,
    paths: Paths,
}

impl<'p, T> Part<'p, T> {
    /// The part with these states of the automaton, ascending.
    pub(super) fn new(states: &'p [usize], edges: &'p [Edge<T>], mark_count: u32, paths: Paths) -> Self {
        let is_inside = |state| states.binary_search(state).is_ok();
        let edges = edges.iter().filter(|edge| is_inside(&edge.from) && is_inside(&edge.to)).collect();
        Part { states, edges, mark_count, paths }
    }
}

/// The product for a path formula.
pub(super) struct Translated<T> {
    pub(super) graph: Graph<T>,
    /// The states in which runs of the automaton begin.
    pub(super) initial: Vec<usize>,
    /// What the propositions stand for.
    pub(super) propositions: Vec<FormulaId>,
}

impl<S: StateSets> Question<'_, '_, S> {
    /// The reachable states from which some path satisfies a signed subformula, by an automaton.
    pub(super) fn exists_by_automaton(&mut self, path: Signed) -> Result<S::Set, Interrupted> {
        let Translated { graph, initial, .. } = self.graph_of(path)?;
        let mut answer = self.checker.sets.none();
        for state in initial {
            answer = self.checker.sets.union(&answer, &graph.good[state])?;
        }
        Ok(answer)
    }

    /// The product for a signed subformula.
    pub(super) fn graph_of(&mut self, path: Signed) -> Result<Translated<S::Set>, Interrupted> {
        let parts = path_formula(self.formula, path.id);
        let alive = parts.propositions.len() as u32;
        let formula = readable(&parts.formula, path.negated, (self.paths == Paths::Maximal).then_some(alive));
        let budget = self.checker.sets.meter().budget().clone();
        let automaton = translate(&formula, &budget)?;

        let mut propositions = Vec::with_capacity(parts.propositions.len() + 1);
        for &id in &parts.propositions {
            propositions.push(self.state(id)?);
        }
        let dead = self.checker.dead()?;
        propositions.push(self.complement(&dead)?);
        let graph = self.checker.product(&automaton, &propositions, self.paths)?;
        Ok(Translated { graph, initial: automaton.initial().to_vec(), propositions: parts.propositions })
    }
}

/// A path formula, or its negation, for the translation. With a proposition for "not dead", `X`
/// needs it.
fn readable(formula: &Formula<u32>, negated: bool, alive: Option<u32>) -> Formula<u32> {
    let mut builder = Builder::default();
    let mut root = builder.add_formula(formula);
    if negated {
        root = builder.add(Operator::Not(root));
    }
    let normal = negation_normal_form(&builder.finish(root));
    let Some(alive) = alive else { return normal };
    normal.rewrite(|builder, _, operator| {
        let is_next = matches!(operator, Operator::Next(_));
        let kept = builder.add(operator);
        if is_next {
            let alive = builder.atom(alive);
            builder.add(Operator::And(alive, kept))
        } else {
            kept
        }
    })
}

impl<S: StateSets> TemporalChecker<'_, S> {
    /// The product with an automaton whose propositions hold in these sets.
    pub(super) fn product(
        &mut self,
        automaton: &Automaton,
        propositions: &[S::Set],
        paths: Paths,
    ) -> Result<Graph<S::Set>, Interrupted> {
        let edges = self.edges(automaton, propositions)?;
        let pairs: Vec<(usize, usize)> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
        let count = automaton.state_count();
        let mut good = vec![self.sets.none(); count];
        let mut core = vec![self.sets.none(); count];
        let mut component = vec![0; count];
        for (number, states) in components(count, &pairs).into_iter().enumerate() {
            states.iter().for_each(|&state| component[state] = number);
            let part = Part::new(&states, &edges, automaton.mark_count(), paths);
            if self.is_terminal(&part) {
                let all = self.reached.clone();
                good[states[0]] = self.fair_part(all, paths)?;
                core[states[0]] = good[states[0]].clone();
                continue;
            }

            // What leads to acceptance further down.
            for edge in edges.iter().filter(|edge| states.contains(&edge.from) && !states.contains(&edge.to))
            {
                let before = self.before(&good[edge.to], &edge.guard, stutters(paths))?;
                good[edge.from] = self.sets.union(&good[edge.from], &before)?;
            }
            let bounds = vec![self.reached.clone(); count];
            self.close_backward(&part, &mut good, &bounds)?;

            // What accepts without leaving the component; what was found already needs no second
            // reason.
            let has_mark = |mark| part.edges.iter().any(|edge| edge.marks.contains(&mark));
            if !part.edges.is_empty() && (0..part.mark_count).all(has_mark) {
                for &state in &states {
                    core[state] = self.sets.difference(&self.reached, &good[state])?;
                }
                self.keep_accepting(&part, &mut core)?;
                for &state in &states {
                    good[state] = self.sets.union(&good[state], &core[state])?;
                }
            }
            self.sets.collect_if_due();
        }
        let all = self.reached.clone();
        let mut goals: Vec<(Option<u32>, S::Set)> =
            (0..automaton.mark_count()).map(|mark| (Some(mark), all.clone())).collect();
        goals.extend(self.fairness.iter().map(|constraint| (None, constraint.clone())));
        Ok(Graph { edges, good, core, component, goals, paths })
    }

    /// The edges whose labels some reachable state satisfies.
    fn edges(
        &mut self,
        automaton: &Automaton,
        propositions: &[S::Set],
    ) -> Result<Vec<Edge<S::Set>>, Interrupted> {
        let mut edges = Vec::with_capacity(automaton.edges().len());
        for edge in automaton.edges() {
            let mut guard = self.reached.clone();
            for (proposition, holds) in edge.label.literals() {
                let set = &propositions[proposition as usize];
                guard = if holds {
                    self.sets.intersection(&guard, set)?
                } else {
                    self.sets.difference(&guard, set)?
                };
            }
            if !self.sets.is_empty(&guard) {
                let (marks, literals) = (edge.marks.iter().collect(), edge.label.literals().collect());
                edges.push(Edge { from: edge.from, to: edge.to, guard, marks, literals });
            }
            self.sets.collect_if_due();
        }
        Ok(edges)
    }

    /// Whether every path that counts is accepted from the only state of a part.
    fn is_terminal(&self, part: &Part<'_, S::Set>) -> bool {
        part.states.len() == 1
            && part
                .edges
                .iter()
                .any(|edge| edge.guard == self.reached && edge.marks.len() == part.mark_count as usize)
    }

    /// Adds to `found` what leads there inside the part, through `bounds`.
    pub(super) fn close_backward(
        &mut self,
        part: &Part<'_, S::Set>,
        found: &mut [S::Set],
        bounds: &[S::Set],
    ) -> Result<(), Interrupted> {
        let mut waiting: Vec<usize> = part.states.to_vec();
        while let Some(state) = waiting.pop() {
            if self.sets.is_empty(&found[state]) {
                continue;
            }
            // All loops at once, by saturation.
            let mut loops = self.sets.none();
            for edge in part.edges.iter().filter(|edge| edge.from == state && edge.to == state) {
                loops = self.sets.union(&loops, &edge.guard)?;
            }
            let loops = self.sets.intersection(&loops, &bounds[state])?;
            if !self.sets.is_empty(&loops) {
                found[state] = self.sets.backward_closure(&found[state], &loops)?;
            }
            for edge in part.edges.iter().filter(|edge| edge.to == state && edge.from != state) {
                let within = self.sets.intersection(&edge.guard, &bounds[edge.from])?;
                let within = self.sets.difference(&within, &found[edge.from])?;
                let before = self.before(&found[state], &within, stutters(part.paths))?;
                if !self.sets.is_empty(&before) {
                    found[edge.from] = self.sets.union(&found[edge.from], &before)?;
                    if !waiting.contains(&edge.from) {
                        waiting.push(edge.from);
                    }
                }
            }
            self.sets.collect_if_due();
        }
        Ok(())
    }

    /// Keeps of `open` what can stay in the part and in `open` for ever, and meet all marks and all
    /// fairness constraints again and again.
    fn keep_accepting(&mut self, part: &Part<'_, S::Set>, open: &mut [S::Set]) -> Result<(), Interrupted> {
        if let &[state] = part.states {
            let mut loops = self.sets.none();
            let mut with_mark = vec![self.sets.none(); part.mark_count as usize];
            for edge in &part.edges {
                loops = self.sets.union(&loops, &edge.guard)?;
                for &mark in &edge.marks {
                    with_mark[mark as usize] = self.sets.union(&with_mark[mark as usize], &edge.guard)?;
                }
            }
            let within = self.sets.intersection(&open[state], &loops)?;
            open[state] = self.cycles(&within, &with_mark, part.paths)?;
            return Ok(());
        }
        // What must be met again and again: an edge with a mark, or any edge from a state of a
        // constraint.
        let all = self.reached.clone();
        let mut goals: Vec<(Option<u32>, S::Set)> =
            (0..part.mark_count).map(|mark| (Some(mark), all.clone())).collect();
        goals.extend(self.fairness.iter().map(|constraint| (None, constraint.clone())));
        if goals.is_empty() {
            goals.push((None, all));
        }
        loop {
            let before: Vec<S::Set> = part.states.iter().map(|&state| open[state].clone()).collect();
            for (mark, sources) in &goals {
                let mut goal = vec![self.sets.none(); open.len()];
                for edge in &part.edges {
                    if mark.is_some_and(|mark| !edge.marks.contains(&mark)) {
                        continue;
                    }
                    let within = self.sets.intersection(&open[edge.from], &edge.guard)?;
                    let within = self.sets.intersection(&within, sources)?;
                    let found = self.before(&open[edge.to], &within, stutters(part.paths))?;
                    goal[edge.from] = self.sets.union(&goal[edge.from], &found)?;
                }
                self.close_backward(part, &mut goal, open)?;
                for &state in part.states {
                    open[state] = goal[state].clone();
                }
            }
            if part.states.iter().zip(&before).all(|(&state, before)| open[state] == *before) {
                return Ok(());
            }
        }
    }
}
