//! A critical section that processes pass in waves.

use super::Family;
use symbolon_petri::families::Parameter;

pub(super) const FAMILY: Family = Family {
    name: "cs-wave",
    summary: "a critical section that processes pass wave by wave, coloured",
    description: "N processes ask for a critical section. Those who asked join the wave while the \
        section is free, and one process of the wave after the other passes through it. The protocol \
        lets the process with the highest number through; here it is any process of the wave, so the \
        processes can be exchanged for one another, except the first, which has a transition of its \
        own. There are (N+3)*3^(N-1) states.",
    origin: "Y. Thierry-Mieg, J.-M. Ilié, D. Poitrenaud, A symbolic symbolic state space representation \
        (FORTE 2004), section 7, which describes it; written here from the description",
    parameters: &[Parameter { name: "N", meaning: "processes", smallest: 2, largest: 1_000_000, example: 5 }],
    variants: &[],
    write,
};

fn write(parameters: &[u64], _variant: Option<&str>) -> String {
    let n = parameters[0];
    format!(
        "class Process = {{p1..p{n}}}
var p: Process

place idle: Process = all
place asking: Process
place wave: Process
place critical: Process
place free = 1

transition ask:
  take idle(p)
  put asking(p)
transition join:
  take asking(p)
  read free
  put wave(p)
transition pass_first:
  take wave(p1), free
  put critical(p1)
transition pass [p != p1]:
  take wave(p), free
  put critical(p)
transition leave:
  take critical(p)
  put idle(p), free
"
    )
}
