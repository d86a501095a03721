//! Roots: nodes kept alive by their owners.

use crate::node::NodeId;
use std::sync::{Arc, Weak};

/// A node that stays alive as long as this value or a clone of it (K4).
///
/// A root does not know its manager; using it with another one is a mistake that
/// [`crate::Manager::validate`] cannot see.
#[derive(Clone, Debug)]
pub struct Root(Arc<NodeId>);

impl Root {
    /// The node.
    #[inline]
    pub fn node(&self) -> NodeId {
        *self.0
    }
}

impl PartialEq for Root {
    fn eq(&self, other: &Root) -> bool {
        self.node() == other.node()
    }
}

impl Eq for Root {}

/// The manager's side: who owns a node. Owners that are gone are forgotten now and then.
#[derive(Debug, Default)]
pub struct RootTable {
    owners: Vec<Weak<NodeId>>,
    next_tidy: usize,
}

impl RootTable {
    /// Keeps a node alive until what comes back and its clones are dropped.
    pub fn add(&mut self, node: NodeId) -> Root {
        if self.owners.len() >= self.next_tidy {
            self.owners.retain(|owner| owner.strong_count() > 0);
            self.next_tidy = 2 * self.owners.len() + 64;
        }
        let root = Arc::new(node);
        self.owners.push(Arc::downgrade(&root));
        Root(root)
    }

    /// The nodes that have an owner.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.owners.iter().filter_map(|owner| owner.upgrade().map(|node| *node))
    }
}
