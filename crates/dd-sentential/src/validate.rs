//! Checks the invariants of a whole manager. Slow; for tests.

use crate::edge::Edge;
use crate::sdd::Sdd;
use rustc_hash::FxHashMap;
use symbolon_dd_core::Violation;

impl Sdd {
    /// Checks SDD-K1 to SDD-K8 on everything that is stored.
    ///
    /// That primes are a partition is checked with the operations themselves, so it takes nodes and
    /// steps.
    pub fn validate(&mut self) -> Result<(), Violation> {
        let broken = |invariant: &'static str, detail: String| Err(Violation::new(invariant, detail));
        let mut seen = FxHashMap::default();
        let stored: Vec<usize> = self.store.stored().collect();
        for &index in &stored {
            let v = self.store.node(index).vtree;
            let elements = self.elements_of(Edge::to(index as u32));
            let node = self.vtree.node(v);
            for &(prime, sub) in &elements {
                for (edge, side) in [(prime, node.left), (sub, node.right)] {
                    if !self.store.is_stored(edge.index()) {
                        return broken("SDD-K7", format!("node {index} has the dead child {edge:?}"));
                    }
                    if !edge.is_constant() && !self.vtree.contains(side, self.place(edge)) {
                        return broken("SDD-K1", format!("node {index} has {edge:?} on the wrong side"));
                    }
                }
            }
            let mut subs: Vec<Edge> = elements.iter().map(|&(_, sub)| sub).collect();
            subs.sort_unstable();
            if subs.windows(2).any(|two| two[0] == two[1]) {
                return broken("SDD-K3", format!("node {index} has equal subs"));
            }
            if elements.len() < 2 || elements.len() == 2 && subs.iter().all(|sub| sub.is_constant()) {
                return broken("SDD-K4", format!("node {index} is {elements:?}"));
            }
            let is_regular = elements.iter().any(|(prime, sub)| prime.is_regular() && sub.is_regular());
            if !is_regular {
                return broken("SDD-K5", format!("node {index} is {elements:?}"));
            }
            if let Some(twin) = seen.insert((v, elements), index) {
                return broken("SDD-K6", format!("nodes {index} and {twin} are equal"));
            }
        }
        if stored.len() != self.store.live() {
            return broken(
                "SDD-K6",
                format!("{} nodes are stored, {} counted", stored.len(), self.store.live()),
            );
        }
        for ((v, elements), index) in &seen {
            let found = match &elements[..] {
                [(_, high), (_, low)] if self.has_two[*v as usize] => self.store.find_two(*v, *high, *low),
                _ => {
                    let elements: Vec<crate::edge::Element> =
                        elements.iter().map(|&(prime, sub)| crate::edge::Element::new(prime, sub)).collect();
                    self.store.find_many(*v, &elements)
                }
            };
            if found != Ok(*index as u32) {
                return broken("SDD-K6", format!("the table finds {found:?} for node {index}"));
            }
        }
        if let Some(root) = self.roots.nodes().find(|root| !self.store.is_stored((root.word() >> 1) as usize))
        {
            return broken("SDD-K7", format!("the root {root:?} is dead"));
        }
        if let Some(id) =
            self.cache.mentioned_nodes().find(|id| !self.store.is_stored((id.word() >> 1) as usize))
        {
            return broken("SDD-K8", format!("the cache mentions the dead node {id:?}"));
        }
        self.validate_partitions(seen)
    }

    fn validate_partitions(
        &mut self,
        nodes: FxHashMap<(u32, Vec<(Edge, Edge)>), usize>,
    ) -> Result<(), Violation> {
        let broken = |index: usize, what: &str| {
            Err(Violation::new("SDD-K2", format!("the primes of node {index} {what}")))
        };
        for ((_, elements), index) in nodes {
            let mut all = Edge::FALSE;
            for &(prime, _) in &elements {
                let (Ok(both), Ok(more)) = (self.and_edges(all, prime), self.or_edges(all, prime)) else {
                    return broken(index, "could not be combined within the budget");
                };
                if prime == Edge::FALSE || both != Edge::FALSE {
                    return broken(index, "overlap, or one is false");
                }
                all = more;
            }
            if all != Edge::TRUE {
                return broken(index, "are not true together");
            }
        }
        Ok(())
    }
}
