//! A smaller copy of a model, for trying orders.
//!
//! Nets with few places and many tokens behave under an order much as their copies with few tokens
//! do. The copy keeps the structure and cuts the initial values; it answers no question but "which
//! order".

use symbolon_model::{Facts, Model, Part};

/// Values up to this stay as they are.
const SMALL: u64 = 4;

/// The model with initial values cut down, or `None` if none of them is large.
pub(crate) fn scaled_down(model: &Model) -> Option<Model> {
    if !model.initial.iter().flatten().any(|&value| value > SMALL) {
        return None;
    }
    let mut needed = vec![0_u64; model.variables.len()];
    for part in model.events.iter().flat_map(|event| &event.parts) {
        if let Part::Local { variable, at_least, .. } = part {
            let so_far = &mut needed[variable.index()];
            *so_far = (*so_far).max(*at_least);
        }
    }
    let mut copy = model.clone();
    let mut changed = false;
    for state in &mut copy.initial {
        for (value, &needed) in state.iter_mut().zip(&needed) {
            let cut = (*value).min(SMALL.max(needed.saturating_add(1)));
            changed |= cut != *value;
            *value = cut;
        }
    }
    // Sums over changed values are no longer what they were; exclusive sets (sum 1) are untouched.
    copy.facts = Facts { exclusive: model.facts.exclusive.clone(), ..Facts::default() };
    changed.then_some(copy)
}
