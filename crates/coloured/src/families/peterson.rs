//! Peterson's algorithm for N processes, level by level.

use super::Family;
use symbolon_petri::families::Parameter;

pub(super) const FAMILY: Family = Family {
    name: "peterson-coloured",
    summary: "Peterson's mutual exclusion for N processes, coloured",
    description: "A process climbs from level 0 to level N, where it is in the critical section. The \
        process that entered a level last has its turn to wait there: it climbs on if another process \
        enters the level, or if no other process is at this level or above. Whether others are there \
        is read from a count of the processes below each level. There are 9 states for 2 processes, \
        55, 441, 4361 and 51133 for 3 to 6. The families 'peterson' and this one differ in what is a \
        step.",
    origin: "G. L. Peterson, Myths about the mutual exclusion problem (1981); the net by levels of \
        Y. Thierry-Mieg, J.-M. Ilié, D. Poitrenaud (FORTE 2004), written here from the algorithm",
    parameters: &[Parameter { name: "N", meaning: "processes", smallest: 2, largest: 999_999, example: 4 }],
    variants: &[],
    write,
};

fn write(parameters: &[u64], _variant: Option<&str>) -> String {
    let n = parameters[0];
    let last = n - 1;
    let mut text = format!(
        "class Process = {{p1..p{n}}}
class Level = range 0..{n}
var p, q, r: Process
var l: Level

place level: Process x Level = (all, 0)
place turn: Process x Level
place nobody: Level = all - (0 + {n})
place below: Level = {n}*(all - (0 + {n}))

transition ask_first:
  take level(p, 0), nobody(1), below(1)
  put level(p, 1), turn(p, 1)
transition ask:
  take level(p, 0), turn(q, 1), below(1)
  put level(p, 1), turn(p, 1)
"
    );
    if n > 2 {
        text.push_str(&format!(
            "transition overtaken_climb_first [p != q & l >= 1 & l < {last}]:
  take level(p, l), nobody(l++), below(l++)
  read turn(q, l)
  put level(p, l++), turn(p, l++)
transition overtaken_climb [p != q & l >= 1 & l < {last}]:
  take level(p, l), turn(r, l++), below(l++)
  read turn(q, l)
  put level(p, l++), turn(p, l++)
transition alone_climb_first [l >= 1 & l < {last}]:
  take level(p, l), turn(p, l), nobody(l++), below(l++)
  read below({last}*l)
  put level(p, l++), turn(p, l++), nobody(l)
transition alone_climb [l >= 1 & l < {last}]:
  take level(p, l), turn(p, l), turn(r, l++), below(l++)
  read below({last}*l)
  put level(p, l++), turn(p, l++), nobody(l)
"
        ));
    }
    text.push_str(&format!(
        "transition overtaken_enter [p != q]:
  take level(p, {last})
  read turn(q, {last})
  put level(p, {n})
transition alone_enter:
  take level(p, {last}), turn(p, {last})
  read below({last}*{last})
  put level(p, {n}), nobody({last})
transition leave:
  take level(p, {n})
  put level(p, 0), below(all - (0 + {n}))
"
    ));
    text
}
