//! The JSON of `convert`.

use super::Integer;
use serde::Serialize;
use symbolon_checker::ConvertReport;

/// The keys of `convert`.
#[derive(Serialize)]
pub(crate) struct Convert {
    format: &'static str,
    file: Option<String>,
    places: Integer,
    transitions: Integer,
    arcs: Integer,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl Convert {
    /// The keys of a report; the text is among them unless it went to a file.
    pub(crate) fn new(format: &'static str, file: Option<String>, report: &ConvertReport) -> Convert {
        Convert {
            format,
            text: file.is_none().then(|| report.text.clone()),
            file,
            places: Integer(report.places),
            transitions: Integer(report.transitions),
            arcs: Integer(report.arcs),
        }
    }
}
