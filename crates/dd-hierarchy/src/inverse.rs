//! Events the other way round.

use crate::action::Action;
use crate::hierarchy::Hierarchy;
use crate::hierarchy::relation::ActionId;
use crate::hierarchy::shape::Events;
use symbolon_budget::Interrupted;

/// An assignment turned round has a step to every value it may come from; to more of them it is not
/// worth while.
const MOST_STEPS: u64 = 1 << 12;

impl Hierarchy {
    /// Events that undo these: one of them leads from `t` to `s` if one of `events` leads from `s`
    /// to `t`, as long as no value of `s` is larger than `largest` says of its place. `None` if an
    /// action would become too large.
    pub fn inverse_events(
        &mut self,
        events: &Events,
        largest: impl Fn(u32) -> u64,
    ) -> Result<Option<Events>, Interrupted> {
        let mut inverse = Events::default();
        for event in 0..events.len() {
            self.meter_mut().step()?;
            let mut parts = Vec::with_capacity(events.parts(event).len());
            for &(place, action) in events.parts(event) {
                let Some(back) = self.relations.action(action.0).inverse(largest(place)) else {
                    return Ok(None);
                };
                parts.push((place, self.action(back)?));
            }
            // What has no part does nothing, which is its own inverse.
            inverse.push(parts.into_iter().filter(|&(_, action)| action != ActionId::KEEP));
        }
        inverse.shrink();
        Ok(Some(inverse))
    }
}

impl Action {
    /// What leads back to every value that is at most `largest`; `None` if that takes too many
    /// steps.
    fn inverse(&self, largest: u64) -> Option<Action> {
        match self {
            Action::Keep | Action::Shift { delta: 0, .. } => Some(self.clone()),
            Action::Shift { at_least, at_most, delta } => {
                let at_least = (*at_least).max(if *delta < 0 { delta.unsigned_abs() } else { 0 });
                let at_most = (*at_most).min(largest);
                if at_least > at_most {
                    return Some(Action::Map(Box::default()));
                }
                Some(Action::Shift {
                    at_least: at_least.checked_add_signed(*delta)?,
                    at_most: at_most.saturating_add_signed(*delta),
                    delta: delta.checked_neg()?,
                })
            }
            Action::Assign { at_least, at_most, to } => {
                let at_most = (*at_most).min(largest);
                let is_small = at_most.saturating_sub(*at_least) <= MOST_STEPS;
                is_small.then(|| Action::Map((*at_least..=at_most).map(|from| (*to, from)).collect()))
            }
            Action::Map(steps) => {
                let mut back: Vec<(u64, u64)> = steps.iter().map(|&(from, to)| (to, from)).collect();
                back.sort_unstable();
                back.dedup();
                Some(Action::Map(back.into()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(action: &Action) -> Vec<(u64, u64)> {
        let targets = |value: u64| {
            let all = action.targets(value);
            (all.first..all.end).map(move |position| (value, action.target(value, position).expect("small")))
        };
        (0..9).flat_map(targets).collect()
    }

    #[test]
    fn every_step_has_its_way_back() {
        let shift = |at_least, at_most, delta| Action::Shift { at_least, at_most, delta };
        for action in [
            Action::Keep,
            shift(2, u64::MAX, 0),
            shift(0, u64::MAX, 3),
            shift(1, 4, -1),
            shift(0, u64::MAX, -2),
            shift(5, u64::MAX, 2),
            shift(6, u64::MAX, -1),
            Action::Assign { at_least: 1, at_most: u64::MAX, to: 2 },
            Action::Map([(0, 1), (0, 2), (3, 1)].into()),
        ] {
            let largest = 5;
            let inside = |&(from, to): &(u64, u64)| from <= largest && to < 9;
            let mut expected: Vec<(u64, u64)> =
                steps(&action).into_iter().filter(inside).map(|(from, to)| (to, from)).collect();
            expected.sort_unstable();
            // What keeps values keeps all of them.
            let back = action.inverse(largest).expect("small");
            let found: Vec<(u64, u64)> = steps(&back).into_iter().filter(|&(_, to)| to <= largest).collect();
            assert_eq!(found, expected, "{action:?}");
        }
        assert_eq!(Action::Assign { at_least: 0, at_most: u64::MAX, to: 0 }.inverse(u64::MAX), None);
    }
}
