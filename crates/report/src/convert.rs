//! The JSON of `convert`.

use crate::values::Integer;
use serde::Serialize;
use symbolon_checker::{ConvertReport, ConvertedSize};

/// The keys of `convert`.
#[derive(Serialize)]
pub struct Convert {
    format: &'static str,
    file: Option<String>,
    #[serde(flatten)]
    size: Size,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Size {
    Net { places: Integer, transitions: Integer, arcs: Integer },
    Agents { agents: Integer, variables: Integer, formulas: Integer },
    Formula { variables: Integer, clauses: Integer },
}

impl Convert {
    /// The keys of a report; the text is among them unless it went to a file.
    pub fn new(format: &'static str, file: Option<String>, report: &ConvertReport) -> Convert {
        Convert {
            format,
            text: file.is_none().then(|| report.text.to_string()),
            file,
            size: match report.size {
                ConvertedSize::Net { places, transitions, arcs } => Size::Net {
                    places: Integer(places),
                    transitions: Integer(transitions),
                    arcs: Integer(arcs),
                },
                ConvertedSize::Agents { agents, variables, formulas } => Size::Agents {
                    agents: Integer(agents),
                    variables: Integer(variables),
                    formulas: Integer(formulas),
                },
                ConvertedSize::Formula { variables, clauses } => {
                    Size::Formula { variables: Integer(variables), clauses: Integer(clauses) }
                }
            },
        }
    }
}
