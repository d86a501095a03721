//! Documents with mistakes at random: the reader never panics, and what it accepts is a good net.

use symbolon_budget::Budget;
use symbolon_coloured::read::read_pnml;
use symbolon_coloured::write::write_pnml;
use symbolon_coloured::{UnfoldError, UnfoldLimits, unfold};
use symbolon_petri::ReadFailure;
use symbolon_testkit::{RandomNumbers, random_coloured_net, seeds};

/// Words that mean something to the reader.
const WORDS: &[&str] = &[
    "numberof",
    "add",
    "subtract",
    "all",
    "empty",
    "tuple",
    "successor",
    "equality",
    "and",
    "not",
    "imply",
    "usersort",
    "productsort",
    "dot",
    "subterm",
    "structure",
    "scalarproduct",
    "lessthan",
    "ltp",
    "C0",
    "C1",
    "x0",
    "x1",
    "part0_0",
    "p0",
    "t0",
    "-1",
    "0",
    "1000000000",
    "99999999999999999999",
    "inhibitor",
    "reset",
];

/// Changes a document a little.
fn mutate(text: &str, numbers: &mut RandomNumbers) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..numbers.between(1, 3) {
        // A stretch between two signs of the markup, so that many changes stay well-formed.
        let ends: Vec<usize> =
            (0..bytes.len()).filter(|&at| matches!(bytes[at], b'<' | b'>' | b'"' | b'/')).collect();
        if ends.len() < 3 {
            break;
        }
        let position = numbers.below(ends.len() as u64 - 1) as usize;
        let (begin, end) = (ends[position] + 1, ends[position + 1]);
        let word = *numbers.one_of(WORDS);
        match numbers.below(6) {
            0..3 if begin <= end => {
                bytes.splice(begin..end, word.bytes());
            }
            3 => {
                // A whole element moves, or comes twice.
                let line: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
                let one = line[numbers.below(line.len() as u64) as usize].to_vec();
                let at = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(0);
                bytes.splice(at..at, one);
            }
            4 => bytes.truncate(numbers.below(bytes.len() as u64) as usize),
            _ => {
                let at = numbers.below(bytes.len() as u64) as usize;
                bytes[at] = numbers.below(256) as u8;
            }
        }
    }
    bytes
}

#[test]
fn mistakes_are_no_danger() {
    let budget = Budget::unlimited();
    let mut accepted = 0;
    for seed in seeds(600) {
        let mut numbers = RandomNumbers::new(seed);
        let text = write_pnml(&random_coloured_net(seed % 50));
        for _ in 0..10 {
            match read_pnml(&mutate(&text, &mut numbers), &budget) {
                Ok(reading) => {
                    accepted += 1;
                    assert_eq!(reading.net.check(), Ok(()));
                    match unfold(&reading.net, UnfoldLimits { instances: 2000, arcs: 100_000 }, &budget) {
                        Ok(unfolded) => assert_eq!(unfolded.net.check(), Ok(())),
                        Err(UnfoldError::TooLarge { .. } | UnfoldError::TooManyTokens(_)) => {}
                        Err(UnfoldError::Interrupted(reason)) => panic!("unlimited, yet {reason}"),
                    }
                }
                Err(ReadFailure::Invalid(error)) => assert!(error.first().is_some()),
                Err(ReadFailure::Interrupted(reason)) => panic!("unlimited, yet {reason}"),
            }
        }
    }
    assert!(accepted > 100, "{accepted} documents were accepted");
}
