//! Place/transition nets as coloured nets: the inverse of unfolding.
//!
//! The caller says which places are the colours of one place: each belongs to a *family*, and has a
//! list of members that tells it apart from the others of its family. Transitions that differ only
//! by an exchange of members then become one transition with a variable per member:
//!
//! ```text
//!  take_1: idle_1, fork_1 ──▶ busy_1          take(x): idle[x], fork[x] ──▶ busy[x]
//!  take_2: idle_2, fork_2 ──▶ busy_2
//! ```
//!
//! A transition is brought into a *form* that does not depend on which members it names, and the
//! transitions of one form are counted. Either they are all that exchanges of members make of one of
//! them, or the net is not regrouped (REGROUP-1): so the bindings of a transition of the result are
//! exactly the transitions of one form, each as often as there are exchanges that leave it as it is.
//!
//! - **REGROUP-1** for every binding of the result there is a transition of the net with the same
//!   arcs, and each transition of the net is meant by [`Regrouped::repeats`] bindings.

mod form;

use crate::arc::Arc;
use crate::class::Class;
use crate::domain::Domain;
use crate::guard::{Guard, Relation};
use crate::ids::{ClassId, PlaceId, TransitionId, VariableId};
use crate::net::{Net, Transition};
use crate::term::{MemberTerm, MultisetTerm};
use form::{Form, Formed, Kind, Line};
use rustc_hash::FxHashMap;
use symbolon_budget::{Budget, Interrupted, Meter};
use symbolon_petri as petri;

/// Which members the places of a net belong to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Colouring {
    /// The number of members of each class.
    pub class_sizes: Vec<u32>,
    /// What each place belongs to.
    pub places: Vec<Belonging>,
    /// A label per transition, if that list is not empty: those with different labels do not become
    /// one transition.
    pub labels: Vec<u32>,
}

/// What a place belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Belonging {
    /// The place of the coloured net that it becomes a colour of.
    pub family: u32,
    /// The colour: members, each as the numbers of a class and of a member in it. Places of one
    /// family have the same classes, and different members.
    pub members: Vec<(u32, u32)>,
}

/// A net as a coloured net, and the way back.
#[derive(Clone, Debug)]
pub struct Regrouped {
    /// The coloured net. Its classes are those of the colouring, in their order, and perhaps that of
    /// black tokens behind them; its places and transitions are called like the first place or
    /// transition that became a part of them.
    pub net: Net,
    /// For each place of the original net, the place and the colour that it became.
    pub colours: Vec<(PlaceId, u64)>,
    repeats: Vec<u64>,
    /// For each transition, a binding and the original transition that it means.
    examples: Vec<(Box<[u32]>, petri::TransitionId)>,
    instances: FxHashMap<(TransitionId, Box<[u32]>), petri::TransitionId>,
}

impl Regrouped {
    /// The transition of the original net that a binding means.
    pub fn original(&self, transition: TransitionId, binding: &[u32]) -> Option<petri::TransitionId> {
        self.instances.get(&(transition, binding.into())).copied()
    }

    /// One binding of a transition, and the transition of the original net that it means.
    pub fn example(&self, transition: TransitionId) -> (&[u32], petri::TransitionId) {
        let (binding, original) = &self.examples[transition.index()];
        (binding, *original)
    }

    /// How many bindings of a transition mean the same transition of the original net.
    pub fn repeats(&self, transition: TransitionId) -> u64 {
        self.repeats[transition.index()]
    }
}

/// The coloured net that `colouring` makes of `net`; `None` if exchanges of members lead out of it,
/// or a transition names so many members that its form is not worth finding.
pub fn regroup(
    net: &petri::Net,
    colouring: &Colouring,
    budget: &Budget,
) -> Result<Option<Regrouped>, Interrupted> {
    let mut meter = Meter::new(budget.clone());
    let mut grouping = Grouping::new(net, colouring);
    if !grouping.add_places(&mut meter)? || !grouping.add_transitions(&mut meter)? {
        return Ok(None);
    }
    Ok(Some(grouping.done))
}

/// A coloured net in the making.
struct Grouping<'n> {
    original: &'n petri::Net,
    colouring: &'n Colouring,
    /// For each family, its place.
    places: FxHashMap<u32, PlaceId>,
    /// For each class, its variables, as many as were needed so far.
    variables: Vec<Vec<VariableId>>,
    done: Regrouped,
}

/// The transitions of one form.
#[derive(Default)]
struct Group {
    /// By the members that they name, those that are equal otherwise one after the other.
    by_members: FxHashMap<Box<[u32]>, Vec<petri::TransitionId>>,
    /// The first ones.
    first: Vec<petri::TransitionId>,
    /// All orders of members in which the form is the same, as positions.
    orders: Vec<Vec<usize>>,
}

impl<'n> Grouping<'n> {
    fn new(original: &'n petri::Net, colouring: &'n Colouring) -> Grouping<'n> {
        let mut net = Net { name: original.name.clone(), ..Net::default() };
        for (number, &size) in (1..).zip(&colouring.class_sizes) {
            net.add_class(Class::range(format!("C{number}"), 1, i64::from(size)));
        }
        Grouping {
            original,
            colouring,
            places: FxHashMap::default(),
            variables: vec![Vec::new(); colouring.class_sizes.len()],
            done: Regrouped {
                net,
                colours: Vec::new(),
                repeats: Vec::new(),
                examples: Vec::new(),
                instances: FxHashMap::default(),
            },
        }
    }

    /// Makes a place of each family. Returns whether the colouring tells its places apart.
    fn add_places(&mut self, meter: &mut Meter) -> Result<bool, Interrupted> {
        let mut initial: Vec<Vec<MultisetTerm>> = Vec::new();
        let mut seen = FxHashMap::default();
        for (place, belonging) in self.original.places.iter().zip(&self.colouring.places) {
            meter.step()?;
            let domain = match belonging.members.is_empty() {
                true => Domain::of(self.dot()),
                false => Domain(belonging.members.iter().map(|&(class, _)| ClassId(class)).collect()),
            };
            let net = &mut self.done.net;
            let id = *self.places.entry(belonging.family).or_insert_with(|| {
                initial.push(Vec::new());
                net.add_place(place.id.clone(), domain.clone(), MultisetTerm::Empty(domain.clone()))
            });
            let members: Vec<u32> = match belonging.members.is_empty() {
                true => vec![0],
                false => belonging.members.iter().map(|&(_, member)| member).collect(),
            };
            if net.places[id.index()].domain != domain {
                return Ok(false);
            }
            let code = domain.code(net, &members);
            if seen.insert((id, code), ()).is_some() {
                return Ok(false);
            }
            self.done.colours.push((id, code));
            if place.initial > 0 {
                let members = domain.0.iter().zip(members);
                let members = members.map(|(&class, member)| MemberTerm::Constant { class, member });
                initial[id.index()].push(MultisetTerm::colour(members).times(place.initial));
            }
        }
        for (place, mut tokens) in self.done.net.places.iter_mut().zip(initial) {
            match tokens.len() {
                0 => {}
                1 => place.initial = tokens.remove(0),
                _ => place.initial = MultisetTerm::Sum(tokens),
            }
        }
        Ok(true)
    }

    /// The class of black tokens.
    fn dot(&mut self) -> ClassId {
        let known = self.done.net.class_ids().find(|id| self.done.net.classes[id.index()].is_dot());
        known.unwrap_or_else(|| self.done.net.add_class(Class::dot()))
    }

    /// Makes a transition of all transitions that are equal up to an exchange of members. Returns
    /// whether each exchange leads from transitions to transitions.
    fn add_transitions(&mut self, meter: &mut Meter) -> Result<bool, Interrupted> {
        let mut numbers: FxHashMap<Form, usize> = FxHashMap::default();
        let mut groups: Vec<(Form, Group)> = Vec::new();
        for id in self.original.transition_ids() {
            meter.step()?;
            let Some(Formed { form, members, orders }) = self.formed(id) else { return Ok(false) };
            let number = *numbers.entry(form.clone()).or_insert_with(|| {
                groups.push((form, Group { orders, ..Group::default() }));
                groups.len() - 1
            });
            let group = &mut groups[number].1;
            let key = least(&members, &group.orders);
            let equal = group.by_members.entry(key).or_default();
            if equal.is_empty() && group.first.is_empty() {
                group.first.push(id);
            }
            equal.push(id);
        }
        for (form, group) in groups {
            if !self.add_group(&form, &group, meter)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn formed(&self, id: petri::TransitionId) -> Option<Formed> {
        let lines = self.original.transitions[id.index()].arcs.iter().map(|arc| {
            let belonging = &self.colouring.places[arc.place().index()];
            Line {
                kind: Kind::of(*arc),
                family: belonging.family,
                weight: arc.weight().unwrap_or(1),
                members: belonging.members.clone(),
            }
        });
        form::formed(self.colouring.labels.get(id.index()).copied(), lines.collect())
    }

    /// Makes a transition of a form, or several where the net has equal transitions.
    fn add_group(&mut self, form: &Form, group: &Group, meter: &mut Meter) -> Result<bool, Interrupted> {
        let copies = group.by_members.values().next().map_or(0, Vec::len);
        if group.by_members.values().any(|equal| equal.len() != copies) {
            return Ok(false);
        }
        // All members of each class in all orders, but for those orders that change nothing.
        let mut wanted: u128 = 1;
        let mut taken: FxHashMap<u32, u128> = FxHashMap::default();
        for &class in &form.classes {
            let taken = taken.entry(class).or_default();
            let size = u128::from(self.colouring.class_sizes[class as usize]);
            wanted = wanted.saturating_mul(size.saturating_sub(*taken));
            *taken += 1;
        }
        if group.by_members.len() as u128 * group.orders.len() as u128 != wanted {
            return Ok(false);
        }
        let variables = self.variables_of(&form.classes);
        let guard = distinct(&form.classes, &variables);
        let mut arcs = Vec::with_capacity(form.lines.len());
        for line in &form.lines {
            let place = self.places[&line.family];
            let colour = match line.members.is_empty() {
                true => {
                    let class = self.dot();
                    MultisetTerm::Member(MemberTerm::Constant { class, member: 0 })
                }
                false => MultisetTerm::colour(
                    line.members
                        .iter()
                        .map(|&(_, position)| MemberTerm::variable(variables[position as usize])),
                ),
            };
            arcs.push(line.kind.arc(place, colour.times(line.weight)));
        }
        // The order in which a binding lists its members: that of the variables.
        let mut order: Vec<usize> = (0..variables.len()).collect();
        order.sort_unstable_by_key(|&position| variables[position]);
        for copy in 0..copies {
            let first = group.by_members[&least_of(group)][copy];
            let name = self.original.transitions[first.index()].id.clone();
            let id = self.done.net.add_transition(Transition::new(name, guard.clone(), arcs.clone()));
            self.done.repeats.push(group.orders.len() as u64);
            let members = least_of(group);
            self.done.examples.push((order.iter().map(|&position| members[position]).collect(), first));
            for (members, equal) in &group.by_members {
                for positions in &group.orders {
                    meter.step()?;
                    let binding = order.iter().map(|&position| members[positions[position]]).collect();
                    self.done.instances.insert((id, binding), equal[copy]);
                }
            }
        }
        Ok(true)
    }

    /// A variable for each member that a form names.
    fn variables_of(&mut self, classes: &[u32]) -> Vec<VariableId> {
        let mut used = vec![0; self.variables.len()];
        let mut found = Vec::with_capacity(classes.len());
        for &class in classes {
            let known = &mut self.variables[class as usize];
            let used = &mut used[class as usize];
            if known.len() == *used {
                let name = format!("x{}_{}", class + 1, *used + 1);
                known.push(self.done.net.add_variable(name, ClassId(class)));
            }
            found.push(known[*used]);
            *used += 1;
        }
        found
    }
}

/// The least list that the members are in one of these orders.
fn least(members: &[u32], orders: &[Vec<usize>]) -> Box<[u32]> {
    let lists = orders.iter().map(|order| order.iter().map(|&position| members[position]).collect());
    lists.min().unwrap_or_default()
}

/// The members of the first transition of a group.
fn least_of(group: &Group) -> Box<[u32]> {
    let first = group.first.first();
    let found = group.by_members.iter().find(|(_, equal)| equal.first() == first);
    found.map(|(members, _)| members.clone()).unwrap_or_default()
}

/// The guard that variables of one class are bound to different members.
fn distinct(classes: &[u32], variables: &[VariableId]) -> Guard {
    let mut conditions = Vec::new();
    for (later, class) in classes.iter().enumerate() {
        for (earlier, _) in classes[..later].iter().enumerate().filter(|(_, other)| *other == class) {
            conditions.push(Guard::Compare {
                left: MemberTerm::variable(variables[earlier]),
                relation: Relation::Unequal,
                right: MemberTerm::variable(variables[later]),
            });
        }
    }
    match conditions.len() {
        0 => Guard::Constant(true),
        1 => conditions.remove(0),
        _ => Guard::And(conditions),
    }
}

impl Kind {
    fn of(arc: petri::Arc) -> Kind {
        match arc {
            petri::Arc::Input { .. } => Kind::Input,
            petri::Arc::Read { .. } => Kind::Read,
            petri::Arc::Inhibitor { .. } => Kind::Inhibitor,
            petri::Arc::Reset { .. } => Kind::Reset,
            petri::Arc::Output { .. } => Kind::Output,
        }
    }

    fn arc(self, place: PlaceId, tokens: MultisetTerm) -> Arc {
        match self {
            Kind::Input => Arc::Input { place, tokens },
            Kind::Read => Arc::Read { place, tokens },
            Kind::Inhibitor => Arc::Inhibitor { place, tokens },
            Kind::Reset => Arc::Reset { place, tokens },
            Kind::Output => Arc::Output { place, tokens },
        }
    }
}
