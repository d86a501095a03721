//! The keys of `states`.

use crate::values::Integer;
use serde::{Serialize, Serializer};
use symbolon_checker::{DiagramSize, SpelledFigures, StatesReport};

/// The keys of `states`.
#[derive(Serialize)]
pub struct States {
    states: String,
    edges: Option<String>,
    max_tokens_in_place: Option<String>,
    max_tokens_per_marking: Option<String>,
    depth: Option<Integer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distances: Option<Vec<String>>,
    diagram: &'static str,
    strategy: &'static str,
    strategy_reason: String,
    variable_order: String,
    variable_order_reason: String,
    hierarchy: Option<String>,
    hierarchy_reason: Option<String>,
    vtree: Option<String>,
    vtree_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<Size>,
    levels: Integer,
    nodes: Nodes,
    peak_node_bytes: Integer,
    steps: Integer,
    symbolic_states: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tier: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spelled: Option<Spelled>,
    set_nodes: Integer,
    nodes_made: NodesMade,
}

/// The size of a diagram of symbolic markings in which each number is a node.
#[derive(Serialize)]
struct Spelled {
    nodes: Integer,
    share: f64,
    average_length: f64,
}

impl Spelled {
    fn new(figures: SpelledFigures) -> Spelled {
        Spelled {
            nodes: Integer(figures.nodes as u64),
            share: figures.share,
            average_length: figures.average_length,
        }
    }
}

/// Nodes made, by kernel: the keys are those of the table of kinds.
struct NodesMade(Vec<(&'static str, u64)>);

impl Serialize for NodesMade {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|&(kernel, nodes)| (kernel, Integer(nodes))))
    }
}

#[derive(Serialize)]
pub(crate) struct Nodes {
    pub(crate) r#final: Integer,
    pub(crate) peak: Integer,
}

impl States {
    /// The keys of a report.
    pub fn new(report: &StatesReport) -> States {
        States {
            states: report.states.to_string(),
            edges: report.edges.as_ref().map(ToString::to_string),
            max_tokens_in_place: report.max_tokens_in_place.as_ref().map(ToString::to_string),
            max_tokens_per_marking: report.max_tokens_per_marking.as_ref().map(ToString::to_string),
            depth: report.depth.map(Integer),
            distances: report
                .distances
                .as_ref()
                .map(|counts| counts.iter().map(ToString::to_string).collect()),
            diagram: report.found_by.diagram(),
            strategy: report.found_by.strategy(),
            strategy_reason: report.strategy_reason.clone(),
            variable_order: report.order_name().to_string(),
            variable_order_reason: report.order_reason.clone(),
            hierarchy: report.hierarchy.as_ref().map(|hierarchy| hierarchy.name.clone()),
            hierarchy_reason: report.hierarchy.as_ref().map(|hierarchy| hierarchy.reason.clone()),
            vtree: report.vtree.as_ref().map(|vtree| vtree.name.clone()),
            vtree_reason: report.vtree.as_ref().map(|vtree| vtree.reason.clone()),
            size: report.vtree.as_ref().and_then(|vtree| vtree.size.as_ref().map(Size::new)),
            levels: Integer(report.levels),
            nodes: Nodes { r#final: Integer(report.nodes_final), peak: Integer(report.nodes_peak) },
            peak_node_bytes: Integer(report.node_bytes_peak),
            steps: Integer(report.steps),
            symbolic_states: report.symbolic_states.as_ref().map(ToString::to_string),
            tier: report.symmetry,
            spelled: report.spelled.map(Spelled::new),
            set_nodes: Integer(report.set_nodes),
            nodes_made: NodesMade(report.nodes_made.kernels.clone()),
        }
    }
}

/// How large a sentential diagram is.
#[derive(Serialize)]
pub(crate) struct Size {
    nodes: Integer,
    elements: Integer,
    unsigned_nodes: Integer,
    unsigned_elements: Integer,
}

impl Size {
    pub(crate) fn new(size: &DiagramSize) -> Size {
        Size {
            nodes: Integer(size.nodes as u64),
            elements: Integer(size.elements as u64),
            unsigned_nodes: Integer(size.unsigned_nodes as u64),
            unsigned_elements: Integer(size.unsigned_elements as u64),
        }
    }
}
