//! Relations as conjunctions of clusters, with early quantification.
//!
//! A synchronous step is a conjunction of many small parts: what each agent may choose, how each
//! variable changes. Their product is often far too large, so it is never built. The parts are
//! merged into clusters of bounded size, and an image takes in one cluster after the other,
//! quantifying each variable right after the last cluster that speaks of it. Neither extreme is
//! good: in a trial before this kernel, 2000 to 5000 nodes a cluster were best, and no clusters at
//! all were worst by an order of magnitude.
//!
//! Variables that are quantified in both directions, such as the actions that agents choose, are
//! taken out of the relation beforehand wherever that keeps it small.
//!
//! Once all reachable states are known, a relation need only be right for steps between them
//! ([`Partition::simplified`]). Backwards that is worth much: what leads to a set of states from
//! anywhere is a far larger function than what leads there from reachable states.

use crate::Root;
use crate::functions::{Functions, Variable};
use rustc_hash::FxHashSet;
use symbolon_budget::Interrupted;

/// What a relation between states is made of.
#[derive(Clone, Copy, Debug)]
pub struct Relation<'a> {
    /// Its conjuncts.
    pub parts: &'a [Root],
    /// Each current variable with its primed twin. Best neighbours, and kept so where variables
    /// move.
    pub twins: &'a [(Variable, Variable)],
    /// Variables that belong to neither state, such as actions.
    pub choices: &'a [Variable],
    /// The most nodes of a cluster, unless a part alone has more.
    pub cluster_nodes: usize,
}

/// A relation ready for images and preimages.
#[derive(Clone, Debug)]
pub struct Partition<F: Functions> {
    clusters: Vec<Root>,
    forwards: Schedule<F>,
    backwards: Schedule<F>,
    /// Backwards, in the order of images.
    between: Schedule<F>,
    to_current: F::Renaming,
    to_primed: F::Renaming,
    quantified: Quantified,
}

/// The variables that leave in a step.
#[derive(Clone, Debug)]
struct Quantified {
    forwards: FxHashSet<Variable>,
    backwards: FxHashSet<Variable>,
}

/// In which order clusters are taken in, and what is quantified with each.
type Schedule<F> = Vec<(usize, <F as Functions>::Set)>;

/// A conjunct and the variables that it depends on.
#[derive(Clone, Debug)]
struct Part {
    function: Root,
    support: FxHashSet<Variable>,
}

impl<F: Functions> Partition<F> {
    /// Arranges a relation. Work on small diagrams, linear in their number but for the choice of an
    /// order.
    pub fn new(functions: &mut F, relation: &Relation) -> Result<Partition<F>, Interrupted> {
        let mut parts: Vec<Part> =
            relation.parts.iter().map(|part| Part::new(functions, part.clone())).collect();
        let choices = take_out_choices(functions, &mut parts, relation.choices, relation.cluster_nodes)?;
        let with_choices =
            |states: Vec<Variable>| states.into_iter().chain(choices.iter().copied()).collect();
        let quantified = Quantified {
            forwards: with_choices(relation.twins.iter().map(|&(current, _)| current).collect()),
            backwards: with_choices(relation.twins.iter().map(|&(_, primed)| primed).collect()),
        };
        let (primed, current): (Vec<_>, Vec<_>) =
            relation.twins.iter().map(|&(current, primed)| ((current, primed), (primed, current))).unzip();
        let order = arrange(&parts, &quantified.forwards);
        let clusters = merge(functions, &parts, order, relation.cluster_nodes)?;
        let renamings = (functions.known_renaming(&current), functions.known_renaming(&primed));
        Ok(Partition::of_clusters(functions, clusters, quantified, renamings))
    }

    fn of_clusters(
        functions: &mut F,
        clusters: Vec<Part>,
        quantified: Quantified,
        (to_current, to_primed): (F::Renaming, F::Renaming),
    ) -> Partition<F> {
        let backwards = arrange(&clusters, &quantified.backwards);
        Partition {
            forwards: schedule(functions, &clusters, (0..clusters.len()).collect(), &quantified.forwards),
            backwards: schedule(functions, &clusters, backwards, &quantified.backwards),
            between: schedule(functions, &clusters, (0..clusters.len()).collect(), &quantified.backwards),
            clusters: clusters.into_iter().map(|cluster| cluster.function).collect(),
            to_current,
            to_primed,
            quantified,
        }
    }

    /// The same steps from states of `care` to states of `care`, and any others: often a far
    /// smaller relation, with clusters of at most `cluster_nodes` nodes. Its clusters are arranged
    /// for preimages.
    pub fn simplified(
        &self,
        functions: &mut F,
        care: &Root,
        cluster_nodes: usize,
    ) -> Result<Partition<F>, Interrupted> {
        let care_after = functions.rename(care, self.to_primed)?;
        let mut parts = Vec::with_capacity(self.clusters.len());
        for cluster in &self.clusters {
            let simpler = functions.simplify(cluster, care)?;
            let simpler = functions.simplify(&simpler, &care_after)?;
            parts.push(Part::new(functions, simpler));
        }
        // What is smaller now may let more choices go.
        let mut quantified = self.quantified.clone();
        let mut choices: Vec<Variable> =
            quantified.forwards.intersection(&quantified.backwards).copied().collect();
        choices.sort_unstable();
        let left = take_out_choices(functions, &mut parts, &choices, cluster_nodes)?;
        for gone in choices.iter().filter(|choice| !left.contains(choice)) {
            quantified.forwards.remove(gone);
            quantified.backwards.remove(gone);
        }
        let order = arrange(&parts, &quantified.backwards);
        let clusters = merge(functions, &parts, order, cluster_nodes)?;
        Ok(Partition::of_clusters(functions, clusters, quantified, (self.to_current, self.to_primed)))
    }

    /// The clusters, in the order in which images take them in.
    pub fn clusters(&self) -> &[Root] {
        &self.clusters
    }

    /// The states that one step leads to from states of `from`.
    pub fn image(&self, functions: &mut F, from: &Root) -> Result<Root, Interrupted> {
        let mut answer = from.clone();
        let (&(last, last_set), others) = self.forwards.split_last().expect("there is a cluster");
        for &(cluster, set) in others {
            answer = functions.and_exists(&answer, &self.clusters[cluster], set)?;
        }
        functions.image(&answer, &self.clusters[last], last_set, self.to_current)
    }

    /// The states from which one step leads to a state of `target`.
    pub fn preimage(&self, functions: &mut F, target: &Root) -> Result<Root, Interrupted> {
        let (&(first, first_set), others) = self.backwards.split_first().expect("there is a cluster");
        let mut answer = functions.preimage(target, &self.clusters[first], first_set, self.to_primed)?;
        for &(cluster, set) in others {
            answer = functions.and_exists(&answer, &self.clusters[cluster], set)?;
        }
        Ok(answer)
    }

    /// The states of `within` from which one step leads to where `after` holds, a function of
    /// primed variables. For a single state after the step: both ends are known so well that
    /// clusters can be taken in as images take them.
    pub fn preimage_within(
        &self,
        functions: &mut F,
        within: &Root,
        after: &Root,
    ) -> Result<Root, Interrupted> {
        let mut answer = functions.and(within, after)?;
        for &(cluster, set) in &self.between {
            answer = functions.and_exists(&answer, &self.clusters[cluster], set)?;
        }
        Ok(answer)
    }
}

impl Part {
    fn new<F: Functions>(functions: &F, function: Root) -> Part {
        let support = functions.support(&function).into_iter().collect();
        Part { function, support }
    }
}

/// The conjunction of parts in this order, as clusters of neighbours that stay within `most_nodes`;
/// at least one.
fn merge<F: Functions>(
    functions: &mut F,
    parts: &[Part],
    order: Vec<usize>,
    most_nodes: usize,
) -> Result<Vec<Part>, Interrupted> {
    let mut clusters: Vec<Part> = Vec::new();
    for place in order {
        let part = &parts[place];
        if let Some(last) = clusters.last_mut()
            && let Some(merged) = functions.and_within(&last.function, &part.function, most_nodes)?
        {
            last.function = merged;
            last.support.extend(&part.support);
        } else {
            clusters.push(part.clone());
        }
    }
    if clusters.is_empty() {
        let everything = functions.constant(true);
        clusters.push(Part::new(functions, everything));
    }
    Ok(clusters)
}

/// Quantifies choices inside the relation where the conjunction of the parts that speak of one
/// stays within `most_nodes`. Gives back the choices that are left.
fn take_out_choices<F: Functions>(
    functions: &mut F,
    parts: &mut Vec<Part>,
    choices: &[Variable],
    most_nodes: usize,
) -> Result<Vec<Variable>, Interrupted> {
    let mut left = Vec::new();
    let mut waiting = choices.to_vec();
    while !waiting.is_empty() {
        // The one that the fewest parts speak of, the first of equals.
        let users = |choice: &Variable| parts.iter().filter(|part| part.support.contains(choice)).count();
        let next = (0..waiting.len()).min_by_key(|&place| users(&waiting[place])).expect("one is waiting");
        let choice = waiting.remove(next);
        let (with, without): (Vec<Part>, Vec<Part>) =
            std::mem::take(parts).into_iter().partition(|part| part.support.contains(&choice));
        *parts = without;
        match conjoin_without(functions, &with, choice, most_nodes)? {
            Some(None) => {}
            Some(Some(merged)) => parts.push(Part::new(functions, merged)),
            None => {
                parts.extend(with);
                left.push(choice);
            }
        }
    }
    Ok(left)
}

/// The conjunction of parts without a variable, if it is small; it is nothing if there are no
/// parts.
fn conjoin_without<F: Functions>(
    functions: &mut F,
    parts: &[Part],
    variable: Variable,
    most_nodes: usize,
) -> Result<Option<Option<Root>>, Interrupted> {
    let set = functions.known_set(&[variable]);
    let Some((last, others)) = parts.split_last() else {
        return Ok(Some(None));
    };
    let mut so_far = functions.constant(true);
    for part in others {
        match functions.and_within(&so_far, &part.function, most_nodes)? {
            Some(merged) => so_far = merged,
            None => return Ok(None),
        }
    }
    let merged = functions.and_exists_within(&so_far, &last.function, set, most_nodes)?;
    Ok(merged.map(Some))
}

/// An order of parts in which variables that are quantified leave early and others enter late.
fn arrange(parts: &[Part], quantified: &FxHashSet<Variable>) -> Vec<usize> {
    let mut order = Vec::with_capacity(parts.len());
    let mut waiting: Vec<usize> = (0..parts.len()).collect();
    let mut entered: FxHashSet<Variable> = FxHashSet::default();
    let mut users: rustc_hash::FxHashMap<Variable, usize> = rustc_hash::FxHashMap::default();
    for variable in parts.iter().flat_map(|part| &part.support) {
        *users.entry(*variable).or_default() += 1;
    }
    while !waiting.is_empty() {
        let gain = |part: &Part| -> i64 {
            let worth = |variable: &Variable| match quantified.contains(variable) {
                true => i64::from(users[variable] == 1),
                false => -i64::from(!entered.contains(variable)),
            };
            part.support.iter().map(worth).sum()
        };
        // The best, the first of equals.
        let place = (0..waiting.len())
            .max_by_key(|&place| (gain(&parts[waiting[place]]), std::cmp::Reverse(place)))
            .expect("one is waiting");
        let next = waiting.remove(place);
        for variable in &parts[next].support {
            *users.get_mut(variable).expect("counted") -= 1;
            entered.insert(*variable);
        }
        order.push(next);
    }
    order
}

/// Each variable is quantified with the last cluster that speaks of it, one that none speaks of
/// with the first.
fn schedule<F: Functions>(
    functions: &mut F,
    clusters: &[Part],
    order: Vec<usize>,
    quantified: &FxHashSet<Variable>,
) -> Schedule<F> {
    let mut sets: Vec<Vec<Variable>> = vec![Vec::new(); order.len()];
    for &variable in quantified {
        let speaks = |&cluster: &usize| clusters[cluster].support.contains(&variable);
        sets[order.iter().rposition(speaks).unwrap_or(0)].push(variable);
    }
    order.into_iter().zip(sets).map(|(cluster, set)| (cluster, functions.known_set(&set))).collect()
}
