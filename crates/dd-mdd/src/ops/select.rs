//! The vectors whose weighted sum compares with a number.
//!
//! One pass from the top carries what the levels below must still add up to. Below a node the sum
//! lies between a smallest and a largest value; where these settle the comparison, the whole node
//! is kept or dropped. What is left is remembered by (node, what must be added), so that sums of
//! many levels stay affordable: there are at most as many different remainders at a node as
//! different sums above it that are still undecided.

use crate::domain::Domain;
use crate::mdd::Mdd;
use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;
use symbolon_dd_core::NodeId;

/// What the codes of one level weigh.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LevelWeight {
    /// Nothing.
    #[default]
    Nothing,
    /// So much for each unit of the value.
    Factor(i128),
    /// So much for each code.
    ByCode(Box<[i128]>),
}

impl LevelWeight {
    /// What a code weighs.
    pub fn of(&self, code: u32, domain: &Domain) -> Result<i128, Interrupted> {
        match self {
            LevelWeight::Nothing => Ok(0),
            LevelWeight::Factor(factor) => {
                factor.checked_mul(i128::from(domain.value(code))).ok_or(Interrupted::Overflow)
            }
            LevelWeight::ByCode(codes) => Ok(codes[code as usize]),
        }
    }
}

/// How a sum is compared with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SumTest {
    /// The sum is at most the number.
    AtMost,
    /// The sum is the number.
    Exactly,
    /// The sum is another number.
    OtherThan,
}

impl SumTest {
    /// Whether all sums from `least` to `most` pass or all fail; `None` if that is open.
    pub fn decided(self, least: i128, most: i128, bound: i128) -> Option<bool> {
        match self {
            SumTest::AtMost if most <= bound => Some(true),
            SumTest::AtMost if least > bound => Some(false),
            SumTest::AtMost => None,
            SumTest::Exactly | SumTest::OtherThan if bound < least || bound > most => {
                Some(self == SumTest::OtherThan)
            }
            SumTest::Exactly | SumTest::OtherThan if least == most => Some(self == SumTest::Exactly),
            SumTest::Exactly | SumTest::OtherThan => None,
        }
    }
}

impl Mdd {
    /// The vectors of `set` whose sum over levels of what their codes weigh passes `test` against
    /// `bound`. `weights` has an entry for each level; index 0 is unused.
    pub fn select(
        &mut self,
        set: NodeId,
        weights: &[LevelWeight],
        test: SumTest,
        bound: i128,
    ) -> Result<NodeId, Interrupted> {
        let lowest = weights.iter().skip(1).position(|weight| *weight != LevelWeight::Nothing);
        let lowest = lowest.map_or(u32::MAX, |below| below as u32 + 1);
        let level = self.level_count;
        self.outermost(&[set], |mdd| {
            let (ranges, known) = (FxHashMap::default(), FxHashMap::default());
            Selection { mdd, weights, lowest, test, ranges, known }.select(set, level, bound)
        })
    }
}

struct Selection<'a> {
    mdd: &'a mut Mdd,
    weights: &'a [LevelWeight],
    /// The lowest level that weighs anything.
    lowest: u32,
    test: SumTest,
    /// The smallest and the largest sum below each node that was met.
    ranges: FxHashMap<NodeId, (i128, i128)>,
    known: FxHashMap<(NodeId, i128), NodeId>,
}

impl Selection<'_> {
    fn select(&mut self, node: NodeId, level: u32, bound: i128) -> Result<NodeId, Interrupted> {
        // Terminal cases: nothing is left, or everything below agrees.
        if node.is_empty() {
            return Ok(node);
        }
        let (least, most) = self.range(node, level)?;
        if let Some(passes) = self.test.decided(least, most, bound) {
            return Ok(if passes { node } else { NodeId::EMPTY });
        }

        // Recall.
        if let Some(&known) = self.known.get(&(node, bound)) {
            return Ok(known);
        }
        self.mdd.manager.step()?;

        // Split and recurse.
        let view = self.mdd.view(node);
        let mut frame = self.mdd.open_frame();
        for offset in 0..view.length {
            let code = view.tag + offset as u32;
            let child = self.mdd.nth_child(&view, offset);
            if child.is_empty() {
                continue;
            }
            let here = self.weights[level as usize].of(code, &self.mdd.domains[level as usize])?;
            let rest = bound.checked_sub(here).ok_or(Interrupted::Overflow)?;
            let child = self.select(child, level - 1, rest)?;
            if !child.is_empty() {
                let place = self.mdd.place_for(&mut frame, code, None)?;
                self.mdd.manager.scratch.set(place, child.word());
            }
        }

        // Build and remember.
        let answer = self.mdd.close_frame(frame)?;
        self.known.insert((node, bound), answer);
        Ok(answer)
    }

    /// The smallest and the largest sum of a node that is not EMPTY.
    fn range(&mut self, node: NodeId, level: u32) -> Result<(i128, i128), Interrupted> {
        if level < self.lowest {
            return Ok((0, 0));
        }
        if let Some(&known) = self.ranges.get(&node) {
            return Ok(known);
        }
        self.mdd.manager.step()?;
        let view = self.mdd.view(node);
        let mut range = (i128::MAX, i128::MIN);
        for offset in 0..view.length {
            let child = self.mdd.nth_child(&view, offset);
            if child.is_empty() {
                continue;
            }
            let code = view.tag + offset as u32;
            let here = self.weights[level as usize].of(code, &self.mdd.domains[level as usize])?;
            let (least, most) = self.range(child, level - 1)?;
            let least = least.checked_add(here).ok_or(Interrupted::Overflow)?;
            let most = most.checked_add(here).ok_or(Interrupted::Overflow)?;
            range = (range.0.min(least), range.1.max(most));
        }
        self.ranges.insert(node, range);
        Ok(range)
    }
}
