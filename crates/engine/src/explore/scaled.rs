//! A smaller copy of a model, for trying orders.
//!
//! Nets with few places and many tokens behave under an order much as their copies with few tokens
//! do. The copy keeps the structure and cuts the initial values; it answers no question but "which
//! order".

use symbolon_model::{Facts, Model, Part};

/// The model with initial values cut down to about `small`, or `None` if none of them is larger, or
/// if some event does more than compare and change single variables.
pub(crate) fn scaled_down(model: &Model, small: u64) -> Option<Model> {
    if !model.initial.iter().flatten().any(|&value| value > small) {
        return None;
    }
    let mut needed = vec![0_u64; model.variables.len()];
    for part in model.events.iter().flat_map(|event| &event.parts) {
        // What other tests need is not plain to see.
        let Part::Local { variable, at_least, .. } = part else { return None };
        let so_far = &mut needed[variable.index()];
        *so_far = (*so_far).max(*at_least);
    }
    let mut copy = model.clone();
    let mut changed = false;
    for state in &mut copy.initial {
        for (value, &needed) in state.iter_mut().zip(&needed) {
            let cut = (*value).min(small.max(needed.saturating_add(1)));
            changed |= cut != *value;
            *value = cut;
        }
    }
    // Sums over changed values are no longer what they were; exclusive sets (sum 1) are untouched.
    copy.facts = Facts { exclusive: model.facts.exclusive.clone(), ..Facts::default() };
    changed.then_some(copy)
}
