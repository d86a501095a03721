//! Dining philosophers who wait for both forks independently: L(3N) states.

use super::builder::numbered;
use super::{Builder, Family, Parameter};
use symbolon_budget::Interrupted;

pub(super) const FAMILY: Family = Family {
    name: "philosophers-left-right",
    summary: "dining philosophers who wait for the left and the right fork independently",
    description: "N philosophers and N forks. A philosopher who wants to eat begins to wait for the \
        left and for the right fork, gets them in whichever order they are free, eats once both are \
        there, and then releases both. The number of states is the Lucas number L(3N): 18, 76, 322, \
        … for N = 2, 3, 4, …; two of them are deadlocks.",
    origin: "the model 'phils' of the tools SMART and Meddly (G. Ciardo, A. Miner), after Dijkstra",
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
    net.expect_places(6 * n)?;
    let idle = net.row(n, |i| numbered("Idle_", i + 1), |_| 1)?;
    let wait_left = net.row(n, |i| numbered("WaitLeft_", i + 1), |_| 0)?;
    let wait_right = net.row(n, |i| numbered("WaitRight_", i + 1), |_| 0)?;
    let has_left = net.row(n, |i| numbered("HasLeft_", i + 1), |_| 0)?;
    let has_right = net.row(n, |i| numbered("HasRight_", i + 1), |_| 0)?;
    let fork = net.row(n, |i| numbered("Fork_", i + 1), |_| 1)?;

    net.expect_transitions(4 * n)?;
    // The left fork has the philosopher's own number, the right fork the next one.
    let right = |i| fork.at((i + 1) % n);
    for i in 0..n {
        net.transition(numbered("GoEat_", i + 1), [idle.at(i)], [wait_left.at(i), wait_right.at(i)])?;
    }
    for i in 0..n {
        net.transition(numbered("GetLeft_", i + 1), [wait_left.at(i), fork.at(i)], [has_left.at(i)])?;
    }
    for i in 0..n {
        net.transition(numbered("GetRight_", i + 1), [wait_right.at(i), right(i)], [has_right.at(i)])?;
    }
    for i in 0..n {
        let released = [idle.at(i), fork.at(i), right(i)];
        net.transition(numbered("Release_", i + 1), [has_left.at(i), has_right.at(i)], released)?;
    }
    Ok(())
}
