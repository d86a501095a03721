//! Unique tables against a list, with so few hashes that lines overflow into each other; and the
//! blocks that they take.

use crate::lines::{LARGEST_ORDER, Lines};
use crate::node::{Edge, Node};
use crate::store::Store;
use crate::unique::{Probe, Table};
use std::collections::BTreeMap;
use symbolon_testkit::{RandomNumbers, seeds};

fn make_room(table: &Table, lines: &mut Lines) {
    let wanted = table.grown();
    while !lines.has_room(wanted.count, wanted.order) {
        let (before, more) = (lines.bytes(), lines.growth_bytes());
        lines.grow();
        assert_eq!(lines.bytes(), before + more);
    }
}

#[test]
fn find_what_was_put_and_nothing_else() {
    for seed in seeds(40) {
        let mut numbers = RandomNumbers::new(seed);
        // From hashes that nearly all coincide, at the end of the table as well, to hashes that
        // differ.
        let spread = *numbers.one_of(&[2, 9, 200, u64::from(u32::MAX)]);
        let (mut lines, mut store, mut table) = (Lines::default(), Store::new(), Table::default());
        let mut stored: BTreeMap<u32, u32> = BTreeMap::new();
        for _ in 0..600 {
            match numbers.below(8) {
                0 => {
                    let keep = numbers.below(3);
                    let lives = |index: u32| u64::from(index * 7 % 3) >= keep;
                    table.retain(&mut lines, lives);
                    stored.retain(|&index, _| lives(index));
                }
                1 | 2 if !stored.is_empty() => {
                    let place = numbers.below(stored.len() as u64) as usize;
                    let (&index, &hash) = stored.iter().nth(place).expect("below the length");
                    table.remove(&mut lines, hash, index);
                    stored.remove(&index);
                }
                _ => {
                    if store.is_full() {
                        store.grow();
                    }
                    let hash = (numbers.below(spread) as u32).wrapping_mul(0x5555_5555);
                    let low = Edge::from_word(store.slot_count() as u32);
                    let index = store.insert(Node { level: 1, low, high: Edge::TRUE });
                    if table.is_full() {
                        make_room(&table, &mut lines);
                        table.grow(&mut lines);
                    }
                    match table.probe(&lines, &store, hash, low, Edge::TRUE) {
                        Probe::Vacant(line) => table.fill(&mut lines, line, hash, index),
                        Probe::Found(other) => panic!("{other} was found in place of {index}"),
                    }
                    stored.insert(index, hash);
                }
            }
            assert_eq!(table.len(), stored.len());
            let mut all: Vec<u32> = table.indices(&lines).collect();
            all.sort_unstable();
            assert!(all.iter().eq(stored.keys()));
            for (&index, &hash) in &stored {
                let Node { low, high, .. } = store.node_at(index);
                let found = table.probe(&lines, &store, hash, low, high);
                assert!(matches!(found, Probe::Found(same) if same == index), "{index} is lost");
            }
        }
    }
}

#[test]
fn shrink_when_nearly_empty() {
    let (mut lines, mut store, mut table) = (Lines::default(), Store::new(), Table::default());
    for number in 0..10_000_u32 {
        if store.is_full() {
            store.grow();
        }
        let low = Edge::from_word(number + 2);
        let index = store.insert(Node { level: 1, low, high: Edge::TRUE });
        if table.is_full() {
            make_room(&table, &mut lines);
            table.grow(&mut lines);
        }
        table.insert(&mut lines, number.wrapping_mul(0x9e37_79b9), index);
    }
    // Between 7 entries of 8 in use, and half of that.
    let length = |table: &Table| table.grown().count << table.grown().order;
    let full = length(&table);
    table.retain(&mut lines, |index| index % 2 == 0);
    assert_eq!(length(&table), full, "half of the entries is no reason to move the others");
    table.retain(&mut lines, |index| index % 100 == 0);
    assert_eq!(table.len(), 100);
    assert!(length(&table) < full / 8);
    table.retain(&mut lines, |_| false);
    assert_eq!((table.len(), table.grown().count << table.grown().order), (0, 1));
}

#[test]
fn blocks_never_overlap_and_unite_again() {
    for seed in seeds(20) {
        let mut numbers = RandomNumbers::new(seed);
        let mut lines = Lines::default();
        let mut taken: Vec<(u32, u32)> = Vec::new();
        for _ in 0..300 {
            if numbers.percent(60) || taken.is_empty() {
                let order = *numbers.one_of(&[0, 0, 1, 2, 3, 5, 8, LARGEST_ORDER]);
                while !lines.has_room(1, order) {
                    lines.grow();
                }
                let start = lines.take(order);
                assert_eq!(start % (1 << order), 0);
                let end = start + (1 << order);
                let overlaps = |&(other, order): &(u32, u32)| other < end && start < other + (1 << order);
                assert!(!taken.iter().any(overlaps), "{start} of order {order} among {taken:?}");
                taken.push((start, order));
            } else {
                let place = numbers.below(taken.len() as u64) as usize;
                let (start, order) = taken.swap_remove(place);
                lines.give_back(start, order);
            }
        }
        taken.into_iter().for_each(|(start, order)| lines.give_back(start, order));
        lines.trim();
        assert!(lines.bytes() <= 1 << 21, "one slab is left at the most");
        assert!(lines.has_room(1, (lines.bytes() / 64).ilog2()), "all of it is one block");
    }
}
