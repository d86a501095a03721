//! `repeated`: the parts of a model that repeats itself, found without names.
//!
//! 1. A walk through the model in breadth, from block to block that share an event (Cuthill and
//!    McKee): around a ring it advances on both sides in turn, so that the order it makes is as
//!    regular as the model. Blocks that very many events touch are no way to go, and come first.
//! 2. Along that order each block has a *look*: for each of its variables what the events do to it,
//!    and to which blocks at which distance before or behind. From some place on the looks come
//!    again and again in the same sequence. One such sequence is a part; the parts are grouped in
//!    halves of halves.
//! 3. The variables of a merged block are sorted by what events do to them, so that equal parts
//!    have equal codes, whatever the order in which they were written down.
//!
//! The walk has to get going before it is regular, and ends where its two sides meet; what lies
//! before and behind the regular stretch stays as it is. Equal parts are not relied upon: if parts
//! are equal, they share their nodes.

use super::recursive::halved;
use super::{Item, Tree};
use crate::order::Blocks;
use crate::policy::repeated_parts::{FEWEST_PARTS, LONGEST, MOST_NEIGHBOURS, SHARE, WIDEST};
use rustc_hash::FxHasher;
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use symbolon_model::{Change, Event, Model, Part};

/// The tree and the blocks with their variables sorted, or `None` where nothing repeats itself.
pub(crate) fn repeated(model: &Model, blocks: &Blocks) -> Option<(Tree, Blocks)> {
    let order = walk(model, blocks);
    let (looks, sorted) = looks(model, blocks, &order);
    let (first, period, count) = regular_stretch(&looks)?;
    let item = |block: &u32| Item::Block(*block);
    let end = first + period * count;
    let parts = order[first..end].chunks(period);
    let parts: Vec<Item> = parts.map(|part| Item::Group(part.iter().map(item).collect())).collect();
    let mut items: Vec<Item> = order[..first].iter().map(item).collect();
    items.extend(halved(parts, 1));
    items.extend(order[end..].iter().map(item));
    Some((Tree::new(items), sorted))
}

/// All blocks, those with very many neighbours first, then in breadth.
fn walk(model: &Model, blocks: &Blocks) -> Vec<u32> {
    let (starts, neighbours) = neighbours(model, blocks);
    let of = |block: u32| &neighbours[starts[block as usize] as usize..starts[block as usize + 1] as usize];
    // What a block looks like before there is an order: ties are broken by it.
    let colour = |block: u32| (blocks.block(block).len(), of(block).len());
    let all = 0..blocks.len() as u32;
    let mut order: Vec<u32> = all.clone().filter(|&block| of(block).len() > MOST_NEIGHBOURS).collect();
    let mut is_met = vec![false; blocks.len()];
    order.iter().for_each(|&block| is_met[block as usize] = true);
    let mut waiting = VecDeque::new();
    let mut found: Vec<u32> = Vec::new();
    for start in all {
        if std::mem::replace(&mut is_met[start as usize], true) {
            continue;
        }
        waiting.push_back(start);
        while let Some(block) = waiting.pop_front() {
            order.push(block);
            found.clear();
            found.extend(of(block).iter().filter(|&&other| !is_met[other as usize]));
            found.sort_unstable_by_key(|&other| (colour(other), other));
            for &other in &found {
                is_met[other as usize] = true;
                waiting.push_back(other);
            }
        }
    }
    order
}

/// The blocks that share an event with each block, ascending, one list after another; and where
/// each begins.
fn neighbours(model: &Model, blocks: &Blocks) -> (Vec<u32>, Vec<u32>) {
    let block_of = blocks.block_of_variables(model.variables.len());
    let mut pairs: Vec<(u32, u32)> = Vec::new();
    let mut touched = Vec::new();
    for event in &model.events {
        touched_blocks(event, &block_of, &mut touched);
        if touched.len() <= WIDEST {
            for &a in &touched {
                pairs.extend(touched.iter().filter(|&&b| a != b).map(|&b| (a, b)));
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    let mut starts = vec![0_u32; blocks.len() + 1];
    pairs.iter().for_each(|(a, _)| starts[*a as usize + 1] += 1);
    for block in 0..blocks.len() {
        starts[block + 1] += starts[block];
    }
    (starts, pairs.into_iter().map(|(_, b)| b).collect())
}

fn touched_blocks(event: &Event, block_of: &[u32], touched: &mut Vec<u32>) {
    touched.clear();
    for part in &event.parts {
        if let Part::Local { variable, .. } = part {
            touched.push(block_of[variable.index()]);
        }
    }
    touched.sort_unstable();
    touched.dedup();
}

/// The look of each block along the order, and the blocks with their variables sorted by their
/// looks.
fn looks(model: &Model, blocks: &Blocks, order: &[u32]) -> (Vec<u64>, Blocks) {
    let block_of = blocks.block_of_variables(model.variables.len());
    let mut place_of = vec![0_i64; blocks.len()];
    order.iter().enumerate().for_each(|(place, &block)| place_of[block as usize] = place as i64);
    // Looks of variables are sums over their events: the order of events does not matter.
    let mut of_variables: Vec<u64> = (0..model.variables.len())
        .map(|variable| {
            model.initial.iter().fold(0, |sum: u64, state| sum.wrapping_add(hash(state[variable])))
        })
        .collect();
    let mut around: Vec<(i64, u64)> = Vec::new();
    for event in &model.events {
        let is_narrow = event.parts.len() <= WIDEST;
        for part in &event.parts {
            let Part::Local { variable, .. } = part else { continue };
            let here = place_of[block_of[variable.index()] as usize];
            around.clear();
            for other in event.parts.iter().filter(|_| is_narrow) {
                if let Part::Local { variable: other_variable, .. } = other
                    && other_variable != variable
                {
                    let there = place_of[block_of[other_variable.index()] as usize];
                    around.push((there - here, what(other)));
                }
            }
            around.sort_unstable();
            let look = &mut of_variables[variable.index()];
            *look = look.wrapping_add(hash((what(part), &around)));
        }
    }
    let mut sorted = blocks.clone();
    for block in 0..sorted.len() as u32 {
        sorted.block_mut(block).sort_by_key(|variable| (of_variables[variable.index()], *variable));
    }
    let look = |&block: &u32| {
        let looks = sorted.block(block).iter().map(|variable| of_variables[variable.index()]);
        hash(looks.collect::<Vec<u64>>())
    };
    (order.iter().map(look).collect(), sorted)
}

/// What a part tests and does, as a number.
fn what(part: &Part) -> u64 {
    match part {
        Part::Local { at_least, at_most, change: Change::Add(delta), .. } => {
            hash((0_u8, at_least, at_most, delta))
        }
        Part::Local { at_least, at_most, change: Change::Set(value), .. } => {
            hash((1_u8, at_least, at_most, value))
        }
        Part::General { .. } | Part::Choice(_) | Part::Reaction(_) => 0,
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    // Sums of these are compared: all bits should matter.
    let mixed = hasher.finish();
    (mixed ^ (mixed >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Where the longest regular stretch begins, the length of the sequence that repeats itself, and
/// how often it does. A longer sequence is taken only if it explains more than a quarter more than
/// a shorter one.
fn regular_stretch(looks: &[u64]) -> Option<(usize, usize, usize)> {
    let mut best: Option<(usize, usize, usize)> = None;
    for period in 1..=LONGEST.min(looks.len() / FEWEST_PARTS) {
        let (first, end) = longest_run(looks, period);
        let count = (end - first) / period;
        let covered = best.map_or(0, |(_, period, count)| period * count);
        if count >= FEWEST_PARTS && period * count > covered + covered / 4 {
            best = Some((first, period, count));
        }
    }
    best.filter(|(_, period, count)| period * count >= looks.len() / SHARE)
}

/// The longest stretch in which each look is that of `period` places before.
fn longest_run(looks: &[u64], period: usize) -> (usize, usize) {
    let (mut best, mut first) = ((0, 0), 0);
    for place in period..looks.len() {
        if looks[place] != looks[place - period] {
            first = place + 1 - period;
        } else if place + 1 - first > best.1 - best.0 {
            best = (first, place + 1);
        }
    }
    best
}
