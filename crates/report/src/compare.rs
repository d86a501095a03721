//! The JSON of `compare`.

use crate::states::Nodes;
use crate::values::{Integer, Pairs};
use serde::Serialize;

/// The keys of `compare`.
#[derive(Serialize)]
pub struct Compare {
    /// The command that the cells carried out.
    pub question: &'static str,
    /// Whether no cell contradicts another.
    pub agree: bool,
    /// The contradictions, in words.
    pub disagreements: Vec<String>,
    /// The cells that were run.
    pub cells: Vec<CompareCell>,
    /// The result in a sentence, if at least two ways were compared.
    pub summary: Option<String>,
    /// Where published figures differ, and why.
    pub notes: Vec<String>,
    /// The file with the table.
    pub file: Option<String>,
    /// The file with the plot.
    pub plot: Option<String>,
}

/// One cell.
#[derive(Serialize)]
pub struct CompareCell {
    model: String,
    name: String,
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
pub struct PaperFigures {
    /// The smallest sufficient bound.
    pub bound: Option<u64>,
    /// Seconds; null for more than 600.
    pub seconds: Option<f64>,
    /// Megabytes.
    pub megabytes: Option<f64>,
}

/// What a cell cost.
pub struct CompareFigures {
    /// Wall-clock seconds.
    pub seconds: f64,
    /// User and system seconds.
    pub cpu_seconds: f64,
    /// The most memory that was resident.
    pub peak_bytes: Option<u64>,
    /// Nodes at the end and at the peak.
    pub nodes: Option<(u64, u64)>,
    /// Steps taken.
    pub steps: Option<u64>,
    /// Of a bounded search: the bound that was sufficient, or that was not.
    pub bound: Option<u64>,
    /// What was published.
    pub paper: Option<PaperFigures>,
    /// The variable order that was used in the end.
    pub variable_order_used: Option<String>,
    /// The hierarchy that was used in the end, of set diagrams.
    pub hierarchy_used: Option<String>,
    /// How many runs these are the median of.
    pub runs: usize,
}

impl CompareCell {
    /// The keys of a cell; `choices` are keys too, in their order. `name` is what tables and plots
    /// call the model.
    pub fn new(
        model: String,
        name: String,
        choices: Vec<(String, Option<String>)>,
        outcome: &'static str,
        answer: Option<String>,
        figures: CompareFigures,
    ) -> CompareCell {
        let nodes = figures.nodes.map(|(last, peak)| Nodes { r#final: Integer(last), peak: Integer(peak) });
        CompareCell {
            model,
            name,
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
