//! How good an order looks, without building a diagram.
//!
//! Spans predict the size of the final diagram, tops the work of saturation: an event is fired from
//! its top level downward, so low tops mean small pieces. The metrics of Siminiceanu and Ciardo
//! (New metrics for static variable ordering in decision diagrams, TACAS 2006) combine both. For
//! small nets [`super::flow_rank`] predicts node counts from linear algebra, which is far sharper.

use super::hypergraph::Hypergraph;
use super::{Interaction, Order};

/// What the metrics say of one order. Smaller is better in each. Levels count from 1 at the bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metrics {
    /// The sum over all events of top level − bottom level.
    pub span: u64,
    /// The sum over all events of the top level.
    pub tops: u64,
    /// The sum over all events of the square of the top level.
    pub tops_squared: u128,
    /// The mean span of an event, as a share of all levels (normalised event span).
    pub normalised_span: f64,
    /// The same, each event weighted with twice its top level as a share of all levels (weighted
    /// event span).
    pub weighted_span: f64,
    /// The natural logarithm of the nodes that linear algebra expects; absent where that would cost
    /// too much to compute.
    pub expected_nodes: Option<f64>,
}

impl Metrics {
    /// The metrics of `order` that are cheap: one pass over all events.
    pub fn of(interaction: &Interaction, order: &Order) -> Self {
        let levels = order.levels();
        let mut metrics = Metrics {
            span: 0,
            tops: 0,
            tops_squared: 0,
            normalised_span: 0.0,
            weighted_span: 0.0,
            expected_nodes: None,
        };
        let level_count = levels.len() as f64;
        let mut event_count = 0.0;
        for (support, weight) in interaction.supports() {
            let (top, bottom) = top_and_bottom(support, &levels);
            let (span, weight) = (u64::from(top - bottom), u64::from(weight));
            metrics.span += span * weight;
            metrics.tops += u64::from(top) * weight;
            metrics.tops_squared += u128::from(top) * u128::from(top) * u128::from(weight);
            metrics.normalised_span += (span * weight) as f64;
            metrics.weighted_span += (span * weight) as f64 * 2.0 * f64::from(top) / level_count;
            event_count += weight as f64;
        }
        if event_count > 0.0 {
            metrics.normalised_span /= event_count * level_count;
            metrics.weighted_span /= event_count * level_count;
        }
        metrics
    }
}

/// The largest and the smallest of the levels of `support`, which is not empty.
fn top_and_bottom(support: &[u32], levels: &[u32]) -> (u32, u32) {
    let mut ends = (0, u32::MAX);
    for &block in support {
        let level = levels[block as usize];
        ends = (ends.0.max(level), ends.1.min(level));
    }
    ends
}

/// The sum of spans alone.
pub(super) fn span(hypergraph: &Hypergraph, order: &Order) -> u64 {
    let levels = order.levels();
    let spans = hypergraph.weighted_supports().map(|(support, weight)| {
        let (top, bottom) = top_and_bottom(support, &levels);
        u64::from(top - bottom) * u64::from(weight)
    });
    spans.sum()
}
