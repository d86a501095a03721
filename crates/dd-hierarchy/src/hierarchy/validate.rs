//! Checks HIER-K1 and HIER-K2 on every stored node, and what is kept beside the nodes.

use crate::hierarchy::{Form, Hierarchy};
use symbolon_budget::Interrupted;
use symbolon_dd_core::{NodeId, Violation};

/// Leaf nodes have ascending codes and children that are not empty; set nodes have labels that are
/// not empty and pairwise disjoint, and distinct children that are not empty, ascending. A node is
/// noted if and only if it mentions one that is.
pub(crate) fn validate_nodes(hierarchy: &mut Hierarchy) -> Result<(), Violation> {
    for node in hierarchy.manager.stored_nodes() {
        let problem = |what: String| Err(Violation::new("HIER-K2", format!("{node:?}: {what}")));
        match hierarchy.form(node) {
            Form::Leaf(view) => {
                let arcs: Vec<(u32, NodeId)> =
                    (0..view.length).map(|position| hierarchy.leaf_arc(&view, position)).collect();
                if arcs.is_empty() || !arcs.is_sorted_by(|a, b| a.0 < b.0) {
                    return problem(format!("codes do not ascend: {arcs:?}"));
                }
                if arcs.iter().any(|(_, child)| child.is_empty()) {
                    return problem(format!("an empty child: {arcs:?}"));
                }
                let span = arcs[arcs.len() - 1].0 - arcs[0].0;
                let has_gaps = span as usize != arcs.len() - 1;
                let right_kind = match view.variable {
                    _ if has_gaps => hierarchy.kinds.pairs,
                    0 => hierarchy.kinds.run,
                    _ => hierarchy.kinds.named_run,
                };
                if hierarchy.manager.kind(node) != right_kind {
                    return problem(format!("the wrong kind of leaf node: {arcs:?}"));
                }
            }
            Form::Set(view) => {
                let arcs: Vec<(NodeId, NodeId)> =
                    (0..view.length).map(|position| hierarchy.set_arc(&view, position)).collect();
                if arcs.is_empty() || !arcs.is_sorted_by(|a, b| a.1 < b.1) {
                    return problem(format!("children do not ascend: {arcs:?}"));
                }
                if arcs.iter().any(|(label, child)| label.is_empty() || child.is_empty()) {
                    return problem(format!("an empty label or child: {arcs:?}"));
                }
                for (i, (a, _)) in arcs.iter().enumerate() {
                    for (b, _) in &arcs[i + 1..] {
                        let meet = hierarchy.intersection(*a, *b).map_err(interrupted)?;
                        if !meet.is_empty() {
                            return problem(format!("the labels {a:?} and {b:?} meet"));
                        }
                        if hierarchy.are_surely_disjoint(*a, *a).map_err(interrupted)? {
                            return problem(format!("the signature of {a:?} has an empty mask"));
                        }
                    }
                    if !hierarchy.is_well_defined(*a) {
                        return problem(format!("the label {a:?} is not well defined"));
                    }
                }
            }
            Form::Undefined => continue,
            Form::Empty | Form::One => return problem("a terminal is stored".into()),
        }
        let mut mentioned = hierarchy.manager.children_of(node).into_iter();
        if mentioned.all(|child| hierarchy.is_well_defined(child)) != hierarchy.is_well_defined(node) {
            return Err(Violation::new("HIER-K1", format!("the note of {node:?} is wrong")));
        }
        if !hierarchy.signature_is_current(node).map_err(interrupted)? {
            return Err(Violation::new("HIER-K1", format!("the signature of {node:?} is another node's")));
        }
    }
    Ok(())
}

fn interrupted(why: Interrupted) -> Violation {
    Violation::new("HIER-K2", format!("not checked: {why}"))
}
