//! The JSON of `compile`.

use crate::states::{Nodes, Size};
use crate::values::Integer;
use serde::Serialize;
use symbolon_checker::CompileReport;

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
