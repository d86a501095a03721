//! The diagram of a set as plain data, component by component, for pictures.
//!
//! A node knows neither place nor level, and components of the same shape share their nodes. So the
//! outline has a *box* for the whole and one for every shape of a component, however many
//! components have it; nodes of labels stand in the box of their shape, and arcs refer to them by
//! the number of an *entry* of that box.

use super::HierarchySets;
use crate::sets::outline::{BoxArc, BoxLabel, BoxNode, HierarchyOutline, OutlineBox, OutlineSlot};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use symbolon_dd_hierarchy::{Hierarchy, Label, ListedNode, NodeId, Root, ShapeId, Slot};
use symbolon_model::VariableId;

impl HierarchySets {
    /// The diagram of a set as plain data.
    pub fn outline(&self, set: &Root) -> HierarchyOutline {
        let kernel = &self.kernel;
        let shapes = outer_before_inner(kernel, self.shape);
        let mut drafts: Vec<Draft> = shapes.iter().map(|_| Draft::default()).collect();
        let number: FxHashMap<ShapeId, usize> = shapes.iter().copied().zip(0..).collect();
        drafts[0].starts.push(0);
        let nodes: FxHashMap<NodeId, ListedNode> =
            kernel.listing(set.node()).into_iter().map(|listed| (listed.node, listed)).collect();
        if !set.node().is_empty() {
            drafts[0].enter(set.node());
        }

        let mut boxes = Vec::with_capacity(shapes.len());
        for (index, &shape) in shapes.iter().enumerate() {
            let slots = kernel.slots(shape);
            let draft = std::mem::take(&mut drafts[index]);
            let mut outlined = OutlineBox {
                slots: Vec::with_capacity(slots.len()),
                components: draft.starts.len(),
                entries: Vec::new(),
                nodes: Vec::new(),
            };
            let mut layer = draft.entries;
            // A sequence of no slots has no node; its entry is the end itself, and nothing refers
            // to it.
            if !slots.is_empty() {
                outlined.entries = (0..layer.len()).collect();
            }
            let mut offset = 0;
            for (position, slot) in slots.iter().enumerate() {
                let places = draft.starts.iter().map(|start| start + offset);
                let inner = match slot {
                    Slot::Value => {
                        let blocks = places.map(|place| self.variables_at(place).to_vec());
                        outlined.slots.push(OutlineSlot::Value(blocks.collect()));
                        offset += 1;
                        None
                    }
                    Slot::Component(component) => {
                        let inner = number[component];
                        let first = places.clone().map(|place| self.variables_at(place)[0]);
                        outlined.slots.push(OutlineSlot::Component(inner, first.collect()));
                        drafts[inner].starts.extend(places);
                        offset += kernel.place_count(*component);
                        Some(inner)
                    }
                };
                let first_below = outlined.nodes.len() + layer.len();
                let mut below = Draft::default();
                for node in &layer {
                    let arcs = nodes[node].arcs.iter().map(|&(label, child)| BoxArc {
                        label: match (label, inner) {
                            (Label::Node(label), Some(inner)) => BoxLabel::Entry(drafts[inner].enter(label)),
                            (Label::Value(value), _) => BoxLabel::Value(value),
                            (Label::Node(_), None) => {
                                unreachable!("sets of states have the shape of their tree")
                            }
                        },
                        child: (position + 1 < slots.len()).then(|| first_below + below.enter(child)),
                    });
                    let arcs = arcs.collect();
                    outlined.nodes.push(BoxNode { slot: position, arcs });
                }
                layer = below.entries;
            }
            boxes.push(outlined);
        }
        HierarchyOutline { boxes }
    }

    fn variables_at(&self, place: usize) -> &[VariableId] {
        self.encoding.variables((self.encoding.level_count() - place) as u32)
    }
}

/// What is known of a box before its turn comes: the places where its components start, and its
/// entries.
#[derive(Default)]
struct Draft {
    starts: Vec<usize>,
    entries: Vec<NodeId>,
    known: FxHashMap<NodeId, usize>,
}

impl Draft {
    /// The number of a node among those that stand here.
    fn enter(&mut self, node: NodeId) -> usize {
        *self.known.entry(node).or_insert_with(|| {
            self.entries.push(node);
            self.entries.len() - 1
        })
    }
}

/// The shapes of a tree, each once, each before those inside it.
fn outer_before_inner(kernel: &Hierarchy, shape: ShapeId) -> Vec<ShapeId> {
    let mut shapes = BTreeSet::from([shape]);
    let mut waiting = vec![shape];
    while let Some(outer) = waiting.pop() {
        for slot in kernel.slots(outer) {
            if let Slot::Component(inner) = slot
                && shapes.insert(inner)
            {
                waiting.push(inner);
            }
        }
    }
    // A shape is made of shapes that were there before it, so inner ones have smaller numbers.
    shapes.into_iter().rev().collect()
}
