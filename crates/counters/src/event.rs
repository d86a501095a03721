//! Events: what a transition does to members with given profiles.

use crate::cells::CellId;
use crate::known::Known;
use crate::profile::{ProfileId, SlotId};
use crate::refusal::Refusal;
use symbolon_coloured::{TransitionId, VariableId};
use symbolon_petri::net::LARGEST_COUNT;
use symbolon_petri::{Access, TokenChange};

/// A transition whose labels have these profiles. It stands for all bindings that give the labels
/// different members with these profiles.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) transition: TransitionId,
    /// The members of variables of fixed classes.
    pub(crate) fixed: Vec<(VariableId, u32)>,
    /// The labels of variables of free classes.
    pub(crate) free: Vec<(VariableId, u8)>,
    /// The profile of each label before the event.
    pub(crate) sources: Vec<ProfileId>,
    /// The profile of each label after the event; perhaps none that is known.
    pub(crate) targets: Vec<ProfileId>,
    /// What is asked of tokens without a free colour and done to them.
    pub(crate) tokens: Vec<(SlotId, Access)>,
    /// What is asked of the tokens of all members of a cell that have no label, and done to them.
    pub(crate) rests: Vec<(CellId, Vec<(SlotId, Access)>)>,
}

/// A marking up to the exchange of members of a cell: how many of them have each profile.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Counts {
    /// The tokens of each slot without a free colour; slots beyond the end have none.
    pub(crate) tokens: Vec<u64>,
    /// The number of members with each profile; profiles beyond the end have none.
    pub(crate) members: Vec<u64>,
}

impl Counts {
    pub(crate) fn tokens_of(&self, slot: SlotId) -> u64 {
        self.tokens.get(slot.index()).copied().unwrap_or(0)
    }

    pub(crate) fn members_with(&self, profile: ProfileId) -> u64 {
        self.members.get(profile.index()).copied().unwrap_or(0)
    }

    pub(crate) fn set_tokens(&mut self, slot: SlotId, count: u64) {
        set(&mut self.tokens, slot.index(), count);
    }

    pub(crate) fn set_members(&mut self, profile: ProfileId, count: u64) {
        set(&mut self.members, profile.index(), count);
    }
}

/// Sets an entry; the last one is never 0, so that equal counts are equal.
fn set(list: &mut Vec<u64>, index: usize, count: u64) {
    if list.len() <= index {
        list.resize(index + 1, 0);
    }
    list[index] = count;
    while list.last() == Some(&0) {
        list.pop();
    }
}

impl Event {
    /// How many labels have this profile before the event.
    pub(crate) fn labels_from(&self, profile: ProfileId) -> u64 {
        self.sources.iter().filter(|&&source| source == profile).count() as u64
    }

    /// The profiles of labels before the event, each once with the number of labels; ascending.
    pub(crate) fn needed(&self) -> Vec<(ProfileId, u64)> {
        let mut sources = self.sources.clone();
        sources.sort_unstable();
        sources.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len() as u64)).collect()
    }

    /// The counts after the event; `None` where it is not enabled. Profiles that it leads to become
    /// numbered, not known.
    pub(crate) fn fire(&self, counts: &Counts, known: &mut Known<'_>) -> Result<Option<Counts>, Refusal> {
        if self.needed().iter().any(|&(profile, needed)| counts.members_with(profile) < needed) {
            return Ok(None);
        }
        let is_admitted = |(slot, access): &(SlotId, Access)| {
            (access.at_least..=access.at_most).contains(&counts.tokens_of(*slot))
        };
        if !self.tokens.iter().all(is_admitted) {
            return Ok(None);
        }
        let mut next = counts.clone();
        let mut moves: Vec<(ProfileId, ProfileId, u64)> = Vec::new();
        for (cell, accesses) in &self.rests {
            let members: Vec<ProfileId> = known.profiles.known_of_cell(*cell).collect();
            for source in members {
                let count =
                    counts.members_with(source) - self.labels_from(source).min(counts.members_with(source));
                if count == 0 {
                    continue;
                }
                let profile = known.profiles.profile(source);
                if !profile.admits(accesses) {
                    return Ok(None);
                }
                let after = profile.after(accesses)?;
                moves.push((source, known.profiles.intern(after), count));
            }
        }
        moves.extend(self.sources.iter().zip(&self.targets).map(|(&source, &target)| (source, target, 1)));
        for &(source, _, count) in &moves {
            next.set_members(source, next.members_with(source) - count);
        }
        for &(_, target, count) in &moves {
            next.set_members(target, next.members_with(target) + count);
        }
        for (slot, access) in &self.tokens {
            let before = counts.tokens_of(*slot);
            let after = match access.change {
                TokenChange::Move { taken, put } => (before - taken).checked_add(put),
                TokenChange::Refill { put } => Some(put),
            };
            next.set_tokens(
                *slot,
                after.filter(|&after| after <= LARGEST_COUNT).ok_or(Refusal::TooManyTokens)?,
            );
        }
        Ok(Some(next))
    }
}
