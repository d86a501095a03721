//! Counters folded once more.
//!
//! Where clients wait at servers, clients are counted by what they hold, and servers are told apart
//! (COUNT-1): there is a counter for the clients that wait at server 1, one for those at server 2, and
//! so on. If no counter belongs to more than one server, the counters are the places of a net whose
//! tokens have servers as colours: that net is found ([`regroup`]) and folded, too.
//!
//! ```text
//!  lower   Client{Wait[s1]} = 2   Client{Wait[s2]} = 2   Client{Idle} = 5   Idle[s1] = 1  Idle[s2] = 1
//!  upper   Server{2'Client{Wait} Idle} = 2   Client{Idle} = 5
//! ```

use crate::discover::Effort;
use crate::level::{Level, Term};
use crate::lower::{Counter, Form};
use crate::profile::SlotId;
use crate::{Bindings, ColouredStep};
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use symbolon_budget::Budget;
use symbolon_coloured::{
    Belonging, ClassId, Colouring, Net, PlaceId, Regrouped, TransitionId, VariableId as Variable, fold_sums,
    regroup,
};
use symbolon_engine::{GroupTerm, Numbers};
use symbolon_model::{EventId, VariableId};
use symbolon_symmetry::{Kind, Symmetry, find_symmetry};

/// The upper level.
#[derive(Clone, Debug)]
pub(crate) struct Nested {
    pub(crate) level: Level,
    /// The counters of the lower level as a coloured net.
    regrouped: Regrouped,
    /// For each place of that net, a variable of the lower level that became a colour of it.
    first: Vec<VariableId>,
    /// The members that this level counts.
    counted: CountedMembers,
}

/// Members of classes that the lower level tells apart: the number of the class of the upper level, and
/// their number in it.
type CountedMembers = FxHashMap<(ClassId, u32), (u32, u32)>;

impl Nested {
    /// Folds counters once more; `None` if all members are counted already, or it cannot be done.
    pub(crate) fn of(
        net: &Net,
        symmetry: &Symmetry,
        (lower, form): (&Level, &Form),
        seed: u64,
        budget: &Budget,
    ) -> Option<(Nested, Form)> {
        let Form::Net(flat) = form else { return None };
        if lower.cells.is_whole() {
            return None;
        }
        let (colouring, counted) = colouring(net, symmetry, lower)?;
        // Where time runs out, the counters as they are answer, too.
        let Ok(Some(mut regrouped)) = regroup(flat, &colouring, budget) else { return None };
        regrouped.net = fold_sums(&regrouped.net);
        let Ok(found) = find_symmetry(&regrouped.net, &[], budget) else { return None };
        let is_free = |(class, size): (u32, &u32)| match &found.of(ClassId(class)).kind {
            Kind::Free(subclasses) => subclasses[0].size() == u64::from(*size),
            Kind::Rotating | Kind::Fixed => false,
        };
        if !(0..).zip(&colouring.class_sizes).all(is_free) {
            return None;
        }
        let (level, form) = match Level::of(&regrouped.net, &found, Effort::default(), seed, budget) {
            Ok(folded) => folded,
            Err(_) => return None,
        };
        let mut first = vec![VariableId(0); regrouped.net.places.len()];
        for (variable, (place, _)) in regrouped.colours.iter().enumerate().rev() {
            first[place.index()] = VariableId(variable as u32);
        }
        Some((Nested { level, regrouped, first, counted }, form))
    }

    /// Whether this level counts a member, which the lower one tells apart.
    pub(crate) fn is_counted(&self, class: ClassId, member: u32) -> bool {
        self.counted.contains_key(&(class, member))
    }

    fn place_of(&self, below: VariableId) -> PlaceId {
        self.regrouped.colours[below.index()].0
    }

    /// A weighted sum of variables of the lower level, in which all that belong to one place have one
    /// weight.
    pub(crate) fn sum(&self, below: &[Term]) -> Vec<Term> {
        let weights: BTreeMap<PlaceId, u64> =
            below.iter().map(|&(variable, weight)| (self.place_of(variable), weight)).collect();
        let mut sum: BTreeMap<VariableId, u64> = BTreeMap::new();
        for (place, weight) in weights {
            for (variable, count) in self.level.tokens_of(place) {
                let term = sum.entry(variable).or_default();
                *term = term.saturating_add(count.saturating_mul(weight));
            }
        }
        sum.into_iter().collect()
    }

    /// Variables of the lower level, one per place, with values that they have where this variable has
    /// this value.
    pub(crate) fn values_of(&self, variable: VariableId, value: u64) -> Vec<Term> {
        let first = |slot: &SlotId| self.first[self.level.slots.slot(*slot).place.index()];
        match &self.level.layout.variables[variable.index()] {
            Counter::Tokens(slot) => vec![(first(slot), value)],
            Counter::Members(_) if value == 0 => Vec::new(),
            Counter::Members(profile) => {
                let tokens = self.level.profiles.profile(*profile).tokens.iter();
                tokens.map(|(slot, count)| (first(slot), *count)).collect()
            }
        }
    }

    /// All events.
    pub(crate) fn event_ids(&self) -> impl Iterator<Item = EventId> + use<> {
        (0..self.level.events.len() as u32).map(EventId)
    }

    /// An event of the lower level that an event stands for.
    pub(crate) fn below(&self, event: EventId) -> EventId {
        let (_, original) = self.regrouped.example(self.level.event(event).transition);
        EventId(original.0)
    }

    /// The bindings that an event stands for. Of members that belong to a bound member of the upper
    /// level it is known how many there are; so the ways to choose among them are a number.
    pub(crate) fn bindings(&self, lower: &Level, id: EventId) -> Bindings {
        let event = self.level.event(id);
        let (binding, original) = self.regrouped.example(event.transition);
        let variables = self.regrouped.net.transitions[event.transition.index()].variables();
        let mut taken = self.level.members_taken(id);
        let mut ways = BigUint::from(1_u32);
        for (variable, count) in lower.members_taken(EventId(original.0)) {
            let (place, code) = self.regrouped.colours[variable.index()];
            let domain = &self.regrouped.net.places[place.index()].domain;
            let member = domain.colour(&self.regrouped.net, code)[0];
            let owner = variables.iter().zip(binding).find(|(variable, bound)| {
                self.regrouped.net.variables[variable.index()].class == domain.0[0] && **bound == member
            });
            let label = owner.and_then(|(owner, _)| event.free.iter().find(|(one, _)| one == owner));
            match label {
                Some((_, label)) => {
                    let profile = self.level.profiles.profile(event.sources[usize::from(*label)]);
                    let here = |slot: &SlotId| self.level.slots.slot(*slot).place == place;
                    let held =
                        profile.tokens.iter().find(|(slot, _)| here(slot)).map_or(0, |(_, held)| *held);
                    ways *= falling(held, count);
                }
                // It belongs to no member of the upper level.
                None => {
                    let here = |slot: &SlotId| self.level.slots.slot(*slot).place == place;
                    let counted = self.level.layout.of_slot.iter().find(|(slot, _)| here(slot));
                    taken.extend(counted.map(|(_, &variable)| (variable, count)));
                }
            }
        }
        Bindings { taken, ways, repeats: self.regrouped.repeats(event.transition) }
    }

    /// Variables of the lower level, of which each counts members, in terms of the upper one.
    pub(crate) fn shared_out(&self, below: &[GroupTerm]) -> Vec<GroupTerm> {
        let places: FxHashSet<PlaceId> = below.iter().map(|term| self.place_of(term.variable)).collect();
        let is_here = |slot: &SlotId| places.contains(&self.level.slots.slot(*slot).place);
        let numbers = |counter: &Counter| match counter {
            Counter::Tokens(slot) => is_here(slot).then_some(Numbers::Value),
            Counter::Members(profile) => {
                let tokens = self.level.profiles.profile(*profile).tokens.iter();
                let held: Vec<u64> =
                    tokens.filter(|(slot, _)| is_here(slot)).map(|(_, count)| *count).collect();
                (!held.is_empty()).then_some(Numbers::PerUnit(held))
            }
        };
        let variables = self.level.variables();
        variables
            .filter_map(|(variable, counter)| Some(GroupTerm { variable, numbers: numbers(counter)? }))
            .collect()
    }

    /// The run of the lower level that these events stand for.
    pub(crate) fn lift(&self, events: &[EventId]) -> Option<Vec<EventId>> {
        let steps = self.level.lift(&self.regrouped.net, events)?;
        let event = |step: ColouredStep| self.regrouped.original(step.transition, &step.binding);
        steps.into_iter().map(|step| Some(EventId(event(step)?.0))).collect()
    }
}

/// `n (n − 1) … (n − k + 1)`.
fn falling(n: u64, k: u64) -> BigUint {
    (0..k).map(|taken| BigUint::from(n.saturating_sub(taken))).product()
}

/// What tokens of a slot are, but for members that can be exchanged: a class in place of such a member.
type Kindred = (PlaceId, Vec<Result<u32, u32>>);

/// What a counter counts, but for members that can be exchanged.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Family {
    Tokens(Kindred),
    Members(u32, Vec<(Kindred, u64)>),
}

/// Which members of classes that are told apart the counters belong to; `None` if one of them
/// belongs to several.
fn colouring(net: &Net, symmetry: &Symmetry, lower: &Level) -> Option<(Colouring, CountedMembers)> {
    let mut class_sizes = Vec::new();
    let mut numbers = CountedMembers::default();
    for class in net.class_ids().filter(|class| !lower.cells.is_free(*class)) {
        let Kind::Free(subclasses) = &symmetry.of(class).kind else { continue };
        for subclass in subclasses.iter().filter(|subclass| subclass.members.len() > 1) {
            let number = class_sizes.len() as u32;
            let members = subclass.members.iter().zip(0..);
            numbers.extend(members.map(|(&member, index)| ((class, member), (number, index))));
            class_sizes.push(subclass.members.len() as u32);
        }
    }
    let kindred = |slot: SlotId, found: &mut Vec<(u32, u32)>| -> Kindred {
        let slot = lower.slots.slot(slot);
        let domain = &net.places[slot.place.index()].domain.0;
        let free = lower.cells.free_position(slot.place);
        let classes =
            (0..).zip(domain).filter(|(position, _)| Some(*position) != free).map(|(_, class)| *class);
        let factors = classes.zip(&slot.fixed).map(|(class, &member)| match numbers.get(&(class, member)) {
            None => Ok(member),
            Some(&number) => {
                found.push(number);
                Err(number.0)
            }
        });
        (slot.place, factors.collect())
    };
    let mut families: FxHashMap<Family, u32> = FxHashMap::default();
    let mut places = Vec::with_capacity(lower.layout.variables.len());
    for counter in &lower.layout.variables {
        let mut members = Vec::new();
        let family = match counter {
            Counter::Tokens(slot) => Family::Tokens(kindred(*slot, &mut members)),
            Counter::Members(profile) => {
                let profile = lower.profiles.profile(*profile);
                let tokens = profile.tokens.iter();
                let mut tokens: Vec<(Kindred, u64)> =
                    tokens.map(|&(slot, count)| (kindred(slot, &mut members), count)).collect();
                tokens.sort_unstable();
                Family::Members(profile.cell.0, tokens)
            }
        };
        members.sort_unstable();
        members.dedup();
        if members.len() > 1 {
            return None;
        }
        let number = families.len() as u32;
        places.push(Belonging { family: *families.entry(family).or_insert(number), members });
    }
    // Bindings of members that are told apart are told apart, even where no counter shows them.
    let mut bindings: FxHashMap<(TransitionId, Vec<(Variable, u32)>), u32> = FxHashMap::default();
    let labels = lower.events.iter().map(|event| {
        let fixed = event.fixed.iter().copied();
        let is_apart = |(variable, member): &(Variable, u32)| {
            !numbers.contains_key(&(net.variables[variable.index()].class, *member))
        };
        let number = bindings.len() as u32;
        *bindings.entry((event.transition, fixed.filter(is_apart).collect())).or_insert(number)
    });
    let labels = labels.collect();
    Some((Colouring { class_sizes, places, labels }, numbers))
}
