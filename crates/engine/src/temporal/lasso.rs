//! Lassos: paths that come back to where they were, found in the product of states and an
//! automaton.
//!
//! The way into the part of the product where runs can accept for ever goes by breadth-first layers
//! backwards. There, from some state on, each goal is visited in turn, and then the way back to
//! that state is looked for. If there is none, the search has moved on to a later strongly
//! connected component, and tries again from where it is. At a dead state it ends: there, the path
//! stays.

use super::product::{Edge, Graph, Part};
use super::{TemporalChecker, stutters};
use crate::policy::temporal::{ATTEMPTS, LAYER_STEPS};
use crate::sets::core::StateSets;
use crate::trace::{Starts, path_to, successor_in};
use symbolon_budget::Interrupted;
use symbolon_model::{EventId, State};

/// A path that was walked.
#[derive(Clone, Debug, Default)]
pub(super) struct Walk {
    pub(super) states: Vec<State>,
    pub(super) events: Vec<EventId>,
    /// How many events come before the loop; `None` if the last state is dead.
    pub(super) loop_start: Option<usize>,
    /// At which positions which edges were read.
    pub(super) edges: Vec<(usize, usize)>,
}

/// A place in the product.
type Place = (usize, State);

/// A step in the product: the edge, the event unless a dead state stays what it is, and where it
/// leads.
type Step = (usize, Option<EventId>, Place);

impl<S: StateSets> TemporalChecker<'_, S> {
    /// A path from `start` that a run from one of the states `initial` of the automaton accepts;
    /// `None` if the searches take more than `steps` steps.
    pub(super) fn lasso(
        &mut self,
        graph: &Graph<S::Set>,
        initial: &[usize],
        start: &State,
        steps: u64,
    ) -> Result<Option<Walk>, Interrupted> {
        let limit = self.sets.meter().grant_at_most(steps);
        let found = self.find_lasso(graph, initial, start);
        self.sets.meter().restore(limit);
        match found {
            // Unless the steps that were granted outside ran out, too.
            Err(Interrupted::Steps) => self.sets.meter().step().map(|()| None),
            found => found,
        }
    }

    fn find_lasso(
        &mut self,
        graph: &Graph<S::Set>,
        initial: &[usize],
        start: &State,
    ) -> Result<Option<Walk>, Interrupted> {
        let begins = initial.iter().copied().find(|&state| self.sets.contains(&graph.good[state], start));
        let Some(begins) = begins else { return Ok(None) };
        let mut place: Place = (begins, start.clone());
        let mut walk = Walk { states: vec![start.clone()], ..Walk::default() };
        let Some(way) = self.way(graph, &graph.good, &graph.core, &place)? else { return Ok(None) };
        if walk.follow(way, &mut place) {
            return Ok(Some(walk));
        }

        // From here on the run stays in one component of the automaton.
        let mut core = graph.core.clone();
        for (state, set) in core.iter_mut().enumerate() {
            if graph.component[state] != graph.component[place.0] {
                *set = self.sets.none();
            }
        }
        let goals = self.goal_places(graph, &core)?;
        for _ in 0..ATTEMPTS {
            let loop_start = walk.events.len();
            let first = place.clone();
            for (places, (mark, sources)) in goals.iter().zip(&graph.goals) {
                let Some(way) = self.way(graph, &core, places, &place)? else { return Ok(None) };
                if walk.follow(way, &mut place) {
                    return Ok(Some(walk));
                }
                let is_goal = |edge: &Edge<S::Set>| mark.is_none_or(|mark| edge.marks.contains(&mark));
                debug_assert!(self.sets.contains(sources, &place.1), "the way led to a goal");
                let Some(step) = self.step(graph, &place, &core, is_goal)? else { return Ok(None) };
                if walk.follow(vec![step], &mut place) {
                    return Ok(Some(walk));
                }
            }
            if goals.is_empty() {
                let Some(step) = self.step(graph, &place, &core, |_| true)? else { return Ok(None) };
                if walk.follow(vec![step], &mut place) {
                    return Ok(Some(walk));
                }
            }
            // Back to the first place, if there is a way.
            let mut target = vec![self.sets.none(); core.len()];
            target[first.0] = self.sets.singleton(&first.1)?;
            let way = match (&graph.edges[..], &core[..], &target[..]) {
                // Searched forwards, which ends where there is none.
                ([edge], [core], [target]) if self.model.is_synchronous() => {
                    self.plain_way(edge, core, target, &place)?
                }
                _ => {
                    let mut reaching = target.clone();
                    self.close_backward_in(graph, &mut reaching, &core)?;
                    if self.sets.contains(&reaching[place.0], &place.1) {
                        let Some(way) = self.way(graph, &reaching, &target, &place)? else {
                            return Ok(None);
                        };
                        Some(way)
                    } else {
                        None
                    }
                }
            };
            if let Some(way) = way {
                walk.follow(way, &mut place);
                walk.loop_start = Some(loop_start);
                return Ok(Some(walk));
            }
        }
        Ok(None)
    }

    /// For each goal, the places of `core` from which it is met by one step that stays there.
    fn goal_places(
        &mut self,
        graph: &Graph<S::Set>,
        core: &[S::Set],
    ) -> Result<Vec<Vec<S::Set>>, Interrupted> {
        let mut all = Vec::with_capacity(graph.goals.len());
        for (mark, sources) in &graph.goals {
            let mut places = vec![self.sets.none(); core.len()];
            for edge in &graph.edges {
                if mark.is_some_and(|mark| !edge.marks.contains(&mark)) {
                    continue;
                }
                let within = self.sets.intersection(&core[edge.from], &edge.guard)?;
                let within = self.sets.intersection(&within, sources)?;
                let found = self.before(&core[edge.to], &within, stutters(graph.paths))?;
                places[edge.from] = self.sets.union(&places[edge.from], &found)?;
            }
            all.push(places);
        }
        Ok(all)
    }

    /// A shortest way from `start` to `target` through `within`.
    fn way(
        &mut self,
        graph: &Graph<S::Set>,
        within: &[S::Set],
        target: &[S::Set],
        start: &Place,
    ) -> Result<Option<Vec<Step>>, Interrupted> {
        if let ([edge], [within], [target]) = (&graph.edges[..], within, target) {
            return self.plain_way(edge, within, target, start);
        }
        // Layer d holds the places at distance d from the target.
        let mut layers = vec![target.to_vec()];
        let mut unseen = Vec::with_capacity(within.len());
        for (within, target) in within.iter().zip(target) {
            unseen.push(self.sets.difference(within, target)?);
        }
        while !self.sets.contains(&layers[layers.len() - 1][start.0], &start.1) {
            let mut next = vec![self.sets.none(); within.len()];
            let newest = &layers[layers.len() - 1];
            for edge in &graph.edges {
                if self.sets.is_empty(&newest[edge.to]) {
                    continue;
                }
                let sources = self.sets.intersection(&unseen[edge.from], &edge.guard)?;
                let found = self.before(&newest[edge.to], &sources, stutters(graph.paths))?;
                next[edge.from] = self.sets.union(&next[edge.from], &found)?;
            }
            if next.iter().all(|set| self.sets.is_empty(set)) {
                return Ok(None);
            }
            for (unseen, next) in unseen.iter_mut().zip(&next) {
                *unseen = self.sets.difference(unseen, next)?;
            }
            self.sets.collect_if_due();
            layers.push(next);
        }
        let mut way = Vec::with_capacity(layers.len() - 1);
        let mut place = start.clone();
        for layer in layers[..layers.len() - 1].iter().rev() {
            let Some(step) = self.step(graph, &place, layer, |_| true)? else { return Ok(None) };
            place = step.2.clone();
            way.push(step);
        }
        Ok(Some(way))
    }

    /// A way in the product with an automaton of one state and one edge: a path of the model. The
    /// layers of a shortest one may take some steps.
    fn plain_way(
        &mut self,
        edge: &Edge<S::Set>,
        within: &S::Set,
        target: &S::Set,
        start: &Place,
    ) -> Result<Option<Vec<Step>>, Interrupted> {
        let within = self.sets.intersection(within, &edge.guard)?;
        let starts = Starts::Listed(std::slice::from_ref(&start.1));
        let Some(found) = path_to(self.sets, self.model, &starts, &within, target, LAYER_STEPS, &mut None)?
        else {
            return Ok(None);
        };
        let mut way = Vec::with_capacity(found.events.len());
        let mut state = start.1.clone();
        for (number, &event) in found.events.iter().enumerate() {
            let Some(next) = found.state_after(self.model, number, &state) else { return Ok(None) };
            state = next;
            way.push((0, Some(event), (0, state.clone())));
        }
        Ok(Some(way))
    }

    /// Adds to `found` what leads there through `bounds`.
    fn close_backward_in(
        &mut self,
        graph: &Graph<S::Set>,
        found: &mut [S::Set],
        bounds: &[S::Set],
    ) -> Result<(), Interrupted> {
        let states: Vec<usize> =
            (0..bounds.len()).filter(|&state| !self.sets.is_empty(&bounds[state])).collect();
        let part = Part::new(&states, &graph.edges, 0, graph.paths);
        self.close_backward(&part, found, bounds)
    }

    /// A step from `place` along an edge that `allows` it into `target`.
    fn step(
        &mut self,
        graph: &Graph<S::Set>,
        place: &Place,
        target: &[S::Set],
        allows: impl Fn(&Edge<S::Set>) -> bool,
    ) -> Result<Option<Step>, Interrupted> {
        let mut is_dead = true;
        for event in self.model.event_ids() {
            if self.model.event(event).is_synchronous() {
                let here = self.sets.singleton(&place.1)?;
                let next = self.sets.image(event, &here)?;
                is_dead &= self.sets.is_empty(&next);
                for (number, edge) in graph.edges.iter().enumerate() {
                    if edge.from == place.0 && allows(edge) && self.sets.contains(&edge.guard, &place.1) {
                        let found = successor_in(self.sets, self.model, event, &place.1, &target[edge.to])?;
                        if let Some(next) = found {
                            return Ok(Some((number, Some(event), (edge.to, next))));
                        }
                    }
                }
                continue;
            }
            let Ok(Some(next)) = self.model.event(event).fire(&place.1) else { continue };
            is_dead = false;
            for (number, edge) in graph.edges.iter().enumerate() {
                if edge.from == place.0
                    && allows(edge)
                    && self.sets.contains(&edge.guard, &place.1)
                    && self.sets.contains(&target[edge.to], &next)
                {
                    return Ok(Some((number, Some(event), (edge.to, next))));
                }
            }
        }
        if is_dead && stutters(graph.paths) {
            for (number, edge) in graph.edges.iter().enumerate() {
                if edge.from == place.0
                    && allows(edge)
                    && self.sets.contains(&edge.guard, &place.1)
                    && self.sets.contains(&target[edge.to], &place.1)
                {
                    return Ok(Some((number, None, (edge.to, place.1.clone()))));
                }
            }
        }
        Ok(None)
    }
}

impl Walk {
    /// Goes along these steps. Whether a dead state was met: then the path stays there, and the
    /// walk is over.
    fn follow(&mut self, way: Vec<Step>, place: &mut Place) -> bool {
        for (edge, event, to) in way {
            self.edges.push((self.events.len(), edge));
            let Some(event) = event else { return true };
            self.events.push(event);
            self.states.push(to.1.clone());
            *place = to;
        }
        false
    }
}
