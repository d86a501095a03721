//! An elevator with calls and doors.

use super::{Builder, Family, Parameter};
use symbolon_budget::Interrupted;

pub(super) const FAMILY: Family = Family {
    name: "elevator",
    summary: "an elevator that people call to their floor",
    description: "A cabin serves F floors. On each floor people may press a button, which stays pressed \
        until the cabin has opened its doors there. The cabin moves up and down, a floor at a time and as it likes, \
        and it opens its doors only where it was called. It is always at \
        exactly one floor and never moves while its doors are open; no place ever holds two \
        tokens, there is no deadlock, and every call can be answered, though a cabin that goes elsewhere \
        for ever is not ruled out. There are F · 2^(F + 1) states.",
    origin: "a classroom example of many courses, written anew here",
    parameters: &[Parameter { name: "F", meaning: "floors", smallest: 2, largest: 5_000_000, example: 4 }],
    build,
};

fn build(net: &mut Builder, parameters: &[u64]) -> Result<(), Interrupted> {
    let floors = parameters[0];
    let at = net.row(floors, |i| format!("cabin_at_{}", i + 1), |i| u64::from(i == 0))?;
    let closed = net.place("doors_closed", 1)?;
    let open = net.place("doors_open", 0)?;
    let no_call = net.row(floors, |i| format!("no_call_{}", i + 1), |_| 1)?;
    let called = net.row(floors, |i| format!("called_{}", i + 1), |_| 0)?;

    net.expect_transitions(4 * floors - 1)?;
    for i in 0..floors {
        net.transition(format!("call_{}", i + 1), [no_call.at(i)], [called.at(i)])?;
    }
    for i in 1..floors {
        net.transition(format!("move_up_to_{}", i + 1), [at.at(i - 1), closed], [at.at(i), closed])?;
    }
    for i in 1..floors {
        net.transition(format!("move_down_to_{i}"), [at.at(i), closed], [at.at(i - 1), closed])?;
    }
    for i in 0..floors {
        let answered = [at.at(i), no_call.at(i), open];
        net.transition(format!("open_doors_at_{}", i + 1), [at.at(i), called.at(i), closed], answered)?;
    }
    net.transition("close_doors".into(), [open], [closed])
}
