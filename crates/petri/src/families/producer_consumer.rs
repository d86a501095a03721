//! Producers and consumers with a buffer between them.

use super::{Builder, Family, Parameter};
use crate::net::LARGEST_COUNT;
use symbolon_budget::Interrupted;

pub(super) const FAMILY: Family = Family {
    name: "producer-consumer",
    summary: "producers and consumers with a buffer of limited size between them",
    description: "P producers make items and put them into a buffer with N slots; C consumers take items \
        out of it and use them up. A process that finds no free slot, or no item, waits. Everyone of a kind behaves \
        alike, so a place counts them and the net always has 6 places. The buffer never \
        overflows (items + free_slots = N), there is no deadlock, and every step can always happen again. \
        There are (P + 1) · (N + 1) · (C + 1) states.",
    origin: "the bounded buffer of E. W. Dijkstra, 1965; a common first net of textbooks, written anew here",
    parameters: &[
        Parameter { name: "P", meaning: "producers", smallest: 1, largest: LARGEST_COUNT, example: 2 },
        Parameter { name: "C", meaning: "consumers", smallest: 1, largest: LARGEST_COUNT, example: 2 },
        Parameter {
            name: "N",
            meaning: "slots of the buffer",
            smallest: 1,
            largest: LARGEST_COUNT,
            example: 3,
        },
    ],
    build,
};

fn build(net: &mut Builder, parameters: &[u64]) -> Result<(), Interrupted> {
    let [producers, consumers, slots] = [parameters[0], parameters[1], parameters[2]];
    let ready_to_produce = net.place("ready_to_produce", producers)?;
    let ready_to_put = net.place("ready_to_put", 0)?;
    let free_slots = net.place("free_slots", slots)?;
    let items = net.place("items", 0)?;
    let ready_to_take = net.place("ready_to_take", consumers)?;
    let ready_to_consume = net.place("ready_to_consume", 0)?;

    net.transition("produce".into(), [ready_to_produce], [ready_to_put])?;
    net.transition("put".into(), [ready_to_put, free_slots], [ready_to_produce, items])?;
    net.transition("take".into(), [ready_to_take, items], [ready_to_consume, free_slots])?;
    net.transition("consume".into(), [ready_to_consume], [ready_to_take])
}
