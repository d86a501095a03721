//! Processors with local memories on one shared bus.

use super::{Builder, Family, Parameter};
use symbolon_budget::Interrupted;

pub(super) const FAMILY: Family = Family {
    name: "shared-memory",
    summary: "N processors with a memory each, and one bus to reach the memories of the others",
    description: "Each of N processors has a memory of its own. A processor works, uses its own \
        memory, or asks for an access to the memory of another one, for which it needs the only bus \
        and that memory. An access of a processor to its own memory ends only while nobody else \
        uses that memory.",
    origin: "after M. Ajmone Marsan, G. Balbo, G. Conte, 1984; the net of the Model Checking Contest \
        (SharedMemory-PT)",
    parameters: &[Parameter { name: "N", meaning: "processors", smallest: 2, largest: 3_000, example: 10 }],
    build,
};

fn build(net: &mut Builder, parameters: &[u64]) -> Result<(), Interrupted> {
    let n = parameters[0];
    let active = net.row(n, |i| format!("Active_{}", i + 1), |_| 1)?;
    let own_access = net.row(n, |i| format!("OwnMemAcc_{}", i + 1), |_| 0)?;
    let queue = net.row(n, |i| format!("Queue_{}", i + 1), |_| 0)?;
    let memory = net.row(n, |i| format!("Memory_{}", i + 1), |_| 1)?;
    let bus = net.place("Ext_Bus", 1)?;
    // Pairs of distinct numbers, row by row: a row leaves out its own number.
    let others = n - 1;
    let other = |k: u64| (k / others, k % others + u64::from(k % others >= k / others));
    let pair_name = |k| {
        let (processor, memory) = other(k);
        format!("Ext_Mem_Acc_{}_{}", processor + 1, memory + 1)
    };
    let far_access = net.row(n * others, pair_name, |_| 0)?;

    net.expect_transitions(3 * n + 2 * n * others)?;
    for i in 0..n {
        let name = |event: &str| format!("{event}_{}", i + 1);
        net.transition(name("Begin_Own_Acc"), [active.at(i)], [own_access.at(i)])?;
        net.transition(
            format!("End_Own_Acc_{}_{}", i + 1, i + 1),
            [own_access.at(i), memory.at(i)],
            [active.at(i), memory.at(i)],
        )?;
        net.transition(name("Req_Ext_Acc"), [active.at(i)], [queue.at(i)])?;
    }
    for k in 0..n * others {
        let (i, j) = other(k);
        net.transition(
            format!("Begin_Ext_Acc_{}_{}", i + 1, j + 1),
            [queue.at(i), memory.at(j), bus],
            [far_access.at(k)],
        )?;
        net.transition(
            format!("End_Ext_Acc_{}_{}", i + 1, j + 1),
            [far_access.at(k)],
            [active.at(i), memory.at(j), bus],
        )?;
    }
    Ok(())
}
