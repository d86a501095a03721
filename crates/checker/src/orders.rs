//! Variable orders by name or from a file.

use crate::error::{Error, InputError};
use crate::loaded::Loaded;
use crate::options::VariableOrder;
use symbolon_engine::OrderChoice;
use symbolon_engine::order::{self, Blocks, OrderFileProblem, OrderName};
use symbolon_source::likely;

/// The engine's choice for what the user asked for.
pub(crate) fn order_choice(loaded: &Loaded, wanted: &VariableOrder) -> Result<OrderChoice, Error> {
    match wanted {
        VariableOrder::Auto => Ok(OrderChoice::Auto),
        VariableOrder::Named(name) => named(name),
        VariableOrder::File { file, text } => from_file(loaded, file, text),
    }
}

fn named(name: &str) -> Result<OrderChoice, Error> {
    match name {
        "auto" => return Ok(OrderChoice::Auto),
        "invariants" => return Ok(OrderChoice::AutoWith { merge: true }),
        "unmerged" => return Ok(OrderChoice::AutoWith { merge: false }),
        _ => {}
    }
    let (merged, plain) = match name.strip_prefix("merged:") {
        Some(rest) => (true, rest),
        None => (false, name),
    };
    match plain.parse::<OrderName>() {
        Ok(name) if merged => Ok(OrderChoice::Merged(name)),
        Ok(name) => Ok(OrderChoice::Named(name)),
        Err(_) => {
            let known = known_orders();
            let hint = match likely(plain, known.iter().copied()) {
                Some(near) => format!("did you mean '{near}'?"),
                None => format!("known orders: {}", known.join(", ")),
            };
            let message = format!("there is no variable order '{name}'");
            Err(InputError::plain(message).with_hint(hint).into())
        }
    }
}

/// Every name that `--variable-order` takes, prefixes aside.
pub fn known_orders() -> Vec<&'static str> {
    let special = ["auto", "invariants", "unmerged"];
    special.into_iter().chain(order::Heuristic::all().map(order::Heuristic::name)).collect()
}

fn from_file(loaded: &Loaded, file: &str, text: &str) -> Result<OrderChoice, Error> {
    let found = order::load(&loaded.model, text).map_err(|error| {
        Error::Input(error.problems.iter().map(|problem| named_wrongly(problem, file, text)).collect())
    })?;
    check_merged(loaded, file, &found.blocks, &found.lines)?;
    Ok(OrderChoice::Given { blocks: found.blocks, order: found.order })
}

/// What is wrong with the names in a file, and where. What is missing is missing at the end.
pub(crate) fn named_wrongly(problem: &OrderFileProblem, file: &str, text: &str) -> InputError {
    let end = || {
        let last = text.lines().last().unwrap_or_default();
        (text.lines().count().max(1) as u32, last.chars().count() as u32 + 1)
    };
    let (line, column) = problem.line().zip(problem.column()).unwrap_or_else(end);
    let hint = match problem {
        OrderFileProblem::UnknownVariable { name, .. } if matches!(name.as_str(), "{" | "}") => {
            Some("a brace stands alone on its line".to_string())
        }
        _ => None,
    };
    InputError {
        file: Some(file.to_string()),
        line: Some(line),
        column: Some(column),
        hint,
        ..InputError::plain(problem.to_string())
    }
}

/// Refuses blocks of a file that the model's facts do not allow.
pub(crate) fn check_merged(loaded: &Loaded, file: &str, blocks: &Blocks, lines: &[u32]) -> Result<(), Error> {
    // Variables may share a level only where it is proved that at most one of them is marked (M3).
    let exclusive = &loaded.analysis.exclusive;
    for (block, line) in blocks.iter().zip(lines).filter(|(block, _)| block.len() > 1) {
        let is_proved = exclusive
            .iter()
            .any(|set| block.iter().all(|variable| set.variables.binary_search(variable).is_ok()));
        if !is_proved {
            let names: Vec<&str> =
                block.iter().map(|variable| loaded.model.variables[variable.index()].name.as_str()).collect();
            let message = format!("these variables cannot share a level: {}", names.join(" "));
            let mut error = InputError::plain(message).with_hint(
                "only places of which at most one is ever marked can; give each a line of its own",
            );
            error.file = Some(file.to_string());
            error.line = Some(*line);
            return Err(error.into());
        }
    }
    Ok(())
}
