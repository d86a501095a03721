//! The JSON of `compile`.

use crate::states::Nodes;
use crate::values::Integer;
use serde::Serialize;
use symbolon_checker::{CompileReport, DiagramSize};

/// The keys of `compile`.
#[derive(Serialize)]
pub struct Compile {
    variables: Integer,
    clauses: Integer,
    models: String,
    nodes: Nodes,
    size: Size,
    vtree: String,
    vtree_reason: String,
    steps: Integer,
    file: Option<String>,
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

impl Compile {
    /// The keys of a report; the file is the one that the diagram was written to.
    pub fn new(file: Option<String>, report: &CompileReport) -> Compile {
        Compile {
            variables: Integer(report.variables),
            clauses: Integer(report.clauses),
            models: report.models.to_string(),
            nodes: Nodes { r#final: Integer(report.size.nodes as u64), peak: Integer(report.nodes_peak) },
            size: Size::new(&report.size),
            vtree: report.vtree.name.clone(),
            vtree_reason: report.vtree.reason.clone(),
            steps: Integer(report.steps),
            file,
        }
    }
}
