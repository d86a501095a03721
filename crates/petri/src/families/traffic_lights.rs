//! Traffic lights at a crossing, one direction at a time.

use super::{Builder, Family, Parameter};
use symbolon_budget::Interrupted;

pub(super) const FAMILY: Family = Family {
    name: "traffic-lights",
    summary: "traffic lights at a crossing that let one direction go at a time",
    description: "A crossing with N directions. Each has a light that goes from red to green, to yellow and \
        back to red. The turn passes from direction to direction, and a light leaves red only on its turn, so at most one \
        light is not red. Cars come at any time, at most one waits in each direction, and it drives while its light \
        is green. No place ever holds two tokens, there is no deadlock, and every car can always \
        get through. There are 3 · N · 2^N states.",
    origin: "a classroom example of many courses, written anew here",
    parameters: &[Parameter {
        name: "N",
        meaning: "directions",
        smallest: 2,
        largest: 3_000_000,
        example: 4,
    }],
    build,
};

fn build(net: &mut Builder, parameters: &[u64]) -> Result<(), Interrupted> {
    let n = parameters[0];
    let red = net.row(n, |i| format!("red_{}", i + 1), |_| 1)?;
    let green = net.row(n, |i| format!("green_{}", i + 1), |_| 0)?;
    let yellow = net.row(n, |i| format!("yellow_{}", i + 1), |_| 0)?;
    let turn = net.row(n, |i| format!("turn_{}", i + 1), |i| u64::from(i == 0))?;
    let no_car = net.row(n, |i| format!("no_car_{}", i + 1), |_| 1)?;
    let car_waits = net.row(n, |i| format!("car_waits_{}", i + 1), |_| 0)?;

    net.expect_transitions(5 * n)?;
    for i in 0..n {
        net.transition(format!("turn_green_{}", i + 1), [red.at(i), turn.at(i)], [green.at(i)])?;
    }
    for i in 0..n {
        net.transition(format!("turn_yellow_{}", i + 1), [green.at(i)], [yellow.at(i)])?;
    }
    for i in 0..n {
        let next = turn.at((i + 1) % n);
        net.transition(format!("turn_red_{}", i + 1), [yellow.at(i)], [red.at(i), next])?;
    }
    for i in 0..n {
        net.transition(format!("car_comes_{}", i + 1), [no_car.at(i)], [car_waits.at(i)])?;
    }
    for i in 0..n {
        let id = format!("car_drives_{}", i + 1);
        net.transition(id, [car_waits.at(i), green.at(i)], [no_car.at(i), green.at(i)])?;
    }
    Ok(())
}
