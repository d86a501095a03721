//! Which values occur at which place of a set.
//!
//! Components that look alike are looked at once: what occurs in a component depends on its shape
//! and on the labels that stand there, not on where it stands, so the second of two equal ones is
//! copied from the first.

use crate::sets::core::Analysed;
use crate::sets::encoding::Encoding;
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_dd_hierarchy::{Hierarchy, Label, ListedNode, NodeId, ShapeId, Slot};

/// The smallest and the largest value of each variable in a set.
pub(super) fn analyse(
    kernel: &mut Hierarchy,
    encoding: &Encoding,
    shape: ShapeId,
    set: NodeId,
) -> Result<Analysed, Interrupted> {
    let level_count = encoding.level_count();
    let mut survey = Survey {
        nodes: kernel.listing(set).into_iter().map(|listed| (listed.node, listed)).collect(),
        kernel,
        sets: Vec::new(),
        ids: FxHashMap::default(),
        at: vec![0; level_count],
        seen: FxHashMap::default(),
    };
    survey.sequence(shape, vec![set], 0)?;

    let variable_count = encoding.variable_count();
    let mut analysed =
        Analysed { largest: vec![0; variable_count], smallest: vec![u64::MAX; variable_count] };
    for (place, &id) in survey.at.iter().enumerate() {
        let values = &survey.sets[id as usize];
        match encoding.variables((level_count - place) as u32) {
            [variable] => {
                analysed.smallest[variable.index()] = values.first().copied().unwrap_or(u64::MAX);
                analysed.largest[variable.index()] = values.last().copied().unwrap_or(0);
            }
            several => {
                for (position, variable) in several.iter().enumerate() {
                    let occurs = values.binary_search(&(position as u64 + 1)).is_ok();
                    let others = values.len() > usize::from(occurs);
                    analysed.largest[variable.index()] = u64::from(occurs);
                    analysed.smallest[variable.index()] = u64::from(!others);
                }
            }
        }
    }
    analysed.largest.truncate(encoding.state_width());
    analysed.smallest.truncate(encoding.state_width());
    Ok(analysed)
}

struct Survey<'k> {
    kernel: &'k mut Hierarchy,
    nodes: FxHashMap<NodeId, ListedNode>,
    /// The distinct sets of values that were met, each ascending.
    sets: Vec<Vec<u64>>,
    ids: FxHashMap<Vec<u64>, u32>,
    /// For each place, the number of its set of values.
    at: Vec<u32>,
    /// Where a component of this shape with these labels was seen first.
    seen: FxHashMap<(ShapeId, Vec<NodeId>), usize>,
}

impl Survey<'_> {
    /// Finds what occurs in the slots of a shape that begins at `place`, where `nodes` stand.
    fn sequence(&mut self, shape: ShapeId, nodes: Vec<NodeId>, place: usize) -> Result<(), Interrupted> {
        let (mut nodes, mut place) = (nodes, place);
        for slot in self.kernel.slots(shape) {
            let mut values: Vec<u64> = Vec::new();
            let mut labels: Vec<NodeId> = Vec::new();
            let mut children: Vec<NodeId> = Vec::new();
            for node in &nodes {
                self.kernel.meter_mut().step()?;
                let Some(listed) = self.nodes.get(node) else { continue };
                for &(label, child) in &listed.arcs {
                    match label {
                        Label::Value(value) => values.push(value),
                        Label::Node(label) => labels.push(label),
                    }
                    children.push(child);
                }
            }
            match slot {
                Slot::Value => {
                    values.sort_unstable();
                    values.dedup();
                    self.at[place] = self.number(values);
                    place += 1;
                }
                Slot::Component(component) => {
                    labels.sort_unstable();
                    labels.dedup();
                    let length = self.kernel.place_count(component);
                    let key = (component, labels);
                    if let Some(&first) = self.seen.get(&key) {
                        self.at.copy_within(first..first + length, place);
                    } else {
                        self.sequence(component, key.1.clone(), place)?;
                        self.seen.insert(key, place);
                    }
                    place += length;
                }
            }
            children.sort_unstable();
            children.dedup();
            nodes = children;
        }
        Ok(())
    }

    fn number(&mut self, values: Vec<u64>) -> u32 {
        let next = self.sets.len() as u32;
        *self.ids.entry(values).or_insert_with_key(|values| {
            self.sets.push(values.clone());
            next
        })
    }
}
