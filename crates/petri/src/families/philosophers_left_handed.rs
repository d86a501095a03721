//! Dining philosophers with habits: most take their right fork first, some the left one.

use super::{Builder, Family, Parameter};
use symbolon_budget::Interrupted;

pub(super) const FAMILY: Family = Family {
    name: "philosophers-left-handed",
    summary: "dining philosophers of whom every K-th takes the other fork first",
    description: "N philosophers sit round a table with one fork between each two neighbours. Each \
        has a habit: most take the fork on their right first, then the one on their left; every \
        K-th does it the other way round. With both kinds at the table it cannot deadlock; where \
        nobody is left-handed (N < K) it can. The parts are alike, but not all equal: a test for \
        what relies on repetition.",
    origin: "E. W. Dijkstra, 1971; left-handed philosophers are a remedy of many textbooks, written anew here",
    parameters: &[
        Parameter { name: "N", meaning: "philosophers", smallest: 2, largest: 5_000_000, example: 14 },
        Parameter {
            name: "K",
            meaning: "every K-th is left-handed",
            smallest: 2,
            largest: 5_000_000,
            example: 7,
        },
    ],
    build,
};

fn build(net: &mut Builder, parameters: &[u64]) -> Result<(), Interrupted> {
    let (n, every) = (parameters[0], parameters[1]);
    let think = net.row(n, |i| format!("Think_{}", i + 1), |_| 1)?;
    let fork = net.row(n, |i| format!("Fork_{}", i + 1), |_| 1)?;
    let hold = net.row(n, |i| format!("Hold_{}", i + 1), |_| 0)?;
    let eat = net.row(n, |i| format!("Eat_{}", i + 1), |_| 0)?;

    net.expect_transitions(3 * n)?;
    // A philosopher has the fork of the same number on the right and the one before on the left.
    let forks = |i| {
        let (right, left) = (fork.at(i), fork.at((i + n - 1) % n));
        if (i + 1) % every == 0 { (left, right) } else { (right, left) }
    };
    for i in 0..n {
        net.transition(format!("First_{}", i + 1), [think.at(i), forks(i).0], [hold.at(i)])?;
    }
    for i in 0..n {
        net.transition(format!("Second_{}", i + 1), [hold.at(i), forks(i).1], [eat.at(i)])?;
    }
    for i in 0..n {
        net.transition(format!("End_{}", i + 1), [eat.at(i)], [think.at(i), forks(i).0, forks(i).1])?;
    }
    Ok(())
}
