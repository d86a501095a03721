//! Random nets and models, each a function of its seed.
//!
//! A net is drawn in one of three shapes. *Machines* are cycles of places whose tokens move when
//! transitions let several cycles step together: bounded, mostly safe. *Flows* move tokens in
//! bundles and lose or gain none: bounded, mostly not safe. *Wild* nets have any arcs at all.
//! Then inhibitor, read and reset arcs are sprinkled over some of them. What turns out to have
//! more than [`STATE_LIMIT`] states, or very few, is drawn again; one net in twenty may be tiny,
//! because tiny nets have their own dangers.

use crate::RandomNumbers;
use symbolon_budget::Budget;
use symbolon_explicit::{Options, explore};
use symbolon_model::{Model, State};
use symbolon_petri::{Arc, Net, Place, PlaceId, Transition, lower};

/// No random net or model has more states than this.
pub const STATE_LIMIT: usize = 3000;

/// A way to draw a net.
type Shape = fn(&mut RandomNumbers) -> Net;

/// The net that belongs to `seed`.
pub fn random_net(seed: u64) -> Net {
    let mut numbers = RandomNumbers::new(seed);
    // Shape and size are chosen once, so that nets drawn again do not change their shares. Wild
    // nets are often unbounded, and rarely large without that: little is asked of them.
    let (shape, wish): (Shape, _) = match numbers.below(100) {
        0..65 => (machines, 60..=STATE_LIMIT),
        65..85 => (flow, 60..=STATE_LIMIT),
        _ => (wild, 4..=400),
    };
    let smallest = match numbers.below(100) {
        0..5 => 1,
        5..60 => 4,
        _ => *wish.start(),
    };
    loop {
        let mut net = shape(&mut numbers);
        if numbers.percent(60) {
            sprinkle(&mut net, &mut numbers);
        }
        net.name = format!("random net {seed}");
        if state_count(&lower(&net), *wish.end()).is_some_and(|count| count >= smallest) {
            return net;
        }
    }
}

/// The model that belongs to `seed`: a random net, in two cases of five with more initial states.
pub fn random_model(seed: u64) -> Model {
    let mut model = lower(&random_net(seed));
    let mut numbers = RandomNumbers::new(!seed);
    if numbers.percent(40) {
        for _ in 0..numbers.between(1, 3) {
            let another = another_initial(&model, &mut numbers);
            if !model.initial.contains(&another) {
                model.initial.push(another);
                if state_count(&model, STATE_LIMIT).is_none() {
                    model.initial.pop();
                }
            }
        }
    }
    model
}

/// The model that belongs to `seed` among those with more than [`STATE_LIMIT`] states, nearly all
/// of them with infinitely many: tokens come from nothing somewhere. In half of them that can be
/// stopped for good, so that there are dead markings.
pub fn random_growing_model(seed: u64) -> Model {
    let mut numbers = RandomNumbers::new(seed ^ 0x6077_1e55_0000_0000);
    loop {
        let mut net = if numbers.percent(50) { flow(&mut numbers) } else { wild(&mut numbers) };
        let places: Vec<_> = net.place_ids().collect();
        let mut source = Transition::default();
        source.add(Arc::Output { place: *numbers.one_of(&places), weight: numbers.between(1, 2) });
        if numbers.percent(50) {
            let switch = add_place(&mut net, 1);
            source.add(Arc::Input { place: switch, weight: 1 });
            source.add(Arc::Output { place: switch, weight: 1 });
            add_transition(&mut net, Transition::moving("", [(switch, 1)], []));
        }
        add_transition(&mut net, source);
        if numbers.percent(60) {
            sprinkle(&mut net, &mut numbers);
        }
        net.name = format!("random growing net {seed}");
        let model = lower(&net);
        if state_count(&model, STATE_LIMIT).is_none() {
            return model;
        }
    }
}

/// The number of states, unless there are more than `limit`.
fn state_count(model: &Model, limit: usize) -> Option<usize> {
    let options = Options { state_limit: Some(limit) };
    explore(model, &options, &Budget::unlimited()).ok().map(|found| found.state_count())
}

/// The tokens of an initial state, handed out anew or one more or fewer.
fn another_initial(model: &Model, numbers: &mut RandomNumbers) -> State {
    let mut state = model.initial[0].clone();
    if numbers.percent(60) {
        numbers.shuffle(&mut state);
    } else {
        let place = numbers.below(state.len() as u64) as usize;
        state[place] = if numbers.percent(50) { state[place] + 1 } else { state[place].saturating_sub(1) };
    }
    state
}

/// Cycles of places; each transition moves a token in some of them.
fn machines(numbers: &mut RandomNumbers) -> Net {
    let mut net = Net::default();
    let mut cycles: Vec<Vec<PlaceId>> = Vec::new();
    let most_tokens = if numbers.percent(85) { 1 } else { 3 };
    for _ in 0..numbers.between(1, 6) {
        let cycle: Vec<_> = (0..numbers.between(2, 4)).map(|_| add_place(&mut net, 0)).collect();
        net.places[numbers.one_of(&cycle).index()].initial = numbers.between(1, most_tokens);
        cycles.push(cycle);
    }
    for _ in 0..numbers.between(3, 14) {
        let mut transition = Transition::default();
        for cycle in &cycles {
            if numbers.percent(100 / cycles.len() as u64 + 5) {
                let from = numbers.below(cycle.len() as u64) as usize;
                let step = if numbers.percent(80) { 1 } else { numbers.below(cycle.len() as u64) as usize };
                transition.add(Arc::Input { place: cycle[from], weight: 1 });
                let to = (from + step) % cycle.len();
                transition.add(Arc::Output { place: cycle[to], weight: 1 });
            }
        }
        add_transition(&mut net, transition);
    }
    net
}

/// Transitions that take and put equally many tokens, in bundles.
fn flow(numbers: &mut RandomNumbers) -> Net {
    let mut net = Net::default();
    let places: Vec<_> = (0..numbers.between(2, 6)).map(|_| add_place(&mut net, numbers.below(4))).collect();
    for _ in 0..numbers.between(2, 8) {
        let mut transition = Transition::default();
        for _ in 0..numbers.between(1, 3) {
            transition.add(Arc::Input { place: *numbers.one_of(&places), weight: 1 });
            transition.add(Arc::Output { place: *numbers.one_of(&places), weight: 1 });
        }
        add_transition(&mut net, transition);
    }
    net
}

/// Any arcs with weights up to 3, and transitions without any.
fn wild(numbers: &mut RandomNumbers) -> Net {
    let mut net = Net::default();
    let places: Vec<_> = (0..numbers.between(1, 7)).map(|_| add_place(&mut net, numbers.below(4))).collect();
    for _ in 0..numbers.between(1, 8) {
        let mut transition = Transition::default();
        for _ in 0..numbers.below(4) {
            transition.add(Arc::Input { place: *numbers.one_of(&places), weight: numbers.between(1, 2) });
        }
        for _ in 0..numbers.below(3) {
            transition.add(Arc::Output { place: *numbers.one_of(&places), weight: numbers.between(1, 3) });
        }
        add_transition(&mut net, transition);
    }
    net
}

/// Adds inhibitor, read and reset arcs, of some or of all three kinds.
fn sprinkle(net: &mut Net, numbers: &mut RandomNumbers) {
    let places: Vec<_> = net.place_ids().collect();
    let (inhibitors, reads, resets) = (numbers.percent(60), numbers.percent(60), numbers.percent(50));
    for transition in &mut net.transitions {
        if inhibitors && numbers.percent(35) {
            let place = *numbers.one_of(&places);
            transition.add(Arc::Inhibitor { place, weight: numbers.between(1, 3) });
        }
        if reads && numbers.percent(35) {
            let place = *numbers.one_of(&places);
            transition.add(Arc::Read { place, weight: numbers.between(1, 2) });
        }
        if resets && numbers.percent(25) {
            transition.add(Arc::Reset { place: *numbers.one_of(&places) });
        }
    }
}

fn add_place(net: &mut Net, initial: u64) -> PlaceId {
    let id = PlaceId(net.places.len() as u32);
    net.places.push(Place { id: format!("p{}", id.0), label: None, initial });
    id
}

fn add_transition(net: &mut Net, mut transition: Transition) {
    transition.id = format!("t{}", net.transitions.len());
    net.transitions.push(transition);
}
