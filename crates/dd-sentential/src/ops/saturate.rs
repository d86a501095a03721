//! Asynchronous events, fired one by one or saturated.
//!
//! An event speaks of few variables and leaves all others as they are, so it is a relation over
//! those few alone; what it does not write needs no primed twin. Most events of nets and programs
//! give fixed values to what they write, and need no primed variables at all: what was there is
//! quantified away, and the new values are a cube.
//!
//! # Saturation on a tree
//!
//! An event belongs to the lowest vtree node that holds all its variables. A set is closed under
//! the events below a node child by child: events on the left act on primes alone and those on the
//! right on subs alone, because closing under them distributes over the elements (SDD-M1: *an event
//! changes nothing outside the vtree node that it belongs to*). Primes that grow overlap, and then
//! the node is built anew. Only then the events of the node itself are fired, and what is new is
//! closed below again:
//!
//! ```text
//! sat(f, v):    g := below(f, v); repeat for events E at v:  new := image(E, g) ∧ ¬g;  g := g ∨ below(new, v)
//! below(f, v):  the elements (sat(prime, left), sat(sub, right))
//! ```
//!
//! The vtree node is an operand of its own: a trimmed function may lie far below it.

use crate::edge::Edge;
use crate::moves::{Event, Move, Moves, Step};
use crate::sdd::{Made, Sdd, Stop};
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_dd_core::{Root, Variable};

/// What an interrupted saturation keeps.
const MOST_PARTIAL: usize = 64;

impl Sdd {
    /// Says which events there are.
    pub fn set_moves(&mut self, moves: Vec<Move>) -> Result<(), Interrupted> {
        let node_count = self.vtree.nodes.len();
        let mut all = Moves {
            at: vec![Vec::new(); node_count],
            is_active: vec![false; node_count],
            ..Moves::default()
        };
        for Move { relation, values, twins, leaves } in moves {
            self.meter.step()?;
            let mut touched = self.support(&relation);
            leaves.iter().for_each(|(leaving, _)| touched.extend(self.support(leaving)));
            touched.extend(values.iter().map(|&(variable, _)| variable));
            touched.extend(twins.iter().flat_map(|&(current, primed)| [current, primed]));
            let valued: Vec<Variable> = values.iter().map(|&(variable, _)| variable).collect();
            let current = twins.iter().map(|&(current, _)| current);
            let step = Step {
                written: self.variable_set(valued.iter().copied().chain(current)),
                valued: self.variable_set(valued),
                primed: self.variable_set(twins.iter().map(|&(_, primed)| primed)),
                to_current: self.renaming(twins.iter().map(|&(current, primed)| (primed, current))),
                to_primed: self.renaming(twins),
            };
            let values = self.cube(&values)?;
            touched.sort_unstable();
            touched.dedup();
            all.events.push(Event { relation, leaves, step, values, touched });
        }
        self.moves = all;
        self.place_moves();
        Ok(())
    }

    /// Finds the vtree node of every event.
    pub(crate) fn place_moves(&mut self) {
        let all = &mut self.moves;
        if all.events.is_empty() {
            return;
        }
        all.at.iter_mut().for_each(Vec::clear);
        for (number, event) in all.events.iter().enumerate() {
            if let Some((&first, others)) = event.touched.split_first() {
                let top = others.iter().fold(first.0, |top, other| self.vtree.lowest_common(top, other.0));
                let groups = &mut all.at[top as usize];
                let written = |group: &Vec<usize>| all.events[group[0]].step.written;
                match groups.iter_mut().find(|group| written(group) == event.step.written) {
                    Some(group) => group.push(number),
                    None => groups.push(vec![number]),
                }
            }
        }
        for number in self.vtree.upwards(self.vtree.root) {
            let node = self.vtree.node(number);
            let below = !self.vtree.is_leaf(number)
                && (all.is_active[node.left as usize] || all.is_active[node.right as usize]);
            all.is_active[number as usize] = below || !all.at[number as usize].is_empty();
        }
    }

    /// All states that an event leads to from states of `from`.
    pub fn fire(&mut self, event: usize, from: &Root) -> Result<Root, Interrupted> {
        self.moves.out_of_range = None;
        let f = Edge::of(from);
        self.run(|sdd| sdd.fire_edge(event, f))
    }

    fn fire_edge(&mut self, event: usize, f: Edge) -> Made {
        let leaves: Vec<(Edge, u32)> =
            self.moves.events[event].leaves.iter().map(|(root, number)| (Edge::of(root), *number)).collect();
        for (leaving, number) in leaves {
            if self.and_edges(f, leaving)? != Edge::FALSE {
                self.moves.out_of_range = Some(number);
                return Err(Interrupted::Overflow.into());
            }
        }
        let Event { relation, step, values, .. } = &self.moves.events[event];
        let (relation, step, values) = (Edge::of(relation), *step, Edge::of(values));
        let after = self.and_exists_edges(f, relation, step.written)?;
        let after = self.rename_edge(after, step.to_current)?;
        self.and_edges(after, values)
    }

    /// All states from which an event leads to states of `target`.
    pub fn fire_back(&mut self, event: usize, target: &Root) -> Result<Root, Interrupted> {
        let target = Edge::of(target);
        let Event { relation, step, values, .. } = &self.moves.events[event];
        let (relation, step, values) = (Edge::of(relation), *step, Edge::of(values));
        self.run(|sdd| {
            let before = sdd.and_exists_edges(target, values, step.valued)?;
            let after = sdd.rename_edge(before, step.to_primed)?;
            sdd.and_exists_edges(after, relation, step.primed)
        })
    }

    /// The states of `set` in which an event can happen.
    pub fn can_fire(&mut self, event: usize, set: &Root) -> Result<Root, Interrupted> {
        let f = Edge::of(set);
        let Event { relation, step, .. } = &self.moves.events[event];
        let (relation, primed) = (Edge::of(relation), step.primed);
        self.run(|sdd| sdd.and_exists_edges(f, relation, primed))
    }

    /// The number by which the last firing left the range of the variables, if it did; it was
    /// interrupted by an overflow then.
    pub fn out_of_range(&self) -> Option<u32> {
        self.moves.out_of_range
    }

    /// What an interrupted saturation had found: sets over the variables below some vtree nodes,
    /// which are given with them. Each member of one is a part of some state that can be reached.
    pub fn take_partial(&mut self) -> Vec<(Root, Vec<Variable>)> {
        let order = self.vtree.variables();
        let found = std::mem::take(&mut self.moves.partial);
        let below = |v: u32| {
            let node = self.vtree.node(v);
            order[node.from as usize..node.to as usize].to_vec()
        };
        found.into_iter().map(|(set, v)| (set, below(v))).collect()
    }

    /// All states reached from `from` by any number of events.
    pub fn saturate(&mut self, from: &Root) -> Result<Root, Interrupted> {
        self.moves.out_of_range = None;
        self.moves.partial.clear();
        self.minimising.restarts = 0;
        let mut reached = from.clone();
        loop {
            let answer = self.saturate_at(&reached, self.vtree.root);
            // Numbers of nodes and of vtree nodes mean others later.
            self.moves.saturated = FxHashMap::default();
            match answer {
                Ok(answer) => return Ok(answer),
                Err(Stop::Interrupted(reason)) => return Err(reason),
                Err(Stop::TooLarge) => unreachable!("only a bounded operation can be too large"),
                Err(Stop::Minimise) => {
                    // The recursion goes by vtree nodes, so it begins again under another vtree, from
                    // what the highest of them had found.
                    if let Some((found, v)) = self.moves.partial.pop()
                        && v == self.vtree.root
                    {
                        reached = found;
                    }
                    self.moves.partial.clear();
                    self.minimise_by_growth()?;
                }
            }
        }
    }

    fn saturate_at(&mut self, f: &Root, v: u32) -> Result<Root, Stop> {
        // Terminal cases.
        if f.node().is_terminal() || !self.moves.is_active[v as usize] {
            return Ok(f.clone());
        }

        // Recall.
        let key = (Edge::of(f), v);
        if let Some(&answer) = self.moves.saturated.get(&key) {
            return Ok(self.hand_out(answer));
        }

        let mut reached = self.saturate_below(f, v)?;
        let groups = self.moves.at[v as usize].clone();
        // The number of groups in a row that have found nothing.
        let mut idle = 0;
        let mut turn = 0;
        while idle < groups.len() {
            let group = &groups[turn];
            turn = (turn + 1) % groups.len();
            idle += 1;
            let grown = self.fire_in(group, &reached, v);
            match grown {
                Ok(None) => {}
                Ok(Some(grown)) => {
                    reached = grown;
                    // The same events again, until they find nothing.
                    idle = 0;
                    turn = (turn + groups.len() - 1) % groups.len();
                }
                Err(reason) => {
                    if self.moves.partial.len() < MOST_PARTIAL || v == self.vtree.root {
                        self.moves.partial.push((reached, v));
                    }
                    return Err(reason);
                }
            }
        }

        // Remember.
        self.moves.saturated.insert(key, Edge::of(&reached));
        Ok(reached)
    }

    /// The set with what some events add, closed below; nothing if they add nothing. Events that write
    /// the same variables, such as all moves of one station, are fired together: what they lead to
    /// differs in those variables alone, and sets that have only some of it are larger than all.
    fn fire_in(&mut self, group: &[usize], reached: &Root, v: u32) -> Result<Option<Root>, Stop> {
        let f = Edge::of(reached);
        let new = self.attempt_once(|sdd| {
            let mut images = Edge::FALSE;
            for &event in group {
                let image = sdd.fire_edge(event, f)?;
                images = sdd.or_edges(images, image)?;
            }
            sdd.and_edges(images, !f)
        })?;
        if new.node().is_empty() {
            return Ok(None);
        }
        let closed = self.saturate_below(&new, v)?;
        self.attempt_once(|sdd| sdd.or_edges(f, Edge::of(&closed))).map(Some)
    }

    /// The closure under the events that belong below `v`.
    fn saturate_below(&mut self, f: &Root, v: u32) -> Result<Root, Stop> {
        if f.node().is_terminal() || self.vtree.is_leaf(v) {
            return Ok(f.clone());
        }
        let node = self.vtree.node(v);
        let place = self.place(Edge::of(f));
        if place != v {
            let is_left = self.vtree.contains(node.left, place);
            return self.saturate_at(f, if is_left { node.left } else { node.right });
        }
        let is_left_active = self.moves.is_active[node.left as usize];
        if !is_left_active && !self.moves.is_active[node.right as usize] {
            return Ok(f.clone());
        }
        self.meter.step()?;
        let mut has_grown = false;
        let mut elements: Vec<(Root, Root)> = Vec::new();
        for (prime, sub) in self.elements_of(Edge::of(f)) {
            let (prime, sub) = (self.hand_out(prime), self.hand_out(sub));
            if sub.node().is_empty() {
                elements.push((prime, sub));
                continue;
            }
            let closed = if is_left_active { self.saturate_at(&prime, node.left)? } else { prime.clone() };
            has_grown |= closed != prime;
            let sub = self.saturate_at(&sub, node.right)?;
            elements.push((closed, sub));
        }
        self.attempt_once(|sdd| {
            let mark = sdd.stack.len();
            for (prime, sub) in &elements {
                sdd.stack.push(crate::edge::Element::new(Edge::of(prime), Edge::of(sub)));
            }
            if has_grown {
                sdd.stack.retain(|element| element.sub != Edge::FALSE);
            }
            sdd.compress(mark)?;
            if has_grown {
                let answer = sdd.any_product(mark)?;
                sdd.stack.truncate(mark);
                Ok(answer)
            } else {
                sdd.make(v, mark)
            }
        })
    }
}
