//! Dekker's mutual exclusion, for N processes.

use super::{Builder, Family, Parameter};
use symbolon_budget::Interrupted;

pub(super) const FAMILY: Family = Family {
    name: "dekker",
    summary: "mutual exclusion: raise a flag, withdraw while another flag is up",
    description: "A variant of Dekker's algorithm for N processes. Each has a flag. A process raises \
        its flag; if it sees another flag up it may withdraw; once all other flags are down it \
        enters the critical section, and lowers its flag when it leaves. Every process tests every \
        flag, so the net has about N² transitions. There are 2^(N−1) · (N + 2) states.",
    origin: "E. W. Dijkstra, 1965, after T. Dekker; the net of the Model Checking Contest (Dekker-PT)",
    parameters: &[Parameter { name: "N", meaning: "processes", smallest: 2, largest: 3_500, example: 10 }],
    build,
};

fn build(net: &mut Builder, parameters: &[u64]) -> Result<(), Interrupted> {
    let n = parameters[0];
    let down = net.row(n, |i| format!("flag_0_{i}"), |_| 1)?;
    let up = net.row(n, |i| format!("flag_1_{i}"), |_| 0)?;
    let idle = net.row(n, |i| format!("p0_{i}"), |_| 1)?;
    let trying = net.row(n, |i| format!("p1_{i}"), |_| 0)?;
    let critical = net.row(n, |i| format!("p3_{i}"), |_| 0)?;

    net.expect_transitions(n * (n + 2))?;
    for i in 0..n {
        net.transition(format!("try_{i}"), [idle.at(i), down.at(i)], [trying.at(i), up.at(i)])?;
        for other in (0..n).filter(|&other| other != i) {
            net.transition(
                format!("withdraw_{i}_{other}"),
                [trying.at(i), up.at(i), up.at(other)],
                [idle.at(i), down.at(i), up.at(other)],
            )?;
        }
        let others_down = (0..n).filter(|&other| other != i).map(|other| down.at(other));
        let inputs = others_down.clone().chain([trying.at(i)]).collect();
        let outputs = others_down.chain([critical.at(i)]).collect();
        net.wide_transition(format!("enter_{i}"), inputs, outputs)?;
        net.transition(format!("exit_{i}"), [critical.at(i), up.at(i)], [idle.at(i), down.at(i)])?;
    }
    Ok(())
}
