//! The cells of a comparison: every model with every combination of choices.
//!
//! A choice belongs to an [`Axis`], which is an option of the program and the values it takes in
//! turn. The first axis is the diagram, which decides what else makes a difference: a plain table
//! of states has no variable order. A further axis is one more entry in the list of axes and, if
//! not every diagram knows it, a line in [`matters`].

use std::ffi::{OsStr, OsString};
use symbolon_checker::BoundedMethod;

/// One option and the values it takes in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    /// What it is called in tables and in JSON.
    pub(super) key: &'static str,
    /// The option that a cell is called with.
    pub(super) option: &'static str,
    /// The values, in the order of the user.
    pub(super) values: Vec<OsString>,
}

/// The axis that comes first.
pub(super) const DIAGRAM: &str = "diagram";
/// The axes of what `auto` finds out by itself.
pub(super) const VARIABLE_ORDER: &str = "variable_order";
pub(super) const HIERARCHY: &str = "hierarchy";
/// The axis of methods of bounded search, which comes first instead.
pub(super) const METHOD: &str = "method";

/// One model under one combination of choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// The model as the user wrote it.
    pub(super) model: OsString,
    /// A value for every axis; none where it makes no difference.
    pub(super) choices: Vec<Option<OsString>>,
}

impl Cell {
    /// The options that choose this cell.
    pub(super) fn options<'a>(
        &'a self,
        axes: &'a [Axis],
    ) -> impl Iterator<Item = (&'static str, &'a OsStr)> + 'a {
        let given = axes.iter().zip(&self.choices);
        given.filter_map(|(axis, choice)| Some((axis.option, choice.as_deref()?)))
    }

    /// The model as text.
    pub(super) fn model_name(&self) -> String {
        self.model.to_string_lossy().into_owned()
    }

    /// The choices as text.
    pub(super) fn choice_names(&self) -> Vec<Option<String>> {
        self.choices.iter().map(|choice| choice.as_ref().map(|text| text.to_string_lossy().into())).collect()
    }

    /// The cell in one line, for messages.
    pub(super) fn describe(&self) -> String {
        let choices = self.choice_names().into_iter().flatten();
        let words: Vec<String> = std::iter::once(self.model_name()).chain(choices).collect();
        words.join(" ")
    }
}

/// All cells, model by model, the last axis changing fastest. A value that was given twice counts
/// once.
pub(super) fn enumerate(models: &[OsString], axes: &[Axis]) -> Vec<Cell> {
    let mut combinations: Vec<Vec<Option<OsString>>> = vec![Vec::new()];
    for axis in axes {
        let mut longer = Vec::new();
        for combination in &combinations {
            let diagram = combination.first().and_then(Option::as_deref);
            if diagram.is_some_and(|diagram| !matters(axis.key, diagram)) {
                longer.push([combination.as_slice(), &[None]].concat());
                continue;
            }
            for value in &axis.values {
                longer.push([combination.as_slice(), &[Some(value.clone())]].concat());
            }
        }
        combinations = longer;
    }
    let mut cells: Vec<Cell> = Vec::new();
    for model in models {
        for choices in &combinations {
            let cell = Cell { model: model.clone(), choices: choices.clone() };
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
    }
    cells
}

/// Whether an axis makes a difference for a kind of diagram, or for a method.
fn matters(axis: &str, diagram: &OsStr) -> bool {
    let is_sat = |method: &OsStr| {
        let method = method.to_str().and_then(|name| name.parse().ok());
        matches!(method, Some(BoundedMethod::Sat(_)))
    };
    match axis {
        DIAGRAM | METHOD => true,
        // A solver has no levels either.
        VARIABLE_ORDER if is_sat(diagram) => false,
        // Other diagrams have no components.
        HIERARCHY => diagram == "set",
        // A plain table of states is filled breadth-first and has no levels.
        _ => diagram != "explicit",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(models: &[&str], axes: &[(&'static str, &[&str])], expected: &[&str]) {
        let texts = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let axes: Vec<Axis> = axes
            .iter()
            .map(|(key, values)| Axis { key, option: "--option", values: texts(values) })
            .collect();
        let cells = enumerate(&texts(models), &axes);
        assert_eq!(cells.iter().map(Cell::describe).collect::<Vec<_>>(), expected);
        assert!(cells.iter().all(|cell| cell.choices.len() == axes.len()));
    }

    #[test]
    fn every_combination_is_there_once() {
        check(
            &["a", "b"],
            &[(DIAGRAM, &["mdd"]), ("strategy", &["bfs", "saturation"])],
            &["a mdd bfs", "a mdd saturation", "b mdd bfs", "b mdd saturation"],
        );
        check(
            &["a"],
            &[(DIAGRAM, &["mdd", "set"]), ("strategy", &["bfs"]), ("variable_order", &["x", "y"])],
            &["a mdd bfs x", "a mdd bfs y", "a set bfs x", "a set bfs y"],
        );
        check(&["a", "a"], &[(DIAGRAM, &["mdd", "mdd"])], &["a mdd"]);
        check(&[], &[(DIAGRAM, &["mdd"])], &[]);
    }

    #[test]
    fn hierarchies_are_those_of_set_diagrams() {
        check(
            &["a"],
            &[(DIAGRAM, &["mdd", "ddd", "set"]), (VARIABLE_ORDER, &["x"]), (HIERARCHY, &["flat", "nupn"])],
            &["a mdd x", "a ddd x", "a set x flat", "a set x nupn"],
        );
    }

    #[test]
    fn solvers_have_no_variable_order() {
        check(
            &["a"],
            &[(METHOD, &["edd-exact", "sat-step"]), (VARIABLE_ORDER, &["x", "y"])],
            &["a edd-exact x", "a edd-exact y", "a sat-step"],
        );
    }

    #[test]
    fn what_makes_no_difference_is_not_repeated() {
        check(
            &["a"],
            &[
                (DIAGRAM, &["explicit", "mdd"]),
                ("strategy", &["bfs", "chaining"]),
                ("variable_order", &["x", "y"]),
            ],
            &["a explicit", "a mdd bfs x", "a mdd bfs y", "a mdd chaining x", "a mdd chaining y"],
        );
    }
}
