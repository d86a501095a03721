//! Dining philosophers as in the Model Checking Contest, as one coloured net: 3^N states.

use super::Family;
use symbolon_petri::families::Parameter;

pub(super) const FAMILY: Family = Family {
    name: "philosophers-coloured",
    summary: "dining philosophers who take their two forks in either order, coloured",
    description: "N philosophers sit round a table with one fork between each two neighbours. A \
        philosopher thinks, takes one fork, then the other, eats, and puts both back. Nobody puts \
        back a single fork, so the table can deadlock in two ways. There are 3^N states; unfolded, \
        the net is that of the family 'philosophers'.",
    origin: "E. W. Dijkstra, 1971; the net of the Model Checking Contest (Philosophers-COL)",
    parameters: &[Parameter {
        name: "N",
        meaning: "philosophers",
        smallest: 2,
        largest: 1_000_000,
        example: 10,
    }],
    variants: &[],
    write,
};

fn write(parameters: &[u64], _variant: Option<&str>) -> String {
    let n = parameters[0];
    format!(
        "class Philo = cyclic {{1..{n}}}
var x: Philo

place Think: Philo = all
place Fork: Philo = all
place Catch1: Philo
place Catch2: Philo
place Eat: Philo

transition FF1a:
  take Think(x), Fork(x--)
  put Catch1(x)
transition FF1b:
  take Think(x), Fork(x)
  put Catch2(x)
transition FF2a:
  take Catch1(x), Fork(x)
  put Eat(x)
transition FF2b:
  take Catch2(x), Fork(x--)
  put Eat(x)
transition End:
  take Eat(x)
  put Think(x), Fork(x + x--)
"
    )
}
