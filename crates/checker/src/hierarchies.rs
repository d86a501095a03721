//! Hierarchies of components by name or from a file.

use crate::error::{Error, InputError};
use crate::loaded::Loaded;
use crate::options::{Hierarchy, Options};
use crate::orders::{check_merged, named_wrongly, order_choice};
use crate::vtrees::vtree_choice;
use symbolon_engine::HierarchyChoice;
use symbolon_engine::hierarchy::{self, HierarchyFileProblem, HierarchyName};
use symbolon_source::likely;

/// The engine's choice for what the user asked for.
pub(crate) fn hierarchy_choice(loaded: &Loaded, wanted: &Hierarchy) -> Result<HierarchyChoice, Error> {
    match wanted {
        Hierarchy::Auto => Ok(HierarchyChoice::Auto),
        Hierarchy::Named(name) => named(name),
        Hierarchy::File { file, text } => from_file(loaded, file, text),
    }
}

fn named(name: &str) -> Result<HierarchyChoice, Error> {
    if name == "auto" {
        return Ok(HierarchyChoice::Auto);
    }
    name.parse().map(HierarchyChoice::Named).map_err(|_| {
        let known = known_hierarchies();
        let hint = match likely(name, known.iter().copied()) {
            Some(near) => format!("did you mean '{near}'?"),
            None => format!("known hierarchies: {}", known.join(", ")),
        };
        let message = format!("there is no hierarchy '{name}'");
        Error::Input(vec![InputError::plain(message).with_hint(hint)])
    })
}

/// Every name that `--hierarchy` takes; numbers may be others.
pub fn known_hierarchies() -> Vec<&'static str> {
    std::iter::once("auto").chain(HierarchyName::NAMES).collect()
}

fn from_file(loaded: &Loaded, file: &str, text: &str) -> Result<HierarchyChoice, Error> {
    let found = hierarchy::load(&loaded.model, text).map_err(|problem| {
        Error::Input(match &problem {
            HierarchyFileProblem::Names(error) => {
                error.problems.iter().map(|problem| named_wrongly(problem, file, text)).collect()
            }
            HierarchyFileProblem::NothingToClose(line)
            | HierarchyFileProblem::NeverClosed(line)
            | HierarchyFileProblem::TooDeep(line) => {
                // Braces stand alone on their lines.
                let before = |line: &str| line.chars().take_while(|c| c.is_whitespace()).count() as u32;
                let column = text.lines().nth(*line as usize - 1).map(|line| before(line) + 1);
                vec![InputError {
                    file: Some(file.to_string()),
                    line: Some(*line),
                    column,
                    ..InputError::plain(problem.to_string())
                }]
            }
        })
    })?;
    check_merged(loaded, file, &found.blocks, &found.lines)?;
    Ok(HierarchyChoice::Given { blocks: found.blocks, tree: found.tree })
}

/// Refuses choices that do not exist or contradict each other, also where none is needed for an
/// answer.
pub(crate) fn check_choices(loaded: &Loaded, options: &Options) -> Result<(), Error> {
    options.check()?;
    order_choice(loaded, &options.variable_order)?;
    hierarchy_choice(loaded, &options.hierarchy)?;
    vtree_choice(&options.vtree)?;
    Ok(())
}
