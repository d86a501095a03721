//! Peterson's mutual exclusion for any number of processes.

use super::builder::Row;
use super::{Builder, Family, Parameter};
use crate::net::PlaceId;
use symbolon_budget::Interrupted;

pub(super) const FAMILY: Family = Family {
    name: "peterson",
    summary: "mutual exclusion: N + 1 processes pass N turns, each of which holds one of them back",
    description: "Peterson's algorithm for N + 1 processes. To enter, a process says that it wants to, \
        and then passes N turns. At each turn it writes its name on the turn's board; it passes \
        once another name stands there, or once it has looked at all others, one by one, and none \
        wants to enter. The net has about 6 · N³ transitions; peterson:2 has 20 754 states.",
    origin: "G. L. Peterson, 1981; the net of the Model Checking Contest (Peterson-PT)",
    parameters: &[Parameter {
        name: "N",
        meaning: "processes beside the first one",
        smallest: 1,
        largest: 150,
        example: 2,
    }],
    build,
};

/// Places by process and turn, or by process, turn and another process.
#[derive(Clone, Copy)]
struct Grid {
    row: Row,
    processes: u64,
    turns: u64,
}

impl Grid {
    fn at(self, process: u64, turn: u64) -> PlaceId {
        self.row.at(process * self.turns + turn)
    }

    fn at_other(self, process: u64, turn: u64, other: u64) -> PlaceId {
        self.row.at((process * self.turns + turn) * self.processes + other)
    }
}

fn build(net: &mut Builder, parameters: &[u64]) -> Result<(), Interrupted> {
    let turns = parameters[0];
    let processes = turns + 1;
    let last = turns - 1;
    let pairs = |net: &mut Builder, kind: &str| {
        let id = |k| format!("{kind}_{}_{}", k / turns, k % turns);
        let row = net.row(processes * turns, id, |_| 0)?;
        Ok::<_, Interrupted>(Grid { row, processes, turns })
    };
    let triples = |net: &mut Builder, kind: &str| {
        let id = |k| format!("{kind}_{}_{}_{}", k / processes / turns, k / processes % turns, k % processes);
        let row = net.row(processes * turns * processes, id, |_| 0)?;
        Ok::<_, Interrupted>(Grid { row, processes, turns })
    };
    // A row that leaves out the process itself.
    let other_of = |k: u64| {
        let (process, k_other) = (k / turns / turns, k % turns);
        (process, k / turns % turns, k_other + u64::from(k_other >= process))
    };
    let alone_name = |k| {
        let (process, turn, other) = other_of(k);
        format!("TestAlone_{process}_{turn}_{other}")
    };

    let idle = net.row(processes, |i| format!("Idle_{i}"), |_| 1)?;
    let wants_not = net.row(processes, |i| format!("WantSection_{i}_F"), |_| 1)?;
    let wants = net.row(processes, |i| format!("WantSection_{i}_T"), |_| 0)?;
    let board_name = |k| format!("Turn_{}_{}", k / processes, k % processes);
    let boards = net.row(turns * processes, board_name, |k| u64::from(k % processes == 0))?;
    let board = |turn, process| boards.at(turn * processes + process);
    let ask = pairs(net, "AskForSection")?;
    let test_turn = pairs(net, "TestTurn")?;
    let begin_loop = triples(net, "BeginLoop")?;
    let test_identity = triples(net, "TestIdentity")?;
    let test_alones = net.row(processes * turns * turns, alone_name, |_| 0)?;
    let test_alone = |process, turn, other| {
        test_alones.at((process * turns + turn) * turns + other - u64::from(other > process))
    };
    let is_end_loop = triples(net, "IsEndLoop")?;
    let end_turn = pairs(net, "EndTurn")?;
    let critical = net.row(processes, |i| format!("CS_{i}"), |_| 0)?;

    for i in 0..processes {
        net.transition(format!("Ask_{i}"), [idle.at(i), wants_not.at(i)], [ask.at(i, 0), wants.at(i)])?;
        for turn in 0..turns {
            // Write the own name on the board over any other, and read which name is there now.
            for k in 0..processes {
                net.transition(
                    format!("UpdateTurn_{i}_{k}_{turn}"),
                    [ask.at(i, turn), board(turn, k)],
                    [test_turn.at(i, turn), board(turn, i)],
                )?;
            }
            net.transition(
                format!("TurnEqual_{i}_{turn}"),
                [test_turn.at(i, turn), board(turn, i)],
                [begin_loop.at_other(i, turn, 0), board(turn, i)],
            )?;
            for k in (0..processes).filter(|&k| k != i) {
                net.transition(
                    format!("TurnDiff_{i}_{k}_{turn}"),
                    [test_turn.at(i, turn), board(turn, k)],
                    [end_turn.at(i, turn), board(turn, k)],
                )?;
            }
            // Look at all processes, one by one; the process itself does not count.
            for j in 0..processes {
                let looked = is_end_loop.at_other(i, turn, j);
                net.transition(
                    format!("ContinueLoop_{i}_{j}_{turn}"),
                    [begin_loop.at_other(i, turn, j)],
                    [test_identity.at_other(i, turn, j)],
                )?;
                if i == j {
                    net.transition(
                        format!("Identity_{i}_{turn}"),
                        [test_identity.at_other(i, turn, j)],
                        [looked],
                    )?;
                } else {
                    let test = test_alone(i, turn, j);
                    net.transition(
                        format!("NoIdentity_{i}_{j}_{turn}"),
                        [test_identity.at_other(i, turn, j)],
                        [test],
                    )?;
                    net.transition(
                        format!("Alone1_{i}_{j}_{turn}"),
                        [test, wants_not.at(j)],
                        [looked, wants_not.at(j)],
                    )?;
                    net.transition(
                        format!("NotAlone_{i}_{j}_{turn}"),
                        [test, wants.at(j)],
                        [test_turn.at(i, turn), wants.at(j)],
                    )?;
                }
                if j < turns {
                    net.transition(
                        format!("Loop_{i}_{j}_{turn}"),
                        [looked],
                        [begin_loop.at_other(i, turn, j + 1)],
                    )?;
                } else {
                    net.transition(format!("EndLoop_{i}_{turn}"), [looked], [end_turn.at(i, turn)])?;
                }
            }
            if turn < last {
                net.transition(
                    format!("ProgressTurn_{i}_{turn}"),
                    [end_turn.at(i, turn)],
                    [ask.at(i, turn + 1)],
                )?;
            }
        }
        net.transition(format!("AccessCS_{i}"), [end_turn.at(i, last)], [critical.at(i)])?;
        net.transition(
            format!("BecomeIdle_{i}"),
            [critical.at(i), wants.at(i)],
            [idle.at(i), wants_not.at(i)],
        )?;
    }
    Ok(())
}
