//! The swimming pool: people, cabins and bags.

use super::{Builder, Family, Parameter};
use crate::net::LARGEST_COUNT;
use symbolon_budget::Interrupted;

pub(super) const FAMILY: Family = Family {
    name: "swimming-pool",
    summary: "a swimming pool whose guests need a cabin and a bag to change clothes",
    description: "20·N people, 10·N cabins and 15·N bags. A guest enters, takes a cabin, then a bag \
        for the clothes, undresses, frees the cabin and swims; to leave, the guest takes a cabin \
        again, dresses, gives back the bag and at last the cabin. Guests in all cabins who wait for a bag \
        while all bags belong to swimmers who wait for a cabin would block each other, but that takes \
        25·N people. swimming-pool:1 has 89 621 states.",
    origin: "the net of the Model Checking Contest (SwimmingPool-PT)",
    parameters: &[Parameter {
        name: "N",
        meaning: "size of the pool",
        smallest: 1,
        largest: LARGEST_COUNT / 20,
        example: 1,
    }],
    build,
};

fn build(net: &mut Builder, parameters: &[u64]) -> Result<(), Interrupted> {
    let n = parameters[0];
    let out = net.place("Out", 20 * n)?;
    let entered = net.place("Entered", 0)?;
    let wait_bag = net.place("WaitBag", 0)?;
    let undress = net.place("Undress", 0)?;
    let in_bath = net.place("InBath", 0)?;
    let dress = net.place("Dress", 0)?;
    let dressed = net.place("Dressed", 0)?;
    let cabins = net.place("Cabins", 10 * n)?;
    let bags = net.place("Bags", 15 * n)?;

    net.transition("Enter".into(), [out], [entered])?;
    net.transition("GetK".into(), [entered, cabins], [wait_bag])?;
    net.transition("GetB".into(), [wait_bag, bags], [undress])?;
    net.transition("RelK".into(), [undress], [in_bath, cabins])?;
    net.transition("GetK2".into(), [in_bath, cabins], [dress])?;
    net.transition("RBag".into(), [dress], [dressed, bags])?;
    net.transition("RKey".into(), [dressed], [out, cabins])
}
