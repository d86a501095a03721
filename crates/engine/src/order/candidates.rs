//! Many orders at once, sorted by what the metrics expect of them.
//!
//! Where a model is small and adds and takes only, the score is [`super::flow_rank`]'s expectation;
//! otherwise the weighted event span. Each order comes in both directions: saturation may do a
//! hundred times the work upside down, with the same final diagram.

use super::flow_rank::FlowRank;
use super::greedy::Ties;
use super::{Heuristic, Interaction, Metrics, Order, OrderName};
use super::{agents, by_index, cells, cuthill_mckee, force, greedy, hub, nupn, search, sloan, sum_of_tops};
use crate::policy::heuristics::{LARGE, MOST_BLOCKS_TO_SEARCH};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
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

/// All orders that are worth a try within `effort`, the most promising first; no order comes twice.
/// There is always at least one. When the time of `budget` is up, what was found so far is
/// returned.
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
    // Who asks for a heuristic by name gets it, however little effort is meant.
    for variant in 1..=workshop.variants_within_effort(name.heuristic).max(1) {
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
        Heuristic::Agents1 | Heuristic::Agents2 | Heuristic::Agents3 | Heuristic::Agents4 => true,
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
    /// What was computed already: heuristics start from one another.
    known: FxHashMap<(Heuristic, u32), Option<Order>>,
    /// Cheap orders, the best first, each in its better direction.
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
            known: FxHashMap::default(),
            starts: None,
        }
    }

    fn assess(&mut self, order: &Order) -> (Metrics, f64) {
        let mut metrics = Metrics::of(self.interaction, order);
        metrics.expected_nodes = self.flow_rank.as_mut().map(|flow_rank| flow_rank.expected_nodes(order));
        (metrics, metrics.expected_nodes.unwrap_or(metrics.weighted_span))
    }

    /// The variants that are tried: fewer, or none, where they are dear.
    fn variants_within_effort(&self, heuristic: Heuristic) -> u32 {
        match (heuristic, self.effort) {
            (Heuristic::Search, Effort::Quick) => 0,
            (Heuristic::Search, Effort::Normal) => 4,
            (Heuristic::Greedy | Heuristic::Force | Heuristic::SumOfTops, _) if self.is_large => 1,
            _ => heuristic.variant_count(),
        }
    }

    /// One variant, from 1 on; `None` where the heuristic declines.
    fn variant(&mut self, heuristic: Heuristic, variant: u32) -> Result<Option<Order>, Interrupted> {
        if let Some(known) = self.known.get(&(heuristic, variant)) {
            return Ok(known.clone());
        }
        let found = self.find_variant(heuristic, variant)?;
        self.known.insert((heuristic, variant), found.clone());
        Ok(found)
    }

    fn find_variant(&mut self, heuristic: Heuristic, variant: u32) -> Result<Option<Order>, Interrupted> {
        let interaction = self.interaction;
        let hypergraph = &interaction.hypergraph;
        if heuristic != Heuristic::AsGiven {
            self.meter.budget().check()?;
        }
        match heuristic {
            Heuristic::AsGiven => Ok(Some(Order::as_given(interaction.block_count()))),
            Heuristic::Greedy => {
                let ties = if variant == 1 { Ties::Newest } else { Ties::Oldest };
                greedy::greedy(hypergraph, ties, &mut self.meter).map(Some)
            }
            Heuristic::Hub => {
                let lines = interaction.lines.as_ref().unwrap_or(hypergraph);
                hub::hub(lines, interaction.block_count(), &mut self.meter).map(Some)
            }
            Heuristic::Force => {
                let start =
                    [Heuristic::Greedy, Heuristic::AsGiven, Heuristic::Hub][(variant as usize - 1) % 3];
                let Some(start) = self.variant(start, 1)? else { return Ok(None) };
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
                let visits = match self.effort {
                    Effort::Quick => 50_000,
                    Effort::Normal => 300_000,
                    Effort::Thorough => 10_000_000,
                };
                sum_of_tops::sift(hypergraph, &start, visits, &mut self.meter).map(Some)
            }
            Heuristic::Agents1 | Heuristic::Agents2 | Heuristic::Agents3 | Heuristic::Agents4 => {
                Ok(agents::agents(interaction))
            }
            Heuristic::Search => self.search(variant),
        }
    }

    /// The `rank`-th best of some cheap orders, from 1 on.
    fn start(&mut self, rank: u32) -> Result<Option<Order>, Interrupted> {
        if self.starts.is_none() {
            let mut scored: Vec<(f64, Order)> = Vec::new();
            for heuristic in [Heuristic::AsGiven, Heuristic::Greedy, Heuristic::Hub, Heuristic::Force] {
                for variant in 1..=self.variants_within_effort(heuristic) {
                    if let Some(order) = self.variant(heuristic, variant)? {
                        let both = [order.reversed(), order].map(|order| (self.assess(&order).1, order));
                        scored.extend(both.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)));
                    }
                }
            }
            scored.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.blocks.cmp(&b.1.blocks)));
            let mut starts: Vec<Order> = scored.into_iter().map(|(_, order)| order).collect();
            starts.dedup();
            self.starts = Some(starts);
        }
        let starts = self.starts.as_deref().unwrap_or_default();
        Ok(starts.get((rank as usize - 1).min(starts.len() - 1)).cloned())
    }

    /// Annealing on the expected nodes from the best cheap orders; each variant has its own seed.
    fn search(&mut self, variant: u32) -> Result<Option<Order>, Interrupted> {
        if self.interaction.block_count() > MOST_BLOCKS_TO_SEARCH || self.flow_rank.is_none() {
            return Ok(None);
        }
        let Some(start) = self.start(1 + variant / 2)? else { return Ok(None) };
        let Some(flow_rank) = &mut self.flow_rank else { return Ok(None) };
        let (most, work) = match self.effort {
            Effort::Quick => (600, 2_500_000),
            Effort::Normal => (1_500, 8_000_000),
            Effort::Thorough => (10_000, 100_000_000),
        };
        let evaluations = (work / flow_rank.work()).min(most) as u32;
        let meter = &mut self.meter;
        let cost = |order: &Order, _: f64| {
            meter.step()?;
            Ok(flow_rank.expected_nodes(order).exp())
        };
        let (order, _) = search::improve_by(&start, evaluations, u64::from(variant), cost)?;
        Ok(Some(order))
    }
}
