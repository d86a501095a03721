//! Distances by chaining: events in turn, from everything found so far, until nothing changes.
//!
//! Saturation is faster nearly always; but where its intermediate diagrams explode, chaining may
//! not (Dekker's algorithm is such a case), so both are there.

use crate::edd::Edd;
use crate::edge::Edge;
use symbolon_budget::Interrupted;
use symbolon_dd_mdd::{GroupId, Side};

impl Edd<'_> {
    /// As [`Edd::saturate`] without a bound: the events of one top level after another, from the
    /// lowest up.
    pub fn chain(&mut self, from: Edge) -> Result<Edge, Interrupted> {
        let mut reached = from;
        loop {
            let before = reached;
            for level in 1..=self.mdd.level_count() {
                let group = self.mdd.relation(Side::Events).top_group(level);
                if group == GroupId::NONE {
                    continue;
                }
                let image = self.image_of_group(group, reached)?.plus(1)?;
                reached = self.minimum(reached, image)?;
                // A safe point (K6). The number of a dead `before` could be given to another node:
                // it is kept, too.
                self.outermost(&[reached.node, before.node], |edd| {
                    edd.mdd.manager_mut().collect_if_due();
                    Ok(())
                })?;
            }
            if reached == before {
                return Ok(reached);
            }
        }
    }
}
