//! Random traces, each a function of its seed.

use crate::format::{Call, LevelKind, SetOperation, Trace};
use symbolon_dd_mdd::{Action, EventActions};
use symbolon_testkit::RandomNumbers;

/// Where the values of a level may begin: at 0 mostly, and around where tags of nodes need an
/// escape.
const FIRST_VALUES: [u64; 6] = [0, 0, 0, 3, 125, 300];

/// The trace of a seed.
pub(crate) fn random_trace(seed: u64) -> Trace {
    let mut numbers = RandomNumbers::new(seed);
    let level_count = numbers.between(1, 6);
    let width = numbers.between(2, 5);
    let levels: Vec<Level> = (0..level_count)
        .map(|_| {
            let kind = if numbers.percent(15) { LevelKind::Table } else { LevelKind::Direct };
            Level { kind, first: *numbers.one_of(&FIRST_VALUES), width }
        })
        .collect();
    let mut generator = Generator { numbers, levels, event_count: 0 };
    let mut calls = vec![generator.events()];
    for _ in 0..generator.numbers.between(1, 12) {
        calls.push(generator.singleton());
        let (name, a, b) = (generator.name(), generator.name(), generator.name());
        calls.push(Call::Set { name, operation: SetOperation::Union(a, b), within: None });
    }
    for _ in 0..generator.numbers.between(5, 50) {
        calls.push(generator.call());
    }
    Trace { levels: generator.levels.iter().map(|level| level.kind).collect(), calls }
}

struct Level {
    kind: LevelKind,
    first: u64,
    width: u64,
}

struct Generator {
    numbers: RandomNumbers,
    levels: Vec<Level>,
    event_count: u64,
}

impl Generator {
    fn call(&mut self) -> Call {
        match self.numbers.below(100) {
            0..12 => self.singleton(),
            12..75 => {
                let name = self.name();
                let operation = self.operation();
                let within = self.numbers.percent(30).then(|| {
                    let most = *self.numbers.one_of(&[3, 8, 8, 30]);
                    self.numbers.below(most)
                });
                Call::Set { name, operation, within }
            }
            75..78 => self.events(),
            78..81 => Call::Count(self.name()),
            81..84 => Call::Edges(self.name()),
            84..87 => Call::Ever(self.name()),
            87..89 => Call::Largest(self.name()),
            89..92 => {
                let name = self.name();
                Call::Contains(name, self.vector())
            }
            92..95 => Call::Drop(self.name()),
            95..97 => Call::Collect,
            _ => Call::Breathe,
        }
    }

    fn operation(&mut self) -> SetOperation {
        let (a, b) = (self.name(), self.name());
        let event = self.numbers.below(self.event_count.max(1)) as usize;
        match self.numbers.below(10) {
            0..3 => SetOperation::Union(a, b),
            3 => SetOperation::Intersection(a, b),
            4 => SetOperation::Difference(a, b),
            5 => SetOperation::Image(event, a),
            6 => SetOperation::Preimage(event, a, b),
            7 => SetOperation::Saturate(a),
            8 if self.numbers.percent(50) => SetOperation::Enabled(event, a),
            8 => SetOperation::Dead(a),
            _ => SetOperation::Saturate(a),
        }
    }

    fn singleton(&mut self) -> Call {
        let name = self.name();
        Call::Set { name, operation: SetOperation::Singleton(self.vector()), within: None }
    }

    fn name(&mut self) -> String {
        format!("s{}", self.numbers.below(5))
    }

    fn vector(&mut self) -> Vec<u64> {
        let Generator { numbers, levels, .. } = self;
        levels.iter().map(|level| level.first + numbers.below(level.width)).collect()
    }

    fn events(&mut self) -> Call {
        self.event_count = self.numbers.below(6);
        Call::Events((0..self.event_count).map(|_| self.event()).collect())
    }

    fn event(&mut self) -> EventActions {
        let share = *self.numbers.one_of(&[20, 50, 80]);
        let mut event = EventActions::new();
        for level in 1..=self.levels.len() as u32 {
            if self.numbers.percent(share) {
                event.push((level, self.action(level)));
            }
        }
        event
    }

    /// An action that stays among the values of its level.
    fn action(&mut self, level: u32) -> Action {
        let Generator { numbers, levels, .. } = self;
        let &Level { kind, first, width } = &levels[level as usize - 1];
        let last = first + width - 1;
        let at_least = first + numbers.below(width);
        let at_most = if numbers.percent(25) { first + numbers.below(width) } else { u64::MAX };
        match numbers.below(10) {
            0 => Action::Keep,
            1 => Action::Shift { at_least, at_most, delta: 0 },
            2 => Action::Assign { at_least, at_most, to: first + numbers.below(width) },
            3 | 4 if kind == LevelKind::Direct => {
                let from: Vec<u64> = (first..=last).filter(|_| numbers.percent(50)).collect();
                Action::Map(
                    from.into_iter().map(|v| (v as u32, (first + numbers.below(width)) as u32)).collect(),
                )
            }
            5..8 => {
                let delta = numbers.between(1, width - 1);
                Action::Shift { at_least, at_most: at_most.min(last - delta), delta: delta as i64 }
            }
            _ => {
                let delta = numbers.between(1, width - 1);
                Action::Shift { at_least: at_least.max(first + delta), at_most, delta: -(delta as i64) }
            }
        }
    }
}
