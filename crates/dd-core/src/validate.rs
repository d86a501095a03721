//! Checks the invariants of a whole manager. Slow; for tests.

use crate::manager::Manager;
use crate::node::{ESCAPED_TAG, FREE, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// An invariant that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The number of the invariant, such as `K3`.
    pub invariant: &'static str,
    /// What was found.
    pub detail: String,
}

impl Violation {
    /// A violation of `invariant`.
    pub fn new(invariant: &'static str, detail: String) -> Violation {
        Violation { invariant, detail }
    }
}

impl Manager {
    /// All stored nodes, garbage included.
    pub fn stored_nodes(&self) -> Vec<NodeId> {
        self.store
            .slots()
            .filter(|(_, header)| header.kind() != FREE)
            .map(|(offset, _)| NodeId::from_word(offset as u32))
            .collect()
    }

    /// The children of a node, by the shape of its kind.
    pub fn children_of(&self, id: NodeId) -> Vec<NodeId> {
        let header = self.store.header(id);
        let shape = self.shapes[header.kind() as usize - 1];
        let skip = shape.skip as usize + usize::from(header.tag() == ESCAPED_TAG);
        let words = &self.store.words(id)[skip..];
        let is_child = |position: usize| shape.child_mask >> (position % shape.stride as usize) & 1 == 1;
        words
            .iter()
            .enumerate()
            .filter(|(position, _)| is_child(*position))
            .map(|(_, &word)| NodeId::from_word(word))
            .collect()
    }

    /// Checks what holds for every kind: slots tile the arena, children are stored nodes (K4),
    /// equal nodes are one (K3), the unique table knows exactly the stored nodes, and the cache
    /// mentions no dead node (K5).
    pub fn validate(&self) -> Result<(), Violation> {
        let stored = self.stored_nodes();
        let known: FxHashSet<NodeId> = stored.iter().copied().collect();
        let exists = |id: NodeId| id.is_terminal() || known.contains(&id);

        let mut seen = FxHashMap::default();
        for &id in &stored {
            let header = self.store.header(id);
            if header.is_marked() {
                return Err(Violation::new("K4", format!("{id:?} is marked outside a collection")));
            }
            if let Some(twin) = seen.insert((header.identity().0, self.store.words(id)), id) {
                return Err(Violation::new("K3", format!("{id:?} and {twin:?} are equal")));
            }
            for child in self.children_of(id) {
                if !exists(child) {
                    return Err(Violation::new("K4", format!("{id:?} has the dead child {child:?}")));
                }
            }
        }
        if stored.len() != self.store.live_nodes() || stored.len() != self.unique.len() {
            let counts = (stored.len(), self.store.live_nodes(), self.unique.len());
            return Err(Violation::new("K3", format!("stored, counted, in the unique table: {counts:?}")));
        }
        if let Some(root) = self.roots.nodes().find(|&root| !exists(root)) {
            return Err(Violation::new("K4", format!("the root {root:?} is dead")));
        }
        if let Some(id) = self.cache.mentioned_nodes().find(|&id| !exists(id)) {
            return Err(Violation::new("K5", format!("the cache mentions the dead node {id:?}")));
        }
        Ok(())
    }
}
