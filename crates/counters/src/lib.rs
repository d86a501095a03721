//! Coloured nets as counters: instead of which member holds which tokens, how many members hold
//! which.
//!
//! Where the members of a class can be exchanged for one another, markings that differ only by such
//! an exchange behave alike. If no token carries two colours of that kind, such a marking is known
//! once it is known how many members have each *profile*, the tokens that a member holds. These
//! numbers are counters, and the coloured net becomes an ordinary net over them, often one of a dozen
//! places for a million members:
//!
//! ```text
//!  Client  Idle: {1,2,3,4}   Waiting: {5}            Client{Idle} = 4   Client{Waiting} = 1
//!  request(x): Idle(x) ──▶ Waiting(x)                request: Client{Idle} ──▶ Client{Waiting}
//! ```
//!
//! Of symbolic markings (Chiola, Dutheil, Franceschinis, Haddad: Stochastic well-formed coloured nets
//! and symmetric modeling applications, IEEE TC 1993) this is the case in which the canonical form
//! costs nothing.
//!
//! ```
//! use symbolon_budget::Budget;
//! use symbolon_coloured::families::generate;
//! use symbolon_counters::{Form, fold};
//! use symbolon_symmetry::find_symmetry;
//!
//! let budget = Budget::unlimited();
//! let net = generate("cs-wave:300", &budget)?;
//! let symmetry = find_symmetry(&net, &[], &budget)?;
//! let Ok(counters) = fold(&net, &symmetry, 0, &budget) else { panic!() };
//! assert!(counters.form.variable_count() < 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Words: a *cell* is a static subclass of a free class, a *slot* a colour without its free member, a
//! *profile* the tokens of a member by slots, a *label* stands for a member that a transition binds.
//!
//! Invariants:
//!
//! - **COUNT-1** no place has two factors of free classes. Where two meet, one of them is treated as
//!   if its members were told apart.
//! - **COUNT-2** in every reachable marking every member has a profile that has a counter, and for
//!   every binding that is enabled there is an event whose labels have the profiles of the members
//!   that it binds; and the other way round.
//! - **COUNT-3** a state of the counters stands for ∏ |cell|! / ∏ count! markings, and an event that
//!   takes `k` members out of `n` with one profile for `n (n − 1) … (n − k + 1)` bindings in each.

mod cells;
mod discover;
mod event;
mod frame;
mod join;
mod known;
mod lift;
mod lower;
mod policy;
mod profile;
mod refusal;
mod variant;
mod verify;

pub use lift::ColouredStep;
pub use lower::Form;
pub use refusal::Refusal;

use cells::{CellId, Cells};
use discover::{Discovery, Effort};
use event::Event;
use lower::{Counter, Layout};
use profile::{ProfileId, Profiles, SlotId, Slots};
use symbolon_budget::Budget;
use symbolon_coloured::{Net, PlaceId, TransitionId, fold_sums};
use symbolon_model::{EventId, VariableId};
use symbolon_symmetry::Symmetry;

/// A coloured net as counters, and the way back.
#[derive(Clone, Debug)]
pub struct Counters {
    /// The counters, ready to be explored. Its variables and events have the numbers that the
    /// methods speak of.
    pub form: Form,
    cells: Cells,
    slots: Slots,
    profiles: Profiles,
    layout: Layout,
    events: Vec<Event>,
    initial_profiles: Vec<(CellId, ProfileId)>,
}

/// The members of one cell: how many there are, and the variables that count them by profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedCell {
    /// The number of members.
    pub size: u64,
    /// The variables; their sum is always the size.
    pub variables: Vec<VariableId>,
}

/// Folds a coloured net into counters. `symmetry` is that of the net; walks that search for profiles
/// are seeded by `seed`, on which only the numbering depends.
pub fn fold(net: &Net, symmetry: &Symmetry, seed: u64, budget: &Budget) -> Result<Counters, Refusal> {
    fold_with(net, symmetry, Effort::default(), seed, budget)
}

fn fold_with(
    net: &Net,
    symmetry: &Symmetry,
    effort: Effort,
    seed: u64,
    budget: &Budget,
) -> Result<Counters, Refusal> {
    budget.progress().enter("folding");
    // Sums over nearly whole classes hide that members are treated alike.
    let net = &fold_sums(net);
    let cells = Cells::of(net, symmetry)?;
    let mut discovery = Discovery::of(net, &cells, effort, seed, budget)?;
    let lowered = verify::verified(&mut discovery, budget)?;
    let Discovery { known, initial, events, .. } = discovery;
    let starts = known.profiles.known().iter().filter(|&&profile| initial.members_with(profile) > 0);
    let initial_profiles = starts.map(|&profile| (known.profiles.profile(profile).cell, profile)).collect();
    let (slots, profiles) = (known.slots, known.profiles);
    let events = lowered.events.iter().map(|&number| events[number].clone()).collect();
    Ok(Counters {
        form: lowered.form,
        slots,
        profiles,
        layout: lowered.layout,
        events,
        initial_profiles,
        cells,
    })
}

impl Counters {
    /// Takes the form out: who explores it may change it, and the way back does not need it.
    pub fn take_form(&mut self) -> Form {
        std::mem::replace(&mut self.form, Form::Net(Box::default()))
    }

    /// The tokens of a place as a weighted sum of variables.
    pub fn tokens_of(&self, place: PlaceId) -> Vec<(VariableId, u64)> {
        let is_here = |slot: &SlotId| self.slots.slot(*slot).place == place;
        let weight = |counter: &Counter| match counter {
            Counter::Tokens(slot) => u64::from(is_here(slot)),
            Counter::Members(profile) => {
                let tokens = self.profiles.profile(*profile).tokens.iter();
                tokens.filter(|(slot, _)| is_here(slot)).map(|(_, count)| count).sum()
            }
        };
        self.variables()
            .map(|(variable, counter)| (variable, weight(counter)))
            .filter(|(_, weight)| *weight > 0)
            .collect()
    }

    /// All tokens of a marking as a weighted sum of variables.
    pub fn all_tokens(&self) -> Vec<(VariableId, u64)> {
        let weight = |counter: &Counter| match counter {
            Counter::Tokens(_) => 1,
            Counter::Members(profile) => {
                self.profiles.profile(*profile).tokens.iter().map(|(_, count)| count).sum()
            }
        };
        self.variables()
            .map(|(variable, counter)| (variable, weight(counter)))
            .filter(|(_, weight)| *weight > 0)
            .collect()
    }

    /// The most tokens of one colour where the largest value of each variable is given.
    pub fn largest_of_one_colour(&self, largest: &[u64]) -> u64 {
        let most = |(variable, counter): (VariableId, &Counter)| match counter {
            Counter::Tokens(_) => largest[variable.index()],
            Counter::Members(_) if largest[variable.index()] == 0 => 0,
            Counter::Members(profile) => {
                let tokens = self.profiles.profile(*profile).tokens.iter();
                tokens.map(|(_, count)| *count).max().unwrap_or(0)
            }
        };
        self.variables().map(most).max().unwrap_or(0)
    }

    /// The events that a transition became.
    pub fn events_of(&self, transition: TransitionId) -> Vec<EventId> {
        let numbered = (0..).map(EventId).zip(&self.events);
        numbered.filter(|(_, event)| event.transition == transition).map(|(id, _)| id).collect()
    }

    /// The transition that became an event, among others.
    pub fn transition_of(&self, event: EventId) -> TransitionId {
        self.events[event.index()].transition
    }

    /// How many members with each profile an event takes out: variables with numbers of members.
    pub fn members_taken(&self, event: EventId) -> Vec<(VariableId, u64)> {
        let needed = self.events[event.index()].needed().into_iter();
        needed.map(|(profile, count)| (self.layout.of_profile[&profile], count)).collect()
    }

    /// The cells, with the variables that count their members.
    pub fn cells(&self) -> Vec<CountedCell> {
        let cell = |id: CellId| CountedCell {
            size: self.cells.cell(id).size(),
            variables: self
                .profiles
                .known_of_cell(id)
                .map(|profile| self.layout.of_profile[&profile])
                .collect(),
        };
        self.cells.ids().map(cell).collect()
    }

    /// Whether all members that may be exchanged are counted. Otherwise states are not yet orbits:
    /// the members of some free class are told apart.
    pub fn is_whole(&self) -> bool {
        self.cells.is_whole()
    }

    /// The number of profiles.
    pub fn profile_count(&self) -> usize {
        self.profiles.known().len()
    }

    /// The number of events.
    pub fn event_count(&self) -> usize {
        self.events.len()
    }

    fn variables(&self) -> impl Iterator<Item = (VariableId, &Counter)> {
        (0..).map(VariableId).zip(&self.layout.variables)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use symbolon_coloured::families::generate;
    use symbolon_symmetry::find_symmetry;

    /// The names of all counters that some member is counted by, sorted.
    fn counter_names(net: &Net, effort: Effort) -> Vec<String> {
        let budget = Budget::unlimited();
        let symmetry = find_symmetry(net, &[], &budget).expect("nothing interrupts it");
        let counters = fold_with(net, &symmetry, effort, 0, &budget).expect("the net can be folded");
        let mut names: Vec<String> = match counters.form {
            Form::Net(net) => net.places.into_iter().map(|place| place.id).collect(),
            Form::Model(model) => model.variables.into_iter().map(|variable| variable.name).collect(),
        };
        names.sort();
        names
    }

    #[test]
    fn exploring_finds_the_profiles_that_searches_miss() {
        for family in ["cs-wave:4", "peterson-coloured:3", "peterson-coloured:4"] {
            let net = generate(family, &Budget::unlimited()).expect("a family");
            let all = counter_names(&net, Effort::default());
            let by_walks = counter_names(&net, Effort { listed_states: 1, walk_steps: 30 });
            let by_diagrams = counter_names(&net, Effort { listed_states: 1, walk_steps: 0 });
            assert_eq!((&by_walks, &by_diagrams), (&all, &all), "{family}");
        }
    }
}
