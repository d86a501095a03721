//! Numbers that keep their distances and make a weighted sum of differences as small as possible.
//!
//! Both halves of a layered picture are this problem: which layer a node stands in, and how far to
//! the right. The method is the network simplex of Gansner, Koutsofios, North and Vo (IEEE Trans.
//! Software Engineering 1993, section 2): a spanning tree of tight demands, improved by exchanging
//! one of them at a time. Unlike there, cut values are sums of net weights over subtrees,
//! recomputed each time: simple, and quick enough for pictures that a person can still look at.

use symbolon_budget::{Interrupted, Meter};

/// The demand `x[to] - x[from] >= minimum`, where each unit of that difference costs `weight`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) minimum: i64,
    pub(super) weight: i64,
}

/// How many nodes and demands may be looked at while the tree is improved.
const WORK: usize = 24_000_000;

impl Demand {
    fn slack(&self, x: &[i64]) -> i64 {
        x[self.to] - x[self.from] - self.minimum
    }
}

/// The cheapest numbers that meet every demand, the smallest being 0. The demands must not be
/// circular.
///
/// Work is bounded: on a very large problem the answer meets the demands without being the
/// cheapest.
pub(super) fn cheapest(count: usize, demands: &[Demand], meter: &mut Meter) -> Result<Vec<i64>, Interrupted> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let demands = connected(count, demands);
    let mut x = lowest(count + 1, &demands);
    let mut tree = tight_tree(count + 1, &demands, &mut x, meter)?;

    let mut net_weight = vec![0; count + 1];
    for demand in &demands {
        net_weight[demand.from] += demand.weight;
        net_weight[demand.to] -= demand.weight;
    }

    let rounds = (2 * demands.len() + 200).min(WORK / (count + demands.len()) + 100);
    for _ in 0..rounds {
        let walk = Walk::new(count + 1, &demands, &tree);
        // The tree edge whose two sides pull together most.
        let mut sums = net_weight.clone();
        let mut worst: Option<(i64, usize)> = None;
        for &node in walk.order.iter().skip(1).rev() {
            meter.step()?;
            let edge = &demands[tree[walk.edge[node]]];
            let cut = if edge.from == node { sums[node] } else { -sums[node] };
            if cut < worst.map_or(0, |(least, _)| least) {
                worst = Some((cut, node));
            }
            sums[walk.parent[node]] += sums[node];
        }
        let Some((_, child)) = worst else { break };

        // The side below that edge moves until another demand becomes tight.
        let mut below = vec![false; count + 1];
        below[child] = true;
        for &node in walk.order.iter().skip(1) {
            below[node] |= below[walk.parent[node]];
        }
        let leaving = demands[tree[walk.edge[child]]];
        let tail_is_below = leaving.from == child;
        let entering = demands
            .iter()
            .enumerate()
            .filter(|(_, d)| below[d.from] != tail_is_below && below[d.to] == tail_is_below)
            .min_by_key(|(index, d)| (d.slack(&x), *index));
        let Some((entering, demand)) = entering else { break };
        let slack = demand.slack(&x);
        let shift = if tail_is_below { -slack } else { slack };
        for (node, value) in x.iter_mut().enumerate() {
            if below[node] {
                *value += shift;
            }
        }
        tree[walk.edge[child]] = entering;
    }

    x.pop();
    let smallest = x.iter().copied().min().unwrap_or(0);
    Ok(x.into_iter().map(|value| value - smallest).collect())
}

/// The same demands and one more node, which ties the connected parts together and costs nothing.
fn connected(count: usize, demands: &[Demand]) -> Vec<Demand> {
    let mut leader: Vec<usize> = (0..count).collect();
    fn find(leader: &mut [usize], mut node: usize) -> usize {
        while leader[node] != node {
            leader[node] = leader[leader[node]];
            node = leader[node];
        }
        node
    }
    for demand in demands {
        let (a, b) = (find(&mut leader, demand.from), find(&mut leader, demand.to));
        leader[a.max(b)] = a.min(b);
    }
    let ties = (0..count).filter(|&node| leader[node] == node);
    let ties = ties.map(|to| Demand { from: count, to, minimum: 0, weight: 0 });
    demands.iter().copied().chain(ties).collect()
}

/// The smallest numbers that meet every demand (longest paths).
fn lowest(count: usize, demands: &[Demand]) -> Vec<i64> {
    let mut incoming = vec![0; count];
    let mut outgoing = vec![Vec::new(); count];
    for demand in demands {
        incoming[demand.to] += 1;
        outgoing[demand.from].push(demand);
    }
    let mut x = vec![i64::MIN / 4; count];
    let mut ready: Vec<usize> = (0..count).filter(|&node| incoming[node] == 0).collect();
    for &node in &ready {
        x[node] = 0;
    }
    let mut done = 0;
    while let Some(node) = ready.pop() {
        done += 1;
        for demand in &outgoing[node] {
            x[demand.to] = x[demand.to].max(x[node] + demand.minimum);
            incoming[demand.to] -= 1;
            if incoming[demand.to] == 0 {
                ready.push(demand.to);
            }
        }
    }
    assert_eq!(done, count, "demands must not be circular");
    x
}

/// A spanning tree of demands without slack, by index; moves nodes where needed.
fn tight_tree(
    count: usize,
    demands: &[Demand],
    x: &mut [i64],
    meter: &mut Meter,
) -> Result<Vec<usize>, Interrupted> {
    let mut touching = vec![Vec::new(); count];
    for (index, demand) in demands.iter().enumerate() {
        touching[demand.from].push(index);
        touching[demand.to].push(index);
    }
    let mut inside = vec![false; count];
    let mut members = vec![0];
    inside[0] = true;
    let mut tree = Vec::new();
    let mut next = 0;
    loop {
        while next < members.len() {
            for &index in &touching[members[next]] {
                meter.step()?;
                let demand = &demands[index];
                if inside[demand.from] != inside[demand.to] && demand.slack(x) == 0 {
                    let outer = if inside[demand.from] { demand.to } else { demand.from };
                    inside[outer] = true;
                    members.push(outer);
                    tree.push(index);
                }
            }
            next += 1;
        }
        if members.len() == count {
            return Ok(tree);
        }
        let nearest = demands
            .iter()
            .filter(|demand| inside[demand.from] != inside[demand.to])
            .min_by_key(|demand| demand.slack(x));
        let Some(nearest) = nearest else { return Ok(tree) };
        let slack = nearest.slack(x);
        let shift = if inside[nearest.from] { slack } else { -slack };
        for &member in &members {
            x[member] += shift;
        }
        // Every member may have a tight demand now.
        next = 0;
    }
}

/// A walk through the tree from node 0: parents before children.
struct Walk {
    order: Vec<usize>,
    parent: Vec<usize>,
    /// The edge to the parent, by position in the tree.
    edge: Vec<usize>,
}

impl Walk {
    fn new(count: usize, demands: &[Demand], tree: &[usize]) -> Walk {
        let mut start = vec![0_u32; count + 1];
        for &index in tree {
            start[demands[index].from + 1] += 1;
            start[demands[index].to + 1] += 1;
        }
        for node in 0..count {
            start[node + 1] += start[node];
        }
        let mut fill = start.clone();
        let mut touching = vec![0_u32; 2 * tree.len()];
        for (position, &index) in tree.iter().enumerate() {
            for node in [demands[index].from, demands[index].to] {
                touching[fill[node] as usize] = position as u32;
                fill[node] += 1;
            }
        }
        let mut walk =
            Walk { order: Vec::with_capacity(count), parent: vec![usize::MAX; count], edge: vec![0; count] };
        walk.order.push(0);
        walk.parent[0] = 0;
        let mut next = 0;
        while next < walk.order.len() {
            let node = walk.order[next];
            next += 1;
            for &position in &touching[start[node] as usize..start[node + 1] as usize] {
                let demand = &demands[tree[position as usize]];
                let other = if demand.from == node { demand.to } else { demand.from };
                if walk.parent[other] == usize::MAX {
                    walk.parent[other] = node;
                    walk.edge[other] = position as usize;
                    walk.order.push(other);
                }
            }
        }
        walk
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_budget::Budget;
    use symbolon_testkit::{RandomNumbers, seeds};

    fn cost(x: &[i64], demands: &[Demand]) -> i64 {
        demands.iter().map(|d| d.weight * (x[d.to] - x[d.from])).sum()
    }

    /// The least cost over all numbers from 0 to `largest`.
    fn least_cost(count: usize, demands: &[Demand], largest: i64) -> i64 {
        let mut x = vec![0; count];
        let mut least = i64::MAX;
        loop {
            if demands.iter().all(|d| d.slack(&x) >= 0) {
                least = least.min(cost(&x, demands));
            }
            let Some(place) = x.iter().position(|&value| value < largest) else { return least };
            x[..place].fill(0);
            x[place] += 1;
        }
    }

    #[test]
    fn the_answer_is_the_cheapest() {
        for seed in seeds(60) {
            let mut random = RandomNumbers::new(seed);
            let count = random.between(2, 5) as usize;
            let demands: Vec<Demand> = (0..random.between(1, 9))
                .map(|_| {
                    let to = random.between(1, count as u64 - 1) as usize;
                    let from = random.below(to as u64) as usize;
                    Demand { from, to, minimum: random.below(2) as i64, weight: random.below(4) as i64 }
                })
                .collect();
            let x = cheapest(count, &demands, &mut Meter::new(Budget::unlimited())).expect("no limit");
            assert!(demands.iter().all(|d| d.slack(&x) >= 0), "{x:?} {demands:?}");
            assert_eq!(cost(&x, &demands), least_cost(count, &demands, 4), "{x:?} {demands:?}");
        }
    }
}
