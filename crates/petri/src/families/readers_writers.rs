//! Readers and writers of one document.

use super::{Builder, Family, Parameter};
use crate::net::LARGEST_COUNT;
use symbolon_budget::Interrupted;

pub(super) const FAMILY: Family = Family {
    name: "readers-writers",
    summary: "readers who share a document, and writers who want it alone",
    description: "R readers and W writers use one document, which has R keys. A reader takes one key, so \
        all may read together; a writer takes all R keys at once. So a writer is always alone: nobody else \
        writes, and nobody reads. There is no deadlock, and everyone can always get a turn, but nothing \
        forces it: readers who come and go without a pause may keep the writers waiting for ever. The \
        arcs of the writers have weight R, and the net always has 7 places. There are \
        (R + 1) · (R + 2) / 2 · (W + 1) + (R + 1) · W states.",
    origin: "P. J. Courtois, F. Heymans, D. L. Parnas, 1971; the net with keys of textbooks, written anew here",
    parameters: &[
        Parameter { name: "R", meaning: "readers", smallest: 1, largest: LARGEST_COUNT, example: 3 },
        Parameter { name: "W", meaning: "writers", smallest: 1, largest: LARGEST_COUNT, example: 2 },
    ],
    build,
};

fn build(net: &mut Builder, parameters: &[u64]) -> Result<(), Interrupted> {
    let [readers, writers] = [parameters[0], parameters[1]];
    let readers_resting = net.place("readers_resting", readers)?;
    let readers_waiting = net.place("readers_waiting", 0)?;
    let reading = net.place("reading", 0)?;
    let writers_resting = net.place("writers_resting", writers)?;
    let writers_waiting = net.place("writers_waiting", 0)?;
    let writing = net.place("writing", 0)?;
    let keys = net.place("keys", readers)?;

    net.transition("ask_to_read".into(), [readers_resting], [readers_waiting])?;
    net.transition("start_reading".into(), [readers_waiting, keys], [reading])?;
    net.transition("stop_reading".into(), [reading], [readers_resting, keys])?;
    net.transition("ask_to_write".into(), [writers_resting], [writers_waiting])?;
    let all_keys = (keys, readers);
    net.weighted_transition("start_writing".into(), [(writers_waiting, 1), all_keys], [(writing, 1)])?;
    net.weighted_transition("stop_writing".into(), [(writing, 1)], [(writers_resting, 1), all_keys])
}
