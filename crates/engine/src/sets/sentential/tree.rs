//! The vtree of the bits of a model.
//!
//! A bit and its primed twin are siblings, so that renaming one to the other leaves every node in
//! its form.

use crate::sets::boolean::bits::Bits;
use symbolon_dd_core::Variable;
use symbolon_dd_sentential::{Part, Vtree, VtreeBuilder};

/// All bits on the left of those that stand below them in the order, each with its twin.
pub(crate) fn right_linear(bits: &Bits) -> Vtree {
    let mut builder = VtreeBuilder::new();
    let items = items(bits, &mut builder);
    let root = builder.right_linear(&items);
    builder.finish(root).expect("every bit has one place")
}

/// The bits from the top, each with its twin.
fn items(bits: &Bits, builder: &mut VtreeBuilder) -> Vec<Part> {
    let twins: rustc_hash::FxHashMap<Variable, Variable> =
        bits.variables().flat_map(|variable| bits.pairs(variable).collect::<Vec<_>>()).collect();
    let is_primed: rustc_hash::FxHashSet<Variable> = twins.values().copied().collect();
    let all = (0..bits.bit_count()).map(Variable).filter(|bit| !is_primed.contains(bit));
    let mut items: Vec<Part> = Vec::new();
    for bit in all {
        let leaf = builder.leaf(bit);
        items.push(match twins.get(&bit) {
            Some(&twin) => {
                let twin = builder.leaf(twin);
                builder.join(leaf, twin)
            }
            None => leaf,
        });
    }
    if items.is_empty() {
        // A model without variables: a vtree has a leaf.
        items.push(builder.leaf(Variable(0)));
    }
    items
}
