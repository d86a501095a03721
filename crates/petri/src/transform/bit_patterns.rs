//! What a transition does to one place, as patterns of bits.
//!
//! A place that holds at most `bound` tokens is a binary number. To add one to it is to change `0`
//! to `1` at the end, or `01` to `10`, or `011` to `100` …: a few patterns, where each names the
//! bits it looks at and leaves the others alone. That is how a counter counts, and it takes as many
//! patterns as the number has digits, not one forevery value.

use symbolon_model::Change;

/// A pattern: numbers whose `known` bits are those of `old` get those of `new` there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    /// The bits that are looked at.
    pub(super) known: u64,
    /// What they are.
    pub(super) old: u64,
    /// What they become.
    pub(super) new: u64,
}

/// What a transition asks of a place and does to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Demand {
    /// The number of tokens that it needs.
    pub(super) at_least: u64,
    /// The largest number of tokens with which it is enabled.
    pub(super) at_most: u64,
    /// What becomes of them.
    pub(super) change: Change,
    /// The place provably never holds more, neither before nor after.
    pub(super) bound: u64,
}

/// The digits of a number that is at most `bound`.
pub(super) fn bit_count(bound: u64) -> u32 {
    u64::BITS - bound.leading_zeros()
}

/// Patterns that no two numbers share and that meet the numbers for which `demand` is satisfied,
/// and none for which it is not. Numbers that provably never occur may be met or not: those above
/// the bound, and those that would be led above it. `None` if it takes more than `most`.
pub(super) fn patterns(demand: &Demand, most: usize) -> Option<Vec<Pattern>> {
    let mut found = Vec::new();
    let whole = Cube { low: 0, high: 0, base: 0, width: bit_count(demand.bound) };
    cover(demand, whole, most, &mut found).then_some(found)
}

/// The numbers of `width` bits whose lowest `low` and highest `high` bits are those of `base`; the
/// other bits of `base` are 0.
#[derive(Clone, Copy)]
struct Cube {
    low: u32,
    high: u32,
    base: u64,
    width: u32,
}

impl Cube {
    fn free(self) -> u32 {
        self.width - self.low - self.high
    }

    /// Whether it has a number from `first` to `last`.
    fn meets(self, first: i128, last: i128) -> bool {
        let (base, step) = (i128::from(self.base), 1_i128 << self.low);
        let largest = base + step * ((1_i128 << self.free()) - 1);
        // The smallest number of the progression that is not below `first`.
        let smallest = if first <= base { base } else { base + (first - base + step - 1) / step * step };
        smallest <= last.min(largest)
    }

    fn split_low(self) -> [Cube; 2] {
        let half = Cube { low: self.low + 1, ..self };
        [half, Cube { base: self.base | 1 << self.low, ..half }]
    }

    fn split_high(self) -> [Cube; 2] {
        let half = Cube { high: self.high + 1, ..self };
        [half, Cube { base: self.base | 1 << (self.width - half.high), ..half }]
    }

    fn known(self) -> u64 {
        let ones = |count: u32| if count == 0 { 0 } else { u64::MAX >> (u64::BITS - count) };
        ones(self.width) & !(ones(self.free()) << self.low)
    }
}

/// Adds the patterns within `cube`; false if there are too many.
fn cover(demand: &Demand, cube: Cube, most: usize, found: &mut Vec<Pattern>) -> bool {
    let bound = i128::from(demand.bound);
    let (first, last) = (i128::from(demand.at_least), i128::from(demand.at_most).min(bound));
    let step = match demand.change {
        Change::Add(step) => i128::from(step),
        // To set a number to what is above the bound never happens.
        Change::Set(value) if value > demand.bound => return true,
        Change::Set(_) => 0,
    };
    if !cube.meets(first.max(-step), last.min(bound - step)) {
        return true;
    }
    let is_uniform = cube.free() == 0
        || match demand.change {
            // The change must stay within the lowest bits: nothing is carried to bits that are not
            // known.
            Change::Add(step) => {
                let lowest = i128::from(cube.base) & ((1 << cube.low) - 1);
                (0..1_i128 << cube.low).contains(&(lowest + i128::from(step)))
            }
            Change::Set(_) => false,
        };
    let halves = if !is_uniform {
        cube.split_low()
    } else if cube.meets(0, first - 1) || cube.meets(last + 1, bound) {
        cube.split_high()
    } else {
        if found.len() == most {
            return false;
        }
        let new = match demand.change {
            Change::Add(step) => cube.base.wrapping_add_signed(step),
            Change::Set(value) => value,
        };
        found.push(Pattern { known: cube.known(), old: cube.base, new });
        return true;
    };
    halves.into_iter().all(|half| cover(demand, half, most, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demand(at_least: u64, at_most: u64, change: Change, bound: u64) -> Demand {
        Demand { at_least, at_most, change, bound }
    }

    #[test]
    fn counting_takes_a_pattern_a_digit() {
        let list = |demand| -> Vec<(u64, u64, u64)> {
            let found = patterns(&demand, 99).expect("few");
            found.iter().map(|pattern| (pattern.known, pattern.old, pattern.new)).collect()
        };
        let up = demand(0, u64::MAX, Change::Add(1), 7);
        assert_eq!(list(up), [(0b1, 0b0, 0b1), (0b11, 0b01, 0b10), (0b111, 0b011, 0b100)]);
        let down = demand(1, u64::MAX, Change::Add(-1), 7);
        assert_eq!(list(down), [(0b111, 0b100, 0b011), (0b11, 0b10, 0b01), (0b1, 0b1, 0b0)]);
        let huge = demand(1, u64::MAX, Change::Add(-1), i64::MAX as u64);
        assert_eq!(list(huge).len(), 63);
        assert_eq!(patterns(&demand(0, u64::MAX, Change::Set(0), i64::MAX as u64), 1000), None);
    }

    /// Every demand on small numbers, value by value.
    #[test]
    fn patterns_say_what_the_demand_says() {
        for bound in 0..=9 {
            for at_least in 0..=5 {
                for at_most in [0, 1, 2, 3, 5, 8, u64::MAX] {
                    let steps = (-(at_least as i64)..=4).map(Change::Add);
                    for change in steps.chain((0..=4).map(Change::Set)) {
                        check(demand(at_least, at_most, change, bound));
                    }
                }
            }
        }
    }

    fn check(demand: Demand) {
        let patterns = patterns(&demand, usize::MAX).expect("no limit");
        for value in 0..=demand.bound {
            let meeting: Vec<_> = patterns.iter().filter(|p| value & p.known == p.old).collect();
            let wanted = (demand.at_least <= value && value <= demand.at_most).then(|| match demand.change {
                Change::Add(step) => value.strict_add_signed(step),
                Change::Set(value) => value,
            });
            match wanted {
                None => assert!(meeting.is_empty(), "{value} of {demand:?} is met by {meeting:?}"),
                // Never happens, so nothing is asked.
                Some(new) if new > demand.bound => {}
                Some(new) => {
                    let [pattern] = meeting[..] else { panic!("{value} of {demand:?}: {meeting:?}") };
                    assert_eq!(value & !pattern.known | pattern.new, new, "{value} of {demand:?}");
                }
            }
        }
    }
}
