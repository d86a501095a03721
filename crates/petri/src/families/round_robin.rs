//! Round-robin mutual exclusion.

use super::{Builder, Family, Parameter};
use symbolon_budget::Interrupted;

pub(super) const FAMILY: Family = Family {
    name: "round-robin",
    summary: "mutual exclusion: the turn to use one resource goes round a ring of processes",
    description: "N processes share one resource. The process whose turn it is loads its request to \
        the resource, which works and puts an answer into the process's buffer. Meanwhile the \
        process may hand the turn to its neighbour, if that is idle; it fetches its answer before or \
        after that. There are 9 · N · 2^(N−2) states.",
    origin: "S. Graf, B. Steffen, G. Lüttgen, 1996; the model 'robin' of SMART",
    parameters: &[Parameter {
        name: "N",
        meaning: "processes",
        smallest: 2,
        largest: 3_000_000,
        example: 10,
    }],
    build,
};

fn build(net: &mut Builder, parameters: &[u64]) -> Result<(), Interrupted> {
    let n = parameters[0];
    let first = |i| u64::from(i == 0);
    let resource = net.place("Resource", 1)?;
    let idle = net.row(n, |i| format!("Idle_{}", i + 1), |i| 1 - first(i))?;
    let turn = net.row(n, |i| format!("Turn_{}", i + 1), first)?;
    let loaded = net.row(n, |i| format!("Loaded_{}", i + 1), |_| 0)?;
    let passed = net.row(n, |i| format!("Passed_{}", i + 1), |_| 0)?;
    let answered = net.row(n, |i| format!("Answered_{}", i + 1), |_| 0)?;
    let working = net.row(n, |i| format!("Working_{}", i + 1), |_| 0)?;
    let empty = net.row(n, |i| format!("Empty_{}", i + 1), |_| 1)?;
    let full = net.row(n, |i| format!("Full_{}", i + 1), |_| 0)?;

    net.expect_transitions(6 * n)?;
    for i in 0..n {
        let next = (i + 1) % n;
        let name = |event: &str| format!("{event}_{}", i + 1);
        net.transition(name("Load"), [turn.at(i), resource], [loaded.at(i), working.at(i)])?;
        net.transition(name("Answer"), [working.at(i), empty.at(i)], [full.at(i), resource])?;
        net.transition(name("Fetch"), [loaded.at(i), full.at(i)], [answered.at(i), empty.at(i)])?;
        net.transition(name("FetchLate"), [passed.at(i), full.at(i)], [idle.at(i), empty.at(i)])?;
        net.transition(name("Pass"), [loaded.at(i), idle.at(next)], [passed.at(i), turn.at(next)])?;
        net.transition(name("PassLate"), [answered.at(i), idle.at(next)], [idle.at(i), turn.at(next)])?;
    }
    Ok(())
}
