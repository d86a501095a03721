//! Dijkstra's self-stabilising token ring.

use super::{Builder, Family, Parameter};
use symbolon_budget::Interrupted;

pub(super) const FAMILY: Family = Family {
    name: "token-ring",
    summary: "self-stabilising token ring: N + 1 processes copy a number from their neighbour",
    description: "N + 1 processes in a ring hold a number between 0 and N each. Process 0 is the main \
        one: when its number equals that of the last process, it counts up, modulo N + 1. Every \
        other process copies the number of the process before it whenever the two differ. A process \
        that may act has a token; from any start, here all numbers distinct, one token remains at \
        last. The net has about N³ transitions.",
    origin: "E. W. Dijkstra, 1974; the net of the Model Checking Contest (TokenRing-PT)",
    parameters: &[Parameter {
        name: "N",
        meaning: "processes beside the main one",
        smallest: 1,
        largest: 250,
        example: 10,
    }],
    build,
};

fn build(net: &mut Builder, parameters: &[u64]) -> Result<(), Interrupted> {
    let last = parameters[0];
    let count = last + 1;
    let states = net.row(
        count * count,
        |k| format!("State_{}_{}", k / count, k % count),
        |k| u64::from(k / count == k % count),
    )?;
    let state = |process, number| states.at(process * count + number);

    net.expect_transitions(count + last * count * last)?;
    for number in 0..count {
        net.transition(
            format!("MainProcess_{number}"),
            [state(0, number), state(last, number)],
            [state(0, (number + 1) % count), state(last, number)],
        )?;
    }
    for process in 1..count {
        for from in 0..count {
            for to in (0..count).filter(|&to| to != from) {
                net.transition(
                    format!("OtherProcess_{process}_{from}_{to}"),
                    [state(process, from), state(process - 1, to)],
                    [state(process, to), state(process - 1, to)],
                )?;
            }
        }
    }
    Ok(())
}
