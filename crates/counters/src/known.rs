//! What is known of a net so far: profiles that members can have, and slots that can be marked.

use crate::cells::Cells;
use crate::profile::{ProfileId, Profiles, Slot, SlotId, Slots};
use crate::refusal::Refusal;
use rustc_hash::FxHashMap;
use symbolon_budget::Meter;
use symbolon_coloured::{Net, PlaceId};

/// What is known of a net so far.
pub(crate) struct Known<'n> {
    pub(crate) net: &'n Net,
    pub(crate) cells: &'n Cells,
    pub(crate) slots: Slots,
    pub(crate) profiles: Profiles,
    /// For each slot, whether tokens without a free colour can be there.
    is_markable: Vec<bool>,
    /// The markable slots of each place without free colours.
    pub(crate) markable: FxHashMap<PlaceId, Vec<SlotId>>,
    /// The known profiles that hold tokens of each slot.
    pub(crate) holders: FxHashMap<SlotId, Vec<ProfileId>>,
    /// The slots of each place that some known profile holds tokens of.
    pub(crate) held: FxHashMap<PlaceId, Vec<SlotId>>,
    pub(crate) meter: Meter,
}

impl<'n> Known<'n> {
    pub(crate) fn new(net: &'n Net, cells: &'n Cells, meter: Meter) -> Known<'n> {
        Known {
            net,
            cells,
            slots: Slots::default(),
            profiles: Profiles::default(),
            is_markable: Vec::new(),
            markable: FxHashMap::default(),
            holders: FxHashMap::default(),
            held: FxHashMap::default(),
            meter,
        }
    }

    /// Makes a profile known. Returns whether it was not.
    pub(crate) fn learn_profile(&mut self, id: ProfileId) -> Result<bool, Refusal> {
        if !self.profiles.make_known(id)? {
            return Ok(false);
        }
        for &(slot, _) in &self.profiles.profile(id).tokens {
            let holders = self.holders.entry(slot).or_default();
            if holders.is_empty() {
                self.held.entry(self.slots.slot(slot).place).or_default().push(slot);
            }
            holders.push(id);
        }
        Ok(true)
    }

    /// Learns that a slot of a place without free colours can be marked. Returns whether that is new.
    pub(crate) fn learn_slot(&mut self, slot: SlotId) -> bool {
        if self.is_markable.len() <= slot.index() {
            self.is_markable.resize(slot.index() + 1, false);
        }
        if std::mem::replace(&mut self.is_markable[slot.index()], true) {
            return false;
        }
        self.markable.entry(self.slots.slot(slot).place).or_default().push(slot);
        true
    }

    pub(crate) fn is_markable(&self, slot: SlotId) -> bool {
        self.is_markable.get(slot.index()).copied().unwrap_or(false)
    }
}

/// The slot of a colour without free members.
pub(crate) fn slot_of(slots: &mut Slots, place: PlaceId, fixed: &[u32]) -> SlotId {
    slots.intern(Slot { place, fixed: fixed.into() })
}
