//! Plans: in which order the parts of a transition are matched.
//!
//! A plan is fixed before the first token is known. It takes assignments and tests of the guard as
//! soon as their variables are bound, and otherwise the pattern with the fewest unbound colours.
//! Variables that no pattern binds range over their classes at the end.

use super::pattern::{Condition, Pattern};
use super::slot_term::MemberSlot;
use super::tokens::{IndexId, TokenTable};

/// The steps that complete a binding.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
}

/// One step of a plan.
#[derive(Debug)]
pub(super) enum Step {
    /// The pattern matches the token that the plan starts from.
    Start { positions: Vec<Action> },
    /// The pattern matches a joined token.
    Match { pattern: usize, index: IndexId, positions: Vec<Action> },
    /// All slots of the pattern are bound: the token must be joined.
    Exists { pattern: usize },
    /// The slot gets the value of a term.
    Assign { slot: u32, value: MemberSlot },
    /// The condition must hold.
    Test { condition: usize },
    /// The slot ranges over its class.
    Range { slot: u32, size: u32 },
}

/// What a position of a pattern does with the member of a token.
#[derive(Clone, Copy, Debug)]
pub(super) enum Action {
    /// The index has seen to it.
    Skip,
    /// It binds a slot.
    Bind { slot: u32, shift: u32, size: u32 },
    /// It must equal the value of a term.
    Check(MemberSlot),
}

/// What a plan is made for: some of the slots of a transition, and what restricts them.
pub(super) struct Parts<'p> {
    pub(super) patterns: &'p [Pattern],
    pub(super) conditions: &'p [Condition],
    /// Slots with the sizes of their classes.
    pub(super) slots: &'p [(u32, u32)],
}

impl Plan {
    /// The plan that starts from a token of pattern `start`, or from no token.
    pub(super) fn new(
        parts: &Parts<'_>,
        start: Option<usize>,
        slot_count: usize,
        tokens: &mut TokenTable,
    ) -> Plan {
        let mut planner = Planner {
            parts,
            bound: vec![false; slot_count],
            is_used: vec![false; parts.conditions.len()],
            steps: Vec::new(),
        };
        planner.conditions();
        let mut open: Vec<usize> =
            (0..parts.patterns.len()).filter(|&pattern| Some(pattern) != start).collect();
        if let Some(start) = start {
            let positions = planner.positions(&parts.patterns[start], 0);
            planner.steps.push(Step::Start { positions });
            planner.conditions();
        }
        while !open.is_empty() {
            let cost = |&pattern: &usize| planner.unbound_colours(&parts.patterns[pattern]);
            let position = (0..open.len()).min_by_key(|&position| cost(&open[position])).unwrap_or(0);
            let number = open.remove(position);
            let pattern = &parts.patterns[number];
            if planner.unbound_colours(pattern) == 1 {
                planner.steps.push(Step::Exists { pattern: number });
                continue;
            }
            let mut mask = 0;
            for (position, (member, _)) in pattern.members.iter().enumerate() {
                if planner.is_bound(*member) {
                    mask |= 1 << position;
                }
            }
            let positions = planner.positions(pattern, mask);
            let index = tokens.index(pattern.place, mask);
            planner.steps.push(Step::Match { pattern: number, index, positions });
            planner.conditions();
        }
        for &(slot, size) in parts.slots {
            if !planner.bound[slot as usize] {
                planner.bound[slot as usize] = true;
                planner.steps.push(Step::Range { slot, size });
                planner.conditions();
            }
        }
        Plan { steps: planner.steps }
    }
}

struct Planner<'p> {
    parts: &'p Parts<'p>,
    bound: Vec<bool>,
    /// Conditions that a step has seen to.
    is_used: Vec<bool>,
    steps: Vec<Step>,
}

impl Planner<'_> {
    fn is_bound(&self, member: MemberSlot) -> bool {
        member.slot().is_none_or(|slot| self.bound[slot as usize])
    }

    /// The product of the sizes of the classes of unbound slots; 1 if there are none.
    fn unbound_colours(&self, pattern: &Pattern) -> u128 {
        let unbound = pattern.members.iter().filter(|(member, _)| !self.is_bound(*member));
        // A class with one member must still be bound.
        unbound.fold(1, |product: u128, (_, size)| product.saturating_mul(u128::from((*size).max(2))))
    }

    /// Binds the slots of a pattern; positions in `mask` are left to an index.
    fn positions(&mut self, pattern: &Pattern, mask: u64) -> Vec<Action> {
        let mut actions = Vec::new();
        for (position, &(member, _)) in pattern.members.iter().enumerate() {
            actions.push(match member {
                _ if mask & (1 << position) != 0 => Action::Skip,
                MemberSlot::Slot { slot, shift, size } if !self.bound[slot as usize] => {
                    self.bound[slot as usize] = true;
                    Action::Bind { slot, shift, size }
                }
                member => Action::Check(member),
            });
        }
        actions
    }

    /// Takes every condition that has become usable.
    fn conditions(&mut self) {
        loop {
            let mut changed = false;
            for (number, condition) in self.parts.conditions.iter().enumerate() {
                if self.is_used[number] {
                    continue;
                }
                if condition.slots.iter().all(|&slot| self.bound[slot as usize]) {
                    self.steps.push(Step::Test { condition: number });
                } else if let Some((slot, value)) = condition.assignment(|slot| self.bound[slot as usize]) {
                    self.bound[slot as usize] = true;
                    self.steps.push(Step::Assign { slot, value });
                } else {
                    continue;
                }
                self.is_used[number] = true;
                changed = true;
            }
            if !changed {
                return;
            }
        }
    }
}
