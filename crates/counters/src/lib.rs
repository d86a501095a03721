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
//! Where tokens carry two free colours, as those of a client at a server do, the members of one of the
//! classes are told apart at first. If the others hold tokens of one such member at most, the
//! counters of one member are like the tokens of a colour, and the counters are folded once more:
//! of each server it is counted how many clients wait there, and of all servers how many have which
//! number. `nest.rs` does that.
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
//! - **COUNT-4** with two levels, the counts of a cell are those of the lower level: those that belong
//!   to no member of the upper level, and for each member of the upper level those that its profile
//!   lists.

mod cells;
mod discover;
mod event;
mod frame;
mod join;
mod known;
mod level;
mod lift;
mod lower;
mod nest;
mod policy;
mod profile;
mod refusal;
mod variant;
mod verify;

pub use lift::ColouredStep;
pub use lower::Form;
pub use refusal::Refusal;

use discover::Effort;
use level::Level;
use nest::Nested;
use num_bigint::BigUint;
use symbolon_budget::Budget;
use symbolon_coloured::{ClassId, Net, PartialBinding, PlaceColour, PlaceId, TransitionId, fold_sums};
use symbolon_engine::{GroupTerm, Numbers};
use symbolon_model::{EventId, VariableId};
use symbolon_symmetry::Symmetry;

/// A coloured net as counters, and the way back.
#[derive(Clone, Debug)]
pub struct Counters {
    /// The counters, ready to be explored. Its variables and events have the numbers that the
    /// methods speak of.
    pub form: Form,
    lower: Level,
    /// The counters of the lower level, folded once more.
    upper: Option<Nested>,
}

/// The members of one cell: how many there are, and what the variables say of how they are shared
/// out among profiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedCell {
    /// The number of members.
    pub size: u64,
    /// The numbers of members with equal profiles; their sum is always the size.
    pub terms: Vec<GroupTerm>,
}

/// The bindings of an event in a state: so many of the members that variables count are taken, and
/// besides a fixed number of ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bindings {
    /// Variables with numbers of members that are taken out of their value.
    pub taken: Vec<(VariableId, u64)>,
    /// The number of ways to choose other members.
    pub ways: BigUint,
    /// How often each binding was counted.
    pub repeats: u64,
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
    let (lower, form) = Level::of(net, symmetry, effort, seed, budget)?;
    Ok(match Nested::of(net, symmetry, (&lower, &form), seed, budget) {
        Some((upper, form)) => Counters { form, lower, upper: Some(upper) },
        None => Counters { form, lower, upper: None },
    })
}

impl Counters {
    /// Takes the form out: who explores it may change it, and the way back does not need it.
    pub fn take_form(&mut self) -> Form {
        std::mem::replace(&mut self.form, Form::Net(Box::default()))
    }

    /// The tokens of a place as a weighted sum of variables.
    pub fn tokens_of(&self, place: PlaceId) -> Vec<(VariableId, u64)> {
        let terms = self.lower.tokens_of(place);
        match &self.upper {
            None => terms,
            Some(upper) => upper.sum(&terms),
        }
    }

    /// Whether a member is told apart from all others of its class.
    pub fn tells_apart(&self, class: ClassId, member: u32) -> bool {
        let is_above = |upper: &Nested| upper.is_counted(class, member);
        self.lower.tells_apart(class, member) && !self.upper.as_ref().is_some_and(is_above)
    }

    /// The tokens of one colour, all members of which are [told apart](Counters::tells_apart), as a
    /// weighted sum of variables.
    pub fn tokens_of_colour(&self, of: &PlaceColour) -> Vec<(VariableId, u64)> {
        let terms = self.lower.tokens_of_colour(of);
        match &self.upper {
            None => terms,
            Some(upper) => upper.sum(&terms),
        }
    }

    /// The events that a transition became under some of its bindings, which name members that are
    /// [told apart](Counters::tells_apart).
    pub fn events_under(&self, wanted: &PartialBinding) -> Vec<EventId> {
        let below = |event: &EventId| self.upper.as_ref().map_or(*event, |upper| upper.below(*event));
        let events = self.events_of(wanted.transition).into_iter();
        events.filter(|event| self.lower.is_under(below(event), wanted)).collect()
    }

    /// All tokens of a marking as a weighted sum of variables.
    pub fn all_tokens(&self) -> Vec<(VariableId, u64)> {
        let terms = self.lower.all_tokens();
        match &self.upper {
            None => terms,
            Some(upper) => upper.sum(&terms),
        }
    }

    /// The most tokens of one colour where the largest value of each variable is given.
    pub fn largest_of_one_colour(&self, largest: &[u64]) -> u64 {
        let given = (0..).map(VariableId).zip(largest.iter().copied());
        let of_lower = |(variable, largest)| self.lower.largest_of_one_colour(variable, largest);
        match &self.upper {
            None => given.map(of_lower).max().unwrap_or(0),
            Some(upper) => given
                .flat_map(|(variable, most)| upper.values_of(variable, most))
                .map(of_lower)
                .max()
                .unwrap_or(0),
        }
    }

    /// The events that a transition became.
    pub fn events_of(&self, transition: TransitionId) -> Vec<EventId> {
        match &self.upper {
            None => self.lower.events_of(transition).collect(),
            Some(upper) => {
                let all = upper.event_ids();
                all.filter(|event| self.transition_of(*event) == transition).collect()
            }
        }
    }

    /// The transition that became an event, among others.
    pub fn transition_of(&self, event: EventId) -> TransitionId {
        let lower = self.upper.as_ref().map_or(event, |upper| upper.below(event));
        self.lower.event(lower).transition
    }

    /// The bindings that an event stands for.
    pub fn bindings(&self, event: EventId) -> Bindings {
        match &self.upper {
            None => Bindings { taken: self.lower.members_taken(event), ways: 1_u32.into(), repeats: 1 },
            Some(upper) => upper.bindings(&self.lower, event),
        }
    }

    /// The cells, with the variables that count their members.
    pub fn cells(&self) -> Vec<CountedCell> {
        let cell = |level: &Level, id| {
            let terms =
                level.variables_of(id).map(|variable| GroupTerm { variable, numbers: Numbers::Value });
            CountedCell { size: level.cells.cell(id).size(), terms: terms.collect() }
        };
        let lower = self.lower.cells.ids().map(|id| cell(&self.lower, id));
        match &self.upper {
            None => lower.collect(),
            Some(upper) => {
                let shared_out = |of: CountedCell| CountedCell { terms: upper.shared_out(&of.terms), ..of };
                let above = upper.level.cells.ids().map(|id| cell(&upper.level, id));
                lower.map(shared_out).chain(above).collect()
            }
        }
    }

    /// Whether all members that may be exchanged are counted. Otherwise states are not yet orbits:
    /// the members of some free class are told apart.
    pub fn is_whole(&self) -> bool {
        self.upper.is_some() || self.lower.cells.is_whole()
    }

    /// The number of profiles, of both levels.
    pub fn profile_count(&self) -> usize {
        let upper = self.upper.as_ref().map_or(0, |upper| upper.level.profiles.known().len());
        self.lower.profiles.known().len() + upper
    }

    /// A run of the coloured net, from its initial marking, that these events stand for; `None` if
    /// they are no run of the counters.
    pub fn lift(&self, net: &Net, events: &[EventId]) -> Option<Vec<ColouredStep>> {
        match &self.upper {
            None => self.lower.lift(net, events),
            Some(upper) => self.lower.lift(net, &upper.lift(events)?),
        }
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
