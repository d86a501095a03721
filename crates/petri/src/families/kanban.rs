//! The kanban manufacturing system.

use super::{Builder, Family, Parameter};
use crate::net::LARGEST_COUNT;
use symbolon_budget::Interrupted;

pub(super) const FAMILY: Family = Family {
    name: "kanban",
    summary: "a factory of four cells steered by cards (kanbans)",
    description: "Four production cells with N cards each. A part that enters a cell takes a card, is \
        machined, possibly sent back for another go, and leaves once it is good; then the card is \
        free again. Cell 4 feeds cells 2 and 3, which work side by side and together feed cell 1. \
        The net always has 16 places; only the number of cards grows. kanban:5 has 2 546 432 states.",
    origin: "M. Tilgner, Y. Takahashi, G. Ciardo, 1996; the net of the Model Checking Contest (Kanban-PT)",
    parameters: &[Parameter {
        name: "N",
        meaning: "cards in each cell",
        smallest: 1,
        largest: LARGEST_COUNT,
        example: 5,
    }],
    build,
};

fn build(net: &mut Builder, parameters: &[u64]) -> Result<(), Interrupted> {
    let cards = parameters[0];
    let machine = net.row(4, |i| format!("Pm{}", i + 1), |_| 0)?;
    let back = net.row(4, |i| format!("Pback{}", i + 1), |_| 0)?;
    let out = net.row(4, |i| format!("Pout{}", i + 1), |_| 0)?;
    let card = net.row(4, |i| format!("P{}", i + 1), |_| cards)?;

    net.transition("tin4".into(), [card.at(3)], [machine.at(3)])?;
    for i in 0..4 {
        net.transition(format!("tredo{}", i + 1), [machine.at(i)], [back.at(i)])?;
        net.transition(format!("tback{}", i + 1), [back.at(i)], [machine.at(i)])?;
        net.transition(format!("tok{}", i + 1), [machine.at(i)], [out.at(i)])?;
    }
    // Cell 4 hands a part to cells 2 and 3 at once, and these two hand theirs to cell 1.
    net.transition(
        "tsynch4_23".into(),
        [out.at(3), card.at(1), card.at(2)],
        [card.at(3), machine.at(1), machine.at(2)],
    )?;
    net.transition(
        "tsynch1_23".into(),
        [out.at(1), out.at(2), card.at(0)],
        [card.at(1), card.at(2), machine.at(0)],
    )?;
    net.transition("tout1".into(), [out.at(0)], [card.at(0)])
}
