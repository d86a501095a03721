//! The events of known profiles: for each variant all ways to give its labels known profiles and its
//! fixed variables members, such that every token that it needs is there.
//!
//! Events are found when the last of their ingredients becomes known: a profile, or a slot of a place
//! without free colours that can be marked. The search starts from that ingredient.

use crate::cells::CellId;
use crate::event::Event;
use crate::frame::{Bound, Frame, Owner};
use crate::known::Known;
use crate::profile::{ProfileId, SlotId, Slots};
use crate::refusal::Refusal;
use crate::variant::{Pattern, Variant};
use rustc_hash::{FxHashMap, FxHashSet};
use symbolon_budget::Meter;
use symbolon_coloured::{Arc, ClassId, MemberTerm, VariableId};
use symbolon_petri::{self as petri, Access};

/// What a search starts from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start {
    /// Nothing: the variant needs nothing that becomes known.
    Free,
    /// This label has this profile.
    Label(u8, ProfileId),
    /// The pattern with this number is met by this slot.
    Slot(usize, SlotId),
}

/// A search for the events of one variant.
pub(crate) struct Search<'s, 'n> {
    known: &'s mut Known<'n>,
    variant: &'s Variant,
    /// The number of the variant, a part of the key of an event.
    number: u32,
    bound: FxHashMap<VariableId, Bound>,
    /// The profile of each label, and a member of its cell that stands for it in guards.
    labels: Vec<Option<(ProfileId, u32)>>,
    /// Which patterns are met.
    is_met: Vec<bool>,
    /// The keys of all events found so far.
    seen: &'s mut FxHashSet<Vec<u32>>,
    found: &'s mut Vec<Event>,
}

impl<'s, 'n> Search<'s, 'n> {
    /// Adds to `found` the events of a variant that contain what the search starts from, except
    /// those in `seen`.
    pub(crate) fn run(
        known: &'s mut Known<'n>,
        (variant, number): (&'s Variant, u32),
        start: Start,
        seen: &'s mut FxHashSet<Vec<u32>>,
        found: &'s mut Vec<Event>,
    ) -> Result<(), Refusal> {
        let labels = vec![None; variant.labels.len()];
        let is_met = vec![false; variant.patterns.len()];
        let mut search =
            Search { known, variant, number, bound: FxHashMap::default(), labels, is_met, seen, found };
        match start {
            Start::Free => search.extend(),
            Start::Label(label, profile) => search.with_profile(label, profile, Search::extend),
            Start::Slot(pattern, slot) => search.with_slot(pattern, slot, Search::extend),
        }
    }

    /// Meets the next pattern, the one that is bound most; once all are met, binds what is left.
    fn extend(&mut self) -> Result<(), Refusal> {
        self.known.meter.step()?;
        let open = (0..self.variant.patterns.len()).filter(|&pattern| !self.is_met[pattern]);
        let Some(pattern) = open.min_by_key(|&pattern| self.openness(&self.variant.patterns[pattern])) else {
            return self.bind_rest();
        };
        let Pattern { place, label, .. } = self.variant.patterns[pattern];
        match label {
            None => {
                let markable = self.known.markable.get(&place).map_or(&[][..], Vec::as_slice).to_vec();
                for slot in markable {
                    self.with_slot(pattern, slot, Search::extend)?;
                }
            }
            Some(label) => match self.labels[usize::from(label)] {
                Some((profile, _)) => {
                    let slots: Vec<SlotId> =
                        self.known.profiles.profile(profile).tokens.iter().map(|&(slot, _)| slot).collect();
                    for slot in slots
                        .into_iter()
                        .filter(|&slot| self.known.slots.slot(slot).place == place)
                        .collect::<Vec<_>>()
                    {
                        self.with_slot(pattern, slot, Search::extend)?;
                    }
                }
                None => {
                    let held = self.known.held.get(&place).map_or(&[][..], Vec::as_slice).to_vec();
                    for slot in held {
                        self.with_slot(pattern, slot, |search| {
                            let holders =
                                search.known.holders.get(&slot).map_or(&[][..], Vec::as_slice).to_vec();
                            for profile in holders {
                                search.with_profile(label, profile, Search::extend)?;
                            }
                            Ok(())
                        })?;
                    }
                }
            },
        }
        Ok(())
    }

    /// How much of a pattern is open: the number of unbound variables, and whether its member is.
    fn openness(&self, pattern: &Pattern) -> (bool, usize) {
        let is_open = |term: &&MemberTerm| match term {
            MemberTerm::Constant { .. } => false,
            MemberTerm::Variable { variable, .. } => !self.bound.contains_key(variable),
        };
        let label_is_open = pattern.label.is_some_and(|label| self.labels[usize::from(label)].is_none());
        (label_is_open, pattern.fixed.iter().filter(is_open).count())
    }

    /// Goes on with a pattern met by a slot, if it fits.
    fn with_slot(
        &mut self,
        pattern: usize,
        slot: SlotId,
        then: impl FnOnce(&mut Self) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let variant = self.variant;
        let fixed = self.known.slots.slot(slot).fixed.clone();
        let mut newly = Vec::new();
        let mut fits = true;
        for (term, &member) in variant.patterns[pattern].fixed.iter().zip(&fixed) {
            fits = match *term {
                MemberTerm::Constant { member: constant, .. } => constant == member,
                MemberTerm::Variable { variable, shift } => match self.bound.get(&variable) {
                    Some(_) => self.value(*term) == Some(member),
                    None => {
                        let class = self.known.net.class_of(variable);
                        self.bound.insert(variable, Bound::Member(class.shifted(member, -shift)));
                        newly.push(variable);
                        true
                    }
                },
            };
            if !fits {
                break;
            }
        }
        if fits && self.conditions_hold(&newly) {
            self.is_met[pattern] = true;
            then(self)?;
            self.is_met[pattern] = false;
        }
        for variable in newly {
            self.bound.remove(&variable);
        }
        Ok(())
    }

    /// The member that a term of a fixed class denotes.
    fn value(&self, term: MemberTerm) -> Option<u32> {
        match term {
            MemberTerm::Constant { member, .. } => Some(member),
            MemberTerm::Variable { variable, shift } => match self.bound.get(&variable)? {
                Bound::Member(member) => Some(self.known.net.class_of(variable).shifted(*member, shift)),
                Bound::Label(_) => None,
            },
        }
    }

    /// Goes on with a profile for a label, if its class fits and its cell has a member left.
    fn with_profile(
        &mut self,
        label: u8,
        profile: ProfileId,
        then: impl FnOnce(&mut Self) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let cell_id = self.known.profiles.profile(profile).cell;
        let cell = self.known.cells.cell(cell_id);
        if cell.class != self.variant.labels[usize::from(label)] {
            return Ok(());
        }
        let used = self
            .labels
            .iter()
            .flatten()
            .filter(|(other, _)| self.known.profiles.profile(*other).cell == cell_id);
        let taken: Vec<u32> = used.map(|(_, member)| *member).collect();
        let Some(&member) = cell.members.iter().find(|member| !taken.contains(member)) else { return Ok(()) };
        self.labels[usize::from(label)] = Some((profile, member));
        let variables = self.variant.free.iter().filter(|(_, of)| *of == label);
        let newly: Vec<VariableId> = variables.map(|(variable, _)| *variable).collect();
        for &variable in &newly {
            self.bound.insert(variable, Bound::Label(label));
        }
        if self.conditions_hold(&newly) {
            then(self)?;
        }
        for variable in newly {
            self.bound.remove(&variable);
        }
        self.labels[usize::from(label)] = None;
        Ok(())
    }

    /// Whether the conditions hold of which the last variable was just bound.
    fn conditions_hold(&self, newly: &[VariableId]) -> bool {
        let is_ready = |variables: &[VariableId]| {
            variables.iter().all(|variable| self.bound.contains_key(variable))
                && (variables.is_empty() || variables.iter().any(|variable| newly.contains(variable)))
        };
        let ready = self.variant.conditions.iter().filter(|(_, variables)| is_ready(variables));
        let binding = |variable: VariableId| match self.bound.get(&variable) {
            Some(Bound::Member(member)) => *member,
            // The guard treats all members of a cell alike (SYM-1), so one stands for the others.
            Some(Bound::Label(label)) => self.labels[usize::from(*label)].map_or(0, |(_, member)| member),
            None => 0,
        };
        ready.into_iter().all(|(guard, _)| guard.holds(self.known.net, &binding))
    }

    /// Binds the variables that occur in no pattern.
    fn bind_rest(&mut self) -> Result<(), Refusal> {
        self.known.meter.step()?;
        if let Some(label) = self.labels.iter().position(Option::is_none) {
            let class = self.variant.labels[label];
            for profile in self.known_of_class(class) {
                self.with_profile(label as u8, profile, Search::bind_rest)?;
            }
            return Ok(());
        }
        let open = self.variant.fixed.iter().find(|variable| !self.bound.contains_key(variable));
        let Some(&variable) = open else { return self.finish() };
        for member in 0..self.known.net.class_of(variable).size() as u32 {
            self.known.meter.step()?;
            self.bound.insert(variable, Bound::Member(member));
            if self.conditions_hold(&[variable]) {
                self.bind_rest()?;
            }
            self.bound.remove(&variable);
        }
        Ok(())
    }

    fn known_of_class(&self, class: ClassId) -> Vec<ProfileId> {
        let profiles = &self.known.profiles;
        let of_class = |id: &ProfileId| self.known.cells.cell(profiles.profile(*id).cell).class == class;
        profiles.known().iter().copied().filter(of_class).collect()
    }

    /// Adds the event of the binding, if the members with labels admit it.
    fn finish(&mut self) -> Result<(), Refusal> {
        // Conditions without variables hold or not whatever is bound.
        if !self.conditions_hold(&[]) {
            return Ok(());
        }
        let variant = self.variant;
        let sources: Vec<ProfileId> = self.labels.iter().flatten().map(|(profile, _)| *profile).collect();
        let members = |variable: &VariableId| match self.bound[variable] {
            Bound::Member(member) => member,
            Bound::Label(label) => u32::from(label),
        };
        let fixed: Vec<(VariableId, u32)> =
            variant.fixed.iter().map(|variable| (*variable, members(variable))).collect();
        let key = [self.number].into_iter();
        let key = key.chain(fixed.iter().map(|(_, member)| *member)).chain(sources.iter().map(|id| id.0));
        if !self.seen.insert(key.collect()) {
            return Ok(());
        }
        let cells: Vec<CellId> = sources.iter().map(|id| self.known.profiles.profile(*id).cell).collect();
        let (known, bound) = (&mut *self.known, &self.bound);
        let frame = Frame { net: known.net, cells: known.cells, bound, labels: &cells };
        let accesses = accesses(&frame, variant, &mut known.slots, &mut known.meter)?;
        let mut targets = Vec::with_capacity(sources.len());
        for (label, &source) in (0..).zip(&sources) {
            let accesses = accesses.iter().find(|(owner, _)| *owner == Owner::Label(label));
            let accesses = accesses.map_or(&[][..], |(_, accesses)| accesses);
            let profile = known.profiles.profile(source);
            if !profile.admits(accesses) {
                return Ok(());
            }
            let after = profile.after(accesses)?;
            targets.push(known.profiles.intern(after));
        }
        let mut event = Event {
            transition: variant.transition,
            fixed,
            free: variant.free.clone(),
            sources,
            targets,
            tokens: Vec::new(),
            rests: Vec::new(),
        };
        for (owner, accesses) in accesses {
            match owner {
                Owner::Place => event.tokens = accesses,
                Owner::Rest(cell) => event.rests.push((cell, accesses)),
                Owner::Label(_) => {}
            }
        }
        self.found.push(event);
        Ok(())
    }
}

/// What a transition asks of the tokens of one owner and does to them, slot by slot.
type OwnerAccesses = (Owner, Vec<(SlotId, Access)>);

/// What the transition of a variant asks of the tokens of each owner, and does to them.
fn accesses(
    frame: &Frame<'_>,
    variant: &Variant,
    slots: &mut Slots,
    meter: &mut Meter,
) -> Result<Vec<OwnerAccesses>, Refusal> {
    let mut arcs: FxHashMap<Owner, Vec<petri::Arc>> = FxHashMap::default();
    for arc in &frame.net.transitions[variant.transition.index()].arcs {
        for (owner, slot, count) in frame.tokens(arc.place(), arc.tokens(), slots, meter)? {
            arcs.entry(owner).or_default().push(instance(arc, slot, count));
        }
    }
    let mut accesses: Vec<OwnerAccesses> = Vec::new();
    for (owner, arcs) in arcs {
        // The slots of one owner are like the places of a net.
        let transition = petri::Transition::new("", arcs);
        let largest = transition.arcs.iter().filter_map(|arc| arc.weight()).max();
        if largest.is_some_and(|weight| weight > petri::net::LARGEST_COUNT) {
            return Err(Refusal::TooManyTokens);
        }
        let of_slots = transition.accesses().map(|access| (SlotId(access.place.0), access));
        accesses.push((owner, of_slots.collect()));
    }
    accesses.sort_unstable_by_key(|(owner, _)| *owner);
    Ok(accesses)
}

fn instance(arc: &Arc, slot: SlotId, count: u64) -> petri::Arc {
    arc.instance(petri::PlaceId(slot.0), count)
}
