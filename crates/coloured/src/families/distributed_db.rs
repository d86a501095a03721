//! A replicated database whose sites send each other every change.

use super::{Family, Variant};
use symbolon_petri::families::Parameter;

pub(super) const FAMILY: Family = Family {
    name: "distributed-db",
    summary: "sites of a database that tell all others of a change, coloured",
    description: "N sites keep copies of a database. A site that changes its copy sends a message to \
        each of the others and waits until all have acknowledged it; meanwhile no other site may start \
        a change. Since only one site waits at a time, a message is known by its receiver; with \
        'pairs' it names sender and receiver, as in the original. There are 1 + N*3^(N-1) states in \
        either form.",
    origin: "K. Jensen, Coloured Petri nets and the invariant method (Theoretical Computer Science, 1981)",
    parameters: &[Parameter { name: "N", meaning: "sites", smallest: 2, largest: 1_000_000, example: 5 }],
    variants: &[Variant { name: "pairs", meaning: "messages name their sender, too" }],
    write,
};

fn write(parameters: &[u64], variant: Option<&str>) -> String {
    let n = parameters[0];
    if variant == Some("pairs") { with_pairs(n) } else { by_receiver(n) }
}

fn by_receiver(n: u64) -> String {
    format!(
        "class Site = {{d1..d{n}}}
var s, r: Site

place inactive: Site = all
place waiting: Site
place performing: Site
place unused: Site = all
place sent: Site
place received: Site
place acknowledged: Site
place passive = 1
place active

transition update:
  take inactive(s), unused(all - s), passive
  put waiting(s), sent(all - s), active
transition receive:
  take inactive(r), sent(r)
  put performing(r), received(r)
transition acknowledge:
  take performing(r), received(r)
  put inactive(r), acknowledged(r)
transition finish:
  take waiting(s), acknowledged(all - s), active
  put inactive(s), unused(all - s), passive
"
    )
}

fn with_pairs(n: u64) -> String {
    let diagonal: Vec<String> = (1..=n).map(|site| format!("(d{site}, d{site})")).collect();
    format!(
        "class Site = {{d1..d{n}}}
var s, r: Site

place inactive: Site = all
place waiting: Site
place performing: Site
place unused: Site x Site = all - ({})
place sent: Site x Site
place received: Site x Site
place acknowledged: Site x Site
place passive = 1
place active

transition update:
  take inactive(s), unused(s, all - s), passive
  put waiting(s), sent(s, all - s), active
transition receive:
  take inactive(r), sent(s, r)
  put performing(r), received(s, r)
transition acknowledge:
  take performing(r), received(s, r)
  put inactive(r), acknowledged(s, r)
transition finish:
  take waiting(s), acknowledged(s, all - s), active
  put inactive(s), unused(s, all - s), passive
",
        diagonal.join(" + ")
    )
}
