//! How many vectors have each value, exactly.
//!
//! A node's list is the sum of its children's, each moved by the weight of its edge: one list a
//! node, two levels alive. Lists are long and are read once, so their numbers lie one after another
//! in equal widths, which grow as they must: an addition allocates nothing.

use crate::edd::Edd;
use crate::edge::Edge;
use num_bigint::BigUint;
use symbolon_budget::Interrupted;

/// Numbers of equal width, one after another, each with its lowest word first.
#[derive(Clone, Debug)]
struct Numbers {
    /// Words of each number, at least one.
    width: usize,
    words: Vec<u64>,
}

impl Edd<'_> {
    /// For each value from 0 to the largest, the number of vectors that have it.
    pub fn histogram(&self, of: Edge) -> Result<Vec<BigUint>, Interrupted> {
        let Some(largest) = self.largest(of) else { return Ok(Vec::new()) };
        let budget = self.mdd.meter().budget();
        let room_for = |words: u64| {
            let has_room = budget.memory().has_room_for(words.saturating_mul(size_of::<u64>() as u64));
            if has_room { Ok(()) } else { Err(Interrupted::Memory) }
        };
        room_for(largest)?;
        let levels = self.nodes_by_level(of);
        let mut lists: Vec<Numbers> = vec![Numbers::zeros(0, 1); levels.node_count() + 1];
        levels.level(0).iter().for_each(|&one| lists[levels.number(one)] = Numbers::one());
        for (level, nodes) in levels.upwards() {
            budget.check()?;
            for &node in nodes {
                let widths = self.edges(node).map(|(_, edge)| lists[levels.number(edge.node)].width);
                let width = widths.max().unwrap_or(1);
                let length = self.largest_in(node).saturating_add(1);
                room_for(length.saturating_mul(width as u64))?;
                let mut list = Numbers::zeros(0, width);
                for (_, edge) in self.edges(node) {
                    let (child, first) = (&lists[levels.number(edge.node)], edge.weight as usize);
                    // The first child is copied: with two edges a node that is half of the work.
                    if list.words.is_empty() {
                        list = child.moved(first, length as usize, width);
                    } else {
                        list.add(child, first);
                    }
                }
                lists[levels.number(node)] = list;
            }
            levels
                .level(level - 1)
                .iter()
                .for_each(|&node| lists[levels.number(node)] = Numbers::zeros(0, 1));
        }
        let mut histogram = vec![BigUint::ZERO; of.weight as usize];
        histogram.extend(lists[levels.number(of.node)].to_integers());
        Ok(histogram)
    }
}

impl Numbers {
    fn zeros(length: usize, width: usize) -> Numbers {
        Numbers { width, words: vec![0; length * width] }
    }

    fn one() -> Numbers {
        Numbers { width: 1, words: vec![1] }
    }

    /// These numbers as those from number `first` on of a list of `count`, at least as wide; the
    /// others are 0.
    fn moved(&self, first: usize, length: usize, width: usize) -> Numbers {
        let mut words = Vec::with_capacity(length * width);
        words.resize(first * width, 0);
        if width == self.width {
            words.extend_from_slice(&self.words);
        } else {
            for number in self.words.chunks_exact(self.width) {
                words.extend_from_slice(number);
                words.resize(words.len() + width - self.width, 0);
            }
        }
        words.resize(length * width, 0);
        Numbers { width, words }
    }

    /// Adds the numbers of another list, which are no wider, the first of them to that with number
    /// `first`.
    fn add(&mut self, other: &Numbers, first: usize) {
        let mut carries: Vec<usize> = Vec::new();
        let sums = self.words[first * self.width..].chunks_exact_mut(self.width);
        for (number, (sum, more)) in sums.zip(other.words.chunks_exact(other.width)).enumerate() {
            let (low, high) = sum.split_at_mut(other.width);
            let mut carry = false;
            for (word, &more) in low.iter_mut().zip(more) {
                (*word, carry) = word.carrying_add(more, carry);
            }
            for word in high {
                if !carry {
                    break;
                }
                (*word, carry) = word.overflowing_add(1);
            }
            if carry {
                carries.push(first + number);
            }
        }
        if !carries.is_empty() {
            self.widen();
            carries.iter().for_each(|number| self.words[(number + 1) * self.width - 1] = 1);
        }
    }

    /// One more word for each number.
    fn widen(&mut self) {
        let mut words = Vec::with_capacity(self.words.len() / self.width * (self.width + 1));
        for number in self.words.chunks_exact(self.width) {
            words.extend_from_slice(number);
            words.push(0);
        }
        *self = Numbers { width: self.width + 1, words };
    }

    fn to_integers(&self) -> impl Iterator<Item = BigUint> {
        self.words.chunks_exact(self.width).map(|number| {
            let bytes: Vec<u8> = number.iter().flat_map(|word| word.to_le_bytes()).collect();
            BigUint::from_bytes_le(&bytes)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_moved_and_widened() {
        let ours = Numbers { width: 1, words: vec![5, 0, 7] };
        let check = |first: usize, length: usize, width: usize, expected: &[u64]| {
            let moved = ours.moved(first, length, width);
            assert_eq!((moved.words.as_slice(), moved.width), (expected, width), "{first} {length} {width}");
        };
        check(0, 3, 1, &[5, 0, 7]);
        check(1, 5, 1, &[0, 5, 0, 7, 0]);
        check(1, 4, 2, &[0, 0, 5, 0, 0, 0, 7, 0]);
    }

    #[test]
    fn numbers_are_added_as_integers_are() {
        let check = |width: usize, words: &[u64], other: &[u64], width_after: usize| {
            let mut ours = Numbers { width, words: words.to_vec() };
            let other = Numbers { width: 1, words: other.to_vec() };
            let mut integers: Vec<BigUint> = ours.to_integers().collect();
            for first in [0, 1, 0, 2] {
                let reach = integers[first..].iter_mut().zip(other.to_integers());
                reach.for_each(|(sum, more)| *sum += more);
                ours.add(&other, first);
                assert_eq!(ours.to_integers().collect::<Vec<_>>(), integers, "added from {first} on");
            }
            assert_eq!(ours.width, width_after, "wider where a carry asked for it, and only then");
        };
        // So that one carry runs through, one is lost behind the last word, and nothing happens to
        // the others.
        check(2, &[u64::MAX, u64::MAX, 7, 0, u64::MAX, 3], &[2, u64::MAX, 1], 3);
        // It is not the first number that must become wider, but one behind it, and one behind
        // where the sum begins.
        check(1, &[0, u64::MAX, 7], &[1, 1, 1], 2);
        check(1, &[0, 1, u64::MAX], &[0, 1, 0], 2);
    }
}
