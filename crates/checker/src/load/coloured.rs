//! Coloured nets: read or generated, then unfolded.

use super::{ReadNet, unreadable};
use crate::colours::unfold_net;
use crate::error::InputError;
use crate::loaded::input_error;
use crate::stop::Stop;
use symbolon_budget::Budget;
use symbolon_coloured::families::{family_named, generate};
use symbolon_coloured::read::Reading;
use symbolon_petri::ReadFailure;
use symbolon_petri::families::FamilyError;

/// Unfolds what a reader found in the file `name`.
pub(super) fn unfolded(
    name: &str,
    reading: Result<Reading, ReadFailure>,
    budget: &Budget,
) -> Result<ReadNet, Stop> {
    let Reading { net, warnings } = reading.map_err(|failure| unreadable(name, failure))?;
    let warnings = warnings.iter().map(|finding| input_error(name, finding)).collect();
    let (net, colours) = unfold_net(net, budget)?;
    Ok(ReadNet { net, colours: Some(Box::new(colours)), warnings })
}

/// Whether a text such as `client-server:5,2` calls a member of a built-in family of coloured nets.
pub(super) fn is_family(text: &str) -> bool {
    let name = text.split_once(':').map_or(text, |(name, _)| name);
    family_named(name.trim()).is_ok()
}

/// Generates and unfolds a member of a family.
pub(super) fn generated(text: &str, budget: &Budget) -> Result<ReadNet, Stop> {
    let net = match generate(text, budget) {
        Ok(net) => net,
        Err(FamilyError::Interrupted(why)) => return Err(why.into()),
        Err(error) => {
            let hint = "command ‹models› lists the built-in families";
            return Err(InputError::plain(error.to_string()).with_hint(hint).into());
        }
    };
    let (net, colours) = unfold_net(net, budget)?;
    Ok(ReadNet { net, colours: Some(Box::new(colours)), warnings: Vec::new() })
}
