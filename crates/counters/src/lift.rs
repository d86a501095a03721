//! Runs of the counters as runs of the coloured net.
//!
//! In a marking that the counts stand for each member has a profile. An event takes, for each label,
//! some member with the profile that it asks for; since such members can be exchanged, any will do.

use crate::level::Level;
use crate::profile::ProfileId;
use rustc_hash::FxHashMap;
use symbolon_coloured::{Net, TransitionId, VariableId};
use symbolon_model::EventId;

/// A step of a coloured net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColouredStep {
    /// The transition.
    pub transition: TransitionId,
    /// A member for each of its variables, in the order of
    /// [`Transition::variables`](symbolon_coloured::Transition::variables).
    pub binding: Vec<u32>,
}

impl Level {
    /// A run of the coloured net, from its initial marking, that these events stand for; `None` if
    /// they are no run of the counters.
    pub(crate) fn lift(&self, net: &Net, events: &[EventId]) -> Option<Vec<ColouredStep>> {
        // The members with each profile, those that are taken next at the end.
        let mut members: FxHashMap<ProfileId, Vec<u32>> = FxHashMap::default();
        for &(cell, profile) in &self.initial_profiles {
            let of_cell = self.cells.cell(cell).members.iter().rev().copied();
            members.entry(profile).or_default().extend(of_cell);
        }
        let mut steps = Vec::with_capacity(events.len());
        for event in events {
            let event = &self.events[event.index()];
            let mut chosen = Vec::with_capacity(event.sources.len());
            for source in &event.sources {
                chosen.push(members.get_mut(source)?.pop()?);
            }
            for (cell, accesses) in &event.rests {
                let mut moved: Vec<(ProfileId, Vec<u32>)> = Vec::new();
                for profile in self.profiles.known_of_cell(*cell) {
                    let Some(holders) = members.get_mut(&profile).filter(|holders| !holders.is_empty())
                    else {
                        continue;
                    };
                    let definition = self.profiles.profile(profile);
                    if !definition.admits(accesses) {
                        return None;
                    }
                    let target = self.profiles.find(&definition.after(accesses).ok()?)?;
                    moved.push((target, std::mem::take(holders)));
                }
                for (target, holders) in moved {
                    members.entry(target).or_default().extend(holders);
                }
            }
            for (target, member) in event.targets.iter().zip(&chosen) {
                members.entry(*target).or_default().push(*member);
            }
            let member = |variable: &VariableId| {
                let fixed = event.fixed.iter().find(|(one, _)| one == variable).map(|(_, member)| *member);
                let free = || event.free.iter().find(|(one, _)| one == variable);
                fixed.or_else(|| free().map(|(_, label)| chosen[usize::from(*label)]))
            };
            let variables = net.transitions[event.transition.index()].variables();
            let binding = variables.iter().map(member).collect::<Option<_>>()?;
            steps.push(ColouredStep { transition: event.transition, binding });
        }
        Some(steps)
    }
}
