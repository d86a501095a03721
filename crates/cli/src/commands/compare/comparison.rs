//! What came out of a comparison, and whether the cells of every model agree.

use super::cells::{Axis, Cell, METHOD};
use super::measure::{Ending, Measured};
use super::paper::{Figures, figures};
use super::question::{Answered, Question};
use super::short_names::ShortNames;
use std::collections::BTreeSet;
use symbolon_checker::{InputError, Reason};
use symbolon_report::PaperFigures;

/// The cells that were run, with what became of them.
pub(super) struct Comparison {
    /// What they were asked.
    pub(super) question: Question,
    /// What differs between them.
    pub(super) axes: Vec<Axis>,
    /// The cells, model by model.
    pub(super) rows: Vec<(Cell, Measured)>,
    /// How many cells there are, those included that were not run.
    pub(super) planned: usize,
    /// What models are called where people read.
    pub(super) names: ShortNames,
    /// Whether these are the models of the thesis that `--preset thesis` repeats.
    pub(super) is_thesis: bool,
}

/// A contradiction between cells of one model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Disagreement {
    /// The model.
    pub(super) model: String,
    /// Which cells gave which answer.
    pub(super) text: String,
}

impl Comparison {
    /// What a model is called where people read.
    pub(super) fn short(&self, model: &str) -> String {
        self.names.get(model)
    }

    /// The models, each once, with their rows.
    pub(super) fn models(&self) -> Vec<(String, Vec<&(Cell, Measured)>)> {
        let mut models: Vec<(String, Vec<&(Cell, Measured)>)> = Vec::new();
        for row in &self.rows {
            match models.last_mut() {
                Some((_, rows)) if rows[0].0.model == row.0.model => rows.push(row),
                _ => models.push((row.0.model_name(), vec![row])),
            }
        }
        models
    }

    /// The combinations of choices, each once, in the order of the cells.
    pub(super) fn combinations(&self) -> Vec<Vec<Option<String>>> {
        let mut combinations = Vec::new();
        for (cell, _) in &self.rows {
            let choices = cell.choice_names();
            if !combinations.contains(&choices) {
                combinations.push(choices);
            }
        }
        combinations
    }

    /// The axes whose values differ between cells, by their number.
    pub(super) fn differing_axes(&self) -> Vec<usize> {
        let all = self.combinations();
        let differs = |axis: &usize| {
            let values: BTreeSet<&String> =
                all.iter().filter_map(|choices| choices.get(*axis)?.as_ref()).collect();
            values.len() > 1
        };
        (0..self.axes.len()).filter(differs).collect()
    }

    /// What a combination is called: its diagram and what else differs between cells; a strategy if
    /// nothing does.
    pub(super) fn label(&self, combination: &[Option<String>]) -> String {
        let mut shown = self.differing_axes();
        if shown.is_empty() {
            shown.push(1);
        }
        let words: Vec<&str> = combination
            .iter()
            .enumerate()
            .filter(|(axis, _)| *axis == 0 || shown.contains(axis))
            .filter_map(|(_, choice)| choice.as_deref())
            .collect();
        words.join(" ")
    }

    /// Whether methods of bounded search are compared.
    pub(super) fn has_methods(&self) -> bool {
        self.axes.first().is_some_and(|axis| axis.key == METHOD)
    }

    /// What was published about a cell.
    pub(super) fn published(&self, cell: &Cell) -> Option<Figures> {
        let method = cell.choices.first()?.as_ref()?.to_str()?;
        self.has_methods().then(|| figures(&cell.model_name(), method)).flatten()
    }

    /// The same as keys of JSON.
    pub(super) fn paper_figures(&self, cell: &Cell) -> Option<PaperFigures> {
        let Figures { bound, seconds, megabytes } = self.published(cell)?;
        Some(PaperFigures { bound, seconds, megabytes })
    }

    /// Everything that cells of one model contradict each other in.
    pub(super) fn disagreements(&self) -> Vec<Disagreement> {
        let mut found = Vec::new();
        for (model, rows) in self.models() {
            let answers = || {
                rows.iter().flat_map(|(cell, measured)| measured.answers().iter().map(move |one| (cell, one)))
            };
            let names: Vec<&str> =
                answers().flat_map(|(_, one)| one.facts.iter().map(|fact| fact.0)).collect();
            let mut seen = BTreeSet::new();
            for name in names.into_iter().filter(|name| seen.insert(*name)) {
                let mut claims: Vec<(&String, String)> = Vec::new();
                for (cell, answer) in answers() {
                    let Some((_, value)) = answer.facts.iter().find(|fact| fact.0 == name) else { continue };
                    let choices: Vec<String> = cell.choice_names().into_iter().flatten().collect();
                    let who = choices.join(" ");
                    match claims.iter_mut().find(|(claimed, _)| *claimed == value) {
                        Some((_, claimants)) => claimants.push_str(&format!(", {who}")),
                        None => claims.push((value, who)),
                    }
                }
                if claims.len() > 1 {
                    let claims: Vec<String> =
                        claims.into_iter().map(|(value, who)| format!("{value} ({who})")).collect();
                    let text = format!(
                        "{}: the cells disagree on {name}: {}",
                        self.short(&model),
                        claims.join(" or ")
                    );
                    found.push(Disagreement { model: model.clone(), text });
                }
            }
        }
        found
    }

    /// What was wrong with models or options, each once.
    pub(super) fn errors(&self) -> Vec<InputError> {
        each_once(self.rows.iter().flat_map(|(_, measured)| match &measured.ending {
            Ending::Wrong(errors) => errors.as_slice(),
            _ => &[],
        }))
    }

    /// What is odd about models, each once.
    pub(super) fn warnings(&self) -> Vec<InputError> {
        each_once(self.rows.iter().flat_map(|(_, measured)| measured.warnings.as_slice()))
    }

    /// Why some cell has no answer: the first such reason, in the order of the cells.
    pub(super) fn first_unknown(&self) -> Option<Reason> {
        self.rows.iter().find_map(|(_, measured)| match measured.ending {
            Ending::Unknown(reason) => Some(reason),
            _ => None,
        })
    }

    /// How many cells answered.
    pub(super) fn answered(&self) -> usize {
        self.rows.iter().filter(|(_, measured)| !measured.answers().is_empty()).count()
    }
}

fn each_once<'a>(problems: impl Iterator<Item = &'a InputError>) -> Vec<InputError> {
    let mut once: Vec<InputError> = Vec::new();
    for problem in problems {
        if !once.contains(problem) {
            once.push(problem.clone());
        }
    }
    once
}

impl Measured {
    /// The answers of all runs, each once; none if there is no answer.
    pub(super) fn answers(&self) -> &[Answered] {
        match &self.ending {
            Ending::Answered(answers) => answers,
            _ => &[],
        }
    }

    /// How the cell ended, in one word.
    pub(super) fn outcome(&self) -> &'static str {
        match &self.ending {
            Ending::Answered(_) => "ok",
            Ending::Unknown(reason) => reason.word(),
            Ending::Wrong(_) => "error",
        }
    }
}

/// What limits the cells had, for "> 60 s".
#[derive(Clone, Copy, Debug)]
pub(super) struct CellLimits {
    /// Seconds of a run.
    pub(super) seconds: f64,
    /// Bytes of a run, if it was limited.
    pub(super) bytes: Option<u64>,
}
