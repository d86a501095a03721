//! Firing sets of sequences.
//!
//! An *instance* is a transition with members for its variables of fixed classes. Its map goes down
//! a diagram with a state: what is bound so far, and how the blocks of the classes above are cut.
//! Sizes matter in states only as far as places below can tell: whether the rest of a block is
//! empty, and whether it has enough members for the labels of a tuple.

use super::motifs::{Level, Work, arcs};
use crate::quotient::bind::{Binding, Element};
use crate::quotient::fire::Firing;
use crate::quotient::marking::{Block, Marking, Tokens, block_of, component, label_of, normalise_labels};
use crate::quotient::plan::{Pattern, Plan};
use crate::quotient::successors::Problem;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use symbolon_budget::{Interrupted, Meter};
use symbolon_coloured::{ClassId, Guard, LARGEST_FACTOR_COUNT, MemberTerm, TransitionId, VariableId};
use symbolon_dd_hierarchy::NodeId;

/// All instances, and what was computed for them.
pub(super) struct FiringMap {
    instances: Vec<Instance>,
    states: Vec<State>,
    numbers: FxHashMap<State, u32>,
    /// By state, level and node.
    answers: FxHashMap<(u32, u32, NodeId), NodeId>,
    /// By state, level and motif of a place: the motif afterwards, if the transition is enabled.
    moved: FxHashMap<(u32, u32, u32), Option<u32>>,
    /// By node, its level, and a level below: the motifs there.
    below: FxHashMap<(NodeId, u32, u32), MotifList>,
    /// By transition and place, the arcs between them.
    plans: Vec<Vec<Plan>>,
    /// By class, the most components of one tuple.
    alike: Vec<u32>,
    firing: Firing,
    binding: Binding,
}

/// Motifs, unless there are many.
type MotifList = Option<Rc<[u32]>>;

/// More motifs than these are not looked through for blocks that variables can be bound to.
const MOST_MOTIFS: usize = 1024;

/// Blocks that variables can be bound to; a variable without an entry has no restriction.
#[derive(Default)]
struct Allowed {
    blocks: Vec<(VariableId, Vec<bool>)>,
}

impl Allowed {
    fn has(&self, variable: VariableId, block: u32) -> bool {
        self.blocks.iter().all(|(of, blocks)| *of != variable || blocks[block as usize])
    }
}

struct Instance {
    transition: TransitionId,
    /// By variable of the net; those of free classes are 0.
    members: Vec<u32>,
    /// The variables of free classes.
    free: Vec<VariableId>,
    /// What the guard still says.
    guards: Vec<Guard>,
}

/// What is decided above a level.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    instance: u32,
    /// By variable of the net.
    members: Vec<u32>,
    element_of: Vec<u32>,
    elements: Vec<(u32, u32)>,
    /// The blocks of the classes above, before they are cut: static subclass, and as much of the size
    /// as matters.
    blocks: Vec<(u32, u32)>,
    /// The classes above.
    classes: Vec<ClassId>,
}

impl FiringMap {
    pub(super) fn new(problem: &Problem, meter: &mut Meter) -> Result<FiringMap, Interrupted> {
        let (net, shape) = (&problem.net, &problem.shape);
        let mut instances = Vec::new();
        for (number, transition) in net.transition_ids().zip(&net.transitions) {
            let is_free = |variable: &VariableId| {
                !shape.classes[net.variables[variable.index()].class.index()].static_of.is_empty()
            };
            let (free, fixed): (Vec<_>, Vec<_>) = transition.variables().into_iter().partition(is_free);
            let mut guards = Vec::new();
            crate::quotient::plan::add_conjuncts(&transition.guard, &mut guards);
            let decided = |guard: &Guard| {
                let mut is_decided = true;
                guard.visit_variables(&mut |variable| is_decided &= !is_free(&variable));
                is_decided
            };
            let (decided, open): (Vec<Guard>, Vec<Guard>) = guards.into_iter().partition(decided);
            let mut members = vec![0; net.variables.len()];
            loop {
                meter.step()?;
                if decided.iter().all(|guard| guard.holds(net, &|variable| members[variable.index()])) {
                    instances.push(Instance {
                        transition: number,
                        members: members.clone(),
                        free: free.clone(),
                        guards: open.clone(),
                    });
                }
                let can_grow = |variable: &&VariableId| {
                    u64::from(members[variable.index()]) + 1 < net.class_of(**variable).size()
                };
                let Some(position) = fixed.iter().position(|variable| can_grow(&variable)) else { break };
                members[fixed[position].index()] += 1;
                fixed[..position].iter().for_each(|variable| members[variable.index()] = 0);
            }
        }
        let plans = net
            .transitions
            .iter()
            .map(|transition| {
                let at = |place: symbolon_coloured::PlaceId| {
                    let mut part = transition.clone();
                    part.arcs.retain(|arc| arc.place() == place);
                    Plan::new(net, shape, &part)
                };
                net.place_ids().map(at).collect()
            })
            .collect();
        let mut alike = vec![1; net.classes.len()];
        for place in &shape.places {
            for one in &place.components {
                alike[one.class.index()] = one.alike.max(alike[one.class.index()]);
            }
        }
        Ok(FiringMap {
            instances,
            states: Vec::new(),
            numbers: FxHashMap::default(),
            answers: FxHashMap::default(),
            moved: FxHashMap::default(),
            below: FxHashMap::default(),
            plans,
            alike,
            firing: Firing::default(),
            binding: Binding::default(),
        })
    }

    pub(super) fn instance_count(&self) -> u32 {
        self.instances.len() as u32
    }

    pub(super) fn answer_count(&self) -> usize {
        self.answers.len() + self.below.len()
    }

    /// Forgets what mentions nodes.
    pub(super) fn forget(&mut self) {
        self.answers.clear();
        self.below.clear();
    }

    /// The sequences to which an instance leads, neither grouped nor sorted.
    pub(super) fn fire(
        &mut self,
        work: &mut Work<'_>,
        instance: u32,
        set: NodeId,
    ) -> Result<NodeId, Interrupted> {
        let described = &self.instances[instance as usize];
        let state = State {
            instance,
            members: described.members.clone(),
            element_of: vec![0; described.members.len()],
            elements: Vec::new(),
            blocks: Vec::new(),
            classes: Vec::new(),
        };
        let state = self.number(state);
        self.map(work, state, 0, set)
    }

    fn number(&mut self, state: State) -> u32 {
        let next = self.states.len() as u32;
        match self.numbers.entry(state) {
            std::collections::hash_map::Entry::Occupied(known) => *known.get(),
            std::collections::hash_map::Entry::Vacant(free) => {
                self.states.push(free.key().clone());
                *free.insert(next)
            }
        }
    }

    fn map(
        &mut self,
        work: &mut Work<'_>,
        state: u32,
        level: u32,
        node: NodeId,
    ) -> Result<NodeId, Interrupted> {
        if node.is_empty() || level as usize == work.motifs.levels.len() {
            return Ok(node);
        }
        if let Some(&known) = self.answers.get(&(state, level, node)) {
            return Ok(known);
        }
        work.meter.step()?;
        let mut mapped = Vec::new();
        for (value, child) in arcs(work.sets, node) {
            match work.motifs.levels[level as usize] {
                Level::Class(class) => {
                    let Some(allowed) = self.allowed(work, state, (level, class), value, child) else {
                        continue;
                    };
                    for (value, state) in self.cut(work, state, class, value, &allowed)? {
                        let child = self.map(work, state, level + 1, child)?;
                        if !child.is_empty() {
                            mapped.push((u64::from(value), child));
                        }
                    }
                }
                Level::Place(place) => {
                    let value = match self.moved.get(&(state, level, value)) {
                        Some(&known) => known,
                        None => {
                            let moved = self.moved_motif(work, state, place, value)?;
                            self.moved.insert((state, level, value), moved);
                            moved
                        }
                    };
                    if let Some(value) = value {
                        let child = self.map(work, state, level + 1, child)?;
                        if !child.is_empty() {
                            mapped.push((u64::from(value), child));
                        }
                    }
                }
            }
        }
        let answer = work.sets.from_any_values(&mapped)?;
        self.answers.insert((state, level, node), answer);
        Ok(answer)
    }

    /// Which blocks of a class variables can be bound to, as far as the places below tell that
    /// demand a tuple with one free component; `None` if the instance cannot fire below `child`.
    fn allowed(
        &mut self,
        work: &mut Work<'_>,
        state: u32,
        (level, class): (u32, ClassId),
        value: u32,
        child: NodeId,
    ) -> Option<Allowed> {
        let mut allowed = Allowed::default();
        let (instance, transition) = {
            let instance = self.states[state as usize].instance;
            (instance, self.instances[instance as usize].transition)
        };
        let block_count = work.motifs.blocks(value).len() as u32;
        for below in level + 1..work.motifs.levels.len() as u32 {
            let Level::Place(place) = work.motifs.levels[below as usize] else { continue };
            if self.plans[transition.index()][place as usize].patterns.is_empty() {
                continue;
            }
            let Some(found) = self.motifs_below(work, level + 1, child, below) else { continue };
            let members = &self.instances[instance as usize].members;
            for pattern in &self.plans[transition.index()][place as usize].patterns {
                let shapes = work.problem.shape.components(place);
                let mut free = (0..shapes.len()).filter(|&position| shapes[position].is_free);
                let (position, variable) = match (free.next(), free.next()) {
                    (None, _) => (None, None),
                    (Some(position), None) => match pattern.members[position] {
                        MemberTerm::Variable { variable, .. } if shapes[position].class == class => {
                            (Some(position), Some(variable))
                        }
                        _ => continue,
                    },
                    _ => continue,
                };
                let mut tuple: Vec<u32> = Vec::with_capacity(shapes.len());
                for (term, shape) in pattern.members.iter().zip(shapes) {
                    let value = |variable: VariableId| members[variable.index()];
                    tuple.push(if shape.is_free { 0 } else { term.value(&work.problem.net, value) });
                }
                let mut is_marked = |block: u32| {
                    if let Some(position) = position {
                        tuple[position] = component(block, 0);
                    }
                    found.iter().any(|&motif| has(work.motifs.words(motif), &tuple, pattern.count))
                };
                match variable {
                    None if !is_marked(0) => return None,
                    None => {}
                    Some(variable) => {
                        let blocks: Vec<bool> = (0..block_count).map(is_marked).collect();
                        if !blocks.contains(&true) {
                            return None;
                        }
                        allowed.blocks.push((variable, blocks));
                    }
                }
            }
        }
        Some(allowed)
    }

    /// The motifs at a level below a node, unless there are many.
    fn motifs_below(&mut self, work: &Work<'_>, level: u32, node: NodeId, target: u32) -> Option<Rc<[u32]>> {
        if let Some(known) = self.below.get(&(node, level, target)) {
            return known.clone();
        }
        let mut found: Option<Vec<u32>> = Some(Vec::new());
        for (value, child) in arcs(work.sets, node) {
            let more = match level == target {
                true => Some([value].into()),
                false => self.motifs_below(work, level + 1, child, target),
            };
            found = found.zip(more).map(|(mut found, more)| {
                found.extend_from_slice(&more);
                found.sort_unstable();
                found.dedup();
                found
            });
            found = found.filter(|found| found.len() <= MOST_MOTIFS);
            if found.is_none() {
                break;
            }
        }
        let found: MotifList = found.map(Into::into);
        self.below.insert((node, level, target), found.clone());
        found
    }

    /// The ways to bind the variables of a class, with the motif of the class afterwards.
    fn cut(
        &mut self,
        work: &mut Work<'_>,
        state: u32,
        class: ClassId,
        value: u32,
        allowed: &Allowed,
    ) -> Result<Vec<(u32, u32)>, Interrupted> {
        let Work { problem, motifs, meter, .. } = work;
        let state = self.states[state as usize].clone();
        let instance = &self.instances[state.instance as usize];
        let of_class = |variable: &VariableId| problem.net.variables[variable.index()].class == class;
        let variables: Vec<VariableId> = instance.free.iter().copied().filter(of_class).collect();
        let mut classes = state.classes.clone();
        classes.push(class);
        // Guards that become decided here.
        let is_decided = |guard: &&Guard| {
            let (mut is_decided, mut is_here) = (true, false);
            guard.visit_variables(&mut |variable| {
                let of = problem.net.variables[variable.index()].class;
                is_decided &= !instance.free.contains(&variable) || classes.contains(&of);
                is_here |= of == class;
            });
            is_decided && is_here
        };
        let guards: Vec<Guard> = instance.guards.iter().filter(is_decided).cloned().collect();
        let blocks = motifs.blocks(value);
        let first = state.blocks.len() as u32;
        let mut found = Vec::new();
        let mut open = vec![State { classes, ..state }];
        for &variable in &variables {
            let mut next = Vec::new();
            for state in open {
                meter.step()?;
                for (number, &(block, member)) in state.elements.iter().enumerate() {
                    if block >= first && allowed.has(variable, block - first) {
                        let mut state = state.clone();
                        state.members[variable.index()] = member;
                        state.element_of[variable.index()] = number as u32;
                        next.push(state);
                    }
                }
                for (number, block) in blocks.iter().enumerate() {
                    let number = first + number as u32;
                    let bound = state.elements.iter().filter(|(block, _)| *block == number).count() as u32;
                    if bound < block.size && allowed.has(variable, number - first) {
                        let of = |element: &&(u32, u32)| {
                            element.0 >= first && blocks[(element.0 - first) as usize].of == block.of
                        };
                        let used = state.elements.iter().filter(of).count();
                        let member = problem.shape.statics[block.of as usize].members[used];
                        let mut state = state.clone();
                        state.members[variable.index()] = member;
                        state.element_of[variable.index()] = state.elements.len() as u32;
                        state.elements.push((number, member));
                        next.push(state);
                    }
                }
            }
            open = next;
        }
        for mut state in open {
            let value = |variable: VariableId| state.members[variable.index()];
            if !guards.iter().all(|guard| guard.holds(&problem.net, &value)) {
                continue;
            }
            let mut after: Vec<Block> = Vec::new();
            let mut singles: Vec<Block> = Vec::new();
            for (number, block) in blocks.iter().enumerate() {
                let number = first + number as u32;
                let bound = state.elements.iter().filter(|(block, _)| *block == number).count() as u32;
                match block.size {
                    1 => after.push(*block),
                    size => after.push(Block { of: block.of, size: size - bound }),
                }
                let most = self.alike[class.index()];
                state.blocks.push((block.of, bound + (block.size - bound).min(most)));
            }
            for (block, _) in state.elements.iter().filter(|(block, _)| *block >= first) {
                let block = blocks[(*block - first) as usize];
                if block.size > 1 {
                    singles.push(Block { of: block.of, size: 1 });
                }
            }
            let all = after.into_iter().filter(|block| block.size > 0).chain(singles);
            found.push((motifs.class_motif(all), state));
        }
        Ok(found.into_iter().map(|(value, state)| (value, self.number(state))).collect())
    }

    /// The motif of a place after a firing; `None` if the place does not let the transition fire.
    fn moved_motif(
        &mut self,
        work: &mut Work<'_>,
        state: u32,
        place: u32,
        value: u32,
    ) -> Result<Option<u32>, Interrupted> {
        let Work { problem, motifs, meter, .. } = work;
        let (net, shape) = (&problem.net, &problem.shape);
        let state = &self.states[state as usize];
        let instance = &self.instances[state.instance as usize];
        let blocks: Vec<Block> = state.blocks.iter().map(|&(of, size)| Block { of, size }).collect();
        let class_of = |block: &Block| shape.statics[block.of as usize].class;
        let first_of = |blocks: &[Block], class: ClassId| {
            blocks.iter().position(|block| class_of(block) == class).unwrap_or(0) as u32
        };
        let plan = &self.plans[instance.transition.index()][place as usize];
        let first = |class: ClassId| first_of(&blocks, class);
        if !plan.patterns.iter().all(|pattern| may_hold(problem, state, pattern, motifs.words(value), first))
        {
            return Ok(None);
        }
        let mut tokens = Tokens::default();
        for (mut tuple, count) in motifs.tuples(problem, place, value) {
            for (entry, of) in tuple.iter_mut().zip(shape.components(place)) {
                if of.is_free {
                    *entry = component(block_of(*entry) + first_of(&blocks, of.class), label_of(*entry));
                }
            }
            tokens.push(place, &tuple, count);
        }
        tokens.sort(shape);
        self.binding.members.clone_from(&state.members);
        self.binding.element_of.clone_from(&state.element_of);
        self.binding.elements =
            state.elements.iter().map(|&(block, member)| Element { block, member }).collect();
        let marking = Marking { blocks, tokens };
        if !self.firing.fire(net, shape, plan, &marking, &self.binding, meter)? {
            return Ok(None);
        }
        // Blocks count from 0 in each class again, the rests before the new ones.
        let next = &self.firing.next;
        let mut counts = vec![0; net.classes.len()];
        let mut local = vec![0; next.blocks.len()];
        for (block, local) in next.blocks.iter().zip(&mut local) {
            if block.size > 0 {
                let count = &mut counts[class_of(block).index()];
                *local = *count;
                *count += 1;
            }
        }
        let mut tuples = Vec::new();
        for &head in &next.tokens.heads {
            let mut tuple = next.tokens.tuple(shape, head).to_vec();
            for (entry, of) in tuple.iter_mut().zip(shape.components(place)) {
                if of.is_free {
                    *entry = component(local[block_of(*entry) as usize], label_of(*entry));
                }
            }
            tuples.push((tuple, head.count));
        }
        Ok(Some(motifs.place_motif(tuples)))
    }
}

/// Whether the tuple of a pattern stands in the words of a motif often enough: a quick test before
/// the place fires. Patterns with constants of free classes are not looked at. `first` is the first
/// block of a class.
fn may_hold(
    problem: &Problem,
    state: &State,
    pattern: &Pattern,
    words: &[u32],
    first: impl Fn(ClassId) -> u32,
) -> bool {
    let shapes = problem.shape.components(pattern.place);
    let mut tuple = [0; LARGEST_FACTOR_COUNT];
    for (position, (term, shape)) in pattern.members.iter().zip(shapes).enumerate() {
        let element = |term: &MemberTerm| match term {
            MemberTerm::Variable { variable, .. } => Some(state.element_of[variable.index()]),
            MemberTerm::Constant { .. } => None,
        };
        tuple[position] = match (shape.is_free, element(term)) {
            (false, _) => term.value(&problem.net, |variable| state.members[variable.index()]),
            (true, None) => return true,
            (true, Some(number)) => {
                let is_same = |earlier: &usize| {
                    shapes[*earlier].is_free
                        && shapes[*earlier].class == shape.class
                        && element(&pattern.members[*earlier]) == Some(number)
                };
                let label = match shape.alike {
                    1 => 0,
                    _ => (0..position).find(is_same).unwrap_or(position) as u32,
                };
                component(state.elements[number as usize].0 - first(shape.class), label)
            }
        };
    }
    let tuple = &mut tuple[..shapes.len()];
    normalise_labels(shapes, tuple);
    has(words, tuple, pattern.count)
}

/// Whether a tuple stands in the words of a motif at least so many times.
fn has(words: &[u32], tuple: &[u32], least: u64) -> bool {
    words.chunks_exact(tuple.len() + 2).any(|entry| {
        let (own, count) = entry.split_at(tuple.len());
        own == tuple && (u64::from(count[0]) | u64::from(count[1]) << 32) >= least
    })
}
