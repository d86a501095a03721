//! Slots and profiles: what a member can hold, and what one holds.

use crate::cells::CellId;
use crate::policy::MOST_PROFILES;
use crate::refusal::Refusal;
use rustc_hash::FxHashMap;
use symbolon_coloured::PlaceId;
use symbolon_petri::{Access, TokenChange};

/// The number of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SlotId(pub(crate) u32);

impl SlotId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place together with the members of fixed classes in a colour. With the member of the free class,
/// if its domain has one, that is a colour of the place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Slot {
    pub(crate) place: PlaceId,
    /// The members of fixed classes, in the order of the domain.
    pub(crate) fixed: Box<[u32]>,
}

/// All slots that were met, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    list: Vec<Slot>,
    numbers: FxHashMap<Slot, SlotId>,
}

impl Slots {
    /// The number of a slot, a new one if it was not met before.
    pub(crate) fn intern(&mut self, slot: Slot) -> SlotId {
        if let Some(&known) = self.numbers.get(&slot) {
            return known;
        }
        let id = SlotId(self.list.len() as u32);
        self.numbers.insert(slot.clone(), id);
        self.list.push(slot);
        id
    }

    pub(crate) fn slot(&self, id: SlotId) -> &Slot {
        &self.list[id.index()]
    }

    pub(crate) fn count(&self) -> usize {
        self.list.len()
    }
}

/// The number of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ProfileId(pub(crate) u32);

impl ProfileId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The tokens that a member of a cell holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Profile {
    pub(crate) cell: CellId,
    /// Slots with the number of tokens, which is not 0; ascending.
    pub(crate) tokens: Box<[(SlotId, u64)]>,
}

impl Profile {
    pub(crate) fn count(&self, slot: SlotId) -> u64 {
        self.tokens.binary_search_by_key(&slot, |&(slot, _)| slot).map_or(0, |index| self.tokens[index].1)
    }

    /// Whether a member with this profile admits a transition that accesses its tokens like this.
    pub(crate) fn admits(&self, accesses: &[(SlotId, Access)]) -> bool {
        accesses.iter().all(|(slot, access)| {
            let Access { place: _, at_least, at_most, change: _ } = access;
            (*at_least..=*at_most).contains(&self.count(*slot))
        })
    }

    /// The profile after the accesses of a transition that it admits.
    pub(crate) fn after(&self, accesses: &[(SlotId, Access)]) -> Result<Profile, Refusal> {
        let mut tokens: Vec<(SlotId, u64)> = self.tokens.to_vec();
        for (slot, access) in accesses {
            let before = self.count(*slot);
            let after = match access.change {
                TokenChange::Move { taken, put } => (before - taken).checked_add(put),
                TokenChange::Refill { put } => Some(put),
            };
            let after = after
                .filter(|&after| after <= symbolon_petri::net::LARGEST_COUNT)
                .ok_or(Refusal::TooManyTokens)?;
            match tokens.binary_search_by_key(slot, |&(slot, _)| slot) {
                Ok(index) => tokens[index].1 = after,
                Err(index) => tokens.insert(index, (*slot, after)),
            }
        }
        tokens.retain(|&(_, count)| count > 0);
        Ok(Profile { cell: self.cell, tokens: tokens.into() })
    }
}

/// All profiles that were met, each once. Those that some member has in a reachable marking are
/// *known*; the others are results of events that nobody has seen enabled.
#[derive(Clone, Debug, Default)]
pub(crate) struct Profiles {
    list: Vec<Profile>,
    is_known: Vec<bool>,
    numbers: FxHashMap<Profile, ProfileId>,
    /// The known profiles, in the order in which they became known.
    known: Vec<ProfileId>,
}

impl Profiles {
    /// The number of a profile, a new one if it was not met before.
    pub(crate) fn intern(&mut self, profile: Profile) -> ProfileId {
        if let Some(&number) = self.numbers.get(&profile) {
            return number;
        }
        let id = ProfileId(self.list.len() as u32);
        self.numbers.insert(profile.clone(), id);
        self.list.push(profile);
        self.is_known.push(false);
        id
    }

    /// The number of a profile that was met.
    pub(crate) fn find(&self, profile: &Profile) -> Option<ProfileId> {
        self.numbers.get(profile).copied()
    }

    /// Makes a profile known. Returns whether it was not.
    pub(crate) fn make_known(&mut self, id: ProfileId) -> Result<bool, Refusal> {
        if std::mem::replace(&mut self.is_known[id.index()], true) {
            return Ok(false);
        }
        self.known.push(id);
        match self.known.len() > MOST_PROFILES {
            true => Err(Refusal::TooManyProfiles(MOST_PROFILES)),
            false => Ok(true),
        }
    }

    pub(crate) fn profile(&self, id: ProfileId) -> &Profile {
        &self.list[id.index()]
    }

    pub(crate) fn is_known(&self, id: ProfileId) -> bool {
        self.is_known[id.index()]
    }

    pub(crate) fn known(&self) -> &[ProfileId] {
        &self.known
    }

    pub(crate) fn known_of_cell(&self, cell: CellId) -> impl Iterator<Item = ProfileId> + '_ {
        self.known.iter().copied().filter(move |&id| self.profile(id).cell == cell)
    }
}
