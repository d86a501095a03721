//! Place/transition nets in which members are found that can be exchanged.
//!
//! These are nets without colours, and unfoldings of coloured nets in which no class is free by
//! itself: members of several classes may be exchangeable only together, because the initial marking
//! links each of one class to one of another. Such members have no names, and formulas name single
//! places. So only the number of markings is asked of the folded net, where symmetry is demanded.

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
pub(super) fn by_members(read: ReadNet, symmetry: &Symmetry, budget: &Budget) -> Result<ReadNet, Stop> {
    let Form::Net(net) = &read.form else { return Ok(read) };
    if read.colours.as_deref().is_some_and(|colours| colours.unfolded().is_none()) {
        return Ok(read);
    }
    // What is known of the classes of a coloured net says more.
    let because = |why: &str| read.symmetry.clone().or_else(|| Some(why.into()));
    if symmetry.net() != NetUse::Unused {
        return Ok(ReadNet { symmetry: because(ONLY_STATES), ..read });
    }
    let Some(found) = find_members(net, budget)? else {
        return Ok(ReadNet { symmetry: because(NO_MEMBERS), ..read });
    };
    Ok(match folded(found.net, symmetry, budget)? {
        Ok((form, colours, how)) => {
            ReadNet { form, colours: Some(Box::new(colours)), symmetry: Some(how), ..read }
        }
        Err((_, why)) => ReadNet { symmetry: why, ..read },
    })
}
