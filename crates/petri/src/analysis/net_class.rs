//! What kind of net it is: the classical classes, and what its graph looks like. All of it is read
//! off the arcs in a few passes.
//!
//! The classes of the literature are about nets with plain arcs of weight 1; a net with other arcs
//! belongs to none of them.

use crate::arc::Arc;
use crate::net::{Net, PlaceId, Transition, TransitionId};
use rustc_hash::FxHashMap;

/// The shape of a net.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NetClass {
    /// All arcs are plain and have weight 1.
    pub is_ordinary: bool,
    /// Ordinary, and every transition takes one token and puts one.
    pub is_state_machine: bool,
    /// Ordinary, and every place has one transition before it and one after it.
    pub is_marked_graph: bool,
    /// Ordinary, and a place with several transitions after it is the only input of each.
    pub is_free_choice: bool,
    /// Ordinary, and transitions that share an input place share all.
    pub is_extended_free_choice: bool,
    /// No transition takes from a place that it also puts to.
    pub is_loop_free: bool,
    /// Seen without directions, the net is in one piece.
    pub is_connected: bool,
    /// From every node, every other can be reached along the arcs.
    pub is_strongly_connected: bool,
    /// Every transition takes as many tokens as it puts; no reset arcs.
    pub is_conservative: bool,
    /// No transition puts more tokens than it takes.
    pub is_subconservative: bool,
    /// Places that transitions take from, and none puts to.
    pub source_places: Vec<PlaceId>,
    /// Places that transitions put to, and none takes from.
    pub sink_places: Vec<PlaceId>,
    /// Places without arcs of any kind.
    pub isolated_places: Vec<PlaceId>,
    /// Transitions that put tokens and take none.
    pub source_transitions: Vec<TransitionId>,
    /// Transitions that take tokens and put none.
    pub sink_transitions: Vec<TransitionId>,
    /// Transitions without arcs of any kind.
    pub isolated_transitions: Vec<TransitionId>,
}

impl NetClass {
    /// The class of `net`.
    pub fn of(net: &Net) -> NetClass {
        let outlines: Vec<Outline> = net.transitions.iter().map(Outline::of).collect();
        let mut before = vec![0_u32; net.places.len()];
        let mut after = vec![0_u32; net.places.len()];
        let mut has_arc = vec![false; net.places.len()];
        for arc in net.transitions.iter().flat_map(|transition| &transition.arcs) {
            has_arc[arc.place().index()] = true;
            match *arc {
                Arc::Input { place, .. } => after[place.index()] += 1,
                Arc::Output { place, .. } => before[place.index()] += 1,
                Arc::Read { .. } | Arc::Inhibitor { .. } | Arc::Reset { .. } => {}
            }
        }
        let places =
            |test: &dyn Fn(usize) -> bool| net.place_ids().filter(|place| test(place.index())).collect();
        let transitions = |test: &dyn Fn(&Outline) -> bool| {
            net.transition_ids().filter(|transition| test(&outlines[transition.index()])).collect()
        };
        let all = |test: &dyn Fn(&Outline) -> bool| outlines.iter().all(test);
        let is_ordinary = all(&|t| t.is_ordinary);
        let (is_connected, is_strongly_connected) = connection(net);
        let is_only_input =
            |transition: &Transition| input_places(transition).all(|place| after[place.index()] == 1);
        let is_free_choice = || {
            net.transitions.iter().zip(&outlines).all(|(t, outline)| outline.inputs <= 1 || is_only_input(t))
        };
        NetClass {
            is_ordinary,
            is_state_machine: is_ordinary && all(&|t| t.inputs == 1 && t.outputs == 1),
            is_marked_graph: is_ordinary
                && before.iter().all(|&count| count == 1)
                && after.iter().all(|&count| count == 1),
            is_free_choice: is_ordinary && is_free_choice(),
            is_extended_free_choice: is_ordinary && shares_all_inputs(net),
            is_loop_free: all(&|t| !t.has_loop),
            is_connected,
            is_strongly_connected,
            is_conservative: all(&|t| !t.has_reset && t.taken == t.put),
            is_subconservative: all(&|t| t.taken >= t.put),
            source_places: places(&|place| before[place] == 0 && after[place] > 0),
            sink_places: places(&|place| after[place] == 0 && before[place] > 0),
            isolated_places: places(&|place| !has_arc[place]),
            source_transitions: transitions(&|t| t.inputs == 0 && t.outputs > 0),
            sink_transitions: transitions(&|t| t.outputs == 0 && t.inputs > 0),
            isolated_transitions: transitions(&|t| t.arcs == 0),
        }
    }
}

/// What the classes ask of one transition.
#[derive(Default)]
struct Outline {
    arcs: usize,
    inputs: usize,
    outputs: usize,
    /// Tokens that input arcs take.
    taken: u128,
    /// Tokens that output arcs put.
    put: u128,
    /// All arcs are input and output arcs of weight 1.
    is_ordinary: bool,
    has_reset: bool,
    /// Some place has an input arc and an output arc.
    has_loop: bool,
}

impl Outline {
    fn of(transition: &Transition) -> Outline {
        let arcs = transition.arcs.len();
        let mut outline = Outline { arcs, is_ordinary: true, ..Outline::default() };
        let mut last_input = None;
        for arc in &transition.arcs {
            match *arc {
                Arc::Input { place, weight } => {
                    outline.inputs += 1;
                    outline.taken += u128::from(weight);
                    outline.is_ordinary &= weight == 1;
                    last_input = Some(place);
                }
                Arc::Output { place, weight } => {
                    outline.outputs += 1;
                    outline.put += u128::from(weight);
                    outline.is_ordinary &= weight == 1;
                    // Arcs ascend by place (PETRI-P2).
                    outline.has_loop |= last_input == Some(place);
                }
                Arc::Read { .. } | Arc::Inhibitor { .. } => outline.is_ordinary = false,
                Arc::Reset { .. } => {
                    outline.is_ordinary = false;
                    outline.has_reset = true;
                }
            }
        }
        outline
    }
}

/// The places that a transition takes tokens from by input arcs, ascending.
fn input_places(transition: &Transition) -> impl Iterator<Item = PlaceId> {
    transition.arcs.iter().filter_map(|arc| match *arc {
        Arc::Input { place, .. } => Some(place),
        Arc::Read { .. } | Arc::Inhibitor { .. } | Arc::Reset { .. } | Arc::Output { .. } => None,
    })
}

/// Whether transitions of an ordinary net that share an input place share all.
fn shares_all_inputs(net: &Net) -> bool {
    let mut first_at: FxHashMap<PlaceId, &Transition> = FxHashMap::default();
    net.transitions.iter().all(|transition| {
        input_places(transition).all(|place| {
            let first = first_at.entry(place).or_insert(transition);
            input_places(first).eq(input_places(transition))
        })
    })
}

/// Whether the graph of input and output arcs is connected, and whether strongly.
fn connection(net: &Net) -> (bool, bool) {
    let place_count = net.places.len();
    let node_count = place_count + net.transitions.len();
    let mut forward: Vec<Vec<u32>> = vec![Vec::new(); node_count];
    let mut backward: Vec<Vec<u32>> = vec![Vec::new(); node_count];
    for (index, transition) in net.transitions.iter().enumerate() {
        let node = place_count + index;
        for arc in &transition.arcs {
            match *arc {
                Arc::Input { place, .. } => {
                    forward[place.index()].push(node as u32);
                    backward[node].push(place.0);
                }
                Arc::Output { place, .. } => {
                    forward[node].push(place.0);
                    backward[place.index()].push(node as u32);
                }
                Arc::Read { .. } | Arc::Inhibitor { .. } | Arc::Reset { .. } => {}
            }
        }
    }
    let reaches_all = |graphs: &[&Vec<Vec<u32>>]| {
        let mut is_found = vec![false; node_count];
        let mut waiting: Vec<u32> = Vec::new();
        if node_count > 0 {
            is_found[0] = true;
            waiting.push(0);
        }
        let mut count = waiting.len();
        while let Some(node) = waiting.pop() {
            for &next in graphs.iter().flat_map(|graph| &graph[node as usize]) {
                if !std::mem::replace(&mut is_found[next as usize], true) {
                    count += 1;
                    waiting.push(next);
                }
            }
        }
        count == node_count
    };
    (reaches_all(&[&forward, &backward]), reaches_all(&[&forward]) && reaches_all(&[&backward]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Place;

    /// Places and weights.
    type Arcs<'a> = &'a [(u32, u64)];

    /// A net of two places and these transitions, each with inputs and outputs.
    fn net(transitions: &[(Arcs, Arcs)]) -> Net {
        fn arcs(list: &[(u32, u64)]) -> impl Iterator<Item = (PlaceId, u64)> {
            list.iter().map(|&(place, weight)| (PlaceId(place), weight))
        }
        Net {
            places: vec![Place::default(); 2],
            transitions: transitions
                .iter()
                .map(|(inputs, outputs)| Transition::moving("t", arcs(inputs), arcs(outputs)))
                .collect(),
            ..Net::default()
        }
    }

    #[test]
    fn classes_of_small_nets() {
        let cycle = NetClass::of(&net(&[(&[(0, 1)], &[(1, 1)]), (&[(1, 1)], &[(0, 1)])]));
        assert!(cycle.is_state_machine && cycle.is_marked_graph && cycle.is_free_choice);
        assert!(cycle.is_strongly_connected && cycle.is_conservative && cycle.is_loop_free);

        let choice = NetClass::of(&net(&[(&[(0, 1)], &[(1, 1)]), (&[(0, 1)], &[])]));
        assert!(!choice.is_state_machine && !choice.is_marked_graph && choice.is_free_choice);
        assert!(choice.is_connected && !choice.is_strongly_connected);
        assert_eq!(choice.sink_transitions, [TransitionId(1)]);
        assert_eq!((choice.source_places, choice.sink_places), (vec![PlaceId(0)], vec![PlaceId(1)]));
        assert!(!choice.is_conservative && choice.is_subconservative);

        let both = NetClass::of(&net(&[(&[(0, 1), (1, 1)], &[(0, 1)]), (&[(0, 1), (1, 1)], &[])]));
        assert!(!both.is_free_choice && both.is_extended_free_choice && !both.is_loop_free);

        let mixed = NetClass::of(&net(&[(&[(0, 1), (1, 1)], &[]), (&[(0, 1)], &[])]));
        assert!(!mixed.is_free_choice && !mixed.is_extended_free_choice);

        let weighted = NetClass::of(&net(&[(&[(0, 2)], &[(1, 3)])]));
        assert!(!weighted.is_ordinary && !weighted.is_free_choice && !weighted.is_subconservative);

        let apart = NetClass::of(&net(&[(&[(0, 1)], &[(0, 1)])]));
        assert!(!apart.is_connected);
        assert!(NetClass::of(&Net::default()).is_connected);

        // Arcs of other kinds: the classes are about ordinary nets, and a reset loses tokens.
        for (arc, is_conservative) in [
            (Arc::Read { place: PlaceId(0), weight: 1 }, true),
            (Arc::Inhibitor { place: PlaceId(0), weight: 1 }, true),
            (Arc::Reset { place: PlaceId(0) }, false),
        ] {
            let mut other = net(&[(&[(0, 1)], &[(1, 1)]), (&[(1, 1)], &[(0, 1)])]);
            other.transitions[0].add(arc);
            let other = NetClass::of(&other);
            assert!(!other.is_ordinary && !other.is_state_machine && !other.is_free_choice, "{arc:?}");
            assert_eq!(other.is_conservative, is_conservative, "{arc:?}");
        }

        // What has no arcs is neither a source nor a sink, nor is what is only looked at.
        let mut alone = net(&[(&[], &[]), (&[], &[])]);
        alone.transitions[1].add(Arc::Read { place: PlaceId(1), weight: 1 });
        let alone = NetClass::of(&alone);
        assert_eq!(alone.isolated_transitions, [TransitionId(0)]);
        assert_eq!(alone.isolated_places, [PlaceId(0)]);
        assert!(alone.source_transitions.is_empty() && alone.sink_transitions.is_empty());
        assert!(alone.source_places.is_empty() && alone.sink_places.is_empty());
    }
}
