//! One folding: the counters of a net, and what they count.

use crate::cells::{CellId, Cells};
use crate::discover::{Discovery, Effort};
use crate::event::Event;
use crate::lower::{Counter, Form, Layout};
use crate::profile::{ProfileId, Profiles, SlotId, Slots};
use crate::refusal::Refusal;
use crate::verify;
use symbolon_budget::Budget;
use symbolon_coloured::{ClassId, Net, PartialBinding, PlaceColour, PlaceId, TransitionId};
use symbolon_model::{EventId, VariableId};
use symbolon_symmetry::Symmetry;

/// What the variables and events of a form mean in the net that was folded.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) cells: Cells,
    pub(crate) slots: Slots,
    pub(crate) profiles: Profiles,
    pub(crate) layout: Layout,
    pub(crate) events: Vec<Event>,
    pub(crate) initial_profiles: Vec<(CellId, ProfileId)>,
}

/// A variable with a number.
pub(crate) type Term = (VariableId, u64);

impl Level {
    /// Folds a net in which sums over nearly whole classes are folded already.
    pub(crate) fn of(
        net: &Net,
        symmetry: &Symmetry,
        effort: Effort,
        seed: u64,
        budget: &Budget,
    ) -> Result<(Level, Form), Refusal> {
        let cells = Cells::of(net, symmetry)?;
        let mut discovery = Discovery::of(net, &cells, effort, seed, budget)?;
        let lowered = verify::verified(&mut discovery, budget)?;
        let Discovery { known, initial, events, .. } = discovery;
        let starts = known.profiles.known().iter().filter(|&&profile| initial.members_with(profile) > 0);
        let initial_profiles =
            starts.map(|&profile| (known.profiles.profile(profile).cell, profile)).collect();
        let (slots, profiles) = (known.slots, known.profiles);
        let events = lowered.events.iter().map(|&number| events[number].clone()).collect();
        let layout = lowered.layout;
        Ok((Level { slots, profiles, layout, events, initial_profiles, cells }, lowered.form))
    }

    /// The number of tokens of a place that a unit of each variable stands for.
    pub(crate) fn tokens_of(&self, place: PlaceId) -> Vec<Term> {
        let is_here = |slot: &SlotId| self.slots.slot(*slot).place == place;
        self.weighted(|counter| match counter {
            Counter::Tokens(slot) => u64::from(is_here(slot)),
            Counter::Members(profile) => {
                let tokens = self.profiles.profile(*profile).tokens.iter();
                tokens.filter(|(slot, _)| is_here(slot)).map(|(_, count)| count).sum()
            }
        })
    }

    /// Whether a member is not counted together with others.
    pub(crate) fn tells_apart(&self, class: ClassId, member: u32) -> bool {
        self.cells.of_member(class, member).is_none_or(|cell| self.cells.cell(cell).size() == 1)
    }

    /// The number of tokens of one colour that a unit of each variable stands for. All members of the
    /// colour are told apart.
    pub(crate) fn tokens_of_colour(&self, of: &PlaceColour) -> Vec<Term> {
        let free = self.cells.free_position(of.place);
        let members = (0..).zip(&of.colour).filter(|(position, _)| Some(*position) != free);
        let fixed: Vec<u32> = members.map(|(_, member)| *member).collect();
        let is_it = |slot: &SlotId| {
            let slot = self.slots.slot(*slot);
            slot.place == of.place && *slot.fixed == *fixed
        };
        self.weighted(|counter| match counter {
            Counter::Tokens(slot) => u64::from(is_it(slot)),
            Counter::Members(profile) => {
                let profile = self.profiles.profile(*profile);
                let cell = self.cells.cell(profile.cell);
                // A place without a free class has no tokens in profiles.
                match free.is_some_and(|position| cell.members == [of.colour[position]]) {
                    true => {
                        profile.tokens.iter().filter(|(slot, _)| is_it(slot)).map(|(_, count)| count).sum()
                    }
                    false => 0,
                }
            }
        })
    }

    /// Whether an event stands for bindings under which variables have these members, which are told
    /// apart, and for no others.
    pub(crate) fn is_under(&self, event: EventId, wanted: &PartialBinding) -> bool {
        let event = self.event(event);
        let is_bound = |&(variable, member): &(symbolon_coloured::VariableId, u32)| {
            let fixed =
                event.fixed.iter().find(|(one, _)| *one == variable).map(|(_, bound)| *bound == member);
            let labelled = event.free.iter().find(|(one, _)| *one == variable).map(|(_, label)| {
                let profile = self.profiles.profile(event.sources[usize::from(*label)]);
                self.cells.cell(profile.cell).members == [member]
            });
            fixed.or(labelled).unwrap_or(false)
        };
        event.transition == wanted.transition && wanted.members.iter().all(is_bound)
    }

    /// The number of tokens that a unit of each variable stands for.
    pub(crate) fn all_tokens(&self) -> Vec<Term> {
        self.weighted(|counter| match counter {
            Counter::Tokens(_) => 1,
            Counter::Members(profile) => {
                self.profiles.profile(*profile).tokens.iter().map(|(_, count)| count).sum()
            }
        })
    }

    fn weighted(&self, weight: impl Fn(&Counter) -> u64) -> Vec<Term> {
        let terms = self.variables().map(|(variable, counter)| (variable, weight(counter)));
        terms.filter(|(_, weight)| *weight > 0).collect()
    }

    /// The most tokens of one colour where the largest value of a variable is given.
    pub(crate) fn largest_of_one_colour(&self, variable: VariableId, largest: u64) -> u64 {
        match &self.layout.variables[variable.index()] {
            Counter::Tokens(_) => largest,
            Counter::Members(_) if largest == 0 => 0,
            Counter::Members(profile) => {
                let tokens = self.profiles.profile(*profile).tokens.iter();
                tokens.map(|(_, count)| *count).max().unwrap_or(0)
            }
        }
    }

    pub(crate) fn event(&self, event: EventId) -> &Event {
        &self.events[event.index()]
    }

    /// The events that a transition became.
    pub(crate) fn events_of(&self, transition: TransitionId) -> impl Iterator<Item = EventId> {
        let numbered = (0..).map(EventId).zip(&self.events);
        numbered.filter(move |(_, event)| event.transition == transition).map(|(id, _)| id)
    }

    /// How many members with each profile an event takes out: variables with numbers of members.
    pub(crate) fn members_taken(&self, event: EventId) -> Vec<Term> {
        let needed = self.event(event).needed().into_iter();
        needed.map(|(profile, count)| (self.layout.of_profile[&profile], count)).collect()
    }

    /// The variables that count the members of a cell.
    pub(crate) fn variables_of(&self, cell: CellId) -> impl Iterator<Item = VariableId> {
        self.profiles.known_of_cell(cell).map(|profile| self.layout.of_profile[&profile])
    }

    /// All variables with what they count.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (VariableId, &Counter)> {
        (0..).map(VariableId).zip(&self.layout.variables)
    }
}
