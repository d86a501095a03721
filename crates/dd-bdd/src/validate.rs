//! Checks the invariants of a whole manager. Slow; for tests.

use crate::bdd::Bdd;
use crate::node::Edge;
use rustc_hash::FxHashMap;
use symbolon_dd_core::Violation;

impl Bdd {
    /// Checks BDD-K1 to BDD-K7 on everything that is stored.
    pub fn validate(&self) -> Result<(), Violation> {
        let broken = |invariant: &'static str, detail: String| Err(Violation::new(invariant, detail));
        let levels = self.order.variable_at.len() as u32;
        let exists = |edge: Edge| self.store.is_stored(edge.index());

        let mut seen = FxHashMap::default();
        let mut by_level = vec![0; levels as usize];
        for (index, node) in self.store.stored() {
            if node.level == 0 || node.level >= levels {
                return broken("BDD-K1", format!("node {index} stands at level {}", node.level));
            }
            for child in [node.low, node.high] {
                if !exists(child) {
                    return broken("BDD-K4", format!("node {index} has the dead child {child:?}"));
                }
                if self.level(child) >= node.level {
                    return broken(
                        "BDD-K1",
                        format!("node {index} stands no higher than its child {child:?}"),
                    );
                }
            }
            if node.low == node.high || node.high.sign() == 1 {
                return broken("BDD-K2", format!("node {index} is {node:?}"));
            }
            if let Some(twin) = seen.insert((node.level, node.low, node.high), index) {
                return broken("BDD-K3", format!("nodes {index} and {twin} are equal"));
            }
            by_level[node.level as usize] += 1;
        }
        if seen.len() != self.store.live() {
            return broken(
                "BDD-K3",
                format!("{} nodes are stored, {} counted", seen.len(), self.store.live()),
            );
        }
        for (level, table) in self.tables.iter().enumerate() {
            let mut found = 0;
            for index in table.indices(&self.lines) {
                let node = self.store.node_at(index);
                let known = table.probe(
                    &self.lines,
                    &self.store,
                    crate::unique::hash(node.low, node.high),
                    node.low,
                    node.high,
                );
                if node.level as usize != level
                    || !matches!(known, crate::unique::Probe::Found(same) if same == index)
                {
                    return broken(
                        "BDD-K3",
                        format!("the table of level {level} cannot find its node {index}"),
                    );
                }
                found += 1;
            }
            if found != by_level[level] || found != table.len() {
                return broken(
                    "BDD-K3",
                    format!("the table of level {level} has {found} nodes of {}", by_level[level]),
                );
            }
        }
        if let Some(root) = self.roots.nodes().find(|root| !exists(Edge::from_word(root.word()))) {
            return broken("BDD-K4", format!("the root {root:?} is dead"));
        }
        if let Some(id) = self.cache.mentioned_nodes().find(|id| !exists(Edge::from_word(id.word()))) {
            return broken("BDD-K5", format!("the cache mentions the dead node {id:?}"));
        }
        if self.scratch.height() != 0 {
            return broken("BDD-K6", "something lies on the scratch stack between operations".into());
        }
        for (variable, &level) in self.order.level_of.iter().enumerate() {
            if self.order.variable_at.get(level as usize).map(|found| found.index()) != Some(variable) {
                return broken("BDD-K7", format!("variable {variable} does not stand at level {level}"));
            }
        }
        Ok(())
    }
}
