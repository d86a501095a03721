//! Exact counting: vectors, and pairs (vector, enabled event).
//!
//! Both work level by level from the bottom, with two levels of numbers alive: a count of 60 000
//! digits a node would not fit otherwise. While numbers are small they are machine integers.

use crate::mdd::Mdd;
use crate::ops::summary::NodesByLevel;
use crate::relation::GroupId;
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

/// The number of pairs (vector, enabled event).
pub type EdgeCount = BigUint;

/// The budget is asked after the level with which this many nodes were counted: a look at the clock
/// costs as much as a narrow level.
pub(super) const NODES_PER_LOOK: usize = 256;

/// A natural number that is a machine word pair as long as it fits.
#[derive(Clone, Debug)]
pub(super) enum Natural {
    Small(u128),
    Large(BigUint),
}

impl Natural {
    pub(super) const ZERO: Natural = Natural::Small(0);

    /// Becomes `other`, in the memory that it has where that suffices.
    pub(super) fn set(&mut self, other: &Natural) {
        match (&mut *self, other) {
            (Natural::Large(mine), Natural::Large(other)) => mine.clone_from(other),
            _ => *self = other.clone(),
        }
    }

    pub(super) fn add(&mut self, other: &Natural) {
        if let (Natural::Small(a), Natural::Small(b)) = (&*self, other)
            && let Some(sum) = a.checked_add(*b)
        {
            *self = Natural::Small(sum);
            return;
        }
        if let Natural::Large(large) = self {
            match other {
                Natural::Small(b) => *large += *b,
                Natural::Large(b) => *large += b,
            }
            return;
        }
        let mut large = other.clone().into_big();
        if let Natural::Small(a) = self
            && *a > 0
        {
            large += *a;
        }
        *self = Natural::Large(large);
    }

    /// Adds `other` a number of times.
    fn add_times(&mut self, other: &Natural, times: u32) {
        match other {
            _ if times == 1 => self.add(other),
            Natural::Small(b) if b.checked_mul(u128::from(times)).is_some() => {
                self.add(&Natural::Small(b * u128::from(times)));
            }
            _ => self.add(&Natural::Large(other.clone().into_big() * times)),
        }
    }

    pub(super) fn into_big(self) -> BigUint {
        match self {
            Natural::Small(a) => BigUint::from(a),
            Natural::Large(a) => a,
        }
    }
}

impl Mdd {
    /// The number of vectors in a set.
    pub fn count(&self, set: NodeId) -> Result<BigUint, Interrupted> {
        let levels = self.nodes_by_level(set);
        self.count_levels(&[set], &levels, || self.manager.meter().budget().check())
    }

    /// The numbers of vectors, added up, of sets whose nodes stand at `level`, without asking the
    /// budget: for telling how far an interrupted operation got. `None` if that would take long.
    pub fn count_small(&self, sets: &[NodeId], level: u32) -> Option<BigUint> {
        const MOST_NODES: usize = 100_000;
        const MOST_LEVELS: u32 = 20_000;
        if level > MOST_LEVELS {
            return None;
        }
        let levels = self.nodes_below(sets, level, MOST_NODES)?;
        self.count_levels(sets, &levels, || Ok(())).ok()
    }

    fn count_levels(
        &self,
        sets: &[NodeId],
        levels: &NodesByLevel,
        check: impl Fn() -> Result<(), Interrupted>,
    ) -> Result<BigUint, Interrupted> {
        let mut vectors = vec![Natural::ZERO; levels.node_count() + 1];
        levels.level(0).iter().for_each(|&one| vectors[levels.number(one)] = Natural::Small(1));
        let mut unseen = 0;
        for (level, nodes) in levels.upwards() {
            unseen += nodes.len();
            if unseen >= NODES_PER_LOOK {
                check()?;
                unseen = 0;
            }
            self.count_level(levels, level, &mut vectors);
        }
        let mut sum = Natural::ZERO;
        let sets = sets.iter().filter(|set| !set.is_empty());
        sets.for_each(|&set| sum.add(&vectors[levels.number(set)]));
        Ok(sum.into_big())
    }

    /// Sets the number of vectors of each node at `level`, from those of the nodes below, which are
    /// then given up.
    fn count_level(&self, levels: &NodesByLevel, level: u32, vectors: &mut [Natural]) {
        for &node in levels.level(level) {
            let mut sum = Natural::ZERO;
            for &word in self.manager.words(node).iter().filter(|&&word| word != 0) {
                sum.add(&vectors[levels.number(NodeId::from_word(word))]);
            }
            vectors[levels.number(node)] = sum;
        }
        give_up(levels, level - 1, vectors);
    }

    /// The number of pairs (vector of `set`, event enabled in it); equal events count separately.
    pub fn count_edges(&mut self, set: NodeId) -> Result<EdgeCount, Interrupted> {
        if set.is_empty() {
            return Ok(BigUint::ZERO);
        }
        self.prepare_guards()?;
        let levels = self.nodes_by_level(set);
        let questions = self.edge_questions(&levels)?;
        let always = self.guards.empty_event_count() as u32;

        let mut vectors = vec![Natural::ZERO; levels.node_count() + 1];
        let mut edges = vectors.clone();
        vectors[levels.number(NodeId::ONE)] = Natural::Small(1);
        edges[levels.number(NodeId::ONE)] = Natural::Small(u128::from(always));
        let mut pairs: FxHashMap<(GroupId, NodeId), Natural> = FxHashMap::default();
        // The pairs of the level at hand, which change places with those of the level below.
        let mut pairs_here: FxHashMap<(GroupId, NodeId), Natural> = FxHashMap::default();
        for level in 1..=self.level_count {
            // How many pairs (vector, event of the group) there are below each pair that is asked
            // for.
            pairs_here.clear();
            for &(group, node) in &questions[level as usize] {
                self.manager.step()?;
                let view = self.view(node);
                let mut sum = Natural::ZERO;
                for offset in 0..view.length {
                    let child = self.nth_child(&view, offset);
                    if child.is_empty() {
                        continue;
                    }
                    let mut add = |rest: GroupId, guards: &crate::Relation| {
                        if guards.level(rest) == 0 {
                            sum.add_times(&vectors[levels.number(child)], guards.multiplicity(rest));
                        } else {
                            sum.add(&pairs[&(rest, child)]);
                        }
                    };
                    if self.guards.level(group) == level {
                        let row = self.guards.row(
                            group,
                            view.tag + offset as u32,
                            &mut self.domains,
                            &mut self.lazy,
                        )?;
                        for position in row.first..row.end {
                            add(self.guards.step_at(position).1, &self.guards);
                        }
                    } else {
                        add(group, &self.guards);
                    }
                }
                pairs_here.insert((group, node), sum);
            }
            let top = self.guards.top_group(level);
            for &node in levels.level(level) {
                let mut sum =
                    if top == GroupId::NONE { Natural::ZERO } else { pairs_here[&(top, node)].clone() };
                for &word in self.manager.words(node).iter().filter(|&&word| word != 0) {
                    sum.add(&edges[levels.number(NodeId::from_word(word))]);
                }
                edges[levels.number(node)] = sum;
            }
            self.count_level(&levels, level, &mut vectors);
            give_up(&levels, level - 1, &mut edges);
            std::mem::swap(&mut pairs, &mut pairs_here);
        }
        Ok(std::mem::replace(&mut edges[levels.number(set)], Natural::ZERO).into_big())
    }

    /// For each level, the pairs (group, node) whose enabled vectors must be counted.
    fn edge_questions(&mut self, levels: &NodesByLevel) -> Result<Vec<Vec<(GroupId, NodeId)>>, Interrupted> {
        let mut questions: Vec<Vec<(GroupId, NodeId)>> = vec![Vec::new(); self.level_count as usize + 1];
        for level in (1..questions.len()).rev() {
            let top = self.guards.top_group(level as u32);
            if top != GroupId::NONE {
                questions[level].extend(levels.level(level as u32).iter().map(|&node| (top, node)));
            }
            questions[level].sort_unstable();
            questions[level].dedup();
            let (below, here) = questions.split_at_mut(level);
            let below = &mut below[level - 1];
            let mut tidy_at = 1 << 12;
            for &(group, node) in &here[0] {
                self.manager.step()?;
                let view = self.view(node);
                for offset in 0..view.length {
                    let child = self.nth_child(&view, offset);
                    if child.is_empty() {
                        continue;
                    }
                    if self.guards.level(group) == level as u32 {
                        let row = self.guards.row(
                            group,
                            view.tag + offset as u32,
                            &mut self.domains,
                            &mut self.lazy,
                        )?;
                        for position in row.first..row.end {
                            let rest = self.guards.step_at(position).1;
                            if self.guards.level(rest) > 0 {
                                below.push((rest, child));
                            }
                        }
                    } else {
                        below.push((group, child));
                    }
                }
                if below.len() > tidy_at {
                    below.sort_unstable();
                    below.dedup();
                    tidy_at = 2 * below.len() + (1 << 12);
                }
            }
        }
        Ok(questions)
    }
}

/// Forgets the numbers of the nodes at `level`.
fn give_up(levels: &NodesByLevel, level: u32, numbers: &mut [Natural]) {
    levels.level(level).iter().for_each(|&node| numbers[levels.number(node)] = Natural::ZERO);
}
