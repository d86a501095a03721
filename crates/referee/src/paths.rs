//! Paths, and whether one exists that keeps what a formula demands.
//!
//! A path is a sequence of states, each a next state of the one before. Three notions differ in
//! dead states:
//!
//! ```text
//! maximal    a path ends in a dead state, and there nothing is next
//! stutter    a path stays in a dead state for ever
//! infinite   a path never ends, so no path comes to a dead state
//! ```
//!
//! A path formula is brought into a form in which only statements about single states are negated.
//! Then it is kept by carrying *obligations* along the path: a set of subformulas that must be true
//! from the present state on. Every subformula is either settled here or leaves something for the
//! next state:
//!
//! ```text
//! f & g    both                         X f      f in the next state; a path may not end before it
//! f | g    one of them                  f U g    g, or f and f U g in the next state: it is put off
//! f R g    g and f, or g and again f R g in the next state, if there is one
//! ```
//!
//! A path keeps everything if it ends where nothing must follow, or goes on for ever and puts off
//! no `f U g` for ever. A fair path also comes to each fairness constraint again and again; one
//! that has ended stays where it is.

use crate::formula::Formula;
use std::collections::{BTreeSet, HashMap};

/// The paths that a quantifier ranges over.
#[derive(Clone, Debug)]
pub struct Paths {
    /// The next states.
    pub next: Vec<Vec<usize>>,
    /// The states in which a path may end.
    pub may_end: Vec<bool>,
    /// For each fairness constraint, where it holds.
    pub fair: Vec<Vec<bool>>,
}

impl Paths {
    /// Paths end in dead states.
    pub fn maximal(next: Vec<Vec<usize>>) -> Paths {
        let may_end = next.iter().map(Vec::is_empty).collect();
        Paths { next, may_end, fair: Vec::new() }
    }

    /// Paths stay in dead states.
    pub fn stutter(mut next: Vec<Vec<usize>>) -> Paths {
        for (state, targets) in next.iter_mut().enumerate() {
            if targets.is_empty() {
                targets.push(state);
            }
        }
        Paths::infinite(next)
    }

    /// Paths do not end.
    pub fn infinite(next: Vec<Vec<usize>>) -> Paths {
        Paths { may_end: vec![false; next.len()], next, fair: Vec::new() }
    }
}

/// A part of a path formula.
#[derive(Clone, Debug)]
enum Part {
    /// True in these states.
    Here(Vec<bool>),
    And(usize, usize),
    Or(usize, usize),
    Next(usize),
    Until(usize, usize),
    Release(usize, usize),
}

/// A path formula in which only statements about single states are negated.
#[derive(Clone, Debug)]
pub struct PathFormula {
    parts: Vec<Part>,
    root: usize,
}

/// A set of parts, one bit each.
type Obligations = u64;

/// What one way of settling obligations in a state leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rest {
    /// The obligations of the next state.
    next: Obligations,
    /// The `f U g` that were put off.
    put_off: Obligations,
    /// Whether there has to be a next state.
    goes_on: bool,
}

/// The most pairs of a state and obligations that are looked at.
const PAIRS: usize = 400_000;

/// Says where a formula about states is true.
pub type Label<'a> = dyn FnMut(&Formula) -> Result<Vec<bool>, String> + 'a;

impl PathFormula {
    /// The formula, or its negation. `label` says where the state formulas in it are true.
    pub fn new(formula: &Formula, is_negated: bool, label: &mut Label<'_>) -> Result<PathFormula, String> {
        let mut made = PathFormula { parts: Vec::new(), root: 0 };
        made.root = made.add(formula, !is_negated, label)?;
        if made.parts.len() > 64 { Err("too large a path formula".to_string()) } else { Ok(made) }
    }

    fn push(&mut self, part: Part) -> usize {
        self.parts.push(part);
        self.parts.len() - 1
    }

    /// The part that says that `formula` is true, or that it is false.
    fn add(&mut self, formula: &Formula, truth: bool, label: &mut Label<'_>) -> Result<usize, String> {
        if !formula.is_path() {
            let mut states = label(formula)?;
            states.iter_mut().for_each(|value| *value = *value == truth);
            return Ok(self.push(Part::Here(states)));
        }
        let constant = |truth: bool| Formula::Constant(truth);
        let part = match formula {
            Formula::Not(f) => return self.add(f, !truth, label),
            Formula::And(f, g) | Formula::Or(f, g) => {
                let (left, right) = (self.add(f, truth, label)?, self.add(g, truth, label)?);
                let is_and = matches!(formula, Formula::And(..)) == truth;
                if is_and { Part::And(left, right) } else { Part::Or(left, right) }
            }
            Formula::Implies(f, g) => {
                let (left, right) = (self.add(f, !truth, label)?, self.add(g, truth, label)?);
                if truth { Part::Or(left, right) } else { Part::And(left, right) }
            }
            Formula::Same(f, g) => {
                let both = (self.add(f, true, label)?, self.add(g, truth, label)?);
                let neither = (self.add(f, false, label)?, self.add(g, !truth, label)?);
                let (both, neither) =
                    (self.push(Part::And(both.0, both.1)), self.push(Part::And(neither.0, neither.1)));
                Part::Or(both, neither)
            }
            Formula::Next(f) => Part::Next(self.add(f, truth, label)?),
            Formula::Finally(f) => {
                let (always, f) = (self.add(&constant(true), truth, label)?, self.add(f, truth, label)?);
                if truth { Part::Until(always, f) } else { Part::Release(always, f) }
            }
            Formula::Globally(f) => {
                let (never, f) = (self.add(&constant(false), truth, label)?, self.add(f, truth, label)?);
                if truth { Part::Release(never, f) } else { Part::Until(never, f) }
            }
            Formula::Until(f, g) => {
                let (f, g) = (self.add(f, truth, label)?, self.add(g, truth, label)?);
                if truth { Part::Until(f, g) } else { Part::Release(f, g) }
            }
            Formula::Release(f, g) => {
                let (f, g) = (self.add(f, truth, label)?, self.add(g, truth, label)?);
                if truth { Part::Release(f, g) } else { Part::Until(f, g) }
            }
            Formula::WeakUntil(f, g) => {
                // f W g is g R (f | g).
                let (f, g) = (self.add(f, truth, label)?, self.add(g, truth, label)?);
                if truth {
                    let either = self.push(Part::Or(f, g));
                    Part::Release(g, either)
                } else {
                    let neither = self.push(Part::And(f, g));
                    Part::Until(g, neither)
                }
            }
            other => return Err(format!("not a path formula: {other:?}")),
        };
        Ok(self.push(part))
    }

    /// Every way of settling obligations in a state.
    fn settle(&self, state: usize, obligations: Obligations) -> BTreeSet<Rest> {
        let mut found = BTreeSet::new();
        let nothing = Rest { next: 0, put_off: 0, goes_on: false };
        self.settle_on(state, obligations, 0, nothing, &mut found);
        found
    }

    fn settle_on(
        &self,
        state: usize,
        open: Obligations,
        settled: Obligations,
        rest: Rest,
        found: &mut BTreeSet<Rest>,
    ) {
        let open = open & !settled;
        if open == 0 {
            found.insert(rest);
            return;
        }
        let number = open.trailing_zeros() as usize;
        let bit = |number: usize| 1 << number;
        let settled = settled | bit(number);
        let mut go_on =
            |more: Obligations, rest: Rest| self.settle_on(state, open | more, settled, rest, found);
        match self.parts[number] {
            Part::Here(ref states) => {
                if states[state] {
                    go_on(0, rest);
                }
            }
            Part::And(f, g) => go_on(bit(f) | bit(g), rest),
            Part::Or(f, g) => {
                go_on(bit(f), rest);
                go_on(bit(g), rest);
            }
            Part::Next(f) => go_on(0, Rest { next: rest.next | bit(f), goes_on: true, ..rest }),
            Part::Until(f, g) => {
                go_on(bit(g), rest);
                let put_off = rest.put_off | bit(number);
                go_on(bit(f), Rest { next: rest.next | bit(number), put_off, goes_on: true });
            }
            Part::Release(f, g) => {
                go_on(bit(f) | bit(g), rest);
                go_on(bit(g), Rest { next: rest.next | bit(number), ..rest });
            }
        }
    }

    /// For each state, whether a path from there satisfies the formula.
    pub fn exists(&self, paths: &Paths) -> Result<Vec<bool>, String> {
        let starts: Vec<(usize, Obligations)> =
            (0..paths.next.len()).map(|state| (state, 1 << self.root)).collect();
        self.keep(paths, &starts)
    }

    /// Whether some path that begins with these states satisfies the formula.
    pub fn exists_after(&self, paths: &Paths, beginning: &[usize]) -> Result<bool, String> {
        let Some((last, before)) = beginning.split_last() else { return Err("no state".to_string()) };
        let mut carried = BTreeSet::from([1 << self.root]);
        for &state in before {
            carried = carried
                .into_iter()
                .flat_map(|obligations: Obligations| self.settle(state, obligations))
                .map(|rest| rest.next)
                .collect();
        }
        let starts: Vec<(usize, Obligations)> = carried.into_iter().map(|carried| (*last, carried)).collect();
        Ok(self.keep(paths, &starts)?.contains(&true))
    }

    /// Whether these states settle all that the formula demands, so nothing is left for the next
    /// state.
    pub fn settles(&self, states: &[usize]) -> bool {
        let mut carried = BTreeSet::from([1 << self.root]);
        for &state in states {
            carried = carried
                .into_iter()
                .flat_map(|obligations: Obligations| self.settle(state, obligations))
                .map(|rest| rest.next)
                .collect();
            if carried.contains(&0) {
                return true;
            }
        }
        false
    }

    /// The least number of steps, from one of these states, after which nothing is left for the
    /// next state. A run may stop only where `may_stop` says so.
    pub fn least_steps(&self, paths: &Paths, starts: &[usize], may_stop: &[bool]) -> Option<usize> {
        let mut layer: BTreeSet<(usize, Obligations)> =
            starts.iter().map(|&state| (state, 1 << self.root)).collect();
        let mut seen = layer.clone();
        for steps in 0.. {
            let mut next = BTreeSet::new();
            for &(state, obligations) in &layer {
                for rest in self.settle(state, obligations) {
                    if rest.next == 0 && may_stop[state] {
                        return Some(steps);
                    }
                    next.extend(paths.next[state].iter().map(|&to| (to, rest.next)));
                }
            }
            layer = next.difference(&seen).copied().collect();
            if layer.is_empty() {
                return None;
            }
            seen.extend(layer.iter().copied());
        }
        None
    }

    /// For each pair of a state and obligations, whether a path from there keeps them.
    fn keep(&self, paths: &Paths, starts: &[(usize, Obligations)]) -> Result<Vec<bool>, String> {
        // The pairs that can be reached, and what is put off on the way from one to another.
        let mut numbers: HashMap<(usize, Obligations), usize> = HashMap::new();
        let mut pairs: Vec<(usize, Obligations)> = Vec::new();
        let mut number_of = |pair: (usize, Obligations), pairs: &mut Vec<(usize, Obligations)>| {
            *numbers.entry(pair).or_insert_with(|| {
                pairs.push(pair);
                pairs.len() - 1
            })
        };
        let starts: Vec<usize> = starts.iter().map(|&start| number_of(start, &mut pairs)).collect();
        let mut edges: Vec<Vec<(usize, Obligations)>> = Vec::new();
        let mut is_good: Vec<bool> = Vec::new();
        while let Some(&(state, obligations)) = pairs.get(edges.len()) {
            if pairs.len() > PAIRS {
                return Err("too many pairs of states and obligations".to_string());
            }
            let mut here = Vec::new();
            let mut ends = false;
            for rest in self.settle(state, obligations) {
                let is_fair = paths.fair.iter().all(|constraint| constraint[state]);
                ends |= paths.may_end[state] && !rest.goes_on && is_fair;
                for &next in &paths.next[state] {
                    here.push((number_of((next, rest.next), &mut pairs), rest.put_off));
                }
            }
            edges.push(here);
            is_good.push(ends);
        }

        // Good are also the pairs on a loop that puts nothing off for ever and is fair.
        let untils: Vec<Obligations> = (0..self.parts.len())
            .filter(|&part| matches!(self.parts[part], Part::Until(..)))
            .map(|part| 1 << part)
            .collect();
        let targets: Vec<Vec<usize>> =
            edges.iter().map(|edges| edges.iter().map(|(to, _)| *to).collect()).collect();
        let component = components(&targets);
        let count = component.iter().max().map_or(0, |most| most + 1);
        let mut seen = vec![(false, vec![false; untils.len()], vec![false; paths.fair.len()]); count];
        for (from, edges) in edges.iter().enumerate() {
            for &(to, put_off) in edges.iter().filter(|(to, _)| component[*to] == component[from]) {
                let (is_loop, settled, fair) = &mut seen[component[to]];
                *is_loop = true;
                settled.iter_mut().zip(&untils).for_each(|(settled, until)| *settled |= put_off & until == 0);
                fair.iter_mut().zip(&paths.fair).for_each(|(seen, fair)| *seen |= fair[pairs[from].0]);
            }
        }
        for (pair, good) in is_good.iter_mut().enumerate() {
            let (is_loop, settled, fair) = &seen[component[pair]];
            *good |= *is_loop && settled.iter().chain(fair).all(|&seen| seen);
        }

        // And all from which one of them can be reached.
        let is_good = can_reach(&targets, is_good);
        Ok(starts.into_iter().map(|start| is_good[start]).collect())
    }
}

/// The vertices from which a good one can be reached.
pub fn can_reach(targets: &[Vec<usize>], is_good: Vec<bool>) -> Vec<bool> {
    let mut sources = vec![Vec::new(); targets.len()];
    for (from, targets) in targets.iter().enumerate() {
        targets.iter().for_each(|&to| sources[to].push(from));
    }
    let mut is_good = is_good;
    let mut waiting: Vec<usize> = (0..targets.len()).filter(|&vertex| is_good[vertex]).collect();
    while let Some(vertex) = waiting.pop() {
        for &source in &sources[vertex] {
            if !is_good[source] {
                is_good[source] = true;
                waiting.push(source);
            }
        }
    }
    is_good
}

/// The number of the strongly connected component of each vertex: Kosaraju's two searches.
fn components(targets: &[Vec<usize>]) -> Vec<usize> {
    let mut sources = vec![Vec::new(); targets.len()];
    for (from, targets) in targets.iter().enumerate() {
        targets.iter().for_each(|&to| sources[to].push(from));
    }
    // Vertices in the order in which a depth-first search leaves them.
    let mut is_seen = vec![false; targets.len()];
    let mut left = Vec::new();
    for start in 0..targets.len() {
        if std::mem::replace(&mut is_seen[start], true) {
            continue;
        }
        let mut stack = vec![(start, 0)];
        while let Some((vertex, next)) = stack.pop() {
            match targets[vertex].get(next) {
                Some(&to) => {
                    stack.push((vertex, next + 1));
                    if !std::mem::replace(&mut is_seen[to], true) {
                        stack.push((to, 0));
                    }
                }
                None => left.push(vertex),
            }
        }
    }
    // In the opposite order, what reaches a vertex and has no component yet is in its component.
    let mut component = vec![usize::MAX; targets.len()];
    let mut count = 0;
    for &start in left.iter().rev() {
        if component[start] != usize::MAX {
            continue;
        }
        let mut waiting = vec![start];
        component[start] = count;
        while let Some(vertex) = waiting.pop() {
            for &source in &sources[vertex] {
                if component[source] == usize::MAX {
                    component[source] = count;
                    waiting.push(source);
                }
            }
        }
        count += 1;
    }
    component
}
