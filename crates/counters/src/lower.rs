//! Counters as a net, or as a model where some event moves all members of a cell.

use crate::cells::CellId;
use crate::discover::Discovery;
use crate::event::Event;
use crate::profile::{ProfileId, SlotId};
use crate::refusal::Refusal;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use symbolon_coloured::{ColourNames, Net};
use symbolon_model::{
    self as model, Change, Comparison, ExclusiveSet, Expr, Facts, LinearInvariant, Model, Part, Predicate,
    VariableId,
};
use symbolon_petri::{self as petri, Access, TokenChange};

/// The counters in the form in which they are explored.
#[derive(Clone, Debug)]
pub enum Form {
    /// A net: every event moves a fixed number of members.
    Net(Box<petri::Net>),
    /// A model: some event moves all members of a cell, however many they are.
    Model(Box<Model>),
}

impl Form {
    /// The number of variables.
    pub fn variable_count(&self) -> usize {
        match self {
            Form::Net(net) => net.places.len(),
            Form::Model(model) => model.variables.len(),
        }
    }
}

/// Which variable counts what.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    /// What each variable is.
    pub(crate) variables: Vec<Counter>,
    pub(crate) of_slot: FxHashMap<SlotId, VariableId>,
    pub(crate) of_profile: FxHashMap<ProfileId, VariableId>,
}

/// What a variable counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counter {
    /// The tokens of a colour without free member.
    Tokens(SlotId),
    /// The members with a profile.
    Members(ProfileId),
}

impl Layout {
    /// Variables for all slots that can be marked, and for all known profiles.
    pub(crate) fn of(discovery: &Discovery<'_>) -> Layout {
        let known = &discovery.known;
        let mut layout = Layout::default();
        let mut slots: Vec<SlotId> =
            (0..known.slots.count() as u32).map(SlotId).filter(|&slot| known.is_markable(slot)).collect();
        slots.sort_by(|a, b| {
            let key = |slot: &SlotId| (known.slots.slot(*slot).place, known.slots.slot(*slot).fixed.clone());
            key(a).cmp(&key(b))
        });
        for slot in slots {
            layout.of_slot.insert(slot, VariableId(layout.variables.len() as u32));
            layout.variables.push(Counter::Tokens(slot));
        }
        let mut profiles = known.profiles.known().to_vec();
        profiles.sort_by_key(|&profile| known.profiles.profile(profile).cell);
        for profile in profiles {
            layout.of_profile.insert(profile, VariableId(layout.variables.len() as u32));
            layout.variables.push(Counter::Members(profile));
        }
        layout
    }
}

/// An event in which a known profile turns into one that is not known.
pub(crate) struct Escape {
    /// Where it is enabled.
    pub(crate) tests: Vec<Part>,
    pub(crate) to: ProfileId,
}

/// The counters of a discovery.
pub(crate) struct Lowered {
    pub(crate) form: Form,
    pub(crate) layout: Layout,
    /// The number in `discovery.events` of each event.
    pub(crate) events: Vec<usize>,
    pub(crate) escapes: Vec<Escape>,
}

/// What an event does with the members of one cell that have no label.
struct Rest {
    /// Profiles of which no such member may be left.
    blocked: Vec<ProfileId>,
    /// Known profiles with the known profiles that they turn into, others than themselves.
    moves: Vec<(ProfileId, ProfileId)>,
}

/// Lowers what was discovered.
pub(crate) fn lower(discovery: &mut Discovery<'_>) -> Result<Lowered, Refusal> {
    let layout = Layout::of(discovery);
    let mut names = Names::new(discovery.known.net);
    let mut lowered = Vec::new();
    let mut numbers = Vec::new();
    let mut escapes = Vec::new();
    for number in 0..discovery.events.len() {
        discovery.known.meter.step()?;
        let event = discovery.events[number].clone();
        let mut rests = Vec::new();
        for (cell, accesses) in &event.rests {
            let mut rest = Rest { blocked: Vec::new(), moves: Vec::new() };
            let sources: Vec<ProfileId> = discovery.known.profiles.known_of_cell(*cell).collect();
            for source in sources {
                let profile = discovery.known.profiles.profile(source);
                if !profile.admits(accesses) {
                    rest.blocked.push(source);
                    continue;
                }
                let after = profile.after(accesses)?;
                let target = discovery.known.profiles.intern(after);
                if !discovery.known.profiles.is_known(target) {
                    escapes.push((number, Some(source), target));
                    rest.blocked.push(source);
                } else if target != source {
                    rest.moves.push((source, target));
                }
            }
            rests.push((*cell, rest));
        }
        let unknown = event.targets.iter().find(|target| !discovery.known.profiles.is_known(**target));
        if let Some(&target) = unknown {
            escapes.push((number, None, target));
        } else {
            lowered.push(parts(&event, &rests, &layout));
            numbers.push(number);
        }
    }
    let escapes = escapes
        .into_iter()
        .filter_map(|(number, source, to)| {
            tests(&discovery.events[number], discovery, &layout, source).map(|tests| Escape { tests, to })
        })
        .collect();
    let variable_names: Vec<String> =
        layout.variables.iter().map(|counter| names.counter(discovery, *counter)).collect();
    let event_names: Vec<String> =
        numbers.iter().map(|&number| names.event(discovery, &discovery.events[number])).collect();
    let initial = initial_values(discovery, &layout);
    let form = match as_net(&lowered, &variable_names, &event_names, &initial, discovery.known.net) {
        Some(net) => Form::Net(Box::new(net)),
        None => Form::Model(Box::new(Model {
            name: discovery.known.net.name.clone(),
            variables: variable_names.into_iter().map(|name| model::Variable { name }).collect(),
            initial: vec![initial.into()],
            events: lowered
                .into_iter()
                .zip(event_names)
                .map(|(parts, name)| model::Event { name, parts })
                .collect(),
            facts: facts(discovery, &layout),
            ..Model::default()
        })),
    };
    Ok(Lowered { form, layout, events: numbers, escapes })
}

/// Where an event is enabled, with another member of the profile `escaping` in the rest of its cell,
/// if that is given; `None` if it never is.
fn tests(
    event: &Event,
    discovery: &Discovery<'_>,
    layout: &Layout,
    escaping: Option<ProfileId>,
) -> Option<Vec<Part>> {
    let mut limits: FxHashMap<VariableId, (u64, u64)> = FxHashMap::default();
    let mut limit = |variable: VariableId, at_least: u64, at_most: u64| {
        let known = limits.entry(variable).or_insert((0, u64::MAX));
        *known = (known.0.max(at_least), known.1.min(at_most));
    };
    for (profile, needed) in event.needed() {
        limit(layout.of_profile[&profile], needed, u64::MAX);
    }
    for (slot, access) in &event.tokens {
        match layout.of_slot.get(slot) {
            Some(&variable) => limit(variable, access.at_least, access.at_most),
            // A slot that cannot be marked holds no token.
            None if access.at_least > 0 => return None,
            None => {}
        }
    }
    for (cell, accesses) in &event.rests {
        for source in discovery.known.profiles.known_of_cell(*cell) {
            if !discovery.known.profiles.profile(source).admits(accesses) {
                limit(layout.of_profile[&source], 0, event.labels_from(source));
            }
        }
    }
    if let Some(source) = escaping {
        limit(layout.of_profile[&source], event.labels_from(source) + 1, u64::MAX);
    }
    let mut parts: Vec<Part> = Vec::with_capacity(limits.len());
    for (variable, (at_least, at_most)) in limits {
        if at_least > at_most {
            return None;
        }
        parts.push(Part::Local { variable, at_least, at_most, change: Change::Add(0) });
    }
    // The order must not hang on hashes.
    parts.sort_by_key(|part| part.variables());
    Some(parts)
}

/// What an event tests and changes.
fn parts(event: &Event, rests: &[(CellId, Rest)], layout: &Layout) -> Vec<Part> {
    let mut parts = Vec::new();
    for (slot, access) in &event.tokens {
        let Access { place: _, at_least, at_most, change } = *access;
        let change = match change {
            TokenChange::Move { taken, put } => Change::Add(put as i64 - taken as i64),
            TokenChange::Refill { put } => Change::Set(put),
        };
        match layout.of_slot.get(slot) {
            Some(&variable) => parts.push(Part::Local { variable, at_least, at_most, change }),
            // A slot that cannot be marked: its tests hold or not for ever, and nothing is put there.
            None if at_least > 0 => {
                let guard = Box::new(Predicate::False);
                parts.push(Part::General { guard, updates: Vec::new() });
            }
            None => {}
        }
    }
    // For each profile: how many members with labels leave it and come to it, and whether no other
    // may have it.
    let mut labelled: FxHashMap<ProfileId, (u64, u64, bool)> = FxHashMap::default();
    event.sources.iter().for_each(|source| labelled.entry(*source).or_default().0 += 1);
    event.targets.iter().for_each(|target| labelled.entry(*target).or_default().1 += 1);
    for (_, rest) in rests {
        rest.blocked.iter().for_each(|profile| labelled.entry(*profile).or_default().2 = true);
    }
    let mut general: Vec<ProfileId> = Vec::new();
    for (_, rest) in rests.iter().filter(|(_, rest)| !rest.moves.is_empty()) {
        general.extend(rest.moves.iter().flat_map(|&(source, target)| [source, target]));
    }
    general.sort_unstable();
    general.dedup();
    let mut local: Vec<(ProfileId, (u64, u64, bool))> = labelled
        .iter()
        .filter(|(profile, _)| general.binary_search(profile).is_err())
        .map(|(a, b)| (*a, *b))
        .collect();
    local.sort_unstable();
    for (profile, (leave, come, is_blocked)) in local {
        parts.push(Part::Local {
            variable: layout.of_profile[&profile],
            at_least: leave,
            at_most: if is_blocked { leave } else { u64::MAX },
            change: Change::Add(come as i64 - leave as i64),
        });
    }
    if !general.is_empty() {
        parts.push(moving_all(&general, &labelled, rests, layout));
    }
    parts
}

/// The part in which all members without labels move from profile to profile.
fn moving_all(
    general: &[ProfileId],
    labelled: &FxHashMap<ProfileId, (u64, u64, bool)>,
    rests: &[(CellId, Rest)],
    layout: &Layout,
) -> Part {
    let of = |profile: &ProfileId| labelled.get(profile).copied().unwrap_or_default();
    let moves: Vec<(ProfileId, ProfileId)> =
        rests.iter().flat_map(|(_, rest)| rest.moves.iter().copied()).collect();
    let mut tests = Vec::new();
    let mut updates = Vec::new();
    for profile in general {
        let variable = layout.of_profile[profile];
        let (leave, come, is_blocked) = of(profile);
        let compare = |comparison| {
            Predicate::Compare(Expr::Variable(variable), comparison, Expr::Constant(leave as i64))
        };
        if leave > 0 {
            tests.push(compare(Comparison::GreaterOrEqual));
        }
        if is_blocked {
            tests.push(compare(Comparison::LessOrEqual));
        }
        // Members with labels leave and come; the others stay, or move to where the profile leads.
        let mut constant = come as i64;
        let mut sum = Vec::new();
        let leads_away = moves.iter().any(|(source, _)| source == profile);
        let stays = (!leads_away).then_some(profile);
        let from = moves.iter().filter(|(_, target)| target == profile).map(|(source, _)| source);
        for source in stays.into_iter().chain(from) {
            sum.push(Expr::Variable(layout.of_profile[source]));
            constant -= of(source).0 as i64;
        }
        if constant != 0 || sum.is_empty() {
            sum.push(Expr::Constant(constant));
        }
        updates.push((variable, if sum.len() == 1 { sum.remove(0) } else { Expr::Sum(sum) }));
    }
    Part::General { guard: Box::new(Predicate::And(tests)), updates }
}

fn initial_values(discovery: &Discovery<'_>, layout: &Layout) -> Vec<u64> {
    let value = |counter: &Counter| match counter {
        Counter::Tokens(slot) => discovery.initial.tokens_of(*slot),
        Counter::Members(profile) => discovery.initial.members_with(*profile),
    };
    layout.variables.iter().map(value).collect()
}

/// What is known of every reachable state: each member of a cell has one profile.
fn facts(discovery: &Discovery<'_>, layout: &Layout) -> Facts {
    let known = &discovery.known;
    let mut facts = Facts { upper_bounds: vec![None; layout.variables.len()], ..Facts::default() };
    for cell in known.cells.ids() {
        let mut variables: Vec<VariableId> =
            known.profiles.known_of_cell(cell).map(|profile| layout.of_profile[&profile]).collect();
        variables.sort_unstable();
        let size = known.cells.cell(cell).size();
        variables.iter().for_each(|variable| facts.upper_bounds[variable.index()] = Some(size));
        let terms = variables.iter().map(|&variable| (variable, 1)).collect();
        facts.invariants.push(LinearInvariant { terms, value: size });
        if size == 1 {
            facts.exclusive.push(ExclusiveSet { variables, exactly_one: true });
        }
    }
    facts
}

/// The events as transitions, if each tests and changes single variables.
fn as_net(
    events: &[Vec<Part>],
    variables: &[String],
    names: &[String],
    initial: &[u64],
    net: &Net,
) -> Option<petri::Net> {
    let mut transitions = Vec::with_capacity(events.len());
    for (parts, name) in events.iter().zip(names) {
        let mut arcs = Vec::new();
        for part in parts {
            let Part::Local { variable, at_least, at_most, change } = part else { return None };
            let place = petri::PlaceId(variable.0);
            if *at_most < u64::MAX {
                arcs.push(petri::Arc::Inhibitor { place, weight: at_most + 1 });
            }
            match *change {
                Change::Set(put) => {
                    arcs.push(petri::Arc::Reset { place });
                    if *at_least > 0 {
                        arcs.push(petri::Arc::Read { place, weight: *at_least });
                    }
                    if put > 0 {
                        arcs.push(petri::Arc::Output { place, weight: put });
                    }
                }
                Change::Add(delta) => {
                    let put = at_least.checked_add_signed(delta)?;
                    if *at_least > 0 && delta == 0 {
                        arcs.push(petri::Arc::Read { place, weight: *at_least });
                    } else {
                        if *at_least > 0 {
                            arcs.push(petri::Arc::Input { place, weight: *at_least });
                        }
                        if put > 0 {
                            arcs.push(petri::Arc::Output { place, weight: put });
                        }
                    }
                }
            }
        }
        transitions.push(petri::Transition::new(name.clone(), arcs));
    }
    let places = variables.iter().zip(initial);
    Some(petri::Net {
        name: net.name.clone(),
        places: places.map(|(id, &initial)| petri::Place { id: id.clone(), label: None, initial }).collect(),
        transitions,
        ..petri::Net::default()
    })
}

/// Names of counters and events.
struct Names {
    colours: ColourNames,
    /// How often each name was given: counters and events have distinct names.
    given: FxHashMap<String, u32>,
}

impl Names {
    fn new(net: &Net) -> Names {
        Names { colours: ColourNames::of(net), given: FxHashMap::default() }
    }

    fn distinct(&mut self, name: String) -> String {
        let count = self.given.entry(name.clone()).or_default();
        *count += 1;
        let count = *count;
        if count == 1 { name } else { self.distinct(format!("{name}#{count}")) }
    }

    fn counter(&mut self, discovery: &Discovery<'_>, counter: Counter) -> String {
        let name = match counter {
            Counter::Tokens(slot) => self.slot(discovery, slot),
            Counter::Members(profile) => self.profile(discovery, profile),
        };
        self.distinct(name)
    }

    /// A slot as the colour of a place, with `*` for the free member.
    fn slot(&self, discovery: &Discovery<'_>, slot: SlotId) -> String {
        let (net, cells) = (discovery.known.net, discovery.known.cells);
        let slot = discovery.known.slots.slot(slot);
        let place = &net.places[slot.place.index()];
        let free = cells.free_position(slot.place);
        let mut text = place.id.clone();
        if net.is_dot(&place.domain) || (free.is_some() && slot.fixed.is_empty()) {
            return text;
        }
        let mut fixed = slot.fixed.iter();
        for (position, &class) in place.domain.0.iter().enumerate() {
            text.push(if position == 0 { '[' } else { ',' });
            if Some(position) == free {
                text.push('*');
            } else if let Some(&member) = fixed.next() {
                text.push_str(&self.colours.member(net, class, member));
            }
        }
        text.push(']');
        text
    }

    /// A profile as the places that hold the tokens of a member.
    fn profile(&self, discovery: &Discovery<'_>, profile: ProfileId) -> String {
        let (net, cells) = (discovery.known.net, discovery.known.cells);
        let profile = discovery.known.profiles.profile(profile);
        let class = cells.cell(profile.cell).class;
        let mut text = net.classes[class.index()].id.clone();
        let of_class: Vec<CellId> = cells.of_class(class).collect();
        if of_class.len() > 1 {
            let number = of_class.iter().position(|cell| *cell == profile.cell).unwrap_or(0) + 1;
            // Writing to a string cannot fail.
            let _ = write!(text, ".{number}");
        }
        text.push('{');
        for (position, (slot, count)) in profile.tokens.iter().enumerate() {
            if position > 0 {
                text.push(' ');
            }
            if *count > 1 {
                let _ = write!(text, "{count}'");
            }
            text.push_str(&self.slot(discovery, *slot));
        }
        text.push('}');
        text
    }

    fn event(&mut self, discovery: &Discovery<'_>, event: &Event) -> String {
        let net = discovery.known.net;
        let mut text = net.transitions[event.transition.index()].id.clone();
        let mut sign = '(';
        for &(variable, member) in &event.fixed {
            let class = net.variables[variable.index()].class;
            let _ = write!(
                text,
                "{sign}{}={}",
                self.colours.variable(net, variable),
                self.colours.member(net, class, member)
            );
            sign = ',';
        }
        for &(variable, label) in &event.free {
            let profile = self.profile(discovery, event.sources[usize::from(label)]);
            let _ = write!(text, "{sign}{}:{profile}", self.colours.variable(net, variable));
            sign = ',';
        }
        if sign == ',' {
            text.push(')');
        }
        self.distinct(text)
    }
}
