//! Dining philosophers as in the Model Checking Contest: 3^N states.

use super::builder::numbered;
use super::{Builder, Family, Parameter};
use symbolon_budget::Interrupted;

pub(super) const FAMILY: Family = Family {
    name: "philosophers",
    summary: "dining philosophers who take their two forks in either order",
    description: "N philosophers sit round a table with one fork between each two neighbours. A \
        philosopher thinks, takes one fork, then the other, eats, and puts both back. Nobody puts \
        back a single fork, so the table can deadlock in two ways: everyone holds a left fork, or \
        everyone a right one. There are 3^N states.",
    origin: "E. W. Dijkstra, 1971; the net of the Model Checking Contest (Philosophers-PT)",
    parameters: &[Parameter {
        name: "N",
        meaning: "philosophers",
        smallest: 2,
        largest: 5_000_000,
        example: 10,
    }],
    build,
};

fn build(net: &mut Builder, parameters: &[u64]) -> Result<(), Interrupted> {
    let n = parameters[0];
    let think = net.row(n, |i| numbered("Think_", i + 1), |_| 1)?;
    let fork = net.row(n, |i| numbered("Fork_", i + 1), |_| 1)?;
    let catch1 = net.row(n, |i| numbered("Catch1_", i + 1), |_| 0)?;
    let catch2 = net.row(n, |i| numbered("Catch2_", i + 1), |_| 0)?;
    let eat = net.row(n, |i| numbered("Eat_", i + 1), |_| 0)?;

    net.expect_transitions(5 * n)?;
    // A philosopher has the fork of the same number on one side and the one before on the other.
    let before = |i| fork.at((i + n - 1) % n);
    for i in 0..n {
        net.transition(numbered("FF1a_", i + 1), [think.at(i), before(i)], [catch1.at(i)])?;
    }
    for i in 0..n {
        net.transition(numbered("FF1b_", i + 1), [think.at(i), fork.at(i)], [catch2.at(i)])?;
    }
    for i in 0..n {
        net.transition(numbered("FF2a_", i + 1), [catch1.at(i), fork.at(i)], [eat.at(i)])?;
    }
    for i in 0..n {
        net.transition(numbered("FF2b_", i + 1), [catch2.at(i), before(i)], [eat.at(i)])?;
    }
    for i in 0..n {
        net.transition(numbered("End_", i + 1), [eat.at(i)], [think.at(i), fork.at(i), before(i)])?;
    }
    Ok(())
}
