//! The quotient counts what the net does, and its runs are runs of the net.

mod canonicity;
mod families;
mod unfolded;

use symbolon_budget::Budget;
use symbolon_coloured::Net;
use symbolon_symmetry::{Quotient, explore, find_symmetry};

fn quotient(net: &Net) -> Quotient {
    let symmetry = find_symmetry(net, &[], &Budget::unlimited()).expect("unlimited");
    explore(net, &symmetry, &Budget::unlimited()).expect("unlimited")
}
