//! Clients who ask servers: the running example of symbolic markings.

use super::Family;
use symbolon_petri::families::Parameter;

pub(super) const FAMILY: Family = Family {
    name: "client-server",
    summary: "clients who send requests to servers of their choice, coloured",
    description: "Each of C clients sends a request to one of S servers and waits. A server that is \
        free accepts a request, treats it, and answers; the client acknowledges the answer and starts \
        again. Clients can be exchanged for one another, and so can servers. There are 34 states for \
        2 clients and 2 servers, 4864 for 5 and 2, 242078275484 for 9 and 9.",
    origin: "Y. Thierry-Mieg, J.-M. Ilié, D. Poitrenaud, A symbolic symbolic state space representation \
        (FORTE 2004), figure 1",
    parameters: &[
        Parameter { name: "C", meaning: "clients", smallest: 1, largest: 1_000_000, example: 5 },
        Parameter { name: "S", meaning: "servers", smallest: 1, largest: 1_000_000, example: 2 },
    ],
    variants: &[],
    write,
};

fn write(parameters: &[u64], _variant: Option<&str>) -> String {
    let (c, s) = (parameters[0], parameters[1]);
    format!(
        "class Client = {{c1..c{c}}}
class Server = {{s1..s{s}}}
var c: Client
var s: Server

place ready: Client = all
place waiting: Client
place answered: Client
place free: Server = all
place requested: Client x Server
place treated: Client x Server

transition send:
  take ready(c)
  put waiting(c), requested(c, s)
transition accept:
  take requested(c, s), free(s)
  put treated(c, s)
transition answer:
  take treated(c, s)
  put answered(c), free(s)
transition acknowledge:
  take waiting(c), answered(c)
  put ready(c)
"
    )
}
