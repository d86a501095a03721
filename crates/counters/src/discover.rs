//! Which profiles members can have, and the events between them.
//!
//! An event leads members to new profiles. Following every event whose ingredients are known, whether
//! there is a marking with all of them or not, runs away: a member would collect tokens for ever that
//! in truth others hold. So a profile becomes known only when a member has it in a marking that is
//! reached: in a search of the nearest ones, then on random walks. What these miss is found by
//! exploring ([`crate::verify`]).

use crate::cells::Cells;
use crate::event::{Counts, Event};
use crate::join::{Search, Start};
use crate::known::{Known, slot_of};
use crate::policy::{LISTED_STATES, MOST_EVENTS, STEPS_PER_WALK, WALK_PATIENCE, WALK_STEPS};
use crate::profile::{Profile, ProfileId, SlotId};
use crate::refusal::Refusal;
use crate::variant::{Variant, variants};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use symbolon_budget::{Budget, Meter};
use symbolon_coloured::{Net, codes_of};
use symbolon_random::Random;

/// Known profiles and events.
pub(crate) struct Discovery<'n> {
    pub(crate) known: Known<'n>,
    pub(crate) initial: Counts,
    pub(crate) events: Vec<Event>,
    /// Whether every reachable marking was listed.
    pub(crate) is_complete: bool,
    variants: Vec<Variant>,
    /// The keys of all events.
    seen: FxHashSet<Vec<u32>>,
    /// The events that need a member with a profile, under the first such profile.
    by_profile: FxHashMap<ProfileId, Vec<usize>>,
    /// The events that need no member.
    without_profile: Vec<usize>,
}

/// How much is spent on searching profiles before the diagrams are asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) listed_states: usize,
    pub(crate) walk_steps: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { listed_states: LISTED_STATES, walk_steps: WALK_STEPS }
    }
}

/// Something that became known.
enum Ingredient {
    Profile(ProfileId),
    Slot(SlotId),
}

impl<'n> Discovery<'n> {
    /// The profiles and events that searches and walks meet.
    pub(crate) fn of(
        net: &'n Net,
        cells: &'n Cells,
        effort: Effort,
        seed: u64,
        budget: &Budget,
    ) -> Result<Discovery<'n>, Refusal> {
        let mut discovery = Discovery {
            known: Known::new(net, cells, Meter::new(budget.clone())),
            initial: Counts::default(),
            events: Vec::new(),
            is_complete: false,
            variants: variants(net, cells)?,
            seen: FxHashSet::default(),
            by_profile: FxHashMap::default(),
            without_profile: Vec::new(),
        };
        discovery.begin()?;
        discovery.is_complete = discovery.list_states(effort.listed_states)? || !discovery.may_escape()?;
        if !discovery.is_complete {
            discovery.walk(seed, effort.walk_steps)?;
        }
        Ok(discovery)
    }

    /// The initial counts, with what becomes known by them.
    fn begin(&mut self) -> Result<(), Refusal> {
        let mut ingredients = Vec::new();
        let mut profiles: FxHashMap<(u32, u32), Vec<(SlotId, u64)>> = FxHashMap::default();
        let (net, cells) = (self.known.net, self.known.cells);
        for place in net.place_ids() {
            let term = &net.places[place.index()].initial;
            let domain = &net.places[place.index()].domain;
            for (code, count) in codes_of(net, term).ok_or(Refusal::TooManyTokens)? {
                self.known.meter.step()?;
                let mut fixed = domain.colour(net, code);
                let free = cells.free_position(place).map(|position| fixed.remove(position));
                let slot = slot_of(&mut self.known.slots, place, &fixed);
                match free {
                    None => {
                        self.initial.set_tokens(slot, count);
                        ingredients.push(Ingredient::Slot(slot));
                    }
                    Some(member) => {
                        let position = cells.free_position(place).unwrap_or(0);
                        let class = domain.0[position];
                        profiles.entry((class.0, member)).or_default().push((slot, count));
                    }
                }
            }
        }
        for id in cells.ids() {
            let cell = cells.cell(id);
            // All members of a cell begin alike (SYM-1).
            let mut tokens = profiles.remove(&(cell.class.0, cell.members[0])).unwrap_or_default();
            tokens.sort_unstable();
            let profile = self.known.profiles.intern(Profile { cell: id, tokens: tokens.into() });
            self.initial.set_members(profile, cell.size());
            ingredients.push(Ingredient::Profile(profile));
        }
        for (number, variant) in (0..).zip(&self.variants) {
            let needs_slot = variant.patterns.iter().any(|pattern| pattern.label.is_none());
            if variant.labels.is_empty() && !needs_slot {
                let (seen, found) = (&mut self.seen, &mut self.events);
                Search::run(&mut self.known, (variant, number), Start::Free, seen, found)?;
            }
        }
        self.index_events(0, &mut ingredients);
        self.learn(ingredients)
    }

    /// Learns that members can have these profiles, with all events that this brings.
    pub(crate) fn learn_profiles(
        &mut self,
        profiles: impl IntoIterator<Item = ProfileId>,
    ) -> Result<(), Refusal> {
        self.learn(profiles.into_iter().map(Ingredient::Profile).collect())
    }

    fn learn(&mut self, mut ingredients: Vec<Ingredient>) -> Result<(), Refusal> {
        while let Some(ingredient) = ingredients.pop() {
            let is_new = match ingredient {
                Ingredient::Profile(profile) => self.known.learn_profile(profile)?,
                Ingredient::Slot(slot) => self.known.learn_slot(slot),
            };
            if !is_new {
                continue;
            }
            let before = self.events.len();
            for (number, variant) in (0..).zip(&self.variants) {
                let starts: Vec<Start> = match ingredient {
                    Ingredient::Profile(profile) => {
                        let class = self.known.cells.cell(self.known.profiles.profile(profile).cell).class;
                        let labels = (0..).zip(&variant.labels).filter(|(_, of)| **of == class);
                        labels.map(|(label, _)| Start::Label(label, profile)).collect()
                    }
                    Ingredient::Slot(slot) => {
                        let place = self.known.slots.slot(slot).place;
                        let patterns = variant.patterns.iter().enumerate();
                        let fits =
                            patterns.filter(|(_, pattern)| pattern.label.is_none() && pattern.place == place);
                        fits.map(|(number, _)| Start::Slot(number, slot)).collect()
                    }
                };
                for start in starts {
                    let (seen, found) = (&mut self.seen, &mut self.events);
                    Search::run(&mut self.known, (variant, number), start, seen, found)?;
                }
            }
            self.index_events(before, &mut ingredients);
            if self.events.len() > MOST_EVENTS {
                return Err(Refusal::TooManyEvents(MOST_EVENTS));
            }
        }
        Ok(())
    }

    /// Puts the events from `first` on into the indexes; what they put becomes an ingredient.
    fn index_events(&mut self, first: usize, ingredients: &mut Vec<Ingredient>) {
        for number in first..self.events.len() {
            let event = &self.events[number];
            match event.needed().first() {
                Some((profile, _)) => self.by_profile.entry(*profile).or_default().push(number),
                None => self.without_profile.push(number),
            }
            let marked = event.tokens.iter().filter(|(_, access)| access.put() > 0);
            ingredients.extend(marked.map(|(slot, _)| Ingredient::Slot(*slot)));
        }
    }

    /// The events that may be enabled.
    fn candidates(&self, counts: &Counts) -> Vec<usize> {
        let present = self.known.profiles.known().iter().filter(|profile| counts.members_with(**profile) > 0);
        let lists = present.filter_map(|profile| self.by_profile.get(profile));
        self.without_profile.iter().chain(lists.flatten()).copied().collect()
    }

    /// Fires an event. The profiles that members have afterwards become known.
    fn fire(&mut self, event: usize, counts: &Counts) -> Result<Option<Counts>, Refusal> {
        self.known.meter.step()?;
        let Some(next) = self.events[event].fire(counts, &mut self.known)? else { return Ok(None) };
        let met = (0..next.members.len() as u32).map(ProfileId);
        let new: Vec<ProfileId> =
            met.filter(|id| next.members_with(*id) > 0 && !self.known.profiles.is_known(*id)).collect();
        if !new.is_empty() {
            self.learn_profiles(new)?;
        }
        Ok(Some(next))
    }

    /// Lists markings breadth first. Returns whether these are all.
    fn list_states(&mut self, most: usize) -> Result<bool, Refusal> {
        let mut seen: FxHashSet<Counts> = FxHashSet::from_iter([self.initial.clone()]);
        let mut queue = VecDeque::from([self.initial.clone()]);
        while let Some(counts) = queue.pop_front() {
            // An event that is found while this marking is worked on needs something that is not in
            // it.
            for event in self.candidates(&counts) {
                let Some(next) = self.fire(event, &counts)? else { continue };
                if seen.len() >= most && !seen.contains(&next) {
                    return Ok(false);
                }
                if seen.insert(next.clone()) {
                    queue.push_back(next);
                }
            }
        }
        Ok(true)
    }

    /// Whether some event leads a member with a known profile to one that is not known.
    fn may_escape(&mut self) -> Result<bool, Refusal> {
        for event in &self.events {
            self.known.meter.step()?;
            if event.targets.iter().any(|target| !self.known.profiles.is_known(*target)) {
                return Ok(true);
            }
            for (cell, accesses) in &event.rests {
                for source in self.known.profiles.known_of_cell(*cell) {
                    let profile = self.known.profiles.profile(source);
                    if profile.admits(accesses) {
                        let after = self.known.profiles.find(&profile.after(accesses)?);
                        if !after.is_some_and(|after| self.known.profiles.is_known(after)) {
                            return Ok(true);
                        }
                    }
                }
            }
        }
        Ok(false)
    }

    /// Follows walks until they meet nothing new: in turn such that seek new profiles, where members
    /// have to be led a long way, and random ones.
    fn walk(&mut self, seed: u64, steps: u64) -> Result<(), Refusal> {
        let mut random = Random::new(seed);
        let mut counts = self.initial.clone();
        let (mut known, mut last_new) = (self.known.profiles.known().len(), 0);
        for step in 1..=steps {
            if step % STEPS_PER_WALK == 0 {
                counts = self.initial.clone();
            }
            let mut candidates = self.candidates(&counts);
            let first = random.below(candidates.len().max(1));
            candidates.rotate_left(first);
            if (step / STEPS_PER_WALK).is_multiple_of(2) && random.below(4) > 0 {
                // Profiles are numbered as they are met, so the largest number is the newest.
                candidates.sort_by_key(|&event| std::cmp::Reverse(self.events[event].targets.iter().max()));
            }
            let mut next = None;
            for event in candidates {
                next = self.fire(event, &counts)?;
                if next.is_some() {
                    break;
                }
            }
            counts = next.unwrap_or_else(|| self.initial.clone());
            if self.known.profiles.known().len() > known {
                (known, last_new) = (self.known.profiles.known().len(), step);
            }
            if step - last_new > WALK_PATIENCE {
                break;
            }
        }
        Ok(())
    }
}
