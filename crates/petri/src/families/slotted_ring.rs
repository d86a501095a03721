//! The slotted ring network.

use super::{Builder, Family, Parameter};
use symbolon_budget::Interrupted;

pub(super) const FAMILY: Family = Family {
    name: "slotted-ring",
    summary: "a local network in which slots, free or used, travel round a ring of nodes",
    description: "Each of N nodes holds one slot, free or used, and hands it to its neighbour when \
        that is ready. A node that gets a used slot passes it on if the message belongs to another \
        node, and frees it if the message is its own and came back; a node that gets a free slot \
        either writes a message into it or lets it go. The numbers of states are 52, 504, 5136, \
        53856, … for N = 2, 3, 4, 5, …",
    origin: "E. Pastor, O. Roig, J. Cortadella, R. Badia, 1994; the model 'slot' of SMART and Meddly",
    parameters: &[Parameter { name: "N", meaning: "nodes", smallest: 1, largest: 3_000_000, example: 10 }],
    build,
};

fn build(net: &mut Builder, parameters: &[u64]) -> Result<(), Interrupted> {
    let n = parameters[0];
    let ready = net.row(n, |i| format!("Ready_{}", i + 1), |_| 1)?;
    let got_used = net.row(n, |i| format!("GotUsed_{}", i + 1), |_| 0)?;
    let got_free = net.row(n, |i| format!("GotFree_{}", i + 1), |_| 0)?;
    let pass_used = net.row(n, |i| format!("PassUsed_{}", i + 1), |_| 0)?;
    let pass_free = net.row(n, |i| format!("PassFree_{}", i + 1), |_| 0)?;
    let send_used = net.row(n, |i| format!("SendUsed_{}", i + 1), |_| 0)?;
    let send_free = net.row(n, |i| format!("SendFree_{}", i + 1), |_| 1)?;
    let sent = net.row(n, |i| format!("Sent_{}", i + 1), |_| 0)?;

    net.expect_transitions(8 * n)?;
    for i in 0..n {
        // Slots travel downwards round the ring.
        let neighbour = (i + n - 1) % n;
        let name = |event: &str| format!("{event}_{}", i + 1);
        net.transition(
            name("Used"),
            [send_used.at(i), ready.at(neighbour)],
            [sent.at(i), got_used.at(neighbour)],
        )?;
        net.transition(
            name("Free"),
            [send_free.at(i), ready.at(neighbour)],
            [sent.at(i), got_free.at(neighbour)],
        )?;
        net.transition(name("Other"), [got_used.at(i)], [pass_used.at(i)])?;
        net.transition(name("Owner"), [got_used.at(i)], [got_free.at(i)])?;
        net.transition(name("Write"), [got_free.at(i)], [pass_used.at(i)])?;
        net.transition(name("Go"), [got_free.at(i)], [pass_free.at(i)])?;
        net.transition(name("Put"), [pass_used.at(i), sent.at(i)], [ready.at(i), send_used.at(i)])?;
        net.transition(name("Get"), [pass_free.at(i), sent.at(i)], [ready.at(i), send_free.at(i)])?;
    }
    Ok(())
}
