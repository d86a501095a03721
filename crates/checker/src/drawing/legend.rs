//! What the marks of a picture mean. A mark that is explained by the shape that every reader knows,
//! such as the circle of a place, has no entry.

use symbolon_picture::{ArcKind, Emphasis, Graph, Sample};

/// Entries for those of these arcs that the graph has.
pub(super) fn of_arcs(graph: &Graph, meanings: &[(ArcKind, &str)]) -> Vec<(Sample, String)> {
    let is_there = |kind: ArcKind| graph.arcs.iter().any(|arc| arc.kind == kind);
    let shown = meanings.iter().filter(|(kind, _)| is_there(*kind));
    shown.map(|&(kind, meaning)| (Sample::Arc(kind), meaning.to_string())).collect()
}

/// Entries for those of these marks of nodes that the graph has.
pub(super) fn of_nodes(graph: &Graph, meanings: &[(Emphasis, &str)]) -> Vec<(Sample, String)> {
    let is_there = |emphasis: Emphasis| graph.nodes.iter().any(|node| node.emphasis == emphasis);
    let shown = meanings.iter().filter(|(emphasis, _)| is_there(*emphasis));
    shown.map(|&(emphasis, meaning)| (emphasis.into(), meaning.to_string())).collect()
}

/// The arcs of nets that not everybody knows.
pub(super) const ARCS_OF_NETS: [(ArcKind, &str); 4] = [
    (ArcKind::Both, "takes tokens and puts them back"),
    (ArcKind::Read, "needs tokens and leaves them"),
    (ArcKind::Inhibitor, "enabled while there are fewer tokens"),
    (ArcKind::Reset, "takes all tokens"),
];

/// An entry for the numbers beside arcs.
pub(super) fn of_numbers(graph: &Graph, meaning: &str) -> Option<(Sample, String)> {
    let number = graph.arcs.iter().find_map(|arc| arc.label.clone())?;
    Some((Sample::Text(number), meaning.to_string()))
}
