//! Coloured nets: read or generated, then folded by their symmetry, or unfolded.

use super::folded::{Symmetry, folded};
use super::{ReadNet, unreadable};
use crate::colours::unfold_net;
use crate::error::InputError;
use crate::loaded::input_error;
use crate::stop::Stop;
use symbolon_budget::Budget;
use symbolon_coloured::Net;
use symbolon_coloured::families::{family_named, generate};
use symbolon_coloured::read::Reading;
use symbolon_counters::Form;
use symbolon_petri::ReadFailure;
use symbolon_petri::families::FamilyError;

/// What a reader found in the file `name`, folded or unfolded.
pub(super) fn read(
    name: &str,
    reading: Result<Reading, ReadFailure>,
    symmetry: &Symmetry,
    budget: &Budget,
) -> Result<ReadNet, Stop> {
    let Reading { net, warnings } = reading.map_err(|failure| unreadable(name, failure))?;
    let warnings = warnings.iter().map(|finding| input_error(name, finding)).collect();
    explorable(net, warnings, symmetry, budget)
}

/// Whether a text such as `client-server:5,2` calls a member of a built-in family of coloured nets.
pub(super) fn is_family(text: &str) -> bool {
    let name = text.split_once(':').map_or(text, |(name, _)| name);
    family_named(name.trim()).is_ok()
}

/// A member of a family, folded or unfolded.
pub(super) fn generated(text: &str, symmetry: &Symmetry, budget: &Budget) -> Result<ReadNet, Stop> {
    match generate(text, budget) {
        Ok(net) => explorable(net, Vec::new(), symmetry, budget),
        Err(FamilyError::Interrupted(why)) => Err(why.into()),
        Err(error) => {
            let hint = "command ‹models› lists the built-in families";
            Err(InputError::plain(error.to_string()).with_hint(hint).into())
        }
    }
}

/// The net in a form that can be explored.
fn explorable(
    net: Net,
    warnings: Vec<InputError>,
    symmetry: &Symmetry,
    budget: &Budget,
) -> Result<ReadNet, Stop> {
    let (net, why) = match folded(net, symmetry, budget)? {
        Ok((form, colours, how)) => {
            return Ok(ReadNet { form, colours: Some(Box::new(colours)), warnings, symmetry: Some(how) });
        }
        Err(told_apart) => told_apart,
    };
    let (net, colours) = unfold_net(net, budget)?;
    let form = Form::Net(Box::new(net));
    Ok(ReadNet { form, colours: Some(Box::new(colours)), warnings, symmetry: why })
}
