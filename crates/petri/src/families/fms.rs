//! The flexible manufacturing system.

use super::{Builder, Family, Parameter};
use crate::net::LARGEST_COUNT;
use symbolon_budget::Interrupted;

pub(super) const FAMILY: Family = Family {
    name: "fms",
    summary: "a flexible manufacturing system: three kinds of parts share three machines",
    description: "N pallets for each of three kinds of parts. Parts P1 go to machine M1 (three of \
        them), parts P2 to M2 (one), and parts P3 use M2 as well, whenever it is idle. A finished P1 \
        and a finished P2 are either shipped, or joined to a P12 that M3 (two of them) works on. \
        Shipped parts are replaced by raw ones. fms:5 has 2 895 018 states.",
    origin: "G. Ciardo, K. Trivedi, 1993; the net of the Model Checking Contest (FMS-PT)",
    parameters: &[Parameter {
        name: "N",
        meaning: "pallets for each kind of part",
        smallest: 1,
        largest: LARGEST_COUNT,
        example: 5,
    }],
    build,
};

fn build(net: &mut Builder, parameters: &[u64]) -> Result<(), Interrupted> {
    let pallets = parameters[0];
    let p1 = net.place("P1", pallets)?;
    let p1_waits_m1 = net.place("P1wM1", 0)?;
    let p1_on_m1 = net.place("P1M1", 0)?;
    let p1_done = net.place("P1d", 0)?;
    let p1_shipped = net.place("P1s", 0)?;
    let p1_waits_p2 = net.place("P1wP2", 0)?;
    let p2 = net.place("P2", pallets)?;
    let p2_waits_m2 = net.place("P2wM2", 0)?;
    let p2_on_m2 = net.place("P2M2", 0)?;
    let p2_done = net.place("P2d", 0)?;
    let p2_shipped = net.place("P2s", 0)?;
    let p2_waits_p1 = net.place("P2wP1", 0)?;
    let p3 = net.place("P3", pallets)?;
    let p3_on_m2 = net.place("P3M2", 0)?;
    let p3_shipped = net.place("P3s", 0)?;
    let p12 = net.place("P12", 0)?;
    let p12_waits_m3 = net.place("P12wM3", 0)?;
    let p12_on_m3 = net.place("P12M3", 0)?;
    let p12_shipped = net.place("P12s", 0)?;
    let m1 = net.place("M1", 3)?;
    let m2 = net.place("M2", 1)?;
    let m3 = net.place("M3", 2)?;

    net.transition("tP1".into(), [p1], [p1_waits_m1])?;
    net.transition("tM1".into(), [p1_waits_m1, m1], [p1_on_m1])?;
    net.transition("tP1M1".into(), [p1_on_m1], [p1_done, m1])?;
    net.transition("tP1e".into(), [p1_done], [p1_shipped])?;
    net.transition("tP1j".into(), [p1_done], [p1_waits_p2])?;
    net.transition("tP1s".into(), [p1_shipped], [p1])?;

    net.transition("tP2".into(), [p2], [p2_waits_m2])?;
    net.transition("tM2".into(), [p2_waits_m2, m2], [p2_on_m2])?;
    net.transition("tP2M2".into(), [p2_on_m2], [p2_done, m2])?;
    net.transition("tP2e".into(), [p2_done], [p2_shipped])?;
    net.transition("tP2j".into(), [p2_done], [p2_waits_p1])?;
    net.transition("tP2s".into(), [p2_shipped], [p2])?;

    net.transition("tP3".into(), [p3], [p3_on_m2])?;
    net.transition("tP3M2".into(), [p3_on_m2, m2], [p3_shipped, m2])?;
    net.transition("tP3s".into(), [p3_shipped], [p3])?;

    net.transition("tx".into(), [p1_waits_p2, p2_waits_p1], [p12])?;
    net.transition("tP12".into(), [p12], [p12_waits_m3])?;
    net.transition("tM3".into(), [p12_waits_m3, m3], [p12_on_m3])?;
    net.transition("tP12M3".into(), [p12_on_m3], [p12_shipped, m3])?;
    net.transition("tP12s".into(), [p12_shipped], [p1, p2])
}
