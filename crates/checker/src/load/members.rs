//! Place/transition nets in which members are found that can be exchanged.
//!
//! Such a net has no names for its members, and formulas about it name single places. So only the
//! number of its markings is asked of the folded net, where symmetry is demanded.

use super::ReadNet;
use super::folded::{NetUse, Symmetry, folded};
use crate::stop::Stop;
use symbolon_budget::Budget;
use symbolon_counters::Form;
use symbolon_symmetry::find_members;

/// Why a net is not folded.
const NO_MEMBERS: &str = "no processes are found in it that can be exchanged";
const ONLY_STATES: &str = "of place/transition nets, only command ‹states› uses symmetry";

/// The net, folded if members are found; else as it was, with the reason.
pub(super) fn by_members(read: ReadNet, symmetry: Symmetry, budget: &Budget) -> Result<ReadNet, Stop> {
    let Form::Net(net) = &read.form else { return Ok(read) };
    if symmetry.net() != NetUse::Unused {
        return Ok(ReadNet { symmetry: Some(ONLY_STATES.into()), ..read });
    }
    let Some(found) = find_members(net, budget)? else {
        return Ok(ReadNet { symmetry: Some(NO_MEMBERS.into()), ..read });
    };
    Ok(match folded(found.net, symmetry, budget)? {
        Ok((form, colours, how)) => {
            ReadNet { form, colours: Some(Box::new(colours)), symmetry: Some(how), ..read }
        }
        Err((_, why)) => ReadNet { symmetry: why, ..read },
    })
}
