//! Counters against the markings of the net itself: their number, its edges, deadlocks, tokens of
//! places, and runs, which are replayed in the coloured net.

use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use symbolon_budget::Budget;
use symbolon_coloured::families::generate;
use symbolon_coloured::{
    Arc, Class, ClassId, Domain, Guard, Marking, MemberTerm, MultisetTerm, Net, PlaceId, Relation,
    Transition, UnfoldLimits, unfold,
};
use symbolon_counters::{Bindings, Counters, Form, Refusal, fold};
use symbolon_engine::Numbers;
use symbolon_model::{EventId, Model, State};
use symbolon_petri::lower;
use symbolon_symmetry::{Kind, find_symmetry};
use symbolon_testkit::{RandomNumbers, seeds};

/// The most markings that a test lists.
const MOST_MARKINGS: usize = 3000;

fn folded(net: &Net) -> Result<Counters, Refusal> {
    let budget = Budget::unlimited();
    let symmetry = find_symmetry(net, &[], &budget).expect("nothing interrupts it");
    fold(net, &symmetry, 1, &budget)
}

fn model_of(counters: &Counters) -> Model {
    match &counters.form {
        Form::Net(net) => lower(net),
        Form::Model(model) => (**model).clone(),
    }
}

/// A state of a model with the events that lead to it.
type Reached = BTreeMap<State, Vec<EventId>>;

/// All reachable states, each with a shortest run; `None` if there are more than the limit.
fn reach(model: &Model, limit: usize) -> Option<Reached> {
    let mut reached = Reached::from([(model.initial[0].clone(), Vec::new())]);
    let mut queue = VecDeque::from([model.initial[0].clone()]);
    while let Some(state) = queue.pop_front() {
        for event in model.event_ids() {
            let Ok(Some(next)) = model.event(event).fire(&state) else { continue };
            if !reached.contains_key(&next) {
                let run = [reached[&state].as_slice(), &[event]].concat();
                reached.insert(next.clone(), run);
                queue.push_back(next);
                if reached.len() > limit {
                    return None;
                }
            }
        }
    }
    Some(reached)
}

fn factorial(number: u64) -> BigUint {
    (1..=number).map(BigUint::from).product()
}

/// The number of markings that a state stands for (COUNT-3, COUNT-4).
fn weight(counters: &Counters, state: &State) -> BigUint {
    let mut weight = BigUint::from(1_u32);
    for cell in counters.cells() {
        let mut sum = 0;
        let mut below = BigUint::from(1_u32);
        for term in &cell.terms {
            let value = state[term.variable.index()];
            match &term.numbers {
                Numbers::Value => {
                    sum += value;
                    below *= factorial(value);
                }
                Numbers::PerUnit(numbers) => {
                    sum += value * numbers.iter().sum::<u64>();
                    let per_unit: BigUint = numbers.iter().map(|&number| factorial(number)).product();
                    below *= (0..value).map(|_| &per_unit).product::<BigUint>();
                }
            }
        }
        assert_eq!(sum, cell.size, "all members of a cell are counted");
        weight *= factorial(cell.size) / below;
    }
    weight
}

/// The number of bindings that an enabled event stands for in one marking (COUNT-3), times how often
/// each was counted; and that number.
fn bindings(counters: &Counters, event: EventId, state: &State) -> (BigUint, u64) {
    let Bindings { taken, ways, repeats } = counters.bindings(event);
    let falling = taken.into_iter().flat_map(|(variable, count)| {
        (0..count).map(move |taken| BigUint::from(state[variable.index()] - taken))
    });
    (falling.product::<BigUint>() * ways, repeats)
}

fn total(counters: &Counters, place: PlaceId, state: &State) -> u64 {
    counters.tokens_of(place).iter().map(|(variable, weight)| state[variable.index()] * weight).sum()
}

/// What a test compares.
#[derive(Debug, PartialEq, Eq)]
struct Figures {
    markings: BigUint,
    edges: BigUint,
    dead: BigUint,
    /// The total of each place, for all reachable combinations.
    totals: BTreeSet<Vec<u64>>,
    largest_of_one_colour: u64,
    /// For each transition, in how many markings it is enabled under some binding.
    fireable: Vec<BigUint>,
}

fn figures_of_counters(net: &Net, counters: &Counters) -> Option<(Figures, Reached)> {
    let model = model_of(counters);
    let reached = reach(&model, MOST_MARKINGS)?;
    let mut largest = vec![0; model.variables.len()];
    let mut figures = Figures {
        markings: BigUint::ZERO,
        edges: BigUint::ZERO,
        dead: BigUint::ZERO,
        totals: BTreeSet::new(),
        largest_of_one_colour: 0,
        fireable: vec![BigUint::ZERO; net.transitions.len()],
    };
    for state in reached.keys() {
        let weight = weight(counters, state);
        figures.markings += &weight;
        let enabled: Vec<EventId> =
            model.event_ids().filter(|event| model.event(*event).is_enabled(state)).collect();
        let mut by_repeats: BTreeMap<u64, BigUint> = BTreeMap::new();
        for &event in &enabled {
            let (bindings, repeats) = bindings(counters, event, state);
            *by_repeats.entry(repeats).or_default() += &weight * bindings;
        }
        for (repeats, sum) in by_repeats {
            assert_eq!(&sum % repeats, BigUint::ZERO, "each binding is counted {repeats} times");
            figures.edges += sum / repeats;
        }
        if enabled.is_empty() {
            figures.dead += &weight;
        }
        for transition in net.transition_ids() {
            if counters.events_of(transition).iter().any(|event| enabled.contains(event)) {
                figures.fireable[transition.index()] += &weight;
            }
        }
        figures.totals.insert(net.place_ids().map(|place| total(counters, place, state)).collect());
        largest.iter_mut().zip(state.iter()).for_each(|(most, &value)| *most = (*most).max(value));
    }
    figures.largest_of_one_colour = counters.largest_of_one_colour(&largest);
    Some((figures, reached))
}

fn figures_of_markings(net: &Net) -> Option<Figures> {
    let unfolded = unfold(net, UnfoldLimits::default(), &Budget::unlimited()).expect("it is small");
    let model = lower(&unfolded.net);
    let reached = reach(&model, MOST_MARKINGS)?;
    let mut figures = Figures {
        markings: reached.len().into(),
        edges: BigUint::ZERO,
        dead: BigUint::ZERO,
        totals: BTreeSet::new(),
        largest_of_one_colour: 0,
        fireable: vec![BigUint::ZERO; net.transitions.len()],
    };
    for state in reached.keys() {
        let enabled: Vec<EventId> =
            model.event_ids().filter(|event| model.event(*event).is_enabled(state)).collect();
        figures.edges += enabled.len();
        figures.dead += u32::from(enabled.is_empty());
        for transition in net.transition_ids() {
            let mut instances = unfolded.transitions_of(transition);
            if instances.any(|instance| enabled.contains(&EventId(instance))) {
                figures.fireable[transition.index()] += 1_u32;
            }
        }
        let total = |place| unfolded.places_of(place).map(|instance| state[instance as usize]).sum();
        figures.totals.insert(net.place_ids().map(total).collect());
        let most = state.iter().copied().max().unwrap_or(0);
        figures.largest_of_one_colour = figures.largest_of_one_colour.max(most);
    }
    Some(figures)
}

/// Compares counters with markings. Returns the number of markings if both were listed.
fn check(net: &Net) -> Result<Option<BigUint>, Refusal> {
    let counters = folded(net)?;
    let (Some((figures, reached)), Some(expected)) =
        (figures_of_counters(net, &counters), figures_of_markings(net))
    else {
        return Ok(None);
    };
    assert_eq!(figures, expected, "{}", net.name);
    for (state, events) in reached {
        let steps = counters.lift(net, &events).expect("a run of the counters");
        let mut marking = Marking::initial(net).expect("it is small");
        for step in steps {
            marking = marking.fire(net, step.transition, &step.binding).expect("a lifted run is a run");
        }
        for place in net.place_ids() {
            let tokens: u64 = marking.tokens_in(place).map(|(_, count)| count).sum();
            assert_eq!(tokens, total(&counters, place, &state), "{}", net.name);
        }
    }
    Ok(Some(figures.markings))
}

#[test]
fn families_are_folded() {
    let cases = [
        ("cs-wave:3", true),
        ("cs-wave:4", true),
        ("peterson-coloured:2", true),
        ("peterson-coloured:3", true),
        ("distributed-db:2", true),
        ("distributed-db:5", true),
        ("distributed-db:3,pairs", false),
        ("client-server:2,2", true),
        ("client-server:3,2", true),
        ("client-server:2,3", true),
        ("philosophers-coloured:3", false),
    ];
    for (family, is_folded) in cases {
        let net = generate(family, &Budget::unlimited()).expect("a family");
        let checked = check(&net);
        assert_eq!(checked.is_ok(), is_folded, "{family}: {checked:?}");
        assert!(!matches!(checked, Ok(None)), "{family} is small");
    }
}

/// Draws nets with free classes. Tokens have one free colour, or two of different classes.
struct Draw {
    net: Net,
    free: Vec<ClassId>,
    /// A class with successors, whose members are told apart.
    ring: ClassId,
    numbers: RandomNumbers,
}

impl Draw {
    fn net(seed: u64) -> Net {
        let numbers = RandomNumbers::new(seed ^ 0xc0c0_0000);
        let mut net = Net { name: format!("random net {seed}"), ..Net::default() };
        let dot = net.add_class(Class::dot());
        let mut draw = Draw { net, free: Vec::new(), ring: dot, numbers };
        for number in 0..draw.numbers.between(1, 2) {
            let size = draw.numbers.between(2, 4);
            let names: Vec<String> = (0..size).map(|member| format!("m{member}")).collect();
            let class = Class::listed(format!("F{number}"), names.iter().map(String::as_str));
            let class = draw.net.add_class(class);
            draw.free.push(class);
            draw.net.add_variable(format!("x{number}"), class);
            draw.net.add_variable(format!("y{number}"), class);
        }
        draw.ring = draw.net.add_class(Class::cyclic("Ring", ["r0", "r1", "r2"]));
        draw.net.add_variable("i", draw.ring);
        for number in 0..draw.numbers.between(2, 5) {
            let free = draw.any_free();
            let domain = match draw.numbers.below(6) {
                0 => Domain::of(dot),
                1 => Domain::of(draw.ring),
                2 => Domain(vec![draw.ring, free]),
                3 if draw.free.len() > 1 => Domain(draw.free.clone()),
                _ => Domain::of(free),
            };
            let initial = draw.initial(&domain);
            draw.net.add_place(format!("p{number}"), domain, initial);
        }
        for number in 0..draw.numbers.between(1, 4) {
            draw.transition(number);
        }
        draw.net
    }

    fn any_free(&mut self) -> ClassId {
        let position = self.numbers.below(self.free.len() as u64);
        self.free[position as usize]
    }

    fn initial(&mut self, domain: &Domain) -> MultisetTerm {
        match self.numbers.below(4) {
            0 => MultisetTerm::Empty(domain.clone()),
            1 => MultisetTerm::All(domain.clone()).times(self.numbers.between(1, 2)),
            // Some members alone: they become a subclass of their own.
            2 => {
                let constant = |class: &ClassId| MemberTerm::Constant { class: *class, member: 0 };
                MultisetTerm::colour(domain.0.iter().map(constant))
            }
            _ => MultisetTerm::All(domain.clone()),
        }
    }

    fn variable_of(&mut self, class: ClassId) -> Option<MemberTerm> {
        let ids: Vec<_> = (0..self.net.variables.len() as u32).map(symbolon_coloured::VariableId).collect();
        let of_class: Vec<_> =
            ids.into_iter().filter(|id| self.net.variables[id.index()].class == class).collect();
        if of_class.is_empty() {
            return None;
        }
        let variable = *self.numbers.one_of(&of_class);
        let is_shifted = class == self.ring && self.numbers.below(3) == 0;
        Some(MemberTerm::Variable { variable, shift: i32::from(is_shifted) })
    }

    fn one_colour(&mut self, domain: &Domain) -> MultisetTerm {
        let members: Vec<MemberTerm> = domain
            .0
            .clone()
            .into_iter()
            .map(|class| self.variable_of(class).unwrap_or(MemberTerm::Constant { class, member: 0 }))
            .collect();
        MultisetTerm::colour(members)
    }

    fn term(&mut self, domain: &Domain) -> MultisetTerm {
        let one = self.one_colour(domain);
        match self.numbers.below(12) {
            0 => MultisetTerm::All(domain.clone()),
            1 => MultisetTerm::All(domain.clone()).minus(one),
            2 => {
                let other = self.one_colour(domain);
                one.plus(other)
            }
            3 => one.times(2),
            _ => one,
        }
    }

    fn transition(&mut self, number: u64) {
        let mut arcs = Vec::new();
        let place_count = self.net.places.len() as u64;
        for position in 0..self.numbers.between(2, 5) {
            let place = PlaceId(self.numbers.below(place_count) as u32);
            let domain = self.net.places[place.index()].domain.clone();
            let tokens = match self.numbers.below(3) {
                0 => self.term(&domain),
                _ => self.one_colour(&domain),
            };
            arcs.push(match self.numbers.below(20) {
                0 => Arc::Inhibitor { place, tokens },
                1 => Arc::Read { place, tokens },
                2 => Arc::Reset { place, tokens },
                _ if position % 2 == 0 => Arc::Input { place, tokens },
                _ => Arc::Output { place, tokens },
            });
        }
        let class = self.any_free();
        let guard = match (self.numbers.below(4), self.variable_of(class), self.variable_of(class)) {
            (0, Some(left), Some(right)) => Guard::Compare { left, relation: Relation::Unequal, right },
            (1, Some(left), Some(right)) => Guard::Compare { left, relation: Relation::Equal, right },
            _ => Guard::Constant(true),
        };
        self.net.add_transition(Transition::new(format!("t{number}"), guard, arcs));
    }
}

/// Whether tokens of some place have two colours that may be exchanged.
/// Two transitions do the same, and the members that are counted twice meet in both.
#[test]
fn transitions_that_do_the_same_stay_two() {
    let mut net = generate("client-server:4,3", &Budget::unlimited()).expect("a family");
    let mut twin = net.transitions[1].clone();
    twin.id = "accept_too".into();
    net.transitions.push(twin);
    let counters = folded(&net).expect("it can be folded");
    assert!(counters.is_whole(), "servers are counted, too");
    let events: Vec<usize> = net.transition_ids().map(|id| counters.events_of(id).len()).collect();
    assert!(events.iter().all(|count| *count > 0), "{events:?}");
    assert_eq!(events[1], events[4]);
    check(&net).expect("it can be folded");
}

fn has_pairs(net: &Net) -> bool {
    let symmetry = find_symmetry(net, &[], &Budget::unlimited()).expect("nothing interrupts it");
    let is_free = |class: &&ClassId| matches!(symmetry.of(**class).kind, Kind::Free(_));
    net.places.iter().any(|place| place.domain.0.iter().filter(is_free).count() > 1)
}

#[test]
fn random_nets_are_folded() {
    let (mut all, mut refused, mut listed, mut several, mut nested) = (0, 0, 0, 0, 0);
    for seed in seeds(400) {
        let net = Draw::net(seed);
        net.check().expect("the draw obeys the invariants");
        // Nets that grow without bound are for other tests.
        if figures_of_markings(&net).is_none() {
            continue;
        }
        all += 1;
        match check(&net) {
            Err(why) => {
                refused += 1;
                assert!(
                    matches!(
                        why,
                        Refusal::NothingFree | Refusal::NamedMembers(_) | Refusal::TwoFreeColours(_)
                    ),
                    "{}: {}",
                    net.name,
                    why.text(&net)
                );
            }
            Ok(None) => {}
            Ok(Some(markings)) => {
                listed += 1;
                several += u32::from(markings > BigUint::from(3_u32));
                nested +=
                    u32::from(has_pairs(&net) && folded(&net).is_ok_and(|counters| counters.is_whole()));
            }
        }
    }
    println!(
        "{all} nets, {refused} refused, {listed} compared, {several} with more than three markings, {nested} on two levels"
    );
    if std::env::var_os("SYMBOLON_SEED").is_none() {
        assert!(listed > 100 && several * 3 > listed, "{listed} of {all}, {several}");
        assert!(nested > 5, "{nested} of {listed}");
    }
}
