//! Comparisons with a name: which models, and which ways to the answer.

use super::{paper, sentential, symbolic};
use crate::arguments::{CompareRows, Preset, Strategy};
use std::ffi::OsString;
use symbolon_checker::StrategyChoice;

/// What a preset stands for, where the user says nothing else.
pub(super) struct Wishes {
    /// The models.
    pub(super) models: Vec<OsString>,
    /// The kinds of diagrams by name, those included that this version does not have.
    pub(super) diagrams: &'static [&'static str],
    /// The strategies.
    pub(super) strategies: &'static [Strategy],
    /// Methods of bounded search, which take the place of diagrams and strategies.
    pub(super) methods: &'static [&'static str],
    /// What a row of the table is.
    pub(super) rows: CompareRows,
}

/// Soltész, "Symbolic Model Checking of Data-Intensive Systems", Budapest 2015, Table 6.1: set
/// diagrams and MDDs, breadth-first and chaining. Saturation, which the thesis leaves to the
/// future, stands beside them.
const THESIS: [(&str, &[u32]); 6] = [
    ("dekker", &[10, 20, 50]),
    ("peterson", &[2, 3, 4]),
    ("fms", &[5, 10, 20, 50]),
    ("philosophers", &[10, 20, 50, 100]),
    ("kanban", &[5, 10, 20, 50]),
    ("token-ring", &[5, 10, 20]),
];

/// What a preset stands for.
pub(super) fn wishes(preset: Preset) -> Wishes {
    match preset {
        Preset::Thesis => Wishes {
            models: THESIS
                .iter()
                .flat_map(|(family, sizes)| sizes.iter().map(move |size| format!("{family}:{size}").into()))
                .collect(),
            diagrams: &["set", "mdd"],
            strategies: &[
                Strategy(StrategyChoice::Bfs),
                Strategy(StrategyChoice::Chaining),
                Strategy(StrategyChoice::Saturation),
            ],
            methods: &[],
            rows: CompareRows::Models,
        },
        // Cells are chosen one by one.
        Preset::Sentential => Wishes {
            models: sentential::models(),
            diagrams: &[],
            strategies: &[],
            methods: &[],
            rows: CompareRows::Cells,
        },
        Preset::SymbolicSymbolic => Wishes {
            models: symbolic::models(),
            diagrams: &[],
            strategies: &[],
            methods: &[],
            rows: CompareRows::Cells,
        },
        // The nets are not ours, so they are not built in: `--nets` says where they are.
        Preset::Bounded => Wishes {
            models: Vec::new(),
            diagrams: &[],
            strategies: &[],
            methods: &paper::METHODS,
            rows: CompareRows::Cells,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_checker::families;

    #[test]
    fn the_thesis_has_twenty_one_rows_of_families_that_exist() {
        let models = wishes(Preset::Thesis).models;
        assert_eq!(models.len(), 21);
        for model in models {
            let model = model.to_string_lossy().into_owned();
            let family = model.split(':').next().unwrap_or_default();
            assert!(families().iter().any(|known| known.name == family), "{model}");
        }
    }
}
