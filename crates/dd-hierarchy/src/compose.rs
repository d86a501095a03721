//! Nodes taken apart and put together, for operations that are written outside the kernel.
//!
//! Nothing here collects garbage, so that the caller may hold nodes without rooting them, until
//! something else is called that collects ([`Hierarchy::closure`], [`Hierarchy::image`],
//! [`Hierarchy::apply`]).

use crate::hierarchy::Hierarchy;
use crate::listing::Label;
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

impl Hierarchy {
    /// The arcs of a node, in their order; none for terminals.
    pub fn arcs(&self, node: NodeId) -> Vec<(Label, NodeId)> {
        self.listed(node).arcs
    }

    /// The sequences that begin with one of these values and go on in the set beside it. Values
    /// that have arcs in some node must come in the order of its arcs; sets may be empty. The
    /// variable is 0.
    pub fn from_values(&mut self, arcs: &[(u64, NodeId)]) -> Result<NodeId, Interrupted> {
        let mut codes = Vec::with_capacity(arcs.len());
        for &(value, _) in arcs {
            codes.push(self.values.code(value)?);
        }
        self.outermost(&[], |hierarchy| {
            let frame = hierarchy.open_frame();
            for (&code, &(_, rest)) in codes.iter().zip(arcs) {
                hierarchy.append(code, rest);
            }
            hierarchy.close_frame(frame, 0)
        })
    }

    /// The same for values in any order, which may repeat: what goes on behind equal values is
    /// united.
    pub fn from_any_values(&mut self, arcs: &[(u64, NodeId)]) -> Result<NodeId, Interrupted> {
        let mut sorted = Vec::with_capacity(arcs.len());
        for &(value, rest) in arcs {
            sorted.push((self.values.code(value)?, rest));
        }
        sorted.sort_unstable();
        self.outermost(&[], |hierarchy| {
            let mut joined: Vec<(u32, NodeId)> = Vec::with_capacity(sorted.len());
            for (code, rest) in sorted {
                match joined.last_mut() {
                    Some(last) if last.0 == code => last.1 = hierarchy.unite(last.1, rest)?,
                    _ => joined.push((code, rest)),
                }
            }
            let frame = hierarchy.open_frame();
            for (code, rest) in joined {
                hierarchy.append(code, rest);
            }
            hierarchy.close_frame(frame, 0)
        })
    }

    /// The sequences that begin with a component of one of these sets and go on in the set beside
    /// it. Sets may be empty, and may meet.
    pub fn from_components(&mut self, arcs: &[(NodeId, NodeId)]) -> Result<NodeId, Interrupted> {
        self.outermost(&[], |hierarchy| {
            let mark = hierarchy.manager.scratch.height();
            for &(label, rest) in arcs.iter().filter(|(label, rest)| !label.is_empty() && !rest.is_empty()) {
                hierarchy.push_arc(label, rest);
            }
            hierarchy.canonical_set(mark)
        })
    }
}
