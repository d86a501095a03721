//! Many orders at once, sorted by what the metrics expect of them.
//!
//! Where a model is small and adds and takes only, the score is [`super::flow_rank`]'s expectation;
//! otherwise the weighted event span. Each order comes in both directions: saturation may do a
//! hundred times the work upside down, with the same final diagram.

use super::flow_rank::FlowRank;
use super::greedy::Ties;
use super::{Heuristic, Interaction, Metrics, Order, OrderName};
use super::{by_index, cells, cuthill_mckee, force, greedy, hub, nupn, search, sloan, sum_of_tops};
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::hash::BuildHasher;
use symbolon_budget::{Budget, Interrupted, Meter};

/// How much work to spend on finding orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// Milliseconds for small models.
    Quick,
    /// Tens of milliseconds for small models.
    Normal,
    /// Up to a second for small models.
    Thorough,
}

/// An order, where it comes from and how good it looks.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// How [`compute`] finds it again.
    pub name: OrderName,
    /// The order.
    pub order: Order,
    /// Its metrics.
    pub metrics: Metrics,
    /// What candidates are sorted by, smaller first; comparable only within one interaction.
    pub score: f64,
}

/// From so many arcs on, only the fastest heuristics run.
const LARGE: usize = 300_000;

/// Up to so many blocks, annealing is worth its while.
const MOST_BLOCKS_TO_SEARCH: usize = 48;

/// Visits of events that sifting may spend.
const SIFTING_EFFORT: u64 = 2_000_000;

/// All orders that are worth a try within `effort`, the most promising first; no order comes twice.
/// There is always at least one. When the time of `budget` is up, what was found so far is returned.
pub fn candidates(
    interaction: &Interaction,
    effort: Effort,
    budget: &Budget,
) -> Result<Vec<Candidate>, Interrupted> {
    let mut workshop = Workshop::new(interaction, effort, budget);
    let mut found: Vec<Candidate> = Vec::new();
    // Orders may be long; their hashes are enough to leave out repetitions.
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    for heuristic in Heuristic::all() {
        if workshop.is_large && !is_fast(heuristic, effort) {
            continue;
        }
        for variant in 1..=workshop.variants_within_effort(heuristic) {
            let order = match workshop.variant(heuristic, variant) {
                Ok(Some(order)) => order,
                Ok(None) => continue,
                Err(Interrupted::Timeout | Interrupted::Steps) if !found.is_empty() => break,
                Err(stop) => return Err(stop),
            };
            let variant = (heuristic.variant_count() > 1).then_some(variant);
            let name = OrderName { heuristic, variant, is_reversed: false };
            for (name, order) in [(name.reversed(), order.reversed()), (name, order)] {
                if seen.insert(FxBuildHasher.hash_one(&order)) {
                    let (metrics, score) = workshop.assess(&order);
                    found.push(Candidate { name, order, metrics, score });
                }
            }
        }
    }
    found.sort_by(|a, b| a.score.total_cmp(&b.score).then(a.name.cmp(&b.name)));
    Ok(found)
}

/// The order called `name`; `None` if that heuristic declines this model: too large for it, or
/// without the components, invariants or indices that it stands on.
pub fn compute(
    interaction: &Interaction,
    name: OrderName,
    effort: Effort,
    budget: &Budget,
) -> Result<Option<Order>, Interrupted> {
    let mut workshop = Workshop::new(interaction, effort, budget);
    let direct = |order: Order| if name.is_reversed { order.reversed() } else { order };
    if let Some(variant) = name.variant {
        return Ok(workshop.variant(name.heuristic, variant)?.map(direct));
    }
    let mut best: Option<(f64, Order)> = None;
    for variant in 1..=workshop.variants_within_effort(name.heuristic) {
        if let Some(order) = workshop.variant(name.heuristic, variant)? {
            let (_, score) = workshop.assess(&order);
            if best.as_ref().is_none_or(|(least, _)| score < *least) {
                best = Some((score, order));
            }
        }
    }
    Ok(best.map(|(_, order)| direct(order)))
}

/// Whether the heuristic is run on large models, too.
fn is_fast(heuristic: Heuristic, effort: Effort) -> bool {
    match heuristic {
        Heuristic::AsGiven | Heuristic::ByIndex | Heuristic::Greedy | Heuristic::Hub => true,
        Heuristic::Force | Heuristic::SloanBipartite => effort > Effort::Quick,
        _ => effort == Effort::Thorough,
    }
}

/// What the heuristics share while one interaction is worked on.
struct Workshop<'i, 'm> {
    interaction: &'i Interaction<'m>,
    effort: Effort,
    is_large: bool,
    meter: Meter,
    flow_rank: Option<FlowRank>,
    /// Orders that others start from.
    greedy: Option<Order>,
    hub: Option<Order>,
    starts: Option<Vec<Order>>,
}

impl<'i, 'm> Workshop<'i, 'm> {
    fn new(interaction: &'i Interaction<'m>, effort: Effort, budget: &Budget) -> Self {
        Workshop {
            interaction,
            effort,
            is_large: interaction.hypergraph.supports.item_count() > LARGE,
            meter: Meter::new(budget.clone()),
            flow_rank: FlowRank::new(interaction),
            greedy: None,
            hub: None,
            starts: None,
        }
    }

    fn assess(&mut self, order: &Order) -> (Metrics, f64) {
        let mut metrics = Metrics::of(self.interaction, order);
        metrics.expected_nodes = self.flow_rank.as_mut().map(|flow_rank| flow_rank.expected_nodes(order));
        (metrics, metrics.expected_nodes.unwrap_or(metrics.weighted_span))
    }

    /// The variants that are tried: fewer where they are dear.
    fn variants_within_effort(&self, heuristic: Heuristic) -> u32 {
        match (heuristic, self.effort) {
            (Heuristic::Search, Effort::Quick) => 2,
            (Heuristic::Search, Effort::Normal) => 4,
            (Heuristic::Greedy | Heuristic::Force, _) if self.is_large => 1,
            _ => heuristic.variant_count(),
        }
    }

    fn greedy(&mut self) -> Result<Order, Interrupted> {
        if self.greedy.is_none() {
            let hypergraph = &self.interaction.hypergraph;
            self.greedy = Some(greedy::greedy(hypergraph, Ties::Newest, &mut self.meter)?);
        }
        Ok(self.greedy.clone().unwrap_or_else(|| Order::as_given(self.interaction.block_count())))
    }

    fn hub(&mut self) -> Result<Order, Interrupted> {
        if self.hub.is_none() {
            self.hub = Some(hub::hub(&self.interaction.hypergraph, &mut self.meter)?);
        }
        Ok(self.hub.clone().unwrap_or_else(|| Order::as_given(self.interaction.block_count())))
    }

    /// One variant, from 1 on; `None` where the heuristic declines.
    fn variant(&mut self, heuristic: Heuristic, variant: u32) -> Result<Option<Order>, Interrupted> {
        let interaction = self.interaction;
        let hypergraph = &interaction.hypergraph;
        let as_given = || Order::as_given(interaction.block_count());
        if heuristic != Heuristic::AsGiven {
            self.meter.budget().check()?;
        }
        match heuristic {
            Heuristic::AsGiven => Ok(Some(as_given())),
            Heuristic::Greedy => match variant {
                1 => self.greedy().map(Some),
                _ => greedy::greedy(hypergraph, Ties::Oldest, &mut self.meter).map(Some),
            },
            Heuristic::Hub => self.hub().map(Some),
            Heuristic::Force => {
                let start = match variant {
                    1 => self.greedy()?,
                    2 => as_given(),
                    _ => self.hub()?,
                };
                let rounds = if self.is_large { 8 } else { 200 };
                force::force(hypergraph, &start, rounds, &mut self.meter).map(Some)
            }
            Heuristic::Sloan => sloan::sloan(hypergraph, &mut self.meter),
            Heuristic::SloanBipartite => sloan::sloan_bipartite(hypergraph, &mut self.meter).map(Some),
            Heuristic::CuthillMcKee => cuthill_mckee::cuthill_mckee(hypergraph, &mut self.meter),
            Heuristic::Nupn => nupn::nupn(interaction, &mut self.meter),
            Heuristic::Cells => cells::invariant_cells(interaction, &mut self.meter),
            Heuristic::IndexCells => cells::index_cells(interaction, &mut self.meter),
            Heuristic::ByIndex => Ok(by_index::by_index(interaction)),
            Heuristic::SumOfTops => {
                let Some(start) = self.start(variant)? else { return Ok(None) };
                sum_of_tops::sift(hypergraph, &start, SIFTING_EFFORT, &mut self.meter).map(Some)
            }
            Heuristic::Search => self.search(variant),
        }
    }

    /// The `rank`-th best of some cheap orders, in the better direction each, from 1 on.
    fn start(&mut self, rank: u32) -> Result<Option<Order>, Interrupted> {
        if self.starts.is_none() {
            let mut scored: Vec<(f64, Order)> = Vec::new();
            for heuristic in [Heuristic::AsGiven, Heuristic::Greedy, Heuristic::Hub, Heuristic::Force] {
                for variant in 1..=self.variants_within_effort(heuristic) {
                    if let Some(order) = self.variant(heuristic, variant)? {
                        for order in [order.reversed(), order] {
                            scored.push((self.assess(&order).1, order));
                        }
                    }
                }
            }
            scored.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.blocks.cmp(&b.1.blocks)));
            let mut starts: Vec<Order> = scored.into_iter().map(|(_, order)| order).collect();
            starts.dedup();
            self.starts = Some(starts);
        }
        Ok(self.starts.as_ref().and_then(|starts| starts.get(rank as usize - 1)).cloned())
    }

    /// Annealing on the expected nodes from the best cheap order; each variant has its own seed.
    fn search(&mut self, variant: u32) -> Result<Option<Order>, Interrupted> {
        if self.interaction.block_count() > MOST_BLOCKS_TO_SEARCH || self.flow_rank.is_none() {
            return Ok(None);
        }
        let Some(start) = self.start(1 + variant / 2)? else { return Ok(None) };
        let Some(flow_rank) = &mut self.flow_rank else { return Ok(None) };
        let evaluations = match self.effort {
            Effort::Quick => 400,
            Effort::Normal => 1_500,
            Effort::Thorough => 8_000,
        };
        let meter = &mut self.meter;
        let cost = |order: &Order, _: f64| {
            meter.step()?;
            Ok(flow_rank.expected_nodes(order).exp())
        };
        let (order, _) = search::improve_by(&start, evaluations, u64::from(variant), cost)?;
        Ok(Some(order))
    }
}
