//! The JSON of `compare`.

use super::{Integer, Nodes, Pairs};
use serde::Serialize;

/// The keys of `compare`.
#[derive(Serialize)]
pub(crate) struct Compare {
    /// The command that the cells carried out.
    pub(crate) question: &'static str,
    /// Whether no cell contradicts another.
    pub(crate) agree: bool,
    /// The contradictions, in words.
    pub(crate) disagreements: Vec<String>,
    /// The cells that were run.
    pub(crate) cells: Vec<CompareCell>,
    /// The file with the table.
    pub(crate) file: Option<String>,
    /// The file with the plot.
    pub(crate) plot: Option<String>,
}

/// One cell.
#[derive(Serialize)]
pub(crate) struct CompareCell {
    model: String,
    #[serde(flatten)]
    choices: Pairs<Option<String>>,
    outcome: &'static str,
    answer: Option<String>,
    seconds: f64,
    cpu_seconds: f64,
    peak_bytes: Option<Integer>,
    nodes: Option<Nodes>,
    steps: Option<Integer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<Integer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paper: Option<PaperFigures>,
    variable_order_used: Option<String>,
    hierarchy_used: Option<String>,
    runs: usize,
}

/// What a published table says of a cell.
#[derive(Serialize)]
pub(crate) struct PaperFigures {
    /// The smallest sufficient bound.
    pub(crate) bound: Option<u64>,
    /// Seconds; null for more than 600.
    pub(crate) seconds: Option<f64>,
    /// Megabytes.
    pub(crate) megabytes: Option<f64>,
}

/// What a cell cost.
pub(crate) struct CompareFigures {
    /// Wall-clock seconds.
    pub(crate) seconds: f64,
    /// User and system seconds.
    pub(crate) cpu_seconds: f64,
    /// The most memory that was resident.
    pub(crate) peak_bytes: Option<u64>,
    /// Nodes at the end and at the peak.
    pub(crate) nodes: Option<(u64, u64)>,
    /// Steps taken.
    pub(crate) steps: Option<u64>,
    /// Of a bounded search: the bound that was sufficient, or that was not.
    pub(crate) bound: Option<u64>,
    /// What was published.
    pub(crate) paper: Option<PaperFigures>,
    /// The variable order that was used in the end.
    pub(crate) variable_order_used: Option<String>,
    /// The hierarchy that was used in the end, of set diagrams.
    pub(crate) hierarchy_used: Option<String>,
    /// How many runs these are the median of.
    pub(crate) runs: usize,
}

impl CompareCell {
    /// The keys of a cell; `choices` are keys too, in their order.
    pub(crate) fn new(
        model: String,
        choices: Vec<(String, Option<String>)>,
        outcome: &'static str,
        answer: Option<String>,
        figures: CompareFigures,
    ) -> CompareCell {
        let nodes = figures.nodes.map(|(last, peak)| Nodes { r#final: Integer(last), peak: Integer(peak) });
        CompareCell {
            model,
            choices: Pairs(choices),
            outcome,
            answer,
            seconds: figures.seconds,
            cpu_seconds: figures.cpu_seconds,
            peak_bytes: figures.peak_bytes.map(Integer),
            nodes,
            steps: figures.steps.map(Integer),
            bound: figures.bound.map(Integer),
            paper: figures.paper,
            variable_order_used: figures.variable_order_used,
            hierarchy_used: figures.hierarchy_used,
            runs: figures.runs,
        }
    }
}
