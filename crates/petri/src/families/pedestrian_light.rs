//! Pedestrian lights with a button.

use super::{Builder, Family, Parameter};
use symbolon_budget::Interrupted;

pub(super) const FAMILY: Family = Family {
    name: "pedestrian-light",
    summary: "a pedestrian light with a button, at each of N crossings of a street",
    description: "Cars have green until the button is pressed. Then their light turns yellow and red, the \
        pedestrians get green once and red again, and after that the cars get green back. The button may be \
        pressed again as soon as the pedestrians have green, for the next round. N such crossings work side \
        by side without knowing of each other; pedestrian-light:1 is the one to draw. \
        While pedestrians have green the cars have red, no place ever holds two tokens, there is no \
        deadlock, and every request can be answered. There are 8^N states.",
    origin: "a classroom example of many courses, written anew here",
    parameters: &[Parameter { name: "N", meaning: "crossings", smallest: 1, largest: 3_000_000, example: 1 }],
    build,
};

fn build(net: &mut Builder, parameters: &[u64]) -> Result<(), Interrupted> {
    let n = parameters[0];
    let mut row = |name: &str, initial| net.row(n, |i| format!("{name}_{}", i + 1), |_| initial);
    let cars_green = row("cars_green", 1)?;
    let cars_yellow = row("cars_yellow", 0)?;
    let cars_red = row("cars_red", 0)?;
    let people_red = row("people_red", 1)?;
    let people_green = row("people_green", 0)?;
    let button_free = row("button_free", 1)?;
    let button_pressed = row("button_pressed", 0)?;
    // The lights hand these two to each other, so that people walk once while the cars have red.
    let people_may_go = row("people_may_go", 0)?;
    let cars_may_go = row("cars_may_go", 0)?;

    net.expect_transitions(6 * n)?;
    for i in 0..n {
        let id = |name: &str| format!("{name}_{}", i + 1);
        let pressed = button_pressed.at(i);
        net.transition(id("press_button"), [button_free.at(i)], [pressed])?;
        net.transition(id("stop_cars"), [cars_green.at(i), pressed], [cars_yellow.at(i), pressed])?;
        net.transition(id("cars_stand"), [cars_yellow.at(i)], [cars_red.at(i), people_may_go.at(i)])?;
        net.transition(
            id("let_people_walk"),
            [people_red.at(i), people_may_go.at(i), pressed],
            [people_green.at(i), button_free.at(i)],
        )?;
        net.transition(id("stop_people"), [people_green.at(i)], [people_red.at(i), cars_may_go.at(i)])?;
        net.transition(id("let_cars_drive"), [cars_red.at(i), cars_may_go.at(i)], [cars_green.at(i)])?;
    }
    Ok(())
}
