//! Two-phase commit: all participants commit, or none does.

use super::{Builder, Family, Parameter};
use symbolon_budget::Interrupted;

pub(super) const FAMILY: Family = Family {
    name: "two-phase-commit",
    summary: "a coordinator and participants who all commit, or all abort",
    description: "A coordinator asks N participants for their votes. A participant that votes yes is prepared and waits; one that votes no \
        aborts at once. If all votes are yes the coordinator decides to commit; at the first no that it reads it decides \
        to abort, and then votes that come later stay unread. Everybody is told and does likewise. Messages are never lost and \
        nobody crashes. It never happens that one has committed and another has aborted, nobody commits \
        unless all voted yes, and the run ends only when all have \
        decided alike: such an end is what 'deadlock' finds here. There are 1 + 3^N + 2^N + 2 · N · 5^(N−1) \
        states, of which 1 + N · 2^(N−1) are ends.",
    origin: "J. Gray, 1978, and B. Lampson, H. Sturgis, 1976; the net is written anew here",
    parameters: &[Parameter { name: "N", meaning: "participants", smallest: 1, largest: 5_000, example: 3 }],
    build,
};

fn build(net: &mut Builder, parameters: &[u64]) -> Result<(), Interrupted> {
    let n = parameters[0];
    let idle = net.place("coordinator_idle", 1)?;
    let waiting = net.place("coordinator_waiting", 0)?;
    let decided_commit = net.place("coordinator_committed", 0)?;
    let decided_abort = net.place("coordinator_aborted", 0)?;
    let mut row = |name: &str, initial| net.row(n, |i| format!("{name}_{}", i + 1), |_| initial);
    let working = row("working", 1)?;
    let prepared = row("prepared", 0)?;
    let committed = row("committed", 0)?;
    let aborted = row("aborted", 0)?;
    // Messages on their way.
    let asked = row("asked", 0)?;
    let yes = row("yes", 0)?;
    let no = row("no", 0)?;
    let told_commit = row("told_commit", 0)?;
    let told_abort = row("told_abort", 0)?;

    let all_and =
        |row: super::builder::Row, place| (0..n).map(|i| row.at(i)).chain([place]).collect::<Vec<_>>();
    net.expect_transitions(6 * n + 2)?;
    net.wide_transition("ask_for_votes".into(), vec![idle], all_and(asked, waiting))?;
    net.wide_transition("decide_commit".into(), all_and(yes, waiting), all_and(told_commit, decided_commit))?;
    for i in 0..n {
        let id = format!("decide_abort_{}", i + 1);
        net.wide_transition(id, vec![waiting, no.at(i)], all_and(told_abort, decided_abort))?;
    }
    for i in 0..n {
        let id = |name: &str| format!("{name}_{}", i + 1);
        net.transition(id("vote_yes"), [working.at(i), asked.at(i)], [prepared.at(i), yes.at(i)])?;
        net.transition(id("vote_no"), [working.at(i), asked.at(i)], [aborted.at(i), no.at(i)])?;
        net.transition(id("commit"), [prepared.at(i), told_commit.at(i)], [committed.at(i)])?;
        net.transition(id("abort"), [prepared.at(i), told_abort.at(i)], [aborted.at(i)])?;
        net.transition(id("already_aborted"), [aborted.at(i), told_abort.at(i)], [aborted.at(i)])?;
    }
    Ok(())
}
