//! Vtrees by name or from a file.

use crate::error::{Error, InputError};
use crate::options::Vtree;
use symbolon_engine::{VtreeChoice, VtreeShape, read_vtree};
use symbolon_source::likely;

/// The engine's choice for what the user asked for.
pub(crate) fn vtree_choice(wanted: &Vtree) -> Result<VtreeChoice, Error> {
    match wanted {
        Vtree::Auto => Ok(VtreeChoice::Auto),
        Vtree::Named(name) => named(name),
        Vtree::File { file, text } => read_vtree(text).map_err(|(line, what)| {
            let error = InputError { file: Some(file.clone()), line, ..InputError::plain(what) };
            Error::Input(vec![error])
        }),
    }
}

fn named(name: &str) -> Result<VtreeChoice, Error> {
    if name == "auto" {
        return Ok(VtreeChoice::Auto);
    }
    name.parse().map(VtreeChoice::Named).map_err(|_| {
        let known = known_vtrees();
        let hint = match likely(name, known.iter().copied()) {
            Some(near) => format!("did you mean '{near}'?"),
            None => format!("known vtrees: {}", known.join(", ")),
        };
        Error::Input(vec![InputError::plain(format!("there is no vtree '{name}'")).with_hint(hint)])
    })
}

/// Every name that `--vtree` takes.
pub fn known_vtrees() -> Vec<&'static str> {
    std::iter::once("auto").chain(VtreeShape::all().map(VtreeShape::name)).collect()
}
